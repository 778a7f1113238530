"""One list of joints, every family and every way of writing it, that the tests of joints and edits fan out over."""

from dataclasses import replace

import numpy as np

from anthropi import rotation, spatial
from anthropi.figure import (
    Ball,
    Composite,
    Cylindrical,
    Euler,
    Exponential,
    Free,
    Helical,
    Link,
    Locked,
    Loop,
    Marker,
    Planar,
    Prismatic,
    Revolute,
    Shape,
    Translational,
    Weld,
    figure_from_parts,
    universal,
)
from anthropi.figure.joints import Custom, CustomAxis, PiecewiseCurve, PolynomialCurve, Reversed, SineCurve
from anthropi.figure.parts import Direction


def place(rng, size=0.3):
    """A pose at random."""
    return spatial.Transform(rotation.matrix_from_rotation_vector(rng.normal(size=3)), size * rng.normal(size=3))


def smooth(knots, c):
    """Coefficients of cubic pieces, changed so that value, slope and curvature are continuous at the knots."""
    c = np.array(c)
    for k, h in enumerate(np.diff(knots), 1):
        c[k + 1, :3] = [np.polyval(c[k, ::-1], h), np.polyval(np.polyder(c[k, ::-1]), h), c[k, 2] + 3.0 * c[k, 3] * h]
    c[0] = [*c[1, :3], 0.0]
    return c


_rng = np.random.default_rng(5)
_axis = (1.0, -2.0, 0.5)
_springs = dict(stiffness=np.array([3.0, 2.0, 1.0]), rest=np.array([0.1, -0.2, 0.3]))
_limits = dict(lower=np.array([-0.5, -0.2, -1.0]), upper=np.array([0.7, 0.9, 0.4]))
_chain = (Prismatic(name="a", axis="y", lower=-0.3, upper=0.4), Ball(name="b", placement=place(_rng)),
          Cylindrical(name="c", axis="x", placement=place(_rng)))  # fmt: skip
_held = Locked(name="b", joint=_chain[1], at=np.array([0.5, -0.5, 0.5, 0.5]), placement=place(_rng))

_spline = PiecewiseCurve((-1.0, 0.3, 1.2), [[0.0] * 4, [0.1, 0.2, 0.3, -0.2], [0.0, 0.0, 0.0, 0.4], [0.0] * 4])
_spline = replace(_spline, coefficients=smooth(_spline.knots, _spline.coefficients))
_cubic = PolynomialCurve.of(0.02, 0.1, -0.03, 0.01)
_knee = dict(coordinate_names=("flexion",), rotations=(CustomAxis("z", PolynomialCurve.of(0.0, 1.0), "flexion"),),
             translations=(CustomAxis("x", _spline, "flexion"), CustomAxis("y", _cubic, "flexion")))  # fmt: skip
_both = PolynomialCurve(((1, 1), (0, 2), (0, 0)), (0.3, 0.1, 0.2))
_coupled = dict(
    coordinate_names=("a", "b", "c"),
    lengths=(False, False, True),
    rotations=(CustomAxis((1.0, 0.2, 0.1), PolynomialCurve.of(0.1, 0.8, 0.05), "a"), CustomAxis("-y", _spline, "b"),
               CustomAxis(_axis, _both, ("a", "b"))),
    translations=(CustomAxis("z", PolynomialCurve.of(0.0, 1.0), "c"), CustomAxis("y", PolynomialCurve(((),), (0.15,))),
                  CustomAxis("x", SineCurve((0.7, -1.1), 0.3, 0.2, 0.1, 0.05), ("a", "b"))),
)  # fmt: skip

FAMILIES = {
    "weld": Weld(),
    "revolute x": Revolute(axis="x", lower=-0.4, upper=1.1, rest=0.2),
    "revolute -z": Revolute(axis="-z"),
    "revolute": Revolute(axis=_axis, lower=-1.0, upper=2.0),
    "prismatic y": Prismatic(axis="y", lower=-0.2, upper=0.5),
    "prismatic": Prismatic(axis=_axis),
    "helical": Helical(axis=_axis, pitch=0.2, lower=-1.0, upper=2.0),
    "helical z": Helical(axis="z", pitch=-0.1),
    "cylindrical y": Cylindrical(axis="y", lower=(-0.1, -2.0), upper=(0.3, 1.0)),
    "cylindrical": Cylindrical(axis=_axis),
    "planar": Planar(),
    "planar, acted on": Planar(**_springs, **_limits),
    "translational": Translational(**_limits),
    "ball": Ball(),
    "ball, even": Ball(stiffness=2.0, rest=np.array([0.1, -0.2, 0.3]), damping=0.3, armature=0.1),
    "ball, limited": Ball(**_limits, **_springs),
    "exponential": Exponential(),
    "exponential, limited": Exponential(**_limits),
    "free": Free(),
    "free, acted on": Free(damping=np.arange(6.0), lower=-0.5, upper=0.8),
    "universal": universal("u"),
    "universal zx": universal("u", "z", "x", lower=-1.0, upper=(0.5, 1.5)),
    "composite": Composite(parts=_chain),
    "composite of turns": Composite(parts=tuple(Revolute(name=a, axis=a, lower=-1.2, upper=1.0) for a in "xyz")),
    "composite, part locked": Composite(parts=(_chain[0], _held, _chain[2])),
    "backward ball": Reversed.of(Ball(**_limits)),
    "backward planar": Reversed.of(Planar(**_springs)),
    "custom knee": Custom(**_knee, lower=-2.0, upper=0.2),
    "custom, coupled": Custom(**_coupled, **_springs, **_limits),
    "backward custom": Reversed.of(Custom(**_coupled)),
    "locked": Locked(joint=Ball(), at=np.array([0.5, 0.5, -0.5, 0.5])),
    "locked slide": Locked(joint=Cylindrical(axis="y"), at=np.array([0.3, 0.7])),
    **{f"euler {order}": Euler(order=order) for order in rotation.EULER_ORDERS},
    "euler, limited": Euler(order="yxz", **_limits, **_springs),
}  # fmt: skip
FAMILIES = {name: joint.changed(name="joint") for name, joint in FAMILIES.items()}
MOVING = {name: joint for name, joint in FAMILIES.items() if joint.nu}


def configuration(joint, rng):
    """A configuration anywhere, limits or not, away from the folds of Euler angles."""
    free = joint.changed(lower=None, upper=None) if joint.nu else joint
    return free.random(rng)


def body(rng, name):
    """A box somewhere, with a shape."""
    size, mass, centre = rng.uniform(0.1, 0.4, 3), rng.uniform(0.5, 3.0), 0.2 * rng.normal(size=3)
    box = spatial.box(size, mass=mass, centre=centre).rotated(place(rng).rotation)
    shape = Shape("box", tuple(size), spatial.Transform(place(rng).rotation, box.centre), name=f"{name} box")
    return Link.of(name, box, (shape,))


def random_figure(seed, joints=None, root=None, count=None, loops=True):
    """A random tree of these joints (every family by default), with markers, a direction and loops."""
    rng = np.random.default_rng(seed)
    kinds = list(FAMILIES.values()) if joints is None else list(joints)
    if count is not None:
        kinds = [kinds[k] for k in rng.integers(0, len(kinds), count)]
    rng.shuffle(kinds)
    root = root or Free(placement=place(rng))
    parts = [("", root.changed(name="root"), body(rng, "link0"))]
    for k, joint in enumerate(kinds, 1):
        near = f"link{rng.integers(max(0, k - 4), k)}"
        parts.append((near, joint.changed(name=f"joint{k}", placement=place(rng)), body(rng, f"link{k}")))
    names = [p[2].name for p in parts]
    markers = [Marker(f"point of {n}", n, rng.normal(size=3)) for n in names]
    markers += [Direction(f"way of {n}", n, place(rng).rotation[:, 0]) for n in names]
    closures = [Loop("ring", "weld", names[-1], place(rng), names[0], place(rng)),
                Loop("pin", "point", names[len(names) // 2], place(rng), "", place(rng))] if loops else ()  # fmt: skip
    figure = figure_from_parts(f"random {seed}", parts, markers, closures)
    return figure, figure.random(rng), rng.normal(size=figure.nu)
