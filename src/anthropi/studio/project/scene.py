"""Convert the world and figures of a project to a `Scene`, and their drives and forces to a controller.

Works on plain floats only; cannot be recorded on a tape.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.rotation import matrix_from_quaternion
from anthropi.algebra.spatial import Transform
from anthropi.contact import Obstacle as Solid
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Box, Capsule, Plane, Sphere, Surface
from anthropi.contact.limits import SoftLimits, stop_limits
from anthropi.contact.material import Material
from anthropi.contact.models import CONTACT_MODELS
from anthropi.contact.scene import Scene
from anthropi.errors import InputError, StateError
from anthropi.figure import Figure
from anthropi.figure.editing.joining import combine
from anthropi.figure.human.build import sole_markers
from anthropi.figure.joints import JointStop
from anthropi.formats.pages.appearance import ground_of, obstacles_of
from anthropi.gait.walker import sole
from anthropi.motion.controls import Control, driven
from anthropi.simulation.script_controller import Push, ScriptController
from anthropi.studio.messages import Choice, ControlFunction, Force, Ground, Obstacle, World
from anthropi.studio.project.state import FigureItem, Project

__all__ = [
    "CONTACTS",
    "TERRAINS",
    "EmptyScene",
    "Setup",
    "control_of",
    "height_at",
    "scene_of",
    "setup_of",
    "surface_of",
    "surroundings",
]


TERRAINS = (
    Choice("none", "No ground."),
    Choice("flat", "Level ground."),
    Choice("slope", "A ramp that rises along x."),
    Choice("rough", "Uneven ground with smoothed random heights."),
    Choice("stairs", "Steps up along x."),
    Choice("waves", "Long, smooth waves along x."),
)
CONTACTS = tuple(Choice(name, model.words) for name, model in CONTACT_MODELS.items())
GROUND_EXTENT = 16.0  # [m] half the side of the height field of rough ground, and length of other ground behind
GROUND_AHEAD = 400.0  # [m] length of ramps, stairs and waves, five minutes of walking; then the ground is level
GROUND_SPACING = 0.25  # [m] between two heights
MAX_CELLS = 400  # along a side of the height field
LEVEL_RADIUS = 1.5  # [m] radius of the level area around the origin, where figures start
RISE_LENGTH = 1.5  # [m] distance over which uneven ground then reaches its full height
MAX_SLOPE = 1.2  # [rad]
MAX_GROUND_HEIGHT = 5.0  # [m]


def height_at(ground: Ground, x: Any, y: Any) -> np.ndarray:
    """Return the height of the ground [m] at horizontal positions x, y [m], which may be arrays or numbers."""
    x0, y0, z0 = ground.origin
    x, y = np.broadcast_arrays(np.asarray(x, float) - x0, np.asarray(y, float) - y0)
    if ground.kind == "slope":
        return z0 + math.tan(ground.slope) * (x - LEVEL_RADIUS) * (x > LEVEL_RADIUS)
    if ground.kind == "stairs":
        return z0 + ground.height * np.floor(np.maximum(x - LEVEL_RADIUS + ground.size, 0.0) / ground.size)
    away = np.abs(x) if ground.kind == "waves" else np.hypot(x, y)
    fade = np.clip((away - LEVEL_RADIUS) / RISE_LENGTH, 0.0, 1.0)
    if ground.kind == "waves":
        return z0 + 0.5 * ground.height * (1.0 - np.cos(2.0 * math.pi * x / ground.size)) * fade
    if ground.kind == "rough":
        return z0 + ground.height * fade * _noise(x / ground.size, y / ground.size, ground.seed)
    return z0 + np.zeros(x.shape)


def _noise(x: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Return value noise at x, y: random numbers in -1 … 1 at integer coordinates, interpolated smoothly."""
    i, j = np.floor(x).astype(int), np.floor(y).astype(int)
    a, b = x - i, y - j
    a, b = a * a * (3.0 - 2.0 * a), b * b * (3.0 - 2.0 * b)
    corner = {(s, t): _random_value(i + s, j + t, seed) for s in (0, 1) for t in (0, 1)}
    low = corner[0, 0] * (1.0 - a) + corner[1, 0] * a
    return low * (1.0 - b) + (corner[0, 1] * (1.0 - a) + corner[1, 1] * a) * b


def _random_value(i: np.ndarray, j: np.ndarray, seed: int) -> np.ndarray:
    """Return a pseudo-random number in -1 … 1 for a pair of integers and a seed, by the splitmix64 hash."""
    with np.errstate(over="ignore"):
        z = np.asarray(i).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = z ^ (np.asarray(j).astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)) ^ np.uint64(seed & 0xFFFFFFFF)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return z.astype(float) / 2.0**63 - 1.0


def surface_of(ground: Ground) -> Surface | None:
    """Return the ground as a surface for contact, or None if there is no ground."""
    if ground.kind == "none":
        return None
    x0, y0, z0 = ground.origin
    if ground.kind == "flat":
        return Plane() if z0 == 0.0 else Plane((0.0, 0.0, z0))
    if not (ground.size > 0.0 and abs(ground.slope) < MAX_SLOPE and abs(ground.height) <= MAX_GROUND_HEIGHT):
        raise InputError(
            f"Ground '{ground.kind}': give a size above 0 m, a slope within ±1.2 rad and a height of at most 5 m."
        )
    spacing = min(GROUND_SPACING, 0.5 * ground.size) if ground.kind != "slope" else 2.0 * GROUND_SPACING
    if ground.kind == "stairs":
        spacing = min(ground.size, 0.1)
    spacing = max(spacing, 2.0 * GROUND_EXTENT / MAX_CELLS)
    same_across = ground.kind in ("slope", "stairs", "waves")
    ahead = GROUND_AHEAD if same_across else GROUND_EXTENT
    axis = x0 + np.arange(-GROUND_EXTENT, ahead + 0.5 * spacing, spacing)
    across = y0 + np.array([-GROUND_EXTENT, GROUND_EXTENT]) if same_across else axis - x0 + y0
    heights = height_at(ground, axis[:, None], across[None, :])
    return HeightField(heights, (axis[0], across[0], 0.0), (spacing, across[1] - across[0]))


def scene_of(figure: Figure, world: World, contact: bool = True, features: Any = None) -> Scene:
    """Return the scene of a figure in a world.

    Parameters
    ----------
    figure : one figure, or several combined figures, with the gravity of the world.
    world : ground, obstacles and contact model.
    contact : False for a scene without contact.
    features : the features of the figure that make contact; None: all.
    """
    if not contact:
        return Scene(figure, contact=None, ground=None)
    soles = bool(sole_markers(figure)) and world.contact == "compliant"
    model = sole() if soles else CONTACT_MODELS[world.contact].make()
    return Scene(
        figure,
        ground=surface_of(world.ground),
        obstacles=tuple(_solid(x) for x in world.obstacles),
        features=features,
        material=Material(friction=world.ground.friction),
        contact=model,
    )


def _solid(given: Obstacle) -> Solid:
    """Convert an obstacle of a message to an obstacle of a scene."""
    sizes = {"box": 3, "ball": 1, "capsule": 2}[given.kind]
    if len(given.size) != sizes:
        raise InputError(f"Obstacle '{given.name}', a {given.kind}, has {len(given.size)} sizes; give {sizes}.")
    surface: Surface
    if given.kind == "box":
        surface = Box(np.array(given.size))
    elif given.kind == "ball":
        surface = Sphere(given.size[0])
    else:
        surface = Capsule(given.size[0], given.size[1])
    attitude = np.array(given.attitude)
    length = float(np.linalg.norm(attitude))
    if not length > 1e-9:
        raise InputError(f"Obstacle '{given.name}' has the attitude (0, 0, 0, 0). Give a quaternion w, x, y, z.")
    return Solid(given.name, surface, Transform(matrix_from_quaternion(attitude / length), np.array(given.position)))


class EmptyScene:
    """Ground and obstacles of a world, with the attributes of a scene but without figures."""

    ground: Any
    obstacles: Any

    limits = None

    def __init__(self, world: World) -> None:
        self.ground, self.obstacles = surface_of(world.ground), tuple(_solid(x) for x in world.obstacles)


def surroundings(world: World) -> dict[str, Any]:
    """Return {ground, things}, the ground and the obstacles of a world in the format of motion buffers."""
    empty = EmptyScene(world)
    return {"ground": ground_of(empty), "things": obstacles_of(empty, np.zeros(1))[0]}


MAX_CURVE_POINTS = 10_000
DRIVE_STIFFNESS, DRIVE_DAMPING = 400.0, 40.0  # [1/s²], [1/s] feedback gains of a drive by motion


class Setup(NamedTuple):
    """A scene, its initial state q (nq,), u (nu,), and the controller. items : the figures in it, in order."""

    scene: Scene
    q: np.ndarray
    u: np.ndarray
    controller: "ScriptWithMoments"
    items: tuple[FigureItem, ...]


def setup_of(project: Project, contact: bool, figure: int | None = None) -> Setup:
    """Set up the simulation of a project.

    Parameters
    ----------
    project : figures, drives, forces and world.
    contact : False for a simulation without contact.
    figure : the number of the only figure to simulate; None: all figures.
    """
    items = project.items if figure is None else (project.item(figure),)
    if not items:
        raise StateError("No figure is open. Open or build one first.")
    alone = len(items) == 1
    world = project.world
    gravity = np.array(world.gravity)
    bodies = [item.figure.changed(gravity=gravity, checked=False) for item in items]  # each edit has checked them
    names = [item.figure.name for item in items]
    whole = bodies[0] if alone else combine(bodies, names)
    prefixes = [""] if alone else [f"{name}/" for name in names]
    scene = scene_of(whole, world, contact)
    limits = _limits(items, prefixes, whole)
    if limits is not None:
        scene = scene.changed(limits=limits)
    q = np.concatenate([item.state.q for item in items])
    u = np.concatenate([item.state.u for item in items])
    controls = {
        prefix + name: control_of(function, name)
        for item, prefix in zip(items, prefixes, strict=True)
        for name, function in item.controls.items()
        if item.drives.get(name, "free") != "free"
    }
    drive: dict[str, Any] = {"prescribed": ()}
    if controls:
        no_rates = all(c.kind in ("position", "force") for c in controls.values())
        drive = driven(whole, controls, q, u, gains=(DRIVE_STIFFNESS if no_rates else 0.0, DRIVE_DAMPING))
        q, u = drive["q"], drive["u"]
    forces = [
        (force, _push(force, prefix))
        for item, prefix in zip(items, prefixes, strict=True)
        for force in project.forces
        if force.figure == item.number
    ]
    controller = ScriptWithMoments(
        whole,
        pushes=tuple(p for f, p in forces if not f.moment),
        tau=drive.get("forces"),
        udot=drive.get("udot"),
        prescribed=tuple(drive["prescribed"]),
        moments=tuple(p for f, p in forces if f.moment),
    )
    return Setup(scene, np.asarray(q, float), np.asarray(u, float), controller, tuple(items))


def _limits(items: Sequence[FigureItem], prefixes: Sequence[str], figure: Figure) -> Any:
    """Return the springs at the joint limits, or None without limits. Joints without a stop get the default spring."""
    if not np.isfinite(figure.limits).any():
        return None
    own = {
        prefix + joint: stop for item, prefix in zip(items, prefixes, strict=True) for joint, stop in item.stops.items()
    }
    stops = {name: JointStop(**stop) for name, stop in own.items()}
    return stop_limits(figure, stops, SoftLimits(exclude=tuple(own)))


@dataclass(eq=False)
class ScriptWithMoments(ScriptController):
    """A script controller that also applies moments to links. Each moment is given as the force of a push."""

    moments: tuple[Push, ...] = ()

    def _pushed(self, figure: Figure, sense: Any) -> dict[int, Any]:
        found = super()._pushed(figure, sense)
        for i, wrench in ScriptController(figure, pushes=self.moments)._pushed(figure, sense).items():
            moment = np.concatenate([wrench[3:], 0.0 * wrench[3:]])
            found[i] = found[i] + moment if i in found else moment
        return found


def _push(force: Force, prefix: str) -> Push:
    """Convert a force of the project to a push. prefix : the prefix of link names in a combined figure."""
    end = np.inf if force.end is None else force.end
    start = -np.inf if force.start <= 0.0 else force.start
    point = (0.0, 0.0, 0.0) if force.moment else force.point
    return Push(prefix + force.link, force.vector, np.array(point), start, end, force.axes == "link")


def control_of(function: ControlFunction, name: str) -> Control:
    """Convert the control function of a message to a `Control`. name : its degree of freedom, for error messages."""
    if function.formula:
        return Control(function.of, function.formula)
    if not 1 <= len(function.times) <= MAX_CURVE_POINTS or len(function.times) != len(function.values):
        raise InputError(
            f"Joint '{name}': its control function has {len(function.times)} times and {len(function.values)} "
            f"values. Give the same number of each, 1 to {MAX_CURVE_POINTS}, or a formula of t."
        )
    if len(set(function.times)) < len(function.times):
        raise InputError(f"Joint '{name}': two points of its control function are at the same time. Move one of them.")
    if len(function.times) == 1:
        return Control(function.of, float(function.values[0]))
    return Control(function.of, dict(zip(function.times, function.values, strict=True)))
