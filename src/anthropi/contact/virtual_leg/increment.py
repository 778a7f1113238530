"""How does a figure move in one increment on a virtual leg? The thesis' three-step solve (7.2.3).

    1  u'₀ without the ground; u₁ = u + h u'₀, q₁ = q ⊞ h u₁      where the figure would be      (1)
    2  f_c from the law at (q₁, u₁)                                                              (2)
    3  u' with f_c at the foot, at (q, u)                                                        (3)

The thesis advances the root, which is the contact foot; here the whole figure is, so that G and H_G are as new as the
foot. To first order in h this is the law taken at the end of the step: a leg may be stiffer, and keeps no energy.
"""

from typing import Any, NamedTuple

from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics

__all__ = ["Increment", "three_steps"]


class Increment(NamedTuple):
    """udot (nu,); f_ext {link number: (6,)} that made it; told: whatever the law says besides."""

    udot: Any
    f_ext: Any
    told: Any


def three_steps(figure, q, u, tau, dt, law, extra=None) -> Increment:
    """The acceleration of an increment of dt [s].

    law : function (kinematics ahead, kinematics now) → (f_ext, told): forces by the first, arms by the second.
    """
    free = direct_dynamics(figure, q, u, tau, None, extra)  # (1)
    ahead = u + dt * free
    k, now = kinematics(figure, figure.integrate(q, dt * ahead), ahead), kinematics(figure, q, u)
    f_ext, told = law(k, now)  # (2)
    return Increment(direct_dynamics(figure, q, u, tau, f_ext, extra), f_ext, told)  # (3)
