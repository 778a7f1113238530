"""Editing of motions: resample, cut, delay, mirror, concatenate, reorder. Works on plain floats only.

Between frames a state follows `Motion.at`. A channel is interpolated linearly, but channels that are means over the
intervals between frames (`motion/contacts.py`) become means over the new intervals.
"""

from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.errors import InputError, ShapeError
from anthropi.figure.editing.scaling import other_side
from anthropi.figure.figure import Figure
from anthropi.figure.joints.derived import is_identity
from anthropi.figure.numbers import numbers
from anthropi.motion.blending import between, check_same_figure, ramp
from anthropi.motion.contacts import ContactRecord, contacts_of, interval_means, resampled_means
from anthropi.motion.motion import Motion, moved, within

__all__ = ["concatenate", "cut", "mirror", "moved_to", "onto", "resample", "shift"]


def resample(motion: Motion, times: Any = None, rate: float | None = None) -> Motion:
    """Resample a motion at given times, or at a constant rate.

    Parameters
    ----------
    times : (n,) [s] within the motion; or
    rate : frames per second, for evenly spaced times from the first to the last. Steps are exactly 1 / rate if a whole
        number of steps fits.
    """
    if (times is None) == (rate is None):
        raise InputError("resample takes times [s], or a rate [frames per second]: give one of them.")
    if times is None:
        if not isinstance(rate, (int, float, np.integer, np.floating)) or not 0.0 < rate < np.inf:
            raise InputError(f"rate={rate!r}: give frames per second, more than 0.")
        span = motion.time[-1] - motion.time[0]
        times = np.linspace(motion.time[0], motion.time[-1], max(1, round(span * rate)) + 1) if span else motion.time
    times = np.asarray(times, float)
    if times.ndim != 1:
        raise ShapeError(f"times has shape {times.shape}; expected (n,).")
    if len(times) == len(motion) and (times == motion.time).all():
        return motion
    state = motion.at(times)
    q, u = state.q.astype(motion.q.dtype), state.u.astype(motion.u.dtype)
    k = np.clip(np.searchsorted(motion.time, times), 0, len(motion) - 1)
    kept = motion.time[k] == times  # frames at existing times are copied unchanged
    q[..., kept, :], u[..., kept, :] = motion.q[..., k[kept], :], motion.u[..., k[kept], :]
    means = resampled_means(motion, times)
    channels = {
        name: means[name] if name in means else _channel(motion, x, times) for name, x in motion.channels.items()
    }
    about = motion.metadata if kept.all() or not means else motion.metadata | {"resampled": True}  # for `verify`
    return motion.changed(time=times, q=q, u=u, channels=channels, metadata=about)


def _channel(motion: Motion, x, times) -> np.ndarray:
    """Channel at other times, interpolated linearly."""
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
    """Return the part from start to end [s], with a frame at each end and the frames and events in between."""
    first, last = motion.time[0], motion.time[-1]
    low, high = first if start is None else float(start), last if end is None else float(end)
    if not first <= low <= high <= last:
        raise InputError(
            f"The motion is from {first:g} to {last:g} s; the part from {low:g} to {high:g} s is not in it."
        )
    between = motion.time[(low < motion.time) & (motion.time < high)]
    times = np.array([low, *between, high]) if low < high else np.array([low])
    return within(resample(motion, times), low, high)


def shift(motion: Motion, by: float) -> Motion:
    """Return the motion, with its events, delayed by `by` [s]."""
    if not isinstance(by, (int, float, np.number)) or not np.isfinite(by):
        raise InputError(f"by={by!r}: give seconds.")
    about = motion.metadata
    if about.get("fall_time") is not None:
        about = about | {"fall_time": about["fall_time"] + by}
    return motion.changed(time=motion.time + by, events=tuple(moved(e, by) for e in motion.events), metadata=about)


def mirror(motion: Motion) -> Motion:
    """Return the mirror image of a motion, y → -y, with left and right exchanged in names.

    A symmetric figure, such as a human, stays the same; any other figure is mirrored too. The channels "udot", "tau",
    "contact", "contact_point" and "contact_moment" are mirrored. Scalar channels with a side in their name
    ("l_heel.load") are exchanged. Other vector channels are left out, because their meaning is unknown.
    """
    figure = motion.figure
    image, q, u = figure.mirror(motion.q.reshape(-1, figure.nq), motion.u.reshape(-1, figure.nu))
    channels, metadata = {}, dict(motion.metadata)
    for name, x in motion.channels.items():
        if name in ("udot", "tau"):  # they transform like velocities
            there = figure.mirror(motion.q.reshape(-1, figure.nq), x.reshape(-1, figure.nu))[2]
            channels[name] = there.reshape(x.shape).astype(x.dtype)
        elif name in ("contact", "contact_point", "contact_moment") and contacts_of(motion):
            records, order = _other_contacts(contacts_of(motion))
            metadata["contacts"] = [record._asdict() for record in records]
            metadata.pop("touches", None)
            sign = -1.0 if name == "contact_moment" else 1.0  # a moment is an axial vector
            channels[name] = x[..., order, :] * np.array([sign, -sign, sign], x.dtype)
        elif x.ndim == motion.q.ndim - 1:
            channels[other_side(name)] = x
    events = tuple(_other_side(e) for e in motion.events)
    q, u = q.reshape(motion.q.shape).astype(motion.q.dtype), u.reshape(motion.u.shape).astype(motion.u.dtype)
    own = figure if _same_body(figure, image) else image
    return motion.changed(figure=own, q=q, u=u, channels=channels, events=events, metadata=metadata)


def _other_contacts(records) -> tuple[tuple[ContactRecord, ...], list[int]]:
    """Return the mirrored contacts and the index of the original of each. A symmetric set keeps its order."""
    there = [ContactRecord(*(other_side(word) for word in record)) for record in records]
    if sorted(there) == sorted(records):
        return tuple(records), [there.index(record) for record in records]
    return tuple(there), list(range(len(there)))


def _other_side(event):
    """Return an event with left and right exchanged in its text."""
    said = {n: getattr(event, n) for n in ("what", "link", "foot") if n in getattr(event, "_fields", ())}
    mirrored = {n: other_side(word) for n, word in said.items() if isinstance(word, str)}
    return event._replace(**mirrored) if mirrored else event


def _same_body(figure, image) -> bool:
    """Return whether a mirrored figure equals the original: tree, joints, masses and loops, up to rounding."""
    if figure.parent != image.parent or figure.dofs != image.dofs or figure.nq != image.nq:
        return False
    if [x.name for x in figure.links] != [x.name for x in image.links] or len(figure.loops) != len(image.loops):
        return False
    rng = np.random.default_rng(0)
    pairs = []
    for one, other in zip(figure.joints, image.joints, strict=True):
        q = one.random(rng)
        pairs += [
            (x, y)
            for at, to in ((one.placement, other.placement), (one.transform(q), other.transform(q)))
            for x, y in ((at.rotation, to.rotation), (at.origin, to.origin))
        ]
    for one, other in zip(_by_name(figure.loops), _by_name(image.loops), strict=True):
        if (one.name, one.kind, one.links(figure)) != (other.name, other.kind, other.links(image)):
            return False
        if one.kind == "coupling":
            if (one.dof, one.source) != (other.dof, other.source):
                return False
            pairs += [(np.array(one.function.at(x)), np.array(other.function.at(x))) for x in (-0.5, 0.25, 1.0)]
            continue
        pairs += [
            (x, y)
            for at, to in ((one.at_a, other.at_a), (one.at_b, other.at_b))
            for x, y in ((at.rotation, to.rotation), (at.origin, to.origin))
        ]
    own, there = numbers(figure), numbers(image)
    pairs += [(x, there[name]) for name, x in own.items() if name in there]
    return own.keys() == there.keys() and all(np.allclose(x, y, rtol=1e-9, atol=1e-12) for x, y in pairs)


def _by_name(parts) -> list[Any]:
    return sorted(parts, key=lambda x: x.name)


DOF_CHANNELS = ("udot", "tau", "power", "error")  # one number for each degree of freedom


def onto(motion: Motion, figure: Figure) -> Motion:
    """Return a motion as a motion of another figure with the same joints, matched by name.

    Use it for a figure that lists its links in another order, such as one that was read from an MJCF or URDF file.

    Parameters
    ----------
    figure : a figure whose joints have the names and kinds of those of the motion's figure.

    Returns
    -------
    The motion with q, u and the channels of degrees of freedom ("udot", "tau", "power" …) in the order of `figure`. The
    channel "memory" is left out. All vector channels but "udot" are kept only if the bodies of both figures agree.

    Raises
    ------
    InputError : the joints of the figures differ.
    """
    source = motion.figure
    if sorted(figure.dofs) != sorted(source.dofs):
        lost = sorted(set(source.dofs) ^ set(figure.dofs))
        raise InputError(
            f"The motion of figure '{source.name}' cannot be one of figure '{figure.name}': only one of them has the "
            f"degree of freedom '{lost[0]}'. Use a figure with the same joints, figure.state_from for locked joints, "
            "or ap.motion.retarget for another body."
        )
    same, channels = _same_body_by_name(source, figure), {}
    q, u = figure.state_from(source, motion.q, motion.u)
    for name, x in motion.channels.items():
        of_dofs = name in DOF_CHANNELS or (name == "work" and "power" in motion.channels)  # not that of `simulate`
        if name == "memory" or not (same or name == "udot" or x.ndim == motion.q.ndim - 1):
            continue
        channels[name] = figure.state_from(source, motion.q, x)[1] if of_dofs else x
    return motion.changed(figure=figure, q=q, u=u, channels=channels)


def _same_body_by_name(a: Figure, b: Figure) -> bool:
    """Return whether two figures have the same links, joints and masses, in whatever order."""
    trees = [
        {x.name: f.links[p].name if p >= 0 else "" for x, p in zip(f.links, f.parent, strict=True)} for f in (a, b)
    ]
    return trees[0] == trees[1] and _same_body(a, b.reorder(a))


JOIN_TOLERANCE = 1e-6  # [rad, m; rad/s, m/s] largest difference of states that are joined


def concatenate(*motions: Motion, overlap: float = 0.0, align: bool = False) -> Motion:
    """Concatenate motions; each begins when the one before ends.

    Parameters
    ----------
    overlap : duration [s] over which the end of one motion is blended with the start of the next, by a weight with two
        continuous derivatives. With 0 the states must agree.
    align : whether the next motion is translated along the ground and rotated about the vertical so that its root
        starts where the previous one ended.

    Channels that all motions have are kept, and are blended in the overlap.

    Raises
    ------
    InputError : the states do not agree (overlap 0), or the overlap is longer than a motion.
    """
    if not motions:
        raise InputError("concatenate needs at least one motion.")
    if not isinstance(overlap, (int, float, np.number)) or not (np.isfinite(overlap) and overlap >= 0.0):
        raise InputError(f"overlap={overlap!r}: give seconds, 0 or more.")
    whole = motions[0]
    for other in motions[1:]:
        check_same_figure(whole, other, "concatenate")
        moved = shift(other, whole.time[-1] - overlap - other.time[0])
        if align:
            moved = moved_to(moved, whole.at(whole.time[-1] - overlap))
        fell = whole.metadata.get("fell"), moved.metadata.get("fell")
        whole = _cross_faded(whole, moved, overlap) if overlap else _joined(whole, moved)
        if fell == (False, True):
            later = {name: moved.metadata.get(name) for name in ("fell", "fall_time", "fall_cause")}
            whole = whole.changed(metadata=whole.metadata | later)
    return whole


def _joined(a: Motion, b: Motion) -> Motion:
    """Append motion b to motion a, whose last state is the first state of b."""
    gap = np.abs(a.figure.difference(a.q[..., -1, :], b.q[..., 0, :])), np.abs(b.u[..., 0, :] - a.u[..., -1, :])
    for what, size in zip(("configurations", "velocities"), gap, strict=True):
        worst = size.reshape(-1, a.figure.nu)
        if worst.size and worst.max() > JOIN_TOLERANCE:
            k = int(worst.max(0).argmax())
            raise InputError(
                f"The motions do not meet at {b.time[0]:g} s: {what} differ by {worst.max():.3g} in "
                f"'{a.figure.dofs[k]}'. Blend them with overlap=seconds, or use "
                "align=True if only the root differs."
            )
    if len(b) == 1:
        return a.changed(events=(*a.events, *b.events))
    whole, axis = _appended(a, b[1:], b.events), a.q.ndim - 2
    means = interval_means(b)
    if means is None:
        return whole
    channels = dict(whole.channels)
    for name in set(means.channels) & set(channels):  # the interval after the last frame of a belongs to b
        rows = np.array(np.moveaxis(channels[name], axis, 0))
        rows[len(a) - 1] = np.moveaxis(b.channels[name], axis, 0)[0]
        channels[name] = np.moveaxis(rows, 0, axis)
    return whole.changed(channels=channels)


def _cross_faded(a: Motion, b: Motion, overlap: float) -> Motion:
    """Blend the end of a with the start of b."""
    start, end = b.time[0], a.time[-1]
    if not (start >= a.time[0] and end <= b.time[-1]):
        raise InputError(
            f"overlap={overlap:g} s is longer than one of the motions ({a.time[-1] - a.time[0]:g} and "
            f"{b.time[-1] - b.time[0]:g} s)."
        )
    head, tail = cut(a, a.time[0], start), cut(b, end, b.time[-1])
    times = np.unique(np.concatenate([a.time[a.time >= start], b.time[b.time <= end], [start, end]]))
    x, y, w = a.resample(times), b.resample(times), ramp(start, end)(times)
    q, u = between(a.figure, (x.q, x.u), (y.q, y.u), w.value[:, None], w.rate[:, None])
    mixed = {}
    for name in a.channels:
        if name in b.channels:
            one, other = x.channels[name], y.channels[name]
            weight = w.value.reshape(-1, *(1,) * (one.ndim - a.q.ndim + 1))
            mixed[name] = (1.0 - weight) * one + weight * other
    middle = Motion(a.figure, times, q, u, mixed)
    whole = _appended(head[:-1], middle) if len(head) > 1 else middle
    whole = _appended(whole, tail[1:]) if len(tail) > 1 else whole
    return whole.changed(
        events=tuple(sorted((*a.events, *b.events), key=lambda e: getattr(e, "time", np.inf))), metadata=a.metadata
    )


def _appended(a: Motion, b: Motion, events=()) -> Motion:
    """Return the frames of both motions, with the channels that both have."""
    axis = a.q.ndim - 2
    both = {name: np.concatenate([x, b.channels[name]], axis) for name, x in a.channels.items() if name in b.channels}
    return a.changed(
        time=np.concatenate([a.time, b.time]),
        q=np.concatenate([a.q, b.q], axis),
        u=np.concatenate([a.u, b.u], axis),
        channels=both,
        events=(*a.events, *events),
    )


def moved_to(motion: Motion, frame: Any) -> Motion:
    """Return a motion translated along the ground and rotated about the vertical so that its root starts as in `frame`.

    Height and tilt are kept: the rotation about z is the one nearest to the rotation between the two attitudes.
    """
    figure = motion.figure
    root = figure.joints[0]
    if root.kind != "free" or not is_identity(root.placement) or np.abs(figure.gravity[:2]).max() > 0.0:
        raise InputError(f"Figure '{figure.name}' cannot be aligned: that needs a free root and vertical gravity.")
    q, u = np.array(motion.q, float), np.array(motion.u, float)
    here, there = q[..., :1, :7], np.asarray(frame.q)[..., None, :7]
    turn = rot.quaternion_product(there[..., 3:], rot.quaternion_conjugate(here[..., 3:]))
    about = np.stack([turn[..., 0], 0.0 * turn[..., 0], 0.0 * turn[..., 0], turn[..., 3]], -1)
    length = np.linalg.norm(about, axis=-1, keepdims=True)
    none = length < 1e-9  # opposite attitudes: no rotation about the vertical is nearest
    about = np.where(none, [1.0, 0.0, 0.0, 0.0], about / np.where(none, 1.0, length))
    C = rot.matrix_from_quaternion(about)
    to = there[..., :3] * [1.0, 1.0, 0.0] + here[..., :3] * [0.0, 0.0, 1.0]
    q[..., :3] = to + matvec(C, q[..., :3] - here[..., :3])
    q[..., 3:7] = rot.quaternion_product(np.broadcast_to(about, q[..., 3:7].shape), q[..., 3:7])
    u[..., :3] = matvec(C, u[..., :3])
    turned = {}
    for name, x in motion.channels.items():
        if name in ("udot", "tau"):  # those of the root are in world axes
            turned[name] = np.concatenate([matvec(C, x[..., :3]), x[..., 3:]], -1).astype(x.dtype)
        elif name == "contact_point":
            start = here[..., None, :3]
            turned[name] = (to[..., None, :] + matvec(C[..., None, :, :], x - start)).astype(x.dtype)
        elif name in ("contact", "contact_moment"):
            turned[name] = matvec(C[..., None, :, :], x).astype(x.dtype)
    return motion.changed(q=q, u=u, channels=motion.channels | turned)
