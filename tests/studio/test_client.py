"""The send queue of a browser: events arrive in order, only the newest frame is sent, slow browsers are dropped."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from anthropi.studio.client import MAX_UNSEEN_FRAMES, Client


def by_itself(work):
    """Run a coroutine in a new thread, because browser tests leave a running event loop in the main thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def frame(number: int) -> bytes:
    """Return a frame with this number."""
    return number.to_bytes(4, "little") + bytes(12)


def test_events_come_all_and_frames_only_the_newest():
    """All events arrive in order, but only the newest frame is sent."""

    async def run() -> list:
        got: list = []

        async def take(message) -> None:
            got.append(message)

        client = Client(take)
        for k in range(5):
            client.send(str(k))
            client.send_frame(frame(k))
        task = asyncio.create_task(client.run())
        await asyncio.sleep(0.02)
        client.drop("done")
        await task
        return got

    assert by_itself(run()) == ["0", "1", "2", "3", "4", frame(4)]


def handed_over(meanwhile) -> list[int]:
    """Return the numbers of the frames that an acknowledging browser receives while `meanwhile(client, got)` runs."""

    async def run() -> list:
        got: list = []

        async def take(message) -> None:
            got.append(int.from_bytes(message[:4], "little"))

        client = Client(take)
        client.seen(0)
        task = asyncio.create_task(client.run())
        await meanwhile(client, got)
        await asyncio.sleep(0.01)
        client.drop("done")
        await task
        return got

    return by_itself(run())


def test_who_says_what_it_has_seen_gets_nothing_late():
    """At most a few frames are in transit; the next is sent when one is acknowledged."""

    async def meanwhile(client, got) -> None:
        for k in range(1, 20):
            client.send_frame(frame(k))
            await asyncio.sleep(0.001)
        assert got == list(range(1, MAX_UNSEEN_FRAMES + 1))
        client.seen(2)

    assert handed_over(meanwhile) == [*range(1, MAX_UNSEEN_FRAMES + 1), 19]


def test_the_next_run_counts_from_one_and_its_frames_come():
    """Frames of a new run are sent even if the last frame of the previous run was never acknowledged."""

    async def meanwhile(client, got) -> None:
        client.send_frame(frame(155))
        await asyncio.sleep(0.001)
        for k in range(1, 20):
            client.send_frame(frame(k))
            await asyncio.sleep(0.001)
            client.seen(k)

    assert handed_over(meanwhile) == [155, *range(1, 20)]


def test_who_does_not_read_is_let_go():
    """A browser that does not read is disconnected after a timeout, or at once if too many messages are queued."""

    async def run() -> tuple[str, str]:
        async def never(message) -> None:
            await asyncio.sleep(60)

        slow = Client(never, timeout=0.02)
        slow.send("a")
        await asyncio.wait_for(slow.run(), 2.0)
        full = Client(never, max_bytes=100)
        full.send("x" * 101)
        await asyncio.wait_for(full.run(), 2.0)
        return slow.dropped, full.dropped

    slow, full = by_itself(run())
    assert "does not read" in slow and "too slowly" in full
