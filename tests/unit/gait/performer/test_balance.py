"""What legs do for balance, as a plain function: against statics."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.gait.walker.performer import BALANCE, balance, load_routine, start_of, through_hips, upright
from anthropi.gait.walker.performer.balance import sole_of
from anthropi.simulation.sense import Contacts, Sense

FIGURE = ap.human(1.75, 75)
NUMBERS = {name: np.asarray(x, float) for name, x in BALANCE.items()}
FEET = tuple(FIGURE.link_index(name) for name in ("l_foot", "r_foot"))
WEIGHT = 9.81 * FIGURE.mass
Q = start_of(FIGURE, load_routine("stand").keys)


def sense(q=Q, speed=(0.0, 0.0), loads=(0.5, 0.5)):
    u = np.zeros(FIGURE.nu)
    u[:2] = speed
    forces = np.array([[0.0, 0.0, x * WEIGHT] for x in loads])
    contacts = Contacts(("l", "r"), tuple((i, -1) for i in FEET), forces)
    return Sense(0.0, np.asarray(q), u, kinematics(FIGURE, np.asarray(q), u), contacts, None, 0, 0)


def kept(now, offset=(0.0, 0.0), heading=0.0, **more):
    return balance(FIGURE, now, NUMBERS, np.array(offset), heading, **more)


def test_a_body_at_rest_over_its_feet_needs_what_statics_says():
    """Inverse dynamics with half the weight under each sole asks for the same joint forces of the legs."""
    now, found = sense(), kept(sense())
    np.testing.assert_allclose(found.error, 0.0, atol=1e-9)
    np.testing.assert_allclose(found.share, 0.5, atol=1e-6)
    k, sole = now.kinematics, sole_of(FIGURE)
    f_ext = np.zeros((FIGURE.n, 6))
    for i in FEET:
        C = k.rotation[i]
        arm, force = C.T @ np.array([sole.middle, 0.0, -sole.depth]), C.T @ np.array([0.0, 0.0, 0.5 * WEIGHT])
        f_ext[i] = np.concatenate([np.cross(arm, force), force])
    tau = inverse_dynamics(FIGURE, now.q, now.u, np.zeros(FIGURE.nu), f_ext)
    assert np.abs(tau[:6]).max() < 1e-6  # it is balanced: nothing is wanted at the root
    legs = [d for n in ("hip", "knee", "ankle") for x in "lr" for d in FIGURE.dof_indices([f"{x}_{n}"])]
    np.testing.assert_allclose(found.tau[legs], tau[legs], atol=1e-9)  # [N m] of about 10
    others = np.setdiff1d(np.arange(FIGURE.nu), legs)
    assert np.abs(found.tau[others]).max() == 0.0


@pytest.mark.parametrize("heading", [0.0, 1.1])
def test_it_brings_back(heading):
    """Falling forward the ankles press the toes down, falling left the left leg is loaded; it turns with the figure."""
    turned = start_of(FIGURE, load_routine("stand").keys, heading)
    ahead, left = np.array([np.cos(heading), np.sin(heading)]), np.array([-np.sin(heading), np.cos(heading)])
    rest, fore = kept(sense(turned), heading=heading), kept(sense(turned, 0.15 * ahead), heading=heading)
    ankle = FIGURE.dof_indices(["l_ankle"])[0]
    assert fore.tau[ankle] < rest.tau[ankle] - 5.0  # [N m] dorsiflexion is positive
    aside = kept(sense(turned, 0.1 * left), heading=heading)
    assert aside.share[0] > 0.9 and aside.error[1] > 0.02
    assert np.abs(kept(sense(turned, 0.08 * ahead), heading=heading).lacks).max() == 0.0
    assert kept(sense(turned, 0.6 * ahead), heading=heading).lacks[0] > 0.05


def test_what_is_in_the_air_is_left_alone():
    found = kept(sense(loads=(0.0, 0.0)))
    assert np.abs(found.tau).max() == 0.0 and np.abs(found.share).max() == 0.0
    one = kept(sense(loads=(1.0, 0.0)))
    assert (
        one.share[0] > 0.99 and np.abs(one.tau[list(FIGURE.dof_indices(["r_hip", "r_knee", "r_ankle"]))]).max() == 0.0
    )


def test_thrust_offset_and_least():
    rest = kept(sense())
    knee = FIGURE.dof_indices(["l_knee"])[0]
    assert kept(sense(), thrust=1.0).tau[knee] < 1.8 * rest.tau[knee] < 0.0  # extension
    over = kept(sense(), offset=(0.0, 0.5))
    np.testing.assert_allclose(over.error[1], -0.5 * 0.0835625, atol=1e-6)  # half way to the left foot
    assert kept(sense(), offset=(0.0, 1.0), least=(0.2, 0.0)).share[0] == pytest.approx(0.2, abs=2e-3)


def test_hips_give_the_pelvis_its_torque():
    tilted = Q.copy()
    tilted[3:7] = ap.rotation.quaternion_from_rotation_vector(np.array([0.1, 0.2, 0.0]))
    now = sense(tilted)
    T = upright(FIGURE, now, NUMBERS, np.array([1.0, 0.0, 0.0, 0.0]))
    np.testing.assert_allclose(T, -1500.0 * np.array([0.1, 0.2, 0.0]), atol=1e-9)
    tau = through_hips(FIGURE, now, T, np.array([0.25, 0.75]), most=1e3)
    given = np.zeros(3)
    for x in "lr":
        i = FIGURE.joint_index(f"{x}_hip")
        C = ap.rotation.matrix_from_quaternion(tilted[FIGURE.q_of[i]])
        given -= C @ tau[FIGURE.u_of[i]]  # what acts on the thigh acts back on the pelvis
    np.testing.assert_allclose(given, T, atol=1e-9)
