"""GPU threads emulated on the CPU: the same IR, run thread by thread with the thread's number from a variable."""

import ctypes
import itertools
import re

import numpy as np
import pytest

import anthropi as ap
from anthropi import scalar
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.compiler.lower import lower
from anthropi.compiler.targets import ir, llvm
from anthropi.compiler.targets.machine import DTYPE, WARP, Machine
from anthropi.compiler.targets.modules import gpu_module
from anthropi.tape.record import rebuild
from kernels.tapes import TAPES, bits, samples, tape

PRECISIONS = ("float64", "float32")
_NAMES = ("tid", "ctaid", "ntid")
_HERE = """
@here = global [3 x i32] zeroinitializer
define void @place(i32 %tid, i32 %ctaid, i32 %ntid) {
  store i32 %tid, ptr @here
  store i32 %ctaid, ptr getelementptr (i32, ptr @here, i64 1)
  store i32 %ntid, ptr getelementptr (i32, ptr @here, i64 2)
  ret void
}
"""


def threads(trace, precision: str, arrays, room: int):
    """The results of a GPU kernel, its threads one after another."""
    text, needs = gpu_module(lower(trace, precision), Machine(precision, 1, True, room))
    text = re.sub(r".*asm sideeffect.*|target triple.*|ptx_kernel ", "", text)
    text = re.sub(r"declare i32 @llvm.nvvm.*", "", text).replace("@llvm.nvvm.read.ptx.sreg.", "@here.")
    for k, name in enumerate(_NAMES):
        text += f"\ndefine i32 @here.{name}.x() {{\n  %p = getelementptr i32, ptr @here, i64 {k}\n"
        text += "  %x = load i32, ptr %p\n  ret i32 %x\n}\n"
    loaded = llvm.load(llvm.assemble(_HERE + text, 0))
    batch = len(arrays[0])
    blocks = -(-batch // WARP)
    rows = np.concatenate([a.reshape(batch, -1) for a in arrays], axis=1).astype(DTYPE[precision])
    padded = rows[np.minimum(np.arange(blocks * WARP), batch - 1)].reshape(blocks, WARP, -1)
    inside = np.ascontiguousarray(padded.swapaxes(1, 2))
    outside = np.full((blocks, len(trace.result), WARP), np.nan, DTYPE[precision])
    scratch = np.full((blocks, needs["scratch"] + 1, WARP), np.nan, DTYPE[precision])
    place = loaded.function("place", *[ctypes.c_int32] * 3)
    run = loaded.function("run", *[ctypes.c_void_p] * 3, ctypes.c_int64)
    for g in range(-(-blocks * WARP // needs["threads"]) * needs["threads"]):
        place(g % needs["threads"], g // needs["threads"], needs["threads"])
        run(inside.ctypes.data, outside.ctypes.data, scratch.ctypes.data, blocks)
    flat = outside.swapaxes(1, 2).reshape(blocks * WARP, -1)[:batch]
    results = [flat[:, s.start : s.start + s.size].reshape(batch, *s.shape) for s in trace.outputs]
    return rebuild(trace.structure, results)


@pytest.mark.parametrize(("name", "precision"), list(itertools.product(TAPES, PRECISIONS)))
def test_threads_give_the_bits_of_replay(name, precision, monkeypatch):
    trace, arrays = tape(name), samples(name, 37, seed=6)
    wanted = bits(ap.build(trace, target="replay", precision=precision)(*arrays))
    for limit, room, places in ((4000, 90, 100), (5, 90, 100), (4000, 3, 100), (40, 3, 4)):
        monkeypatch.setattr(ir, "MAX_FUNCTION_OPERATIONS", limit)
        monkeypatch.setattr(Machine, "spill_capacity", places)
        assert bits(threads(trace, precision, arrays, room)) == wanted, (limit, room, places)


@pytest.mark.slow
@pytest.mark.parametrize("stops", (False, True))
@pytest.mark.parametrize("every", (0, 2))
def test_a_long_loop_gives_the_bits_of_the_cpu(stops, every, monkeypatch):
    """Its body is a function that stores what it carries in place, if no rollout must keep its values."""
    figure = ap.human(detail="simple27")

    def body(state, tau):
        q, u, a, b = state
        u = u + 1e-2 * direct_dynamics(figure, q, u, tau)
        return figure.integrate(q, 1e-2 * u), u, b, a  # what is carried changes places, too

    def steps(q, u, tau):
        until = (lambda s: scalar.less(0.5, scalar.absolute(s[1][0]))) if stops else None
        return ap.repeat(body, (q, u, q[0], q[1]), 5, until=until, rows=tau, every=every)

    shapes = {"q": (figure.nq,), "u": (figure.nu,), "tau": (5, figure.nu)}
    trace = ap.record(steps, **{n: np.zeros(s) for n, s in shapes.items()})
    rng = np.random.default_rng(7)
    arrays = [
        np.stack([figure.random(rng) for _ in range(5)]),
        *(rng.normal(size=(5, *shapes[n])) for n in ("u", "tau")),
    ]
    wanted = bits(ap.build(trace, opt=0)(*arrays))
    for limit, room in ((4000, 40), (150, 90)):
        monkeypatch.setattr(ir, "MAX_FUNCTION_OPERATIONS", limit)
        assert bits(threads(trace, "float64", arrays, room)) == wanted, limit
