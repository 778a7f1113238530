"""Fronts for figures with closed loops: closing them, moving with them, and what holds them."""

import numpy as np

from anthropi.constraints.loops.closures import course_at, loop_of
from anthropi.constraints.loops.closures import loop_errors as _errors
from anthropi.constraints.loops.dynamics import loop_dynamics as _direct
from anthropi.constraints.loops.dynamics import loop_hybrid_dynamics as _hybrid
from anthropi.constraints.loops.dynamics import loop_impulses as _impulses
from anthropi.constraints.loops.dynamics import loop_inverse_dynamics as _inverse
from anthropi.constraints.loops.projection import close_loops as _close
from anthropi.entry.entry_point import by_link, entry_point
from anthropi.errors import StateError

__all__ = [
    "close_loops", "loop_course", "loop_dynamics", "loop_errors", "loop_hybrid_dynamics", "loop_impulses",
    "loop_inverse_dynamics", "loop_of",
]  # fmt: skip

CLOSED = 1e-9  # what counts as closed [m, rad]

loop_dynamics = entry_point(_direct, solves=True)
loop_hybrid_dynamics = entry_point(_hybrid, may_be_nan=("tau", "udot"), solves=True)
loop_inverse_dynamics = entry_point(_inverse)
loop_errors = entry_point(_errors)
loop_course = course_at
_closed, _blown = entry_point(_close), entry_point(_impulses, solves=True)


def close_loops(figure, q, u=None, course=None, *, passes: int = 100, restarts: int = 8):
    """Which closed state is near this one?

    q (nq,), u (nu,) or with a leading batch axis; course (3, numbers): value, rate and acceleration of the loops'
    numbers (`loop_course`), where they are led. passes : at most, from a start. restarts : how many more starts, ever
    farther off, where loops did not close. Returns q, or (q, u) if u is given.
    """
    found = _closed(figure, q, u, course, passes=passes)
    if not isinstance(found.error, (float, np.ndarray)):  # being recorded
        return found.q if u is None else (found.q, found.u)
    start, rng = np.asarray(q, float), np.random.default_rng(0)
    for n in range(restarts):
        missed = np.asarray(~(found.error <= CLOSED))
        if not missed.any():
            break
        way = 0.1 * (n + 1) * rng.normal(size=(*start.shape[:-1], figure.nu))
        again = _closed(figure, figure.integrate(start, way), u, course, passes=passes)
        found = type(found)(*(None if a is None else np.where(_beside(missed, a), b, a)
                              for a, b in zip(found, again, strict=True)))  # fmt: skip
    _refuse_open(figure, found, course)
    return found.q if u is None else (found.q, found.u)


def _beside(mask, array):
    """A mask of problems, shaped to choose among their arrays."""
    return mask.reshape(mask.shape + (1,) * (np.ndim(array) - mask.ndim))


def _refuse_open(figure, found, course) -> None:
    """Say which loop did not close."""
    worst = np.ravel(found.error)
    bad = np.flatnonzero(~(worst <= CLOSED))
    if not bad.size:
        return
    which = f" (number {bad[0]} of the batch)" if worst.size > 1 else ""
    own = course if np.ndim(course) < 3 else course[bad[0]]
    gaps = {name: np.abs(e).max() for name, e in loop_errors(figure, np.atleast_2d(found.q)[bad[0]], own).items()}
    name = max(gaps, key=lambda n: gaps[n])
    raise StateError(f"The loops of figure '{figure.name}' do not close from here{which}: '{name}' stays open by "
                     f"{gaps[name]:.3g}. Start nearer, or look at its links' lengths.")  # fmt: skip


def loop_impulses(figure, q, u, blow=None, blow_ext=None, course=None):
    """Which velocities follow a blow, loops closed, and which impulses hold them?

    q closed; u (nu,) before it. blow (nu,): impulses at the joints [N m s or N s]; blow_ext (links, 6) or {link: (6,)}:
    on links, moment about the link's origin first, in its frame. Without a blow: velocities that agree with the loops.
    """
    return _blown(figure, q, u, blow, None if blow_ext is None else by_link(figure, blow_ext), course)
