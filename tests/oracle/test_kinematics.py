"""300 random figures: poses, velocities, accelerations, Jacobians and their rates against Pinocchio and MuJoCo.

Both peers see the same figure, joint by joint in steps they know (`figures.steps`), and no figure and no joint is left
out. On floats, with the plain functions; kernels are compared with these in `unit/kinematics/test_kernels.py`.
"""

from collections import Counter

import numpy as np
import pytest

from anthropi.algorithms.jacobians import jacobian, jacobian_bias, jacobian_rate
from anthropi.algorithms.kinematics import kinematics
from oracle.figures import FAMILIES, JOINTS, family, figure, rng_of, state
from oracle.mujoco_peer import MujocoPeer
from oracle.pinocchio_peer import PinocchioPeer
from seed_blocks import shared_with_soak

pytestmark = pytest.mark.oracle

SEEDS = range(300)
BLOCK = 30
PEERS = (PinocchioPeer, MujocoPeer)
TOLERANCE = 1e-12  # of the largest entry; up to 60 links in a row of up to 9 turns each add a few 2e-16: 1e-14 is seen


def compare(what: str, ours, theirs) -> float:
    """Fail unless ours and theirs agree; returns how far apart they are, relative to the largest entry."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.shape == theirs.shape and ours.dtype == float, what
    size = np.max(np.abs(theirs), initial=0.0) or 1.0
    off = np.max(np.abs(ours - theirs), initial=0.0) / size
    assert off <= TOLERANCE, f"{what} is off by {off:.1e} of its largest entry"
    return float(off)


def check(seed: int) -> dict[str, float]:
    """One figure against both peers; returns how far apart each quantity is."""
    fig = figure(seed)
    q, u, udot = state(fig, seed)
    rng = rng_of("points", seed)
    points = [(i, rng.normal(size=3)) for i in (fig.n - 1, int(rng.integers(fig.n)))]
    k = kinematics(fig, q, u, udot)
    rows = []
    for i, s in points:
        at = dict(link=fig.links[i].name, point=s)
        rows.append([jacobian(fig, q, **at), jacobian_rate(fig, q, u, **at), jacobian_bias(fig, q, u, **at)])
    off = {}
    for peer in PEERS:
        other, name = peer(fig, q, u, udot, points), peer.__name__.removesuffix("Peer")
        for what, ours, theirs in zip(k._fields, k, other.kinematics(), strict=True):
            off[f"{what}, {name}"] = compare(f"{what} of figure {seed} in {name}", ours, theirs)
        for n, (J, rate, bias) in enumerate(rows):
            J_peer, rate_peer = other.jacobian(n)
            for what, a, b in (("J", J, J_peer), ("J'", rate, rate_peer), ("J' u", bias, rate_peer @ u)):
                off[f"{what} {n}, {name}"] = compare(f"{what} of figure {seed} in {name}", a, b)
    return off


@pytest.mark.slow
@pytest.mark.parametrize("first", shared_with_soak(SEEDS[::BLOCK]))
def test_random_figures_move_as_their_peers(first):
    for seed in range(first, first + BLOCK):
        check(seed)


def test_every_joint_type_occurs_on_floating_and_fixed_bases():
    """The 300 figures, counted: nothing is skipped, and every family is there many times."""
    count: Counter = Counter()
    bases: Counter = Counter()
    sizes = []
    for seed in SEEDS:
        fig = figure(seed)
        sizes.append(fig.n)
        bases["floating" if fig.joints[0].kind == "free" else "fixed"] += 1
        count.update(family(j) for j in fig.joints)
    assert set(count) == set(FAMILIES) and min(count.values()) > 100, count
    assert {name.split()[0] for name in count} >= set(JOINTS) - {
        "custom"
    }  # peers lack it, but opensim; others must be added
    assert min(bases.values()) > 80 and min(sizes) == 2 and max(sizes) == 60


@pytest.mark.parametrize("seed", range(6))
def test_the_random_figures_are_valid(seed):
    """But for composites, whose parts may turn the same link about the same axis twice."""
    figure(seed, links=12, families=[f for f in FAMILIES if f != "composite"], checked=True)
