"""What two bodies are to each other where they touch: rough, springy, soft."""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import maximum, records, sqrt
from anthropi.errors import InputError

__all__ = ["Material", "between", "checked_material", "plain"]


class Material(NamedTuple):
    """A pair of surfaces. Numbers may be traced.

    friction : Coulomb's μ. restitution : speed after a blow over speed before, 0 … 1.
    stiffness : k of the normal force k xᵖ [N/mᵖ]; None: from the weight, so that figures sink less than a millimetre.
    dissipation : d of 1 + d x' [s/m]; None: what the restitution asks for.
    exponent : p, 1.5 for round bodies (Hertz), 1 for a linear spring.
    """

    friction: Any = 0.8
    restitution: Any = 0.0
    stiffness: Any = None
    dissipation: Any = None
    exponent: float = 1.5


def between(a: Material, b: Material) -> Material:
    """What two materials are to each other: mean friction, the springier bounce, springs in a row."""
    return Material(
        _both(a.friction, b.friction, lambda x, y: sqrt(x * y)),
        _both(a.restitution, b.restitution, maximum),
        _one_or(a.stiffness, b.stiffness, lambda x, y: x * y / (x + y)),
        _one_or(a.dissipation, b.dissipation, maximum),
        min(a.exponent, b.exponent),
    )


def _both(x, y, how):
    """Two numbers as one; the same number is itself, to the bit."""
    return x if x is y or (not records(x, y) and x == y) else how(x, y)


def _one_or(x, y, how):
    """The one that is given, or both as one."""
    if x is None or y is None:
        return y if x is None else x
    return how(x, y)


def plain(x):
    """NumPy's numbers as Python's; all else as it is."""
    return x.item() if isinstance(x, np.number) else x


def checked_material(material, who: str) -> Material:
    """The material in plain numbers, or an error that names the one that cannot be. Traced numbers are believed."""
    if not isinstance(material, Material):
        raise InputError(f"{who} has material {material!r}; give a Material(friction=…, restitution=…).")
    bounds = {"friction": (0.0, None), "restitution": (0.0, 1.0), "stiffness": (0.0, None),
              "dissipation": (0.0, None), "exponent": (1.0, 3.0)}  # fmt: skip
    for name, (least, most) in bounds.items():
        value = plain(getattr(material, name))
        material = material._replace(**{name: value})
        if value is None and name in ("stiffness", "dissipation"):
            continue
        if records(value) and name != "exponent":
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < float("inf"):
            raise InputError(f"{who} has {name} {value!r}; give a finite number.")
        if value < least or (most is not None and value > most) or (name == "stiffness" and value == 0.0):
            wanted = f"at least {least:g}" if most is None else f"{least:g} to {most:g}"
            raise InputError(f"{who} has {name} {value:g}; give a number {wanted}"
                             f"{', and not 0' if name == 'stiffness' else ''}.")  # fmt: skip
    return material
