"""Inertial parameters of a figure: the ten numbers of each link in which its dynamics are linear.

    π_i = [m, m c_x, m c_y, m c_z, A_xx, A_xy, A_xz, A_yy, A_yz, A_zz]                         (1)
    A = I* + m (c² 1 - c cᵀ)                                                                   (2)
    back:  c = (m c) / m,   I* = A - m (c² 1 - c cᵀ)                                           (3)

m is the mass of link i, c its centre of mass in the link frame, I* its inertia about the centre of mass and A that
about the link's origin, all in link axes. Pinocchio's `toDynamicParameters` has the same ten in another order, A_xx,
A_xy, A_yy, A_xz, A_yz, A_zz: `ours[[0, 1, 2, 3, 4, 5, 7, 6, 8, 9]]`.
"""

import dataclasses
from typing import Any

import numpy as np

from anthropi.algebra.linear import full, stacked
from anthropi.algebra.scalar import records
from anthropi.algebra.spatial import RigidInertia
from anthropi.algebra.spatial.rigid import SummedInertia, paired
from anthropi.algorithms.shapes import Array
from anthropi.errors import ShapeError
from anthropi.figure import Figure, Link

__all__ = ["inertial_parameters", "with_inertial_parameters"]

NUMBERS = 10  # of each link


def inertial_parameters(figure: Figure) -> Array:
    """Return the inertial parameters of all links (1).

    Returns
    -------
    (n, 10), one row per link: mass [kg], mass times centre of mass (x, y, z) [kg m], inertia about the link's origin
    (xx, xy, xz, yy, yz, zz) [kg m²], in link axes. `.ravel()` gives π of the regressors.
    """
    bodies = [SummedInertia.of(link.inertia) for link in figure.links]
    return np.stack([stacked([b.mass, *b.moment, *b.A]) for b in bodies])


def with_inertial_parameters(figure: Figure, parameters: Array) -> Figure:
    """Return a copy of the figure whose links have the given inertial parameters (3).

    Parameters
    ----------
    parameters : (n, 10) or (10 n,), in the order of `inertial_parameters`; recording scalars are allowed.

    Raises
    ------
    InputError : parameters of a link that no physical body can have, such as those of an identification from poor data.
    """
    pi = np.asarray(parameters)
    if pi.shape not in ((figure.n, NUMBERS), (figure.n * NUMBERS,)):
        raise ShapeError(
            f"The inertial parameters of figure '{figure.name}' have shape ({figure.n}, {NUMBERS}) or "
            f"({figure.n * NUMBERS},); got {pi.shape}."
        )
    pi = pi.reshape(figure.n, NUMBERS)
    pi = pi if pi.dtype == object else pi.astype(float)
    links = tuple(_changed(*pair) for pair in zip(figure.links, pi, strict=True))
    return figure.changed(links=links, checked=figure.checked and not records(pi))


def _changed(link: Link, pi: Array) -> Link:
    """Return a link with the ten parameters pi (10,) (3)."""
    mass, moment, A = pi[0], pi[1:4], pi[4:]
    if not records(pi):
        mass = float(mass)
        if not np.any(pi):  # floats only
            return dataclasses.replace(link, mass=0.0, centre=np.zeros(3), tensor=np.zeros((3, 3)))
        if mass <= 0.0:
            RigidInertia(mass, np.zeros(3), full(A)).validate(f"link '{link.name}'")
    centre = moment / mass
    body: dict[str, Any] = {"mass": mass, "centre": centre, "tensor": full(A - 0.5 * paired(moment, centre))}
    if not records(pi):
        RigidInertia(**body).validate(f"link '{link.name}'")
    return dataclasses.replace(link, **body)
