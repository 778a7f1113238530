"""A browser that listens: what it is to be told waits in a bounded box; whoever does not read is let go.

Events and replies are all delivered, in order. Of live frames only the newest waits: a slow browser sees fewer. If it
says which frames it has seen, no more than `AHEAD` are under way to it: then none is late either, whatever lies in
buffers between. A message that cannot be handed over for `STUCK` seconds, or a box that overflows, ends the connection.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

__all__ = ["BYTES", "STUCK", "Client"]

STUCK = 5.0  # [s] a browser may leave a message unread
AHEAD = 4  # frames that a browser has not seen yet
BYTES = 8 << 20  # of messages that wait


class Client:
    """A browser. hand_over(text or bytes) sends and returns when the connection took it."""

    def __init__(self, hand_over: Callable[[str | bytes], Awaitable[Any]], stuck: float = STUCK, most: int = BYTES):
        self._hand_over, self._stuck, self._most = hand_over, stuck, most
        self._texts: deque[str] = deque()
        self._bytes = 0
        self._frame: bytes | None = None
        self._something = asyncio.Event()
        self._unseen: deque[int] | None = None  # numbers of frames, once it tells
        self.dropped = ""  # why it was let go
        self.frames = 0

    def tell(self, text: str) -> None:
        """Put a message into the box."""
        if self.dropped:
            return
        self._texts.append(text)
        self._bytes += len(text)
        if self._bytes > self._most:
            self.drop("The browser reads too slowly: too much waited for it.")
        self._something.set()

    def show(self, frame: bytes) -> None:
        """A live frame, in place of one that still waits."""
        if not self.dropped:
            self._frame = frame
            self._something.set()

    def seen(self, sequence: int) -> None:
        """The browser has seen a frame, and all before it."""
        if self._unseen is None:
            self._unseen = deque()
        if sequence in self._unseen:  # by the order of sending: each run counts from one
            while self._unseen.popleft() != sequence:
                pass
        self._something.set()

    def _may_show(self) -> bool:
        return self._frame is not None and (self._unseen is None or len(self._unseen) < AHEAD)

    def drop(self, why: str) -> None:
        """Let it go."""
        self.dropped = self.dropped or why
        self._texts.clear()
        self._frame, self._bytes = None, 0
        self._something.set()

    async def run(self) -> None:
        """Hand over what comes until it is let go."""
        while not self.dropped:
            await self._something.wait()
            self._something.clear()
            while not self.dropped and (self._texts or self._may_show()):
                await self._one()

    async def _one(self) -> None:
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
            await asyncio.wait_for(self._hand_over(message), self._stuck)
        except TimeoutError:
            self.drop("The browser does not read.")
        except Exception:  # the connection is gone, in whatever way it tells
            self.drop("The browser is gone.")

    async def ended(self) -> None:
        """Nothing more is handed over."""
        self.drop("closed")
        with contextlib.suppress(Exception):
            await asyncio.sleep(0)
