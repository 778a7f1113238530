"""Programs of the interpreter: one instruction per value, products fused as in compiled code."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import scalar as s
from anthropi.compiler.lower import lower
from anthropi.compiler.targets.interpreter import CODES
from anthropi.compiler.targets.program import Program
from anthropi.errors import BuildError


def names(tape) -> list[str]:
    """What the instructions of a tape do, in order."""
    words = {code: name for name, code in CODES.items()}
    return [words[row[0]] for row in Program(tape, "float64").code]


def test_a_product_is_absorbed_by_the_sum_that_alone_reads_it():
    """Of two, the one recorded first; a product that is a result stays."""
    given = {"x": np.zeros(4)}
    plain = [
        n for n in names(ap.record(lambda x: x[0] * x[1] + x[2], **given)) if n not in ("in", "out", "move", "end")
    ]
    assert plain == ["fma"]
    assert "fms" in names(ap.record(lambda x: x[0] * x[1] - x[2], **given))
    assert "fnma" in names(ap.record(lambda x: x[2] - x[0] * x[1], **given))
    both = names(ap.record(lambda x: x[0] * x[1] + x[2] * x[3], **given))
    assert both.count("mul") == 1 and both.count("fma") == 1
    kept = names(ap.record(lambda x: np.array([x[0] * x[1] + x[2], x[0] * x[1]]), **given))
    assert "add" in kept and "fma" not in kept


def test_a_loop_that_stops_records_what_it_stopped_at():
    """As on floats."""

    def run(x):
        return ap.repeat(lambda c: c * 1.5, x, 9, until=lambda c: s.less(10.0, c), every=2)

    kernel = ap.build(ap.record(run, x=np.zeros(())), opt="now")
    for x in (1.0, 3.0, 11.0):
        assert [np.array(a).tolist() for a in kernel(x)] == [np.array(a).tolist() for a in run(x)]


def test_a_batch_and_bound_calls_are_compiled():
    """The interpreter takes one figure after the other: for many there is better code."""
    tape = ap.record(lambda x: s.sin(x) * 2.0, x=np.zeros(3))
    kernel, x = ap.build(tape, opt="now"), np.arange(30.0).reshape(10, 3)
    one = kernel(x[4])
    assert kernel._engine.code(1).loaded is None
    assert (kernel(x)[4] == one).all()
    buffers = kernel.buffers(1)
    buffers.write(x=x[4:5])
    kernel.bind(buffers)()
    assert (buffers.read(tape.outputs[0].name)[0] == one).all()


def test_a_lowered_tape_is_refused():
    with pytest.raises(BuildError, match="'pow2' is for lowered tapes"):
        Program(lower(ap.record(lambda x: s.exp(x), x=np.zeros(()))), "float64")
