"""Soft joint limits: springs and dampers, explicit or implicit over a step.

Every limit (`bounds.py`) acts along its gradient n, where gap' = n·u. Its force F(gap, gap') comes from `springs.py`,
times the distal mass of the joint and a factor (docs/equations/thesis.md 8.7):

    τ = n F                                                                    (1)

Over a step h, the force at the end of the step is used. It is linearised at the gap that the current velocity leads to:

    gap* = gap(q ⊞ h u),   F⁺ = F(gap*, gap') - (h k + c) h n·u',   k = -∂F/∂gap,  c = -∂F/∂gap'        (2)

Springs and dampers may therefore be arbitrarily stiff. A step computes (2) from τ = n (F + h k gap'), the stiffness
K = n k nᵀ and the damping D = n c nᵀ. It adds -h K u to τ, and h² K + h D to the inertia of the joint's own degrees of
freedom. Both act only between the two links of the joint, so momentum is conserved. The parts of a composite joint are
treated separately, without terms that couple them. Part i gets the bound |n_i| Σ_j |n_j| of row i of n nᵀ instead.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra.scalar import Array, absolute, is_constant_zero
from anthropi.contact.limits.bounds import Bounds, End, distal_mass
from anthropi.contact.limits.springs import Power, Spring, Yield, checked_gate, limit_force, positive, zone_width
from anthropi.contact.material import plain
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure

__all__ = ["SoftLimits", "implicit_limits"]


HUMAN_SPRING = Power(6000.0, 2.0)  # [N m/rad² per kg] a leg of the standard human at 10 rad/s passes its limit by 3.9°


@dataclass(frozen=True, eq=False)
class SoftLimits(Bounds):
    """Soft joint limits: springs with dampers.

    Attributes
    ----------
    joints : {joint: `ReachCone` or `SwingTwist`}, which replace the scalar limits of these joints.
    spring : spring law, `Linear`, `Power` or `Exponential`; its strength is per kg of distal mass if `by_mass`.
    zone : [rad or m] distance from the limit at which the spring begins to act; π/8 in the thesis.
    zone_share : largest zone as a share of the range, at most ½.
    gate : "none", "smooth" or "direction" (as in the thesis), see `springs.py` (3).
    dissipation : coefficient χ [s/rad] of the damper, see `springs.py` (4).
    factor : factor of all forces, one number or {joint or limit: number}.
    wall, wall_relaxation : stiffness past the limit [N m/rad per kg] and its relaxation time [s], for implicit steps.
    by_mass : whether forces are multiplied by the distal mass of the joint.
    exclude : names of joints without limits.
    """

    joints: Mapping[Any, Any] = field(default_factory=dict)
    spring: Spring = HUMAN_SPRING
    zone: float = 0.035
    zone_share: float = 0.25
    gate: str = "none"
    dissipation: Any = 0.5
    factor: Any = 1.0
    wall: Any = 0.0
    wall_relaxation: Any = 0.002
    by_mass: bool = True
    exclude: tuple[str, ...] = ()
    hard: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for name in ("zone", "zone_share", "dissipation", "factor", "wall", "wall_relaxation"):
            object.__setattr__(self, name, plain(getattr(self, name)))
        if isinstance(self.factor, Mapping):
            object.__setattr__(self, "factor", {name: plain(x) for name, x in self.factor.items()})
        positive(
            "SoftLimits",
            zone=self.zone,
            dissipation=self.dissipation,
            wall=self.wall,
            wall_relaxation=self.wall_relaxation,
        )
        checked_gate(self.gate)
        if not isinstance(self.spring, Spring):
            raise InputError(f"SoftLimits has spring={self.spring!r}. Give a Linear, Power or Exponential spring.")
        if not (isinstance(self.zone_share, (int, float)) and 0.0 < self.zone_share <= 0.5):
            raise InputError(
                f"SoftLimits has zone_share={self.zone_share!r}. Give a number above 0 and at most ½, so that the "
                "zones of two limits do not overlap."
            )
        for name, x in (self.factor if isinstance(self.factor, Mapping) else {"factor": self.factor}).items():
            positive("SoftLimits", **{str(name): x})

    def rows(self, figure: Figure, q: Array, u: Array, dt: Array = None) -> None:
        """Return None: soft limits are forces, not constraints."""

    def width(self, end: End) -> float:
        """Compute the width [rad or m] of the zone before a limit in which its spring acts."""
        return zone_width(self.zone, self.zone_share, end.room)

    def push(self, figure: Figure, end: End, u: Array) -> tuple[Yield, Any]:
        """Compute the force of one limit with its stiffness and damping, and the rate gap' of its gap."""
        rate = sum(n * x for n, x in zip(end.row, u[figure.u_of[end.joint]], strict=True) if not is_constant_zero(n))
        found = limit_force(
            self.spring,
            end.gap,
            rate,
            self.width(end),
            self.gate,
            self.dissipation,
            self._strength(figure, end),
            self.wall,
            self.wall_relaxation,
        )
        return found, rate

    def force(
        self, figure: Figure, q: Array, u: Array, memory: dict[Any, Any] | None = None, dt: Array = None
    ) -> tuple[Any, Any, Any, dict[Any, Any]]:
        """Compute the joint forces tau (nu,) of the limits, their stiffness and damping, and the memory.

        dt : [s] time step for implicit forces; None for the current forces, without stiffness and damping.
        Stiffness and damping are (nu,) if every limit bounds one coordinate, else (nu, nu) with a block per joint.
        """
        self.memory(figure)
        tau: list[Any] = [0.0] * figure.nu
        blocks: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})
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
        """Compute the factor of the force of one limit, with the distal mass if `by_mass`."""
        mass = distal_mass(figure, end.joint) if self.by_mass else 1.0
        if not isinstance(self.factor, Mapping):
            return self.factor * mass
        return self.factor.get(end.name, self.factor.get(figure.joints[end.joint].name, 1.0)) * mass

    def memory(self, figure: Figure) -> dict[Any, Any]:
        """Return an empty memory; raise InputError if limits or factors do not fit the figure."""
        super().memory(figure)
        names = [joint.name for joint in figure.joints]
        for name in self.factor if isinstance(self.factor, Mapping) else ():
            known = {*names, *(end.name for end in self.ends(figure, figure.neutral()))}
            if name not in known:
                raise InputError(
                    f"SoftLimits has a factor for '{name}', which is not a joint or limit of figure '{figure.name}'."
                    f"{did_you_mean(str(name), known)} Joints: {', '.join(names)}."
                )
        return {}

    def data(self) -> tuple[Any, ...]:
        """Return the settings as plain numbers and strings, for comparison and hashing."""
        joints = tuple((name, shape.data()) for name, shape in self.joints.items())
        factor = tuple(self.factor.items()) if isinstance(self.factor, Mapping) else self.factor
        spring = (type(self.spring).__name__, *vars(self.spring).values())
        return (
            "soft",
            joints,
            spring,
            self.zone,
            self.zone_share,
            self.gate,
            self.dissipation,
            factor,
            self.wall,
            self.wall_relaxation,
            self.by_mass,
            self.exclude,
        )


def implicit_limits(
    figure: Figure, limits: Any, q: Array, u: Array, tau: Array, dt: Array, memory: dict[Any, Any] | None = None
) -> tuple[Any, Any, dict[Any, Any]]:
    """Compute joint forces tau (nu,), extra inertia and memory, for direct dynamics with implicit limits.

    dt : [s] the time step. tau : (nu,) all other joint forces.
    """
    own, stiffness, damping, memory = limits.force(figure, q, u, memory, dt)
    if stiffness is None:
        return tau + own, None, memory
    drag = stiffness * u if stiffness.ndim == 1 else np.array([_dot(row, u) for row in stiffness])
    return tau + own - dt * drag, dt * dt * stiffness + dt * damping, memory


def _add(block: dict[Any, Any], start: int, end: End, slope, apart: bool) -> None:
    """Add the upper triangle of n slope nᵀ to a dictionary {(row, column): entry}.

    apart : True for a composite joint, which gets an upper bound on the diagonal.
    """
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
    """Convert stiffness and damping to arrays: (nu,) if both are diagonal, else (nu, nu)."""
    if all(j == k for block in blocks for j, k in block):
        return tuple(np.array([block.get((k, k), 0.0) for k in range(nu)]) for block in blocks)
    return tuple(
        np.array([[block.get((min(j, k), max(j, k)), 0.0) for k in range(nu)] for j in range(nu)]) for block in blocks
    )


def _dot(row, u):
    """Compute a dot product without the products with constant zeros."""
    return sum((x * v for x, v in zip(row, u, strict=True) if not is_constant_zero(x)), 0.0)
