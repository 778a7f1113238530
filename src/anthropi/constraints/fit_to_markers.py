"""Fit a figure to measured markers: the inverse kinematics of a trial, one kernel for all frames.

With marker m of weight w at the point p of its link, error e to the measured position, and the columns (ω, l) of the
joints, taken at the world origin (l' = l - ω × o, o : the joint), the normal equations of Gauss–Newton are those of
point masses w at the markers:

    H_jk = Σ w (l'_j + ω_j × p) · (l'_k + ω_k × p),   g_j = Σ w (l'_j + ω_j × p) · e                              (1)

over the markers beyond both joints. So the composite sums over the links beyond a joint

    A = Σ w,   b = Σ w p,   I = Σ w (p·p 1 - p pᵀ),   f = Σ w e,   n = Σ w p × e                                  (2)

give one force and one moment for each column, as in the composite-rigid-body algorithm (Featherstone 2008, ch. 6):

    F_k = A l'_k + ω_k × b,   N_k = b × l'_k + I ω_k,   H_jk = l'_j · F_k + ω_j · N_k,   g_j = l'_j · f + ω_j · n   (3)

The step d minimises the errors and the distance to a reference posture, which determines joints without markers:

    (H + μ + λ) d = g + λ (q_ref ⊟ q)                                                                             (4)

Leaves come first in the elimination of (4): the zeros of H between branches stay zeros. Positions are taken relative to
the root. Can be recorded on a tape.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algebra.linear.symmetric import ldl, stacked
from anthropi.algebra.scalar import absolute, less, maximum, sqrt, where
from anthropi.algorithms.jacobians import columns
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.algorithms.shapes import Array, Number
from anthropi.compiler import kernel_for
from anthropi.compiler.cache import digest, source_digest
from anthropi.figure import Figure
from anthropi.figure.numbers import content
from anthropi.tape import record, repeat

__all__ = ["MarkerFit", "MarkerFitSettings", "fit_to_markers", "marker_kernel"]


@dataclass(frozen=True)
class MarkerFitSettings:
    """Settings of `fit_to_markers`.

    passes : largest number of steps. settled : [rad, m] largest entry of a step at which the iteration ends.
    damping : μ of (4), relative to the mean of the diagonal of H, while the mean error is above `far` [m]; it falls
    with the square of the error below. posture : λ of (4), relative to the mean of the diagonal of H.
    max_turn : [rad] largest rotation in a step.
    """

    passes: int = 30
    settled: float = 1e-4
    damping: float = 1e-3
    far: float = 0.05
    posture: float = 1e-5
    max_turn: float = 0.8


class MarkerFit(NamedTuple):
    """Result of `fit_to_markers`: q (nq,), the distance (markers,) [m] of each marker, and the number of steps."""

    q: Any
    error: Any
    passes: Any


def fit_to_markers(
    figure: Figure,
    points: tuple[tuple[int, tuple[float, ...]], ...],
    q0: Array,
    goals: Array,
    weights: Array,
    posture: Array,
    settings: MarkerFitSettings = MarkerFitSettings(),
) -> MarkerFit:
    """Find the configuration in which the markers of a figure are nearest to measured positions.

    points : (link number, point in its frame) of each marker. q0 : (nq,), the start. goals : (markers * 3,) [m].
    weights : (markers,), 0 for markers that were not seen. posture : (nq,), reference posture.
    """

    def body(state: Any) -> Any:
        q, count, _ = state
        H, g, rotations, far = _normal_equations(figure, points, q, goals, weights)
        mean = sum(H[i, i] for i in range(figure.nu)) / figure.nu
        near = far / (settings.far * settings.far)
        mu = mean * settings.damping * where(less(near, 1.0), near, 1.0)
        pull = mean * settings.posture
        away = _difference(figure, q, posture)
        for i in range(figure.nu):
            H[i, i] = H[i, i] + mu + pull
        order = np.arange(figure.nu)[::-1]
        x = ldl(H[np.ix_(order, order)]).solve(stacked([g[i] + pull * away[i] for i in order]))
        d = np.array([x[figure.nu - 1 - i] for i in range(figure.nu)])
        most = _largest([absolute(d[i]) for i in range(figure.nu) if rotations[i]])
        d = d * (settings.max_turn / maximum(most, settings.max_turn))
        size = _largest([absolute(x) for x in d])
        return _integrate(figure, q, d), count + 1.0, size

    start = (q0, np.array(0.0), np.array(1.0))
    ended = repeat(body, start, settings.passes, until=lambda state: less(state[2], settings.settled))
    q = ended[0]
    k = kinematics(figure, q)
    apart = [goals[3 * m : 3 * m + 3] - point_position(k, i, np.array(s)) for m, (i, s) in enumerate(points)]
    return MarkerFit(q, stacked([sqrt((e * e).sum()) for e in apart]), ended[1])


def _normal_equations(figure, points, q, goals, weights) -> tuple[Array, list[Any], list[bool], Number]:
    """Return H (nu, nu) and g of (1), whether each unknown is a rotation, and the weighted mean squared error."""
    k = kinematics(figure, q)
    base = k.position[0]
    zero: Any = [0.0, np.zeros(3), np.zeros((3, 3)), np.zeros(3), np.zeros(3)]
    sums = [list(zero) for _ in range(figure.n)]
    total, cost = 0.0, 0.0
    for m, (i, s) in enumerate(points):
        w, at = weights[m], point_position(k, i, np.array(s))
        p, e = at - base, goals[3 * m : 3 * m + 3] - at
        wp, we = w * p, w * e
        square = (wp * p).sum()
        I = np.array([[(square if a == b else 0.0) - wp[a] * p[b] for b in range(3)] for a in range(3)])
        for n, x in enumerate((w, wp, I, we, np.cross(p, we))):
            sums[i][n] = sums[i][n] + x  # (2)
        total, cost = total + w, cost + (we * e).sum()
    for i, parent, _ in reversed(list(figure.outward())):
        if parent >= 0:
            sums[parent] = [a + b for a, b in zip(sums[parent], sums[i], strict=True)]  # (2)
    H = np.zeros((figure.nu, figure.nu), object)
    g: list[Any] = [0.0] * figure.nu
    rotations = [False] * figure.nu
    own: list[list[tuple[int, Array, Array]]] = []
    for i, joint in enumerate(figure.joints):
        own.append([])
        if not joint.nu:
            continue
        spins, slides = columns(figure, k, q, i)
        A, b, I, f, n = sums[i]
        for c in range(joint.nu):
            at, omega = figure.u_of[i].start + c, spins[c]
            l = slides[c] - np.cross(omega, k.position[i] - base)
            own[i].append((at, omega, l))
            rotations[at] = not joint.lengths or not joint.lengths[c]
            F, N = A * l + np.cross(omega, b), np.cross(b, l) + matvec(I, omega)  # (3)
            g[at] = (l * f).sum() + (omega * n).sum()
            for j in figure.path(i):
                for other, omega_j, l_j in own[j]:
                    H[other, at] = H[at, other] = (l_j * F).sum() + (omega_j * N).sum()  # (3)
    return H, g, rotations, cost / maximum(total, 1e-9)


def _difference(figure: Figure, q: Array, goal: Array) -> Array:
    parts = [j.difference(q[at], goal[at]) for j, at in zip(figure.joints, figure.q_of, strict=True)]
    return np.concatenate(parts)


def _integrate(figure: Figure, q: Array, d: Array) -> Array:
    return np.concatenate(
        [j.integrate(q[at], d[of]) for j, at, of in zip(figure.joints, figure.q_of, figure.u_of, strict=True)]
    )


def _largest(values: list[Any]) -> Number:
    top = values[0]
    for value in values[1:]:
        top = maximum(top, value)
    return top


_kernels: dict[tuple[Any, ...], Any] = {}


def marker_kernel(figure: Figure, points: Any, settings: MarkerFitSettings = MarkerFitSettings()) -> Any:
    """Return the kernel of `fit_to_markers` for a figure and its markers. Inputs: q0, goals, weights, posture."""
    points = tuple((int(i), tuple(float(x) for x in s)) for i, s in points)
    key = (figure.key, points, settings)
    if key not in _kernels:
        name = digest("marker fit", content((figure.key, points, repr(settings))),
                      source_digest("algebra", "figure", "algorithms", "constraints"))  # fmt: skip
        inputs = {
            "q0": np.zeros(figure.nq),
            "goals": np.zeros(3 * len(points)),
            "weights": np.zeros(len(points)),
            "posture": np.zeros(figure.nq),
        }
        _kernels[key] = kernel_for(
            name, lambda: record(lambda **x: fit_to_markers(figure, points, **x, settings=settings), **inputs)
        )
    return _kernels[key]
