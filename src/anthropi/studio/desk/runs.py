"""Commands that compute motions: the three dynamics, another frame, walks and profiles. Each is a task."""

from dataclasses import replace
from typing import Any

import numpy as np

from anthropi.errors import SizeError, StepError
from anthropi.gait.determinants import Determinant, Determinants
from anthropi.gait.hidds import hidds
from anthropi.gait.plan import GaitPlan
from anthropi.gait.profile import Profile
from anthropi.gait.walking import walk as make_walk
from anthropi.gait.words import explain
from anthropi.motion import Motion, spline
from anthropi.motion.controls import driven
from anthropi.simulation.simulate import simulate
from anthropi.studio import messages as m
from anthropi.studio.desk.culprits import problem_of
from anthropi.studio.desk.dofs import control_of
from anthropi.studio.desk.handlers import does
from anthropi.studio.desk.scenes import stage_of
from anthropi.studio.state import Item, Made, Project
from anthropi.studio.world import scene_of

__all__ = ["contact_dynamics", "direct_dynamics", "walk"]

LONGEST = 600.0  # [s] of a motion
MODES = {"open": "open loop", "inverse": "current state", "computed": "computed torque"}


def _seconds(duration: float) -> float:
    if not 0.0 < duration <= LONGEST:
        raise SizeError(f"A motion of {duration:g} s: give more than 0 and at most {LONGEST:g} s.")
    return duration


def _started(desk, what: str, compute) -> m.TaskStarted:
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

    return _started(desk, title, compute)


@does(m.DirectDynamics)
def direct_dynamics(desk, command) -> m.TaskStarted:
    """Direct Dynamics - No Contact."""
    return _simulated(desk, desk.project, False, _seconds(command.duration), command.figure, "direct dynamics")


@does(m.ContactDynamics)
def contact_dynamics(desk, command) -> m.TaskStarted:
    """Direct Contact Dynamics."""
    return _simulated(desk, desk.project, True, _seconds(command.duration), command.figure, "contact dynamics")


@does(m.AnotherFrame)
def another_frame(desk, command) -> m.TaskStarted:
    """One more frame at the end of the shown motion."""
    project = desk.project
    if not 1 <= command.frames <= 10_000:
        raise SizeError(f"{command.frames} frames: give 1 to 10000.")
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

    return _started(desk, "another frame", compute)


def _from_end(project: Project, made: Made) -> Project:
    """The project with figures in the state that a motion ends in."""
    from anthropi.figure.editing.together import parts

    items = [i for i in project.items if made.figure is None or i.number == made.figure]
    q, u = made.motion.q[-1], made.motion.u[-1]
    own = parts(made.motion.figure)
    if len(own) != len(items) or any(p.q.stop - p.q.start != i.figure.nq for p, i in zip(own, items, strict=True)):
        raise SizeError("The figures have changed since this motion. Run it again, or show none to start anew.")
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
    from anthropi.studio.desk.views import motion_view

    new = replace(made, motion=motion)
    motions = tuple(new if x.number == made.number else x for x in desk.project.motions)
    desk.edit("another frame", desk.project.changed(motions=motions, shown=made.number), quiet=True)
    desk.emit(m.MotionMade(motion_view(new), task))
    desk.tell()


@does(m.StopTask)
def stop_task(desk, command) -> None:
    """Stop a task."""
    desk.tasks.stop(command.task)


@does(m.HybridDynamics)
def hybrid_dynamics(desk, command) -> m.TaskStarted:
    """HYBRID Dynamics: inverse, then direct."""
    project = desk.project
    item = project.item(command.figure)
    wanted = _wanted(project, item, command)
    floating = item.figure.joints[0].kind == "free"

    def compute(task) -> None:
        root: dict[str, Any] = {"root": "driven"} if floating else {}
        motion = hidds(wanted() if callable(wanted) else wanted, MODES[command.mode], progress=task.tell, **root)
        desk.add_motion(motion, f"hybrid dynamics, {MODES[command.mode]}", "hybrid", item.number, task=task.number)

    return _started(desk, "hybrid dynamics", compute)


def _wanted(project: Project, item: Item, command) -> Any:
    """The motion that hybrid dynamics shall make: a motion's, the keys', or the control functions'."""
    from anthropi.studio.desk.keys import keyframes_of

    if command.motion is not None:
        made = project.made(command.motion)
        if made.motion.figure.nq != item.figure.nq:
            raise SizeError(f"Motion '{made.title}' is of another figure than '{item.figure.name}'.")
        return made.motion
    if item.keys:
        return keyframes_of(item, project.keys_setting)
    moves = {n: control_of(c, n) for n, c in item.controls.items() if c.of != "force"}
    if not moves:
        raise SizeError("Hybrid dynamics needs a motion to make: set keys, give control functions of position, or "
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


@does(m.ExplainWords)
def explain_words(desk, command) -> m.Explained:
    """What words would set."""
    from anthropi.errors import AnthropiError
    from anthropi.gait.words import plan

    words = command.words.strip()
    try:
        lines = plan(words).table() if any(c in words for c in ";\n") or " " in words else explain(words)
    except AnthropiError as error:
        return m.Explained(False, (str(error),))
    return m.Explained(True, tuple(str(lines).splitlines()))


@does(m.PlanGait)
def plan_gait(desk, command) -> m.GaitNumbers:
    """The others of velocity, step length and frequency."""
    given = {n: getattr(command, n) for n in ("velocity", "step_length", "step_frequency")}
    given = {n: x for n, x in given.items() if x is not None} or {"step_frequency": 100.0}
    p = GaitPlan.of(desk.project.item(command.figure).figure, kind=desk.project.gait.kind, **given)
    return m.GaitNumbers(p.velocity, p.step_length, p.step_frequency, p.cycle, p.step, p.double_support, p.swing,
                         100.0 * p.stance_fraction, p.kind == "run", p.height)  # fmt: skip


@does(m.SetGait)
def set_gait(desk, command) -> None:
    """Settings of the three levels."""
    names = ("words", "style", "method", "start", "steps", "velocity", "step_length", "step_frequency", "determinants")
    given: dict[str, Any] = {n: getattr(command, n) for n in names if getattr(command, n) is not None}
    if command.gait is not None:
        given["kind"] = command.gait
    usual = m.Gait()
    for name in command.clear:
        if name not in names:
            raise SizeError(f"A gait has no '{name}'. It has: {', '.join(names)}.")
        given[name] = getattr(usual, name)
    gait = replace(desk.project.gait, **given)
    if not 1 <= gait.steps <= 500:
        raise SizeError(f"{gait.steps} steps: give 1 to 500.")
    _determinants(gait)
    desk.edit("gait", desk.project.changed(gait=gait))


def _determinants(gait: m.Gait) -> Determinants | None:
    if not gait.determinants:
        return None
    made = Determinants()
    for name, x in gait.determinants.items():
        made[name]  # refuses a name that is none
        own: dict[str, Any] = {name: Determinant(x.amplitude, x.lower, x.upper, x.timing, x.on)}
        made = replace(made, **own)
    return made


@does(m.Walk)
def walk(desk, command) -> m.TaskStarted:
    """Walk as the gait says."""
    project = desk.project
    item, gait = project.item(command.figure), project.gait
    figure = item.figure.changed(gravity=np.array(project.world.gravity))
    options = _gait_options(gait)
    by_walker = "script" in options or options.get("method") == "walker"
    plain = by_walker or not (set(options) - {"steps", "speed", "style", "kind", "start"})
    body: Any = figure
    if plain and project.world.ground.kind not in ("flat", "none"):
        body = scene_of(figure, replace(project.world, contact="compliant"), features="feet")

    def compute(task) -> None:
        try:
            motion = make_walk(body, **options, progress=task.tell)
        except StepError as error:
            if error.motion is None:
                raise
            desk.emit(problem_of(error, task.number))
            motion = error.motion
        words = gait.words or f"{gait.kind}, {gait.style}"
        desk.add_motion(motion, words[:60], "walk", item.number, world=project.world, task=task.number)

    return _started(desk, "walk", compute)


def _gait_options(gait: m.Gait) -> dict[str, Any]:
    """What `ap.walk` is told."""
    if gait.words.strip():
        return {"script": gait.words.strip()}
    found: dict[str, Any] = {"steps": gait.steps}
    named = {"speed": gait.velocity, "step_length": gait.step_length, "step_frequency": gait.step_frequency,
             "determinants": _determinants(gait)}  # fmt: skip
    found |= {n: x for n, x in named.items() if x is not None}
    planned = {"step_length", "step_frequency", "determinants"} & set(found) or gait.method == "hidds"
    if gait.method:
        found["method"] = gait.method
    if not planned:
        found |= {"style": gait.style, "kind": gait.kind, "start": gait.start}
    return found


@does(m.TakeProfiles)
def take_profiles(desk, command) -> m.ProfilesTaken:
    """The forces of a motion as curves."""
    made = desk.project.made(command.motion)
    profile = Profile.of(made.motion)
    figure, time = made.motion.figure, profile.time
    if not 0.005 <= command.spacing <= 1.0:
        raise SizeError(f"Points every {command.spacing:g} s: give 0.005 to 1 s.")
    dofs = [figure.dofs[k] for k in figure.dof_indices(command.dofs)] if command.dofs else figure.dofs
    count = max(2, round(float(time[-1] - time[0]) / command.spacing) + 1)
    times = np.linspace(float(time[0]), float(time[-1]), min(count, 2000))
    curves = tuple(
        m.Profile(dof, tuple(times.tolist()), tuple(np.interp(times, time, profile.tau[:, k]).tolist()))
        for dof, k in zip(dofs, figure.dof_indices(dofs), strict=True)
    )
    desk.edit(f"torque profiles of '{made.title}'",
              desk.project.changed(profiles=desk.project.profiles | {made.number: curves}))  # fmt: skip
    return m.ProfilesTaken(made.number, curves)


@does(m.SetProfile)
def set_profile(desk, command) -> None:
    """An edited curve."""
    made, curve = desk.project.made(command.motion), command.profile
    made.motion.figure.dof_indices([curve.dof])
    if len(curve.times) < 2 or len(curve.times) != len(curve.values) or len(set(curve.times)) < len(curve.times):
        raise SizeError(f"The curve of joint '{curve.dof}' needs two points or more, each at a time of its own.")
    others = tuple(c for c in desk.project.profiles.get(made.number, ()) if c.dof != curve.dof)
    profiles = desk.project.profiles | {made.number: (*others, curve)}
    desk.edit(f"torque of '{curve.dof}'", desk.project.changed(profiles=profiles), command.done)


@does(m.RunProfiles)
def run_profiles(desk, command) -> m.TaskStarted:
    """Direct dynamics with the edited forces."""
    made = desk.project.made(command.motion)
    curves = desk.project.profiles.get(made.number, ())
    figure = made.motion.figure

    def compute(task) -> None:
        profile = Profile.of(made.motion)
        tau = profile.tau.copy()
        for curve in curves:
            rows = sorted(zip(curve.times, curve.values, strict=True))
            (k,) = figure.dof_indices([curve.dof])
            asked = np.interp([t for t, _ in rows], profile.time, profile.tau[:, k])
            apart = np.array([x for _, x in rows]) - asked  # what was edited, so that all else stays as it was
            if np.abs(apart).max() > 1e-9:
                more = spline([t for t, _ in rows], apart.tolist())(profile.time).value
                tau[:, k] = tau[:, k] + np.asarray(more, float).reshape(-1)
        motion = Profile(figure, profile.time, tau).run(made.motion, progress=task.tell)
        desk.add_motion(motion, f"{made.title}, forces edited", "profiles", made.figure, task=task.number)

    return _started(desk, "run profiles", compute)
