"""Batches of walks, long walks in pieces, starts at several phases, and falls. Works on plain floats only.

fell: the definition of `anthropi/gait/falls.py`                                                                 (1)
"""

from typing import NamedTuple

import numpy as np
from research.walker_trials.subject import Subject

from anthropi.errors import InputError, SimulationError
from anthropi.gait.falls import fall_time
from anthropi.gait.report.from_motion import foot_forces
from anthropi.gait.walker.command import rows_at
from anthropi.motion import Motion
from anthropi.simulation.simulate import simulate

__all__ = ["LongWalk", "fell_at", "long_walk", "on_the_walk", "walk"]

FRAME = 0.01  # [s] between frames
PIECE = 60.0  # [s] length of a piece of a long walk


def walk(who: Subject, speeds, duration: float, *, start: Motion | None = None, places=None, dt: float = 1e-3,
         frame: float = FRAME, record=("contact",), opt=2, **more) -> Motion:  # fmt: skip
    """Simulate walks at speeds (n,) [m/s], a motion of n rollouts.

    start : motion to continue (`on_the_walk`), by default the start of the subject. places : (n, 2) [m] of the starts.
    frame : [s] between frames.
    """
    commands = rows_at(speeds)
    q, u = (np.tile(x, (len(commands), 1)) for x in who.start)
    if places is not None:
        q[:, :2] += np.asarray(places, float)
    begun = {"q": q, "u": u} if start is None else {"q": start}
    return simulate(who.scene, **begun, forces=who.controller, command=commands, duration=duration, dt=dt,
                    every=round(frame / dt), record=record, strict=False, opt=opt, **more)  # fmt: skip


def on_the_walk(who: Subject, speed: float, phases: int, settle: float = 8.0, opt=2) -> Motion:
    """Return n starts from one walk at a speed [m/s], evenly over its last stride, as n rollouts at time 0."""
    motion = walk(who, [speed], settle, opt=opt).rollout(0)
    if np.isfinite(fell_at(motion)):
        raise SimulationError(f"The walk falls after {fell_at(motion):.1f} s at {speed:g} m/s; it has no steady gait.")
    column, memory = who.columns(), motion.channels["memory"]
    strikes = np.flatnonzero(np.diff(memory[:, column["steps"]]) > 0.5) + 1
    if len(strikes) < 3:
        raise SimulationError(f"The walk has no complete stride within {settle:g} s at {speed:g} m/s.")
    first, last = strikes[-3], strikes[-1]
    at = first + np.round((last - first) * np.arange(phases) / phases).astype(int)
    rows = memory[at].copy()
    rows[:, column["last"]] = 0.0
    q = motion.q[at].copy()
    q[:, :2] = 0.0
    return Motion(motion.figure, np.zeros(1), q[:, None], motion.u[at][:, None], {"memory": rows[:, None]})


def fell_at(motion: Motion, scene=None) -> np.ndarray:
    """Return the time [s] at which each rollout fell (1), NaN without a fall. scene : its scene; None: level ground."""
    return fall_time(motion, scene)


class LongWalk(NamedTuple):
    """Long walks: time (frames,) [s]; place (n, frames, 3) [m] of the pelvis; load {side: (n, frames)} [N]; number of
    steps so far (n, frames); time of the fall (n,) [s] or NaN.
    """

    time: np.ndarray
    place: np.ndarray
    load: dict[str, np.ndarray]
    steps: np.ndarray
    fell: np.ndarray


def long_walk(who: Subject, speeds, steps: int, *, frame: float = 0.005, progress=None, opt=2) -> LongWalk:
    """Simulate walks at speeds (n,) [m/s] until each has made a number of steps, or fallen."""
    kept: dict[str, list] = {"time": [], "place": [], "l": [], "r": [], "steps": []}
    fell, motion, column = np.full(len(np.atleast_1d(speeds)), np.nan), None, who.columns()["steps"]
    while True:
        motion = walk(who, speeds, PIECE, start=motion and _end(motion, fell), frame=frame, opt=opt)
        force = foot_forces(motion, np.eye(3))
        if force is None:
            raise InputError("Foot loads are unknown: give a scene with features='feet'.")
        new = slice(0 if not kept["time"] else 1, None)
        found = {"time": motion.time, "place": motion.q[..., :3], "steps": motion.channels["memory"][..., column]}
        for name, x in (found | {side: force[side][..., 2] for side in "lr"}).items():
            kept[name].append(x[new] if name == "time" else x[:, new])
        now, count = fell_at(motion), found["steps"][:, -1]
        fell = np.where(np.isfinite(fell), fell, now)
        if progress is not None:
            progress(int(np.nanmin(np.where(np.isfinite(fell), np.inf, count), initial=steps)), steps)
        if (np.isfinite(fell) | ~np.isfinite(count) | (count >= steps)).all():
            break
    whole = {name: np.concatenate(x, axis=0 if name == "time" else 1) for name, x in kept.items()}
    return LongWalk(whole["time"], whole["place"], {s: whole[s] for s in "lr"}, whole["steps"], fell)


def _end(motion: Motion, fell) -> Motion:
    """Return the last frame, or for fallen rollouts the first one, so that all states are finite."""
    kept = np.where(np.isfinite(fell), 0, len(motion) - 1)
    rows = np.arange(len(kept))

    def at(x):
        return x[rows, kept][:, None]

    return motion.changed(time=motion.time[-1:], q=at(motion.q), u=at(motion.u),
                          channels={"memory": at(motion.channels["memory"])}, events=())  # fmt: skip
