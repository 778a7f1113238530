"""Which constraints repeat what others say, and what is left free? Ranks, constraint by constraint. Floats only.

Rows J_c of constraint c, brought to unit length, after those of all before it, with orthonormal Q of theirs:

    B = J_c (1 - Qᵀ Q),   adds = rank B,   Q ← [Q; row space of B]                                    (1)
    degrees of freedom left = n - rank Q;   motions left: P = 1 - Qᵀ Q                                (2)
    a row that adds nothing is a sum of rows that did; the constraints in that sum are what it repeats (3)

Where adds is less than the constraint removes, either the rest is implied (redundant), or this position is singular (a
chain stretched out, spheres that touch). To tell, take small steps along motions that the rows which added something
leave, solve those rows again, and look at the others: as many say something as their residuals take on directions. (4)
"""

from typing import NamedTuple

import numpy as np

from anthropi.constraints.assembly.problem import Problem
from anthropi.constraints.gauss_newton import levenberg_marquardt

__all__ = ["Analysis", "Redundancy", "analyse"]

DEPENDENT = 1e-6  # what is left of a unit row that says nothing new; at singular positions states are known to 1e-8
STEP, SAMPLES, SPEAKS = 0.03, 8, 1e-6  # of (4): step [rad or sizes], how many, residual that is not zero


class Redundancy(NamedTuple):
    """A constraint that repeats others: how many of its equations, of how many, and which constraints say them."""

    name: str
    repeats: int
    of: int
    others: tuple[str, ...]

    def __str__(self):
        if self.repeats < self.of:
            return f"{self.repeats} of the {self.of} equations of '{self.name}' repeat {_listed(self.others)}"
        return f"'{self.name}' repeats {_listed(self.others)}"


class Analysis(NamedTuple):
    """What constraints do at a solution.

    unknowns : how many. rank : degrees of freedom they remove there. freedom : left there. adds : {name: how many each
    takes after those before it}. redundant : which repeat others. singular : how many more degrees of freedom there are
    at this position than nearby; they do not lead far, or to a branch. basis : Q of (1), (rank, n).
    """

    unknowns: int
    rank: int
    freedom: int
    adds: dict[str, int]
    redundant: tuple[Redundancy, ...]
    singular: int
    basis: np.ndarray


def analyse(problem: Problem, x, tolerance: float = 1e-12) -> Analysis:
    """What do the constraints of a problem do at a solution x?"""
    _, J = problem(x)
    J = J if isinstance(J, np.ndarray) else J.toarray()
    J = J[: problem.m]
    length = np.sqrt((J * J).sum(1, keepdims=True))
    J = np.where(length > DEPENDENT, J / np.maximum(length, 1e-300), 0.0)
    owner = problem.owner[: problem.m]
    if len(J) <= problem.n:  # all at once, where no row repeats others
        Q, R = np.linalg.qr(J.T)
        if np.abs(np.diag(R)).min(initial=1.0) > DEPENDENT:
            adds = {c.name: int((owner == k).sum()) for k, c in enumerate(problem.constraints)}
            return Analysis(problem.n, len(J), problem.n - len(J), adds, (), 0, Q.T)
    Q = np.zeros((min(J.shape), problem.n))
    rank, singular = 0, 0
    kept: list[int] = []
    adds = {}
    redundant: list[Redundancy] = []
    for k, c in enumerate(problem.constraints):
        own = np.flatnonzero(owner == k)
        fresh = _complement(J[own], Q[:rank])
        found, chosen = _rank(fresh)
        adds[c.name] = len(found)
        kept += list(own[chosen])
        Q[rank : rank + len(found)] = found
        rank += len(found)
        left = np.setdiff1d(own, own[chosen])
        if len(left):
            says = _says(problem, x, kept, left, Q[:rank], tolerance)
            singular += says
            if says < len(left):
                others = _sources(problem, J, kept, left, owner, k)
                redundant.append(Redundancy(c.name, len(left) - says, len(own), others))
    return Analysis(problem.n, rank, problem.n - rank, adds, tuple(redundant), singular, Q[:rank])


def _complement(B, Q) -> np.ndarray:
    """(1), twice for the sake of rounding."""
    for _ in range(2):
        B = B - (B @ Q.T) @ Q
    return B


def _rank(B) -> tuple[np.ndarray, list[int]]:
    """An orthonormal basis of the rows of B, and rows that span them, the earlier ones first."""
    basis, chosen = np.zeros((0, B.shape[1])), []
    for k, row in enumerate(B):
        for _ in range(2):
            row = row - (row @ basis.T) @ basis
        length = np.sqrt(row @ row)
        if length > DEPENDENT:
            basis = np.concatenate([basis, row[None] / length])
            chosen.append(k)
    return basis, chosen


def _sources(problem, J, kept, left, owner, k) -> tuple[str, ...]:
    """(3): the constraints whose rows make up those that are left over."""
    if not kept:
        return ()
    weights = np.linalg.lstsq(J[kept].T, J[left].T, rcond=None)[0]
    used = {int(owner[row]) for row, w in zip(kept, np.abs(weights).max(1), strict=True) if w > 1e-5}
    return tuple(problem.constraints[i].name for i in sorted(used - {k}))


def _says(problem, x, kept, left, Q, tolerance: float) -> int:
    """(4): in how many directions the residuals of rows left over move where the rows that are kept still hold."""
    if len(Q) >= problem.n:
        return 0  # nothing moves: they can only agree
    independent, rng, seen = problem.some(kept), np.random.default_rng(0), []
    for _ in range(SAMPLES):
        d = _complement(rng.normal(size=(1, problem.n)), Q)[0]
        there = levenberg_marquardt(independent, problem.coordinates.moved(x, d * (STEP / np.abs(d).max())), tolerance)
        if there.solved:
            seen.append(problem.residual(there.x)[left])
    return int((np.linalg.svd(np.array(seen), compute_uv=False) > SPEAKS).sum()) if seen else len(left)


def _listed(names) -> str:
    if not names:
        return "what holds without them"
    words = [f"'{n}'" for n in names]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
