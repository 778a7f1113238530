"""Velocities, accelerations and derivatives in moving frames (thesis 1.3, 1.9, 1.10, 1.13).

    velocity of a point Q       v_Q = v_P + ω × PQ = v_P + QP × ω             (1)  thesis 4.7
    spatial acceleration        a = d/dt [ω; v₀] = [ω'; r'' + r'×ω + r×ω']    (2)  thesis 4.8
    acceleration of a point     r'' = a_lin + ω'×r + ω×(v + ω×r)              (3)
    derivative of a vector      d/dt m = d'/dt m + v × m                      (4)  thesis 4.19, 4.20
    turning                     r'' - p'' = B (r - p),  B = ω'× + ω× ω×       (5)  for two points of a body

with d'/dt the rate of the components in a frame that moves with v.
"""

import numpy as np

from anthropi.algebra.linear import stacked
from anthropi.algebra.spatial.vectors import cross_force, cross_motion, motion

__all__ = ["acceleration_of_point", "force_rate", "motion_rate", "spatial_acceleration", "turning", "velocity_of_point"]


def velocity_of_point(v, point):
    """Return the velocity (…, 3) [m/s] of the body's point at `point` (…, 3), for the body's motion v (1)."""
    return v[..., 3:] + np.cross(v[..., :3], point)


def acceleration_of_point(a, v, point):
    """Return the ordinary acceleration (…, 3) [m/s²] of the body's point at `point` (…, 3) (3)."""
    w = v[..., :3]
    return a[..., 3:] + np.cross(a[..., :3], point) + np.cross(w, velocity_of_point(v, point))


def spatial_acceleration(w, dw, r, dr, ddr):
    """Return the spatial acceleration (…, 6) of a body, in stationary coordinates (2).

    w, dw : its angular velocity and acceleration. r, dr, ddr : position, velocity and ordinary acceleration of one
    of its points. All (…, 3), in the same frame.
    """
    return motion(dw, ddr + np.cross(dr, w) + np.cross(r, dw))


def turning(w, dw):
    """Return B (…, 3, 3) [1/s²], which takes an arm between two points of a body to how their accelerations differ (5).

    w, dw : (…, 3) the body's angular velocity and acceleration.
    """
    x, y, z = (w[..., k][()] for k in range(3))
    a, b, c = (dw[..., k][()] for k in range(3))
    xx, xy, xz, yy, yz, zz = x * x, x * y, x * z, y * y, y * z, z * z
    rows = [[-(yy + zz), xy - c, xz + b], [xy + c, -(xx + zz), yz - a], [xz - b, yz + a, -(xx + yy)]]
    return stacked([stacked(row) for row in rows], axis=-2)


def motion_rate(relative, v, m):
    """Return dm/dt of a motion vector m, from its component-wise rate in a frame that moves with v (4)."""
    return relative + cross_motion(v, m)


def force_rate(relative, v, f):
    """Return df/dt of a force vector f, from its component-wise rate in a frame that moves with v (4)."""
    return relative + cross_force(v, f)
