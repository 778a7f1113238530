"""What does a sentence leave open, and how is it filled in? By these rules, and by no others.

    speed       told, and kept while the gait lasts; else preferred × pace × the style's   (walk 1.3, run 3 m/s)     (1)
    changes     of speed by 0.4 m/s², of heading by 30°/s, unless told "in" a time; a start is the walker's own      (2)
    duration    told; else of a turn, a way or a change as long as it takes; else until the next one begins; else
                stand 2, walk and run 5, jump 2, stop 1.5 s                                                          (3)
    steps       steps of adults at that speed (`gait/reference/norms.py`), by the style's cadence                    (4)
    turn        while it stands: steps on the spot (0 m/s), then stands                                              (5)
    go to       straight from where the plan has got to; "in" a time gives the speed                                 (6)

Floats only.
"""

import math
from dataclasses import dataclass, replace

from anthropi.errors import InputError
from anthropi.gait.reference.norms import adult_step
from anthropi.gait.styles.grammar import Request
from anthropi.gait.styles.plan import Order, checked_goal
from anthropi.gait.styles.style import NATURAL, Style
from anthropi.gait.styles.styled_walker import REFERENCE_LEG

__all__ = ["ACCELERATION", "DURATIONS", "PREFERRED", "TURN_RATE", "PlanStart", "filled", "step_time"]

PREFERRED = {"walk": 1.3, "go to": 1.3, "run": 3.0}  # (1) [m/s]
FORWARD = 1.0  # [m/s] of a jump forward
ACCELERATION, TURN_RATE = 0.4, math.radians(30.0)  # (2)
DURATIONS = {"stand": 2.0, "walk": 5.0, "run": 5.0, "jump": 2.0, "stop": 1.5}  # (3) [s]
SLOWEST = 0.4  # [m/s]: (4) below it is (4) at it
MOVING = ("walk", "run", "go to")
PATH_SEGMENTS = 64  # of the way of an order
SAME = 1e-6  # [s]: times that are one
ASKED = ("speed", "pace", "more", "turn", "face", "heading", "goal", "length", "steps", "over_steps", "forward")
TAKES = {  # of these, what a verb makes sense of
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
    """How far a plan has got. told : whether somebody told the speed. place : (x, y) [m]."""

    time: float = 0.0
    gait: str = "stand"
    speed: float = 0.0
    told: bool = False
    heading: float = 0.0
    style: Style = NATURAL
    place: tuple[float, float] = (0.0, 0.0)


def filled(now: PlanStart, wish: Request, later: float | None = None) -> tuple[PlanStart, list[Order]]:
    """How far the plan is after a wish, and its orders. later : when the next one begins [s], if it says so."""
    verb, time = _verb(now, wish), _began(now, wish)
    gait = {"stop": "stand", "turn": now.gait if now.gait == "run" else "walk"}.get(verb, verb)
    style = wish.style or now.style
    heading, distance = _heading(now, wish), 0.0
    if wish.goal is not None:
        x, y = checked_goal(wish.goal)
        ahead, aside = x - now.place[0], y - now.place[1]
        distance = math.hypot(ahead, aside)
        heading = _near(math.atan2(aside, ahead), now.heading) if wish.heading is None else heading
    speed, told = _speed(now, wish, verb, gait, style, distance)
    on_the_spot = verb == "turn" and now.gait not in MOVING
    duration, over = _times(now, wish, verb, speed, heading, style, distance)
    if later is not None and not on_the_spot:
        span = later - time
        duration = span if _open(wish) and verb != "turn" else max(duration, span)
        over = over if wish.over else min(over, duration)
    order = Order(time, gait, speed, heading, style, wish.goal, _round(duration), _round(over))
    after = PlanStart(_round(order.end), gait, order.speed, told, order.heading, style, _place(now, order))
    if not on_the_spot:
        return after, [order]
    rest = Order(after.time, "stand", 0.0, heading, style, None, _rest(after.time, later))  # (5)
    return replace(after, time=_round(rest.end), gait="stand", speed=0.0, told=False), [order, rest]


def step_time(speed: float, style: Style) -> float:
    """How long a step takes at a speed [m/s] in a style [s] (4)."""
    return 60.0 / (adult_step(max(speed, SLOWEST), REFERENCE_LEG).step_frequency * style.cadence)


def _verb(now: PlanStart, wish: Request) -> str:
    """What is done, and whether it takes all that was asked."""
    verb = wish.verb
    if verb is None:
        faster = wish.speed or wish.pace or wish.turn
        verb = now.gait if now.gait in ("walk", "run") else "walk" if faster or now.gait == "go to" else "stand"
    if verb in ("walk", "go to") and wish.verb is not None:
        verb = "go to" if wish.goal is not None else "walk"
    strange = [name for name in ASKED if getattr(wish, name) and name not in TAKES[verb]]
    if strange:
        raise InputError(f"'{verb}' takes no {strange[0].replace('_', ' ')}. It takes: style, time, "
                         f"{', '.join(name.replace('_', ' ') for name in TAKES[verb])}.")  # fmt: skip
    return verb


def _began(now: PlanStart, wish: Request) -> float:
    if wish.time is None or abs(wish.time - now.time) < SAME:
        return now.time
    raise InputError(f"it begins at {wish.time:g} s, but what is before it ends at {now.time:g} s.")


def _heading(now: PlanStart, wish: Request) -> float:
    if wish.heading is not None:
        return wish.heading
    if wish.face is not None:
        return _near(wish.face, now.heading)
    return now.heading + (wish.turn or 0.0)


def _near(angle: float, heading: float) -> float:
    """The same direction, as few turns from a heading as can be."""
    return angle + 2.0 * math.pi * round((heading - angle) / (2.0 * math.pi))


def _speed(now: PlanStart, wish: Request, verb: str, gait: str, style: Style, distance: float) -> tuple[float, bool]:
    """Speed [m/s], and whether it was told (1)."""
    if gait == "stand":
        return 0.0, False
    if wish.speed is not None:
        return wish.speed, True
    if gait == "jump":
        return (FORWARD if wish.forward else 0.0), False
    span = wish.duration or wish.over
    if gait == "go to" and span and not wish.pace:
        return _round(distance / span), True  # (6)
    same = gait == now.gait or {gait, now.gait} == {"walk", "go to"}
    if verb == "turn" and now.gait not in MOVING:
        return 0.0, False  # (5)
    if wish.more is not None:
        if not same:
            raise InputError("faster or slower than what? It does not move so yet. Tell a speed: at 1.5 m/s.")
        return _round(now.speed * wish.more), True
    if same and now.told and wish.pace is None:
        return now.speed, True
    return _round(PREFERRED[gait] * style.speed * (wish.pace or 1.0)), wish.pace is not None


def _open(wish: Request) -> bool:
    """Whether a wish leaves its duration open."""
    return not any((wish.duration, wish.over, wish.over_steps, wish.steps, wish.length, wish.goal))


def _times(now: PlanStart, wish: Request, verb: str, speed: float, heading: float, style: Style, distance: float):
    """Duration and time of change [s] (2)-(4), (6)."""
    step = step_time(speed or now.speed, style)
    over = wish.over if wish.over_steps is None else wish.over_steps * step
    duration = wish.duration if wish.steps is None else wish.steps * step
    if wish.length is not None and duration is None:
        if speed <= 0.0:
            raise InputError("a length needs a speed above 0.")
        duration = wish.length / speed
    if verb in ("stand", "stop", "jump", "go to"):
        usual = max(distance / speed, 1.0) if verb == "go to" else DURATIONS[verb]
        told = over if duration is None else duration
        return (usual if told is None else told), (0.0 if duration is None or over is None else over)
    needed = abs(heading - now.heading) / TURN_RATE
    if now.gait in (("run",) if verb == "run" else ("walk", "go to")):
        needed = max(needed, abs(speed - now.speed) / ACCELERATION)
    if verb == "turn":
        over = duration if over is None else over
    usual = needed if verb == "turn" else max(DURATIONS[verb], needed)
    if duration is None:
        duration = usual if over is None else over
    return duration, (min(needed, duration) if over is None else over)


def _rest(time: float, later: float | None) -> float:
    return DURATIONS["stop"] if later is None else max(DURATIONS["stop"], _round(later - time))


def _place(now: PlanStart, order: Order) -> tuple[float, float]:
    """Where an order ends, if all goes as told [m]."""
    if order.goal is not None:
        return order.goal
    x, y = now.place
    if order.gait in MOVING:
        span = order.duration / PATH_SEGMENTS
        for k in range(PATH_SEGMENTS):
            speed, heading = order.at((k + 0.5) * span, now.speed, now.heading)
            x, y = x + span * speed * math.cos(heading), y + span * speed * math.sin(heading)
    return x, y


def _round(x: float) -> float:
    """So that words and numbers that mean the same are the same."""
    return round(x, 9)
