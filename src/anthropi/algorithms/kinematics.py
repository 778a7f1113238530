"""Where is everything, how fast does it move, how does its speed change? One outward pass in world components.

With d = p_i - p_λ, ω_J, s = spin in the child's frame, slide in the joint frame, C_J = C_λ C_place:

    C_i = C_λ C_place C(q)                                                     (2)
    p_i = p_λ + C_λ (p_place + C_place p(q))                                   (3)
    ω_i = ω_λ + C_i spin                                                       (6), (7)
    v_i = v_λ + ω_λ × d + C_J slide                                            (8)
    α_i = α_λ + C_i spin' + ω_λ × C_i spin                                     (10)
    a_i = a_λ + α_λ × d + ω_λ × (ω_λ × d) + C_J slide' + 2 ω_λ × C_J slide     (11)

Numbers are those of spec "Joint Motion". A point at s in link i: p + C s, v + ω × s …: (4), (9), (12), (13)-(16);
a direction: (17)-(19).
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algorithms.shapes import algorithm

__all__ = [
    "Kinematics", "direction", "direction_acceleration", "direction_velocity", "kinematics", "point_acceleration",
    "point_position", "point_velocity",
]  # fmt: skip


class Kinematics(NamedTuple):
    """Poses and motions of all links, in world components; link i is row i.

    rotation C_Wi (n, 3, 3); position p_i (n, 3) [m] of the link's origin; angular_velocity, velocity (n, 3) of the
    origin [rad/s, m/s]; angular_acceleration, acceleration (n, 3) of the origin [rad/s², m/s²].
    None where u or udot was not given.
    """

    rotation: Any
    position: Any
    angular_velocity: Any = None
    velocity: Any = None
    angular_acceleration: Any = None
    acceleration: Any = None


@algorithm(q="nq", u="nu", udot="nu")
def kinematics(figure, q, u=None, udot=None) -> Kinematics:
    """Where is every link, and how does it move?

    q (nq,), u (nu,), udot (nu,) → `Kinematics`.
    """
    C: list = []
    p: list = []
    w: list = []
    v: list = []
    alpha: list = []
    a: list = []
    still = np.zeros(3)
    for i, parent, joint in figure.outward():
        at, of = figure.q_of[i], figure.u_of[i]
        pose, place = joint.transform(q[at]), joint.placement
        if parent < 0:
            C_J, p_J, before = place.rotation, place.origin, None
        else:
            C_J = C[parent] @ place.rotation
            p_J = p[parent] + matvec(C[parent], place.origin)
            before = parent
        C.append(C_J @ pose.rotation)  # (2)
        p.append(p_J + matvec(C_J, pose.origin))  # (3)
        if u is None:
            continue
        w0, v0 = (still, still) if before is None else (w[before], v[before])
        d = still if before is None else p[i] - p[before]
        spin = matvec(C[i], joint.spin(q[at], u[of])) if joint.nu else still
        slide = matvec(C_J, joint.slide(q[at], u[of])) if joint.nu else still
        w.append(w0 + spin)  # (6), (7)
        swing = np.cross(w0, d)
        v.append(v0 + swing + slide)  # (8)
        if udot is None:
            continue
        alpha0, a0 = (still, still) if before is None else (alpha[before], a[before])
        spin_rate = matvec(C[i], joint.spin_rate(q[at], u[of], udot[of])) if joint.nu else still
        slide_rate = matvec(C_J, joint.slide_rate(q[at], u[of], udot[of])) if joint.nu else still
        alpha.append(alpha0 + spin_rate + np.cross(w0, spin))  # (10)
        a.append(a0 + np.cross(alpha0, d) + np.cross(w0, swing + 2.0 * slide) + slide_rate)  # (11)
    rows = [np.stack(x) if x else None for x in (C, p, w, v, alpha, a)]
    return Kinematics(*rows)


def point_position(k: Kinematics, i: int, s):
    """Where is the point s (3,) of link i? p + C s, (4), (14). World [m]"""
    return k.position[i] + matvec(k.rotation[i], s)


def point_velocity(k: Kinematics, i: int, s):
    """How fast is the point s (3,) of link i? v + ω × C s, (9), (15). World [m/s]"""
    return k.velocity[i] + np.cross(k.angular_velocity[i], matvec(k.rotation[i], s))


def point_acceleration(k: Kinematics, i: int, s):
    """How does that velocity change? a + α × C s + ω × (ω × C s), (12), (16). World [m/s²]"""
    r, w = matvec(k.rotation[i], s), k.angular_velocity[i]
    return k.acceleration[i] + np.cross(k.angular_acceleration[i], r) + np.cross(w, np.cross(w, r))


def direction(k: Kinematics, i: int, e):
    """Where does the direction e (3,) of link i point? C e, (17)."""
    return matvec(k.rotation[i], e)


def direction_velocity(k: Kinematics, i: int, e):
    """How does it turn? ω × C e, (18). [1/s]"""
    return np.cross(k.angular_velocity[i], matvec(k.rotation[i], e))


def direction_acceleration(k: Kinematics, i: int, e):
    """And how does that change? α × C e + ω × (ω × C e), (19). [1/s²]"""
    r, w = matvec(k.rotation[i], e), k.angular_velocity[i]
    return np.cross(k.angular_acceleration[i], r) + np.cross(w, np.cross(w, r))
