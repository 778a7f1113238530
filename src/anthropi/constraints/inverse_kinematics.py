"""Which configuration puts a figure's points, links and centre of mass where they shall be? The front of `levenberg`.

The whole solve is one kernel: goals, weights, start and tolerance are its inputs, so that it is built once for a figure
and a kind of problem. Problems that did not converge start again from random configurations. Loops are closed.
Floats only.
"""

from typing import Any

import numpy as np

from anthropi.compile import kernel_for
from anthropi.compile.cache import digest, source_digest
from anthropi.constraints.levenberg import solve
from anthropi.constraints.loops.targets import closings
from anthropi.constraints.problems import Problems, gather
from anthropi.constraints.solution import Solution
from anthropi.constraints.targets import Posture, Target
from anthropi.errors import InputError
from anthropi.figure.numbers import content
from anthropi.tape import record

__all__ = ["inverse_kinematics", "kernel", "middle"]

_kernels: dict[tuple, Any] = {}
_middles: dict[str, np.ndarray] = {}


def inverse_kinematics(figure, targets, q0=None, *, tolerance=1e-6, limits=True, passes=60, restarts=None, seed=0,
                       threads=None) -> Solution:  # fmt: skip
    """Which configuration meets these targets?

    Parameters
    ----------
    targets : `Position`, `Orientation`, `Pointing`, `CentreOfMass`, and at most one `Posture`; goals for one problem,
        or with a leading batch axis for many.
    q0 : start (nq,) or (batch, nq); the last solution, for a moving goal. By default the middle of the joint limits.
    tolerance : how near is near enough [m, and rad for attitudes].
    limits : whether to keep to the joint limits; or limits that know cones, swing and twist besides
        (`human_limits(figure)`).
    passes : of the solver at most, for each start.
    restarts : how many more starts, at random within the limits (`seed`), for problems that did not converge; by
        default 8, or none if q0 is given, since a solution elsewhere is then hardly wanted.

    Returns
    -------
    A `Solution`: q, error and reached for each target (and after them for each loop of the figure, which is closed
    before all else), converged; `explain()` says which target is out of reach.
    """
    targets, posture = _sorted(targets)
    targets = (*targets, *closings(figure))
    restarts = (8 if q0 is None else 0) if restarts is None else restarts
    arrays, batch = gather(figure, targets, posture, middle(figure) if q0 is None else q0, tolerance)
    run = kernel(figure, targets, posture is not None, passes, limits)
    problems = Problems(figure, targets, run, arrays, tolerance, batch, threads)
    q, error, used = problems.solve(restarts, seed)
    return Solution(q, error, used, problems)


def middle(figure) -> np.ndarray:
    """The configuration in the middle of the joint limits, neutral where there are none (nq,)."""
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


def kernel(figure, targets, with_posture=False, passes=60, limits=True, target="cpu", opt="tiers"):
    """The kernel that solves one kind of problem: inputs q0, goals, weights, tolerance (and posture, pull)."""
    about = tuple((type(t).__name__, t.about(figure)) for t in targets)
    known = limits if isinstance(limits, bool) else _fitting(figure, limits)
    place = (figure.key, about, with_posture, passes, known, target, opt)
    if place not in _kernels:
        name = digest("inverse kinematics", content(place[:-2]),
                      source_digest("algebra", "figure", "algorithms", "constraints"))  # fmt: skip
        _kernels[place] = kernel_for(
            name, lambda: _tape(figure, targets, with_posture, passes, limits), target, opt=opt
        )
    return _kernels[place]


def _fitting(figure, limits) -> tuple:
    """What limits are, as plain data, if they fit the figure."""
    if not all(hasattr(limits, name) for name in ("joints", "turned", "within", "data", "memory")):
        raise InputError(f"limits={limits!r}: give True, False, or limits as human_limits(figure) makes them.")
    limits.memory(figure)
    return limits.data()


def _tape(figure, targets, with_posture: bool, passes: int, limits):
    """The solve, recorded."""
    inputs = {"q0": np.zeros(figure.nq), "goals": np.zeros(sum(t.size for t in targets)),
              "weights": np.zeros(len(targets)), "tolerance": np.zeros(())}  # fmt: skip
    if with_posture:
        inputs |= {"posture": np.zeros(figure.nq), "pull": np.zeros(figure.nu)}
    return record(lambda **given: solve(figure, targets, **given, passes=passes, limits=limits), **inputs)


def _sorted(targets):
    """The targets proper, and the posture if there is one."""
    targets = [targets] if isinstance(targets, (Target, Posture)) else list(targets)
    postures = [t for t in targets if isinstance(t, Posture)]
    proper = [t for t in targets if isinstance(t, Target)]
    if len(postures) + len(proper) < len(targets):
        odd = next(t for t in targets if not isinstance(t, (Target, Posture)))
        raise InputError(f"{odd!r} is no target. Give Position, Orientation, Pointing, CentreOfMass or Posture, as "
                         "ap.targets.Position(…).")  # fmt: skip
    if not proper or len(postures) > 1:
        raise InputError(
            f"inverse_kinematics got {len(proper)} targets and {len(postures)} postures; give at least one "
            "target and at most one posture."
        )
    return tuple(proper), postures[0] if postures else None
