"""Hard contact: no spring, no sinking, true friction cones. Moreau's time stepping.

    M (u⁺ - u_free) = Σ Jᵀ P,   u_free = u + dt u' without contact                                    (1)
    K ∋ P  ⟂  v + μ |v_t| n ∈ K*,   v = J u⁺ - (least normal speed) n       Coulomb, De Saxcé         (2)

with the least speed of `conditions.py`: surfaces that are apart may close their gap within the step and no more, so
that nothing acts before it touches; a blow faster than `slow` leaves at `restitution` times its speed (Newton's law,
taken by Moreau for several at once); all else comes to rest. Hard limits of joints and loops are solved together with
it.

Velocities alone let errors of second order build up to a small penetration. A displacement takes it back, without any
velocity, so that it never adds kinetic energy; and a blow with restitution acts when the surfaces meet, `late` after
the start of the step, so that heights and energies are right:

    M d = Σ J_nᵀ λ,   0 ≤ λ ⟂ J_n d + pull (gap + slop) ≥ 0                                           (3)
    q⁺ = q ⊞ (dt u⁺ + shift),   shift = d - M⁻¹ Σ late Jᵀ P                                           (4)

Newton's law with friction may make energy (Kane's paradox). Then P is taken back towards the P₀ of a blow without
restitution, which makes none, until the gain is 0; cones and speeds stay right, for both conditions are convex in P:

    P = P₀ + s (P₁ - P₀),   P · (v + ½ A P) = 0                                                       (5)
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import absolute, clip, is_constant_zero, less, less_equal, maximum, minimum, sqrt, where
from anthropi.contact.contacts import contact_names
from anthropi.contact.impulsive.conditions import least_speed
from anthropi.contact.impulsive.setup import Articulated, Setup, set_up
from anthropi.contact.impulsive.solve import solved
from anthropi.contact.model import ContactForces, ContactImpulses, Rows
from anthropi.contact.vectors import add_scaled, combine, dot, products
from anthropi.errors import InputError
from anthropi.tape import repeat

__all__ = ["Impulsive"]

MEMORY, FURTHER = "impulses", "further"
CLOSE = 1e-8  # [m] how exact (3) is
TINY = 1e-30


class Asked(NamedTuple):
    """One entry a condition: speeds without impulses, less the least, and less the least without restitution (`calm`);
    impulses to start from, and how late they act."""

    speeds: list
    b: list
    calm: list
    start: list
    late: list


@dataclass(frozen=True)
class Impulsive:
    """Impulses at touches that keep surfaces apart.

    tolerance : [m/s] what may be left of (2), as the natural map; kernels in float32 want 1e-5. passes : sweeps at
    most. slow : [m/s] blows below it do not bounce. slop : [m] penetration that is left alone. pull : how much of the
    rest (3) takes back in a step. rough : False leaves out all friction.
    """

    tolerance: float = 1e-9
    passes: int = 200
    slow: float = 0.01
    slop: float = 1e-5
    pull: float = 0.2
    rough: bool = True
    impulsive = True

    def __post_init__(self):
        for name in ("tolerance", "slow", "slop", "pull"):
            value = getattr(self, name)
            if not (isinstance(value, (int, float)) and 0.0 <= value < float("inf")) or (
                name == "tolerance" and not value
            ):
                raise InputError(f"Impulsive has {name} {value!r}; give a finite number, not below 0.")
        if not isinstance(self.passes, int) or self.passes < 1:
            raise InputError(f"Impulsive has passes {self.passes!r}; give a whole number from 1 on.")

    def memory(self, scene, more: int = 0) -> dict[str, np.ndarray]:
        """The impulses of the last step, to start from: (touches, 3), world; of so many further rows, if any."""
        further = {FURTHER: np.zeros(more)} if more else {}
        return {MEMORY: np.zeros((len(contact_names(scene)), 3)), **further}

    def force(self, scene, contacts, kinematics, memory, dt) -> tuple[ContactForces, dict]:
        """Nothing before the dynamics."""
        none = np.zeros((len(contacts), 3))
        return ContactForces({}, {}, none, none), memory

    def impulse(
        self, scene, contacts, kinematics, tree, u, u_free, memory, dt, more: Rows | None = None, q=None
    ) -> ContactImpulses:
        """Solve (1)-(4). u (nu,) before the step, u_free (nu,) after the dynamics alone; q (nq,) as in kinematics."""
        setup = set_up(scene, kinematics, q, tree, contacts, more, self.rough)
        alpha: list = []
        if more is not None and setup.held:
            lacks = [more.lacks[n] - dot(more.jacobian[n], u_free) for n in setup.held]
            alpha = setup.bilateral.start(lacks)
        if not setup.conditions:
            impulses: list = []
            shift = np.zeros(setup.size)
        else:
            asked = self.asked(setup, contacts, u, u_free, alpha, memory, dt, more)
            impulses = self._solved(setup, asked.b, asked.start)
            if any(x is not y for x, y in zip(asked.calm, asked.b, strict=True)):
                impulses = self._without_gain(setup, asked, impulses)
            shift = self.shift(setup, contacts, impulses, asked.late, more)
        change, held = setup.change(impulses, alpha)
        world, further = placed(setup, impulses, held, len(contacts), more)
        kept = {**memory, MEMORY: world, **({FURTHER: further} if FURTHER in memory else {})}
        return ContactImpulses(u_free + np.array(change), kept, world, further, shift)

    def _solved(self, setup: Setup | Articulated, b, start) -> list:
        return solved(setup.conditions, setup.halves, b, start, self.tolerance, self.passes).impulses

    def _without_gain(self, setup: Setup | Articulated, asked: Asked, impulses) -> list:
        """(5): as many of these impulses as make no energy, the rest from a blow that does not bounce."""
        gain = _gain(setup, asked.speeds, impulses)
        makes = less(0.0, gain)
        b = [[where(makes, x, y) for x, y in zip(p, q, strict=True)] for p, q in zip(asked.calm, asked.b, strict=True)]
        calm = self._solved(setup, b, impulses)
        way = [[x - y for x, y in zip(p, q, strict=True)] for p, q in zip(impulses, calm, strict=True)]
        least = minimum(_gain(setup, asked.speeds, calm), 0.0)
        bend = _gain(setup, None, way)
        slope = gain - least - bend
        root = sqrt(maximum(slope * slope - 4.0 * bend * least, TINY))
        part = where(makes, clip(-2.0 * least / maximum(slope + root, TINY), 0.0, 1.0), 1.0)
        return [[x + part * y for x, y in zip(p, q, strict=True)] for p, q in zip(calm, way, strict=True)]

    def asked(self, setup: Setup | Articulated, contacts, u, u_free, alpha, memory, dt, more=None) -> Asked:
        """What (2) starts from."""
        free = setup.speeds(u_free)
        if isinstance(setup, Setup) and setup.held:
            free = [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(free, setup.drawn(alpha), strict=True)]
        before = setup.speeds(u) if more is not None else None
        found = Asked([], [], [], [], [])
        for n, (c, v) in enumerate(zip(setup.conditions, free, strict=True)):
            if c.axes is None:
                e, gap, speed = more.restitution[c.number], more.gap[c.number], before[n][0]  # type: ignore[index]
                others, start = [more.lacks[c.number]], [memory[FURTHER][c.number] if FURTHER in memory else 0.0]
            else:
                contact, axes = contacts[c.number], c.axes[: c.size]
                e, gap = contact.material.restitution, contact.gap
                speed = 0.0 if is_constant_zero(e) else dot(contact.normal, contact.speed)
                others, start = products(axes, contact.frame_speed), products(axes, memory[MEMORY][c.number])
            b = [x - y for x, y in zip(v, others, strict=True)]
            least = least_speed(gap, speed, b[0], e, dt, self.slow)
            found.speeds.append([least.now, *b[1:]])
            found.b.append([b[0] - least.speed, *b[1:]])
            found.calm.append(found.b[-1] if is_constant_zero(e) else [b[0] + maximum(gap, 0.0) / dt, *b[1:]])
            found.start.append(start)
            found.late.append(least.late)
        return found

    def shift(self, setup: Setup | Articulated, contacts, impulses, late, more=None):
        """(3) and (4): a displacement (nu,). 0 where nothing has sunk in and nothing bounces."""
        n = setup.size
        gaps = [
            (more.gap[c.number] if c.axes is None else contacts[c.number].gap) + self.slop for c in setup.conditions
        ]
        deepest: Any = 0.0
        for gap in gaps:
            deepest = maximum(deepest, -gap)

        def taken_back(_):
            width = range(len(setup.halves[0][0]))
            used = [k for k in width if not all(is_constant_zero(h[k]) for own in setup.halves for h in own)]
            halves = [combine(c.G[0], setup.halves[c.basis]) for c in setup.conditions]
            rows = [[half[k] for k in used] for half in halves]
            lengths = _pushed_out(rows, [where(less(gap, 0.0), self.pull * gap, gap) for gap in gaps])
            moves = [[x, *[0.0] * (c.size - 1)] for c, x in zip(setup.conditions, lengths, strict=True)]
            return np.array(setup.change(moves, [0.0] * len(setup.held))[0]), np.array(0.0)

        first = (np.zeros(n), np.array(deepest))
        shift, _ = repeat(taken_back, first, 1, until=lambda state: less_equal(state[1], CLOSE))
        if all(is_constant_zero(wait) for wait in late):
            return shift
        early = [[-wait * x for x in own] for own, wait in zip(impulses, late, strict=True)]
        return shift + np.array(setup.change(early, [0.0] * len(setup.held))[0])  # (4)


def _gain(setup: Setup | Articulated, speeds, impulses):
    """Kinetic energy that impulses bring, P · (v + ½ A P); without speeds the second part of it."""
    after = setup.speeds(setup.change(impulses, [0.0] * len(setup.held))[0])
    total: Any = 0.0
    for n, (own, dv) in enumerate(zip(impulses, after, strict=True)):
        total = total + 0.5 * dot(own, dv)
        if speeds is not None:
            total = total + dot(own, speeds[n])
    return total


def placed(setup: Setup | Articulated, impulses, held, count: int, more):
    """World impulses (touches, 3) and those of the further rows (m,)."""
    world: list = [np.zeros(3)] * count
    further: list = [0.0] * (0 if more is None else len(more.unilateral))
    for c, own in zip(setup.conditions, impulses, strict=True):
        if c.axes is None:
            further[c.number] = own[0]
        else:
            world[c.number] = np.array(combine(own, c.axes[: c.size]))
    for n, x in zip(setup.held, held, strict=True):
        further[n] = x
    return np.stack(world) if world else np.zeros((0, 3)), np.array(further)


def _pushed_out(rows, gaps) -> list:
    """λ of (3) by sweeps; none at all where every gap is open."""
    inverses = [1.0 / (dot(row, row) + TINY) for row in rows]
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
    return list(repeat(body, first, 50, until=lambda carry: less_equal(carry[2], CLOSE))[0])
