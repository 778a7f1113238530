"""Collect the frames of a motion, and explain why a state is no longer finite.

To find the joint that failed first, the steps after the last finite frame are repeated one by one.

Works on plain floats only; cannot be recorded on a tape.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.implicit_springs import implicit_drive
from anthropi.algorithms.singularity import singular_joint
from anthropi.errors import InputError, StepError
from anthropi.motion import Motion
from anthropi.motion.contacts import IntervalMeans
from anthropi.motion.motion import known
from anthropi.simulation.arguments import Arguments
from anthropi.simulation.divergence import diverged
from anthropi.simulation.integrators import METHODS, SemiImplicit
from anthropi.simulation.memory import READING

__all__ = ["Frames", "Lost", "Stopped", "first_lost", "step_means"]


LOOKED_AT = 8  # last finite frames that are checked; a singular state may lead to failure some steps later
MAX_COORDINATE = 1e6  # singularity cannot be detected with larger coordinates, because of rounding


@known
class Lost(NamedTuple):
    """Event: the state of a rollout is not finite, or has diverged. time : [s] of the last frame before. rollout : its
    number. The frames after it are NaN.
    """

    time: float
    rollout: int


@known
class Stopped(NamedTuple):
    """Event: the option `stop` ended a rollout. time : [s]. rollout : its number, 0 for a single one."""

    time: float
    rollout: int


class Frames:
    """Frames of a motion while it is being simulated."""

    dtype: Any
    figure: Any
    frames: Any
    given: Any
    lead: Any
    reached: Any

    def __init__(self, given: Arguments, frames: int, lead: Any, dtype: Any) -> None:
        self.given, self.figure, self.lead, self.dtype = given, given.figure, lead, dtype
        self.frames, self.reached = frames, 0
        self._ahead: tuple[Any, ...] = (slice(None),) * len(lead)
        self.channels: dict[str, np.ndarray] = {}
        self.stopped: list[Stopped] = []
        for name, start in (("q", given.q), ("u", given.u)):
            self._of(name, start.shape[-1:])[..., 0, :] = start

    def _of(self, name: str, core) -> np.ndarray:
        """Return the array of a channel, which is created on first use; core : shape of one frame of one rollout."""
        if name not in self.channels:
            shape = (*self.lead, self.frames + 1, *core)
            try:
                self.channels[name] = np.full(shape, np.nan, self.dtype)
            except (MemoryError, ValueError):  # ValueError: more bytes than an address can count
                size = math.prod(shape) * np.dtype(self.dtype).itemsize / 2**30
                raise InputError(
                    f"The channel '{name}' of {self.frames + 1} frames takes {size:.3g} GiB, more than the memory. "
                    "Record fewer frames with a larger `every`, or make fewer steps."
                ) from None
        return self.channels[name]

    def begin(self, seen: dict[Any, Any]) -> None:
        """Store the state channels of the first frame."""
        for name, array in seen.items():
            self._of(name, np.shape(array)[len(self.lead) :])[(*self._ahead, 0)] = array

    def add(self, found: Any, first: int, last: int) -> None:
        """Store the frames after `first`, up to `last`. Mean channels belong to the frame before their steps."""
        rows, wanted = slice(first + 1, last + 1), slice(last - first)
        for name, array in found.items():
            if name == "means":
                self.add_means(array[(*self._ahead, wanted)], slice(first, last))
                continue
            channel = self._of(name, array.shape[len(self.lead) + 1 :])
            channel[(*self._ahead, rows)] = array[(*self._ahead, wanted)]
        self.reached = last

    def add_means(self, rows: Any, at: slice) -> None:
        """Store the mean channels of the frames `at`, from rows (…, frames, n)."""
        for name, array in self.given.program.mean_values(rows).items():
            if name not in self.given.program.record:
                continue
            self._of(name, array.shape[len(self.lead) + 1 :])[(*self._ahead, at)] = array

    def lost(self, first: int, last: int) -> list[Lost]:
        """List the rollouts whose state has diverged between two frames, or is no longer finite."""
        rows = slice(first + 1, last + 1)
        q, u = (self.channels[name][..., rows, :] for name in ("q", "u"))
        dt = None if self.given.tolerance is not None else self.given.dt
        start = self.channels["u"][..., :1, :]
        bad = diverged(self.figure, q, u, start, dt, np.dtype(self.dtype).name)
        ends = [(first + int(np.argmax(row)), k) for k, row in enumerate(np.atleast_2d(bad)) if row.any()]
        return [Lost(float(self.given.times[frame]), k) for frame, k in sorted(ends)]

    def check(self, first: int, last: int, retry: Callable[..., Any]) -> None:
        """Raise StepError, which contains the motion so far, if the state of a rollout is no longer finite.

        retry : function (frame, rollout) → (time [s], sentence that names the first joint); see `first_lost`.
        """
        ended = self.lost(first, last)
        if not ended:
            return
        given, rollout = self.given, ended[0].rollout
        which = f"the state of rollout {rollout} of {given.batch}" if self.lead else "the state"
        more = f" (and {len(ended) - 1} more)" if len(ended) > 1 else ""
        frame = int(np.searchsorted(given.times, ended[0].time))
        own = self.channels["q"][rollout] if self.lead else self.channels["q"]
        when, culprit = retry(frame, rollout)
        how = self._how(frame + 1, rollout)
        self.reached = frame
        raise StepError(
            f"Figure '{self.figure.name}': after t = {when:.6g} s {which}{more} {how}. Simulated "
            f"{_advice(given, rollout, own[max(0, frame - LOOKED_AT + 1) : frame + 1])}{culprit} With strict=False, "
            "the other rollouts continue.",
            self.motion(),
        )

    def _how(self, frame: int, rollout: int) -> str:
        """Say how the state of a frame is lost: not finite, or with speeds or angles that are too large."""
        own = (self.channels[name][rollout] if self.lead else self.channels[name] for name in ("q", "u"))
        q, u = (x[frame] for x in own)
        if not (np.isfinite(q).all() and np.isfinite(u).all()):
            return "is not finite"
        dof = int(np.argmax(np.abs(u)))
        return f"has diverged: the speed of {self.figure.dofs[dof]} is {u[dof]:.3g}"

    def stop(self, counts: Any) -> None:
        """Add `Stopped` events for rollouts that ended early; a single rollout gets a last frame where it stopped."""
        given, every = self.given, self.given.every
        for k, count in enumerate(np.atleast_1d(counts)):
            if count < every * self.frames:
                self.stopped.append(Stopped(float(given.times[0] + given.dt * count), k))
        if self.lead or not self.stopped:
            return
        self.reached = int(counts) // every
        if counts % every:
            self.reached += 1
            given.times = np.array(given.times)
            given.times[self.reached] = self.stopped[0].time

    def motion(self) -> Motion:
        """Return the motion that has been recorded so far."""
        upto = slice(self.reached + 1)
        cut = {name: x[(*self._ahead, upto)] for name, x in self.channels.items()}
        cut |= self._readings(cut)
        lost = self.lost(0, self.reached)
        for event in lost:  # numbers after a divergence mean nothing
            frame = int(np.searchsorted(self.given.times, event.time))
            for array in cut.values():
                (array[event.rollout] if self.lead else array)[frame + 1 :] = np.nan
        events = sorted([*lost, *self.stopped])
        for array in cut.values():
            array.setflags(write=False)  # so that no copy is made
        q, u = cut.pop("q"), cut.pop("u")
        clock = {"start": self.given.start, "dt": self.given.dt}  # for a continuation that is bit for bit identical
        about = self.given.metadata | {"clock": clock}
        if not self.given.program.adaptive:
            about["interval_means"] = step_means(self.given.dt, self.given.program.problem.method).metadata()
        figure = self.given.moved or self.given.figure
        return Motion(figure, self.given.times[upto], q, u, cut, tuple(events), about)

    def _readings(self, channels: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return the sensor readings in the memory as channels {"sensor.NAME": (…, frames, n)}."""
        memory = self.given.program.memory
        if "memory" not in channels or not any(name.startswith("control.") for name in memory.names):
            return {}
        control = memory.unpack(channels["memory"])["control"]
        parts = {name: name.split(".") for name in control}
        return {
            ".".join(["sensor", *(x for x in own if x != READING)]): np.array(control[name])
            for name, own in parts.items()
            if READING in own[:-1]
        }


def step_means(dt: float, method: str) -> IntervalMeans:
    """Return the `IntervalMeans` of a simulation with steps of dt [s] and an integration method."""
    return IntervalMeans(dt, 1 if METHODS[method].order == 1 else 2)


def _advice(given: Arguments, rollout: int, last) -> str:
    """Explain why a state is no longer finite and suggest remedies.

    last : (frames, nq) last finite configurations of the rollout.
    """
    figure, parameters = given.figure, given.arrays.get("parameters")
    figure = given.moved or figure
    if parameters is not None and parameters.ndim == 2:
        figure = figure.with_numbers(given.program.slots, parameters[rollout])
    problem = given.program.problem
    none, rule, extra = np.zeros(figure.nu), METHODS[problem.method], None
    for q in np.asarray(last, float)[::-1]:
        if not np.abs(q).max(initial=0.0) < MAX_COORDINATE:
            continue
        if isinstance(rule, SemiImplicit) and rule.implicit:
            extra = implicit_drive(figure, q, none, none, given.dt)[1]
        found = singular_joint(figure, q, extra, problem.prescribed)
        if found is None:
            continue
        joint, link = figure.joints[found.joint], figure.links[found.joint]
        why = "no link beyond it has mass" if found.massless else "its axes are aligned"
        return (f"by '{problem.method}'. Joint '{joint.name}' of link '{link.name}' was singular shortly before: {why} "
                f"({', '.join(found.dofs)}). Give it armature or mass, or use another joint or start.")  # fmt: skip
    if given.tolerance is not None:
        return (f"by '{problem.method}' with tolerance = {given.tolerance:g}. Use a larger tolerance, or `longest` if "
                "forces act for a short time only. Look for forces that jump or grow without bound.")  # fmt: skip
    return (
        f"by '{problem.method}' with dt = {given.dt:g} s. Use a shorter dt, or method='linearly_implicit_euler' for "
        "stiff springs and dampers. Look for forces that grow without bound."
    )


def first_lost(run: Any, frame: int, rollout: int) -> tuple[float, str]:
    """Return the time [s] at which a state was no longer finite, and a sentence that names the first joint and link.

    run : the current `Run`. frame : number of the last finite frame.
    """
    given, time = run.given, float(run.given.times[frame])
    if run.given.tolerance is not None or given.rows:
        return time, ""
    states = _again(run, frame, rollout)
    if not states:
        return time, ""
    q, u = (np.array([state[name] for state in states]) for name in ("q", "u"))
    fine = np.isfinite(q).all(-1) & np.isfinite(u).all(-1)
    last = len(fine) - 1 if fine.all() else int(np.argmin(fine)) - 1
    figure, when = given.figure, time + (last + 1) * given.dt
    speeds = np.abs(u[last]) if last >= 0 else np.abs(_row(run.kept.channels["u"], rollout)[frame])
    bad = ~np.isfinite(u[last + 1]) if last + 1 < len(u) else np.ones(figure.nu, bool)
    dof = int(np.argmax(np.where(bad, speeds, -1.0)))
    joint = next(i for i, at in enumerate(figure.u_of) if at.start <= dof < at.stop)
    return when, (f" Joint '{figure.joints[joint].name}' of link '{figure.links[joint].name}' failed first: "
                  f"the last finite speed of {figure.dofs[dof]} was {speeds[dof]:.3g}.")  # fmt: skip


def _row(array, rollout: int):
    """Return the part of an array that belongs to one rollout."""
    return array[rollout] if array.ndim == 3 else array


def _again(run, frame: int, rollout: int) -> list[dict[Any, Any]]:
    """Repeat the steps from one frame to the next, one by one, and return their states."""
    given = run.given
    found: list[dict[Any, Any]] = []

    def own(x, core):
        x = np.asarray(x, float)
        return x[rollout] if x.ndim > core else x

    cores = {"f_ext": 2, "stream": 0}
    arrays = {name: own(x, cores.get(name, 1)) for name, x in given.arrays.items()}
    state = {name: _row(run.kept.channels[name], rollout)[frame] for name in ("q", "u")}
    if "memory" in run.kept.channels:
        state["memory"] = _row(run.kept.channels["memory"], rollout)[frame]
    state |= {name: np.zeros_like(x) for name, x in given.program.state().items() if name in ("sums", "since", "means")}
    count = float(given.state.get("count", 0.0)) + frame * given.every
    while len(found) < given.every:
        until = min(given.every, len(found) + run.size)
        call = state | arrays | {"count": count, "due": count + 1.0, "limit": count + until - len(found)}
        after, frames = run.kernel(threads=1, start=given.start, dt=given.dt, per_frame=1, **call)[:2]
        for k in range(until - len(found)):
            found.append({name: frames[name][k] for name in ("q", "u")})
        state, count = {name: after[name] for name in state}, float(after["count"])
        if not all(np.isfinite(x).all() for x in found[-1].values()):
            break
    return found
