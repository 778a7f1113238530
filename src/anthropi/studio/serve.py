"""Start the studio: a desk, a server on this machine's loopback, and perhaps a browser."""

import contextlib
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

from anthropi.errors import FileError, MissingExtra, StateError

__all__ = ["Served", "opened", "serve"]

HOST = "127.0.0.1"
WAITS = 1 << 18  # bytes the system keeps for a browser: who does not read is noticed soon


class Served:
    """A studio that runs: `address` to open, `stop()` to end it."""

    def __init__(self, folder: Path, file: Path | None = None, port: int = 0, token: str = "", autosave: bool = True):
        try:
            import uvicorn

            from anthropi.studio.server import MESSAGE, Studio
        except ModuleNotFoundError as error:
            raise MissingExtra(error.name or "starlette", "studio", "The studio") from None
        from anthropi.studio.guard import new_token
        from anthropi.studio.project.autosave import Autosave, lost_work
        from anthropi.studio.session import StudioSession

        self._socket = _bound(port)
        self.port = self._socket.getsockname()[1]
        self.desk = StudioSession(folder)
        self.studio = Studio(self.desk, token or new_token(), self.port)
        if autosave:
            self.desk.recovery = lost_work()
        opened(self.desk, file)
        if autosave:
            self.desk.autosave = Autosave(self.desk)
        config = uvicorn.Config(
            self.studio.app, log_level="error", access_log=False, ws="websockets-sansio", ws_max_size=MESSAGE,
            ws_per_message_deflate=False, ws_ping_interval=10.0, ws_ping_timeout=10.0, server_header=False,
            date_header=False, timeout_graceful_shutdown=2,
            proxy_headers=False, lifespan="on",
        )  # fmt: skip
        self.server = uvicorn.Server(config)

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return self.studio.address

    def run(self) -> None:
        """Serve until Ctrl-C or `stop`."""
        try:
            self.server.run(sockets=[self._socket])
        finally:
            if self.desk.autosave is not None:
                self.desk.autosave.close()
            self._socket.close()

    def start(self) -> None:
        """Serve in a thread; returns when browsers may come."""
        self._thread = threading.Thread(target=self.run, daemon=True, name="anthropi-studio")
        self._thread.start()
        waiting = threading.Event()
        while not self.server.started and self._thread.is_alive():
            waiting.wait(0.01)

    def stop(self) -> None:
        """End it."""
        self.server.should_exit = True
        with contextlib.suppress(AttributeError):
            self._thread.join(10.0)


def _bound(port: int) -> socket.socket:
    """A socket on the loopback, on a free port if 0."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WAITS)  # inherited by every connection
    try:
        made.bind((HOST, port))
        made.listen(128)  # who comes before the server is up waits
    except OSError as error:
        made.close()
        raise StateError(f"Port {port} cannot be had: {error.strerror}. Take another, or leave --port out.") from None
    return made


def opened(desk, file: Path | None) -> None:
    """What the studio opens on: a file, or a human that walks as soon as somebody looks."""
    from anthropi.studio.session.examples import EXAMPLES
    from anthropi.studio.session.files import open_path

    if file is not None:
        open_path(desk, file, False, _shown(desk, file))
    else:
        EXAMPLES["live walk"].open(desk)
    desk.before.clear()
    desk.saved_revision = desk.revision


def _shown(desk, file: Path) -> str:
    inside = file.resolve()
    return str(inside.relative_to(desk.folder)) if inside.is_relative_to(desk.folder) else ""


def serve(file: Path | None, folder: Path | None, port: int, browser: bool, say: Callable[[str], None] = print) -> None:
    """The command `anthropi studio`."""
    if file is not None and not file.exists():
        raise FileError(f"No file {file}.")
    home = folder or (file.resolve().parent if file is not None else Path.cwd())
    if not home.is_dir():
        raise FileError(f"No folder {home}.")
    served = Served(home, file, port)
    say(f"The studio is at {served.address}")
    say(f"It reads and writes in {home}. Ctrl-C ends it.")
    if browser:
        threading.Timer(0.3, webbrowser.open, (served.address,)).start()
    served.run()
