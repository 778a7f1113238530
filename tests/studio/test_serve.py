"""The command `anthropi studio`: it prints its address, opens the given file, and ends cleanly."""

import html
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
import webbrowser
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")
from anthropi.errors import StateError
from anthropi.studio.serve import StudioServer, serve

RUN = [sys.executable, "-c", "from anthropi.cli import app; app()", "studio"]


def environment(tmp_path) -> dict[str, str]:
    """Return environment variables that put unsaved work into a folder of the test."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "ANTHROPI_STATE": str(tmp_path / "state")}


@pytest.mark.slow
def test_the_command_prints_its_address_and_ends_at_ctrl_c(tmp_path):
    """Ctrl-C ends the command without a traceback and without files left behind."""
    process = subprocess.Popen([*RUN, "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               cwd=tmp_path, env=environment(tmp_path))  # fmt: skip
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", process.stdout.readline())[0]
        assert urllib.request.urlopen(address, timeout=30).status == 200
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert "Traceback" not in errors
    assert [p.name for p in tmp_path.iterdir() if p.name != "state"] == []


@pytest.mark.slow
@pytest.mark.parametrize("words", [["nobody.toml"], ["--folder", "nowhere"], ["x.docx"]])
def test_what_cannot_be_opened_is_one_line_and_exit_code_2(tmp_path, words):
    """A file that cannot be opened gives an error of one line before the server starts."""
    (tmp_path / "x.docx").write_text("hello")
    done = subprocess.run([*RUN, "--no-browser", *words], capture_output=True, text=True, cwd=tmp_path, timeout=60,
                          env=environment(tmp_path))  # fmt: skip
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_file_is_opened_and_a_walker_is_there_without_one(tmp_path, figure_file):
    """A given file is opened; without one, a human starts to walk when the first browser connects."""
    with_file = StudioServer(tmp_path, figure_file, autosave=False)
    assert with_file.session.project.items[0].figure.name == "double_pendulum"
    assert with_file.session.project_view().saved
    with_file._socket.close()
    alone = StudioServer(tmp_path, autosave=False)
    assert alone.session.project.items[0].figure.name == "human" and alone.session.on_first_client is not None
    alone._socket.close()


@pytest.fixture
def figure_file(tmp_path):
    """Give the path of a figure.toml."""
    import anthropi as ap

    path = tmp_path / "arm.toml"
    ap.save(ap.sample("double_pendulum"), path)
    return path


def test_a_port_that_is_taken_is_said(tmp_path):
    """The error names the port that is in use and says what to do."""
    first = StudioServer(tmp_path, autosave=False)
    with pytest.raises(StateError, match=f"Port {first.port} cannot be used"):
        serve(None, tmp_path, first.port, False, lambda words: None)
    first._socket.close()


def test_the_token_is_not_in_the_command_line_of_the_browser(tmp_path, monkeypatch):
    """The browser gets a page that only this user can read, and which leads to the address with the token."""
    opened, said, done = [], [], threading.Event()
    monkeypatch.setattr(webbrowser, "open", lambda address: (opened.append(address), done.set()))
    monkeypatch.setattr(StudioServer, "run", lambda self: done.wait(20.0))
    serve(None, tmp_path, 0, True, said.append)
    path = Path(urllib.request.url2pathname(opened[0].removeprefix("file://")))
    address = said[0].split()[-1]
    assert "token" not in opened[0] and address.split("token=")[1] not in opened[0]
    assert html.escape(address) in path.read_text() and path.stat().st_mode & 0o077 == 0
