"""Pilot: guide a walker to a goal among obstacles by planning repeatedly and commanding it.

Every 0.25 s a new plan starts from the state of the walker (`planner.py`), and the command follows it (`steering.py`):

    wait    the command is to stand with the current heading, because a standing walker does not turn             (1)
    stop    when the remaining path is shorter than the stopping distance, or the goal is near and behind. If the
            walker stops too far away, it walks again                                                             (2)
    gears   after a start the walker is not commanded to stop for `min_walking_time`; after a stop it stands for at
            least `min_standing_time`                                                                             (3)
    feet    the command to stop is given when one foot passes the other. The walker then stops straight ahead,
            otherwise 0.2 m to the side                                                                           (4)

The state is predicted by `steering.py` from the commands and corrected by the motion of the last second:

    drift β ← β + 0.1 (direction of motion - mean χ - β): planned along χ + β, commanded ψ - β                    (5)
    speed v + ε,   ε ← ε + 0.1 (distance / 1 s - mean v - ε)                                                      (6)

The log contains the gap between the body, modelled as a disc, and each obstacle every 0.05 s. All functions work on
plain floats only; they cannot be recorded on a tape.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.navigation.outlines import Outline, outlines_of
from anthropi.gait.navigation.path import NoPath, Path
from anthropi.gait.navigation.planner import Body, PathPlan, PlannerSettings, plan
from anthropi.gait.navigation.steering import (
    STANDING_SPEED,
    START_SHARE,
    TRACK_SPACING,
    Limits,
    PlanarState,
    Track,
    lookahead,
    steering_law,
    wrapped,
)
from anthropi.gait.walker.command import Command

__all__ = ["Correction", "Log", "follow", "steer"]

LEARNING_RATE, LEARNING_DELAY = 0.1, 3.0  # (5), (6): fraction of an error; [s] after a start
PASSING = (-0.22, 0.12)  # [m], range of the swing foot ahead of the other foot in which it passes (4)
MAX_STOP_DELAY, EARLY_STOP = 0.7, 0.3  # [s], longest wait in (4); [m], distance walked in this time
MISSED_RADIUS, MISSED_ANGLE = 1.2, np.radians(75.0)  # [m], [rad]: a goal inside the turning radius cannot be reached


@dataclass
class Log:
    """Record of a walk to a goal.

    Attributes
    ----------
    half : radius of the body [m].
    time, places, states : times [s], positions (2,) [m] and predicted states, one row per entry of the log.
    gaps : {obstacle: distance [m]}, one dictionary per entry of the log.
    commands : commands to the walker, one per plan.
    kinds : kind of each plan: "on", "wide", "kept", "faster", "slower", "wait", "round", "behind", "loop" or "away"
        (`PathPlan.kind`), or "none" if no plan was found.
    arrived, fallen : how the walk ended.
    left : remaining distance to the goal [m].
    why : reason if the walker did not arrive.
    """

    half: float
    time: list[float] = field(default_factory=list)
    places: list[np.ndarray] = field(default_factory=list)
    states: list[PlanarState] = field(default_factory=list)
    gaps: list[dict[str, float]] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    arrived: bool = False
    fallen: bool = False
    left: float = np.inf
    why: str = ""

    @property
    def smallest(self) -> float:
        """Smallest gap between the body and any obstacle [m]."""
        return min((gap for row in self.gaps for gap in row.values()), default=np.inf)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the obstacles."""
        return tuple(dict.fromkeys(name for row in self.gaps for name in row))

    def gap(self, name: str) -> np.ndarray:
        """Gap to an obstacle at each `time` (n,) [m]; infinite while the obstacle is not known."""
        return np.array([row.get(name, np.inf) for row in self.gaps])

    @property
    def untouched(self) -> bool:
        """Whether the disc of the body never touched an obstacle."""
        return self.smallest > 0.0

    @property
    def length(self) -> float:
        """Length of the path walked [m]."""
        return Path.of(self.places).length

    def text(self) -> str:
        """Return a summary of the walk in one line."""
        what = "untouched" if self.untouched else "TOUCHED"
        end = "arrived" if self.arrived else f"not arrived ({self.why})"
        gaps = ", ".join(f"{name} {self.gap(name).min():.2f}" for name in self.names) or "no obstacle was near"
        took = f"{self.time[-1] - self.time[0]:.1f} s and {self.length:.1f} m"
        return f"{end}, {self.left:.2f} m from the goal, after {took}; {what}, smallest gaps [m]: {gaps}"


def follow(
    session: Any,
    goal: Any,
    obstacles: Any = (),
    speed: float = 1.2,
    body: Body | None = None,
    limits: Limits | None = None,
    also: Callable[[Any, Command], Command] | None = None,
    every: float = 0.25,
    look: float = 0.05,
    longest: float = 90.0,
    settings: PlannerSettings | None = None,
) -> Log:
    """Guide a walking session to a goal among obstacles.

    Parameters
    ----------
    session : a `WalkingSession` or `PointWalker`: an object with time, position, velocity, heading, command(Command)
        and run(seconds).
    goal : (2,) [m].
    obstacles : a Scene, a list of outlines and `Obstacle`s, or a function of the time [s] that returns the obstacles
        known at that time.
    speed : desired speed [m/s].
    body : size of the walker and the distances that it keeps.
    limits : commands that the walker can follow.
    settings : which plans are tested, and their costs.
    also : function (session, Command) → Command applied to each command, such as `step_over`.
    every, look : time between plans and time between entries of the log [s].
    longest : time after which the walk is aborted [s].

    Returns
    -------
    The `Log` of the walk.

    Raises
    ------
    NoPath if there is no path at the start. If the path is blocked later, the walker stands and planning continues.
    """
    body, limits, goal = body or Body(), limits or Limits(), np.asarray(goal, float)
    if goal.shape != (2,) or not np.isfinite(goal).all():
        raise InputError(f"The goal is {goal.tolist()}. Give two finite numbers [m].")
    known = obstacles if callable(obstacles) else (lambda t: obstacles)
    session.warns = False  # speeds are chosen here
    seen = outlines_of(known(session.time))
    log = Log(body.half)
    psi, here, start, given = float(session.heading), None, session.time, None
    going, head, gear = Correction(PlanarState(0.0, 0.0, psi, psi)), psi, Gear()
    _note(log, session, seen, body, going)
    while session.time - start < longest and not log.fallen:
        log.left, pace = float(np.hypot(*(goal - session.position))), float(np.hypot(*session.velocity))
        if log.left < limits.goal_tolerance and pace < 0.15:
            log.arrived = True
            break
        waits = gear.may_stop(session.time, limits)
        walker = session.time, going.corrected, psi
        try:
            here = plan(session.position, goal, seen, *walker, speed, body, limits, here, waits, settings)
        except NoPath:
            if not log.kinds:
                raise
            here = None
        stopped = log.left < limits.goal_tolerance and bool(log.commands) and not gear.goes
        command, desired = steer(session, None if stopped else here, psi, limits, every, going)
        command, held = gear.command(command, session, limits)
        psi = psi if held else desired
        turn, change = limits.max_turn_rate * every, limits.max_speed_change * every
        if command.go and log.commands and log.commands[-1].go:
            pace = log.commands[-1].speed
            command = command._replace(speed=float(np.clip(command.speed, pace - change, pace + change)))
        head += float(np.clip(wrapped(psi - going.drift - head), -turn, turn))
        command = command._replace(heading=head)
        log.commands.append(command)
        log.kinds.append(here.kind if here else "none")
        for _ in range(max(1, round(every / look))):
            delayed = session.time - gear.since > MAX_STOP_DELAY
            if given is None or not given.go or command.go or _feet_pass(session) or delayed:
                given = command  # (4)
            session.command(also(session, given) if also else given)
            session.run(look)
            going = going.after(command, psi, look, limits)
            seen = outlines_of(known(session.time))
            _note(log, session, seen, body, going)
        if command.go:
            going = _learnt(log, round(1.0 / look), going)
        log.fallen = bool(getattr(session, "fallen", False))
    log.why = "" if log.arrived else "fallen" if log.fallen else f"time limit of {longest:g} s"
    return log


class Correction(NamedTuple):
    """Predicted state of a walker, its drift β [rad] (eq. 5) and its speed error ε [m/s] (eq. 6)."""

    state: PlanarState
    drift: float = 0.0
    excess: float = 0.0

    @property
    def corrected(self) -> PlanarState:
        """The predicted state with drift and speed error added."""
        target, speed, heading, course, age = self.state
        excess = self.excess * min(speed / 0.5, 1.0)
        return PlanarState(target + excess, speed + excess, heading + self.drift, course + self.drift, age)

    def after(self, command: Command, psi: float, dt: float, limits: Limits) -> "Correction":
        """Return the prediction after dt [s] of a command.

        psi : commanded heading before the drift was subtracted [rad].
        """
        speed, heading = (command.speed, psi - self.drift) if command.go else (0.0, self.state.heading)
        return self._replace(state=PlanarState(*(float(x) for x in self.state.after(speed, heading, limits, dt))))


class Gear:
    """Minimum walking and standing times of a walker between commands to start and to stop."""

    goes: Any
    since: Any
    stood: Any

    def __init__(self) -> None:
        self.goes, self.since, self.stood = False, -np.inf, -np.inf

    def may_stop(self, time: float, limits: Limits) -> bool:
        """Return whether the walker may be commanded to stop, because its start is complete."""
        return not self.goes or time - self.since >= limits.min_walking_time

    def command(self, command: Command, session: Any, limits: Limits) -> tuple[Command, bool]:
        """Return a command that the walker can follow now, and whether it must stand although the plan is to walk."""
        time, stands = session.time, getattr(session, "stands", None)
        if stands is None:
            stands = bool(np.hypot(*session.velocity) < STANDING_SPEED)
        self.stood = self.stood if stands and np.isfinite(self.stood) else time if stands else -np.inf
        settled = self.since == -np.inf or (stands and time - self.stood >= limits.min_standing_time)
        if self.goes and not command.go and not self.may_stop(time, limits):
            return command._replace(go=True, speed=limits.min_speed), False
        held = command.go and not self.goes and not settled
        command = command._replace(go=False, speed=0.0) if held else command
        if command.go != self.goes:
            self.goes, self.since = command.go, time
        return command, held


def steer(
    session: Any, here: PathPlan | None, psi: float, limits: Limits, dt: float, going: Correction
) -> tuple[Command, float]:
    """Compute the command that follows a plan.

    Parameters
    ----------
    here : the plan; None to stand.
    psi : heading ψ of the previous command, without the drift [rad].
    dt : time between two plans [s].
    going : predicted state of the walker.

    Returns
    -------
    The command, and its heading ψ without the drift [rad].
    """
    if here is None:
        return Command(go=False, speed=0.0, heading=psi - going.drift), psi
    state, left, track = going.corrected, here.path.length, Track.of(here.path, limits)
    ahead = lookahead(session.position, state, psi, limits)
    off = track.points[: 2 + round(1.0 / TRACK_SPACING)] - ahead
    at = int((off * off).sum(-1).argmin())
    rest, on = left - TRACK_SPACING * at, (track.points[at], track.directions[at])
    v, desired = steering_law(ahead, state, psi, *on, rest, here.speed, track.allowed[at], limits, dt)
    to = here.path.points[-1] - session.position
    behind = abs(wrapped(np.arctan2(to[1], to[0]) - state.course)) > MISSED_ANGLE
    radius = MISSED_RADIUS if state.speed > START_SHARE * limits.min_speed else limits.goal_tolerance
    near_end = left < limits.stopping(state.speed) + EARLY_STOP
    stops = here.wait > 0.0 or (here.kind != "away" and ((behind and left < radius) or near_end))  # (1), (2)
    psi = psi if stops else float(desired)
    return Command(go=not stops, speed=0.0 if stops else float(v), heading=psi - going.drift), psi


def _feet_pass(session: Any) -> bool:
    """Return whether one foot is beside the other (eq. 4); True for a session without feet."""
    feet = getattr(session, "feet", None)
    if not feet:
        return True
    apart = (np.asarray(feet["l"]) - np.asarray(feet["r"])) * (1.0 if session.side else -1.0)  # swing minus stance foot
    return bool(PASSING[0] < apart[0] * np.cos(session.heading) + apart[1] * np.sin(session.heading) < PASSING[1])


def _note(log: Log, session: Any, seen: list[Outline], body: Body, going: Correction) -> None:
    """Add an entry to the log."""
    place = np.array(session.position, float)
    log.time.append(float(session.time))
    log.places.append(place)
    log.states.append(going.state)
    row: dict[str, float] = {}
    for o in seen:  # if several obstacles have the same name, the nearest counts
        row[o.name] = min(float(o.gap(place, session.time)) - body.half, row.get(o.name, np.inf))
    log.gaps.append(row)


def _learnt(log: Log, many: int, going: Correction) -> Correction:
    """Update drift and speed error, equations (5) and (6), from the last `many` entries of the log.

    Nothing changes while the walker hardly moves, or turns.
    """
    if len(log.time) <= many:
        return going
    rows, gone = np.array(log.states[-many:]), log.places[-1] - log.places[-many]
    speeds, courses, far = rows[:, 1], rows[:, 3], float(np.hypot(*gone))
    if far < 0.2 or np.ptp(courses) > 0.3 or going.state.age < LEARNING_DELAY:
        return going
    aside = np.clip(wrapped(np.arctan2(gone[1], gone[0]) - courses.mean()), -0.3, 0.3)
    more = np.clip(far / (log.time[-1] - log.time[-many]) - speeds[1:].mean(), -0.3, 0.3)
    return going._replace(
        drift=going.drift + LEARNING_RATE * float(aside - going.drift),
        excess=going.excess + LEARNING_RATE * float(more - going.excess),
    )
