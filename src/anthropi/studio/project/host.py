"""The interface between a studio session and the workers it starts: live runs, autosave, appearances.

The session implements `Host`; a worker receives it instead of the session itself, so that the folders form a chain:
messages ← project ← live ← session ← server.
"""

from collections.abc import Callable
from typing import Any, Protocol

from anthropi.motion import Motion
from anthropi.studio.messages import Event, World
from anthropi.studio.project.state import Project

__all__ = ["Host"]


class Host(Protocol):
    """What a worker may read from and report to a studio session. All members may be used from any thread."""

    emit: Callable[[Event], None]  # send an event to all browsers
    send_frame: Callable[[bytes], None]  # send a live frame to all browsers

    @property
    def project(self) -> Project:
        """The current project."""

    @property
    def revision(self) -> int:
        """The number of the current state; each edit adds one."""

    @property
    def saved_revision(self) -> int:
        """The revision that was last saved."""

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
        """Add a computed motion to the project and show it; return its number."""

    def live_stopped(self) -> None:
        """Note that the live run has ended."""

    def wait_for_live(self) -> None:
        """Wait until the live run, if there is one, has its kernel."""
