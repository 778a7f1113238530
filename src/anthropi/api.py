"""The fronts: check sizes, find or build the figure's kernel, call it.

A front is an algorithm for people: `ap.kinematics(figure, q, u)` takes one state or a batch, compiles on first use
(quickly, then better in the background) and remembers the kernel. `compile` gives the kernel itself.
"""

import functools
import inspect

import numpy as np

from anthropi.algorithms import centroidal, energy, jacobian_rates, jacobians
from anthropi.algorithms import momentum as _momentum
from anthropi.algorithms.direct_dynamics import direct_dynamics as _direct
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics as _hybrid
from anthropi.algorithms.inverse_dynamics import inverse_dynamics as _inverse
from anthropi.algorithms.kinematics import kinematics as _kinematics
from anthropi.algorithms.mass_matrix import mass_matrix as _mass_matrix
from anthropi.algorithms.shapes import size_of
from anthropi.algorithms.views import KinematicsView
from anthropi.compile import kernel_for
from anthropi.compile.cache import digest
from anthropi.errors import SizeError, did_you_mean
from anthropi.figure import Figure
from anthropi.figure.numbers import content, find_slot, numbers
from anthropi.figure.states import unit_quaternions
from anthropi.tape import record
from anthropi.tape.functions import recorded

__all__ = [
    "centre_of_mass", "centre_of_mass_jacobian", "centroidal_momentum_matrix", "centroidal_momentum_rate",
    "compile", "direct_dynamics", "front", "hessian", "hybrid_dynamics", "inverse_dynamics", "jacobian",
    "jacobian_bias", "jacobian_rate", "kinematics", "kinetic_energy", "mass_matrix", "momentum", "potential_energy",
    "relative_jacobian", "spatial_jacobian",
]  # fmt: skip


def compile(function, figure, inputs=None, parameters=(), target="cpu", precision="float64", opt=2, **options):
    """The kernel of an algorithm for a figure.

    Parameters
    ----------
    function : an algorithm or its front (`ap.kinematics`).
    inputs : which of its arrays to give it, by name; the others take their defaults. By default those it cannot do
        without: ("q", "u", "tau") for direct dynamics, and f_ext when asked for.
    parameters : slots of the figure ("l_thigh.mass") that become one more input `parameters`, in this order.
    target, precision, opt : as in `build`.
    options : the algorithm's own, known when it is compiled (`link="l_foot"`).
    """
    algorithm = getattr(function, "algorithm", function)
    if not hasattr(algorithm, "shapes"):
        name = getattr(function, "__name__", function)
        raise SizeError(f"'{name}' is no algorithm. Give one of anthropi's functions of a figure, or record your own "
                        "with ap.record.")  # fmt: skip
    names = _needed(algorithm) if inputs is None else tuple(inputs)
    for name in names:
        if name not in algorithm.shapes:
            raise SizeError(f"{algorithm.__name__} has no input '{name}'.{did_you_mean(name, algorithm.shapes)} "
                            f"Inputs: {', '.join(algorithm.shapes)}.")  # fmt: skip
    _check_options(algorithm, options)
    parameters = (parameters,) if isinstance(parameters, str) else tuple(parameters)
    size = len(_values(figure, parameters))
    token = digest(
        algorithm.__module__, algorithm.__qualname__, figure.key, *names, "with", *parameters, "for", _text(options)
    )  # fmt: skip

    def trace():
        arrays = {name: np.zeros(size_of(algorithm.shapes[name], figure)) for name in names}
        if not parameters:
            return record(lambda **given: algorithm(figure, **given, **options), **arrays)
        return record(
            lambda parameters, **given: algorithm(figure.with_numbers(slots, parameters), **given, **options),
            parameters=np.zeros(size), **arrays,
        )  # fmt: skip

    slots = parameters
    return kernel_for(token, trace, target, precision, opt)


def _check_options(algorithm, options) -> None:
    """Refuse an option the algorithm does not have, and the lack of one it needs."""
    for name in options:
        if name not in algorithm.options:
            known = (*algorithm.shapes, *algorithm.options)
            raise SizeError(f"{algorithm.__name__} has no input or option '{name}'.{did_you_mean(name, known)} "
                            f"It takes: {', '.join(known)}.")  # fmt: skip
    for name in algorithm.needed:
        if name not in options:
            raise SizeError(f"{algorithm.__name__} needs {name}=…, known when it is compiled.")


def _text(options) -> str:
    """Options as text that is the same for the same values, however they are written: (0, 0, 1), [0.0, 0.0, 1.0] …"""
    return content(tuple((name, _plain(options[name])) for name in sorted(options)))


def _plain(value):
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (tuple, list)):
        return tuple(_plain(x) for x in value)
    return float(value) if isinstance(value, (int, np.number)) and not isinstance(value, bool) else value


def _values(figure, slots) -> list:
    """The numbers a figure has in slots, in order."""
    known, found = numbers(figure), []
    for slot in slots:
        name, entry = find_slot(slot, known)
        found += list(known[name]) if entry is None else [known[name][entry]]
    return found


_kernels: dict[tuple, object] = {}


def _kernel(algorithm, figure, names, options):
    place = (algorithm, figure.key, names, _text(options))
    if place not in _kernels:
        _kernels[place] = compile(algorithm, figure, names, opt="tiers", **options)
    return _kernels[place]


def _listed(value):
    """Sets, generators and the like as tuples, in a fixed order."""
    if isinstance(value, (set, frozenset)):
        return tuple(sorted(value))
    plain = isinstance(value, (str, bytes, dict, np.ndarray, list, tuple)) or not hasattr(value, "__iter__")
    return value if plain else tuple(value)


def _needed(algorithm) -> tuple[str, ...]:
    """The arrays an algorithm cannot do without."""
    parameters = inspect.signature(algorithm).parameters
    return tuple(n for n in algorithm.shapes if parameters[n].default is inspect.Parameter.empty)


def front(algorithm, wrap=None, may_be_nan=()):
    """A front for an algorithm; `wrap(figure, result)` dresses what it returns."""
    shapes = algorithm.shapes
    needed = _needed(algorithm)

    @functools.wraps(algorithm)
    def call(figure, *arrays, **named):
        if not isinstance(figure, Figure):
            raise SizeError(f"{algorithm.__name__} takes a figure first, then {', '.join(shapes)}; got "
                            f"{type(figure).__name__}.")  # fmt: skip
        options = {name: _listed(value) for name, value in named.items() if name not in shapes}
        _check_options(algorithm, options)
        if len(arrays) > len(shapes):
            raise SizeError(f"{algorithm.__name__} takes {len(shapes)} array{'s' * (len(shapes) > 1)} "
                            f"({', '.join(shapes)}); got {len(arrays)}.")  # fmt: skip
        given = dict(zip(shapes, arrays, strict=False)) | {n: a for n, a in named.items() if n in shapes}
        given = {name: array for name, array in given.items() if array is not None}
        missing = [n for n in needed if n not in given]
        if missing:
            raise SizeError(f"{algorithm.__name__} needs {', '.join(missing)}. It takes: {', '.join(shapes)}.")
        twice = [n for n in named if n in list(shapes)[: len(arrays)]]
        if twice:
            raise SizeError(f"{algorithm.__name__} got {twice[0]} twice, by place and by name.")
        if "f_ext" in given:
            given["f_ext"] = by_link(figure, given["f_ext"])
        if any(_recording(a) for a in given.values()):  # inside someone's recording: the plain function
            for name, array in given.items():
                _sized(figure, name, shapes[name], array)
            result = algorithm(figure, **given, **options)
            return wrap(figure, result) if wrap else result
        if "udot" in given and "u" in shapes and "u" not in given:
            raise SizeError(f"{algorithm.__name__} got udot without u. Give both; u = 0 for a figure at rest.")
        for name, array in given.items():
            _finite(figure, name, shapes[name], array, _unread(figure, name, options) if name in may_be_nan else ())
        if "q" in given and np.shape(given["q"])[-1:] == (figure.nq,):
            unit_quaternions(figure, given["q"])
        names = tuple(n for n in shapes if n in given)
        result = _kernel(algorithm, figure, names, options)(*(given[n] for n in names))
        return wrap(figure, result) if wrap else result

    call.algorithm = algorithm  # type: ignore[attr-defined]
    return call


def _recording(array) -> bool:
    """Whether any element is being recorded."""
    flat = np.asarray(array, dtype=object) if isinstance(array, (list, tuple)) else np.asarray(array)
    return flat.dtype == object and any(recorded(x) for x in flat.flat)


def _sized(figure, name: str, shape: str, array) -> None:
    """Refuse an array that is recorded in the wrong size."""
    wanted = size_of(shape, figure)
    if np.shape(array) != wanted:
        raise SizeError(f"Input '{name}' has shape {np.shape(array)}; wanted {wanted}. While recording give one state.")


def by_link(figure, f_ext):
    """External forces (…, links, 6) from {link name: (…, 6)}; an array is left as it is."""
    if not isinstance(f_ext, dict):
        return f_ext
    rows = {figure.link_index(name): np.asarray(force) for name, force in f_ext.items()}
    for name, force in f_ext.items():
        if np.shape(force)[-1:] != (6,):
            raise SizeError(
                f"f_ext['{name}'] has shape {np.shape(force)}; wanted (6,) or (batch, 6): moment, then force."
            )
    lead = np.broadcast_shapes(*(row.shape[:-1] for row in rows.values()))
    none = np.zeros((*lead, 6))
    return np.stack([np.broadcast_to(rows.get(i, none), (*lead, 6)) for i in range(figure.n)], axis=-2)


def _unread(figure, name: str, options) -> tuple[int, ...]:
    """The entries hybrid dynamics does not read: forces of prescribed degrees of freedom, rates of the others."""
    held = figure.dof_indices(options.get("prescribed", ()))
    return held if name == "tau" else tuple(k for k in range(figure.nu) if k not in held)


def _finite(figure, name: str, shape: str, array, unread=()) -> None:
    """Refuse numbers that are not finite where they are read, naming the first by its joint."""
    array = np.asarray(array)
    if array.dtype.kind not in "fiub" or array.shape[-1:] != size_of(shape, figure)[-1:]:
        return  # what is no number, or of the wrong size, the kernel refuses
    bad = ~np.isfinite(array)
    bad[..., list(unread)] = False
    if not bad.any():
        return
    where = np.argwhere(bad)[0]
    what = f" ({figure.dofs[where[-1]]})" if shape == "nu" else ""
    raise SizeError(
        f"'{name}' holds {array[tuple(where)]} at {tuple(int(i) for i in where)}{what}. Give finite numbers."
    )


kinematics = front(_kinematics, KinematicsView)
jacobian = front(jacobians.jacobian)
spatial_jacobian = front(jacobians.spatial_jacobian)
relative_jacobian = front(jacobians.relative_jacobian)
jacobian_rate = front(jacobian_rates.jacobian_rate)
jacobian_bias = front(jacobian_rates.jacobian_bias)
hessian = front(jacobian_rates.hessian)
centre_of_mass = front(_momentum.centre_of_mass)
momentum = front(_momentum.momentum)
centre_of_mass_jacobian = front(centroidal.centre_of_mass_jacobian)
centroidal_momentum_matrix = front(centroidal.centroidal_momentum_matrix)
centroidal_momentum_rate = front(centroidal.centroidal_momentum_rate)
kinetic_energy = front(energy.kinetic_energy)
potential_energy = front(energy.potential_energy)
direct_dynamics = front(_direct)
inverse_dynamics = front(_inverse)
hybrid_dynamics = front(_hybrid, may_be_nan=("tau", "udot"))
mass_matrix = front(_mass_matrix)
