"""Read the dimensions of a person from a figure: landmarks, girth, sex, and which link moves each part of the body.

A figure is a person if it has the links of a level of detail of `ap.human` and its markers, whatever has been edited or
scaled. Landmarks are in thousandths of the stature, in the standing frame (x forward, y left, z up, origin on the
floor below the middle of the hips). A figure does not store its sex. It is read from the centre of mass of the left
thigh (or leg) relative to the distance from hip to knee, which differs between the two tables of de Leva (1996) and
does not change when a figure is scaled.
"""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.figure import Figure
from anthropi.figure.human.anthropometry import FINGERS
from anthropi.figure.human.build import DETAILS, MARKERS, human
from anthropi.figure.human.segments import body, finger_bones
from anthropi.figure.parts import Marker

__all__ = ["ORDER", "Person", "is_person", "person_of"]

ORDER = (
    "pelvis", "abdomen", "thorax", "neck", "head",
    *(f"{side}_{part}" for side in "lr" for part in (
        "clavicle", "upper_arm", "forearm", "hand", "thigh", "shank", "foot", "toes",
        *(f"{finger}_{k}" for finger in FINGERS for k in (1, 2, 3)))),
)  # fmt: skip
CARRIERS = {  # part of the body: the parts of segments.py whose link carries it
    "pelvis": ("lower_trunk", "lower_trunk_less_bar"), "abdomen": ("middle_trunk",),
    "thorax": ("thorax", "upper_trunk_less_bar"), "neck": ("neck",), "head": ("skull",),
    "clavicle": ("clavicle", "shoulder_bar", "half_shoulder_bar"), "upper_arm": ("upper_arm",),
    "forearm": ("forearm",), "hand": ("hand", "palm"), "thigh": ("thigh",), "shank": ("shank",),
    "foot": ("hindfoot",), "toes": ("toes",),
}  # fmt: skip
LEAST_GIRTH, MOST_GIRTH = 0.70, 1.8  # body mass index 12 and 79 kg/m² at 1.75 m; outside, the surface stays as there


@dataclass(frozen=True, eq=False)
class Person:
    """Dimensions of a person.

    sex : "m" or "f". girth : relative width, as in `segments.Body`. unit : thousandth of the stature [m]. points :
    landmarks (3,) by name, with "l_" or "r_" for pairs; bones of fingers are "l_index_1" to "l_index_3" and
    "l_index_tip". carrier : {part of `ORDER`: link}. rotation (links, 3, 3), position (links, 3) : poses of the links
    in the standing frame, in thousandths of the stature. jointed : whether the fingers have joints. levels : heights
    of the trunk's landmarks of the table, and of this person.
    """

    sex: str
    girth: float
    unit: float
    points: dict[str, np.ndarray]
    carrier: dict[str, int]
    rotation: np.ndarray
    position: np.ndarray
    jointed: bool
    levels: tuple[np.ndarray, np.ndarray]

    def height(self, z: float) -> float:
        """Return the height of a level of the trunk that is at z in the table's body."""
        return float(np.interp(z, *self.levels))

    def wide(self, power: float) -> float:
        """Return the factor by which girths that grow with this power of the body's girth are larger."""
        return float(np.clip(self.girth, LEAST_GIRTH, MOST_GIRTH) ** power)


def person_of(figure: Figure, own: tuple[int, ...]) -> Person | None:
    """Return the dimensions of a person; None if these links of the figure are not a person.

    own : indices of the links.
    """
    names = {figure.links[i].name.rpartition("/")[2]: i for i in own}
    detail = next((d for d in DETAILS if len(names) == len(own) and _links(d) == set(names)), None)
    if detail is None:
        return None
    k = kinematics(figure, figure.neutral())
    found = {}
    for m in figure.markers:
        if isinstance(m, Marker) and figure.link_index(m.link) in own:
            i = figure.link_index(m.link)
            found[m.name.rpartition("/")[2]] = k.position[i] + k.rotation[i] @ np.asarray(m.point, float)
    wanted = [*MARKERS, *(f"r_{m[2:]}" for m in MARKERS if m.startswith("l_"))]
    wanted = [m for m in wanted if "sole" not in m and "sis" not in m]
    if any(m not in found for m in wanted):
        return None
    floor = min(found["l_heel"][2], found["r_heel"][2])
    middle = 0.5 * (found["l_hip_centre"] + found["r_hip_centre"])
    origin = np.array([middle[0], middle[1], floor])
    unit = float(found["vertex"][2] - floor) / 1000.0
    points = {name.removesuffix("_centre"): (p - origin) / unit for name, p in found.items()}
    carrier = _carriers(detail, names)
    at = (k.position - origin) / unit
    if not 1e-4 < unit < 10.0 or not _upright(points):
        return None
    for side in "lr":
        heel, tip = points[f"{side}_heel"], points[f"{side}_toe_tip"]
        points[f"{side}_toe_joint"] = heel + 0.73 * (tip - heel) + np.array([0.0, 0.0, 12.0])
        if f"{side}_toes" in names:
            points[f"{side}_toe_joint"] = at[names[f"{side}_toes"]]
    mass = sum(float(figure.links[i].mass) for i in own)
    sex = _sex(figure, names, detail)
    table = body(1000.0, 75.0, sex)
    jointed = "l_index_1" in names
    _fingers(points, at, names, table, jointed)
    marks = ("hips", "navel", "xiphion", "shoulders", "cervicale", "vertex")
    mine = [0.5 * (points["l_hip"] + points["r_hip"])[2], *(points[m][2] for m in ("navel", "xiphion"))]
    mine += [0.5 * (points["l_shoulder"] + points["r_shoulder"])[2], points["cervicale"][2], 1000.0]
    levels = np.array([0.0, *(table.points[m][2] for m in marks)]), np.array([0.0, *mine])
    girth = float(np.sqrt(mass / (1000.0 * unit) / (75.0 / 1.75)))
    return Person(sex, girth, unit, points, carrier, k.rotation, at, jointed, levels)


def is_person(figure: Figure, own: tuple[int, ...]) -> bool:
    """Check whether these links of a figure are a person, whose skin has a face and clothes."""
    return person_of(figure, own) is not None


def _links(detail: str) -> set[str]:
    rows = DETAILS[detail]
    return {r.link for r in rows} | {f"r_{r.link[2:]}" for r in rows if r.link.startswith("l_")}


def _upright(points) -> bool:
    """Check that the landmarks lie above each other as in a standing person."""
    chain = ("ankle", "knee", "hip", "shoulder")
    rising = all(points[f"{s}_{b}"][2] - points[f"{s}_{a}"][2] > 20.0 for s in "lr" for a, b in pairwise(chain))
    return rising and points["l_shoulder"][1] > 10.0 > points["r_shoulder"][1]


def _carriers(detail: str, names: dict[str, int]) -> dict[str, int]:
    """Return the link that carries each part of the body."""
    rows = DETAILS[detail]
    found: dict[str, int] = {}
    for part in ORDER:
        side, _, bare = part.partition("_") if part[:2] in ("l_", "r_") else ("", "", part)
        given = CARRIERS.get(bare, (bare,))
        row = next((r for r in rows if set(r.parts) & set(given)), None)
        if row is None:  # a finger without joints moves with the hand, a clavicle with the thorax
            found[part] = found[f"{side}_hand" if bare not in CARRIERS else "thorax"]
            continue
        found[part] = names[f"{side}_{row.link[2:]}" if row.link.startswith("l_") else row.link]
    return found


@cache
def _share_of(detail: str, sex: str) -> float:
    figure = human(sex=sex, detail=detail)
    return _share(figure, {link.name: i for i, link in enumerate(figure.links)})


def _share(figure, names: dict[str, int]) -> float:
    """Return how far down the centre of mass of the thigh, or of the whole leg, is on the way from hip to knee."""
    leg = names.get("l_thigh", names.get("l_leg"))
    if "l_shank" in names:
        knee = figure.joints[names["l_shank"]].placement.origin
    else:
        knee = next(m.point for m in figure.markers if m.name.rpartition("/")[2] == "l_knee_centre")
    return float(figure.links[leg].centre[2]) / float(knee[2])


def _sex(figure, names: dict[str, int], detail: str) -> str:
    own = _share(figure, names)
    return min("mf", key=lambda sex: abs(own - _share_of(detail, sex)))


def _fingers(points, at, names, table, jointed: bool) -> None:
    """Add the joints and tips of the fingers to the landmarks: the figure's own, or the table's scaled to its hand."""
    bones = finger_bones(table)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        wrist = points[f"{side}_wrist"]
        long = np.linalg.norm(points[f"{side}_fingertip"] - wrist)
        scale = long / np.linalg.norm(table.points["fingertip"] - table.points["wrist"])
        flip = np.array([1.0, sign, 1.0])
        for finger in FINGERS:
            for k in (1, 2, 3):
                start, end, radius, _ = bones[f"{finger}_{k}"]
                name = f"{side}_{finger}_{k}"
                points[name] = at[names[name]] if jointed else wrist + scale * flip * (start - table.points["wrist"])
                if k == 3:
                    tip = scale * flip * (end - start)
                    points[f"{side}_{finger}_tip"] = points[name] + tip
                points[f"{name}_radius"] = np.array(scale * radius)
