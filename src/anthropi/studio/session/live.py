"""By hand: which configuration near this one brings a point of a link to a place? Damped least squares, a few steps.

    δ = W Jᵀ (J W Jᵀ + λ² 1)⁻¹ e,   q ⊞ δ, cut to the limits                                                   (1)

No kernel is made, since every place that somebody grips is another one. Floats only.

Lives
-----
Commands to a live run, and by hand when nothing runs.
"""

import numpy as np

from anthropi.algorithms.jacobians import point_jacobian
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import StateError
from anthropi.studio import messages as m
from anthropi.studio.live.models import SceneModel, WalkerModel
from anthropi.studio.live.run import Run
from anthropi.studio.session.dofs import place_in_world
from anthropi.studio.session.figures import edited
from anthropi.studio.session.session import at_once, handles
from anthropi.studio.session.world import set_ground

__all__ = ["live_start", "reach"]


STEPS, NEAR = 8, 1e-4  # at most; [m]
FAR = 0.15  # [m] that a step goes for at most
DAMPING = 0.05  # λ [m]


def reach(figure, q, grips, still=()) -> np.ndarray:
    """q (nq,) that brings points near to places.

    grips : (link, point (3,) in it, place (3,), weight)s. still : degrees of freedom that do not move.
    """
    free = np.ones(figure.nu)
    free[list(figure.dof_indices(still))] = 0.0
    if not free.any():
        raise StateError(f"Nothing of figure '{figure.name}' may move: all its joints are held.")
    for _ in range(STEPS):
        k = kinematics(figure, q)
        rows, errors = [], []
        for link, point, place, weight in grips:
            i = figure.link_index(link)
            apart = np.asarray(place) - (k.position[i] + k.rotation[i] @ np.asarray(point))
            length = float(np.linalg.norm(apart))
            errors.append(weight * (apart if length <= FAR else apart * (FAR / length)))
            rows.append(weight * np.asarray(point_jacobian(figure, k, q, i, np.asarray(point)), float)[3:] * free)
        e, J = np.concatenate(errors), np.concatenate(rows)
        if float(np.abs(e).max()) < NEAR:
            break
        delta = J.T @ np.linalg.solve(J @ J.T + DAMPING**2 * np.eye(len(e)), e)  # (1)
        q = _within(figure, figure.integrate(q, delta * free))
    return q


def _within(figure, q) -> np.ndarray:
    """A configuration cut to the limits."""
    q = np.array(q, float)
    for i, joint in enumerate(figure.joints):
        if joint.nu and (np.isfinite(joint.lower).any() or np.isfinite(joint.upper).any()):
            at = figure.q_of[i]
            x = np.asarray(joint.coordinates(q[at]), float)
            cut = np.clip(x, joint.lower, joint.upper)
            if (cut != x).any():
                q[at] = joint.from_coordinates(cut)
    return q


PINNED = 5.0  # how much more a pinned link counts than the one that is pulled


def _run(desk) -> Run:
    if desk.live is None:
        raise StateError("Nothing runs live. Start it first.")
    return desk.live


@handles(m.LiveStart)
def live_start(desk, command) -> m.LiveStarted:
    """Begin to simulate."""
    if desk.live is not None:
        desk.live.stop()
    thing: SceneModel | WalkerModel
    if command.dynamics == "walk":
        thing = WalkerModel(desk.project, command.figure, command.speed, command.style, command.start)
    else:
        desk.project.item(command.figure)
        thing = SceneModel(desk.project, command.dynamics == "contact", None)
    desk.number_of_runs += 1
    run = Run(desk, desk.number_of_runs, thing)
    desk.live = run
    if desk.project.shown is not None:
        desk.put(desk.project.changed(shown=None))
    desk.emit(run.view())
    run.start()
    return m.LiveStarted(run.number, thing.numbers() if isinstance(thing, WalkerModel) else ())


@at_once(m.FrameSeen)
def frame_seen(desk, _) -> None:
    """For the server, which knows whose frames these are."""


@at_once(m.LivePause)
def live_pause(desk, command) -> None:
    """Pause or go on."""
    _run(desk).pause(command.paused)


@handles(m.LiveStop)
def live_stop(desk, command) -> None:
    """End the run."""
    _run(desk).stop(command.keep)


@at_once(m.LivePace)
def live_pace(desk, command) -> None:
    """How fast time goes."""
    _run(desk).set_pace(command.pace)


@handles(m.LiveWalk)
def live_walk(desk, command) -> None:
    """What the walker does from now on."""
    run = _run(desk)
    told = {n: getattr(command, n) for n in ("go", "speed", "style", "turn", "heading")}
    run.walk(**{n: x for n, x in told.items() if x is not None})
    if command.ground is not None:
        set_ground(desk, m.SetGround(command.ground))


@at_once(m.DragLink)
def drag_link(desk, command) -> None:
    """A hand on a link."""
    _run(desk).hold(command.figure, command.link, command.point, command.target, command.stiffness)


@at_once(m.ReleaseLink)
def release_link(desk, _) -> None:
    """Let go."""
    if desk.live is not None:
        desk.live.release()


@at_once(m.Impulse)
def impulse(desk, command) -> None:
    """A blow on a link."""
    _run(desk).blow(command.figure, command.link, command.point, command.impulse)


@handles(m.PoseLink)
def pose_link(desk, command) -> None:
    """Bring a point of a link to a place by inverse kinematics. What is pinned stays; the root does, if nothing is."""
    item = desk.project.item(command.figure)
    figure = item.figure
    figure.link_index(command.link)
    grips = [(command.link, np.array(command.point), np.array(command.target), 1.0)]
    for link in command.pinned:
        grips.append((link, np.zeros(3), place_in_world(item, link, (0.0, 0.0, 0.0)), PINNED))
    root = figure.joints[0]
    still = (root.name,) if root.nu and not command.pinned and figure.link_index(command.link) else ()
    edited(desk, item.with_state(reach(figure, item.state.q, grips, still)), f"pose '{command.link}'", command.done)
