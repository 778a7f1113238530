"""How are steps solved for? Dense by NumPy; sparse by `scipy.sparse` (extra `assembly`) for many bodies. Floats only.

    damped      (JᵀJ + μ 1) d = -Jᵀ r, or d = -Jᵀ (J Jᵀ + μ 1)⁻¹ r where there are fewer rows than unknowns   (1)
    projected   d = e - H Jᵀ y,  (J H Jᵀ + ε 1) y = r + J e,  H = W⁻¹: nearest to e in the norm W, J d = -r   (2)

ε is 1e-13 of the mean diagonal: rows that repeat others do not make (2) singular. Two more passes of (2) on what is
left of r take out its effect.
"""

import numpy as np

from anthropi.errors import MissingExtra

__all__ = ["damped", "mean_square", "projected", "sparse_rows"]

TINY = 1e-13


def _scipy():
    try:
        import scipy.sparse
        import scipy.sparse.linalg
    except ImportError as missing:
        raise MissingExtra("scipy", "assembly", "An assembly of many bodies") from missing
    return scipy.sparse


def sparse_rows(row, column, blocks, shape):
    """A sparse matrix from blocks (1, 6), sorted by row."""
    count = np.bincount(row, minlength=shape[0]) * 6
    indices = (6 * column[:, None] + np.arange(6)).ravel()
    return _scipy().csr_matrix((blocks.ravel(), indices, np.concatenate([[0], np.cumsum(count)])), shape=shape)


def mean_square(J) -> float:
    """The mean over rows of their squared lengths."""
    squares = J.data if not isinstance(J, np.ndarray) else J
    return float((squares * squares).sum()) / max(J.shape[0], 1)


def damped(J, r, mu: float) -> np.ndarray:
    """(1)"""
    m, n = J.shape
    if not isinstance(J, np.ndarray):
        return -_factor(J.T @ J, mu)(J.T @ r)
    if m < n:
        return -J.T @ np.linalg.solve(J @ J.T + mu * np.eye(m), r)
    return -np.linalg.solve(J.T @ J + mu * np.eye(n), J.T @ r)


def projected(J, r, e, H) -> np.ndarray:
    """(2), H (n,) a diagonal."""
    if isinstance(J, np.ndarray):
        S = (J * H) @ J.T
        small = TINY * max(np.trace(S) / max(len(S), 1), 1e-300)
        inverse = np.linalg.inv(S + small * np.eye(len(S)))
        solve = inverse.__matmul__
    else:
        S = J @ _scipy().diags(H) @ J.T
        solve = _factor(S, TINY * max(S.diagonal().mean(), 1e-300))
    d = e
    for _ in range(3):
        d = d - H * (J.T @ solve(r + J @ d))
    return d


def _factor(S, more: float):
    """The solver of a sparse symmetric matrix plus a multiple of 1."""
    sparse = _scipy()
    whole = (S + more * sparse.identity(S.shape[0], format="csr")).tocsc()
    factors = sparse.linalg.splu(whole, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
                                 options={"SymmetricMode": True})  # fmt: skip
    return factors.solve
