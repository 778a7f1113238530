"""The commands `inverse`, `hidds` and `refine`: tables, files, plots, and one line where something is wrong."""

import csv
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import anthropi as ap
from anthropi.cli import app
from anthropi.gait.hidds import arm_motion


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """What a command writes stays out of the checkout."""
    monkeypatch.chdir(tmp_path)
    arm_motion(0.25).save("arm.npz")


def run(*words):
    return CliRunner().invoke(app, [*map(str, words)], env={"COLUMNS": "200"})


@pytest.mark.slow
def test_inverse_tells_and_writes_forces():
    found = run("inverse", "arm.npz", "--out", "tau.csv", "--plot", "tau.png")
    assert found.exit_code == 0, found.output
    assert "shoulder_pitch" in found.output and "residual at the root: at most" in found.output
    with open("tau.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][:2] == ["time [s]", "root.px [N]"] and rows[0][-1] == "flange [N m]" and len(rows) == 32
    exact = ap.inverse_motion(arm_motion(0.25))
    assert np.array_equal(np.array(rows[1:], float)[:, 1:], exact.tau)  # every digit
    assert Path("tau.png").read_bytes()[:4] == b"\x89PNG"
    assert run("inverse", "arm.npz", "--root", "free", "--out", "tau.npz", "--quiet").output == ""
    assert not ap.load_motion("tau.npz").channels["residual"].any()


@pytest.mark.slow
def test_hidds_tells_errors_and_writes_the_motion():
    found = run("hidds", "arm.npz", "--mode", "open-loop", "--driven", "elbow,flange", "--frozen", "wrist_roll",
                "--out", "o.npz", "--plot", "o.svg", "--page", "o.html")  # fmt: skip
    assert found.exit_code == 0, found.output
    assert "floating_arm6, open loop" in found.output and "never" in found.output
    motion = ap.load_motion("o.npz")
    assert np.abs(motion.channels["error"][:, list(motion.figure.dof_indices(["elbow", "flange"]))]).max() < 1e-12
    assert np.ptp(motion.u[:, motion.figure.dof_indices(["wrist_roll"])]) == 0.0
    assert Path("o.html").exists() and Path("o.svg").exists()
    assert sorted(p.name for p in Path().iterdir()) == ["arm.npz", "o.html", "o.npz", "o.svg"]


@pytest.mark.slow
def test_refine_by_itself_and_by_hand():
    found = run("refine", "arm.npz", "--accept", "0.5", "--out", "r.npz", "--plot", "r.png")
    assert found.exit_code == 0, found.output
    assert "accepted: the error is" in found.output and "forces changed" in found.output
    edited = run("refine", "arm.npz", "--scale", "elbow=1.5@0.05:0.2", "--shift", "flange=0.02", "--out", "e.npz")
    assert edited.exit_code == 0 and "forces changed by" in edited.output
    k = arm_motion(0.25).figure.dof_indices(["flange"])[0]
    first = ap.gait.Profile.of(arm_motion(0.25))
    assert np.allclose(ap.load_motion("e.npz").tau[:, k], first.tau[:, k] + 0.02, rtol=0.0, atol=1e-12)


def test_forces_in_a_file_are_held_as_recorded():
    ap.hidds(arm_motion(0.25), "open loop", dt=1.0 / 240.0).save("fast.npz")
    edited = run("refine", "fast.npz", "--scale", "elbow=1.01", "--out", "e.npz")
    assert edited.exit_code == 0, edited.output
    assert len(ap.load_motion("e.npz")) == len(ap.load_motion("fast.npz")) == 61


@pytest.mark.slow
def test_a_walk_passes_through_inverse_hidds_and_refine():
    """Files of the default walk hold its contact forces: nothing falls, and little is left at the root."""
    assert run("walk", "--speed", "1.3", "--steps", "2", "--out", "w.npz").exit_code == 0
    walk = ap.load_motion("w.npz")
    for command in ("inverse", "hidds", "refine"):
        found = run(command, "w.npz", "--out", "h.npz")
        assert found.exit_code == 0 and "warning" not in found.stderr, found.output
        if command == "refine":
            assert "accepted: the error is" in found.output and "broke off" not in found.output.splitlines()[-2]
        else:
            residual = ap.load_motion("h.npz").channels["residual"]
            assert np.sqrt(np.mean(residual[:, :3] ** 2)) < 0.03 * 9.81 * walk.figure.mass
        assert ap.load_motion("h.npz").q[:, 2].min() > 0.8


@pytest.mark.slow
def test_a_walk_recorded_at_every_step_gives_its_torques_back():
    """`walk --every 1`, tau deleted from the file, `inverse`: the torques of the walker; `hidds` replays the walk."""
    assert run("walk", "--every", 1, "--steps", 3, "--out", "w.npz").exit_code == 0
    walk = ap.load_motion("w.npz")
    weight = 9.81 * walk.figure.mass
    walk.changed(channels={name: x for name, x in walk.channels.items() if name != "tau"}).save("bare.npz")
    found = run("inverse", "bare.npz", "--out", "inverse.npz")
    assert found.exit_code == 0 and "warning" not in found.output
    back = ap.load_motion("inverse.npz")
    error = np.sqrt(np.mean((back.tau - walk.tau)[:-1, 6:] ** 2, axis=0))
    assert (error <= 1e-9 * np.ptp(walk.tau[:, 6:], axis=0)).all()
    assert np.abs(back.channels["residual"]).max() <= 1e-9 * weight
    for options in ((), ("--root", "free", "--dt", "0.001")):
        again = run("hidds", "bare.npz", "--out", "hidds.npz", *options)
        assert again.exit_code == 0, again.output
        motion = ap.load_motion("hidds.npz")
        assert np.abs(motion.q[:, 2] - walk.at(motion.time).q[:, 2]).max() < 1e-6


def test_missing_contact_forces_are_named_and_the_exit_code_says_that_the_figure_falls():
    figure = ap.human()
    q = np.tile(ap.standing(figure), (9, 1))
    q[:, figure.q_of[figure.joint_index("l_elbow")].start] += 10.0 * (np.arange(9) / 100.0) ** 2
    ap.Motion(figure, np.arange(9) / 100.0, q).save("still.npz")
    found = run("inverse", "still.npz", "--quiet")
    assert found.exit_code == 0 and "anthropi: warning: The motion of 'human' needs support" in found.stderr
    found = run("hidds", "still.npz", "--quiet")
    assert found.exit_code == 1 and "the figure falls" in found.stderr and found.stderr.count("\n") == 1
    assert run("hidds", "still.npz", "--root", "driven", "--quiet").exit_code == 0
    assert run("refine", "still.npz", "--iterations", "1", "--quiet").exit_code == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("inverse", "no.npz"), "No file no.npz"),
        (("inverse", "arm.npz", "--out", "x.txt"), "the file name must end in .npz"),
        (("inverse", "arm.npz", "--out", "arm.npz"), "is the input file"),
        (("inverse", "arm.npz", "--plot", "no/x.png"), "which is not an existing folder"),
        (("hidds", "arm.npz", "--mode", "opn loop"), "Did you mean 'open loop'"),
        (("hidds", "arm.npz", "--driven", "elbo"), "Did you mean 'elbow'"),
        (("refine", "arm.npz", "--scale", "elbow"), "give JOINT=NUMBER"),
        (("refine", "arm.npz", "--iterations", "0"), "iterations=0"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(words, said):
    found = run(*words)
    assert found.exit_code == 2 and said in found.stderr and found.stderr.count("\n") == 1
    assert [p.name for p in Path().iterdir()] == ["arm.npz"]
