"""Scripts in everyday words: make a plan from a script, and execute it with a walking session.

Text, dicts and orders are first converted to requests (`grammar.py`); `defaults.py` makes orders from them. Equal
requests give equal plans. To execute a plan, the session gets a command and runs until the next change. During a
change, and on the path to a goal, it gets a new command every `tick` seconds with the speed and heading at the middle
of that tick; the last command has the final values. A new style is blended in over one second. All functions work on
plain floats only; they cannot be recorded on a tape.
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


MAX_FILE_SIZE = 1 << 20  # bytes
KEYS = (*(f.name for f in fields(Order)), "turn")


def plan(script: Any, start: PlanStart | None = None) -> Plan:
    """Make a plan from a script.

    Parameters
    ----------
    script : text, or a list of lines, dicts of the fields of `Order` (and "turn" [rad]) and orders.
    start : state of the figure before the script, if it does not stand, such as
        PlanStart(gait="walk", speed=1.2, speed_given=True, heading=0.5).

    Raises FormatError if the script has a mistake. The message names the line and the word.
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
        raise FormatError("The script has no sentence. Begin with a sentence such as: stand 2 s.")
    return Plan(made)


def read_script(path: str | Path) -> Plan:
    """Read a script from a text file (.txt) with one sentence per line, and return its plan. # begins a comment."""
    file = Path(path)
    if file.suffix.lower() != ".txt":
        raise FileError(f"{file} is not a script. Give a text file whose name ends in .txt.")
    try:
        if not file.is_file():
            raise FileError(f"There is no file {file}. Give a text file with one sentence per line.")
        if file.stat().st_size > MAX_FILE_SIZE:
            raise FormatError(f"{file} has {file.stat().st_size:,} bytes. A script may have at most {MAX_FILE_SIZE:,}.")
        return plan(file.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FormatError(f"{file} is not UTF-8 text: byte {error.start} is wrong. Save it as UTF-8.") from None
    except OSError as error:
        raise FileError(f"{file} cannot be read: {error.strerror}.") from None
    except FormatError as error:
        raise error if str(file) in str(error) else FormatError(f"{file}: {error}") from None


# Requests


def _requests(script: Any) -> Iterable[Request]:
    """Yield the requests of a script."""
    if isinstance(script, (str, dict, Order)):
        script = [script]
    if not isinstance(script, Iterable):
        raise FormatError(
            f"A script cannot be of type {type(script).__name__}. Give text, or a list of lines, dicts and orders."
        )
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
    """Make a request from a dict.

    Raises FormatError if the dict has a mistake. The message names the line and the key.
    """
    given = dict(item)
    unknown = [str(name) for name in given if name not in KEYS]
    if unknown:
        guess = did_you_mean(unknown[0], KEYS)
        raise FormatError(
            f"{where}: an order has no key '{shown(unknown[0], 30)}'.{guess} Choose from: {', '.join(KEYS)}."
        )
    for name in ("time", "speed", "heading", "turn", "duration", "over"):
        x = given.get(name)
        if x is not None and (isinstance(x, (bool, str, bytes)) or not _finite(x)):
            raise FormatError(f"{where}: '{name}' is {shown(repr(x), 30)}. Give a finite number.")
    verb, style = given.pop("gait", None), given.pop("style", None)
    if verb is not None and verb not in (*GAITS, "stop"):
        hint = did_you_mean(str(verb), GAITS)
        raise FormatError(f"{where}: there is no gait {verb!r}.{hint} Choose one of: {', '.join(GAITS)}, stop.")
    try:
        own = Style.of(style) if isinstance(style, dict) else style_of(style) if isinstance(style, str) else style
    except AnthropiError as error:
        raise FormatError(f"{where}: {error}") from None
    if own is not None and not isinstance(own, Style):
        raise FormatError(f"{where}: 'style' is {shown(repr(own), 30)}. Give a word, a dict of numbers or a Style.")
    return Request(verb=verb, style=own, where=where, **given)


def _finite(x: Any) -> bool:
    try:
        return math.isfinite(x)
    except (TypeError, OverflowError):
        return False


def _refuse(request: Request, why: str) -> NoReturn:
    """Raise FormatError with the source of a request and the reason."""
    if isinstance(request.where, Token):
        refuse(request.where, why)
    raise FormatError(f"{request.where}: {why}")


STYLE_BLEND_TIME = 1.0  # [s]
ARRIVAL_DISTANCE, STOPPING_TIME = 0.3, 0.5  # [m], [s]: a walk stops within this distance of a goal, or speed × time
STANDING_SPEED = 0.2  # [m/s]; a slower figure counts as standing
FALL_CHECK_TIME = 0.5  # [s] between two checks for a fall; a script ends at the next check after a fall
MIN_RUN = 6e-3  # [s], shortest call of `run`; half a frame or less would be rounded to zero frames
COMMANDED_GAITS = ("stand", "walk", "go to")  # gaits that the commands of a session can express


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
    """Execute a plan with a walking session, from the current time of the session.

    Parameters
    ----------
    plan : a `Plan`, or a script such as "turn left", which is planned from the current motion of the session.
    session : a `WalkingSession`, or an object with its methods.
    walker_of : function from a style to its parameter set, such as `styled_walker(file)`.
    style : current style of the session.
    tick : time between commands during a change [s].
    others : {"run": …, "jump": …}: functions of (order, session) for gaits that commands cannot express. They run the
        session for `order.duration`.
    progress : function called with the completed fraction of the plan.

    Returns
    -------
    The motion of the session.

    Raises
    ------
    InputError if the plan cannot be executed, before the session moves. StepError if the figure falls; it contains the
    motion up to the fall.
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
    if orders[-1].over and orders[-1].gait == "walk":  # the last tick had the values at its middle, not the final ones
        session.command(Command(True, speed, heading))
    return session.motion()


def plan_start_of(session: Any, style: Style = NATURAL) -> PlanStart:
    """Return the current state of motion of a session, for `plan(script, start=…)`."""
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
    while end - session.time > MIN_RUN:
        left = end - session.time
        session.run(left if left < FALL_CHECK_TIME + MIN_RUN else FALL_CHECK_TIME)
        _check_upright(order, session, begin)


def _towards(order: Order, session: Any, heading: float) -> Command:
    """Make the command to walk towards the goal of an order, or to stop near it."""
    x, y = order.goal or (0.0, 0.0)
    ahead, aside = x - float(session.position[0]), y - float(session.position[1])
    if math.hypot(ahead, aside) < max(ARRIVAL_DISTANCE, STOPPING_TIME * order.speed):
        return Command(False, order.speed, heading)
    angle = math.atan2(aside, ahead)
    return Command(True, order.speed, angle + 2.0 * math.pi * round((heading - angle) / (2.0 * math.pi)))


def _check(orders: Plan, walker_of: Any, style: Style, tick: float, handlers: dict[Any, Any]) -> None:
    """Raise InputError if a plan cannot be executed."""
    if not orders:
        raise InputError("perform got a plan without orders. Give a plan such as plan('stand 2 s').")
    if not (isinstance(tick, (int, float)) and 0.0 < tick <= 10.0):
        raise InputError(f"perform got tick={tick!r}. Give a time above 0 and up to 10 s.")
    for order in orders:
        if order.gait not in (*COMMANDED_GAITS, *handlers):
            raise InputError(
                f"At {order.time:g} s the plan has '{order.gait}', which commands of a walker cannot express. Give "
                f"others={{'{order.gait}': …}}, or use only: {', '.join(COMMANDED_GAITS)}."
            )
        if order.style != style and walker_of is None:
            raise InputError(
                f"At {order.time:g} s the plan changes to the style '{order.style.name}', but walker_of is not given. "
                "Give walker_of=styled_walker(load_walker('natural'))."
            )


def _check_upright(order: Order, session: Any, begin: float) -> None:
    """Raise StepError with the motion if the figure has fallen."""
    if session.fallen:
        fall = getattr(session, "fall", None)
        when, cause = (session.time, "") if fall is None else (fall.time, f" ({fall.cause})")
        raise StepError(
            f"The figure fell at {when - begin:.2f} s{cause}, during the order to {order.gait} at {order.speed:g} m/s "
            f"in the style '{order.style.name}'.",
            session.motion(),
        )


plan_of = plan  # second name, because `perform` has a parameter called `plan`
