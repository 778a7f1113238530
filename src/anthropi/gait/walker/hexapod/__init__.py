"""Hexapod: a controller that walks on six legs in alternating tripods by joint forces alone.

`legs.py` contains the inverse kinematics of a leg and the paths of the feet. `roach.py` contains the controller `Roach`
of `ap.sample("roach")`, the simulation of a walk with a list of commands, and measures of a walk.
"""

from anthropi.gait.walker.hexapod.roach import Measures, Roach, headings, measure, roach_walk

__all__ = ["Measures", "Roach", "headings", "measure", "roach_walk"]
