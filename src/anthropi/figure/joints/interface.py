"""The interface of a kind of joint: the methods that a new joint implements.

To add a joint, write one file in this folder with a dataclass that derives from `Joint` (base.py), and add the class to
`JOINTS` in `__init__.py`. Set the class attributes below, and write the methods whose defaults do not apply: always
`transform`; `subspace` and `bias` unless S is made of unit columns (`axes`); `rate`, `velocity`, `integrate`,
`difference`, `neutral` and `random` unless coordinates add. derived.py derives everything else from these; its methods
may be overridden to save operations. tests/unit/figure/test_new_joint.py is an example.

The *joint frame* is fixed in the parent link, at `placement`. The child link's frame is the joint frame moved by the
joint: X_parent,child = placement @ transform(q). The velocity of the child relative to the parent, in the child's
frame, is S(q) u, and its component-wise derivative is S(q) u' + bias(q, u).

All methods are pure functions of one state, on floats or on recording scalars (any `Array`).
"""

from typing import Any, ClassVar, TypeAlias

import numpy as np

from anthropi.algebra.spatial import Transform

__all__ = ["Array", "JointInterface"]

Array: TypeAlias = Any
"""An array of floats, or of recording scalars (dtype=object) while a tape is recorded."""


class JointInterface:
    """The part of a joint that depends on its kind.

    Attributes
    ----------
    kind : name of the kind, as used in files and in `JOINTS`.
    nq, nu : number of coordinates q and of velocities u (degrees of freedom).
    suffixes : added to the joint's name to name its degrees of freedom ("l_hip.x"); not used if there is only one.
    plain : whether coordinates add and q' = u. If not, write rate, velocity, integrate, difference and, for limits and
        for integrators on the manifold, lift, coordinate_rates (derived.py).
    lengths : which degrees of freedom are lengths [m]; by default none, all are angles [rad].
    """

    name: str
    kind: ClassVar[str] = ""
    nq: ClassVar[int] = 0
    nu: ClassVar[int] = 0
    suffixes: ClassVar[tuple[str, ...]] = ()
    plain: ClassVar[bool] = True
    lengths: ClassVar[tuple[bool, ...]] = ()

    @property
    def dofs(self) -> tuple[str, ...]:
        """Names of the degrees of freedom: the joint's name, with a suffix if there are several."""
        if self.nu == 1:
            return (self.name,)
        return tuple(f"{self.name}.{suffix}" for suffix in self.suffixes)

    @property
    def quaternions(self) -> tuple[slice, ...]:
        """Slices of the joint's coordinates that are unit quaternions."""
        return ()

    @property
    def axes(self) -> tuple[int, ...] | None:
        """Row of the 1 in each column of S (0-2 angular, 3-5 linear); None if S is not made of unit columns."""
        return None

    # motion of the child

    def transform(self, q: Array) -> Transform:
        """Return the pose of the child frame in the joint frame."""
        raise NotImplementedError(f"{type(self).__name__} needs a method transform(q): the pose of the child frame.")

    def subspace(self, q: Array) -> Array:
        """Return S(q) (6, nu), the motion subspace in the child frame, angular rows first."""
        if self.axes is None:
            raise NotImplementedError(f"{type(self).__name__} needs `axes`, or a method subspace(q): S (6, nu).")
        return np.eye(6)[:, list(self.axes)]

    def bias(self, q: Array, u: Array) -> Array:
        """Return c = S'(q, u) u (6,), the component-wise derivative of S u at u' = 0."""
        return np.zeros(6)

    # coordinates

    def rate(self, q: Array, u: Array) -> Array:
        """Return the coordinate rates q' = F(q) u (nq,)."""
        return u

    def velocity(self, q: Array, qdot: Array) -> Array:
        """Return the velocities u = F⁺(q) q' (nu,)."""
        return qdot

    def integrate(self, q: Array, v: Array) -> Array:
        """Return q ⊞ v (nq,): q after unit time at the constant velocity v (nu,)."""
        return q + v

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the difference of two configurations: v (nu,) with integrate(q0, v) = q1."""
        return q1 - q0

    @property
    def takes_batches(self) -> bool:
        """Whether the four methods above also take arrays (n, nq); by default only if none is overridden."""
        names = ("rate", "velocity", "integrate", "difference")
        return all(getattr(type(self), name) is getattr(JointInterface, name) for name in names)

    def neutral(self) -> np.ndarray:
        """Return the neutral configuration, (nq,) floats."""
        return np.zeros(self.nq)

    def random(self, rng: np.random.Generator) -> np.ndarray:
        """Return a random configuration within the limits, (nq,) floats."""
        raise NotImplementedError
