"""Build the scene of a script: ground, obstacles, materials, contact model, joint limits."""

from math import pi, tan
from typing import Any

import numpy as np

from anthropi.algebra.scalar import cos
from anthropi.algebra.scalar import sin as sine
from anthropi.algebra.spatial import Transform
from anthropi.contact import Material, Obstacle, Plane, Scene
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Box, Capsule, Sphere, Surface
from anthropi.contact.limits import (
    Exponential,
    HardLimits,
    Linear,
    Power,
    SoftLimits,
    StoppingLimits,
    swing_twist_of,
)
from anthropi.contact.limits.human import SWINGING
from anthropi.contact.models import CONTACT_MODELS
from anthropi.errors import FormatError, InputError, did_you_mean
from anthropi.formats.figures.toml.parts import placed
from anthropi.formats.scripts.entries import choose, function, located_errors, where
from anthropi.formats.scripts.figures import Cast, turned
from anthropi.formats.scripts.schema import (
    ContactTable,
    Document,
    GroundTable,
    LimitsTable,
    MaterialNumbers,
    MovingTable,
    ObstacleTable,
)
from anthropi.motion.expressions import formula

__all__ = ["ground_of", "scene_of"]

MAX_HEIGHT_NODES = 1 << 18  # of a height field given by a formula
STIFF_LIMIT = 3e6  # [N m/rad per kg], stiffness beyond the limits for limits of kind "stiff"
CONTACTS: dict[str, tuple[Any, dict[str, str]]] = {  # model: (class, {key in the file: parameter of the class})
    **{name: (model.make, model.keys) for name, model in CONTACT_MODELS.items()},
    "none": (None, {}),
}
GROUNDS: dict[str, tuple[Any, ...]] = {
    "plane": (("point", "normal", "slope", "towards"), ()),
    "heights": (("heights", "formula", "low", "high", "spacing", "smooth"), ("low", "spacing")),
    "none": ((), ()),
}
SIZES = {"plane": 0, "sphere": 1, "box": 3, "capsule": 2}
RENAMED = {  # {key in the file: parameter of the limits}
    "share": "zone_share",
    "damper": "dissipation",
    "settle": "wall_relaxation",
    "but": "exclude",
}
SOFT = ("spring", "zone", "share", "gate", "damper", "factor", "wall", "settle", "but")
LIMITS: dict[str, tuple[Any, ...]] = {
    "soft": (SOFT, ()),
    "stiff": (SOFT, ()),
    "hard": (("restitution", "but"), ()),
    "stopping": (("but",), ()),
    "none": ((), ()),
}


def ground_of(table: GroundTable, file: str, unit: float) -> Surface | None:
    """Build the ground, the surface on which figures stand; None if there is no ground."""
    place = f"{file}: scene ground"
    choose(table, table.kind, GROUNDS, place)
    with located_errors(place):
        if table.kind == "none":
            return None
        if table.kind == "heights":
            return _heights(table, place)
        point = (0.0, 0.0, 0.0) if table.point is None else tuple(table.point)
        if table.slope is None:
            if table.towards is not None:
                raise FormatError("'towards' is the direction of a slope. Give 'slope' too, or remove 'towards'.")
            return Plane(point) if table.normal is None else Plane(point, tuple(table.normal))
        if table.normal is not None:
            raise FormatError("'normal' and 'slope' both set the inclination. Keep only one of them.")
        if not abs(unit * table.slope) < 0.5 * pi:
            raise FormatError(f"slope {table.slope:g} must be an angle below 90 degrees.")
        x, y = (1.0, 0.0) if table.towards is None else table.towards
        length = float(np.hypot(x, y))
        if not length > 0.0:
            raise FormatError("'towards' is (0, 0). Give the downhill direction.")
        fall = tan(unit * table.slope) / length
        return Plane(point, (fall * x, fall * y, 1.0))


def _heights(table: GroundTable, place: str) -> HeightField:
    assert table.low is not None and table.spacing is not None
    smooth, step = bool(table.smooth), table.spacing
    if (table.heights is None) == (table.formula is None):
        raise FormatError("a height field is given by numbers or by a formula. Give either 'heights' or 'formula'.")
    if table.heights is not None:
        if len({len(row) for row in table.heights}) != 1:
            raise FormatError("the rows of 'heights' have different lengths. Give one number for each node.")
        return HeightField(np.array(table.heights, float), (*table.low, 0.0), step, smooth)
    if table.high is None:
        raise FormatError("a formula needs 'high', the other corner. Add it.")
    counts = [(b - a) / step for a, b in zip(table.low, table.high, strict=True)]
    if not all(n >= 1.0 for n in counts) or (counts[0] + 1.0) * (counts[1] + 1.0) > MAX_HEIGHT_NODES:
        grid = " × ".join(f"{n + 1.0:.0f}" for n in counts)
        raise FormatError(
            f"the height field from {table.low} to {table.high} with a spacing of {step:g} m has {grid} nodes. "
            f"Give at least 2 × 2 nodes, and at most {MAX_HEIGHT_NODES} in all."
        )
    axes = [a + step * np.arange(round(n) + 1) for a, n in zip(table.low, counts, strict=True)]
    x, y = np.meshgrid(*axes, indexing="ij")
    assert table.formula is not None
    found = formula(table.formula, x=x.ravel(), y=y.ravel())
    return HeightField(found.reshape(x.shape), (*table.low, 0.0), step, smooth)


def scene_of(found: Document, file: str, own: Cast, ground: Surface | None) -> Scene:
    """Build the scene of a script with all its figures."""
    base = _material(Material(), found.material)
    obstacles = []
    for k, table in enumerate(found.obstacle):
        place = where(file, "obstacle", k, table)
        with located_errors(place):
            obstacles.append(_obstacle(table, place, own.unit, base, found.run.duration))
    contact = _contact(found.contact, f"{file}: contact")
    with located_errors(f"{file}: limits"):
        limits = None if found.limits is None else _limits(found.limits, own, f"{file}: limits")
    features = found.scene.features
    wanted = features if isinstance(features, str) else [own.full(None, name) for name in features]
    with located_errors(f"{file}: scene"):
        scene = Scene(
            own.figure,
            ground,
            tuple(obstacles),
            wanted,
            [tuple(p) for p in found.scene.touching],
            base,
            contact=contact,
            limits=limits,
            gravity=found.scene.gravity,
            edges=found.scene.edges,
        )
    pairs = {}
    for k, pair in enumerate(found.material.pair):
        with located_errors(where(file, "material pair", k, pair)):
            pairs[own.full(None, pair.a), own.full(None, pair.b)] = _material(base, pair)
            scene = scene.changed(materials=dict(pairs))
    with located_errors(f"{file}: scene"):
        return scene


def _material(base: Material, table: MaterialNumbers) -> Material:
    keys = [name for name in Material._fields if getattr(table, name) is not None]
    made = base._replace(**{name: getattr(table, name) for name in keys})
    return made._replace(dissipation=None) if "restitution" in keys and "dissipation" not in keys else made


def _obstacle(table: ObstacleTable, place: str, unit: float, base: Material, duration: float) -> Obstacle:
    size = table.size or []
    if len(size) != SIZES[table.kind]:
        raise FormatError(
            f"a {table.kind} needs {SIZES[table.kind]} sizes [m], but {len(size)} are given. A box has the sizes x, y, "
            "z; a sphere its radius; a capsule its radius and length; a plane none."
        )
    made: dict[str, Any] = {"plane": Plane, "sphere": Sphere, "box": lambda *s: Box(s), "capsule": Capsule}
    pose = placed(turned(table, unit), place)
    material = None if table.material is None else _material(base, table.material)
    moving = pose if table.moving is None else _moving(pose, table.moving, place, unit, duration)
    return Obstacle(table.name, made[table.kind](*size), moving, material)


def _moving(pose: Transform, table: MovingTable, place: str, unit: float, duration: float):
    """Return the motion of an obstacle as a function t → (pose, angular velocity, velocity)."""
    span = (0.0, duration)
    functions = [function(getattr(table, x), 1.0, span, f"{place} moving {x}") for x in "xyz"]
    turn = function(table.turn, unit, span, f"{place} moving turn")
    axis = np.array(table.axis)
    length = np.linalg.norm(axis)
    if not length > 0.0:
        raise FormatError("its rotation axis is (0, 0, 0). Give a direction.")
    n = axis / length
    K = np.array([[0.0, -n[2], n[1]], [n[2], 0.0, -n[0]], [-n[1], n[0], 0.0]])

    def at(t):
        courses, about = [f(t) for f in functions], turn(t)
        C = np.eye(3) + sine(about[0]) * K + (1.0 - cos(about[0])) * (K @ K)  # Rodrigues
        origin = pose.origin + np.array([c[0] for c in courses])
        return Transform(C @ pose.rotation, origin), n * about[1], np.array([c[1] for c in courses])

    return at


def _contact(table: ContactTable, place: str):
    """Build the contact model; None for the model "none"."""
    if table.model not in CONTACTS:
        raise FormatError(
            f"{place}: no model '{table.model[:40]}'.{did_you_mean(table.model, CONTACTS)} Models: "
            f"{', '.join(CONTACTS)}."
        )
    kinds = {name: (tuple(keys), ()) for name, (_, keys) in CONTACTS.items()}
    choose(table, table.model, kinds, place, but=("model",))
    make, keys = CONTACTS[table.model]
    given = {name: getattr(table, key) for key, name in keys.items() if getattr(table, key) is not None}
    with located_errors(place):
        return None if make is None else make(**given)


def _limits(table: LimitsTable, own: Cast, place: str):
    """Build the joint limits: swing and twist limits for shoulders and hips, scalar limits for all other joints."""
    choose(table, table.kind, LIMITS, place)
    if table.kind == "none":
        return None
    joints = {}
    for joint in own.figure.joints:
        if joint.name.rpartition("/")[2] in SWINGING:
            try:
                joints[joint.name] = swing_twist_of(joint)
            except InputError:  # a joint without swing and twist limits keeps its scalar limits
                continue
    given = {k: getattr(table, k) for k in LIMITS[table.kind][0] if getattr(table, k) is not None}
    if "but" in given:
        given["but"] = tuple(own.full(None, name) for name in given["but"])
        for name in given["but"]:
            own.figure.joint_index(name)
    given = {RENAMED.get(key, key): value for key, value in given.items()}
    if table.kind == "stopping":
        return StoppingLimits(**given)
    if table.kind == "hard":
        return HardLimits(joints, **given)
    if table.spring is not None:
        laws: dict[str, Any] = {"linear": (Linear, ()), "power": (Power, ("n",)), "exponential": (Exponential, ("c",))}
        make, keys = laws[table.spring.law]
        choose(
            table.spring,
            table.spring.law,
            {k: (("k", *v[1]), ()) for k, v in laws.items()},
            f"{place} spring",
            but=("law",),
        )
        more = {k: getattr(table.spring, k) for k in keys if getattr(table.spring, k) is not None}
        given["spring"] = make(table.spring.k, **more)
    if table.kind == "stiff":
        given = {"wall": STIFF_LIMIT} | given
    return SoftLimits(joints, **given)
