"""The virtual leg as a contact model: which foot is down, what it carries, and the force the ground gives.

    foot's place    x_k = Σ w_i x_i / Σ w_i,  w_i = max(clearance - gap_i, 0) over the touches of its link        (1)
    foot is down    from gap ≤ 0 on, until gap > clearance                                                        (2)
    phase           s' = ±1/t_ds towards the foot that struck last, or the middle where feet act together;
                    a foot in the air gives up its part at once                                                   (3)
    load            α = blend(s); the law for r = Σ α_k (x_k - G), f_k = α_k f                                     (4)

Memory: `down` (feet,), `phase` and `goal` s in [0, 1], 1 where the first foot has it all; and for who looks on: `loads`
(feet,), `rest` r_s [m], `residual` (3,) [N m], the moment that the feet could not make. Nothing here holds a foot where
it stands: joint forces do.

Increment
---------
How does a figure move in one increment on a virtual leg? The thesis' three-step solve (7.2.3).

    1  u'₀ without the ground; u₁ = u + h u'₀, q₁ = q ⊞ h u₁      where the figure would be      (5)
    2  f_c from the law at (q₁, u₁)                                                              (6)
    3  u' with f_c at the foot, at (q, u)                                                        (7)

The thesis advances the root, which is the contact foot; here the whole figure is, so that G and H_G are as new as the
foot. To first order in h this is the law taken at the end of the step: a leg may be stiffer, and keeps no energy.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import clip, less, maximum, minimum, sqrt, where
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.model import ContactForces
from anthropi.contact.virtual_leg.feet import BLENDS, blend, foot_forces, foot_wrenches, shares, virtual_foot
from anthropi.contact.virtual_leg.law import Leg, Rest, body_of, leg_force, span, wanted_moment
from anthropi.errors import InputError, did_you_mean

__all__ = ["Increment", "VirtualLeg", "three_steps"]


TINY = 1e-12


@dataclass(frozen=True, eq=False)
class VirtualLeg:
    """Ground reaction through the virtual leg of one or two feet.

    feet : names of one or two links, the left one first. leg : its numbers. rest : a way to get r_s, or a function
    (virtual leg, body) → one. wanted : H̃ (3,) [N m s] about G, or a function (kinematics, body) → (3,).
    double : t_ds [s], how long a load takes from foot to foot. form : linear, cosine or cubic. clearance : [m].
    together : whether feet on the ground share alike (standing, hopping on both), not the last to strike takes all.
    """

    feet: tuple[str, ...]
    leg: Leg
    rest: Any
    wanted: Any = (0.0, 0.0, 0.0)
    double: Any = 0.15
    form: str = "cosine"
    clearance: float = 5e-3
    together: bool = False
    impulsive = False

    def __post_init__(self):
        feet = (self.feet,) if isinstance(self.feet, str) else tuple(self.feet)
        object.__setattr__(self, "feet", feet)
        if len(feet) not in (1, 2) or len(set(feet)) != len(feet):
            raise InputError(f"A virtual leg has one or two feet, and got {feet!r}. Name one link, or left and right.")
        if self.form not in BLENDS:
            raise InputError(
                f"No blend '{self.form}'.{did_you_mean(str(self.form), BLENDS)} Choose: {', '.join(BLENDS)}."
            )
        if not self.clearance > 0.0:
            raise InputError(
                f"clearance={self.clearance!r}: give a positive height [m] at which a foot is off the ground."
            )
        if not (callable(self.rest) or hasattr(self.rest, "length")):
            raise InputError(
                f"rest={self.rest!r} is no way to get r_s. Give Given, FromForce, FromHeight, FromApex, or "
                "a function of (virtual leg, body) that gives one."
            )

    def memory(self, scene) -> dict:
        """All feet off, the load in the middle."""
        n = len(self.feet)
        own = {"down": np.zeros(n), "phase": np.array(0.5), "goal": np.array(0.5), "loads": np.zeros(n)}
        return own | {"rest": np.array(0.0), "residual": np.zeros(3)}

    def force(self, scene, contacts, kinematics, memory, dt) -> tuple[ContactForces, dict]:
        """Forces on the feet now; dt None: nothing moves on in memory but the feet."""
        figure, k = scene.figure, kinematics
        links = [figure.link_index(name) for name in self.feet]
        own = [_contacts_of(contacts, i, name) for i, name in zip(links, self.feet, strict=True)]
        spots = [_foot(found, self.clearance) for found in own]
        down = np.stack([self._down(found, was) for found, was in zip(own, memory["down"], strict=True)])
        phase, goal = self._phase(memory, down, dt)
        loads = shares(blend(self.form, phase)) if len(links) == 2 else np.ones(1)  # (4)
        body = body_of(figure, k)
        places, speeds = (np.stack(x) for x in zip(*((s[0], s[1]) for s in spots), strict=True))
        virtual = span(virtual_foot(places, loads), virtual_foot(speeds, loads), body)
        wanted = self.wanted(k, body) if callable(self.wanted) else np.asarray(self.wanted)
        moment, normal = wanted_moment(self.leg, body.spin, wanted), _normal(own, spots, loads)
        way: Rest = self.rest(virtual, body) if callable(self.rest) else self.rest
        rest = way.length(self.leg, virtual, body, moment, normal)
        f, _, left = leg_force(self.leg, virtual, moment, rest, normal)
        stands = less(0.5, down.sum())
        f, left = where(stands, f, 0.0), where(stands, left, 0.0)
        each = foot_forces(f, loads)
        told = {"down": down, "phase": phase, "goal": goal, "loads": where(stands, loads, 0.0)}
        told |= {"rest": rest, "residual": left}
        shared = _by_contact(contacts, links, spots, each)
        return ContactForces(foot_wrenches(k, links, places, each), {}, shared, shared), told

    def _down(self, contacts, was):
        """(2): 1.0 or 0.0."""
        gap = contacts[0].gap
        for contact in contacts[1:]:
            gap = minimum(gap, contact.gap)
        return where(less(0.0, gap), where(less(self.clearance, gap), 0.0, was), 1.0)

    def _phase(self, memory, down, dt):
        """(3): phase and goal."""
        phase, goal = memory["phase"], memory["goal"]
        if len(down) == 1:
            return phase, goal
        new = down * (1.0 - memory["down"])
        flew = less(memory["down"].sum(), 0.5)
        struck = where(less(0.5, new[0]), 1.0, where(less(0.5, new[1]), 0.0, goal))
        goal = 0.5 if self.together else where(less(1.5, new.sum()), 0.5, struck)
        alone = less(down.sum(), 1.5)  # one foot, or none
        goal = where(alone, where(less(0.5, down.sum()), down[0], goal), goal)
        phase = where(flew, goal, phase)  # who lands first has it all
        moved = phase if dt is None else phase + clip(goal - phase, -dt / self.double, dt / self.double)
        return where(alone, goal, moved), goal


def _contacts_of(contacts, link: int, name: str) -> list:
    found = [contact for contact in contacts if contact.a == link and contact.b < 0]
    if not found:
        known = ", ".join(contact.name for contact in contacts)
        raise InputError(f"Nothing on link '{name}' can touch the ground. Give it a contact feature. Touches: {known}.")
    return found


def _foot(contacts, clearance):
    """(1): place, velocity (3,), and the part of each touch (n,)."""
    depths = [maximum(clearance - contact.gap, 0.0) for contact in contacts]
    total = sum(depths)
    off = less(total, TINY)
    parts = [where(off, 1.0 / len(contacts), depth / where(off, 1.0, total)) for depth in depths]
    place = sum(part * contact.point for part, contact in zip(parts, contacts, strict=True))
    speed = sum(part * (contact.speed + contact.frame_speed) for part, contact in zip(parts, contacts, strict=True))
    return place, speed, parts


def _normal(contacts, spots, loads):
    """The ground's normal under the feet (3,): the mean over touches, each by its part and its foot's load."""
    normals = [np.asarray(contact.normal) for own in contacts for contact in own]
    if all(x.dtype != object and (x == normals[0]).all() for x in normals):
        return normals[0]
    parts = [load * part for spot, load in zip(spots, loads, strict=True) for part in spot[2]]
    mean = np.stack(parts) @ np.stack(normals)
    return mean / sqrt(maximum(mean @ mean, TINY))


def _by_contact(contacts, links, spots, each):
    """(touches, 3): each foot's force, spread over its touches as its place is."""
    left = {i: list(spot[2]) for i, spot in zip(links, spots, strict=True)}
    forces = dict(zip(links, each, strict=True))
    rows = [left[t.a].pop(0) * forces[t.a] if t.a in left and t.b < 0 else np.zeros(3) for t in contacts]
    return np.stack(rows)


class Increment(NamedTuple):
    """udot (nu,); f_ext {link number: (6,)} that made it; told: whatever the law says besides."""

    udot: Any
    f_ext: Any
    told: Any


def three_steps(figure, q, u, tau, dt, law, extra=None) -> Increment:
    """The acceleration of an increment of dt [s].

    law : function (kinematics ahead, kinematics now) → (f_ext, told): forces by the first, arms by the second.
    """
    free = direct_dynamics(figure, q, u, tau, None, extra)  # (5)
    ahead = u + dt * free
    k, now = kinematics(figure, figure.integrate(q, dt * ahead), ahead), kinematics(figure, q, u)
    f_ext, told = law(k, now)  # (6)
    return Increment(direct_dynamics(figure, q, u, tau, f_ext, extra), f_ext, told)  # (7)
