"""Inverse operational-space inertia, by articulated bodies, against M⁻¹ and Jacobians; every family of joints."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.jacobians import jacobian
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.operational_space import operational_space
from oracle.loads import case


def compared(figure, rng, extra=None, q=None):
    q = figure.random(rng) if q is None else q
    u, tau = rng.normal(size=(2, figure.nu))
    links = sorted(rng.choice(figure.n, size=min(3, figure.n), replace=False).tolist(), reverse=True)
    space = operational_space(figure, q, u, tau, extra=extra)
    assert np.array_equal(space.accelerations(), direct_dynamics(figure, q, u, tau, extra=extra))
    M = mass_matrix(figure, q) + (0.0 if extra is None else np.diag(extra))
    J = {i: jacobian(figure, q, link=figure.links[i].name, frame="link") for i in links}
    f = {i: rng.normal(size=6) for i in links}
    wanted = np.linalg.solve(M, sum(J[i].T @ f[i] for i in links))
    limit = 100.0 * np.linalg.cond(M) * np.finfo(float).eps
    assert limit < 1e-3  # of no singular state
    assert np.abs(space.acceleration_change(f) - wanted).max(initial=0.0) <= limit * np.abs(wanted).max(initial=1.0)
    table = space.inverse_inertias(links)
    for n, i in enumerate(links):
        for m, j in enumerate(links[: n + 1]):
            whole = J[i] @ np.linalg.solve(M, J[j].T)
            assert np.abs(table[n][m] - whole).max() <= limit * max(1.0, np.abs(whole).max())


@pytest.mark.parametrize("seed", range(60))
def test_random_figures(seed):
    """Rotors in some joints, and where a joint would be singular."""
    given, rng = case(seed, links=2 + seed % 19), np.random.default_rng(seed)
    compared(given.fig, rng, q=given.q)


@pytest.mark.parametrize("name", ["bench42", "stewart", "hopper"])
def test_with_inertia_of_the_joints_own(name):
    figure = ap.sample(name).changed(loops=())
    root = 6 if figure.joints[0].kind == "free" else 0
    rng = np.random.default_rng(1)
    compared(figure, rng, rng.uniform(0.1, 1.0, figure.nu) * (np.arange(figure.nu) >= root))


def test_two_feet_cost_little():
    """Inverse inertias of both feet of bench42, and the motion after: less than half of the dynamics' operations."""
    figure, none = ap.sample("bench42"), np.zeros(42)
    feet = [figure.link_index("l_foot"), figure.link_index("r_foot")]

    def both(q, u, f):
        space = operational_space(figure, q, u, none)
        table = space.inverse_inertias(feet)
        change = space.acceleration_change({i: f[k] for k, i in enumerate(feet)})
        return space.accelerations(), table[0][0], table[1][0], table[1][1], change

    tape = ap.record(both, q=np.zeros(figure.nq), u=none, f=np.zeros((2, 6)))
    alone = ap.record(lambda q, u: direct_dynamics(figure, q, u, none), q=np.zeros(figure.nq), u=none)
    assert tape.operations - alone.operations < 2700
