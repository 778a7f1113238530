"""Kernels of every algorithm against the plain functions on floats, on every target, for figures of all joints."""

from functools import cache

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.centroidal import centroidal_momentum_matrix
from anthropi.algorithms.jacobians import hessian, jacobian
from anthropi.algorithms.kinematics import kinematics
from oracle.figures import FAMILIES, family, figure, rng_of, state
from unit.kinematics.catalog import TARGETS, everything

SEEDS = range(10)
LINKS = 4


def few(seed: int):
    """A figure with every tenth family, so that ten hold them all."""
    return figure(500 + seed, links=LINKS, families=FAMILIES[seed::10], in_turn=True)


@cache
def traced(seed: int):
    """A figure, its states, and the tape of all algorithms."""
    fig = few(seed)
    states = [state(fig, k) for k in range(3)]
    tape = ap.record(
        everything(fig), **{n: np.zeros(len(x)) for n, x in zip(("q", "u", "udot"), states[0], strict=True)}
    )
    return fig, states, tape


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", SEEDS)
def test_kernel_agrees_with_the_plain_functions(seed, target):
    fig, states, tape = traced(seed)
    kernel = ap.build(tape, target=target, opt=0)
    got = kernel(*(np.stack(x) for x in zip(*states, strict=True)))
    for n, (q, u, udot) in enumerate(states):
        for name, wanted in everything(fig)(q, u, udot).items():
            size = np.max(np.abs(wanted), initial=1.0)
            off = np.max(np.abs(got[name][n] - wanted), initial=0.0) / size
            assert off <= 1e-13, f"{name}: {off:.1e}"  # four links: some hundred roundings, and fused products


def test_the_figures_hold_every_joint_type():
    assert {family(j) for seed in SEEDS for j in few(seed).joints} == set(FAMILIES)


def test_random_words_are_the_same_on_every_machine():
    assert rng_of("figure", 0).integers(1 << 30) == 857799997


def test_operations_of_the_benchmark_figure():
    """Exact and the same on every machine; lower them when you can."""
    fig = ap.sample("bench42")
    q = np.zeros(fig.nq)
    assert ap.record(lambda q: kinematics(fig, q)[:2], q=q).operations <= 968
    assert ap.record(lambda q: jacobian(fig, q, link="l_foot"), q=q).operations <= 353
    assert ap.record(lambda q: hessian(fig, q, link="l_foot"), q=q).operations <= 1433
    assert ap.record(lambda q: centroidal_momentum_matrix(fig, q), q=q).operations <= 3683
