"""A script that was read: ready to run. Floats only.

Reader
------
script.toml → script.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from anthropi.contact import Scene
from anthropi.contact.contacts import contact_names
from anthropi.errors import FormatError, InputError, Interrupted, StateError, StepError, did_you_mean
from anthropi.formats.figures.toml.reader import load_toml, read_words
from anthropi.formats.scripts.entries import complaint, located_errors
from anthropi.formats.scripts.figures import cast
from anthropi.formats.scripts.plan import Kick, Plan, plan_of
from anthropi.formats.scripts.scenes import ground_of, scene_of
from anthropi.formats.scripts.schema import Document
from anthropi.motion import Motion
from anthropi.simulation.integrators import METHODS
from anthropi.simulation.script_controller import Push, ScriptController
from anthropi.simulation.stages import Stage, run_stages
from anthropi.simulation.time_loop import MEAN_CHANNELS, STATE_CHANNELS

__all__ = ["Script", "parse", "read"]


STEPS = 1_000_000_000  # most
NUMBERS = 1 << 28  # most that frames may hold: 2 GiB
RATE = 100.0  # frames a second


@dataclass(frozen=True, eq=False)
class Script:
    """Figures in a scene, what drives them, and what happens when.

    name, file : of it. scene, q (nq,), u (nu,) : what there is, and how it starts. duration, dt [s]. every : steps
    between two frames, or None: `rate` frames a second. record : channels. method, seed, conserve : as in `simulate`.
    """

    name: str
    file: str
    scene: Scene
    plan: Plan
    figures: tuple[str, ...]
    duration: float
    dt: float
    every: int | None = None
    rate: float = RATE
    record: tuple[str, ...] | None = None
    method: str | None = None
    seed: int = 0
    conserve: bool = False

    @property
    def q(self) -> np.ndarray:
        """The configuration at the start (nq,)."""
        return self.plan.q

    @property
    def u(self) -> np.ndarray:
        """The velocities at the start (nu,)."""
        return self.plan.u

    @property
    def touches(self) -> int:
        """How many things may touch."""
        return len(contact_names(self.scene))

    def steps(self, duration: float | None = None, dt: float | None = None) -> tuple[int, int, float]:
        """(steps in all, steps between frames, dt): whole frames, as near to the duration as they come."""
        duration = _positive("duration", self.duration if duration is None else duration)
        dt = _positive("dt", self.dt if dt is None else dt)
        if not duration / dt < STEPS:
            raise InputError(f"{self.file}: {duration:g} s in steps of {dt:g} s are {duration / dt:.3g} steps; at most "
                             f"{STEPS:,}. Give a shorter duration, or a longer dt.")  # fmt: skip
        every = self.every or max(1, round(1.0 / (self.rate * dt)))
        frames = max(1, round(duration / (dt * every)))
        width = self.scene.figure.nq + self.scene.figure.nu + 9 * self.touches
        if frames * width > NUMBERS:
            raise InputError(
                f"{self.file}: {frames:,} frames of {width} numbers take {frames * width / 2**27:.1f} GiB; "
                f"at most {NUMBERS >> 27}. Record at a lower rate, or run for a shorter time."
            )
        return frames * every, every, dt

    def run(self, *, duration: float | None = None, dt: float | None = None, progress=None, **options) -> Motion:
        """The motion that follows.

        duration, dt : [s] other than the file's. progress : function (steps done, steps in all). options : more of
        `simulate`'s, as opt or target. What was recorded before an error or Ctrl-C is in the exception's `motion`.
        """
        steps, every, dt = self.steps(duration, dt)
        try:
            motion = run_stages(self.scene, self.q, self.u, self.stages(steps, every, dt), progress=progress, dt=dt,
                                every=every, method=self.method, seed=self.seed, record=self.record,
                                conserve=self.conserve, **options)  # fmt: skip
        except (StepError, Interrupted) as error:
            error.motion = None if error.motion is None else self._told(error.motion)
            raise
        except (InputError, StateError) as error:  # what only the simulation can know
            raise FormatError(f"{self.file}: {error}") from None
        return self._told(motion)

    def stages(self, steps: int, every: int, dt: float) -> list[Stage]:
        """What drives the figures: one stage, or more where joints lock or come free."""
        plan, frames = self.plan, steps // every
        led = () if plan.led is None else tuple(plan.led["prescribed"])
        held, frozen = dict.fromkeys((*led, *plan.frozen)), dict.fromkeys(plan.frozen)
        cuts: dict[int, tuple[list, list]] = {0: ([], [])}
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
        """What the controllers of all stages share. Times are those of steps, half a step early: t is a sum."""
        plan = self.plan
        led = {} if plan.led is None else {"tau": plan.led["forces"], "udot": plan.led["udot"]}
        return {"figure": self.scene.figure, "target": plan.q,
                "poses": tuple(p._replace(time=_early(p.time, dt)) for p in plan.poses),
                "changes": tuple(c._replace(time=_early(c.time, dt)) for c in plan.changes),
                "pushes": tuple(_push(kick, dt) for kick in plan.kicks),
                "forces": tuple(f._replace(begin=_early(f.begin, dt), end=_early(f.end, dt)) for f in plan.forces),
                **led}  # fmt: skip

    def _told(self, motion: Motion) -> Motion:
        """The motion with what happened, and which script it is of."""
        last = motion.time[-1]
        happened = [event for event in self.plan.events if event.time <= last]
        events = sorted((*motion.events, *happened), key=lambda event: event.time)
        return motion.changed(events=tuple(events), metadata=motion.metadata | {"script": self.name})


def _positive(name: str, value: float) -> float:
    if not 0.0 < value < np.inf:
        raise InputError(f"{name} is {value:g} s; give a finite number above 0.")
    return float(value)


def _early(time: float, dt: float) -> float:
    """The step nearest to a time, half a step early."""
    return (round(time / dt) - 0.5) * dt if np.isfinite(time) else time


def _push(kick: Kick, dt: float) -> Push:
    """A push over whole steps; an impulse is the same whatever they are."""
    count = max(1, round(kick.duration / dt))
    begin = _early(kick.time, dt)
    force = kick.force / (count * dt) if kick.impulse else kick.force
    return Push(kick.link, force, kick.point, begin, begin + count * dt, kick.own)


CHANNELS = (*MEAN_CHANNELS, *STATE_CHANNELS)

MAX_CONTACTS = 3000  # most: each is some hundred operations


def read(path: str | os.PathLike) -> Script:
    """Which script does a file hold?"""
    return parse(read_words(path), Path(path).name, Path(path).parent)


def parse(words: str, name: str = "script.toml", folder: Path | None = None) -> Script:
    """`read`, of text; `name` is what errors call it, `folder` where the files lie that it names."""
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
        raise FormatError(f"{name}: scene: {count:,} contacts; at most {MAX_CONTACTS:,}. Name fewer 'features', "
                          "fewer pairs in 'touching'.")  # fmt: skip
    plan = plan_of(found, name, own)
    record, run = found.record, found.run
    with located_errors(f"{name}: record"):
        if record.every is not None and record.rate is not None:
            raise FormatError("'every' and 'rate' say the same. Keep one.")
        for channel in record.channels or ():
            if channel not in CHANNELS:
                raise FormatError(f"no channel '{channel[:40]}'.{did_you_mean(channel, CHANNELS)} Channels: "
                                  f"{', '.join(CHANNELS)}.")  # fmt: skip
    with located_errors(f"{name}: run"):
        if run.method is not None and run.method not in METHODS:
            raise FormatError(f"no method '{run.method[:40]}'.{did_you_mean(run.method, METHODS)} Methods: "
                              f"{', '.join(METHODS)}.")  # fmt: skip
    script = Script(found.name, name, scene, plan, own.names, run.duration, run.dt, record.every, record.rate or RATE,
                    None if record.channels is None else tuple(record.channels), run.method, run.seed,
                    run.conserve)  # fmt: skip
    with located_errors(f"{name}: run"):
        script.steps()
    return script
