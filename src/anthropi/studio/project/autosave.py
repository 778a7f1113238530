"""Unsaved work is kept on the disk, a second after each change, and found again after a crash.

Each studio writes a file of its own, named by its process; a file whose process is gone is work to recover.
"""

import contextlib
import os
import threading
import time
from pathlib import Path
from typing import NamedTuple

from anthropi.errors import AnthropiError
from anthropi.studio.messages import Autosaved, Problem
from anthropi.studio.project.file import save_project

__all__ = ["AFTER", "Autosave", "Recovery", "lost_work", "state_folder"]

AFTER = 1.0  # [s] after a change
KEPT = 8  # files of studios that are gone


class Recovery(NamedTuple):
    """Work that was never saved."""

    path: Path
    words: str


def state_folder() -> Path:
    """Where unsaved work is kept."""
    base = os.environ.get("ANTHROPI_STATE") or os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "state") / "anthropi" / "studio"


class Autosave:
    """Keeps a desk's unsaved work."""

    def __init__(self, desk, folder: Path | None = None, after: float = AFTER):
        self.desk, self.after = desk, after
        self.path = (folder or state_folder()) / f"{os.getpid()}-{int(time.time())}.anthropi"
        self._wanted, self._ended = threading.Event(), threading.Event()
        self._busy = threading.Lock()
        self._failed = False
        self._thread = threading.Thread(target=self._work, daemon=True, name="anthropi-autosave")
        self._thread.start()

    def later(self) -> None:
        """Something changed."""
        self._wanted.set()

    def forget(self) -> None:
        """All is saved elsewhere."""
        with self._busy:
            self._wanted.clear()
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """The studio ends as it should: what is unsaved stays, what is saved goes."""
        self._ended.set()
        self._wanted.set()
        self._thread.join(5.0)

    def _work(self) -> None:
        while True:
            self._wanted.wait()
            if self._ended.wait(self.after):
                if self._wanted.is_set() and self.desk.revision != self.desk.saved_revision:
                    self.write()
                return
            self.write()

    def write(self) -> None:
        """Write now."""
        with self._busy:
            self._wanted.clear()
            project, revision = self.desk.project, self.desk.revision
            if revision == self.desk.saved_revision or not (project.items or project.motions):
                return
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                save_project(project, self.path)
                self._failed = False
                self.desk.emit(Autosaved(revision))
            except (OSError, AnthropiError) as error:
                if not self._failed:  # said once
                    self.desk.emit(Problem(f"Unsaved work cannot be kept: {error}", level="warning"))
                self._failed = True


def lost_work(folder: Path | None = None) -> Recovery | None:
    """The newest unsaved work of a studio that is gone; very old files go."""
    found = []
    with contextlib.suppress(OSError):
        for path in (folder or state_folder()).glob("*-*.anthropi"):
            number = path.name.partition("-")[0]
            if number.isdigit() and not _alive(int(number)):
                found.append((path.stat().st_mtime, path))
    found.sort(reverse=True)
    for _, path in found[KEPT:]:
        with contextlib.suppress(OSError):
            path.unlink()
    if not found:
        return None
    when, path = found[0]
    return Recovery(path, f"Unsaved work of {time.strftime('%d %B %Y, %H:%M', time.localtime(when))}.")


def _alive(process: int) -> bool:
    """Whether a process is there."""
    if process == os.getpid():
        return True
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True
