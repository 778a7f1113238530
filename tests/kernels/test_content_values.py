"""Content keys of plain values and objects, what has no key, and results kept by content."""

import ctypes
import functools
import importlib
import itertools
import os
import pathlib
import sys
import threading
import types
import weakref

import numpy as np
import pytest

import anthropi as ap
from anthropi.compiler import content
from anthropi.compiler.content import KeptByContent, content_key

PLAIN = {
    "none": (None, False),
    "bool and int": (True, 1),
    "int and float": (1, 1.0),
    "zeros": (0.0, -0.0),
    "complex": (1 + 2j, 1 - 2j),
    "text and bytes": ("a", b"a"),
    "bytes": (b"a", b"b"),
    "tuple and list": ((1,), [1]),
    "nesting": ((1, (2, 3)), ((1, 2), 3)),
    "set and frozenset": ({1}, frozenset({1})),
    "sets": ({1, 2}, {1, 3}),
    "dict order": ({1: 2, 3: 4}, {3: 4, 1: 2}),
    "range": (range(3), range(4)),
    "slice": (slice(3), slice(4)),
    "ellipsis": (..., NotImplemented),
    "path": (pathlib.Path("a"), pathlib.Path("b")),
    "namespace": (types.SimpleNamespace(a=1), types.SimpleNamespace(a=2)),
    "dtype": (np.zeros(2), np.zeros(2, "f4")),
    "shape": (np.zeros((2, 3)), np.zeros((3, 2))),
    "element": (np.array([0.0]), np.array([-0.0])),
    "numpy scalar": (np.float64(1.0), 1.0),
    "objects": (np.array([1, "a"], object), np.array([1, "b"], object)),
    "structured": (np.zeros(2, "f8,i4"), np.zeros(2, "f8,i8")),
    "large": (np.arange(999.0), np.arange(999.0)[::-1]),
    "generator": (np.random.default_rng(1), np.random.default_rng(2)),
    "ufunc": (np.sin, np.cos),
    "builtin": (len, max),
    "bound builtin": ([1].count, [2].count),
    "class": (dict, list),
    "module": (np, os),
    "partial": (functools.partial(max, 1), functools.partial(max, 2)),
    "large int": (10**5000, 10**5001),
    "nan": (float("nan"), 0.0),
    "iterator": (iter([1]), iter([2])),
    "count": (itertools.count(1), itertools.count(2)),
}


@pytest.mark.parametrize("pair", PLAIN)
def test_plain_values_differ_by_value_and_type(pair):
    keys = [content_key(x) for x in PLAIN[pair]]
    assert None not in keys
    assert keys[0] != keys[1]
    assert keys == [content_key(x) for x in PLAIN[pair]]


def test_shared_and_equal_objects_give_the_same_key():
    one = [1.0, 2.0]
    assert content_key([one, one]) == content_key([[1.0, 2.0], [1.0, 2.0]])
    assert content_key({"a", "b", "c", 1, 2.0, None}) == content_key({None, 2.0, 1, "c", "b", "a"})


def test_a_class_says_what_counts():
    class Memo:
        _not_content = ("table",)

        def __init__(self, gain):
            self.gain, self.table, self.lock = gain, {}, None

    class Locked(Memo):
        def __init__(self, gain):
            super().__init__(gain)
            self.lock = threading.Lock()

        def __anthropi_content__(self):
            return self.gain

    for kind in (Memo, Locked):
        one, same, other = kind(1.0), kind(1.0), kind(2.0)
        same.table["x"] = 3.0
        assert content_key(one) == content_key(same) != content_key(other)


def test_cycles_end_and_have_content():
    def ring(*numbers):
        links = [types.SimpleNamespace(number=n) for n in numbers]
        for one, following in zip(links, [*links[1:], links[0]], strict=True):
            one.following = following
        return links[0]

    keys = [content_key(ring(*numbers)) for numbers in ((1, 2, 3), (1, 2, 3), (1, 3, 2), (2, 3, 1), (1, 2, 4))]
    assert None not in keys
    assert keys[0] == keys[1] and len(set(keys)) == 4
    endless: list = []
    endless.append(endless)
    assert content_key(endless) is not None


# what cannot be known


def made_by_eval(x):
    return eval("x")


class WithFile:
    def __init__(self):
        self.file = sys.__stdout__


class Fields(ctypes.Structure):
    _fields_ = (("x", ctypes.c_int),)


def compiled_module():
    """A module of machine code; imported late, because machines that only run the tests for a GPU may lack it."""
    return importlib.import_module("pydantic_core")


UNKNOWABLE = {
    "generator": lambda: (x for x in ()),
    "file": lambda: sys.__stdout__,
    "lock": threading.Lock,
    "weak reference": lambda: weakref.ref(WithFile),
    "ctypes": lambda: ctypes.c_int(1),
    "structure": Fields,
    "compiled function": lambda: compiled_module().to_json,
    "compiled class": lambda: compiled_module().SchemaValidator,
    "compiled instance": lambda: compiled_module().SchemaValidator({"type": "int"}),
    "eval": lambda: made_by_eval,
    "attribute": WithFile,
    "element": lambda: [1, {"a": (threading.Lock(),)}],
    "closure": lambda: (lambda lock: lambda: lock)(threading.Lock()),
    "ufunc": lambda: np.frompyfunc(abs, 1, 1),
    "long double": lambda: np.zeros(1, np.longdouble),
    "memory": lambda: memoryview(b"a"),
    "too deep": lambda: functools.reduce(lambda inner, _: [inner], range(100_000), []),
}


@pytest.mark.parametrize("kind", UNKNOWABLE)
def test_what_cannot_be_known_has_no_key(kind):
    assert content_key(UNKNOWABLE[kind]()) is None
    assert content_key((1.0, UNKNOWABLE[kind]())) is None


def test_too_much_content_has_no_key(monkeypatch):
    monkeypatch.setattr(content, "MAX_OBJECTS", 100)
    assert content_key([[k] for k in range(99)]) is not None
    assert content_key([[k] for k in range(100)]) is None


def test_a_number_that_is_being_recorded_has_no_key():
    seen = []
    ap.record(lambda x: seen.append(content_key(x)) or x, x=np.zeros(2))
    assert seen == [None]


# keeping results


def test_results_are_kept_by_content():
    kept, made = KeptByContent(size=3), []
    for gain in (1.0, 2.0, 1.0, 1.0):
        assert kept.find(("f", lambda x, gain=gain: gain * x), lambda gain=gain: made.append(gain) or gain) == gain
    assert made == [1.0, 2.0]
    for k in range(5):
        kept.find(k, lambda: None)
    assert len(kept) == 3
    kept.clear()
    assert len(kept) == 0


def test_results_of_unknowable_content_are_kept_by_identity():
    kept, made, files = KeptByContent(), [], [WithFile(), WithFile()]
    for file in (*files, *files):
        kept.find((1.0, "x", (file,)), lambda: made.append(1))
    assert len(made) == 2


def test_a_result_that_could_not_be_made_is_tried_again():
    kept = KeptByContent()
    with pytest.raises(ZeroDivisionError):
        kept.find(1, lambda: 1 / 0)
    assert kept.find(1, lambda: "made") == "made"


def test_threads_make_a_result_once():
    kept, made, start = KeptByContent(), [], threading.Barrier(8)

    def ask():
        start.wait()
        kept.find("same", lambda: made.append(1))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]
