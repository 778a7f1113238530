"""Walks of the walker: run a `WalkingSession` at a speed until the figure has made its steps.

The walk is a forward simulation with joint torques and ground contact. No force acts on the root, and no recorded
motion is played back. Speeds are scaled from a body of 1.75 m by √(leg length / leg length of that body)
(`walker/parameters.py` (2)). The functions work on plain floats only.
"""

import math
from collections.abc import Callable
from functools import cache
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from anthropi.algorithms.kinematics import kinematics as place_links
from anthropi.contact.geometry.contacts import contacts
from anthropi.contact.scene import Scene
from anthropi.errors import InputError, StepError, did_you_mean
from anthropi.figure.editing.joining import combined_parts
from anthropi.figure.figure import Figure
from anthropi.gait.physics import with_physics
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.plan.phases import whole_steps
from anthropi.gait.reference.gait_angles import leg_length
from anthropi.gait.reference.norms import adult_step
from anthropi.gait.report.foot_events import by_load
from anthropi.gait.report.from_motion import foot_forces
from anthropi.gait.styles import Style, style_of, styled_walker
from anthropi.gait.walker import Command, WalkerFile, WalkingSession, load_walker
from anthropi.gait.walker.command import MAX_SPEED
from anthropi.gait.walker.external_aid import AidedSession, aids_of
from anthropi.gait.walker.limits import WalkerLimits, speed_note, warn_of
from anthropi.gait.walker.parameters import size_of
from anthropi.gait.walker.requirements import check_joints, joint_differences
from anthropi.motion import Motion
from anthropi.motion.motion import FootEvent

__all__ = [
    "LAST_INTERVAL",
    "RUN_INTERVAL",
    "STARTS",
    "Progress",
    "can_walk",
    "check_figure",
    "finished",
    "follow_collapse",
    "speed_range",
    "walker_session",
    "walker_walk",
]

Progress: TypeAlias = Callable[[float, float], Any]
"""A function that is called with the amount done and the total amount."""

SETS = {"walk": "natural", "run": "run"}  # kind of gait: name of its parameter set
PREFERRED_SPEEDS = {"walk": 1.3, "run": 3.0}  # [m/s], for a body of 1.75 m; ranges are in [limits] of the sets
STARTS: dict[Any, Any] = {"walk": ("walk", "stand"), "run": ("walk",)}  # "walk": already walking
RUN_INTERVAL, LAST_INTERVAL = 0.5, 0.1  # [s] between two checks; the second during the last two steps
MIN_PLANNED_SPEED = 0.3  # [m/s]; slower walks are not compared with a plan
MAX_DELAY = 2.0  # [planned durations]; a walk that has not made its steps by then fails
MAX_COLLAPSE = 1.0  # [s]
MIN_DT, MAX_DT = 1e-5, 2e-3  # [s]


def walker_walk(
    figure: Figure | Scene,
    steps: int = 20,
    *,
    speed: float | None = None,
    style: str | Style = "natural",
    kind: str = "walk",
    start: str = "walk",
    walker: str | WalkerFile | None = None,
    aid: Any = None,
    dt: float = 1e-3,
    every: int = 10,
    strict: bool = True,
    progress: Progress | None = None,
) -> Motion:
    """Compute the motion of a human figure that walks or runs, by forward simulation with a balance controller.

    Parameters
    ----------
    figure : a human of detail "standard", or a `Scene` that contains one.
    steps : number of foot strikes.
    speed : [m/s]; the preferred speed of this body and style if None.
    style : words ("tired", "very happily") or a `Style`.
    kind : "walk" or "run".
    start : "walk" (already walking, just after a strike of the left foot) or "stand".
    walker : name of a parameter set, a .toml file or a `WalkerFile`; the set for this kind of gait if None.
    aid : an `Aid` or several: external moments that hold segments (animation, not physics).
    dt : time step [s].
    every : steps between frames: 1, 2, 5 or 10, for 1000 to 100 frames a second. It does not change the walk.
        Forces are means over the steps of a frame, so every=1 records the forces of each step.
    strict : if True, raise StepError if the figure falls (`gait/falls.py`); otherwise the motion ends at most 0.6 s
        after the fall.
    progress : function that is called with the steps made and the total number of steps.

    Returns
    -------
    A `Motion` with FootEvents (`gait/report/foot_events.py`) and the channels "contact", "contact_point" and
    "tau". Its metadata are "walk" (method, kind, commanded speed [m/s], steps, style, start, plan, fell), "walker" (how
    the parameter set was made), "aid" (None if there is no external moment), "contacts", "fell", "fall_time" [s],
    "fall_cause" (None without a fall), "method" and "residual" (`gait/physics.py`). A fall is also an event "fall".

    Raises
    ------
    InputError for a wrong argument. StepError if the figure falls (strict=True) or stops stepping; its `motion`
    contains the walk up to that time.
    """
    count = whole_steps(steps)
    session, own, commanded = walker_session(
        figure, speed=speed, style=style, kind=kind, start=start, walker=walker, aid=aid, dt=dt, every=every
    )
    plan = _plan(session.figure, kind, commanded)
    latest = 3.0 + MAX_DELAY * count * (plan["step_time"] if plan else 1.0)
    session.command(Command(True, commanded))
    while session.steps < count and not session.fallen:
        session.run(RUN_INTERVAL if session.steps + 2 < count else LAST_INTERVAL)
        if progress is not None:
            progress(min(session.steps, count), count)
        if session.time > latest:
            raise StepError(
                f"After {session.time:.1f} s the figure has made only {session.steps} of {count} steps at a commanded "
                f"speed of {commanded:g} m/s. Give another speed.",
                finished(session),
            )
    steps_made = session.steps
    session.run(LAST_INTERVAL)  # so that the motion contains the last strike, or the fall
    follow_collapse(session)
    about = {
        "method": "walker",
        "kind": kind,
        "speed": commanded,
        "steps": steps_made,
        "style": own.name,
        "start": start,
        "plan": plan,
        "fell": session.fallen,
    }
    motion = finished(session, walk=about)
    if session.fall is not None and strict:
        raise StepError(
            f"The figure fell at {session.fall.time:.2f} s ({session.fall.cause}), after {steps_made} of {count} steps "
            f"at {commanded:g} m/s in the style '{own.name}'. Use strict=False to get the motion with the fall.",
            motion,
        )
    return motion


def walker_session(
    figure: Figure | Scene,
    *,
    speed: float | None = None,
    style: str | Style = "natural",
    kind: str = "walk",
    start: str = "walk",
    walker: str | WalkerFile | None = None,
    aid: Any = None,
    dt: float = 1e-3,
    every: int = 10,
) -> tuple[WalkingSession, Style, float]:
    """Make a walking session, without a command yet. The parameters are those of `walker_walk`.

    Returns
    -------
    The session, its style and the speed to command [m/s].
    """
    if kind not in SETS:
        raise InputError(f"Unknown kind={kind!r}.{did_you_mean(str(kind), SETS)} Choose one of: {', '.join(SETS)}.")
    if start not in STARTS[kind]:
        hint = did_you_mean(str(start), STARTS[kind])
        raise InputError(
            f"start={start!r} is not possible for kind='{kind}'.{hint} Choose one of: {', '.join(STARTS[kind])}."
        )
    if not _is_number(dt) or not MIN_DT <= dt <= MAX_DT:
        raise InputError(f"dt={dt!r}: give a time step from 1e-5 to 2e-3 s. The walker is tuned for 1e-3 s.")
    body = figure.figure if isinstance(figure, Scene) else figure
    check_figure(body, figure if isinstance(figure, Scene) else None)
    own = style if isinstance(style, Style) else style_of(style)
    plain = load_walker(SETS[kind] if walker is None else walker)
    commanded = _speed(body, kind, speed, own, plain.limits)
    file = styled_walker(plain)(own)
    aids = aids_of(body, aid)
    options: dict[str, Any] = {"dt": float(dt), "every": every}
    session = (
        AidedSession(figure, file, start, aids=aids, **options)
        if aids
        else WalkingSession(figure, file, start, **options)
    )
    session.warns = False  # the speed has been checked above
    return session, own, commanded


def follow_collapse(session: WalkingSession) -> None:
    """Run a session on while its figure collapses, until it falls or recovers, for at most `MAX_COLLAPSE`.

    A walk that has made its steps may be about to fall.
    """
    end = session.time + MAX_COLLAPSE
    while session.collapses and session.time < end:
        session.run(LAST_INTERVAL)


def finished(session: WalkingSession, **about: Any) -> Motion:
    """Return the motion of a session with foot events. The keywords are added to its metadata."""
    m = session.motion()
    forces, loaded = foot_forces(m, np.eye(3)), _loads_at_start(session.scene, m.q[0], m.u[0], session.dt)
    events: list[Any] = list(m.events)
    for side, force in (forces or {}).items():
        time, load = m.time, force[:, 2]
        if len(time) > 1:  # forces are means over intervals, so a contact in the first interval begins at its start
            time, load = np.insert(time, 0, 2.0 * time[0] - time[1]), np.insert(load, 0, loaded[side])
        for what, times in zip(("strike", "off"), by_load(time, load), strict=True):
            events += [FootEvent(float(t), side, what) for t in times]
    events.sort(key=lambda event: event.time)
    whole = Motion(m.figure, m.time, m.q, m.u, m.channels, tuple(events), {"aid": None} | m.metadata | about)
    return with_physics(whole, "walker")


def _loads_at_start(scene: Scene, q: np.ndarray, u: np.ndarray, dt: float) -> dict[str, float]:
    """Return the vertical contact force [N] on each leg in the state (q, u)."""
    k = place_links(scene.figure, q, u)
    found = contacts(scene, 0.0, k)
    forces = scene.contact.force(scene, found, k, scene.contact.memory(scene), dt)[0].forces
    names = [scene.figure.links[x.a].name for x in found]
    feet = {side: (f"{side}_foot", f"{side}_toes") for side in "lr"}
    return {
        side: sum(float(f[2]) for f, name in zip(forces, names, strict=True) if name in own)
        for side, own in feet.items()
    }


def can_walk(figure: Any) -> bool:
    """Return whether a figure has the joints that the walker moves, and no other moving joints."""
    return isinstance(figure, Figure) and not joint_differences(figure)


def speed_range(figure: Figure, kind: str = "walk") -> tuple[float, float, float]:
    """Return the smallest, preferred and largest speed [m/s] of a figure; kind is "walk" or "run"."""
    factor = float(size_of(figure).time)
    low, high = _limits_of_kind(kind).speed or (0.0, MAX_SPEED)
    return factor * low, factor * PREFERRED_SPEEDS[kind], factor * high


@cache
def _limits_of_kind(kind: str) -> WalkerLimits:
    """Return the limits of the standard parameter set for a kind of gait."""
    return load_walker(SETS[kind]).limits


def _is_number(x: Any) -> bool:
    return isinstance(x, Real) and not isinstance(x, bool) and math.isfinite(x)


def check_figure(figure: Any, scene: Any = None) -> None:
    """Raise InputError if the walker cannot move a figure, which may be that of a scene."""
    if not isinstance(figure, Figure):
        raise InputError(f"walk got {type(figure).__name__}; give a human figure, such as ap.human(1.75, 75).")
    parts = combined_parts(figure)
    if len(parts) > 1:
        raise InputError(
            f"The scene contains {len(parts)} figures ({', '.join(p.name for p in parts)}), but walk moves only one. "
            "Use a scene with one human, ap.Scene(figure), and represent the others by obstacles."
        )
    check_joints(figure, "The walker", "" if scene is not None else " Use method='hidds' for other figures with legs.")


def _speed(figure: Figure, kind: str, speed: float | None, style: Style, limits: WalkerLimits) -> float:
    """Return the speed to command [m/s]; warn if it will not be kept, and raise InputError if it is out of range."""
    low, usual, high = speed_range(figure, kind)
    factor = float(size_of(figure).time)
    if limits.speed is not None:
        low, high = factor * limits.speed[0], factor * limits.speed[1]
    if speed is None:
        return round(min(max(usual * style.speed, low), high), 3)
    if not _is_number(speed):
        raise InputError(f"speed={speed!r}: give a finite number of metres per second.")
    if not low - 1e-9 <= speed <= high + 1e-9:
        verb = {"walk": "walks", "run": "runs"}[kind]
        raise InputError(
            f"speed={speed:g} m/s is out of range. Figure '{figure.name}' {verb} at {low:.2f} to {high:.2f} m/s."
            f"{_other_speed(figure, kind, speed)}"
        )
    warn_of(speed_note(limits, float(speed), factor), stacklevel=5)
    return float(speed)


def _other_speed(figure: Figure, kind: str, speed: float) -> str:
    """Return the remedy for a speed that is out of range."""
    walks, runs = speed_range(figure, "walk"), speed_range(figure, "run")
    if walks[2] < speed < runs[0]:
        return (
            f" It walks up to {walks[2]:.2f} m/s and runs from {runs[0]:.2f} m/s (kind='run'); no parameter set is for "
            "speeds between."
        )
    if kind == "walk" and speed > walks[2]:
        return " Use kind='run' to run."
    if kind == "walk" and 0.0 <= speed < walks[0]:
        return ' At lower commands it falls or walks backwards. To stand, use a script such as "stand 5 s".'
    return ""


def _plan(figure: Figure, kind: str, speed: float) -> dict[str, float] | None:
    """Return a plan to compare a walk with: the step frequency of adults at this speed, and the times of `GaitPlan`."""
    if speed < MIN_PLANNED_SPEED:
        return None
    often = {"step_frequency": adult_step(speed, float(leg_length(figure))).step_frequency} if kind == "walk" else {}
    plan = GaitPlan.of(figure, velocity=speed, kind=kind, **often)
    return {
        "velocity": plan.velocity,
        "step_length": plan.step_length,
        "step_time": plan.step,
        "double_support": plan.double_support,
        "stance_fraction": plan.stance_fraction,
    }
