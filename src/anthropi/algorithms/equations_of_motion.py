"""Equations of motion in joint space: as sums over bodies, with implicit terms, and in other velocities.

The projected Newton–Euler form sums over bodies. J_C, J_P, J_R are the Jacobians of a body's centre of mass, origin and
attitude, γ is gravity. J_C and J_P are in the world; J_R, Θ, ω and t_ext in one frame for each body, here its own; J' u
is the acceleration at u' = 0:

    M u' - h = τ + W λ,   h = f - g                                                            (1)
    M = Σ J_Cᵀ m J_C + J_Rᵀ Θ J_R,  and armature on its diagonal                               (2)
    g = Σ J_Cᵀ m J_C' u + J_Rᵀ (Θ J_R' u + ω × Θ ω)                                            (3)
    f = Σ J_Cᵀ m γ + J_Pᵀ f_ext + J_Rᵀ t_ext,  and springs and dampers                         (4)
    Δu = M⁻¹ (h Δt + W P),   P = λ Δt + Λ    over a time step                                  (5)

With Δt = 0, P = Λ, (5) is an impact, M (u⁺ - u⁻) = W Λ; W = J_cᵀ of the contact points. This form costs O(n²) and more.
`mass_matrix` and `bias_forces` give the same with fewer operations, where h is `passive_forces` minus `bias_forces`.
(1)-(4) are for reading and for checks.

With forces that depend on u' (implicit springs and dampers, contact dampers) in M, and u'_P prescribed:

    M u' + b = τ,   M with `extra` and Σ Jᵀ C J in it                                          (6)

b is computed with the prescribed accelerations and 0 elsewhere, so that (6) holds for the change of u' from there. This
also affects implicit springs and dampers of free degrees of freedom (implicit_springs.py, recursions.py (5)).

With old velocities w = B u and M w' - h = W λ in them, the equations in u are

    w' = B u' + B' u                                                                           (7)
    M_u = Bᵀ M B,   h_u = Bᵀ (h - M B' u),   W_u = Bᵀ W                                        (8)

and the inverse change uses B⁻¹, with (B⁻¹)' w = -B⁻¹ (B' u)                                      (9)

Forces dual to the velocities transform like W, so power is preserved: τ_u · u = τ · w.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import full, inverse, ldl, matvec, transpose, upper_product
from anthropi.algorithms.bias_forces import passive_forces
from anthropi.algorithms.forces import add_inertia, external_force, has_armature, require_tree, times
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.jacobians import point_jacobian
from anthropi.algorithms.kinematics import kinematics, point_acceleration
from anthropi.algorithms.mass_matrix import added_mass_matrix, mass_matrix
from anthropi.algorithms.momentum import has_mass
from anthropi.algorithms.shapes import Array, ExternalForces, LinkInertias, Number, algorithm
from anthropi.figure import Figure

__all__ = [
    "Equations",
    "NewtonEuler",
    "VelocityChange",
    "change_velocities",
    "joint_space_equations",
    "measure_step",
    "newton_euler",
]


class NewtonEuler(NamedTuple):
    """Terms M (nu, nu) [kg m², kg m or kg], g (nu,) of velocities, f (nu,) of gravity and other forces [N m or N]."""

    M: Array
    g: Array
    f: Array

    @property
    def h(self) -> Array:
        """Return h = f - g (nu,), the forces minus the velocity terms (1)."""
        return self.f - self.g


@algorithm(q="nq", u="nu", f_ext="links*6")
def newton_euler(figure: Figure, q: Array, u: Array, f_ext: ExternalForces = None) -> NewtonEuler:
    """Compute M, g and f of M u' + g = f + τ as sums over bodies (2)-(4).

    q (nq,), u (nu,), f_ext (links, 6) as in `direct_dynamics`.
    """
    require_tree(figure, "newton_euler")
    k = kinematics(figure, q, u, np.zeros(figure.nu))  # accelerations are J' u
    packed: Any = 0.0
    g, f = np.zeros(figure.nu), passive_forces(figure, q, u)
    for i, link in enumerate(figure.links):
        back, push = transpose(k.rotation[i]), external_force(f_ext, i)
        if has_mass(link):
            J = point_jacobian(figure, k, q, i, link.centre)
            J_C, J_R = transpose(J[3:]), transpose(back @ J[:3])
            spun, w = matvec(back, k.angular_acceleration[i]), matvec(back, k.angular_velocity[i])
            packed = packed + upper_product(link.mass * J_C, J_C) + upper_product(J_R @ link.tensor, J_R)  # (2)
            turn = matvec(link.tensor, spun) + np.cross(w, matvec(link.tensor, w))
            g = g + matvec(J_C, link.mass * point_acceleration(k, i, link.centre)) + matvec(J_R, turn)  # (3)
            f = f + matvec(J_C, link.mass * figure.gravity)  # (4)
        if push is not None:
            J = point_jacobian(figure, k, q, i, np.zeros(3))
            f = f + matvec(transpose(J[:3]), matvec(k.rotation[i], push[:3]))
            f = f + matvec(transpose(J[3:]), matvec(k.rotation[i], push[3:]))
    return NewtonEuler(full(packed) + _armature_matrix(figure), g, f)


def _armature_matrix(figure: Figure) -> Array:
    """Return the diagonal matrix (nu, nu) of the joints' armatures."""
    own = [joint.armature if has_armature(joint) else np.zeros(joint.nu) for joint in figure.joints]
    return np.eye(figure.nu) * np.concatenate(own)


def measure_step(M: Array, h: Array, dt: Number, W: Array | None = None, P: Array | None = None) -> Array:
    """Compute the change of velocity Δu (nu,) over a step in which forces and impacts act (5).

    Parameters
    ----------
    M, h : (nu, nu), (nu,) at the beginning of the step, τ included in h. dt : [s].
    W, P : (nu, k), (k,), directions and impulses [N s] of contacts.
    """
    pushed = h * dt
    return ldl(M).solve(pushed if W is None else pushed + matvec(W, P))


def joint_space_equations(
    tree: Figure,
    q: Array,
    u: Array,
    start: Array,
    f_ext: ExternalForces = None,
    extra: Array | None = None,
    added: LinkInertias = None,
    held: Collection[int] = (),
) -> tuple[Array, Array]:
    """Compute M (nu, nu) and b (nu,) of M u' + b = τ (6) for a figure without loops.

    Parameters
    ----------
    q, u : (nq,), (nu,). start : (nu,), u' where it is prescribed, 0 elsewhere. held : numbers of the
        prescribed degrees of freedom.
    f_ext, extra, added : as in `direct_dynamics`.
    """
    M, b = mass_matrix(tree, q), inverse_dynamics(tree, q, u, start, f_ext)
    if extra is not None:
        M, more = add_inertia(M, extra), times(extra, start)
        b = b + np.array([0.0 if k in held else x for k, x in enumerate(more)])
    if added:
        more = added_mass_matrix(tree, kinematics(tree, q), q, added)
        M, b = M + more, b + matvec(more, start)
    return M, b


class VelocityChange(NamedTuple):
    """Change of velocities w = B u: B (nu, nu), its drift B' u (nu,), and B⁻¹ (nu, nu), None if not known."""

    B: Array
    drift: Array
    inverse: Array = None

    def reversed(self) -> "VelocityChange":
        """Return the inverse change, u = B⁻¹ w (9)."""
        back = inverse(self.B) if self.inverse is None else self.inverse
        return VelocityChange(back, -matvec(back, self.drift), self.B)


class Equations(NamedTuple):
    """Terms of the equations of motion M u' - h = W λ: M (nu, nu), h (nu,) including τ, W (nu, k) or None."""

    M: Array
    h: Array
    W: Array = None


def change_velocities(equations: Equations, change: VelocityChange) -> Equations:
    """Return M, h and W for u from those for w = B u (8)."""
    back = transpose(change.B)
    W = None if equations.W is None else back @ equations.W
    h = matvec(back, equations.h - matvec(equations.M, change.drift))
    return Equations(back @ equations.M @ change.B, h, W)
