"""Re-rooting changes how a figure is told, not where anything is or how it moves."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import joints
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics, point_acceleration
from anthropi.errors import InputError
from anthropi.figure.editing.rerooting import new_frames
from unit.figure.bench import bench42
from unit.figure.families import FAMILIES, random_figure
from unit.figure.physics import assert_same, bodies, seen

TOLERANCE = 1e-12  # ten joints deep, lengths of a few metres


def link_frames(figure):
    """Every link's own frame, to be looked at from another figure."""
    return [(x.name, ap.spatial.identity()) for x in figure.links]


def check(figure, link, q, u):
    """Re-root, compare everything, come back, compare the state itself."""
    frames = new_frames(figure, link)
    there, q2, u2 = figure.reroot(link, q, u)
    assert there.links[0].name == link and there.nq == figure.nq and there.nu == figure.nu
    assert {j.name for j in there.joints} == {j.name for j in figure.joints}
    back_in = [(name, X.inverse()) for name, X in frames.items()]  # the old frames, on the new links
    assert_same(seen(there, q2, u2, back_in), seen(figure, q, u, link_frames(figure)), TOLERANCE)
    assert_same(bodies(there, q2, u2), bodies(figure, q, u), TOLERANCE)
    root = figure.links[0].name
    again, q3, u3 = there.reroot(root, q2, u2, at=frames[root].inverse())
    assert_same(seen(again, q3, u3, link_frames(figure)), seen(figure, q, u, link_frames(figure)), TOLERANCE)
    q4, u4 = figure.state_from(again, q3, u3)
    np.testing.assert_allclose(figure.difference(q, q4), 0.0, atol=10 * TOLERANCE)
    np.testing.assert_allclose(u4, u, atol=10 * TOLERANCE)
    for x in figure.joints:
        y = again.joints[again.joint_index(x.name)]
        assert type(y) is type(x) and y.dofs == x.dofs
        for name in ("lower", "upper", "stiffness", "rest", "damping", "armature"):
            np.testing.assert_allclose(getattr(y, name), getattr(x, name), atol=1e-15)
        np.testing.assert_allclose(y.placement.rotation, x.placement.rotation, atol=1e-13)
        np.testing.assert_allclose(y.placement.origin, x.placement.origin, atol=1e-12)


@pytest.mark.parametrize("link", [x.name for x in bench42().links])
def test_every_link_of_a_42_dof_figure(link):
    figure, rng = bench42(), np.random.default_rng(1)
    check(figure, link, figure.random(rng), rng.normal(size=figure.nu))


@pytest.mark.slow
@pytest.mark.parametrize("detail", ["thesis42", "standard"])
def test_every_link_of_a_human(detail):
    """Ball joints with limits, which stay attached: they are taken backwards."""
    figure, rng = ap.human(detail=detail), np.random.default_rng(1)
    q, u = figure.random(rng), rng.normal(size=figure.nu)
    for link in figure.links:
        check(figure, link.name, q, u)


@pytest.mark.slow
def test_links_of_a_figure_with_every_joint():
    figure, q, u = random_figure(0)
    for x in figure.links[3::4]:
        check(figure, x.name, q, u)


@pytest.mark.parametrize("seed", range(20))
def test_random_figures(seed):
    figure, q, u = random_figure(seed, count=int(np.random.default_rng(seed).integers(1, 20)))
    for x in figure.links[-3:]:
        check(figure, x.name, q, u)


@pytest.mark.parametrize("name", list(FAMILIES))
def test_each_joint_alone_on_the_way(name):
    figure, q, u = random_figure(11, [FAMILIES[name]])
    check(figure, "link1", q, u)


def test_motion_goes_on_as_before():
    """Accelerations of every marker under gravity, springs and dampers are the same: the dynamics is, not only u."""
    figure, q, u = random_figure(4, loops=False)
    there, q2, u2 = figure.reroot(figure.links[-1].name, q, u)
    found = []
    for f, at, speed in ((figure, q, u), (there, q2, u2)):
        udot = direct_dynamics(f, at, speed, np.zeros(f.nu))
        k = kinematics(f, at, speed, udot)
        points = [m for m in f.markers if hasattr(m, "point")]
        found.append({m.name: point_acceleration(k, f.link_index(m.link), m.point) for m in points})
    assert_same(found[1], found[0], 1e-7)  # condition of the mass matrix ~1e5


def test_it_stays_where_it_is_if_the_root_is_the_root():
    figure, q, u = random_figure(2, count=5)
    same, q2, u2 = figure.reroot("link0", q, u)
    assert same.key == figure.key
    np.testing.assert_allclose(figure.difference(q, q2), 0.0, atol=1e-14)
    np.testing.assert_allclose(u2, u, atol=1e-14)


def test_what_is_given_comes_back():
    figure, q, u = random_figure(3, count=4)
    assert figure.reroot("link2").key == figure.reroot("link2", q)[0].key == figure.reroot("link2", q, u)[0].key
    assert len(figure.reroot("link2", q)) == 2
    np.testing.assert_array_equal(figure.reroot("link2", q)[1], figure.reroot("link2", q, u)[1])
    rng = np.random.default_rng(0)
    qs, us = np.stack([figure.random(rng) for _ in range(3)]), rng.normal(size=(3, figure.nu))
    _, q2, u2 = figure.reroot("link2", qs, us)
    for k in range(3):
        _, one_q, one_u = figure.reroot("link2", qs[k], us[k])
        np.testing.assert_array_equal(q2[k], one_q)
        np.testing.assert_array_equal(u2[k], one_u)


def test_the_state_map_compiles():
    """On-line re-rooting (thesis 9.4.2): the map of the state is a kernel."""
    figure, q, u = random_figure(5, count=8)
    link = figure.links[-1].name
    kernel = ap.build(ap.record(lambda q, u: figure.reroot(link, q, u)[1:], q=q, u=u), opt=0)
    for got, want in zip(kernel(q, u), figure.reroot(link, q, u)[1:], strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


def test_a_held_figure_is_refused_with_the_way_out():
    figure, *_ = random_figure(0, count=3, root=joints.Weld())
    with pytest.raises(InputError, match=r"held to the world by the weld joint 'root' of its root 'link0'.*Free.*loop"):
        figure.reroot("link2")
    figure, *_ = random_figure(0, count=3, root=joints.Free(damping=1.0))
    with pytest.raises(InputError, match=r"root joint 'root'.*'link0'.*Remove them from"):
        figure.reroot("link2")
    with pytest.raises(InputError, match=r"No link 'linc2'.*Did you mean 'link2'\?"):
        figure.reroot("linc2")
