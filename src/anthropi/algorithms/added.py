"""How do forces on links that depend on the accelerations enter the dynamics? As inertia added to the links.

Dampers and friction at a contact, taken at the end of a step h, push with f - h B J u', B their slope, J u' the change
of the link's spatial velocity. With C = h B, an inertia in the link's frame, and a = J u' + b what the recursion calls
the link's acceleration (b: less gravity under a free root, less what is prescribed),

    (I + C) a + p - C b = …                                                    (1)
    M + Σ Jᵀ C J                                                               (2)  the same in joint space
"""

import numpy as np

from anthropi.algebra.linear import transpose
from anthropi.algorithms.jacobians import in_frame, point_jacobian

__all__ = ["added_mass", "with_added"]


def with_added(figure, q, X, p, added, world, given=None):
    """Inertias and bias forces of all pieces, with what is added to links in them (1).

    X, p : poses and bias forces of the pieces. world (6,): b of the root's parent. given (nu,): u' that is prescribed.
    """
    I, p, known = [piece.inertia for piece in figure.pieces], list(p), {-1: world}

    def start(i):
        if i not in known:
            piece = figure.pieces[i]
            known[i] = X[i].undo_motion(start(piece.parent))
            if given is not None and piece.joint.nu:
                known[i] = known[i] - piece.joint.subspace(q[piece.q]) @ given[piece.u]
        return known[i]

    for i, piece in enumerate(figure.pieces):
        if added and piece.link in added:
            C = added[piece.link] if piece.axes is None else added[piece.link].rotated(transpose(piece.axes))
            I[i], p[i] = I[i] + C, p[i] - C.act(start(i))  # (1)
    return I, p


def added_mass(figure, k, q, added):
    """Σ Jᵀ C J (nu, nu) (2), with the poses k known."""
    total = np.zeros((figure.nu, figure.nu))
    for i, C in added.items():
        J = in_frame(point_jacobian(figure, k, q, i, np.zeros(3)), k.rotation[i], "link")
        total = total + transpose(J) @ np.stack([C.act(column) for column in J.T], axis=-1)
    return total
