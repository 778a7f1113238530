"""Which forces keep resting surfaces apart, without friction? Baraff's conditions, a convex problem.

For touches that neither leave nor enter (gap 0, normal speed 0), with normal forces f and separation accelerations a:

    a = A f + a₀ ≥ 0,   f ≥ 0,   f · a = 0,   A = J M⁻¹ Jᵀ                    (1)  thesis 7.2.2

They are the optimum of ½ fᵀ A f + a₀ᵀ f over f ≥ 0. The f of redundant touches is not unique; a and the wrench Σ Jᵀ f
are. Without forces a₀ = J u'₀ + J' u, where J' u is how the normal speeds change while u stays: their derivative along
q' = F(q) u, so that curved and moving surfaces count.

As a model of a scene, `Convex` takes the same step by step: impulses for forces, speeds for accelerations.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import less_equal, where
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.contact.contacts import contacts
from anthropi.contact.impulsive.model import Impulsive
from anthropi.contact.impulsive.setup import set_up
from anthropi.contact.impulsive.solve import solved
from anthropi.tape import push, record

__all__ = ["Convex", "Resting", "resting_forces", "separation_forces"]

FAR = 1e6  # [m/s²] a₀ of touches that are none
TOLERANCE = 1e-11  # [m/s²] of what A f + a₀ lacks


@dataclass(frozen=True)
class Convex(Impulsive):
    """Impulses that keep surfaces apart, without friction."""

    rough: bool = False


class Resting(NamedTuple):
    """forces : (touches, 3) on link a, world [N]. udot : (nu,). separation : (touches,) a of (1), `FAR` if none."""

    forces: Any
    udot: Any
    separation: Any


def resting_forces(scene, q, u, tau=None, t=0.0, apart=1e-6, moving=1e-6) -> Resting:
    """What do the touches of a scene do, and how does it move?

    apart : [m] gaps up to it are touches. moving : [m/s] normal speeds up to it do not leave.
    """
    figure = scene.figure
    k = kinematics(figure, q, u)
    found = contacts(scene, t, k)
    rates = [(contact.normal * contact.speed).sum() for contact in found]
    free = direct_dynamics(figure, q, u, np.zeros(figure.nu) if tau is None else tau)
    near = [
        less_equal(contact.gap, apart) & less_equal(rate, moving) for contact, rate in zip(found, rates, strict=True)
    ]
    tree = factor_mass_matrix(figure, mass_matrix(figure, q))
    return separation_forces(scene, found, k, tree, free, _changes(scene, q, u, t), near, q)


def separation_forces(scene, found, k, tree, free, changes, near=None, q=None) -> Resting:
    """(1) for given touches. free : (nu,) u' without them. changes : (touches,) J' u. near : masks, which count."""
    setup = set_up(scene, k, q, tree, found, None, False)
    forces: list = [np.zeros(3)] * len(found)
    separation: list = [FAR] * len(found)
    if not setup.conditions:
        return Resting(np.zeros((len(found), 3)), free, np.array(separation))
    b = []
    for c, own in zip(setup.conditions, setup.speeds(free), strict=True):
        lone = own[0] + changes[c.number]
        b.append([lone if near is None else where(near[c.number], lone, FAR)])
    answer = solved(setup.conditions, setup.halves, b, [[0.0] for _ in b], TOLERANCE, 30).impulses
    udot = free + np.array(setup.change(answer, [])[0])
    for c, own, after in zip(setup.conditions, answer, setup.speeds(udot), strict=True):
        forces[c.number] = own[0] * c.axes[0]
        lone = after[0] + changes[c.number]
        separation[c.number] = lone if near is None else where(near[c.number], lone, FAR)
    return Resting(np.stack(forces), udot, np.array(separation))


def _changes(scene, q, u, t):
    """J' u (touches,): how normal speeds change while u stays."""
    figure = scene.figure

    def rates(q, u, t):
        return np.array([(x.normal * x.speed).sum() for x in contacts(scene, t, kinematics(figure, q, u))])

    tape = record(rates, q=np.zeros(figure.nq), u=np.zeros(figure.nu), t=np.zeros(()))
    way = [*figure.rate(q, u), *[0.0] * figure.nu, 1.0]
    _, tangents = push(tape, [*q, *u, t], [(x,) for x in way])
    return np.array([x[0] for x in tangents])
