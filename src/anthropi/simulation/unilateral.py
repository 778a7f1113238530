"""Unilateral contact in implicit steps: compliant contacts push, and their friction stays within the friction cone.

Over a step h, the force of a contact is linear in the change Δv of its velocity, which depends on all other forces:

    f_n = N - B_n Δv_n,   f_t = T - B_t Δv_t                                                                   (1)

(`contact/compliant_laws.py`). A line does not end where the contact opens. If another contact stops the link, f_n may
become a pull, and f_t may leave the cone of the reduced f_n. The step is then computed again, with

    B_n ← B_open                     where f_n < -ε, the first time: the line that is 0 where the contact opens  (2)
    N = B_n = T = B_t = 0            where f_n < -ε once more: the contact opens during the step                 (3)
    T ← μ f_n f_t / |f_t|, B_t = 0   where |f_t| > μ max(f_n, 0) + ε: the contact slides                         (4)

until no contact changes, at most `MAX_PASSES` times. ε is the share `MAX_EXCESS` of the weight. The forces (1) of the
last pass are those that act, so that momentum is balanced. The force (4) acts against the sliding and is smaller than
the one that would stop it, so that it does not reverse the sliding. Bristles yield with their force. Nearly all steps
of a walk need one pass. All passes are one loop, so that the dynamics are recorded once
(docs/decisions/0025-contacts-push.md).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import cross
from anthropi.algebra.scalar import less, less_equal, maximum, sqrt, where
from anthropi.algorithms.kinematics import Kinematics, link_velocities
from anthropi.contact.model import ContactForces, ContactLine, ImplicitContact
from anthropi.simulation.forces import Forces, with_contact
from anthropi.simulation.problem import Problem
from anthropi.tape import repeat

__all__ = ["MAX_EXCESS", "MAX_PASSES", "Unilateral", "acted_forces", "unilateral_step"]

MAX_EXCESS = 0.01  # share of the weight by which a contact may pull or exceed its cone; a walk reaches 0.0094
MAX_PASSES = 16  # a human who falls needs at most 9
MIN_FRICTION = 1e-9  # [N] smaller forces have no direction


class Unilateral(NamedTuple):
    """Result of a step with contacts that push.

    moved : arrays after the step, of the last pass. forces : the `Forces` of the last pass. contact : (contacts, 3) [N]
    the contact forces (1) that acted. yielded : {number of an implicit contact: factor of its bristles}.
    """

    moved: Any
    forces: Forces
    contact: Any
    yielded: dict[int, Any]


def acted_forces(figure: Any, push: ContactForces, k: Kinematics, q: Any, change: Any, h: Any) -> Any:
    """Compute the contact forces (contacts, 3) [N] of a step, on each first link, in world axes, by (1).

    k : the poses of the links at q. change : (nu,) change u⁺ - u of the velocities. h : [s] the time step.
    """
    found, (w, v) = list(push.acting), link_velocities(figure, k, q, change)
    for c in push.implicit:
        i, n = c.contact.a, c.contact.normal
        moved = v[i] + cross(w[i], c.contact.arm)
        along = (n * moved).sum()
        found[c.row] = found[c.row] - (c.b_t * moved + ((c.b_n - c.b_t) * along) * n) / h
    return np.array(found).reshape(-1, 3)


def unilateral_step(
    problem: Problem,
    now: Forces,
    q: Any,
    u: Any,
    h: Any,
    move: Callable[[Forces], dict[str, Any]],
    sizes: dict[str, int],
) -> Unilateral:
    """Make a step with forces `now`, so that every contact pushes, by (1) to (4).

    move : function `Forces` → {"u", …: arrays after the step}. sizes : {"u", …: lengths of these arrays}.
    """
    push = now.push
    laws = tuple(ContactLine(c.normal, c.b_n, c.tangential, c.b_t) for c in push.implicit)
    weights = [problem.scene.weight(c.contact.a) for c in push.implicit]

    def once(carry: Any) -> Any:
        lines, kept, *_ = carry
        forces = with_contact(now, push.changed(lines))
        moved = move(forces)
        acted = acted_forces(problem.figure, forces.push, now.kinematics, q, moved["u"] - u, h)
        own = np.array([acted[c.row] for c in push.implicit])
        wrong, after, yielded = 0.0, [], []
        for c, weight, f, line, z in zip(push.implicit, weights, own, lines, kept, strict=True):
            new, factor, changed = _limited(c, weight, f, line)
            after.append(new)
            yielded.append(z * factor)
            wrong = where(changed, 1.0, wrong)
        return tuple(after), np.array(yielded), moved, own, np.asarray(wrong), *([lines] * problem.audit)

    unmoved = {name: np.zeros(size) for name, size in sizes.items()}
    first = (laws, np.ones(len(laws)), unmoved, np.zeros((len(laws), 3)), np.ones(()), *([laws] * problem.audit))
    _, kept, moved, own, _, *used = repeat(once, first, MAX_PASSES, until=lambda carry: less(carry[4], 0.5))
    contact = list(push.acting)
    for c, f in zip(push.implicit, own, strict=True):
        contact[c.row] = f
    yielded = {c.row: z for c, z in zip(push.implicit, kept, strict=True)}
    forces = with_contact(now, push.changed(used[0])) if used else now
    return Unilateral(moved, forces, np.array(contact).reshape(-1, 3), yielded)


def _limited(c: ImplicitContact, weight: Any, f: Any, line: ContactLine) -> tuple[ContactLine, Any, Any]:
    """Compute the line of the next pass by (2) to (4), the factor of bristles, and whether anything changes.

    weight : [N] of the figure. f : (3,) [N] the force that acted.
    """
    n, bound = c.contact.normal, MAX_EXCESS * weight
    f_n = (n * f).sum()
    across = f - f_n * n
    size = sqrt((across * across).sum() + MIN_FRICTION * MIN_FRICTION)
    cone = c.contact.material.friction * maximum(f_n, 0.0)
    pulls, slides = less(f_n, -bound), less(cone + bound, size)
    opens = pulls & less_equal(line.b_n, c.b_open)
    factor = where(opens, 0.0, where(pulls, 1.0, where(slides, cone / size, 1.0)))
    one = less(factor, 1.0)
    normal = where(opens, 0.0, line.normal)  # (3)
    b_n = where(opens, 0.0, where(pulls, c.b_open, line.b_n))  # (2)
    tangential = where(one, factor * across, line.tangential)  # (4)
    return ContactLine(normal, b_n, tangential, where(one, 0.0, line.b_t)), factor, pulls | slides
