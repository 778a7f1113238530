"""Euler angles in twelve orders, against SciPy and at gimbal lock."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import anthropi.algebra.rotation as R  # noqa: N812
from anthropi.compiler import build
from anthropi.errors import InputError
from anthropi.tape import record

PI = math.pi
LOCKS = {True: (0.0, PI), False: (PI / 2, -PI / 2)}  # two axes, three axes
NEAR = (0.0, 1e-15, 1e-13, 1e-10, 1e-7, 1e-4)


def random_matrices(n=200):
    return R.exp(np.random.default_rng(1).normal(size=(n, 3)) * 1.5)


def test_there_are_twelve_orders():
    assert len(set(R.EULER_ORDERS)) == 12
    assert {a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c} == set(R.EULER_ORDERS)


@pytest.mark.oracle
@pytest.mark.parametrize("order", R.EULER_ORDERS)
def test_agrees_with_scipy(order):
    C = random_matrices()
    angles = R.euler_from_matrix(C, order)
    np.testing.assert_allclose(
        angles, Rotation.from_matrix(C).as_euler(order.upper()), atol=1e-11
    )  # 1 / sin b up to 1e3
    np.testing.assert_allclose(R.matrix_from_euler(angles, order), C, atol=3e-15)
    q = R.quaternion_from_euler(angles, order)
    np.testing.assert_allclose(R.matrix_from_quaternion(q), C, atol=3e-15)


@pytest.mark.parametrize("order", R.EULER_ORDERS)
def test_gives_back_the_matrix_however_close_the_lock(order):
    two = order[0] == order[2]
    rng = np.random.default_rng(2)
    kernel = build(record(lambda C: R.euler_from_matrix(C, order), C=np.zeros((3, 3))), opt=0)
    for lock in LOCKS[two]:
        for near in NEAR:
            angles = rng.uniform(-PI, PI, (60, 3))
            angles[:, 1] = lock - math.copysign(near, lock - 0.5)  # on the inner side
            C = R.matrix_from_euler(angles, order)
            for back in (R.euler_from_matrix(C, order), kernel(C)):
                np.testing.assert_allclose(R.matrix_from_euler(back, order), C, atol=3e-15)
                np.testing.assert_allclose(
                    back[:, 1], angles[:, 1], atol=1e-15 + 2e-16 / max(near, 1e-8) if two else 2e-8
                )
                if near == 0.0:
                    np.testing.assert_allclose(back[:, 2], 0.0, atol=1e-15)


def test_rates_are_infinite_at_the_lock():
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = R.euler_rate_from_angular_velocity(np.array([0.3, 0.0, 0.1]), np.array([1.0, 2.0, 3.0]), "zxz")
    assert not np.any(np.isfinite(rates[[0, 2]])) and np.isfinite(rates[1])
    assert R.euler_rate_determinant(np.array([0.3, 0.0, 0.1]), "zxz") == 0.0


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("zyxx", r"No Euler order 'zyxx'\. Did you mean 'zyx'\? Orders: xyz, yzx, .*zyz"),
        ("zYX", r"No Euler order 'zYX'\. Did you mean 'zyx'\?.*intrinsic"),
        ("zzy", r"No Euler order 'zzy'\..*Orders: xyz"),
        (3, r"No Euler order '3'\. Orders: xyz"),
    ],
)
def test_an_unknown_order_is_answered_with_the_known_ones(order, message):
    for call in (
        lambda: R.matrix_from_euler(np.zeros(3), order),
        lambda: R.euler_from_matrix(np.eye(3), order),
        lambda: R.quaternion_from_euler(np.zeros(3), order),
        lambda: R.euler_rate_matrix(np.zeros(3), order),
        lambda: R.euler_rate_determinant(np.zeros(3), order),
    ):
        with pytest.raises(InputError, match=message):
            call()


def test_an_unknown_axis_is_answered_with_the_known_ones():
    with pytest.raises(InputError, match=r"No axis 'w'\. Axes: x, y, z\."):
        R.elementary("w", 0.1)
