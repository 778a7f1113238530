"""Keyframes: smooth motions through poses at given times, and parameters through values at given times.

A key sets a whole configuration q, or joints and degrees of freedom by name; each of these then has its own key times.
Joints follow `JointPath`s and parameters follow splines, with two continuous derivatives between the first and the last
key.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.figure.numbers import find_slot, numbers
from anthropi.figure.states import unit_quaternions
from anthropi.motion.joint_path import JointPath, JointState
from anthropi.motion.motion import Motion
from anthropi.motion.splines import Piecewise, spline
from anthropi.motion.time_functions import TimeFunction

__all__ = ["Keyframes", "configuration"]


def configuration(figure: Figure, values: Mapping[str, Any], base: Any = None) -> np.ndarray:
    """Return a configuration (nq,) with some joints or degrees of freedom set by name.

    Parameters
    ----------
    values : {degree of freedom: coordinate [rad or m]; joint: q (joint.nq,) or coordinates (joint.nu,)}. Coordinates of
        a rotation are its rotation vector.
    base : (nq,) all other entries; neutral by default.
    """
    q = np.array(figure.neutral() if base is None else base, float)
    if q.shape != (figure.nq,):
        raise ShapeError(f"The base has shape {q.shape}; figure '{figure.name}' needs ({figure.nq},).")
    for name, value in values.items():
        i, which = _joint_of(figure, name)
        joint, at = figure.joints[i], figure.q_of[i]
        given = np.asarray(value, float).reshape(-1)
        if which is None and given.size == joint.nq:
            q[at] = given
        elif which is None and given.size == joint.nu:
            q[at] = joint.from_coordinates(given)
        elif which is not None and given.size == 1:
            x = np.array(joint.coordinates(q[at]), float)
            x[which] = given[0]
            q[at] = joint.from_coordinates(x)
        else:
            wanted = 1 if which is not None else " or ".join(map(str, dict.fromkeys((joint.nq, joint.nu))))
            raise ShapeError(f"'{name}' is set to {given.size} numbers; it needs {wanted}.")
    if not np.isfinite(q).all():
        raise InputError(f"A pose of figure '{figure.name}' holds a number that is not finite.")
    unit_quaternions(figure, q)
    return q


class Keyframes:
    """Motion through poses at given times: t → `JointState` (q, u, u') of the whole figure. Can be recorded on a tape.

    Parameters
    ----------
    keys : {time [s]: q (nq,), or {joint or degree of freedom: value}} (see `configuration`), in any order. Joints
        without keys stay as in `base`, and so do the other degrees of freedom of a joint if a key names only one.
    base : configuration (nq,), neutral by default.
    ends : "natural", "clamped" or "periodic" (each joint and parameter over the span of its own keys).
    slopes : velocities (2, nu) at the first and last key of every joint, if clamped; at rest by default.
    rotations : interpolation of rotations, "log" (two derivatives) or "squad" (one, and a key changes only its
        neighbourhood).
    parameters : {name: {time: number or (n,)}}: numbers of the figure ("l_thigh.mass") or others ("speed").
    """

    base: Any

    def __init__(
        self,
        figure: Figure,
        keys: Any,
        base: Any = None,
        *,
        ends: Any = "natural",
        slopes: Any = None,
        rotations: Any = "log",
        parameters: Any = None,
    ) -> None:
        self.figure = figure
        self.base = configuration(figure, {}, base)
        self.ends = ends
        found: dict[int, list[Any]] = {}
        for time, pose in sorted(_entries(keys, "keys"), key=lambda e: e[0]):
            named = isinstance(pose, Mapping)
            q = configuration(figure, pose, self.base) if named else configuration(figure, {}, pose)
            joints = {_joint_of(figure, name)[0] for name in pose} if named else range(figure.n)
            for i in joints:
                found.setdefault(i, []).append((time, q[figure.q_of[i]]))
        self.paths: dict[int, JointPath] = {}
        speeds = np.zeros((2, figure.nu)) if slopes is None else np.asarray(slopes, float)
        if speeds.shape != (2, figure.nu) or (slopes is not None and ends != "clamped"):
            raise InputError(f"slopes has shape {speeds.shape}; give velocities (2, {figure.nu}) with ends='clamped'.")
        for i, rows in sorted(found.items()):
            if figure.joints[i].nu:
                self.paths[i] = JointPath(
                    figure.joints[i],
                    [t for t, _ in rows],
                    np.array([q for _, q in rows]),
                    ends,
                    speeds[:, figure.u_of[i]],
                    rotations,
                )
        given = {} if parameters is None else parameters
        self.parameters: dict[str, Piecewise] = {n: self._track(n, x, ends) for n, x in given.items()}
        times = [*(path.times for path in self.paths.values()), *(x.knots for x in self.parameters.values())]
        if not times:
            raise InputError("Keyframes need at least one key. Give {time: pose}, or parameters.")
        self.times = np.unique(np.concatenate(times))

    def __repr__(self) -> str:
        names, span = ", ".join([*self.joints, *self.parameters]), f"{self.times[0]:g} to {self.times[-1]:g} s"
        return f"Keyframes('{self.figure.name}': {len(self.times)} times, {span}: {names})"

    def _track(self, name: str, keys, ends: str) -> Piecewise:
        rows = sorted(_entries(keys, f"parameter '{name}'"), key=lambda e: e[0])
        if "." in name or name == "gravity":
            find_slot(name, numbers(self.figure))  # raises InputError for an unknown slot
        return spline([t for t, _ in rows], [v for _, v in rows], ends)

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints with keys."""
        return tuple(self.figure.joints[i].name for i in self.paths)

    def __call__(self, t: Any) -> JointState:
        """Return the state q (nq,), u and u' (nu,) at a time [s], which may be recorded; (n, …) at times (n,)."""
        parts, lead = [], () if records(t) else np.shape(t)
        for i, joint in enumerate(self.figure.joints):
            if i in self.paths:
                parts.append(self.paths[i](t))
            else:
                held = np.broadcast_to(self.base[self.figure.q_of[i]], (*lead, joint.nq))
                parts.append(JointState(held, *np.zeros((2, *lead, joint.nu))))
        return JointState(*(np.concatenate(x, -1) for x in zip(*parts, strict=True)))

    def parameter(self, name: str, t: Any) -> TimeFunction:
        """Value, rate and acceleration of a parameter at a time [s]."""
        if name not in self.parameters:
            choices = ", ".join(self.parameters) or "none"
            raise InputError(
                f"No parameter '{name}' has keys.{did_you_mean(name, self.parameters)} Parameters: {choices}."
            )
        return self.parameters[name](t)

    def figure_at(self, t: Any) -> Figure:
        """Return the figure with the values of its parameters at a time [s]."""
        known = numbers(self.figure)
        slots = [name for name in self.parameters if "." in name or name in known]
        values = [np.ravel(self.parameters[name](t).value) for name in slots]
        return self.figure.with_numbers(slots, np.concatenate(values)) if slots else self.figure

    def motion(self, times: Any = None, rate: float = 60.0) -> Motion:
        """Return the motion at times (n,) [s], or at `rate` frames per second, with channels "udot" and parameters."""
        when = _even(self.times[0], self.times[-1], rate) if times is None else np.asarray(times, float)
        state = self(when)
        channels = {"udot": state.udot} | {name: x(when).value for name, x in self.parameters.items()}
        return Motion(
            self.figure, when, state.q, state.u, channels, metadata={"made": "keyframes", "keys": self.times.tolist()}
        )


def _even(first: float, last: float, rate: float) -> np.ndarray:
    """Return evenly spaced times from first to last, about `rate` per second."""
    if not rate > 0.0:
        raise InputError(f"rate={rate!r}: give frames per second, more than 0.")
    return np.linspace(first, last, max(1, round((last - first) * rate)) + 1) if last > first else np.array([first])


def _entries(keys, what: str) -> list[Any]:
    """Pairs (time, value) of keys given as a mapping or as pairs."""
    rows = list(keys.items()) if isinstance(keys, Mapping) else list(keys)
    if not rows or not all(isinstance(r, (tuple, list)) and len(r) == 2 for r in rows):
        raise InputError(f"{what}: give {{time [s]: value, …}}, at least one.")
    times = [row[0] for row in rows]
    if not all(isinstance(t, (int, float, np.integer, np.floating)) and np.isfinite(t) for t in times):
        raise InputError(f"{what}: times must be finite numbers [s]; got {times}.")
    if len(set(times)) < len(times):
        raise InputError(f"{what}: two keys at {next(t for t in times if times.count(t) > 1):g} s. Keep one.")
    return [(float(t), value) for t, value in rows]


def _joint_of(figure: Figure, name: str) -> tuple[int, int | None]:
    """Return the number of a joint and the index of the named degree of freedom in it, or None for the whole joint."""
    places = figure.dof_indices([name])
    if name in (joint.name for joint in figure.joints):
        i = figure.joint_index(name)
        return (i, None)
    i = next(i for i, at in enumerate(figure.u_of) if at.start <= places[0] < at.stop)
    return i, places[0] - figure.u_of[i].start
