"""Joint limits as springs: how do the ends of joints push back, and how do they yield over a step?

Every end (`bounds.py`) pushes along its row n with the force F(gap, gap') of `springs.py`, times the mass that hangs on
the joint and the user's factor (thesis 8.7):

    τ = n F                                                                    (1)

Over a step h the force is that of its end, to first order, about the gap that the present velocity leads to:

    gap* = gap(q ⊞ h u),   F⁺ = F(gap*, gap') - (h k + c) h n·u',   k = -∂F/∂gap,  c = -∂F/∂gap'        (2)

so springs and dampers may be as stiff as they like. (2) is what the step makes of τ = n (F + h k gap'), stiffness
n k nᵀ and damping n c nᵀ: it adds -h stiffness u, and h² stiffness + h damping as inertia inside the joint, so momentum
balances. Between the parts of a composite joint that inertia cannot couple; each part then gets |n_k| Σ |n_j| of it,
which is never less.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra.scalar import absolute, is_constant_zero
from anthropi.contact.limits.bounds import Bounds, End, distal_mass
from anthropi.contact.limits.springs import Power, Spring, Yield, checked_gate, limit_force, positive, zone_width
from anthropi.contact.material import plain
from anthropi.errors import InputError, did_you_mean

__all__ = ["SoftLimits", "implicit_limits"]


YIELDING = Power(6000.0, 2.0)  # [N m/rad² per kg]: a leg of `standard` thrown at 10 rad/s passes by 3.9 degrees


@dataclass(frozen=True, eq=False)
class SoftLimits(Bounds):
    """Springs at the ends of joints.

    joints : {joint: `ReachCone` or `SwingTwist`} in place of the scalar limits of these joints.
    spring : a law of `springs.py`, per kg that hangs on the joint (by_mass) or as it is.
    zone : [rad or m] its width before the limit; share : at most this part of the range, ≤ ½. The thesis' zone is π/8.
    gate : "none", "smooth" or "direction" (the thesis'). damper : χ [s/rad].
    factor : on top of it all, one number or {joint or end: number}.
    wall, settle : stiffness past the limit [N m/rad per kg] and the time [s] in which it lets go; for steps that take
        it implicitly.
    but : joints without limits.
    """

    joints: Mapping = field(default_factory=dict)
    spring: Spring = YIELDING
    zone: float = 0.035
    share: float = 0.25
    gate: str = "none"
    damper: Any = 0.5
    factor: Any = 1.0
    wall: Any = 0.0
    settle: Any = 0.002
    by_mass: bool = True
    but: tuple[str, ...] = ()
    hard: ClassVar[bool] = False

    def __post_init__(self):
        for name in ("zone", "share", "damper", "factor", "wall", "settle"):
            object.__setattr__(self, name, plain(getattr(self, name)))
        if isinstance(self.factor, Mapping):
            object.__setattr__(self, "factor", {name: plain(x) for name, x in self.factor.items()})
        positive("SoftLimits", zone=self.zone, damper=self.damper, wall=self.wall, settle=self.settle)
        checked_gate(self.gate)
        if not isinstance(self.spring, Spring):
            raise InputError(f"SoftLimits got the spring {self.spring!r}; give Linear, Power or Exponential.")
        if not (isinstance(self.share, (int, float)) and 0.0 < self.share <= 0.5):
            raise InputError(
                f"SoftLimits has share={self.share!r}; give more than 0 and at most ½, so that the zones "
                "of two ends do not overlap."
            )
        for name, x in (self.factor if isinstance(self.factor, Mapping) else {"factor": self.factor}).items():
            positive("SoftLimits", **{str(name): x})

    def rows(self, figure, q, u, dt=None) -> None:
        """Springs are no rows."""

    def width(self, end: End) -> float:
        """Of the zone of an end."""
        return zone_width(self.zone, self.share, end.room)

    def push(self, figure, end: End, u) -> tuple[Yield, Any]:
        """F of one end, and gap'."""
        rate = sum(n * x for n, x in zip(end.row, u[figure.u_of[end.joint]], strict=True) if not is_constant_zero(n))
        found = limit_force(
            self.spring,
            end.gap,
            rate,
            self.width(end),
            self.gate,
            self.damper,
            self._strength(figure, end),
            self.wall,
            self.settle,
        )
        return found, rate

    def force(self, figure, q, u, memory=None, dt=None):
        """(1), (2): tau (nu,), stiffness and damping, memory.

        dt None: the force now, and no more. Stiffness and damping are (nu,) where every row has one entry, else
        (nu, nu), in blocks of joints.
        """
        self.memory(figure)
        tau: list = [0.0] * figure.nu
        blocks: tuple[dict, dict] = ({}, {})
        for end in self.ends(figure, q, None if dt is None else dt * u):
            (F, *slopes), rate = self.push(figure, end, u)
            F = F if dt is None else F + dt * slopes[0] * rate
            of = figure.u_of[end.joint]
            for k, n in enumerate(end.row):
                tau[of.start + k] = tau[of.start + k] + n * F
            if dt is not None:
                apart = figure.joints[end.joint].kind == "composite"
                for block, slope in zip(blocks, slopes, strict=True):
                    _add(block, of.start, end, slope, apart)
        if dt is None:
            return np.array(tau), None, None, memory or {}
        return np.array(tau), *_arrays(blocks, figure.nu), memory or {}

    def _strength(self, figure, end: End):
        mass = distal_mass(figure, end.joint) if self.by_mass else 1.0
        if not isinstance(self.factor, Mapping):
            return self.factor * mass
        return self.factor.get(end.name, self.factor.get(figure.joints[end.joint].name, 1.0)) * mass

    def memory(self, figure) -> dict:
        """Nothing to remember; refuses limits and factors that do not fit the figure."""
        super().memory(figure)
        names = [joint.name for joint in figure.joints]
        for name in self.factor if isinstance(self.factor, Mapping) else ():
            known = {*names, *(end.name for end in self.ends(figure, figure.neutral()))}
            if name not in known:
                raise InputError(
                    f"SoftLimits has a factor for '{name}', no joint or end of figure '{figure.name}'."
                    f"{did_you_mean(str(name), known)} Joints: {', '.join(names)}."
                )
        return {}

    def data(self) -> tuple:
        """What it is, as plain numbers and words."""
        joints = tuple((name, shape.data()) for name, shape in self.joints.items())
        factor = tuple(self.factor.items()) if isinstance(self.factor, Mapping) else self.factor
        spring = (type(self.spring).__name__, *vars(self.spring).values())
        return (
            "soft",
            joints,
            spring,
            self.zone,
            self.share,
            self.gate,
            self.damper,
            factor,
            self.wall,
            self.settle,
            self.by_mass,
            self.but,
        )


def implicit_limits(figure, limits, q, u, tau, dt, memory=None):
    """What direct dynamics need to take limits implicitly over a step dt [s]: (tau (nu,), extra, memory) (2)."""
    own, stiffness, damping, memory = limits.force(figure, q, u, memory, dt)
    if stiffness is None:
        return tau + own, None, memory
    drag = stiffness * u if stiffness.ndim == 1 else np.array([_dot(row, u) for row in stiffness])
    return tau + own - dt * drag, dt * dt * stiffness + dt * damping, memory


def _add(block: dict, start: int, end: End, slope, apart: bool) -> None:
    """n slope nᵀ, upper triangle, into a dict of entries."""
    if end.only is not None:
        place = (start + end.only, start + end.only)
        block[place] = block.get(place, 0.0) + slope
        return
    n = end.row
    if apart:
        size = [absolute(x) for x in n]
        entries = {(k, k): size[k] * sum(size) * slope for k in range(len(n))}
    else:
        entries = {(j, k): n[j] * n[k] * slope for j in range(len(n)) for k in range(j, len(n))}
    for (j, k), x in entries.items():
        place = (start + j, start + k)
        block[place] = block.get(place, 0.0) + x


def _arrays(blocks, nu: int):
    """Both as (nu,) if they are diagonal, else as (nu, nu)."""
    if all(j == k for block in blocks for j, k in block):
        return tuple(np.array([block.get((k, k), 0.0) for k in range(nu)]) for block in blocks)
    return tuple(
        np.array([[block.get((min(j, k), max(j, k)), 0.0) for k in range(nu)] for j in range(nu)]) for block in blocks
    )


def _dot(row, u):
    return sum((x * v for x, v in zip(row, u, strict=True) if not is_constant_zero(x)), 0.0)
