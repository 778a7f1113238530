"""Nested results: arrays and numbers inside tuples, lists, dicts, named tuples and dataclasses, flattened and put back.

A structure is plain data (strings, lists, ints), so that it can live in a cache file:
an int is the number of an array, ["tuple", …], ["list", …], ["dict", {…}], ["class", "module:name", {…}] nest.
"""

import dataclasses
import importlib

import numpy as np

from anthropi.errors import TraceError

__all__ = ["flatten", "rebuild"]


def flatten(value):
    """Return the arrays inside a value, their names, and the structure that puts them back."""
    arrays: list[np.ndarray] = []
    names: list[str] = []

    def walk(x, name):
        if hasattr(x, "_fields") or dataclasses.is_dataclass(x):
            fields = x._fields if hasattr(x, "_fields") else [f.name for f in dataclasses.fields(x)]
            kind = f"{type(x).__module__}:{type(x).__qualname__}"
            if "<locals>" in kind:
                raise TraceError(f"'{type(x).__name__}' is defined inside a function, so no kernel can make one again. "
                                 "Define it at the top of its module.")  # fmt: skip
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


def rebuild(structure, arrays):
    """Put arrays back into a structure; an array of shape () comes back as its element."""
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


def _join(name: str, part: str) -> str:
    return f"{name}.{part}" if name else str(part)
