"""One thread that compiles better code while worse code runs. It never outlives the interpreter."""

import atexit
import os
import queue
import threading

__all__ = ["later"]

_jobs: queue.SimpleQueue = queue.SimpleQueue()
_lock = threading.Lock()
_state: dict = {"thread": None, "leaving": False}


def _begin_anew() -> None:
    """A forked child has no compiling thread and owes nobody a job."""
    global _jobs, _lock
    _jobs, _lock = queue.SimpleQueue(), threading.Lock()
    _state["thread"] = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def later(job) -> threading.Event:
    """Run a job soon, in the background; the event is set when it is done or will never be."""
    done = threading.Event()
    _jobs.put((job, done))
    with _lock:
        if _state["thread"] is None or not _state["thread"].is_alive():  # a forked child starts its own
            _state["thread"] = threading.Thread(target=_work, name="anthropi-compiler", daemon=True)
            _state["thread"].start()
            atexit.register(_leave)
    return done


def _work() -> None:
    while not _state["leaving"]:
        job, done = _jobs.get()
        try:
            if not _state["leaving"] and job is not None:
                job()
        finally:
            done.set()


def _leave() -> None:
    """LLVM must not be at work while the interpreter is taken down: wait for the job in hand, drop the rest."""
    _state["leaving"] = True
    _jobs.put((None, threading.Event()))
    if _state["thread"] is not None and _state["thread"].is_alive():
        _state["thread"].join()
