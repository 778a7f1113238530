"""Lock and unlock joints or degrees of freedom, and merge links that are fixed to each other.

Locking a whole joint replaces it by a `Locked` joint. Locking one degree of freedom of a composite joint locks that
part. An Euler, cylindrical, planar, translational or free joint is first replaced by a composite joint with the same
coordinates, which remains after `unlock`. The rotations of a ball joint cannot be locked one by one, because its
velocities are not rates of coordinates; those of an Euler joint can.

`merge_fixed` merges a link that is fixed by a weld or a locked joint into its parent: shapes, markers, loops and
children are expressed in the parent's frame, and inertias are summed. The root is never merged.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from anthropi.algebra.spatial import identity, rigid_sum
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure.coupling import Coupling, coordinate_places
from anthropi.figure.editing.transfer import moved_link, moved_loop, moved_marker, moved_pose
from anthropi.figure.joints import Composite, Locked
from anthropi.figure.parts import Link
from anthropi.figure.states import real_array

if TYPE_CHECKING:
    from anthropi.figure.figure import Figure


MAX_COUPLING_ERROR = 1e-6  # [rad or m] of locked coordinates

__all__ = ["lock", "merge_fixed", "unlock"]


def lock(figure: "Figure", names: Any, q: Any = None) -> Any:
    """Lock joints or degrees of freedom at q; see `Figure.lock`."""
    q = figure.neutral() if q is None else np.asarray(real_array(q, "q"), float)
    if q.shape != (figure.nq,):
        raise ShapeError(f"lock got q of shape {q.shape}; figure '{figure.name}' expects ({figure.nq},).")
    at = figure.dof_indices(names)
    joints = [
        _held(figure, joint, q[figure.q_of[i]], {k - figure.u_of[i].start for k in at})
        for i, joint in enumerate(figure.joints)
    ]
    return figure.changed(joints=joints, loops=_loops_left(figure, q, {figure.dofs[k] for k in at}))


def _loops_left(figure: "Figure", q: Any, locked: set[str]) -> list[Any]:
    """Return the loops without the couplings whose two degrees of freedom are locked.

    Raises an error if only one of the two is locked, or if the locked coordinates do not satisfy the coupling.
    """
    left: list[Any] = []
    for loop in figure.loops:
        both = {loop.dof, loop.source} if isinstance(loop, Coupling) else set()
        if not (isinstance(loop, Coupling) and both & locked):
            left.append(loop)
            continue
        free = both - locked
        if free:
            raise InputError(
                f"'{(both & locked).pop()}' is coupled to '{free.pop()}' by '{loop.name}' of figure '{figure.name}'. "
                "Lock both, or remove the coupling from the figure's loops."
            )
        (at, _), (source, _) = coordinate_places(figure, loop)
        gap = float(q[at] - loop.function.at(q[source])[0])
        if not abs(gap) <= MAX_COUPLING_ERROR:
            raise InputError(
                f"Coupling '{loop.name}' of figure '{figure.name}' is violated by {gap:.3g} at the configuration in "
                "which its joints are locked. Give q from ap.loops.close_loops."
            )
    return left


def _held(figure: "Figure", joint: Any, q: Any, which: set[int]) -> Any:
    """Return a joint with the degrees of freedom numbered in `which` locked at q; unknown numbers are ignored."""
    which = which & set(range(joint.nu))
    if not which:
        return joint
    if len(which) == joint.nu:
        return Locked(name=joint.name, placement=joint.placement, joint=joint, at=np.array(q, float))
    parts, at_q, at_u = [], 0, 0
    for part in joint.parts_in_sequence():
        parts.append(_held(figure, part, q[at_q : at_q + part.nq], {k - at_u for k in which}))
        at_q, at_u = at_q + part.nq, at_u + part.nu
    if not parts:
        names = ", ".join(joint.dofs[k] for k in sorted(which))
        raise InputError(
            f"{names} of the {joint.kind} joint '{joint.name}' of figure '{figure.name}' cannot be locked "
            "alone: its velocities are not rates of coordinates. Lock the whole joint, or make it an Euler "
            "joint."
        )
    return Composite(name=joint.name, placement=joint.placement, parts=tuple(parts), stop=joint.stop)


def unlock(figure: "Figure", names: Any | None = None) -> Any:
    """Unlock joints or degrees of freedom; see `Figure.unlock`."""
    choices = {name for joint in figure.joints for name in _locked_names(joint, "")}
    wanted = choices if names is None else {names} if isinstance(names, str) else set(names)
    for name in sorted(wanted - choices):
        raise InputError(
            f"Nothing called '{name}' is locked in figure '{figure.name}'.{did_you_mean(name, choices)} "
            f"Locked: {', '.join(sorted(choices)) or 'nothing'}."
        )
    return figure.changed(joints=[_freed(figure, joint, "", wanted) for joint in figure.joints])


def _freed(figure: "Figure", joint: Any, before: str, names: set[str]) -> Any:
    """Return a joint with the named degrees of freedom unlocked; `before` is the prefix of its name."""
    name = before + joint.name
    if joint.kind == "locked":
        own = joint.joint.changed(name=joint.name, placement=joint.placement)
        let = {k for k, dof in enumerate(own.dofs) if name in names or before + dof in names}
        return _held(figure, own, np.asarray(joint.at), set(range(own.nu)) - let)
    if joint.kind != "composite":
        return joint
    names = names | {f"{name}.{p.name}" for p in joint.parts if name in names}
    parts = tuple(_freed(figure, part, f"{name}.", names) for part in joint.parts)
    return Composite(name=joint.name, placement=joint.placement, parts=parts, stop=joint.stop)


def _locked_names(joint: Any, before: str) -> Iterator[Any]:
    """Yield names that can be unlocked: the joint, if it or a part of it is locked, and single degrees of freedom."""
    name = before + joint.name
    if joint.kind == "locked":
        yield name
        yield from (before + dof for dof in joint.joint.changed(name=joint.name).dofs)
    elif joint.kind == "composite":
        inside = {n for part in joint.parts for n in _locked_names(part, f"{name}.")}
        yield from inside
        if inside:
            yield name


def merge_fixed(figure: "Figure") -> Any:
    """Merge links that cannot move relative to their parent; see `Figure.merge_fixed`."""
    keeper, frame = [], []  # for each link: the link it is merged into, and the pose of that link's frame in its own
    for i, p, joint in figure.outward():
        if joint.nu or p < 0:
            keeper.append(i)
            frame.append(identity())
        else:
            keeper.append(keeper[p])
            frame.append((joint.placement @ joint.transform(np.zeros(0))).inverse() @ frame[p])
    kept = [i for i in range(figure.n) if keeper[i] == i]
    place = {old: k for k, old in enumerate(kept)}
    frames = {link.name: X for link, X in zip(figure.links, frame, strict=True)}
    into = {link.name: figure.links[k].name for link, k in zip(figure.links, keeper, strict=True)} | {"": ""}
    joints = []
    for i in kept:
        joint, p = figure.joints[i], figure.parent[i]
        joints.append(joint if p < 0 else joint.changed(placement=moved_pose(joint.placement, frame[p])))
    parts = [[moved_link(figure.links[k], frame[k]) for k in range(figure.n) if keeper[k] == i] for i in kept]
    return figure.changed(
        links=[_one(same) for same in parts],
        joints=joints,
        parent=[place[keeper[figure.parent[i]]] if figure.parent[i] >= 0 else -1 for i in kept],
        markers=[replace(moved_marker(m, frames[m.link]), link=into[m.link]) for m in figure.markers],
        loops=[moved_loop(x, frames, into) for x in figure.loops],
    )


def _one(links: list[Link]) -> Link:
    """Return one link made of several links in the same frame, with the name of the first."""
    heavy = [x.inertia for x in links if x.mass != 0.0]
    if len(links) == 1 or not heavy:
        return replace(links[0], shapes=tuple(s for x in links for s in x.shapes))
    body = heavy[0] if len(heavy) == 1 else rigid_sum(heavy)
    return Link.of(links[0].name, body, tuple(s for x in links for s in x.shapes))
