"""The thread that compiles in the background, and how it behaves when the process forks or exits."""

import atexit
import contextlib
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["run_in_background"]


_jobs: queue.SimpleQueue = queue.SimpleQueue()
_lock = threading.Lock()
_working = threading.Lock()  # held while a job runs
_state: dict[str, Any] = {"thread": None, "exiting": False, "forks": 0}


def _before_fork() -> None:
    """Wait for the running job and let no other start, so that the child inherits no lock or import of a job."""
    _state["forks"] += 1
    _working.acquire()


def _after_fork_in_parent() -> None:
    _working.release()
    _state["forks"] -= 1


def _after_fork_in_child() -> None:
    """Reset the background compiler in a forked child process: no thread and no pending jobs."""
    global _jobs, _lock, _working
    _jobs, _lock, _working = queue.SimpleQueue(), threading.Lock(), threading.Lock()
    _state.update(thread=None, forks=0)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)


def run_in_background(job: Callable[[], Any], wait: float = 0.0) -> threading.Event:
    """Queue a job for the compiling thread, to start `wait` seconds from now at the earliest.

    Returns an event that is set when the job is done or dropped.
    """
    done = threading.Event()
    _jobs.put((job, time.monotonic() + wait, done))
    with _lock:
        if _state["thread"] is None or not _state["thread"].is_alive():
            _state["thread"] = threading.Thread(target=_run_jobs, name="anthropi-compiler", daemon=True)
            _state["thread"].start()
            atexit.register(_finish_at_exit)
    return done


def _run_jobs() -> None:
    """Run queued jobs until the process exits."""
    while not _state["exiting"]:
        job, due, done = _jobs.get()
        try:
            while not _state["exiting"] and (_state["forks"] or time.monotonic() < due):
                time.sleep(max(0.001, min(0.05, due - time.monotonic())))
            with _working:
                if not _state["exiting"] and job is not None:
                    job()
        finally:
            done.set()


def _finish_at_exit() -> None:
    """Wait for the running job and drop the rest: LLVM must not run while the interpreter shuts down.

    Ctrl-C does not shorten this: an interpreter that ends while a thread is inside LLVM crashes.
    """
    while True:
        try:
            with _no_interrupts():
                _state["exiting"] = True
                _jobs.put((None, 0.0, threading.Event()))
                if _state["thread"] is not None and _state["thread"].is_alive():
                    _state["thread"].join()
            return
        except KeyboardInterrupt:  # it came before the signal was ignored
            continue


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Context manager that ignores Ctrl-C, in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
