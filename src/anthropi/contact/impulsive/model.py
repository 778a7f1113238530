"""Impulsive contact model: Moreau's time stepping with friction cones and restitution.

    M (u⁺ - u_free) = Σ Jᵀ P,   u_free = u + dt u' without contact                                    (1)
    K ∋ P  ⟂  v + μ |v_t| n ∈ K*,   v = J u⁺ - (least normal speed) n       Coulomb's law             (2)

with the least normal speed of `conditions.py`. Surfaces that are apart may close their gap within the step but not
more, so there is no impulse before contact. A contact that closes faster than `min_bounce_speed` separates at
`restitution` times its speed (Newton's law, applied to several contacts simultaneously as by Moreau). For all other
contacts the normal speed becomes 0. Hard joint limits and loops are solved together with the contacts.

With conditions on velocities only, errors of second order accumulate to a small penetration. A displacement removes it
without changing velocities, so it adds no kinetic energy. An impact with restitution acts when the surfaces meet, with
a delay after the start of the step, so that heights and energies are right:

    M d = Σ J_nᵀ λ,   0 ≤ λ ⟂ J_n d + correction (gap + slop) ≥ 0                                     (3)
    q⁺ = q ⊞ (dt u⁺ + shift),   shift = d - M⁻¹ Σ delay Jᵀ P                                          (4)

Newton's law with friction may create energy (Kane's paradox). In that case the solution P₁ is moved towards P₀ until
the energy gain is 0. P₀ is the solution without restitution, which creates no energy. Cones and speeds stay admissible,
since both conditions are convex in P:

    P = P₀ + s (P₁ - P₀),   P · (v + ½ A P) = 0                                                       (5)

Reference: J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics", in: Nonsmooth Mechanics and
Applications, CISM 302, Springer (1988) 1.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import (
    Array,
    absolute,
    clip,
    is_constant_zero,
    less,
    less_equal,
    maximum,
    minimum,
    sqrt,
    where,
)
from anthropi.contact.geometry.contacts import contact_names
from anthropi.contact.impulsive.adjoint import with_implicit_derivative
from anthropi.contact.impulsive.conditions import MIN_DENOMINATOR, Condition, least_speed
from anthropi.contact.impulsive.setup import Articulated, Setup, set_up
from anthropi.contact.impulsive.solve import solved
from anthropi.contact.model import ContactForces, ContactImpulses, Rows
from anthropi.contact.vectors import add_scaled, combine, dot, products
from anthropi.errors import InputError
from anthropi.tape import repeat

__all__ = ["Impulsive"]

MEMORY, FURTHER = "impulses", "further"
POSITION_TOLERANCE = 1e-8  # [m] tolerance of (3)
HELD_GAP = 1.0  # [m] replaces the gap of a contact that loops hold in place, since no impulse can move it
MAX_POSITION_SWEEPS = 50  # largest number of sweeps for (3)


class SpeedConditions(NamedTuple):
    """Speeds [m/s] and start values for the computation of impulses, one entry per condition.

    speeds : speeds at the impact, without impulses. b : speeds without impulses, minus the least admissible ones.
    without_bounce : b for contacts without restitution. start : start values of the impulses. delay : [s] time of each
    impact after the start of the step.
    """

    speeds: list[Any]
    b: list[Any]
    without_bounce: list[Any]
    start: list[Any]
    delay: list[Any]


@dataclass(frozen=True)
class Impulsive:
    """Impulsive contact model: impulses prevent penetration, with Coulomb friction and restitution.

    Attributes
    ----------
    tolerance : [m/s] largest residual of Coulomb's law; kernels in float32 need 1e-5.
    passes : largest number of sweeps in a step.
    min_bounce_speed : [m/s] slower impacts do not bounce.
    slop : [m] penetration that is not corrected.
    correction : share of the remaining penetration that is removed in a step.
    friction : False to leave out friction.
    """

    tolerance: float = 1e-9
    passes: int = 200
    min_bounce_speed: float = 0.01
    slop: float = 1e-5
    correction: float = 0.2
    friction: bool = True
    impulsive = True

    def __post_init__(self) -> None:
        for name in ("tolerance", "min_bounce_speed", "slop", "correction"):
            value = getattr(self, name)
            if not (isinstance(value, (int, float)) and 0.0 <= value < float("inf")) or (
                name == "tolerance" and not value
            ):
                wanted = "above 0" if name == "tolerance" else "of 0 or more"
                raise InputError(f"Impulsive has {name} {value!r}. Give a finite number {wanted}.")
        if not isinstance(self.passes, int) or self.passes < 1:
            raise InputError(f"Impulsive has passes {self.passes!r}. Give an integer of 1 or more.")

    def memory(self, scene: Any, more: int = 0) -> dict[str, np.ndarray]:
        """Memory at the start of a simulation, all zero.

        It contains the impulses of the contacts, (contacts, 3) in world axes, and of `more` further rows, if any.
        """
        further = {FURTHER: np.zeros(more)} if more else {}
        return {MEMORY: np.zeros((len(contact_names(scene)), 3)), **further}

    def force(
        self, scene: Any, contacts: list[Any], kinematics: Any, memory: dict[Any, Any], dt: Array
    ) -> tuple[ContactForces, dict[Any, Any]]:
        """Return zero forces: this model acts after the dynamics."""
        none = np.zeros((len(contacts), 3))
        return ContactForces({}, {}, none, none), memory

    def impulse(
        self,
        scene: Any,
        contacts: list[Any],
        kinematics: Any,
        tree: Any,
        u: Array,
        u_free: Array,
        memory: dict[Any, Any],
        dt: Array,
        more: Rows | None = None,
        q: Array = None,
    ) -> ContactImpulses:
        """Compute the impulses of a step and the velocities after them, by equations (1)-(4) of this module.

        Parameters
        ----------
        tree : factors of the inertia, see `set_up`.
        u, u_free : (nu,) velocities before the step, and after the dynamics without contact.
        memory : impulses of the previous step.
        dt : [s] time step.
        more : further rows (hard limits, loops), or None.
        q : (nq,) configuration that `kinematics` belongs to; see `set_up`.
        """
        setup = set_up(scene, kinematics, q, tree, contacts, more, self.friction)
        alpha: list[Any] = []
        if more is not None and setup.bilateral_rows:
            errors = [more.required[n] - dot(more.jacobian[n], u_free) for n in setup.bilateral_rows]
            alpha = setup.bilateral.start(errors)
        if not setup.conditions:
            impulses: list[Any] = []
            shift = np.zeros(setup.size)
        else:
            asked = self.speed_conditions(setup, contacts, u, u_free, alpha, memory, dt, more)
            impulses = self._solved(setup, asked.b, asked.start)
            if any(x is not y for x, y in zip(asked.without_bounce, asked.b, strict=True)):
                impulses = self._without_energy_gain(setup, asked, impulses)
            shift = self.shift(setup, contacts, impulses, asked.delay, more)
        change, held = setup.change(impulses, alpha)
        world, further = in_order(setup, impulses, held, len(contacts), more)
        kept = {**memory, MEMORY: world, **({FURTHER: further} if FURTHER in memory else {})}
        return ContactImpulses(u_free + np.array(change), kept, world, further, shift)

    def _solved(self, setup: Setup | Articulated, b, start) -> list[Any]:
        """Compute the impulses of all conditions with the tolerance and the passes of this model."""
        return solved(setup.conditions, setup.factors, b, start, self.tolerance, self.passes).impulses

    def _without_energy_gain(self, setup: Setup | Articulated, asked: SpeedConditions, impulses) -> list[Any]:
        """Reduce the impulses by equation (5) so that they do not create kinetic energy."""
        gain = _gain(setup, asked.speeds, impulses)
        gains = less(0.0, gain)
        b = [
            [where(gains, x, y) for x, y in zip(p, q, strict=True)]
            for p, q in zip(asked.without_bounce, asked.b, strict=True)
        ]
        without_bounce = self._solved(setup, b, impulses)
        difference = [[x - y for x, y in zip(p, q, strict=True)] for p, q in zip(impulses, without_bounce, strict=True)]
        least = minimum(_gain(setup, asked.speeds, without_bounce), 0.0)
        quadratic = _gain(setup, None, difference)
        slope = gain - least - quadratic
        root = sqrt(maximum(slope * slope - 4.0 * quadratic * least, MIN_DENOMINATOR))
        part = where(gains, clip(-2.0 * least / maximum(slope + root, MIN_DENOMINATOR), 0.0, 1.0), 1.0)
        return [
            [x + part * y for x, y in zip(p, q, strict=True)] for p, q in zip(without_bounce, difference, strict=True)
        ]

    def speed_conditions(
        self,
        setup: Setup | Articulated,
        contacts: list[Any],
        u: Array,
        u_free: Array,
        alpha: Array,
        memory: dict[Any, Any],
        dt: Array,
        more: Any = None,
    ) -> SpeedConditions:
        """Compute the speeds and the start values of all conditions. Parameters as in `impulse`."""
        free = setup.speeds(u_free)
        if isinstance(setup, Setup) and setup.bilateral_rows:
            added = setup.bilateral_speeds(alpha)
            free = [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(free, added, strict=True)]
        before = setup.speeds(u) if more is not None else None
        found = SpeedConditions([], [], [], [], [])
        for n, (c, v) in enumerate(zip(setup.conditions, free, strict=True)):
            if c.axes is None:
                e, gap, speed = more.restitution[c.number], more.gap[c.number], before[n][0]  # type: ignore[index]
                others, start = [more.required[c.number]], [memory[FURTHER][c.number] if FURTHER in memory else 0.0]
            else:
                contact, axes = contacts[c.number], c.axes[: c.size]
                e, gap = contact.material.restitution, contact.gap
                speed = 0.0 if is_constant_zero(e) else dot(contact.normal, contact.speed)
                others, start = products(axes, contact.frame_speed), products(axes, memory[MEMORY][c.number])
            b = [x - y for x, y in zip(v, others, strict=True)]
            if isinstance(setup, Setup) and setup.bilateral_rows:
                gap = where(setup.movable(c), gap, HELD_GAP)
            least = least_speed(gap, speed, b[0], e, dt, self.min_bounce_speed)
            found.speeds.append([least.impact_speed, *b[1:]])
            found.b.append([b[0] - least.speed, *b[1:]])
            found.without_bounce.append(found.b[-1] if is_constant_zero(e) else [b[0] + maximum(gap, 0.0) / dt, *b[1:]])
            found.start.append(start)
            found.delay.append(least.delay)
        return found

    def shift(
        self, setup: Setup | Articulated, contacts: list[Any], impulses: Array, delay: Array, more: Any = None
    ) -> np.ndarray:
        """Compute the displacement (nu,) of equations (3) and (4); 0 without penetration and bounces."""
        n = setup.size
        gaps = [
            (more.gap[c.number] if c.axes is None else contacts[c.number].gap) + self.slop for c in setup.conditions
        ]
        if isinstance(setup, Setup) and setup.bilateral_rows:
            gaps = [where(setup.movable(c), gap, HELD_GAP) for c, gap in zip(setup.conditions, gaps, strict=True)]
        deepest: Any = 0.0
        for gap in gaps:
            deepest = maximum(deepest, -gap)

        def taken_back(_):
            width = range(len(setup.factors[0][0]))
            used = [k for k in width if not all(is_constant_zero(h[k]) for own in setup.factors for h in own)]
            factors = [combine(c.G[0], setup.factors[c.basis]) for c in setup.conditions]
            rows = [[half[k] for k in used] for half in factors]
            own = [where(less(gap, 0.0), self.correction * gap, gap) for gap in gaps]
            lengths = _separations(rows, own, self.tolerance)
            moves = [[x, *[0.0] * (c.size - 1)] for c, x in zip(setup.conditions, lengths, strict=True)]
            return np.array(setup.change(moves, [0.0] * len(setup.bilateral_rows))[0]), np.array(0.0)

        first = (np.zeros(n), np.array(deepest))
        shift, _ = repeat(taken_back, first, 1, until=lambda state: less_equal(state[1], POSITION_TOLERANCE))
        if all(is_constant_zero(wait) for wait in delay):
            return shift
        early = [[-wait * x for x in own] for own, wait in zip(impulses, delay, strict=True)]
        return shift + np.array(setup.change(early, [0.0] * len(setup.bilateral_rows))[0])  # (4)


def _gain(setup: Setup | Articulated, speeds, impulses):
    """Compute the kinetic energy P · (v + ½ A P) that impulses add; only ½ P · A P if speeds is None."""
    after = setup.speeds(setup.change(impulses, [0.0] * len(setup.bilateral_rows))[0])
    total: Any = 0.0
    for n, (own, dv) in enumerate(zip(impulses, after, strict=True)):
        total = total + 0.5 * dot(own, dv)
        if speeds is not None:
            total = total + dot(own, speeds[n])
    return total


def in_order(
    setup: Setup | Articulated, impulses: Array, held: Array, count: int, more: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Sort impulses into those of the contacts, (contacts, 3) in world axes, and of the further rows, (m,).

    held : impulses of the bilateral rows. count : number of contacts.
    """
    world: list[Any] = [np.zeros(3)] * count
    further: list[Any] = [0.0] * (0 if more is None else len(more.unilateral))
    for c, own in zip(setup.conditions, impulses, strict=True):
        if c.axes is None:
            further[c.number] = own[0]
        else:
            world[c.number] = np.array(combine(own, c.axes[: c.size]))
    for n, x in zip(setup.bilateral_rows, held, strict=True):
        further[n] = x
    return np.stack(world) if world else np.zeros((0, 3)), np.array(further)


def _separations(rows, gaps, tolerance: float) -> list[Any]:
    """Compute λ of equation (3), with the derivative at the solution; 0 if every gap is open."""
    conditions = [Condition(n, n, [[1.0]], None, None) for n in range(len(rows))]

    def solve() -> list[Any]:
        return [[x] for x in _swept_separations(rows, gaps)]

    found = with_implicit_derivative(conditions, [[row] for row in rows], [[gap] for gap in gaps], tolerance, solve)
    return [x for (x,) in found]


def _swept_separations(rows, gaps) -> list[Any]:
    """Compute λ of equation (3) by Gauss–Seidel sweeps."""
    inverses = [1.0 / (dot(row, row) + MIN_DENOMINATOR) for row in rows]
    worst: Any = 0.0
    for gap in gaps:
        worst = maximum(worst, -gap)

    def body(carry):
        lengths, z, _ = carry
        lengths, z, off = list(lengths), list(z), 0.0
        for n, (row, gap, inverse) in enumerate(zip(rows, gaps, inverses, strict=True)):
            new = maximum(lengths[n] - (gap + dot(row, z)) * inverse, 0.0)
            step = new - lengths[n]
            off = maximum(off, absolute(step) / inverse)
            z, lengths[n] = add_scaled(z, step, row), new
        return np.array(lengths), np.array(z), np.array(off)

    first = (np.zeros(len(rows)), np.zeros(len(rows[0])), np.array(worst))
    return list(
        repeat(body, first, MAX_POSITION_SWEEPS, until=lambda carry: less_equal(carry[2], POSITION_TOLERANCE))[0]
    )
