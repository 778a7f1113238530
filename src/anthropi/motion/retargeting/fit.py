"""Which coordinates of a joint come nearest to an attitude? All frames at once. Floats only.

Balls reach every attitude. Hinges, and hinges in a row, come as near as they can: the sum over the axes k of

    w_k |C e_k - C_goal e_k|²                                                                                       (1)

is made least by Gauss and Newton's steps from 0, so that an axis of weight 1 (along a bone) counts before the others.
"""

from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.figure.joints import Ball, Composite, Euler, Exponential, Joint, Revolute
from anthropi.motion.placing import joint_poses

__all__ = ["clipped", "fitted"]

STEPS = 12
LONGEST = 0.8  # [rad] of a step


def fitted(joint: Joint, goal, weights=(0.1, 0.1, 1.0), start=None) -> np.ndarray:
    """q (frames, nq) of a joint whose child shall have the attitude `goal` (frames, 3, 3) in its parent."""
    goal = np.asarray(joint.placement.rotation, float).T @ goal
    kind: type = type(joint)
    of: Any = joint
    if kind is Ball:
        return rot.quaternion_from_matrix(goal)
    if kind is Exponential:
        return rot.rotation_vector_from_matrix(goal)
    if kind is Euler:
        return rot.euler_from_matrix(goal, of.order)
    parts = (joint,) if kind is Revolute else of.parts if kind is Composite else ()
    if not parts or any(type(part) is not Revolute for part in parts):
        return np.tile(joint.neutral(), (len(goal), 1))
    return _hinges(parts, goal, np.sqrt(np.asarray(weights, float)))


def _hinges(parts, goal, weights) -> np.ndarray:
    """(1) for hinges in a row."""
    q = np.zeros((len(goal), len(parts)))
    for _ in range(STEPS):
        C, axes = np.broadcast_to(np.eye(3), goal.shape), []
        for k, part in enumerate(parts):
            at = np.asarray(part.placement.rotation, float) if k else np.eye(3)
            axes.append(C @ at @ part.axis)
            C = C @ (joint_poses(part, q[:, k : k + 1])[0] if k else _first(part, q[:, :1]))
        error = ((goal - C) * weights).swapaxes(-1, -2).reshape(len(q), 9)  # column after column
        J = np.stack(
            [(np.cross(a[:, :, None], C, axis=1) * weights).swapaxes(-1, -2).reshape(len(q), 9) for a in axes], -1
        )
        N = J.swapaxes(-1, -2) @ J + 1e-9 * np.eye(len(parts))
        step = np.linalg.solve(N, (J.swapaxes(-1, -2) @ error[..., None]))[..., 0]
        q = q + np.clip(step, -LONGEST, LONGEST)
        if np.abs(step).max(initial=0.0) < 1e-12:
            break
    return q


def _first(part, q) -> np.ndarray:
    return rot.matrix_from_rotation_vector(q * part.axis)


def clipped(joint: Joint, q) -> np.ndarray:
    """q (frames, nq) with its coordinates brought within the joint's limits."""
    if not (np.isfinite(joint.lower).any() or np.isfinite(joint.upper).any()):
        return q
    out = np.array(q, float)
    for row in out:
        x = np.asarray(joint.coordinates(row), float)
        if (x < joint.lower).any() or (x > joint.upper).any():
            row[:] = joint.from_coordinates(np.clip(x, joint.lower, joint.upper))
    return out
