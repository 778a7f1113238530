"""Parts of the body in a captured skeleton, recognised by the names of its links.

Names are compared without their name space ("mixamorig:"), without a prefix that all names share ("Bip01 "), in lower
case, without "_", "-", "." and blanks. Sides are "left", "l", "right", "r", before or after the rest. So LeftUpLeg of
CMU and MotionBuilder, mixamorig:LeftUpLeg of Mixamo, LeftHip of Biovision and Xsens, L_Hip of SMPL, lThigh of Poser,
lThighBend of DAZ, upperleg01.L of MakeHuman, LeftThigh of Rokoko, Bip01 L Thigh of 3ds Max, lfemur of Acclaim and
l_thigh are the same part.

The pelvis is the last common ancestor of the thighs, and the thorax that of the upper arms, whatever their names are:
many skeletons have a link "hips" that carries no rotation. Skeletons whose names are not known are matched by their
topology (topology.py).
"""

import os
import re
from collections.abc import Mapping
from typing import Any

from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.motion.link_poses import LinkPoses, link_poses
from anthropi.motion.retargeting.topology import matched

__all__ = ["NEEDED", "ROLES", "SIDES", "roles"]

MIDDLE: dict[str, tuple[str, ...]] = {"pelvis": ("hips", "pelvis", "hip", "root"), "thorax": (), "head": ("head",)}
PAIRED: dict[str, tuple[str, ...]] = {  # names of each part, the most specific first
    "thigh": ("thigh", "upleg", "upperleg", "uleg", "femur", "hip"),
    "shank": ("shank", "shin", "calf", "lowerleg", "lowleg", "tibia", "leg", "knee"),
    "foot": ("ankle", "foot"),
    "toes": ("toebase", "toes", "toe", "toe0", "ball", "metatarsals", "toe11", "foot"),
    "clavicle": ("clavicle", "collar", "collarbone", "shoulder"),
    "upper_arm": ("upperarm", "uparm", "uarm", "humerus", "shldr", "arm", "shoulder"),
    "forearm": ("forearm", "lowerarm", "lowarm", "farm", "radius", "elbow"),
    "hand": ("wrist", "hand"),
}
SIDES = {"l": ("left", "l"), "r": ("right", "r")}
ROLES = (*MIDDLE, *(f"{side}_{part}" for side in SIDES for part in PAIRED))
NEEDED = ("pelvis", "thorax", *(f"{s}_{p}" for s in SIDES for p in ("thigh", "shank", "foot", "upper_arm", "forearm")))
ORDER = ("thigh", "shank", "foot", "toes", "forearm", "hand", "upper_arm", "clavicle")  # "shoulder" may be either
SUFFIXES = ("", "bend", "01", "1", "joint", "jnt", "bone")
PREFIXES = ("bip01", "bip001", "bip", "jbip", "mavg", "def", "valvebiped", "mixamorig", "character1", "skeleton1")


def roles(figure: Figure, names: Any = None, still: LinkPoses | None = None, moving: Any = None) -> dict[str, str]:
    """Return the links of a figure by body part, {role: link}.

    names : {role: link} for names that are not recognised; None as link for a part that the figure does not have.
    still, moving : link poses of a rest pose and of some frames, for skeletons whose names are not known; by default
        those of the neutral configuration.

    Raises
    ------
    InputError : a required part is not found, or `names` has an unknown role or link.
    """
    given = checked(names)
    links = [link.name for link in figure.links]
    found = {role: links[figure.link_index(name)] for role, name in given.items() if name is not None}
    plain = _plain_names(links)
    for role, words in _searched().items():
        match = next((plain[w] for w in words if w in plain and plain[w] not in found.values()), None)
        if role not in given and match is not None:
            found[role] = match
    for role in [role for role in found if role not in given and not _in_place(figure, role, found)]:
        del found[role]  # a toe that does not belong to its foot, and the like
    found.setdefault("pelvis", links[0])
    for role, part in (("pelvis", "thigh"), ("thorax", "upper_arm")):
        if role not in given and {f"l_{part}", f"r_{part}"} <= set(found):
            found[role] = _meeting(figure, found[f"l_{part}"], found[f"r_{part}"])
    missing = [role for role in NEEDED if role not in found]
    if missing:
        still = link_poses(figure, figure.neutral()[None]) if still is None else still
        other = matched(figure, still, still if moving is None else moving)
        if other is not None and not given:
            return other
        raise InputError(
            f"Figure '{figure.name}' has no link recognised as {', '.join(missing)}, and its topology is not that of "
            f"a body with two arms and two legs. Assign them, for example names={{'{missing[0]}': …}} or "
            f"--names '{missing[0]}=…'. Links: {', '.join(links)}."
        )
    return found


def checked(names: Any) -> dict[str, Any]:
    """Return `names` as a dictionary; raise InputError if it has an unknown role or another form."""
    if isinstance(names, (str, os.PathLike)) or not isinstance(names, (Mapping, type(None))):
        raise InputError(f"names={names!r}: give {{part of the body: link}}, such as {{'l_thigh': 'LeftUpLeg'}}.")
    given = dict(names or {})
    for role in given:
        if role not in ROLES:
            raise InputError(
                f"names has '{role}', which is not a known part of a body.{did_you_mean(str(role), ROLES)} "
                f"Parts: {', '.join(ROLES)}."
            )
    return given


ABOVE = {  # parts that must be ancestors of a part, where both are found
    "shank": "thigh",
    "foot": "shank",
    "toes": "foot",
    "forearm": "upper_arm",
    "hand": "forearm",
}


def _in_place(figure: Figure, role: str, found: dict[str, str]) -> bool:
    """Return whether a part is a descendant of the part above it, and a clavicle an ancestor of its arm."""
    side, _, part = role.partition("_")
    own = figure.link_index(found[role])
    if part == "clavicle":
        arm = found.get(f"{side}_upper_arm")
        return arm is None or own in figure.path(figure.link_index(arm))[:-1]
    above = found.get(f"{side}_{ABOVE.get(part, '')}")
    return above is None or figure.link_index(above) in figure.path(own)[:-1]


def _searched() -> dict[str, list[str]]:
    """Plain names of each role, most specific first."""
    found = {role: [mark + word for mark in ("", "c") for word in words] for role, words in MIDDLE.items()}
    for side, marks in SIDES.items():
        for part in ORDER:
            found[f"{side}_{part}"] = [
                word
                for base in PAIRED[part]
                for end in SUFFIXES
                for mark in marks
                for word in (mark + base + end, base + mark + end, base + end + mark)
            ]
    return found


def _plain_names(links: list[str]) -> dict[str, str]:
    """Return {plain name: link}; the first link of a name, and names with a prefix do not replace those without."""
    words = [re.sub(r"[^a-z0-9]", "", name.rpartition(":")[2].lower()) for name in links]
    common = _common_start(words[1:]) if len(words) > 2 else ""
    found: dict[str, str] = {}
    for word, name in zip(words, links, strict=True):
        found.setdefault(word, name)
    for word, name in zip(words, links, strict=True):
        for prefix in (common, *PREFIXES):
            if prefix and word.startswith(prefix):
                found.setdefault(word[len(prefix) :], name)
    return found


def _common_start(words: list[str]) -> str:
    """Return the characters with which all words begin."""
    first, last = min(words), max(words)
    return first[: next((k for k, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]


def _meeting(figure: Figure, one: str, other: str) -> str:
    """Return the last common ancestor of two links."""
    paths = [figure.path(figure.link_index(name))[:-1] for name in (one, other)]
    both = [a for a, b in zip(*paths, strict=False) if a == b]
    return figure.links[both[-1] if both else 0].name
