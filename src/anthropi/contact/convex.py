"""Frictionless resting contact as a convex problem (Baraff's conditions), and the model `Convex`.

For contacts that neither open nor close (gap 0, normal speed 0), with normal forces f and separation accelerations a:

    a = A f + a₀ ≥ 0,   f ≥ 0,   f · a = 0,   A = J M⁻¹ Jᵀ         (1)  docs/equations/thesis.md 7.2.2

They are the optimality conditions of: minimise ½ fᵀ A f + a₀ᵀ f over f ≥ 0. With redundant contacts f is not unique,
but a and the wrench Σ Jᵀ f are. The acceleration without contact forces is a₀ = J u'₀ + J' u. Here J' u is the rate of
change of the normal speeds at constant u, their derivative along q' = F(q) u. It includes curved and moving surfaces.

The contact model `Convex` of a scene solves the same problem in each step, with impulses instead of forces and
speeds instead of accelerations.

Reference: D. Baraff, "Fast contact force computation for nonpenetrating rigid bodies", SIGGRAPH (1994) 23.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import Array, less_equal, where
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.contact.geometry.contacts import contacts
from anthropi.contact.impulsive.model import Impulsive
from anthropi.contact.impulsive.setup import set_up
from anthropi.contact.impulsive.solve import solved
from anthropi.tape import push, record

__all__ = ["Convex", "Resting", "resting_forces", "separation_forces"]

NO_CONTACT = 1e6  # [m/s²] a₀ of candidates that are not in contact
TOLERANCE = 1e-11  # [m/s²] allowed violation of A f + a₀ ≥ 0


@dataclass(frozen=True)
class Convex(Impulsive):
    """Impulsive contact model without friction. The attributes are those of `Impulsive`."""

    friction: bool = False


class Resting(NamedTuple):
    """Result of a resting contact problem.

    forces : (contacts, 3) [N] forces on link a of each contact, in world axes. udot : (nu,) accelerations.
    separation : (contacts,) [m/s²] separation accelerations; `NO_CONTACT` for candidates that are not in contact.
    """

    forces: Any
    udot: Any
    separation: Any


def resting_forces(
    scene: Any, q: Array, u: Array, tau: Array = None, t: Array = 0.0, max_gap: Array = 1e-6, max_speed: Array = 1e-6
) -> Resting:
    """Compute contact forces and accelerations of a scene in resting contact, without friction.

    Parameters
    ----------
    q, u, tau : (nq,), (nu,), (nu,) state and joint forces; None for tau = 0.
    t : [s] time, for moving obstacles.
    max_gap : [m] candidates with a larger gap are not in contact.
    max_speed : [m/s] candidates with a larger normal speed are opening, and are not in contact.
    """
    figure = scene.figure
    k = kinematics(figure, q, u)
    found = contacts(scene, t, k)
    rates = [(contact.normal * contact.speed).sum() for contact in found]
    free = direct_dynamics(figure, q, u, np.zeros(figure.nu) if tau is None else tau)
    near = [
        less_equal(contact.gap, max_gap) & less_equal(rate, max_speed)
        for contact, rate in zip(found, rates, strict=True)
    ]
    tree = factor_mass_matrix(figure, mass_matrix(figure, q))
    return separation_forces(scene, found, k, tree, free, _changes(scene, q, u, t), near, q)


def separation_forces(
    scene: Any, found: Any, k: Any, tree: Any, free: Array, changes: Array, near: Array = None, q: Array = None
) -> Resting:
    """Solve the resting contact problem (1) of this module for given contacts.

    Parameters
    ----------
    found : contacts of the scene.
    k, tree : kinematics of the figure, and the factors of its mass matrix.
    free : (nu,) accelerations u' without contact forces.
    changes : (contacts,) [m/s²] rates of change of the normal speeds at constant u.
    near : masks of the candidates that are in contact; None if all are.
    q : (nq,) configuration, see `contact_rows`.
    """
    setup = set_up(scene, k, q, tree, found, None, False)
    forces: list[Any] = [np.zeros(3)] * len(found)
    separation: list[Any] = [NO_CONTACT] * len(found)
    if not setup.conditions:
        return Resting(np.zeros((len(found), 3)), free, np.array(separation))
    b = []
    for c, own in zip(setup.conditions, setup.speeds(free), strict=True):
        lone = own[0] + changes[c.number]
        b.append([lone if near is None else where(near[c.number], lone, NO_CONTACT)])
    answer = solved(setup.conditions, setup.factors, b, [[0.0] for _ in b], TOLERANCE, 30).impulses
    udot = free + np.array(setup.change(answer, [])[0])
    for c, own, after in zip(setup.conditions, answer, setup.speeds(udot), strict=True):
        forces[c.number] = own[0] * c.axes[0]
        lone = after[0] + changes[c.number]
        separation[c.number] = lone if near is None else where(near[c.number], lone, NO_CONTACT)
    return Resting(np.stack(forces), udot, np.array(separation))


def _changes(scene, q, u, t):
    """Compute J' u (contacts,) [m/s²], the rate of change of the normal speeds at constant u."""
    figure = scene.figure

    def rates(q, u, t):
        return np.array([(x.normal * x.speed).sum() for x in contacts(scene, t, kinematics(figure, q, u))])

    tape = record(rates, q=np.zeros(figure.nq), u=np.zeros(figure.nu), t=np.zeros(()))
    tangent = [*figure.rate(q, u), *[0.0] * figure.nu, 1.0]
    _, tangents = push(tape, [*q, *u, t], [(x,) for x in tangent])
    return np.array([x[0] for x in tangents])
