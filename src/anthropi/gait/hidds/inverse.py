"""Forces from outside, over time: none, the same all the time, one row a frame, or a function. Floats only.

Inverse
-------
Which forces made a motion? Inverse dynamics of every frame, with power, work and what the root lacks.

    τ = inverse(q, u, u', f_ext)                                               (1)  thesis 9.9–9.14
    power = τ u,   work = ∫ power dt, by the trapezoidal rule                  (2)

A floating figure has nothing to push its root with. Either the root moves as the motion says, and its rows of τ are the
residual: what the motion, the figure or the forces from outside leave unexplained. Or the root is free: its
acceleration follows from the joints' (thesis 9.13; an f₀ on the root is one of f_ext), and there is no residual.
Floats only.
"""

import numpy as np

from anthropi.entry import hybrid_dynamics, inverse_dynamics, kinematics
from anthropi.entry.entry_point import by_link
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure.human.build import ankle_markers
from anthropi.gait.hidds.desired_motion import wanted_motion
from anthropi.motion import Motion
from anthropi.motion.contacts import contact_wrenches
from anthropi.simulation.options import finite_array

__all__ = [
    "FLOATING",
    "chosen",
    "floats",
    "forces_at",
    "forces_over",
    "ground_forces",
    "inverse_motion",
    "joints_of",
    "needed",
]


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
    found = [_force_rows(figure, forces(figure, float(t), a, b)) for t, a, b in zip(times, q, u, strict=True)]
    return np.array(found)


def _force_rows(figure, forces) -> np.ndarray:
    """What a function gave, as (links, 6); None is nothing."""
    if forces is None:
        return np.zeros((figure.n, 6))
    rows = finite_array("f_ext", by_link(figure, forces), None)
    if rows.shape != (figure.n, 6):
        raise ShapeError(f"The function 'f_ext' gives shape {rows.shape}; wanted {(figure.n, 6)}, or {{link: (6,)}}.")
    return rows


FLOATING = ("free", "planar")  # joints of a root that nothing drives


def inverse_motion(motion, f_ext=None, *, root: str = "forced", dt: float | None = None,
                   cutoff: float | None = None) -> Motion:  # fmt: skip
    """Which forces made a motion?

    Parameters
    ----------
    motion : `Motion` of one rollout, or `Keyframes`. f_ext : forces from outside, see `outside.forces_over`; by default
        the ground's that a walk has recorded.
    root : "forced": the root of a floating figure moves as the motion says, by forces of its own, the residual; "free":
        it follows from the joints, at every frame by itself.
    dt : [s] between frames, if others than the motion's. cutoff : [Hz] of a low-pass filter, for captured motion.

    Returns
    -------
    The motion with channels "udot", "tau", "power" [W], "work" [J] (frames, nu) and, of a floating figure, "residual"
    (frames, root's nu): of a free root the force [N] in world axes, then the moment [N m] in the root's own.
    """
    chosen("root", root, ("forced", "free"))
    found = wanted_motion(motion, dt, cutoff)
    figure, source = found.figure, motion.time if isinstance(motion, Motion) else found.time
    f_ext = ground_forces(motion) if f_ext is None else f_ext
    forces = forces_at(figure, forces_over(figure, f_ext, source, found.time), found.time, found.q, found.u)
    udot, tau = needed(figure, found.q, found.u, found.udot, forces, root == "free")  # (1)
    power = tau * found.u
    steps = 0.5 * (power[1:] + power[:-1]) * np.diff(found.time)[:, None]
    work = np.concatenate([np.zeros((1, figure.nu)), np.cumsum(steps, axis=0)])  # (2)
    channels = found.channels | {"udot": udot, "tau": tau, "power": power, "work": work}
    if floats(figure):
        channels["residual"] = tau[:, figure.u_of[0]]
    return found.changed(channels=channels, metadata=found.metadata | {"inverse": {"root": root, "cutoff": cutoff}})


def needed(figure, q, u, udot, f_ext=None, free=False):
    """(u', τ) of states (…, n): all joints move as udot says; `free`: but a floating root, which follows (9.13)."""
    if free and floats(figure):
        return hybrid_dynamics(figure, q, u, np.zeros(np.shape(u)), udot, f_ext, prescribed=joints_of(figure))
    return udot, inverse_dynamics(figure, q, u, udot, f_ext)


def floats(figure) -> bool:
    """Whether nothing holds the root."""
    return figure.joints[0].kind in FLOATING


def joints_of(figure) -> tuple[str, ...]:
    """Names of all joints but a floating root."""
    return tuple(j.name for j in figure.joints[1 if floats(figure) else 0 :] if j.nu)


def chosen(name: str, value, choices) -> None:
    """Refuse what is not one of the choices."""
    if value not in choices:
        raise InputError(f"{name}={value!r}.{did_you_mean(str(value), choices)} Choose from: {', '.join(choices)}.")
