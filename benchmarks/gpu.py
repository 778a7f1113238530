"""Claims, on one NVIDIA H200: direct dynamics of `bench42` runs at least 2.5e9 times per second in float32 and 0.5e9
times in float64, with results that are bit for bit those of the CPU, at every position in the batch. Steps of
`bench42` on eight points of compliant contact, twenty per launch, run at least 0.25e9 times per second in float32.

Also measured: steps of a rollout whose loop runs inside the kernel, and kernels of chained 6 × 6 products. For each,
the table lists seconds to write and to link the PTX, figures per second, registers per thread, spilled bytes, and bytes
of shared memory per block for spilled values. Needs a GPU and the `gpu` extra; without a GPU it prints a message and
stops.
"""

import os
import sys
import time

import numpy as np
from _standing import STEPS as CONTACT_STEPS
from _standing import steps as contact_steps
from _standing import subject
from compile_time import trace

import anthropi as ap
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.compiler.kernel import _meta
from anthropi.contact import Compliant, Impulsive
from anthropi.errors import AnthropiError

CLAIMS = {"float64": 0.5e9, "float32": 2.5e9}  # direct dynamics per second
STANDING = {"float32": 0.25e9}  # steps with compliant contact per second
SIZES = (5_000, 11_000, 50_000)
STEPS, BATCH, SHORT = 20, 1 << 20, 1 << 18
H = 1e-3


def measure(name: str, tape, precision: str, inputs: dict, batch: int, each: int = 1) -> tuple[float, object]:
    """Print one line of the table; return the rate and the kernel. each : steps computed for one figure in a launch."""
    from anthropi.compiler.targets import cuda
    from anthropi.compiler.targets.gpu import ptx_of

    gpu = cuda.device()
    start = time.perf_counter()
    text, _ = ptx_of(_meta(tape), lambda: tape, precision, gpu.chip)
    written = time.perf_counter() - start
    start = time.perf_counter()
    gpu.link(text)
    linked = time.perf_counter() - start
    kernel = ap.build(tape, target="gpu", precision=precision)
    buffers = kernel.buffers(batch)
    buffers.write(**inputs)
    launch = kernel.bind(buffers)
    best = float("inf")
    for _ in range(8):
        start = time.perf_counter()
        launch()
        gpu.wait()
        best = min(best, time.perf_counter() - start)
    rate = batch * each / best
    used = kernel._engine.usage()
    memory = f"{used['registers']:9} {used['spilled']:8,} {used['shared']:8,}"
    print(
        f"{name:>24} {tape.operations:10,} {precision:>8} {written:7.2f}s {linked:7.2f}s {rate:11.3g}/s {memory}",
        flush=True,
    )
    return rate, kernel


def same_bits(kernel, tape, precision: str, figure) -> bool:
    """Return whether GPU and CPU agree bit for bit for 2,000 states, at any position in batches of several sizes."""
    rng = np.random.default_rng(1)
    state = [np.stack([figure.random(rng) for _ in range(2000)]), *rng.normal(size=(2, 2000, figure.nu))]
    wanted = ap.build(tape, precision=precision, opt=0)(*state)
    order = rng.permutation(2000)
    return all(
        np.asarray(kernel(*(a[which] for a in state))).tobytes() == wanted[which].tobytes()
        for which in (order, order[:1], order[:33], order[::-1][:999])
    )


def rollout(figure):
    """Return a tape of semi-implicit steps that reads one row of torques per step and keeps every fifth state."""

    def body(state, tau):
        q, u = state
        u = u + H * direct_dynamics(figure, q, u, tau)
        return figure.integrate(q, H * u), u

    def steps(q, u, tau):
        return ap.repeat(body, (q, u), STEPS, rows=tau, every=5)

    return ap.record(steps, q=np.zeros(figure.nq), u=np.zeros(figure.nu), tau=np.zeros((STEPS, figure.nu)))


def main() -> int:
    os.environ |= {"ANTHROPI_CACHE": "off", "CUDA_CACHE_DISABLE": "1"}
    try:
        from anthropi.compiler.targets import cuda

        gpu = cuda.device()
    except (AnthropiError, ImportError) as problem:
        print(f"No GPU can be used: {problem}")
        return 0
    print(
        f"{gpu.name}, {gpu.chip}, driver {gpu.driver}; {BATCH:,} figures per launch, {SHORT:,} of products and rollouts"
    )
    head = f"{'':24} {'operations':>10} {'':>8} {'PTX':>8} {'link':>8} {'a second':>13}"
    print(f"{head} {'registers':>9} {'spilled':>8} {'shared':>8}")
    rng, figure, failed = np.random.default_rng(0), ap.sample("bench42"), []
    state = {"q": figure.random(rng), "u": rng.normal(size=figure.nu), "tau": rng.normal(size=figure.nu)}
    dynamics = ap.record(lambda **s: direct_dynamics(figure, **s), **{n: np.zeros(x.shape) for n, x in state.items()})
    falling = state | {"tau": rng.normal(size=(STEPS, figure.nu))}
    for precision, claim in CLAIMS.items():
        rate, kernel = measure("direct dynamics", dynamics, precision, state, BATCH)
        if rate < claim:
            failed.append(f"direct dynamics in {precision}: {rate:.3g} per second, claimed {claim:.3g}")
        if not same_bits(kernel, dynamics, precision, figure):
            failed.append(f"direct dynamics in {precision}: results differ from the CPU's bits")
        measure("steps of a rollout", rollout(figure), precision, falling, SHORT, STEPS)
        exact = 1e-9 if precision == "float64" else 1e-5  # [m/s]
        models = {"steps, compliant": Compliant(), "steps, impulsive": Impulsive(tolerance=exact)}
        for words, model in models.items():
            standing, points, q = subject()
            steps, memory = contact_steps(standing, points, model)
            q = q - (2e-4 if isinstance(model, Compliant) else 0.0) * np.eye(standing.nq)[2]
            begin = {"q": q, "u": np.zeros(standing.nu), "memory": memory}
            rate, _ = measure(words, steps, precision, begin, SHORT, CONTACT_STEPS)
            if isinstance(model, Compliant) and rate < STANDING.get(precision, 0.0):
                failed.append(
                    f"steps with contact in {precision}: {rate:.3g} per second, claimed {STANDING[precision]:.3g}"
                )
        for size in SIZES:
            measure("matrix products", trace(size), precision, {"A": rng.uniform(0.0, 0.1, (SHORT, 6, 6))}, SHORT)
    print("\n".join(["", *failed]) if failed else "\nall claims hold; results are bit for bit those of the CPU")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
