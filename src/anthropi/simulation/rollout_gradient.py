"""Gradient of a loss over a whole rollout, with respect to its start, its inputs and its parameters.

    L = loss(x_n) + Σ running(x_k, τ_k),   x_{k+1} = step(x_k, τ_k, p),   k = 0 … n - 1                (1)
    λ_n = ∂loss/∂x_n,   λ_k = (∂x_{k+1}/∂x_k)ᵀ λ_{k+1} + ∂running/∂x_k                                (2)
    ∂L/∂x_0 = λ_0,   ∂L/∂τ_k = (∂x_{k+1}/∂τ_k)ᵀ λ_{k+1} + ∂running/∂τ_k,   ∂L/∂p = Σ (∂x_{k+1}/∂p)ᵀ λ_{k+1}    (3)

x contains q, u and the memory of contacts, limits and controllers. (2) needs the states in reverse order. About √n of
them are kept on the way forward. The others are computed again, one stretch after another, so that memory grows with √n
and each step is made twice.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from anthropi.entry.differentiable import Differentiable, differentiable
from anthropi.errors import InputError, ShapeError, StepError
from anthropi.simulation.options import finite_array
from anthropi.simulation.simulation import Simulation
from anthropi.simulation.step_function import step_function

__all__ = ["RolloutGradient", "rollout_gradient"]


class RolloutGradient(NamedTuple):
    """A loss and its gradient; with a batch axis first if the simulation has several rollouts.

    Attributes
    ----------
    loss : the number (1).
    q, u : gradient with respect to the state at the start, in its stored coordinates (nq,) and (nu,).
    tau, command : gradient with respect to the inputs, of the shape that they were given in; None if there are none.
    parameters : {name: gradient}.
    final : {"q", "u", "t"} at the end.
    """

    loss: Any
    q: np.ndarray
    u: np.ndarray
    tau: np.ndarray | None
    command: np.ndarray | None
    parameters: dict[str, Any]
    final: dict[str, Any]


def rollout_gradient(
    sim: Simulation,
    loss: Callable[..., Any] | None,
    steps: int,
    *,
    running: Callable[..., Any] | None = None,
    tau: Any = None,
    command: Any = None,
    parameters: Any = (),
    checkpoints: int | None = None,
    opt: int | str = "now",
) -> RolloutGradient:
    """Simulate a number of steps, and compute a loss with its gradient, by (1) to (3).

    Parameters
    ----------
    sim : the simulation. The rollout starts at its present state, which does not change.
    loss : function of the state at the end → a number, or None. running : function of the state and the inputs at the
        start of each step → a number that is added, or None. Their parameters are among q, u, t, and for `running` tau
        and command; they can be recorded (docs/tape.md).
    steps : number of steps.
    tau, command : inputs: constant (n,), one row per step (steps, n), or (batch, steps, n).
    parameters : names of parameters of the controller ("kp"), numbers of the figure ("shin.mass") and of the scene
        ("friction"), or {name: values}. Masses, lengths, friction and gains are such numbers.
    checkpoints : number of states to keep; √steps by default. opt : as in `build`.

    Examples
    --------
    >>> sim.reset(q, u)  # doctest: +SKIP
    >>> found = ap.rollout_gradient(
    ...     sim, lambda q: (q[0] - 1.0) ** 2, 200, tau=tau, parameters=["shin.mass"]
    ... )  # doctest: +SKIP
    >>> found.loss, found.tau, found.parameters["shin.mass"]  # doctest: +SKIP
    """
    if not isinstance(steps, (int, np.integer)) or steps < 1:
        raise InputError(f"steps={steps!r} is not valid. Give an integer, at least 1.")
    if loss is None and running is None:
        raise InputError("Give a loss, a running loss, or both.")
    given = {"tau": tau, "command": command}
    rows = {name: _rows(sim, name, x, int(steps)) for name, x in given.items() if x is not None}
    sizes = {name: x.shape[-1] for name, x in rows.items()}
    values = parameters if isinstance(parameters, Mapping) else {}
    names = (parameters,) if isinstance(parameters, str) else tuple(parameters)
    step = step_function(sim, sizes, names, opt=opt)
    fixed = {n: finite_array(n, values.get(n, step.defaults[n]), np.shape(step.defaults[n])) for n in names}
    shapes = {s.name: s.shape for s in step.inputs}
    state_shapes = {name: shapes[name] for name in ("q", "u", "t")}
    end = None if loss is None else _cost("loss", loss, state_shapes, opt)
    along = None if running is None else _cost("running", running, state_shapes | {n: shapes[n] for n in sizes}, opt)
    return _Rollout(step, end, along, rows, fixed).gradient(_start(sim), int(steps), checkpoints)


def _start(sim: Simulation) -> dict[str, np.ndarray]:
    """Return the present state as inputs of the step, without batch axis for one rollout."""
    now = sim.kernel_state()
    found: dict[str, Any] = {name: now[name] for name in ("q", "u", "memory") if name in now}
    found["t"] = now["start"] + now["count"] * sim.dt
    return {name: x[0] if sim.batch == 1 else x for name, x in found.items()}


def _rows(sim: Simulation, name: str, value: Any, steps: int) -> np.ndarray:
    """Return an input as an array (n,), (steps, n) or (batch, steps, n)."""
    array = finite_array(name, value, None)
    size = sim.figure.nu if name == "tau" else array.shape[-1] if array.ndim else 0
    lead = array.shape[:-1]
    if array.ndim == 0 or array.shape[-1] != size or lead not in ((), (steps,), (sim.batch, steps)):
        raise ShapeError(
            f"'{name}' has shape {array.shape}. Give ({size},), ({steps}, {size}) or ({sim.batch}, {steps}, {size})."
        )
    return array


def _cost(name: str, function: Callable[..., Any], shapes: dict[str, Any], opt: int | str) -> Differentiable:
    """Return a loss as a differentiable function of those of the inputs that it takes."""
    wanted = list(inspect.signature(function).parameters)
    wrong = [n for n in wanted if n not in shapes]
    if wrong or not wanted:
        raise InputError(
            f"'{name}' takes {', '.join(wanted) or 'nothing'}. Its parameters must be among {', '.join(shapes)}."
        )
    found = differentiable(function, inputs={n: shapes[n] for n in wanted}, opt=opt)
    if [s.shape for s in found.outputs] != [()]:
        raise InputError(f"'{name}' must return one number, not arrays of shapes {[s.shape for s in found.outputs]}.")
    return found


class _Rollout:
    """A rollout: its step, its losses, the rows of its inputs {name: array}, and its parameters {name: numbers}."""

    def __init__(
        self,
        step: Differentiable,
        loss: Differentiable | None,
        running: Differentiable | None,
        rows: dict[str, np.ndarray],
        parameters: dict[str, np.ndarray],
    ) -> None:
        self.step, self.loss, self.running, self.rows, self.parameters = step, loss, running, rows, parameters
        moving = ("q", "u", "memory", *rows, *parameters)
        self.wrt = tuple(s.name for s in step.inputs if s.name in moving)
        self.pulled = step.gradient(self.wrt)

    def inputs(self, k: int) -> dict[str, np.ndarray]:
        """Return the inputs of step k."""
        return {name: x if x.ndim == 1 else x[..., k, :] for name, x in self.rows.items()}

    def after(self, state: dict[str, Any], k: int) -> dict[str, Any]:
        """Make step k."""
        found = self.step.kernel(*self.step.ordered((), state | self.inputs(k) | self.parameters))
        return dict(found)

    def gradient(self, start: dict[str, Any], steps: int, checkpoints: int | None) -> RolloutGradient:
        """Compute (1) to (3)."""
        stretch = math.ceil(steps / max(1, checkpoints or math.isqrt(steps)))
        kept, state, total = list[dict[str, Any]](), start, np.zeros(np.shape(start["t"]))
        for k in range(steps):
            if k % stretch == 0:
                kept.append(state)
            total = total + _value(self.running, state | self.inputs(k))
            state = self.after(state, k)
        if not all(np.isfinite(x).all() for x in state.values()):
            raise StepError("The state at the end of the rollout is not finite. Use a shorter dt or fewer steps.")
        total, final = total + _value(self.loss, state), state
        weights = {name: np.zeros(np.shape(x)) for name, x in state.items()}
        _add(weights, _slope(self.loss, state))
        sums: dict[str, Any] = dict.fromkeys(self.parameters, 0.0)
        sums |= {name: [0.0] * steps for name in self.rows}
        for first in range(stretch * (len(kept) - 1), -1, -stretch):
            states, last = [kept.pop()], min(first + stretch, steps)
            for k in range(first, last - 1):
                states.append(self.after(states[-1], k))
            for k in range(last - 1, first - 1, -1):
                found = self.slopes(states.pop(), k, weights)
                weights = {name: found.get(name, weights[name]) for name in weights}
                for name in self.parameters:
                    sums[name] = sums[name] + found[name]
                for name in self.rows:
                    sums[name][k] = found[name]
        rows = {n: sum(sums[n]) if x.ndim == 1 else np.stack(sums[n], -2) for n, x in self.rows.items()}
        own = {name: sums[name] for name in self.parameters}
        final = {name: final[name] for name in ("q", "u", "t")}
        return RolloutGradient(total, weights["q"], weights["u"], rows.get("tau"), rows.get("command"), own, final)

    def slopes(self, state: dict[str, Any], k: int, weights: dict[str, Any]) -> dict[str, Any]:
        """Return (2) and the terms of (3) for step k: {name: gradient} of the state, the inputs and the parameters."""
        own = [weights[s.name] for s in self.step.outputs]
        given = self.step.ordered((), state | self.inputs(k) | self.parameters)
        found = dict(zip(self.wrt, self.pulled.kernel(*given, *own), strict=True))
        _add(found, _slope(self.running, state | self.inputs(k)))
        return found


def _value(cost: Differentiable | None, given: dict[str, Any]) -> Any:
    """Return a loss; 0 if there is none."""
    return 0.0 if cost is None else cost.kernel(*(given[s.name] for s in cost.inputs))


def _slope(cost: Differentiable | None, given: dict[str, Any]) -> dict[str, Any]:
    """Return {name: gradient} of a loss."""
    if cost is None:
        return {}
    names = [s.name for s in cost.inputs]
    one = np.ones(
        np.broadcast_shapes(*(np.shape(given[s.name])[: np.ndim(given[s.name]) - len(s.shape)] for s in cost.inputs))
    )
    return dict(zip(names, cost.gradient(names).kernel(*(given[n] for n in names), one), strict=True))


def _add(total: dict[str, Any], more: dict[str, Any]) -> None:
    """Add gradients, name by name."""
    for name, x in more.items():
        if name in total:
            total[name] = total[name] + x
