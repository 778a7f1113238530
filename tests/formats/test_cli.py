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


@pytest.mark.slow
def test_info_counts_operations_beside_the_thesis():
    result = run("info", "bench42", "--cost")
    assert result.exit_code == 0, result.output
    rows = [" ".join(line.split()) for line in result.output.splitlines()]
    assert "method of 1983 (Table 5.1), n = 42 8,160 7,135 15,295" in rows
    assert "method of 1983 (Table 5.1) 6 996 871 1,867" in rows
    assert "method of 1983 (Table 5.1) 12 2,190 1,915 4,105" in rows
    assert "Li (Table 3.1) 6 616 494 1,110" in rows
    assert any(row.startswith("direct dynamics, twists of 90° 12 ") for row in rows)
    own = next(row for row in rows if row.startswith("direct dynamics ") and "twist" not in row)
    numbers = [int(word.replace(",", "")) for word in own.removeprefix("direct dynamics ").split()]
    assert sum(numbers[:-1]) == numbers[-1] <= 4900
    assert "1983" not in run("info", "bench42").output


def test_figures_go_by_the_names_of_samples_too(tmp_path, monkeypatch):
    assert "roach: 7 links" not in run("info", "roach").output and "roach: 19 links" in run("info", "roach").output
    assert "human: " in run("info", "human").output
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "toml", TOML).rename("roach")
    assert "19 links" not in run("info", "roach").output  # a file of that name comes first


def test_the_cost_of_a_figure_with_loops_is_that_of_its_tree(tmp_path):
    assert "Operations for leg, without its loops" in run("info", written(tmp_path, "toml", TOML), "--cost").output


def test_bench_measures_our_kernels():
    result = run("bench", "pendulum", "--rounds", 1)
    assert result.exit_code == 0, result.output
    for words in ("pendulum: 1 degrees of freedom", "direct dynamics: u' of q, u, τ", "one bound call", "batches of"):
        assert words in result.stdout, words


@pytest.mark.oracle
def test_peers_are_measured_beside_us():
    from peers import PEERS

    from anthropi.cli.measure import measure

    report = measure(anthropi.sample("pendulum"), rounds=1, peers=PEERS)
    assert set(report.peers) == {"Pinocchio", "MuJoCo"} and not report.notes
    assert all(row.ratio > 0.0 for row in report.rows if row.peer)


@pytest.mark.slow
def test_bench_without_peers_as_json(monkeypatch):
    import json

    from peers import PEERS

    from anthropi.cli import measure

    monkeypatch.setattr(measure, "find_spec", lambda name: None)
    assert measure.measure(anthropi.sample("double_pendulum"), rounds=1, peers=PEERS).notes == [
        "Pinocchio is not installed. Install it with: pip install pin",
        "MuJoCo is not installed. Install it with: pip install mujoco",
    ]
    result = run("bench", "double_pendulum", "--rounds", 1, "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["anthropi"] == anthropi.__version__ and data["figure"] == "double_pendulum" and data["nu"] == 2
    assert {row["subject"] for row in data["rows"]} >= {"direct dynamics", "inverse dynamics", "mass matrix", "step"}
    assert all(row["one"] > 0.0 and row["many"] > 0.0 and row["ratio"] is None for row in data["rows"])


def test_names_with_brackets_are_no_markup(tmp_path):
    path = written(tmp_path, "toml", TOML.replace('"heel"', '"[red]heel[/]"'))
    assert "[red]heel[/]" in run("info", path).output


@pytest.mark.slow
def test_info_draws_a_picture(tmp_path):
    result = run("info", written(tmp_path, "toml", TOML), "--plot", tmp_path / "leg.png")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "leg.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_without_matplotlib_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    result = run("info", written(tmp_path, "toml", TOML), "--plot", tmp_path / "leg.png")
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
    assert "femur" in run("info", written(tmp_path, "mjcf", MJCF), "--by", "mujoco").output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["info", "gone.toml"], "anthropi: No file gone.toml."),
        (["convert", "gone.toml", "b.urdf"], "anthropi: No file gone.toml."),
        (["info", "SEED", "--by", "mujoco"], "no option 'by'"),
        (["convert", "SEED", "b.obj"], "b.obj: no figure format has the extension '.obj'"),
        (["convert", "SEED", "b.urdf"], "has loops (tether)"),
        (["info", "SEED", "--plot", "a.nothing"], "a.nothing cannot be drawn"),
        (["bench", "gone"], "There is no file or sample 'gone'. Samples: human, bench42"),
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


@pytest.mark.slow
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
