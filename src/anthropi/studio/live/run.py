"""A live run: a thread that steps a simulation in time with the clock and hands frames on.

What is told meanwhile acts in the next piece, at most 4 ms of the world later: a hand, a blow, a command, a number of a
figure. Another structure needs another kernel: it is made beside, and taken between two pieces with the state as it is.
"""

import copy
import threading
import time
from typing import Any

import numpy as np

from anthropi.errors import InputError, SimulationError, StateError
from anthropi.studio.live.frames import Film, frame_bytes, owners_of, parts_of
from anthropi.studio.live.interaction import LAST, AppliedImpulse, Drag, wrenches
from anthropi.studio.live.models import SceneModel, WalkerModel
from anthropi.studio.live.stepper import Stepper, carry_over, controls
from anthropi.studio.messages import Live, Problem
from anthropi.studio.messages.encoding import problem_of

__all__ = ["Run"]

FPS = 60.0  # frames a second for browsers
PIECE = 4e-3  # [s] of the world that wrenches are held
SLOW, FAST = 0.05, 4.0  # paces
MAX_LAG = 0.1  # [s] of the clock it may be behind before it lets time go
PAUSE_AFTER_FALL = 2.0  # [s] that who has fallen lies before time stops
STATUS_INTERVAL = 0.25  # [s] between two tellings of its state


class Run:
    """A live run of a thing (`Moving` or `Walking`). desk : who is told."""

    def __init__(self, desk, number: int, thing: SceneModel | WalkerModel):
        self.desk, self.number, self.thing = desk, number, thing
        self.state = "building"
        self.pace, self.faster, self.down = 1.0, 0.0, False
        self.grip: Drag | None = None
        self.blows: list[AppliedImpulse] = []
        self.film = Film()
        self.project = desk.project
        self.stepper: Stepper | None = None
        self._numbers = np.zeros(0)
        self._next: tuple[Any, Stepper] | None = None  # another thing or kernel, to be taken between two pieces
        self._seen: Any = None
        self._fell: float | None = None
        self._due = 0.0  # [steps]
        self._parts: tuple = ()
        self._owners = np.zeros(0, int)
        self._forces_of: Any = None
        self._sequence = 0
        self._wake, self._end = threading.Event(), threading.Event()
        self._lock = threading.RLock()
        self._builds = 0
        self._building: threading.Thread | None = None
        self._thread = threading.Thread(target=self._work, daemon=True, name="anthropi-live")

    def start(self) -> None:
        """Begin: the kernel is made, then time goes on."""
        self._build(self.thing, first=True)
        self._thread.start()

    # what it is told

    def pause(self, paused: bool) -> None:
        """Pause or go on."""
        if self.state in ("running", "paused"):
            self.state = "paused" if paused else "running"
        self._wake.set()
        self.desk.emit(self.view())

    def stop(self, keep: bool = True) -> None:
        """End it; its motion is kept."""
        self._end.set()
        self._wake.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(5.0)
        self.state = "stopped"
        self.desk.live = None
        if keep:
            figure = self.thing.problem.figure
            motion = self.film.motion(figure, () if self.stepper is None else self.stepper.contacts)
            if motion is not None:
                alone = self.thing.items[0].number if len(self.thing.items) == 1 else None
                world = None if self.thing.dynamics == "direct" else self.project.world
                number = 1 + sum(made.kind == "live" for made in self.desk.project.motions)
                title = f"live {number}: {self.thing.dynamics}"
                self.desk.add_motion(motion, title, "live", alone, world=world)
        self.desk.emit(self.view())

    def set_pace(self, pace: float) -> None:
        """Seconds of the world in a second."""
        if not SLOW <= pace <= FAST:
            raise InputError(f"A pace of {pace:g}: give {SLOW:g} to {FAST:g}.")
        self.pace = pace

    def hold(self, figure: int, link: str, point, target, stiffness: float | None) -> None:
        """A hand on a link."""
        if stiffness is not None and not 0.0 < stiffness <= 1e6:
            raise InputError(f"A hand of {stiffness:g} N/m: give more than 0 and at most 1e6.")
        number, old = self._link(figure, link), self.grip
        if old is not None and old.link == number and old.stiffness == stiffness:
            self.grip = old.moved(np.array(target), self.time)
        else:
            self.grip = Drag(number, np.array(point), np.array(target), stiffness, since=self.time)

    def release(self) -> None:
        """The hand lets go."""
        self.grip = None

    def blow(self, figure: int, link: str, point, impulse) -> None:
        """A blow on a link."""
        if not np.linalg.norm(impulse) <= 1e4:
            raise InputError("A blow beyond 10,000 N s breaks everything. Give less.")
        i, until = self._link(figure, link), self.time + LAST
        with self._lock:
            self.blows = [b for b in self.blows if b.until > self.time]
            self.blows.append(AppliedImpulse(i, np.array(point), np.array(impulse), until))

    def _link(self, figure: int, link: str) -> int:
        """The number of a link of one of the run's figures."""
        whole = self.thing.problem.figure
        for item in self.thing.items:
            if item.number == figure:
                name = link if len(self.thing.items) == 1 else f"{item.figure.name}/{link}"
                return whole.link_index(name)
        raise InputError(f"Figure number {figure} is not in the live run.")

    def walk(self, **told) -> None:
        """What the walker does from now on."""
        if not isinstance(self.thing, WalkerModel):
            raise StateError("Nobody walks: start a live walk first.")
        self.thing.tell(self.time, **told)
        self.desk.emit(self.view())

    def set_gain(self, name: str, value: float) -> None:
        """A gain of the walker."""
        if not isinstance(self.thing, WalkerModel):
            raise StateError("Nobody walks: start a live walk first.")
        self.thing.gain(name, value)

    def project_changed(self, project) -> None:
        """Numbers are taken at once; another structure or world needs another kernel."""
        old, self.project = self.project, project
        mine = [i for item in self.thing.items for i in project.items if i.number == item.number]
        if len(mine) < len(self.thing.items):
            threading.Thread(target=self.stop, args=(False,), daemon=True).start()  # its figures are gone
            return
        same_figures = all(a is b or a.figure is b.figure for a, b in zip(mine, self.thing.items, strict=True))
        if same_figures and controls(mine) == controls(self.thing.items) and old.world is project.world:
            return
        whole = self.thing.whole(project)
        numbers = None if self.stepper is None else self.stepper.slots.row(whole)
        rest = (old.world.ground, old.world.obstacles, old.world.contact) == (
            project.world.ground, project.world.obstacles, project.world.contact)  # fmt: skip
        if numbers is not None and rest and controls(mine) == controls(self.thing.items):
            self._numbers = numbers
            return
        self._rebuild(project)

    # kernels

    def _rebuild(self, project) -> None:
        """Another structure: the same thing of what the project is now, going on from the state it is in."""
        thing = copy.copy(self.thing)
        thing.again(project)
        self._build(thing)

    def _build(self, thing, first: bool = False) -> None:
        """Make the kernel of a thing beside what goes on. Only the newest thing counts."""
        self._builds += 1
        mine = self._builds

        def make() -> None:
            try:
                stepper = Stepper(thing.problem, thing.dt)
                stepper.start(thing.q, thing.u)
                nothing = np.zeros((thing.problem.figure.n, 6))
                stepper.step(0, stepper.numbers(), nothing, None, thing.command)  # its kernel is ready now
                if mine != self._builds or self._end.is_set():
                    return
                with self._lock:
                    self._next = thing, stepper
                self._wake.set()
            except Exception as error:
                self.desk.emit(problem_of(error))
                if first:
                    threading.Thread(target=self.stop, args=(False,), daemon=True).start()

        self._building = threading.Thread(target=make, daemon=True, name="anthropi-live-kernel")
        self._building.start()

    def ready(self, patience: float = 5.0) -> None:
        """Wait until the kernel that is being made is there."""
        if self._building is not None:
            self._building.join(patience)

    def _swap(self) -> None:
        """Take what was made; the state goes over joint by joint."""
        with self._lock:
            if self._next is None:
                return
            (thing, stepper), self._next = self._next, None
        before = self.stepper
        old = self.thing
        self.thing, self.stepper = thing, stepper
        if before is None:
            self.state = "running"
        else:
            carry_over(old, before, thing, stepper)
        row = stepper.slots.row(thing.whole(self.project))
        self._numbers = stepper.numbers() if row is None else row
        figure = thing.problem.figure
        self._parts = parts_of(figure)
        self._owners = owners_of(stepper.problem.scene, self._parts, len(stepper.contacts))
        self._forces_of = None
        if before is not None and figure.nq != before.problem.figure.nq:
            self.film = Film()  # a motion is of one figure
        self._step(0.0)
        self.desk.emit(self.view())

    # time

    @property
    def time(self) -> float:
        """[s] of the world."""
        return 0.0 if self.stepper is None else self.stepper.simulation.time

    def _work(self) -> None:
        due, told = time.perf_counter(), 0.0
        while not self._end.is_set():
            try:
                self._swap()
                if self.stepper is None or self.state != "running":
                    self._wake.wait(0.2)
                    self._wake.clear()
                    due = time.perf_counter()
                    continue
                begun = time.perf_counter()
                self._step(self.pace / FPS)
                spent = max(time.perf_counter() - begun, 1e-6)
                self.faster = 0.9 * self.faster + 0.1 * self.pace / FPS / spent
                self._send()
                self._rest()
                if begun - told > STATUS_INTERVAL:
                    told = begun
                    self.desk.emit(self.view())
                due += 1.0 / FPS
                now = time.perf_counter()
                if due < now - MAX_LAG:
                    due = now
                if due > now:
                    time.sleep(due - now)
            except Exception as error:
                self._failed(error)

    def _step(self, duration: float) -> None:
        """So many seconds of the world, in pieces."""
        assert self.stepper is not None
        thing, stepper = self.thing, self.stepper
        self._due += duration / thing.dt  # what is less than a step waits for the next frame: time keeps with the clock
        left = int(self._due)
        self._due -= left
        mass = float(thing.problem.figure.mass)
        while True:
            steps = min(left, round(PIECE / thing.dt))
            forces = self._forces()
            if self._seen is None or not (self.grip or self.blows or forces):
                wrench = np.zeros((thing.problem.figure.n, 6))
                steps = left
            else:
                wrench = wrenches(self._seen.kinematics, mass, self.time, self.grip, self.blows, forces)
            before = stepper.simulation.state
            seen = stepper.step(steps, self._numbers, wrench, thing.parameters_at(self.time), thing.command)
            if not np.isfinite(stepper.simulation.q).all():
                stepper.simulation.state = before
                raise SimulationError(f"The simulation lost itself at t = {self.time:.3f} s: forces too large for its "
                                    "steps. Make springs softer, masses larger, or the steps shorter.")  # fmt: skip
            self._seen = seen
            self.film.add_contacts(steps, seen)
            left -= steps
            if left <= 0:
                break
        q, u = stepper.simulation.q.copy(), stepper.simulation.u.copy()
        self.down = thing.fallen(q)
        self.film.add(self.time, q, u)

    def _rest(self) -> None:
        """Who has fallen lies for a while; then time stops, and somebody is told."""
        if not self.down:
            self._fell = None
        elif self._fell is None:
            self._fell = self.time
        elif self.time - self._fell > PAUSE_AFTER_FALL:
            self._fell = np.inf
            self.desk.emit(Problem("It has fallen. Start it again, or drag it up.", time=self.time, level="note"))
            self.pause(True)

    def _forces(self) -> list:
        """(link number, force) of all that are set."""
        key = self.project.forces
        if self._forces_of is None or self._forces_of[0] is not key:
            numbers = {item.number for item in self.thing.items}
            found = [(self._link(f.figure, f.link), f) for f in key if f.figure in numbers]
            self._forces_of = key, found
        return self._forces_of[1]

    def _send(self) -> None:
        self._sequence += 1
        self.desk.send_frame(frame_bytes(self._sequence, self.number, self.time, self.pace, self._parts, self._seen,
                                         self._owners))  # fmt: skip

    def _failed(self, error: BaseException) -> None:
        """Say what happened; what there was is kept."""
        self.desk.emit(problem_of(error))
        self.desk.emit(Problem("The live run is paused where it was. Undo, or start it again.", level="note"))
        self.state = "paused"
        self.desk.emit(self.view())

    def view(self) -> Live:
        """As browsers see it."""
        thing = self.thing
        ready = bool(self._parts) and len(self._parts) == len(thing.items)
        own = self._parts if ready else parts_of(thing.problem.figure)
        counts = [int((self._owners == k).sum()) for k in range(len(own))] if ready else [0] * len(own)
        walker = thing if isinstance(thing, WalkerModel) else None
        return Live(
            run=self.number, state=self.state, dynamics=thing.dynamics,  # type: ignore[arg-type]
            figures=tuple(i.number for i in thing.items), links=tuple(len(p.links) for p in own),
            points=tuple(counts), time=self.time, pace=self.pace, faster=round(self.faster, 1), fallen=self.down,
            speed=walker.told.speed if walker else 0.0,
            heading=walker.told.heading if walker else 0.0, style=walker.style.name if walker else "",
        )  # fmt: skip
