"""What a tape can run on: `replay` (NumPy, the specification), `llvm` (this CPU), `ptx` (NVIDIA GPUs)."""
