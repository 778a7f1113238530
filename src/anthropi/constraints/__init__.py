"""What a figure is asked to meet: targets and inverse kinematics."""

from anthropi.constraints.inverse_kinematics import inverse_kinematics
from anthropi.constraints.solution import Solution
from anthropi.constraints.targets import CentreOfMass, Orientation, Pointing, Position, Posture, Target

__all__ = ["CentreOfMass", "Orientation", "Pointing", "Position", "Posture", "Solution", "Target", "inverse_kinematics"]
