"""Which rows of a figure's loops say something new? Known from the figure alone: rows that others imply are never held.

At closed configurations, with rows j̃_k = j_k / √M_kk over the free degrees of freedom, each in turn the one that is
farthest from those chosen before, in the worst of the configurations:

    score_j = min over configurations of |j̃ - its part along those chosen|² / |j̃|²,   chosen while > 1e-8            (1)

A planar four-bar closed by a hinge in space has five rows of which two are chosen; Bennett's the same, though none of
its rows is ever zero. What is left depends on those chosen (*shared*: forces are indeterminate and shared out), or only
on them and the prescribed degrees of freedom (*dropped*: who prescribes them takes the load).

    weight of a row's force when it is shared: mean |j̃|² over the rows of its kind, lengths or angles              (2)

which makes forces and moments alike. Floats only.
"""

import threading
from typing import NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.constraints.loops.closures import closures
from anthropi.constraints.primitives import Point, primitives_of
from anthropi.constraints.relative import rows

__all__ = ["Choice", "choice", "closed_configurations"]

STARTS, WANTED = 8, 2  # configurations tried and used
PASSES, STUCK = 40, 6  # of a try, and of one that gets nowhere
CLOSED, NEW = 1e-10, 1e-8  # what is closed; (1)
ROUNDING = 1e-16  # of the largest |j̃|²: a row that is nothing

_known: dict[tuple, "Choice"] = {}
_closed: dict[str, list[np.ndarray]] = {}
_lock = threading.Lock()


class Choice(NamedTuple):
    """Numbers of rows: those that are held, those whose forces are shared, in all; what a force weighs in each (2)."""

    kept: tuple[int, ...]
    shared: tuple[int, ...]
    total: int
    weights: tuple[float, ...]


def choice(figure, prescribed=()) -> Choice:
    """The rows to hold where these degrees of freedom (numbers) are prescribed."""
    figure = getattr(figure, "floats", figure)  # the figure before its numbers were traced
    place = (figure.key, tuple(sorted(prescribed)))
    with _lock:
        found = _known.get(place)
        configurations = _closed.get(figure.key)
    if found is None:
        configurations = configurations or closed_configurations(figure)
        found = _choose(figure, configurations, place[1])
        with _lock:
            _known[place], _closed[figure.key] = found, configurations
            _trim(_known)
            _trim(_closed)
    return found


def _trim(table: dict) -> None:
    while len(table) > 1000:
        del table[next(iter(table))]


def closed_configurations(figure, starts: int = STARTS, wanted: int = WANTED) -> list[np.ndarray]:
    """Some configurations in which the loops are closed; the nearest there is, if none was found."""
    constraints, found, best = closures(figure), [], None
    rng = np.random.default_rng(0)
    for n in range(starts):
        q, gap = _close(figure, constraints, figure.neutral() if n == 0 else figure.random(rng))
        if not np.isfinite(gap):
            continue
        if gap <= CLOSED:
            found.append(q)
        if best is None or gap < best[1]:
            best = (q, gap)
        if len(found) == wanted:
            break
    return found or [figure.neutral() if best is None else best[0]]


def _close(figure, constraints, q):
    """Damped Gauss-Newton from a start: q, and the largest residual there."""
    damping, before, best, stuck = 1e-3, np.inf, np.inf, 0
    for _ in range(PASSES):
        e, J = rows(figure, q, constraints, 0.0, kinematics(figure, q))
        e, J = e.astype(float), J.astype(float)
        gap = np.max(np.abs(e), initial=0.0)
        best, stuck = min(gap, best), 0 if gap < 0.95 * best else stuck + 1
        if gap <= 0.1 * CLOSED or stuck > STUCK:
            return q, gap
        damping = damping * (10.0 if gap > before else 0.2)
        before = gap
        J_, e_ = np.vstack([J, np.sqrt(damping) * np.eye(figure.nu)]), np.concatenate([e, np.zeros(figure.nu)])
        step = -np.linalg.lstsq(J_, e_, rcond=None)[0]
        q = figure.integrate(q, step * min(1.0, 0.5 / np.max(np.abs(step), initial=1e-300)))
    return q, np.max(np.abs(rows(figure, q, constraints, 0.0)[0]), initial=0.0)


def _choose(figure, configurations, prescribed) -> Choice:
    tree, constraints = figure.changed(loops=(), checked=False), closures(figure)
    free = [k for k in range(figure.nu) if k not in prescribed]
    some: list[np.ndarray] = []
    whole: list[np.ndarray] = []
    for q in configurations:
        inertia = np.diag(mass_matrix(tree, q)).astype(float)
        table = rows(figure, q, constraints, 0.0)[1].astype(float) / np.sqrt(inertia)
        nothing = ROUNDING * np.max(np.sum(table * table, axis=1), initial=0.0)
        for columns, kept_in in ((slice(None), whole), (free, some)):
            part = table[:, columns]
            kept_in.append(part * (np.sum(part * part, axis=1, keepdims=True) > nothing))
    total = len(some[0])
    ranks = [len(_greedy([a], range(total), NEW)) for a in some]
    usual = [n for n, rank in enumerate(ranks) if rank == max(ranks)]  # not where the mechanism is stretched or folded
    some, whole = [some[n] for n in usual], [whole[n] for n in usual]
    kept = _greedy(some, range(total), NEW)
    after = [_left(a, kept) for a in whole]
    shared = [
        j
        for j in range(total)
        if j not in kept and max(_score(a, b, j) for a, b in zip(whole, after, strict=True)) <= NEW
    ]
    return Choice(tuple(kept), tuple(shared), total, _weights(constraints, whole))


def _weights(constraints, tables) -> tuple[float, ...]:
    """(2)"""
    kinds = [(type(row).__name__ == "Driven", any(isinstance(f, Point) for f in row.features()))
             for row in primitives_of(constraints)]  # fmt: skip
    size = np.mean([np.sum(table * table, axis=1) for table in tables], axis=0)
    mean = {kind: np.mean([size[j] for j in range(len(kinds)) if kinds[j] == kind]) for kind in kinds}
    return tuple(float(f"{mean[kind]:.2g}") or 1.0 for kind in kinds)  # the same on every machine


def _greedy(tables, candidates, least: float) -> list[int]:
    """(1)"""
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


def _score(table, left, j: int) -> float:
    """How much of a row is new."""
    whole = table[j] @ table[j]
    return float(left[j] @ left[j]) / whole if whole else 0.0


def _left(table, chosen):
    """What is left of rows without those chosen."""
    left = table.copy()
    for j in chosen:
        left = _without(left, left[j])
    return left


def _without(table, row):
    """Rows without their part along one."""
    length = row @ row
    return table if length == 0.0 else table - np.outer(table @ row, row) / length
