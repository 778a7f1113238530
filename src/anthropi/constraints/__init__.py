"""Constraints between links and bodies: primitives, mates, assemblies, closed loops, inverse kinematics.

| file or folder | subject |
| --- | --- |
| `primitives.py`, `driven.py` | scalar equations between points and directions; driven by time |
| `mates/` | constraints and joints by their usual names, made of primitives |
| `assembly/` | bodies placed by constraints: solve, analyse, drag |
| `loops/` | dynamics, impulses and projection of figures with closed loops |
| `inverse_kinematics.py`, `targets.py`, `fit_to_targets.py` | inverse kinematics: interface, targets, solver |
| `gauss_newton.py` | damped Gauss–Newton, shared by all solvers |
| `relative.py`, `cartesian.py`, `recursion.py` | Jacobians in joint and Cartesian coordinates |
| `newton.py` | solvers for one body: Newton's method of Liu, Song and Yong (2013), and a robust method |
"""

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
