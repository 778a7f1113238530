"""Other motions of one: at other times, a part of it, later, in the mirror. Floats only.

Between frames a state is on the way of `Motion.at`; a channel is on the straight line.
"""

import numpy as np

from anthropi.errors import InputError, ShapeError
from anthropi.figure.editing.mirroring import other_side
from anthropi.figure.numbers import numbers
from anthropi.motion.contacts import ContactRecord, contacts_of
from anthropi.motion.events import moved
from anthropi.motion.motion import Motion

__all__ = ["cut", "mirror", "resample", "shift"]


def resample(motion: Motion, times=None, rate: float | None = None) -> Motion:
    """The motion at times (n,) [s] between its first and last, or at even times, about `rate` a second.

    Even times begin and end with the motion, so that steps are 1 / rate where a whole number of them fits.
    """
    if (times is None) == (rate is None):
        raise InputError("resample takes times [s], or a rate [frames a second]: give one of them.")
    if times is None:
        if not isinstance(rate, (int, float, np.integer, np.floating)) or not 0.0 < rate < np.inf:
            raise InputError(f"rate={rate!r}: give frames a second, more than 0.")
        span = motion.time[-1] - motion.time[0]
        times = np.linspace(motion.time[0], motion.time[-1], max(1, round(span * rate)) + 1) if span else motion.time
    times = np.asarray(times, float)
    if times.ndim != 1:
        raise ShapeError(f"times has shape {times.shape}; wanted (n,).")
    if len(times) == len(motion) and (times == motion.time).all():
        return motion
    state = motion.at(times)
    q, u = state.q.astype(motion.q.dtype), state.u.astype(motion.u.dtype)
    k = np.clip(np.searchsorted(motion.time, times), 0, len(motion) - 1)
    kept = motion.time[k] == times  # frames that are there stay as they are, to the bit
    q[..., kept, :], u[..., kept, :] = motion.q[..., k[kept], :], motion.u[..., k[kept], :]
    channels = {name: _channel(motion, x, times) for name, x in motion.channels.items()}
    return motion.changed(time=times, q=q, u=u, channels=channels)


def _channel(motion: Motion, x, times) -> np.ndarray:
    """A channel at other times, on straight lines between its frames."""
    axis = motion.q.ndim - 2
    rows = np.moveaxis(x, axis, 0)
    if len(motion) == 1:
        return np.moveaxis(rows[np.zeros(len(times), int)], 0, axis)
    k = np.clip(np.searchsorted(motion.time, times, "right") - 1, 0, len(motion) - 2)
    s = ((times - motion.time[k]) / (motion.time[k + 1] - motion.time[k])).reshape(-1, *(1,) * (rows.ndim - 1))
    s = s.astype(x.dtype)
    found = np.where(s == 0.0, rows[k], np.where(s == 1.0, rows[k + 1], (1.0 - s) * rows[k] + s * rows[k + 1]))
    return np.moveaxis(found, 0, axis)


def cut(motion: Motion, start: float | None = None, end: float | None = None) -> Motion:
    """The part from start to end [s]: a frame at each, the frames between, and the events between."""
    first, last = motion.time[0], motion.time[-1]
    low, high = first if start is None else float(start), last if end is None else float(end)
    if not first <= low <= high <= last:
        raise InputError(
            f"The motion is from {first:g} to {last:g} s; the part from {low:g} to {high:g} s is not in it."
        )
    between = motion.time[(low < motion.time) & (motion.time < high)]
    times = np.array([low, *between, high]) if low < high else np.array([low])
    found = resample(motion, times)
    return found.changed(events=tuple(e for e in motion.events if not hasattr(e, "time") or low <= e.time <= high))


def shift(motion: Motion, by: float) -> Motion:
    """The same `by` seconds later, events too."""
    if not isinstance(by, (int, float, np.number)) or not np.isfinite(by):
        raise InputError(f"by={by!r}: give seconds.")
    return motion.changed(time=motion.time + by, events=tuple(moved(e, by) for e in motion.events))


def mirror(motion: Motion) -> Motion:
    """The motion in the mirror y → -y, left and right exchanged by their names.

    A figure that is its own mirror image (as a person is) does the mirrored motion itself; another one is mirrored too.
    Channels "udot", "tau" and "contact" are mirrored, those of one number a frame change sides by name ("l_heel.load");
    vectors, of which it is not known what they are, are left out.
    """
    figure = motion.figure
    image, q, u = figure.mirror(motion.q.reshape(-1, figure.nq), motion.u.reshape(-1, figure.nu))
    channels, metadata = {}, dict(motion.metadata)
    for name, x in motion.channels.items():
        if name in ("udot", "tau"):  # turns and forces change as velocities do
            there = figure.mirror(motion.q.reshape(-1, figure.nq), x.reshape(-1, figure.nu))[2]
            channels[name] = there.reshape(x.shape).astype(x.dtype)
        elif name in ("contact", "contact_point") and contacts_of(motion):
            records, order = _other_contacts(contacts_of(motion))
            metadata["contacts"] = [record._asdict() for record in records]
            metadata.pop("touches", None)
            channels[name] = x[..., order, :] * np.array([1.0, -1.0, 1.0], x.dtype)
        elif x.ndim == motion.q.ndim - 1:
            channels[other_side(name)] = x
    events = tuple(_other_side(e) for e in motion.events)
    q, u = q.reshape(motion.q.shape).astype(motion.q.dtype), u.reshape(motion.u.shape).astype(motion.u.dtype)
    own = figure if _same_body(figure, image) else image
    return motion.changed(figure=own, q=q, u=u, channels=channels, events=events, metadata=metadata)


def _other_contacts(records) -> tuple[tuple[ContactRecord, ...], list[int]]:
    """Contacts in the mirror, and which contact each was; in the same order where they are the same contacts."""
    there = [ContactRecord(*(other_side(word) for word in record)) for record in records]
    if sorted(there) == sorted(records):
        return tuple(records), [there.index(record) for record in records]
    return tuple(there), list(range(len(there)))


def _other_side(event):
    """The event on the other side: words that say where are mirrored."""
    said = {n: getattr(event, n) for n in ("what", "link", "foot") if n in getattr(event, "_fields", ())}
    mirrored = {n: other_side(word) for n, word in said.items() if isinstance(word, str)}
    return event._replace(**mirrored) if mirrored else event


def _same_body(figure, image) -> bool:
    """Whether a mirrored figure moves as the figure does: the same tree, joints, masses and loops, to rounding."""
    if figure.parent != image.parent or figure.dofs != image.dofs or figure.nq != image.nq:
        return False
    if [x.name for x in figure.links] != [x.name for x in image.links] or len(figure.loops) != len(image.loops):
        return False
    rng = np.random.default_rng(0)
    pairs = []
    for one, other in zip(figure.joints, image.joints, strict=True):
        q = one.random(rng)
        pairs += [(x, y) for at, to in ((one.placement, other.placement), (one.transform(q), other.transform(q)))
                  for x, y in ((at.rotation, to.rotation), (at.origin, to.origin))]  # fmt: skip
    for one, other in zip(_by_name(figure.loops), _by_name(image.loops), strict=True):
        if (one.name, one.kind, one.link_a, one.link_b) != (other.name, other.kind, other.link_a, other.link_b):
            return False
        pairs += [(x, y) for at, to in ((one.at_a, other.at_a), (one.at_b, other.at_b))
                  for x, y in ((at.rotation, to.rotation), (at.origin, to.origin))]  # fmt: skip
    own, there = numbers(figure), numbers(image)
    pairs += [(x, there[name]) for name, x in own.items() if name in there]
    return own.keys() == there.keys() and all(np.allclose(x, y, rtol=1e-9, atol=1e-12) for x, y in pairs)


def _by_name(parts) -> list:
    return sorted(parts, key=lambda x: x.name)
