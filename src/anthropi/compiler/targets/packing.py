"""Packing of plain rows (batch, n) into blocks [n][lanes] and back, as LLVM IR.

Rows whose numbers lie one after another are transposed in square tiles, as vectors; what is left is copied number by
number. Rows in any other memory order, such as those of a Fortran-ordered array, are read where they lie.
"""

from anthropi.compiler.targets.machine import Machine

__all__ = ["GATHERED", "packing"]

GATHERED = 16  # blocks of which rows in another memory order are read together: all of them stay in the cache


def packing(m: Machine) -> str:
    """Return the LLVM IR of the functions `pack` and `unpack`.

    pack(from, step, places, to, n, first, batch, kept, number): to[i][lane] = from[min(first + lane, batch - 1)][i].
    Rows are `step` numbers apart; number i is places[i] numbers after the first of its row, or i if `places` is null.
    Rows with places are gathered into `kept` for GATHERED blocks together, at each block whose `number` is a multiple
    of GATHERED: in Fortran order, the same number of many figures is read along the memory.
    unpack(to, from, n, first, batch): to[first + lane][i] = from[i][lane] for rows inside the batch.
    """
    words = {
        "T": m.element,
        "V": m.number,
        "size": m.size,
        "lanes": m.lanes,
        "group": GATHERED,
        "rows": GATHERED * m.lanes,
    }
    any_order = _ANY_ORDER.format(numbers=_numbers_of_lanes(m), **words)
    rows = _PACK.format(tile=_tile(m, packs=True), **words), _UNPACK.format(tile=_tile(m, packs=False), **words)
    return any_order + "".join(rows)


def _numbers_of_lanes(m: Machine) -> str:
    """Return the IR that copies one number of each lane's row to the block at %q."""
    lines = []
    for k in range(m.lanes):
        lines += [
            f"  %at{k}.p = getelementptr i64, ptr %ats, i64 {k}",
            f"  %at{k} = load i64, ptr %at{k}.p, align 8",
            f"  %p{k} = getelementptr {m.element}, ptr %base, i64 %at{k}",
            f"  %x{k} = load {m.element}, ptr %p{k}, align {m.size}",
            f"  %q{k} = getelementptr {m.element}, ptr %q, i64 {k}",
            f"  store {m.element} %x{k}, ptr %q{k}, align {m.size}",
        ]
    return "\n".join(lines)


def _tile(m: Machine, packs: bool) -> str:
    """Return the IR that copies a lanes × lanes tile at column %c: load rows, transpose, store columns (or back)."""
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
    """Write the transposition of a tile, in log₂(lanes) stages that exchange parts between pairs of rows."""
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


_ANY_ORDER = """
define internal void @gather(ptr %from, i64 %step, ptr %places, ptr %to, i64 %n, i64 %first0, i64 %batch) noinline {{
entry:
  %end = sub i64 %batch, 1
  %near = icmp eq i64 %step, 1
  %at = alloca [{rows} x i64], align 8
  br label %row
row:
  %r = phi i64 [ 0, %entry ], [ %r1, %row ]
  %r.row = add i64 %first0, %r
  %over = icmp sgt i64 %r.row, %end
  %inside = select i1 %over, i64 %end, i64 %r.row
  %r.at = mul i64 %inside, %step
  %r.p = getelementptr i64, ptr %at, i64 %r
  store i64 %r.at, ptr %r.p, align 8
  %r1 = add i64 %r, 1
  %other = icmp slt i64 %r1, {rows}
  br i1 %other, label %row, label %number
number:
  %i = phi i64 [ 0, %row ], [ %i1, %done ]
  %i.place = getelementptr i64, ptr %places, i64 %i
  %place = load i64, ptr %i.place, align 8
  %base = getelementptr {T}, ptr %from, i64 %place
  br label %block
block:
  %g = phi i64 [ 0, %number ], [ %g1, %next ]
  %ahead = mul i64 %g, {lanes}
  %first = add i64 %first0, %ahead
  %beyond = add i64 %first, {lanes}
  %fits = icmp sle i64 %beyond, %batch
  %together = and i1 %fits, %near
  %before = mul i64 %g, %n
  %slot = add i64 %before, %i
  %q = getelementptr {V}, ptr %to, i64 %slot
  br i1 %together, label %vector, label %lanes
vector:
  %p = getelementptr {T}, ptr %base, i64 %first
  %x = load {V}, ptr %p, align {size}
  store {V} %x, ptr %q, align {size}
  br label %next
lanes:
  %ats = getelementptr i64, ptr %at, i64 %ahead
{numbers}
  br label %next
next:
  %g1 = add i64 %g, 1
  %again = icmp slt i64 %g1, {group}
  br i1 %again, label %block, label %done
done:
  %i1 = add i64 %i, 1
  %more = icmp slt i64 %i1, %n
  br i1 %more, label %number, label %finished
finished:
  ret void
}}"""

_HEAD = """
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
    "\ndefine internal void @pack(ptr %from, i64 %step, ptr %places, ptr %to, i64 %n, i64 %first, i64 %batch, "
    """ptr %kept, i64 %number) noinline {{
start:
  %plain = icmp eq ptr %places, null
  br i1 %plain, label %entry, label %scattered
scattered:
  %g = urem i64 %number, {group}
  %new = icmp eq i64 %g, 0
  br i1 %new, label %gather, label %gathered
gather:
  call void @gather(ptr %from, i64 %step, ptr %places, ptr %kept, i64 %n, i64 %first, i64 %batch)
  br label %gathered
gathered:
  %kept.start = mul i64 %g, %n
  br label %slot
slot:
  %k = phi i64 [ 0, %gathered ], [ %k1, %slot ]
  %k.at = add i64 %kept.start, %k
  %k.from = getelementptr {V}, ptr %kept, i64 %k.at
  %k.to = getelementptr {V}, ptr %to, i64 %k
  %value = load {V}, ptr %k.from, align {size}
  store {V} %value, ptr %k.to, align {size}
  %k1 = add i64 %k, 1
  %unfinished = icmp slt i64 %k1, %n
  br i1 %unfinished, label %slot, label %filled
filled:
  ret void
entry:"""
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
    "\ndefine internal void @unpack(ptr %to, ptr %from, i64 %n, i64 %first, i64 %batch) noinline {{\nentry:"
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
