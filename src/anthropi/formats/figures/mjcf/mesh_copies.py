"""Write the meshes of a figure, so that the written MJCF file does not depend on other folders.

A mesh file in the folder of the written file, or below it, is used where it is. Any other one is copied to the folder
NAME_meshes beside the file NAME.xml. MuJoCo does not read text STL files, so they become binary ones.
"""

from pathlib import Path

import numpy as np

from anthropi.errors import FileError, FormatError
from anthropi.figure import Shape
from anthropi.formats.figures.common import Notes
from anthropi.formats.files import confined, read_bytes, refuse_to_write, write_whole
from anthropi.formats.mesh_files import EXTENSIONS, MeshData, binary_stl, is_binary_stl, load_mesh

__all__ = ["MeshCopies"]

MIN_VERTICES = 4  # different vertices that a mesh needs in MuJoCo
MIN_THICKNESS = 1e-6  # of a mesh relative to its length; thinner ones have no convex hull and do not collide


class MeshCopies:
    """The meshes of one written file.

    path : the file. names : of the meshes, by their file, folder and scale; None for a mesh that is left out. flat :
    names of meshes without volume, which cannot collide.
    """

    def __init__(self, path: Path, notes: Notes) -> None:
        self.path, self.notes = path, notes
        self.names: dict[tuple[str, str, tuple[float, ...]], str | None] = {}
        self.files: dict[str, str] = {}  # file of each mesh that is written, relative to the folder of the path
        self.scales: dict[str, tuple[float, ...]] = {}
        self.flat: set[str] = set()
        self.copied: dict[str, bytes] = {}

    def name(self, shape: Shape) -> str | None:
        """Return the name of the mesh of a shape; None, with a note, if it cannot be written."""
        key = (shape.file, shape.folder, tuple(shape.size))
        if key not in self.names:
            self.names[key] = self._added(shape)
        return self.names[key]

    def _added(self, shape: Shape) -> str | None:
        where = f"mesh '{shape.file}'"
        folder = Path(shape.folder) if shape.folder else self.path.parent
        try:
            source = confined(folder, shape.file, where)
            if source.suffix.lower() not in EXTENSIONS:
                raise FormatError(f"{where}: MuJoCo reads only {', '.join(EXTENSIONS)} files.")
            mesh = load_mesh(source, as_mujoco=True)
        except FileError as error:
            self.notes.add(where, f"it is left out, because it cannot be read: {error}")
            return None
        corners = np.unique(mesh.vertices, axis=0) if len(mesh.vertices) < 100 else mesh.vertices
        if len(corners) < MIN_VERTICES:
            self.notes.add(where, f"it is left out, because it has fewer than {MIN_VERTICES} vertices", matters=False)
            return None
        name = f"mesh{len(self.files) + 1}"
        self.files[name] = self._file(source, mesh)
        self.scales[name] = tuple(shape.size)
        spread = np.linalg.eigvalsh(np.cov(corners.T))
        if not spread[0] > MIN_THICKNESS**2 * spread[-1]:
            self.flat.add(name)
        return name

    def _file(self, source: Path, mesh: MeshData) -> str:
        """Return the file of a mesh relative to the written file, and copy it if necessary."""
        data = read_bytes(source, "mesh_bytes")
        converted = source.suffix.lower() == ".stl" and not is_binary_stl(data)
        here = self.path.parent.resolve()
        if not converted and source.resolve().is_relative_to(here):
            return source.resolve().relative_to(here).as_posix()
        data = binary_stl(mesh) if converted else data
        folder, name, count = self.path.with_name(f"{self.path.stem}_meshes"), source.name, 1
        while self.copied.get(name, data) != data:
            count += 1
            name = f"{source.stem}_{count}{source.suffix}"
        if name not in self.copied:
            self.copied[name] = data
            try:
                folder.mkdir(exist_ok=True)
            except OSError as error:
                raise refuse_to_write(folder, error) from None
            write_whole(folder / name, lambda file: file.write(data))
        return f"{folder.name}/{name}"
