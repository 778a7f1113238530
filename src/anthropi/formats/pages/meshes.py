"""Store arrays in JSON, encode mesh files, and make triangle meshes of solids.

An array in JSON is {"type", "shape", "data"}: little-endian, row-major, in base64. Mesh files are
read from the figure's folder (`formats.mesh_files`). A mesh that cannot be read is left out, and the link is drawn with
its other shapes only.
"""

import base64
import os
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import FileError
from anthropi.formats.files import confined
from anthropi.formats.mesh_files import read_mesh

__all__ = ["TYPES", "Mesh", "mesh_of", "mesh_of_solid", "packed", "plain", "read_mesh", "unpacked"]


TYPES = {"f4": "<f4", "u1": "|u1", "u2": "<u2", "u4": "<u4"}


def packed(array: np.ndarray, kind: str = "f4") -> dict[Any, Any]:
    """Encode an array for JSON. kind : one of `TYPES`, such as "f4" for float32."""
    array = np.ascontiguousarray(array, TYPES[kind])
    return {"type": kind, "shape": list(array.shape), "data": base64.b64encode(array.tobytes()).decode()}


def unpacked(given: dict[Any, Any]) -> np.ndarray:
    """Decode an array that `packed` encoded."""
    return np.frombuffer(base64.b64decode(given["data"]), TYPES[given["type"]]).reshape(given["shape"])


def plain(numbers: Any) -> list[Any]:
    """Convert numbers to lists for JSON, rounded to six decimals. Numbers that are not finite become None."""
    array = np.asarray(numbers, float)
    if array.ndim > 1:
        return [plain(row) for row in array]
    return [round(float(x), 6) + 0.0 if np.isfinite(x) else None for x in array]


SHARP_EDGE_COSINE = np.cos(np.deg2rad(40.0))  # faces that meet at a smaller angle are shaded as one smooth surface


def mesh_of(shape: Any, folder: str | os.PathLike[str]) -> dict[Any, Any] | None:
    """Read a mesh shape and encode it for JSON (positions, normals, indices). Return None if it cannot be read."""
    try:
        triangles = read_mesh(confined(Path(folder), shape.file, f"shape '{shape.name}'"))
    except FileError:
        return None
    corners = triangles * np.asarray(shape.size, float)
    positions, normals = _shaded(corners)
    return {
        "positions": packed(positions),
        "normals": packed(normals),
        "indices": packed(np.arange(len(positions)), "u4"),
    }


def _shaded(corners):
    """Return positions and normals (3 n, 3) of triangles (n, 3, 3).

    The normal at a corner is the mean of the faces that meet there, or that of the face itself at sharp edges.
    """
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
    smooth = (mean * flat).sum(-1, keepdims=True) > SHARP_EDGE_COSINE
    return positions, np.where(smooth, mean, flat)


SEGMENTS_AROUND, SEGMENTS_ALONG = 28, 14  # number of segments of round solids

Mesh = tuple[np.ndarray, np.ndarray, np.ndarray]


def mesh_of_solid(kind: str, size: Any) -> Mesh:
    """Return the mesh of a solid along z: positions (n, 3), normals (n, 3), triangles (m, 3).

    Triangles are counter-clockwise seen from outside. Sizes are those of solids in `pages.appearance`.
    """
    if kind == "box":
        return _box(np.asarray(size, float))
    if kind == "ball":
        return _ball(np.asarray(size, float), 0.0)
    if kind == "capsule":
        return _ball(np.full(3, float(size[0])), float(size[1]))
    if kind == "cylinder":
        return _cylinder(float(size[0]), float(size[1]))
    raise ValueError(f"unknown kind of solid '{kind}'")


def _box(size) -> Mesh:
    positions: list[Any] = []
    normals: list[Any] = []
    triangles: list[Any] = []
    for axis in range(3):
        one, two = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
        for side in (-1.0, 1.0):
            n = side * np.eye(3)[axis]
            first = len(positions)
            corners = ((-1, -1), (1, -1), (1, 1), (-1, 1)) if side > 0 else ((-1, -1), (-1, 1), (1, 1), (1, -1))
            positions += [0.5 * size * (n + a * one + b * two) for a, b in corners]
            normals += [n] * 4
            triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    return np.array(positions), np.array(normals), np.array(triangles)


def _ball(semi, length: float) -> Mesh:
    """Return the mesh of an ellipsoid with semi-axes `semi`, whose two halves are `length` apart along z."""
    half = SEGMENTS_ALONG // 2
    polar = np.concatenate([np.linspace(0.0, np.pi / 2, half + 1), np.linspace(np.pi / 2, np.pi, half + 1)])
    lift = np.repeat([0.5 * length, -0.5 * length], half + 1)
    turn = np.linspace(0.0, 2.0 * np.pi, SEGMENTS_AROUND + 1)
    unit = np.stack(
        [
            np.sin(polar)[:, None] * np.cos(turn),
            np.sin(polar)[:, None] * np.sin(turn),
            np.repeat(np.cos(polar)[:, None], SEGMENTS_AROUND + 1, 1),
        ],
        -1,
    )
    positions = unit * semi
    positions[..., 2] += lift[:, None]
    normals = unit / semi
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return _sheet(positions, normals)


def _cylinder(radius: float, length: float) -> Mesh:
    turn = np.linspace(0.0, 2.0 * np.pi, SEGMENTS_AROUND + 1)
    ring = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], -1)
    up = np.array([0.0, 0.0, 0.5 * length])
    rows = [
        np.tile(up, (SEGMENTS_AROUND + 1, 1)),
        radius * ring + up,
        radius * ring + up,
        radius * ring - up,
        radius * ring - up,
        np.tile(-up, (SEGMENTS_AROUND + 1, 1)),
    ]
    z = np.array([0.0, 0.0, 1.0])
    normals = [np.tile(z, (SEGMENTS_AROUND + 1, 1))] * 2 + [ring] * 2 + [np.tile(-z, (SEGMENTS_AROUND + 1, 1))] * 2
    return _sheet(np.array(rows), np.array(normals))


def _sheet(positions, normals) -> Mesh:
    """Return the mesh of a grid of points (rows, columns, 3), with rows from top to bottom, counter-clockwise."""
    rows, columns = positions.shape[:2]
    at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = at[:-1, :-1].ravel(), at[1:, :-1].ravel(), at[1:, 1:].ravel(), at[:-1, 1:].ravel()
    flat = positions.reshape(-1, 3)
    triangles = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)])
    x, y, z = (flat[triangles[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(y - x, z - x), axis=-1)
    return flat, normals.reshape(-1, 3), triangles[area > 1e-12 * max(float(np.abs(flat).max()), 1e-9) ** 2]
