"""What inertia do slopes of contact forces add to a link?

A force F - B (v⁺ - v) at the point s of a link, with B = b 1 + w n nᵀ (link frame), and w = B_n - B_t, adds

    A = Σ [s]B[s]ᵀ,   H = Σ [s]B,   M = Σ B                                    (1)  h is in b, w already

With the moments S₀, S₁, S₂ = Σ (1, s, s sᵀ) of b, and those of w for points that share a normal,

    of b:   A = tr S₂ - S₂,     H = [S₁],          M = S₀                      (2)
    of w:   A = [n] S₂ [n]ᵀ,    H = (S₁ × n) nᵀ,   M = S₀ n nᵀ                 (3)

Points are fixed in the link as a rule, so the moments are sums of constants times slopes.
"""

import numpy as np

from anthropi.algebra.linear import full, matvec, transpose, upper, upper_product
from anthropi.algebra.scalar import records
from anthropi.algebra.spatial import ArticulatedInertia, skew

__all__ = ["added_inertia"]


def added_inertia(C, parts) -> ArticulatedInertia:
    """(1) for (touch, h B_n, h B_t) of all touches of a link whose attitude is C (3, 3)."""
    points = [touch.local for touch, _, _ in parts]
    zero, one, two = _moments(points, [b for _, _, b in parts])
    second = full(two)
    trace = second[0, 0] + second[1, 1] + second[2, 2]
    A = upper(trace * np.eye(3) - second)  # (2)
    H = skew(one)
    M = upper(zero * np.eye(3))
    shared: dict = {}
    for touch, b_n, b_t in parts:
        shared.setdefault(id(touch.normal), (touch.normal, []))[1].append((touch.local, b_n - b_t))
    for normal, members in shared.values():
        n = matvec(transpose(C), normal)
        if len(members) == 1:
            ((s, w),) = members
            zero, arm = w, np.cross(s, n)
            lever = w * arm
            A = A + upper_product(lever[:, None], arm[:, None])
        else:
            zero, one, two = _moments([s for s, _ in members], [w for _, w in members])
            across = skew(n)
            A = A + upper_product(across @ full(two), across)  # (3)
            lever = np.cross(one, n)
        scaled = zero * n
        H = H + lever[:, None] * n[None, :]
        M = M + upper_product(scaled[:, None], n[:, None])
    return ArticulatedInertia(A, H, M)


def _moments(points, weights):
    """S₀, S₁ (3,), S₂ packed (6,)."""
    rows, columns = np.triu_indices(3)
    first = np.array([_sum(weights, [s[k] for s in points]) for k in range(3)])
    second = [_sum(weights, [s[i] * s[j] for s in points]) for i, j in zip(rows, columns, strict=True)]
    return _sum(weights, [1.0] * len(weights)), first, np.array(second)


def _sum(weights, factors):
    """Σ weight · factor; equal factors, up to sign, are multiplied once."""
    if records(*factors):
        total = 0.0
        for w, c in zip(weights, factors, strict=True):
            total = total + w * c
        return total
    groups: dict = {}
    for w, c in zip(weights, factors, strict=True):
        size = float(f"{abs(c):.15g}")
        before = groups.get(size)
        if before is None:
            groups[size] = (w, 1.0 if c >= 0.0 else -1.0)
        else:
            sign = before[1] if c >= 0.0 else -before[1]
            groups[size] = (before[0] + w if sign > 0.0 else before[0] - w, before[1])
    total = 0.0
    for size, (w, sign) in groups.items():
        total = total + (sign * size) * w
    return total
