"""A worker process of `pools.Processes`: `python -m anthropi.study.worker`.

Reads the address of the driver, a key, the limit of its memory and the driver's `sys.path` from its standard input, and
computes chunks until the driver closes the connection or dies. Ctrl-C is left to the driver.
"""

import json
import signal
import sys
from multiprocessing.connection import Client
from typing import Any

__all__ = ["main"]


def main() -> None:
    """Serve the driver that started this process."""
    given = json.loads(sys.stdin.readline())
    sys.path.extend(p for p in given["path"] if p not in sys.path)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if given["memory"] and sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (int(given["memory"]), int(given["memory"])))
    from anthropi.study.chunk import run_chunk, worker_name

    address = given["address"] if isinstance(given["address"], str) else tuple(given["address"])
    try:
        connection = Client(address, authkey=bytes.fromhex(given["key"]))
    except (EOFError, OSError):  # the driver has died meanwhile
        return
    with connection as driver:
        driver.send(worker_name())
        while True:
            try:
                chunk = driver.recv()
            except (EOFError, OSError):
                return
            answer: tuple[str, Any]
            try:
                answer = "result", run_chunk(chunk)
            except Exception as error:
                answer = "error", error
            try:
                _send(driver, answer)
            except (BrokenPipeError, ConnectionResetError):
                return


def _send(driver: Any, answer: tuple[str, Any]) -> None:
    """Send an answer; an error that cannot be pickled is sent as its text."""
    from anthropi.errors import SimulationError

    try:
        driver.send(answer)
    except (TypeError, AttributeError, ValueError) as error:
        driver.send(("error", SimulationError(f"{answer[1]} (could not be sent: {error})")))


if __name__ == "__main__":
    main()
