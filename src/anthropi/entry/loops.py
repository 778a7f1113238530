"""Entry points for figures with closed loops: loop closure, dynamics and impulses; couplings of coordinates."""

from typing import Any

import numpy as np

from anthropi.constraints.loops.closures import course_at, loop_of
from anthropi.constraints.loops.closures import loop_errors as _errors
from anthropi.constraints.loops.dynamics import loop_dynamics as _direct
from anthropi.constraints.loops.dynamics import loop_hybrid_dynamics as _hybrid
from anthropi.constraints.loops.dynamics import loop_impulses as _impulses
from anthropi.constraints.loops.dynamics import loop_inverse_dynamics as _inverse
from anthropi.constraints.loops.misalignment import open_loops
from anthropi.constraints.loops.projection import Closed
from anthropi.constraints.loops.projection import close_loops as _close
from anthropi.entry.entry_point import entry_point
from anthropi.errors import StateError
from anthropi.figure import Coupling, Figure, Polynomial

__all__ = [
    "Coupling",
    "Polynomial",
    "close_loops",
    "loop_course",
    "loop_dynamics",
    "loop_errors",
    "loop_hybrid_dynamics",
    "loop_impulses",
    "loop_inverse_dynamics",
    "loop_of",
]

CLOSED_TOLERANCE = 1e-9  # [m, rad]; largest residual of a state that `close_loops` returns
RESTART_SPREAD = 0.1  # [rad, m]; standard deviation of the first random restart; each further one doubles it
MAX_NAMED = 3  # loops that an error names
MAX_RESTART_SPREAD = 1.6  # [rad, m]

loop_dynamics = entry_point(_direct, solves=True)
loop_hybrid_dynamics = entry_point(_hybrid, may_be_nan=("tau", "udot"), solves=True)
loop_inverse_dynamics = entry_point(_inverse)
loop_errors = entry_point(_errors)
loop_impulses = entry_point(_impulses, solves=True)
loop_course = course_at
_closed = entry_point(_close)

for _entry in (loop_dynamics, loop_hybrid_dynamics, loop_inverse_dynamics, loop_errors, loop_impulses):
    _entry.__module__ = __name__  # so that they pickle, and help() names the module to import from


def close_loops(
    figure: Figure, q: Any, u: Any = None, course: Any = None, *, passes: int = 100, restarts: int = 8
) -> Any:
    """Find a state with closed loops near a given state.

    Parameters
    ----------
    q : (nq,) or (batch, nq). u : (nu,) or (batch, nu), velocities to be made consistent with the loops too.
    course : (3, numbers), value, rate and acceleration of the loops' numbers (`loop_course`); by default constant.
    passes : largest number of Gauss–Newton steps from one start.
    restarts : largest number of random restarts, each farther from q, for states whose loops did not close.

    Returns
    -------
    q, or (q, u) if u is given.

    Raises
    ------
    StateError : a loop stays open from every start; the message names it, with its gap in position and the angle by
        which its axes are misaligned.
    """
    found = _closed(figure, q, u, course, passes=passes)
    if not isinstance(found.error, (float, np.ndarray)):  # being recorded
        return found.q if u is None else (found.q, found.u)
    start, rng = np.asarray(q, float), np.random.default_rng(0)
    for n in range(restarts):
        missed = np.asarray(~(found.error <= CLOSED_TOLERANCE))
        if not missed.any():
            break
        spread = min(RESTART_SPREAD * 2.0**n, MAX_RESTART_SPREAD)
        offset = spread * rng.normal(size=(*start.shape[:-1], figure.nu))
        again = _closed(figure, figure.integrate(start, offset), u, course, passes=passes)
        pairs = zip(found, again, strict=True)
        found = Closed(*(None if a is None else np.where(_shaped(missed, a), b, a) for a, b in pairs))
    _refuse_open(figure, found, course)
    return found.q if u is None else (found.q, found.u)


def _shaped(mask: np.ndarray, array: np.ndarray) -> np.ndarray:
    """Return a mask over the batch with as many axes as an array."""
    return mask.reshape(mask.shape + (1,) * (np.ndim(array) - mask.ndim))


def _refuse_open(figure: Figure, found: Closed, course: Any) -> None:
    """Raise an error that names the loops with the largest gaps, if a loop is open."""
    worst = np.ravel(found.error)
    bad = np.flatnonzero(~(worst <= CLOSED_TOLERANCE))
    if not bad.size:
        return
    which = f" (number {bad[0]} of the batch)" if worst.size > 1 else ""
    own = course if np.ndim(course) < 3 else course[bad[0]]
    words = open_loops(figure, np.atleast_2d(found.q)[bad[0]], own, CLOSED_TOLERANCE)
    gaps = "; ".join(f"'{name}' stays open by {gap}" for name, gap in list(words.items())[:MAX_NAMED])
    more = f"; {len(words) - MAX_NAMED} more loops stay open" if len(words) > MAX_NAMED else ""
    raise StateError(
        f"The loops of figure '{figure.name}' do not close from this state{which}: {gaps}{more}. Start closer to a "
        "closed configuration, or check the lengths of the links and the directions of the axes of these loops."
    )
