"""Read <asset>: colours of materials, meshes, and models to attach.

A mesh has vertices x in its file, and x' = s ∘ Rᵀ(x - r) in the frame of a geom, with its scale s, and r and R from the
attributes `refpos` and `refquat`. Its file is opened only if the inertia of a body or the size of a geom depends on it.
Coordinates are rounded to single precision, as MuJoCo stores them.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform
from anthropi.errors import FormatError, did_you_mean
from anthropi.formats import limits
from anthropi.formats.decoding import number_in
from anthropi.formats.figures.common import Notes
from anthropi.formats.figures.mjcf.elements import Defaults, Settings, check_attributes, refuse_element
from anthropi.formats.figures.mjcf.includes import Files
from anthropi.formats.figures.mjcf.mesh_inertia import MODES, MeshInertia, convex_hull, mesh_inertia
from anthropi.formats.figures.xml import Node, read_xml
from anthropi.formats.mesh_files import MeshData, load_mesh

__all__ = ["Assets", "MeshAsset"]

KNOWN = ("material", "mesh", "texture", "hfield", "skin", "model")
MAX_COORDINATE = 1e10  # of a vertex, scaled or not; MuJoCo's mjMAXVAL
MIN_HULL_VERTICES = 4  # smallest value of `maxhullvert`


@dataclass
class MeshAsset:
    """A <mesh>: its file or vertices, and its transformation to the frame of a geom.

    node : the element with inherited attributes. path : its file, or None. file, folder : of the shape. given :
    vertices in the XML file, or None. scale (3,), refpos (3,), reference (3, 3) : s, r and R. mode : of the inertia.
    """

    node: Node
    path: Path | None
    file: str
    folder: str
    given: MeshData | None
    scale: np.ndarray
    refpos: np.ndarray
    reference: np.ndarray
    mode: str
    hull_vertices: int

    @property
    def placement(self) -> Transform | None:
        """Pose of the scaled file in the frame of a geom. None if it is not a rigid motion."""
        s = self.scale
        if (self.reference == np.eye(3)).all():
            return Transform(np.eye(3), -s * self.refpos)
        if s[0] == s[1] == s[2]:
            return Transform(self.reference.T, -s[0] * (self.reference.T @ self.refpos))
        return None

    @cached_property
    def data(self) -> MeshData:
        """The mesh in the frame of a geom. A mesh without faces has those of its convex hull."""
        if self.path is None and self.given is None:
            raise FormatError(
                f"{self.node.where} has neither a file nor vertices, but the inertia of a body depends on it. Save the "
                'mesh to a file, give the body an <inertial>, or load the model with by="mujoco".'
            )
        if self.path is not None and not self.path.is_file():
            raise FormatError(
                f"{self.node.where}: no file '{self.file}', but the inertia of a body depends on it. Copy it there, or "
                "give the body an <inertial>."
            )
        found = self.given if self.path is None else load_mesh(self.path, as_mujoco=True)
        assert found is not None
        found = MeshData(found.vertices.astype(np.float32).astype(float), found.faces)
        if self.mode == "convex" or not len(found.faces):
            options = "Qt" if self.hull_vertices < 0 else f"Qt Q9 TA{self.hull_vertices - MIN_HULL_VERTICES}"
            found = convex_hull(found, self.node.where, options)
        moved = ((found.vertices - self.refpos) @ self.reference) * self.scale
        if not np.isfinite(moved).all() or np.abs(moved).max(initial=0.0) > MAX_COORDINATE:
            raise FormatError(f"{self.node.where} has coordinates that are too large. Check the scale.")
        faces = found.faces[:, ::-1] if self.scale.prod() < 0.0 else found.faces
        return MeshData(moved, faces)

    @cached_property
    def inertia(self) -> MeshInertia:
        """The inertia of the mesh in the frame of a geom, for unit density."""
        mode = "exact" if self.mode == "convex" else self.mode
        return mesh_inertia(self.data, mode, f"{self.node.where}, file '{self.file}'" if self.file else self.node.where)

    def fitted(self, kind: str, scale: float, settings: Settings) -> tuple[Transform, np.ndarray]:
        """Return the pose and the MJCF size (3,) of a primitive that is fitted to the mesh.

        It has the inertia of the mesh, or with <compiler fitaabb="true"> its bounding box along the principal axes.
        """
        box, axes = self.inertia.box()
        centre, size = self.inertia.centre, np.zeros(3)
        if settings.fit_box:
            along = (self.data.vertices - centre) @ axes
            low, high = along.min(0), along.max(0)
            centre, box = centre + axes @ (0.5 * (low + high)), 0.5 * (high - low)
        if kind in ("box", "ellipsoid"):
            size = box
        elif kind == "sphere":
            size[0] = box.max() if settings.fit_box else box.mean()
        elif settings.fit_box:
            size[:2] = box[:2].max(), box[2] - (box[:2].max() if kind == "capsule" else 0.0)
        else:
            size[0] = 0.5 * (box[0] + box[1])
            size[1] = max(0.0, box[2] - 0.5 * size[0]) if kind == "capsule" else box[2]
        return Transform(axes, centre), size * scale


class Assets:
    """The materials, meshes and models of a file, by name."""

    def __init__(self, root: Node, settings: Settings, defaults: Defaults, files: Files, notes: Notes) -> None:
        self.colours: dict[str, tuple[float, ...]] = {}
        self.meshes: dict[str, MeshAsset] = {}
        self.models: dict[str, Path] = {}
        self.files = files
        for node in (child for section in root.all("asset") for child in section.children):
            if node.tag not in KNOWN:
                refuse_element(node, "asset", KNOWN)
            if node.tag == "material":
                full = defaults.full(node, "")
                if "rgba" in full.attributes:
                    self.colours[node.get("name", "") or ""] = tuple(full.numbers("rgba", 4).tolist())
            elif node.tag == "mesh":
                full = defaults.full(node, "")
                check_attributes(full, notes)
                mesh = self._mesh(full, settings)
                self.meshes[node.get("name") or PurePosixPath(mesh.file).stem] = mesh
            elif node.tag == "model":
                check_attributes(node, notes)
                path = files.find(node.need("file"), node)
                self.models[node.get("name") or read_xml(path).get("model") or ""] = path
            else:
                notes.add(f"{node.file}: <asset>", f"<{node.tag}> is not part of a figure", matters=False)

    def _mesh(self, node: Node, settings: Settings) -> MeshAsset:
        reference, path, file, folder = node.get("file") or "", None, "", ""
        if reference:
            start = settings.mesh_folder or settings.asset_folder
            path = self.files.find(reference, node, start, settings.strip_path)
            file, folder = self.files.place(path)
        mode = node.choice("inertia", MODES, "exact" if settings.exact_meshes else "legacy")
        limit = int(node.number("maxhullvert", -1.0))
        if limit != -1 and not MIN_HULL_VERTICES <= limit <= limits.current().mesh_triangles:
            raise FormatError(f"{node.where} has maxhullvert={limit}. Give at least {MIN_HULL_VERTICES}, or -1.")
        q = node.numbers("refquat", 4, (1.0, 0.0, 0.0, 0.0))
        if not 1e-14 < np.linalg.norm(q) < np.inf:
            raise FormatError(f'{node.where} has refquat="{node.get("refquat")}". Give a quaternion that is not zero.')
        return MeshAsset(
            node=node,
            path=path,
            file=file,
            folder=folder,
            given=_vertices(node) if not reference and "vertex" in node.attributes else None,
            scale=node.numbers("scale", 3, (1.0, 1.0, 1.0)),
            refpos=node.numbers("refpos", 3, (0.0, 0.0, 0.0)),
            reference=rot.matrix_from_quaternion(q / np.linalg.norm(q)) if q[1:].any() else np.eye(3),
            mode=mode,
            hull_vertices=limit,
        )

    def mesh(self, geom: Node) -> MeshAsset:
        """Return the mesh of a geom."""
        name = geom.need("mesh")
        if name not in self.meshes:
            listed = ", ".join(self.meshes) or "none"
            raise FormatError(
                f"{geom.where} refers to the mesh '{name[:80]}', which no <asset> defines."
                f"{did_you_mean(name, self.meshes)} Meshes: {listed[:300]}."
            )
        return self.meshes[name]


def _vertices(node: Node) -> MeshData:
    """Return the mesh in the attributes `vertex` and `face`."""
    numbers, corners = _list(node, "vertex"), _list(node, "face")
    if len(numbers) % 3 or len(corners) % 3 or len(numbers) < 12:
        raise FormatError(f"{node.where}: give 3 coordinates of at least 4 vertices, and 3 corners of each face.")
    faces = corners.astype(int)
    if len(faces) and not ((faces == corners).all() and faces.min() >= 0 and faces.max() < len(numbers) // 3):
        raise FormatError(f"{node.where}: a face refers to a vertex that does not exist.")
    return MeshData(numbers.reshape(-1, 3), faces.reshape(-1, 3))


def _list(node: Node, name: str) -> np.ndarray:
    """Return the numbers of an attribute, of which there may be many; none if it is missing."""
    words = (node.get(name) or "").split()
    limits.check(node.where, "mesh_triangles", len(words) // 3, f"groups of three numbers in {name}")
    found = [number_in(word) for word in words]
    if any(x is None or not abs(x) < MAX_COORDINATE for x in found):
        raise FormatError(f"{node.where}: {name} contains a word that is not a number, or a number that is too large.")
    return np.array(found, float)
