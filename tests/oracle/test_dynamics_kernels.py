"""Kernels of direct, inverse and hybrid dynamics and the mass matrix against the plain functions, for every joint.

25 figures of four links, each with three families and what acts on them; all four algorithms on one tape, with f_ext.
"""

from collections import Counter

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.mass_matrix import mass_matrix
from oracle.figures import FAMILIES, family, rng_of
from oracle.loads import case

FIGURES = range(len(FAMILIES))
TOLERANCE = 1e-12  # of the largest entry: four links, conditions up to 2e4, fused products; 1e-13 is seen
REPLAYED = 8  # every so many figures run on NumPy too, with the same bits


def few(k: int):
    """Figure k with its state: families k, k + 8, k + 16 in turn behind a root that is free or one of them."""
    own = tuple(FAMILIES[(k + step) % len(FAMILIES)] for step in (0, 8, 16))
    return case(1000 + k, links=4, families=own, in_turn=True)


def everything(fig):
    """What the four algorithms say, by name; every other degree of freedom is prescribed."""

    def function(q, u, udot, tau, f_ext):
        rates, forces = hybrid_dynamics(fig, q, u, tau, udot, f_ext, prescribed=fig.dofs[::2])
        return {"direct": direct_dynamics(fig, q, u, tau, f_ext), "inverse": inverse_dynamics(fig, q, u, udot, f_ext),
                "hybrid motion": rates, "hybrid forces": forces, "mass matrix": mass_matrix(fig, q)}  # fmt: skip

    return function


@pytest.mark.slow
@pytest.mark.parametrize("k", FIGURES)
def test_kernels_agree_with_the_plain_functions(k):
    fig, q, u, udot, f_ext = few(k)
    given = dict(q=q, u=u, udot=udot, tau=rng_of("tau", k).normal(size=fig.nu), f_ext=f_ext)
    function = everything(fig)
    tape = ap.record(function, **given)
    got, wanted = ap.build(tape, opt=0)(*given.values()), function(**given)
    for name, x in wanted.items():
        off = np.max(np.abs(got[name] - x)) / np.max(np.abs(x))
        kinds = ", ".join(family(j) for j in fig.joints)
        assert off <= TOLERANCE, f"figure {k} ({kinds}), {name}: kernel and plain function are {off:.1e} apart"
    if k % REPLAYED == 0:
        again = ap.build(tape, target="replay")(*given.values())
        assert all(again[name].tobytes() == got[name].tobytes() for name in wanted), f"figure {k}: other bits"


def test_the_figures_hold_every_family_and_all_that_acts():
    count: Counter = Counter()
    for k in FIGURES:
        fig = few(k).fig
        count.update(family(j) for j in fig.joints)
        count.update(n for j in fig.joints for n in ("armature", "stiffness", "damping") if np.any(getattr(j, n)))
        count[f"root {'free' if fig.joints[0].kind == 'free' else 'fixed'}"] += 1
    assert len(FIGURES) >= 24 and all(count[name] >= 3 for name in FAMILIES), count
    assert min(count[n] for n in ("armature", "stiffness", "damping", "root free", "root fixed")) > 5, count
