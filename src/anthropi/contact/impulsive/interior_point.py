"""Which impulses meet all conditions, where sweeps are slow? A primal-dual interior-point method over the same cones.

In x = (μ P_n, P_t) and w = (v_n / μ + |v_t|, v_t) Coulomb's law reads x, w ∈ L, x ∘ w = 0, L Lorentz' cone, with
w = T (v₀ + H y) + |v_t| n, T = (1/μ, 1, 1). Each pass aims at x ∘ w = σ τ, τ the mean of x · w, with the scaling of
Nesterov and Todd, J = diag(1, -1, -1), |x|_J² = xᵀ J x, x̄ = x / |x|_J, w̄ = w / |w|_J:

    k = |x|_J / |w|_J (2 p pᵀ - J),   p = (x̄ + J w̄) / √(2 + 2 x̄·w̄)          maps w to x              (1)
    dx = k (σ τ J x / |x|_J² - w - C T H dy),   C = 1 + c n v_tᵀ / |v_t|                             (2)
    (1 + Σ HᵀT k C T H) dy = Σ HᵀT k (σ τ J x / |x|_J² - w)                                           (3)

One that only pushes is x = P, w = v, k = x / w. A step goes most of the way to the nearest cone: x + α d ∈ L while

    1 + α (ρ₀ - |ρ₁|) ≥ 0,   ρ₀ = x̄ᵀ J d / |x|_J,   ρ₁ = (d₁ - (ρ₀ |x|_J + d₀) / (x̄₀ + 1) x̄₁) / |x|_J   (4)

(the step lengths of Andersen, Dahl and Vandenberghe). After each pass a Newton step of `group.py` is tried: once every
contact is known to be open, sticking or sliding, it ends the search.

Coulomb's law is not monotone, and a path to τ = 0 may end at the edge of a cone before it gets there. Against that
|v_t| is rounded off, √(v_t² + (s τ)²); short steps raise σ, which leads back to the middle; and there are several
rounds, the later ones for about one problem in a hundred. With c = 0 each step is one of a convex program: slow.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import absolute, equal, less, less_equal, maximum, minimum, sqrt, where
from anthropi.contact.impulsive.group import (
    Group,
    choose,
    chosen,
    eliminated,
    gathered,
    improved,
    moved,
    residual,
    speeds,
)
from anthropi.contact.vectors import add_scaled, dot, products
from anthropi.tape import repeat

__all__ = ["interior"]

LEAST = 1e-3  # friction below which the cone counts as this wide; the Newton step takes the true one
TINY, SQUARE = 1e-30, 1e-36


class Round(NamedTuple):
    """So many passes from afresh, each `short` of the way to the nearest cone, σ = 1 - α kept between two bounds.

    coupled : c of (2). high_up : how large impulses are at the start. blunt : how much |v_t| is rounded off there, of
    the fastest speed.
    """

    passes: int
    short: float
    low: float
    high: float
    coupled: float
    high_up: float
    blunt: float


ROUNDS = (
    Round(40, 0.8, 0.1, 0.9, 1.0, 1.0, 0.3),
    Round(40, 0.5, 0.1, 0.9, 1.0, 1.0, 0.3),
    Round(40, 0.8, 0.1, 0.9, 1.0, 10.0, 0.3),
    Round(160, 0.95, 0.9, 0.95, 0.0, 1.0, 0.0),
    Round(150, 0.5, 0.1, 0.9, 0.7, 100.0, 0.3),
    Round(140, 0.95, 0.1, 0.9, 0.0, 10.0, 0.3),
)
FIRST = 0.7  # α before there is one


class Scaled(NamedTuple):
    """Rows T H, T v₀, and how P follows from x."""

    rows: list
    base: list
    back: list


def interior(group: Group, v0, P, off, tolerance):
    """P, what is off [m/s], and how many passes; P as given where that is good enough."""
    parts = [_scaled(m, rows, base) for m, rows, base in zip(group.members, group.H, v0, strict=True)]
    fast: Any = 1e-9
    for part in parts:
        for b in part.base:
            fast = maximum(fast, absolute(b))
    x = [[fast / (sum(dot(r, r) for r in p.rows) + TINY), *[0.0] * (len(p.rows) - 1)] for p in parts]
    w = [[fast, *[0.0] * (len(p.rows) - 1)] for p in parts]
    y0: list = [0.0] * len(group.H[0][0])
    for part, own in zip(parts, x, strict=True):
        y0 = add_scaled(y0, own[0], part.rows[0])
    sizes = [len(p.rows) for p in parts]

    blunt = fast * len(parts) / sum((dot(a, b) for a, b in zip(x, w, strict=True)), 0.0)

    def body(carry):
        x, w, y, alpha, best, off, near, count = carry
        afresh, now = _round(count)
        begin = [now.high_up * a for a in start[0]], start[1], [now.high_up * a for a in start[2]]
        x, w, y = (choose(afresh, a, b) for a, b in zip(begin, (x, w, y), strict=True))
        centre = minimum(maximum(1.0 - where(afresh, FIRST, alpha), now.low), now.high)
        x, w, y, alpha = _step(
            group.bases, parts, _cut(x, sizes), _cut(w, sizes), y, now, centre, now.blunt * blunt / now.high_up
        )
        P = [[a * b for a, b in zip(own, part.back, strict=True)] for own, part in zip(x, parts, strict=True)]
        again = less(0.5, near)  # the last Newton step made things better: one more from where it led
        P, z = chosen(again, _cut(best, sizes), P), list(y)
        z = choose(again, moved(group, P), z)
        P, _, here = improved(group, v0, z, P, residual(group, P, speeds(group, v0, z)))
        better = less(here, off)
        best = choose(better, _flat(P), best)
        near = where(better, 1.0, 0.0)
        return _flat(x), _flat(w), np.array(y), alpha, np.array(best), where(better, here, off), near, count + 1.0

    start = _flat(x), _flat(w), np.array(y0)
    first = (*start, np.array(FIRST), _flat(P), np.array(off), np.array(0.0), np.array(0.0))
    last = repeat(body, first, sum(r.passes for r in ROUNDS), until=lambda carry: less_equal(carry[5], tolerance))
    return _cut(last[4], sizes), last[5], last[7]


def _round(count):
    """Whether a round begins, and its settings."""
    now: list = list(ROUNDS[0])
    begin, afresh = ROUNDS[0].passes, less(count, 0.5)
    for own in ROUNDS[1:]:
        afresh = afresh | equal(count, float(begin))
        now = choose(less(count, float(begin)), now, list(own))
        begin += own.passes
    return afresh, Round(*now)


def _scaled(m, rows, base) -> Scaled:
    if m.size == 1:
        return Scaled(rows, base, [1.0])
    wide = 1.0 / maximum(m.friction, LEAST)
    return Scaled([[wide * a for a in rows[0]], *rows[1:]], [wide * base[0], *base[1:]], [wide, 1.0, 1.0])


def _step(bases, parts, x, w, y, now: Round, centre, blunt):
    """(1)-(4)"""
    n, count = len(y), len(parts)
    tau = sum((dot(a, b) for a, b in zip(x, w, strict=True)), 0.0) / count
    S = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    right: list = [0.0] * n
    lines = []
    for part, a, b in zip(parts, x, w, strict=True):
        v = [c + d for c, d in zip(part.base, products(part.rows, y), strict=True)]
        line = _one(centre * tau, a, b, v) if len(v) == 1 else _cone(centre * tau, a, b, v, blunt * tau, now.coupled)
        for row, pull in zip(part.rows, products(line.k, line.aim), strict=True):
            right = add_scaled(right, pull, row)
        lines.append(line)
    for C, members in bases:
        gathered(S, C, [(_between(lines[i], parts[i].back), G) for i, G in members])
    dy = eliminated(S, right)  # (3)
    dx, dw, steep, way = [], [], 1.0, 1.0 / now.short
    for part, line, a, b in zip(parts, lines, x, w, strict=True):
        dv = products(part.rows, dy)
        change = [dv[0] + dot(line.turn, dv[1:]), *dv[1:]]
        dx.append(products(line.k, [c - d for c, d in zip(line.aim, change, strict=True)]))  # (2)
        dw.append([c + d - e for c, d, e in zip(line.now, change, b, strict=True)])
        steep = maximum(steep, maximum(_steepness(a, dx[-1]), _steepness(b, dw[-1])) * way)
    alpha = 1.0 / steep
    after = [[a + alpha * d for a, d in zip(p, q, strict=True)] for p, q in zip(x, dx, strict=True)]
    other = [[a + alpha * d for a, d in zip(p, q, strict=True)] for p, q in zip(w, dw, strict=True)]
    fresh: list = [0.0] * n
    for part, own in zip(parts, after, strict=True):
        for row, a in zip(part.rows, own, strict=True):
            fresh = add_scaled(fresh, a, row)
    return after, other, fresh, alpha


class Line(NamedTuple):
    """k of (1), what (2) aims at, w as v is now, and C's row c v_tᵀ / |v_t|."""

    k: list
    aim: list
    now: list
    turn: list


def _one(aim, x, w, v) -> Line:
    return Line([[x[0] / w[0]]], [aim / x[0] - v[0]], [v[0]], [])


def _cone(aim, x, w, v, blunt, coupled) -> Line:
    slip = sqrt(v[1] * v[1] + v[2] * v[2] + blunt * blunt + SQUARE)
    now = [v[0] + slip, v[1], v[2]]
    qx, qw = _length(x), _length(w)
    a, b = [c / qx for c in x], [c / qw for c in w]
    scale = 1.0 / sqrt(2.0 + 2.0 * dot(a, b))
    p = [(a[0] + b[0]) * scale, (a[1] - b[1]) * scale, (a[2] - b[2]) * scale]
    ratio, signs = qx / qw, (1.0, -1.0, -1.0)
    k = [[ratio * (2.0 * p[i] * p[j] - (signs[i] if i == j else 0.0)) for j in range(3)] for i in range(3)]  # (1)
    inverse = aim / (qx * qx)
    want = [inverse * s * c - d for s, c, d in zip(signs, x, now, strict=True)]
    turn = coupled / slip
    return Line(k, want, now, [turn * v[1], turn * v[2]])


def _length(x):
    """|x|_J, kept from 0."""
    return sqrt(maximum((x[0] - sqrt(x[1] * x[1] + x[2] * x[2])) * (x[0] + sqrt(x[1] * x[1] + x[2] * x[2])), SQUARE))


def _between(line: Line, back) -> list:
    """T k C T"""
    if not line.turn:
        return line.k
    kC = [[row[0], row[1] + row[0] * line.turn[0], row[2] + row[0] * line.turn[1]] for row in line.k]
    return [[a * x * b for x, b in zip(row, back, strict=True)] for row, a in zip(kC, back, strict=True)]


def _steepness(x, d):
    """|ρ₁| - ρ₀ of (4): one over the longest step."""
    if len(x) == 1:
        return -d[0] / x[0]
    size = _length(x)
    a = [c / size for c in x]
    along = a[0] * d[0] - a[1] * d[1] - a[2] * d[2]
    bend = (along + d[0]) / (a[0] + 1.0)
    r1, r2 = d[1] - bend * a[1], d[2] - bend * a[2]
    return (sqrt(r1 * r1 + r2 * r2 + SQUARE) - along) / size


def _flat(P):
    return np.array([x for own in P for x in own])


def _cut(flat, sizes) -> list:
    found, at = [], 0
    for size in sizes:
        found.append(list(flat[at : at + size]))
        at += size
    return found
