"""Jacobians of points and links, their rates along a motion, and their Hessians; floating base included.

Degree of freedom k of joint i rotates its link about w_k and moves the link's origin p_i along l_k. In the world, with
C_J = C_λ C_place the joint frame, for a point x of a link that joint i carries, r = x - p_i:

    w_k = C_i spin(q, e_k),   l_k = C_J slide(q, e_k)                                          (1)
    J_k = [w_k; l_k + w_k × r],   0 for joints that do not carry the link                      (2)

Angular rows come first, then the velocity of x. For a free root (2) is [[0, C], [1, -C [r]]].

    in the link frame            Cᵀ J, angular and linear rows alike                           (3)
    about the world's origin     x = 0 whatever the link: the spatial Jacobian                 (4)
    relative to a link           J of `link` at x minus J of `to` at x, in the frame of `to`; joints that carry both
                                 drop out and are never computed                               (5)

**Rates**, along the velocity u:

    w_k' = ω_i × w_k + C_i spin_k',   l_k' = ω_λ × l_k + C_J slide_k'                          (6)
    J_k' = [w_k'; l_k' + w_k' × r + w_k × (x' - p_i')]                                         (7)
    J' u = [α; a of the point] at u' = 0                                                       (8)

**Hessian**, along degree of freedom m of joint j; J_R, J_P are the angular and linear rows of J:

    j ≤ i    ∂J_k = [w_m × J_Rk; w_m × J_Pk]                                                   (9)
    j > i    ∂J_k = [0; w_k × J_Pm]                                                            (10)
    j = i    in addition, the change within the joint:
             + [C_i ∂spin_k; (C_i ∂spin_k) × r + C_J ∂slide_k - w_m × l_k]                     (11)
             J' = Σ_m ∂J/∂m u_m                                                                (12)

    in the link frame   (Cᵀ J)' = Cᵀ (J' - ω × J),   ∂(Cᵀ J) = Cᵀ (∂J - w_m × J)               (13)

Derivatives are in the tangent: the seed is column m of F(q), q' = F(q) u. Within a joint of several degrees of freedom
(9) holds for every pair and (11) corrects it. For a free root, spin is constant and slide is along world axes, so (11)
only removes w_m × l_k again. spin_k and slide_k are constant for most joints; if they are not (Euler, composite),
their derivative is a forward sweep over the joint's own small tape, exact for any joint.
"""

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.kinematics import (
    Kinematics,
    kinematics,
    point_acceleration,
    point_position,
    point_velocity,
)
from anthropi.algorithms.shapes import Array, algorithm
from anthropi.errors import InputError, did_you_mean
from anthropi.figure import Figure, Joint
from anthropi.tape import Tape, push, record

__all__ = [
    "Columns",
    "column_rates",
    "column_slopes",
    "columns",
    "hessian",
    "in_frame",
    "jacobian",
    "jacobian_bias",
    "jacobian_rate",
    "joint_axes",
    "moving_joints",
    "placed",
    "point_jacobian",
    "relative_jacobian",
    "spatial_jacobian",
]

ORIGIN = (0.0, 0.0, 0.0)
FRAMES = ("world", "link")


class Columns(NamedTuple):
    """Rotation axes w and translations l of joint i, each (nu_i, 3) in the world, one row per degree of freedom."""

    w: Array
    l: Array


@algorithm(q="nq")
def jacobian(figure: Figure, q: Array, *, link: str, point: Array = ORIGIN, frame: str = "world") -> Array:
    """Compute the Jacobian of a point of a link (2), (3).

    Parameters
    ----------
    q : (nq,).
    link : name of the link. point : (3,) [m] in the link frame.
    frame : "world" or "link", the frame in which the result is expressed.

    Returns
    -------
    J (6, nu): [angular velocity of the link; velocity of the point] = J u.
    """
    k, i = kinematics(figure, q), figure.link_index(link)
    return in_frame(point_jacobian(figure, k, q, i, _checked_point(point)), k.rotation[i], frame)


@algorithm(q="nq")
def spatial_jacobian(figure: Figure, q: Array, *, link: str, frame: str = "link") -> Array:
    """Compute the Jacobian of the spatial velocity of a link.

    Parameters
    ----------
    q : (nq,). link : name of the link.
    frame : "link" for a velocity about the link's origin in link components (body Jacobian), "world" for one about the
        world's origin in world components (4).

    Returns
    -------
    J (6, nu): J u is the spatial velocity of the link, angular part first.
    """
    if frame != "world":
        return jacobian(figure, q, link=link, frame=frame)
    k, i = kinematics(figure, q), figure.link_index(link)
    return _at(figure, k, q, moving_joints(figure, i), np.zeros(3))  # (4)


@algorithm(q="nq")
def relative_jacobian(figure: Figure, q: Array, *, link: str, to: str, point: Array = ORIGIN) -> Array:
    """Compute the Jacobian of a point of a link relative to another link, in that link's frame (5).

    Parameters
    ----------
    q : (nq,). link, to : names of links. point : (3,) [m] in the frame of `link`.

    Returns
    -------
    (6, nu): [angular velocity of `link` relative to `to`; rate of the point's coordinates in `to`] = J u.
    """
    k, i, j = kinematics(figure, q), figure.link_index(link), figure.link_index(to)
    x = point_position(k, i, _checked_point(point))
    there, back = moving_joints(figure, i), moving_joints(figure, j)
    far = _at(figure, k, q, [a for a in there if a not in back], x)
    near = _at(figure, k, q, [b for b in back if b not in there], x)
    return in_frame(far - near, k.rotation[j], "link")  # (5)


@algorithm(q="nq", u="nu")
def jacobian_bias(
    figure: Figure, q: Array, u: Array, *, link: str, point: Array = ORIGIN, frame: str = "world"
) -> Array:
    """Compute J' u (6,) [rad/s²; m/s²], the acceleration of a point of a link at u' = 0 (8).

    q (nq,), u (nu,); link, point, frame as in `jacobian`. In the link frame, the result is the rate of the
    components, Cᵀ [α; a - ω × v] at u' = 0.
    """
    k, i, s = kinematics(figure, q, u, np.zeros(figure.nu)), figure.link_index(link), np.asarray(point)
    a = point_acceleration(k, i, s)  # (8)
    if frame == "link":
        a = a - np.cross(k.angular_velocity[i], point_velocity(k, i, s))  # (13)
    return in_frame(np.concatenate([k.angular_acceleration[i], a]), k.rotation[i], frame)


@algorithm(q="nq", u="nu")
def jacobian_rate(
    figure: Figure, q: Array, u: Array, *, link: str, point: Array = ORIGIN, frame: str = "world"
) -> Array:
    """Compute the rate dJ/dt (6, nu) of `jacobian` along u (7).

    q (nq,), u (nu,); link, point, frame as in `jacobian`.
    """
    k, i, s = kinematics(figure, q, u), figure.link_index(link), np.asarray(point)
    x, v, joints = point_position(k, i, s), point_velocity(k, i, s), moving_joints(figure, i)
    rows = []
    for j in joints:
        w, _ = columns(figure, k, q, j)
        w_rate, l_rate = column_rates(figure, k, q, u, j)
        r, r_rate = x - k.position[j], v - k.velocity[j]
        rows.append(np.concatenate([w_rate, l_rate + np.cross(w_rate, r) + np.cross(w, r_rate)], axis=1))  # (7)
    rate = placed(figure, joints, np.concatenate(rows) if rows else np.zeros((0, 6))).T
    if frame == "link":
        rate = rate - _cross_columns(k.angular_velocity[i], point_jacobian(figure, k, q, i, s))  # (13)
    return in_frame(rate, k.rotation[i], frame)


@algorithm(q="nq")
def hessian(figure: Figure, q: Array, *, link: str, point: Array = ORIGIN, frame: str = "world") -> Array:
    """Compute the derivative of `jacobian` with respect to every degree of freedom (9)-(11).

    q (nq,); link, point, frame as in `jacobian`.

    Returns
    -------
    H (6, nu, nu): H[:, k, m] is the change of column k of the Jacobian along degree of freedom m, in the tangent; H u
    is its rate (12).
    """
    k, i, s = kinematics(figure, q), figure.link_index(link), np.asarray(point)
    joints, x = moving_joints(figure, i), point_position(k, i, s)
    if not joints:
        return np.zeros((6, figure.nu, figure.nu))
    own = [columns(figure, k, q, j) for j in joints]
    w = np.concatenate([c.w for c in own])
    P = np.concatenate([c.l + np.cross(c.w, x - k.position[j]) for j, c in zip(joints, own, strict=True)])
    turn, swing = np.cross(w[:, None], w[None]), np.cross(w[:, None], P[None])  # [m, k]: w_m × J_Rk, w_m × J_Pk
    of = [j for j in joints for _ in range(figure.joints[j].nu)]
    first = [[j <= i for i in of] for j in of]  # [m, k]
    m, n = np.indices((len(of), len(of)))
    early = np.where(first, m, n)  # floats only: indices
    late = np.where(first, n, m)  # floats only: indices
    angular = turn * np.array(first, float)[..., None]
    table = np.concatenate([angular, swing[early, late]], axis=2)  # (9), (10)
    table = table + _same_joint(figure, k, q, joints, own, x)  # (11)
    table = placed(figure, joints, np.swapaxes(placed(figure, joints, table), 0, 1))  # [k, m]
    H = np.moveaxis(table, 2, 0)
    if frame == "link":
        J, around = point_jacobian(figure, k, q, i, s), placed(figure, joints, w)
        H = H - np.stack([_cross_columns(e, J) for e in around], axis=2)  # (13)
    return in_frame(H, k.rotation[i], frame)


def point_jacobian(figure: Figure, k: Kinematics, q: Array, i: int, s: Array) -> Array:
    """Return the Jacobian J (6, nu) of the point s (3,) of link i in the world, from known poses k (2)."""
    return _at(figure, k, q, moving_joints(figure, i), point_position(k, i, s))


def moving_joints(figure: Figure, i: int) -> list[int]:
    """Return the joints on the path from the root to link i that have degrees of freedom."""
    return [j for j in figure.path(i) if figure.joints[j].nu]


def joint_axes(figure: Figure, k: Kinematics, i: int) -> Array:
    """Return C_J (3, 3), the rotation of the joint frame in the world."""
    place, parent = figure.joints[i].placement.rotation, figure.parent[i]
    return place if parent < 0 else k.rotation[parent] @ place


def columns(figure: Figure, k: Kinematics, q: Array, i: int) -> Columns:
    """Return the rotation axes w and translations l of joint i (1)."""
    joint, at, C_J = figure.joints[i], q[figure.q_of[i]], joint_axes(figure, k, i)
    units = np.eye(joint.nu)
    w = np.stack([matvec(k.rotation[i], joint.spin(at, e)) for e in units])
    return Columns(w, np.stack([matvec(C_J, joint.slide(at, e)) for e in units]))


def column_rates(figure: Figure, k: Kinematics, q: Array, u: Array, i: int) -> tuple[Array, Array]:
    """Return the rates w' and l' of the columns of joint i, each (nu_i, 3) (6)."""
    w, l = columns(figure, k, q, i)
    w_rate = np.cross(k.angular_velocity[i], w)
    parent = figure.parent[i]
    l_rate = np.zeros(l.shape) if parent < 0 else np.cross(k.angular_velocity[parent], l)
    slopes = column_slopes(figure.joints[i], q[figure.q_of[i]], u[figure.u_of[i]][None])
    if slopes is None:
        return w_rate, l_rate
    spin, slide = slopes
    C, C_J = k.rotation[i], joint_axes(figure, k, i)
    return w_rate + matvec(C, spin[0]), l_rate + matvec(C_J, slide[0])


def column_slopes(joint: Joint, q: Array, directions: Array) -> Array | None:
    """Return the derivatives of spin_k (child frame) and slide_k (joint frame) along velocities.

    q (joint.nq,), directions (d, nu) → (2, d, nu, 3), spin first; None if both are constant.
    """
    tape = _column_tape(joint)
    if not any(tape.op[i] != "const" for i in tape.result):
        return None
    rates = [joint.rate(q, e) for e in directions]
    _, slopes = push(tape, list(q), [tuple(rate[c] for rate in rates) for c in range(joint.nq)])
    table = np.array(slopes).reshape(2, joint.nu, 3, len(rates))
    return np.moveaxis(table, 3, 1)


@functools.lru_cache(maxsize=10_000)
def _column_tape(joint: Joint) -> Tape:
    """Record spin_k and slide_k of a joint."""
    units = np.eye(joint.nu)

    def all_columns(q):
        return np.stack([joint.spin(q, e) for e in units]), np.stack([joint.slide(q, e) for e in units])

    return record(all_columns, q=np.zeros(joint.nq))


def placed(figure: Figure, joints: Sequence[int], rows: Array) -> Array:
    """Return an array (nu, …) with these rows (n, …) at the degrees of freedom of the joints, and zeros elsewhere."""
    own = [d for j in joints for d in range(figure.u_of[j].start, figure.u_of[j].stop)]
    rows = np.asarray(rows).reshape(len(own), *np.shape(rows)[1:])
    where = {d: n for n, d in enumerate(own)}
    nothing = np.zeros((1, *rows.shape[1:]))
    return np.concatenate([rows, nothing])[[where.get(d, len(own)) for d in range(figure.nu)]]


def in_frame(J: Array, C: Array, frame: str) -> Array:
    """Return an array (6, …) in components of the world, or of the link with attitude C (3, 3) (3)."""
    if frame not in FRAMES:
        raise InputError(f"No frame '{frame}'.{did_you_mean(frame, FRAMES)} Choose: {', '.join(FRAMES)}.")
    back = transpose(C)
    return J if frame == "world" else np.concatenate([_turned(back, J[:3]), _turned(back, J[3:])])


def _checked_point(point: Any) -> Array:
    """Return a point (3,) of a link; raise an error if it is not three finite numbers."""
    array = np.asarray(point)
    if array.shape != (3,) or (array.dtype != object and not (abs(array) < np.inf).all()):
        raise InputError(f"point={point!r} is not a point of a link. Give three finite numbers [m] in the link frame.")
    return array


def _turned(C: Array, A: Array) -> Array:
    """Return the product of C (3, 3) with the first axis of A (3, …)."""
    return (C @ A.reshape(3, -1)).reshape(A.shape)


def _at(figure: Figure, k: Kinematics, q: Array, joints: list[int], x: Array) -> Array:
    """Return the Jacobian (6, nu) of a point at x (3,) in the world that is moved by these joints (2)."""
    rows = []
    for i in joints:
        w, l = columns(figure, k, q, i)
        rows.append(np.concatenate([w, l + np.cross(w, x - k.position[i])], axis=1))
    return placed(figure, joints, np.concatenate(rows) if rows else np.zeros((0, 6))).T


def _same_joint(figure: Figure, k: Kinematics, q: Array, joints: list[int], own: list[Columns], x: Array) -> Array:
    """Return the correction (11) of each joint, as diagonal blocks of an array (n, n, 6) over [m, k]."""
    n = sum(len(c.w) for c in own)
    lines, at = [], 0
    for j, (w, l) in zip(joints, own, strict=True):
        nu, r = len(w), x - k.position[j]
        block = np.concatenate([np.zeros((nu, nu, 3)), -np.cross(w[:, None], l[None])], axis=2)
        slopes = column_slopes(figure.joints[j], q[figure.q_of[j]], np.eye(nu))
        if slopes is not None:
            spin = np.stack([matvec(k.rotation[j], a) for a in slopes[0]])
            slide = np.stack([matvec(joint_axes(figure, k, j), a) for a in slopes[1]])
            block = block + np.concatenate([spin, np.cross(spin, r) + slide], axis=2)
        lines.append(np.concatenate([np.zeros((nu, at, 6)), block, np.zeros((nu, n - at - nu, 6))], axis=1))
        at += nu
    return np.concatenate(lines)


def _cross_columns(w: Array, J: Array) -> Array:
    """Return w × the angular and the linear part of every column of J (6, n)."""
    return np.concatenate([np.cross(w, J[:3].T).T, np.cross(w, J[3:].T).T])
