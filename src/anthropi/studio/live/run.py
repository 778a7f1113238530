"""A live run: a thread that steps a simulation in real time and sends frames to the browsers.

Input from browsers (a drag, an impulse, a command, a number of a figure) acts in the next `input_interval` of simulated
time. An edit of the structure needs a new kernel. Another thread builds it, and the run replaces the old kernel between
two steps and keeps the state.
"""

import copy
import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from anthropi.compiler.threads import switching_threads
from anthropi.contact.geometry.contacts import ground_record
from anthropi.errors import InputError, SimulationError, StateError, StepError
from anthropi.figure.editing.joining import combined_parts
from anthropi.simulation.motion_frames import step_means
from anthropi.studio.live.frames import Recording, contact_owners, frame_bytes
from anthropi.studio.live.interaction import AppliedImpulse, Drag, begun, wrenches
from anthropi.studio.live.models import SceneModel, WalkerModel
from anthropi.studio.live.settings import LiveSettings
from anthropi.studio.live.stepper import Stepper, StepView, carry_over, drive_settings
from anthropi.studio.messages import Force, Live, Problem
from anthropi.studio.messages.encoding import problem_of
from anthropi.studio.project.host import Host
from anthropi.studio.project.state import Project
from anthropi.tape.record import no_collector

__all__ = ["Run"]

MAX_STIFFNESS = 1e6  # [N/m] of a drag
MAX_IMPULSE = 1e4  # [N s]
IDLE_INTERVAL = 0.2  # [s] between checks while a run is paused or its kernel is being built

Model = SceneModel | WalkerModel


class Run:
    """A live run of a model.

    Parameters
    ----------
    host : the session that receives the events, frames and the motion of the run.
    number : the number of the run, which is part of its frames.
    model : the simulated model.
    settings : frame rate, bounds and intervals.
    """

    fallen: Any
    host: Any
    model: Any
    number: Any
    pace: Any
    project: Any
    recording: Any
    settings: Any
    speed_ratio: Any
    state: Any

    def __init__(self, host: Host, number: int, model: Model, settings: LiveSettings | None = None) -> None:
        self.host, self.number, self.model = host, number, model
        self.settings = settings or LiveSettings()
        self.state, self.pace, self.speed_ratio, self.fallen = "building", 1.0, 0.0, False
        self.drag: Drag | None = None
        self.impulses: list[AppliedImpulse] = []
        self.recording = Recording(self.settings)
        self.project = host.project
        self.stepper: Stepper | None = None
        self._numbers = np.zeros(0)
        self._next: tuple[Model, Stepper] | None = None  # a new model and kernel, used from the next step on
        self._view: StepView | None = None
        self._fall_time: float | None = None  # [s] when the figure fell; infinite after the run was paused for it
        self._due_steps = 0.0
        self._parts: tuple[Any, ...] = ()
        self._owners = np.zeros(0, int)
        self._forces_of: Any = None  # cached: the project's forces, and the same with their link indices
        self._sequence = 0
        self._wake, self._end = threading.Event(), threading.Event()
        self._lock = threading.RLock()
        self._builds = 0
        self._building: threading.Thread | None = None
        self._thread = threading.Thread(target=self._work, daemon=True, name="anthropi-live")

    def start(self) -> None:
        """Start the run; it begins to step when its kernel is built."""
        self._build(self.model, first=True)
        self._thread.start()

    # input from browsers

    def pause(self, paused: bool) -> None:
        """Pause or continue the run."""
        if self.state in ("running", "paused"):
            self.state = "paused" if paused else "running"
        self._wake.set()
        self.host.emit(self.view())

    def stop(self, keep: bool = True) -> None:
        """End the run. If `keep` is true, its motion is added to the project."""
        self._end.set()
        self._wake.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(5.0)
        self.state = "stopped"
        self.host.live_stopped()
        if keep:
            figure, stepper = self.model.problem.figure, self.stepper
            means = None if stepper is None else step_means(stepper.dt, stepper.simulation.problem.method)
            motion = self.recording.motion(figure, means)
            if motion is not None:
                motion = self.model.finished(motion)
                alone = self.model.items[0].number if len(self.model.items) == 1 else None
                world = None if self.model.dynamics == "direct" else self.project.world
                number = 1 + sum(item.kind == "live" for item in self.host.project.motions)
                self.host.add_motion(motion, f"live {number}: {self.model.dynamics}", "live", alone, world=world)
        self.host.emit(self.view())

    def set_pace(self, pace: float) -> None:
        """Set the pace: simulated seconds per second of clock time."""
        low, high = self.settings.min_pace, self.settings.max_pace
        if not low <= pace <= high:
            raise InputError(f"The pace is {pace:g}. Give {low:g} to {high:g}.")
        self.pace = pace

    def set_drag(
        self, figure: int, link: str, point: Sequence[float], target: Sequence[float], stiffness: float | None
    ) -> None:
        """Pull a point of a link to a target with a spring, until `release` is called.

        Parameters
        ----------
        figure : the number of the figure.
        link : the name of the link.
        point : (3,) [m] in the link frame.
        target : (3,) [m] in the world.
        stiffness : [N/m] of the spring; None: the value of the settings.
        """
        if stiffness is not None and not 0.0 < stiffness <= MAX_STIFFNESS:
            raise InputError(f"The drag stiffness is {stiffness:g} N/m. Give above 0, at most {MAX_STIFFNESS:g}.")
        number, old = self._link(figure, link), self.drag
        if old is not None and old.link == number and old.stiffness == stiffness:
            self.drag = old.moved(np.array(target), self.time, self.settings.interaction)
        else:
            self.drag = Drag(number, np.array(point), np.array(target), stiffness, since=self.time)

    def release(self) -> None:
        """End the drag."""
        self.drag = None

    def push(self, figure: int, link: str, point: Sequence[float], impulse: Sequence[float]) -> None:
        """Apply an impulse (3,) [N s], world axes, at a point of a link (3,) [m, link frame]."""
        if not np.linalg.norm(impulse) <= MAX_IMPULSE:
            raise InputError(f"The impulse is larger than {MAX_IMPULSE:,.0f} N s. Give a smaller one.")
        with self._lock:
            self.impulses.append(AppliedImpulse(self._link(figure, link), np.array(point), np.array(impulse)))

    def _link(self, figure: int, link: str) -> int:
        """Return the index of a link in the simulated figure."""
        whole = self.model.problem.figure
        for item in self.model.items:
            if item.number == figure:
                name = link if len(self.model.items) == 1 else f"{item.figure.name}/{link}"
                return whole.link_index(name)
        known = ", ".join(str(item.number) for item in self.model.items)
        raise InputError(f"Figure number {figure} is not in the live run. Its figures: {known}.")

    def set_command(self, **changes: Any) -> None:
        """Change the walker's command: go, speed, style, turn or heading. See `WalkerModel.set_command`."""
        self._walker().set_command(self.time, **changes)
        self.host.emit(self.view())

    def set_gain(self, name: str, value: float) -> None:
        """Set the factor by which a gain of the walker is multiplied."""
        self._walker().set_gain(name, value)

    def _walker(self) -> WalkerModel:
        if not isinstance(self.model, WalkerModel):
            raise StateError("No live walk is running. Start one first.")
        return self.model

    def project_changed(self, project: Project) -> None:
        """Apply a changed project. Numbers act at once; another structure or world needs a new kernel."""
        old, self.project = self.project, project
        model = self.model
        items = [i for item in model.items for i in project.items if i.number == item.number]
        if len(items) < len(model.items):  # a simulated figure was removed from the project
            threading.Thread(target=self.stop, args=(False,), daemon=True).start()
            return
        same_figures = all(a is b or a.figure is b.figure for a, b in zip(items, model.items, strict=True))
        same_drives = drive_settings(items) == drive_settings(model.items)
        if same_figures and same_drives and old.world is project.world:
            return
        numbers = None if self.stepper is None else self.stepper.slots.row(model.current_figure(project))
        before, after = ((x.world.ground, x.world.obstacles, x.world.contact) for x in (old, project))
        if numbers is not None and before == after and same_drives:
            self._numbers = numbers
            return
        (model := copy.copy(model)).rebuild(project)
        self._build(model)

    # kernels

    def _build(self, model: Model, first: bool = False) -> None:
        """Build the kernel of a model in a thread. The result is used only if no newer build was started."""
        build = self._builds = self._builds + 1
        forces = np.zeros((model.problem.figure.n, 6))

        @no_collector()  # it would take a tenth of the time
        def make() -> None:
            try:
                stepper = Stepper(model.problem, model.dt)
                stepper.start(model.q, model.u)
                stepper.step(0, stepper.numbers(), forces, None, model.command_row)  # builds the kernel
                if build != self._builds or self._end.is_set():
                    return
                with self._lock:
                    self._next = model, stepper
                self._wake.set()
                time.sleep(2.0 / self.settings.frame_rate)  # the collector waits until the first frame is sent
            except Exception as error:
                self.host.emit(problem_of(error))
                if first:
                    threading.Thread(target=self.stop, args=(False,), daemon=True).start()

        self._building = threading.Thread(target=make, daemon=True, name="anthropi-live-kernel")
        self._building.start()

    def wait_for_kernel(self, timeout: float = 5.0) -> None:
        """Wait until the kernel is built, at most timeout [s]."""
        if self._building is not None:
            self._building.join(timeout)

    def _take_next(self) -> None:
        """Replace the model and its kernel by newly built ones. Joints of the same name and type keep their state."""
        with self._lock:
            if self._next is None:
                return
            (model, stepper), self._next = self._next, None
        before, old = self.stepper, self.model
        self.model, self.stepper = model, stepper
        if before is None:
            self.state = "running"
        else:
            carry_over(old, before, model, stepper)
        row = stepper.slots.row(model.current_figure(self.project))
        self._numbers = stepper.numbers() if row is None else row
        figure, scene = model.problem.figure, stepper.problem.scene
        self._parts = combined_parts(figure)
        self._owners = contact_owners(scene, self._parts, len(stepper.contacts))
        self._forces_of = None
        if before is not None and figure.nq != before.problem.figure.nq:
            self.recording = Recording(self.settings)  # one motion cannot contain two different figures
        self.recording.add_ground({} if scene is None else ground_record(scene))
        self._step(0.0)
        self.host.emit(self.view())

    @property
    def walk(self) -> tuple[Project, np.ndarray] | None:
        """The project and the state q of the walker, or None if no walker is running."""
        stepper, walks = self.stepper, isinstance(self.model, WalkerModel)
        return (self.project, stepper.simulation.q) if stepper is not None and walks else None

    # time

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return 0.0 if self.stepper is None else self.stepper.simulation.time

    def _work(self) -> None:
        """Step the simulation and send frames in real time until the run ends."""
        with switching_threads(self.settings.switch_interval):
            self._run(self.settings)

    def _run(self, settings: LiveSettings) -> None:
        due, last_status = time.perf_counter(), 0.0
        while not self._end.is_set():
            try:
                self._take_next()
                if self.stepper is None or self.state != "running":
                    self._wake.wait(IDLE_INTERVAL)
                    self._wake.clear()
                    due = time.perf_counter()
                    continue
                begun = time.perf_counter()
                duration = self.pace / settings.frame_rate
                self._step(duration)
                spent = max(time.perf_counter() - begun, 1e-6)
                self.speed_ratio = 0.9 * self.speed_ratio + 0.1 * duration / spent
                self._send()
                self._pause_after_fall()
                if begun - last_status > settings.status_interval:
                    last_status = begun
                    self.host.emit(self.view())
                due += 1.0 / settings.frame_rate
                now = time.perf_counter()
                if due < now - settings.max_lag:
                    due = now
                if due > now:
                    time.sleep(due - now)
            except Exception as error:
                self._fail(error)

    def _step(self, duration: float) -> None:
        """Simulate a duration [s] in intervals over which external forces are constant."""
        assert self.stepper is not None
        model, stepper = self.model, self.stepper
        self._due_steps += duration / model.dt  # a fraction of a step is kept for the next frame
        left = int(self._due_steps)
        self._due_steps -= left
        mass = float(model.problem.figure.mass)
        while True:
            steps = min(left, round(self.settings.input_interval / model.dt))
            forces = self._forces()
            with self._lock:
                self.impulses = begun(self.impulses, self.time, self.settings.interaction)
            if self._view is None or not (self.drag or self.impulses or forces):
                external = np.zeros((model.problem.figure.n, 6))
                steps = left
            else:
                external = wrenches(
                    self._view.kinematics, mass, self.time, self.drag, self.impulses, forces, self.settings.interaction
                )
                self.recording.forced = self.recording.forced or bool(external.any())
            before = stepper.simulation.state
            try:
                view = stepper.step(steps, self._numbers, external, model.parameters_at(self.time), model.command_row)
            except StepError:
                stepper.simulation.state = before
                raise SimulationError(
                    f"The simulation diverged at t = {self.time:.3f} s: the forces are too large for its step size. "
                    "Make springs softer, masses larger, or steps shorter."
                ) from None
            self._view = view
            self.recording.add_contacts(steps, view, stepper.contacts)
            left -= steps
            if left <= 0:
                break
        q, u, fallen = stepper.simulation.q.copy(), stepper.simulation.u.copy(), model.is_fallen(stepper.simulation.q)
        self.recording.add(self.time, q, u, always=fallen and not self.fallen)
        self.fallen = fallen

    def _pause_after_fall(self) -> None:
        """Pause the run some time after a fall, once per fall."""
        if not self.fallen:
            self._fall_time = None
        elif self._fall_time is None:
            self._fall_time = self.time
        elif self.time - self._fall_time > self.settings.pause_after_fall:
            self._fall_time = np.inf
            text = "The figure has fallen, and the live run is paused. Press Restart to walk again."
            self.host.emit(Problem(text, time=self.time, level="note"))
            self.pause(True)

    def _forces(self) -> list[tuple[int, Force]]:
        """Return pairs (link index, force) of all forces that are set in the project."""
        key = self.project.forces
        if self._forces_of is None or self._forces_of[0] is not key:
            numbers = {item.number for item in self.model.items}
            found = [(self._link(f.figure, f.link), f) for f in key if f.figure in numbers]
            self._forces_of = key, found
        return self._forces_of[1]

    def _send(self) -> None:
        self._sequence += 1
        frame = frame_bytes(self._sequence, self.number, self.time, self.pace, self._parts, self._view, self._owners)
        self.host.send_frame(frame)

    def _fail(self, error: BaseException) -> None:
        """Report an error and pause the run; the recording is kept."""
        self.host.emit(problem_of(error))
        self.host.emit(Problem("The live run is paused. Undo the last edit, or restart the run.", level="note"))
        self.state = "paused"
        self.host.emit(self.view())

    def view(self) -> Live:
        """Return the state of the run as a `live` event."""
        model = self.model
        ready = bool(self._parts) and len(self._parts) == len(model.items)
        parts = self._parts if ready else combined_parts(model.problem.figure)
        counts = [int((self._owners == k).sum()) for k in range(len(parts))] if ready else [0] * len(parts)
        walker = model if isinstance(model, WalkerModel) else None
        return Live(
            run=self.number,
            state=self.state,
            dynamics=model.dynamics,
            figures=tuple(i.number for i in model.items),
            links=tuple(len(p.links) for p in parts),
            points=tuple(counts),
            time=self.time,
            pace=self.pace,
            faster=round(self.speed_ratio, 1),
            fallen=self.fallen,
            speed=walker.command.speed if walker else 0.0,
            heading=walker.command.heading if walker else 0.0,
            style=walker.style.name if walker else "",
        )
