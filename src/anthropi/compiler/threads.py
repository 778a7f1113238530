"""Threads: the number that kernels use by default, how soon they switch, and locks in forked child processes.

A child inherits every lock in the state that it had at the moment of the fork, but not the threads that hold them. So
the forking thread takes short-lived locks itself before it forks (`held_during_fork`), and locks that may be held for
long get a successor in the child (`renewed_in_child`), where no other thread exists.
"""

import contextlib
import os
import sys
import weakref
from collections.abc import Iterator
from typing import Any, Protocol

from anthropi.errors import InputError

__all__ = ["THREADS_VARIABLE", "default_threads", "held_during_fork", "renewed_in_child", "switching_threads"]

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


@contextlib.contextmanager
def switching_threads(interval: float) -> Iterator[None]:
    """Context manager in which a Python thread that computes lets others continue after an interval [s] at most.

    Python's default is 5 ms. A thread waits so long whenever it returns from a kernel or from sleep while another
    thread records a function or writes code for the compiler.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(interval, before))
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class _HasLock(Protocol):
    def renew_lock(self) -> None:
        """Replace the lock by a new one."""


_owners: "weakref.WeakSet[Any]" = weakref.WeakSet()


def held_during_fork(lock: Any) -> None:
    """Let a fork wait for a lock, so that no child inherits it from a thread that the child does not have."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)


def renewed_in_child(owner: _HasLock) -> None:
    """Call `owner.renew_lock()` in forked child processes, as long as the owner exists."""
    _owners.add(owner)


def _renew_all() -> None:
    for owner in list(_owners):
        owner.renew_lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
