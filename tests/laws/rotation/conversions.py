"""Laws of conversions and of the rotation group: sections 2 to 4 of docs/equations/rotations.md."""

import math

import numpy as np

import anthropi.algebra.rotation as R  # noqa: N812
from anthropi.algebra import scalar
from anthropi.algebra.scalar import atan2, cos, maximum, sin, sqrt
from laws.rotation.conventions import I3, matrix, quaternion, size
from laws.rotation.law import along, law
from laws.rotation.samples import (
    ANGLE,
    AWAY,
    AXIS,
    CARDAN,
    FRACTION,
    SHORT,
    SMALL_ANGLE,
    STEP,
    TURN,
    VECTOR,
    number,
    turn,
)

# 2 and 3 parametrisations and conversions


@law("C.yrange", z=number(-3.0, 3.0), x=number(-3.0, 3.0))  # erratum 9: both ends belong
def pitch_reaches_both_ends(z, x):
    pairs = []
    for order in ("zyx", "xyz"):
        for y in (math.pi / 2, -math.pi / 2):
            C = R.matrix_from_euler(np.array([z, y, x]), order)
            back = R.euler_from_matrix(C, order)
            pairs += [(back[1], y), (R.matrix_from_euler(back, order), C)]
    return pairs


@law("C.qmul", a=TURN, b=TURN)
def quaternion_product(a, b):
    q, p = quaternion(a), quaternion(b)
    v, u = q[1:], p[1:]
    printed = np.array([q[0] * p[0] - v @ u, *(q[0] * u + p[0] * v + np.cross(v, u))])
    qp = R.quaternion_product(q, p)
    return [(qp, printed), (R.quaternion_left(q) @ p, printed), (R.quaternion_right(p) @ q, printed)]


@law("C.q2m", r=TURN)
def matrix_of_a_quaternion(r):
    q = quaternion(r)
    w, v, S = q[0], q[1:], R.skew(q[1:])
    C = R.matrix_from_quaternion(q)
    return [(C, I3 + 2.0 * w * S + 2.0 * S @ S), (C, (2.0 * w * w - 1.0) * I3 + 2.0 * w * S + 2.0 * np.outer(v, v)),
            (C.T, I3 - 2.0 * w * S + 2.0 * S @ S)]  # fmt: skip


@law("C.m2q", r=TURN)
def quaternion_of_a_matrix(r):
    q = R.quaternion_from_matrix(R.exp(r))
    return [(R.matrix_from_quaternion(q), R.exp(r)), (q @ q, 1.0), (maximum(-q[0], 0.0), 0.0)]


@law("C.rv2q", r=AWAY, small=turn(0.0, 1e-8, 0.0, 1e-320, 1e-8))
def quaternion_of_a_rotation_vector(r, small):
    theta = size(r)
    printed = np.array([cos(theta / 2), *(r * sin(theta / 2) / theta)])
    return [(quaternion(r), printed), (quaternion(small), np.array([1.0, *(small / 2)]))]


@law("C.q2rv", r=SHORT)
def rotation_vector_of_a_quaternion(r):
    return [(R.rotation_vector_from_quaternion(quaternion(r)), r)]


@law("C.q2rv-jump", r=turn(0.0, math.pi - 1e-6, 0.0, 1e-320, 1e-8))  # erratum 12: flip the sign first
def the_sign_of_the_quaternion_does_not_matter(r):
    return [(R.rotation_vector_from_quaternion(-quaternion(r)), r)]


@law("C.aa2q", theta=ANGLE, n=AXIS)
def quaternion_of_angle_and_axis(theta, n):
    q = R.quaternion_from_angle_axis(theta, n)
    return [(q, np.array([cos(theta / 2), *(n * sin(theta / 2))])), (R.matrix_from_quaternion(q), R.exp(theta * n))]


@law("C.q2aa", "C.q2aa-range", theta=number(0.0, math.pi - 1e-6, 1e-320, 1e-8), n=AXIS)  # erratum 11
def angle_and_axis_of_a_quaternion(theta, n):
    pairs = []
    for q in (R.quaternion_from_angle_axis(theta, n), -R.quaternion_from_angle_axis(theta, n)):
        angle, axis = R.angle_axis_from_quaternion(q)
        pairs += [(angle, theta), (angle * axis, theta * n), (axis @ axis, 1.0), (maximum(angle - math.pi, 0.0), 0.0)]
    return pairs


@law("C.rv-aa", r=TURN)
def rotation_vector_and_angle_and_axis(r):
    theta, n = R.angle_axis_from_rotation_vector(r)
    return [(R.rotation_vector_from_angle_axis(theta, n), r), (n @ n, 1.0)]


@law("C.rv2m", r=AWAY, small=turn(0.0, 1e-8, 0.0, 1e-320, 1e-8))
def rodrigues_as_printed(r, small):
    theta, S = size(r), R.skew(r)
    printed = I3 + sin(theta) / theta * S + (1.0 - cos(theta)) / (theta * theta) * (S @ S)
    return [(R.matrix_from_rotation_vector(r), printed), (R.exp(small), I3 + R.skew(small))]


@law("K.2a", "K.2b", r=TURN)
def rodrigues_by_coefficients(r):
    S, t2 = R.skew(r), r @ r
    a, b = R.alpha(square=t2), R.beta(square=t2)
    return [(R.exp(r), I3 + a * S + b * S @ S), (R.exp(r), cos(sqrt(t2)) * I3 + a * S + b * np.outer(r, r))]


@law("K.3", "K.4", "K.5", r=SHORT)
def the_logarithm_of_K(r):
    C, back = R.exp(r), R.log(R.exp(r))
    t2 = back @ back
    a, b, c = R.alpha(square=t2), R.beta(square=t2), cos(sqrt(t2))
    skew = np.array([C[2, 1] - C[1, 2], C[0, 2] - C[2, 0], C[1, 0] - C[0, 1]])
    diagonal = np.array([C[0, 0], C[1, 1], C[2, 2]])
    return [(c, (C[0, 0] + C[1, 1] + C[2, 2] - 1.0) / 2.0), (2.0 * a * back, skew), (b * back * back, diagonal - c)]


@law("K.4t", theta=SMALL_ANGLE, tol=1e-9)  # next term 7 θ⁴ / 720 · 1/2 is below 5e-11 here
def the_factor_of_K4_near_0(theta):
    return [(0.5 / R.alpha(theta), 0.5 + theta * theta / 12.0)]


@law("K.pi", n=AXIS)
def the_logarithm_at_half_a_turn(n):
    C = 2.0 * np.outer(n, n) - I3
    r = R.log(C)
    return [(2.0 / math.pi**2 * np.outer(r, r), C + I3), (r @ r, math.pi**2), (R.exp(r), C)]


def _zyx(z, y, x):
    """C Fig. 1 as printed."""
    sz, cz, sy, cy, sx, cx = sin(z), cos(z), sin(y), cos(y), sin(x), cos(x)
    return matrix((cy * cz, cz * sx * sy - cx * sz, sx * sz + cx * cz * sy),
                  (cy * sz, cx * cz + sx * sy * sz, cx * sy * sz - cz * sx), (-sy, cy * sx, cx * cy))  # fmt: skip


def _xyz(x, y, z):
    """C Fig. 2 as printed."""
    sz, cz, sy, cy, sx, cx = sin(z), cos(z), sin(y), cos(y), sin(x), cos(x)
    return matrix((cy * cz, -cy * sz, sy), (cx * sz + cz * sx * sy, cx * cz - sx * sy * sz, -cy * sx),
                  (sx * sz - cx * cz * sy, cz * sx + cx * sy * sz, cx * cy))  # fmt: skip


FIGURE = np.radians([50.0, 25.0, 30.0])


@law("C.zyx2m", angles=CARDAN)
def matrix_of_yaw_pitch_roll(angles):
    return [(R.matrix_from_euler(angles, "zyx"), _zyx(*angles)), (R.matrix_from_euler(FIGURE, "zyx"), _zyx(*FIGURE))]


@law("C.xyz2m", angles=CARDAN)
def matrix_of_roll_pitch_yaw(angles):
    return [(R.matrix_from_euler(angles, "xyz"), _xyz(*angles)), (R.matrix_from_euler(FIGURE, "xyz"), _xyz(*FIGURE))]


@law("C.fig2", x=number(-3.0, 3.0))  # erratum 8: C_x (2, 2) = cos x
def the_x_factor_of_figure_2(x):
    rest = R.elementary("y", 0.4) @ R.elementary("z", -0.7)
    Cx = matrix((1.0, 0.0, 0.0), (0.0, cos(x), -sin(x)), (0.0, sin(x), cos(x)))
    return [(R.matrix_from_euler(np.array([x, 0.4, -0.7]), "xyz"), Cx @ rest)]


@law("C.m2zyx", angles=CARDAN)
def yaw_pitch_roll_of_a_matrix(angles):
    C = R.matrix_from_euler(angles, "zyx")
    level = sqrt(C[0, 0] * C[0, 0] + C[1, 0] * C[1, 0])
    printed = np.array([atan2(C[1, 0], C[0, 0]), atan2(-C[2, 0], level), atan2(C[2, 1], C[2, 2])])
    return [(R.euler_from_matrix(C, "zyx"), printed), (printed, angles)]


@law("C.m2xyz", angles=CARDAN)
def roll_pitch_yaw_of_a_matrix(angles):
    C = R.matrix_from_euler(angles, "xyz")
    level = sqrt(C[0, 0] * C[0, 0] + C[0, 1] * C[0, 1])
    printed = np.array([atan2(-C[1, 2], C[2, 2]), atan2(C[0, 2], level), atan2(-C[0, 1], C[0, 0])])
    return [(R.euler_from_matrix(C, "xyz"), printed), (printed, angles)]


@law("C.gimbal", a=number(-3.0, 3.0), c=number(-3.0, 3.0))
def gimbal_lock(a, c):
    pairs = []
    for order in ("zyx", "xyz"):
        for b in (math.pi / 2, -math.pi / 2):
            C = R.matrix_from_euler(np.array([a, b, c]), order)
            first = atan2(-C[0, 1], C[1, 1]) if order == "zyx" else atan2(C[2, 1], C[1, 1])
            back = R.euler_from_matrix(C, order)
            pairs += [(back, np.array([first, b, 0.0])), (R.matrix_from_euler(back, order), C)]
    return pairs


@law("C.zyx2q", angles=CARDAN)
def quaternion_of_yaw_pitch_roll(angles):
    (sz, sy, sx), (cz, cy, cx) = sin(angles / 2), cos(angles / 2)
    printed = np.array([cx * cy * cz + sx * sy * sz, sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz,
                        cx * cy * sz - sx * sy * cz])  # fmt: skip
    return [(R.quaternion_from_euler(angles, "zyx"), printed)]


@law("C.xyz2q", angles=CARDAN)
def quaternion_of_roll_pitch_yaw(angles):
    (sx, sy, sz), (cx, cy, cz) = sin(angles / 2), cos(angles / 2)
    printed = np.array([cx * cy * cz - sx * sy * sz, sx * cy * cz + cx * sy * sz, cx * sy * cz - sx * cy * sz,
                        cx * cy * sz + sx * sy * cz])  # fmt: skip
    return [(R.quaternion_from_euler(angles, "xyz"), printed)]


# 4 exp, log, box-plus, box-minus, slerp, steps


def _power_series(A):
    """The matrix exponential by its series at A / 64, squared six times."""
    A = A / 64.0
    total, term = I3 + A, A
    for k in range(2, 9):
        term = term @ A / k
        total = total + term
    for _ in range(6):
        total = total @ total
    return total


@law("C.log", r=SHORT, v=TURN)
def exp_and_log(r, v):
    return [(R.exp(v), _power_series(R.skew(v))), (R.log(R.exp(r)), r), (R.log(quaternion(r)), r),
            (R.exp(R.log(R.exp(v))), R.exp(v))]  # fmt: skip


@law("C.box", r=TURN, s=TURN, v=SHORT)
def box_plus_and_box_minus(r, s, v):
    pairs = []
    for kind in (R.exp, quaternion):
        a, b = kind(r), kind(s)
        sign = 1.0 if kind is R.exp else scalar.where(R.product(a, R.inverse(b))[0] < 0.0, -1.0, 1.0)
        pairs += [(R.box_minus(R.box_plus(a, v), a), v), (sign * R.box_plus(b, R.box_minus(a, b)), a)]
    C = R.exp(r)
    forth = R.box_minus(R.box_plus(C, v), C)
    return [*pairs, (forth, -R.box_minus(C, R.box_plus(C, v)))]


@law("C.disc", r=TURN, w=VECTOR, dt=STEP, tol=3e-12)  # roundings of the turn, over dt = 1e-3
def steps_forward_and_the_velocity_between(r, w, dt):
    pairs = []
    for kind in (R.exp, quaternion):
        for frame in ("global", "local"):
            after = R.integrate(kind(r), w, dt, frame)
            pairs += [(R.differentiate(kind(r), after, dt, frame), w)]
    return pairs


def _stepped(r, w, dt):
    return R.integrate(R.exp(r), w, dt, "global"), R.integrate(R.exp(r), w, dt, "local")


@law("C.disc2", r=TURN, w=VECTOR, dt=STEP)
def steps_written_for_the_inverse_rotation(r, w, dt):
    C = R.exp(r)
    back = R.box_plus(R.inverse(C), -w * dt)  # Φ_BI ⊞ (-B_w dt)
    first, second = along(_stepped, (r, w, 0.0), (np.zeros(3), np.zeros(3), 1.0))
    return [(R.integrate(C, w, dt, "local"), R.inverse(back)), (R.integrate(C, w, dt, "local"), C @ R.exp(w * dt)),
            (R.integrate(C, w, dt, "global"), R.exp(w * dt) @ C), (first, R.skew(w) @ C),
            (second, C @ R.skew(w))]  # fmt: skip


@law("C.slerp", r=TURN, v=turn(0.2, 2.9), t=FRACTION)
def slerp(r, v, t):
    q0, q1 = quaternion(r), R.box_plus(quaternion(r), v)
    between = R.slerp(q0, q1, t)
    dot = q0 @ q1
    omega = atan2(sqrt(1.0 - dot * dot), dot)
    shoemake = (sin((1.0 - t) * omega) * q0 + sin(t * omega) * q1) / sin(omega)
    return [
        (between, R.product(R.power(R.product(q1, R.inverse(q0)), t), q0)), (between, shoemake),
        (R.slerp(q0, -q1, t), between), (R.slerp(q0, q1, 0.0), q0), (R.slerp(q0, q1, 1.0), q1),
        (R.slerp(R.exp(r), R.matrix_from_quaternion(q1), t), R.matrix_from_quaternion(between)),
    ]  # fmt: skip
