"""What figures stand on and among: the world of a project as a `Scene`. Floats only.

Scenes
------
Figures of the project as one scene, what drives them as a `Programme`. Floats only.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.rotation import matrix_from_quaternion
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.forces import add_inertia
from anthropi.contact import Compliant, Impulsive
from anthropi.contact import Obstacle as Solid
from anthropi.contact.convex import Convex
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Box, Capsule, Plane, Sphere, Surface
from anthropi.contact.limits import Exponential, Linear, Power, SoftLimits
from anthropi.contact.material import Material
from anthropi.contact.scene import Scene
from anthropi.errors import InputError, StateError
from anthropi.figure.editing.joining import combine
from anthropi.figure.human.build import sole_markers
from anthropi.formats.pages.appearance import ground_of, obstacles_of
from anthropi.gait.walker import sole
from anthropi.motion.controls import Control, driven
from anthropi.simulation.script_controller import Push, ScriptController
from anthropi.studio.messages import Choice, ControlFunction, Force, Ground, Obstacle, World
from anthropi.studio.project.state import Item, Project

__all__ = [
    "CONTACTS",
    "TERRAINS",
    "Around",
    "Stage",
    "control_of",
    "height_at",
    "scene_of",
    "stage_of",
    "surface_of",
    "surroundings",
]


TERRAINS = (
    Choice("none", "No ground at all."),
    Choice("flat", "A level floor."),
    Choice("slope", "A ramp that rises along x."),
    Choice("rough", "Uneven ground: heights by chance, rounded."),
    Choice("stairs", "Steps up along x."),
    Choice("waves", "Long, round waves along x."),
)
CONTACTS = (
    Choice("compliant", "Springs and friction under every point that touches."),
    Choice("convex", "Blows without penetration, solved all at once."),
    Choice("impulsive", "Blows one after the other: bounces and slips."),
)
MODELS = {"compliant": Compliant, "convex": Convex, "impulsive": Impulsive}
REACH, SPACING = 16.0, 0.25  # [m] of the heights around the origin, and between two of them
START, RISE = 1.5, 1.5  # [m] from the origin before ground begins to rise, and until it is as high as it is asked for


def height_at(ground: Ground, x, y):
    """How high is the ground at places x, y [m]? Arrays."""
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    if ground.kind == "slope":
        return math.tan(ground.slope) * (x - START) * (x > START)
    if ground.kind == "stairs":
        return ground.height * np.floor(np.maximum(x - START + ground.size, 0.0) / ground.size)
    fade = np.clip((np.hypot(x, y) - START) / RISE, 0.0, 1.0)  # level where figures start
    if ground.kind == "waves":
        return 0.5 * ground.height * (1.0 - np.cos(2.0 * math.pi * x / ground.size)) * fade
    if ground.kind == "rough":
        return ground.height * fade * _noise(x / ground.size, y / ground.size, ground.seed)
    return np.zeros(x.shape)


def _noise(x, y, seed: int):
    """Numbers between -1 and 1 by chance at whole places, smooth between them; the same wherever one starts."""
    i, j = np.floor(x).astype(int), np.floor(y).astype(int)
    a, b = x - i, y - j
    a, b = a * a * (3.0 - 2.0 * a), b * b * (3.0 - 2.0 * b)
    corner = {(s, t): _chance(i + s, j + t, seed) for s in (0, 1) for t in (0, 1)}
    low = corner[0, 0] * (1.0 - a) + corner[1, 0] * a
    return low * (1.0 - b) + (corner[0, 1] * (1.0 - a) + corner[1, 1] * a) * b


def _chance(i, j, seed: int):
    """A number between -1 and 1 for a pair of whole numbers: splitmix64 of them."""
    with np.errstate(over="ignore"):
        z = np.asarray(i).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = z ^ (np.asarray(j).astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)) ^ np.uint64(seed & 0xFFFFFFFF)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return z.astype(float) / 2.0**63 - 1.0


def surface_of(ground: Ground) -> Surface | None:
    """The ground as a surface."""
    if ground.kind == "none":
        return None
    if ground.kind == "flat":
        return Plane()
    if not (ground.size > 0.0 and abs(ground.slope) < 1.2 and abs(ground.height) <= 5.0):
        raise InputError(f"Ground '{ground.kind}': give a size above 0 m, a slope within ±1.2 rad and a height of at "
                         "most 5 m.")  # fmt: skip
    spacing = min(SPACING, 0.5 * ground.size) if ground.kind != "slope" else 2.0 * SPACING
    if ground.kind == "stairs":
        spacing = min(ground.size, 0.1)
    spacing = max(spacing, 2.0 * REACH / 400.0)
    axis = np.arange(-REACH, REACH + 0.5 * spacing, spacing)
    across = np.array([-REACH, REACH]) if ground.kind in ("slope", "stairs", "waves") else axis
    heights = height_at(ground, axis[:, None], across[None, :])
    return HeightField(heights, (-REACH, -REACH, 0.0), (spacing, across[1] - across[0]))


def scene_of(figure, world: World, contact: bool = True, features: Any = None) -> Scene:
    """The scene of figures (one, or several together) in a world whose gravity they have. contact False: no touch."""
    if not contact:
        return Scene(figure, contact=None, ground=None)
    soles = bool(sole_markers(figure)) and world.contact == "compliant"
    model = sole() if soles else MODELS[world.contact]()
    return Scene(
        figure, ground=surface_of(world.ground), obstacles=tuple(_solid(x) for x in world.obstacles),
        features=features, material=Material(friction=world.ground.friction), contact=model,
    )  # fmt: skip


def _solid(given: Obstacle) -> Solid:
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


class Around:
    """What stands in a world, as a scene has it: ground and obstacles, nobody in it."""

    limits = None

    def __init__(self, world: World):
        self.ground, self.obstacles = surface_of(world.ground), tuple(_solid(x) for x in world.obstacles)


def surroundings(world: World) -> dict[str, Any]:
    """{ground, things} of a world, as motion buffers have them."""
    empty = Around(world)
    return {"ground": ground_of(empty), "things": obstacles_of(empty, np.zeros(1))[0]}


MAX_CURVE_POINTS = 10_000
STIFF, CALM = 400.0, 40.0  # [1/s²], [1/s]: what is driven by motion comes back to it; rates alone have no place


class Stage(NamedTuple):
    """A scene, the state it starts in, and what drives it. items : whose figures, in order."""

    scene: Scene
    q: np.ndarray
    u: np.ndarray
    programme: ScriptController
    items: tuple[Item, ...]


def stage_of(project: Project, contact: bool, figure: int | None = None) -> Stage:
    """What is simulated: one figure, or all that are open. contact False: nothing touches."""
    items = project.items if figure is None else (project.item(figure),)
    if not items:
        raise StateError("No figure is open. Open or build one first.")
    alone = len(items) == 1
    world = project.world
    gravity = np.array(world.gravity)
    bodies = [item.figure.changed(gravity=gravity, checked=False) for item in items]  # they were, when they came
    names = [item.figure.name for item in items]
    whole = bodies[0] if alone else combine(bodies, names)
    before = [""] if alone else [f"{name}/" for name in names]
    scene = scene_of(whole, world, contact)
    limits = _limits(items, before, whole)
    if limits is not None:
        scene = scene.changed(limits=limits)
    q = np.concatenate([item.state.q for item in items])
    u = np.concatenate([item.state.u for item in items])
    controls = {
        prefix + name: control_of(function, name)
        for item, prefix in zip(items, before, strict=True)
        for name, function in item.controls.items()
        if item.drives.get(name, "free") != "free"
    }
    led: dict[str, Any] = {"prescribed": ()}
    if controls:
        placed = all(c.kind in ("position", "force") for c in controls.values())
        led = driven(whole, controls, q, u, gains=(STIFF if placed else 0.0, CALM))
        q, u = led["q"], led["u"]
    forces = [
        (force, _push(force, prefix))
        for item, prefix in zip(items, before, strict=True)
        for force in project.forces
        if force.figure == item.number
    ]
    programme = Acts(whole, pushes=tuple(p for f, p in forces if not f.moment), tau=led.get("forces"),
                     udot=led.get("udot"), prescribed=tuple(led["prescribed"]),
                     moments=tuple(p for f, p in forces if f.moment))  # fmt: skip
    return Stage(scene, np.asarray(q, float), np.asarray(u, float), programme, tuple(items))


def _limits(items, prefixes, figure) -> Any:
    """Springs at the ends of joints, where there are any limits: each joint's own stop, or the usual one."""
    if not np.isfinite(figure.limits).any():
        return None
    own = {prefix + joint: stop for item, prefix in zip(items, prefixes, strict=True)
           for joint, stop in item.stops.items()}  # fmt: skip
    usual = SoftLimits(but=tuple(own))
    if not own:
        return usual
    names = [joint.name for joint in figure.joints]
    return Stops((usual, *(_stop(stop, tuple(n for n in names if n != joint)) for joint, stop in own.items())))


def _stop(stop: dict[str, Any], others: tuple[str, ...]) -> SoftLimits:
    """The springs of one joint (thesis 8.7)."""
    spring: Any = Linear(stop["k"])
    if stop["type"] == "power":
        spring = Power(stop["k"], stop.get("n", 3.0))
    elif stop["type"] == "exponential":
        spring = Exponential(stop["k"], stop.get("c", 5.0))
    return SoftLimits(spring=spring, zone=stop.get("zone", np.pi / 8.0), share=0.5, gate=stop["gate"], by_mass=False,
                      but=others)  # fmt: skip


class Stops:
    """Several limits at once."""

    hard = False

    def __init__(self, parts: tuple[SoftLimits, ...]):
        self.parts = parts

    def memory(self, figure) -> dict:
        """Nothing to remember."""
        return {name: x for part in self.parts for name, x in part.memory(figure).items()}

    def rows(self, figure, q, u, dt=None) -> None:
        """Springs are no rows."""

    def force(self, figure, q, u, memory=None, dt=None):
        """The sum of all: tau, stiffness, damping, memory."""
        total, stiffness, damping, left = self.parts[0].force(figure, q, u, memory, dt)
        for part in self.parts[1:]:
            tau, k, c, _ = part.force(figure, q, u, memory, dt)
            total = total + tau
            stiffness = k if stiffness is None else stiffness if k is None else add_inertia(stiffness, k)
            damping = c if damping is None else damping if c is None else add_inertia(damping, c)
        return total, stiffness, damping, left


@dataclass(eq=False)
class Acts(ScriptController):
    """A programme with moments on links besides; each is told as a push whose force is the moment."""

    moments: tuple[Push, ...] = ()

    def _pushed(self, figure, sense) -> dict[int, Any]:
        found = super()._pushed(figure, sense)
        for i, wrench in ScriptController(figure, pushes=self.moments)._pushed(figure, sense).items():
            moment = np.concatenate([wrench[3:], 0.0 * wrench[3:]])
            found[i] = found[i] + moment if i in found else moment
        return found


def _push(force: Force, prefix: str) -> Push:
    """A force on a link over its time."""
    end = np.inf if force.end is None else force.end
    begin = -np.inf if force.start <= 0.0 else force.start
    point = (0.0, 0.0, 0.0) if force.moment else force.point
    return Push(prefix + force.link, force.vector, np.array(point), begin, end, force.axes == "link")


def control_of(function: ControlFunction, name: str) -> Control:
    """The control function that a message tells."""
    if function.formula:
        return Control(function.of, function.formula)
    if not 1 <= len(function.times) <= MAX_CURVE_POINTS or len(function.times) != len(function.values):
        raise InputError(f"Joint '{name}': its control has {len(function.times)} times and {len(function.values)} "
                         f"values. Give as many of each, 1 to {MAX_CURVE_POINTS}, or a formula of t.")  # fmt: skip
    if len(set(function.times)) < len(function.times):
        raise InputError(f"Joint '{name}': two points of its control are at the same time. Move one.")
    if len(function.times) == 1:
        return Control(function.of, float(function.values[0]))
    return Control(function.of, dict(zip(function.times, function.values, strict=True)))
