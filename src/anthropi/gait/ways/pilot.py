"""How is a walker led to a goal? A pilot beside it, that looks, plans again, and tells it where to go. Floats only.

Every 0.25 s a new plan starts from where the walker is (`plan.py`), and it is told what follows that (`steering.py`):

    wait    it is told to stand, and to face as it does: feet that stand do not turn                              (1)
    stop    when what is left is less than stopping · v, or near and past; if it stands too far away, it walks again (2)

    going   φ, χ by (1) of `steering.py` from what was told;   drift β ← β + 0.2 (direction walked in the last second
            - mean χ - β): what walks aside of where it should is planned along χ + β, and told ψ - β             (3)

Bookkeeping: every 0.05 s the gap between the body, a disc, and each obstacle where it then is. Untouched: none below 0.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import SizeError
from anthropi.gait.walker.command import Command
from anthropi.gait.ways.outlines import Outline, outlines_of
from anthropi.gait.ways.path import NoWay, Path
from anthropi.gait.ways.plan import Body, Plan, plan
from anthropi.gait.ways.steering import SPACING, Limits, Track, far_ahead, law, soon, within

__all__ = ["Going", "Log", "follow", "steer"]

LEARNS = 0.2  # (3)


@dataclass
class Log:
    """What happened on the way: rows of time, places (2,), courses χ, gaps {obstacle: [m]}; commands; plans by kind."""

    half: float
    time: list = field(default_factory=list)
    places: list = field(default_factory=list)
    courses: list = field(default_factory=list)
    gaps: list = field(default_factory=list)
    commands: list = field(default_factory=list)
    kinds: list = field(default_factory=list)
    arrived: bool = False
    fallen: bool = False
    left: float = np.inf
    why: str = ""

    @property
    def smallest(self) -> float:
        """The least gap [m] between the body and any obstacle on the whole way."""
        return min((gap for row in self.gaps for gap in row.values()), default=np.inf)

    @property
    def names(self) -> tuple[str, ...]:
        """The obstacles that were seen."""
        return tuple(dict.fromkeys(name for row in self.gaps for name in row))

    def gap(self, name: str) -> np.ndarray:
        """The gap to an obstacle (n,) [m] at `time`; infinite while it is not seen."""
        return np.array([row.get(name, np.inf) for row in self.gaps])

    @property
    def untouched(self) -> bool:
        """Whether the body's disc never met an obstacle."""
        return self.smallest > 0.0

    @property
    def length(self) -> float:
        """The way walked [m]."""
        return Path.of(self.places).length

    def text(self) -> str:
        """In a line."""
        what = "untouched" if self.untouched else "TOUCHED"
        said = "arrived" if self.arrived else f"not arrived ({self.why})"
        gaps = ", ".join(f"{name} {self.gap(name).min():.2f}" for name in self.names) or "nothing was near"
        took = f"{self.time[-1] - self.time[0]:.1f} s and {self.length:.1f} m"
        return (f"{said}, {self.left:.2f} m from the goal, after {took}; "
                f"{what}, smallest gaps [m]: {gaps}")  # fmt: skip


def follow(
    session, goal, obstacles=(), speed=1.2, body=None, limits=None, also=None, every=0.25, look=0.05, longest=90.0
):
    """Lead a session to a goal (2,) [m] among obstacles, and return the `Log` of it.

    session : anything with time, position, velocity, heading, tell(Command), run(seconds): a `Session` or `StandIn`.
    obstacles : a Scene, outlines and `Obstacle`s; or a function t → these: what is known of them at t.
    also : a function (session, Command) → Command, the last word (`step_over`). longest : [s] after which it gives up.
    NoWay where there is none at the start; later the walker stands, and the way is looked for again.
    """
    body, limits, goal = body or Body(), limits or Limits(), np.asarray(goal, float)
    if goal.shape != (2,) or not np.isfinite(goal).all():
        raise SizeError(f"The goal is {goal.tolist()}; give two finite numbers [m].")
    known = obstacles if callable(obstacles) else (lambda t: obstacles)
    seen = outlines_of(known(session.time))
    log = Log(body.half)
    told, here, begun = float(session.heading), None, session.time
    going, head = Going(told, told, 0.0), told
    _note(log, session, seen, body, going)
    while session.time - begun < longest and not log.fallen:
        log.left, pace = float(np.hypot(*(goal - session.position))), float(np.hypot(*session.velocity))
        if log.left < limits.close and pace < 0.15:
            log.arrived = True
            break
        try:
            here = plan(session.position, goal, seen, session.time, pace, going.both, told, speed, body, limits, here)
        except NoWay:
            if not log.kinds:
                raise
            here = None
        command, told = steer(session, here, told, limits, every, going)
        head += float(np.clip(within(command.heading - head), -limits.turn * every, limits.turn * every))
        command = command._replace(heading=head)
        log.commands.append(command)
        log.kinds.append(here.kind if here else "none")
        for _ in range(max(1, round(every / look))):
            session.tell(also(session, command) if also else command)
            session.run(look)
            going = going.after(told, look, limits)
            seen = outlines_of(known(session.time))
            _note(log, session, seen, body, going)
        if command.go:
            going = _drifted(log, round(1.0 / look), going)
        log.fallen = bool(getattr(session, "fallen", False))
    log.why = "" if log.arrived else "fallen" if log.fallen else f"not there after {longest:g} s"
    return log


class Going(NamedTuple):
    """Which way a walker goes [rad] by what it was told: φ, χ; and its drift β (3)."""

    half: float
    goes: float
    drift: float = 0.0

    @property
    def both(self) -> tuple[float, float]:
        """φ, χ with the drift."""
        return self.half + self.drift, self.goes + self.drift

    def after(self, told: float, dt: float, limits: Limits) -> "Going":
        """(3) after dt [s] of being told to go along `told`, drift and all."""
        half = self.half + min(dt / limits.lags[1], 1.0) * float(within(told - self.drift - self.half))
        return Going(half, self.goes + min(dt / limits.lags[2], 1.0) * float(within(half - self.goes)), self.drift)


def steer(session, here: Plan | None, told: float, limits: Limits, dt: float, going: Going) -> tuple[Command, float]:
    """The command that follows a plan, and the direction it is for. here : None stands."""
    if here is None:
        return Command(go=False, speed=0.0, heading=told - going.drift), told
    pace, left, track = float(np.hypot(*session.velocity)), here.path.length, Track.of(here.path, limits)
    course = going.both[1]
    ahead = soon(session.position, course, told, pace)
    off = track.points[: 2 + round(1.0 / SPACING)] - ahead
    at = int((off * off).sum(-1).argmin())
    target = here.path.at(SPACING * at + far_ahead(pace))
    v, wanted = law(ahead, course, told, target, left - SPACING * at, here.speed, track.allowed[at], limits, dt)
    past = left < limits.close and (here.path.points[-1] - session.position) @ session.velocity < 0.0
    waits = here.wait > 0.0  # (1)
    stops = waits or (here.kind != "away" and (past or left < max(limits.stopping * pace, 0.1)))  # (2)
    told = told if stops else float(wanted)
    return Command(go=not stops, speed=0.0 if stops else float(v), heading=told - going.drift), told


def _note(log: Log, session: Any, seen: list[Outline], body: Body, going: Going) -> None:
    place = np.array(session.position, float)
    log.time.append(float(session.time))
    log.places.append(place)
    log.courses.append(going.goes)
    row: dict[str, float] = {}
    for o in seen:  # of several with one name, the nearest
        row[o.name] = min(float(o.gap(place, session.time)) - body.half, row.get(o.name, np.inf))
    log.gaps.append(row)


def _drifted(log: Log, many: int, going: Going) -> Going:
    """(3) after the last `many` looks; as before where the walker hardly went, or turned."""
    if len(log.time) <= many:
        return going
    courses, gone = np.array(log.courses[-many:]), log.places[-1] - log.places[-many]
    if np.hypot(*gone) < 0.4 or np.ptp(courses) > 0.5:
        return going
    aside = np.clip(within(np.arctan2(gone[1], gone[0]) - courses.mean()), -0.35, 0.35)
    return going._replace(drift=going.drift + LEARNS * float(aside - going.drift))
