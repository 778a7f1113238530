"""Redundant constraints and remaining degrees of freedom, from the rank that each constraint adds. Plain floats only.

Constraints are treated in order. J_c are the normalised rows of constraint c, and Q is an orthonormal basis of the rows
of all constraints before it:

    B = J_c (1 - Qᵀ Q),   adds = rank B,   Q ← [Q; row space of B]                                    (1)
    degrees of freedom left = n - rank Q;   motions left: P = 1 - Qᵀ Q                                (2)
    a row that adds no rank is a linear combination of rows that do; it repeats their constraints     (3)

If `adds` is less than the number of equations of the constraint, either the rest is implied by others (redundant), or
this position is singular (a stretched chain, spheres in contact). To decide, small steps are taken along the motions
that the independent rows allow, those rows are solved again, and the residuals of the other rows are examined: their
rank is the number of equations that are independent nearby.                                        (4)
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.constraints.assembly.problem import Problem
from anthropi.constraints.gauss_newton import levenberg_marquardt

__all__ = ["Analysis", "Redundancy", "analyse"]

MIN_INDEPENDENCE = 1e-6  # remaining length of a unit row that counts as independent; singular states are known to 1e-8
SAMPLE_STEP = 0.03  # [rad, or sizes of the assembly] length of the steps of (4)
SAMPLES = 8  # number of steps of (4)
MIN_RESIDUAL = 1e-6  # smallest residual of (4) that counts as not zero


class Redundancy(NamedTuple):
    """A redundant constraint: `repeats` of its equations, out of `of`, follow from the constraints `others`."""

    name: str
    repeats: int
    of: int
    others: tuple[str, ...]

    def __str__(self) -> str:
        if self.repeats < self.of:
            return f"{self.repeats} of the {self.of} equations of '{self.name}' repeat {_listed(self.others)}"
        return f"'{self.name}' repeats {_listed(self.others)}"


class Analysis(NamedTuple):
    """Analysis of the constraints at a solution.

    unknowns : number of unknowns. rank : degrees of freedom removed. freedom : degrees of freedom left.
    adds : {name: degrees of freedom that the constraint removes in addition to those before it}.
    redundant : constraints implied by others. singular : additional degrees of freedom that exist at this position but
    not nearby, or lead to another branch of solutions. basis : Q of (1), (rank, n).
    """

    unknowns: int
    rank: int
    freedom: int
    adds: dict[str, int]
    redundant: tuple[Redundancy, ...]
    singular: int
    basis: np.ndarray


def analyse(problem: Problem, x: Any, tolerance: float = 1e-12) -> Analysis:
    """Analyse the constraints of a problem at a solution x."""
    _, J = problem(x)
    J = J if isinstance(J, np.ndarray) else J.toarray()
    J = J[: problem.m]
    length = np.sqrt((J * J).sum(1, keepdims=True))
    J = np.where(length > MIN_INDEPENDENCE, J / np.maximum(length, 1e-300), 0.0)
    owner = problem.owner[: problem.m]
    if len(J) <= problem.n:  # fast path if no row repeats others
        Q, R = np.linalg.qr(J.T)
        if np.abs(np.diag(R)).min(initial=1.0) > MIN_INDEPENDENCE:
            adds = {c.name: int((owner == k).sum()) for k, c in enumerate(problem.constraints)}
            return Analysis(problem.n, len(J), problem.n - len(J), adds, (), 0, Q.T)
    Q = np.zeros((min(J.shape), problem.n))
    rank, singular = 0, 0
    kept: list[int] = []
    adds = {}
    redundant: list[Redundancy] = []
    for k, c in enumerate(problem.constraints):
        own = np.flatnonzero(owner == k)
        if not len(own):  # a limit
            adds[c.name] = 0
            continue
        fresh = _complement(J[own], Q[:rank])
        found, chosen = _rank(fresh)
        adds[c.name] = len(found)
        kept += list(own[chosen])
        Q[rank : rank + len(found)] = found
        rank += len(found)
        left = np.setdiff1d(own, own[chosen])
        if len(left):
            nearby = _independent_nearby(problem, x, kept, left, Q[:rank], tolerance)
            singular += nearby
            if nearby < len(left):
                others = _sources(problem, J, kept, left, owner, k)
                redundant.append(Redundancy(c.name, len(left) - nearby, len(own), others))
    return Analysis(problem.n, rank, problem.n - rank, adds, tuple(redundant), singular, Q[:rank])


def _complement(B: Any, Q: Any) -> np.ndarray:
    """Return B without its part along Q (1). The projection is repeated because of rounding."""
    for _ in range(2):
        B = B - (B @ Q.T) @ Q
    return B


def _rank(B: Any) -> tuple[np.ndarray, list[int]]:
    """Return an orthonormal basis of the rows of B, and the numbers of the rows chosen to span them, in order."""
    basis, chosen = np.zeros((0, B.shape[1])), []
    for k, row in enumerate(B):
        for _ in range(2):
            row = row - (row @ basis.T) @ basis
        length = np.sqrt(row @ row)
        if length > MIN_INDEPENDENCE:
            basis = np.concatenate([basis, row[None] / length])
            chosen.append(k)
    return basis, chosen


def _sources(problem: Any, J: Any, kept: Any, left: Any, owner: Any, k: Any) -> tuple[str, ...]:
    """Return the names of the constraints that the dependent rows `left` repeat (3)."""
    if not kept:
        return ()
    weights = np.linalg.lstsq(J[kept].T, J[left].T, rcond=None)[0]
    used = {int(owner[row]) for row, w in zip(kept, np.abs(weights).max(1), strict=True) if w > 1e-5}
    return tuple(problem.constraints[i].name for i in sorted(used - {k}))


def _independent_nearby(problem: Any, x: Any, kept: Any, left: Any, Q: Any, tolerance: float) -> int:
    """Return how many of the dependent rows `left` are independent at nearby solutions of the rows `kept` (4)."""
    if len(Q) >= problem.n:
        return 0  # nothing moves
    independent, rng, seen = problem.some(kept), np.random.default_rng(0), []
    for _ in range(SAMPLES):
        d = _complement(rng.normal(size=(1, problem.n)), Q)[0]
        there = levenberg_marquardt(
            independent, problem.coordinates.moved(x, d * (SAMPLE_STEP / np.abs(d).max())), tolerance
        )
        if there.solved:
            seen.append(problem.residual(there.x)[left])
    return int((np.linalg.svd(np.array(seen), compute_uv=False) > MIN_RESIDUAL).sum()) if seen else len(left)


def _listed(names: Any) -> str:
    if not names:
        return "equations that always hold"
    words = [f"'{n}'" for n in names]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
