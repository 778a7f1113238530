"""Independent rows of a figure's loops, chosen once from the figure: rows that others imply are never held.

At closed configurations, with rows j̃_k = j_k / √M_kk over the free degrees of freedom, the next row chosen is the one
farthest from those chosen before, in the worst of the configurations:

    score_j = min over configurations of |j̃ - its part along those chosen|² / |j̃|²,   chosen while > 1e-8       (1)

A planar four-bar closed by a spatial hinge has five rows of which two are chosen; Bennett's linkage the same, though
none of its rows is ever zero. The other rows depend on those chosen (*shared*: their forces are indeterminate and are
shared out), or only on them and on prescribed degrees of freedom (*dropped*: the prescribed ones take the load).

    weight of a row's force when it is shared: mean |j̃|² over the rows of its kind, lengths or angles           (2)

which makes forces and moments comparable. Plain floats only, cannot be recorded.
"""

import threading
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.constraints.loops.closures import closures
from anthropi.constraints.primitives import Point, primitives_of
from anthropi.constraints.relative import rows

__all__ = ["Choice", "choice", "closed_configurations"]

MAX_STARTS = 8  # configurations tried
MAX_CONFIGURATIONS = 2  # closed configurations used
MAX_PASSES = 40  # steps from one start
CLOSED_TOLERANCE = 1e-10  # [m, rad] largest residual of a configuration that counts as closed
MIN_INDEPENDENCE = 1e-8  # (1)
RELATIVE_ROUNDING = 1e-16  # of the largest |j̃|²: a smaller row counts as zero
MAX_REMEMBERED = 1000  # figures whose choice is kept
MAX_STALLED_PASSES = 6  # steps without progress
MAX_STEP = 0.5  # [rad or m] largest entry of a step

_known: dict[tuple[Any, ...], "Choice"] = {}
_closed: dict[str, list[np.ndarray]] = {}
_lock = threading.Lock()


class Choice(NamedTuple):
    """Numbers of the rows that are held (kept) and whose forces are shared; their total; weights (total,) of (2)."""

    kept: tuple[int, ...]
    shared: tuple[int, ...]
    total: int
    weights: tuple[float, ...]


def choice(figure: Any, prescribed: Iterable[int] = ()) -> Choice:
    """Return the rows to hold where these degrees of freedom (numbers) are prescribed."""
    figure = getattr(figure, "floats", figure)  # the figure before its numbers were traced
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
    """Drop the oldest entries."""
    while len(table) > MAX_REMEMBERED:
        del table[next(iter(table))]


def closed_configurations(figure: Any, starts: int = MAX_STARTS, wanted: int = MAX_CONFIGURATIONS) -> list[np.ndarray]:
    """Return configurations in which the loops are closed; the nearest to closed, if none was found.

    starts : configurations tried, the neutral one first. wanted : how many are enough.
    """
    constraints, found, best = closures(figure), [], None
    rng = np.random.default_rng(0)
    for n in range(starts):
        q, gap = _close(figure, constraints, figure.neutral() if n == 0 else figure.random(rng))
        if not np.isfinite(gap):
            continue
        if gap <= CLOSED_TOLERANCE:
            found.append(q)
        if best is None or gap < best[1]:
            best = (q, gap)
        if len(found) == wanted:
            break
    return found or [figure.neutral() if best is None else best[0]]


def _close(figure: Any, constraints: Any, q: np.ndarray) -> tuple[np.ndarray, float]:
    """Return a configuration near q by damped Gauss–Newton, and the largest residual there.

    The damping schedule is this function's own: the weights (2), and with them results for indeterminate loops, depend
    on the configurations it finds.
    """
    damping, before, best, stuck = 1e-3, np.inf, np.inf, 0
    for _ in range(MAX_PASSES):
        e, J = rows(figure, q, constraints, 0.0, kinematics(figure, q))
        e, J = e.astype(float), J.astype(float)
        gap = np.max(np.abs(e), initial=0.0)
        best, stuck = min(gap, best), 0 if gap < 0.95 * best else stuck + 1
        if gap <= 0.1 * CLOSED_TOLERANCE or stuck > MAX_STALLED_PASSES:
            return q, gap
        damping = damping * (10.0 if gap > before else 0.2)
        before = gap
        J_, e_ = np.vstack([J, np.sqrt(damping) * np.eye(figure.nu)]), np.concatenate([e, np.zeros(figure.nu)])
        step = -np.linalg.lstsq(J_, e_, rcond=None)[0]
        q = figure.integrate(q, step * min(1.0, MAX_STEP / np.max(np.abs(step), initial=1e-300)))
    return q, np.max(np.abs(rows(figure, q, constraints, 0.0)[0]), initial=0.0)


def _choose(figure: Any, configurations: list[np.ndarray], prescribed: tuple[int, ...]) -> Choice:
    """Choose the rows (1)."""
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
    usual = [n for n, rank in enumerate(ranks) if rank == max(ranks)]  # not the singular ones
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
    """Return the weights of (2), (rows,)."""
    kinds = [
        (type(row).__name__ == "Driven", any(isinstance(f, Point) for f in row.features()))
        for row in primitives_of(constraints)
    ]
    size = np.mean([np.sum(table * table, axis=1) for table in tables], axis=0)
    mean = {kind: np.mean([size[j] for j in range(len(kinds)) if kinds[j] == kind]) for kind in kinds}
    return tuple(float(f"{mean[kind]:.2g}") or 1.0 for kind in kinds)  # the same on every machine


def _greedy(tables: list[np.ndarray], candidates: Iterable[int], least: float) -> list[int]:
    """Return the rows chosen by (1), in order."""
    left, chosen = [a.copy() for a in tables], []
    waiting = list(candidates)
    while waiting:
        scores = {j: min(_score(a, b, j) for a, b in zip(tables, left, strict=True)) for j in waiting}
        best = max(scores, key=lambda j: (round(scores[j], 6), -j))  # the first of equals
        if not scores[best] > least:
            break
        chosen.append(best)
        waiting.remove(best)
        left = [_without(b, b[best]) for b in left]
    return chosen


def _score(table: np.ndarray, left: np.ndarray, j: int) -> float:
    """Return the share of a row that is independent of those chosen (1)."""
    whole = table[j] @ table[j]
    return float(left[j] @ left[j]) / whole if whole else 0.0


def _left(table: np.ndarray, chosen: list[int]) -> np.ndarray:
    """Return the rows without their parts along those chosen."""
    left = table.copy()
    for j in chosen:
        left = _without(left, left[j])
    return left


def _without(table: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Return the rows without their part along one."""
    length = row @ row
    return table if length == 0.0 else table - np.outer(table @ row, row) / length
