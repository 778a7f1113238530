"""The variational method: its Lagrangian, its invariants, and what it says when it cannot be solved."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.momentum import momentum
from anthropi.figure import Euler, Planar, Prismatic, Revolute, figure_from_parts, universal
from anthropi.figure.states import angular_starts
from anthropi.simulation.drive import Drive
from anthropi.simulation.step import State, advance
from anthropi.simulation.variational import slopes
from unit.figure.families import FAMILIES, body, place, random_figure
from unit.simulation.systems import nothing, system


def conservative(figure):
    """The figure without dampers, and without springs that have no potential."""
    none = [np.zeros(j.nu) for j in figure.joints]
    kept = [j.stiffness if j.plain else n for j, n in zip(figure.joints, none, strict=True)]
    changes = zip(figure.joints, none, kept, strict=True)
    return figure.changed(joints=[j.changed(damping=n, stiffness=k) for j, n, k in changes], loops=())


@pytest.mark.slow
def test_the_slopes_are_those_of_the_lagrangian():
    """∂L/∂u = M u, and ∂L/∂q by differences of the energies, on a tree of every joint there is."""
    figure, q, u = random_figure(0)
    figure = conservative(figure)
    p, w = slopes(figure, q, u)
    np.testing.assert_allclose(p, mass_matrix(figure, q) @ u, rtol=0.0, atol=1e-12 * np.abs(p).max())

    def lagrangian(v):
        there = figure.integrate(q, v)
        return kinetic_energy(figure, there, u) - potential_energy(figure, there)

    h, ways = 1e-4, np.random.default_rng(1).normal(size=(8, figure.nu))  # each way goes through every joint
    around = [(lagrangian(h * e) - lagrangian(-h * e)) / (2.0 * h) for e in ways]
    np.testing.assert_allclose(around, ways @ w, rtol=0.0, atol=1e-5 * np.abs(w).max())  # h² and eps/h
    bent = [(lagrangian(h * e) - lagrangian(-h * e)) / (2.0 * h) for e in np.eye(figure.nu)[6::12]]
    np.testing.assert_allclose(bent, w[6::12], rtol=0.0, atol=1e-6 * np.abs(w).max())


def test_turns_are_found_in_every_family():
    """Three of a ball, the last three of a free joint, none where velocities add."""
    for kind, joint in FAMILIES.items():
        figure = figure_from_parts("one", [("", joint, body(np.random.default_rng(0), "link"))])
        inner = getattr(joint, "joint", joint) if joint.nu else joint
        wanted = {"ball": (0,), "exponential": (0,), "free": (3,)}.get(inner.kind, ())
        if kind == "composite":
            wanted = (1,)
        assert angular_starts(figure) == wanted, kind


def chain():
    """A figure whose coordinates all add, so that (q, M u) are canonical."""
    rng = np.random.default_rng(3)
    kinds = [Planar(), universal("u"), Euler(order="zyx"), Prismatic(axis="x", stiffness=3.0), Revolute(axis="y")]
    parts = [("", Revolute(name="root", axis="z"), body(rng, "0"))]
    for k, joint in enumerate(kinds):
        parts.append((str(k), joint.changed(name=f"j{k}", placement=place(rng)), body(rng, str(k + 1))))
    return figure_from_parts("canonical", parts)


@pytest.mark.parametrize("method", ["variational", "rk4"])
def test_the_step_is_symplectic(method):
    """DᵀJD = J for the derivative D of (q, p) → (q⁺, p⁺); Runge–Kutta misses by its own error."""
    figure = chain()
    rng = np.random.default_rng(4)
    q, u, n = 0.3 * rng.normal(size=figure.nq), rng.normal(size=figure.nu), figure.nu
    start = np.concatenate([q, mass_matrix(figure, q) @ u])

    def flow(x):
        """Many at once, in a kernel."""
        M = np.stack([mass_matrix(figure, at) for at in x[:, :n]])
        speed = np.linalg.solve(M, x[:, n:, None])[..., 0]
        end = ap.simulate(figure, x[:, :n], speed, steps=1, dt=0.05, method=method, opt=0)[-1]
        return np.concatenate(
            [end.q, [mass_matrix(figure, at) @ v for at, v in zip(end.q, end.u, strict=True)]], axis=1
        )

    h, J = 1e-5, np.block([[np.zeros((n, n)), np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
    D = (flow(start + h * np.eye(2 * n)) - flow(start - h * np.eye(2 * n))).T / (2.0 * h)
    miss = np.abs(D.T @ J @ D - J).max()
    assert (miss < 1e-7) == (method == "variational"), miss  # differences of 1e-5 leave 1e-9 or so


def test_a_step_back_undoes_a_step():
    figure, _, ((q, *_), (u, *_)) = system("forced")
    bare = conservative(figure)
    there = advance(bare, nothing, State(0.0, q, u), 0.02, "variational")
    back = advance(bare, nothing, there, -0.02, "variational")
    assert np.abs(bare.difference(q, back.q)).max() < 1e-12
    np.testing.assert_allclose(back.u, u, rtol=0.0, atol=1e-10)


def test_momentum_stays_in_free_flight_however_wildly_limbs_turn():
    """Linear and angular momentum, 2000 steps of 5 ms: to rounding, where Runge–Kutta's error shows."""
    figure = ap.sample("bench42").changed(gravity=np.zeros(3))
    rng = np.random.default_rng(5)
    q, u = figure.random(rng), 2.0 * rng.normal(size=figure.nu)
    drift = {}
    for method in ("variational", "rk4"):
        end = ap.simulate(figure, q, u, steps=2000, every=2000, dt=5e-3, method=method, opt=0)[-1]
        before, after = (momentum(figure, *state, about="origin") for state in ((q, u), (end.q, end.u)))
        drift[method] = np.abs(after - before).max() / np.abs(before).max()
    assert drift["variational"] < 1e-11
    assert drift["rk4"] > 1e-6


def test_forces_do_their_work():
    """A constant force on a slide: v = F t / m after any number of steps, whatever h."""
    figure = figure_from_parts("slide", [("", Prismatic(name="x", axis="x"), body(np.random.default_rng(0), "box"))])
    state = State(0.0, np.zeros(1), np.zeros(1))
    for _ in range(10):
        state = advance(figure, lambda t, q, u: Drive(tau=np.array([3.0])), state, 0.1, "variational")
    assert state.u[0] == pytest.approx(3.0 / figure.mass, rel=1e-13)
    assert state.q[0] == pytest.approx(0.5 * 3.0 / figure.mass, rel=1e-13)


def test_a_figure_at_rest_stays_at_rest():
    figure = ap.sample("chain", links=4, joint="ball")
    motion = ap.simulate(figure, figure.neutral(), steps=200, every=50, dt=5e-3, method="variational", opt=0)
    assert np.abs(motion.u).max() < 1e-10
    assert np.abs(figure.difference(figure.neutral(), motion.q)).max() < 1e-10


def test_a_step_too_long_to_solve_is_an_error_not_a_state():
    figure = ap.sample("chain", links=4, joint="ball")
    rng = np.random.default_rng(6)
    with pytest.raises(
        ap.AnthropiError, match=r"is not finite. Simulated by 'variational' with dt = 0.2 s. Use a shorter"
    ):
        ap.simulate(
            figure, figure.random(rng), 20.0 * rng.normal(size=12), steps=20, dt=0.2, method="variational", opt=0
        )
