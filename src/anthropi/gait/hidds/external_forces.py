"""External forces on a figure over time: given by the user, or recorded with a motion. Plain floats only.

Recorded contact forces come in two forms. A walk by HIDDS holds the force on each foot at every frame (channels
"f_ground" and "places"). A simulation holds means over the steps between frames (channels "contact" and
"contact_point"); the accelerations that belong to them are differences of the velocities (`motion/contacts.py`):

    at a frame           u'(t_k) = (u_{k+1} - u_{k-1}) / (t_{k+1} - t_{k-1}),   forces averaged alike          (1)
    over an increment    u'(a, b) = (u(b) - u(a)) / (b - a),   forces that keep the impulse from a to b        (2)

With other accelerations, such as those of a polynomial through five frames, a heel strike leaves a large residual.
"""

import warnings
from typing import Any

import numpy as np

from anthropi.entry import inverse_dynamics, kinematics
from anthropi.entry.entry_point import by_link
from anthropi.errors import InputError, MissingContactWarning, ShapeError
from anthropi.figure import Figure
from anthropi.figure.human.build import ankle_markers
from anthropi.gait.hidds.desired_motion import smoothed
from anthropi.motion import Motion
from anthropi.motion.contacts import contact_wrenches
from anthropi.simulation.options import finite_array

__all__ = [
    "forces_at",
    "forces_over",
    "mean_accelerations",
    "recorded_forces",
    "recorded_means",
    "warn_of_missing_contacts",
]

MIN_SUPPORT = 0.5  # share of the weight from which a motion needs support: 1 on the ground, 0 in free fall


def forces_over(figure: Figure, f_ext: Any, time: np.ndarray, times: np.ndarray) -> Any:
    """Sample external forces at other times, linearly between frames.

    Parameters
    ----------
    figure : on whose links they act.
    f_ext : (links, 6), (frames, links, 6), {link: (6,) or (frames, 6)}, or a function (figure, t, q, u) → (links, 6) or
        {link: (6,)}; in link frames, moment about the link's origin [N m], then force [N].
    time : (frames,) [s] of the rows of f_ext. times : (n,) [s] to sample at.

    Returns
    -------
    (n, links, 6); a function is returned as it is, and None stays None.
    """
    if f_ext is None or callable(f_ext):
        return f_ext
    rows = np.zeros((figure.n, 6)) if isinstance(f_ext, dict) and not f_ext else by_link(figure, f_ext)
    rows = finite_array("f_ext", rows, None)
    if rows.shape not in ((figure.n, 6), (len(time), figure.n, 6)):
        raise ShapeError(
            f"f_ext has shape {rows.shape}; wanted {(figure.n, 6)} or {(len(time), figure.n, 6)}, "
            "{link: (6,) or (frames, 6)}, or a function of (figure, t, q, u)."
        )
    if rows.ndim == 2:
        return np.broadcast_to(rows, (len(times), figure.n, 6))
    flat = rows.reshape(len(time), -1)
    return np.stack([np.interp(times, time, x) for x in flat.T], -1).reshape(len(times), figure.n, 6)


def forces_at(figure: Figure, forces: Any, times: np.ndarray, q: np.ndarray, u: np.ndarray) -> np.ndarray | None:
    """Evaluate external forces (frames, links, 6) at states (frames, …); `forces` as `forces_over` returns them."""
    if not callable(forces):
        return forces
    found = [_force_rows(figure, forces(figure, float(t), a, b)) for t, a, b in zip(times, q, u, strict=True)]
    return np.array(found)


def _force_rows(figure: Figure, forces: Any) -> np.ndarray:
    """Check the forces that a function returned, as (links, 6); None means none."""
    if forces is None:
        return np.zeros((figure.n, 6))
    rows = finite_array("f_ext", by_link(figure, forces), None)
    if rows.shape != (figure.n, 6):
        raise ShapeError(f"The function 'f_ext' gives shape {rows.shape}; wanted {(figure.n, 6)}, or {{link: (6,)}}.")
    return rows


# recorded with a motion


def recorded_means(motion: Any) -> bool:
    """Return whether a motion of one rollout holds contact forces as means over the intervals between its frames."""
    return (
        isinstance(motion, Motion)
        and motion.q.ndim == 2
        and len(motion) > 1
        and "contact" in motion.channels
        and not {"f_ground", "places"} <= set(motion.channels)
        and contact_wrenches(motion[:1]) is not None
    )


def mean_accelerations(time: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Compute accelerations (frames, nu) that belong to interval means of forces at the frames (1)."""
    inner = (u[2:] - u[:-2]) / (time[2:] - time[:-2])[:, None]
    first, last = ((u[k + 1] - u[k]) / (time[k + 1] - time[k]) for k in (0, len(u) - 2))
    return np.concatenate([first[None], inner, last[None]])


def recorded_forces(motion: Any, cutoff: float | None = None) -> np.ndarray | None:
    """Return the recorded contact forces of a motion at its frames (frames, links, 6), in link frames; None without.

    cutoff : [Hz] of the low-pass filter that the motion passes; interval means then pass it, too.
    """
    if not isinstance(motion, Motion) or motion.q.ndim != 2:
        return None
    if not {"f_ground", "places"} <= set(motion.channels):
        found = contact_wrenches(motion)
        return found if found is None or cutoff is None else smoothed(motion.time, found, cutoff)
    figure = motion.figure
    k, found = kinematics(figure, motion.q), np.zeros((len(motion), figure.n, 6))
    for n, mark in enumerate(ankle_markers(figure)):
        i = figure.link_index(mark.link)
        C, force = np.asarray(k.rotation)[:, i], motion.channels["f_ground"][:, n]
        arm = motion.channels["places"][:, n] - np.asarray(k.position)[:, i]
        moment = np.cross(arm, force)
        found[:, i] += np.concatenate([np.einsum("nji,nj->ni", C, x) for x in (moment, force)], -1)
    return found


def warn_of_missing_contacts(motion: Motion, consequence: str) -> None:
    """Warn if a figure with feet is supported, but no force supports it.

    motion : with channel "udot", of a figure with a free root. The support is the mean force that the root needs
    against gravity, by inverse dynamics without external forces. A root that is a foot takes the ground reaction
    itself. consequence : of the missing force, for the message.
    """
    figure, weight = motion.figure, motion.figure.mass * float(np.linalg.norm(motion.figure.gravity))
    try:
        feet = {mark.link for mark in ankle_markers(figure)}
    except InputError:
        return
    if figure.joints[0].kind != "free" or figure.links[0].name in feet or not weight > 0.0:
        return
    force = np.asarray(inverse_dynamics(figure, motion.q, motion.u, motion.udot))[:, figure.u_of[0]][:, :3]
    share = float(np.mean(-force @ np.asarray(figure.gravity, float))) * figure.mass / weight**2
    if share > MIN_SUPPORT:
        warnings.warn(
            f"The motion of '{figure.name}' needs support, {100.0 * share:.0f} % of its weight on average, but holds "
            f"no contact force (channel 'contact', or 'f_ground' and 'places') and no f_ext is given: {consequence} "
            "Record contacts (ap.simulate with a scene, ap.walk), or give f_ext; f_ext={} states that none act.",
            MissingContactWarning,
            stacklevel=3,
        )
