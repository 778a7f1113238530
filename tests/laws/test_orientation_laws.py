"""Laws of `ap.Rotation` and `ap.Transform`: groups, conversions there and back, near the identity and a half turn."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anthropi as ap
from anthropi.algebra.rotation import EULER_ORDERS
from laws.rotation.samples import NEAR_0, NEAR_PI, axes

TOLERANCE = 1e-14  # [rad], some ten roundings
angles = st.one_of(st.sampled_from([*NEAR_0, *NEAR_PI]), st.floats(0.0, math.pi))
vectors = st.builds(lambda t, a: t * a, angles, axes)
rotations = vectors.map(ap.Rotation.exp)
points = st.builds(lambda *a: np.array(a), *(st.floats(-3.0, 3.0),) * 3)
poses = st.builds(ap.Transform, rotations, points)


@given(rotations, rotations, rotations)
def test_rotations_form_a_group(a, b, c):
    assert ((a * b) * c).isclose(a * (b * c), TOLERANCE)
    assert (a * a.inverse()).isclose(ap.Rotation.identity(), TOLERANCE)
    assert (a * b).inverse().isclose(b.inverse() * a.inverse(), TOLERANCE)


@given(rotations, rotations, points)
def test_products_act_one_after_the_other(a, b, p):
    np.testing.assert_allclose((a * b).apply(p), a.apply(b.apply(p)), rtol=0, atol=1e-14)
    np.testing.assert_allclose(a.apply(a.apply(p), inverse=True), p, rtol=0, atol=1e-14)
    np.testing.assert_allclose(a.apply(p), ap.rotation.rotate(a.as_quaternion(), p), rtol=0, atol=1e-14)


@given(rotations)
def test_every_form_gives_back_the_rotation(a):
    R = ap.Rotation
    back = [R.exp(a.log()), R.from_matrix(a.as_matrix()), R.from_quaternion(a.as_quaternion("xyzw"), "xyzw"),
            R.from_angle_axis(*a.as_angle_axis()), R.from_modified_rodrigues(a.as_modified_rodrigues()),
            R.from_rotation_vector(a.as_rotation_vector(degrees=True), degrees=True),
            R.nearest(a.as_matrix())]  # fmt: skip
    if a.angle() < 3.0:
        back.append(R.from_rodrigues(a.as_rodrigues()))
    for k, again in enumerate(back):
        assert again.isclose(a, TOLERANCE), k


@given(rotations, st.sampled_from(EULER_ORDERS), st.booleans(), st.booleans())
def test_euler_angles_give_back_the_rotation(a, order, extrinsic, degrees):
    how = {"extrinsic": extrinsic, "degrees": degrees}
    again = ap.Rotation.from_euler(a.as_euler(order, **how), order, **how)
    assert again.isclose(a, TOLERANCE)


@given(vectors)
def test_exp_and_log_are_inverse_below_a_half_turn(v):
    if np.linalg.norm(v) < math.pi - 1e-6:
        np.testing.assert_allclose(ap.Rotation.exp(v).log(), v, rtol=0, atol=2e-15)


@given(rotations, rotations, st.floats(0.0, 1.0))
def test_slerp_divides_the_angle(a, b, t):
    middle, total = a.slerp(b, t), a.disparity_angle(b)
    assert a.disparity_angle(middle) == pytest.approx(t * total, abs=TOLERANCE)
    assert middle.disparity_angle(b) == pytest.approx((1.0 - t) * total, abs=TOLERANCE)
    assert a.slerp(b, 0.0).isclose(a, TOLERANCE) and a.slerp(b, 1.0).isclose(b, TOLERANCE)


@given(rotations, rotations, rotations)
def test_disparity_angle_is_a_distance(a, b, c):
    assert a.disparity_angle(b) == pytest.approx(b.disparity_angle(a), abs=TOLERANCE)
    assert (c * a).disparity_angle(c * b) == pytest.approx(a.disparity_angle(b), abs=2e-14)
    assert a.disparity_angle(c) <= a.disparity_angle(b) + b.disparity_angle(c) + 2e-14


@given(poses, poses, poses, points)
def test_poses_form_a_group(a, b, c, p):
    assert ((a @ b) @ c).isclose(a @ (b @ c), TOLERANCE, 3e-14)
    assert (a @ a.inverse()).isclose(ap.Transform.identity(), TOLERANCE, 3e-14)
    np.testing.assert_allclose((a @ b).apply(p), a.apply(b.apply(p)), rtol=0, atol=3e-14)
    np.testing.assert_allclose((a @ b).as_matrix(), a.as_matrix() @ b.as_matrix(), rtol=0, atol=3e-14)


@given(poses)
def test_logarithm_of_a_pose_gives_it_back(a):
    assert ap.Transform.exp(a.log()).isclose(a, TOLERANCE, 3e-14)
    half = ap.Transform.exp(0.5 * a.log())
    assert (half @ half).isclose(a, TOLERANCE, 3e-14)


@given(rotations, st.lists(points, min_size=3, max_size=8))
def test_alignment_finds_the_rotation(a, b):
    b = np.array(b)
    s = np.linalg.svd(b, compute_uv=False)
    if s[1] > 0.3 and len(b) > 2:
        found, off = ap.Rotation.align_vectors(a.apply(b), b)
        assert found.isclose(a, 1e-12) and off < 1e-12  # condition up to (5 / 0.3)² = 300
