"""Every public function of `rotation` with valid inputs, for tests that run over all of them.

Inputs are made from rotation vectors r (n, 3) and from two sets of numbers, so that a sample can sit exactly at a seam.
`away` names the angles at which a function is undefined: "0" (no axis, or infinite), "pi" (log jumps), "2pi" (G is
infinite).
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

import anthropi.algebra.rotation as R  # noqa: N812


class Entry(NamedTuple):
    """A function and the names of its inputs, made by `INPUTS`."""

    function: Any
    inputs: tuple[str, ...]
    away: tuple[str, ...] = ()


def _angles(low, high):
    """Euler angles away from gimbal lock, from numbers in (-2, 2)."""
    return lambda r, u, v: np.stack([u[:, 0], low + (high - low) * (u[:, 1] + 2.0) / 4.0, u[:, 2]], axis=-1)


INPUTS = {
    "r": lambda r, u, v: r,
    "q": lambda r, u, v: R.quaternion_from_rotation_vector(r),
    "q1": lambda r, u, v: R.box_plus(R.quaternion_from_rotation_vector(r), 0.7 * u),
    "q*": lambda r, u, v: np.stack(
        [R.box_plus(R.quaternion_from_rotation_vector(r), x) for x in (u / 3, v / 3, 0 * u)], -2
    ),
    "C": lambda r, u, v: R.exp(r),
    "C1": lambda r, u, v: R.exp(u),
    "A": lambda r, u, v: np.stack([u, v, r], axis=-1),
    "T": lambda r, u, v: R.homogeneous(R.exp(r), u),
    "T1": lambda r, u, v: R.homogeneous(R.exp(v), r),
    "xi": lambda r, u, v: np.concatenate([r, v], axis=-1),
    "theta": lambda r, u, v: np.linalg.norm(r, axis=-1),
    "square": lambda r, u, v: np.sum(r * r, axis=-1),
    "n": lambda r, u, v: u / np.linalg.norm(u, axis=-1, keepdims=True),
    "u": lambda r, u, v: u,
    "v": lambda r, u, v: v,
    "w": lambda r, u, v: u - 2.0 * v,
    "x": lambda r, u, v: u[:, 0],
    "t": lambda r, u, v: 0.25 * (u[:, 1] + 2.0),
    "qdot": lambda r, u, v: np.concatenate([u, v[:, :1]], axis=-1),
    "cardan": _angles(-1.4, 1.4),
    "proper": _angles(0.2, 2.9),
}

_COEFFICIENTS = ("alpha", "beta", "gamma", "delta", "zeta")
CATALOG = {
    "skew": Entry(R.skew, ("u",)), "unskew": Entry(R.unskew, ("A",)),
    "quaternion_conjugate": Entry(R.quaternion_conjugate, ("q",)),
    "quaternion_product": Entry(R.quaternion_product, ("q", "q1")),
    "quaternion_left": Entry(R.quaternion_left, ("q",)), "quaternion_right": Entry(R.quaternion_right, ("q",)),
    "matrix_from_quaternion": Entry(R.matrix_from_quaternion, ("q",)),
    "quaternion_from_matrix": Entry(R.quaternion_from_matrix, ("C",), ("pi",)),
    "quaternion_from_rotation_vector": Entry(R.quaternion_from_rotation_vector, ("r",)),
    "matrix_from_rotation_vector": Entry(R.matrix_from_rotation_vector, ("r",)),
    "rotation_vector_from_quaternion": Entry(R.rotation_vector_from_quaternion, ("q",), ("pi",)),
    "rotation_vector_from_matrix": Entry(R.rotation_vector_from_matrix, ("C",), ("pi",)),
    "quaternion_from_angle_axis": Entry(R.quaternion_from_angle_axis, ("theta", "n")),
    "matrix_from_angle_axis": Entry(R.matrix_from_angle_axis, ("theta", "n")),
    "rotation_vector_from_angle_axis": Entry(R.rotation_vector_from_angle_axis, ("theta", "n")),
    "angle_axis_from_quaternion": Entry(R.angle_axis_from_quaternion, ("q",), ("0", "pi", "2pi")),
    "angle_axis_from_rotation_vector": Entry(R.angle_axis_from_rotation_vector, ("r",), ("0",)),
    "angle_axis_from_matrix": Entry(R.angle_axis_from_matrix, ("C",), ("0", "pi", "2pi")),
    "angle_axis_from_euler": Entry(R.angle_axis_from_euler, ("cardan",)),
    "rotation_vector_from_euler": Entry(R.rotation_vector_from_euler, ("cardan",)),
    "euler_from_quaternion": Entry(R.euler_from_quaternion, ("q",)),
    "euler_from_rotation_vector": Entry(R.euler_from_rotation_vector, ("r",)),
    "euler_from_angle_axis": Entry(R.euler_from_angle_axis, ("theta", "n")),
    "product": Entry(R.product, ("C", "C1")), "inverse": Entry(R.inverse, ("q",)),
    "rotate": Entry(R.rotate, ("q", "u")), "rotate, matrix": Entry(R.rotate, ("C", "u")),
    "exp": Entry(R.exp, ("r",)), "log": Entry(R.log, ("C",), ("pi",)), "power": Entry(R.power, ("C", "t"), ("pi",)),
    "box_plus": Entry(R.box_plus, ("q", "u")), "box_minus": Entry(R.box_minus, ("q1", "q")),
    "slerp": Entry(R.slerp, ("q", "q1", "t")), "integrate": Entry(R.integrate, ("q", "u", "t")),
    "differentiate": Entry(R.differentiate, ("q", "q1", "t")),
    "mean": Entry(R.mean, ("q*",)),
    **{c: Entry(getattr(R, c), ("theta",), ("2pi",) if c in ("delta", "zeta") else ()) for c in _COEFFICIENTS},
    **{f"{c}, square": Entry(lambda square, c=c: getattr(R, c)(square=square), ("square",),
                             ("2pi",) if c in ("delta", "zeta") else ()) for c in _COEFFICIENTS},
    **{f"d_{c}": Entry(getattr(R, f"d_{c}"), ("theta",),
                       ("2pi",) if c in ("delta", "zeta") else ()) for c in _COEFFICIENTS},
    **{f"d_{c}, square": Entry(lambda square, c=c: getattr(R, f"d_{c}")(square=square), ("square",),
                               ("2pi",) if c in ("delta", "zeta") else ()) for c in _COEFFICIENTS},
    "J_b": Entry(R.J_b, ("r",)), "J_s": Entry(R.J_s, ("r",)), "J_determinant": Entry(R.J_determinant, ("r",)),
    "G_b": Entry(R.G_b, ("r",), ("2pi",)), "G_s": Entry(R.G_s, ("r",), ("2pi",)),
    "J_b_dot_rdot": Entry(R.J_b_dot_rdot, ("r", "u")), "J_s_dot_rdot": Entry(R.J_s_dot_rdot, ("r", "u")),
    "G_b_dot_w": Entry(R.G_b_dot_w, ("r", "u", "v"), ("2pi",)),
    "G_s_dot_w": Entry(R.G_s_dot_w, ("r", "u", "v"), ("2pi",)),
    "skew_polynomial": Entry(R.skew_polynomial, ("t", "x", "theta", "r")),
    "skew_polynomial_inverse": Entry(lambda t, x, u: R.skew_polynomial_inverse(1.0 + t, x, -t, u), ("t", "x", "u")),
    "angular_velocity_from_matrix_rate": Entry(R.angular_velocity_from_matrix_rate, ("C", "A")),
    "matrix_rate_from_angular_velocity": Entry(R.matrix_rate_from_angular_velocity, ("C", "u")),
    "quaternion_H": Entry(R.quaternion_H, ("q",)), "quaternion_H_bar": Entry(R.quaternion_H_bar, ("q",)),
    "angular_velocity_from_quaternion_rate": Entry(R.angular_velocity_from_quaternion_rate, ("q", "qdot")),
    "quaternion_rate_from_angular_velocity": Entry(R.quaternion_rate_from_angular_velocity, ("q", "u")),
    "angular_velocity_from_angle_axis_rate": Entry(R.angular_velocity_from_angle_axis_rate, ("theta", "n", "x", "v")),
    "angle_axis_rate_from_angular_velocity":
        Entry(R.angle_axis_rate_from_angular_velocity, ("theta", "n", "v"), ("0", "2pi")),
    "angular_velocity_from_rotation_vector_rate": Entry(R.angular_velocity_from_rotation_vector_rate, ("r", "u")),
    "rotation_vector_rate_from_angular_velocity":
        Entry(R.rotation_vector_rate_from_angular_velocity, ("r", "u"), ("2pi",)),
    "angular_acceleration_from_matrix_acceleration": Entry(R.angular_acceleration_from_matrix_acceleration, ("C", "A")),
    "matrix_acceleration_from_angular_acceleration":
        Entry(R.matrix_acceleration_from_angular_acceleration, ("C", "u", "v")),
    "angular_acceleration_from_quaternion_acceleration":
        Entry(R.angular_acceleration_from_quaternion_acceleration, ("q", "qdot")),
    "quaternion_acceleration_from_angular_acceleration":
        Entry(R.quaternion_acceleration_from_angular_acceleration, ("q", "u", "v")),
    "angular_acceleration_from_angle_axis_acceleration":
        Entry(R.angular_acceleration_from_angle_axis_acceleration, ("theta", "n", "x", "u", "t", "v")),
    "angle_axis_acceleration_from_angular_acceleration":
        Entry(R.angle_axis_acceleration_from_angular_acceleration, ("theta", "n", "v", "w"), ("0", "2pi")),
    "angular_acceleration_from_rotation_vector_acceleration":
        Entry(R.angular_acceleration_from_rotation_vector_acceleration, ("r", "u", "v")),
    "rotation_vector_acceleration_from_angular_acceleration":
        Entry(R.rotation_vector_acceleration_from_angular_acceleration, ("r", "u", "v", "w"), ("2pi",)),
    "elementary": Entry(partial(R.elementary, "y"), ("x",)),
    "rotate_derivatives": Entry(R.rotate_derivatives, ("C", "u")),
    "inverse_derivative": Entry(R.inverse_derivative, ("C",)),
    "product_derivatives": Entry(R.product_derivatives, ("C", "C1")), "exp_derivative": Entry(R.exp_derivative, ("r",)),
    "log_derivative": Entry(R.log_derivative, ("C",), ("pi",)),
    "box_plus_derivatives": Entry(R.box_plus_derivatives, ("C", "u")),
    "box_minus_derivatives": Entry(R.box_minus_derivatives, ("C1", "C")),
    "cross_derivatives": Entry(R.cross_derivatives, ("u", "v")),
    "change_chart": Entry(R.change_chart, ("r", "u", "v"), ("pi",)),
    "change_chart_torque": Entry(R.change_chart_torque, ("r", "u"), ("pi", "2pi")),
    "chart_number": Entry(R.chart_number, ("r",), ("pi",)),
    "nearest_rotation_vector": Entry(R.nearest_rotation_vector, ("r", "u"), ("0",)),
    "reach_cone": Entry(R.reach_cone, ("r", "n", "t")), "reach_cone_gradient": Entry(R.reach_cone_gradient, ("r", "n")),
    "reach_cone_moment": Entry(R.reach_cone_moment, ("r", "n")),
    "homogeneous": Entry(R.homogeneous, ("C", "u")), "homogeneous_parts": Entry(R.homogeneous_parts, ("T",)),
    "homogeneous_inverse": Entry(R.homogeneous_inverse, ("T",)),
    "transform_point": Entry(R.transform_point, ("T", "v")),
    "point_velocity": Entry(R.point_velocity, ("u", "v", "w")),
    "homogeneous_product": Entry(R.homogeneous_product, ("T", "T1")),
    "homogeneous_exp": Entry(R.homogeneous_exp, ("xi",)),
    "homogeneous_log": Entry(R.homogeneous_log, ("T",), ("pi",)),
    "disparity_angle": Entry(R.disparity_angle, ("q1", "q")),
    "rodrigues_from_quaternion": Entry(R.rodrigues_from_quaternion, ("q",), ("pi", "")),
    "quaternion_from_rodrigues": Entry(R.quaternion_from_rodrigues, ("u",)),
    "modified_rodrigues_from_quaternion": Entry(R.modified_rodrigues_from_quaternion, ("q",), ("pi",)),
    "quaternion_from_modified_rodrigues": Entry(R.quaternion_from_modified_rodrigues, ("u",)),
    "quaternion_between": Entry(R.quaternion_between, ("u", "v")),
    "quaternion_between, near": Entry(lambda r, n: R.quaternion_between(n, R.rotate(R.exp(r), n)), ("r", "n"), ("pi",)),
}  # fmt: skip

_EULER = {
    "matrix_from_euler": (R.matrix_from_euler, ()), "quaternion_from_euler": (R.quaternion_from_euler, ()),
    "euler_rate_matrix": (R.euler_rate_matrix, ()), "euler_rate_matrix_inverse": (R.euler_rate_matrix_inverse, ()),
    "euler_rate_determinant": (R.euler_rate_determinant, ()),
    "angular_velocity_from_euler_rate": (R.angular_velocity_from_euler_rate, ("u",)),
    "euler_rate_from_angular_velocity": (R.euler_rate_from_angular_velocity, ("u",)),
    "euler_rate_matrix_derivative": (R.euler_rate_matrix_derivative, ("u",)),
    "angular_acceleration_from_euler_acceleration": (R.angular_acceleration_from_euler_acceleration, ("u", "v")),
    "euler_acceleration_from_angular_acceleration": (R.euler_acceleration_from_angular_acceleration, ("u", "v")),
}  # fmt: skip
for _name, (_function, _more) in _EULER.items():
    CATALOG[f"{_name}, xyz"] = Entry(partial(_function, order="xyz"), ("cardan", *_more))
    CATALOG[f"{_name}, zxz"] = Entry(partial(_function, order="zxz"), ("proper", *_more))
CATALOG["euler_from_matrix, yxz"] = Entry(partial(R.euler_from_matrix, order="yxz"), ("C",))
CATALOG["euler_from_matrix, yzy"] = Entry(partial(R.euler_from_matrix, order="yzy"), ("C1",))


def inputs_of(entry: Entry, angles, seed: int = 0) -> list[np.ndarray]:
    """Make a batch of inputs, one for each angle: the rotations turn by exactly these."""
    rng = np.random.default_rng(seed)
    angles = np.asarray(angles, dtype=float)
    axes = rng.normal(size=(len(angles), 3))
    r = angles[:, None] * axes / np.linalg.norm(axes, axis=-1, keepdims=True)
    u, v = rng.uniform(-1.9, 1.9, (2, len(angles), 3))
    return [INPUTS[name](r, u, v) for name in entry.inputs]
