"""Sample figures with closed loops, listed in `samples.py`. In the neutral configuration all but the lifter are closed.

Works on plain floats only; cannot be recorded on a tape.
"""

import math
from typing import Any

import numpy as np

from anthropi.algebra import spatial as sp
from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.figure.from_parts import figure_from_parts, sorted_by_depth
from anthropi.figure.human.build import human
from anthropi.figure.joints import Exponential, Free, Prismatic, Revolute
from anthropi.figure.parts import Link, Loop, Marker, Shape

__all__ = ["bennett", "four_bar", "lifter", "slider_crank", "stewart"]

UPRIGHT = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # axes of planar figures: x stays, y up


def four_bar(ground: float = 0.8, crank: float = 0.25, coupler: float = 0.7, rocker: float = 0.5) -> Figure:
    """Return a four-bar linkage in the plane y = 0: one degree of freedom, three redundant constraint equations.

    The coordinate of the crank is its angle from the ground bar. All lengths are in metres.
    """
    reach = ground - crank  # the triangle of coupler and rocker when the crank lies along the ground
    if not abs(coupler - rocker) < reach < coupler + rocker:
        raise InputError(
            f"A four-bar of ground {ground:g}, crank {crank:g}, coupler {coupler:g}, rocker {rocker:g} m "
            "does not close with its crank along the ground. Give other lengths."
        )
    rise = math.acos((reach**2 + coupler**2 - rocker**2) / (2.0 * reach * coupler))
    knee_angle = math.acos((coupler**2 + rocker**2 - reach**2) / (2.0 * coupler * rocker)) - math.pi
    parts = [
        (None, Revolute(name="crank", axis="z", placement=Transform(UPRIGHT, np.zeros(3))), _bar("crank", crank)),
        ("crank", Revolute(name="coupler", axis="z", placement=_turned(rise, crank)), _bar("coupler", coupler)),
        ("coupler", Revolute(name="rocker", axis="z", placement=_turned(knee_angle, coupler)), _bar("rocker", rocker)),
    ]
    closure = Loop(
        "closure", "hinge", "", Transform(UPRIGHT, np.array([ground, 0.0, 0.0])), "rocker", _turned(0.0, rocker)
    )
    return figure_from_parts("four_bar", parts, [Marker("knee", "rocker", np.zeros(3))], [closure])


def slider_crank(crank: float = 0.1, rod: float = 0.3) -> Figure:
    """Return a slider-crank in the plane y = 0: crank, rod and a block that slides along x; one degree of freedom."""
    block = Link.of(
        "block", sp.box((0.12, 0.08, 0.08), mass=2.0), [Shape("box", (0.12, 0.08, 0.08), identity(), "block")]
    )
    parts = [
        (None, Revolute(name="crank", axis="z", placement=Transform(UPRIGHT, np.zeros(3))), _bar("crank", crank)),
        ("crank", Revolute(name="rod", axis="z", placement=_turned(0.0, crank)), _bar("rod", rod)),
        ("rod", Revolute(name="block", axis="z", placement=_turned(0.0, rod)), block),
    ]
    along = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # a frame whose z is the block's x
    guide = Loop("guide", "slider", "", Transform(UPRIGHT @ along, np.zeros(3)), "block", Transform(along, np.zeros(3)))
    return figure_from_parts("slider_crank", parts, [Marker("pin", "block", np.zeros(3))], [guide])


def bennett(a: float = 0.5, b: float = 0.4, twist: float = 0.9) -> Figure:
    """Return Bennett's linkage: four bars a, b, a, b [m] between skew hinges, overconstrained and yet movable.

    twist : angle α [rad] between the hinges of a bar a; that of a bar b is β, with sin β / b = sin α / a. The five
        equations of the loop leave one of three degrees of freedom, although counting constraints gives none.
    """
    if not 0.0 < twist < math.pi or abs(b / a * math.sin(twist)) >= 1.0:
        raise InputError(
            f"Bennett's linkage with a = {a:g} m, b = {b:g} m and twist = {twist:g} rad cannot be closed. Give "
            "0 < twist < π and b sin(twist) < a."
        )
    other = math.asin(b / a * math.sin(twist))
    first = 0.5 * math.pi
    second = 2.0 * math.atan2(math.sin(0.5 * (other + twist)), math.sin(0.5 * (other - twist)) * math.tan(0.5 * first))
    bars = ((a, twist), (b, other), (a, twist))
    parts: list[tuple[Any, ...]] = []
    parent, before = None, identity()
    for k, ((length, turn), angle) in enumerate(zip(bars, (first, second, -first), strict=True), 1):
        place = before @ Transform(_about_z(angle), np.zeros(3))
        parts.append((parent, Revolute(name=f"hinge_{k}", axis="z", placement=place), _bar(f"bar_{k}", length)))
        parent, before = f"bar_{k}", _twisted(length, turn)
    closure = Loop("closure", "hinge", "", _twisted(b, other).inverse(), "bar_3", _twisted(a, twist))
    return figure_from_parts("bennett", parts, [Marker("end", "bar_2", np.array([b, 0.0, 0.0]))], [closure])


def stewart(load: float = 0.0, stiffness: float = 1e4, damping: float = 0.0) -> Figure:
    """Return a Stewart–Gough platform: six legs with ball joints (exponential coordinates) and spring-loaded slides.

    load : mass [kg] of a block that slides on the platform along x between springs; none by default.
    stiffness, damping : of one leg [N/m], [N s/m]. The loops connect the legs to the ground by universal joints, which
        leaves six degrees of freedom.
    """
    mass, height = 60.0, 0.9
    top = Link.of(
        "platform", sp.cylinder(0.55, 0.06, mass=mass), [Shape("cylinder", (0.55, 0.06), identity(), "platform")]
    )
    parts: list[tuple[Any, ...]] = [(None, Free(name="root", placement=_at(z=height)), top)]
    loops = []
    for k in range(6):
        pair, side = 2.0 * math.pi / 3.0 * ((k + 1) // 2), 1.0 if k % 2 else -1.0
        high = 0.5 * _round(pair + side * 0.85)
        low = 0.8 * _round(pair + side * 0.25) - np.array([0.0, 0.0, height])
        length = float(np.linalg.norm(low - high))
        place = Transform(_along(low - high), high)
        push = (mass + load) * 9.81 / 6.0 * length / height  # load of each leg at rest
        slide = Prismatic(
            name=f"slide_{k + 1}",
            axis="z",
            placement=_at(z=0.5 * length),
            stiffness=stiffness,
            rest=push / stiffness,
            damping=damping,
        )
        upper, lower = (
            _strut(f"{name}_{k + 1}", 0.5 * length, kg, radius)
            for name, kg, radius in (("upper", 2.0, 0.03), ("lower", 1.5, 0.02))
        )
        ball = Exponential(name=f"ball_{k + 1}", placement=place)
        parts += [("platform", ball, upper), (upper.name, slide, lower)]
        foot = Transform(place.rotation, low + np.array([0.0, 0.0, height]))
        loops.append(Loop(f"foot_{k + 1}", "universal", "", foot, f"lower_{k + 1}", _at(z=0.5 * length)))
    if load:
        block = Link.of("load", sp.box((0.2, 0.2, 0.2), mass=load), [Shape("box", (0.2, 0.2, 0.2), identity(), "load")])
        parts.append(("platform", Prismatic(name="rail", axis="x", placement=_at(z=0.13), stiffness=load * 4.0), block))
    return figure_from_parts("stewart", sorted_by_depth(parts), [Marker("middle", "platform", np.zeros(3))], loops)


def lifter(bar: str = "held", height: float = 1.75, mass: float = 75.0) -> Figure:
    """Return a human with both hands on a bar, free to rotate about it.

    bar : "held", a bar of 1.4 m and 20 kg; or "fixed", a bar fixed to the world at a height of 2.2 m, to hang from.
        Use `ap.loops.close_loops` or `ap.inverse_kinematics` to put the hands on it.
    """
    if bar not in ("held", "fixed"):
        raise InputError(f"lifter got bar={bar!r}.{did_you_mean(str(bar), ('held', 'fixed'))} Choose: held, fixed.")
    person = human(height, mass)
    knuckles = {m.name: m.point for m in person.markers if isinstance(m, Marker)}
    held_at = {side: 0.75 * knuckles[f"{side}_knuckle"] for side in "lr"}
    thumb = np.array(
        [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]
    )  # z of the hand frame: forward, along the thumb
    hand = {"l": Transform(thumb, held_at["l"]), "r": Transform(thumb, held_at["r"])}
    across = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # z of a place on the bar: to the left
    back = across @ np.diag([1.0, -1.0, -1.0])  # and to the right
    half = 0.25
    if bar == "fixed":
        left, right = (Transform(turn, np.array([0.0, y, 2.2])) for turn, y in ((back, half), (across, -half)))
        loops = [
            Loop("l_grip", "hinge", "", left, "l_hand", hand["l"]),
            Loop("r_grip", "hinge", "", right, "r_hand", hand["r"]),
        ]
        return person.changed(name="lifter", loops=loops)
    body = sp.cylinder(0.014, 1.4, mass=20.0, centre=np.array([0.0, half, 0.0]), axis=1)
    rod = Link.of("bar", body, [Shape("cylinder", (0.014, 1.4), Transform(across, np.array([0.0, half, 0.0])), "bar")])
    bar_joint = Revolute(name="r_grip", axis="y", placement=Transform(thumb @ across.T, held_at["r"]))
    closure = Loop("l_grip", "hinge", "bar", Transform(back, np.array([0.0, 2.0 * half, 0.0])), "l_hand", hand["l"])
    return person.changed(
        name="lifter",
        links=[*person.links, rod],
        joints=[*person.joints, bar_joint],
        parent=[*person.parent, person.link_index("r_hand")],
        loops=[closure],
    )


def _at(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Transform:
    return Transform(np.eye(3), np.array([x, y, z]))


def _about_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _turned(angle: float, x: float) -> Transform:
    """Return a pose at a distance x along a bar, rotated about z."""
    return Transform(_about_z(angle), np.array([x, 0.0, 0.0]))


def _twisted(length: float, twist: float) -> Transform:
    """Return the pose of the far hinge of a bar along x, twisted about x."""
    c, s = math.cos(twist), math.sin(twist)
    return Transform(np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]), np.array([length, 0.0, 0.0]))


def _round(angle: float) -> np.ndarray:
    return np.array([math.cos(angle), math.sin(angle), 0.0])


def _along(vector: Any) -> np.ndarray:
    """Return a rotation matrix (3, 3) whose z axis points along a vector."""
    z = vector / np.linalg.norm(vector)
    x = np.cross([0.0, 1.0, 0.0], z)
    x = x / np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _bar(name: str, length: float) -> Link:
    """Return a link that is a bar along x, with a radius of 12 mm and a mass of 4 kg/m."""
    place = Transform(
        np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]), np.array([0.5 * length, 0.0, 0.0])
    )
    body = sp.capsule(0.012, length, mass=4.0 * length, centre=place.origin, axis=0)
    return Link.of(name, body, [Shape("capsule", (0.012, length), place, name)])


def _strut(name: str, length: float, mass: float, radius: float) -> Link:
    """Return a link that is a rod along z."""
    place = _at(z=0.5 * length)
    body = sp.capsule(radius, length, mass=mass, centre=place.origin)
    return Link.of(name, body, [Shape("capsule", (radius, length), place, name)])
