"""The replay target as the reference of bits: exact fma, every operation as documented, independent lanes."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anthropi.compiler.lower import lower
from anthropi.compiler.targets.replay import fma, replay
from anthropi.errors import BuildError, ShapeError
from anthropi.tape import functions as f
from anthropi.tape import record, repeat
from anthropi.tape.operations import uniform_bits


def exactly(a: float, b: float, c: float) -> float:
    """a·b + c for finite floats, rounded once to float64."""
    total = Fraction(a) * Fraction(b) + Fraction(c)
    if total == 0:
        return a * b + c  # both parts are exact zeros, or they cancel: IEEE 754 gives the sign
    try:
        return total.numerator / total.denominator
    except OverflowError:
        return math.inf if total > 0 else -math.inf


def exactly32(a: float, b: float, c: float) -> np.float32:
    """The same rounded to float32: the nearest of its neighbours there, halves to even."""
    total = Fraction(a) * Fraction(b) + Fraction(c)
    if total == 0:
        return np.float32(a) * np.float32(b) + np.float32(c)
    largest = Fraction(float(np.finfo(np.float32).max))
    if abs(total) >= largest + largest / (2**25 - 2):  # half a place above the largest
        return np.float32(math.copysign(math.inf, total))
    size = total.numerator.bit_length() - total.denominator.bit_length()  # 2^(size-1) < |total| < 2^(size+1)
    place = Fraction(2) ** max(size - (abs(total) < Fraction(2) ** size) - 23, -149)  # its last place in float32
    return np.float32(math.copysign(float(abs(round(total / place)) * place), total))


def same(x, y):
    return (math.isnan(x) and math.isnan(y)) or (x == y and math.copysign(1, x) == math.copysign(1, y))


DOUBLES = st.floats(allow_nan=False, allow_infinity=False)
NEAR = st.floats(0.5, 2.0) | st.floats(-2.0, -0.5)
SINGLES = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(DOUBLES, DOUBLES, DOUBLES)
def test_fma_of_any_doubles(a, b, c):
    assert same(fma(*map(np.atleast_1d, (a, b, c)))[0], exactly(a, b, c))


@given(NEAR, NEAR, NEAR, st.integers(-1080, 1030), st.integers(-60, 60))
def test_fma_where_the_sum_is_close(a, b, c, scale, offset):
    """Cancellation, ties and results at the ends of the range."""
    shares = [math.ldexp(a, scale // 2), math.ldexp(b, scale - scale // 2)]
    try:
        c = math.ldexp(c, scale + offset)
    except OverflowError:
        c = 1.0
    assert same(fma(*map(np.atleast_1d, (*shares, c)))[0], exactly(*shares, c))
    product = shares[0] * shares[1]
    if math.isfinite(product):  # all but the last bits cancel
        assert same(fma(*map(np.atleast_1d, (*shares, -product)))[0], exactly(*shares, -product))


@given(st.integers(0, 2**26), st.integers(0, 2**26), st.integers(-2, 2), st.integers(0, 110))
def test_fma_of_ties(a, b, sign, shift):
    """Whole numbers whose sum lies half way between two floats, or just beside."""
    a, b, c = float(2**52 + a), float(2**52 + 2 * b + 1), sign * 2.0**shift
    assert same(fma(*map(np.atleast_1d, (a, b, c)))[0], exactly(a, b, c))


@given(SINGLES, SINGLES, SINGLES)
def test_fma_of_any_singles(a, b, c):
    assert same(fma(*(np.array([x], np.float32) for x in (a, b, c)))[0], exactly32(a, b, c))


@given(st.integers(2**23, 2**24), st.integers(2**23, 2**24), st.integers(-(2**24), 2**24), st.integers(-170, -90),
       st.integers(-30, 30))  # fmt: skip
def test_fma_of_small_singles(a, b, c, scale, offset):
    values = math.ldexp(a, scale // 2), math.ldexp(b, scale - scale // 2), math.ldexp(c, scale + offset)
    values = [float(np.float32(x)) for x in values]
    assert same(fma(*(np.array([x], np.float32) for x in values))[0], exactly32(*values))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_fma_of_what_is_not_finite(dtype):
    inf, nan = np.inf, np.nan
    big = float(np.finfo(dtype).max)
    a = np.array([inf, inf, 0.0, nan, big, big, 1.0, -0.0, 0.0], dtype)
    b = np.array([1.0, 1.0, inf, 1.0, big, big, nan, 1.0, -1.0], dtype)
    c = np.array([1.0, -inf, 1.0, 1.0, -inf, nan, 1.0, -0.0, 0.0], dtype)
    np.testing.assert_array_equal(fma(a, b, c), np.array([inf, nan, nan, nan, -inf, nan, nan, -0.0, 0.0], dtype))


def play(function, x, precision="float64"):
    """What a function of three numbers does with each lane, by replay."""
    x = np.asarray(x, precision)
    tape = record(function, x=np.zeros(len(x)))
    return replay(lower(tape, precision), x, precision)


SOME = np.array([0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 1e-310, np.inf, -np.inf, np.nan])
PAIRS = np.stack([m.ravel() for m in np.meshgrid(SOME, SOME)])


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_minimum_and_maximum(precision):
    a, b = PAIRS.astype(precision)
    small, large = play(lambda x: [f.minimum(x[0], x[1]), f.maximum(x[0], x[1])], PAIRS, precision)
    nan = np.isnan(a) | np.isnan(b)
    np.testing.assert_array_equal(small, np.where(nan, np.nan, np.where(a < b, a, b)))
    np.testing.assert_array_equal(large, np.where(nan, np.nan, np.where(b < a, a, b)))
    np.testing.assert_array_equal(np.signbit(small[~nan]), np.signbit(np.where(a < b, a, b)[~nan]))
    np.testing.assert_array_equal(np.signbit(large[~nan]), np.signbit(np.where(b < a, a, b)[~nan]))


def test_comparisons_with_nan_are_false():
    def truths(x):
        masks = [f.less(x[0], x[1]), f.less_equal(x[0], x[1]), f.equal(x[0], x[1])]
        return [f.select(m, 1.0, 0.0) for m in (*masks, masks[0] & masks[1], masks[0] | masks[2], ~masks[2])]

    a, b = PAIRS
    lt, le, eq = a < b, a <= b, a == b
    np.testing.assert_array_equal(play(truths, PAIRS), np.array([lt, le, eq, lt & le, lt | eq, ~eq], float))


def test_rounding_is_half_to_even():
    near, low = play(lambda x: [f.nearest(x[0]), f.floor(x[0])], SOME[None])
    np.testing.assert_array_equal(near, np.rint(SOME))
    np.testing.assert_array_equal(low, np.floor(SOME))


@pytest.mark.parametrize("traced", [False, True])
def test_gather_clamps(traced):
    index = np.array([-np.inf, -3.0, -0.1, 0.0, 0.99, 1.0, 2.7, 3.0, np.inf, np.nan])
    entries = [10.0, 20.0, 30.0]
    got = play(lambda x: f.gather([x[1], 20.0, 30.0] if traced else entries, x[0]), [index, np.full(10, 10.0)])
    np.testing.assert_array_equal(got[0], np.array(entries)[[0, 0, 0, 0, 0, 1, 2, 2, 2, 0]])


def test_chance_takes_the_top_bits():
    key, counter = np.array([0.0, 1.0, 7.0, 123456.0]), np.array([0.0, 5.0, -1.0, 1e6])
    bits = uniform_bits(key, counter)
    for precision, shift in (("float64", 11), ("float32", 40)):
        got = play(lambda x: f.uniform(x[0], x[1]), [key, counter], precision)[0]
        np.testing.assert_array_equal(got, np.array([int(n) >> shift for n in bits]) * 2.0 ** (shift - 64))


def test_a_finished_lane_keeps_its_values():
    def count(x):
        last, records = repeat(
            lambda s: (s[0] + 1.0, s[1] * 2.0), (x[0], x[1]), 6, until=lambda s: s[0] >= 3.0, every=3
        )
        return last, records

    start = np.array([[0.0, 2.0, 5.0, -2.0, np.nan], [1.0] * 5])
    got = play(count, start)
    np.testing.assert_array_equal(got[:2], [[3, 3, 5, 3, np.nan], [8, 2, 1, 32, 64]])
    # after passes 3 and 6, first number then second
    np.testing.assert_array_equal(got[2:], [[3, 3, 5, 1, np.nan], got[0], [8, 2, 1, 8, 8], got[1]])


def test_lanes_do_not_mix():
    def function(x):
        y = repeat(lambda y: y + f.sin(y) * x[1], x[0], 20, until=lambda y: f.less(2.0, y))
        return f.exp(y) / f.log(x[1])

    x = np.random.default_rng(3).uniform(0, 3, (2, 50))
    x[:, 7] = np.nan
    together = play(function, x)
    apart = np.concatenate([play(function, x[:, k : k + 1]) for k in range(50)], axis=1)
    np.testing.assert_array_equal(together, apart)
    assert np.isnan(together[0, 7]) and np.isfinite(np.delete(together[0], 7)).all()


def test_constants_are_rounded_to_the_precision():
    assert play(lambda x: x[0] * 0.1, [[3.0]], "float32")[0, 0] == np.float32(3) * np.float32(0.1)


def test_no_lanes_and_no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert play(lambda x: f.sin(x[0]) + 1.0, np.zeros((1, 0))).shape == (1, 0)
        play(
            lambda x: [1.0 / x[0], f.exp(x[0] * 1e300), f.sqrt(-x[0]), f.log(-x[0]), f.log(x[0])], [[0.0, 1.0, np.inf]]
        )


def test_errors_name_the_remedy():
    tape = record(lambda x: f.sin(x[0]), x=np.zeros(2))
    with pytest.raises(ShapeError, match=r"shape \(2, lanes\), got \(3, 4\)"):
        replay(lower(tape), np.zeros((3, 4)))
    with pytest.raises(BuildError, match=r"'sin' is not a lowered operation. Give replay the result of lower"):
        replay(tape, np.zeros((2, 4)))
    with pytest.raises(BuildError, match="Choose one of float64, float32"):
        replay(lower(tape), np.zeros((2, 4)), "float16")
