"""The studio session: the open project, its commands, and undo. It continues when browsers connect or disconnect.

Each command has a handler, a function that a decorator registers. One thread executes all commands in order, so that no
other command changes the project while a handler runs. Long computations are tasks (`tasks.py`) or live runs (`live/`),
each in a separate thread; they report their results to the session.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from anthropi.errors import InputError, StateError
from anthropi.motion import Motion
from anthropi.studio.live.models import terrain_placed
from anthropi.studio.live.settings import LiveSettings
from anthropi.studio.messages import (
    Command,
    Event,
    FigureChanged,
    FigureView,
    MotionMade,
    ProjectChanged,
    ProjectView,
    World,
    kind_of,
)
from anthropi.studio.project.preferences import Preferences
from anthropi.studio.project.state import FigureItem, MotionItem, Project
from anthropi.studio.session.tasks import Tasks
from anthropi.studio.session.views import Appearances, figure_view, motion_view, project_view
from anthropi.studio.studies.catalog import Studies

__all__ = ["HANDLERS", "IMMEDIATE", "StudioSession", "handles", "handles_immediately"]

Handler = Callable[[Any, Any], Any]
HANDLERS: dict[type[Any], Handler] = {}  # class of a command: function (session, command) → result
IMMEDIATE: set[type[Any]] = set()  # commands that only change an input of a live run; the server's loop executes them
MAX_UNDO = 200  # edits that can be undone
PUBLISH_INTERVAL = 0.033  # [s] between two updates of the browsers while a slider moves


def handles(command: type[Any]) -> Callable[[Handler], Handler]:
    """Register a function (session, command) → result as handler. It is executed in the session's thread."""

    def enter(function: Handler) -> Handler:
        HANDLERS[command] = function
        return function

    return enter


def handles_immediately(command: type[Any]) -> Callable[[Handler], Handler]:
    """Register a handler that is executed in the server's event loop. It must return without waiting."""
    IMMEDIATE.add(command)
    return handles(command)


class StudioSession:
    """The state of a studio: project, undo history, tasks and live run.

    Parameters
    ----------
    folder : the workspace; no command reads or writes files outside it.
    emit : function that sends an event to all browsers; it is called from any thread.
    live_settings : frame rate, bounds and intervals of live runs.
    """

    appearances: Any
    folder: Any
    live_settings: Any
    pool: Any
    project: Any
    revision: Any
    studies: Any
    tasks: Any

    def __init__(
        self,
        folder: Path,
        emit: Callable[[Event], None] = lambda event: None,
        live_settings: LiveSettings | None = None,
    ) -> None:
        self.folder, self.emit = Path(folder).resolve(), emit
        self.live_settings = live_settings or LiveSettings()
        self.send_frame: Callable[[bytes], None] = lambda frame: None
        self.project = Project()
        self.revision = 1
        self.saved_revision = 1
        self.before: list[tuple[str, Project]] = []
        self.after: list[tuple[str, Project]] = []
        self.tasks = Tasks(lambda event: self.emit(event), lambda: self.project.identity)
        self.studies = Studies(self.folder, lambda event: self.emit(event))
        self.live: Any = None  # a `live.run.Run`, or None
        self.number_of_runs = 0
        self.recovery: Any = None  # an `autosave.Recovery`, if there is unsaved work of an earlier session
        self.autosave: Any = None  # an `autosave.Autosave`, or None
        # (path in the workspace, number of the figure or 0 for the project): version on disk that was read or written
        self.known_versions: dict[tuple[str, int], Any] = {}
        self.downloads: Any = None
        self.uploads: Any = None
        self.on_first_client: Callable[[], None] | None = None  # called once, when a browser connects
        self.preferences = Preferences()
        self.has_client = False  # whether a browser has connected
        self._unpublished: set[int] = set()  # numbers of figures with changes that have not been sent to browsers
        self._published, self._timer = 0.0, None  # type: float, threading.Timer | None
        self._open_edit = ""  # the label of an edit that continues while a slider moves
        self.appearances = Appearances(self)
        self._lock = threading.RLock()
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="anthropi-session")

    # commands

    def do(self, command: Command) -> Any:
        """Execute a command and return its result. If it raises an error, the project is unchanged."""
        handler = HANDLERS.get(type(command))
        if handler is None:
            raise InputError(f"No handler for command '{kind_of(type(command))}'.")
        if type(command) in IMMEDIATE:
            return handler(self, command)
        with self._lock:
            self._open_edit = "" if not type(command).edits else self._open_edit
            return handler(self, command)

    def edit(self, label: str, project: Project, done: bool = True, quiet: bool = False) -> None:
        """Replace the project by an edited one.

        Parameters
        ----------
        label : the name of the edit, for undo.
        project : the edited project.
        done : False while a slider moves. Successive edits with the same label are then undone together.
        quiet : do not update the browsers.
        """
        with self._lock:
            old = self.project
            if not (self._open_edit and self._open_edit == label):
                self.before.append((label, old))
                del self.before[:-MAX_UNDO]
            self._open_edit = "" if done else label
            self.after.clear()
            self._set_project(project, quiet, moving=not done)

    def put(self, project: Project) -> None:
        """Replace the project without an entry in the undo history, for example after a change of the camera."""
        with self._lock:
            self._set_project(project)

    def undo(self) -> None:
        """Undo the last edit."""
        self._step(self.before, self.after, "undo")

    def redo(self) -> None:
        """Redo the last undone edit."""
        self._step(self.after, self.before, "redo")

    def _step(self, source: list[tuple[str, Project]], other: list[tuple[str, Project]], what: str) -> None:
        with self._lock:
            if not source:
                raise StateError(f"There is nothing to {what}.")
            label, project = source.pop()
            other.append((label, self.project))
            # after a step over the opening of another project, saving must not write to the file of the other one
            own = project if project.identity is not self.project.identity else self.project
            camera, path, name = self.project.camera, own.path, own.name
            items = tuple(self._with_new_revision(item) for item in project.items)
            self._open_edit = ""
            number = max(project.next, self.project.next)
            self._set_project(project.changed(camera=camera, path=path, name=name, items=items, next=number))

    def _with_new_revision(self, item: FigureItem) -> FigureItem:
        """Return a restored figure with a new revision number, unless it has not changed."""
        current = next((x for x in self.project.items if x.number == item.number), None)
        if current is item:
            return item
        last = max(current.revision if current else 0, item.revision)
        return replace(item, revision=last + 1)

    def _set_project(self, project: Project, quiet: bool = False, moving: bool = False) -> None:
        project = terrain_placed(project, None if self.live is None else self.live.walk)
        old = {item.number: item for item in self.project.items}
        changed = [item for item in project.items if old.get(item.number) is not item]
        self._unpublished |= {item.number for item in changed}
        replaced = project.identity is not self.project.identity
        self.project = project
        if replaced:  # tasks belong to the project in which they were started
            self.tasks.stop_others()
        self.revision += 1
        if self.live is not None:
            self.live.project_changed(project)
        if self.autosave is not None:
            self.autosave.request()
        if moving:
            self._publish_soon()
        elif not quiet:
            self._publish_now(False)

    # updates of the browsers; while a slider moves, they are limited in rate and omit the appearance and text

    def _publish_soon(self) -> None:
        wait = self._published + PUBLISH_INTERVAL - time.monotonic()
        if wait <= 0.0:
            self._publish_now(True)
        elif self._timer is None:
            self._timer = threading.Timer(wait, self._publish_later)
            self._timer.daemon = True
            self._timer.start()

    def _publish_later(self) -> None:
        with self._lock:
            self._timer = None
            if self._unpublished:
                self._publish_now(bool(self._open_edit))

    def _publish_now(self, moving: bool) -> None:
        self._published = time.monotonic()
        for item in self.project.items:
            if item.number in self._unpublished:
                self.emit(FigureChanged(figure_view(item, None, False) if moving else self.view(item, whole=False)))
        self._unpublished.clear()
        self.publish()

    def publish(self) -> None:
        """Send the project to all browsers."""
        self.emit(ProjectChanged(self.project_view()))

    def project_view(self) -> ProjectView:
        """Return the view of the project that is sent to browsers."""
        undo = self.before[-1][0] if self.before else ""
        redo = self.after[-1][0] if self.after else ""
        saved = self.saved_revision == self.revision
        touched = not saved and self._edits_since_opening() > 0
        return project_view(self.project, self.revision, saved, undo, redo, self.tasks.running(), touched)

    def _edits_since_opening(self) -> int:
        """Return the number of edits since opening; the first motion of an example or file is not counted."""
        own = [label for label, before in self.before if before.identity is self.project.identity]
        opened = next((label for label, p in reversed(self.before) if p.identity is not self.project.identity), "")
        made = any(label.startswith("make '") for label in own)
        return len(own) - (made and opened.startswith("open "))

    def view(self, item: FigureItem, whole: bool = True) -> FigureView:
        """Return the view of a figure. If whole is False, the appearance is included only if it has changed."""
        appearance, changed = self.appearances.of(item)
        return figure_view(item, appearance if changed or whole else None)

    # results of tasks and live runs

    def add_motion(
        self,
        motion: Motion,
        title: str,
        kind: str,
        figure: int | None = None,
        words: str = "",
        world: World | None = None,
        scene: Any = None,
        task: int = 0,
    ) -> int:
        """Add a computed motion to the project, show it and return its number.

        Parameters
        ----------
        motion : the motion.
        title : its name in the project.
        kind : how it was made; see `MotionView.kind`.
        figure : the number of its figure, None if it has several.
        words : its caption.
        world : the world in which it was computed, or None.
        scene : the scene of the script that computed it, or None.
        task : the number of the task that computed it, or 0. `TaskStopped` is raised if its project was replaced.
        """
        with self._lock:
            self.tasks.check_owner(task)
            number = self.project.next
            item = MotionItem(number, motion, title, kind, figure, words, world, scene)
            project = self.project.changed(motions=(*self.project.motions, item), shown=number, next=number + 1)
            self.edit(f"make '{title}'", project, quiet=True)
            self.emit(MotionMade(motion_view(item), task))
            self.publish()
            return number

    def live_stopped(self) -> None:
        """Record that the live run has ended. Terrain that was set during the run is moved to the world's origin."""
        self.live = None
        if any(self.project.world.ground.origin):
            self.put(self.project)

    def wait_for_live(self) -> None:
        """Wait until the kernel of the live run, if there is one, is built."""
        if (run := self.live) is not None:
            run.wait_for_kernel()

    def close(self) -> None:
        """End the live run, all tasks and studies, and the session's thread."""
        if self.live is not None:
            self.live.stop(keep=False)
        self.tasks.close()
        self.studies.close()
        self.pool.shutdown(wait=False, cancel_futures=True)
