"""The interface between a studio session and its workers: live runs, autosave and appearances.

The session implements `Host`, and workers depend only on this interface. So the folders import each other in one
direction only: messages ← project ← live ← session ← server.
"""

from collections.abc import Callable
from typing import Any, Protocol

from anthropi.motion import Motion
from anthropi.studio.messages import Event, World
from anthropi.studio.project.state import Project

__all__ = ["Host"]


class Host(Protocol):
    """The members of a studio session that its workers may use, from any thread."""

    emit: Callable[[Event], None]  # send an event to all browsers
    send_frame: Callable[[bytes], None]  # send a live frame to all browsers

    @property
    def project(self) -> Project:
        """The current project."""

    @property
    def revision(self) -> int:
        """The revision number of the project; each change adds one."""

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
        """Report that the live run has ended."""

    def wait_for_live(self) -> None:
        """Wait until the kernel of the live run, if there is one, is built."""
