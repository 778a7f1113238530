"""What one solve needs, from touches and further rows: conditions, halves, speeds without impulses; and back to u.

Δz = Qᵀ α + Σ hᵀ F,   F = Σ Gᵀ P  on each basis                                                   (1)
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.operational_space import OperationalSpace
from anthropi.contact.impulsive.articulated import Articulated, articulated_setup
from anthropi.contact.impulsive.halves import Bilateral, change_of_speed, orthonormal, scaled_halves
from anthropi.contact.impulsive.rows import Basis, Condition, further_conditions, touch_conditions
from anthropi.contact.impulsive.sparse import added, dot, turned
from anthropi.contact.touches import tangents

__all__ = ["Setup", "axes_of", "set_up"]


class Setup(NamedTuple):
    """bases, halves without their part along the bilateral rows, that part (`along`), and those rows (`held`)."""

    tree: Any
    bases: list[Basis]
    conditions: list[Condition]
    halves: list
    along: list
    bilateral: Bilateral
    held: list[int]

    @property
    def size(self) -> int:
        """How many velocities the figure has."""
        return len(self.tree.L)

    def speeds(self, u) -> list:
        """What u (nu,) gives, one list a condition."""
        V = [turned(basis.rows, u) for basis in self.bases]
        return [turned(c.G, V[c.basis]) for c in self.conditions]

    def drawn(self, alpha) -> list:
        """What meeting the bilateral rows adds to that."""
        V = [[dot(part, alpha) for part in parts] for parts in self.along]
        return [turned(c.G, V[c.basis]) for c in self.conditions]

    def change(self, impulses, alpha) -> tuple[list, list]:
        """(1): Δu (nu,), and the impulses of the bilateral rows."""
        F = [[0.0] * len(basis.rows) for basis in self.bases]
        for c, own in zip(self.conditions, impulses, strict=True):
            for g, x in zip(c.G, own, strict=True):
                F[c.basis] = added(F[c.basis], x, g)
        dz: list = [0.0] * len(self.tree.L)
        beta = list(alpha)
        for a, q in zip(alpha, self.bilateral.Q, strict=True):
            dz = added(dz, a, q)
        for rows, parts, own in zip(self.halves, self.along, F, strict=True):
            for row, part, f in zip(rows, parts, own, strict=True):
                dz = added(dz, f, row)
                beta = added(beta, -f, part)
        return change_of_speed(self.tree, dz), self.bilateral.impulses(beta)


def set_up(scene, k, q, tree, touches, more, rough: bool) -> Setup | Articulated:
    """Take touches and further rows (`Rows` or None) through the inertia of the tree.

    tree : a `MassFactor`, or an `OperationalSpace` where a few links touch the world alone (`articulated.py`).
    q (nq,) may be None for figures whose joints' axes do not depend on their own coordinates.
    """
    if isinstance(tree, OperationalSpace):
        return articulated_setup(tree, k, q, touches, [axes_of(t.normal) for t in touches], rough)
    bases: list[Basis] = []
    conditions: list[Condition] = []
    if touches:
        q = np.full(scene.figure.nq, None) if q is None else q
        axes = [axes_of(t.normal) for t in touches]
        bases, conditions = touch_conditions(scene.figure, k, q, touches, axes, rough)
    held: list[int] = []
    if more is not None:
        own = further_conditions(more, len(bases))
        bases, conditions = bases + own[0], conditions + own[1]
        held = [n for n, one_sided in enumerate(more.unilateral) if not one_sided]
    bilateral = orthonormal(scaled_halves(tree, [more.jacobian[n] for n in held]) if held else [])
    halves, along = [], []
    for basis in bases:
        whole = scaled_halves(tree, basis.rows)
        along.append([bilateral.along(h) for h in whole])
        halves.append([bilateral.rest(h, part) for h, part in zip(whole, along[-1], strict=True)])
    return Setup(tree, bases, conditions, halves, along, bilateral, held)


def axes_of(normal):
    """(3, 3): a unit normal and two tangents, rows; constants stay constants."""
    return np.stack([normal, *tangents(normal)])
