"""The reference gait: near the norms, feet that stand, both sides alike, again and again; determinants do theirs."""

import csv
import json
from functools import cache

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError
from anthropi.gait.plan.determinants import DETERMINANTS, Determinants
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.reference import norms
from anthropi.gait.reference.gait_angles import gait_angles, leg_length
from anthropi.gait.report.plausibility import foot_clearance, foot_lines, sole_places

FIGURE = ap.human(1.75, 75.0)
FREE = 1.25  # [m/s]
SLIP, PENETRATION, SCUFF = 5e-3, 2e-3, 5e-3  # [m] the two lines; a swing foot above ground by the third
FAMILY = {name: norms.curve(name, "free") for name in norms.GPS_CURVES}


@cache
def gait(speed=FREE, kind="walk", height=1.75, timing="adults", off=(), steps=4):
    figure = FIGURE if height == 1.75 else ap.human(height, 22.0 * height**2)
    own = Determinants().without(*off)
    return ap.gait.reference_gait(figure, speed=speed, kind=kind, timing=timing, determinants=own, steps=steps)


def cycle_of(motion, points=51):
    """{side: angles over a cycle from that side's strike}"""
    cycle = 120.0 / motion.metadata["step_frequency"]
    times = {"l": 0.0, "r": 0.5 * cycle}
    at = {side: motion.at(start + np.linspace(0.0, cycle, points)).q for side, start in times.items()}
    return {side: gait_angles(motion.figure, q, side) for side, q in at.items()}


def holds(motion):
    lines = foot_lines(motion)
    assert lines.slip < SLIP and lines.penetration < PENETRATION and lines.clearance > SCUFF
    assert foot_clearance(motion, middle=0.9) > 0.0


def speed_of(name, figure=FIGURE):
    return norms.SPEEDS[name] * np.sqrt(9.81 * leg_length(figure))


@pytest.mark.parametrize("name", list(norms.SPEEDS))
def test_at_the_five_speeds_it_is_near_the_norm_with_feet_that_stand(name):
    """Measured 1.9 to 2.4 degrees; the issue's line is 3. Offsets are kept."""
    motion = gait(speed_of(name))
    holds(motion)
    found = norms.gps(cycle_of(motion), {n: norms.curve(n, name) for n in norms.GPS_CURVES})
    assert np.degrees(found.gps) < 3.0 and max(np.degrees(v) for v in found.sides.values()) < 3.0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["free", "very_fast"])
def test_steps_by_inman_are_near_too(name):
    """Measured 2.0 to 2.98 degrees: his steps are a tenth longer than the norm's people's."""
    motion = gait(speed_of(name), timing="inman")
    holds(motion)
    assert motion.metadata["step_length"] == pytest.approx(GaitPlan(velocity=speed_of(name)).step_length)
    found = norms.gps(cycle_of(motion), {n: norms.curve(n, name) for n in norms.GPS_CURVES})
    assert np.degrees(found.gps) < 3.0


@pytest.mark.slow
@pytest.mark.parametrize(("speed", "kind"), [(0.4, "walk"), (2.2, "walk"), (2.0, "run"), (3.5, "run"), (5.0, "run")])
def test_feet_stand_at_the_ends_of_the_speeds(speed, kind):
    holds(gait(speed, kind))


@pytest.mark.slow
@pytest.mark.parametrize("height", [1.15, 1.95])
def test_children_and_tall_people(height):
    figure = ap.human(height, 22.0 * height**2)
    motion = gait(speed_of("free", figure), height=height)
    holds(motion)
    assert np.degrees(norms.gps(cycle_of(motion), FAMILY).gps) < 3.0


def test_norms_it_was_not_fitted_to_cgm23(shared):
    """All nine curves; its signs are ours, offsets kept. Measured 3.7 degrees."""
    channels = {"pelvis_tilt": "PelvisAngles X", "pelvis_obliquity": "PelvisAngles Y",
                "pelvis_rotation": "PelvisAngles Z", "hip_flexion": "HipAngles X", "hip_adduction": "HipAngles Y",
                "hip_rotation": "HipAngles Z", "knee_flexion": "KneeAngles X", "ankle_dorsiflexion": "AnkleAngles X",
                "foot_progression": "FootProgressAngles Z"}  # fmt: skip
    rows: dict = {}
    with open(shared / "normative" / "cgm23_spont_long.csv", encoding="utf-8") as file:
        for r in csv.DictReader(file):
            rows.setdefault(f"{r['channel']} {r['axis']}", []).append(np.radians(float(r["mid"])))
    norm = {name: np.array(rows[channel]) for name, channel in channels.items()}
    assert np.degrees(norms.gps(cycle_of(gait(), 101), norm).gps) < 6.0


def test_norms_it_was_not_fitted_to_wbds(shared):
    """Six curves, all it has of the nine, offsets kept; measured 2.8 degrees.

    Channels go by their columns: X points forward there, so that RPelvisAngleX is obliquity and RPelvisAngleY rotation
    (the names in the file say the reverse; the other norms' curves say so too).
    """
    columns = {"pelvis_tilt": "RPelvisAngleZ", "pelvis_obliquity": "RPelvisAngleX", "pelvis_rotation": "RPelvisAngleY",
               "hip_flexion": "RHipAngleZ", "knee_flexion": "RKneeAngleZ",
               "ankle_dorsiflexion": "RAnkleAngleZ"}  # fmt: skip
    text = (shared / "normative" / "wbds_young_adult_harmonics.json").read_text(encoding="utf-8")
    series = {c["column"]: c["harmonics"] for c in json.loads(text)["channels"].values()}
    turn = 2.0 * np.pi * np.outer(np.linspace(0.0, 1.0, 101), np.arange(1, 7))
    norm = {n: np.radians(series[c]["offsetDegrees"] + np.cos(turn) @ series[c]["cosineDegrees"]
                          + np.sin(turn) @ series[c]["sineDegrees"]) for n, c in columns.items()}  # fmt: skip
    assert np.degrees(norms.gps(cycle_of(gait(), 101), norm, tuple(norm)).gps) < 6.0


def test_it_repeats_but_for_the_stride():
    motion = gait()
    last, stride = motion.q[-1].copy(), 2.0 * motion.metadata["step_length"]
    last[0] -= 2.0 * stride
    np.testing.assert_allclose(last, motion.q[0], atol=1e-12)
    np.testing.assert_allclose(motion.u[-1], motion.u[0], atol=1e-9)  # read off q over 2e-5 s


def test_both_sides_are_alike_half_a_cycle_apart():
    """Fifty frames a step: the second step is the first one's image in the mirror, a step further on."""
    step = 60.0 / gait().metadata["step_frequency"]
    motion = ap.gait.reference_gait(FIGURE, speed=FREE, steps=2, rate=50.0 / step)
    other = motion.mirror().q[:51].copy()
    other[:, 0] += motion.metadata["step_length"]
    assert len(motion) == 101
    np.testing.assert_allclose(FIGURE.difference(other, motion.q[50:]), 0.0, atol=1e-9)


def test_velocities_are_those_of_the_configurations():
    """u against differences over 2 h, h = 5 ms: the error is h²/6 of the third derivative, 3e4 rad/s³ in the toes."""
    motion = ap.gait.reference_gait(FIGURE, speed=FREE, steps=2, rate=200.0)
    h = motion.time[1] - motion.time[0]
    middle = FIGURE.difference(motion.q[:-2], motion.q[2:]) / (2.0 * h)
    legs = [k for k, name in enumerate(FIGURE.dofs) if "toe" not in name]
    np.testing.assert_allclose(middle[:, legs], motion.u[1:-1, legs], atol=0.1)
    assert np.abs(np.diff(motion.u[:, legs], axis=0)).max() < 2.0  # [rad/s] in 5 ms: no jump anywhere


def test_it_walks_at_the_speed_with_the_plans_events():
    motion = gait()
    assert (motion.q[-1, 0] - motion.q[0, 0]) / motion.time[-1] == pytest.approx(FREE, rel=1e-12)
    plan = GaitPlan.of(FIGURE, velocity=FREE, step_length=motion.metadata["step_length"])
    assert motion.events == plan.events(4)
    assert [e.foot + e.what for e in motion.events[:4]] == ["lstrike", "roff", "rstrike", "loff"]


@pytest.mark.slow
def test_running_flies():
    """Between foot off and the other's strike no sole is near the ground; between, one is."""
    motion = gait(3.5, "run")
    height = np.minimum(*(sole_places(motion, side)[..., 2].min(1) for side in "lr"))
    off, strike = motion.events[1].time, motion.events[2].time
    inside = (motion.time > off + 0.02) & (motion.time < strike - 0.02)
    assert motion.events[1].what == "off" and strike - off > 0.1 and height[inside].min() > 0.01
    assert height[motion.time < off].max() < 2e-3


@pytest.mark.slow
@pytest.mark.parametrize("name", DETERMINANTS)
def test_a_determinant_that_is_off_does_nothing(name):
    """Each is gone from where it was, the feet still stand, and the mass centre goes as Saunders says."""
    motion = gait(off=(name,))
    holds(motion)
    angles = [{n: np.degrees(v) for n, v in cycle_of(m, 101)["l"].items()} for m in (gait(), motion)]
    way = [ap.centre_of_mass(FIGURE, m.q)[0] for m in (gait(), motion)]
    early, swing = slice(0, 30), slice(60, 101)
    measure = {
        "pelvic_rotation": lambda k: np.ptp(angles[k]["pelvis_rotation"]),
        "pelvic_tilt": lambda k: np.ptp(angles[k]["pelvis_obliquity"]),
        "stance_knee": lambda k: np.ptp(angles[k]["knee_flexion"][early]),
        "foot_ankle": lambda k: sole_places((gait(), motion)[k], "l")[: len(gait()) // 4, :2, 2].max(),
        "swing_knee": lambda k: angles[k]["knee_flexion"][swing].max(),
        "lateral": lambda k: np.ptp(way[k][:, 1]),
    }[name]
    assert measure(1) < 0.45 * measure(0)
    if name in ("pelvic_rotation", "stance_knee", "foot_ankle"):
        assert np.ptp(way[1][:, 2]) > np.ptp(way[0][:, 2])


@pytest.mark.slow
def test_a_smoother_walk_asks_less_of_the_ground():
    """Accelerations of the mass centre fall, likeness too, lines hold."""
    motion = ap.gait.reference_gait(FIGURE, speed=speed_of("free"), smooth=3.0)
    holds(motion)
    assert np.degrees(norms.gps(cycle_of(motion), FAMILY).gps) < 3.0
    most = [np.abs(np.diff(ap.centre_of_mass(FIGURE, m.q)[0][:, [0, 2]], 2, axis=0)).max(0) for m in
            (gait(speed_of("free")), motion)]  # fmt: skip
    assert (most[1] < 0.7 * most[0]).all()


def test_a_larger_determinant_does_more():
    own = Determinants().changed(pelvic_rotation={"amplitude": 2.0 * Determinants().pelvic_rotation.amplitude})
    large = ap.gait.reference_gait(FIGURE, speed=FREE, determinants=own)
    found = [np.ptp(cycle_of(m)["l"]["pelvis_rotation"]) for m in (gait(), large)]
    assert 1.6 < found[1] / found[0] < 2.4


def test_without_feet_the_curves_are_the_norms():
    motion = ap.gait.reference_gait(FIGURE, speed=speed_of("free"), feet=False)
    found = norms.gps(cycle_of(motion), FAMILY).curves["l"]
    assert max(np.degrees(found[n]) for n in norms.GPS_CURVES if n not in ("foot_progression",)) < 0.3
    assert foot_lines(motion).slip > 0.01  # why the feet are solved for


def test_refusals():
    with pytest.raises(InputError, match="both a plan and a speed"):
        ap.gait.reference_gait(FIGURE, GaitPlan(velocity=1.0), speed=1.0)
    with pytest.raises(InputError, match=r"The norms of walking cover 0.3 to 2.4 m/s"):
        ap.gait.reference_gait(FIGURE, GaitPlan(velocity=0.2, step_length=0.3))
    with pytest.raises(InputError, match="Unknown timing='adult'"):
        ap.gait.reference_gait(FIGURE, speed=1.0, timing="adult")
    with pytest.raises(InputError, match="feet and toes"):
        ap.gait.reference_gait(ap.human(detail="thesis42"), speed=1.0)
