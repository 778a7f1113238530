"""Some joints are driven by motion, others by force: how do the rest move, and what do the driven ones need?

Each degree of freedom is prescribed (its u' is given) or free (its τ is given). With S_P, S_F the columns of a joint's
two sorts, the articulated-body algorithm runs over S_F alone, and accelerations count from those at u'_F = 0:

    outward  p_i = f_i at u'_P as given and u'_F = 0                           (1)  effort.py; thesis 6.1-6.3, 9.11
    inward and outward as direct_dynamics (2)-(6), with S_F, τ_F               (2)  thesis 6.4-6.11
    τ_P = S_Pᵀ (I_i a_i + p_i) + armature u'_P - spring and damper             (3)  thesis 9.14

All prescribed is inverse dynamics, none prescribed direct dynamics. A frozen degree of freedom has u' = 0 prescribed.
"""

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algorithms.added import with_added
from anthropi.algorithms.effort import efforts
from anthropi.algorithms.forces import has_armature, lifted, no_loops, passive
from anthropi.algorithms.joint_solve import joint_solve, of_joint
from anthropi.algorithms.passes import inward, outward
from anthropi.algorithms.shapes import algorithm

__all__ = ["hybrid_dynamics"]


@algorithm(q="nq", u="nu", tau="nu", udot="nu", f_ext="links*6", extra="nu")
def hybrid_dynamics(figure, q, u, tau, udot, f_ext=None, extra=None, added=None, *, prescribed=()):
    """How does the figure move, some joints driven by motion, others by force?

    q (nq,), u (nu,); tau (nu,) is read where a degree of freedom is free, udot (nu,) where it is prescribed.
    prescribed : names of joints or degrees of freedom. f_ext (links, 6), extra (nu,, read where
    free) and added as in `direct_dynamics`.
    Returns (udot, tau), both complete (nu,).
    """
    no_loops(figure, "hybrid_dynamics")
    held = set(figure.dof_indices(prescribed))
    falls = figure.joints[0].kind == "free" and not held & set(range(6))
    given = np.array([udot[k] if k in held else 0.0 for k in range(figure.nu)])
    X, p = efforts(figure, q, u, given, f_ext, np.zeros(3) if falls else -figure.gravity)  # (1)
    world = lifted(figure) if falls else np.zeros(6)
    I, p = with_added(figure, q, X, p, added, world, given if held else None)
    free = [[k for k in range(piece.joint.nu) if piece.u.start + k not in held] for piece in figure.pieces]

    def solve(i, piece, I, p):
        joint, at, of = piece.joint, q[piece.q], piece.u
        drive, more = tau[of] + passive(joint, at, u[of]) if joint.nu else tau[of], of_joint(extra, of)
        if np.ndim(more) == 2 and 0 < len(free[i]) < joint.nu:
            drive = drive - matvec(more, given[of])  # what yields across the axes feels the prescribed ones too
        return joint_solve(joint, at, I, p, drive, more, free[i])  # (2)

    solves = inward(figure, X, I, p, solve)
    found, a = outward(figure, X, [solve.finish for solve in solves], world)
    rates: list = []
    forces: list = []
    for i, piece in enumerate(figure.pieces):  # what the motion takes
        own = dict(zip(free[i], found[i], strict=True))
        rates += [own.get(k, given[piece.u][k]) for k in range(piece.joint.nu)]
        forces += _needed(piece, q, u, rates, tau, free[i], I[i], p[i], a[i])
    return np.array(rates), np.array(forces)


def _needed(piece, q, u, rates, tau, free, I, p, a) -> list:
    """Forces (nu,) of a joint: those given, and those that its prescribed motion takes (3)."""
    joint, result = piece.joint, list(tau[piece.u])
    if len(free) == joint.nu:
        return result
    across, own = I.act(a) + p, passive(joint, q[piece.q], u[piece.u])
    S, rotor = joint.subspace(q[piece.q]), has_armature(joint)
    for k in range(joint.nu):
        if k not in free:
            spring = own[k] if np.ndim(own) else own
            turned = joint.armature[k] * rates[piece.u.start + k] if rotor else 0.0
            result[k] = S[:, k] @ across - spring + turned
    return result
