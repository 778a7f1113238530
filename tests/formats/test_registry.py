"""The table of formats: every entry can be called as it says, and documentation, studio and commands list it."""

import inspect

import numpy as np
import pytest

import anthropi as ap
from anthropi.cli.files import MOTIONS, PAGES
from anthropi.errors import FormatError, InputError
from anthropi.formats.pages.images import frames, snapshot
from anthropi.formats.pages.motion_buffer import motion_buffer
from anthropi.formats.registry import FORMATS, extensions, find_format, formats_of, function_of
from anthropi.motion import Motion
from anthropi.motion.markers import from_markers
from anthropi.studio.session.exports import LIVE, export_formats
from anthropi.studio.session.files import OPENS

PASSED_ON = (snapshot, frames, motion_buffer, from_markers)  # functions that take the other options of a writer
PENDULUM = ap.sample("pendulum")
MOTION = Motion(PENDULUM, [0.0, 0.1, 0.2], np.zeros((3, 1)))


def parameters(function) -> set[str]:
    found = inspect.signature(function).parameters.values()
    return {p.name for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


def test_names_are_unique_and_contents_known():
    assert len({f.name for f in FORMATS}) == len(FORMATS)
    assert {f.holds for f in FORMATS} == {"figure", "motion", "script", "assembly", "project"}
    assert all(e.startswith(".") and e == e.lower() for f in FORMATS for e in f.extensions)
    assert all(f.read or f.write for f in FORMATS)


@pytest.mark.parametrize("format", FORMATS, ids=lambda f: f.name)
def test_every_option_is_an_argument_of_the_function_it_is_passed_to(format):
    known = set().union(*map(parameters, PASSED_ON))
    for action in ("read", "write"):
        if not format.place(action) or format.holds == "project":
            continue
        function = function_of(format, action)
        passes_on = any(p.kind == p.VAR_KEYWORD for p in inspect.signature(function).parameters.values())
        accepted = parameters(function) | (known if passes_on else set())
        assert set(format.options(action)) <= accepted, (format.name, action)
        own = list(inspect.signature(function).parameters.values())[1 if action == "read" else 2 :]
        needed = {p.name for p in own if p.kind != p.VAR_KEYWORD} - {"state", "stops"}  # arguments of `formats.write`
        assert needed <= set(format.options(action)), (format.name, action)


def test_the_studio_and_the_commands_use_the_table():
    assert {c.name for c in export_formats()} == {f.extension for f in FORMATS if f.write and f.extensions} | {LIVE}
    assert set(OPENS) == set(extensions(("figure", "motion", "script", "project"), "read"))
    assert MOTIONS == (".npz", ".h5", ".hdf5") and PAGES == (".html", ".htm")


def test_a_file_of_another_content_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"w.npz: no figure format .* Such files contain a motion. Extensions: .toml"):
        ap.save(PENDULUM, tmp_path / "w.npz")
    with pytest.raises(FormatError, match=r"w.urdf: no motion format .* Such files contain a figure"):
        ap.load_motion(tmp_path / "w.urdf")


def test_a_motion_is_not_read_as_a_figure(tmp_path):
    """The text of its figure at the start of the file made it look like a damaged figure file."""
    file = tmp_path / "w.npz"
    ap.Motion(PENDULUM, [0.0, 1.0], np.zeros((2, PENDULUM.nq))).save(file)
    with pytest.raises(FormatError, match=r"w.npz: no figure format .* contain a motion \(ap.Motion.load reads them\)"):
        ap.load(file)


def test_toml_files_are_told_apart_by_their_content(tmp_path):
    kinds = ("figure", "script", "assembly")
    for kind in kinds:
        path = tmp_path / f"{kind}.toml"
        path.write_text(f'format = "anthropi {kind} 1"\n')
        assert find_format(path, kinds).holds == kind
    (tmp_path / "empty.toml").write_text("")
    assert find_format(tmp_path / "empty.toml", kinds).holds == "figure"


@pytest.mark.parametrize("extension", [f.extension for f in formats_of("motion", "write") if f.extensions])
def test_save_writes_what_can_be_read_back(extension, tmp_path):
    path, kind = tmp_path / f"a{extension}", find_format(f"a{extension}", "motion", "write")
    marked = MOTION if extension != ".trc" else Motion(ap.sample("biped"), [0.0], [ap.sample("biped").neutral()])
    if not kind.read:
        with pytest.raises(FormatError, match=r"cannot be read back as a motion. Save as .*motion.export"):
            marked.save(path)
        return
    marked.save(path)
    options = {"figure": marked.figure} if kind.needs_figure else {}
    assert len(ap.load_motion(path, **options)) == len(marked)
    with pytest.raises(InputError, match="no option 'nothing'"):
        marked.save(path, nothing=1)
