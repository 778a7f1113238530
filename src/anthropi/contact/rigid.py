"""Which links are one body? Those that welds join. Some are fixed to the world."""

from typing import Any

__all__ = ["FIXED", "body_mass", "rigid_body"]

FIXED = -1


def rigid_body(figure, i: int) -> int:
    """The number of the first link of the body that link i is part of; `FIXED` where welds hold it to the world."""
    while i >= 0 and not figure.joints[i].nu:
        i = figure.parent[i]
    return i


def body_mass(figure, i: int) -> Any:
    """Mass [kg] of the body that link i is part of; None where it cannot move."""
    body = rigid_body(figure, i)
    if body == FIXED:
        return None
    masses = [link.mass for j, link in enumerate(figure.links) if rigid_body(figure, j) == body]
    return sum(masses[1:], masses[0])
