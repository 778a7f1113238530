"""Things fixed to a link, told from another frame on it; and the order in which links of a new tree are listed.

States
------
The state of one figure, told for another with the same joints.

A joint's state is taken apart into leaves, the smallest joints with the same coordinates ("l_hip.x" of an Euler joint,
"l_hip" of a ball), each with its piece of q and u. A locked joint has its configuration and no velocity. So states go
between a figure and itself with joints locked, unlocked, taken to pieces, or merged away.
"""

import heapq
from dataclasses import replace

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.joints.derived import is_identity
from anthropi.figure.parts import Link

__all__ = ["moved_link", "moved_loop", "moved_marker", "moved_pose", "over_batch", "parents_first", "state_from"]


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


def over_batch(function, q, u=None):
    """function(q, u) → (q, u) for one state (n,) or many (batch, n); returns q, or (q, u) if u was given."""
    q = np.asarray(q)
    u = None if u is None else np.asarray(u)
    if q.ndim == 1:
        found = function(q, u)
    else:
        rows = [function(q[k], None if u is None else u[k]) for k in range(len(q))]
        found = np.stack([r[0] for r in rows]), None if u is None else np.stack([r[1] for r in rows])
    return found[:1] if u is None else found


def state_from(figure, source, q, u=None):
    """Tell a state of `source` for `figure`; see `Figure.state_from`."""
    found = over_batch(lambda q, u: _one(figure, source, q, u), q, u)
    return found[0] if u is None else found


def _one(figure, source, q, u):
    known: dict = {}
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


def leaves(joint, name: str, q, u):
    """(name, q, u) of the smallest joints in one; a locked one stands still."""
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


def wanted(joint, name: str):
    """Names of the smallest joints in one that can move."""
    if joint.nu == 0:
        return
    parts = joint.parts_in_sequence()
    if not parts:
        yield name
    for part in parts:
        yield from wanted(part, f"{name}.{part.name}")
