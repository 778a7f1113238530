"""How does a script become a plan? Words, dicts and orders become wishes first; the same wishes give the same plan.

`grammar.py` reads sentences, `defaults.py` fills in what a wish leaves open. Floats only.

Performing
----------
How is a plan performed? A session is told a command, runs until the next change, and is told the next one.

Between two changes of a ramp and on the way to a goal a command is told every `tick` seconds: speed and heading in the
middle of that tick, the last one as ordered. Styles go over in a second. Floats only.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any

from anthropi.errors import AnthropiError, FileError, FormatError, InputError, StepError, did_you_mean
from anthropi.gait.styles.defaults import PlanStart, filled
from anthropi.gait.styles.grammar import Request, sentence
from anthropi.gait.styles.plan import FASTEST, GAITS, Order, Plan
from anthropi.gait.styles.style import NATURAL, Style, style_of
from anthropi.gait.styles.tokens import LINES, Token, refuse, sentences, shown
from anthropi.gait.walker.command import Command

__all__ = ["perform", "plan", "plan_start_of", "read_script"]


LARGEST = 1 << 20  # bytes of a file
KEYS = (*(f.name for f in fields(Order)), "turn")


def plan(script, start: PlanStart | None = None) -> Plan:
    """A plan of a script: text, or a list of lines, dicts of `Order`'s fields (and "turn" [rad]) and orders, mixed.

    start : how a figure moves already, if it does: Now(gait="walk", speed=1.2, told=True, heading=0.5).
    """
    wishes = list(_requests(script))
    if wishes and wishes[0].time:
        wishes.insert(0, Request(verb="stand", where=wishes[0].where))
    now, made = start or PlanStart(), []
    for i, wish in enumerate(wishes):
        later = wishes[i + 1].time if i + 1 < len(wishes) else None
        try:
            now, orders = filled(now, wish, later)
        except AnthropiError as error:
            _refuse(wish, str(error))
        made += orders
    if not made:
        raise FormatError("The script has no sentence. Begin with: stand 2 s.")
    return Plan(made)


def read_script(path) -> Plan:
    """The plan of a text file (.txt), a sentence a line; # begins a remark."""
    file = Path(path)
    if file.suffix.lower() != ".txt":
        raise FileError(f"{file}: a script is a text file whose name ends in .txt.")
    try:
        if not file.is_file():
            raise FileError(f"No file {file}. Give a text file, a sentence a line.")
        if file.stat().st_size > LARGEST:
            raise FormatError(f"{file} has {file.stat().st_size:,} bytes: a script has at most {LARGEST:,}.")
        return plan(file.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FormatError(f"{file} is no UTF-8 text: byte {error.start}.") from None
    except OSError as error:
        raise FileError(f"{file} cannot be read: {error.strerror}.") from None
    except FormatError as error:
        raise error if str(file) in str(error) else FormatError(f"{file}: {error}") from None


# wishes


def _requests(script) -> Iterable[Request]:
    if isinstance(script, (str, dict, Order)):
        script = [script]
    if not isinstance(script, Iterable):
        raise FormatError(f"A script of {type(script).__name__}. Give text, or a list of lines, dicts and orders.")
    for i, item in enumerate(islice(script, LINES + 1)):
        if i == LINES:
            raise FormatError(f"Line {LINES + 1}: a script has at most {LINES:,} lines. Part it in two.")
        if isinstance(item, str):
            yield from (sentence(tokens) for tokens in sentences(item, i + 1))
        elif isinstance(item, Order):
            told = {f.name: getattr(item, f.name) for f in fields(Order)}
            yield Request(verb=told.pop("gait"), where=f"Line {i + 1}, {shown(repr(item))}", **told)
        elif isinstance(item, dict):
            yield _request_of(item, f"Line {i + 1}, {shown(repr(item))}")
        else:
            raise FormatError(f"Line {i + 1} is {shown(repr(item))}. Give text, a dict or an Order.")


def _request_of(item: dict, where: str) -> Request:
    told = dict(item)
    unknown = [str(name) for name in told if name not in KEYS]
    if unknown:
        guess = did_you_mean(unknown[0], KEYS)
        raise FormatError(f"{where}: an order has no '{shown(unknown[0], 30)}'.{guess} It has: {', '.join(KEYS)}.")
    for name in ("time", "speed", "heading", "turn", "duration", "over"):
        x = told.get(name)
        if x is not None and (isinstance(x, (bool, str, bytes)) or not _finite(x)):
            raise FormatError(f"{where}: '{name}' is {shown(repr(x), 30)}; give a finite number.")
    verb, style = told.pop("gait", None), told.pop("style", None)
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
    return Request(verb=verb, style=own, where=where, **told)


def _finite(x) -> bool:
    try:
        return math.isfinite(x)
    except (TypeError, OverflowError):
        return False


def _refuse(wish: Request, why: str):
    if isinstance(wish.where, Token):
        refuse(wish.where, why)
    raise FormatError(f"{wish.where}: {why}")


BLEND = 1.0  # [s] from one style to another
ARRIVED, STOPS = 0.3, 0.5  # [m] from a goal, or as far as it goes in [s]
STILL = 0.2  # [m/s] below which a figure stands
SHORTEST = 6e-3  # [s] of a run: half a frame of a session, and less, is none
OWN = ("stand", "walk", "go to")  # what a session does by commands


def perform(plan, session, walker_of: Callable[[Style], Any] | None = None, *, style: Style = NATURAL,
            tick: float = 0.25, others: Mapping[str, Callable[[Order, Any], None]] | None = None,
            progress: Callable[[float], None] | None = None):  # fmt: skip
    """The motion of a session that obeys a plan, from its time on.

    plan : a `Plan`, or a script, planned from how the session moves now: "turn left" may be told live. session :
    `gait.walker.Session`. walker_of : the WalkerFile of a style, as `styled_walker(file)` gives. style : the one it
    walks in already. tick : [s] between commands that change. others : {"run": …, "jump": …}, who does what a command
    cannot, or better; called with (order, session), to run the session for `order.duration`. progress : told the share
    that is done. StepError, with the motion so far, where the figure falls.
    """
    doers = dict(others or {})
    orders = plan if isinstance(plan, Plan) else plan_of(plan, plan_start_of(session, style))
    _check(orders, walker_of, style, tick, doers)
    begin = session.time
    speed, heading = math.hypot(*session.velocity), session.heading
    for order in orders:
        if order.style != style and walker_of is not None:
            session.style(walker_of(order.style), over=min(BLEND, order.duration))
        doer = doers.get(order.gait)
        if doer is None:
            _obey(order, session, begin, speed, heading, tick)
        else:
            doer(order, session)
        _check_upright(order, session, begin)
        speed, heading, style = order.speed, order.heading, order.style
        if progress is not None:
            progress(order.end / max(orders.duration, SHORTEST))
    if orders[-1].over and orders[-1].gait == "walk":  # the last tick told its middle
        session.command(Command(True, speed, heading))
    return session.motion()


def plan_start_of(session, style: Style = NATURAL) -> PlanStart:
    """How a session moves now, for `plan(script, start=…)`."""
    speed = math.hypot(*session.velocity)
    place = float(session.position[0]), float(session.position[1])
    if speed < STILL:
        return PlanStart(heading=session.heading, style=style, place=place)
    told = round(min(speed, FASTEST["walk"][1]), 2)
    return PlanStart(0.0, "walk", told, True, session.heading, style, place)


def _obey(order: Order, session, begin: float, speed: float, heading: float, tick: float) -> None:
    """Tell commands and run until the order ends."""
    end, changed = begin + order.end, begin + order.time + order.over
    while order.gait != "stand" and session.time < (end if order.goal else changed) - SHORTEST:
        until = min(session.time + tick, end if order.goal else changed)
        if order.goal is None:
            middle = 0.5 * (session.time + until) - begin - order.time
            own = Command(True, *order.at(middle, min(speed, FASTEST["walk"][1]), heading))
        else:
            own = _towards(order, session, heading)
            heading = own.heading
        session.command(own)
        session.run(until - session.time)
        _check_upright(order, session, begin)
    if end - session.time > SHORTEST:
        session.command(Command(order.gait != "stand", order.speed, order.heading))
        session.run(end - session.time)


def _towards(order: Order, session, heading: float) -> Command:
    """The command that leads to a goal, or ends there."""
    x, y = order.goal or (0.0, 0.0)
    ahead, aside = x - float(session.position[0]), y - float(session.position[1])
    if math.hypot(ahead, aside) < max(ARRIVED, STOPS * order.speed):
        return Command(False, order.speed, heading)
    angle = math.atan2(aside, ahead)
    return Command(True, order.speed, angle + 2.0 * math.pi * round((heading - angle) / (2.0 * math.pi)))


def _check(orders: Plan, walker_of, style: Style, tick: float, doers: dict) -> None:
    """Refuse, before anything moves, what could not be done."""
    if not orders:
        raise InputError("perform got a plan without orders. Begin with: plan('stand 2 s').")
    if not (isinstance(tick, (int, float)) and 0.0 < tick <= 10.0):
        raise InputError(f"perform got tick={tick!r}; give a time above 0 and up to 10 s.")
    for order in orders:
        if order.gait not in (*OWN, *doers):
            raise InputError(
                f"At {order.time:g} s the plan says '{order.gait}', which a walker's commands cannot. Give "
                f"others={{'{order.gait}': …}}; without it a plan has: {', '.join(OWN)}."
            )
        if order.style != style and walker_of is None:
            raise InputError(f"At {order.time:g} s the plan has the style '{order.style.name}'. Give walker_of: "
                             "styled_walker(load_walker('natural')).")  # fmt: skip


def _check_upright(order: Order, session, begin: float) -> None:
    if session.fallen:
        raise StepError(f"The figure fell at {session.time - begin:.2f} s, told to {order.gait} at {order.speed:g} m/s "
                        f"in the style '{order.style.name}'.", session.motion())  # fmt: skip


plan_of = plan
