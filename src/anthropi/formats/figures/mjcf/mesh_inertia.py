"""Volume, centre of mass and inertia of triangle meshes, and of thin shells, as MuJoCo's compiler defines them.

A mesh with triangles a, b, c of area A, unit normal n and centre g = (a + b + c)/3 is divided into pyramids with the
triangles as bases. With the area-weighted mean m of the centres as their apex:

    volume of a pyramid     V = A (g - m)·n/3                                                 (1)
    centre of mass          p = Σ V (3g + m)/4 / Σ V                                          (2)

With p as the apex, V and a, b, c relative to p:

    V = A g·n/3,  P = Σ V/20 (2aaᵀ + 2bbᵀ + 2ccᵀ + abᵀ + baᵀ + acᵀ + caᵀ + bcᵀ + cbᵀ)           (3)
    tensor                  I = tr(P) 1 - P, for unit density and Σ V                         (4)

The mode is an attribute of the mesh:

    legacy    |V| in (1) and (3); the default. For a mesh that is not star-shaped, volumes are too large.
    exact     V with its sign
    convex    V of the convex hull (needs the package scipy)
    shell     A instead of V in (1) to (3), and V/12 instead of V/20: a surface without thickness

Source: MuJoCo's XML reference (asset/mesh) and the function mjCMesh::Process of its compiler.

Shells of simple solids have closed forms. The area of an ellipsoid is approximated as in (5), its inertia by the
difference of two solids that differ by 1 µm in each half axis (6), again as in MuJoCo.

    area    4π ((aᵖbᵖ + bᵖcᵖ + cᵖaᵖ)/3)^(1/p), p = 1.6075                                     (5)
"""

from collections.abc import Callable
from math import pi
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.spatial import RigidInertia, ellipsoid
from anthropi.errors import FormatError, MissingExtra
from anthropi.formats.figures.mjcf.principal import diagonalised, principal_axes
from anthropi.formats.mesh_files import MeshData

__all__ = ["MODES", "MeshInertia", "convex_hull", "mesh_inertia", "shell"]

MODES = ("legacy", "exact", "convex", "shell")
MIN_VOLUME = 1e-15  # [m³ or m²] smallest volume, area or doubled area of a triangle that counts; MuJoCo's mjMINVAL
EXPANSION = 1e-6  # [m] of the half axes of an ellipsoid, in (6)


class MeshInertia(NamedTuple):
    """Inertia of a mesh of unit density: `volume` [m³, or m² of a shell], `centre` (3,), `tensor` (3, 3) about it."""

    volume: float
    centre: np.ndarray
    tensor: np.ndarray

    def weighed(self, mass: float) -> RigidInertia:
        """Return the inertia of the mesh with a mass [kg]."""
        return RigidInertia(mass, self.centre, diagonalised(self.tensor) * (mass / self.volume))

    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the half lengths (3,) of a box with this inertia and its axes (3, 3), the longest last."""
        moments, axes = principal_axes(self.tensor)
        squares = 6.0 * (moments.sum() - 2.0 * moments) / self.volume
        return 0.5 * np.sqrt(np.maximum(squares, 0.0)), axes


def mesh_inertia(mesh: MeshData, mode: str, where: str) -> MeshInertia:
    """Compute the inertia of a mesh (1)-(4).

    mode : one of `MODES`. where : file and element, for error messages.
    """
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    double = np.linalg.norm(normal, axis=-1)
    kept = double >= MIN_VOLUME
    a, b, c, normal, double = a[kept], b[kept], c[kept], normal[kept], double[kept]
    area, unit, middle = 0.5 * double, normal / double[:, None], (a + b + c) / 3.0
    if area.sum() < MIN_VOLUME:
        raise FormatError(f"{where}: the surface of the mesh is too small. Check its scale.")
    apex = (area[:, None] * middle).sum(0) / area.sum()

    def volumes(origin: np.ndarray) -> np.ndarray:
        if mode == "shell":
            return area
        signed = ((middle - origin) * unit).sum(-1) * area / 3.0
        return np.abs(signed) if mode == "legacy" else signed

    V = volumes(apex)  # (1)
    if not V.sum() >= MIN_VOLUME:
        raise FormatError(
            f"{where}: the volume of the mesh is {V.sum():.3g} m³. "
            + ("Its triangles are oriented inwards. " if V.sum() < 0.0 else "It is flat or very small. ")
            + 'Correct it, give the body an <inertial>, or set inertia="shell" for the mesh.'
        )
    p = (V[:, None] * (0.75 * middle + 0.25 * apex)).sum(0) / V.sum()  # (2)
    V = volumes(p)
    a, b, c = a - p, b - p, c - p
    s = a + b + c
    weight = (V / (12.0 if mode == "shell" else 20.0))[:, None]
    P = sum((weight * x).T @ x for x in (a, b, c, s))  # (3), since ssᵀ contains all products
    tensor = np.trace(P) * np.eye(3) - P  # (4)
    moments = np.linalg.eigvalsh(tensor)
    if not moments[0] + moments[1] >= moments[2] * (1.0 - 1e-6) - 1e-9 or not moments[0] > 0.0:
        raise FormatError(f"{where}: the inertia of the mesh is not that of a body. Give the body an <inertial>.")
    return MeshInertia(float(V.sum()), p, tensor)


def convex_hull(mesh: MeshData, where: str, options: str = "Qt") -> MeshData:
    """Return the convex hull of the vertices of a mesh, its triangles counter-clockwise seen from outside."""
    try:
        from scipy.spatial import ConvexHull, QhullError
    except ImportError:
        raise MissingExtra("scipy", "meshes", "The convex hull of a mesh") from None
    try:
        hull = ConvexHull(mesh.vertices, qhull_options=options)
    except (QhullError, ValueError) as error:
        reason = (str(error).splitlines() or [""])[0][:200]
        raise FormatError(f"{where}: the mesh has no convex hull ({reason}). Give it some thickness.") from None
    faces = np.array(hull.simplices, int)
    a, b, c = (mesh.vertices[faces[:, k]] for k in range(3))
    inwards = (np.cross(b - a, c - a) * hull.equations[:, :3]).sum(-1) < 0.0
    faces[inwards] = faces[inwards][:, ::-1]
    return MeshData(mesh.vertices, faces)


def shell(kind: str, half: Any, mass: float | None, density: float) -> RigidInertia:
    """Return the inertia of the surface of a simple solid, in its frame.

    kind, half : type and MJCF sizes of a geom. mass [kg], or None to compute it from `density` [kg/m²].
    """
    area, moments = _SHELLS[kind](*(float(x) for x in half))
    m = mass if mass is not None else density * area
    return RigidInertia(m, np.zeros(3), np.diag(np.array(moments)) * m)


def _sphere(r: float):
    return 4.0 * pi * r * r, [2.0 * r * r / 3.0] * 3


def _cylinder(r: float, h: float):
    """Return the area of a tube of radius r and half length h with two discs, and its moments of inertia per mass."""
    disc, tube = pi * r * r, 4.0 * pi * r * h
    area = 2.0 * disc + tube
    across = tube * (r * r / 2.0 + h * h / 3.0) + 2.0 * disc * (r * r / 4.0 + h * h)
    along = tube * r * r + disc * r * r
    return area, [across / area, across / area, along / area]


def _capsule(r: float, h: float):
    ends, tube = 4.0 * pi * r * r, 4.0 * pi * r * h
    area = ends + tube
    lift = (h + r / 2.0) ** 2 - (r / 2.0) ** 2  # the centre of a half sphere is r/2 from its rim
    across = tube * (r * r / 2.0 + h * h / 3.0) + ends * (2.0 * r * r / 3.0 + lift)
    along = tube * r * r + ends * 2.0 * r * r / 3.0
    return area, [across / area, across / area, along / area]


def _box(x: float, y: float, z: float):
    area = 8.0 * (x * y + y * z + z * x)
    faces = [(8.0 * y * z, 0, x), (8.0 * z * x, 1, y), (8.0 * x * y, 2, z)]  # both faces across an axis, and its length
    size = np.array([x, y, z])
    P = np.zeros(3)  # ∫ x², ∫ y², ∫ z² over the surface
    for both, axis, length in faces:
        P += both * np.where(np.arange(3) == axis, length * length, size * size / 3.0)
    return area, [(P.sum() - P[k]) / area for k in range(3)]


def _ellipsoid(a: float, b: float, c: float):
    power = 1.6075
    area = 4.0 * pi * (((a * b) ** power + (b * c) ** power + (c * a) ** power) / 3.0) ** (1.0 / power)  # (5)
    inner = ellipsoid((a, b, c), density=1.0)
    outer = ellipsoid((a + EXPANSION, b + EXPANSION, c + EXPANSION), density=1.0)
    between = (np.diag(outer.tensor) - np.diag(inner.tensor)) / (outer.mass - inner.mass)  # (6)
    return area, between.tolist()


_SHELLS: dict[str, Callable[..., tuple[float, list[float]]]] = {
    "sphere": _sphere,
    "capsule": _capsule,
    "cylinder": _cylinder,
    "box": _box,
    "ellipsoid": _ellipsoid,
}
