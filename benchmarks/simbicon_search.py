"""Claims: walks with the published SIMBICON gains fall within 3 s. From these gains a search finds a walk that does not
fall (four walks of 60 s at 1.1 m/s or more) in 3 of 3 seeds, with at most 20,000 rollouts each. The number of rollouts
and the time are printed; the goal is about 60 s.

`anthropi.gait.walker.search.simbicon` describes how the published numbers map to ours. Rollouts are counted when they
begin, including those that prove a walk. The kernel is compiled before the time starts; this is printed too.
"""

import os
import sys
import time

import numpy as np

from anthropi.cli.measure import machine
from anthropi.gait.walker.search.refine import task
from anthropi.gait.walker.search.simbicon import MAX_ROLLOUTS, first_walk, stood

SEEDS, FALLS, SECONDS = (1, 2, 3), 3.0, 60.0  # [s], [s]


def main() -> int:
    failed, began = [], time.perf_counter()
    own = task("simbicon")
    stood(own.trials, np.zeros(len(own.trials.space.entries)), own.start)  # compiles the kernel
    print(f"{machine()}, {os.cpu_count()} cores; steps of {1e3 * own.trials.dt:g} ms")
    print(f"reference gaits, recording and compiling: {time.perf_counter() - began:.1f} s\n")
    print(f"{'seed':>4} {'published':>12} {'rollouts':>9} {'time':>8}   found")
    for seed in SEEDS:
        began = time.perf_counter()
        walk = first_walk(own.trials, own.start, seed=seed)
        took, proof = time.perf_counter() - began, walk.proof
        print(f"{seed:4} {f'falls {walk.begun.upright.max():.2f} s':>12} {walk.rollouts:9,} {took:6.1f} s   "
              f"{'walks' if proof.holds else 'falls:'} {proof.stood.upright.min():.1f} s at "
              f"{proof.stood.speed.min():.2f} m/s, {proof.stood.steps.min():.0f} steps or more"
              f"{'' if took <= SECONDS else f'; longer than {SECONDS:.0f} s'}")  # fmt: skip
        if not (walk.begun.upright < FALLS).all():
            failed.append(f"seed {seed}: the published gains stay up for {walk.begun.upright.max():.1f} s")
        if not proof.holds or walk.rollouts > MAX_ROLLOUTS:
            failed.append(f"seed {seed}: {walk.rollouts:,} rollouts, {'a' if proof.holds else 'no'} walk")
    print("\n" + ("\n".join(failed) if failed else "all claims hold"))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
