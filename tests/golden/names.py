"""Every name of the package that the golden cases use. When modules move or are renamed, edit this file only."""

# ruff: noqa: F401

import anthropi as ap
from anthropi import (
    Assembly,
    Body,
    Determinants,
    GaitPlan,
    Loop,
    bias_forces,
    centre_of_mass_jacobian,
    centroidal_momentum_matrix,
    centroidal_momentum_rate,
    close_loops,
    directional,
    exponential_forces,
    exponential_rates,
    external_forces,
    figure_from_parts,
    forces_from_exponential,
    gait_report,
    gravity_forces,
    hessian,
    hidds,
    inverse_mass_matrix,
    inverse_motion,
    jacobian,
    jacobian_bias,
    jacobian_rate,
    kinetic_energy,
    loop_course,
    loop_dynamics,
    loop_errors,
    loop_hybrid_dynamics,
    loop_impulses,
    loop_inverse_dynamics,
    momentum,
    momentum_rate,
    newton_euler,
    passive_forces,
    potential_energy,
    power_balance,
    reference_gait,
    refine,
    scalar,
    spatial,
    spatial_jacobian,
    standing,
    velocities_from_exponential,
    velocity_forces,
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


def command_session(session, command) -> None:
    """Change the command of a walking session."""
    session.tell(command)
