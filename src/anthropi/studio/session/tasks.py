"""Tasks: long computations, each in a separate thread, that report their progress and can be stopped."""

import itertools
import threading
import time
from collections.abc import Callable
from typing import Any

from anthropi.errors import AnthropiError
from anthropi.studio.messages import Event, Finished, Problem, Progress, Running
from anthropi.studio.messages.encoding import problem_of

__all__ = ["Task", "TaskStopped", "Tasks"]

PROGRESS_INTERVAL = 0.1  # [s] between two progress events of a task


class TaskStopped(AnthropiError):
    """Raised in a task that was stopped on request."""


class Task:
    """A computation in progress. Pass `report` to it as its progress function."""

    done: Any
    number: Any
    stopped: Any
    total: Any
    what: Any

    def __init__(self, number: int, what: str, emit: Callable[[Event], None], owner: object = None) -> None:
        self.number, self.what, self.owner, self._emit = number, what, owner, emit
        self.done = self.total = 0.0
        self.stopped = threading.Event()
        self._last_report = 0.0

    def report(self, done: float, total: float) -> None:
        """Send the progress to the browsers. Raises `TaskStopped` if the task has been stopped."""
        if self.stopped.is_set():
            raise TaskStopped(f"'{self.what}' was stopped.")
        self.done, self.total = float(done), float(total)
        now = time.monotonic()
        if now - self._last_report > PROGRESS_INTERVAL or done >= total:
            self._last_report = now
            self._emit(Progress(self.view()))

    def view(self) -> Running:
        """Return the view of the task that is sent to browsers."""
        return Running(self.number, self.what, self.done, self.total)


class Tasks:
    """All tasks of a session.

    emit : sends an event to all browsers, from any thread. owner : returns the identity of the open project, to which
    the results of a new task belong.
    """

    def __init__(self, emit: Callable[[Event], None], owner: Callable[[], object] = lambda: None) -> None:
        self._emit, self._owner = emit, owner
        self._tasks: dict[int, Task] = {}
        self._threads: list[threading.Thread] = []
        self._numbers = itertools.count(1)
        self._running = threading.Semaphore(1)  # tasks run one at a time, because each may use all cores
        self._lock = threading.Lock()

    def start(self, what: str, compute: Callable[[Task], Any]) -> int:
        """Start compute(task) in a thread and return the number of the task."""
        task = Task(next(self._numbers), what, self._emit, self._owner())
        with self._lock:
            self._tasks[task.number] = task
        thread = threading.Thread(target=self._run, args=(task, compute), daemon=True, name=f"anthropi-task-{what}")
        self._threads = [t for t in self._threads if t.is_alive()] + [thread]
        thread.start()
        self._emit(Progress(task.view()))
        return task.number

    def _run(self, task: Task, compute: Callable[[Task], Any]) -> None:
        ok = False
        try:
            with self._running:
                if not task.stopped.is_set():
                    compute(task)
                    ok = True
        except Exception as error:
            if task.owner is not self._owner():
                pass  # its project was replaced: nothing about it concerns the open one
            elif isinstance(error, TaskStopped):
                self._emit(Problem(f"'{task.what}' was stopped.", task=task.number, level="note"))
            else:
                self._emit(problem_of(error, task.number))
        finally:
            with self._lock:
                self._tasks.pop(task.number, None)
            self._emit(Finished(task.number, ok))

    def stop(self, number: int) -> None:
        """Request a task to stop."""
        with self._lock:
            task = self._tasks.get(number)
        if task is not None:
            task.stopped.set()

    def check_owner(self, number: int) -> None:
        """Raise `TaskStopped` if a task belongs to another project than the open one. 0 means no task."""
        with self._lock:
            task = self._tasks.get(number)
        if task is not None and task.owner is not self._owner():
            raise TaskStopped(f"'{task.what}' belongs to a project that was replaced.")

    def stop_others(self) -> None:
        """Request all tasks to stop that belong to another project than the open one."""
        with self._lock:
            for task in self._tasks.values():
                if task.owner is not self._owner():
                    task.stopped.set()

    def running(self) -> list[Running]:
        """Return the views of all tasks of the open project that are waiting or running."""
        with self._lock:
            return [task.view() for task in self._tasks.values() if task.owner is self._owner()]

    def wait(self, timeout: float = 60.0) -> None:
        """Wait until all tasks have ended, at most timeout [s]."""
        end = time.monotonic() + timeout
        for thread in list(self._threads):
            thread.join(max(0.0, end - time.monotonic()))

    def close(self) -> None:
        """Request all tasks to stop."""
        with self._lock:
            for task in self._tasks.values():
                task.stopped.set()
