"""Inverse dynamics: joint forces from a motion, by the recursive Newton–Euler algorithm (RNEA), in link coordinates.

Two passes over the dynamics tree: i is a node, λ its parent, X the pose of i in λ, S its joint's motion subspace.

    Pass 1, outward: the force f_i that each link needs for its motion, external forces subtracted
        f_i = I_i a_i + v_i ×* I_i v_i - f_ext,   a_world = -g                                 (1)
    Pass 2, inward: forces across the joints
        τ_i = Sᵀ f_i - passive + armature u'                                                   (2)
        f_λ = f_λ + X f_i                                                                      (3)

recursions.py contains `link_forces` (1).

Sources: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 5.3; S. M. Loizidou, PhD thesis, University of
North London, 1992, equation 9.14 for (2).
"""

from typing import Any

import numpy as np

from anthropi.algorithms.forces import has_armature, passive_force, require_tree
from anthropi.algorithms.recursions import link_forces
from anthropi.algorithms.shapes import Array, ExternalForces, algorithm
from anthropi.figure import Figure

__all__ = ["inverse_dynamics"]


@algorithm(q="nq", u="nu", udot="nu", f_ext="links*6")
def inverse_dynamics(figure: Figure, q: Array, u: Array, udot: Array, f_ext: ExternalForces = None) -> Array:
    """Compute joint forces from a motion by the recursive Newton–Euler algorithm (RNEA).

    Parameters
    ----------
    figure : a kinematic tree; for a figure with loops see `ap.loops.loop_inverse_dynamics`.
    q, u, udot : (nq,), (nu,), (nu,) coordinates, velocities and accelerations.
    f_ext : (links, 6) or {link number: (6,)}, moment about the link's origin [N m] and force [N], in link frames.

    Returns
    -------
    tau (nu,) [N m or N], dual to u: forces that drive the joints, in addition to springs and dampers in the joints.
    """
    require_tree(figure, "inverse_dynamics")

    # Pass 1, outward: link forces
    X, f = link_forces(figure, q, u, udot, f_ext, -figure.gravity)  # (1)

    # Pass 2, inward: forces across the joints
    tau: list[Any] = [np.zeros(0)] * len(X)
    for i, node in reversed(list(enumerate(figure.dynamics_tree))):
        joint, q_i, u_i, udot_i = node.joint, q[node.q], u[node.u], udot[node.u]
        if joint.nu:
            tau[i] = joint.subspace(q_i).T @ f[i] - passive_force(joint, q_i, u_i)  # (2)
            if has_armature(joint):
                tau[i] = tau[i] + joint.armature * udot_i
        if node.parent >= 0:
            f[node.parent] = f[node.parent] + X[i].act_force(f[i])  # (3)
    return np.concatenate(tau)
