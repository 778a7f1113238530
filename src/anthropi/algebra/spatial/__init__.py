"""Spatial algebra for any scalar: motions, forces, transforms and inertias in six dimensions.

Vectors are (…, 6) arrays with the angular part first, for motions and forces alike. Equation and section numbers
"thesis …" refer to S. M. Loizidou, Dynamic Analysis of Anthropomorphic Manipulators in Computer Animation, PhD thesis,
University of North London, 1992, listed in `docs/equations/thesis.md`; `docs/spatial.md` maps its notation to this one.

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
from anthropi.algebra.spatial.vectors import (
    Screw,
    acceleration_matrix,
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
    power,
    prismatic,
    remaining_axes,
    revolute,
    screw_of_force,
    screw_of_motion,
    skew,
    spatial_acceleration,
    velocity_of_point,
)

__all__ = [
    "SHAPES",
    "ArticulatedInertia",
    "RigidInertia",
    "Screw",
    "Transform",
    "acceleration_matrix",
    "acceleration_of_point",
    "angular",
    "box",
    "capsule",
    "cross_force",
    "cross_force_matrix",
    "cross_motion",
    "cross_motion_matrix",
    "cylinder",
    "ellipsoid",
    "force",
    "force_at",
    "force_rate",
    "harmonic_sum",
    "helical",
    "identity",
    "linear",
    "merge",
    "mesh",
    "motion",
    "motion_rate",
    "power",
    "prismatic",
    "remaining_axes",
    "revolute",
    "rigid_sum",
    "screw_of_force",
    "screw_of_motion",
    "skew",
    "spatial_acceleration",
    "sphere",
    "velocity_of_point",
]  # fmt: skip
