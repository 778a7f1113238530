"""A human figure of a stature, a mass and a sex, in as much detail as wanted. Floats only.

Axes: z up, x forward, y left; in the neutral pose every link's axes are the world's, the body stands upright with
hanging arms, thumbs forward. Flexion of knees, elbows, wrists, toes and fingers is positive on both sides, as are
dorsiflexion, inversion and pronation; ball joints turn as their axes say. Tables and sources: docs/human.md.
"""

import math

import numpy as np

from anthropi.algebra.spatial import RigidInertia, Transform, rigid_sum
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.anthropometry import LENGTHS
from anthropi.figure.body import MIRROR, Body, body, finger_bones, mirrored
from anthropi.figure.details import DETAILS, MARKERS, RODS, Part
from anthropi.figure.figure import Figure
from anthropi.figure.flesh import flesh, mirrored_shape
from anthropi.figure.joints import Ball, Composite, Free, Joint, Revolute
from anthropi.figure.parts import Link, Marker, Shape
from anthropi.figure.ranges import joint_of

__all__ = ["ankle_markers", "human", "sole_markers", "standing"]

HEIGHTS, MASSES = (0.4, 2.8), (2.0, 700.0)  # [m], [kg]: the tallest and heaviest people, and newborns


def human(height: float = 1.75, mass: float = 75.0, sex: str = "m", detail: str = "standard") -> Figure:
    """What figure does a person of this height, mass and sex make?

    Parameters
    ----------
    height : stature [m]. mass : [kg]. sex : "m" or "f": whose of de Leva's tables.
    detail : "simple27", "simple36", "thesis42", "thesis51" (balls only, the figures of the thesis), "standard"
        (three-part spine, neck, clavicles, hands, feet with toes; 50 degrees of freedom) or "full" (fingers too; 90).
    """
    height, mass = _within("height", height, HEIGHTS, "m"), _within("mass", mass, MASSES, "kg")
    for name, value, choices in (("sex", sex, ("m", "f")), ("detail", detail, tuple(DETAILS))):
        if value not in choices:
            raise InputError(f"human got {name}={value!r}.{did_you_mean(str(value), choices)} "
                             f"Choose {name} from: {', '.join(choices)}.")  # fmt: skip
    found = body(height, mass, sex)
    return _figure(found, DETAILS[detail], detail in RODS)


def standing(figure: Figure, q=None) -> np.ndarray:
    """The configuration q (neutral if not given) with the free root moved up or down until the soles reach z = 0."""
    q = figure.neutral() if q is None else np.array(q, float)
    if not isinstance(figure.joints[0], Free):
        raise InputError(
            f"The root of figure '{figure.name}' is {figure.joints[0].kind}, not free: it stands where it is."
        )
    poses: list[Transform] = []
    for i, parent, _ in figure.outward():
        pose = figure.pose(i, q)
        poses.append(pose if parent < 0 else poses[parent] @ pose)
    soles = sole_markers(figure)
    if not soles:
        raise InputError(f"Figure '{figure.name}' has no sole: name the markers it stands on with 'sole' in them.")
    lowest = min(poses[figure.link_index(m.link)].act_point(m.point)[2] for m in soles)
    return q - np.eye(figure.nq)[figure.q_of[0].start + 2] * lowest


def sole_markers(figure: Figure) -> tuple[Marker, ...]:
    """The points a figure touches the ground with: its markers with "sole" in their names."""
    return tuple(m for m in figure.markers if isinstance(m, Marker) and "sole" in m.name)


def ankle_markers(figure: Figure) -> tuple[Marker, Marker]:
    """The markers of the left and the right ankle; the link that carries one is, or has, the foot."""
    marks = {m.name: m for m in figure.markers if isinstance(m, Marker)}
    lacks = [name for name in ("l_ankle_centre", "r_ankle_centre") if name not in marks]
    if lacks:
        raise InputError(f"Figure '{figure.name}' has no marker '{lacks[0]}'. Take a human figure, or add the marker.")
    return marks["l_ankle_centre"], marks["r_ankle_centre"]


def _within(name: str, value, bounds, unit: str) -> float:
    low, high = bounds
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not low <= number <= high:
        raise InputError(f"human got {name}={value!r}. Give a {name} from {low:g} to {high:g} {unit}.")
    return number


# from rows to a figure -----------------------------------------------------------------------------------------------


def _landmarks(b: Body) -> dict[str, np.ndarray]:
    """The body's points, the starts of the fingers' bones, and the corners of the soles."""
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
        before = place[row.parent] if row.parent else at  # a root's joint is the world's
        joint = Free(name=row.joint) if row.kind == "free" else joint_of(row.kind, row.joint)
        joint = joint.changed(placement=Transform(np.eye(3), at - before))
        inertia = rigid_sum([b.parts[name] for name in row.parts]).shifted(-at)
        shapes = tuple(_moved(shape, -at) for name in row.parts for shape in flesh(b, name, rods))
        entries.append((row.parent, joint, _link(row.link, inertia, shapes)))
        if row.link not in middle:
            parent = row.parent if row.parent in middle else _right(row.parent)
            link = _link(_right(row.link), mirrored(inertia), tuple(mirrored_shape(s) for s in shapes))
            others.append((parent, _mirrored_joint(joint), link))
    ordered = [*entries, *others]
    number = {link.name: i for i, (_, _, link) in enumerate(ordered)} | {"": -1}
    return Figure("human", tuple(e[2] for e in ordered), tuple(e[1] for e in ordered),
                  tuple(number[e[0]] for e in ordered), tuple(_markers(points, place)))  # fmt: skip


def _link(name: str, inertia: RigidInertia, shapes: tuple[Shape, ...]) -> Link:
    numbered = tuple(
        Shape(s.kind, s.size, s.placement, f"{name}_{k}", s.file, s.colour) for k, s in enumerate(shapes, 1)
    )
    return Link.of(name, inertia, numbered)


def _moved(shape: Shape, by) -> Shape:
    place = Transform(shape.placement.rotation, shape.placement.origin + by)
    return Shape(shape.kind, shape.size, place, shape.name, shape.file, shape.colour)


def _right(name: str) -> str:
    return "r_" + name.removeprefix("l_")


def _mirrored_joint(joint: Joint) -> Joint:
    """The same coordinates give the mirrored pose; a ball's turns about x and z change their sign with their limits."""
    place = Transform(np.eye(3), joint.placement.origin * MIRROR + 0.0)
    fields = {"name": _right(joint.name), "placement": place}
    if isinstance(joint, Ball):
        turn = -MIRROR
        low, high = turn * joint.lower, turn * joint.upper
        fields |= {"lower": np.array([min(a, b) for a, b in zip(low, high, strict=True)]),
                   "upper": np.array([max(a, b) for a, b in zip(low, high, strict=True)])}  # fmt: skip
    elif isinstance(joint, Revolute):
        fields |= {"axis": -MIRROR * joint.axis + 0.0}
    elif isinstance(joint, Composite):
        fields |= {"parts": tuple(part.changed(axis=-MIRROR * part.axis + 0.0) for part in joint.parts)}
    return joint.changed(**fields)


def _markers(points, place) -> list[Marker]:
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
