"""Laws of the exponential map: sections 5 and 6 of docs/equations/rotations.md."""

import numpy as np

import anthropi.algebra.rotation as R  # noqa: N812
from anthropi.algebra.scalar import cos, sin, sqrt
from laws.rotation.law import along, law
from laws.rotation.samples import (
    ANGLE,
    AWAY,
    REGULAR,
    SHORT,
    SMALL,
    SMALL_ANGLE,
    TURN,
    VECTOR,
    number,
    turn,
)

I3 = np.eye(3)
ZERO = np.zeros(3)
NAMES = ("alpha", "beta", "gamma", "delta", "zeta")


def coefficients(t2):
    """α β γ δ ζ of θ²."""
    return [getattr(R, name)(square=t2) for name in NAMES]


def world(r, rdot):
    return R.angular_velocity_from_rotation_vector_rate(r, rdot)


def body(r, rdot):
    return R.angular_velocity_from_rotation_vector_rate(r, rdot, "local")


# 5 coefficients


@law("K.7", t=ANGLE)
def gamma_as_printed(t):
    return [(R.gamma(t), (t - sin(t)) / t**3), (R.gamma(t), (1.0 - R.alpha(t)) / (t * t))]


# where the printed forms of δ and ζ divide by 1 - cos θ, which has lost six digits at 2π - 1e-3
CALM = number(0.5, 5.8, np.pi, 4.493409457909064)


@law("K.17", t=CALM, tol=1e-12)
def delta_and_zeta_as_printed(t):
    delta = R.alpha(t) / (2.0 * R.beta(t))
    return [(R.delta(t), delta), (R.zeta(t), (1.0 - delta) / (t * t))]


TAYLOR = {  # value and factor, two terms each: (30)-(34), (45)-(49)
    "K.30": ("alpha", 1.0, -1 / 6), "K.31": ("beta", 1 / 2, -1 / 24), "K.32": ("gamma", 1 / 6, -1 / 120),
    "K.33": ("delta", 1.0, -1 / 12), "K.34": ("zeta", 1 / 12, 1 / 720),
    "K.45": ("d_alpha", -1 / 3, 1 / 30), "K.46": ("d_beta", -1 / 12, 1 / 180), "K.47": ("d_gamma", -1 / 60, 1 / 1260),
    "K.48": ("d_delta", -1 / 6, -1 / 180), "K.49": ("d_zeta", 1 / 360, 1 / 7560),
}  # fmt: skip


def _taylor(name, first, second):
    def two_terms(t):
        function = getattr(R, name)
        return [(function(t), first + second * t * t), (function(square=t * t), first + second * t * t)]

    return two_terms


for _id, _row in TAYLOR.items():
    law(_id, t=SMALL_ANGLE, tol=1e-10)(_taylor(*_row))  # the third term is below θ⁴ / 120 < 1e-10


def _rate(name, printed):
    def time_derivative(r, rdot):
        factor = getattr(R, f"d_{name}")(square=r @ r)
        by_sweep = along(_by_vector(name), (r,), (rdot,))
        return [(by_sweep, factor * (r @ rdot)), (factor, printed(sqrt(r @ r), *coefficients(r @ r)))]

    return time_derivative


_MADE = {}


def _by_vector(name):
    """x(r) for a coefficient x: one function a name, so that its tape is recorded once."""
    return _MADE.setdefault(name, lambda r: getattr(R, name)(square=r @ r))


PRINTED = {
    "K.36": ("alpha", lambda t, a, b, c, d, z: c - b),
    "K.37": ("beta", lambda t, a, b, c, d, z: (a - 2.0 * b) / t**2),
    "K.38": ("gamma", lambda t, a, b, c, d, z: (b - 3.0 * c) / t**2),
    "K.39d": ("delta", lambda t, a, b, c, d, z: (a - 1.0) / (2.0 * b) / t**2),
    "K.39z": ("zeta", lambda t, a, b, c, d, z: ((a + 1.0) / (2.0 * b) - 2.0) / t**4),
}
for _id, _row in PRINTED.items():
    law(_id, r=turn(0.5, 5.8, np.pi), rdot=VECTOR, tol=1e-12)(
        _rate(*_row)
    )  # 1 / θ⁴ = 16 at 0.5, on top of cancellation


@law("K.X-rates", r=TURN, rdot=VECTOR)
def the_sweeps_use_the_factors_everywhere(r, rdot):
    names = NAMES[:3]
    return [(along(_by_vector(n), (r,), (rdot,)), getattr(R, f"d_{n}")(square=r @ r) * (r @ rdot)) for n in names]


@law("K.39dz-w", r=REGULAR, rdot=VECTOR)
def rates_of_delta_and_zeta_by_angular_velocity(r, rdot):
    t2, pairs = r @ r, []
    for w in (body(r, rdot), world(r, rdot)):
        pairs += [(along(_by_vector("delta"), (r,), (rdot,)), R.d_delta(square=t2) * (r @ w)),
                  (along(_by_vector("zeta"), (r,), (rdot,)), R.d_zeta(square=t2) * (r @ w))]  # fmt: skip
    return pairs


def _E(x):
    return (sin(x) - x * cos(x)) / x**3


@law("K.X-halfangle", t=ANGLE, tol=1e-12)
def half_angle_forms(t):
    h = t / 2.0
    return [
        (R.beta(t), (sin(h) / h) ** 2 / 2.0),
        (R.delta(t), h * cos(h) / sin(h)),
        (R.zeta(t), _E(h) * h / (4.0 * sin(h))),
    ]


@law("K.X-factors", t=ANGLE, tol=1e-12)
def stable_forms_of_the_factors(t):
    h = t / 2.0
    N = t * sin(t) / 4.0 + t * t / 4.0 - 1.0 + cos(t)
    return [
        (R.d_alpha(t), -_E(t)), (R.d_beta(t), -(sin(h) / h) * _E(h) / 4.0),
        (R.d_gamma(t), (3.0 * sin(t) - t * (2.0 + cos(t))) / t**5), (R.d_delta(t), -R.gamma(t) / (2.0 * R.beta(t))),
        (R.d_zeta(t), N / (t**4 * sin(h) ** 2)),
    ]  # fmt: skip


@law("K.18", r=TURN, rdot=VECTOR)
def the_component_along_r(r, rdot):
    inverse = (I3 - R.skew(r) + np.outer(r, r)) / (1.0 + r @ r)
    return [(r @ body(r, rdot), r @ rdot), (r @ world(r, rdot), r @ rdot), ((I3 + R.skew(r)) @ inverse, I3)]


@law("K.19", r=turn(0.5, 2.6, 2.6), rdot=VECTOR, tol=1e-12)  # the printed ζ divides by α², which is 0 at π
def the_steps_between(r, rdot):
    t2 = r @ r
    a, b, c, d, z = coefficients(t2)
    ratio = b * b / (a * a)
    t = sqrt(t2)
    return [
        (z, d * (ratio - c - c * t2 * ratio)), (d, sin(t) ** 2 / (2.0 * a * (1.0 - cos(t)))),
        (a * a + b * b * t2, 2.0 * b),
        ((a * I3 - b * R.skew(r)) @ rdot, body(r, rdot) - c * (r @ rdot) * r),
    ]  # fmt: skip


# 5 Jacobians


@law("K.6", "K.14", r=TURN, rdot=VECTOR)
def angular_velocity_by_coefficients(r, rdot):
    a, b, c, _, _ = coefficients(r @ r)
    along_r = c * (r @ rdot) * r
    return [(body(r, rdot), a * rdot + b * np.cross(rdot, r) + along_r),
            (world(r, rdot), a * rdot - b * np.cross(rdot, r) + along_r)]  # fmt: skip


@law("K.R1", "K.R2", "K.R3", r=TURN, rdot=VECTOR)
def the_matrix_on_r_and_its_rate(r, rdot):
    C, t2, s, x = R.exp(r), r @ r, r @ rdot, np.cross(r, rdot)
    a, b, _, _, _ = coefficients(t2)
    c = cos(sqrt(t2))
    return [(C @ r, r), (C @ rdot, c * rdot + a * x + b * s * r), (C @ x, c * x + a * s * r - a * t2 * rdot)]


@law("K.15", "K.16", r=REGULAR, w=VECTOR)
def rate_of_r_by_coefficients(r, w):
    _, _, _, d, z = coefficients(r @ r)
    rate = R.rotation_vector_rate_from_angular_velocity
    local, world_ = rate(r, w, "local"), rate(r, w)
    return [(local, d * w + np.cross(r, w) / 2.0 + z * (r @ w) * r),
            (world_, d * w - np.cross(r, w) / 2.0 + z * (r @ w) * r),
            (body(r, local), w), (world(r, world_), w)]  # fmt: skip


@law("K.20", "K.21", r=TURN, rdot=VECTOR)
def J_b(r, rdot):
    S = R.skew(r)
    a, b, c, _, _ = coefficients(r @ r)
    return [(R.J_b(r), a * I3 - b * S + c * np.outer(r, r)), (R.J_b(r), I3 - b * S + c * S @ S),
            (R.J_b(r) @ rdot, body(r, rdot))]  # fmt: skip


@law("K.22", r=REGULAR, w=VECTOR)
def G_b(r, w):
    S = R.skew(r)
    _, _, _, d, z = coefficients(r @ r)
    return [(R.G_b(r), d * I3 + S / 2.0 + z * np.outer(r, r)), (R.G_b(r), I3 + S / 2.0 + z * S @ S),
            (R.G_b(r) @ R.J_b(r), I3),
            (R.G_b(r) @ w, R.rotation_vector_rate_from_angular_velocity(r, w, "local"))]  # fmt: skip


@law("K.23", "K.24", r=TURN, rdot=VECTOR)
def J_s(r, rdot):
    S = R.skew(r)
    a, b, c, _, _ = coefficients(r @ r)
    return [(R.J_s(r), a * I3 + b * S + c * np.outer(r, r)), (R.J_s(r), I3 + b * S + c * S @ S), (R.J_s(r), R.J_b(r).T),
            (R.J_s(r) @ rdot, world(r, rdot)), (R.exp(r) @ R.J_b(r), R.J_s(r))]  # fmt: skip


@law("K.25", r=REGULAR, w=VECTOR)
def G_s(r, w):
    S = R.skew(r)
    _, _, _, d, z = coefficients(r @ r)
    return [(R.G_s(r), d * I3 - S / 2.0 + z * np.outer(r, r)), (R.G_s(r), I3 - S / 2.0 + z * S @ S),
            (R.G_s(r), R.G_b(r).T), (R.J_s(r) @ R.G_s(r), I3),
            (R.G_s(r) @ w, R.rotation_vector_rate_from_angular_velocity(r, w))]  # fmt: skip


@law("K.26-29", r=VECTOR, x=number(0.5, 2.0), y=number(-2.0, 2.0), z=number(-2.0, -0.1))  # erratum 2: x D, not a D
def inverse_of_a_polynomial_in_a_skew_matrix(r, x, y, z):  # z < 0 keeps D away from 0
    d, e, f = R.skew_polynomial_inverse(x, y, z, r)
    return [(R.skew_polynomial(x, y, z, r) @ R.skew_polynomial(d, e, f, r), I3)]


@law("K.62", "K.63", r=TURN)
def columns_and_determinant(r):
    a, b, c, _, _ = coefficients(r @ r)
    J = R.J_b(r)
    columns = np.array([a * e + b * np.cross(e, r) + c * (r @ e) * r for e in I3]).T
    determinant = J[:, 0] @ np.cross(J[:, 1], J[:, 2])
    t2 = r @ r
    return [(J, columns), (R.J_determinant(r), determinant), (determinant, (a * a + b * b * t2) * (a + c * t2))]


@law(
    "C.Gam", "C.Gam-paren", r=AWAY, small=turn(0.0, 1e-8, 0.0, 1e-320, 1e-8)
)  # erratum 6: (1 - cos) [v] / v², the bracket before the matrix
def gamma_of_C(r, small):
    t, S = sqrt(r @ r), R.skew(r)
    printed = I3 + (1.0 - cos(t)) / (t * t) * S + (t - sin(t)) / t**3 * S @ S
    return [(R.exp_derivative(r), printed), (R.exp_derivative(small), I3 + R.skew(small) / 2.0)]


# 6 derivatives, by left perturbations: the change of f(exp(v) Φ) at v = 0


def _turning(r, w, t):
    return R.integrate(R.exp(r), w, t), R.inverse(R.integrate(R.exp(r), w, t))


@law("C.ddt", r=TURN, w=VECTOR)
def rate_of_a_rotation(r, w):
    C = R.exp(r)
    forth, back = along(_turning, (r, w, 0.0), (ZERO, ZERO, 1.0))
    return [(R.unskew(forth @ C.T), w), (R.unskew(back @ C), -(C.T @ w))]


def _rotated(v, r, x):
    return R.rotate(R.box_plus(R.exp(r), v), x)


@law("C.d/dr", "C.dPhi(r)", r=TURN, x=VECTOR, d=VECTOR)
def derivative_of_rotating(r, x, d):
    by_rotation, by_vector = R.rotate_derivatives(R.exp(r), x)
    return [(along(_rotated, (ZERO, r, x), (d, ZERO, ZERO)), by_rotation @ d), (by_rotation, -R.skew(R.exp(r) @ x)),
            (along(_rotated, (ZERO, r, x), (ZERO, ZERO, d)), by_vector @ d), (by_vector, R.exp(r))]  # fmt: skip


def _inverted(v, r):
    return R.box_minus(R.inverse(R.box_plus(R.exp(r), v)), R.inverse(R.exp(r)))


@law("C.dPhiinv", r=TURN, d=VECTOR)
def derivative_of_the_inverse(r, d):
    return [(along(_inverted, (ZERO, r), (d, ZERO)), R.inverse_derivative(R.exp(r)) @ d)]


def _multiplied(v, u, r, s):
    a, b = R.exp(r), R.exp(s)
    return R.box_minus(R.product(R.box_plus(a, v), R.box_plus(b, u)), R.product(a, b))


@law("C.dcomp1", "C.dcomp2", r=TURN, s=TURN, d=VECTOR)
def derivatives_of_the_product(r, s, d):
    first, second = R.product_derivatives(R.exp(r), R.exp(s))
    return [(along(_multiplied, (ZERO, ZERO, r, s), (d, ZERO, ZERO, ZERO)), first @ d), (second, R.exp(r)),
            (along(_multiplied, (ZERO, ZERO, r, s), (ZERO, d, ZERO, ZERO)), second @ d), (first, I3)]  # fmt: skip


def _exp_moved(u, r):
    return R.box_minus(R.exp(r + u), R.exp(r))


@law("C.dexp", r=TURN, d=VECTOR)
def derivative_of_exp(r, d):
    return [(along(_exp_moved, (ZERO, r), (d, ZERO)), R.exp_derivative(r) @ d), (R.exp_derivative(r), R.J_s(r))]


def _log_moved(v, r):
    return R.log(R.box_plus(R.exp(r), v))


@law("C.dlog", r=SHORT, d=VECTOR)
def derivative_of_log(r, d):
    D = R.log_derivative(R.exp(r))
    return [(along(_log_moved, (ZERO, r), (d, ZERO)), D @ d), (D, R.G_s(r))]


def _difference_of(a, b, v, s):
    C1, C2 = R.box_plus(R.exp(s), v), R.exp(s)
    return R.box_minus(R.box_plus(C1, a), R.box_plus(C2, b))


@law("C.dbm1", "C.dbm2", v=SHORT, s=TURN, d=VECTOR)  # erratum 4: a minus before the second
def derivatives_of_box_minus(v, s, d):
    C1, C2 = R.box_plus(R.exp(s), v), R.exp(s)
    first, second = R.box_minus_derivatives(C1, C2)
    return [(along(_difference_of, (ZERO, ZERO, v, s), (d, ZERO, ZERO, ZERO)), first @ d), (first, R.G_s(v)),
            (along(_difference_of, (ZERO, ZERO, v, s), (ZERO, d, ZERO, ZERO)), second @ d),
            (second, -R.G_s(-v))]  # fmt: skip


def _plus(v, u, r):
    C = R.exp(r)
    return R.box_minus(R.box_plus(R.box_plus(C, v), u), R.exp(u) @ C)


@law("C.X-dbp", u=TURN, r=TURN, d=VECTOR)
def derivatives_of_box_plus(u, r, d):
    by_rotation, by_vector = R.box_plus_derivatives(R.exp(r), u)
    return [(along(_plus, (ZERO, u, r), (d, ZERO, ZERO)), by_rotation @ d), (by_vector, R.J_s(u))]


def _cross(a, b):
    return R.skew(a) @ b


@law("C.dskew", a=VECTOR, b=VECTOR, d=VECTOR)
def derivatives_of_the_cross_product(a, b, d):
    by_a, by_b = R.cross_derivatives(a, b)
    return [(along(_cross, (a, b), (d, ZERO)), by_a @ d), (along(_cross, (a, b), (ZERO, d)), by_b @ d),
            (by_a, -R.skew(b)), (by_b, R.skew(a))]  # fmt: skip


@law("C.Ccomp", r=TURN, s=TURN)
def matrices_multiply_as_rotations_do(r, s):
    q, p = R.quaternion_from_rotation_vector(r), R.quaternion_from_rotation_vector(s)
    C = R.matrix_from_quaternion
    return [(C(R.product(q, p)), C(q) @ C(p)), (C(R.inverse(q)), C(q).T), (C(q) @ C(R.inverse(q)), I3)]


@law("C.Gv", "C.G-", v=REGULAR)
def gamma_and_its_own_vector(v):
    return [(R.J_s(v) @ v, v), (R.G_s(v) @ v, v), (R.J_s(-v), R.J_s(v).T)]


@law("C.Gi-", "C.GiC", v=REGULAR)  # erratum 5: Γ⁻¹(v) + [v], not Γ(v) + [v]
def inverse_gamma_of_minus_v(v):
    return [(R.G_s(-v), R.G_s(v) + R.skew(v)), (R.G_s(v) @ R.exp(v), R.G_s(v) + R.skew(v))]


@law("C.Gsmall", v=SMALL, tol=1e-5)  # the next term, θ² / 12
def inverse_gamma_near_0(v):
    return [(R.G_s(v), I3 - R.skew(v) / 2.0)]
