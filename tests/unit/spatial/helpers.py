"""Helpers of the tests of `linear` and `spatial`: run a function on floats and as a tape, and differentiate it."""

import inspect

import numpy as np

from anthropi.compiler import build
from anthropi.tape import record
from anthropi.tape.record import flatten

_tapes: dict = {}
_kernels: dict = {}


def taped(function, *arrays):
    """Record a function of these arrays, once for each function and shape."""
    names = [p.name for p in inspect.signature(function).parameters.values()]
    key = (function, tuple(np.shape(a) for a in arrays))
    if key not in _tapes:
        _tapes[key] = record(function, **{n: np.asarray(a, float) for n, a in zip(names, arrays, strict=True)})
    return _tapes[key]


def run(tape, *arrays):
    """Evaluate a tape through its kernel. → nested result."""
    arrays = [np.asarray(a, float) for a in arrays]
    if id(tape) not in _kernels:
        _kernels[id(tape)] = (build(tape), tape)  # the tape stays alive, so its id stays its own
    return _kernels[id(tape)][0](*arrays)


def same(got, expected, tolerance=1e-12):
    """Compare nested results, relative to the largest entry of each array."""
    for x, y in zip(flatten(got)[0], flatten(expected)[0], strict=True):
        x, y = np.asarray(x, float), np.asarray(y, float)
        assert x.shape == y.shape, f"{x.shape} is not {y.shape}"
        np.testing.assert_allclose(x, y, rtol=0.0, atol=tolerance * max(1.0, np.abs(y).max(initial=0.0)))


def both(function, *arrays, tolerance=1e-12):
    """Run a function on floats and through its tape, demand the same, return the float result.

    tolerance: a dozen sums and products of numbers of order 1, in other order or fused: 1e-12 leaves three digits.
    """
    expected = function(*arrays)
    same(run(taped(function, *arrays), *arrays), expected, tolerance)
    return expected


_forward: dict = {}


def rate(function, x, dx=1.0):
    """(f(x), df along dx) by the forward sweep."""
    tape = taped(function, x)
    if tape not in _forward:
        _forward[tape] = tape.jvp()
    return run(_forward[tape], x, np.broadcast_to(np.asarray(dx, float), np.shape(x)))


def normal(seed, *shape):
    """Random numbers, the same every time."""
    return np.random.default_rng(seed).normal(size=shape)


def turn(seed):
    """A random rotation matrix."""
    from unit.spatial.bench42 import rotation

    q = normal(seed, 4)
    return rotation(q / np.sqrt(q @ q))


def spd(seed, n, lead=()):
    """A random symmetric positive definite matrix with condition about 10."""
    X = normal(seed, *lead, n, n)
    return X @ np.swapaxes(X, -1, -2) / n + np.eye(n)
