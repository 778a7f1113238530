"""Routines as TOML files, and the function that performs them.

    made = "…"                      description
    duration = 18.0                 [s], including the standing at the end
    beat = 0.5                      [s], time unit of the keys
    [numbers]   gains of the performer that differ from its defaults
    [[keys]]    at, over [beats]; pose = {name = number or row} (`performer.Key`)

A performance starts in balance. The joints have the values of the first key, the soles are flat on the ground, and the
centre of mass is above the middle of the feet:

    pitch of the foot  0 = pelvis + hip + knee - dorsiflexion                                                     (1)
    pitch of the thigh such that G is above r of `balance.py` (2), found by bisection                             (2)

All functions work on plain floats only; they cannot be recorded on a tape.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.momentum import centre_of
from anthropi.contact import Compliant
from anthropi.contact.scene import Scene
from anthropi.errors import InputError, StepError
from anthropi.figure.figure import Figure
from anthropi.figure.human.build import standing
from anthropi.gait.falls import FallDetector, with_fall
from anthropi.gait.physics import with_physics
from anthropi.gait.walker.parameters import names_in, read_named
from anthropi.gait.walker.performer.balance import SIDES, sole_of
from anthropi.gait.walker.performer.performer import Key, Performer, layout, size_of, table
from anthropi.gait.walker.requirements import check_joints
from anthropi.motion import Motion
from anthropi.simulation.simulate import simulate

__all__ = ["Routine", "fitted", "load_routine", "perform", "routines", "save_routine", "start_of"]


ROUTINES = Path(__file__).parent / "sets"


class Routine(NamedTuple):
    """A routine to perform.

    Contains its keys with times in seconds, its duration [s], gains of the performer {name: numbers}, and a description
    of how it was made.
    """

    keys: tuple[Key, ...]
    duration: float
    numbers: dict[str, Any]
    made: str


def routines() -> tuple[str, ...]:
    """Names of the routines that come with the package."""
    return names_in(ROUTINES)


def load_routine(name: str) -> Routine:
    """Load a routine by its name, or from a .toml file.

    Raises FormatError if there is no such routine or the file is wrong. The message lists the routines or names the
    mistake.
    """
    return read_named(name, ROUTINES, "routine", _routine_of, "made, duration, beat and [[keys]]", ", or keys")


def _routine_of(data: dict[Any, Any]) -> Routine:
    """Make a routine from the contents of a file."""
    beat = float(data["beat"])
    keys = tuple(Key(beat * float(k["at"]), beat * float(k["over"]), dict(k["pose"])) for k in data["keys"])
    return Routine(keys, float(data["duration"]), dict(data.get("numbers", {})), str(data["made"]))


def fitted(routine: Routine, size: float) -> Routine:
    """Scale a routine to legs that are `size` times as long as in the original: times × √size, lengths × size."""
    time = size**0.5
    keys = []
    for key in routine.keys:
        ahead = {"weight": (key.pose["weight"][0] * size, key.pose["weight"][1])} if "weight" in key.pose else {}
        keys.append(Key(key.at * time, key.over * time, key.pose | ahead))
    return routine._replace(keys=tuple(keys), duration=round(routine.duration * time, 1))


def save_routine(path: str | Path, routine: Routine, beat: float = 1.0) -> None:
    """Write a routine to a .toml file.

    beat : time unit of its keys in the file [s].
    """
    words = routine.made.replace("\\", "\\\\").replace('"', '\\"')
    lines = [f'made = "{words}"', f"duration = {routine.duration:g}", f"beat = {beat:g}", "", "[numbers]"]
    lines += [f"{name} = {_numbers(x)}" for name, x in routine.numbers.items()]
    for key in routine.keys:
        pose = ", ".join(f"{name} = {_numbers(x)}" for name, x in key.pose.items())
        lines += ["", "[[keys]]", f"at = {key.at / beat:.6g}", f"over = {key.over / beat:.6g}", f"pose = {{{pose}}}"]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _numbers(x: Any) -> str:
    """Write a number or a row in TOML."""
    return f"[{', '.join(f'{float(v):.5g}' for v in x)}]" if hasattr(x, "__len__") else f"{float(x):.5g}"


GROUND_DEPTH = 4e-3  # [m] compression depth of the contact: soles and skin
THIGH_RANGE = (-1.6, 0.6)  # [rad], range in which (2) is solved
FINAL_REST = 2.0  # [s] of standing after the last key


def perform(
    figure: Figure,
    routine: str | Routine | Sequence[Key] = "stand",
    *,
    duration: float | None = None,
    scene: Scene | None = None,
    heading: float = 0.0,
    numbers: dict[str, Any] | None = None,
    every: int = 10,
    strict: bool = True,
    **options: Any,
) -> Motion:
    """Perform a routine, such as standing, a jump or a dance, and return the motion.

    Parameters
    ----------
    figure : ap.human(detail="standard").
    routine : "stand", "jump", "leap", "dance", a .toml file, a `Routine` or a list of keys. Routines are scaled to the
        leg length of the figure; a list of keys is not scaled.
    duration : duration of the motion [s]; that of the routine if None.
    scene : a scene with this figure; if None, flat ground with compliant contact of all links.
    heading : heading of the figure in the world [rad].
    numbers : gains of the `Performer` that differ from those of the routine.
    strict : raise StepError if the figure falls (`gait/falls.py`) or its state is not finite; the field `motion` of the
        exception is the whole motion. Otherwise the motion is returned.
    every, options : as in `ap.simulate`.

    Returns
    -------
    A `Motion` whose metadata contain fell, fall_time [s], fall_cause, and method, aid and residual (`gait/physics.py`).
    A fall is also an event "fall".
    """
    check_joints(figure, "perform")
    if isinstance(routine, str):
        routine = load_routine(routine)
    if not isinstance(routine, Routine):
        keys = tuple(Key(*key) for key in routine)
        if not keys:
            raise InputError("The routine has no keys. Give at least one.")
        routine = Routine(keys, max(k.at + k.over for k in keys) + FINAL_REST, {}, "given")
    else:
        routine = fitted(routine, size_of(figure)[1])
    scene = Scene(figure, features="body", contact=Compliant(depth=GROUND_DEPTH)) if scene is None else scene
    if scene.figure is not figure:
        raise InputError(f"The scene contains another figure, '{scene.figure.name}'. Make a scene with this figure.")
    performer = Performer(figure, routine.keys, heading, **(routine.numbers | (numbers or {})))
    seconds = routine.duration if duration is None else duration
    start = start_of(figure, routine.keys, heading)
    motion = simulate(scene, start, forces=performer, duration=seconds, every=every, strict=strict, **options)
    fall = FallDetector(scene).first(motion.time, motion.q)
    motion = with_physics(with_fall(motion, fall), "performer")
    if fall is not None and strict:
        raise StepError(
            f"The figure fell at {fall.time:.2f} s ({fall.cause}) while it performed. strict=False returns the motion "
            "with the fall. Try another routine, other numbers, or a body nearer to that of ap.human().",
            motion,
        )
    return motion


def start_of(figure: Figure, keys: Sequence[Key], heading: float = 0.0) -> np.ndarray:
    """Positions (nq,) at the start of a routine, in balance (eqs. 1, 2).

    heading : heading of the figure in the world [rad].
    """
    row, places = table(figure, keys)["rows"][0], layout(figure)

    def posed(thigh: float) -> tuple[np.ndarray, float]:
        """Positions for a pitch of the thigh [rad], and the distance of G ahead of r [m]."""
        q = figure.neutral()
        q[3:7] = rot.quaternion_from_rotation_vector(row[places["pelvis"]])
        pitch = row[places["pelvis"]][1]
        for joint, at in zip(figure.joints[1:], figure.q_of[1:], strict=True):
            if not joint.nu:
                continue
            x = row[places[joint.name]].copy()
            if joint.name[2:] == "hip":
                x[1] = thigh - pitch
            elif joint.name[2:] == "ankle":
                x[0] = thigh + row[places[f"{joint.name[0]}_knee"]][0]  # (1)
            q[at] = joint.from_coordinates(x)
        k = kinematics(figure, q)
        feet = np.mean([k.position[figure.link_index(f"{x}_foot")] for x in SIDES], 0)
        return q, centre_of(figure, k)[0] - feet[0] - sole_of(figure).middle - row[places["weight"]][0]

    low, high = THIGH_RANGE
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if posed(middle)[1] > 0.0 else (middle, high)  # (2): feet move back with the thigh
    q = standing(figure, posed(0.5 * (low + high))[0])
    turn = rot.quaternion_from_rotation_vector(np.array([0.0, 0.0, heading]))
    q[3:7] = rot.quaternion_product(turn, q[3:7])
    return q
