"""What do the loops of a figure lack, in place and in speed? Without Jacobians, from the poses and velocities of links.

Φ(q),   Φ' = J u + drift                                                                          (1)
"""

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.shapes import algorithm
from anthropi.constraints.equations import drift_of
from anthropi.constraints.loops.closures import closures
from anthropi.constraints.primitives import primitives_of
from anthropi.constraints.relative import features_of

__all__ = ["drifts", "gaps", "loop_errors", "speeds"]


@algorithm(q="nq", course="3*numbers")
def loop_errors(figure, q, course=None):
    """How far are the loops from closed? {loop: its rows' residuals [m, rad; m² for a distance]}"""
    constraints, k = closures(figure, course), kinematics(figure, q)
    return {c.name: gaps(figure, k, (c,)) for c in constraints}


def gaps(figure, k, constraints):
    """Φ (m,), with the poses k known."""
    return np.array([row.value(_places(figure, k, row), 0.0) for row in primitives_of(constraints)])


def drifts(figure, k, constraints):
    """∂Φ/∂t (m,)."""
    still = k._replace(angular_velocity=None)
    return np.array([drift_of(row, features_of(figure, still, row, 0.0), 0.0) for row in primitives_of(constraints)])


def speeds(figure, k, constraints):
    """Φ' (m,), with the velocities in k."""
    found = []
    for row in primitives_of(constraints):
        moving = features_of(figure, k, row, 0.0)
        total = row.drift(0.0)[0]
        for g, m in zip(row.gradient([m.x for m in moving]), moving, strict=True):
            total = total + (g * m.rate).sum()
        found.append(total)
    return np.array(found)


def _places(figure, k, row):
    return [m.x for m in features_of(figure, k._replace(angular_velocity=None), row, 0.0)]
