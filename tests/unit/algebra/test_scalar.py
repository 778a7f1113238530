"""Elementary functions on floats, float arrays, recording scalars and arrays that mix them give the same numbers."""

import math

import numpy as np
import pytest

import anthropi as ap
from anthropi import scalar as s

UNARY = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "exp": math.exp,
    "log": math.log, "sqrt": math.sqrt, "floor": math.floor, "absolute": abs, "nearest": round,
    "sign": lambda x: math.copysign(1.0, x) if x else 0.0,
}  # fmt: skip
BINARY = {
    "atan2": math.atan2, "minimum": min, "maximum": max, "hypot": math.hypot,
    "less": lambda x, y: x < y, "greater": lambda x, y: x > y, "equal": lambda x, y: x == y,
    "less_equal": lambda x, y: x <= y, "greater_equal": lambda x, y: x >= y,
}  # fmt: skip
NUMBERS = np.array([0.25, 0.5, 0.9])


def value(x):
    """A mask as a number."""
    return s.where(x, 1.0, 0.0)


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number(name):
    ours, exact = getattr(s, name), UNARY[name]
    wanted = [exact(x) for x in NUMBERS]
    np.testing.assert_allclose([ours(float(x)) for x in NUMBERS], wanted, rtol=1e-15)
    np.testing.assert_allclose(ours(NUMBERS), wanted, rtol=1e-15)
    mixed = ap.build(ap.record(lambda x: ours(np.array([x[0], 0.5, x[2]])), x=np.zeros(3)))
    np.testing.assert_allclose(mixed(NUMBERS), wanted, rtol=4e-16)
    single = ap.build(ap.record(lambda x: ours(x), x=np.zeros(())))
    np.testing.assert_allclose(single(NUMBERS), wanted, rtol=4e-16)


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name):
    ours, exact = getattr(s, name), BINARY[name]
    other = np.array([0.3, 0.5, 0.1])
    wanted = [float(exact(x, y)) for x, y in zip(NUMBERS, other, strict=True)]
    as_number = value if name.startswith(("less", "greater", "equal")) else (lambda x: x)
    np.testing.assert_allclose(
        [as_number(ours(float(x), float(y))) for x, y in zip(NUMBERS, other, strict=True)], wanted, rtol=1e-15
    )
    np.testing.assert_allclose(as_number(ours(NUMBERS, other)), wanted, rtol=1e-15)
    mixed = ap.build(ap.record(lambda x: as_number(ours(x, np.array([0.3, x[1], 0.1]))), x=np.zeros(3)))
    np.testing.assert_allclose(mixed(NUMBERS), wanted, rtol=4e-16)


def test_where_clip_zeros_and_polynomial():
    assert s.where(True, 1.0, 2.0) == 1.0
    assert np.array_equal(s.clip(np.array([-2.0, 0.0, 2.0]), -1.0, 1.0), [-1.0, 0.0, 1.0])
    assert s.zeros(2, 3).shape == (2, 3)
    assert s.polynomial(2.0, [1.0, 2.0, 3.0]) == 17.0
    assert np.array_equal(s.polynomial(np.array([0.0, 1.0]), [1.0, 2.0, 3.0]), [1.0, 6.0])


def test_zeros_stand_beside_scalars_and_vanish():
    tape = ap.record(lambda x: np.concatenate([x, s.zeros(2)]) @ np.concatenate([x, s.zeros(2)]), x=np.zeros(2))
    assert tape.operations == 3


def test_gather_clamps_and_floors():
    table = np.array([10.0, 20.0, 30.0])
    at = np.array([-5.0, 0.0, 0.9, 1.0, 2.7, 99.0, np.nan, np.inf, -np.inf])
    wanted = [10.0, 10.0, 10.0, 20.0, 30.0, 30.0, 10.0, 30.0, 10.0]
    assert np.array_equal(s.gather(table, at), wanted)
    assert np.array_equal(ap.build(ap.record(lambda i: s.gather(table, i), i=np.zeros(())))(at), wanted)
    traced = ap.build(ap.record(lambda t, i: s.gather(t, i), t=np.zeros(3), i=np.zeros(())))
    assert np.array_equal(traced(table, at), wanted)


def test_uniform_is_a_function_of_key_and_counter():
    key, counter = np.meshgrid(np.arange(40.0), np.arange(250.0))
    numbers = s.uniform(key.ravel(), counter.ravel())
    assert ((numbers >= 0.0) & (numbers < 1.0)).all()
    assert len(np.unique(numbers)) == 10_000
    assert abs(numbers.mean() - 0.5) < 0.01  # 10,000 draws: standard error 0.003
    assert abs(np.corrcoef(numbers[:-1], numbers[1:])[0, 1]) < 0.03
    kernel = ap.build(ap.record(lambda k, c: s.uniform(k, c), k=np.zeros(()), c=np.zeros(())))
    assert np.array_equal(kernel(key.ravel(), counter.ravel()), numbers)
    assert s.uniform(3, 5) == s.uniform(3.0, 5.0) == numbers.reshape(250, 40)[5, 3]


def test_uniform_is_philox():
    """Known answer of Philox 2x32-10 (Random123 kat_vectors: counter 0 0, key 0 → ff1dae59 6cd10df2)."""
    from anthropi.tape.operations import uniform_bits

    assert int(uniform_bits(np.float64(0.0), np.float64(0.0))) == 0x6CD10DF2FF1DAE59


def test_hypot_neither_overflows_nor_underflows():
    kernel = ap.build(ap.record(lambda x, y: s.hypot(x, y), x=np.zeros(()), y=np.zeros(())))
    big, small = 1e200, 1e-200
    np.testing.assert_allclose(kernel(3 * big, 4 * big), 5 * big, rtol=1e-15)
    np.testing.assert_allclose(kernel(3 * small, 4 * small), 5 * small, rtol=1e-15)
    value, slope = ap.build(kernel.tape.jvp())(0.0, 0.0, 1.0, 1.0)
    assert value == 0.0
    assert 1.0 <= slope <= np.sqrt(2.0)  # a cone has no slope at its tip; along (1, 1) it rises by √2
    assert np.isfinite(list(ap.build(kernel.tape.vjp())(0.0, 0.0, 1.0)[1].values())).all()
