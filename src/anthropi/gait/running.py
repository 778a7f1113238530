"""How fast do runners step, and how long do they touch the ground? Laws for `GaitPlan(kind="run")`.

Of a runner of stature h₀ = 1.75 m at speed v [m/s]; others by dynamic similarity (Alexander), times over √(h/h₀):

    sf      = 130 + 10 v      [steps/min]                                      (1)
    contact = 0.271 (2.7 / v)^0.6 [s], less than a step: the rest is flight    (2)

Sources. At 2.7 m/s young runners touch for 0.271 s and fly for 0.112 s, 157 steps/min (Karamanidis and Arampatzis, J.
Exp. Biol. 208 (2005) 3907, table 4; the table was read, title and speed are from memory). Four groups, sedentary people
to sprinters, lengthen their steps until 3.0 ± 0.2 steps/s at 65-70 % of their top speed, and only then hurry
(PMC8523042, abstract, read): (1) is the line through 157 at 2.7 m/s and 180 at 5 m/s. The exponent of (2) makes contact
0.187 s at 5 m/s, as we remember it from Weyand and others (J. Appl. Physiol. 89 (2000) 1991); that was not checked.
"""

import math

__all__ = ["CONTACT", "FASTEST", "RATE", "SLOWEST", "contact_time", "run_frequency", "run_velocity"]

STATURE = 1.75  # [m] h₀
RATE = (130.0, 10.0)  # (1)
CONTACT = (0.271, 2.7, 0.6)  # (2)
SLOWEST, FASTEST = 1.5, 8.0  # [m/s] of h₀: beyond, nobody jogs and (1) does not hold


def run_frequency(velocity: float, height: float) -> float:
    """(1): steps/min at a velocity [m/s]."""
    c = math.sqrt(STATURE / height)
    return c * (RATE[0] + RATE[1] * velocity * c)


def run_velocity(height: float, step_frequency: float | None = None, step_length: float = 0.0) -> float:
    """(1) the other way: the velocity [m/s] that goes with a frequency [steps/min], or else with a length [m]."""
    c = math.sqrt(STATURE / height)
    if step_frequency is not None:
        return (step_frequency / c - RATE[0]) / (RATE[1] * c)
    slope = 60.0 - RATE[1] * c * c * step_length  # 60 v = L sf(v)
    return c * RATE[0] * step_length / slope if slope > 0.0 else math.inf


def contact_time(velocity: float, height: float) -> float:
    """(2): how long a foot is on the ground [s]."""
    c, (longest, at, power) = math.sqrt(STATURE / height), CONTACT
    return longest / c * (at / (velocity * c)) ** power
