"""Claim: one `sim.step(tau=…)` of a standard human on its feet costs at most 5 µs more than the bound kernel that makes
the same step, when steps are made one by one from Python.

The bound kernel is called repeatedly on the same state, so that both make one step per call. Times are for one core,
the fastest of several alternating rounds.
"""

import sys
import time

import numpy as np
from _machine import machine

import anthropi as ap

ROUNDS, STEPS, CLAIM = 25, 1000, 5e-6


def main() -> int:
    """Measure and print; 0 if the claim holds."""
    figure = ap.human()
    sim = ap.Simulation(ap.Scene(figure, features="feet"), opt=2)
    start, tau = ap.standing(figure), np.zeros(figure.nu)
    step, kernel = float("inf"), float("inf")
    for _ in range(ROUNDS):
        sim.reset(start)
        sim.step(tau=tau)
        begun = time.perf_counter()
        for _ in range(STEPS):
            sim.step(tau=tau)
        step = min(step, (time.perf_counter() - begun) / STEPS)
        sim.reset(start)
        bound = sim.bound_step(tau=tau)
        begun = time.perf_counter()
        for _ in range(STEPS):
            bound()
        kernel = min(kernel, (time.perf_counter() - begun) / STEPS)
    more = step - kernel
    print(machine())
    print(f"sim.step(tau=…) {1e6 * step:.2f} µs, bound kernel {1e6 * kernel:.2f} µs, difference {1e6 * more:.2f} µs")
    print(f"claim: at most {1e6 * CLAIM:g} µs: {'holds' if more <= CLAIM else 'FAILS'}")
    return 0 if more <= CLAIM else 1


if __name__ == "__main__":
    sys.exit(main())
