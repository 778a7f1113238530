"""Moreau time stepping: impulses of contacts, hard joint limits and loops, solved together at the end of a step.

    M (u⁺ - u) - h (τ - bias) = Wᵀ P,   q⁺ = q ⊞ (h u⁺ + shift)             (1)

Equation (1) is C.measure of docs/equations/rotations.md over a step of length h. shift is the displacement by
which the contact model corrects penetration without changing velocities. M and the forces are those at the start of the
step. Implicit springs and dampers are included in M. The mass matrix is factored once, both for the motion without
impulses and for the impulses. If only a few links make contact, and only with the world, articulated-body inertias are
used instead of the factored mass matrix.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.equations_of_motion import joint_space_equations
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.operational_space import operational_space
from anthropi.constraints.loops.closures import closures, drifts
from anthropi.constraints.relative import rows as loop_rows
from anthropi.contact.impulsive import Impulsive
from anthropi.contact.impulsive.setup import suits
from anthropi.contact.model import Rows
from anthropi.simulation.drive import inputs
from anthropi.simulation.forces import Forces
from anthropi.simulation.problem import Problem

__all__ = ["Impulses", "impulse_step"]


class Impulses(NamedTuple):
    """Impulses of a step.

    contacts : (contacts, 3) [N s] impulses of contacts, or None. limits : (nu,) impulses of joint limits, or None.
    """

    contacts: Any
    limits: Any


def _few_on_the_world(problem: Problem) -> bool:
    """Whether impulses act only between a few links and the world, so that no mass matrix is needed."""
    return problem.impulsive and not problem.has_hard_limits and not problem.figure.loops and suits(problem.scene)


def _without_impulses(problem: Problem, now: Forces, q, u, h):
    """Compute the change of u without impulses, and a `MassFactor` or `OperationalSpace` for the response to them."""
    figure, tree = problem.figure, problem.figure.changed(loops=(), checked=False)
    tau, extra, added = inputs(figure, now.drive, q, u, h if problem.implicit else None)
    held = figure.dof_indices(problem.prescribed)
    if not held and _few_on_the_world(problem):
        response = operational_space(tree, q, u, tau, now.drive.f_ext, extra, added)
        return h * response.accelerations(), response
    start = np.array([now.drive.udot[k] if k in held else 0.0 for k in range(figure.nu)])
    M, bias = joint_space_equations(tree, q, u, start, now.drive.f_ext, extra, added, held)
    factor = factor_mass_matrix(tree, M, held)
    free = [tau[k] - bias[k] if k not in held else 0.0 for k in range(figure.nu)]
    return h * (np.array(factor.backward(factor.forward(free))) + start), factor


def impulse_step(problem: Problem, now: Forces, q: Any, u: Any, h: Any) -> Any:
    """Compute q⁺, u⁺, memory and impulses of a step h [s] under the forces `now`, by equation (1)."""
    figure = problem.figure
    change, factor = _without_impulses(problem, now, q, u, h)
    u_free = u + change
    more = _rows(problem, now, q, u_free, h)
    model, contacts = (problem.contact, now.contacts) if problem.impulsive else (Impulsive(), [])
    left = now.memory.get("contact", {}) if problem.impulsive else {}
    solved = model.impulse(problem.scene, contacts, now.kinematics, factor, u, u_free, left, h, more, q)
    memory = now.memory
    if problem.impulsive:
        memory = memory | ({"contact": solved.memory} if solved.memory else {}) | {"felt": solved.impulses / h}
    q = figure.integrate(q, h * solved.u if solved.shift is None else h * solved.u + solved.shift)
    if problem.has_hard_limits:
        q = problem.limits.project(figure, q)  # removes the error of curved boundaries
    stop = None
    if more is not None:
        stops = [p if one else 0.0 for p, one in zip(solved.more, more.unilateral, strict=True)]
        stop = matvec(transpose(more.jacobian), np.array(stops))
    return q, solved.u, memory, Impulses(solved.impulses if problem.impulsive else None, stop)


def _rows(problem: Problem, now: Forces, q, u, h) -> Rows | None:
    """Return the velocity constraints of hard limits and loops, or None."""
    found = []
    if problem.has_hard_limits:
        found.append(problem.limits.rows(problem.figure, q, u, h))
    if problem.figure.loops:
        constraints, k = closures(problem.figure, now.drive.course), kinematics(problem.figure, q)
        J = loop_rows(problem.figure, q, constraints, 0.0, k)[1]
        none = np.zeros(len(J))
        found.append(Rows(J, none, -drifts(problem.figure, k, constraints, q), none, (False,) * len(J)))
    found = [rows for rows in found if rows is not None]
    if not found:
        return None
    J, gap, lacks, bounce = (np.concatenate([rows[k] for rows in found]) for k in range(4))
    return Rows(J, gap, lacks, bounce, tuple(x for rows in found for x in rows.unilateral))
