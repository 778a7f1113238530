"""Closed loops on random figures with every joint: accelerations and forces from Pinocchio's M, h, J and J'.

Two points, or two frames, of a figure are held together (a point, a weld). Pinocchio gives its inertia, forces and the
Jacobians of both ends with their rates; NumPy solves the whole system.
"""

import numpy as np
import pytest

from anthropi.algebra.spatial import Transform
from anthropi.algorithms.kinematics import kinematics
from anthropi.constraints.loops.dynamics import loop_dynamics
from anthropi.figure import Loop
from oracle.figures import rng_of
from oracle.loads import case, own_forces, rotors
from oracle.pinocchio_peer import PinocchioPeer

pytestmark = pytest.mark.oracle


def tied(seed: int, kind: str):
    """A random figure of 6 to 13 links, two of them tied where they are."""
    fig, q, u, _, f_ext = case(seed, links=6 + seed % 8)
    k, rng = kinematics(fig, q), rng_of("tie", seed)
    i, j = (int(n) for n in rng.permutation(fig.n)[:2])
    at_a = Transform(np.eye(3), 0.3 * rng.normal(size=3))
    meets = Transform(k.rotation[i], k.position[i]) @ at_a
    at_b = Transform(k.rotation[j], k.position[j]).inverse() @ meets
    loop = Loop("tie", kind, fig.links[i].name, at_a, fig.links[j].name, at_b)
    return fig, q, u, f_ext, loop, (i, j)


def held(peer, kind, u):
    """Jacobian of the loop and its rate times u, by Pinocchio."""
    rows = slice(3, 6) if kind == "point" else slice(0, 6)
    (Ja, dJa), (Jb, dJb) = ((x[rows] for x in peer.jacobian(n)) for n in (0, 1))
    return Jb - Ja, (dJb - dJa) @ u


def independent(J):
    """Combinations of rows that say something (r, rows), where joints are too few for all of them."""
    left, size, _ = np.linalg.svd(J)
    return left.T[: np.sum(size > 1e-9 * max(size[0], 1e-9))]


@pytest.mark.parametrize("kind", ["point", "weld"])
@pytest.mark.parametrize("seed", range(30))
def test_as_pinocchio(seed, kind):
    fig, q, u, f_ext, loop, (i, j) = tied(seed, kind)
    ends = [(i, loop.at_a.origin), (j, loop.at_b.origin)]
    first = PinocchioPeer(fig, q, u, np.zeros(fig.nu), ends)
    M, (J, _) = first.mass_matrix() + np.diag(rotors(fig)), held(first, kind, u)
    J = independent(J) @ J
    u = u - np.linalg.solve(M, J.T @ np.linalg.solve(J @ np.linalg.solve(M, J.T), J @ u))  # keeps the loop closed
    peer = PinocchioPeer(fig, q, u, np.zeros(fig.nu), ends)
    J, drift = held(peer, kind, u)
    some = independent(J)
    tau = rng_of("tau", seed).normal(size=fig.nu)
    h = peer.inverse_dynamics(f_ext) - own_forces(fig, q, u)
    R = some @ J
    K = np.block([[M, -R.T], [R, np.zeros((len(R), len(R)))]])
    want = np.linalg.solve(K, np.concatenate([tau - h, -some @ drift]))
    found = loop_dynamics(fig.changed(loops=[loop]), q, u, tau, f_ext)
    udot, pull = want[: fig.nu], R.T @ want[fig.nu :]
    np.testing.assert_allclose(found.udot, udot, rtol=0.0, atol=1e-8 * np.abs(udot).max())  # conditions up to 1e7
    force = found.forces["tie"] if kind == "weld" else found.forces["tie"][3:]
    np.testing.assert_allclose(J.T @ force, pull, rtol=0.0, atol=1e-8 * max(np.abs(pull).max(), np.abs(tau).max()))
