"""Whether every joint moves mass is seen from pivots, joint by joint; the mass matrix says the same and costs more."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import SingularError
from anthropi.figure import Link, Revolute, figure_from_parts
from anthropi.figure.validation import _least_pivot, _mass_matrix
from oracle.figures import figure


@pytest.mark.parametrize("seed", range(25))
def test_pivots_and_the_mass_matrix_agree(seed):
    """The least pivot lies between the least eigenvalue of M (its diagonal made 1) and 1; both are 0 or none is."""
    fig = figure(seed, links=12)
    q = fig.random(np.random.default_rng(seed))
    M = _mass_matrix(fig, q)
    scale = np.sqrt(np.diag(M))
    least, pivot = np.linalg.eigvalsh(M / np.outer(scale, scale))[0], _least_pivot(fig, q)
    assert (pivot < 1e-10) == (least < 1e-10)
    if pivot >= 1e-10:
        assert least <= pivot * (1.0 + 1e-9) <= 1.0 + 2e-9  # rounding


def test_a_long_chain_is_a_figure():
    """Rounding must not grow along it: without symmetry it doubled from joint to joint."""
    chain = ap.sample("chain", links=300, joint="ball")
    assert chain.nu == 900 and _least_pivot(chain, chain.random(0)) > 1e-10


def test_two_joints_that_only_move_each_other_are_named():
    rod = Link("rod", 1.0, (0.0, 0.0, -0.5), 0.1 * np.eye(3))
    parts = [
        ("", Revolute(name="upper", axis="y"), Link("between")),
        ("between", Revolute(name="lower", axis="y"), rod),
    ]
    with pytest.raises(SingularError, match=r"nothing with mass moves with (upper, lower|lower, upper)"):
        figure_from_parts("doubled", parts)
