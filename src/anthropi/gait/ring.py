"""Solve linear equations whose unknowns stand in a ring: blocks that know their neighbours only. Floats only.

Cut the ring at its last block, which joins the border y of unknowns that know all others; the rest x is a chain:

    T x + E y = b,   Eᵀ x + F y = c       (F - Eᵀ T⁻¹ E) y = c - Eᵀ T⁻¹ b                                          (1)
    T's blocks: D_i = H_ii - L_i D_i-1⁻¹ U_i-1, from the first to the last, then back                              (2)

For m blocks of k unknowns the work is m k³, not (m k)³.
"""

import numpy as np

__all__ = ["ring_order", "ring_solve"]


def ring_solve(H, b, blocks, border) -> np.ndarray:
    """x of H x = b, H (n, n) symmetric, positive definite. blocks : indices round the ring. border : other indices."""
    edge = np.concatenate([blocks[-1], border])
    chain = blocks[:-1]
    ahead: list[np.ndarray] = []
    found: list[np.ndarray] = []
    for i, own in enumerate(chain):
        D, right = H[np.ix_(own, own)], np.concatenate([b[own, None], H[np.ix_(own, edge)]], axis=1)
        if i:
            L = H[np.ix_(own, chain[i - 1])]
            D, right = D - L @ ahead[-1], right - L @ found[-1]  # (2)
        follows = H[np.ix_(own, chain[i + 1])] if i + 1 < len(chain) else np.zeros((len(own), 0))
        both = np.linalg.solve(D, np.concatenate([follows, right], axis=1))
        ahead.append(both[:, : follows.shape[1]])
        found.append(both[:, follows.shape[1] :])
    for i in range(len(chain) - 2, -1, -1):
        found[i] = found[i] - ahead[i] @ found[i + 1]
    F, c = H[np.ix_(edge, edge)], b[edge]
    for own, x in zip(chain, found, strict=True):
        E = H[np.ix_(own, edge)]
        F, c = F - E.T @ x[:, 1:], c - E.T @ x[:, 0]
    y = np.linalg.solve(F, c)  # (1)
    out = np.zeros(len(b))
    out[edge] = y
    for own, x in zip(chain, found, strict=True):
        out[own] = x[:, 0] - x[:, 1:] @ y
    return out


def ring_order(parts, kinds, half: int, reach: int = 3) -> list[np.ndarray]:
    """Blocks round the ring of half a cycle, each of `reach` neighbouring coefficients of every curve.

    parts : the slice of each curve's coefficients. kinds : of each curve, as in `periodic.py`. half : coefficients of
    half a cycle, a multiple of `reach`.
    """
    blocks = []
    for first in range(0, half, reach):
        own = np.arange(first, first + reach)
        rows = [p.start + own for p in parts] + [
            p.start + half + own for p, kind in zip(parts, kinds, strict=True) if kind == "cycle"
        ]
        blocks.append(np.concatenate(rows))
    return blocks
