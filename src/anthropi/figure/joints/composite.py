"""Several joints at one point, one after another: universal, and any sequence.

X = X₁ X₂ …,  v ← X_k⁻¹ v + S_k u_k,  c ← X_k⁻¹ c + c_k + v × S_k u_k          joint_motion section 7; thesis 4.1
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import InputError
from anthropi.figure.joints.axial import Revolute
from anthropi.figure.joints.base import ACTING, Joint, block_diagonal, is_identity, mirrored_pose, scaled_pose, through

__all__ = ["Composite", "universal"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Composite(Joint):
    """A sequence of joints with massless frames between them.

    parts : the joints, from the parent outwards; their names become suffixes, their placements count.
    """

    parts: Any = ()
    kind: ClassVar[str] = "composite"

    def __post_init__(self):
        parts = tuple(self.parts)
        for part in parts:
            if not isinstance(part, Joint):
                raise InputError(f"Composite joint '{self.name}' has a part that is no joint: {part!r}.")
        names = [p.name for p in parts]
        if not parts or len(set(names)) != len(names) or "" in names:
            raise InputError(
                f"Composite joint '{self.name}' has parts named {names}: give at least one, each its own name."
            )
        lengths = tuple(long for p in parts for long in p.lengths or (False,) * p.nu)
        for name, value in (("nq", sum(p.nq for p in parts)), ("nu", sum(p.nu for p in parts)), ("lengths", lengths),
                            ("plain", all(p.plain for p in parts))):  # fmt: skip
            object.__setattr__(self, name, value)
        for name in ("lower", "upper", *ACTING):
            if getattr(self, name) is None:
                object.__setattr__(self, name, np.concatenate([getattr(p, name) for p in parts]))
        super().__post_init__()
        if not is_identity(parts[0].placement):  # the joint frame is where its first part sits
            object.__setattr__(self, "placement", self.placement @ parts[0].placement)
        object.__setattr__(self, "parts", self._told(parts))

    def _told(self, parts) -> tuple[Joint, ...]:
        """The parts with what acts in the whole joint, the first one in the joint frame."""
        told, at = [], 0
        for k, part in enumerate(parts):
            acting = {n: getattr(self, n)[at : at + part.nu] for n in ("lower", "upper", *ACTING)}
            told.append(part.changed(placement=part.placement if k else identity(), **acting))
            at += part.nu
        return tuple(told)

    @property
    def dofs(self):
        """Those of the parts, behind the joint's name."""
        return tuple(f"{self.name}.{d}" for p in self.parts for d in p.dofs)

    @property
    def quaternions(self):
        """Those of the parts."""
        found, at = [], 0
        for part in self.parts:
            found += [slice(at + s.start, at + s.stop) for s in part.quaternions]
            at += part.nq
        return tuple(found)

    def _each(self, q, u=None):
        at_q = at_u = 0
        for part in self.parts:
            yield part, q[at_q : at_q + part.nq], None if u is None else u[at_u : at_u + part.nu]
            at_q, at_u = at_q + part.nq, at_u + part.nu

    def transform(self, q) -> Transform:
        """X₁ X₂ …"""
        pose = identity()
        for part, own, _ in self._each(q):
            pose = pose @ part.placement @ part.transform(own)
        return pose

    def subspace(self, q):
        """Each part's columns carried to the end."""
        columns: list = []
        for part, own, _ in self._each(q):
            step = part.placement @ part.transform(own)
            columns = [step.undo_motion(c) for c in columns]
            S = part.subspace(own)
            columns += [S[:, k] for k in range(part.nu)]
        return np.stack(columns, axis=1) if columns else np.zeros((6, 0))

    def bias(self, q, u):
        """c of the chain at u' = 0."""
        v, c = np.zeros(6), np.zeros(6)
        for part, own, speed in self._each(q, u):
            v, c = through(part.placement @ part.transform(own), v, c, part, own, speed)
        return c

    def rate(self, q, u):
        """Part by part."""
        return np.concatenate([p.rate(a, b) for p, a, b in self._each(q, u)])

    def velocity(self, q, qdot):
        """Part by part."""
        return self._pairs("velocity", q, qdot)

    def integrate(self, q, v):
        """Part by part."""
        return np.concatenate([p.integrate(a, b) for p, a, b in self._each(q, v)])

    def lift(self, theta, u):
        """Part by part."""
        parts, at = [], 0
        for part in self.parts:
            here = slice(at, at + part.nu)
            parts.append(part.lift(theta[here], u[here]))
            at += part.nu
        return np.concatenate(parts)

    def difference(self, q0, q1):
        """Part by part."""
        return self._pairs("difference", q0, q1)

    def coordinates(self, q):
        """Part by part."""
        return np.concatenate([p.coordinates(a) for p, a, _ in self._each(q)])

    def coordinate_rates(self, q):
        """Part by part."""
        blocks = [(p.nu, p.coordinate_rates(a)) for p, a, _ in self._each(q)]
        if all(T is None for _, T in blocks):
            return None
        return block_diagonal([np.eye(n) if T is None else T for n, T in blocks])

    def from_coordinates(self, x):
        """Part by part."""
        at, found = 0, []
        for part in self.parts:
            found.append(part.from_coordinates(x[at : at + part.nu]))
            at += part.nu
        return np.concatenate(found)

    def _pairs(self, method: str, a, b):
        """A method of two configurations, part by part."""
        results, at = [], 0
        for part in self.parts:
            here = slice(at, at + part.nq)
            results.append(getattr(part, method)(a[here], b[here]))
            at += part.nq
        return np.concatenate(results)

    def neutral(self):
        """Each part at rest."""
        return np.concatenate([p.neutral() for p in self.parts])

    def random(self, rng):
        """Each part at random."""
        return np.concatenate([p.random(rng) for p in self.parts])

    def reversed(self):
        """The parts from the other side, last first; a part's placement now comes after it."""
        places = [*(p.placement for p in self.parts[1:]), identity()]
        parts = [p.reversed().changed(placement=after.inverse()) for p, after in zip(self.parts, places, strict=True)]
        return Composite(name=self.name, placement=self.placement, parts=tuple(parts[::-1]))

    def reverse_state(self, q, u):
        """Each part's, last first."""
        states = [p.reverse_state(a, b) for p, a, b in self._each(q, u)]
        return np.concatenate([s[0] for s in states[::-1]]), np.concatenate([s[1] for s in states[::-1]])

    # in the mirror, larger, in pieces

    def mirrored(self, like=None):
        """Each part and its place, in order."""
        others = like.parts if isinstance(like, Composite) and len(like.parts) == len(self.parts) else self.parts
        images = [p.mirrored(o) for p, o in zip(self.parts, others, strict=True)]
        places = [mirrored_pose(p.placement) for p in self.parts]
        parts = tuple(image[0].changed(placement=at) for image, at in zip(images, places, strict=True))
        q, u = (np.concatenate([i[k] for i in images]) for k in (1, 2))
        return Composite(name=self.name, placement=self.placement, parts=parts), q, u

    def scaled(self, factor):
        """Each part, and the distances between them."""
        parts = (p.scaled(factor).changed(placement=scaled_pose(p.placement, factor)) for p in self.parts)
        return Composite(name=self.name, placement=self.placement, parts=tuple(parts))

    def scaled_q(self, q, factor):
        """Part by part."""
        return np.concatenate([p.scaled_q(a, factor) for p, a, _ in self._each(q)])

    def pieces(self):
        """Its parts."""
        return self.parts


def universal(name: str, first="x", second="y", **fields) -> Composite:
    """Two turns about perpendicular axes that meet: a Hooke joint."""
    parts = (Revolute(name="1", axis=first), Revolute(name="2", axis=second))
    if abs(parts[0].axis @ parts[1].axis) > 1e-9:
        raise InputError(f"Universal joint '{name}': its axes must be perpendicular. Use a composite for others.")
    return Composite(name=name, parts=parts, **fields)
