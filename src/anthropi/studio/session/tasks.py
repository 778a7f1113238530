"""Long computations, each in a thread of its own: they tell how far they are, can be stopped, and end with a motion."""

import itertools
import threading
import time
from collections.abc import Callable
from typing import Any

from anthropi.errors import AnthropiError
from anthropi.studio.messages import Finished, Problem, Progress, Running
from anthropi.studio.messages.encoding import problem_of

__all__ = ["Stopped", "Task", "Tasks"]

OFTEN = 0.1  # [s] between two tellings


class Stopped(AnthropiError):
    """Somebody stopped a task."""


class Task:
    """A computation on its way. `tell(done, total)` is the progress function to give it."""

    def __init__(self, number: int, what: str, tasks: "Tasks"):
        self.number, self.what, self._tasks = number, what, tasks
        self.done = self.total = 0.0
        self.stopped = threading.Event()
        self._told = 0.0

    def tell(self, done: float, total: float) -> None:
        """How far it is. Raises `Stopped` if somebody wants it to end."""
        if self.stopped.is_set():
            raise Stopped(f"'{self.what}' was stopped.")
        self.done, self.total = float(done), float(total)
        now = time.monotonic()
        if now - self._told > OFTEN or done >= total:
            self._told = now
            self._tasks.desk.emit(Progress(self.view()))

    def view(self) -> Running:
        """As browsers see it."""
        return Running(self.number, self.what, self.done, self.total)


class Tasks:
    """What is being computed."""

    def __init__(self, desk):
        self.desk = desk
        self._tasks: dict[int, Task] = {}
        self._threads: list[threading.Thread] = []
        self._numbers = itertools.count(1)
        self._one = threading.Semaphore(1)  # one computes, others wait: two share no core then
        self._lock = threading.Lock()

    def start(self, what: str, compute: Callable[[Task], Any]) -> int:
        """Begin compute(task) in a thread; the task's number."""
        task = Task(next(self._numbers), what, self)
        with self._lock:
            self._tasks[task.number] = task
        thread = threading.Thread(target=self._run, args=(task, compute), daemon=True, name=f"anthropi-task-{what}")
        self._threads = [t for t in self._threads if t.is_alive()] + [thread]
        thread.start()
        self.desk.emit(Progress(task.view()))
        return task.number

    def _run(self, task: Task, compute) -> None:
        ok = False
        try:
            with self._one:
                if not task.stopped.is_set():
                    compute(task)
                    ok = True
        except Stopped:
            self.desk.emit(Problem(f"'{task.what}' was stopped.", task=task.number, level="note"))
        except Exception as error:
            self.desk.emit(problem_of(error, task.number))
        finally:
            with self._lock:
                self._tasks.pop(task.number, None)
            self.desk.emit(Finished(task.number, ok))

    def stop(self, number: int) -> None:
        """Ask a task to end."""
        with self._lock:
            task = self._tasks.get(number)
        if task is not None:
            task.stopped.set()

    def running(self) -> list[Running]:
        """All tasks on their way."""
        with self._lock:
            return [task.view() for task in self._tasks.values()]

    def wait(self, timeout: float = 60.0) -> None:
        """Until nothing is being computed."""
        end = time.monotonic() + timeout
        for thread in list(self._threads):
            thread.join(max(0.0, end - time.monotonic()))

    def close(self) -> None:
        """Stop all."""
        with self._lock:
            for task in self._tasks.values():
                task.stopped.set()
