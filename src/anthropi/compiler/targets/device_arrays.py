"""Arrays on a GPU: taken from other libraries and given to them without a copy through the host."""

import ctypes
import functools
from typing import Any

import numpy as np

from anthropi.compiler import cache
from anthropi.compiler.dlpack import CUDA, LEGACY_STREAM, Foreign, exported, imported, on_gpu
from anthropi.compiler.targets import cuda, llvm
from anthropi.compiler.targets.device_packing import device_packing
from anthropi.compiler.targets.machine import WARP
from anthropi.errors import InputError, ShapeError
from anthropi.tape.tape import Slot

__all__ = ["DeviceArray", "Packing", "packing", "stream_of"]

_THREADS = 256
_ADDRESS, _WHOLE = ctypes.c_void_p, ctypes.c_longlong
_MAX_KEPT = 1 << 20  # [byte] arrays of this process that stay on the device
_MAX_ROWS = 64  # their number


def stream_of(library: Any) -> tuple[int, bool]:
    """Return the CUDA stream in which a library works now, and whether it frees memory in the order of this stream.

    Of a library that does not tell, it is CUDA's default stream; then the memory of its arrays may be used again as
    soon as Python has released them.
    """
    name = getattr(library, "__name__", "")
    if name == "torch":
        return int(library.cuda.current_stream().cuda_stream), True
    if name == "cupy":
        return int(library.cuda.get_current_stream().ptr), True
    return 0, library is None


class DeviceArray:
    """Numbers in the memory of a GPU, in C order.

    `torch.from_dlpack(array)`, `jax.dlpack.from_dlpack(array)` and `cupy.from_dlpack(array)` give an array of these
    libraries in the same memory; `numpy.asarray(array)` copies it to this process.
    """

    def __init__(self, memory: Any, shape: tuple[int, ...], dtype: Any, stream: int) -> None:
        self.memory, self.shape, self.dtype, self.stream = memory, shape, np.dtype(dtype), stream

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, on the GPU)"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("An array on the GPU cannot be seen from here without a copy.")
        host = np.empty(self.shape, self.dtype)
        cuda.to_host(cuda.device(), self.memory.address, host, self.stream)
        return host if dtype is None else host.astype(dtype)

    def row(self) -> "DeviceArray":
        """Return the array without its first axis, which has one entry."""
        return DeviceArray(self.memory, self.shape[1:], self.dtype, self.stream)

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, 0

    def __dlpack__(self, *, stream: int | None = None, **_: Any) -> Any:
        if stream != -1:
            reader = 0 if stream in (None, LEGACY_STREAM) else int(stream or 0)
            cuda.device().follow(reader, self.stream)
        return exported(self, self.memory.address, self.shape, self.dtype, CUDA)


class Packing:
    """Copies between plain arrays on the device and the blocks of a kernel of one precision."""

    def __init__(self, precision: str) -> None:
        self.gpu = cuda.device()
        name = cache.digest("packing", precision, self.gpu.chip, self.gpu.driver, cache.source_digest()) + ".cubin"
        entry = cache.read(name)
        code = entry[1] if entry else self.gpu.link(llvm.ptx(device_packing(precision), self.gpu.chip))
        if entry is None:
            cache.write(name, {}, code)
        self._number = ctypes.c_double if precision == "float64" else ctypes.c_float
        self._dtype = np.dtype(precision)
        names = ("pack_f8", "pack_f4", "unpack", "advance")
        self._module, *functions = self.gpu.load(code, names)
        self._functions = dict(zip(names, functions, strict=True))
        self._kept: dict[bytes, Any] = {}

    def pack(self, name: str, array: Any, blocks: Any, batch: int, slot: Slot, stream: int, mask: Any = None) -> Any:
        """Write rows (batch, *shape), or one row (*shape) for all, into a slot of blocks; return what must be kept.

        array : on the device, or of this process. mask : address of (batch,) bytes; rows of 0 are left as they are.
        """
        found = imported(name, array, stream) if on_gpu(array) else self._uploaded(array, stream)
        many = len(found.shape) == len(slot.shape) + 1
        if found.shape[many:] != slot.shape or (many and found.shape[0] != batch):
            raise ShapeError(f"'{name}' has shape {found.shape}; wanted {slot.shape} or {(batch, *slot.shape)}.")
        if found.dtype.str[1:] not in ("f8", "f4"):
            raise InputError(f"'{name}' has numbers of {found.dtype} on the GPU. Give float64 or float32.")
        if not slot.size:
            return found
        inner, far, near = _two_steps(name, found.shape[many:], found.strides[many:])
        rows, columns = blocks.shape
        count = rows * WARP * slot.size
        numbers = (slot.size, batch, found.strides[0] if many else 0, inner, far, near, columns // WARP, slot.start,
                   count)  # fmt: skip
        kinds = (_ADDRESS,) * 3 + (_WHOLE,) * len(numbers)
        arguments = (found.address, blocks.address, mask or 0, *numbers)
        function = self._functions["pack_" + found.dtype.str[1:]]
        self.gpu.launch(function, arguments, kinds, count, _THREADS, stream)
        return found

    def unpack(self, blocks: Any, batch: int, start: int, shape: tuple[int, ...], stream: int) -> DeviceArray:
        """Return the numbers from slot `start` on as an array (batch, *shape) of its own memory."""
        size = int(np.prod(shape, dtype=np.int64))
        memory = cuda.StreamMemory(self.gpu, batch * size * self._dtype.itemsize, stream)
        if size:
            numbers = size, batch, blocks.shape[1] // WARP, start
            kinds = (_ADDRESS,) * 2 + (_WHOLE,) * 4
            arguments = (blocks.address, memory.address, *numbers)
            self.gpu.launch(self._functions["unpack"], arguments, kinds, batch * size, _THREADS, stream)
        return DeviceArray(memory, (batch, *shape), self._dtype, stream)

    def advance(self, blocks: Any, source: int, target: int, value: float, stream: int) -> None:
        """Set one slot of all figures to another one plus a number."""
        rows, columns = blocks.shape
        kinds = (_ADDRESS, *(_WHOLE,) * 4, self._number)
        arguments = (blocks.address, columns // WARP, source, target, rows * WARP, value)
        self.gpu.launch(self._functions["advance"], arguments, kinds, rows * WARP, _THREADS, stream)

    def mask(self, where: Any, batch: int, stream: int) -> tuple[int, Any]:
        """Return the address of a mask (batch,) of booleans, and what must be kept."""
        if on_gpu(where):
            found = imported("where", where, stream)
            if found.shape != (batch,) or found.dtype.itemsize != 1 or found.strides != (1,):
                raise ShapeError(f"where has shape {found.shape} and numbers of {found.dtype}; wanted ({batch},) bool.")
        else:
            rows = np.ascontiguousarray(where, bool)
            if rows.shape != (batch,):
                raise ShapeError(f"where has shape {rows.shape}. Give ({batch},), one entry per rollout.")
            found = self._uploaded(rows.view(np.uint8), stream, keep=False)
        return found.address, found

    def uploaded(self, array: np.ndarray) -> DeviceArray:
        """Return a copy of an array of this process on the device."""
        host = np.asarray(array, self._dtype, order="C")
        memory = cuda.StreamMemory(self.gpu, host.nbytes, 0)
        cuda.to_device(self.gpu, memory.address, host, 0)
        return DeviceArray(memory, host.shape, self._dtype, 0)

    def _uploaded(self, array: Any, stream: int, keep: bool = True) -> Foreign:
        """Return an array of this process on the device. Short rows stay there, to be used again."""
        host = np.asarray(array, order="C")
        host = host if host.dtype == np.uint8 else host.astype(self._dtype, copy=False)
        key = host.tobytes() if keep and host.nbytes <= _MAX_KEPT else b""
        memory = self._kept.get(key) if key else None
        if memory is None:
            memory = cuda.StreamMemory(self.gpu, host.nbytes, stream)
            cuda.to_device(self.gpu, memory.address, host, stream)
            if key:
                self.gpu.wait_for(stream)  # later calls may be in another stream
                if len(self._kept) >= _MAX_ROWS:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[key] = memory
        steps = tuple(s // host.itemsize for s in host.strides)
        return Foreign(memory.address, host.shape, steps, host.dtype, CUDA, memory)


@functools.cache
def packing(precision: str) -> Packing:
    """Return the copies for kernels of a precision."""
    return Packing(precision)


def _two_steps(name: str, shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[int, int, int]:
    """Return how the numbers of a row lie: number i at (i // inner) far + (i % inner) near."""
    merged: list[list[int]] = []
    for size, step in zip(shape, strides, strict=True):
        if size == 1:
            continue
        if merged and merged[-1][1] == size * step:
            merged[-1] = [merged[-1][0] * size, step]
        else:
            merged.append([size, step])
    if len(merged) > 2:
        raise InputError(f"The numbers of '{name}' lie in an order that is not read. Give a contiguous array.")
    if len(merged) < 2:
        return (1 << 62, 0, merged[0][1] if merged else 0)
    return merged[1][0], merged[0][1], merged[1][1]
