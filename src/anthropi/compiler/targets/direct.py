"""Direct calls: a compiled function that reads NumPy arrays itself, for ordinary calls with little work.

Checking three arrays and finding their addresses in Python takes ten times as long as the dynamics of a figure. The
function below is called by Python like one of its own (METH_FASTCALL). It compares type, precision, shape and memory
order of every array with a plan. If all agree, it makes the result arrays and runs the kernel; otherwise the caller
continues in Python, which converts the arrays or explains what is wrong. It is the same code for all kernels.

The places of the fields in an array object belong to NumPy's binary interface, so compiled extensions rely on them too.
They are compared once with those of a known array; if they differ, or if threads run without the interpreter lock,
there are no direct calls.
"""

import ctypes
import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.compiler import cache
from anthropi.compiler.buffers import address
from anthropi.compiler.targets import llvm
from anthropi.tape.tape import Slot

__all__ = ["direct_call"]

_HEAD = object.__basicsize__  # [byte] the start of an array's own fields
_TYPE, _DATA, _AXES, _SHAPE, _DTYPE, _FLAGS = (_HEAD + k for k in (-8, 0, 8, 16, 40, 48))
_ORDER, _NUMBER = _HEAD + 10, _HEAD + 12  # fields of a dtype: byte order and number
_CONTIGUOUS, _ALIGNED, _WRITEABLE = 0x1, 0x100, 0x400
_ARRAY_TYPE, _ARRAY_NEW = 2, 93  # places in the table of NumPy's C functions
_METH_FASTCALL = 0x80
_FIELDS = """rows1 memory1 rows memory lanes most table inputs outputs number type none
    incref decref new_array new_tuple set_item""".split()
_OF_ARRAY = ("flags", "place", "size", "axes", "shape")  # numbers of a plan for each array, after the fields


def direct_call(
    codes: list[tuple[llvm.Loaded, np.ndarray, int] | None],
    inputs: tuple[Slot, ...],
    outputs: tuple[Slot, ...],
    dtype: Any,
    most: int,
) -> Callable[..., Any] | None:
    """Return a function of the inputs of a kernel, or of inputs and results; None if there are no direct calls here.

    Inputs are (*shape), or (batch, *shape). The function returns the result, or a tuple of results, with a batch axis
    if an input has one. Given the results too, of one figure, it fills them and returns the first. It returns None if
    an array is not a plain array of the right shape and precision in C order, or if the batch is empty or too large.
    It holds the interpreter lock while it computes, so that calls from several threads can share the memory.

    Parameters
    ----------
    codes : the code for one figure, and that for batches: machine code, memory for packed arrays and scratch numbers,
        and number of lanes; None for code that is not compiled. most : the largest batch; 0 for no calls.
    """
    if most < 1 or not (inputs and outputs and _fields_are_known()):
        return None
    code, method = _function()
    slots = (*inputs, *outputs)
    shapes = np.array([n for s in slots for n in (0, *s.shape)], np.int64)  # the first place is for the batch
    table = np.zeros(3 * len(inputs) + len(outputs) + 2, np.int64)  # with two entries for empty arrays
    one, many = ((c[0].address("rows"), address(c[1])) if c else (0, 0) for c in codes)
    plan = [*one, *many, codes[1][2] if codes[1] else 1, most, address(table), len(inputs), len(outputs)]
    plan += [np.dtype(dtype).num, id(np.ndarray), id(None), *_functions_of_python()]
    at = place = 0
    for k, slot in enumerate(slots):
        result = k >= len(inputs)
        flags = _CONTIGUOUS | _ALIGNED | (_WRITEABLE if result else 0)
        plan += [flags, place if slot.size else len(table) - 2, slot.size, len(slot.shape), address(shapes) + 8 * at]
        at += 1 + len(slot.shape)
        place += 0 if not slot.size else 1 if result else 3
    given = np.array(plan, np.int64).view(_Plan)
    given.keep = (codes, code, method, table, shapes)
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    return new(ctypes.addressof(method), given, None)


class _Plan(np.ndarray):
    """The numbers that the compiled function reads, and what must stay alive as long as it may be called."""

    keep: Any


class _Method(ctypes.Structure):
    """PyMethodDef of CPython."""

    _fields_ = [
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p),
    ]  # fmt: skip


@functools.cache
def _function() -> tuple[llvm.Loaded, _Method]:
    """Return the compiled function, from the cache if possible, and its description for Python."""
    cpu, features, _ = llvm.host()
    name = cache.digest("direct", str(_HEAD), cpu, features, llvm.versions(), cache.source_digest()) + ".code"
    entry = cache.read(name)
    code = entry[1] if entry else llvm.assemble(_text(), 2)
    if not entry:
        cache.write(name, {}, code)
    loaded = llvm.load(code)
    return loaded, _Method(b"direct", loaded.address("direct"), _METH_FASTCALL, None)


@functools.cache
def _functions_of_python() -> list[int]:
    """Return the addresses of the functions of Python and NumPy that the code calls."""
    api = ctypes.pythonapi
    incref, decref, new_tuple, set_item = (
        ctypes.cast(f, ctypes.c_void_p).value or 0
        for f in (api.Py_IncRef, api.Py_DecRef, api.PyTuple_New, api.PyTuple_SetItem)
    )
    return [incref, decref, _of_numpy(_ARRAY_NEW), new_tuple, set_item]


def _of_numpy(k: int) -> int:
    """Return entry k of the table of NumPy's C functions."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    table = pointer(importlib.import_module("numpy._core._multiarray_umath")._ARRAY_API, None)
    return ctypes.c_int64.from_address(table + 8 * k).value


@functools.cache
def _fields_are_known() -> bool:
    """Check that Python has an interpreter lock, and that the fields of an array are where the code reads them."""
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    pointer = ctypes.sizeof(ctypes.c_void_p) == 8 and sys.byteorder == "little"
    if sys.implementation.name != "cpython" or not (locked and pointer) or np.ndarray.__basicsize__ < _FLAGS + 4:
        return False
    known = np.zeros((3, 4))[1:, :2]
    at = id(known)
    whole, short = ctypes.c_int64.from_address, ctypes.c_int32.from_address
    return bool(
        whole(at + _TYPE).value == id(np.ndarray) == _of_numpy(_ARRAY_TYPE)
        and whole(at + _DATA).value == address(known)
        and short(at + _AXES).value == 2
        and [whole(whole(at + _SHAPE).value + 8 * k).value for k in range(2)] == [2, 2]
        and whole(at + _DTYPE).value == id(known.dtype)
        and short(at + _FLAGS).value == known.flags.num
        and ctypes.c_char.from_address(id(known.dtype) + _ORDER).value == b"="
        and short(id(known.dtype) + _NUMBER).value == known.dtype.num
    )


def _text() -> str:
    """Return the LLVM IR of the function `direct(plan, arrays, count)`."""
    fields = [
        f"  %{name}.at = getelementptr i64, ptr %plan, i64 {k}\n  %{name} = load i64, ptr %{name}.at"
        for k, name in enumerate(_FIELDS)
    ]

    def own(which: str, *names: str) -> str:
        """Return the IR that loads numbers of the plan for array number %k."""
        lines = [f"  %{which}.k = mul i64 %{which}, {len(_OF_ARRAY)}"]
        for name in names:
            place = len(_FIELDS) + _OF_ARRAY.index(name)
            lines += [
                f"  %{which}.{name}.k = add i64 %{which}.k, {place}",
                f"  %{which}.{name}.at = getelementptr i64, ptr %plan, i64 %{which}.{name}.k",
                f"  %{which}.{name} = load i64, ptr %{which}.{name}.at",
            ]
        return "\n".join(lines)

    return _TEXT.format(
        fields="\n".join(fields), checked=own("k", "flags", "axes", "shape"), made=own("m", "axes", "shape", "place"),
        filled=own("f", "place", "size", "axes"), a_type=_TYPE, a_data=_DATA, a_axes=_AXES, a_shape=_SHAPE,
        a_dtype=_DTYPE, a_flags=_FLAGS, a_order=_ORDER, a_number=_NUMBER, native=ord("="),
    )  # fmt: skip


_TEXT = """
define ptr @direct(ptr %self, ptr %arrays, i64 %given) {{
entry:
  %self.data = getelementptr i8, ptr %self, i64 {a_data}
  %plan = load ptr, ptr %self.data
{fields}
  %entries = inttoptr i64 %table to ptr
  %slots = add i64 %inputs, %outputs
  %without = icmp eq i64 %given, %inputs
  %with = icmp eq i64 %given, %slots
  %complete = or i1 %without, %with
  %results = alloca ptr, i64 %outputs
  br i1 %complete, label %check, label %refuse

check:
  %k = phi i64 [ 0, %entry ], [ %k1, %axis ]
  %batch = phi i64 [ -1, %entry ], [ %batch1, %axis ]
  %left = icmp slt i64 %k, %given
  br i1 %left, label %array, label %checked
array:
  %array.at = getelementptr ptr, ptr %arrays, i64 %k
  %a = load ptr, ptr %array.at
  %k1 = add i64 %k, 1
  %is.input = icmp slt i64 %k, %inputs
{checked}
  %a.type.at = getelementptr i8, ptr %a, i64 {a_type}
  %a.type = load i64, ptr %a.type.at
  %plain = icmp eq i64 %a.type, %type
  br i1 %plain, label %precision, label %refuse
precision:
  %a.dtype.at = getelementptr i8, ptr %a, i64 {a_dtype}
  %a.dtype = load ptr, ptr %a.dtype.at
  %a.number.at = getelementptr i8, ptr %a.dtype, i64 {a_number}
  %a.number = load i32, ptr %a.number.at
  %a.number64 = sext i32 %a.number to i64
  %same.number = icmp eq i64 %a.number64, %number
  %a.order.at = getelementptr i8, ptr %a.dtype, i64 {a_order}
  %a.order = load i8, ptr %a.order.at
  %same.order = icmp eq i8 %a.order, {native}
  %a.flags.at = getelementptr i8, ptr %a, i64 {a_flags}
  %a.flags = load i32, ptr %a.flags.at
  %a.flags64 = sext i32 %a.flags to i64
  %some.flags = and i64 %a.flags64, %k.flags
  %same.flags = icmp eq i64 %some.flags, %k.flags
  %same = and i1 %same.number, %same.order
  %fits = and i1 %same, %same.flags
  br i1 %fits, label %lengths, label %refuse
lengths:
  %a.axes.at = getelementptr i8, ptr %a, i64 {a_axes}
  %a.axes = load i32, ptr %a.axes.at
  %a.axes64 = sext i32 %a.axes to i64
  %extra = sub i64 %a.axes64, %k.axes
  %a.shape.at = getelementptr i8, ptr %a, i64 {a_shape}
  %a.shape = load ptr, ptr %a.shape.at
  %own.shape = inttoptr i64 %k.shape to ptr
  switch i64 %extra, label %refuse [ i64 0, label %one.row
                                     i64 1, label %many.rows ]
one.row:
  %for.one = icmp eq i64 %batch, -1
  %ok.one = or i1 %is.input, %for.one
  br i1 %ok.one, label %rows.known, label %refuse
many.rows:
  %length0 = load i64, ptr %a.shape
  %same.batch = icmp eq i64 %length0, %batch
  %first.batch = icmp eq i64 %batch, -1
  %known.batch = or i1 %same.batch, %first.batch
  %ok.many = and i1 %known.batch, %is.input
  %row.shape = getelementptr i64, ptr %a.shape, i64 1
  br i1 %ok.many, label %rows.known, label %refuse
rows.known:
  %batch1 = phi i64 [ %batch, %one.row ], [ %length0, %many.rows ]
  %a.row = phi ptr [ %a.shape, %one.row ], [ %row.shape, %many.rows ]
  br label %axis
axis:
  %d = phi i64 [ 0, %rows.known ], [ %d1, %length ]
  %unknown = icmp slt i64 %d, %k.axes
  br i1 %unknown, label %length, label %check
length:
  %d1 = add i64 %d, 1
  %a.length.at = getelementptr i64, ptr %a.row, i64 %d
  %a.length = load i64, ptr %a.length.at
  %own.length.at = getelementptr i64, ptr %own.shape, i64 %d1
  %own.length = load i64, ptr %own.length.at
  %same.length = icmp eq i64 %a.length, %own.length
  br i1 %same.length, label %axis, label %refuse

checked:
  %several = icmp sgt i64 %batch, 1
  %empty = icmp eq i64 %batch, 0
  %large = icmp sgt i64 %batch, %most
  %width = select i1 %several, i64 %lanes, i64 1
  %figures = select i1 %several, i64 %batch, i64 1
  %code = select i1 %several, i64 %rows, i64 %rows1
  %numbers = select i1 %several, i64 %memory, i64 %memory1
  %missing = icmp eq i64 %code, 0
  %not = or i1 %empty, %large
  %never = or i1 %not, %missing
  br i1 %never, label %refuse, label %answer

answer:
  %single = icmp eq i64 %outputs, 1
  %no.tuple = or i1 %single, %with
  br i1 %no.tuple, label %make, label %tuple
tuple:
  %tuple.new = inttoptr i64 %new_tuple to ptr
  %tuple.made = call ptr %tuple.new(i64 %outputs)
  %tuple.failed = icmp eq ptr %tuple.made, null
  br i1 %tuple.failed, label %failed, label %make
make:
  %whole = phi ptr [ null, %answer ], [ %tuple.made, %tuple ]
  %has.batch = icmp ne i64 %batch, -1
  %lead = zext i1 %has.batch to i32
  br label %result
result:
  %r = phi i64 [ 0, %make ], [ %r1, %made ]
  %r1 = add i64 %r, 1
  %r.at = getelementptr ptr, ptr %results, i64 %r
  %more = icmp slt i64 %r, %outputs
  br i1 %more, label %get, label %fill
get:
  %m = add i64 %inputs, %r
  br i1 %with, label %take, label %new
take:
  %taken.at = getelementptr ptr, ptr %arrays, i64 %m
  %taken = load ptr, ptr %taken.at
  store ptr %taken, ptr %r.at
  br label %made
new:
{made}
  %m.whole = inttoptr i64 %m.shape to ptr
  store i64 %batch, ptr %m.whole
  %m.row = getelementptr i64, ptr %m.whole, i64 1
  %m.dimensions = select i1 %has.batch, ptr %m.whole, ptr %m.row
  %m.axes32 = trunc i64 %m.axes to i32
  %m.count = add i32 %m.axes32, %lead
  %number32 = trunc i64 %number to i32
  %array.new = inttoptr i64 %new_array to ptr
  %type.pointer = inttoptr i64 %type to ptr
  %array.made = call ptr %array.new(ptr %type.pointer, i32 %m.count, ptr %m.dimensions, i32 %number32, ptr null,
    ptr null, i32 0, i32 0, ptr null)
  store ptr %array.made, ptr %r.at
  %array.failed = icmp eq ptr %array.made, null
  br i1 %array.failed, label %release, label %keep
keep:
  %has.tuple = icmp ne ptr %whole, null
  br i1 %has.tuple, label %place, label %made
place:
  %place.item = inttoptr i64 %set_item to ptr
  %placed = call i32 %place.item(ptr %whole, i64 %r, ptr %array.made)
  br label %made
made:
  br label %result
release:
  %release.any = icmp ne ptr %whole, null
  br i1 %release.any, label %release.tuple, label %failed
release.tuple:
  %release.call = inttoptr i64 %decref to ptr
  call void %release.call(ptr %whole)
  br label %failed
failed:
  ret ptr null

fill:
  br label %entry.next
entry.next:
  %f = phi i64 [ 0, %fill ], [ %f1, %entry.done ]
  %f.left = icmp slt i64 %f, %slots
  br i1 %f.left, label %entry.array, label %compute
entry.array:
  %f1 = add i64 %f, 1
{filled}
  %f.is.input = icmp slt i64 %f, %inputs
  %f.result = sub i64 %f, %inputs
  %f.number = select i1 %f.is.input, i64 %f, i64 %f.result
  %f.from = select i1 %f.is.input, ptr %arrays, ptr %results
  %f.at = getelementptr ptr, ptr %f.from, i64 %f.number
  %f.array = load ptr, ptr %f.at
  %f.data.at = getelementptr i8, ptr %f.array, i64 {a_data}
  %f.data = load ptr, ptr %f.data.at
  %entry.at = getelementptr i64, ptr %entries, i64 %f.place
  store ptr %f.data, ptr %entry.at
  br i1 %f.is.input, label %entry.step, label %entry.done
entry.step:
  %f.axes.own.at = getelementptr i8, ptr %f.array, i64 {a_axes}
  %f.axes.own = load i32, ptr %f.axes.own.at
  %f.axes.own64 = sext i32 %f.axes.own to i64
  %f.many = icmp sgt i64 %f.axes.own64, %f.axes
  %f.step = select i1 %f.many, i64 %f.size, i64 0
  %f.step.at = getelementptr i64, ptr %entry.at, i64 1
  store i64 %f.step, ptr %f.step.at
  br label %entry.done
entry.done:
  br label %entry.next

compute:
  %compute.code = inttoptr i64 %code to ptr
  %compute.memory = inttoptr i64 %numbers to ptr
  %beyond = add i64 %figures, %width
  %last = sub i64 %beyond, 1
  %blocks = udiv i64 %last, %width
  call void %compute.code(ptr %entries, ptr %compute.memory, i64 0, i64 %blocks, i64 %figures)
  %first = load ptr, ptr %results
  %several.made = icmp ne ptr %whole, null
  %found = select i1 %several.made, ptr %whole, ptr %first
  br i1 %with, label %share, label %return
share:
  %share.call = inttoptr i64 %incref to ptr
  call void %share.call(ptr %found)
  br label %return
return:
  ret ptr %found
refuse:
  %none.pointer = inttoptr i64 %none to ptr
  %refuse.call = inttoptr i64 %incref to ptr
  call void %refuse.call(ptr %none.pointer)
  ret ptr %none.pointer
}}
"""
