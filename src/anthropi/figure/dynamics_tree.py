"""The dynamics tree: the joints of a figure and the axes in which the dynamics algorithms process them.

Composite joints are processed part by part, with massless frames between them: along the axes of one part, rows of the
inertias vanish, which they do not along all axes of a composite joint.

For a joint that rotates about one axis, the axes are chosen so that this axis is one of them. The joint then rotates in
a coordinate plane, which costs a quarter of any other rotation (algebra/spatial/plane_rotations.py). With R the matrix
of these axes in the link's axes, the same for every joint angle,

    X = R_λᵀ X_place R exp(q e_k×),   I = Rᵀ I_link R,   f = Rᵀ f_link                                        (1)

R is the identity if the axis is a coordinate axis. R may also rotate about the axis, and so include the first of the
three rotations that place the next node. The cost of a chain therefore does not depend on how its axes are written.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from anthropi.algebra.linear import transpose
from anthropi.algebra.scalar import records
from anthropi.algebra.spatial import ArticulatedInertia, RigidInertia, Transform
from anthropi.algebra.spatial.plane_rotations import (
    JointPlacement,
    TransformChain,
    decompose_placement,
    three_rotations,
    two_rotations_to_axis,
)
from anthropi.figure.joints.base import Joint

if TYPE_CHECKING:
    from anthropi.figure.figure import Figure


__all__ = ["TreeNode", "dynamics_tree"]

ONE = np.eye(3)


@dataclass(frozen=True, eq=False)
class TreeNode:
    """A node of the dynamics tree: a joint, or a part of a composite joint, with its own axes.

    parent : number of its parent node; -1 is the world. link : number of the link it carries; None for a frame between
    parts. q, u : its slices of the figure's coordinates and velocities. body : the link's inertia in the node's axes;
    None without a link. axes : R (3, 3), the node's axes in the link's axes; None if they are the same. place : pose of
    the joint in the parent's axes.
    """

    parent: int
    joint: Joint
    link: int | None
    q: slice
    u: slice
    body: RigidInertia | None
    axes: Any
    place: Transform | JointPlacement

    def pose(self, q: Any) -> Transform | TransformChain:
        """Return the pose of the node in its parent's axes, for all coordinates q (nq,) of the figure."""
        return self.place @ self.joint.transform(q[self.q])

    @property
    def inertia(self) -> ArticulatedInertia:
        """Articulated inertia of the node's link; zero for a frame between parts."""
        if self.body is None:
            return ArticulatedInertia(np.zeros(6), np.zeros((3, 3)), np.zeros(6))
        return self.body.articulated()

    def force(self, f: Any) -> Any:
        """Convert a spatial force (6,) from the link's axes to the node's axes (1)."""
        return f if self.axes is None else Transform(transpose(self.axes), np.zeros(3)).act_force(f)


def dynamics_tree(figure: "Figure") -> tuple[TreeNode, ...]:
    """Return the nodes of a figure's dynamics tree, parents first, in the order of q and u."""
    parent, parts, link = _apart(figure)
    after: list[list[Joint]] = [[] for _ in parts]
    for part, before in zip(parts, parent, strict=True):
        if before >= 0:
            after[before].append(part)
    axes = [_axes(part, followers) for part, followers in zip(parts, after, strict=True)]
    found: list[TreeNode] = []
    at_q = at_u = 0
    for n, part in enumerate(parts):
        joint = _seen(part, None if parent[n] < 0 else axes[parent[n]], axes[n])
        k = _turning(joint)
        place = joint.placement if k is None else decompose_placement(joint.placement, k)
        at = link[n]
        body = None if at is None else figure.links[at].inertia
        if body is not None and axes[n] is not None:
            body = body.rotated(transpose(axes[n]))  # (1)
        q, u = slice(at_q, at_q + part.nq), slice(at_u, at_u + part.nu)
        found.append(TreeNode(parent[n], joint, at, q, u, body, axes[n], place))
        at_q, at_u = q.stop, u.stop
    return tuple(found)


def _apart(figure: "Figure") -> tuple[list[int], list[Joint], list[int | None]]:
    """Return parent, joint and link of every node, in the links' axes."""
    parent: list[int] = []
    parts: list[Joint] = []
    link: list[int | None] = []
    end_of: list[int] = []  # the node that carries each link
    for i, above, joint in figure.outward():
        before = -1 if above < 0 else end_of[above]
        for part in _parts(joint):
            parent.append(before)
            parts.append(part)
            link.append(None)
            before = len(parts) - 1
        link[-1] = i
        end_of.append(before)
    return parent, parts, link


def _parts(joint: Joint) -> list[Joint]:
    """Return a joint, or the parts of a (nested) composite joint, each placed in the frame of the one before."""
    if joint.kind != "composite":
        return [joint]
    parts = [part for outer in joint.parts_in_sequence() for part in _parts(outer)]
    return [parts[0].changed(placement=joint.placement @ parts[0].placement), *parts[1:]]


def _axis(joint: Joint) -> Any:
    """Return the axis (3,) of rotation of a joint; None if it has none, several, or one of recording scalars."""
    axis = getattr(joint, "axis", None) if joint.kind in ("revolute", "helical", "cylindrical") else None
    return None if axis is None or records(axis) else axis


def _turning(joint: Joint) -> int | None:
    """Return the number of the coordinate axis about which a joint rotates; None if there is none."""
    if joint.kind == "planar":
        return 2
    axis = _axis(joint)
    return int(np.flatnonzero(axis)[0]) if axis is not None and np.count_nonzero(axis) == 1 else None


def _own_axes(joint: Joint) -> Any:
    """Return axes (3, 3), in the link's, that include the joint's axis, and its number; (1, None) without an axis."""
    axis = _axis(joint)
    if axis is None or _turning(joint) is not None:
        return ONE, _turning(joint)
    first, second = two_rotations_to_axis(2, 2, axis)
    return first @ second, 2


def _axes(joint: Joint, after: list[Joint]) -> Any:
    """Return the axes R (1) of a node that is followed by the nodes `after`; None if R is the identity."""
    R, k = _own_axes(joint)
    if _axis(joint) is None or k is None:
        return None
    for follower in after:
        S, m = _own_axes(follower)
        if m is None or records(follower.placement.rotation):
            continue
        C = transpose(R) @ follower.placement.rotation @ S
        place = decompose_placement(Transform(C, np.zeros(3)), m)
        if isinstance(place, JointPlacement) and len(place.steps) > 1:
            R = R @ three_rotations(C, k, m)[0]
            break
    return None if R.tolist() == ONE.tolist() else R


def _seen(joint: Joint, before: Any, R: Any) -> Joint:
    """Return the joint expressed in the axes R, with its parent expressed in the axes `before` (1)."""
    if before is None and R is None:
        return joint
    back, R, place = ONE if before is None else transpose(before), ONE if R is None else R, joint.placement
    fields: dict[str, Any] = {"placement": Transform(back @ place.rotation @ R, back @ place.origin)}
    if _axis(joint) is not None and _turning(joint) is None:
        fields["axis"] = "z"
    return joint.changed(**fields)
