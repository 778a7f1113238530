"""A study that the studio runs: `anthropi study FILE` in a separate process.

The code of the study is not imported into the studio, so that an error, a crash or changed code does not affect the
studio. Stopping sends the signal of Ctrl-C. The process then stores the finished points and ends.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path

__all__ = ["StudyProcess"]

STOP_TIMEOUT = 10.0  # [s] that a process has to end after Ctrl-C; then it is killed
MAX_LINES = 20  # lines of error output that are kept
MAX_MESSAGE = 2000  # characters of them
# A shell that starts the studio in the background lets it ignore Ctrl-C; the study must not
LAUNCH = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from anthropi.cli import app
app(prog_name="anthropi")
"""


class StudyProcess:
    """A running `anthropi study`.

    Parameters
    ----------
    file : the study file.
    workers : number of its worker processes; None: one for each CPU.
    retry : whether points that failed earlier are computed again.
    ended : called once, from another thread, with the exit code and the error output, when the process has ended.
    """

    def __init__(self, file: Path, workers: int | None, retry: bool, ended: Callable[[int, str], None]) -> None:
        words = ["study", str(file), "--quiet"]
        words += [] if workers is None else ["--workers", str(workers)]
        words += ["--retry"] if retry else []
        path = os.pathsep.join(p for p in sys.path if p)
        self.stopped = False
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", LAUNCH, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=file.parent,
            env=dict(os.environ) | {"PYTHONPATH": path, "NO_COLOR": "1", "TERM": "dumb"},
            start_new_session=True,
        )
        self._thread = threading.Thread(target=self._watch, args=(ended,), daemon=True, name="anthropi-study")
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Stop as Ctrl-C does; a process that does not end, or is stopped twice, is killed."""
        if not self.running:
            return
        if self.stopped or sys.platform == "win32":
            self._kill()
            return
        self.stopped = True
        with contextlib.suppress(OSError):
            self._process.send_signal(signal.SIGINT)
        timer = threading.Timer(STOP_TIMEOUT, self._kill)
        timer.daemon = True
        timer.start()

    def close(self, timeout: float) -> None:
        """Stop and wait, at most some time [s]; then kill."""
        self.stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout)
        self._kill()

    def _kill(self) -> None:
        self.stopped = True
        with contextlib.suppress(OSError):
            self._process.kill()

    def _watch(self, ended: Callable[[int, str], None]) -> None:
        assert self._process.stderr is not None
        lines: deque[bytes] = deque(maxlen=MAX_LINES)
        while block := self._process.stderr.readline(MAX_MESSAGE):
            lines.append(block)
        code = self._process.wait()
        self._process.stderr.close()
        ended(code, b"".join(lines).decode("utf-8", "replace").strip()[-MAX_MESSAGE:])
