"""Meshes of a figure's file: STL (binary and text) and OBJ, as triangles with normals. Floats only.

Only files in the figure's folder are read, of a bounded size; what cannot be read is left out, and the link is seen by
its other shapes.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np

from anthropi.errors import FileError, FormatError
from anthropi.formats.files import confined, read_bytes
from anthropi.studio.packed import packed

__all__ = ["mesh_of", "read_mesh"]

LARGEST = 64 * 2**20  # bytes
MOST = 500_000  # triangles
SHARP = np.cos(np.deg2rad(40.0))  # faces that meet more bluntly are shaded as one


def mesh_of(shape, folder) -> dict | None:
    """A mesh shape as JSON: positions, normals, indices, packed; None if it cannot be read."""
    try:
        triangles = read_mesh(confined(Path(folder), shape.file, f"shape '{shape.name}'"))
    except FileError:
        return None
    corners = triangles * np.asarray(shape.size, float)
    positions, normals = _shaded(corners)
    return {"positions": packed(positions), "normals": packed(normals),
            "indices": packed(np.arange(len(positions)), "u4")}  # fmt: skip


def read_mesh(path: Path) -> np.ndarray:
    """The triangles (n, 3, 3) of an .stl or .obj file."""
    data = read_bytes(path, LARGEST)
    kind = path.suffix.lower()
    try:
        if kind == ".stl":
            triangles = _stl(data)
        elif kind == ".obj":
            triangles = _obj(data.decode("utf-8", "replace"))
        else:
            raise FormatError(f"{path.name} is no mesh that is read here. Give an .stl or .obj file.")
    except (ValueError, IndexError) as error:
        if isinstance(error, FileError):
            raise
        raise FormatError(f"{path.name} is no {kind} file: {error}.") from None
    if not len(triangles) or len(triangles) > MOST or not np.isfinite(triangles).all():
        raise FormatError(f"{path.name} has {len(triangles)} triangles; give 1 to {MOST}, of finite numbers.")
    return triangles


def _stl(data: bytes) -> np.ndarray:
    count = int.from_bytes(data[80:84], "little")
    if len(data) == 84 + 50 * count:
        rows = np.frombuffer(data, np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")]),
                             count, 84)  # fmt: skip
        return rows["corners"].astype(float)
    words = data.decode("ascii", "replace").split()
    at = [k for k, word in enumerate(words) if word == "vertex"]
    return np.array([[float(x) for x in words[k + 1 : k + 4]] for k in at]).reshape(-1, 3, 3)


def _obj(text: str) -> np.ndarray:
    points, faces = [], []
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(x) for x in words[1:4]])
        elif words[:1] == ["f"]:
            corner = [int(word.partition("/")[0]) for word in words[1:]]
            corner = [k - 1 if k > 0 else len(points) + k for k in corner]
            faces += [(corner[0], a, b) for a, b in pairwise(corner[1:])]
    at = np.array(faces, int).reshape(-1, 3)
    if len(at) and (at.min() < 0 or at.max() >= len(points)):
        raise ValueError("a face names a vertex that is not there")
    return np.array(points, float).reshape(-1, 3)[at]


def _shaded(corners):
    """Positions and normals (3 n, 3): the mean of the faces about a corner that are not sharply turned."""
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(faces, axis=-1, keepdims=True)
    flat = np.repeat(faces / np.maximum(length, 1e-30), 3, axis=0)
    positions = corners.reshape(-1, 3)
    scale = max(float(np.abs(positions).max()), 1e-9)
    _, where = np.unique(np.rint(positions / (1e-6 * scale)).astype(np.int64), axis=0, return_inverse=True)
    total = np.zeros((where.max() + 1, 3))
    np.add.at(total, where, np.repeat(faces, 3, axis=0))
    mean = total[where]
    mean /= np.maximum(np.linalg.norm(mean, axis=-1, keepdims=True), 1e-30)
    smooth = (mean * flat).sum(-1, keepdims=True) > SHARP
    return positions, np.where(smooth, mean, flat)
