"""Derivative of the solved impulses: one Newton step at the solution (docs/decisions/0028-derivatives-of-solves.md).

The impulses P solve F(P, θ) = 0, with θ the speeds b, the factors of the bases, the rows G and the coefficients of
friction. Sweeps and interior-point passes that find P are not differentiated. Instead

    Ṗ = -F_P⁻¹ F_θ θ̇                                                                                 (1)

with F the conditions of `group.py` (2)-(4) in the state (open, sticking, sliding) that each contact has at P,

    open:  P = 0      stick:  v = 0      slide:  v_n = 0,  P_t - μ p_n e = 0,  p = P - ρ v,  e = p_t / |p_t|      (2)
    v = b + G B (Σ Bᵀ Gᵀ P)                                                                          (3)

and F_P⁻¹ the Newton step `group.py` (7), softened by ε so that redundant contacts have a derivative too. In (2), v and
μ depend on θ; ρ and everything in F_P are constants.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import less, less_equal, maximum, sqrt, where
from anthropi.contact.impulsive.conditions import MIN_SQUARE, Condition
from anthropi.contact.impulsive.group import (
    MIN_SLIDING_MARGIN,
    Group,
    Member,
    linearised,
    make_group,
    solve_linearised,
)
from anthropi.contact.impulsive.setup import cholesky_of_rows
from anthropi.contact.vectors import add_scaled, dot, products
from anthropi.tape import Scalar, derivative_rule, pull, push, record

__all__ = ["with_implicit_derivative"]


def with_implicit_derivative(
    conditions: list[Condition],
    factors: list[Any],
    b: list[Any],
    tolerance: float,
    solve: Callable[[], list[Any]],
) -> list[Any]:
    """Return the impulses that `solve()` computes, with the derivative (1); one list per condition.

    Parameters as in `solve.solved`. tolerance : [m/s] of the solve, which sets ε.
    """
    found: dict[Any, tuple[int, Scalar]] = {}
    problem = _template([[c.G for c in conditions], [c.friction for c in conditions], factors, b], found)
    inputs, sizes = [x for _, x in found.values()], [c.size for c in conditions]
    if not inputs:
        return solve()
    bases, tapes = [c.basis for c in conditions], list[Any]()

    def newton(impulses: Any, frozen: Any, theta: Any) -> Any:
        P = _cut(list(np.ravel(impulses)), sizes)
        steps = _newton(bases, P, _filled(problem, frozen), _filled(problem, theta), tolerance)
        return np.array([x for own in steps for x in own])

    def tape() -> Any:
        if not tapes:
            zeros = np.zeros(len(inputs))
            tapes.append(record(newton, impulses=np.zeros(sum(sizes)), frozen=zeros, theta=zeros))
        return tapes[0]

    def forward(values: Any, output: Any, tangents: Any) -> Any:
        along = [(0.0,)] * (len(output) + len(inputs)) + [(t,) for t in tangents[0]]
        _, found = push(tape(), [*output, *values[0], *values[0]], along)
        return np.array([t[0] for t in found], dtype=object)

    def backward(values: Any, output: Any, cotangents: Any) -> Any:
        _, found = pull(tape(), [*output, *values[0], *values[0]], list(cotangents))
        return (np.array(found[len(output) + len(inputs) :], dtype=object),)

    def solution(_: Any) -> Any:
        return np.array([x for own in solve() for x in own])

    return _cut(list(derivative_rule(forward, backward, partial=True)(solution)(np.array(inputs, dtype=object))), sizes)


def _newton(bases: list[int], P: Any, frozen: Any, theta: Any, tolerance: float) -> list[Any]:
    """Compute the Newton step at P, one list per condition: F_P at the numbers `frozen`, F at the numbers `theta`."""
    G, friction, factors, _ = frozen
    own = [Condition(n, i, g, mu, None) for n, (i, g, mu) in enumerate(zip(bases, G, friction, strict=True))]
    C, places, at = cholesky_of_rows([h for basis in factors for h in basis]), {}, 0
    for i, basis in enumerate(factors):
        places[i] = C[at : at + len(basis)]
        at += len(basis)
    group: Group = make_group(own, places, tolerance)
    v = _speeds(bases, P, frozen)
    lines = [
        line._replace(g=_residual(m, x, w, now, mu, group.soft))
        for line, m, x, w, now, mu in zip(
            linearised(group, v, P), group.members, P, v, _speeds(bases, P, theta), theta[1], strict=True
        )
    ]
    return solve_linearised(group, lines)


def _speeds(bases: list[int], P: Any, numbers: Any) -> list[Any]:
    """Compute the speeds (3), one list per condition."""
    G, _, factors, b = numbers
    z: list[Any] = [0.0] * len(factors[0][0])
    for i, rows, own in zip(bases, G, P, strict=True):
        for row, x in zip(rows, own, strict=True):
            for g, h in zip(row, factors[i], strict=True):
                z = add_scaled(z, g * x, h)
    V = [products(basis, z) for basis in factors]
    return [
        [x + dot(g, V[i]) for x, g in zip(base, rows, strict=True)] for i, rows, base in zip(bases, G, b, strict=True)
    ]


def _residual(m: Member, P: Any, v: Any, now: Any, mu: Any, soft: float) -> list[Any]:
    """Compute g of a linearised condition (`group.py` (5), (6)) for the residual (2) at the speeds `now` and `mu`.

    v : speeds that give the state of the contact and the coefficients, which are constants.
    """
    a = m.rho / soft
    if m.size == 1:
        return [where(less(0.0, P[0] - m.rho * v[0]), a * now[0], 0.0)]
    pn, p1, p2 = (x - m.rho * w for x, w in zip(P, v, strict=True))
    size = sqrt(p1 * p1 + p2 * p2 + MIN_SQUARE)
    closed, stick = less(0.0, pn), less_equal(size, m.friction * pn)
    e1, e2 = p1 / size, p2 / size
    stiff = 1.0 / where(stick, 1.0, maximum(1.0 - where(closed, m.friction * pn, 0.0) / size, MIN_SLIDING_MARGIN))
    qn, q1, q2 = (x - m.rho * w for x, w in zip(P, now, strict=True))
    length = sqrt(q1 * q1 + q2 * q2 + MIN_SQUARE)
    m1, m2 = P[1] - mu * qn * q1 / length, P[2] - mu * qn * q2 / length
    f = (e1 * m2 - e2 * m1) * stiff
    straight = e1 * m1 + e2 * m2 + m.friction * a * now[0]

    def by_state(sticks: Any, slides: Any) -> Any:
        return where(closed, where(stick, sticks, slides), 0.0)

    return [
        where(closed, a * now[0], 0.0),
        by_state(a * now[1], straight * e1 - f * e2),
        by_state(a * now[2], straight * e2 + f * e1),
    ]


class _Place(NamedTuple):
    """Position of a recorded scalar in nested lists: number of the input, and whether its sign is reversed."""

    number: int
    negative: bool


def _template(nested: Any, found: dict[Any, tuple[int, Scalar]]) -> Any:
    """Return nested lists with a `_Place` for each recorded scalar; add the scalars to `found`, each once.

    What uses -y on a tape often uses y instead. So y is the input, which is sure to stay on the tape.
    """
    if isinstance(nested, Scalar):
        negative = False
        while nested.tape.op[nested.index] == "neg":
            nested, negative = Scalar(nested.tape, nested.tape.args[nested.index][0]), not negative
        number, _ = found.setdefault((nested.tape, nested.index), (len(found), nested))
        return _Place(number, negative)
    if isinstance(nested, (list, tuple, np.ndarray)):
        return [_template(part, found) for part in nested]
    return nested


def _filled(template: Any, values: Any) -> Any:
    """Return nested lists with these values in the places."""
    if isinstance(template, _Place):
        return -values[template.number] if template.negative else values[template.number]
    return [_filled(part, values) for part in template] if isinstance(template, list) else template


def _cut(flat: list[Any], sizes: list[int]) -> list[Any]:
    """Cut a flat list into lists of these sizes."""
    found, start = [], 0
    for size in sizes:
        found.append(flat[start : start + size])
        start += size
    return found
