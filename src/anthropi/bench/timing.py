"""Fair timings: the quickest of several rounds, in which all take turns, so that a busy machine slows all alike."""

import platform
import time

import numpy as np

__all__ = ["best", "in_turns", "machine"]

ROUND = 0.01  # s that a round of one call lasts


def machine() -> str:
    """Processor, Python, NumPy and LLVM in one line."""
    from anthropi.compile.targets import llvm  # the compiler loads where it is asked for

    cpu, _, bits = llvm.host()
    return f"{cpu} ({bits}-bit vectors), Python {platform.python_version()}, NumPy {np.__version__}, {llvm.versions()}"


def best(function, repeats: int = 7, number: int = 1) -> float:
    """Seconds of one call: the quickest of several rounds, since noise only ever adds."""
    quickest = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(number):
            function()
        quickest = min(quickest, (time.perf_counter() - start) / number)
    return quickest


def in_turns(calls: dict, rounds: int = 15) -> dict:
    """Seconds of one call of each {name: function}: the quickest of the rounds, one round each in turn.

    A function's `before`, if it has one, puts things back in place before a round and is not timed.
    """
    numbers = {name: _number(call) for name, call in calls.items()}
    quickest = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            getattr(call, "before", int)()
            quickest[name] = min(quickest[name], best(call, 1, numbers[name]))
    return quickest


def _number(call) -> int:
    """How many calls fill a round."""
    getattr(call, "before", int)()
    call()  # the first one may be slow
    return int(min(20_000, max(1, ROUND / best(call, 3))))
