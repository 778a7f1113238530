"""The command line as a whole: every command is there and quick to ask, errors are one line, --json is JSON."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.main import get_command
from typer.testing import CliRunner

import anthropi as ap
from anthropi.cli import COMMANDS, app
from anthropi.cli import app as typer_app
from anthropi.errors import InputError
from anthropi.motion import Motion

SOURCE = Path(ap.__file__).resolve().parents[1]
SCRIPT = next((SOURCE.parent / "examples" / "scripts").glob("*.toml"))
NAMED = "walk run simulate inverse hidds assemble convert refine gait-report push-map studio bench info".split()


@pytest.fixture(autouse=True)
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words, **options):
    return CliRunner().invoke(app, list(map(str, words)), **options)


def data(*words):
    """What a command prints with --json."""
    found = run(*words, "--json")
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


def swing(path="swing.npz", figure=None):
    figure = ap.sample("double_pendulum") if figure is None else figure
    time = np.arange(61) / 60.0
    q = np.tile(figure.neutral(), (len(time), 1))
    q[:, -1] = 0.3 * np.sin(4.0 * time)
    Motion(figure, time, q).save(path)
    return path


def fresh(*words, code="from anthropi.cli import app; app()", **env):
    """The command in an interpreter of its own."""
    env = {**os.environ, "PYTHONPATH": str(SOURCE), **env}
    return subprocess.run([sys.executable, "-c", code, *words], env=env, capture_output=True, text=True, check=False)


def test_every_command_is_there():
    assert set(NAMED) <= set(COMMANDS)
    listed = run("--help").stdout
    assert all(f"\n  {name} " in listed for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_the_list_says(name):
    group = get_command(typer_app)
    command = group.get_command(None, name)
    assert command is not None and " ".join(command.help.split("\n\n")[0].split()) == COMMANDS[name][1]
    found = run(name, "--help")
    assert found.exit_code == 0 and "Usage:" in found.stdout
    assert "--json" in found.stdout or name == "studio"


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--help"], ["walk", "--help"], ["convert", "--help"]])
def test_help_is_quick_and_loads_little(words, tmp_path):
    told = "import atexit, sys; atexit.register(lambda: print(*sys.modules))"
    code = f"{told}\nfrom anthropi.cli import app\napp({words})"
    first = fresh(code=code, ANTHROPI_CACHE=str(tmp_path)).stdout  # bytecode is written, and help remembered
    work = []
    for _ in range(4):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        shown = fresh(code=code, ANTHROPI_CACHE=str(tmp_path)).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        work.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
        if work[-1] < 0.4:
            break
    assert min(work) < 0.4  # s of work; a busy machine takes longer for the same, hence the best of some
    heavy = {"llvmlite", "rich", "anthropi.figure", "anthropi.gait", "anthropi.formats"}
    assert not heavy & set(shown.splitlines()[-1].split())
    assert shown.splitlines()[:-1] == first.splitlines()[:-1] and "Usage:" in shown


@pytest.mark.slow
def test_completion_names_commands_without_loading_them():
    words = {"_ANTHROPI_COMPLETE": "complete_bash", "COMP_WORDS": "anthropi s", "COMP_CWORD": "1"}
    code = "import sys; sys.argv = ['anthropi']\nfrom anthropi.cli import app\napp(prog_name='anthropi')"
    found = fresh(code=code, **words)
    assert found.stdout.split() == ["simulate", "study", "studio"], found.stderr
    words |= {"COMP_WORDS": "anthropi info --con", "COMP_CWORD": "2"}
    assert fresh(code=code, **words).stdout.split() == ["--connectivity"]
    assert "complete" in run("--show-completion", "bash").output or run("--show-completion").exit_code in (0, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing"], "No such command"),
        (["inf"], "Did you mean 'info'"),
        (["info"], "Missing argument"),
        (["info", "nobody"], "no file or sample 'nobody'"),
        (["info", "human", "--nosuch"], "No such option"),
        (["convert", "a.npz", "b.glb"], "No file a.npz"),
        (["walk", "--speed", "fast"], "Invalid value for '--speed'"),
        (["gait-report", "a.npz"], "No file a.npz"),
    ],
)
def test_what_is_refused_says_why_with_code_2(words, said):
    found = run(*words)
    assert found.exit_code == 2 and said in found.output and "Traceback" not in found.output, found.output


@pytest.mark.slow
def test_a_fault_of_ours_is_one_line_too(monkeypatch):
    import anthropi.cli.figures as module

    def broken(*_):
        raise ZeroDivisionError("what should not happen")

    monkeypatch.setattr(module, "named", broken)
    found = run("info", "human")
    assert found.exit_code == 70 and "ZeroDivisionError: what should not happen" in found.stderr
    assert "Traceback" not in found.output and found.stderr.count("\n") == 1
    shown = fresh("info", "human", code="""
import anthropi.cli.figures as module, sys
def broken(*_): raise ZeroDivisionError("again")
module.named = broken
module.app(sys.argv[1:])
""", ANTHROPI_TRACEBACK="1")  # fmt: skip
    assert shown.returncode == 70 and "Traceback" in shown.stderr


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (InputError("too  large"), 2),
                                             (PermissionError(13, "Permission denied", "x.npz"), 2)])  # fmt: skip
def test_exit_codes(monkeypatch, error, code):
    import anthropi.cli.figures as module

    def broken(*_):
        raise error

    monkeypatch.setattr(module, "named", broken)
    found = run("info", "human")
    assert found.exit_code == code and found.stderr.startswith("anthropi: ") and found.stderr.count("\n") == 1


@pytest.mark.slow
def test_info_and_convert_as_json():
    told = data("info", "human", "--cost")
    assert told["nu"] == 50 and len(told["links"]) == 21 and told["links"][0]["parent"] is None
    assert told["dofs"]["l_knee"]["upper"] > 2.0 and told["dofs"]["root.px"]["upper"] is None
    assert told["operations"]["direct dynamics"] > 1000
    assert data("info", swing())["about"][0].startswith("motion: 61 frames")
    ap.formats.save(ap.sample("double_pendulum"), "two.toml")
    assert data("convert", "two.toml", "two.urdf")["wrote"] == "two.urdf"


@pytest.mark.parametrize("ending", [".html", ".glb", ".bvh", ".csv", ".mot", ".png", ".h5"])
def test_convert_writes_what_can_be_shared(ending, there):
    told = data("convert", swing(), f"out{ending}")
    assert told["wrote"] == f"out{ending}" and told["motion"]["frames"] == 61
    assert (there / f"out{ending}").stat().st_size > 100


def test_inverse_hidds_and_refine_as_json():
    swing()
    told = data("inverse", "swing.npz", "--out", "tau.csv")
    assert told["files"] == {"out": "tau.csv"} and all(row["rms"] <= row["most"] for row in told["forces"].values())
    told = data("hidds", "swing.npz", "--mode", "computed torque")
    assert set(told["errors"]) == set(ap.sample("double_pendulum").dofs)
    told = data("refine", "swing.npz", "--iterations", "2")
    assert len(told["runs"]) >= 1 and told["motion"]["frames"] > 10


@pytest.mark.slow
def test_a_walk_as_json():
    told = data("walk", "--steps", "3", "--speed", "1.2", "--out", "walk.npz")
    assert told["walk"]["steps"] == 3 and told["files"] == {"out": "walk.npz"} and not told["walk"]["fell"]
    assert {e["what"] for e in told["motion"]["events"]} >= {"strike"}


@pytest.mark.slow
def test_a_simulation_as_json():
    told = data("simulate", SCRIPT, "--duration", "0.05", "--page", "a.html")
    assert told["motion"]["frames"] > 1 and told["files"] == {"page": "a.html"} and told["end"]


def test_the_documentation_knows_every_command():
    text = (SOURCE.parent / "docs" / "command_line.md").read_text(encoding="utf-8")
    missing = [name for name in COMMANDS if f"anthropi {name}" not in text and f"`{name}`" not in text]
    assert not missing, missing


def test_the_old_spelling_of_an_option_still_works(there):
    assert "--picture" not in run("info", "--help").stdout
    found = run("info", "double_pendulum", "--picture=a.png")
    assert found.exit_code == 0 and (there / "a.png").stat().st_size > 100, found.output
