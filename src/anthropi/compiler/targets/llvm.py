"""Compile LLVM IR for this CPU, to PTX for NVIDIA GPUs, or for WebAssembly. The only file that imports llvmlite."""

import ctypes
import functools
import os
import sys
import threading
from typing import Any

from anthropi.errors import BuildError

__all__ = ["assemble", "host", "load", "ptx", "versions", "wasm_object"]

_lock = threading.RLock()  # guards LLVM's global state; kernels run without it
_held_locks: list[Any] = []  # locks that the forking thread holds


def _before_fork() -> None:
    """Wait until no thread is inside LLVM: take our lock, and then that of llvmlite.

    Threads use llvmlite without our lock too, for example when the collector frees a module.
    """
    _lock.acquire()
    ffi = sys.modules.get("llvmlite.binding.ffi")
    other = getattr(getattr(ffi, "lib", None), "_lock", None)
    if other is not None:
        other.__enter__()
    _held_locks.append(other)


def _after_fork() -> None:
    other = _held_locks.pop()
    if other is not None:
        other.__exit__(None, None, None)
    _lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)


@functools.cache
def _llvm() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.set_option("anthropi", "-enable-misched=false")  # the tape's order needs fewer registers (docs/decisions/0013)
    return llvm


@functools.cache
def host() -> tuple[str, str, int]:
    """Return the name and the features of this CPU, and the width of its vectors [bit]."""
    llvm = _llvm()
    have = llvm.get_host_cpu_features()
    wide = 512 if have.get("avx512f") else 256 if have.get("avx2") else 128
    return llvm.get_host_cpu_name(), have.flatten() + ",-prefer-256-bit", wide


@functools.cache
def versions() -> str:
    """Return the versions of llvmlite and LLVM."""
    import llvmlite

    return f"llvmlite {llvmlite.__version__}, LLVM {'.'.join(map(str, _llvm().llvm_version_info))}"


def _machine(opt: int) -> Any:
    name, features, _ = host()
    return (
        _llvm()
        .Target.from_default_triple()
        .create_target_machine(cpu=name, features=features, opt=opt, reloc="pic", codemodel="jitdefault")
    )


def _parse(text: str) -> Any:
    try:
        module = _llvm().parse_assembly(text)
        module.verify()
    except RuntimeError as problem:
        raise BuildError(
            f"LLVM rejected the code generated for a tape. Please report this with LLVM's message: {problem}"
        ) from problem
    return module


def assemble(text: str, opt: int, passes: bool = False) -> bytes:
    """Compile a module of LLVM IR (`text`) to an object file for this CPU.

    passes : whether LLVM also optimises the module itself. Above all it joins equal operations on neighbouring numbers
    to vectors. The order of operations and their rounding stay as they are.
    """
    with _lock:
        module, machine = _parse(text), _machine(opt)
        if passes:
            tuning = _llvm().create_pipeline_tuning_options(speed_level=2)
            tuning.slp_vectorization, tuning.loop_vectorization, tuning.loop_unrolling = True, False, False
            builder = _llvm().create_pass_builder(machine, tuning)
            builder.getModulePassManager().run(module, builder)
        return machine.emit_object(module)


class Loaded:
    """Machine code loaded into memory. Its addresses are valid as long as this object exists."""

    def __init__(self, code: bytes) -> None:
        llvm = _llvm()
        with _lock:
            self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(2))
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
            self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Return the address of a function."""
        return self._engine.get_function_address(name)

    def function(self, name: str, *kinds: Any, hold_gil: bool = False) -> Any:
        """Return a function that Python can call; the GIL is released during the call unless `hold_gil` is True."""
        make = ctypes.PYFUNCTYPE if hold_gil else ctypes.CFUNCTYPE
        function: Any = make(None, *kinds)(self.address(name))
        function.keep = self  # keeps the code alive
        return function


def load(code: bytes) -> Loaded:
    """Load an object file into memory."""
    return Loaded(code)


def ptx(text: str, chip: str = "sm_90", opt: int = 3) -> str:
    """Compile a module of LLVM IR to PTX with the NVPTX back end of llvmlite; no CUDA toolkit is needed."""
    llvm = _llvm()
    with _lock:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        target = llvm.Target.from_triple("nvptx64-nvidia-cuda")
        return target.create_target_machine(cpu=chip, features="+ptx80", opt=opt).emit_assembly(_parse(text))


WASM_FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"  # in every browser since 2023


def wasm_object(text: str, opt: int) -> bytes:
    """Compile a module of LLVM IR to a relocatable WebAssembly object; `wasm_linker.py` makes a module of it."""
    llvm = _llvm()
    with _lock:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        target = llvm.Target.from_triple("wasm32-unknown-unknown")
        return target.create_target_machine(cpu="generic", features=WASM_FEATURES, opt=opt).emit_object(_parse(text))
