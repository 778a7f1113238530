"""∂J/∂q and J' of every joint type against central differences of J in 50 digits, in the tangent: along F(q) e_m."""

import numpy as np
import pytest

from anthropi.algebra.spatial import skew
from anthropi.algorithms.jacobians import hessian, jacobian, jacobian_bias, jacobian_rate
from anthropi.algorithms.kinematics import kinematics
from anthropi.figure.joints import Reversed
from anthropi.tape import record
from oracle.extended import difference
from oracle.figures import FAMILIES, family, figure, rng_of, state

pytestmark = pytest.mark.oracle

TOLERANCE = 1e-10  # of the largest entry, as asked; the coefficients of exponential joints are good to 1e-15 only


def chain(name: str, seed: int):
    """Three links in a row: hung by this joint alone, or by it and others."""
    families = {0: (name,), 1: (name, "revolute", "ball")}[seed]
    return figure(7 * seed + 1, links=3, families=families).changed(parent=(-1, 0, 1))


def check(fig, seed: int, frame: str) -> float:
    q, u, _ = state(fig, seed)
    at = dict(link=fig.links[-1].name, point=rng_of("point", seed).normal(size=3), frame=frame)
    H, rate = hessian(fig, q, **at), jacobian_rate(fig, q, u, **at)
    tape = record(lambda q: jacobian(fig, q, **at), q=np.zeros(fig.nq))
    slopes = [difference(tape, q, fig.rate(q, e)).reshape(6, fig.nu) for e in np.eye(fig.nu)]
    wanted = np.stack(slopes, axis=2) if slopes else np.zeros((6, 0, 0))
    size = np.max(np.abs(wanted), initial=1.0)
    off = np.max(np.abs(H - wanted), initial=0.0) / size
    assert H.dtype == float and off <= TOLERANCE
    np.testing.assert_allclose(rate, H @ u, atol=1e-13 * size * (1.0 + np.abs(u).sum()))  # (7): a few sums
    np.testing.assert_allclose(
        jacobian_bias(fig, q, u, **at), rate @ u, atol=1e-13 * size * (1.0 + np.abs(u).sum()) ** 2
    )
    return float(off)


@pytest.mark.parametrize("frame", ["world", "link"])
@pytest.mark.parametrize("name", FAMILIES)
def test_hessian_of_every_joint_type(name, frame):
    for seed in (0, 1):
        fig = chain(name, seed)
        assert seed or {family(j) for j in fig.joints} == {name}
        check(fig, seed, frame)


@pytest.mark.parametrize("seed", range(6))
def test_hessian_of_mixed_figures(seed):
    fig = figure(seed, links=5)
    check(fig.changed(parent=(-1, 0, 1, 1, 3)), seed, ("world", "link")[seed % 2])


@pytest.mark.parametrize("name", [f for f in FAMILIES if f not in ("weld", "locked")])
def test_joints_taken_backwards(name):
    """What `reroot` makes of a joint it cannot turn round: J is the derivative of the pose, H that of J."""
    fig = figure(1, links=3, families=(name,)).changed(parent=(-1, 0, 1))
    place = fig.joints[1].placement
    fig = fig.changed(joints=(fig.joints[0], Reversed.of(fig.joints[1]).changed(placement=place), fig.joints[2]))
    q, u, _ = state(fig, 1)
    J = jacobian(fig, q, link="l2")
    tape = record(lambda q: kinematics(fig, q)[:2], q=np.zeros(fig.nq))
    slope = difference(tape, q, fig.rate(q, u))
    C_rate, p_rate = slope[:27].reshape(3, 3, 3), slope[27:].reshape(3, 3)
    np.testing.assert_allclose(J[3:] @ u, p_rate[2], atol=1e-12)  # three links
    np.testing.assert_allclose(skew(J[:3] @ u) @ kinematics(fig, q).rotation[2], C_rate[2], atol=1e-12)
    check(fig, 1, "world")
