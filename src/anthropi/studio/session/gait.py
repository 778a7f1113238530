"""The gait panel: words, plans, walks, and torque profiles that are edited and run again."""

from dataclasses import replace
from typing import Any

import numpy as np

from anthropi.errors import AnthropiError, InputError, StepError
from anthropi.gait.hidds.refinement import Profile
from anthropi.gait.hidds.sequence import STIFF, Sequence
from anthropi.gait.plan.determinants import Determinant, Determinants
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.styles import explain, plan
from anthropi.gait.walking import walk as make_walk
from anthropi.motion import spline
from anthropi.studio import messages as m
from anthropi.studio.messages.encoding import problem_of
from anthropi.studio.project.scene import scene_of
from anthropi.studio.session.runs import started
from anthropi.studio.session.session import handles

__all__ = ["walk"]

STEP = 1e-3  # [s] of direct dynamics under edited forces


@handles(m.ExplainWords)
def explain_words(desk, command) -> m.Explained:
    """What words would set."""
    words = command.words.strip()
    try:
        lines = plan(words).table() if any(c in words for c in ";\n") or " " in words else explain(words)
    except AnthropiError as error:
        return m.Explained(False, (str(error),))
    return m.Explained(True, tuple(str(lines).splitlines()))


@handles(m.PlanGait)
def plan_gait(desk, command) -> m.GaitNumbers:
    """The others of velocity, step length and frequency."""
    given = {n: getattr(command, n) for n in ("velocity", "step_length", "step_frequency")}
    given = {n: x for n, x in given.items() if x is not None} or {"step_frequency": 100.0}
    p = GaitPlan.of(desk.project.item(command.figure).figure, kind=desk.project.gait.kind, **given)
    return m.GaitNumbers(p.velocity, p.step_length, p.step_frequency, p.cycle, p.step, p.double_support, p.swing,
                         100.0 * p.stance_fraction, p.kind == "run", p.height)  # fmt: skip


@handles(m.SetGait)
def set_gait(desk, command) -> None:
    """Settings of the three levels."""
    names = ("words", "style", "method", "start", "steps", "velocity", "step_length", "step_frequency", "determinants")
    given: dict[str, Any] = {n: getattr(command, n) for n in names if getattr(command, n) is not None}
    if command.gait is not None:
        given["kind"] = command.gait
    usual = m.Gait()
    for name in command.clear:
        if name not in names:
            raise InputError(f"A gait has no '{name}'. It has: {', '.join(names)}.")
        given[name] = getattr(usual, name)
    gait = replace(desk.project.gait, **given)
    if not 1 <= gait.steps <= 500:
        raise InputError(f"{gait.steps} steps: give 1 to 500.")
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


@handles(m.Walk)
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

    return started(desk, "walk", compute)


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


@handles(m.TakeProfiles)
def take_profiles(desk, command) -> m.ProfilesTaken:
    """The forces of a motion as curves."""
    made = desk.project.made(command.motion)
    profile = Profile.of(made.motion)
    figure, time = made.motion.figure, profile.time
    if not 0.005 <= command.spacing <= 1.0:
        raise InputError(f"Points every {command.spacing:g} s: give 0.005 to 1 s.")
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


@handles(m.SetProfile)
def set_profile(desk, command) -> None:
    """An edited curve."""
    made, curve = desk.project.made(command.motion), command.profile
    made.motion.figure.dof_indices([curve.dof])
    if len(curve.times) < 2 or len(curve.times) != len(curve.values) or len(set(curve.times)) < len(curve.times):
        raise InputError(f"The curve of joint '{curve.dof}' needs two points or more, each at a time of its own.")
    others = tuple(c for c in desk.project.profiles.get(made.number, ()) if c.dof != curve.dof)
    profiles = desk.project.profiles | {made.number: (*others, curve)}
    desk.edit(f"torque of '{curve.dof}'", desk.project.changed(profiles=profiles), command.done)


@handles(m.RunProfiles)
def run_profiles(desk, command) -> m.TaskStarted:
    """Direct dynamics with the edited forces."""
    made = desk.project.made(command.motion)
    curves = desk.project.profiles.get(made.number, ())
    if not 0.0 <= command.hold <= 100.0:
        raise InputError(f"Held {command.hold:g} times as strongly as usual: give 0 to 100.")

    def compute(task) -> None:
        try:
            motion = _ran_again(made.motion, curves, command.hold, task.tell)
        except StepError as error:
            if error.motion is None or len(error.motion) < 2:
                raise
            desk.emit(problem_of(error, task.number))
            motion = error.motion
        desk.add_motion(motion, f"{made.title}, forces edited", "profiles", made.figure, world=made.world,
                        task=task.number)  # fmt: skip

    return started(desk, "run profiles", compute)


def _ran_again(motion, curves, hold: float, progress):
    """Direct dynamics of a motion with the edits of its forces on top, held to it by feedback or not at all.

    A floating root goes as in the motion: nobody balances here.
    """
    dt = float(motion.time[-1] - motion.time[0]) / (len(motion) - 1)
    root: Any = {"root": "driven"} if motion.figure.joints[0].kind == "free" else {}
    made = Sequence(motion, dt=dt, substeps=max(1, round(dt / STEP)), **root)
    edits = _edits(motion, curves, made.wanted.time)
    about = {"mode": "edited forces", "hold": hold}
    if hold > 0.0:
        kp, kd = made.gains(STIFF * hold)
        return made.run(lambda k, q, u: made.forces(k, q, u, made.pull(k, q, u, kp, kd)) + edits[k], None, progress,
                        about)  # fmt: skip
    rows = made.profile(Profile.of(motion).tau + edits)
    return made.run(lambda k, q, u: rows[k], None, progress, about)


def _edits(motion, curves, time) -> np.ndarray:
    """What was edited of the forces (frames, nu), so that all else stays as it was."""
    profile = Profile.of(motion)
    found = np.zeros((len(time), motion.figure.nu))
    for curve in curves:
        rows = sorted(zip(curve.times, curve.values, strict=True))
        (k,) = motion.figure.dof_indices([curve.dof])
        apart = np.array([x for _, x in rows]) - np.interp([t for t, _ in rows], profile.time, profile.tau[:, k])
        if np.abs(apart).max() > 1e-9:
            found[:, k] = np.asarray(spline([t for t, _ in rows], apart.tolist())(time).value, float).reshape(-1)
    return found
