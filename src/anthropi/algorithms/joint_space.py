"""The equations of motion in joint space, with all that depends on u' in them.

    M u' + effort = τ,   M with `extra` and Σ Jᵀ C J in it                     (1)  implicit.py, added.py

effort is taken at the accelerations `start` of what is prescribed, so that (1) holds for the change of u' from there:
springs and dampers that yield feel it too, at the degrees of freedom that are free.
"""

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algorithms.forces import add_inertia, times
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import added_mass_matrix, mass_matrix

__all__ = ["joint_space"]


def joint_space(tree, q, u, start, f_ext=None, extra=None, added=None, held=()):
    """M (nu, nu) and effort (nu,) of (1) for a figure without loops.

    start (nu,): u' where prescribed, 0 elsewhere; held : numbers of what is. f_ext, extra, added : as in
    `direct_dynamics`.
    """
    M, effort = mass_matrix(tree, q), inverse_dynamics(tree, q, u, start, f_ext)
    if extra is not None:
        M, more = add_inertia(M, extra), times(extra, start)
        effort = effort + np.array([0.0 if k in held else x for k, x in enumerate(more)])
    if added:
        more = added_mass_matrix(tree, kinematics(tree, q), q, added)
        M, effort = M + more, effort + matvec(more, start)
    return M, effort
