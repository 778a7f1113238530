"""Recorded functions with their derivatives, for the libraries that differentiate programs of arrays (torch, jax).

For y = f(x) with flat inputs x and outputs y, and J = ∂y/∂x,

    tangent:   (x, ẋ) → J ẋ            forward mode                             (1)
    gradient:  (x, w) → Jᵀ w           reverse mode                             (2)

J contains the partial derivatives of the recorded function with respect to its numbers. With respect to q they are
those of the stored coordinates, also of the four numbers of a quaternion, which the function takes as they are.
`ap.derivative` gives derivatives in the tangent space instead, J F(q). A gradient g with respect to q becomes F(q)ᵀ g.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from anthropi.compiler import Kernel, build, kernel_for
from anthropi.compiler.cache import digest
from anthropi.compiler.content import content_key
from anthropi.entry.kernels import Plan
from anthropi.errors import InputError, did_you_mean
from anthropi.figure import Figure
from anthropi.tape import Slot, Tape, pull, push, record
from anthropi.tape.record import rebuild

__all__ = ["Differentiable", "differentiable"]


class Differentiable:
    """A recorded function, its tangent (1) and its gradient (2), each with a kernel that is made on first use.

    Parameters
    ----------
    name : text that contains everything the tape depends on, or None if that is not known.
    trace : function without arguments that records the tape.
    defaults : {name: array} inputs that a call may leave out.
    target, precision, opt : as in `build`.
    """

    def __init__(
        self,
        name: str | None,
        trace: Callable[[], Tape],
        defaults: Mapping[str, np.ndarray] | None = None,
        target: str = "cpu",
        precision: str = "float64",
        opt: int | str = "now",
    ) -> None:
        self.defaults = dict(defaults or {})
        self.origin: Differentiable | None = None  # the function of which this is the tangent or the gradient
        self.wrt: tuple[str, ...] = ()
        self._name, self._trace = name, trace
        self._how = target, precision, opt
        self._derived: dict[tuple[str, tuple[str, ...]], Differentiable] = {}

    @cached_property
    def kernel(self) -> Kernel:
        """The kernel of the function."""
        if self._name is None:
            return build(self.tape, *self._how)
        return kernel_for(self._name, lambda: self.tape, *self._how)

    @cached_property
    def tape(self) -> Tape:
        """The tape of the function."""
        return self._trace()

    @property
    def inputs(self) -> tuple[Slot, ...]:
        """Names and shapes of the inputs."""
        return self.kernel.inputs

    @property
    def outputs(self) -> tuple[Slot, ...]:
        """Names and shapes of the outputs."""
        return self.kernel.outputs

    def tangent(self, wrt: Iterable[str]) -> "Differentiable":
        """Return (1): all inputs, and a direction for each name in wrt → the outputs' tangents."""
        return self._derive("tangent", _tangent, wrt)

    def gradient(self, wrt: Iterable[str]) -> "Differentiable":
        """Return (2): all inputs and a weight for each output → a tuple of gradients, one for each name in wrt."""
        return self._derive("gradient", _gradient, wrt)

    def _derive(self, what: str, sweep: Callable[..., Tape], wrt: Iterable[str]) -> "Differentiable":
        wrt = tuple(wrt)
        if (what, wrt) not in self._derived:
            name = None if self._name is None else digest(what, *wrt, "of", self._name)
            derived = Differentiable(name, lambda: sweep(self.tape, wrt), None, *self._how)
            derived.origin, derived.wrt = self, wrt
            self._derived[what, wrt] = derived
        return self._derived[what, wrt]

    def ordered(self, arrays: tuple[Any, ...], named: Mapping[str, Any]) -> list[Any]:
        """Return the inputs in order, given by position or by name; a default for an input that is left out."""
        names = [s.name for s in self.inputs]
        if len(arrays) > len(names):
            raise InputError(f"This function takes {len(names)} arrays ({', '.join(names)}); got {len(arrays)}.")
        given = dict(zip(names, arrays, strict=False))
        for name, array in named.items():
            if name not in names:
                raise InputError(f"No input '{name}'.{did_you_mean(name, names)} Inputs: {', '.join(names)}.")
            if name in given:
                raise InputError(f"Input '{name}' is given twice, by position and by name. Give it once.")
            given[name] = array
        missing = [n for n in names if n not in given and n not in self.defaults]
        if missing:
            raise InputError(f"Missing input: {', '.join(missing)}. This function takes: {', '.join(names)}.")
        return [given[n] if n in given else self.defaults[n] for n in names]


def differentiable(
    function: Any,
    figure: Figure | None = None,
    inputs: Any = None,
    parameters: Any = (),
    target: str = "cpu",
    precision: str = "float64",
    opt: int | str = "now",
    **options: Any,
) -> Differentiable:
    """Return an algorithm, a function of your own, or a tape, with its derivatives.

    Parameters
    ----------
    function : an algorithm or its entry point (`ap.direct_dynamics`); a function that can be recorded, called with the
        figure first if there is one; or a `Tape`.
    figure : the figure; None for a function without a figure, and for a tape.
    inputs : as in `ap.compile` for an algorithm; {name: shape or example array} for a function of your own.
    parameters : slots of the figure ("l_thigh.mass") that become the first input, `parameters`, of an algorithm.
    target, precision, opt : as in `build`. options : options of the algorithm, or arguments of the function.
    """
    how: dict[str, Any] = {"target": target, "precision": precision, "opt": opt}
    if isinstance(function, Tape):
        return Differentiable(None, lambda: function, **how)
    if hasattr(getattr(function, "algorithm", function), "shapes"):
        if figure is None:
            raise InputError(f"{function.__name__} is an algorithm of a figure. Give the figure.")
        plan = Plan(function, figure, inputs, parameters, options)
        return Differentiable(plan.name("value"), lambda: record(plan.call, **plan.arrays()), **how)
    if not callable(function):
        raise InputError(
            f"An object of type {type(function).__name__} cannot be differentiated. Give an algorithm such as "
            "ap.direct_dynamics, a function of your own, a tape, or a Simulation."
        )
    if not isinstance(inputs, Mapping) or not inputs:
        raise InputError('Give the shapes of the inputs of a function of your own: inputs={"x": (3,), "gain": ()}.')
    if parameters:
        raise InputError("'parameters' are for algorithms. Make them inputs of your function: figure.with_numbers.")
    arrays = {name: _zeros(shape) for name, shape in inputs.items()}
    first = () if figure is None else (figure,)
    key = content_key((function, first, {n: a.shape for n, a in arrays.items()}, options))

    def trace() -> Tape:
        return record(lambda **given: function(*first, **given, **options), **arrays)

    return Differentiable(None if key is None else digest("function", key), trace, **how)


def _zeros(shape: Any) -> np.ndarray:
    """Return zeros of a shape; of the shape of an array, if one is given."""
    if isinstance(shape, (int, np.integer)):
        return np.zeros((int(shape),))
    return np.zeros(tuple(shape) if isinstance(shape, (tuple, list)) else np.shape(shape))


def _flat(slots: Iterable[Slot], given: Mapping[str, Any]) -> list[Any]:
    """Return the values of these slots, one after the other."""
    return [x for s in slots for x in np.ravel(np.asarray(given[s.name], dtype=object))]


def _shaped(values: list[Any], slots: Iterable[Slot]) -> list[np.ndarray]:
    """Cut a flat list into one array for each slot."""
    flat = np.empty(len(values), dtype=object)
    flat[:] = values
    return [flat[s.start : s.start + s.size].reshape(s.shape) for s in slots]


def _added_names(tape: Tape, first: str, slots: Iterable[Slot]) -> dict[str, str]:
    """Return a new input name for each slot: "d_q" for "q"; "d_d_q" if there is such an input already."""
    taken, found = {s.name for s in tape.inputs}, {}
    for slot in slots:
        new = first + slot.name
        while new in taken:
            new = first + new
        found[slot.name] = new
        taken.add(new)
    return found


def _tangent(tape: Tape, wrt: tuple[str, ...]) -> Tape:
    """Record (1)."""
    moving = [s for s in tape.inputs if s.name in wrt]
    names = _added_names(tape, "d_", moving)

    def tangent(**given: Any) -> Any:
        values = _flat(tape.inputs, given)
        along: list[tuple[Any]] = [(0.0,)] * len(values)
        for slot in moving:
            own = np.ravel(np.asarray(given[names[slot.name]], dtype=object))
            along[slot.start : slot.start + slot.size] = [(x,) for x in own]
        _, slopes = push(tape, values, along)
        return rebuild(tape.structure, _shaped([t[0] for t in slopes], tape.outputs))

    directions = {names[s.name]: np.zeros(s.shape) for s in moving}
    return record(tangent, **{s.name: np.zeros(s.shape) for s in tape.inputs}, **directions)


def _gradient(tape: Tape, wrt: tuple[str, ...]) -> Tape:
    """Record (2)."""
    names = _added_names(tape, "w_", tape.outputs)

    def gradient(**given: Any) -> Any:
        weights = [x for s in tape.outputs for x in np.ravel(np.asarray(given[names[s.name]], dtype=object))]
        _, found = pull(tape, _flat(tape.inputs, given), weights)
        by_name = dict(zip((s.name for s in tape.inputs), _shaped(found, tape.inputs), strict=True))
        return tuple(by_name[name] for name in wrt)

    weights = {names[s.name]: np.zeros(s.shape) for s in tape.outputs}
    return record(gradient, **{s.name: np.zeros(s.shape) for s in tape.inputs}, **weights)
