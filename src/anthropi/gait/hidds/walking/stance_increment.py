"""One increment of a walk with the stance foot as root: inverse, then direct dynamics (docs/equations/thesis.md, 10.2).

The virtual leg (contact/virtual_leg) gives the ground force at the current state, from a rest length r_s and an angular
momentum H̃ of the plan,

    f∥ = F·r̂,  r_s = |r| - (f∥ - b_l |r|') / k_l,   H̃ = H_G + r × F / k_h                               (1)

On the plan this is the force that the plan requires; away from it the leg acts like a spring. Each foot takes its share
α of the force at its load point, a_k from its ankle. Then

    u'_c = u'* + k_d (u* - u) + k_p (q* ⊟ q)                                                             (2)
    τ, residual = inverse(q, u, u'_c, f)           the root's rows are what the ground does not provide  (3)
    u' = direct(q, u, τ + τ_d, residual, f)        τ_d: determinants as limits, 0 within them            (4)
    u⁺ = u + h u',   q⁺ = q ⊞ h u⁺                                                                       (5)

This is one kernel for each foot. The foot is kept in place by the feedback (2) only.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics, point_position, point_velocity
from anthropi.compiler import Kernel, kernel_for
from anthropi.compiler.cache import digest
from anthropi.contact.virtual_leg import (
    Leg,
    body_of,
    foot_forces,
    foot_wrenches,
    leg_force,
    span,
    virtual_foot,
    wanted_moment,
)
from anthropi.figure.figure import Figure
from anthropi.figure.human.build import ankle_markers
from anthropi.figure.numbers import content
from anthropi.gait.plan.determinant_forces import determinant_forces
from anthropi.gait.plan.determinants import Determinants
from anthropi.simulation.rooted import Rooted
from anthropi.tape import push, record

__all__ = ["After", "Law", "increment", "increment_kernel", "leg_kernel", "rooted_state_kernel"]


class Law(NamedTuple):
    """Parameters of an increment: virtual leg, gains k_p [1/s²] and k_d [1/s], determinant limits, frozen joints."""

    leg: Leg
    kp: float
    kd: float
    determinants: Determinants | None = None
    frozen: tuple[str, ...] = ()


class After(NamedTuple):
    """Result of `increment`.

    It contains the state q, u after the increment, the accelerations u' (nu,), the forces on the feet (2, 3) [N], their
    points of application (2, 3) [m], and the residual (6,).
    """

    q: Any
    u: Any
    udot: Any
    feet: Any
    places: Any
    residual: Any


def _standing(figure, k, share, arms):
    """Return the virtual leg, the body, and the links and load points of both feet.

    share : (2,), α of each foot. arms : (2, 3) [m], vectors from the ankles to the load points.
    """
    ankles = ankle_markers(figure)
    links = [figure.link_index(m.link) for m in ankles]
    places = np.stack([point_position(k, i, m.point) + arm for i, m, arm in zip(links, ankles, arms, strict=True)])
    speeds = np.stack([point_velocity(k, i, m.point) for i, m in zip(links, ankles, strict=True)])
    body = body_of(figure, k)
    return span(virtual_foot(places, share), virtual_foot(speeds, share), body), body, links, places


def increment(
    figure: Figure,
    law: Law,
    q: Any,
    u: Any,
    q_wanted: Any,
    u_wanted: Any,
    udot_wanted: Any,
    share: Any,
    arms: Any,
    rest: Any,
    spin: Any,
    h: Any,
) -> After:
    """Compute one increment of a walk. Can be recorded on a tape.

    figure : figure with the stance foot as its root. law : parameters. q, u : current state.
    q_wanted, u_wanted, udot_wanted : state and accelerations of the plan.
    share : (2,), α of each foot. arms : (2, 3) [m], vectors from the ankles to the load points.
    rest : rest length r_s [m]. spin : angular momentum H̃ (3,). h : length of the increment [s].
    The residual is the root's force [N] and moment about the virtual foot [N m] of (3), in world axes.
    """
    k = kinematics(figure, q, u)
    virtual, body, links, places = _standing(figure, k, share, arms)
    feet = foot_forces(leg_force(law.leg, virtual, wanted_moment(law.leg, body.spin, spin), rest).force, share)
    f_ext = foot_wrenches(k, links, places, feet)
    command = udot_wanted + law.kd * (u_wanted - u) + law.kp * figure.difference(q, q_wanted)  # (2)
    still = set(figure.dof_indices(law.frozen)) if law.frozen else set()
    command = np.array([0.0 if i in still else x for i, x in enumerate(command)])
    tau = inverse_dynamics(figure, q, u, command, f_ext)  # (3)
    root = tau[figure.u_of[0]]
    if law.determinants is not None:
        tau = tau + determinant_forces(figure, q, u, law.determinants, share[0], knees=False)
    if law.frozen:
        udot, _ = hybrid_dynamics(figure, q, u, tau, np.zeros(figure.nu), f_ext, prescribed=law.frozen)
    else:
        udot = direct_dynamics(figure, q, u, tau, f_ext)  # (4)
    after = u + h * udot
    arm = k.position[0] - virtual_foot(places, share)
    moment = matvec(k.rotation[0], root[3:]) + np.cross(arm, root[:3])
    return After(figure.integrate(q, h * after), after, udot, feet, places, np.concatenate([root[:3], moment]))  # (5)


@lru_cache(maxsize=16)
def increment_kernel(figure: Figure, law: Law) -> Kernel:
    """Compile `increment` to a kernel."""
    zeros = {"q": figure.neutral(), "u": np.zeros(figure.nu), "q_wanted": figure.neutral()}
    zeros |= {"u_wanted": np.zeros(figure.nu), "udot_wanted": np.zeros(figure.nu), "share": np.zeros(2)}
    zeros |= {"arms": np.zeros((2, 3)), "rest": np.zeros(()), "spin": np.zeros(3), "h": np.zeros(())}

    def tape():
        return record(lambda **given: tuple(increment(figure, law, **given)), **zeros)

    return kernel_for(digest("walk increment", figure.key, content(_plain(law))), tape, opt="tiers")


@lru_cache(maxsize=8)
def leg_kernel(figure: Figure, leg: Leg) -> Kernel:
    """Compile the equations (1) of the virtual leg to a kernel.

    Its inputs are q, u, share, arms and the force F (3,) of the plan; its outputs are rest and spin.
    """

    def leg_of_plan(q, u, share, arms, force):
        virtual, body, _, _ = _standing(figure, kinematics(figure, q, u), share, arms)
        along = force @ virtual.direction
        rest = virtual.length - (along - leg.damping * virtual.rate) / leg.stiffness
        return rest, body.spin + np.cross(virtual.r, force) / leg.spin

    def tape():
        return record(
            leg_of_plan,
            q=figure.neutral(),
            u=np.zeros(figure.nu),
            share=np.zeros(2),
            arms=np.zeros((2, 3)),
            force=np.zeros(3),
        )

    return kernel_for(digest("walk leg", figure.key, content(tuple(leg))), tape, opt="tiers")


@lru_cache(maxsize=8)
def rooted_state_kernel(figure: Figure, link: str) -> Kernel:
    """Compile the change of root from a link to the figure's own root.

    The inputs are q, u, udot, feet and places; the outputs are q, u, udot and tau.
    """
    rooted = Rooted(figure, link)
    tree = rooted.tree

    def own_state(q, u, udot, feet, places):
        inner = record(rooted.back, q=tree.neutral(), u=np.zeros(tree.nu))
        along = [*tree.rate(q, u), *udot]
        values, slopes = push(inner, [*q, *u], [(x,) for x in along])
        own_q, own_u = np.array(values[: figure.nq]), np.array(values[figure.nq :])
        own_udot = np.array([s[0] for s in slopes[figure.nq :]])
        k = kinematics(figure, own_q, own_u)
        links = [figure.link_index(m.link) for m in ankle_markers(figure)]
        return (
            own_q,
            own_u,
            own_udot,
            inverse_dynamics(figure, own_q, own_u, own_udot, foot_wrenches(k, links, places, feet)),
        )

    def tape():
        return record(
            own_state,
            q=tree.neutral(),
            u=np.zeros(tree.nu),
            udot=np.zeros(tree.nu),
            feet=np.zeros((2, 3)),
            places=np.zeros((2, 3)),
        )

    return kernel_for(digest("walk told", figure.key, link), tape, opt="tiers")


def _plain(law: Law) -> tuple[Any, ...]:
    """Return the parameters as plain data, for the name of the kernel."""
    d = law.determinants
    own = None if d is None else tuple((n, *vars(d[n]).values()) for n in ("pelvic_rotation", "pelvic_tilt"))
    return tuple(law.leg), law.kp, law.kd, own, law.frozen
