"""All conversions among the five types, mean and errors."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import anthropi.algebra.rotation as R  # noqa: N812
from anthropi.compiler import build
from anthropi.errors import InputError
from anthropi.tape import record

TYPES = ("matrix", "quaternion", "angle_axis", "rotation_vector", "euler")
PI = math.pi


def vectors():
    """Rotation vectors at the seams and between, shorter than π."""
    rng = np.random.default_rng(5)
    axes = rng.normal(size=(40, 3))
    axes[:10, 0] = 0.0
    angles = np.concatenate([[0.0, 1e-320, 1e-160, 1e-8, PI - 1e-6, PI - 1e-9], rng.uniform(0.0, PI, 34)])
    return angles[:, None] * axes / np.linalg.norm(axes, axis=-1, keepdims=True)


def as_type(kind):
    """The same rotations in a type, as a tuple of arguments."""
    value = getattr(R, f"{kind}_from_rotation_vector")(vectors()) if kind != "rotation_vector" else vectors()
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("there", TYPES)
@pytest.mark.parametrize("here", TYPES)
def test_every_conversion(here, there):
    if here == there:
        return
    got = getattr(R, f"{there}_from_{here}")(*as_type(here))
    got = got if isinstance(got, tuple) else (got,)
    matrix = got[0] if there == "matrix" else getattr(R, f"matrix_from_{there}")(*got)
    np.testing.assert_allclose(matrix, R.exp(vectors()), atol=4e-15)


@pytest.mark.oracle
def test_agrees_with_scipy():
    r = vectors()
    ours, theirs = R.quaternion_from_rotation_vector(r), Rotation.from_rotvec(r).as_quat()[:, [3, 0, 1, 2]]
    np.testing.assert_allclose(ours, theirs, atol=1e-15)
    np.testing.assert_allclose(R.exp(r), Rotation.from_rotvec(r).as_matrix(), atol=2e-15)
    a, b = Rotation.from_rotvec(r[:20]), Rotation.from_rotvec(r[20:])
    np.testing.assert_allclose(R.product(R.exp(r[:20]), R.exp(r[20:])), (a * b).as_matrix(), atol=2e-15)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: R.exp(np.zeros(4)),
         r"'r' is not a vector: its shape is \(4,\), wanted \(\.\.\., 3\)\. Put the vector's"),
        (lambda: R.exp(1.0), r"'r' is not a vector: its shape is \(\)"),
        (lambda: R.matrix_from_quaternion(np.zeros(3)), r"'q' is not a quaternion: its shape is \(3,\), wanted"),
        (lambda: R.rotation_vector_from_matrix(np.zeros((3, 4))), r"'C' is not a matrix: its shape is \(3, 4\)"),
        (lambda: R.rotate(np.zeros(3), np.zeros(3)),
         r"'Phi' is not a rotation: .* wanted a quaternion .* or a matrix .*Convert a"),
        (lambda: R.product(np.eye(3), np.zeros(4)),
         r"rotations have different types, with shapes \(3, 3\) and \(4,\)\. Convert one"),
        (lambda: R.matrix_rate_from_angular_velocity(np.eye(3), np.zeros(3), "lokal"),
         r"No frame 'lokal'\. Did you mean 'local'\? Choose frame='global' .* or frame='local'"),
        (lambda: R.homogeneous_inverse(np.eye(3)), r"'T' is not a homogeneous transform: its shape is \(3, 3\)"),
        (lambda: R.mean(np.zeros(4)), r"mean needs several quaternions, \(\.\.\., n, 4\); got shape"),
        (lambda: R.mean(np.zeros((3, 4)), np.ones(2)),
         r"mean needs one weight per quaternion: weights of shape \(3,\), got \(2,\)"),
    ],
)  # fmt: skip
def test_errors_say_what_is_wrong_and_what_to_do(call, message):
    with pytest.raises(InputError, match=message):
        call()


# the mean


def cluster(n=9, spread=0.6, seed=6):
    rng = np.random.default_rng(seed)
    centre = R.quaternion_from_rotation_vector(rng.normal(size=3))
    return R.box_plus(centre, spread * rng.normal(size=(n, 3)))


@pytest.mark.parametrize("spread", [1e-9, 0.1, 0.6, 0.9])
def test_the_mean_is_where_the_turns_cancel(spread):
    q = cluster(spread=spread)
    weights = np.linspace(1.0, 2.0, len(q))
    kernel = build(record(R.mean, q=np.zeros(q.shape), weights=np.zeros(len(q))))
    for m in (R.mean(q, weights), kernel(q, weights)):
        turns = R.box_minus(q, np.broadcast_to(m, q.shape))
        assert np.max(np.abs(weights @ turns)) <= 1e-14 * len(q)


def test_the_mean_of_two_is_half_way():
    q = cluster(2)
    np.testing.assert_allclose(R.mean(q), R.slerp(q[0], q[1], 0.5), atol=1e-15)
    np.testing.assert_allclose(R.mean(np.array([q[0], -q[1]])), R.slerp(q[0], q[1], 0.5), atol=1e-15)


def test_the_mean_turns_with_what_it_is_of():
    q, p = cluster(), R.quaternion_from_rotation_vector(np.array([1.0, 2.0, -0.5]))
    m = R.mean(q)
    for moved, want in ((R.product(p, q), R.product(p, m)), (R.product(q, p), R.product(m, p))):
        np.testing.assert_allclose(R.box_minus(R.mean(moved), want), 0.0, atol=2e-15)


def test_the_mean_takes_batches():
    q = np.stack([cluster(seed=k) for k in range(4)]).reshape(2, 2, 9, 4)
    means = R.mean(q)
    for i in range(2):
        for j in range(2):
            np.testing.assert_allclose(means[i, j], R.mean(q[i, j]), atol=1e-15)
