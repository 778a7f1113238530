"""Joint forces, power and work of a motion, by inverse dynamics of every frame.

    τ = inverse(q, u, u', f_ext)                                               (1)
    power = τ u,   work = ∫ power dt, by the trapezoidal rule                  (2)

A simulation records forces as means over the steps between frames. Inverse dynamics of such a motion gives means, too,
with the meaning of the channel "tau" of the simulation: the mean from a frame to the next (3). Its accelerations are
differences of velocities, at the states of `motion/contacts.py` (1). Where every step of a one-stage method is a frame,
the simulation's own forces come back to rounding error.

A floating figure has no actuator at its root. There are two options. If the root is "forced", it moves as in the
motion, and its rows of τ are the residual: the force that neither joints nor external forces explain. If the root is
"free", its acceleration follows from the joint accelerations (docs/equations/thesis.md (9.13); a force f₀ on the root
is part of f_ext), and the residual is 0. The functions work on plain floats only and cannot be recorded on a tape.
"""

from typing import Any

import numpy as np

from anthropi.entry import hybrid_dynamics, inverse_dynamics
from anthropi.errors import InputError, did_you_mean
from anthropi.figure import Figure
from anthropi.gait.hidds.desired_motion import desired_motion, with_mean_accelerations
from anthropi.gait.hidds.external_forces import (
    acts_over_intervals,
    forces_at,
    forces_over,
    recorded_forces,
    warn_of_missing_contacts,
)
from anthropi.gait.physics import with_physics
from anthropi.motion import Keyframes, Motion
from anthropi.motion.contacts import contact_wrenches, interval_means, mean_states

__all__ = ["FLOATING", "check_choice", "floats", "inverse_motion", "joints_of", "required_forces"]

FLOATING = ("free", "planar")  # kinds of root joints without an actuator


def inverse_motion(
    motion: Motion | Keyframes,
    f_ext: Any = None,
    *,
    root: str = "forced",
    dt: float | None = None,
    cutoff: float | None = None,
) -> Motion:
    """Compute the joint forces of a motion, with power, work and the residual at the root.

    Parameters
    ----------
    motion : a `Motion` with a single rollout, or `Keyframes`.
    f_ext : external forces: (links, 6), (frames, links, 6), {link: (6,) or (frames, 6)} or a function (figure, t, q,
        u). They are given in link frames: moment about the link's origin [N m], then force [N]. By default, the contact
        forces recorded with the motion. Use {} for no external forces.
    root : for a floating figure. "forced": the root moves as in the motion, with a residual. "free": at each frame, its
        acceleration follows from that of the joints.
    dt : time between frames [s]; the frames of the motion are used if None.
    cutoff : cut-off frequency [Hz] of a low-pass filter for captured motion. It is applied to recorded contact forces,
        too.

    Returns
    -------
    The motion with channels "udot", "tau", "power" [W] and "work" [J] (frames, nu). For a floating figure also
    "residual" (frames, nu of the root): for a free root joint, the force [N] in world axes, then the moment [N m] in
    the root's frame. They are values at the frames; for a simulated motion with recorded contacts, or with a frame at
    every step, they are means from each frame to the next, and the last row repeats the one before.

    Warns
    -----
    MissingContactWarning : the motion needs support, but there is neither a recorded contact force nor f_ext.
    """
    check_choice("root", root, ("forced", "free"))
    source = None
    if cutoff is None and isinstance(motion, Motion) and acts_over_intervals(motion):
        source = with_mean_accelerations(motion, dt)
    if source is None:
        found = at = desired_motion(motion, dt, cutoff)
        given = recorded_forces(motion, cutoff) if f_ext is None else f_ext
    else:
        found, at = source, mean_states(source)  # (3)
        given = contact_wrenches(at, "intervals") if f_ext is None else f_ext
    figure, time = found.figure, motion.time if isinstance(motion, Motion) else found.time
    if given is None and floats(figure):
        warn_of_missing_contacts(at, "The joint forces do not include the ground reaction.")
    if source is None or f_ext is not None:
        given = forces_at(figure, forces_over(figure, given, time, at.time), at.time, at.q, at.u)
    udot, tau = required_forces(figure, at.q, at.u, at.udot, given, root == "free")  # (1)
    power, h = tau * at.u, np.diff(found.time)[:, None]
    steps = 0.5 * (power[1:] + power[:-1]) * h if source is None else power * h
    work = np.concatenate([np.zeros((1, figure.nu)), np.cumsum(steps, axis=0)])  # (2)
    if source is not None:  # no interval follows the last frame
        udot, tau, power = (np.concatenate([x, x[-1:]]) for x in (udot, tau, power))
    channels = found.channels | {"udot": udot, "tau": tau, "power": power, "work": work}
    if floats(figure):
        channels["residual"] = tau[:, figure.u_of[0]]
    forces = "none" if given is None else "recorded" if f_ext is None else "given"
    about = {"inverse": {"root": root, "cutoff": cutoff, "forces": forces}}
    about |= _meaning(found, source is not None)
    computed = found.changed(channels=channels, metadata=found.metadata | about)
    return with_physics(computed, found.metadata.get("method", "inverse dynamics"))


def _meaning(motion: Motion, intervals: bool) -> dict[str, Any]:
    """Return the metadata that says whether forces and accelerations are means over intervals or values at frames."""
    means = interval_means(motion)
    if means is None:
        return {}
    more = ("tau", "udot", "power", "residual")
    own = (*means.channels, *more) if intervals else [name for name in means.channels if name not in more]
    return {"interval_means": means._replace(channels=tuple(dict.fromkeys(own))).metadata()}


def required_forces(
    figure: Figure, q: np.ndarray, u: np.ndarray, udot: np.ndarray, f_ext: Any = None, free: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Compute accelerations u' and joint forces τ (…, nu) of states (…, n) with given joint accelerations udot.

    A floating root also moves with udot, unless `free` is True; then its acceleration is computed.
    """
    if free and floats(figure):
        return hybrid_dynamics(figure, q, u, np.zeros(np.shape(u)), udot, f_ext, prescribed=joints_of(figure))
    return udot, inverse_dynamics(figure, q, u, udot, f_ext)


def floats(figure: Figure) -> bool:
    """Return whether a figure has a floating root, without an actuator."""
    return figure.joints[0].kind in FLOATING


def joints_of(figure: Figure) -> tuple[str, ...]:
    """Return the names of all joints except a floating root."""
    return tuple(j.name for j in figure.joints[1 if floats(figure) else 0 :] if j.nu)


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raise InputError if a value is not one of the choices."""
    if value not in choices:
        hint = did_you_mean(str(value), choices)
        raise InputError(f"Unknown {name}={value!r}.{hint} Choose one of: {', '.join(choices)}.")
