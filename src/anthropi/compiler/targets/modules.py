"""LLVM modules of kernels: entry points for blocks, plain arrays and GPU threads."""

from collections.abc import Container
from typing import Any

from anthropi.compiler.targets.ir import Body
from anthropi.compiler.targets.machine import UNIFORM, WARP, Machine
from anthropi.compiler.targets.packing import GATHERED, packing
from anthropi.tape.tape import Tape

__all__ = ["cpu_module", "gpu_module", "trampoline", "wasm_module"]


def cpu_module(tape: Tape, machine: Machine) -> tuple[str, int]:
    """Return the IR of a CPU kernel and the number of scratch slots it needs.

    `run(in, out, tmp, blocks)` runs over blocks [n][lanes]. `rows(arrays, tmp, first, last, batch)` runs over blocks
    first … last of plain arrays (batch, n): each block is packed into tmp, computed and unpacked while it is in the
    cache. `arrays` contains, for each input, its address, its step in numbers (0: the same row for all figures) and
    the address of the places of a row's numbers, counted from its first one (0: they lie one after another); for each
    output its address, one row after another. Rows past the batch repeat the last one and are not written back.
    """
    body = Body(tape, machine)
    total_in, total_out = sum(s.size for s in tape.inputs), len(tape.result)
    declared = [line for m in sorted(body.machines, key=lambda m: m.lanes) for line in m.declarations()]
    lines = [*declared, *body.text, packing(machine), _run(tape, machine, body, "i64")]
    lines.append(_rows(tape, machine, body, total_in, total_out))
    return "\n".join(lines), body.scratch


def wasm_module(tape: Tape, machine: Machine) -> tuple[str, int]:
    """Return the IR of a WebAssembly kernel and the number of scratch slots it needs.

    `run(in, out, tmp, blocks)` runs over blocks [n][lanes]; its arguments are 32-bit numbers, as JavaScript gives them.
    """
    body = Body(tape, machine)
    declared = [line for m in sorted(body.machines, key=lambda m: m.lanes) for line in m.declarations()]
    head = 'target triple = "wasm32-unknown-unknown"'
    return "\n".join([head, *declared, *body.text, _run(tape, machine, body, "i32")]), body.scratch


def _run(tape: Tape, machine: Machine, body: Body, count: str) -> str:
    """Return the IR of `run`; count : type of the number of blocks."""
    sizes = {"n_in": sum(s.size for s in tape.inputs), "n_out": len(tape.result)}
    calls = "\n".join(f"  call void @{c}(ptr %in, ptr %out, ptr %tmp)" for c in body.calls)
    return _RUN.format(calls=calls, count=count, **sizes, **_words(machine))


def _words(m: Machine) -> dict[str, Any]:
    return {"number": m.number, "element": m.element, "size": m.size, "lanes": m.lanes}


_RUN = """
define void @run(ptr %in0, ptr %out0, ptr %tmp, {count} %blocks) {{
entry:
  %any = icmp sgt {count} %blocks, 0
  br i1 %any, label %loop, label %end
loop:
  %b = phi {count} [ 0, %entry ], [ %b1, %loop ]
  %in = phi ptr [ %in0, %entry ], [ %in1, %loop ]
  %out = phi ptr [ %out0, %entry ], [ %out1, %loop ]
{calls}
  %in1 = getelementptr {number}, ptr %in, i64 {n_in}
  %out1 = getelementptr {number}, ptr %out, i64 {n_out}
  %b1 = add {count} %b, 1
  %more = icmp slt {count} %b1, %blocks
  br i1 %more, label %loop, label %end
end:
  ret void
}}"""


def _rows(tape: Tape, m: Machine, body: Body, total_in: int, total_out: int) -> str:
    """Return the IR of `rows`, which packs ordinary batch arrays, runs the kernel body and unpacks the outputs."""
    top, pack, unpack, at = [], [], [], 0

    def argument(kind):
        nonlocal at
        top.append(
            f"  %a{at}.p = getelementptr i64, ptr %arrays, i64 {at}\n  %a{at} = load {kind}, ptr %a{at}.p, align 8"
        )
        at += 1
        return f"%a{at - 1}"

    for s in tape.inputs:
        if s.size:
            source = f"ptr {argument('ptr')}, i64 {argument('i64')}, ptr {argument('ptr')}"
            pack.append(f"  %i{s.start} = getelementptr {m.number}, ptr %in, i64 {s.start}")
            pack.append(f"  %k{s.start} = getelementptr {m.number}, ptr %kept, i64 {GATHERED * s.start}")
            where = f"ptr %k{s.start}, i64 %number"
            pack.append(f"  call void @pack({source}, ptr %i{s.start}, i64 {s.size}, i64 %row, i64 %batch, {where})")
    for s in tape.outputs:
        if s.size:
            target = argument("ptr")
            unpack.append(f"  %o{s.start} = getelementptr {m.number}, ptr %out, i64 {s.start}")
            unpack.append(f"  call void @unpack(ptr {target}, ptr %o{s.start}, i64 {s.size}, i64 %row, i64 %batch)")
    calls = [f"  call void @{c}(ptr %in, ptr %out, ptr %tmp)" for c in body.calls]
    return "\n".join([
        "define void @rows(ptr %arrays, ptr %in, i64 %first, i64 %last, i64 %batch) {",
        "entry:",
        f"  %out = getelementptr {m.number}, ptr %in, i64 {total_in}",
        f"  %tmp = getelementptr {m.number}, ptr %in, i64 {total_in + total_out}",
        f"  %kept = getelementptr {m.number}, ptr %tmp, i64 {body.scratch}",
        *top,
        "  br label %head",
        "head:",
        "  %b = phi i64 [ %first, %entry ], [ %b1, %work ]",
        "  %more = icmp slt i64 %b, %last",
        "  br i1 %more, label %work, label %end",
        "work:",
        f"  %row = mul i64 %b, {m.lanes}",
        "  %number = sub i64 %b, %first",
        *pack, *calls, *unpack,
        "  %b1 = add i64 %b, 1",
        "  br label %head",
        "end:",
        "  ret void",
        "}",
    ])  # fmt: skip


def trampoline(address: int, pointers: tuple[int, int, int], blocks: int) -> str:
    """Return the IR of a function without arguments that calls `run` at an address with fixed arguments."""
    given = ", ".join(f"ptr inttoptr (i64 {p} to ptr)" for p in pointers)
    target = f"inttoptr (i64 {address} to ptr)"
    return f"define void @bound() {{\n  call void {target}({given}, i64 {blocks})\n  ret void\n}}"


def gpu_module(
    tape: Tape, machine: Machine, uniform: Container[int] = (), deep: bool = False
) -> tuple[str, dict[str, Any]]:
    """Return the IR of a GPU kernel `run(in, out, tmp, blocks)`, one figure per thread, and its requirements.

    uniform : positions of inputs that are the same for all figures; they are read from constant memory.
    deep : whether many more values wait at the same time than fit the registers.

    Blocks are [n][32]. The requirements are `scratch` slots and `threads` per block. A kernel that spills to shared
    memory has one warp per block, since shared memory is allocated per block. If the tape becomes a single function,
    its code is written into the kernel itself, which avoids a call.
    """
    body = Body(tape, machine, uniform, deep)
    p, words = machine.pointer, _words(machine)
    if len(body.calls) == 1:
        work = body.text.pop().split("entry:\n", 1)[1]
    else:
        calls = [f"  call void @{c}({p} %in, {p} %out, {p} %tmp)" for c in body.calls]
        work = "\n".join([*calls, "  ret void", "}"])
    sizes = {"in": sum(s.size for s in tape.inputs), "out": len(tape.result), "tmp": body.scratch}
    bases = [_BASE.format(name=name, step=WARP * n, pointer=p, **words) for name, n in sizes.items()]
    lines = ['target triple = "nvptx64-nvidia-cuda"', *machine.declarations(), *body.text]
    if uniform:
        numbers = f"[{sizes['in']} x {machine.element}]"
        lines.append(f"{UNIFORM} = addrspace(4) externally_initialized global {numbers} undef, align {machine.size}")
    if body.spilled:
        numbers = f"[{WARP * body.spilled} x {machine.element}]"
        lines.append(f"@spilled = internal addrspace(3) global {numbers} undef, align {machine.size}")
    fetch = _prefetch(machine, sizes["in"])
    lines.append(_THREAD.format(pointer=p, bases="".join(bases), fetch=fetch, work=work))
    return "\n".join(lines), {"scratch": body.scratch, "threads": WARP if body.spilled else 4 * WARP}


def _prefetch(m: Machine, slots: int) -> str:
    """Return IR that prefetches a block's inputs, one cache line per thread, so that later loads need not wait."""
    size, lines = WARP * slots * m.size, []
    for k, start in enumerate(range(0, min(size, _PREFETCHED), WARP * _LINE)):
        last = size - start - _LINE  # the last round has fewer lines than threads: some prefetch the same one
        lines.append(f"""  %f{k} = call i64 @llvm.umin.i64(i64 %line, i64 {last})
  %f{k}.at = getelementptr i8, {m.pointer} %in.block, i64 %f{k}
  %f{k}.to = getelementptr i8, {m.pointer} %f{k}.at, i64 {start}
  call void asm sideeffect "prefetch.global.L2 [$0];", "l"({m.pointer} %f{k}.to)""")
    return "\n".join(lines)


_LINE = 128  # [byte], cache line
_PREFETCHED = 64 * 1024  # [byte] maximum per block; long rows of a loop are loaded when they are read

_BASE = """
  %{name}.step = mul i64 %block, {step}
  %{name}.block = getelementptr {element}, {pointer} %{name}0, i64 %{name}.step
  %{name} = getelementptr {element}, {pointer} %{name}.block, i64 %lane64"""

_THREAD = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i64 @llvm.umin.i64(i64, i64)
define ptx_kernel void @run({pointer} noalias %in0, {pointer} noalias %out0, {pointer} noalias %tmp0, i64 %blocks) {{
start:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t64 = zext i32 %t to i64
  %c64 = zext i32 %c to i64
  %n64 = zext i32 %n to i64
  %m = mul i64 %c64, %n64
  %g = add i64 %m, %t64
  %block = lshr i64 %g, 5
  %lane64 = and i64 %g, 31
  %line = shl i64 %lane64, 7{bases}
  %inside = icmp ult i64 %block, %blocks
  br i1 %inside, label %entry, label %beyond
beyond:
  ret void
entry:
{fetch}
{work}
"""
