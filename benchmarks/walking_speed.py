"""How fast a closed loop of walker, contacts and dynamics runs, with steps of 1 ms at 1.3 m/s: alone on one core, in
the SIMD lanes of one core, and on an NVIDIA GPU.

Claims: one walker runs at least 300 times faster than real time on one core. On one NVIDIA H200, walkers make at least
200e6 steps per second in float32 and 100e6 in float64. Without a GPU, its claims are not checked.

    python benchmarks/walking_speed.py [--gpu]
"""

import argparse
import sys
import time

import numpy as np
from _machine import machine

import anthropi as ap
from anthropi.errors import AnthropiError
from anthropi.gait.walker.command import rows_at
from anthropi.gait.walker.parameters import load_walker
from anthropi.gait.walker.walker import sole_scene, walker_at_start

DT = 1e-3  # [s]
REAL_TIME, GPU_STEPS = 300.0, {"float32": 200e6, "float64": 100e6}
LANES, GPU_BATCH, GPU_CALL = 64, 1 << 17, 50


def walkers(batch: int, target: str = "cpu", precision: str = "float64", threads: int | None = None) -> ap.Simulation:
    """Return walkers in the middle of a step."""
    figure = ap.human()
    walker, q, u = walker_at_start(figure, load_walker("natural"))
    scene = sole_scene(figure, features="feet")
    sim = ap.Simulation(scene, walker, DT, batch=batch, target=target, precision=precision, opt=2, threads=threads)
    sim.reset(q, u)
    return sim


def best(call, times: int = 5) -> float:
    """Return the shortest time of a call [s]."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


def on_cpu() -> list[str]:
    sim = walkers(1)
    command = rows_at(np.array([1.3]))[0]
    sim.step(2000, command=command)
    steps = 4000
    alone = best(lambda: sim.step(steps, command=command)) / steps
    print(f"one walker on one core: {1e6 * alone:.2f} µs per step, {DT / alone:.0f} times real time; "
          f"{sim.held(1, None, command, None).kernel.operations:,} operations")  # fmt: skip
    many = walkers(LANES, threads=1)
    rows = rows_at(np.full(LANES, 1.3))
    many.step(200, command=rows)
    each = best(lambda: many.step(500, command=rows), 3) / 500 / LANES
    lanes = many.held(1, None, rows, None).kernel.lanes
    print(f"{LANES} walkers on one core, {lanes} lanes: {1e6 * each:.2f} µs per walker and step, "
          f"{DT / each:.0f} times real time together")  # fmt: skip
    return [] if DT / alone >= REAL_TIME else [f"one walker: {DT / alone:.0f} times real time, claimed {REAL_TIME:.0f}"]


def on_gpu() -> list[str]:
    from anthropi.compiler.targets import cuda

    gpu, failed = cuda.device(), []
    print(f"{gpu.name}, driver {gpu.driver}; {GPU_BATCH:,} walkers, {GPU_CALL} steps per launch")
    for precision, claim in GPU_STEPS.items():
        sim = walkers(GPU_BATCH, "gpu", precision)
        command = rows_at(np.array([1.3]))[0]

        def call(sim=sim, command=command):
            sim.step(GPU_CALL, command=command)
            gpu.wait()

        call()
        rate = GPU_BATCH * GPU_CALL / best(call)
        used = sim.held(1, None, command, None).kernel._engine.usage()
        print(f"{precision}: {rate:.3g} steps per second; {used}", flush=True)
        if rate < claim:
            failed.append(f"GPU, {precision}: {rate:.3g} steps per second, claimed {claim:.3g}")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", action="store_true", help="only the GPU")
    only = parser.parse_args().gpu
    print(machine())
    failed = [] if only else on_cpu()
    try:
        failed += on_gpu()
    except (AnthropiError, ImportError) as problem:
        print(f"The GPU was not measured: {problem}")
    print("\n".join(["", *failed]) if failed else "\nall claims that were measured hold")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
