"""The studio's server: the page, motions, files, and a WebSocket for commands, replies, events and live frames.

It listens on the loopback interface only. The event loop does no long computations: commands run in the session's
thread, each simulation in a separate thread. These threads also write replies and events as JSON, and large commands
are read by other threads. The texts reach the loop through `call_soon_threadsafe`.
"""

import asyncio
import contextlib
import html
import json
from collections.abc import AsyncIterator, Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from anthropi.errors import AnthropiError, FileError, FormatError
from anthropi.formats.pages.motion_buffer import motion_buffer
from anthropi.studio.client import Client
from anthropi.studio.guard import Guard
from anthropi.studio.messages import Command, Event, FigureChanged, FigureLooks, ProjectChanged
from anthropi.studio.messages.encoding import command_of, encoded, event_text, refusal
from anthropi.studio.project.scene import EmptyScene
from anthropi.studio.session import StudioSession
from anthropi.studio.session.exports import MAX_UPLOAD, FileStore
from anthropi.studio.session.session import IMMEDIATE

__all__ = ["MAX_MESSAGE", "Studio"]

MAX_MESSAGE = 4 << 20  # bytes of one message from a browser
BUNDLE = {
    "index.html": "text/html; charset=utf-8",
    "studio.js": "text/javascript; charset=utf-8",
    "studio.css": "text/css; charset=utf-8",
}
GALLERY = {  # written by tools/thumbnails.py
    "names.json": "application/json",
    "dark.webp": "image/webp",
    "light.webp": "image/webp",
}
MAX_TEXT_IN_LOOP = 1 << 14  # characters of a command that the event loop reads itself; threads read longer ones
MAX_CLIENTS = 200
MAX_BUFFERS = 4  # motions that are kept encoded
FRAME_SEEN = '{"kind":"frame_seen"'  # sent sixty times a second, so it is recognised without parsing


class Studio:
    """A session with its connected browsers; `app` is the ASGI application.

    Parameters
    ----------
    session : the open project and its commands.
    token : the token that requests must carry.
    port : the port that the server listens on.
    """

    app: Any
    port: Any
    session: Any
    store: Any
    token: Any

    def __init__(self, session: StudioSession, token: str, port: int) -> None:
        self.session, self.token, self.port = session, token, port
        self.clients: set[Client] = set()
        self.store = FileStore()
        session.uploads = session.downloads = self.store
        session.emit, session.send_frame = self._emit, self._send_frame
        self._loop: asyncio.AbstractEventLoop | None = None
        self._buffers: dict[int, tuple[Any, bytes]] = {}
        self._greeting: tuple[Any, list[str], list[str]] = (None, [], [])
        self._sizes: dict[tuple[type[Event], int], int] = {}  # longest message of each type about each figure
        routes = [
            Route("/", self._page),
            Route("/motion/{number:int}", self._motion),
            Route("/study/{number:int}", self._study),
            Route("/download/{key}/{name}", self._download),
            Route("/gallery/{name}", self._picture),
            Route("/upload", self._upload, methods=["POST"]),
            Route("/{name}", self._bundled),
            WebSocketRoute("/ws", self._socket),
        ]
        inner = Starlette(routes=routes, lifespan=self._lifespan)
        self.app = Guard(inner, token, port)

    @property
    def address(self) -> str:
        """The address to open in a browser, with the token."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Any) -> AsyncIterator[None]:
        self._loop = asyncio.get_running_loop()
        try:
            yield
        finally:
            for client in list(self.clients):
                client.drop("The studio is closing.")
            await asyncio.get_running_loop().run_in_executor(None, self.session.close)
            self.store.close()

    # events of the session; these methods may be called from any thread

    def _emit(self, event: Event) -> None:
        if self.clients:
            self._call_in_loop(self._send_to_all, self._text(event))

    def _send_frame(self, frame: bytes) -> None:
        self._call_in_loop(self._show_frame, frame)

    def _call_in_loop(self, function: Callable[[Any], None], argument: Any) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # raised if the loop, and so every connection, is closed
                self._loop.call_soon_threadsafe(function, argument)

    def _send_to_all(self, text: str) -> None:
        for client in self.clients:
            client.send(text)

    def _text(self, event: Event) -> str:
        """Return an event as JSON text, and remember the size of the messages that describe figures."""
        text = event_text(event)
        if isinstance(event, (FigureChanged, FigureLooks)):
            number = event.figure.figure if isinstance(event, FigureChanged) else event.figure
            self._sizes[type(event), number] = max(len(text), self._sizes.get((type(event), number), 0))
        return text

    def _project_bytes(self) -> int:
        """Return twice the size of the messages that describe the figures.

        The queue of a client may hold the first messages and those after an edit at the same time.
        """
        numbers = {item.number for item in self.session.project.items}
        for key in [key for key in list(self._sizes) if key[1] not in numbers]:
            self._sizes.pop(key, None)
        return 2 * sum(list(self._sizes.values()))

    def _show_frame(self, frame: bytes) -> None:
        for client in self.clients:
            client.send_frame(frame)

    # pages and files

    async def _page(self, request: Request) -> Response:
        """Send the page with the preferences of the user in its head."""
        page = self._file("index.html")
        words = html.escape(json.dumps(self.session.preferences.values))
        text = bytes(page.body).replace(b"</head>", f'<meta name="preferences" content="{words}" /></head>'.encode(), 1)
        return Response(text, page.status_code, media_type=BUNDLE["index.html"], headers={"Cache-Control": "no-cache"})

    async def _bundled(self, request: Request) -> Response:
        return self._file(request.path_params["name"])

    def _file(self, name: str) -> Response:
        if name not in BUNDLE:
            return PlainTextResponse("This page does not exist. Open the address that 'anthropi studio' printed.", 404)
        path = files("anthropi.formats.pages").joinpath("bundle", name)
        if not path.is_file():
            return PlainTextResponse("The studio's page is not built. Run 'npm run build' in studio/.", 404)
        return Response(path.read_bytes(), media_type=BUNDLE[name], headers={"Cache-Control": "no-cache"})

    async def _picture(self, request: Request) -> Response:
        """Send a sheet of pictures of the examples, or the list of their names."""
        name = request.path_params["name"]
        if name not in GALLERY:
            return PlainTextResponse("The gallery has no such file.", 404)
        path = files("anthropi.studio").joinpath("gallery", name)
        return Response(path.read_bytes(), media_type=GALLERY[name], headers={"Cache-Control": "no-cache"})

    async def _motion(self, request: Request) -> Response:
        number = request.path_params["number"]
        loop = asyncio.get_running_loop()
        try:
            data = await loop.run_in_executor(None, self._buffer, number)
        except AnthropiError as error:
            if number < self.session.project.next:  # it was removed after the browser had asked: no error in the page
                return Response(status_code=204)
            return PlainTextResponse(str(error), 404)
        return Response(data, media_type="application/octet-stream", headers={"Cache-Control": "no-store"})

    def _buffer(self, number: int) -> bytes:
        """Return the encoded buffer of a motion by its number. The last few buffers are cached."""
        item = self.session.project.motion_item(number)
        kept = self._buffers.get(number)
        if kept is None or kept[0] is not item:
            scene = item.scene if item.world is None else EmptyScene(item.world)
            no_ground = item.kind in ("direct", "frame") and scene is None
            from anthropi.gait.report.walk_page import page_norms  # slow to import

            norms = page_norms(item.motion)
            data = motion_buffer(
                item.motion,
                title=item.title,
                caption=item.words,
                scene=scene,
                ground=False if no_ground else None,
                more=None if norms is None else {"gait": norms},
            )
            kept = self._buffers[number] = item, data
            while len(self._buffers) > MAX_BUFFERS:
                del self._buffers[next(iter(self._buffers))]
        return kept[1]

    async def _study(self, request: Request) -> Response:
        """Send the columns of an open study, or only its progress if the browser has the revision `have` of them."""
        number, have = request.path_params["number"], request.query_params.get("have", "")
        loop = asyncio.get_running_loop()
        try:
            revision = int(have) if have.isdecimal() else -1
            data = await loop.run_in_executor(None, self.session.studies.data, number, revision)
        except AnthropiError as error:
            return PlainTextResponse(str(error), 404)
        return Response(data, media_type="application/octet-stream", headers={"Cache-Control": "no-store"})

    async def _download(self, request: Request) -> Response:
        try:
            path = self.store.find(request.path_params["key"])
        except FileError as error:
            return PlainTextResponse(str(error), 404)
        return FileResponse(path, filename=path.name, media_type="application/octet-stream")

    async def _upload(self, request: Request) -> Response:
        key, path = self.store.place(request.headers.get("x-name", "file"))
        size, loop = 0, asyncio.get_running_loop()
        try:
            with open(path, "wb") as file:
                async for block in request.stream():
                    size += len(block)
                    if size > MAX_UPLOAD:
                        self.store.remove(key)
                        return PlainTextResponse(
                            f"The file is larger than {MAX_UPLOAD >> 20} MiB. Copy it to the workspace and "
                            "open it there.",
                            413,
                        )
                    await loop.run_in_executor(None, file.write, block)
        except ClientDisconnect:
            self.store.remove(key)
            return PlainTextResponse("The browser closed the connection.", 400)
        return JSONResponse({"upload": key, "name": Path(path).name})

    # the socket

    async def _socket(self, socket: WebSocket) -> None:
        if len(self.clients) >= MAX_CLIENTS:
            await socket.close(1013, "Too many browsers are connected. Close one and try again.")
            return
        await socket.accept()

        async def transmit(message: str | bytes) -> None:
            await (socket.send_text(message) if isinstance(message, str) else socket.send_bytes(message))

        client = Client(transmit, project_bytes=self._project_bytes)
        self.clients.add(client)
        sending = asyncio.create_task(client.run())
        receiving = asyncio.create_task(self._receive(socket, client))
        try:
            await self._greet(client)
            await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.clients.discard(client)
            why = client.dropped
            client.drop("closed")
            for task in (sending, receiving):
                task.cancel()
            await asyncio.gather(sending, receiving, return_exceptions=True)
            await _close(socket, why)
            if why and socket.scope.get("transport") is not None:
                socket.scope["transport"].abort()

    async def _greet(self, client: Client) -> None:
        """Send the project, its figures and the live run to a browser that has connected."""
        views = await asyncio.get_running_loop().run_in_executor(self.session.pool, self._state)
        for text in views:
            client.send(text)

    def _state(self) -> list[str]:
        """Return the events that describe the project, its figures and the live run, as JSON texts."""
        session = self.session
        session.has_client = True
        if session.on_first_client is not None:
            start, session.on_first_client = session.on_first_client, None
            start()
        skins = session.appearances.skins()
        key = session.revision, tuple(id(event.appearance) for event in skins)
        if self._greeting[0] != key:  # encoded once for all browsers that connect between two changes
            figures = [self._text(FigureChanged(session.view(item))) for item in session.project.items]
            self._greeting = key, figures, [self._text(event) for event in skins]
        _, figures, appearances = self._greeting
        live = [] if session.live is None else [event_text(session.live.view())]
        return [*figures, event_text(ProjectChanged(session.project_view())), *appearances, *live]

    async def _receive(self, socket: WebSocket, client: Client) -> None:
        """Execute commands until the browser disconnects."""
        with contextlib.suppress(WebSocketDisconnect):
            while not client.dropped:
                message = await socket.receive()
                if message["type"] != "websocket.receive":
                    return
                text = message.get("text")
                if text is None:
                    client.drop("Binary messages are not accepted. Send JSON text.")
                    return
                if text.startswith(FRAME_SEEN):
                    client.seen(_sequence(text))
                else:
                    client.send(await self._answer(text))

    async def _answer(self, text: str) -> str:
        """Execute a command, given as JSON text, and return the reply as JSON text."""
        number: Any = None
        loop = asyncio.get_running_loop()
        try:
            if len(text) > MAX_TEXT_IN_LOOP:
                data, command = await loop.run_in_executor(None, _read, text)
            else:
                data, command = _read(text)
            number = _id(data)
            if isinstance(command, Exception):
                raise command
            if type(command) in IMMEDIATE:
                return encoded({"id": number, "ok": True, "result": self.session.do(command)})
            return await loop.run_in_executor(self.session.pool, self._execute, number, command)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            return encoded({"id": _number(number), "ok": False, "error": refusal(error)})

    def _execute(self, number: Any, command: Command) -> str:
        """Execute a command in the session's thread, and return the reply as JSON text."""
        return encoded({"id": number, "ok": True, "result": self.session.do(command)})


def _read(text: str) -> tuple[Any, Command | Exception]:
    """Return the data of a message and its command, or the error that it causes."""
    data = _json(text)
    try:
        return data, command_of(data)
    except Exception as error:  # the reply needs the number in the data
        return data, error


def _id(data: Any) -> Any:
    return data.get("id") if isinstance(data, dict) else None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise FormatError("The message is not valid JSON.") from None


def _sequence(text: str) -> int:
    """Return the frame number in a `frame_seen` message, or -1 if the message is malformed."""
    try:
        command = command_of(json.loads(text))
    except (ValueError, FormatError):
        return -1
    return getattr(command, "sequence", -1)


def _number(number: Any) -> Any:
    return number if isinstance(number, (int, float)) and not isinstance(number, bool) else None


async def _close(socket: WebSocket, why: str) -> None:
    """Close a connection with a status code and a reason."""
    with contextlib.suppress(Exception):
        await asyncio.wait_for(socket.close(1008 if "read" in why else 1000, why[:100]), 1.0)
