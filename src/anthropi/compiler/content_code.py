"""Describe functions and modules by a label and children, for `content.content_key`.

Functions of anthropi, NumPy and the standard library are described by name. Users' functions are described by their
bytecode, defaults, closure cells and every global that the bytecode reads. If the bytecode reads attributes of a user's
module, only these attributes are included.
"""

import dis
import functools
import os
import sys
import types
import weakref
from collections.abc import Iterable
from typing import Any, NamedTuple, cast

__all__ = [
    "Described",
    "Unknowable",
    "describe_builtin",
    "describe_cell",
    "describe_function",
    "describe_module",
    "is_python_class",
    "library_name",
    "package_of",
]

Described = tuple[str, Iterable[Any]]

_READ_OUTSIDE = (open, input, eval, exec, globals, __import__)  # their results depend on outside data
_NAME_LOADS = frozenset(
    "LOAD_GLOBAL LOAD_NAME LOAD_DEREF LOAD_CLASSDEREF LOAD_FROM_DICT_OR_GLOBALS LOAD_FROM_DICT_OR_DEREF".split()
)
_HEAP_TYPE, _IMMUTABLE_TYPE = 1 << 9, 1 << 8  # bits of type.__flags__ in CPython


class Unknowable(Exception):
    """Raised if the content of a value cannot be determined."""


@functools.cache
def package_of(module: str) -> str | None:
    """Return "anthropi", "numpy" or "python" for a module of that library (identified by name), else None."""
    top = module.partition(".")[0]
    if top in ("anthropi", "numpy"):
        return top
    file = getattr(sys.modules.get(top), "__file__", None) or os.__file__
    folders = os.path.dirname(os.__file__), os.path.join(sys.base_exec_prefix, "DLLs")
    own = os.path.dirname(file).startswith(folders) and "-packages" not in file  # a user's module may share the name
    return "python" if top in sys.stdlib_module_names and own else None


def library_name(value: Any) -> str | None:
    """Return the qualified name under which anthropi, NumPy or Python define a function or class, else None."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or package_of(module) is None:
        return None
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    fixed = isinstance(value, type) and not is_python_class(value)
    return f"{module}.{name}" if found is value or fixed else None


def is_python_class(kind: type[Any]) -> bool:
    """Return whether a class may come from a class statement; some C extensions make such types too."""
    return bool(kind.__flags__ & _HEAP_TYPE) and not kind.__flags__ & _IMMUTABLE_TYPE


class _Reads(NamedTuple):
    """Names and imports that a code object reads.

    names: chains (name, attribute, …) read from globals and closure cells. imports: (level, module, members).
    """

    names: tuple[tuple[str, ...], ...]
    imports: tuple[tuple[int, str, tuple[str, ...]], ...]


_reads_of: "weakref.WeakKeyDictionary[types.CodeType, _Reads]" = weakref.WeakKeyDictionary()


def _reads(code: types.CodeType) -> _Reads:
    """Find the names and imports read by a code object and the code nested in it. The result is cached."""
    known = _reads_of.get(code)
    if known is not None:
        return known
    names: set[tuple[str, ...]] = set()
    imports: set[tuple[int, str, tuple[str, ...]]] = set()
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("EXTENDED_ARG", "CACHE", "NOP")]
    chain: tuple[str, ...] = ()
    for k, step in enumerate(steps):
        if chain and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            chain = (*chain, step.argval)
            continue
        if chain:
            names.add(chain)
        chain = (step.argval,) if step.opname in _NAME_LOADS else ()
        if step.opname == "IMPORT_NAME":
            imports.add((steps[k - 2].argval, step.argval, tuple(steps[k - 1].argval or ())))
    for inner in (_reads(const) for const in code.co_consts if isinstance(const, types.CodeType)):
        names.update(inner.names)
        imports.update(inner.imports)
    _reads_of[code] = _Reads(tuple(sorted(names)), tuple(sorted(imports)))
    return _reads_of[code]


def describe_function(value: types.FunctionType) -> Described:
    """Describe a function: code, defaults, attributes, closure cells, and the globals and modules it reads."""
    code, names = value.__code__, value.__globals__
    cells = dict(zip(code.co_freevars, value.__closure__ or (), strict=True))
    home = str(names.get("__name__"))
    if package_of(home) and home in sys.modules and vars(sys.modules[home]) is names:
        name = library_name(value) or next((name for name, found in names.items() if found is value), code.co_qualname)
        if "<" not in name:
            return "library", (home, name)
        return "library", (home, name, code, value.__defaults__, value.__kwdefaults__, cells)
    reads = _reads(code)
    found: list[Any] = [value.__name__, code, value.__defaults__, value.__kwdefaults__, value.__dict__]
    for name, *attributes in reads.names:
        if name in cells:
            found += [name, *attributes, *_followed(describe_cell(cells[name])[1], attributes)]
        elif name in names:
            found += [name, *attributes, *_followed((names[name],), attributes)]
        else:
            found += ["not global", name, cast(Any, value).__builtins__.get(name)]
    read = {name for name, *_ in reads.names}
    found += [cell for name, cell in cells.items() if name not in read]  # such as __class__, for super()
    for level, module, members in reads.imports:
        if level:
            package = str(names.get("__package__") or home.rpartition(".")[0]).split(".")
            module = ".".join([*package[: len(package) - level + 1], module]).rstrip(".")
        found += [module, *members, *_imported(module, members)]
    return "function", found


def _followed(found: Iterable[Any], attributes: list[str]) -> Iterable[Any]:
    """Follow a chain of attributes through users' modules; return the first object that is not a user's module."""
    for value in found:
        for k, name in enumerate(attributes):
            if type(value) is not types.ModuleType or package_of(value.__name__):
                break
            if name not in vars(value):
                return "absent", ".".join(attributes[k:]), vars(value).get("__getattr__")
            value = vars(value)[name]
        return (value,)
    return ()


def _imported(module: str, members: tuple[str, ...]) -> Iterable[Any]:
    """Return the objects imported by an import statement inside a function; a user's module must be loaded already."""
    if package_of(module):
        return ()
    loaded = sys.modules.get(module if members else module.partition(".")[0])
    if loaded is None:
        raise Unknowable(f"module {module} is not loaded yet")
    return [value for name in members for value in _followed((loaded,), [name])] if members else (loaded,)


def describe_module(value: types.ModuleType) -> Described:
    """Describe a module: by name if it belongs to a library, by all its attributes if it is a user's."""
    if package_of(value.__name__):
        return "module", (value.__name__,)
    names = sorted(name for name in vars(value) if not name.startswith("__") or name == "__getattr__")
    return "module", [x for name in names for x in (name, vars(value)[name])]


def describe_cell(value: types.CellType) -> Described:
    """Describe a closure cell by its content."""
    try:
        return "cell", (value.cell_contents,)
    except ValueError:
        return "cell", ()


def describe_builtin(value: Any) -> Described:
    """Describe a function or bound method written in C."""
    if any(value is other for other in _READ_OUTSIDE):
        raise Unknowable(f"{value.__name__} depends on more than the function's content")
    name = library_name(value)
    if name is None and (value.__self__ is None or isinstance(value.__self__, types.ModuleType)):
        raise Unknowable(f"{value!r} is compiled code")
    return "builtin", (name,) if name else (value.__name__, value.__self__)
