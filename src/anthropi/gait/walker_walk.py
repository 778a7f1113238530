"""How does a standard human figure walk by itself? A `Session` is told a speed, and runs until it has made its steps.

The dynamic road: torques at the joints, the ground under the feet, nothing at the root, and nothing played back. Speeds
are those of a body of 1.75 m times √(leg / its leg) (`gait/walker/parameters.py`). Floats only.
"""

import math
from numbers import Real
from typing import Any

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
from anthropi.gait.walker import Command, WalkingSession, load_walker
from anthropi.gait.walker.external_aid import AidedSession, aids_of
from anthropi.gait.walker.joint_targets import MIDDLE, SIDED
from anthropi.gait.walker.parameters import size_of
from anthropi.motion import Motion
from anthropi.motion.motion import FootEvent

__all__ = ["PIECE", "SPEEDS", "STARTS", "can_walk", "finished", "speed_range", "walker_session", "walker_walk"]

SETS = {"walk": "natural", "run": "run"}  # kind: the set of a walker
SPEEDS = {"walk": (0.0, 1.3, 1.8), "run": (2.7, 3.0, 3.3)}  # [m/s] least, preferred, most, of a body of 1.75 m
STARTS = {"walk": ("walk", "stand"), "run": ("walk",)}  # "walk": on the gait
PIECE, LAST = 0.5, 0.1  # [s] between two looks; near the end
PLANNED = 0.3  # [m/s] below which there is no plan to hold a walk against
LATE = 2.0  # times as long as planned: it does not step any more


def walker_walk(figure, steps: int = 20, *, speed: float | None = None, style: str | Style = "natural",
                kind: str = "walk", start: str = "walk", walker: Any = None, aid: Any = None, dt: float = 1e-3,
                strict: bool = True, progress=None) -> Motion:  # fmt: skip
    """How does a human figure walk by itself, in pure physics?

    Parameters
    ----------
    figure : a human of detail "standard", or a `Scene` with one. steps : how many strikes.
    speed : [m/s]; what a body of this size and style prefers if None.
    style : a word ("tired", "very happily"), or a `Style`. kind : "walk" or "run".
    start : "walk", on the gait as the left foot has struck; "stand": it stands, and starts.
    walker : a set by its name, a .toml file or a `WalkerFile`; that of the kind if None.
    aid : an `Aid` or several: external moments that hold segments (animation, not physics). dt : [s] a step of physics.
    strict : whether a fall is a StepError (its .motion has all until then); else the motion ends there.
    progress : told (steps done, steps in all).

    Returns
    -------
    A `Motion` of 100 frames a second with FootEvents (`gait/report/foot_events.py`), channels "contact" and "tau", and
    metadata: "walk" (method, kind, speed told [m/s], steps, style, start, plan, fell), "walker" (how its set was made),
    "aid" (None: nothing holds it), "contacts".
    """
    count = whole_steps(steps)
    session, own, told = walker_session(figure, speed=speed, style=style, kind=kind, start=start, walker=walker,
                                        aid=aid, dt=dt)  # fmt: skip
    plan = _plan(session.figure, kind, told)
    latest = 3.0 + LATE * count * (plan["step_time"] if plan else 1.0)
    session.command(Command(True, told))
    while session.steps < count and not session.fallen:
        session.run(PIECE if session.steps + 2 < count else LAST)
        if progress is not None:
            progress(min(session.steps, count), count)
        if session.time > latest:
            raise StepError(f"After {session.time:.1f} s the figure has made {session.steps} of {count} steps: it "
                            f"stands where it is, told {told:g} m/s.", finished(session))  # fmt: skip
    steps_made = session.steps
    session.run(LAST)  # so that the last strike is seen
    about = {"method": "walker", "kind": kind, "speed": told, "steps": steps_made, "style": own.name,
             "start": start, "plan": plan, "fell": session.fallen}  # fmt: skip
    motion = finished(session, walk=about)
    if session.fallen and strict:
        raise StepError(f"The figure fell at {session.time:.2f} s, after {session.steps} of {count} steps at "
                        f"{told:g} m/s in the style '{own.name}'. strict=False gives the motion until "
                        "then.", motion)  # fmt: skip
    return motion


def walker_session(figure, *, speed=None, style="natural", kind="walk", start="walk", walker=None, aid=None, dt=1e-3):
    """(`Session`, `Style`, speed [m/s]) of what everyday words ask for, not yet told anything."""
    if kind not in SETS:
        raise InputError(f"kind={kind!r}.{did_you_mean(str(kind), SETS)} Choose: {', '.join(SETS)}.")
    if start not in STARTS[kind]:
        raise InputError(f"start={start!r}.{did_you_mean(str(start), STARTS[kind])} To {kind}, choose: "
                         f"{', '.join(STARTS[kind])}.")  # fmt: skip
    if not _number(dt) or not 1e-5 <= dt <= 2e-3:
        raise InputError(f"dt={dt!r}: give 1e-5 to 2e-3 s; the walker is made for 1e-3.")
    body = figure.figure if isinstance(figure, Scene) else figure
    _check(body)
    own = style if isinstance(style, Style) else style_of(style)
    told = _speed(body, kind, speed, own)
    file = styled_walker(load_walker(SETS[kind] if walker is None else walker))(own)
    aids = aids_of(body, aid)
    if aids:
        return AidedSession(figure, file, start, aids=aids, dt=float(dt)), own, told
    return WalkingSession(figure, file, start, dt=float(dt)), own, told


def finished(session, **about) -> Motion:
    """What a session has done, with foot events; about : more metadata."""
    m = session.motion()
    forces, loaded = foot_forces(m, np.eye(3)), _loads_at_start(session.scene, m.q[0], m.u[0], session.dt)
    events: list[FootEvent] = []
    for side, force in (forces or {}).items():
        time, load = m.time, force[:, 2]
        if (
            len(time) > 1
        ):  # forces are means over intervals: a contact that begins in the first one strikes at its start
            time, load = np.insert(time, 0, 2.0 * time[0] - time[1]), np.insert(load, 0, loaded[side])
        times = by_load(time, load)
        events += [FootEvent(float(t), side, what) for what, row in zip(("strike", "off"), times, strict=True)
                   for t in row]  # fmt: skip
    return Motion(m.figure, m.time, m.q, m.u, m.channels, tuple(sorted(events)), {"aid": None} | m.metadata | about)


def _loads_at_start(scene, q, u, dt) -> dict[str, float]:
    """Vertical contact force [N] on each leg at the instant (q, u)."""
    k = place_links(scene.figure, q, u)
    found = contacts(scene, 0.0, k)
    forces = scene.contact.force(scene, found, k, scene.contact.memory(scene), dt)[0].forces
    names = [scene.figure.links[x.a].name for x in found]
    return {
        s: sum(float(f[2]) for f, name in zip(forces, names, strict=True) if name.startswith(f"{s}_")) for s in "lr"
    }


def _number(x) -> bool:
    return isinstance(x, Real) and not isinstance(x, bool) and math.isfinite(x)


def can_walk(figure) -> bool:
    """Whether a walker knows all joints of a figure, and finds all it needs."""
    return isinstance(figure, Figure) and not _odd(figure)


def speed_range(figure, kind: str = "walk") -> tuple[float, float, float]:
    """Least, preferred and most speed [m/s] of a body."""
    slow = _slow(figure)
    low, usual, high = SPEEDS[kind]
    return slow * low, slow * usual, slow * high


def _slow(figure) -> float:
    return float(size_of(figure).time)


def _odd(figure) -> list[str]:
    """Joints that a figure lacks, or has besides."""
    names = {joint.name for joint in figure.joints[1:]}
    return sorted(names ^ {*MIDDLE, *(f"{side}_{name}" for side in "lr" for name in SIDED)})


def _check(figure) -> None:
    if not isinstance(figure, Figure):
        raise InputError(f"walk got {type(figure).__name__}; give a human figure, as ap.human(1.75, 75).")
    odd = _odd(figure)
    if odd:
        raise InputError(f"The walker moves ap.human(detail='standard'); figure '{figure.name}' differs by joint "
                         f"'{odd[0]}'{' and others' if len(odd) > 1 else ''}. method='hidds' walks other figures with "
                         "legs.")  # fmt: skip


def _speed(figure, kind: str, speed, style: Style) -> float:
    """The speed to tell [m/s]."""
    low, usual, high = speed_range(figure, kind)
    if speed is None:
        return round(min(max(usual * style.speed, low), high), 3)
    if not _number(speed):
        raise InputError(f"speed={speed!r}: give metres a second, a finite number.")
    if not low <= speed <= high + 1e-9:
        verb = {"walk": "walks", "run": "runs"}[kind]
        other = " kind='run' runs." if kind == "walk" and speed > high else ""
        raise InputError(f"speed={speed:g} m/s: figure '{figure.name}' {verb} at {low:.2f} to {high:.2f} m/s.{other}")
    return float(speed)


def _plan(figure, kind: str, speed: float) -> dict[str, float] | None:
    """What the walk is held against: steps as often as adults' at this speed, times by the thesis (`GaitPlan`)."""
    if speed < PLANNED:
        return None
    often = {"step_frequency": adult_step(speed, float(leg_length(figure))).step_frequency} if kind == "walk" else {}
    plan = GaitPlan.of(figure, velocity=speed, kind=kind, **often)
    return {"velocity": plan.velocity, "step_length": plan.step_length, "step_time": plan.step,
            "double_support": plan.double_support, "stance_fraction": plan.stance_fraction}  # fmt: skip
