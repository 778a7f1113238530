"""The same as `setup.py`, for a few links that touch the world alone: straight from the articulated bodies.

The inverse inertias Ω (algorithms/operational_space.py) of the links that touch are A of their twists, in link frames;
no mass matrix, no elimination. What a touch does is known in the frame of its link: with s the point and d a direction
there,

    speed along d:   [s × d; d] · [ω; v]                                       (1)
    A = Ω = C Cᵀ,   Δu = `change` of the wrenches Σ Gᵀ P                       (2)
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import nothing
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.operational_space import OperationalSpace
from anthropi.contact.impulsive.halves import triangle_of
from anthropi.contact.impulsive.rows import Condition
from anthropi.contact.impulsive.sparse import added, turned

__all__ = ["Articulated", "articulated_setup", "suits"]

MOST = 4  # links that touch


class Articulated(NamedTuple):
    """`Setup` by articulated bodies. links : those that touch, one basis each. q (nq,)."""

    response: OperationalSpace
    q: Any
    links: list[int]
    conditions: list[Condition]
    halves: list
    held: tuple[int, ...] = ()  # no bilateral rows
    bilateral: Any = None

    @property
    def size(self) -> int:
        """How many velocities the figure has."""
        return self.response.figure.nu

    def speeds(self, u) -> list:
        """What u (nu,) gives, one list a condition (1)."""
        k = kinematics(self.response.figure, self.q, np.asarray(u))
        back = {i: transpose(k.rotation[i]) for i in self.links}
        V = [[*matvec(back[i], k.angular_velocity[i]), *matvec(back[i], k.velocity[i])] for i in self.links]
        return [turned(c.G, V[c.basis]) for c in self.conditions]

    def change(self, impulses, alpha) -> tuple[list, list]:
        """Δu (nu,) (2); no bilateral rows."""
        F: list = [[0.0] * 6 for _ in self.links]
        for c, own in zip(self.conditions, impulses, strict=True):
            for g, x in zip(c.G, own, strict=True):
                F[c.basis] = added(F[c.basis], x, g)
        return list(self.response.acceleration_change({i: np.array(f) for i, f in zip(self.links, F, strict=True)})), []


def suits(scene) -> bool:
    """Whether a few links touch the world alone."""
    links = {c.a for c in scene.candidates}
    return 0 < len(links) <= MOST and all(c.b < 0 for c in scene.candidates)


def articulated_setup(response: OperationalSpace, k, q, touches, axes, rough: bool) -> Articulated:
    """axes : (3, 3) a touch: normal and tangents, world. rough : whether there is friction."""
    links = sorted({touch.a for touch in touches})
    conditions = []
    for n, touch in enumerate(touches):
        friction = touch.material.friction if rough else 0.0
        smooth = nothing(friction)
        back = transpose(k.rotation[touch.a])
        own = [matvec(back, d) for d in (axes[n][:1] if smooth else axes[n])]
        G = [[*np.cross(touch.local, d), *d] for d in own]  # (1)
        conditions.append(Condition(n, links.index(touch.a), G, None if smooth else friction, axes[n]))
    answers = response.inverse_inertias(links)
    n = 6 * len(links)
    A = [[answers[i // 6][j // 6][i % 6, j % 6] for j in range(i + 1)] for i in range(n)]
    C = triangle_of(A)
    return Articulated(response, q, links, conditions, [C[6 * i : 6 * i + 6] for i in range(len(links))])
