"""The human figure: a person of given stature, mass and sex, at several levels of detail.

Axes: x forward, y left, z up. In the neutral pose the axes of every link are parallel to those of the world, and the
body stands upright with hanging arms and thumbs forward. Flexion of knees, elbows, wrists, toes and fingers is positive
on both sides, and so are dorsiflexion, inversion and pronation. Ball joints rotate about the axes of their frame.
docs/human.md has the tables and their sources.

A level of detail is a table of `Part` rows. A row contains the link, its parent, the kind of joint (`ranges.RANGES`),
the name of the joint, the landmark at which the joint is placed, and the body parts (`Body.parts`) that make up the
link. A link whose name starts with "l_" stands for a left-right pair. To add a level of detail, add it to `DETAILS`.

simple27 … thesis51 are the figures of S. M. Loizidou's thesis (docs/equations/thesis.md): all mass is on the rotating
links, and ball joints replace three hinges. In simple36 and thesis51 every rod has its own ball joint and the root is
an additional body. The massless root of the thesis has no dynamics (its erratum E6), so the middle trunk is the root.

Works on plain floats only; cannot be recorded on a tape.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.spatial import RigidInertia, Transform, rigid_sum
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.figure.human.anthropometry import FINGERS, LENGTHS
from anthropi.figure.human.body_shapes import body_shapes, mirrored_shape
from anthropi.figure.human.ranges import joint_of
from anthropi.figure.human.segments import MIRROR, Body, body, finger_bones, mirrored
from anthropi.figure.joints import Ball, Composite, Free, Joint, Revolute
from anthropi.figure.parts import Link, Marker, Shape

__all__ = ["DETAILS", "MARKERS", "RODS", "Part", "ankle_markers", "human", "sole_markers", "standing"]


class Part(NamedTuple):
    """One row of a level of detail: a link, or a left-right pair of links."""

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
    """Return the rows of the three bones of a finger; the joint of each bone is at the landmark of the same name."""
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
RODS = ("simple27", "simple36", "thesis42", "thesis51")  # drawn as rods, as in the thesis

_FEET, _SHANKS, _TOES = ("l_foot", "l_shank", "l_leg"), ("l_shank", "l_leg"), ("l_toes", "l_shank", "l_leg")
MARKERS: dict[str, tuple[str, tuple[str, ...]]] = {  # marker: (landmark, links); it is on the first
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


MIN_HEIGHT, MAX_HEIGHT = 0.4, 2.8  # [m] newborns to the tallest people
MIN_MASS, MAX_MASS = 2.0, 700.0  # [kg] newborns to the heaviest people


def human(height: float = 1.75, mass: float = 75.0, sex: str = "m", detail: str = "standard") -> Figure:
    """Return the figure of a person.

    Parameters
    ----------
    height : stature [m]. mass : body mass [kg]. sex : "m" or "f", selects the table of de Leva (1996).
    detail : "simple27", "simple36", "thesis42", "thesis51" (ball joints only, the figures of the thesis), "standard"
        (three-part spine, neck, clavicles, hands, feet with toes; 50 degrees of freedom) or "full" (also fingers; 90).
    """
    height, mass = (
        _within("height", height, (MIN_HEIGHT, MAX_HEIGHT), "m"),
        _within("mass", mass, (MIN_MASS, MAX_MASS), "kg"),
    )
    for name, value, choices in (("sex", sex, ("m", "f")), ("detail", detail, tuple(DETAILS))):
        if value not in choices:
            raise InputError(
                f"human got {name}={value!r}.{did_you_mean(str(value), choices)} "
                f"Choose {name} from: {', '.join(choices)}."
            )
    found = body(height, mass, sex)
    return _figure(found, DETAILS[detail], detail in RODS)


def standing(figure: Figure, q: Any = None) -> np.ndarray:
    """Return q (by default neutral) with the free root moved vertically so that the lowest sole marker is at z = 0."""
    q = figure.neutral() if q is None else np.array(q, float)
    if not isinstance(figure.joints[0], Free):
        raise InputError(
            f"The root of figure '{figure.name}' is {figure.joints[0].kind}, not free, so it cannot be moved."
        )
    poses: list[Transform] = []
    for i, parent, _ in figure.outward():
        pose = figure.pose(i, q)
        poses.append(pose if parent < 0 else poses[parent] @ pose)
    soles = sole_markers(figure)
    if not soles:
        raise InputError(
            f"Figure '{figure.name}' has no sole markers. Give its ground contact points names that contain 'sole'."
        )
    lowest = min(poses[figure.link_index(m.link)].act_point(m.point)[2] for m in soles)
    return q - np.eye(figure.nq)[figure.q_of[0].start + 2] * lowest


def sole_markers(figure: Figure) -> tuple[Marker, ...]:
    """Return the markers with "sole" in their names: the contact points of the feet."""
    return tuple(m for m in figure.markers if isinstance(m, Marker) and "sole" in m.name)


def ankle_markers(figure: Figure) -> tuple[Marker, Marker]:
    """Return the markers of the left and the right ankle, which are on the feet or on links that include the feet."""
    marks = {m.name: m for m in figure.markers if isinstance(m, Marker)}
    lacks = [name for name in ("l_ankle_centre", "r_ankle_centre") if name not in marks]
    if lacks:
        raise InputError(f"Figure '{figure.name}' has no marker '{lacks[0]}'. Use a human figure, or add the marker.")
    return marks["l_ankle_centre"], marks["r_ankle_centre"]


def _within(name: str, value: Any, bounds: Any, unit: str) -> float:
    low, high = bounds
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not low <= number <= high:
        raise InputError(f"human got {name}={value!r}. Give a {name} from {low:g} to {high:g} {unit}.")
    return number


# from rows to a figure -----------------------------------------------------------------------------------------------


def _landmarks(b: Body) -> dict[str, np.ndarray]:
    """Return the landmarks of the body, the starts of the finger bones, and the corners of the soles."""
    points = dict(b.points)
    points |= {name: bone[0] for name, bone in finger_bones(b).items()}
    half, heel, joint, tip = (
        0.5 * LENGTHS["foot_breadth"] * b.height,
        *(points[n] for n in ("heel", "toe_joint", "toe_tip")),
    )
    length = tip[0] - heel[0]
    for place, x, width in (
        ("heel", heel[0] + 0.06 * length, 0.60),
        ("ball", joint[0], 0.85),
        ("toe", tip[0] - 0.06 * length, 0.60),
    ):
        points[f"sole_{place}_in"] = np.array([x, heel[1] - width * half, 0.0])
        points[f"sole_{place}_out"] = np.array([x, heel[1] + width * half, 0.0])
    return points


def _figure(b: Body, rows: tuple[Part, ...], rods: bool) -> Figure:
    points = _landmarks(b)
    middle = {row.link for row in rows if not row.link.startswith("l_")}
    place = {row.link: points[row.at] for row in rows}
    entries, others = [], []
    for row in rows:
        at = place[row.link]
        before = place[row.parent] if row.parent else at  # the joint of the root is in the world
        joint = Free(name=row.joint) if row.kind == "free" else joint_of(row.kind, row.joint)
        joint = joint.changed(placement=Transform(np.eye(3), at - before))
        inertia = rigid_sum([b.parts[name] for name in row.parts]).shifted(-at)
        shapes = tuple(_moved(shape, -at) for name in row.parts for shape in body_shapes(b, name, rods))
        entries.append((row.parent, joint, _link(row.link, inertia, shapes)))
        if row.link not in middle:
            parent = row.parent if row.parent in middle else _right(row.parent)
            link = _link(_right(row.link), mirrored(inertia), tuple(mirrored_shape(s) for s in shapes))
            others.append((parent, _mirrored_joint(joint), link))
    ordered = [*entries, *others]
    number = {link.name: i for i, (_, _, link) in enumerate(ordered)} | {"": -1}
    return Figure(
        "human",
        tuple(e[2] for e in ordered),
        tuple(e[1] for e in ordered),
        tuple(number[e[0]] for e in ordered),
        tuple(_markers(points, place)),
    )


def _link(name: str, inertia: RigidInertia, shapes: tuple[Shape, ...]) -> Link:
    numbered = tuple(
        Shape(s.kind, s.size, s.placement, f"{name}_{k}", s.file, s.colour) for k, s in enumerate(shapes, 1)
    )
    return Link.of(name, inertia, numbered)


def _moved(shape: Shape, by: Any) -> Shape:
    place = Transform(shape.placement.rotation, shape.placement.origin + by)
    return Shape(shape.kind, shape.size, place, shape.name, shape.file, shape.colour)


def _right(name: str) -> str:
    return "r_" + name.removeprefix("l_")


def _mirrored_joint(joint: Joint) -> Joint:
    """Return the mirrored joint. Equal coordinates give mirrored poses, but x and z of a ball joint change sign."""
    place = Transform(np.eye(3), joint.placement.origin * MIRROR + 0.0)
    fields = {"name": _right(joint.name), "placement": place}
    if isinstance(joint, Ball):
        turn = -MIRROR
        low, high = turn * joint.lower, turn * joint.upper
        fields |= {
            "lower": np.array([min(a, b) for a, b in zip(low, high, strict=True)]),
            "upper": np.array([max(a, b) for a, b in zip(low, high, strict=True)]),
        }
    elif isinstance(joint, Revolute):
        fields |= {"axis": -MIRROR * joint.axis + 0.0}
    elif isinstance(joint, Composite):
        fields |= {"parts": tuple(part.changed(axis=-MIRROR * part.axis + 0.0) for part in joint.parts)}
    return joint.changed(**fields)


def _markers(points: Any, place: Any) -> list[Marker]:
    found = []
    for name, (landmark, carriers) in MARKERS.items():
        link = next((c for c in carriers if c in place), None)
        if link is None:
            continue
        point = points[landmark] - place[link]
        found.append(Marker(name, link, point))
        if name.startswith("l_"):
            other = _right(link) if link.startswith("l_") else link
            found.append(Marker(_right(name), other, point * MIRROR + 0.0))
    return found
