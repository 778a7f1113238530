"""Hybrid dynamics: some degrees of freedom have a prescribed acceleration, the others a given force.

Each degree of freedom is prescribed (its u' is given, its τ is found) or free (its τ is given, its u' is found). With
S_P, S_F a joint's columns for prescribed and free degrees of freedom, the articulated-body algorithm runs over S_F
alone, and accelerations are counted from those at u'_P as given and u'_F = 0:

    Pass 1, outward: the force p_i that each link needs at that acceleration, external forces subtracted
        p_i = I_i a_i + v_i ×* I_i v_i - f_ext;   with added inertia C:  I_i + C, p_i - C b    (1)
    Pass 2, inward: articulated inertia I_i and bias force p_i of everything that joint i carries
        U = I_i S_F,   D = S_Fᵀ U + r,   left = τ_F + passive - S_Fᵀ p_i                       (2)
        I_λ = I_λ + X (I_i - U D⁻¹ Uᵀ) X⁻¹                                                     (3)
        p_λ = p_λ + X (p_i + U D⁻¹ left)                                                       (4)
    Pass 3, outward: accelerations, and the forces of prescribed degrees of freedom
        a' = X⁻¹ a_λ                                                                           (5)
        u'_F = D⁻¹ (left - Uᵀ a'),   a_i = a' + S_F u'_F                                       (6)
        τ_P = S_Pᵀ (I_i a_i + p_i) - passive + armature u'_P                                   (7)

With everything prescribed this is inverse dynamics, with nothing prescribed direct dynamics. A locked degree of freedom
has u' = 0 prescribed. If the root joint is free and nothing in it is prescribed, gravity acts as an acceleration of the
world, as in direct_dynamics.py. recursions.py contains `link_forces` and `add_link_inertias` (1), and `eliminate_joint`
(2)-(4), (6).

Sources: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 9.2; S. M. Loizidou, PhD thesis, University of
North London, 1992: (1) is 6.1-6.3 and 9.11, (2)-(6) 6.4-6.11, (7) 9.14.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algorithms.forces import extra_inertia_of, gravity_acceleration, has_armature, passive_force, require_tree
from anthropi.algorithms.recursions import add_link_inertias, eliminate_joint, link_forces
from anthropi.algorithms.shapes import Array, ExternalForces, LinkInertias, algorithm
from anthropi.figure import Figure

__all__ = ["hybrid_dynamics"]


@algorithm(q="nq", u="nu", tau="nu", udot="nu", f_ext="links*6", extra="nu")
def hybrid_dynamics(
    figure: Figure,
    q: Array,
    u: Array,
    tau: Array,
    udot: Array,
    f_ext: ExternalForces = None,
    extra: Array | None = None,
    added: LinkInertias = None,
    *,
    prescribed: Sequence[str] = (),
) -> tuple[Array, Array]:
    """Compute the accelerations of free degrees of freedom and the forces of prescribed ones.

    Parameters
    ----------
    figure : a kinematic tree; for a figure with loops see `ap.loops.loop_hybrid_dynamics`.
    q, u : (nq,), (nu,) coordinates and velocities.
    tau : (nu,) joint forces [N m or N], read where a degree of freedom is free.
    udot : (nu,) accelerations, read where a degree of freedom is prescribed.
    f_ext, extra : as in `direct_dynamics`; extra is read where a degree of freedom is free.
    prescribed : names of joints or degrees of freedom.

    Returns
    -------
    (udot, tau), both (nu,), with all entries filled in.

    Other Parameters
    ----------------
    added : as in `direct_dynamics`.
    """
    require_tree(figure, "hybrid_dynamics")
    held = set(figure.dof_indices(prescribed))
    free_root = figure.joints[0].kind == "free" and not held & set(range(6))
    given = np.array([udot[k] if k in held else 0.0 for k in range(figure.nu)])

    # Pass 1, outward: link forces at u'_P as given and u'_F = 0
    X, p = link_forces(figure, q, u, given, f_ext, np.zeros(3) if free_root else -figure.gravity)  # (1)
    a_world = gravity_acceleration(figure) if free_root else np.zeros(6)
    I, p = add_link_inertias(figure, q, X, p, added, a_world, given if held else None)  # (1)

    # Pass 2, inward: articulated inertias and bias forces
    free = [[k for k in range(node.joint.nu) if node.u.start + k not in held] for node in figure.dynamics_tree]
    joints: list[Any] = [None] * len(X)
    for i, node in reversed(list(enumerate(figure.dynamics_tree))):
        joint, q_i, u_i, tau_i = node.joint, q[node.q], u[node.u], tau[node.u]
        if joint.nu:
            tau_i = tau_i + passive_force(joint, q_i, u_i)
        extra_i = extra_inertia_of(extra, node.u)
        if extra_i is not None and np.ndim(extra_i) == 2 and 0 < len(free[i]) < joint.nu:
            tau_i = tau_i - matvec(extra_i, given[node.u])  # coupling of free to prescribed accelerations in extra
        joints[i] = eliminate_joint(joint, q_i, I[i], p[i], tau_i, extra_i, free[i])  # (2)
        if node.parent >= 0:
            I[node.parent] = I[node.parent] + X[i].act_inertia(joints[i].inertia)  # (3)
            p[node.parent] = p[node.parent] + X[i].act_force(joints[i].force)  # (4)

    # Pass 3, outward: accelerations, and the forces of prescribed degrees of freedom
    a: list[Any] = []
    found: list[Any] = []
    for i, node in enumerate(figure.dynamics_tree):
        a_in = X[i].undo_motion(a_world if node.parent < 0 else a[node.parent])  # (5)
        udot_F, a_i = joints[i].accelerate(a_in)  # (6)
        found.append(udot_F)
        a.append(a_i)
    rates: list[Any] = []
    forces: list[Any] = []
    for i, node in enumerate(figure.dynamics_tree):
        own = dict(zip(free[i], found[i], strict=True))
        rates += [own.get(k, given[node.u][k]) for k in range(node.joint.nu)]
        forces += _joint_forces(node, q, u, rates, tau, free[i], I[i], p[i], a[i])  # (7)
    return np.array(rates), np.array(forces)


def _joint_forces(node: Any, q: Array, u: Array, rates: list[Any], tau: Array, free, I, p, a) -> list[Any]:
    """Return the forces (nu,) of one joint: those given where free, (7) where prescribed."""
    joint, result = node.joint, list(tau[node.u])
    if len(free) == joint.nu:
        return result
    across, passive = I.act(a) + p, passive_force(joint, q[node.q], u[node.u])
    S, rotor = joint.subspace(q[node.q]), has_armature(joint)
    for k in range(joint.nu):
        if k not in free:
            own = passive[k] if np.ndim(passive) else passive
            turned = joint.armature[k] * rates[node.u.start + k] if rotor else 0.0
            result[k] = S[:, k] @ across - own + turned
    return result
