"""Laws of the spherical joint, homogeneous transforms and point velocities.

Sections 9 and 10 of docs/equations/rotations.md.
"""

import math

import numpy as np

import anthropi.algebra.rotation as R  # noqa: N812
from anthropi.algebra.scalar import cos, maximum, sqrt
from laws.rotation.law import along, law
from laws.rotation.samples import AXIS, FAR, LONG, TURN, VECTOR, number, turn

I3 = np.eye(3)
PI = math.pi
PHI = number(0.1, 3.0)


# 9 the reach cone


def coefficients(t2):
    return R.alpha(square=t2), R.beta(square=t2), R.gamma(square=t2)


@law("K.50", r=TURN, p=AXIS, phi=PHI)
def the_limit(r, p, phi):
    t2, b, s = r @ r, R.beta(square=r @ r), r @ p
    g = R.reach_cone(r, p, phi)
    return [(g, p @ (R.exp(r) @ p) - cos(phi)), (g, cos(sqrt(t2)) + b * s * s - cos(phi))]


def _g(r, p):
    return R.reach_cone(r, p, 1.0)


@law("K.54", r=TURN, p=AXIS, d=VECTOR)
def the_differential(r, p, d):
    C, J = R.exp(r), R.J_b(r)
    swept = along(_g, (r, p), (d, np.zeros(3)))
    return [(swept, p @ (C @ R.skew(J @ d) @ p)), (swept, (J.T @ (R.skew(p) @ (C.T @ p))) @ d),
            (swept, R.reach_cone_gradient(r, p) @ d)]  # fmt: skip


@law("K.58", "K.59", "K.60", r=TURN, p=AXIS)
def the_gradient(r, p):
    a, b, c = coefficients(r @ r)
    s, J, S = r @ p, R.J_b(r), R.skew(r)
    gradient = R.reach_cone_gradient(r, p)
    inner = a * np.cross(p, np.cross(p, r)) + b * s * np.cross(p, r)
    return [(gradient, J.T @ (R.skew(p) @ (R.exp(r).T @ p))), (gradient, (a * I3 + b * S + c * np.outer(r, r)) @ inner),
            (gradient, 2.0 * b * s * p - ((b * b - a * c) * s * s + a) * r)]  # fmt: skip


@law("K.61", r=turn(0.2, 6.0, PI), p=AXIS)
def the_gradient_on_the_limit(r, p):
    t2 = r @ r
    a, b, _ = coefficients(t2)
    cos_phi = cos(sqrt(t2)) + b * (r @ p) ** 2  # the cone that r lies on
    printed = 2.0 * b * (r @ p) * p - (2.0 * R.zeta(square=t2) * (cos_phi - cos(sqrt(t2))) + a) * r
    return [(R.reach_cone_gradient(r, p), printed), (b * b - a * R.gamma(square=t2), 2.0 * b * R.zeta(square=t2)),
            (b * b - a * R.gamma(square=t2), -R.d_beta(square=t2))]  # fmt: skip


@law("K.X-impulse", r=TURN, p=AXIS)
def the_moment_of_the_impulse(r, p):
    C = R.exp(r)
    local, world = R.reach_cone_moment(r, p), R.reach_cone_moment(r, p, "global")
    return [(R.reach_cone_gradient(r, p), R.J_b(r).T @ local), (R.reach_cone_gradient(r, p), R.J_s(r).T @ world),
            (C @ local, world), (R.reach_cone_moment(r * 0.0, p), np.zeros(3))]  # fmt: skip


# 9 other charts


@law("K.66", r=LONG)
def the_next_chart(r):
    theta = sqrt(r @ r)
    moved = R.change_chart(r)
    return [(moved, (1.0 - 2.0 * PI / theta) * r), (R.exp(moved), R.exp(r)), (R.chart_number(r), -1.0),
            (maximum(sqrt(moved @ moved) - PI, 0.0), 0.0)]  # fmt: skip


@law("K.68", "K.66n", r=FAR, near=turn(0.0, PI - 1e-6, 0.0, 1e-320, PI - 1e-6))
def all_other_charts(r, near):
    moved = R.change_chart(r)
    return [(R.exp(moved), R.exp(r)), (maximum(sqrt(moved @ moved) - PI, 0.0), 0.0), (R.change_chart(near), near),
            (R.chart_number(near), 0.0), (moved, (1.0 + 2.0 * R.chart_number(r) * PI / sqrt(r @ r)) * r)]  # fmt: skip


@law("K.69", "K.70", r=LONG, rdot=VECTOR, rddot=VECTOR)
def motion_in_the_next_chart(r, rdot, rddot):
    theta, s = sqrt(r @ r), r @ rdot
    eta = 1.0 - 2.0 * PI / theta
    _, rate, second = R.change_chart(r, rdot, rddot)
    inner = (rdot @ rdot + r @ rddot) / theta**3 - 3.0 * s * s / theta**5
    return [(rate, eta * rdot + 2.0 * PI * s / theta**3 * r), (rate, R.change_chart(r, rdot)[1]),
            (second, eta * rddot + 4.0 * PI * s / theta**3 * rdot + 2.0 * PI * inner * r)]  # fmt: skip


def _J_other(r, n):
    """J_b' of K.75, for any n."""
    theta, S = sqrt(r @ r), R.skew(r)
    eta = 1.0 + 2.0 * PI * n / theta
    b, c = R.beta(square=r @ r), R.gamma(square=r @ r)
    return I3 - b / eta * S + (c + 2.0 * PI * n / theta**3) / eta * S @ S


ETA = turn(PI + 1e-6, 5.8, PI + 1e-6)  # η away from 0, at 2π


@law("K.75", r=ETA)
def the_jacobian_in_the_next_chart(r):
    return [(R.J_b(R.change_chart(r)), _J_other(r, -1.0))]


@law("K.76", r=ETA, tau=VECTOR, rdot=VECTOR, tol=1e-12)
def torque_in_the_next_chart(r, tau, rdot):
    theta, S = sqrt(r @ r), R.skew(r)
    eta = 1.0 - 2.0 * PI / theta
    moved, rate = R.change_chart(r, rdot)
    there = R.change_chart_torque(r, tau)
    return [(there, R.J_b(moved).T @ (R.G_b(r).T @ tau)), (there, tau - 2.0 * PI / (eta * theta**3) * S @ (S @ tau)),
            (there @ rate, tau @ rdot)]  # fmt: skip


def _moved(r):
    return R.change_chart(r)


def _moved_rate(r, rdot):
    return R.change_chart(r, rdot)[1]


FAR_AWAY = turn(3 * PI + 1e-3, 3.7 * PI, 3 * PI + 1e-3)  # n = -2, η away from 0


@law(
    "K.69n-76n", r=FAR_AWAY, rdot=VECTOR, rddot=VECTOR, tau=VECTOR, tol=1e-11
)  # G_b there: 1 / sin(θ/2) up to 8, θ² = 135
def everything_in_any_chart(r, rdot, rddot, tau):
    moved, rate, second = R.change_chart(r, rdot, rddot)
    there = R.change_chart_torque(r, tau)
    return [
        (rate, along(_moved, (r,), (rdot,))), (second, along(_moved_rate, (r, rdot), (rdot, rddot))),
        (R.J_b(moved), _J_other(r, -2.0)), (R.chart_number(r), -2.0), (there, R.J_b(moved).T @ (R.G_b(r).T @ tau)),
        (there @ rate, tau @ rdot), (R.J_b(moved) @ rate, R.J_b(r) @ rdot),
    ]  # fmt: skip


@law("K.X-nearest", r=turn(0.1, PI - 1e-6, PI - 1e-6), d=turn(0.0, 0.5, 0.0))
def logarithms_stay_near_the_last_one(r, d):
    past = r * (1.0 + 0.3 / sqrt(r @ r))  # 0.3 rad further along, maybe beyond π
    back = R.nearest_rotation_vector(R.log(R.exp(past)), r + d)
    return [(back, past), (R.nearest_rotation_vector(r * 0.0, d), np.zeros(3))]


# 10 homogeneous transforms and points


@law("C.homog", r=TURN, p=VECTOR, x=VECTOR)
def homogeneous_transforms(r, p, x):
    C = R.exp(r)
    T = R.homogeneous(C, p)
    inverse = R.homogeneous_inverse(T)
    return [(T @ inverse, np.eye(4)), (R.transform_point(T, x), C @ x + p), (inverse, R.homogeneous(C.T, -(C.T @ p))),
            (R.transform_point(inverse, R.transform_point(T, x)), x), (R.homogeneous_parts(T)[1], p)]  # fmt: skip


def _point(r, origin, x):
    """I_r_IP of a point with components x in B."""
    return R.transform_point(R.homogeneous(R.exp(r), origin), x)


@law("C.vP", "C.vQ", r=TURN, rdot=VECTOR, v=VECTOR, x=VECTOR, xdot=VECTOR)
def point_velocities(r, rdot, v, x, xdot):
    C, w = R.exp(r), R.angular_velocity_from_rotation_vector_rate(r, rdot, "local")
    zero = np.zeros(3)
    moving, fixed = (along(_point, (r, zero, x), (rdot, v, rate)) for rate in (xdot, zero))
    return [(R.point_velocity(C.T @ v, w, x, xdot), C.T @ moving), (R.point_velocity(C.T @ v, w, x), C.T @ fixed)]
