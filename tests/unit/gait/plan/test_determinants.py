"""What Saunders says of each determinant: at key instants, and over plans, amplitudes and forms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anthropi as ap
from anthropi.errors import InputError
from anthropi.gait.plan.cycle_curves import FORMS, CycleCurve
from anthropi.gait.plan.determinants import DEFAULTS, DETERMINANTS, Determinant

WALK = ap.gait.GaitPlan(step_frequency=100)
PHASE = np.linspace(0.0, 1.0, 401)
plans = st.floats(50.0, 150.0).map(lambda sf: ap.gait.GaitPlan(step_frequency=sf))
forms = st.sampled_from(FORMS)
sizes = st.floats(0.0, 2.0)  # times the default amplitude
rad = math.radians


def sized(name: str, size: float, form: str) -> "ap.gait.Determinants":
    return ap.gait.Determinants(form=form).changed(**{name: {"amplitude": size * DEFAULTS[name].amplitude}})


# the two of the pelvis -----------------------------------------------------------------------------------------------


@given(size=sizes, form=forms)
def test_pelvic_rotation_is_largest_at_contact_and_zero_at_mid_step(size, form):
    turn = sized("pelvic_rotation", size, form).pelvic_rotation_at
    most = min(size, 1.0) * rad(4)  # -4 … 4 degrees whatever the amplitude
    assert turn(np.array([0.0, 0.5, 1.0])) == pytest.approx(
        [-most, most, -most], abs=1e-15
    )  # the striking side forward
    assert turn(np.array([0.25, 0.75])) == pytest.approx([0.0, 0.0], abs=1e-15)
    assert abs(turn(PHASE)).max() <= rad(4) + 1e-15 and abs(turn(PHASE)).max() == pytest.approx(most, abs=1e-15)


@given(size=sizes, form=forms)
def test_pelvic_tilt_is_down_on_the_swing_side_most_at_mid_step(size, form):
    tilt = sized("pelvic_tilt", size, form).pelvic_tilt_at
    most = min(size, 1.0) * rad(5)
    assert tilt(np.array([0.25, 0.75])) == pytest.approx([most, -most], abs=1e-15)  # left stands: its side is up
    assert tilt(np.array([0.0, 0.5, 1.0])) == pytest.approx([0.0] * 3, abs=1e-15)
    assert abs(tilt(PHASE)).max() == pytest.approx(most, abs=1e-15)
    for plan in (WALK, ap.gait.GaitPlan(step_frequency=60)):  # all through single support, not only in its middle
        alone = plan.double_support / plan.cycle + 1e-6, 0.5 - 1e-6
        assert (tilt(np.linspace(*alone, 50)) >= 0.0).all()


# the two of the knee -------------------------------------------------------------------------------------------------


@given(plan=plans, form=forms)
def test_the_stance_knee_is_extended_flexed_extended_flexed(plan, form):
    s = plan.stance_fraction
    stance = np.linspace(0.0, s, 801)
    knee = ap.gait.Determinants(form=form).knee_at(stance, plan)
    turns = np.nonzero(np.diff(np.sign(np.diff(knee))))[0] + 1
    first, again = knee[turns[0]], knee[turns[-1]]
    assert len(turns) == 2  # flexes, extends, flexes: no more
    assert knee[0] == pytest.approx(0.0, abs=1e-12) and again < rad(1.0)  # extended
    assert first == pytest.approx(min(15.0 * plan.step_frequency / 100, 45.0) * math.pi / 180, rel=1e-3)
    assert knee[-1] > 1.8 * first and 0.2 < turns[0] / 800 < 0.26 and 0.6 < turns[-1] / 800 < 0.7


@given(sf=st.floats(50.0, 150.0), more=st.floats(1.01, 1.2), form=forms)
def test_knee_flexion_grows_with_the_step_length(sf, more, form):
    curves = ap.gait.Determinants(form=form)
    short, long = (ap.gait.GaitPlan(step_frequency=sf, step_length=k * 0.004 * sf * 1.75) for k in (1.0, more))
    stance, swing = np.linspace(0.0, 0.4, 200), np.linspace(0.55, 1.0, 400)
    assert curves.knee_at(stance, long).max() > curves.knee_at(stance, short).max()
    top = curves.knee_at(swing, short).max()
    assert curves.knee_at(swing, long).max() > top or top == pytest.approx(rad(75), rel=1e-3)  # until the upper limit


@given(plan=plans, form=forms)
def test_the_swing_knee_flexes_most_early_in_swing_and_is_extended_at_contact(plan, form):
    curves, s = ap.gait.Determinants(form=form), plan.stance_fraction
    swing = np.linspace(s, 1.0, 400)
    knee = curves.knee_at(swing, plan)
    most = knee.argmax()
    assert 0.2 < most / 399 < 0.4 and rad(45) < knee[most] <= rad(75)
    assert (np.diff(knee[:most]) > 0).all() and (np.diff(knee[most + 1 :]) < 1e-12).all()
    assert knee[-1] == pytest.approx(0.0, abs=1e-12)
    other = curves.knee_at(PHASE + 0.5, plan, "r")
    assert other == pytest.approx(curves.knee_at(PHASE, plan, "l"), abs=1e-12)  # a step later, the same


def test_free_walking_flexes_the_knees_by_15_and_60_degrees():
    knee = np.degrees(ap.gait.Determinants().knee_at(np.linspace(0, 1, 2001), WALK))
    assert knee[:600].max() == pytest.approx(15.0, abs=0.01) and knee.max() == pytest.approx(60.0, abs=0.01)


# foot, and G ---------------------------------------------------------------------------------------------------------


@given(plan=plans, form=forms)
def test_the_foot_rolls_over_heel_and_forefoot(plan, form):
    s = plan.stance_fraction
    pitch = ap.gait.Determinants(form=form).foot_pitch_at(np.linspace(0.0, s, 801), plan)
    assert rad(13) < pitch[0] <= rad(30)  # on the heel
    flat = np.linspace(0.0, s, 801)[abs(pitch) < 1e-9] / s
    assert flat.min() == pytest.approx(0.12, abs=0.01) and flat.max() >= 0.5 - 0.01  # then flat
    assert rad(-75) <= pitch[-1] < rad(-40) and pitch.min() == pitch[-1]  # then on the forefoot, the heel rising
    assert (np.diff(pitch) < 1e-12).all()  # one way all the time
    swing = ap.gait.Determinants(form=form).foot_pitch_at(np.linspace(s, 1.0, 400), plan)
    assert (np.diff(swing) > -1e-12).all() and swing[-1] == pytest.approx(pitch[0], abs=1e-12)


@given(plan=plans, form=forms, size=sizes)
def test_the_centre_goes_over_the_standing_foot_twice_a_cycle(plan, form, size):
    y = sized("lateral", size, form).lateral_at(PHASE, plan)
    most = y.max()
    assert most == y[100] and most <= 0.05 and y.min() == pytest.approx(-most, abs=1e-12) and y.argmin() in (300, 0)
    assert y[[0, 200, 400]] == pytest.approx([0.0] * 3, abs=1e-12)
    crossings = np.count_nonzero(np.diff(np.sign(y[1:-1][abs(y[1:-1]) > 1e-12])))
    assert crossings == (1 if most > 1e-12 else 0)  # left half, right half
    if size > 0.0:
        faster = ap.gait.GaitPlan(step_frequency=plan.step_frequency * 1.05)
        assert sized("lateral", size, form).lateral_at(0.25, faster) <= most  # narrower when faster


def test_lateral_excursions_as_remembered_of_orendurff():
    for v, side_to_side in ((0.7, 0.0699), (1.6, 0.0385)):
        found = 2.0 * ap.gait.Determinants().lateral_at(0.25, ap.gait.GaitPlan(velocity=v))
        assert found == pytest.approx(side_to_side, rel=0.05)


# switches, limits, timing --------------------------------------------------------------------------------------------


def all_curves(d, phase, plan=WALK) -> dict:
    return {"pelvic_rotation": d.pelvic_rotation_at(phase), "pelvic_tilt": d.pelvic_tilt_at(phase),
            "knee": d.knee_at(phase, plan), "foot_ankle": d.foot_pitch_at(phase, plan),
            "lateral": d.lateral_at(phase, plan)}  # fmt: skip


@pytest.mark.parametrize("name", DETERMINANTS)
def test_a_switch_takes_its_determinant_out_and_nothing_else(name):
    whole, part = (all_curves(d, PHASE) for d in (ap.gait.Determinants(), ap.gait.Determinants().without(name)))
    own = "knee" if "knee" in name else name
    for curve in whole:
        if curve != own:
            assert (part[curve] == whole[curve]).all()
    if own != "knee":
        assert not part[own].any()
    s = WALK.stance_fraction
    if name == "stance_knee":  # extended all through stance; swing as ever
        assert not part["knee"][s >= PHASE].any() and part["knee"].max() == pytest.approx(whole["knee"].max(), rel=1e-3)
    if name == "swing_knee":  # what stance flexed extends again
        assert part["knee"].max() == pytest.approx(rad(15), rel=1e-3) and part["knee"][-1] == pytest.approx(
            0, abs=1e-12
        )


def test_none_is_the_gait_of_a_pair_of_compasses():
    for curve in all_curves(ap.gait.Determinants().only(), PHASE).values():
        assert not curve.any()
    assert not all_curves(ap.gait.Determinants().only("lateral"), PHASE)["knee"].any()


@given(form=forms, size=sizes, low=st.floats(-0.3, 0.0), room=st.floats(0.01, 0.5), name=st.sampled_from(DETERMINANTS))
def test_limits_hold_everywhere(form, size, low, room, name):
    d = sized(name, size, form).changed(**{name: {"lower": low, "upper": low + room}})
    if "knee" in name:
        other = {"stance_knee": "swing_knee", "swing_knee": "stance_knee"}[name]
        d = d.without(other)
    curve = all_curves(d, PHASE)["knee" if "knee" in name else name]
    assert curve.min() >= min(low, 0.0) - 1e-12 and curve.max() <= max(low + room, 0.0) + 1e-12
    assert curve[0] == pytest.approx(curve[-1], abs=1e-12)


def test_a_limit_cuts_at_the_key_instants():
    d = ap.gait.Determinants().changed(pelvic_rotation={"upper": rad(1)}, swing_knee={"upper": rad(50)})
    assert d.pelvic_rotation_at(0.5) == rad(1) and d.pelvic_rotation_at(0.0) == rad(-4)
    assert d.knee_at(PHASE, WALK).max() == pytest.approx(rad(50), rel=1e-3)
    assert ap.gait.Determinants().changed(stance_knee={"lower": rad(5)}).knee_at(0.0, WALK) == rad(5)  # never straight


@pytest.mark.parametrize("name", ["pelvic_rotation", "pelvic_tilt", "lateral"])
def test_timing_shifts_a_whole_curve(name):
    late = all_curves(ap.gait.Determinants().changed(**{name: {"timing": 0.03}}), PHASE + 0.03)[name]
    assert late == pytest.approx(all_curves(ap.gait.Determinants(), PHASE)[name], abs=1e-12)


def test_timing_shifts_the_inner_keys_of_a_leg():
    late = ap.gait.Determinants().changed(stance_knee={"timing": 0.03}, swing_knee={"timing": 0.02})
    fine = np.linspace(0.0, 1.0, 10001)
    for start, end, by in ((0.0, 0.35, 0.03), (WALK.stance_fraction, 1.0, 0.02)):
        part = fine[(fine >= start) & (fine <= end)]
        peaks = [part[d.knee_at(part, WALK).argmax()] for d in (ap.gait.Determinants(), late)]
        assert peaks[1] - peaks[0] == pytest.approx(by, abs=1e-3)
    much = ap.gait.Determinants().changed(stance_knee={"timing": 0.25}, foot_ankle={"timing": -0.25})
    assert much.knee_at(WALK.stance_fraction, WALK) == ap.gait.Determinants().knee_at(WALK.stance_fraction, WALK)
    assert much.foot_pitch_at(0.0, WALK) > 0.0  # keys stay in order


def test_what_is_set_is_told_with_units():
    text = " ".join(ap.gait.Determinants().without("lateral").table().split())
    for words in (
        "pelvic rotation 4.0 deg -4.0 … 4.0 0.0 % of the cycle",
        "swing knee 60.0 deg 0.0 … 75.0",
        "lateral off",
    ):
        assert words in text


def test_scale_tells_the_amplitude_over_the_default():
    d = ap.gait.Determinants().changed(pelvic_tilt={"amplitude": rad(2.5)}).without("lateral")
    assert [round(d.scale(name), 12) for name in DETERMINANTS] == [1.0, 0.5, 1.0, 1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ap.gait.Determinants().without("pelvic_tlit"), r"'pelvic_tlit'. Did you mean 'pelvic_tilt'\?"),
        (
            lambda: ap.gait.Determinants().changed(lateral={"size": 1.0}),
            r"no parameter 'size'.*amplitude, lower, upper, timing, on",
        ),
        (lambda: ap.gait.Determinants(form="cubic"), r"form='cubic'.*smooth, linear, cosine"),
        (lambda: ap.gait.Determinants(lateral=0.1), r"lateral=0\.1\. Give a Determinant"),
        (lambda: Determinant(1.0, 0.0, math.nan), "upper=nan"),
        (lambda: Determinant(-1.0, 0.0, 1.0), r"amplitude=-1.*on=False"),
        (lambda: Determinant(1.0, 1.0, 0.0), "lower=1 above upper=0"),
        (lambda: Determinant(1.0, 0.0, 1.0, timing=0.4), r"timing=0\.4"),
        (lambda: Determinant(1.0, 0.0, 1.0, on=1), "on=1"),
        (lambda: Determinant("4", 0.0, 1.0), "amplitude='4'"),
        (lambda: Determinant(1.0, None, 1.0), "lower=None"),
        (lambda: CycleCurve((0.0, 0.5), (1.0,)), "the same number of both"),
        (lambda: CycleCurve((0.5, 0.0), (1.0, 2.0)), "phases that increase"),
        (lambda: CycleCurve((0.0, 0.5), (1.0, 2.0), "smoth"), r"Did you mean 'smooth'\?"),
    ],
)
def test_what_is_no_determinant_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()


# curves between keys -------------------------------------------------------------------------------------------------


@given(values=st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=6), form=forms, first=st.floats(0.0, 0.5),
       gaps=st.lists(st.floats(0.05, 1.0), min_size=6, max_size=6))  # fmt: skip
def test_curves_pass_their_keys_stay_between_them_and_are_as_smooth_as_they_say(values, form, first, gaps):
    n = len(values)
    keys = first + np.concatenate([[0.0], np.cumsum(gaps[: n - 1]) / sum(gaps[:n])])
    curve = CycleCurve(tuple(keys), tuple(values), form)
    assert curve(keys) == pytest.approx(values, abs=1e-12) and curve(keys + 3.0) == pytest.approx(values, abs=1e-12)
    ends = [*keys, keys[0] + 1.0]
    for k in range(n):
        part = curve(np.linspace(ends[k], ends[k + 1], 60)[1:-1])
        rise = values[(k + 1) % n] - values[k]
        assert (np.diff(part) * np.sign(rise) >= -1e-12).all()  # (4): monotone, so no form leaves its keys' range
    step, span = 1e-7, np.diff(ends).min()
    for which, smooth in enumerate((True, form != "linear", form == "smooth"), 0):
        if smooth:
            before, after = curve.course(keys - step)[which], curve.course(keys + step)[which]
            most = 2.0 * (2.0, 6.0, 60.0)[which] / span ** (which + 1)  # the next derivative of a rise of 2 in a span
            assert np.abs(before - after).max() <= 2.0 * step * most + 1e-9


def test_linear_is_the_thesis_interpolation():
    d = ap.gait.Determinants(form="linear")
    assert d.pelvic_rotation_at(PHASE) == pytest.approx(np.interp(PHASE, [0, 0.5, 1], [-rad(4), rad(4), -rad(4)]))


@pytest.mark.parametrize("form", FORMS)
def test_derivatives_are_those_of_the_values(form):
    curve = CycleCurve((0.1, 0.4, 0.7), (0.0, 1.0, 0.3), form)
    x, h = np.linspace(0.0, 1.0, 57), 1e-5  # no key among them
    around = [curve(x + k * h) for k in (-1, 0, 1)]
    value, rate, bend = curve.course(x)
    assert (value == around[1]).all()
    assert rate == pytest.approx((around[2] - around[0]) / (2 * h), abs=1e-5)
    assert bend == pytest.approx((around[2] - 2 * around[1] + around[0]) / h**2, abs=2e-2)


@pytest.mark.parametrize("form", FORMS)
def test_curves_record_and_differentiate(form):
    d = ap.gait.Determinants(form=form)

    def all_of(x):
        return np.stack([*all_curves(d, x[0]).values(), d.knee_at(x[0], WALK, "r")])

    tape = ap.record(all_of, x=np.zeros(1)).jvp(seeds={"x": np.ones((1, 1))})
    kernel = ap.build(tape, target="replay")
    for x in np.linspace(-0.7, 1.9, 30):
        value, slope = kernel(np.array([x]))
        assert np.asarray(value) == pytest.approx(all_of(np.array([x])), abs=1e-14)
        near = (all_of(np.array([x + 1e-6])) - all_of(np.array([x - 1e-6]))) / 2e-6
        assert np.ravel(slope) == pytest.approx(near, abs=1e-4)


@pytest.mark.parametrize("form", ["smooth", "linear", "cosine"])
def test_limits_of_the_swing_knee_hold_where_stance_ends_and_begins(form):
    """Foot off and foot strike belong to both determinants."""
    plan, phase = ap.gait.GaitPlan(step_frequency=110), np.linspace(0.0, 1.0, 2001)
    swing = phase > plan.stance_fraction
    low = ap.gait.Determinants(form=form).changed(swing_knee={"upper": 0.1}).knee_at(phase, plan)
    assert low[swing].max() <= 0.1 + 1e-12 and low.max() > 0.2  # stance flexes more
    bent = ap.gait.Determinants(form=form).changed(swing_knee={"lower": 0.15}).knee_at(phase, plan)
    assert bent[swing].min() >= 0.15 - 1e-12 and bent.min() < 1e-3
    apart = {"stance_knee": {"upper": 0.1}, "swing_knee": {"lower": 0.2}}  # exclude each other: stance's hold
    both = ap.gait.Determinants(form=form).changed(**apart).knee_at(phase, plan)
    assert both[~swing].max() <= 0.1 + 1e-12


def test_numbers_of_numpy_are_numbers_and_others_are_refused():
    d = ap.gait.Determinants()
    for number in (np.float32(0.25), np.float64(0.25)):
        assert d.changed(pelvic_tilt={"amplitude": number}) == d.changed(pelvic_tilt={"amplitude": 0.25})
    assert d.changed(pelvic_tilt={"on": np.False_}) == d.without("pelvic_tilt")
    for odd in (0.1, None, d.pelvic_tilt):
        with pytest.raises(InputError, match=r"changed\(pelvic_tilt=.*give a dictionary such as {'amplitude'"):
            d.changed(pelvic_tilt=odd)
    with pytest.raises(InputError, match="not finite"):
        d.pelvic_rotation_at(np.nan)
