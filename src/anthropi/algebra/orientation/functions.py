"""Rotations: parametrisations, conversions, operations, rates and accelerations, with checked input (`ap.rotation`).

Matrices C_IB (..., 3, 3) map B-components to I-components. Quaternions (..., 4) are Hamilton's (w, x, y, z). Angle and
axis are θ (...) and a unit vector n (..., 3); rotation vectors are r = θ n (..., 3); Euler angles (..., 3) come in
twelve orders about rotated axes (SciPy's upper-case orders). Angles are in rad, results in float64. Leading axes are a
batch and broadcast. Functions that take a rotation Phi accept quaternions and matrices.

Invalid input raises an `InputError`: numbers that are not finite, quaternions and axes that are not of unit length,
matrices that are not proper rotations. `normalise` and `nearest` repair them. Deviations up to 1e-6 are removed. A rate
at a singular configuration raises a `SingularError`. The checks are for floats only: recording scalars pass unchecked,
so that functions which call these can be recorded. The functions without checks are in `anthropi.algebra.rotation`.

`ap.Rotation` and `ap.Transform` are objects with the same operations. `docs/rotations.md` explains the conventions.
"""

import math
from typing import Any

import numpy as np

from anthropi.algebra import rotation as kernel
from anthropi.algebra.orientation.checks import (
    ANY_MATRIX,
    ANY_QUATERNION,
    AXIS,
    MOTION,
    NUMBER,
    POINT,
    ROTATION,
    ROTATION_MATRIX,
    TRANSFORM,
    UNIT_QUATERNION,
    VECTOR,
    checked,
    finite,
    is_recorded,
    real,
)
from anthropi.algebra.orientation.estimation import align_points, align_vectors, nearest, normalise, random_quaternion
from anthropi.errors import InputError, ShapeError, SingularError

__all__ = ["align_points", "align_vectors", "nearest", "normalise", "random_quaternion"]
__all__ += kernel.__all__

EULER_ORDERS = kernel.EULER_ORDERS
euler_order = kernel.euler_order

SINGULAR_DISTANCE = 1e-8  # [rad] from a singular angle, where rates lose half of their digits
MIN_ANGLE = 1e-150  # [rad] below which an axis with this angle has no rate: its square would underflow
MAX_MEAN_RESIDUAL = 1e-9  # [rad] of the equation of the mean; Newton's method ends at rounding if it converges
ANTIPODAL = 1e-6  # [rad] from a half turn, where the shortest arc between two rotations is not unique


def _distance_to_turn(angle: Any) -> np.ndarray:
    """Return the distance of angles to the nearest whole turn 2πk, k ≥ 1."""
    angle = np.abs(np.asarray(angle, float))
    return np.abs(angle - 2.0 * math.pi * np.maximum(np.rint(angle / (2.0 * math.pi)), 1.0))


def _no_whole_turn(function: str, r: Any, **_: Any) -> None:
    if np.any(_distance_to_turn(np.linalg.norm(r, axis=-1)) <= SINGULAR_DISTANCE):
        raise SingularError(
            f"{function}: the rotation vector 'r' is a whole turn, where the rates of its components are infinite. "
            "Change the chart before, with ap.rotation.change_chart(r), when its length exceeds π."
        )


def _no_whole_angle(function: str, theta: Any = None, square: Any = None, **_: Any) -> None:
    angle = theta if square is None else np.sqrt(np.maximum(square, 0.0))
    if angle is not None and np.any(_distance_to_turn(angle) <= SINGULAR_DISTANCE):
        raise SingularError(f"{function}: the coefficient is infinite at a whole turn. Use an angle below 2π.")


def _has_axis(function: str, theta: Any, **_: Any) -> None:
    theta = np.abs(np.asarray(theta))
    if np.any(theta <= MIN_ANGLE) or np.any(_distance_to_turn(theta) <= SINGULAR_DISTANCE):
        raise SingularError(
            f"{function}: 'theta' is 0 or a whole turn, where every axis gives the same rotation and the rate of the "
            "axis is infinite. Use rotation_vector_rate_from_angular_velocity, or a quaternion."
        )


def _not_locked(function: str, angles: Any, order: str = "zyx", **_: Any) -> None:
    det = np.abs(kernel.euler_rate_determinant(angles, order))
    if np.any(det <= SINGULAR_DISTANCE):
        raise SingularError(
            f"{function}: the Euler angles '{order}' are at gimbal lock (middle angle {_middle(angles, det):.6g} rad), "
            "where their rates are infinite. Use another order, or a quaternion."
        )


def _middle(angles: Any, det: np.ndarray) -> float:
    return float(np.ravel(np.asarray(angles)[..., 1])[int(np.argmin(np.ravel(det)))])


def _not_half_turn(function: str, q: Any, **_: Any) -> None:
    if np.any(np.abs(q[..., 0]) <= 0.5 * SINGULAR_DISTANCE):
        raise SingularError(
            f"{function}: 'q' is a half turn, where Rodrigues parameters are infinite. Use "
            "modified_rodrigues_from_quaternion, or another type."
        )


def _has_direction(function: str, a: Any, b: Any) -> None:
    for name, v in (("a", a), ("b", b)):
        if not np.all(np.any(v != 0.0, axis=-1)):
            raise InputError(f"{function}: '{name}' is zero and has no direction. Give a vector of any other length.")


def _time_passes(function: str, dt: Any, **_: Any) -> None:
    if np.any(np.asarray(dt) == 0.0):
        raise InputError(f"{function}: 'dt' is zero. Give a time step [s] that is not zero.")


# three-vectors
skew = checked(kernel.skew, a=VECTOR)
unskew = checked(kernel.unskew, A=ANY_MATRIX)
cross_derivatives = checked(kernel.cross_derivatives, a=VECTOR, b=VECTOR)
point_velocity = checked(kernel.point_velocity, v=VECTOR, w=VECTOR, r=VECTOR, rdot=VECTOR)

# quaternion algebra, also for quaternions that are not of unit length
quaternion_conjugate = checked(kernel.quaternion_conjugate, q=ANY_QUATERNION)
quaternion_product = checked(kernel.quaternion_product, q=ANY_QUATERNION, p=ANY_QUATERNION)
quaternion_left = checked(kernel.quaternion_left, q=ANY_QUATERNION)
quaternion_right = checked(kernel.quaternion_right, p=ANY_QUATERNION)

# conversions
matrix_from_quaternion = checked(kernel.matrix_from_quaternion, q=UNIT_QUATERNION)
matrix_from_rotation_vector = checked(kernel.matrix_from_rotation_vector, r=VECTOR)
matrix_from_angle_axis = checked(kernel.matrix_from_angle_axis, theta=NUMBER, n=AXIS)
matrix_from_euler = checked(kernel.matrix_from_euler, angles=VECTOR)
elementary = checked(kernel.elementary, angle=NUMBER)
quaternion_from_matrix = checked(kernel.quaternion_from_matrix, C=ROTATION_MATRIX)
quaternion_from_rotation_vector = checked(kernel.quaternion_from_rotation_vector, r=VECTOR)
quaternion_from_angle_axis = checked(kernel.quaternion_from_angle_axis, theta=NUMBER, n=AXIS)
quaternion_from_euler = checked(kernel.quaternion_from_euler, angles=VECTOR)
quaternion_from_rodrigues = checked(kernel.quaternion_from_rodrigues, g=VECTOR)
quaternion_from_modified_rodrigues = checked(kernel.quaternion_from_modified_rodrigues, p=VECTOR)
quaternion_between = checked(kernel.quaternion_between, _has_direction, a=VECTOR, b=VECTOR)
rotation_vector_from_matrix = checked(kernel.rotation_vector_from_matrix, C=ROTATION_MATRIX)
rotation_vector_from_quaternion = checked(kernel.rotation_vector_from_quaternion, q=UNIT_QUATERNION)
rotation_vector_from_angle_axis = checked(kernel.rotation_vector_from_angle_axis, theta=NUMBER, n=AXIS)
rotation_vector_from_euler = checked(kernel.rotation_vector_from_euler, angles=VECTOR)
angle_axis_from_matrix = checked(kernel.angle_axis_from_matrix, C=ROTATION_MATRIX)
angle_axis_from_quaternion = checked(kernel.angle_axis_from_quaternion, q=UNIT_QUATERNION)
angle_axis_from_rotation_vector = checked(kernel.angle_axis_from_rotation_vector, r=VECTOR)
angle_axis_from_euler = checked(kernel.angle_axis_from_euler, angles=VECTOR)
euler_from_matrix = checked(kernel.euler_from_matrix, C=ROTATION_MATRIX)
euler_from_quaternion = checked(kernel.euler_from_quaternion, q=UNIT_QUATERNION)
euler_from_rotation_vector = checked(kernel.euler_from_rotation_vector, r=VECTOR)
euler_from_angle_axis = checked(kernel.euler_from_angle_axis, theta=NUMBER, n=AXIS)
rodrigues_from_quaternion = checked(kernel.rodrigues_from_quaternion, _not_half_turn, q=UNIT_QUATERNION)
modified_rodrigues_from_quaternion = checked(kernel.modified_rodrigues_from_quaternion, q=UNIT_QUATERNION)

# the rotation group
product = checked(kernel.product, Phi1=ROTATION, Phi2=ROTATION)
inverse = checked(kernel.inverse, Phi=ROTATION)
rotate = checked(kernel.rotate, Phi=ROTATION, r=POINT)
exp = checked(kernel.exp, v=VECTOR)
log = checked(kernel.log, Phi=ROTATION)
power = checked(kernel.power, Phi=ROTATION, t=NUMBER)
box_plus = checked(kernel.box_plus, Phi=ROTATION, v=VECTOR)
box_minus = checked(kernel.box_minus, Phi1=ROTATION, Phi2=ROTATION)
disparity_angle = checked(kernel.disparity_angle, Phi1=ROTATION, Phi2=ROTATION)
slerp = checked(kernel.slerp, Phi0=ROTATION, Phi1=ROTATION, t=NUMBER)
integrate = checked(kernel.integrate, Phi=ROTATION, w=VECTOR, dt=NUMBER)
differentiate = checked(kernel.differentiate, _time_passes, Phi0=ROTATION, Phi1=ROTATION, dt=NUMBER)
_mean = checked(kernel.mean, q=UNIT_QUATERNION, weights=NUMBER)

# homogeneous transforms
homogeneous = checked(kernel.homogeneous, C=ROTATION_MATRIX, p=VECTOR)
homogeneous_parts = checked(kernel.homogeneous_parts, T=TRANSFORM)
homogeneous_inverse = checked(kernel.homogeneous_inverse, T=TRANSFORM)
homogeneous_product = checked(kernel.homogeneous_product, T1=TRANSFORM, T2=TRANSFORM)
homogeneous_exp = checked(kernel.homogeneous_exp, xi=MOTION)
homogeneous_log = checked(kernel.homogeneous_log, T=TRANSFORM)
transform_point = checked(kernel.transform_point, T=TRANSFORM, r=POINT)

# coefficients and Jacobians of the exponential map
alpha = checked(kernel.alpha, theta=NUMBER, square=NUMBER)
beta = checked(kernel.beta, theta=NUMBER, square=NUMBER)
gamma = checked(kernel.gamma, theta=NUMBER, square=NUMBER)
delta = checked(kernel.delta, _no_whole_angle, theta=NUMBER, square=NUMBER)
zeta = checked(kernel.zeta, _no_whole_angle, theta=NUMBER, square=NUMBER)
d_alpha = checked(kernel.d_alpha, theta=NUMBER, square=NUMBER)
d_beta = checked(kernel.d_beta, theta=NUMBER, square=NUMBER)
d_gamma = checked(kernel.d_gamma, theta=NUMBER, square=NUMBER)
d_delta = checked(kernel.d_delta, _no_whole_angle, theta=NUMBER, square=NUMBER)
d_zeta = checked(kernel.d_zeta, _no_whole_angle, theta=NUMBER, square=NUMBER)
J_b = checked(kernel.J_b, r=VECTOR)
J_s = checked(kernel.J_s, r=VECTOR)
J_determinant = checked(kernel.J_determinant, r=VECTOR)
J_b_dot_rdot = checked(kernel.J_b_dot_rdot, r=VECTOR, rdot=VECTOR)
J_s_dot_rdot = checked(kernel.J_s_dot_rdot, r=VECTOR, rdot=VECTOR)
G_b = checked(kernel.G_b, _no_whole_turn, r=VECTOR)
G_s = checked(kernel.G_s, _no_whole_turn, r=VECTOR)
G_b_dot_w = checked(kernel.G_b_dot_w, _no_whole_turn, r=VECTOR, rdot=VECTOR, w=VECTOR)
G_s_dot_w = checked(kernel.G_s_dot_w, _no_whole_turn, r=VECTOR, rdot=VECTOR, w=VECTOR)
skew_polynomial = checked(kernel.skew_polynomial, x=NUMBER, y=NUMBER, z=NUMBER, r=VECTOR)
skew_polynomial_inverse = checked(kernel.skew_polynomial_inverse, x=NUMBER, y=NUMBER, z=NUMBER, r=VECTOR)

# derivatives of operations, for rotations given as matrices
rotate_derivatives = checked(kernel.rotate_derivatives, C=ROTATION_MATRIX, r=VECTOR)
inverse_derivative = checked(kernel.inverse_derivative, C=ROTATION_MATRIX)
product_derivatives = checked(kernel.product_derivatives, C1=ROTATION_MATRIX, C2=ROTATION_MATRIX)
exp_derivative = checked(kernel.exp_derivative, v=VECTOR)
log_derivative = checked(kernel.log_derivative, C=ROTATION_MATRIX)
box_plus_derivatives = checked(kernel.box_plus_derivatives, C=ROTATION_MATRIX, v=VECTOR)
box_minus_derivatives = checked(kernel.box_minus_derivatives, C1=ROTATION_MATRIX, C2=ROTATION_MATRIX)

# charts and reach cones of rotation vectors
chart_number = checked(kernel.chart_number, r=VECTOR)
change_chart = checked(kernel.change_chart, r=VECTOR, rdot=VECTOR, rddot=VECTOR)
change_chart_torque = checked(kernel.change_chart_torque, _no_whole_turn, r=VECTOR, tau=VECTOR)
nearest_rotation_vector = checked(kernel.nearest_rotation_vector, r=VECTOR, near=VECTOR)
reach_cone = checked(kernel.reach_cone, r=VECTOR, p=AXIS, phi=NUMBER)
reach_cone_gradient = checked(kernel.reach_cone_gradient, r=VECTOR, p=AXIS)
reach_cone_moment = checked(kernel.reach_cone_moment, r=VECTOR, p=AXIS)

# angular velocity and the rates of a parametrisation
angular_velocity_from_matrix_rate = checked(
    kernel.angular_velocity_from_matrix_rate, C=ROTATION_MATRIX, Cdot=ANY_MATRIX
)
matrix_rate_from_angular_velocity = checked(kernel.matrix_rate_from_angular_velocity, C=ROTATION_MATRIX, w=VECTOR)
quaternion_H = checked(kernel.quaternion_H, q=UNIT_QUATERNION)
quaternion_H_bar = checked(kernel.quaternion_H_bar, q=UNIT_QUATERNION)
angular_velocity_from_quaternion_rate = checked(
    kernel.angular_velocity_from_quaternion_rate, q=UNIT_QUATERNION, qdot=ANY_QUATERNION
)
quaternion_rate_from_angular_velocity = checked(
    kernel.quaternion_rate_from_angular_velocity, q=UNIT_QUATERNION, w=VECTOR
)
angular_velocity_from_angle_axis_rate = checked(
    kernel.angular_velocity_from_angle_axis_rate, theta=NUMBER, n=AXIS, theta_rate=NUMBER, n_rate=VECTOR
)
angle_axis_rate_from_angular_velocity = checked(
    kernel.angle_axis_rate_from_angular_velocity, _has_axis, theta=NUMBER, n=AXIS, w=VECTOR
)
angular_velocity_from_rotation_vector_rate = checked(
    kernel.angular_velocity_from_rotation_vector_rate, r=VECTOR, rdot=VECTOR
)
rotation_vector_rate_from_angular_velocity = checked(
    kernel.rotation_vector_rate_from_angular_velocity, _no_whole_turn, r=VECTOR, w=VECTOR
)
euler_rate_matrix = checked(kernel.euler_rate_matrix, angles=VECTOR)
euler_rate_determinant = checked(kernel.euler_rate_determinant, angles=VECTOR)
euler_rate_matrix_inverse = checked(kernel.euler_rate_matrix_inverse, _not_locked, angles=VECTOR)
euler_rate_matrix_derivative = checked(kernel.euler_rate_matrix_derivative, angles=VECTOR, rates=VECTOR)
angular_velocity_from_euler_rate = checked(kernel.angular_velocity_from_euler_rate, angles=VECTOR, rates=VECTOR)
euler_rate_from_angular_velocity = checked(
    kernel.euler_rate_from_angular_velocity, _not_locked, angles=VECTOR, w=VECTOR
)

# angular acceleration and the second rates of a parametrisation
angular_acceleration_from_matrix_acceleration = checked(
    kernel.angular_acceleration_from_matrix_acceleration, C=ROTATION_MATRIX, Cddot=ANY_MATRIX
)
matrix_acceleration_from_angular_acceleration = checked(
    kernel.matrix_acceleration_from_angular_acceleration, C=ROTATION_MATRIX, w=VECTOR, wdot=VECTOR
)
angular_acceleration_from_quaternion_acceleration = checked(
    kernel.angular_acceleration_from_quaternion_acceleration, q=UNIT_QUATERNION, qddot=ANY_QUATERNION
)
quaternion_acceleration_from_angular_acceleration = checked(
    kernel.quaternion_acceleration_from_angular_acceleration, q=UNIT_QUATERNION, w=VECTOR, wdot=VECTOR
)
angular_acceleration_from_angle_axis_acceleration = checked(
    kernel.angular_acceleration_from_angle_axis_acceleration, theta=NUMBER, n=AXIS, theta_rate=NUMBER, n_rate=VECTOR,
    theta_acceleration=NUMBER, n_acceleration=VECTOR,
)  # fmt: skip
angle_axis_acceleration_from_angular_acceleration = checked(
    kernel.angle_axis_acceleration_from_angular_acceleration, _has_axis, theta=NUMBER, n=AXIS, w=VECTOR, wdot=VECTOR
)
angular_acceleration_from_rotation_vector_acceleration = checked(
    kernel.angular_acceleration_from_rotation_vector_acceleration, r=VECTOR, rdot=VECTOR, rddot=VECTOR
)
rotation_vector_acceleration_from_angular_acceleration = checked(
    kernel.rotation_vector_acceleration_from_angular_acceleration, _no_whole_turn, r=VECTOR, rdot=VECTOR, w=VECTOR,
    wdot=VECTOR,
)  # fmt: skip
angular_acceleration_from_euler_acceleration = checked(
    kernel.angular_acceleration_from_euler_acceleration, angles=VECTOR, rates=VECTOR, accelerations=VECTOR
)
euler_acceleration_from_angular_acceleration = checked(
    kernel.euler_acceleration_from_angular_acceleration, _not_locked, angles=VECTOR, rates=VECTOR, wdot=VECTOR
)


def mean(q: Any, weights: Any = None, passes: int = 8) -> Any:
    """Compute the weighted mean of rotations on the manifold (Karcher mean, the least sum of squared angles).

    Parameters
    ----------
    q : (..., n, 4), n unit quaternions within less than half a turn of each other, so that the mean is unique.
    weights : (..., n), not negative, not all zero; equal by default.
    passes : Newton steps; a fixed number, so that forward and reverse derivatives exist.

    Returns
    -------
    (..., 4), with the sign of the first quaternion.

    Raises
    ------
    InputError : the rotations are too far apart for a unique mean.
    """
    if is_recorded(q) or is_recorded(weights):
        return kernel.mean(q, weights, passes)
    q = real(q, "mean: 'q'")
    if q.ndim < 2 or q.shape[-2] == 0:
        raise ShapeError(f"mean needs at least one quaternion, (..., n, 4); got shape {q.shape}.")
    w = np.ones(q.shape[:-1]) if weights is None else finite(real(weights, "mean: 'weights'"), "mean: 'weights'")
    if w.ndim == 0 or np.any(w < 0.0) or not np.all(w.any(-1)):
        raise InputError("mean: weights must not be negative, and not all zero.")
    w = w / np.max(w, axis=-1, keepdims=True)  # so that their sum does not overflow
    found = _mean(q, w, passes)
    w = w / w.sum(-1, keepdims=True)
    r = kernel.box_minus(q, np.broadcast_to(found[..., None, :], q.shape))
    spread = kernel.disparity_angle(q, np.broadcast_to(q[..., :1, :], q.shape))
    if np.any(np.abs((w[..., None] * r).sum(-2)) > MAX_MEAN_RESIDUAL) or np.any(spread > math.pi - ANTIPODAL):
        raise InputError(
            f"mean: the rotations are up to {math.degrees(float(np.max(spread))):.0f}° apart, so that their mean is "
            "not unique or was not found. Average rotations that are less than half a turn apart."
        )
    return found


for _name in kernel.__all__:
    if _name not in ("EULER_ORDERS", "euler_order"):
        globals()[_name].__module__ = __name__  # so that they pickle, and help() names the module to import from
