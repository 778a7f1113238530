"""Simulate a scene and record the motion: check the arguments, call a kernel repeatedly, and return a Motion."""

from dataclasses import replace
from typing import Any

import numpy as np

from anthropi.errors import InputError, Interrupted, did_you_mean
from anthropi.motion import Motion
from anthropi.simulation.arguments import Arguments, gather
from anthropi.simulation.loops import loop_forces as forces_of
from anthropi.simulation.motion_frames import Frames, Lost, first_lost
from anthropi.simulation.options import SimulationOptions, number
from anthropi.simulation.time_loop import MAX_STEPS_PER_FRAME, STATE_CHANNELS, compiled

__all__ = ["Lost", "Run", "SimulationOptions", "simulate", "whole_steps"]

PIECE_SIZES = (64, 8, 1)  # possible numbers of frames in one call of the kernel
MAX_OUTPUT_NUMBERS = 1 << 26  # largest number of output values of a call
MAX_ROW_NUMBERS = 1 << 15  # largest number of input values in rows per rollout; more take longer to record
MAX_CUT_OUTPUT_NUMBERS = 1 << 20  # largest number of output values of a call that may end before its last frame
REPORT_STEPS = 1 << 17  # steps of all rollouts in a call; progress is reported and Ctrl-C acts between calls


def simulate(
    figure: Any,
    q: Any,
    u: Any = None,
    forces: Any = None,
    *,
    steps: int | None = None,
    duration: float | None = None,
    dt: float = 1e-3,
    every: int = 1,
    method: str | None = None,
    parameters: dict[str, Any] | None = None,
    command: Any = None,
    record: Any = None,
    options: SimulationOptions | None = None,
    **others: Any,
) -> Motion:
    """Simulate a scene and record the motion.

    Parameters
    ----------
    figure : a figure or a `Scene`.
    q, u : state at the start, (nq,), (nu,) or with a leading batch axis; u is 0 by default. Instead of q, give a
        `State` (`sim.state`, `motion.resume()`) or a `Motion` to continue from it, including memory. The result is bit
        for bit identical to one uninterrupted simulation.
    forces : joint forces [N m or N]: (nu,), (steps, nu) with one row per step, (batch, steps, nu), (batch, 1, nu); or a
        pure function (figure, t, q, u) → (nu,) or `Drive`, which is recorded into the kernel; or a `Controller`.
    steps, duration : number of steps, or time [s]; give one of them.
    dt : [s] time step.
    every : number of steps between two frames of the motion.
    method : a name in `METHODS`; by default "rk4" for a figure, "linearly_implicit_euler" for a scene or a controller.
    parameters : {name: number, (size,) or (batch, size)} for parameters of the controller, and for numbers of the
        figure such as "l_thigh.mass".
    command : (n,) or (batch, n) command to the controller.
    record : channels in addition to q and u: "contact" and "contact_point" (default if there are contacts), "tau",
        "udot", "energy", "work"; or {name: function (figure, t, q, u)}. "contact" (…, frames, contacts, 3) [N] contains
        the forces on the first link of each contact, including implicit parts, and "contact_point" [m] their points.
        These two, "tau" and "udot" are means over the steps from a frame to the next. At the last frame they are the
        values of one more step.
    options : a `SimulationOptions`. Its fields may also be given as keywords: simulate(…, strict=False).

    Returns
    -------
    A `Motion` with the start and every `every`-th step after it. After an error (`StepError`) or Ctrl-C
    (`Interrupted`), the field `motion` of the exception contains the motion so far.
    """
    for name in others:
        if name not in SimulationOptions.__dataclass_fields__:
            known = list(SimulationOptions.__dataclass_fields__)
            raise InputError(
                f"simulate has no option '{name}'.{did_you_mean(name, known)} Options: {', '.join(known)}."
            )
    chosen = replace(options or SimulationOptions(), **others)
    steps = whole_steps(steps, duration, dt, every)
    given = gather(figure, q, u, forces, steps=steps, dt=dt, every=every, method=method, parameters=parameters,
                   command=command, record=record, options=chosen)  # fmt: skip
    if chosen.loop_forces and given.program.problem.needs_impulses:
        raise InputError(
            "loop_forces cannot be computed with impulsive contact or hard limits. Use Compliant contact and "
            "SoftLimits, or leave out loop_forces."
        )
    if chosen.root is None:
        run = Run(given, chosen)
    else:
        from anthropi.simulation.rooted import RootedRun

        run = RootedRun(given, chosen)
    motion = run.all()
    if not (chosen.loop_forces and given.figure.loops):
        return motion
    held = forces_of(given, motion.q, motion.u, motion.channels.get("memory"), chosen)
    return replace(motion, channels=motion.channels | held)


def whole_steps(steps: Any, duration: Any, dt: Any, every: Any) -> int:
    """Return the total number of steps, from their number or from a duration [s]."""
    if (steps is None) == (duration is None):
        raise InputError("Give either steps, or duration in seconds.")
    if duration is None:
        return steps
    for name, value in (("duration", duration), ("dt", dt)):
        number(name, value, positive=True)
    ratio = np.float64(duration) / np.float64(dt)
    if not np.isfinite(ratio) or ratio < 0.5 or abs(ratio - round(ratio)) > 1e-6 * max(1.0, ratio):
        raise InputError(
            f"duration={duration!r} s is not an integer multiple of dt={dt!r} s. Give steps, or another dt."
        )
    return round(ratio / every) * every if isinstance(every, (int, np.integer)) and every > 0 else round(ratio)


class Run:
    """A simulation that computes its frames in several calls of a kernel."""

    given: Any
    kept: Any
    kernel: Any
    options: Any
    report: Any
    size: Any
    steps: Any

    def __init__(self, given: Arguments, options: SimulationOptions, frames: int | None = None) -> None:
        self.given, self.options, self.steps = given, options, given.steps
        figure, batch, every = given.figure, given.batch or 1, given.every
        width = batch * (figure.nq + (10 if given.program.adaptive else 1) * figure.nu + _frame_width(given))
        taken = every * len(given.rows) * figure.nu
        more = (
            1 if options.progress is not None else max(1, 64 // max(1, figure.nu))
        )  # small figures need less time per step
        quick = options.target == "gpu" and options.progress is None
        self.report = MAX_STEPS_PER_FRAME if quick else max(1, more * REPORT_STEPS // batch)
        room = {n: MAX_OUTPUT_NUMBERS if n * every <= self.report else MAX_CUT_OUTPUT_NUMBERS for n in PIECE_SIZES}
        self.size = frames or next(
            n for n in PIECE_SIZES if n == 1 or (n * width <= room[n] and n * taken <= MAX_ROW_NUMBERS)
        )
        given.change(frames=self.size)
        self.kernel = compiled(given.program, options.target, options.precision, options.opt)
        lead = () if given.batch is None else (given.batch,)
        self.kept = Frames(given, self.steps // every, lead, np.float32 if options.precision == "float32" else float)

    def all(self) -> Motion:
        """Simulate all frames and return the motion."""
        given, every, done = self.given, self.given.every, 0
        state: Any = given.program.state() | given.state | {"q": given.q, "u": given.u}
        first_count = state["count"]
        stops = given.program.stop is not None
        state |= {} if given.program.adaptive else {"due": first_count + float(every)}
        try:
            while done < self.steps:
                until = min(self.steps, (done // every + self.size) * every)
                whole = every if given.program.adaptive or given.rows else 1  # otherwise a call may end between frames
                until = min(until, done + max(whole, self.report // whole * whole))
                state = self.piece(state, done, until, first_count)
                if self.options.strict:
                    self.kept.check(done // every, until // every, lambda *at: first_lost(self, *at))
                done = until
                if self.options.progress is not None:
                    self.options.progress(done, self.steps)
                if stops and (np.asarray(state["count"]) < first_count + done).all():
                    break
            self.finish(state, first_count)
        except KeyboardInterrupt:
            motion = self.kept.motion()
            raise Interrupted(
                f"Interrupted at t = {motion.time[-1]:g} s. The motion so far is in the field 'motion' of this "
                "exception.",
                motion,
            ) from None
        if stops:
            self.kept.stop(np.asarray(state["count"]) - first_count)
        return self.kept.motion()

    def piece(self, state: Any, done: int, until: int, first_count: float = 0.0) -> Any:
        """Make the steps from `done` to `until`, store their frames, and return the state after them."""
        after, found, *seen = self._call(state, done, until, first_count)
        self._keep(state, done, until, found, seen)
        return after

    def finish(self, state: Any, first_count: Any) -> None:
        """Compute the mean channels of the last frame from one more step, which is not stored."""
        means, count = self.given.program.means.size, state["count"]
        if not means:
            return
        call = state | self.given.arrays | self.given.piece(self.steps, self.steps + 1, self.size, first_count)
        call |= {"limit": np.asarray(count) + 1.0, "due": np.asarray(count) + 1.0}
        times = {"start": self.given.start, "dt": self.given.dt, "per_frame": 1}
        found = self.kernel(threads=self.options.threads, **times, **call)[1]["means"]
        last = self.kept.reached
        self.kept.add_means(np.asarray(found)[..., :1, :], slice(last, last + 1))

    def _call(self, state, done: int, until: int, first_count):
        """Call the kernel; return the state after the steps, the frames, and the channels at the start."""
        call = state | self.given.arrays | self.given.piece(done, until, self.size, first_count)
        times = {"start": self.given.start, "dt": self.given.dt, "per_frame": self.given.every}
        return self.kernel(threads=self.options.threads, **times, **call)

    def _keep(self, state, done: int, until: int, found, seen) -> None:
        """Store the frames of a call and, for the first call, the channels at the start."""
        if done == 0:
            begun = dict(*seen)
            if "memory" in state:
                begun["memory"] = np.broadcast_to(state["memory"], (*self.kept.lead, np.shape(state["memory"])[-1]))
            if "tries" in found:
                begun["tries"] = np.zeros(self.kept.lead)
            self.kept.begin(begun)
        self.kept.add(found, done // self.given.every, until // self.given.every)


def _frame_width(given: Arguments) -> int:
    """Return how many numbers a frame has in addition to q and u."""
    program = given.program
    total = program.memory.size + program.means.size
    state = given.q.reshape(-1, given.figure.nq)[0], given.u.reshape(-1, given.figure.nu)[0]
    for name, function in program.record.items():
        if function is not None:
            total += np.size(function(given.figure, given.start, *state))
        else:
            total += STATE_CHANNELS.get(name, 0)
    return total
