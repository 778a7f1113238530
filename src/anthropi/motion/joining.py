"""One motion after another. Floats only."""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.errors import InputError
from anthropi.figure.joints.poses import is_identity
from anthropi.motion.blending import alike, between, ramp
from anthropi.motion.editing import cut, shift
from anthropi.motion.motion import Motion

__all__ = ["concatenate", "placed"]

CLOSE = 1e-6  # [rad, m, and a second] of states that join


def concatenate(*motions: Motion, over: float = 0.0, place: bool = False) -> Motion:
    """Motions one after another; each begins when the one before ends.

    over : [s] the last of one and the first of the next go over into each other for so long, by a weight with two
        derivatives; with 0 the states must meet. place : whether the next is moved over the ground and turned about
        the vertical so that its root begins where the last one ended.
    Channels that all have are kept (in the overlap, the first one's go over into the next one's).
    """
    if not motions:
        raise InputError("concatenate takes at least one motion.")
    if not isinstance(over, (int, float, np.number)) or not (np.isfinite(over) and over >= 0.0):
        raise InputError(f"over={over!r}: give seconds, 0 or more.")
    whole = motions[0]
    for other in motions[1:]:
        alike(whole, other, "concatenate")
        moved = shift(other, whole.time[-1] - over - other.time[0])
        if place:
            moved = placed(moved, whole.at(whole.time[-1] - over))
        whole = _faded(whole, moved, over) if over else _met(whole, moved)
    return whole


def _met(a: Motion, b: Motion) -> Motion:
    """b after a, whose last state is b's first."""
    gap = np.abs(a.figure.difference(a.q[..., -1, :], b.q[..., 0, :])), np.abs(b.u[..., 0, :] - a.u[..., -1, :])
    for what, size in zip(("configurations", "velocities"), gap, strict=True):
        worst = size.reshape(-1, a.figure.nu)
        if worst.size and worst.max() > CLOSE:
            k = int(worst.max(0).argmax())
            raise InputError(
                f"The motions do not meet at {b.time[0]:g} s: {what} differ by {worst.max():.3g} in "
                f"'{a.figure.dofs[k]}'. Let them go over into each other: over= seconds; or place=True, if "
                "only the root is elsewhere."
            )
    if len(b) == 1:
        return a.changed(events=(*a.events, *b.events))
    return _strung(a, b[1:], b.events)


def _faded(a: Motion, b: Motion, over: float) -> Motion:
    """The end of a goes over into the start of b."""
    start, end = b.time[0], a.time[-1]
    if not (start >= a.time[0] and end <= b.time[-1]):
        raise InputError(f"over={over:g} s is longer than one of the motions ({a.time[-1] - a.time[0]:g} and "
                         f"{b.time[-1] - b.time[0]:g} s).")  # fmt: skip
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
    whole = _strung(head[:-1], middle) if len(head) > 1 else middle
    whole = _strung(whole, tail[1:]) if len(tail) > 1 else whole
    return whole.changed(events=tuple(sorted((*a.events, *b.events), key=lambda e: getattr(e, "time", np.inf))),
                         metadata=a.metadata)  # fmt: skip


def _strung(a: Motion, b: Motion, events=()) -> Motion:
    """Frames of both; channels that both have."""
    axis = a.q.ndim - 2
    both = {name: np.concatenate([x, b.channels[name]], axis) for name, x in a.channels.items() if name in b.channels}
    return a.changed(time=np.concatenate([a.time, b.time]), q=np.concatenate([a.q, b.q], axis),
                     u=np.concatenate([a.u, b.u], axis), channels=both, events=(*a.events, *events))  # fmt: skip


def placed(motion: Motion, frame) -> Motion:
    """The motion moved over the ground and turned about the vertical, so that its root begins as in a frame.

    Height and tilt stay: the turn is the one about z nearest to the turn between the two attitudes.
    """
    figure = motion.figure
    root = figure.joints[0]
    if root.kind != "free" or not is_identity(root.placement) or np.abs(figure.gravity[:2]).max() > 0.0:
        raise InputError(f"Figure '{figure.name}' cannot be placed: that takes a free root and a vertical gravity.")
    q, u = np.array(motion.q, float), np.array(motion.u, float)
    here, there = q[..., :1, :7], np.asarray(frame.q)[..., None, :7]
    turn = rot.quaternion_product(there[..., 3:], rot.quaternion_conjugate(here[..., 3:]))
    about = np.stack([turn[..., 0], 0.0 * turn[..., 0], 0.0 * turn[..., 0], turn[..., 3]], -1)
    length = np.linalg.norm(about, axis=-1, keepdims=True)
    none = length < 1e-9  # upside down to each other: no turn about the vertical is nearest
    about = np.where(none, [1.0, 0.0, 0.0, 0.0], about / np.where(none, 1.0, length))
    C = rot.matrix_from_quaternion(about)
    to = there[..., :3] * [1.0, 1.0, 0.0] + here[..., :3] * [0.0, 0.0, 1.0]
    q[..., :3] = to + matvec(C, q[..., :3] - here[..., :3])
    q[..., 3:7] = rot.quaternion_product(np.broadcast_to(about, q[..., 3:7].shape), q[..., 3:7])
    u[..., :3] = matvec(C, u[..., :3])
    turned = {}
    for name, x in motion.channels.items():
        if name in ("udot", "tau"):  # the root's are along the world's axes
            turned[name] = np.concatenate([matvec(C, x[..., :3]), x[..., 3:]], -1).astype(x.dtype)
        elif name == "contact_point":
            start = here[..., None, :3]
            turned[name] = (to[..., None, :] + matvec(C[..., None, :, :], x - start)).astype(x.dtype)
        elif name == "contact":
            turned[name] = matvec(C[..., None, :, :], x).astype(x.dtype)
    return motion.changed(q=q, u=u, channels=motion.channels | turned)
