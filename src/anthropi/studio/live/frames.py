"""Encode live frames for browsers and record a live run as a motion.

Works on plain floats only; cannot be recorded on a tape.
"""

import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.contact.geometry.contacts import ContactRecord, contact_records
from anthropi.contact.scene import Scene
from anthropi.figure import Figure
from anthropi.figure.editing.joining import Part
from anthropi.motion import Motion
from anthropi.motion.contacts import MIN_WEIGHT, IntervalMeans
from anthropi.studio.live.settings import LiveSettings

__all__ = ["Recording", "contact_owners", "frame_bytes"]


def frame_bytes(
    sequence: int, run: int, time: float, pace: float, parts: Sequence[Part], view: Any, owners: np.ndarray
) -> bytes:
    """Encode a live frame as little-endian bytes.

    The layout is u32 sequence, u32 run, f4 time, f4 pace; then for each figure, as f4, the poses of its links
    (links, 7) and the points and forces of its contacts (contacts, 6).

    Parameters
    ----------
    sequence : the number of the frame in its run.
    run : the number of the live run.
    time : [s] simulated time.
    pace : simulated seconds per second of clock time.
    parts : the figures that are simulated together.
    view : a `stepper.StepView`: link poses, contact points and forces.
    owners : (contacts,) the index, in `parts`, of the figure that each contact belongs to.
    """
    head = struct.pack("<IIff", sequence & 0xFFFFFFFF, run, time, pace)
    k = view.kinematics
    poses = np.concatenate([np.asarray(k.position), quaternion_from_matrix(np.asarray(k.rotation))], 1)
    contacts = np.concatenate([np.asarray(view.points), np.asarray(view.forces)], 1).reshape(-1, 6)
    blocks = [head]
    for number, part in enumerate(parts):
        blocks.append(poses[list(part.links)].astype("<f4").tobytes())
        blocks.append(contacts[owners == number].astype("<f4").tobytes())
    return b"".join(blocks)


def contact_owners(scene: Scene | None, parts: Sequence[Part], contacts: int) -> np.ndarray:
    """Return the index, in `parts`, of the figure that each contact belongs to, (contacts,)."""
    if scene is None or not contacts:
        return np.zeros(0, int)
    links = {i: number for number, part in enumerate(parts) for i in part.links}
    return np.array([links.get(scene.figure.link_index(c.link), 0) for c in contact_records(scene)], int)


class Recording:
    """The recorded states of a live run, with the mean contact forces and points between them.

    An edit during the run may change the contacts. Contacts are matched by name, and a contact has no force in frames
    in which it did not exist.
    """

    settings: Any

    def __init__(self, settings: LiveSettings | None = None) -> None:
        self.settings = settings or LiveSettings()
        self.rows: list[list[Any]] = []  # [t, q, u, records, contacts (records, 6)]
        self._records: Sequence[ContactRecord] = ()
        self.forced = False  # whether external forces acted, which are not recorded
        self._ground: dict[str, Any] | None = None
        self._sum: Any = np.zeros((0, 7))  # over the steps since the last row, for `_records`
        self._steps = 0

    def add_ground(self, ground: dict[str, Any]) -> None:
        """Note the ground of the following states (`contact/geometry/contacts.py`); it is dropped if it changes."""
        self._ground = ground if self._ground in (None, ground) or not self.rows else {}

    def add_contacts(self, steps: int, view: Any, records: Sequence[ContactRecord]) -> None:
        """Add the contact forces and points of a number of steps to the mean since the last recorded state.

        records : descriptions of the contacts of the view.
        """
        if not steps:
            return
        weight = np.abs(view.forces).sum(-1, keepdims=True) + MIN_WEIGHT  # as in `simulation/time_loop.py` (1)
        more = steps * np.concatenate([view.forces, weight * view.points, weight], 1)
        if self._records is not records:
            known = _united([self._records, records] if self._steps else [records])
            self._sum, more = _matched(known, self._records, self._sum), _matched(known, records, more)
            self._records = known if known != tuple(records) else records
        self._sum = self._sum + more
        self._steps += steps

    def add(self, t: float, q: np.ndarray, u: np.ndarray, always: bool = False) -> None:
        """Record a state, unless less than `record_interval` has passed since the last one, or `always` is true."""
        if self.rows and t < self.rows[-1][0] + (1e-9 if always else self.settings.record_interval):
            return
        if self.rows and self._steps:
            force, point, weight = np.split(self._sum, [3, 6], axis=1)
            self.rows[-1][3:] = (
                self._records,
                np.concatenate([force / self._steps, point / np.maximum(weight, MIN_WEIGHT)], 1),
            )
        self._sum, self._steps = 0.0 * self._sum, 0
        self.rows.append([t, np.array(q), np.array(u), (), np.zeros((0, 6))])
        if len(self.rows) > self.settings.max_frames:
            del self.rows[: self.settings.max_frames // 10]

    def motion(self, figure: Figure, means: IntervalMeans | None = None) -> Motion | None:
        """Return the recorded motion, or None if fewer than two states were recorded.

        Parameters
        ----------
        figure : the simulated figure.
        means : the steps over which forces are averaged.
        """
        if len(self.rows) < 2:
            return None
        self.rows[-1][3:] = self.rows[-2][3:]  # no steps follow the last frame
        records = _united({id(row[3]): row[3] for row in self.rows}.values())
        forces = np.array([_matched(records, row[3], row[4]) for row in self.rows])
        time, q, u = (np.array(x) for x in list(zip(*self.rows, strict=True))[:3])
        channels = {"contact": forces[..., :3], "contact_point": forces[..., 3:]} if records else {}
        metadata: dict[str, Any] = {"contacts": [record._asdict() for record in records]} if records else {}
        metadata |= {} if means is None else {"interval_means": means.metadata()}
        metadata |= (self._ground or {}) | ({"unrecorded_f_ext": True} if self.forced else {})
        return Motion(figure, time - time[0], q, u, channels, (), metadata)


def _united(lists: Iterable[Sequence[ContactRecord]]) -> tuple[ContactRecord, ...]:
    """Return the contacts of several lists, each name once."""
    return tuple({record.name: record for records in lists for record in records}.values())


def _matched(wanted: Sequence[ContactRecord], records: Sequence[ContactRecord], rows: np.ndarray) -> np.ndarray:
    """Return the rows (records, n) in the order of the wanted contacts; rows of contacts that are missing are zero."""
    if tuple(wanted) == tuple(records):
        return rows
    found = np.zeros((len(wanted), rows.shape[1]))
    places = {record.name: k for k, record in enumerate(wanted)}
    for record, row in zip(records, rows, strict=True):
        if record.name in places:
            found[places[record.name]] = row
    return found
