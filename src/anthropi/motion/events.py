"""What happened while a motion was recorded, and when. Events are named tuples that have a time [s]."""

from typing import Any, NamedTuple

__all__ = ["EVENTS", "Event", "FootEvent", "known", "moved"]


class Event(NamedTuple):
    """Something that happened.

    time : [s]. what : in words ("release", "l_foot touches"). rollout : which of a batch, 0 if alone. about : more.
    """

    time: float
    what: str
    rollout: int = 0
    about: Any = None


EVENTS: dict[str, type] = {"Event": Event}  # those that a file may name


def known(kind: type) -> type:
    """Let files name a kind of event; a decorator of named tuples."""
    EVENTS[kind.__name__] = kind
    return kind


@known
class FootEvent(NamedTuple):
    """A foot strikes the ground or leaves it. time : [s]. foot : "l" or "r". what : "strike" or "off"."""

    time: float
    foot: str
    what: str


def moved(event, by: float):
    """The same event `by` seconds later; what has no time stays."""
    return event._replace(time=event.time + by) if hasattr(event, "_replace") and hasattr(event, "time") else event
