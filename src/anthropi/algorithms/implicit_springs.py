"""Implicit springs and dampers: stiff joint springs and dampers over a whole time step, inside the recursion.

A spring and damper at the end of a step of length h, where u⁺ = u + h u' and e⁺ = e - h u⁺, exert the force

    τ = kp e⁺ - kd u⁺ = kp (e - h u) - kd u - (h kd + h² kp) u'                                (1)

with e = target ⊟ q. The part with u' moves to the other side of M u' + … = τ, as inertia of the joint:

    D = Sᵀ I S + h kd + h² kp,   τ = kp (e - h u) - kd u                                       (2)

The step is then stable for any stiffness. Since the force acts inside the joint, momentum is conserved. e⁺ is
exact for coordinates that add like vectors, and correct to first order in h for others. Where three velocities form a
rotation, e is a rotation vector, and the force of the potential ½ Σ kp e² is

    G_b(e) (kp e),   kp e itself if the three kp are equal                                     (3)

G_b is the map from angular velocity to the rate of a rotation vector (`algebra.rotation.G_b`).
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.algebra.scalar import absolute, clip, less, where
from anthropi.algorithms.forces import has_damper, has_spring
from anthropi.algorithms.shapes import Array, Number
from anthropi.figure import Figure
from anthropi.figure.states import angular_starts

__all__ = ["implicit_drive", "pull_towards"]


def implicit_drive(
    figure: Figure,
    q: Array,
    u: Array,
    tau: Array,
    dt: Number,
    target: Array | None = None,
    kp: Array | None = None,
    kd: Array | None = None,
    limit: Array | None = None,
) -> tuple[Array, Array]:
    """Compute the joint forces and inertias of springs and dampers that act implicitly over a time step (2).

    The springs and dampers in the figure's joints are always included.

    Parameters
    ----------
    q, u : (nq,), (nu,). tau : (nu,), other joint forces. dt : length of the step [s].
    target, kp : (nq,), (nu,), springs [N m/rad or N/m] of a controller towards a configuration.
    kd : (nu,), dampers [N m s/rad or N s/m] of a controller.
    limit : (nu,), bound of the controller's force [N m or N]; where it is reached, the force is explicit.

    Returns
    -------
    (tau, extra), both (nu,), for `direct_dynamics(figure, q, u, tau, extra=extra)` or `hybrid_dynamics`.
    """
    pull, extra = pull_towards(figure, q, u, dt, target, kp, kd, limit)
    tau = tau + pull
    for joint, of in zip(figure.joints, figure.u_of, strict=True):
        less_force, more = np.zeros(joint.nu), np.zeros(joint.nu)
        if has_spring(joint):  # the recursion itself adds -k (q ⊟ rest) - d u
            less_force, more = dt * joint.stiffness * u[of], more + dt * dt * joint.stiffness
        if has_damper(joint):
            more = more + dt * joint.damping
        if has_spring(joint) or has_damper(joint):
            tau = np.concatenate([tau[: of.start], tau[of] - less_force, tau[of.stop :]])
            extra = np.concatenate([extra[: of.start], extra[of] + more, extra[of.stop :]])
    return tau, extra


def pull_towards(
    figure: Figure,
    q: Array,
    u: Array,
    dt: Number,
    target: Array | None = None,
    kp: Array | None = None,
    kd: Array | None = None,
    limit: Array | None = None,
) -> tuple[Array, Array]:
    """Return force and inertia (nu,) of a controller's springs and dampers alone (2); arguments as in `implicit_drive`.

    With dt = 0 it is the force at this instant.
    """
    pull: Array = np.zeros(figure.nu)
    more: Array = np.zeros(figure.nu)
    if kp is not None:
        if target is not None:
            e = figure.difference(q, target)
            pull = _gradient(figure, e, kp)
        pull, more = pull - kp * (dt * u), more + dt * dt * kp
    if kd is not None:
        pull, more = pull - kd * u, more + dt * kd
    if limit is None:
        return pull, more
    return clip(pull, -limit, limit), where(less(limit, absolute(pull)), 0.0, more)


def _gradient(figure: Figure, e: Array, kp: Array) -> Array:
    """Return the spring forces (nu,): (3) for rotations with three velocities, kp e elsewhere."""
    force = kp * e
    for k in angular_starts(figure):
        if not (_same(kp[k], kp[k + 1]) and _same(kp[k], kp[k + 2])):
            turned = matvec(rot.G_b(e[k : k + 3]), force[k : k + 3])
            force = np.concatenate([force[:k], turned, force[k + 3 :]])
    return force


def _same(a, b) -> bool:
    """Return whether two numbers are known to be equal."""
    return a is b or (isinstance(a, float) and isinstance(b, float) and a == b)
