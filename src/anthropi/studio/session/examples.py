"""The examples of the gallery. To add an example, add an entry to `EXAMPLES`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from anthropi.figure import Figure
from anthropi.figure.human.build import human, standing
from anthropi.figure.samples import sample
from anthropi.formats.figures.common import InitialState
from anthropi.motion.keyframes import configuration
from anthropi.studio.messages import Force, Gait, Ground, Key, Obstacle, World
from anthropi.studio.project.state import FigureItem, Project

if TYPE_CHECKING:
    from anthropi.studio.session.session import StudioSession

__all__ = ["EXAMPLES", "Example"]


Start = tuple[Figure, np.ndarray, np.ndarray]  # a figure, and q (nq,), u (nu,) of its initial state


class Example(NamedTuple):
    """An example of the gallery.

    words : a description in one line. group : its group in the gallery. make : function that returns the project, given
    the number of its first figure. then : function (session, number) that computes a motion, or None.
    """

    words: str
    group: str
    make: Callable[[int], Project]
    then: Callable[[Any, int], None] | None = None

    def open(self, session: "StudioSession") -> None:
        """Open the example and close the open project."""
        number = session.project.next
        project = self.make(number)
        session.edit(f"open '{project.name}'", project.changed(next=max(project.next, number + len(project.items))))
        if self.then is not None:
            self.then(session, number)


def _project(name: str, number: int, figures: list[Start], **fields: Any) -> Project:
    items = tuple(FigureItem(number + k, f, InitialState(q, u, 0.0 * u)) for k, (f, q, u) in enumerate(figures))
    return Project(name=name, items=items, next=number + len(items), **fields)


def _person(**body: Any) -> Start:
    figure = human(**body)
    return figure, standing(figure), np.zeros(figure.nu)


def _walk(session: "StudioSession", number: int) -> None:
    from anthropi.studio.messages import Walk
    from anthropi.studio.session.gait import walk

    walk(session, Walk(number))


def _contact(duration: float) -> Callable[[Any, int], None]:
    def run(session: "StudioSession", number: int) -> None:
        from anthropi.studio.messages import ContactDynamics
        from anthropi.studio.session.runs import contact_dynamics

        contact_dynamics(session, ContactDynamics(duration))

    return run


def _direct(duration: float) -> Callable[[Any, int], None]:
    def run(session: "StudioSession", number: int) -> None:
        from anthropi.studio.messages import DirectDynamics
        from anthropi.studio.session.runs import direct_dynamics

        direct_dynamics(session, DirectDynamics(duration))

    return run


def _walking(name: str, gait: Gait) -> Callable[[int], Project]:
    return lambda number: _project(name, number, [_person()], gait=gait)


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


PUSHES = ((3.0, (0.0, 150.0, 0.0)), (7.0, (150.0, 0.0, 0.0)), (11.0, (0.0, -150.0, 0.0)), (15.0, (-120.0, 0.0, 0.0)))


def _pushed(number: int) -> Project:
    """Return a walk with pushes of 0.2 s on the chest at times [s], with forces [N]."""
    pushes = tuple(
        Force(number + 1 + k, number, "thorax", force, point=(0.0, 0.0, 0.1), start=start, end=start + 0.2)
        for k, (start, force) in enumerate(PUSHES)
    )
    project = _project("pushed human", number, [_person()], forces=pushes)
    return project.changed(next=number + 1 + len(pushes))


def _waving(number: int) -> Project:
    figure, q, u = _person()
    raised = {"r_shoulder.x": -0.9, "r_shoulder.y": -0.9, "r_shoulder.z": -0.9, "r_elbow.flexion": 1.4}
    keys = [Key(0.0, {n: 0.0 for n in raised} | {"r_elbow.flexion": 0.1}), Key(0.8, raised)]
    waves = [raised | {"r_shoulder.z": -0.9 + (0.3 if k % 2 else -0.25)} for k in range(1, 6)]
    keys += [Key(0.8 + 0.35 * (k + 1), values) for k, values in enumerate(waves)]
    kept = tuple(keys)
    project = _project("waving human", number, [(figure, q, u)])
    return project.changed(items=(project.items[0].changed(keys=kept),))


def _wave(session: "StudioSession", number: int) -> None:
    from anthropi.studio.messages import Interpolate
    from anthropi.studio.session.keyframes import interpolate

    interpolate(session, Interpolate(number, ends="clamped"))


def _boxes(number: int) -> Project:
    figure, q, u = _person()
    steps = tuple(Obstacle(f"step{k}", "box", (0.5, 1.2, 0.1), (1.0 + 0.5 * k, 0.0, 0.05 + 0.1 * k)) for k in range(3))
    return _project("human among boxes", number, [(figure, q, u)], world=World(obstacles=steps))


def _live_walk(session: "StudioSession", number: int) -> None:
    """Start the walk at once, or when the first browser connects."""
    if session.has_client:
        _start_walk(session, number)
    else:
        session.on_first_client = lambda: _start_walk(session, number)


def _start_walk(session: "StudioSession", number: int) -> None:
    from anthropi.studio.messages import LiveStart
    from anthropi.studio.session.live import live_start

    live_start(session, LiveStart(number, "walk"))


EXAMPLES: dict[str, Example] = {
    "live walk": Example(
        "A human walks in a live simulation. Drag it, push it, change its speed, style and direction.",
        "walk",
        _walking("live walk", Gait()),
        _live_walk,
    ),
    "walking human": Example(
        "A simulated human walks; a controller computes its joint forces and keeps it in balance.",
        "walk",
        _walking("walking human", Gait(steps=12)),
        _walk,
    ),
    "tired walk": Example(
        "The same human, tired: slow, head low, arms hanging.",
        "walk",
        _walking("tired walk", Gait(steps=10, style="tired")),
        _walk,
    ),
    "walk by words": Example(
        "A script in everyday words: stand, walk happily, turn, stop.",
        "walk",
        _walking("walk by words", Gait(words="stand 1 s; walk happily 4 s; turn left; stop")),
        _walk,
    ),
    "planned walk": Example(
        "A walk by HIDDS: planned steps, forces by inverse dynamics, motion by direct dynamics.",
        "walk",
        lambda n: _project("planned walk", n, [_person(detail="thesis42")], gait=Gait(method="hidds", steps=4)),
        _walk,
    ),
    "falling human": Example(
        "A human without a controller falls: direct dynamics with contact.", "contact", _falling, _contact(1.5)
    ),
    "pushed human": Example(
        "A walking human is pushed from four sides, for 0.2 s each, and keeps its balance.", "walk", _pushed, _live_walk
    ),
    "human among boxes": Example("A human and three boxes as steps, for a live run.", "contact", _boxes),
    "double pendulum": Example("Chaotic motion: direct dynamics without contact.", "direct", _pendulum, _direct(6.0)),
    "waving human": Example("Keyframes and a smooth motion through them.", "keys", _waving, _wave),
}
