"""Trials of closed-loop walks: many walks of many bodies, speeds and pushes, as the function of a study.

The walks of one body are lanes of one kernel, and every body has a kernel of its own, which is found again in this
process and in the kernel cache. So give the points in an order in which bodies do not alternate: in a grid, height,
mass and sex come first.

    points = study.grid(height=[1.6, 1.8], mass=[60.0, 80.0], speed=[1.1, 1.3, 1.5], push=[0.0, 20.0, 40.0])
    study.Study(walk_trial, points, "out/walks", batch=LANES).run()

A walk starts within the gait of the walker (`gait/walker/`), along x, and is pushed once (`gait/report/push_trials.py`
(1)). It ends at its first fall (`gait/falls.py`): the results describe the walk until then. Therefore only the soles
touch the ground in the simulation. The function works on plain floats only and cannot be recorded on a tape.
"""

import math
from typing import Any

import numpy as np

from anthropi.errors import InputError
from anthropi.figure.figure import Figure
from anthropi.figure.human.build import human
from anthropi.gait.falls import FallDetector
from anthropi.gait.report.push_trials import Pushed
from anthropi.gait.walker.command import rows_at
from anthropi.gait.walker.parameters import WalkerFile, load_walker
from anthropi.gait.walker.walker import sole_scene, walker_at_start
from anthropi.simulation.memory import layout
from anthropi.simulation.problem import Problem, initial_memory
from anthropi.simulation.simulate import simulate

__all__ = ["LANES", "walk_trial"]

LANES = 64  # largest number of walks in one simulation, so that all sizes of batches use one kernel
DT, STEPS_PER_FRAME = 1e-3, 10  # [s] time step; steps between frames
SPEED_WINDOW = 2.0  # [s] at the end of a walk over which its speed is measured


def walk_trial(
    height: Any,
    mass: Any,
    sex: Any = "m",
    speed: Any = 1.3,
    push: Any = 0.0,
    direction: Any = 0.0,
    at: Any = 4.0,
    over: Any = 0.1,
    duration: float = 10.0,
    walker: str | WalkerFile = "natural",
) -> dict[str, np.ndarray]:
    """Simulate walks of people, each with one push. The function of a study with `batch`.

    Parameters
    ----------
    height, mass, sex : (n,) or one value, of the body [m], [kg], "m" or "f".
    speed : (n,) or one value, commanded speed [m/s].
    push, direction : (n,) or one value, impulse on the pelvis [N s], and its direction [rad]: 0 forward, positive to
        the left.
    at, over : (n,) or one value, start and duration of the push [s].
    duration : of a walk [s].
    walker : name of a parameter set, a .toml file or a `WalkerFile`.

    Returns
    -------
    {name: (n,)}: "fell"; "upright" [s], the time until the fall, or the duration; "steps", the number of foot strikes;
    "distance" [m] from the start; "speed_reached" [m/s] in the last 2 s before the end; "work" [J] of the joint forces.
    All of them are measured until the fall.
    """
    rows = _rows(height=height, mass=mass, sex=sex, speed=speed, push=push, direction=direction, at=at, over=over)
    if not (math.isfinite(duration) and duration >= DT * STEPS_PER_FRAME):
        raise InputError(f"duration={duration!r}: give at least {DT * STEPS_PER_FRAME:g} s.")
    people: dict[tuple[float, float, str], list[int]] = {}
    for i, body in enumerate(zip(rows["height"].tolist(), rows["mass"].tolist(), rows["sex"].tolist(), strict=True)):
        people.setdefault(body, []).append(i)
    found: dict[str, np.ndarray] = {}
    for (tall, heavy, who), own in people.items():
        walkers = _Walkers(human(tall, heavy, who), load_walker(walker))
        for first in range(0, len(own), LANES):
            here = own[first : first + LANES]
            for name, x in walkers.walks({name: x[here] for name, x in rows.items()}, duration).items():
                found.setdefault(name, np.empty(len(rows["height"]), x.dtype))[here] = x
    return found


class _Walkers:
    """Walks of one body."""

    def __init__(self, figure: Figure, file: WalkerFile) -> None:
        walker, self.q, self.u = walker_at_start(figure, file)
        self.scene, self.controller = sole_scene(figure, features="feet"), Pushed(walker)

    def walks(self, rows: dict[str, np.ndarray], duration: float) -> dict[str, np.ndarray]:
        """Simulate walks and measure them. rows : {name: (n,)}."""
        n = len(rows["speed"])
        over = np.maximum(np.round(rows["over"] / DT), 1.0) * DT
        force, angle = rows["push"] / over, rows["direction"].tolist()
        push = {
            "push.when": np.round(rows["at"] / DT) * DT - 0.5 * DT,  # between two steps
            "push.over": over,
            "push.fx": force * np.array([math.cos(x) for x in angle]),  # NumPy's cos depends on the vector width
            "push.fy": force * np.array([math.sin(x) for x in angle]),
        }
        motion = simulate(
            self.scene,
            np.tile(self.q, (n, 1)),
            np.tile(self.u, (n, 1)),
            self.controller,
            command=rows_at(rows["speed"]),
            duration=round(duration / (DT * STEPS_PER_FRAME)) * STEPS_PER_FRAME * DT,
            dt=DT,
            every=STEPS_PER_FRAME,
            record=("work",),
            strict=False,
            parameters=push,
            opt=2,
        )
        first = layout(initial_memory(Problem(self.scene.figure, self.scene, self.controller)))
        steps = first.unpack(motion.channels["memory"])["control"]["steps"]
        down = FallDetector(self.scene).fallen(motion.q, motion.time)
        fell = down.any(-1)
        last = np.where(fell, np.maximum(np.argmax(down, -1) - 1, 0), len(motion.time) - 1)  # last upright frame
        early = np.maximum(last - round(SPEED_WINDOW / (DT * STEPS_PER_FRAME)), 0)
        row, place = np.arange(n), motion.q[..., :2]
        span = np.maximum(motion.time[last] - motion.time[early], DT)
        return {
            "fell": fell,
            "upright": np.where(fell, motion.time[np.minimum(last + 1, len(motion.time) - 1)], motion.time[-1]),
            "steps": np.round(steps[row, last]).astype(int),
            "distance": _length(place[row, last] - place[:, 0]),
            "speed_reached": _length(place[row, last] - place[row, early]) / span,
            "work": motion.channels["work"][row, last, 0],
        }


def _length(x: np.ndarray) -> np.ndarray:
    """Return the lengths (n,) of vectors (n, 2). Unlike `np.hypot`, it rounds in the same way on every machine."""
    return np.sqrt(x[:, 0] * x[:, 0] + x[:, 1] * x[:, 1])


def _rows(**given: Any) -> dict[str, np.ndarray]:
    """Return arguments as arrays (n,) of finite numbers, and of words for "sex"."""
    arrays = {name: np.atleast_1d(np.asarray(x)) for name, x in given.items()}
    sizes = {name: x.shape for name, x in arrays.items() if x.shape != (1,)}
    if len(set(sizes.values())) > 1 or any(len(shape) != 1 for shape in sizes.values()):
        found = ", ".join(f"{name} {shape}" for name, shape in sizes.items())
        raise InputError(f"walk_trial got arrays of different shapes: {found}. Give one value for each walk, or one.")
    for name, x in arrays.items():
        if name != "sex" and (x.dtype.kind not in "fiu" or not np.isfinite(x).all()):
            raise InputError(f"walk_trial got {name}={given[name]!r}. Give finite numbers.")
    n = max(len(x) for x in arrays.values())
    return {name: np.broadcast_to(x if name == "sex" else x.astype(float), n).copy() for name, x in arrays.items()}
