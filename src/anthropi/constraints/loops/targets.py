"""A loop as a target of inverse kinematics: it shall be closed, whatever else is wanted."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anthropi.constraints.loops.closures import closures
from anthropi.constraints.relative import rows
from anthropi.constraints.targets import Target

__all__ = ["Closing", "closings"]

HEAVY = 10.0  # against a metre or a radian of other targets; what is left is closed afterwards


@dataclass(frozen=True, eq=False)
class Closing(Target):
    """A loop of the figure shall be closed."""

    of: str
    weight: Any = HEAVY
    size: ClassVar[int] = 0
    always: ClassVar[bool] = True

    def label(self):
        """The loop's name."""
        return f"loop {self.of}"

    def about(self, figure):
        """Its number among the loops."""
        return ([loop.name for loop in figure.loops].index(self.of),)

    def goal(self):
        """Nothing but closed."""
        return np.zeros(0)

    def error(self, figure, k, q, goal):
        """-Φ and its Jacobian."""
        (n,) = self.about(figure)
        residual, J = rows(figure, q, (closures(figure)[n],), 0.0, k)
        return -residual, J


def closings(figure) -> tuple[Closing, ...]:
    """One for each loop."""
    return tuple(Closing(loop.name) for loop in figure.loops)
