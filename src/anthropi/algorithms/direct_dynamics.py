"""How does the figure move when forces act? The articulated-body algorithm, in link coordinates.

Accelerations count from those the figure would have with u' = 0: what velocities and gravity take is found on the way
out as in inverse dynamics, from bodies alone, and never meets an articulated inertia.

    outward  p_i = f_i at u' = 0                                               (1)  effort.py; thesis 6.1-6.3
    inward   D = Sᵀ I_i S + r,   left = τ - Sᵀ p_i                             (2)  thesis 6.4-6.6
             I_λ += X (I_i - U D⁻¹ Uᵀ) X⁻¹,   U = I_i S                        (3)  thesis 6.7
             p_λ += X (p_i + U D⁻¹ left)                                       (4)  thesis 6.8
    outward  a' = X⁻¹ a_λ,   a_world = 0                                       (5)
             u' = D⁻¹ (left - Uᵀ a'),   a_i = a' + S u'                        (6)  thesis 6.10, 6.11

Nothing under a free root feels gravity but the root: there a_world = -g, and (1) goes without. r is the joint's own
inertia: its armature, and `extra` from springs and dampers treated implicitly (implicit.py). `response.py` has
the passes, `joint_solve.py` does (2)-(4), (6) for a joint, by unit columns where it can; figure/pieces.py says what i
counts, and in what axes.
"""

from anthropi.algorithms.response import articulated
from anthropi.algorithms.shapes import algorithm

__all__ = ["direct_dynamics"]


@algorithm(q="nq", u="nu", tau="nu", f_ext="links*6", extra="nu")
def direct_dynamics(figure, q, u, tau, f_ext=None, extra=None, added=None):
    """How does the figure move when forces act?

    q (nq,), u (nu,), tau (nu,) [N m or N]; f_ext (links, 6): moment about the link's origin and force, in link frames.
    extra (nu,) [kg m² or kg]: inertia of each degree of freedom beside its armature, as `implicit_drive` gives it; or
    (nu, nu), of which the blocks of joints are read (`contact/limits`).
    added : {link number: ArticulatedInertia}: forces that depend on u', as `added.py` says.
    Returns udot (nu,).
    """
    return articulated(figure, q, u, tau, f_ext, extra, added).accelerations()
