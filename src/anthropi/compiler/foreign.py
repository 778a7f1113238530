"""Arrays of other libraries on the CPU, such as torch and jax, by the DLPack protocol; no library is imported here."""

import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from anthropi.errors import InputError
from anthropi.tape.record import leaves, rebuild

__all__ = ["hint", "library_of", "returned"]


def library_of(arrays: Iterable[Any]) -> Any:
    """Return the library to which arrays belong, a module with `from_dlpack`; None if it is NumPy.

    Raises
    ------
    InputError : the arrays belong to several libraries other than NumPy.
    """
    found: dict[str, Any] = {}
    for array in arrays:
        kind = type(array)
        if kind is np.ndarray or not hasattr(kind, "__dlpack__") or isinstance(array, (np.ndarray, np.generic)):
            continue
        top = kind.__module__.partition(".")[0]
        library: Any = array.__array_namespace__() if hasattr(kind, "__array_namespace__") else sys.modules.get(top)
        if hasattr(library, "from_dlpack"):
            found[library.__name__] = library
    if len(found) > 1:
        raise InputError(f"The arrays belong to {' and '.join(found)}. Give arrays of one library, or of NumPy.")
    return next(iter(found.values()), None)


def returned(library: Any, structure: Any, value: Any) -> Any:
    """Return a result with this structure as arrays of a library, in the same memory where the library allows it."""
    if library is None:
        return value
    arrays = [np.asarray(x) for x in leaves(structure, value)]
    return rebuild(structure, [library.from_dlpack(a if a.flags.writeable else a.copy()) for a in arrays])


def hint(array: Any) -> str:
    """Return a sentence on why an array of another library cannot be read; empty if there is nothing to say."""
    if getattr(array, "requires_grad", False) is True:
        return " It records gradients: give x.detach()."
    device = str(getattr(array, "device", "cpu"))
    return "" if "cpu" in device.lower() else f" It is on the device {device}: give a copy on the CPU."
