"""Forces that held the loops at the frames of a motion: all frames at once, in a kernel of their own. Floats only."""

import numpy as np

from anthropi.compiler import build
from anthropi.constraints.loops.dynamics import accelerate
from anthropi.simulation.arguments import Arguments
from anthropi.simulation.drive import checked, inputs
from anthropi.simulation.forces import Inputs, forces_at
from anthropi.simulation.options import SimulationOptions
from anthropi.tape import record

__all__ = ["loop_forces"]


def loop_forces(given: Arguments, q, u, memory, options: SimulationOptions) -> dict[str, np.ndarray]:
    """{"<loop>.force": (…, frames, 6)}: moment about frame b's origin and force on link b, in world axes.

    q (…, frames, nq), u (…, frames, nu), memory (…, frames, n) or None. A row of forces counts from the frame at the
    start of its step.
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
        told = Inputs(program.drive(more), own, np.zeros(0) if command is None else command, stream, count)
        drive = checked(problem.figure, forces_at(problem, t, q, u, kept, told, over).drive, problem.prescribed)
        tau, extra, added = inputs(problem.figure, drive, q, u, over)
        return accelerate(problem.figure, q, u, tau, drive.f_ext, extra, drive.course, drive.udot, problem.prescribed,
                          added)[2]  # fmt: skip

    tape = record(held, **{name: np.zeros(array.shape[1:]) for name, array in arrays.items()})
    found = build(tape, options.target, "float64", options.opt)(*arrays.values())
    return {f"{name}.force": np.asarray(f).reshape(*lead, frames, 6) for name, f in found.items()}


def _at_frames(rows, every: int) -> np.ndarray:
    """Rows (…, steps, n) at the starts of frames, the last one once more at the end."""
    return np.concatenate([rows[..., ::every, :], rows[..., -1:, :]], axis=-2)
