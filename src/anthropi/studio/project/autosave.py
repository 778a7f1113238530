"""Autosave: unsaved work is written to disk one second after each change, and can be recovered after a crash.

Each studio process writes a separate file and holds a lock on a second one, which the operating system releases when
the process ends. If a file exists and its lock is free, the file contains work to recover. Only this user can read the
files (mode 0600).
"""

import contextlib
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from anthropi.studio.messages import Autosaved, Problem
from anthropi.studio.project.file import save_project
from anthropi.studio.project.host import Host

__all__ = ["SAVE_DELAY", "Autosave", "Recovery", "lost_work", "remove_work", "state_folder"]

SAVE_DELAY = 1.0  # [s] from a change until the file is written
MAX_FILES = 8  # files of ended processes that are kept


class Recovery(NamedTuple):
    """A file with unsaved work of an ended process, and a description of it."""

    path: Path
    words: str


def state_folder() -> Path:
    """Return the folder that contains the files of unsaved work."""
    base = os.environ.get("ANTHROPI_STATE") or os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "state") / "anthropi" / "studio"


class Autosave:
    """A thread that writes the unsaved work of a session to disk.

    Parameters
    ----------
    host : the session.
    folder : the folder of the file; by default `state_folder()`.
    delay : [s] from a change until the file is written.
    """

    delay: Any
    host: Any
    path: Any

    def __init__(self, host: Host, folder: Path | None = None, delay: float = SAVE_DELAY) -> None:
        self.host, self.delay = host, delay
        self.path = (folder or state_folder()) / f"{os.getpid()}-{int(time.time())}.anthropi"
        self._requested, self._ended = threading.Event(), threading.Event()
        self._writing = threading.Lock()
        self._failed = False
        self._lock: BinaryIO | None = None
        self._thread = threading.Thread(target=self._work, daemon=True, name="anthropi-autosave")
        self._thread.start()

    def request(self) -> None:
        """Request that the work is written after the delay."""
        self._requested.set()

    def discard(self) -> None:
        """Remove the file, because the project has been saved."""
        with self._writing:
            self._requested.clear()
            remove_work(self.path)

    def close(self) -> None:
        """Write unsaved work, then end the thread."""
        self._ended.set()
        self._requested.set()
        self._thread.join(5.0)
        if self._lock is not None:
            self._lock.close()
        if not self.path.exists():
            remove_work(self.path)

    def _work(self) -> None:
        while True:
            self._requested.wait()
            if self._ended.wait(self.delay):
                if self._requested.is_set() and self.host.revision != self.host.saved_revision:
                    self.write()
                return
            self.write()

    def write(self) -> None:
        """Write the file now, if there is unsaved work."""
        with self._writing:
            self._requested.clear()
            project, revision = self.host.project, self.host.revision
            if revision == self.host.saved_revision or not (project.items or project.motions):
                return
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                if self._lock is None or not _lock_file(self.path).exists():
                    self._lock = _locked(_lock_file(self.path))
                save_project(project, self.path, private=True)
                self._failed = False
                self.host.emit(Autosaved(revision))
            except Exception as error:  # any error: this thread must not end, and a person must learn of it
                if not self._failed:  # report only the first of several failures
                    self.host.emit(Problem(f"Unsaved work cannot be written to disk: {error}", level="warning"))
                self._failed = True


def lost_work(folder: Path | None = None) -> Recovery | None:
    """Return the newest unsaved work of an ended process, or None. The oldest files are removed."""
    found = []
    with contextlib.suppress(OSError):
        for path in (folder or state_folder()).glob("*-*.anthropi"):
            if not _is_running(path):
                found.append((path.stat().st_mtime, path))
    found.sort(reverse=True)
    for _, path in found[MAX_FILES:]:
        remove_work(path)
    if not found:
        return None
    when, path = found[0]
    return Recovery(path, f"Unsaved work of {time.strftime('%d %B %Y, %H:%M', time.localtime(when))}.")


def remove_work(path: Path) -> None:
    """Remove a file of unsaved work, and its lock."""
    for file in (path, _lock_file(path)):
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)


def _lock_file(path: Path) -> Path:
    return path.with_suffix(".lock")


def _locked(path: Path) -> BinaryIO | None:
    """Open and lock a file; None if another process, or another part of this one, holds the lock."""
    file = os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600), "ab")
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def _is_running(path: Path) -> bool:
    """Return whether the process that writes a file of unsaved work still exists.

    The number of an ended process may belong to another one now, so only the lock decides.
    """
    if not _lock_file(path).exists():
        return _is_process(path.name.partition("-")[0])
    lock = _locked(_lock_file(path))
    if lock is not None:
        lock.close()
    return lock is None


def _is_process(number: str) -> bool:
    """Return whether a process with this number exists, for a file without a lock, of an older version."""
    if not number.isdigit() or sys.platform == "win32":
        return not number.isdigit()
    try:
        os.kill(int(number), 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
