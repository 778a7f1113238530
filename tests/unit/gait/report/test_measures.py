"""Events, strides, scores and rows, on curves whose answers are known."""

import numpy as np
import pytest

from anthropi.errors import InputError, ShapeError
from anthropi.gait.reference.norms import SPEEDS
from anthropi.gait.report.criteria import Criterion, Row, adult_steps, criterion, score
from anthropi.gait.report.curves import smoothed
from anthropi.gait.report.foot_events import FootTimes, by_load, by_markers, from_events, over, strides

TIME = np.arange(0.0, 4.0, 0.01)


def test_score_of_a_shifted_norm():
    phase = np.linspace(0.0, 1.0, 101)
    mean, sd = np.sin(2 * np.pi * phase), np.full(101, 0.3)
    s = score(mean + 0.7, mean, sd)
    assert s.r == pytest.approx(1.0) and s.rmse == pytest.approx(0.7) and s.offset == pytest.approx(0.7)
    assert s.rmse_free == pytest.approx(0.0, abs=1e-12) and (s.inside, s.inside_free) == (0.0, 1.0)
    assert score(mean + 0.7, mean, sd, margin=0.11).inside == 1.0
    s = score(-2.0 * mean, mean, sd)
    assert s.r == pytest.approx(-1.0) and s.rmse == pytest.approx(3.0 * np.sqrt(50 / 101), rel=1e-9)
    assert np.isnan(score(np.ones(101), mean, sd).r)


def test_score_refuses_other_lengths():
    with pytest.raises(ShapeError, match="51"):
        score(np.zeros(51), np.zeros(101), np.zeros(101))


def test_load_passes_a_threshold_and_bounces_are_left_out():
    load = np.where((TIME > 1.0) & (TIME < 1.6), 700.0, 0.0)
    load[(TIME > 1.02) & (TIME < 1.045)] = 0.0  # bounces up
    load[(TIME > 2.5) & (TIME < 2.55)] = 300.0  # scuffs
    found = by_load(TIME, load)
    assert found.strike == pytest.approx([1.01]) and found.off == pytest.approx([1.6])


def test_markers_find_extremes_once_a_cycle():
    heel, toe = 0.3 * np.sin(2 * np.pi * TIME / 1.1), 0.3 * np.sin(2 * np.pi * (TIME - 0.1) / 1.1)
    heel = heel + 0.003 * np.sin(2 * np.pi * 8.0 * TIME)  # ripples are no strikes
    found = by_markers(TIME, heel, toe)
    assert np.allclose(found.strike, 1.1 / 4 + 1.1 * np.arange(len(found.strike)), atol=0.03)
    assert len(found.strike) == 4 and len(found.off) == 3
    assert np.allclose(found.off, 0.1 + 3 * 1.1 / 4 + 1.1 * np.arange(3), atol=1e-4)


def test_markers_need_a_cycle():
    with pytest.raises(InputError, match="cycle"):
        by_markers(TIME[:40], TIME[:40], TIME[:40])


def test_strides_lack_nothing():
    left = FootTimes(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.6, 1.6, 2.6]))
    right = FootTimes(np.array([0.5, 1.5]), np.array([0.1, 1.1, 2.1]))
    found = strides(left, right)
    assert [s.start for s in found] == [0.0, 1.0]  # in the third the right foot does not strike
    assert found[1] == (1.0, 1.1, 1.5, 1.6, 2.0) and found[0].span == 1.0
    assert not strides(FootTimes(np.array([0.0, 5.0]), np.array([1.0])), right)


def test_over_takes_lines_and_keeps_axes():
    x = over(TIME, np.stack([TIME, 2.0 * TIME], -1), 1.0, 2.005, 5)
    assert x.shape == (5, 2) and np.allclose(x[:, 1], 2.0 * np.linspace(1.0, 2.005, 5))


def test_told_reads_events_of_a_foot():
    from anthropi.gait.plan.phases import FootEvent

    events = (FootEvent(0.2, "l", "strike"), FootEvent(0.1, "r", "off"), FootEvent(0.9, "l", "off"))
    assert from_events(events, "l").strike.tolist() == [0.2] and from_events(events, "l").off.tolist() == [0.9]
    assert from_events(events, "r") is None  # it never strikes


def test_low_pass_keeps_slow_and_takes_fast():
    slow, fast = np.cos(2 * np.pi * 1.0 * TIME), np.cos(2 * np.pi * 40.0 * TIME)
    inner = slice(50, -50)
    assert np.abs(smoothed(TIME, slow, 10.0) - slow)[inner].max() < 1e-3  # 1/(1 + 0.1⁴)
    assert np.abs(smoothed(TIME, fast, 10.0))[inner].max() == pytest.approx(1.0 / 257.0, rel=0.1)


@pytest.mark.parametrize(("values", "verdict"), [
    ({"l": 1.0, "r": 2.0}, "pass"), ({"l": 1.0, "r": 2.1}, "fail"), ({"": 0.9}, "fail"),
    ({}, "not measured: record tau"), ({"l": float("nan"), "r": 1.0}, "not measured: no finite number"),
])  # fmt: skip
def test_verdicts(values, verdict):
    row = Row("g", "n", "u", values, Criterion("", 1.0, 2.0), "record tau")
    assert row.verdict == verdict
    assert ("0" in "".join(row.words()[3:5])) == row.measured  # a number that is not there is never shown as one


def test_limits_that_decide_nothing_are_reported_only():
    assert Row("g", "n", "u", {"": 0.0}, Criterion("", low=1.0, gated=False)).verdict == "reported only"
    assert Row("g", "n", "u", {"": 0.0}).verdict == "reported only"
    assert [Criterion(low=a, high=b).limits for a, b in ((1, 2), (1, None), (None, 2), (None, None))] == [
        "1.00 to 2.00", "≥ 1.00", "≤ 2.00", ""]  # fmt: skip
    assert Criterion(high=1e-6).limits == "≤ 1e-06" and Criterion(high=0.0).limits == "≤ 0.00"


@pytest.mark.parametrize(("name", "words"), [  # spec/gait.md 2.4
    ("F1", "1.13 ± 0.11 [C]"), ("valley", "0.78 ± 0.07 [C]"), ("F2", "1.10 ± 0.09 [C]"),
    ("braking", "-0.175 ± 0.041 [C]"), ("propulsion", "0.198 ± 0.027 [C]"), ("swing knee", "60.5 ± 4.8 [C]"),
    ("pelvic rotation", "12.0 ± 4.2 [C]"), ("pelvic obliquity", "4.4 ± 1.1 [C]"), ("foot off", "59.0 ± 2.0 [C]"),
    ("double support", "19.0 ± 2.0 [C]"),
])  # fmt: skip
def test_adults_at_free_speed_are_those_of_the_specification(name, words):
    assert criterion(name, SPEEDS["free"]).adults == words


def test_adults_go_with_speed():
    slow, fast = (criterion("F1", v) for v in ("very_slow", "very_fast"))
    assert slow.high < 1.5 and fast.low > 1.0 and "1.01" in slow.adults  # 2.4: 1.01 to 1.27 and on
    length, cadence = adult_steps(1.24, 0.9)
    assert length.low < 0.634 < length.high and cadence.low < 118.0 < cadence.high
    assert adult_steps(None, 0.9)[0].limits == ""
