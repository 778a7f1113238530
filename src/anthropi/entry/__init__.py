"""Entry points: the public functions that take a figure and its state.

`ap.kinematics(figure, q, u)` takes one state or a batch, checks it, compiles the algorithm for the figure on first use
(quickly, then with more optimisation in the background) and keeps the kernel. `compile`, `derivative` and `directional`
return kernels. The algorithms, with their equations, are in `anthropi.algorithms`. The algorithms for figures with
closed loops are in `anthropi.constraints.loops`, and their entry points in `anthropi.entry.loops`.
"""

import numpy as np

from anthropi.algorithms import bias_forces as _forces
from anthropi.algorithms import centroidal, energy, exponential, jacobians, regressors
from anthropi.algorithms import momentum as _momentum
from anthropi.algorithms.cholesky import inverse_mass_matrix as _inverse_mass
from anthropi.algorithms.direct_dynamics import direct_dynamics as _direct
from anthropi.algorithms.energy import power_balance as _power_balance
from anthropi.algorithms.equations_of_motion import newton_euler as _newton_euler
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics as _hybrid
from anthropi.algorithms.inertial_parameters import inertial_parameters, with_inertial_parameters
from anthropi.algorithms.inverse_dynamics import inverse_dynamics as _inverse
from anthropi.algorithms.joint_reactions import joint_reactions as _reactions
from anthropi.algorithms.kinematics import KinematicsView
from anthropi.algorithms.kinematics import kinematics as _kinematics
from anthropi.algorithms.mass_matrix import mass_matrix as _mass_matrix
from anthropi.algorithms.momentum import momentum_rate as _momentum_rate
from anthropi.entry.entry_point import by_link, entry_point
from anthropi.entry.kernels import compile, derivative, directional
from anthropi.figure.states import refuse_whole_turns

__all__ = [
    "bias_forces",
    "by_link",
    "centre_of_mass",
    "centre_of_mass_jacobian",
    "centroidal_momentum_matrix",
    "centroidal_momentum_rate",
    "compile",
    "derivative",
    "direct_dynamics",
    "directional",
    "entry_point",
    "exponential_forces",
    "exponential_rates",
    "external_forces",
    "forces_from_exponential",
    "gravity_forces",
    "hessian",
    "hybrid_dynamics",
    "inertial_parameters",
    "inverse_dynamics",
    "inverse_dynamics_regressor",
    "inverse_mass_matrix",
    "jacobian",
    "jacobian_bias",
    "jacobian_rate",
    "joint_reactions",
    "kinematics",
    "kinetic_energy",
    "kinetic_energy_regressor",
    "mass_matrix",
    "momentum",
    "momentum_rate",
    "momentum_regressor",
    "newton_euler",
    "passive_forces",
    "potential_energy",
    "potential_energy_regressor",
    "power_balance",
    "relative_jacobian",
    "spatial_jacobian",
    "velocities_from_exponential",
    "velocity_forces",
    "with_inertial_parameters",
]

_KINEMATICS = """\
KinematicsView : poses and motions in world components, as arrays over links (`k.position` (n, 3), `k.rotation`
(n, 3, 3) …; None where u or udot was not given) and by name: `k.link("l_foot").position`,
`k.point("l_foot", (0.1, 0, 0)).velocity`, `k.centre("l_foot")`, `k.marker("l_heel")`."""
_NUMBER = float | np.ndarray

kinematics = entry_point(_kinematics, KinematicsView, _KINEMATICS)
jacobian = entry_point(jacobians.jacobian)
spatial_jacobian = entry_point(jacobians.spatial_jacobian)
relative_jacobian = entry_point(jacobians.relative_jacobian)
jacobian_rate = entry_point(jacobians.jacobian_rate)
jacobian_bias = entry_point(jacobians.jacobian_bias)
hessian = entry_point(jacobians.hessian)
centre_of_mass = entry_point(_momentum.centre_of_mass)
momentum = entry_point(_momentum.momentum)
momentum_rate = entry_point(_momentum_rate)
centre_of_mass_jacobian = entry_point(centroidal.centre_of_mass_jacobian)
centroidal_momentum_matrix = entry_point(centroidal.centroidal_momentum_matrix)
centroidal_momentum_rate = entry_point(centroidal.centroidal_momentum_rate)
kinetic_energy = entry_point(energy.kinetic_energy, result=_NUMBER)
potential_energy = entry_point(energy.potential_energy, result=_NUMBER)
power_balance = entry_point(_power_balance, solves=True)
direct_dynamics = entry_point(_direct, solves=True)
inverse_dynamics = entry_point(_inverse)
hybrid_dynamics = entry_point(_hybrid, result=tuple[np.ndarray, np.ndarray], may_be_nan=("tau", "udot"), solves=True)
mass_matrix = entry_point(_mass_matrix)
inverse_mass_matrix = entry_point(_inverse_mass, solves=True)
newton_euler = entry_point(_newton_euler)
joint_reactions = entry_point(_reactions, solves=True)
inverse_dynamics_regressor = entry_point(regressors.inverse_dynamics_regressor)
kinetic_energy_regressor = entry_point(regressors.kinetic_energy_regressor)
potential_energy_regressor = entry_point(regressors.potential_energy_regressor)
momentum_regressor = entry_point(regressors.momentum_regressor)
bias_forces = entry_point(_forces.bias_forces)
gravity_forces = entry_point(_forces.gravity_forces)
velocity_forces = entry_point(_forces.velocity_forces)
passive_forces = entry_point(_forces.passive_forces)
external_forces = entry_point(_forces.external_forces)
exponential_rates = entry_point(exponential.exponential_rates, refuse=refuse_whole_turns)
exponential_forces = entry_point(exponential.exponential_forces)
velocities_from_exponential = entry_point(exponential.velocities_from_exponential)
forces_from_exponential = entry_point(exponential.forces_from_exponential, refuse=refuse_whole_turns)

for _entry in (
    kinematics,
    jacobian,
    spatial_jacobian,
    relative_jacobian,
    jacobian_rate,
    jacobian_bias,
    hessian,
    centre_of_mass,
    momentum,
    momentum_rate,
    centre_of_mass_jacobian,
    centroidal_momentum_matrix,
    centroidal_momentum_rate,
    kinetic_energy,
    potential_energy,
    power_balance,
    direct_dynamics,
    inverse_dynamics,
    hybrid_dynamics,
    mass_matrix,
    inverse_mass_matrix,
    newton_euler,
    joint_reactions,
    inverse_dynamics_regressor,
    kinetic_energy_regressor,
    potential_energy_regressor,
    momentum_regressor,
    bias_forces,
    gravity_forces,
    velocity_forces,
    passive_forces,
    external_forces,
    exponential_rates,
    exponential_forces,
    velocities_from_exponential,
    forces_from_exponential,
):
    _entry.__module__ = __name__  # so that they pickle, and help() names the module to import from
