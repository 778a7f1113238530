"""Handlers for live runs, and for posing a figure by inverse kinematics when no live run is in progress.

Posing uses damped least squares with a few iterations per call. It does not use a kernel, because each call may have
another point:

    δ = Jᵀ (J Jᵀ + λ² 1)⁻¹ e,   q ⊞ δ, clipped to the limits                                                   (1)

Works on plain floats only; cannot be recorded on a tape.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from anthropi.algorithms.jacobians import point_jacobian
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import StateError
from anthropi.figure import Figure
from anthropi.gait.walker import Command
from anthropi.gait.walker.limits import Going, body_notes, change_notes, steepness_note
from anthropi.gait.walker.parameters import size_of
from anthropi.studio import messages as m
from anthropi.studio.live.models import SceneModel, WalkerModel
from anthropi.studio.live.run import Run
from anthropi.studio.session.dofs import place_in_world
from anthropi.studio.session.figures import edited
from anthropi.studio.session.session import StudioSession, handles, handles_immediately
from anthropi.studio.session.world import set_ground

__all__ = ["joints_outside_limb", "live_start", "reach"]


MAX_STEPS = 8  # iterations of (1) per call; few, because a drag makes many calls
POSITION_TOLERANCE = 1e-4  # [m]
MAX_STEP_LENGTH = 0.15  # [m] largest error that one iteration reduces, because (1) is a linear approximation
DAMPING = 0.05  # λ [m]
PINNED_WEIGHT = 5.0  # weight of a pinned link, relative to that of the dragged link


Target = tuple[str, Any, Any, float]  # link, point (3,) [m, link frame], place (3,) [m, world], weight


def reach(figure: Figure, q: np.ndarray, targets: list[Target], fixed: Sequence[str] = ()) -> np.ndarray:
    """Compute a configuration (nq,) near q that moves points of links towards target positions.

    Parameters
    ----------
    figure : the figure.
    q : (nq,) the configuration to start from.
    targets : a list of (link, point (3,) [m, link frame], target position (3,) [m, world], weight).
    fixed : names of joints or degrees of freedom that do not move.
    """
    free = np.ones(figure.nu)
    free[list(figure.dof_indices(fixed))] = 0.0
    if not free.any():
        raise StateError(f"No joint of figure '{figure.name}' can move: all are fixed. Release one first.")
    for _ in range(MAX_STEPS):
        k = kinematics(figure, q)
        rows, errors = [], []
        for link, point, place, weight in targets:
            i = figure.link_index(link)
            offset = np.asarray(place) - (k.position[i] + k.rotation[i] @ np.asarray(point))
            length = float(np.linalg.norm(offset))
            errors.append(weight * (offset if length <= MAX_STEP_LENGTH else offset * (MAX_STEP_LENGTH / length)))
            rows.append(weight * np.asarray(point_jacobian(figure, k, q, i, np.asarray(point)), float)[3:] * free)
        e, J = np.concatenate(errors), np.concatenate(rows)
        if float(np.abs(e).max()) < POSITION_TOLERANCE:
            break
        delta = J.T @ np.linalg.solve(J @ J.T + DAMPING**2 * np.eye(len(e)), e)  # (1)
        q = _clipped(figure, figure.integrate(q, delta * free))
    return q


def joints_outside_limb(figure: Figure, link: str) -> tuple[str, ...]:
    """Return the names of the joints that a drag of a link leaves alone.

    The limb of a link reaches from it up to the first link with several children, such as the thorax or the pelvis, or
    to a root that is free to move.
    """
    i = figure.link_index(link)
    limb = {i}
    while (p := figure.parent[i]) >= 0 and len(figure.children[p]) < 2 and figure.joints[p].kind != "free":
        limb.add(i := p)
    return tuple(joint.name for k, joint in enumerate(figure.joints) if k not in limb and joint.nu)


def _clipped(figure: Figure, q: Any) -> np.ndarray:
    """Return a configuration clipped to the joint limits."""
    q = np.array(q, float)
    for i, joint in enumerate(figure.joints):
        if joint.nu and (np.isfinite(joint.lower).any() or np.isfinite(joint.upper).any()):
            at = figure.q_of[i]
            x = np.asarray(joint.coordinates(q[at]), float)
            clipped = np.clip(x, joint.lower, joint.upper)
            if (clipped != x).any():
                q[at] = joint.from_coordinates(clipped)
    return q


def _run(session: StudioSession) -> Run:
    if session.live is None:
        raise StateError("No live run is in progress. Start one first.")
    return session.live


@handles(m.LiveStart)
def live_start(session: StudioSession, command: m.LiveStart) -> m.LiveStarted:
    """Start a live run. A live run that is in progress ends first."""
    if session.live is not None:
        session.live.stop()
    model: SceneModel | WalkerModel
    if command.dynamics == "walk":
        model = WalkerModel(
            session.project, command.figure, command.speed, command.style, command.start, session.live_settings
        )
    else:
        session.project.item(command.figure)
        model = SceneModel(session.project, command.dynamics == "contact", None)
    session.number_of_runs += 1
    run = Run(session, session.number_of_runs, model, session.live_settings)
    session.live = run
    if session.project.shown is not None:
        session.put(session.project.changed(shown=None))
    session.emit(run.view())
    run.start()
    if isinstance(model, WalkerModel):
        _emit_body_notes(session, model)
        _emit_command_notes(session, model, None, "", command.speed)
        _emit_ground_notes(session, model, session.project.world.ground)
    return m.LiveStarted(run.number, model.numbers() if isinstance(model, WalkerModel) else ())


@handles_immediately(m.FrameSeen)
def frame_seen(session: StudioSession, _: m.FrameSeen) -> None:
    """Do nothing: the server itself handles the acknowledgements of each connection."""


@handles_immediately(m.LivePause)
def live_pause(session: StudioSession, command: m.LivePause) -> None:
    """Pause or continue the live run."""
    _run(session).pause(command.paused)


@handles(m.LiveStop)
def live_stop(session: StudioSession, command: m.LiveStop) -> None:
    """End the live run."""
    _run(session).stop(command.keep)


@handles_immediately(m.LivePace)
def live_pace(session: StudioSession, command: m.LivePace) -> None:
    """Set the pace of the live run."""
    _run(session).set_pace(command.pace)


@handles(m.LiveWalk)
def live_walk(session: StudioSession, command: m.LiveWalk) -> None:
    """Change the walker's command, and the ground if given."""
    run = _run(session)
    changes = {n: getattr(command, n) for n in ("go", "speed", "style", "turn", "heading")}
    model = run.model
    before, style = (model.command, model.style.name) if isinstance(model, WalkerModel) else (None, "")
    run.set_command(**{n: x for n, x in changes.items() if x is not None})
    _emit_command_notes(session, model, before, style, command.speed)
    if command.ground is not None:
        _emit_ground_notes(session, model, command.ground)
        set_ground(session, m.SetGround(command.ground))


@handles_immediately(m.DragLink)
def drag_link(session: StudioSession, command: m.DragLink) -> None:
    """Pull a point of a link to a target with a spring."""
    _run(session).set_drag(command.figure, command.link, command.point, command.target, command.stiffness)


@handles_immediately(m.ReleaseLink)
def release_link(session: StudioSession, _: m.ReleaseLink) -> None:
    """End the drag of a link."""
    if session.live is not None:
        session.live.release()


@handles_immediately(m.Impulse)
def impulse(session: StudioSession, command: m.Impulse) -> None:
    """Apply an impulse to a link."""
    _run(session).push(command.figure, command.link, command.point, command.impulse)


@handles(m.PoseLink)
def pose_link(session: StudioSession, command: m.PoseLink) -> None:
    """Move a point of a link to a target by inverse kinematics.

    Pinned links keep their position. Without pinned links, only the limb of the link moves: a drag of a hand leaves the
    spine and the other arm alone.
    """
    item = session.project.item(command.figure)
    figure = item.figure
    figure.link_index(command.link)
    targets: list[Target] = [(command.link, np.array(command.point), np.array(command.target), 1.0)]
    for link in command.pinned:
        targets.append((link, np.zeros(3), place_in_world(item, link, (0.0, 0.0, 0.0)), PINNED_WEIGHT))
    fixed = () if command.pinned else joints_outside_limb(figure, command.link)
    edited(
        session, item.with_state(reach(figure, item.state.q, targets, fixed)), f"pose '{command.link}'", command.done
    )


# notes on commands that are outside the limits of the walker (`gait/walker/limits.py`)


def _emit_body_notes(session: StudioSession, model: Any) -> None:
    """Send notes on the body of a walker to the browsers."""
    figure = model.problem.figure
    _emit(session, body_notes(model.file.limits, figure, float(size_of(figure).length)))


def _emit_command_notes(
    session: StudioSession, model: Any, before: Command | None, style: str, speed: float | None
) -> None:
    """Send notes on the present command of a walker: a reduced or untested speed, a stop, a turn on the spot.

    Parameters
    ----------
    before, style : the command and the style before the present one; before is None at the start.
    speed : [m/s] the speed that was asked for, if any.
    """
    limits, factor, now = model.file.limits, float(size_of(model.problem.figure).time), model.command
    old, new = _going(before, style), _going(now, model.style.name)
    notes = change_notes(limits, old, new, factor)
    known = change_notes(limits, Going(), old, factor)  # said already: a slider sends many commands
    if speed is not None and abs(speed - now.speed) > 1e-9:
        low, high = model.speeds
        notes.append(f"speed={speed:g} m/s: this figure walks at {low:.2f} to {high:.2f} m/s. It goes {now.speed:.2f}.")
    same_side = before is not None and bool(known) and before.go and now.go
    _emit(session, [] if same_side else notes)


def _emit_ground_notes(session: StudioSession, model: Any, ground: m.Ground) -> None:
    """Send a note on a ramp that is steeper than the slopes for which the walker was tested."""
    if ground.kind == "slope":
        _emit(session, steepness_note(model.file.limits, abs(math.tan(ground.slope))))


def _going(command: Command | None, style: str) -> Going:
    if command is None:
        return Going()
    return Going("walk" if command.go else "stand", float(command.speed), float(command.heading), style)


def _emit(session: StudioSession, notes: list[str]) -> None:
    for note in notes:
        session.emit(m.Problem(note, level="note"))
