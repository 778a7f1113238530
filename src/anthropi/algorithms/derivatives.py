"""Derivatives of any algorithm with respect to its arguments: exact, in the tangent space.

    ∂f/∂q = d/ds f(q + s F(q) e_k),   ∂f/∂x = d/ds f(x + s e_k) for every other array          (1)
    along a curve   f(q ⊞ s δq, x + s δx):   its derivatives at s = 0                          (2)

by forward sweeps over the tape of the algorithm. Direct and inverse dynamics and the rate of momentum have their own
recursions, which take fewer operations (direct_derivatives.py, inverse_derivatives.py, momentum_derivatives.py).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from anthropi.algorithms.direct_derivatives import DirectDerivatives, direct_derivatives
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.inverse_derivatives import InverseDerivatives, inverse_derivatives
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.momentum import momentum_rate
from anthropi.algorithms.momentum_derivatives import MomentumDerivatives, momentum_derivatives
from anthropi.algorithms.shapes import Array
from anthropi.figure import Figure
from anthropi.tape import Tape, record
from anthropi.tape.forward_sweep import push
from anthropi.tape.record import rebuild

__all__ = ["BY_HAND", "curve", "forward_derivatives"]

BY_HAND: dict[Callable[..., Any], tuple[Any, tuple[str, ...]]] = {  # algorithm: (its derivatives, arguments)
    direct_dynamics: (direct_derivatives, DirectDerivatives._fields),
    inverse_dynamics: (inverse_derivatives, InverseDerivatives._fields),
    momentum_rate: (momentum_derivatives, MomentumDerivatives._fields),
}


def forward_derivatives(
    function: Callable[..., Any], figure: Figure, wrt: Iterable[str], arrays: Mapping[str, Array]
) -> dict[str, Any]:
    """Compute the derivatives of a function with respect to some of its arguments (1).

    Parameters
    ----------
    function : takes `arrays` as keyword arguments and returns nested arrays.
    wrt : names of arguments; derivatives with respect to "q" are in the tangent space.
    arrays : the arguments, as recording scalars or floats.

    Returns
    -------
    {name: ∂f/∂name}, each with the shape of the function's result and one more axis at the end.
    """
    names = list(arrays)
    tape = record(function, **{n: np.zeros(np.shape(arrays[n])) for n in names})
    seeds = {n: _directions(figure, n, arrays[n]) for n in wrt}
    total = sum(len(rows) for rows in seeds.values())
    tangents: list[tuple[Any, ...]] = []
    for n in names:
        before = sum(len(seeds[m]) for m in list(seeds)[: list(seeds).index(n)]) if n in seeds else 0
        flat = np.zeros((total, np.size(arrays[n])), dtype=object)
        if n in seeds:
            flat[before : before + len(seeds[n])] = seeds[n]
        tangents += [tuple(column) for column in flat.T]
    values = [x for n in names for x in np.ravel(np.asarray(arrays[n], dtype=object))]
    _, slopes = push(tape, values, tangents)
    table, result, start = np.array([list(s) for s in slopes], dtype=object), {}, 0
    for n, rows in seeds.items():
        own = table[:, start : start + len(rows)]
        start += len(rows)
        parts = [own[s.start : s.start + s.size].reshape(*s.shape, len(rows)) for s in tape.outputs]
        result[n] = rebuild(tape.structure, parts)
    return result


def _directions(figure: Figure, name: str, array: Array) -> Array:
    """Return the directions of differentiation as rows: the columns of F(q) for q, otherwise unit vectors."""
    if name != "q":
        return np.eye(np.size(array))
    return np.array([figure.rate(array, e) for e in np.eye(figure.nu)]).reshape(figure.nu, figure.nq)


def curve(
    function: Callable[..., Any],
    figure: Figure,
    wrt: Iterable[str],
    arrays: Mapping[str, Array],
    along: Mapping[str, Array],
    order: int,
) -> tuple[Any, ...]:
    """Compute a function and its derivatives up to `order` along a curve through its arguments (2).

    function, wrt, arrays : as in `forward_derivatives`. along : {name: direction}, with δq (nu,) in
    the tangent space.
    """

    def at(s, **given):
        moved = {n: given[n] + s * given[f"d_{n}"] if n in wrt and n != "q" else given[n] for n in arrays}
        if "q" in wrt:
            moved["q"] = figure.integrate(given["q"], s * given["d_q"])
        return function(**moved)

    inputs = {**arrays, **{f"d_{n}": along[n] for n in wrt}}
    tape = record(at, s=np.zeros(()), **{n: np.zeros(np.shape(a)) for n, a in inputs.items()})
    outputs, structure, found = tape.outputs, tape.structure, []
    for k in range(order + 1):
        values = [0.0, *(x for a in inputs.values() for x in np.ravel(np.asarray(a, dtype=object)))]
        if k:
            tape = _slope(tape)
        flat = np.array(push(tape, values, [(0.0,)] * len(values))[0], dtype=object)
        found.append(rebuild(structure, [flat[s.start : s.start + s.size].reshape(s.shape) for s in outputs]))
    return tuple(found)


def _slope(tape: Tape) -> Tape:
    """Return the tape of the derivative of a tape with respect to s, its first input."""

    def slope(**given):
        values = [x for a in given.values() for x in np.ravel(np.asarray(a, dtype=object))]
        _, slopes = push(tape, values, [(1.0,)] + [(0.0,)] * (len(values) - 1))
        return np.array([t[0] for t in slopes], dtype=object)

    return record(slope, **{s.name: np.zeros(s.shape) for s in tape.inputs})
