"""A solved assembly: positions of bodies, analysis of the constraints, remaining motion, dragging. Plain floats only.

Dragging moves an assembly to the solution nearest to a goal. It starts from a solution x and meets the constraints all
the way. With the goal x̂, e = x̂ ⊟ x and weights W of the unknowns:

    f = ½ eᵀ W e                                                                                      (1)
    slope g: the part of e along remaining motions, nearest in the norm W: J g = 0                    (2)
    direction d = g + β d₀,  β = max(0, <g, g - g₀>/<g₀, g₀>)      conjugate (Polak–Ribière)          (3)
    x(α): x ⊞ α d brought back to the constraints by Newton steps of least W-length                   (4)
    α: 1, then the minimum of the parabola through f(0), f'(0), f(α); less while f rises or (4) fails (5)

The search ends when |g| is small. Steps are limited (`MAX_DRAG_STEP`), so that a drag stays on one branch of solutions.
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


MAX_DRAG_STEP = 0.5  # [rad, or sizes of the assembly]


def closest(
    problem: Any, x: Any, goal: Any, weights: Any, tolerance: float = 1e-12, passes: int = 300, settled: float = 1e-7
) -> np.ndarray:
    """Find the solution nearest to a goal state, starting from a solution x (1)-(5).

    weights : (n,), W of (1). settled : size of the slope, relative to the distance from the goal, at which to end.
    """
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
            before = None  # try again, along the slope
            there = _search(problem, x, goal, weights, H, g, size, tolerance)
            if there is None:
                break
        x = there
    return x


def _search(problem: Any, x: Any, goal: Any, weights: Any, H: Any, d: Any, fall: float, tolerance: float) -> Any:
    """Search along the direction d (5); return a state nearer to the goal, or None."""
    c = problem.coordinates

    def f(state: Any) -> Any:
        e = c.difference(state, goal)
        return 0.5 * e @ (weights * e)

    start, alpha = f(x), min(1.0, MAX_DRAG_STEP / max(np.abs(d).max(), 1e-300))
    while np.abs(alpha * d).max() > 1e-10:
        there = retract(problem, c.moved(x, alpha * d), H, tolerance)
        if there is None:
            alpha *= 0.5
            continue
        now = f(there)
        curvature = 2.0 * (now - start + fall * alpha) / (alpha * alpha)
        lowest = fall / curvature if curvature > 0.0 else 2.0 * alpha
        if now < start - 1e-4 * fall * alpha or (now < start and alpha < 1e-6):
            if abs(lowest - alpha) > 0.1 * alpha and np.abs(lowest * d).max() <= MAX_DRAG_STEP:
                better = retract(problem, c.moved(x, lowest * d), H, tolerance)
                if better is not None and f(better) < now:
                    return better
            return there
        alpha = min(max(lowest, 0.1 * alpha), 0.5 * alpha)
    return None


def retract(problem: Any, x: Any, H: Any, tolerance: float = 1e-12, passes: int = 12) -> Any:
    """Bring a state back to the constraints by Newton steps (4); return None if they do not converge."""
    for _ in range(passes):
        r, J = problem(x)
        if problem.holds(r, tolerance):
            return x
        d = projected(J[: problem.m], r[: problem.m], np.zeros(problem.n), H)
        if not np.isfinite(d).all() or np.abs(d).max() > 2.0 * MAX_DRAG_STEP:
            return None
        x = problem.coordinates.moved(x, d)
    return x if problem.holds(problem.residual(x), tolerance) else None


FOLLOWER_WEIGHT = 1e-6  # weight of bodies that are not dragged; the dragged body has 1


class Solved:
    """A solution of an assembly.

    x : the state, (n, 7) position and quaternion of each body, or q (nq,) of a figure.
    evaluations, attempts : number of residual evaluations and of attempts that the solver needed.
    """

    assembly: Any
    attempts: Any
    evaluations: Any
    problems: Any
    tolerance: Any
    x: Any

    def __init__(self, assembly: Any, x: Any, problems: Any, tolerance: float, evaluations: int, attempts: int) -> None:
        self.assembly, self.x, self.problems, self.tolerance = assembly, x, problems, tolerance
        self.evaluations, self.attempts = evaluations, attempts

    def __repr__(self) -> str:
        return f"Solved('{self.assembly.name}': {self.freedom} degrees of freedom left)"

    @cached_property
    def places(self) -> dict[str, Transform]:
        """Poses of the bodies in the world: {name: transform}."""
        r, A = self.assembly.coordinates.poses(self.x)
        return {name: Transform(A[i], r[i]) for i, name in enumerate(self.assembly.names)}

    @cached_property
    def residuals(self) -> dict[str, tuple[float, str]]:
        """Largest residual of each constraint, and its unit: {name: (value, "m" or "rad")}."""
        found = {}
        for problem in self.problems:
            r = np.abs(problem.residual(self.x))
            units = np.array([unit_of(p) for p in problem.rows.primitives])
            values = np.where(units == "m", r * self.assembly.size, r)
            for k, c in enumerate(problem.constraints):
                every = np.flatnonzero(problem.owner == k)
                own = every[every < problem.m] if (every < problem.m).any() else every  # a limit has only a guide
                worst = own[np.argmax(r[own])]
                found[c.name] = (float(values[worst]), str(units[worst]))
        return {c.name: found[c.name] for c in self.assembly.constraints}

    @cached_property
    def _analyses(self) -> list[Analysis]:
        return [analyse(p, self.x, self.tolerance) for p in self.problems]

    @property
    def adds(self) -> dict[str, int]:
        """Number of degrees of freedom that each constraint removes in addition to those before it: {name: number}."""
        every = {name: k for a in self._analyses for name, k in a.adds.items()}
        return {c.name: every[c.name] for c in self.assembly.constraints}

    @property
    def freedom(self) -> int:
        """Number of degrees of freedom left at this solution."""
        return sum(a.freedom for a in self._analyses)

    @property
    def redundant(self) -> tuple[Any, ...]:
        """Redundant constraints (`Redundancy`)."""
        return tuple(r for a in self._analyses for r in a.redundant)

    @property
    def singular(self) -> int:
        """Number of additional degrees of freedom that exist at this singular position but not nearby."""
        return sum(a.singular for a in self._analyses)

    @cached_property
    def motions(self) -> tuple[Group, ...]:
        """Remaining motions, for each group of bodies that move together."""
        pairs = zip(self.problems, self._analyses, strict=True)
        return tuple(g for p, a in pairs for g in remaining_motions(p.coordinates, self.x, a.basis, p.constraints))

    def explain(self) -> str:
        """Describe the degrees of freedom left, the remaining motion and redundant constraints."""
        degrees = "degree" if self.freedom == 1 else "degrees"
        lines = [f"{self.freedom} {degrees} of freedom left." if self.freedom else "Nothing can move."]
        lines += [str(g) for g in self.motions]
        if self.singular:
            lines.append(f"The position is singular: {self.singular} of these exist only here, or lead to a branch.")
        lines += [f"{r}." for r in self.redundant]
        return "\n".join(lines)

    def drag(self, body: str, position: Any = None, quaternion: Any = None) -> "Solved":
        """Move a body to a goal, or as near to it as the constraints allow; return the solution.

        position (3,) [m], quaternion (4,): the goal of the body; None leaves it free. The other bodies follow and stay
        as near as possible to their positions.
        """
        if self.assembly.figure is not None:
            raise InputError(
                "A figure's links cannot be dragged. Use ap.inverse_kinematics, or `closest` with a complete q."
            )
        names = self.assembly.names
        if body not in names:
            raise InputError(f"No body '{body}'.{did_you_mean(body, names)} Bodies: {', '.join(names)}.")
        k = names.index(body)
        if self.assembly.bodies[k].fixed:
            raise InputError(f"Body '{body}' is fixed. Drag another body, or set fixed=False.")
        goal, counts = self.x.copy(), np.full((len(names), 6), FOLLOWER_WEIGHT)
        if position is not None:
            goal[k, :3], counts[k, :3] = np.asarray(position, float), 1.0
        if quaternion is not None:
            q = np.asarray(quaternion, float)
            goal[k, 3:], counts[k, 3:] = q / np.sqrt(q @ q), 1.0
        if not np.isfinite(goal).all():
            raise InputError(f"Body '{body}' cannot be dragged to {position}, {quaternion}. Give finite numbers.")
        return self.closest(goal, counts)

    def closest(self, goal: Any, weights: Any = None) -> "Solved":
        """Find the solution nearest to a goal state, which has the form of `x`, starting from this solution.

        weights : weights of the squared differences, [1/L²] for positions and [1/rad²] for rotations: (bodies, 6), or
        (nu,) for a figure; by default 1.
        """
        x, there = self.x, self.assembly.coordinates.state("goal", goal)
        for problem in self.problems:
            c = problem.coordinates
            if not c.n:
                continue
            if self.assembly.figure is not None:
                counts = np.ones(c.n) if weights is None else np.asarray(weights, float)
            else:
                counts = np.ones(c.n) if weights is None else np.asarray(weights, float)[c.free].ravel()
            x = closest(problem, x, there, counts, self.tolerance)
        evaluations = sum(p.evaluations for p in self.problems)
        return Solved(self.assembly, x, self.problems, self.tolerance, evaluations, 1)
