"""Dynamics for articulated figures. Written by tools/root_stub.py: edit the table in __init__.py."""

from anthropi import constraints as constraints
from anthropi import contact as contact
from anthropi import entry as dynamics
from anthropi import gait as gait
from anthropi import motion as motion
from anthropi import study as study
from anthropi.algebra import linear as linear
from anthropi.algebra import scalar as scalar
from anthropi.algebra import spatial as spatial
from anthropi.algebra.orientation import functions as rotation
from anthropi.algebra.orientation.rotation import Rotation as Rotation
from anthropi.algebra.orientation.transform import Transform as Transform
from anthropi.compiler import Kernel as Kernel
from anthropi.compiler import build as build
from anthropi.constraints import inverse_kinematics as inverse_kinematics
from anthropi.constraints import mates as mates
from anthropi.constraints import targets as targets
from anthropi.constraints.assembly import Assembly as Assembly
from anthropi.constraints.assembly import Body as Body
from anthropi.contact import limits as limits
from anthropi.contact.scene import Scene as Scene
from anthropi.entry import centre_of_mass as centre_of_mass
from anthropi.entry import compile as compile
from anthropi.entry import derivative as derivative
from anthropi.entry import direct_dynamics as direct_dynamics
from anthropi.entry import hybrid_dynamics as hybrid_dynamics
from anthropi.entry import inverse_dynamics as inverse_dynamics
from anthropi.entry import jacobian as jacobian
from anthropi.entry import kinematics as kinematics
from anthropi.entry import loops as loops
from anthropi.entry import mass_matrix as mass_matrix
from anthropi.errors import AnthropiError as AnthropiError
from anthropi.figure import Figure as Figure
from anthropi.figure import Link as Link
from anthropi.figure import Loop as Loop
from anthropi.figure import Marker as Marker
from anthropi.figure import Shape as Shape
from anthropi.figure import figure_from_parts as figure_from_parts
from anthropi.figure import joints as joints
from anthropi.figure.human.build import human as human
from anthropi.figure.human.build import standing as standing
from anthropi.figure.human.population import humans as humans
from anthropi.figure.samples import sample as sample
from anthropi.formats import load as load
from anthropi.formats import load_motion as load_motion
from anthropi.formats import save as save
from anthropi.formats.pages.live_page import live_page as live_page
from anthropi.gait.hidds import hidds as hidds
from anthropi.gait.hidds import inverse_motion as inverse_motion
from anthropi.gait.hidds.refinement import refine as refine
from anthropi.gait.report import gait_report as gait_report
from anthropi.gait.walker import Command as Command
from anthropi.gait.walker import WalkingSession as WalkingSession
from anthropi.gait.walker.performer import perform as perform
from anthropi.gait.walking import walk as walk
from anthropi.interop import gym as gym
from anthropi.interop import jax as jax
from anthropi.interop import torch as torch
from anthropi.motion import Keyframes as Keyframes
from anthropi.motion import Motion as Motion
from anthropi.motion.state import State as State
from anthropi.simulation import actuators as actuators
from anthropi.simulation import controllers as controllers
from anthropi.simulation import sensors as sensors
from anthropi.simulation.drive import Drive as Drive
from anthropi.simulation.options import SimulationOptions as SimulationOptions
from anthropi.simulation.rollout_gradient import rollout_gradient as rollout_gradient
from anthropi.simulation.simulate import simulate as simulate
from anthropi.simulation.simulation import Simulation as Simulation
from anthropi.tape import Scalar as Scalar
from anthropi.tape import Tape as Tape
from anthropi.tape import record as record
from anthropi.tape import repeat as repeat

__version__: str
__all__ = [
    "AnthropiError",
    "Assembly",
    "Body",
    "Command",
    "Drive",
    "Figure",
    "Kernel",
    "Keyframes",
    "Link",
    "Loop",
    "Marker",
    "Motion",
    "Rotation",
    "Scalar",
    "Scene",
    "Shape",
    "Simulation",
    "SimulationOptions",
    "State",
    "Tape",
    "Transform",
    "WalkingSession",
    "actuators",
    "build",
    "centre_of_mass",
    "compile",
    "constraints",
    "contact",
    "controllers",
    "derivative",
    "direct_dynamics",
    "dynamics",
    "figure_from_parts",
    "gait",
    "gait_report",
    "gym",
    "hidds",
    "human",
    "humans",
    "hybrid_dynamics",
    "inverse_dynamics",
    "inverse_kinematics",
    "inverse_motion",
    "jacobian",
    "jax",
    "joints",
    "kinematics",
    "limits",
    "linear",
    "live_page",
    "load",
    "load_motion",
    "loops",
    "mass_matrix",
    "mates",
    "motion",
    "perform",
    "record",
    "refine",
    "repeat",
    "rollout_gradient",
    "rotation",
    "sample",
    "save",
    "scalar",
    "sensors",
    "simulate",
    "spatial",
    "standing",
    "study",
    "targets",
    "torch",
    "walk",
]
