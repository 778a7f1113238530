"""Kinematics: pose, velocity and acceleration of every link, and of points and directions on links.

One outward pass in world components. i is a link, λ its parent, d = p_i - p_λ, C_J = C_λ C_place the joint frame; spin
(child frame) and slide (joint frame) are the velocities of the joint:

    C_i = C_λ C_place C(q)                                                                     (2)
    p_i = p_λ + C_λ (p_place + C_place p(q))                                                   (3)
    ω_i = ω_λ + C_i spin                                                                       (6), (7)
    v_i = v_λ + ω_λ × d + C_J slide                                                            (8)
    α_i = α_λ + C_i spin' + ω_λ × C_i spin                                                     (10)
    a_i = a_λ + α_λ × d + ω_λ × (ω_λ × d) + C_J slide' + 2 ω_λ × C_J slide                     (11)

A point at s in link i, r = C s, has

    p + r,   v + ω × r,   a + α × r + ω × (ω × r)                                              (4), (9), (12)

The spatial velocity and acceleration of a link at one of its points, with v and a those of the point, are

    [ω; v],   [α; a - ω × v]                                                                   (20)

A point marker (13) has the same three, (14)-(16); a direction e of the link, r = C e, has

    r,   ω × r,   α × r + ω × (ω × r)                                                          (17)-(19)

The equation numbers are those of the tests in tests/unit/kinematics/test_joint_motion.py.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import cross, matvec, transpose
from anthropi.algebra.spatial import motion
from anthropi.algorithms.shapes import Array, algorithm
from anthropi.errors import InputError, did_you_mean
from anthropi.figure import Figure

__all__ = [
    "Kinematics",
    "KinematicsView",
    "LinkView",
    "PointView",
    "direction",
    "direction_acceleration",
    "direction_velocity",
    "kinematics",
    "link_velocities",
    "point_acceleration",
    "point_position",
    "point_velocity",
]

FRAMES = ("world", "link")


class Kinematics(NamedTuple):
    """Poses and motions of all links, in world components; link i is row i. None where u or udot was not given.

    Attributes
    ----------
    rotation : (n, 3, 3), C_Wi: link to world components.
    position : (n, 3) [m], of the link's origin.
    angular_velocity, velocity : (n, 3) [rad/s], [m/s] of the origin.
    angular_acceleration, acceleration : (n, 3) [rad/s²], [m/s²] of the origin.
    """

    rotation: Array
    position: Array
    angular_velocity: Array = None
    velocity: Array = None
    angular_acceleration: Array = None
    acceleration: Array = None


@algorithm(q="nq", u="nu", udot="nu")
def kinematics(figure: Figure, q: Array, u: Array | None = None, udot: Array | None = None) -> Kinematics:
    """Compute pose, velocity and acceleration of every link (forward kinematics).

    Parameters
    ----------
    q, u, udot : (nq,), (nu,), (nu,). Without u, only poses are computed; without udot, no accelerations.

    Returns
    -------
    `Kinematics`, arrays over links in world components. `ap.kinematics` wraps them in a `KinematicsView`, which finds
    links and markers by name.
    """
    C: list[Any] = []
    p: list[Any] = []
    w: list[Any] = []
    v: list[Any] = []
    alpha: list[Any] = []
    a: list[Any] = []
    still = np.zeros(3)
    for i, parent, joint in figure.outward():
        at, of = figure.q_of[i], figure.u_of[i]
        pose, place = joint.transform(q[at]), joint.placement
        if parent < 0:
            C_J, p_J = place.rotation, place.origin
        else:
            C_J = C[parent] @ place.rotation
            p_J = p[parent] + matvec(C[parent], place.origin)
        C.append(C_J @ pose.rotation)  # (2)
        p.append(p_J + matvec(C_J, pose.origin))  # (3)
        if u is None:
            continue
        w0, v0 = (still, still) if parent < 0 else (w[parent], v[parent])
        d = still if parent < 0 else p[i] - p[parent]
        spin = matvec(C[i], joint.spin(q[at], u[of])) if joint.nu else still
        slide = matvec(C_J, joint.slide(q[at], u[of])) if joint.nu else still
        w.append(w0 + spin)  # (6), (7)
        swing = cross(w0, d)
        v.append(v0 + swing + slide)  # (8)
        if udot is None:
            continue
        alpha0, a0 = (still, still) if parent < 0 else (alpha[parent], a[parent])
        spin_rate = matvec(C[i], joint.spin_rate(q[at], u[of], udot[of])) if joint.nu else still
        slide_rate = matvec(C_J, joint.slide_rate(q[at], u[of], udot[of])) if joint.nu else still
        alpha.append(alpha0 + spin_rate + cross(w0, spin))  # (10)
        a.append(a0 + cross(alpha0, d) + cross(w0, swing + 2.0 * slide) + slide_rate)  # (11)
    rows = [np.stack(x) if x else None for x in (C, p, w, v, alpha, a)]
    return Kinematics(*rows)


def link_velocities(figure: Figure, k: Kinematics, q: Array, u: Array) -> tuple[list[Any], list[Any]]:
    """Compute angular velocities and velocities of all links, (3,) each in world components, for known poses k of q."""
    w: list[Any] = []
    v: list[Any] = []
    still = np.zeros(3)
    for i, parent, joint in figure.outward():
        q_i, u_i, C_J = q[figure.q_of[i]], u[figure.u_of[i]], joint.placement.rotation
        w0, v0, d = still, still, still
        if parent >= 0:
            w0, v0, C_J = w[parent], v[parent], k.rotation[parent] @ C_J
            d = k.position[i] - k.position[parent]
        spin = matvec(k.rotation[i], joint.spin(q_i, u_i)) if joint.nu else still
        slide = matvec(C_J, joint.slide(q_i, u_i)) if joint.nu else still
        w.append(w0 + spin)  # (6), (7)
        v.append(v0 + cross(w0, d) + slide)  # (8)
    return w, v


def point_position(k: Kinematics, i: int, s: Array) -> Array:
    """Return the position (3,) [m] in the world of the point s (3,) of link i (4), (14)."""
    return k.position[i] + matvec(k.rotation[i], s)


def point_velocity(k: Kinematics, i: int, s: Array) -> Array:
    """Return the velocity (3,) [m/s] in the world of the point s (3,) of link i (9), (15)."""
    return k.velocity[i] + cross(k.angular_velocity[i], matvec(k.rotation[i], s))


def point_acceleration(k: Kinematics, i: int, s: Array) -> Array:
    """Return the acceleration (3,) [m/s²] in the world of the point s (3,) of link i (12), (16)."""
    r, w = matvec(k.rotation[i], s), k.angular_velocity[i]
    return k.acceleration[i] + cross(k.angular_acceleration[i], r) + cross(w, cross(w, r))


def direction(k: Kinematics, i: int, e: Array) -> Array:
    """Return the direction e (3,) of link i in the world (3,) (17)."""
    return matvec(k.rotation[i], e)


def direction_velocity(k: Kinematics, i: int, e: Array) -> Array:
    """Return the rate (3,) [1/s] in the world of the direction e (3,) of link i (18)."""
    return cross(k.angular_velocity[i], matvec(k.rotation[i], e))


def direction_acceleration(k: Kinematics, i: int, e: Array) -> Array:
    """Return the second derivative (3,) [1/s²] in the world of the direction e (3,) of link i (19)."""
    r, w = matvec(k.rotation[i], e), k.angular_velocity[i]
    return cross(k.angular_acceleration[i], r) + cross(w, cross(w, r))


class LinkView(NamedTuple):
    """Pose and motion of one link, in world components; with a leading batch axis if the state had one."""

    rotation: Array
    position: Array
    angular_velocity: Array
    velocity: Array
    angular_acceleration: Array
    acceleration: Array


class PointView(NamedTuple):
    """Position, velocity and acceleration of a point, or a direction and its derivatives; None if not computed."""

    position: Array
    velocity: Array
    acceleration: Array


class KinematicsView:
    """Poses and motions of a figure, by name or as arrays over links (`k.position` (n, 3) …).

    With frame="link", the same vectors (motion relative to the world) are expressed in the link frame.

    Examples
    --------
    `k.link("l_foot").position`, `k.point("l_foot", (0.1, 0, 0)).velocity`, `k.marker("l_heel")`.
    """

    rotation: Array
    position: Array
    angular_velocity: Array
    velocity: Array
    angular_acceleration: Array
    acceleration: Array

    def __init__(self, figure: Figure, arrays: Kinematics) -> None:
        self.figure: Figure = figure
        self.arrays: Kinematics = arrays
        self.rotation, self.position, self.angular_velocity, self.velocity = arrays[:4]
        self.angular_acceleration, self.acceleration = arrays[4:]

    def __repr__(self) -> str:
        return f"KinematicsView({self.figure!r})"

    def link(self, name: str, frame: str = "world") -> LinkView:
        """Return pose and motion of a link; its frame is at its inboard joint."""
        i = self.figure.link_index(name)
        rows = [
            None if a is None else np.take(a, i, axis=a.ndim - (3 if k == 0 else 2)) for k, a in enumerate(self.arrays)
        ]
        return LinkView(rows[0], *_in_frame(frame, rows[0], rows[1:]))

    def point(self, link: str, at: Array = (0.0, 0.0, 0.0), frame: str = "world") -> PointView:
        """Return the motion of a point of a link: `at` (3,) [m] in the link frame (4), (9), (12)."""
        on = self.link(link)
        known = zip((on.position, on.velocity, on.acceleration), _carried(on, np.asarray(at)), strict=True)
        moved = [None if r is None else origin + r for origin, r in known]
        return PointView(*_in_frame(frame, on.rotation, moved))

    def spatial_velocity(self, link: str, at: Array = (0.0, 0.0, 0.0), frame: str = "world") -> Array:
        """Return the spatial velocity (6,) of a link at one of its points: [rad/s], [m/s] (20).

        at : (3,) [m] in the link frame. frame : axes of the result, "world" or "link" (Pinocchio's LOCAL_WORLD_ALIGNED
        and LOCAL, angular part first).
        """
        on, v = self.link(link, frame), self.point(link, at, frame).velocity
        if v is None:
            raise InputError("A spatial velocity needs velocities. Give u: ap.kinematics(figure, q, u).")
        return motion(on.angular_velocity, v)

    def spatial_acceleration(self, link: str, at: Array = (0.0, 0.0, 0.0), frame: str = "world") -> Array:
        """Return the spatial acceleration (6,) of a link at one of its points: [rad/s²], [m/s²] (20).

        Its linear part is a - ω × v, not the acceleration a of the point, which `point` returns. at, frame : as in
        `spatial_velocity`.
        """
        on, point = self.link(link, frame), self.point(link, at, frame)
        if point.acceleration is None:
            raise InputError("A spatial acceleration needs u and udot. Give both: ap.kinematics(figure, q, u, udot).")
        return motion(on.angular_acceleration, point.acceleration - cross(on.angular_velocity, point.velocity))

    def centre(self, link: str, frame: str = "world") -> PointView:
        """Return the motion of a link's centre of mass."""
        return self.point(link, self.figure.links[self.figure.link_index(link)].centre, frame)

    def marker(self, name: str) -> Array:
        """Return the position of a point marker, or the direction of a direction marker, in the world (3,)."""
        return self.marker_motion(name).position

    def marker_motion(self, name: str, frame: str = "world") -> PointView:
        """Return a marker and its first and second derivative (13)-(19)."""
        marker = self.figure.marker(name)
        if not hasattr(marker, "direction"):
            return self.point(marker.link, marker.point, frame)
        on = self.link(marker.link)
        return PointView(*_in_frame(frame, on.rotation, _carried(on, marker.direction)))


def _carried(on: LinkView, s: Array) -> tuple[Any, Any, Any]:
    """Return r = C s and its derivatives ω × r and α × r + ω × (ω × r), for s fixed in the link."""
    r, w, alpha = matvec(on.rotation, s), on.angular_velocity, on.angular_acceleration
    if w is None:
        return r, None, None
    rate = cross(w, r)
    return r, rate, None if alpha is None else cross(alpha, r) + cross(w, rate)


def _in_frame(frame: str, rotation: Array, vectors: Any) -> Any:
    """Return vectors in the components of the world, or of the link."""
    if frame not in FRAMES:
        raise InputError(f"No frame '{frame}'.{did_you_mean(frame, FRAMES)} Choose: {', '.join(FRAMES)}.")
    back = transpose(rotation)
    return vectors if frame == "world" else [None if v is None else matvec(back, v) for v in vectors]
