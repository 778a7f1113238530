"""Who does what: a handler a command, each entered by a decorator. A new command is a message and a function.

Desk
----
The desk: what is open, what commands do with it, what can be undone. Browsers come and go; the desk stays.

One thread does all commands in order, so a handler sees no change but its own. Long computations are tasks (`tasks.py`)
and live runs (`live/`), each in a thread of its own, which hand their results in here.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from anthropi.errors import AnthropiError, InputError, StateError
from anthropi.motion import Motion
from anthropi.studio.messages import Command, Event, FigureChanged, FigureView, MotionMade, ProjectChanged, kind_of
from anthropi.studio.project.state import Item, Made, Project
from anthropi.studio.session.tasks import Tasks
from anthropi.studio.session.views import Looks, figure_view, motion_view, project_view

__all__ = ["AT_ONCE", "HANDLERS", "StudioSession", "at_once", "handles"]


HANDLERS: dict[type, Callable[[Any, Any], Any]] = {}  # command: function (desk, command) → result
AT_ONCE: set[type] = set()  # those that wait for nobody: they only tell a live run something


def handles(command: type):
    """Enter a handler (desk, command) → result. It runs in the desk's own thread, one after the other."""

    def enter(function):
        HANDLERS[command] = function
        return function

    return enter


def at_once(command: type):
    """Enter a handler that is called in the server's loop and returns at once."""
    AT_ONCE.add(command)
    return handles(command)


UNDONE = 200  # edits that can be undone
OFTEN = 0.033  # [s] between two tellings while a slider moves


class StudioSession:
    """What is open.

    folder : the workspace; no command reads or writes outside it. emit : told every event, from any thread.
    """

    def __init__(self, folder: Path, emit: Callable[[Event], None] = lambda event: None):
        self.folder, self.emit = Path(folder).resolve(), emit
        self.send_frame: Callable[[bytes], None] = lambda frame: None
        self.project = Project()
        self.revision = 1
        self.saved_revision = 1
        self.before: list[tuple[str, Project]] = []
        self.after: list[tuple[str, Project]] = []
        self.tasks = Tasks(self)
        self.live: Any = None  # a live run (`live.run.Run`)
        self.number_of_runs = 0
        self.recovery: Any = None  # a `project.Recovery`, when there is unsaved work of before
        self.autosave: Any = None  # an `autosave.Autosave`
        self.downloads: Any = None
        self.uploads: Any = None
        self.when_seen: Callable[[], None] | None = None  # done once, when a browser comes
        self._owed: set[int] = set()  # figures that browsers have not heard of
        self._told, self._timer = 0.0, None  # type: float, threading.Timer | None
        self._open = ""  # the edit a slider is in the middle of
        self.looks = Looks(self)
        self._lock = threading.RLock()
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="anthropi-desk")

    # commands

    def do(self, command: Command) -> Any:
        """Do a command: its result, or an error that says why not. Nothing is half done."""
        handler = HANDLERS.get(type(command))
        if handler is None:
            raise InputError(f"Nobody does '{kind_of(type(command))}' yet.")
        if type(command) in AT_ONCE:
            return handler(self, command)
        with self._lock:
            self._open = "" if not type(command).edits else self._open
            return handler(self, command)

    def edit(self, label: str, project: Project, done: bool = True, quiet: bool = False) -> None:
        """Take a new project. label : what was done. done False: one of many of the same, undone together."""
        with self._lock:
            old = self.project
            if not (self._open and self._open == label):
                self.before.append((label, old))
                del self.before[:-UNDONE]
            self._open = "" if done else label
            self.after.clear()
            self._take(project, quiet, moving=not done)

    def put(self, project: Project) -> None:
        """Take a new project that is no edit: the camera, which motion is shown."""
        with self._lock:
            self._take(project)

    def undo(self) -> None:
        """Back to before the last edit."""
        self._step(self.before, self.after, "undo")

    def redo(self) -> None:
        """Forth again."""
        self._step(self.after, self.before, "do again")

    def _step(self, source, other, what: str) -> None:
        with self._lock:
            if not source:
                raise StateError(f"There is nothing to {what}.")
            label, project = source.pop()
            other.append((label, self.project))
            camera, path, name = self.project.camera, self.project.path, self.project.name
            again = tuple(self._newer(item) for item in project.items)
            self._open = ""
            number = max(project.next, self.project.next)
            self._take(project.changed(camera=camera, path=path, name=name, items=again, next=number))

    def _newer(self, item: Item) -> Item:
        """An item that comes back has a revision of its own, unless nothing changed."""
        now = next((x for x in self.project.items if x.number == item.number), None)
        if now is item:
            return item
        last = max(now.revision if now else 0, item.revision)
        from dataclasses import replace

        return replace(item, revision=last + 1)

    def _take(self, project: Project, quiet: bool = False, moving: bool = False) -> None:
        old = {item.number: item for item in self.project.items}
        changed = [item for item in project.items if old.get(item.number) is not item]
        self._owed |= {item.number for item in changed}
        self.project = project
        self.revision += 1
        if self.live is not None:
            self.live.project_changed(project)
        if self.autosave is not None:
            self.autosave.later()
        if moving:
            self._tell_soon()
        elif not quiet:
            self._tell_now(False)

    # while a slider moves browsers hear of it a few times a second, of the figure's numbers and pose alone

    def _tell_soon(self) -> None:
        wait = self._told + OFTEN - time.monotonic()
        if wait <= 0.0:
            self._tell_now(True)
        elif self._timer is None:
            self._timer = threading.Timer(wait, self._tell_later)
            self._timer.daemon = True
            self._timer.start()

    def _tell_later(self) -> None:
        with self._lock:
            self._timer = None
            if self._owed:
                self._tell_now(bool(self._open))

    def _tell_now(self, moving: bool) -> None:
        self._told = time.monotonic()
        for item in self.project.items:
            if item.number in self._owed:
                self.emit(FigureChanged(figure_view(item, None, False) if moving else self.view(item, whole=False)))
        self._owed.clear()
        self.tell()

    # what browsers are told

    def tell(self) -> None:
        """All browsers hear what the project is."""
        self.emit(ProjectChanged(self.project_view()))

    def project_view(self):
        """The project as browsers see it."""
        undo = self.before[-1][0] if self.before else ""
        redo = self.after[-1][0] if self.after else ""
        saved = self.saved_revision == self.revision
        return project_view(self.project, self.revision, saved, undo, redo, self.tasks.running())

    def view(self, item: Item, whole: bool = True) -> FigureView:
        """A figure as browsers see it. whole False: how it looks only if that is new."""
        looks, new = self.looks.of(item)
        return figure_view(item, looks if new or whole else None)

    # motions

    def add_motion(self, motion: Motion, title: str, kind: str, figure: int | None = None, words: str = "",
                   world=None, scene=None, task: int = 0) -> int:  # fmt: skip
        """A motion that was made: browsers are told, and it is shown."""
        with self._lock:
            number = self.project.next
            made = Made(number, motion, title, kind, figure, words, world, scene)
            project = self.project.changed(motions=(*self.project.motions, made), shown=number, next=number + 1)
            self.edit(f"make '{title}'", project, quiet=True)
            self.emit(MotionMade(motion_view(made), task))
            self.tell()
            return number

    def known(self, error: BaseException) -> bool:
        """Whether an error is one that says what to do, rather than a mistake of ours."""
        return isinstance(error, AnthropiError)

    def close(self) -> None:
        """End all that runs."""
        if self.live is not None:
            self.live.stop(keep=False)
        self.tasks.close()
        self.pool.shutdown(wait=False, cancel_futures=True)
