"""Force plates of C3D files: wrenches in the axes of the laboratory from the analog channels, for types 1 to 5.

The axes of a plate are those of its corners: x from corner 2 to corner 1, y from corner 4 to corner 1, z = x × y. With
the origin O (from the transducer to the centre of the surface, so that its z is negative if z points down), channels
c1, c2 … and the calibration matrix C, the force f and the moment m about the centre of the surface, in plate axes, are

    type 1    f = c1 c2 c3,  centre of pressure (c4, c5, 0),  free moment c6:  m = (c4, c5, 0) × f + (0, 0, c6)      (1)
    type 2    f = c1 c2 c3,  m = (c4, c5, c6) + f × O                                                               (2)
    type 4    the same with (f, moment) = C c                                                                       (3)
    type 5    the same with (f, moment) = C c of eight channels                                                     (4)
    type 3    f = (c1 + c2, c3 + c4, c5 + c6 + c7 + c8), from eight channels at distances a = O_x, b = O_y
              moment = (b (c5 + c6 - c7 - c8), a (-c5 + c6 + c7 - c8), b (-c1 + c2) + a (c3 - c4)),
              m = moment + f × (0, 0, O_z)                                                                          (5)

(C3D manual, chapter "Force platform parameters"; type 3 also Kistler, Multicomponent force plate, 1984.) A C3D file
stores the force on the person. Some programs store that on the plate: a plate that pulls instead of pushing has its
signs changed, and a note says so.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from anthropi.formats.motions.c3d.scan import Document
from anthropi.motion.ground_forces import MIN_FORCE, ForcePlate

__all__ = ["PlateFrame", "plate_frames", "plates_of"]

CHANNELS = {1: 6, 2: 6, 3: 8, 4: 6, 5: 8}  # channels of a plate of each type
MAX_PLATES = 64
FORCES = {"n": 1.0, "kn": 1000.0, "lb": 4.4482216152605, "lbf": 4.4482216152605, "kgf": 9.80665}  # [N]
MOMENTS = {"nm": 1.0, "n.m": 1.0, "n*m": 1.0, "nmm": 0.001, "n.mm": 0.001, "n*mm": 0.001, "ncm": 0.01, "n.cm": 0.01}
BASELINE_LOAD = MIN_FORCE  # [N] mean force in the frames of ZERO, above which they are no baseline


class PlateFrame(NamedTuple):
    """Placement of a plate in the axes and the unit of the file: corners (4, 3), axes (3, 3) in columns."""

    corners: np.ndarray
    axes: np.ndarray

    @property
    def centre(self) -> np.ndarray:
        """Centre of the surface (3,)."""
        return self.corners.mean(0)


def plate_frames(document: Document) -> list[PlateFrame]:
    """Return the placements of the plates of a file."""
    count = int(document.number("FORCE_PLATFORM", "USED", 0.0))
    if count <= 0:
        return []
    if count > MAX_PLATES:
        document.refuse(f"FORCE_PLATFORM:USED is {count}; at most {MAX_PLATES} plates are read.")
    corners = document.numbers("FORCE_PLATFORM", "CORNERS")
    if corners.size < 12 * count:
        document.refuse(f"FORCE_PLATFORM:CORNERS has {corners.size} numbers; {count} plates need {12 * count}.")
    places = corners.ravel(order="F")[: 12 * count].reshape(count, 4, 3)
    found = []
    for k, own in enumerate(places, 1):
        x, y = own[0] - own[1], own[0] - own[3]
        z = np.cross(x, y)
        sizes = [float(np.linalg.norm(v)) for v in (x, z)]
        if not np.isfinite(own).all() or min(sizes) <= 0.0:
            document.refuse(f"FORCE_PLATFORM:CORNERS of plate {k} do not form a rectangle: {own.tolist()}.")
        x, z = x / sizes[0], z / sizes[1]
        found.append(PlateFrame(own, np.stack([x, np.cross(z, x), z], -1)))
    return found


def plates_of(
    document: Document, time: np.ndarray, axes: np.ndarray, metres: float, sign: str = "auto"
) -> tuple[tuple[ForcePlate, ...], tuple[str, ...]]:
    """Return the force plates of a file in SI units and figure axes, and notes.

    Parameters
    ----------
    document : the file. time : (samples,) [s]. axes : (3, 3), rows: forward, left and up in the axes of the file.
    metres : the unit of length [m].
    sign : "person" if the file stores the force on the person, "plate" for that on the plate; "auto" decides by the
        direction: a plate pushes.
    """
    notes: list[str] = []
    found = []
    for k, frame in enumerate(plate_frames(document)):
        force, moment, words = _wrench(document, k, metres)
        notes += words
        turn = axes @ frame.axes
        corners = metres * frame.corners @ axes.T
        centre, normal = corners.mean(0), turn[:, 2] * (1.0 if turn[2, 2] >= 0.0 else -1.0)
        force, about = force @ turn.T, moment @ turn.T
        upward = force @ normal
        strong = np.abs(upward) > MIN_FORCE
        pulls = sign == "plate" or (sign == "auto" and bool(strong.any()) and float(np.mean(upward[strong])) < 0.0)
        if pulls:
            force, about = -force, -about
            why = "as given" if sign == "plate" else "since a plate pushes"
            notes.append(f"plate {k + 1}: its forces point into the ground, so they act on the plate; reversed, {why}")
        moments = about + np.cross(centre, force)
        found.append(ForcePlate(f"plate {k + 1}", time, force, moments, centre, normal, corners))
    return tuple(found), tuple(notes)


def _wrench(document: Document, k: int, metres: float) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return force [N] and moment about the centre of the surface [N m] of plate k, (samples, 3), in plate axes."""
    kinds = document.numbers("FORCE_PLATFORM", "TYPE").ravel()
    kind = int(kinds[k]) if k < len(kinds) else 0
    if kind not in CHANNELS:
        document.refuse(
            f"FORCE_PLATFORM:TYPE of plate {k + 1} is {kind}. Types {', '.join(map(str, CHANNELS))} are read. "
            "Leave the plates out with forces=False."
        )
    channels, rows = _channels(document, k, CHANNELS[kind])
    notes: list[str] = []
    c = _zeroed(document, rows, k, notes)
    origin = document.numbers("FORCE_PLATFORM", "ORIGIN").ravel(order="F")[3 * k : 3 * k + 3]
    origin = metres * (origin if len(origin) == 3 and np.isfinite(origin).all() else np.zeros(3))
    origin = -origin if origin[2] > 0.0 else origin  # of programs that point from the surface to the transducer
    newton, newton_metre = _units(document, channels, k, kind, notes)
    if kind in (4, 5):
        c = c @ _calibration(document, k, CHANNELS[kind]).T  # (3) (4)
    if kind == 1:
        force = newton * c[:, :3]
        place = np.concatenate([metres * c[:, 3:5], np.zeros((len(c), 1))], axis=1)
        moment = np.cross(place, force)  # (1)
        moment[:, 2] += newton_metre * c[:, 5]
        return force, moment, notes
    if kind == 3:
        c = newton * c
        a, b = origin[:2] if origin[2] <= 0.0 else -origin[:2]
        a, b = abs(a), abs(b)
        force = np.stack([c[:, 0] + c[:, 1], c[:, 2] + c[:, 3], c[:, 4:].sum(1)], -1)
        moment = np.stack(
            [
                b * (c[:, 4] + c[:, 5] - c[:, 6] - c[:, 7]),
                a * (-c[:, 4] + c[:, 5] + c[:, 6] - c[:, 7]),
                b * (-c[:, 0] + c[:, 1]) + a * (c[:, 2] - c[:, 3]),
            ],
            -1,
        )  # (5)
        return force, moment + np.cross(force, [0.0, 0.0, origin[2]]), notes
    force, moment = newton * c[:, :3], newton_metre * c[:, 3:6]
    return force, moment + np.cross(force, origin), notes  # (2)


def _channels(document: Document, k: int, count: int) -> tuple[list[int], np.ndarray]:
    """Return the numbers of the analog channels of plate k, from 0, and their values (samples, count)."""
    table = document.numbers("FORCE_PLATFORM", "CHANNEL")
    table = table.reshape(len(table), -1, order="F") if table.size and table.ndim else np.zeros((0, 0))
    if table.shape[1] <= k or table.shape[0] < count:
        document.refuse(f"FORCE_PLATFORM:CHANNEL has shape {table.shape}; plate {k + 1} needs {count} channels.")
    own = [int(n) - 1 for n in table[:count, k]]
    most = document.analog.shape[1]
    wrong = [n + 1 for n in own if not 0 <= n < most]
    if wrong:
        document.refuse(f"FORCE_PLATFORM:CHANNEL of plate {k + 1} names channel {wrong[0]}; there are 1 to {most}.")
    return own, document.analog[:, own]


def _zeroed(document: Document, rows: np.ndarray, k: int, notes: list[str]) -> np.ndarray:
    """Subtract the mean of the frames FORCE_PLATFORM:ZERO, in which the plate must not be loaded."""
    ends = document.numbers("FORCE_PLATFORM", "ZERO").ravel()
    if len(ends) < 2 or not 1 <= ends[0] <= ends[1]:
        return rows
    low, high = ((int(ends[0]) - 1) * document.samples, int(ends[1]) * document.samples)
    part = rows[low:high]
    if not len(part) or not np.isfinite(part).all():
        return rows
    if np.abs(part.mean(0)[:3]).max() > BASELINE_LOAD:
        notes.append(
            f"plate {k + 1}: FORCE_PLATFORM:ZERO names frames {ends[0]:g} to {ends[1]:g} as its baseline, in which it "
            "is loaded; they are not subtracted"
        )
        return rows
    notes.append(f"plate {k + 1}: the mean of frames {ends[0]:g} to {ends[1]:g} is subtracted (FORCE_PLATFORM:ZERO)")
    return rows - part.mean(0)


def _calibration(document: Document, k: int, count: int) -> np.ndarray:
    """Return the calibration matrix (6, count) of plate k."""
    table = document.numbers("FORCE_PLATFORM", "CAL_MATRIX")
    if table.ndim == 2 and table.shape == (6, count):
        table = table[:, :, None]
    if table.ndim != 3 or table.shape[0] != 6 or table.shape[1] < count or table.shape[2] <= k:
        document.refuse(
            f"FORCE_PLATFORM:CAL_MATRIX has shape {table.shape}; plate {k + 1} needs (6, {count}, plates). Add it."
        )
    own = table[:, :count, k]
    if not np.isfinite(own).all() or not own.any():
        document.refuse(f"FORCE_PLATFORM:CAL_MATRIX of plate {k + 1} is zero, or not finite.")
    return own


def _units(document: Document, channels: Sequence[int], k: int, kind: int, notes: list[str]) -> tuple[float, float]:
    """Return the length of the units of force [N] and moment [N m] of plate k."""
    units = document.texts("ANALOG", "UNITS")
    own = [units[n].lower().replace(" ", "") if n < len(units) else "" for n in channels]
    first = FORCES.get(own[0])
    length = (*document.texts("POINT", "UNITS"), "mm")[0].lower()
    usual = {"m": 1.0, "cm": 0.01}.get(length, 0.001)
    last = MOMENTS.get(own[5]) if kind != 3 else usual
    if first is None or last is None:
        said = ", ".join(dict.fromkeys(word or "none" for word in own))
        unit = next(word for word, size in (("N m", 1.0), ("N cm", 0.01), ("N mm", 0.001)) if size == usual)
        notes.append(f"plate {k + 1}: the units of its channels are {said}; N and {unit} are used")
    return 1.0 if first is None else first, usual if last is None else last
