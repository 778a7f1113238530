"""Handlers of the gait panel: styles and scripts in words, gait plans, walks, and edited torque profiles."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from anthropi.errors import AnthropiError, InputError, StepError
from anthropi.gait.hidds.external_forces import recorded_means
from anthropi.gait.hidds.refinement import Profile
from anthropi.gait.hidds.sequence import DEFAULT_KP
from anthropi.gait.hidds.sequence import Sequence as ForceSequence
from anthropi.gait.plan.determinants import Determinant, Determinants
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.styles import explain, plan
from anthropi.gait.walking import walk as make_walk
from anthropi.motion import Motion, spline
from anthropi.studio import messages as m
from anthropi.studio.messages.encoding import problem_of
from anthropi.studio.project.scene import scene_of
from anthropi.studio.session.runs import started
from anthropi.studio.session.session import StudioSession, handles
from anthropi.studio.session.tasks import Task

__all__ = ["walk"]

PROFILE_DT = 1e-3  # [s] time step of direct dynamics with edited forces
EDIT_TOLERANCE = 1e-9  # [N m or N] a curve with smaller changes counts as not edited
MAX_STEPS = 500  # largest number of steps of a walk
MAX_PROFILE_POINTS = 2000  # largest number of points of a curve


@handles(m.ExplainWords)
def explain_words(session: StudioSession, command: m.ExplainWords) -> m.Explained:
    """Return the settings of a style or script that is given in words, or the error message if it is not valid."""
    words = command.words.strip()
    try:
        lines = plan(words).table() if any(c in words for c in ";\n") or " " in words else explain(words)
    except AnthropiError as error:
        return m.Explained(False, (str(error),))
    return m.Explained(True, tuple(str(lines).splitlines()))


@handles(m.PlanGait)
def plan_gait(session: StudioSession, command: m.PlanGait) -> m.GaitNumbers:
    """Compute a gait plan from one or two of velocity, step length and step frequency."""
    given = {n: getattr(command, n) for n in ("velocity", "step_length", "step_frequency")}
    kind, default = session.project.gait.kind, {"step_frequency": 100.0}
    given = {n: x for n, x in given.items() if x is not None} or ({"velocity": 3.0} if kind == "run" else default)
    try:
        p = GaitPlan.of(session.project.item(command.figure).figure, kind=kind, **given)
    except InputError as error:
        raise InputError(_in_words(str(error))) from None
    return m.GaitNumbers(
        p.velocity,
        p.step_length,
        p.step_frequency,
        p.cycle,
        p.step,
        p.double_support,
        p.swing,
        100.0 * p.stance_fraction,
        p.kind == "run",
        p.height,
    )


def _in_words(message: str) -> str:
    """Return the message of a gait plan with the words of the page instead of names of parameters."""
    words = {"GaitPlan got ": "", "GaitPlan": "The gait plan", ", which means": " means", "or kind=": "or choose kind="}
    words |= {"kind='run'": "running", "kind='walk'": "walking"}
    for name, plain in (
        words | {"step_frequency=": "a step frequency of ", "step_length=": "a step length of "}
    ).items():
        message = message.replace(name, plain)
    message = message.replace("velocity=", "a velocity of ").replace("_", " ").replace("parameter", "number")
    return message[:1].upper() + message[1:]


@handles(m.SetGait)
def set_gait(session: StudioSession, command: m.SetGait) -> None:
    """Change settings of the project's gait."""
    names = ("words", "style", "method", "start", "steps", "velocity", "step_length", "step_frequency", "determinants")
    given: dict[str, Any] = {n: getattr(command, n) for n in names if getattr(command, n) is not None}
    if command.gait is not None:
        given["kind"] = command.gait
    defaults = m.Gait()
    for name in command.clear:
        if name not in names:
            raise InputError(f"A gait has no setting '{name}'. Settings: {', '.join(names)}.")
        given[name] = getattr(defaults, name)
    gait = replace(session.project.gait, **given)
    if not 1 <= gait.steps <= MAX_STEPS:
        raise InputError(f"The number of steps is {gait.steps}. Give 1 to {MAX_STEPS}.")
    _determinants(gait)
    session.edit("gait", session.project.changed(gait=gait))


def _determinants(gait: m.Gait) -> Determinants | None:
    if not gait.determinants:
        return None
    found = Determinants()
    for name, x in gait.determinants.items():
        found[name]  # raises for an unknown name
        own: dict[str, Any] = {name: Determinant(x.amplitude, x.lower, x.upper, x.timing, x.on)}
        found = replace(found, **own)
    return found


@handles(m.Walk)
def walk(session: StudioSession, command: m.Walk) -> m.TaskStarted:
    """Start a task that computes a walk with the gait settings of the project."""
    project = session.project
    item, gait = project.item(command.figure), project.gait
    figure = item.figure.changed(gravity=np.array(project.world.gravity))
    options = _gait_options(gait)
    by_walker = "script" in options or options.get("method") == "walker"
    plain = by_walker or not (set(options) - {"steps", "speed", "style", "kind", "start"})
    body: Any = figure
    if plain and project.world.ground.kind not in ("flat", "none"):
        body = scene_of(figure, replace(project.world, contact="compliant"), features="body")

    def compute(task: Task) -> None:
        try:
            motion = make_walk(body, **options, progress=task.report)
        except StepError as error:
            if error.motion is None:
                raise
            session.tasks.check_owner(task.number)
            session.emit(problem_of(error, task.number))
            motion = error.motion
        words = gait.words or f"{gait.kind}, {gait.style}"
        session.add_motion(motion, words[:60], "walk", item.number, world=project.world, task=task.number)

    return started(session, "walk", compute)


def _gait_options(gait: m.Gait) -> dict[str, Any]:
    """Return the gait settings as options of `ap.walk`."""
    if gait.words.strip():
        return {"script": gait.words.strip()}
    found: dict[str, Any] = {"steps": gait.steps}
    named = {
        "speed": gait.velocity,
        "step_length": gait.step_length,
        "step_frequency": gait.step_frequency,
        "determinants": _determinants(gait),
    }
    found |= {n: x for n, x in named.items() if x is not None}
    planned = {"step_length", "step_frequency", "determinants"} & set(found) or gait.method == "hidds"
    if gait.method:
        found["method"] = gait.method
    if not planned:
        found |= {"style": gait.style, "kind": gait.kind, "start": gait.start}
    return found


@handles(m.TakeProfiles)
def take_profiles(session: StudioSession, command: m.TakeProfiles) -> m.ProfilesTaken:
    """Convert the joint forces of a motion to curves that can be edited."""
    item = session.project.motion_item(command.motion)
    profile = Profile.of(item.motion)
    figure, time = item.motion.figure, profile.time
    if not 0.005 <= command.spacing <= 1.0:
        raise InputError(f"The time between two points is {command.spacing:g} s. Give 0.005 to 1 s.")
    dofs = [figure.dofs[k] for k in figure.dof_indices(command.dofs)] if command.dofs else figure.dofs
    count = max(2, round(float(time[-1] - time[0]) / command.spacing) + 1)
    times = np.linspace(float(time[0]), float(time[-1]), min(count, MAX_PROFILE_POINTS))
    curves = tuple(
        m.Profile(dof, tuple(times.tolist()), tuple(np.interp(times, time, profile.tau[:, k]).tolist()))
        for dof, k in zip(dofs, figure.dof_indices(dofs), strict=True)
    )
    session.edit(
        f"torque profiles of '{item.title}'",
        session.project.changed(profiles=session.project.profiles | {item.number: curves}),
    )
    return m.ProfilesTaken(item.number, curves)


@handles(m.SetProfile)
def set_profile(session: StudioSession, command: m.SetProfile) -> None:
    """Set the edited force curve of one degree of freedom."""
    item, curve = session.project.motion_item(command.motion), command.profile
    item.motion.figure.dof_indices([curve.dof])
    if len(curve.times) < 2 or len(curve.times) != len(curve.values) or len(set(curve.times)) < len(curve.times):
        raise InputError(
            f"The curve of joint '{curve.dof}' is not valid. Give at least two points, all at different times."
        )
    others = tuple(c for c in session.project.profiles.get(item.number, ()) if c.dof != curve.dof)
    profiles = session.project.profiles | {item.number: (*others, curve)}
    session.edit(f"torque of '{curve.dof}'", session.project.changed(profiles=profiles), command.done)


@handles(m.RunProfiles)
def run_profiles(session: StudioSession, command: m.RunProfiles) -> m.TaskStarted:
    """Start a task that simulates a motion again with edited joint forces."""
    item = session.project.motion_item(command.motion)
    curves = session.project.profiles.get(item.number, ())
    if not 0.0 <= command.hold <= 100.0:
        raise InputError(f"The factor 'hold' of the feedback gains is {command.hold:g}. Give 0 to 100.")

    def compute(task: Task) -> None:
        try:
            motion = _simulated_again(item.motion, curves, command.hold, task.report)
        except StepError as error:
            if error.motion is None or len(error.motion) < 2:
                raise
            session.tasks.check_owner(task.number)
            session.emit(problem_of(error, task.number))
            motion = error.motion
        session.add_motion(
            motion, f"{item.title}, forces edited", "profiles", item.figure, world=item.world, task=task.number
        )

    return started(session, "run profiles", compute)


def _simulated_again(
    motion: Motion, curves: Sequence[m.Profile], hold: float, progress: Callable[[float, float], None]
) -> Motion:
    """Simulate a motion again with edited joint forces.

    A floating root moves as in the original motion, because there is no balance controller.

    Parameters
    ----------
    motion : the original motion, with joint forces.
    curves : the edited force curves.
    hold : factor of the default feedback gains that hold the figure near the original motion; 0: no feedback.
    progress : function (done, total) that reports the progress.
    """
    dt = float(motion.time[-1] - motion.time[0]) / (len(motion) - 1)
    root: Any = {"root": "driven"} if motion.figure.joints[0].kind == "free" else {}
    substeps = 1 if recorded_means(motion) else max(1, round(dt / PROFILE_DT))  # short steps: loaded feet are unstable
    sequence = ForceSequence(motion, dt=dt, substeps=substeps, **root)
    edits = _edits(motion, curves, sequence.desired.time)
    about = {"mode": "edited forces", "hold": hold}
    if hold > 0.0:
        kp, kd = sequence.gains(DEFAULT_KP * hold)
        return sequence.run(
            lambda k, q, u: sequence.forces(k, q, u, sequence.feedback(k, q, u, kp, kd)) + edits[k],
            None,
            progress,
            about,
        )
    rows = sequence.profile(Profile.of(motion).tau + edits)
    return sequence.run(lambda k, q, u: rows[k], None, progress, about)


def _edits(motion: Motion, curves: Sequence[m.Profile], time: np.ndarray) -> np.ndarray:
    """Return the edited minus the original joint forces, (frames, nu) [N m or N]."""
    profile = Profile.of(motion)
    found = np.zeros((len(time), motion.figure.nu))
    for curve in curves:
        rows = sorted(zip(curve.times, curve.values, strict=True))
        (k,) = motion.figure.dof_indices([curve.dof])
        difference = np.array([x for _, x in rows]) - np.interp([t for t, _ in rows], profile.time, profile.tau[:, k])
        if np.abs(difference).max() > EDIT_TOLERANCE:
            found[:, k] = np.asarray(spline([t for t, _ in rows], difference.tolist())(time).value, float).reshape(-1)
    return found
