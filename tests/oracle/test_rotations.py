"""`ap.Rotation` and `ap.Transform` against SciPy and Pinocchio, near the identity and a half turn too."""

import itertools
import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Theirs

import anthropi as ap
from anthropi.algebra.rotation import EULER_ORDERS

pytestmark = pytest.mark.oracle

TOLERANCE = 4e-15  # a few roundings of numbers of size 1 to π; SciPy's own errors are of this size
ANGLES = (0.0, 1e-300, 1e-12, 1e-8, 1e-4, 0.3, 1.5, 3.0, math.pi - 1e-4, math.pi - 1e-9)


def samples():
    """Rotation vectors: random ones, and those of all seam angles about seven axes."""
    rng = np.random.default_rng(0)
    axes = rng.normal(size=(7, 3))
    axes = np.concatenate([np.eye(3), axes / np.linalg.norm(axes, axis=1, keepdims=True)])
    return np.concatenate([rng.uniform(-1.8, 1.8, (60, 3)), *(angle * axes for angle in ANGLES)])


VECTORS = samples()
OURS, THEIRS = ap.Rotation.from_rotation_vector(VECTORS), Theirs.from_rotvec(VECTORS)


def same(R, S, atol=TOLERANCE):
    np.testing.assert_allclose(R.as_matrix(), S.as_matrix(), rtol=0, atol=atol)


def test_conversions():
    same(OURS, THEIRS)
    np.testing.assert_allclose(
        OURS.as_quaternion("xyzw", positive=True), THEIRS.as_quat(canonical=True), rtol=0, atol=TOLERANCE
    )
    np.testing.assert_allclose(OURS.as_rotation_vector(), THEIRS.as_rotvec(), rtol=0, atol=TOLERANCE)
    np.testing.assert_allclose(
        OURS.as_rotation_vector(degrees=True), THEIRS.as_rotvec(degrees=True), rtol=0, atol=2e-13
    )
    np.testing.assert_allclose(OURS.as_modified_rodrigues(), THEIRS.as_mrp(), rtol=0, atol=TOLERANCE)
    np.testing.assert_allclose(OURS.angle(), THEIRS.magnitude(), rtol=0, atol=TOLERANCE)
    same(ap.Rotation.from_quaternion(THEIRS.as_quat(), "xyzw"), THEIRS)
    same(ap.Rotation.from_quaternion(THEIRS.as_quat(scalar_first=True)), THEIRS)
    same(ap.Rotation.from_matrix(THEIRS.as_matrix()), THEIRS)
    same(ap.Rotation.from_modified_rodrigues(THEIRS.as_mrp()), THEIRS)
    same(ap.Rotation.from_rotation_vector(np.degrees(VECTORS), degrees=True), THEIRS)


@pytest.mark.parametrize(("order", "extrinsic"), list(itertools.product(EULER_ORDERS, (False, True))))
def test_euler_angles(order, extrinsic):
    """Ours "zyx" is SciPy's "ZYX"; with extrinsic=True it is SciPy's "zyx"."""
    rng = np.random.default_rng(1)
    middle = (-1.5, 1.5) if len(set(order)) == 3 else (0.05, 3.1)
    angles = rng.uniform((-3.1, middle[0], -3.1), (3.1, middle[1], 3.1), (40, 3))
    name = order if extrinsic else order.upper()
    R, S = ap.Rotation.from_euler(angles, order, extrinsic=extrinsic), Theirs.from_euler(name, angles)
    same(R, S)
    same(ap.Rotation.from_euler(np.degrees(angles), order.upper(), extrinsic=extrinsic, degrees=True), S)
    # close to gimbal lock, 0.05 rad away, the outer angles lose a factor of 20
    np.testing.assert_allclose(R.as_euler(order, extrinsic=extrinsic), S.as_euler(name), rtol=0, atol=1e-13)
    np.testing.assert_allclose(R.as_euler(order, extrinsic=extrinsic), angles, rtol=0, atol=1e-13)
    np.testing.assert_allclose(
        R.as_euler(order, extrinsic=extrinsic, degrees=True), np.degrees(angles), rtol=0, atol=1e-11
    )


def test_operations():
    other = ap.Rotation.random(len(VECTORS), seed=3)
    theirs = Theirs.from_quat(other.as_quaternion("xyzw"))
    points = np.random.default_rng(4).normal(size=(len(VECTORS), 3))
    same(OURS * other, THEIRS * theirs)
    same(OURS @ other, THEIRS * theirs)
    same(OURS.inverse(), THEIRS.inv())
    same(OURS**0.3, THEIRS**0.3)
    np.testing.assert_allclose(OURS.apply(points), THEIRS.apply(points), rtol=0, atol=1e-14)
    np.testing.assert_allclose(OURS.apply(points, inverse=True), THEIRS.apply(points, inverse=True), rtol=0, atol=1e-14)
    np.testing.assert_allclose(OURS.apply(points[0]), THEIRS.apply(points[0]), rtol=0, atol=1e-14)
    np.testing.assert_allclose(
        OURS.disparity_angle(other, degrees=True), np.degrees((THEIRS.inv() * theirs).magnitude()), rtol=0, atol=1e-12
    )


def test_slerp():
    from scipy.spatial.transform import Slerp

    times = np.linspace(0.0, 1.0, 11)
    for k in range(20):
        a, b = OURS[k], OURS[k + 1]
        same(a.slerp(b, times), Slerp([0.0, 1.0], THEIRS[[k, k + 1]])(times), atol=1e-14)


@pytest.mark.parametrize("weighted", [False, True])
def test_alignment(weighted):
    rng = np.random.default_rng(5)
    for _ in range(30):
        b = rng.normal(size=(int(rng.integers(2, 12)), 3))
        a = ap.Rotation.random(seed=rng).apply(b) + 0.1 * rng.normal(size=b.shape)
        weights = rng.uniform(0.1, 2.0, len(b)) if weighted else None
        R, off = ap.Rotation.align_vectors(a, b, weights)
        S, rssd = Theirs.align_vectors(a, b, weights)
        same(R, S, atol=1e-12)  # the problem's condition, up to 1e3 for two nearly parallel vectors
        assert off == pytest.approx(rssd, rel=1e-9, abs=1e-12)


def test_mean_of_close_rotations():
    """SciPy's mean is the chordal one; it differs from ours (least squared angles) in third order of the spread."""
    near = ap.Rotation.exp(1e-3 * np.random.default_rng(6).normal(size=(30, 3))) * ap.Rotation.random(seed=7)
    weights = np.random.default_rng(8).uniform(0.5, 2.0, 30)
    for w in (None, weights):
        theirs = Theirs.from_quat(near.as_quaternion("xyzw")).mean(w)
        same(near.mean(w), theirs, atol=1e-8)


def test_transforms():
    pin = pytest.importorskip("pinocchio")
    rng = np.random.default_rng(9)
    for angle in ANGLES:
        axis = rng.normal(size=3)
        motion = np.concatenate([angle * axis / np.linalg.norm(axis), rng.normal(size=3)])
        X = ap.Transform.exp(motion)
        theirs = pin.exp6(np.concatenate([motion[3:], motion[:3]]))  # Pinocchio: the linear part first
        np.testing.assert_allclose(X.as_matrix(), theirs.homogeneous, rtol=0, atol=1e-9)  # pin: 1e-9 near π
        np.testing.assert_allclose(X.log(), motion, rtol=0, atol=2e-14)
        p = rng.normal(size=3)
        np.testing.assert_allclose(X.apply(p), X.rotation @ p + X.origin, rtol=0, atol=1e-15)
        np.testing.assert_allclose(X.inverse().as_matrix(), np.linalg.inv(X.as_matrix()), rtol=0, atol=1e-14)
