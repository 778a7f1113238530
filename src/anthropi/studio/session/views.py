"""Convert the project, its figures and motions to views, the messages that are sent to browsers.

Works on plain floats only; cannot be recorded on a tape.
"""

import json
import math
import queue
import threading
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algorithms.kinematics import kinematics
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
from anthropi.studio.project.host import Host
from anthropi.studio.project.scene import surroundings
from anthropi.studio.project.state import FigureItem, MotionItem, Project

__all__ = [
    "Appearances",
    "dofs_of",
    "figure_view",
    "lengths_of",
    "motion_view",
    "numbers_of",
    "project_view",
]


GIMBAL_LOCK_WARNING = np.radians(80.0)  # a middle angle of an Euler joint above this gives a warning


def project_view(
    project: Project,
    revision: int,
    saved: bool,
    undo: str,
    redo: str,
    tasks: Iterable[Running],
    touched: bool = False,
) -> ProjectView:
    """Return the view of a project, without the figures' contents.

    Parameters
    ----------
    project : the project.
    revision : its revision number.
    saved : whether this revision is saved.
    undo, redo : labels of the edits that can be undone and redone, or "".
    tasks : the tasks in progress.
    touched : whether it contains unsaved work.
    """
    return ProjectView(
        name=project.name,
        path=project.path,
        revision=revision,
        saved=saved,
        undo=undo,
        redo=redo,
        figures=tuple(_summary(item) for item in project.items),
        motions=tuple(motion_view(item) for item in project.motions),
        shown=project.shown,
        world=project.world,
        forces=project.forces,
        controls={str(i.number): i.controls for i in project.items if i.controls},
        keys={str(i.number): i.keys for i in project.items if i.keys},
        keys_setting=project.keys_setting,
        gait=project.gait,
        profiles={str(number): curves for number, curves in project.profiles.items()},
        camera=project.camera,
        camera_keys=project.camera_keys,
        tasks=tuple(tasks),
        surroundings=_surroundings(project.world),
        touched=touched,
    )


@lru_cache(maxsize=8)
def _surroundings(world: World) -> dict[str, Any]:
    return surroundings(world)


def motion_view(item: MotionItem) -> MotionView:
    """Return the view of a motion for the project's list."""
    time: Any = item.motion.time
    return MotionView(
        item.number,
        item.title,
        item.kind,  # type: ignore[arg-type]
        f"/motion/{item.number}",
        item.figure,
        float(time[-1] - time[0]),
        len(time),
        item.motion.tau is not None,
        item.words,
    )


def _summary(item: FigureItem) -> FigureSummary:
    figure = item.figure
    return FigureSummary(item.number, item.revision, figure.name, figure.n, figure.nu, can_walk(figure))


def figure_view(item: FigureItem, appearance: dict[str, Any] | None, with_text: bool = True) -> FigureView:
    """Return the view of a figure.

    Parameters
    ----------
    item : the figure with its initial state.
    appearance : the shapes to draw; None if they have not changed.
    with_text : whether to include the text of its figure.toml.
    """
    figure, q = item.figure, item.state.q
    k = kinematics(figure, q)
    poses = _poses(k.rotation, k.position)
    masses = np.array([link.mass for link in figure.links])
    places = [k.position[i] + k.rotation[i] @ np.asarray(x.centre, float) for i, x in enumerate(figure.links)]
    whole = float(masses.sum())
    centre = (masses[:, None] * np.array(places)).sum(0) / whole if whole > 0.0 else np.zeros(3)
    return FigureView(
        figure=item.number,
        revision=item.revision,
        name=figure.name,
        document=item.document,
        text=item.text if with_text else "",
        connectivity=tuple(tuple(bool(x) for x in row) for row in figure.connectivity()),
        dofs=dofs_of(item),
        poses=tuple(tuple(float(x) for x in row) for row in poses),
        mass=whole,
        centre=(float(centre[0]), float(centre[1]), float(centre[2])),
        numbers=numbers_of(figure),
        appearance=appearance,
        notes=notes_of(item),
    )


def _poses(rotation, position) -> np.ndarray:
    return np.concatenate([position, quaternion_from_matrix(rotation)], axis=-1)


def dofs_of(item: FigureItem) -> tuple[DofView, ...]:
    """Return the views of all degrees of freedom of a figure, including locked ones."""
    figure, found = item.figure, []
    for i, joint in enumerate(figure.joints):
        q, u = item.state.q[figure.q_of[i]], item.state.u[figure.u_of[i]]
        found += _locked(joint)
        lengths = lengths_of(joint)
        x: Any = np.asarray(joint.coordinates(q), float) if joint.nu else []
        own = (joint.lower, joint.upper, joint.stiffness, joint.rest, joint.damping, joint.armature)
        rows = [np.asarray(row, float).tolist() for row in own]
        for k, name in enumerate(joint.dofs):
            lower, upper, stiffness, rest, damping, armature = (row[k] for row in rows)
            found.append(
                DofView(
                    name,
                    joint.name,
                    "m" if lengths[k] else "rad",
                    float(x[k]),
                    float(u[k]),
                    lower if math.isfinite(lower) else None,
                    upper if math.isfinite(upper) else None,
                    stiffness,
                    rest,
                    damping,
                    armature,
                    False,
                    joint.nu == 1 or joint.kind not in ("ball", "exponential"),
                    item.drives.get(name, "free"),  # type: ignore[arg-type]
                )
            )
    return tuple(found)


def lengths_of(joint: Any) -> tuple[bool, ...]:
    """Return, for each degree of freedom of a joint, whether it is a length (True) or an angle (False)."""
    return joint.lengths or (False,) * joint.nu


def _locked(joint, owner: str = "") -> list[DofView]:
    """Return the views of the locked degrees of freedom of a joint. owner : the joint that it is a part of, or ""."""
    if isinstance(joint, Composite):
        return [view for part in joint.parts for view in _locked(part, joint.name)]
    if not isinstance(joint, Locked):
        return []
    inner = joint.joint
    x, lengths = np.asarray(inner.coordinates(joint.at), float), lengths_of(inner)
    names = [f"{owner}.{name}" if owner else name for name in inner.dofs]
    return [
        DofView(
            name,
            owner or joint.name,
            "m" if lengths[k] else "rad",
            float(x[k]),
            0.0,
            None,
            None,
            0.0,
            0.0,
            0.0,
            0.0,
            True,
            True,
            "free",
        )
        for k, name in enumerate(names)
    ]


def numbers_of(figure: Any) -> tuple[Number, ...]:
    """Return the numbers of a figure that have sliders: masses, stiffnesses and dampings."""
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
                found.append(
                    Number(f"{joint.name}.{name}{entry}", float(value), 0.0, max(usual, 4.0 * float(value)), unit)
                )
    return tuple(found)


def notes_of(item: FigureItem) -> tuple[str, ...]:
    """Return warnings about a figure: a moving link without mass, or gimbal lock."""
    figure, found = item.figure, []
    tips = [
        link.name
        for i, link in enumerate(figure.links)
        if link.mass <= 0.0 and not figure.children[i] and figure.joints[i].nu
    ]
    if tips:
        found.append(
            f"Link '{tips[0]}' moves but has no mass, so its motion is undetermined. Give it a size or a mass."
        )
    for i, joint in enumerate(figure.joints):
        if joint.kind == "euler" and abs(item.state.q[figure.q_of[i]][1]) > GIMBAL_LOCK_WARNING:
            found.append(
                f"Joint '{joint.name}': its middle angle is near 90°, where two of its axes coincide (gimbal lock). "
                "Choose another rotation order, or a ball joint."
            )
    return tuple(found)


class Appearances:
    """The appearance of every figure. It is available at once without skin; a thread computes the skin and sends it."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._current: dict[int, tuple[str, dict[str, Any]]] = {}  # by figure number: key of the appearance, appearance
        self._figures: dict[int, Any] = {}  # by figure number: the figure that the appearance belongs to
        self._skins: dict[int, tuple[str, dict[str, Any]]] = {}
        self._requests: queue.SimpleQueue[FigureItem] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def of(self, item: FigureItem) -> tuple[dict[str, Any], bool]:
        """Return the appearance of a figure without skin, and whether it has changed."""
        with self._lock:
            if self._figures.get(item.number) is item.figure:
                return self._current[item.number][1], False
        found = appearance(item.figure, skin=False)
        key = _key(found)
        with self._lock:
            old = self._current.get(item.number)
            self._figures[item.number] = item.figure
            if old is not None and old[0] == key:
                return old[1], False
            self._current[item.number] = key, found
        self._request_skin(item)
        return found, True

    def skins(self) -> list[FigureLooks]:
        """Return all computed appearances with skin, for a browser that has just connected."""
        figures = {item.number for item in self.host.project.items}
        with self._lock:
            return [
                FigureLooks(number, found)
                for number, (key, found) in self._skins.items()
                if number in self._current and self._current[number][0] == key and number in figures
            ]

    def _request_skin(self, item: FigureItem) -> None:
        self._requests.put(item)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True, name="anthropi-appearances")
                self._thread.start()

    def _work(self) -> None:
        while True:
            wanted = {(item := self._requests.get()).number: item}
            while not self._requests.empty():
                item = self._requests.get()
                wanted[item.number] = item  # only the newest request of each figure
            self.host.wait_for_live()  # building a kernel has priority, because both need the interpreter lock
            for number, item in wanted.items():
                try:
                    found = appearance(item.figure)
                except Exception:  # the figure is then shown without skin
                    continue
                if found["skin"] is None:
                    continue
                key = _key(found)
                with self._lock:
                    same = number in self._current and self._current[number][0] == key
                    self._skins[number] = key, found
                if same:
                    self.host.emit(FigureLooks(number, found))


def _key(found: dict[str, Any]) -> str:
    """Return a text that identifies an appearance; it contains everything except the skin and the masses."""
    links = [{k: v for k, v in link.items() if k != "mass"} for link in found["links"]]
    return json.dumps([links, *(found[k] for k in sorted(found) if k not in ("links", "skin"))], sort_keys=True)
