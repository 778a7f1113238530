"""Re-root a figure: the same figure with another link as its root.

Every joint on the path from the old root to the new one is reversed; links on that path change their frame, since a
link's frame sits at its inboard joint. With X_k the old pose of link k in its parent and P_k the place of its joint:

    frame of link k-1 moves to P_k in its old frame                                                       (1)
    its joint is the reversed one, placed at the old frame of link k in the new one: (P_k+1)⁻¹            (2)
    new root:  X = X_0 X_1 … X_m,   v ← X_k⁻¹ v + S_k u_k                                                 (3)
    its state: p, quaternion of X;  u = (C v_lin, ω)                                                      (4)

The new root keeps its frame unless `at` moves it. Poses and velocities of every body and marker stay the same.
Source: docs/equations/thesis.md, chapter 7.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import InputError
from anthropi.figure.editing.transfer import moved_link, moved_loop, moved_marker, moved_pose, over_batch, parents_first

if TYPE_CHECKING:
    from anthropi.figure.figure import Figure


__all__ = ["free_state", "new_frames", "pose_and_velocity", "reroot", "rerooted_state"]


def reroot(figure: "Figure", link: str, q: Any = None, u: Any = None, at: Transform | None = None) -> Any:
    """Return a figure with another root; see `Figure.reroot`."""
    path = figure.path(figure.link_index(link))
    _refuse_held(figure)
    edited = _tree(figure, path, new_frames(figure, link, at))
    if q is None:
        return edited
    return (edited, *over_batch(lambda q, u: rerooted_state(figure, link, q, u, at), figure, q, u))


def rerooted_state(figure: "Figure", link: str, q: Any, u: Any = None, at: Transform | None = None) -> Any:
    """Convert a state to the figure that `reroot` returns, and return its (q, u). Can be recorded on a tape."""
    path = figure.path(figure.link_index(link))
    return _state(figure, path, parents_first(_parents(figure, path)), identity() if at is None else at, q, u)


def new_frames(figure: "Figure", link: str, at: Transform | None = None) -> dict[str, Transform]:
    """Return {link: pose of its frame after re-rooting, in its present frame} (1)."""
    path = figure.path(figure.link_index(link))
    frames = {body.name: identity() for body in figure.links}
    for near, far in pairwise(path):
        frames[figure.links[near].name] = figure.joints[far].placement
    frames[link] = identity() if at is None else at
    return frames


def _tree(figure: "Figure", path: Any, frames: Any) -> Any:
    """Return the re-rooted figure, for the path of links to the new root and the new frames of the links."""
    parent, joints = _parents(figure, path), list(figure.joints)
    for near, far in pairwise(path):
        back = moved_pose(identity(), frames[figure.links[far].name])  # (2)
        joints[near] = figure.joints[far].reversed().changed(placement=back)
    joints[path[-1]] = figure.joints[path[0]]
    for i, p in enumerate(figure.parent):
        if p >= 0 and i not in path:
            joint = figure.joints[i]
            joints[i] = joint.changed(placement=moved_pose(joint.placement, frames[figure.links[p].name]))
    order = parents_first(parent)
    place = {old: k for k, old in enumerate(order)}
    return figure.changed(
        links=[moved_link(figure.links[i], frames[figure.links[i].name]) for i in order],
        joints=[joints[i] for i in order],
        parent=[place[parent[i]] if parent[i] >= 0 else -1 for i in order],
        markers=[moved_marker(m, frames[m.link]) for m in figure.markers],
        loops=[moved_loop(loop, frames) for loop in figure.loops],
    )


def _parents(figure: "Figure", path: Any) -> list[int]:
    """Return the parent of each link, in the old numbering, after the path is reversed; -1 marks the new root."""
    parent = list(figure.parent)
    for near, far in pairwise(path):
        parent[near] = far
    parent[path[-1]] = -1
    return parent


def _state(figure: "Figure", path: Any, order: Any, at: Any, q: Any, u: Any) -> Any:
    """Return (q, u) of the re-rooted figure, in the order of its links."""
    still = u is None
    u = np.zeros(figure.nu) if still else u
    qs = [q[figure.q_of[i]] for i in range(figure.n)]
    us = [u[figure.u_of[i]] for i in range(figure.n)]
    for near, far in pairwise(path):
        qs[near], us[near] = figure.joints[far].reverse_state(q[figure.q_of[far]], u[figure.u_of[far]])
    pose, v = pose_and_velocity(figure, path, q, u)  # (3)
    pose = moved_pose(pose, figure.joints[path[0]].placement)
    qs[path[-1]], us[path[-1]] = free_state(pose @ at, at.undo_motion(v))
    q2, u2 = np.concatenate([qs[i] for i in order]), np.concatenate([us[i] for i in order])
    return q2, None if still else u2


def pose_and_velocity(figure: "Figure", path: Any, q: Any, u: Any) -> Any:
    """Return the world pose of the last link of a path from the root, and its spatial velocity in its own frame (3)."""
    pose, v = identity(), np.zeros(6)
    for i in path:
        joint, step = figure.joints[i], figure.pose(i, q)
        pose, v = pose @ step, step.undo_motion(v)
        if joint.nu:
            v = v + joint.subspace(q[figure.q_of[i]]) @ u[figure.u_of[i]]
    return pose, v


def free_state(pose: Transform, v: Any) -> Any:
    """Return q and u of a free joint from its pose and its spatial velocity in the child's frame (4)."""
    q = np.concatenate([pose.origin, rot.quaternion_from_matrix(pose.rotation)])
    return q, np.concatenate([matvec(pose.rotation, v[3:]), v[:3]])


def _refuse_held(figure: "Figure") -> None:
    """Raise an error if the root joint is not free, or if a limit, spring, damper or armature acts on it."""
    root = figure.joints[0]
    if root.kind != "free":
        raise InputError(
            f"Figure '{figure.name}' is held to the world by the {root.kind} joint '{root.name}' of its root "
            f"'{figure.links[0].name}'. Only a figure with a free root can be re-rooted. Give it a free root joint "
            "(anthropi.joints.Free), and connect it to the world by a loop."
        )
    if root.acts():
        raise InputError(
            f"Limits, springs, dampers or armature of the root joint '{root.name}' of figure '{figure.name}' act "
            f"between the world and '{figure.links[0].name}'; re-rooting would move them to another link. Remove "
            "them from the root joint first."
        )
