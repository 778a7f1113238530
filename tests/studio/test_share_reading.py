"""Exported pages, glTF files, .mot tables and projects can be read back; other files are refused."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import FileError, FormatError
from anthropi.figure.editing.joining import combine
from anthropi.formats import export, load_motion
from anthropi.formats.pages.motion_buffer import coordinates_of
from anthropi.formats.pages.reading import read_page
from anthropi.motion import Motion
from anthropi.motion.motion import Event, FootEvent
from anthropi.studio.project.file import load_project


def tumble(figure, frames=9):
    rng = np.random.default_rng(3)
    u = rng.normal(size=figure.nu)
    rows = [figure.neutral()]
    for _ in range(frames - 1):
        rows.append(figure.integrate(rows[-1], u / 30.0))
    events = (FootEvent(0.1, "l", "strike"), Event(0.2, "release"))
    return Motion(figure, np.arange(frames) / 30.0, np.array(rows), events=events)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.html", "a.glb"])
@pytest.mark.parametrize("several", [False, True])
def test_a_motion_comes_back(name, several, tmp_path):
    figure = combine([ap.human(), ap.sample("biped")]) if several else ap.human()
    motion = tumble(figure)
    back = read_page(export(motion, tmp_path / name))
    assert back.figure.key == figure.key
    assert np.allclose(back.q, motion.q, atol=1e-6) and np.allclose(back.u, motion.u, atol=1e-5)  # float32
    assert back.events == motion.events or [e.what for e in back.events] == ["strike", "release"]


def test_a_mot_table_comes_back(tmp_path):
    motion = tumble(ap.human())
    back = load_motion(export(motion, tmp_path / "a.mot"), figure=motion.figure)
    assert np.allclose(coordinates_of(back.figure, back.q), coordinates_of(motion.figure, motion.q), atol=1e-9)


def test_a_project_opens_with_the_motion(tmp_path):
    motion = tumble(ap.human())
    project = load_project(motion.export(tmp_path / "walk.anthropi"))
    assert project.name == "walk" and project.items[0].figure.key == motion.figure.key
    assert np.array_equal(project.motion_item(project.shown).motion.q, motion.q)


@pytest.mark.parametrize("content", [b"", b"<html></html>", b'id="motion">AAAA</script>', b"glTF" + bytes(40),
                                     b'id="motion">QVBNMf////8=</script>'])  # fmt: skip
@pytest.mark.parametrize("name", ["a.html", "a.glb"])
def test_what_is_no_such_file_is_refused(content, name, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError):
        read_page(tmp_path / name)
    with pytest.raises(FileError, match="No file"):
        read_page(tmp_path / "nothing.html")
