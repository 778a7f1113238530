"""Composite joints: several joints in sequence with massless frames between them; the universal joint.

    X = X₁ X₂ …                                                                                                  (1)
    v ← X_k⁻¹ v + S_k u_k                                                                                        (2)
    c ← X_k⁻¹ c + c_k + v × S_k u_k                                                                              (3)

Sources: docs/equations/joint_motion.md, section 7; docs/equations/thesis.md (4.1).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import InputError
from anthropi.figure.joints.axial import Revolute
from anthropi.figure.joints.base import ACTING, Joint, JointRating
from anthropi.figure.joints.derived import block_diagonal, is_identity, mirrored_pose, scaled_pose, through
from anthropi.figure.joints.interface import Array

__all__ = ["Composite", "universal"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Composite(Joint):
    """Joints in sequence with massless frames between them.

    parts : the joints, from the parent outwards. Their names become suffixes, and each is at its placement in the
        frame before it.
    """

    parts: Any = ()
    kind: ClassVar[str] = "composite"

    def __post_init__(self) -> None:
        parts = tuple(self.parts)
        for part in parts:
            if not isinstance(part, Joint):
                raise InputError(f"Composite joint '{self.name}' has a part that is not a joint: {part!r}.")
        names = [p.name for p in parts]
        if not parts or len(set(names)) != len(names) or "" in names:
            raise InputError(
                f"Composite joint '{self.name}' has parts named {names}. Give at least one, each with its own name."
            )
        lengths = tuple(long for p in parts for long in p.lengths or (False,) * p.nu)
        for name, value in (
            ("nq", sum(p.nq for p in parts)),
            ("nu", sum(p.nu for p in parts)),
            ("lengths", lengths),
            ("plain", all(p.plain for p in parts)),
        ):
            object.__setattr__(self, name, value)
        for name in ("lower", "upper", *ACTING):
            if getattr(self, name) is None:
                object.__setattr__(self, name, np.concatenate([getattr(p, name) for p in parts]))
        super().__post_init__()
        if not is_identity(parts[0].placement):  # the joint frame is that of its first part
            object.__setattr__(self, "placement", self.placement @ parts[0].placement)
        object.__setattr__(self, "parts", self._with_acting(parts))

    def _with_acting(self, parts: tuple[Joint, ...]) -> tuple[Joint, ...]:
        """Return the parts with the limits, springs, dampers and rotors of the whole; the first in the joint frame."""
        found, at = [], 0
        for k, part in enumerate(parts):
            acting = {n: getattr(self, n)[at : at + part.nu] for n in ("lower", "upper", *ACTING)}
            found.append(part.changed(placement=part.placement if k else identity(), **acting))
            at += part.nu
        return tuple(found)

    @property
    def dofs(self) -> tuple[str, ...]:
        """Names of the degrees of freedom: the joint's name, followed by those of its parts."""
        return tuple(f"{self.name}.{d}" for p in self.parts for d in p.dofs)

    @property
    def ratings(self) -> tuple[JointRating, ...]:
        """The ratings of the degrees of freedom of all parts."""
        return tuple(rating for part in self.parts for rating in part.ratings)

    @property
    def quaternions(self) -> tuple[slice, ...]:
        """Slices of the joint's coordinates that are unit quaternions of its parts."""
        found, at = [], 0
        for part in self.parts:
            found += [slice(at + s.start, at + s.stop) for s in part.quaternions]
            at += part.nq
        return tuple(found)

    def _each(self, q: Array, u: Array | None = None) -> Iterator[tuple[Joint, Array, Array]]:
        """Yield each part with its coordinates and velocities."""
        at_q = at_u = 0
        for part in self.parts:
            yield part, q[..., at_q : at_q + part.nq], None if u is None else u[..., at_u : at_u + part.nu]
            at_q, at_u = at_q + part.nq, at_u + part.nu

    def transform(self, q: Array) -> Transform:
        """Return the product of the parts' poses, X₁ X₂ … (1)."""
        pose = identity()
        for part, own, _ in self._each(q):
            pose = pose @ part.placement @ part.transform(own)
        return pose

    def subspace(self, q: Array) -> Array:
        """Return the motion subspace: the columns of each part, in the last frame."""
        columns: list[Any] = []
        for part, own, _ in self._each(q):
            step = part.placement @ part.transform(own)
            columns = [step.undo_motion(c) for c in columns]
            S = part.subspace(own)
            columns += [S[:, k] for k in range(part.nu)]
        return np.stack(columns, axis=1) if columns else np.zeros((6, 0))

    def bias(self, q: Array, u: Array) -> Array:
        """Return the bias c of the sequence, at u' = 0 (3)."""
        v, c = np.zeros(6), np.zeros(6)
        for part, own, speed in self._each(q, u):
            v, c = through(part.placement @ part.transform(own), v, c, part, own, speed)
        return c

    def rate(self, q: Array, u: Array) -> Array:
        """Return the coordinate rates q', part by part."""
        return np.concatenate([p.rate(a, b) for p, a, b in self._each(q, u)], axis=-1)

    def velocity(self, q: Array, qdot: Array) -> Array:
        """Return the velocities u, part by part."""
        return self._pairs("velocity", q, qdot)

    def integrate(self, q: Array, v: Array) -> Array:
        """Return q ⊞ v, part by part."""
        return np.concatenate([p.integrate(a, b) for p, a, b in self._each(q, v)], axis=-1)

    def lift(self, theta: Array, u: Array) -> Array:
        """Return θ' part by part; see `JointChart.lift`."""
        parts, at = [], 0
        for part in self.parts:
            here = slice(at, at + part.nu)
            parts.append(part.lift(theta[here], u[here]))
            at += part.nu
        return np.concatenate(parts)

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the difference of two configurations, part by part."""
        return self._pairs("difference", q0, q1)

    def coordinates(self, q: Array) -> Array:
        """Return the coordinates that limits bound, part by part."""
        return np.concatenate([p.coordinates(a) for p, a, _ in self._each(q)])

    def coordinate_rates(self, q: Array) -> Array | None:
        """Return the block-diagonal matrix T of the parts, or None if it is the identity."""
        blocks = [(p.nu, p.coordinate_rates(a)) for p, a, _ in self._each(q)]
        if all(T is None for _, T in blocks):
            return None
        return block_diagonal([np.eye(n) if T is None else T for n, T in blocks])

    def from_coordinates(self, x: Array) -> Array:
        """Return the configuration with these coordinates, part by part."""
        at, found = 0, []
        for part in self.parts:
            found.append(part.from_coordinates(x[at : at + part.nu]))
            at += part.nu
        return np.concatenate(found)

    def _pairs(self, method: str, a: Array, b: Array) -> Array:
        """Apply a method with two arguments of size nq to each part, and concatenate the results."""
        results, at = [], 0
        for part in self.parts:
            here = slice(at, at + part.nq)
            results.append(getattr(part, method)(a[..., here], b[..., here]))
            at += part.nq
        return np.concatenate(results, axis=-1)

    @property
    def takes_batches(self) -> bool:
        """Whether the methods of all parts take arrays (n, nq)."""
        return all(part.takes_batches for part in self.parts)

    def neutral(self) -> np.ndarray:
        """Return the neutral configuration of each part."""
        return np.concatenate([p.neutral() for p in self.parts])

    def random(self, rng: np.random.Generator) -> np.ndarray:
        """Return a random configuration of each part."""
        return np.concatenate([p.random(rng) for p in self.parts])

    def reversed(self) -> Joint:
        """Return the reversed parts, last first; a placement before a part becomes one after it."""
        places = [*(p.placement for p in self.parts[1:]), identity()]
        parts = [p.reversed().changed(placement=after.inverse()) for p, after in zip(self.parts, places, strict=True)]
        return Composite(name=self.name, placement=self.placement, parts=tuple(parts[::-1]))

    def reverse_state(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the states of the reversed parts, last first."""
        states = [p.reverse_state(a, b) for p, a, b in self._each(q, u)]
        return np.concatenate([s[0] for s in states[::-1]]), np.concatenate([s[1] for s in states[::-1]])

    def mirrored(self, like: Joint | None = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return the mirrored joint and its factors: mirrored parts at mirrored placements, in the same order."""
        others = like.parts if isinstance(like, Composite) and len(like.parts) == len(self.parts) else self.parts
        images = [p.mirrored(o) for p, o in zip(self.parts, others, strict=True)]
        places = [mirrored_pose(p.placement) for p in self.parts]
        parts = tuple(image[0].changed(placement=at) for image, at in zip(images, places, strict=True))
        q, u = (np.concatenate([i[k] for i in images]) for k in (1, 2))
        return Composite(name=self.name, placement=self.placement, parts=parts), q, u

    def scaled(self, factor: float) -> Joint:
        """Return the scaled joint: scaled parts at scaled placements."""
        parts = (p.scaled(factor).changed(placement=scaled_pose(p.placement, factor)) for p in self.parts)
        return Composite(name=self.name, placement=self.placement, parts=tuple(parts))

    def scaled_q(self, q: Array, factor: float) -> Array:
        """Return the scaled configuration, part by part."""
        return np.concatenate([p.scaled_q(a, factor) for p, a, _ in self._each(q)])

    def parts_in_sequence(self) -> tuple[Joint, ...]:
        """Return the parts of the joint."""
        return self.parts


def universal(name: str, first: Any = "x", second: Any = "y", **fields: Any) -> Composite:
    """Return a universal (Hooke) joint: rotations about two perpendicular axes that meet."""
    parts = (Revolute(name="1", axis=first), Revolute(name="2", axis=second))
    if abs(parts[0].axis @ parts[1].axis) > 1e-9:
        raise InputError(f"The axes of universal joint '{name}' are not perpendicular. Use a composite joint instead.")
    return Composite(name=name, parts=parts, **fields)
