"""What stands around figures, for the stage: the ground, and things that rest or move beside them.

ground   {"kind": "plane", point, normal}, {"kind": "heights", heights, origin, spacing} or None
things   {name, kind, size, pose or poses, colour}: kinds and sizes as solids have them; `poses` names an array
         (frames, 7) of the buffer
"""

from typing import Any

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.contact.height_field import HeightField
from anthropi.contact.surfaces import Box, Capsule, Plane, Sphere
from anthropi.studio.packed import packed, plain

__all__ = ["ground_of", "pillar", "things_of"]

STONE, PILLAR = (0.62, 0.60, 0.58), (0.62, 0.66, 0.74)


def ground_of(scene) -> dict[str, Any] | None:
    """The ground of a scene."""
    ground = scene.ground
    if isinstance(ground, Plane):
        return {"kind": "plane", "point": plain(ground.point), "normal": plain(ground.normal)}
    if isinstance(ground, HeightField):
        origin = [*np.asarray(ground.origin, float), 0.0][:3]
        return {"kind": "heights", "heights": packed(ground.heights), "origin": plain(origin),
                "spacing": plain(ground.spacing)}  # fmt: skip
    return None


def pillar(radius: float, height: float, where, when) -> tuple[dict[str, Any], np.ndarray]:
    """An upright cylinder that is at where(t) → (x, y) [m], and its poses (frames, 7)."""
    poses = np.array([(*where(t), 0.5 * height, 1.0, 0.0, 0.0, 0.0) for t in when], float)
    return {"name": "", "kind": "cylinder", "size": plain((radius, height)), "colour": plain(PILLAR)}, poses


def things_of(scene, when, pillars=()) -> tuple[list[dict], dict[str, np.ndarray]]:
    """The obstacles of a scene and pillars (radius, height, t → (x, y)); and the poses of what moves."""
    found: list[dict] = []
    moving: dict[str, np.ndarray] = {}
    rows = [row for ob in getattr(scene, "obstacles", ()) if (row := _obstacle(ob, when))]
    rows += [pillar(radius, height, where, when) for radius, height, where in pillars]
    for thing, poses in rows:
        if (poses == poses[:1]).all():
            found.append(thing | {"pose": _matrix(poses[0])})
            continue
        name = f"things/{len(found)}"
        moving[name] = poses
        found.append(thing | {"poses": name})
    return found, moving


def _obstacle(ob, when):
    surface = ob.surface
    size: tuple
    if isinstance(surface, Sphere):
        kind, size = "ball", (surface.radius,) * 3
    elif isinstance(surface, Capsule):
        kind, size = "capsule", (surface.radius, surface.length)
    elif isinstance(surface, Box):
        kind, size = "box", tuple(surface.size)
    else:
        return None
    poses = [ob.at(float(t))[0] for t in (when if ob.moves else when[:1])]
    rows = [[*X.origin, *quaternion_from_matrix(np.asarray(X.rotation, float))] for X in poses]
    thing = {"name": ob.name, "kind": kind, "size": plain(size), "colour": plain(STONE)}
    return thing, np.array(rows, float)


def _matrix(pose) -> list[float]:
    """A place and a quaternion as 16 numbers, column after column."""
    x, y, z, w, a, b, c = pose
    return plain([1 - 2 * (b * b + c * c), 2 * (a * b + w * c), 2 * (a * c - w * b), 0,
                  2 * (a * b - w * c), 1 - 2 * (a * a + c * c), 2 * (b * c + w * a), 0,
                  2 * (a * c + w * b), 2 * (b * c - w * a), 1 - 2 * (a * a + b * b), 0, x, y, z, 1])  # fmt: skip
