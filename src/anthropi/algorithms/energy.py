"""How much energy has the figure?

    kinetic    ½ Σ m_i |c_i'|² + ω_i · I_i* ω_i  (ω_i in link axes),  and ½ Σ armature u²      (1)
    potential  -Σ m_i g · c_i  (zero where every centre of mass is in the world's origin)      (2)
    springs    ½ Σ stiffness (q ⊟ rest)²                                                       (3)

½ uᵀ M u of `mass_matrix` is (1). (3) is the work of the spring forces in the dynamics for coordinates that add, and for
balls with the same stiffness about all axes.
"""

from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.forces import has_armature, has_spring
from anthropi.algorithms.kinematics import kinematics, point_position, point_velocity
from anthropi.algorithms.momentum import has_mass
from anthropi.algorithms.shapes import algorithm

__all__ = ["kinetic_energy", "potential_energy"]


@algorithm(q="nq", u="nu")
def kinetic_energy(figure, q, u):
    """How much energy has the figure by its motion? [J] (1)"""
    k, twice = kinematics(figure, q, u), 0.0
    for i, joint in enumerate(figure.joints):
        link = figure.links[i]
        if has_mass(link):
            v, w = point_velocity(k, i, link.centre), matvec(transpose(k.rotation[i]), k.angular_velocity[i])
            twice = twice + link.mass * (v * v).sum() + (w * matvec(link.tensor, w)).sum()
        if has_armature(joint):
            twice = twice + (joint.armature * u[figure.u_of[i]] * u[figure.u_of[i]]).sum()
    return 0.5 * twice


@algorithm(q="nq")
def potential_energy(figure, q):
    """How much energy has the figure by its place in gravity and its springs? [J] (2), (3)"""
    k, energy = kinematics(figure, q), 0.0
    for i, joint in enumerate(figure.joints):
        link, at = figure.links[i], q[figure.q_of[i]]
        if has_mass(link):
            energy = energy - link.mass * (figure.gravity * point_position(k, i, link.centre)).sum()  # (2)
        if has_spring(joint):
            away = joint.difference(joint.integrate(joint.neutral(), joint.rest), at)
            energy = energy + 0.5 * (joint.stiffness * away * away).sum()  # (3)
    return energy
