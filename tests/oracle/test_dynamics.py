"""500 random figures: inverse dynamics, mass matrix and direct dynamics against Pinocchio, MuJoCo and each other.

Both peers see the same figures, joint by joint in steps they know (`figures.steps`); no figure and no joint is left
out. With u_peer = B u, τ = Bᵀ τ_peer and M = Bᵀ M_peer B; rotors, springs and dampers come from `loads`. On floats,
with the plain functions; kernels are compared with these in `test_dynamics_kernels.py`.
"""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.mass_matrix import mass_matrix
from oracle.figures import FAMILIES, JOINTS, family
from oracle.loads import BLOCK, SEEDS, apart, moving, own_forces, owner, rotors
from oracle.mujoco_peer import MujocoPeer
from oracle.pinocchio_peer import PinocchioPeer
from seed_blocks import SHARE, shared_with_soak

pytestmark = pytest.mark.oracle

PEERS = {"Pinocchio": PinocchioPeer, "MuJoCo": MujocoPeer}
TOLERANCE, MEDIAN = 1e-10, 1e-13  # as asked, of each joint's largest force; 1e-13 and 2e-15 are seen
M_TOLERANCE = 1e-12  # of √(M_jj M_kk): a sum over up to 60 links, 1e-14 is seen
EPS = np.finfo(float).eps


@cache
def inertia(seed: int) -> np.ndarray:
    """Our mass matrix of a figure, computed once."""
    c, _ = moving(seed)
    return mass_matrix(c.fig, c.q)


@cache
def off(seed: int) -> tuple[dict[str, float], Counter]:
    """One figure against both peers: how far apart the forces are, and which families each peer has seen."""
    (fig, q, u, udot, f_ext), tau = moving(seed)
    M, size, seen = inertia(seed), {}, Counter()
    for name, peer in PEERS.items():
        other = peer(fig, q, u, udot)
        theirs = other.inverse_dynamics(f_ext) + rotors(fig) * udot - own_forces(fig, q, u)
        size[name], where = apart(fig, tau, theirs)
        assert size[name] <= TOLERANCE, f"figure {seed}, {where}: forces are {size[name]:.1e} off {name}"
        M_peer = other.mass_matrix() + np.diag(rotors(fig))
        away = np.abs(M - M_peer) / np.sqrt(np.outer(np.diag(M_peer), np.diag(M_peer)))
        worst = np.unravel_index(np.argmax(away), M.shape) if fig.nu else (0, 0)
        at = " with ".join(owner(fig, k) for k in worst)
        assert np.max(away, initial=0.0) <= M_TOLERANCE, f"figure {seed}, {at}: M is {np.max(away):.1e} off {name}"
        seen.update((name, family(j)) for j in fig.joints)
    return size, seen


@pytest.mark.slow
@pytest.mark.parametrize("first", shared_with_soak(SEEDS[::BLOCK]))
def test_inverse_dynamics_and_mass_matrix_as_the_peers(first):
    for seed in range(first, first + BLOCK):
        off(seed)


TESTED = [seed for first in SEEDS[:: SHARE * BLOCK] for seed in range(first, first + BLOCK)]  # in `make test`


@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize(("seeds", "least"), [(TESTED, 40), pytest.param(SEEDS, 100, marks=pytest.mark.soak)])
def test_half_of_the_figures_agree_to_rounding_and_no_family_is_left_out(name, seeds, least):
    found = [off(seed) for seed in seeds]
    median = np.median([size[name] for size, _ in found])
    assert median <= MEDIAN, f"median {median:.1e} off {name}"
    seen = sum((families for _, families in found), Counter())
    count = {f: seen[name, f] for f in FAMILIES}
    assert min(count.values()) > least, count
    assert {f.split()[0] for f in count} >= set(JOINTS) - {"custom"}  # peers lack it, but opensim; others must be added


def close(what: str, seed: int, ours, wanted, condition: float) -> None:
    """Fail unless ‖ours - wanted‖ ≤ 10 cond(M) eps ‖wanted‖, in the norm that the condition is of."""
    away, may = np.linalg.norm(ours - wanted), 10.0 * condition * EPS * np.linalg.norm(wanted)
    where = owner(moving(seed)[0].fig, np.argmax(np.abs(ours - wanted)))
    assert away <= may, f"figure {seed}, {what}: off by {away:.1e}, may be {may:.1e}, most at {where}"


@pytest.mark.slow
@pytest.mark.parametrize("first", shared_with_soak(SEEDS[::BLOCK]))
def test_direct_dynamics_undoes_inverse_dynamics_and_solves_the_equations_of_motion(first):
    """‖direct(inverse(u')) - u'‖₂ ≤ 10 cond₂(M) eps ‖u'‖₂, and ‖direct(τ) - M⁻¹ (τ - h)‖₂ likewise.

    In the 2-norm of all of u' M⁻¹ makes a relative error of M u' larger by cond₂(M) at most. But τ = M u' + h is
    rounded as a whole: where h is far larger, what is left of u' in τ is less exact than the bound, whatever one does.
    So there (‖h‖ > 5 ‖M‖ ‖u'‖, small figures that spin fast) u' is taken as large as h makes it.
    """
    for seed in range(first, first + BLOCK):
        (fig, q, u, udot, f_ext), tau = moving(seed)
        if fig.nu == 0:  # two links that cannot move
            assert direct_dynamics(fig, q, u, tau, f_ext).shape == (0,)
            continue
        M, h = inertia(seed), inverse_dynamics(fig, q, u, 0.0 * u, f_ext)
        condition, ratio = np.linalg.cond(M), np.linalg.norm(h) / (np.linalg.norm(M, 2) * np.linalg.norm(udot))
        assert condition < 1e8, f"figure {seed} is nearly singular: the bound would say little"
        if ratio > 5.0:
            udot = ratio * udot
            tau = inverse_dynamics(fig, q, u, udot, f_ext)
        found = direct_dynamics(fig, q, u, tau, f_ext)
        close("direct(inverse(u'))", seed, found, udot, condition)
        close("direct(τ) and M⁻¹ (τ - h)", seed, found, np.linalg.solve(M, tau - h), condition)


def test_the_figures_are_many_and_have_all_that_can_act():
    """Counted: sizes, floating and fixed bases, forces on links, rotors, springs, dampers, and joints without any."""
    count: Counter = Counter()
    for seed in SEEDS:
        fig, _, _, _, f_ext = moving(seed)[0]
        count["floating" if fig.joints[0].kind == "free" else "fixed"] += 1
        count["pushed"] += bool(np.any(f_ext))
        count["heavy"] += bool(np.all(fig.gravity))
        count[2] += fig.n == 2
        count[60] += fig.n >= 58
        count["large"] += fig.n >= 40
        for j in fig.joints:
            count.update(name for name in ("armature", "stiffness", "damping") if np.any(getattr(j, name)))
            count["bare"] += not j.acts()
    assert len(SEEDS) == 500 and min(count["floating"], count["fixed"]) > 150 and count["pushed"] == 500
    assert count["heavy"] == 500 and min(count[2], count["large"]) > 30 and count[60] > 2, count
    assert min(count[n] for n in ("armature", "stiffness", "damping", "bare")) > 500, count
