"""The server: commands over the WebSocket, motions, uploads, downloads, and requests that must be refused."""

import functools
import http.client
import json
import os
import struct
import threading

import pytest

pytest.importorskip("websockets")
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


class Browser:
    """A client of the WebSocket that plays the part of a browser."""

    def __init__(self, served):
        self.served, self.events, self.frames, self._number = served, [], [], 0
        self._open = connect(f"ws://127.0.0.1:{served.port}/ws?token={served.studio.token}", max_size=None)
        self.line = self._open.__enter__()

    def ask(self, kind, **fields):
        """Send a command and return the reply."""
        self._number += 1
        self.line.send(json.dumps({"id": self._number, "kind": kind, **fields}))
        while True:
            message = self.line.recv(60)
            if isinstance(message, bytes):
                self.frames.append(message)
                continue
            data = json.loads(message)
            if data.get("id") == self._number:
                return data
            self.events.append(data)

    def do(self, kind, **fields):
        """Send a command that must succeed and return its result."""
        reply = self.ask(kind, **fields)
        assert reply["ok"], reply
        return reply["result"]

    def until(self, kind, seconds=60):
        """Wait for the next event of a kind and return it."""
        for k, event in enumerate(self.events):
            if event["kind"] == kind:
                return self.events.pop(k)
        while True:
            message = self.line.recv(seconds)
            if isinstance(message, bytes):
                self.frames.append(message)
            elif (data := json.loads(message)).get("kind") == kind:
                return data

    def close(self):
        """Close the connection."""
        self._open.__exit__(None, None, None)

    def fetch(self, path, method="GET", body=None, **headers):
        """Request a page and return (status, body)."""
        line = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=60)
        own = {"X-Token": self.served.studio.token, "Origin": f"http://127.0.0.1:{self.served.port}", **headers}
        line.request(method, path, body, own)
        answer = line.getresponse()
        found = answer.status, answer.read()
        line.close()
        return found


@pytest.fixture
def browser(served):
    """Give a connected browser."""
    made = Browser(served)
    yield made
    made.close()


def test_a_motion_travels_once_as_a_buffer(browser):
    """A simulated motion can be fetched from its address."""
    browser.do("open_sample", name="double_pendulum")
    task = browser.do("direct_dynamics", duration=0.2)["task"]
    made = browser.until("motion_made")
    assert made["task"] == task and made["motion"]["kind"] == "direct"
    status, data = browser.fetch(made["motion"]["address"])
    assert status == 200 and data[:4] == b"APM1"
    (length,) = struct.unpack("<I", data[4:8])
    assert json.loads(data[8 : 8 + length])["frames"] == 21
    assert browser.fetch("/motion/99")[0] == 404


def test_errors_name_link_and_joint(browser):
    """A reply to a failed command contains the error message and the link or joint that it names."""
    browser.do("open_sample", name="human")
    error = browser.ask("set_limits", figure=1, dof="l_knee", lower=2.0, upper=1.0)["error"]
    assert error["joint"] == "l_knee" and "above" in error["message"]
    assert browser.ask("remove_link", figure=1, link="pelvis", branch=True)["error"]["link"] == "pelvis"
    assert "No command" in browser.ask("dance")["error"]["message"]


def test_two_browsers_see_the_same(served, browser):
    """All browsers receive every change; a browser that connects later receives the whole state."""
    browser.do("open_sample", name="human")
    other = Browser(served)
    assert other.until("figure_changed")["figure"]["appearance"]["links"]
    assert other.until("project_changed")["project"]["figures"][0]["name"] == "human"
    browser.do("rename_figure", figure=1, name="anna")
    assert other.until("project_changed")["project"]["figures"][0]["name"] == "anna"
    other.close()


def test_a_project_larger_than_the_send_queue_is_sent_to_every_browser(served, browser, monkeypatch):
    """The size of the project never disconnects a browser: when it connects, or when a project is opened."""
    from anthropi.studio import server

    for _ in range(4):
        browser.do("open_sample", name="double_pendulum", add=True)
    whole = sum(len(json.dumps(browser.do("get_figure", figure=k))) for k in range(1, 5))
    browser.do("save_project", path="four")
    monkeypatch.setattr(server, "Client", functools.partial(server.Client, max_bytes=whole // 2))
    other = Browser(served)  # this failed with "The browser reads too slowly" for seven humans and a queue of 8 MiB
    assert [other.until("figure_changed")["figure"]["figure"] for _ in range(4)] == list(range(1, 5))
    other.do("open_file", path="four.anthropi")
    assert other.do("get_project")["name"] == "four"
    other.close()


def test_uploads_are_opened_and_exports_fetched(browser, tmp_path):
    """A downloaded figure can be uploaded and opened again."""
    browser.do("open_sample", name="double_pendulum")
    made = browser.do("export", format=".toml", figure=1)
    status, words = browser.fetch(made["address"])
    assert status == 200 and b'name = "double_pendulum"' in words and len(words) == made["size"]
    status, reply = browser.fetch("/upload", "POST", words, **{"X-Name": "../../etc/arm.toml"})
    upload = json.loads(reply)
    assert status == 200 and upload["name"] == "arm.toml"
    opened = browser.do("open_upload", upload=upload["upload"], name="arm.toml", add=True)
    assert len(opened["figures"]) == 1
    assert not browser.ask("open_upload", upload="guess", name="a.toml")["ok"]
    assert not (tmp_path / "arm.toml").exists()


def test_motions_are_exported_and_opened_again(browser):
    """Motions can be uploaded as BVH, CSV and native files."""
    browser.do("open_sample", name="double_pendulum")
    browser.do("direct_dynamics", duration=0.1)
    number = browser.until("motion_made")["motion"]["motion"]
    for ending in (".npz", ".csv"):
        made = browser.do("export", format=ending, motion=number)
        data = browser.fetch(made["address"])[1]
        key = json.loads(browser.fetch("/upload", "POST", data, **{"X-Name": made["name"]})[1])["upload"]
        assert browser.do("open_upload", upload=key, name=made["name"], add=True)["motions"]


def test_the_event_loop_reads_and_writes_no_large_messages(browser, monkeypatch):
    """Large commands, all replies and events are read and written by other threads, so that no browser waits."""
    from anthropi.studio import server

    seen = {}

    def noted(name):
        function = getattr(server, name)

        def note(*args):
            seen.setdefault(name, set()).add(threading.current_thread().name)
            return function(*args)

        return note

    for name in ("_json", "command_of", "event_text", "encoded"):
        monkeypatch.setattr(server, name, noted(name))
    browser.do("new_figure", name="b" * 20_000)
    browser.do("new_figure", name="b" * 20_000)
    assert set(seen) == {"_json", "command_of", "event_text", "encoded"}
    assert not any("anthropi-studio" in names for names in seen.values()), seen  # the name of the loop's thread


@pytest.mark.parametrize("name", ["arm.toml", "arm.urdf", "arm.xml", "walk.bvh", "walk.csv", "project.anthropi"])
def test_uploads_are_read_outside_the_event_loop(browser, monkeypatch, name):
    """While a file is read, however long it takes, the server answers others; each reader has its own bounds."""
    from anthropi.studio.session import files

    reading, answered, threads = threading.Event(), threading.Event(), []

    def slow(session, path, add, shown):
        threads.append(threading.current_thread().name)
        reading.set()
        assert answered.wait(30.0)
        return files.m.Opened((), ())

    monkeypatch.setattr(files, "open_path", slow)
    key = json.loads(browser.fetch("/upload", "POST", b"x", **{"X-Name": name})[1])["upload"]
    browser.line.send(json.dumps({"id": 9, "kind": "open_upload", "upload": key, "name": name}))
    assert reading.wait(30.0)
    assert browser.fetch("/studio.css")[0] in (200, 404)  # answered by the loop, which does not read
    answered.set()
    while json.loads(browser.line.recv(30)).get("id") != 9:
        pass
    assert threads and "anthropi-studio" not in threads  # the name of the loop's thread


@pytest.mark.parametrize(
    "path", ["../secret.toml", "/etc/passwd", "a/../../secret.toml", "..\\secret.toml", "file:///etc/passwd", "\0", ""]
)
@pytest.mark.parametrize("kind", ["open_file", "save_project", "save_figure", "list_files"])
def test_no_path_leads_out_of_the_workspace(browser, tmp_path, kind, path):
    """Paths outside the workspace can be neither read nor written."""
    browser.do("new_figure")
    fields = {"list_files": {"folder": path}, "save_figure": {"figure": 1, "path": path}}.get(kind, {"path": path})
    if (kind, path) == ("list_files", ""):
        return  # the workspace itself
    before = sorted(tmp_path.parent.iterdir())
    assert not browser.ask(kind, **fields)["ok"]
    assert sorted(tmp_path.parent.iterdir()) == before


def test_links_do_not_lead_out_either(browser, tmp_path):
    """A symbolic link in the workspace that points outside it is refused."""
    outside = tmp_path.parent / "outside.toml"
    outside.write_text("secret")
    (tmp_path / "inside.toml").symlink_to(outside)
    reply = browser.ask("open_file", path="inside.toml")
    assert not reply["ok"] and "secret" not in json.dumps(reply)


@pytest.mark.parametrize("path", ["/../server.py", "/..%2fserver.py", "/%2e%2e/guard.py", "/bundle/index.html", "/a/b"])
def test_no_address_leads_out_of_the_bundle(browser, path):
    """Only the listed files of the bundle are served."""
    assert browser.fetch(path)[0] == 404


def test_a_message_of_64_mb_is_refused(browser):
    """A message that is too large ends the connection, but not the server."""
    with pytest.raises(ConnectionClosed):
        browser.line.send("x" * (64 << 20))
        browser.line.recv(20)
    again = Browser(browser.served)
    assert again.do("get_project")["name"] == "untitled"
    again.close()


def test_a_file_too_large_is_refused(browser, monkeypatch):
    """An upload that is too large is refused while it is received."""
    from anthropi.studio import server

    monkeypatch.setattr(server, "MAX_UPLOAD", 1 << 16)
    status, words = browser.fetch("/upload", "POST", b"x" * (1 << 18))
    assert status == 413 and b"MiB" in words


@pytest.mark.parametrize("text", ["", "[", "3", '"a"', "{}", '{"kind": 1}', "[" * 5000, '{"id": {}, "kind": "undo"}'])
def test_nonsense_is_answered(browser, text):
    """An invalid message gets an error reply and does not end the server."""
    browser.line.send(text)
    while True:
        message = browser.line.recv(20)
        if isinstance(message, str) and "ok" in (data := json.loads(message)):
            break
    assert data["ok"] is False and data["error"]["message"]


def test_half_an_emoji_is_refused_and_the_studio_works_on(browser, tmp_path):
    """A name that UTF-8 cannot say is refused; files with such names are listed; no connection ends."""
    browser.do("new_figure", name="box")
    reply = browser.ask("rename_figure", figure=1, name="half \ud83d")
    assert not reply["ok"] and "whole characters" in reply["error"]["message"]
    assert "\ud83d" not in browser.ask("rename_figure", figure=1, name="\ud83d")["error"]["message"]
    with open(os.fsencode(tmp_path) + b"/\xff.toml", "wb"):
        pass
    assert len(browser.do("list_files")["entries"]) == 1
    assert browser.do("save_project", path="a")["path"] == "a.anthropi"
    assert browser.do("get_project")["figures"][0]["name"] == "box"


def test_script_in_names_stays_text(browser):
    """A name that contains HTML is sent as JSON text; the content security policy forbids inline scripts as well."""
    browser.do("new_figure", name="<script>alert(1)</script>")
    browser.do("rename_link", figure=1, link="link1", name="<img src=x onerror=alert(1)>")
    view = browser.do("get_figure", figure=1)
    assert view["document"]["link"][0]["name"] == "<img src=x onerror=alert(1)>"
    made = browser.do("export", format=".toml", figure=1)
    assert "<" not in made["name"] and "/" not in made["name"]


def test_a_live_run_sends_frames(browser):
    """The length of each live frame agrees with the numbers of links and contact points."""
    browser.do("new_figure", name="box")
    browser.do("live_start", figure=1, dynamics="contact")
    while len(browser.frames) < 10:  # fewer frames do not give a motion
        state = browser.until("live")
    browser.do("live_pause", paused=True)
    view = browser.until("live") if state["state"] == "building" else state
    sequence, run, time, pace = struct.unpack("<IIff", browser.frames[-1][:16])
    assert run == view["run"] and sequence >= 1 and time >= 0.0 and pace == 1.0
    assert len(browser.frames[-1]) == 16 + 28 * sum(view["links"]) + 24 * sum(view["points"])
    browser.do("live_stop")
    assert browser.until("motion_made")["motion"]["kind"] == "live"
