"""What a benchmark ran on, and the best of several timings."""

import platform
import time

import numpy as np


def machine() -> str:
    """Processor, Python, NumPy and LLVM in one line."""
    from anthropi.compile.targets import llvm

    cpu, _, bits = llvm.host()
    return f"{cpu} ({bits}-bit vectors), Python {platform.python_version()}, NumPy {np.__version__}, {llvm.versions()}"


def best(function, repeats: int = 7, number: int = 1) -> float:
    """Seconds of one call: the quickest of several rounds, since noise only ever adds."""
    quickest = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(number):
            function()
        quickest = min(quickest, (time.perf_counter() - start) / number)
    return quickest
