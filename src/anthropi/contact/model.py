"""What a contact model is: a pure function that goes on the tape, chosen per scene.

A *force* model acts before the dynamics: it gives forces on links, and what of them depends on the change of velocity,
so that the articulated-body recursion takes it implicitly. An *impulse* model acts after the dynamics: it changes
velocities so that nothing enters anything. Further rows (hard joint limits, loops) are solved together with contacts.
"""

from typing import Any, NamedTuple, Protocol

__all__ = ["ContactForces", "ContactImpulses", "ContactModel", "Rows"]


class ContactForces(NamedTuple):
    """What touches do to the links before the dynamics.

    f_ext : {link number: (6,) moment about the link's origin, force; link frame}.
    added : {link number: ArticulatedInertia in the link frame}: the link feels f_ext - added (J u'), J u' the change of
        its spatial velocity. forces : (touches, 3) on link a in world components, at the start of the step [N], as a
        controller senses them. acting : (touches, 3) [N] those that f_ext is made of. slopes : (touches, 2) h B_n,
        h B_t [kg]: over a step, the contact force is acting - B (v⁺ - v) (`compliant.py`); None where it is `acting`.
    """

    f_ext: dict[int, Any]
    added: dict[int, Any]
    forces: Any
    acting: Any
    slopes: Any = None


class Rows(NamedTuple):
    """Conditions on velocities besides contacts.

    jacobian : (m, nu). gap : (m,) how far a unilateral row is from its end, 0 for others. lacks : (m,) what J u⁺ must
    be at least (unilateral, at gap 0) or be (bilateral). restitution : (m,). unilateral : which rows only push.
    """

    jacobian: Any
    gap: Any
    lacks: Any
    restitution: Any
    unilateral: tuple[bool, ...]


class ContactImpulses(NamedTuple):
    """u (nu,) after the impulses. impulses : (touches, 3) on link a, world [N s]. more : (m,) of the further rows.

    shift : (nu,) a displacement besides dt u, where q is integrated: q ⊞ (dt u + shift). None: nothing.
    """

    u: Any
    memory: Any
    impulses: Any
    more: Any
    shift: Any = None


class ContactModel(Protocol):
    """How touches become forces or impulses."""

    impulsive: bool

    def memory(self, scene) -> dict:
        """What it remembers from step to step, at the start: nested arrays, {} if nothing."""

    def force(self, scene, contacts, kinematics, memory, dt) -> tuple[ContactForces, dict]:
        """Forces before the dynamics; dt None: nothing implicit."""

    def impulse(self, scene, contacts, kinematics, tree, u, u_free, memory, dt, more: Rows | None) -> ContactImpulses:
        """Velocities after the dynamics: u before the step, u_free what the dynamics alone give."""
