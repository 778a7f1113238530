"""Functions that the tests of studies compute; workers import them from here."""

import contextlib
import os
import signal
import time
from pathlib import Path

import numpy as np


def noisy(x, y, rng, pause=0.0):
    time.sleep(pause)
    return {"sum": x + y + rng.standard_normal(), "whole": int(x), "word": "a" * int(y), "pair": np.array([x, y])}


def lanes(x, y, rng):
    return {"wave": np.sin(x) * y, "noise": np.array([own.random() for own in rng])}


def lanes_that_fail(x):
    if (x == 3.0).any():
        raise ValueError("three is not allowed")
    return {"root": np.sqrt(x - 1.0)}


def awkward(x):
    """Fail in every way that a point can."""
    if x == 1:
        raise ValueError("one is not allowed")
    if x == 2:
        return float("nan")
    if x == 3:
        time.sleep(60.0)
    if x == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    if x == 5:
        np.ones(10**11)
    return float(x)


def deaf(x):
    """Ignore the signal of the time limit at one point, as code that does not return to Python does."""
    if x == 2:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        time.sleep(60.0)
    return float(x)


def bowl(a, b):
    return {"cost": (a - 0.3) ** 2 + 4.0 * (b + 0.2) ** 2}


def mixed(x):
    return {"a": 1.0} if x < 2 else {"b": 1.0}


def counted(x, log):
    """Write a line for each call, so that a test can count the calls."""
    with open(Path(log), "a") as file:
        file.write(f"{x}\n")
    return 2.0 * x


def random_by_clock(x):
    return time.perf_counter_ns()


def flipping(x, marker):
    """Flip the lowest bit of every result in the first process that computes one."""
    with contextlib.suppress(FileExistsError), open(marker, "x") as file:
        file.write(str(os.getpid()))
    at_fault = Path(marker).read_text() == str(os.getpid())
    return float(np.nextafter(float(x), np.inf) if at_fault else x)


def awkward_free(x):
    return float(x)


FACTOR = 2.0


def with_helper(x):
    return _helper(x)


def _helper(x):
    return FACTOR * x


def price(sums, duration):
    return (duration - sums["upright"] + sums["angles"]).mean(-1)
