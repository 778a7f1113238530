"""What every joint must obey, for every family in one list: its answers are derivatives and inverses of each other."""

import numpy as np
import pytest
from hypothesis import given as given_all
from hypothesis import settings
from hypothesis import strategies as st

import anthropi as ap
from anthropi import spatial
from anthropi.figure import JOINTS, Composite
from anthropi.figure.joints import Reversed
from unit.figure.families import FAMILIES, MOVING, configuration

every = pytest.mark.parametrize("name", list(FAMILIES))
moving = pytest.mark.parametrize("name", list(MOVING))
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=settings.default.max_examples // 4)  # of 39 joints each


def given(**samples):
    """Give some samples to each joint."""
    return lambda test: few(given_all(**samples)(test))


STEP = 1e-5  # central differences: error STEP² ≈ 1e-10, rounding 1e-16/STEP ≈ 1e-11, times third derivatives of a few
CLOSE = dict(rtol=3e-8, atol=3e-8)


def at(name, seed):
    """A joint, a configuration and two velocities."""
    joint, rng = FAMILIES[name], np.random.default_rng(seed)
    return joint, configuration(joint, rng), rng.normal(size=joint.nu), rng.normal(size=joint.nu)


def slope(function):
    """d/dh at 0, by central differences of fourth order."""
    f = [np.asarray(function(k * STEP), float) for k in (-2, -1, 1, 2)]
    return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * STEP)


def same(X, Y, atol=1e-13):
    np.testing.assert_allclose(X.rotation, Y.rotation, atol=atol)
    np.testing.assert_allclose(X.origin, Y.origin, atol=atol)


def test_the_list_has_every_family():
    assert {j.kind for j in FAMILIES.values()} == {*JOINTS, Reversed.kind}


@every
def test_sizes_and_names(name):
    joint = FAMILIES[name]
    assert joint.neutral().shape == (joint.nq,) and len(joint.dofs) == len(set(joint.dofs)) == joint.nu
    assert joint.subspace(joint.neutral()).shape == (6, joint.nu)
    assert all(d == "joint" or d.startswith("joint.") for d in joint.dofs)
    assert len(joint.lengths or (False,) * joint.nu) == joint.nu
    if joint.axes is not None:
        np.testing.assert_array_equal(joint.subspace(joint.neutral()), np.eye(6)[:, list(joint.axes)])


@moving
@given(seed=seeds)
def test_rate_is_the_slope_of_integrate_and_velocity_inverts_it(name, seed):
    joint, q, u, _ = at(name, seed)
    qdot = joint.rate(q, u)
    np.testing.assert_allclose(slope(lambda h: joint.integrate(q, h * u)), qdot, **CLOSE)
    np.testing.assert_allclose(joint.velocity(q, qdot), u, rtol=1e-11, atol=1e-11)  # 1/‖r‖ near a full turn


@moving
@given(seed=seeds)
def test_difference_inverts_integrate(name, seed):
    joint, q, v, _ = at(name, seed)  # |v| of a turn is rarely above π; then the short way is as good
    there = joint.integrate(q, 0.5 * v)
    np.testing.assert_allclose(joint.difference(q, there), 0.5 * v, rtol=1e-11, atol=1e-11)
    same(joint.transform(joint.integrate(q, joint.difference(q, there))), joint.transform(there), atol=1e-12)
    np.testing.assert_allclose(joint.difference(q, q), 0.0, atol=1e-15)


@moving
@given(seed=seeds)
def test_coordinates_are_what_limits_bound(name, seed):
    """x → q → x, and u = T x'."""
    joint, q, u, _ = at(name, seed)
    q = joint.random(np.random.default_rng(seed))
    x, T = joint.coordinates(q), joint.coordinate_rates(q)
    assert (joint.lower - 1e-12 <= x).all() and (x <= joint.upper + 1e-12).all()
    same(joint.transform(joint.from_coordinates(x)), joint.transform(q))
    xdot = slope(lambda h: joint.coordinates(joint.integrate(q, h * u)))
    if joint.kind in ("ball", "exponential", "free", "backward", "composite") and np.abs(xdot).max() > 1e2:
        return  # the step crosses half a turn, where an unlimited rotation vector jumps
    np.testing.assert_allclose(xdot if T is None else T @ xdot, u, rtol=1e-7, atol=1e-7)


@moving
@given(seed=seeds)
def test_integrate_is_a_flow(name, seed):
    """Moving by v twice is moving by 2 v, and back again is where it was."""
    joint, q, v, _ = at(name, seed)
    X = joint.transform(joint.integrate(joint.integrate(q, v), v))
    same(X, joint.transform(joint.integrate(q, 2.0 * v)), atol=1e-12)
    same(joint.transform(joint.integrate(joint.integrate(q, v), -v)), joint.transform(q), atol=1e-12)


@moving
@given(seed=seeds)
def test_subspace_is_the_slope_of_the_transform(name, seed):
    """S u is the velocity of the child in its own frame: C' = C [ω], p' = C v."""
    joint, q, u, _ = at(name, seed)
    X, v = joint.transform(q), joint.subspace(q) @ u
    turning = slope(lambda h: joint.transform(joint.integrate(q, h * u)).rotation)
    sliding = slope(lambda h: joint.transform(joint.integrate(q, h * u)).origin)
    np.testing.assert_allclose(turning, X.rotation @ spatial.skew(v[:3]), **CLOSE)
    np.testing.assert_allclose(sliding, X.rotation @ v[3:], **CLOSE)
    np.testing.assert_allclose(X.rotation @ X.rotation.T, np.eye(3), atol=1e-14)


@moving
@given(seed=seeds)
def test_bias_is_the_slope_of_the_subspace(name, seed):
    joint, q, u, _ = at(name, seed)
    want = slope(lambda h: joint.subspace(joint.integrate(q, h * u)) @ u)
    np.testing.assert_allclose(np.asarray(joint.bias(q, u), float), want, rtol=1e-7, atol=1e-7)


@moving
@given(seed=seeds)
def test_spin_and_slide_and_their_rates(name, seed):
    joint, q, u, udot = at(name, seed)
    X, v = joint.transform(q), joint.subspace(q) @ u
    np.testing.assert_allclose(joint.spin(q, u), v[:3], atol=1e-13)
    np.testing.assert_allclose(joint.slide(q, u), X.rotation @ v[3:], atol=1e-13)

    def later(h):
        there, speed = joint.integrate(q, h * u), u + h * udot
        return np.concatenate([joint.spin(there, speed), joint.slide(there, speed)])

    rates = np.concatenate([joint.spin_rate(q, u, udot), joint.slide_rate(q, u, udot)])
    np.testing.assert_allclose(rates.astype(float), slope(later), rtol=1e-7, atol=1e-7)


@moving
@given(seed=seeds)
def test_span_is_the_subspace_in_unit_columns(name, seed):
    joint, q, u, tau = at(name, seed)
    if joint.span is None:
        return
    s = joint.to_span(q, u)
    np.testing.assert_allclose(np.eye(6)[:, list(joint.span)] @ s, joint.subspace(q) @ u, atol=1e-13)
    np.testing.assert_allclose(joint.from_span(q, s), u, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(joint.force_to_span(q, tau) @ s, tau @ u, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(joint.force_from_span(q, joint.force_to_span(q, tau)), tau, rtol=1e-12, atol=1e-12)


@every
@given(seed=seeds)
def test_reversed_is_the_inverse_in_pose_and_motion(name, seed):
    joint, q, u, _ = at(name, seed)
    back, (q2, u2) = joint.reversed(), joint.reverse_state(q, u)
    X = joint.transform(q)
    same(back.transform(q2), X.inverse())
    np.testing.assert_allclose(back.subspace(q2) @ u2, -X.act_motion(joint.subspace(q) @ u), atol=1e-13)
    again, (q3, u3) = back.reversed(), back.reverse_state(q2, u2)
    same(again.transform(q3), X)
    np.testing.assert_allclose(u3, u, atol=1e-13)
    assert again.kind == joint.kind and again.dofs == joint.dofs


@moving
@given(seed=seeds)
def test_what_acts_in_a_joint_stays_with_it_when_reversed(name, seed):
    """Power of spring and damper, kinetic energy of the rotor, and whether a limit is passed are the same."""
    joint, q, u, _ = at(name, seed)
    back, (q2, u2) = joint.reversed(), joint.reverse_state(q, u)
    for a, b in ((power(joint, q, u), power(back, q2, u2)), (joint.armature @ u**2, back.armature @ u2**2)):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-11)
    assert sorted(depths(joint, q)) == pytest.approx(sorted(depths(back, q2)), abs=1e-12)


def power(joint, q, u):
    rest = joint.integrate(joint.neutral(), joint.rest)
    return -(joint.stiffness * joint.difference(rest, q) + joint.damping * u) @ u


def depths(joint, q):
    """How far beyond its limits each coordinate is."""
    x = joint.difference(joint.neutral(), q)
    return np.maximum(joint.lower - x, x - joint.upper)


@every
def test_random_is_within_the_limits(name):
    joint, rng = FAMILIES[name], np.random.default_rng(0)
    for _ in range(50):
        q = joint.random(rng)
        assert q.shape == (joint.nq,) and np.isfinite(q).all()
        assert (depths(joint, q) <= 1e-12).all()


@pytest.mark.parametrize("name", ["revolute", "prismatic", "cylindrical", "translational", "planar", "euler xyz",
                                  "euler zxz", "composite of turns", "free"])  # fmt: skip
@pytest.mark.parametrize("limits", [(3.5, 4.0), (3.5, np.inf), (-np.inf, -4.0), (1.45, 1.5), (0.0, 0.0)])
def test_random_finds_odd_limits(name, limits):
    joint = FAMILIES[name]
    if name == "free" or (joint.kind == "euler" and abs(limits[0]) > 3.2):
        low, high = np.full(joint.nu, -np.inf), np.full(joint.nu, np.inf)
        low[0], high[0] = limits
    else:
        low, high = limits
    joint, rng = joint.changed(lower=low, upper=high), np.random.default_rng(1)
    for _ in range(20):
        assert (depths(joint, joint.random(rng)) <= 1e-12).all()


@every
def test_neutral_is_no_motion_or_a_fixed_pose(name):
    joint = FAMILIES[name]
    X = joint.transform(joint.neutral())
    if joint.kind not in ("locked", "composite") and getattr(joint, "joint", joint).kind != "custom":
        same(X, spatial.identity(), atol=1e-15)
    np.testing.assert_array_equal(joint.difference(joint.neutral(), joint.neutral()), np.zeros(joint.nu))


@every
@given(seed=seeds)
def test_mirrored_is_the_mirror_image(name, seed):
    joint, q, u, _ = at(name, seed)
    image, sq, su = joint.mirrored()
    M = np.diag([1.0, -1.0, 1.0])
    X = joint.transform(q)
    same(image.transform(sq * q), spatial.Transform(M @ X.rotation @ M, M @ X.origin))
    flip = np.concatenate([-np.diag(M), np.diag(M)])
    np.testing.assert_allclose(image.subspace(sq * q) @ (su * u), flip * (joint.subspace(q) @ u), atol=1e-13)
    np.testing.assert_allclose(depths(image, sq * q), depths(joint, q), atol=1e-12)
    if joint.nu:
        assert power(image, sq * q, su * u) == pytest.approx(power(joint, q, u), abs=1e-11)
    again, sq2, su2 = image.mirrored()
    same(again.transform(sq2 * sq * q), X)
    np.testing.assert_array_equal(su * su2, 1.0)


@every
@given(seed=seeds, factor=st.floats(0.1, 10.0))
def test_scaled_grows_lengths_and_keeps_angles(name, seed, factor):
    joint, q, *_ = at(name, seed)
    large, q2 = joint.scaled(factor), joint.scaled_q(q, factor)
    X, Y = joint.transform(q), large.transform(q2)
    np.testing.assert_allclose(Y.rotation, X.rotation, atol=1e-14)
    np.testing.assert_allclose(Y.origin, factor * X.origin, atol=1e-12)
    np.testing.assert_allclose(np.sign(depths(large, q2).round(12)), np.sign(depths(joint, q).round(12)))


@every
@given(seed=seeds)
def test_pieces_are_the_same_joint(name, seed):
    joint, q, u, _ = at(name, seed)
    if not joint.parts_in_sequence():
        return

    whole = Composite(name="joint", parts=joint.parts_in_sequence())
    same(whole.transform(q), joint.transform(q))
    np.testing.assert_allclose(whole.subspace(q), joint.subspace(q), atol=1e-13)
    np.testing.assert_allclose(whole.bias(q, u), joint.bias(q, u), atol=1e-12)
    np.testing.assert_allclose(depths(whole, q), depths(joint, q), atol=1e-12)
    if joint.kind != "free":
        assert whole.dofs == joint.dofs


@moving
def test_recorded_and_compiled_it_says_the_same(name):
    """Every answer of a joint records, and its kernel agrees with floats."""
    joint, rng = FAMILIES[name], np.random.default_rng(3)

    def all_answers(q, u, udot, q1):
        X = joint.transform(q)
        answers = dict(
            C=X.rotation, p=X.origin, S=joint.subspace(q), c=joint.bias(q, u), spin=joint.spin(q, u),
            slide=joint.slide(q, u), spin_rate=joint.spin_rate(q, u, udot), slide_rate=joint.slide_rate(q, u, udot),
            rate=joint.rate(q, u), velocity=joint.velocity(q, joint.rate(q, u)), integrate=joint.integrate(q, u),
            difference=joint.difference(q, q1), back=joint.reverse_state(q, u)[0], back_u=joint.reverse_state(q, u)[1],
        )  # fmt: skip
        return {k: np.asarray(v) for k, v in answers.items()}

    q, q1 = (np.stack([configuration(joint, rng) for _ in range(5)]) for _ in range(2))
    u, udot = rng.normal(size=(2, 5, joint.nu))
    sizes = {"q": np.zeros(joint.nq), "u": np.zeros(joint.nu), "udot": np.zeros(joint.nu), "q1": np.zeros(joint.nq)}
    kernel = ap.build(ap.record(all_answers, **sizes), opt=0)
    got = kernel(q, u, udot, q1)
    for k in range(5):
        for what, value in all_answers(q[k], u[k], udot[k], q1[k]).items():
            np.testing.assert_allclose(got[what][k], value.astype(float), rtol=1e-12, atol=1e-13, err_msg=what)
