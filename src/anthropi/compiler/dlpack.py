"""The DLPack protocol, version 0: arrays of other libraries are read, and own memory is handed on, without a copy.

A library describes an array by a C structure in a Python capsule. ctypes reads and writes these structures, so that no
library needs to be imported. The layout of the structures: https://dmlc.github.io/dlpack/latest/c_api.html.
"""

import ctypes
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError

__all__ = ["CPU", "CUDA", "LEGACY_STREAM", "Foreign", "exported", "imported", "on_gpu"]

CPU, CUDA = 1, 2  # kDLCPU and kDLCUDA
LEGACY_STREAM = 1  # how the protocol writes CUDA's default stream, whose handle is 0
_KINDS = {(0, 8): "i1", (0, 32): "i4", (0, 64): "i8", (1, 8): "u1", (2, 32): "f4", (2, 64): "f8", (6, 8): "?"}
_CODES = {"f4": (2, 32), "f8": (2, 64)}


class _Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    """DLManagedTensor."""


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.argtypes, _new_capsule.restype = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p), ctypes.py_object
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.argtypes, _capsule_pointer.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p
_NAME = b"dltensor"  # a library that takes the memory over renames the capsule


class Foreign(NamedTuple):
    """An array of another library: where its numbers are. `keep` keeps the memory."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # in numbers
    dtype: np.dtype[Any]
    device: int
    keep: Any


def on_gpu(array: Any) -> bool:
    """Whether the numbers of an array are in the memory of an NVIDIA GPU."""
    kind = type(array)
    if kind is np.ndarray or kind is float or not hasattr(kind, "__dlpack_device__"):
        return False
    return int(array.__dlpack_device__()[0]) == CUDA


def imported(name: str, array: Any, stream: int) -> Foreign:
    """Return where the numbers of an array are.

    name : of the input, for messages. stream : handle of the CUDA stream that will read them; the library makes it wait
    until they are there.
    """
    try:
        capsule = array.__dlpack__(stream=stream or LEGACY_STREAM)
    except (TypeError, RuntimeError, BufferError, ValueError) as problem:
        grad = " It records gradients: give x.detach()." if getattr(array, "requires_grad", False) is True else ""
        raise InputError(f"'{name}' of type {type(array).__name__} cannot be read: {problem}.{grad}") from problem
    tensor = _Managed.from_address(_capsule_pointer(capsule, _NAME)).tensor
    shape = tuple(tensor.shape[k] for k in range(tensor.ndim))
    kind = _KINDS.get((tensor.code, tensor.bits))
    if kind is None or tensor.lanes != 1:
        raise InputError(f"'{name}' has numbers of a type that a kernel does not read. Give float64 or float32.")
    if tensor.strides:
        strides = tuple(tensor.strides[k] for k in range(tensor.ndim))
    else:
        strides = tuple(int(np.prod(shape[k + 1 :], dtype=np.int64)) for k in range(tensor.ndim))
    address = (tensor.data or 0) + tensor.byte_offset
    return Foreign(address, shape, strides, np.dtype(kind), tensor.device_type, (array, capsule))


_handed: dict[int, tuple[Any, ...]] = {}  # what must be kept until the other library calls the deleter


@_Deleter
def _release(managed: Any) -> None:
    """Called by a library that needs the memory no longer."""
    _handed.pop(ctypes.addressof(managed.contents), None)


# a capsule that is being destroyed is known by its address only: an object must not be made of it any more
_named = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_content = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _discard(capsule: int) -> None:
    """Called when a capsule is destroyed: its memory is released, unless a library has taken it over."""
    if _named(capsule, _NAME):
        _handed.pop(_content(capsule, _NAME), None)


def exported(owner: Any, address: int, shape: tuple[int, ...], dtype: Any, device: int) -> Any:
    """Return a capsule for an array in C order; `owner` is kept until the library releases it."""
    sizes = (ctypes.c_int64 * max(len(shape), 1))(*shape)
    code, bits = _CODES[np.dtype(dtype).str[1:]]
    tensor = _Tensor(address, device, 0, len(shape), code, bits, 1, sizes, None, 0)
    managed = _Managed(tensor, None, _release)
    place = ctypes.addressof(managed)
    _handed[place] = managed, sizes, owner
    return _new_capsule(place, _NAME, ctypes.cast(_discard, ctypes.c_void_p))
