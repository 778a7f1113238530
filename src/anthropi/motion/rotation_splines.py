"""Splines of rotations through keys: with continuous angular acceleration, or as spherical quadrangles (squad).

Between the keys C_k and C_k+1, a time h apart, with ξ_k = log(C_kᵀ C_k+1), the path is C_k exp(θ). θ is the cubic from
0 to ξ_k with the slopes ω_k and G_k ω_k+1 (`splines.py` (4)), where G = G_b(ξ) and J = G⁻¹. Since ω = J_b(θ) θ', the
accelerations directly after key k and directly before key k + 1 are

    a⁺_k   = θ''(0)                   = (6 ξ_k / h - 4 ω_k - 2 G_k ω_k+1) / h                                        (1)
    a⁻_k+1 = J_k θ''(h) + J'θ'        = J_k (2 ω_k - 6 ξ_k / h) / h + 4 ω_k+1 / h + Q_k(G_k ω_k+1)                   (2)

Q_k(v) = J_b'(ξ_k, v) v is quadratic in v. The unknown ω satisfy a⁻_k = a⁺_k at inner keys, a block-tridiagonal system
that Newton's method solves (`splines.solve_chain`) with

    DQ(v) e = Q(v + e) - Q(v) - Q(e)                                                                                 (3)

If all keys rotate about one axis, J = G = 1 and Q = 0, and this is the spline of the angle. Works on plain floats only.

Spherical quadrangles (K. Shoemake, "Quaternion calculus and fast animation", SIGGRAPH course notes, 1987) depend on the
neighbouring keys alone. From key C, with ξ to the next one and s = τ / h from 0 to 1, two uniform rotations are
blended:

    A(s) = exp(s ξ),   B(s) = exp(α) exp(s η),   squad = A exp(f δ),   δ = log(Aᵀ B),   f = 2 s (1 - s)              (4)

The rate at the start is ξ + 2 α and at the end ξ - 2 β, exp(η) = exp(-α) exp(ξ) exp(β). For angular velocities ω_k at
the keys,

    α = (h ω_k - ξ) / 2,   β = (ξ - h ω_k+1) / 2                                                                     (5)

For evenly spaced keys, with ω_k the mean of the rotations before and after, these are Shoemake's formulas. The velocity
is continuous for unevenly spaced keys too; the acceleration jumps at the keys.

    ω_D = ω_B - Dᵀ ω_A,   D = Aᵀ B,   δ' = G_b(δ) ω_D                                                                (6)
    ω_D' = ω_D × Dᵀ ω_A,   δ'' = G_b ω_D' + G_b' ω_D                                                                 (7)
    ω = Eᵀ ω_A + ω_E,   E = exp(θ), θ = f δ, ω_E = J_b(θ) θ',   ω' = Eᵀ ω_A × ω_E + J_b θ'' + J_b' θ'                (8)
"""

from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.motion.splines import solve_chain

__all__ = ["corners", "key_velocities", "middle_velocities", "squad"]


MAX_NEWTON_STEPS = 40
MIN_STRIDE = 1e-3  # smallest step of the continuation from small rotations to full size


def key_velocities(times: Any, xi: Any, guess: Any, ends: str, slopes: Any) -> tuple[np.ndarray, float]:
    """Angular velocities (K, 3) at the keys for continuous angular acceleration, and the remaining jump [rad/s²].

    Parameters
    ----------
    times : (K,) [s].
    xi : (K - 1, 3) rotation vectors from key to key.
    guess : (K, 3) [rad/s] start of Newton's method.
    ends : "natural", "clamped" or "periodic".
    slopes : (2, 3) [rad/s] at the ends, if clamped.

    If Newton's method does not converge from the guess, the rotations are increased in steps from small to full size.
    """
    ring, h = ends == "periodic", np.diff(times)
    enough = 1e-10 * (1.0 + np.abs(xi).max() / h.min() ** 2)
    start = guess[:-1] if ring else guess
    w, left = _newton(_KeyEquations(h, xi, ring, ends, np.asarray(slopes, float)), start)
    part, stride, reached = 0.0, 0.25, start
    while left > enough and part < 1.0 and stride > MIN_STRIDE:
        size = min(1.0, part + stride)
        begun = reached * (size / part) if part > 0.0 else size * start
        tried, left = _newton(_KeyEquations(h, size * xi, ring, ends, size * np.asarray(slopes, float)), begun)
        if left > enough:
            stride *= 0.5
            continue
        part, reached = size, tried
        w, left = (tried, left) if part == 1.0 else (w, np.inf)
    return np.concatenate([w, w[:1]]) if ring else w, left


def _newton(fixed: "_KeyEquations", w) -> tuple[np.ndarray, float]:
    """Find velocities without jumps of the acceleration by Newton's method from w; return them and the last jump."""
    left, blocks = fixed.jump(w)
    for _ in range(MAX_NEWTON_STEPS):
        L, D, U = blocks
        step = solve_chain(L, D, U, -left[..., None], fixed.ring)[..., 0]
        size, reach = np.abs(left).max(), 1.0
        while reach > 1e-4:  # shorten the step while the jump does not decrease
            tried, more = fixed.jump(w + reach * step)
            if np.abs(tried).max() < size or np.abs(reach * step).max() < 1e-13 * (1.0 + np.abs(w).max()):
                break
            reach *= 0.5
        else:
            break
        w, left, blocks = w + reach * step, tried, more
        if np.abs(reach * step).max() < 1e-14 * (1.0 + np.abs(w).max()):
            break
    return w, float(np.abs(left).max())


class _KeyEquations:
    """Equations a⁻ = a⁺ (equal accelerations) at the keys, for unknown angular velocities."""

    def __init__(self, h, xi, ring: bool, ends: str, slopes) -> None:
        self.h, self.xi, self.ring, self.ends, self.slopes = h[:, None], xi, ring, ends, slopes
        self.J, self.G = rot.J_b(xi), rot.G_b(xi)

    def jump(self, w):
        """Jump a⁻ - a⁺ at every key (n, 3), and the blocks L, D, U (n, 3, 3) of its derivative."""
        h, xi, J, G = self.h, self.xi, self.J, self.G
        here, there = w[: len(h)], np.roll(w, -1, axis=0) if self.ring else w[1:]
        v = matvec(G, there)
        leaving = (6.0 * xi / h - 4.0 * here - 2.0 * v) / h  # (1)
        arriving = matvec(J, 2.0 * here - 6.0 * xi / h) / h + 4.0 * there / h + rot.J_b_dot_rdot(xi, v)  # (2)
        one = np.eye(3)
        wide = h[..., None]
        leaving_here, leaving_there = np.broadcast_to(-4.0 * one / wide, J.shape), -2.0 * G / wide
        arriving_here, arriving_there = 2.0 * J / wide, 4.0 * one / wide + self._quadratic_derivative(v) @ G
        if self.ring:
            arriving, arriving_here, arriving_there = (
                np.roll(x, 1, axis=0) for x in (arriving, arriving_here, arriving_there)
            )
            return arriving - leaving, (arriving_here, arriving_there - leaving_here, -leaving_there)
        n = len(w)
        left, L, D, U = np.zeros((n, 3)), np.zeros((n, 3, 3)), np.zeros((n, 3, 3)), np.zeros((n, 3, 3))
        left[1:-1] = arriving[:-1] - leaving[1:]
        L[1:-1], D[1:-1], U[1:-1] = arriving_here[:-1], arriving_there[:-1] - leaving_here[1:], -leaving_there[1:]
        if self.ends == "natural":
            left[0], D[0], U[0] = -leaving[0], -leaving_here[0], -leaving_there[0]
            left[-1], L[-1], D[-1] = arriving[-1], arriving_here[-1], arriving_there[-1]
        else:
            left[0], left[-1] = w[0] - self.slopes[0], w[-1] - self.slopes[1]
            D[0] = D[-1] = one
        return left, (L, D, U)

    def _quadratic_derivative(self, v):
        """Return the matrix DQ(v) (n, 3, 3) of (3)."""

        def Q(x):
            return rot.J_b_dot_rdot(self.xi, x)

        columns = []
        for k in range(3):
            e = np.broadcast_to(np.eye(3)[k], v.shape)
            columns.append(Q(v + e) - Q(v) - Q(e))
        return np.stack(columns, -1)


def middle_velocities(times: Any, xi: Any, ends: str, slopes: Any) -> np.ndarray:
    """Angular velocities (K, 3) at the keys for squad, from a parabola through three keys; at the ends by `ends`."""
    h = np.diff(times)[:, None]
    v = xi / h
    if ends == "periodic":
        back, before = np.roll(h, 1, axis=0), np.roll(v, 1, axis=0)
        w = _limited((before * h + v * back) / (back + h), np.roll(xi, 1, axis=0), back, xi, h)
        return np.concatenate([w, w[:1]])
    inner = _limited((v[:-1] * h[1:] + v[1:] * h[:-1]) / (h[:-1] + h[1:]), xi[:-1], h[:-1], xi[1:], h[1:])
    first, last = (v[:1], v[-1:]) if ends == "natural" else (slopes[:1], slopes[1:])
    return np.concatenate([first, inner, last])


def _limited(w, before, back, after, ahead) -> np.ndarray:
    """Reduce velocities of very uneven keys, so that no corner of a quadrangle is more than π/2 away."""
    off = np.maximum(*(np.linalg.norm(x - h * w, axis=-1, keepdims=True) for x, h in ((before, back), (after, ahead))))
    return w * np.minimum(1.0, np.pi / np.maximum(off, 1e-300))


def corners(xi: Any, w: Any, h: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return α and η (…, 3) of the pieces by (5). Works on plain floats only; cannot be recorded on a tape."""
    alpha, beta = 0.5 * (h * w[:-1] - xi), 0.5 * (xi - h * w[1:])
    q = rot.quaternion_from_rotation_vector
    there = rot.quaternion_product(rot.quaternion_product(q(-alpha), q(xi)), q(beta))
    return alpha, rot.nearest_rotation_vector(rot.rotation_vector_from_quaternion(there), xi)  # the one nearest to ξ


def squad(xi: Any, alpha: Any, eta: Any, s: Any, h: Any) -> tuple[Any, ...]:
    """Return the rotation vector from the first key of the piece, ω and ω' (3,), at s, by (4)-(8). Can be recorded."""
    q, product = rot.quaternion_from_rotation_vector, rot.quaternion_product
    A, B = q(s * xi), product(q(alpha), q(s * eta))
    D = product(rot.quaternion_conjugate(A), B)
    delta = rot.rotation_vector_from_quaternion(D)
    w_A, w_B = xi / h, eta / h
    carried_back = matvec(transpose(rot.matrix_from_quaternion(D)), w_A)
    w_D = w_B - carried_back
    rate = matvec(rot.G_b(delta), w_D)  # (6)
    second = matvec(rot.G_b(delta), np.cross(w_D, carried_back)) + rot.G_b_dot_w(delta, rate, w_D)  # (7)
    f, df, ddf = 2.0 * s * (1.0 - s), (2.0 - 4.0 * s) / h, -4.0 / (h * h)
    theta = f * delta  # (4)
    d_theta, dd_theta = df * delta + f * rate, ddf * delta + 2.0 * df * rate + f * second
    E = q(theta)
    carried, w_E = matvec(transpose(rot.matrix_from_quaternion(E)), w_A), matvec(rot.J_b(theta), d_theta)
    w = carried + w_E  # (8)
    wdot = np.cross(carried, w_E) + matvec(rot.J_b(theta), dd_theta) + rot.J_b_dot_rdot(theta, d_theta)
    return rot.rotation_vector_from_quaternion(product(A, E)), w, wdot
