"""Which forces made a motion? Inverse dynamics of every frame, with power, work and what the root lacks.

    τ = inverse(q, u, u', f_ext)                                               (1)  thesis 9.9–9.14
    power = τ u,   work = ∫ power dt, by the trapezoidal rule                  (2)

A floating figure has nothing to push its root with. Either the root moves as the motion says, and its rows of τ are the
residual: what the motion, the figure or the forces from outside leave unexplained. Or the root is free: its
acceleration follows from the joints' (thesis 9.13; an f₀ on the root is one of f_ext), and there is no residual.
Floats only.
"""

import numpy as np

from anthropi.api import hybrid_dynamics, inverse_dynamics
from anthropi.errors import InputError, did_you_mean
from anthropi.gait.hidds.outside import forces_at, forces_over, ground_forces
from anthropi.gait.hidds.wanted import wanted_motion
from anthropi.motion import Motion

__all__ = ["FLOATING", "chosen", "floats", "inverse_motion", "joints_of", "needed"]

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
