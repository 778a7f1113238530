"""The connection to one browser: a bounded send queue. A browser that reads too slowly is disconnected.

All events and replies are delivered, in order. Only the newest live frame is queued, so a slow browser gets fewer
frames. If the browser acknowledges frames, at most `MAX_UNSEEN_FRAMES` frames are sent before the next acknowledgement,
so that no frame arrives late. The connection ends if a message cannot be sent within `SEND_TIMEOUT`, or if the queued
messages exceed `MAX_QUEUED_BYTES` and the size of the project, all of which a browser gets when it connects.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

__all__ = ["MAX_QUEUED_BYTES", "SEND_TIMEOUT", "Client"]

SEND_TIMEOUT = 5.0  # [s] time for a browser to accept a message
MAX_UNSEEN_FRAMES = 4  # frames that are sent but not acknowledged yet
MIN_RATE = 1 << 18  # [byte/s] large messages get more time: their size divided by this rate
MAX_QUEUED_BYTES = 8 << 20  # total size of the queued messages, in addition to the size of the project


class Client:
    """A connected browser.

    Parameters
    ----------
    transmit : coroutine function that sends text or bytes and returns when the connection has accepted them.
    timeout : [s] time limit for sending one message.
    max_bytes : largest total size of the queued messages, in addition to the project.
    project_bytes : function that returns the size of the messages that describe the project.
    """

    dropped: Any
    frames: Any

    def __init__(
        self,
        transmit: Callable[[str | bytes], Awaitable[Any]],
        timeout: float = SEND_TIMEOUT,
        max_bytes: int = MAX_QUEUED_BYTES,
        project_bytes: Callable[[], int] = lambda: 0,
    ) -> None:
        self._transmit, self._timeout = transmit, timeout
        self._max_bytes, self._project_bytes = max_bytes, project_bytes
        self._texts: deque[str] = deque()
        self._bytes = 0
        self._frame: bytes | None = None
        self._ready = asyncio.Event()
        self._unseen: deque[int] | None = None  # numbers of frames not acknowledged yet; None: it never acknowledged
        self.dropped = ""  # why the browser was disconnected, "" while it is connected
        self.frames = 0

    def send(self, text: str) -> None:
        """Queue a message."""
        if self.dropped:
            return
        self._texts.append(text)
        self._bytes += len(text)
        if self._bytes > self._max_bytes and self._bytes > self._max_bytes + self._project_bytes():
            self.drop("The browser reads too slowly: too many messages are queued.")
        self._ready.set()

    def send_frame(self, frame: bytes) -> None:
        """Queue a live frame; it replaces a frame that is still queued."""
        if not self.dropped:
            self._frame = frame
            self._ready.set()

    def seen(self, sequence: int) -> None:
        """Record that the browser has shown a frame and all frames before it."""
        if self._unseen is None:
            self._unseen = deque()
        if sequence in self._unseen:  # the queue is in the order of sending; each live run counts from one again
            while self._unseen.popleft() != sequence:
                pass
        self._ready.set()

    def _may_send_frame(self) -> bool:
        return self._frame is not None and (self._unseen is None or len(self._unseen) < MAX_UNSEEN_FRAMES)

    def drop(self, why: str) -> None:
        """Disconnect the browser and discard all queued messages."""
        self.dropped = self.dropped or why
        self._texts.clear()
        self._frame, self._bytes = None, 0
        self._ready.set()

    async def run(self) -> None:
        """Send queued messages and frames until the client is dropped."""
        while not self.dropped:
            await self._ready.wait()
            self._ready.clear()
            while not self.dropped and (self._texts or self._may_send_frame()):
                await self._send_next()

    async def _send_next(self) -> None:
        message: str | bytes
        if self._texts:
            message = self._texts.popleft()
            self._bytes -= len(message)
        else:
            assert self._frame is not None
            message, self._frame = self._frame, None
            self.frames += 1
            if self._unseen is not None:
                self._unseen.append(int.from_bytes(message[:4], "little"))
        try:
            await asyncio.wait_for(self._transmit(message), self._timeout + len(message) / MIN_RATE)
        except TimeoutError:
            self.drop("The browser does not read its messages.")
        except Exception:  # the connection is closed; the type of the error depends on the transport
            self.drop("The connection is closed.")
