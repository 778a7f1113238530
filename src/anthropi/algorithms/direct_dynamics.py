"""Direct dynamics: joint accelerations from joint forces, by the articulated-body algorithm (ABA), in link coordinates.

Three passes over the dynamics tree: i is a node, λ its parent, X the pose of i in λ, S its joint's motion subspace.

    Pass 1, outward: the force p_i that each link needs at u' = 0, external forces subtracted
        p_i = I_i a_i + v_i ×* I_i v_i - f_ext;   with added inertia C:  I_i + C, p_i - C b    (1)
    Pass 2, inward: articulated inertia I_i and bias force p_i of everything that joint i carries
        U = I_i S,   D = Sᵀ U + r,   left = τ + passive - Sᵀ p_i                               (2)
        I_λ = I_λ + X (I_i - U D⁻¹ Uᵀ) X⁻¹                                                     (3)
        p_λ = p_λ + X (p_i + U D⁻¹ left)                                                       (4)
    Pass 3, outward: accelerations
        a' = X⁻¹ a_λ                                                                           (5)
        u' = D⁻¹ (left - Uᵀ a'),   a_i = a' + S u'                                             (6)
        force across the joint, if wanted: the terms of (3) and (4) that the parent takes over,
        (I_i - U D⁻¹ Uᵀ) a' + p_i + U D⁻¹ left                                                 (7)

Accelerations are counted from those at u' = 0. Velocity and gravity terms are therefore found in pass 1 from single
links, as in inverse dynamics, and never multiply an articulated inertia. If the root joint is free, gravity acts as an
acceleration of the world, a_world = [0; -g] in pass 3, and pass 1 omits it; otherwise a_world = 0.

r is the joint's own inertia: its armature, and `extra` from springs and dampers treated implicitly.
recursions.py contains `link_forces` and `add_link_inertias` (1), and `eliminate_joint` (2)-(4), (6).

Sources: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 7.3; S. M. Loizidou, PhD thesis, University of
North London, 1992, equations 6.1-6.11: (1) is 6.1-6.3, (2) 6.4-6.6, (3) 6.7, (4) 6.8, (6) 6.10 and 6.11.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.algorithms.forces import extra_inertia_of, gravity_acceleration, passive_force, require_tree
from anthropi.algorithms.recursions import EliminatedJoint, add_link_inertias, eliminate_joint, link_forces
from anthropi.algorithms.shapes import Array, ExternalForces, LinkInertias, algorithm
from anthropi.figure import Figure

__all__ = ["ArticulatedBodies", "accelerations", "articulated_bodies", "direct_dynamics", "forces_across"]


class ArticulatedBodies(NamedTuple):
    """Result of passes 1 and 2: for every node its pose X in its parent and its eliminated joint; and a_world (6,)."""

    X: list[Any]
    joints: list[EliminatedJoint]
    a_world: Array


def articulated_bodies(
    figure: Figure,
    q: Array,
    u: Array,
    tau: Array,
    f_ext: ExternalForces = None,
    extra: Array | None = None,
    added: LinkInertias = None,
) -> ArticulatedBodies:
    """Run passes 1 and 2 of `direct_dynamics`, with the same arguments."""
    require_tree(figure, "direct_dynamics")
    free_root = figure.joints[0].kind == "free"

    # Pass 1, outward: link forces at u' = 0
    X, p = link_forces(figure, q, u, np.zeros(figure.nu), f_ext, np.zeros(3) if free_root else -figure.gravity)  # (1)
    a_world = gravity_acceleration(figure) if free_root else np.zeros(6)
    I, p = add_link_inertias(figure, q, X, p, added, a_world)  # (1)

    # Pass 2, inward: articulated inertias and bias forces
    joints: list[Any] = [None] * len(X)
    for i, node in reversed(list(enumerate(figure.dynamics_tree))):
        joint, q_i, u_i, tau_i = node.joint, q[node.q], u[node.u], tau[node.u]
        if joint.nu:
            tau_i = tau_i + passive_force(joint, q_i, u_i)
        joints[i] = eliminate_joint(joint, q_i, I[i], p[i], tau_i, extra_inertia_of(extra, node.u))  # (2)
        if node.parent >= 0:
            I[node.parent] = I[node.parent] + X[i].act_inertia(joints[i].inertia)  # (3)
            p[node.parent] = p[node.parent] + X[i].act_force(joints[i].force)  # (4)
    return ArticulatedBodies(X, joints, a_world)


@algorithm(q="nq", u="nu", tau="nu", f_ext="links*6", extra="nu")
def direct_dynamics(
    figure: Figure,
    q: Array,
    u: Array,
    tau: Array,
    f_ext: ExternalForces = None,
    extra: Array | None = None,
    added: LinkInertias = None,
) -> Array:
    """Compute joint accelerations from joint forces by the articulated-body algorithm (ABA).

    Parameters
    ----------
    figure : a kinematic tree; for a figure with loops see `ap.loops.loop_dynamics`.
    q, u : (nq,), (nu,) coordinates and velocities.
    tau : (nu,) joint forces [N m or N], dual to u.
    f_ext : (links, 6) or {link number: (6,)}, moment about the link's origin [N m] and force [N], in link frames.
    extra : (nu,) [kg m² or kg], inertia of each degree of freedom in addition to its armature (see
        `implicit_drive`).

    Returns
    -------
    udot (nu,) [rad/s² or m/s²].

    Other Parameters
    ----------------
    extra : may also be (nu, nu); only the diagonal blocks of joints are read.
    added : {link number: ArticulatedInertia}, inertia added to links for forces that depend on u' (recursions.py).
    """
    # Passes 1 and 2, outward and inward: link forces, articulated inertias and bias forces
    bodies = articulated_bodies(figure, q, u, tau, f_ext, extra, added)  # (1)-(4)

    # Pass 3, outward: accelerations
    return accelerations(figure, bodies)[0]  # (5), (6)


def accelerations(figure: Figure, bodies: ArticulatedBodies) -> tuple[Array, list[Any]]:
    """Run pass 3 of `direct_dynamics`: return u' (nu,), and for every node the acceleration a' (6,) (5), (6)."""
    X, joints, a_world = bodies
    a: list[Any] = []
    a_in: list[Any] = []
    udot: list[Any] = []
    for i, node in enumerate(figure.dynamics_tree):
        a_in.append(X[i].undo_motion(a_world if node.parent < 0 else a[node.parent]))  # (5)
        udot_i, a_i = joints[i].accelerate(a_in[i])  # (6)
        udot.append(udot_i)
        a.append(a_i)
    return np.concatenate(udot), a_in


def forces_across(figure: Figure, bodies: ArticulatedBodies, a_in: list[Any]) -> list[Any]:
    """Return the force (6,) across the joint of each link, in the link's frame (7). a_in : from `accelerations`."""
    found: list[Any] = []
    for node, joint, a in zip(figure.dynamics_tree, bodies.joints, a_in, strict=True):
        if node.link is not None:  # the last part of a composite joint carries its link
            f = joint.inertia.act(a) + joint.force  # (7)
            found.append(f if node.axes is None else Transform(node.axes, np.zeros(3)).act_force(f))
    return found
