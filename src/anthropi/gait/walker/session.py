"""A walker at work, told what to do between any two moments: the live side of the gait controller. Floats only.

One kernel takes ten steps of 1 ms, a frame; what is told, and every parameter, is its input. So a session may be told
anything at any frame, and runs as fast as one long simulation, bit for bit.
"""

from typing import Any

import numpy as np

from anthropi.algebra.scalar import less, where
from anthropi.algorithms.kinematics import kinematics as place_links
from anthropi.compile import build
from anthropi.contact.scene import Scene
from anthropi.contact.touches import touch_names
from anthropi.errors import InputError, StateError
from anthropi.gait.walker.command import WIDTH, Command
from anthropi.gait.walker.files import WalkerFile, load_walker
from anthropi.gait.walker.ground import pelvis_push, sole_scene
from anthropi.gait.walker.size import size_of
from anthropi.gait.walker.start import ANKLE, begun
from anthropi.motion import Motion
from anthropi.simulation.acting import Given, Setting, acting, first_memory
from anthropi.simulation.drive import applied_force
from anthropi.simulation.memory import layout
from anthropi.simulation.scene_step import SceneState, scene_step
from anthropi.tape import record, repeat

__all__ = ["FALLEN", "Session"]

STEPS, AT_ONCE, DT = 10, 20, 1e-3  # of a frame; frames in a call of the kernel; [s]
FALLEN = 0.7  # of the height of the pelvis


class Session:
    """A figure that walks as it is told.

    figure : a standard human, or a scene with one. walker : a set by name, a .toml file or a `WalkerFile`. start :
    "stand" or "walk". sight : its eyes on the ground (`sight.Sight`), if any. dt : [s] of a step; ten are a
    frame.
    """

    def __init__(self, figure, walker="natural", start: str = "stand", *, sight=None, dt: float = DT, opt="tiers"):
        self.scene = figure if isinstance(figure, Scene) else sole_scene(figure)
        self.figure, self.walker, self.dt = self.scene.figure, load_walker(walker), dt
        self.controller, q, u = begun(self.figure, self.walker, start, sight)
        self.setting = Setting(self.figure, self.scene, self.controller)
        first = first_memory(self.setting)
        self._memory, self._numbers = layout(first), layout(self.controller.parameters)
        self._state: list[Any] = [q, u, self._memory.pack(first), np.array(0.0)]
        self._kernel = _kernel(self.setting, self._memory, self._numbers, dt, opt)
        self._height = q[2]
        self._now = self._numbers.pack(self.controller.parameters)
        self._blend: tuple | None = None
        self._command = Command(go=start == "walk")
        self._frames: list[tuple] = []
        self._links: Any = None
        self.said: list[tuple[float, Command]] = [(0.0, self._command)]

    def tell(self, command: Command) -> None:
        """What to do from now on."""
        command.row()
        self._command = command
        self.said.append((self.time, command))

    def style(self, walker, over: float = 1.0) -> None:
        """Other parameters, blended in over a time [s]."""
        found: WalkerFile = load_walker(walker)
        new = self._numbers.pack({name: np.asarray(x, float) for name, x in found.parameters.items()})
        self._blend = (self.time, max(over, 0.0), self._now.copy(), new)

    def run(self, duration: float, push=(0.0, 0.0)) -> None:
        """Go on for a time [s]. push : [N] a force at the pelvis, forward and left of the world, meanwhile."""
        frames = round(duration / (STEPS * self.dt))
        if not (np.isfinite(duration) and frames >= 1):
            raise InputError(f"run({duration!r}): give seconds, at least {STEPS * self.dt:g}.")
        row, push = self._command.row(), np.asarray(push, float)
        while frames:
            self._blended()
            count = 1 if self._blend is not None else min(frames, AT_ONCE)
            *self._state, t, q, u, forces, tau = self._kernel(
                *self._state, np.array(float(count)), self._now, row, push
            )
            self._frames += [(float(t[k]), q[k], u[k], forces[k], tau[k]) for k in range(count)]
            frames -= count
        self._links = None

    def _blended(self) -> None:
        if self._blend is not None:
            since, over, old, new = self._blend
            w = 1.0 if over <= 0.0 else min((self.time - since) / over, 1.0)
            self._now = old + w * (new - old)
            self._blend = None if w >= 1.0 else self._blend

    @property
    def memory(self) -> dict[str, float]:
        """What the walker remembers (`clock.FIRST`)."""
        return {name: float(x) for name, x in self._memory.unpack(self._state[2])["control"].items()}

    @property
    def time(self) -> float:
        """[s] since the start."""
        return float(self._state[3])

    @property
    def q(self) -> np.ndarray:
        """Where the figure is (nq,)."""
        return self._state[0]

    @property
    def u(self) -> np.ndarray:
        """How it moves (nu,)."""
        return self._state[1]

    @property
    def position(self) -> np.ndarray:
        """Of the pelvis on the ground (2,) [m]."""
        return self.q[:2].copy()

    @property
    def velocity(self) -> np.ndarray:
        """Of the pelvis (2,) [m/s], the mean of the last second, or of what there is."""
        last = self._frames[-100:]
        if not last:
            return self.u[:2].copy()
        return (self.q[:2] - last[0][1][:2]) / max(self.time - last[0][0], 1e-9)

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
        if self._links is None:
            self._links = place_links(self.figure, self.q).position
        return {side: np.asarray(self._links[self.figure.link_index(f"{side}_foot")], float) for side in "lr"}

    @property
    def fallen(self) -> bool:
        """Whether the pelvis is down, or lost."""
        ground = min(foot[2] for foot in self.feet.values()) - ANKLE * size_of(self.figure).length
        return not (np.isfinite(self.q).all() and self.q[2] - ground > FALLEN * self._height)

    def motion(self) -> Motion:
        """Everything so far, with contact forces and joint forces."""
        if not self._frames:
            raise StateError("The session has not run yet. run(duration) first.")
        time, q, u, forces, tau = (np.array(x) for x in zip(*self._frames, strict=True))
        about = {"touches": touch_names(self.scene), "walker": self.walker.made}
        return Motion(self.figure, time, q, u, {"contact": forces, "tau": tau}, (), about)


def _kernel(setting, memory, numbers, dt, opt):
    """(q, u, memory, t, frames, parameters, command, push) -> the first four later, and each frame's start: t, q, u,
    contact and joint forces. At most `AT_ONCE` frames."""
    figure = setting.figure

    def frames(q, u, row, t, count, parameters, command, push):
        given = Given(numbers.unpack(parameters), command, 0.0, 0.0)

        def pushed(t, q, u):
            return pelvis_push(q, push[0], push[1])

        def step(state):
            q, u, row, t, begins, seen = state
            held = memory.unpack(row)
            after = scene_step(setting, pushed, SceneState(q, u, held), t, dt, given)
            now = acting(setting, pushed, t, q, u, held, given, dt)
            tau = applied_force(figure, now.drive, q, u, (after.u - u) / dt, dt)
            first = less(0.5, begins)
            seen = tuple(where(first, new, old) for new, old in zip((now.forces, tau), seen, strict=True))
            return after.q, after.u, memory.pack(after.memory), t + dt, np.zeros(()), seen

        def frame(state):
            q, u, row, t, left, *_ = state
            nothing = np.zeros((len(touch_names(setting.scene)), 3)), np.zeros(figure.nu)
            q1, u1, row1, t1, _, seen = repeat(step, (q, u, row, t, np.ones(()), nothing), STEPS)
            return q1, u1, row1, t1, left - 1.0, t, q, u, *seen

        nothing = np.zeros((len(touch_names(setting.scene)), 3)), np.zeros(figure.nu)
        first = (q, u, row, t, count, t, q, u, *nothing)
        last, kept = repeat(frame, first, AT_ONCE, until=lambda state: less(state[4], 0.5), every=1)
        return (*last[:4], *kept[5:])

    tape = record(frames, q=figure.neutral(), u=np.zeros(figure.nu), row=np.zeros(memory.size), t=np.zeros(()),
                  count=np.zeros(()), parameters=np.zeros(numbers.size), command=np.zeros(WIDTH),
                  push=np.zeros(2))  # fmt: skip
    return build(tape, opt=opt)
