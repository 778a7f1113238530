"""Convert the bones of a BVH file to a figure, and its channels to coordinates.

A vector x of the file becomes A x s [m], where A maps its axes to x forward, y left, z up, and s is the scale. The
channels of a bone give its pose in its parent,

    p = offset + positions,   C = R_1(a_1) R_2(a_2) …, in the order of its rotations                               (1)

where the order of the position channels does not matter. Many programs write positions that include the offset:

    p = positions (the offset where a position is missing)                                                         (2)

A maps coordinate axes to coordinate axes. A rotation about the axis e of the file therefore becomes a rotation about
A e, and the channels of a bone are the coordinates of its joint. Link frames are parallel to the world frame when all
rotations are 0.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import RigidInertia, Transform, capsule, rigid_sum, sphere
from anthropi.errors import FormatError
from anthropi.figure import Figure, Link, Marker
from anthropi.figure.joints import Composite, Euler, Free, Joint, Prismatic, Revolute, Weld
from anthropi.figure.parts import Shape
from anthropi.formats.motions.bvh.scan import Bone

__all__ = ["Skeleton", "axes_of", "figure_of"]

ROD_RADIUS, DENSITY = 0.02, 1000.0  # of nominal bodies: radius relative to the skeleton's size; density [kg/m³]


@dataclass(frozen=True)
class Skeleton:
    """The bones of a BVH file and the options for reading them.

    names : unique names of the bones. scale : length s of the file's unit [m]. axes : A (3, 3), rotation from the
    file's axes to those of the figure. replaced : for each bone, whether its positions include its offset (2).
    middles : (bones, 3) usual positions of the bones in their parents, where offsets are in the positions; None for the
    offsets.
    """

    bones: tuple[Bone, ...]
    names: tuple[str, ...]
    scale: float
    axes: np.ndarray
    replaced: tuple[bool, ...]
    middles: np.ndarray | None = None

    def channels(self, k: int) -> tuple[str, ...]:
        """Return the channels of bone k."""
        return self.bones[k].channels or ()

    def rotations(self, k: int) -> str:
        """Return the axes of the rotations of bone k in their order, for example "zyx"."""
        return "".join(c[0].lower() for c in self.channels(k) if c.endswith("rotation"))

    def places(self) -> list[slice]:
        """Return for each bone the slice of its channels in a frame."""
        ends = np.cumsum([0, *(len(self.channels(k)) for k in range(len(self.bones)))])
        return [slice(int(a), int(b)) for a, b in pairwise(ends)]

    def offset(self, k: int) -> np.ndarray:
        """Return the part of the offset of bone k that its positions do not include, in the file's units."""
        found = np.array(self.bones[k].offset, float)
        if self.replaced[k]:
            for c in self.channels(k):
                if c.endswith("position"):
                    found["XYZ".index(c[0])] = 0.0
        return found

    def local(self, k: int, values: Any) -> tuple[np.ndarray, np.ndarray]:
        """Compute the pose of bone k in its parent from its channels, in the file's axes and units: (1), (2).

        Returns the rotations C (frames, 3, 3) and positions p (frames, 3).
        """
        C, p = np.broadcast_to(np.eye(3), (len(values), 3, 3)), np.tile(self.offset(k), (len(values), 1))
        for c, x in zip(self.channels(k), values.T, strict=True):
            if c.endswith("position"):
                p[:, "XYZ".index(c[0])] += x
            else:
                C = C @ rot.elementary(c[0].lower(), np.deg2rad(x))
        return C, p

    def rest(self) -> np.ndarray:
        """Return the joint positions (bones, 3) without rotations, with the root at 0, in the file's units."""
        at = np.zeros((len(self.bones), 3))
        for k, bone in enumerate(self.bones):
            if bone.parent >= 0:
                at[k] = at[bone.parent] + self.usual(k)
        return at

    def usual(self, k: int) -> np.ndarray:
        """Return the usual position (3,) of bone k in its parent, in the file's units."""
        return np.array(self.bones[k].offset, float) if self.middles is None else self.middles[k]

    def points(self) -> np.ndarray:
        """Return the positions of all joints and end sites without rotations, in the file's units."""
        at = self.rest()
        ends = [at[k] + end for k, bone in enumerate(self.bones) for end in bone.ends]
        return np.concatenate([at, np.array(ends).reshape(-1, 3)])


def axes_of(up: Any, forward: Any, name: str) -> np.ndarray:
    """Return the matrix A (3, 3) from the file's axes to x forward, y left, z up.

    up, forward : axes of the file, such as "y" and "z", or "-z" for the opposite direction.
    """
    rows = []
    for what, word in (("up", up), ("forward", forward)):
        letter = str(word).lower().removeprefix("-").removeprefix("+")
        if letter not in ("x", "y", "z"):
            raise FormatError(f"{name}: {what}={word!r}. Choose x, y, z, -x, -y or -z.")
        rows.append((-1.0 if str(word).startswith("-") else 1.0) * np.eye(3)["xyz".index(letter)])
    if abs(rows[0] @ rows[1]) > 0.5:
        raise FormatError(f"{name}: up={up!r} and forward={forward!r} are the same axis. Give two different axes.")
    return np.array([rows[1], np.cross(rows[0], rows[1]), rows[0]]) + 0.0


def figure_of(skeleton: Skeleton, name: str) -> Figure:
    """Build the figure of a skeleton: a free root, one joint for each bone, and links with nominal masses.

    The coordinates of a joint are the channels of its bone.
    """
    s, A = skeleton.scale, skeleton.axes
    points = skeleton.points() * s
    size = float(np.ptp(points, axis=0).max()) or 1.0
    ends: list[list[np.ndarray]] = [[s * A @ end for end in bone.ends] for bone in skeleton.bones]
    markers = [
        Marker(f"{who}_end" + (f"_{n + 1}" if n else ""), who, end)
        for who, own in zip(skeleton.names, ends, strict=True)
        for n, end in enumerate(own)
    ]
    reach = [list(own) for own in ends]
    for k, bone in enumerate(skeleton.bones):
        if bone.parent >= 0:
            reach[bone.parent].append(s * A @ skeleton.usual(k))
    links = [_link(who, tips, ROD_RADIUS * size) for who, tips in zip(skeleton.names, reach, strict=True)]
    joints = [_joint(skeleton, k) for k in range(len(links))]
    taken = {m.name for m in markers}
    if len(taken) < len(markers):
        raise FormatError(f"{name}: two end sites would have the same name. Rename the joints that end in '_end'.")
    return Figure(name, tuple(links), tuple(joints), tuple(b.parent for b in skeleton.bones), tuple(markers))


def _joint(skeleton: Skeleton, k: int) -> Joint:
    """Return the joint of bone k. The joint of the root is always free, whatever its channels are."""
    name, A, s = skeleton.names[k], skeleton.axes, skeleton.scale
    if k == 0:
        return Free(name=name)
    place = Transform(np.eye(3), s * A @ skeleton.offset(k) + 0.0)
    parts: list[Joint] = []
    turns = skeleton.rotations(k)
    for c in skeleton.channels(k):
        if c.endswith("position"):
            parts.append(Prismatic(name=f"p{c[0].lower()}", axis=A[:, "XYZ".index(c[0])]))
    axes = [A[:, "xyz".index(letter)] for letter in turns]
    if len(turns) == 3 and all(axis.sum() > 0.0 for axis in axes):
        order = "".join("xyz"[int(np.flatnonzero(axis)[0])] for axis in axes)
        parts.append(Euler(name="turn", order=order))
    else:
        parts += [Revolute(name=f"r{letter}", axis=axis) for letter, axis in zip(turns, axes, strict=True)]
    if not parts:
        return Weld(name=name, placement=place)
    if len(parts) == 1:
        return parts[0].changed(name=name, placement=place)
    return Composite(name=name, parts=tuple(parts), placement=place)


def _link(name: str, tips: list[np.ndarray], radius: float) -> Link:
    """Build a link of nominal density: a sphere at its joint and a rod to each tip (child joint or end site)."""
    bodies: list[RigidInertia] = [sphere(radius, density=DENSITY)]
    shapes = [Shape("sphere", (radius,), name=f"{name}_joint")]
    for n, tip in enumerate(tips, 1):
        length = float(np.sqrt(tip @ tip))
        if length < 1e-3 * radius:
            continue
        C = _along(tip / length)
        bodies.append(capsule(0.6 * radius, length, density=DENSITY).rotated(C).shifted(0.5 * tip))
        shapes.append(Shape("capsule", (0.6 * radius, length), Transform(C, 0.5 * tip), f"{name}_{n}"))
    return Link.of(name, rigid_sum(bodies), shapes)


def _along(z) -> np.ndarray:
    """Return a rotation (3, 3) whose z axis is the unit vector z."""
    other = np.array([1.0, 0.0, 0.0]) if abs(z[0]) < 0.9 else np.array([0.0, 0.0, 1.0])
    y = np.cross(z, other)
    y = y / np.sqrt(y @ y)
    return np.stack([np.cross(y, z), y, z], axis=1)
