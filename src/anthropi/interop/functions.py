"""The differentiable functions that `ap.torch` and `ap.jax` offer: of algorithms, own functions, and simulations."""

from typing import Any

from anthropi.entry.differentiable import Differentiable, differentiable
from anthropi.errors import InputError
from anthropi.simulation.simulation import Simulation
from anthropi.simulation.step_function import step_function

__all__ = ["differentiable_of"]


def differentiable_of(function: Any, figure: Any, inputs: Any, parameters: Any, *how: Any, **options: Any) -> Any:
    """Return the differentiable function of an algorithm, a function, a tape or a simulation (its step)."""
    if isinstance(function, Differentiable):
        return function
    if isinstance(function, Simulation):
        if figure is not None or options:
            raise InputError("A simulation has its figure and its options: give only inputs and parameters.")
        return step_function(function, inputs or (), parameters, *how)
    return differentiable(function, figure, inputs, parameters, *how, **options)
