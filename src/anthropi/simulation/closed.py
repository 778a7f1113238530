"""Does a state agree with the loops of its figure? Looked at before a simulation starts. Floats only."""

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.compiler import kernel_for
from anthropi.compiler.cache import digest
from anthropi.constraints.loops.closures import closures, gaps, speeds
from anthropi.errors import StateError
from anthropi.tape import record

__all__ = ["refuse_open"]

OPEN = 1e-6  # [m, rad and so on, and per second]


def refuse_open(figure, q, u, course) -> None:
    """Raise if a loop is open, or velocities open it. q (…, nq), u (…, nu), course (3, numbers)."""
    arrays = {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu), "course": np.zeros(course.shape)}

    def apart(q, u, course):
        k, held = kinematics(figure, q, u), closures(figure, course)
        return {c.name: np.stack([gaps(figure, k, (c,)), speeds(figure, k, (c,))]) for c in held}

    run = kernel_for(digest("open loops", figure.key), lambda: record(apart, **arrays), "replay")
    for name, found in run(q=q, u=u, course=course).items():
        gap, speed = np.abs(np.asarray(found)).max(axis=-1).reshape(-1, 2).max(axis=0)
        if not max(gap, speed) <= OPEN:
            what = f"open by {gap:.3g}" if not gap <= OPEN else f"opening with {speed:.3g} a second"
            raise StateError(f"Loop '{name}' of figure '{figure.name}' is {what} at the start. Take q and u from "
                            "ap.loops.close_loops(figure, q, u).")  # fmt: skip
