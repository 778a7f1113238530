"""Dense 6×6 forms of the thesis: motion [ω; v₀], force [f; τ₀]. Used by tests only."""

import numpy as np

P = np.block([[np.zeros((3, 3)), np.eye(3)], [np.eye(3), np.zeros((3, 3))]])  # swaps the halves: our force ↔ theirs


def hat(r):
    """r× by its definition (4.2)."""
    x, y, z = r
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def column_s(column):
    """[a; b]^S = [bᵀ aᵀ] (4.6)."""
    return np.concatenate([column[3:], column[:3]])


def matrix_s(m):
    """[[A, B], [C, D]]^S = [[Dᵀ, Bᵀ], [Cᵀ, Aᵀ]] (4.6)."""
    A, B, C, D = m[:3, :3], m[:3, 3:], m[3:, :3], m[3:, 3:]
    return np.block([[D.T, B.T], [C.T, A.T]])


def x_to(E, r):
    """_P X_O = [[E, 0], [E (r×)ᵀ, E]] (4.3, 4.4 with E1)."""
    return np.block([[E, np.zeros((3, 3))], [E @ hat(r).T, E]])


def x_from(E, r):
    """_O X_P = [[E⁻¹, 0], [r× E⁻¹, E⁻¹]] (4.5)."""
    return np.block([[E.T, np.zeros((3, 3))], [hat(r) @ E.T, E.T]])


def cross_hat(v):
    """[a; b]×^ = [[a×, 0], [b×, a×]] (4.3.5)."""
    return np.block([[hat(v[:3]), np.zeros((3, 3))], [hat(v[3:]), hat(v[:3])]])


def inertia_hat(mass, c, tensor):
    """I^ = [[Hᵀ, M], [I, H]] (5.2.3)."""
    H = mass * hat(c)
    return np.block([[H.T, mass * np.eye(3)], [tensor + mass * hat(c) @ hat(c).T, H]])
