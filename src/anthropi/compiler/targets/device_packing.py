"""Copies between plain rows (batch, n) and blocks [n][32] on a GPU, as LLVM IR, one number per thread.

pack(from, to, mask, n, batch, step, inner, s1, s2, total, start, count): number i of row r lies at
from[r step + (i / inner) s1 + (i % inner) s2] and goes to slot start + i of a block with `total` slots. Threads past
the batch repeat the last row. Where mask[r] is 0, the block keeps its number; without a mask all are written.
unpack(from, to, n, batch, total, start): the slots start … start + n of each block, to rows one after another.
advance(at, total, from, to, batch, value): slot `to` = slot `from` + value.
"""

from anthropi.compiler.targets.machine import WARP

__all__ = ["device_packing"]

_ELEMENT = {"float64": "double", "float32": "float"}


def device_packing(precision: str) -> str:
    """Return the IR of a module for blocks of a precision: pack_f8, pack_f4, unpack and advance."""
    own = _ELEMENT[precision]
    packs = []
    for name, source, size in (("f8", "double", 8), ("f4", "float", 4)):
        if source == own:
            turned = f"  %x = fadd {own} %v, -0.0"  # exact, also for a signed zero
        else:
            turned = f"  %x = {'fptrunc' if own == 'float' else 'fpext'} {source} %v to {own}"
        packs.append(_PACK.format(name=name, source=source, size=size, own=own, turned=turned, warp=WARP))
    return "\n".join([_HEAD, *packs, _UNPACK.format(own=own, warp=WARP), _ADVANCE.format(own=own, warp=WARP)])


_HEAD = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define internal i64 @thread() alwaysinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t64 = zext i32 %t to i64
  %c64 = zext i32 %c to i64
  %n64 = zext i32 %n to i64
  %m = mul i64 %c64, %n64
  %g = add i64 %m, %t64
  ret i64 %g
}"""

_PACK = """
define ptx_kernel void @pack_{name}(ptr addrspace(1) %from, ptr addrspace(1) %to, ptr addrspace(1) %mask, i64 %n,
    i64 %batch, i64 %step, i64 %inner, i64 %s1, i64 %s2, i64 %total, i64 %start, i64 %count) {{
entry:
  %g = call i64 @thread()
  %inside = icmp ult i64 %g, %count
  br i1 %inside, label %work, label %end
work:
  %lane = urem i64 %g, {warp}
  %t = udiv i64 %g, {warp}
  %i = urem i64 %t, %n
  %block = udiv i64 %t, %n
  %first = mul i64 %block, {warp}
  %wanted = add i64 %first, %lane
  %last = sub i64 %batch, 1
  %beyond = icmp ugt i64 %wanted, %last
  %row = select i1 %beyond, i64 %last, i64 %wanted
  %free = icmp eq ptr addrspace(1) %mask, null
  br i1 %free, label %copy, label %ask
ask:
  %m.at = getelementptr i8, ptr addrspace(1) %mask, i64 %row
  %m = load i8, ptr addrspace(1) %m.at
  %some = icmp ne i8 %m, 0
  br i1 %some, label %copy, label %end
copy:
  %a = mul i64 %row, %step
  %i1 = udiv i64 %i, %inner
  %i2 = urem i64 %i, %inner
  %b = mul i64 %i1, %s1
  %c = mul i64 %i2, %s2
  %ab = add i64 %a, %b
  %abc = add i64 %ab, %c
  %v.at = getelementptr {source}, ptr addrspace(1) %from, i64 %abc
  %v = load {source}, ptr addrspace(1) %v.at, align {size}
{turned}
  %k = mul i64 %block, %total
  %k1 = add i64 %k, %start
  %k2 = add i64 %k1, %i
  %k3 = mul i64 %k2, {warp}
  %k4 = add i64 %k3, %lane
  %to.at = getelementptr {own}, ptr addrspace(1) %to, i64 %k4
  store {own} %x, ptr addrspace(1) %to.at
  br label %end
end:
  ret void
}}"""

_UNPACK = """
define ptx_kernel void @unpack(ptr addrspace(1) %from, ptr addrspace(1) %to, i64 %n, i64 %batch, i64 %total,
    i64 %start) {{
entry:
  %g = call i64 @thread()
  %count = mul i64 %n, %batch
  %inside = icmp ult i64 %g, %count
  br i1 %inside, label %work, label %end
work:
  %row = udiv i64 %g, %n
  %i = urem i64 %g, %n
  %block = udiv i64 %row, {warp}
  %lane = urem i64 %row, {warp}
  %k = mul i64 %block, %total
  %k1 = add i64 %k, %start
  %k2 = add i64 %k1, %i
  %k3 = mul i64 %k2, {warp}
  %k4 = add i64 %k3, %lane
  %v.at = getelementptr {own}, ptr addrspace(1) %from, i64 %k4
  %v = load {own}, ptr addrspace(1) %v.at
  %to.at = getelementptr {own}, ptr addrspace(1) %to, i64 %g
  store {own} %v, ptr addrspace(1) %to.at
  br label %end
end:
  ret void
}}"""

_ADVANCE = """
define ptx_kernel void @advance(ptr addrspace(1) %blocks, i64 %total, i64 %from, i64 %to, i64 %rows, {own} %value) {{
entry:
  %g = call i64 @thread()
  %inside = icmp ult i64 %g, %rows
  br i1 %inside, label %work, label %end
work:
  %block = udiv i64 %g, {warp}
  %lane = urem i64 %g, {warp}
  %k = mul i64 %block, %total
  %a = add i64 %k, %from
  %b = add i64 %k, %to
  %a1 = mul i64 %a, {warp}
  %b1 = mul i64 %b, {warp}
  %a2 = add i64 %a1, %lane
  %b2 = add i64 %b1, %lane
  %v.at = getelementptr {own}, ptr addrspace(1) %blocks, i64 %a2
  %v = load {own}, ptr addrspace(1) %v.at
  %d = fadd {own} %v, %value
  %to.at = getelementptr {own}, ptr addrspace(1) %blocks, i64 %b2
  store {own} %d, ptr addrspace(1) %to.at
  br label %end
end:
  ret void
}}"""
