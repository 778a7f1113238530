"""Compilation of tapes to kernels: lowering, code for CPUs, NVIDIA GPUs and WebAssembly, and the cache on disk."""

from anthropi.compiler.kernel import Kernel, build, kernel_for

__all__ = ["Kernel", "build", "kernel_for"]
