"""Change the frame of a link, order the links of a new tree, and transfer states between figures with the same joints.

To transfer a state, each joint is split into its smallest parts with the same coordinates ("l_hip.x" of an Euler joint,
"l_hip" of a ball joint), each with its entries of q and u. A locked joint has its locked configuration and zero
velocity. This transfers states between a figure and the same figure with joints locked, unlocked, split or merged.
"""

import heapq
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.joints.derived import is_identity
from anthropi.figure.parts import Link

if TYPE_CHECKING:
    from anthropi.figure.figure import Figure


__all__ = ["moved_link", "moved_loop", "moved_marker", "moved_pose", "over_batch", "parents_first", "state_from"]


def moved_pose(pose: Transform, X: Transform) -> Transform:
    """Return a pose given in the link frame, expressed in a new frame X of the link."""
    return pose if is_identity(X) else X.inverse() @ pose


def moved_link(link: Link, X: Transform) -> Link:
    """Return a link expressed in a new frame X, given in its present frame."""
    if is_identity(X):
        return link
    shapes = tuple(replace(s, placement=moved_pose(s.placement, X)) for s in link.shapes)
    body = X.undo_inertia(link.inertia)
    return replace(link, mass=body.mass, centre=body.centre, tensor=body.tensor, shapes=shapes)


def moved_marker(marker: Any, X: Transform) -> Any:
    """Return a point or direction marker expressed in a new frame X of its link."""
    if is_identity(X):
        return marker
    if hasattr(marker, "direction"):
        return replace(marker, direction=matvec(transpose(X.rotation), marker.direction))
    return replace(marker, point=X.undo_point(marker.point))


def moved_loop(loop: Any, frames: Any) -> Any:
    """Return a loop expressed in the new frames of its links. frames : {link name: new frame in the old frame}."""
    at_a = moved_pose(loop.at_a, frames[loop.link_a]) if loop.link_a in frames else loop.at_a
    at_b = moved_pose(loop.at_b, frames[loop.link_b]) if loop.link_b in frames else loop.at_b
    return replace(loop, at_a=at_a, at_b=at_b)


def parents_first(parent: list[int]) -> list[int]:
    """Return an order in which every link follows its parent (-1: none), lowest numbers first."""
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


def over_batch(function: Any, q: Any, u: Any = None) -> Any:
    """Apply function(q, u) → (q, u) to one state (n,) or many (batch, n); return (q,), or (q, u) if u is given."""
    q = np.asarray(q)
    u = None if u is None else np.asarray(u)
    if q.ndim == 1:
        found = function(q, u)
    else:
        rows = [function(q[k], None if u is None else u[k]) for k in range(len(q))]
        found = np.stack([r[0] for r in rows]), None if u is None else np.stack([r[1] for r in rows])
    return found[:1] if u is None else found


def state_from(figure: "Figure", source: Any, q: Any, u: Any = None) -> Any:
    """Return a state of `source` as a state of `figure`; see `Figure.state_from`."""
    found = over_batch(lambda q, u: _one(figure, source, q, u), q, u)
    return found[0] if u is None else found


def _one(figure: "Figure", source: Any, q: Any, u: Any) -> Any:
    known: dict[Any, Any] = {}
    for i, joint in enumerate(source.joints):
        speed = None if u is None else u[source.u_of[i]]
        known.update((name, (at, v)) for name, at, v in leaves(joint, joint.name, q[source.q_of[i]], speed))
    qs, us = [np.zeros(0)], [np.zeros(0)]
    for joint in figure.joints:
        for name in wanted(joint, joint.name):
            if name not in known:
                raise InputError(
                    f"Figure '{source.name}' has no '{name}', which figure '{figure.name}' needs for its state."
                    f"{did_you_mean(name, known)} It has: {', '.join(known)}."
                )
            at, v = known[name]
            qs.append(at)
            us.append(v if u is not None else np.zeros(0))
    return np.concatenate(qs), None if u is None else np.concatenate(us)


def leaves(joint: Any, name: str, q: Any, u: Any) -> Iterator[Any]:
    """Yield (name, q, u) of the smallest parts of a joint. A locked joint has zero velocity."""
    if joint.kind == "locked":
        yield from leaves(joint.joint, name, np.asarray(joint.at), None if u is None else np.zeros(joint.joint.nu))
        return
    parts = joint.parts_in_sequence()
    if not parts and joint.nu:
        yield name, q, u
    at_q = at_u = 0
    for part in parts:
        speed = None if u is None else u[at_u : at_u + part.nu]
        yield from leaves(part, f"{name}.{part.name}", q[at_q : at_q + part.nq], speed)
        at_q, at_u = at_q + part.nq, at_u + part.nu


def wanted(joint: Any, name: str) -> Iterator[Any]:
    """Yield the names of the smallest parts of a joint that can move."""
    if joint.nu == 0:
        return
    parts = joint.parts_in_sequence()
    if not parts:
        yield name
    for part in parts:
        yield from wanted(part, f"{name}.{part.name}")
