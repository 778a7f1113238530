"""The gallery: things to open and play with. A new one is an entry."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anthropi.figure.human.build import human, standing
from anthropi.figure.samples import sample
from anthropi.formats.figures.common import InitialState
from anthropi.motion.keyframes import configuration
from anthropi.studio.messages import Force, Gait, Ground, Key, Obstacle, World
from anthropi.studio.project.state import Item, Project

__all__ = ["EXAMPLES", "Example"]


class Example(NamedTuple):
    """words : what it shows. make : (first number) → Project. then : commands that follow, (desk, number)."""

    words: str
    group: str
    make: Callable[[int], Project]
    then: Callable[[Any, int], None] | None = None

    def open(self, desk) -> None:
        """Open it instead of what is open."""
        number = desk.project.next
        project = self.make(number)
        desk.edit(f"open '{project.name}'", project.changed(next=max(project.next, number + len(project.items))))
        if self.then is not None:
            self.then(desk, number)


def _project(name: str, number: int, figures, **fields) -> Project:
    items = tuple(Item(number + k, f, InitialState(q, u, 0.0 * u)) for k, (f, q, u) in enumerate(figures))
    return Project(name=name, items=items, next=number + len(items), **fields)


def _person(**body):
    figure = human(**body)
    return figure, standing(figure), np.zeros(figure.nu)


def _walk(desk, number: int) -> None:
    from anthropi.studio.messages import Walk
    from anthropi.studio.session.gait import walk

    walk(desk, Walk(number))


def _contact(duration: float):
    def run(desk, number: int) -> None:
        from anthropi.studio.messages import ContactDynamics
        from anthropi.studio.session.runs import contact_dynamics

        contact_dynamics(desk, ContactDynamics(duration))

    return run


def _direct(duration: float):
    def run(desk, number: int) -> None:
        from anthropi.studio.messages import DirectDynamics
        from anthropi.studio.session.runs import direct_dynamics

        direct_dynamics(desk, DirectDynamics(duration))

    return run


def _walking(name: str, gait: Gait, **fields):
    return lambda number: _project(name, number, [_person()], gait=gait, **fields)


def _pendulum(number: int) -> Project:
    figure = sample("double_pendulum")
    q = figure.neutral()
    q[:2] = 2.0, 1.0
    return _project("double pendulum", number, [(figure, q, np.zeros(figure.nu))], world=World(ground=Ground("none")))


def _falling(number: int) -> Project:
    figure, q, u = _person()
    q = configuration(figure, {"l_hip": [0.0, -0.4, 0.0], "l_knee": 0.6, "r_shoulder": [0.0, -1.2, 0.0]}, q)
    u[3] = 0.4
    return _project("falling human", number, [(figure, q, u)])


def _pushed(number: int) -> Project:
    figure, q, u = _person()
    push = Force(number + 1, number, "thorax", (250.0, 60.0, 0.0), point=(0.0, 0.0, 0.1), start=0.3, end=0.5)
    return _project("pushed human", number, [(figure, q, u)], forces=(push,)).changed(next=number + 2)


def _waving(number: int) -> Project:
    figure, q, u = _person()
    raised = {"r_shoulder.x": 1.2, "r_shoulder.y": 0.0, "r_shoulder.z": 0.0}
    keys = [Key(0.0, {n: 0.0 for n in raised} | {"r_elbow.flexion": 0.1}), Key(0.8, raised | {"r_elbow.flexion": 1.2})]
    keys += [Key(0.8 + 0.35 * k, raised | {"r_elbow.flexion": 1.2 + (0.5 if k % 2 else -0.3)}) for k in range(1, 6)]
    known = set(figure.dofs)
    kept = tuple(Key(k.time, {n: x for n, x in k.values.items() if n in known}) for k in keys)
    project = _project("waving human", number, [(figure, q, u)])
    return project.changed(items=(project.items[0].changed(keys=kept),))


def _wave(desk, number: int) -> None:
    from anthropi.studio.messages import Interpolate
    from anthropi.studio.session.keyframes import interpolate

    interpolate(desk, Interpolate(number, ends="clamped"))


def _boxes(number: int) -> Project:
    figure, q, u = _person()
    steps = tuple(Obstacle(f"step{k}", "box", (0.5, 1.2, 0.1), (1.0 + 0.5 * k, 0.0, 0.05 + 0.1 * k)) for k in range(3))
    return _project("human among boxes", number, [(figure, q, u)], world=World(obstacles=steps))


def _live_walk(desk, number: int) -> None:
    """It walks as soon as a browser is there to see it."""
    desk.when_seen = lambda: _start_walk(desk, number)


def _start_walk(desk, number: int) -> None:
    from anthropi.studio.messages import LiveStart
    from anthropi.studio.session.live import live_start

    live_start(desk, LiveStart(number, "walk"))


EXAMPLES: dict[str, Example] = {
    "live walk": Example("A person walks live: drag it, push it, tell it what to do.", "walk",
                         _walking("live walk", Gait()), _live_walk),
    "walking human": Example("A person walks in pure physics, in balance by itself.", "walk",
                             _walking("walking human", Gait(steps=12)), _walk),
    "tired walk": Example("The same person, tired: slow, head low, arms hanging.", "walk",
                          _walking("tired walk", Gait(steps=10, style="tired")), _walk),
    "walk by words": Example("A script of everyday words: stand, walk happily, turn, stop.", "walk",
                             _walking("walk by words", Gait(words="stand 1 s; walk happily 4 s; turn left; stop")),
                             _walk),
    "planned walk": Example("HIDDS, the thesis' road: planned steps, forces by inverse dynamics.", "walk",
                            lambda n: _project("planned walk", n, [_person(detail="thesis42")],
                                               gait=Gait(method="hidds", steps=4)), _walk),
    "falling human": Example("Nobody holds it: contact dynamics.", "contact", _falling, _contact(1.5)),
    "pushed human": Example("A force on the chest, for a fifth of a second.", "contact", _pushed, _contact(1.5)),
    "human among boxes": Example("Obstacles to walk into, live.", "contact", _boxes),
    "double pendulum": Example("Direct dynamics without contact: chaos.", "direct", _pendulum, _direct(6.0)),
    "waving human": Example("Keyframes, and a smooth motion through them.", "keys", _waving, _wave),
}  # fmt: skip
