"""Two feet as one: positioning, force equalisation, synchronisation, and α(t) (thesis 9.7)."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics, point_position, point_velocity
from anthropi.algorithms.momentum import total_wrench
from anthropi.contact.virtual_leg import (
    BLENDS,
    Given,
    Leg,
    blend,
    body_of,
    foot_forces,
    foot_place,
    foot_wrenches,
    in_step,
    leg_force,
    shares,
    span,
    virtual_foot,
    wanted_moment,
)
from anthropi.errors import InputError
from unit.contact.virtual_leg.cases import LEG, SOLES, standing

FORMS = list(BLENDS)
SMOOTH = [form for form in FORMS if form != "linear"]


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_9_7__9_4_5__feet_have_the_force_and_both_moments_of_the_virtual_leg(seed, alpha):
    """f_l + f_r = f, and the same moment about G and about the world's origin, to 1e-12 of f |x|."""
    figure, q, u, _ = standing(seed)
    k, links = kinematics(figure, q, u), [figure.link_index(name) for name in SOLES]
    soles = list(zip(links, SOLES.values(), strict=True))
    places, speeds = (np.stack([of(k, *sole) for sole in soles]) for of in (point_position, point_velocity))
    body, parts = body_of(figure, k), shares(alpha)
    foot = virtual_foot(places, parts)
    np.testing.assert_allclose(foot, alpha * places[0] + (1.0 - alpha) * places[1], atol=1e-15)  # positioning
    virtual = span(foot, virtual_foot(speeds, parts), body)
    f = leg_force(LEG, virtual, wanted_moment(LEG, body.spin, np.zeros(3)), virtual.length + 0.1).force
    assert np.linalg.norm(f) > 100.0
    each = foot_forces(f, parts)
    near = dict(rtol=0.0, atol=1e-12 * np.linalg.norm(f))
    np.testing.assert_allclose(each.sum(0), f, **near)
    np.testing.assert_allclose(np.cross(places - body.centre, each).sum(0), np.cross(virtual.r, f), **near)
    np.testing.assert_allclose(np.cross(places, each).sum(0), np.cross(foot, f), **near)
    bare = figure.changed(gravity=np.zeros(3))
    both, one = (total_wrench(bare, q, foot_wrenches(k, *what), about="origin") for what in
                 ((links, places, each), (links[:1], [foot], [f])))  # fmt: skip
    np.testing.assert_allclose(both, one, **near)  # and so it comes into the dynamics


def test_9_7__where_a_foot_goes_for_the_virtual_foot_to_be_somewhere():
    rng = np.random.default_rng(0)
    wanted, other = rng.normal(size=(2, 3))
    for alpha in (0.2, 0.5, 1.0):
        left = foot_place(wanted, other, alpha)
        np.testing.assert_allclose(virtual_foot([left, other], shares(alpha)), wanted, atol=1e-14)


@pytest.mark.parametrize("form", FORMS)
def test_9_7__the_load_goes_from_none_to_all(form):
    s = np.linspace(0.0, 1.0, 41)
    alpha = blend(form, s)
    assert alpha[0] == 0.0 and alpha[-1] == pytest.approx(1.0, abs=1e-15) and (np.diff(alpha) > 0.0).all()
    np.testing.assert_allclose(alpha + alpha[::-1], 1.0, atol=1e-15)  # what one takes on the other gives up
    assert blend(form, -0.5) == 0.0 and blend(form, 7.0) == pytest.approx(1.0, abs=1e-15)
    tape = ap.record(lambda s: blend(form, s), s=np.zeros(())).jvp("s")
    slope = ap.build(tape, opt=0)
    inside = [float(slope(s=at, d_s=1.0)[1]) for at in (1e-12, 1.0 - 1e-12)]
    np.testing.assert_allclose(inside, 1.0 if form == "linear" else 0.0, atol=1e-10)


@pytest.mark.parametrize("form", FORMS)
def test_9_4_5__load_over_a_cycle(form):
    """LHS 0 → RTO 1, left alone; RHS 1 → LTO 0, right alone (9.4)."""
    step, double = 0.55, 0.12
    events = {0.0: 0.0, double: 1.0, step: 1.0, step + double: 0.0, 2.0 * step - 1e-9: 0.0}
    for t, alpha in events.items():
        assert in_step(t, step, double, form) == pytest.approx(alpha, abs=1e-7)
        assert in_step(t + 6.0 * step, step, double, form) == pytest.approx(alpha, abs=1e-7)
    for t in (0.02, 0.3, 0.6, 0.9):  # the other side half a cycle later
        assert in_step(t + step, step, double, form) == pytest.approx(1.0 - in_step(t, step, double, form), abs=1e-14)


def walked(t, form, step=0.55, double=0.12):
    """The force of a virtual leg while a body walks by: G, feet and spin are smooth functions of time."""
    body = BODY._replace(
        centre=np.array([1.2 * t, 0.02 * np.sin(6.0 * t), 0.9 + 0.02 * np.cos(11.0 * t)]),
        velocity=np.array([1.2, 0.12 * np.cos(6.0 * t), -0.22 * np.sin(11.0 * t)]),
        spin=np.array([0.5 * np.sin(3.0 * t), 1.0, 0.2]),
    )
    n = np.floor((t + 0.2) / (2.0 * step))  # each foot has its place from well before its strike until after it is off
    left = np.array([1.2 * (2.0 * n * step) + 0.2, 0.1, 0.0])
    m = np.floor((t - step + 0.2) / (2.0 * step))
    right = np.array([1.2 * ((2.0 * m + 1.0) * step) + 0.2, -0.1, 0.0])
    alpha = in_step(t, step, double, form)
    virtual = span(virtual_foot([left, right], shares(alpha)), np.zeros(3), body)
    moment = wanted_moment(WALKING, body.spin, np.zeros(3))
    found = leg_force(WALKING, virtual, moment, Given(1.15).length(WALKING, virtual, body, moment))
    return found.force


WALKING = Leg(12e3, 400.0, 6.0)
BODY = body_of(*(lambda f, q, u, _: (f, kinematics(f, q, u)))(*standing()))
EVENTS = {"left heel strike": 1.1, "right toe-off": 1.1 + 0.12, "right heel strike": 1.65, "left toe-off": 1.65 + 0.12}


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("form", FORMS)
def test_9_7__force_is_continuous_through_strike_and_toe_off(form, event):
    t = EVENTS[event]
    near, far = (np.abs(walked(t + h, form) - walked(t - h, form)).max() for h in (1e-9, 1e-3))
    assert near < 1e-3 < far, (near, far)  # the force changes by some 1e4 N/s: 2e-5 N in 2 ns, 20 N in 2 ms


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("form", FORMS)
def test_9_7__so_is_its_rate_for_cosine_and_cubic(form, event):
    """The jump of the rate: one-sided differences of second order, in N/s; that of linear is the kink of α."""
    t, h = EVENTS[event], 1e-5
    right, left = ((-3.0 * walked(t, form) + 4.0 * walked(t + s, form) - walked(t + 2.0 * s, form)) / (2.0 * s)
                   for s in (h, -h))  # fmt: skip
    jump = np.abs(right - left).max()
    assert (jump < 0.01) if form in SMOOTH else (jump > 5e3), jump


def test_what_is_no_blend_is_answered_with_those_there_are():
    with pytest.raises(
        InputError, match=r"No blend 'cosin'. Did you mean 'cosine'\? Choose one of: linear, cosine, cubic"
    ):
        blend("cosin", 0.5)
