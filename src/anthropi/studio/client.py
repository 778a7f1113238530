"""The connection to one browser: a bounded send queue; slow clients are disconnected.

Events and replies are all delivered, in order. Of live frames only the newest waits, so a slow browser gets fewer. A
browser that acknowledges frames has at most `MAX_UNSEEN_FRAMES` on their way to it, whatever the buffers between hold:
then no frame is late. A message that cannot be sent within `SEND_TIMEOUT`, or a queue over `MAX_QUEUED_BYTES`, ends the
connection.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

__all__ = ["MAX_QUEUED_BYTES", "SEND_TIMEOUT", "Client"]

SEND_TIMEOUT = 5.0  # [s] for a browser to accept a message
MAX_UNSEEN_FRAMES = 4  # frames that a browser has not acknowledged yet
MAX_QUEUED_BYTES = 8 << 20  # of messages that wait


class Client:
    """A connected browser.

    Parameters
    ----------
    transmit : sends text or bytes; returns when the connection has accepted it.
    timeout : [s] for one message.
    max_bytes : of messages that wait.
    """

    dropped: Any
    frames: Any

    def __init__(
        self,
        transmit: Callable[[str | bytes], Awaitable[Any]],
        timeout: float = SEND_TIMEOUT,
        max_bytes: int = MAX_QUEUED_BYTES,
    ) -> None:
        self._transmit, self._timeout, self._max_bytes = transmit, timeout, max_bytes
        self._texts: deque[str] = deque()
        self._bytes = 0
        self._frame: bytes | None = None
        self._ready = asyncio.Event()
        self._unseen: deque[int] | None = None  # numbers of frames, once the browser acknowledges them
        self.dropped = ""  # why it was disconnected
        self.frames = 0

    def send(self, text: str) -> None:
        """Queue a message."""
        if self.dropped:
            return
        self._texts.append(text)
        self._bytes += len(text)
        if self._bytes > self._max_bytes:
            self.drop("The browser reads too slowly: too many messages are waiting.")
        self._ready.set()

    def send_frame(self, frame: bytes) -> None:
        """Queue a live frame, in place of one that still waits."""
        if not self.dropped:
            self._frame = frame
            self._ready.set()

    def seen(self, sequence: int) -> None:
        """Acknowledge a frame and all before it."""
        if self._unseen is None:
            self._unseen = deque()
        if sequence in self._unseen:  # in the order of sending: each run counts from one
            while self._unseen.popleft() != sequence:
                pass
        self._ready.set()

    def _may_send_frame(self) -> bool:
        return self._frame is not None and (self._unseen is None or len(self._unseen) < MAX_UNSEEN_FRAMES)

    def drop(self, why: str) -> None:
        """Disconnect: nothing more is sent."""
        self.dropped = self.dropped or why
        self._texts.clear()
        self._frame, self._bytes = None, 0
        self._ready.set()

    async def run(self) -> None:
        """Send what is queued until the client is dropped."""
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
            await asyncio.wait_for(self._transmit(message), self._timeout)
        except TimeoutError:
            self.drop("The browser does not read.")
        except Exception:  # the connection is closed; the type of the error depends on the transport
            self.drop("The connection is closed.")
