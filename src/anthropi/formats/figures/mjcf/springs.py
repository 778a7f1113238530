"""Springs and dampers of joints that are given by their response (`springdamper`).

For a time constant T and a damping ratio r, with the inertia I that a joint feels at the reference pose, the others
being free to move (the inverse of a diagonal entry of M⁻¹, averaged over the dofs of a joint):

    k = I/(T² r²),  d = 2I/T                                                                  (1)
"""

from dataclasses import replace

import numpy as np

from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.errors import FormatError
from anthropi.figure import Figure
from anthropi.formats.figures.mjcf.bodies import Body

__all__ = ["with_springs"]

DOFS = {"hinge": 1, "slide": 1, "ball": 3, "free": 6}


def with_springs(bodies: list[Body], figure: Figure, q: np.ndarray, file: str) -> list[Body]:
    """Return the bodies with the stiffness and damping of joints that are given by their response.

    figure : of these bodies, with any springs. q : its reference pose.
    """
    if not any(dof.response for body in bodies for dof in body.dofs):
        return bodies
    with np.errstate(all="ignore"):
        try:
            mobility = np.diag(np.linalg.inv(np.asarray(mass_matrix(figure.changed(loops=()), q), float)))
        except np.linalg.LinAlgError:
            mobility = np.full(figure.nu, np.nan)
    found, at = [], 0
    for body in bodies:
        dofs = []
        for dof in body.dofs:
            mean = mobility[at : at + DOFS[dof.kind]].mean()
            at += DOFS[dof.kind]
            if dof.response:
                if not 0.0 < mean < np.inf:
                    raise FormatError(
                        f"{file}: joint '{dof.name}' has springdamper, but its inertia cannot be computed. Give "
                        "stiffness and damping."
                    )
                T, r = dof.response
                dof = replace(
                    dof, stiffness=float(1.0 / (mean * T * T * r * r)), damping=float(2.0 / (mean * T))
                )  # (1)
            dofs.append(dof)
        found.append(replace(body, dofs=dofs))
    return found
