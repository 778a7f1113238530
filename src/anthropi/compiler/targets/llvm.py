"""This CPU (and PTX text) through LLVM: the only file that imports llvmlite."""

import ctypes
import functools
import os
import threading
from typing import Any

from anthropi.errors import BuildError

__all__ = ["assemble", "host", "load", "ptx", "versions"]

_lock = threading.RLock()  # LLVM's own state; kernels themselves run without it
if hasattr(os, "register_at_fork"):  # a child must not be born while a thread is inside LLVM
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


@functools.cache
def _llvm():
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.set_option("anthropi", "-enable-misched=false")  # a tape's own order needs fewer registers (decision 0013)
    return llvm


@functools.cache
def host() -> tuple[str, str, int]:
    """Name and features of this CPU, and the bits of its vectors."""
    llvm = _llvm()
    have = llvm.get_host_cpu_features()
    wide = 512 if have.get("avx512f") else 256 if have.get("avx2") else 128
    return llvm.get_host_cpu_name(), have.flatten() + ",-prefer-256-bit", wide


@functools.cache
def versions() -> str:
    """What made the machine code: llvmlite and LLVM."""
    import llvmlite

    return f"llvmlite {llvmlite.__version__}, LLVM {'.'.join(map(str, _llvm().llvm_version_info))}"


def _machine(opt: int):
    name, features, _ = host()
    return (
        _llvm()
        .Target.from_default_triple()
        .create_target_machine(cpu=name, features=features, opt=opt, reloc="pic", codemodel="jitdefault")
    )


def _parse(text: str):
    try:
        module = _llvm().parse_assembly(text)
        module.verify()
    except RuntimeError as problem:
        raise BuildError(
            f"LLVM refused the code written for a tape; please report this. It said: {problem}"
        ) from problem
    return module


def assemble(text: str, opt: int) -> bytes:
    """Machine code of this CPU for a module, as an object file."""
    with _lock:
        return _machine(opt).emit_object(_parse(text))


class Loaded:
    """Machine code in memory. Addresses stay good as long as this lives."""

    def __init__(self, code: bytes):
        llvm = _llvm()
        with _lock:
            self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(2))
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
            self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Where a function lies."""
        return self._engine.get_function_address(name)

    def function(self, name: str, *kinds, hold_gil: bool = False):
        """A function to call from Python; the GIL is released around it unless asked otherwise."""
        make = ctypes.PYFUNCTYPE if hold_gil else ctypes.CFUNCTYPE
        function: Any = make(None, *kinds)(self.address(name))
        function.keep = self  # the code lives as long as anyone can call it
        return function


def load(code: bytes) -> Loaded:
    """Put an object file into memory."""
    return Loaded(code)


def ptx(text: str, chip: str = "sm_90", opt: int = 3) -> str:
    """PTX for a module, by the NVPTX back end inside the llvmlite wheel; no CUDA toolkit takes part."""
    llvm = _llvm()
    with _lock:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        target = llvm.Target.from_triple("nvptx64-nvidia-cuda")
        return target.create_target_machine(cpu=chip, features="+ptx80", opt=opt).emit_assembly(_parse(text))
