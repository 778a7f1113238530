"""One step of a figure in a scene.

    sense → control → contact forces and limits → dynamics → impulses → integrate → project loops

Memory is taken from the start of the step. `conserve` puts the momentum right that a step of first order loses
(`kept_momentum.py`).
"""

from typing import Any, NamedTuple

from anthropi.constraints.loops.projection import nearest_closed
from anthropi.errors import InputError
from anthropi.simulation.acting import Acting, Given, Setting, acting
from anthropi.simulation.audit import works
from anthropi.simulation.drive import inputs
from anthropi.simulation.impulses import Impulses, impulse_step, needs_impulses
from anthropi.simulation.kept_momentum import kept_momentum
from anthropi.simulation.methods import SemiImplicit, Tableau
from anthropi.simulation.methods import method as by_name
from anthropi.simulation.step import State, advance

__all__ = ["SceneState", "over_of", "scene_step"]


class SceneState(NamedTuple):
    """q (nq,), u (nu,), and what is remembered: nested arrays."""

    q: Any
    u: Any
    memory: Any


def over_of(method, dt):
    """The step over which forces are taken, None for methods that take them as they are at an instant."""
    rule = by_name(method)
    return dt if isinstance(rule, SemiImplicit) and rule.implicit else None


def scene_step(setting: Setting, base, state: SceneState, t, dt, given: Given, method="linearly_implicit_euler",
               prescribed=(), conserve=False) -> SceneState:  # fmt: skip
    """Where is the figure after dt [s], and what does it remember? Pure; records.

    base : function (t, q, u) → `Drive` that acts besides. given : what a controller is given.
    """
    rule = by_name(method)
    if not isinstance(rule, (SemiImplicit, Tableau)):
        raise InputError(
            f"Method '{rule.name}' knows no scenes. Take linearly_implicit_euler, or a Runge–Kutta method."
        )
    over = over_of(method, dt)
    figure, rooted, (q, u, memory) = setting.figure, setting.rooted, state

    def at(t, q, u, over):
        own_q, own_u = (q, u) if rooted is None else rooted.back(q, u)
        return acting(setting, base, t, own_q, own_u, memory, given, over)

    if conserve and prescribed and set(figure.dof_indices(prescribed)) & set(range(6)):
        raise InputError("conserve=True puts momentum into the root, and the root is prescribed. Leave one out.")
    now = at(t, q, u, over)
    if over is None:  # forces are taken as they are at an instant, but memory goes on by a step
        now = now._replace(memory=at(t, q, u, dt).memory)
    if setting.stops_by_acceleration:
        return _stopped_step(setting, now, state, dt, rule, prescribed, over, conserve)
    if needs_impulses(setting):
        if not isinstance(rule, SemiImplicit):
            raise InputError(f"Impulses come at the end of steps of first order; method '{rule.name}' has stages. Take "
                            "linearly_implicit_euler, or a contact model of forces.")  # fmt: skip
        q1, u1, after, impulses = impulse_step(setting, now, q, u, dt, prescribed, over is not None)
        if setting.audit:
            after = after | {"work": memory["work"] + works(figure, now, q, u, u1, dt, over, impulses)}
        if figure.loops:
            q1, u1 = nearest_closed(figure, q1, u1, now.drive.course, prescribed)
        return SceneState(q1, kept_momentum(figure, q, u, q1, u1, dt) if conserve else u1, after)

    def drive(t, q, u):
        found = at(t, q, u, over).drive
        return found if rooted is None else rooted.drive(q, u, found)

    tree = figure if rooted is None else rooted.tree
    reached = advance(tree, drive, State(t, q, u), dt, method, prescribed)
    u1 = kept_momentum(tree, q, u, reached.q, reached.u, dt) if conserve else reached.u
    after = now.memory
    if setting.audit:
        ends = [(q, u), (reached.q, reached.u)]
        (own, u0), (_, end) = ends if rooted is None else [rooted.back(*x) for x in ends]
        after = after | {"work": memory["work"] + works(figure, now, own, u0, end, dt, over)}
    return SceneState(reached.q, u1, after)


def _stopped_step(setting: Setting, now: Acting, state: SceneState, dt, rule, prescribed, over, conserve) -> SceneState:
    """A step in which joints that would pass their limits are motion-driven (`contact/limits/stopping_limits.py`)."""
    figure, (q, u, memory) = setting.figure, state
    others = {f"method '{rule.name}', which has stages": not isinstance(rule, SemiImplicit),
              "impulses of contacts": setting.impulsive, "loops": bool(figure.loops),
              f"prescribed {', '.join(prescribed)}": bool(prescribed),
              "another root": setting.rooted is not None}  # fmt: skip
    for what, there in others.items():
        if there:
            raise InputError(f"StoppingLimits do not go with {what}: they prescribe joints for steps of first order. "
                            "Take SoftLimits or HardLimits, or leave it out.")  # fmt: skip
    tau, extra, added = inputs(figure, now.drive, q, u, over)
    q1, u1, stop = setting.limits.step(figure, q, u, tau, dt, now.drive.f_ext, extra, added)
    after = now.memory
    if setting.audit:
        after = after | {"work": memory["work"] + works(figure, now, q, u, u1, dt, over, Impulses(None, stop))}
    return SceneState(q1, kept_momentum(figure, q, u, q1, u1, dt) if conserve else u1, after)
