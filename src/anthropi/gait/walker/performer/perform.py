"""Pieces to perform as small text files: keys, gains, how they were made. TOML; floats only.

made = "…"                      in words
duration = 18.0                 [s] with a stand at the end
beat = 0.5                      [s] in which keys count time
[numbers]   gains of the performer that differ from its own
[[keys]]    at, over [beats]; pose = {name = number or row}: `performer.py`

Perform
-------
How does a figure perform a piece? The front: a start in balance, a scene, a simulation. Floats only.

A start has the joints of the first key, the soles flat on the ground, and the centre of mass over the middle of the
feet:

    pitch of the foot  0 = pelvis + hip + knee - dorsiflexion                  (1)
    pitch of the thigh such that G is over r of `balance.py` (2)               (2)  by bisection
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
from anthropi.errors import InputError
from anthropi.figure.human.build import standing
from anthropi.gait.walker.parameters import names_in, read_named
from anthropi.gait.walker.performer.balance import SIDES, sole_of
from anthropi.gait.walker.performer.performer import Key, Performer, layout, size_of, table
from anthropi.motion import Motion
from anthropi.simulation.simulate import simulate

__all__ = ["Routine", "fitted", "load_routine", "perform", "routines", "save_routine", "start_of"]


HERE = Path(__file__).parent / "sets"


class Routine(NamedTuple):
    """keys in seconds; duration [s]; numbers {name: numbers} of the performer; made, in words."""

    keys: tuple[Key, ...]
    duration: float
    numbers: dict[str, Any]
    made: str


def routines() -> tuple[str, ...]:
    """Names of the pieces that come with the package."""
    return names_in(HERE)


def load_routine(name: str) -> Routine:
    """A piece by its name, or of a file that ends in .toml."""
    return read_named(name, HERE, "piece", _made_of, "made, duration, beat and [[keys]]", ", or keys")


def _made_of(told: dict) -> Routine:
    beat = float(told["beat"])
    keys = tuple(Key(beat * float(k["at"]), beat * float(k["over"]), dict(k["pose"])) for k in told["keys"])
    return Routine(keys, float(told["duration"]), dict(told.get("numbers", {})), str(told["made"]))


def fitted(piece: Routine, long: float) -> Routine:
    """A piece for legs that are `long` times those it was made for: times × √long, ways × long."""
    slow = long**0.5
    keys = []
    for key in piece.keys:
        ahead = {"weight": (key.pose["weight"][0] * long, key.pose["weight"][1])} if "weight" in key.pose else {}
        keys.append(Key(key.at * slow, key.over * slow, key.pose | ahead))
    return piece._replace(keys=tuple(keys), duration=round(piece.duration * slow, 1))


def save_routine(path, piece: Routine, beat: float = 1.0) -> None:
    """Write a piece."""
    words = piece.made.replace("\\", "\\\\").replace('"', '\\"')
    lines = [f'made = "{words}"', f"duration = {piece.duration:g}", f"beat = {beat:g}", "", "[numbers]"]
    lines += [f"{name} = {_numbers(x)}" for name, x in piece.numbers.items()]
    for key in piece.keys:
        pose = ", ".join(f"{name} = {_numbers(x)}" for name, x in key.pose.items())
        lines += ["", "[[keys]]", f"at = {key.at / beat:.6g}", f"over = {key.over / beat:.6g}", f"pose = {{{pose}}}"]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _numbers(x) -> str:
    return f"[{', '.join(f'{float(v):.5g}' for v in x)}]" if hasattr(x, "__len__") else f"{float(x):.5g}"


SOFT = 4e-3  # [m] of the ground: as soles and skin give way
THIGH = (-1.6, 0.6)  # [rad] between which (2) looks
REST = 2.0  # [s] after the last key


def perform(
    figure,
    piece: str | Routine | Sequence[Key] = "stand",
    *,
    duration: float | None = None,
    scene=None,
    heading: float = 0.0,
    numbers: dict[str, Any] | None = None,
    every: int = 10,
    **options,
) -> Motion:
    """How does a figure stand, jump, dance?

    Parameters
    ----------
    figure : ap.human(detail="standard").
    piece : "stand", "jump", "leap", "dance", a .toml file, a `Piece`, all of them fitted to the figure's legs; or keys,
        taken as they are.
    duration : [s]; the piece's own if None. scene : with this figure; flat ground of soft contact if None.
    heading : [rad] in the world. numbers : other gains of the `Performer`. every, options : as in `simulate`.
    """
    if isinstance(piece, str):
        piece = load_routine(piece)
    if not isinstance(piece, Routine):
        keys = tuple(Key(*key) for key in piece)
        if not keys:
            raise InputError("A piece has no keys; give at least one.")
        piece = Routine(keys, max(k.at + k.over for k in keys) + REST, {}, "given")
    else:
        piece = fitted(piece, size_of(figure)[1])
    scene = Scene(figure, features="feet", contact=Compliant(depth=SOFT)) if scene is None else scene
    if scene.figure is not figure:
        raise InputError(f"The scene has another figure, '{scene.figure.name}'. Make it of this one.")
    performer = Performer(figure, piece.keys, heading, **(piece.numbers | (numbers or {})))
    long = piece.duration if duration is None else duration
    return simulate(scene, start_of(figure, piece.keys, heading), forces=performer, duration=long, every=every,
                    **options)  # fmt: skip


def start_of(figure, keys, heading: float = 0.0) -> np.ndarray:
    """The configuration (nq,) that a piece starts in (1), (2)."""
    row, places = table(figure, keys)["rows"][0], layout(figure)

    def posed(thigh: float):
        q = figure.neutral()
        q[3:7] = rot.quaternion_from_rotation_vector(row[places["pelvis"]])
        pitch = row[places["pelvis"]][1]
        for joint, at in zip(figure.joints[1:], figure.q_of[1:], strict=True):
            x = row[places[joint.name]].copy()
            if joint.name[2:] == "hip":
                x[1] = thigh - pitch
            elif joint.name[2:] == "ankle":
                x[0] = thigh + row[places[f"{joint.name[0]}_knee"]][0]  # (1)
            q[at] = joint.from_coordinates(x)
        k = kinematics(figure, q)
        feet = np.mean([k.position[figure.link_index(f"{x}_foot")] for x in SIDES], 0)
        return q, centre_of(figure, k)[0] - feet[0] - sole_of(figure).middle - row[places["weight"]][0]

    low, high = THIGH
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if posed(middle)[1] > 0.0 else (middle, high)  # (2): feet go back as the thigh does
    q = standing(figure, posed(0.5 * (low + high))[0])
    turn = rot.quaternion_from_rotation_vector(np.array([0.0, 0.0, heading]))
    q[3:7] = rot.quaternion_product(turn, q[3:7])
    return q
