"""An assembly: bodies, and what must be true between them. Which places of the bodies meet it? Floats only."""

from typing import Any

import numpy as np

from anthropi.constraints.assembly.bodies import Body, Cartesian
from anthropi.constraints.assembly.conflicts import smallest_conflict
from anthropi.constraints.assembly.levenberg import Attempt, solve
from anthropi.constraints.assembly.links import Relative
from anthropi.constraints.assembly.newton import newton
from anthropi.constraints.assembly.parts import bodies_of, checked, components, listed, size_of
from anthropi.constraints.assembly.problem import Problem
from anthropi.constraints.assembly.rows import unit_of
from anthropi.constraints.assembly.solved import Solved
from anthropi.constraints.loops.closures import closures
from anthropi.errors import AssemblyError, InputError, did_you_mean
from anthropi.figure import Figure

__all__ = ["Assembly"]

METHODS = ("levenberg", "newton")
DOUBTS = 24  # restarts before a smaller set of constraints counts as unsolvable


class Assembly:
    """Bodies and constraints between them.

    Parameters
    ----------
    bodies : `Body`s, each in Cartesian coordinates; or a `Figure`, whose links keep to its joints (relative
        coordinates) and whose loops are constraints too.
    constraints : things of `anthropi.constraints.assembled`, or primitives; "" is the world.
    q : (nq,), where a figure starts; neutral by default.
    """

    def __init__(self, bodies, constraints=(), *, q=None, name: str = "assembly"):
        self.name = name
        if isinstance(bodies, Figure):
            constraints = (*closures(bodies), *constraints)
        self.constraints = checked(constraints)
        self.size = size_of(self.constraints)
        self.figure: Figure | None = bodies if isinstance(bodies, Figure) else None
        self.bodies: tuple[Body, ...] = () if isinstance(bodies, Figure) else tuple(bodies)
        self.coordinates: Any = None
        if self.figure is not None:
            self.coordinates = Relative(self.figure, self.figure.neutral() if q is None else q, self.size)
        else:
            self.coordinates = Cartesian(self.bodies, self.size)
        self._check()

    def __repr__(self):
        return f"Assembly('{self.name}': {len(self.names)} bodies, {len(self.constraints)} constraints)"

    @property
    def names(self) -> tuple[str, ...]:
        """The bodies' names."""
        return self.coordinates.names

    def _check(self) -> None:
        names = self.names
        for name in names:
            if names.count(name) > 1 or not name:
                raise InputError(f"Two bodies of '{self.name}' are called '{name}'. Give each its own name.")
        for c in self.constraints:
            for body in bodies_of(c):
                if body not in names:
                    raise InputError(f"'{c.name}' is about the body '{body}', which is not there."
                                     f"{did_you_mean(body, names)} Bodies: {', '.join(names)[:300]}.")  # fmt: skip

    def parts(self, t=None) -> list[Problem]:
        """The problems that can be solved one by one: bodies tied together, with their constraints."""
        if self.figure is not None:
            return [Problem(self.coordinates, self.constraints, t)]
        split = components(list(self.coordinates.free), self.names, self.constraints)
        return [
            Problem(Cartesian(self.bodies, self.size, members), [self.constraints[k] for k in own], t)
            for members, own in split
        ]

    def solve(self, *, method: str = "levenberg", tolerance: float = 1e-12, restarts: int = 120, seed: int = 0,
              start=None, t=None) -> Solved:  # fmt: skip
        """Which places meet all constraints?

        Parameters
        ----------
        method : "levenberg", from any start; "newton", as the paper runs it, for bodies near a solution.
        tolerance : largest residual, lengths over the assembly's size. restarts : before it counts as unsolvable.
        start : a state to start from, as `Solved.x`; by default where bodies start. t : [s], for driven constraints.

        Returns
        -------
        `Solved`. Constraints that cannot hold together raise `AssemblyError`, which names them.
        """
        x = self.coordinates.start() if start is None else np.array(start, float)
        if method not in METHODS:
            raise InputError(f"No method '{method}'.{did_you_mean(method, METHODS)} Methods: {', '.join(METHODS)}.")
        if method == "newton":
            return self._newton(x, t)
        problems, attempts = self.parts(t), 1
        for problem in problems:
            if not problem.constraints:
                continue
            ended = solve(problem, x, tolerance, restarts, seed)
            if not ended.solved:
                raise self._unsolvable(problem, ended, tolerance, restarts)
            x, attempts = ended.x, max(attempts, ended.attempts)
        return Solved(self, x, problems, tolerance, sum(p.evaluations for p in problems), attempts)

    def _newton(self, x, t) -> Solved:
        if self.figure is not None:
            raise InputError("Plain Newton-Raphson is for bodies in Cartesian coordinates. Leave `method` out.")
        ended = newton(self.coordinates, self.constraints, x, t=t)
        if not ended.converged:
            raise AssemblyError(f"Newton-Raphson did not converge on '{self.name}': |Φ| = {ended.norm:.3g} after "
                                f"{ended.evaluations} evaluations. Start nearer, or leave `method` out.")  # fmt: skip
        problems = self.parts(t)
        for problem in problems:
            r = problem.residual(ended.x)
            if not problem.holds(r, 1e-8):
                off = [problem.constraints[k].name for k in np.flatnonzero(problem.missed(r) > 1e-8)]
                raise AssemblyError(f"Newton-Raphson ended where {listed(off)} point the wrong way. Start nearer, or "
                                    "leave `method` out.")  # fmt: skip
        return Solved(self, ended.x, problems, 1e-8, ended.evaluations, 1)

    def _unsolvable(self, problem: Problem, ended: Attempt, tolerance: float, restarts: int) -> AssemblyError:
        """The error that names a smallest set of constraints that cannot hold together."""
        names = [c.name for c in problem.constraints]

        def part(chosen, more: int) -> bool:
            some = Problem(problem.coordinates, [problem.constraints[k] for k in chosen], problem.t)
            return solve(some, ended.x, tolerance, more, seed=1).solved

        missed = problem.missed(ended.r)
        found = smallest_conflict(names, missed, lambda chosen: part(chosen, DOUBTS))
        off = [k for k in found if missed[k] > tolerance] or [int(np.argmax(missed))]
        least = ", ".join(f"'{names[k]}' by {self._shown(problem, k, missed[k])}" for k in off[:6])
        if part(found, 2 * restarts):
            return AssemblyError(f"No solution of '{self.name}' was found in {ended.attempts} attempts, though no "
                                 f"constraints are known to be at odds. The nearest misses {least}. Start nearer, or "
                                 "give more restarts.")  # fmt: skip
        words = "cannot hold" if len(found) == 1 else "cannot hold together"
        return AssemblyError(
            f"'{self.name}' has no solution that {ended.attempts} attempts could find: "
            f"{listed([names[k] for k in found])} {words}. The nearest misses {least}. Change one of them, or leave "
            "it out.",
            tuple(names[k] for k in found),
        )

    def _shown(self, problem: Problem, k: int, value: float) -> str:
        unit = unit_of(problem.constraints[k].primitives()[0])
        return f"{value * (self.size if unit == 'm' else 1.0):.3g} {unit}"
