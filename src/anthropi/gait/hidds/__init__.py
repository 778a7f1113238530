"""HIDDS, hybrid inverse and direct dynamics (thesis 9.5): from a motion to its forces, and from forces to the motion.

`wanted.py` and `derivatives.py` are the motion with its accelerations, `outside.py` forces from outside over time,
`inverse.py` the forces of a motion, `increment.py` the direct step, `sequence.py` both, in three modes. `arm.py` is the
arm they are measured on.
"""

from anthropi.gait.hidds.arm import arm_motion
from anthropi.gait.hidds.derivatives import filtered
from anthropi.gait.hidds.inverse import inverse_motion
from anthropi.gait.hidds.sequence import MODES, ROOTS, hidds
from anthropi.gait.hidds.wanted import wanted_motion

__all__ = ["MODES", "ROOTS", "arm_motion", "filtered", "hidds", "inverse_motion", "wanted_motion"]
