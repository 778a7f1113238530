"""Primal-dual interior-point method for all conditions together. It is used if sweeps converge slowly.

In x = (μ P_n, P_t) and w = (v_n / μ + |v_t|, v_t) Coulomb's law reads x, w ∈ L, x ∘ w = 0, with L the Lorentz cone,
w = T (v₀ + H y) + |v_t| n and T = diag(1/μ, 1, 1). The target of a pass is x ∘ w = σ τ, τ the mean of x · w, with
the scaling of Nesterov and Todd, J = diag(1, -1, -1), |x|_J² = xᵀ J x, x̄ = x / |x|_J, w̄ = w / |w|_J:

    k = |x|_J / |w|_J (2 p pᵀ - J),   p = (x̄ + J w̄) / √(2 + 2 x̄·w̄)          maps w to x              (1)
    dx = k (σ τ J x / |x|_J² - w - C T H dy),   C = 1 + c n v_tᵀ / |v_t|                             (2)
    (1 + Σ HᵀT k C T H) dy = Σ HᵀT k (σ τ J x / |x|_J² - w)                                           (3)

A condition without friction is x = P, w = v, k = x / w. The length of a step is a fraction of the distance to the
nearest boundary of a cone: x + α d ∈ L as long as

    1 + α (ρ₀ - |ρ₁|) ≥ 0,   ρ₀ = x̄ᵀ J d / |x|_J,   ρ₁ = (d₁ - (ρ₀ |x|_J + d₀) / (x̄₀ + 1) x̄₁) / |x|_J   (4)

(step lengths of L. Vandenberghe, "The CVXOPT linear and quadratic cone program solvers", 2010). After each pass a
Newton step of `group.py` is tried. It converges as soon as every contact has its final state (open, sticking, sliding).

Coulomb's law is not monotone, and a path to τ = 0 may end early at the boundary of a cone. There are three remedies.
|v_t| is rounded off to √(v_t² + (s τ)²). Short steps raise σ, which leads back to the central path. And there are
several rounds; about one problem in a hundred needs the later ones. With c = 0 each step is a step of a convex program,
which converges slowly.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import Array, absolute, equal, less, less_equal, maximum, minimum, sqrt, where
from anthropi.contact.impulsive.conditions import MIN_DENOMINATOR, MIN_SQUARE
from anthropi.contact.impulsive.group import (
    Group,
    add_projected,
    coordinates,
    residual,
    select,
    select_impulses,
    solve_dense,
    speeds,
    try_newton,
)
from anthropi.contact.vectors import add_scaled, dot, products
from anthropi.tape import repeat

__all__ = ["interior"]

MIN_FRICTION = 1e-3  # lower bound of μ in the cones; the Newton step uses the true μ


class Round(NamedTuple):
    """Settings of one round of interior-point passes. Each round begins with new start values.

    Attributes
    ----------
    passes : largest number of passes.
    step_fraction : length of a step relative to the distance to the nearest boundary of a cone.
    min_centring, max_centring : bounds of the centring parameter σ = 1 - α.
    coupled : c of equation (2).
    start_scale : factor of the start values of the impulses.
    rounding : rounding of |v_t| at the start, as a share of the largest speed.
    """

    passes: int
    step_fraction: float
    min_centring: float
    max_centring: float
    coupled: float
    start_scale: float
    rounding: float


ROUNDS = (
    Round(40, 0.8, 0.1, 0.9, 1.0, 1.0, 0.3),
    Round(40, 0.5, 0.1, 0.9, 1.0, 1.0, 0.3),
    Round(40, 0.8, 0.1, 0.9, 1.0, 10.0, 0.3),
    Round(160, 0.95, 0.9, 0.95, 0.0, 1.0, 0.0),
    Round(150, 0.5, 0.1, 0.9, 0.7, 100.0, 0.3),
    Round(140, 0.95, 0.1, 0.9, 0.0, 10.0, 0.3),
)
FIRST_STEP_LENGTH = 0.7  # α assumed before the first step


class Scaled(NamedTuple):
    """One condition in the scaled variables x and w: rows T H, base T v₀, and the factors `back` from x to P."""

    rows: list[Any]
    base: list[Any]
    back: list[Any]


def interior(group: Group, v0: Array, P: Array, off: Array, tolerance: Array) -> tuple[list[Any], Any, Any]:
    """Solve the conditions of a group by the interior-point method.

    Parameters
    ----------
    v0, P : speeds without impulses, and start values of the impulses; one list per condition.
    off : [m/s] residual of P. If it is within the tolerance [m/s], P is returned unchanged.

    Returns
    -------
    Impulses, their residual [m/s], and the number of passes.
    """
    parts = [_scaled(m, rows, base) for m, rows, base in zip(group.members, group.H, v0, strict=True)]
    fast: Any = 1e-9
    for part in parts:
        for b in part.base:
            fast = maximum(fast, absolute(b))
    x = [[fast / (sum(dot(r, r) for r in p.rows) + MIN_DENOMINATOR), *[0.0] * (len(p.rows) - 1)] for p in parts]
    w = [[fast, *[0.0] * (len(p.rows) - 1)] for p in parts]
    y0: list[Any] = [0.0] * len(group.H[0][0])
    for part, own in zip(parts, x, strict=True):
        y0 = add_scaled(y0, own[0], part.rows[0])
    sizes = [len(p.rows) for p in parts]

    rounding = fast * len(parts) / sum((dot(a, b) for a, b in zip(x, w, strict=True)), 0.0)

    def body(carry):
        x, w, y, alpha, best, off, continue_newton, count = carry
        afresh, settings = _round(count)
        begin = [settings.start_scale * a for a in start[0]], start[1], [settings.start_scale * a for a in start[2]]
        x, w, y = (select(afresh, a, b) for a, b in zip(begin, (x, w, y), strict=True))
        centre = minimum(
            maximum(1.0 - where(afresh, FIRST_STEP_LENGTH, alpha), settings.min_centring), settings.max_centring
        )
        x, w, y, alpha = _step(
            group.bases,
            parts,
            _cut(x, sizes),
            _cut(w, sizes),
            y,
            settings,
            centre,
            settings.rounding * rounding / settings.start_scale,
        )
        P = [[a * b for a, b in zip(own, part.back, strict=True)] for own, part in zip(x, parts, strict=True)]
        again = less(0.5, continue_newton)  # the last Newton step reduced the residual: do another from its result
        P, z = select_impulses(again, _cut(best, sizes), P), list(y)
        z = select(again, coordinates(group, P), z)
        P, _, here = try_newton(group, v0, z, P, residual(group, P, speeds(group, v0, z)))
        better = less(here, off)
        best = select(better, _flat(P), best)
        continue_newton = where(better, 1.0, 0.0)
        return (
            _flat(x),
            _flat(w),
            np.array(y),
            alpha,
            np.array(best),
            where(better, here, off),
            continue_newton,
            count + 1.0,
        )

    start = _flat(x), _flat(w), np.array(y0)
    first = (*start, np.array(FIRST_STEP_LENGTH), _flat(P), np.array(off), np.array(0.0), np.array(0.0))
    last = repeat(body, first, sum(r.passes for r in ROUNDS), until=lambda carry: less_equal(carry[5], tolerance))
    return _cut(last[4], sizes), last[5], last[7]


def _round(count):
    """Return a mask that tells whether a round begins at this pass, and the settings of the round."""
    settings: list[Any] = list(ROUNDS[0])
    begin, afresh = ROUNDS[0].passes, less(count, 0.5)
    for own in ROUNDS[1:]:
        afresh = afresh | equal(count, float(begin))
        settings = select(less(count, float(begin)), settings, list(own))
        begin += own.passes
    return afresh, Round(*settings)


def _scaled(m, rows, base) -> Scaled:
    """Scale the rows and the speeds of a condition for the variables x and w."""
    if m.size == 1:
        return Scaled(rows, base, [1.0])
    wide = 1.0 / maximum(m.friction, MIN_FRICTION)
    return Scaled([[wide * a for a in rows[0]], *rows[1:]], [wide * base[0], *base[1:]], [wide, 1.0, 1.0])


def _step(bases, parts, x, w, y, settings: Round, centre, rounding):
    """Do one interior-point step by equations (1)-(4); return x, w, y after it, and its length α."""
    n, count = len(y), len(parts)
    tau = sum((dot(a, b) for a, b in zip(x, w, strict=True)), 0.0) / count
    S = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    right: list[Any] = [0.0] * n
    lines = []
    for part, a, b in zip(parts, x, w, strict=True):
        v = [c + d for c, d in zip(part.base, products(part.rows, y), strict=True)]
        line = (
            _one(centre * tau, a, b, v)
            if len(v) == 1
            else _cone(centre * tau, a, b, v, rounding * tau, settings.coupled)
        )
        for row, pull in zip(part.rows, products(line.k, line.target), strict=True):
            right = add_scaled(right, pull, row)
        lines.append(line)
    for C, members in bases:
        add_projected(S, C, [(_scaled_back(lines[i], parts[i].back), G) for i, G in members])
    dy = solve_dense(S, right)  # (3)
    dx, dw, inverse_length, step = [], [], 1.0, 1.0 / settings.step_fraction
    for part, line, a, b in zip(parts, lines, x, w, strict=True):
        dv = products(part.rows, dy)
        change = [dv[0] + dot(line.coupling, dv[1:]), *dv[1:]]
        dx.append(products(line.k, [c - d for c, d in zip(line.target, change, strict=True)]))  # (2)
        dw.append([c + d - e for c, d, e in zip(line.w, change, b, strict=True)])
        inverse_length = maximum(inverse_length, maximum(_inverse_step(a, dx[-1]), _inverse_step(b, dw[-1])) * step)
    alpha = 1.0 / inverse_length
    after = [[a + alpha * d for a, d in zip(p, q, strict=True)] for p, q in zip(x, dx, strict=True)]
    other = [[a + alpha * d for a, d in zip(p, q, strict=True)] for p, q in zip(w, dw, strict=True)]
    fresh: list[Any] = [0.0] * n
    for part, own in zip(parts, after, strict=True):
        for row, a in zip(part.rows, own, strict=True):
            fresh = add_scaled(fresh, a, row)
    return after, other, fresh, alpha


class Line(NamedTuple):
    """Linearisation of one condition: k of (1), target of (2), w for the current v, and the row c v_tᵀ / |v_t| of C."""

    k: list[Any]
    target: list[Any]
    w: list[Any]
    coupling: list[Any]


def _one(target, x, w, v) -> Line:
    """Linearise a condition without friction."""
    return Line([[x[0] / w[0]]], [target / x[0] - v[0]], [v[0]], [])


def _cone(target, x, w, v, rounding, coupled) -> Line:
    """Linearise a condition with friction, by equations (1) and (2)."""
    slip = sqrt(v[1] * v[1] + v[2] * v[2] + rounding * rounding + MIN_SQUARE)
    w_now = [v[0] + slip, v[1], v[2]]
    qx, qw = _length(x), _length(w)
    a, b = [c / qx for c in x], [c / qw for c in w]
    scale = 1.0 / sqrt(2.0 + 2.0 * dot(a, b))
    p = [(a[0] + b[0]) * scale, (a[1] - b[1]) * scale, (a[2] - b[2]) * scale]
    ratio, signs = qx / qw, (1.0, -1.0, -1.0)
    k = [[ratio * (2.0 * p[i] * p[j] - (signs[i] if i == j else 0.0)) for j in range(3)] for i in range(3)]  # (1)
    inverse = target / (qx * qx)
    right = [inverse * s * c - d for s, c, d in zip(signs, x, w_now, strict=True)]
    turn = coupled / slip
    return Line(k, right, w_now, [turn * v[1], turn * v[2]])


def _length(x):
    """Compute |x|_J, bounded away from 0."""
    return sqrt(
        maximum((x[0] - sqrt(x[1] * x[1] + x[2] * x[2])) * (x[0] + sqrt(x[1] * x[1] + x[2] * x[2])), MIN_SQUARE)
    )


def _scaled_back(line: Line, back) -> list[Any]:
    """Compute the matrix T k C T of one condition."""
    if not line.coupling:
        return line.k
    kC = [[row[0], row[1] + row[0] * line.coupling[0], row[2] + row[0] * line.coupling[1]] for row in line.k]
    return [[a * x * b for x, b in zip(row, back, strict=True)] for row, a in zip(kC, back, strict=True)]


def _inverse_step(x, d):
    """Compute |ρ₁| - ρ₀ of equation (4), the reciprocal of the longest step that stays in the cone."""
    if len(x) == 1:
        return -d[0] / x[0]
    size = _length(x)
    a = [c / size for c in x]
    along = a[0] * d[0] - a[1] * d[1] - a[2] * d[2]
    correction = (along + d[0]) / (a[0] + 1.0)
    r1, r2 = d[1] - correction * a[1], d[2] - correction * a[2]
    return (sqrt(r1 * r1 + r2 * r2 + MIN_SQUARE) - along) / size


def _flat(P):
    """Join one list per condition into one array."""
    return np.array([x for own in P for x in own])


def _cut(flat, sizes) -> list[Any]:
    """Cut one array into lists of these sizes, one per condition."""
    found, at = [], 0
    for size in sizes:
        found.append(list(flat[at : at + size]))
        at += size
    return found
