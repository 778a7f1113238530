"""Where does energy come from, and where does it go? The work of everything that acts, step by step.

With ū = (u + u⁺) / 2 the kinetic energy ½ uᵀ M u changes, M held, by the work of all forces over ū:

    drives, limits   h τ · ū,   τ with its implicit part: τ - (h² k + h d) u'                     (1)
    dampers          -h d u_end · ū   of the figure's joints, u_end = u⁺ where they are implicit   (2)
    contacts         h Σ (f - C J u') · v̄ on links;   Σ P · v̄ at the points of impulses            (3)
    hard limits      Jᵀ p · ū                                                                      (4)

What the energy of the figure gains beyond these works is the error of the method.
"""

from typing import NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.forces import has_damper
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import InputError
from anthropi.simulation.drive import applied_force, by_link

__all__ = ["WORKS", "Audit", "energy_audit", "works"]

WORKS = ("drive", "contact", "limits", "dampers")


class Audit(NamedTuple):
    """Of a motion: energy (…, frames) [J] of the figure, works {name: (…, frames)} since the start, and what is left
    over, energy - energy[0] - Σ works."""

    energy: np.ndarray
    works: dict[str, np.ndarray]
    left_over: np.ndarray


def energy_audit(motion) -> Audit:
    """Does the energy of a motion add up? Of one recorded with record=("energy", "work"). Floats only."""
    for name in ("energy", "work"):
        if name not in motion.channels:
            raise InputError(f"The motion has no channel '{name}'. Simulate with record=('energy', 'work').")
    energy = motion.channels["energy"].sum(-1)
    work = {name: motion.channels["work"][..., k] for k, name in enumerate(WORKS)}
    return Audit(energy, work, energy - energy[..., :1] - motion.channels["work"].sum(-1))


def works(figure, now, q, u, q1_u, h, over, impulses=None):
    """Works (4,) of a step, in the order of `WORKS`. now : what acted. q1_u : u⁺ (nu,). over : h where implicit.
    impulses : those that end the step (`impulses.Impulses`)."""
    mean, change = 0.5 * (u + q1_u), (q1_u - u) / h
    parts = now.parts
    drive, limits = (_joint_work(figure, parts[name], q, u, mean, change, h, over) for name in ("drive", "limits"))
    dampers = 0.0
    for joint, of in zip(figure.joints, figure.u_of, strict=True):
        if has_damper(joint):
            speed = u[of] if over is None else q1_u[of]
            dampers = dampers - h * (joint.damping * speed * mean[of]).sum()  # (2)
    after = kinematics(figure, q, q1_u)
    contact = _link_work(parts["contact"], now.kinematics, after, h)
    drive = drive + _link_work(parts["drive"], now.kinematics, after, h)
    if impulses is not None and impulses.limits is not None:
        limits = limits + (impulses.limits * mean).sum()  # (4)
    if impulses is not None and impulses.contacts is not None:
        for touch, P in zip(now.contacts, impulses.contacts, strict=True):
            speed = _speed(now.kinematics, touch) + _speed(after, touch)
            contact = contact + 0.5 * (P * speed).sum()  # (3)
    return np.array([drive, contact, limits, dampers])


def _joint_work(figure, part, q, u, mean, change, h, over):
    """(1)"""
    return 0.0 if part is None else h * (applied_force(figure, part, q, u, change, over) * mean).sum()


def _link_work(part, before, after, h):
    """(3) of forces on links."""
    if part is None or part.f_ext is None:
        return 0.0
    total = 0.0
    for i, f in by_link(part.f_ext).items():
        v0, v1 = (_twist(k, i) for k in (before, after))
        if part.added and i in part.added:
            f = f - part.added[i].act((v1 - v0) / h)
        total = total + h * (f * (0.5 * (v0 + v1))).sum()
    return total


def _twist(k, i: int):
    """Spatial velocity (6,) of link i in its frame."""
    back = transpose(k.rotation[i])
    return np.concatenate([matvec(back, k.angular_velocity[i]), matvec(back, k.velocity[i])])


def _speed(k, touch):
    """Velocity (3,) of link a against b at a touch."""
    speed = k.velocity[touch.a] + np.cross(k.angular_velocity[touch.a], touch.point - k.position[touch.a])
    if touch.b >= 0:
        speed = speed - k.velocity[touch.b] - np.cross(k.angular_velocity[touch.b], touch.point - k.position[touch.b])
    return speed
