"""How do stiff joint springs and dampers act over a whole step? Implicitly, inside the recursion.

A spring and damper that are taken at the end of the step of length h, where u⁺ = u + h u' and e⁺ = e - h u⁺, pull with

    τ = kp e⁺ - kd u⁺ = kp (e - h u) - kd u - (h kd + h² kp) u'                (1)

with e = target ⊟ q. The part that goes with u' moves to the other side of M u' + … = τ, as inertia of the joint:

    D = Sᵀ I S + h kd + h² kp,   τ = kp (e - h u) - kd u                       (2)

so the step is stable however stiff they are, and since the force stays inside the joint, momentum balances. The error
e⁺ is to first order in h, exact for coordinates that add. Where three velocities turn together e is a rotation vector,
and the force of the potential ½ Σ kp e² is

    G_b(e) (kp e),   kp e itself if the three kp are one                       (3)  rotations K.22
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.algebra.scalar import absolute, clip, less, where
from anthropi.algorithms.forces import has_damper, has_spring
from anthropi.figure.turns import turns

__all__ = ["implicit_drive", "pull_towards"]


def implicit_drive(figure, q, u, tau, dt, target=None, kp=None, kd=None, limit=None):
    """What do direct and hybrid dynamics need to treat springs and dampers implicitly over a step dt [s]?

    q (nq,), u (nu,), tau (nu,) that acts besides. target (nq,), kp, kd (nu,): springs towards a configuration and
    dampers that a controller adds [N m/rad, N m s/rad or N/m, N s/m]; those of the figure's joints are always treated.
    limit (nu,): the most a controller's springs and dampers may pull, explicitly then.
    Returns (tau, extra), both (nu,): direct_dynamics(figure, q, u, tau, extra=extra).
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


def pull_towards(figure, q, u, dt, target=None, kp=None, kd=None, limit=None):
    """Force and inertia (nu,) of springs and dampers towards a target (2); dt = 0: the force now."""
    pull, more = np.zeros(figure.nu), np.zeros(figure.nu)
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


def _gradient(figure, e, kp):
    """(3) where velocities turn, kp e elsewhere (nu,)."""
    force = kp * e
    for k in turns(figure):
        if not (_same(kp[k], kp[k + 1]) and _same(kp[k], kp[k + 2])):
            turned = matvec(rot.G_b(e[k : k + 3]), force[k : k + 3])
            force = np.concatenate([force[:k], turned, force[k + 3 :]])
    return force


def _same(a, b) -> bool:
    """Whether two numbers are known to be one."""
    return a is b or (isinstance(a, float) and isinstance(b, float) and a == b)
