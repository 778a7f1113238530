"""A human figure walks: from everyday words to a motion. The front of the gait controller's three levels (thesis 9.1).

`method` says how; a new one is an entry of `METHODS`. Unless it is told, the least surprising one:

    "walker"   where the figure is ap.human(detail="standard") and nobody asks for what only HIDDS has
    "hidds"    else: other figures, a schedule, step_length, step_frequency, first, determinants, frozen, …

Script walk
-----------
How does a figure obey a script of everyday words? A `Session` is told what the script's plan says. Floats only.
"""

from inspect import signature
from typing import Any

from anthropi.contact.scene import Scene
from anthropi.errors import FormatError, InputError, StepError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.gait.hidds.walking.hidds_walk import hidds_walk
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.plan.schedule import Schedule
from anthropi.gait.styles import Plan, Style, perform, plan, read_script, styled_walker
from anthropi.gait.walker import load_walker
from anthropi.gait.walker_walk import can_walk, finished, walker_session, walker_walk
from anthropi.motion import Motion

__all__ = ["METHODS", "method_of", "script_walk", "walk"]


METHODS = {"walker": walker_walk, "hidds": hidds_walk}
PLANS = ("step_length", "step_frequency", "schedule", "first")  # of HIDDS, made into a schedule here
OPTIONS = {"walker": tuple(signature(walker_walk).parameters)[3:],
           "hidds": (*PLANS, *tuple(signature(hidds_walk).parameters)[2:])}  # fmt: skip
EASY = 100.0  # [steps/min]


def walk(figure, steps: int | None = None, *, speed: float | None = None, style: Any = None, kind: str | None = None,
         start: str | None = None, script: Any = None, step_length: float | None = None,
         step_frequency: float | None = None, schedule: Schedule | None = None, first: str | None = None,
         method: str | None = None, **options) -> Motion:  # fmt: skip
    """How does this figure walk?

    Parameters
    ----------
    figure : a human figure; the walker takes a `Scene` with one, too. steps : how many; 20, by HIDDS 6.
    speed : [m/s]; an easy one for this body if None.
    method : "walker", in balance by itself, in pure physics (`walker_walk`), or "hidds", the thesis' road, planned step
        by step (`hidds_walk`); see them for options. If None the walker, but HIDDS for figures it cannot move and
        wherever an option asks for it.
    script : of the walker, instead of speed and steps: "stand 2 s; walk happily; turn left; stop" (`script_walk`).
    style, kind, start : of the walker: "tired" or any other style; "walk" or "run"; "walk" (on the gait) or "stand".
    step_length [m], step_frequency [steps/min] : of HIDDS, with speed any one or two of three; the others follow
        (`GaitPlan`, thesis 9.1-9.3). first : the foot that strikes first, "l". schedule : instead of all these, a plan
        for each step (`Schedule`).

    Returns
    -------
    A `Motion` with foot events, that begins on the gait unless start="stand".
    """
    given = {"style": style, "kind": kind, "start": start, "step_length": step_length,
             "step_frequency": step_frequency, "schedule": schedule, "first": first}  # fmt: skip
    given = {name: x for name, x in given.items() if x is not None} | options
    if script is not None:
        return _obeyed(figure, script, {"steps": steps, "speed": speed, "method": method} | given)
    how = method_of(figure, given, method)
    for name in given:
        if name not in OPTIONS[how]:
            raise InputError(f"method='{how}' has no option '{name}'.{did_you_mean(name, OPTIONS[how])} It has: "
                             f"{', '.join(OPTIONS[how])}.")  # fmt: skip
    if how == "walker":
        return walker_walk(figure, 20 if steps is None else steps, speed=speed, **given)
    if not isinstance(figure, Figure):
        raise InputError(f"walk got {type(figure).__name__}; give a human figure, as ap.human(1.75, 75).")
    plan = {name: given.pop(name) for name in PLANS if name in given}
    return hidds_walk(figure, _schedule(figure, 6 if steps is None else steps, speed, **plan), **given)


def method_of(figure, given, method: str | None = None) -> str:
    """The method for a figure and the names of options that were given."""
    if method is not None:
        if method not in METHODS:
            raise InputError(f"method={method!r}.{did_you_mean(str(method), METHODS)} Choose: {', '.join(METHODS)}.")
        return method
    asks = {how: [name for name in given if name in own and not all(name in o for o in OPTIONS.values())]
            for how, own in OPTIONS.items()}  # fmt: skip
    if asks["walker"] and asks["hidds"]:
        raise InputError(
            f"walk got {asks['walker'][0]}, of the walker, and {asks['hidds'][0]}, of HIDDS. Leave one out."
        )
    if asks["walker"]:
        return "walker"
    return (
        "walker" if can_walk(figure.figure if isinstance(figure, Scene) else figure) and not asks["hidds"] else "hidds"
    )


def _obeyed(figure, script, given: dict) -> Motion:
    """A script instead of speed and steps."""
    given = {name: x for name, x in given.items() if x is not None and (name, x) != ("method", "walker")}
    known = tuple(signature(script_walk).parameters)[2:]
    for name in given:
        if name not in known:
            raise InputError(f"walk got a script, which says itself what is done, and {name}. Leave one out. With a "
                             f"script go: {', '.join(known)}.")  # fmt: skip
    return script_walk(figure, script, **given)


def _schedule(figure, steps, speed, step_length=None, step_frequency=None, schedule=None, first="l") -> Schedule:
    """The plans of all steps."""
    given = {"velocity": speed, "step_length": step_length, "step_frequency": step_frequency}
    given = {name: x for name, x in given.items() if x is not None}
    if schedule is None:
        plan = GaitPlan.of(figure, **(given or {"step_frequency": EASY}))
        return Schedule.steady(plan, steps, first=first)
    if given:
        raise InputError(
            f"walk got a schedule and {', '.join(given)}: a schedule has them for each step. Leave one out."
        )
    if not isinstance(schedule, Schedule):
        raise InputError(f"schedule={schedule!r}: give a Schedule, made of GaitPlans.")
    return schedule


ALONE = ("run", "jump")  # no walk goes over to them


def script_walk(figure, script, *, style: str | Style = "natural", walker: Any = "natural", aid: Any = None,
                dt: float = 1e-3, strict: bool = True, progress=None) -> Motion:  # fmt: skip
    """What does a figure do that is told a script?

    figure : a human of detail "standard", or a `Scene` with one; it stands at first. script : text ("stand 2 s; walk
    happily; turn left; stop"), the name of a .txt file, lines, dicts and orders mixed, or a `Plan` (docs/styles.md).
    style : the one to begin with. progress : told (seconds done, seconds in all). The rest: as in `walker_walk`.
    """
    orders = _plan(script)
    file = load_walker(walker)
    session, own, _ = walker_session(figure, style=style, start="stand", walker=file, aid=aid, dt=dt)
    fell: StepError | None = None
    try:
        perform(orders, _ReportedSession(session, orders.duration, progress), styled_walker(file), style=own)
    except StepError as error:
        if not session.fallen:
            raise
        fell = error
    about = {"method": "walker", "kind": "script", "steps": session.steps, "script": orders.table(),
             "fell": fell is not None}  # fmt: skip
    motion = finished(session, walk=about)
    if fell is not None and strict:
        raise StepError(f"{fell} strict=False gives the motion until then.", motion)
    return motion


def _plan(script) -> Plan:
    """The plan of a script, if a walker can do all of it."""
    file = isinstance(script, str) and script.strip().lower().endswith(".txt")
    orders = script if isinstance(script, Plan) else read_script(script) if file else plan(script)
    for order in orders:
        if order.gait in ALONE:
            raise FormatError(f"The script: at {order.time:g} s somebody should {order.gait}. A walk cannot go over to "
                              f"that; `anthropi {order.gait}` does it alone.")  # fmt: skip
    return orders


class _ReportedSession:
    """A session that tells how far it is."""

    def __init__(self, session, long: float, progress):
        self.session, self.long, self.progress = session, long, progress

    def __getattr__(self, name: str) -> Any:
        return getattr(self.session, name)

    def run(self, duration: float) -> None:
        """As the session's."""
        self.session.run(duration)
        if self.progress is not None:
            self.progress(min(self.session.time, self.long), self.long)
