"""A figure as the dynamics take it: composites in parts, hinges in their own axes, and nothing else changed."""

import pickle

import numpy as np
import pytest

import anthropi as ap
from anthropi import spatial
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.figure import Composite, Cylindrical, Helical, Link, Prismatic, Revolute, figure_from_parts, universal
from anthropi.figure.numbers import numbers as figure_numbers
from unit.figure.families import FAMILIES, place, random_figure

_skew = place(np.random.default_rng(9)).rotation
BODY = spatial.box((0.1, 0.2, 0.4), mass=3.0, centre=(0.05, -0.02, 0.15)).rotated(_skew)  # no zeros in any axes


def chain(joints, bodies=None):
    names = [None, *(f"link {k}" for k in range(len(joints)))]
    bodies = [BODY] * len(joints) if bodies is None else bodies
    parts = [(names[k], joint.changed(name=f"j{k}"), Link.of(names[k + 1], body))
             for k, (joint, body) in enumerate(zip(joints, bodies, strict=True))]  # fmt: skip
    return figure_from_parts("chain", parts)


def placed(figure, q):
    """Rotation and origin of every link in the world, by its nodes."""
    world: list = []
    found = {}
    for node in figure.dynamics_tree:
        X = node.pose(q)
        X = spatial.Transform(X.rotation, X.origin)
        world.append(X if node.parent < 0 else world[node.parent] @ X)
        if node.link is not None:
            back = np.eye(3) if node.axes is None else node.axes.T
            found[node.link] = world[-1] @ spatial.Transform(back, np.zeros(3))
    return [(found[i].rotation, found[i].origin) for i in range(figure.n)]


@pytest.mark.parametrize("seed", range(8))
def test_links_are_where_they_were(seed):
    """Every family of joints, at random places; the order of q and u is the figure's."""
    figure, *_ = random_figure(seed)
    q = figure.random(seed)
    k = kinematics(figure, q)
    for (C, p), rotation, position in zip(placed(figure, q), k.rotation, k.position, strict=True):
        np.testing.assert_allclose(C, rotation, atol=1e-13)
        np.testing.assert_allclose(p, position, atol=1e-13 * (1.0 + np.abs(k.position).max()))
    places = [(node.q, node.u) for node in figure.dynamics_tree]
    assert [s for q, _ in places for s in range(q.start, q.stop)] == list(range(figure.nq))
    assert [s for _, u in places for s in range(u.start, u.stop)] == list(range(figure.nu))


def test_a_composite_comes_in_parts_down_to_the_last():
    rng = np.random.default_rng(0)
    inner = Composite(
        name="b", parts=(Prismatic(name="1", axis="x"), Revolute(name="2", axis="y")), placement=place(rng)
    )
    outer = Composite(parts=(FAMILIES["ball"].changed(name="a"), inner), placement=place(rng), armature=0.1)
    nodes = chain([outer, Revolute(axis="z")]).dynamics_tree
    assert [p.joint.kind for p in nodes] == ["ball", "prismatic", "revolute", "revolute"]
    assert [p.link for p in nodes] == [None, None, 0, 1] and [p.parent for p in nodes] == [-1, 0, 1, 2]
    assert all((p.joint.armature == (0.1 if n < 3 else 0.0)).all() for n, p in enumerate(nodes))
    assert nodes[0].body is None and not nodes[0].inertia.matrix().any()


def test_coordinate_axes_stay_and_nothing_is_computed():
    """A figure whose hinges turn about coordinate axes, either way round, is taken as it is."""
    for figure in (ap.human(detail="full"), ap.sample("bench42"), ap.sample("roach")):
        assert all(node.axes is None for node in figure.dynamics_tree)
        assert all(isinstance(node.place, spatial.Transform) for node in figure.dynamics_tree)
        assert all(p.body is None or p.body.tensor is figure.links[p.link].tensor for p in figure.dynamics_tree)


def operations(figure) -> int:
    zeros = {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu), "tau": np.zeros(figure.nu)}
    return ap.record(lambda q, u, tau: direct_dynamics(figure, q, u, tau), **zeros).operations


@pytest.mark.parametrize("family", [Revolute, Helical, Cylindrical])
def test_how_axes_are_written_makes_no_difference(family):
    """The same chain with hinges about z at slanted places, about slanted axes at straight places, and about both."""
    rng = np.random.default_rng(1)
    turned, oblique, both, bodies = [], [], [], []
    seen = np.eye(3)  # the straight frames, all alike at q = 0, seen from the turned ones
    for _ in range(4):
        C, p = place(rng).rotation, rng.normal(size=3)
        turned.append(family(axis="z", placement=spatial.Transform(C, p)))
        oblique.append(family(axis=seen.T @ C[:, 2], placement=spatial.Transform(np.eye(3), seen.T @ p)))
        seen = C.T @ seen
        bodies.append(BODY.rotated(seen.T))
        both.append(family(axis=rng.normal(size=3), placement=place(rng)))
    one, other = chain(turned), chain(oblique, bodies)
    q, u, tau = rng.normal(size=(3, one.nu))
    found, wanted = (direct_dynamics(figure, q, u, tau) for figure in (one, other))
    np.testing.assert_allclose(found, wanted, rtol=0.0, atol=1e-11 * np.abs(wanted).max())
    assert operations(one) == operations(other) == operations(chain(both))


def test_forces_on_links_are_known_in_the_links_axes():
    rng = np.random.default_rng(2)
    figure = chain([FAMILIES["revolute"].changed(placement=place(rng)), universal("u", placement=place(rng)),
                    FAMILIES["helical"].changed(placement=place(rng))])  # fmt: skip
    q, (u, udot) = figure.random(rng), rng.normal(size=(2, figure.nu))
    f_ext = rng.normal(size=(figure.n, 6))
    found = inverse_dynamics(figure, q, u, udot) - inverse_dynamics(figure, q, u, udot, f_ext)
    np.testing.assert_allclose(found, ap.dynamics.external_forces(figure, q, f_ext), rtol=0.0, atol=1e-12)
    tau = inverse_dynamics(figure, q, u, udot, f_ext)
    np.testing.assert_allclose(direct_dynamics(figure, q, u, tau, f_ext), udot, rtol=0.0, atol=1e-10)


def test_numbers_may_be_traced():
    """Masses, centres, tensors of links that are taken in other axes than their own, and lengths between them."""
    rng = np.random.default_rng(3)
    figure = chain([FAMILIES["revolute"].changed(placement=place(rng)) for _ in range(3)])
    assert figure.dynamics_tree[0].axes is not None
    slots, known = ("link 1.mass", "link 0.centre", "link 1.tensor", "j1.origin", "j2.origin.1"), figure_numbers(figure)
    values = np.concatenate([known[s] if s in known else known[s[:-2]][1:2] for s in slots]) * 1.1
    q, u, tau = rng.normal(size=(3, 3))
    tape = ap.record(lambda x, q, u, tau: direct_dynamics(figure.with_numbers(slots, x), q, u, tau),
                     x=values, q=q, u=u, tau=tau)  # fmt: skip
    wanted = direct_dynamics(figure.with_numbers(slots, values), q, u, tau)
    np.testing.assert_allclose(ap.build(tape, opt=0)(values, q, u, tau), wanted, rtol=1e-11)
    same = ap.record(lambda x, q, u, tau: direct_dynamics(figure.with_numbers(["gravity"], x), q, u, tau),
                     x=np.zeros(3), q=q, u=u, tau=tau)  # fmt: skip
    slanted = figure.changed(gravity=np.array([1.0, 2.0, 3.0]))
    assert same.operations <= operations(slanted) + 12  # gravity's two turns; what is not traced is known all the same


def test_an_axis_that_is_being_traced_is_left_alone():
    def function(axis, q):
        figure = chain([FAMILIES["revolute"], Revolute(axis="x")])
        joints = (figure.joints[0].changed(axis=axis), figure.joints[1])
        figure = figure.changed(joints=joints, checked=False)
        assert figure.dynamics_tree[0].axes is None or not isinstance(axis[0], ap.Scalar)
        return mass_matrix(figure, q)

    axis, q = np.array([0.6, 0.0, 0.8]), np.array([0.3, -0.5])
    found = ap.build(ap.record(function, axis=axis, q=q), opt=0)(axis, q)
    np.testing.assert_allclose(found, function(axis, q), rtol=1e-13)


def test_a_figure_is_pickled_with_its_pieces():
    figure = chain([FAMILIES["revolute"], FAMILIES["cylindrical"]])
    q, u, tau = np.random.default_rng(4).normal(size=(3, 3))
    wanted = direct_dynamics(figure, q, u, tau)
    np.testing.assert_array_equal(direct_dynamics(pickle.loads(pickle.dumps(figure)), q, u, tau), wanted)
