"""Reports of motions: what a figure's walk is read as, what is not measured, what is written."""

import json

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, MissingContactWarning
from anthropi.gait.plan.phases import FOOT_LOAD
from anthropi.gait.reference.norms import GPS_CURVES, curve
from anthropi.gait.report.foot_events import THRESHOLD
from anthropi.gait.report.from_motion import heading_of, of_motion
from anthropi.gait.walker.settings import ClockSettings
from unit.gait.report.walker import CYCLE, OFF, norm_walk

TOLD = {"foot off": 100 * OFF, "double support": 100 * (2 * OFF - 1), "step time": CYCLE / 2}


@pytest.fixture(scope="module")
def motion():
    return norm_walk()


@pytest.fixture(scope="module")
def walked():
    return ap.walk(ap.human(), speed=1.3, steps=6)


@pytest.fixture(scope="module")
def report(motion):
    return ap.gait_report(motion)


def test_a_walk_of_the_norm_scores_as_the_norm(report):
    for name in ("hip flexion", "knee flexion", "ankle dorsiflexion", "hip adduction", "hip rotation"):
        for side in "lr":  # lines between frames of 10 ms: (2π 8/1.1)² 0.01²/8 of the eighth harmonic's degree
            assert report[f"{name}, r"].values[side] > 0.9999 and report[f"{name}, RMSE"].values[side] < 0.05
    assert report["GPS"].values[""] == pytest.approx(
        3.1, abs=0.2
    )  # all of it the foot's bearing, which no joint follows
    assert report["speed / √(g leg)"].values[""] == pytest.approx(0.42939, abs=1e-4)
    for name, value in TOLD.items():
        assert list(report[name].values.values()) == pytest.approx([value] * 2, rel=0.003)
    assert report["cadence"].values[""] == pytest.approx(120.0 / CYCLE)
    assert report["step length, left against right"].values[""] < 0.1
    assert report["step length"].values["l"] == pytest.approx(report["speed"].values[""] * CYCLE / 2, rel=1e-3)


def test_what_was_not_recorded_is_not_measured_and_never_zero(report):
    for row in report.rows:
        if row.group in ("ground force", "joint moments", "energy"):
            assert not row.values and row.verdict in ("not measured: record contact", "not measured: record tau")
    assert report["gap below the stance foot"].values["l"] > 2.0  # this walk knows no ground
    assert not report.curves["grf_vertical"].sides and set(report.curves["knee_flexion"].sides) == {"l", "r"}


def test_moments_without_the_ground_force_are_not_measured(motion, report):
    """Inverse dynamics of a walk without forces: the root carries the body, and its legs are in the air."""
    with pytest.warns(MissingContactWarning):
        found = ap.inverse_motion(motion, cutoff=6.0)
    with pytest.warns(MissingContactWarning, match=r"'human'.*no ground force: 100 %.*not measured"):
        lost = ap.gait_report(found)
    for row in lost.rows:
        if row.group in ("joint moments", "energy"):
            assert row.verdict == "not measured: no ground force: 100 % of the weight is unexplained"
    assert lost.count("fail") == report.count("fail") + 2  # residual force and moment
    assert not lost.curves["ankle_plantarflexion_moment"].sides
    weight = found.figure.mass * 9.81
    carried = {"pelvis": np.array([0.0, 0.0, 0.0, 0.0, 0.0, weight])}  # a force from outside: no residual on average
    with_force = ap.gait_report(ap.inverse_motion(motion, carried, cutoff=6.0))
    assert with_force["peak ankle plantarflexion moment"].measured


def test_a_threshold_is_used_and_one_value_serves_all(walked):
    """Giving a threshold selects events by load; the default is the one with which walks record their events."""
    recorded, load = ap.gait_report(walked), ap.gait_report(walked, events="load")
    high = ap.gait_report(walked, threshold=150.0)
    assert (recorded.walk.events, load.walk.events, high.walk.events) == ("recorded", "load", "load")
    assert load["foot off"].values == pytest.approx(recorded["foot off"].values, abs=0.5)
    assert all(high["foot off"].values[s] < load["foot off"].values[s] - 0.5 for s in "lr")
    assert ClockSettings().contact_load == FOOT_LOAD == THRESHOLD
    with pytest.raises(InputError, match=r"threshold=30 N is for events by load, but events='recorded'"):
        ap.gait_report(walked, events="recorded", threshold=30.0)
    with pytest.raises(InputError, match=r"threshold=-1"):
        ap.gait_report(walked, threshold=-1.0)


def test_the_balance_of_a_walk_is_measured_by_inverse_dynamics(walked):
    """Not only the drive of the root, which is 0 by construction: forces that are 2 % too small are found."""
    assert 0.0 < ap.gait_report(walked)["unbalanced force / weight, RMS"].values[""] < 0.05
    short = walked.changed(channels=walked.channels | {"contact": 0.98 * walked.channels["contact"]})
    row = ap.gait_report(short)["unbalanced force / weight, RMS"]
    assert row.values[""] > 1.5 and row.verdict == "fail"


def test_another_way_to_walk_scores_the_same(motion, report):
    """The same walk turned by 2 rad about the vertical."""
    figure, turn = motion.figure, 2.0
    c, s = np.cos(turn), np.sin(turn)
    q = np.array(motion.q)
    q[:, :2] = q[:, :2] @ np.array([[c, s], [-s, c]])
    w, x, y, z = q[:, 3:7].T
    ch, sh = np.cos(turn / 2), np.sin(turn / 2)
    q[:, 3:7] = np.stack([ch * w - sh * z, ch * x - sh * y, ch * y + sh * x, ch * z + sh * w], -1)
    there = ap.gait_report(ap.Motion(figure, motion.time, q, events=motion.events))
    for row, other in zip(report.rows, there.rows, strict=True):
        assert row.values.keys() == other.values.keys()
        assert all(other.values[k] == pytest.approx(x, rel=1e-3, abs=1e-3) for k, x in row.values.items()), row.name


def test_markers_find_the_steps_where_none_are_told(motion, report):
    found = ap.gait_report(motion, events="markers")
    assert found.walk.events == "markers" and report.walk.events == "recorded"
    for side in "lr":
        gap = [np.abs(report.walk.times[side].strike - t).min() for t in found.walk.times[side].strike]
        assert max(gap) < 0.05  # [s]: Zeni's rule is early by 27 ms on this walk


def test_a_limp_is_seen(motion):
    """The right foot struck 0.05 s late."""
    late = tuple(e._replace(time=e.time + 0.05) if e.foot == "r" else e for e in motion.events)
    report = ap.gait_report(motion.changed(events=tuple(sorted(late, key=lambda e: e.time))))
    assert report["step time, left against right"].values[""] == pytest.approx(100 * 0.1 / 0.55, abs=0.5)
    assert report["step time, left against right"].verdict == "fail"


def forced(motion, force):
    """The walk with forces (frames, 2, 3) [N] on its feet."""
    return motion.changed(channels={"f_ground": force})


def test_forces_are_read_in_body_weights(motion):
    weight, phase = 9.81 * motion.figure.mass, motion.time / CYCLE
    up, ahead = ([curve(name, "free").mean((phase - p) % 1.0) for p in (0.0, 0.5)]
                 for name in ("grf_vertical", "grf_forward"))  # fmt: skip
    force = weight * np.stack([np.stack([a, 0 * a, u], -1) for a, u in zip(ahead, up, strict=True)], 1)
    report = ap.gait_report(forced(motion, force))
    for name in ("vertical force, r", "forward force, r"):
        assert min(report[name].values.values()) > 0.999
    for name, value in (("first peak, F1", 1.07), ("valley", 0.80), ("second peak, F2", 1.08)):  # of the mean curve
        assert report[name].values["l"] == pytest.approx(value, abs=0.04) and report[name].verdict == "pass"
    assert abs(report["net forward impulse / (weight × time)"].values[""]) < 1.0
    assert report["spike above 50 Hz"].verdict == "not measured: record at least 200 frames per second; there are 100"
    assert ap.gait_report(forced(motion, force), events="load").walk.events == "load"
    flat = np.broadcast_to([0.0, 0.0, 0.5 * weight], (len(motion), 2, 3))
    assert ap.gait_report(forced(motion, flat))["depth of the valley"].verdict == "fail"


def test_contact_of_a_scene_is_read_foot_by_foot():
    figure = ap.human()
    q = ap.standing(figure)
    hold = ap.controllers.Hold(figure, q, kp=900.0, kd=60.0)
    stood = ap.simulate(ap.Scene(figure, features="feet"), q, forces=hold, duration=0.02, every=10, opt=0)
    force = of_motion(stood).force
    total = stood.channels["contact"].sum(1)
    assert np.allclose(force["l"] + force["r"], total) and np.allclose(force["l"][:, 2], force["r"][:, 2], rtol=1e-6)
    assert force["l"][-1, 2] > 0.0


def test_moments_have_the_signs_of_the_norm(motion):
    """Weight on the forefeet: ankles push down, knees bend, hips extend; with the feet apart hips abduct."""
    figure = motion.figure
    q = np.broadcast_to(ap.standing(figure), (5, figure.nq))
    k = ap.kinematics(figure, q[0])
    up, ahead = 0.5 * 9.81 * figure.mass, 0.13
    push = {f"{s}_foot": [*np.cross([ahead, 0.0, 0.0], [0.0, 0.0, up]), 0.0, 0.0, up] for s in "lr"}
    tau = ap.inverse_dynamics(figure, q[0], np.zeros(figure.nu), np.zeros(figure.nu), push)
    still = ap.Motion(figure, np.arange(5.0), q, channels={"tau": np.broadcast_to(tau, (5, figure.nu))})
    moments = of_motion(still).moments
    for side in "lr":
        own = {name: x[0] for name, x in moments[side].items()}
        reach = k.marker(f"{side}_ankle_centre")[0] + ahead
        foot = figure.links[figure.link_index(f"{side}_foot")]
        assert own["ankle_plantarflexion"] == pytest.approx(0.5 * 9.81 * ahead, rel=0.05) and foot.mass > 0.0
        assert own["knee_extension"] == pytest.approx(
            -0.5 * 9.81 * (reach - k.marker(f"{side}_knee_centre")[0]), rel=0.1
        )
        assert own["hip_extension"] == pytest.approx(0.5 * 9.81 * (reach - k.marker(f"{side}_hip_centre")[0]), rel=0.3)
    assert moments["l"]["hip_abduction"] == pytest.approx(moments["r"]["hip_abduction"])


def test_work_counts_every_joint_for_itself(motion):
    tau = np.zeros_like(motion.u)
    knee = motion.figure.dofs.index("l_knee")
    tau[:, knee] = np.sign(motion.u[:, knee]) * 50.0
    report = ap.gait_report(motion.changed(channels={"tau": tau}))
    swing = np.abs(np.diff(motion.q[:, motion.figure.q_of[motion.figure.joint_index("l_knee")]][:, 0]))
    start, end = (np.searchsorted(motion.time, t) for t in report.walk.span)
    way = motion.figure.mass * report["speed"].values[""] * (motion.time[end] - motion.time[start])
    want = 50.0 * swing[start:end].sum() / way
    assert report["positive joint work"].values[""] == pytest.approx(want, rel=0.01)
    assert report["negative joint work"].values[""] == 0.0
    assert report["positive cost of transport"].values[""] == pytest.approx(want / 9.81, rel=0.01)
    assert report["residual force / weight"].verdict == "pass"  # nothing drives the root


def test_a_residual_is_told(motion):
    left = np.zeros((len(motion), 6))
    left[150] = [0.0, 0.0, 0.01 * 9.81 * motion.figure.mass, 5.0, 0.0, 0.0]
    report = ap.gait_report(motion.changed(channels={"residual": left}))
    assert report["residual force / weight"].values[""] == pytest.approx(1.0)
    assert report["residual force / weight"].verdict == report["residual moment / (weight × leg)"].verdict == "fail"


def test_feet_that_slide_and_sink_are_seen(motion):
    q = np.array(motion.q)
    lowest = min(x[..., 2].min() for x in of_motion(motion).soles.values())
    q[:, 2] -= lowest + 0.02  # 2 cm deep, and the soles do not stand still
    report = ap.gait_report(motion.changed(q=q))
    assert max(report["penetration"].values.values()) == pytest.approx(20.0, abs=0.01)
    assert report["penetration"].verdict == "fail" and report["slip in stance"].verdict == "fail"


def test_slip_and_penetration_are_those_of_the_reference_gaits(motion):
    from anthropi.gait.report.plausibility import foot_penetration, foot_slip

    report = ap.gait_report(motion)
    start, end = report.walk.span
    part = motion.slice(start, end)
    assert max(report["slip in stance"].values.values()) == pytest.approx(1e3 * foot_slip(part), rel=0.05)
    assert max(report["penetration"].values.values()) == pytest.approx(1e3 * foot_penetration(part), abs=1e-6)


@pytest.mark.slow
def test_figures_without_ankles_are_reported_without_them(motion):
    figure = ap.human(detail="thesis42")
    way = np.repeat(figure.neutral()[None], len(motion), 0)
    way[:, 0] += 1.2 * motion.time
    report = ap.gait_report(ap.Motion(figure, motion.time, way, events=motion.events))
    assert report["ankle dorsiflexion, r"].verdict == "not measured: the figure has no ankle"
    assert not report["GPS"].measured and report["knee flexion, RMSE"].measured
    assert not report["slip in stance"].measured and not report["penetration"].measured  # shanks carry its soles
    off = np.zeros((len(motion), 2))
    off[180, 1] = 0.004  # in the right foot's stance
    way = ap.Motion(figure, motion.time, way, channels={"foot_error": off}, events=motion.events)
    assert ap.gait_report(way)["slip in stance"].values == pytest.approx({"l": 0.0, "r": 4.0})


def test_refusals(motion):
    with pytest.raises(InputError, match=r"events='toes'.*recorded, load, markers"):
        ap.gait_report(motion, events="toes")
    with pytest.raises(InputError, match="does not contain the data for events='load'"):
        ap.gait_report(motion, events="load")
    with pytest.raises(InputError, match="auto, very_slow"):
        ap.gait_report(motion, norm="quick")
    with pytest.raises(InputError, match="There is no complete stride"):
        ap.gait_report(motion, from_time=3.6)
    with pytest.raises(InputError, match="ends at"):
        ap.gait_report(motion, from_time=60.0)
    with pytest.raises(InputError, match="Did you mean 'GPS'"):
        ap.gait_report(motion)["GPs"]
    with pytest.raises(InputError, match=r"faces 180° away from the direction.*walk straight ahead"):
        ap.gait_report(ap.Motion(motion.figure, motion.time, motion.q[::-1].copy()))
    with pytest.raises(InputError, match="give a number of seconds"):
        ap.gait_report(motion, from_time="5 s")
    rods = ap.sample("bench42")
    with pytest.raises(InputError, match="no marker 'l_asis'"):
        ap.gait_report(ap.Motion(rods, [0.0, 1.0, 2.0], np.stack([rods.neutral()] * 3)))
    hopper = ap.sample("hopper")
    with pytest.raises(InputError, match="l_thigh"):
        ap.gait_report(ap.Motion(hopper, [0.0, 1.0, 2.0], np.stack([hopper.neutral()] * 3)))


def test_the_way_is_where_the_pelvis_goes_or_faces():
    still, facing = np.zeros((3, 3)), np.broadcast_to([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]], (3, 3, 3))
    assert heading_of(still, facing) == pytest.approx(np.pi / 2)
    assert heading_of(np.array([[0, 0, 1.0], [0, -3.0, 1.0]]), facing) == pytest.approx(-np.pi / 2)


def test_plain_data_and_tables(report, tmp_path):
    data = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert len(data["rows"]) == len(report.rows) and set(GPS_CURVES) <= set(data["curves"])
    assert data["curves"]["knee_flexion"]["l"] == report.curves["knee_flexion"].sides["l"].tolist()
    lines = report.csv().splitlines()
    assert len(lines) == len(report.rows) + 1 and lines[0].startswith("group,quantity,unit,left,right,both")
    assert "knee flexion, r" in report.text() and report.summary in report.text()


def test_numbers_that_are_none_are_not_measured(motion):
    lost = ap.gait_report(motion.changed(channels={"f_ground": np.full((len(motion), 2, 3), np.nan)}))
    json.dumps(lost.to_dict(), allow_nan=False)
    assert lost["vertical force, r"].verdict == lost["first peak, F1"].verdict == "not measured: no finite number"
    assert all(row.verdict.startswith("not measured") for row in lost.rows if row.group == "ground force")


@pytest.mark.slow
def test_the_sheet_shows_every_curve(report, tmp_path):
    pytest.importorskip("matplotlib")
    sheet = report.plot(tmp_path / "report.png")
    titles = [axes.get_title(loc="left") for axes in sheet.axes]
    assert len(titles) == 16 and "knee flexion [°]" in titles and "footprints [m]" in titles
    words = {t.get_text() for axes in sheet.axes for t in axes.texts}
    assert "not measured" in words and "GPS" in words  # forces are missing; numbers are in the table
    assert (tmp_path / "report.png").stat().st_size > 50_000


@pytest.mark.parametrize("events", ["recorded", "markers"])
def test_a_mirror_exchanges_the_legs(motion, events):
    """A walk whose left knee bends more, and its mirror image."""
    q = np.array(motion.q)
    knee = motion.figure.q_of[motion.figure.joint_index("l_knee")]
    q[:, knee] *= 1.1
    own, there = (ap.gait_report(m, events=events) for m in (motion.changed(q=q), motion.changed(q=q).mirror()))
    other = {"l": "r", "r": "l", "": ""}
    for row, image in zip(own.rows, there.rows, strict=True):
        if row.name != "GPS":  # counts the left side's pelvis
            assert {other[s]: x for s, x in row.values.items()} == pytest.approx(image.values, rel=1e-6, abs=1e-6), (
                row.name
            )
    peak = own["peak knee flexion in swing"].values
    assert peak["l"] == pytest.approx(1.1 * peak["r"], rel=0.01)
