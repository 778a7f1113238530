"""The virtual leg as a contact model, and the three-step increment of the thesis.

    position of a foot: x_k = Σ w_i x_i / Σ w_i,  w_i = max(clearance - gap_i, 0) over the contacts of its link   (1)
    foot is down    from gap ≤ 0 on, until gap > clearance                                                        (2)
    phase           s' = ±1/t_ds towards the foot that struck last, or to ½ if feet act together;
                    the load share of a foot in the air becomes 0 immediately                                     (3)
    load            α = blend(s); the law for r = Σ α_k (x_k - G), f_k = α_k f                                    (4)

The memory contains `down` (feet,), and `phase` and `goal`, values of s from 0 to 1, where 1 means that the first foot
carries the whole load. For observation it also contains `loads` (feet,), `rest` r_s [m] and `residual` (3,) [N m], the
part of the target moment that the feet cannot produce. The model does not hold feet in place; joint forces must do so.

Three-step increment (docs/equations/thesis.md 7.2.3):

    1  u'₀ without the ground; u₁ = u + h u'₀, q₁ = q ⊞ h u₁      predicted state                                 (5)
    2  f_c from the law at (q₁, u₁)                                                                               (6)
    3  u' with f_c at the foot, at (q, u)                                                                         (7)

The thesis advances only the root, which is the contact foot. Here the whole figure is advanced, so that G and H_G
belong to the same instant as the foot. To first order in h this is the law at the end of the step, which allows stiffer
legs and dissipates energy.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import Array, clip, less, maximum, minimum, sqrt, where
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.model import ContactForces
from anthropi.contact.virtual_leg.feet import BLENDS, blend, foot_forces, foot_wrenches, shares, virtual_foot
from anthropi.contact.virtual_leg.law import Leg, Rest, body_of, leg_force, span, wanted_moment
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure

__all__ = ["Increment", "VirtualLeg", "three_steps"]


MIN_SQUARE = 1e-12  # smallest sum of weights and smallest squared normal, so that divisions stay finite


@dataclass(frozen=True, eq=False)
class VirtualLeg:
    """Contact model: the ground reaction acts through a virtual leg from the centre of mass to one or two feet.

    Attributes
    ----------
    feet : names of one or two links, the left one first.
    leg : parameters of the leg.
    rest : a rule for the rest length, or a function (virtual leg, body) → rule.
    wanted : target angular momentum (3,) [N m s] about the centre of mass, or a function (kinematics, body) → (3,).
    double_support : t_ds [s] duration of the load transfer from one foot to the other.
    form : form of the transfer, "linear", "cosine" or "cubic".
    clearance : [m] height above which a foot is off the ground.
    together : True if the feet on the ground share the load equally (standing, hopping on both feet); False if the foot
        that struck last takes the load.
    """

    feet: tuple[str, ...]
    leg: Leg
    rest: Any
    wanted: Any = (0.0, 0.0, 0.0)
    double_support: Any = 0.15
    form: str = "cosine"
    clearance: float = 5e-3
    together: bool = False
    impulsive = False

    def __post_init__(self) -> None:
        feet = (self.feet,) if isinstance(self.feet, str) else tuple(self.feet)
        object.__setattr__(self, "feet", feet)
        if len(feet) not in (1, 2) or len(set(feet)) != len(feet):
            raise InputError(f"VirtualLeg has feet {feet!r}. Give the name of one link, or of a left and a right link.")
        if self.form not in BLENDS:
            raise InputError(
                f"No blend '{self.form}'.{did_you_mean(str(self.form), BLENDS)} Choose one of: {', '.join(BLENDS)}."
            )
        if not self.clearance > 0.0:
            raise InputError(
                f"VirtualLeg has clearance {self.clearance!r}. Give a positive height [m] above which a foot is off "
                "the ground."
            )
        if not (callable(self.rest) or hasattr(self.rest, "length")):
            raise InputError(
                f"rest={self.rest!r} is not a rule for the rest length. Use Given, FromForce, FromHeight, FromApex, or "
                "a function of (virtual leg, body) that returns one."
            )

    def memory(self, scene: Any) -> dict[Any, Any]:
        """Return the memory at the start of a simulation: all feet off the ground, the load shared equally."""
        n = len(self.feet)
        own = {"down": np.zeros(n), "phase": np.array(0.5), "goal": np.array(0.5), "loads": np.zeros(n)}
        return own | {"rest": np.array(0.0), "residual": np.zeros(3)}

    def force(
        self, scene: Any, contacts: list[Any], kinematics: Any, memory: dict[Any, Any], dt: Array
    ) -> tuple[ContactForces, dict[Any, Any]]:
        """Compute the forces on the feet, and the memory after the step; dt None keeps the phase of the load."""
        figure, k = scene.figure, kinematics
        links = [figure.link_index(name) for name in self.feet]
        own = [_contacts_of(contacts, i, name) for i, name in zip(links, self.feet, strict=True)]
        foot_points = [_foot(found, self.clearance) for found in own]
        down = np.stack([self._down(found, was) for found, was in zip(own, memory["down"], strict=True)])
        phase, goal = self._phase(memory, down, dt)
        loads = shares(blend(self.form, phase)) if len(links) == 2 else np.ones(1)  # (4)
        body = body_of(figure, k)
        places, speeds = (np.stack(x) for x in zip(*((s[0], s[1]) for s in foot_points), strict=True))
        virtual = span(virtual_foot(places, loads), virtual_foot(speeds, loads), body)
        wanted = self.wanted(k, body) if callable(self.wanted) else np.asarray(self.wanted)
        moment, normal = wanted_moment(self.leg, body.spin, wanted), _normal(own, foot_points, loads)
        rule: Rest = self.rest(virtual, body) if callable(self.rest) else self.rest
        rest = rule.length(self.leg, virtual, body, moment, normal)
        f, _, residual = leg_force(self.leg, virtual, moment, rest, normal)
        loaded = less(0.5, down.sum())
        f, residual = where(loaded, f, 0.0), where(loaded, residual, 0.0)
        each = foot_forces(f, loads)
        output = {"down": down, "phase": phase, "goal": goal, "loads": where(loaded, loads, 0.0)}
        output |= {"rest": rest, "residual": residual}
        shared = _by_contact(contacts, links, foot_points, each)
        return ContactForces(foot_wrenches(k, links, places, each), {}, shared, shared), output

    def _down(self, contacts, was):
        """Return the state of a foot, 1.0 on the ground or 0.0 off the ground; `was` is its previous state."""
        gap = contacts[0].gap
        for contact in contacts[1:]:
            gap = minimum(gap, contact.gap)
        return where(less(0.0, gap), where(less(self.clearance, gap), 0.0, was), 1.0)

    def _phase(self, memory, down, dt):
        """Compute the phase of the load transfer and its goal, by equation (3)."""
        phase, goal = memory["phase"], memory["goal"]
        if len(down) == 1:
            return phase, goal
        new = down * (1.0 - memory["down"])
        flew = less(memory["down"].sum(), 0.5)
        struck = where(less(0.5, new[0]), 1.0, where(less(0.5, new[1]), 0.0, goal))
        goal = 0.5 if self.together else where(less(1.5, new.sum()), 0.5, struck)
        alone = less(down.sum(), 1.5)  # at most one foot is on the ground
        goal = where(alone, where(less(0.5, down.sum()), down[0], goal), goal)
        phase = where(flew, goal, phase)  # the foot that lands first carries the whole load
        moved = phase if dt is None else phase + clip(goal - phase, -dt / self.double_support, dt / self.double_support)
        return where(alone, goal, moved), goal


def _contacts_of(contacts, link: int, name: str) -> list[Any]:
    """Return the contacts of a foot with the world; raise InputError if it has none."""
    found = [contact for contact in contacts if contact.a == link and contact.b < 0]
    if not found:
        known = ", ".join(contact.name for contact in contacts)
        raise InputError(f"Link '{name}' has no contact with the ground. Give it a contact feature. Contacts: {known}.")
    return found


def _foot(contacts, clearance):
    """Compute the position and velocity (3,) of a foot by equation (1), and the share of each contact (n,)."""
    depths = [maximum(clearance - contact.gap, 0.0) for contact in contacts]
    total = sum(depths)
    off = less(total, MIN_SQUARE)
    parts = [where(off, 1.0 / len(contacts), depth / where(off, 1.0, total)) for depth in depths]
    place = sum(part * contact.point for part, contact in zip(parts, contacts, strict=True))
    speed = sum(part * (contact.speed + contact.frame_speed) for part, contact in zip(parts, contacts, strict=True))
    return place, speed, parts


def _normal(contacts, foot_points, loads):
    """Compute the normal (3,) of the ground under the feet, a mean over contacts weighted by shares and loads."""
    normals = [np.asarray(contact.normal) for own in contacts for contact in own]
    if all(x.dtype != object and (x == normals[0]).all() for x in normals):
        return normals[0]
    parts = [load * part for foot_point, load in zip(foot_points, loads, strict=True) for part in foot_point[2]]
    mean = np.stack(parts) @ np.stack(normals)
    return mean / sqrt(maximum(mean @ mean, MIN_SQUARE))


def _by_contact(contacts, links, foot_points, each):
    """Distribute the force of each foot over its contacts by their shares; returns (contacts, 3) [N]."""
    shares_left = {i: list(foot_point[2]) for i, foot_point in zip(links, foot_points, strict=True)}
    forces = dict(zip(links, each, strict=True))
    rows = [shares_left[t.a].pop(0) * forces[t.a] if t.a in shares_left and t.b < 0 else np.zeros(3) for t in contacts]
    return np.stack(rows)


class Increment(NamedTuple):
    """Result of `three_steps`: udot (nu,), external forces {link number: (6,)}, and other output of the law."""

    udot: Any
    f_ext: Any
    output: Any


def three_steps(figure: Figure, q: Array, u: Array, tau: Array, dt: Array, law: Any, extra: Any = None) -> Increment:
    """Compute the acceleration over a step dt [s] by the three-step increment of the thesis, equations (5)-(7).

    law : function (predicted kinematics, current kinematics) → (f_ext, output). The predicted kinematics determine the
        forces, the current ones the lever arms.
    extra : as in `direct_dynamics`.
    """
    free = direct_dynamics(figure, q, u, tau, None, extra)  # (5)
    ahead = u + dt * free
    k, now = kinematics(figure, figure.integrate(q, dt * ahead), ahead), kinematics(figure, q, u)
    f_ext, output = law(k, now)  # (6)
    return Increment(direct_dynamics(figure, q, u, tau, f_ext, extra), f_ext, output)  # (7)
