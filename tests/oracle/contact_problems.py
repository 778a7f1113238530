"""Random multi-contact configurations, and Coulomb's law checked by code that shares nothing with the solver."""

import functools
from typing import NamedTuple

import numpy as np

import anthropi as ap
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.jacobians import jacobian
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.contact.geometry.contacts import Contact, tangents
from anthropi.contact.material import Material


class OnlyFigure(NamedTuple):
    """What a contact model asks of a scene whose touches are given."""

    figure: object


class Problem(NamedTuple):
    """A figure at a state with touches; M (nu, nu), W (3 touches, nu): rows n, t1, t2 of each touch."""

    scene: OnlyFigure
    q: np.ndarray
    u: np.ndarray
    contacts: list
    kinematics: object
    tree: object
    M: np.ndarray
    W: np.ndarray


FIGURES = ("bench42", "chain", "box")


@functools.cache
def figure_of(name):
    if name == "chain":
        return ap.sample("chain", links=5, joint="ball")
    if name == "box":
        from unit.contact.impulsive_steps import box

        return box()
    return ap.sample(name)


def random_problem(rng, friction, pairs=True, spread=0.5) -> Problem:
    """Up to ten touches on a few links, in gap 0, half of them below something flat."""
    figure = figure_of(FIGURES[rng.integers(len(FIGURES))])
    q = figure.integrate(figure.neutral(), 0.3 * rng.normal(size=figure.nu))
    u = rng.normal(size=figure.nu)
    k = kinematics(figure, q, u)
    chosen = rng.integers(figure.n, size=3)
    found, rows = [], []
    for n in range(rng.integers(2, 11)):
        a = int(rng.choice(chosen))
        b = int(rng.choice(chosen)) if pairs and rng.random() < 0.3 else -1
        b = -1 if b == a else b
        normal = (
            np.array([0.0, 0.0, 1.0])
            if rng.random() < 0.5
            else _unit(np.array([0.0, 0.0, 1.0]) + spread * rng.normal(size=3))
        )
        local = _on_surface(rng, figure.links[a].shapes[0])
        point = k.position[a] + k.rotation[a] @ local
        mu = friction if friction == 0.0 else friction * rng.uniform(0.5, 1.5)
        J = jacobian(figure, q, link=figure.links[a].name, point=local)[3:]
        if b >= 0:
            there = k.rotation[b].T @ (point - k.position[b])
            J = J - jacobian(figure, q, link=figure.links[b].name, point=there)[3:]
        found.append(Contact(f"{n}", a, b, 0.0, normal, point, J @ u, np.zeros(3), Material(friction=mu)))
        rows.append(np.stack([normal, *tangents(normal)]) @ J)
    M = mass_matrix(figure, q)
    return Problem(
        OnlyFigure(figure), q, u, found, k, factor_mass_matrix(figure, M), M, np.concatenate(rows).astype(float)
    )


def _on_surface(rng, shape):
    """A random point of a box's or capsule's surface, in the link frame."""
    x = _unit(rng.normal(size=3))
    if shape.kind == "box":
        x = 0.5 * np.array(shape.size) * x / np.abs(x).max()
    else:
        radius, length = shape.size
        x = radius * x + np.array([0.0, 0.0, rng.uniform(-0.5, 0.5) * length])
    return shape.placement.rotation @ x + shape.placement.origin


def _unit(x):
    return x / np.linalg.norm(x)


def project(x, mu):
    """The nearest point of the cone |x_t| ≤ μ x_n."""
    n, t = x[0], np.hypot(x[1], x[2])
    if t <= mu * n:
        return x
    if mu * t <= -n:
        return np.zeros(3)
    s = (n + mu * t) / (1.0 + mu * mu)
    return np.array([s, *(mu * s / t * x[1:])])


def natural_map(M, W, change, P, speeds, friction):
    """How far (change of u, P, speeds after it) is from M Δu = Wᵀ P and De Saxcé's form of Coulomb's law.

    P (touches, 3), speeds (touches, 3) in rows n, t1, t2. The map is P - proj_K(P - (v + μ |v_t| n)) with unit step,
    and with the step that makes it a speed (1 / trace of the touch's own 3x3 inertia); the larger of the two.
    """
    worst = np.abs(M @ change - W.T @ P.ravel()).max()
    A = W @ np.linalg.solve(M, W.T)
    for n, (p, v, mu) in enumerate(zip(P, speeds, friction, strict=True)):
        pushed = v + np.array([mu * np.hypot(v[1], v[2]), 0.0, 0.0])
        trace = np.trace(A[3 * n : 3 * n + 3, 3 * n : 3 * n + 3])
        if trace == 0.0:
            continue
        for rho in (1.0, 1.0 / trace):
            worst = max(worst, np.abs(p - project(p - rho * pushed, mu)).max() / max(rho, 1.0))
    return worst
