"""Plain Newton-Raphson, as the paper runs it: Cartesian coordinates with Euler parameters. Floats only.

Source: spec/constraints.md section 5. q = [r p] of the bodies that move, with a normalisation p·p = 1 for each:

    for k = 1 … cap:  Φ(q);  if ‖Φ‖ < tol: done, k evaluations;  q ← q - Φ_q⁻¹ Φ;  not finite: failed    (1)

No normalisation between steps. The paper's systems are square; where there are fewer or more equations than unknowns,
Φ_q⁻¹ is the pseudo-inverse.                                                                          (2)
"""

from typing import NamedTuple

import numpy as np

from anthropi.constraints import cartesian
from anthropi.constraints.primitives import Normalisation, primitives_of

__all__ = ["Newton", "newton"]


class Newton(NamedTuple):
    """Where the iteration ended: state (n, 7), evaluations of Φ, ‖Φ‖, whether it converged."""

    x: np.ndarray
    evaluations: int
    norm: float
    converged: bool


def newton(coordinates, constraints, x, tolerance: float = 1e-10, cap: int = 100, form="euler", t=None) -> Newton:
    """(1) for bodies in Cartesian coordinates. form : "euler", or "peng" for the virtual rotation's."""
    names, free = coordinates.names, coordinates.free
    every = (*(Normalisation(names[i]) for i in free), *primitives_of(list(constraints)))
    moving = (7 * free[:, None] + np.arange(7)).ravel()
    q = np.array(x, float).ravel()
    norm = np.inf
    for k in range(1, cap + 1):
        with np.errstate(all="ignore"):
            phi, J = cartesian.rows(names, q, every, t, form)
            norm = float(np.sqrt(phi @ phi))
        if norm < tolerance:
            return Newton(q.reshape(-1, 7), k, norm, True)
        J = J[:, moving]
        if not np.isfinite(norm):
            break
        try:
            step = np.linalg.solve(J, phi) if J.shape[0] == J.shape[1] else np.linalg.pinv(J) @ phi  # (2)
        except np.linalg.LinAlgError:
            break
        q[moving] -= step
        if not np.isfinite(q).all():
            break
    return Newton(q.reshape(-1, 7), k, norm, False)
