"""The command `simulate`: what it writes, and what is left when input is bad, a disk full, or somebody stops it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import anthropi as ap
from anthropi.cli import app
from anthropi.errors import StepError
from anthropi.formats.scripts import Script, read
from anthropi.pictures.scenery import is_flat, with_scenery

ROOT = Path(__file__).resolve().parents[2]
BALL = """\
format = "anthropi script 1"
name = "ball"
[[figure]]
body = { kind = "sphere", size = [0.1], mass = 0.5 }
origin = [0.0, 0.0, 0.5]
[[command]]
at = 0.1
kind = "push"
link = "body"
impulse = [0.5, 0.0, 0.0]
[run]
duration = 0.2
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """What a command writes stays out of the checkout."""
    monkeypatch.chdir(tmp_path)


def ball(words=BALL, name="ball.toml"):
    Path(name).write_text(words)
    return name


def run(*words):
    return CliRunner().invoke(app, ["simulate", *map(str, words)], env={"COLUMNS": "200"})


def left(*names):
    """Nothing but these files is here."""
    return sorted(p.name for p in Path().iterdir()) == sorted(names)


# what it does


@pytest.mark.slow
def test_it_runs_tells_and_writes(monkeypatch):
    monkeypatch.setattr("anthropi.cli.simulate.STRIP_WIDTH", 200)
    result = run(ball(), "--out", "b.npz", "--page", "b.html", "--plot", "b.svg")
    assert result.exit_code == 0, result.output
    for words in ("ball: sphere; 6 degrees of freedom", "200 steps of 0.001 s", "0.1 s: push body", "At the end",
                  "wrote: b.npz", "wrote: b.html", "drawn: b.svg"):  # fmt: skip
        assert words in result.output, words
    motion = ap.Motion.load("b.npz")
    assert np.array_equal(motion.q, read("ball.toml").run().q) and motion.metadata["script"] == "ball"
    assert motion.events[0].what == "push body" and np.isclose(motion.u[-1, 0], 1.0)
    assert "<title>ball" in Path("b.html").read_text() and left("ball.toml", "b.npz", "b.html", "b.svg")


def test_options_change_the_run_and_quiet_says_nothing():
    result = run(ball(), "--duration", 0.1, "--dt", 0.0005, "--out", "b.npz", "--quiet")
    assert result.exit_code == 0 and result.output == ""
    motion = ap.Motion.load("b.npz")
    assert np.isclose(motion.time[-1], 0.1) and motion.metadata["clock"]["dt"] == 0.0005


def test_progress_is_told_up_to_the_end():
    told = []
    read(ball()).run(progress=lambda done, of: told.append((done, of)), opt=0)
    assert told[-1] == (200, 200)


# bad input


@pytest.mark.parametrize(("old", "new", "words"), [
    ("mass = 0.5", "mass = nan", "ball.toml: figure 1 body mass:"),
    ('link = "body"', 'link = "boddy"', "command 1: No link 'boddy' in figure 'sphere'. Did you mean 'body'?"),
    ("duration = 0.2", "duration = 1000000000", "run duration: Input should be less than or equal to 1000000"),
    ("duration = 0.2", "duration = 1e5\ndt = 1e-6", "1,000,000,000 are allowed. Give a shorter duration"),
    ("size = [0.1]", "size = [1e400]", "figure 1 body size 1:"),
    ("size = [0.1]", "size = " + "[" * 5000 + "]" * 5000, "nested too deep"),
    ('name = "ball"', 'name = "ball', "ball.toml is not valid TOML"),
], ids=["nan", "link", "long", "fine", "huge", "deep", "toml"])  # fmt: skip
def test_bad_input_is_one_line_and_nothing_is_written(old, new, words):
    result = run(ball(BALL.replace(old, new)), "--out", "b.npz")
    assert result.exit_code == 2 and words in result.output, result.output
    assert len(result.output.strip().splitlines()) == 1 and result.output.startswith("anthropi: ")
    assert left("ball.toml")


@pytest.mark.parametrize(("options", "words"), [
    (("--out", "b.txt"), "--out b.txt: the file name must end in .npz"),
    (("--out", "none/b.npz"), "is in none, which is not an existing folder"),
    (("--page", "b.png"), "--page b.png: the file name must end in .html"),
    (("--duration", "nan"), "duration is nan s. Give a finite number above 0"),
    (("--dt", "-1"), "dt is -1 s"),
    (("--dt", "1e-300"), "steps, but at most 1,000,000,000"),
    (("--view", "below", "--plot", "b.png"), "No view 'below'"),
], ids=["ending", "folder", "page", "nan", "negative", "tiny", "view"])  # fmt: skip
def test_bad_options_are_refused(options, words):
    result = run(ball(), *options)
    assert result.exit_code == 2 and words in result.output, result.output
    assert left("ball.toml")


def test_files_that_are_none():
    for name in ("none.toml", "."):
        result = run(name)
        assert result.exit_code == 2 and name in result.output and len(result.output.strip().splitlines()) == 1


# a state that stops being finite


def test_what_there_was_before_a_state_was_lost_is_kept():
    """A force that grows without bound: the error names link, joint and time; the frames before it are in the file."""
    wild = BALL + '[[control]]\nkind = "force"\nforce = { root.px = "exp(10000*t)" }\n[record]\nevery = 10\n'
    for options, name in (((), "ball-interrupted.npz"), (("--out", "b.npz"), "b.npz")):
        result = run(ball(wild), *options)
        assert result.exit_code == 2, result.output
        assert "has diverged" in result.output and "body" in result.output and "root" in result.output
        assert f"frames recorded before that are in {name}" in result.output
        motion = ap.Motion.load(name)
        assert 1 <= len(motion) < 21 and np.isfinite(motion.q).all() and np.isfinite(motion.u).all()
    with pytest.raises(StepError) as caught:
        read("ball.toml").run(opt=0)
    assert np.array_equal(caught.value.motion.q, motion.q)


# Ctrl-C

CHILD = """
import pathlib, sys
from anthropi.formats.scripts import Script
run = Script.run
def told(self, progress=None, **options):
    def tell(done, total):
        progress(done, total)
        pathlib.Path("running").touch()
    return run(self, progress=tell, **options)
Script.run = told
from anthropi.cli import app
app(sys.argv[1:])
"""


def interrupted(*options):
    """The command in a process of its own, stopped once it has begun to step; what it said, and its exit code."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    child = subprocess.Popen([sys.executable, "-c", CHILD, "simulate", *options], env=env, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # fmt: skip
    try:
        for _ in range(1200):
            if Path("running").exists() or child.poll() is not None:
                break
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        said = "".join(child.communicate(timeout=60))
    finally:
        if child.poll() is None:
            child.kill()
    return said, child.returncode


@pytest.mark.slow
@pytest.mark.parametrize("out", ["b.npz", None])
def test_ctrl_c_keeps_what_was_recorded(posix, out):
    long = BALL.replace("duration = 0.2", "duration = 100000.0\n[record]\nrate = 5.0")  # some minutes
    said, code = interrupted(ball(long), *(("--out", out) if out else ()))
    name = out or "ball-interrupted.npz"
    assert code == 130, said
    assert (
        f"frames recorded before that are in {name}" in said and "stopped at t = " in said and "Traceback" not in said
    )
    motion = ap.Motion.load(name)
    assert 1 < len(motion) < 500_001 and np.isfinite(motion.q).all()
    assert np.array_equal(motion.q[:3], read("ball.toml").run(duration=0.4).q)  # bit for bit as without it


def test_ctrl_c_before_the_first_step(monkeypatch):
    def stop(self, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(Script, "run", stop)
    result = run(ball(), "--out", "b.npz")
    assert result.exit_code == 130 and "anthropi: stopped" in result.output and left("ball.toml")


# a full disk

FULL = """
import resource, sys
from anthropi.cli import app
import anthropi.cli.simulate, anthropi.pictures.draw
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))  # no file may be longer: as on a full disk
app(sys.argv[1:])
"""


@pytest.mark.slow
@pytest.mark.parametrize(("option", "name"), [("--out", "b.npz"), ("--page", "b.html")])
def test_a_full_disk_leaves_the_old_file(posix, option, name):
    Path(name).write_bytes(b"old")
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "ANTHROPI_CACHE": "", "MPLBACKEND": "Agg"}
    done = subprocess.run([sys.executable, "-c", FULL, "simulate", ball(), option, name, "--quiet"], env=env,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 2, done.stdout + done.stderr
    said = done.stdout + done.stderr
    assert f"{name} cannot be written" in said and "The old file is unchanged." in said
    assert "Traceback" not in said and Path(name).read_bytes() == b"old" and left("ball.toml", name)


def test_a_full_disk_while_stopping_says_so(monkeypatch):
    """Ctrl-C, and then no room for what was recorded: the error names the file."""
    from anthropi.formats import files as whole

    def full(handle):
        raise OSError(28, "No space left on device")

    def stop(self, progress=None, **options):
        def tell(done, total):
            raise KeyboardInterrupt

        return real(self, progress=tell, **options)

    real = Script.run
    monkeypatch.setattr(Script, "run", stop)
    monkeypatch.setattr(whole.os, "fsync", full)
    result = run(ball(), "--out", "b.npz")
    assert result.exit_code == 2 and "b.npz cannot be written" in result.output and "No space left" in result.output
    assert "No file was written." in result.output and left("ball.toml")


# what is seen


def test_obstacles_and_terrain_are_seen():
    """They are links of the picture's figure, where the scene has them; the motion itself is as it was."""
    words = (
        BALL
        + """
[scene.ground]
kind = "heights"
formula = "0.1*x"
low = [-1.0, -1.0]
high = [1.0, 1.0]
spacing = 0.5
[[obstacle]]
name = "lift"
kind = "box"
size = [0.2, 0.2, 0.2]
origin = [3.0, 0.0, 0.0]
moving = { z = "t", turn = "t" }
[[obstacle]]
name = "rock"
kind = "sphere"
size = [0.3]
origin = [-3.0, 0.0, 0.0]
"""
    )
    script = read(ball(words))
    motion = script.run(opt=0)
    shown = with_scenery(script.scene, motion)
    k = ap.kinematics(shown.figure, shown.q[-1])
    assert np.array_equal(shown.q[:, :7], motion.q) and not is_flat(script.scene)
    assert np.allclose(k.link("scenery/lift").position, [3.0, 0.0, 0.2]) and shown.u[-1, -1] == 1.0
    rock, *tiles = shown.figure.links[0].shapes
    assert rock.size == (0.3,) and len(tiles) == 16
    for tile in tiles:
        top = tile.placement.origin + 0.5 * tile.size[2] * tile.placement.rotation[:, 2]
        assert abs(float(script.scene.ground.distance(top)[0])) < 1e-12
    plain = read(ball(name="plain.toml"))
    still = plain.run(opt=0)
    assert is_flat(plain.scene) and with_scenery(plain.scene, still) is still
