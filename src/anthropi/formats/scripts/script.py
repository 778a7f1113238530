"""Read scripts and simulate them."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from anthropi.contact import Scene
from anthropi.contact.geometry.contacts import contact_names
from anthropi.errors import FormatError, InputError, Interrupted, StateError, StepError, did_you_mean
from anthropi.formats.figures.toml.reader import load_toml, read_words
from anthropi.formats.scripts.entries import complaint, located_errors
from anthropi.formats.scripts.figures import cast
from anthropi.formats.scripts.plan import Kick, Plan, plan_of
from anthropi.formats.scripts.scenes import ground_of, scene_of
from anthropi.formats.scripts.schema import Document
from anthropi.motion import Motion
from anthropi.motion.contacts import MEAN_CHANNELS
from anthropi.simulation.integrators import METHODS
from anthropi.simulation.script_controller import Push, ScriptController
from anthropi.simulation.simulation import Simulation
from anthropi.simulation.stages import Stage, run_stages
from anthropi.simulation.time_loop import STATE_CHANNELS

__all__ = ["Script", "parse", "read"]


MAX_STEPS = 1_000_000_000
MAX_RECORDED_NUMBERS = 1 << 28  # in all frames together: 2 GiB
FRAME_RATE = 100.0  # [1/s], default rate of recorded frames


@dataclass(frozen=True, eq=False)
class Script:
    """A script: figures in a scene, controllers, commands, and the settings of the run.

    name, file : names of the script and of its file. scene : the scene with all figures. plan : controls, commands and
    initial state. figures : names of the figures. duration, dt : duration and time step [s]. every : steps between
    frames; if None, `rate` frames per second are recorded. record : names of the recorded channels. method, seed,
    conserve : as in `simulate`.
    """

    name: str
    file: str
    scene: Scene
    plan: Plan
    figures: tuple[str, ...]
    duration: float
    dt: float
    every: int | None = None
    rate: float = FRAME_RATE
    record: tuple[str, ...] | None = None
    method: str | None = None
    seed: int = 0
    conserve: bool = False

    @property
    def q(self) -> np.ndarray:
        """Initial configuration (nq,)."""
        return self.plan.q

    @property
    def u(self) -> np.ndarray:
        """Initial velocities (nu,)."""
        return self.plan.u

    @property
    def contacts(self) -> int:
        """Number of possible contacts."""
        return len(contact_names(self.scene))

    def steps(self, duration: float | None = None, dt: float | None = None) -> tuple[int, int, float]:
        """Return (total steps, steps between frames, dt [s]).

        The total is a whole number of frames, and as near to the duration as possible.
        """
        duration = _positive("duration", self.duration if duration is None else duration)
        dt = _positive("dt", self.dt if dt is None else dt)
        if not duration / dt < MAX_STEPS:
            raise InputError(
                f"{self.file}: {duration:g} s in steps of {dt:g} s are {duration / dt:.3g} steps, but at most "
                f"{MAX_STEPS:,} are allowed. Give a shorter duration, or a larger dt."
            )
        if not self.every and not self.rate * dt * MAX_STEPS >= 1.0:
            raise InputError(
                f"{self.file}: rate = {self.rate:g} frames per second is less than one frame in {MAX_STEPS:,} steps. "
                "Give a higher rate."
            )
        every = self.every or max(1, round(1.0 / (self.rate * dt)))
        frames = max(1, round(duration / (dt * every)))
        width = self.scene.figure.nq + self.scene.figure.nu + 9 * self.contacts
        if frames * width > MAX_RECORDED_NUMBERS:
            raise InputError(
                f"{self.file}: {frames:,} frames of {width} numbers take {frames * width / 2**27:.1f} GiB, but at most "
                f"{MAX_RECORDED_NUMBERS >> 27} GiB are allowed. Record at a lower rate, or run for a shorter time."
            )
        return frames * every, every, dt

    def run(
        self,
        *,
        duration: float | None = None,
        dt: float | None = None,
        progress: Callable[[int, int], object] | None = None,
        **options: Any,
    ) -> Motion:
        """Simulate the script and return the motion.

        Parameters
        ----------
        duration, dt : duration and time step [s]; by default those in the file.
        progress : function called as progress(steps done, total steps).
        options : options of `simulate`, such as opt or target.

        If the run fails or Ctrl-C stops it, the attribute `motion` of the exception contains the frames recorded until
        then.
        """
        steps, every, dt = self.steps(duration, dt)
        try:
            motion = run_stages(
                self.scene,
                self.q,
                self.u,
                self.stages(steps, every, dt),
                progress=progress,
                dt=dt,
                every=every,
                method=self.method,
                seed=self.seed,
                record=self.record,
                conserve=self.conserve,
                **options,
            )
        except (StepError, Interrupted) as error:
            error.motion = None if error.motion is None else self._with_events(error.motion)
            raise
        except (InputError, StateError) as error:  # errors that are found only when the simulation runs
            raise FormatError(f"{self.file}: {error}") from None
        return self._with_events(motion)

    def simulation(self, dt: float | None = None) -> Simulation:
        """Return a simulation of the scene in its first state, with the controller of the first stage.

        dt : time step [s]; by default that in the file.
        """
        steps, every, dt = self.steps(None, dt)
        controller = self.stages(steps, every, dt)[0].controller
        found = Simulation(self.scene, controller, dt, self.method)
        found.reset(self.q, self.u, seed=self.seed)
        return found

    def stages(self, steps: int, every: int, dt: float) -> list[Stage]:
        """Return the stages of the run with their controllers. A new stage begins when joints lock or are released."""
        plan, frames = self.plan, steps // every
        led = () if plan.led is None else tuple(plan.led["prescribed"])
        held, frozen = dict.fromkeys((*led, *plan.frozen)), dict.fromkeys(plan.frozen)
        cuts: dict[int, tuple[list[Any], list[Any]]] = {0: ([], [])}
        for time, locked, freed in sorted(plan.locks, key=lambda lock: lock[0]):
            own = cuts.setdefault(min(round(time / (dt * every)), frames), ([], []))
            own[0].extend(name for name in locked if name not in own[0])
            own[1].extend(freed)
        base = self._programme(dt)
        found: list[Stage] = []
        for frame, until in zip(sorted(cuts), [*sorted(cuts)[1:], frames], strict=True):
            locks, frees = cuts[frame]
            stops = tuple(name for name in locks if name not in frozen)
            before = list(held)
            held = {name: None for name in (*held, *locks) if name not in frees}
            frozen = {name: None for name in (*frozen, *locks) if name not in frees}
            if until <= frame:
                continue
            if found and list(held) == before and not stops:
                found[-1] = Stage(found[-1].steps + (until - frame) * every, found[-1].controller, found[-1].stops)
                continue
            controller = ScriptController(**base, prescribed=tuple(held), frozen=tuple(frozen))
            found.append(Stage((until - frame) * every, controller, stops))
        return found

    def _programme(self, dt: float) -> dict[str, Any]:
        """Return the data shared by the controllers of all stages.

        Times are half a step early, so that the rounding of t cannot delay a change by a step.
        """
        plan = self.plan
        led = {} if plan.led is None else {"tau": plan.led["forces"], "udot": plan.led["udot"]}
        return {
            "figure": self.scene.figure,
            "target": plan.q,
            "poses": tuple(p._replace(time=_early(p.time, dt)) for p in plan.poses),
            "changes": tuple(c._replace(time=_early(c.time, dt)) for c in plan.changes),
            "pushes": tuple(_push(kick, dt) for kick in plan.kicks),
            "forces": tuple(f._replace(begin=_early(f.begin, dt), end=_early(f.end, dt)) for f in plan.forces),
            **led,
        }

    def _with_events(self, motion: Motion) -> Motion:
        """Return the motion with the events and the name of the script added."""
        last = motion.time[-1]
        happened = [event for event in self.plan.events if event.time <= last]
        events = sorted((*motion.events, *happened), key=lambda event: event.time)
        about = {"script": self.name} | ({"unrecorded_f_ext": True} if self.plan.kicks else {})  # for `Motion.verify`
        return motion.changed(events=tuple(events), metadata=motion.metadata | about)


def _positive(name: str, value: float) -> float:
    if not 0.0 < value < np.inf:
        raise InputError(f"{name} is {value:g} s. Give a finite number above 0.")
    return float(value)


def _early(time: float, dt: float) -> float:
    """Round a time to the nearest step, and return the time half a step before it [s]."""
    return (round(time / dt) - 0.5) * dt if np.isfinite(time) else time


def _push(kick: Kick, dt: float) -> Push:
    """Convert a push to a force over whole time steps. A given impulse is the same for every step size."""
    count = max(1, round(kick.duration / dt))
    begin = _early(kick.time, dt)
    force = kick.force / (count * dt) if kick.impulse else kick.force
    return Push(kick.link, force, kick.point, begin, begin + count * dt, kick.own)


CHANNELS = (*MEAN_CHANNELS, *STATE_CHANNELS)

MAX_CONTACTS = 3000  # each contact takes a few hundred operations in a step


def read(path: str | os.PathLike[str]) -> Script:
    """Read a script from a file."""
    return parse(read_words(path), Path(path).name, Path(path).parent)


def parse(words: str, name: str = "script.toml", folder: Path | None = None) -> Script:
    """Read a script from text.

    words : the text. name : the file name for error messages. folder : the folder of the files it refers to.
    """
    raw = load_toml(words, name)
    try:
        found = Document.model_validate(raw)
    except ValidationError as error:
        raise FormatError(complaint(error, raw, name)) from None
    unit = 3.141592653589793 / 180.0 if found.angles == "degrees" else 1.0
    ground = ground_of(found.scene.ground, name, unit)
    own = cast(found, name, folder or Path(), ground)
    scene = scene_of(found, name, own, ground)
    count = len(contact_names(scene))
    if count > MAX_CONTACTS:
        raise FormatError(
            f"{name}: scene: {count:,} possible contacts, but at most {MAX_CONTACTS:,} are allowed. Give fewer "
            "'features', or fewer pairs in 'touching'."
        )
    plan = plan_of(found, name, own)
    record, run = found.record, found.run
    with located_errors(f"{name}: record"):
        if record.every is not None and record.rate is not None:
            raise FormatError("'every' and 'rate' both set the frame rate. Keep only one of them.")
        for channel in record.channels or ():
            if channel not in CHANNELS:
                raise FormatError(
                    f"no channel '{channel[:40]}'.{did_you_mean(channel, CHANNELS)} Channels: {', '.join(CHANNELS)}."
                )
    with located_errors(f"{name}: run"):
        if run.method is not None and run.method not in METHODS:
            raise FormatError(
                f"no method '{run.method[:40]}'.{did_you_mean(run.method, METHODS)} Methods: {', '.join(METHODS)}."
            )
    script = Script(
        found.name,
        name,
        scene,
        plan,
        own.names,
        run.duration,
        run.dt,
        record.every,
        record.rate or FRAME_RATE,
        None if record.channels is None else tuple(record.channels),
        run.method,
        run.seed,
        run.conserve,
    )
    with located_errors(f"{name}: run"):
        script.steps()
    return script
