"""Loops in a simulation: check that they are closed at the start, and compute the forces that hold them at frames.

Works on plain floats only; cannot be recorded on a tape.
"""

from typing import Any

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.compiler import build, kernel_for
from anthropi.compiler.cache import digest
from anthropi.constraints.loops.closures import closures, gaps, pose_closures, speeds
from anthropi.constraints.loops.dynamics import accelerate
from anthropi.constraints.loops.misalignment import open_loops
from anthropi.errors import StateError
from anthropi.simulation.drive import checked, inputs
from anthropi.simulation.forces import Inputs, forces_at
from anthropi.simulation.options import SimulationOptions
from anthropi.tape import record

__all__ = ["loop_forces", "refuse_open"]

CLOSED_TOLERANCE = 1e-6  # [m, rad, m/s, rad/s] largest error of loops at the start of a simulation


def refuse_open(figure: Any, q: Any, u: Any, course: Any) -> None:
    """Raise `StateError` if a loop is open at the start, or the velocities open it.

    q : (…, nq). u : (…, nu). course : (3, numbers) value, rate and acceleration of driven loops.
    """
    arrays = {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu), "course": np.zeros(course.shape)}

    def apart(q, u, course):
        k = kinematics(figure, q, u)
        pairs = zip(pose_closures(figure, course), closures(figure, course), strict=True)
        return {
            c.name: (gaps(figure, k, (c, *c.guides()), q), speeds(figure, k, (moving,), q, u)) for c, moving in pairs
        }

    run = kernel_for(digest("open loops 2", figure.key), lambda: record(apart, **arrays), "replay")
    for name, found in run(q=q, u=u, course=course).items():
        gap, speed = (np.abs(np.asarray(x)).max(initial=0.0) for x in found)
        if not max(gap, speed) <= CLOSED_TOLERANCE:
            what = f"opening at {speed:.3g} per second"
            if not gap <= CLOSED_TOLERANCE:
                n = int(np.argmax(np.abs(np.asarray(found[0]).reshape(-1, np.shape(found[0])[-1])).max(axis=-1)))
                own = course if np.ndim(course) < 3 else np.asarray(course).reshape(-1, *np.shape(course)[-2:])[n]
                state = np.asarray(q).reshape(-1, figure.nq)[n]
                what = f"open by {open_loops(figure, state, own, CLOSED_TOLERANCE)[name]}"
            raise StateError(
                f"Loop '{name}' of figure '{figure.name}' is {what} at the start. Use q and u from "
                "ap.loops.close_loops(figure, q, u)."
            )


def loop_forces(given: Any, q: Any, u: Any, memory: Any, options: SimulationOptions) -> dict[str, np.ndarray]:
    """Compute the forces of all loops at the frames of a motion, {"<loop>.force": (…, frames, 6 or 1)}.

    The six numbers are the moment about the origin of the loop's frame b, then the force on link b, in world axes; a
    coupling has one number, its force on the coordinate `dof`. If
    the applied forces have one row per step, those at a frame are the row of the step that begins at this frame.

    given : `Arguments` of the simulation. q : (…, frames, nq). u : (…, frames, nu). memory : (…, frames, n) or None.
    """
    lead, frames = q.shape[:-2], q.shape[-2]
    rows = {name: _at_frames(rows, given.every)[..., :frames, :] for name, rows in given.rows.items()}
    several = {"q": q, "u": u, "t": given.times[:frames], **rows, **given.arrays}
    several["count"] = float(given.state.get("count", 0.0)) + given.every * np.arange(frames)
    several |= {} if memory is None else {"memory": memory}
    single = dict.fromkeys(several, 1) | {"t": 0, "count": 0, "stream": 0, "f_ext": 2}
    arrays = {}
    for name, array in several.items():
        core = array.shape[array.ndim - single[name] :]
        ahead = array.shape[: array.ndim - single[name]]
        if name in given.arrays:  # the same for all frames
            array = array.reshape(*ahead, 1, *core)
        arrays[name] = np.broadcast_to(array, (*lead, frames, *core)).reshape(-1, *core)

    def held(t, q, u, count, parameters=None, memory=None, settings=None, command=None, stream=0.0, **more):
        program = given.program.with_parameters(parameters)
        problem, over = program.problem, given.dt if given.program.problem.implicit else None
        kept = {} if memory is None else program.memory.unpack(memory)
        own = {} if settings is None else program.settings.unpack(settings)
        given_inputs = Inputs(program.drive(more), own, np.zeros(0) if command is None else command, stream, count)
        drive = checked(problem.figure, forces_at(problem, t, q, u, kept, given_inputs, over).drive, problem.prescribed)
        tau, extra, added = inputs(problem.figure, drive, q, u, over)
        return accelerate(problem.figure, q, u, tau, drive.f_ext, extra, drive.course, drive.udot, problem.prescribed,
                          added)[2]  # fmt: skip

    tape = record(held, **{name: np.zeros(array.shape[1:]) for name, array in arrays.items()})
    found = build(tape, options.target, "float64", options.opt)(*arrays.values())
    return {f"{name}.force": np.asarray(f).reshape(*lead, frames, -1) for name, f in found.items()}


def _at_frames(rows, every: int) -> np.ndarray:
    """Select the rows (…, steps, n) at the start of each frame, and repeat the last row for the last frame."""
    return np.concatenate([rows[..., ::every, :], rows[..., -1:, :]], axis=-2)
