"""Joint reactions: the forces that links exert on each other across their joints.

Two passes over the dynamics tree, as in inverse dynamics: i is a node, λ its parent, X the pose of i in λ.

    Pass 1, outward: the force that each link needs for its motion, external forces subtracted
        f_i = I_i a_i + v_i ×* I_i v_i - f_ext,   a_world = -g                                 (1)
    Pass 2, inward: forces across the joints
        f_λ = f_λ + X f_i                                                                      (2)

f_i is then the whole force of the parent on the link. With S the joint's motion subspace, its part along S is what
drives, springs and dampers of the joint exert, and the rest is the constraint force of the bearing:

    Sᵀ f_i = τ + passive - armature u'                                                         (3)
    constraint   c_i = f_i - S (Sᵀ S)⁻¹ Sᵀ f_i,   so Sᵀ c_i = 0: it has no power               (4)

If S is made of unit columns (times a matrix), c_i is f_i without these entries: five numbers remain of a hinge, three
of a ball joint, none of a free joint. Where columns of S have angular and linear parts, as in a screw joint, (4) is the
part of smallest norm in N m and N. recursions.py contains `link_forces` (1).

Known elsewhere as `data.f` after `rnea` (Pinocchio) and, about another point and in world axes, `cfrc_int` (MuJoCo).

Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, sections 3.5 and 5.3.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import ldl
from anthropi.algebra.spatial import Transform, merge, remaining_axes
from anthropi.algorithms.forces import require_tree
from anthropi.algorithms.recursions import link_forces
from anthropi.algorithms.shapes import Array, ExternalForces, algorithm
from anthropi.figure import Figure, Joint

__all__ = ["JointReactions", "joint_reactions"]


class JointReactions(NamedTuple):
    """Forces across the joints, one row per link: moment about the link's origin [N m], force [N], in the link frame.

    force : (n, 6), the whole force of the parent (or the world) on the link.
    constraint : (n, 6), the part without power: the load of the bearing, without drives, springs and dampers.
    """

    force: Array
    constraint: Array


@algorithm(q="nq", u="nu", udot="nu", f_ext="links*6")
def joint_reactions(figure: Figure, q: Array, u: Array, udot: Array, f_ext: ExternalForces = None) -> JointReactions:
    """Compute the force that is transmitted across each joint of a tree.

    Parameters
    ----------
    figure : a kinematic tree.
    q, u, udot : (nq,), (nu,), (nu,). For given joint forces, compute udot by `direct_dynamics` first.
    f_ext : (links, 6) or {link number: (6,)}, moment about the link's origin [N m] and force [N], in link frames.

    Returns
    -------
    JointReactions : `force` (n, 6) of the parent on each link, and its part `constraint` (n, 6) that has no power (4);
    moment about the link's origin [N m], then force [N], in link frames. The link exerts the opposite on its parent.
    """
    require_tree(figure, "joint_reactions")
    X, f = link_forces(figure, q, u, udot, f_ext, -figure.gravity)  # (1)
    for i, node in reversed(list(enumerate(figure.dynamics_tree))):
        if node.parent >= 0:
            f[node.parent] = f[node.parent] + X[i].act_force(f[i])  # (2)
    whole: list[Any] = []
    held: list[Any] = []
    for i, node in enumerate(figure.dynamics_tree):
        if node.link is not None:  # the last part of a composite joint carries its link
            joint = figure.joints[node.link]
            across = f[i] if node.axes is None else Transform(node.axes, np.zeros(3)).act_force(f[i])
            whole.append(across)
            held.append(_constraint(joint, q[figure.q_of[node.link]], across))
    return JointReactions(np.stack(whole), np.stack(held))


def _constraint(joint: Joint, q: Array, f: Array) -> Array:
    """Return the part (6,) of the force f (6,) across a joint that has no power (4). q (joint.nq,)."""
    if joint.nu == 0:
        return f
    if joint.span is not None:
        return merge(joint.span, np.zeros(len(joint.span)), f[list(remaining_axes(joint.span))])
    S = joint.subspace(q)
    return f - S @ ldl(S.T @ S).solve(S.T @ f)
