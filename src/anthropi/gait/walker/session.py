"""A walking session: run the walker and change its command while it walks. Floats only.

The session is a `Simulation`: ten steps of 1 ms are a frame; command, push and every parameter are inputs of its
kernel. A session may be given a new command at any frame, and runs as fast as one long simulation, bit for bit.
"""

from typing import Any

import numpy as np

from anthropi.contact.contacts import contact_records
from anthropi.contact.scene import Scene
from anthropi.errors import InputError, StateError
from anthropi.gait.walker.command import Command
from anthropi.gait.walker.parameters import WalkerFile, load_walker, size_of
from anthropi.gait.walker.walker import ANKLE, PushedPelvis, sole_scene, walker_at_start
from anthropi.motion import Motion
from anthropi.simulation.simulation import Simulation

__all__ = ["FALL_HEIGHT", "WalkingSession"]

STEPS, DT = 10, 1e-3  # of a frame; [s]
FALL_HEIGHT = 0.7  # of the height of the pelvis


class WalkingSession:
    """A figure that walks as commanded.

    figure : a standard human, or a scene with one. walker : a set by name, a .toml file or a `WalkerFile`. start :
    "stand" or "walk". sight : its eyes on the ground (`sight.Sight`), if any. dt : [s] of a step; ten are a
    frame.
    """

    def __init__(self, figure, walker="natural", start: str = "stand", *, sight=None, dt: float = DT, opt="tiers"):
        self.scene = figure if isinstance(figure, Scene) else sole_scene(figure)
        self.figure, self.walker, self.dt = self.scene.figure, load_walker(walker), dt
        self.controller, q, u = walker_at_start(self.figure, self.walker, start, sight)
        self.simulation = Simulation(self.scene, PushedPelvis(self.controller), dt, record=("tau",), opt=opt)
        self.simulation.reset(q, u)
        self._height = q[2]
        self._now = {name: np.asarray(x, float) for name, x in self.controller.parameters.items()}
        self._blend: tuple | None = None
        self._command = Command(go=start == "walk")
        self._frames: list[dict[str, np.ndarray]] = []
        self.said: list[tuple[float, Command]] = [(0.0, self._command)]

    def tell(self, command: Command) -> None:
        """What to do from now on."""
        command.row()
        self._command = command
        self.said.append((self.time, command))

    def style(self, walker, over: float = 1.0) -> None:
        """Other parameters, blended in over a time [s]."""
        found: WalkerFile = load_walker(walker)
        new = {name: np.asarray(found.parameters[name], float) for name in self._now}
        self._blend = (self.time, max(over, 0.0), self._now, new)

    def run(self, duration: float, push=(0.0, 0.0)) -> None:
        """Go on for a time [s]. push : [N] a force at the pelvis, forward and left of the world, meanwhile."""
        frames = round(duration / (STEPS * self.dt))
        if not (np.isfinite(duration) and frames >= 1):
            raise InputError(f"run({duration!r}): give seconds, at least {STEPS * self.dt:g}.")
        row, push = self._command.row(), np.asarray(push, float)
        self.simulation.set_parameters({"pelvis_push": push})
        while frames:
            self._blended()
            count = 1 if self._blend is not None else frames
            self._frames.append(self.simulation.record(count, STEPS, command=row))
            frames -= count

    def _blended(self) -> None:
        if self._blend is not None:
            since, over, old, new = self._blend
            w = 1.0 if over <= 0.0 else min((self.time - since) / over, 1.0)
            self._now = {name: old[name] + w * (new[name] - old[name]) for name in old}
            self._blend = None if w >= 1.0 else self._blend
            self.simulation.set_parameters(self._now)

    @property
    def memory(self) -> dict[str, float]:
        """What the walker remembers (`clock.FIRST`)."""
        return {name: float(x) for name, x in self.simulation.memory["control"].items()}

    @property
    def time(self) -> float:
        """[s] since the start."""
        return self.simulation.time

    @property
    def q(self) -> np.ndarray:
        """Where the figure is (nq,)."""
        return self.simulation.q.copy()

    @property
    def u(self) -> np.ndarray:
        """How it moves (nu,)."""
        return self.simulation.u.copy()

    @property
    def position(self) -> np.ndarray:
        """Of the pelvis on the ground (2,) [m]."""
        return self.q[:2].copy()

    @property
    def velocity(self) -> np.ndarray:
        """Of the pelvis (2,) [m/s], the mean of the last second, or of what there is."""
        if not self._frames:
            return self.u[:2]
        time, q = self._last(100)
        return (self.q[:2] - q[:2]) / max(self.time - time, 1e-9)

    def _last(self, count: int) -> tuple[float, np.ndarray]:
        """Time and q of the frame so many frames ago, or of the first."""
        for part in reversed(self._frames):
            if count <= len(part["time"]):
                return float(part["time"][-count]), part["q"][-count]
            count -= len(part["time"])
        return float(self._frames[0]["time"][0]), self._frames[0]["q"][0]

    @property
    def heading(self) -> float:
        """[rad] that it aims at now, turns counted."""
        return self.memory["heading"]

    @property
    def steps(self) -> int:
        """Strikes so far."""
        return round(self.memory["steps"])

    @property
    def side(self) -> int:
        """0: the left leg stands, 1: the right."""
        return round(self.memory["side"])

    @property
    def stands(self) -> bool:
        """Whether it stands on both feet."""
        return self.memory["gear"] < 0.5

    @property
    def feet(self) -> dict[str, np.ndarray]:
        """Where the ankles are (3,) [m]."""
        position = self.simulation.kinematics.position
        return {side: np.asarray(position[self.figure.link_index(f"{side}_foot")], float) for side in "lr"}

    @property
    def fallen(self) -> bool:
        """Whether the pelvis is down, or lost."""
        ground = min(foot[2] for foot in self.feet.values()) - ANKLE * size_of(self.figure).length
        return not (np.isfinite(self.q).all() and self.q[2] - ground > FALL_HEIGHT * self._height)

    def motion(self) -> Motion:
        """Everything so far, with contact forces and joint forces."""
        if not self._frames:
            raise StateError("The session has not run yet. run(duration) first.")
        found = {name: np.concatenate([part[name] for part in self._frames]) for name in self._frames[0]}
        time, q, u = (found.pop(name) for name in ("time", "q", "u"))
        contacts = [record._asdict() for record in contact_records(self.scene)]
        about: dict[str, Any] = {"contacts": contacts, "walker": self.walker.made}
        return Motion(self.figure, time, q, u, found, (), about)
