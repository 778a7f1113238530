"""Laws of rotations: equations checked on floats and through a kernel.

A law is a function of one sample that returns pairs (left, right) which must be equal. Its labels are
those of `docs/equations/rotations.md`. `along` differentiates inside a law, by the tape's forward sweep, so that a law
about rates is also one about derivatives.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from anthropi.compiler import build
from anthropi.tape import push, record
from anthropi.tape.record import rebuild

LAWS: dict[str, "Law"] = {}


class Law(NamedTuple):
    """One law: its labels, the function, the kind of each input, and the tolerance (relative to 1 + size)."""

    ids: tuple[str, ...]
    function: Any
    inputs: dict
    tol: float


def law(*ids: str, tol: float = 1e-13, **inputs):
    """Register a law under its labels. tol: by default 1e-13, some hundred roundings of numbers of size 1 to 10."""

    def decorate(function):
        one = Law(ids, function, inputs, tol)
        for name in ids:
            assert name not in LAWS, f"two laws are called {name}"
            LAWS[name] = one
        return function

    return decorate


@cache
def kernel_of(function, shapes):
    """The kernel of a function of arrays of these shapes; one for each function and run."""
    names = [f"x{k}" for k in range(len(shapes))]
    tape = record(lambda **x: function(*x.values()), **{n: np.zeros(s) for n, s in zip(names, shapes, strict=True)})
    return build(tape)


def both(function, *arrays):
    """Give a function's result for one sample twice: on floats, and through its kernel."""
    return function(*arrays), kernel_of(function, tuple(np.shape(a) for a in arrays))(*arrays)


@cache
def _tape(function, shapes):
    names = [f"x{k}" for k in range(len(shapes))]
    return record(lambda **x: function(*x.values()), **{n: np.zeros(s) for n, s in zip(names, shapes, strict=True)})


def along(function, points, directions):
    """How does function(*points) change along the directions? For floats and for scalars being recorded."""
    tape = _tape(function, tuple(np.shape(p) for p in points))
    values = [x for p in points for x in np.ravel(np.asarray(p, dtype=object))]
    tangents = [(x,) for d in directions for x in np.ravel(np.asarray(d, dtype=object))]
    _, slopes = push(tape, values, tangents)
    flat = np.empty(len(slopes), dtype=object)
    flat[:] = [t[0] for t in slopes]
    if not any(hasattr(x, "tape") for x in flat):
        flat = flat.astype(float)
    return rebuild(tape.structure, [flat[s.start : s.start + s.size].reshape(s.shape) for s in tape.outputs])


def check(pairs, tol: float, what: str) -> None:
    """Fail unless left = right in every pair; they may be numbers, arrays or tuples of them."""
    for k, (left, right) in enumerate(pairs):
        left, right = np.asarray(left, dtype=float), np.asarray(right, dtype=float)
        off = np.max(np.abs(left - right), initial=0.0)
        size = 1.0 + np.max(np.abs(right), initial=0.0)
        assert off <= tol * size, f"{what}, pair {k}: off by {off:.2e}, may be {tol * size:.2e}\n{left}\n{right}"
