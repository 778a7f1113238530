"""Compliant contact model: spring, damper and friction forces, integrated implicitly over a time step.

`compliant_laws.py` has the force laws of one contact. The contact forces on a link add up to one moment and one force.
Their derivatives with respect to velocity are added to the inertia of the link (`algorithms/recursions.py` (5)). The
articulated-body recursion therefore computes the velocities at the end of the step together with the forces that
belong to these velocities. The step is stable for any stiffness of friction and dampers. Forces between two links are
explicit.

A force F - B (v⁺ - v) at the point s of a link, with B = b 1 + w n nᵀ in the link frame and w = B_n - B_t, adds

    A = Σ [s]B[s]ᵀ,   H = Σ [s]B,   M = Σ B                                    (1)  b, w include the step h

to the link's articulated inertia. With the moments S₀, S₁, S₂ = Σ (1, s, s sᵀ) of b, and those of w for points that
share a normal,

    of b:   A = tr S₂ - S₂,     H = [S₁],          M = S₀                      (2)
    of w:   A = [n] S₂ [n]ᵀ,    H = (S₁ × n) nᵀ,   M = S₀ n nᵀ                 (3)

Most contact points are fixed in the link, so the moments are sums of constants times b or w.

If a material has no stiffness, the stiffness follows from the weight: half the weight of the figure on one feature
gives the penetration `Compliant.depth`. The bristles are as stiff as the normal spring at that depth.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import cross, full, matvec, transpose, upper, upper_product
from anthropi.algebra.scalar import Array, is_constant_zero, minimum, records
from anthropi.algebra.spatial import ArticulatedInertia, skew
from anthropi.contact.compliant_laws import (
    LINK_LIMITS,
    NormalForce,
    bounce,
    bouncing,
    damped,
    friction,
    limited,
    potential,
    power,
    whole_link,
)
from anthropi.contact.geometry.boxes import Corner, Edge
from anthropi.contact.geometry.contacts import Contact, GroupOnWorld, frame_of
from anthropi.contact.geometry.pairs import FIXED, body_mass, rigid_body
from anthropi.contact.material import Material, plain
from anthropi.contact.model import ContactForces, ImplicitContact
from anthropi.contact.vectors import dot
from anthropi.errors import InputError

__all__ = ["Compliant", "added_inertia"]


def added_inertia(C: Array, parts: Any) -> ArticulatedInertia:
    """Compute the inertia (1) that implicit contact forces add to a link, in the link frame.

    C : (3, 3) rotation of the link. parts : (contact, h B_n, h B_t) for each contact of the link; the last two in [kg].
    """
    points = [contact.local for contact, _, _ in parts]
    zero, one, two = _moments(points, [b for _, _, b in parts])
    second = full(two)
    trace = second[0, 0] + second[1, 1] + second[2, 2]
    A = upper(trace * np.eye(3) - second)  # (2)
    H = skew(one)
    M = upper(zero * np.eye(3))
    shared: dict[Any, Any] = {}
    for contact, b_n, b_t in parts:
        shared.setdefault(id(contact.normal), (contact.normal, []))[1].append((contact.local, b_n - b_t))
    for normal, members in shared.values():
        n = matvec(transpose(C), normal)
        if len(members) == 1:
            ((s, w),) = members
            zero, arm = w, cross(s, n)
            lever = w * arm
            A = A + upper_product(lever[:, None], arm[:, None])
        else:
            zero, one, two = _moments([s for s, _ in members], [w for _, w in members])
            across = skew(n)
            A = A + upper_product(across @ full(two), across)  # (3)
            lever = cross(one, n)
        scaled = zero * n
        H = H + lever[:, None] * n[None, :]
        M = M + upper_product(scaled[:, None], n[:, None])
    return ArticulatedInertia(A, H, M)


_UPPER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))  # entries of a packed upper triangle


def _moments(points, weights):
    """Compute the moments S₀, S₁ (3,) and S₂ (6,), its upper triangle, of weights at points (3,)."""
    first = np.array([_sum(weights, [s[k] for s in points]) for k in range(3)])
    second = [_sum(weights, [s[i] * s[j] for s in points]) for i, j in _UPPER]
    return _sum(weights, [1.0] * len(weights)), first, np.array(second)


def _sum(weights, factors):
    """Compute Σ weight · factor. Weights with factors that are equal up to sign are added first, to save products."""
    if records(*factors):
        total = 0.0
        for w, c in zip(weights, factors, strict=True):
            total = total + w * c
        return total
    groups: dict[Any, Any] = {}
    for w, c in zip(weights, factors, strict=True):
        size = float(f"{abs(c):.15g}")
        before = groups.get(size)
        if before is None:
            groups[size] = (w, 1.0 if c >= 0.0 else -1.0)
        else:
            sign = before[1] if c >= 0.0 else -before[1]
            groups[size] = (before[0] + w if sign > 0.0 else before[0] - w, before[1])
    total = 0.0
    for size, (w, sign) in groups.items():
        total = total + (sign * size) * w
    return total


class ContactLaw(NamedTuple):
    """Parameters of the force laws of one contact. Equation numbers refer to `compliant_laws.py`.

    Attributes
    ----------
    k, k_t : stiffness along the normal [N/mᵖ] and of the bristles [N/m].
    c : coefficients of restitution in equation (4), used with the impact speed in memory; None without restitution.
    d : dissipation [s/m]; None if c is given.
    mass : [kg] of the body that touches the surface; between two links, a share of their reduced mass.
    explicit_mass : [kg] mass m_t in the friction law (9).
    damped_mass : [kg] mass m in equation (11).
    whole : whether the contact is that of a whole link, by equation (12).
    """

    k: Any
    k_t: Any
    c: Any
    d: Any
    mass: Any
    explicit_mass: Any
    damped_mass: Any
    whole: bool = False


@dataclass(frozen=True, eq=False)
class Compliant:
    """Compliant contact model: Hunt–Crossley springs along the normal, bristles with Coulomb friction across it.

    Attributes
    ----------
    depth : [m] penetration of one feature under half the weight of its figure, for materials without stiffness.
    relaxation : [s] ratio of damping to stiffness of the bristles.
    damping : [s/m] dissipation d of materials that have neither a dissipation nor a restitution.
    """

    depth: float = 5e-4
    relaxation: float = 0.01
    damping: float = 30.0
    impulsive = False

    def __post_init__(self) -> None:
        for name in ("depth", "relaxation", "damping"):
            value = plain(getattr(self, name))
            object.__setattr__(self, name, value)
            if not (isinstance(value, (int, float)) and 0.0 < value < float("inf")):
                raise InputError(f"Compliant has {name} {value!r}. Give a finite number above 0.")

    def memory(self, scene: Any) -> dict[str, np.ndarray]:
        """Memory at the start of a simulation, all zero.

        It contains the stretch of the bristles, (contacts, 2) [m], and the impact speeds of contacts with restitution,
        (contacts with restitution,) [m/s].
        """
        count = sum(_bounces(c.material) and not isinstance(c, GroupOnWorld) for c in scene.candidates)
        return {"bristles": np.zeros((len(scene.candidates), 2))} | ({"blows": np.zeros(count)} if count else {})

    def force(
        self, scene: Any, contacts: list[Contact], kinematics: Any, memory: dict[Any, Any], dt: Array
    ) -> tuple[ContactForces, dict[Any, Any]]:
        """Compute the contact forces before the dynamics, and their derivatives with respect to velocity.

        Parameters
        ----------
        contacts : contacts of the scene at this state.
        memory : memory after the previous step; see `Compliant.memory`.
        dt : [s] the time step; None for explicit forces, which do not change the bristles.

        Returns
        -------
        The forces, and the memory after the step.
        """
        forces: list[Any] = []
        parts: list[Any] = []
        implicit: list[ImplicitContact] = []
        bristles: list[Any] = []
        impact_speeds: list[Any] = []
        h = 0.0 if dt is None else dt
        for row, (contact, law, z) in enumerate(zip(contacts, self._laws(scene), memory["bristles"], strict=True)):
            frame = frame_of(contact.normal)
            v_n, *across = (dot(contact.speed, direction) for direction in frame)
            if law.whole:
                m = contact.material
                n, t = whole_link(contact.gap, v_n, across, law.k, m.exponent, law.d, m.friction, h, law.mass)
                f = n * frame.n + t[0] * frame.t1 + t[1] * frame.t2
                forces.append(f)
                parts.append(f)
                bristles.append(z)
                continue
            impact_speed = None if law.c is None else memory["blows"][len(impact_speeds)]
            normal = _normal(contact, law, v_n, h, impact_speed)
            k_t, r = law.k_t, self.relaxation
            if contact.b >= 0 and dt is not None:  # explicit: stiffness and damping bounded by the masses
                k_t, r = minimum(k_t, LINK_LIMITS.friction * law.mass / (h * h)), h
            tangential = friction(
                normal.friction_load, across, z, contact.material.friction, k_t, h, r, law.explicit_mass
            )
            across_f = tangential.t[0] * frame.t1 + tangential.t[1] * frame.t2
            forces.append(normal.friction_load * frame.n + across_f)
            bristles.append(tangential.z)
            impact_speeds += [] if law.c is None else [normal.impact_speed]
            own = ImplicitContact(row, contact, normal.n, across_f, normal.h_b, tangential.h_b, normal.h_b_open)
            if contact.b < 0 and dt is not None:
                implicit.append(own)
            parts.append(normal.n * frame.n + across_f if contact.b >= 0 or dt is None else own)
        after = {"bristles": memory["bristles"] if dt is None else np.array(bristles).reshape(-1, 2)}
        after |= {"blows": np.array(impact_speeds)} if impact_speeds else {}
        felt = np.array(forces).reshape(-1, 3)
        return _added_up(contacts, kinematics, felt, parts, tuple(implicit)), after

    def stored(self, scene: Any, contacts: list[Contact], memory: dict[Any, Any], dt: Array = None) -> Any:
        """Compute the energy [J] stored in the springs of all contacts: ∫ k xᵖ dx + k_t z²/2.

        dt : [s] the time step, which bounds the stiffness between links (`compliant_laws.py` (10)); None for no bound.
        """
        total = 0.0
        for contact, law, z in zip(contacts, self._laws(scene), memory["bristles"], strict=True):
            bound = None if contact.b < 0 or dt is None else law.mass / (dt * dt)
            k_t = law.k_t if bound is None else minimum(law.k_t, LINK_LIMITS.friction * bound)
            max_stiffness = None if bound is None else LINK_LIMITS.stiffness * bound
            total = (
                total
                + potential(contact.gap, law.k, contact.material.exponent, max_stiffness)
                + 0.5 * k_t * (z * z).sum()
            )
        return total

    def _laws(self, scene) -> list[ContactLaw]:
        """Compute the parameters of all contact candidates of a scene."""
        figure = scene.figure
        own = [[i for i in (c.a, c.b) if i >= 0] for c in scene.candidates]
        keys = [(c.on, *(rigid_body(figure, i) for i in links)) for c, links in zip(scene.candidates, own, strict=True)]
        counts = Counter(key for c, key in zip(scene.candidates, keys, strict=True) if _is_feature(c))
        return [
            self._law(scene, c.material, links, counts[key], isinstance(c, GroupOnWorld))
            for c, links, key in zip(scene.candidates, own, keys, strict=True)
        ]

    def _law(self, scene, m: Material, links: list[int], count: int, whole: bool) -> ContactLaw:
        """Compute the parameters of one contact.

        count : number of features that the same bodies share. whole : whether it is the contact of a whole link.
        """
        moving = [i for i in links if rigid_body(scene.figure, i) != FIXED] or links[:1]
        weight = _lightest([scene.weight(i) for i in moving])
        k = 0.5 * weight * self.depth**-m.exponent if m.stiffness is None else m.stiffness
        k_t = k * self.depth ** (m.exponent - 1.0)
        mass, *others = [body_mass(scene.figure, i) for i in moving]
        mass = scene.figure.links[moving[0]].mass if mass is None else mass
        if whole:
            d = self.damping if m.dissipation is None else m.dissipation
            return ContactLaw(k, k_t, None, d, mass, None, None, True)
        explicit_mass, damped_mass = mass * (0.25 / max(count, 4)), mass * min(1.0, 2.0 / count)
        for other in others:  # the reduced mass
            mass = mass * other / (mass + other)
        if len(links) > 1:  # a larger share where the pair has few contact points
            mass = mass * (5.0 / min(count, 5))
        d = self.damping if m.dissipation is None else m.dissipation
        if not _bounces(m):
            return ContactLaw(k, k_t, None, d, mass, explicit_mass, damped_mass)
        c0, c1 = bounce(m.restitution, m.exponent)
        length = power(weight / scene.gravity_magnitude / k, 1.0 / (m.exponent + 1.0))
        return ContactLaw(
            k,
            k_t,
            (c0, 0.0 if len(links) > 1 else c1 * scene.gravity_magnitude * length),
            None,
            mass,
            explicit_mass,
            damped_mass,
        )


def _normal(contact: Contact, law: ContactLaw, v_n, h, impact_speed) -> NormalForce:
    """Compute the normal force with the law for this contact: between links, with restitution, or damped."""
    m = contact.material
    if contact.b >= 0 and not is_constant_zero(h):
        return limited(contact.gap, v_n, law.k, m.exponent, law.d, h, law.mass, impact_speed, law.c)
    if law.c is not None or m.dissipation is not None:
        return bouncing(contact.gap, v_n, law.k, m.exponent, law.d, h, law.mass, impact_speed, law.c)
    return damped(contact.gap, v_n, law.k, m.exponent, law.d, h, law.damped_mass)


def _added_up(contacts: list[Contact], kinematics, felt, parts: list[Any], implicit) -> ContactForces:
    """Add up the forces of all contacts on each link, and the inertia (1) of implicit ones.

    felt : (contacts, 3) [N] as measured. parts : for each contact its force (3,) [N], or an `ImplicitContact`.
    """
    wrenches: dict[int, Any] = {}
    slopes: dict[int, list[Any]] = {}
    acting: list[Any] = []
    for contact, part in zip(contacts, parts, strict=True):
        f = part
        if isinstance(part, ImplicitContact):
            f = part.normal * contact.normal + part.tangential
            slopes.setdefault(contact.a, []).append((contact, part.b_n, part.b_t))
        acting.append(f)
        _add(wrenches, contact.a, contact.arm, f)
        if contact.b >= 0:
            _add(wrenches, contact.b, contact.arm_b, -f)

    def changed(lines: Any) -> ContactForces:
        own = list(parts)
        for c, line in zip(implicit, lines, strict=True):
            own[c.row] = c._replace(**line._asdict())
        return _added_up(contacts, kinematics, felt, own, implicit)

    f_ext = {i: _turned(kinematics.rotation[i], wrench) for i, wrench in wrenches.items()}
    added = {i: added_inertia(kinematics.rotation[i], own) for i, own in slopes.items()}
    kept = tuple(part for part in parts if isinstance(part, ImplicitContact))
    return ContactForces(f_ext, added, felt, np.array(acting).reshape(-1, 3), kept, changed if implicit else None)


def _is_feature(c) -> bool:
    """Whether a candidate is a feature of a link, and not a whole link, an edge or a corner of an obstacle."""
    return not isinstance(c, (Edge, GroupOnWorld)) and not (isinstance(c, Corner) and c.of.link < 0)


def _bounces(m: Material) -> bool:
    """Whether a contact of this material stores its impact speed, because restitution determines its dissipation."""
    return m.dissipation is None and not is_constant_zero(m.restitution)


def _lightest(weights):
    """Return the smallest weight, or the first one if they are recorded scalars, which cannot be compared."""
    return weights[0] if records(*weights) else min(weights)


def _add(wrenches: dict[Any, Any], i: int, arm, f) -> None:
    """Add to the moment and force on link i a force f (3,) that acts at `arm` (3,) from its origin, in world axes."""
    moment, force = wrenches.get(i, (0.0, 0.0))
    wrenches[i] = moment + cross(arm, f), force + f


def _turned(C, wrench):
    """Rotate a moment and a force from world axes to the link frame (6,)."""
    back = transpose(C)
    return np.concatenate([matvec(back, wrench[0]), matvec(back, wrench[1])])
