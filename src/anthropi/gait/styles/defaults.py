"""Defaults of a sentence: fill in everything that a request does not give, and make its orders.

    speed       as given, and kept until the gait changes; else preferred speed × pace × factor of the style
                (preferred: walk 1.3, run 3 m/s)                                                                  (1)
    changes     speed by 0.4 m/s² and heading by 30°/s, unless "in" gives a time; the walker determines how a
                walk starts                                                                                       (2)
    duration    as given; else the time that a turn, a distance or a change takes; else until the next request
                begins; else stand 2, walk and run 5, jump 2, stop 1.5 s                                          (3)
    steps       step length of adults at that speed (`gait/reference/norms.py`), and the cadence of the style     (4)
    turn        from standing: step in place (0 m/s), then stand                                                  (5)
    go to       straight from the position that the plan has reached; a time after "in" gives the speed           (6)

All functions work on plain floats only; they cannot be recorded on a tape.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

from anthropi.errors import InputError
from anthropi.gait.reference.norms import adult_step
from anthropi.gait.styles.grammar import Request
from anthropi.gait.styles.plan import Order, checked_goal
from anthropi.gait.styles.style import NATURAL, Style
from anthropi.gait.walker.parameters import REFERENCE_LEG

__all__ = ["ACCELERATION", "DURATIONS", "PREFERRED", "TURN_RATE", "PlanStart", "orders_of", "step_time"]

PREFERRED = {"walk": 1.3, "go to": 1.3, "run": 3.0}  # (1) [m/s]
JUMP_SPEED = 1.0  # [m/s], forward speed of a jump "forward"
ACCELERATION, TURN_RATE = 0.4, math.radians(30.0)  # (2)
DURATIONS = {"stand": 2.0, "walk": 5.0, "run": 5.0, "jump": 2.0, "stop": 1.5}  # (3) [s]
MIN_STEP_SPEED = 0.4  # [m/s]; at lower speeds a step lasts as long as at this speed (4)
MOVING = ("walk", "run", "go to")
PATH_SEGMENTS = 64  # segments of the path of an order, to compute its end point
TIME_TOLERANCE = 1e-6  # [s]; times that differ by less count as equal
ASKED = ("speed", "pace", "more", "turn", "face", "heading", "goal", "length", "steps", "over_steps", "forward")
TAKES: dict[Any, Any] = {  # entries of `ASKED` that each verb accepts
    "stand": ("heading", "steps"),
    "stop": ("heading", "steps", "over_steps"),
    "jump": ("heading", "speed", "forward"),
    "turn": ("turn", "face", "speed", "pace", "more", "over_steps", "steps"),
    "walk": ("speed", "pace", "more", "turn", "heading", "length", "steps", "over_steps", "forward"),
    "run": ("speed", "pace", "more", "turn", "heading", "length", "steps", "over_steps", "forward"),
    "go to": ("speed", "pace", "goal", "heading", "forward"),
}


@dataclass(frozen=True)
class PlanStart:
    """State in which the next order of a plan starts.

    Attributes
    ----------
    time : [s].
    gait : current gait.
    speed : [m/s].
    heading : [rad].
    style : current style.
    speed_given : whether the speed was given, so that it is kept until the gait changes.
    place : position (x, y) [m].
    """

    time: float = 0.0
    gait: str = "stand"
    speed: float = 0.0
    speed_given: bool = False
    heading: float = 0.0
    style: Style = NATURAL
    place: tuple[float, float] = (0.0, 0.0)


def orders_of(state: PlanStart, request: Request, next_time: float | None = None) -> tuple[PlanStart, list[Order]]:
    """Convert a request to one or two orders.

    Parameters
    ----------
    state : state before the request.
    request : what one sentence or dict gives.
    next_time : time at which the next request begins [s]; None if it does not give one.

    Returns
    -------
    The state after the request, and its orders.
    """
    verb, time = _verb(state, request), _began(state, request)
    gait = {"stop": "stand", "turn": state.gait if state.gait == "run" else "walk"}.get(verb, verb)
    style = request.style or state.style
    heading, distance = _heading(state, request), 0.0
    if request.goal is not None:
        x, y = checked_goal(request.goal)
        ahead, aside = x - state.place[0], y - state.place[1]
        distance = math.hypot(ahead, aside)
        heading = _near(math.atan2(aside, ahead), state.heading) if request.heading is None else heading
    speed, given = _speed(state, request, verb, gait, style, distance)
    on_the_spot = verb == "turn" and state.gait not in MOVING
    duration, over = _times(state, request, verb, speed, heading, style, distance)
    if next_time is not None and not on_the_spot:
        span = next_time - time
        duration = span if _open(request) and verb != "turn" else max(duration, span)
        over = over if request.over else min(over, duration)
    order = Order(time, gait, speed, heading, style, request.goal, _round(duration), _round(over))
    after = PlanStart(_round(order.end), gait, order.speed, given, order.heading, style, _place(state, order))
    if not on_the_spot:
        return after, [order]
    rest = Order(after.time, "stand", 0.0, heading, style, None, _rest(after.time, next_time))  # (5)
    return replace(after, time=_round(rest.end), gait="stand", speed=0.0, speed_given=False), [order, rest]


def step_time(speed: float, style: Style) -> float:
    """Duration of a step [s] at a speed [m/s] in a style."""
    return 60.0 / (adult_step(max(speed, MIN_STEP_SPEED), REFERENCE_LEG).step_frequency * style.cadence)


def _verb(state: PlanStart, request: Request) -> str:
    """Find the verb of a request.

    Raises InputError if the verb does not accept everything that the request gives.
    """
    verb = request.verb
    if verb is None:
        faster = request.speed or request.pace or request.turn
        verb = state.gait if state.gait in ("walk", "run") else "walk" if faster or state.gait == "go to" else "stand"
    if verb in ("walk", "go to") and request.verb is not None:
        verb = "go to" if request.goal is not None else "walk"
    strange = [name for name in ASKED if getattr(request, name) and name not in TAKES[verb]]
    if strange:
        known = ", ".join(name.replace("_", " ") for name in TAKES[verb])
        raise InputError(f"'{verb}' does not accept {strange[0].replace('_', ' ')}. It accepts: style, time, {known}.")
    return verb


def _began(state: PlanStart, request: Request) -> float:
    """Start time of the request [s].

    Raises InputError if it is before the end of the previous order.
    """
    if request.time is None or abs(request.time - state.time) < TIME_TOLERANCE:
        return state.time
    raise InputError(f"it begins at {request.time:g} s, before the previous order ends at {state.time:g} s.")


def _heading(state: PlanStart, request: Request) -> float:
    """Heading at the end of a request [rad]."""
    if request.heading is not None:
        return request.heading
    if request.face is not None:
        return _near(request.face, state.heading)
    return state.heading + (request.turn or 0.0)


def _near(angle: float, heading: float) -> float:
    """Return the angle [rad] that is equivalent to a given one and nearest to a heading."""
    return angle + 2.0 * math.pi * round((heading - angle) / (2.0 * math.pi))


def _speed(
    state: PlanStart, request: Request, verb: str, gait: str, style: Style, distance: float
) -> tuple[float, bool]:
    """Speed of a request [m/s], and whether it was given."""
    if gait == "stand":
        return 0.0, False
    if request.speed is not None:
        return request.speed, True
    if gait == "jump":
        return (JUMP_SPEED if request.forward else 0.0), False
    span = request.duration or request.over
    if gait == "go to" and span and not request.pace:
        return _round(distance / span), True  # (6)
    same = gait == state.gait or {gait, state.gait} == {"walk", "go to"}
    if verb == "turn" and state.gait not in MOVING:
        return 0.0, False  # (5)
    if request.more is not None:
        if not same:
            raise InputError("'faster' and 'slower' need a previous speed. Give a speed, such as: at 1.5 m/s.")
        return _round(state.speed * request.more), True
    if same and state.speed_given and request.pace is None:
        return state.speed, True
    return _round(PREFERRED[gait] * style.speed * (request.pace or 1.0)), request.pace is not None


def _open(request: Request) -> bool:
    """Return whether a request does not give its duration."""
    return not any((request.duration, request.over, request.over_steps, request.steps, request.length, request.goal))


def _times(
    state: PlanStart, request: Request, verb: str, speed: float, heading: float, style: Style, distance: float
) -> tuple[float, float]:
    """Duration of a request and duration of its change of speed or heading [s]."""
    step = step_time(speed or state.speed, style)
    over = request.over if request.over_steps is None else request.over_steps * step
    duration = request.duration if request.steps is None else request.steps * step
    if request.length is not None and duration is None:
        if speed <= 0.0:
            raise InputError("a distance needs a speed above 0.")
        duration = request.length / speed
    if verb in ("stand", "stop", "jump", "go to"):
        usual = max(distance / speed, 1.0) if verb == "go to" else DURATIONS[verb]
        given = over if duration is None else duration
        return (usual if given is None else given), (0.0 if duration is None or over is None else over)
    needed = abs(heading - state.heading) / TURN_RATE
    if state.gait in (("run",) if verb == "run" else ("walk", "go to")):
        needed = max(needed, abs(speed - state.speed) / ACCELERATION)
    if verb == "turn":
        over = duration if over is None else over
    usual = needed if verb == "turn" else max(DURATIONS[verb], needed)
    if duration is None:
        duration = usual if over is None else over
    return duration, (min(needed, duration) if over is None else over)


def _rest(time: float, next_time: float | None) -> float:
    """Duration of standing [s] after a turn in place."""
    return DURATIONS["stop"] if next_time is None else max(DURATIONS["stop"], _round(next_time - time))


def _place(state: PlanStart, order: Order) -> tuple[float, float]:
    """Position (x, y) [m] at the end of an order, if it is followed exactly."""
    if order.goal is not None:
        return order.goal
    x, y = state.place
    if order.gait in MOVING:
        span = order.duration / PATH_SEGMENTS
        for k in range(PATH_SEGMENTS):
            speed, heading = order.at((k + 0.5) * span, state.speed, state.heading)
            x, y = x + span * speed * math.cos(heading), y + span * speed * math.sin(heading)
    return x, y


def _round(x: float) -> float:
    """Round a number, so that the same quantity given in words and in numbers compares equal."""
    return round(x, 9)
