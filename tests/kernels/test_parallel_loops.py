"""Loops with independent passes run their passes in SIMD lanes (their bits: test_kernel.py)."""

import numpy as np

import anthropi as ap
from anthropi.compiler.lower import lower
from anthropi.compiler.targets.machine import Machine
from anthropi.compiler.targets.modules import cpu_module
from anthropi.compiler.targets.parallel_loops import is_parallel
from kernels.tapes import PAIR, long_carry


def loops(function):
    """The loops of a function of x (4,) and y (3,)."""
    tape = ap.record(function, x=np.zeros(4), y=np.zeros(3))
    return tape, [tape.data[i] for i, op in enumerate(tape.op) if op == "repeat"]


def rows_of(x, y, body, every=1, until=None):
    return ap.repeat(body, np.zeros(2), 4, rows=np.stack([x, x * x, x * y[0], x]).T, every=every, until=until)


def test_only_loops_without_carry_are_parallel():
    free = lambda _, row: np.stack([row[0] * row[1], row[2] + row[3]])  # noqa: E731
    carried = lambda c, row: np.stack([row[0] * row[1], c[0] + row[3]])  # noqa: E731
    nested = lambda _, row: ap.repeat(lambda c: c * row[0], row[:2], 3)  # noqa: E731
    cases = [
        (lambda x, y: rows_of(x, y, free), True),
        (lambda x, y: rows_of(x, y, carried), False),
        (lambda x, y: rows_of(x, y, nested), False),
        (lambda x, y: rows_of(x, y, free, every=2), False),
        (lambda x, y: rows_of(x, y, free, every=0), False),
        (lambda x, y: rows_of(x, y, free, until=lambda c: c[0] > 1e9), False),
    ]
    for function, wanted in cases:
        _, found = loops(function)
        assert [is_parallel(Machine("float64", 1), data) for data in found] == [wanted]
        assert not any(is_parallel(Machine("float64", 1, gpu=True), data) for data in found)


def test_passes_of_a_single_figure_run_in_lanes():
    tape, _ = loops(lambda x, y: rows_of(x, y, lambda _, row: np.stack([row[0] * row[1], row[2] - row[3]])))
    alone, together = (cpu_module(tape, Machine("float64", lanes))[0] for lanes in (1, 8))
    assert "fmul <4 x double>" in alone
    assert "fmul <8 x double>" in together and "<4 x double>" not in together


def test_the_carry_of_a_long_loop_is_copied_by_loops():
    """Thousands of values that were loaded before the first was stored took most of the time to compile."""
    text = cpu_module(lower(ap.record(long_carry, **PAIR), "float64"), Machine("float64", 1))[0]
    (caller,) = [f for f in text.split("define ") if "call void @part_1_loop" in f]
    assert caller.count("= load ") < 3 * 87, "over 300 before: the carry has 87 values"
