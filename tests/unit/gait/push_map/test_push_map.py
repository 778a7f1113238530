"""The push map of something whose limits are known, its files, its picture, its command."""

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import anthropi as ap
from anthropi.algebra import rotation as rot
from anthropi.algorithms.kinematics import kinematics
from anthropi.cli import app
from anthropi.cli import push_map as mounted  # the command's module, mounted or not
from anthropi.errors import FormatError, InputError, Interrupted, SimulationError
from anthropi.gait.report.push_map import PushMap, push_map
from anthropi.gait.report.push_trials import Pushed
from anthropi.simulation.drive import Drive
from anthropi.simulation.sense import Sense
from unit.gait.push_map.glider import AHEAD, ASIDE, MASS, STRIDE, Glider, scene, start, taken

OPTIONS = {"settle": 1.5, "after": 1.6, "dt": 2e-3, "opt": 0}


@pytest.fixture(scope="module")
def found():
    told = []
    found = push_map(scene(), Glider(), start(), directions=4, phases=4, impulses=(8.0, 4.0), rounds=3,
                     progress=lambda *at: told.append(at), **OPTIONS)  # fmt: skip
    assert told[-1] == (81.0, 81) and all(a <= b for (a, _), (b, _) in pairwise(told))
    return found


def test_the_largest_pushes_are_those_that_it_can_take(found):
    """Forward and back by `ahead` at every phase; aside by `aside` in the first half of the stride, far more later."""
    assert found.stride == pytest.approx(STRIDE, abs=0.011) and found.speed == pytest.approx(1.0, abs=0.01)
    exact = np.full((4, 4), taken(AHEAD))
    exact[1::2, :2] = taken(ASIDE)
    known = np.ones((4, 4), bool)
    known[1::2, 2:] = False
    gap = (exact - found.largest)[known]
    assert (gap >= 0.0).all() and (gap < 1.01).all()  # [N s]: 4 and 8 bisected thrice, 8 and 12 twice
    assert (found.largest[1::2, 2:] > 2.0 * taken(ASIDE)).all()
    assert not found.bounded[1::2, 2].any() and found.bounded[known].all()
    assert found.stance["l"][0] == 0.0 and found.stance["r"][0] == pytest.approx(0.5, abs=0.02)


def test_it_goes_on_from_a_motion(found):
    """From the end of one, memory with it; pushes at other times of the same gait find the same limits."""
    begun = ap.simulate(scene(), *start(), forces=Glider(), duration=2.0, dt=2e-3, every=5, opt=0)
    again = push_map(scene(), Glider(), begun, directions=1, phases=2, impulses=(4.0, 8.0), rounds=3, **OPTIONS)
    assert np.array_equal(again.largest, found.largest[:1, ::2])


@pytest.mark.slow
def test_two_processes_find_the_same_map_and_go_on_in_its_folder(found, tmp_path):
    options = {"directions": 4, "phases": 4, "impulses": (8.0, 4.0), "executor": None, "folder": tmp_path}
    push_map(scene(), Glider(), start(), rounds=3, **options, **OPTIONS)
    again = push_map(scene(), Glider(), start(), rounds=3, **options, **OPTIONS)
    assert np.array_equal(again.tried, found.tried) and np.array_equal(again.recovery, found.recovery, equal_nan=True)


def test_shares_count_cells(found):
    assert found.share(4.0) == 1.0 and found.share(8.0) == 0.75 and found.share(1e3) == 0.0
    assert found.share(8.0 * 75.0 / MASS, at_75_kg=True) == 0.75
    assert found.by(1.0) == found.largest.min() and found.by(0.5) == np.sort(found.largest.ravel())[8]
    assert found.by(0.76) == found.largest.min() and found.by(0.75) > 8.0
    assert found.at_75_kg(8.0) == 75.0 and "75 % survive" not in found.headline


def test_steps_until_it_walks_as_before(found):
    """Errors fade in 50 ms: the step that is pushed is another, and perhaps the next, no more."""
    steps = found.steps(8.0)
    assert len(steps) == 12 and np.isfinite(steps).all() and steps.max() <= 2.0
    along = found.recovery[0, :, 1]  # a push of 8 N s forward adds 0.4 m/s
    assert (along >= 1.0).all() and found.recovery[1, 2, 1] == 0.0  # aside is none along the way


def test_files_come_back(found, tmp_path):
    found.save(tmp_path / "map.npz")
    again = PushMap.load(tmp_path / "map.npz")
    assert np.array_equal(again.survived, found.survived) and again.text() == found.text()
    found.save(tmp_path / "map.csv")
    lines = (tmp_path / "map.csv").read_text().splitlines()
    assert len(lines) == 81 and lines[1].startswith("0,0,4,37.5,1,")
    for name in ("map.txt", "map"):
        with pytest.raises(FormatError, match=r"\.npz or \.csv"):
            found.save(tmp_path / name)
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(FormatError, match="not a push map: 'directions' is missing"):
        PushMap.load(tmp_path / "other.npz")


def test_the_picture(found, tmp_path):
    pytest.importorskip("matplotlib")
    sheet = found.plot(tmp_path / "map.svg")
    words = (tmp_path / "map.svg").read_text()
    assert len(sheet.axes) == 4 and words.count("<path") > 20


def test_a_push_is_a_force_in_the_world_at_the_centre_for_a_while():
    """On a pelvis that is turned, with what the controller itself gives."""
    figure = ap.human()
    own = Glider()
    own.__class__ = type("Turned", (Glider,), {"__call__": lambda self, f, s, m, p: (_drive(f), m)})
    pushed = Pushed(own)
    q = figure.neutral()
    q[3:7] = rot.quaternion_from_rotation_vector(np.array([0.2, -0.4, 0.7]))
    k = kinematics(figure, q, np.zeros(figure.nu))
    told = {name: float(x) for name, x in own.parameters.items()}
    told |= {"push.when": 1.0, "push.over": 0.1, "push.fx": 30.0, "push.fy": -40.0}
    i = figure.link_index("pelvis")
    for t, on in ((0.999, 0.0), (1.0, 1.0), (1.0999, 1.0), (1.1001, 0.0)):
        sense = Sense(t, q, np.zeros(figure.nu), k, None, np.zeros(0), 0.0, 0.0)
        drive, _ = pushed(figure, sense, {}, told)
        moment, force = drive.f_ext[i][:3], k.rotation[i] @ drive.f_ext[i][3:]
        np.testing.assert_allclose(force, [30.0 * on, -40.0 * on, 1.0], atol=1e-12)
        push = k.rotation[i].T @ np.array([30.0 * on, -40.0 * on, 0.0])
        np.testing.assert_allclose(moment, np.cross(figure.links[i].centre, push), atol=1e-12)
        assert drive.tau[0] == 2.0
    with pytest.raises(InputError, match="needs a controller"):
        Pushed(lambda t: 0.0)


def _drive(figure):
    """A controller's own force of 1 N upward on the pelvis, by its name, and joint forces."""
    up = rot.matrix_from_quaternion(rot.quaternion_from_rotation_vector(np.array([0.2, -0.4, 0.7]))).T[:, 2]
    return Drive(tau=np.full(figure.nu, 2.0), f_ext={"pelvis": np.concatenate([np.zeros(3), up])})


@pytest.mark.parametrize(("options", "said"), [
    ({"impulses": (0.0, 3.0)}, r"finite numbers above 0 \[N s\]"),
    ({"directions": 0}, "directions=0"),
    ({"phases": 2.5}, "phases=2.5"),
    ({"over": -1.0}, "seconds above 0"),
])  # fmt: skip
def test_refusals(options, said):
    with pytest.raises(InputError, match=said):
        push_map(scene(), Glider(), start(), **OPTIONS, **options)


def test_what_falls_by_itself_is_refused():
    q, u = start()
    with pytest.raises(SimulationError, match="is not steady: it falls"):
        push_map(scene(), Glider(), (q, u + np.array([1.0, 0, 0, 0, 0])), **OPTIONS)


def test_the_command(found, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module, asked = sys.modules["anthropi.cli.push_map"], {}
    assert mounted is not None

    def known(scene, controller, start, **told):
        asked.update(told)
        told["progress"](1.0, 4)
        return found

    monkeypatch.setattr(module, "mapped", known)
    monkeypatch.setattr(PushMap, "plot", lambda self, path: Path(path).write_text("<svg"))
    run = lambda *words: CliRunner().invoke(app, ["push-map", *words])  # noqa: E731
    done = run("--impulses", "4,8", "--directions", "4", "--out", "map.svg", "--data", "map.csv", "--speed", "1.2")
    assert done.exit_code == 0, done.output
    for words in ("largest impulse survived", "forward", "drawn: map.svg", "wrote: map.csv", "80 pushes in"):
        assert words in done.output
    assert asked["impulses"] == [4.0, 8.0] and asked["directions"] == 4 and asked["command"][1] == 1.2
    assert sorted(p.name for p in Path().iterdir()) == ["map.csv", "map.svg"]
    for words, said in ((("--impulses", "4;8"), "separated by commas"), (("--out", "map.gif"), "must end in"),
                        (("--walker", "naturl"), "Did you mean 'natural'")):  # fmt: skip
        bad = run(*words)
        assert bad.exit_code == 2 and said in bad.output and bad.output.count("\n") == 1


@pytest.mark.parametrize(("pushes", "columns"), [(20, 1), (40, 2), (50, 3)])
def test_ctrl_c_keeps_the_pushes_that_were_finished(found, tmp_path, pushes, columns):
    """The map of whole columns: impulses first, then rounds. Nothing was kept before."""

    def stop(done, total):
        if done > pushes:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match=f"after {columns} of 5 pushes") as caught:
        push_map(scene(), Glider(), start(), directions=4, phases=4, impulses=(8.0, 4.0), rounds=3, progress=stop,
                 **OPTIONS)  # fmt: skip
    kept = caught.value.result
    assert np.array_equal(kept.tried, found.tried[..., :columns])
    assert np.array_equal(kept.survived, found.survived[..., :columns]) and len(kept.impulses) == min(columns, 2)
    kept.save(tmp_path / "map.npz")
    assert "N s" in kept.text() and np.array_equal(PushMap.load(tmp_path / "map.npz").largest, kept.largest)
    with pytest.raises(KeyboardInterrupt) as early:
        push_map(scene(), Glider(), start(), directions=4, phases=4, impulses=(8.0, 4.0), progress=_stop_at_once,
                 **OPTIONS)  # fmt: skip
    assert getattr(early.value, "result", None) is None


def _stop_at_once(done, total):
    raise KeyboardInterrupt


def test_the_command_writes_the_map_so_far_on_ctrl_c(found, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def stopped(*_, **__):
        raise Interrupted("stopped", result=found)

    monkeypatch.setattr(sys.modules["anthropi.cli.push_map"], "mapped", stopped)
    done = CliRunner().invoke(app, ["push-map", "--out", "map.csv"])
    assert done.exit_code == 130 and "the map so far" in done.output and Path("map.csv").is_file()


@pytest.mark.slow
def test_the_command_pushes_the_walker_that_comes_with_the_package():
    found = CliRunner().invoke(
        app, ["push-map", "--directions", "1", "--phases", "1", "--impulses", "10", "--rounds", "0"]
    )
    assert found.exit_code == 0, found.output
    assert "100 %" in found.stdout
