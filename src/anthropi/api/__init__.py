"""The fronts: check sizes, find or build the figure's kernel, call it.

A front is an algorithm for people: `ap.kinematics(figure, q, u)` takes one state or a batch, compiles on first use
(quickly, then better in the background) and remembers the kernel. `compile` and `derivative` give kernels themselves.
"""

from anthropi.algorithms import bias_forces as _forces
from anthropi.algorithms import centroidal, energy, exponential, jacobians
from anthropi.algorithms import momentum as _momentum
from anthropi.algorithms.cholesky import inverse_mass_matrix as _inverse_mass
from anthropi.algorithms.direct_dynamics import direct_dynamics as _direct
from anthropi.algorithms.energy import power_balance as _power_balance
from anthropi.algorithms.equations_of_motion import newton_euler as _newton_euler
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics as _hybrid
from anthropi.algorithms.inverse_dynamics import inverse_dynamics as _inverse
from anthropi.algorithms.kinematics import KinematicsView
from anthropi.algorithms.kinematics import kinematics as _kinematics
from anthropi.algorithms.mass_matrix import mass_matrix as _mass_matrix
from anthropi.algorithms.momentum import momentum_rate as _momentum_rate
from anthropi.api.front import by_link, front
from anthropi.api.kernels import compile, derivative, directional

__all__ = [
    "bias_forces", "by_link", "centre_of_mass", "centre_of_mass_jacobian", "centroidal_momentum_matrix",
    "centroidal_momentum_rate", "compile", "derivative", "direct_dynamics", "directional", "exponential_forces",
    "exponential_rates", "external_forces", "forces_from_exponential", "front", "gravity_forces", "hessian",
    "hybrid_dynamics", "inverse_dynamics", "inverse_mass_matrix", "jacobian", "jacobian_bias", "jacobian_rate",
    "kinematics", "kinetic_energy", "mass_matrix", "momentum", "momentum_rate", "newton_euler", "passive_forces",
    "potential_energy", "power_balance", "relative_jacobian", "spatial_jacobian", "velocities_from_exponential",
    "velocity_forces",
]  # fmt: skip

kinematics = front(_kinematics, KinematicsView)
jacobian = front(jacobians.jacobian)
spatial_jacobian = front(jacobians.spatial_jacobian)
relative_jacobian = front(jacobians.relative_jacobian)
jacobian_rate = front(jacobians.jacobian_rate)
jacobian_bias = front(jacobians.jacobian_bias)
hessian = front(jacobians.hessian)
centre_of_mass = front(_momentum.centre_of_mass)
momentum = front(_momentum.momentum)
momentum_rate = front(_momentum_rate)
centre_of_mass_jacobian = front(centroidal.centre_of_mass_jacobian)
centroidal_momentum_matrix = front(centroidal.centroidal_momentum_matrix)
centroidal_momentum_rate = front(centroidal.centroidal_momentum_rate)
kinetic_energy = front(energy.kinetic_energy)
potential_energy = front(energy.potential_energy)
power_balance = front(_power_balance, solves=True)
direct_dynamics = front(_direct, solves=True)
inverse_dynamics = front(_inverse)
hybrid_dynamics = front(_hybrid, may_be_nan=("tau", "udot"), solves=True)
mass_matrix = front(_mass_matrix)
inverse_mass_matrix = front(_inverse_mass, solves=True)
newton_euler = front(_newton_euler)
bias_forces = front(_forces.bias_forces)
gravity_forces = front(_forces.gravity_forces)
velocity_forces = front(_forces.velocity_forces)
passive_forces = front(_forces.passive_forces)
external_forces = front(_forces.external_forces)
exponential_rates = front(exponential.exponential_rates)
exponential_forces = front(exponential.exponential_forces)
velocities_from_exponential = front(exponential.velocities_from_exponential)
forces_from_exponential = front(exponential.forces_from_exponential)
