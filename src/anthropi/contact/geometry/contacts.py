"""Contact candidates of a scene at a state: gap, normal, point and relative velocity.

A candidate is a feature of a link on the ground or on an obstacle, or a pair of shapes of two links
(contact/geometry/pairs.py). The number and the order of the candidates are fixed. Candidates with a gap > 0 have no
contact force. With c the centre of a feature of radius r on link a, and n, d the normal and the distance of the surface
at c:

    gap = d - r,   point = c - r n,   arm = point - p_a                                    (1)
    speed = v_a + ω_a × arm - (v_b + ω_b × arm_b)                                          (2)
    rows of ∂speed/∂u along n, t1, t2:   n·l + (arm_j × n)·w                               (3)

In (3), w and l are the columns of `algorithms/jacobians.py` (1), and arm_j is the vector from joint j to the point.
Joints that move both links cancel.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import cross, matvec, transpose
from anthropi.algebra.scalar import Array, is_constant_zero, less, records, where
from anthropi.algorithms.jacobians import columns, moving_joints
from anthropi.contact.geometry.link_spheres import lowest_sphere
from anthropi.contact.geometry.surfaces import Plane
from anthropi.contact.material import Material
from anthropi.contact.vectors import dot
from anthropi.errors import InputError
from anthropi.figure.figure import Figure

__all__ = [
    "Contact",
    "ContactFrame",
    "ContactRecord",
    "GroupOnWorld",
    "OnWorld",
    "contact_names",
    "contact_records",
    "contact_rows",
    "contacts",
    "frame_of",
    "ground_record",
    "tangents",
]

STEEP_NORMAL = 0.5  # n_z of uneven ground below which a whole link does not touch it
OPEN_GAP = 1e3  # [m] gap of a contact that is left out
DOWNWARD_NORMAL = -0.5  # n_z below which the tangents use the formula for normals near (0, 0, -1)


class ContactRecord(NamedTuple):
    """Names of one contact and its two sides, as stored in motion files.

    Attributes
    ----------
    name : name of the contact, for example "l_foot.heel_l on ground".
    link : the link that makes contact.
    feature : the feature of that link; "" if the shape itself makes contact.
    on : the other side: "ground", an obstacle, or a link.
    other : the other link; "" for the ground and obstacles.
    """

    name: str
    link: str
    feature: str
    on: str
    other: str = ""


class Contact(NamedTuple):
    """One contact candidate at a state, with vectors in world axes.

    Attributes
    ----------
    name : name of the contact, for example "l_foot.heel_l on ground".
    a, b : numbers of the two links; b = -1 for the ground and obstacles.
    gap : [m] distance of the surfaces, negative for penetration.
    normal : (3,) unit vector from b towards a.
    point : (3,) [m] point at which the contact force acts.
    speed : (3,) [m/s] velocity of a relative to b at the point; None without velocities.
    frame_speed : (3,) [m/s] velocity of the obstacle at the point: speed = J u - frame_speed.
    material : material of the pair of surfaces.
    arm, arm_b : (3,) [m] vectors from the origins of links a and b to the point; arm_b is None if b = -1.
    local : (3,) [m] the point in the frame of link a; None between links.
    feature : name of the feature, see `ContactRecord`.
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
    feature: str = ""


class ContactFrame(NamedTuple):
    """Right-handed axes of a contact: unit normal n and unit tangents t1 and t2, (3,) each."""

    n: Any
    t1: Any
    t2: Any


def contact_names(scene: Any) -> tuple[str, ...]:
    """Return the names of all contact candidates of a scene, in the order of `contacts`."""
    return tuple(c.name for c in scene.candidates)


def contact_records(scene: Any) -> tuple[ContactRecord, ...]:
    """Return a `ContactRecord` for each contact candidate of a scene, in the order of `contacts`."""
    links = [link.name for link in scene.figure.links]
    others = ["" if c.b < 0 else links[c.b] for c in scene.candidates]
    return tuple(
        ContactRecord(c.name, links[c.a], c.feature, c.on or other, other)
        for c, other in zip(scene.candidates, others, strict=True)
    )


def ground_record(scene: Any) -> dict[str, Any]:
    """Return {"ground": {height [m], friction}} of a scene for a motion's metadata; {} if it is not a horizontal plane.

    friction : coefficient of all contacts with the ground; None if they differ or are not numbers.
    """
    ground = scene.ground
    if not isinstance(ground, Plane) or records(ground.normal, ground.point) or abs(float(ground.normal[2])) != 1.0:
        return {}
    found = [c.material.friction for c in scene.candidates if c.on == "ground"]
    same = bool(found) and not records(*found) and all(x == found[0] for x in found)
    return {"ground": {"height": float(ground.point[2]), "friction": float(found[0]) if same else None}}


def contacts(scene: Any, t: Array, kinematics: Any) -> list[Contact]:
    """Compute all contact candidates of a scene at time t [s], from the kinematics of its figure."""
    poses = {ob.name: ob.at(t) for ob in scene.obstacles}
    return [candidate.contact(kinematics, poses.get(candidate.on)) for candidate in scene.candidates]


class OnWorld(NamedTuple):
    """Contact candidate: a feature of link a on the ground or on an obstacle.

    point : (3,) [m] centre of the feature in the link frame. radius : [m]. on : "ground" or the name of the obstacle.
    """

    name: str
    a: int
    point: Any
    radius: Any
    on: str
    surface: Any
    material: Material
    b: int = -1
    feature: str = ""

    def contact(self, k: Any, pose: Any) -> Contact:
        """Compute the contact at a state, by equations (1) and (2) of this module.

        k : kinematics of the figure. pose : result of `Obstacle.at` for the obstacle; None for the ground.
        """
        return _sphere_on_world(self, self.point, self.radius, k, pose)


class GroupOnWorld(OnWorld):
    """Contact candidate: the spheres of link a on the ground or on an obstacle, as one contact.

    point : (n, 3) [m] centres of the spheres in the link frame. radius : (n,) [m]. The contact is that of one sphere, a
    mean of those with the smallest gaps (contact/geometry/link_spheres.py (1)).
    """

    __slots__ = ()

    def contact(self, k: Any, pose: Any) -> Contact:
        """Compute the contact at a state. Parameters as in `OnWorld.contact`."""
        C, position, gaps = k.rotation[self.a], k.position[self.a], []
        for point, radius in zip(self.point, self.radius, strict=True):
            gaps.append(_distance(self.surface, pose, position + matvec(C, point))[0] - radius)
        found = _sphere_on_world(self, *lowest_sphere(gaps, self.point, self.radius), k, pose)
        if self.surface.constant or pose is not None:
            return found
        steep = less(found.normal[2], STEEP_NORMAL)  # a foot beside a step of the ground does not touch its side
        return found._replace(gap=where(steep, OPEN_GAP, found.gap))


def _distance(surface: Any, pose: Any, point: Any) -> tuple[Any, Any]:
    """Compute the distance [m] of a surface from a point (3,) in world axes, and its normal (3,) in world axes."""
    if pose is None:
        return surface.distance(point)
    gap, inner = surface.distance(pose[0].undo_point(point))
    return gap, matvec(pose[0].rotation, inner)


def _sphere_on_world(candidate: Any, centre: Any, radius: Any, k: Any, pose: Any) -> Contact:
    """Compute the contact of a sphere of link a, by equations (1) and (2).

    candidate : an `OnWorld` or `GroupOnWorld`. centre, radius : of the sphere, in the link frame [m].
    """
    i, still = candidate.a, np.zeros(3)
    C, r = k.rotation[i], matvec(k.rotation[i], centre)
    gap, normal = _distance(candidate.surface, pose, k.position[i] + r)
    arm, local = r, centre
    if not is_constant_zero(radius):
        gap, arm = gap - radius, r - radius * normal
        local = centre - radius * matvec(transpose(C), normal)
    point = k.position[i] + arm
    frame_speed = still if pose is None else pose[2] + cross(pose[1], point - pose[0].origin)
    speed = None
    if k.velocity is not None:
        speed = k.velocity[i] + cross(k.angular_velocity[i], arm) - frame_speed
    return Contact(
        candidate.name,
        i,
        -1,
        gap,
        normal,
        point,
        speed,
        frame_speed,
        candidate.material,
        arm,
        None,
        local,
        candidate.feature,
    )


def tangents(normal: Array) -> tuple[Any, Any]:
    """Compute two unit tangents (3,) that form a right-handed frame with a unit normal (3,).

    For the normal z they are x and y. With s = ±1 and a = -1 / (s + n_z):
    t1 = (1 + s n_x² a, s n_x n_y a, -s n_x), t2 = (n_x n_y a, s + n_y² a, -n_y).
    They are continuous functions of the normal, except where n_z passes `DOWNWARD_NORMAL` and s changes sign.
    """
    x, y, z = normal
    s = where(less(z, DOWNWARD_NORMAL), -1.0, 1.0)
    a = -1.0 / (s + z)
    b = x * y * a
    return np.array([1.0 + s * x * x * a, s * b + 0.0, 0.0 - s * x]), np.array([b + 0.0, s + y * y * a, 0.0 - y])


def frame_of(normal: Array) -> ContactFrame:
    """Compute the contact frame (normal and two tangents) of a unit normal (3,)."""
    return ContactFrame(normal, *tangents(normal))


def contact_rows(
    figure: Figure, kinematics: Any, contact: Contact, frame: ContactFrame | None = None, q: Array = None
) -> np.ndarray:
    """Compute the Jacobian (3, nu) of the relative velocity at a contact, with rows along n, t1 and t2.

    Parameters
    ----------
    frame : axes of the contact; None to compute them from its normal.
    q : (nq,) configuration, required if the axes of a joint depend on its own coordinates (Euler, universal and
        composite joints).

    Raises
    ------
    InputError : q is required but was not given.
    """
    directions = frame_of(contact.normal) if frame is None else frame
    there = moving_joints(figure, contact.a)
    back = [] if contact.b < 0 else moving_joints(figure, contact.b)
    rows = [[0.0] * figure.nu for _ in range(3)]
    for joints, others, sign in ((there, back, 1.0), (back, there, -1.0)):
        for j in (j for j in joints if j not in others):
            own = _columns(figure, kinematics, q, j)
            arm = contact.point - kinematics.position[j]
            for row, d in zip(rows, directions, strict=True):
                moment = cross(arm, d)
                for k, (w, l) in enumerate(zip(own.w, own.l, strict=True)):
                    row[figure.u_of[j].start + k] = sign * (dot(d, l) + dot(moment, w))
    return np.array(rows, dtype=object) if records(*(x for row in rows for x in row)) else np.array(rows)


class _NoConfiguration:
    """Placeholder for a configuration q that was not given; every entry is None."""

    def __getitem__(self, at):
        return None


def _columns(figure, k, q, j: int):
    """Return the Jacobian columns of joint j; raise InputError if they require q and q is None."""
    try:
        return columns(figure, k, _NoConfiguration() if q is None else q, j)
    except TypeError:
        if q is not None:
            raise
        raise InputError(
            f"The axes of joint '{figure.joints[j].name}' depend on its coordinates. Give contact_rows the "
            "configuration, q=q."
        ) from None
