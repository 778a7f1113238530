"""Compilation of tapes to kernels: lowering, machine code for CPUs and NVIDIA GPUs, and the cache on disk."""

from anthropi.compiler.kernel import Kernel, build, kernel_for

__all__ = ["Kernel", "build", "kernel_for"]
