"""Describe classes, instances and containers by a label and children, for `content.content_key`.

Classes of anthropi, NumPy and the standard library are described by name, users' classes by everything they define.
Instances are described by class and attributes. Instances of NumPy's and Python's classes are described by their
pickling protocol.
"""

import contextlib
import copyreg
import dataclasses
import functools
import sys
import types
import weakref
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from anthropi.compiler.content_code import (
    Described,
    Unknowable,
    describe_builtin,
    describe_cell,
    describe_function,
    describe_module,
    is_python_class,
    library_name,
    package_of,
)
from anthropi.tape.scalar import Mask, Scalar

__all__ = ["describe"]

_KEYED = ("Figure", "Tape", "Kernel")  # classes of anthropi whose attribute `key` is a digest of their content
_CLASS_BOOKKEEPING = frozenset(
    """__module__ __qualname__ __doc__ __dict__ __weakref__ __annotations__ __annotate__
    __annotate_func__ __annotations_cache__ __firstlineno__ __static_attributes__ __slotnames__ __orig_bases__
    __parameters__ __type_params__ _abc_impl""".split()
)
_POINTER = 8 if sys.maxsize > 2**32 else 4  # bytes


def describe(value: Any) -> Described:
    """Return a label and the children of an object; together they contain all that a function could read from it.

    The order of the children matters, except with the labels "set" and "frozenset". Raises `Unknowable` if the content
    cannot be determined.
    """
    return _KINDS.get(type(value), _other)(value)


def _class(value: type[Any]) -> Described:
    """Describe a class: by name if it belongs to a library, else by everything it defines, its bases and metaclass."""
    name = library_name(value)
    if name is not None:
        return "library", (name,)
    if not is_python_class(value):
        raise Unknowable(f"{value!r} is compiled code")
    found: list[Any] = [value.__name__, type(value), value.__bases__]
    left_out: Iterable[str] = ()
    if issubclass(value, Enum):
        left_out = {n for n in vars(value) if n in value.__members__ or (n[0] == n[-1] == "_" and n[1:2] != "_")}
        found += [x for n, member in value.__members__.items() for x in (n, member.value)]
    for name, item in vars(value).items():
        if name not in _CLASS_BOOKKEEPING and name not in left_out:
            found += [name, item]
    return "class", found


class _Layout(NamedTuple):
    """Storage layout of the instances of a class; with `pickled`, their pickling protocol is used instead."""

    base: type[Any]
    slots: tuple[Any, ...]
    left_out: frozenset[str]
    pickled: bool


_layouts: "weakref.WeakKeyDictionary[type, _Layout]" = weakref.WeakKeyDictionary()


def _layout(kind: type[Any]) -> _Layout:
    """Find how instances of a class store their state. Cached for library classes only: a user's class may change."""
    if kind in _layouts:
        return _layouts[kind]
    base = next(c for c in kind.__mro__ if not is_python_class(c))
    own = [item for c in kind.__mro__ if is_python_class(c) for item in vars(c).items()]
    slots = tuple(item for _, item in own if type(item) is types.MemberDescriptorType)
    room = len(slots) + sum(name in ("__dict__", "__weakref__") for name, _ in own)
    fits = (
        kind.__basicsize__ <= base.__basicsize__ + _POINTER * room
    )  # if not, C code keeps state that is not accessible
    definer = next(c for c in kind.__mro__ if "__reduce__" in vars(c) or "__reduce_ex__" in vars(c))
    pickles = definer not in (object, base) and package_of(definer.__module__) in ("numpy", "python")
    pickled = base not in _PLAIN or not fits or pickles
    if pickled and not any(package_of(c.__module__) in ("numpy", "python") for c in kind.__mro__ if c is not object):
        raise Unknowable(f"{kind!r} is compiled code")
    cached = [(name, item.func) for name, item in own if isinstance(item, functools.cached_property)]
    derived = [name for name, function in cached if package_of(str(function.__module__)) == "anthropi"]
    found = _Layout(base, slots, frozenset((*derived, *getattr(kind, "_not_content", ()))), pickled)
    if library_name(kind) is not None:
        _layouts[kind] = found
    return found


def _other(value: Any) -> Described:
    """Describe an object whose class is not listed in `_KINDS`."""
    kind = type(value)
    if issubclass(kind, type):
        return _class(value)
    if issubclass(kind, Enum):
        return "enum", (kind, value._name_, value._value_)
    if issubclass(kind, np.generic):
        return "scalar", (np.asarray(value),)
    if kind in (Scalar, Mask):
        raise Unknowable("a number that is being recorded")
    own = getattr(kind, "__anthropi_content__", None)
    if own is not None:
        return "own content", (kind, own(value))
    package = package_of(kind.__module__) if library_name(kind) else None
    if package in ("numpy", "python") or ("__qualname__" in vars(kind) and library_name(value)):  # or a Cython function
        return _pickled(value)
    keyed = _keyed(value) if package == "anthropi" and kind.__name__ in _KEYED else None
    if keyed is not None:
        return keyed
    layout = _layout(kind)
    if layout.pickled:
        return _pickled(value)
    found: list[Any] = [kind, _PLAIN[layout.base](value)]
    for slot in layout.slots:
        found.append(slot.__name__)
        with contextlib.suppress(AttributeError):  # not set
            found.append(slot.__get__(value))
    attributes = getattr(value, "__dict__", {})
    for name in sorted(attributes):
        if name not in layout.left_out:
            found += [name, attributes[name]]
    return "instance", found


def _keyed(value: Any) -> Described | None:
    """Describe a figure, tape or kernel by its own key and the users' classes in it; None if it has no key."""
    try:
        key = value.key
    except Exception:
        return None
    return "keyed", (type(value), key, getattr(value, "precision", None), *_users_classes(value))


_users_classes_of: "weakref.WeakKeyDictionary[Any, tuple[type, ...]]" = weakref.WeakKeyDictionary()


def _users_classes(value: Any) -> tuple[type[Any], ...]:
    """Find the users' classes (such as joints) in a frozen object. The result is cached.

    The object's own key contains the names of these classes, but not their methods.
    """
    known = _users_classes_of.get(value)
    if known is None:
        found: dict[type[Any], None] = {}
        left = [value]
        while left:
            part = left.pop()
            if isinstance(part, (tuple, list)):
                left += part
            elif dataclasses.is_dataclass(part):
                left += [getattr(part, field.name) for field in dataclasses.fields(part)]
                if library_name(type(part)) is None:
                    found[type(part)] = None
        known = _users_classes_of[value] = tuple(found)
    return known


def _pickled(value: Any) -> Described:
    """Describe an object of NumPy or Python by its pickling protocol."""
    kind = type(value)
    name = library_name(value)
    if name is not None or (kind is np.ufunc and getattr(np, value.__name__, None) is value):
        return "library", (name or value.__name__,)
    if kind is np.ufunc or any(c.__module__ in ("_ctypes", "ctypes") for c in kind.__mro__):
        raise Unknowable(f"{value!r} is compiled code or memory outside Python")
    reduce = copyreg.dispatch_table.get(kind)
    try:
        made = reduce(value) if reduce is not None else value.__reduce_ex__(4)
    except Exception as why:
        raise Unknowable(f"{kind!r} has no accessible state") from why
    if isinstance(made, str) and library_name(kind) is None:
        raise Unknowable(f"{value!r} pickles by name, without its state")
    if isinstance(made, str):
        return "object", (kind, made)
    call, arguments, state, items, pairs = (*made, None, None, None)[:5]
    return "object", (kind, call, arguments, state, list(items or ()), list(pairs or ()))


# containers and arrays


def _dict(value: Any) -> Described:
    """Describe a dict by its items in order."""
    return "dict", [x for pair in value.items() for x in pair]  # a function can read the order of a dict, so it matters


def _array(value: np.ndarray) -> Described:
    """Describe an array of objects or records (`content.py` encodes arrays of plain numbers)."""
    if value.dtype.char in "gG":
        raise Unknowable("long doubles contain padding bytes")
    return "array", (value.dtype, value.shape, value.tolist())


def _descriptor(value: Any) -> Described:
    """Describe a slot, or a method written in C."""
    if type(value) is not types.MemberDescriptorType and library_name(value.__objclass__) is None:
        raise Unknowable(f"{value!r} is compiled code")
    return "descriptor", (value.__name__, value.__objclass__)


def _wrapped(label: str, *names: str) -> Callable[[Any], Described]:
    """Return a function that describes an object by a label and the values of these attributes."""
    return lambda value: (label, [getattr(value, name) for name in names])


_KINDS: dict[type[Any], Callable[[Any], Described]] = {
    tuple: lambda value: ("tuple", value),
    list: lambda value: ("list", value),
    dict: _dict,
    types.MappingProxyType: _dict,
    set: lambda value: ("set", value),
    frozenset: lambda value: ("frozenset", value),
    np.ndarray: _array,
    types.FunctionType: describe_function,
    types.BuiltinFunctionType: describe_builtin,
    types.ModuleType: describe_module,
    types.CellType: describe_cell,
    types.MethodType: _wrapped("method", "__func__", "__self__"),
    types.MethodWrapperType: _wrapped("method", "__name__", "__self__"),
    functools.partial: _wrapped("partial", "func", "args", "keywords", "__dict__"),
    type(functools.lru_cache(len)): _wrapped("cached", "__wrapped__"),
    functools.cached_property: _wrapped("cached property", "func"),
    property: _wrapped("property", "fget", "fset", "fdel"),
    staticmethod: _wrapped("static method", "__func__"),
    classmethod: _wrapped("class method", "__func__"),
    dataclasses.Field: _wrapped(
        "field", "name", "default", "default_factory", "init", "compare", "kw_only", "metadata"
    ),
    types.MemberDescriptorType: _descriptor,
    types.GetSetDescriptorType: _descriptor,
    types.WrapperDescriptorType: _descriptor,
    types.MethodDescriptorType: _descriptor,
    types.ClassMethodDescriptorType: _descriptor,
}

_PLAIN: dict[type[Any], Callable[[Any], Any]] = {  # value of an instance as seen by its C base class
    object: lambda value: None,
    tuple: lambda value: tuple.__getitem__(value, slice(None)),
    list: lambda value: list.__getitem__(value, slice(None)),
    dict: lambda value: list(dict.items(value)),
    set: lambda value: frozenset(set.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    str: str.__str__,
    bytes: bytes.__bytes__,
    int: int.__int__,
    float: float.__float__,
    complex: complex.__complex__,
    np.ndarray: lambda value: value.view(np.ndarray),
}
