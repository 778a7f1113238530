"""Pose objects (`ap.Transform`): a rotation and an origin, or a batch of them, with checked input. Floats only.

`ap.Transform` is a `spatial.Transform`, so it can place joints, markers and obstacles, and it transforms motions,
forces and inertias. It adds checks, conversions, SE(3) exponential and logarithm, alignment, and batches.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from anthropi.algebra import spatial
from anthropi.algebra.orientation import functions as f
from anthropi.algebra.orientation.checks import broadcast, finite, is_recorded, real, rotation_matrix, shaped
from anthropi.algebra.orientation.estimation import align_points, generator, random_quaternion, same_shapes
from anthropi.algebra.orientation.rotation import Rotation
from anthropi.errors import InputError, ShapeError

__all__ = ["Transform"]


class Transform(spatial.Transform):
    """Pose of a frame B seen from a frame A, or a batch of poses.

    X_AB maps components in B to components in A. X_AB * X_BC (or X_AB @ X_BC) is X_AC.

    Parameters
    ----------
    rotation : a `Rotation`, or matrices C_AB (..., 3, 3); no rotation by default.
    origin : p_AB (..., 3) [m], origin of B seen from A; zero by default.

    Attributes
    ----------
    rotation : C_AB (..., 3, 3). orientation : the same as a `Rotation`. origin : p_AB (..., 3) [m].

    Examples
    --------
    >>> X = Transform(Rotation.about("z", 90.0, degrees=True), [1.0, 0.0, 0.0])
    >>> print(np.round(X.apply([1.0, 0.0, 0.0]), 12) + 0.0)
    [1. 1. 0.]
    """

    __array_ufunc__ = None

    def __init__(self, rotation: Any = None, origin: Any = None) -> None:
        rotation = np.eye(3) if rotation is None else rotation
        super().__init__(rotation, np.zeros(3) if origin is None else origin)

    def __post_init__(self) -> None:
        C, p = self.rotation, self.origin
        if is_recorded(C) or is_recorded(p):
            raise InputError(
                "Transform objects are made of floats and cannot be recorded. Use ap.spatial.Transform while recording."
            )
        C = C.as_matrix() if isinstance(C, Rotation) else C
        labels = "Transform: 'rotation'", "Transform: 'origin'"
        C = rotation_matrix(real(C, labels[0]), labels[0])
        p = finite(shaped(real(p, labels[1]), labels[1], (3,), "vector"), labels[1])
        lead = broadcast("Transform", {"rotation": C.shape[:-2], "origin": p.shape[:-1]})
        for name, array in (("rotation", np.array(np.broadcast_to(C, (*lead, 3, 3)))),
                            ("origin", np.array(np.broadcast_to(p, (*lead, 3))))):  # fmt: skip
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    # from and to

    @classmethod
    def identity(cls, shape: int | tuple[int, ...] = ()) -> "Transform":
        """Return the identity transform, or a batch of it."""
        return cls(Rotation.identity(shape))

    @classmethod
    def from_matrix(cls, matrix: Any) -> "Transform":
        """Return the transform of homogeneous matrices [[C, p], [0, 1]]. (..., 4, 4)"""
        return cls(*f.homogeneous_parts(matrix))

    @classmethod
    def from_translation(cls, origin: Any) -> "Transform":
        """Return the transform without rotation whose origin is (..., 3) [m]."""
        return cls(None, origin)

    @classmethod
    def exp(cls, motion: Any) -> "Transform":
        """Return the pose after unit time of a constant motion (..., 6) [rad, m], the angular part first."""
        return cls.from_matrix(f.homogeneous_exp(motion))

    @classmethod
    def align_points(cls, a: Any, b: Any, weights: Any = None) -> tuple["Transform", Any]:
        """Return the transform X that maps points b to a best, and the root of Σ w ‖a - X(b)‖² [m] (Kabsch).

        a, b : (..., n, 3) [m], at least three points that are not on a line. weights : (..., n), equal by default.
        """
        C, p, off = align_points(a, b, weights)
        return cls(C, p), off

    @classmethod
    def random(
        cls, shape: int | tuple[int, ...] = (), distance: float = 1.0, seed: int | np.random.Generator = 0
    ) -> "Transform":
        """Return random poses: uniform rotations, and origins of normal distribution with a deviation [m]."""
        rng = generator(seed)
        scale = finite(real(distance, "random: 'distance'"), "random: 'distance'")
        if scale.ndim:
            raise ShapeError(f"random: 'distance' has shape {scale.shape}; give one number [m].")
        q = random_quaternion(shape, rng)
        return cls(Rotation(q), scale * rng.normal(size=(*q.shape[:-1], 3)))

    @classmethod
    def stack(cls, transforms: Sequence["Transform"], axis: int = 0) -> "Transform":
        """Return a batch of transforms with a new batch axis, like `np.stack`."""
        parts = same_shapes(transforms, cls, axis)
        return cls(
            np.stack([X.rotation for X in parts], axis=axis if axis >= 0 else axis - 2),
            np.stack([X.origin for X in parts], axis=axis if axis >= 0 else axis - 1),
        )

    @property
    def orientation(self) -> Rotation:
        """The rotation as an object."""
        return Rotation.from_matrix(self.rotation)

    def as_matrix(self) -> np.ndarray:
        """Return homogeneous matrices [[C, p], [0, 1]] (..., 4, 4). `matrix` is the 6×6 one of `act_motion`."""
        return f.homogeneous(self.rotation, self.origin)

    def log(self) -> np.ndarray:
        """Return the motion (..., 6) [rad, m] of unit time that leads here, the angular part first, of at most π."""
        return f.homogeneous_log(self.as_matrix())

    # operations

    def apply(self, points: Any, *, inverse: bool = False) -> np.ndarray:
        """Return points of B seen from A. (..., 3) → (..., 3) [m]; with `inverse`, points of A seen from B.

        Batches of transforms and points broadcast. NaN stays NaN.
        """
        r = shaped(real(points, "apply: 'points'"), "apply: 'points'", (3,), "vector")
        broadcast("apply", {"transform": self.shape, "points": r.shape[:-1]})
        if inverse:
            return (np.swapaxes(self.rotation, -1, -2) @ (r - self.origin)[..., None])[..., 0]
        return (self.rotation @ r[..., None])[..., 0] + self.origin

    def act_motion(self, m_B: Any) -> Any:
        """Transform a motion vector from B to A. m_B (..., 6) → m_A (..., 6)"""
        return super().act_motion(self._vectors("act_motion", m_B, 6))

    def act_force(self, f_B: Any) -> Any:
        """Transform a force vector from B to A. f_B (..., 6) → f_A (..., 6)"""
        return super().act_force(self._vectors("act_force", f_B, 6))

    def undo_motion(self, m_A: Any) -> Any:
        """Transform a motion vector from A to B. m_A (..., 6) → m_B (..., 6)"""
        return super().undo_motion(self._vectors("undo_motion", m_A, 6))

    def undo_force(self, f_A: Any) -> Any:
        """Transform a force vector from A to B. f_A (..., 6) → f_B (..., 6)"""
        return super().undo_force(self._vectors("undo_force", f_A, 6))

    def act_point(self, p_B: Any) -> Any:
        """Transform a point from B to A; the same as `apply`. p_B (..., 3) [m] → p_A (..., 3) [m]"""
        return super().act_point(self._vectors("act_point", p_B, 3))

    def undo_point(self, p_A: Any) -> Any:
        """Transform a point from A to B. p_A (..., 3) [m] → p_B (..., 3) [m]"""
        return super().undo_point(self._vectors("undo_point", p_A, 3))

    def undo_direction(self, d_A: Any) -> Any:
        """Transform a direction from A to B. d_A (..., 3) → d_B (..., 3)"""
        return super().undo_direction(self._vectors("undo_direction", d_A, 3))

    def rate(self, v_A: Any) -> tuple[Any, Any]:
        """Return (dC/dt, dp/dt) while B moves relative to A with the motion v_A (..., 6), expressed in A."""
        return super().rate(self._vectors("rate", v_A, 6))

    def act_inertia(self, I_B: Any) -> Any:
        """Transform an inertia, rigid or articulated, from B to A (about A's origin)."""
        return super().act_inertia(_inertia(I_B, "act_inertia"))

    def undo_inertia(self, I_A: Any) -> Any:
        """Transform an inertia, rigid or articulated, from A to B (about B's origin)."""
        return super().undo_inertia(_inertia(I_A, "undo_inertia"))

    def _vectors(self, function: str, vectors: Any, size: int) -> Any:
        """Return checked vectors (..., size); recording scalars pass unchecked."""
        if is_recorded(vectors):
            return np.asarray(vectors)
        label = f"{function}: the argument"
        a = shaped(real(vectors, label), label, (size,), "vector")
        broadcast(function, {"transform": self.shape, "vectors": a.shape[:-1]})
        return a

    def inverse(self) -> "Transform":
        """Return the inverse transform X_BA."""
        found = super().inverse()
        return Transform(found.rotation, found.origin)

    def __matmul__(self, other: Any) -> Any:
        """Return the product X_AB @ X_BC = X_AC; with a `spatial.Transform`, such an object without checks."""
        if not isinstance(other, spatial.Transform):
            if isinstance(other, (np.ndarray, list, tuple, Rotation)):
                raise InputError(
                    "A Transform is multiplied by a Transform. Use X.apply(points) for points, Transform(R) for a "
                    "rotation."
                )
            return NotImplemented
        if not isinstance(other, Transform):
            return super().__matmul__(other)
        broadcast("Transform", {"left": self.shape, "right": other.shape})
        return Transform(self.rotation @ other.rotation, self.apply(other.origin))

    __mul__ = __matmul__

    def interpolate(self, other: "Transform", t: Any) -> "Transform":
        """Return the poses between this one (t = 0) and another (t = 1) on a screw motion. t : (...)"""
        step = (self.inverse() @ _transform(other, "interpolate")).log()
        t = finite(real(t, "interpolate: 't'"), "interpolate: 't'")
        broadcast("interpolate", {"t": t.shape, "transform": step.shape[:-1]})
        return self @ Transform.exp(t[..., None] * step)

    # batches, comparison, text

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the batch; () for one transform."""
        return self.origin.shape[:-1]

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("This Transform is a single one and has no length.")
        return self.shape[0]

    def __getitem__(self, index: Any) -> "Transform":
        index = index if isinstance(index, tuple) else (index,)
        whole = index if any(k is Ellipsis for k in index) else (*index, ...)
        try:
            return Transform(self.rotation[(*whole, slice(None), slice(None))], self.origin[(*whole, slice(None))])
        except IndexError:
            raise IndexError(f"Transform of shape {self.shape} has no element {index}.") from None

    def __iter__(self) -> Iterator["Transform"]:
        return (self[k] for k in range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Return whether two transforms, or all of two batches, have the same numbers. See `isclose`."""
        if not isinstance(other, Transform):
            return NotImplemented
        return bool(np.array_equal(self.rotation, other.rotation) and np.array_equal(self.origin, other.origin))

    def __hash__(self) -> int:
        return hash((self.shape, (self.rotation + 0.0).tobytes(), (self.origin + 0.0).tobytes()))

    def isclose(self, other: "Transform", angle: float = 1e-9, distance: float = 1e-9) -> Any:
        """Return where another transform is within an angle [rad] and a distance [m]. → bool (...)"""
        other = _transform(other, "isclose")
        near, far = (
            finite(real(a, f"isclose: '{n}'"), f"isclose: '{n}'") for a, n in ((angle, "angle"), (distance, "distance"))
        )
        turned = self.orientation.disparity_angle(other.orientation) <= near
        return turned & (np.linalg.norm(self.origin - other.origin, axis=-1) <= far)

    def __repr__(self) -> str:
        parts = (np.array2string(a, separator=", ", threshold=40) for a in (self.rotation, self.origin))
        return f"Transform({', '.join(parts)})"

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        raise InputError("A Transform is not an array. Use X.as_matrix(), X.rotation and X.origin.")

    def __reduce__(self) -> tuple[Any, ...]:
        return Transform, (np.array(self.rotation), np.array(self.origin))


def _transform(value: Any, function: str) -> Transform:
    if not isinstance(value, Transform):
        raise InputError(f"{function} takes a Transform; got {type(value).__name__}. Make one with Transform(R, p).")
    return value


def _inertia(value: Any, function: str) -> Any:
    if not isinstance(value, (spatial.RigidInertia, spatial.ArticulatedInertia)):
        raise InputError(
            f"{function} takes a RigidInertia or an ArticulatedInertia of ap.spatial; got {type(value).__name__}."
        )
    return value
