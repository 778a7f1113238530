"""The command line: what it prints, what it writes, and that errors are one line."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

import anthropi
from anthropi import formats
from anthropi.cli import app
from formats.mutations import MJCF, TOML, URDF, written


def run(*words):
    return CliRunner().invoke(app, [str(w) for w in words], env={"COLUMNS": "200"})


def test_version():
    assert run("--version").output == f"anthropi {anthropi.__version__}\n"


def test_no_command_shows_help():
    assert "info" in run().output and "convert" in run().output


def test_info_shows_links_dofs_and_what_was_left_out(tmp_path):
    result = run("info", written(tmp_path, "mjcf", MJCF))
    assert result.exit_code == 0, result.output
    for words in ("crawler: 5 links, 13 degrees of freedom", "12 kg", "femur.hip_y", "composite", "0.7854", "the world",
                  "left out: figure.xml: <actuator>", "2 markers, 1 loops: back, sole, leash"):  # fmt: skip
        assert words in result.output, words


def test_info_shows_connectivity(tmp_path):
    path = written(tmp_path, "toml", TOML)
    assert "Connectivity" not in run("info", path).output
    result = run("info", path, "--connectivity").output.partition("Connectivity")[2]
    rows = [line.split() for line in result.splitlines() if line.startswith(("root", "hip", "knee", "ankle"))]
    assert [r[0] for r in rows] == ["root", "hip", "knee", "ankle"]
    assert rows[2][1:] == ["·", "x", "x", "·"]


def test_names_with_brackets_are_no_markup(tmp_path):
    path = written(tmp_path, "toml", TOML.replace('"heel"', '"[red]heel[/]"'))
    assert "[red]heel[/]" in run("info", path).output


def test_info_draws_a_picture(tmp_path):
    pytest.importorskip("matplotlib")
    result = run("info", written(tmp_path, "toml", TOML), "--picture", tmp_path / "leg.png")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "leg.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_without_matplotlib_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    result = run("info", written(tmp_path, "toml", TOML), "--picture", tmp_path / "leg.png")
    assert result.exit_code == 2 and "pip install 'anthropi[plots]'" in result.stderr


@pytest.mark.parametrize("ending", [".toml", ".xml"])
def test_convert(ending, tmp_path):
    source = written(tmp_path, "urdf", URDF)
    result = run("convert", source, tmp_path / f"new{ending}")
    assert result.exit_code == 0, result.output
    assert "left out on reading: figure.urdf: <robot>: <transmission>" in result.output
    assert f"new{ending}: 4 links, 3 degrees of freedom" in result.output
    assert formats.read(tmp_path / f"new{ending}").figure.nu == 3


def test_convert_keeps_the_state(tmp_path):
    run(
        "convert",
        written(tmp_path, "toml", TOML.partition("[[loop]]")[0] + TOML[TOML.index("[state.pos") :]),
        tmp_path / "b.xml",
    )
    run("convert", tmp_path / "b.xml", tmp_path / "c.toml")
    found = formats.read(tmp_path / "c.toml")
    assert found.state.q[2] == 0.9 and found.state.q[found.figure.q_of[found.figure.joint_index("knee")]] == 0.3


def test_options_of_readers(tmp_path):
    text = URDF.replace('<link name="base"/>', "").replace('<parent link="base"/>', '<parent link="base"/>')
    path = written(
        tmp_path,
        "urdf",
        text.replace('<parent link="base"/><child link="upper"/>', '<parent link="hand"/><child link="tip"/>')
        .replace("</robot>", '<link name="tip"/></robot>')
        .replace('name="shoulder" type="revolute"', 'name="shoulder" type="fixed"'),
    )
    assert "free" in run("info", path, "--root", "free").output
    pytest.importorskip("mujoco")
    assert "femur" in run("info", written(tmp_path, "mjcf", MJCF), "--by", "mujoco").output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["info", "gone.toml"], "anthropi: No file gone.toml."),
        (["convert", "gone.toml", "b.urdf"], "anthropi: No file gone.toml."),
        (["info", "SEED", "--by", "mujoco"], "has no option 'by'"),
        (["convert", "SEED", "b.obj"], "b.obj is in no format known here"),
        (["convert", "SEED", "b.urdf"], "has loops (tether)"),
        (["info", "SEED", "--picture", "a.nothing"], "a.nothing cannot be drawn"),
    ],
)
def test_errors_are_one_line_and_exit_with_2(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "toml", TOML)
    result = run(*["figure.toml" if w == "SEED" else w for w in words])
    assert result.exit_code == 2
    assert message in result.stderr and result.stderr.count("\n") == 1 and "Traceback" not in result.output


def test_the_console_script_is_declared(root):
    import tomllib

    scripts = tomllib.loads((root / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"anthropi": "anthropi.cli:app"}
    code = "import anthropi.cli, sys; sys.argv = ['anthropi', '--version']; anthropi.cli.app()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("anthropi ")


def test_a_terminal_that_knows_only_ascii_is_served(tmp_path):
    import os
    import subprocess
    import sys

    import anthropi as ap

    file = tmp_path / "pendulum.toml"
    ap.save(ap.sample("pendulum"), file)
    code = f"from anthropi.cli import app; app(['info', {str(file)!r}])"
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "pendulum" in run.stdout
