"""What a figure or bodies are asked to meet: primitive constraints, targets, inverse kinematics."""

from anthropi.constraints import cartesian, newton, recursion, relative
from anthropi.constraints.driven import Course, Driven, Nail, driven_angle, driven_distance, driven_turn
from anthropi.constraints.inverse_kinematics import Solution, inverse_kinematics
from anthropi.constraints.primitives import Angle, Direction, Distance, Dot1, Dot2, Normalisation, Point
from anthropi.constraints.targets import CentreOfMass, Orientation, Pointing, Position, Posture, Target

__all__ = [
    "Angle", "CentreOfMass", "Course", "Direction", "Distance", "Dot1", "Dot2", "Driven", "Nail", "Normalisation",
    "Orientation", "Point", "Pointing", "Position", "Posture", "Solution", "Target", "cartesian", "driven_angle",
    "driven_distance", "driven_turn", "inverse_kinematics", "newton", "recursion", "relative",
]  # fmt: skip
