"""ap.load and ap.save: which format a file is, options, warnings."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import formats
from anthropi.errors import FileError, FormatError, FormatWarning, InputError
from anthropi.figure import Figure, Link, Marker, Revolute
from anthropi.formats.registry import extensions, find_format
from formats.mutations import ENDING, MJCF, SEEDS, URDF, written

PENDULUM = Figure(
    "pendulum", [Link("rod", 1.0, np.array([0.0, 0.0, -0.5]), np.eye(3))], [Revolute(name="pivot", axis="y")], [-1]
)


@pytest.mark.parametrize("kind", SEEDS)
def test_every_format_is_known_by_its_ending_and_by_its_content(kind, tmp_path):
    path = written(tmp_path, kind, SEEDS[kind])
    assert find_format(path, "figure").name == kind
    other = path.rename(tmp_path / "figure.dat")
    assert (
        find_format(other, "figure").name == kind
        and formats.read(other).figure.n == formats.read(other, format=kind).figure.n
    )


def test_an_xml_file_is_what_it_holds(tmp_path):
    assert find_format(written(tmp_path, "mjcf", URDF), "figure").name == "urdf"
    assert find_format(written(tmp_path, "mjcf", MJCF), "figure").name == "mjcf"


@pytest.mark.parametrize("ending", extensions("figure", "write"))
def test_save_and_load(ending, tmp_path):
    ap.save(PENDULUM, tmp_path / f"p{ending}")
    again = ap.load(tmp_path / f"p{ending}")
    q, u = np.array([0.3]), np.array([1.0])
    a, b = (ap.kinematics(f, q, u).link("rod") for f in (PENDULUM, again))
    assert again.name == "pendulum" and np.abs(a.velocity - b.velocity).max() == 0.0
    assert (a.rotation == b.rotation).all() and again.mass == 1.0


def test_errors_name_the_choices(tmp_path):
    (tmp_path / "a.step").write_text("ISO-10303-21;")
    with pytest.raises(
        FormatError,
        match=r"a.step: no figure format has the extension '.step' or this content. Extensions: .toml, .urdf, .xml",
    ):
        ap.load(tmp_path / "a.step")
    with pytest.raises(InputError, match=r"No format 'urfd'. Did you mean 'urdf'\?"):
        ap.load(tmp_path / "a.step", format="urfd")
    with pytest.raises(InputError, match=r"no option 'root' for reading toml files. Options: none"):
        formats.read(written(tmp_path, "toml", SEEDS["toml"]), root="free")
    with pytest.raises(FormatError, match=r"p.obj: no figure format has the extension '.obj'"):
        ap.save(PENDULUM, tmp_path / "p.obj")
    with pytest.raises(FileError, match="cannot be written"):
        ap.save(PENDULUM, tmp_path / "no folder" / "p.toml")


def test_what_is_lost_is_warned_about(tmp_path):
    rich = PENDULUM.changed(
        joints=(PENDULUM.joints[0].changed(stiffness=np.array([2.0])),), markers=(Marker("m", "rod", np.ones(3)),)
    )
    with pytest.warns(FormatWarning, match="p.urdf does not contain the whole figure: joints: stiffness"):
        ap.save(rich, tmp_path / "p.urdf")
    with pytest.warns(FormatWarning, match="contains more than a figure: .*<actuator>"):
        ap.load(written(tmp_path, "mjcf", MJCF))


def test_every_format_can_write_what_the_others_read(tmp_path):
    for kind in SEEDS:
        found = formats.read(written(tmp_path, kind, SEEDS[kind]))
        formats.write(found.figure, tmp_path / "x.toml", found.state)
        again = formats.read(tmp_path / "x.toml")
        assert again.figure.key == found.figure.key and np.array_equal(again.state.q, found.state.q)
        assert ENDING[kind]
