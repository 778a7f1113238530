"""The command line with captured motions: `convert` and `info`."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.motion import Keyframes
from formats.test_bvh import ODD
from formats.test_cli import run


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """A person's motion as BVH."""
    person = ap.human(1.6, 55.0)
    keys = {0.0: {"l_hip.y": 0.0, "r_knee": 0.1}, 0.5: {"l_hip.y": -0.4, "r_knee": 0.3}}
    path = tmp_path_factory.mktemp("walk") / "walk.bvh"
    Keyframes(person, keys, ap.standing(person)).motion(np.linspace(0.0, 0.5, 6)).save(path)
    return path


def test_motions_are_converted(walk, tmp_path):
    result = run("convert", walk, tmp_path / "walk.npz")
    assert result.exit_code == 0, result.output
    assert "6 frames, 10 per second" in result.output and "1 unit is 0.01 m (cm (guessed))" in result.output
    back = run("convert", tmp_path / "walk.npz", tmp_path / "again.bvh")
    assert back.exit_code == 0, back.output
    one, other = (ap.load_motion(p).channels["bvh"] for p in (walk, tmp_path / "again.bvh"))
    assert np.abs(one - other).max() < 1e-5


@pytest.mark.slow
def test_motions_go_onto_people_and_pages(walk, tmp_path):
    result = run("convert", walk, tmp_path / "tall.npz", "--onto", "1.9", "--scale", "cm")
    assert result.exit_code == 0, result.output
    assert "retargeted from walk" in result.output and "frames of human, 50 degrees of freedom" in result.output
    assert ap.load_motion(tmp_path / "tall.npz").figure.nu == 50
    result = run("convert", walk, tmp_path / "same.html", "--onto", "human")
    assert result.exit_code == 0 and (tmp_path / "same.html").stat().st_size > 10_000
    table = run("convert", tmp_path / "tall.npz", tmp_path / "tall.csv")
    assert table.exit_code == 0, table.output
    ap.save(ap.load_motion(tmp_path / "tall.npz").figure, tmp_path / "tall.toml")
    result = run("convert", tmp_path / "tall.csv", tmp_path / "back.npz", "--of", tmp_path / "tall.toml")
    assert result.exit_code == 0, result.output


def test_a_part_of_a_motion_is_converted(walk, tmp_path):
    """The first frame of CMU's files is a T: people have to be able to leave it out."""
    result = run("convert", walk, tmp_path / "part.npz", "--from-time", "0.1", "--to-time", "0.4")
    assert result.exit_code == 0, result.output
    part, whole = ap.load_motion(tmp_path / "part.npz"), ap.load_motion(walk)
    assert np.allclose(part.time, whole.time[1:5]) and np.allclose(part.q, whole.q[1:5], atol=1e-12)


def test_skeletons_are_sent_to_people_first(walk):
    told = " ".join(run("inverse", walk).output.split())
    assert "The masses of a .bvh file are nominal" in told and "--onto human" in told


def test_info_says_what_a_motion_is(tmp_path):
    path = tmp_path / "odd.bvh"
    path.write_text(ODD)
    result = run("info", path, "--scale", "0.02")
    assert result.exit_code == 0, result.output
    for words in ("motion: 3 frames, 20 per second", "1 unit is 0.02 m (given)", "y up, z forward", "nominal",
                  "odd: 5 links, 14 degrees of freedom", "slide_end"):  # fmt: skip
        assert words in result.output, words


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["convert", "x.bvh", "x.toml"],
            "no motion or project format has the extension '.toml'. Such files contain a figure",
        ),
        (["convert", "x.bvh", "x.npz", "--onto", "19"], "human got height=19.0"),
        (["gait-report", "x.bvh"], "a gait report needs a motion of a human figure"),
        (["gait-report", "x.csv"], "walk.npz --of human"),
        (["inverse", "x.csv"], "anthropi convert x.csv x.npz --of human"),
        (["convert", "x.bvh", "x.npz", "--of", "human"], "no option 'figure'"),
        (["convert", "missing.bvh", "x.npz"], "No file missing.bvh"),
        (["convert", "x.bvh", "x.bvh"], "is the input file"),
        (["info", "x.bvh", "--scale", "furlong"], "scale='furlong'"),
        (["convert", "x.toml", "x.urdf", "--onto", "human"], "apply to motions"),
        (["convert", "x.csv", "x.npz"], "--of human"),
    ],
)
def test_errors_are_one_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.bvh").write_text(ODD)
    (tmp_path / "x.csv").write_text("time,a\n0,1\n")
    (tmp_path / "x.toml").write_text("")
    result = run(*words)
    assert result.exit_code == 2 and message in result.stderr and result.stderr.count("\n") == 1, result.output
