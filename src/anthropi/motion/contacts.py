"""Recorded contacts of a motion, and channels that are means over the intervals between frames.

The channel "contact" (…, frames, contacts, 3) [N] contains the force on the first link of each contact, and the channel
"contact_point" [m] its point of action, both in world axes. A motion with measured ground forces also has the channel
"contact_moment" [N m], the free moment that acts beside the force at this point. In a simulated motion these channels,
"tau" and "udot" are means over the steps from a frame to the next; metadata["interval_means"] says so and holds the
time step dt [s] and the stages of the method. The acceleration that belongs to them is a difference of velocities, and
the state at which they act is, on average, that in the middle of the steps' starts. With h = t_{k+1} - t_k,

    u'_k = (u_{k+1} - u_k) / h,   at t_k + (h - dt) / 2 for a one-stage method, else t_k + h / 2        (1)

For a one-stage method with a frame at every step this is exact: forces act at the start of a step. With more steps in a
frame, states between two frames are interpolated linearly, and the error is of second order in h. The force *at* a
frame is the mean of the two neighbouring intervals, weighted by their lengths h (2). The force over an increment from a
to b is its mean over that time, which keeps the impulse (3):

    f(t_k) = (h_{k-1} f̄_{k-1} + h_k f̄_k) / (h_{k-1} + h_k),   u'(t_k) = (u_{k+1} - u_{k-1}) / (t_{k+1} - t_{k-1})    (2)
    f̄(a, b) = ∫_a^b f̄ dt / (b - a),                            u'(a, b) = (u(b) - u(a)) / (b - a)                    (3)

A mean of points is weighted by the size of the force (4), so that a force of constant direction keeps its moment.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.contact.geometry.contacts import ContactRecord
from anthropi.motion.link_poses import link_poses
from anthropi.motion.motion import Motion

__all__ = [
    "MEAN_CHANNELS",
    "MIN_WEIGHT",
    "ContactRecord",
    "IntervalMeans",
    "at_frames",
    "contact_points",
    "contact_wrenches",
    "contacts_of",
    "has_every_step",
    "interval_means",
    "mean_states",
    "over_increments",
    "resampled_means",
]

MEAN_CHANNELS = ("contact", "contact_point", "tau", "udot")  # means over the steps that follow a frame of a simulation
MIN_WEIGHT = 1e-9  # [N] weight of a point without force in (4)


class IntervalMeans(NamedTuple):
    """Meaning of channels of a simulated motion: means over the steps from a frame to the next.

    dt : [s] time step; None if it is not known. stages : 1 if the forces of a step act at its start, else more.
    channels : names of these channels.
    """

    dt: float | None = None
    stages: int = 1
    channels: tuple[str, ...] = MEAN_CHANNELS

    def metadata(self) -> dict[str, Any]:
        """Return the entry "interval_means" of a motion's metadata."""
        return {"dt": self.dt, "stages": self.stages, "channels": list(self.channels)}


def interval_means(motion: Motion) -> IntervalMeans | None:
    """Return which channels of a motion are means over intervals, and of which steps; None if there are none.

    Motions with contacts but without metadata["interval_means"] are simulations of earlier versions.
    """
    known = motion.metadata.get("interval_means")
    if known is not None:
        dt, channels = known.get("dt"), known.get("channels", MEAN_CHANNELS)
        return IntervalMeans(None if dt is None else float(dt), int(known.get("stages", 1)), tuple(map(str, channels)))
    return IntervalMeans() if contacts_of(motion) else None


def has_every_step(motion: Motion) -> bool:
    """Return whether every step of a one-stage method is a frame, so that forces act at the states of the frames."""
    means = interval_means(motion)
    if means is None or means.stages > 1 or means.dt is None or len(motion) < 2:
        return False
    return bool(np.allclose(np.diff(motion.time), means.dt, rtol=1e-6))


def mean_states(motion: Motion) -> Motion:
    """Return a motion, one frame shorter, with the states and accelerations that belong to its interval means (1).

    Its times are those of (1), and its channels those that are interval means, with "udot" computed from u.
    """
    means, h = interval_means(motion) or IntervalMeans(), np.diff(motion.time)
    early = 0.0 if means.dt is None or means.stages > 1 else np.minimum(means.dt, h)
    ahead = np.where(np.abs(h - early) < 1e-6 * h, 0.0, 0.5 * (h - early))  # (1)
    rows, share = slice(0, -1), (ahead / h)[:, None]
    move = motion.figure.difference(motion.q[rows], motion.q[1:])
    q = np.where(share == 0.0, motion.q[rows], motion.figure.integrate(motion.q[rows], share * move))
    u = motion.u[rows] + share * np.diff(motion.u, axis=0)
    channels = {name: x[rows] for name, x in motion.channels.items() if name in means.channels}
    channels["udot"] = np.diff(motion.u, axis=0) / h[:, None]
    return motion.changed(time=motion.time[rows] + ahead, q=q, u=u, channels=channels)


def resampled_means(motion: Motion, times: np.ndarray) -> dict[str, np.ndarray]:
    """Return the interval means of a motion over the intervals between other times (n,), which keeps impulses (3).

    Returns
    -------
    {channel: (…, n, …)} for the channels that are interval means. A row whose interval lies within one of
    the motion is copied; so is the last row, which no interval follows.
    """
    means = interval_means(motion)
    if means is None or len(times) < 2 or len(motion) < 2:
        return {}
    axis, found = motion.q.ndim - 2, {}
    within = np.clip(np.searchsorted(motion.time, times, "right") - 1, 0, len(motion) - 1)
    ends = np.append(motion.time, np.inf)[within + 1]
    copied = np.append(times[1:] <= ends[:-1], True)
    own = {name: np.moveaxis(motion.channels[name], axis, 0) for name in means.channels if name in motion.channels}
    weight = np.abs(own["contact"]).sum(-1, keepdims=True) + MIN_WEIGHT if "contact" in own else None
    for name, rows in own.items():
        if name == "contact_point" and weight is not None:  # (4)
            mean = over_increments(weight * rows, motion.time, times) / over_increments(weight, motion.time, times)
        else:
            mean = over_increments(rows, motion.time, times)
        mean[copied] = rows[within[copied]]
        found[name] = np.moveaxis(mean, 0, axis).astype(rows.dtype)
    if "contact_moment" in own and {"contact", "contact_point"} <= set(own):  # so that the wrench keeps its mean
        wrench = own["contact_moment"] + np.cross(own["contact_point"], own["contact"])
        point, force = (np.moveaxis(found[name], axis, 0) for name in ("contact_point", "contact"))
        moment = over_increments(wrench, motion.time, times) - np.cross(point, force)
        moment[copied] = own["contact_moment"][within[copied]]
        found["contact_moment"] = np.moveaxis(moment, 0, axis).astype(own["contact_moment"].dtype)
    return found


def contacts_of(motion: Motion) -> tuple[ContactRecord, ...]:
    """Records of the contacts in the channel "contact"; () if none were recorded.

    Files of version 0.1 have names of contacts in metadata["touches"]; later ones have records in metadata["contacts"].
    """
    if "contact" not in motion.channels:
        return ()
    if "contacts" in motion.metadata:
        return tuple(ContactRecord(**{n: str(x) for n, x in row.items()}) for row in motion.metadata["contacts"])
    return tuple(_from_name(motion, name) for name in motion.metadata.get("touches", ()))


def _from_name(motion: Motion, name: str) -> ContactRecord:
    """Record of a contact from its name, "l_foot.heel_l on ground", for files of version 0.1."""
    links = [link.name for link in motion.figure.links]
    where, _, on = name.partition(" on ")
    link = max((x for x in links if where == x or where.startswith(f"{x}.")), key=len, default=where.partition(".")[0])
    other = max((x for x in links if on == x or on.startswith(f"{x}.")), key=len, default="")
    return ContactRecord(name, link, where[len(link) + 1 :] or where, on, other)


def contact_points(motion: Motion) -> np.ndarray:
    """Points of action (…, frames, contacts, 3) [m] in the world: as recorded, or from the markers in contact."""
    if "contact_point" in motion.channels:
        return motion.channels["contact_point"]
    figure, records = motion.figure, contacts_of(motion)
    poses = link_poses(figure, np.asarray(motion.q, float).reshape(-1, figure.nq))
    marks = {m.name: np.asarray(m.point, float) for m in figure.markers if hasattr(m, "point")}
    points = [poses.point(figure.link_index(r.link), marks.get(r.feature, np.zeros(3))) for r in records]
    return np.stack(points, 1).reshape(*motion.q.shape[:-1], len(records), 3)


def at_frames(means: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Convert means over intervals (frames, …) to values at the frames (2); the end frames take the nearest mean."""
    if len(time) < 2:
        return means
    h = np.diff(time).reshape(-1, *(1,) * (means.ndim - 1))
    inner = (h[:-1] * means[:-2] + h[1:] * means[1:-1]) / (h[:-1] + h[1:])
    return np.concatenate([means[:1], inner, means[-2:-1]])


def over_increments(means: np.ndarray, time: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Convert means over the intervals of `time` to means from each of `times` (n,) to the next (3).

    No interval follows the last of `times`, so its row repeats the one before.
    """
    steps = means[:-1] * np.diff(time).reshape(-1, *(1,) * (means.ndim - 1))
    impulse = np.concatenate([np.zeros_like(means[:1]), np.cumsum(steps, axis=0)]).reshape(len(time), -1)
    at = np.stack([np.interp(times, time, x) for x in impulse.T], -1)
    found = (np.diff(at, axis=0) / np.diff(times)[:, None]).reshape(-1, *means.shape[1:])
    return np.concatenate([found, found[-1:]])


def contact_wrenches(motion: Motion, at: str | np.ndarray = "frames") -> np.ndarray | None:
    """Return the moments about link origins and the forces of all contacts on the links, in link frames.

    Parameters
    ----------
    motion : with recorded contacts.
    at : "frames" for values at the frames (2); "intervals" for the recorded values as they are, in the link frames at
        the frames; or times (n,) [s] for means from each time to the next (3), in the link frames at the middle of that
        interval's steps, as in (1).

    Returns
    -------
    (frames, links, 6) or (n, links, 6) [N m, N]; None if no contact was recorded.
    """
    records = contacts_of(motion)
    if not records or motion.q.ndim != 2:
        return None
    figure, time, q = motion.figure, motion.time, motion.q
    force, point = (np.asarray(x, float) for x in (motion.channels["contact"], contact_points(motion)))
    moment = np.cross(point, force) + np.asarray(motion.channels.get("contact_moment", 0.0), float)
    wrench = np.concatenate([moment, force], -1)  # about the world's origin, so that means add up
    if not isinstance(at, str):
        wrench = over_increments(wrench, time, at)
        means, h = interval_means(motion) or IntervalMeans(), np.diff(at)
        early = 0.0 if means.dt is None or means.stages > 1 else np.minimum(means.dt, h)
        q = motion.at(np.append(at[:-1] + 0.5 * (h - early), at[-1])).q
    elif at == "frames":
        wrench = at_frames(wrench, time)
    poses, found = link_poses(figure, q), np.zeros((len(q), figure.n, 6))
    for k, record in enumerate(records):
        for link, sign in ((record.link, 1.0), (record.other, -1.0)):
            if link:
                i = figure.link_index(link)
                C, f = poses.rotation[:, i], sign * wrench[:, k, 3:]
                moment = sign * wrench[:, k, :3] - np.cross(poses.position[:, i], f)
                found[:, i] += np.concatenate([np.einsum("nji,nj->ni", C, x) for x in (moment, f)], -1)
    return found
