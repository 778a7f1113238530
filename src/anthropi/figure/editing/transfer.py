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

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure.joints.derived import is_identity
from anthropi.figure.parts import Link
from anthropi.figure.states import checked

if TYPE_CHECKING:
    from anthropi.figure.figure import Figure


__all__ = [
    "moved_link",
    "moved_loop",
    "moved_marker",
    "moved_pose",
    "over_batch",
    "parents_first",
    "reorder",
    "state_from",
]


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


def moved_loop(loop: Any, frames: Any, into: Any = None) -> Any:
    """Return a loop expressed in the new frames of its links; a coupling of coordinates does not change.

    frames : {link name: new frame in the old frame}. into : {link name: link it is merged into}, if links are merged.
    """
    if loop.kind == "coupling":
        return loop
    at_a = moved_pose(loop.at_a, frames[loop.link_a]) if loop.link_a in frames else loop.at_a
    at_b = moved_pose(loop.at_b, frames[loop.link_b]) if loop.link_b in frames else loop.at_b
    link_a, link_b = (into[x] if into else x for x in (loop.link_a, loop.link_b))
    return replace(loop, link_a=link_a, at_a=at_a, link_b=link_b, at_b=at_b)


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


def over_batch(function: Any, figure: Any, q: Any, u: Any = None) -> Any:
    """Apply function(q, u) → (q, u) to one state (n,) or many (batch, n); return (q,), or (q, u) if u is given.

    figure : the figure of the state, whose sizes are checked.
    """
    q, u = _state(figure, q, u)
    if q.ndim > 2:
        raise ShapeError(f"'q' has shape {q.shape}; give one state ({figure.nq},) or (batch, {figure.nq}).")
    if q.ndim == 1:
        found = function(q, u)
    else:
        rows = [function(q[k], None if u is None else u[k]) for k in range(len(q))]
        found = np.stack([r[0] for r in rows]), None if u is None else np.stack([r[1] for r in rows])
    return found[:1] if u is None else found


def reorder(figure: "Figure", links: Any) -> Any:
    """Return a figure with its links in another order; see `Figure.reorder`."""
    names = [link.name for link in getattr(links, "links", ())] or list(links)
    at = {link.name: i for i, link in enumerate(figure.links)}
    for name in names:
        if name not in at:
            raise InputError(
                f"No link '{name}' in figure '{figure.name}'.{did_you_mean(str(name), at)} Links: {', '.join(at)}."
            )
    if sorted(names) != sorted(at):
        given = sorted(set(at) - set(names))
        what = f"'{given[0]}' is missing" if given else "a link is listed twice"
        raise InputError(f"reorder needs every link of figure '{figure.name}' once; {what}.")
    order = [at[name] for name in names]
    place = {old: new for new, old in enumerate(order)}
    parent = [place.get(figure.parent[i], -1) for i in order]
    for k, p in enumerate(parent):
        if p >= k:
            raise InputError(
                f"reorder lists link '{names[k]}' of figure '{figure.name}' before its parent '{names[p]}'. List "
                "parents first."
            )
    return figure.changed(
        links=[figure.links[i] for i in order], joints=[figure.joints[i] for i in order], parent=parent
    )


def _state(figure: "Figure", q: Any, u: Any) -> Any:
    """Return q (…, nq) and u (…, nu) or None as arrays; raise ShapeError if their sizes or batches differ."""
    q = checked(q, figure.nq, "q", figure.name)
    u = None if u is None else checked(u, figure.nu, "u", figure.name)
    if u is not None and u.shape[:-1] != q.shape[:-1]:
        raise ShapeError(f"'q' has shape {q.shape} and 'u' {u.shape}. Give one u for each q.")
    return q, u


def state_from(figure: "Figure", source: Any, q: Any, u: Any = None) -> Any:
    """Return a state of `source` as a state of `figure`; see `Figure.state_from`."""
    q, u = _state(source, q, u)
    known: dict[str, Any] = {}
    for i, joint in enumerate(source.joints):
        speed = None if u is None else u[..., source.u_of[i]]
        known.update((leaf[0], leaf[1:]) for leaf in leaves(joint, joint.name, q[..., source.q_of[i]], speed))
    place = {name: k for k, name in enumerate(known)}
    lead = q.shape[:-1]
    qs, us = [np.zeros((*lead, 0))], [np.zeros((*lead, 0))]
    for joint in figure.joints:
        last = -1
        for name, part in wanted(joint, joint.name):
            if name not in known:
                raise InputError(
                    f"Figure '{source.name}' has no '{name}', which figure '{figure.name}' needs for its state."
                    f"{did_you_mean(name, known)} It has: {', '.join(known)}."
                )
            own, at, v = known[name]
            if place[name] < last:
                raise InputError(
                    f"Joint '{joint.name}' has its parts in another sequence in figure '{source.name}' than in figure "
                    f"'{figure.name}', so that their angles are not the same. Use joints with the same sequence."
                )
            last = place[name]
            qs.append(_converted(own, part, at, f"'{name}' of figure '{source.name}'", figure.name))
            us.append(v if u is not None else us[0])
    found = np.concatenate(qs, axis=-1)
    return found if u is None else (found, np.concatenate(us, axis=-1))


def _converted(own: Any, part: Any, q: Any, what: str, figure: str) -> Any:
    """Return the coordinates q (…, nq) of a joint as those of another, which may describe a rotation differently."""
    if own.kind == part.kind:
        return q
    if (own.kind, part.kind) == ("exponential", "ball"):
        return rot.quaternion_from_rotation_vector(q)
    if (own.kind, part.kind) == ("ball", "exponential"):
        return rot.rotation_vector_from_quaternion(q)
    raise InputError(
        f"{what} is {own.kind}, but {part.kind} in figure '{figure}'. A state can be converted only between joints of "
        "the same kind."
    )


def leaves(joint: Any, name: str, q: Any, u: Any) -> Iterator[Any]:
    """Yield (name, joint, q (…, nq), u (…, nu)) of the smallest parts of a joint. A locked joint has zero velocity."""
    if joint.kind == "locked":
        at, lead = np.asarray(joint.at), np.shape(q)[:-1]
        still = None if u is None else np.zeros((*lead, joint.joint.nu))
        yield from leaves(joint.joint, name, np.broadcast_to(at, (*lead, len(at))), still)
        return
    parts = joint.parts_in_sequence()
    if not parts and joint.nu:
        yield name, joint, q, u
    at_q = at_u = 0
    for part in parts:
        speed = None if u is None else u[..., at_u : at_u + part.nu]
        yield from leaves(part, f"{name}.{part.name}", q[..., at_q : at_q + part.nq], speed)
        at_q, at_u = at_q + part.nq, at_u + part.nu


def wanted(joint: Any, name: str) -> Iterator[Any]:
    """Yield (name, joint) of the smallest parts of a joint that can move."""
    if joint.nu == 0:
        return
    parts = joint.parts_in_sequence()
    if not parts:
        yield name, joint
    for part in parts:
        yield from wanted(part, f"{name}.{part.name}")
