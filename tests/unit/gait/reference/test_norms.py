"""The norms: the figures fit the data they come from, interpolation keeps between them, scores are right."""

import csv
import importlib.util
import math
from itertools import pairwise

import numpy as np
import pytest

from anthropi.errors import InputError
from anthropi.gait.reference import norms
from anthropi.gait.reference.norms import ADULTS, FILE

PHASE = np.linspace(0.0, 1.0, 51)


@pytest.fixture(scope="module")
def fit(root):
    """Give the tool that made the figures."""
    spec = importlib.util.spec_from_file_location("fit_norms", root / "tools" / "fit_norms.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_file_is_what_the_tool_makes_of_the_data(fit, shared):
    wanted = [line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    made = [",".join(row) for row in fit.rows(shared)]
    assert len(made) == len(wanted)
    for a, b in zip(made, wanted, strict=True):
        x, y = a.split(","), b.split(",")
        assert x[:5] == y[:5] or x[0] == "scalar"
        numbers = [[float(v) for v in row[5 if row[0] == "series" else 4 :]] for row in (x, y)]
        np.testing.assert_allclose(*numbers, atol=1.1e-3)  # rounded to 1e-3 (deg) or 1e-4, on another machine's LAPACK


def test_the_file_cites_its_source():
    head = FILE.read_text(encoding="utf-8")[:1200]
    assert "Schwartz" in head and "CC BY 4.0" in head and "J. Biomech. 41 (2008) 1639" in head


def test_curves_come_back_at_the_five_speeds(fit, shared):
    """Root mean square against the sheet: angles 0.11 deg, forces 0.016 BW, moments 0.029 N m/kg, powers 0.037 W/kg."""
    most = {"deg": 0.11, "BW": 0.016, "N m/kg": 0.029, "W/kg": 0.037}
    for (name, unit, speed), (phase, mean, sd) in fit.sheet(shared).items():
        curve, turn = norms.curve(name, speed), 180.0 / math.pi if unit == "deg" else 1.0
        for found, wanted in ((curve.mean(phase), mean), (curve.sd(phase), sd)):
            assert np.sqrt(np.mean((turn * found - wanted) ** 2)) < most[unit], (name, speed)


def test_speeds_are_the_sheets(shared):
    with open(shared / "normative" / "schwartz2008_scalars.csv", encoding="utf-8") as file:
        rows = {r["speed"]: float(r["mean"]) for r in csv.DictReader(file) if r["parameter"] == "Dimensionless Speed"}
    assert rows == pytest.approx(norms.SPEEDS, rel=1e-9)


def test_between_two_speeds_curves_stay_between():
    """Coefficients never overshoot; curves, sums of them, leave the range of both sides by 0.34 degrees at most."""
    speeds = list(norms.SPEEDS.values())
    for name in norms.GPS_CURVES:
        for a, b in pairwise(speeds):
            low, high = (norms.curve(name, v) for v in (a, b))
            ends = np.sort([low.mean_series, high.mean_series], axis=0)
            bounds = np.sort([low.mean(PHASE), high.mean(PHASE)], axis=0)
            for s in (0.25, 0.5, 0.75):
                between = norms.curve(name, a + s * (b - a))
                assert (between.mean_series >= ends[0] - 1e-12).all()
                assert (between.mean_series <= ends[1] + 1e-12).all()
                x = np.degrees(between.mean(PHASE) - bounds)
                assert x[0].min() > -0.35 and x[1].max() < 0.35


def test_curves_change_smoothly_with_speed():
    """The slope over speed is the same on both sides of a speed of the data."""
    for v in list(norms.SPEEDS.values())[1:-1]:
        x = [norms.curve("knee_flexion", v + h).mean(PHASE) for h in (-2e-5, -1e-5, 0.0, 1e-5, 2e-5)]
        before, after = (1.5 * x[2] - 2.0 * x[1] + 0.5 * x[0]) / 1e-5, (-1.5 * x[2] + 2.0 * x[3] - 0.5 * x[4]) / 1e-5
        np.testing.assert_allclose(before, after, atol=1e-4 * np.abs(before).max() + 1e-6)


def test_curves_repeat_and_stay_beyond_the_speeds():
    curve = norms.curve("hip_flexion", 0.5)
    np.testing.assert_allclose(curve.mean(PHASE + 1.0), curve.mean(PHASE), atol=1e-12)
    slow = norms.curve("hip_flexion", 0.12)
    np.testing.assert_array_equal(slow.mean(PHASE), norms.curve("hip_flexion", "very_slow").mean(PHASE))
    assert (norms.curve("grf_vertical", "fast").sd(PHASE) >= 0.0).all()


def test_scalars():
    assert norms.scalars("foot_off", "free").mean == pytest.approx(0.59)
    peak = norms.scalars("knee_flexion_max_swing", "free")
    assert math.degrees(peak.mean) == pytest.approx(60.455, abs=1e-2) and peak.unit == "rad"
    found = [norms.scalars("step_length", v).mean for v in (0.2, 0.35, 0.5)]
    assert sorted(found) == found


def test_refusals():
    with pytest.raises(InputError, match=r"speeds from 0.1 to 0.8"):
        norms.curve("knee_flexion", 0.95)
    with pytest.raises(InputError, match=r"have no curve 'knee_flex'.*knee_flexion"):
        norms.curve("knee_flex", 0.4)
    with pytest.raises(InputError, match="have no speed 'quick'"):
        norms.curve("knee_flexion", "quick")


def test_adults_are_a_fit_of_the_table(fit, shared):
    assert fit.adults(shared) == pytest.approx(ADULTS, rel=1e-3)
    step = norms.adult_step(1.24, 0.9)
    assert abs(step.step_length - 0.634) < step.step_length_sd  # the young of the table: 0.634 ± 0.062 m, 118 ± 9
    assert abs(step.step_frequency - 118.0) < step.step_frequency_sd
    assert step.step_length * step.step_frequency / 60.0 == pytest.approx(1.24)


def test_gps_by_hand():
    """Nine curves off by 1 to 9: √(mean of 1, 4, …, 81) on one side; the pelvis counts once for both sides."""
    norm = {name: np.zeros(51) for name in norms.GPS_CURVES}
    off = {name: np.full(51, float(k)) for k, name in enumerate(norms.GPS_CURVES, 1)}
    assert norms.gps(off, norm).gps == pytest.approx(math.sqrt(285.0 / 9.0))
    both = norms.gps({"l": off, "r": off}, norm)
    assert both.gps == pytest.approx(math.sqrt((14.0 + 2.0 * 271.0) / 15.0))
    assert both.sides == pytest.approx({"l": math.sqrt(285.0 / 9.0), "r": math.sqrt(285.0 / 9.0)})
    assert norms.gps(off, norm, offsets=False).gps == pytest.approx(0.0)
    with pytest.raises(InputError, match="needs foot_progression"):
        norms.gps({k: v for k, v in off.items() if k != "foot_progression"}, norm)


def test_gps_of_the_norms_own_people(shared):
    """A child that deviates by one deviation everywhere scores what the calibration says: 5.8 degrees at free speed."""
    curves = {name: norms.curve(name, "free") for name in norms.GPS_CURVES}
    child = {name: c.mean(PHASE) + c.sd(PHASE) for name, c in curves.items()}
    text = (shared / "normative" / "human_vs_schwartz_calibration.txt").read_text(encoding="utf-8")
    said = next(float(line.split()[-1]) for line in text.splitlines() if "9 curves) free" in line)
    assert math.degrees(norms.gps(child, curves).gps) == pytest.approx(said, abs=0.03)
