"""Energy audit: the work of drives, contacts, limits and dampers in every step.

With constant M, the kinetic energy ½ uᵀ M u changes by the work of all forces along ū = (u + u⁺) / 2:

    drives, limits   h τ · ū,   τ with its implicit part: τ - (h² k + h d) u'                     (1)
    dampers          -h d u_end · ū   of the figure's joints, u_end = u⁺ if they are implicit      (2)
    contacts         h Σ (f - C J u') · v̄ on links;   Σ P · v̄ at the points of impulses            (3)
    hard limits      Jᵀ p · ū                                                                      (4)

The difference between the change of energy and the sum of these works is the error of the integration method.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.forces import has_damper
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import InputError
from anthropi.simulation.drive import applied_force, by_link

__all__ = ["WORKS", "Audit", "energy_audit", "works"]

WORKS = ("drive", "contact", "limits", "dampers")


class Audit(NamedTuple):
    """Energy of a motion and the work done on it.

    energy : (…, frames) [J] kinetic and potential energy. works : {name: (…, frames)} [J] work since the start, for
    each of `WORKS`. left_over : (…, frames) [J] energy - energy[0] - Σ works, the error of the integration.
    """

    energy: np.ndarray
    works: dict[str, np.ndarray]
    left_over: np.ndarray


def energy_audit(motion: Any) -> Audit:
    """Compute the energy balance of a motion that was recorded with record=("energy", "work").

    Works on plain floats only; cannot be recorded on a tape.
    """
    for name in ("energy", "work"):
        if name not in motion.channels:
            raise InputError(f"The motion has no channel '{name}'. Use record=('energy', 'work') in simulate.")
    energy = motion.channels["energy"].sum(-1)
    work = {name: motion.channels["work"][..., k] for k, name in enumerate(WORKS)}
    return Audit(energy, work, energy - energy[..., :1] - motion.channels["work"].sum(-1))


def works(figure: Any, now: Any, q: Any, u: Any, u_end: Any, h: Any, over: Any, impulses: Any = None) -> Any:
    """Compute the work (4,) [J] of drives, contacts, limits and dampers in one step, in the order of `WORKS`.

    now : the `Forces` that acted. u_end : (nu,) velocity after the step. h : [s] the time step. over : h if forces are
    implicit, else None. impulses : the `Impulses` of the step, or None.
    """
    mean, change = 0.5 * (u + u_end), (u_end - u) / h
    parts = now.parts
    drive, limits = (_joint_work(figure, parts[name], q, u, mean, change, h, over) for name in ("drive", "limits"))
    dampers = 0.0
    for joint, of in zip(figure.joints, figure.u_of, strict=True):
        if has_damper(joint):
            speed = u[of] if over is None else u_end[of]
            dampers = dampers - h * (joint.damping * speed * mean[of]).sum()  # (2)
    after = kinematics(figure, q, u_end)
    contact = _link_work(parts["contact"], now.kinematics, after, h)
    drive = drive + _link_work(parts["drive"], now.kinematics, after, h)
    if impulses is not None and impulses.limits is not None:
        limits = limits + (impulses.limits * mean).sum()  # (4)
    if impulses is not None and impulses.contacts is not None:
        for contact_at, P in zip(now.contacts, impulses.contacts, strict=True):
            speed = _speed(now.kinematics, contact_at) + _speed(after, contact_at)
            contact = contact + 0.5 * (P * speed).sum()  # (3)
    return np.array([drive, contact, limits, dampers])


def _joint_work(figure, part, q, u, mean, change, h, over):
    """Compute the work [J] of the joint forces of a drive over a step, by equation (1)."""
    return 0.0 if part is None else h * (applied_force(figure, part, q, u, change, over) * mean).sum()


def _link_work(part, before, after, h):
    """Compute the work [J] of the forces of a drive on links over a step, by equation (3)."""
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
    """Compute the spatial velocity (6,) of link i in its frame."""
    back = transpose(k.rotation[i])
    return np.concatenate([matvec(back, k.angular_velocity[i]), matvec(back, k.velocity[i])])


def _speed(k, at):
    """Compute the velocity (3,) [m/s] of link a relative to link b at a contact point."""
    speed = k.velocity[at.a] + np.cross(k.angular_velocity[at.a], at.point - k.position[at.a])
    if at.b >= 0:
        speed = speed - k.velocity[at.b] - np.cross(k.angular_velocity[at.b], at.point - k.position[at.b])
    return speed
