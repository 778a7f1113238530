"""Things fixed to a link, told from another frame on it; and the order in which links of a new tree are listed."""

import heapq
from dataclasses import replace

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.spatial import Transform
from anthropi.figure.joints.poses import is_identity
from anthropi.figure.parts import Link

__all__ = ["moved_link", "moved_loop", "moved_marker", "moved_pose", "parents_first"]


def moved_pose(pose: Transform, X: Transform) -> Transform:
    """A place in a link seen from its frame X instead."""
    return pose if is_identity(X) else X.inverse() @ pose


def moved_link(link: Link, X: Transform) -> Link:
    """The same body told from its frame X, given in its present one."""
    if is_identity(X):
        return link
    shapes = tuple(replace(s, placement=moved_pose(s.placement, X)) for s in link.shapes)
    body = X.undo_inertia(link.inertia)
    return replace(link, mass=body.mass, centre=body.centre, tensor=body.tensor, shapes=shapes)


def moved_marker(marker, X: Transform):
    """The same point or direction, told from frame X of its link."""
    if is_identity(X):
        return marker
    if hasattr(marker, "direction"):
        return replace(marker, direction=matvec(transpose(X.rotation), marker.direction))
    return replace(marker, point=X.undo_point(marker.point))


def moved_loop(loop, frames):
    """The same closure, with frames = {link name: its new frame in its old one}."""
    at_a = moved_pose(loop.at_a, frames[loop.link_a]) if loop.link_a in frames else loop.at_a
    at_b = moved_pose(loop.at_b, frames[loop.link_b]) if loop.link_b in frames else loop.at_b
    return replace(loop, at_a=at_a, at_b=at_b)


def parents_first(parent: list[int]) -> list[int]:
    """An order in which every link follows its parent (-1: none), the lowest number first where there is a choice."""
    children: dict[int, list[int]] = {}
    for i, p in enumerate(parent):
        children.setdefault(p, []).append(i)
    ready, order = list(children.get(-1, ())), []
    heapq.heapify(ready)
    while ready:
        i = heapq.heappop(ready)
        order.append(i)
        for child in children.get(i, ()):
            heapq.heappush(ready, child)
    return order
