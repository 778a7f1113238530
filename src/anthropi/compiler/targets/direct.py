"""Direct calls: a compiled function that reads NumPy arrays itself, for ordinary calls with little work.

Checking three arrays and finding their addresses in Python takes ten times as long as the dynamics of a figure. The
function below is called by Python like one of its own (METH_FASTCALL). It compares type, precision, shape and memory
order of every array with a plan, and runs the kernel if all agree; otherwise the caller continues in Python, which
converts the arrays or explains what is wrong. It is the same code for all kernels.

The places of the fields in an array object belong to NumPy's binary interface, so compiled extensions rely on them too.
They are compared once with those of a known array; if they differ, or if threads run without the interpreter lock,
there are no direct calls.
"""

import ctypes
import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.compiler import cache
from anthropi.compiler.buffers import address
from anthropi.compiler.targets import llvm
from anthropi.tape.tape import Slot

__all__ = ["DONE", "direct_call"]

_HEAD = object.__basicsize__  # [byte] the start of an array's own fields
_TYPE, _DATA, _AXES, _SHAPE, _DTYPE, _FLAGS = (_HEAD + k for k in (-8, 0, 8, 16, 40, 48))
_ORDER, _NUMBER = _HEAD + 10, _HEAD + 12  # fields of a dtype: byte order and number
_CONTIGUOUS, _ALIGNED, _WRITEABLE = 0x1, 0x100, 0x400
_METH_FASTCALL = 0x80
_FIELDS = ("rows1", "memory1", "rows", "memory", "lanes", "table", "to_number", "type", "number", "count")
_OF_ARRAY = ("result", "flags", "place", "size", "axes", "shape")  # numbers of a plan for each array, after the fields
DONE = -1


def direct_call(
    codes: list[tuple[llvm.Loaded, np.ndarray, int] | None],
    inputs: tuple[Slot, ...],
    outputs: tuple[Slot, ...],
    dtype: Any,
) -> Callable[..., Any] | None:
    """Return a function of the input and result arrays of a kernel; None if there are no direct calls here.

    Inputs are (*shape), or (batch, *shape), results are all with or all without a batch. The function returns DONE if
    it has filled the results; the size of the batch if they should have one; and 0 if an array is not a plain array of
    the right shape and precision in C order, or the batch is empty. It holds the interpreter lock, so that calls
    from several threads can share the memory.

    Parameters
    ----------
    codes : the code for one figure, and that for batches: machine code, memory for packed arrays and scratch numbers,
        and number of lanes; None for code that is not compiled.
    """
    if not _fields_are_known():
        return None
    code, method = _function()
    slots = (*inputs, *outputs)
    shapes = np.array([n for s in slots for n in s.shape], np.int64)
    table = np.zeros(3 * len(inputs) + len(outputs) + 2, np.int64)  # with two entries for empty arrays
    one, many = ((c[0].address("rows"), address(c[1])) if c else (0, 0) for c in codes)
    to_number = ctypes.cast(ctypes.pythonapi.PyLong_FromSsize_t, ctypes.c_void_p).value
    plan = [*one, *many, codes[1][2] if codes[1] else 1, address(table), to_number, id(np.ndarray)]
    plan += [np.dtype(dtype).num, len(slots)]
    at = place = 0
    for k, slot in enumerate(slots):
        result = k >= len(inputs)
        flags = _CONTIGUOUS | _ALIGNED | (_WRITEABLE if result else 0)
        plan += [result, flags, place if slot.size else len(table) - 2, slot.size, len(slot.shape), address(shapes) + 8 * at]
        at += len(slot.shape)
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
        whole(at + _TYPE).value == id(np.ndarray)
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
    own = [
        f"  %{name}.k = add i64 %start, {k}\n  %{name}.at = getelementptr i64, ptr %plan, i64 %{name}.k\n"
        f"  %{name} = load i64, ptr %{name}.at"
        for k, name in enumerate(_OF_ARRAY)
    ]
    return _TEXT.format(
        fields="\n".join(fields), own="\n".join(own), fixed=len(_FIELDS), each=len(_OF_ARRAY), a_type=_TYPE,
        a_data=_DATA, a_axes=_AXES, a_shape=_SHAPE, a_dtype=_DTYPE, a_flags=_FLAGS, a_order=_ORDER, a_number=_NUMBER,
        native=ord("="), done=DONE,
    )  # fmt: skip


_TEXT = """
define ptr @direct(ptr %self, ptr %arrays, i64 %given) {{
entry:
  %self.data = getelementptr i8, ptr %self, i64 {a_data}
  %plan = load ptr, ptr %self.data
{fields}
  %answer = inttoptr i64 %to_number to ptr
  %entries = inttoptr i64 %table to ptr
  %complete = icmp eq i64 %given, %count
  br i1 %complete, label %next, label %refuse
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %taken ]
  %batch = phi i64 [ -1, %entry ], [ %batch1, %taken ]
  %left = icmp slt i64 %k, %count
  br i1 %left, label %array, label %run
array:
  %array.at = getelementptr ptr, ptr %arrays, i64 %k
  %a = load ptr, ptr %array.at
  %k1 = add i64 %k, 1
  %before = mul i64 %k, {each}
  %start = add i64 %before, {fixed}
{own}
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
  %some.flags = and i64 %a.flags64, %flags
  %same.flags = icmp eq i64 %some.flags, %flags
  %same = and i1 %same.number, %same.order
  %fits = and i1 %same, %same.flags
  br i1 %fits, label %lengths, label %refuse
lengths:
  %a.axes.at = getelementptr i8, ptr %a, i64 {a_axes}
  %a.axes = load i32, ptr %a.axes.at
  %a.axes64 = sext i32 %a.axes to i64
  %extra = sub i64 %a.axes64, %axes
  %a.shape.at = getelementptr i8, ptr %a, i64 {a_shape}
  %a.shape = load ptr, ptr %a.shape.at
  %own.shape = inttoptr i64 %shape to ptr
  %is.result = icmp ne i64 %result, 0
  switch i64 %extra, label %refuse [ i64 0, label %one.row
                                     i64 1, label %many.rows ]
one.row:
  %for.one = icmp eq i64 %batch, -1
  %ok.one = select i1 %is.result, i1 %for.one, i1 true
  br i1 %ok.one, label %rows.known, label %ask
many.rows:
  %length0 = load i64, ptr %a.shape
  %same.batch = icmp eq i64 %length0, %batch
  %first.batch = icmp eq i64 %batch, -1
  %is.input = xor i1 %is.result, true
  %starts = and i1 %is.input, %first.batch
  %ok.many = or i1 %same.batch, %starts
  %row.shape = getelementptr i64, ptr %a.shape, i64 1
  br i1 %ok.many, label %rows.known, label %refuse
rows.known:
  %batch1 = phi i64 [ %batch, %one.row ], [ %length0, %many.rows ]
  %step = phi i64 [ 0, %one.row ], [ %size, %many.rows ]
  %a.row = phi ptr [ %a.shape, %one.row ], [ %row.shape, %many.rows ]
  br label %axis
axis:
  %d = phi i64 [ 0, %rows.known ], [ %d1, %length ]
  %unknown = icmp slt i64 %d, %axes
  br i1 %unknown, label %length, label %found
length:
  %d1 = add i64 %d, 1
  %a.length.at = getelementptr i64, ptr %a.row, i64 %d
  %a.length = load i64, ptr %a.length.at
  %own.length.at = getelementptr i64, ptr %own.shape, i64 %d
  %own.length = load i64, ptr %own.length.at
  %same.length = icmp eq i64 %a.length, %own.length
  br i1 %same.length, label %axis, label %refuse
found:
  %a.data.at = getelementptr i8, ptr %a, i64 {a_data}
  %a.data = load ptr, ptr %a.data.at
  %entry.at = getelementptr i64, ptr %entries, i64 %place
  store ptr %a.data, ptr %entry.at
  br i1 %is.result, label %taken, label %stepping
stepping:
  %step.at = getelementptr i64, ptr %entry.at, i64 1
  store i64 %step, ptr %step.at
  br label %taken
taken:
  br label %next
run:
  %several = icmp sgt i64 %batch, 1
  %empty = icmp eq i64 %batch, 0
  %width = select i1 %several, i64 %lanes, i64 1
  %figures = select i1 %several, i64 %batch, i64 1
  %code = select i1 %several, i64 %rows, i64 %rows1
  %numbers = select i1 %several, i64 %memory, i64 %memory1
  %missing = icmp eq i64 %code, 0
  %never = or i1 %empty, %missing
  br i1 %never, label %refuse, label %compute
compute:
  %compute.code = inttoptr i64 %code to ptr
  %compute.memory = inttoptr i64 %numbers to ptr
  %beyond = add i64 %figures, %width
  %last = sub i64 %beyond, 1
  %blocks = udiv i64 %last, %width
  call void %compute.code(ptr %entries, ptr %compute.memory, i64 0, i64 %blocks, i64 %figures)
  %done = call ptr %answer(i64 {done})
  ret ptr %done
ask:
  %asked = call ptr %answer(i64 %batch)
  ret ptr %asked
refuse:
  %no = call ptr %answer(i64 0)
  ret ptr %no
}}
"""
