"""What a live run simulates: a walker that is told what to do, or figures that are moved by forces alone."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from anthropi.errors import InputError
from anthropi.figure.editing.joining import combine
from anthropi.figure.human.build import sole_markers
from anthropi.gait.falls import LIVE_RUN, is_fallen
from anthropi.gait.styles import style_of, styled_walker
from anthropi.gait.walker import Command, load_walker, walker_at_start
from anthropi.gait.walker_walk import can_walk, speed_range
from anthropi.simulation.problem import Problem
from anthropi.studio.messages import Number
from anthropi.studio.project.scene import height_at, scene_of, stage_of
from anthropi.studio.project.state import Project

__all__ = ["SceneModel", "WalkerModel", "gains"]

BLEND = 1.0  # [s] from one style to another
GAINS = ("hip", "knee", "ankle", "upright", "push", "arms", "balance")  # of a walker, those people ask for
LANDS = ("pelvis", "thorax", "head", "l_forearm", "r_forearm", "l_hand", "r_hand", "l_shank", "r_shank")  # on a fall


class SceneModel:
    """Figures under forces, springs and control functions, with or without contact."""

    dynamics = "contact"
    command = np.zeros(0)
    dt = 1e-3

    def __init__(self, project: Project, contact: bool, figure: int | None):
        self.contact, self.only = contact, figure
        self.dynamics = "contact" if contact else "direct"
        self._take(project)

    def _take(self, project: Project) -> None:
        stage = stage_of(project, self.contact, self.only)
        programme = replace_pushes(stage.programme)
        law = programme if programme.prescribed or programme.tau is not None else None
        self.items, self.q, self.u = stage.items, stage.q, stage.u
        self.problem = Problem(stage.scene.figure, stage.scene, law)
        self.parameters: dict[str, Any] = {}

    def again(self, project: Project) -> None:
        """After an edit of the structure."""
        self._take(project)

    def whole(self, project: Project):
        """The figure that is simulated, with the numbers of the project; it was checked before."""
        gravity = np.array(project.world.gravity)
        bodies = [project.item(i.number).figure.changed(gravity=gravity, checked=False) for i in self.items]
        return bodies[0] if len(bodies) == 1 else combine(bodies, [b.name for b in bodies])

    def parameters_at(self, t: float) -> dict[str, Any] | None:
        """The controller's parameters at a time; None: its own."""
        return None

    def fallen(self, q) -> bool:
        """Nobody falls who does not stand."""
        return False


def replace_pushes(programme):
    """A programme without pushes and moments: those are inputs of a live run."""
    return replace(programme, pushes=(), moments=())


def gains(now: dict[str, float] | None = None) -> tuple[Number, ...]:
    """The gains of a walker, for sliders: factors, 1 where nobody moved one."""
    return tuple(Number(f"gain:{n}", (now or {}).get(n, 1.0), 0.0, 2.0, "times") for n in GAINS)


class WalkerModel:
    """A person that walks, in balance by itself, as it is told."""

    dynamics = "walk"
    dt = 1e-3

    def __init__(self, project: Project, figure: int, speed: float, style: str, start: str):
        item = project.item(figure)
        if not can_walk(item.figure):
            raise InputError(f"Figure '{item.figure.name}' cannot walk live: the walker moves a human of detail "
                             "'standard'. Open one, or walk by HIDDS.")  # fmt: skip
        self.number, self.start = figure, start
        self.style = style_of(style)
        low, _, high = speed_range(item.figure)
        self.speeds = low, high
        self.told = Command(go=True, speed=min(max(speed, low), high))
        self.gains: dict[str, float] = {}
        self._blend: tuple[float, dict, dict] | None = None
        self._now: dict[str, np.ndarray] | None = None
        self._shown: tuple | None = None
        self._take(project)

    def _take(self, project: Project) -> None:
        item = project.item(self.number)
        world = replace(project.world, contact="compliant")
        if world.ground.kind == "none":
            world = replace(world, ground=replace(world.ground, kind="flat"))
        figure = item.figure.changed(gravity=np.array(world.gravity))
        soles = [marker.name for marker in sole_markers(figure)]
        scene = scene_of(figure, world, features=[*soles, *(n for n in LANDS if n in {x.name for x in figure.links})])
        self.items = (item,)
        self.file = load_walker("natural")
        controller, self.q, self.u = walker_at_start(figure, self.file, self.start)
        self.problem = Problem(figure, scene, controller)
        styled = styled_walker(self.file)(self.style).parameters
        self.parameters = {n: np.asarray(styled.get(n, x), float) for n, x in controller.parameters.items()}
        self._height, self._ground = float(self.q[2]), world.ground

    def again(self, project: Project) -> None:
        """After an edit of the structure; styles and gains stay."""
        self._take(project)

    def whole(self, project: Project):
        """The figure, with the numbers of the project."""
        return project.item(self.number).figure.changed(gravity=np.array(project.world.gravity), checked=False)

    @property
    def command(self) -> np.ndarray:
        """What it is told, as the kernel takes it."""
        return self.told.row()

    def tell(self, now: float, go=None, speed=None, style=None, turn=None, heading=None) -> None:
        """What it does from now on."""
        told = self.told
        low, high = self.speeds
        if speed is not None:
            if not math.isfinite(speed):
                raise InputError("Give a finite speed [m/s].")
            told = told._replace(speed=min(max(speed, low), high))
        if go is not None:
            told = told._replace(go=go)
        if heading is not None:
            told = told._replace(heading=heading)
        if turn is not None:
            told = told._replace(heading=told.heading + turn)
        told.row()
        if style is not None:
            self.style = style_of(style)
            self._blend = None if self._now is None else (now, self._now, self._wanted())
        self.told = told

    def gain(self, name: str, value: float) -> None:
        """A gain times a number."""
        if name not in GAINS:
            raise InputError(f"No gain '{name}'. Gains: {', '.join(GAINS)}.")
        if not 0.0 <= value <= 10.0:
            raise InputError(f"The gain '{name}' times {value:g}: give 0 to 10.")
        self.gains[name] = value

    def numbers(self) -> tuple[Number, ...]:
        """The gains, for sliders."""
        return gains(self.gains)

    def _wanted(self) -> dict[str, np.ndarray]:
        styled = styled_walker(self.file)(self.style).parameters
        return {n: np.asarray(styled.get(n, x), float) for n, x in self.parameters.items()}

    def parameters_at(self, t: float) -> dict[str, Any]:
        """The parameters at a time: the style blended in, the gains on top. The same dict where nothing changed."""
        if self._now is None:
            self._now = self._wanted()
        if self._blend is not None:
            since, old, new = self._blend
            w = min(max(t - since, 0.0) / BLEND, 1.0)
            self._now = {n: old[n] + w * (new[n] - old[n]) for n in old}
            self._blend = None if w >= 1.0 else self._blend
        gains = {n: x for n, x in self.gains.items() if x != 1.0}
        if self._shown is None or self._shown[0] is not self._now or self._shown[1] != gains:
            self._shown = self._now, gains, {n: x * gains.get(n, 1.0) for n, x in self._now.items()}
        return self._shown[2]

    def fallen(self, q) -> bool:
        """Whether it is down."""
        return is_fallen(q[2] - float(height_at(self._ground, q[0], q[1])), self._height, LIVE_RUN)
