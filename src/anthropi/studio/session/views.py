"""What browsers are shown of the project. Floats only.

Looks
-----
How figures look: at once without their skin, which a thread makes and tells when it is there.
"""

import json
import queue
import threading
from functools import lru_cache
from typing import Any

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import AnthropiError
from anthropi.figure import Composite, Locked
from anthropi.formats.pages.appearance import appearance
from anthropi.gait.walker_walk import can_walk
from anthropi.studio.messages import (
    DofView,
    FigureLooks,
    FigureSummary,
    FigureView,
    MotionView,
    Number,
    ProjectView,
    Running,
    World,
)
from anthropi.studio.project.scene import surroundings
from anthropi.studio.project.state import Item, Made, Project

__all__ = [
    "Looks",
    "dofs_of",
    "error_text",
    "figure_view",
    "lengths_of",
    "motion_view",
    "numbers_of",
    "poses_of_state",
    "project_view",
]


NEAR_LOCK = np.radians(80.0)  # of an Euler joint's middle angle


def project_view(project: Project, revision: int, saved: bool, undo: str, redo: str, tasks) -> ProjectView:
    """All that is open, without the figures' contents."""
    running: tuple[Running, ...] = tuple(tasks)
    return ProjectView(
        name=project.name, path=project.path, revision=revision, saved=saved, undo=undo, redo=redo,
        figures=tuple(_summary(item) for item in project.items),
        motions=tuple(motion_view(made) for made in project.motions),
        shown=project.shown, world=project.world, forces=project.forces,
        controls={str(i.number): i.controls for i in project.items if i.controls},
        keys={str(i.number): i.keys for i in project.items if i.keys},
        keys_setting=project.keys_setting, gait=project.gait,
        profiles={str(number): curves for number, curves in project.profiles.items()},
        camera=project.camera, camera_keys=project.camera_keys, tasks=running,
        surroundings=_around(project.world),
    )  # fmt: skip


@lru_cache(maxsize=8)
def _around(world: World) -> dict[str, Any]:
    return surroundings(world)


def motion_view(made: Made) -> MotionView:
    """A motion in the project's list."""
    time: Any = made.motion.time
    return MotionView(made.number, made.title, made.kind, f"/motion/{made.number}", made.figure,  # type: ignore[arg-type]
                      float(time[-1] - time[0]), len(time), made.motion.tau is not None, made.words)  # fmt: skip


def _summary(item: Item) -> FigureSummary:
    figure = item.figure
    return FigureSummary(item.number, item.revision, figure.name, figure.n, figure.nu, can_walk(figure))


def figure_view(item: Item, looks: dict[str, Any] | None, words: bool = True) -> FigureView:
    """A figure with all it says. looks : its appearance, None where it is as before. words : its text as well."""
    figure, q = item.figure, item.state.q
    k = kinematics(figure, q)
    poses = _poses(k.rotation, k.position)
    masses = np.array([link.mass for link in figure.links])
    places = [k.position[i] + k.rotation[i] @ np.asarray(x.centre, float) for i, x in enumerate(figure.links)]
    whole = float(masses.sum())
    centre = (masses[:, None] * np.array(places)).sum(0) / whole if whole > 0.0 else np.zeros(3)
    return FigureView(
        figure=item.number, revision=item.revision, name=figure.name, document=item.document,
        text=item.text if words else "",
        connectivity=tuple(tuple(bool(x) for x in row) for row in figure.connectivity()),
        dofs=dofs_of(item), poses=tuple(tuple(float(x) for x in row) for row in poses), mass=whole,
        centre=(float(centre[0]), float(centre[1]), float(centre[2])), numbers=numbers_of(figure),
        appearance=looks, notes=notes_of(item),
    )  # fmt: skip


def poses_of_state(figure, q) -> np.ndarray:
    """(links, 7): x y z, w x y z of every link in the world."""
    k = kinematics(figure, np.asarray(q, float))
    return _poses(k.rotation, k.position)


def _poses(rotation, position) -> np.ndarray:
    return np.array([[*p, *quaternion_from_matrix(C)] for C, p in zip(rotation, position, strict=True)], float)


def dofs_of(item: Item) -> tuple[DofView, ...]:
    """Every degree of freedom, locked ones too."""
    figure, found = item.figure, []
    for i, joint in enumerate(figure.joints):
        q, u = item.state.q[figure.q_of[i]], item.state.u[figure.u_of[i]]
        found += _locked(joint)
        lengths = lengths_of(joint)
        x: Any = np.asarray(joint.coordinates(q), float) if joint.nu else []
        rows = (joint.lower, joint.upper, joint.stiffness, joint.rest, joint.damping, joint.armature)
        for k, name in enumerate(joint.dofs):
            lower, upper, stiffness, rest, damping, armature = (float(np.asarray(row)[k]) for row in rows)
            found.append(DofView(
                name, joint.name, "m" if lengths[k] else "rad", float(x[k]), float(u[k]),
                lower if np.isfinite(lower) else None, upper if np.isfinite(upper) else None, stiffness, rest, damping,
                armature, False, joint.nu == 1 or joint.kind not in ("ball", "exponential"),
                item.drives.get(name, "free"),  # type: ignore[arg-type]
            ))  # fmt: skip
    return tuple(found)


def lengths_of(joint) -> tuple[bool, ...]:
    """Which degrees of freedom of a joint are lengths."""
    return joint.lengths or (False,) * joint.nu


def _locked(joint, owner: str = "") -> list[DofView]:
    """The degrees of freedom that a locked joint, or a locked part of one, would have."""
    if isinstance(joint, Composite):
        return [view for part in joint.parts for view in _locked(part, joint.name)]
    if not isinstance(joint, Locked):
        return []
    inner = joint.joint
    x, lengths = np.asarray(inner.coordinates(joint.at), float), lengths_of(inner)
    names = [f"{owner}.{name}" if owner else name for name in inner.dofs]
    return [DofView(name, owner or joint.name, "m" if lengths[k] else "rad", float(x[k]), 0.0, None, None, 0.0, 0.0,
                    0.0, 0.0, True, True, "free") for k, name in enumerate(names)]  # fmt: skip


def numbers_of(figure) -> tuple[Number, ...]:
    """The numbers under sliders: masses, springs and dampers."""
    found = [
        Number(f"{x.name}.mass", float(x.mass), 0.1 * float(x.mass), 4.0 * float(x.mass), "kg")
        for x in figure.links
        if x.mass > 0.0
    ]
    for joint in figure.joints:
        for name, usual in (("stiffness", 100.0), ("damping", 10.0)):
            for k, (value, length) in enumerate(zip(getattr(joint, name), lengths_of(joint), strict=True)):
                unit = {"stiffness": ("N m/rad", "N/m"), "damping": ("N m s/rad", "N s/m")}[name][bool(length)]
                entry = f".{k}" if joint.nu > 1 else ""
                found.append(Number(f"{joint.name}.{name}{entry}", float(value), 0.0, max(usual, 4.0 * float(value)),
                                    unit))  # fmt: skip
    return tuple(found)


def notes_of(item: Item) -> tuple[str, ...]:
    """What is worth knowing of a figure."""
    figure, found = item.figure, []
    tips = [link.name for i, link in enumerate(figure.links) if link.mass <= 0.0 and not figure.children[i]
            and figure.joints[i].nu]  # fmt: skip
    if tips:
        found.append(f"Link '{tips[0]}' moves and has no mass; nothing determines how. Give it a size or a mass.")
    for i, joint in enumerate(figure.joints):
        if joint.kind == "euler" and abs(item.state.q[figure.q_of[i]][1]) > NEAR_LOCK:
            found.append(f"Joint '{joint.name}': its middle angle is near 90°, where two of its axes are one. Take "
                         "another rotation order, or a ball joint.")  # fmt: skip
    return tuple(found)


def error_text(error: BaseException) -> str:
    """An error's words, one line; of what is no AnthroPI error, its kind too."""
    words = " ".join(str(error).split())
    return words if isinstance(error, AnthropiError) else f"{type(error).__name__}: {words}"


class Looks:
    """What every figure looks like now, by its number."""

    def __init__(self, desk):
        self.desk = desk
        self._now: dict[int, tuple[str, dict[str, Any]]] = {}  # words that say what it looks like, and the look
        self._of: dict[int, Any] = {}  # the figure it is of
        self._skins: dict[int, tuple[str, dict[str, Any]]] = {}
        self._wanted: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def of(self, item: Item) -> tuple[dict[str, Any], bool]:
        """(its appearance without skin, whether that is new)."""
        with self._lock:
            if self._of.get(item.number) is item.figure:
                return self._now[item.number][1], False
        looks = appearance(item.figure, skin=False)
        words = _words(looks)
        with self._lock:
            old = self._now.get(item.number)
            self._of[item.number] = item.figure
            if old is not None and old[0] == words:
                return old[1], False
            self._now[item.number] = words, looks
        self._dress(item)
        return looks, True

    def skins(self) -> list[FigureLooks]:
        """What a browser that comes is told besides."""
        with self._lock:
            return [FigureLooks(number, looks) for number, (words, looks) in self._skins.items()
                    if number in self._now and self._now[number][0] == words
                    and any(i.number == number for i in self.desk.project.items)]  # fmt: skip

    def _dress(self, item: Item) -> None:
        self._wanted.put(item)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True, name="anthropi-looks")
                self._thread.start()

    def _work(self) -> None:
        while True:
            wanted = {(item := self._wanted.get()).number: item}
            while not self._wanted.empty():
                item = self._wanted.get()
                wanted[item.number] = item  # only the newest of each
            if (run := self.desk.live) is not None:
                run.ready()  # what moves goes first: both are Python, and one waits for the other
            for number, item in wanted.items():
                try:
                    looks = appearance(item.figure)
                except Exception:  # a figure without a skin is still a figure
                    continue
                if looks["skin"] is None:
                    continue
                words = _words(looks)
                with self._lock:
                    same = number in self._now and self._now[number][0] == words
                    self._skins[number] = words, looks
                if same:
                    self.desk.emit(FigureLooks(number, looks))


def _words(looks: dict[str, Any]) -> str:
    """What tells two looks apart: all but the skin and the masses."""
    links = [{k: v for k, v in link.items() if k != "mass"} for link in looks["links"]]
    return json.dumps([links, *(looks[k] for k in sorted(looks) if k not in ("links", "skin"))], sort_keys=True)
