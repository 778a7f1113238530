"""What do the equations of motion look like as sums over bodies? The projected Newton–Euler form.

    M u' - h = τ + W λ,   h = f - g                                            (1)  rotations section 13
    M = Σ J_Cᵀ m J_C + J_Rᵀ Θ J_R,  and armature on its diagonal               (2)
    g = Σ J_Cᵀ m J_C' u + J_Rᵀ (Θ J_R' u + ω × Θ ω)                            (3)
    f = Σ J_Cᵀ m γ + J_Pᵀ f_ext + J_Rᵀ t_ext,  and springs and dampers         (4)

J_C, J_P, J_R are the Jacobians of a body's centre of mass, origin and attitude, γ is gravity. J_C and J_P are in the
world; J_R, Θ, ω and t_ext are in one frame for each body, here its own. J' u is the acceleration at u' = 0.

    step    Δu = M⁻¹ (h Δt + W P)                                              (5)  measure form; P = λ Δt + Λ

With Δt = 0, P = Λ it is an impact, M (u⁺ - u⁻) = W Λ. W = J_cᵀ of the contact points.

This form costs O(n²) and more; `mass_matrix` and `bias_forces` give the same for less, h being `passive_forces` less
`bias_forces`. It is here to be read, and to check against.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import full, ldl, matvec, transpose, upper_product
from anthropi.algorithms.bias_forces import passive_forces
from anthropi.algorithms.forces import external_force, has_armature, require_tree
from anthropi.algorithms.jacobians import point_jacobian
from anthropi.algorithms.kinematics import kinematics, point_acceleration
from anthropi.algorithms.momentum import has_mass
from anthropi.algorithms.shapes import algorithm

__all__ = ["NewtonEuler", "measure_step", "newton_euler"]


class NewtonEuler(NamedTuple):
    """M (nu, nu) [kg m² …]; g (nu,), of velocities, and f (nu,), of gravity and other forces [N m or N]."""

    M: Any
    g: Any
    f: Any

    @property
    def h(self):
        """f - g (1)."""
        return self.f - self.g


@algorithm(q="nq", u="nu", f_ext="links*6")
def newton_euler(figure, q, u, f_ext=None) -> NewtonEuler:
    """What are M, g and f of M u' + g = f + τ? f_ext (links, 6) as in `direct_dynamics`."""
    require_tree(figure, "newton_euler")
    k = kinematics(figure, q, u, np.zeros(figure.nu))  # accelerations are J' u
    packed, g, f = 0.0, np.zeros(figure.nu), passive_forces(figure, q, u)
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
    return NewtonEuler(full(packed) + _rotors(figure), g, f)


def _rotors(figure):
    """Armature on a diagonal (nu, nu)."""
    own = [joint.armature if has_armature(joint) else np.zeros(joint.nu) for joint in figure.joints]
    return np.eye(figure.nu) * np.concatenate(own)


def measure_step(M, h, dt, W=None, P=None):
    """How do the velocities change over a step in which forces and impacts act? Δu (nu,) (5)

    M (nu, nu) and h (nu,), τ included, are those at the beginning; dt [s]; W (nu, k), P (k,) percussions [N s].
    """
    pushed = h * dt
    return ldl(M).solve(pushed if W is None else pushed + matvec(W, P))
