"""Whether numbers can be the inertia of a real body. On floats only: a recording has nothing to check yet."""

import math

import numpy as np

from anthropi.algebra.linear import determinant_symmetric, stacked
from anthropi.algebra.scalar import records
from anthropi.errors import InputError, ShapeError

__all__ = ["check"]

ROUNDING = 1e-9  # a flat body meets the triangle inequality with equality; files carry about ten digits


def check(mass, centre, tensor, name: str) -> None:
    """Refuse a mass, centre (…, 3), tensor (…, 3, 3) that no body has, naming the first thing that is wrong."""
    if records(mass, centre, tensor):
        return
    mass, centre, tensor = np.asarray(mass, float), np.asarray(centre, float), np.asarray(tensor, float)
    _shape(name, "centre", centre, (3,))
    _shape(name, "tensor", tensor, (3, 3))
    for what, value in (("mass", mass), ("centre", centre), ("tensor", tensor)):
        if not (abs(value) < math.inf).all():
            raise InputError(f"The {what} of {name} is not finite: {_show(value)}. Give finite numbers.")
    if not (mass > 0.0).all():
        raise InputError(f"The mass of {name} is {_show(mass)} kg, not positive. For a massless frame use a marker.")
    scale = tensor.trace(axis1=-2, axis2=-1)
    gap = abs(tensor - np.swapaxes(tensor, -1, -2)).max(axis=(-2, -1))
    if not (gap <= ROUNDING * abs(scale)).all():
        raise InputError(f"The tensor of {name} is not symmetric: {_show(tensor)}. Off-diagonal entries are -∫ x y dm.")
    if not (scale > 0.0).all() or not (_least_minor(tensor, scale) > 0.0).all():
        raise InputError(
            f"The tensor of {name} is not positive definite: {_show(tensor)} kg m². Give it about the centre of mass, "
            "off-diagonal entries -∫ x y dm; a rod or a point needs some thickness."
        )
    spread = 0.5 * scale[..., None, None] * np.eye(3) - tensor  # ∫ r rᵀ dm
    if not (_least_minor(spread, scale) >= -ROUNDING).all():
        raise InputError(
            f"The tensor of {name} breaks the triangle inequality: {_show(tensor)} kg m². No principal moment may "
            "exceed the sum of the other two. Check the units and that it is about the centre of mass; "
            "anthropi.spatial.box(size, mass=…) gives a possible one."
        )


def _least_minor(S, scale):
    """The least principal minor of symmetric S (…, 3, 3), each in units of its power of the scale."""
    pairs = ((0, 1), (0, 2), (1, 2))
    first = [S[..., i, i] / scale for i in range(3)]
    second = [(S[..., i, i] * S[..., j, j] - S[..., i, j] ** 2) / scale**2 for i, j in pairs]
    return stacked([*first, *second, determinant_symmetric(S) / scale**3]).min(axis=-1)


def _shape(name: str, what: str, value, wanted) -> None:
    if value.shape[-len(wanted) :] != wanted:
        size = ", ".join(map(str, wanted))
        raise ShapeError(f"The {what} of {name} has shape {value.shape}; wanted (…, {size}).")


def _show(value) -> str:
    return str(value.tolist())
