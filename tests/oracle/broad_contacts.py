"""Contact problems of every kind: random figures, touches with the world and between links, normals any way.

A problem is Coulomb's law for v = b + W Δu with M Δu = Wᵀ P, b the speeds before less the least normal ones asked for
(0, a gap to close, or a bounce). With a bounce two touches may ask for what no motion can do. What linear programs say
about that, with K the friction cones, widened to polyhedra:

    no Δu has b_n + W_n Δu ≥ 0:                          there is no answer                                 (1)
    P ∈ K, Wᵀ P = 0 imply b · P ≥ 0:                     there is one (Klarbring and Pang; Acary et al.)    (2)

Between the two nothing is known: a wedge whose walls close in may jam for want of a finite impulse. Without bounces
(2) holds by itself.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

import anthropi as ap
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.jacobians import jacobian
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.contact.geometry.contacts import Contact, tangents
from anthropi.contact.material import Material
from oracle.contact_problems import OnlyFigure, Problem
from oracle.figures import figure as random_figure

FACETS = 32
CLOSE = 1e-7  # of the linear program's answer


class Broad(NamedTuple):
    """A problem, the least normal speeds (touches,), and whether (1) or (2) was proved: "none", "one", or ""."""

    problem: Problem
    least: np.ndarray
    proved: str


def broad_problem(seed) -> Broad:
    """One to twelve touches on one to four links of a random figure, friction from 0 to 2."""
    rng = np.random.default_rng([7, seed])
    while True:
        small = rng.random() < 0.8
        figure = random_figure(int(rng.integers(10**6)), int(rng.integers(1, 13))) if small else ap.sample("bench42")
        q = figure.random(rng) if small else figure.integrate(figure.neutral(), 0.3 * rng.normal(size=figure.nu))
        M = mass_matrix(figure, q)
        if figure.nu and np.linalg.cond(M) < 1e10:  # composite joints may move along one axis twice
            break
    u = rng.normal(size=figure.nu)
    k = kinematics(figure, q, u)
    found, rows = _touches(rng, figure, q, u, k)
    W = np.concatenate(rows).astype(float)
    least = _least(rng, W[::3] @ u) if rng.random() < 0.5 else np.zeros(len(found))
    problem = Problem(OnlyFigure(figure), q, u, found, k, factor_mass_matrix(figure, M), M, W)
    return Broad(problem, least, proved(problem, least))


def _touches(rng, figure, q, u, k):
    links, rough = rng.integers(figure.n, size=rng.integers(1, 5)), rng.uniform(0.0, 2.0)
    found, rows = [], []
    for n in range(rng.integers(1, 13)):
        a, b = (int(x) for x in rng.choice(links, 2))
        b = -1 if b == a or rng.random() < 0.4 else b
        normal, local = rng.normal(size=3), rng.uniform(-0.2, 0.2, 3)
        normal /= np.linalg.norm(normal)
        point = k.position[a] + k.rotation[a] @ local
        J = jacobian(figure, q, link=figure.links[a].name, point=local)[3:]
        if b >= 0:
            there = k.rotation[b].T @ (point - k.position[b])
            J = J - jacobian(figure, q, link=figure.links[b].name, point=there)[3:]
        mu = 0.0 if rng.random() < 0.1 else rng.uniform(0.0, rough)
        found.append(Contact(f"{n}", a, b, 0.0, normal, point, J @ u, np.zeros(3), Material(friction=mu)))
        rows.append(np.stack([normal, *tangents(normal)]) @ J)
    return found, rows


def _least(rng, speeds):
    """Gaps to close, bounces with e = 0.6, or neither."""
    kind = rng.random(len(speeds))
    return np.where(kind < 0.3, -rng.random(len(speeds)), np.where(kind < 0.6, np.maximum(-0.6 * speeds, 0.0), 0.0))


def proved(problem, least) -> str:
    """(1), (2)"""
    W, count = problem.W, len(least)
    b = (W @ problem.u).reshape(-1, 3)
    b[:, 0] -= least
    slack = np.c_[-W[::3], -np.ones(count)]
    free = [(None, None)] * W.shape[1] + [(0.0, None)]
    if linprog(np.r_[np.zeros(W.shape[1]), 1.0], slack, b[:, 0], bounds=free).fun > CLOSE:
        return "none"
    turn = 2.0 * np.pi * np.arange(FACETS) / FACETS
    root = np.linalg.inv(np.linalg.cholesky(problem.M))
    columns, worth = [], []
    for n, contact in enumerate(problem.contacts):
        reach = contact.material.friction / np.cos(np.pi / FACETS)
        edges = np.stack([np.ones(FACETS), reach * np.cos(turn), reach * np.sin(turn)], 1)
        rows = W[3 * n : 3 * n + 3] @ root.T
        size = np.linalg.norm(rows) + 1e-12
        columns.append(edges @ rows / size)
        worth.append(edges @ b[n] / size)
    A, cost = np.concatenate(columns).T, np.concatenate(worth)
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    least_work = linprog(cost, np.ones((1, len(cost))), [1.0], A, np.zeros(len(A)), method="highs", options=tight)
    return "one" if least_work.status == 0 and least_work.fun >= -CLOSE else ""
