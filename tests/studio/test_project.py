"""Projects: one file contains the whole project and is never half written; unsaved work can be recovered."""

import os
import signal
import subprocess
import sys
import time
import zipfile

import numpy as np
import pytest

from anthropi.errors import FileError, FormatError
from anthropi.studio.messages import Autosaved, Problem
from anthropi.studio.project import autosave
from anthropi.studio.project.autosave import Autosave, lost_work
from anthropi.studio.project.file import load_project, project_bytes, save_project
from studio.session_helpers import Tried


@pytest.fixture
def full(tried):
    """Give a session whose project contains every type of content."""
    tried.do("open_sample", name="double_pendulum")
    a, b = tried.item.figure.dofs
    link = tried.item.figure.links[0].name
    tried.do("set_dof", figure=1, dof=a, value=0.5)
    tried.do("set_control", figure=1, dof=a, control={"of": "position", "times": [0, 1], "values": [0.5, 1]})
    tried.do("set_key", figure=1, time=0.0)
    tried.do("set_key", figure=1, time=1.0, values={b: 0.4})
    tried.do("apply_force", figure=1, link=link, vector=[1, 2, 3], end=0.5)
    tried.do("set_ground", ground={"kind": "rough", "seed": 3})
    tried.do("set_gait", steps=4, velocity=1.1)
    tried.do("set_camera_key", time=0.5, camera={"eye": [1, 1, 1]})
    made = tried.run("direct_dynamics", duration=0.1)
    tried.do("take_profiles", motion=made.number)
    return tried


def test_a_project_comes_back_as_it_was(full, tmp_path):
    """Figures and motions are read back bit for bit, and all settings are the same."""
    assert full.do("save_project", path="one") == {"path": "one.anthropi"}
    assert full.session.project_view().saved
    before = full.session.project
    full.do("new_project")
    assert full.session.project.items == ()
    full.do("open_file", path="one.anthropi")
    after = full.session.project
    assert [i.text for i in after.items] == [i.text for i in before.items]
    assert [i.controls for i in after.items] == [i.controls for i in before.items]
    assert [i.keys for i in after.items] == [i.keys for i in before.items]
    for name in ("world", "forces", "gait", "camera", "camera_keys", "profiles", "shown", "path"):
        assert getattr(after, name) == getattr(before, name), name
    assert np.array_equal(after.motions[0].motion.q, before.motions[0].motion.q)
    assert full.session.project_view().saved
    full.do("set_gait", steps=5)
    assert not full.session.project_view().saved


def test_two_studios_do_not_overwrite_each_other(tried, tmp_path):
    """A project file that another studio has changed is replaced only on request."""
    tried.do("new_figure", name="box")
    tried.do("save_project", path="shared")
    other = Tried(tmp_path)
    other.do("open_file", path="shared.anthropi")
    other.do("rename_figure", figure=1, name="theirs")
    other.do("save_project")
    tried.do("rename_figure", figure=1, name="ours")
    with pytest.raises(FileError, match=r"shared\.anthropi has already been changed on disk.*another name, or replace"):
        tried.do("save_project")
    assert load_project(tmp_path / "shared.anthropi").items[0].figure.name == "theirs"
    tried.do("save_project", replace=True)
    tried.do("save_project")  # nothing has changed since
    with pytest.raises(FileError, match="already been changed"):
        other.do("save_project")
    other.do("save_project", path="theirs")
    with pytest.raises(FileError, match=r"shared\.anthropi already exists"):
        other.do("save_project", path="shared")
    (tmp_path / "theirs.anthropi").unlink()
    other.do("save_project")
    other.close()


def test_a_figure_replaces_only_its_own_file(tried, tmp_path):
    """A figure is saved over another file only on request; its own file, if unchanged, needs none."""
    tried.do("new_figure", name="box")
    (tmp_path / "notes.toml").write_text("important = true")
    with pytest.raises(FileError, match=r"notes\.toml already exists"):
        tried.do("save_figure", figure=1, path="notes.toml")
    assert (tmp_path / "notes.toml").read_text() == "important = true"
    tried.do("save_figure", figure=1, path="box.toml")
    tried.do("save_figure", figure=1, path="./box.toml")
    with open(tmp_path / "box.toml", "a") as file:
        file.write("# by hand\n")
    with pytest.raises(FileError, match="already been changed on disk"):
        tried.do("save_figure", figure=1, path="box.toml")
    tried.do("save_figure", figure=1, path="box.toml", replace=True)
    tried.do("open_file", path="box.toml", add=True)
    tried.do("save_figure", figure=2, path="box.toml")


def test_undoing_the_opening_of_a_project_does_not_aim_at_its_file(tried, tmp_path):
    """After undo, saving does not write the old project to the file of the opened one."""
    tried.do("new_figure", name="box")
    tried.do("save_project", path="a")
    tried.do("new_project")
    tried.do("new_figure", name="ball")
    tried.do("open_file", path="a.anthropi")
    tried.do("undo")
    assert tried.item.figure.name == "ball" and tried.session.project.path == ""
    tried.do("redo")
    assert tried.item.figure.name == "box" and tried.session.project.path == "a.anthropi"
    tried.do("save_project")


def test_a_link_to_nothing_is_listed(tried, tmp_path):
    """A dangling symbolic link does not end the list of files."""
    (tmp_path / "gone.toml").symlink_to(tmp_path / "nowhere.toml")
    (tmp_path / "there.toml").write_text("")
    assert [e["name"] for e in tried.do("list_files")["entries"]] == ["gone.toml", "there.toml"]


def test_saving_twice_gives_the_same_bytes_of_motions(full):
    """Each motion is encoded only once."""
    assert project_bytes(full.session.project) != b""
    assert len(project_bytes(full.session.project)) == len(project_bytes(full.session.project))


def test_a_failure_leaves_the_old_file(full, tmp_path, monkeypatch):
    """If writing fails, for example because the disk is full, the old file is unchanged."""
    path = tmp_path / "a.anthropi"
    save_project(full.session.project, path)
    old = path.read_bytes()
    monkeypatch.setattr(os, "fsync", lambda file: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(FileError, match="is unchanged"):
        save_project(full.session.project, path)
    assert path.read_bytes() == old
    assert [p.name for p in tmp_path.iterdir()] == ["a.anthropi"]


@pytest.mark.parametrize("content", [b"", b"PK", b"hello", b"\x00" * 1000])
def test_what_is_no_project_is_refused(tmp_path, content):
    """A file that is not a project is refused with a clear message."""
    path = tmp_path / "a.anthropi"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="project"):
        load_project(path)


@pytest.mark.parametrize("head", ["{", "[]", '{"format": "x"}', '{"format": "anthropi project 1"}'])
def test_a_project_that_was_changed_by_hand_is_refused(tmp_path, head):
    """A project with an invalid project.json is refused with a clear message."""
    path = tmp_path / "a.anthropi"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.json", head)
    with pytest.raises(FormatError, match="project"):
        load_project(path)


def test_unsaved_work_is_kept_and_found_again(full, tmp_path, monkeypatch):
    """Unsaved work can be recovered after a crash, but not while its process is running."""
    folder = tmp_path / "state"
    full.session.autosave = Autosave(full.session, folder, delay=0.02)
    full.do("set_gait", steps=7)
    full.until(lambda: full.of(Autosaved))
    full.until(lambda: full.of(Autosaved)[-1].revision == full.session.revision)
    assert lost_work(folder) is None  # this process is still running
    monkeypatch.setattr(autosave, "_is_running", lambda process: False)
    found = lost_work(folder)
    assert load_project(found.path).gait.steps == 7 and "Unsaved" in found.words
    full.do("new_project")
    full.session.recovery = found
    assert full.do("get_help")["recovered"]
    assert full.do("recover")["figures"] == [1]
    assert full.session.project.gait.steps == 7 and full.do("get_help")["recovered"] == ""
    full.do("save_project", path="b")
    assert not full.session.autosave.path.exists()
    full.session.autosave.close()


def test_unsaved_work_is_private_and_found_although_its_process_number_is_used_again(tried, tmp_path):
    """The lock of the file, not the process number in its name, says whether its process has ended."""
    folder = tmp_path / "state"
    tried.do("new_figure", name="box")
    writer = Autosave(tried.session, folder, delay=60.0)
    writer.write()
    assert lost_work(folder) is None
    if os.name == "posix":
        assert [p.stat().st_mode & 0o077 for p in (folder, *folder.iterdir())] == [0, 0, 0]
    writer._lock.close()  # as when the process is killed; its number now belongs to this process
    assert lost_work(folder).path == writer.path
    writer.write()
    writer.discard()
    assert list(folder.iterdir()) == []
    writer.close()


def test_temporary_files_of_killed_processes_are_removed(tried, tmp_path):
    """Saving removes old temporary files of the same path, and no others."""
    tried.do("new_figure", name="box")
    old, young, other = (tmp_path / f".{name}.part" for name in ("a.anthropi.1", "a.anthropi.2", "b.anthropi.1"))
    for path in (old, young, other):
        path.write_bytes(b"x")
    for path in (old, other):
        os.utime(path, (0.0, 0.0))
    tried.do("save_project", path="a")
    assert young.exists() and other.exists() and not old.exists()


def test_autosave_reports_every_failure_and_continues(tried, tmp_path, monkeypatch):
    """An error of any type is reported once, as a warning, and the next change is saved."""
    tried.do("new_figure", name="box")
    writer = tried.session.autosave = Autosave(tried.session, tmp_path / "state", delay=0.01)
    with monkeypatch.context() as broken:
        broken.setattr(autosave, "save_project", lambda *args: "\ud83d".encode())
        tried.do("set_gait", steps=7)
        tried.until(lambda: tried.of(Problem))
    assert tried.of(Problem)[0].level == "warning" and "cannot be written" in tried.of(Problem)[0].message
    tried.do("set_gait", steps=8)
    tried.until(lambda: tried.of(Autosaved))
    writer.close()


def test_work_that_nobody_wants_is_thrown_away(full, tmp_path):
    """Unsaved work is discarded only on request."""
    path = tmp_path / "1-1.anthropi"
    save_project(full.session.project, path)
    full.session.recovery = autosave.Recovery(path, "")
    full.do("recover", take=False)
    assert not path.exists()


KILLED = """
import itertools, os, sys
from pathlib import Path
from anthropi.studio.session import StudioSession
from anthropi.studio.messages.encoding import command_of

def saves():
    session = StudioSession(Path(sys.argv[1]))
    session.do(command_of({"kind": "new_figure", "name": "body"}))
    for k in itertools.count(1):
        session.do(command_of({"kind": "set_dof", "figure": 1, "dof": "root.px", "value": float(k)}))
        session.do(command_of({"kind": "save_project", "path": "a", "replace": True}))
        os.write(1, f"{k}\\n".encode())

for _ in sys.stdin:  # each line forks a new process, so that nothing is imported again
    child = os.fork()
    if child == 0:
        saves()
    os.write(1, f"pid {child}\\n".encode())
    os.waitpid(child, 0)
    os.write(1, b"dead\\n")
"""


def killed_while_saving(folder, times: int, seed: int = 0) -> int:
    """Kill a process that saves continuously; return how often the file was incomplete or older than reported."""
    rng, lost = np.random.default_rng(seed), 0
    parent = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(folder)],
        stdin=subprocess.PIPE,
        text=True,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    for _ in range(times):
        parent.stdin.write("again\n")
        parent.stdin.flush()
        child, saved, wanted = 0, 0, int(rng.integers(1, 6))
        while not child or saved < wanted:
            words = parent.stdout.readline().split()
            child, saved = (int(words[1]), saved) if words[0] == "pid" else (child, int(words[0]))
        time.sleep(float(rng.uniform(0.0, 0.02)))
        os.kill(child, signal.SIGKILL)
        while (line := parent.stdout.readline().strip()) != "dead":
            saved = int(line)
        try:
            lost += not saved <= load_project(folder / "a.anthropi").items[0].state.q[0] <= saved + 1
        except FileError:
            lost += 1
    parent.stdin.close()
    parent.wait(20)
    return lost


@pytest.mark.slow
def test_kill_9_while_saving_loses_nothing(tmp_path):
    """No work is lost if the process is killed while saving; a few times here, 200 times in the soak test."""
    assert killed_while_saving(tmp_path, 4) == 0
    assert not [p for p in tmp_path.iterdir() if p.suffix == ".anthropi" and p.name != "a.anthropi"]


@pytest.mark.soak
def test_kill_9_while_saving_loses_nothing_200_times(tmp_path):
    """No work is lost in 200 kills while saving (issue 9)."""
    assert killed_while_saving(tmp_path, 200, seed=1) == 0
