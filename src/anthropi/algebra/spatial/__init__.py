"""Spatial algebra for any scalar: motions, forces, transforms and inertias in six dimensions.

Vectors are (…, 6) arrays with the angular part first, motion and force alike. `docs/spatial.md` maps the thesis'
notation to this one.

>>> import numpy as np
>>> thigh = box((0.15, 0.15, 0.42), mass=8.0, centre=(0.0, 0.0, -0.21)).validate("l_thigh")
>>> hinge = revolute(np.array([0.0, 1.0, 0.0]), np.zeros(3))
>>> float(np.round(power(thigh.act(hinge), hinge), 6))
0.4854
"""

from anthropi.algebra.spatial.articulated import ArticulatedInertia, harmonic_sum
from anthropi.algebra.spatial.rigid import RigidInertia, rigid_sum
from anthropi.algebra.spatial.shapes import SHAPES, box, capsule, cylinder, ellipsoid, mesh, sphere
from anthropi.algebra.spatial.transform import Transform, identity
from anthropi.algebra.spatial.vectors import (  # fmt: skip  # fmt: skip
    Screw,
    acceleration_of_point,
    angular,
    cross_force,
    cross_force_matrix,
    cross_motion,
    cross_motion_matrix,
    force,
    force_at,
    force_rate,
    helical,
    linear,
    merge,
    motion,
    motion_rate,
    others,
    power,
    prismatic,
    revolute,
    screw_of_force,
    screw_of_motion,
    skew,
    spatial_acceleration,
    turning,
    velocity_of_point,
)  # fmt: skip

__all__ = [
    "SHAPES", "ArticulatedInertia", "RigidInertia", "Screw", "Transform", "acceleration_of_point", "angular", "box",
    "capsule", "cross_force", "cross_force_matrix", "cross_motion", "cross_motion_matrix", "cylinder", "ellipsoid",
    "force", "force_at", "force_rate", "harmonic_sum", "helical", "identity", "linear", "merge", "mesh", "motion",
    "motion_rate", "others", "power", "prismatic", "revolute", "rigid_sum", "screw_of_force", "screw_of_motion", "skew",
    "spatial_acceleration", "sphere", "turning", "velocity_of_point",
]  # fmt: skip
