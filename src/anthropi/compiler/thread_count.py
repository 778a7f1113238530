"""The number of threads that kernels use by default."""

import os

from anthropi.errors import InputError

__all__ = ["THREADS_VARIABLE", "default_threads"]

THREADS_VARIABLE = "ANTHROPI_THREADS"


def default_threads() -> int:
    """Return the default number of threads: `ANTHROPI_THREADS`, or the CPUs that this process may run on.

    Containers, batch systems and `taskset` often allow a process fewer CPUs than the machine has; more threads than
    that only wait for each other. If the operating system does not report the allowed CPUs (macOS, Windows), all CPUs
    are counted.

    Raises
    ------
    InputError : `ANTHROPI_THREADS` is set and is not a whole number of at least 1.
    """
    text = os.environ.get(THREADS_VARIABLE, "").strip()
    if text:
        if not (text.isascii() and text.isdecimal() and int(text) >= 1):
            raise InputError(
                f"The environment variable {THREADS_VARIABLE} is {text!r}. Give a whole number of at least 1, "
                "or unset it to use every CPU that this process may run on."
            )
        return int(text)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
