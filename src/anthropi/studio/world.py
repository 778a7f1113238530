"""What figures stand on and among: the world of a project as a `Scene`. Floats only."""

import math
from typing import Any

import numpy as np

from anthropi.algebra.rotation import matrix_from_quaternion
from anthropi.algebra.spatial import Transform
from anthropi.contact import Compliant, Impulsive
from anthropi.contact import Obstacle as Solid
from anthropi.contact.convex import Convex
from anthropi.contact.height_field import HeightField
from anthropi.contact.material import Material
from anthropi.contact.scene import Scene
from anthropi.contact.surfaces import Box, Capsule, Plane, Sphere, Surface
from anthropi.errors import InputError
from anthropi.figure.human import sole_markers
from anthropi.gait.walker import sole
from anthropi.studio.messages import Choice, Ground, Obstacle, World
from anthropi.studio.surroundings import ground_of, things_of

__all__ = ["CONTACTS", "TERRAINS", "Around", "height_at", "scene_of", "surface_of", "surroundings"]

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
    return {"ground": ground_of(empty), "things": things_of(empty, np.zeros(1))[0]}
