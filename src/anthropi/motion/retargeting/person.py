"""The human figure for retargeting: its joints and soles, the attitudes of its parts, and the coordinates for them.

Ball joints reach every attitude. Hinges, and hinges in series, come as near as possible: the sum over the axes k of

    w_k |C e_k - C_target e_k|²                                                                                     (1)

is minimised by Gauss–Newton steps from 0; an axis of weight 1 (along a bone) counts more than the others.

Knees and elbows are hinges about y, so a thigh and an upper arm rotate about their length until the direction d₂ of the
next bone lies in the plane of the hinge:

    y = ± d₁ × d₂ / |d₁ × d₂|    where the joint is flexed (+ for knees, - for elbows)                              (2)

If the joint is straight, d₁ × d₂ is undefined and y is that of the skeleton; in between, the two are blended. A forearm
rotates with its hand. A leg that is one link points from hip to ankle, an arm that is one link from shoulder to wrist.
Works on plain floats only.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.errors import InputError
from anthropi.figure.figure import Figure
from anthropi.figure.human.build import human, sole_markers
from anthropi.figure.joints import Ball, Composite, Euler, Exponential, Free, Joint, Revolute
from anthropi.motion.link_poses import LinkPoses, joint_poses, link_poses
from anthropi.motion.retargeting.skeleton import BONES, SIDES, Source, length, unit

__all__ = ["Person", "attitudes", "clipped", "fitted", "framed", "person_like", "person_of", "posed", "size"]


HEIGHTS, MASSES = (0.4, 2.8), (2.0, 700.0)  # [m], [kg] ranges of `human`


@dataclass(frozen=True)
class Person:
    """A human figure with the data for retargeting.

    figure : the figure. joints : {joint: (link, point)} of "l_hip", "l_knee" … "r_wrist". soles : (link, point) of each
    sole marker. lengths : {part: [m]} of the parts in `BONES`, means of both sides.
    hips : half the distance between the hips [m]. legs : {side: [m]} lengths of thigh and shank.
    """

    figure: Figure
    joints: dict[str, tuple[Any, ...]]
    soles: tuple[tuple[Any, ...], ...]
    lengths: dict[str, float]
    hips: float
    legs: dict[str, float]

    @property
    def leg(self) -> float:
        """Length of thigh and shank [m]."""
        return self.lengths["thigh"] + self.lengths["shank"]

    def at(self, k: LinkPoses) -> dict[str, np.ndarray]:
        """World positions of the joints, {joint: (frames, 3)} [m]."""
        return {name: k.point(*place) for name, place in self.joints.items()}


def person_of(figure: Figure) -> Person:
    """Return the data of a human figure for retargeting; raise InputError for any other figure."""
    if not isinstance(figure, Figure):
        raise InputError(f"figure={figure!r} is not a figure. Give figure=ap.human(height, mass).")
    has = {m.name: m for m in figure.markers if hasattr(m, "point")}
    joints = {}
    for name in (f"{s}_{j}" for s in SIDES for j in ("hip", "knee", "ankle", "shoulder", "elbow", "wrist")):
        marker = has.get(f"{name}_centre")
        if marker is None or not isinstance(figure.joints[0], Free):
            what = "its root is not free" if marker is not None else f"it has no marker '{name}_centre'"
            raise InputError(f"Figure '{figure.name}' is not a human: {what}. Give figure=ap.human(height, mass).")
        joints[name] = figure.link_index(marker.link), np.asarray(marker.point, float)
    soles = tuple((figure.link_index(m.link), np.asarray(m.point, float)) for m in sole_markers(figure))
    if not soles:
        raise InputError(f"Figure '{figure.name}' has no markers with 'sole' in their names. Give figure=ap.human(…).")
    k = link_poses(figure, figure.neutral()[None])
    at = {name: k.point(*place)[0] for name, place in joints.items()}
    lengths = {
        part: 0.5 * sum(length(at[f"{s}_{b}"] - at[f"{s}_{a}"]) for s in SIDES) for part, (a, b) in BONES.items()
    }
    legs = {s: sum(length(at[f"{s}_{b}"] - at[f"{s}_{a}"]) for a, b in (BONES["thigh"], BONES["shank"])) for s in SIDES}
    return Person(figure, joints, soles, lengths, 0.5 * length(at["l_hip"] - at["r_hip"]), legs)


def person_like(source: Source) -> Person:
    """Return a human with the limb lengths of the source, left and right, and a stature in proportion to its legs."""
    height = float(np.clip(1.75 * source.leg / person_of(human()).leg, *HEIGHTS))
    usual = human(height, float(np.clip(75.0 * (height / 1.75) ** 2, *MASSES)))
    own = person_of(usual).lengths
    by = {f"{s}_{part}": source.side(f"{s}_{part}") / own[part] for s in SIDES for part in BONES}
    return person_of(usual.scale(by, mass=usual.mass))


MAX_FIT_STEPS = 12  # of (1)
MAX_FIT_STEP = 0.8  # [rad] largest change in a step


def fitted(joint: Joint, goal: Any, weights: Any = (0.1, 0.1, 1.0), start: Any = None) -> np.ndarray:
    """Return q (frames, nq) of a joint for which its child has the attitude nearest to `goal` (frames, 3, 3).

    goal : attitudes in the parent. weights : (3,) weights of the axes in (1).
    """
    goal = np.asarray(joint.placement.rotation, float).T @ goal
    kind: type[Any] = type(joint)
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
    """Minimise (1) for hinges in series."""
    q = np.zeros((len(goal), len(parts)))
    for _ in range(MAX_FIT_STEPS):
        C, axes = np.broadcast_to(np.eye(3), goal.shape), []
        for k, part in enumerate(parts):
            at = np.asarray(part.placement.rotation, float) if k else np.eye(3)
            axes.append(C @ at @ part.axis)
            C = C @ (joint_poses(part, q[:, k : k + 1])[0] if k else _first(part, q[:, :1]))
        error = ((goal - C) * weights).swapaxes(-1, -2).reshape(len(q), 9)  # columns in sequence
        J = np.stack(
            [(np.cross(a[:, :, None], C, axis=1) * weights).swapaxes(-1, -2).reshape(len(q), 9) for a in axes], -1
        )
        N = J.swapaxes(-1, -2) @ J + 1e-9 * np.eye(len(parts))
        step = np.linalg.solve(N, (J.swapaxes(-1, -2) @ error[..., None]))[..., 0]
        q = q + np.clip(step, -MAX_FIT_STEP, MAX_FIT_STEP)
        if np.abs(step).max(initial=0.0) < 1e-12:
            break
    return q


def _first(part, q) -> np.ndarray:
    return rot.matrix_from_rotation_vector(q * part.axis)


def clipped(joint: Joint, q: Any) -> np.ndarray:
    """Return q (frames, nq) with coordinates clipped to the limits of the joint."""
    if not (np.isfinite(joint.lower).any() or np.isfinite(joint.upper).any()):
        return q
    out = np.array(q, float)
    for row in out:
        x = np.asarray(joint.coordinates(row), float)
        if (x < joint.lower).any() or (x > joint.upper).any():
            row[:] = joint.from_coordinates(np.clip(x, joint.lower, joint.upper))
    return out


STRAIGHT, BENT = np.sin(np.deg2rad([4.0, 16.0]))  # sines between which (2) is blended in
SEGMENTS = {  # part of the body whose attitude a link takes, where the names differ
    "torso": "thorax",
    "shoulder_bar": "thorax",
    "hip_bar": "pelvis",
    "l_hip_bar": "pelvis",
    "r_hip_bar": "pelvis",
    **{f"{s}_shoulder_bar": f"{s}_clavicle" for s in SIDES},
}
ALONG = {"foot": (1.0, 0.1, 0.1), "toes": (1.0, 0.1, 0.1), "clavicle": (0.1, 1.0, 0.1)}  # weights of axes in (1)
HANGING = (0.1, 0.1, 1.0)


def attitudes(source: Source) -> dict[str, np.ndarray]:
    """Attitudes of all parts of a human, {part: (frames, 3, 3)}."""
    C = dict(source.attitude)
    C["abdomen"] = _between(C["pelvis"], C["thorax"])
    C.setdefault("head", C["thorax"])
    C["neck"] = _between(C["thorax"], C["head"])
    for s in SIDES:
        C.setdefault(f"{s}_clavicle", C["thorax"])
        thigh, shank = _directions(source, s, ("hip", "knee", "ankle"))
        C[f"{s}_thigh"], C[f"{s}_shank"] = _hinged(C[f"{s}_thigh"], thigh, shank, 1.0)
        own = C[f"{s}_forearm"]
        upper, fore = _directions(source, s, ("shoulder", "elbow", "wrist"))
        C[f"{s}_upper_arm"], _ = _hinged(C[f"{s}_upper_arm"], upper, fore, -1.0)
        C.setdefault(f"{s}_hand", own)
        C[f"{s}_forearm"] = framed(-fore, C[f"{s}_hand"][..., 1] + 0.2 * own[..., 1])
        C.setdefault(f"{s}_toes", C[f"{s}_foot"])
        for whole, first, a, b in (("leg", "thigh", "hip", "ankle"), ("arm", "upper_arm", "shoulder", "wrist")):
            C[f"{s}_{whole}"] = framed(-unit(source.at[f"{s}_{b}"] - source.at[f"{s}_{a}"]), C[f"{s}_{first}"][..., 1])
    return C


def _directions(source: Source, s: str, joints) -> tuple[np.ndarray, np.ndarray]:
    """Directions of two bones, (frames, 3) each."""
    a, b, c = (source.at[f"{s}_{j}"] for j in joints)
    return unit(b - a), unit(c - b)


def _hinged(C, d1, d2, sign: float) -> tuple[np.ndarray, np.ndarray]:
    """Attitudes of two bones along d1 and d2 with a hinge about y between them (2). C : attitude of the first."""
    normal, own = sign * np.cross(d1, d2), C[..., 1]
    sine = size(normal)[:, None]
    side = np.where(
        (normal * own).sum(-1, keepdims=True) < 0.0, -1.0, 1.0
    )  # hyperextension keeps the side of the hinge
    w = np.clip((sine - STRAIGHT) / (BENT - STRAIGHT), 0.0, 1.0)
    w = w * w * (3.0 - 2.0 * w)
    y = w * side * normal / np.maximum(sine, 1e-12) + (1.0 - w) * own  # (2)
    return framed(-d1, y), framed(-d2, y)


def framed(z: Any, y: Any) -> np.ndarray:
    """Return attitudes (frames, 3, 3) with the given z axis, and a y axis as near as possible to the given one."""
    y = y - z * (y * z).sum(-1, keepdims=True)
    other = np.cross(z, np.eye(3)[np.argmin(np.abs(z), axis=-1)])
    y = unit(np.where(size(y)[:, None] > 1e-9, y, other))
    return np.stack([np.cross(y, z), y, z], axis=-1)


def _between(a, b) -> np.ndarray:
    """Return the attitudes halfway between two attitudes."""
    return a @ rot.matrix_from_rotation_vector(0.5 * rot.rotation_vector_from_matrix(a.swapaxes(-1, -2) @ b))


def posed(figure: Figure, wanted: Any, limits: bool, q: Any = None, only: set[str] | None = None) -> np.ndarray:
    """Return q (frames, nq) with links in given attitudes, as near as joints allow; the root keeps its position.

    wanted : attitudes {part: (frames, 3, 3)}. limits : whether to respect joint limits. q : (frames, nq) to start from.
    only : names of the links that may change.
    """
    n = len(wanted["pelvis"])
    q = np.tile(figure.neutral(), (n, 1)) if q is None else np.array(q)
    C: list[np.ndarray] = []
    for i, parent, joint in figure.outward():
        name, at = figure.links[i].name, figure.q_of[i]
        part = SEGMENTS.get(name, name)
        above = np.broadcast_to(np.eye(3), (n, 3, 3)) if parent < 0 else C[parent]
        if part in wanted and (only is None or name in only):
            goal = above.swapaxes(-1, -2) @ wanted[part]
            if isinstance(joint, Free):
                place = np.asarray(joint.placement.rotation, float)
                q[:, at.start + 3 : at.stop] = rot.quaternion_from_matrix(place.T @ goal)
            else:
                found = fitted(joint, goal, ALONG.get(part.partition("_")[2], HANGING))
                q[:, at] = clipped(joint, found) if limits else found
        C.append(above @ joint_poses(joint, q[:, at])[0])
    return q


def size(x: Any) -> np.ndarray:
    """Lengths (…) of vectors (…, 3)."""
    return np.sqrt((np.asarray(x) ** 2).sum(-1))
