"""Hexapod: six legs that walk in alternating tripods by joint forces alone (`Roach`, of `ap.sample("roach")`).

`legs.py` holds the inverse kinematics of a leg and the paths of the feet, `roach.py` the controller, walks by orders
and measures of a walk.
"""

from anthropi.gait.walker.hexapod.roach import Measures, Roach, headings, measure, roach_walk

__all__ = ["Measures", "Roach", "headings", "measure", "roach_walk"]
