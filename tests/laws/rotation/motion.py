"""Laws of rates and accelerations: sections 7 and 8 of docs/equations/rotations.md.

Ċ and C̈ come from the tape's forward sweep.
"""

import math

import numpy as np

import anthropi.algebra.rotation as R  # noqa: N812
from anthropi.algebra.scalar import cos, sin
from laws.rotation.law import along, law
from laws.rotation.samples import AXIS, CARDAN, PROPER, REGULAR, STEP, TURN, VECTOR, number, turn

I3 = np.eye(3)
ZERO = np.zeros(3)
FRAMES = ("global", "local")


def quaternion(r):
    return R.quaternion_from_rotation_vector(r)


def both_frames(C, Cdot):
    """I_w and B_w of a moving matrix."""
    return [R.angular_velocity_from_matrix_rate(C, Cdot, frame) for frame in FRAMES]


# 7 first order


@law("C.w", r=TURN, w=VECTOR)
def matrix_rates(r, w):
    C = R.exp(r)
    Cdot = R.matrix_rate_from_angular_velocity(C, w)
    world, local = both_frames(C, Cdot)
    return [
        (Cdot, R.skew(w) @ C), (world, w), (local, C.T @ w), (R.skew(w), C @ R.skew(local) @ C.T),
        (R.matrix_rate_from_angular_velocity(C, local, "local"), Cdot), (C @ R.skew(local), Cdot),
    ]  # fmt: skip


@law("C.winv", r=TURN, w=VECTOR)
def the_inverse_turns_the_other_way(r, w):
    C_BI, Cdot_BI = R.exp(r), R.matrix_rate_from_angular_velocity(R.exp(r), w)  # w = B_w_BI
    _, of_inverse = both_frames(C_BI.T, Cdot_BI.T)  # B_w_IB
    return [(of_inverse, -w)]


@law("C.wcomp", a=TURN, b=TURN, c=TURN, u=VECTOR, v=VECTOR, w=VECTOR)
def angular_velocities_add(a, b, c, u, v, w):
    A, B, C = R.exp(a), R.exp(b), R.exp(c)  # C_AB, C_BC, C_CD; u, v, w the local velocities
    rates = [R.matrix_rate_from_angular_velocity(X, x, "local") for X, x in ((A, u), (B, v), (C, w))]
    total = rates[0] @ B @ C + A @ rates[1] @ C + A @ B @ rates[2]
    return [(R.angular_velocity_from_matrix_rate(A @ B @ C, total, "local"), C.T @ (B.T @ u) + C.T @ v + w)]


@law("C.qrate", r=TURN, w=VECTOR)
def quaternion_rates(r, w):
    q, pairs = quaternion(r), []
    for k, frame in enumerate(FRAMES):
        qdot = R.quaternion_rate_from_angular_velocity(q, w, frame)
        Cdot = along(R.matrix_from_quaternion, (q,), (qdot,))
        pairs += [(R.angular_velocity_from_quaternion_rate(q, qdot, frame), w), (q @ qdot, 0.0),
                  (both_frames(R.matrix_from_quaternion(q), Cdot)[k], w)]  # fmt: skip
    return pairs


@law("C.Hexp", r=TURN)
def the_matrices_H(r):
    q = quaternion(r)
    w, x, y, z = q
    H, H_bar = R.quaternion_H(q), R.quaternion_H_bar(q)
    return [
        (H, np.array([[-x, w, -z, y], [-y, z, w, -x], [-z, -y, x, w]])),
        (H_bar, np.array([[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]])),
        (H @ H_bar.T, R.matrix_from_quaternion(q)), (H @ H.T, I3), (H_bar @ H_bar.T, I3),
    ]  # fmt: skip


NOT_ZERO = number(0.3, 6.0, math.pi - 1e-9, math.pi)


@law("C.aarate", theta=number(0.0, 6.28, 0.0, 1e-8, math.pi, 2 * math.pi), n=AXIS, m=VECTOR, thd=number(-2.0, 2.0))
def angle_axis_rates(theta, n, m, thd):
    nd, pairs = np.cross(n, m), []  # any rate that keeps ‖n‖ = 1
    Cdot = along(R.matrix_from_angle_axis, (theta, n), (thd, nd))
    C = R.matrix_from_angle_axis(theta, n)
    for k, frame in enumerate(FRAMES):
        w = R.angular_velocity_from_angle_axis_rate(theta, n, thd, nd, frame)
        sign = 1.0 if frame == "global" else -1.0
        printed = n * thd + nd * sin(theta) + sign * np.cross(n, nd) * (1.0 - cos(theta))
        pairs += [(both_frames(C, Cdot)[k], w), (w, printed)]
    return pairs


@law("C.aainv", theta=NOT_ZERO, n=AXIS, w=VECTOR)
def angle_axis_rates_from_angular_velocity(theta, n, w):
    pairs, S = [], R.skew(n)
    k = sin(theta) / (2.0 * (1.0 - cos(theta)))
    for frame in FRAMES:
        thd, nd = R.angle_axis_rate_from_angular_velocity(theta, n, w, frame)
        half = -0.5 if frame == "global" else 0.5
        pairs += [(R.angular_velocity_from_angle_axis_rate(theta, n, thd, nd, frame), w), (thd, n @ w),
                  (nd, -k * S @ (S @ w) + half * S @ w), (n @ nd, 0.0)]  # fmt: skip
    return pairs


@law("C.domain", r=turn(2 * math.pi + 0.3, 4 * math.pi - 0.3), n=AXIS, w=VECTOR, tol=1e-12)  # erratum 10: not only 0
def rates_are_singular_at_whole_turns_only(r, n, w):
    pairs = [(R.J_determinant(2 * math.pi * n), 0.0), (R.J_determinant(0.0 * n), 1.0)]
    theta, axis = R.angle_axis_from_rotation_vector(r)
    for frame in FRAMES:
        rdot = R.rotation_vector_rate_from_angular_velocity(r, w, frame)
        rates = R.angle_axis_rate_from_angular_velocity(theta, axis, w, frame)
        pairs += [(R.angular_velocity_from_rotation_vector_rate(r, rdot, frame), w),
                  (R.angular_velocity_from_angle_axis_rate(theta, axis, *rates, frame), w)]  # fmt: skip
    return pairs


@law("C.rvrate", r=REGULAR, w=VECTOR)
def rotation_vector_rates(r, w):
    pairs, S, z = [], R.skew(r), R.zeta(square=r @ r)
    for k, frame in enumerate(FRAMES):
        rdot = R.rotation_vector_rate_from_angular_velocity(r, w, frame)
        Cdot = along(R.exp, (r,), (rdot,))
        gamma = R.exp_derivative(r) if frame == "global" else R.exp_derivative(r).T
        half = -0.5 if frame == "global" else 0.5
        pairs += [(R.angular_velocity_from_rotation_vector_rate(r, rdot, frame), w), (gamma @ rdot, w),
                  (both_frames(R.exp(r), Cdot)[k], w), (rdot, (I3 + half * S + z * S @ S) @ w)]  # fmt: skip
    return pairs


def _zyx_matrices(angles):
    """E and E_B of C, as printed."""
    (sz, sy, sx), (cz, cy, cx) = sin(angles), cos(angles)
    return (np.array([[0.0, -sz, cy * cz], [0.0, cz, cy * sz], [1.0, 0.0, -sy]]),
            np.array([[-sy, 0.0, 1.0], [cy * sx, cx, 0.0], [cx * cy, -sx, 0.0]]))  # fmt: skip


def _moving(angles, rates, order):
    """I_w and B_w of moving Euler angles, by the matrix."""
    function = _EULER.setdefault(order, lambda a: R.matrix_from_euler(a, order))
    return both_frames(function(angles), along(function, (angles,), (rates,)))


_EULER: dict = {}


@law("C.zyxI", "C.zyxB", angles=CARDAN, rates=VECTOR)
def yaw_pitch_roll_rates(angles, rates):
    pairs = []
    for frame, printed, w in zip(FRAMES, _zyx_matrices(angles), _moving(angles, rates, "zyx"), strict=True):
        E = R.euler_rate_matrix(angles, "zyx", frame)
        pairs += [(E, printed), (E @ rates, w), (R.angular_velocity_from_euler_rate(angles, rates, "zyx", frame), w)]
    return [*pairs, (R.euler_rate_determinant(angles, "zyx"), -cos(angles[1]))]


@law("C.A1.1", "C.A1.2", "C.A1.3", "C.A1.4", "C.A1.5", angles=CARDAN, rates=VECTOR)  # erratum 7 in (4): cos y, -sin y
def appendix_1_axes(angles, rates):
    z, y, _ = angles
    e_z, e_y = np.array([0.0, 0.0, 1.0]), np.array([-sin(z), cos(z), 0.0])
    e_x = np.array([cos(y) * cos(z), cos(y) * sin(z), -sin(y)])
    Rz, Ry = R.elementary("z", z), R.elementary("y", y)
    w = R.angular_velocity_from_euler_rate(angles, rates)
    return [
        (w, e_z * rates[0] + e_y * rates[1] + e_x * rates[2]), (Rz @ I3[1], e_y), (Rz @ (Ry @ I3[0]), e_x),
        (R.euler_rate_matrix(angles), np.array([e_z, e_y, e_x]).T),
    ]  # fmt: skip


@law("C.A1.6", "C.A1.7-8", angles=CARDAN, w=VECTOR, tol=1e-12)  # 1 / cos 1.4 = 6, twice
def appendix_1_rates(angles, w):
    E, C = R.euler_rate_matrix(angles), R.matrix_from_euler(angles)
    rates, local = R.euler_rate_from_angular_velocity(angles, w), C.T @ w
    return [(E @ rates, w), (R.euler_rate_matrix(angles, "zyx", "local"), C.T @ E),
            (R.euler_rate_from_angular_velocity(angles, local, "zyx", "local"), rates),
            (R.euler_rate_matrix_inverse(angles) @ (C @ local), rates)]  # fmt: skip


@law("C.zyxIinv", "C.zyxBinv", angles=CARDAN, w=VECTOR, tol=1e-12)
def yaw_pitch_roll_rates_from_angular_velocity(angles, w):
    (sz, sy, sx), (cz, cy, cx) = sin(angles), cos(angles)
    world = np.array([[cz * sy / cy, sy * sz / cy, 1.0], [-sz, cz, 0.0], [cz / cy, sz / cy, 0.0]])
    local = np.array([[0.0, sx / cy, cx / cy], [0.0, cx, -sx], [1.0, sx * sy / cy, cx * sy / cy]])
    return [
        (R.euler_rate_matrix_inverse(angles, "zyx"), world), (R.euler_rate_from_angular_velocity(angles, w), world @ w),
        (R.euler_rate_matrix_inverse(angles, "zyx", "local"), local),
        (R.euler_rate_from_angular_velocity(angles, w, "zyx", "local"), local @ w),
    ]  # fmt: skip


@law("C.xyzrate", angles=CARDAN, rates=VECTOR, tol=1e-12)
def roll_pitch_yaw_rates(angles, rates):
    (sx, sy, sz), (cx, cy, cz) = sin(angles), cos(angles)
    ty = sy / cy
    world, local = R.euler_rate_matrix(angles, "xyz"), R.euler_rate_matrix(angles, "xyz", "local")
    w = _moving(angles, rates, "xyz")
    return [
        (world, np.array([[1.0, 0.0, sy], [0.0, cx, -cy * sx], [0.0, sx, cx * cy]])),
        (local, np.array([[cy * cz, sz, 0.0], [-cy * sz, cz, 0.0], [sy, 0.0, 1.0]])),
        (world @ rates, w[0]), (local @ rates, w[1]), (R.euler_rate_determinant(angles, "xyz"), cy),
        (R.euler_rate_matrix_inverse(angles, "xyz"),
         np.array([[1.0, sx * ty, -cx * ty], [0.0, cx, sx], [0.0, -sx / cy, cx / cy]])),
        (R.euler_rate_matrix_inverse(angles, "xyz", "local"),
         np.array([[cz / cy, -sz / cy, 0.0], [sz, cz, 0.0], [-ty * cz, ty * sz, 1.0]])),
    ]  # fmt: skip


@law("C.X-euler-rates", three=CARDAN, two=PROPER, rates=VECTOR, accelerations=VECTOR, tol=1e-12)
def all_twelve_orders_move(three, two, rates, accelerations):
    pairs = []
    for order in R.EULER_ORDERS:
        angles = two if order[0] == order[2] else three
        for frame, w in zip(FRAMES, _moving(angles, rates, order), strict=True):
            wdot = R.angular_acceleration_from_euler_acceleration(angles, rates, accelerations, order, frame)
            back = R.euler_acceleration_from_angular_acceleration(angles, rates, wdot, order, frame)
            pairs += [(R.angular_velocity_from_euler_rate(angles, rates, order, frame), w), (back, accelerations),
                      (R.euler_rate_from_angular_velocity(angles, w, order, frame), rates)]  # fmt: skip
    return pairs


# 8 second order


def _body(r, rdot):
    return R.angular_velocity_from_rotation_vector_rate(r, rdot, "local")


def _world(r, rdot):
    return R.angular_velocity_from_rotation_vector_rate(r, rdot)


@law("K.35", r=TURN, rdot=VECTOR, rddot=VECTOR)
def angular_acceleration_of_a_rotation_vector(r, rdot, rddot):
    acceleration = R.angular_acceleration_from_rotation_vector_acceleration
    return [(acceleration(r, rdot, rddot, "local"), along(_body, (r, rdot), (rdot, rddot))),
            (acceleration(r, rdot, rddot), along(_world, (r, rdot), (rdot, rddot)))]  # fmt: skip


def _acceleration_round_trip(r, w, wdot, frame):
    rdot = R.rotation_vector_rate_from_angular_velocity(r, w, frame)
    rddot = R.rotation_vector_acceleration_from_angular_acceleration(r, rdot, w, wdot, frame)
    return [(R.angular_acceleration_from_rotation_vector_acceleration(r, rdot, rddot, frame), wdot),
            (rddot, along(_RATES[frame], (r, w), (rdot, wdot)))]  # fmt: skip


def _rate_world(r, w):
    return R.rotation_vector_rate_from_angular_velocity(r, w)


def _rate_body(r, w):
    return R.rotation_vector_rate_from_angular_velocity(r, w, "local")


_RATES = {"global": _rate_world, "local": _rate_body}
CALM = turn(0.0, 5.5, 0.0, 1e-320, 1e-8, math.pi)  # ζ̇ grows as 1 / (2π - θ)³


@law("K.39", r=CALM, w=VECTOR, wdot=VECTOR, tol=1e-12)
def acceleration_of_r_local(r, w, wdot):
    return _acceleration_round_trip(r, w, wdot, "local")


@law("K.42", r=CALM, w=VECTOR, wdot=VECTOR, tol=1e-12)
def acceleration_of_r_global(r, w, wdot):
    return _acceleration_round_trip(r, w, wdot, "global")


@law("K.40", "K.40t", "K.40text", r=TURN, rdot=VECTOR, rddot=VECTOR)  # erratum 3: J_b r̈ + J̇_b ṙ
def the_change_of_J_b(r, rdot, rddot):
    wdot = R.angular_acceleration_from_rotation_vector_acceleration(r, rdot, rddot, "local")
    return [(R.J_b_dot_rdot(r, rdot), along(R.J_b, (r,), (rdot,)) @ rdot),
            (R.J_b(r) @ rddot + R.J_b_dot_rdot(r, rdot), wdot)]  # fmt: skip


@law("K.43", r=TURN, rdot=VECTOR, rddot=VECTOR)
def the_change_of_J_s(r, rdot, rddot):
    wdot = R.angular_acceleration_from_rotation_vector_acceleration(r, rdot, rddot)
    return [(R.J_s_dot_rdot(r, rdot), along(R.J_s, (r,), (rdot,)) @ rdot),
            (R.J_s(r) @ rddot + R.J_s_dot_rdot(r, rdot), wdot)]  # fmt: skip


@law("K.41", r=CALM, w=VECTOR, wdot=VECTOR, tol=1e-12)
def the_change_of_G_b(r, w, wdot):
    rdot = R.G_b(r) @ w
    change = R.G_b_dot_w(r, rdot, w)
    rddot = R.rotation_vector_acceleration_from_angular_acceleration(r, rdot, w, wdot, "local")
    return [(change, along(R.G_b, (r,), (rdot,)) @ w), (R.G_b(r) @ wdot + change, rddot)]


@law("K.44", r=CALM, w=VECTOR, wdot=VECTOR, tol=1e-12)
def the_change_of_G_s(r, w, wdot):
    rdot = R.G_s(r) @ w
    change = R.G_s_dot_w(r, rdot, w)
    rddot = R.rotation_vector_acceleration_from_angular_acceleration(r, rdot, w, wdot)
    return [(change, along(R.G_s, (r,), (rdot,)) @ w), (R.G_s(r) @ wdot + change, rddot)]


@law("C.wdot", r=TURN, rdot=VECTOR, rddot=VECTOR)
def the_two_angular_accelerations(r, rdot, rddot):
    acceleration = R.angular_acceleration_from_rotation_vector_acceleration
    return [(R.exp(r) @ acceleration(r, rdot, rddot, "local"), acceleration(r, rdot, rddot))]


@law("C.X-matrix", r=TURN, w=VECTOR, wdot=VECTOR)
def matrix_accelerations(r, w, wdot):
    C, pairs = R.exp(r), []
    for frame in FRAMES:
        Cdot = R.matrix_rate_from_angular_velocity(C, w, frame)
        Cddot = R.matrix_acceleration_from_angular_acceleration(C, w, wdot, frame)
        pairs += [(R.angular_acceleration_from_matrix_acceleration(C, Cddot, frame), wdot),
                  (Cddot, along(_MATRIX_RATES[frame], (C, w), (Cdot, wdot)))]  # fmt: skip
    return pairs


_MATRIX_RATES = {
    "global": lambda C, w: R.matrix_rate_from_angular_velocity(C, w),
    "local": lambda C, w: R.matrix_rate_from_angular_velocity(C, w, "local"),
}


@law("C.qdd", r=TURN, w=VECTOR, wdot=VECTOR)
def quaternion_accelerations(r, w, wdot):
    q, pairs = quaternion(r), []
    for frame in FRAMES:
        qdot = R.quaternion_rate_from_angular_velocity(q, w, frame)
        qddot = R.quaternion_acceleration_from_angular_acceleration(q, w, wdot, frame)
        pairs += [(R.angular_acceleration_from_quaternion_acceleration(q, qddot, frame), wdot),
                  (qddot, along(_QUATERNION_RATES[frame], (q, w), (qdot, wdot)))]  # fmt: skip
    return pairs


_QUATERNION_RATES = {
    "global": lambda q, w: R.quaternion_rate_from_angular_velocity(q, w),
    "local": lambda q, w: R.quaternion_rate_from_angular_velocity(q, w, "local"),
}


@law("C.aadd", theta=number(0.4, 5.8, math.pi), n=AXIS, w=VECTOR, wdot=VECTOR, tol=1e-12)  # 1 / sin² 0.2 = 25
def angle_axis_accelerations(theta, n, w, wdot):
    pairs = []
    for frame in FRAMES:
        rates = R.angle_axis_rate_from_angular_velocity(theta, n, w, frame)
        seconds = R.angle_axis_acceleration_from_angular_acceleration(theta, n, w, wdot, frame)
        back = R.angular_acceleration_from_angle_axis_acceleration(theta, n, *rates, *seconds, frame)
        swept = along(_AXIS_RATES[frame], (theta, n, *rates), (*rates, *seconds))
        pairs += [(back, wdot), (swept, wdot)]
    return pairs


_AXIS_RATES = {
    "global": lambda theta, n, thd, nd: R.angular_velocity_from_angle_axis_rate(theta, n, thd, nd),
    "local": lambda theta, n, thd, nd: R.angular_velocity_from_angle_axis_rate(theta, n, thd, nd, "local"),
}


@law("C.zyxacc", angles=CARDAN, rates=VECTOR, accelerations=VECTOR)
def yaw_pitch_roll_accelerations(angles, rates, accelerations):
    (sz, sy, sx), (cz, cy, cx), (zd, yd, xd) = sin(angles), cos(angles), rates
    world = np.array([[0.0, -cz * zd, -sy * cz * yd - cy * sz * zd], [0.0, -sz * zd, -sy * sz * yd + cy * cz * zd],
                      [0.0, 0.0, -cy * yd]])  # fmt: skip
    local = np.array([[-cy * yd, 0.0, 0.0], [-sy * sx * yd + cy * cx * xd, -sx * xd, 0.0],
                      [-sx * cy * xd - cx * sy * yd, -cx * xd, 0.0]])  # fmt: skip
    return _euler_accelerations(angles, rates, accelerations, "zyx", (world, local))


@law("C.xyzacc", angles=CARDAN, rates=VECTOR, accelerations=VECTOR)
def roll_pitch_yaw_accelerations(angles, rates, accelerations):
    (sx, sy, sz), (cx, cy, cz), (xd, yd, zd) = sin(angles), cos(angles), rates
    world = np.array([[0.0, 0.0, cy * yd], [0.0, -sx * xd, sy * sx * yd - cy * cx * xd],
                      [0.0, cx * xd, -sx * cy * xd - cx * sy * yd]])  # fmt: skip
    local = np.array([[-sy * cz * yd - cy * sz * zd, cz * zd, 0.0], [sy * sz * yd - cy * cz * zd, -sz * zd, 0.0],
                      [cy * yd, 0.0, 0.0]])  # fmt: skip
    return _euler_accelerations(angles, rates, accelerations, "xyz", (world, local))


def _euler_accelerations(angles, rates, accelerations, order, printed):
    pairs = []
    for frame, Ed in zip(FRAMES, printed, strict=True):
        E = R.euler_rate_matrix(angles, order, frame)
        wdot = R.angular_acceleration_from_euler_acceleration(angles, rates, accelerations, order, frame)
        pairs += [
            (R.euler_rate_matrix_derivative(angles, rates, order, frame), Ed),
            (wdot, E @ accelerations + Ed @ rates),
        ]
    return pairs


@law("C.X-steps", r=TURN, w=VECTOR, dt=STEP)
def a_step_is_exact_at_constant_velocity(r, w, dt):
    half = R.integrate(R.integrate(R.exp(r), w, dt / 2.0), w, dt / 2.0)
    return [(half, R.integrate(R.exp(r), w, dt))]
