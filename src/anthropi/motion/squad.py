"""Spherical quadrangles: attitudes through keys, each piece by its own neighbours alone (Shoemake 1987).

From key C, with ξ to the next one and s = τ / h from 0 to 1, two even turns run side by side, and one is drawn to the
other:

    A(s) = exp(s ξ),   B(s) = exp(α) exp(s η),   squad = A exp(f δ),   δ = log(Aᵀ B),   f = 2 s (1 - s)              (1)

Its rate at the start is ξ + 2 α and at the end ξ - 2 β, exp(η) = exp(-α) exp(ξ) exp(β). With the angular velocity
ω_k wanted at key k, α = (h ω_k - ξ) / 2 and β = (ξ - h ω_k+1) / 2 (2): at even keys, with ω_k the mean of the turns
before and after, that is Shoemake's. So the velocity is continuous for uneven keys too; the acceleration jumps.

    ω_D = ω_B - Dᵀ ω_A,   D = Aᵀ B,   δ' = G_b(δ) ω_D                                                                (3)
    ω_D' = ω_D × Dᵀ ω_A,   δ'' = G_b ω_D' + G_b' ω_D                                                                 (4)
    ω = Eᵀ ω_A + ω_E,   E = exp(θ), θ = f δ, ω_E = J_b(θ) θ',   ω' = Eᵀ ω_A × ω_E + J_b θ'' + J_b' θ'                (5)
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose

__all__ = ["corners", "middle_velocities", "squad"]


def middle_velocities(times, xi, ends: str, slopes) -> np.ndarray:
    """ω (K, 3) at the keys: the parabola through three keys; at the ends as `ends` says. Floats only."""
    h = np.diff(times)[:, None]
    v = xi / h
    if ends == "periodic":
        back, before = np.roll(h, 1, axis=0), np.roll(v, 1, axis=0)
        w = _held((before * h + v * back) / (back + h), np.roll(xi, 1, axis=0), back, xi, h)
        return np.concatenate([w, w[:1]])
    inner = _held((v[:-1] * h[1:] + v[1:] * h[:-1]) / (h[:-1] + h[1:]), xi[:-1], h[:-1], xi[1:], h[1:])
    first, last = (v[:1], v[-1:]) if ends == "natural" else (slopes[:1], slopes[1:])
    return np.concatenate([first, inner, last])


def _held(w, before, back, after, ahead) -> np.ndarray:
    """Slower where a corner would lie more than a quarter turn off, which very uneven keys ask for: it would fold."""
    off = np.maximum(*(np.linalg.norm(x - h * w, axis=-1, keepdims=True) for x, h in ((before, back), (after, ahead))))
    return w * np.minimum(1.0, np.pi / np.maximum(off, 1e-300))


def corners(xi, w, h):
    """α and η of a piece (…, 3) by (2). Floats only."""
    alpha, beta = 0.5 * (h * w[:-1] - xi), 0.5 * (xi - h * w[1:])
    q = rot.quaternion_from_rotation_vector
    there = rot.quaternion_product(rot.quaternion_product(q(-alpha), q(xi)), q(beta))
    return alpha, rot.nearest_rotation_vector(rot.rotation_vector_from_quaternion(there), xi)  # the way round ξ goes


def squad(xi, alpha, eta, s, h):
    """Turn from the piece's first key as a rotation vector, ω and ω' (3,), at s. Records."""
    q, product = rot.quaternion_from_rotation_vector, rot.quaternion_product
    A, B = q(s * xi), product(q(alpha), q(s * eta))
    D = product(rot.quaternion_conjugate(A), B)
    delta = rot.rotation_vector_from_quaternion(D)
    w_A, w_B = xi / h, eta / h
    turned = matvec(transpose(rot.matrix_from_quaternion(D)), w_A)
    w_D = w_B - turned
    rate = matvec(rot.G_b(delta), w_D)  # (3)
    second = matvec(rot.G_b(delta), np.cross(w_D, turned)) + rot.G_b_dot_w(delta, rate, w_D)  # (4)
    f, df, ddf = 2.0 * s * (1.0 - s), (2.0 - 4.0 * s) / h, -4.0 / (h * h)
    theta = f * delta  # (1)
    d_theta, dd_theta = df * delta + f * rate, ddf * delta + 2.0 * df * rate + f * second
    E = q(theta)
    carried, w_E = matvec(transpose(rot.matrix_from_quaternion(E)), w_A), matvec(rot.J_b(theta), d_theta)
    w = carried + w_E  # (5)
    wdot = np.cross(carried, w_E) + matvec(rot.J_b(theta), dd_theta) + rot.J_b_dot_rdot(theta, d_theta)
    return rot.rotation_vector_from_quaternion(product(A, E)), w, wdot
