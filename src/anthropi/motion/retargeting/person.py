"""The person who is to move: where joints and soles are on an `ap.human` of any detail. Floats only.

Fit
---
Which coordinates of a joint come nearest to an attitude? All frames at once. Floats only.

Balls reach every attitude. Hinges, and hinges in a row, come as near as they can: the sum over the axes k of

    w_k |C e_k - C_goal e_k|²                                                                                       (1)

is made least by Gauss and Newton's steps from 0, so that an axis of weight 1 (along a bone) counts before the others.

Limbs
-----
Which attitudes do a person's parts take, and which coordinates give them? Floats only.

Knees and elbows are hinges about y, so a thigh and an upper arm turn about their length until the direction d₂ of the
next bone lies in the plane of the hinge:

    y = ± d₁ × d₂ / |d₁ × d₂|    where the joint is bent (+ for knees, - for elbows)                                (2)

the skeleton's own y where it is straight and d₁ × d₂ means nothing, and a blend between. A forearm turns with its hand.
A leg or arm in one piece points from hip to ankle, from shoulder to wrist.
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


HEIGHTS, MASSES = (0.4, 2.8), (2.0, 700.0)  # what `human` takes [m], [kg]


@dataclass(frozen=True)
class Person:
    """A figure, and {joint: (link, point)} of "l_hip", "l_knee" … "r_wrist". soles : (link, point) of each.

    lengths : {part: [m]} of the parts in `BONES`. hips : half their distance [m].
    """

    figure: Figure
    joints: dict[str, tuple]
    soles: tuple[tuple, ...]
    lengths: dict[str, float]
    hips: float

    @property
    def leg(self) -> float:
        """Thigh and shank [m]."""
        return self.lengths["thigh"] + self.lengths["shank"]

    def at(self, k: LinkPoses) -> dict[str, np.ndarray]:
        """Where the joints are, (frames, 3)."""
        return {name: k.point(*place) for name, place in self.joints.items()}


def person_of(figure: Figure) -> Person:
    """The person a figure is; refuses what is no `ap.human`."""
    if not isinstance(figure, Figure):
        raise InputError(f"figure={figure!r} is no figure. Give figure=ap.human(height, mass).")
    has = {m.name: m for m in figure.markers if hasattr(m, "point")}
    joints = {}
    for name in (f"{s}_{j}" for s in SIDES for j in ("hip", "knee", "ankle", "shoulder", "elbow", "wrist")):
        marker = has.get(f"{name}_centre")
        if marker is None or not isinstance(figure.joints[0], Free):
            what = "its root is not free" if marker is not None else f"it has no marker '{name}_centre'"
            raise InputError(
                f"Figure '{figure.name}' is no person to move: {what}. Give figure=ap.human(height, mass)."
            )
        joints[name] = figure.link_index(marker.link), np.asarray(marker.point, float)
    soles = tuple((figure.link_index(m.link), np.asarray(m.point, float)) for m in sole_markers(figure))
    if not soles:
        raise InputError(f"Figure '{figure.name}' has no markers with 'sole' in their names. Give figure=ap.human(…).")
    k = link_poses(figure, figure.neutral()[None])
    at = {name: k.point(*place)[0] for name, place in joints.items()}
    lengths = {part: length(at[f"l_{b}"] - at[f"l_{a}"]) for part, (a, b) in BONES.items()}
    return Person(figure, joints, soles, lengths, 0.5 * length(at["l_hip"] - at["r_hip"]))


def person_like(source: Source) -> Person:
    """A person with the source's thighs, shanks, upper arms and forearms, and a stature that goes with the legs."""
    height = float(np.clip(1.75 * source.leg / person_of(human()).leg, *HEIGHTS))
    usual = human(height, float(np.clip(75.0 * (height / 1.75) ** 2, *MASSES)))
    own = person_of(usual).lengths
    by = {f"{s}_{part}": source.lengths[part] / own[part] for s in SIDES for part in BONES}
    return person_of(usual.scale(by, mass=usual.mass))


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


STRAIGHT, BENT = np.sin(np.deg2rad([4.0, 16.0]))  # between these (2) takes over
SEGMENTS = {  # links of `ap.human` that are named otherwise than the part of the body whose attitude they take
    "torso": "thorax",
    "shoulder_bar": "thorax",
    "hip_bar": "pelvis",
    "l_hip_bar": "pelvis",
    "r_hip_bar": "pelvis",
    **{f"{s}_shoulder_bar": f"{s}_clavicle" for s in SIDES},
}
ALONG = {"foot": (1.0, 0.1, 0.1), "toes": (1.0, 0.1, 0.1), "clavicle": (0.1, 1.0, 0.1)}  # weights of axes
HANGING = (0.1, 0.1, 1.0)


def attitudes(source: Source) -> dict[str, np.ndarray]:
    """Of every part of a person, (frames, 3, 3)."""
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
    """Of two bones, (frames, 3)."""
    a, b, c = (source.at[f"{s}_{j}"] for j in joints)
    return unit(b - a), unit(c - b)


def _hinged(C, d1, d2, sign: float) -> tuple[np.ndarray, np.ndarray]:
    """Attitudes of two bones along d1 and d2 with a hinge about y between them (2); C : the first one's own."""
    normal, own = sign * np.cross(d1, d2), C[..., 1]
    sine = size(normal)[:, None]
    side = np.where((normal * own).sum(-1, keepdims=True) < 0.0, -1.0, 1.0)  # bent backward, it is still this hinge
    w = np.clip((sine - STRAIGHT) / (BENT - STRAIGHT), 0.0, 1.0)
    w = w * w * (3.0 - 2.0 * w)
    y = w * side * normal / np.maximum(sine, 1e-12) + (1.0 - w) * own  # (2)
    return framed(-d1, y), framed(-d2, y)


def framed(z, y) -> np.ndarray:
    """Attitudes (frames, 3, 3) with this z, and y as near as may be."""
    y = y - z * (y * z).sum(-1, keepdims=True)
    other = np.cross(z, np.eye(3)[np.argmin(np.abs(z), axis=-1)])
    y = unit(np.where(size(y)[:, None] > 1e-9, y, other))
    return np.stack([np.cross(y, z), y, z], axis=-1)


def _between(a, b) -> np.ndarray:
    """Half way."""
    return a @ rot.matrix_from_rotation_vector(0.5 * rot.rotation_vector_from_matrix(a.swapaxes(-1, -2) @ b))


def posed(figure, wanted, limits: bool, q=None, only=None) -> np.ndarray:
    """q (frames, nq) with links in the wanted attitudes, as near as joints allow; the root stays where it was.

    only : names of the links that change. limits : whether to keep to the joints' limits.
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


def size(x) -> np.ndarray:
    """Lengths of vectors (…, 3)."""
    return np.sqrt((np.asarray(x) ** 2).sum(-1))
