"""Interface of contact models.

Each scene has one contact model, which consists of pure functions that can be recorded on a tape. A *force* model acts
before the dynamics. It computes forces on links and their derivatives with respect to velocity, so that the
articulated-body recursion can integrate them implicitly. An *impulse* model acts after the dynamics. It changes
velocities so that surfaces do not penetrate. Further conditions on velocities (hard joint limits, loops) are solved
together with the contacts.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from anthropi.algebra.scalar import Array

__all__ = ["ContactForces", "ContactImpulses", "ContactLine", "ContactModel", "ImplicitContact", "Rows"]


class ImplicitContact(NamedTuple):
    """A contact whose force changes with its velocity over a step: by B_n along its normal, by B_t across it.

    Attributes
    ----------
    row : number of the contact among all contacts.
    contact : the `Contact`.
    normal : [N] normal force at the start of the step.
    tangential : (3,) [N] tangential force at the start of the step, in world axes.
    b_n, b_t : [kg] h B_n and h B_t, the derivatives times the step h (`compliant.py`).
    b_open : [kg] h B_n of the line that is 0 at the velocity at which the contact opens (`compliant_laws.py` (13)).
    """

    row: int
    contact: Any
    normal: Any
    tangential: Any
    b_n: Any
    b_t: Any
    b_open: Any


class ContactLine(NamedTuple):
    """Force of a contact over a step, as a line in its velocity. Attributes as in `ImplicitContact`."""

    normal: Any
    b_n: Any
    tangential: Any
    b_t: Any


class ContactForces(NamedTuple):
    """Contact forces that a force model computes before the dynamics.

    Attributes
    ----------
    f_ext : {link number: (6,) moment about the origin of the link, then force, in the link frame}.
    added : {link number: ArticulatedInertia in the link frame}; the force on the link is f_ext - added (J u'), with
        J u' the change of its spatial velocity.
    forces : (contacts, 3) [N] on link a in world axes at the start of the step, as measured for controllers.
    acting : (contacts, 3) [N] the forces that add up to f_ext.
    implicit : contacts whose force changes with the velocity during the step; the force of others is `acting`.
    changed : function of `ContactLine`s, one for each of `implicit`, which returns the `ContactForces` with them.
    """

    f_ext: dict[int, Any]
    added: dict[int, Any]
    forces: Any
    acting: Any
    implicit: tuple[ImplicitContact, ...] = ()
    changed: Callable[[Any], "ContactForces"] | None = None


class Rows(NamedTuple):
    """Conditions on velocities other than contacts, for example hard joint limits and loops.

    Attributes
    ----------
    jacobian : (m, nu) Jacobian J, one row for each condition.
    gap : (m,) distance of a unilateral row from its bound, 0 for bilateral rows.
    required : (m,) minimum of J u⁺ for a unilateral row at gap 0, value of J u⁺ for a bilateral row.
    restitution : (m,) coefficient of restitution of each row.
    unilateral : whether each row is unilateral (an inequality).
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
    u : (nu,) velocities after the impulses.
    memory : memory of the model for the next step.
    impulses : (contacts, 3) [N s] on link a, in world axes.
    more : (m,) impulses of the further conditions (`Rows`).
    shift : (nu,) displacement in addition to dt u: q⁺ = q ⊞ (dt u + shift). None if there is none.
    """

    u: Any
    memory: Any
    impulses: Any
    more: Any
    shift: Any = None


class ContactModel(Protocol):
    """Interface of a contact model, which computes forces or impulses from contacts.

    impulsive : True if the model computes impulses after the dynamics (`impulse`), False if it computes forces before
    the dynamics (`force`).
    """

    impulsive: bool

    def memory(self, scene: Any) -> dict[Any, Any]:
        """Memory of the model at the start of a simulation, as nested arrays; {} if it needs no memory."""

    def force(
        self, scene: Any, contacts: list[Any], kinematics: Any, memory: dict[Any, Any], dt: Array
    ) -> tuple[ContactForces, dict[Any, Any]]:
        """Compute the forces before the dynamics, and the memory after the step; dt None for explicit forces."""

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
        """Compute impulses and the velocities after them.

        u : (nu,) velocities before the step. u_free : (nu,) velocities after the dynamics without contact.
        """
