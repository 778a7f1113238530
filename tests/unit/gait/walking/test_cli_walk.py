"""The commands walk, run, jump, dance and go: what they print and write, and what they refuse."""

import base64
import re

import numpy as np
import pytest
from typer.testing import CliRunner

import anthropi as ap
from anthropi.cli import app
from anthropi.cli import perform as commands
from anthropi.formats import load_motion
from anthropi.formats.pages.motion_buffer import read_buffer


@pytest.fixture(autouse=True)
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    found = CliRunner().invoke(app, list(words))
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return found


def shown(page):
    """The motion in a page."""
    text = re.search(r'id="motion">([^<]*)<', page.read_text(encoding="utf-8"))
    assert text is not None
    return read_buffer(base64.b64decode(text[1]))


@pytest.mark.slow
def test_walk_prints_the_headline_and_writes_what_was_asked_for(there):
    found = run("walk", "--steps", "4", "--speed", "1.3", "--style", "tired", "--out", "a.npz", "--page", "a.html")
    assert found.exit_code == 0, found.output
    for words in ("4 steps at 1.30 m/s, tired", "falls                   0", "external aid            none", "GPS",
                  "real-time factor", "wrote: a.npz", "wrote: a.html"):  # fmt: skip
        assert words in found.stdout, words
    motion = load_motion(there / "a.npz")
    strikes = [e.time for e in motion.events if e.what == "strike" and e.time > 0.2]  # after the one it begins with
    assert motion.metadata["walk"]["style"] == "tired" and len(strikes) == 4
    held = shown(there / "a.html")
    assert held.header["forces"] and held.arrays["contact/0"].shape[1] == 12


@pytest.mark.slow
def test_a_script_is_obeyed():
    found = run("walk", "--script", "stand 0.3 s; walk for 0.6 s; turn left 10 degrees; stop")
    assert found.exit_code == 0, found.output
    assert "10.0°" in found.stdout and "follows a script" in found.stdout and "GPS" not in found.stdout


def test_words_are_explained():
    assert "nod" in run("walk", "--explain", "very tired").stdout


@pytest.mark.slow
def test_hidds_still_walks(there):
    found = run("walk", "--step-frequency", "100", "--steps", "1", "--page", "h.html")
    assert found.exit_code == 0 and "42 degrees of freedom" in found.stdout, found.output
    assert (there / "h.html").exists()


@pytest.mark.slow
def test_run_has_a_flight_phase():
    found = run("run", "--steps", "6")
    assert found.exit_code == 0, found.output
    share = re.search(r"(\d+) % of the time", " ".join(found.stdout.split()))
    assert "at 3.00 m/s" in found.stdout and share is not None and 20 < int(share[1]) < 60


@pytest.mark.slow
def test_go_leads_round_pillars(there):
    found = run("go", "--to", "1.5,0", "--obstacles", "0.8,-3,0.2;9,9,0.5,0,0.1", "--page", "g.html")
    assert "untouched" in " ".join(found.stdout.split()) and "path" in found.stdout, found.output
    assert [thing["size"][0] for thing in shown(there / "g.html").header["things"]] == [0.2, 0.5]
    assert found.exit_code == (0 if "not arrived" not in found.stdout else 1)


@pytest.mark.slow
def test_jump_and_dance_perform_their_pieces(monkeypatch, there):
    """Which routine, its summary, the page; the routines have tests of their own."""
    asked = []

    def stand_in(figure, piece, record, progress, strict, every):
        assert not strict  # the command prints the fall and exits with 1
        asked.append((piece, figure.mass, record))
        q = np.repeat(ap.standing(figure)[None], 300, 0)
        q[100:150, 2] += 0.3
        contact = np.zeros((300, 1, 3))
        contact[:, 0, 2] = 600.0
        contact[100:150] = 0.0
        about = {"touches": ("l_foot.l_sole_heel_in on ground",)}
        return ap.Motion(figure, 0.01 * np.arange(300), q, None, {"contact": contact, "tau": np.zeros((300, 50))}, (),
                         about)  # fmt: skip

    monkeypatch.setattr(commands, "perform", stand_in)
    found = run("jump", "--forward", "--mass", "60", "--page", "j.html")
    assert found.exit_code == 0 and "rises 0.30 m" in " ".join(found.stdout.split()), found.output
    assert run("dance").exit_code == 0
    assert [piece for piece, *_ in asked] == ["leap", "dance"] and round(asked[0][1], 6) == 60.0
    assert (there / "j.html").exists()


@pytest.mark.parametrize(("words", "message"), [
    (("walk", "--speed", "9"), "0.20 to 2.00 m/s"),
    (("walk", "--speed", "nan"), "finite"),
    (("walk", "--style", "hapily"), "Did you mean 'happily'"),
    (("walk", "--style", "tired", "--step-length", "0.6"), "Leave one out"),
    (("walk", "--method", "waker"), "Did you mean 'walker'"),
    (("walk", "--detail", "thesis42", "--style", "tired"), "detail='standard'"),
    (("walk", "--script", "jump"), "Use `anthropi jump` instead"),
    (("walk", "--script", "none.txt"), "no file none.txt"),
    (("walk", "--script", "walk", "--steps", "3"), "sets the whole walk"),
    (("walk", "--aid", "torax=300"), "Did you mean 'thorax'"),
    (("walk", "--aid", "thorax=stiff"), "LINK=STIFFNESS"),
    (("walk", "--page", "a.txt"), "must end in"),
    (("walk", "--explain", "hapily"), "happily"),
    (("run", "--speed", "1"), "2.70 to 3.30"),
    (("jump", "--forward", "--piece", "x.toml"), "--forward"),
    (("dance", "--piece", "tango"), "no routine 'tango'"),
    (("go", "--to", "3"), "give 2 numbers"),
    (("go", "--to", "3,nan"), "give 2 numbers"),
    (("go", "--to", "3,0", "--obstacles", "1,2"), "give 3 or 5 numbers"),
    (("go", "--to", "3,0", "--speed", "5"), "m/s"),
])  # fmt: skip
def test_what_is_refused(words, message):
    found = run(*words)
    assert found.exit_code == 2 and message in found.stderr and found.stderr.startswith("anthropi: "), found.output
    assert len(found.stderr.strip().splitlines()) == 1
