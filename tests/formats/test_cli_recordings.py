"""The command line with recordings: markers, force plates, tables of OpenSim, axes, units and masses."""

import json

import numpy as np
import pytest

import anthropi as ap
from anthropi.figure import Figure, Link, Marker
from anthropi.figure.joints import Free
from formats.test_c3d import LABELS, person, written
from formats.test_cli import run


@pytest.fixture
def trial(tmp_path):
    return written(tmp_path / "trial.c3d", SUBJECTS={"NAMES": ["Eva"]}, PROCESSING={"Bodymass": np.array([71.5])})


@pytest.fixture
def body(tmp_path):
    """A figure whose markers are those of the trial: one rigid body with a free root."""
    points = person()[0]
    link = Link("body", 60.0, points.mean(0), np.diag([9.0, 9.0, 1.0]))
    marks = tuple(Marker(name, "body", x) for name, x in zip(LABELS, points, strict=True))
    ap.save(Figure("body", [link], [Free(name="root")], [-1], markers=marks), tmp_path / "body.toml")
    return tmp_path / "body.toml"


def words_of(result) -> str:
    return " ".join(result.output.split())


def test_info_describes_a_recording(trial):
    result = run("info", trial)
    assert result.exit_code == 0, result.output
    for words in ("recording: 6 frames, 100 per second, from 0.04 to 0.09 s; 8 markers", "subject: Eva, 71.5 kg",
                  "6 analog channels, 400 per second", "LFHD 100 1.620 1.620", "plate 1",
                  "up: z, from the feet to the head",
                  "unit of length: mm, as the file says"):  # fmt: skip
        assert words in words_of(result), words
    found = json.loads(run("info", trial, "--json").output)
    assert found["frames"] == 6 and found["subject"]["mass"] == pytest.approx(71.5) and found["markers"]["LTOE"] == 1.0
    assert found["plates"][0]["largest"] == pytest.approx(800.0, rel=0.01) and len(found["plates"][0]["corners"]) == 4
    turned = run("info", trial, "--up", "y", "--forward", "-x", "--units", "cm")
    assert "up: y, as given; forward: -x, as given" in words_of(turned) and "unit of length: cm, as given" in words_of(
        turned
    )


def test_a_recording_is_converted(trial, body, tmp_path):
    result = run("convert", trial, tmp_path / "a.npz", "--of", body, "--mass", "80")
    assert result.exit_code == 0, result.output
    assert "the force plates are left out" in words_of(result)
    assert "up: z, from the feet" in words_of(result) and "8 markers, largest error" in words_of(result)
    found = ap.load_motion(tmp_path / "a.npz")
    assert found.figure.mass == pytest.approx(80.0) and np.nanmax(found.channels["marker_error"]) < 0.02
    refused = run("convert", trial, tmp_path / "a.npz")
    assert refused.exit_code == 2 and "contains markers, and no figure. Give --of human" in words_of(refused)
    refused = run("convert", trial, tmp_path / "a.npz", "--of", body, "--mass", "-3")
    assert refused.exit_code == 2 and "--mass -3" in words_of(refused)


def test_forces_of_another_file_act_on_a_motion(body, tmp_path):
    figure = ap.load(body)
    time = np.linspace(0.0, 1.0, 51)
    ap.Motion(figure, time, np.tile(figure.neutral(), (51, 1))).save(tmp_path / "still.npz")
    weight = 9.81 * figure.mass
    head = ["time", *(f"ground_{w}{a}" for w in ("force_v", "force_p", "torque_") for a in "xyz")]
    rows = [[t, 0.0, weight, 0.0, 0.2, 0.0, -0.3, 0.0, 0.0, 0.0] for t in np.linspace(-0.5, 1.5, 201)]
    lines = [
        "grf",
        "nRows=201",
        "nColumns=10",
        "endheader",
        "\t".join(head),
        *("\t".join(map(str, r)) for r in rows),
        "",
    ]
    (tmp_path / "grf.mot").write_text("\n".join(lines))
    (tmp_path / "grf.xml").write_text(
        "<OpenSimDocument><ExternalLoads><objects><ExternalForce name='all'><applied_to_body>body</applied_to_body>"
        "<force_identifier>ground_force_v</force_identifier><point_identifier>ground_force_p</point_identifier>"
        "<torque_identifier>ground_torque_</torque_identifier></ExternalForce></objects><datafile>grf.mot</datafile>"
        "</ExternalLoads></OpenSimDocument>"
    )
    result = run("inverse", tmp_path / "still.npz", "--forces", tmp_path / "grf.xml", "--json")
    assert result.exit_code == 0, result.output
    residual = np.array(json.loads(result.output)["residual"])
    assert np.abs(residual[:, :3]).max() < 1e-6  # the force of the file carries the body
    point, centre = np.array([0.2, 0.3, 0.0]), np.asarray(figure.links[0].centre)
    assert np.allclose(residual[:, 3:], -np.cross(point - centre, [0.0, 0.0, weight]), atol=1e-6)
    said = words_of(run("inverse", tmp_path / "still.npz", "--forces", tmp_path / "grf.xml"))
    assert "up: y, the direction of the mean force" in said and "all: body from" in said


@pytest.mark.slow
def test_one_command_computes_the_joint_moments_of_a_trial(shared, tmp_path):
    folder = shared / "c3d" / "plug_in_gait"
    result = run("inverse", folder / "HC050A11.c3d", "--static", folder / "HC050A01.c3d", "--cutoff", "6",
                 "--out", tmp_path / "moments.csv")  # fmt: skip
    assert result.exit_code == 0, result.output
    for words in ("plate 2: r_foot from 2.71 to 3.32 s", "plate 1: l_foot", "residual at the root"):
        assert words in words_of(result), words
    assert "The plates carry the person from 2.80 to 3.75 s, to which the table refers." in words_of(result)
    whole = run("inverse", folder / "HC050A11.c3d", "--static", folder / "HC050A01.c3d", "--cutoff", "6",
                "--forces", "estimated", "--json")  # fmt: skip
    start, end = json.loads(whole.stdout)["carried"]
    assert end - start > 2.0  # estimated forces carry the person nearly all the time, 3.1 s
    rows = np.genfromtxt(tmp_path / "moments.csv", delimiter=",", names=True)
    name = next(n for n in rows.dtype.names if n.startswith("l_ankledorsiflexion"))
    assert 1.0 < np.abs(rows[name]).max() / 37.4 < 1.7  # [N m/kg] of walking
    refused = run(
        "convert", folder / "HC050A11.c3d", tmp_path / "a.npz", "--static", folder / "HC050A01.c3d", "--of", "hopper"
    )
    assert refused.exit_code == 2 and "--static scales a human" in words_of(refused)


def test_info_describes_a_table(shared):
    folder = shared / "opensim" / "core_id_test"
    table = words_of(run("info", folder / "subject01_walk1_ik.mot"))
    assert "211 rows" in table and "knee_angle_r" in table and "angles in degrees" in table and "--of human" in table
    forces = words_of(run("info", folder / "subject01_walk1_grf.mot"))
    assert "Force plates" in forces and "up: y, the direction of the mean force on the person" in forces


@pytest.mark.parametrize(("words", "message"), [
    (["info", "x.c3d"], "x.c3d is not a C3D file"),
    (["inverse", "x.trc"], "anthropi convert x.trc x.npz --of human"),
    (["convert", "x.trc", "x.npz"], "anthropi info x.trc describes the markers"),
    (["convert", "y.npz", "x.npz", "--up", "y"], "no option 'up' for reading npz files"),
    (["convert", "x.toml", "y.toml", "--mass", "3"], "apply to motions"),
    (["gait-report", "x.c3d"], "walk.npz --of human"),
    (["inverse", "y.npz", "--forces", "x.txt"], "no format of ground forces has the extension '.txt'"),
])  # fmt: skip
def test_errors_are_one_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("x.c3d", "x.trc", "x.toml", "x.txt"):
        (tmp_path / name).write_text("nothing")
    figure = ap.sample("double_pendulum")
    ap.Motion(figure, [0.0, 1.0], np.zeros((2, figure.nq))).save("y.npz")
    result = run(*words)
    assert result.exit_code == 2 and message in result.stderr and result.stderr.count("\n") == 1, result.output
