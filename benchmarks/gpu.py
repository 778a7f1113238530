"""On an NVIDIA GPU: time to link kernels of 5,000, 11,000 and 50,000 operations, and how many figures a second they do.

Needs a GPU and the `gpu` extra; says so and stops where there is none.
"""

import os
import sys
import time

import numpy as np
from compile_time import trace

import anthropi as ap
from anthropi.compile.kernel import _meta
from anthropi.errors import AnthropiError

SIZES = (5_000, 11_000, 50_000)
BATCH = 1 << 18


def measure(size: int, precision: str) -> str:
    """One line of the table."""
    from anthropi.compile.gpu import ptx_of
    from anthropi.compile.targets import cuda

    tape, gpu = trace(size), cuda.device()
    start = time.perf_counter()
    text, _ = ptx_of(_meta(tape), lambda: tape, precision, gpu.chip)
    written = time.perf_counter() - start
    start = time.perf_counter()
    gpu.link(text)
    linked = time.perf_counter() - start
    kernel = ap.build(tape, target="gpu", precision=precision)
    batch = min(BATCH, 1 << 18)
    buffers = kernel.buffers(batch)
    buffers.write(A=np.random.default_rng(0).uniform(0.0, 0.1, (batch, 6, 6)))
    launch = kernel.bind(buffers)
    launch()
    gpu.wait()
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        launch()
        gpu.wait()
        best = min(best, time.perf_counter() - start)
    rate = batch / best
    times, rates = f"{written:8.2f}s {linked:8.2f}s", f"{rate:11.3g}/s {rate * tape.operations:11.3g}"
    return f"{tape.operations:10,} {precision:>8} {times} {rates}"


def main() -> int:
    os.environ["ANTHROPI_CACHE"] = "off"
    try:
        from anthropi.compile.targets import cuda

        gpu = cuda.device()
    except (AnthropiError, ImportError) as problem:
        print(f"no GPU to measure: {problem}")
        return 0
    print(f"{gpu.name}, {gpu.chip}, driver {gpu.driver}; batch {BATCH:,}")
    print(f"{'operations':>10} {'':>8} {'PTX':>9} {'link':>9} {'kernels':>13} {'operations/s':>11}")
    for precision in ("float64", "float32"):
        for size in SIZES:
            print(measure(size, precision), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
