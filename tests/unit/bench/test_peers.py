"""Figures in Pinocchio and MuJoCo, as `anthropi bench` measures them: they must be the same figures."""

import numpy as np
import pytest
from peers.mujoco import MujocoPeer
from peers.pinocchio import PinocchioPeer

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.cli.measure import bare, states
from anthropi.errors import InputError
from anthropi.figure import (
    Cylindrical,
    Euler,
    Exponential,
    Free,
    Helical,
    Link,
    Loop,
    Planar,
    Prismatic,
    Revolute,
    Weld,
    figure_from_parts,
    universal,
)
from anthropi.figure.joints import Reversed
from anthropi.simulation.integrators import semi_implicit_euler
from oracle.figures import body, place, rng_of

pytestmark = pytest.mark.oracle


def tree(*kinds):
    """A free root that carries one branch for every three joints; generations are listed in turn, not branches."""
    rng = rng_of("bench", len(kinds))
    parts = [("", Free(name="root"), body("trunk", rng))]
    for k, joint in enumerate(kinds):
        on = "trunk" if k < 3 else f"link {k - 3}"
        parts.append((on, joint.changed(name=f"joint {k}", placement=place(rng)), body(f"link {k}", rng)))
    return figure_from_parts("tree", parts)


HERE = Transform(np.eye(3), np.zeros(3))
BOTH = (Revolute(axis="y"), Prismatic(axis=(1, 2, 3)), Exponential(), Cylindrical(axis="z"), Planar(), Weld(),
        Euler(order="zxy"), universal("u", "x", "y"), Revolute(axis=(1, 1, 0)))  # fmt: skip
FIGURES = {
    "tree": lambda: tree(*BOTH),
    "tree with a screw": lambda: tree(*BOTH, Helical(axis="-x", pitch=0.1)),
    "human": lambda: ap.human(detail="standard"),
    "hopper": lambda: ap.sample("hopper"),
}


@pytest.mark.parametrize("name", FIGURES)
def test_pinocchio_has_the_same_dynamics(name):
    figure, _ = bare(FIGURES[name]())
    state = {n: x[0] for n, x in states(figure, 1, seed=3).items()}
    q, u, udot, tau = (state[n] for n in ("q", "u", "udot", "tau"))
    peer = PinocchioPeer(figure, 1e-3)
    rtol = 1e-11  # condition of M ~1e4
    for subject, wanted in (
        ("direct dynamics", direct_dynamics(figure, q, u, tau)),
        ("inverse dynamics", inverse_dynamics(figure, q, u, udot)),
        ("mass matrix", mass_matrix(figure, q)),
    ):
        np.testing.assert_allclose(peer.result(subject, state)[0], wanted, rtol=0.0, atol=rtol * np.abs(wanted).max())
        for call in peer.calls(subject, state).values():
            call()


def test_pinocchio_derivatives_come_in_our_coordinates():
    """Against differences of our direct dynamics; those in u and τ are exact, it is of second degree in them."""
    figure, _ = bare(tree(*BOTH))
    state = {n: x[0] for n, x in states(figure, 1, seed=5).items()}
    q, u, tau = state["q"], state["u"], state["tau"]

    def slope(f, h):
        return np.stack([(f(h * e) - f(-h * e)) / (2.0 * h) for e in np.eye(figure.nu)], axis=1)

    in_q, in_u, in_tau = PinocchioPeer(figure, 1e-3).result("derivatives of direct dynamics", state)
    for found, wanted, rtol in (
        (in_q, slope(lambda d: direct_dynamics(figure, figure.integrate(q, d), u, tau), 1e-5), 1e-7),  # h² and eps / h
        (in_u, slope(lambda d: direct_dynamics(figure, q, u + d, tau), 1.0), 1e-10),
        (in_tau, slope(lambda d: direct_dynamics(figure, q, u, tau + d), 1.0), 1e-10),
    ):
        np.testing.assert_allclose(found, wanted, rtol=0.0, atol=rtol * np.abs(wanted).max())


@pytest.mark.parametrize("name", ["tree", "human", "hopper"])
def test_mujoco_takes_the_same_step(name):
    figure, _ = bare(FIGURES[name]())
    state = {n: x[0] for n, x in states(figure, 1, seed=3).items()}
    step = semi_implicit_euler(
        figure, lambda q, u: direct_dynamics(figure, q, u, state["tau"]), state["q"], state["u"], 1e-3
    )
    k = kinematics(figure, step[0])
    found = MujocoPeer(figure, 1e-3).result("step", state)
    for theirs, ours in zip(found, (step[1], k.position, k.rotation), strict=True):
        np.testing.assert_allclose(theirs, ours, rtol=0.0, atol=1e-10)  # condition of M ~1e4


def test_a_bare_figure_says_what_was_taken_and_lists_links_depth_first():
    figure, taken = bare(ap.human(detail="standard"))
    assert taken == "springs, dampers, rotors and limits" and not any(joint.acts() for joint in figure.joints)
    assert not figure.markers and not any(link.shapes for link in figure.links)
    for i, p in enumerate(figure.parent[1:], 1):
        assert p == i - 1 or p in figure.path(i - 1)
    assert bare(ap.sample("bench42"))[1] == ""
    ring = ap.sample("chain", links=3).changed(loops=(Loop("ring", "weld", "link_0", HERE, "link_2", HERE),))
    assert bare(ring)[1] == "loops" and not bare(ring)[0].loops


def test_a_joint_pinocchio_does_not_know_is_named():
    joint = Reversed.of(Revolute(name="knee", axis="z", lower=-1.0, upper=1.0))
    figure = figure_from_parts("odd", [("", joint.changed(placement=HERE), Link("shank", 1.0, (0.1, 0, 0), np.eye(3)))])
    with pytest.raises(InputError, match=r"Joint 'knee' of figure 'odd' is backward.*Known: free, ball"):
        PinocchioPeer(figure, 1e-3)
