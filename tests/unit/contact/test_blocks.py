"""Two boxes: flush, tilted, larger and smaller, fixed and free; links and obstacles."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.boxes import Corner, Edge
from anthropi.contact.geometry.contacts import contact_names, contacts
from anthropi.contact.geometry.surfaces import Box
from anthropi.contact.impulsive import Impulsive
from anthropi.contact.scene import Obstacle, Scene
from anthropi.errors import InputError
from anthropi.figure.from_parts import figure_from_parts
from anthropi.figure.joints import Revolute, Weld
from anthropi.figure.parts import Link, Shape
from unit.contact import impulsive_steps
from unit.contact.bodies import body, energies, placed, run

CUBE = body("box", 0.2, 0.2, 0.2, mass=5.0)
STEP = Obstacle("step", Box((0.2, 0.2, 0.2)))
g = 9.81


def welded(name="block"):
    link = Link.of("block", ap.spatial.box((0.2, 0.2, 0.2), mass=5.0), [Shape("box", (0.2, 0.2, 0.2))])
    return figure_from_parts(name, [(None, Weld(name="root"), link)])


def two(**options):
    return Scene.of([CUBE, CUBE], ["low", "top"], pairs=[("low/box", "top/box")], edges=False, **options)


FLUSH = [(0.0, 0.0), (1e-5, 1e-5), (5e-3, 0.0), (0.05, 1e-4), (0.0, 0.02)]


@pytest.mark.parametrize("offset", FLUSH)
def test_flush_boxes_carry_each_other(offset):
    scene = two()
    frames = run(scene, np.concatenate([placed(z=0.1), placed(*offset, 0.3)]), np.zeros(12), 0.5, every=100)
    pushes = [f[2] if c.a == 2 else -f[2] for c, f in zip(scene.candidates, frames.force[-1], strict=True) if c.b >= 0]
    assert sum(pushes) == pytest.approx(5.0 * g, rel=1e-3)
    assert frames.q[-1, 9] == pytest.approx(0.3, abs=1.5e-3) and np.abs(frames.u[-1]).max() < 1e-3


def test_flush_boxes_carry_each_other_by_impulses():
    scene = two(contact=Impulsive())
    for offset in FLUSH[::2]:
        q = np.concatenate([placed(z=0.1), placed(*offset, 0.3)])
        after = impulsive_steps.step(scene, q, np.zeros(12), scene.contact.memory(scene), 1e-3)
        assert np.abs(after.u).max() < 1e-9
        assert after.impulses[:16, 2].sum() == pytest.approx(10.0 * g * 1e-3)


@pytest.mark.parametrize(("size", "at"), [((0.2, 0.2, 0.2), 0.0), ((0.4, 0.4, 0.2), 0.0), ((0.4, 0.2, 0.2), 0.05)])
def test_an_obstacle_carries_boxes_as_large_and_larger(size, at):
    """Equal: flush. Larger: by corners of the obstacle alone."""
    figure = body("box", *size, mass=5.0)
    scene = Scene(figure, ground=None, obstacles=STEP, edges=False)
    frames = run(scene, placed(at, 0.0, 0.2), np.zeros(6), 0.5, every=100)
    assert frames.force[-1, :, 2].sum() == pytest.approx(5.0 * g, rel=1e-3)
    assert frames.q[-1, 2] == pytest.approx(0.2, abs=1e-3) and np.abs(frames.u[-1]).max() < 1e-3
    model = scene.changed(contact=Impulsive())
    after = impulsive_steps.step(model, placed(at, 0.0, 0.2), np.zeros(6), model.contact.memory(model), 1e-3)
    assert np.abs(after.u).max() < 1e-9


@pytest.mark.slow
def test_a_box_stays_on_the_edge_of_a_table():
    """Its middle is over the table, by 2 cm: where its edges leave the table they hold it, and without them it tips."""
    table = Obstacle("table", Box((2.0, 2.0, 0.2)), Transform(np.eye(3), np.array([-1.0, 0.0, 0.0])))
    scene = Scene(CUBE, ground=None, obstacles=table)
    assert [sum(isinstance(c, kind) for c in scene.candidates) for kind in (Corner, Edge)] == [16, 24]
    ends = [run(s, placed(x=-0.02, z=0.2), np.zeros(6), 0.4, every=400).q[-1, 2]
            for s in (scene, scene.changed(edges=False))]  # fmt: skip
    assert ends[0] == pytest.approx(0.2, abs=1e-3) and ends[1] < 0.15


def test_only_boxes_whose_corners_are_features_meet_obstacles_as_boxes():
    bench = ap.sample("bench42")
    assert len(Scene(bench, features="feet", obstacles=STEP).candidates) == 16
    names = contact_names(Scene(bench, features=["head", "l_foot"], obstacles=STEP, edges=False))
    assert names[-8:] == tuple(f"head on step.{k}" for k in range(1, 9)) and len(names) == 12 + 12 + 8


def test_the_touch_of_an_obstacles_corner():
    """Its point moves with the obstacle; the normal points to the link."""

    def lift(t):
        return Transform(np.eye(3), np.array([0.0, 0.0, t])), np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0])

    figure = body("box", 0.4, 0.4, 0.2)
    scene = Scene(figure, ground=None, obstacles=Obstacle("lift", Box((0.2, 0.2, 0.2)), lift), edges=False)
    u = np.array([0.0, 0.0, 0.5, 0.0, 0.0, 0.0])
    contact = contacts(scene, 0.1, kinematics(figure, placed(z=0.299), u))[-1]
    assert contact.gap == pytest.approx(-1e-3) and contact.normal == pytest.approx([0.0, 0.0, 1.0])
    assert contact.point == pytest.approx([0.1, 0.1, 0.2]) and contact.local == pytest.approx([0.1, 0.1, -0.099])
    assert contact.speed == pytest.approx([0.1, -0.1, -0.5])


def test_gaps_are_the_same_seen_from_both_frames():
    """Turned as a whole, or with the pair named the other way round, boxes are as far apart."""
    rng = np.random.default_rng(4)
    scenes = two(), Scene.of([CUBE, CUBE], ["top", "low"], pairs=[("top/box", "low/box")], edges=False)
    for _ in range(20):
        poses = [placed(*rng.uniform(-0.1, 0.1, 3), rng.normal(size=4)) for _ in range(2)]
        gaps = []
        for scene, order in zip(scenes, (poses, poses[::-1]), strict=True):
            found = contacts(scene, 0.0, kinematics(scene.figure, np.concatenate(order)))[16:]
            gaps.append(sorted(float(t.gap) for t in found))
        assert gaps[0] == pytest.approx(gaps[1], abs=1e-12)


@pytest.mark.slow
def test_nothing_touches_before_boxes_meet_and_no_more_than_twice_as_deep():
    """Random poses: boxes that an axis keeps apart have gaps > 0 only; where boxes overlap by little, every corner is
    pushed back by no more than twice the way that frees them."""
    rng, scene, shallow = np.random.default_rng(1), two(), 0
    for _ in range(200):
        turn = rng.normal(size=4) * (1.0, 0.3, 0.3, 0.3)
        q = np.concatenate([placed(), placed(*rng.uniform(-0.22, 0.22, 3), turn)])
        k = kinematics(scene.figure, q)
        gap = min(float(t.gap) for t in contacts(scene, 0.0, k)[16:])
        apart = _apart(k)
        if apart > 2e-6:
            assert gap > 0.0
        elif apart > -4e-3:
            shallow += 1
            assert gap > 2.0 * apart - 2e-6
    assert shallow > 5


def _apart(k) -> float:
    """How far two cubes are apart, by their corners along 15 axes."""
    A, B = k.rotation[1], k.rotation[2]
    axes = [*A.T, *B.T, *(np.cross(a, b) for a in A.T for b in B.T)]
    signs = np.array([(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)])
    one, other = k.position[1] + signs @ A.T, k.position[2] + signs @ B.T
    axes = [x / np.linalg.norm(x) for x in axes if np.linalg.norm(x) > 1e-3]
    return max(max((one @ x).min() - (other @ x).max(), (other @ x).min() - (one @ x).max()) for x in axes)


@pytest.mark.slow
def test_a_tilted_box_that_falls_on_another_makes_no_energy():
    """On an edge, and anyhow: explicit forces between links may overshoot by a little, never by a jump of a face."""
    scene = Scene.of([CUBE, body("box", 0.3, 0.1, 0.2, mass=3.0)], ["low", "top"], pairs=[("low/box", "top/box")])
    for turn in ((0.92388, 0.0, 0.38268, 0.0), (0.8, 0.3, 0.2, 0.4)):
        q = np.concatenate([placed(z=0.0995), placed(0.05, 0.03, 0.45, turn)])
        frames = run(scene, q, np.zeros(12), 0.6, every=20)
        total = energies(scene, frames)
        assert np.diff(total).max() < 0.05 * total[0] and frames.gap[-1].min() > -5e-3


def test_a_domino_knocks_over_one_as_wide():
    """Its upper corners hit a face, and lie on two planes of the other's sides; 2 mm deep in the first step."""
    tall = body("box", 0.06, 0.3, 0.6, mass=2.0)
    scene = Scene.of([tall, tall], ["one", "two"], pairs=[("one/box", "two/box")], edges=False)
    q = np.concatenate([placed(z=0.3), placed(0.3, 0.0, 0.3)])
    frames = run(scene, q, [0.3, 0.0, 0.0, 0.0, 2.0, 0.0, *np.zeros(6)], 1.0, every=100)
    lean = 2.0 * np.arctan2(np.abs(frames.q[-1, [5, 12]]), frames.q[-1, [3, 10]])
    assert (lean > 1.4).all() and frames.gap[:, 16:].min() > -5e-3
    assert frames.q[-1, [2, 9]] == pytest.approx([0.09, 0.03], abs=5e-3)  # the one on the other


def test_derivatives_are_finite_where_boxes_are_flush():
    scene = two().changed(edges=True)

    def gaps(q):
        found = contacts(scene, 0.0, kinematics(scene.figure, q))
        return np.array([[t.gap, *t.normal] for t in found])

    q = np.concatenate([placed(z=0.1), placed(z=0.2999)])
    slopes = ap.build(ap.record(gaps, q=q).jvp("q"), target="replay")(q, np.ones(14))
    assert all(np.isfinite(x).all() for x in slopes)


def test_costs_of_two_boxes():
    """Of 1,867 operations of a pair of boxes 336 choose the faces."""
    scene = two()
    q = np.concatenate([placed(z=0.1), placed(z=0.3)])

    def all_of_them(q, u, scene):
        return [(t.gap, t.normal, t.speed) for t in contacts(scene, 0.0, kinematics(scene.figure, q, u))]

    with_pair, without = (ap.record(lambda q, u, s=s: all_of_them(q, u, s), q=q, u=np.zeros(12)).operations
                          for s in (scene, scene.changed(pairs=())))  # fmt: skip
    assert with_pair - without <= 1900


def test_a_box_stands_on_a_welded_one():
    scene = Scene.of([CUBE, welded()], ["f", "w"], pairs=[("f/box", "w/block")], ground=None, edges=False)
    frames = run(scene, placed(z=0.2), np.zeros(6), 0.5, every=100)
    assert frames.q[-1, 2] == pytest.approx(0.2, abs=1e-3) and np.abs(frames.u[-1]).max() < 1e-3
    assert Scene.of([CUBE, welded()], ["f", "w"], pairs="*").pairs == (("f/box", "w/block"),)


def test_what_a_joint_holds_to_the_world_is_a_neighbour_of_it():
    arm = Link.of("arm", ap.spatial.box((0.2, 0.2, 0.2), mass=1.0), [Shape("box", (0.2, 0.2, 0.2))])
    base = Link.of("base", ap.spatial.box((0.2, 0.2, 0.2), mass=1.0), [Shape("box", (0.2, 0.2, 0.2))])
    hung = figure_from_parts("hung", [(None, Weld(name="root"), base), ("base", Revolute(name="hinge"), arm)])
    with pytest.raises(InputError, match="connected by a joint"):
        Scene(hung, pairs=[("base", "arm")])
    pairs = [("hung/arm", "w/block")]
    assert Scene.of([hung, welded()], ["hung", "w"], pairs=pairs).pairs == tuple(pairs)
    with pytest.raises(InputError, match="same rigid body"):
        Scene.of([welded(), welded()], ["v", "w"], pairs=[("v/block", "w/block")])
