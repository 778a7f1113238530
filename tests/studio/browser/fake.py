"""A server that only remembers: it shows one figure and notes what the page sends. For tests of the page alone."""

import json
import struct

import anthropi as ap
from anthropi.studio.appearance import appearance
from anthropi.studio.messages import (
    Camera,
    Choice,
    FigureSummary,
    FigureView,
    Gait,
    Key,
    KeysSetting,
    Live,
    MotionView,
    ProjectView,
    Welcome,
    World,
)
from anthropi.studio.motion_buffer import poses_of
from anthropi.studio.wire import encoded

HOME = "http://127.0.0.1:7777"
GROUND = {"kind": "plane", "point": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0]}


class Fake:
    """Answers a page. told : commands as they came. refuse : {kind: error} of those that fail."""

    def __init__(self, page, bundle, buffer: bytes):
        self.told: list[dict] = []
        self.refuse: dict[str, dict] = {}
        self.figure = ap.human()
        self.looks = appearance(self.figure, skin=False)
        self.poses = poses_of(self.figure, self.figure.neutral()[None])[0].tolist()
        self.shown: int | None = None
        self.keys: tuple[Key, ...] = ()
        self.socket = None
        types = {"": "text/html", "studio.js": "text/javascript", "studio.css": "text/css"}
        for name, kind in types.items():
            body = (bundle / (name or "index.html")).read_bytes()
            page.route(f"{HOME}/{name}", answer(body, kind))
        page.route(f"{HOME}/motion/1", answer(buffer, "application/octet-stream"))
        page.route_web_socket(f"{HOME.replace('http', 'ws')}/ws", self._open)

    def _open(self, socket) -> None:
        self.socket = socket
        socket.on_message(self._hear)
        self.show_project()
        self.show_figure()

    def _hear(self, text: str) -> None:
        message = json.loads(text)
        self.told.append(message)
        error = self.refuse.get(message["kind"])
        if error:
            reply = {"id": message["id"], "ok": False, "error": {"link": "", "joint": "", "time": None} | error}
        else:
            reply = {"id": message["id"], "ok": True, "result": welcome() if message["kind"] == "get_help" else None}
        self.socket.send(encoded(reply))

    def tell(self, kind: str, **fields) -> None:
        self.socket.send(encoded({"kind": kind, **fields}))

    def of(self, kind: str) -> list[dict]:
        """Commands of a kind that came."""
        return [message for message in self.told if message["kind"] == kind]

    def show_project(self) -> None:
        motion = MotionView(1, "A walk", "walk", "/motion/1", 1, 2.0, 200, True)
        project = ProjectView(
            name="test", path="", revision=1, saved=True, undo="", redo="", motions=(motion,), shown=self.shown,
            figures=(FigureSummary(1, 1, "human", self.figure.n, self.figure.nu, True),), world=World(), forces=(),
            controls={}, keys={"1": self.keys}, keys_setting=KeysSetting(), gait=Gait(), profiles={}, camera=Camera(),
            camera_keys=(), tasks=(), surroundings={"ground": GROUND, "things": []},
        )  # fmt: skip
        self.tell("project_changed", project=project)

    def show_figure(self) -> None:
        figure = FigureView(figure=1, revision=1, name="human", document={}, text="", connectivity=(), dofs=(),
                            numbers=(), poses=tuple(map(tuple, self.poses)), mass=75.0, centre=(0.0, 0.0, 1.0),
                            appearance=self.looks)  # fmt: skip
        self.tell("figure_changed", figure=figure)

    def live(self, state: str, time: float = 0.0) -> None:
        run = Live(run=5, state=state, dynamics="walk", figures=(1,), links=(self.figure.n,), points=(0,), time=time,
                   pace=1.0, faster=9.0, fallen=False)  # fmt: skip
        self.socket.send(encoded({"kind": "live", **json.loads(encoded(run))}))

    def frame(self, number: int, time: float, forward: float) -> None:
        """A live frame: the figure so far ahead [m]."""
        numbers = [x for p in self.poses for x in (p[0] + forward, *p[1:])]
        self.socket.send(struct.pack(f"<IIff{len(numbers)}f", number, 5, time, 1.0, *numbers))


def answer(body: bytes, kind: str):
    """What a page gets when it asks."""
    return lambda route: route.fulfill(body=body, content_type=kind)


def welcome() -> Welcome:
    choices = (Choice("walk", "A person walks", ""), Choice("double_pendulum", "Two links swing", ""))
    return Welcome(version="0", samples=choices[1:], examples=choices, exports=(), opens=(), joints=(), orders=(),
                   styles=(), determinants={}, terrains=(), contacts=(), recovered="")  # fmt: skip
