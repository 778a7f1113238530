"""Which forces held the loops at the frames of a motion? All frames at once, in a kernel of their own. Floats only."""

import numpy as np

from anthropi.compile import build
from anthropi.constraints.loops.dynamics import accelerate
from anthropi.simulation.drive import total_force
from anthropi.simulation.inputs import Inputs
from anthropi.simulation.rollout import Plan, drive_of
from anthropi.tape import record

__all__ = ["loop_forces"]


def loop_forces(given: Inputs, plan: Plan, q, u, memory, target: str, opt) -> dict[str, np.ndarray]:
    """{"<loop>.force": (…, frames, 6)}: moment about frame b's origin and force on link b, in world axes.

    q (…, frames, nq), u (…, frames, nu), memory (…, frames, n) or None. A row of forces counts from the frame at the
    start of its step.
    """
    figure, lead, frames = given.figure, q.shape[:-2], q.shape[-2]
    rows = {name: _at_frames(rows, given.every)[..., :frames, :] for name, rows in given.rows.items()}
    several = {"q": q, "u": u, "t": given.times[:frames], **rows, **given.arrays}
    scene = given.functions.get("scene")
    if scene is not None:
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

    def held(t, q, u, parameters=None, **more):
        own = figure if parameters is None else figure.with_numbers(plan.parameters, parameters)
        if scene is not None:
            others = {name: function for name, function in given.functions.items() if name != "scene"}
            return scene.held(own, plan, others, t, given.dt, q, u, **more)  # type: ignore[attr-defined]
        drive = drive_of(own, plan, given.functions, more)(t, q, u)
        tau = total_force(own, drive, q, u)
        return accelerate(own, q, u, tau, drive.f_ext, None, drive.course, drive.udot, plan.prescribed)[2]

    tape = record(held, **{name: np.zeros(array.shape[1:]) for name, array in arrays.items()})
    found = build(tape, target, "float64", opt)(*arrays.values())
    return {f"{name}.force": np.asarray(f).reshape(*lead, frames, 6) for name, f in found.items()}


def _at_frames(rows, every: int) -> np.ndarray:
    """Rows (…, steps, n) at the starts of frames, the last one once more at the end."""
    return np.concatenate([rows[..., ::every, :], rows[..., -1:, :]], axis=-2)
