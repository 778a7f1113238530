"""α … ζ and their factors: at most 5 ulp everywhere, on floats and in kernels of both precisions; and derivatives."""

import math

import mpmath as mp
import numpy as np
import pytest

import anthropi.algebra.rotation as R  # noqa: N812
from anthropi.compiler import build
from anthropi.tape import pull, push, record
from unit.rotation.reference import COEFFICIENTS, LIMITS, coefficient

PI = math.pi
ZERO = 4.493409457909064  # of d_alpha
NAMES = ("alpha", "beta", "gamma", "delta", "zeta")


def angles():
    """Angles over the whole range, thick around every seam and around the zero of d_alpha."""
    rng = np.random.default_rng(7)
    seams = [t + rng.uniform(-1e-3, 1e-3, 12) for t in (1.6, 2.0, 3.2, 4.1, 4.2, 4.4, 4.9, PI, PI / 3, 5 * PI / 3)]
    return np.concatenate([
        10.0 ** rng.uniform(-12, 0, 120), rng.uniform(0.0, 2 * PI - 1e-3, 250), *seams, [ZERO, 2 * PI - 1e-3],
        ZERO + 10.0 ** rng.uniform(-16, -1, 40) * rng.choice([-1, 1], 40), 2 * PI - 10.0 ** rng.uniform(-3, -1, 60),
    ])  # fmt: skip


def ulps(name, at, values):
    """The largest error in units of the last place of the values' precision."""
    worst = 0.0
    for t, y in zip(at, values, strict=True):
        want = coefficient(name, float(t))
        worst = max(worst, float(abs(mp.mpf(float(y)) - want) / mp.mpf(float(np.spacing(np.abs(y))))))
    return worst


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_five_ulp_on_floats(name):
    at = angles()
    assert ulps(name, at, getattr(R, name)(at)) <= 5.0


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("name", COEFFICIENTS)
def test_five_ulp_in_kernels(name, precision):
    at = angles().astype(precision)
    at = at[at <= 2 * PI - 1e-3]
    kernel = build(record(lambda theta: getattr(R, name)(theta), theta=np.zeros(())), precision=precision)
    assert ulps(name, at, kernel(at)) <= 5.0


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_limit_at_zero_and_below_the_smallest_square(name):
    for t in (0.0, 1e-320, 1e-200, 1e-155):
        assert getattr(R, name)(t) == pytest.approx(LIMITS[name], rel=2e-16)
        assert getattr(R, name)(square=t * t) == pytest.approx(LIMITS[name], rel=2e-16)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_even_and_the_same_by_angle_and_by_square(name):
    at = np.linspace(0.0, 6.0, 61)
    function = getattr(R, name)
    np.testing.assert_array_equal(function(-at), function(at))
    np.testing.assert_allclose(function(square=at * at), function(at), rtol=1e-14, atol=1e-16)


def slope(tape, x):
    """The derivative of a function of one number, by both sweeps."""
    _, [[forward]] = push(tape, [x], [(1.0,)])
    _, [backward] = pull(tape, [x], [1.0])
    return forward, backward


@pytest.mark.parametrize("t", [0.0, 1e-320, 1e-12, 1e-8, 1e-3, 1.0, 2.0, PI, ZERO, 5.0, 2 * PI - 1e-3])
@pytest.mark.parametrize("name", NAMES)
def test_first_derivatives_are_the_factors(name, t):
    factor = coefficient(f"d_{name}", t)
    by_square = record(lambda square: getattr(R, name)(square=square), square=np.zeros(()))
    by_angle = record(lambda theta: getattr(R, name)(theta), theta=np.zeros(()))
    size = max(abs(float(factor)), 1e-3)
    near = 1e-11 if t > 6 else 1e-14  # ‖r‖² is rounded: near 2π that counts a thousandfold
    for got in slope(by_square, t * t):
        assert abs(got - float(factor / 2)) <= near * size
    for got in slope(by_angle, t):
        assert abs(got - float(mp.mpf(t) * factor)) <= near * size * max(t, 1e-300)


@pytest.mark.parametrize("t", [0.0, 1e-320, 1e-12, 1e-8, 1e-3, 1.0, 2.5, PI, ZERO, 5.0])
@pytest.mark.parametrize("name", NAMES)
def test_second_derivatives(name, t):
    """The factors' own derivatives, by θ² and through the sweeps twice."""
    with mp.workdps(60):
        middle = mp.mpf(max(t, 1e-6)) ** 2  # below, the change of a limit
        want = float(mp.diff(lambda x: COEFFICIENTS[f"d_{name}"](mp.sqrt(x)), middle, h=mp.mpf(10) ** -25))
    factor = record(lambda square: getattr(R, f"d_{name}")(square=square), square=np.zeros(()))
    twice = record(lambda square: getattr(R, name)(square=square), square=np.zeros(())).jvp()
    for got in slope(factor, t * t):
        assert got == pytest.approx(want, rel=1e-10, abs=1e-12)
    _, slopes = push(twice, [t * t, 1.0], [(1.0,), (0.0,)])
    assert slopes[1][0] == pytest.approx(want / 2.0, rel=1e-10, abs=1e-12)
