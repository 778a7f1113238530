"""Content keys: digests of everything that a recorded function could read from a value.

With a content key, a compiled kernel can be found from the scene, the controller and the functions that made it,
without recording them again. The key is the same in every process and on every machine with the same versions of
Python and NumPy; it does not depend on object identity, line numbers or file names. Functions and classes of anthropi,
NumPy and the standard library are identified by name. Changes of their source are covered in another way: the kernel
cache adds a digest of anthropi's source, and the key includes the versions of Python and NumPy.

`content_objects.describe` returns a label and the children of an object. The digest of the object is computed from its
label and the digests of its children. Objects that refer to each other in a cycle (a strongly connected component,
found by Tarjan's algorithm, 1972) are written out together, numbered in the order in which they are reached.
"""

import functools
import sys
import types
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable
from hashlib import blake2b
from struct import pack
from threading import Lock, RLock
from typing import Any

import numpy as np

from anthropi.compiler.content_code import Unknowable
from anthropi.compiler.content_objects import describe
from anthropi.compiler.threads import renewed_in_child

__all__ = ["MAX_OBJECTS", "ContentWalk", "KeptByContent", "content_key"]

MAX_OBJECTS = 50_000  # bounds the time of a key to about 0.5 s; larger content is recorded once per process
_SMALL_ARRAY = 256  # bytes up to which an array is written out instead of hashed on its own
_PLAIN_NUMBERS = "?bhilqpBHILQPefdFDSUMm"  # type codes of arrays whose bytes are their content
_VERSIONS = repr((1, sys.implementation.name, sys.version_info[:3], np.__version__)).encode()


def content_key(value: Any) -> str | None:
    """Compute a digest of everything that a recorded function could read from a value.

    By default all attributes of an instance are included. A class may define `__anthropi_content__(self)`, which
    returns the content to use instead, or list attributes to ignore (such as memo tables) in a class attribute
    `_not_content`, a tuple of strings.

    Returns
    -------
    64 hexadecimal digits, or None if the content cannot be determined: open files, locks, generators, compiled
    extensions, more than `MAX_OBJECTS` objects, or objects nested about 300 levels deep (Python's recursion limit).
    """
    try:
        return ContentWalk().key(value)
    except (Unknowable, RecursionError):
        return None


class KeptByContent:
    """Cache of results, found by the content of the value from which each result was made.

    Thread-safe. With more than `size` results, the least recently used one is dropped. If the content of a value cannot
    be determined, its result is found by the value's identity, and the cache keeps the value alive so that the identity
    stays unique. The elements of a tuple are treated separately in this case.
    """

    def __init__(self, size: int = 64) -> None:
        self.size = size
        self._lock = Lock()
        self._entries: OrderedDict[Any, _Entry] = OrderedDict()
        renewed_in_child(self)

    def renew_lock(self) -> None:
        """Replace all locks, in a forked child process: the threads that held them do not exist there."""
        self._lock = Lock()
        for entry in list(self._entries.values()):
            entry.lock = RLock()

    def __len__(self) -> int:
        return len(self._entries)

    def clear(self) -> None:
        """Drop every result."""
        with self._lock:
            self._entries.clear()

    def find(self, value: Any, make: Callable[[], Any]) -> Any:
        """Return the cached result for a value with this content; if there is none, call `make()` and cache it."""
        name = _content_or_identity(value)
        with self._lock:
            entry = self._entries.setdefault(name, _Entry(None if isinstance(name, str) else value))
            self._entries.move_to_end(name)
            while len(self._entries) > self.size:
                self._entries.popitem(last=False)
        with entry.lock:  # a second thread waits for the same result; other results can be made meanwhile
            if not entry.made:
                entry.result, entry.made = make(), True
            return entry.result


class _Entry:
    """Cache entry: a finished result, or a result that a thread is still computing."""

    def __init__(self, held: Any) -> None:
        self.held, self.result = held, None
        self.lock, self.made = RLock(), False


def _content_or_identity(value: Any) -> Any:
    """Return the content key of a value. Without one, return the keys of a tuple's elements, or the identity."""
    key = content_key(value)
    if key is not None:
        return key
    return tuple(_content_or_identity(part) for part in value) if type(value) is tuple else id(value)


class _Node:
    """An object that is being encoded; `low` is the number of the earliest object that it refers back to."""

    __slots__ = ("is_open", "low", "number", "parts")

    def __init__(self, number: int) -> None:
        self.number = self.low = number
        self.is_open = True
        self.parts: list[bytes | _Node] = []


class ContentWalk:
    """A walk over all objects that can be reached from a value; `visited` counts the compound objects."""

    visited: int

    def __init__(self) -> None:
        self.visited = 0
        self._known: dict[int, tuple[Any, bytes | _Node]] = {}  # by id, with the object so that its id stays unique
        self._unfinished: list[_Node] = []

    def key(self, value: Any) -> str:
        """Return the content key of a value; raise `Unknowable` if its content cannot be determined."""
        return blake2b(_VERSIONS + _written(self._encode(value)), digest_size=32).hexdigest()

    def _encode(self, value: Any) -> bytes | _Node:
        """Write a value as self-delimiting bytes, or return its node while it is part of an open cycle."""
        leaf = _LEAVES.get(type(value))
        if leaf is not None:
            return leaf(value)
        if type(value) is np.ndarray and value.dtype.char in _PLAIN_NUMBERS:
            data = value.tobytes()
            head = b"a%s%s:" % (value.dtype.str.encode(), repr(value.shape).encode())
            return head + (data if len(data) <= _SMALL_ARRAY else _digest([data]))
        known = self._known.get(id(value))
        result = known[1] if known is not None else self._enter(value)
        if isinstance(result, _Node) and not result.is_open:  # part of a cycle that was entered at another object
            result = _written(result)
            self._known[id(value)] = value, result
        return result

    def _enter(self, value: Any) -> bytes | _Node:
        """Encode the children of a new object, and close the cycle that begins with it, if any."""
        self.visited += 1
        if self.visited > MAX_OBJECTS:
            raise Unknowable(f"more than {MAX_OBJECTS} objects")
        node = _Node(self.visited)
        self._known[id(value)] = value, node
        self._unfinished.append(node)
        label, children = describe(value)
        parts = [_LEAVES[type(x)](x) if type(x) in _LEAVES else self._encode(x) for x in children]
        lows = [part.low for part in parts if type(part) is _Node]
        if label in ("set", "frozenset"):
            if lows:
                raise Unknowable("elements of a set that refer to the set have no order")
            parts.sort()
        node.parts = [_text(label), b"%d:" % len(parts), *parts]
        node.low = min(node.number, *lows) if lows else node.number
        if node.low < node.number:
            return node
        while node.is_open:
            self._unfinished.pop().is_open = False
        result = _written(node) if lows else _digest(node.parts)
        self._known[id(value)] = value, result
        return result


def _written(node: bytes | _Node) -> bytes:
    """Return the digest of a finished object; members of its cycle are numbered in the order they are reached."""
    if isinstance(node, bytes):
        return node
    numbers: dict[_Node, int] = {}
    out: list[bytes] = []

    def write(part: _Node) -> None:
        numbers[part] = len(numbers)
        for below in part.parts:
            if isinstance(below, bytes):
                out.append(below)
            elif below in numbers:
                out.append(b"@%d;" % numbers[below])
            else:
                write(below)

    write(node)
    return _digest(out)


def _digest(parts: Iterable[Any]) -> bytes:
    return b"#" + blake2b(b"".join(parts), digest_size=32).digest()


@functools.lru_cache(4096)
def _text(value: str) -> bytes:
    data = value.encode("utf-8", "surrogatepass")
    return b"s%d:" % len(data) + data


_codes: "weakref.WeakKeyDictionary[types.CodeType, bytes]" = weakref.WeakKeyDictionary()


def _code(code: types.CodeType) -> bytes:
    """Return the digest of a code object. It is cached, since code objects never change."""
    digest = _codes.get(code)
    if digest is None:
        arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_nlocals, code.co_flags)
        names = (code.co_name, code.co_names, arguments, code.co_freevars, code.co_cellvars)
        content = (counts, names, code.co_code, code.co_exceptiontable, code.co_consts)
        _codes[code] = digest = _written(ContentWalk()._encode(content))
    return digest


_LEAVES: dict[type[Any], Callable[[Any], bytes]] = {
    type(None): lambda _: b"N",
    bool: lambda x: b"T" if x else b"F",
    int: lambda x: b"i%x;" % x,
    float: lambda x: b"d" + pack("<d", x),  # all 64 bits: -0.0 is not 0.0, and NaN is equal to itself
    complex: lambda x: b"z" + pack("<dd", x.real, x.imag),
    str: _text,
    bytes: lambda x: b"b%d:" % len(x) + x,
    types.CodeType: _code,
}
