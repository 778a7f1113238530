"""The studio's server: the page, motions, files, and one WebSocket for all that is said. Loopback only.

The event loop never computes: commands go to the desk's thread, simulations have threads of their own, and what they
tell comes back through `call_soon_threadsafe`.
"""

import asyncio
import contextlib
import json
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
from anthropi.studio.messages import Event, FigureChanged, ProjectChanged
from anthropi.studio.messages.encoding import command_of, encoded, event_text, refusal
from anthropi.studio.project.scene import Around
from anthropi.studio.session import StudioSession
from anthropi.studio.session.exports import LARGEST, Store
from anthropi.studio.session.session import AT_ONCE

__all__ = ["MESSAGE", "Studio"]

MESSAGE = 4 << 20  # bytes of a message that a browser may send
BUNDLE = {
    "index.html": "text/html; charset=utf-8",
    "studio.js": "text/javascript; charset=utf-8",
    "studio.css": "text/css; charset=utf-8",
}
CLIENTS = 200
SEEN = '{"kind":"frame_seen"'


class Studio:
    """A desk and the browsers around it; `app` is the ASGI application."""

    def __init__(self, desk: StudioSession, token: str, port: int):
        self.desk, self.token, self.port = desk, token, port
        self.clients: set[Client] = set()
        self.store = Store()
        desk.uploads = desk.downloads = self.store
        desk.emit, desk.send_frame = self._emit, self._send_frame
        self._loop: asyncio.AbstractEventLoop | None = None
        self._buffers: dict[int, tuple[Any, bytes]] = {}
        self._greeting: tuple[Any, list[str], list[str]] = (None, [], [])
        routes = [
            Route("/", self._page),
            Route("/motion/{number:int}", self._motion),
            Route("/download/{key}/{name}", self._download),
            Route("/upload", self._upload, methods=["POST"]),
            Route("/{name}", self._bundled),
            WebSocketRoute("/ws", self._socket),
        ]
        inner = Starlette(routes=routes, lifespan=self._lifespan)
        self.app = Guard(inner, token, port)

    @property
    def address(self) -> str:
        """What to open."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    @contextlib.asynccontextmanager
    async def _lifespan(self, _):
        self._loop = asyncio.get_running_loop()
        try:
            yield
        finally:
            for client in list(self.clients):
                client.drop("The studio closes.")
            await asyncio.get_running_loop().run_in_executor(None, self.desk.close)
            self.store.close()

    # what the desk tells, from any thread

    def _emit(self, event: Event) -> None:
        self._soon(self._tell_all, event)

    def _send_frame(self, frame: bytes) -> None:
        self._soon(self._show_all, frame)

    def _soon(self, call, thing) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                self._loop.call_soon_threadsafe(call, thing)

    def _tell_all(self, event: Event) -> None:
        if self.clients:
            text = event_text(event)
            for client in self.clients:
                client.tell(text)

    def _show_all(self, frame: bytes) -> None:
        for client in self.clients:
            client.show(frame)

    # pages and files

    async def _page(self, request: Request) -> Response:
        return self._file("index.html")

    async def _bundled(self, request: Request) -> Response:
        return self._file(request.path_params["name"])

    def _file(self, name: str) -> Response:
        if name not in BUNDLE:
            return PlainTextResponse("No such page.", 404)
        path = files("anthropi.formats.pages").joinpath("bundle", name)
        if not path.is_file():
            return PlainTextResponse("The studio's page is not built. Run: npm run build, in studio/.", 404)
        return Response(path.read_bytes(), media_type=BUNDLE[name], headers={"Cache-Control": "no-cache"})

    async def _motion(self, request: Request) -> Response:
        number = request.path_params["number"]
        loop = asyncio.get_running_loop()
        try:
            data = await loop.run_in_executor(None, self._buffer, number)
        except AnthropiError as error:
            return PlainTextResponse(str(error), 404)
        return Response(data, media_type="application/octet-stream", headers={"Cache-Control": "no-store"})

    def _buffer(self, number: int) -> bytes:
        """A motion for the browser; the last few are kept."""
        made = self.desk.project.made(number)
        kept = self._buffers.get(number)
        if kept is None or kept[0] is not made:
            scene = made.scene if made.world is None else Around(made.world)
            bare = made.kind in ("direct", "frame") and scene is None
            data = motion_buffer(made.motion, title=made.title, caption=made.words, scene=scene,
                                 ground=False if bare else None)  # fmt: skip
            kept = self._buffers[number] = made, data
            while len(self._buffers) > 4:
                del self._buffers[next(iter(self._buffers))]
        return kept[1]

    async def _download(self, request: Request) -> Response:
        try:
            path = self.store.find(request.path_params["key"])
        except FileError as error:
            return PlainTextResponse(str(error), 404)
        return FileResponse(path, filename=path.name, media_type="application/octet-stream")

    async def _upload(self, request: Request) -> Response:
        key, path = self.store.place(request.headers.get("x-name", "file"))
        size = 0
        try:
            with open(path, "wb") as file:
                async for piece in request.stream():
                    size += len(piece)
                    if size > LARGEST:
                        self.store.forget(key)
                        return PlainTextResponse(f"A file may have {LARGEST >> 20} MiB.", 413)
                    file.write(piece)
        except ClientDisconnect:
            self.store.forget(key)
            return PlainTextResponse("The browser went away.", 400)
        return JSONResponse({"upload": key, "name": Path(path).name})

    # the socket

    async def _socket(self, socket: WebSocket) -> None:
        if len(self.clients) >= CLIENTS:
            await socket.close(1013, "Too many browsers.")
            return
        await socket.accept()

        async def hand_over(message: str | bytes) -> None:
            await (socket.send_text(message) if isinstance(message, str) else socket.send_bytes(message))

        client = Client(hand_over)
        self.clients.add(client)
        sending = asyncio.create_task(client.run())
        hearing = asyncio.create_task(self._hear(socket, client))
        try:
            await self._greet(client)
            await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.clients.discard(client)
            why = client.dropped
            client.drop("closed")
            for task in (sending, hearing):
                task.cancel()
            await asyncio.gather(sending, hearing, return_exceptions=True)
            await _end(socket, why)
            if why and socket.scope.get("line") is not None:
                socket.scope["line"].abort()

    async def _greet(self, client: Client) -> None:
        """What is open, for a browser that comes."""
        views = await asyncio.get_running_loop().run_in_executor(self.desk.pool, self._state)
        for text in views:
            client.tell(text)

    def _state(self) -> list[str]:
        desk = self.desk
        if desk.when_seen is not None:
            begin, desk.when_seen = desk.when_seen, None
            begin()
        looks = desk.looks.skins()
        now = desk.revision, tuple(id(event.appearance) for event in looks)
        if self._greeting[0] != now:  # a crowd that comes at once is told the same
            figures = [event_text(FigureChanged(desk.view(item))) for item in desk.project.items]
            self._greeting = now, figures, [event_text(event) for event in looks]
        _, figures, skins = self._greeting
        live = [] if desk.live is None else [event_text(desk.live.view())]
        return [*figures, event_text(ProjectChanged(desk.project_view())), *skins, *live]

    async def _hear(self, socket: WebSocket, client: Client) -> None:
        """Read commands until the browser goes."""
        with contextlib.suppress(WebSocketDisconnect):
            while not client.dropped:
                message = await socket.receive()
                if message["type"] != "websocket.receive":
                    return
                text = message.get("text")
                if text is None:
                    client.drop("A browser speaks text only.")
                    return
                if text.startswith(SEEN):
                    client.seen(_sequence(text))
                else:
                    client.tell(await self._answer(text))

    async def _answer(self, text: str) -> str:
        """A command done: the reply."""
        number: Any = None
        try:
            data = _json(text)
            number = data.get("id") if isinstance(data, dict) else None
            command = command_of(data)
            if type(command) in AT_ONCE:
                result = self.desk.do(command)
            else:
                result = await asyncio.get_running_loop().run_in_executor(self.desk.pool, self.desk.do, command)
            return encoded({"id": number, "ok": True, "result": result})
        except asyncio.CancelledError:
            raise
        except Exception as error:
            return encoded({"id": _number(number), "ok": False, "error": refusal(error)})


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise FormatError("That is no JSON.") from None


def _sequence(text: str) -> int:
    """The number in a `frame_seen`, which comes sixty times a second; -1 if there is none."""
    try:
        command = command_of(json.loads(text))
    except (ValueError, FormatError):
        return -1
    return getattr(command, "sequence", -1)


def _number(number: Any) -> Any:
    return number if isinstance(number, (int, float)) and not isinstance(number, bool) else None


async def _end(socket: WebSocket, why: str) -> None:
    """Close a connection as one should."""
    with contextlib.suppress(Exception):
        await asyncio.wait_for(socket.close(1008 if "read" in why else 1000, why[:100]), 1.0)
