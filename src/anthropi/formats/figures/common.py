"""What reading a file gives: a figure, the state it starts in, and notes on what the file says beyond a figure.

Order
-----
The order of links in a figure: as in the file, except that a parent comes before its children.

Poses
-----
Small things the formats share: poses that are equal, the least turn to a direction, solids, limits that are none.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import SHAPES, RigidInertia, Transform, identity
from anthropi.errors import FormatError
from anthropi.figure import Figure, Joint, Shape

__all__ = [
    "UNBOUNDED",
    "InitialState",
    "Note",
    "Notes",
    "Reading",
    "check_configuration",
    "is_identity",
    "parents_first",
    "rest_state",
    "rgba",
    "sizes_are_real",
    "solid",
    "turned_to",
]


class Note(NamedTuple):
    """Something that was left out.

    where : file and element, or the figure's part. what : what it is. matters : it has to do with motion (an actuator,
    a contact), not only with looks (a camera, a colour).
    """

    where: str
    what: str
    matters: bool = True

    def __str__(self):
        return f"{self.where}: {self.what}" if self.where else self.what


class InitialState(NamedTuple):
    """Where a figure starts: q (nq,), u (nu,), udot (nu,)."""

    q: np.ndarray
    u: np.ndarray
    udot: np.ndarray


class Reading(NamedTuple):
    """All a file holds.

    figure : the figure. state : the state the file starts it in, or the neutral one. notes : what was left out.
    stops : {dof: {type, k, c, n, zone}}, springs at the ends of a dof's range (native format only; thesis 8.7).
    """

    figure: Figure
    state: InitialState
    notes: tuple[Note, ...] = ()
    stops: dict[str, dict[str, Any]] = {}  # noqa: RUF012  never changed: a default of a named tuple


class Notes:
    """Collects notes; the same thing said twice is one note with a count."""

    def __init__(self):
        self._found: dict[Note, int] = {}

    def add(self, where: str, what: str, matters: bool = True) -> None:
        """Note one thing."""
        note = Note(where, what, matters)
        self._found[note] = self._found.get(note, 0) + 1

    def all(self) -> tuple[Note, ...]:
        """Every note once."""
        return tuple(
            note if count == 1 else Note(note.where, f"{note.what} ({count} times)", note.matters)
            for note, count in self._found.items()
        )


def rest_state(figure: Figure) -> InitialState:
    """The neutral configuration, at rest."""
    return InitialState(figure.neutral(), np.zeros(figure.nu), np.zeros(figure.nu))


def listed(notes: Iterable[Note], most: int = 6) -> str:
    """The notes in one sentence, the first few of them."""
    words = [str(n) for n in notes]
    more = f"; and {len(words) - most} more" if len(words) > most else ""
    return "; ".join(words[:most]) + more


def parents_first(names: list[str], parent: dict[str, str], file: str) -> list[str]:
    """Links in the file's order where parents already come first; a link listed too early waits for its parent."""
    placed: dict[str, None] = {}
    waiting: dict[str, list[str]] = {}
    for name in names:
        above = parent[name]
        if above and above not in placed:
            waiting.setdefault(above, []).append(name)
            continue
        stack = [name]
        while stack:
            here = stack.pop()
            placed[here] = None
            stack += reversed(waiting.pop(here, []))
    if waiting:
        ring = ", ".join(x for names in waiting.values() for x in names)
        raise FormatError(f"{file}: links hang on each other in a ring: {ring[:200]}. A figure is a tree; close a ring "
                          "with a loop in a .toml file.")  # fmt: skip
    return list(placed)


UNBOUNDED = 1e10  # in URDF and MJCF a limit this far away is none; it is MuJoCo's mjMAXVAL
TINY = 1e-14  # shorter vectors have no direction, as in MuJoCo


def is_identity(place: Transform) -> bool:
    """Whether a pose changes nothing, bit for bit."""
    still = identity()
    same = np.asarray(place.rotation) == still.rotation
    return bool(same.all() and (np.asarray(place.origin) == 0.0).all())


def check_configuration(joint: Joint, q, where: str) -> None:
    """Refuse coordinates that are no configuration of a joint: quaternions that are not of unit length."""
    with np.errstate(all="ignore"):
        C = np.asarray(joint.transform(np.asarray(q, float)).rotation, float)
        off = abs(C @ C.T - np.eye(3)).max()
    if not off < 1e-6:
        numbers = np.asarray(q).tolist()
        raise FormatError(f"{where}: {numbers} is no configuration of the {joint.kind} joint '{joint.name}'. Give "
                          " quaternions w, x, y, z of unit length.")  # fmt: skip


def rgba(colour) -> tuple[float, ...] | None:
    """A colour with its opacity; None if there is none."""
    return (*colour, 1.0)[:4] if colour else None


def turned_to(z) -> np.ndarray:
    """The least turn (3, 3) that carries the z axis to the unit vector z."""
    sine = np.hypot(z[0], z[1])
    axis = np.array([-z[1], z[0], 0.0]) / sine if sine > TINY else np.array([1.0, 0.0, 0.0])
    return rot.matrix_from_rotation_vector(axis * np.arctan2(sine, z[2]))


def sizes_are_real(sizes) -> bool:
    """Whether lengths can be those of a body: positive, and such that volumes are neither zero nor infinite."""
    return all(1e-12 <= s <= 1e12 for s in sizes)


def solid(shape: Shape, **weight) -> RigidInertia:
    """The inertia of a shape in its own frame, from `mass` [kg] or `density` [kg/m³]."""
    sizes = (shape.size,) if shape.kind in ("box", "ellipsoid") else shape.size
    make: Callable[..., RigidInertia] = SHAPES[shape.kind]  # type: ignore[assignment]  # they take different sizes
    return make(*sizes, **weight)
