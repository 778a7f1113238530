"""Some joints are driven by motion, others by force: how do the rest move, and what do the driven ones need?

Each degree of freedom is prescribed (its u' is given) or free (its τ is given). With S_P, S_F the columns of a joint's
two sorts, the articulated-body algorithm runs over S_F alone, and what is prescribed joins the bias:

    c_i = S' u + v_i × S u + S_P u'_P                                          (1)  thesis 6.3, 9.11
    inward and outward as direct_dynamics (3)-(7), with S_F, τ_F               (2)  thesis 6.4-6.11
    τ_P = S_Pᵀ (I^A_i a_i + p_i) + armature u'_P - spring and damper           (3)  thesis 9.14

All prescribed is inverse dynamics, none prescribed direct dynamics. A frozen degree of freedom has u' = 0 prescribed.
"""

import numpy as np

from anthropi.algebra.spatial import cross_motion
from anthropi.algorithms.forces import has_armature, lifted, no_loops, outer, passive, steady
from anthropi.algorithms.joint_solve import joint_solve
from anthropi.algorithms.shapes import algorithm

__all__ = ["hybrid_dynamics"]


@algorithm(q="nq", u="nu", tau="nu", udot="nu", f_ext="links*6", extra="nu")
def hybrid_dynamics(figure, q, u, tau, udot, f_ext=None, extra=None, *, prescribed=()):
    """How does the figure move, some joints driven by motion, others by force?

    q (nq,), u (nu,); tau (nu,) is read where a degree of freedom is free, udot (nu,) where it is prescribed.
    prescribed : names of joints or degrees of freedom. f_ext (links, 6) and extra (nu,, read where
    free) as in `direct_dynamics`.
    Returns (udot, tau), both complete (nu,).
    """
    no_loops(figure, "hybrid_dynamics")
    given = set(figure.dof_indices(prescribed))
    X: list = []
    v: list = []
    c: list = []
    I: list = []
    p: list = []
    slow = steady(figure, u)
    for i, parent, joint in figure.outward():  # how each link moves
        at, of = q[figure.q_of[i]], figure.u_of[i]
        X.append(figure.pose(i, q))
        S = joint.subspace(at) if joint.nu else np.zeros((6, 0))
        own = S @ slow[of] if joint.nu else np.zeros(6)
        v.append(own if parent < 0 else X[i].undo_motion(v[parent]) + own)
        bias = joint.bias(at, slow[of]) + cross_motion(v[i], own) if joint.nu else np.zeros(6)
        held = [k for k in range(joint.nu) if of.start + k in given]
        c.append(bias + S[:, held] @ udot[of][held] if held else bias)  # (1)
        body, push = figure.links[i].inertia, outer(f_ext, i)
        I.append(body.articulated())
        p.append(body.bias_force(v[i]) if push is None else body.bias_force(v[i]) - push)
    solves: list = [None] * figure.n
    for i, parent, joint in figure.inward():  # what each joint must move
        at, of = q[figure.q_of[i]], figure.u_of[i]
        free = [k for k in range(joint.nu) if of.start + k not in given]
        drive = tau[of] + passive(joint, at, u[of]) if joint.nu else tau[of]
        more = None if extra is None else extra[of]
        solves[i] = joint_solve(joint, at, I[i], p[i], c[i], drive, more, free)  # (2)
        if parent >= 0:
            I[parent] = I[parent] + X[i].act_inertia(solves[i].inertia)
            p[parent] = p[parent] + X[i].act_force(solves[i].force)
    a: list = []
    rates: list = []
    forces: list = []
    for i, parent, joint in figure.outward():  # how each link accelerates, and what that takes
        at, of = q[figure.q_of[i]], figure.u_of[i]
        own, reached = solves[i].finish(X[i].undo_motion(lifted(figure) if parent < 0 else a[parent]) + c[i])
        a.append(reached)
        free = [k for k in range(joint.nu) if of.start + k not in given]
        found = dict(zip(free, own, strict=True))
        rates += [found[k] if k in found else udot[of][k] for k in range(joint.nu)]
        forces += _needed(joint, at, u[of], rates[of.start :], tau[of], free, I[i], p[i], reached)
    return np.array(rates), np.array(forces)


def _needed(joint, q, u, udot, tau, free, I, p, a) -> list:
    """Forces (nu,) of a joint: those given, and those that its prescribed motion takes (3)."""
    if len(free) == joint.nu:
        return list(tau)
    across, own = I.act(a) + p, passive(joint, q, u)
    S, rotor = joint.subspace(q), has_armature(joint)
    result = list(tau)
    for k in range(joint.nu):
        if k not in free:
            spring = own[k] if np.ndim(own) else own
            result[k] = S[:, k] @ across - spring + (joint.armature[k] * udot[k] if rotor else 0.0)
    return result
