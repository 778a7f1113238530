"""Dynamics for articulated figures.

An algorithm is a plain Python function on arrays; run on recording scalars it leaves a tape; a tape compiles to a
kernel. The names below load on first use, so importing this package costs next to nothing and changes nothing.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_OBJECTS = {  # public name: the module that defines it
    "AnthropiError": "anthropi.errors",
    "Kernel": "anthropi.compile",
    "Scalar": "anthropi.tape",
    "Tape": "anthropi.tape",
    "build": "anthropi.compile",
    "record": "anthropi.tape",
    "repeat": "anthropi.tape",
}
_MODULES = {  # public name: the module it stands for
    "linear": "anthropi.algebra.linear",
    "rotation": "anthropi.algebra.rotation",
    "scalar": "anthropi.algebra.scalar",
    "spatial": "anthropi.algebra.spatial",
}

__all__ = sorted([*_OBJECTS, *_MODULES])


def __getattr__(name: str) -> Any:
    """Load a public name on first use (PEP 562); the next look-up finds it in the module."""
    if name in _OBJECTS:
        value = getattr(import_module(_OBJECTS[name]), name)
    elif name in _MODULES:
        value = import_module(_MODULES[name])
    else:
        raise AttributeError(_unknown(name), name=name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _unknown(name: str) -> str:
    """Say which public names there are, and which one was probably meant."""
    from anthropi.errors import did_you_mean

    hint = did_you_mean(name, __all__)
    return f"anthropi has no public name '{name}'.{hint} Public names: {', '.join(__all__)}."
