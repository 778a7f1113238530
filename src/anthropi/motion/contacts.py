"""Recorded contacts of a motion: their records, points of action, and wrenches on links.

The channel "contact" (…, frames, contacts, 3) [N] contains the force on the first link of each contact, and the channel
"contact_point" [m] its point of action. Both are in world axes, and are means over the steps from a frame to the next.
The force *at* a frame is the mean of the two neighbouring intervals, weighted by their lengths h; it corresponds to the
acceleration in (1). The force over an increment from a to b is its mean over that time, which keeps the impulse (2):

    f(t_k) = (h_{k-1} f̄_{k-1} + h_k f̄_k) / (h_{k-1} + h_k),   u'(t_k) = (u_{k+1} - u_{k-1}) / (t_{k+1} - t_{k-1})    (1)
    f̄(a, b) = ∫_a^b f̄ dt / (b - a),                            u'(a, b) = (u(b) - u(a)) / (b - a)                    (2)
"""

import numpy as np

from anthropi.contact.contacts import ContactRecord
from anthropi.motion.link_poses import link_poses
from anthropi.motion.motion import Motion

__all__ = ["ContactRecord", "at_frames", "contact_points", "contact_wrenches", "contacts_of", "over_increments"]


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
    """Convert means over intervals (frames, …) to values at the frames (1); the end frames take the nearest mean."""
    if len(time) < 2:
        return means
    h = np.diff(time).reshape(-1, *(1,) * (means.ndim - 1))
    inner = (h[:-1] * means[:-2] + h[1:] * means[1:-1]) / (h[:-1] + h[1:])
    return np.concatenate([means[:1], inner, means[-2:-1]])


def over_increments(means: np.ndarray, time: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Convert means over the intervals of `time` to means from each of `times` (n,) to the next (2).

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
    at : "frames" for values at the frames (1); "intervals" for means over the interval that follows each frame, in the
        link frames at its start; or times (n,) [s] for means from each time to the next (2), in the link frames at
        the middle of that interval.

    Returns
    -------
    (frames, links, 6) or (n, links, 6) [N m, N]; None if no contact was recorded.
    """
    records = contacts_of(motion)
    if not records or motion.q.ndim != 2:
        return None
    figure, time, q = motion.figure, motion.time, motion.q
    force, point = (np.asarray(x, float) for x in (motion.channels["contact"], contact_points(motion)))
    wrench = np.concatenate([np.cross(point, force), force], -1)  # about the world's origin, so that means add up
    if not isinstance(at, str):
        wrench = over_increments(wrench, time, at)
        q = motion.at(np.append(0.5 * (at[1:] + at[:-1]), at[-1])).q
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
