"""Tape → kernel: lowering, machine code for the CPU and for NVIDIA GPUs, the cache on disk."""

from anthropi.compiler.kernel import Kernel, build, kernel_for

__all__ = ["Kernel", "build", "kernel_for"]
