"""On an NVIDIA GPU: time to link kernels of 5,000, 11,000 and 50,000 operations, how many figures a second they do, and
the same for the direct dynamics of the 42-degree-of-freedom sample figure.

Needs a GPU and the `gpu` extra; says so and stops where there is none.
"""

import os
import sys
import time

import numpy as np
from compile_time import trace

import anthropi as ap
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.compile.kernel import _meta
from anthropi.errors import AnthropiError

SIZES = (5_000, 11_000, 50_000)
BATCH = 1 << 18


def measure(name: str, tape, precision: str, inputs: dict) -> str:
    """One line of the table."""
    from anthropi.compile.gpu import ptx_of
    from anthropi.compile.targets import cuda

    gpu = cuda.device()
    start = time.perf_counter()
    text, _ = ptx_of(_meta(tape), lambda: tape, precision, gpu.chip)
    written = time.perf_counter() - start
    start = time.perf_counter()
    gpu.link(text)
    linked = time.perf_counter() - start
    kernel = ap.build(tape, target="gpu", precision=precision)
    buffers = kernel.buffers(BATCH)
    buffers.write(**inputs)
    launch = kernel.bind(buffers)
    best = float("inf")
    for _ in range(6):
        start = time.perf_counter()
        launch()
        gpu.wait()
        best = min(best, time.perf_counter() - start)
    rate = BATCH / best
    times, rates = f"{written:8.2f}s {linked:8.2f}s", f"{rate:11.3g}/s {rate * tape.operations:11.3g}"
    return f"{name:>16} {tape.operations:10,} {precision:>8} {times} {rates}"


def main() -> int:
    os.environ["ANTHROPI_CACHE"] = "off"
    try:
        from anthropi.compile.targets import cuda

        gpu = cuda.device()
    except (AnthropiError, ImportError) as problem:
        print(f"no GPU to measure: {problem}")
        return 0
    print(f"{gpu.name}, {gpu.chip}, driver {gpu.driver}; batch {BATCH:,}")
    print(f"{'':16} {'operations':>10} {'':>8} {'PTX':>9} {'link':>9} {'kernels':>13} {'operations/s':>11}")
    rng, figure = np.random.default_rng(0), ap.sample("bench42")
    state = {"q": figure.random(rng), "u": rng.normal(size=figure.nu), "tau": rng.normal(size=figure.nu)}
    dynamics = ap.record(lambda **s: direct_dynamics(figure, **s), **{n: np.zeros(x.shape) for n, x in state.items()})
    for precision in ("float64", "float32"):
        for size in SIZES:
            matrices = {"A": rng.uniform(0.0, 0.1, (BATCH, 6, 6))}
            print(measure("matrix products", trace(size), precision, matrices), flush=True)
        print(measure("direct dynamics", dynamics, precision, state), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
