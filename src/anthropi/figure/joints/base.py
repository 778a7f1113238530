"""What every joint answers. A family is a file of its own that fills in how the child moves; `JOINTS` lists them.

A joint sits in its parent link at a fixed `placement`. Its *joint frame* is that place; the child link's frame is where
the joint has carried it: X_parent,child = placement @ transform(q). The velocity of the child relative to the parent,
in the child's frame, is S(q) u, and its component-wise derivative is S(q) u' + bias(q, u).

Poses
-----
Places of things in a link, seen in the mirror y → -y or in a larger figure.
"""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.algebra.spatial import Transform, cross_motion, identity
from anthropi.errors import InputError, ShapeError

__all__ = ["Joint", "is_identity", "mirrored_pose", "scaled_pose"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Joint:
    """A joint: its name, its place in the parent, and what acts in it.

    Attributes
    ----------
    name : unique in the figure.
    placement : joint frame seen from the parent link (rotation and origin [m]).
    lower, upper : (nu,) limits of the coordinates that have any [rad or m], ±inf where there is none.
    stiffness, rest : (nu,) spring [N m/rad or N/m] and the coordinate where it is slack.
    damping : (nu,) [N m s/rad or N s/m]. armature : (nu,) rotor inertia [kg m² or kg].
    """

    name: str = ""
    placement: Transform = field(default_factory=identity)
    lower: Any = None
    upper: Any = None
    stiffness: Any = None
    rest: Any = None
    damping: Any = None
    armature: Any = None

    kind: ClassVar[str] = ""
    nq: ClassVar[int] = 0
    nu: ClassVar[int] = 0
    suffixes: ClassVar[tuple[str, ...]] = ()  # of the degrees of freedom; one of them needs none
    plain: ClassVar[bool] = True  # coordinates add, and their rates are the velocities: q' = u
    lengths: ClassVar[tuple[bool, ...]] = ()  # which degrees of freedom are lengths [m]; none by default

    def __post_init__(self):
        if not isinstance(self.placement, Transform):
            raise InputError(f"Joint '{self.name}' has placement {self.placement!r}; give a pose: "
                             "spatial.Transform(rotation, origin).")  # fmt: skip
        fixed = Transform(float_array(self.placement.rotation), float_array(self.placement.origin))
        object.__setattr__(self, "placement", fixed)
        for name, default in (("lower", -np.inf), ("upper", np.inf), *((n, 0.0) for n in ACTING)):
            given = getattr(self, name)
            value = default if given is None else given
            array = float_array(value)
            if array.shape not in ((self.nu,), (1,), ()):
                raise ShapeError(f"Joint '{self.name}' has {name} of shape {array.shape}; give one number, or one for "
                                 f"each of its {self.nu} degrees of freedom.")  # fmt: skip
            if array.shape != (self.nu,):
                array = np.broadcast_to(array, (self.nu,))
            object.__setattr__(self, name, array)

    @property
    def axes(self) -> tuple[int, ...] | None:
        """Rows of S that are unit columns in order (0-2 angular, 3-5 linear); None if S is something else."""
        return None

    @property
    def quaternions(self) -> tuple[slice, ...]:
        """Where quaternions lie in the joint's coordinates."""
        return ()

    @property
    def dofs(self) -> tuple[str, ...]:
        """Names of the degrees of freedom: the joint's own, or with a suffix each."""
        if self.nu == 1:
            return (self.name,)
        return tuple(f"{self.name}.{s}" for s in self.suffixes)

    # how the child moves

    def transform(self, q) -> Transform:
        """Pose of the child frame in the joint frame."""
        raise NotImplementedError

    def subspace(self, q):
        """S(q) (6, nu), in the child frame."""
        if self.axes is None:
            raise NotImplementedError
        return np.eye(6)[:, list(self.axes)]

    def bias(self, q, u):
        """c = S'(q, u) u (6,): what the relative velocity's components change by themselves."""
        return np.zeros(6)

    def spin(self, q, u):
        """Angular velocity relative to the parent (3,), in the child frame."""
        return self.subspace(q)[:3] @ u

    def slide(self, q, u):
        """Velocity of the child's origin relative to the parent (3,), in the joint frame."""
        return self.transform(q).rotation @ (self.subspace(q)[3:] @ u)

    def spin_rate(self, q, u, udot):
        """Component-wise derivative of `spin` (3,), in the child frame."""
        return self.subspace(q)[:3] @ udot + self.bias(q, u)[:3]

    def slide_rate(self, q, u, udot):
        """Component-wise derivative of `slide` (3,), in the joint frame."""
        S, c = self.subspace(q), self.bias(q, u)
        inside = S[3:] @ udot + c[3:] + np.cross(S[:3] @ u, S[3:] @ u)
        return self.transform(q).rotation @ inside

    # a joint whose S(q) = (unit columns `span`) T(q): the dynamics then works on unit columns, whatever T is

    @property
    def span(self) -> tuple[int, ...] | None:
        """Rows of the unit columns that S spans; None if there are none for every q."""
        return self.axes

    def to_span(self, q, u):
        """T u: velocities along the unit columns."""
        return u

    def from_span(self, q, s):
        """T⁻¹ s."""
        return s

    def force_to_span(self, q, tau):
        """T⁻ᵀ τ: the force along the unit columns that does the same work."""
        return tau

    def force_from_span(self, q, f):
        """Tᵀ f."""
        return f

    # coordinates

    def rate(self, q, u):
        """q' = F(q) u."""
        return u

    def velocity(self, q, qdot):
        """u = F⁺(q) q'."""
        return qdot

    def integrate(self, q, v):
        """Where q is after moving by v with constant velocity for unit time: q ⊞ v."""
        return q + v

    def difference(self, q0, q1):
        """v with integrate(q0, v) = q1."""
        return q1 - q0

    def lift(self, theta, u):
        """θ' (nu,) for which integrate(q0, θ) moves with the velocity u: what a method on the manifold integrates."""
        return u

    def coordinates(self, q):
        """x (nu,): what the limits bound. q itself, or for turns the rotation vector from the neutral pose."""
        return q

    def coordinate_rates(self, q):
        """T (nu, nu) with u = T x', None if that is no change."""
        return None

    def from_coordinates(self, x):
        """The configuration (nq,) with these coordinates."""
        return x

    def neutral(self):
        """The configuration at rest, (nq,) floats."""
        return np.zeros(self.nq)

    def random(self, rng):
        """A random configuration within the limits, (nq,) floats."""
        return rng.uniform(*self.finite_limits())

    def finite_limits(self, reach=np.pi):
        """Lower and upper limits (nu,) made finite: where there is none, `reach` from zero or from the other one."""
        low, high = np.asarray(self.lower, float), np.asarray(self.upper, float)
        low = np.where(np.isfinite(low), low, np.minimum(-reach, high - reach))  # floats only
        high = np.where(np.isfinite(high), high, np.maximum(reach, low + reach))  # floats only
        low, high = np.clip([low, high], -1e300, 1e300)  # floats only: so that their difference is finite
        return low + 0.0, high + 0.0  # and not -0.0

    # the same joint seen from the other side, in a mirror, larger, in pieces: what editing a figure asks

    def reversed(self) -> "Joint":
        """The joint that carries the parent, seen from the child: its transform is the inverse (placement left out)."""
        raise NotImplementedError

    def reverse_state(self, q, u):
        """The state of the reversed joint in the same pose and motion."""
        return q, u

    def mirrored(self, like=None) -> tuple["Joint", np.ndarray, np.ndarray]:
        """The joint seen in the mirror y → -y (placement left out), and the signs its q (nq,) and u (nu,) take.

        like : the joint on the other side; where two descriptions are the same joint, its own is taken.
        """
        raise NotImplementedError

    def scaled(self, factor) -> "Joint":
        """The joint of a figure `factor` times as large (placement left out): its lengths grow, its angles do not."""
        by = np.array([factor if long else 1.0 for long in self.lengths or (False,) * self.nu])
        return self.changed(lower=self.lower * by, upper=self.upper * by, rest=self.rest * by)

    def scaled_q(self, q, factor):
        """The configuration (nq,) of the scaled joint with the same angles."""
        return q * np.array([factor if long else 1.0 for long in self.lengths or (False,) * self.nq])

    def pieces(self) -> tuple["Joint", ...]:
        """Simpler joints in sequence that are this one, with the same q and u; () if there are none."""
        return ()

    def changed(self, **fields) -> "Joint":
        """A copy with other fields."""
        return replace(self, **fields)

    def _piece(self, family, k: int, **fields) -> "Joint":
        """One coordinate as a joint of its own, with what acts on it."""
        acting = {n: getattr(self, n)[k : k + 1] for n in ("lower", "upper", *ACTING)}
        return family(name=self.dofs[k].removeprefix(f"{self.name}."), **acting, **fields)

    def _signed(self, signs, **fields) -> "Joint":
        """A copy whose velocities count the other way where the sign is -1: limits and rest follow."""
        low = np.array([a if s > 0 else -b for a, b, s in zip(self.lower, self.upper, signs, strict=True)])
        high = np.array([b if s > 0 else -a for a, b, s in zip(self.lower, self.upper, signs, strict=True)])
        return self.changed(lower=low + 0.0, upper=high + 0.0, rest=self.rest * signs + 0.0, **fields)

    def acts(self) -> bool:
        """Whether a limit, spring, damper or rotor is in it. Numbers being traced count."""
        return any(not _nothing(x, none) for x, none in ((self.lower, -np.inf), (self.upper, np.inf),
                   (self.stiffness, 0.0), (self.damping, 0.0), (self.armature, 0.0)))  # fmt: skip


ACTING = ("stiffness", "rest", "damping", "armature")
MIRROR = np.array([1.0, -1.0, 1.0])  # what the mirror y → -y does to a vector; to a turn it does -MIRROR


def block_diagonal(blocks):
    """Square matrices along a diagonal, zeros elsewhere."""
    n, at, rows = sum(len(b) for b in blocks), 0, []
    for block in blocks:
        before, after = np.zeros((len(block), at)), np.zeros((len(block), n - at - len(block)))
        rows.append(np.concatenate([before, block, after], axis=1))
        at += len(block)
    return np.concatenate(rows)


def float_array(value) -> np.ndarray:
    """An array of floats, or of what is being traced (so that 1 and 1.0 are one figure), that nobody can change."""
    array = np.asarray(value)
    array = array.astype(float) if array.dtype.kind in "iub" else array
    if array.flags.writeable:
        array = array.copy()
        array.setflags(write=False)
    return array


def _nothing(values, none: float) -> bool:
    return all(isinstance(x, (int, float)) and x == none for x in np.asarray(values).ravel())


def through(before: Transform, v, c, joint: Joint, q, u):
    """Carry relative velocity and its derivative through one more joint of a composite.

    v, c : velocity and component-wise acceleration (at u' = 0) of the frame so far, in that frame. Returns both in
    the frame after the joint: v' = X⁻¹ v + S u, c' = X⁻¹ c + c_J + v' × S u.
    """
    own = joint.subspace(q) @ u
    after = before.undo_motion(v) + own
    return after, before.undo_motion(c) + joint.bias(q, u) + cross_motion(after, own)


def is_identity(X: Transform) -> bool:
    """Whether a transform changes nothing; one that is being traced might."""
    if records(X.rotation, X.origin):
        return False
    return X.rotation.tolist() == np.eye(3).tolist() and not X.origin.any()


def mirrored_pose(X: Transform) -> Transform:
    """M X M: the pose of the mirrored frame seen from the mirrored one, both right-handed."""
    return Transform(MIRROR[:, None] * X.rotation * MIRROR + 0.0, MIRROR * X.origin + 0.0)


def scaled_pose(X: Transform, factor) -> Transform:
    """The same turn, farther away."""
    return Transform(X.rotation, X.origin * factor)
