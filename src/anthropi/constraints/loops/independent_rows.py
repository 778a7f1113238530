"""Choice of independent equations (rows) of a figure's loops. Equations that follow from others are not solved.

The choice is made once for a figure, at configurations with closed loops. With rows j̃_k = j_k / √M_kk over the free
degrees of freedom, the next row is the one farthest from the rows chosen before, in the worst of the configurations:

    score_j = min over configurations of |j̃ - its part along those chosen|² / |j̃|²,   chosen while > 1e-8       (1)

A planar four-bar linkage closed by a spatial hinge has five rows, and two of them are chosen. The same is true of
Bennett's linkage, although none of its rows is ever zero. The other rows are of two kinds. A *shared* row depends on
the chosen rows; its force is indeterminate, and the load is distributed over these rows. A *dropped* row depends on
the chosen rows and on prescribed degrees of freedom, which carry its load.

    weight of a row's force when it is shared: mean |j̃|² over the rows of its kind, lengths or angles           (2)

The weights make forces and moments comparable. Works on plain floats only; cannot be recorded on a tape.
"""

import threading
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.compiler.threads import held_during_fork
from anthropi.constraints.gauss_newton import LevenbergMarquardtSettings, levenberg_marquardt
from anthropi.constraints.loops.closures import closures, pose_closures
from anthropi.constraints.primitives import Point, guides_of, primitives_of
from anthropi.constraints.relative import rows

__all__ = ["Choice", "choice", "closed_configurations"]

MAX_STARTS = 8  # start configurations
MAX_CONFIGURATIONS = 2  # closed configurations used
MAX_PASSES = 40  # steps from one start
CLOSED_TOLERANCE = 1e-10  # [m, rad] largest residual of a configuration that counts as closed
MIN_INDEPENDENCE = 1e-8  # (1)
RELATIVE_ROUNDING = 1e-16  # relative to the largest |j̃|²; a smaller row counts as zero
MAX_REMEMBERED = 1000  # number of figures whose choice is cached
CLOSING = LevenbergMarquardtSettings(max_step=0.5, patience=6, min_progress=0.1)  # max_step in rad or m

_known: dict[tuple[Any, ...], "Choice"] = {}
_closed: dict[str, list[np.ndarray]] = {}
_lock = threading.Lock()
held_during_fork(_lock)


class Choice(NamedTuple):
    """Chosen rows of a figure's loops.

    kept : numbers of the independent rows. shared : numbers of the rows with indeterminate forces. total : number of
    all rows. weights : (total,), weights of (2).
    """

    kept: tuple[int, ...]
    shared: tuple[int, ...]
    total: int
    weights: tuple[float, ...]


def choice(figure: Any, prescribed: Iterable[int] = ()) -> Choice:
    """Return the independent rows of a figure's loops; prescribed : indices of prescribed degrees of freedom."""
    figure = getattr(figure, "floats", figure)  # the figure with plain numbers, if its numbers are being recorded
    key = (figure.key, tuple(sorted(prescribed)))
    with _lock:
        found = _known.get(key)
        configurations = _closed.get(figure.key)
    if found is None:
        configurations = configurations or closed_configurations(figure)
        found = _choose(figure, configurations, key[1])
        with _lock:
            _known[key], _closed[figure.key] = found, configurations
            _trim(_known)
            _trim(_closed)
    return found


def _trim(table: dict[Any, Any]) -> None:
    """Drop the oldest entries of a cache that exceeds its limit."""
    while len(table) > MAX_REMEMBERED:
        del table[next(iter(table))]


def closed_configurations(figure: Any, starts: int = MAX_STARTS, wanted: int = MAX_CONFIGURATIONS) -> list[np.ndarray]:
    """Find configurations in which the loops are closed; if none is found, return the one with the smallest residual.

    starts : number of start configurations, the neutral one first. wanted : number of results after which to stop.
    """
    problem, found, best = _Closing(figure), [], None
    rng = np.random.default_rng(0)
    for n in range(starts):
        start = figure.neutral() if n == 0 else figure.random(rng)
        ended = levenberg_marquardt(problem, start, 0.1 * CLOSED_TOLERANCE, MAX_PASSES, CLOSING)
        gap = np.max(np.abs(ended.r), initial=0.0)
        if not np.isfinite(gap):
            continue
        if gap <= CLOSED_TOLERANCE:
            found.append(ended.x)
        if best is None or gap < best[1]:
            best = (ended.x, gap)
        if len(found) == wanted:
            break
    return found or [figure.neutral() if best is None else best[0]]


class _Closing:
    """The errors of a figure's loops as a problem for `levenberg_marquardt`."""

    def __init__(self, figure: Any) -> None:
        self.figure, self.coordinates = figure, self
        self.constraints = pose_closures(figure)

    def __call__(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the errors of the loops and guides (m,), and their Jacobian (m, nu)."""
        every = (*self.constraints, *guides_of(self.constraints))
        e, J = rows(self.figure, q, every, 0.0, kinematics(self.figure, q))
        return e.astype(float), J.astype(float)

    def moved(self, q: np.ndarray, d: np.ndarray) -> np.ndarray:
        """Return the configuration after a step d (nu,)."""
        return self.figure.integrate(q, d)

    def holds(self, r: np.ndarray, tolerance: float) -> bool:
        """Return whether all errors are within the tolerance."""
        return bool(np.max(np.abs(r), initial=0.0) <= tolerance)


def _choose(figure: Any, configurations: list[np.ndarray], prescribed: tuple[int, ...]) -> Choice:
    """Choose the independent rows at given configurations (1)."""
    tree, constraints = figure.changed(loops=(), checked=False), closures(figure)
    free = [k for k in range(figure.nu) if k not in prescribed]
    some: list[np.ndarray] = []
    whole: list[np.ndarray] = []
    for q in configurations:
        inertia = np.diag(mass_matrix(tree, q)).astype(float)
        table = rows(figure, q, constraints, 0.0)[1].astype(float) / np.sqrt(inertia)
        nothing = RELATIVE_ROUNDING * np.max(np.sum(table * table, axis=1), initial=0.0)
        for columns, kept_in in ((slice(None), whole), (free, some)):
            part = table[:, columns]
            kept_in.append(part * (np.sum(part * part, axis=1, keepdims=True) > nothing))
    total = len(some[0])
    ranks = [len(_greedy([a], range(total), MIN_INDEPENDENCE)) for a in some]
    usual = [n for n, rank in enumerate(ranks) if rank == max(ranks)]  # without singular configurations
    some, whole = [some[n] for n in usual], [whole[n] for n in usual]
    kept = _greedy(some, range(total), MIN_INDEPENDENCE)
    after = [_left(a, kept) for a in whole]
    shared = [
        j
        for j in range(total)
        if j not in kept and max(_score(a, b, j) for a, b in zip(whole, after, strict=True)) <= MIN_INDEPENDENCE
    ]
    return Choice(tuple(kept), tuple(shared), total, _weights(constraints, whole))


def _weights(constraints: Any, tables: list[np.ndarray]) -> tuple[float, ...]:
    """Return the weight (2) of each row's force, (rows,)."""
    kinds = [
        (type(row).__name__ == "Driven", any(isinstance(f, Point) for f in row.features()))
        for row in primitives_of(constraints)
    ]
    size = np.mean([np.sum(table * table, axis=1) for table in tables], axis=0)
    mean = {kind: np.mean([size[j] for j in range(len(kinds)) if kinds[j] == kind]) for kind in kinds}
    return tuple(float(f"{mean[kind]:.2g}") or 1.0 for kind in kinds)  # rounded, to be the same on every machine


def _greedy(tables: list[np.ndarray], candidates: Iterable[int], least: float) -> list[int]:
    """Return the numbers of the rows chosen by (1), in order; stop when the best score is not above `least`."""
    left, chosen = [a.copy() for a in tables], []
    waiting = list(candidates)
    while waiting:
        scores = {j: min(_score(a, b, j) for a, b in zip(tables, left, strict=True)) for j in waiting}
        best = max(scores, key=lambda j: (round(scores[j], 6), -j))  # the first of equal scores
        if not scores[best] > least:
            break
        chosen.append(best)
        waiting.remove(best)
        left = [_without(b, b[best]) for b in left]
    return chosen


def _score(table: np.ndarray, left: np.ndarray, j: int) -> float:
    """Return the score (1) of row j: the fraction of it that is independent of the chosen rows."""
    whole = table[j] @ table[j]
    return float(left[j] @ left[j]) / whole if whole else 0.0


def _left(table: np.ndarray, chosen: list[int]) -> np.ndarray:
    """Return the rows without their components along the chosen rows."""
    left = table.copy()
    for j in chosen:
        left = _without(left, left[j])
    return left


def _without(table: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Return the rows without their components along one row."""
    length = row @ row
    return table if length == 0.0 else table - np.outer(table @ row, row) / length
