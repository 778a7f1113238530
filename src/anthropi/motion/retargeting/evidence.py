"""Parts of a body in a captured motion, positions of its joints, and lengths of its limbs. Works on floats only."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.errors import InputError
from anthropi.figure.figure import Figure
from anthropi.figure.joints import Composite, Prismatic
from anthropi.motion.link_poses import LinkPoses, link_poses
from anthropi.motion.motion import Motion
from anthropi.motion.retargeting.names import SIDES, roles

__all__ = ["BONES", "LEG_FRACTION", "Evidence", "evidence_of", "joints_of", "length", "lengths_of", "unit"]


BONES = {  # joints at the ends of the bones of a limb
    "thigh": ("hip", "knee"),
    "shank": ("knee", "ankle"),
    "upper_arm": ("shoulder", "elbow"),
    "forearm": ("elbow", "wrist"),
}


@dataclass(frozen=True)
class Evidence:
    """Parts of a captured body and the positions of its joints, before anything is assumed about its rest pose.

    found : {role: link}. link : {role: number of the link}. zero : (nq,) configuration without rotations. still, moving
    : link poses of the zero pose and of all frames. start, at : {joint: (frames, 3)} of both. unmoved : (frames,)
    whether a frame is the zero pose.
    """

    figure: Figure
    found: dict[str, str]
    link: dict[str, int]
    zero: np.ndarray
    still: LinkPoses
    moving: LinkPoses
    start: dict[str, np.ndarray]
    at: dict[str, np.ndarray]
    unmoved: np.ndarray

    def stature(self) -> float:
        """Return an estimate of the stature [m], from the lengths of legs and arms (Drillis and Contini 1966)."""
        sizes = lengths_of(self.at, self.figure.name)
        legs, arms = (sizes[a] + sizes[b] for a, b in (("thigh", "shank"), ("upper_arm", "forearm")))
        return float(0.7 * legs / LEG_FRACTION + 0.3 * arms / ARM_FRACTION)


LEG_FRACTION, ARM_FRACTION = 0.491, 0.332  # of the stature: thigh and shank, upper arm and forearm
SAMPLES = 200  # frames from which names and sides are found


def evidence_of(motion: Motion, names: Any = None) -> Evidence:
    """Find the parts of a body in a motion of any figure, and the positions of its joints."""
    figure, zero = motion.figure, _zero_pose(motion)
    still, moving = link_poses(figure, zero[None]), link_poses(figure, motion.q)
    some = slice(None, None, max(1, len(motion.q) // SAMPLES))
    found = roles(figure, names, still, LinkPoses(moving.rotation[some], moving.position[some]))
    link = {role: figure.link_index(name) for role, name in found.items()}
    start, at = joints_of(figure, still, link), joints_of(figure, moving, link)
    root = figure.q_of[0].stop
    unmoved = np.abs(motion.q[:, root:] - zero[root:]).max(axis=1, initial=0.0) < SAME_POSE
    return Evidence(figure, found, link, zero, still, moving, start, at, unmoved)


SAME_POSE = 1e-3  # [rad, m] largest difference of coordinates of equal poses


def _zero_pose(motion: Motion) -> np.ndarray:
    """Return the configuration without rotations; translations have their medians, since offsets may be in them."""
    zero, figure = np.array(motion.figure.neutral(), float), motion.figure
    for joint, at in list(zip(figure.joints, figure.q_of, strict=True))[1:]:
        parts: Any = joint.parts if isinstance(joint, Composite) else (joint,)
        k = at.start
        for part in parts:
            if isinstance(part, Prismatic):
                zero[k] = np.median(motion.q[:, k])
            k += part.nq
    return zero


def lengths_of(at: Any, name: str) -> dict[str, float]:
    """Return the lengths {part: [m]} of the parts in `BONES`: medians over the frames, means of both sides."""
    found = {}
    for part, (a, b) in BONES.items():
        sides = [float(np.median(np.sqrt(((at[f"{s}_{b}"] - at[f"{s}_{a}"]) ** 2).sum(-1)))) for s in SIDES]
        found[part] = float(np.mean(sides))
        if not found[part] > 1e-6:
            raise InputError(f"The {part} of figure '{name}' has no length. Check whether the skeleton is complete.")
        if not 0.6 < sides[0] / max(sides[1], 1e-9) < 1.0 / 0.6:
            raise InputError(
                f"The {part}s of figure '{name}' are {sides[0]:.3g} m (left) and {sides[1]:.3g} m (right) long. Check "
                f"which links are the {part}s, and assign them with names=."
            )
    for a, b, low, high in RATIOS:
        ratio = found[a] / found[b]
        if not low < ratio < high:
            raise InputError(
                f"The {a} of figure '{name}' is {ratio:.2f} times as long as its {b}; in people the ratio is between "
                f"{low:g} and {high:g}. Check which links these are, and assign them with names=."
            )
    return found


RATIOS = (("thigh", "shank", 0.5, 2.0), ("upper_arm", "forearm", 0.4, 2.7), ("thigh", "upper_arm", 0.6, 3.5))


def joints_of(figure: Figure, poses: LinkPoses, link: dict[str, int]) -> dict[str, np.ndarray]:
    """World positions of the joints, {joint: (frames, 3)} [m]."""
    at = {}
    for side in SIDES:
        for joint, part in (
            ("hip", "thigh"),
            ("knee", "shank"),
            ("ankle", "foot"),
            ("toe", "toes"),
            ("shoulder", "upper_arm"),
            ("elbow", "forearm"),
            ("wrist", "hand"),
        ):
            role = f"{side}_{part}"
            if role in link:
                at[f"{side}_{joint}"] = poses.position[:, link[role]]
        for joint, part in (("toe", "foot"), ("wrist", "forearm"), ("tip", "hand")):
            role, name = f"{side}_{part}", f"{side}_{joint}"
            if name not in at and role in link:
                tip = _beyond(figure, poses, link[role])
                if tip is not None:
                    at[name] = tip
            if name not in at and joint == "wrist":
                raise InputError(f"Figure '{figure.name}' has nothing beyond its {role}. Add a hand or an end site.")
    return at


def _beyond(figure: Figure, poses: LinkPoses, i: int) -> np.ndarray | None:
    """Return the positions (frames, 3) of the farthest known point of a link: a child joint or a marker, or None."""
    points = [poses.position[:, k] for k in figure.children[i]]
    points += [
        poses.point(i, m.point) for m in figure.markers if m.link == figure.links[i].name and hasattr(m, "point")
    ]
    sizes = [float(np.median(np.sqrt(((x - poses.position[:, i]) ** 2).sum(-1)))) for x in points]
    return points[int(np.argmax(sizes))] if max(sizes, default=0.0) > 1e-6 else None


def length(x: Any) -> float:
    """Length |x| of a vector."""
    return float(np.sqrt(np.sum(np.square(x))))


def unit(x: Any) -> np.ndarray:
    """Unit vectors along vectors (…, 3); NaN for length 0."""
    with np.errstate(all="ignore"):
        return x / np.sqrt((np.asarray(x) ** 2).sum(-1, keepdims=True))
