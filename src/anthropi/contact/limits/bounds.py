"""What all limits answer, springs and hard ones alike: how far past, which way back, and what inverse problems need.

    past = max(0, -gap),   J v = past to first order brings it back                                     (1)
    q ⊞ Σ nᵀ p,   p ≥ 0 the least with gap + n·Σ nᵀ p ≥ 0                      once for each pass          (2)
    muscles = τ - τ_limits                                                                              (3)

(2) is exact for cones in one pass, quadratic for others, and cuts scalar coordinates off.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from anthropi.algebra.scalar import absolute, less, less_equal, maximum, minimum, where
from anthropi.contact.limits.ends import End, check, ends, whole_row
from anthropi.contact.model import Rows

__all__ = ["Bounds", "Limits", "Split", "split_forces"]

PASSES = 3
TINY = 1e-12


class Limits(Protocol):
    """What a scene asks of limits. hard : whether they are rows of the impulsive solve, or forces before it."""

    hard: bool

    def memory(self, figure) -> dict:
        """What they remember from step to step, at the start."""

    def force(self, figure, q, u, memory, dt) -> tuple:
        """tau (nu,); stiffness and damping, (nu,) or (nu, nu) in blocks of joints, None where dt is; memory."""

    def rows(self, figure, q, u, dt) -> Rows | None:
        """Unilateral rows about q ⊞ dt u, None where there are none."""

    def project(self, figure, q) -> Any:
        """q (nq,) within all limits; called after a step if they are hard."""


class Bounds:
    """The ends of joints: `joints` {joint: `ReachCone` or `SwingTwist`}, all other joints by their coordinates."""

    joints: Mapping
    but: tuple[str, ...]

    def memory(self, figure) -> dict:
        """Nothing to remember; refuses limits that do not fit the figure."""
        check(figure, self.joints)
        for name in self.but:
            figure.joint_index(name)
        return {}

    def ends(self, figure, q, ahead=None) -> list[End]:
        """The ends, now or at q ⊞ ahead."""
        return ends(figure, self.joints, q, self.but, ahead)

    def violations(self, figure, q):
        """(1): past (m,) [rad or m], and J (m, nu), 0 where nothing is past: residuals and rows of a penalty."""
        found = self.ends(figure, q)
        past = np.array([maximum(0.0, -end.gap) for end in found])
        on = [where(less(end.gap, 0.0), 1.0, 0.0) for end in found]
        rows = [on_ * whole_row(figure, end) for on_, end in zip(on, found, strict=True)]
        return past, np.stack(rows) if rows else np.zeros((0, figure.nu))

    def turned(self, figure, q):
        """Gaps (m,) and rows (m, nu) of the joints that cones, swing and twist bound: inequalities for a solver."""
        found = [end for end in self.ends(figure, q) if figure.joints[end.joint].name in self.joints]
        rows = [whole_row(figure, end) for end in found]
        return np.array([end.gap for end in found]), np.stack(rows) if rows else np.zeros((0, figure.nu))

    def project(self, figure, q, passes: int = PASSES):
        """(2): the configuration (nq,) within all limits that is nearest, joint by joint."""
        return self._placed(figure, q, lambda joint, at: self._inside(joint, at, passes))

    def within(self, figure, q, passes: int = PASSES):
        """(2) for the joints that cones, swing and twist bound."""
        return self._placed(figure, q, lambda joint, at: self._back(joint, at, passes) if joint.name in self.joints
                            else at)  # fmt: skip

    def _placed(self, figure, q, place):
        joints = zip(figure.joints, figure.q_of, strict=True)
        return np.concatenate([q[at] if joint.name in self.but else place(joint, q[at]) for joint, at in joints])

    def _inside(self, joint, at, passes: int):
        """One joint within its limits."""
        if joint.name in self.joints:
            return self._back(joint, at, passes)
        if not any(-np.inf < a or b < np.inf for a, b in zip(joint.lower, joint.upper, strict=True)):
            return at
        x = joint.coordinates(at)
        inside = minimum(maximum(x, joint.lower), joint.upper)
        if joint.plain:
            return inside
        past = less(0.0, absolute(x - inside).sum())
        return np.array([where(past, b, a) for a, b in zip(at, joint.from_coordinates(inside), strict=True)])

    def _back(self, joint, at, passes: int):
        """(2) for one joint."""
        for _ in range(passes):
            found = ends(_Alone(joint), self.joints, at)
            at = joint.integrate(at, sum(end.row * p for end, p in zip(found, _shares(found), strict=True)))
        return at


class Split(NamedTuple):
    """muscles, limits (nu,): what muscles do, and what the ends of joints do, of the forces that a motion takes."""

    muscles: Any
    limits: Any


def split_forces(figure, limits, q, u, tau) -> Split:
    """Of the joint forces tau (nu,) that a motion takes (inverse dynamics), what do springs at limits give? (3)"""
    own = limits.force(figure, q, u)[0]
    return Split(tau - own, own)


def _shares(found) -> list:
    """p of (2) for one end, or for two."""
    size = [maximum((end.row * end.row).sum(), TINY) for end in found]
    need = [-end.gap for end in found]
    alone = [maximum(0.0, x / s) for x, s in zip(need, size, strict=True)]
    if len(found) == 1:
        return alone
    across = (found[0].row * found[1].row).sum()
    det = maximum(size[0] * size[1] - across * across, TINY)
    one, other = need[0] * size[1] - need[1] * across, need[1] * size[0] - need[0] * across
    only = less(0.0, need[0]) & less_equal(other, 0.0), less(0.0, need[1]) & less_equal(one, 0.0)
    single = only[0] | only[1] | (less_equal(need[0], 0.0) & less_equal(need[1], 0.0))
    return [where(single, where(mask, x, 0.0), maximum(0.0, y / det))
            for mask, x, y in zip(only, alone, (one, other), strict=True)]  # fmt: skip


class _Alone:
    """One joint as a figure of its own, as far as `ends` asks."""

    def __init__(self, joint):
        self.joints, self.q_of = (joint,), (slice(0, joint.nq),)
