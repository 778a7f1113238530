"""Events of a recorded motion: contacts that begin and end, and zero crossings of functions of the state.

Between two frames the state is interpolated by `motion.at`, and the time of an event is found by bisection. Channels
are interpolated linearly. Works on plain floats only; cannot be recorded on a tape.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.errors import InputError
from anthropi.motion import Motion
from anthropi.motion.contacts import contacts_of
from anthropi.motion.motion import Event

__all__ = ["contact_events", "crossings"]

BISECTIONS = 60


def contact_events(motion: Motion, load: float = 1.0) -> tuple[Event, ...]:
    """Find when contacts begin and end. Returns events "<contact> begins" and "<contact> ends", sorted by time.

    motion : motion of a scene with the channel "contact". load : [N] threshold of the contact force.
    """
    names = [contact.name for contact in contacts_of(motion)]
    if not names:
        raise InputError("The motion has no contacts. Simulate a scene, with record=('contact',).")
    found: list[Event] = []
    pushes = np.linalg.norm(motion.channels["contact"], axis=-1)
    for rollout, rows in enumerate(pushes if pushes.ndim == 3 else pushes[None]):
        for name, push in zip(names, rows.T, strict=True):
            over = push > load
            for k in np.flatnonzero(over[1:] != over[:-1]):
                part = (load - push[k]) / (push[k + 1] - push[k])
                when = motion.time[k] + part * (motion.time[k + 1] - motion.time[k])
                found.append(Event(float(when), f"{name} {'begins' if over[k + 1] else 'ends'}", rollout))
    return tuple(sorted(found, key=lambda event: (event.time, event.rollout, event.what)))


def crossings(motion: Motion, function: Callable[..., Any], what: str = "crossing") -> tuple[Event, ...]:
    """Find when a function (figure, t, q, u) → number changes its sign.

    The field `about` of an event is +1 if the function rises and -1 if it falls.
    """
    if not callable(function):
        raise InputError(f"crossings got {function!r}. Give a function (figure, t, q, u) → number.")
    found: list[Event] = []
    single = motion.q.ndim == 2
    for rollout in range(1 if single else len(motion.q)):
        own = motion if single else motion.rollout(rollout)

        def value(t, own=own):
            return float(function(own.figure, t, *own.at(t)[1:]))

        signs = [value(t) > 0.0 for t in own.time]
        for k in np.flatnonzero(np.diff(signs)):
            low, high = own.time[k], own.time[k + 1]
            for _ in range(BISECTIONS):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if (value(middle) > 0.0) == signs[k] else (low, middle)
            found.append(Event(float(high), what, rollout, 1 if signs[k + 1] else -1))
    return tuple(sorted(found, key=lambda event: (event.time, event.rollout)))
