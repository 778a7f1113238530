"""Live frames as bytes, and the motion that they make. Floats only."""

import struct
from typing import Any

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.contact.contacts import contact_records
from anthropi.figure.editing.joining import Part, combined_parts
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
    return np.array([links.get(scene.figure.link_index(c.link), 0) for c in contact_records(scene)], int)


class Film:
    """What a live run recorded: states, and the mean contact forces and points until the next of them."""

    def __init__(self):
        self.rows: list[list] = []  # [t, q, u, contacts (contacts, 6)]
        self._sum: Any = 0.0
        self._steps = 0

    def add_contacts(self, steps: int, seen) -> None:
        """Contacts of some steps, for the frame before them."""
        if steps:
            self._sum = self._sum + steps * np.concatenate([seen.forces, seen.points], 1)
            self._steps += steps

    def add(self, t: float, q, u) -> None:
        """A frame, if the last one is some time ago: a minute of a person on the ground is 3 MB."""
        if self.rows and t < self.rows[-1][0] + APART:
            return
        if self.rows and self._steps:
            self.rows[-1][3] = np.asarray(self._sum / self._steps, np.float32)
        self._sum, self._steps = 0.0, 0
        self.rows.append([t, np.array(q), np.array(u), np.zeros((0, 6), np.float32)])
        if len(self.rows) > LONGEST:
            del self.rows[: LONGEST // 10]

    def motion(self, figure, records) -> Motion | None:
        """The motion, None if there is not enough of it. records : of its contacts (`contact_records`)."""
        if len(self.rows) < 2:
            return None
        self.rows[-1][3] = self.rows[-2][3]  # nothing followed the last frame
        shape = (len(records), 6)
        same = [row[3] if row[3].shape == shape else np.zeros(shape) for row in self.rows]  # it was edited meanwhile
        time, q, u = (np.array(x) for x in list(zip(*self.rows, strict=True))[:3])
        forces = np.array(same, float)
        channels = {"contact": forces[..., :3], "contact_point": forces[..., 3:]} if len(records) else {}
        about = {"contacts": [record._asdict() for record in records]} if len(records) else {}
        return Motion(figure, time - time[0], q, u, channels, (), about)


def parts_of(figure) -> tuple[Part, ...]:
    """The figures that are simulated together."""
    return combined_parts(figure)
