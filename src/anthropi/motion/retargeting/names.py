"""Which bone of a skeleton is which part of a body? By the names that programs give, and by who carries whom.

Names are compared without their name space ("mixamorig:"), in small letters, without "_", "-", "." and blanks; sides
are "left", "l", "right", "r", before or after the rest. So CMU's and MotionBuilder's LeftUpLeg, Mixamo's
mixamorig:LeftUpLeg, mocapbank's LeftHip, Poser's lThigh, 3ds Max' Bip01 L Thigh, Acclaim's lfemur and our l_thigh are
one.
"""

import re
from collections.abc import Mapping

from anthropi.errors import InputError, did_you_mean

__all__ = ["NEEDED", "ROLES", "roles"]

MIDDLE = {"pelvis": ("hips", "pelvis", "hip", "root"), "thorax": (), "head": ("head",)}
PAIRED = {
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


def roles(figure, names=None) -> dict[str, str]:
    """{role: link} of the parts of a body that a figure has.

    names : {role: link} where a name does not tell; None as link: the figure has no such part.
    """
    if not isinstance(names, (Mapping, type(None))):
        raise InputError(f"names={names!r}: give {{part of the body: link}}, as {{'l_thigh': 'LeftUpLeg'}}.")
    given = dict(names or {})
    for role in given:
        if role not in ROLES:
            raise InputError(f"names has '{role}', which is no part of a body here.{did_you_mean(str(role), ROLES)} "
                             f"Parts: {', '.join(ROLES)}.")  # fmt: skip
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
        raise InputError(f"Figure '{figure.name}' has no link that by its name is {', '.join(missing)}. Say which, as "
                         f"names={{'{missing[0]}': …}}. Links: {', '.join(links)}.")  # fmt: skip
    return found


def _searched() -> dict[str, list[str]]:
    """Role → plain names, the surest first; arms before collars, since "shoulder" may be either."""
    order = ("thigh", "shank", "foot", "toes", "forearm", "hand", "upper_arm", "clavicle")
    found = {role: list(words) for role, words in MIDDLE.items()}
    found["thorax"] = ["thorax"]
    for side, marks in SIDES.items():
        for part in order:
            found[f"{side}_{part}"] = [
                word for base in PAIRED[part] for mark in marks
                for word in (mark + base, base + mark, f"bip01{mark}{base}", f"bip001{mark}{base}")
            ]  # fmt: skip
    return found


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.rpartition(":")[2].lower())


def _meeting(figure, one: str, other: str) -> str:
    """The last link that carries both."""
    ways = [figure.path(figure.link_index(name))[:-1] for name in (one, other)]
    both = [a for a, b in zip(*ways, strict=False) if a == b]
    return figure.links[both[-1] if both else 0].name
