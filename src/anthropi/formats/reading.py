"""What reading a file gives: a figure, the state it starts in, and notes on what the file says beyond a figure."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from anthropi.figure import Figure

__all__ = ["Note", "Notes", "Reading", "State", "rest_state"]


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


class State(NamedTuple):
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
    state: State
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


def rest_state(figure: Figure) -> State:
    """The neutral configuration, at rest."""
    return State(figure.neutral(), np.zeros(figure.nu), np.zeros(figure.nu))


def listed(notes: Iterable[Note], most: int = 6) -> str:
    """The notes in one sentence, the first few of them."""
    words = [str(n) for n in notes]
    more = f"; and {len(words) - most} more" if len(words) > most else ""
    return "; ".join(words[:most]) + more
