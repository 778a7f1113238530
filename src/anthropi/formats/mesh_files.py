"""Read mesh files: STL (binary and text), OBJ, and MSH (the binary format of MuJoCo).

Only vertices and faces are read; normals, texture coordinates and materials are ignored. The polygons of an OBJ file
are split into triangles. An MSH file contains, little-endian: four int32 (numbers of vertices, normals, texture
coordinates, faces), the vertices, normals and texture coordinates as float32, and the faces as int32.
"""

import io
import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from anthropi.errors import FileError, FormatError
from anthropi.formats import limits
from anthropi.formats.files import read_bytes

__all__ = ["EXTENSIONS", "MeshData", "binary_stl", "is_binary_stl", "load_mesh", "read_mesh"]

EXTENSIONS = (".stl", ".obj", ".msh")
VERTEX = re.compile(rb"\bvertex\s+(\S{1,60})\s+(\S{1,60})\s+(\S{1,60})")
STL_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])


class MeshData(NamedTuple):
    """Vertices (n, 3), in the units of the file, and triangles (m, 3), counter-clockwise from outside."""

    vertices: np.ndarray
    faces: np.ndarray

    @property
    def corners(self) -> np.ndarray:
        """The corners of the triangles, (m, 3, 3)."""
        return self.vertices[self.faces]


def read_mesh(path: Path) -> np.ndarray:
    """Read the triangles (n, 3, 3) of an .stl, .obj or .msh file."""
    found = load_mesh(path)
    if not len(found.faces):
        raise FormatError(f"{path.name} has 0 triangles. A mesh needs some, with finite coordinates.")
    return found.corners


def load_mesh(path: Path, as_mujoco: bool = False) -> MeshData:
    """Read the vertices and triangles of an .stl, .obj or .msh file. An .obj or .msh file may have no triangles.

    as_mujoco : whether to read only the faces of an .obj file that MuJoCo reads: those of the first object or group,
        without those of more than 100 corners.
    """
    kind = path.suffix.lower()
    if kind not in READERS:
        raise FormatError(f"{path.name} is not a mesh. Give an {', '.join(EXTENSIONS[:-1])} or {EXTENSIONS[-1]} file.")
    data = read_bytes(path, "mesh_bytes")
    try:
        found = READERS[kind](data, path.name, as_mujoco)
    except (ValueError, IndexError, OverflowError) as error:
        if isinstance(error, FileError):
            raise
        raise FormatError(f"{path.name} is not a valid {kind} file: {error}.") from None
    if not len(found.vertices) or not np.isfinite(found.vertices).all():
        raise FormatError(f"{path.name} has {len(found.faces)} triangles. A mesh needs some, with finite coordinates.")
    if len(found.faces) and (found.faces.min() < 0 or found.faces.max() >= len(found.vertices)):
        raise FormatError(f"{path.name} is not a valid {kind} file: a face refers to a vertex that does not exist.")
    return found


def binary_stl(mesh: MeshData) -> bytes:
    """Return the content of a binary STL file."""
    rows = np.zeros(len(mesh.faces), STL_FACET)
    rows["corners"] = mesh.corners
    return bytes(80) + len(rows).to_bytes(4, "little") + rows.tobytes()


def is_binary_stl(data: bytes) -> bool:
    """Check whether the size of a file is that of a binary STL file with the number of triangles it states."""
    return len(data) >= 84 and len(data) == 84 + 50 * int.from_bytes(data[80:84], "little")


def _stl(data: bytes, name: str, as_mujoco: bool) -> MeshData:
    if is_binary_stl(data):
        count = int.from_bytes(data[80:84], "little")
        limits.check(name, "mesh_triangles", count, "triangles")
        triangles = np.frombuffer(data, STL_FACET, count, 84)["corners"].astype(float)
    else:
        limits.check(name, "mesh_triangles", data.count(b"vertex") // 3, "triangles")
        triangles = np.array([[float(x) for x in found.groups()] for found in VERTEX.finditer(data)]).reshape(-1, 3, 3)
    return MeshData(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))


def _obj(data: bytes, name: str, as_mujoco: bool) -> MeshData:
    points: list[list[float]] = []
    faces: list[Triangle] = []
    done, splitter = False, _Splitter(name)
    most = limits.current().mesh_triangles
    for line in io.StringIO(data.decode("utf-8", "replace")):
        kind = line.lstrip()[:2].strip()
        if kind == "v":
            points.append([float(x) for x in line.split(None, 4)[1:4]])
        elif kind in ("o", "g") and as_mujoco and faces:
            done = True  # vertices are read on: they belong to the convex hull
        elif kind == "f" and not done:
            if as_mujoco and len(line.split(None, MAX_CORNERS + 1)) > MAX_CORNERS + 1:
                continue
            corner = [int(word.partition("/")[0]) for word in line.split(None, 3 * most)[1:]]
            corner = [k - 1 if k > 0 else len(points) + k for k in corner]
            faces += splitter.triangles(corner, points)
        if len(faces) > most or len(points) > 3 * most:
            raise limits.exceeded(name, "mesh_triangles", f"more than {most} triangles")
    return MeshData(np.array(points, float).reshape(-1, 3), np.array(faces, int).reshape(-1, 3))


Triangle = tuple[int, int, int]
MAX_CORNERS = 100  # of a face of an .obj file that MuJoCo reads
FLOAT32_EPSILON = float(np.finfo(np.float32).eps)


class _Splitter:
    """Split polygons into triangles, in single precision, as the library tinyobjloader does, which MuJoCo uses."""

    def __init__(self, name: str) -> None:
        self.name, self.tries = name, 0

    def triangles(self, corner: list[int], points: list[list[float]]) -> list[Triangle]:
        """Return the triangles of a polygon."""
        if not 3 < len(corner) <= MAX_CORNERS:
            return [(corner[0], a, b) for a, b in pairwise(corner[1:])]
        if min(corner) < 0 or max(corner) >= len(points):
            raise ValueError("a face refers to a vertex that is not defined before it")
        p = np.array([points[i] for i in corner], np.float32)
        found = _quadrilateral(p) if len(corner) == 4 else self._ears(p)
        return [(corner[i], corner[j], corner[k]) for i, j, k in found]

    def _ears(self, p: np.ndarray) -> list[Triangle]:
        """Cut off one corner of a polygon (n, 3) after another, if the triangle contains no other corner.

        Like tinyobjloader, this drops the rest of a polygon in which no corner can be cut off.
        """
        u, v = _plane(p)
        left, found = list(range(len(p))), []
        at, tries, before = 0, len(left), len(left)
        while len(left) > 3 and tries > 0:
            self.tries += 1
            limits.check(self.name, "mesh_triangles", self.tries, "attempts to split its faces")
            n = len(left)
            at -= n if at >= n else 0
            tries, before = (n, n) if before != n else (tries - 1, n)
            order = [left[(at + k) % n] for k in range(n)]
            x, y = p[order, u], p[order, v]
            turn = (x[1] - x[0]) * (y[2] - y[1]) - (y[1] - y[0]) * (x[2] - x[1])
            area = (x[0] * y[1] - y[0] * x[1]) * np.float32(0.5)
            if turn * area < 0.0 or _inside(x, y).any():
                at += 1
                continue
            found.append((order[0], order[1], order[2]))
            del left[(at + 1) % n]
        return [*found, (left[0], left[1], left[2])] if len(left) == 3 else found


def _quadrilateral(p: np.ndarray) -> list[Triangle]:
    """Split a polygon of four corners along its shorter diagonal; along the second one if they are equal."""
    first, second = (((p[i] - p[j]) ** 2).sum() for i, j in ((0, 2), (1, 3)))
    return [(0, 1, 2), (0, 2, 3)] if first < second else [(0, 1, 3), (1, 2, 3)]


def _plane(p: np.ndarray) -> tuple[int, int]:
    """Return the two axes of the coordinate plane that is nearest to the plane of a polygon (n, 3)."""
    first, second = np.roll(p, -1, 0) - p, np.roll(p, -2, 0) - np.roll(p, -1, 0)
    for x, y, z in np.abs(np.cross(first, second)):
        if max(x, y, z) > FLOAT32_EPSILON:  # the first corner that is not straight
            return (1, 2) if x > y and x > z else (0, 1) if z > x and z > y else (0, 2)
    return 1, 2


def _inside(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Check which of the points after the third are in the triangle of the first three, by crossings of its edges."""
    px, py = x[3:], y[3:]
    inside = np.zeros(len(px), bool)
    with np.errstate(all="ignore"):
        for i, j in ((0, 2), (1, 0), (2, 1)):
            between = (y[i] > py) != (y[j] > py)
            inside ^= between & (px < (x[j] - x[i]) * (py - y[i]) / (y[j] - y[i]) + x[i])
    return inside


def _msh(data: bytes, name: str, as_mujoco: bool) -> MeshData:
    header = np.frombuffer(data, "<i4", 4) if len(data) >= 16 else np.full(4, -1)
    vertices, normals, textures, faces = (int(x) for x in header)
    limits.check(name, "mesh_triangles", max(faces, vertices // 3), "triangles")
    size = 16 + 12 * vertices + 12 * normals + 8 * textures + 12 * faces
    if min(vertices, normals, textures, faces) < 0 or size != len(data):
        raise ValueError("its header does not fit its size")
    points = np.frombuffer(data, "<f4", 3 * vertices, 16).astype(float).reshape(-1, 3)
    corners = np.frombuffer(data, "<i4", 3 * faces, size - 12 * faces).astype(int).reshape(-1, 3)
    return MeshData(points, corners)


READERS = {".stl": _stl, ".obj": _obj, ".msh": _msh}
