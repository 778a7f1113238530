"""Claims: for chains of 10 to 1,000 joints, alternately hinges and ball joints, the operations of direct dynamics, the
time to record them and the time to compile them grow linearly (R² of the fit at least 0.98). The chain of 1,000 joints
is recorded and compiled in under 60 s.

The kernel of one figure (one lane) is compiled; the kernel of batches is a second one of the same size. Growth is
measured in CPU seconds of this process, which other programs disturb less; the 60 s are wall time. Small chains are
measured several times and the shortest time counts, because noise only adds time.
"""

import os
import sys
import time

import numpy as np
from _machine import machine

import anthropi as ap
from anthropi.algebra.spatial import Transform, capsule
from anthropi.figure import Ball, Figure, Link, Revolute

JOINTS = (10, 20, 50, 100, 200, 500, 1000)
STRAIGHT, SECONDS = 0.98, 60.0


def chain(joints: int) -> Figure:
    """Return a chain of rods connected by alternating hinges and ball joints."""
    place = Transform(np.eye(3), np.array([0.0, 0.0, -0.3]))
    rod = capsule(0.015, 0.3, mass=0.5, centre=np.array([0.0, 0.0, -0.15]))
    links = [Link.of(f"link {k}", rod) for k in range(joints)]
    kinds = [Ball(name=f"joint {k}", placement=place) if k % 2 else
             Revolute(name=f"joint {k}", axis="y", placement=place) for k in range(joints)]  # fmt: skip
    return Figure(f"chain of {joints}", links, kinds, range(-1, joints - 1))


def measure(joints: int) -> tuple[int, float, float, float, float]:
    """Return operations, CPU seconds to make the figure, to record and to compile it, and the total wall time [s]."""
    clock, start = time.perf_counter(), time.process_time()
    figure = chain(joints)
    made = time.process_time()
    sizes = {"q": figure.nq, "u": figure.nu, "tau": figure.nu}
    tape = ap.record(lambda **x: ap.direct_dynamics(figure, **x), **{n: np.zeros(size) for n, size in sizes.items()})
    recorded = time.process_time()
    ap.build(tape).buffers(1)
    compiled = time.process_time()
    return tape.operations, made - start, recorded - made, compiled - recorded, time.perf_counter() - clock


def straight(x, y) -> float:
    """Return R² of the best straight line through the points: the share of the variance that it explains."""
    fit = np.polyval(np.polyfit(x, y, 1), x)
    return float(1.0 - np.sum((y - fit) ** 2) / np.sum((y - np.mean(y)) ** 2))


def main() -> int:
    os.environ["ANTHROPI_CACHE"] = "off"
    print(f"{machine()}\n\n{'joints':>7} {'operations':>11} {'figure':>9} {'recorded':>9} {'compiled':>9} {'clock':>9}")
    measure(4)  # imports, and first use of the compiler
    rows = []
    for joints in JOINTS:
        runs = [measure(joints) for _ in range(max(1, 200 // joints))]
        rows.append(np.min(runs, axis=0))
        operations, *seconds = rows[-1]
        print(f"{joints:7,} {int(operations):11,}" + "".join(f" {s:8.3f}s" for s in seconds), flush=True)
    columns, failed = np.array(rows).T, []
    for name, values in zip(("operations", "figure", "recorded", "compiled"), columns[:4], strict=True):
        r2 = straight(JOINTS, values)
        print(f"{name}: R² {r2:.5f}")
        if r2 < STRAIGHT:
            failed.append(f"{name} does not grow linearly: R² {r2:.3f}, claim {STRAIGHT}")
    whole = float(rows[-1][4])
    print(f"{JOINTS[-1]:,} joints: {whole:.1f} s wall time, claim {SECONDS:.0f} s")
    if whole > SECONDS:
        failed.append(f"{JOINTS[-1]:,} joints took {whole:.0f} s")
    print("\n" + ("\n".join(failed) if failed else "all claims hold"))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
