"""HIDDS, hybrid inverse and direct dynamics of a motion (docs/equations/thesis.md, 10).

`desired_motion.py` computes the accelerations of a motion, `external_forces.py` the external forces and `inverse.py`
the joint forces. `increment.py` is one step of direct dynamics, `sequence.py` the whole run in three modes, and
`refinement.py` refines force profiles.
"""

from anthropi.gait.hidds.desired_motion import arm_motion, desired_motion, filtered
from anthropi.gait.hidds.inverse import inverse_motion
from anthropi.gait.hidds.sequence import MODES, ROOTS, hidds

__all__ = ["MODES", "ROOTS", "arm_motion", "desired_motion", "filtered", "hidds", "inverse_motion"]
