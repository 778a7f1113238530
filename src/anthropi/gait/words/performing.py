"""How is a plan performed? A session is told a command, runs until the next change, and is told the next one.

Between two changes of a ramp and on the way to a goal a command is told every `tick` seconds: speed and heading in the
middle of that tick, the last one as ordered. Styles go over in a second. Floats only.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from anthropi.errors import InputError, StepError
from anthropi.gait.walker.command import Command
from anthropi.gait.words.filling import Now
from anthropi.gait.words.orders import FASTEST, Order, Plan
from anthropi.gait.words.planning import plan as plan_of
from anthropi.gait.words.style import Style
from anthropi.gait.words.styles import NATURAL

__all__ = ["now_of", "perform"]

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
    orders = plan if isinstance(plan, Plan) else plan_of(plan, now_of(session, style))
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
        session.tell(Command(True, speed, heading))
    return session.motion()


def now_of(session, style: Style = NATURAL) -> Now:
    """How a session moves now, for `plan(script, start=…)`."""
    speed = math.hypot(*session.velocity)
    place = float(session.position[0]), float(session.position[1])
    if speed < STILL:
        return Now(heading=session.heading, style=style, place=place)
    told = round(min(speed, FASTEST["walk"][1]), 2)
    return Now(0.0, "walk", told, True, session.heading, style, place)


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
        session.tell(own)
        session.run(until - session.time)
        _check_upright(order, session, begin)
    if end - session.time > SHORTEST:
        session.tell(Command(order.gait != "stand", order.speed, order.heading))
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
