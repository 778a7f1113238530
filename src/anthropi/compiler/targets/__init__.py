"""Targets of kernels: `replay` (NumPy, the reference), `cpu` (LLVM machine code) and `gpu` (PTX for NVIDIA GPUs)."""
