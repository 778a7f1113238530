"""Which constraints cannot hold together? A smallest set, found by leaving out one after the other. Floats only.

At a minimum of |r|² that is no solution, Jᵀ r = 0: the residuals themselves are forces in balance, and only constraints
that push take part in the conflict.                                                                  (1)
Of those, each is left out in turn; if the rest still has no solution, it stays out. What remains has no solution, and
has one when any of it is left out (deletion filter).                                                 (2)
"""

from collections.abc import Callable

__all__ = ["smallest_conflict"]

PUSHES = 1e-4  # of the largest residual


def smallest_conflict(names, missed, solvable: Callable[[list[int]], bool]) -> list[int]:
    """Numbers of constraints that cannot hold together.

    missed : the residual of each where the solver ended. solvable : whether constraints, by number, have a solution.
    """
    every = list(range(len(names)))
    pushing = [k for k in every if missed[k] > PUSHES * max(missed, default=0.0)]  # (1)
    found = every if len(pushing) < len(every) and solvable(pushing) else pushing
    for k in sorted(found, key=lambda k: missed[k]):  # (2)
        rest = [i for i in found if i != k]
        if rest and not solvable(rest):
            found = rest
    return sorted(found)
