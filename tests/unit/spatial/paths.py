"""Motions whose velocities are known in closed form, to differentiate: a body on a path, a chain of three joints."""

import numpy as np

from anthropi.algebra import spatial as sp
from anthropi.algebra.scalar import cos, sin


def about_z(a):
    s, c = sin(a), cos(a)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def about_x(a):
    s, c = sin(a), cos(a)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def rotation(t):
    """C_OP of the body at time t."""
    return about_z(0.3 + 0.7 * t + 0.2 * t * t) @ about_x(0.1 - 0.4 * t + 0.3 * t * t)


def spin(t):
    """ω of the body in O."""
    return np.array([0.0, 0.0, 0.7 + 0.4 * t]) + about_z(0.3 + 0.7 * t + 0.2 * t * t) @ np.array(
        [-0.4 + 0.6 * t, 0.0, 0.0]
    )


def place(t):
    """r of one of the body's points (the origin of P) in O."""
    return np.array([0.5 + 0.2 * t * t, -0.3 * t, 0.8 + 0.1 * t * t * t])


def speed(t):
    """r' of that point."""
    return np.array([0.4 * t, -0.3, 0.3 * t * t])


def pose(t):
    return sp.Transform(rotation(t), place(t))


def velocity(t):
    """The spatial velocity of the body in O: [ω; r' + r×ω] (1.9)."""
    w, r = spin(t), place(t)
    return sp.motion(w, speed(t) + np.cross(r, w))


# a chain on a fixed base: revolute, prismatic, screw, each along z of its frame

PLACES = [sp.Transform(about_x(0.4), np.array([0.1, 0.0, 0.3])),
          sp.Transform(about_x(-0.9) @ about_z(0.5), np.array([0.0, 0.2, 0.4])),
          sp.Transform(about_z(1.1) @ about_x(0.7), np.array([0.3, -0.1, 0.2]))]  # fmt: skip
PITCH = 0.15
Z, ORIGIN = np.array([0.0, 0.0, 1.0]), np.zeros(3)
LOCAL = [sp.revolute(Z, ORIGIN), sp.prismatic(Z), sp.helical(Z, ORIGIN, PITCH)]


def angles(t):
    return [0.2 + 0.5 * t - 0.3 * t * t, 0.1 - 0.2 * t + 0.4 * t * t, -0.3 + 0.6 * t + 0.1 * t * t * t]


def angle_rates(t):
    return [0.5 - 0.6 * t, -0.2 + 0.8 * t, 0.6 + 0.3 * t * t]


def axes(t):
    """s_i of the joints in the base's coordinates."""
    found, X = [], sp.identity()
    for place, local, q, kind in zip(PLACES, LOCAL, angles(t), "rph", strict=True):
        X = X @ place
        found.append(X.act_motion(local))
        slide = {"r": 0.0, "p": q, "h": PITCH * q}[kind]
        X = X @ sp.Transform(np.eye(3) if kind == "p" else about_z(q), np.array([0.0, 0.0, slide]))
    return np.stack(found)


def chain_velocities(t):
    """v_j = Σ s_i q'_i of the three links (4.4.4)."""
    s, total, found = axes(t), np.zeros(6), []
    for i, dq in enumerate(angle_rates(t)):
        total = total + s[i] * dq
        found.append(total)
    return np.stack(found)


def chain_tip(t):
    """The pose of the last link in the base's coordinates."""
    X = sp.identity()
    for place, q, kind in zip(PLACES, angles(t), "rph", strict=True):
        slide = {"r": 0.0, "p": q, "h": PITCH * q}[kind]
        X = X @ place @ sp.Transform(np.eye(3) if kind == "p" else about_z(q), np.array([0.0, 0.0, slide]))
    return X
