"""Forces from outside, over time: none, the same all the time, one row a frame, or a function. Floats only."""

import numpy as np

from anthropi.api import kinematics
from anthropi.api.front import by_link
from anthropi.errors import ShapeError
from anthropi.figure.human import ankle_markers
from anthropi.motion import Motion
from anthropi.motion.contacts import contact_wrenches
from anthropi.simulation.options import finite_array

__all__ = ["forces_at", "forces_over", "ground_forces"]


def forces_over(figure, f_ext, time, times):
    """External forces at `times`, as (frames, links, 6), a function, or None.

    f_ext : (links, 6), (frames, links, 6), {link: (6,) or (frames, 6)}, or a function (figure, t, q, u) → (links, 6) or
    {link: (6,)}; in link frames, moment about the link's origin first. Frames are those at `time`; between them, forces
    are on straight lines.
    """
    if f_ext is None or callable(f_ext):
        return f_ext
    rows = finite_array("f_ext", by_link(figure, f_ext), None)
    if rows.shape not in ((figure.n, 6), (len(time), figure.n, 6)):
        raise ShapeError(f"f_ext has shape {rows.shape}; wanted {(figure.n, 6)} or {(len(time), figure.n, 6)}, "
                         "{link: (6,) or (frames, 6)}, or a function of (figure, t, q, u).")  # fmt: skip
    if rows.ndim == 2:
        return np.broadcast_to(rows, (len(times), figure.n, 6))
    flat = rows.reshape(len(time), -1)
    return np.stack([np.interp(times, time, x) for x in flat.T], -1).reshape(len(times), figure.n, 6)


def ground_forces(motion):
    """Contact forces of a motion (frames, links, 6), as it recorded them; None without.

    Channels "f_ground", "places" (frames, 2, 3): force [N] on the left and right foot, and where [m]; or "contact", the
    forces of all contacts (`motion/contacts.py`).
    """
    if not isinstance(motion, Motion) or motion.q.ndim != 2:
        return None
    if not {"f_ground", "places"} <= set(motion.channels):
        return contact_wrenches(motion)
    figure = motion.figure
    k, found = kinematics(figure, motion.q), np.zeros((len(motion), figure.n, 6))
    for n, mark in enumerate(ankle_markers(figure)):
        i = figure.link_index(mark.link)
        C, force = np.asarray(k.rotation)[:, i], motion.channels["f_ground"][:, n]
        arm = motion.channels["places"][:, n] - np.asarray(k.position)[:, i]
        found[:, i] += np.concatenate([np.einsum("nji,nj->ni", C, np.cross(arm, force)),
                                       np.einsum("nji,nj->ni", C, force)], -1)  # fmt: skip
    return found


def forces_at(figure, forces, times, q, u):
    """External forces (frames, links, 6) on states (frames, …), from what `forces_over` gives; None where none act."""
    if not callable(forces):
        return forces
    found = [_told(figure, forces(figure, float(t), a, b)) for t, a, b in zip(times, q, u, strict=True)]
    return np.array(found)


def _told(figure, forces) -> np.ndarray:
    """What a function gave, as (links, 6); None is nothing."""
    if forces is None:
        return np.zeros((figure.n, 6))
    rows = finite_array("f_ext", by_link(figure, forces), None)
    if rows.shape != (figure.n, 6):
        raise ShapeError(f"The function 'f_ext' gives shape {rows.shape}; wanted {(figure.n, 6)}, or {{link: (6,)}}.")
    return rows
