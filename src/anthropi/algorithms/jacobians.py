"""How does a point of a link move with each degree of freedom? Jacobians of any point, floating base included.

Degree of freedom k of joint i turns its link about w_k and slides the link's origin p_i along l_k. In the world, with
C_J = C_λ C_place:

    w_k = C_i spin(q, e_k),   l_k = C_J slide(q, e_k)                                       (1)
    J_k = [w_k; l_k + w_k × (x - p_i)]  for a point x of a link that joint i carries, else 0  (2)  rotations (10)-(14)

Angular rows first, then the velocity of x. For a free root (2) is [[0, C], [1, -C [r]]], rotations (14) in our order.

    link frame         Cᵀ J, row by row of both halves                                      (3)
    about the world's origin   x = 0 whatever the link: the spatial Jacobian                (4)
    relative           J of `link` at x less J of `to` at x, in `to`'s frame: the velocity of x as seen from `to`;
                       joints that carry both drop out, and are never computed              (5)

`jacobian_rates.py` has J', J' u and ∂J/∂q.
"""

from typing import NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.kinematics import Kinematics, kinematics, point_position
from anthropi.algorithms.shapes import algorithm
from anthropi.errors import InputError, did_you_mean

__all__ = [
    "Columns", "columns", "in_frame", "jacobian", "joint_axes", "moving_joints", "placed", "point_jacobian",
    "relative_jacobian", "spatial_jacobian",
]  # fmt: skip

ORIGIN = (0.0, 0.0, 0.0)
FRAMES = ("world", "link")


class Columns(NamedTuple):
    """How joint i moves its link: turn w and slide l (nu_i, 3), a row each degree of freedom, in the world."""

    w: np.ndarray
    l: np.ndarray


@algorithm(q="nq")
def jacobian(figure, q, *, link, point=ORIGIN, frame="world"):
    """How does a point of a link move with each degree of freedom?

    link : its name. point : (3,) [m] in the link frame. frame : "world" or "link", whose components.
    q (nq,) → J (6, nu): [angular velocity of the link; velocity of the point] = J u.
    """
    k, i = kinematics(figure, q), figure.link_index(link)
    return in_frame(point_jacobian(figure, k, q, i, place(point)), k.rotation[i], frame)


@algorithm(q="nq")
def spatial_jacobian(figure, q, *, link, frame="link"):
    """Which spatial velocity has a link, for each degree of freedom?

    frame : "link", about its origin and in its components (body Jacobian); "world", about the world's origin.
    q (nq,) → (6, nu).
    """
    if frame != "world":
        return jacobian(figure, q, link=link, frame=frame)
    k, i = kinematics(figure, q), figure.link_index(link)
    return _at(figure, k, q, moving_joints(figure, i), np.zeros(3))  # (4)


@algorithm(q="nq")
def relative_jacobian(figure, q, *, link, to, point=ORIGIN):
    """How does a point of a link move as seen from another link, in that link's frame?

    q (nq,) → (6, nu): [angular velocity of `link` relative to `to`; rate of the point's coordinates in `to`].
    """
    k, i, j = kinematics(figure, q), figure.link_index(link), figure.link_index(to)
    x = point_position(k, i, place(point))
    there, back = moving_joints(figure, i), moving_joints(figure, j)
    far = _at(figure, k, q, [a for a in there if a not in back], x)
    near = _at(figure, k, q, [b for b in back if b not in there], x)
    return in_frame(far - near, k.rotation[j], "link")  # (5)


def place(point):
    """A point (3,) of a link, or an error that says what was given."""
    array = np.asarray(point)
    if array.shape != (3,) or (array.dtype != object and not (abs(array) < np.inf).all()):
        raise InputError(f"point={point!r} is no point of a link: give three finite numbers [m], in the link's frame.")
    return array


def point_jacobian(figure, k: Kinematics, q, i: int, s):
    """(2) for the point s (3,) of link i, with the poses known: (6, nu), world."""
    return _at(figure, k, q, moving_joints(figure, i), point_position(k, i, s))


def moving_joints(figure, i: int) -> list[int]:
    """The joints that carry link i and have a degree of freedom, from the root."""
    return [j for j in figure.path(i) if figure.joints[j].nu]


def joint_axes(figure, k: Kinematics, i: int):
    """C_J: the joint frame's rotation in the world."""
    place, parent = figure.joints[i].placement.rotation, figure.parent[i]
    return place if parent < 0 else k.rotation[parent] @ place


def columns(figure, k: Kinematics, q, i: int) -> Columns:
    """(1) of joint i."""
    joint, at, C_J = figure.joints[i], q[figure.q_of[i]], joint_axes(figure, k, i)
    units = np.eye(joint.nu)
    w = np.stack([matvec(k.rotation[i], joint.spin(at, e)) for e in units])
    return Columns(w, np.stack([matvec(C_J, joint.slide(at, e)) for e in units]))


def placed(figure, joints, rows):
    """Rows (n, …), one for each degree of freedom of these joints, put at their places among all: (nu, …)."""
    own = [d for j in joints for d in range(figure.u_of[j].start, figure.u_of[j].stop)]
    rows = np.asarray(rows).reshape(len(own), *np.shape(rows)[1:])
    where = {d: n for n, d in enumerate(own)}
    nothing = np.zeros((1, *rows.shape[1:]))
    return np.concatenate([rows, nothing])[[where.get(d, len(own)) for d in range(figure.nu)]]


def in_frame(J, C, frame: str):
    """(3): a (6, …) array in the world's components, or those of the link whose attitude is C."""
    if frame not in FRAMES:
        raise InputError(f"No frame '{frame}'.{did_you_mean(frame, FRAMES)} Choose: {', '.join(FRAMES)}.")
    back = transpose(C)
    return J if frame == "world" else np.concatenate([_turned(back, J[:3]), _turned(back, J[3:])])


def _turned(C, A):
    """C on the first axis of A (3, …)."""
    return (C @ A.reshape(3, -1)).reshape(A.shape)


def _at(figure, k: Kinematics, q, joints, x):
    """(2): what these joints do to a point that is at x in the world now."""
    rows = []
    for i in joints:
        w, l = columns(figure, k, q, i)
        rows.append(np.concatenate([w, l + np.cross(w, x - k.position[i])], axis=1))
    return placed(figure, joints, np.concatenate(rows) if rows else np.zeros((0, 6))).T
