"""Entry points: algorithms with checked input, for one state or a batch, compiled on first use.

`entry_point` turns an algorithm, a pure function of one state, into a function for users. A call checks sizes and
values, finds or compiles the kernel for the figure, runs it, and raises an error if a singular joint made the result
invalid. While a tape is being recorded, the algorithm is called directly.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload

import numpy as np

from anthropi.algorithms.shapes import size_of
from anthropi.algorithms.singularity import singular_joint
from anthropi.compiler.dlpack import on_gpu
from anthropi.compiler.foreign import hint, library_of, returned
from anthropi.entry.kernels import check_options, compile, needed, text
from anthropi.entry.repeated_calls import key_of, repeated_call
from anthropi.entry.signatures import annotations_of, document, signature_of
from anthropi.errors import InputError, ShapeError, SingularError
from anthropi.figure import Figure
from anthropi.figure.states import finite, real_array, unit_quaternions
from anthropi.tape.functions import recorded
from anthropi.tape.record import flatten

__all__ = ["by_link", "entry_point", "refuse_singular"]

P = ParamSpec("P")
R = TypeVar("R")
V = TypeVar("V")

_MASSLESS = "nothing with mass moves with it ({}). Give a link beyond it a mass, or give the joint an armature."
_ALIGNED = (
    "its axes are aligned at this configuration ({}). Choose another configuration, or a joint without singular "
    "configurations (ball instead of euler or universal)."
)
_TOO_LARGE = "Numbers overflowed. Check the input for very large velocities, forces or mass ratios."
MAX_EXAMINED_STATES = 1000  # states of a batch that are tested for singular joints, at about 1 ms each
MAX_PLAUSIBLE_RESULT = 1e10  # [SI units]; larger results are tested for singular joints
MAX_POWER_IMBALANCE = 1e-6  # residual relative to the sum of powers; larger residuals are tested too
MAX_KERNELS = 256  # kernels kept per process; the oldest is dropped first

_OF_LINKS = {"f_ext", "impulse_ext"}  # inputs with a row for each link
_MATRICES = {*_OF_LINKS, "course"}
_kernels: dict[tuple[Any, ...], Any] = {}
_repeated: dict[Any, Any] = {}  # RepeatedCall, or None for calls that are not repeated


def refuse_singular(name: str, figure: Figure, given: dict[str, Any], options: dict[str, Any], result: Any) -> None:
    """Raise an error if a result is not finite, or is huge and a joint is singular.

    Parameters
    ----------
    name : name of the algorithm, for the message. given, options : its arrays and its options, by name.
    result : its return value, arrays with or without a batch axis.
    """
    q = np.asarray(given["q"], float)
    lead = 0 if all(np.ndim(a) == (2 if n in _MATRICES else 1) for n, a in given.items()) else 1
    bad = None
    for array in flatten(result)[0]:
        doubtful = ~(np.abs(array) < MAX_PLAUSIBLE_RESULT)
        over = doubtful.any(axis=tuple(range(lead, doubtful.ndim)))
        bad = over if bad is None else bad | over
    if hasattr(result, "residual"):  # the result of a power balance
        total = sum(np.abs(term) for term in result)
        bad = bad | ~(np.abs(result.residual) <= MAX_POWER_IMBALANCE * total)
    if bad is None or not np.any(bad):
        return
    for b in [()] if not lead else [(int(k),) for k in _worst_first(result, bad)[:MAX_EXAMINED_STATES]]:
        where = f" (number {b[0]} of the batch)" if b else ""
        extra = given.get("extra")
        found = singular_joint(figure, q[b] if q.ndim == 2 else q, _row(extra, b), options.get("prescribed", ()))
        if found:
            joint, link = figure.joints[found.joint], figure.links[found.joint]
            why = (_MASSLESS if found.massless else _ALIGNED).format(", ".join(found.dofs))
            raise SingularError(f"{name}: joint '{joint.name}' of link '{link.name}' is singular{where}: {why}")
        if not all(np.isfinite(_row(a, b, lead)).all() for a in flatten(result)[0]):
            raise SingularError(f"{name}: the result is not finite{where}, and no joint is singular. {_TOO_LARGE}")


def _worst_first(result: Any, bad: np.ndarray) -> np.ndarray:
    """Return the batch indices of the doubtful results: results that are not finite first, then by decreasing size."""
    at = np.flatnonzero(bad)
    size = np.zeros(len(at))
    for array in flatten(result)[0]:
        part = np.abs(np.asarray(array)[at]).reshape(len(at), -1)
        size = np.maximum(size, np.where(np.isfinite(part), part, np.inf).max(axis=1, initial=0.0))
    return at[np.argsort(-size, kind="stable")]


def _row(array: Any, b: tuple[int, ...], lead: int | None = None) -> Any:
    """Return the part of an array that belongs to one state of the batch."""
    if array is None:
        return None
    array = np.asarray(array)
    batched = array.ndim > 1 if lead is None else bool(lead)
    return array[b] if b and batched else array


def _kernel(
    algorithm: Callable[..., Any], figure: Figure, names: tuple[str, ...], options: dict[str, Any], target: str = "cpu"
) -> Any:
    """Return the kernel of an algorithm for a figure, compiled once per process."""
    key = (algorithm, figure.key, names, text(options), target)
    if key not in _kernels:
        if len(_kernels) >= MAX_KERNELS:
            _kernels.pop(next(iter(_kernels)))
        _kernels[key] = compile(algorithm, figure, names, target=target, opt="now", **options)
    return _kernels[key]


def _listed(value: Any) -> Any:
    """Convert sets, generators and other iterables to tuples in a fixed order; return other values unchanged."""
    if isinstance(value, (set, frozenset)):
        return tuple(sorted(value))
    plain = isinstance(value, (str, bytes, dict, np.ndarray, list, tuple)) or not hasattr(value, "__iter__")
    return value if plain else tuple(value)


@overload
def entry_point(
    algorithm: Callable[P, R],
    *,
    result: Any = ...,
    may_be_nan: Sequence[str] = ...,
    solves: bool = ...,
    refuse: Callable[[str, Figure, Any], None] | None = ...,
) -> Callable[P, R]: ...


@overload
def entry_point(
    algorithm: Callable[P, Any],
    wrap: Callable[[Figure, Any], V],
    result: Any = ...,
    may_be_nan: Sequence[str] = ...,
    solves: bool = ...,
    refuse: Callable[[str, Figure, Any], None] | None = ...,
) -> Callable[P, V]: ...


def entry_point(
    algorithm: Any,
    wrap: Any = None,
    result: Any = None,
    may_be_nan: Sequence[str] = (),
    solves: bool = False,
    refuse: Callable[[str, Figure, Any], None] | None = None,
) -> Any:
    """Return the entry point of an algorithm.

    Parameters
    ----------
    algorithm : a function with declared shapes (`anthropi.algorithms.shapes.algorithm`).
    wrap : function of (figure, result); the entry point returns its value instead of the result.
    result : the return type, if the algorithm does not state it (an array by default), or the text of the section
        "Returns".
    may_be_nan : inputs that may be NaN where they are not read, such as tau and udot in hybrid dynamics.
    solves : whether the algorithm divides by inertias, so that singular joints must raise an error.
    refuse : function of (name of the algorithm, figure, q); raises an error if q is singular for the algorithm.

    Returns
    -------
    A function of (figure, arrays, options) with its own signature and docstring (signatures.py). Its attributes
    `algorithm` and `__wrapped__` are the algorithm, so that `inspect.getsource` shows the equations.
    """
    shapes = algorithm.shapes
    wanted = needed(algorithm)

    @functools.wraps(algorithm)
    def call(figure: Any, *arrays: Any, out: Any = None, **named: Any) -> Any:
        ordered, key = _ordered(algorithm, figure, arrays, named)
        repeated = _repeated.get(key)
        if repeated is not None and not (wrap and out is not None):
            found = repeated(ordered, out)
            if found is not None:
                return wrap(figure, found) if wrap else found
        if not isinstance(figure, Figure):
            raise InputError(
                f"{algorithm.__name__} takes a figure first, then {', '.join(shapes)}; got {type(figure).__name__}."
            )
        options = {name: _listed(value) for name, value in named.items() if name not in shapes}
        check_options(algorithm, options)
        if len(arrays) > len(shapes):
            raise InputError(
                f"{algorithm.__name__} takes {len(shapes)} array{'s' * (len(shapes) > 1)} "
                f"({', '.join(shapes)}); got {len(arrays)}."
            )
        given = dict(zip(shapes, arrays, strict=False)) | {n: a for n, a in named.items() if n in shapes}
        given = {name: array for name, array in given.items() if array is not None}
        missing = [n for n in wanted if n not in given]
        if missing:
            raise InputError(f"{algorithm.__name__} needs {', '.join(missing)}. It takes: {', '.join(shapes)}.")
        twice = [n for n in named if n in list(shapes)[: len(arrays)]]
        if twice:
            raise InputError(f"{algorithm.__name__} got {twice[0]} twice, by position and by name. Give it once.")
        library = library_of(given.values())
        if out is None and any(on_gpu(array) for array in given.values()):  # values on a GPU are not examined
            names = tuple(n for n in shapes if n in given)
            found = _kernel(algorithm, figure, names, options, "gpu")(*(given[n] for n in names))
            return wrap(figure, found) if wrap else found
        given = {name: _plain(array, name) for name, array in given.items()}
        for name in _OF_LINKS & given.keys():
            given[name] = by_link(figure, given[name], name)
        for name, array in given.items():
            if isinstance(array, (list, tuple)) or (isinstance(array, np.ndarray) and array.dtype.kind not in "fiuO"):
                given[name] = real_array(array, name)
        recording = any(_recording(a) for a in given.values())
        if out is not None and (wrap or recording):
            why = "its result is not an array" if wrap else "its result is not computed while recording"
            raise InputError(f"{algorithm.__name__} takes no out: {why}. Leave it out and use the result.")
        if recording:  # while recording, the algorithm is called directly
            given = {name: a if isinstance(a, dict) else np.asarray(a) for name, a in given.items()}
            for name, array in given.items():
                _sized(figure, name, shapes[name], array)
            found = algorithm(figure, **given, **options)
            return wrap(figure, found) if wrap else found
        if "udot" in given and "u" in shapes and "u" not in given:
            raise InputError(f"{algorithm.__name__} got udot without u. Give both; use u = 0 for a figure at rest.")
        for name, array in given.items():
            _finite(figure, name, shapes[name], array, _unread(figure, name, options) if name in may_be_nan else ())
        if "q" in given and np.shape(given["q"])[-1:] == (figure.nq,):
            unit_quaternions(figure, given["q"])
            if refuse is not None:
                refuse(algorithm.__name__, figure, given["q"])
        names = tuple(n for n in shapes if n in given)
        kernel = _kernel(algorithm, figure, names, options)
        found = kernel(*(given[n] for n in names), out=out)
        if solves:
            refuse_singular(algorithm.__name__, figure, given, options, found)
        found = found if wrap or out is not None else returned(library, kernel.structure, found)
        if key is not None and key not in _repeated and refuse is None and names == tuple(shapes)[: len(ordered)]:
            unread = {n: _unread(figure, n, options) for n in names if n in may_be_nan}
            if len(_repeated) >= MAX_KERNELS:
                _repeated.pop(next(iter(_repeated)), None)
            _repeated[key] = repeated_call(kernel, figure, {n: shapes[n] for n in names}, unread,
                                           MAX_PLAUSIBLE_RESULT if solves else None)  # fmt: skip
        return wrap(figure, found) if wrap else found

    entry: Any = call
    entry.algorithm = algorithm
    stated = wrap or inspect.signature(algorithm).return_annotation
    if result is not None and not isinstance(result, str):
        stated = result
    elif stated in (Any, inspect.Signature.empty):
        stated = np.ndarray
    entry.__signature__ = signature_of(algorithm, stated, out=not wrap)
    entry.__annotations__ = annotations_of(entry.__signature__)
    stated = result if isinstance(result, str) else None
    entry.__doc__ = document(algorithm, stated, solves, refuse is not None, out=not wrap)
    return entry


def _plain(array: Any, name: str) -> Any:
    """Return an array of another library as one of NumPy, in the same memory; return everything else unchanged."""
    try:
        return np.asarray(array) if hasattr(type(array), "__dlpack__") else array
    except (TypeError, ValueError, RuntimeError) as problem:
        raise InputError(f"'{name}' of type {type(array).__name__} cannot be read.{hint(array)}") from problem


def _ordered(algorithm: Any, figure: Any, arrays: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any]:
    """Return the arrays in order, and the key of a repeated call; None if such a call cannot be repeated."""
    content = figure.__dict__.get("key") if isinstance(figure, Figure) else None  # known after the first call
    if not named or content is None:
        return arrays, None if content is None else (algorithm, content, len(arrays))
    options, names = dict(named), tuple(algorithm.shapes)
    for name in names[len(arrays) :]:
        if name not in options:
            break
        arrays += (options.pop(name),)
    try:
        key = (algorithm, content, len(arrays), *((name, key_of(value)) for name, value in options.items()))
    except TypeError:
        key = None
    return arrays, None if any(name in names for name in options) else key


def _recording(array: Any) -> bool:
    """Return whether any element is a recording scalar."""
    flat = np.asarray(array, dtype=object) if isinstance(array, (list, tuple)) else np.asarray(array)
    return flat.dtype == object and any(recorded(x) for x in flat.flat)


def _sized(figure: Figure, name: str, shape: str, array: Any) -> None:
    """Raise an error if an array of recording scalars has the wrong shape."""
    wanted = size_of(shape, figure)
    if np.shape(array) != wanted:
        raise ShapeError(
            f"Input '{name}' has shape {np.shape(array)}; wanted {wanted}. "
            "Give one state, not a batch, while recording."
        )


def by_link(figure: Figure, f_ext: Any, input_name: str = "f_ext") -> Any:
    """Return external forces (…, links, 6) from {link name: (…, 6)}; an array is returned without changes.

    Each row is a moment about the link's origin [N m], then a force [N], both in the link frame. input_name is the
    name of the argument, for the error message.
    """
    if not isinstance(f_ext, dict):
        return f_ext
    rows = {figure.link_index(n): real_array(force, f"{input_name}['{n}']") for n, force in f_ext.items()}
    for name, force in f_ext.items():
        if np.shape(force)[-1:] != (6,):
            raise ShapeError(
                f"{input_name}['{name}'] has shape {np.shape(force)}; wanted (6,) or (batch, 6): moment, then force."
            )
    try:
        lead = np.broadcast_shapes(*(row.shape[:-1] for row in rows.values()))
    except ValueError:
        sizes = ", ".join(f"{name} {np.shape(force)}" for name, force in f_ext.items())
        raise ShapeError(
            f"{input_name} has different batch sizes for different links: {sizes}. Give (6,) for a force that is the "
            "same in the whole batch, and (batch, 6) with the same batch size for all other links."
        ) from None
    none = np.zeros((*lead, 6))
    return np.stack([np.broadcast_to(rows.get(i, none), (*lead, 6)) for i in range(figure.n)], axis=-2)


def _unread(figure: Figure, name: str, options: dict[str, Any]) -> tuple[int, ...]:
    """Return the indices that hybrid dynamics does not read: prescribed ones in tau, all others in udot."""
    held = figure.dof_indices(options.get("prescribed", ()))
    return held if name == "tau" else tuple(k for k in range(figure.nu) if k not in held)


def _finite(figure: Figure, name: str, shape: str, array: Any, unread: Sequence[int] = ()) -> None:
    """Raise an error that names the joint or link if an entry outside `unread` is not finite."""
    array = np.asarray(array)
    size = size_of(shape, figure)
    if array.dtype.kind not in "fiub" or array.shape[-len(size) :] != size:
        return  # the kernel itself raises an error for a wrong type or shape
    bad = ~np.isfinite(array)
    bad[..., list(unread)] = False
    finite(name, array, figure, shape, bad)
