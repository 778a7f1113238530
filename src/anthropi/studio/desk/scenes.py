"""Figures of the project as one scene, what drives them as a `Programme`. Floats only."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.forces import add_inertia
from anthropi.contact.limits import Exponential, Linear, Power, SoftLimits
from anthropi.contact.scene import Scene
from anthropi.errors import InputError, StateError
from anthropi.figure.editing.together import together
from anthropi.motion.controls import Control, driven
from anthropi.simulation.programme import Programme, Push
from anthropi.studio.messages import ControlFunction, Force
from anthropi.studio.state import Item, Project
from anthropi.studio.world import scene_of

__all__ = ["Stage", "control_of", "stage_of"]

MAX_CURVE_POINTS = 10_000
STIFF, CALM = 400.0, 40.0  # [1/s²], [1/s]: what is driven by motion comes back to it; rates alone have no place


class Stage(NamedTuple):
    """A scene, the state it starts in, and what drives it. items : whose figures, in order."""

    scene: Scene
    q: np.ndarray
    u: np.ndarray
    programme: Programme
    items: tuple[Item, ...]


def stage_of(project: Project, contact: bool, figure: int | None = None) -> Stage:
    """What is simulated: one figure, or all that are open. contact False: nothing touches."""
    items = project.items if figure is None else (project.item(figure),)
    if not items:
        raise StateError("No figure is open. Open or build one first.")
    alone = len(items) == 1
    world = project.world
    gravity = np.array(world.gravity)
    bodies = [item.figure.changed(gravity=gravity, checked=False) for item in items]  # they were, when they came
    names = [item.figure.name for item in items]
    whole = bodies[0] if alone else together(bodies, names)
    before = [""] if alone else [f"{name}/" for name in names]
    scene = scene_of(whole, world, contact)
    limits = _limits(items, before, whole)
    if limits is not None:
        scene = scene.changed(limits=limits)
    q = np.concatenate([item.state.q for item in items])
    u = np.concatenate([item.state.u for item in items])
    controls = {
        prefix + name: control_of(function, name)
        for item, prefix in zip(items, before, strict=True)
        for name, function in item.controls.items()
        if item.drives.get(name, "free") != "free"
    }
    led: dict[str, Any] = {"prescribed": ()}
    if controls:
        placed = all(c.kind in ("position", "force") for c in controls.values())
        led = driven(whole, controls, q, u, gains=(STIFF if placed else 0.0, CALM))
        q, u = led["q"], led["u"]
    forces = [
        (force, _push(force, prefix))
        for item, prefix in zip(items, before, strict=True)
        for force in project.forces
        if force.figure == item.number
    ]
    programme = Acts(whole, pushes=tuple(p for f, p in forces if not f.moment), tau=led.get("forces"),
                     udot=led.get("udot"), prescribed=tuple(led["prescribed"]),
                     moments=tuple(p for f, p in forces if f.moment))  # fmt: skip
    return Stage(scene, np.asarray(q, float), np.asarray(u, float), programme, tuple(items))


def _limits(items, prefixes, figure) -> Any:
    """Springs at the ends of joints, where there are any limits: each joint's own stop, or the usual one."""
    if not np.isfinite(figure.limits).any():
        return None
    own = {prefix + joint: stop for item, prefix in zip(items, prefixes, strict=True)
           for joint, stop in item.stops.items()}  # fmt: skip
    usual = SoftLimits(but=tuple(own))
    if not own:
        return usual
    names = [joint.name for joint in figure.joints]
    return Stops((usual, *(_stop(stop, tuple(n for n in names if n != joint)) for joint, stop in own.items())))


def _stop(stop: dict[str, Any], others: tuple[str, ...]) -> SoftLimits:
    """The springs of one joint (thesis 8.7)."""
    spring: Any = Linear(stop["k"])
    if stop["type"] == "power":
        spring = Power(stop["k"], stop.get("n", 3.0))
    elif stop["type"] == "exponential":
        spring = Exponential(stop["k"], stop.get("c", 5.0))
    return SoftLimits(spring=spring, zone=stop.get("zone", np.pi / 8.0), share=0.5, gate=stop["gate"], by_mass=False,
                      but=others)  # fmt: skip


class Stops:
    """Several limits at once."""

    hard = False

    def __init__(self, parts: tuple[SoftLimits, ...]):
        self.parts = parts

    def memory(self, figure) -> dict:
        """Nothing to remember."""
        return {name: x for part in self.parts for name, x in part.memory(figure).items()}

    def rows(self, figure, q, u, dt=None) -> None:
        """Springs are no rows."""

    def force(self, figure, q, u, memory=None, dt=None):
        """The sum of all: tau, stiffness, damping, memory."""
        total, stiffness, damping, left = self.parts[0].force(figure, q, u, memory, dt)
        for part in self.parts[1:]:
            tau, k, c, _ = part.force(figure, q, u, memory, dt)
            total = total + tau
            stiffness = k if stiffness is None else stiffness if k is None else add_inertia(stiffness, k)
            damping = c if damping is None else damping if c is None else add_inertia(damping, c)
        return total, stiffness, damping, left


@dataclass(eq=False)
class Acts(Programme):
    """A programme with moments on links besides; each is told as a push whose force is the moment."""

    moments: tuple[Push, ...] = ()

    def _pushed(self, figure, sense) -> dict[int, Any]:
        found = super()._pushed(figure, sense)
        for i, wrench in Programme(figure, pushes=self.moments)._pushed(figure, sense).items():
            moment = np.concatenate([wrench[3:], 0.0 * wrench[3:]])
            found[i] = found[i] + moment if i in found else moment
        return found


def _push(force: Force, prefix: str) -> Push:
    """A force on a link over its time."""
    end = np.inf if force.end is None else force.end
    begin = -np.inf if force.start <= 0.0 else force.start
    point = (0.0, 0.0, 0.0) if force.moment else force.point
    return Push(prefix + force.link, force.vector, np.array(point), begin, end, force.axes == "link")


def control_of(function: ControlFunction, name: str) -> Control:
    """The control function that a message tells."""
    if function.formula:
        return Control(function.of, function.formula)
    if not 1 <= len(function.times) <= MAX_CURVE_POINTS or len(function.times) != len(function.values):
        raise InputError(f"Joint '{name}': its control has {len(function.times)} times and {len(function.values)} "
                         f"values. Give as many of each, 1 to {MAX_CURVE_POINTS}, or a formula of t.")  # fmt: skip
    if len(set(function.times)) < len(function.times):
        raise InputError(f"Joint '{name}': two points of its control are at the same time. Move one.")
    if len(function.times) == 1:
        return Control(function.of, float(function.values[0]))
    return Control(function.of, dict(zip(function.times, function.values, strict=True)))
