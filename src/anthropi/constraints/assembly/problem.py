"""Which equations does a solver see? The rows of constraints over coordinates, and whose each row is. Floats only.

Rows of the constraints' primitives come first, then those of their guides (`assembled/mates.py`). Lengths are over L.
"""

from functools import cached_property

import numpy as np

from anthropi.constraints.assembled.coupling import Teeth, Thread
from anthropi.constraints.assembly.rows import Rows
from anthropi.constraints.features import Point

__all__ = ["Problem"]


class Problem:
    """Constraints over coordinates (`Cartesian` or `Relative`). guided : whether guides are among the rows."""

    def __init__(self, coordinates, constraints, t=None, guided: bool = True):
        self.coordinates, self.constraints, self.t = coordinates, tuple(constraints), t
        own = [c.primitives() for c in self.constraints]
        more = [_guides(c) if guided else () for c in self.constraints]
        self.rows = Rows(coordinates.names, [p for part in (*own, *more) for p in part], coordinates.size, t)
        self.m = sum(map(len, own))  # without guides
        numbers = range(len(self.constraints))
        self.owner = np.array([k for part in (own, more) for k in numbers for _ in part[k]], int)
        self.evaluations = 0

    @property
    def n(self) -> int:
        """How many unknowns."""
        return self.coordinates.n

    def __call__(self, x):
        """Residual (rows,) and Jacobian (rows, n), dense or sparse."""
        self.evaluations += 1
        value, blocks = self.rows.evaluate(*self.coordinates.poses(x))
        return value, self.coordinates.jacobian(x, self.rows, blocks)

    def residual(self, x) -> np.ndarray:
        """The residual alone."""
        self.evaluations += 1
        return self.rows.evaluate(*self.coordinates.poses(x))[0]

    def holds(self, r, tolerance: float) -> bool:
        """Whether a residual is that of a solution: primitives zero, and guides that tell it from its mirror images."""
        guides = r[self.m :]
        return bool(np.abs(r[: self.m]).max(initial=0.0) <= tolerance and np.abs(guides).max(initial=0.0) <= MEANT)

    def missed(self, r) -> np.ndarray:
        """The largest residual of each constraint, guides included."""
        found = np.zeros(len(self.constraints))
        np.maximum.at(found, self.owner, np.abs(r))
        return found

    def blame(self, r) -> np.ndarray:
        """How much of a residual each body (or joint) has a part in."""
        return self.coordinates.blame(self.rows, r)

    @cached_property
    def smooth(self) -> "Problem | None":
        """The problem without threads and teeth; None if there are none."""
        return self._some([not isinstance(p, (Teeth, Thread)) for p in self.rows.primitives])

    @cached_property
    def turning(self) -> "Problem | None":
        """What the problem says of attitudes alone; None where that is all or nothing."""
        return self._some([not any(isinstance(f, Point) for f in p.features()) and not isinstance(p, Teeth)
                           for p in self.rows.primitives])  # fmt: skip

    def _some(self, kept) -> "Problem | None":
        return _Some(self, np.array(kept)) if any(kept) and not all(kept) else None

    def some(self, rows) -> "Problem":
        """Some of the rows alone, by number."""
        kept = np.zeros(len(self.rows.primitives), bool)
        kept[list(rows)] = True
        return _Some(self, kept)


class _Some(Problem):
    """Some rows of a problem."""

    smooth = turning = None

    def __init__(self, whole: Problem, kept):
        self.whole, self.coordinates, self.constraints, self.kept = whole, whole.coordinates, whole.constraints, kept
        self.m, self.owner = int(kept[: whole.m].sum()), whole.owner[kept]

    def __call__(self, x):
        r, J = self.whole(x)
        return r[self.kept], J[self.kept]

    def residual(self, x):
        return self.whole.residual(x)[self.kept]

    def blame(self, r):
        every = np.zeros(len(self.kept))
        every[self.kept] = r
        return self.whole.blame(every)


def _guides(constraint):
    guides = getattr(constraint, "guides", None)
    return guides() if guides is not None else ()


MEANT = 1e-4  # how far a guide may be off where the primitives hold: the next other solution is at 1 or 2
