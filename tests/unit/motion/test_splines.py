"""Splines and piecewise polynomials: SciPy's values, two derivatives, exact integrals, and their tapes."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import anthropi as ap
from anthropi.motion import Piecewise, ramp, spline
from anthropi.motion.splines import ENDS, solve_chain

RNG = np.random.default_rng(0)
TIMES = np.cumsum(RNG.uniform(0.2, 1.0, 9))
VALUES = RNG.normal(size=(9, 2))
VALUES[-1] = VALUES[0]


@pytest.mark.parametrize("ends", ENDS)
def test_values_and_two_derivatives_are_those_of_scipy(ends):
    ours, theirs = spline(TIMES, VALUES, ends), CubicSpline(TIMES, VALUES, bc_type=ends)
    t = np.linspace(TIMES[0], TIMES[-1], 100)
    for k, found in enumerate(ours(t)):
        np.testing.assert_allclose(found, theirs(t, k), atol=1e-12 * 10**k)  # coefficients up to 10² larger


@pytest.mark.parametrize("ends", ENDS)
def test_nothing_jumps_at_a_key(ends):
    curve = spline(TIMES, VALUES, ends)
    for t in TIMES[1:-1] if ends != "periodic" else [*TIMES[1:-1], TIMES[0] + curve.period]:
        before, after = curve(np.nextafter(t, 0.0)), curve(t)
        assert max(np.abs(a - b).max() for a, b in zip(before, after, strict=True)) < 1e-11
    np.testing.assert_allclose(curve(TIMES).value, VALUES, atol=1e-14)


def test_beyond_the_ends_a_curve_goes_on_along_its_tangent():
    free, still = spline(TIMES, VALUES), spline(TIMES, VALUES, "clamped", [[0.5, 0.0], [0.0, 0.0]])
    last, later = free(TIMES[-1]), free(TIMES[-1] + 2.0)
    np.testing.assert_allclose(later.value, last.value + 2.0 * last.rate, atol=1e-12)
    assert not later.acceleration.any() and np.abs(last.acceleration).max() < 1e-12
    np.testing.assert_array_equal(still(TIMES[-1] + 5.0).value, VALUES[-1])
    np.testing.assert_allclose(still(TIMES[0] - 1.0).value, VALUES[0] - [0.5, 0.0], atol=1e-14)
    around = spline(TIMES, VALUES, "periodic")
    np.testing.assert_allclose(around(TIMES[2] - 3.0 * around.period).value, VALUES[2], atol=1e-12)


def test_derivative_and_integral_are_exact():
    curve, theirs = spline(TIMES, VALUES, "clamped"), CubicSpline(TIMES, VALUES, bc_type="clamped")
    t = np.linspace(TIMES[0] - 1.0, TIMES[-1] + 1.0, 50)
    np.testing.assert_allclose(curve.derivative()(t).value, curve(t).rate, atol=1e-13)
    np.testing.assert_allclose(curve.derivative().derivative()(t).value, curve(t).acceleration, atol=1e-12)
    area = curve.integral(0.7)
    np.testing.assert_allclose(area(t).rate, curve(t).value, atol=1e-13)
    np.testing.assert_allclose(area(t).acceleration, curve(t).rate, atol=1e-12)
    np.testing.assert_allclose(area(TIMES[-1]).value, 0.7 + theirs.integrate(TIMES[0], TIMES[-1]), atol=1e-13)
    assert area(TIMES[0]).value == pytest.approx([0.7, 0.7], abs=1e-15)
    np.testing.assert_allclose(curve.integral(0.2, at=TIMES[3])(TIMES[3]).value, [0.2, 0.2], atol=1e-14)
    constant = Piecewise(np.zeros(1), np.full((2, 1), 3.0))
    assert constant.derivative()(1.0).value == 0.0 and constant.integral(1.0)(2.0).value == 7.0


def test_the_integral_of_a_periodic_curve_grows_by_its_mean():
    curve, theirs = spline(TIMES, VALUES, "periodic"), CubicSpline(TIMES, VALUES, bc_type="periodic")
    area = curve.integral(0.5)
    for t in (TIMES[0] - 1.0, TIMES[3], TIMES[-1], TIMES[-1] + 7.7):
        wanted = 0.5 + theirs.integrate(TIMES[0], t, extrapolate="periodic")
        np.testing.assert_allclose(area(t).value, wanted, atol=1e-12)
    tape = ap.record(lambda t: area(t).value, t=np.zeros(()))
    t = np.array([TIMES[0] - 1.0, TIMES[-1] + 7.7])
    np.testing.assert_allclose(ap.build(tape, target="replay")(t), area(t).value, atol=1e-12)
    with pytest.raises(ap.AnthropiError, match="grows from period to period is not available"):
        area.integral()
    slope = curve.derivative().integral(VALUES[0])
    np.testing.assert_allclose(slope(TIMES + 3.0 * curve.period).value, VALUES, atol=1e-12)


@pytest.mark.parametrize(("keys", "operations"), [(2, 30), (9, 60), (200, 80)])
def test_a_recorded_time_costs_the_logarithm_of_the_keys(keys, operations):
    times = np.cumsum(RNG.uniform(0.2, 1.0, keys))
    curve = spline(times, RNG.normal(size=(keys, 2)))
    tape = ap.record(lambda t: tuple(curve(t)), t=np.zeros(()))
    assert tape.operations <= operations
    t = np.concatenate([times, RNG.uniform(times[0] - 1.0, times[-1] + 1.0, 50)])
    for found, wanted in zip(ap.build(tape, target="replay")(t), curve(t), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_values_may_be_recorded():
    """Slopes by the tape of a curve's value at a time, against differences: it is linear in its values."""
    for ends, slopes in (("natural", (0.0, 0.0)), ("clamped", (0.3, -0.2)), ("periodic", (0.0, 0.0))):

        def value(y, ends=ends, slopes=slopes):
            return spline(TIMES, y, ends, slopes)(2.2).value

        tape = ap.record(value, y=VALUES[:, 0])
        found, gradient = ap.build(tape.vjp(), target="replay")(VALUES[:, 0], 1.0)
        np.testing.assert_allclose(found, value(VALUES[:, 0]), atol=1e-13)
        if ends != "periodic":  # whose first and last value move together
            by_hand = [value(VALUES[:, 0] + e) - value(VALUES[:, 0]) for e in np.eye(9)]
            np.testing.assert_allclose(gradient["y"], by_hand, atol=1e-13)


@pytest.mark.parametrize("ring", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_chains_against_the_whole_matrix(n, ring):
    L, D, U = RNG.normal(size=(3, n, 2, 3, 3))
    D = D + 8.0 * np.eye(3)
    r = RNG.normal(size=(n, 2, 3, 4))
    found = solve_chain(L, D, U, r, ring)
    for b in range(2):
        whole = np.zeros((3 * n, 3 * n))
        for i in range(n):
            rows = slice(3 * i, 3 * i + 3)
            for block, j in ((L, i - 1), (D, i), (U, i + 1)):
                if ring or 0 <= j < n:
                    j %= n
                    whole[rows, 3 * j : 3 * j + 3] += block[i, b]
        np.testing.assert_allclose(found[:, b].reshape(3 * n, 4), np.linalg.solve(whole, r[:, b].reshape(3 * n, 4)))


def test_the_ramp_has_two_derivatives_at_its_ends():
    rise = ramp(1.0, 3.0)
    for t, value in ((1.0, 0.0), (3.0, 1.0)):
        assert rise(t) == pytest.approx((value, 0.0, 0.0), abs=1e-14)
    assert rise(2.0).value == pytest.approx(0.5) and rise(0.0).value == 0.0 and rise(9.0).value == 1.0


@pytest.mark.parametrize(
    ("times", "values", "ends", "message"),
    [
        ([0.0, 0.0], [1, 2], "natural", "finite and increasing"),
        ([0.0, np.nan], [1, 2], "natural", "must be finite"),
        ("ab", [1, 2], "natural", "times must be numbers"),
        ([0.0, 1.0], [1, 2, 3], "natural", r"values \(3,\); expected \(2,\) or \(2, n\)"),
        ([0.0, 1.0], [1, np.inf], "natural", "not finite, at 1 s"),
        ([0.0, 1.0], [1, 2], "naturl", "Did you mean 'natural'"),
        ([0.0, 1.0], [1, 2], "periodic", "must end as it begins"),
    ],
)
def test_bad_keys_are_answered(times, values, ends, message):
    with pytest.raises(ap.AnthropiError, match=message):
        spline(times, values, ends)
