"""Assemblies: bodies and constraints between them, their solution, and conflicting constraints. Plain floats only.

An assembly is split into parts that no constraint connects, and each part is solved separately (solver.py). If no
solution is found, a smallest set of conflicting constraints is found. They are said to be impossible only if there is a
proof (certificates.py):

    at a minimum of |r|² that is not a solution, Jᵀ r = 0: the residuals are like forces in equilibrium, and only
    constraints with a residual take part in the conflict                                             (1)
    each of these is left out in turn; if the others still have no solution, it stays out. The remaining set has no
    solution, but has one if any of its constraints is left out (deletion filter)                     (2)
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.constraints.assembly.bodies import Body, Cartesian, Relative
from anthropi.constraints.assembly.certificates import proof
from anthropi.constraints.assembly.problem import Problem, unit_of
from anthropi.constraints.assembly.solved import Solved
from anthropi.constraints.assembly.solver import solve_assembly
from anthropi.constraints.gauss_newton import Attempt
from anthropi.constraints.loops.closures import pose_closures
from anthropi.constraints.mates.couplings import LineDistance, Thread
from anthropi.constraints.newton import newton_assembly as newton
from anthropi.constraints.primitives import Angle, Distance, Point, guides_of
from anthropi.errors import AssemblyError, InputError, did_you_mean
from anthropi.figure import Figure

__all__ = ["Assembly", "bodies_of", "checked", "components", "listed", "size_of", "smallest_conflict"]


def checked(constraints: Any) -> tuple[Any, ...]:
    """Return the constraints with unique names (repeated names get a number); raise an error for degenerate ones."""
    found: list[Any] = []
    taken: set[str] = set()
    for c in constraints:
        if not hasattr(c, "primitives"):
            raise InputError(f"{c!r} is not a constraint. Give mates (ap.mates) or primitives.")
        name, k = c.name, 1
        while name in taken:
            k += 1
            name = f"{c.name} {k}"
        taken.add(name)
        c = c if name == c.name else dataclasses.replace(c, name=name)
        for p in c.primitives():
            _refuse(p, name)
        found.append(c)
    return tuple(found)


def _refuse(primitive: Any, name: str) -> None:
    """Raise an error if a primitive has no gradient at its solution, or contains numbers that are not finite."""
    p = getattr(primitive, "primitive", primitive)  # the primitive inside a driven one
    if isinstance(p, Angle) and not np.sin(p.angle) > 1e-6:
        raise InputError(
            f"'{name}' has an angle of {float(p.angle):g} rad. Give an angle between 0 and π, or use Parallel for "
            "parallel directions."
        )
    if isinstance(p, (Distance, LineDistance)) and p is primitive and not 0.0 < p.distance < np.inf:
        raise InputError(
            f"'{name}' has a distance of {float(p.distance):g} m. Give a positive distance; for distance 0 use "
            "Coincident or OnLine."
        )
    if isinstance(p, Thread) and not 0.0 < abs(p.pitch) < np.inf:
        raise InputError(f"'{name}' has a pitch or radius of {float(p.pitch):g} m. Give a number that is not zero.")
    for f in primitive.features():
        given = f.at if isinstance(f, Point) else f.along
        if callable(given) or hasattr(given, "at"):
            continue
        numbers = np.asarray(given, float)
        if numbers.shape != (3,) or not np.isfinite(numbers).all():
            raise InputError(
                f"'{name}' has a feature at {given} on '{f.body or 'the world'}'. Give three finite numbers."
            )


def _uncoupled(figure: Figure) -> Figure:
    """Return the figure; raise an error if it has couplings of coordinates, which are not constraints on bodies."""
    coupled = ", ".join(loop.name for loop in figure.loops if loop.kind == "coupling")
    if coupled:
        raise InputError(
            f"Figure '{figure.name}' has couplings of coordinates ({coupled}), which an assembly cannot hold. "
            "Use ap.inverse_kinematics or ap.loops.close_loops, or remove the couplings from figure.loops."
        )
    return figure


def bodies_of(constraint: Any) -> list[str]:
    """Return the names of the bodies that a constraint refers to, without the world."""
    every = (*constraint.primitives(), *guides_of(constraint))
    return list(dict.fromkeys(f.body for p in every for f in p.features() if f.body))


def size_of(constraints: Any) -> float:
    """Return the size L [m] of an assembly: the mean of all given distances and of points from their body's origin."""
    lengths = [
        np.sqrt(np.sum(np.square(f.at)))
        for c in constraints
        for p in c.primitives()
        for f in p.features()
        if isinstance(f, Point) and f.body and not callable(f.at) and not hasattr(f.at, "at")
    ]
    lengths += [p.distance for c in constraints for p in c.primitives() if isinstance(p, (Distance, LineDistance))]
    lengths = [float(x) for x in lengths if np.isfinite(x) and x > 0.0]
    return float(np.mean(lengths)) if lengths else 1.0


def components(movable: list[int], names: Any, constraints: Any) -> list[tuple[list[int], list[int]]]:
    """Return (body numbers, constraint numbers) of each connected part.

    Constraints that involve no movable body come first, without bodies.
    """
    parent = {i: i for i in movable}

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    number = {name: i for i, name in enumerate(names)}
    about = [[number[b] for b in bodies_of(c) if number.get(b) in parent] for c in constraints]
    for several in about:
        for i in several[1:]:
            parent[root(i)] = root(several[0])
    still = [k for k, several in enumerate(about) if not several]
    found: list[tuple[list[int], list[int]]] = [([], still)] if still else []
    for r in dict.fromkeys(root(i) for i in movable):
        members = [i for i in movable if root(i) == r]
        found.append((members, [k for k, several in enumerate(about) if several and root(several[0]) == r]))
    return found


def listed(names: Any) -> str:
    """Return a list of names as text: 'a', 'b' and 'c'."""
    words = [f"'{n}'" for n in names]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


MIN_CONFLICT_SHARE = 1e-4  # relative to the largest residual; constraints below are not in conflict (1)


def smallest_conflict(names: Any, missed: Any, solvable: Callable[[list[int]], bool]) -> list[int]:
    """Return the numbers of a smallest set of constraints that cannot hold together (1), (2).

    missed : residual of each constraint where the solver ended. solvable : function of a list of constraint numbers
    that returns whether these constraints have a solution.
    """
    every = list(range(len(names)))
    involved = [k for k in every if missed[k] > MIN_CONFLICT_SHARE * max(missed, default=0.0)]  # (1)
    found = every if len(involved) < len(every) and solvable(involved) else involved
    for k in sorted(found, key=lambda k: missed[k]):  # (2)
        rest = [i for i in found if i != k]
        if rest and not solvable(rest):
            found = rest
    return sorted(found)


METHODS = ("levenberg", "newton")
CONFLICT_RESTARTS = 24  # restarts before a smaller set of constraints counts as unsolvable


class Assembly:
    """Bodies and constraints between them.

    Parameters
    ----------
    bodies : list of `Body`, in Cartesian coordinates; or a `Figure`, in joint coordinates, with its loops as
        constraints.
    constraints : mates (`ap.mates`) or primitives; the body "" is the world.
    q : (nq,), start configuration of a figure; by default neutral.
    """

    constraints: Any
    size: Any

    def __init__(self, bodies: Any, constraints: Any = (), *, q: Any = None, name: str = "assembly") -> None:
        self.name = name
        if isinstance(bodies, Figure):
            constraints = (*pose_closures(_uncoupled(bodies)), *constraints)
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

    def __repr__(self) -> str:
        return f"Assembly('{self.name}': {len(self.names)} bodies, {len(self.constraints)} constraints)"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return self.coordinates.names

    def _check(self) -> None:
        names = self.names
        for name in names:
            if names.count(name) > 1 or not name:
                raise InputError(f"Two bodies of '{self.name}' are called '{name}'. Give each a different name.")
        for c in self.constraints:
            for body in bodies_of(c):
                if body not in names:
                    raise InputError(
                        f"'{c.name}' refers to the body '{body}', which does not exist."
                        f"{did_you_mean(body, names)} Bodies: {', '.join(names)[:300]}."
                    )

    def parts(self, t: Any | None = None) -> list[Problem]:
        """Return the problems that can be solved separately: connected bodies with their constraints."""
        if self.figure is not None:
            return [Problem(self.coordinates, self.constraints, t)]
        split = components(list(self.coordinates.free), self.names, self.constraints)
        return [
            Problem(Cartesian(self.bodies, self.size, members), [self.constraints[k] for k in own], t)
            for members, own in split
        ]

    def solve(
        self,
        *,
        method: str = "levenberg",
        tolerance: float | None = None,
        restarts: int = 120,
        seed: int = 0,
        start: Any = None,
        t: Any | None = None,
    ) -> Solved:
        """Find positions of the bodies that meet all constraints.

        Parameters
        ----------
        method : "levenberg" works from any start (solver.py); "newton" is plain Newton–Raphson (newton.py), for bodies
            that start near a solution.
        tolerance : largest residual of a solution; lengths are relative to the size of the assembly. By default 1e-12.
            For "newton" the norm of all residuals |Φ| [m, m² for distances, 1]; by default 1e-10.
        restarts : largest number of restarts before the solver gives up. seed : seed of their random
            numbers.
        start : initial state in the form of `Solved.x`; by default the start given with each body.
        t : time [s], for driven constraints.

        Returns
        -------
        `Solved`.

        Raises
        ------
        AssemblyError : no solution was found; the error names the constraints that are missed and by how much. It says
            "cannot hold" only with a proof (`AssemblyError.proof`).
        """
        x = self.coordinates.start() if start is None else self.coordinates.state("start", start)
        least = (1e-10 if method == "newton" else 1e-12) if tolerance is None else tolerance
        if isinstance(least, (bool, str)) or np.ndim(least) or not 0.0 < least < np.inf:
            raise InputError(f"tolerance is {tolerance!r}; give a number above 0.")
        if isinstance(restarts, bool) or not isinstance(restarts, (int, np.integer)) or restarts < 0:
            raise InputError(f"restarts is {restarts!r}; give a whole number, 0 or more.")
        if method not in METHODS:
            guess = did_you_mean(method, METHODS)
            raise InputError(f"Unknown method '{method}'.{guess} Choose one of {', '.join(METHODS)}.")
        if method == "newton":
            return self._newton(x, t, float(least))
        problems, attempts = self.parts(t), 1
        for problem in problems:
            if not problem.constraints:
                continue
            ended = solve_assembly(problem, x, least, restarts, seed)
            if not ended.solved:
                raise self._unsolvable(problem, ended, least, restarts)
            x, attempts = ended.x, max(attempts, ended.attempts)
        return Solved(self, x, problems, least, sum(p.evaluations for p in problems), attempts)

    def _newton(self, x: Any, t: Any, tolerance: float) -> Solved:
        if self.figure is not None:
            raise InputError("method='newton' needs bodies in Cartesian coordinates, not a figure. Leave `method` out.")
        ended = newton(self.coordinates, self.constraints, x, tolerance, t=t)
        if not ended.converged:
            raise AssemblyError(
                f"Newton-Raphson did not converge on '{self.name}': |Φ| = {ended.norm:.3g} after {ended.evaluations} "
                f"evaluations, with a tolerance of {tolerance:g}. Start nearer to a solution, or leave `method` out."
            )
        problems = self.parts(t)
        least = max(1e-8, tolerance * max(1.0, 1.0 / self.size))
        for problem in problems:
            r = problem.residual(ended.x)
            if not problem.holds(r, least):
                off = [problem.constraints[k].name for k in np.flatnonzero(problem.missed(r) > least)]
                raise AssemblyError(
                    f"Newton-Raphson ended where {listed(off)} point in the wrong direction. Start nearer to the "
                    "solution, or leave `method` out."
                )
        return Solved(self, ended.x, problems, least, ended.evaluations, 1)

    def _unsolvable(self, problem: Problem, ended: Attempt, tolerance: float, restarts: int) -> AssemblyError:
        """Return the error that names a smallest set of constraints that cannot hold together."""
        names = [c.name for c in problem.constraints]

        def part(chosen: Any, more: int) -> bool:
            some = Problem(problem.coordinates, [problem.constraints[k] for k in chosen], problem.t)
            return solve_assembly(some, ended.x, tolerance, more, seed=1).solved

        missed = problem.missed(ended.r)
        found = smallest_conflict(names, missed, lambda chosen: part(chosen, CONFLICT_RESTARTS))
        off = [k for k in found if missed[k] > tolerance] or [int(np.argmax(missed))]
        least = ", ".join(f"'{names[k]}' by {self._shown(problem, k, missed[k])}" for k in off[:6])
        conflicting, held = tuple(names[k] for k in found), [problem.constraints[k] for k in found]
        why = proof(Problem(problem.coordinates, held, problem.t), ended.x, tolerance)
        if why:
            words = "cannot hold" if len(found) == 1 else "cannot hold together"
            return AssemblyError(
                f"No solution of '{self.name}' exists: {listed(conflicting)} {words}, because {why}. The best of "
                f"{ended.attempts} attempts misses {least}. Change or remove one of them.",
                conflicting,
                why,
            )
        among = (
            ""
            if part(found, 2 * restarts)
            else (
                f" With {listed(conflicting)} alone no solution was found either"
                + (", but with any one of them left out." if len(found) > 1 else ".")
            )
        )
        return AssemblyError(
            f"No solution of '{self.name}' was found in {ended.attempts} attempts, and no proof that there is none. "
            f"The best attempt misses {least}.{among} Start nearer to a solution, give more restarts, or check these "
            "constraints.",
            conflicting if among else (),
        )

    def _shown(self, problem: Problem, k: int, value: float) -> str:
        constraint = problem.constraints[k]
        unit = unit_of((*constraint.primitives(), *guides_of(constraint))[0])
        return f"{value * (self.size if unit == 'm' else 1.0):.3g} {unit}"
