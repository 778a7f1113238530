"""Sheets of the face that need finer detail than the skin's mesh: eyes with lids, brows and lips."""

from typing import Any, NamedTuple

import numpy as np

from anthropi.formats.pages.skin.body.clothes import COLOURS
from anthropi.formats.pages.skin.body.head import CHIN, EYE, EYE_RADIUS
from anthropi.formats.pages.skin.body.mesh import Field, tangent
from anthropi.formats.pages.skin.body.person import Person
from anthropi.formats.pages.skin.body.solids import turn_z

__all__ = ["Sheet", "sheets"]

PUPIL, IRIS, WHITE, LASH = (0.09, 0.08, 0.08), (0.40, 0.31, 0.23), (0.84, 0.81, 0.79), (0.26, 0.17, 0.13)
EYE_VERTICES = 28  # vertices around an eye
YAW, UPPER, LOWER = 0.92, 0.27, 0.30  # half angles [rad] of the opening between the lids


class Sheet(NamedTuple):
    """A part of the face that moves with the head."""

    points: np.ndarray
    normals: np.ndarray
    colours: np.ndarray
    triangles: np.ndarray


def sheets(p: Person, field: Field) -> list[Sheet]:
    """Return the sheets of a face. field : distance from the head."""
    return [sheet for s in (1.0, -1.0) for sheet in (_eye(p, s), _brow(p, field, s))] + [_lips(p, field)]


def _grid(rows: int, columns: int, closed: bool) -> np.ndarray:
    """Return the triangles of a grid of vertices; `closed` joins the last column to the first."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns if closed else columns - 1), indexing="ij")
    a, b = i * columns + j, i * columns + (j + 1) % columns
    c, d = b + columns, a + columns
    return np.concatenate([np.stack([a, d, b], -1).reshape(-1, 3), np.stack([b, d, c], -1).reshape(-1, 3)])


def _eye(p: Person, s: float) -> Sheet:
    """Return an eye: rings of pupil, iris and white up to the opening, then the lids."""
    t = np.arange(EYE_VERTICES) * (2.0 * np.pi / EYE_VERTICES)
    opening = YAW * np.cos(t), np.where(np.sin(t) > 0.0, UPPER, LOWER) * np.sign(np.sin(t)) * np.abs(np.sin(t)) ** 1.1
    skin = np.array(COLOURS[p.sex]["skin"])

    def ring(radius):
        yaw, pitch = radius * np.cos(t), radius * np.sin(t)
        edge = np.sqrt(np.maximum(1.0 - (yaw / YAW) ** 2, 0.0))
        return yaw, np.clip(pitch, -LOWER * edge, UPPER * edge)

    def lid(share):
        yaw, pitch = opening
        return yaw * (1.0 + 0.45 * share), pitch + share * 0.95 * np.sin(t)

    lash = np.where(np.sin(t)[:, None] > 0.05, np.array(LASH), 0.80 * skin)
    rows: list[tuple[Any, Any, float]] = [
        (ring(0.02), PUPIL, 0.55), (ring(0.17), PUPIL, 0.55), (ring(0.17), IRIS, 0.55), (ring(0.37), IRIS, 0.55),
        (ring(0.43), 0.6 * np.array(IRIS), 0.55), (ring(0.43), WHITE, 0.5),
        (opening, 0.86 * np.array(WHITE), 0.4), (opening, lash, 0.5),
        (lid(0.04), lash, 1.1), (lid(0.07), 0.93 * skin, 1.25), (lid(0.35), 0.90 * skin, 1.1), (lid(0.8), skin, 0.2),
        (lid(1.0), skin, -1.0),
    ]  # fmt: skip
    turn = turn_z(0.10)
    points, normals, colours = [], [], []
    for (yaw, pitch), colour, high in rows:
        away = np.stack([np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), np.sin(pitch)], 1) @ turn.T
        points.append(EYE + (EYE_RADIUS + high) * away)
        normals.append(away)
        colours.append(np.broadcast_to(colour, (EYE_VERTICES, 3)))
    triangles = _grid(len(rows), EYE_VERTICES, True)
    flip = np.array([1.0, s, 1.0])
    return Sheet(
        np.concatenate(points) * flip, np.concatenate(normals) * flip, np.concatenate(colours),
        triangles if s > 0.0 else triangles[:, ::-1],
    )  # fmt: skip


def _onto(field: Field, y: Any, z: Any, lift: Any):
    """Return the points of the face at y and z seen from the front, `lift` in front of it, and their normals."""
    points = np.stack([np.full(y.size, 86.0), y.ravel(), z.ravel()], 1)
    for _ in range(14):
        d = field(points, 60.0)
        points[:, 0] -= 0.8 * d
    _, normals = tangent(field, points)
    return points + np.ravel(lift)[:, None] * normals, normals


def _brow(p: Person, field: Field, s: float) -> Sheet:
    u, v = np.meshgrid(np.linspace(0.0, 1.0, 12), np.linspace(-1.0, 1.0, 5), indexing="ij")
    male = p.sex == "m"
    thick = (2.2 if male else 1.4) * (1.0 - 0.75 * u**1.6) * np.minimum(1.0, 0.55 + 4.0 * u)
    y = s * (6.5 + 22.0 * u)
    z = CHIN + (75.0 if male else 76.4) + (2.6 if male else 3.4) * np.sin(2.5 * u) - 1.2 * u + thick * v
    points, normals = _onto(field, y, z, 0.9 * (1.0 - v**2) - 0.15)
    colour = np.broadcast_to(np.array(COLOURS[p.sex]["hair"]), points.shape)
    triangles = _grid(12, 5, False)
    return Sheet(points, normals, colour, triangles if s > 0.0 else triangles[:, ::-1])


def _lips(p: Person, field: Field) -> Sheet:
    columns, rows = 19, 8
    u = np.linspace(-1.0, 1.0, columns)
    full = 1.0 if p.sex == "m" else 1.15
    bow = np.sqrt(1.0 - np.abs(u) ** 2.2)
    upper = full * (3.3 * bow - 0.8 * np.exp(-((u / 0.16) ** 2))) + 0.1
    lower = -full * 4.1 * bow**1.25 - 0.1
    middle = 0.4 * np.cos(3.0 * u) + 0.9 * u**2
    share = np.array([1.0, 0.85, 0.4, 0.04, -0.04, -0.4, -0.85, -1.0])[:, None]
    z = CHIN + 24.4 + middle + np.where(share > 0.0, share * upper, -share * lower)
    y = np.broadcast_to(14.8 * u, z.shape)
    points, normals = _onto(field, y, z, np.array([0.05, 0.5, 0.8, 0.1, 0.1, 0.8, 0.5, 0.05])[:, None] * bow + 0.15)
    skin = np.array(COLOURS[p.sex]["skin"])
    lip = skin * (np.array([0.88, 0.79, 0.79]) if p.sex == "m" else np.array([0.86, 0.69, 0.71]))
    tone = np.array([0.25, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.25])[:, None, None]
    dark = np.array([1.0, 1.0, 1.0, 0.55, 0.55, 1.0, 1.0, 1.0])[:, None, None]
    colours = np.broadcast_to((skin + tone * (lip - skin)) * dark, (rows, columns, 3)).reshape(-1, 3)
    return Sheet(points, normals, colours, _grid(rows, columns, False))
