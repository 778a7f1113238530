"""Interface to the CUDA driver: linking of PTX, device memory and kernel launches. The only file that uses CUDA."""

import ctypes
import functools
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from anthropi.compiler.targets.machine import WARP
from anthropi.errors import BuildError, MissingExtra

__all__ = ["Array", "Device", "StreamMemory", "copy_columns", "copy_on_device", "device", "to_device", "to_host"]


@functools.cache
def _cuda() -> Any:
    try:
        from cuda.bindings import driver
    except ImportError as problem:
        raise MissingExtra("cuda-bindings", "gpu", "target='gpu'") from problem
    return driver


def _check(result: Any, doing: str) -> Any:
    """Return the values of a driver call; raise `BuildError` that names the action (`doing`) if the call failed."""
    cuda = _cuda()
    status, *values = result
    if status != cuda.CUresult.CUDA_SUCCESS:
        raise BuildError(f"CUDA could not {doing}: {status.name}. Check the NVIDIA driver, or use target='cpu'.")
    return values[0] if len(values) == 1 else tuple(values)


class Device:
    """The first GPU of this machine."""

    name: str
    chip: str
    driver: str

    def __init__(self) -> None:
        cuda = _cuda()
        self._process = os.getpid()
        try:
            started = cuda.cuInit(0)
        except RuntimeError as problem:  # no driver library to load
            raise BuildError("target='gpu' needs an NVIDIA driver. Install one, or use target='cpu'.") from problem
        _check(started, "start")
        self._handle = _check(cuda.cuDeviceGet(0), "find a device")
        self._context = _check(cuda.cuDevicePrimaryCtxRetain(self._handle), "make a context")
        self._make_current()
        name = _check(cuda.cuDeviceGetName(100, self._handle), "name the device")
        self.name = name.decode().split("\0")[0]
        attribute = cuda.CUdevice_attribute
        major = self._attribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        minor = self._attribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
        self.chip = f"sm_{major}{minor}"
        self.driver = str(_check(cuda.cuDriverGetVersion(), "report its version"))

    def _attribute(self, which: Any) -> int:
        """Return a device attribute."""
        return _check(_cuda().cuDeviceGetAttribute(which, self._handle), "report its attributes")

    def _make_current(self) -> None:
        """Make the context current in this thread."""
        if self._process != os.getpid():
            raise BuildError(
                "target='gpu' cannot be used in a forked process: CUDA belongs to the parent process. Start processes "
                "with multiprocessing.get_context(\"spawn\"), or use target='cpu'."
            )
        _check(_cuda().cuCtxSetCurrent(self._context), "use its context")

    def link(self, ptx: str, registers: int = 0) -> bytes:
        """Compile PTX to machine code (a cubin) for this device. registers : limit of a thread; 0 for none."""
        cuda = _cuda()
        self._make_current()
        options = [(cuda.CUjit_option.CU_JIT_MAX_REGISTERS, registers)] if registers else []
        state = _check(
            cuda.cuLinkCreate(len(options), [o for o, _ in options], [v for _, v in options]), "start linking"
        )
        text = ptx.encode() + b"\0"
        kind = cuda.CUjitInputType.CU_JIT_INPUT_PTX
        _check(cuda.cuLinkAddData(state, kind, text, len(text), b"kernel", 0, [], []), "compile the PTX of a kernel")
        address, size = _check(cuda.cuLinkComplete(state), "link a kernel")
        code = ctypes.string_at(int(address), size)
        _check(cuda.cuLinkDestroy(state), "end linking")
        return code

    def load(self, code: bytes, names: Sequence[str] = ("run",)) -> tuple[Any, ...]:
        """Load a cubin; return its module, which must be kept, and some of its functions."""
        self._make_current()
        module = _check(_cuda().cuModuleLoadData(code), "load a kernel")
        found = [_check(_cuda().cuModuleGetFunction(module, n.encode()), "find a kernel's entry") for n in names]
        return module, *found

    def symbol(self, module: Any, name: str) -> int:
        """Return the address of a global of a loaded module."""
        return int(_check(_cuda().cuModuleGetGlobal(module, name.encode()), "find a global")[0])

    def usage(self, function: Any) -> dict[str, int]:
        """Return registers per thread, spilled bytes per thread and shared-memory bytes per block."""
        kind = _cuda().CUfunction_attribute
        wanted = {
            "registers": kind.CU_FUNC_ATTRIBUTE_NUM_REGS,
            "spilled": kind.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
            "shared": kind.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
        }
        self._make_current()
        return {
            n: _check(_cuda().cuFuncGetAttribute(a, function), "report the attributes of a kernel")
            for n, a in wanted.items()
        }

    def launch(self, function: Any, arguments: Any, kinds: Any, count: int, threads: int, stream: int = 0) -> None:
        """Launch a kernel for `count` threads in blocks of `threads`; later operations in the stream wait for it."""
        self._make_current()
        grid, given = -(-count // threads), (tuple(arguments), tuple(kinds))
        _check(_cuda().cuLaunchKernel(function, grid, 1, 1, threads, 1, 1, 0, stream, given, 0), "launch a kernel")

    def run(self, function: Any, pointers: Any, warps: int, threads: int, stream: int = 0) -> None:
        """Launch the kernel of a tape, `run(in, out, tmp, warps)`."""
        kinds = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_longlong)
        self.launch(function, (*pointers, warps), kinds, warps * WARP, threads, stream)

    def follow(self, stream: int, other: int) -> None:
        """Make a stream wait for what was put into another one so far."""
        if stream == other:
            return
        cuda = _cuda()
        self._make_current()
        event = _check(cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_DISABLE_TIMING), "make an event")
        _check(cuda.cuEventRecord(event, other), "record an event")
        _check(cuda.cuStreamWaitEvent(stream, event, 0), "order two streams")
        _check(cuda.cuEventDestroy(event), "end an event")

    def wait_for(self, stream: int) -> None:
        """Wait for what was put into a stream so far."""
        self._make_current()
        _check(_cuda().cuStreamSynchronize(stream), "finish a stream")

    def wait(self) -> None:
        """Wait for all launched kernels."""
        self._make_current()
        _check(_cuda().cuCtxSynchronize(), "finish a kernel")


@functools.cache
def device() -> Device:
    """Return the GPU of this machine."""
    return Device()


class Array:
    """Array (rows, count) of numbers in device memory, which is freed with this object."""

    shape: tuple[int, int]
    dtype: np.dtype[Any]
    pointer: Any

    def __init__(self, gpu: Device, shape: tuple[int, int], dtype: Any) -> None:
        self.shape, self.dtype, self._gpu = shape, np.dtype(dtype), gpu
        gpu._make_current()
        size = max(1, shape[0] * shape[1] * self.dtype.itemsize)
        self._free = _cuda().cuMemFree  # looked up here, because the module may be gone at exit
        self.pointer = _check(_cuda().cuMemAlloc(size), "allocate memory")

    @property
    def address(self) -> int:
        """Address on the device."""
        return int(self.pointer)

    def write(self, host: np.ndarray, start: int = 0) -> None:
        """Copy columns (rows, n) from the host to the device array, from its column `start` on."""
        host = np.ascontiguousarray(host, self.dtype)
        self._copy(host, start, "copy to the device", down=True)

    def read(self, start: int, count: int) -> np.ndarray:
        """Return a copy of `count` columns of the device array, from its column `start` on."""
        host = np.empty((self.shape[0], count), self.dtype)
        self._copy(host, start, "copy from the device", down=False)
        return host

    def _copy(self, host: np.ndarray, start: int, doing: str, down: bool) -> None:
        """Copy columns to the device (`down`) or from it, and wait until the copy is done."""
        if not host.size:
            return
        cuda, size = _cuda(), self.dtype.itemsize
        task = cuda.CUDA_MEMCPY2D()
        here, there = cuda.CUmemorytype.CU_MEMORYTYPE_HOST, cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE
        task.WidthInBytes, task.Height = host.shape[1] * size, host.shape[0]
        if down:
            task.srcMemoryType, task.srcHost, task.srcPitch = here, host.ctypes.data, task.WidthInBytes
            task.dstMemoryType, task.dstDevice = there, self.address + start * size
            task.dstPitch = self.shape[1] * size
        else:
            task.dstMemoryType, task.dstHost, task.dstPitch = here, host.ctypes.data, task.WidthInBytes
            task.srcMemoryType, task.srcDevice = there, self.address + start * size
            task.srcPitch = self.shape[1] * size
        self._gpu._make_current()
        _check(cuda.cuMemcpy2DUnaligned(task), doing)

    def __del__(self) -> None:
        if hasattr(self, "pointer"):
            self._free(self.pointer)


class StreamMemory:
    """Device memory that is allocated and freed in the order of a stream, so that nothing waits."""

    def __init__(self, gpu: Device, size: int, stream: int) -> None:
        gpu._make_current()
        self._free, self._stream = _cuda().cuMemFreeAsync, stream
        self._pointer = _check(_cuda().cuMemAllocAsync(max(size, 1), stream), "allocate memory")
        self.address = int(self._pointer)

    def __del__(self) -> None:
        if hasattr(self, "_pointer"):
            self._free(self._pointer, self._stream)


def copy_columns(gpu: Device, target: Array, source: Array, columns: int, stream: int) -> None:
    """Copy the first columns of a device array to another one."""
    cuda, size = _cuda(), target.dtype.itemsize
    task, there = cuda.CUDA_MEMCPY2D(), cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE
    task.WidthInBytes, task.Height = columns * size, target.shape[0]
    task.srcMemoryType, task.srcDevice, task.srcPitch = there, source.address, source.shape[1] * size
    task.dstMemoryType, task.dstDevice, task.dstPitch = there, target.address, target.shape[1] * size
    gpu._make_current()
    _check(cuda.cuMemcpy2DAsync(task, stream), "copy on the device")


def copy_on_device(gpu: Device, address: int, source: Array, stream: int) -> None:
    """Copy a device array to an address on the device."""
    gpu._make_current()
    size = source.shape[0] * source.shape[1] * source.dtype.itemsize
    _check(_cuda().cuMemcpyDtoDAsync(address, source.address, size, stream), "copy on the device")


def to_device(gpu: Device, address: int, host: np.ndarray, stream: int) -> None:
    """Copy an array of this process, which may change afterwards, to device memory, in the order of a stream."""
    gpu._make_current()
    if host.size:
        _check(_cuda().cuMemcpyHtoDAsync(address, host.ctypes.data, host.nbytes, stream), "copy to the device")


def to_host(gpu: Device, address: int, host: np.ndarray, stream: int) -> None:
    """Copy device memory into an array of this process, after what was put into a stream."""
    gpu.wait_for(stream)
    if host.size:
        _check(_cuda().cuMemcpyDtoH(host.ctypes.data, address, host.nbytes), "copy from the device")
