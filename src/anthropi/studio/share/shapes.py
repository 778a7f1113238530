"""Solids as triangles: positions, normals and indices of a ball, box, cylinder or capsule, for files that need them."""

import numpy as np

__all__ = ["Mesh", "mesh_of_solid"]

AROUND, ALONG = 28, 14  # of round things

Mesh = tuple[np.ndarray, np.ndarray, np.ndarray]


def mesh_of_solid(kind: str, size) -> Mesh:
    """Positions (n, 3), normals (n, 3), triangles (m, 3), against the clock seen from outside; along z."""
    if kind == "box":
        return _box(np.asarray(size, float))
    if kind == "ball":
        return _ball(np.asarray(size, float), 0.0)
    if kind == "capsule":
        return _ball(np.full(3, float(size[0])), float(size[1]))
    if kind == "cylinder":
        return _cylinder(float(size[0]), float(size[1]))
    raise ValueError(f"no solid '{kind}'")


def _box(size) -> Mesh:
    positions: list = []
    normals: list = []
    triangles: list = []
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
    """Semi-axes; its halves `length` apart along z."""
    half = ALONG // 2
    polar = np.concatenate([np.linspace(0.0, np.pi / 2, half + 1), np.linspace(np.pi / 2, np.pi, half + 1)])
    lift = np.repeat([0.5 * length, -0.5 * length], half + 1)
    turn = np.linspace(0.0, 2.0 * np.pi, AROUND + 1)
    unit = np.stack([np.sin(polar)[:, None] * np.cos(turn), np.sin(polar)[:, None] * np.sin(turn),
                     np.repeat(np.cos(polar)[:, None], AROUND + 1, 1)], -1)  # fmt: skip
    positions = unit * semi
    positions[..., 2] += lift[:, None]
    normals = unit / semi
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return _sheet(positions, normals)


def _cylinder(radius: float, length: float) -> Mesh:
    turn = np.linspace(0.0, 2.0 * np.pi, AROUND + 1)
    ring = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], -1)
    up = np.array([0.0, 0.0, 0.5 * length])
    rows = [np.tile(up, (AROUND + 1, 1)), radius * ring + up, radius * ring + up, radius * ring - up,
            radius * ring - up, np.tile(-up, (AROUND + 1, 1))]  # fmt: skip
    z = np.array([0.0, 0.0, 1.0])
    normals = [np.tile(z, (AROUND + 1, 1))] * 2 + [ring] * 2 + [np.tile(-z, (AROUND + 1, 1))] * 2
    return _sheet(np.array(rows), np.array(normals))


def _sheet(positions, normals) -> Mesh:
    """A grid (rows, columns, 3) from top to bottom, around against the clock."""
    rows, columns = positions.shape[:2]
    at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = at[:-1, :-1].ravel(), at[1:, :-1].ravel(), at[1:, 1:].ravel(), at[:-1, 1:].ravel()
    flat = positions.reshape(-1, 3)
    triangles = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)])
    x, y, z = (flat[triangles[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(y - x, z - x), axis=-1)
    return flat, normals.reshape(-1, 3), triangles[area > 1e-12 * max(float(np.abs(flat).max()), 1e-9) ** 2]
