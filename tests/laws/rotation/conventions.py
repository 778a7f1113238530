"""Laws of conventions: section 1 of docs/equations/rotations.md."""

import math

import numpy as np

import anthropi.algebra.rotation as R  # noqa: N812
from anthropi.algebra.scalar import cos, sin, sqrt
from laws.rotation.law import along, law
from laws.rotation.samples import (
    AWAY,
    REGULAR,
    TURN,
    VECTOR,
    number,
)

I3 = np.eye(3)


def size(a):
    """‖a‖ of a single vector."""
    return sqrt(a @ a)


def matrix(*rows):
    """A matrix of numbers that may be recorded."""
    return np.array([list(row) for row in rows])


def quaternion(r):
    return R.quaternion_from_rotation_vector(r)


# 1 conventions


@law("K.1", a=VECTOR, b=VECTOR)
def skew_matrix_makes_the_cross_product(a, b):
    printed = matrix((0.0, -a[2], a[1]), (a[2], 0.0, -a[0]), (-a[1], a[0], 0.0))
    return [(R.skew(a), printed), (R.skew(a) @ b, np.cross(a, b))]


@law("C.skew", a=VECTOR, b=VECTOR)
def skew_and_its_inverse(a, b):
    return [(R.unskew(R.skew(a)), a), (R.skew(a).T, -R.skew(a)), (R.skew(a) @ b, -(R.skew(b) @ a))]


@law("C.norm", a=VECTOR)
def norm(a):
    theta, n = R.angle_axis_from_rotation_vector(a)
    return [(theta * theta, a @ a), (theta * n, a)]


@law("C.position", r=TURN, p=VECTOR, x=VECTOR)
def a_position_has_a_homogeneous_form(r, p, x):
    T = R.homogeneous(R.exp(r), p)
    return [((T @ np.array([*x, 1.0]))[:3], R.transform_point(T, x))]


@law("C.map", r=TURN, x=VECTOR)
def columns_are_the_axes_of_B_in_I(r, x):
    C = R.exp(r)
    return [(R.rotate(C, x), C[:, 0] * x[0] + C[:, 1] * x[1] + C[:, 2] * x[2]), (R.inverse(C), C.T), (C @ C.T, I3)]


@law("C.active", r=TURN, x=VECTOR)
def passive_is_the_inverse_of_active(r, x):
    return [(R.rotate(R.inverse(R.exp(r)), R.rotate(R.exp(r), x)), x), (R.rotate(R.exp(-r), R.rotate(R.exp(r), x)), x)]


@law("C.inv-conc", a=TURN, b=TURN, x=VECTOR)
def inversion_and_concatenation(a, b, x):
    pairs = []
    for first, second in ((R.exp(a), R.exp(b)), (quaternion(a), quaternion(b))):
        after = R.rotate(second, R.rotate(first, x))
        back = R.inverse(R.product(R.inverse(first), R.inverse(second)))
        pairs += [(R.rotate(R.product(second, first), x), after), (R.rotate(back, x), after),
                  (R.rotate(R.inverse(first), R.rotate(first, x)), x)]  # fmt: skip
    return pairs


@law("C.elem", a=number(-7.0, 7.0, 0.0, math.pi, 2 * math.pi))
def elementary_rotations(a):
    c, s = cos(a), sin(a)
    return [
        (R.elementary("z", a), matrix((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))),
        (R.elementary("y", a), matrix((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c))),
        (R.elementary("x", a), matrix((1.0, 0.0, 0.0), (0.0, c, -s), (0.0, s, c))),
    ]


@law("C.qinv", r=TURN)
def quaternion_units_inverse_and_double_cover(r):
    q, one, i, j, k = quaternion(r), *np.eye(4)
    product = R.quaternion_product
    return [
        (product(q, R.inverse(q)), one), (product(R.inverse(q), q), one), (q @ q, 1.0),
        (R.matrix_from_quaternion(-q), R.matrix_from_quaternion(q)),
        *((product(u, u), -one) for u in (i, j, k)), (product(product(i, j), k), -one),
    ]  # fmt: skip


@law("C.perturbation", r=TURN, v=TURN)
def perturbations_are_left_ones(r, v):
    return [(R.box_plus(R.exp(r), v), R.exp(v) @ R.exp(r))]


@law("K.def", r=TURN, rdot=VECTOR)
def angular_velocity_is_what_turns_the_matrix(r, rdot):
    C, Cdot = R.exp(r), along(R.exp, (r,), (rdot,))
    local = R.angular_velocity_from_rotation_vector_rate(r, rdot, "local")
    return [(R.skew(local), C.T @ Cdot), (R.skew(R.angular_velocity_from_rotation_vector_rate(r, rdot)), Cdot @ C.T)]


@law("K.ws=Rwb", r=TURN, rdot=VECTOR)
def the_two_angular_velocities(r, rdot):
    local, world = (R.angular_velocity_from_rotation_vector_rate(r, rdot, f) for f in ("local", "global"))
    return [(R.exp(r) @ local, world)]


@law("K.C", r=REGULAR)
def the_words_of_K_and_C(r):
    gamma = R.exp_derivative(r)
    return [(R.J_s(r), gamma), (R.J_b(r), gamma.T), (R.G_s(r) @ gamma, I3)]


@law("K.8", "K.9", "K.10", r=VECTOR)
def powers_of_a_skew_matrix(r):
    S, t2 = R.skew(r), r @ r
    return [(S @ r, np.zeros(3)), (S @ S, np.outer(r, r) - t2 * I3), (S @ S @ S, -t2 * S),
            (R.skew_polynomial(0.0, 0.0, 1.0, r), S @ S)]  # fmt: skip


@law("K.11", "K.12", r=VECTOR, s=VECTOR)
def products_of_skew_matrices(r, s):
    a, b = R.skew(r), R.skew(s)
    return [(a @ b, np.outer(s, r) - (r @ s) * I3), (R.skew(np.cross(r, s)), a @ b - b @ a)]


def _angle(r):
    return R.angle_axis_from_rotation_vector(r)[0]


@law("K.13", r=AWAY, rdot=VECTOR)  # erratum 1: θ θ̇, not θ̇
def rate_of_the_angle(r, rdot):
    return [(rdot @ r, _angle(r) * along(_angle, (r,), (rdot,)))]
