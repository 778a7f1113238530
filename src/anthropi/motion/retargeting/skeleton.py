"""The captured skeleton: parts of the body by link names, attitudes of the parts and positions of the joints.

Names are compared without their name space ("mixamorig:"), in lower case, without "_", "-", "." and blanks; sides are
"left", "l", "right", "r", before or after the rest. So LeftUpLeg of CMU and MotionBuilder, mixamorig:LeftUpLeg of
Mixamo, LeftHip of mocapbank, lThigh of Poser, Bip01 L Thigh of 3ds Max, lfemur of Acclaim and l_thigh are the same.

In the rest configuration (neutral, or a given one) the body is assumed to stand upright with feet flat on the ground,
facing forward as seen from its hips; arms and legs may point anywhere. The axes of a part are x forward, y left, z up
when the part stands, or hangs straight down:

    C(t) = G(t) C_rest,   G(t) = C_link(t) C_link(rest)ᵀ                                                            (1)

For a limb, C_rest is the shortest rotation from "down" to the direction of the limb at rest. Works on floats only.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.motion.link_poses import LinkPoses, link_poses
from anthropi.motion.motion import Motion

__all__ = ["BONES", "NEEDED", "ROLES", "Source", "roles", "source_of", "unit"]


MIDDLE: dict[Any, Any] = {"pelvis": ("hips", "pelvis", "hip", "root"), "thorax": (), "head": ("head",)}
PAIRED: dict[Any, Any] = {
    "thigh": ("thigh", "upleg", "upperleg", "femur", "hip"),
    "shank": ("shank", "leg", "lowerleg", "lowleg", "shin", "calf", "tibia", "knee"),
    "foot": ("foot", "ankle"),
    "toes": ("toes", "toebase", "toe", "toe0", "ball"),
    "clavicle": ("clavicle", "collar", "collarbone", "shoulder"),
    "upper_arm": ("upperarm", "arm", "uparm", "humerus", "shoulder"),
    "forearm": ("forearm", "lowerarm", "lowarm", "radius", "elbow"),
    "hand": ("hand", "wrist"),
}
SIDES = {"l": ("left", "l"), "r": ("right", "r")}
ROLES = (*MIDDLE, *(f"{side}_{part}" for side in SIDES for part in PAIRED))
NEEDED = ("pelvis", "thorax", *(f"{s}_{p}" for s in SIDES for p in ("thigh", "shank", "foot", "upper_arm", "forearm")))


def roles(figure: Figure, names: Any = None) -> dict[str, str]:
    """Return the links of a figure by body part, {role: link}.

    names : {role: link} for names that are not recognised; None as link for a part that the figure does not have.

    Raises
    ------
    InputError : a required part is not found, or `names` has an unknown role or link.
    """
    if not isinstance(names, (Mapping, type(None))):
        raise InputError(f"names={names!r}: give {{part of the body: link}}, such as {{'l_thigh': 'LeftUpLeg'}}.")
    given = dict(names or {})
    for role in given:
        if role not in ROLES:
            raise InputError(
                f"names has '{role}', which is not a known part of a body.{did_you_mean(str(role), ROLES)} "
                f"Parts: {', '.join(ROLES)}."
            )
    links = [link.name for link in figure.links]
    plain = {}
    for link in reversed(links):
        plain[_plain(link)] = link
    found: dict[str, str] = {}
    for role, words in _searched().items():
        if role in given:
            if given[role] is not None:
                found[role] = links[figure.link_index(given[role])]
            continue
        match = next((plain[w] for w in words if w in plain and plain[w] not in found.values()), None)
        if match is not None:
            found[role] = match
    found.setdefault("pelvis", links[0])
    if "thorax" not in found and {"l_upper_arm", "r_upper_arm"} <= set(found):
        found["thorax"] = _meeting(figure, found["l_upper_arm"], found["r_upper_arm"])
    missing = [role for role in NEEDED if role not in found]
    if missing:
        raise InputError(
            f"Figure '{figure.name}' has no link recognised as {', '.join(missing)}. Assign them, for example "
            f"names={{'{missing[0]}': …}}. Links: {', '.join(links)}."
        )
    return found


def _searched() -> dict[str, list[str]]:
    """Normalised names of each role, most specific first; arms before clavicles, since "shoulder" may be either."""
    order = ("thigh", "shank", "foot", "toes", "forearm", "hand", "upper_arm", "clavicle")
    found = {role: list(words) for role, words in MIDDLE.items()}
    found["thorax"] = ["thorax"]
    for side, marks in SIDES.items():
        for part in order:
            found[f"{side}_{part}"] = [
                word
                for base in PAIRED[part]
                for mark in marks
                for word in (mark + base, base + mark, f"bip01{mark}{base}", f"bip001{mark}{base}")
            ]
    return found


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.rpartition(":")[2].lower())


def _meeting(figure, one: str, other: str) -> str:
    """Return the last common ancestor of two links."""
    paths = [figure.path(figure.link_index(name))[:-1] for name in (one, other)]
    both = [a for a, b in zip(*paths, strict=False) if a == b]
    return figure.links[both[-1] if both else 0].name


BONES = {  # joints at the ends of the bones of a limb
    "thigh": ("hip", "knee"),
    "shank": ("knee", "ankle"),
    "upper_arm": ("shoulder", "elbow"),
    "forearm": ("elbow", "wrist"),
}
DOWN = np.array([0.0, 0.0, -1.0])


@dataclass(frozen=True)
class Source:
    """Captured motion of a body.

    Attributes
    ----------
    attitude : {part: (frames, 3, 3)}.
    at : {joint: (frames, 3)} [m], "l_hip", "l_knee", "l_ankle", "l_toe" (if present), "l_shoulder", "l_elbow",
        "l_wrist" and those of the right side.
    lengths : {part: [m]} of the parts in `BONES`, means of both sides.
    hips : half the distance between the hips [m].
    """

    attitude: dict[str, np.ndarray]
    at: dict[str, np.ndarray]
    lengths: dict[str, float]
    hips: float

    @property
    def leg(self) -> float:
        """Length of thigh and shank [m]."""
        return self.lengths["thigh"] + self.lengths["shank"]


def source_of(motion: Motion, names: Any = None, rest: Any = None) -> Source:
    """Return the attitudes and joint positions of a motion of any figure with the parts of a body; see `retarget`."""
    figure, found = motion.figure, roles(motion.figure, names)
    rest = figure.neutral() if rest is None else _upright(figure, rest)
    still, moving = link_poses(figure, rest[None]), link_poses(figure, motion.q)
    link = {role: figure.link_index(name) for role, name in found.items()}
    turned = {role: moving.rotation[:, i] @ still.rotation[0, i].T for role, i in link.items()}  # G
    start, at = _joints(figure, still, link), _joints(figure, moving, link)
    here = {name: x[0] for name, x in start.items()}
    facing = _facing(here["l_hip"] - here["r_hip"], figure.name)
    upright: tuple[str, ...] = ("pelvis", "thorax", "head")
    attitude = {role: turned[role] @ facing for role in upright if role in link}  # (1)
    for side in SIDES:
        legs = _legs(here, side, facing)
        arms = _arms(here, side, facing)
        for role, C in (legs | arms).items():
            if role in link:
                attitude[role] = turned[role] @ C  # (1)
    lengths = {
        part: float(np.mean([length(here[f"{s}_{b}"] - here[f"{s}_{a}"]) for s in SIDES]))
        for part, (a, b) in BONES.items()
    }
    for part, long in lengths.items():
        if not long > 1e-6:
            raise InputError(
                f"The {part} of figure '{figure.name}' has no length. Check whether the skeleton is complete."
            )
    return Source(attitude, at, lengths, 0.5 * length(here["l_hip"] - here["r_hip"]))


def _upright(figure, rest) -> np.ndarray:
    """Return `rest` as floats; raise InputError if it is not a configuration."""
    try:
        found = np.asarray(rest, float)
    except (TypeError, ValueError, OverflowError):
        found = np.zeros(0)
    if found.shape != (figure.nq,) or not np.isfinite(found).all():
        raise InputError(
            f"rest is not a configuration of figure '{figure.name}': give ({figure.nq},) finite numbers, with "
            "the body upright."
        )
    return found


def _joints(figure, poses: LinkPoses, link) -> dict[str, np.ndarray]:
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
                tip = _beyond(figure, link[role])
                if tip is not None:
                    at[name] = poses.point(link[role], tip)
            if name not in at and joint == "wrist":
                raise InputError(f"Figure '{figure.name}' has nothing beyond its {role}. Add a hand or an end site.")
    return at


def _beyond(figure, i: int):
    """Farthest known point of a link: a child joint or a marker; None if there is none."""
    points = [np.asarray(figure.joints[k].placement.origin, float) for k in figure.children[i]]
    points += [
        np.asarray(m.point, float) for m in figure.markers if m.link == figure.links[i].name and hasattr(m, "point")
    ]
    points = [x for x in points if length(x) > 1e-6]
    return max(points, key=length, default=None)


def _facing(left, name: str) -> np.ndarray:
    """Rotation about z that takes y to the direction from the right hip to the left."""
    across = unit(left * [1.0, 1.0, 0.0])
    if not np.isfinite(across).all():
        raise InputError(
            f"The hips of figure '{name}' lie on one vertical line at rest. Give an upright configuration as rest=."
        )
    return np.stack([np.cross(across, -DOWN), across, -DOWN], axis=1)


def _legs(here, side: str, facing) -> dict[str, np.ndarray]:
    """Return the rest attitudes C_rest of a leg. A foot tilts sideways with its shank, and is flat otherwise."""
    hip, knee, ankle = (here[f"{side}_{j}"] for j in ("hip", "knee", "ankle"))
    found = {
        f"{side}_thigh": turn(facing @ DOWN, knee - hip) @ facing,
        f"{side}_shank": turn(facing @ DOWN, ankle - knee) @ facing,
    }
    ahead = (here[f"{side}_toe"] - ankle) * [1.0, 1.0, 0.0] if f"{side}_toe" in here else facing[:, 0]
    ahead = unit(ahead) if length(ahead) > 1e-6 else facing[:, 0]
    up = unit(knee - ankle)
    up = unit(up - ahead * (up @ ahead)) if abs(up @ ahead) < 0.99 else -DOWN
    foot = np.stack([ahead, np.cross(up, ahead), up], axis=1)
    return found | {f"{side}_foot": foot, f"{side}_toes": foot}


def _arms(here, side: str, facing) -> dict[str, np.ndarray]:
    """Return the rest attitudes C_rest of an arm: hanging, thumbs forward, then rotated to the arm's direction."""
    shoulder, elbow, wrist = (here[f"{side}_{j}"] for j in ("shoulder", "elbow", "wrist"))
    tip = here.get(f"{side}_tip", wrist + (wrist - elbow))
    upper = turn(facing @ DOWN, elbow - shoulder) @ facing
    fore = turn(upper @ DOWN, wrist - elbow) @ upper
    return {
        f"{side}_clavicle": facing,
        f"{side}_upper_arm": upper,
        f"{side}_forearm": fore,
        f"{side}_hand": turn(fore @ DOWN, tip - wrist) @ fore,
    }


def turn(a: Any, b: Any) -> np.ndarray:
    """Shortest rotation (3, 3) from the direction of a to that of b; the identity if b has no length."""
    if not length(b) > 1e-9:
        return np.eye(3)
    a, b = unit(a), unit(b)
    v, c = np.cross(a, b), float(a @ b)
    if c < -1.0 + 1e-12:  # opposite directions: rotate about any perpendicular axis
        n = unit(np.cross(a, np.eye(3)[np.argmin(np.abs(a))]))
        return 2.0 * np.outer(n, n) - np.eye(3)
    K = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.eye(3) + K + K @ K / (1.0 + c)


def length(x: Any) -> float:
    """Length |x| of a vector."""
    return float(np.sqrt(np.sum(np.square(x))))


def unit(x: Any) -> np.ndarray:
    """Unit vectors along vectors (…, 3); NaN for length 0."""
    with np.errstate(all="ignore"):
        return x / np.sqrt((np.asarray(x) ** 2).sum(-1, keepdims=True))
