"""Which attitudes do a person's parts take, and which coordinates give them? Floats only.

Knees and elbows are hinges about y, so a thigh and an upper arm turn about their length until the direction d₂ of the
next bone lies in the plane of the hinge:

    y = ± d₁ × d₂ / |d₁ × d₂|    where the joint is bent (+ for knees, - for elbows)                                (1)

the skeleton's own y where it is straight and d₁ × d₂ means nothing, and a blend between. A forearm turns with its hand.
A leg or arm in one piece points from hip to ankle, from shoulder to wrist.
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.figure.joints import Free
from anthropi.motion.placing import joint_poses
from anthropi.motion.retargeting.fit import clipped, fitted
from anthropi.motion.retargeting.names import SIDES
from anthropi.motion.retargeting.source import Source, unit

__all__ = ["attitudes", "framed", "posed", "size"]

STRAIGHT, BENT = np.sin(np.deg2rad([4.0, 16.0]))  # between these (1) takes over
SEGMENTS = {  # links of `ap.human` that are named otherwise than the part of the body whose attitude they take
    "torso": "thorax", "shoulder_bar": "thorax", "hip_bar": "pelvis", "l_hip_bar": "pelvis", "r_hip_bar": "pelvis",
    **{f"{s}_shoulder_bar": f"{s}_clavicle" for s in SIDES},
}  # fmt: skip
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
    """Attitudes of two bones along d1 and d2 with a hinge about y between them (1); C : the first one's own."""
    normal, own = sign * np.cross(d1, d2), C[..., 1]
    sine = size(normal)[:, None]
    side = np.where((normal * own).sum(-1, keepdims=True) < 0.0, -1.0, 1.0)  # bent backward, it is still this hinge
    w = np.clip((sine - STRAIGHT) / (BENT - STRAIGHT), 0.0, 1.0)
    w = w * w * (3.0 - 2.0 * w)
    y = w * side * normal / np.maximum(sine, 1e-12) + (1.0 - w) * own  # (1)
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
