"""Which solution is nearest to a wish? Bodies are dragged, the constraints hold. Floats only.

From a solution x, with the wish x̂, e = x̂ ⊟ x and weights W (how much each unknown's distance counts), the path stays on
the constraints:

    f = ½ eᵀ W e                                                                                      (1)
    slope g: the part of e along motions left, nearest in the norm W: J g = 0                         (2)
    direction d = g + β d₀,  β = max(0, <g, g - g₀>/<g₀, g₀>)      conjugate (Polak-Ribière)          (3)
    x(α): x ⊞ α d brought back to the constraints by Newton steps of least W-length                   (4)
    α: 1, then the lowest point of the parabola through f(0), f'(0), f(α); less while f rises or (4) fails   (5)

Ends where |g| is small: the constraints' forces hold the pull in balance. Steps are at most half a radian or half the
size of the assembly, so that a drag follows its branch.
"""

import numpy as np

from anthropi.constraints.assembly.linear import projected

__all__ = ["closest", "retract"]

FARTHEST = 0.5


def closest(
    problem, x, goal, weights, tolerance: float = 1e-12, passes: int = 300, settled: float = 1e-7
) -> np.ndarray:
    """The solution nearest to a goal state, followed from a solution x. weights (n,): W of (1)."""
    c, H = problem.coordinates, 1.0 / np.asarray(weights, float)
    before, d = None, np.zeros(problem.n)
    for _ in range(passes):
        e = c.difference(x, goal)
        _, J = problem(x)
        g = projected(J[: problem.m], np.zeros(problem.m), e, H)  # (2)
        size = g @ (weights * g)
        if size <= settled**2 * max(1.0, e @ (weights * e)):
            break
        old = before[1] if before is not None else 1.0
        beta = 0.0 if before is None else max(0.0, (size - g @ (weights * before[0])) / old)
        d = g + beta * projected(J[: problem.m], np.zeros(problem.m), d, H)  # (3)
        if not g @ (weights * d) > 0.0:
            d = g
        before = (g, size)
        there = _search(problem, x, goal, weights, H, d, g @ (weights * d), tolerance)
        if there is None:
            if d is g:
                break
            before = None  # once more, straight down
            there = _search(problem, x, goal, weights, H, g, size, tolerance)
            if there is None:
                break
        x = there
    return x


def _search(problem, x, goal, weights, H, d, fall: float, tolerance: float):
    """(5): a better state along d, or None."""
    c = problem.coordinates

    def f(state):
        e = c.difference(state, goal)
        return 0.5 * e @ (weights * e)

    start, alpha = f(x), min(1.0, FARTHEST / max(np.abs(d).max(), 1e-300))
    while np.abs(alpha * d).max() > 1e-10:
        there = retract(problem, c.moved(x, alpha * d), H, tolerance)
        if there is None:
            alpha *= 0.5
            continue
        now = f(there)
        bend = 2.0 * (now - start + fall * alpha) / (alpha * alpha)
        lowest = fall / bend if bend > 0.0 else 2.0 * alpha
        if now < start - 1e-4 * fall * alpha or (now < start and alpha < 1e-6):
            if abs(lowest - alpha) > 0.1 * alpha and np.abs(lowest * d).max() <= FARTHEST:
                better = retract(problem, c.moved(x, lowest * d), H, tolerance)
                if better is not None and f(better) < now:
                    return better
            return there
        alpha = min(max(lowest, 0.1 * alpha), 0.5 * alpha)
    return None


def retract(problem, x, H, tolerance: float = 1e-12, passes: int = 12):
    """(4): the state brought back to the constraints, or None where Newton's steps do not converge."""
    for _ in range(passes):
        r, J = problem(x)
        if problem.holds(r, tolerance):
            return x
        d = projected(J[: problem.m], r[: problem.m], np.zeros(problem.n), H)
        if not np.isfinite(d).all() or np.abs(d).max() > 2.0 * FARTHEST:
            return None
        x = problem.coordinates.moved(x, d)
    return x if problem.holds(problem.residual(x), tolerance) else None
