"""Rotation objects (`ap.Rotation`): one rotation or a batch, from and to every parametrisation. Floats only.

An object stores unit quaternions (..., 4) and is immutable. Its methods are those of `ap.rotation`, applied to them.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from anthropi.algebra.orientation import functions as f
from anthropi.algebra.orientation.checks import broadcast, finite, is_recorded, real, shaped, unit_quaternion
from anthropi.algebra.orientation.estimation import align_vectors, batch_shape, nearest, random_quaternion, same_shapes
from anthropi.errors import InputError, ShapeError, did_you_mean

__all__ = ["Rotation"]

QUATERNION_ORDERS = ("wxyz", "xyzw")


class Rotation:
    """A rotation in space, or a batch of rotations.

    R maps components of a vector in a frame B to those in a frame I (C_IB); equivalently, it turns vectors of I.
    R1 * R2 (or R1 @ R2) is R2 followed by R1. Make one with `Rotation.from_…`; the constructor takes a quaternion.

    Parameters
    ----------
    quaternion : (..., 4), Hamilton, (w, x, y, z), of unit length to 1e-6. Leading axes are a batch.

    Examples
    --------
    >>> R = Rotation.from_euler([90.0, 0.0, 0.0], "zyx", degrees=True)
    >>> print(np.round(R.apply([1.0, 0.0, 0.0]), 12) + 0.0)
    [0. 1. 0.]
    >>> print(round(float((R * R).angle(degrees=True)), 9))
    180.0
    """

    __slots__ = ("_q",)
    __array_ufunc__ = None  # so that array * R is refused instead of multiplying element by element
    _q: np.ndarray

    def __init__(self, quaternion: Any) -> None:
        label = "Rotation: 'quaternion'"
        if isinstance(quaternion, Rotation):
            raise InputError("Rotation: 'quaternion' is a Rotation already; use it as it is.")
        if is_recorded(quaternion):
            raise InputError(
                "Rotation objects are made of floats and cannot be recorded. Use the functions of ap.rotation while "
                "recording."
            )
        q = np.array(unit_quaternion(real(quaternion, label), label))
        q.flags.writeable = False
        object.__setattr__(self, "_q", q)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"A Rotation is immutable; '{name}' cannot be set.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"A Rotation is immutable; '{name}' cannot be deleted.")

    # from anything

    @classmethod
    def identity(cls, shape: int | tuple[int, ...] = ()) -> "Rotation":
        """Return the rotation by zero, or a batch of it."""
        return cls(np.broadcast_to([1.0, 0.0, 0.0, 0.0], (*batch_shape(shape), 4)))

    @classmethod
    def from_matrix(cls, matrix: Any) -> "Rotation":
        """Return the rotation of a proper rotation matrix (..., 3, 3); `nearest` takes a noisy one."""
        return cls(f.quaternion_from_matrix(matrix))

    @classmethod
    def from_quaternion(cls, quaternion: Any, order: str = "wxyz") -> "Rotation":
        """Return the rotation of a unit quaternion (..., 4); order "wxyz" (ours, MuJoCo) or "xyzw" (SciPy, ROS)."""
        if not _scalar_last(order):
            return cls(quaternion)
        label = "Rotation.from_quaternion: 'quaternion'"
        return cls(np.roll(shaped(real(quaternion, label), label, (4,), "quaternion"), 1, axis=-1))

    @classmethod
    def from_rotation_vector(cls, vector: Any, *, degrees: bool = False) -> "Rotation":
        """Return the rotation of a rotation vector, angle times axis. (..., 3) [rad, or degrees]"""
        return cls(f.quaternion_from_rotation_vector(_radians(vector, degrees, "from_rotation_vector: 'vector'")))

    @classmethod
    def exp(cls, vector: Any) -> "Rotation":
        """Return the exponential of a rotation vector (..., 3) [rad], the inverse of `log`."""
        return cls.from_rotation_vector(vector)

    @classmethod
    def from_angle_axis(cls, angle: Any, axis: Any, *, degrees: bool = False) -> "Rotation":
        """Return the rotation by an angle (...) [rad, or degrees] about a unit vector (..., 3)."""
        return cls(f.quaternion_from_angle_axis(_radians(angle, degrees, "from_angle_axis: 'angle'"), axis))

    @classmethod
    def about(cls, axis: str, angle: Any, *, degrees: bool = False) -> "Rotation":
        """Return the rotation by an angle (...) [rad, or degrees] about the coordinate axis "x", "y" or "z"."""
        return cls.from_matrix(f.elementary(axis, _radians(angle, degrees, "about: 'angle'")))

    @classmethod
    def from_euler(
        cls, angles: Any, order: str = "zyx", *, extrinsic: bool = False, degrees: bool = False
    ) -> "Rotation":
        """Return the rotation of Euler angles.

        Parameters
        ----------
        angles : (..., 3) [rad, or degrees], in the sequence of the letters.
        order : one of the twelve orders, in lower or upper case: "zyx" (yaw, pitch, roll), "xyz", "zxz" …
        extrinsic : False: each rotation is about an axis as rotated so far, R_i R_j R_l (SciPy's upper-case orders).
            True: each rotation is about a fixed axis, R_l R_j R_i (SciPy's lower-case orders).
        degrees : whether the angles are in degrees.
        """
        if isinstance(angles, str):
            raise InputError(
                f"from_euler takes the angles first, then the order: from_euler(angles, order='{angles}')."
            )
        order, angles = f.euler_order(order), _radians(angles, degrees, "from_euler: 'angles'")
        if extrinsic:
            order, angles = order[::-1], shaped(angles, "from_euler: 'angles'", (3,), "vector")[..., ::-1]
        return cls(f.quaternion_from_euler(angles, order))

    @classmethod
    def from_rodrigues(cls, parameters: Any) -> "Rotation":
        """Return the rotation of Rodrigues parameters (Gibbs vector), axis times tan(angle/2). (..., 3)"""
        return cls(f.quaternion_from_rodrigues(parameters))

    @classmethod
    def from_modified_rodrigues(cls, parameters: Any) -> "Rotation":
        """Return the rotation of modified Rodrigues parameters, axis times tan(angle/4). (..., 3)"""
        return cls(f.quaternion_from_modified_rodrigues(parameters))

    @classmethod
    def between(cls, a: Any, b: Any) -> "Rotation":
        """Return the shortest rotation that turns the direction of a into that of b. (..., 3), not zero

        For opposite directions the axis is arbitrary, but always the same one.
        """
        return cls(f.quaternion_between(a, b))

    @classmethod
    def nearest(cls, matrix: Any) -> "Rotation":
        """Return the rotation nearest to a matrix (..., 3, 3), for example to a measured or rounded one."""
        return cls.from_matrix(nearest(matrix))

    @classmethod
    def align_vectors(cls, a: Any, b: Any, weights: Any = None) -> tuple["Rotation", Any]:
        """Return the rotation R that maps vectors b to a best, and the root of Σ w ‖a - R b‖² (Kabsch).

        a, b : (..., n, 3), at least two directions that are not parallel. weights : (..., n), equal by default.
        """
        C, off = align_vectors(a, b, weights)
        return cls.from_matrix(C), off

    @classmethod
    def random(cls, shape: int | tuple[int, ...] = (), seed: int | np.random.Generator = 0) -> "Rotation":
        """Return random rotations, uniformly distributed; the same seed gives the same rotations."""
        return cls(random_quaternion(shape, seed))

    @classmethod
    def stack(cls, rotations: Sequence["Rotation"], axis: int = 0) -> "Rotation":
        """Return a batch of rotations with a new batch axis, like `np.stack`."""
        parts = same_shapes(rotations, cls, axis)
        return cls(np.stack([R._q for R in parts], axis=axis if axis >= 0 else axis - 1))

    # to anything

    def as_matrix(self) -> np.ndarray:
        """Return rotation matrices C_IB. (..., 3, 3)"""
        return f.matrix_from_quaternion(self._q)

    def as_quaternion(self, order: str = "wxyz", *, positive: bool = False) -> np.ndarray:
        """Return unit quaternions (..., 4), "wxyz" or "xyzw"; with `positive`, of the two signs that with w ≥ 0."""
        q = np.where(self._q[..., :1] < 0.0, -self._q, self._q) if positive else self._q.copy()
        return np.roll(q, -1, axis=-1) if _scalar_last(order) else q

    def as_rotation_vector(self, *, degrees: bool = False) -> np.ndarray:
        """Return rotation vectors (..., 3) [rad, or degrees] of length at most π. At π the sign is arbitrary."""
        r = f.rotation_vector_from_quaternion(self._q)
        return np.degrees(r) if degrees else r

    def log(self) -> np.ndarray:
        """Return the logarithm, the rotation vector (..., 3) [rad]."""
        return self.as_rotation_vector()

    def as_angle_axis(self, *, degrees: bool = False) -> tuple[Any, np.ndarray]:
        """Return the angle (...) in [0, π] [rad, or degrees] and the axis (..., 3); e_x for the rotation by zero."""
        angle, axis = f.angle_axis_from_quaternion(self._q)
        return np.degrees(angle) if degrees else angle, axis

    def angle(self, *, degrees: bool = False) -> Any:
        """Return the angle of the rotation. (...) in [0, π] [rad, or degrees]"""
        return self.as_angle_axis(degrees=degrees)[0]

    def as_euler(self, order: str = "zyx", *, extrinsic: bool = False, degrees: bool = False) -> np.ndarray:
        """Return Euler angles (..., 3) [rad, or degrees]; order and extrinsic as in `from_euler`.

        The first and last angle are in [-π, π], the middle one in [-π/2, π/2], or in [0, π] if the first and last axis
        are the same. At gimbal lock the last angle (extrinsic: the first) is zero.
        """
        order = f.euler_order(order)
        angles = f.euler_from_quaternion(self._q, order[::-1] if extrinsic else order)
        angles = angles[..., ::-1].copy() if extrinsic else angles
        return np.degrees(angles) if degrees else angles

    def as_rodrigues(self) -> np.ndarray:
        """Return Rodrigues parameters (..., 3), axis times tan(angle/2); a half turn raises a `SingularError`."""
        return f.rodrigues_from_quaternion(self._q)

    def as_modified_rodrigues(self) -> np.ndarray:
        """Return modified Rodrigues parameters (..., 3), axis times tan(angle/4), of length at most 1."""
        return f.modified_rodrigues_from_quaternion(self._q)

    # operations

    def apply(self, vectors: Any, *, inverse: bool = False) -> np.ndarray:
        """Return rotated vectors. (..., 3) → (..., 3); batches of rotations and vectors broadcast.

        inverse : rotate by the inverse rotation. NaN stays NaN.
        """
        v = shaped(real(vectors, "apply: 'vectors'"), "apply: 'vectors'", (3,), "vector")
        broadcast("apply", {"rotation": self.shape, "vectors": v.shape[:-1]})
        C = self.as_matrix()
        return ((np.swapaxes(C, -1, -2) if inverse else C) @ v[..., None])[..., 0]

    def inverse(self) -> "Rotation":
        """Return the inverse rotation."""
        return Rotation(f.quaternion_conjugate(self._q))

    def __mul__(self, other: "Rotation") -> "Rotation":
        """Return the product: `other` followed by this rotation."""
        if not isinstance(other, Rotation):
            if isinstance(other, (np.ndarray, list, tuple, float, int)):
                raise InputError("A Rotation is multiplied by a Rotation. To rotate vectors use R.apply(vectors).")
            return NotImplemented
        return Rotation(_normalised(f.quaternion_product(self._q, other._q)))

    __matmul__ = __mul__

    def __pow__(self, exponent: Any) -> "Rotation":
        """Return the rotation about the same axis by the angle, in [0, π], times the exponent (...)."""
        return Rotation.exp(_scaled("power", exponent, self.log()))

    def slerp(self, other: "Rotation", t: Any) -> "Rotation":
        """Return the rotations between this one (t = 0) and another (t = 1) on the shorter arc. t : (...)"""
        step = (_rotation(other, "slerp") * self.inverse()).log()
        return Rotation.exp(_scaled("slerp", t, step)) * self

    def disparity_angle(self, other: "Rotation", *, degrees: bool = False) -> Any:
        """Return the angle between this rotation and another. (...) in [0, π] [rad, or degrees]"""
        return (self.inverse() * _rotation(other, "disparity_angle")).angle(degrees=degrees)

    def mean(self, weights: Any = None, axis: int = 0) -> "Rotation":
        """Return the mean along a batch axis: the least sum of squared angles (Karcher mean). weights : (n,)"""
        if not isinstance(axis, (int, np.integer)) or not -len(self.shape) <= axis < len(self.shape):
            raise ShapeError(f"mean needs a batch with axis {axis}; this Rotation has shape {self.shape}.")
        q = np.moveaxis(self._q, axis % len(self.shape), -2)
        if weights is not None:
            w = real(weights, "mean: 'weights'")
            if w.shape != q.shape[-2:-1]:
                raise ShapeError(f"mean needs {q.shape[-2]} weights, one for each rotation; got shape {w.shape}.")
            weights = np.broadcast_to(w, q.shape[:-1])
        return Rotation(_normalised(f.mean(q, weights)))

    # batches, comparison, text

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the batch; () for one rotation."""
        return self._q.shape[:-1]

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("This Rotation is a single one and has no length.")
        return self.shape[0]

    def __getitem__(self, index: Any) -> "Rotation":
        index = index if isinstance(index, tuple) else (index,)
        whole = index if any(k is Ellipsis for k in index) else (*index, ...)
        try:
            return Rotation(self._q[(*whole, slice(None))])
        except IndexError:
            raise IndexError(f"Rotation of shape {self.shape} has no element {index}.") from None

    def __iter__(self) -> Iterator["Rotation"]:
        return (self[k] for k in range(len(self)))

    def reshape(self, *shape: int) -> "Rotation":
        """Return the batch in another shape."""
        try:
            return Rotation(self._q.reshape(*shape, 4))
        except ValueError:
            raise ShapeError(f"A batch of shape {self.shape} cannot be reshaped to {shape}.") from None

    def __eq__(self, other: object) -> bool:
        """Return whether two rotations, or all of two batches, are the same; q and -q are. See `isclose`."""
        if not isinstance(other, Rotation):
            return NotImplemented
        return self.shape == other.shape and bool(np.array_equal(self._canonical(), other._canonical()))

    def __hash__(self) -> int:
        return hash((self.shape, self._canonical().tobytes()))

    def _canonical(self) -> np.ndarray:
        """Return the quaternions with the sign for which the first entry that is not zero is positive."""
        first = np.argmax(self._q != 0.0, axis=-1)
        lead = np.take_along_axis(self._q, first[..., None], axis=-1)
        return np.where(lead < 0.0, -self._q, self._q) + 0.0  # no negative zeros

    def isclose(self, other: "Rotation", tolerance: float = 1e-9) -> Any:
        """Return where the angle to another rotation is at most the tolerance [rad]. → bool (...)"""
        return self.disparity_angle(other) <= finite(real(tolerance, "isclose: 'tolerance'"), "isclose: 'tolerance'")

    def __repr__(self) -> str:
        return f"Rotation({np.array2string(self._q, separator=', ', threshold=40)})"

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        raise InputError("A Rotation is not an array. Choose R.as_matrix(), R.as_quaternion() or another form.")

    def __reduce__(self) -> tuple[Any, ...]:
        return Rotation, (np.array(self._q),)


def _normalised(q: np.ndarray) -> np.ndarray:
    """Return quaternions scaled to unit length, so that rounding does not grow over many products."""
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def _rotation(value: Any, function: str) -> Rotation:
    if not isinstance(value, Rotation):
        raise InputError(f"{function} takes a Rotation; got {type(value).__name__}. Make one with Rotation.from_….")
    return value


def _scaled(function: str, t: Any, r: np.ndarray) -> np.ndarray:
    """Return t r for numbers t (...) and vectors r (..., n)."""
    t = finite(real(t, f"{function}: 't'"), f"{function}: 't'")
    broadcast(function, {"t": t.shape, "rotation": r.shape[:-1]})
    return t[..., None] * r


def _radians(angle: Any, degrees: bool, label: str) -> np.ndarray:
    a = real(angle, label)
    return a * (math.pi / 180.0) if degrees else a


def _scalar_last(order: str) -> bool:
    """Return whether a quaternion order is "xyzw"; raise `InputError` if it is none of the two."""
    if not isinstance(order, str) or order not in QUATERNION_ORDERS:
        hint = did_you_mean(str(order), QUATERNION_ORDERS)
        raise InputError(f"No quaternion order '{order}'.{hint} Orders: wxyz (scalar first), xyzw (scalar last).")
    return order == "xyzw"
