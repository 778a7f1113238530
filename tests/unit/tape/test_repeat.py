"""The loop `repeat`: a Python loop on floats, one node on the tape."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import scalar as s
from anthropi.errors import TraceError
from anthropi.tape import inline


def test_a_loop_is_one_node_and_its_body_counts_once():
    tape = ap.record(lambda x: ap.repeat(lambda c: s.sin(c) * 0.5, x, 100), x=np.zeros(3))
    assert tape.op.count("repeat") == 1
    assert tape.operations == 6
    assert sum(tape.counts(passes=True).values()) == 600


def test_what_does_not_change_moves_out():
    def function(x, y):
        return ap.repeat(lambda c: c * s.exp(y) + s.sin(y) / 3.0, x, 10)

    tape = ap.record(function, x=np.zeros(()), y=np.zeros(()))
    body = next(d for o, d in zip(tape.op, tape.data, strict=True) if o == "repeat").body
    assert body.counts() == {"mul": 1, "add": 1}


def test_on_floats_it_is_a_python_loop():
    passes = []

    def body(c):
        passes.append(c)
        return c + 1.0

    assert ap.repeat(body, 0.0, 5) == 5.0
    assert len(passes) == 5


def test_until_is_evaluated_before_each_pass():
    assert ap.repeat(lambda c: c * 2.0, 1.0, 100, until=lambda c: c > 50.0) == 64.0
    assert ap.repeat(lambda c: c * 2.0, 60.0, 100, until=lambda c: c > 50.0) == 60.0
    tape = ap.record(lambda x: ap.repeat(lambda c: c * 2.0, x, 100, until=lambda c: c > 50.0), x=np.zeros(()))
    assert inline(tape, [1.0]) == [64.0]
    assert inline(tape, [60.0]) == [60.0]


def test_rows_and_records():
    last, seen = ap.repeat(lambda c, row: c + row, 0.0, 6, rows=np.arange(6.0), every=2)
    assert last == 15.0
    assert np.array_equal(seen, [1.0, 6.0, 15.0])


def test_a_loop_turns_recorded_when_its_body_meets_a_scalar():
    """A float carry with a captured scalar: the loop must not unroll."""
    tape = ap.record(lambda x: ap.repeat(lambda c: c * 0.5 + x, 0.0, 50), x=np.zeros(()))
    assert tape.op.count("repeat") == 1
    assert tape.operations == 2


def test_zero_passes_return_the_carry():
    tape = ap.record(lambda x: ap.repeat(lambda c: c * 2.0, x, 0), x=np.zeros(2))
    assert inline(tape, [1.0, 2.0]) == [1.0, 2.0]
    assert np.array_equal(ap.build(tape)(np.array([1.0, 2.0])), [1.0, 2.0])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: ap.repeat(lambda c: c[:2], x, 3), ("carry like the one it gets", "(2,)", "(3,)")),
        (lambda x: ap.repeat(lambda c: c, x, 2.5), ("whole number of passes", "2.5")),
        (lambda x: ap.repeat(lambda c: c, x, -1), ("whole number of passes",)),
        (lambda x: ap.repeat(lambda c, row: c, x, 3, rows=np.zeros(2)), ("row", "3 times", "(2,)")),
    ],
)
def test_errors_of_loops_name_the_remedy(call, words):
    for run in (lambda: ap.record(call, x=np.zeros(3)), lambda: call(np.zeros(3))):
        with pytest.raises(TraceError) as caught:
            run()
        assert all(w in str(caught.value) for w in words)
