"""What inverse kinematics found, and why it is not more. Floats only."""

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Solution"]


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """Configurations that meet targets, or come as near as was found.

    Attributes
    ----------
    q : (nq,) or (batch, nq). error : (targets,) or (batch, targets) [m or rad], how far each target is missed.
    passes : how many the solver took, all starts together; one, or (batch,).
    reached : as error, whether within the tolerance. converged : whether all are; one, or (batch,).
    """

    q: Any
    error: Any
    passes: Any
    problems: Any

    @property
    def reached(self):
        """Whether each target is met (a target of weight 0 always is)."""
        return self.problems.reached(self.error)

    @property
    def converged(self):
        """Whether all targets are met."""
        return self.reached.all(-1)

    def __repr__(self):
        done, many = np.sum(self.converged), np.size(self.converged)
        return f"Solution({done} of {many} converged, largest error {np.max(self.error):.3g})"

    def explain(self, problem: int = 0) -> str:
        """Why a problem did not converge: which target is out of reach, and by how much."""
        targets, tolerance = self.problems.targets, self.problems.tolerance
        if np.atleast_1d(self.converged)[problem]:
            return f"All {len(targets)} targets are reached within {tolerance:g}."
        error, reached = np.atleast_2d(self.error)[problem], np.atleast_2d(self.reached)[problem]
        apart = self.problems.alone(problem, np.atleast_2d(self.q)[problem])
        far = [n for n in np.flatnonzero(~reached) if apart[n] > tolerance]
        if far:
            parts = [f"the {targets[n].label()} comes no nearer than {_show(apart[n], targets[n])}" for n in far]
            return f"Out of reach, even alone: {'; '.join(parts)}. Move the goal, the start q0, or the limits."
        missed = sorted(np.flatnonzero(~reached), key=lambda n: -error[n])
        parts = [f"the {targets[n].label()} by {_show(error[n], targets[n])}" for n in missed]
        return (f"Each target can be reached alone, but together these are missed: {'; '.join(parts)}. Give the less "
                "important ones a smaller weight, more restarts, or another q0.")  # fmt: skip


def _show(value, target) -> str:
    return f"{value:.3g} {target.unit}"
