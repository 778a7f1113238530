"""Determinants as limits on the dynamics: nothing inside, back from outside, no momentum from nowhere, any root."""

import math

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.momentum import momentum_rate
from anthropi.contact.limits.springs import Linear
from anthropi.errors import InputError
from anthropi.gait.plan.determinant_forces import determinant_forces, determinant_limits, pelvis_angles, pelvis_link

DETAILS = ("thesis42", "standard")
STANCES = ("l", "r", "trunk", 0.3)
FIGURES = {detail: ap.human(detail=detail) for detail in DETAILS}
D = ap.gait.Determinants()


def turned(figure, rotation=0.0, tilt=0.0, knee=0.0, side="l"):
    """A standing figure, its root turned and one knee bent [deg]."""
    v = np.zeros(figure.nu)
    v[[3, 5]] = np.radians([tilt, rotation])
    v[figure.dof_indices(f"{side}_knee")[1 if len(figure.dof_indices(f"{side}_knee")) == 3 else 0]] = math.radians(knee)
    return figure.integrate(ap.standing(figure), v)


def angles(figure, t, q, u):
    return np.array(pelvis_angles(kinematics(figure, q).rotation[pelvis_link(figure)])[0])


def pelvis(figure, q):
    return angles(figure, 0.0, q, None)


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("stance", STANCES)
def test_nothing_acts_inside_and_something_beyond(detail, stance):
    figure, rng = FIGURES[detail], np.random.default_rng(1)
    for rotation, tilt, knee in ((0, 0, 0), (3.9, -4.9, 0), (-3.9, 4.9, 40), (0, 4.9, 5)):
        u = rng.standard_normal(figure.nu)
        assert not determinant_forces(figure, turned(figure, rotation, tilt, knee), u, D, stance).any()
    for rotation, tilt in ((4.5, 0), (-4.5, 0), (0, 5.5), (0, -5.5)):
        q = turned(figure, rotation, tilt)
        assert determinant_forces(figure, q, np.zeros(figure.nu), D, stance).any()
        name = "pelvic_rotation" if rotation else "pelvic_tilt"
        assert not determinant_forces(figure, q, np.zeros(figure.nu), D.without(name), stance).any()


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("stance", STANCES)
def test_the_pelvis_is_accelerated_back_and_momentum_stays(detail, stance):
    figure = FIGURES[detail].changed(gravity=np.zeros(3))
    for rotation, tilt in ((-7.0, 8.0), (7.0, 0.0)):
        q, u = turned(figure, rotation, tilt), np.zeros(figure.nu)
        tau = determinant_forces(figure, q, u, D, stance)
        assert not tau[:6].any()  # internal: the root's joint has no part in it
        udot = direct_dynamics(figure, q, u, tau)
        assert abs(momentum_rate(figure, q, u, udot)).max() < 1e-9  # [N m, N] beside torques of 100 N m
        k, P = kinematics(figure, q, u, udot), pelvis_link(figure)
        rows = pelvis_angles(k.rotation[P])[2]
        for row, angle in zip(rows, (rotation, tilt), strict=True):
            if angle:
                assert (row @ k.angular_acceleration[P]) * angle < -1.0  # [rad/s²] back


@pytest.mark.slow
@pytest.mark.parametrize(("detail", "stance"), [("thesis42", "l"), ("standard", "trunk")])
def test_a_figure_pushed_beyond_comes_back(detail, stance):
    figure = FIGURES[detail].changed(gravity=np.zeros(3))
    q = turned(figure, -7.0, 8.0)
    motion = ap.simulate(figure, q, forces=determinant_limits(D, stance=stance), duration=0.3, dt=1e-3, every=5, opt=0,
                         record={"pelvis": angles})  # fmt: skip
    found = np.degrees(motion.channels["pelvis"])
    assert found[0] == pytest.approx([-7.0, 8.0], abs=0.1)
    inside = np.argmax((abs(found) < [4.0, 5.0]).all(1))
    assert 0 < 5 * inside < 80  # [ms] it is back
    assert (abs(found[inside:]) < [5.0, 6.0]).all()  # and thrown to the other side, held there
    assert (
        abs(ap.dynamics.momentum(figure, motion.q, motion.u)).max() < 2e-3
    )  # RK4 at 1 ms; 1e-9 a step in the test above


@pytest.mark.parametrize("detail", DETAILS)
def test_angles_rates_and_power(detail):
    figure, rng = FIGURES[detail], np.random.default_rng(2)
    q, u, P = figure.random(rng), rng.standard_normal(figure.nu), pelvis_link(figure)
    k, h = kinematics(figure, q, u), 1e-6
    _, rates, _ = pelvis_angles(k.rotation[P], k.angular_velocity[P])
    ahead, behind = (pelvis(figure, figure.integrate(q, s * h * u)) for s in (1.0, -1.0))
    assert np.array(rates) == pytest.approx((ahead - behind) / (2 * h), abs=1e-7)
    turn = turned(figure, 3.0, 4.0)
    assert np.degrees(pelvis(figure, turn)) == pytest.approx([3.0, 4.0], abs=0.15)  # both at once: no Euler angles
    about = pelvis_angles(kinematics(figure, turn).rotation[P], heading=0.1)[0]
    assert about[0] == pytest.approx(pelvis(figure, turn)[0] - 0.1)
    tau = determinant_forces(figure, q, u, D, "l", knees=False)
    thigh = figure.link_index("l_thigh")
    torque = sum(f * row for f, row in zip(pushes(figure, k, P), pelvis_angles(k.rotation[P])[2], strict=True))
    assert tau @ u == pytest.approx(torque @ (k.angular_velocity[P] - k.angular_velocity[thigh]))  # (4), (5)


def pushes(figure, k, P):
    """F of (3) written out: k d max(0, 1 - χ gap') per kg."""
    found, rates, _ = pelvis_angles(k.rotation[P], k.angular_velocity[P])
    for x, rate, end in zip(found, rates, np.radians([4.0, 5.0]), strict=True):
        past = max(0.0, abs(x) - end)
        yield -np.sign(x) * 40.0 * figure.mass * past * max(0.0, 1.0 + 0.5 * np.sign(x) * rate)


@pytest.mark.parametrize("detail", DETAILS)
def test_the_root_does_not_matter(detail):
    figure, rng = FIGURES[detail], np.random.default_rng(3)
    q, u = figure.random(rng), rng.standard_normal(figure.nu)
    foot, q2, u2 = figure.reroot("r_shank", q, u)
    for stance in STANCES:
        there, here = (determinant_forces(f, a, b, D, stance) for f, a, b in ((foot, q2, u2), (figure, q, u)))
        assert there @ u2 == pytest.approx(here @ u, rel=1e-10)
        assert not there[:6].any()


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("side", ["l", "r"])
def test_knees_have_other_limits_in_stance_and_in_swing(detail, side):
    figure = FIGURES[detail]
    knee = list(figure.dof_indices(f"{side}_knee"))
    for stance, degrees, acts in (("l", 60, side == "l"), ("r", 60, side == "r"), ("l", 80, True), ("r", -3, True)):
        q = turned(figure, knee=degrees, side=side)
        tau = determinant_forces(figure, q, np.zeros(figure.nu), D, stance)
        assert tau[knee].any() == acts
        assert not np.delete(tau, knee).any()
        if acts:
            assert np.sign(tau[knee].sum()) == -np.sign(degrees)
    q = turned(figure, knee=80, side=side)
    whole = [determinant_forces(figure, q, np.zeros(figure.nu), D, a) for a in (0.0, 0.25, 1.0)]
    assert whole[1] == pytest.approx(0.75 * whole[0] + 0.25 * whole[2])
    assert not determinant_forces(figure, q, np.zeros(figure.nu), D, 0.5, knees=False).any()


def test_forces_record_with_their_share():
    figure, rng, plan = FIGURES["thesis42"], np.random.default_rng(4), ap.gait.GaitPlan(step_frequency=100)
    forces = determinant_limits(D, plan, spring=Linear(30.0))
    tape = ap.record(
        lambda t, q, u: forces(figure, t[0], q, u), t=np.zeros(1), q=figure.neutral(), u=np.zeros(figure.nu)
    )
    kernel = ap.build(tape, target="replay")
    for t in (0.05, 0.3, 0.7):
        q, u = figure.random(rng), rng.standard_normal(figure.nu)
        assert np.asarray(kernel(np.array([t]), q, u)) == pytest.approx(forces(figure, t, q, u), rel=1e-10, abs=1e-9)
    assert tape.operations < 800  # 674 + α


def test_other_figures_and_stances_are_refused():
    figure = FIGURES["standard"]
    with pytest.raises(InputError, match=r"Unknown stance='left'. Choose one of: 'l', 'r', 'trunk'"):
        determinant_forces(figure, ap.standing(figure), np.zeros(figure.nu), D, "left")
    other = ap.sample("chain")
    with pytest.raises(InputError, match=r"no pelvis.*need a human figure"):
        determinant_forces(other, other.neutral(), np.zeros(other.nu), D)


@pytest.mark.parametrize("heading", [np.pi, -np.pi, 3.0, -7.0])
def test_whoever_walks_the_other_way_is_not_turned_round(heading):
    """Rotation is told from the heading and does not jump by 2 π where that of the world does."""
    figure = FIGURES["thesis42"]
    for off, acts in ((-2.0, False), (2.0, False), (6.0, True)):
        q, u = turned(figure, rotation=np.degrees(heading) + off), np.zeros(figure.nu)
        rotation = pelvis_angles(kinematics(figure, q).rotation[pelvis_link(figure)], heading=heading)[0][0]
        assert np.degrees(rotation) == pytest.approx(off, abs=1e-6)
        tau = determinant_forces(figure, q, u, D, "l", heading=heading)
        assert tau.any() == acts
        assert tau == pytest.approx(determinant_forces(figure, turned(figure, rotation=off), u, D, "l"), abs=1e-6)


@pytest.mark.parametrize("odd", [2.0, -0.1, np.nan, None])
def test_a_share_is_from_0_to_1(odd):
    figure = FIGURES["thesis42"]
    with pytest.raises(InputError, match="share α from 0 to 1"):
        determinant_forces(figure, ap.standing(figure), np.zeros(figure.nu), D, odd)
