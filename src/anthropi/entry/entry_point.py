"""Refuse results without meaning: dynamics divided by the inertia of a joint that moves nothing.

Front
-----
A front: an algorithm for people. It takes one state or a batch, checks it, compiles on first use and remembers.
"""

import functools

import numpy as np

from anthropi.algorithms.shapes import size_of
from anthropi.algorithms.singularity import singular_joint
from anthropi.entry.kernels import check_options, compile, needed, text
from anthropi.errors import InputError, ShapeError, SingularError
from anthropi.figure import Figure
from anthropi.figure.states import finite, unit_quaternions
from anthropi.tape.functions import recorded
from anthropi.tape.record import flatten

__all__ = ["by_link", "entry_point", "refuse_singular"]


_MASSLESS = "nothing with mass moves with it ({}). Give a link beyond it mass, or the joint armature."
_IN_LINE = (
    "its axes fall together at this configuration ({}). Choose another configuration, or a joint without such places "
    "(ball instead of euler or universal)."
)
_TOO_LARGE = "Numbers grew too large: look for huge velocities, forces or ratios of masses in what was given."
_LOOKED_AT = 1000  # states of a batch, at a millisecond each
_DOUBTFUL = 1e10  # beyond this a result is looked at closely


def refuse_singular(name: str, figure, given: dict, options: dict, result) -> None:
    """Raise if a result is not finite, or is huge and a joint is singular; name the joint, its link and the state."""
    q = np.asarray(given["q"], float)
    lead = 0 if all(np.ndim(a) == (2 if n in ("f_ext", "blow_ext", "course") else 1) for n, a in given.items()) else 1
    bad = None
    for array in flatten(result)[0]:
        doubtful = ~(np.abs(array) < _DOUBTFUL)
        over = doubtful.any(axis=tuple(range(lead, doubtful.ndim)))
        bad = over if bad is None else bad | over
    if hasattr(result, "residual"):  # powers that do not balance are as doubtful
        total = sum(np.abs(term) for term in result)
        bad = bad | ~(np.abs(result.residual) <= 1e-6 * total)
    if bad is None or not np.any(bad):
        return
    for b in [()] if not lead else [(int(k),) for k in _worst_first(result, bad)[:_LOOKED_AT]]:
        where = f" (number {b[0]} of the batch)" if b else ""
        extra = given.get("extra")
        found = singular_joint(figure, q[b] if q.ndim == 2 else q, _row(extra, b), options.get("prescribed", ()))
        if found:
            joint, link = figure.joints[found.joint], figure.links[found.joint]
            why = _MASSLESS if found.massless else _IN_LINE
            raise SingularError(f"{name}: joint '{joint.name}' of link '{link.name}' is singular{where}: "
                                + why.format(", ".join(found.dofs)))  # fmt: skip
        if not all(np.isfinite(_row(a, b, lead)).all() for a in flatten(result)[0]):
            raise SingularError(f"{name}: the result is not finite{where}, and no joint is singular. {_TOO_LARGE}")


def _worst_first(result, bad):
    """The doubtful ones of a batch: what is not finite, then by size."""
    at = np.flatnonzero(bad)
    size = np.zeros(len(at))
    for array in flatten(result)[0]:
        part = np.abs(np.asarray(array)[at]).reshape(len(at), -1)
        size = np.maximum(size, np.where(np.isfinite(part), part, np.inf).max(axis=1, initial=0.0))
    return at[np.argsort(-size, kind="stable")]


def _row(array, b, lead: int | None = None):
    """The part of an array that belongs to one of the batch."""
    if array is None:
        return None
    array = np.asarray(array)
    batched = array.ndim > 1 if lead is None else bool(lead)
    return array[b] if b and batched else array


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


def entry_point(algorithm, wrap=None, may_be_nan=(), solves=False):
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
