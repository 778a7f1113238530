"""Where do links touch, how deep, and how do the two sides move against each other?

Features of links meet the ground and obstacles, and shapes of links meet each other (contact/geometry/pairs.py). Every
candidate is always there, in the same order; those with a gap > 0 do nothing. With c the middle of a feature of radius
r on link a, n, d the normal and distance of what it meets at c:

    gap = d - r,   point = c - r n,   arm = point - p_a                        (1)
    speed = v_a + ω_a × arm - (v_b + ω_b × arm_b)                              (2)
    rows of d speed / du along n, t1, t2: n·l + (arm_j × n)·w                  (3)  w, l: jacobians.py (1)

arm_j reaches from the joint to the point: joints that carry both links drop out.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import less, nothing, records, where
from anthropi.algorithms.jacobians import columns, moving_joints
from anthropi.contact.geometry.surfaces import along
from anthropi.contact.material import Material
from anthropi.errors import InputError

__all__ = [
    "Contact",
    "ContactFrame",
    "contact_names",
    "contact_records",
    "contact_rows",
    "contacts",
    "feature_of",
    "frame_of",
    "tangents",
]

OVER = -0.5  # normals that look down steeper than this have tangents of their own


class Contact(NamedTuple):
    """One candidate contact at a state; world components.

    name : "l_foot.heel_l on ground". a, b : numbers of the link that touches and the link touched, b = -1 for the
    world. gap [m], < 0 is penetration. normal (3,) from b towards a. point (3,) of contact. speed (3,) of a against b
    [m/s], None without velocities. frame_speed (3,) of an obstacle's point: speed = J u - frame_speed.
    arm, arm_b (3,) : from the origins of a and b to the point. local (3,) : the point in the frame of link a.
    """

    name: str
    a: int
    b: int
    gap: Any
    normal: Any
    point: Any
    speed: Any
    frame_speed: Any
    material: Material
    arm: Any = None
    arm_b: Any = None
    local: Any = None


class ContactFrame(NamedTuple):
    """Normal and tangents (3,) each."""

    n: Any
    t1: Any
    t2: Any


def feature_of(touch: str) -> tuple[str, str]:
    """Link and feature in a touch's name: "l_foot", "heel_l" of "l_foot.heel_l on ground"."""
    link, _, feature = touch.split(" ")[0].rpartition(".")
    return link, feature


def contact_names(scene) -> tuple[str, ...]:
    """Names of all candidates of a scene, in the order of `touches`."""
    return tuple(c.name for c in scene.candidates)


def contact_records(scene) -> list[dict[str, str]]:
    """Each candidate of a scene as plain data, in the order of `touches`.

    name : "l_foot.heel_l on ground". link : that makes contact, feature : where on it. on : "ground", an obstacle or a
    link. other : the link that is touched, "" for the world.
    """
    links = [link.name for link in scene.figure.links]
    found = []
    for c in scene.candidates:
        feature = c.name.split(" ")[0].rpartition(".")[2]
        other = "" if c.b < 0 else links[c.b]
        found.append({"name": c.name, "link": links[c.a], "feature": feature, "on": c.on, "other": other})
    return found


def contacts(scene, t, kinematics) -> list[Contact]:
    """All candidates of a scene at time t [s], for the kinematics of its figure; a fixed number in a fixed order."""
    places = {ob.name: ob.at(t) for ob in scene.obstacles}
    return [candidate.touch(kinematics, places.get(candidate.on)) for candidate in scene.candidates]


class OnWorld(NamedTuple):
    """A feature that may touch the ground or an obstacle."""

    name: str
    a: int
    point: Any
    radius: Any
    on: str  # "ground" or an obstacle
    surface: Any
    material: Material
    b: int = -1

    def touch(self, k, place) -> Contact:
        """(1), (2)"""
        i, still = self.a, np.zeros(3)
        C, r = k.rotation[i], matvec(k.rotation[i], self.point)
        centre = k.position[i] + r
        if place is None:
            gap, normal = self.surface.distance(centre)
        else:
            gap, inner = self.surface.distance(place[0].undo_point(centre))
            normal = matvec(place[0].rotation, inner)
        arm, local = r, self.point
        if not nothing(self.radius):
            gap, arm = gap - self.radius, r - self.radius * normal
            local = self.point - self.radius * matvec(transpose(C), normal)
        point = k.position[i] + arm
        frame_speed = still if place is None else place[2] + np.cross(place[1], point - place[0].origin)
        speed = None
        if k.velocity is not None:
            speed = k.velocity[i] + np.cross(k.angular_velocity[i], arm) - frame_speed
        return Contact(self.name, i, -1, gap, normal, point, speed, frame_speed, self.material, arm, None, local)


def tangents(normal) -> tuple[Any, Any]:
    """Two unit vectors across a unit normal (3,), right-handed: x and y for z. They jump only where it looks down.

    With s = ±1, a = -1 / (s + n_z): t1 = (1 + s n_x² a, s n_x n_y a, -s n_x), t2 = (n_x n_y a, s + n_y² a, -n_y).
    """
    x, y, z = normal
    s = where(less(z, OVER), -1.0, 1.0)
    a = -1.0 / (s + z)
    b = x * y * a
    return np.array([1.0 + s * x * x * a, s * b + 0.0, 0.0 - s * x]), np.array([b + 0.0, s + y * y * a, 0.0 - y])


def frame_of(normal) -> ContactFrame:
    """A normal and its tangents."""
    return ContactFrame(normal, *tangents(normal))


def contact_rows(figure, kinematics, touch: Contact, frame: ContactFrame | None = None, q=None):
    """(3): (3, nu) array of numbers, rows n, t1, t2; 0.0 where they are by structure.

    q (nq,) : needed where a joint's axes depend on its own coordinates (Euler, universal, composite joints).
    """
    directions = frame_of(touch.normal) if frame is None else frame
    there = moving_joints(figure, touch.a)
    back = [] if touch.b < 0 else moving_joints(figure, touch.b)
    rows = [[0.0] * figure.nu for _ in range(3)]
    for joints, others, sign in ((there, back, 1.0), (back, there, -1.0)):
        for j in (j for j in joints if j not in others):
            own = _columns(figure, kinematics, q, j)
            arm = touch.point - kinematics.position[j]
            for row, d in zip(rows, directions, strict=True):
                turn = np.cross(arm, d)
                for k, (w, l) in enumerate(zip(own.w, own.l, strict=True)):
                    row[figure.u_of[j].start + k] = sign * (along(d, l) + along(turn, w))
    return np.array(rows, dtype=object) if records(*(x for row in rows for x in row)) else np.array(rows)


class _NoState:
    """Stands for a configuration that was not given."""

    def __getitem__(self, at):
        return None


def _columns(figure, k, q, j: int):
    try:
        return columns(figure, k, _NoState() if q is None else q, j)
    except TypeError:
        if q is not None:
            raise
        raise InputError(f"The axes of joint '{figure.joints[j].name}' depend on its coordinates: give contact_rows "
                         "the configuration, q=q.") from None  # fmt: skip
