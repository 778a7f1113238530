"""The CUDA driver: link PTX, keep memory on the device, launch. The only file that touches CUDA."""

import ctypes
import functools

import numpy as np

from anthropi.errors import BuildError, MissingExtra

__all__ = ["Array", "Device", "device"]

_BLOCK = 128  # threads a block


@functools.cache
def _cuda():
    try:
        from cuda.bindings import driver
    except ImportError as problem:
        raise MissingExtra("cuda-bindings", "gpu", "target='gpu'") from problem
    return driver


def _check(result, doing: str):
    """Unpack what a driver call returned; an error names what was being done."""
    cuda = _cuda()
    status, *values = result
    if status != cuda.CUresult.CUDA_SUCCESS:
        raise BuildError(f"CUDA could not {doing}: {status.name}. Is an NVIDIA driver running? Try target='cpu'.")
    return values[0] if len(values) == 1 else tuple(values)


class Device:
    """The first GPU."""

    def __init__(self):
        cuda = _cuda()
        try:
            started = cuda.cuInit(0)
        except RuntimeError as problem:  # no driver library to load
            raise BuildError("target='gpu' found no NVIDIA driver on this machine. Use target='cpu'.") from problem
        _check(started, "start")
        self._handle = _check(cuda.cuDeviceGet(0), "find a device")
        self._context = _check(cuda.cuDevicePrimaryCtxRetain(self._handle), "make a context")
        self._use()
        name = _check(cuda.cuDeviceGetName(100, self._handle), "name the device")
        self.name = name.decode().split("\0")[0]
        attribute = cuda.CUdevice_attribute
        major = self._attribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        minor = self._attribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
        self.chip = f"sm_{major}{minor}"
        self.driver = str(_check(cuda.cuDriverGetVersion(), "tell its version"))

    def _attribute(self, which) -> int:
        return _check(_cuda().cuDeviceGetAttribute(which, self._handle), "tell its attributes")

    def _use(self) -> None:
        """Make the context current in this thread."""
        _check(_cuda().cuCtxSetCurrent(self._context), "use its context")

    def link(self, ptx: str) -> bytes:
        """Machine code (cubin) of this device for PTX."""
        cuda = _cuda()
        self._use()
        state = _check(cuda.cuLinkCreate(0, [], []), "start linking")
        text = ptx.encode() + b"\0"
        kind = cuda.CUjitInputType.CU_JIT_INPUT_PTX
        _check(cuda.cuLinkAddData(state, kind, text, len(text), b"kernel", 0, [], []), "compile the PTX of a kernel")
        address, size = _check(cuda.cuLinkComplete(state), "link a kernel")
        code = ctypes.string_at(int(address), size)
        _check(cuda.cuLinkDestroy(state), "end linking")
        return code

    def load(self, code: bytes):
        """The function `run` of a cubin; keep what is returned."""
        self._use()
        module = _check(_cuda().cuModuleLoadData(code), "load a kernel")
        return module, _check(_cuda().cuModuleGetFunction(module, b"run"), "find a kernel's entry")

    def launch(self, function, pointers, batch: int) -> None:
        """Start `run(in, out, tmp, batch)`; later calls on the device wait for it."""
        self._use()
        kinds = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_longlong)
        grid = -(-batch // _BLOCK)
        arguments = ((*pointers, batch), kinds)
        _check(_cuda().cuLaunchKernel(function, grid, 1, 1, _BLOCK, 1, 1, 0, 0, arguments, 0), "launch a kernel")

    def wait(self) -> None:
        """Until all that was launched is done."""
        self._use()
        _check(_cuda().cuCtxSynchronize(), "finish a kernel")


@functools.cache
def device() -> Device:
    """The GPU of this machine."""
    return Device()


class Array:
    """Memory on the device, freed with the object."""

    def __init__(self, gpu: Device, count: int, dtype):
        self.count, self.dtype, self._gpu = count, np.dtype(dtype), gpu
        gpu._use()
        self.pointer = _check(_cuda().cuMemAlloc(max(1, count * self.dtype.itemsize)), "allocate memory")

    @property
    def address(self) -> int:
        """Where it lies on the device."""
        return int(self.pointer)

    def write(self, host: np.ndarray, start: int = 0) -> None:
        """Copy numbers to the device."""
        self._gpu._use()
        host = np.ascontiguousarray(host, self.dtype)
        where = self.address + start * self.dtype.itemsize
        _check(_cuda().cuMemcpyHtoD(where, host.ctypes.data, host.nbytes), "copy to the device")

    def read(self, start: int, count: int) -> np.ndarray:
        """Copy numbers from the device."""
        self._gpu._use()
        host = np.empty(count, self.dtype)
        where = self.address + start * self.dtype.itemsize
        _check(_cuda().cuMemcpyDtoH(host.ctypes.data, where, host.nbytes), "copy from the device")
        return host

    def __del__(self):
        if hasattr(self, "pointer"):
            _cuda().cuMemFree(self.pointer)
