"""Walks of the walker: run a `WalkingSession` at a speed until it has made its steps. Plain floats only.

Forward simulation with torques at the joints and the ground under the feet; no force acts on the root and nothing is
played back. Speeds are those of a body of 1.75 m times √(leg length / its leg length) (`walker/parameters.py` (2)).
"""

import math
from collections.abc import Callable
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from anthropi.algorithms.kinematics import kinematics as place_links
from anthropi.contact.contacts import contacts
from anthropi.contact.scene import Scene
from anthropi.errors import InputError, StepError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.plan.phases import whole_steps
from anthropi.gait.reference.gait_angles import leg_length
from anthropi.gait.reference.norms import adult_step
from anthropi.gait.report.foot_events import by_load
from anthropi.gait.report.from_motion import foot_forces
from anthropi.gait.styles import Style, style_of, styled_walker
from anthropi.gait.walker import Command, WalkerFile, WalkingSession, load_walker
from anthropi.gait.walker.external_aid import AidedSession, aids_of
from anthropi.gait.walker.joint_targets import MIDDLE, SIDED
from anthropi.gait.walker.parameters import size_of
from anthropi.motion import Motion
from anthropi.motion.motion import FootEvent

__all__ = [
    "RUN_INTERVAL",
    "SPEEDS",
    "STARTS",
    "Progress",
    "can_walk",
    "finished",
    "speed_range",
    "walker_session",
    "walker_walk",
]

Progress: TypeAlias = Callable[[float, float], Any]
"""A function of what is done and what there is in all."""

SETS = {"walk": "natural", "run": "run"}  # kind of gait: its set of parameters
SPEEDS = {"walk": (0.0, 1.3, 1.8), "run": (2.7, 3.0, 3.3)}  # [m/s] least, preferred, largest, of a body of 1.75 m
STARTS: dict[Any, Any] = {"walk": ("walk", "stand"), "run": ("walk",)}  # "walk": on the gait
RUN_INTERVAL, LAST_INTERVAL = 0.5, 0.1  # [s] between two checks; between the last ones
MIN_PLANNED_SPEED = 0.3  # [m/s] below which there is no plan to compare a walk with
MAX_DELAY = 2.0  # planned durations after which a walk that has not made its steps is given up
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
    strict: bool = True,
    progress: Progress | None = None,
) -> Motion:
    """Walk with a human figure by forward simulation.

    Parameters
    ----------
    figure : a human of detail "standard", or a `Scene` with one.
    steps : number of strikes.
    speed : [m/s]; the preferred speed of this body and style if None.
    style : words ("tired", "very happily") or a `Style`.
    kind : "walk" or "run".
    start : "walk", on the gait as the left foot has struck, or "stand".
    walker : name of a set, a .toml file or a `WalkerFile`; the set of the kind if None.
    aid : an `Aid` or several: external moments that hold segments (animation, not physics).
    dt : time step [s].
    strict : raise StepError if the figure falls; otherwise the motion ends there.
    progress : function of the steps done and the steps in all.

    Returns
    -------
    A `Motion` of 100 frames a second with FootEvents (`gait/report/foot_events.py`), channels "contact" and "tau", and
    metadata: "walk" (method, kind, commanded speed [m/s], steps, style, start, plan, fell), "walker" (how its set was
    made), "aid" (None: no external moment), "contacts".

    Raises
    ------
    InputError for a wrong argument; StepError, whose `motion` holds all until then, if the figure falls (strict) or
    stops stepping.
    """
    count = whole_steps(steps)
    session, own, commanded = walker_session(
        figure, speed=speed, style=style, kind=kind, start=start, walker=walker, aid=aid, dt=dt
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
                f"After {session.time:.1f} s the figure has made {session.steps} of {count} steps: it no longer steps "
                f"at the command of {commanded:g} m/s.",
                finished(session),
            )
    steps_made = session.steps
    session.run(LAST_INTERVAL)  # so that the motion contains the last strike
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
    if session.fallen and strict:
        raise StepError(
            f"The figure fell at {session.time:.2f} s, after {session.steps} of {count} steps at {commanded:g} m/s in "
            f"the style '{own.name}'. strict=False gives the motion until then.",
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
) -> tuple[WalkingSession, Style, float]:
    """Make a walking session that has not been given a command yet.

    Parameters
    ----------
    As of `walker_walk`.

    Returns
    -------
    The session, its style and the speed [m/s] to command.
    """
    if kind not in SETS:
        raise InputError(f"kind={kind!r}.{did_you_mean(str(kind), SETS)} Choose: {', '.join(SETS)}.")
    if start not in STARTS[kind]:
        hint = did_you_mean(str(start), STARTS[kind])
        raise InputError(f"start={start!r}.{hint} To {kind}, choose: {', '.join(STARTS[kind])}.")
    if not _is_number(dt) or not MIN_DT <= dt <= MAX_DT:
        raise InputError(f"dt={dt!r}: give 1e-5 to 2e-3 s; the walker is made for 1e-3.")
    body = figure.figure if isinstance(figure, Scene) else figure
    _check(body)
    own = style if isinstance(style, Style) else style_of(style)
    commanded = _speed(body, kind, speed, own)
    file = styled_walker(load_walker(SETS[kind] if walker is None else walker))(own)
    aids = aids_of(body, aid)
    if aids:
        return AidedSession(figure, file, start, aids=aids, dt=float(dt)), own, commanded
    return WalkingSession(figure, file, start, dt=float(dt)), own, commanded


def finished(session: WalkingSession, **about: Any) -> Motion:
    """Return the motion of a session with foot events; `about` is added to its metadata."""
    m = session.motion()
    forces, loaded = foot_forces(m, np.eye(3)), _loads_at_start(session.scene, m.q[0], m.u[0], session.dt)
    events: list[FootEvent] = []
    for side, force in (forces or {}).items():
        time, load = m.time, force[:, 2]
        if len(time) > 1:  # forces are means over intervals: a contact that begins in the first strikes at its start
            time, load = np.insert(time, 0, 2.0 * time[0] - time[1]), np.insert(load, 0, loaded[side])
        for what, times in zip(("strike", "off"), by_load(time, load), strict=True):
            events += [FootEvent(float(t), side, what) for t in times]
    return Motion(m.figure, m.time, m.q, m.u, m.channels, tuple(sorted(events)), {"aid": None} | m.metadata | about)


def _loads_at_start(scene: Scene, q: np.ndarray, u: np.ndarray, dt: float) -> dict[str, float]:
    """Vertical contact force [N] on each leg at the instant (q, u)."""
    k = place_links(scene.figure, q, u)
    found = contacts(scene, 0.0, k)
    forces = scene.contact.force(scene, found, k, scene.contact.memory(scene), dt)[0].forces
    names = [scene.figure.links[x.a].name for x in found]
    return {
        s: sum(float(f[2]) for f, name in zip(forces, names, strict=True) if name.startswith(f"{s}_")) for s in "lr"
    }


def can_walk(figure: Any) -> bool:
    """Return whether a figure has exactly the joints that the walker moves."""
    return isinstance(figure, Figure) and not _other_joints(figure)


def speed_range(figure: Figure, kind: str = "walk") -> tuple[float, float, float]:
    """Least, preferred and largest speed [m/s] of a body, to "walk" or to "run"."""
    factor = float(size_of(figure).time)
    low, usual, high = SPEEDS[kind]
    return factor * low, factor * usual, factor * high


def _is_number(x: Any) -> bool:
    return isinstance(x, Real) and not isinstance(x, bool) and math.isfinite(x)


def _other_joints(figure: Figure) -> list[str]:
    """Joints that a figure lacks or has in addition to those of the walker."""
    names = {joint.name for joint in figure.joints[1:]}
    return sorted(names ^ {*MIDDLE, *(f"{side}_{name}" for side in "lr" for name in SIDED)})


def _check(figure: Any) -> None:
    """Raise InputError if the walker cannot move a figure."""
    if not isinstance(figure, Figure):
        raise InputError(f"walk got {type(figure).__name__}; give a human figure, as ap.human(1.75, 75).")
    others = _other_joints(figure)
    if others:
        raise InputError(
            f"The walker moves ap.human(detail='standard'); figure '{figure.name}' differs by joint '{others[0]}'"
            f"{' and others' if len(others) > 1 else ''}. method='hidds' walks other figures with legs."
        )


def _speed(figure: Figure, kind: str, speed: float | None, style: Style) -> float:
    """Speed to command [m/s]; InputError if it is out of range."""
    low, usual, high = speed_range(figure, kind)
    if speed is None:
        return round(min(max(usual * style.speed, low), high), 3)
    if not _is_number(speed):
        raise InputError(f"speed={speed!r}: give metres a second, a finite number.")
    if not low <= speed <= high + 1e-9:
        verb = {"walk": "walks", "run": "runs"}[kind]
        other = " kind='run' runs." if kind == "walk" and speed > high else ""
        raise InputError(f"speed={speed:g} m/s: figure '{figure.name}' {verb} at {low:.2f} to {high:.2f} m/s.{other}")
    return float(speed)


def _plan(figure: Figure, kind: str, speed: float) -> dict[str, float] | None:
    """Plan to compare a walk with: the step frequency of adults at this speed and the times of `GaitPlan`."""
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
