"""Claims: 50,000 operations compile in under 5 s, and compile time grows linearly to 400,000. A cached kernel loads in
a new process, without tracing, in under 0.1 s. A bound call of an empty kernel costs at most 0.2 µs. An interpreted
kernel (opt "now") is ready in a tenth of the time of opt 0 and gives bit for bit the results of opt 2.
"""

import os
import subprocess
import sys
import tempfile
import time

import numpy as np
from _machine import best, machine

import anthropi as ap
from anthropi.compiler import kernel_for

SIZES = (50_000, 100_000, 200_000, 400_000)


def chain(A, passes):
    """Return products of 6 × 6 matrices, with some results kept to the end: about 504 operations per pass."""
    B, kept = A, []
    for k in range(passes):
        B = (B @ A) * 0.3 + (k + 1.0) + B.T * 0.1
        kept.append(B[k % 6])
    return B + sum(kept[::-1])


def trace(operations: int):
    """Return a tape of about this many operations."""
    return ap.record(lambda A: chain(A, operations // 504), A=np.zeros((6, 6)))


LOAD = """
import time, sys
import numpy as np
import anthropi
start = time.perf_counter()
from anthropi.compiler import kernel_for
kernel = kernel_for("chain 50000", lambda: sys.exit("it traced"))
kernel(np.full((16, 6, 6), 0.1))
print(time.perf_counter() - start)
"""


def main() -> int:
    print(machine())
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANTHROPI_CACHE"] = "off"
        print(f"\n{'operations':>12} {'traced':>8} {'compiled':>9} {'µs/op':>7}")
        seconds = {}
        for size in SIZES:
            start = time.perf_counter()
            tape = trace(size)
            traced = time.perf_counter() - start
            start = time.perf_counter()
            ap.build(tape)(np.full((16, 6, 6), 0.1))
            seconds[size] = time.perf_counter() - start
            each = 1e6 * seconds[size] / tape.operations
            print(f"{tape.operations:12,} {traced:7.2f}s {seconds[size]:8.2f}s {each:7.1f}")
        if seconds[50_000] > 5.0:
            failed.append("50,000 operations took over 5 s")
        growth = seconds[400_000] / seconds[50_000] / 8
        print(f"400,000 against 8 × 50,000: {growth:.2f} (1 is linear)")
        if growth > 1.25:
            failed.append("compile time grows faster than linearly")

        os.environ["ANTHROPI_TIERS"] = "0"
        tape, one, took = trace(SIZES[0]), np.full((6, 6), 0.1), {}
        ap.build(trace(504), opt="now")(one)  # the interpreter itself is compiled once
        for opt in ("now", 0, 2):
            start = time.perf_counter()
            kernel = ap.build(tape, opt=opt)
            found = kernel(one)
            ready = time.perf_counter() - start
            took[opt] = ready, best(lambda kernel=kernel: kernel(one), number=20), found
        del os.environ["ANTHROPI_TIERS"]
        print(f"\n{tape.operations:,} operations, one figure:")
        for opt, (ready, call, _) in took.items():
            print(f"  opt {opt!r:>5}: ready in {ready:5.2f} s, {1e9 * call / tape.operations:5.2f} ns per operation")
        if took["now"][0] > 0.1 * took[0][0]:
            failed.append("interpreted code was not ready in a tenth of the time of opt 0")
        if took["now"][2].tobytes() != took[2][2].tobytes():
            failed.append("interpreted code gave other bits")

        os.environ["ANTHROPI_CACHE"] = folder
        kernel_for("chain 50000", lambda: trace(50_000))(np.full((16, 6, 6), 0.1))
        loads = [float(subprocess.check_output([sys.executable, "-c", LOAD])) for _ in range(5)]
        print(f"\nload of the 50,000-operation kernel in a new process: {min(loads):.3f} s")
        if min(loads) > 0.1:
            failed.append("loading from the cache took over 0.1 s")

        empty = ap.build(ap.record(lambda x: x, x=np.zeros(1))).bind()
        call = best(empty, number=20_000)
        print(f"bound call of an empty kernel: {1e6 * call:.3f} µs")
        if call > 0.2e-6:
            failed.append("a bound call took over 0.2 µs")
    print("\n" + ("; ".join(failed) if failed else "all claims hold"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
