"""How long are the steps of adults at a speed? Floats only.

    step length / l = 1.110 v̂^0.514,   deviation of its logarithm 0.074,   v̂ = v / √(g l)                         (1)

fitted to 306 walks of 51 adults (young and older, six speeds each, 0.34-1.77 m/s) of the table H2A of BMClab/datasets,
CC BY 4.0; l the leg length. The frequency follows from the speed. Beyond those speeds it is the same law.
"""

from typing import NamedTuple

from anthropi.gait.norms.curves import dimensionless

__all__ = ["ADULTS", "AdultStep", "adult_step"]

ADULTS = (1.1104, 0.5137, 0.0739)  # (1): factor, power, deviation of the logarithm


class AdultStep(NamedTuple):
    """step_length [m] and step_frequency [steps/min], with the deviation of each between people."""

    step_length: float
    step_length_sd: float
    step_frequency: float
    step_frequency_sd: float


def adult_step(velocity: float, leg: float) -> AdultStep:
    """(1) for a velocity [m/s] and a leg length [m]."""
    factor, power, spread = ADULTS
    length = factor * leg * dimensionless(velocity, leg) ** power
    often = 60.0 * velocity / length
    return AdultStep(length, spread * length, often, spread * often)
