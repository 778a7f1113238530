"""Recording: constant folding, shared nodes, refused operations and their messages."""

import math
import operator

import numpy as np
import pytest

import anthropi as ap
from anthropi import scalar as s
from anthropi.errors import TraceError
from anthropi.tape import functions


def operations(function, **inputs):
    """How many operations a function of scalars leaves on the tape."""
    return ap.record(function, **(inputs or {"x": np.zeros(()), "y": np.zeros(())})).operations


@pytest.mark.parametrize(
    ("function", "count"),
    [
        (lambda x, y: x + 0.0, 0),
        (lambda x, y: x * 1.0, 0),
        (lambda x, y: x * 0.0, 0),
        (lambda x, y: x * -1.0, 0),
        (lambda x, y: x - x, 0),
        (lambda x, y: x / 1.0, 0),
        (lambda x, y: 0.0 / x, 0),
        (lambda x, y: -1.0 * (-x), 0),
        (lambda x, y: x + (-y), 1),
        (lambda x, y: x - (-y), 1),
        (lambda x, y: (-x) * (-y), 1),
        (lambda x, y: -(x - y) + (x - y), 0),
        (lambda x, y: x * y + y * x, 2),  # one product, added to itself
        (lambda x, y: (x - y) + (y - x), 0),  # a difference and its opposite are one node
        (lambda x, y: (x + y) - (y + x), 0),
        (lambda x, y: s.fma(x, 1.0, y), 1),
        (lambda x, y: s.fma(x, y, 0.0), 1),
        (lambda x, y: s.fma(x, 0.0, y), 0),
        (lambda x, y: s.where(True, x, y), 0),
        (lambda x, y: s.where(s.less(x, y), x, x), 0),
        (lambda x, y: s.where(~s.less(x, y), x, y), 2),
        (lambda x, y: abs(-x), 1),
        (lambda x, y: x**4, 2),
        (lambda x, y: s.sin(0.5) * 2.0, 0),
    ],
)
def test_known_things_fold(function, count):
    assert operations(function) == count


def test_constants_are_distinguished_by_their_bits():
    tape = ap.record(lambda x: np.stack([s.maximum(x, 0.0), s.maximum(x, -0.0)]), x=np.zeros(()))
    assert tape.operations == 2


def test_division_by_a_power_of_two_is_a_product():
    assert ap.record(lambda x: x / 8.0, x=np.zeros(())).counts() == {"mul": 1}
    assert ap.record(lambda x: x / 3.0, x=np.zeros(())).counts() == {"div": 1}


def test_what_is_not_needed_is_not_kept():
    def function(x):
        s.exp(x) * s.sin(x)
        return x[0] + 1.0

    assert ap.record(function, x=np.zeros(3)).operations == 1


def test_arrays_are_traced_and_all_else_is_static():
    tape = ap.record(lambda x, n, name: x * n if name == "double" else x, x=np.zeros((2, 2)), n=2.0, name="double")
    assert [t.name for t in tape.inputs] == ["x"]
    assert tape.outputs[0].shape == (2, 2)


def test_listing_is_readable():
    tape = ap.record(lambda x: {"dot": x @ x, "big": s.where(s.less(x[0], 1.0), 2.0, x[1])}, x=np.zeros(2))
    assert tape.listing() == "\n".join([
        "(x[2]) → (dot[], big[])   # 5 operations",
        "%2 = mul x[0] x[0]",
        "%3 = mul x[1] x[1]",
        "%4 = add %2 %3",
        "%6 = lt x[0] 1.0",
        "%8 = select %6 2.0 x[1]",
        "dot = %4",
        "big = %8",
    ])  # fmt: skip


def test_numpy_operations_record_as_they_are():
    def function(a, b):
        return np.cross(a, b), np.outer(a, b), a @ b, np.concatenate([a, b]).reshape(2, 3).swapaxes(0, 1), (a * b).sum()

    tape = ap.record(function, a=np.zeros(3), b=np.zeros(3))
    values = np.random.default_rng(0).normal(size=6)
    got = ap.build(tape, target="replay")(values[:3], values[3:])
    for g, w in zip(got, function(values[:3], values[3:]), strict=True):
        np.testing.assert_allclose(g, w, rtol=1e-15, atol=1e-15)


def refused(function, *words, error=TraceError):
    """The function does not record, and the message holds these words."""
    with pytest.raises(error) as caught:
        ap.record(function, x=np.zeros(3))
    for word in words:
        assert word in str(caught.value)


def test_branching_on_the_state_names_the_remedy():
    refused(lambda x: x[0] if x[0] > 0.0 else x[1], "truth", "anthropi.scalar.where")
    refused(lambda x: np.where(x > 0.0, x, 0.0), "anthropi.scalar.where", "anthropi.scalar.less")
    refused(lambda x: max(x[0], x[1]), "anthropi.scalar.where")


def test_assigning_into_a_float_array_names_the_remedy():
    def function(x):
        result = np.zeros(3)
        result[0] = x[0]
        return result

    refused(function, "float value", "np.stack", "do not assign into a float array")


def test_float_int_and_index_name_the_remedy():
    refused(lambda x: math.sin(x[0]), "float value")
    refused(lambda x: int(x[0]), "int value", "floor", "gather")
    refused(lambda x: [1, 2, 3][x[0]], "index value", "anthropi.scalar.gather")
    refused(lambda x: {x[0]: 1}, "unhashable", error=TypeError)


UFUNCS = {np.sin: "sin", np.sqrt: "sqrt", np.arcsin: "asin", np.rint: "nearest", np.exp: "exp", np.arctan2: "atan2"}


@pytest.mark.parametrize(("ufunc", "ours"), UFUNCS.items())
def test_numpy_functions_name_ours(ufunc, ours):
    refused(lambda x: ufunc(x, x) if ours == "atan2" else ufunc(x), f"anthropi.scalar.{ours}")


def test_odd_powers_and_results_name_the_remedy():
    refused(lambda x: x[0] ** 1.5, "only whole powers", "exp(n*log(x))")
    refused(lambda x: s.less(x[0], 1.0), "is a mask", "where(mask, 1.0, 0.0)")
    refused(lambda x: "text", "not a number")
    refused(lambda x: s.gather(np.array([]), x[0]), "empty table")


def test_a_scalar_kept_from_another_recording_is_refused():
    kept = []
    ap.record(lambda x: kept.append(x[0]) or x, x=np.zeros(3))
    refused(lambda x: x + kept[0], "another recording")


def test_masks_refuse_arithmetic():
    with pytest.raises(TypeError):
        ap.record(lambda x: s.less(x[0], 1.0) + 1.0, x=np.zeros(1))


def test_nested_results_come_back_as_they_were():
    def function(x):
        return {"a": (x[0], [x, 2.0 * x]), "b": None}

    result = ap.build(ap.record(function, x=np.zeros(2)), target="replay")(np.array([1.0, 2.0]))
    assert result["b"] is None
    assert result["a"][0] == 1.0
    assert np.array_equal(result["a"][1][1], [2.0, 4.0])


OPERATORS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}


@pytest.mark.parametrize("op", OPERATORS)
def test_operators_and_the_general_way_give_one_node(op):
    """Operators handle frequent cases themselves, and must find and make the nodes of the general functions."""
    general = functions.FUNCTIONS[op]

    def same(x, y):
        made = OPERATORS[op](x, y)
        assert type(made) is type(general(x, y))
        assert made == 0.0 if isinstance(made, float) else made.index == general(x, y).index
        return made

    def both(x, y):
        pairs = [(x, y), (y, x), (x, x), (-x, y), (x, -y), (-x, -y)]
        pairs += [(x, c) for c in (0.0, 1.0, -1.0, 2.5, 3, np.float64(0.5))] + [(c, x) for c in (0.0, 1.0, -2.5, 3)]
        found = np.array([same(*pair) for pair in pairs])
        assert x.tape.emit(op, (x, y)).index == OPERATORS[op](x, y).index

        def inner(z):
            return sum(same(*pair) for pair in [(z, x), (y, z), (z, z), (-z, x), (z, -x), (z, 0.0), (0.0, z)])

        return found, ap.repeat(inner, x, 3)

    ap.record(both, x=np.zeros(()), y=np.zeros(()))
