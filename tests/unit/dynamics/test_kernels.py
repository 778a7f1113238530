"""Kernels of the algorithms of forces against the plain functions, for figures that hold every joint."""

from functools import cache

import numpy as np
import pytest

import anthropi as ap
from oracle.figures import FAMILIES, family
from unit.dynamics.catalog import acting, everything

GROUPS = range(9)


def few(seed: int):
    """A figure with every ninth family, so that nine hold them all."""
    return acting(700 + seed, links=4, families=FAMILIES[seed::9], in_turn=True)


@cache
def traced(seed: int):
    """The tape of all algorithms for that figure."""
    fig, given = few(seed)
    return ap.record(everything(fig), **{name: np.zeros(np.shape(x)) for name, x in given.items()})


@pytest.mark.parametrize("target", ["cpu", "replay", "wasm"])
@pytest.mark.parametrize("seed", GROUPS)
def test_kernel_agrees_with_the_plain_functions(seed, target):
    (fig, given), tape = few(seed), traced(seed)
    got = ap.build(tape, target=target, opt=0)(*given.values())
    for name, wanted in everything(fig)(**given).items():
        size = np.max(np.abs(wanted), initial=1.0)
        off = np.max(np.abs(got[name] - wanted), initial=0.0) / size
        assert off <= 1e-11, f"{name}: {off:.1e}"  # power has direct dynamics inside: condition about 1e3


def test_the_figures_hold_every_joint_type():
    assert {family(j) for seed in GROUPS for j in few(seed)[0].joints} == set(FAMILIES)
