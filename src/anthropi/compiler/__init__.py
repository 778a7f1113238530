"""Compilation of tapes to kernels: lowering, code for CPUs, NVIDIA GPUs and WebAssembly, and the cache on disk.

The names are loaded on first use, because the command line reads only the cache, and should not wait for NumPy.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anthropi.compiler.kernel import Kernel, build, kernel_for

__all__ = ["Kernel", "build", "kernel_for"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from anthropi.compiler import kernel

    return getattr(kernel, name)
