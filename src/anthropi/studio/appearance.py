"""What a figure looks like, as JSON for the stage: solids, sticks, skin, limits and markers, each in a link's frame.

    links    {name, parent, mass, joint: {name, kind, dofs, axes, lengths, lower, upper, frame}}
    solids   {link, kind, size, pose, colour}: ball (three semi-axes), box (three sides), cylinder and capsule (radius,
             length along z without the ends), mesh (`mesh`: positions, normals, indices; no size)
    sticks   [[link, x, y, z], [link, x, y, z]]: from one point to the other
    skin     {positions, normals, colours, joints, weights, indices, bind}, packed arrays (weights in 255ths, colours as
             screens have them, bind: place and quaternion of every link in this pose), or None
    limits   {link, joint, kind, …} in the joint's frame, which is `joint.frame` in the parent: see `limits_of`
    markers  {name, link, point}

Links are numbered within the figure; a parent of -1 is the world. Poses are 16 numbers, column after column. `axes` are
those of the degrees of freedom in the joint's frame, in the neutral pose; `lengths` says which of them slide.
"""

from typing import Any

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.figure.parts import Marker
from anthropi.pictures.solids import BONE, Solid, scene_of
from anthropi.studio.limits import axes_of, limits_of
from anthropi.studio.meshes import mesh_of
from anthropi.studio.packed import plain
from anthropi.studio.skin import skin_of

__all__ = ["appearance"]

KINDS = {"sphere": "ball", "ellipsoid": "ball"}
ENDS = ("vertex", "fingertip", "toe_tip", "heel")  # markers that sticks go on to


def appearance(figure, links=None, *, skin: bool = True, limits=None, folder=None) -> dict[str, Any]:
    """What is there to see of a figure?

    links : numbers of the links that are meant, all if None: one of several figures that are together.
    skin : whether its surface is wanted; it is made once a figure. limits : of a scene, beside the figure's own.
    folder : of the figure's file, for its meshes; without it they are left out. With meshes there is no skin.
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
        "limits": limits_of(figure, own, number, prefix, limits),
        "markers": [
            {"name": m.name.removeprefix(prefix), "link": number[figure.link_index(m.link)], "point": plain(m.point)}
            for m in figure.markers
            if isinstance(m, Marker) and figure.link_index(m.link) in number
        ],
        "size": round(scene.size, 6),
    }


def _prefix(figure, own) -> str:
    """What all names of one of several figures begin with: "anna/"."""
    heads = {figure.links[i].name.partition("/")[0] for i in own if "/" in figure.links[i].name}
    return f"{heads.pop()}/" if len(heads) == 1 and all("/" in figure.links[i].name for i in own) else ""


def _link(figure, i: int, number: dict, prefix: str) -> dict:
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


def pose_of(rotation, origin) -> list[float]:
    """A pose as 16 numbers, column after column."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, origin
    return plain(pose.T.ravel())


def _solid(s: Solid, k, link: int) -> dict:
    """A solid in its link's frame."""
    turn, place = k.rotation[s.link], k.position[s.link]
    size = (s.size[0],) * 3 if s.kind == "sphere" else s.size
    return {
        "link": link,
        "kind": KINDS.get(s.kind, s.kind),
        "size": plain(size),
        "pose": pose_of(turn.T @ s.rotation, turn.T @ (s.middle - place)),
        "colour": plain(s.colour),
        **({"stick": True} if s.colour is BONE else {}),  # it stands for a link without shapes
    }


def _meshes(figure, own, number, folder) -> list[dict]:
    """The meshes of the figure's file, where they can be read."""
    shapes = [(i, s) for i in own for s in figure.links[i].shapes if s.kind == "mesh" and s.file]
    found = []
    for i, shape in shapes:
        mesh = mesh_of(shape, folder)
        if mesh is not None:
            pose = pose_of(shape.placement.rotation, shape.placement.origin)
            colour = plain(shape.colour[:3]) if len(shape.colour) >= 3 else plain(BONE)
            found.append({"link": number[i], "kind": "mesh", "size": [], "pose": pose, "colour": colour, "mesh": mesh})
    return found


def _sticks(figure, own, number) -> list:
    """From each joint to those that hang on its link, and to the ends of limbs."""
    found = []
    for i in own:
        hanging = [j for j in figure.children[i] if j in number and figure.joints[j].kind != "free"]
        for j in hanging:
            found.append([[number[i], 0.0, 0.0, 0.0], [number[j], 0.0, 0.0, 0.0]])
        ends = [m.point for m in figure.markers if isinstance(m, Marker) and m.link == figure.links[i].name
                and m.name.endswith(ENDS)]  # fmt: skip
        if not hanging and not ends and np.abs(figure.links[i].centre).max() > 1e-9:
            ends = [2.0 * figure.links[i].centre]
        found += [[[number[i], 0.0, 0.0, 0.0], [number[i], *plain(end)]] for end in ends]
    return found
