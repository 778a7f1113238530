"""Corner cases of recording: names, orders, nesting, signs of zero, masks."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import scalar as s
from anthropi.errors import ShapeError, TraceError
from anthropi.tape import derivative_rule

ONE = {"x": np.zeros(())}


def value(function, *numbers, **inputs):
    """What a recorded function gives, compiled."""
    return ap.build(ap.record(function, **(inputs or ONE)))(*numbers)


def test_the_order_of_a_carrys_keys_does_not_matter():
    def body(c):
        return {"b": c["b"] + 1.0, "a": c["a"] * 2.0}

    assert ap.repeat(body, {"a": 1.0, "b": 0.0}, 3) == {"a": 8.0, "b": 3.0}
    result = value(lambda x: ap.repeat(body, {"a": x, "b": 0.0 * x}, 3), 1.0)
    assert (result["a"], result["b"]) == (8.0, 3.0)
    with pytest.raises(TraceError, match="carry like the one it gets"):
        ap.repeat(lambda c: {"p": c["a"], "q": c["b"]}, {"a": 1.0, "b": 0.0}, 3)


def nested(x):
    """An inner loop that starts from the outermost value and captures the outer carry; three deep."""

    def outer(c):
        return ap.repeat(lambda d: 0.5 * d + c, x, 4)

    def deeper(c):
        return ap.repeat(lambda d: ap.repeat(lambda e: 0.5 * e + d * c, x, 2), x, 2)

    return ap.repeat(outer, x, 3) + ap.repeat(deeper, x, 2)


def test_a_loop_in_a_loop_may_start_from_outside():
    np.testing.assert_allclose(value(nested, 0.3), nested(0.3), rtol=1e-15)
    slope = ap.build(ap.record(nested, **ONE).jvp())(0.3, 1.0)[1]
    np.testing.assert_allclose(slope, (nested(0.3 + 1e-6) - nested(0.3 - 1e-6)) / 2e-6, rtol=1e-8)
    assert slope == pytest.approx(ap.build(ap.record(nested, **ONE).vjp())(0.3, 1.0)[1]["x"], rel=1e-14)


def test_derivatives_of_derivatives_have_names_of_their_own():
    twice = ap.record(lambda x: x * x * x, **ONE).jvp().jvp()
    assert [t.name for t in twice.inputs] == ["x", "d_x", "d2_x", "d_d_x"]
    (y, dy), (_, ddy) = ap.build(twice)(2.0, 1.0, 1.0, 0.0)
    assert (y, dy, ddy) == (8.0, 12.0, 12.0)
    with pytest.raises(TraceError, match=r"Two outputs are called 'a\.b'"):
        ap.record(lambda x: {"a.b": x, "a": {"b": x}}, **ONE)
    with pytest.raises(TraceError, match="cannot be called 'threads'"):
        ap.record(lambda threads: threads, threads=np.zeros(2))


def test_tables_and_rows_differ_by_the_sign_of_zero():
    plus, minus = np.array([0.0, 1.0]), np.array([-0.0, 1.0])
    tables = value(lambda x: np.stack([1.0 / s.gather(plus, x), 1.0 / s.gather(minus, x)]), 0.0)
    assert tables.tolist() == [np.inf, -np.inf]

    def rows(x):
        return [1.0 / ap.repeat(lambda c, r: c * 0.0 + r, x, 1, rows=np.array([zero])) for zero in (0.0, -0.0)]

    assert value(rows, 1.0) == [np.inf, -np.inf]


def test_until_takes_one_truth_in_any_dress():
    def passes(until):
        return value(lambda x: ap.repeat(lambda c: c + 1.0, x, 5, until=until), 0.0)

    assert passes(lambda c: s.less(0.0, 1.0)) == 0.0  # known: True
    assert passes(lambda c: s.less(2.0, np.stack([c]))) == 3.0  # an array of one mask
    for wrong in (lambda c: np.stack([s.less(2.0, c), s.less(3.0, c)]), lambda c: c):
        with pytest.raises(TraceError, match="until must return one mask"):
            passes(wrong)


def test_masks_stay_masks():
    for wrong in (lambda x: (x > 0.0) * x, lambda x: x + (x > 0.0), lambda x: s.sin(x > 0.0)):
        with pytest.raises((TraceError, TypeError)):
            ap.record(wrong, **ONE)
    with pytest.raises(TraceError, match="returns a mask"):
        ap.record(lambda x: ap.repeat(lambda c: c > 0.0, x, 2), **ONE)
    with pytest.raises(TraceError, match="contains a mask"):
        ap.record(lambda x: ap.repeat(lambda c: c, (x, x > 0.0), 2), **ONE)
    with pytest.raises(TraceError, match="Combine masks"):
        ap.record(lambda x: s.where((x > 0.0) == (x < 1.0), 1.0, 0.0), **ONE)


@pytest.mark.parametrize("counts", [{"times": 3, "every": -1}, {"times": 3, "every": 2.5}, {"times": float("nan")}])
def test_counts_that_are_none_are_refused(counts):
    for start in (0.5, None):
        with pytest.raises(TraceError, match="whole number of passes"):
            run = lambda x: ap.repeat(lambda c: c * 2.0, x, **counts)  # noqa: E731
            run(start) if start else ap.record(run, **ONE)


def test_no_passes_over_no_rows():
    assert np.array_equal(ap.repeat(lambda c, r: c, np.ones(2), 0, rows=np.zeros((0, 3))), np.ones(2))
    assert ap.repeat(lambda c: c + 1.0, 0.0, 5.0) == 5.0


def test_errors_of_powers_name_the_remedy():
    for wrong in (lambda x: 2.0**x, lambda x: x**x, lambda x: x ** float("inf")):
        with pytest.raises(TraceError, match=r"exp\(n\*log\(x\)\)"):
            ap.record(wrong, **ONE)


def test_lists_are_taken_and_given_back():
    assert value(lambda x: s.sin([x, 2.0 * x]).tolist(), 0.0) == [0.0, 0.0]
    for wrong, words in ((lambda x: x // 2.0, "floor"), (lambda x: x % 2.0, "floor"), (round, "nearest")):
        with pytest.raises(TraceError, match=words):
            ap.record(lambda x, wrong=wrong: wrong(x), **ONE)
    with pytest.raises(ShapeError, match="Call it once for each row"):
        ap.record(lambda x: s.gather(np.eye(3), x), **ONE)


def test_a_class_inside_a_function_is_refused_while_recording():
    from typing import NamedTuple

    class Local(NamedTuple):
        a: object

    with pytest.raises(TraceError, match="defined inside a function"):
        ap.record(lambda x: Local(x), **ONE)


def test_keys_of_results_are_words():
    with pytest.raises(TraceError, match="keys must be strings"):
        ap.record(lambda x: {1: x}, **ONE)


def test_rules_in_corners():
    double = derivative_rule(lambda i, o, t: 2.0 * t[0], lambda i, o, c: (2.0 * c,))
    same = double(lambda x: x)  # its output is its input: the chain rule serves
    assert value(lambda x: 5.0 * x + same(x), 1.0) == 6.0
    for sweep in ("jvp", "vjp"):
        slope = ap.build(getattr(ap.record(lambda x: 5.0 * x + same(x), **ONE), sweep)())(1.0, 1.0)[1]
        assert (slope["x"] if isinstance(slope, dict) else slope) == 6.0
    axpy = derivative_rule(lambda i, o, t: i[0] * t[1] + t[0] * i[1] + t[2], lambda i, o, c: (i[1] * c, i[0] * c, c))(
        lambda k, c, y: k * c + y
    )
    inside = ap.record(lambda x: ap.repeat(lambda c: axpy(0.0, c, x) + c, x, 3), **ONE)
    assert ap.build(inside.jvp())(1.0, 1.0) == (4.0, 4.0)
    square = double(lambda x: x * x)
    loops = ap.record(lambda x: ap.repeat(lambda c: c * c, x, 2) + ap.repeat(lambda c: square(c), x, 2), **ONE)
    assert ap.build(loops.jvp())(1.0, 1.0)[1] == 8.0  # 4 by the chain rule, 2 · 2 by the rule
