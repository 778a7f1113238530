"""A front: an algorithm for people. It takes one state or a batch, checks it, compiles on first use and remembers."""

import functools

import numpy as np

from anthropi.algorithms.shapes import size_of
from anthropi.api.kernels import check_options, compile, needed, text
from anthropi.api.singular import refuse_singular
from anthropi.errors import InputError, ShapeError
from anthropi.figure import Figure
from anthropi.figure.states import finite, unit_quaternions
from anthropi.tape.functions import recorded

__all__ = ["by_link", "front"]

_KEPT = 256  # kernels; those made first go first
_kernels: dict[tuple, object] = {}


def _kernel(algorithm, figure, names, options):
    place = (algorithm, figure.key, names, text(options))
    if place not in _kernels:
        if len(_kernels) >= _KEPT:
            _kernels.pop(next(iter(_kernels)))
        _kernels[place] = compile(algorithm, figure, names, opt="now", **options)
    return _kernels[place]


def _listed(value):
    """Sets, generators and the like as tuples, in a fixed order."""
    if isinstance(value, (set, frozenset)):
        return tuple(sorted(value))
    plain = isinstance(value, (str, bytes, dict, np.ndarray, list, tuple)) or not hasattr(value, "__iter__")
    return value if plain else tuple(value)


def front(algorithm, wrap=None, may_be_nan=(), solves=False):
    """A front for an algorithm; `wrap(figure, result)` dresses what it returns.

    may_be_nan : inputs of which not all entries are read. solves : whether the algorithm divides by inertias.
    """
    shapes = algorithm.shapes
    wanted = needed(algorithm)

    @functools.wraps(algorithm)
    def call(figure, *arrays, **named):
        if not isinstance(figure, Figure):
            raise InputError(f"{algorithm.__name__} takes a figure first, then {', '.join(shapes)}; got "
                             f"{type(figure).__name__}.")  # fmt: skip
        options = {name: _listed(value) for name, value in named.items() if name not in shapes}
        check_options(algorithm, options)
        if len(arrays) > len(shapes):
            raise InputError(f"{algorithm.__name__} takes {len(shapes)} array{'s' * (len(shapes) > 1)} "
                             f"({', '.join(shapes)}); got {len(arrays)}.")  # fmt: skip
        given = dict(zip(shapes, arrays, strict=False)) | {n: a for n, a in named.items() if n in shapes}
        given = {name: array for name, array in given.items() if array is not None}
        missing = [n for n in wanted if n not in given]
        if missing:
            raise InputError(f"{algorithm.__name__} needs {', '.join(missing)}. It takes: {', '.join(shapes)}.")
        twice = [n for n in named if n in list(shapes)[: len(arrays)]]
        if twice:
            raise InputError(f"{algorithm.__name__} got {twice[0]} twice, by place and by name.")
        if "f_ext" in given:
            given["f_ext"] = by_link(figure, given["f_ext"])
        if any(_recording(a) for a in given.values()):  # inside someone's recording: the plain function
            given = {name: a if isinstance(a, dict) else np.asarray(a) for name, a in given.items()}
            for name, array in given.items():
                _sized(figure, name, shapes[name], array)
            result = algorithm(figure, **given, **options)
            return wrap(figure, result) if wrap else result
        if "udot" in given and "u" in shapes and "u" not in given:
            raise InputError(f"{algorithm.__name__} got udot without u. Give both; u = 0 for a figure at rest.")
        for name, array in given.items():
            _finite(figure, name, shapes[name], array, _unread(figure, name, options) if name in may_be_nan else ())
        if "q" in given and np.shape(given["q"])[-1:] == (figure.nq,):
            unit_quaternions(figure, given["q"])
        names = tuple(n for n in shapes if n in given)
        result = _kernel(algorithm, figure, names, options)(*(given[n] for n in names))
        if solves:
            refuse_singular(algorithm.__name__, figure, given, options, result)
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
        raise ShapeError(
            f"Input '{name}' has shape {np.shape(array)}; wanted {wanted}. While recording give one state."
        )


def by_link(figure, f_ext):
    """External forces (…, links, 6) from {link name: (…, 6)}; an array is left as it is."""
    if not isinstance(f_ext, dict):
        return f_ext
    rows = {figure.link_index(name): np.asarray(force) for name, force in f_ext.items()}
    for name, force in f_ext.items():
        if np.shape(force)[-1:] != (6,):
            raise ShapeError(
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
    """Refuse numbers that are not finite where they are read, naming the first by joint or link."""
    array = np.asarray(array)
    size = size_of(shape, figure)
    if array.dtype.kind not in "fiub" or array.shape[-len(size) :] != size:
        return  # what is no number, or of the wrong size, the kernel refuses
    bad = ~np.isfinite(array)
    bad[..., list(unread)] = False
    finite(name, array, figure, shape, bad)
