"""The same figures in hybrid dynamics: single degrees of freedom, whole joints, the base, all or none prescribed.

Inverse dynamics gives forces that belong to a motion. Told one part of each, hybrid dynamics must find the rest; what
it need not read is NaN.
"""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from oracle.figures import FAMILIES, family, rng_of
from oracle.loads import BLOCK, SEEDS, apart, moving, owner
from seed_blocks import shared_with_soak

pytestmark = pytest.mark.oracle

TOLERANCE = 1e-10  # as asked: ‖u'‖, and each joint's largest force; 1e-11 and 3e-13 are seen
WAYS = ("none", "all", "degrees of freedom", "joints", "base and degrees of freedom", "all but the base")


def chosen(fig, seed: int) -> list[str]:
    """Names of what is prescribed: the ways in turn, with a random share of the joints or degrees of freedom."""
    rng, way = rng_of("prescribed", seed), WAYS[seed % len(WAYS)]
    names, share = [j.name for j in fig.joints], rng.uniform(0.1, 0.9)
    if way in ("none", "all"):
        return names if way == "all" else []
    if way == "all but the base":
        return names[1:]
    if way == "joints":
        return [name for name in names if rng.uniform() < share]
    some = [dof for dof in fig.dofs if rng.uniform() < share]
    return (
        some if way == "degrees of freedom" else [*names[:1], *(dof for dof in some if dof not in fig.joints[0].dofs)]
    )


@cache
def check(seed: int) -> Counter:
    """One figure; returns how often each family was prescribed wholly, in part, or not at all."""
    (fig, q, u, udot, f_ext), tau = moving(seed)
    names = chosen(fig, seed)
    held = np.isin(np.arange(fig.nu), fig.dof_indices(names))
    unread = np.where(held, np.nan, tau), np.where(held, udot, np.nan)
    rates, forces = hybrid_dynamics(fig, q, u, *unread, f_ext, prescribed=names)
    what = f"figure {seed}, {WAYS[seed % len(WAYS)]} prescribed"
    assert rates[held].tobytes() == udot[held].tobytes(), f"{what}: what was prescribed has changed"
    assert forces[~held].tobytes() == tau[~held].tobytes(), f"{what}: forces that were given have changed"
    away = np.abs(rates - udot)
    where = owner(fig, np.argmax(away)) if fig.nu else "nothing that moves"
    assert np.linalg.norm(away) <= TOLERANCE * np.linalg.norm(udot), f"{what}: u' is off, most at {where}"
    off, where = apart(fig, forces, tau)
    assert off <= TOLERANCE, f"{what}, {where}: reaction forces are off by {off:.1e}"
    sorts = ((family(j), held[of]) for j, of in zip(fig.joints, fig.u_of, strict=True) if j.nu)
    return Counter((name, "wholly" if h.all() else "partly" if h.any() else "free") for name, h in sorts)


@pytest.mark.slow
@pytest.mark.parametrize("first", shared_with_soak(SEEDS[::BLOCK]))
def test_hybrid_dynamics_finds_the_missing_motion_and_the_reaction_forces(first):
    for seed in range(first, first + BLOCK):
        check(seed)


@pytest.mark.soak
def test_every_family_was_prescribed_wholly_partly_and_not_at_all():
    count = sum((check(seed) for seed in SEEDS), Counter())
    rigid, single = {"weld", "locked"}, {"revolute", "prismatic", "helical"}
    for name in FAMILIES:
        sorts = () if name in rigid else ("wholly", "free") if name in single else ("wholly", "partly", "free")
        assert all(count[name, sort] > 10 for sort in sorts), (name, count)
