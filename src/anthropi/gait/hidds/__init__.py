"""HIDDS, hybrid inverse and direct dynamics (thesis 9.5): from a motion to its forces, and from forces to the motion.

`desired_motion.py` and `desired_motion.py` are the motion with its accelerations, `inverse.py` forces from outside over
time, `inverse.py` the forces of a motion, `increment.py` the direct step, `sequence.py` both, in three modes.
`desired_motion.py` is the arm they are measured on.
"""

from anthropi.gait.hidds.desired_motion import arm_motion, desired_motion, filtered
from anthropi.gait.hidds.inverse import inverse_motion
from anthropi.gait.hidds.sequence import MODES, ROOTS, hidds

__all__ = ["MODES", "ROOTS", "arm_motion", "desired_motion", "filtered", "hidds", "inverse_motion"]
