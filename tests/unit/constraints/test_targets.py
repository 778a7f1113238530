"""Every target's error vanishes where it is met, and its Jacobian says how to get there."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import rotation, targets
from anthropi.algorithms.centroidal import centre_of_mass_jacobian
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.algorithms.momentum import centre_of
from anthropi.errors import InputError
from unit.figure.families import random_figure

FIGURE, Q, _ = random_figure(3, loops=False)
K = kinematics(FIGURE, Q)
LINK = FIGURE.links[-1].name
LAST = FIGURE.n - 1
MARKED = FIGURE.marker(f"way of {LINK}").direction
POINT, WAY = np.array([0.1, -0.2, 0.3]), np.array([0.6, 0.0, 0.8])

MET = {  # targets that are met at Q
    "marker": targets.Position(f"point of {LINK}", point_position(K, LAST, FIGURE.marker(f"point of {LINK}").point)),
    "link": targets.Position(LINK, K.position[LAST]),
    "point": targets.Position((LINK, POINT), point_position(K, LAST, POINT)),
    "orientation": targets.Orientation(LINK, K.rotation[LAST]),
    "rotation": targets.Orientation(LINK, ap.Rotation.from_matrix(K.rotation[LAST])),
    "quaternion": targets.Orientation(LINK, 3.0 * rotation.quaternion_from_matrix(K.rotation[LAST])),
    "direction marker": targets.Pointing(
        f"way of {LINK}", K.rotation[LAST] @ FIGURE.marker(f"way of {LINK}").direction
    ),
    "direction": targets.Pointing((LINK, 2.0 * WAY), 5.0 * K.rotation[LAST] @ WAY),
    "centre of mass": targets.CentreOfMass(centre_of(FIGURE, K)),
}


def error(target, q, goal=None):
    k = kinematics(FIGURE, q)
    return target.error(FIGURE, k, q, target.goal() if goal is None else goal)


@pytest.mark.parametrize("name", list(MET))
def test_no_error_where_it_is_met(name):
    e, J = error(MET[name], Q)
    assert e.shape == (MET[name].rows,) and J.shape == (MET[name].rows, FIGURE.nu)
    np.testing.assert_allclose(e, 0.0, atol=1e-12)


@pytest.mark.parametrize("name", list(MET))
def test_the_jacobian_is_minus_the_slope_of_the_error(name):
    """Where the target is met, so that the logarithms of attitudes have slope 1 too."""
    u, h = np.random.default_rng(1).normal(size=FIGURE.nu), 1e-6
    there, back = (error(MET[name], FIGURE.integrate(Q, s * h * u))[0] for s in (1, -1))
    np.testing.assert_allclose((back - there) / (2 * h), error(MET[name], Q)[1] @ u, rtol=1e-6, atol=1e-6)


def test_errors_are_distances_and_angles():
    turn = rotation.matrix_from_rotation_vector(np.array([0.3, -0.4, 1.2]))
    e, _ = error(targets.Orientation(LINK, turn @ K.rotation[LAST]), Q)
    np.testing.assert_allclose(e, [0.3, -0.4, 1.2], atol=1e-12)  # in the world, the way to turn
    for angle in (1e-9, 0.3, 2.0, np.pi - 1e-7, np.pi):
        d = K.rotation[LAST] @ WAY
        across = np.cross(d, [1.0, 0.0, 0.0])
        goal = rotation.matrix_from_rotation_vector(angle * across / np.linalg.norm(across)) @ d
        e, _ = error(targets.Pointing((LINK, WAY), goal), Q)
        assert np.linalg.norm(e) == pytest.approx(angle, abs=1e-9)  # also straight back, where any axis will do
    e, _ = error(targets.CentreOfMass(centre_of(FIGURE, K) + np.array([0.0, 0.0, 2.0])), Q)
    np.testing.assert_allclose(e, [0.0, 0.0, 2.0], atol=1e-12)
    np.testing.assert_array_equal(error(MET["centre of mass"], Q)[1], centre_of_mass_jacobian(FIGURE, Q))


@pytest.mark.parametrize("goal", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0.6, -0.8, 0), (1e-9, 0, -1.0)])
def test_pointing_has_two_rows_across_any_goal(goal):
    goal = np.array(goal, float)
    b = np.array(targets._across(goal))
    np.testing.assert_allclose(b @ b.T, np.eye(2), atol=1e-9)
    np.testing.assert_allclose(b @ goal, 0.0, atol=1e-9)


WRONG = {
    "no such marker": (lambda f: targets.Position("vertx", np.zeros(3)).about(f), r"'vertx'.*Did you mean 'vertex'\?"),
    "no such link": (lambda f: targets.Orientation("hed", np.eye(3)).about(f), r"No link 'hed'.*'head'\?"),
    "no direction": (lambda f: targets.Pointing("vertex", np.zeros(3)).about(f), r"'vertex'.*is a point.*direction"),
    "zero direction": (lambda f: targets.Pointing(("head", (0, 0, 0)), (0, 0, 1)).about(f), r"'head'.*not all zero"),
    "zero goal": (lambda f: targets.Pointing(("head", (0, 0, 1)), (0, 0, 0)).goal(), r"a point of head.*not zero"),
    "odd point": (lambda f: targets.Position(("head", (0, 1)), np.zeros(3)).about(f), r"'head'.*three finite numbers"),
    "odd goal": (lambda f: targets.Position("head", np.zeros(2)).goal(), r"position of head has shape \(2,\).*\(3,\)"),
    "transform": (
        lambda f: targets.Orientation("head", np.eye(4)).goal(),
        r"head is a homogeneous transform.*rotation",
    ),
    "zero quaternion": (lambda f: targets.Orientation("head", np.zeros(4)).goal(), r"head is a zero quaternion"),
    "odd attitude": (lambda f: targets.Orientation("head", np.zeros(3)).goal(), r"orientation of head.*\(4,\)"),
}


@pytest.mark.parametrize("case", list(WRONG))
def test_wrong_targets_are_refused(case):
    make, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        make(ap.human(detail="standard"))
