"""What does a motion take of each link? The outward half of the recursive Newton–Euler algorithm, in link coordinates.

Accelerations are those of classical mechanics, so that no linear velocity is needed: with C, p the pose of a piece
(figure/pieces.py) in its parent, w, w' what its joint turns by (`spin`), s, s' what it slides by (`slide`),

    ω_i = Cᵀ ω_λ + w,   ω_i' = Cᵀ ω_λ' + w' + ω_i × w                          (1)  thesis 6.1, 6.3
    B_i = ω_i'× + ω_i× ω_i×                                                    (2)
    a_i = Cᵀ (a_λ + B_λ p + 2 ω_λ × s + s')                                    (3)  thesis 9.12, 4.5
    f_i = I_i (a_i, B_i) - f_ext,   0 for a frame between parts of a joint     (4)  thesis 5.3
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algebra.spatial import turning
from anthropi.algorithms.forces import outer

__all__ = ["Effort", "efforts"]


class Effort(NamedTuple):
    """Poses X of all pieces of the figure in their parents', and the force f (6,) that each takes by itself."""

    X: list[Any]
    f: list[Any]


def efforts(figure, q, u, udot, f_ext, world) -> Effort:
    """What does the motion q (nq,), u (nu,), udot (nu,) take? world (3,): acceleration of the world, -g as a rule."""
    none = np.zeros(3)
    X: list = []
    w: list = []  # angular velocity
    wdot: list = []
    B: list = []
    a: list = []  # acceleration of the origin
    f: list = []
    for i, piece in enumerate(figure.pieces):
        joint, parent, at, speed, rate = piece.joint, piece.parent, q[piece.q], u[piece.u], udot[piece.u]
        X.append(piece.pose(q))
        before, change, path = (none, none, world) if parent < 0 else (w[parent], wdot[parent], a[parent])
        w.append(X[i].undo_direction(before))
        wdot.append(X[i].undo_direction(change))
        if parent >= 0:
            path = path + matvec(B[parent], X[i].origin)
        if joint.nu:
            turn, slide = joint.spin(at, speed), joint.slide(at, speed)
            w[i] = w[i] + turn  # (1)
            wdot[i] = wdot[i] + joint.spin_rate(at, speed, rate) + np.cross(w[i], turn)
            C = joint.placement.rotation  # what slides is known in the joint frame
            path = path + 2.0 * np.cross(before, matvec(C, slide)) + matvec(C, joint.slide_rate(at, speed, rate))
        B.append(turning(w[i], wdot[i]))  # (2)
        a.append(X[i].undo_direction(path))  # (3)
        f.append(_force(piece, a[i], B[i], f_ext))  # (4)
    return Effort(X, f)


def _force(piece, a, B, f_ext):
    if piece.body is None:
        return np.zeros(6)
    f, given = piece.body.effort(a, B), outer(f_ext, piece.link)
    return f if given is None else f - piece.force(given)
