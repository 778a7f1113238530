"""`ap.walk` by the walker: the least surprising method, words that are refused, events, what holds it; an aid."""

from itertools import pairwise

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import AnthropiError, StepError
from anthropi.gait import Schedule
from anthropi.gait.report import headline
from anthropi.gait.walker.external_aid import Aid, aids_of, moments
from anthropi.gait.walker_walk import speed_range, walker_session
from anthropi.gait.walking import METHODS, method_of

STANDARD, WOMAN, THESIS = ap.human(1.75, 75), ap.human(1.6, 55, "f"), ap.human(detail="thesis42")


@pytest.fixture(scope="module")
def motion():
    """Seven steps on the gait."""
    return ap.walk(STANDARD, 7, speed=1.3)


@pytest.fixture(scope="module")
def aided():
    return ap.walk(STANDARD, 3, speed=1.3, aid=Aid("thorax", stiffness=200.0, damping=20.0))


def test_the_least_surprising_method():
    assert list(METHODS) == ["walker", "hidds"]
    assert method_of(STANDARD, ()) == method_of(STANDARD, ("dt", "progress")) == "walker"
    assert method_of(ap.Scene(STANDARD, features="feet"), ("style",)) == "walker"
    assert method_of(THESIS, ()) == method_of(ap.human(detail="full"), ()) == method_of(None, ()) == "hidds"
    for asks in ("schedule", "step_length", "step_frequency", "first", "determinants", "frozen", "symmetric"):
        assert method_of(STANDARD, (asks,)) == "hidds"
    assert method_of(STANDARD, ("style",), "hidds") == "hidds"


def test_a_walk_has_its_steps_its_events_and_nothing_at_the_root(motion):
    about, plan = motion.metadata["walk"], motion.metadata["walk"]["plan"]
    assert about | {"plan": None} == {"method": "walker", "kind": "walk", "speed": 1.3, "steps": 7, "style": "natural",
                                     "start": "walk", "plan": None, "fell": False}  # fmt: skip
    strikes = [event for event in motion.events if event.what == "strike"]
    assert len(strikes) == 8 and strikes[0].time < 0.03  # the left foot has just struck
    assert all(a.foot != b.foot for a, b in pairwise(strikes))
    steps = np.diff([event.time for event in strikes])
    assert np.abs(steps - plan["step_time"]).max() < 0.15 * plan["step_time"]
    assert motion.metadata["aid"] is None and np.abs(motion.tau[:, :6]).max() == 0.0
    assert motion.channels["contact"].shape[1:] == (len(motion.metadata["contacts"]), 3)
    lengths = np.linalg.norm(motion.q[:, 3:7], axis=1)
    assert np.abs(lengths - 1.0).max() < 1e-12


@pytest.mark.slow
def test_the_headline_says_what_holds_it(motion, aided):
    report = ap.gait_report(motion)
    assert report["external aid"].values == {"": 0.0} and report["external aid"].verdict == "pass"
    text = headline(motion, report, real_time=150.2)
    for words in ("falls                   0", "force at the root       none", "external aid            none", "GPS",
                  "step time", "positive joint work", "real-time factor        150"):  # fmt: skip
        assert words in text, words
    assert all(len(line) < 80 for line in text.splitlines())
    assert "the largest; the motion is not purely physical" in headline(aided, gait=False)
    assert "no gait report" in headline(motion.slice(0.0, 0.4)) and "GPS" not in headline(motion, gait=False)


@pytest.mark.slow
def test_an_aid_is_told_in_the_report(aided, motion):
    most = np.linalg.norm(aided.channels["aid"], axis=-1)
    assert aided.metadata["aid"] == [Aid("thorax", stiffness=200.0, damping=20.0).to_dict()]
    assert 1.0 < most.max() < 100.0
    np.testing.assert_allclose(aided.channels["aid"], moments(aided, aids_of(STANDARD, Aid(stiffness=200, damping=20))))
    row = ap.gait_report(aided)["external aid"]
    assert row.values[""] > 1.0 and row.verdict == "fail"
    lean = [np.asarray(ap.kinematics(STANDARD, m.q[:150]).link("thorax").rotation)[:, 2, 2] for m in (aided, motion)]
    assert lean[0].min() > lean[1].min()  # more upright than by itself


def test_the_moment_of_an_aid():
    turn = ap.rotation.matrix_from_rotation_vector(np.array([0.0, 0.3, 0.0]))
    pulled = Aid("head", axes="xyz", stiffness=10.0, damping=2.0).moment(turn, np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(pulled, [0.0, -10.0 * np.sin(0.3), -2.0], atol=1e-12)  # (1)
    about = ap.rotation.matrix_from_rotation_vector(np.array([0.0, 0.0, 2.0]))
    np.testing.assert_allclose(Aid(axes="z", damping=0.0).moment(about, np.zeros(3)), 0.0, atol=1e-12)  # free about z
    wanted = Aid(axes="xyz", turn=(0.0, 0.3, 0.0), damping=0.0)
    np.testing.assert_allclose(wanted.moment(turn, np.zeros(3)), 0.0, atol=1e-12)


def test_speeds_are_those_of_the_body():
    low, usual, high = speed_range(STANDARD)
    assert (round(low, 2), round(usual, 2), round(high, 2)) == (0.2, 1.3, 2.0)
    assert 0.9 < speed_range(WOMAN)[1] / usual < 0.98 and speed_range(STANDARD, "run")[1] == pytest.approx(
        3.0, abs=0.01
    )


@pytest.mark.slow
def test_words_say_what_is_done():
    session, style, speed = walker_session(STANDARD, style="very tired", start="stand")
    assert style.name == "very tired" and speed == pytest.approx(1.3 * style.speed, abs=1e-3) and session.stands
    obeyed = ap.walk(STANDARD, script="stand 0.5 s; walk tired for 1 s; stop")
    assert obeyed.metadata["walk"]["kind"] == "script" and "tired" in obeyed.metadata["walk"]["script"]
    assert obeyed.time[-1] > 2.5 and obeyed.metadata["walk"]["steps"] >= 1


def test_a_fall_is_an_error_that_has_the_motion():
    own = ap.gait.walker.load_walker("natural")
    weak = own._replace(parameters=own.parameters | {"knee": 0.05 * own.parameters["knee"]})
    with pytest.raises(StepError, match=r"fell at .* strict=False") as error:
        ap.walk(STANDARD, 5, walker=weak)
    assert error.value.motion.metadata["walk"]["fell"]
    assert "falls                   1" in headline(error.value.motion, gait=False)


@pytest.mark.parametrize(("figure", "given", "words"), [
    (STANDARD, {"speed": 2.1}, r"0\.20 to 2\.00 m/s\. .* runs from 2\.70 m/s \(kind='run'\); no parameter set"),
    (STANDARD, {"speed": 2.8}, r"0\.20 to 2\.00 m/s\. Use kind='run' to run"),
    (STANDARD, {"speed": -0.1}, r"0\.20 to 2\.00"),
    (STANDARD, {"speed": 0.0}, r"0\.20 to 2\.00 m/s.* falls .* To stand, use a script"),
    (STANDARD, {"speed": float("nan")}, "finite"),
    (STANDARD, {"speed": "fast"}, "finite"),
    (STANDARD, {"speed": 2.0, "kind": "run"}, r"runs at 2\.70 to 3\.30"),
    (STANDARD, {"kind": "runn"}, "Did you mean 'run'"),
    (STANDARD, {"kind": "run", "start": "stand"}, "not possible for kind='run'. Choose one of: walk"),
    (STANDARD, {"start": "stnd"}, "Did you mean 'stand'"),
    (STANDARD, {"style": "hapily"}, "Did you mean 'happily'"),
    (STANDARD, {"steps": 2.5}, "whole number"),
    (STANDARD, {"dt": 0.1}, "dt=0.1"),
    (STANDARD, {"walker": "naturl"}, "Did you mean 'natural'"),
    (STANDARD, {"styl": "tired"}, "Did you mean 'style'"),
    (STANDARD, {"style": "tired", "step_length": 0.6}, "Leave one out"),
    (STANDARD, {"style": "tired", "method": "hidds"}, "method='hidds' has no option 'style'"),
    (STANDARD, {"script": "walk", "speed": 1.0}, "sets the whole walk, and speed"),
    (STANDARD, {"script": "run 3 s"}, "Use `anthropi run` instead"),
    (STANDARD, {"aid": Aid("torax")}, "Did you mean 'thorax'"),
    (STANDARD, {"aid": 3}, "Aid"),
    (STANDARD, {"schedule": Schedule, "method": "walker"}, "no option 'schedule'"),
    (THESIS, {"style": "tired"}, r"detail='standard'.*method='hidds'"),
    (None, {"style": "tired"}, "human figure"),
])  # fmt: skip
def test_what_cannot_be_walked_is_refused_in_words(figure, given, words):
    with pytest.raises(AnthropiError, match=words):
        ap.walk(figure, **given)


@pytest.mark.parametrize(("given", "words"), [
    ({"axes": "zz"}, "axes"), ({"axes": ""}, "axes"), ({"stiffness": -1.0}, "stiffness"), ({"damping": 1e9}, "damping"),
    ({"turn": (0.0, 1.0)}, "turn"), ({"stiffness": float("nan")}, "stiffness"),
])  # fmt: skip
def test_what_is_no_aid_is_refused_in_words(given, words):
    with pytest.raises(AnthropiError, match=words):
        Aid(**given)
