"""The result of reading a figure file, and helper functions for all figure formats."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import SHAPES, RigidInertia, Transform, identity
from anthropi.errors import FormatError
from anthropi.figure import Figure, Joint, Shape
from anthropi.formats import limits

__all__ = [
    "UNBOUNDED",
    "InitialState",
    "Note",
    "Notes",
    "Reading",
    "check_configuration",
    "check_size",
    "is_identity",
    "parents_first",
    "rest_state",
    "rgba",
    "rotation_of_z_to",
    "sizes_are_valid",
    "solid",
]


class Note(NamedTuple):
    """A note on something that was left out or changed when a figure was read or written.

    where : file and element, or part of the figure. what : what is left out, or how it is changed. matters : True if it
    affects the motion (an actuator, a contact), False if it affects only the appearance (a camera, a colour).
    changed : True if it is read or written with other numbers, False if it is left out.
    """

    where: str
    what: str
    matters: bool = True
    changed: bool = False

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class InitialState(NamedTuple):
    """Initial state of a figure: coordinates q (nq,), velocities u (nu,) and accelerations udot (nu,)."""

    q: np.ndarray
    u: np.ndarray
    udot: np.ndarray


class Reading(NamedTuple):
    """The content of a figure file.

    figure : the figure. state : its initial state; the neutral state if the file does not give one. notes : what was
    left out. stops : {dof: {type, k, c, n, zone}}, springs at the ends of a dof's range (figure.toml only).
    """

    figure: Figure
    state: InitialState
    notes: tuple[Note, ...] = ()
    stops: dict[str, dict[str, Any]] = {}  # noqa: RUF012  never modified: the default of a named tuple


class Notes:
    """A collection of notes, in which equal notes are counted."""

    def __init__(self) -> None:
        self._found: dict[Note, int] = {}

    def add(self, where: str, what: str, matters: bool = True, changed: bool = False) -> None:
        """Add a note."""
        note = Note(where, what, matters, changed)
        self._found[note] = self._found.get(note, 0) + 1

    def all(self) -> tuple[Note, ...]:
        """Return each note once; a note that was added several times says how often."""
        return tuple(
            note if count == 1 else note._replace(what=f"{note.what} ({count} times)")
            for note, count in self._found.items()
        )


def check_size(joints: Iterable[Joint], file: str) -> None:
    """Raise `FormatError` if a figure of these joints would have more degrees of freedom than the limit allows."""
    limits.check(file, "figure_dofs", sum(joint.nu for joint in joints), "degrees of freedom")


def rest_state(figure: Figure) -> InitialState:
    """Return the neutral configuration with zero velocity and acceleration."""
    return InitialState(figure.neutral(), np.zeros(figure.nu), np.zeros(figure.nu))


def listed(notes: Iterable[Note], most: int = 6) -> str:
    """Join the first `most` notes into one sentence."""
    words = [str(n) for n in notes]
    more = f"; and {len(words) - most} more" if len(words) > most else ""
    return "; ".join(words[:most]) + more


def parents_first(names: list[str], parent: dict[str, str], file: str) -> list[str]:
    """Order link names as in the file, but with every parent before its children.

    parent : the parent of each link; "" for a root. A cycle raises `FormatError`.
    """
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
        cycle = ", ".join(x for names in waiting.values() for x in names)
        raise FormatError(
            f"{file}: links form a cycle: {cycle[:200]}. The links of a figure must form a tree. To close a kinematic "
            "loop, add a loop in a .toml file."
        )
    return list(placed)


UNBOUNDED = 1e10  # joint limits of this size or more in URDF and MJCF count as no limit; MuJoCo's mjMAXVAL
MIN_DIRECTION_LENGTH = 1e-14  # shortest vector that defines a direction, as in MuJoCo


def is_identity(place: Transform) -> bool:
    """Check whether a transform is exactly the identity."""
    still = identity()
    same = np.asarray(place.rotation) == still.rotation
    return bool(same.all() and (np.asarray(place.origin) == 0.0).all())


def check_configuration(joint: Joint, q: Any, where: str) -> None:
    """Raise `FormatError` if q is not a configuration of a joint, for example if a quaternion is not of unit length."""
    with np.errstate(all="ignore"):
        C = np.asarray(joint.transform(np.asarray(q, float)).rotation, float)
        off = abs(C @ C.T - np.eye(3)).max()
    if not off < 1e-6:
        numbers = np.asarray(q).tolist()
        raise FormatError(
            f"{where}: {numbers} is not a configuration of the {joint.kind} joint '{joint.name}'. Give "
            "finite numbers, and quaternions w, x, y, z of unit length."
        )


def rgba(colour: Any) -> tuple[float, ...] | None:
    """Return a colour as (red, green, blue, opacity), with opacity 1 by default; None if no colour is given."""
    return (*colour, 1.0)[:4] if colour else None


def rotation_of_z_to(z: Any) -> np.ndarray:
    """Return the smallest rotation (3, 3) that turns the z axis to the unit vector z."""
    sine = np.hypot(z[0], z[1])
    axis = np.array([-z[1], z[0], 0.0]) / sine if sine > MIN_DIRECTION_LENGTH else np.array([1.0, 0.0, 0.0])
    return rot.matrix_from_rotation_vector(axis * np.arctan2(sine, z[2]))


def sizes_are_valid(sizes: Iterable[float]) -> bool:
    """Check that lengths are positive, and neither so small nor so large that a volume becomes zero or infinite."""
    return all(1e-12 <= s <= 1e12 for s in sizes)


def solid(shape: Shape, **weight: float) -> RigidInertia:
    """Return the inertia of a shape in the shape's frame, from its `mass` [kg] or `density` [kg/m³]."""
    sizes = (shape.size,) if shape.kind in ("box", "ellipsoid") else shape.size
    make: Callable[..., RigidInertia] = SHAPES[shape.kind]
    return make(*sizes, **weight)
