"""Scripts of everyday words: make a plan of a script, and execute it with a walking session.

Words, dicts and orders become requests first (`grammar.py`); `defaults.py` makes orders of them. Equal requests give
equal plans. To execute a plan, a session is given a command and runs until the next change. During a change and on the
path to a goal a command is given every `tick` seconds: speed and heading in the middle of that tick, the last one as
ordered. Styles blend in a second. Plain floats only, cannot be recorded.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from anthropi.errors import AnthropiError, FileError, FormatError, InputError, StepError, did_you_mean
from anthropi.gait.styles.defaults import PlanStart, orders_of
from anthropi.gait.styles.grammar import Request, sentence
from anthropi.gait.styles.plan import GAITS, SPEED_RANGES, Order, Plan
from anthropi.gait.styles.style import NATURAL, Style, style_of
from anthropi.gait.styles.tokens import MAX_LINES, Token, refuse, sentences, shown
from anthropi.gait.walker.command import Command
from anthropi.motion import Motion

__all__ = ["perform", "plan", "plan_start_of", "read_script"]


MAX_FILE_SIZE = 1 << 20  # bytes of a file
KEYS = (*(f.name for f in fields(Order)), "turn")


def plan(script: Any, start: PlanStart | None = None) -> Plan:
    """Make a plan of a script.

    Parameters
    ----------
    script : text, or a list of lines, dicts of the fields of `Order` (and "turn" [rad]) and orders.
    start : motion of the figure before the script, if it does not stand:
        PlanStart(gait="walk", speed=1.2, speed_given=True, heading=0.5).

    Raises FormatError that names line and word.
    """
    requests = list(_requests(script))
    if requests and requests[0].time:
        requests.insert(0, Request(verb="stand", where=requests[0].where))
    state, made = start or PlanStart(), []
    for i, request in enumerate(requests):
        later = requests[i + 1].time if i + 1 < len(requests) else None
        try:
            state, orders = orders_of(state, request, later)
        except AnthropiError as error:
            _refuse(request, str(error))
        made += orders
    if not made:
        raise FormatError("The script has no sentence. Begin with: stand 2 s.")
    return Plan(made)


def read_script(path: str | Path) -> Plan:
    """Read the plan of a text file (.txt) with one sentence a line; # begins a comment."""
    file = Path(path)
    if file.suffix.lower() != ".txt":
        raise FileError(f"{file}: a script is a text file whose name ends in .txt.")
    try:
        if not file.is_file():
            raise FileError(f"No file {file}. Give a text file, a sentence a line.")
        if file.stat().st_size > MAX_FILE_SIZE:
            raise FormatError(f"{file} has {file.stat().st_size:,} bytes: a script has at most {MAX_FILE_SIZE:,}.")
        return plan(file.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FormatError(f"{file} is no UTF-8 text: byte {error.start}.") from None
    except OSError as error:
        raise FileError(f"{file} cannot be read: {error.strerror}.") from None
    except FormatError as error:
        raise error if str(file) in str(error) else FormatError(f"{file}: {error}") from None


# requests


def _requests(script: Any) -> Iterable[Request]:
    """Yield the requests of a script."""
    if isinstance(script, (str, dict, Order)):
        script = [script]
    if not isinstance(script, Iterable):
        raise FormatError(f"A script of {type(script).__name__}. Give text, or a list of lines, dicts and orders.")
    for i, item in enumerate(islice(script, MAX_LINES + 1)):
        if i == MAX_LINES:
            raise FormatError(f"Line {MAX_LINES + 1}: a script has at most {MAX_LINES:,} lines. Split it in two.")
        if isinstance(item, str):
            yield from (sentence(tokens) for tokens in sentences(item, i + 1))
        elif isinstance(item, Order):
            given = {f.name: getattr(item, f.name) for f in fields(Order)}
            yield Request(verb=given.pop("gait"), where=f"Line {i + 1}, {shown(repr(item))}", **given)
        elif isinstance(item, dict):
            yield _request_of(item, f"Line {i + 1}, {shown(repr(item))}")
        else:
            raise FormatError(f"Line {i + 1} is {shown(repr(item))}. Give text, a dict or an Order.")


def _request_of(item: dict[Any, Any], where: str) -> Request:
    """Make a request of a dict; FormatError names the place and the key."""
    given = dict(item)
    unknown = [str(name) for name in given if name not in KEYS]
    if unknown:
        guess = did_you_mean(unknown[0], KEYS)
        raise FormatError(f"{where}: an order has no '{shown(unknown[0], 30)}'.{guess} It has: {', '.join(KEYS)}.")
    for name in ("time", "speed", "heading", "turn", "duration", "over"):
        x = given.get(name)
        if x is not None and (isinstance(x, (bool, str, bytes)) or not _finite(x)):
            raise FormatError(f"{where}: '{name}' is {shown(repr(x), 30)}; give a finite number.")
    verb, style = given.pop("gait", None), given.pop("style", None)
    if verb is not None and verb not in (*GAITS, "stop"):
        raise FormatError(
            f"{where}: no gait {verb!r}.{did_you_mean(str(verb), GAITS)} Gaits: {', '.join(GAITS)}, stop."
        )
    try:
        own = Style.of(style) if isinstance(style, dict) else style_of(style) if isinstance(style, str) else style
    except AnthropiError as error:
        raise FormatError(f"{where}: {error}") from None
    if own is not None and not isinstance(own, Style):
        raise FormatError(f"{where}: 'style' is {shown(repr(own), 30)}; give a word, a dict of numbers or a Style.")
    return Request(verb=verb, style=own, where=where, **given)


def _finite(x: Any) -> bool:
    try:
        return math.isfinite(x)
    except (TypeError, OverflowError):
        return False


def _refuse(request: Request, why: str) -> NoReturn:
    """Raise FormatError that points at the source of a request."""
    if isinstance(request.where, Token):
        refuse(request.where, why)
    raise FormatError(f"{request.where}: {why}")


STYLE_BLEND_TIME = 1.0  # [s]
ARRIVAL_DISTANCE, STOPPING_TIME = 0.3, 0.5  # a walk stops within [m] of a goal, or within its speed times [s]
STANDING_SPEED = 0.2  # [m/s] below which a figure counts as standing
MIN_RUN = 6e-3  # [s] of a run; half a frame of a session or less would be none
COMMANDED_GAITS = ("stand", "walk", "go to")  # that the commands of a session can express


def perform(
    plan: Any,
    session: Any,
    walker_of: Callable[[Style], Any] | None = None,
    *,
    style: Style = NATURAL,
    tick: float = 0.25,
    others: Mapping[str, Callable[[Order, Any], None]] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Motion:
    """Execute a plan with a walking session, from its current time on.

    Parameters
    ----------
    plan : a `Plan`, or a script, which is planned from the current motion of the session: "turn left".
    session : a `WalkingSession`, or an object with its methods.
    walker_of : function from a style to its set of parameters, as `styled_walker(file)` gives.
    style : current style of the session.
    tick : time between commands during a change [s].
    others : {"run": …, "jump": …}: functions of (order, session) that run the session for `order.duration`, for gaits
        that commands cannot express.
    progress : function of the share that is done.

    Returns
    -------
    The motion of the session.

    Raises
    ------
    InputError, before the session moves, if the plan cannot be executed; StepError, with the motion until then, if the
    figure falls.
    """
    handlers = dict(others or {})
    orders = plan if isinstance(plan, Plan) else plan_of(plan, plan_start_of(session, style))
    _check(orders, walker_of, style, tick, handlers)
    begin = session.time
    speed, heading = math.hypot(*session.velocity), session.heading
    for order in orders:
        if order.style != style and walker_of is not None:
            session.style(walker_of(order.style), over=min(STYLE_BLEND_TIME, order.duration))
        handler = handlers.get(order.gait)
        if handler is None:
            _execute(order, session, begin, speed, heading, tick)
        else:
            handler(order, session)
        _check_upright(order, session, begin)
        speed, heading, style = order.speed, order.heading, order.style
        if progress is not None:
            progress(order.end / max(orders.duration, MIN_RUN))
    if orders[-1].over and orders[-1].gait == "walk":  # the last tick commanded its middle
        session.command(Command(True, speed, heading))
    return session.motion()


def plan_start_of(session: Any, style: Style = NATURAL) -> PlanStart:
    """Current motion of a session, for `plan(script, start=…)`."""
    speed = math.hypot(*session.velocity)
    place = float(session.position[0]), float(session.position[1])
    if speed < STANDING_SPEED:
        return PlanStart(heading=session.heading, style=style, place=place)
    given = round(min(speed, SPEED_RANGES["walk"][1]), 2)
    return PlanStart(0.0, "walk", given, True, session.heading, style, place)


def _execute(order: Order, session: Any, begin: float, speed: float, heading: float, tick: float) -> None:
    """Command and run a session until an order ends."""
    end, changed = begin + order.end, begin + order.time + order.over
    while order.gait != "stand" and session.time < (end if order.goal else changed) - MIN_RUN:
        until = min(session.time + tick, end if order.goal else changed)
        if order.goal is None:
            middle = 0.5 * (session.time + until) - begin - order.time
            own = Command(True, *order.at(middle, min(speed, SPEED_RANGES["walk"][1]), heading))
        else:
            own = _towards(order, session, heading)
            heading = own.heading
        session.command(own)
        session.run(until - session.time)
        _check_upright(order, session, begin)
    if end - session.time > MIN_RUN:
        session.command(Command(order.gait != "stand", order.speed, order.heading))
        session.run(end - session.time)


def _towards(order: Order, session: Any, heading: float) -> Command:
    """Command towards the goal of an order, or to stop near it."""
    x, y = order.goal or (0.0, 0.0)
    ahead, aside = x - float(session.position[0]), y - float(session.position[1])
    if math.hypot(ahead, aside) < max(ARRIVAL_DISTANCE, STOPPING_TIME * order.speed):
        return Command(False, order.speed, heading)
    angle = math.atan2(aside, ahead)
    return Command(True, order.speed, angle + 2.0 * math.pi * round((heading - angle) / (2.0 * math.pi)))


def _check(orders: Plan, walker_of: Any, style: Style, tick: float, handlers: dict[Any, Any]) -> None:
    """Raise InputError if a plan cannot be executed."""
    if not orders:
        raise InputError("perform got a plan without orders. Begin with: plan('stand 2 s').")
    if not (isinstance(tick, (int, float)) and 0.0 < tick <= 10.0):
        raise InputError(f"perform got tick={tick!r}; give a time above 0 and up to 10 s.")
    for order in orders:
        if order.gait not in (*COMMANDED_GAITS, *handlers):
            raise InputError(
                f"At {order.time:g} s the plan has '{order.gait}', which commands of a walker cannot express. Give "
                f"others={{'{order.gait}': …}}; without it a plan has: {', '.join(COMMANDED_GAITS)}."
            )
        if order.style != style and walker_of is None:
            raise InputError(
                f"At {order.time:g} s the plan has the style '{order.style.name}'. Give walker_of: "
                "styled_walker(load_walker('natural'))."
            )


def _check_upright(order: Order, session: Any, begin: float) -> None:
    """Raise StepError with the motion if the figure has fallen."""
    if session.fallen:
        raise StepError(
            f"The figure fell at {session.time - begin:.2f} s, ordered to {order.gait} at {order.speed:g} m/s in the "
            f"style '{order.style.name}'.",
            session.motion(),
        )


plan_of = plan  # `perform` has a parameter of this name
