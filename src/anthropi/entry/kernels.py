"""Compile algorithms and their derivatives into kernels for a figure."""

import inspect
from typing import Any

import numpy as np

from anthropi.algorithms.derivatives import BY_HAND, curve, forward_derivatives
from anthropi.algorithms.shapes import size_of
from anthropi.compiler import kernel_for
from anthropi.compiler.cache import digest
from anthropi.errors import InputError, did_you_mean
from anthropi.figure import Figure
from anthropi.figure.numbers import content, find_slot, numbers
from anthropi.tape import record

__all__ = ["Plan", "check_options", "compile", "derivative", "directional", "needed", "text"]


def compile(
    function: Any,
    figure: Figure,
    inputs: Any = None,
    parameters: Any = (),
    target: str = "cpu",
    precision: str = "float64",
    opt: int | str = 2,
    **options: Any,
) -> Any:
    """Compile an algorithm for a figure into a kernel.

    Parameters
    ----------
    function : an algorithm or its entry point (`ap.kinematics`).
    inputs : names of the arrays that the kernel takes. By default these are the arrays without a default value, such as
        ("q", "u", "tau") for direct dynamics, and f_ext if links are named for it.
    parameters : slots of the figure ("l_thigh.mass", see `figure.slots()`) that become the first input, `parameters`,
        in this order.
    target, precision, opt : as in `build`.
    options : options of the algorithm, fixed in the kernel (`link="l_foot"`). f_ext=("l_foot", …) names the links on
        which external forces act. The input `f_ext` then has one row for each of them.

    Returns
    -------
    A `Kernel` that takes the inputs in this order. Unlike an entry point, it does not check for NaN or singular joints.

    Raises
    ------
    InputError : the function is not an algorithm, or an input, option or slot is unknown.
    """
    plan = Plan(function, figure, inputs, parameters, options)
    return kernel_for(plan.name("value"), lambda: record(plan.call, **plan.arrays()), target, precision, opt)


def derivative(
    function: Any,
    figure: Figure,
    wrt: Any = None,
    inputs: Any = None,
    parameters: Any = (),
    target: str = "cpu",
    precision: str = "float64",
    opt: int | str = "now",
    **options: Any,
) -> Any:
    """Compile the exact derivatives of an algorithm with respect to its inputs, in the tangent space.

    Parameters
    ----------
    wrt : names of the inputs to differentiate with respect to, such as "q" or "parameters"; by default every input.
        Derivatives with respect to q are in the tangent space and have nu columns: dq = F(q) θ.
    opt : as in `build`. By default the first results are interpreted, within a second; compiled code replaces the
        interpreter as soon as it is ready, with the same bits. `kernel.settle()` waits for it.
    All other parameters are as in `compile`.

    Returns
    -------
    A kernel with the same inputs that returns {name: ∂f/∂name}. A derivative has the shape of the algorithm's result
    with one more axis at the end. If the algorithm returns several arrays, each name has one derivative per array.
    """
    plan = Plan(function, figure, inputs, parameters, options)
    wrt = plan.moving(wrt)
    closed, fields = BY_HAND.get(plan.algorithm, (None, ()))
    by_hand = tuple(n for n in wrt if n in fields and set(plan.names) <= set(closed.shapes)) if closed else ()

    def value(**given: Any) -> Any:
        found = {}
        if by_hand:
            slopes = plan.call(**given, algorithm=closed)
            found = {name: getattr(slopes, name) for name in by_hand}
        swept = tuple(n for n in wrt if n not in by_hand)
        found |= forward_derivatives(plan.call, figure, swept, given) if swept else {}
        return {name: found[name] for name in wrt}

    name = plan.name("derivative", *wrt)
    return kernel_for(name, lambda: record(value, **plan.arrays()), target, precision, opt)


def directional(
    function: Any,
    figure: Figure,
    wrt: Any = None,
    order: int = 2,
    inputs: Any = None,
    parameters: Any = (),
    target: str = "cpu",
    precision: str = "float64",
    opt: int | str = "now",
    **options: Any,
) -> Any:
    """Compile an algorithm together with its derivatives along one direction: f, f', … up to `order`.

    The direction is given as further inputs `d_<name>` for each name in wrt (all inputs by default); d_q (nu,) is in
    the tangent space. The derivatives are those of f(q ⊞ s d_q, u + s d_u, …) at s = 0. opt : as in `derivative`.
    """
    plan = Plan(function, figure, inputs, parameters, options)
    wrt = plan.moving(wrt)
    if not isinstance(order, int) or order < 1:
        raise InputError(f"order={order!r} is not valid. Use 1 for the first derivative, 2 for the first and second, …")
    arrays = plan.arrays()
    sizes = {f"d_{n}": np.zeros(figure.nu) if n == "q" else np.zeros(arrays[n].shape) for n in wrt}

    def value(**given: Any) -> Any:
        along = {n: given[f"d_{n}"] for n in wrt}
        return curve(plan.call, figure, wrt, {n: given[n] for n in arrays}, along, order)

    name = plan.name("directional", str(order), *wrt)
    return kernel_for(name, lambda: record(value, **arrays, **sizes), target, precision, opt)


class Plan:
    """An algorithm to be recorded for a figure, with its inputs, parameters and options."""

    def __init__(self, function: Any, figure: Figure, inputs: Any, parameters: Any, options: Any) -> None:
        self.algorithm = getattr(function, "algorithm", function)
        if not hasattr(self.algorithm, "shapes"):
            name = getattr(function, "__name__", function)
            raise InputError(
                f"'{name}' is not an algorithm. Use one of AnthroPI's functions of a figure, or record your "
                "own function with ap.record."
            )
        shapes = self.algorithm.shapes
        options = dict(options)
        loaded = options.pop("f_ext", ()) if "f_ext" in shapes else ()
        self.loaded = (loaded,) if isinstance(loaded, str) else tuple(loaded)  # links with external forces
        self._rows = [figure.link_index(link) for link in self.loaded]
        inputs = (inputs,) if isinstance(inputs, str) else inputs
        self.names = needed(self.algorithm) if inputs is None else tuple(inputs)
        if self.loaded and "f_ext" not in self.names:
            self.names = (*self.names, "f_ext")
        missing = [name for name in needed(self.algorithm) if name not in self.names]
        if missing:
            raise InputError(f"{self.algorithm.__name__} also needs {', '.join(missing)} among its inputs.")
        for name in self.names:
            if name not in shapes:
                raise InputError(
                    f"{self.algorithm.__name__} has no input '{name}'.{did_you_mean(name, shapes)} "
                    f"Inputs: {', '.join(shapes)}."
                )
        check_options(self.algorithm, options)
        self.figure, self.options = figure, options
        self.slots = (parameters,) if isinstance(parameters, str) else tuple(parameters)
        self._size = len(_values(figure, self.slots))

    def name(self, *words: str) -> str:
        """Return the name of a kernel in the cache: a digest of everything that determines its tape."""
        of = (self.algorithm.__module__, self.algorithm.__qualname__, self.figure.key)
        return digest(*words, "of", *of, *self.names, *self.loaded, "with", *self.slots, "for", text(self.options))

    def arrays(self) -> dict[Any, Any]:
        """Return the inputs as zero arrays of their shapes."""
        shapes = {name: size_of(self.algorithm.shapes[name], self.figure) for name in self.names}
        if self.loaded:
            shapes["f_ext"] = (len(self.loaded), 6)
        first = {"parameters": np.zeros(self._size)} if self.slots else {}
        return first | {n: np.zeros(s) for n, s in shapes.items()}

    def call(self, parameters: Any = None, algorithm: Any = None, **given: Any) -> Any:
        """Call the algorithm, or another one with the same arguments, on the inputs."""
        figure = self.figure if parameters is None else self.figure.with_numbers(self.slots, parameters)
        if self.loaded:
            given["f_ext"] = dict(zip(self._rows, given["f_ext"], strict=True))
        return (algorithm or self.algorithm)(figure, **given, **self.options)

    def moving(self, wrt: Any) -> tuple[str, ...]:
        """Return the names of the inputs to differentiate with respect to."""
        known = list(self.arrays())
        chosen = tuple(known) if wrt is None else (wrt,) if isinstance(wrt, str) else tuple(wrt)
        for name in chosen:
            if name not in known:
                hint = ' Name the slots: parameters=("l_thigh.mass",).' if name == "parameters" else ""
                raise InputError(
                    f"{self.algorithm.__name__} is compiled without an input '{name}'."
                    f"{did_you_mean(name, known)} Inputs: {', '.join(known)}.{hint}"
                )
        return chosen


def check_options(algorithm: Any, options: Any) -> None:
    """Raise an error if an option is unknown or a required option is missing."""
    for name in options:
        if name not in algorithm.options:
            known = (*algorithm.shapes, *algorithm.options)
            raise InputError(
                f"{algorithm.__name__} has no input or option '{name}'.{did_you_mean(name, known)} "
                f"It takes: {', '.join(known)}."
            )
    for name in algorithm.needed:
        if name not in options:
            raise InputError(f"{algorithm.__name__} needs the option {name}=… Give it by name.")


def text(options: Any) -> str:
    """Return options as text. Equal values give equal text, for example (0, 0, 1) and [0.0, 0.0, 1.0]."""
    return content(tuple((name, _plain(options[name])) for name in sorted(options)))


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (tuple, list)):
        return tuple(_plain(x) for x in value)
    return float(value) if isinstance(value, (int, np.number)) and not isinstance(value, bool) else value


def _values(figure: Figure, slots: Any) -> list[Any]:
    """Return the numbers that these slots of a figure contain, in order."""
    known, found = numbers(figure), []
    for slot in slots:
        name, entry = find_slot(slot, known)
        found += list(known[name]) if entry is None else [known[name][entry]]
    return found


def needed(algorithm: Any) -> tuple[str, ...]:
    """Return the names of an algorithm's array arguments that have no default value."""
    parameters = inspect.signature(algorithm).parameters
    return tuple(n for n in algorithm.shapes if parameters[n].default is inspect.Parameter.empty)
