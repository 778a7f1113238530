"""Describe the appearance of figures and scenes, as JSON for the page in a browser.

A figure has these parts, each in the frame of its link:

    links    {name, parent, mass, joint: {name, kind, dofs, axes, lengths, lower, upper, frame}}
    solids   {link, kind, size, pose, colour}: ball (three semi-axes), box (three sides), cylinder and capsule (radius,
             length along z without the ends), mesh (`mesh`: positions, normals, indices; no size)
    sticks   [[link, x, y, z], [link, x, y, z]]: lines from one point to another
    skin     {positions, box, normals, colours, joints, weights, indices, bind}, packed arrays (positions in 65535ths of
             a box given by its lowest corner and size, normals in 127ths from 128, weights in 255ths, sRGB colours,
             bind: position and quaternion of every link in the bind pose), or None
    person   whether the skin is that of a person, with face and clothes
    limits   {link, joint, kind, …} in the joint's frame, which is `joint.frame` in the parent
    markers  {name, link, point}

Links are numbered within the figure; the parent -1 is the world. Poses are 16 numbers, column-major. `axes` are the
axes of the degrees of freedom in the joint's frame, in the neutral pose; `lengths` tells which of them are
translations.

Limits are given in the joint's frame:

    range   {dof, axis, lower, upper, length}: one degree of freedom, about or along an axis; None if unbounded
    box     {lower, upper}: bounds of the rotation vector of a ball joint
    swing   {axis, curve, twist}: the limb's axis stays inside a closed curve of directions (n, 3)
    cone    {axis, angle}: the limb's axis stays within an angle of its neutral direction

The scene around the figures:

    ground   {"kind": "plane", point, normal}, {"kind": "heights", heights, origin, spacing} or None
    things   {name, kind, size, pose or poses, colour}: obstacles, with kinds and sizes as for solids; `poses` is the
             name of an array (frames, 7) in the buffer
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Box, Capsule, Plane, Sphere
from anthropi.contact.limits.ball_joints import ReachCone, SwingTwist
from anthropi.contact.limits.human import SWINGING, swing_twist_of
from anthropi.errors import InputError
from anthropi.figure import Figure
from anthropi.figure.parts import Marker
from anthropi.formats.pages.meshes import mesh_of, packed, plain
from anthropi.formats.pages.skin import is_person, skin_of
from anthropi.pictures.solids import BONE, Solid, scene_of

__all__ = ["appearance", "axes_of", "ground_of", "limits_of", "obstacles_of", "pillar"]


CURVE_POINTS = 48  # number of points on the curve of a swing limit
BALLS = ("ball", "exponential")


def limits_of(
    figure: Figure, own: Any, number: dict[Any, Any], prefix: str = "", limits: Any = None
) -> list[dict[str, Any]]:
    """Describe the joint limits of some links of a figure.

    own : indices of the links. number : {index of a link: its number in the description}. prefix : part of the names
    that is removed. limits : limits of the scene, from which swing limits come; None for those of humans.
    """
    swings = _human(figure, own) if limits is None else dict(getattr(limits, "joints", None) or {})
    found = []
    for i in own:
        joint = figure.joints[i]
        who = {"link": number[i], "joint": joint.name.removeprefix(prefix)}
        if joint.name in swings:
            found.append(who | _swing(swings[joint.name]))
        elif joint.kind in BALLS:
            if np.isfinite([joint.lower, joint.upper]).any():
                found.append(who | {"kind": "box", "lower": plain(joint.lower), "upper": plain(joint.upper)})
        else:
            found += [who | x for x in _ranges(joint, prefix)]
    return found


def axes_of(joint: Any) -> list[Any]:
    """Return the axis (3,) of each degree of freedom, in the joint's frame and the neutral pose."""
    if not joint.nu:
        return []
    q = joint.neutral()
    columns = np.asarray(joint.subspace(q), float)
    turned = [c[:3] if np.abs(c[:3]).max() > 1e-9 else c[3:] for c in columns.T]
    return plain(np.array(turned) @ np.asarray(joint.transform(q).rotation, float).T)


def _human(figure, own) -> dict[str, Any]:
    """Return {joint: swing and twist limits} for the shoulders and hips of a human."""
    found = {}
    for joint in (figure.joints[i] for i in own):
        if joint.name.rpartition("/")[2] in SWINGING:
            with suppress(InputError):  # the joint has this name, but not these limits
                found[joint.name] = swing_twist_of(joint)
    return found


def _ranges(joint, prefix: str):
    if not joint.nu or joint.kind == "free" or not np.isfinite([joint.lower, joint.upper]).any():
        return
    lengths = joint.lengths or (False,) * joint.nu
    for dof, axis, low, high, long in zip(joint.dofs, axes_of(joint), joint.lower, joint.upper, lengths, strict=True):
        if np.isfinite([low, high]).any():
            (lower,), (upper,) = plain([low]), plain([high])
            yield {
                "kind": "range",
                "dof": dof.removeprefix(prefix),
                "axis": axis,
                "lower": lower,
                "upper": upper,
                "length": bool(long),
            }


def _swing(limit) -> dict[str, Any]:
    if isinstance(limit, ReachCone):
        return {"kind": "cone", "axis": plain(limit.axis), "angle": float(limit.angle)}
    if isinstance(limit, SwingTwist):
        a = np.asarray(limit.axis, float)
        twist = None
        if limit.twist is not None:
            twist = plain([float(bound[0] + np.asarray(bound[1]) @ a) for bound in (limit.low, limit.high)])
        return {"kind": "swing", "axis": plain(a), "curve": plain(limit.boundary.curve(CURVE_POINTS)), "twist": twist}
    return {"kind": "other"}


STONE, PILLAR = (0.62, 0.60, 0.58), (0.62, 0.66, 0.74)


def ground_of(scene: Any) -> dict[str, Any] | None:
    """Describe the ground of a scene; None if it is neither a plane nor a height field."""
    ground = scene.ground
    if isinstance(ground, Plane):
        return {"kind": "plane", "point": plain(ground.point), "normal": plain(ground.normal)}
    if isinstance(ground, HeightField):
        origin = [*np.asarray(ground.origin, float), 0.0][:3]
        return {
            "kind": "heights",
            "heights": packed(ground.heights),
            "origin": plain(origin),
            "spacing": plain(ground.spacing),
        }
    return None


def pillar(radius: float, height: float, where: Any, when: Any) -> tuple[dict[str, Any], np.ndarray]:
    """Describe a vertical cylinder that moves on the ground, and compute its poses (frames, 7).

    radius, height : [m]. where : function t → (x, y) [m]. when : times of the frames [s].
    """
    poses = np.array([(*where(t), 0.5 * height, 1.0, 0.0, 0.0, 0.0) for t in when], float)
    return {"name": "", "kind": "cylinder", "size": plain((radius, height)), "colour": plain(PILLAR)}, poses


def obstacles_of(scene: Any, when: Any, pillars: Any = ()) -> tuple[list[dict[Any, Any]], dict[str, np.ndarray]]:
    """Describe the obstacles of a scene and further pillars. Return them, and the poses of those that move.

    when : times of the frames [s]. pillars : (radius [m], height [m], function t → (x, y) [m]) of each.
    """
    found: list[dict[Any, Any]] = []
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
    size: tuple[Any, ...]
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
    """Convert a position and quaternion (7,) to a matrix of 16 numbers, column-major."""
    x, y, z, w, a, b, c = pose
    return plain(
        [
            1 - 2 * (b * b + c * c),
            2 * (a * b + w * c),
            2 * (a * c - w * b),
            0,
            2 * (a * b - w * c),
            1 - 2 * (a * a + c * c),
            2 * (b * c + w * a),
            0,
            2 * (a * c + w * b),
            2 * (b * c - w * a),
            1 - 2 * (a * a + b * b),
            0,
            x,
            y,
            z,
            1,
        ]
    )


KINDS = {"sphere": "ball", "ellipsoid": "ball"}
STICK_ENDS = ("vertex", "fingertip", "toe_tip", "heel")  # markers at which sticks end


def appearance(
    figure: Figure,
    links: Sequence[int] | None = None,
    *,
    skin: bool = True,
    limits: Any = None,
    folder: Path | None = None,
) -> dict[str, Any]:
    """Describe the appearance of a figure.

    Parameters
    ----------
    figure : the figure.
    links : indices of the links to include; None for all. Used for one of several combined figures.
    skin : whether to include the skin, which is computed once for each figure. Figures with meshes have no skin.
    limits : joint limits of a scene, in addition to those of the figure.
    folder : folder of the figure's file, from which meshes are read; None to leave meshes out.
    """
    own = list(range(figure.n)) if links is None else list(links)
    number = {i: k for k, i in enumerate(own)}
    prefix = _prefix(figure, own)
    q = figure.neutral()
    k = kinematics(figure, q)
    scene = scene_of(figure, q)
    meshes = _meshes(figure, own, number, folder) if folder is not None else []
    meshed = {m["link"] for m in meshes}
    solids = [_solid(s, k, number[s.link]) for s in scene.solids if s.link in number]
    solids = [s for s in solids if not (s["link"] in meshed and s.get("stick"))]
    return {
        "links": [_link(figure, i, number, prefix) for i in own],
        "solids": [*solids, *meshes],
        "sticks": _sticks(figure, own, number),
        "skin": skin_of(figure, tuple(own)) if skin and not meshes else None,
        "person": not meshes and is_person(figure, tuple(own)),
        "limits": limits_of(figure, own, number, prefix, limits),
        "markers": [
            {"name": m.name.removeprefix(prefix), "link": number[figure.link_index(m.link)], "point": plain(m.point)}
            for m in figure.markers
            if isinstance(m, Marker) and figure.link_index(m.link) in number
        ],
        "size": round(scene.size, 6),
    }


def _prefix(figure, own) -> str:
    """Return the common prefix of the link names of one of several figures, such as "anna/"."""
    heads = {figure.links[i].name.partition("/")[0] for i in own if "/" in figure.links[i].name}
    return f"{heads.pop()}/" if len(heads) == 1 and all("/" in figure.links[i].name for i in own) else ""


def _link(figure, i: int, number: dict[Any, Any], prefix: str) -> dict[Any, Any]:
    link, joint = figure.links[i], figure.joints[i]
    return {
        "name": link.name.removeprefix(prefix),
        "parent": number.get(figure.parent[i], -1),
        "mass": float(link.mass),
        "joint": {
            "name": joint.name.removeprefix(prefix),
            "kind": joint.kind,
            "dofs": [dof.removeprefix(prefix) for dof in joint.dofs],
            "axes": axes_of(joint),
            "lengths": [bool(x) for x in joint.lengths or (False,) * joint.nu],
            "lower": plain(joint.lower),
            "upper": plain(joint.upper),
            "frame": pose_of(joint.placement.rotation, joint.placement.origin),
        },
    }


def pose_of(rotation: Any, origin: Any) -> list[float]:
    """Convert a rotation (3, 3) and an origin (3,) to a matrix of 16 numbers, column-major."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, origin
    return plain(pose.T.ravel())


def _solid(s: Solid, k, link: int) -> dict[Any, Any]:
    """Describe a solid in its link's frame. k : kinematics of the figure. link : number of its link."""
    turn, place = k.rotation[s.link], k.position[s.link]
    size = (s.size[0],) * 3 if s.kind == "sphere" else s.size
    return {
        "link": link,
        "kind": KINDS.get(s.kind, s.kind),
        "size": plain(size),
        "pose": pose_of(turn.T @ s.rotation, turn.T @ (s.middle - place)),
        "colour": plain(s.colour),
        **({"stick": True} if s.colour is BONE else {}),  # a solid drawn for a link without shapes
    }


def _meshes(figure, own, number, folder) -> list[dict[Any, Any]]:
    """Read the meshes of a figure. Those that cannot be read are left out."""
    shapes = [(i, s) for i in own for s in figure.links[i].shapes if s.kind == "mesh" and s.file]
    found = []
    for i, shape in shapes:
        mesh = mesh_of(shape, folder)
        if mesh is not None:
            pose = pose_of(shape.placement.rotation, shape.placement.origin)
            colour = plain(shape.colour[:3]) if len(shape.colour) >= 3 else plain(BONE)
            found.append({"link": number[i], "kind": "mesh", "size": [], "pose": pose, "colour": colour, "mesh": mesh})
    return found


def _sticks(figure, own, number) -> list[Any]:
    """Return sticks (lines) from each joint to the joints of the child links, and to the ends of limbs."""
    found = []
    for i in own:
        hanging = [j for j in figure.children[i] if j in number and figure.joints[j].kind != "free"]
        for j in hanging:
            found.append([[number[i], 0.0, 0.0, 0.0], [number[j], 0.0, 0.0, 0.0]])
        ends = [
            m.point
            for m in figure.markers
            if isinstance(m, Marker) and m.link == figure.links[i].name and m.name.endswith(STICK_ENDS)
        ]
        if not hanging and not ends and np.abs(figure.links[i].centre).max() > 1e-9:
            ends = [2.0 * figure.links[i].centre]
        found += [[[number[i], 0.0, 0.0, 0.0], [number[i], *plain(end)]] for end in ends]
    return found
