"""How does a figure move from here on? The front of `rollout`: it checks, cuts the run into pieces, and makes a Motion.

Floats only.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from anthropi.algorithms.implicit import implicit_drive
from anthropi.algorithms.singularity import singular_joint
from anthropi.errors import SizeError, StepError
from anthropi.motion import Motion
from anthropi.simulation.inputs import Inputs, gather
from anthropi.simulation.loop_forces import loop_forces as forces_of
from anthropi.simulation.methods import METHODS, SemiImplicit
from anthropi.simulation.rollout import STEPS, Plan, kernel, state_of

__all__ = ["Lost", "simulate"]

PIECES = (64, 8, 1)  # frames
ROOM = 1 << 26  # numbers a piece may bring back
ROWS = 1 << 15  # numbers it may take as rows, of one rollout: more take longer to record
SMALL = 1 << 20  # the same, if it may be cut before it has them all
LOOKED_AT = 8  # frames before a rollout ended: a state that is singular may throw it out some steps later
FAR = 1e6  # coordinates beyond have no digits left to see it by
REPORT = 1 << 17  # steps of all rollouts together in a call of a kernel: between two, progress is told and Ctrl-C acts


class Lost(NamedTuple):
    """A rollout that could not go on: the time [s] of the last frame it reached, and which it is (0 if alone)."""

    time: float
    rollout: int


def simulate(figure, q, u=None, forces=None, *, steps, dt=1e-3, every=1, method="rk4", tolerance=None, longest=None,
             f_ext=None, udot=None, prescribed=(), loops=None, loop_forces=False, parameters=None, start=0.0,
             target="cpu", precision="float64", opt="tiers", threads=None, strict=True,
             progress=None) -> Motion:  # fmt: skip
    """How does a figure move from here on?

    Parameters
    ----------
    q, u : state at the start, (nq,), (nu,) or with a leading batch axis; u is 0 by default.
    forces : joint forces [N m or N]: (nu,), (steps, nu) one row a step, (batch, steps, nu), (batch, 1, nu); or a pure
        function (figure, t, q, u) → (nu,) or `Drive`, recorded into the kernel.
    steps, dt : how many steps of how many seconds. every : steps between two frames of the motion.
    method : a name in `METHODS`. tolerance : with method="dormand_prince", steps as long as this accuracy allows
        [rad, m; relative for velocities beyond 1]; frames stay `every` dt apart and dt is only the first try.
        longest : [s] the longest step then, for forces that come and go.
    f_ext : (links, 6), (batch, links, 6), {link: (6,) or (batch, 6)}, or a function (figure, t, q, u) → either.
    prescribed, udot : joints or degrees of freedom that follow accelerations, given as forces are.
    loops : {loop: function of t → its number or numbers}: loops that are led (a nail on a path, a driven angle). A
        figure with loops starts closed (`ap.close_loops`) and stays so: every step ends with a projection.
    loop_forces : whether the motion has channels "<loop>.force" (…, frames, 6): what holds each loop, the moment about
        its frame b's origin and the force on link b, in world axes.
    parameters : {slot: number, (size,) or (batch, size)}: other numbers in the figure ("l_thigh.mass").
    target, precision, opt, threads : as in `build` and kernels.
    strict : whether a rollout that cannot go on is an error; if not, its frames are NaN and `events` lists it.
    progress : function (steps done, steps in all), called after every piece.

    Returns
    -------
    A `Motion` with the start and every `every`-th step after it.
    """
    if precision == "float32" and isinstance(steps, (int, np.integer)) and steps >= 1 << 24:
        raise SizeError(f"float32 cannot count {steps} steps; at most {(1 << 24) - 1}. Take float64, or run in parts.")
    if not (progress is None or callable(progress)):
        raise SizeError(f"progress={progress!r}: give a function of (steps done, steps in all), or None.")
    given = gather(figure, q, u, forces, f_ext=f_ext, udot=udot, prescribed=prescribed, parameters=parameters,
                   method=method, tolerance=tolerance, longest=longest, dt=dt, steps=steps, every=every, start=start,
                   loops=loops)  # fmt: skip
    adaptive, lead = tolerance is not None, () if given.batch is None else (given.batch,)
    width = (given.batch or 1) * (figure.nq + (10 if adaptive else 1) * figure.nu)
    taken = every * len(given.rows) * figure.nu
    more = 1 if progress is not None else max(1, 64 // max(1, figure.nu))  # steps of small figures take no time
    quick = target == "gpu" and progress is None
    report = STEPS if quick else max(1, more * REPORT // (given.batch or 1))
    room = {n: ROOM if n * every <= report else SMALL for n in PIECES}
    size = next(n for n in PIECES if n == 1 or (n * width <= room[n] and n * taken <= ROWS))
    plan = Plan(given.method, given.prescribed, adaptive, size, given.kinds["forces"], given.kinds["udot"],
                given.kinds["f_ext"], every if given.rows else 0, given.slots, given.parameters_size)  # fmt: skip
    run = kernel(figure, plan, given.functions, target, precision, opt)
    state = state_of(figure, plan) | {"q": given.q, "u": given.u}
    state |= {} if adaptive else {"due": float(every)}
    kept = _Frames(figure, given, steps // every, lead, np.float32 if precision == "float32" else float)
    done = 0
    while done < steps:
        until = min(steps, (done // every + size) * every)
        whole = every if adaptive or given.rows else 1  # else a piece may end between frames
        until = min(until, done + max(whole, report // whole * whole))
        first, last = done // every, until // every
        call = state | given.arrays | given.piece(done, until, size)
        state, found = run(threads=threads, start=given.start, dt=given.dt, per_frame=every, **call)
        kept.add(found, first, last)
        if strict:
            kept.check(given, first, last)
        done = until
        if progress is not None:
            progress(done, steps)
    motion = kept.motion(given)
    if not (loop_forces and figure.loops):
        return motion
    return replace(motion, channels=motion.channels | forces_of(given, plan, motion.q, motion.u, target, opt))


class _Frames:
    """The frames of a motion, as they come in."""

    def __init__(self, figure, given: Inputs, frames: int, lead, dtype):
        self.figure, self.lead = figure, lead
        self.q = np.full((*lead, frames + 1, figure.nq), np.nan, dtype)
        self.u = np.full((*lead, frames + 1, figure.nu), np.nan, dtype)
        self.q[..., 0, :], self.u[..., 0, :] = given.q, given.u
        self.tries = np.zeros((*lead, frames + 1), dtype)

    def add(self, found, first: int, last: int) -> None:
        """Frames of a piece; those past the last wanted are left out."""
        rows, count = slice(first + 1, last + 1), last - first
        self.q[..., rows, :], self.u[..., rows, :] = found["q"][..., :count, :], found["u"][..., :count, :]
        if "tries" in found:
            self.tries[..., rows] = found["tries"][..., :count]

    def lost(self, given: Inputs, first: int, last: int) -> list[Lost]:
        """Rollouts that end between two frames."""
        rows = slice(first + 1, last + 1)
        bad = ~(np.isfinite(self.q[..., rows, :]).all(-1) & np.isfinite(self.u[..., rows, :]).all(-1))
        ends = [(first + int(np.argmax(row)), k) for k, row in enumerate(np.atleast_2d(bad)) if row.any()]
        return [Lost(float(given.times[frame]), k) for frame, k in sorted(ends)]

    def check(self, given: Inputs, first: int, last: int) -> None:
        """Refuse a rollout that ended."""
        ended = self.lost(given, first, last)
        if not ended:
            return
        which = f"rollout {ended[0].rollout} of {given.batch}" if self.lead else "the motion"
        more = f" (and {len(ended) - 1} more)" if len(ended) > 1 else ""
        frame = int(np.searchsorted(given.times, ended[0].time))
        own = self.q[ended[0].rollout] if self.lead else self.q
        raise StepError(
            f"Figure '{self.figure.name}': after t = {ended[0].time:.6g} s {which}{more} has no finite state, "
            f"{_advice(given, ended[0].rollout, own[max(0, frame - LOOKED_AT + 1) : frame + 1])} strict=False keeps "
            "the others."
        )

    def motion(self, given: Inputs) -> Motion:
        """All of it."""
        channels = {"tries": self.tries} if given.tolerance is not None else {}
        events = self.lost(given, 0, self.q.shape[-2] - 1)
        for array in (self.q, self.u, *channels.values()):
            array.setflags(write=False)  # so that no copy is made
        return Motion(given.figure, given.times, self.q, self.u, channels, tuple(events))


def _advice(given: Inputs, rollout: int, last) -> str:
    """How it went, and what may help, for a rollout whose last finite configurations are last (frames, nq)."""
    figure, parameters = given.figure, given.arrays.get("parameters")
    if parameters is not None and parameters.ndim == 2:
        figure = figure.with_numbers(given.slots, parameters[rollout])
    none, rule, extra = np.zeros(figure.nu), METHODS[given.method], None
    for q in np.asarray(last, float)[::-1]:
        if not np.abs(q).max(initial=0.0) < FAR:
            continue
        if isinstance(rule, SemiImplicit) and rule.implicit:
            extra = implicit_drive(figure, q, none, none, given.dt)[1]
        found = singular_joint(figure, q, extra, given.prescribed)
        if found is None:
            continue
        joint, link = figure.joints[found.joint], figure.links[found.joint]
        why = "nothing beyond it has mass" if found.massless else "its axes fall together"
        return (f"by '{given.method}': joint '{joint.name}' of link '{link.name}' was singular shortly before, {why} "
                f"({', '.join(found.dofs)}). Give it armature or mass, another joint, or another start.")  # fmt: skip
    if given.tolerance is not None:
        return (f"by '{given.method}' with tolerance = {given.tolerance:g}. Take a larger tolerance, or a `longest` "
                "where forces come and go; look at forces that jump or grow without bound.")  # fmt: skip
    return (f"by '{given.method}' with dt = {given.dt:g} s. Take a shorter dt, or method='linearly_implicit_euler' for "
            "stiff springs and dampers; look at forces that grow without bound.")  # fmt: skip
