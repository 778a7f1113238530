"""Recorded contacts of a motion: which they are, where they act, and their wrenches on the links. Floats only.

The channel "contact" (…, frames, contacts, 3) [N] holds the force on the first link of each contact, "contact_point"
[m] where it acts, both in world axes and as means over the steps between a frame and the next. The force *at* a frame
is the mean of the two intervals beside it,

    f(t_k) = (f̄_{k-1} + f̄_k) / 2,   as   u'(t_k) = (u_{k+1} - u_{k-1}) / (t_{k+1} - t_{k-1})          (1)
"""

import numpy as np

from anthropi.contact.contacts import ContactRecord
from anthropi.motion.link_poses import link_poses
from anthropi.motion.motion import Motion

__all__ = ["ContactRecord", "at_frames", "contact_points", "contact_wrenches", "contacts_of"]


def contacts_of(motion: Motion) -> tuple[ContactRecord, ...]:
    """The contacts that the channel "contact" is of; () if none were recorded."""
    if "contact" not in motion.channels:
        return ()
    if "contacts" in motion.metadata:
        return tuple(ContactRecord(**{n: str(x) for n, x in row.items()}) for row in motion.metadata["contacts"])
    return tuple(_from_name(motion, name) for name in motion.metadata.get("touches", ()))  # files of version 0.1


def _from_name(motion: Motion, name: str) -> ContactRecord:
    """The contact that a name "l_foot.heel_l on ground" means."""
    links = [link.name for link in motion.figure.links]
    where, _, on = name.partition(" on ")
    link = max((x for x in links if where == x or where.startswith(f"{x}.")), key=len, default=where.partition(".")[0])
    other = max((x for x in links if on == x or on.startswith(f"{x}.")), key=len, default="")
    return ContactRecord(name, link, where[len(link) + 1 :] or where, on, other)


def contact_points(motion: Motion) -> np.ndarray:
    """Where contacts act (…, frames, contacts, 3) [m], world: as recorded, or from the features' markers."""
    if "contact_point" in motion.channels:
        return motion.channels["contact_point"]
    figure, records = motion.figure, contacts_of(motion)
    poses = link_poses(figure, np.asarray(motion.q, float).reshape(-1, figure.nq))
    marks = {m.name: np.asarray(m.point, float) for m in figure.markers if hasattr(m, "point")}
    points = [poses.point(figure.link_index(r.link), marks.get(r.feature, np.zeros(3))) for r in records]
    return np.stack(points, 1).reshape(*motion.q.shape[:-1], len(records), 3)


def at_frames(means: np.ndarray) -> np.ndarray:
    """Mean channels (frames, …) as values at the frames (1); at the first frame, the mean that follows it."""
    before = np.concatenate([means[:1], means[:-1]])
    return 0.5 * (before + means)


def contact_wrenches(motion: Motion, at: str = "frames") -> np.ndarray | None:
    """Moments about link origins and forces of all contacts on the links (frames, links, 6), in link frames.

    at : "frames", or "intervals" for means over the interval that follows each frame. None if no contact was recorded.
    """
    records = contacts_of(motion)
    if not records or motion.q.ndim != 2:
        return None
    figure = motion.figure
    force, point = (np.asarray(x, float) for x in (motion.channels["contact"], contact_points(motion)))
    if at == "frames":
        force, point = at_frames(force), at_frames(point)
    poses, found = link_poses(figure, motion.q), np.zeros((len(motion), figure.n, 6))
    for k, record in enumerate(records):
        for link, sign in ((record.link, 1.0), (record.other, -1.0)):
            if link:
                i = figure.link_index(link)
                C, f = poses.rotation[:, i], sign * force[:, k]
                moment = np.cross(point[:, k] - poses.position[:, i], f)
                found[:, i] += np.concatenate([np.einsum("nji,nj->ni", C, x) for x in (moment, f)], -1)
    return found
