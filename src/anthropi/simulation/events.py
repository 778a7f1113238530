"""What happened in a motion, and when? Contacts that begin and end, and functions of the state that change their sign.

Between two frames the state is that of `motion.at`, and an instant is found by halving; between two frames of a channel
it is taken to change evenly. Floats only.
"""

import numpy as np

from anthropi.errors import InputError
from anthropi.motion import Motion
from anthropi.motion.contacts import contacts_of
from anthropi.motion.motion import Event

__all__ = ["contact_events", "crossings"]

HALVINGS = 60


def contact_events(motion: Motion, load: float = 1.0) -> tuple[Event, ...]:
    """When do contacts begin and end? Events "<touch> begins" and "<touch> ends", in order of time.

    load : [N] what the force of a touch must pass. The motion is of a scene, with its channel "contact".
    """
    names = [contact.name for contact in contacts_of(motion)]
    if not names:
        raise InputError("The motion has no contacts. Simulate a scene with record=('contact',).")
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


def crossings(motion: Motion, function, what: str = "crossing") -> tuple[Event, ...]:
    """When does a function (figure, t, q, u) → number change its sign? Events whose `about` is +1 where it rises."""
    if not callable(function):
        raise InputError(f"crossings takes a function (figure, t, q, u) → number; got {function!r}.")
    found: list[Event] = []
    single = motion.q.ndim == 2
    for rollout in range(1 if single else len(motion.q)):
        own = motion if single else motion.rollout(rollout)

        def value(t, own=own):
            return float(function(own.figure, t, *own.at(t)[1:]))

        signs = [value(t) > 0.0 for t in own.time]
        for k in np.flatnonzero(np.diff(signs)):
            low, high = own.time[k], own.time[k + 1]
            for _ in range(HALVINGS):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if (value(middle) > 0.0) == signs[k] else (low, middle)
            found.append(Event(float(high), what, rollout, 1 if signs[k + 1] else -1))
    return tuple(sorted(found, key=lambda event: (event.time, event.rollout)))
