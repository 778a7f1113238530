"""Exported files: BVH and tables can be read back; pictures and videos have the requested size and frame count."""

import struct
import sys
import zipfile
import zlib

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.errors import FileError, FormatError, InputError, MissingExtra
from anthropi.figure.samples import SAMPLES
from anthropi.formats import export, load_motion
from anthropi.formats.motions.tables.opensim import read as read_table
from anthropi.formats.pages.images import frames
from anthropi.formats.pages.motion_buffer import coordinates_of
from anthropi.formats.registry import extensions
from anthropi.motion import Motion

FIGURES = {name: lambda name=name: ap.human(detail=name) for name in ("standard", "full", "thesis42", "simple27")}
FIGURES |= {name: lambda name=name: ap.sample(name) for name in SAMPLES}


def tumble(figure, frames=9, uneven=False):
    rng = np.random.default_rng(3)
    u = rng.normal(size=figure.nu)
    rows = [figure.neutral()]
    for _ in range(frames - 1):
        rows.append(figure.integrate(rows[-1], u / 30.0))
    time = np.arange(frames) / 30.0
    return Motion(figure, time**1.2 if uneven else time, np.array(rows))


@pytest.mark.parametrize("name", FIGURES)
def test_bvh_round_trips_to_a_ten_thousandth_of_a_degree(name, tmp_path):
    figure = FIGURES[name]()
    motion = tumble(figure)
    back = load_motion(export(motion, tmp_path / "a.bvh"), scale=0.01)
    names = [link.name for link in back.figure.links]
    for f in (0, 4, 8):
        k, found = kinematics(figure, motion.q[f]), kinematics(back.figure, back.q[f])
        for i, link in enumerate(figure.links):
            j = names.index(link.name)
            between = k.rotation[i].T @ found.rotation[j]
            turn = np.linalg.norm(between - np.eye(3)) / np.sqrt(2.0)  # rad, for small turns
            assert np.rad2deg(turn) < 1e-4
            assert np.allclose(k.position[i], found.position[j], atol=1e-6)


def test_uneven_times_become_even(tmp_path):
    motion = tumble(ap.human(), uneven=True)
    assert len(load_motion(export(motion, tmp_path / "a.bvh"), scale=0.01)) == len(motion)


@pytest.mark.slow
def test_trc_holds_the_markers(tmp_path):
    figure = ap.human()
    motion = tumble(figure)
    rows = [line.split("\t") for line in export(motion, tmp_path / "a.trc").read_text().splitlines()]
    names = [name for name in rows[3][2:] if name]
    assert names == [m.name for m in figure.markers]
    values = np.array([[float(x) for x in row] for row in rows[6:]])
    k = kinematics(figure, motion.q[5])
    mark = figure.marker("l_heel")
    x, y, z = point_position(k, figure.link_index(mark.link), mark.point)
    at = 2 + 3 * names.index("l_heel")
    assert np.allclose(values[5, at : at + 3], (1e3 * x, 1e3 * z, -1e3 * y), atol=1e-5)
    back = load_motion(tmp_path / "a.trc", figure=figure)
    found = kinematics(figure, back.q[5])
    feet = [figure.link_index(name) for name in ("l_foot", "r_foot")]
    assert np.abs(found.position - k.position)[feet].max() < 5e-3  # m: through inverse kinematics


def test_mot_holds_the_coordinates(tmp_path):
    motion = tumble(ap.human())
    table = read_table(export(motion, tmp_path / "a.mot"))
    assert table.in_degrees and len(table.time) == len(motion)
    x = coordinates_of(motion.figure, motion.q)
    at = motion.figure.dofs.index("l_knee")
    assert np.allclose(table.angle("l_knee"), x[:, at], atol=1e-12)
    assert np.allclose(table["root.pz"], x[:, motion.figure.dofs.index("root.pz")], atol=1e-12)


def test_csv_and_npz_read_back(tmp_path):
    motion = tumble(ap.human())
    back = load_motion(export(motion, tmp_path / "a.csv"), figure=motion.figure)
    assert np.allclose(coordinates_of(back.figure, back.q), coordinates_of(motion.figure, motion.q), atol=1e-9)
    assert np.array_equal(load_motion(export(motion, tmp_path / "a.npz")).q, motion.q)


def png(data):
    """Return height, width and pixels of a PNG that the package has written."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    at = data.index(b"IDAT")
    size = struct.unpack(">I", data[at - 4 : at])[0]
    rows = np.frombuffer(zlib.decompress(data[at + 4 : at + 4 + size]), np.uint8).reshape(height, 1 + 3 * width)
    assert struct.unpack(">I", data[at + 4 + size : at + 8 + size])[0] == zlib.crc32(data[at : at + 4 + size])
    return rows[:, 1:].reshape(height, width, 3)


def test_a_picture_of_a_moment_and_of_a_figure(tmp_path):
    motion = tumble(ap.human())
    first = png(export(motion, tmp_path / "a.png", pixels=120).read_bytes())
    last = png(export(motion, tmp_path / "b.png", pixels=120, time=0.25).read_bytes())
    assert max(first.shape[:2]) == 120 and first.std() > 5.0
    assert first.shape != last.shape or not np.array_equal(first, last)
    assert png(export(ap.human(), tmp_path / "c.png", pixels=60).read_bytes()).std() > 5.0


def test_pictures_one_a_frame(tmp_path):
    motion = tumble(ap.sample("double_pendulum"), frames=31)
    seen = []
    export(
        motion, tmp_path / "a_%03d.png", pixels=48, rate=5.0, progress=lambda done, total: seen.append((done, total))
    )
    files = sorted(tmp_path.glob("a_*.png"))
    assert [f.name for f in files] == [f"a_{k:03d}.png" for k in range(6)]
    assert seen[-1] == (6, 6) and len({png(f.read_bytes()).shape for f in files}) == 1
    with zipfile.ZipFile(export(motion, tmp_path / "a.zip", pixels=48, rate=5.0, speed=0.5)) as archive:
        assert len(archive.namelist()) == 11
        assert png(archive.read(archive.namelist()[3])).size


def test_a_film(tmp_path):
    av = pytest.importorskip("av")
    motion = tumble(ap.sample("double_pendulum"), frames=31)
    file = export(motion, tmp_path / "a.mp4", pixels=64, rate=10.0, follow=False)
    with av.open(str(file)) as film:
        pictures = [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]
    assert len(pictures) == 11 and pictures[0].shape[0] % 2 == pictures[0].shape[1] % 2 == 0
    wanted = next(frames(motion, pixels=64, rate=10.0, follow=False, even=True))
    assert np.abs(pictures[0].astype(int) - wanted).mean() < 12.0  # the compression is lossy


def test_what_cannot_be_written_is_said(tmp_path):
    motion = tumble(ap.human(), 3)
    with pytest.raises(FormatError, match=r"'\.gbl'\. Did you mean '\.glb'\? Extensions: \.html, .*\.glb"):
        export(motion, tmp_path / "a.gbl")
    with pytest.raises(InputError, match="stores a motion; got Figure"):
        export(ap.human(), tmp_path / "a.glb")
    with pytest.raises(FormatError, match="no markers"):
        export(tumble(ap.sample("double_pendulum").changed(markers=())), tmp_path / "a.trc")
    with pytest.raises(FormatError, match="pixel"):
        export(motion, tmp_path / "a.png", pixel=3)
    with pytest.raises(FileError, match="cannot be written"):
        export(motion, tmp_path / "nowhere" / "a.glb", body="volume")
    with pytest.raises(InputError, match="rate"):
        export(motion, tmp_path / "a.zip", rate=0.0)
    with pytest.raises(FileError, match="walk_%04d"):
        export(motion, tmp_path / "a%s%s.png", pixels=8)
    assert set(extensions("motion", "write")) >= {".html", ".glb", ".bvh", ".csv", ".trc", ".mot", ".png", ".mp4"}
    assert not list(tmp_path.iterdir())


def test_a_film_says_what_it_needs(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(MissingExtra, match=r"anthropi\[video\]"):
        export(tumble(ap.human(), 3), tmp_path / "a.mp4")
