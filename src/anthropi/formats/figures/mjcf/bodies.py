"""Convert the bodies of an MJCF file to the links of a figure, whether this package or MuJoCo's compiler read them.

In MJCF, the joints of a body can be anywhere in the body's frame. The frame of a link is at its joint: it is the body's
frame translated to the anchor of the body's last joint. The coordinates q and u are exactly MuJoCo's qpos and qvel.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from anthropi.algebra.spatial import RigidInertia, Transform, identity
from anthropi.errors import FormatError
from anthropi.figure import Ball, Composite, Figure, Free, Joint, Link, Marker, Prismatic, Revolute, Shape, Weld
from anthropi.formats import limits
from anthropi.formats.figures.common import InitialState, Notes, check_size

__all__ = ["Body", "Dof", "add_missing_names", "build", "fresh", "rooted", "with_tensors"]


@dataclass
class Dof:
    """An MJCF joint: hinge, slide, ball or free."""

    name: str
    kind: str
    axis: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))  # in the body's frame
    anchor: np.ndarray = field(default_factory=lambda: np.zeros(3))
    ref: float = 0.0
    rest: float = 0.0
    limits: tuple[float, float] | None = None
    stiffness: float = 0.0
    damping: float = 0.0
    armature: float = 0.0
    response: tuple[float, float] | None = None  # `springdamper`: time constant [s] and damping ratio

    def joint(self, name: str, placement: Transform) -> Joint:
        """Return the joint of a figure. At q = ref, the body has the pose given in the file."""
        acting: dict[str, Any] = dict(stiffness=self.stiffness, damping=self.damping, armature=self.armature)
        if self.kind in ("ball", "free"):
            return (Ball if self.kind == "ball" else Free)(name=name, placement=placement, **acting)
        make = Revolute if self.kind == "hinge" else Prismatic
        lower, upper = self.limits if self.limits is not None else (-np.inf, np.inf)
        joint = make(name=name, axis=self.axis, lower=lower, upper=upper, rest=self.rest, **acting)
        if self.ref != 0.0:
            placement = placement @ joint.transform(np.array([-self.ref]))
        return joint.changed(placement=placement)

    def start(self, place: Transform, quaternion: np.ndarray) -> np.ndarray:
        """Return the initial coordinates that the file gives."""
        if self.kind == "free":
            return np.concatenate([place.origin, quaternion])
        return np.array([1.0, 0.0, 0.0, 0.0]) if self.kind == "ball" else np.array([self.ref])


@dataclass
class Body:
    """An MJCF body: its pose, joints, inertia, shapes and sites."""

    name: str
    parent: int  # index of the parent body; -1 for the world
    pose: Transform  # in the parent body's frame
    quaternion: np.ndarray  # rotation of the pose
    dofs: list[Dof]
    inertia: RigidInertia | None
    shapes: list[Shape]
    sites: list[Marker]
    world: bool = False  # whether it is the world itself, as a link
    mocap: bool = False  # whether it is moved by motion capture in MuJoCo

    @property
    def anchor(self) -> np.ndarray:
        """The origin of the link's frame, in the body's frame [m]."""
        return self.dofs[-1].anchor if self.dofs and self.dofs[-1].kind != "free" else np.zeros(3)


def rooted(bodies: list[Body]) -> list[Body]:
    """Return the bodies of a figure. `bodies` begins with the world, which is left out if it has only one child."""
    if sum(body.parent == 0 for body in bodies) != 1:
        return bodies
    return [replace(body, parent=body.parent - 1) for body in bodies[1:]]


def add_missing_names(bodies: list[Body]) -> None:
    """Give names to bodies, joints and sites without one: body3, body3_joint, torso_joint2, torso_site1."""
    taken = {b.name for b in bodies}
    for k, body in enumerate(bodies):
        if not body.name:
            body.name = fresh(f"body{k}", taken)
    joints = {d.name for b in bodies for d in b.dofs}
    sites = {s.name for b in bodies for s in b.sites}
    for body in bodies:
        for k, dof in enumerate(body.dofs, 1):
            if not dof.name:
                dof.name = fresh(f"{body.name}_joint{k if len(body.dofs) > 1 else ''}", joints)
        body.sites = [
            Marker(s.name or fresh(f"{body.name}_site{k}", sites), body.name, s.point)
            for k, s in enumerate(body.sites, 1)
        ]


def fresh(name: str, taken: set[str]) -> str:
    """Return a name that is not taken, and take it. Underscores are added if necessary."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def with_tensors(bodies: list[Body], file: str, notes: Notes) -> list[Body]:
    """Give a tensor to bodies that have mass but no inertia, as far as this does not change any motion.

    A body that cannot move gets a tensor of no effect. A body welded to one with inertia gets a small part of it, so
    that both together have the inertia of the file.
    """
    found = list(bodies)
    still: list[bool] = []
    for i, body in enumerate(found):
        still.append(not body.dofs and (body.parent < 0 or still[body.parent]))
        inertia = body.inertia
        if inertia is None or np.any(inertia.tensor) or not inertia.mass > 0.0:
            if inertia is not None and not inertia.mass > 0.0 and still[i]:
                found[i] = replace(body, inertia=None)
            continue
        if still[i]:
            notes.add(f"{file}: body '{body.name}'", "has mass but no tensor; it gets one, since it never moves", False)
            small = inertia.mass * RADIUS_WITHOUT_EFFECT**2 * np.eye(3)
        else:
            partner = found[body.parent].inertia if body.parent >= 0 and not body.dofs else None
            if partner is None or not np.any(partner.tensor):
                continue  # the figure's own check reports the body
            small = SHARE_OF_TENSOR * np.linalg.eigvalsh(partner.tensor)[0] * np.eye(3)
            less = RigidInertia(partner.mass, partner.centre, partner.tensor - small)
            found[body.parent] = replace(found[body.parent], inertia=less)
        found[i] = replace(body, inertia=RigidInertia(inertia.mass, inertia.centre, small))
    return found


RADIUS_WITHOUT_EFFECT = 1e-3  # [m] radius of gyration of a body that cannot move and has no tensor in the file
SHARE_OF_TENSOR = 1e-6  # of the smallest moment of a body, for a body without tensor that is welded to it


def build(name: str, bodies: list[Body], gravity: Any, file: str) -> tuple[Figure, InitialState]:
    """Build the figure of a list of bodies (parents first), and its initial state."""
    names = _joint_names(bodies)
    links, joints, starts = [], [], []
    for body, joint_name in zip(bodies, names, strict=True):
        before = -bodies[body.parent].anchor if body.parent >= 0 else np.zeros(3)
        place = Transform(np.eye(3), before) @ body.pose if before.any() else body.pose
        joints.append(_joint(body, joint_name, place, file, body.parent < 0 or bodies[body.parent].world))
        links.append(_link(body))
        starts += [dof.start(body.pose, body.quaternion) for dof in body.dofs]
    markers = [Marker(s.name, s.link, s.point - body.anchor) for body in bodies for s in body.sites]
    check_size(joints, file)
    figure = Figure(
        name, tuple(links), tuple(joints), tuple(b.parent for b in bodies), tuple(markers), (), np.array(gravity, float)
    )
    q = np.concatenate(starts) if starts else np.zeros(0)
    return figure, InitialState(q, np.zeros(figure.nu), np.zeros(figure.nu))


def _joint(body: Body, name: str, place: Transform, file: str, top: bool) -> Joint:
    if not body.dofs:
        return Weld(name=name, placement=place)
    if any(dof.kind == "free" for dof in body.dofs):
        if len(body.dofs) > 1 or not top:
            raise FormatError(
                f"{file}: body '{body.name}' has a free joint together with another joint, or is inside another body. "
                "A free joint must be the only joint of a body directly in the world."
            )
        return body.dofs[0].joint(name, identity())
    limits.check(f"{file}: body '{body.name}'", "joint_parts", len(body.dofs), "joints")
    here, parts = place, []
    for k, dof in enumerate(body.dofs):
        step = Transform(np.eye(3), dof.anchor - (body.dofs[k - 1].anchor if k else 0.0))
        parts.append(dof.joint(dof.name, step))
    if len(parts) == 1:
        return parts[0].changed(name=name, placement=here @ parts[0].placement)
    first = here @ parts[0].placement
    parts[0] = parts[0].changed(placement=identity())
    prefix = f"{name}."
    if all(p.name.startswith(prefix) for p in parts):
        parts = [p.changed(name=p.name.removeprefix(prefix)) for p in parts]
    return Composite(name=name, placement=first, parts=tuple(parts))


def _joint_names(bodies: list[Body]) -> list[str]:
    """Choose a joint name for each body: that of its only joint, or the common prefix of several, or the body's name.

    The common prefix of "hip.x" and "hip.y" is "hip".
    """
    taken = {dof.name for body in bodies for dof in body.dofs}
    names: list[str] = []
    for body in bodies:
        if len(body.dofs) == 1:
            names.append(body.dofs[0].name)
            continue
        wanted = _shared([dof.name for dof in body.dofs]) or body.name
        while wanted in taken:
            wanted += "_joint"
        taken.add(wanted)
        names.append(wanted)
    return names


def _shared(names: list[str]) -> str:
    """Return the longest dotted prefix that all names share; a complete name does not count as a prefix."""
    words = [name.split(".")[:-1] for name in names]
    same = [k for k in range(min(map(len, words), default=0)) if len({tuple(w[: k + 1]) for w in words}) == 1]
    return ".".join(words[0][: same[-1] + 1]) if same else ""


def _link(body: Body) -> Link:
    moved = Transform(np.eye(3), -body.anchor)
    shift = body.anchor.any()
    shapes = [_moved(s, moved) if shift else s for s in body.shapes]
    if body.inertia is None:
        return Link(body.name, shapes=tuple(shapes))
    inertia = body.inertia.shifted(-body.anchor) if shift else body.inertia
    return Link(body.name, float(inertia.mass), inertia.centre, inertia.tensor, tuple(shapes))


def _moved(shape: Shape, by: Transform) -> Shape:
    return replace(shape, placement=by @ shape.placement)
