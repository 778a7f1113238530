"""Register spilling changes no bit. On the CPU, values are spilled to tmp."""

import functools
import itertools

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.compiler.kernel import _meta
from anthropi.compiler.lower import lower
from anthropi.compiler.targets import cpu, ir
from anthropi.compiler.targets.gpu import REGISTER_BUDGET, ptx_of
from anthropi.compiler.targets.machine import Machine
from kernels.tapes import TAPES, bits, samples, tape

PRECISIONS = ("float64", "float32")


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("ANTHROPI_CACHE", "off")


def limit_registers(monkeypatch, budget: int, limit: int = 4000) -> None:
    """Limit CPU kernels to `budget` values in registers."""
    monkeypatch.setattr(cpu, "Machine", functools.partial(Machine, register_budget=budget))
    monkeypatch.setattr(ir, "MAX_FUNCTION_OPERATIONS", limit)


@pytest.fixture(scope="module")
def dynamics():
    figure = ap.sample("bench42")
    sizes = {"q": figure.nq, "u": figure.nu, "tau": figure.nu}
    return ap.record(lambda **s: direct_dynamics(figure, **s), **{n: np.zeros(k) for n, k in sizes.items()})


@pytest.mark.parametrize(("name", "precision"), list(itertools.product(TAPES, PRECISIONS)))
def test_any_register_budget_gives_the_same_bits(name, precision, monkeypatch):
    trace, arrays = tape(name), samples(name, 21, seed=3)
    wanted = bits(ap.build(trace, target="replay", precision=precision)(*arrays))
    for budget, limit in ((1, 4000), (4, 4000), (11, 4000), (3, 5), (5, 40)):
        limit_registers(monkeypatch, budget, limit)
        assert bits(ap.build(trace, precision=precision, opt=0)(*arrays)) == wanted, (budget, limit)


def test_a_long_kernel_with_few_registers_gives_the_same_bits(dynamics, monkeypatch):
    figure, rng = ap.sample("bench42"), np.random.default_rng(4)
    state = [np.stack([figure.random(rng) for _ in range(9)]), *rng.normal(size=(2, 9, figure.nu))]
    wanted = bits(ap.build(dynamics, opt=0)(*state))
    for budget, limit in ((REGISTER_BUDGET["float64"], 4000), (20, 700)):
        limit_registers(monkeypatch, budget, limit)
        assert bits(ap.build(dynamics, opt=0)(*state)) == wanted, budget


def test_a_small_register_budget_limits_live_values(dynamics):
    """At no line are more values live than the register budget allows."""
    program = ir.Body(lower(dynamics), Machine("float64", register_budget=40))
    lines = [line.split(" = ", 1) for line in program.text[-1].splitlines() if line.startswith("  ")]
    made, last = {}, {}
    for k, line in enumerate(lines):
        for word in line[-1].replace(",", " ").replace(")", " ").split():
            if word.startswith("%v") and word in made:
                last[word] = k
        if len(line) == 2 and not line[1].startswith("getelementptr"):
            made[line[0].strip()] = k
    alive = np.zeros(len(lines) + 1, int)
    for name, k in last.items():
        alive[made[name]] += 1
        alive[k] -= 1
    assert 40 <= alive.cumsum().max() <= 40 + 10  # and what one operation and its operands found anew take


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_gpu_kernel_spills_to_shared_memory_of_one_warp(dynamics, precision):
    text, needs = ptx_of(_meta(dynamics), lambda: dynamics, precision, "sm_90")
    spilled = next(line for line in text.splitlines() if ".shared" in line and "spilled" in line)
    size = int(spilled.split("[")[1].split("]")[0])
    assert needs == {"scratch": 0, "threads": 32, "registers": 0}
    assert 0 < size <= 37 * 1024  # six warps to a processor of 228 KiB
    assert text.count("prefetch.global.L2") == -(-139 * 32 * int(precision[-2:]) // 8 // 4096)  # all inputs, once
    small, needs = ptx_of(_meta(tape("arithmetic")), lambda: tape("arithmetic"), precision, "sm_90")
    assert "spilled" not in small and needs["threads"] == 128
