"""External forces on a figure over time, given by the user or recorded with a motion. Works on plain floats only.

Recorded contact forces come in two forms. A HIDDS walk contains the force on each foot at every frame (channels
"f_ground" and "places"). A simulation contains means over the intervals between frames (channels "contact" and
"contact_point"). The accelerations that match these means are differences of the velocities (`motion/contacts.py`):

    from a frame to the next   u' = (u_{k+1} - u_k) / (t_{k+1} - t_k),   forces as recorded                    (1)
    over an increment          u'(a, b) = (u(b) - u(a)) / (b - a),   forces with the same impulse from a to b  (2)

With other accelerations, such as those of a polynomial through five frames, a heel strike causes a large residual.
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
from anthropi.motion.contacts import contact_wrenches, has_every_step
from anthropi.simulation.options import finite_array

__all__ = [
    "acts_over_intervals",
    "forces_at",
    "forces_over",
    "recorded_forces",
    "recorded_means",
    "warn_of_missing_contacts",
]

MIN_SUPPORT = 0.5  # share of the weight above which a motion needs support; 1 on the ground, 0 in free fall


def forces_over(figure: Figure, f_ext: Any, time: np.ndarray, times: np.ndarray) -> Any:
    """Interpolate external forces linearly at other times.

    Parameters
    ----------
    figure : figure on which the forces act.
    f_ext : (links, 6), (frames, links, 6), {link: (6,) or (frames, 6)}, or a function (figure, t, q, u) → (links, 6) or
        {link: (6,)}; in link frames, moment about the link's origin [N m], then force [N].
    time : (frames,) [s], times of the rows of f_ext.
    times : (n,) [s], times at which the forces are sampled.

    Returns
    -------
    (n, links, 6). A function or None is returned unchanged.
    """
    if f_ext is None or callable(f_ext):
        return f_ext
    rows = np.zeros((figure.n, 6)) if isinstance(f_ext, dict) and not f_ext else by_link(figure, f_ext)
    rows = finite_array("f_ext", rows, None)
    if rows.shape not in ((figure.n, 6), (len(time), figure.n, 6)):
        raise ShapeError(
            f"f_ext has shape {rows.shape}. Give an array of shape {(figure.n, 6)} or {(len(time), figure.n, 6)}, "
            "a dictionary {link: (6,) or (frames, 6)}, or a function of (figure, t, q, u)."
        )
    if rows.ndim == 2:
        return np.broadcast_to(rows, (len(times), figure.n, 6))
    flat = rows.reshape(len(time), -1)
    return np.stack([np.interp(times, time, x) for x in flat.T], -1).reshape(len(times), figure.n, 6)


def forces_at(figure: Figure, forces: Any, times: np.ndarray, q: np.ndarray, u: np.ndarray) -> np.ndarray | None:
    """Evaluate external forces (frames, links, 6) at states q, u (frames, …).

    forces : the result of `forces_over`, an array, a function or None.
    """
    if not callable(forces):
        return forces
    found = [_force_rows(figure, forces(figure, float(t), a, b)) for t, a, b in zip(times, q, u, strict=True)]
    return np.array(found)


def _force_rows(figure: Figure, forces: Any) -> np.ndarray:
    """Check the external forces returned by a function, and return them as (links, 6); None means no forces."""
    if forces is None:
        return np.zeros((figure.n, 6))
    rows = finite_array("f_ext", by_link(figure, forces), None)
    if rows.shape != (figure.n, 6):
        raise ShapeError(
            f"The function 'f_ext' returned shape {rows.shape}. Return an array of shape {(figure.n, 6)}, or a "
            "dictionary {link: (6,)}."
        )
    return rows


# recorded with a motion


def recorded_means(motion: Any) -> bool:
    """Return whether a motion contains contact forces as means over the intervals between its frames.

    This needs a motion with a single rollout.
    """
    return (
        isinstance(motion, Motion)
        and motion.q.ndim == 2
        and len(motion) > 1
        and "contact" in motion.channels
        and not {"f_ground", "places"} <= set(motion.channels)
        and contact_wrenches(motion[:1]) is not None
    )


def acts_over_intervals(motion: Any) -> bool:
    """Return whether inverse dynamics of a motion must use differences of velocities (1).

    This is so with recorded contact forces, and for frames at every step of a one-stage method, where it is exact.
    """
    return recorded_means(motion) or (isinstance(motion, Motion) and motion.q.ndim == 2 and has_every_step(motion))


def recorded_forces(motion: Any, cutoff: float | None = None) -> np.ndarray | None:
    """Return the recorded contact forces of a motion at its frames (frames, links, 6), in link frames.

    The result is None if the motion contains no contact forces. cutoff : cut-off frequency [Hz] of the low-pass filter
    of the motion, which is also applied to forces that are interval means.
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


def warn_of_missing_contacts(motion: Motion, consequence: str) -> bool:
    """Warn if the motion of a figure with feet needs support, but there is no contact force.

    The required support is the mean upward force at the root, by inverse dynamics without external forces. There is no
    warning if the root is a foot, because the root then takes the ground reaction.

    motion : motion of a figure with a free root, with channel "udot". consequence : sentence for the message that
    describes the effect of the missing force. Returns whether a warning was issued.
    """
    figure, weight = motion.figure, motion.figure.mass * float(np.linalg.norm(motion.figure.gravity))
    try:
        feet = {mark.link for mark in ankle_markers(figure)}
    except InputError:
        return False
    if figure.joints[0].kind != "free" or figure.links[0].name in feet or not weight > 0.0:
        return False
    force = np.asarray(inverse_dynamics(figure, motion.q, motion.u, motion.udot))[:, figure.u_of[0]][:, :3]
    share = float(np.mean(-force @ np.asarray(figure.gravity, float))) * figure.mass / weight**2
    if share > MIN_SUPPORT:
        warnings.warn(
            f"The motion of '{figure.name}' needs support, {100.0 * share:.0f} % of its weight on average, but there "
            f"is no contact force (channel 'contact', or 'f_ground' and 'places') and no f_ext. {consequence} "
            "Record contacts (ap.simulate with a scene, ap.walk), or give f_ext. Use f_ext={} if no force acts.",
            MissingContactWarning,
            stacklevel=3,
        )
    return share > MIN_SUPPORT
