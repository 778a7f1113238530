"""The differentiable functions that `ap.torch` and `ap.jax` offer: of algorithms, own functions, and simulations."""

from typing import Any

from anthropi.entry.differentiable import Differentiable, differentiable
from anthropi.simulation.simulation import Simulation

__all__ = ["differentiable_of"]


def differentiable_of(function: Any, figure: Any, inputs: Any, parameters: Any, *how: Any, **options: Any) -> Any:
    """Return the differentiable function of an algorithm, a function, a tape or a simulation (its step)."""
    if isinstance(function, Differentiable):
        return function
    return differentiable(function, figure, inputs, parameters, *how, **options)
