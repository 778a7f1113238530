"""What do unknowns in a row that meet only their neighbours come to? Block-tridiagonal equations, open or in a ring.

    Lᵢ xᵢ₋₁ + Dᵢ xᵢ + Uᵢ xᵢ₊₁ = rᵢ,   i = 0 … n-1                                   (1)

Open: L₀ = Uₙ₋₁ = 0. In a ring x₋₁ = xₙ₋₁ and xₙ = x₀: the last unknown z is set apart, x = y + Z z (2), and its own row
gives it (3). Elimination from the first to the last, without exchange of rows: fit for splines, whose D outweighs its
neighbours. Floats only.
"""

import numpy as np

__all__ = ["solve_chain"]


def solve_chain(L, D, U, r, ring: bool = False) -> np.ndarray:
    """x (n, …, m, c) of (1): L, D, U (n, …, m, m), r (n, …, m, c); axes between are solved side by side."""
    n = len(D)
    if not ring:
        return _open(L, D, U, r)
    if n == 1:
        return np.linalg.solve(L + D + U, r)
    if n == 2:  # both neighbours are the other one
        first, last = np.concatenate([D[0], L[0] + U[0]], -1), np.concatenate([L[1] + U[1], D[1]], -1)
        both = np.linalg.solve(np.concatenate([first, last], -2), np.concatenate([r[0], r[1]], -2))
        return np.stack(np.split(both, 2, axis=-2))
    wide = np.zeros((n - 1, *D.shape[1:]))
    wide[0] -= L[0]
    wide[-1] -= U[-2]
    found = _open(L[:-1], D[:-1], U[:-1], np.concatenate([r[:-1], wide], -1))
    y, Z = found[..., : r.shape[-1]], found[..., r.shape[-1] :]  # (2)
    own = D[-1] + U[-1] @ Z[0] + L[-1] @ Z[-1]
    z = np.linalg.solve(own, r[-1] - U[-1] @ y[0] - L[-1] @ y[-1])  # (3)
    return np.concatenate([y + Z @ z, z[None]])


def _open(L, D, U, r) -> np.ndarray:
    """(1), L₀ and Uₙ₋₁ not read."""
    n, c = len(D), r.shape[-1]
    after: list = []
    known: list = []
    for i in range(n):
        head, right = (D[i], r[i]) if i == 0 else (D[i] - L[i] @ after[-1], r[i] - L[i] @ known[-1])
        both = np.linalg.solve(head, np.concatenate([right, U[i]], -1))
        known.append(both[..., :c])
        after.append(both[..., c:])
    for i in range(n - 2, -1, -1):
        known[i] = known[i] - after[i] @ known[i + 1]
    return np.stack(known)
