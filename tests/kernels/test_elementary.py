"""Elementary functions after lowering: special values, symmetries, accuracy on a small sample, operation counts.

`benchmarks/accuracy_elementary.py` measures on ten times as many points; its functions are used here too.
"""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest
from mpmath import mp, mpf

from anthropi.compiler.elementary import constants_for, halves
from anthropi.compiler.lower import lower
from anthropi.compiler.targets.replay import replay
from anthropi.tape import record
from anthropi.tape.functions import FUNCTIONS

_file = Path(__file__).resolve().parents[2] / "benchmarks" / "accuracy_elementary.py"
_spec = importlib.util.spec_from_file_location("accuracy_elementary", _file)
accuracy = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(accuracy)

PRECISIONS = ("float64", "float32")
COST = {  # lowered operations in float64, float32; they run on every lane, so a change here is a decision
    "sin": (42, 39), "cos": (42, 39), "sin and cos": (44, 41), "tan": (40, 37), "asin": (33, 26), "acos": (38, 31),
    "atan2": (41, 30), "exp": (29, 24), "log": (33, 31),
}  # fmt: skip
COST_WITHOUT_FMA = {
    "sin": (72, 69), "cos": (72, 69), "sin and cos": (74, 71), "tan": (70, 67), "asin": (63, 49), "acos": (68, 54),
    "atan2": (62, 40), "exp": (41, 31), "log": (43, 42),
}  # fmt: skip


MODE = {"fused": True}


@pytest.fixture(autouse=True, params=[True, False], ids=["fma", "without fma"])
def both_lowerings(request, monkeypatch):
    """Run every test of values for targets with fma and for those without (WebAssembly)."""
    monkeypatch.setitem(MODE, "fused", request.param)


def values(name, precision, *arguments):
    """The function of these numbers, by replay."""
    arguments = np.array(arguments, precision)
    return replay(lower(accuracy.recorded(name), precision, MODE["fused"]), arguments, precision)[0]


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("name", accuracy.BOUNDS)
@pytest.mark.parametrize("both_lowerings", [True], indirect=True, ids=["both"])  # the true values take most of the time
def test_accuracy(name, precision, monkeypatch):
    arguments = accuracy.points(name, np.dtype(precision).type, 5_000)
    true = accuracy.exact(name, arguments)
    monkeypatch.setattr(accuracy, "exact", lambda *_: true)
    for MODE["fused"] in (True, False):
        wrong = accuracy.errors(name, arguments, values(name, precision, *arguments))
        assert wrong.max() <= accuracy.BOUNDS[name], MODE  # ulp, the bounds of the foundations


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("name", ["sin", "cos", "tan", "asin", "acos", "exp", "log"])
def test_nan_and_infinities(name, precision):
    with np.errstate(all="ignore"):
        wanted = accuracy.NUMPY.get(name, getattr(np, name, None))(np.array([np.nan, np.inf, -np.inf]))
    np.testing.assert_array_equal(values(name, precision, [np.nan, np.inf, -np.inf]), wanted.astype(precision))


@pytest.mark.parametrize("precision", PRECISIONS)
def test_exact_places(precision):
    assert values("sin", precision, [0.0]) == 0.0 and values("cos", precision, [0.0]) == 1.0
    assert values("exp", precision, [0.0]) == 1.0 and values("log", precision, [1.0]) == 0.0
    assert values("acos", precision, [1.0]) == 0.0
    pi = np.dtype(precision).type(math.pi)
    np.testing.assert_array_equal(values("asin", precision, [1.0, -1.0]), [pi / 2, -pi / 2])
    np.testing.assert_array_equal(values("acos", precision, [-1.0, 0.0]), [pi, pi / 2])
    assert np.signbit(values("asin", precision, [-0.0]))[0]


@pytest.mark.parametrize("precision", PRECISIONS)
def test_atan2_knows_every_quadrant_and_sign_of_zero(precision):
    some = np.array([0.0, -0.0, 1.0, -1.0, 2.5, -2.5, np.finfo(precision).tiny, np.finfo(precision).max])
    y, x = (a.ravel() for a in np.meshgrid(some, some))
    got, wanted = values("atan2", precision, y, x), np.array([math.atan2(b, a) for b, a in zip(y, x, strict=True)])
    np.testing.assert_array_equal(np.signbit(got), np.signbit(wanted))
    place = np.spacing(np.abs(wanted).astype(precision)).astype(float)
    assert np.all(np.abs(got - wanted) <= 2 * place)  # the bound of the accuracy claim


@pytest.mark.parametrize("precision", PRECISIONS)
def test_atan2_of_nan(precision):
    assert np.isnan(values("atan2", precision, [np.nan, 1.0, np.nan, 0.0], [1.0, np.nan, np.nan, np.nan])).all()


@pytest.mark.parametrize("precision", PRECISIONS)
def test_exp_and_log_reach_the_ends_of_the_range(precision):
    info = np.finfo(precision)
    top = math.log(float(info.max))
    assert np.isinf(values("exp", precision, [top + 0.01])) and np.isfinite(values("exp", precision, [top - 0.01]))
    smallest = float(info.smallest_subnormal)
    assert values("exp", precision, [math.log(smallest)]) == smallest
    assert values("exp", precision, [math.log(smallest) - 1]) == 0.0
    np.testing.assert_array_equal(values("log", precision, [0.0, -0.0, -1.0]), [-np.inf, -np.inf, np.nan])
    np.testing.assert_allclose(values("log", precision, [smallest, info.max]), np.log([smallest, float(info.max)]),
                               rtol=float(info.eps))  # fmt: skip


@pytest.mark.parametrize("precision", PRECISIONS)
def test_asin_and_acos_beyond_one(precision):
    above = np.nextafter(np.dtype(precision).type(1), np.dtype(precision).type(2))
    for name in ("asin", "acos"):
        assert np.isnan(values(name, precision, [above, -above, 2.0, -1e30])).all()


@pytest.mark.parametrize("precision", PRECISIONS)
def test_huge_angles_stay_bounded(precision):
    x = np.logspace(4, 300 if precision == "float64" else 38, 2000)
    x = np.concatenate([x, -x])
    s, c = values("sin", precision, x), values("cos", precision, x)
    assert np.all(np.abs(s) <= 1) and np.all(np.abs(c) <= 1)
    # up to MAX_ANGLE k is off by at most 0.08 of a quarter turn, where the polynomials still hold to a few ulp
    np.testing.assert_allclose(s.astype(float) ** 2 + c.astype(float) ** 2, 1, atol=8 * np.finfo(precision).eps)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_odd_and_even(precision):
    x = np.random.default_rng(0).uniform(0, 1, 300)
    for name, sign in (("sin", -1), ("tan", -1), ("asin", -1), ("cos", 1)):
        np.testing.assert_array_equal(values(name, precision, -x), sign * values(name, precision, x))


def test_what_they_cost():
    tapes = {name: accuracy.recorded(name) for name in accuracy.BOUNDS}
    tapes["sin and cos"] = record(lambda x: (FUNCTIONS["sin"](x), FUNCTIONS["cos"](x)), x=np.zeros(()))
    fused, wanted = MODE["fused"], COST if MODE["fused"] else COST_WITHOUT_FMA
    assert {name: tuple(lower(tape, p, fused).operations for p in PRECISIONS) for name, tape in tapes.items()} == wanted


def flat(constants):
    for value in constants:
        yield from value if isinstance(value, tuple) else (value,)


def test_float32_constants_are_float32():
    constants = constants_for("float32", MODE["fused"])
    assert all(float(np.float32(x)) == x for x in flat(constants))


@pytest.mark.parametrize("precision", PRECISIONS)
def test_splits_add_up(precision):
    C, bits = constants_for(precision, MODE["fused"]), 53 if precision == "float64" else 24
    covered = bits + (33 if C.SHORT_SECOND else bits) + bits
    with mp.workprec(300):
        assert abs(sum(map(mpf, C.HALF_PI)) - mp.pi / 2) < mpf(2) ** (1 - covered)
        short = 53 - 32 if precision == "float64" else 24 - 15  # digits that the first part leaves out without fma
        assert abs(sum(map(mpf, C.LN2)) - mp.log(2)) < mpf(2) ** (-2 * bits + (0 if MODE["fused"] else short))
    if not MODE["fused"]:  # k LN2₁ fits a float for every exponent k
        highest = 1075 if precision == "float64" else 150
        assert math.ldexp(C.LN2[0], bits - math.frexp(highest * C.LN2[0])[1]).is_integer()
    if C.SHORT_SECOND:  # 33 bits: k P₂ fits a float64 for whole k < 2²⁰
        assert math.ldexp(math.frexp(C.HALF_PI[1])[0], 33).is_integer()


@pytest.mark.parametrize("precision", PRECISIONS)
def test_constants_split_into_halves_of_their_digits(precision):
    C, digits = constants_for(precision, False), 26 if precision == "float64" else 12
    for x in (*C.HALF_PI, C.LN2[0], 1.0, 3.0):
        high, low = halves(x, C)
        assert high + low == x
        for part in (high, low):
            assert math.ldexp(math.frexp(part)[0], digits).is_integer()
