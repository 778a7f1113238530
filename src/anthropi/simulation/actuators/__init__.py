"""Actuators: motors with torque–speed limits, human strength, activation lag, and Hill-type muscles."""

from anthropi.simulation.actuators.limited import Limited, Motor, limited
from anthropi.simulation.actuators.muscle import (
    Muscle,
    activation_after,
    active_force_length,
    force_velocity,
    passive_force_length,
    tension,
)
from anthropi.simulation.actuators.muscles import Muscles, PathGeometry, path_geometry
from anthropi.simulation.actuators.strength import JOINT_STRENGTHS, JointStrength, Strength, human_strength

__all__ = [
    "JOINT_STRENGTHS",
    "JointStrength",
    "Limited",
    "Motor",
    "Muscle",
    "Muscles",
    "PathGeometry",
    "Strength",
    "activation_after",
    "active_force_length",
    "force_velocity",
    "human_strength",
    "limited",
    "passive_force_length",
    "path_geometry",
    "tension",
]
