"""The force of one virtual leg: thesis part 6 with E9, E10, E20."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import skew
from anthropi.algorithms.kinematics import kinematics, point_position, point_velocity
from anthropi.algorithms.momentum import momentum, momentum_rate, total_wrench
from anthropi.contact.virtual_leg import (
    UP,
    Given,
    Leg,
    across,
    along,
    body_of,
    foot_wrenches,
    leg_force,
    link_wrench,
    span,
    three_steps,
    wanted_moment,
)
from anthropi.simulation.drive import Drive
from anthropi.simulation.step import State, advance
from unit.contact.virtual_leg.cases import LEG, SOLES, on_foot, standing

SEEDS = range(4)


@pytest.mark.parametrize("seed", SEEDS)
def test_7_1__7_2__6_3__spring_along_the_leg_and_moment_about_the_centre(seed):
    figure, q, u, _ = standing(seed)
    _, body, _, virtual = on_foot(figure, q, u)
    r, rest, wanted = virtual.r, virtual.length + 0.08, np.array([1.0, -2.0, 0.5])
    f = leg_force(LEG._replace(damping=0.0), virtual, wanted_moment(LEG, body.spin, wanted), rest).force
    assert f @ r / np.linalg.norm(r) == pytest.approx(LEG.stiffness * (np.linalg.norm(r) - rest), rel=1e-12)  # (7.1)
    M = LEG.spin * (wanted - body.spin)
    across_r = M - (M @ r) * r / (r @ r)
    np.testing.assert_allclose(np.cross(r, f), across_r, atol=1e-11)  # (7.2), of what is across r; moments of 10 N m


@pytest.mark.parametrize("seed", SEEDS)
def test_7_3__angular_momentum_about_the_centre(seed):
    figure, q, u, _ = standing(seed)
    _, body, _, _ = on_foot(figure, q, u)
    np.testing.assert_allclose(body.spin, momentum(figure, q, u)[:3], atol=1e-12)
    moved = u + np.concatenate([[3.0, -1.0, 2.0], np.zeros(figure.nu - 3)])  # all together: no spin
    np.testing.assert_allclose(on_foot(figure, q, moved)[1].spin, body.spin, atol=1e-12)
    np.testing.assert_allclose(body.mass * body.velocity, momentum(figure, q, u)[3:], atol=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_7_4__6_5__E10__angular_momentum_changes_by_r_cross_f(seed):
    """To 1e-8, and linear momentum by f and weight: the force counts once, with the arm from the link's origin."""
    figure, q, u, tau = standing(seed)
    k, body, x, virtual = on_foot(figure, q, u)
    moment = wanted_moment(LEG, body.spin, np.zeros(3))
    f = leg_force(LEG, virtual, moment, virtual.length + 0.1).force
    f_ext = foot_wrenches(k, [figure.link_index("l_foot")], [x], [f])
    assert np.linalg.norm(f) > 100.0
    rate = momentum_rate(figure, q, u, ap.direct_dynamics(figure, q, u, tau, {"l_foot": f_ext[9]}))
    np.testing.assert_allclose(rate[:3], np.cross(virtual.r, f), rtol=0.0, atol=1e-8)
    np.testing.assert_allclose(rate[3:], f + figure.mass * figure.gravity, rtol=0.0, atol=1e-8)
    np.testing.assert_allclose(total_wrench(figure, q, f_ext)[:3], np.cross(virtual.r, f), atol=1e-11)


def test_E10__the_leg_is_not_the_arm_of_the_link():
    """With r of 6.3 in place of r_link the momentum would change otherwise."""
    figure, q, u, _ = standing()
    k, _, x, virtual = on_foot(figure, q, u)
    f, i = np.array([10.0, 20.0, 700.0]), figure.link_index("l_foot")
    own = link_wrench(k, i, x, f)
    np.testing.assert_allclose(k.rotation[i] @ own[:3], np.cross(x - k.position[i], f), atol=1e-11)
    assert np.linalg.norm(k.rotation[i] @ own[:3] - np.cross(virtual.r, f)) > 1.0


@pytest.mark.parametrize("seed", SEEDS)
def test_E9__6_4__four_unknowns_have_rank_three(seed):
    """As printed, (7.1) and (7.2) leave r_s open: any r_s goes with some f."""
    figure, q, u, _ = standing(seed)
    virtual = on_foot(figure, q, u)[3]
    rows = np.vstack([np.append(virtual.direction, LEG.stiffness), np.column_stack([skew(virtual.r), np.zeros(3)])])
    assert np.linalg.matrix_rank(rows) == 3


@pytest.mark.parametrize("seed", SEEDS)
def test_E9__9_4_5__a_rest_length_below_the_leg_pulls_and_lifts_off(seed):
    figure, q, _, _ = standing(seed)
    virtual, none = on_foot(figure, q, np.zeros(figure.nu))[3], np.zeros(3)
    assert leg_force(LEG, virtual, none, virtual.length + 0.05).force[2] > 0.0
    assert (leg_force(LEG, virtual, none, virtual.length - 0.05).force == 0.0).all()


def test_6_6__6_4__what_a_point_cannot_make_is_the_residual_and_torsion_would_make_it():
    figure, q, u, tau = standing(2)
    k, body, x, virtual = on_foot(figure, q, u)
    moment, i = wanted_moment(LEG, body.spin, np.zeros(3)), figure.link_index("l_foot")
    found = leg_force(LEG, virtual, moment, virtual.length + 0.1)
    np.testing.assert_allclose(np.cross(virtual.r, found.residual), 0.0, atol=1e-11)  # along the leg
    assert np.linalg.norm(found.residual) > 0.1
    np.testing.assert_allclose(np.cross(virtual.r, found.force) + found.residual, moment, atol=1e-11)
    own = link_wrench(k, i, x, found.force)
    own = own + np.concatenate([k.rotation[i].T @ found.residual, np.zeros(3)])  # torsion at the contact
    rate = momentum_rate(figure, q, u, ap.direct_dynamics(figure, q, u, tau, {"l_foot": own}))
    np.testing.assert_allclose(rate[:3], moment, rtol=0.0, atol=1e-8)


@pytest.mark.parametrize("rate", [-0.7, 0.4])
def test_E20__the_damper_takes_energy(rate):
    """The foot stands, G moves: the damper's power is -b |r|'², whichever way. (The sheet prints the other sign.)"""
    figure, q, _, _ = standing()
    body = on_foot(figure, q, np.zeros(figure.nu))[1]
    foot = body.centre + np.array([0.1, 0.05, -0.9])
    r = foot - body.centre
    moving = body._replace(velocity=-rate * r / np.linalg.norm(r))
    virtual = span(foot, np.zeros(3), moving)
    assert virtual.rate == pytest.approx(rate)
    damped, bare = (along(leg, virtual, 1.0) * virtual.direction for leg in (LEG, LEG._replace(damping=0.0)))
    assert (damped - bare) @ moving.velocity == pytest.approx(-LEG.damping * rate**2)


@pytest.mark.parametrize("seed", SEEDS)
def test_7_2_1__7_2_2__6_1__E20__the_ground_only_pushes_and_friction_holds_no_more_than_its_cone(seed):
    rng = np.random.default_rng(seed)
    figure, q, _, _ = standing(seed)
    body = on_foot(figure, q, np.zeros(figure.nu))[1]
    virtual = span(body.centre + np.array([0.1, -0.1, -0.9]), np.zeros(3), body)
    free, cut, inside = 0, 0, 0
    for _ in range(60):
        moment, rest = 80.0 * rng.normal(size=3), virtual.length + 0.08 * rng.normal()
        bare = leg_force(LEG, virtual, moment, rest)
        f = leg_force(LEG._replace(friction=0.4), virtual, moment, rest)
        assert f.force @ UP >= 0.0  # 6.1
        assert np.linalg.norm(f.force[:2]) <= 0.4 * f.force[2] * (1.0 + 1e-12) + 1e-12
        assert f.force[2] == pytest.approx(bare.force[2])
        np.testing.assert_allclose(np.cross(virtual.r, f.force) + f.residual, moment, atol=1e-10)
        if f.force[2] == 0.0:
            free += 1
        elif np.linalg.norm(bare.force[:2]) > 0.4 * bare.force[2]:
            cut += 1
            assert np.linalg.norm(f.force[:2]) == pytest.approx(0.4 * f.force[2])
            ways = [x[:2] / np.linalg.norm(x[:2]) for x in (f.force, bare.force)]
            np.testing.assert_allclose(*ways, rtol=1e-12)
        else:
            inside += 1
            np.testing.assert_allclose(f.force, bare.force, rtol=1e-12)
    assert min(free, cut, inside) > 3


def test_6_2__7_2_3__three_steps():
    """Step 2 sees the state without the ground, step 3 applies its force now; with dt → 0 it is the law at once."""
    figure, q, u, tau = standing(3)
    i, seen = figure.link_index("l_foot"), []

    def law(ahead, now):
        force = force_at(figure, ahead, Given(1.05))
        seen.append(ahead)
        return foot_wrenches(now, [i], [point_position(now, i, SOLES["l_foot"])], [force]), force

    dt = 1e-3
    found = three_steps(figure, q, u, tau, dt, law)
    free = ap.direct_dynamics(figure, q, u, tau)
    q1 = figure.integrate(q, dt * (u + dt * free))
    np.testing.assert_allclose(seen[0].position, ap.kinematics(figure, q1).position, atol=1e-12)  # step 1
    np.testing.assert_allclose(seen[0].velocity[0], (u + dt * free)[:3], atol=1e-12)
    rate = momentum_rate(figure, q, u, found.udot)  # step 3
    np.testing.assert_allclose(rate[3:], found.output + figure.mass * figure.gravity, rtol=0.0, atol=1e-8)
    k = on_foot(figure, q, u)[0]
    at_once = ap.direct_dynamics(figure, q, u, tau, {"l_foot": law(k, k)[0][i]})
    errors = [np.abs(three_steps(figure, q, u, tau, h, law).udot - at_once).max() for h in (1e-4, 1e-5)]
    assert 0.0 < errors[1] < 0.15 * errors[0]


def force_at(figure, k, way):
    i, body, sole = figure.link_index("l_foot"), body_of(figure, k), SOLES["l_foot"]
    virtual = span(point_position(k, i, sole), point_velocity(k, i, sole), body)
    moment = wanted_moment(LEG, body.spin, np.zeros(3))
    return leg_force(LEG, virtual, moment, way.length(LEG, virtual, body, moment)).force


def test_7_2__6_5__momentum_over_time_follows_the_law():
    """dH_G/dt = r × f_c to 1e-8, H_G by differences of fourth order along a motion that the law's force makes."""
    figure, h = ap.sample("hopper", leg="knee"), 2e-4
    q = figure.integrate(figure.neutral(), np.array([0, 0, 0.7, 0.1, -0.1, 0.2, -0.45, 0.1, 0.9, -0.45, -0.1]))
    state = State(0.0, q, 0.5 * np.random.default_rng(1).normal(size=figure.nu))
    tau, i = np.array(6 * [0.0] + [3.0, -1.0, 4.0, 0.5, 0.2]), figure.link_index("foot")
    sole, soft = figure.marker("sole").point, Leg(5e3, 50.0, 10.0)

    def law(q, u):
        k = kinematics(figure, q, u)
        body, x = body_of(figure, k), point_position(k, i, sole)
        virtual = span(x, point_velocity(k, i, sole), body)
        found = leg_force(soft, virtual, wanted_moment(soft, body.spin, np.zeros(3)), 0.93)
        return virtual.r, found.force, foot_wrenches(k, [i], [x], [found.force])

    states = [state]
    for _ in range(8):
        state = advance(figure, lambda t, q, u: Drive(tau, law(q, u)[2]), state, h / 2.0)
        states.append(state)
    H = [momentum(figure, s.q, s.u) for s in states[::2]]
    rate = (H[0] - 8.0 * H[1] + 8.0 * H[3] - H[4]) / (12.0 * h)
    r, f, _ = law(states[4].q, states[4].u)
    assert np.linalg.norm(f) > 20.0 and np.linalg.norm(np.cross(r, f)) > 0.1
    np.testing.assert_allclose(rate[:3], np.cross(r, f), rtol=0.0, atol=1e-8)
    np.testing.assert_allclose(rate[3:], f + figure.mass * figure.gravity, atol=1e-4)  # f changes by 1e4 N/s: h⁴ f⁗/30


def test_the_law_is_finite_where_leg_and_slip_have_no_length():
    """Value and derivative: at r = 0, and at f_t = 0 with friction."""
    figure, q, _, _ = standing()
    body = on_foot(figure, q, np.zeros(figure.nu))[1]
    leg = Leg(1e4, 100.0, 5.0, 0.5)

    def force(foot, moment):
        return leg_force(leg, span(foot, np.zeros(3), body), moment, 1.0).force

    tape = ap.record(force, foot=np.zeros(3), moment=np.zeros(3))
    slope = ap.build(tape.jvp(("foot", "moment")), opt=0)
    for foot in (body.centre, body.centre - np.array([0.0, 0.0, 0.9])):
        for d in np.eye(6):
            found = slope(foot=foot, moment=np.zeros(3), d_foot=d[:3], d_moment=d[3:])
            assert all(np.isfinite(x).all() for x in found)
    assert (across(span(body.centre, np.zeros(3), body), np.zeros(3)) == 0.0).all()
