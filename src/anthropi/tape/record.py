"""Recording of functions, and flattening of nested results.

`record` runs a function once on recording scalars and keeps the operations as a tape. Results and carries may nest
arrays and numbers in tuples, lists, dicts, named tuples and dataclasses. Their structure is plain data, so that it can
be stored in a cache file: an int is the number of an array, and ["tuple", …], ["list", …], ["dict", {…}] and
["class", "module:name", {…}] are containers.
"""

import dataclasses
import gc
import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from anthropi.errors import TraceError
from anthropi.tape.scalar import Mask, Scalar
from anthropi.tape.tape import Slot, Tape

__all__ = ["flatten", "leaves", "no_collector", "rebuild", "record"]


def flatten(value: Any) -> tuple[list[np.ndarray], list[str], Any]:
    """Return the arrays inside a value, their names, and the structure from which `rebuild` restores the value."""
    arrays: list[np.ndarray] = []
    names: list[str] = []

    def walk(x, name):
        if hasattr(x, "_fields") or dataclasses.is_dataclass(x):
            fields = x._fields if hasattr(x, "_fields") else [f.name for f in dataclasses.fields(x)]
            kind = f"{type(x).__module__}:{type(x).__qualname__}"
            if "<locals>" in kind:
                raise TraceError(
                    f"'{type(x).__name__}' is defined inside a function, so a kernel cannot return it. "
                    "Define it at the top level of its module."
                )
            return ["class", kind, {f: walk(getattr(x, f), _join(name, f)) for f in fields}]
        if isinstance(x, (tuple, list)):
            return [
                "tuple" if isinstance(x, tuple) else "list",
                *(walk(e, _join(name, str(k))) for k, e in enumerate(x)),
            ]
        if isinstance(x, dict):
            if not all(isinstance(k, str) for k in x):
                raise TraceError(f"A dict among results or carries has keys {list(x)}; its keys must be strings.")
            return ["dict", {k: walk(e, _join(name, k)) for k, e in x.items()}]
        if x is None:
            return ["none"]
        arrays.append(np.asarray(x))
        names.append(name or "result")
        return len(arrays) - 1

    structure = walk(value, "")
    return arrays, names, structure


def rebuild(structure: Any, arrays: Sequence[Any]) -> Any:
    """Restore a value from its structure and arrays; an array of shape () becomes its element."""
    if isinstance(structure, int):
        x = arrays[structure]
        return x[()] if isinstance(x, np.ndarray) and x.shape == () else x
    kind = structure[0]
    if kind == "tuple":
        return tuple(rebuild(s, arrays) for s in structure[1:])
    if kind == "list":
        return [rebuild(s, arrays) for s in structure[1:]]
    if kind == "dict":
        return {k: rebuild(s, arrays) for k, s in structure[1].items()}
    if kind == "none":
        return None
    module, name = structure[1].split(":")
    cls = importlib.import_module(module)
    for part in name.split("."):
        cls = getattr(cls, part)
    return cls(**{k: rebuild(s, arrays) for k, s in structure[2].items()})  # type: ignore[operator]


def leaves(structure: Any, value: Any) -> list[Any]:
    """Return the arrays of a value in the order of its structure, unchanged; the reverse of `rebuild`.

    Raises TypeError, ValueError, KeyError or AttributeError if the value has another structure.
    """
    if isinstance(structure, int):
        return [value]
    kind = structure[0]
    if kind == "none":
        return []
    if kind in ("tuple", "list"):
        if not isinstance(value, (tuple, list)):
            raise TypeError
        return [x for s, v in zip(structure[1:], value, strict=True) for x in leaves(s, v)]
    if kind == "dict":
        if value.keys() != structure[1].keys():
            raise KeyError
        return [x for k, s in structure[1].items() for x in leaves(s, value[k])]
    return [x for k, s in structure[2].items() for x in leaves(s, getattr(value, k))]


def _join(name: str, part: str) -> str:
    return f"{name}.{part}" if name else str(part)


def record(function: Callable[..., Any], /, **inputs: Any) -> Tape:
    """Record a function as a tape.

    Arrays (any `np.ndarray`) are traced: the function receives arrays of `Scalar`s of the same shape (one `Scalar` for
    shape ()), and their values do not matter. All other inputs are static and passed as they are.

    Parameters
    ----------
    function : callable with the names of `inputs` as parameters; returns arrays or numbers, possibly nested.
    inputs : arrays to trace, and static values, by name.

    Returns
    -------
    Tape
        `inputs` are the traced arrays in the order given, `outputs` the arrays inside the function's result.

    Raises
    ------
    TraceError : no input is an array, the result contains something other than numbers, or an operation cannot be
        recorded.
    """
    tape = Tape()
    traced, slots, start = {}, [], 0
    for name, value in inputs.items():
        if isinstance(value, np.ndarray):
            if name in ("threads", "out"):
                raise TraceError(f"An input cannot be called '{name}': a kernel's call has an option of that name.")
            slots.append(Slot(name, value.shape, start, value.size))
            traced[name] = scalars(tape, value.shape, start)
            start += value.size
    tape.inputs = tuple(slots)
    if inputs and not slots:
        raise TraceError(
            f"Nothing would be recorded: none of {', '.join(inputs)} is an array. Give arrays; "
            "use np.zeros(()) for a single number."
        )
    with no_collector():
        result = function(**{**inputs, **traced})
        if result is None:
            raise TraceError("The function returned None. Return its results.")
        return finish(tape, result)


@contextmanager
def no_collector() -> Iterator[None]:
    """Disable the garbage collector while recording, which makes few cycles. It took a quarter of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def scalars(tape: Tape, shape: tuple[int, ...], start: int) -> Any:
    """Return an array of input scalars numbered from `start`; a single scalar for shape ()."""
    flat = np.empty(int(np.prod(shape)), dtype=object)
    for k in range(flat.size):
        flat[k] = Scalar(tape, tape.input(start + k))
    return flat.reshape(shape) if shape else flat[0]


def finish(tape: Tape, value: Any) -> Tape:
    """Make a nested value the result of a tape."""
    arrays, names, tape.structure = flatten(value)
    for name in names:
        if names.count(name) > 1:
            raise TraceError(f"Two outputs are called '{name}'. Give each result a different name.")
    slots: list[Slot] = []
    result: list[int] = []
    for array, name in zip(arrays, names, strict=True):
        slots.append(Slot(name, array.shape, len(result), array.size))
        for x in array.flat:
            if isinstance(x, (Mask, bool, np.bool_)):
                raise TraceError(f"Output '{name}' is a mask. Return numbers: where(mask, 1.0, 0.0).")
            if not isinstance(x, (Scalar, float, int, np.floating, np.integer)):
                raise TraceError(f"Output '{name}' is a {type(x).__name__}, not a number. Return arrays of numbers.")
            result.append(tape.place(x))
    tape.outputs = tuple(slots)
    return tape.finish(result)
