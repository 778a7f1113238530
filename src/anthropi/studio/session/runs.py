"""Handlers that start tasks to compute motions: direct, contact and hybrid dynamics, and single frames."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from anthropi.errors import InputError, StateError, StepError
from anthropi.figure import Figure
from anthropi.figure.editing.joining import combined_parts
from anthropi.gait.hidds import hidds
from anthropi.motion import Motion
from anthropi.motion.controls import driven
from anthropi.simulation.simulate import simulate
from anthropi.studio import messages as m
from anthropi.studio.messages.encoding import problem_of
from anthropi.studio.project.scene import control_of, setup_of
from anthropi.studio.project.state import FigureItem, MotionItem, Project
from anthropi.studio.session.keyframes import keyframes_of
from anthropi.studio.session.session import StudioSession, handles
from anthropi.studio.session.tasks import Task
from anthropi.studio.session.views import motion_view

__all__ = ["contact_dynamics", "direct_dynamics", "started"]

MAX_DURATION = 600.0  # [s] longest duration of a motion
MAX_FRAMES = 10_000  # largest number of frames that one command appends
MODES = {"open": "open loop", "inverse": "current state", "computed": "computed torque"}


def _seconds(duration: float) -> float:
    if not 0.0 < duration <= MAX_DURATION:
        raise InputError(f"The duration is {duration:g} s. Give more than 0 and at most {MAX_DURATION:g} s.")
    return duration


def started(session: StudioSession, what: str, compute: Callable[[Task], Any]) -> m.TaskStarted:
    """Start a task. what : its name. compute : function of the task, called in a thread."""
    return m.TaskStarted(session.tasks.start(what, compute))


def _simulated(
    session: StudioSession, project: Project, contact: bool, duration: float, figure: int | None, title: str
) -> m.TaskStarted:
    """Start a task that simulates the open figures. If the simulation diverges, the motion until then is kept."""
    setup = setup_of(project, contact, figure)
    world, alone = project.world, setup.items[0].number if len(setup.items) == 1 else None
    every = max(1, round(1.0 / (world.rate * world.dt)))
    frames = max(1, round(duration / (every * world.dt)))
    kind = "contact" if contact else "direct"

    def compute(task: Task) -> None:
        record = ("tau", "contact") if contact and setup.scene.candidates else ("tau",)
        try:
            motion = simulate(
                setup.scene,
                setup.q,
                setup.u,
                setup.controller,
                steps=frames * every,
                every=every,
                dt=world.dt,
                record=record,
                progress=task.report,
            )
        except StepError as error:
            if error.motion is None or len(error.motion) < 2:
                raise
            session.tasks.check_owner(task.number)
            session.emit(problem_of(error, task.number))
            motion = error.motion
        session.add_motion(motion, title, kind, alone, world=world if contact else None, task=task.number)

    return started(session, title, compute)


@handles(m.DirectDynamics)
def direct_dynamics(session: StudioSession, command: m.DirectDynamics) -> m.TaskStarted:
    """Start a task that simulates the figures without contact."""
    return _simulated(session, session.project, False, _seconds(command.duration), command.figure, "direct dynamics")


@handles(m.ContactDynamics)
def contact_dynamics(session: StudioSession, command: m.ContactDynamics) -> m.TaskStarted:
    """Start a task that simulates the figures with contact."""
    return _simulated(session, session.project, True, _seconds(command.duration), command.figure, "contact dynamics")


@handles(m.AnotherFrame)
def another_frame(session: StudioSession, command: m.AnotherFrame) -> m.TaskStarted:
    """Start a task that appends frames to the shown motion."""
    project = session.project
    if not 1 <= command.frames <= MAX_FRAMES:
        raise InputError(f"The number of frames is {command.frames}. Give 1 to {MAX_FRAMES}.")
    shown = project.motion_item(project.shown) if project.shown is not None else None
    whole: Motion | None = None
    if shown is not None and shown.kind in ("frame", "direct", "contact", "live"):
        project, whole = _from_end(project, shown), shown.motion
    setup = setup_of(project, command.contact, None if shown is None else shown.figure)
    world = project.world
    every = max(1, round(1.0 / (world.rate * world.dt)))

    def compute(task: Task) -> None:
        start = 0.0 if whole is None else float(whole.time[-1])
        record = ("tau", "contact") if command.contact and setup.scene.candidates else ("tau",)
        more = simulate(
            setup.scene,
            setup.q,
            setup.u,
            setup.controller,
            steps=command.frames * every,
            every=every,
            dt=world.dt,
            record=record,
            start=start,
        )
        motion = more if whole is None else _continued(whole, more)
        alone = setup.items[0].number if len(setup.items) == 1 else None
        if shown is not None and shown.kind == "frame":
            _replace_motion(session, shown, motion, task.number)
        else:
            session.add_motion(
                motion, "frame by frame", "frame", alone, world=world if command.contact else None, task=task.number
            )

    return started(session, "another frame", compute)


def _from_end(project: Project, shown: MotionItem) -> Project:
    """Return the project with the figures in the last state of a motion."""
    items = [i for i in project.items if shown.figure is None or i.number == shown.figure]
    q, u = shown.motion.q[-1], shown.motion.u[-1]
    own = combined_parts(shown.motion.figure)
    names = [tuple(d.rpartition("/")[2] for d in shown.motion.figure.dofs[p.u]) for p in own]
    if names != [tuple(d.rpartition("/")[2] for d in i.figure.dofs) for i in items]:
        raise StateError(
            "The figures have changed since this motion was computed. Compute it again, or choose 'Initial pose' under "
            "Motions to start from there."
        )
    for part, item in zip(own, items, strict=True):
        project = project.with_item(item.with_state(q[part.q], u[part.u]))
    return project


def _continued(whole: Motion, more: Motion) -> Motion:
    """Return a motion with another one appended. Channels that only one of them has are removed.

    At the frame at which the motions meet, the channels contain the values of the second motion: means over its first
    steps.
    """
    channels = {
        n: np.concatenate([x[:-1], more.channels[n]])
        for n, x in whole.channels.items()
        if n in more.channels and x.shape[1:] == more.channels[n].shape[1:] and n != "memory"
    }
    joined = (np.concatenate([a, b[1:]]) for a, b in ((whole.time, more.time), (whole.q, more.q), (whole.u, more.u)))
    time, q, u = joined
    return Motion(whole.figure, time, q, u, channels, (*whole.events, *more.events), whole.metadata)


def _replace_motion(session: StudioSession, shown: MotionItem, motion: Motion, task: int) -> None:
    session.tasks.check_owner(task)
    new = replace(shown, motion=motion)
    motions = tuple(new if x.number == shown.number else x for x in session.project.motions)
    session.edit("another frame", session.project.changed(motions=motions, shown=shown.number), quiet=True)
    session.emit(m.MotionMade(motion_view(new), task))
    session.publish()


@handles(m.StopTask)
def stop_task(session: StudioSession, command: m.StopTask) -> None:
    """Stop a task. Its motion is discarded."""
    session.tasks.stop(command.task)


@handles(m.HybridDynamics)
def hybrid_dynamics(session: StudioSession, command: m.HybridDynamics) -> m.TaskStarted:
    """Start a task that computes hybrid dynamics: inverse dynamics of a desired motion, then direct dynamics."""
    project = session.project
    item = project.item(command.figure)
    desired = _desired(project, item, command)
    floating = item.figure.joints[0].kind == "free"

    def compute(task: Task) -> None:
        root: dict[str, Any] = {"root": "driven"} if floating else {}
        motion = hidds(desired(), MODES[command.mode], progress=task.report, **root)
        session.add_motion(
            motion,
            f"hybrid dynamics, {MODES[command.mode]}",
            "hybrid",
            item.number,
            world=project.world,
            task=task.number,
        )

    return started(session, "hybrid dynamics", compute)


def _desired(project: Project, item: FigureItem, command: m.HybridDynamics) -> Callable[[], Any]:
    """Return a function that computes the desired motion from a motion, from keys or from control functions."""
    if command.motion is not None:
        motion = project.motion_item(command.motion).onto(item)
        return lambda: motion
    if item.keys:
        return lambda: keyframes_of(item, project.keys_setting)
    moves = {n: control_of(c, n) for n, c in item.controls.items() if c.of != "force"}
    if not moves:
        raise StateError(
            "Hybrid dynamics needs a desired motion. Set keys, give control functions of position, or choose a motion."
        )
    duration = _seconds(2.0 if command.duration is None else command.duration)
    drive = driven(item.figure, moves, item.state.q, item.state.u)
    return lambda: _driven_motion(item.figure, drive, duration)


def _driven_motion(figure: Figure, drive: dict[str, Any], duration: float) -> Motion:
    """Return the motion that control functions prescribe; all other degrees of freedom are at rest."""
    moved = set(figure.dof_indices(drive["prescribed"]))
    still = tuple(dof for k, dof in enumerate(figure.dofs) if k not in moved)
    u = np.array([x if k in moved else 0.0 for k, x in enumerate(drive["u"])])
    return simulate(
        figure,
        drive["q"],
        u,
        udot=drive["udot"],
        prescribed=(*drive["prescribed"], *still),
        steps=round(duration * 1000 / 8) * 8,
        dt=1e-3,
        every=8,
    )
