"""A fake server for tests of the page alone: it shows one figure and records the commands that the page sends."""

import dataclasses
import json
import re
import struct
from importlib.resources import files

import numpy as np

import anthropi as ap
from anthropi.figure.human.build import standing
from anthropi.formats.figures.common import InitialState
from anthropi.formats.pages.appearance import appearance
from anthropi.studio.messages import Choice, Force, Key, Live, MotionView, Welcome, World
from anthropi.studio.messages.encoding import encoded
from anthropi.studio.project.state import FigureItem, Project
from anthropi.studio.server import GALLERY
from anthropi.studio.session.views import figure_view, project_view

HOME = "http://127.0.0.1:7777"


class Fake:
    """A fake server. received : commands in order. seen : acknowledged live frames. refuse : {kind: error} to reply."""

    def __init__(self, page, bundle, buffer: bytes):
        self.bundle = bundle
        self.received: list[dict] = []
        self.seen: list[int] = []
        self.refuse: dict[str, dict] = {}
        self.figure = ap.human()
        still = np.zeros(self.figure.nu)
        self.item = FigureItem(1, self.figure, InitialState(standing(self.figure), still, still))
        self.view = figure_view(self.item, appearance(self.figure, skin=False))
        self.shown: int | None = None
        self.keys: tuple[Key, ...] = ()
        self.world = World()
        self.forces: tuple[Force, ...] = ()
        self.socket = None
        types = {"": "text/html", "studio.js": "text/javascript", "studio.css": "text/css"}
        for name, kind in types.items():
            body = (bundle / (name or "index.html")).read_bytes()
            page.route(f"{HOME}/{name}", answer(body, kind))
        for name, kind in GALLERY.items():
            body = files("anthropi.studio").joinpath("gallery", name).read_bytes()
            page.route(f"{HOME}/gallery/{name}", answer(body, kind))
        page.route(f"{HOME}/motion/1", answer(buffer, "application/octet-stream"))
        page.route_web_socket(re.compile(re.escape(f"{HOME.replace('http', 'ws')}/ws?token=")), self._open)

    def _open(self, socket) -> None:
        self.socket = socket
        socket.on_message(self._hear)
        self.show_project()
        self.show_figure()

    def _hear(self, text: str) -> None:
        message = json.loads(text)
        if message["kind"] == "frame_seen":
            self.seen.append(message["sequence"])
            return
        self.received.append(message)
        error = self.refuse.get(message["kind"])
        if error:
            reply = {"id": message["id"], "ok": False, "error": {"link": "", "joint": "", "time": None} | error}
        else:
            reply = {"id": message["id"], "ok": True, "result": welcome() if message["kind"] == "get_help" else None}
        self.socket.send(encoded(reply))

    def send(self, kind: str, **fields) -> None:
        self.socket.send(encoded({"kind": kind, **fields}))

    def of(self, kind: str) -> list[dict]:
        """Return the received commands of a kind."""
        return [message for message in self.received if message["kind"] == kind]

    def show_project(self) -> None:
        motion = MotionView(1, "A walk", "walk", "/motion/1", 1, 2.0, 200, True)
        project = Project(name="test", items=(self.item,), next=2, world=self.world, forces=self.forces)
        view = project_view(project, 1, True, "", "", ())
        view = dataclasses.replace(view, motions=(motion,), shown=self.shown, keys={"1": self.keys})
        self.send("project_changed", project=view)

    def show_figure(self) -> None:
        self.send("figure_changed", figure=self.view)

    def live(self, state: str, time: float = 0.0) -> None:
        run = Live(run=5, state=state, dynamics="walk", figures=(1,), links=(self.figure.n,), points=(0,), time=time,
                   pace=1.0, faster=9.0, fallen=False)  # fmt: skip
        self.socket.send(encoded({"kind": "live", **json.loads(encoded(run))}))

    def frame(self, number: int, time: float, forward: float, up: float = 0.0) -> None:
        """Send a live frame with the figure moved forward and up [m]."""
        numbers = [x for p in self.view.poses for x in (p[0] + forward, p[1], p[2] + up, *p[3:])]
        self.socket.send(struct.pack(f"<IIff{len(numbers)}f", number, 5, time, 1.0, *numbers))


def answer(body: bytes, kind: str):
    """Return a response to a request of the page."""
    return lambda route: route.fulfill(body=body, content_type=kind)


def welcome() -> dict:
    choices = (Choice("walk", "A person walks", ""), Choice("double_pendulum", "Two links swing", ""))
    empty = {field.name: {} if "dict" in str(field.type) else () for field in dataclasses.fields(Welcome)}
    return empty | {"version": "0", "recovered": "", "samples": choices[1:], "examples": choices}
