"""Ways to get the rest length: given, from a normal force, from a height, from an apex (thesis 6.4)."""

import numpy as np
import pytest

from anthropi.contact.virtual_leg import UP, FromApex, FromForce, FromHeight, Given, leg_force, span, wanted_moment
from unit.contact.virtual_leg.cases import LEG, on_foot, standing

SEEDS = range(4)


def met(way, seed):
    """The reaction of a way, and what it was found with."""
    figure, q, u, _ = standing(seed)
    _, body, _, virtual = on_foot(figure, q, u)
    moment = wanted_moment(LEG, body.spin, np.zeros(3))
    rest = way.length(LEG, virtual, body, moment)
    return leg_force(LEG, virtual, moment, rest), virtual, body


@pytest.mark.parametrize("seed", SEEDS)
def test_6_4__9_7__the_three_ways_agree(seed):
    """(b) makes its force; (a) with the length of (b), and (c) that asks for the same force, are the same reaction."""
    by_force, virtual, body = met(FromForce(900.0), seed)
    assert by_force.force @ UP == pytest.approx(900.0, rel=1e-12)
    np.testing.assert_allclose(met(Given(by_force.rest), seed)[0].force, by_force.force, rtol=1e-12)
    w, height, rise = 7.0, -virtual.r[2], -virtual.velocity[2]
    wanted = height + ((900.0 / body.mass - 9.81) + 2.0 * 0.6 * w * rise) / w**2
    by_height = met(FromHeight(wanted, w, 0.6), seed)[0]
    assert by_height.rest == pytest.approx(by_force.rest, rel=1e-12)
    np.testing.assert_allclose(by_height.force, by_force.force, rtol=1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_6_4__at_its_height_and_at_rest_the_leg_carries_the_weight(seed):
    figure, q, _, _ = standing(seed)
    _, body, _, virtual = on_foot(figure, q, np.zeros(figure.nu))
    rest = FromHeight(-virtual.r[2]).length(LEG, virtual, body, np.zeros(3))
    assert leg_force(LEG, virtual, np.zeros(3), rest).force[2] == pytest.approx(body.mass * 9.81, rel=1e-12)
    assert rest > virtual.length  # E9


def test_6_4__a_height_is_reached():
    """G over a standing foot, moved by the law alone: (c) is a damped spring of its frequency."""
    body = on_foot(*standing()[:2], np.zeros(42))[1]._replace(
        centre=np.array([0.0, 0.0, 0.8]), velocity=np.zeros(3), spin=np.zeros(3)
    )
    dt, way = 1e-3, FromHeight(0.95, 8.0, 1.0)
    for _ in range(1500):
        virtual = span(np.zeros(3), np.zeros(3), body)
        f = leg_force(LEG, virtual, np.zeros(3), way.length(LEG, virtual, body, np.zeros(3))).force
        velocity = body.velocity + dt * (f / body.mass + body.gravity)
        body = body._replace(centre=body.centre + dt * velocity, velocity=velocity)
    assert body.centre[2] == pytest.approx(0.95, abs=1e-4)


def test_a_leg_that_all_but_lies_asks_no_endless_force():
    figure, q, _, _ = standing()
    body = on_foot(figure, q, np.zeros(figure.nu))[1]
    virtual = span(body.centre + np.array([0.9, 0.0, 0.0]), np.zeros(3), body)
    rest = FromForce(800.0).length(LEG, virtual, body, np.zeros(3))
    assert np.isfinite(rest) and rest - virtual.length == pytest.approx(800.0 / 0.05 / LEG.stiffness)


def test_an_apex_asks_for_work_until_energy_is_right():
    """r_s = L when energy is right; longer while the leg lengthens with too little, shorter with too much."""
    figure, q, _, _ = standing()
    body = on_foot(figure, q, np.zeros(figure.nu))[1]._replace(
        centre=np.array([0.2, 0.0, 0.8]), velocity=np.array([0.5, 0.0, 1.0])
    )
    virtual, leg = span(np.array([0.2, 0.0, 0.0]), np.zeros(3), body), LEG
    energy = 0.5 * body.mass * 1.25 + body.mass * 9.81 * 0.8 + 0.5 * leg.stiffness * 0.1**2
    apex = (energy / body.mass - 0.5 * 0.5**2) / 9.81
    assert FromApex(apex, 0.9, 0.5).length(leg, virtual, body, None) == pytest.approx(0.9, abs=1e-12)
    for more in (0.02, -0.02):
        found = FromApex(apex + more, 0.9, 0.5, gain=1e-3).length(leg, virtual, body, None)
        assert found - 0.9 == pytest.approx(1e-3 * body.mass * 9.81 * more * virtual.rate)
    assert FromApex(apex + 5.0, 0.9, 0.5, reach=0.04).length(leg, virtual, body, None) == pytest.approx(0.94)
