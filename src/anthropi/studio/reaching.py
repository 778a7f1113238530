"""By hand: which configuration near this one brings a point of a link to a place? Damped least squares, a few steps.

    δ = W Jᵀ (J W Jᵀ + λ² 1)⁻¹ e,   q ⊞ δ, cut to the limits                                                   (1)

No kernel is made, since every place that somebody grips is another one. Floats only.
"""

import numpy as np

from anthropi.algorithms.jacobians import point_jacobian
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import StateError

__all__ = ["reach"]

STEPS, NEAR = 8, 1e-4  # at most; [m]
FAR = 0.15  # [m] that a step goes for at most
DAMPING = 0.05  # λ [m]


def reach(figure, q, grips, still=()) -> np.ndarray:
    """q (nq,) that brings points near to places.

    grips : (link, point (3,) in it, place (3,), weight)s. still : degrees of freedom that do not move.
    """
    free = np.ones(figure.nu)
    free[list(figure.dof_indices(still))] = 0.0
    if not free.any():
        raise StateError(f"Nothing of figure '{figure.name}' may move: all its joints are held.")
    for _ in range(STEPS):
        k = kinematics(figure, q)
        rows, errors = [], []
        for link, point, place, weight in grips:
            i = figure.link_index(link)
            apart = np.asarray(place) - (k.position[i] + k.rotation[i] @ np.asarray(point))
            length = float(np.linalg.norm(apart))
            errors.append(weight * (apart if length <= FAR else apart * (FAR / length)))
            rows.append(weight * np.asarray(point_jacobian(figure, k, q, i, np.asarray(point)), float)[3:] * free)
        e, J = np.concatenate(errors), np.concatenate(rows)
        if float(np.abs(e).max()) < NEAR:
            break
        delta = J.T @ np.linalg.solve(J @ J.T + DAMPING**2 * np.eye(len(e)), e)  # (1)
        q = _within(figure, figure.integrate(q, delta * free))
    return q


def _within(figure, q) -> np.ndarray:
    """A configuration cut to the limits."""
    q = np.array(q, float)
    for i, joint in enumerate(figure.joints):
        if joint.nu and (np.isfinite(joint.lower).any() or np.isfinite(joint.upper).any()):
            at = figure.q_of[i]
            x = np.asarray(joint.coordinates(q[at]), float)
            cut = np.clip(x, joint.lower, joint.upper)
            if (cut != x).any():
                q[at] = joint.from_coordinates(cut)
    return q
