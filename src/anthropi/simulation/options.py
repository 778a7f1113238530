"""Options of a simulation, and checks of numbers and arrays. Plain floats only; cannot be recorded on a tape."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.compiler.dlpack import on_gpu
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure.numbers import numbers
from anthropi.figure.states import finite, real_array
from anthropi.simulation.memory import Layout

__all__ = [
    "SimulationOptions", "check_counts", "finite_array", "frame_numbers", "number", "random_streams", "settings_row",
    "split_parameters",
]  # fmt: skip


@dataclass(frozen=True)
class SimulationOptions:
    """Options of `simulate` that are rarely needed.

    Attributes
    ----------
    f_ext : external forces (links, 6), (batch, links, 6), {link: (6,) or (batch, 6)}, or a function
        (figure, t, q, u) → one of these.
    prescribed, udot : names of joints or dofs that follow given accelerations, and these accelerations, in the same
        forms as `forces`.
    tolerance : accuracy of adaptive steps with method="dormand_prince" [rad, m; relative for velocities above 1]. The
        time between frames stays `every` dt; dt is only the length of the first attempted step.
    longest : [s] largest adaptive step, for forces that act for a short time only.
    loops : {loop: function of t → its number or numbers} for loops that are driven in time (a point on a path, a driven
        angle). A figure with loops must be closed at the start (`ap.loops.close_loops`). Every step ends with a
        projection that keeps it closed.
    loop_forces : whether the motion has channels "<loop>.force" (…, frames, 6): the moment about the origin of the
        loop's frame b and the force on link b, in world axes.
    seed : seed of the controller's random numbers.
    conserve : whether the momentum of a free figure is conserved to rounding error.
    root : "stance foot", or names of links. The link of these with the largest load is the root of the computation. The
        motion is still in the coordinates of the figure.
    stop : function (figure, t, q, u) → mask. A rollout stops when it is true, and an event `Stopped` gives the time. A
        single rollout ends there. In a batch, later frames repeat the last state of the rollout.
    start : [s] time of the first frame.
    target, precision, opt, threads : as in `build` and kernels.
    strict : whether a state that is not finite or has diverged (simulation/divergence.py) raises an error; if not, the
        frames of that rollout are NaN and `events` lists it.
    progress : function (steps done, all steps), called after every part of the simulation.
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
    """Convert a value to a finite float; raise InputError if it is not finite, or not positive if `positive`."""
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        found = np.nan
    if not np.isfinite(found) or (positive and found <= 0.0):
        raise InputError(f"{name}={value!r} is not valid. Give a {'positive, ' if positive else ''}finite number.")
    return found


def finite_array(name: str, value: Any, shape: Any, figure: Any = None, kind: str = "") -> np.ndarray:
    """Convert a value to an array of finite floats of this shape, with or without a batch axis; else raise an error.

    figure, kind : as in `finite`.
    """
    try:
        array = np.asarray(real_array(value, name), float)
    except InputError:
        raise
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"'{name}' is of type {type(value).__name__}. Give an array of numbers.") from None
    if shape is not None and (array.shape[array.ndim - len(shape) :] != shape or array.ndim > len(shape) + 1):
        raise ShapeError(f"'{name}' has shape {array.shape}. Give {shape} or {('batch', *shape)}.")
    finite(name, array, figure, kind)
    return array


def random_streams(seed: Any, first: int, batch: int, precision: str) -> Any:
    """Compute the keys (batch,) of the random numbers of rollouts, which are numbered from `first`.

    seed : one seed, to which the number of a rollout is added, or one for each rollout (batch,). An array on a GPU
        contains the keys themselves.
    """
    if on_gpu(seed):
        return seed
    largest = np.uint64(1 << (24 if precision == "float32" else 32))  # integers that the precision represents exactly
    if np.ndim(seed):
        return ((np.asarray(seed).astype(np.uint64) * np.uint64(2654435761)) % largest).astype(float)
    rollouts = np.uint64(first) + np.arange(batch).astype(np.uint64)
    return ((np.uint64(seed) * np.uint64(2654435761) + rollouts) % largest).astype(float)


def settings_row(layout: Layout, controller: Any, settings: dict[Any, Any]) -> np.ndarray:
    """Return the parameters of a controller as one row (n,), or one row per rollout (batch, n).

    Parameters that are not in `settings` keep the values of the controller.
    """
    parts, lead = [], ()
    for name, shape in zip(layout.names, layout.shapes, strict=True):
        array = np.asarray(settings.get(name, controller.parameters[name]))
        if array.dtype.kind not in "fiu" or not np.isfinite(array).all():
            raise InputError(f"Parameter '{name}' of the controller is not a finite number. Give finite numbers.")
        array = array.astype(float)
        if array.shape[array.ndim - len(shape) :] != shape or array.ndim > len(shape) + 1:
            raise ShapeError(f"Parameter '{name}' has shape {array.shape}. Give {shape} or {('batch', *shape)}.")
        own = array.shape[: array.ndim - len(shape)]
        if own and lead and own != lead:
            raise ShapeError(f"Parameter '{name}' has {own[0]} rollouts, but other parameters have {lead[0]}.")
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


MAX_STEPS = 2**53  # that float64 can count exactly


def frame_numbers(count: int) -> np.ndarray:
    """Return 0, 1, … for all frames; raise InputError if they do not fit into memory."""
    try:
        return np.arange(count)
    except (MemoryError, ValueError):
        raise InputError(
            f"{count} frames do not fit into memory. Record fewer with a larger `every`, or make fewer steps."
        ) from None


def _whole_number(name: str, value: Any) -> None:
    """Raise InputError if a number of steps is not a whole number from 1 to MAX_STEPS."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 1:
        raise InputError(f"{name}={value!r} is not valid. Give an integer number of steps, at least 1.")
    if value > MAX_STEPS:
        raise InputError(f"{name}={value} is not valid. Give at most {MAX_STEPS}, which float64 can count exactly.")


def check_counts(steps: Any, every: Any, options: SimulationOptions) -> None:
    """Raise InputError if the number of steps, the seed or a callback is invalid."""
    for name, value in (("steps", steps), ("every", every)):
        _whole_number(name, value)
    if steps % every:
        raise InputError(
            f"steps={steps} is not a multiple of every={every}, so the last steps would not reach a frame. "
            f"Use steps={steps // every * every} or {(steps // every + 1) * every}."
        )
    if options.precision == "float32" and steps >= 1 << 24:
        raise InputError(f"float32 can count {(1 << 24) - 1} steps, not {steps}. Use float64, or several simulations.")
    if not isinstance(options.seed, (int, np.integer)) or not 0 <= options.seed < 1 << 32:
        raise InputError(f"seed={options.seed!r} is not valid. Give an integer from 0 to 2^32 - 1.")
    if not (options.stop is None or callable(options.stop)):
        raise InputError(f"stop={options.stop!r} is not valid. Give a function (figure, t, q, u) → mask, or None.")
    if not (options.progress is None or callable(options.progress)):
        raise InputError(f"progress={options.progress!r} is not valid. Give a function (done, total), or None.")
