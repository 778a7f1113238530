"""Walk with a human figure: the public function `walk`, its methods, and walks that follow a written script.

`method` selects how the walk is computed. To add a method, add an entry to `METHODS`. The default is:

    "walker"   for ap.human(detail="standard"), unless an option that only HIDDS accepts is given
    "hidds"    for other figures, or with schedule, step_length, step_frequency, first, determinants, frozen, …

The planning levels of "hidds" are those of S. M. Loizidou, "Dynamic Analysis of Anthropomorphic Manipulators in
Computer Animation", thesis, 1992, chapter 9 (docs/equations/thesis.md). The functions work on plain floats only and
cannot be recorded on a tape.
"""

import warnings
from collections.abc import Callable
from inspect import signature
from typing import Any

from anthropi.contact.scene import Scene
from anthropi.errors import FormatError, InputError, PhysicsWarning, StepError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.gait.hidds.walking.hidds_walk import hidds_walk
from anthropi.gait.hidds.walking.pose import check_legs
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.plan.schedule import Schedule
from anthropi.gait.styles import Plan, Style, perform, plan, read_script, styled_walker
from anthropi.gait.walker import WalkerFile, load_walker
from anthropi.gait.walker.limits import plan_notes, warn_of
from anthropi.gait.walker.parameters import size_of
from anthropi.gait.walker.requirements import joint_differences
from anthropi.gait.walker_walk import (
    LAST_INTERVAL,
    Progress,
    can_walk,
    check_figure,
    finished,
    follow_collapse,
    walker_session,
    walker_walk,
)
from anthropi.motion import Motion

__all__ = ["METHODS", "method_of", "script_walk", "walk"]

METHODS: dict[str, Callable[..., Motion]] = {"walker": walker_walk, "hidds": hidds_walk}
PLAN_OPTIONS = ("step_length", "step_frequency", "schedule", "first")  # HIDDS only; turned into a schedule here
OPTIONS: dict[Any, Any] = {
    "walker": tuple(signature(walker_walk).parameters)[3:],
    "hidds": (*PLAN_OPTIONS, *tuple(signature(hidds_walk).parameters)[2:]),
}
DEFAULT_STEPS = {"walker": 20, "hidds": 6}
DEFAULT_STEP_FREQUENCY = 100.0  # [steps/min], HIDDS only
SEPARATE_GAITS = ("run", "jump")  # a walk cannot change into these gaits


def walk(
    figure: Figure | Scene,
    steps: int | None = None,
    *,
    speed: float | None = None,
    style: str | Style | None = None,
    kind: str | None = None,
    start: str | None = None,
    script: Any = None,
    step_length: float | None = None,
    step_frequency: float | None = None,
    schedule: Schedule | None = None,
    first: str | None = None,
    method: str | None = None,
    **options: Any,
) -> Motion:
    """Compute the motion of a human figure that walks.

    Parameters
    ----------
    figure : a human figure. The walker also accepts a `Scene` that contains one.
    steps : number of steps. If None, 20 steps with the walker and 6 with HIDDS.
    speed : walking speed [m/s]; a comfortable speed for this body if None.
    method : "walker" simulates the walk forward in time with a balance controller (`walker_walk`). "hidds" plans each
        step and computes the motion by hybrid dynamics (`hidds_walk`). See these functions for further options. If
        None, the walker is used if it supports the figure and no option of HIDDS is given.
    style : walker only; "tired" or any other style.
    kind : walker only; "walk" or "run".
    start : walker only; "walk" (already walking) or "stand".
    script : walker only, instead of speed and steps: "stand 2 s; walk happily; turn left; stop" (`script_walk`).
    step_length, step_frequency : HIDDS only; [m] and [steps/min]. Give one or two of speed, step length and step
        frequency; the others are computed (`GaitPlan`).
    first : HIDDS only; foot that strikes first, "l" or "r".
    schedule : HIDDS only; a plan for each step, instead of the options above.

    Returns
    -------
    A `Motion` with foot events. It begins in steady walking unless start="stand".

    Raises
    ------
    InputError for options that cannot be combined. StepError, with the motion up to that time, if the figure falls.

    Warns
    -----
    PhysicsWarning : HIDDS is used because of the figure, without method="hidds"; or its residual force is too large.
    """
    given: dict[str, Any] = {
        "style": style,
        "kind": kind,
        "start": start,
        "step_length": step_length,
        "step_frequency": step_frequency,
        "schedule": schedule,
        "first": first,
    }
    given = {name: x for name, x in given.items() if x is not None} | options
    if script is not None:
        return _script_walk_of(figure, script, {"steps": steps, "speed": speed, "method": method} | given)
    how = method_of(figure, given, method)
    for name in given:
        if name not in OPTIONS[how]:
            hint = did_you_mean(name, OPTIONS[how])
            raise InputError(f"method='{how}' has no option '{name}'.{hint} Options: {', '.join(OPTIONS[how])}.")
    count = DEFAULT_STEPS[how] if steps is None else steps
    if how == "walker":
        return walker_walk(figure, count, speed=speed, **given)
    asked = any(name in OPTIONS["hidds"] and name not in OPTIONS["walker"] for name in given)
    body = _check_hidds(figure, chosen=method is None and not asked)
    planned = {name: given.pop(name) for name in PLAN_OPTIONS if name in given}
    return hidds_walk(body, _schedule(body, count, speed, **planned), **given)


def method_of(figure: Figure | Scene, given: Any, method: str | None = None) -> str:
    """Choose the method that computes a walk, from the figure and the names of the given options.

    Raises InputError if options of both methods are given.
    """
    if method is not None:
        if method not in METHODS:
            hint = did_you_mean(str(method), METHODS)
            raise InputError(f"Unknown method={method!r}.{hint} Choose one of: {', '.join(METHODS)}.")
        return method
    common = set(OPTIONS["walker"]) & set(OPTIONS["hidds"])
    asks = {how: [name for name in given if name in own and name not in common] for how, own in OPTIONS.items()}
    if asks["walker"] and asks["hidds"]:
        raise InputError(
            f"walk got {asks['walker'][0]}, an option of the walker, and {asks['hidds'][0]}, an option of HIDDS. "
            "Leave one out."
        )
    if asks["walker"]:
        return "walker"
    body = figure.figure if isinstance(figure, Scene) else figure
    return "walker" if can_walk(body) and not asks["hidds"] else "hidds"


def _check_hidds(figure: Any, chosen: bool) -> Figure:
    """Return the figure of a HIDDS walk; warn if the method was chosen only because of the figure.

    Raises InputError if HIDDS cannot make the figure walk.
    """
    if isinstance(figure, Scene):
        check_figure(figure.figure, figure)  # says why the walker cannot move the figure
        raise InputError("method='hidds' takes a figure, not a scene. Give scene.figure, or use method='walker'.")
    if not isinstance(figure, Figure):
        raise InputError(f"walk got {type(figure).__name__}; give a human figure, such as ap.human(1.75, 75).")
    try:
        check_legs(figure)
    except InputError as error:
        if not chosen:
            raise
        raise InputError(f"{joint_differences(figure)[0]}, so the walker cannot move it. {error}") from None
    if chosen:
        warnings.warn(
            f"{joint_differences(figure)[0]}, so the walker cannot move it. The walk is computed by method='hidds', "
            "which plans the motion and applies a residual force to the root. Use ap.human(detail='standard') for a "
            "simulated walk, or give method='hidds' to choose it without this warning.",
            PhysicsWarning,
            stacklevel=3,
        )
    return figure


def _schedule(
    figure: Figure,
    steps: int,
    speed: float | None,
    step_length: float | None = None,
    step_frequency: float | None = None,
    schedule: Schedule | None = None,
    first: str = "l",
) -> Schedule:
    """Make the step schedule of a HIDDS walk from its options."""
    given = {"velocity": speed, "step_length": step_length, "step_frequency": step_frequency}
    given = {name: x for name, x in given.items() if x is not None}
    if schedule is None:
        steady = GaitPlan.of(figure, **(given or {"step_frequency": DEFAULT_STEP_FREQUENCY}))
        return Schedule.steady(steady, steps, first=first)
    if given:
        raise InputError(
            f"walk got a schedule and {', '.join(given)}. A schedule already sets these for each step. Leave one out."
        )
    if not isinstance(schedule, Schedule):
        raise InputError(f"schedule={schedule!r} is not a Schedule. Give a Schedule of GaitPlans, one for each step.")
    return schedule


def _script_walk_of(figure: Figure | Scene, script: Any, given: dict[Any, Any]) -> Motion:
    """Compute a walk by a script; raise InputError if another option conflicts with it."""
    given = {name: x for name, x in given.items() if x is not None and (name, x) != ("method", "walker")}
    known = tuple(signature(script_walk).parameters)[2:]
    for name in given:
        if name not in known:
            raise InputError(
                f"walk got a script, which sets the whole walk, and {name}. Leave one out. Options with a script: "
                f"{', '.join(known)}."
            )
    return script_walk(figure, script, **given)


def script_walk(
    figure: Figure | Scene,
    script: Any,
    *,
    style: str | Style = "natural",
    walker: str | WalkerFile = "natural",
    aid: Any = None,
    dt: float = 1e-3,
    every: int = 10,
    strict: bool = True,
    progress: Progress | None = None,
) -> Motion:
    """Compute the motion of a human figure that follows a script in everyday words.

    Parameters
    ----------
    figure : a human of detail "standard", or a `Scene` that contains one. It stands at the start.
    script : text ("stand 2 s; walk happily; turn left; stop"), the name of a .txt file, a list of lines, dicts and
        orders, or a `Plan` (docs/styles.md).
    style : style at the start.
    progress : function that is called with the simulated seconds and the total seconds.
    walker, aid, dt, every, strict : as in `walker_walk`.

    Returns
    -------
    A `Motion` with the contents that `walker_walk` describes. Its metadata "walk" contains the table of orders under
    "script".
    """
    orders = _plan_of(script)
    file = load_walker(walker)
    session, own, _ = walker_session(figure, style=style, start="stand", walker=file, aid=aid, dt=dt, every=every)
    warn_of(plan_notes(file.limits, orders, float(size_of(session.figure).time)), stacklevel=4)
    fall: StepError | str | None = None
    try:
        perform(orders, _ReportedSession(session, orders.duration, progress), styled_walker(file), style=own)
    except StepError as error:
        if not session.fallen:
            raise
        fall = error
        session.run(LAST_INTERVAL)
    if fall is None:
        follow_collapse(session)
    about = {
        "method": "walker",
        "kind": "script",
        "steps": session.steps,
        "script": orders.table(),
        "fell": session.fallen,
    }
    motion = finished(session, walk=about)
    if session.fall is not None and strict:
        fall = fall or f"The figure fell at {session.fall.time:.2f} s ({session.fall.cause}), at the end of the script."
        raise StepError(f"{fall} Use strict=False to get the motion with the fall.", motion)
    return motion


def _plan_of(script: Any) -> Plan:
    """Read a script into a plan; raise FormatError if it contains a gait that a walk cannot change into."""
    file = isinstance(script, str) and script.strip().lower().endswith(".txt")
    orders = script if isinstance(script, Plan) else read_script(script) if file else plan(script)
    for order in orders:
        if order.gait in SEPARATE_GAITS:
            raise FormatError(
                f"The script contains '{order.gait}' at {order.time:g} s. A walk cannot change into this gait. "
                f"Use `anthropi {order.gait}` instead."
            )
    return orders


class _ReportedSession:
    """A walking session that reports its progress."""

    def __init__(self, session: Any, duration: float, progress: Progress | None):
        self.session, self.duration, self.progress = session, duration, progress

    def __getattr__(self, name: str) -> Any:
        return getattr(self.session, name)

    def run(self, duration: float) -> None:
        """Run the session for a duration [s] and report its progress."""
        self.session.run(duration)
        if self.progress is not None:
            self.progress(min(self.session.time, self.duration), self.duration)
