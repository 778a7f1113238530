"""Scenery for pictures: obstacles, slopes and terrain of a scene as shapes of links.

Fixed scenery belongs to a massless link that is fixed to the world; each moving obstacle becomes a separate link.
"""

from dataclasses import replace

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Box, Capsule, Plane, Sphere
from anthropi.contact.scene import Scene
from anthropi.figure.joints import Free, Weld
from anthropi.figure.parts import Link, Shape
from anthropi.motion import Motion

__all__ = ["is_flat", "with_scenery"]

OBSTACLE_COLOUR, GROUND_COLOUR = (0.62, 0.6, 0.58), (0.66, 0.68, 0.6)
MAX_TILES = 18  # number of tiles along each side of terrain
TILE_THICKNESS = 0.02  # [m]
SLOPE_MARGIN = 1.5  # [m] by which a slope extends beyond the motion
INVISIBLE = Shape("sphere", (1e-6,), name="nothing")  # a link without shapes would be drawn as sticks


def is_flat(scene: Scene) -> bool:
    """Return whether the ground is the plane z = 0, which pictures draw without scenery."""
    ground = scene.ground
    return isinstance(ground, Plane) and abs(ground.distance(np.zeros(3))[0]) < 1e-9 and ground.normal[2] > 1.0 - 1e-12


def with_scenery(scene: Scene, motion: Motion) -> Motion:
    """Return the motion with massless links for the scenery of its scene, for pictures only."""
    figure, count = motion.figure, len(motion)
    still = [s for ob in scene.obstacles if not ob.moves for s in _shape(ob.surface, ob.at(0.0)[0], OBSTACLE_COLOUR)]
    still += _ground(scene, motion)
    moving = [ob for ob in scene.obstacles if ob.moves and _shape(ob.surface, ob.at(0.0)[0], OBSTACLE_COLOUR)]
    joined = figure.links[0].name == "world" and not figure.joints[0].nu
    if not (still or moving or joined):
        return motion
    links, joints, parent = list(figure.links), list(figure.joints), list(figure.parent)
    if not joined:
        links, joints, parent = (
            [Link("scenery"), *links],
            [Weld(name="scenery"), *joints],
            [-1, *(p + 1 for p in parent)],
        )
    links[0] = replace(links[0], shapes=tuple(still) or (INVISIBLE,))
    q, u = [motion.q], [motion.u]
    for ob in moving:
        poses = [ob.at(float(t)) for t in motion.time]
        links.append(
            Link(
                f"scenery/{ob.name}",
                shapes=tuple(_shape(ob.surface, Transform(np.eye(3), np.zeros(3)), OBSTACLE_COLOUR)),
            )
        )
        joints.append(Free(name=f"scenery/{ob.name}"))
        parent.append(0)
        q.append(
            np.array([[*X.origin, *rot.quaternion_from_matrix(np.asarray(X.rotation, float))] for X, _, _ in poses])
        )
        u.append(np.array([[*v, *(X.rotation.T @ w)] for X, w, v in poses]).reshape(count, 6))
    shown = figure.changed(links=tuple(links), joints=tuple(joints), parent=tuple(parent), checked=False)
    return motion.changed(figure=shown, q=np.concatenate(q, -1), u=np.concatenate(u, -1), channels={})


def _shape(surface, pose: Transform, colour) -> list[Shape]:
    """Return the shape of a surface in a list, which is empty for planes."""
    if isinstance(surface, Sphere):
        return [Shape("sphere", (surface.radius,), pose, colour=colour)]
    if isinstance(surface, Capsule):
        return [Shape("capsule", (surface.radius, surface.length), pose, colour=colour)]
    if isinstance(surface, Box):
        return [Shape("box", tuple(float(x) for x in surface.size), pose, colour=colour)]
    return []


def _ground(scene: Scene, motion: Motion) -> list[Shape]:
    """Shapes of the ground: tiles of terrain, or one slab of a slope below the motion."""
    ground = scene.ground
    if isinstance(ground, HeightField):
        low = np.asarray(ground.origin[:2], float)
        spans = (np.array(ground.heights.shape) - 1) * np.asarray(ground.spacing, float)
        counts = np.minimum(np.array(ground.heights.shape) - 1, MAX_TILES)
        sides = spans / counts
        middles = [low + sides * (np.array([i, j]) + 0.5) for i in range(counts[0]) for j in range(counts[1])]
        return [_tile(ground, m, sides) for m in middles]
    if not isinstance(ground, Plane) or is_flat(scene) or not ground.normal[2] > 0.1:
        return []
    from anthropi.algorithms.kinematics import kinematics

    places = np.array([kinematics(motion.figure, q).position for q in motion.q[:: max(1, len(motion) // 20)]])
    low, high = places.reshape(-1, 3).min(0)[:2] - SLOPE_MARGIN, places.reshape(-1, 3).max(0)[:2] + SLOPE_MARGIN
    return [_tile(ground, 0.5 * (low + high), high - low)]


def _tile(ground, middle, sides) -> Shape:
    """Flat box with its upper side on the ground around a point (2,) [m]. sides : (2,) [m]."""
    x, y = (float(v) for v in middle)
    z = float(ground.height(x, y)[0]) if isinstance(ground, HeightField) else 0.0
    gap, n = ground.distance(np.array([x, y, z]))
    n = np.asarray(n, float)
    p = np.array([x, y, z - float(gap) / n[2]])
    e = np.array([n[2], 0.0, -n[0]]) / np.hypot(n[0], n[2])
    C = np.stack([e, np.cross(n, e), n], axis=1)
    return Shape(
        "box",
        (float(sides[0]) / abs(e[0]), float(sides[1]) / abs(C[1, 1]), TILE_THICKNESS),
        Transform(C, p - 0.5 * TILE_THICKNESS * n),
        colour=GROUND_COLOUR,
    )
