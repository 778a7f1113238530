"""Every kernel gives the bits of `replay`: for any lane, lane width, batch, thread count, tier and function length."""

import itertools

import numpy as np
import pytest

import anthropi as ap
from anthropi.compiler.targets import ir, llvm
from anthropi.compiler.targets.cpu import Cpu
from kernels.tapes import TAPES, bits, flat, samples, tape

PRECISIONS = ("float64", "float32")
everywhere = pytest.mark.parametrize(("name", "precision"), list(itertools.product(TAPES, PRECISIONS)))


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ANTHROPI_CACHE", str(tmp_path))


@everywhere
def test_kernel_gives_the_bits_of_replay(name, precision):
    trace = tape(name)
    arrays = samples(name, 37)
    wanted = ap.build(trace, target="replay", precision=precision)(*arrays)
    assert bits(ap.build(trace, precision=precision)(*arrays)) == bits(wanted)


@everywhere
def test_the_interpreter_gives_the_bits_of_replay(name, precision):
    trace = tape(name)
    arrays = samples(name, 37)
    wanted = flat(ap.build(trace, target="replay", precision=precision)(*arrays))
    kernel = ap.build(trace, precision=precision, opt="now")
    for figure in range(37):
        found = flat(kernel(*(a[figure] for a in arrays)))
        assert kernel._engine.code(1).loaded is None  # nothing was compiled
        assert all(f.tobytes() == w[figure].tobytes() for f, w in zip(found, wanted, strict=True)), figure


@everywhere
def test_lane_width_and_cutting_change_no_bit(name, precision, monkeypatch):
    """Widths from one lane to twice the host's, and tapes cut into functions of a few operations."""
    trace = tape(name)
    arrays = samples(name, 21, seed=1)
    wanted = bits(ap.build(trace, target="replay", precision=precision)(*arrays))
    wide = llvm.host()[2] // (64 if precision == "float64" else 32)
    monkeypatch.setenv("ANTHROPI_CACHE", "off")
    for limit, lanes in ((4000, 1), (4000, 2 * wide), (5, wide), (5, 1)):
        monkeypatch.setattr(ir, "MAX_FUNCTION_OPERATIONS", limit)
        monkeypatch.setattr(Cpu, "lanes", lanes)
        assert bits(ap.build(trace, precision=precision, opt=0)(*arrays)) == wanted, (limit, lanes)


@pytest.mark.parametrize("name", TAPES)
def test_batch_size_threads_and_tier_change_no_bit(name):
    trace = tape(name)
    kernel = ap.build(trace)
    arrays = samples(name, 1000)
    whole = flat(kernel(*arrays))
    for batch in (1, 2, 7, 8, 9, 63, 64, 65, 500, 999, 1000):
        part = flat(kernel(*(a[:batch] for a in arrays)))
        assert all(p.tobytes() == w[:batch].tobytes() for p, w in zip(part, whole, strict=True)), batch
    for figure in (0, 1, 2, 500):
        one = flat(kernel(*(a[figure] for a in arrays)))
        assert all(p.tobytes() == w[figure].tobytes() for p, w in zip(one, whole, strict=True)), figure
    for threads in (1, 2, 3, 5):
        assert bits(kernel(*arrays, threads=threads)) == bits(whole), threads
    for opt in (0, "tiers", "now"):
        other = ap.build(trace, opt=opt)
        assert bits(other(*arrays)) == bits(whole), opt
        assert bits(other.settle()(*arrays)) == bits(whole), opt


@pytest.mark.parametrize("name", TAPES)
def test_kernel_agrees_with_the_plain_function(name):
    """To rounding: a kernel may fuse a product into a sum, NumPy's elementary functions are not ours."""
    function, _ = TAPES[name]
    arrays = samples(name, 40, seed=2)
    if name == "chance":  # whole numbers on the edge of a rounding: compare where both round alike
        arrays = [np.round(a, 3) + 0.0004 for a in arrays]
    got = flat(ap.build(tape(name))(*arrays))
    for figure in range(40):
        plain = flat(function(*(a[figure] for a in arrays)))
        for g, p in zip(got, plain, strict=True):
            np.testing.assert_allclose(
                g[figure], p.astype(float), rtol=1e-12, atol=1e-12
            )  # loops of 12 contracting passes


def test_every_batch_size_from_1_to_1000_gives_the_same_bits():
    kernel, arrays = ap.build(tape("elementary")), samples("elementary", 1000)
    whole = flat(kernel(*arrays))
    for batch in range(1, 1001):
        part = flat(kernel(*(a[:batch] for a in arrays)))
        assert all(p.tobytes() == w[:batch].tobytes() for p, w in zip(part, whole, strict=True)), batch


def test_a_finished_lane_keeps_its_values_whatever_its_neighbours_do():
    trace = tape("stopping_loop")
    kernel = ap.build(trace)
    slow = [np.full((8, 3), 3.0), np.full((8, 3), 1e6)]
    alone = flat(kernel(np.array([0.1, 0.2, 0.3]), np.array([1.0, 1.1, 0.9])))
    slow[0][3], slow[1][3] = [0.1, 0.2, 0.3], [1.0, 1.1, 0.9]
    together = flat(kernel(*slow))
    assert all(a.tobytes() == t[3].tobytes() for a, t in zip(alone, together, strict=True))


@pytest.mark.slow
def test_ptx_is_written_without_a_toolkit_and_never_contracts():
    from anthropi.compiler.kernel import _meta
    from anthropi.compiler.targets.gpu import ptx_of

    for name, precision in itertools.product(TAPES, PRECISIONS):
        trace = tape(name)
        text, _ = ptx_of(_meta(trace), lambda trace=trace: trace, precision, "sm_90")
        assert ".visible .entry run(" in text
        lines = [line.split()[0] for line in text.splitlines() if line.startswith("\t")]
        kind = "f64" if precision == "float64" else "f32"
        loose = {f"{op}.{kind}" for op in ("add", "sub", "mul")} | {"div.approx.f32", "sqrt.approx.f32", "div.full.f32"}
        assert not loose & set(lines), name  # ptxas may fuse what does not say .rn
        assert not any(".ftz" in line for line in lines), name
