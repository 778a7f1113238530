"""The trees a body can be: which links, hung on which, by which joints, made of which parts. Floats only.

A row says: link, parent, kind of joint (`ranges.RANGES`), the joint's name, the landmark it sits at, and the parts
(`Body.parts`) the link is made of. Rows whose link starts with "l_" stand for a pair. A new detail is a new entry of
`DETAILS`.

simple27 … thesis51 are the figures of the thesis (spec part 5): all mass on the link that turns, balls for its triples
of hinges. Rod by rod (36, 51) every rod hangs by a ball of its own and the root is one body more; the thesis' massless
root has no dynamics (its erratum E6), so the middle trunk is the root.
"""

from typing import NamedTuple

from anthropi.figure.anthropometry import FINGERS

__all__ = ["DETAILS", "MARKERS", "RODS", "Part"]


class Part(NamedTuple):
    """One link of a detail, or a pair of them."""

    link: str
    parent: str
    kind: str
    joint: str
    at: str
    parts: tuple[str, ...]


_HEAD = ("skull", "neck")
_ARM = ("upper_arm", "forearm", "hand")
_FOOT = ("hindfoot", "toes")
_LEG = ("thigh", "shank", *_FOOT)
_UPPER = ("upper_trunk_less_bar", "middle_trunk")

_SIMPLE27 = (
    Part("torso", "", "free", "root", "navel", (*_UPPER, *_HEAD)),
    Part("shoulder_bar", "torso", "girdle", "girdle", "shoulders", ("shoulder_bar",)),
    Part("l_arm", "shoulder_bar", "whole_shoulder", "l_shoulder", "shoulder", _ARM),
    Part("pelvis", "torso", "waist", "waist", "navel", ("lower_trunk_less_bar",)),
    Part("hip_bar", "pelvis", "pelvic", "pelvic", "hips", ("hip_bar",)),
    Part("l_leg", "hip_bar", "hip", "l_hip", "hip", _LEG),
)
_SIMPLE36 = (
    Part("abdomen", "", "free", "root", "navel", ("middle_trunk",)),
    Part("torso", "abdomen", "thoracic", "thoracic", "xiphion", ("upper_trunk_less_bar", *_HEAD)),
    Part("l_shoulder_bar", "torso", "girdle", "l_girdle", "shoulders", ("half_shoulder_bar",)),
    Part("l_arm", "l_shoulder_bar", "whole_shoulder", "l_shoulder", "shoulder", _ARM),
    Part("pelvis", "abdomen", "waist", "waist", "navel", ("lower_trunk_less_bar",)),
    Part("l_hip_bar", "pelvis", "pelvic", "l_pelvic", "hips", ("half_hip_bar",)),
    Part("l_leg", "l_hip_bar", "hip", "l_hip", "hip", _LEG),
)
_THESIS42 = (
    Part("torso", "", "free", "root", "navel", _UPPER),
    Part("shoulder_bar", "torso", "girdle", "girdle", "shoulders", ("shoulder_bar",)),
    Part("head", "shoulder_bar", "whole_neck", "neck", "cervicale", _HEAD),
    Part("l_upper_arm", "shoulder_bar", "whole_shoulder", "l_shoulder", "shoulder", ("upper_arm",)),
    Part("l_forearm", "l_upper_arm", "ball_elbow", "l_elbow", "elbow", ("forearm", "hand")),
    Part("pelvis", "torso", "waist", "waist", "navel", ("lower_trunk_less_bar",)),
    Part("hip_bar", "pelvis", "pelvic", "pelvic", "hips", ("hip_bar",)),
    Part("l_thigh", "hip_bar", "hip", "l_hip", "hip", ("thigh",)),
    Part("l_shank", "l_thigh", "ball_knee", "l_knee", "knee", ("shank", *_FOOT)),
)
_THESIS51 = (
    *_SIMPLE36[:1],
    Part("torso", "abdomen", "thoracic", "thoracic", "xiphion", ("upper_trunk_less_bar",)),
    Part("head", "torso", "whole_neck", "neck", "cervicale", _HEAD),
    _SIMPLE36[2],
    Part("l_upper_arm", "l_shoulder_bar", "whole_shoulder", "l_shoulder", "shoulder", ("upper_arm",)),
    _THESIS42[4],
    *_SIMPLE36[4:6],
    Part("l_thigh", "l_hip_bar", "hip", "l_hip", "hip", ("thigh",)),
    _THESIS42[8],
)
_STANDARD = (
    Part("pelvis", "", "free", "root", "hips", ("lower_trunk",)),
    Part("abdomen", "pelvis", "lumbar", "lumbar", "navel", ("middle_trunk",)),
    Part("thorax", "abdomen", "thoracic", "thoracic", "xiphion", ("thorax",)),
    Part("neck", "thorax", "neck", "neck", "cervicale", ("neck",)),
    Part("head", "neck", "head", "head", "atlas", ("skull",)),
    Part("l_clavicle", "thorax", "clavicle", "l_clavicle", "clavicle", ("clavicle",)),
    Part("l_upper_arm", "l_clavicle", "shoulder", "l_shoulder", "shoulder", ("upper_arm",)),
    Part("l_forearm", "l_upper_arm", "elbow", "l_elbow", "elbow", ("forearm",)),
    Part("l_hand", "l_forearm", "wrist", "l_wrist", "wrist", ("hand",)),
    Part("l_thigh", "pelvis", "hip", "l_hip", "hip", ("thigh",)),
    Part("l_shank", "l_thigh", "knee", "l_knee", "knee", ("shank",)),
    Part("l_foot", "l_shank", "ankle", "l_ankle", "ankle", ("hindfoot",)),
    Part("l_toes", "l_foot", "toe", "l_toe", "toe_joint", ("toes",)),
)


def _finger(name: str) -> tuple[Part, ...]:
    """Three bones on the palm; a bone's joint sits at its start, the landmark of its own name."""
    thumb = name == "thumb"
    kinds = ("thumb_cmc", "thumb_mcp", "thumb_ip") if thumb else ("mcp", "pip", "dip")
    parents = ("l_hand", f"l_{name}_1", f"l_{name}_2")
    rows = zip((1, 2, 3), parents, kinds, strict=True)
    return tuple(
        Part(f"l_{name}_{k}", parent, kind, f"l_{name}_{kind.removeprefix('thumb_')}", f"{name}_{k}", (f"{name}_{k}",))
        for k, parent, kind in rows
    )


_FULL = (
    *(part._replace(parts=("palm",)) if part.link == "l_hand" else part for part in _STANDARD),
    *(part for name in FINGERS for part in _finger(name)),
)

DETAILS: dict[str, tuple[Part, ...]] = {
    "simple27": _SIMPLE27,
    "simple36": _SIMPLE36,
    "thesis42": _THESIS42,
    "thesis51": _THESIS51,
    "standard": _STANDARD,
    "full": _FULL,
}
RODS = ("simple27", "simple36", "thesis42", "thesis51")  # drawn as the thesis draws them

_FEET, _SHANKS, _TOES = ("l_foot", "l_shank", "l_leg"), ("l_shank", "l_leg"), ("l_toes", "l_shank", "l_leg")
MARKERS: dict[str, tuple[str, tuple[str, ...]]] = {  # name: landmark, the first of these links that there is carries it
    "vertex": ("vertex", ("head", "torso")),
    "cervicale": ("cervicale", ("thorax", "torso")),
    "sternum": ("sternum", ("thorax", "torso")),
    "xiphion": ("xiphion", ("thorax", "torso")),
    "navel": ("navel", ("abdomen", "torso")),
    "mid_hip": ("hips", ("pelvis",)),
    "l_asis": ("asis", ("pelvis",)),
    "l_psis": ("psis", ("pelvis",)),
    "l_shoulder_centre": ("shoulder", ("l_upper_arm", "l_arm")),
    "l_elbow_centre": ("elbow", ("l_forearm", "l_arm")),
    "l_wrist_centre": ("wrist", ("l_hand", "l_forearm", "l_arm")),
    "l_knuckle": ("knuckle", ("l_hand", "l_forearm", "l_arm")),
    "l_fingertip": ("fingertip", ("l_middle_3", "l_hand", "l_forearm", "l_arm")),
    "l_hip_centre": ("hip", ("l_thigh", "l_leg")),
    "l_knee_centre": ("knee", _SHANKS),
    "l_ankle_centre": ("ankle", _FEET),
    "l_heel": ("heel", _FEET),
    "l_toe_tip": ("toe_tip", _TOES),
    "l_sole_heel_in": ("sole_heel_in", _FEET),
    "l_sole_heel_out": ("sole_heel_out", _FEET),
    "l_sole_ball_in": ("sole_ball_in", _FEET),
    "l_sole_ball_out": ("sole_ball_out", _FEET),
    "l_sole_toe_in": ("sole_toe_in", _TOES),
    "l_sole_toe_out": ("sole_toe_out", _TOES),
}
