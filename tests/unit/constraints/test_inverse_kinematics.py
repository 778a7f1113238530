"""Inverse kinematics finds poses that are there, keeps to limits, and says what is out of reach."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import joints, rotation, spatial, targets
from anthropi.constraints.fit_to_targets import fit_to_targets
from anthropi.constraints.inverse_kinematics import goals_of, kernel, middle, weights_of
from anthropi.errors import InputError
from anthropi.figure import Link, Marker, figure_from_parts
from unit.figure.bench import bench42
from unit.figure.families import FAMILIES, random_figure

POINTS = ["l_fingertip", "r_fingertip", "l_heel", "r_heel", "vertex"]
TOLERANCE = 1e-6  # [m, rad]


@pytest.fixture(scope="module")
def human():
    return ap.human(detail="standard")


def poses(figure, count, seed=0):
    rng = np.random.default_rng(seed)
    return np.stack([figure.random(rng) for _ in range(count)])


def points(figure, q, names=POINTS):
    """Targets that q meets."""
    k = ap.kinematics(figure, q)
    return [targets.Position(name, k.marker(name)) for name in names]


def coordinates(figure, q):
    return np.concatenate([j.coordinates(q[figure.q_of[i]]) for i, j in enumerate(figure.joints)])


def within(figure, qs):
    """Whether configurations keep to the limits, but for a rounding."""
    x = np.stack([coordinates(figure, q) for q in np.atleast_2d(qs)])
    return (figure.limits[0] - 1e-12 <= x).all() and (x <= figure.limits[1] + 1e-12).all()


@pytest.mark.slow
def test_a_thousand_reachable_poses_of_a_human(human):
    wanted = points(human, poses(human, 1000))
    found = ap.inverse_kinematics(human, wanted, tolerance=TOLERANCE)
    assert found.converged.mean() >= 0.99 and found.q.shape == (1000, human.nq)
    assert within(human, found.q)
    k = ap.kinematics(human, found.q[found.converged])  # told by another function than the one that solved it
    for target in wanted:
        away = np.linalg.norm(k.marker(target.of) - target.at[found.converged], axis=1)
        assert away.max() <= TOLERANCE * (1.0 + 1e-6)
    first = ap.inverse_kinematics(human, wanted, tolerance=TOLERANCE, restarts=0)
    assert first.converged.mean() > 0.9  # without a second start
    assert np.median(first.passes) <= 10


def test_without_limits_every_pose_of_a_ball_jointed_figure():
    figure = bench42()
    marks = [Marker(n, link, (0.0, 0.0, -0.25)) for n, link in (("l_hand", "l_forearm"), ("r_hand", "r_forearm"))]
    figure = figure.changed(markers=[*figure.markers, *marks, Marker("crown", "head", (0.0, 0.0, 0.2))])
    names = ["l_hand", "r_hand", "l_foot 0", "r_foot 3", "crown"]
    found = ap.inverse_kinematics(figure, points(figure, poses(figure, 300), names), restarts=0)
    assert found.converged.mean() >= 0.99


def test_a_warm_start_follows_a_moving_goal(human):
    """From a pose nearby every problem converges, in a few passes, to a pose nearby."""
    q = poses(human, 100)
    rng = np.random.default_rng(1)
    low, high = human.limits
    near = np.stack([
        np.concatenate([j.from_coordinates(np.clip(j.coordinates(a[human.q_of[i]]) + 0.05 * rng.normal(size=j.nu),
                                                   j.lower, j.upper)) for i, j in enumerate(human.joints)]) for a in q
    ])  # fmt: skip
    found = ap.inverse_kinematics(human, points(human, q), near)
    assert found.converged.all() and found.passes.max() <= 8
    moved = np.stack([human.difference(a, b) for a, b in zip(near, found.q, strict=True)])
    assert np.abs(moved).max() < 1.0 and low.shape == high.shape


def every_kind(figure, q):
    """One of each, met at q."""
    k, c = ap.kinematics(figure, q), ap.centre_of_mass(figure, q).position
    head, hand, palm = k.link("head").rotation, k.link("r_hand"), (0.0, 0.0, -0.1)
    return [
        targets.Position("l_fingertip", k.marker("l_fingertip")),
        targets.Position(("r_hand", palm), hand.position + hand.rotation @ palm),
        targets.Orientation("l_foot", k.link("l_foot").rotation, weight=0.5),
        targets.Pointing(("head", (1.0, 0.0, 0.0)), head @ [1.0, 0.0, 0.0]),
        targets.CentreOfMass(c, weight=2.0),
    ]  # fmt: skip


@pytest.mark.slow
def test_every_kind_of_target_together(human):
    q = poses(human, 200, seed=3)
    found = ap.inverse_kinematics(human, every_kind(human, q))
    assert found.converged.mean() >= 0.98 and within(human, found.q)
    best = found.q[found.converged]
    k = ap.kinematics(human, best)
    wanted = ap.kinematics(human, q[found.converged])
    np.testing.assert_allclose(k.link("l_foot").rotation, wanted.link("l_foot").rotation, atol=2e-6)
    np.testing.assert_allclose(k.link("head").rotation[..., 0], wanted.link("head").rotation[..., 0], atol=2e-6)
    centre = ap.centre_of_mass(human, q[found.converged]).position
    np.testing.assert_allclose(ap.centre_of_mass(human, best).position, centre, atol=2e-6)


@pytest.mark.slow
def test_more_rows_than_freedoms():
    """Twelve markers, 36 rows, 27 freedoms: the normal equations of the other side."""
    figure = ap.human(detail="simple27")
    names = [m.name for m in figure.markers][::3][:12]
    q = poses(figure, 20, seed=4)
    q[:, 3:7] = [1.0, 0.0, 0.0, 0.0]
    found = ap.inverse_kinematics(figure, points(figure, q, names))
    assert found.converged.mean() >= 0.9 and within(figure, found.q)


def test_one_problem_is_a_batch_of_one(human):
    q = poses(human, 3)
    many = ap.inverse_kinematics(human, points(human, q), middle(human))
    for k in range(3):
        one = ap.inverse_kinematics(human, points(human, q[k]), middle(human))
        np.testing.assert_array_equal(one.q, many.q[k])  # the same bits, whatever the batch
        np.testing.assert_array_equal(one.error, many.error[k])
        assert one.converged == many.converged[k] and one.passes == many.passes[k]
    assert repr(many) == "Solution(3 of 3 converged, largest error " + f"{many.error.max():.3g})"


@pytest.mark.parametrize("posture", [False, True])
def test_the_kernel_says_what_the_plain_function_says(posture):
    """On a figure with joints of many kinds."""
    kinds = ["composite", "ball, limited", "revolute", "planar, acted on", "exponential, limited", "euler, limited",
             "backward ball", "locked", "free"]  # fmt: skip
    figure, q, _ = random_figure(2, [FAMILIES[name] for name in kinds], loops=False)
    names = [figure.links[k].name for k in (5, 7, 9)]
    k = ap.kinematics(figure, q)
    wanted = [targets.Position(name, k.link(name).position) for name in names]
    rng = np.random.default_rng(0)
    start = np.concatenate([j.random(rng) if i % 3 == 0 else q[figure.q_of[i]] for i, j in enumerate(figure.joints)])
    extra = {"posture": q, "pull": np.full(figure.nu, 0.5)} if posture else {}
    arrays = (start, goals_of(wanted), weights_of(wanted), np.array(1e-9))
    plain = fit_to_targets(figure, wanted, *arrays, **extra, passes=3)
    got = kernel(figure, wanted, posture, passes=3, opt=0)(*arrays, **extra)
    np.testing.assert_allclose(figure.difference(plain.q, got.q), 0.0, atol=1e-8)
    np.testing.assert_allclose(got.error, plain.error, atol=1e-8)
    assert got.passes == plain.passes


# posture, weights, limits


@pytest.mark.slow
def test_a_posture_moves_only_what_the_targets_leave_free(human):
    q = poses(human, 20, seed=5)
    wanted = points(human, q)
    plain = ap.inverse_kinematics(human, wanted, seed=1)
    held = ap.inverse_kinematics(human, [*wanted, targets.Posture(human.neutral())], plain.q)
    both = plain.converged & held.converged
    assert both.mean() >= 0.95

    def away(qs):
        return np.array([np.linalg.norm(human.difference(human.neutral(), a)[6:]) for a in qs[both]])

    assert (away(held.q) < away(plain.q) + 1e-9).all() and away(held.q).mean() < 0.95 * away(plain.q).mean()
    assert within(human, held.q)
    none = ap.inverse_kinematics(human, [*wanted, targets.Posture(human.neutral(), weight=0.0)], plain.q)
    np.testing.assert_allclose(none.q[both], plain.q[both], atol=1e-5)  # no pull: nothing to gain


def test_weights_decide_between_goals_that_cannot_both_be_met(human):
    far = [
        targets.Position("l_heel", (0.0, 0.1, 0.0), weight=1.0),
        targets.Position("l_heel", (0.0, 0.3, 0.0), weight=3.0),
    ]
    found = ap.inverse_kinematics(human, far, restarts=0)
    y = ap.kinematics(human, found.q).marker("l_heel")[1]
    assert y == pytest.approx(0.28, abs=1e-3)  # squares of weights: (0.1 + 9 · 0.3) / 10
    one = ap.inverse_kinematics(human, [far[0], targets.Position("l_heel", (0.0, 0.3, 0.0), weight=0.0)])
    assert one.converged and one.reached.all() and one.error[0] <= TOLERANCE
    each = np.array([[1.0, 0.0], [0.0, 1.0]])
    both = ap.inverse_kinematics(human, [targets.Position("l_heel", (0.0, 0.1, 0.0), weight=each[:, 0]),
                                         targets.Position("l_heel", (0.0, 0.3, 0.0), weight=each[:, 1])])  # fmt: skip
    assert both.converged.tolist() == [True, True]
    np.testing.assert_allclose(ap.kinematics(human, both.q).marker("l_heel")[:, 1], [0.1, 0.3], atol=2e-6)


def arm():
    """Two hinges and a slide on a base: what can be reached is known."""
    link = spatial.box((0.1, 0.1, 0.1), mass=1.0, centre=(0.2, 0.0, 0.0))
    at = spatial.Transform(np.eye(3), np.array([1.0, 0.0, 0.0]))
    parts = [("", joints.Weld(name="base"), Link("ground")),
             ("ground", joints.Revolute(name="shoulder", axis="z", lower=-1.0, upper=1.0), Link.of("upper", link)),
             ("upper", joints.Revolute(name="elbow", lower=0.0, upper=2.5, placement=at), Link.of("lower", link)),
             ("lower", joints.Prismatic(name="slide", axis="x", lower=0.0, upper=0.5, placement=at),
              Link.of("hand", link))]  # fmt: skip
    return figure_from_parts("arm", parts, [Marker("tip", "hand", (0.0, 0.0, 0.0))])


def test_limits_are_kept_and_can_be_left():
    figure = arm()
    found = ap.inverse_kinematics(figure, targets.Position("tip", (2.4, 0.0, 0.0)))
    assert found.converged and within(figure, found.q)
    far = targets.Position("tip", (0.0, 2.4, 0.0))
    found = ap.inverse_kinematics(figure, far)
    assert not found.converged and within(figure, found.q)
    assert found.q[0] == pytest.approx(1.0, abs=1e-6)  # as far as the shoulder goes
    assert ap.inverse_kinematics(figure, far, limits=False).converged


def test_what_is_out_of_reach_is_named():
    figure = arm()
    assert ap.inverse_kinematics(figure, targets.Position("tip", (1.5, 0.5, 0.0))).explain() == (
        "All 1 targets are reached within 1e-06.")  # fmt: skip
    words = ap.inverse_kinematics(figure, targets.Position("tip", (3.0, 0.0, 0.0))).explain()
    assert words.startswith("Out of reach, even alone: the position of tip comes no closer than 0.5 m.")
    two = [targets.Position("tip", np.array([[1.5, 0.5, 0.0], [2.0, 0.3, 0.0]])),
           targets.Position("lower", np.array([[np.cos(0.4), np.sin(0.4), 0.0], [-1.0, 0.0, 0.0]]))]  # fmt: skip
    found = ap.inverse_kinematics(figure, two, middle(figure))
    assert found.reached.shape == (2, 2)
    assert "Each target can be reached alone, but not all together. Missed: the position of" in found.explain(0)
    assert "Out of reach, even alone: the position of lower comes no closer than" in found.explain(1)
    assert "position of tip" not in found.explain(1)


TIP = targets.Position("tip", (0.0, 0.0, 0.0))
WRONG = {
    "no targets": (dict(targets=[]), r"0 targets and 0 postures; give at least one target"),
    "two postures": (dict(targets=[TIP, targets.Posture(np.zeros(3)), targets.Posture(np.zeros(3))]), r"2 postures"),
    "no target": (dict(targets=["tip"]), r"'tip' is not a target\. Give Position"),
    "NaN": (dict(targets=[targets.Position("tip", (0, np.nan, 0))]), r"position of tip is not finite"),
    "weight": (dict(targets=[targets.Position("tip", (0, 0, 0), weight=-1.0)]), r"position of tip -1\.0; give finite"),
    "pull": (dict(targets=[TIP, targets.Posture(np.zeros(3), 2.0)]), r"is 2\.0; give one number from 0 to 1"),
    "start": (dict(targets=[TIP], q0=np.zeros(4)), r"q0 has shape \(4,\).*\(3,\)"),
    "tolerance": (dict(targets=[TIP], tolerance=0.0), r"tolerance is 0\.0.*above 0"),
    "goals": (dict(targets=[targets.Position("tip", np.zeros((2, 3))), targets.Position("hand", np.zeros((3, 3)))]),
              r"position of tip, position of hand are for \[2, 3\] problems"),
    "batch": (dict(targets=[targets.Position("tip", np.zeros((2, 3)))], q0=np.zeros((4, 3))), r"q0 for 4, goals for 2"),
}  # fmt: skip


@pytest.mark.parametrize("case", list(WRONG))
def test_wrong_problems_are_refused(case):
    arguments, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        ap.inverse_kinematics(arm(), **arguments)


def test_the_middle_is_within_the_limits_and_neutral_without(human):
    assert within(human, middle(human))
    np.testing.assert_array_equal(middle(bench42()), bench42().neutral())
    figure, *_ = random_figure(0)
    assert within(figure, middle(figure))


def test_a_whole_solve_is_part_of_a_larger_kernel(human):
    """It records like any function: here with the height of a hand as the input."""
    wanted = [targets.Position("l_fingertip", np.zeros(3))]

    def reach(height):
        goal = np.array([0.3, 0.3, height[0]])
        return fit_to_targets(human, wanted, middle(human), goal, np.ones(1), 1e-6, passes=20).q[:3]

    run = ap.build(ap.record(reach, height=np.zeros(1)), opt=0)
    assert np.isfinite(run(np.linspace(0.5, 1.5, 10)[:, None])).all()


def test_orientation_at_half_a_turn():
    """Straight back is no trap."""
    body = figure_from_parts(
        "body", [("", joints.Free(name="root"), Link.of("body", spatial.box((1, 2, 3), mass=1.0)))]
    )
    for axis in np.eye(3):
        goal = rotation.matrix_from_rotation_vector(np.pi * axis)
        found = ap.inverse_kinematics(body, [targets.Orientation("body", goal)], body.neutral())
        assert found.converged
        ahead = ap.inverse_kinematics(body, [targets.Pointing(("body", axis), -axis)], body.neutral())
        assert ahead.converged
