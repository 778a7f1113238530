"""Claim: in kernels, the error of sin and cos is ≤ 1 ulp for |x| ≤ 1e5, of asin, acos, atan2, exp and log ≤ 2, of tan ≤
2.5.

The claim holds in both precisions, compared with mpmath (float64) and with NumPy's float64 (float32). It is tested on
random points and on difficult ones: every float next to a multiple of π/2, the ends of each range reduction, ±1,
subnormal arguments and results. Prints one line per function and fails if a bound is exceeded.

    python benchmarks/accuracy_elementary.py [--target cpu|replay|gpu|wasm] [--points 100000]
"""

import argparse
import sys

import numpy as np
from mpmath import libmp

from anthropi.compiler.lower import lower
from anthropi.compiler.targets.replay import replay
from anthropi.tape import record
from anthropi.tape.functions import FUNCTIONS

BOUNDS = {"sin": 1.0, "cos": 1.0, "tan": 2.5, "asin": 2.0, "acos": 2.0, "atan2": 2.0, "exp": 2.0, "log": 2.0}
PRECISE = {n: getattr(libmp, f"mpf_{n}") for n in BOUNDS}
NUMPY = {"asin": np.arcsin, "acos": np.arccos, "atan2": np.arctan2}
BITS = 160


def around(x, dtype, steps: int = 3):
    """Return each number and its neighbours."""
    x = np.atleast_1d(np.asarray(x, dtype))
    out, up, down = [x], x, x
    for _ in range(steps):
        up, down = np.nextafter(up, dtype(np.inf)), np.nextafter(down, dtype(-np.inf))
        out += [up, down]
    return np.concatenate(out)


def spread(rng, n: int, low: float, high: float):
    """Return numbers of either sign with evenly spread logarithms; powers of two of a wide range without overflow."""
    return np.ldexp(rng.uniform(1, 2, n) * rng.choice([-1.0, 1.0], n), rng.integers(int(low), int(high), n))


def points(name: str, dtype, n: int) -> list[np.ndarray]:
    """Return the arguments to test, one array per argument of the function."""
    rng = np.random.default_rng(2026)
    double = dtype is np.float64
    lowest, highest = (-1074, 1023) if double else (-149, 127)
    if name in ("sin", "cos", "tan"):
        k = np.arange(63662)  # all multiples of π/2 up to 1e5
        seams = (rng.choice(k, n // 4) + 0.5) * (np.pi / 2)
        x = [rng.uniform(-1e5, 1e5, n), rng.uniform(-4, 4, n), spread(rng, n, lowest, 16),
             around(k * (np.pi / 2), dtype, 1), around(seams, dtype, 2)]  # fmt: skip
    elif name in ("asin", "acos"):
        x = [rng.uniform(-1, 1, n), spread(rng, n, lowest, 0), around([0.0, 0.5, -0.5], dtype, 2000),
             1 - np.abs(spread(rng, n, -60, 0)), np.abs(spread(rng, n, -60, 0)) - 1]  # fmt: skip
        x = [np.clip(np.asarray(a, dtype), -1, 1) for a in x]
    elif name == "exp":
        low, high = (-746, 709.8) if double else (-104, 88.8)
        seams = (rng.integers(int(low * 1.4), int(high * 1.4), n // 4) + 0.5) * np.log(2)
        x = [rng.uniform(low, high, n), rng.uniform(-1, 1, n), spread(rng, n // 4, lowest, 3), around(seams, dtype, 2)]
    elif name == "log":
        seams = np.ldexp(np.sqrt(2), rng.integers(lowest + 20, highest, n // 8))
        x = [np.abs(spread(rng, n, lowest, highest + 1)), rng.uniform(0.3, 3, n), around(1.0, dtype, 3000),
             1 + spread(rng, n, -60, -1), around(seams, dtype, 2)]  # fmt: skip
        x = [np.maximum(np.asarray(a, dtype), np.nextafter(dtype(0), dtype(1))) for a in map(np.atleast_1d, x)]
    else:
        angle, size = rng.uniform(-np.pi, np.pi, n), np.exp2(rng.uniform(-100, 100, n))
        a, b = spread(rng, n, lowest, highest), spread(rng, n, lowest, highest)
        c, d = spread(rng, n, -30, 0), rng.uniform(0.9999, 1.0001, n)
        y = [size * np.sin(angle), a, rng.uniform(-1, 1, n), c, c * d]
        x = [size * np.cos(angle), b, rng.uniform(-1, 1, n), rng.choice([-1.0, 1.0], n), c]
        return [np.concatenate(y).astype(dtype), np.concatenate(x).astype(dtype)]
    with np.errstate(over="ignore", under="ignore"):
        return [np.concatenate([np.atleast_1d(np.asarray(a, dtype)) for a in x])]


def exact(name: str, arguments):
    """Return the true values as float64 pairs: the rounded value, and the rounding error."""
    if arguments[0].dtype == np.float32:
        with np.errstate(all="ignore"):
            return NUMPY.get(name, getattr(np, name, None))(*(a.astype(np.float64) for a in arguments)), 0.0
    function, high, low = PRECISE[name], [], []
    for values in zip(*(a.tolist() for a in arguments), strict=True):
        true = function(*map(libmp.from_float, values), BITS)
        rounded = libmp.to_float(true, rnd=libmp.round_nearest)
        high.append(rounded)
        rest = libmp.fzero if np.isinf(rounded) else libmp.mpf_sub(true, libmp.from_float(rounded), 60)
        low.append(libmp.to_float(rest, rnd=libmp.round_nearest))
    return np.array(high), np.array(low)


def errors(name: str, arguments, values) -> np.ndarray:
    """Return the error of each value in units of the last place of the true value."""
    high, low = exact(name, arguments)
    with np.errstate(all="ignore"):
        place = np.spacing(np.abs(high).astype(values.dtype)).astype(np.float64)
        wrong = np.abs((values.astype(np.float64) - high) - low) / place
        rounded = high.astype(values.dtype)
        same = (values == rounded) | (np.isnan(values) & np.isnan(high))
    return np.where(same & ~np.isfinite(wrong), 0.0, np.where(np.isnan(wrong), np.inf, wrong))


def evaluate(tape, arguments, precision: str, target: str):
    """Return the values of the tape at the points."""
    if target == "replay":
        return replay(lower(tape, precision), np.stack(arguments), precision)[0]
    from anthropi.compiler import build

    return np.asarray(build(tape, target=target, precision=precision)(*arguments))


def recorded(name: str):
    """Return a tape of one function."""
    both = {"y": np.zeros(()), "x": np.zeros(())} if name == "atan2" else {"x": np.zeros(())}
    return record(FUNCTIONS[name] if name == "atan2" else (lambda x: FUNCTIONS[name](x)), **both)


def default_target() -> str:
    """Return the compiled target if it is available."""
    try:
        from anthropi.compiler import build  # noqa: F401
    except ImportError:
        return "replay"
    return "cpu"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default=default_target(), choices=["cpu", "gpu", "wasm", "replay"])
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--only", nargs="*", default=list(BOUNDS))
    options = parser.parse_args()
    failed = []
    print(f"target {options.target}")
    print(f"{'function':9}{'precision':11}{'points':>9}{'max ulp':>9}{'bound':>7}{'ops':>5}  worst at")
    for precision in ("float64", "float32"):
        for name in options.only:
            tape = recorded(name)
            arguments = points(name, np.dtype(precision).type, options.points)
            wrong = errors(name, arguments, evaluate(tape, arguments, precision, options.target))
            k = int(np.argmax(wrong))
            where = ", ".join(repr(float(a[k])) for a in arguments)
            print(f"{name:9}{precision:11}{wrong.size:9}{wrong[k]:9.3f}{BOUNDS[name]:7.1f}"
                  f"{lower(tape, precision, options.target != 'wasm').operations:5}  {where}", flush=True)  # fmt: skip
            if wrong[k] > BOUNDS[name]:
                failed.append(f"{name} {precision}")
    print(f"broken: {', '.join(failed)}" if failed else "all bounds hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
