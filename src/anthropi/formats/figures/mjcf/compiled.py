"""Read any MJCF file with MuJoCo's own compiler (package mujoco)."""

import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.algebra.rotation import matrix_from_quaternion
from anthropi.algebra.spatial import RigidInertia, Transform, identity
from anthropi.errors import FormatError, MissingExtra
from anthropi.figure import Marker, Shape
from anthropi.formats import limits
from anthropi.formats.decoding import number_in
from anthropi.formats.figures.common import Note, Notes, Reading
from anthropi.formats.figures.mjcf.bodies import Body, Dof, build, rooted, with_tensors
from anthropi.formats.figures.mjcf.includes import Files, read_model
from anthropi.formats.figures.xml import Node
from anthropi.formats.files import read_start

__all__ = ["read_compiled"]


def read_compiled(path: Path, root: Node, files: Files) -> Reading:
    """Read an MJCF file with MuJoCo. It may refer only to files in its folder and in the folders that are allowed.

    root : the root element of the file, with all included files. files : the allowed folders.
    """
    try:
        import mujoco
    except ImportError:
        raise MissingExtra("mujoco", "mjcf", "Reading all of MJCF") from None
    _check_references(root, files, {path.resolve()})
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        raise FormatError(f"{path.name}: MuJoCo cannot read this file: {error}") from None
    collected = Notes()
    bodies = with_tensors(rooted(_bodies(mujoco, model, files)), path.name, collected)
    figure, state = build(root.get("model") or path.stem, bodies, model.opt.gravity, path.name)
    counts = {"actuators": model.nu, "tendons": model.ntendon, "equality constraints": model.neq, "flexes": model.nflex}
    notes = [Note(path.name, f"{n} {what} are not part of a figure") for what, n in counts.items() if n]
    return Reading(figure, state, (*collected.all(), *notes))


COPIES = ("replicate", "composite", "flexcomp")  # elements that MuJoCo multiplies by their attribute `count`
PNG = b"\x89PNG\r\n\x1a\n"
MAX_RESERVED = 10_000  # numbers in <size> that multiply the size of a model
MAX_RESOLUTION = 200  # numbers in `params` of a builtin mesh


def _folders(node: Node) -> set[str]:
    """Return the folders that the file names for meshes, textures and other assets."""
    own = {value for name, value in node.attributes.items() if name.endswith("dir") and value}
    return own.union(*(_folders(child) for child in node.children))


def _check_references(root: Node, files: Files, seen: set[Path]) -> None:
    """Raise `FormatError` if MuJoCo would read outside the allowed folders, or multiply a few elements to very many.

    seen : files of models that have been checked: the model itself, and those it attaches.
    """
    _check_copies(root)
    folders, waiting = _folders(root), [root]
    while waiting:
        node = waiting.pop()
        for name, value in node.attributes.items():
            if name.endswith("dir") and value:
                files.within(files.folder, value, node)
            elif name.startswith("file") and value:
                for asset in _places(value, folders, node, files):
                    _check_asset(asset, node, files, seen)
        waiting += node.children


def _places(reference: str, folders: set[str], node: Node, files: Files) -> list[Path]:
    """Return the paths at which MuJoCo may look for a file: in the folders that the model names, or only its last name.

    `FormatError` if one of them is outside the folder of the model, also through symbolic links. If the user allows
    further folders, paths outside all of them are left out, unless there is a file.
    """
    bare = reference.replace("\\", "/").rpartition("/")[2]
    bases = [files.folder] if node.folder is None else [files.folder, node.folder]
    found: list[Path] = []
    refused: FormatError | None = None
    for base in bases:
        for name in (f"{start}{x}" for x in (reference, bare) if x for start in ("", *(f"{x}/" for x in folders))):
            try:
                found.append(files.within(base, name, node))
            except FormatError as error:
                if not files.others or os.path.lexists(os.path.join(base, name)):
                    raise
                refused = refused or error
    if not found and refused is not None:
        raise refused
    return found


def _check_asset(path: Path, node: Node, files: Files, seen: set[Path]) -> None:
    """Raise `FormatError` if a file that MuJoCo would read is too large or unpacks too far; check attached models."""
    if not path.is_file() or path.resolve() in seen:
        return
    seen.add(path.resolve())
    limits.check(f"{node.where}: {path.name}", "mesh_bytes", path.stat().st_size, "bytes")
    head = read_start(path, 24)
    if head.startswith(PNG):
        pixels = int.from_bytes(head[16:20], "big") * int.from_bytes(head[20:24], "big")
        limits.check(f"{node.where}: {path.name}", "mujoco_numbers", pixels, "pixels")
    if node.tag == "model":
        inner = files.of_attached(path)
        _check_references(read_model(path, inner, Notes()), inner, seen)


def _check_copies(root: Node) -> None:
    """Raise `FormatError` if MuJoCo would multiply a few elements or numbers to very many."""
    copies, waiting = 0, [(root, 1)]
    while waiting:
        node, times = waiting.pop()
        if node.tag in COPIES:
            times *= max(1, math.prod(_counts(node, "count")))
        if times > 1:
            copies += times
            limits.check(node.where, "mujoco_copies", copies, "copies of elements")
        size = {"texture": _product(node, "width", "height"), "hfield": _product(node, "nrow", "ncol")}
        limits.check(node.where, "mujoco_numbers", size.get(node.tag, 0), "numbers")
        if node.tag == "size":
            for key in (x for x in node.attributes if x.startswith(("nuser_", "nkey"))):
                if max(_counts(node, key), default=0) > MAX_RESERVED:
                    raise FormatError(f"{node.where}: {key} is above {MAX_RESERVED}. Give a smaller number.")
        if node.tag == "mesh" and max(_counts(node, "params"), default=0) > MAX_RESOLUTION:
            raise FormatError(f"{node.where}: params has a number above {MAX_RESOLUTION}. Give a lower resolution.")
        waiting += [(child, times) for child in node.children]


def _product(node: Node, *names: str) -> int:
    """Return the product of attributes; 0 if one is missing."""
    return math.prod(next(iter(_counts(node, name)), 0) for name in names)


def _counts(node: Node, name: str) -> list[int]:
    """Return the whole parts of the numbers in an attribute, at most 1e18 each. MuJoCo reports what is not a number."""
    words = (node.get(name) or "").split(None, 20)[:20]
    return [int(min(abs(x), 1e18)) for x in map(number_in, words) if x is not None]


def _bodies(mujoco, model, files: Files) -> list[Body]:
    """Return the bodies of a compiled model. The first one is the world."""
    markers: dict[int, list[Marker]] = {}
    for k in range(model.nsite):
        owner = int(model.site_bodyid[k])
        name = model.body(owner).name or f"body{owner}"
        site = Marker(model.site(k).name or f"{name}_site{k}", name, model.site_pos[k].copy())
        markers.setdefault(owner, []).append(site)
    bodies = []
    for b in range(model.nbody):
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
            if (s := _shape(mujoco, model, g, files)) is not None
        ]
        sites = markers.get(b, [])
        place = _pose(model.body_pos[b], model.body_quat[b]) if b else identity()
        parent = int(model.body_parentid[b]) if b else -1
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


def _shape(mujoco, model, g: int, files: Files) -> Shape | None:
    types: Any = mujoco.mjtGeom
    size = model.geom_size[g].tolist()
    sizes = {
        types.mjGEOM_SPHERE: ("sphere", size[:1]),
        types.mjGEOM_CAPSULE: ("capsule", [size[0], 2.0 * size[1]]),
        types.mjGEOM_CYLINDER: ("cylinder", [size[0], 2.0 * size[1]]),
        types.mjGEOM_ELLIPSOID: ("ellipsoid", size),
        types.mjGEOM_BOX: ("box", [2.0 * s for s in size]),
    }
    kind = types(int(model.geom_type[g]))
    place, name = _pose(model.geom_pos[g], model.geom_quat[g]), model.geom(g).name
    colour = tuple(model.geom_rgba[g].tolist())
    if kind == types.mjGEOM_MESH:
        return _mesh(model, g, place, name, colour, files)
    found = sizes.get(kind)
    if found is None:
        return None  # planes and height fields belong to the scene
    return Shape(found[0], tuple(found[1]), place, name, "", colour)


def _mesh(model, g: int, place: Transform, name: str, colour: tuple[float, ...], files: Files) -> Shape | None:
    """Return the shape of a mesh in the frame of its file, from which the compiler moved it; None without a file."""
    m, q = int(model.geom_dataid[g]), np.zeros(4)
    start = int(model.mesh_pathadr[m])
    reference = model.paths[start:].split(b"\0", 1)[0].decode("utf-8", "replace") if start >= 0 else ""
    path = Path(reference) if Path(reference).is_absolute() else files.folder / reference
    if not reference or not path.is_file():
        return None
    file, folder = files.place(path)
    q[:] = model.mesh_quat[m]
    inner = _pose(model.mesh_pos[m], q).inverse()
    return Shape("mesh", tuple(model.mesh_scale[m].tolist()), place @ inner, name, file, colour, folder)
