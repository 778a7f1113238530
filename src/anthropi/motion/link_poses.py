"""Poses of all links in all frames of a motion, vectorised over frames. Works on plain floats only.

C_i = C_parent C_place C_joint(q_i),   p_i = p_parent + C_parent (p_place + C_place p_joint(q_i))          (1)
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.figure.figure import Figure
from anthropi.figure.joints import Ball, Composite, Euler, Exponential, Free, Joint, Prismatic, Revolute

__all__ = ["LinkPoses", "joint_poses", "link_poses"]


class LinkPoses(NamedTuple):
    """Poses of links: rotation (frames, links, 3, 3), link to world; position (frames, links, 3) [m] of the origins."""

    rotation: np.ndarray
    position: np.ndarray

    def point(self, i: int, s: Any) -> np.ndarray:
        """World position (frames, 3) [m] of the point s (3,) [m] of link i."""
        return self.position[:, i] + self.rotation[:, i] @ np.asarray(s, float)


def link_poses(figure: Figure, q: Any) -> LinkPoses:
    """Poses of all links (1) for q (frames, nq)."""
    q = np.asarray(q, float)
    C = np.empty((len(q), figure.n, 3, 3))
    p = np.empty((len(q), figure.n, 3))
    for i, parent, joint in figure.outward():
        R, d = joint_poses(joint, q[:, figure.q_of[i]])
        if parent < 0:
            C[:, i], p[:, i] = R, d
        else:
            C[:, i] = C[:, parent] @ R
            p[:, i] = p[:, parent] + _turned(C[:, parent], d)
    return LinkPoses(C, p)


def joint_poses(joint: Joint, q: Any) -> tuple[np.ndarray, np.ndarray]:
    """Rotation (frames, 3, 3) and position (frames, 3) of the child in its parent, for q (frames, joint.nq)."""
    C, p = _moves(joint, np.asarray(q, float))
    place, at = np.asarray(joint.placement.rotation, float), np.asarray(joint.placement.origin, float)
    return place @ C, at + p @ place.T


def _moves(joint: Joint, q) -> tuple[np.ndarray, np.ndarray]:
    """Pose of the child in the joint frame, vectorised over frames for common joints, else frame by frame."""
    n = len(q)
    none, one = np.zeros((n, 3)), np.broadcast_to(np.eye(3), (n, 3, 3))
    kind: type[Any] = type(joint)
    of: Any = joint
    if kind is Free:
        return rot.matrix_from_quaternion(q[:, 3:]), q[:, :3]
    if kind is Ball:
        return rot.matrix_from_quaternion(q), none
    if kind is Euler:
        return rot.matrix_from_euler(q, of.order), none
    if kind is Exponential:
        return rot.matrix_from_rotation_vector(q), none
    if kind is Revolute:
        return rot.matrix_from_rotation_vector(q * of.axis), none
    if kind is Prismatic:
        return one, q * of.axis
    if kind is Composite:
        C, p, at = one, none, 0
        for part in of.parts:
            R, d = joint_poses(part, q[:, at : at + part.nq])
            C, p, at = C @ R, p + _turned(C, d), at + part.nq
        return C, p
    if joint.nq == 0:
        q = q[:1]
    poses = [joint.transform(row) for row in q]
    C, p = (np.array([getattr(x, name) for x in poses], float) for name in ("rotation", "origin"))
    return np.broadcast_to(C, (n, 3, 3)), np.broadcast_to(p, (n, 3))


def _turned(C, d) -> np.ndarray:
    return (C @ d[..., None])[..., 0]
