"""Reach cones by number (rotations section 9), swing and twist: values, gradients, refusals."""

import math

import numpy as np
import pytest

import anthropi as ap
from anthropi import rotation as rot
from anthropi.contact.limits import Boundary, ReachCone, SoftLimits, SwingTwist, end_names, ends, human_limits
from anthropi.errors import InputError
from anthropi.figure import Link
from anthropi.figure.joints import Ball, Composite, Euler, Exponential, Revolute

P = np.array([1.0, 2.0, -2.0]) / 3.0
PHI = 0.9


def on_the_cone(rng):
    """A rotation vector for which R p lies on the cone."""
    side = np.cross(P, rng.normal(size=3))
    swing = rot.matrix_from_rotation_vector(PHI * side / np.linalg.norm(side))
    return rot.rotation_vector_from_matrix(swing @ rot.matrix_from_rotation_vector(rng.uniform(-2, 2) * P))


def turns(count=20, seed=0):
    return np.random.default_rng(seed).uniform(-1.8, 1.8, (count, 3))


def test_K_50__value():
    cone = ReachCone(P, PHI)
    for r in turns():
        R = rot.matrix_from_rotation_vector(r)
        assert cone.value(R) == pytest.approx(float(rot.reach_cone(r, P, PHI)), abs=1e-14)
        assert np.sign(cone.sides(R)[0].gap) == np.sign(cone.value(R))


def test_K_58__K_59__K_60__gradient_in_exponential_coordinates():
    cone = ReachCone(P, PHI)
    for r in turns():
        R, J = rot.matrix_from_rotation_vector(r), rot.J_b(r)
        a, b, c = (float(f(square=np.array([r @ r]))[0]) for f in (rot.alpha, rot.beta, rot.gamma))
        K59 = (a * np.eye(3) + b * rot.skew(r) + c * np.outer(r, r)) @ (
            a * np.cross(P, np.cross(P, r)) + b * (P @ r) * np.cross(P, r)
        )
        K60 = 2 * b * (r @ P) * P - ((b * b - a * c) * (r @ P) ** 2 + a) * r
        ours = J.T @ cone.moment(R)
        for wanted in (J.T @ np.cross(P, R.T @ P), K59, K60, rot.reach_cone_gradient(r, P)):
            assert np.allclose(ours, wanted, atol=1e-13)
        side = cone.sides(R)[0]
        assert np.allclose(side.row * np.sin(PHI - side.gap), cone.moment(R), atol=1e-13), "the same direction"


def test_K_61__X_impulse__direction_on_the_limit():
    """The generalised impulse of the row, dual to ṙ, is λ grad g with λ ≥ 0; as a moment p x Rᵀ p, p' x p in space."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        r = on_the_cone(rng)
        R, t2 = rot.matrix_from_rotation_vector(r), np.array([r @ r])
        a, b, z = (float(f(square=t2)[0]) for f in (rot.alpha, rot.beta, rot.zeta))
        K61 = 2 * b * (r @ P) * P - (2 * z * (math.cos(PHI) - math.cos(math.sqrt(r @ r))) + a) * r
        row = ReachCone(P, PHI).sides(R)[0].row
        impulse = rot.J_b(r).T @ row
        scale = (impulse @ K61) / (K61 @ K61)
        assert scale > 0 and np.allclose(impulse, scale * K61, atol=1e-12)
        assert np.allclose(row * np.sin(PHI), np.cross(P, R.T @ P), atol=1e-12)
        assert np.allclose(R @ row * np.sin(PHI), np.cross(R @ P, P), atol=1e-12)


def test_cone_at_its_apex_and_ends_is_finite():
    for angle in (0.0, 0.3, math.pi):
        for R in (np.eye(3), np.diag([1.0, -1.0, -1.0])):
            side = ReachCone([0, 0, 1], angle).sides(R)[0]
            assert np.isfinite(side.row).all() and np.isfinite(side.gap)


# swing and twist


SWING = human_limits(ap.human()).joints


def test_boundary_goes_through_its_directions_and_is_smooth():
    """Periodic C² : value, slope and curvature meet at every knot, also across ±π."""
    for limit in SWING.values():
        boundary = limit.boundary
        for s in boundary.directions:
            assert abs(boundary.gap(s)[0]) < 1e-14
        starts, *spline = boundary._table
        assert np.allclose(np.diff(starts[:2]), 2 * np.pi + starts[1] - starts[-1])
        for k in range(1, len(starts)):
            t = starts[k] - starts[k - 1]
            a, b, c, d = (row[k - 1] for row in spline)
            before = (a + t * (b + t * (c + t * d)), b + t * (2 * c + 3 * t * d), 2 * c + 6 * t * d)
            assert np.allclose(before, (spline[0][k], spline[1][k], 2 * spline[2][k]), atol=1e-13)


def attitudes(seed=5, count=30):
    """Random attitudes, and some very near the boundary's centre and its directions."""
    rng = np.random.default_rng(seed)
    return [rot.matrix_from_rotation_vector(r) for r in rng.uniform(-1.7, 1.7, (count, 3))]


@pytest.mark.parametrize("name", ["l_shoulder", "r_shoulder", "l_hip", "r_hip", "cone"])
def test_gradients_agree_with_differences(name):
    limit = SWING.get(name, ReachCone(P, PHI))
    e, checked = 1e-5, 0
    for R in attitudes():
        sides = limit.sides(R)
        for k, side in enumerate(sides):
            fours = []
            for step in (-2, -1, 1, 2):
                moved = [R @ rot.matrix_from_rotation_vector(step * e * axis) for axis in np.eye(3)]
                fours.append(np.array([limit.sides(M)[k].gap for M in moved]))
            slope = (fours[0] - 8 * fours[1] + 8 * fours[2] - fours[3]) / (12 * e)
            if abs(side.row).max() > 5.0 or (k == 1 and _seam(limit, R, 3 * e)):
                continue  # at the centre azimuth jumps, in the middle of twist its nearer end does
            assert np.allclose(side.row, slope, atol=1e-8), (name, side.name)
            checked += 1
    assert checked > 25


def _seam(limit, R, margin):
    _, psi, (low, high) = limit.angles(R)
    return abs(psi - (low + high) / 2) < margin


def test_twist_is_what_is_left_after_the_shortest_swing():
    limit, rng = SWING["l_shoulder"], np.random.default_rng(2)
    a = limit.axis
    for _ in range(30):
        psi, side = rng.uniform(-3.0, 3.0), np.cross(a, rng.normal(size=3))
        swing = rot.matrix_from_rotation_vector(rng.uniform(0.0, 2.5) * side / np.linalg.norm(side))
        s, found, _ = limit.angles(swing @ rot.matrix_from_rotation_vector(psi * a))
        assert found == pytest.approx(psi, abs=1e-13) and np.allclose(s, swing @ a)


def test_human_ranges_are_the_cited_ones():
    """Along each anatomical turn alone the boundary is met exactly at the cited angle; twist when the limb hangs."""
    figure = ap.human()
    for name, limit in SWING.items():
        joint = figure.joints[figure.joint_index(name)]
        for k in (0, 1):
            for end in (joint.lower[k], joint.upper[k]):
                R = rot.matrix_from_rotation_vector(end * np.eye(3)[k])
                assert abs(limit.sides(R)[0].gap) < 1e-12
        for end in (joint.lower[2], joint.upper[2]):
            R = rot.matrix_from_rotation_vector(end * np.eye(3)[2])
            assert abs(limit.sides(R)[1].gap) < 1e-12
        flexed = rot.matrix_from_rotation_vector(np.array([0.0, -np.pi / 2, 0.0]))
        _, _, (low, high) = limit.angles(flexed)
        assert high - low == pytest.approx(81.7 / 94.8 * (joint.upper[2] - joint.lower[2])), (
            "the range of twist follows swing"
        )


def test_left_and_right_mirror():
    mirror = np.array([-1.0, 1.0, -1.0])
    for r in turns(10, 7):
        for part in ("shoulder", "hip"):
            left = SWING[f"l_{part}"].sides(rot.matrix_from_rotation_vector(r))
            right = SWING[f"r_{part}"].sides(rot.matrix_from_rotation_vector(mirror * r))
            for one, other in zip(left, right, strict=True):
                assert one.gap == pytest.approx(other.gap, abs=1e-12)
                assert np.allclose(one.row, mirror * other.row, atol=1e-10)


# in every joint that turns about a point


def one_joint(joint):
    return ap.figure_from_parts("one", [("", joint, Link("rod", 2.0, [0.0, 0.1, -0.3], np.diag([0.05, 0.06, 0.02])))])


TURNS = tuple(Revolute(name=x, axis=x) for x in "xyz")
JOINTS = [Ball(name="b"), Exponential(name="b"), Euler(name="b", order="zyx"), Composite(name="b", parts=TURNS),
          Composite(name="b", parts=TURNS[:2])]  # fmt: skip


@pytest.mark.parametrize("joint", JOINTS, ids=lambda j: f"{j.kind}{j.nu}")
@pytest.mark.parametrize("limit", [ReachCone(P, PHI), SWING["l_hip"]], ids=["cone", "swing"])
def test_rows_are_rates_in_every_joint(joint, limit):
    figure, rng, e = one_joint(joint), np.random.default_rng(4), 1e-6
    for _ in range(5):
        q, u = figure.random(rng), rng.normal(size=figure.nu)
        q = figure.integrate(figure.neutral(), 0.3 * figure.difference(figure.neutral(), q))
        there, back = (ends(figure, {"b": limit}, figure.integrate(q, s * e * u)) for s in (1, -1))
        for end, a, b in zip(ends(figure, {"b": limit}, q), there, back, strict=True):
            assert end.row @ u == pytest.approx((a.gap - b.gap) / (2 * e), abs=2e-8), end.name


def test_reversed_joint_keeps_its_limits():
    figure = ap.human()
    q = figure.random(3)
    other, q2, _ = figure.reroot("l_hand", q, np.zeros(figure.nu))
    before = {e.name: e.gap for e in ends(figure, SWING, q)}
    after = {e.name: e.gap for e in ends(other, SWING, q2)}
    assert set(before) == set(after)
    for name, gap in before.items():
        assert after[name] == pytest.approx(gap, abs=1e-12), name


def test_names():
    found = end_names(ap.human(), SWING)
    assert len(found) == 40 and {"l_knee", "l_shoulder.swing", "r_hip.twist", "lumbar.x"} <= set(found)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ReachCone(P, 3.2), "half angle 3.2. Give a number from 0 to π"),
        (lambda: ReachCone(P, math.nan), "half angle nan"),
        (lambda: ReachCone([0, 0, 0], 1.0), "Give three finite numbers"),
        (lambda: Boundary([[1, 0, 0], [0, 1, 0]]), "Give at least 3 directions"),
        (lambda: Boundary([[1, 0, 1], [2, 0, 1], [0, 1, 1], [-1, -1, 1]], centre=[0, 0, 1]), "same azimuth"),
        (lambda: Boundary([[1, 0, math.nan], [0, 1, 1], [-1, -1, 1]]), "Direction 0"),
        (lambda: SwingTwist([0, 0, 1], [[1, 0, 1], [0, 1, 1], [-1, -1, 1]], (0.5, -0.5)), "low < high"),
        (lambda: SwingTwist([0, 0, -1], [[1, 0, 1], [0, 1, 1], [-1, -1, 1]]), "opposite"),
        (lambda: SwingTwist([0, 0, 1], [[1, 0, 1], [0, 1, 1], [-1, -1, 1]], [(1, 2)]), "one to four rows"),
        (lambda: SoftLimits({"l_sholder": SWING["l_hip"]}).memory(ap.human()), "Did you mean 'l_shoulder'"),
        (lambda: SoftLimits({"l_knee": ReachCone(P, 1.0)}).memory(ap.human()), "is of kind revolute"),
        (lambda: SoftLimits({"l_hip": 3.0}).memory(ap.human()), "Give a ReachCone or a SwingTwist"),
        (lambda: SoftLimits(factor={"l_ancle": 2.0}).memory(ap.human()), "Did you mean 'l_ankle'"),
        (lambda: SoftLimits(zone_share=0.6), "at most ½"),
        (lambda: human_limits(ap.human(), "sof"), "Did you mean 'soft'"),
        (lambda: one_joint(Revolute(name="k", lower=1.0, upper=0.0)), "not above"),
        (lambda: one_joint(Revolute(name="k", lower=math.nan, upper=0.0)), "limits"),
    ],
)  # fmt: skip
def test_refuses(make, words):
    with pytest.raises(InputError, match=words):
        make()
