"""Names of markers in the sets of laboratories, and the link of the human and the landmark of each.

A marker may lie on a landmark, from which joint centres and lengths are computed, or be a technical marker, of which
only the link is known; its place on the link is measured in a standing trial. Names are compared without the name of
the subject ("Anna:LASI"), in upper case, without ".", "_", "-" and blanks; "L" stands for both sides in the tables.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from anthropi.errors import InputError, did_you_mean

__all__ = ["LANDMARKS", "SETS", "assigned", "known_set"]

LANDMARKS = {  # landmark: link; l_ stands for both sides
    "l_asis": "pelvis",
    "l_psis": "pelvis",
    "sacrum": "pelvis",
    "l_knee_lateral": "l_thigh",
    "l_knee_medial": "l_thigh",
    "l_ankle_lateral": "l_shank",
    "l_ankle_medial": "l_shank",
    "l_heel": "l_foot",
    "l_forefoot": "l_foot",
    "l_shoulder": "l_clavicle",
    "l_elbow_lateral": "l_upper_arm",
    "l_elbow_medial": "l_upper_arm",
    "l_wrist_radial": "l_forearm",
    "l_wrist_ulnar": "l_forearm",
    "c7": "thorax",
}
_TRUNK = {"C7": "c7", "T10": "thorax", "CLAV": "thorax", "STRN": "thorax", "RBAK": "thorax", "T2": "thorax",
          "T6": "thorax", "T12": "thorax", "LFHD": "head", "LBHD": "head", "LSHO": "l_shoulder",
          "LUPA": "l_upper_arm", "LELB": "l_elbow_lateral", "LELBM": "l_elbow_medial", "LFRM": "l_forearm",
          "LFRA": "l_forearm", "LWRA": "l_wrist_radial", "LWRB": "l_wrist_ulnar", "LFIN": "l_hand"}  # fmt: skip
_LEGS = {"LASI": "l_asis", "LPSI": "l_psis", "SACR": "sacrum", "LTHI": "l_thigh", "LKNE": "l_knee_lateral",
         "LTIB": "l_shank", "LANK": "l_ankle_lateral", "LHEE": "l_heel", "LTOE": "l_forefoot"}  # fmt: skip
SETS: dict[str, dict[str, str]] = {  # marker: landmark, or link of a technical marker
    "plug_in_gait": _LEGS | _TRUNK | {"LMMA": "l_ankle_medial", "LMED": "l_ankle_medial", "LKNM": "l_knee_medial",
                                      "LTUB": "l_shank", "LHFB": "l_shank", "LSHN": "l_shank", "LP5M": "l_foot",
                                      "LD5M": "l_foot", "LP1M": "l_foot", "LD1M": "l_foot", "LLCA": "l_foot",
                                      "LSTL": "l_foot", "LCPG": "l_foot", "LPCA": "l_foot"},
    "helen_hayes": {"LASIS": "l_asis", "LPSIS": "l_psis", "VSACRAL": "sacrum", "SACRUM": "sacrum", "SACRAL": "sacrum",
                    "LTHIGH": "l_thigh", "LKNEE": "l_knee_lateral", "LKNEELAT": "l_knee_lateral",
                    "LKNEEMEDIAL": "l_knee_medial", "LSHANK": "l_shank", "LANKLE": "l_ankle_lateral",
                    "LANKLEMEDIAL": "l_ankle_medial", "LHEEL": "l_heel", "LTOE": "l_forefoot",
                    "LSHOULDER": "l_shoulder", "LELBOW": "l_elbow_lateral", "LWRIST": "l_wrist_radial"},
    "gait2392": {"LASIS": "l_asis", "VSACRAL": "sacrum", "LTHIGHUPPER": "l_thigh", "LTHIGHFRONT": "l_thigh",
                 "LTHIGHREAR": "l_thigh", "LKNEELAT": "l_knee_lateral", "LKNEEMED": "l_knee_medial",
                 "LSHANKUPPER": "l_shank", "LSHANKFRONT": "l_shank", "LSHANKREAR": "l_shank",
                 "LANKLELAT": "l_ankle_lateral", "LANKLEMED": "l_ankle_medial", "LHEEL": "l_heel",
                 "LMIDFOOTSUP": "l_foot", "LMIDFOOTLAT": "l_foot", "LTOETIP": "l_toes", "LTOELAT": "l_foot",
                 "LTOEMED": "l_forefoot", "LACROMIUM": "l_shoulder", "STERNUM": "thorax", "TOPHEAD": "head",
                 "LBICEPS": "l_upper_arm", "LELBOW": "l_elbow_lateral", "LWRISTMED": "l_wrist_ulnar",
                 "LWRISTLAT": "l_wrist_radial", "LFOREARM": "l_forearm"},
    "cgm2": _LEGS | _TRUNK | {"LTHAP": "l_thigh", "LTHAD": "l_thigh", "LTIAP": "l_shank", "LTIAD": "l_shank",
                              "LKNM": "l_knee_medial", "LMED": "l_ankle_medial", "LSMH": "l_forefoot",
                              "LFMH": "l_foot", "LVMH": "l_foot"},
    "cmu": {"LFWT": "l_asis", "LBWT": "l_psis", "LTHI": "l_thigh", "LKNE": "l_knee_lateral", "LSHN": "l_shank",
            "LANK": "l_ankle_lateral", "LHEE": "l_heel", "LTOE": "l_forefoot", "LMT5": "l_foot", "LMT1": "l_foot",
            **_TRUNK, "LTHMB": "l_hand"},
    "full_body_2009": {"LASI": "l_asis", "LPSI": "l_psis", "LTH1": "l_thigh", "LTH2": "l_thigh", "LTH3": "l_thigh",
                       "LLFC": "l_knee_lateral", "LMFC": "l_knee_medial", "LTB1": "l_shank", "LTB2": "l_shank",
                       "LTB3": "l_shank", "LLMAL": "l_ankle_lateral", "LMMAL": "l_ankle_medial", "LCAL": "l_heel",
                       "LMT1": "l_foot", "LMT2": "l_forefoot", **_TRUNK},
}  # fmt: skip
REQUIRED = ("asis", "knee_lateral", "ankle_lateral", "heel", "forefoot")  # landmarks of both sides


def assigned(names: Iterable[str], marker_set: str = "auto", own: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the landmark or the link of each marker, {measured name: landmark or link}; others are left out.

    Parameters
    ----------
    names : names of the measured markers. marker_set : name of a set, or "auto" for the one that knows most of them.
    own : {measured name: landmark or link} of further markers, which take precedence.

    Raises
    ------
    InputError : the set is unknown, or landmarks that are needed are missing.
    """
    names = [str(name) for name in names]
    which = known_set(names) if marker_set == "auto" else marker_set
    if which not in SETS:
        raise InputError(
            f"There is no marker set '{which}'.{did_you_mean(which, list(SETS))} Sets: {', '.join(SETS)}, or 'auto'."
        )
    table: dict[str, str] = {}
    for name, role in SETS[which].items():
        table[name] = role
        if name.startswith("L"):
            table["R" + name[1:]] = "r" + role[1:] if role.startswith("l_") else role
    found = {name: table[_plain(name)] for name in names if _plain(name) in table}
    places = known_places()
    for name, role in dict(own or {}).items():
        if name not in names:
            raise InputError(f"There is no marker '{name}'.{did_you_mean(str(name), names)} Seen: {', '.join(names)}.")
        if role not in places:
            raise InputError(
                f"Marker '{name}' is assigned to '{role}', which is neither a landmark nor a link."
                f"{did_you_mean(str(role), places)} Landmarks and links: {', '.join(places)}."
            )
        found[name] = role
    roles = set(found.values())
    missing = [f"{s}_{part}" for s in ("l", "r") for part in REQUIRED if f"{s}_{part}" not in roles]
    if "sacrum" not in roles and not {"l_psis", "r_psis"} <= roles:
        missing.append("sacrum")
    if missing:
        raise InputError(
            f"No marker is known for the landmarks {', '.join(missing)} in the set '{which}'. Assign them, for example "
            f"own={{'{next((n for n in names if n not in found), 'M1')}': '{missing[0]}'}}. Seen: {', '.join(names)}."
        )
    return found


def known_places() -> list[str]:
    """Return the landmarks and the links that a marker may be assigned to."""
    links = ["pelvis", "abdomen", "thorax", "neck", "head"]
    parts = ("thigh", "shank", "foot", "toes", "clavicle", "upper_arm", "forearm", "hand")
    both = [name for name in LANDMARKS if name.startswith("l_")]
    return [
        *LANDMARKS,
        *(f"r{name[1:]}" for name in both),
        *links,
        *(f"{s}_{part}" for s in ("l", "r") for part in parts),
    ]


def known_set(names: Iterable[str]) -> str:
    """Return the name of the set that knows most of these markers."""
    plain = {_plain(name) for name in names}
    known = {which: len(plain & {x for n in t for x in (n, "R" + n[1:])}) for which, t in SETS.items()}
    return max(known, key=lambda which: known[which])


def _plain(name: Any) -> str:
    return re.sub(r"[^A-Z0-9]", "", str(name).rpartition(":")[2].upper())
