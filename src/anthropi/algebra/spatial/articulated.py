"""Articulated-body inertia: a symmetric spatial inertia in blocks (docs/equations/thesis.md, 2.4).

    [τ]   [A   H] [ω]      A, M symmetric: their upper triangles, packed;
    [f] = [Hᵀ  M] [v]      H (3, 3)                                           (1)  thesis 2.2, angular part first

    rotate         A' = C A Cᵀ,  H' = C H Cᵀ,  M' = C M Cᵀ                    (2)
    shift by p     H' = H + p× M,  A' = A + H (p×)ᵀ + (H' (p×)ᵀ)ᵀ,  M' = M     (3)
    eliminate      I - U D⁻¹ Uᵀ,  U = I S,  D = Sᵀ I S                        (4)  thesis 6.7
    rate           A' = P + Pᵀ,  P = ω× A + v× Hᵀ                             (5)  thesis 2.2
                   H' = ω× H + v× M - H ω×,  M' = Q + Qᵀ,  Q = ω× M
    harmonic sum   (I₁⁻¹ + I₂⁻¹)⁻¹ = I₁ - I₁ (I₁ + I₂)⁻¹ I₁                   (6)  thesis 2.2

A joint whose motion subspace S consists of unit columns (`axes`) costs less in (4): the rows and columns of the axes
vanish and are not computed; `gain` returns the remaining rows of U D⁻¹. Zeros stay Python floats, so they are not
recorded in (2) and (3) either.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from anthropi.algebra.linear import full, ldl, stacked, symmetric_matvec, transpose, upper, upper_product
from anthropi.algebra.scalar import Array
from anthropi.algebra.spatial.plane_rotations import MatrixRotation
from anthropi.algebra.spatial.vectors import force, remaining_axes, skew

__all__ = ["ArticulatedInertia", "harmonic_sum"]


@dataclass(frozen=True, eq=False)
class ArticulatedInertia:
    """Inertia of a body that carries others through joints. The force for an acceleration a is I a (1).

    Attributes
    ----------
    A : (…, 6) [kg m²], upper triangle of the angular block about the frame's origin.
    H : (…, 3, 3) [kg m], block from linear acceleration to moment.
    M : (…, 6) [kg], upper triangle of the linear block.
    """

    A: Any
    H: Any
    M: Any

    @staticmethod
    def from_matrix(matrix: Array) -> "ArticulatedInertia":
        """Make an inertia from a symmetric (…, 6, 6) matrix. Only its upper triangle is read."""
        return ArticulatedInertia(upper(matrix[..., :3, :3]), matrix[..., :3, 3:], upper(matrix[..., 3:, 3:]))

    def matrix(self) -> Array:
        """Return the dense (…, 6, 6) matrix, without arithmetic operations."""
        top = np.concatenate([full(self.A), self.H], axis=-1)
        return np.concatenate([top, np.concatenate([transpose(self.H), full(self.M)], axis=-1)], axis=-2)

    def act(self, m: Array) -> Array:
        """Return I m (…, 6): the force that gives the acceleration m (1)."""
        w, v = m[..., :3], m[..., 3:]
        moment = symmetric_matvec(self.A, w) + (self.H * v[..., None, :]).sum(-1)
        return force(moment, (self.H * w[..., :, None]).sum(-2) + symmetric_matvec(self.M, v))

    def solve(self, f: Array) -> Array:
        """Return the acceleration (…, 6) that the force f gives, I⁻¹ f, by LDLᵀ (thesis 6.9)."""
        return ldl(self.matrix()).solve(f)

    def __add__(self, other: "ArticulatedInertia") -> "ArticulatedInertia":
        """Return the sum: the inertia of two bodies that move together."""
        return ArticulatedInertia(self.A + other.A, self.H + other.H, self.M + other.M)

    def __sub__(self, other: "ArticulatedInertia") -> "ArticulatedInertia":
        """Return the difference: the inertia without the other body."""
        return ArticulatedInertia(self.A - other.A, self.H - other.H, self.M - other.M)

    # other frames

    def rotated(self, C: Array) -> "ArticulatedInertia":
        """Return the inertia in the frame to which C (…, 3, 3) maps components (2)."""
        rotation = MatrixRotation(C)
        return ArticulatedInertia(rotation.symmetric(self.A), rotation.matrix(self.H), rotation.symmetric(self.M))

    def shifted(self, p: Array) -> "ArticulatedInertia":
        """Return the inertia about the origin of a frame in which this frame's origin is p (…, 3) (3)."""
        x, y, z = (p[..., k][()] for k in range(3))
        new = self.H + transpose(np.cross(p[..., None, :], full(self.M)))
        H, N = ([[block[..., i, j][()] for j in range(3)] for i in range(3)] for block in (self.H, new))
        A = stacked([
            y * (H[0][2] + N[0][2]) - z * (H[0][1] + N[0][1]),
            z * (H[0][0] - N[1][1]) - x * H[0][2] + y * N[1][2],
            y * (N[2][2] - H[0][0]) + x * H[0][1] - z * N[2][1],
            z * (H[1][0] + N[1][0]) - x * (H[1][2] + N[1][2]),
            x * (H[1][1] - N[2][2]) - y * H[1][0] + z * N[2][0],
            x * (H[2][1] + N[2][1]) - y * (H[2][0] + N[2][0]),
        ])  # terms common to H (p×)ᵀ and p× H'ᵀ are merged  # fmt: skip
        return ArticulatedInertia(self.A + A, new, self.M)

    def rate(self, v: Array) -> "ArticulatedInertia":
        """Return dI/dt of a body that moves with v, in stationary coordinates (5)."""
        W, V = skew(v[..., :3]), skew(v[..., 3:])
        P = W @ full(self.A) + V @ transpose(self.H)
        Q = W @ full(self.M)
        H = W @ self.H + V @ full(self.M) - self.H @ W
        return ArticulatedInertia(upper(P + transpose(P)), H, upper(Q + transpose(Q)))

    # a joint along unit columns S of the frame: axes are numbers 0…5, rotation about x y z, then translation

    def columns(self, axes: Iterable[int]) -> Array:
        """Return U = I S (…, 6, k), the columns of the inertia along the axes."""
        return self.matrix()[..., :, list(axes)]

    def block(self, axes: Iterable[int]) -> Array:
        """Return D = Sᵀ I S (…, k, k), the symmetric inertia along the axes."""
        return self.columns(axes)[..., list(axes), :]

    def gain(self, axes: Iterable[int], inverse: Array) -> Array:
        """Return the rows of U D⁻¹ that are not axes (…, 6-k, k); the rows of the axes are the identity."""
        return self.columns(axes)[..., list(remaining_axes(axes)), :] @ inverse

    def eliminate(self, axes: Iterable[int], inverse: Array) -> "ArticulatedInertia":
        """Return I - U D⁻¹ Uᵀ, the inertia felt across a joint that is free to move along the axes (4).

        inverse : D⁻¹ (…, k, k), from `block`. Rows and columns of the axes are 0 and are not computed.
        """
        U = self.columns(axes)[..., list(remaining_axes(axes)), :]
        return self.downdated_off_axes(axes, U @ inverse, U)

    def downdated_off_axes(self, axes: Iterable[int], K: Array, U: Array) -> "ArticulatedInertia":
        """Return I - K Uᵀ, whose rows and columns of the axes are 0.

        K, U : (…, 6-k, n), only the rows that are not axes; K Uᵀ must be symmetric.
        """
        off = list(remaining_axes(axes))
        if not off:
            return ArticulatedInertia(np.zeros(6), np.zeros((3, 3)), np.zeros(6))
        left = upper(self.matrix()[..., off, :][..., :, off]) - upper_product(K, U)
        pool = np.concatenate([left, np.zeros((*left.shape[:-1], 1))], axis=-1)
        A, H, M = _places(tuple(axes))
        return ArticulatedInertia(pool[..., A], pool[..., H], pool[..., M])

    # a joint along any columns S (…, 6, k)

    def act_columns(self, S: Array) -> Array:
        """Return U = I S (…, 6, k) for columns S (…, 6, k)."""
        return np.stack([self.act(S[..., :, j]) for j in range(S.shape[-1])], axis=-1)

    def downdated(self, K: Array, U: Array) -> "ArticulatedInertia":
        """Return I - K Uᵀ for K = U D⁻¹ (…, 6, k) (4)."""
        top, low = U[..., :3, :], U[..., 3:, :]
        A = self.A - upper_product(K[..., :3, :], top)
        M = self.M - upper_product(K[..., 3:, :], low)
        return ArticulatedInertia(A, self.H - K[..., :3, :] @ transpose(low), M)


@cache
def _places(axes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return where A, H and M are in the packed triangle of the remaining rows; axes point behind its end."""
    off = remaining_axes(axes)
    packed = [(i, j) for k, i in enumerate(off) for j in off[k:]]
    at = np.full((6, 6), len(packed))
    for k, (i, j) in enumerate(packed):
        at[i, j] = at[j, i] = k
    rows, columns = np.triu_indices(3)
    return at[rows, columns], at[:3, 3:], at[3 + rows, 3 + columns]


def harmonic_sum(one: ArticulatedInertia, other: ArticulatedInertia) -> ArticulatedInertia:
    """Compute the inertia that resists a force between two bodies (6). Its inverse is the sum of their inverses."""
    I = one.matrix()
    X = ldl((one + other).matrix()).solve_columns(I)
    left = upper(I) - upper_product(I, transpose(X))
    return ArticulatedInertia.from_matrix(full(left))
