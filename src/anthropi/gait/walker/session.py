"""Walking session: run the walker and change its command while it walks.

A session is a `Simulation` that runs in ticks of ten steps of 1 ms. The command, the push and every parameter are
inputs of its kernel, so the command may change at any tick. A session runs as fast as one long simulation and gives bit
for bit identical results. By default a tick is a frame of the recorded motion; `every` records more frames of the same
walk. It works on plain floats only and cannot be recorded on a tape.
"""

from typing import Any

import numpy as np

from anthropi.contact.geometry.contacts import contact_records, ground_record
from anthropi.contact.scene import Scene
from anthropi.errors import InputError, StateError
from anthropi.figure.figure import Figure
from anthropi.gait.falls import FallDetector, FallSettings, HeightBounds, upright, with_fall
from anthropi.gait.walker.command import Command
from anthropi.gait.walker.foot_placement import Sight
from anthropi.gait.walker.limits import Going, body_notes, change_notes, slope_notes, warn_of
from anthropi.gait.walker.parameters import WalkerFile, load_walker, size_of
from anthropi.gait.walker.walker import ANKLE_HEIGHT, PushedPelvis, sole_scene, walker_at_start
from anthropi.motion import Motion
from anthropi.simulation.motion_frames import step_means
from anthropi.simulation.simulation import Simulation

__all__ = ["WalkingSession"]

STEPS_PER_TICK, DT = 10, 1e-3  # steps between changes of commands and parameters, and by default of a frame; [s]
COLLAPSE = HeightBounds(0.7)  # no gait or crouch of the package goes as low
TICKS_OF_MEAN = 100  # ticks over which `velocity` is averaged: one second


class WalkingSession:
    """A simulation of a walking figure whose command can be changed while it walks.

    Parameters
    ----------
    figure : a standard human, whose soles and links touch level ground, or a scene with one.
    walker : name of a parameter set, a .toml file or a `WalkerFile`.
    start : "stand", or "walk" to start within the gait.
    sight : chooses footholds on uneven ground; None for level ground.
    dt : time step [s]; ten steps are one tick.
    every : steps between frames of the recorded motion: 1, 2, 5 or 10. It does not change the walk.
    opt : optimisation level of the kernel, as in `ap.compile`.
    falls : thresholds that decide when the figure has fallen (`gait/falls.py`).

    Attributes
    ----------
    fall : the first `Fall`, with its time and cause, or None. The session can run on after it.
    warns : whether `command` issues a `ValidityWarning` outside the limits of the walker, each once. `ap.walk`, scripts
        and navigation set it to False, because they check or choose speeds themselves.
    """

    controller: Any
    dt: Any
    every: int
    fall: Any
    figure: Any
    scene: Any
    simulation: Any
    walker: Any
    warns: bool = True

    def __init__(
        self,
        figure: Figure | Scene,
        walker: str | WalkerFile = "natural",
        start: str = "stand",
        *,
        sight: Sight | None = None,
        dt: float = DT,
        opt: Any = "tiers",
        falls: FallSettings | None = None,
        every: int = STEPS_PER_TICK,
    ) -> None:
        if isinstance(every, bool) or not isinstance(every, (int, np.integer)) or every < 1 or STEPS_PER_TICK % every:
            raise InputError(f"every={every!r} is not valid. Give the steps between frames: 1, 2, 5 or 10.")
        self.every = int(every)
        self.scene = figure if isinstance(figure, Scene) else sole_scene(figure)
        self.figure, self.walker, self.dt = self.scene.figure, load_walker(walker), dt
        self._warn_of_limits(sight)
        self.controller, q, u = walker_at_start(self.figure, self.walker, start, sight)
        self.simulation = Simulation(self.scene, PushedPelvis(self.controller), dt, record=("tau",), opt=opt)
        self.simulation.reset(q, u)
        self._detector, self.fall = FallDetector(self.scene, falls), None
        self._start_height = q[2]
        self._parameters = {name: np.asarray(x, float) for name, x in self.controller.parameters.items()}
        self._blend: tuple[Any, ...] | None = None
        self._command = Command(go=start == "walk")
        self._frames: list[dict[str, np.ndarray]] = []
        self._pushed = False  # whether a push acted, which no channel contains
        self._warned: set[str] = set()
        self.commands: list[tuple[float, Command]] = [(0.0, self._command)]

    def _warn_of_limits(self, sight: Sight | None) -> None:
        """Issue a `ValidityWarning` if the parameter set was not tested for the body or the ground."""
        limits = self.walker.limits
        notes = body_notes(limits, self.figure, float(size_of(self.figure).length))
        warn_of([*notes, *(slope_notes(limits, self.scene.ground) if sight is None else [])], stacklevel=4)

    def command(self, command: Command) -> None:
        """Set the command from now on. The list `commands` keeps all commands with their times [s].

        Issues a `ValidityWarning` if the speed, a stop or a turn on the spot is outside the limits of the walker.
        """
        command.row()
        if self.warns:
            self._warn_of_command(command)
        self._command = command
        self.commands.append((self.time, command))

    def _warn_of_command(self, command: Command) -> None:
        before, after = (
            Going("walk" if c.go else "stand", float(c.speed), float(c.heading)) for c in (self._command, command)
        )
        notes = change_notes(self.walker.limits, before, after, float(size_of(self.figure).time))
        warn_of([note for note in notes if note not in self._warned], stacklevel=4)
        self._warned.update(notes)

    def style(self, walker: str | WalkerFile, over: float = 1.0) -> None:
        """Change to another parameter set, blended in over a time `over` [s]."""
        found: WalkerFile = load_walker(walker)
        new = {name: np.asarray(found.parameters[name], float) for name in self._parameters}
        self._blend = (self.time, max(over, 0.0), self._parameters, new)

    def run(self, duration: float, push: Any = (0.0, 0.0)) -> None:
        """Continue the walk for some time.

        Parameters
        ----------
        duration : time to simulate [s], at least one tick.
        push : force at the pelvis during this time, along x and y of the world (2,) [N].
        """
        ticks = round(duration / (STEPS_PER_TICK * self.dt)) if np.isfinite(duration) else 0
        if ticks < 1:
            raise InputError(
                f"run() got duration={duration!r}. Give a time of at least {STEPS_PER_TICK * self.dt:g} s."
            )
        row, push = self._command.row(), np.asarray(push, float)
        self.simulation.set_parameters({"pelvis_push": push})
        self._pushed = self._pushed or bool(push.any())
        frames = STEPS_PER_TICK // self.every
        while ticks:
            self._blend_parameters()
            count = 1 if self._blend is not None else ticks
            self._frames.append(self.simulation.record(count * frames, self.every, command=row))
            ticks -= count
            if self.fall is None:
                self.fall = self._detector.first(*(self._frames[-1][name][::frames] for name in ("time", "q")))

    def _blend_parameters(self) -> None:
        """Move the parameters towards those of the new set, if `style` has started a change."""
        if self._blend is not None:
            since, over, old, new = self._blend
            w = 1.0 if over <= 0.0 else min((self.time - since) / over, 1.0)
            self._parameters = {name: old[name] + w * (new[name] - old[name]) for name in old}
            self._blend = None if w >= 1.0 else self._blend
            self.simulation.set_parameters(self._parameters)

    @property
    def memory(self) -> dict[str, float]:
        """Memory of the walker, {name: number} (`phase_clock.FIRST_MEMORY`)."""
        return {name: float(x) for name, x in self.simulation.memory["control"].items()}

    @property
    def time(self) -> float:
        """Time since the start [s]."""
        return self.simulation.time

    @property
    def q(self) -> np.ndarray:
        """Current positions (nq,)."""
        return self.simulation.q.copy()

    @property
    def u(self) -> np.ndarray:
        """Current velocities (nu,)."""
        return self.simulation.u.copy()

    @property
    def position(self) -> np.ndarray:
        """Horizontal position of the pelvis (2,) [m]."""
        return self.q[:2].copy()

    @property
    def velocity(self) -> np.ndarray:
        """Horizontal velocity of the pelvis (2,) [m/s], averaged over the last second or since the start."""
        if not self._frames:
            return self.u[:2]
        time, q = self._frame_before(TICKS_OF_MEAN * STEPS_PER_TICK // self.every)
        return (self.q[:2] - q[:2]) / max(self.time - time, 1e-9)

    def _frame_before(self, count: int) -> tuple[float, np.ndarray]:
        """Time [s] and q of the frame `count` frames ago, or of the first frame."""
        for part in reversed(self._frames):
            if count <= len(part["time"]):
                return float(part["time"][-count]), part["q"][-count]
            count -= len(part["time"])
        return float(self._frames[0]["time"][0]), self._frames[0]["q"][0]

    @property
    def heading(self) -> float:
        """Current desired heading [rad], not wrapped to one turn."""
        return self.memory["heading"]

    @property
    def steps(self) -> int:
        """Number of foot strikes since the start."""
        return round(self.memory["steps"])

    @property
    def side(self) -> int:
        """Leg in stance: 0 left, 1 right."""
        return round(self.memory["side"])

    @property
    def stands(self) -> bool:
        """Whether the figure stands on both feet."""
        return self.memory["gear"] < 0.5

    @property
    def feet(self) -> dict[str, np.ndarray]:
        """Positions of the ankles {"l": (3,), "r": (3,)} [m]."""
        position = self.simulation.kinematics.position
        return {side: np.asarray(position[self.figure.link_index(f"{side}_foot")], float) for side in "lr"}

    @property
    def fallen(self) -> bool:
        """Whether the figure has fallen since the start (`gait/falls.py`)."""
        return self.fall is not None

    @property
    def collapses(self) -> bool:
        """Whether the figure has not fallen yet, but its pelvis is lower than 0.7 of its height at the start."""
        ground = min(foot[2] for foot in self.feet.values()) - ANKLE_HEIGHT * size_of(self.figure).length
        return self.fall is None and not upright(self.q[2] - ground, self._start_height, COLLAPSE)

    @property
    def fall_time(self) -> float | None:
        """Time of the first frame in which the figure has fallen [s]; None without a fall."""
        return None if self.fall is None else self.fall.time

    def motion(self) -> Motion:
        """Return the motion since the start, with contact forces and joint forces.

        Its metadata contain fell, fall_time [s] and fall_cause; a fall is also an event "fall".

        Raises StateError if the session has not run yet.
        """
        if not self._frames:
            raise StateError("The session has not run yet. Call run(duration) first.")
        found = {name: np.concatenate([part[name] for part in self._frames]) for name in self._frames[0]}
        time, q, u = (found.pop(name) for name in ("time", "q", "u"))
        contacts = [record._asdict() for record in contact_records(self.scene)]
        means = step_means(self.dt, self.simulation.problem.method).metadata()
        about: dict[str, Any] = {"contacts": contacts, "walker": self.walker.made, "interval_means": means}
        about |= ground_record(self.scene) | ({"unrecorded_f_ext": True} if self._pushed else {})
        return with_fall(Motion(self.figure, time, q, u, found, (), about), self.fall)
