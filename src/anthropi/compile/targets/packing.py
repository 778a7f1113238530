"""Plain rows (batch, n) to blocks [n][lanes] and back, as LLVM IR: tiles by transposing vectors, the rest singly."""

from anthropi.compile.targets.machine import Machine

__all__ = ["packing"]


def packing(m: Machine) -> str:
    """The functions `pack` and `unpack`.

    pack(from, step, to, n, first, batch): to[i][lane] = from[min(first + lane, batch - 1)][i], rows `step` apart.
    unpack(to, from, n, first, batch): to[first + lane][i] = from[i][lane] for rows inside the batch.
    """
    words = {"T": m.element, "V": m.number, "size": m.size, "lanes": m.lanes}
    return _PACK.format(tile=_tile(m, packs=True), **words) + _UNPACK.format(tile=_tile(m, packs=False), **words)


def _tile(m: Machine, packs: bool) -> str:
    """Lines that move a lanes × lanes tile starting at column %c: load rows, transpose, store columns (or back)."""
    step, base = ("%step", "%from") if packs else ("%n", "%to")
    lines = []
    for k in range(m.lanes):  # addresses: of row k in the plain array, of column k in the block
        lines += [
            f"  %row{k} = add i64 %first, {k}",
            f"  %offset{k} = mul i64 %row{k}, {step}",
            f"  %place{k} = add i64 %offset{k}, %c",
            f"  %plain{k} = getelementptr {m.element}, ptr {base}, i64 %place{k}",
            f"  %column{k} = add i64 %c, {k}",
            f"  %block{k} = getelementptr {m.number}, ptr {'%to' if packs else '%from'}, i64 %column{k}",
        ]
    near, far = ("plain", "block") if packs else ("block", "plain")
    align = {"plain": m.size, "block": m.size * m.lanes}
    names = []
    for k in range(m.lanes):
        lines.append(f"  %x{k} = load {m.number}, ptr %{near}{k}, align {align[near]}")
        names.append(f"%x{k}")
    names = _transpose(m, lines, names)
    lines += [f"  store {m.number} {x}, ptr %{far}{k}, align {align[far]}" for k, x in enumerate(names)]
    return "\n".join(lines)


def _transpose(m: Machine, lines: list[str], names: list[str]) -> list[str]:
    """Transpose by exchanging ever larger halves between pairs of rows: log₂(lanes) stages."""
    d = 1
    while d < m.lanes:
        following = list(names)
        for r in range(m.lanes):
            if r & d:
                continue
            low = [i if not i & d else m.lanes + i - d for i in range(m.lanes)]
            high = [i + d if not i & d else m.lanes + i for i in range(m.lanes)]
            for row, order in ((r, low), (r + d, high)):
                mask = ", ".join(f"i32 {i}" for i in order)
                following[row] = f"%t{d}_{row}"
                pair = f"{m.number} {names[r]}, {m.number} {names[r + d]}"
                lines.append(f"  {following[row]} = shufflevector {pair}, <{m.lanes} x i32> <{mask}>")
        names, d = following, 2 * d
    return names


_HEAD = """
entry:
  %beyond = add i64 %first, {lanes}
  %fits = icmp sle i64 %beyond, %batch
  %wide = icmp sgt i64 {lanes}, 1
  %some = and i1 %fits, %wide
  %rest = urem i64 %n, {lanes}
  %whole = sub i64 %n, %rest
  %tiled = select i1 %some, i64 %whole, i64 0
  %any = icmp sgt i64 %tiled, 0
  br i1 %any, label %tiles, label %single
tiles:
  %c = phi i64 [ 0, %entry ], [ %c1, %tiles ]
{tile}
  %c1 = add i64 %c, {lanes}
  %again = icmp slt i64 %c1, %tiled
  br i1 %again, label %tiles, label %single
single:
  %left = icmp slt i64 %tiled, %n
  br i1 %left, label %lane, label %done
"""

_PACK = (
    "\ndefine internal void @pack(ptr %from, i64 %step, ptr %to, i64 %n, i64 %first, i64 %batch) noinline {{"
    + _HEAD
    + """lane:
  %w = phi i64 [ 0, %single ], [ %w1, %next ]
  %r0 = add i64 %first, %w
  %end = sub i64 %batch, 1
  %over = icmp sgt i64 %r0, %end
  %r = select i1 %over, i64 %end, i64 %r0
  %o = mul i64 %r, %step
  %s = getelementptr {T}, ptr %from, i64 %o
  %d = getelementptr {T}, ptr %to, i64 %w
  br label %copy
copy:
  %i = phi i64 [ %tiled, %lane ], [ %i1, %copy ]
  %p = getelementptr {T}, ptr %s, i64 %i
  %x = load {T}, ptr %p, align {size}
  %j = mul i64 %i, {lanes}
  %q = getelementptr {T}, ptr %d, i64 %j
  store {T} %x, ptr %q, align {size}
  %i1 = add i64 %i, 1
  %more = icmp slt i64 %i1, %n
  br i1 %more, label %copy, label %next
next:
  %w1 = add i64 %w, 1
  %further = icmp slt i64 %w1, {lanes}
  br i1 %further, label %lane, label %done
done:
  ret void
}}"""
)

_UNPACK = (
    "\ndefine internal void @unpack(ptr %to, ptr %from, i64 %n, i64 %first, i64 %batch) noinline {{"
    + _HEAD
    + """lane:
  %w = phi i64 [ 0, %single ], [ %w1, %next ]
  %r = add i64 %first, %w
  %inside = icmp slt i64 %r, %batch
  br i1 %inside, label %line, label %done
line:
  %o = mul i64 %r, %n
  %d = getelementptr {T}, ptr %to, i64 %o
  %s = getelementptr {T}, ptr %from, i64 %w
  br label %copy
copy:
  %i = phi i64 [ %tiled, %line ], [ %i1, %copy ]
  %j = mul i64 %i, {lanes}
  %p = getelementptr {T}, ptr %s, i64 %j
  %x = load {T}, ptr %p, align {size}
  %q = getelementptr {T}, ptr %d, i64 %i
  store {T} %x, ptr %q, align {size}
  %i1 = add i64 %i, 1
  %more = icmp slt i64 %i1, %n
  br i1 %more, label %copy, label %next
next:
  %w1 = add i64 %w, 1
  %further = icmp slt i64 %w1, {lanes}
  br i1 %further, label %lane, label %done
done:
  ret void
}}"""
)
