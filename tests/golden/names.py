"""Every name of the package that the golden cases use. When modules move or are renamed, edit this file only."""

# ruff: noqa: F401

import anthropi as ap
from anthropi import (
    Assembly,
    Body,
    Loop,
    figure_from_parts,
    gait_report,
    hidds,
    inverse_motion,
    jacobian,
    refine,
    scalar,
    spatial,
    standing,
)
from anthropi.algebra.spatial import Transform, box
from anthropi.constraints import mates
from anthropi.contact.convex import Convex
from anthropi.contact.limits import HardLimits, ReachCone, SoftLimits, StoppingLimits, human_limits
from anthropi.contact.virtual_leg import FromForce, Leg, VirtualLeg
from anthropi.figure.parts import Link, Marker, Shape
from anthropi.formats.scripts import read as read_script_file
from anthropi.gait.hidds import arm_motion
from anthropi.gait.navigation import PointWalker, follow, random_course
from anthropi.gait.styles import STYLES, styled_walker
from anthropi.gait.styles import plan as plan_of_words
from anthropi.gait.walker import Command, WalkingSession, load_walker
from anthropi.gait.walker.hexapod import roach_walk
from anthropi.simulation.controllers import Freeze, Hold, Several, Torque
from anthropi.simulation.integrators import METHODS

Determinants = ap.gait.Determinants
GaitPlan = ap.gait.GaitPlan
bias_forces = ap.dynamics.bias_forces
centre_of_mass_jacobian = ap.dynamics.centre_of_mass_jacobian
centroidal_momentum_matrix = ap.dynamics.centroidal_momentum_matrix
centroidal_momentum_rate = ap.dynamics.centroidal_momentum_rate
close_loops = ap.loops.close_loops
directional = ap.dynamics.directional
exponential_forces = ap.dynamics.exponential_forces
exponential_rates = ap.dynamics.exponential_rates
external_forces = ap.dynamics.external_forces
forces_from_exponential = ap.dynamics.forces_from_exponential
gravity_forces = ap.dynamics.gravity_forces
hessian = ap.dynamics.hessian
inverse_mass_matrix = ap.dynamics.inverse_mass_matrix
jacobian_bias = ap.dynamics.jacobian_bias
jacobian_rate = ap.dynamics.jacobian_rate
kinetic_energy = ap.dynamics.kinetic_energy
loop_course = ap.loops.loop_course
loop_dynamics = ap.loops.loop_dynamics
loop_errors = ap.loops.loop_errors
loop_hybrid_dynamics = ap.loops.loop_hybrid_dynamics
loop_impulses = ap.loops.loop_impulses
loop_inverse_dynamics = ap.loops.loop_inverse_dynamics
momentum = ap.dynamics.momentum
momentum_rate = ap.dynamics.momentum_rate
newton_euler = ap.dynamics.newton_euler
passive_forces = ap.dynamics.passive_forces
potential_energy = ap.dynamics.potential_energy
power_balance = ap.dynamics.power_balance
reference_gait = ap.gait.reference_gait
spatial_jacobian = ap.dynamics.spatial_jacobian
velocities_from_exponential = ap.dynamics.velocities_from_exponential
velocity_forces = ap.dynamics.velocity_forces


def command_session(session, command) -> None:
    """Change the command of a walking session."""
    session.command(command)
