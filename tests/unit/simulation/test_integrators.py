"""Every Runge–Kutta method has its full order on the manifold, on a figure with a free root and ball joints."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.simulation.integrators import runge_kutta, semi_implicit_euler
from anthropi.simulation.methods import METHODS

TIME = 0.1  # [s]


@pytest.fixture(scope="module")
def falling():
    """bench42 thrown into the air: its end state by a method and a number of steps."""
    figure = ap.sample("bench42")
    rng = np.random.default_rng(0)
    start = figure.random(rng), rng.normal(size=figure.nu)

    def run(step, count):
        def body(state):
            return step(figure, lambda q, u: direct_dynamics(figure, q, u, np.zeros(figure.nu)), *state, TIME / count)

        zeros = {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu)}
        return ap.build(ap.record(lambda q, u: ap.repeat(body, (q, u), count), **zeros), opt=0)(*start)

    def method(name):
        return lambda *args: runge_kutta(*args, METHODS[name])

    exact = run(method("dormand_prince"), 300)
    return lambda step, count: np.abs(figure.difference(run(step, count)[0], exact[0])).max(), method


@pytest.mark.parametrize("name", METHODS)
def test_runge_kutta_has_its_order(falling, name):
    error, method = falling
    count = 6 if METHODS[name].order > 4 else 12  # coarse enough to stay above rounding
    order = np.log2(error(method(name), count) / error(method(name), 2 * count))
    assert abs(order - METHODS[name].order) < 0.4


def test_semi_implicit_euler_is_of_first_order(falling):
    error, _ = falling
    assert 0.8 < np.log2(error(semi_implicit_euler, 20) / error(semi_implicit_euler, 40)) < 1.2


@pytest.mark.parametrize("name", METHODS)
def test_tableaus_are_consistent(name):
    """Σ b = 1, c = row sums of A, and the embedded weights add to 1 too."""
    m = METHODS[name]
    assert sum(m.b) == pytest.approx(1.0, abs=1e-14)
    np.testing.assert_allclose([sum(row) for row in m.A], m.c, atol=1e-14)
    if m.embedded:
        assert sum(m.embedded) == pytest.approx(1.0, abs=1e-14)
