"""Legs of three hinges in closed form, and the paths of six feet."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import AnthropiError
from anthropi.gait.walker.hexapod import Roach
from anthropi.gait.walker.hexapod.legs import (
    TRIPOD,
    ground_velocity,
    leg_angles,
    legs_of,
    part_of,
    rates,
    share,
    swing,
    swung,
    torques,
)

FIGURE = ap.sample("roach")
LEGS = legs_of(FIGURE)
SMALL = 1e-6


def places(seed=0):
    """A leg and a place that its foot reaches, a few times each."""
    rng = np.random.default_rng(seed)
    homes = Roach(FIGURE).memory["feet"]
    return [(leg, home + rng.uniform(-0.06, 0.06, 3)) for leg, home in zip(LEGS, homes, strict=True) for _ in range(4)]


def test_a_bent_leg_has_its_foot_there():
    for leg, foot in places():
        q = FIGURE.neutral()
        q[np.array(leg.dofs) + 1] = leg_angles(leg, foot).hinges
        found = ap.kinematics(FIGURE, q).marker(f"{leg.name}_sole")
        np.testing.assert_allclose(found, foot, atol=1e-14)  # rounding


def test_rates_and_torques_are_those_of_the_closed_form():
    rng = np.random.default_rng(1)
    for leg, foot in places(1):
        own, v, f = leg_angles(leg, foot), *rng.normal(size=(2, 3))
        by_hand = (leg_angles(leg, foot + SMALL * v).hinges - leg_angles(leg, foot - SMALL * v).hinges) / (2.0 * SMALL)
        found = rates(leg, own, v)
        np.testing.assert_allclose(found, by_hand, atol=1e-7)  # a difference of second order
        assert torques(leg, own, f) @ found == pytest.approx(f @ v, rel=1e-12)  # power at the hinges, at the foot


def test_what_is_out_of_reach_is_reached_for():
    leg = LEGS[0]
    far = leg.place.origin + np.array([0.0, 2.0, -0.1])
    assert (
        np.isfinite(leg_angles(leg, far).hinges).all()
        and np.isfinite(rates(leg, leg_angles(leg, far), np.ones(3))).all()
    )


def test_feet_share_the_weight_and_tripods_alternate():
    for phase in np.linspace(-1.0, 2.0, 61):
        carried = share(part_of(phase), 0.6)
        assert carried.sum() == pytest.approx(1.0, abs=1e-12) and carried.min() >= 0.0
        swings = part_of(phase) < 0.4
        assert not (swings[TRIPOD == 0.0].any() and swings[TRIPOD == 0.5].any())
        assert (swings == (swung(part_of(phase), 0.6) < 1.0)).all()
        y = np.array([leg.place.origin[1] for leg in LEGS])
        assert (carried[y > 0].sum()) == pytest.approx(0.5, abs=1e-12)  # so that it does not roll


def test_a_swing_leaves_and_lands_with_the_ground():
    v, spin, up = np.array([0.3, 0.0, 0.01]), np.array([0.02, -0.01, 0.5]), np.array([0.02, -0.01, 1.0])
    left, rest, time = np.array([0.15, 0.28, -0.12]), np.array([0.24, 0.28, -0.13]), (0.2, 0.15)

    def at(s):
        return swing(left, rest, s, v, spin, time, 0.03, up, 0.13)

    np.testing.assert_allclose(at(0.0)[0], left, atol=1e-15)
    np.testing.assert_allclose(at(0.0)[1], ground_velocity(v, spin, left), atol=1e-12)
    lands, rate = at(1.0)
    np.testing.assert_allclose(rate, ground_velocity(v, spin, lands), atol=1e-12)
    assert up @ lands == pytest.approx(-0.13, abs=1e-12)  # on the plane that the others stand on
    for s in (0.2, 0.5, 0.9):
        by_hand = (at(s + SMALL)[0] - at(s - SMALL)[0]) / (2.0 * SMALL * time[0])
        np.testing.assert_allclose(at(s)[1], by_hand, atol=1e-8)
    assert at(0.5)[0][2] > max(left[2], lands[2]) + 0.02


def test_what_is_no_roach_is_refused_in_words():
    with pytest.raises(AnthropiError, match=r"no 'l1_yaw'.*sample\('roach'\)"):
        Roach(ap.sample("biped"))
    wrong = {"heigth": (0.1, "Did you mean 'height'"), "stance": (0.5, "above 0.5"), "pace": (1.0, "1.2, 2.7")}
    for name, (number, words) in wrong.items():
        with pytest.raises(AnthropiError, match=words):
            Roach(FIGURE, **{name: number})
