"""Read any MJCF file with MuJoCo's own compiler (package mujoco)."""

from pathlib import Path
from typing import Any

import numpy as np

from anthropi.algebra.rotation import matrix_from_quaternion
from anthropi.algebra.spatial import RigidInertia, Transform, identity
from anthropi.errors import FormatError, MissingExtra
from anthropi.figure import Marker, Shape
from anthropi.formats.figures.common import Note, Reading
from anthropi.formats.figures.mjcf.bodies import Body, Dof, build
from anthropi.formats.figures.xml import Node
from anthropi.formats.files import confined

__all__ = ["read_compiled"]


def read_compiled(path: Path, root: Node) -> Reading:
    """Read an MJCF file with MuJoCo. References to other files must stay in its folder."""
    try:
        import mujoco
    except ImportError:
        raise MissingExtra("mujoco", "mjcf", "Reading all of MJCF") from None
    _confine(root, path)
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        raise FormatError(f"{path.name}: MuJoCo cannot read this file: {error}") from None
    bodies = _bodies(mujoco, model)
    figure, state = build(root.get("model") or path.stem, bodies, model.opt.gravity, path.name)
    counts = {"actuators": model.nu, "tendons": model.ntendon, "equality constraints": model.neq, "flexes": model.nflex}
    notes = [Note(path.name, f"{n} {what} are not part of a figure") for what, n in counts.items() if n]
    return Reading(figure, state, tuple(notes))


def _confine(node: Node, path: Path) -> None:
    """Raise `FormatError` for references that lead out of the folder, which MuJoCo would follow."""
    for name, value in node.attributes.items():
        if (name.startswith("file") or name.endswith("dir")) and value:
            confined(path.parent, value, node.where)
    if node.tag == "include":
        raise FormatError(
            f'{node.where}: with by="mujoco" a model must be one file. Replace <include> by the content of the file.'
        )
    for child in node.children:
        _confine(child, path)


def _bodies(mujoco, model) -> list[Body]:
    tops = [b for b in range(1, model.nbody) if model.body_parentid[b] == 0]
    first = 1 if len(tops) == 1 else 0
    bodies = []
    for b in range(first, model.nbody):
        body = model.body(b)
        name = body.name or f"body{b}"
        mass = float(model.body_mass[b])
        inertia = _inertia(model, b) if mass > 0.0 else None
        dofs = [
            _dof(mujoco, model, j) for j in range(model.body_jntadr[b], model.body_jntadr[b] + model.body_jntnum[b])
        ]
        shapes = [
            s
            for g in range(model.body_geomadr[b], model.body_geomadr[b] + model.body_geomnum[b])
            if (s := _shape(mujoco, model, g)) is not None
        ]
        sites = [
            Marker(model.site(s).name or f"{name}_site{s}", name, model.site_pos[s].copy())
            for s in range(model.nsite)
            if model.site_bodyid[s] == b
        ]
        place = _pose(model.body_pos[b], model.body_quat[b]) if b else identity()
        parent = -1 if b == first else int(model.body_parentid[b]) - first
        bodies.append(Body(name, parent, place, model.body_quat[b].copy(), dofs, inertia, shapes, sites, b == 0))
    return bodies


def _pose(position, quaternion) -> Transform:
    return Transform(matrix_from_quaternion(np.array(quaternion)), np.array(position))


def _inertia(model, b: int) -> RigidInertia:
    C = matrix_from_quaternion(np.array(model.body_iquat[b]))
    tensor = (C * model.body_inertia[b]) @ C.T
    return RigidInertia(float(model.body_mass[b]), model.body_ipos[b].copy(), 0.5 * (tensor + tensor.T))


def _dof(mujoco, model, j: int) -> Dof:
    kind = mujoco.mjtJoint(int(model.jnt_type[j])).name.removeprefix("mjJNT_").lower()
    q, u = model.jnt_qposadr[j], model.jnt_dofadr[j]
    plain = kind in ("hinge", "slide")
    number = lambda a: float(np.ravel(a)[0])  # noqa: E731  some versions store polynomials
    return Dof(
        name=model.joint(j).name or f"joint{j}",
        kind=kind,
        axis=model.jnt_axis[j].copy(),
        anchor=model.jnt_pos[j].copy(),
        ref=float(model.qpos0[q]) if plain else 0.0,
        rest=float(model.qpos_spring[q]) if plain else 0.0,
        limits=tuple(model.jnt_range[j].tolist()) if plain and model.jnt_limited[j] else None,
        stiffness=number(model.jnt_stiffness[j]),
        damping=number(model.dof_damping[u]),
        armature=number(model.dof_armature[u]),
    )


def _shape(mujoco, model, g: int) -> Shape | None:
    types: Any = mujoco.mjtGeom
    size = model.geom_size[g].tolist()
    sizes = {
        types.mjGEOM_SPHERE: ("sphere", size[:1]),
        types.mjGEOM_CAPSULE: ("capsule", [size[0], 2.0 * size[1]]),
        types.mjGEOM_CYLINDER: ("cylinder", [size[0], 2.0 * size[1]]),
        types.mjGEOM_ELLIPSOID: ("ellipsoid", size),
        types.mjGEOM_BOX: ("box", [2.0 * s for s in size]),
    }
    found = sizes.get(types(int(model.geom_type[g])))
    if found is None:
        return None  # planes and height fields belong to the scene; a compiled mesh has no file
    colour = tuple(model.geom_rgba[g].tolist())
    return Shape(
        found[0], tuple(found[1]), _pose(model.geom_pos[g], model.geom_quat[g]), model.geom(g).name, "", colour
    )
