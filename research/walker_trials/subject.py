"""Subject of a trial: a body, a set of parameters, a scene, and an initial state. Works on plain floats only."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.contact.scene import Scene
from anthropi.figure.human.build import human
from anthropi.gait.walker import load_walker, sole_scene, walker_at_start
from anthropi.gait.walker.parameters import size_of
from anthropi.simulation.controllers import Nominal
from anthropi.simulation.memory import layout
from anthropi.simulation.problem import Problem, initial_memory

__all__ = ["BODY", "Subject", "subject"]

BODY = 1.75, 75.0  # [m], [kg] of the body for which parameter sets are made
SPEED = 1.3  # [m/s] preferred speed of such a body


@dataclass(frozen=True, eq=False)
class Subject:
    """Subject of a trial. scene, controller : for `simulate`. start : (q, u), walking or standing."""

    scene: Scene
    controller: Any
    start: tuple[np.ndarray, np.ndarray]

    @property
    def figure(self):
        """The walking figure."""
        return self.scene.figure

    @property
    def preferred(self) -> float:
        """Preferred speed [m/s]: 1.3 m/s for a body of 1.75 m, times the square root of the ratio of leg lengths."""
        return SPEED * float(size_of(self.figure).time)

    def columns(self) -> dict[str, int]:
        """Return the column of each number of the walker in the rows of memory."""
        first = layout(initial_memory(Problem(self.figure, self.scene, self.controller)))
        return {name: int(x) for name, x in first.unpack(np.arange(first.size, dtype=float))["control"].items()}


def subject(figure=None, walker="natural", start: str = "walk", *, taken_for=None, sight=None, **scene) -> Subject:
    """Return a subject.

    figure : by default a standard human of 1.75 m and 75 kg. walker, start : as for `WalkingSession`. taken_for :
    figure that the controller assumes (`Nominal`). sight : `Sight` of the ground, or None. scene : fields of the
    `Scene`.
    """
    figure, own = human(*BODY) if figure is None else figure, load_walker(walker)
    known = figure if taken_for is None else taken_for
    controller: Any
    controller, q, u = walker_at_start(known, own, start, sight)
    if taken_for is not None:
        controller = Nominal(controller, taken_for)
    return Subject(sole_scene(figure, **scene), controller, (q, u))
