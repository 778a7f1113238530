"""Inverse kinematics: configurations that meet targets for points, links and the centre of mass. Plain floats only.

The whole solver (fit_to_targets.py) is one kernel. Goals, weights, start and tolerance are its inputs, so that it is
built once for a figure and a kind of problem. Problems that did not converge are solved again from random starts. The
loops of the figure are closed.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.compiler import kernel_for
from anthropi.compiler.cache import digest, source_digest
from anthropi.constraints.fit_to_targets import fit_to_targets
from anthropi.constraints.targets import Posture, Target, closings
from anthropi.errors import InputError, ShapeError
from anthropi.figure import Figure
from anthropi.figure.numbers import content
from anthropi.figure.states import unit_quaternions
from anthropi.tape import record

__all__ = ["Problems", "Solution", "gather", "goals_of", "inverse_kinematics", "kernel", "middle", "weights_of"]


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """Configurations that meet targets, or the best that were found.

    Attributes
    ----------
    q : (nq,) or (batch, nq). error : (targets,) or (batch, targets) [m or rad], error of each target.
    passes : number of solver steps over all starts; one number, or (batch,).
    reached : whether each target is within the tolerance, with the shape of error.
    converged : whether all targets are reached; one value, or (batch,).
    """

    q: Any
    error: Any
    passes: Any
    problems: Any

    @property
    def reached(self) -> Any:
        """Whether each target is met (a target of weight 0 counts as met)."""
        return self.problems.reached(self.error)

    @property
    def converged(self) -> Any:
        """Whether all targets are met."""
        return self.reached.all(-1)

    def __repr__(self) -> str:
        done, many = np.sum(self.converged), np.size(self.converged)
        return f"Solution({done} of {many} converged, largest error {np.max(self.error):.3g})"

    def explain(self, problem: int = 0) -> str:
        """Explain why a problem did not converge: which targets are missed, and by how much."""
        targets, tolerance = self.problems.targets, self.problems.tolerance
        if np.atleast_1d(self.converged)[problem]:
            return f"All {len(targets)} targets are reached within {tolerance:g}."
        error, reached = np.atleast_2d(self.error)[problem], np.atleast_2d(self.reached)[problem]
        apart = self.problems.alone(problem, np.atleast_2d(self.q)[problem])
        far = [n for n in np.flatnonzero(~reached) if apart[n] > tolerance]
        if far:
            parts = [f"the {targets[n].label()} comes no closer than {_show(apart[n], targets[n])}" for n in far]
            return f"Out of reach, even alone: {'; '.join(parts)}. Change the goal, the start q0, or the limits."
        missed = sorted(np.flatnonzero(~reached), key=lambda n: -error[n])
        parts = [f"the {targets[n].label()} by {_show(error[n], targets[n])}" for n in missed]
        return (
            f"Each target can be reached alone, but not all together. Missed: {'; '.join(parts)}. Give less "
            "important targets a smaller weight, or use more restarts or another q0."
        )


def _show(value: Any, target: Any) -> str:
    return f"{value:.3g} {target.unit}"


AXES = {"q0": 1, "goals": 1, "weights": 1, "tolerance": 0, "posture": 1, "pull": 1}  # array axes of one problem


@dataclass(frozen=True, eq=False)
class Problems:
    """A kernel and its input arrays; an array is for one problem, or (batch, …) for many."""

    figure: Any
    targets: tuple[Any, ...]
    run: Any
    arrays: dict[str, np.ndarray]
    tolerance: float
    batch: int | None
    threads: int | None = None

    def solve(self, restarts: int, seed: int) -> Any:
        """Solve from the given start, then from random starts; return q, the error of each target, and passes."""
        q, error, passes = self.run(**self.arrays, threads=self.threads)
        if not restarts or not (np.max(error) > self.tolerance):
            return q, error, passes
        found = [np.array(x if self.batch is not None else x[None]) for x in (q, error, passes)]
        given = {n: np.broadcast_to(a, (len(found[0]), *a.shape[a.ndim - AXES[n] :])) for n, a in self.arrays.items()}
        rng = np.random.default_rng(seed)
        for _ in range(restarts):
            missed = np.flatnonzero((~self.reached(found[1])).any(-1))
            if not len(missed):
                break
            some = {n: a[missed] for n, a in given.items()}
            some["q0"] = np.stack([self.figure.random(rng) for _ in missed])
            _keep_better(found, missed, self.run(**some, threads=self.threads), some["weights"])
        return tuple(found if self.batch is not None else (x[0] for x in found))

    def reached(self, error: Any) -> Any:
        """Return for each target whether it is met or has weight 0."""
        return (error <= self.tolerance) | (self.arrays["weights"] == 0.0)

    def alone(self, problem: int, q: Any, restarts: int = 4) -> Any:
        """Return the error (targets,) that each target of one problem has if it is the only target.

        The solver starts from q, then from random configurations.
        """
        one = {name: a[problem] if a.ndim > AXES[name] else a for name, a in self.arrays.items()}
        always = np.array([float(t.always) * np.mean(t.weight) for t in self.targets])
        one |= {"weights": np.maximum(np.eye(len(self.targets)), always), "q0": q}
        return np.diag(replace(self, arrays=one, batch=len(self.targets)).solve(restarts, seed=0)[1])


def _keep_better(found: Any, where: Any, again: Any, weights: Any) -> None:
    """Replace earlier results, in place, by new results that are better."""
    q, error, passes = again
    cost, before = (weights * error) ** 2, (weights * found[1][where]) ** 2
    better = cost.sum(-1) < before.sum(-1)
    found[0][where[better]], found[1][where[better]] = q[better], error[better]
    found[2][where] += passes


def gather(
    figure: Figure, targets: Any, posture: Any, q0: Any, tolerance: float
) -> tuple[dict[str, np.ndarray], int | None]:
    """Return the inputs of the kernel by name, and the number of problems (None for one without batch axis)."""
    start = np.asarray(q0, float)
    if start.shape[-1:] != (figure.nq,) or start.ndim > 2 or not np.isfinite(start).all():
        raise InputError(f"q0 has shape {start.shape}; give finite numbers ({figure.nq},) or (batch, {figure.nq}).")
    unit_quaternions(figure, start)
    if np.ndim(tolerance) or not 0.0 < tolerance < np.inf:
        raise InputError(f"tolerance is {tolerance}; give a number above 0 [m, rad].")
    arrays = {"q0": start, "goals": goals_of(targets), "weights": weights_of(targets), "tolerance": np.array(tolerance)}
    if posture is not None:
        wanted = np.asarray(posture.q, float)
        if wanted.shape[-1:] != (figure.nq,) or not np.isfinite(wanted).all():
            raise InputError(f"The posture has shape {wanted.shape}; give finite numbers ({figure.nq},) or (batch, …).")
        unit_quaternions(figure, wanted)
        arrays |= {"posture": np.asarray(posture.q, float), "pull": _pull(figure, posture)}
    sizes = {name: len(a) for name, a in arrays.items() if a.ndim > AXES[name]}
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{name} for {n}" for name, n in sizes.items())
        raise ShapeError(f"The numbers of problems differ: {listed}. Give all for the same number, or for one problem.")
    return arrays, next(iter(sizes.values()), None)


def goals_of(targets: Any) -> np.ndarray:
    """Return the goals of all targets in one array, (n,) or (batch, n)."""
    goals = [t.goal() for t in targets]
    sizes = {len(g) for g in goals if g.ndim == 2}
    if len(sizes) > 1:
        raise ShapeError(
            f"The goals of {', '.join(t.label() for t in targets)} are for {sorted(sizes)} problems; "
            "give all for the same number of problems, or for one."
        )
    if sizes:
        goals = [np.broadcast_to(g, (*sizes, g.shape[-1])) for g in goals]
    together = np.concatenate(goals, axis=-1)
    if not np.isfinite(together).all():
        odd = next(t for t, g in zip(targets, goals, strict=True) if not np.isfinite(g).all())
        raise InputError(f"The goal of the {odd.label()} is not finite: {odd.at}. Give finite numbers.")
    return together


def weights_of(targets: Any) -> np.ndarray:
    """Return the weights (targets,), or (batch, targets) if a target has a weight for each problem."""
    weights = [t.weight for t in targets]
    alike = all(isinstance(w, float) for w in weights)
    together = np.array(weights) if alike else np.stack(np.broadcast_arrays(*weights), axis=-1).astype(float)
    if together.ndim > 2 or not ((together >= 0.0) & (together < np.inf)).all():
        listed = ", ".join(f"{t.label()} {t.weight}" for t in targets)
        raise InputError(
            f"The weights are {listed}; give finite numbers, not negative, one for a target or one for each problem."
        )
    return together


def _pull(figure: Figure, posture: Any) -> np.ndarray:
    pull = np.asarray(posture.weight, float)
    if pull.shape not in ((), (figure.nu,)) or not ((pull >= 0.0) & (pull <= 1.0)).all():
        raise InputError(
            f"The weight of a posture is {posture.weight}; give one number from 0 to 1, or ({figure.nu},)."
        )
    return np.broadcast_to(pull, (figure.nu,))


_kernels: dict[tuple[Any, ...], Any] = {}
_middles: dict[str, np.ndarray] = {}


def inverse_kinematics(
    figure: Figure,
    targets: Any,
    q0: Any = None,
    *,
    tolerance: float = 1e-6,
    limits: Any = True,
    passes: int = 60,
    restarts: Any = None,
    seed: int = 0,
    threads: Any = None,
) -> Solution:
    """Find configurations that meet targets.

    Parameters
    ----------
    targets : `Position`, `Orientation`, `Pointing`, `CentreOfMass`, and at most one `Posture`; goals for one problem,
        or with a leading batch axis for many.
    q0 : start (nq,) or (batch, nq); for a moving goal, the last solution. By default the middle of the joint limits.
    tolerance : error at which a target counts as reached [m, and rad for attitudes].
    limits : whether to keep the joint limits; or limits that include cones, swing and twist, such as
        `human_limits(figure)`.
    passes : largest number of steps from one start.
    restarts : largest number of further starts, random within the limits (`seed`), for problems that did not converge;
        by default 8, or 0 if q0 is given, because the solution near q0 is then usually wanted.
    threads : number of threads; by default all CPUs available.

    Returns
    -------
    A `Solution`: q, error and reached for each target (then for each loop of the figure, which is closed first),
    converged; `explain()` names the target that is out of reach.
    """
    targets, posture = _sorted(targets)
    targets = (*targets, *closings(figure))
    restarts = (8 if q0 is None else 0) if restarts is None else restarts
    arrays, batch = gather(figure, targets, posture, middle(figure) if q0 is None else q0, tolerance)
    run = kernel(figure, targets, posture is not None, passes, limits)
    problems = Problems(figure, targets, run, arrays, tolerance, batch, threads)
    q, error, used = problems.solve(restarts, seed)
    return Solution(q, error, used, problems)


def middle(figure: Figure) -> np.ndarray:
    """Return the configuration (nq,) in the middle of the joint limits; joints without limits are neutral."""
    if figure.key in _middles:
        return _middles[figure.key].copy()
    places = [np.zeros(0)]
    for joint in figure.joints:
        x = joint.coordinates(joint.neutral())
        both = np.isfinite(joint.lower) & np.isfinite(joint.upper)
        x = np.where(both, np.mean(np.where(both, [joint.lower, joint.upper], 0.0), axis=0), x)
        places.append(joint.from_coordinates(np.clip(x, joint.lower, joint.upper)))
    _middles[figure.key] = np.concatenate(places)
    return _middles[figure.key].copy()


def kernel(
    figure: Figure,
    targets: Any,
    with_posture: bool = False,
    passes: int = 60,
    limits: bool = True,
    target: str = "cpu",
    opt: str = "tiers",
) -> Any:
    """Return the kernel that solves one kind of problem. Inputs: q0, goals, weights, tolerance (and posture, pull)."""
    about = tuple((type(t).__name__, t.about(figure)) for t in targets)
    known = limits if isinstance(limits, bool) else _fitting(figure, limits)
    place = (figure.key, about, with_posture, passes, known, target, opt)
    if place not in _kernels:
        name = digest(
            "inverse kinematics", content(place[:-2]), source_digest("algebra", "figure", "algorithms", "constraints")
        )
        _kernels[place] = kernel_for(
            name, lambda: _tape(figure, targets, with_posture, passes, limits), target, opt=opt
        )
    return _kernels[place]


def _fitting(figure: Figure, limits: Any) -> tuple[Any, ...]:
    """Return limits as plain data; raise an error if they do not fit the figure."""
    if not all(hasattr(limits, name) for name in ("joints", "rotation_bounds", "within", "data", "memory")):
        raise InputError(f"limits={limits!r} is not valid. Give True, False, or limits such as human_limits(figure).")
    limits.memory(figure)
    return limits.data()


def _tape(figure: Figure, targets: Any, with_posture: bool, passes: int, limits: Any) -> Any:
    """Record the solver on a tape."""
    inputs = {
        "q0": np.zeros(figure.nq),
        "goals": np.zeros(sum(t.size for t in targets)),
        "weights": np.zeros(len(targets)),
        "tolerance": np.zeros(()),
    }
    if with_posture:
        inputs |= {"posture": np.zeros(figure.nq), "pull": np.zeros(figure.nu)}
    return record(lambda **given: fit_to_targets(figure, targets, **given, passes=passes, limits=limits), **inputs)


def _sorted(targets: Any) -> Any:
    """Return the targets other than the posture, and the posture or None."""
    targets = [targets] if isinstance(targets, (Target, Posture)) else list(targets)
    postures = [t for t in targets if isinstance(t, Posture)]
    proper = [t for t in targets if isinstance(t, Target)]
    if len(postures) + len(proper) < len(targets):
        odd = next(t for t in targets if not isinstance(t, (Target, Posture)))
        raise InputError(
            f"{odd!r} is not a target. Give Position, Orientation, Pointing, CentreOfMass or Posture, for example "
            "ap.targets.Position(…)."
        )
    if not proper or len(postures) > 1:
        raise InputError(
            f"inverse_kinematics got {len(proper)} targets and {len(postures)} postures; give at least one "
            "target and at most one posture."
        )
    return tuple(proper), postures[0] if postures else None
