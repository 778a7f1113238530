"""Live frames as bytes, and the motion that they make. Floats only."""

import struct
from typing import Any

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.contact.touches import touch_names
from anthropi.figure.editing.together import Part, parts
from anthropi.motion import Motion

__all__ = ["Film", "frame_bytes"]

LONGEST = 18_000  # frames that are kept: ten minutes
APART = 0.03  # [s] between two of them


def frame_bytes(sequence: int, run: int, time: float, pace: float, own: tuple[Part, ...], seen, owners) -> bytes:
    """A frame: u32 sequence, u32 run, f4 time, f4 pace; of each figure links × 7 and touches × 6, f4."""
    head = struct.pack("<IIff", sequence & 0xFFFFFFFF, run, time, pace)
    k = seen.kinematics
    poses = np.concatenate([np.asarray(k.position), quaternion_from_matrix(np.asarray(k.rotation))], 1)
    touched = np.concatenate([np.asarray(seen.points), np.asarray(seen.forces)], 1).reshape(-1, 6)
    pieces = [head]
    for number, part in enumerate(own):
        pieces.append(poses[list(part.links)].astype("<f4").tobytes())
        pieces.append(touched[owners == number].astype("<f4").tobytes())
    return b"".join(pieces)


def owners_of(scene, own: tuple[Part, ...], touches: int) -> np.ndarray:
    """Which figure each touch belongs to (touches,)."""
    if scene is None or not touches:
        return np.zeros(0, int)
    links = {i: number for number, part in enumerate(own) for i in part.links}
    names = {link.name: i for i, link in enumerate(scene.figure.links)}
    found = []
    for name in touch_names(scene):
        link = max((n for n in names if name.startswith(n)), key=len, default="")
        found.append(links.get(names.get(link, -1), 0))
    return np.array(found, int)


class Film:
    """What a live run recorded."""

    def __init__(self):
        self.rows: list[tuple[float, Any, Any, Any]] = []

    def add(self, t: float, q, u, forces) -> None:
        """A frame, if the last one is some time ago: a minute of a person on the ground is 3 MB."""
        if self.rows and t < self.rows[-1][0] + APART:
            return
        self.rows.append((t, np.array(q), np.array(u), np.asarray(forces, np.float32)))
        if len(self.rows) > LONGEST:
            del self.rows[: LONGEST // 10]

    def motion(self, figure, names) -> Motion | None:
        """The motion, None if there is not enough of it."""
        if len(self.rows) < 2:
            return None
        shape = self.rows[-1][3].shape
        same = [row[3] if row[3].shape == shape else np.zeros(shape) for row in self.rows]  # it was edited meanwhile
        time, q, u = (np.array(x) for x in list(zip(*self.rows, strict=True))[:3])
        forces = np.array(same, float)
        channels = {"contact": forces} if len(names) else {}
        about = {"touches": tuple(names)} if len(names) else {}
        return Motion(figure, time - time[0], q, u, channels, (), about)


def parts_of(figure) -> tuple[Part, ...]:
    """The figures that are simulated together."""
    return parts(figure)
