"""Start the studio: a session, a server on the loopback interface, and a browser if wanted."""

import contextlib
import html
import os
import socket
import threading
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anthropi.errors import FileError, MissingExtra, StateError

if TYPE_CHECKING:
    from anthropi.studio.session import StudioSession

__all__ = ["StudioServer", "open_initial", "serve"]

HOST = "127.0.0.1"
SEND_BUFFER = 1 << 18  # bytes of a socket's send buffer: small, so that a browser that stops reading is noticed soon
REDIRECT = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>AnthroPI studio</title>
<p><a href="{address}">Open the studio</a></p>
"""


class StudioServer:
    """The server of a studio. Open `address` in a browser; `stop()` ends the server.

    Parameters
    ----------
    folder : the workspace, the only folder that the studio reads and writes.
    file : the file to open. None opens a human that walks live.
    port : the port to listen on, 0 for any free port.
    token : the token that requests must carry, "" for a random one.
    autosave : whether unsaved work and preferences are kept on disk.
    """

    server: Any
    session: Any
    studio: Any

    def __init__(
        self, folder: Path, file: Path | None = None, port: int = 0, token: str = "", autosave: bool = True
    ) -> None:
        try:
            import uvicorn

            from anthropi.studio.server import MAX_MESSAGE, Studio
        except ModuleNotFoundError as error:
            raise MissingExtra(error.name or "starlette", "studio", "The studio") from None
        from anthropi.studio.guard import limited_protocol, new_token
        from anthropi.studio.project.autosave import Autosave, lost_work, state_folder
        from anthropi.studio.project.preferences import Preferences
        from anthropi.studio.session import StudioSession

        self._socket = _bound(port)
        self.port = self._socket.getsockname()[1]
        self.session = StudioSession(folder)
        self.studio = Studio(self.session, token or new_token(), self.port)
        if autosave:
            self.session.recovery = lost_work()
            self.session.preferences = Preferences(state_folder() / "preferences.json")
        open_initial(self.session, file)
        if autosave:
            self.session.autosave = Autosave(self.session)
        config = uvicorn.Config(
            self.studio.app,
            log_level="error",
            access_log=False,
            http=limited_protocol(self.studio.app),
            ws="websockets-sansio",
            ws_max_size=MAX_MESSAGE,
            ws_per_message_deflate=False,
            ws_ping_interval=10.0,
            ws_ping_timeout=10.0,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=2,
            proxy_headers=False,
            lifespan="on",
        )
        self.server = uvicorn.Server(config)

    @property
    def address(self) -> str:
        """The address to open in a browser, with the token."""
        return self.studio.address

    def redirect_file(self) -> Path:
        """Write a page that leads to `address`, readable by this user only, and return its path.

        Browsers are started with the path of this page, because all users of a machine can read command lines.
        """
        path = self.studio.store.folder / "open.html"
        text = REDIRECT.format(address=html.escape(self.address))
        with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run(self) -> None:
        """Serve until Ctrl-C or `stop`."""
        try:
            self.server.run(sockets=[self._socket])
        finally:
            if self.session.autosave is not None:
                self.session.autosave.close()
            self._socket.close()

    def start(self) -> None:
        """Serve in a background thread and return when browsers can connect."""
        self._thread = threading.Thread(target=self.run, daemon=True, name="anthropi-studio")
        self._thread.start()
        while not self.server.started and self._thread.is_alive():
            time.sleep(0.01)

    def stop(self) -> None:
        """Stop serving."""
        self.server.should_exit = True
        with contextlib.suppress(AttributeError):
            self._thread.join(10.0)


def _bound(port: int) -> socket.socket:
    """Return a socket that listens on a port of the loopback interface, 0 for any free port."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)  # inherited by every connection
    try:
        listener.bind((HOST, port))
        listener.listen(128)  # connections wait here until the server runs
    except OSError as error:
        listener.close()
        raise StateError(
            f"Port {port} cannot be used: {error.strerror}. Choose another port, or omit --port."
        ) from None
    return listener


def open_initial(session: "StudioSession", file: Path | None) -> None:
    """Open a file. Without one, open a human that starts to walk when the first browser connects."""
    from anthropi.studio.session.examples import EXAMPLES
    from anthropi.studio.session.files import open_path

    if file is not None:
        open_path(session, file, False, _name_in_workspace(session, file))
    else:
        EXAMPLES["live walk"].open(session)
    session.before.clear()
    session.saved_revision = session.revision


def _name_in_workspace(session: "StudioSession", file: Path) -> str:
    inside = file.resolve()
    return str(inside.relative_to(session.folder)) if inside.is_relative_to(session.folder) else ""


def serve(file: Path | None, folder: Path | None, port: int, browser: bool, say: Callable[[str], None] = print) -> None:
    """Run the command `anthropi studio`.

    Parameters
    ----------
    file : the file to open, or None.
    folder : the workspace. None: the folder of the file, or the current folder.
    port : the port to listen on, 0 for any free port.
    browser : whether to open the address in a browser.
    say : function that prints a line.
    """
    if file is not None and not file.exists():
        raise FileError(f"No file {file}.")
    home = folder or (file.resolve().parent if file is not None else Path.cwd())
    if not home.is_dir():
        raise FileError(f"No folder {home}.")
    served = StudioServer(home, file, port)
    say(f"The studio is at {served.address}")
    say(f"Workspace: {home}. Press Ctrl-C to stop.")
    if browser:
        threading.Timer(0.3, webbrowser.open, (served.redirect_file().as_uri(),)).start()
    served.run()
