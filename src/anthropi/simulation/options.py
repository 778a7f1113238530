"""Options of a simulation, and checks of single numbers and arrays. Plain floats only, cannot be recorded."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure.numbers import numbers
from anthropi.figure.states import finite
from anthropi.simulation.memory import Layout

__all__ = ["SimulationOptions", "finite_array", "number", "random_streams", "settings_row", "split_parameters"]


@dataclass(frozen=True)
class SimulationOptions:
    """Options of `simulate` that few runs need.

    Attributes
    ----------
    f_ext : external forces (links, 6), (batch, links, 6), {link: (6,) or (batch, 6)}, or a function
        (figure, t, q, u) → either.
    prescribed, udot : joints or dofs that follow accelerations, given as forces are.
    tolerance : with method="dormand_prince", steps as long as this accuracy allows [rad, m; relative for velocities
        beyond 1]; frames stay `every` dt apart and dt is only the first try. longest : [s] the longest step then, for
        forces that come and go.
    loops : {loop: function of t → its number or numbers}: loops driven in time (a nail on a path, a driven angle). A
        figure with loops starts closed (`ap.loops.close`) and stays so: every step ends with a projection.
    loop_forces : whether the motion has channels "<loop>.force" (…, frames, 6): the moment about the origin of the
        loop's frame b and the force on link b, in world axes.
    seed : of the controller's random numbers. conserve : whether a free figure keeps its momentum to the last digit.
    root : "stance foot", or links: the one of them that carries most is the root while the figure moves; the motion
        stays in the figure's own coordinates.
    stop : function (figure, t, q, u) → mask: a rollout for which it holds makes no more steps, and the event `Stopped`
        says when. A single rollout ends there; of a batch, later frames repeat where it stopped.
    start : [s] time of the first frame.
    target, precision, opt, threads : as in `build` and kernels.
    strict : whether a rollout that cannot go on is an error; if not, its frames are NaN and `events` lists it.
    progress : function (steps done, steps in all), called after every piece.
    """

    f_ext: Any = None
    prescribed: Any = ()
    udot: Any = None
    tolerance: float | None = None
    longest: float | None = None
    loops: dict[str, Callable[..., Any]] | None = None
    loop_forces: bool = False
    seed: int = 0
    conserve: bool = False
    root: Any = None
    stop: Callable[..., Any] | None = None
    start: float = 0.0
    target: str = "cpu"
    precision: str = "float64"
    opt: Any = "tiers"
    threads: int | None = None
    strict: bool = True
    progress: Callable[..., Any] | None = None


def number(name: str, value: Any, positive: bool = False) -> float:
    """A finite number."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = np.nan
    if not np.isfinite(found) or (positive and found <= 0.0):
        raise InputError(f"{name}={value!r}: give a {'positive ' if positive else ''}number.")
    return found


def finite_array(name: str, value: Any, shape: Any, figure: Any = None, kind: str = "") -> np.ndarray:
    """An array of finite numbers, of this shape or with a batch axis before it; figure, kind: as in `finite`."""
    try:
        array = np.asarray(value, float)
    except (TypeError, ValueError):
        raise InputError(f"'{name}' must hold numbers; got {type(value).__name__}.") from None
    if shape is not None and (array.shape[array.ndim - len(shape) :] != shape or array.ndim > len(shape) + 1):
        raise ShapeError(f"'{name}' has shape {array.shape}; wanted {shape} or {('batch', *shape)}.")
    finite(name, array, figure, kind)
    return array


def random_streams(seed: int, first: int, batch: int, precision: str) -> np.ndarray:
    """Keys (batch,) of the random numbers of rollouts, counted from `first`."""
    largest = np.uint64(1 << (24 if precision == "float32" else 32))  # whole numbers that the precision tells apart
    rollouts = np.uint64(first) + np.arange(batch).astype(np.uint64)
    return ((np.uint64(seed) * np.uint64(2654435761) + rollouts) % largest).astype(float)


def settings_row(layout: Layout, controller: Any, settings: dict[Any, Any]) -> np.ndarray:
    """Parameters of a controller as one row (n,), or one a rollout (batch, n); its own where `settings` has none."""
    parts, lead = [], ()
    for name, shape in zip(layout.names, layout.shapes, strict=True):
        array = np.asarray(settings.get(name, controller.parameters[name]))
        if array.dtype.kind not in "fiu" or not np.isfinite(array).all():
            raise InputError(f"Parameter '{name}' of the controller is not a finite number.")
        array = array.astype(float)
        if array.shape[array.ndim - len(shape) :] != shape or array.ndim > len(shape) + 1:
            raise ShapeError(f"Parameter '{name}' has shape {array.shape}; wanted {shape} or {('batch', *shape)}.")
        own = array.shape[: array.ndim - len(shape)]
        if own and lead and own != lead:
            raise ShapeError(f"'{name}' is for {own[0]} rollouts, others are for {lead[0]}.")
        lead = own or lead
        parts.append(array.reshape(*own, -1))
    return np.concatenate([np.broadcast_to(p, (*lead, p.shape[-1])) for p in parts], -1)


def split_parameters(figure: Any, controller: Any, parameters: Any) -> tuple[dict[str, Any], Any]:
    """Split parameters into those of the controller and those of the figure."""
    if controller is None or not isinstance(parameters, dict):
        return {}, parameters
    own = {name: x for name, x in parameters.items() if name in controller.parameters}
    slots = {name: x for name, x in parameters.items() if name not in own}
    for name in slots:
        if name.split("[")[0] not in numbers(figure):
            known = [*controller.parameters, *numbers(figure)]
            raise InputError(
                f"No parameter '{name}' in the controller or the figure.{did_you_mean(name, known)} The controller "
                f"has: {', '.join(controller.parameters) or 'none'}."
            )
    return own, slots or None
