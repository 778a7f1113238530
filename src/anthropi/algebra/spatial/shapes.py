"""Inertia of simple solids of uniform density (docs/equations/thesis.md, 2.5 and App. 5A, with erratum E2).

Each shape takes its sizes, and either `mass` [kg] or `density` [kg/m³]; `centre` (3,) [m] is its centre; `axis`
(0, 1, 2) is the direction of a cylinder's or capsule's length. Tensors are about the centre of mass:

    box a × b × c        V = abc                    I = m/12 (b²+c², a²+c², a²+b²)               (1)
    ellipsoid a, b, c    V = 4/3 π abc              I = m/5 (b²+c², a²+c², a²+b²)                (2)
    cylinder r, l        V = π r² l                 along m r²/2, across m (r²/4 + l²/12)        (3)
    capsule r, l         cylinder + 4/3 π r³        along m_c r²/2 + m_s 2r²/5,                  (4)
                                                    across m_c (r²/4 + l²/12) + m_s (2r²/5 + l²/4 + 3lr/8)
    mesh                 tetrahedra 0abc            V = a·(b×c)/6, ∫x = V (a+b+c)/4,             (5)
                                                    ∫xxᵀ = V/20 (ssᵀ + aaᵀ + bbᵀ + ccᵀ), s = a+b+c
"""

from collections.abc import Callable, Iterable
from math import pi
from typing import Any

import numpy as np

from anthropi.algebra.linear import stacked
from anthropi.algebra.scalar import Array, records
from anthropi.algebra.spatial.rigid import RigidInertia
from anthropi.errors import InputError

__all__ = ["SHAPES", "box", "capsule", "cylinder", "ellipsoid", "mesh", "sphere"]

ORIGIN = (0.0, 0.0, 0.0)


def box(size: Iterable[Any], *, mass: Array = None, density: Array = None, centre: Array = ORIGIN) -> RigidInertia:
    """Return the inertia of a box with sides (3,) [m] along x, y, z (1)."""
    x, y, z = size
    return _squares(_mass("box", x * y * z, mass, density), (x, y, z), 12.0, centre)


def ellipsoid(
    radii: Iterable[Any], *, mass: Array = None, density: Array = None, centre: Array = ORIGIN
) -> RigidInertia:
    """Return the inertia of an ellipsoid with half axes (3,) [m] along x, y, z (2)."""
    x, y, z = radii
    return _squares(_mass("ellipsoid", 4.0 / 3.0 * pi * (x * y * z), mass, density), (x, y, z), 5.0, centre)


def sphere(radius: Array, *, mass: Array = None, density: Array = None, centre: Array = ORIGIN) -> RigidInertia:
    """Return the inertia of a solid sphere (2); radius [m]."""
    m = _mass("sphere", 4.0 / 3.0 * pi * (radius * radius * radius), mass, density)
    return _diagonal(m, [0.4 * m * radius * radius] * 3, centre)


def cylinder(
    radius: Array, length: Array, *, mass: Array = None, density: Array = None, centre: Array = ORIGIN, axis: int = 2
) -> RigidInertia:
    """Return the inertia of a solid cylinder (3); radius, length [m]."""
    squared = radius * radius
    m = _mass("cylinder", pi * squared * length, mass, density)
    return _round(m, 0.5 * m * squared, m * (0.25 * squared + length * length / 12.0), centre, axis)


def capsule(
    radius: Array, length: Array, *, mass: Array = None, density: Array = None, centre: Array = ORIGIN, axis: int = 2
) -> RigidInertia:
    """Return the inertia of a capsule (4): a cylinder of this length [m] with half a sphere at each end."""
    squared = radius * radius
    tube, ends = pi * squared * length, 4.0 / 3.0 * pi * squared * radius
    m = _mass("capsule", tube + ends, mass, density)
    m_ends = m * ends / (tube + ends)
    m_tube = m - m_ends
    along = 0.5 * m_tube * squared + 0.4 * m_ends * squared
    across = m_tube * (0.25 * squared + length * length / 12.0)
    across = across + m_ends * (0.4 * squared + 0.25 * length * length + 0.375 * length * radius)
    return _round(m, along, across, centre, axis)


def mesh(
    vertices: Array, faces: Array, *, mass: Array = None, density: Array = None, name: str = "mesh"
) -> RigidInertia:
    """Return the inertia of the solid inside a closed triangle mesh (5).

    Parameters
    ----------
    vertices : (n, 3) [m].
    faces : (m, 3) whole numbers, corners counter-clockwise seen from outside.
    mass, density : [kg] or [kg/m³], one of them.
    name : for error messages.
    """
    vertices, faces = np.asarray(vertices), np.asarray(faces)
    _closed(faces, len(vertices), name)
    middle = vertices.sum(0) / len(vertices)
    a, b, c = (vertices[faces[:, k]] - middle for k in range(3))
    volumes = (a * np.cross(b, c)).sum(-1, keepdims=True) / 6.0  # (m, 1)
    volume = volumes.sum()
    if not records(volume) and not volume > 0.0:
        raise InputError(
            f"The volume inside '{name}' is {volume:.6g} m³. Its faces are oriented inwards. Reverse their "
            "corners with faces[:, ::-1]."
        )
    s = a + b + c
    offset = (volumes * s).sum(0) / (4.0 * volume)
    pairs = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    xx, xy, xz, yy, yz, zz = (
        (volumes[:, 0] * sum((p[:, i] * p[:, j] for p in (a, b, c)), s[:, i] * s[:, j])).sum() / (20.0 * volume)
        - offset[i] * offset[j]
        for i, j in pairs
    )  # mean of x xᵀ about the centre of mass
    m = _mass(name, volume, mass, density)
    tensor = stacked([yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy]).reshape(3, 3)
    return RigidInertia(m, middle + offset, m * tensor)


SHAPES: dict[str, Callable[..., RigidInertia]] = {
    "box": box,
    "capsule": capsule,
    "cylinder": cylinder,
    "ellipsoid": ellipsoid,
    "mesh": mesh,
    "sphere": sphere,
}


def _mass(shape: str, volume: Array, mass: Array, density: Array) -> Array:
    if (mass is None) == (density is None):
        given = "neither" if mass is None else "both"
        raise InputError(f"A {shape} needs its mass [kg] or its density [kg/m³]; got {given}. Give one of them.")
    return mass if density is None else density * volume


def _squares(m: Array, size: tuple[Any, ...], divisor: float, centre: Array) -> RigidInertia:
    x, y, z = (s * s for s in size)
    share = m / divisor
    return _diagonal(m, [share * (y + z), share * (x + z), share * (x + y)], centre)


def _round(m: Array, along: Array, across: Array, centre: Array, axis: int) -> RigidInertia:
    if axis not in (0, 1, 2):
        raise InputError(f"axis={axis!r} is not a direction. Choose 0 (x), 1 (y) or 2 (z).")
    return _diagonal(m, [along if k == axis else across for k in range(3)], centre)


def _diagonal(m: Array, moments: list[Any], centre: Array) -> RigidInertia:
    a, b, c = moments
    return RigidInertia(m, centre, stacked([a, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, c]).reshape(3, 3))


def _closed(faces: np.ndarray, n: int, name: str) -> None:
    """Check that every edge of a mesh is used once in each direction; raise `InputError` if not."""
    if faces.ndim != 2 or faces.shape[-1] != 3 or faces.dtype.kind not in "iu":
        raise InputError(f"The faces of '{name}' are {faces.shape} of {faces.dtype}; wanted (m, 3) whole numbers.")
    if not faces.size or faces.min() < 0 or faces.max() >= n:
        raise InputError(f"The faces of '{name}' must be vertex numbers from 0 to {n - 1}.")
    edges = [(int(f[k]), int(f[(k + 1) % 3])) for f in faces for k in range(3)]
    known = set(edges)
    open_edges = [e for e in edges if e[::-1] not in known]
    if open_edges or len(known) != len(edges):
        bad = open_edges[0] if open_edges else next(e for e in edges if edges.count(e) > 1)
        raise InputError(
            f"'{name}' is not closed: the edge {bad} does not join two faces of the same orientation. "
            "Fill its holes and orient its faces, or give mass, centre and tensor as a RigidInertia."
        )
