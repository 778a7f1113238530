"""A session for tests: it executes commands in the JSON format of browsers and records all events."""

import time
from pathlib import Path
from typing import Any

from anthropi.studio.messages import Finished, Problem
from anthropi.studio.messages.encoding import command_of, plain
from anthropi.studio.session import StudioSession


class Tried:
    """A session that records its events."""

    def __init__(self, folder: Path):
        self.events: list[Any] = []
        self.frames: list[bytes] = []
        self.session = StudioSession(folder, self.events.append)
        self.session.send_frame = self.frames.append

    def do(self, kind: str, **fields) -> Any:
        """Execute a command given by its JSON fields and return the result as JSON data."""
        return plain(self.session.do(command_of({"kind": kind, **fields})))

    def run(self, kind: str, **fields) -> Any:
        """Execute a command that starts a task, wait for the task and return the motion that it computed."""
        before = {x.number for x in self.session.project.motions}
        task = self.do(kind, **fields)["task"]
        self.session.tasks.wait(120.0)
        problems = [e.message for e in self.of(Problem) if e.task == task and e.level == "error"]
        assert [e.ok for e in self.of(Finished) if e.task == task] == [True], problems
        made = [x for x in self.session.project.motions if x.number not in before]
        return made[-1] if made else self.session.project.motion_item(self.session.project.shown)

    def of(self, kind: type) -> list[Any]:
        """Return all events of a type."""
        return [e for e in self.events if isinstance(e, kind)]

    def until(self, condition, seconds: float = 30.0) -> None:
        """Wait until a condition is true."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, [e for e in self.of(Problem)]
            time.sleep(0.005)

    @property
    def item(self) -> Any:
        """The only figure of the project."""
        (item,) = self.session.project.items
        return item

    def close(self) -> None:
        """Close the session."""
        self.session.close()
