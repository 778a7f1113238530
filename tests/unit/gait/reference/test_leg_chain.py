"""The leg that the feet are solved with is the figure's; splines are what they say."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError
from anthropi.gait.reference.consistency import basis, fitted, folded, ring_order, ring_solve
from anthropi.gait.reference.gait_angles import posture
from anthropi.gait.reference.leg_chain import COORDINATES, POINTS, leg_chain


def test_points_are_the_figures_markers():
    figure, theta = ap.human(1.6, 60.0, "f"), np.random.default_rng(1).uniform(-0.4, 0.4, (6, 13))
    angles = {n: theta[:, k] for k, n in enumerate(COORDINATES) if n.startswith("pelvis")}
    angles |= {f"l_{n}": theta[:, k] for k, n in enumerate(COORDINATES) if k >= 6}
    k = ap.kinematics(figure, posture(figure, angles, position=theta[:, :3]))
    found = leg_chain(figure).points_at(theta).place
    for i, name in enumerate(POINTS):
        np.testing.assert_allclose(found[:, i], k.marker(f"l_{name}"), atol=1e-13)


def test_derivatives_are_those_of_the_points():
    chain, theta, h = leg_chain(ap.human()), np.random.default_rng(2).uniform(-0.4, 0.4, (4, 13)), 1e-6
    for k in range(13):
        step = h * np.eye(13)[k]
        slope = (chain.points_at(theta + step).place - chain.points_at(theta - step).place) / (2.0 * h)
        np.testing.assert_allclose(chain.points_at(theta).by[..., k], slope, atol=1e-8)  # h² and 1e-16/h


def test_a_figure_without_feet_is_refused():
    with pytest.raises(InputError, match="feet and toes"):
        leg_chain(ap.human(detail="thesis42"))


def test_splines_and_their_derivatives():
    p, h, c = np.linspace(0.0, 2.0, 41), 1e-5, np.random.default_rng(3).normal(size=16)
    np.testing.assert_allclose(basis(p, 16) @ np.ones(16), 1.0)
    np.testing.assert_allclose(basis(p + 1.0, 16) @ c, basis(p, 16) @ c, atol=1e-12)
    for n in (1, 2):  # C²: differences agree across knots too
        slope = (basis(p + h, 16, n - 1) - basis(p - h, 16, n - 1)) @ c / (2.0 * h)
        np.testing.assert_allclose(
            basis(p, 16, n) @ c, slope, atol=0.5 if n == 2 else 1e-4
        )  # x''' jumps by 1e5 at knots: h · that / 4


def test_symmetric_curves():
    p, c = np.linspace(0.0, 0.5, 11), np.random.default_rng(4).normal(size=8)
    for kind, sign in (("step", 1.0), ("mirror", -1.0)):
        first, later = (folded(basis(x, 16), kind) @ c for x in (p, p + 0.5))
        np.testing.assert_allclose(later, sign * first, atol=1e-12)


def test_a_curve_through_values():
    p = np.arange(64) / 64.0
    c = fitted(p, np.sin(2.0 * np.pi * p), 16)
    np.testing.assert_allclose(basis(p + 0.01, 16) @ c, np.sin(2.0 * np.pi * (p + 0.01)), atol=1e-4)


def test_equations_in_a_ring():
    """Three curves of 24 coefficients a cycle, one a leg's; neighbours know each other, two unknowns know all."""
    rng, half = np.random.default_rng(5), 12
    kinds, parts = ("step", "mirror", "cycle"), (slice(0, 12), slice(12, 24), slice(24, 48))
    p = np.linspace(0.0, 1.0, 97)[:-1]
    A = np.concatenate([folded(basis(p, 24), kind) for kind in kinds] + [np.ones((96, 2))], axis=1)
    H = np.eye(50)
    for _ in range(4):
        row = A * np.repeat(rng.normal(size=(96, 4)), (12, 12, 24, 2), axis=1)
        H += row.T @ row
    b = rng.normal(size=50)
    found = ring_solve(H, b, ring_order(parts, kinds, half), np.array([-2, -1]))
    np.testing.assert_allclose(H @ found, b, atol=1e-10)
