"""How does a figure move from here on? The front of `rollout`: it checks, cuts the run into pieces, and makes a Motion.

Floats only.
"""

from dataclasses import replace

import numpy as np

from anthropi.errors import InputError, Interrupted
from anthropi.motion import Motion
from anthropi.simulation.culprit import first_lost
from anthropi.simulation.frames import Frames, Lost
from anthropi.simulation.impulses import needs_impulses
from anthropi.simulation.inputs import Inputs, gather, number
from anthropi.simulation.loop_forces import loop_forces as forces_of
from anthropi.simulation.rollout import STEPS, Plan, kernel, state_of
from anthropi.simulation.scene_inputs import in_scene

__all__ = ["Lost", "simulate"]

PIECES = (64, 8, 1)  # frames
ROOM = 1 << 26  # numbers a piece may bring back
ROWS = 1 << 15  # numbers it may take as rows, of one rollout: more take longer to record
SMALL = 1 << 20  # the same, if it may be cut before it has them all
REPORT = 1 << 17  # steps of all rollouts together in a call of a kernel: between two, progress is told and Ctrl-C acts


def simulate(figure, q, u=None, forces=None, *, steps=None, duration=None, dt=1e-3, every=1, method=None,
             tolerance=None, longest=None, f_ext=None, udot=None, prescribed=(), loops=None, loop_forces=False,
             parameters=None, command=None, seed=0, record=None, conserve=False, root=None, stop=None, start=0.0,
             target="cpu", precision="float64", opt="tiers", threads=None, strict=True,
             progress=None) -> Motion:  # fmt: skip
    """How does a figure move from here on?

    Parameters
    ----------
    figure : a figure, or a `Scene` with one in it.
    q, u : state at the start, (nq,), (nu,) or with a leading batch axis; u is 0 by default. A `Motion` instead of q:
        go on from its end, memory included, bit for bit as if it had never stopped.
    forces : joint forces [N m or N]: (nu,), (steps, nu) one row a step, (batch, steps, nu), (batch, 1, nu); or a pure
        function (figure, t, q, u) → (nu,) or `Drive`, recorded into the kernel; or a `Controller`.
    steps or duration [s], dt : how many steps of how many seconds. every : steps between two frames of the motion.
    method : a name in `METHODS`; "rk4" for a figure, "linearly_implicit_euler" with a scene or a controller.
    tolerance : with method="dormand_prince", steps as long as this accuracy allows
        [rad, m; relative for velocities beyond 1]; frames stay `every` dt apart and dt is only the first try.
        longest : [s] the longest step then, for forces that come and go.
    f_ext : (links, 6), (batch, links, 6), {link: (6,) or (batch, 6)}, or a function (figure, t, q, u) → either.
    prescribed, udot : joints or degrees of freedom that follow accelerations, given as forces are.
    loops : {loop: function of t → its number or numbers}: loops that are led (a nail on a path, a driven angle). A
        figure with loops starts closed (`ap.close_loops`) and stays so: every step ends with a projection.
    loop_forces : whether the motion has channels "<loop>.force" (…, frames, 6): what holds each loop, the moment about
        its frame b's origin and the force on link b, in world axes.
    parameters : {slot: number, (size,) or (batch, size)}: other numbers in the figure ("l_thigh.mass"), and of the
        controller. command : (n,) or (batch, n) what the controller is told. seed : of its random numbers.
    record : channels besides q and u: "contact" (the default where there is any), "tau", "udot", "energy", "work"; or
        {name: function (figure, t, q, u)}. Of steps of first order, forces and udot are those of the step that begins
        at the frame. conserve : whether a free figure keeps its momentum to the last digit.
    root : "stance foot", or links: whichever of them carries most is the root while the figure moves; the motion stays
        in the figure's own coordinates.
    stop : function (figure, t, q, u) → mask: a rollout for which it holds makes no more steps, and the event `Stopped`
        says when. One rollout ends there; of a batch, later frames repeat where it stopped.
    target, precision, opt, threads : as in `build` and kernels.
    strict : whether a rollout that cannot go on is an error; if not, its frames are NaN and `events` lists it.
    progress : function (steps done, steps in all), called after every piece.

    Returns
    -------
    A `Motion` with the start and every `every`-th step after it. What was recorded before an error (`StepError`) or
    Ctrl-C (`Interrupted`) is in the exception's `motion`.
    """
    if not (progress is None or callable(progress)):
        raise InputError(f"progress={progress!r}: give a function of (steps done, steps in all), or None.")
    place = in_scene(figure, q, u, forces, method, prescribed, parameters, command, seed, record, conserve, stop, start,
                     dt if tolerance is None else None)  # fmt: skip
    steps = whole_steps(steps, duration, dt, every)
    if precision == "float32" and steps >= 1 << 24:
        raise InputError(f"float32 cannot count {steps} steps; at most {(1 << 24) - 1}. Take float64, or run in parts.")
    given = gather(place.figure, place.q, place.u, place.forces, f_ext=f_ext, udot=udot, prescribed=place.prescribed,
                   parameters=place.parameters, method=place.method, tolerance=tolerance, longest=longest, dt=dt,
                   steps=steps, every=every, start=place.start, loops=loops, driven=place.driven)  # fmt: skip
    place.into(given, tolerance, precision)
    scene = given.functions.get("scene")
    if loop_forces and scene is not None and needs_impulses(scene.setting):
        raise InputError("loop_forces are not known where impulses hold loops, contacts or hard limits. Take Compliant "
                        "and springs at limits, or leave loop_forces out.")  # fmt: skip
    if root is None:
        run = Run(given, steps, target, precision, opt, threads, progress)
    else:
        from anthropi.simulation.rooted_run import RootedRun

        run = RootedRun(given, steps, root, target, precision, opt, threads, progress)
    motion = run.all(strict)
    if not (loop_forces and given.figure.loops):
        return motion
    held = forces_of(given, run.plan, motion.q, motion.u, motion.channels.get("memory"), target, opt)
    return replace(motion, channels=motion.channels | held)


def whole_steps(steps, duration, dt, every) -> int:
    """How many steps there are in all, told by their number or by a time [s]."""
    if (steps is None) == (duration is None):
        raise InputError("Say how long: either steps, or duration in seconds.")
    if duration is None:
        return steps
    for name, value in (("duration", duration), ("dt", dt)):
        number(name, value, positive=True)
    ratio = np.float64(duration) / np.float64(dt)
    if not np.isfinite(ratio) or ratio < 0.5 or abs(ratio - round(ratio)) > 1e-6 * max(1.0, ratio):
        raise InputError(
            f"duration={duration!r} s is no whole number of steps of dt={dt!r} s. Give steps, or another dt."
        )
    return round(ratio / every) * every if isinstance(every, (int, np.integer)) and every > 0 else round(ratio)


class Run:
    """A simulation on its way: pieces of frames, one after the other."""

    def __init__(self, given: Inputs, steps: int, target, precision, opt, threads, progress, frames=None):
        self.given, self.steps, self.threads, self.progress = given, steps, threads, progress
        figure, batch, every = given.figure, given.batch or 1, given.every
        adaptive = given.tolerance is not None
        width = batch * (figure.nq + (10 if adaptive else 1) * figure.nu + given.width)
        taken = every * len(given.rows) * figure.nu
        more = 1 if progress is not None else max(1, 64 // max(1, figure.nu))  # steps of small figures take no time
        quick = target == "gpu" and progress is None
        self.report = STEPS if quick else max(1, more * REPORT // batch)
        room = {n: ROOM if n * every <= self.report else SMALL for n in PIECES}
        self.size = frames or next(n for n in PIECES if n == 1 or (n * width <= room[n] and n * taken <= ROWS))
        self.plan = Plan(given.method, given.prescribed, adaptive, self.size, given.kinds["forces"],
                         given.kinds["udot"], given.kinds["f_ext"], every if given.rows else 0, given.slots,
                         given.parameters_size)  # fmt: skip
        self.kernel = kernel(figure, self.plan, given.functions, target, precision, opt)
        lead = () if given.batch is None else (given.batch,)
        self.kept = Frames(given, steps // every, lead, np.float32 if precision == "float32" else float)

    def all(self, strict: bool) -> Motion:
        """Every piece."""
        given, every, done = self.given, self.given.every, 0
        state = state_of(given.figure, self.plan) | given.state | {"q": given.q, "u": given.u}
        first_count = state["count"]
        state |= {} if self.plan.adaptive else {"due": first_count + float(every)}
        try:
            while done < self.steps:
                until = min(self.steps, (done // every + self.size) * every)
                whole = every if self.plan.adaptive or given.rows else 1  # else a piece may end between frames
                until = min(until, done + max(whole, self.report // whole * whole))
                state = self.piece(state, done, until, first_count)
                if strict:
                    self.kept.check(done // every, until // every, lambda *at: first_lost(self, *at))
                done = until
                if self.progress is not None:
                    self.progress(done, self.steps)
                if given.stops and (np.asarray(state["count"]) < first_count + done).all():
                    break
        except KeyboardInterrupt:
            motion = self.kept.motion()
            raise Interrupted(f"Stopped at t = {motion.time[-1]:g} s; the exception's motion has what there was until "
                              "then.", motion) from None  # fmt: skip
        if given.stops:
            self.kept.stop(np.asarray(state["count"]) - first_count)
        return self.kept.motion()

    def piece(self, state, done: int, until: int, first_count=0.0):
        """The steps from done until: frames are kept, the state after them is given back."""
        after, found, *seen = self._call(state, done, until, first_count)
        self._keep(state, done, until, found, seen)
        return after

    def _call(self, state, done: int, until: int, first_count):
        """The kernel: the state after, frames, and what was seen at the start."""
        call = state | self.given.arrays | self.given.piece(done, until, self.size, first_count)
        times = {"start": self.given.start, "dt": self.given.dt, "per_frame": self.given.every}
        return self.kernel(threads=self.threads, **times, **call)

    def _keep(self, state, done: int, until: int, found, seen) -> None:
        """Frames of a piece; before the first, what was there at the start."""
        if done == 0:
            begun = dict(*seen)
            if "memory" in state:
                begun["memory"] = np.broadcast_to(state["memory"], (*self.kept.lead, np.shape(state["memory"])[-1]))
            if "tries" in found:
                begun["tries"] = np.zeros(self.kept.lead)
            self.kept.begin(begun)
        self.kept.add(found, done // self.given.every, until // self.given.every)
