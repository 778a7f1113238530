"""Commands that compute motions: the three dynamics and another frame. Each is a task."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from anthropi.errors import InputError, StateError, StepError
from anthropi.gait.hidds import hidds
from anthropi.motion import Motion
from anthropi.motion.controls import driven
from anthropi.simulation.simulate import simulate
from anthropi.studio import messages as m
from anthropi.studio.messages.encoding import problem_of
from anthropi.studio.project.scene import control_of, stage_of
from anthropi.studio.project.state import Item, Made, Project
from anthropi.studio.session.session import handles

__all__ = ["contact_dynamics", "direct_dynamics", "started"]

LONGEST = 600.0  # [s] of a motion
MODES = {"open": "open loop", "inverse": "current state", "computed": "computed torque"}


def _seconds(duration: float) -> float:
    if not 0.0 < duration <= LONGEST:
        raise InputError(f"A motion of {duration:g} s: give more than 0 and at most {LONGEST:g} s.")
    return duration


def started(desk, what: str, compute) -> m.TaskStarted:
    """A task begun."""
    return m.TaskStarted(desk.tasks.start(what, compute))


def _simulated(desk, project: Project, contact: bool, duration: float, figure: int | None, title: str) -> m.TaskStarted:
    """Direct dynamics of what is open, as a task. What there was before something went wrong is kept."""
    stage = stage_of(project, contact, figure)
    world, alone = project.world, stage.items[0].number if len(stage.items) == 1 else None
    every = max(1, round(1.0 / (world.rate * world.dt)))
    frames = max(1, round(duration / (every * world.dt)))
    kind = "contact" if contact else "direct"

    def compute(task) -> None:
        record = ("tau", "contact") if contact and stage.scene.candidates else ("tau",)
        try:
            motion = simulate(stage.scene, stage.q, stage.u, stage.programme, steps=frames * every, every=every,
                              dt=world.dt, record=record, progress=task.tell)  # fmt: skip
        except StepError as error:
            if error.motion is None or len(error.motion) < 2:
                raise
            desk.emit(problem_of(error, task.number))
            motion = error.motion
        desk.add_motion(motion, title, kind, alone, world=world if contact else None, task=task.number)

    return started(desk, title, compute)


@handles(m.DirectDynamics)
def direct_dynamics(desk, command) -> m.TaskStarted:
    """Direct Dynamics - No Contact."""
    return _simulated(desk, desk.project, False, _seconds(command.duration), command.figure, "direct dynamics")


@handles(m.ContactDynamics)
def contact_dynamics(desk, command) -> m.TaskStarted:
    """Direct Contact Dynamics."""
    return _simulated(desk, desk.project, True, _seconds(command.duration), command.figure, "contact dynamics")


@handles(m.AnotherFrame)
def another_frame(desk, command) -> m.TaskStarted:
    """One more frame at the end of the shown motion."""
    project = desk.project
    if not 1 <= command.frames <= 10_000:
        raise InputError(f"{command.frames} frames: give 1 to 10000.")
    made = project.made(project.shown) if project.shown is not None else None
    whole: Motion | None = None
    if made is not None and made.kind in ("frame", "direct", "contact", "live"):
        project, whole = _from_end(project, made), made.motion
    stage = stage_of(project, command.contact, None if made is None else made.figure)
    world = project.world
    every = max(1, round(1.0 / (world.rate * world.dt)))

    def compute(task) -> None:
        start = 0.0 if whole is None else float(whole.time[-1])
        record = ("tau", "contact") if command.contact and stage.scene.candidates else ("tau",)
        more = simulate(stage.scene, stage.q, stage.u, stage.programme, steps=command.frames * every, every=every,
                        dt=world.dt, record=record, start=start)  # fmt: skip
        motion = more if whole is None else _continued(whole, more)
        alone = stage.items[0].number if len(stage.items) == 1 else None
        if made is not None and made.kind == "frame":
            _replace_motion(desk, made, motion, task.number)
        else:
            desk.add_motion(motion, "frame by frame", "frame", alone, world=world if command.contact else None,
                            task=task.number)  # fmt: skip

    return started(desk, "another frame", compute)


def _from_end(project: Project, made: Made) -> Project:
    """The project with figures in the state that a motion ends in."""
    from anthropi.figure.editing.joining import combined_parts

    items = [i for i in project.items if made.figure is None or i.number == made.figure]
    q, u = made.motion.q[-1], made.motion.u[-1]
    own = combined_parts(made.motion.figure)
    if len(own) != len(items) or any(p.q.stop - p.q.start != i.figure.nq for p, i in zip(own, items, strict=True)):
        raise StateError("The figures have changed since this motion. Run it again, or show none to start anew.")
    for part, item in zip(own, items, strict=True):
        project = project.with_item(item.with_state(q[part.q], u[part.u]))
    return project


def _continued(whole: Motion, more: Motion) -> Motion:
    """A motion and what follows it; only what both have recorded."""
    channels = {n: np.concatenate([x, more.channels[n][1:]]) for n, x in whole.channels.items()
                if n in more.channels and x.shape[1:] == more.channels[n].shape[1:] and n != "memory"}  # fmt: skip
    joined = (np.concatenate([a, b[1:]]) for a, b in ((whole.time, more.time), (whole.q, more.q), (whole.u, more.u)))
    time, q, u = joined
    return Motion(whole.figure, time, q, u, channels, (*whole.events, *more.events), whole.metadata)


def _replace_motion(desk, made: Made, motion: Motion, task: int) -> None:
    from anthropi.studio.session.views import motion_view

    new = replace(made, motion=motion)
    motions = tuple(new if x.number == made.number else x for x in desk.project.motions)
    desk.edit("another frame", desk.project.changed(motions=motions, shown=made.number), quiet=True)
    desk.emit(m.MotionMade(motion_view(new), task))
    desk.tell()


@handles(m.StopTask)
def stop_task(desk, command) -> None:
    """Stop a task."""
    desk.tasks.stop(command.task)


@handles(m.HybridDynamics)
def hybrid_dynamics(desk, command) -> m.TaskStarted:
    """HYBRID Dynamics: inverse, then direct."""
    project = desk.project
    item = project.item(command.figure)
    wanted = _wanted(project, item, command)
    floating = item.figure.joints[0].kind == "free"

    def compute(task) -> None:
        root: dict[str, Any] = {"root": "driven"} if floating else {}
        motion = hidds(wanted(), MODES[command.mode], progress=task.tell, **root)
        desk.add_motion(motion, f"hybrid dynamics, {MODES[command.mode]}", "hybrid", item.number, world=project.world,
                        task=task.number)  # fmt: skip

    return started(desk, "hybrid dynamics", compute)


def _wanted(project: Project, item: Item, command) -> Callable[[], Any]:
    """A function that gives the motion hybrid dynamics shall make: a motion's, the keys' or the controls'."""
    from anthropi.studio.session.keyframes import keyframes_of

    if command.motion is not None:
        made = project.made(command.motion)
        if made.motion.figure.nq != item.figure.nq:
            raise InputError(f"Motion '{made.title}' is of another figure than '{item.figure.name}'.")
        return lambda: made.motion
    if item.keys:
        return lambda: keyframes_of(item, project.keys_setting)
    moves = {n: control_of(c, n) for n, c in item.controls.items() if c.of != "force"}
    if not moves:
        raise StateError("Hybrid dynamics needs a motion to make: set keys, give control functions of position, or "
                         "choose a motion.")  # fmt: skip
    duration = _seconds(2.0 if command.duration is None else command.duration)
    led = driven(item.figure, moves, item.state.q, item.state.u)
    return lambda: _led(item.figure, led, duration)


def _led(figure, led, duration: float) -> Motion:
    """The motion of control functions, all else at rest."""
    moved = set(figure.dof_indices(led["prescribed"]))
    still = tuple(dof for k, dof in enumerate(figure.dofs) if k not in moved)
    u = np.array([x if k in moved else 0.0 for k, x in enumerate(led["u"])])
    return simulate(figure, led["q"], u, udot=led["udot"], prescribed=(*led["prescribed"], *still),
                    steps=round(duration * 1000 / 8) * 8, dt=1e-3, every=8)  # fmt: skip
