"""Rotations: parametrisations, conversions, operations, rates and accelerations.

Matrices C_IB (..., 3, 3) map B-components to I-components. Quaternions (..., 4) are Hamilton's (w, x, y, z). Angle and
axis are θ (...) and a unit vector n (..., 3); rotation vectors are r = θ n (..., 3); Euler angles (..., 3) come in
twelve orders. Angles are in rad. Every function takes arrays of floats with any leading (batch) axes, and arrays of
recording scalars.

These are the functions that algorithms call and tapes record. They check shapes, but not values: a quaternion that is
not of unit length, an improper matrix or NaN passes. The public namespace `ap.rotation` has the same functions with
checked input (`anthropi.algebra.orientation.functions`).

Sources: J. Kim, D. Lee and F. C. Park, Kinematic and dynamic modeling of spherical joints using exponential
coordinates, Proc. IMechE C 228(10), 2014 (labels K.n, n the equation number); the kindr cheat sheet "Rotations and
multibody kinematics", github.com/ANYbotics/kindr (labels C. and a short name). `docs/equations/rotations.md` lists the
equations under these labels, with the errata of both sources.
"""

from anthropi.algebra.rotation.coefficients import (
    alpha,
    beta,
    d_alpha,
    d_beta,
    d_delta,
    d_gamma,
    d_zeta,
    delta,
    gamma,
    zeta,
)
from anthropi.algebra.rotation.conversions import (
    angle_axis_from_euler,
    angle_axis_from_matrix,
    angle_axis_from_quaternion,
    angle_axis_from_rotation_vector,
    euler_from_angle_axis,
    euler_from_quaternion,
    euler_from_rotation_vector,
    matrix_from_angle_axis,
    modified_rodrigues_from_quaternion,
    quaternion_between,
    quaternion_from_angle_axis,
    quaternion_from_modified_rodrigues,
    quaternion_from_rodrigues,
    rodrigues_from_quaternion,
    rotation_vector_from_angle_axis,
    rotation_vector_from_euler,
)
from anthropi.algebra.rotation.euler import (
    EULER_ORDERS,
    angular_acceleration_from_euler_acceleration,
    angular_velocity_from_euler_rate,
    elementary,
    euler_acceleration_from_angular_acceleration,
    euler_from_matrix,
    euler_order,
    euler_rate_determinant,
    euler_rate_from_angular_velocity,
    euler_rate_matrix,
    euler_rate_matrix_derivative,
    euler_rate_matrix_inverse,
    matrix_from_euler,
    quaternion_from_euler,
)
from anthropi.algebra.rotation.exponential import (
    change_chart,
    change_chart_torque,
    chart_number,
    matrix_from_rotation_vector,
    nearest_rotation_vector,
    quaternion_from_rotation_vector,
    reach_cone,
    reach_cone_gradient,
    reach_cone_moment,
    rotation_vector_from_matrix,
    rotation_vector_from_quaternion,
)
from anthropi.algebra.rotation.group import (
    box_minus,
    box_plus,
    differentiate,
    disparity_angle,
    exp,
    integrate,
    inverse,
    log,
    mean,
    power,
    product,
    rotate,
    slerp,
)
from anthropi.algebra.rotation.jacobians import (
    G_b,
    G_b_dot_w,
    G_s,
    G_s_dot_w,
    J_b,
    J_b_dot_rdot,
    J_determinant,
    J_s,
    J_s_dot_rdot,
    box_minus_derivatives,
    box_plus_derivatives,
    cross_derivatives,
    exp_derivative,
    inverse_derivative,
    log_derivative,
    product_derivatives,
    rotate_derivatives,
    skew_polynomial,
    skew_polynomial_inverse,
)
from anthropi.algebra.rotation.quaternions import (
    matrix_from_quaternion,
    quaternion_conjugate,
    quaternion_from_matrix,
    quaternion_left,
    quaternion_product,
    quaternion_right,
)
from anthropi.algebra.rotation.rates import (
    angle_axis_acceleration_from_angular_acceleration,
    angle_axis_rate_from_angular_velocity,
    angular_acceleration_from_angle_axis_acceleration,
    angular_acceleration_from_matrix_acceleration,
    angular_acceleration_from_quaternion_acceleration,
    angular_acceleration_from_rotation_vector_acceleration,
    angular_velocity_from_angle_axis_rate,
    angular_velocity_from_matrix_rate,
    angular_velocity_from_quaternion_rate,
    angular_velocity_from_rotation_vector_rate,
    matrix_acceleration_from_angular_acceleration,
    matrix_rate_from_angular_velocity,
    quaternion_acceleration_from_angular_acceleration,
    quaternion_H,
    quaternion_H_bar,
    quaternion_rate_from_angular_velocity,
    rotation_vector_acceleration_from_angular_acceleration,
    rotation_vector_rate_from_angular_velocity,
)
from anthropi.algebra.rotation.rigid_motions import (
    homogeneous,
    homogeneous_exp,
    homogeneous_inverse,
    homogeneous_log,
    homogeneous_parts,
    homogeneous_product,
    point_velocity,
    transform_point,
)
from anthropi.algebra.rotation.vectors import skew, unskew

__all__ = [
    "EULER_ORDERS", "G_b", "G_b_dot_w", "G_s", "G_s_dot_w", "J_b", "J_b_dot_rdot", "J_determinant", "J_s",
    "J_s_dot_rdot", "alpha", "angle_axis_acceleration_from_angular_acceleration", "angle_axis_from_euler",
    "angle_axis_from_matrix", "angle_axis_from_quaternion", "angle_axis_from_rotation_vector",
    "angle_axis_rate_from_angular_velocity", "angular_acceleration_from_angle_axis_acceleration",
    "angular_acceleration_from_euler_acceleration", "angular_acceleration_from_matrix_acceleration",
    "angular_acceleration_from_quaternion_acceleration", "angular_acceleration_from_rotation_vector_acceleration",
    "angular_velocity_from_angle_axis_rate", "angular_velocity_from_euler_rate",
    "angular_velocity_from_matrix_rate", "angular_velocity_from_quaternion_rate",
    "angular_velocity_from_rotation_vector_rate", "beta", "box_minus", "box_minus_derivatives", "box_plus",
    "box_plus_derivatives", "change_chart", "change_chart_torque", "chart_number", "cross_derivatives", "d_alpha",
    "d_beta", "d_delta", "d_gamma", "d_zeta", "delta", "differentiate", "disparity_angle", "elementary",
    "euler_acceleration_from_angular_acceleration", "euler_from_angle_axis", "euler_from_matrix",
    "euler_from_quaternion", "euler_from_rotation_vector", "euler_order", "euler_rate_determinant",
    "euler_rate_from_angular_velocity", "euler_rate_matrix", "euler_rate_matrix_derivative",
    "euler_rate_matrix_inverse", "exp", "exp_derivative", "gamma", "homogeneous", "homogeneous_exp",
    "homogeneous_inverse", "homogeneous_log", "homogeneous_parts", "homogeneous_product", "integrate", "inverse",
    "inverse_derivative", "log", "log_derivative", "matrix_acceleration_from_angular_acceleration",
    "matrix_from_angle_axis", "matrix_from_euler", "matrix_from_quaternion", "matrix_from_rotation_vector",
    "matrix_rate_from_angular_velocity", "mean", "modified_rodrigues_from_quaternion", "nearest_rotation_vector",
    "point_velocity", "power", "product", "product_derivatives", "quaternion_H", "quaternion_H_bar",
    "quaternion_acceleration_from_angular_acceleration", "quaternion_between", "quaternion_conjugate",
    "quaternion_from_angle_axis", "quaternion_from_euler", "quaternion_from_matrix",
    "quaternion_from_modified_rodrigues", "quaternion_from_rodrigues", "quaternion_from_rotation_vector",
    "quaternion_left", "quaternion_product", "quaternion_rate_from_angular_velocity", "quaternion_right",
    "reach_cone", "reach_cone_gradient", "reach_cone_moment", "rodrigues_from_quaternion", "rotate",
    "rotate_derivatives", "rotation_vector_acceleration_from_angular_acceleration",
    "rotation_vector_from_angle_axis", "rotation_vector_from_euler", "rotation_vector_from_matrix",
    "rotation_vector_from_quaternion", "rotation_vector_rate_from_angular_velocity", "skew", "skew_polynomial",
    "skew_polynomial_inverse", "slerp", "transform_point", "unskew", "zeta",
]  # fmt: skip
