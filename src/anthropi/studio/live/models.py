"""Models that a live run simulates: figures with forces and control functions, or a walker that follows commands."""

import math
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from anthropi.errors import InputError
from anthropi.figure import Figure
from anthropi.figure.editing.joining import combine
from anthropi.gait.falls import FallDetector, with_fall
from anthropi.gait.styles import style_of, styled_walker
from anthropi.gait.walker import Command, load_walker, walker_at_start
from anthropi.gait.walker_walk import can_walk, speed_range
from anthropi.motion import Motion
from anthropi.simulation.problem import Problem
from anthropi.studio.live.settings import LiveSettings
from anthropi.studio.messages import Number
from anthropi.studio.project.scene import height_at, scene_of, setup_of
from anthropi.studio.project.state import Project

__all__ = ["SceneModel", "WalkerModel", "gain_numbers", "terrain_placed"]

GAINS = ("hip", "knee", "ankle", "upright", "push", "arms", "balance")  # parameters of a walker that have sliders
MAX_GAIN = 10.0  # largest factor by which a gain may be multiplied


class SceneModel:
    """Figures moved by forces, springs and control functions, with or without contact.

    Parameters
    ----------
    project : the figures, their states and the world.
    contact : whether contact forces act.
    figure : the number of the only figure to simulate; None: all figures.
    """

    contact: Any
    items: Any
    only: Any
    problem: Any
    q: Any
    u: Any

    command_row = np.zeros(0)
    dt: ClassVar[float] = 1e-3  # [s]

    def __init__(self, project: Project, contact: bool, figure: int | None) -> None:
        self.contact, self.only = contact, figure
        self.dynamics = "contact" if contact else "direct"
        self.rebuild(project)

    def rebuild(self, project: Project) -> None:
        """Set up the figures, their state and the controller again after an edit of the project."""
        setup = setup_of(project, self.contact, self.only)
        script = replace(setup.controller, pushes=(), moments=())  # forces are inputs of a live run
        controller = script if script.prescribed or script.tau is not None else None
        self.items, self.q, self.u = setup.items, setup.q, setup.u
        self.problem = Problem(setup.scene.figure, setup.scene, controller)

    def current_figure(self, project: Project) -> Figure:
        """Return the simulated figure with the present masses, springs and gravity of the project."""
        gravity = np.array(project.world.gravity)
        bodies = [project.item(i.number).figure.changed(gravity=gravity, checked=False) for i in self.items]
        return bodies[0] if len(bodies) == 1 else combine(bodies, [b.name for b in bodies])

    def parameters_at(self, t: float) -> dict[str, Any] | None:
        """Return the controller's parameters at a time [s]. None means that they never change."""
        return None

    def is_fallen(self, q: np.ndarray) -> bool:
        """Return False: only a walker can fall."""
        return False

    def finished(self, motion: Motion) -> Motion:
        """Return the recorded motion of a run, unchanged."""
        return motion


def gain_numbers(factors: dict[str, float] | None = None) -> tuple[Number, ...]:
    """Return the gains of a walker as numbers for sliders. Each number is a factor of the gain, 1 by default."""
    return tuple(Number(f"gain:{n}", (factors or {}).get(n, 1.0), 0.0, 2.0, "times") for n in GAINS)


class WalkerModel:
    """A human with the walking controller, which keeps its balance and follows commands.

    Parameters
    ----------
    project : the figure and the world.
    figure : the number of the figure in the project.
    speed : [m/s] walking speed, limited to the range of the walker.
    style : the walking style in words, such as "tired".
    start : "walk" starts in a walking state, "stand" from standing.
    settings : the thresholds of a fall and the duration of a style change.
    """

    command: Any
    file: Any
    items: Any
    number: Any
    parameters: Any
    problem: Any
    q: Any
    settings: Any
    speeds: Any
    start: Any
    style: Any
    u: Any

    dynamics = "walk"
    dt: ClassVar[float] = 1e-3  # [s]

    def __init__(
        self,
        project: Project,
        figure: int,
        speed: float,
        style: str,
        start: str,
        settings: LiveSettings | None = None,
    ) -> None:
        item = project.item(figure)
        if not can_walk(item.figure):
            raise InputError(
                f"Figure '{item.figure.name}' cannot walk live: the walker needs a human of detail 'standard'. Open "
                "one, or compute a walk with the method HIDDS."
            )
        self.number, self.start = figure, start
        self.settings = settings or LiveSettings()
        self.style = style_of(style)
        low, _, high = speed_range(item.figure)
        self.speeds = low, high
        self.command = Command(go=True, speed=min(max(speed, low), high))
        self.gains: dict[str, float] = {}
        self._blend: tuple[float, dict[Any, Any], dict[Any, Any]] | None = (
            None  # time, old and new parameters of a style change
        )
        self._styled: dict[str, np.ndarray] | None = None  # present parameters of the style, also during a change
        self._scaled: tuple[Any, ...] | None = None  # cached (style parameters, gains, their product)
        self.rebuild(project)

    def rebuild(self, project: Project) -> None:
        """Set up the figure, scene and controller again after an edit of the project. Style and gains are kept."""
        item = project.item(self.number)
        world = replace(project.world, contact="compliant")
        if world.ground.kind == "none":
            world = replace(world, ground=replace(world.ground, kind="flat"))
        figure = item.figure.changed(gravity=np.array(world.gravity))
        scene = scene_of(figure, world, features="body")
        self.items = (item,)
        self.file = load_walker("natural")
        controller, self.q, self.u = walker_at_start(figure, self.file, self.start)
        self.problem = Problem(figure, scene, controller)
        styled = styled_walker(self.file)(self.style).parameters
        self.parameters = {n: np.asarray(styled.get(n, x), float) for n, x in controller.parameters.items()}
        self._detector = FallDetector(scene, self.settings.fall)

    def current_figure(self, project: Project) -> Figure:
        """Return the figure with the present masses, springs and gravity of the project."""
        return project.item(self.number).figure.changed(gravity=np.array(project.world.gravity), checked=False)

    @property
    def command_row(self) -> np.ndarray:
        """The command as an array, the input of the kernel."""
        return self.command.row()

    def set_command(
        self,
        time: float,
        go: bool | None = None,
        speed: float | None = None,
        style: str | None = None,
        turn: float | None = None,
        heading: float | None = None,
    ) -> None:
        """Change the command of the walker. None leaves a value unchanged.

        Parameters
        ----------
        time : [s] the present simulated time, when a change of style begins.
        go : True to walk, False to stand.
        speed : [m/s] walking speed, limited to the range of the walker.
        style : the walking style in words.
        turn : [rad] angle to turn to the left, added to the heading.
        heading : [rad] direction of walking, from the x axis.
        """
        command = self.command
        low, high = self.speeds
        if speed is not None:
            if not math.isfinite(speed):
                raise InputError(f"The speed is {speed}. Give a finite speed in m/s.")
            command = command._replace(speed=min(max(speed, low), high))
        if go is not None:
            command = command._replace(go=go)
        if heading is not None:
            command = command._replace(heading=heading)
        if turn is not None:
            command = command._replace(heading=command.heading + turn)
        command.row()  # raises if a number is not finite
        if style is not None:
            self.style = style_of(style)
            self._blend = None if self._styled is None else (time, self._styled, self._style_parameters())
        self.command = command

    def set_gain(self, name: str, value: float) -> None:
        """Set the factor by which a gain is multiplied."""
        if name not in GAINS:
            raise InputError(f"No gain '{name}'. Gains: {', '.join(GAINS)}.")
        if not 0.0 <= value <= MAX_GAIN:
            raise InputError(f"Gain '{name}' has a factor of {value:g}. Give 0 to {MAX_GAIN:g}.")
        self.gains[name] = value

    def numbers(self) -> tuple[Number, ...]:
        """Return the gains as numbers for sliders."""
        return gain_numbers(self.gains)

    def _style_parameters(self) -> dict[str, np.ndarray]:
        styled = styled_walker(self.file)(self.style).parameters
        return {n: np.asarray(styled.get(n, x), float) for n, x in self.parameters.items()}

    def parameters_at(self, t: float) -> dict[str, Any]:
        """Return the controller's parameters at a time [s]: those of the style times the gains.

        During a change of style they are interpolated. If nothing has changed, the same dict is returned.
        """
        if self._styled is None:
            self._styled = self._style_parameters()
        if self._blend is not None:
            since, old, new = self._blend
            w = min(max(t - since, 0.0) / self.settings.style_blend, 1.0)
            self._styled = {n: old[n] + w * (new[n] - old[n]) for n in old}
            self._blend = None if w >= 1.0 else self._blend
        gains = {n: x for n, x in self.gains.items() if x != 1.0}
        if self._scaled is None or self._scaled[0] is not self._styled or self._scaled[1] != gains:
            self._scaled = self._styled, gains, {n: x * gains.get(n, 1.0) for n, x in self._styled.items()}
        return self._scaled[2]

    def is_fallen(self, q: np.ndarray) -> bool:
        """Return whether the walker has fallen (`gait/falls.py`)."""
        return bool(self._detector.fallen(q))

    def finished(self, motion: Motion) -> Motion:
        """Return the recorded motion of a run with its first fall in the metadata and the events."""
        return with_fall(motion, self._detector.first(motion.time, motion.q))


def terrain_placed(project: Project, walk: tuple[Project, np.ndarray] | None) -> Project:
    """Return a project whose terrain begins at the position of a live walker, with its level area under the feet.

    Parameters
    ----------
    project : the new project.
    walk : the previous project and the state q (nq,) of the walker; None without a live walk. The terrain then begins
        at the world's origin. Terrain that has not changed is not moved.
    """
    ground, origin = project.world.ground, (0.0, 0.0, 0.0)
    if walk is not None:
        old, (x, y) = walk[0].world.ground, (float(v) for v in walk[1][:2])
        same = replace(ground, origin=old.origin, friction=old.friction) == old
        origin = old.origin if same else (x, y, float(height_at(old, x, y)))
    if origin == ground.origin:
        return project
    return project.changed(world=replace(project.world, ground=replace(ground, origin=origin)))
