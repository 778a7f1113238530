"""Sample figures by name. To add one, write a function in this file and add it to `SAMPLES`.

Works on plain floats only; cannot be recorded on a tape.
"""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.algebra import spatial as sp
from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.figure.from_parts import figure_from_parts, sorted_by_depth
from anthropi.figure.joints import (
    Ball,
    Composite,
    Euler,
    Exponential,
    Free,
    Joint,
    Planar,
    Prismatic,
    Revolute,
)
from anthropi.figure.mechanisms import bennett, four_bar, lifter, slider_crank, stewart
from anthropi.figure.parts import Link, Marker, Shape

__all__ = ["SAMPLES", "sample"]

UPRIGHT = np.array(
    [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]
)  # x stays, y up, z to the right: axes of planar figures


def sample(name: str, **options: Any) -> Figure:
    """Return a sample figure by name (see `SAMPLES`); some have options, for example `sample("chain", links=30)`."""
    if name not in SAMPLES:
        raise InputError(f"No sample '{name}'.{did_you_mean(str(name), SAMPLES)} Samples: {', '.join(SAMPLES)}.")
    make = SAMPLES[name]
    known = list(inspect.signature(make).parameters)
    for option in options:
        if option not in known:
            raise InputError(
                f"Sample '{name}' has no option '{option}'.{did_you_mean(option, known)} "
                f"Its options: {', '.join(known) or 'none'}."
            )
    return make(**options)


def _at(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Transform:
    return Transform(np.eye(3), np.array([x, y, z]))


def _box(name: str, size: Any, mass: float, centre: Any = (0.0, 0.0, 0.0), seen: Any = None) -> Link:
    """Return a link that is a box; `seen` is the centre of its shape, by default the centre of mass."""
    place = _at(*(centre if seen is None else seen))
    return Link.of(name, sp.box(size, mass=mass, centre=np.array(centre)), [Shape("box", tuple(size), place, name)])


def _rod(name: str, length: float, mass: float, radius: float, down: bool = True) -> Link:
    """Return a link that is a capsule along z from the link's origin, downwards or upwards."""
    middle = (0.0, 0.0, -0.5 * length if down else 0.5 * length)
    body = sp.capsule(radius, length, mass=mass, centre=np.array(middle))
    return Link.of(name, body, [Shape("capsule", (radius, length), _at(*middle), name)])


# the figure of all benchmarks ----------------------------------------------------------------------------------------

BENCH42 = (  # link, parent, joint, place in the parent [m], mass [kg], box [m], height of the centre of mass [m]
    ("pelvis", "", "root", (0.0, 0.0, 0.0), 11.0, (0.2, 0.3, 0.15), 0.0),
    ("torso", "pelvis", "waist", (0.0, 0.0, 0.1), 30.0, (0.2, 0.35, 0.5), 0.25),
    ("head", "torso", "neck", (0.0, 0.0, 0.55), 5.0, (0.18, 0.15, 0.25), 0.1),
    ("l_upper_arm", "torso", "l_shoulder", (0.0, 0.2, 0.45), 2.0, (0.08, 0.08, 0.3), -0.15),
    ("l_forearm", "l_upper_arm", "l_elbow", (0.0, 0.0, -0.3), 1.5, (0.07, 0.07, 0.28), -0.14),
    ("r_upper_arm", "torso", "r_shoulder", (0.0, -0.2, 0.45), 2.0, (0.08, 0.08, 0.3), -0.15),
    ("r_forearm", "r_upper_arm", "r_elbow", (0.0, 0.0, -0.3), 1.5, (0.07, 0.07, 0.28), -0.14),
    ("l_thigh", "pelvis", "l_hip", (0.0, 0.1, -0.05), 8.0, (0.15, 0.15, 0.42), -0.21),
    ("l_shank", "l_thigh", "l_knee", (0.0, 0.0, -0.42), 4.0, (0.1, 0.1, 0.42), -0.21),
    ("l_foot", "l_shank", "l_ankle", (0.0, 0.0, -0.42), 1.2, (0.25, 0.1, 0.07), -0.035),
    ("r_thigh", "pelvis", "r_hip", (0.0, -0.1, -0.05), 8.0, (0.15, 0.15, 0.42), -0.21),
    ("r_shank", "r_thigh", "r_knee", (0.0, 0.0, -0.42), 4.0, (0.1, 0.1, 0.42), -0.21),
    ("r_foot", "r_shank", "r_ankle", (0.0, 0.0, -0.42), 1.2, (0.25, 0.1, 0.07), -0.035),
)


def bench42() -> Figure:
    """Return the benchmark figure: 13 boxes, a free root and 12 ball joints, 42 degrees of freedom."""
    links, joints = [], []
    for name, _, joint, place, mass, size, height in BENCH42:
        foot = name.endswith("foot")
        seen = (0.065, 0.0, height) if foot else None  # the shape spans heel to toe, the mass is at the ankle
        links.append(_box(name, size, mass, (0.0, 0.0, height), seen))
        joints.append(Free(name=joint) if joint == "root" else Ball(name=joint, placement=_at(*place)))
    number = {row[0]: i for i, row in enumerate(BENCH42)} | {"": -1}
    return Figure("bench42", tuple(links), tuple(joints), tuple(number[row[1]] for row in BENCH42), _soles("lr"))


def _soles(sides: str) -> tuple[Marker, ...]:
    """Return markers at the four corners under each foot; "in" is the side next to the other foot."""
    found = []
    for side in sides:
        out = 1.0 if side == "l" else -1.0
        for end, x in (("heel", -0.06), ("ball", 0.19)):
            for place, y in (("in", -0.045), ("out", 0.045)):
                found.append(Marker(f"{side}_sole_{end}_{place}", f"{side}_foot", np.array([x, out * y, -0.07])))
    return tuple(found)


# hanging -------------------------------------------------------------------------------------------------------------


def _hang(name: str, joint: Joint, body: Link) -> Figure:
    return figure_from_parts(name, [(None, joint, body)], [Marker("end", body.name, np.array([0.0, 0.0, -1.0]))])


def pendulum() -> Figure:
    """Return a pendulum: a rod of 1 m and 1 kg that rotates about y."""
    return _hang("pendulum", Revolute(name="pivot", axis="y"), _rod("rod", 1.0, 1.0, 0.02))


def double_pendulum() -> Figure:
    """Return a double pendulum: two rods that rotate about y."""
    return _chain("double_pendulum", 2, "hinge")


def spherical_pendulum(coordinates: str = "quaternion") -> Figure:
    """Return a rod of 1 m, 1 kg on a ball joint. coordinates : quaternion, exponential, or an Euler order ("zyx")."""
    if coordinates == "quaternion":
        joint: Joint = Ball(name="pivot")
    elif coordinates == "exponential":
        joint = Exponential(name="pivot")
    else:
        joint = Euler(name="pivot", order=coordinates)
    return _hang("spherical_pendulum", joint, _rod("rod", 1.0, 1.0, 0.02))


def chain(links: int = 10, joint: str = "revolute") -> Figure:
    """Return a hanging chain of rods, 0.3 m and 0.5 kg each. joint : revolute (y, x, y …), hinge (all y) or ball."""
    return _chain("chain", links, joint)


def _chain(name: str, links: int, joint: str) -> Figure:
    if not isinstance(links, int) or links < 1:
        raise InputError(f"A chain needs at least one link, and got links={links!r}.")
    kinds: dict[str, Callable[..., Any]] = {
        "revolute": lambda k, place: Revolute(name=f"joint_{k}", axis="yx"[k % 2], placement=place),
        "hinge": lambda k, place: Revolute(name=f"joint_{k}", axis="y", placement=place),
        "ball": lambda k, place: Ball(name=f"joint_{k}", placement=place),
    }
    if joint not in kinds:
        raise InputError(
            f"A chain cannot have '{joint}' joints.{did_you_mean(joint, kinds)} Choose from: {', '.join(kinds)}."
        )
    parts = []
    for k in range(links):
        place = identity() if k == 0 else _at(z=-0.3)
        parts.append((f"link_{k - 1}" if k else None, kinds[joint](k, place), _rod(f"link_{k}", 0.3, 0.5, 0.015)))
    return figure_from_parts(name, parts, [Marker("end", f"link_{links - 1}", np.array([0.0, 0.0, -0.3]))])


# floating and walking ------------------------------------------------------------------------------------------------


def floating_arm6() -> Figure:
    """Return an arm of six hinges on a free body, as on a spacecraft: 12 degrees of freedom, no gravity."""
    rows = (
        ("shoulder_yaw", "z", 0.20, 0.10),
        ("shoulder_pitch", "y", 0.10, 0.35),
        ("elbow", "y", 0.35, 0.30),
        ("wrist_roll", "z", 0.30, 0.12),
        ("wrist_pitch", "y", 0.12, 0.10),
        ("flange", "z", 0.10, 0.08),
    )
    parts: list[tuple[Any, ...]] = [(None, Free(name="root"), _box("base", (0.5, 0.5, 0.4), 60.0))]
    masses, parent = (3.0, 4.0, 3.0, 1.5, 1.0, 0.5), "base"
    for (name, axis, place, length), mass in zip(rows, masses, strict=True):
        link = f"arm_{len(parts)}"
        radius = 0.025 + 0.006 * mass
        parts.append(
            (parent, Revolute(name=name, axis=axis, placement=_at(z=place)), _rod(link, length, mass, radius, False))
        )
        parent = link
    return figure_from_parts(
        "floating_arm6", parts, [Marker("tool", parent, np.array([0.0, 0.0, 0.08]))], gravity=np.zeros(3)
    )


def hopper(leg: str = "slide") -> Figure:
    """Return a one-legged hopper: planar with a telescopic leg, or spatial with a knee and a foot.

    leg : "slide" has a planar root in the plane y = 0, a hip and a spring leg. Its links have y up and z to the right,
        so positive rotations lean back and swing the leg forward. "knee" has a free trunk, a hip and an ankle of two
        rotations each, and a knee.
    """
    legs = {"slide": _sliding_hopper, "knee": _kneed_hopper}
    if leg not in legs:
        raise InputError(f"A hopper has no leg '{leg}'.{did_you_mean(str(leg), legs)} Choose from: {', '.join(legs)}.")
    return legs[leg]()


def _sliding_hopper() -> Figure:
    root = Planar(name="root", placement=Transform(UPRIGHT, np.zeros(3)))
    hip = Revolute(name="hip", axis="z", lower=-1.0, upper=1.0)
    leg = Prismatic(name="leg", axis="y", placement=_at(y=-0.35), lower=-0.1, upper=0.25, stiffness=4000.0, damping=8.0)
    body = _box("body", (0.4, 0.15, 0.3), 8.0)
    middle = np.array([0.0, -0.2, 0.0])
    thigh, shin = (
        Link.of(name, sp.capsule(radius, 0.4, mass=mass, centre=middle, axis=1),
                [Shape("capsule", (radius, 0.4), Transform(UPRIGHT, middle), name)])
        for name, radius, mass in (("thigh", 0.03, 1.0), ("shin", 0.018, 0.4))
    )  # fmt: skip
    return figure_from_parts(
        "hopper",
        [(None, root, body), ("body", hip, thigh), ("thigh", leg, shin)],
        [Marker("sole", "shin", np.array([0.0, -0.4, 0.0]))],
    )


def _kneed_hopper() -> Figure:
    """Return trunk, thigh, shank and foot; the hip is below the middle of the trunk, the sole below the ankle."""
    parts = [
        (None, Free(name="root"), _box("trunk", (0.3, 0.4, 0.45), 24.0, (0.0, 0.0, 0.15))),
        ("trunk", _turns("hip", 0.0, (-1.9, 1.0), 0.7), _rod("thigh", 0.4, 1.5, 0.045)),
        ("thigh", Revolute(name="knee", axis="y", placement=_at(z=-0.4), lower=0.15, upper=2.4),
         _rod("shank", 0.4, 0.7, 0.03)),
        ("shank", _turns("ankle", -0.4, (-1.2, 1.2), 0.7), _box("foot", (0.18, 0.09, 0.04), 0.3, (0.02, 0.0, -0.04))),
    ]  # fmt: skip
    return figure_from_parts("hopper", parts, [Marker("sole", "foot", np.array([0.0, 0.0, -0.06]))])


def _turns(name: str, height: float, pitch: Any, roll: float) -> Composite:
    """Return a joint of two rotations: forward and back about y, then to the side about x."""
    turns = (
        Revolute(name="pitch", axis="y", lower=pitch[0], upper=pitch[1]),
        Revolute(name="roll", axis="x", lower=-roll, upper=roll),
    )
    return Composite(name=name, placement=_at(z=height), parts=turns)


def roach() -> Figure:
    """Return a hexapod: six legs of three hinges on a free body, 24 degrees of freedom; legs l1 (front) to r3."""
    parts: list[tuple[Any, ...]] = [(None, Free(name="root"), _box("body", (0.44, 0.16, 0.07), 3.0))]
    markers = []
    for side, out in (("l", 1.0), ("r", -1.0)):
        for k, x in enumerate((0.17, 0.0, -0.17), 1):
            leg = f"{side}{k}"
            turn = np.array([[0.0, -out, 0.0], [out, 0.0, 0.0], [0.0, 0.0, 1.0]])  # the leg's own x points outwards
            place = Transform(turn, np.array([x, out * 0.08, 0.0]))
            parts += [
                ("body", Revolute(name=f"{leg}_yaw", axis="z", placement=place, lower=-0.8, upper=0.8),
                 _spoke(f"{leg}_coxa", 0.05, 0.05, 0.016)),
                (f"{leg}_coxa", Revolute(name=f"{leg}_lift", axis="y", placement=_at(x=0.05), lower=-1.2, upper=1.2),
                 _spoke(f"{leg}_femur", 0.14, 0.08, 0.013, 35.0)),
                (f"{leg}_femur",
                 Revolute(name=f"{leg}_bend", axis="y", placement=_tip(0.14, 35.0), lower=-1.2, upper=1.2),
                 _spoke(f"{leg}_tibia", 0.22, 0.06, 0.010, -75.0)),
            ]  # fmt: skip
            markers.append(Marker(f"{leg}_sole", f"{leg}_tibia", _tip(0.22, -75.0).origin))
    return figure_from_parts("roach", sorted_by_depth(parts), markers)


def _tip(length: float, rise: float) -> Transform:
    """Return the pose at the end of a rod that points along x and is raised by an angle [°]."""
    a = np.deg2rad(rise)
    return _at(length * np.cos(a), 0.0, length * np.sin(a))


def _spoke(name: str, length: float, mass: float, radius: float, rise: float = 0.0) -> Link:
    """Return a link that is a rod from its origin along x, raised by an angle [°]."""
    a = np.deg2rad(rise)
    turn = np.array([[-np.sin(a), 0.0, np.cos(a)], [0.0, -1.0, 0.0], [np.cos(a), 0.0, np.sin(a)]])  # z along the rod
    place = Transform(turn, 0.5 * _tip(length, rise).origin)
    body = place.act_inertia(sp.capsule(radius, length, mass=mass))
    return Link.of(name, body, [Shape("capsule", (radius, length), place, name)])


def biped() -> Figure:
    """Return a pelvis on two legs: ball hips, hinge knees, two-axis ankles; 18 degrees of freedom."""
    parts: list[tuple[Any, ...]] = [(None, Free(name="root"), _box("pelvis", (0.2, 0.3, 0.25), 25.0, (0.0, 0.0, 0.1)))]
    for side, out in (("l", 1.0), ("r", -1.0)):
        ankle = _turns(f"{side}_ankle", -0.42, (-0.6, 0.9), 0.5)
        parts += [
            ("pelvis", Ball(name=f"{side}_hip", placement=_at(y=out * 0.1, z=-0.02)),
             _rod(f"{side}_thigh", 0.42, 6.0, 0.06)),
            (f"{side}_thigh", Revolute(name=f"{side}_knee", axis="y", placement=_at(z=-0.42), lower=0.0, upper=2.4),
             _rod(f"{side}_shank", 0.42, 3.0, 0.045)),
            (f"{side}_shank", ankle, _box(f"{side}_foot", (0.25, 0.1, 0.05), 1.0, (0.065, 0.0, -0.045))),
        ]  # fmt: skip
    return figure_from_parts("biped", sorted_by_depth(parts), _soles("lr"))


SAMPLES: dict[str, Callable[..., Figure]] = {
    make.__name__: make
    for make in (
        *(bench42, pendulum, double_pendulum, spherical_pendulum, chain, floating_arm6, hopper, roach, biped),
        *(four_bar, slider_crank, bennett, stewart, lifter),
    )
}
