"""Contact materials: friction, restitution, stiffness and dissipation of a pair of surfaces."""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import Array, maximum, records, sqrt
from anthropi.errors import InputError

__all__ = ["Material", "between", "checked_material", "plain"]


class Material(NamedTuple):
    """Material of a pair of surfaces. Numbers may be recorded scalars.

    Attributes
    ----------
    friction : coefficient μ of Coulomb friction.
    restitution : ratio of the speed after an impact to the speed before it, from 0 to 1.
    stiffness : k of the normal force k xᵖ [N/mᵖ]; None to compute it from the weight, for a penetration below 1 mm.
    dissipation : d of the Hunt–Crossley factor 1 + d x' [s/m]; None to compute it from the restitution.
    exponent : exponent p of the normal force; 1.5 for round bodies (Hertz), 1 for a linear spring.
    """

    friction: Any = 0.8
    restitution: Any = 0.0
    stiffness: Any = None
    dissipation: Any = None
    exponent: float = 1.5


def between(a: Material, b: Material) -> Material:
    """Combine the materials of two surfaces into the material of their contact.

    The result has the geometric mean of friction, the larger restitution, the stiffness of two springs in series, the
    larger dissipation and the smaller exponent.
    """
    return Material(
        _combined(a.friction, b.friction, lambda x, y: sqrt(x * y)),
        _combined(a.restitution, b.restitution, maximum),
        _given(a.stiffness, b.stiffness, lambda x, y: x * y / (x + y)),
        _given(a.dissipation, b.dissipation, maximum),
        min(a.exponent, b.exponent),
    )


def _combined(x, y, how):
    """Combine two numbers; equal numbers are returned unchanged, without rounding."""
    return x if x is y or (not records(x, y) and x == y) else how(x, y)


def _given(x, y, how):
    """Combine two numbers, either of which may be None."""
    if x is None or y is None:
        return y if x is None else x
    return how(x, y)


def plain(x: Array) -> Any:
    """Convert a NumPy number to a Python number; return anything else unchanged."""
    return x.item() if isinstance(x, np.number) else x


def checked_material(material: Any, owner: str) -> Material:
    """Check a material and convert its values to Python numbers.

    Recorded scalars are accepted. A value that is out of range raises an InputError that names it.
    """
    if not isinstance(material, Material):
        raise InputError(f"{owner} has material {material!r}. Give a Material(friction=…, restitution=…).")
    bounds = {
        "friction": (0.0, None),
        "restitution": (0.0, 1.0),
        "stiffness": (0.0, None),
        "dissipation": (0.0, None),
        "exponent": (1.0, 3.0),
    }
    for name, (least, most) in bounds.items():
        value = plain(getattr(material, name))
        material = material._replace(**{name: value})
        if value is None and name in ("stiffness", "dissipation"):
            continue
        if records(value) and name != "exponent":
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < float("inf"):
            raise InputError(f"{owner} has {name} {value!r}. Give a finite number.")
        if value < least or (most is not None and value > most) or (name == "stiffness" and value == 0.0):
            wanted = f"of at least {least:g}" if most is None else f"from {least:g} to {most:g}"
            wanted = "above 0" if name == "stiffness" else wanted
            raise InputError(f"{owner} has {name} {value:g}. Give a number {wanted}.")
    return material
