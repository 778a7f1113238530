"""C3D files: equal to what ezc3d decodes, plates of all types, numbers of all processors, and damaged files."""

import random
import warnings

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import AnthropiError, FormatError, FormatWarning, InputError
from anthropi.formats.motions.c3d import read_capture
from anthropi.formats.motions.c3d.scan import scan
from anthropi.formats.motions.c3d.writer import encoded
from anthropi.motion.capture import Capture, foot_points
from anthropi.motion.motion import Event, FootEvent

LABELS = ("LFHD", "RFHD", "LASI", "RASI", "LHEE", "RHEE", "LTOE", "RTOE")
HEIGHTS = (1.62, 1.62, 0.95, 0.95, 0.04, 0.04, 0.03, 0.03)  # [m] of a person of 1.8 m
CORNERS = np.array([[0.4, 0.6, 0.0], [0.0, 0.6, 0.0], [0.0, 0.0, 0.0], [0.4, 0.0, 0.0]])  # [m], z = x × y upwards
FRAMES, SAMPLES = 6, 4


def person() -> np.ndarray:
    """Markers (frames, 8, 3) [m] of a person who stands above the plate and sways."""
    across = np.array([0.1, -0.1] * 4)
    ahead = np.array([0.1, 0.1, 0.1, 0.1, 0.0, 0.0, 0.2, 0.2])
    still = np.stack([0.2 + ahead, 0.3 + across, np.array(HEIGHTS)], -1)
    return still + 0.01 * np.sin(np.arange(FRAMES))[:, None, None] * [1.0, 0.5, 0.0]


def wrench() -> tuple[np.ndarray, np.ndarray]:
    """Force [N] on the person and moment [N m] about the world's origin: (samples, 3) each, and where it acts."""
    t = np.linspace(0.0, 1.0, FRAMES * SAMPLES)[:, None]
    force = np.concatenate([40.0 * np.sin(6.0 * t), 25.0 * np.cos(5.0 * t), 700.0 + 100.0 * np.sin(9.0 * t)], 1)
    point = np.concatenate([0.2 + 0.1 * t, 0.3 - 0.05 * t, 0.0 * t], 1)
    return force, np.cross(point, force) + np.concatenate([0.0 * t, 0.0 * t, 5.0 * np.sin(4.0 * t)], 1)


def plate_channels(kind: int, force, moment, origin, a=0.12, b=0.2, matrix=None):
    """Channels of a plate that feels a wrench about the centre of its surface, by the equations of `c3d/plates.py`."""
    about = moment - np.cross(force, origin) if kind != 1 else moment
    if kind == 1:
        x, y = -moment[:, 1] / force[:, 2], moment[:, 0] / force[:, 2]
        free = moment[:, 2] - (x * force[:, 1] - y * force[:, 0])
        return np.stack([*force.T, 1e3 * x, 1e3 * y, 1e3 * free], -1)
    if kind in (2, 4):
        rows = np.concatenate([force, 1e3 * about], 1)
        return rows if kind == 2 else rows @ np.linalg.inv(matrix).T
    if kind == 5:
        return np.concatenate([force, 1e3 * about], 1) @ np.linalg.pinv(matrix).T
    about = moment - np.cross(force, [0.0, 0.0, origin[2]])
    rows = np.zeros((8, 8))  # of the eight sums: three forces, three moments, two that no wrench tells
    rows[0, :2] = rows[1, 2:4] = rows[2, 4:] = 1.0
    rows[3, 4:] = b * np.array([1.0, 1.0, -1.0, -1.0])
    rows[4, 4:] = a * np.array([-1.0, 1.0, 1.0, -1.0])
    rows[5, :4] = -b, b, a, -a
    rows[6, 4:], rows[7, :4] = (1.0, -1.0, 1.0, -1.0), (1.0, -1.0, 1.0, -1.0)
    extra = np.tile([3.0, -2.0], (len(force), 1))
    return np.concatenate([force, about, extra], 1) @ np.linalg.inv(rows).T


def written(path, kind=2, sign=1.0, turn=None, scale=-1.0, processor="Intel", mm=1000.0, units="mm", **groups):
    """Write a person on a plate of a kind. turn : (3, 3), axes of the file from x ahead, y left, z up."""
    rng, turn = np.random.default_rng(3), np.eye(3) if turn is None else np.asarray(turn, float)
    force, moment = wrench()
    centre, origin = CORNERS.mean(0), np.array([0.12, 0.2, -0.04]) if kind == 3 else np.array([0.01, -0.02, -0.04])
    local = sign * force, sign * (moment - np.cross(centre, force))  # the axes of the plate are those of the room
    matrix = {
        4: np.diag([2.0, 3.0, 4.0, 90.0, 80.0, 70.0]) + rng.normal(size=(6, 6)),
        5: rng.normal(size=(6, 8)) * np.repeat([1.0, 100.0], 3)[:, None],
    }
    rows = plate_channels(kind, *local, origin, matrix=matrix.get(kind))
    count = rows.shape[1]
    plates = {
        "USED": np.array([1]), "TYPE": np.array([kind]), "ZERO": np.array([1, 0]),
        "CORNERS": (1e3 * CORNERS @ turn.T).T.reshape(3, 4, 1), "ORIGIN": (1e3 * origin).reshape(3, 1),
        "CHANNEL": np.arange(1, count + 1).reshape(count, 1),
    }  # fmt: skip
    if kind in matrix:
        plates["CAL_MATRIX"] = matrix[kind][:, :, None]
    units_of = ["N"] * count if kind == 3 else ["N", "N", "N", *(["mm", "mm"] if kind == 1 else ["Nmm", "Nmm"]), "Nmm"]
    units_of = ["V"] * count if kind == 5 else units_of
    labels = {"POINT": {"LABELS": list(LABELS), "UNITS": [units]}}
    analog = {"LABELS": [f"c{k}" for k in range(count)], "UNITS": units_of, "GEN_SCALE": np.array([1.0]),
              "SCALE": np.full(count, 0.5), "OFFSET": np.arange(count)}  # fmt: skip
    whole = labels | {"ANALOG": analog, "FORCE_PLATFORM": plates} | groups
    points = mm * person() @ turn.T
    data = encoded(whole, points, None, rows / 0.5 + np.arange(count), rate=100.0, samples=SAMPLES, first=4,
                   processor=processor, scale=scale)  # fmt: skip
    path.write_bytes(data)
    return path


def files(shared):
    return sorted((shared / "c3d").rglob("*.c3d"))


def test_every_file_equals_ezc3d(shared):
    """Points, residuals, analog channels, plates and events of all 17 files; forces carry the weight."""
    ezc3d = pytest.importorskip("ezc3d")
    assert len(files(shared)) >= 17
    for path in files(shared):
        found, raw = read_capture(path), scan(path)
        other = ezc3d.c3d(str(path), extract_forceplat_data=True)
        data, about = other["data"], other["parameters"]
        points = data["points"][:3].transpose(2, 1, 0)
        assert np.array_equal(raw.points, points, equal_nan=True) and raw.rate == about["POINT"]["RATE"]["value"][0]
        seen = np.isfinite(points).all(-1)
        residuals = data["meta_points"]["residuals"][0].T
        assert np.array_equal(seen, residuals >= 0.0) and np.array_equal(raw.residuals[seen], residuals[seen])
        assert np.array_equal(raw.analog, data["analogs"][0].T)
        assert found.time[0] == pytest.approx(other["header"]["points"]["first_frame"] / raw.rate)
        for label, x in found.markers.items():
            k = about["POINT"]["LABELS"]["value"].index(label)
            assert np.allclose(
                x, 1e-3 * points[:, k] @ found.axes.T, rtol=0, atol=1e-12, equal_nan=True
            )  # 1e4 mm, 1e-16
        for plate, own in zip(found.forces.plates, data["platform"], strict=True):
            force, point, free = ((own[n].T @ found.axes.T) for n in ("force", "center_of_pressure", "Tz"))
            assert np.abs(plate.force - force).max() < 1e-12  # of 1e3 N: rotations about axes of the room
            on = plate.loaded
            assert np.abs(plate.point - 1e-3 * point)[on].max(initial=0.0) < 1e-12
            assert np.abs(plate.free_moment - 1e-3 * free)[on].max(initial=0.0) < 1e-10
            assert not on.any() or plate.inside()[on].mean() > 0.94  # at touch-down of one file it is noise
        events = [e for e in found.events if isinstance(e, FootEvent)]
        times = other["parameters"].get("EVENT", {}).get("TIMES", {"value": np.zeros((2, 0))})["value"]
        assert len(events) == np.size(times) // 2


def test_the_people_of_the_files(shared):
    """Mass and stature are those of the file; a standing person's plate carries the weight, and z points up."""
    for path in files(shared)[1:]:
        found = read_capture(path)
        assert 25.0 < found.subject.mass < 61.0 and 1.3 < found.subject.height < 1.6
        assert "of the markers" in found.notes[1] and np.array_equal(found.axes, np.eye(3))
        if path.stem.endswith(("01", "02")):
            load = np.median(found.forces[0].load[found.forces[0].loaded])
            assert load == pytest.approx(9.81 * found.subject.mass, rel=0.05)
        else:
            stand = found.stances()
            assert len(stand) == 2 and {s.foot for s in stand} == {"l", "r"} and max(s.distance for s in stand) < 0.06
            events = [e for e in found.events if isinstance(e, FootEvent)]
            for s in stand if events else ():  # the events of the laboratory name the same feet
                for what, time in (("strike", s.start), ("off", s.end)):
                    own = [e.time for e in events if (e.foot, e.what) == (s.foot, what)]
                    assert min(abs(t - time) for t in own) < 0.03


@pytest.mark.parametrize("kind", [1, 2, 3, 4, 5])
def test_plates_of_all_types_give_the_wrench(kind, tmp_path):
    force, moment = wrench()
    for sign in (1.0, -1.0):
        found = read_capture(written(tmp_path / "a.c3d", kind, sign))
        plate = found.forces[0]
        assert np.allclose(plate.force, force, rtol=0, atol=2e-3)  # float32 of 1e3 N, 8 channels, condition ~ 10
        assert np.allclose(plate.moment, moment, rtol=0, atol=2e-3)
        assert np.abs(plate.point[:, 2]).max() < 1e-9 and plate.inside().all()
        assert np.allclose(plate.free_moment[:, 2], 5.0 * np.sin(4.0 * np.linspace(0, 1, FRAMES * SAMPLES)), atol=2e-3)
        assert (sign < 0.0) == any("reversed" in note for note in found.notes)
    assert read_capture(tmp_path / "a.c3d", sign="person").forces[0].load.max() < 0.0
    assert read_capture(tmp_path / "a.c3d", forces=False).forces is None


@pytest.mark.parametrize("kind", [2, 3, 4])
def test_plates_equal_those_of_ezc3d(kind, tmp_path):
    ezc3d = pytest.importorskip("ezc3d")
    path = written(tmp_path / "a.c3d", kind)
    own = ezc3d.c3d(str(path), extract_forceplat_data=True)["data"]["platform"][0]
    plate = read_capture(path).forces[0]
    assert np.allclose(plate.force, own["force"].T, rtol=0, atol=1e-4)
    assert np.allclose(plate.point, 1e-3 * own["center_of_pressure"].T, rtol=0, atol=1e-6)
    assert np.allclose(plate.free_moment, 1e-3 * own["Tz"].T, rtol=0, atol=1e-5)


@pytest.mark.parametrize("scale", [-1.0, 0.05])
@pytest.mark.parametrize("processor", ["Intel", "DEC", "MIPS"])
def test_numbers_of_all_processors(processor, scale, tmp_path):
    """Integers and floats, as ezc3d reads those of Intel; integers are rounded to the scale."""
    path = written(tmp_path / "a.c3d", processor=processor, scale=scale)
    found = read_capture(path)
    error = np.stack([found.markers[n] for n in LABELS], 1) - person()
    assert np.abs(error).max() < (1e-6 if scale < 0.0 else 0.5 * 0.05e-3 + 1e-9)
    assert np.allclose(found.forces[0].force, wrench()[0], atol=1e-3 if scale < 0.0 else 0.26)
    assert found.time[0] == pytest.approx(0.04) and found.rate == pytest.approx(100.0)
    if processor == "Intel":
        ezc3d = pytest.importorskip("ezc3d")
        data = ezc3d.c3d(str(path))["data"]
        assert np.allclose(data["points"][:3].transpose(2, 1, 0), scan(path).points, rtol=0, atol=1e-9)
        assert np.allclose(data["analogs"][0].T, scan(path).analog, rtol=1e-6, atol=0)  # ezc3d scales in float32


def test_points_that_were_not_seen_are_nan(tmp_path):
    points = 1e3 * person()
    points[2, 0], points[3, 1] = np.nan, 0.0
    residuals = np.full(points.shape[:2], 2.0)
    path = tmp_path / "a.c3d"
    path.write_bytes(encoded({"POINT": {"LABELS": list(LABELS), "UNITS": ["mm"]}}, points, residuals))
    found = read_capture(path)
    lost = np.stack([~np.isfinite(x).all(-1) for x in found.markers.values()], 1)
    assert lost.sum() == 2 and lost[2, 0] and lost[3, 1] and "1 positions exactly at (0, 0, 0)" in found.notes[2]
    assert np.nanmax(found.residuals["RHEE"]) == 0.002 and np.isnan(found.residuals["LFHD"][2])
    assert found.forces is None and found.analog is None


def test_axes_and_units_follow_from_evidence(tmp_path):
    """y up (OpenSim), x up, z down; metres that the file calls millimetres; the caller comes first."""
    y_up = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    found = read_capture(written(tmp_path / "a.c3d", turn=y_up))
    assert "up: y, from the feet to the head" in found.notes[0] and "force plates" in found.notes[0]
    assert np.allclose(found.markers["LFHD"], person()[:, 0], atol=1e-6)
    assert np.allclose(found.forces[0].moment, wrench()[1], atol=2e-3)
    down = read_capture(written(tmp_path / "b.c3d", turn=np.diag([1.0, -1.0, -1.0])))
    assert "up: -z" in down.notes[0] and np.allclose(down.markers["LFHD"], person()[:, 0], atol=1e-6)
    lying = read_capture(tmp_path / "a.c3d", up="z", forward="x")
    assert "as given" in lying.notes[0] and np.abs(lying.markers["LFHD"][:, 2]).max() < 0.5
    metres = encoded({"POINT": {"LABELS": list(LABELS), "UNITS": ["mm"]}}, person())
    (tmp_path / "c.c3d").write_bytes(metres)
    found = read_capture(tmp_path / "c.c3d")
    assert found.metres == 1.0 and "unit of length: m, not mm as the file says" in found.notes[1]
    assert read_capture(tmp_path / "c.c3d", units="mm").metres == 0.001
    (tmp_path / "d.c3d").write_bytes(encoded({"POINT": {"LABELS": [f"M{k}" for k in range(8)]}}, 1e3 * person()))
    found = read_capture(tmp_path / "d.c3d")
    assert "no marker name or plate tells it" in found.notes[0] and found.metres == 0.001
    with pytest.raises(AnthropiError, match=r"units='furlong'.*m, dm, cm, mm, inch"):
        read_capture(tmp_path / "d.c3d", units="furlong")
    turned = written(tmp_path / "e.c3d", POINT={"LABELS": list(LABELS), "UNITS": ["mm"], "Y_SCREEN": ["+Y"]})
    assert "the file says y" in read_capture(turned).notes[0]


def test_more_than_255_labels_events_and_the_subject(tmp_path):
    count = 300
    points = np.random.default_rng(0).normal(size=(4, count, 3))
    groups = {
        "POINT": {"LABELS": [f"Bob:M{k}" for k in range(count)], "UNITS": ["m"], "ANGLES": ["Bob:M299"],
                  "ANGLE_UNITS": ["deg"]},
        "EVENT": {"USED": np.array([3]), "CONTEXTS": ["Left", "Right", "General"],
                  "LABELS": ["Foot Strike", "Foot Off", "Clap"],
                  "TIMES": np.array([[0.0, 0.0, 1.0], [0.5, 0.25, 2.0]])},
        "SUBJECTS": {"NAMES": ["Bob"]}, "PROCESSING": {"Bodymass": np.array([71.5]), "Height": np.array([1780.0])},
    }  # fmt: skip
    (tmp_path / "a.c3d").write_bytes(encoded(groups, points))
    found = read_capture(tmp_path / "a.c3d")
    assert len(found.markers) == 299 and list(found.markers)[298] == "M298" and found.output_units == {"M299": "deg"}
    assert np.allclose(found.markers["M298"], points[:, 298], atol=1e-6)
    assert found.events == (FootEvent(0.25, "r", "off"), FootEvent(0.5, "l", "strike"), Event(62.0, "General Clap"))
    assert found.subject.name == "Bob" and found.subject.mass == 71.5 and found.subject.height == pytest.approx(1.78)


def test_a_trial_with_more_frames_than_the_header_can_count(tmp_path):
    points = np.random.default_rng(0).normal(size=(70_000, 1, 3))
    trial = {"ACTUAL_START_FIELD": np.array([1, 0]), "ACTUAL_END_FIELD": np.array([70_000 - 65_536, 1])}
    data = bytearray(encoded({"POINT": {"LABELS": ["A"], "UNITS": ["m"]}, "TRIAL": trial}, points))
    data[8:10] = b"\xff\xff"  # the last frame
    (tmp_path / "a.c3d").write_bytes(data)
    assert np.allclose(read_capture(tmp_path / "a.c3d").markers["A"], points[:, 0], atol=1e-6)


def test_two_people_keep_their_feet_apart(tmp_path):
    both = np.concatenate([1e3 * person(), 1e3 * (person() + np.array([0.0, 2.0, 0.0]))], axis=1)
    labels = [f"{who}:{name}" for who in ("Ann", "Bob") for name in LABELS]
    (tmp_path / "a.c3d").write_bytes(encoded({"POINT": {"LABELS": labels, "UNITS": ["mm"]}}, both))
    found = read_capture(tmp_path / "a.c3d")
    assert set(foot_points(found.markers)) == {"Ann:l", "Ann:r", "Bob:l", "Bob:r"} and "Bob:LASI" in found.markers
    assert foot_points({"LTOE": both, "R.Heel": both, "right_ankle_lat": both}).keys() == {"l", "r"}


def test_a_motion_is_written_and_read_back(tmp_path):
    person_ = ap.human(1.7, 65.0)
    motion = ap.Keyframes(person_, {0.0: {}, 0.2: {"l_hip.y": -0.4}}, ap.standing(person_)).motion(
        np.linspace(0, 0.2, 5)
    )
    motion = motion.changed(events=(FootEvent(0.1, "l", "strike"),))
    motion.save(tmp_path / "a.c3d")
    found = ap.load(tmp_path / "a.c3d")
    assert isinstance(found, Capture) and found.events[0].foot == "l" and found.subject.mass == pytest.approx(65.0)
    marks = {m.name: m for m in person_.markers if hasattr(m, "point")}
    k = ap.kinematics(person_, motion.q)
    at = np.asarray(k.position)[:, person_.link_index(marks["l_ankle_centre"].link)]
    assert np.linalg.norm(found.marker("l_ankle_centre") - at, axis=-1).max() < 0.2 and len(found.markers) == len(marks)
    with pytest.raises(AnthropiError, match="Did you mean 'l_ankle_centre'"):
        found.marker("l_ankle_center")


@pytest.mark.slow
def test_a_trial_with_plates_gives_joint_moments(shared):
    """Markers and plates explain each other: a small residual, and ankle moments of walking (1 to 1.6 N m/kg)."""
    trial = ap.load(shared / "c3d" / "plug_in_gait" / "HC050A11.c3d")
    scaled = ap.load(shared / "c3d" / "plug_in_gait" / "HC050A01.c3d").person()
    motion, person_ = trial.motion(scaled), scaled.figure
    assert person_.mass == pytest.approx(trial.subject.mass)
    assert [s["foot"] for s in motion.metadata["ground_forces"]["stances"]] == ["r_foot", "l_foot"]
    found, weight = ap.inverse_motion(motion, cutoff=6.0), 9.81 * person_.mass
    carried = trial.forces.total(motion.time)[:, 2] > 0.9 * weight
    assert carried.sum() > 40
    residual = np.sqrt(np.mean(found.channels["residual"][carried, :3] ** 2, axis=0))
    assert (residual < 0.1 * weight).all()  # a body of average proportions
    with pytest.raises(InputError, match="'names' is no option for a person"):
        trial.motion(scaled, names={})
    alone = ap.inverse_motion(motion, {}, cutoff=6.0).channels["residual"]
    assert np.sqrt(np.mean(alone[carried, 2] ** 2)) > 0.8 * weight  # without plates nothing carries the person
    for side in "lr":
        moment = found.tau[:, person_.dofs.index(f"{side}_ankle.dorsiflexion")] / person_.mass
        assert 1.0 < np.abs(moment[carried]).max() < 1.6


def test_a_file_without_a_figure_leads_on(tmp_path):
    written(tmp_path / "a.c3d")
    with pytest.raises(FormatError, match=r"a\.c3d: .*figure=ap\.human.*ap\.load"):
        ap.load_motion(tmp_path / "a.c3d")


BROKEN = {
    "empty": (lambda d: b"", "is not a C3D file"),
    "text": (lambda d: b"hello" * 300, "second byte is not 80"),
    "cut off": (lambda d: d[:-2000], "It is cut off"),
    "processor": (lambda d: d[:515] + b"\x07" + d[516:], "processor type 7"),
    "parameters elsewhere": (lambda d: b"\xf0" + d[1:], "outside the file"),
    "no points": (lambda d: d.replace(b"POINT", b"PAINT"), "no parameter group POINT"),
    "many frames": (lambda d: d[:8] + b"\xfe\xff" + d[10:], "It is cut off"),
    "rate": (lambda d: d[:20] + b"\0\0\0\0" + d[24:].replace(b"RATE", b"RATF", 1), "POINT:RATE is 0"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_broken_files_are_refused(what, tmp_path):
    change, words = BROKEN[what]
    data = written(tmp_path / "a.c3d").read_bytes()
    (tmp_path / "b.c3d").write_bytes(change(data))
    with pytest.raises(FormatError, match=rf"b\.c3d.*{words}"):
        read_capture(tmp_path / "b.c3d")


PLATES = {
    "TYPE": (np.array([11]), "TYPE of plate 1 is 11. Types 1, 2, 3, 4, 5 are read"),
    "CORNERS": (np.zeros((3, 4, 1)), "do not form a rectangle"),
    "CHANNEL": (np.arange(20, 26).reshape(6, 1), "names channel 20; there are 1 to 6"),
    "USED": (np.array([900]), "at most 64 plates"),
}


@pytest.mark.parametrize("what", PLATES)
def test_impossible_plates_are_refused(what, tmp_path):
    value, words = PLATES[what]
    own = {"USED": np.array([1]), "TYPE": np.array([2]), "CORNERS": CORNERS.T.reshape(3, 4, 1),
           "CHANNEL": np.arange(1, 7).reshape(6, 1), "ORIGIN": np.zeros((3, 1))}  # fmt: skip
    written(tmp_path / "a.c3d", FORCE_PLATFORM=own | {what: value})
    with pytest.raises(FormatError, match=rf"a\.c3d: .*{words}"):
        read_capture(tmp_path / "a.c3d")
    assert read_capture(tmp_path / "a.c3d", forces=False).markers


def test_damaged_files_give_typed_errors(tmp_path):
    data, path, read = written(tmp_path / "a.c3d", 4).read_bytes(), tmp_path / "b.c3d", 0
    for seed in range(300):
        rng = random.Random(f"c3d {seed}")
        own = bytearray(data)
        for _ in range(rng.choice((1, 2, 4))):
            own[rng.randrange(len(own) if rng.random() < 0.2 else 2500)] = rng.randrange(256)
        path.write_bytes(own[: rng.randrange(len(own))] if rng.random() < 0.2 else own)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", FormatWarning)
            try:
                found = read_capture(path)
            except AnthropiError as error:
                assert str(error).strip()
                continue
        assert len(found) and np.isfinite(found.time).all()
        read += 1
    assert 100 < read < 300
