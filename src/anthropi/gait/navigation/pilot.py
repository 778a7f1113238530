"""How is a walker led to a goal? A pilot beside it, that looks, plans again, and tells it where to go. Floats only.

Every 0.25 s a new plan starts from where the walker is (`planner.py`), and it is told what follows that
(`steering.py`):

    wait    it is told to stand, and to face as it does: feet that stand do not turn                              (1)
    stop    when what is left is less than it takes to stop, or near and behind; too far away, it walks again     (2)
    gears   who was told to go is not told to stop for `starts`; who was told to stop stands and settles first    (3)
    feet    who stops is told so when one foot passes the other: it then stops straight ahead, else 0.2 m aside  (4)

How it goes is kept by `steering.py` from what it was told, and set right by how it went in the last second:

    drift β ← β + 0.1 (direction walked - mean χ - β): planned along χ + β, told ψ - β                            (5)
    pace v + ε,   ε ← ε + 0.1 (way walked / 1 s - mean v - ε)                                                     (6)

Bookkeeping: every 0.05 s the gap between the body, a disc, and each obstacle where it then is. Untouched: none below 0.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.navigation.outlines import Outline, outlines_of
from anthropi.gait.navigation.path import NoPath, Path
from anthropi.gait.navigation.planner import Body, PathPlan, plan
from anthropi.gait.navigation.steering import SLOW, SPACING, STILL, Limits, PlanarState, Track, law, soon, within
from anthropi.gait.walker.command import Command

__all__ = ["Going", "Log", "follow", "steer"]

LEARNS = 0.1  # (5), (6)
FEET, PASSES, EARLY = (-0.22, 0.12), 0.7, 0.3  # (4): [m] ahead of the other; [s] at most; [m] that it goes on meanwhile
LEARNING_DELAY = 3.0  # [s] after a start, from which on it learns
CIRCLE, BEHIND = 1.2, np.radians(75.0)  # [m], [rad]: a goal so near and so far aside is missed by whoever walks on


@dataclass
class Log:
    """What happened on the way: rows of time, places (2,), states, gaps {obstacle: [m]}; commands; plans by kind."""

    half: float
    time: list = field(default_factory=list)
    places: list = field(default_factory=list)
    states: list = field(default_factory=list)
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
        raise InputError(f"The goal is {goal.tolist()}; give two finite numbers [m].")
    known = obstacles if callable(obstacles) else (lambda t: obstacles)
    seen = outlines_of(known(session.time))
    log = Log(body.half)
    told, here, begun, said = float(session.heading), None, session.time, None
    going, head, gear = Going(PlanarState(0.0, 0.0, told, told)), told, Gear()
    _note(log, session, seen, body, going)
    while session.time - begun < longest and not log.fallen:
        log.left, pace = float(np.hypot(*(goal - session.position))), float(np.hypot(*session.velocity))
        if log.left < limits.close and pace < 0.15:
            log.arrived = True
            break
        waits = gear.may_stop(session.time, limits)
        try:
            here = plan(session.position, goal, seen, session.time, going.now, told, speed, body, limits, here, waits)
        except NoPath:
            if not log.kinds:
                raise
            here = None
        there = (
            log.left < limits.close and bool(log.commands) and not gear.goes
        )  # it has stopped, and stands in a while
        command, wanted = steer(session, None if there else here, told, limits, every, going)
        command, held = gear.told(command, session, limits)
        told = told if held else wanted
        turn, gently = limits.turn * every, limits.gently * every
        if command.go and log.commands and log.commands[-1].go:
            pace = log.commands[-1].speed
            command = command._replace(speed=float(np.clip(command.speed, pace - gently, pace + gently)))
        head += float(np.clip(within(told - going.drift - head), -turn, turn))
        command = command._replace(heading=head)
        log.commands.append(command)
        log.kinds.append(here.kind if here else "none")
        for _ in range(max(1, round(every / look))):
            if said is None or not said.go or command.go or _passes(session) or session.time - gear.since > PASSES:
                said = command  # (4)
            session.command(also(session, said) if also else said)
            session.run(look)
            going = going.after(command, told, look, limits)
            seen = outlines_of(known(session.time))
            _note(log, session, seen, body, going)
        if command.go:
            going = _drifted(log, round(1.0 / look), going)
        log.fallen = bool(getattr(session, "fallen", False))
    log.why = "" if log.arrived else "fallen" if log.fallen else f"not there after {longest:g} s"
    return log


class Going(NamedTuple):
    """How a walker goes by what it was told, its drift β [rad] (5) and how much faster it is, ε [m/s] (6)."""

    state: PlanarState
    drift: float = 0.0
    more: float = 0.0

    @property
    def now(self) -> PlanarState:
        """The state, set right."""
        aim, pace, half, goes, age = self.state
        more = self.more * min(pace / 0.5, 1.0)
        return PlanarState(aim + more, pace + more, half + self.drift, goes + self.drift, age)

    def after(self, command: Command, told: float, dt: float, limits: Limits) -> "Going":
        """After dt [s] of a command, given to go along `told`, drift and all."""
        speed, heading = (command.speed, told - self.drift) if command.go else (0.0, self.state.half)
        return self._replace(state=PlanarState(*(float(x) for x in self.state.after(speed, heading, limits, dt))))


class Gear:
    """(3): whether a walker stands, starts, walks or stops, by what it was told."""

    def __init__(self):
        self.goes, self.since, self.stood = False, -np.inf, -np.inf

    def may_stop(self, time: float, limits: Limits) -> bool:
        """Whether it is not starting."""
        return not self.goes or time - self.since >= limits.starts

    def told(self, command: Command, session, limits: Limits) -> tuple[Command, bool]:
        """What it can be told instead, and whether that is to stand though the plan goes on."""
        time, stands = session.time, getattr(session, "stands", None)
        if stands is None:
            stands = bool(np.hypot(*session.velocity) < STILL)
        self.stood = self.stood if stands and np.isfinite(self.stood) else time if stands else -np.inf
        settled = self.since == -np.inf or (stands and time - self.stood >= limits.settles)
        if self.goes and not command.go and not self.may_stop(time, limits):
            return command._replace(go=True, speed=limits.slowest), False
        held = command.go and not self.goes and not settled
        command = command._replace(go=False, speed=0.0) if held else command
        if command.go != self.goes:
            self.goes, self.since = command.go, time
        return command, held


def steer(
    session, here: PathPlan | None, told: float, limits: Limits, dt: float, going: Going
) -> tuple[Command, float]:
    """The command that follows a plan, and the direction it is for. here : None stands."""
    if here is None:
        return Command(go=False, speed=0.0, heading=told - going.drift), told
    now, left, track = going.now, here.path.length, Track.of(here.path, limits)
    ahead = soon(session.position, now, told, limits)
    off = track.points[: 2 + round(1.0 / SPACING)] - ahead
    at = int((off * off).sum(-1).argmin())
    rest, on = left - SPACING * at, (track.points[at], track.ways[at])
    v, wanted = law(ahead, now, told, *on, rest, here.speed, track.allowed[at], limits, dt)
    to = here.path.points[-1] - session.position
    behind = abs(within(np.arctan2(to[1], to[0]) - now.goes)) > BEHIND
    past = behind and left < (CIRCLE if now.pace > SLOW * limits.slowest else limits.close)
    waits = here.wait > 0.0  # (1)
    stops = waits or (here.kind != "away" and (past or left < limits.stopping(now.pace) + EARLY))  # (2)
    told = told if stops else float(wanted)
    return Command(go=not stops, speed=0.0 if stops else float(v), heading=told - going.drift), told


def _passes(session: Any) -> bool:
    """(4): whether one foot is beside the other; True where feet are not shown."""
    feet = getattr(session, "feet", None)
    if not feet:
        return True
    apart = (np.asarray(feet["l"]) - np.asarray(feet["r"])) * (1.0 if session.side else -1.0)  # the one that swings
    return bool(FEET[0] < apart[0] * np.cos(session.heading) + apart[1] * np.sin(session.heading) < FEET[1])


def _note(log: Log, session: Any, seen: list[Outline], body: Body, going: Going) -> None:
    place = np.array(session.position, float)
    log.time.append(float(session.time))
    log.places.append(place)
    log.states.append(going.state)
    row: dict[str, float] = {}
    for o in seen:  # of several with one name, the nearest
        row[o.name] = min(float(o.gap(place, session.time)) - body.half, row.get(o.name, np.inf))
    log.gaps.append(row)


def _drifted(log: Log, many: int, going: Going) -> Going:
    """(5), (6) after the last `many` looks; as before where the walker hardly went, or turned."""
    if len(log.time) <= many:
        return going
    rows, gone = np.array(log.states[-many:]), log.places[-1] - log.places[-many]
    pace, courses, far = rows[:, 1], rows[:, 3], float(np.hypot(*gone))
    if far < 0.2 or np.ptp(courses) > 0.3 or going.state.age < LEARNING_DELAY:
        return going
    aside = np.clip(within(np.arctan2(gone[1], gone[0]) - courses.mean()), -0.3, 0.3)
    more = np.clip(far / (log.time[-1] - log.time[-many]) - pace[1:].mean(), -0.3, 0.3)
    return going._replace(
        drift=going.drift + LEARNS * float(aside - going.drift), more=going.more + LEARNS * float(more - going.more)
    )
