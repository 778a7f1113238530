"""Actuators with limits and lag, and human strength."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError

A = ap.actuators
PENDULUM = ap.sample("pendulum")
METHODS = ("linearly_implicit_euler", "rk4")


def torque(value):
    return ap.controllers.Torque(np.array([value]))


def test_the_curve_of_a_motor():
    motor = A.Motor(peak=10.0, no_load_speed=20.0, stall=16.0)
    speed = np.array([-40.0, -20.0, 0.0, 5.0, 10.0, 20.0, 30.0])
    lower, upper = motor.limits(0.0, speed, motor.numbers)
    np.testing.assert_allclose(upper, [10.0, 10.0, 10.0, 10.0, 8.0, 0.0, 0.0])
    np.testing.assert_allclose(lower, [0.0, 0.0, -10.0, -10.0, -10.0, -10.0, -10.0])
    assert A.Motor(3.0, 1.0).stall == 3.0


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_motor_gives_what_its_curve_allows_and_stops_at_its_speed(sign):
    weightless = PENDULUM.changed(gravity=np.zeros(3))
    motor = A.Motor(peak=2.0, no_load_speed=8.0)
    controller = A.limited(torque(50.0 * sign), {"pivot": motor})
    motion = ap.simulate(weightless, [0.0], forces=controller, duration=8.0, record=("tau",), opt=0)
    tau, u = motion.channels["tau"][:-1, 0], motion.u[:-1, 0]
    np.testing.assert_allclose(tau, sign * 2.0 * (1.0 - np.abs(u) / 8.0), atol=1e-12)
    inertia = ap.mass_matrix(weightless, [0.0])[0, 0]
    expected = 8.0 * (1.0 - np.exp(-2.0 / 8.0 * motion.time / inertia))  # I u' = P (1 - u / u₀)
    np.testing.assert_allclose(np.abs(motion.u[:, 0]), expected, atol=8.0 * 1e-3)  # first order in dt
    assert 7.9 < abs(motion.u[-1, 0]) < 8.0


def test_inside_its_limits_an_actuator_changes_nothing():
    hold = ap.controllers.Hold(PENDULUM, [0.5], kp=1e5, kd=100.0)  # unstable at this dt, were it not implicit
    free = ap.simulate(PENDULUM, [0.49], forces=hold, steps=300, dt=5e-3, opt=0)
    held = ap.simulate(
        PENDULUM, [0.49], forces=A.limited(hold, {"pivot": A.Motor(1e6, 1e6)}), steps=300, dt=5e-3, opt=0
    )
    np.testing.assert_allclose(held.q, free.q, rtol=1e-13)


def test_springs_saturate_at_the_limit():
    hold = ap.controllers.Hold(PENDULUM, [2.0], kp=500.0, kd=5.0)
    motor = {"pivot": A.Motor(3.0, 50.0)}  # it lifts the pendulum (4.9 N m) only part of the way
    motion = ap.simulate(PENDULUM, [0.0], forces=A.limited(hold, motor), duration=3.0, record=("tau",), opt=0)
    tau, u = motion.channels["tau"][:-1, 0], motion.u[:-1, 0]
    assert (np.abs(tau) <= 3.0 + 1e-12).all() and motion.q.max() < 2.0
    pushing = tau > 0.0
    np.testing.assert_allclose(tau[pushing], 3.0 * np.minimum(1.0 - u[pushing] / 50.0, 1.0), atol=1e-12)


def test_implicit_springs_exceed_a_limit_by_their_implicit_part_only():
    hold, h = ap.controllers.Hold(PENDULUM, [1.5], kp=500.0, kd=20.0), 1e-3
    controller = A.limited(hold, {"pivot": A.Motor(4.0, 10.0)})
    motion = ap.simulate(PENDULUM, [0.0], forces=controller, duration=2.0, dt=h, record=("tau",), opt=0)
    more = (h * 20.0 + h * h * 500.0) * np.abs(np.diff(motion.u[:, 0])) / h
    excess = np.abs(motion.channels["tau"][:-1, 0]) - 4.0
    assert excess.max() > 1e-3 and (excess <= more + 1e-9).all()


@pytest.mark.parametrize("method", METHODS)
def test_the_lag_is_exponential(method):
    controller = A.limited(torque(2.0), {"pivot": A.Motor(10.0, 1e6, lag=0.03)})
    motion = ap.simulate(PENDULUM, [0.0], forces=controller, steps=200, record=("tau",), method=method, opt=0)
    expected = 2.0 * (1.0 - np.exp(-motion.time / 0.03))
    np.testing.assert_allclose(motion.channels["tau"][:, 0], expected, atol=1e-12)


def test_numbers_of_actuators_differ_between_rollouts():
    controller = A.limited(torque(50.0), {"pivot": A.Motor(1.0, 100.0)})
    peaks = {"actuator.pivot.peak": [1.0, 2.0], "actuator.pivot.stall": [1.0, 2.0]}
    motion = ap.simulate(
        PENDULUM, np.zeros((2, 1)), forces=controller, steps=1, record=("tau",), parameters=peaks, opt=0
    )
    np.testing.assert_array_equal(motion.channels["tau"][:, 0, 0], [1.0, 2.0])


def test_other_degrees_of_freedom_and_ball_joints():
    """A limit of one axis of a ball joint leaves the springs of the others as they are."""
    figure = ap.human()
    q, goal = ap.standing(figure), ap.standing(figure)
    goal = figure.integrate(goal, 0.3 * (np.arange(figure.nu) >= 6))
    hold = ap.controllers.Hold(figure, goal, kp=100.0, kd=10.0)
    limits = {"l_hip.y": A.Motor(5.0, 10.0), "r_knee": A.Motor(4.0, 10.0)}
    free, held = (
        ap.simulate(figure, q, forces=c, steps=1, record=("tau",), method="semi_implicit_euler", opt=0).channels["tau"][
            0
        ]
        for c in (hold, A.limited(hold, limits))
    )
    own = [figure.dofs.index(name) for name in limits]
    np.testing.assert_allclose(held[own], [5.0, 4.0])
    others = np.setdiff1d(np.arange(figure.nu), own)
    np.testing.assert_allclose(held[others], free[others], rtol=1e-9, atol=1e-9)


ROWS = [(name, who, row) for name, table in A.JOINT_STRENGTHS.items() for who, row in table.items()]


@pytest.mark.parametrize(("name", "who", "row"), ROWS)
def test_strength_is_defined_by_its_parameters(name, who, row):
    """C1 is the peak, at C3; at the speeds C4 and C5 are 75 % and 50 % of the isometric moment."""
    assert row.moment(row.c3, 0.0) == row.c1
    angles = row.c3 + np.linspace(-1.0, 1.0, 21)
    assert np.argmax(row.moment(angles, 0.0)) == 10
    np.testing.assert_allclose(row.moment(angles, row.c4), 0.75 * row.moment(angles, 0.0), rtol=1e-12)
    np.testing.assert_allclose(row.moment(angles, row.c5), 0.5 * row.moment(angles, 0.0), rtol=1e-12)
    speeds = np.linspace(0.0, 10.0, 50)
    assert (np.diff(row.moment(row.c3, speeds)) <= 0.0).all()
    slow, fast = row.moment(row.c3, np.array([-1.0, -9.0]))
    assert slow > 0.0 and fast == row.moment(row.c3, -np.pi / 3)
    share = (2 * row.c4 * row.c5 + (row.c5 - 3 * row.c4)) / (2 * row.c4 * row.c5 + 2 * row.c5 - 4 * row.c4)
    assert slow == pytest.approx(row.c1 * share * (1.0 + row.c6), rel=1e-12)
    assert row.moment(row.c3 + 5.0 / row.c2, 0.0) == pytest.approx(0.0, abs=1e-16)


def test_strength_of_a_person_in_the_directions_of_the_figure():
    figure = ap.human()
    found = A.human_strength(75.0, 1.75)
    assert all(len(figure.dof_indices(name)) == 1 for name in found) and len(found) == 6
    weight = 75.0 * 9.81 * 1.75
    lower, upper = found["l_knee"].limits(1.133, 0.0, found["l_knee"].numbers)
    assert lower == pytest.approx(-0.163 * weight)  # extension, 210 N m, is negative in ap.human
    assert upper == pytest.approx(0.087 * weight * np.cos(0.869 * (1.133 - 0.522)))
    lower, upper = found["r_hip.y"].limits(-0.932, 0.0, found["r_hip.y"].numbers)  # bent by 53 degrees
    assert upper == pytest.approx(0.161 * weight) and lower < 0.0
    lower, upper = found["l_ankle.dorsiflexion"].limits(0.408, -3.558, found["l_ankle.dorsiflexion"].numbers)
    assert lower == pytest.approx(-0.5 * 0.095 * weight)  # plantar flexion at C5
    assert upper > 0.0
    rising, falling = (found["l_knee"].limits(1.0, u, found["l_knee"].numbers) for u in (-2.0, 2.0))
    assert rising[0] > falling[0]  # extending at speed is weaker than braking flexion


def test_a_person_too_weak_to_stand_falls():
    figure = ap.human(height=1.75, mass=75.0)
    scene, q = ap.Scene(figure, features="feet"), ap.standing(figure)
    bent = [figure.dofs.index(f"{side}_{dof}") for side in "lr" for dof in ("hip.y", "knee", "ankle.dorsiflexion")]
    q = figure.integrate(q, np.array([{0: -0.8, 1: 1.6, 2: 0.8}[bent.index(k) % 3] if k in bent else 0.0
                                      for k in range(figure.nu)]))  # fmt: skip
    q[2] -= 0.22
    hold = ap.controllers.Hold(figure, q, kp=3000.0, kd=100.0)
    heights = []
    for share in (1.0, 0.1):
        person = A.limited(hold, A.human_strength(75.0 * share, 1.75, lag=0.05))
        motion = ap.simulate(scene, q, forces=person, duration=0.6, every=600, opt=0)
        heights.append(motion.q[-1, 2])
    assert heights[1] < heights[0] - 0.1


def test_refusals():
    with pytest.raises(InputError, match=r"peak=-1.0 of a Motor"):
        A.Motor(-1.0, 1.0)
    with pytest.raises(InputError, match="is not a controller"):
        A.limited(3.0, {})
    with pytest.raises(InputError, match="'pivot': 3 is not an actuator"):
        A.limited(torque(1.0), {"pivot": 3})
    figure = ap.human()
    still = ap.controllers.Torque(np.zeros(figure.nu))
    for names, words in ((("l_hip",), "'l_hip' has 3 degrees of freedom"), (("l_kne",), "Did you mean 'l_knee'")):
        with pytest.raises(InputError, match=words):
            ap.simulate(figure, figure.neutral(), forces=A.limited(still, dict.fromkeys(names, A.Motor(1.0, 1.0))),
                        steps=1, opt=0)  # fmt: skip
    with pytest.raises(InputError, match=r"age '18'.*Ages: 18-25"):
        A.human_strength(75.0, 1.75, age="18")
    with pytest.raises(InputError, match="mass=0"):
        A.human_strength(0, 1.75)
