"""Interface of contact models.

A contact model is a pure function that can be recorded, chosen per scene. A *force* model acts before the dynamics: it
gives forces on links, and their slopes with respect to the change of velocity, which the articulated-body recursion
takes implicitly. An *impulse* model acts after the dynamics: it changes velocities so that surfaces do not penetrate.
Further rows (hard joint limits, loops) are solved together with the contacts.
"""

from typing import Any, NamedTuple, Protocol

from anthropi.algebra.scalar import Array

__all__ = ["ContactForces", "ContactImpulses", "ContactModel", "Rows"]


class ContactForces(NamedTuple):
    """Contact forces before the dynamics.

    Attributes
    ----------
    f_ext : {link number: (6,) moment about the origin of the link, force; in the link frame}.
    added : {link number: ArticulatedInertia in the link frame}; the force on the link is f_ext - added (J u'), with
        J u' the change of its spatial velocity.
    forces : (contacts, 3) [N] on link a in world axes at the start of the step, as a controller senses them.
    acting : (contacts, 3) [N] the forces that f_ext is made of.
    slopes : (contacts, 2) h B_n, h B_t [kg]: over a step the contact force is acting - B (v⁺ - v) (`compliant.py`);
        None where it is `acting`.
    """

    f_ext: dict[int, Any]
    added: dict[int, Any]
    forces: Any
    acting: Any
    slopes: Any = None


class Rows(NamedTuple):
    """Conditions on velocities besides contacts.

    Attributes
    ----------
    jacobian : (m, nu).
    gap : (m,) distance of a unilateral row from its bound, 0 for bilateral rows.
    required : (m,) least J u⁺ of a unilateral row at gap 0; J u⁺ of a bilateral row.
    restitution : (m,).
    unilateral : which rows are unilateral.
    """

    jacobian: Any
    gap: Any
    required: Any
    restitution: Any
    unilateral: tuple[bool, ...]


class ContactImpulses(NamedTuple):
    """Result of an impulse model.

    Attributes
    ----------
    u : (nu,) after the impulses.
    memory : of the model, for the next step.
    impulses : (contacts, 3) [N s] on link a, world axes.
    more : (m,) impulses of the further rows.
    shift : (nu,) displacement besides dt u: q⁺ = q ⊞ (dt u + shift). None for none.
    """

    u: Any
    memory: Any
    impulses: Any
    more: Any
    shift: Any = None


class ContactModel(Protocol):
    """A model of contact: forces or impulses from contacts.

    impulsive : whether `impulse` acts after the dynamics, or `force` before.
    """

    impulsive: bool

    def memory(self, scene: Any) -> dict[Any, Any]:
        """Memory at the start, kept from step to step: nested arrays, {} for none."""

    def force(
        self, scene: Any, contacts: list[Any], kinematics: Any, memory: dict[Any, Any], dt: Array
    ) -> tuple[ContactForces, dict[Any, Any]]:
        """Forces before the dynamics, and the memory after; dt None for explicit forces."""

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
        more: Rows | None,
    ) -> ContactImpulses:
        """Velocities after the dynamics: u before the step, u_free after the dynamics without contact."""
