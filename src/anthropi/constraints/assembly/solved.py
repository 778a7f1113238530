"""Which solution is nearest to a wish? Bodies are dragged, the constraints hold. Floats only.

From a solution x, with the wish x̂, e = x̂ ⊟ x and weights W (how much each unknown's distance counts), the path stays
on the constraints:

    f = ½ eᵀ W e                                                                                      (1)
    slope g: the part of e along motions left, nearest in the norm W: J g = 0                         (2)
    direction d = g + β d₀,  β = max(0, <g, g - g₀>/<g₀, g₀>)      conjugate (Polak-Ribière)          (3)
    x(α): x ⊞ α d brought back to the constraints by Newton steps of least W-length                   (4)
    α: 1, then the lowest point of the parabola through f(0), f'(0), f(α); less while f rises or (4) fails   (5)

Ends where |g| is small: the constraints' forces hold the pull in balance. Steps are at most half a radian or half the
size of the assembly, so that a drag follows its branch.

Solved
------
A solved assembly: where bodies are, what constraints do there, what is left free; drag a body. Floats only.
"""

from functools import cached_property
from typing import Any

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.constraints.assembly.analysis import Analysis, analyse
from anthropi.constraints.assembly.problem import unit_of
from anthropi.constraints.assembly.remaining_motion import Group, remaining_motions
from anthropi.constraints.gauss_newton import projected
from anthropi.errors import InputError, did_you_mean

__all__ = ["Solved", "closest", "retract"]


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


FOLLOWS = 1e-6  # how much the place of a body that is not dragged counts


class Solved:
    """A solution of an assembly.

    x : the state, (n, 7) rows r, quaternion of bodies, or q (nq,) of a figure. evaluations, attempts : what it took.
    """

    def __init__(self, assembly, x, problems, tolerance: float, evaluations: int, attempts: int):
        self.assembly, self.x, self.problems, self.tolerance = assembly, x, problems, tolerance
        self.evaluations, self.attempts = evaluations, attempts

    def __repr__(self):
        return f"Solved('{self.assembly.name}': {self.freedom} degrees of freedom left)"

    @cached_property
    def places(self) -> dict[str, Transform]:
        """Where each body is: {name: transform}."""
        r, A = self.assembly.coordinates.poses(self.x)
        return {name: Transform(A[i], r[i]) for i, name in enumerate(self.assembly.names)}

    @cached_property
    def residuals(self) -> dict[str, tuple[float, str]]:
        """How far each constraint is missed, and the unit: {name: (value, "m" or "rad")}."""
        found = {}
        for problem in self.problems:
            r = np.abs(problem.residual(self.x)[: problem.m])
            units = np.array([unit_of(p) for p in problem.rows.primitives[: problem.m]])
            values = np.where(units == "m", r * self.assembly.size, r)
            for k, c in enumerate(problem.constraints):
                own = np.flatnonzero(problem.owner[: problem.m] == k)
                worst = own[np.argmax(r[own])]
                found[c.name] = (float(values[worst]), str(units[worst]))
        return {c.name: found[c.name] for c in self.assembly.constraints}

    @cached_property
    def _analyses(self) -> list[Analysis]:
        return [analyse(p, self.x, self.tolerance) for p in self.problems]

    @property
    def adds(self) -> dict[str, int]:
        """How many degrees of freedom each constraint takes after those before it."""
        every = {name: k for a in self._analyses for name, k in a.adds.items()}
        return {c.name: every[c.name] for c in self.assembly.constraints}

    @property
    def freedom(self) -> int:
        """Degrees of freedom left, here."""
        return sum(a.freedom for a in self._analyses)

    @property
    def redundant(self) -> tuple:
        """Constraints that repeat what others say: `Redundancy`s."""
        return tuple(r for a in self._analyses for r in a.redundant)

    @property
    def singular(self) -> int:
        """How many more degrees of freedom there are at this very position than nearby."""
        return sum(a.singular for a in self._analyses)

    @cached_property
    def motions(self) -> tuple[Group, ...]:
        """What can still move, group by group."""
        pairs = zip(self.problems, self._analyses, strict=True)
        return tuple(g for p, a in pairs for g in remaining_motions(p.coordinates, self.x, a.basis, p.constraints))

    def explain(self) -> str:
        """Degrees of freedom left, which motion remains, and which constraints repeat others, in sentences."""
        ways = "degree" if self.freedom == 1 else "degrees"
        lines = [f"{self.freedom} {ways} of freedom left." if self.freedom else "Nothing can move."]
        lines += [str(g) for g in self.motions]
        if self.singular:
            lines.append(f"The position is singular: {self.singular} of these only for an instant, or at a branch.")
        lines += [f"{r}." for r in self.redundant]
        return "\n".join(lines)

    def drag(self, body: str, position=None, quaternion=None) -> "Solved":
        """The nearest solution with a body at, or as near as can be to, another place.

        position (3,) [m], quaternion (4,): where the body is wanted; what is None does not matter. Others follow, and
        stay as near as they can to where they are.
        """
        if self.assembly.figure is not None:
            raise InputError("A figure's links are dragged by ap.inverse_kinematics; `closest` takes a whole q.")
        names = self.assembly.names
        if body not in names:
            raise InputError(f"No body '{body}'.{did_you_mean(body, names)} Bodies: {', '.join(names)}.")
        k = names.index(body)
        if self.assembly.bodies[k].fixed:
            raise InputError(f"Body '{body}' is fixed. Drag another, or set it free.")
        goal, counts = self.x.copy(), np.full((len(names), 6), FOLLOWS)
        if position is not None:
            goal[k, :3], counts[k, :3] = np.asarray(position, float), 1.0
        if quaternion is not None:
            q = np.asarray(quaternion, float)
            goal[k, 3:], counts[k, 3:] = q / np.sqrt(q @ q), 1.0
        if not np.isfinite(goal).all():
            raise InputError(f"Body '{body}' cannot be dragged to {position}, {quaternion}. Give finite numbers.")
        return self.closest(goal, counts)

    def closest(self, goal, weights: Any = None) -> "Solved":
        """The solution nearest to a goal state (as `x`), followed from here.

        weights : how much distances count, [1/L²] for positions and [1/rad²] for turns: (bodies, 6), or (nu,) for a
        figure; 1 by default.
        """
        x = self.x
        for problem in self.problems:
            c = problem.coordinates
            if not c.n:
                continue
            if self.assembly.figure is not None:
                counts = np.ones(c.n) if weights is None else np.asarray(weights, float)
            else:
                counts = np.ones(c.n) if weights is None else np.asarray(weights, float)[c.free].ravel()
            x = closest(problem, x, np.asarray(goal, float), counts, self.tolerance)
        evaluations = sum(p.evaluations for p in self.problems)
        return Solved(self.assembly, x, self.problems, self.tolerance, evaluations, 1)
