"""Small files that ask for much memory or time, and damaged ones: each is refused by an error of AnthroPI."""

import io
import json
import time
import zipfile

import numpy as np
import pytest

import anthropi as ap
from anthropi import formats
from anthropi.errors import FormatError
from anthropi.figure import Figure, Link, Revolute
from anthropi.formats import export, limits
from anthropi.gait.report.push_map import PushMap
from anthropi.motion import Motion
from anthropi.studio.project.file import load_project
from formats.mutations import MJCF, TOML, URDF, written


def small_motion() -> Motion:
    rod = Link("rod", 1.0, [0.0, 0.0, -0.5], np.diag([0.09, 0.09, 0.01]))
    figure = Figure("pendulum", [rod], [Revolute(name="pivot", axis="y")], [-1])
    return Motion(figure, np.arange(4) / 10.0, np.zeros((4, 1)))


def parts_of(path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewritten(path, parts: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def npy(array) -> bytes:
    box = io.BytesIO()
    np.save(box, array)
    return box.getvalue()


# .npz


@pytest.fixture
def npz(tmp_path):
    path = tmp_path / "a.npz"
    small_motion().save(path)
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_npz_is_not_unpacked_by_methods_without_bound(npz, method):
    """One read of 4 kB of bzip2 unpacks to gigabytes at once."""
    rewritten(npz, parts_of(npz), method)
    with pytest.raises(FormatError, match=r"a.npz: .* compressed by method \d+; only stored and deflated"):
        ap.load_motion(npz)


def test_an_npz_may_be_deflated(npz):
    before = ap.load_motion(npz)
    rewritten(npz, parts_of(npz), zipfile.ZIP_DEFLATED)
    assert np.array_equal(ap.load_motion(npz).q, before.q)


def test_an_npz_that_unpacks_to_gigabytes_is_refused_unread(npz):
    parts = parts_of(npz)
    with zipfile.ZipFile(npz, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
        archive.getinfo("q.npy").file_size = 3 << 30
    with pytest.raises(FormatError, match=r"unpack to 3,22\d,\d+,\d+ bytes.*limit unpacked_bytes .*ANTHROPI_LIMITS"):
        ap.load_motion(npz)


def test_an_npz_has_a_bounded_number_of_parts(npz):
    rewritten(npz, {str(k): b"" for k in range(300)})
    with limits.changed(archive_parts=50), pytest.raises(FormatError, match="limit archive_parts"):
        ap.load_motion(npz)


HEADER = b"\x93NUMPY\x01\x00\x76\x00"
DAMAGED = {
    "a header that is no token": HEADER + b"{'descr': '<f8', 'fortran_order': False, 'shape': (4L, (((".ljust(118),
    "a header that is no literal": HEADER + b"__import__('os')".ljust(118),
    "a header of deep brackets": HEADER + (b"(" * 118),
    "no end": HEADER,
    "negative": npy(np.zeros((4, 1))).replace(b"(4, 1)", b"(-4,1)"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_array_is_refused(npz, case):
    rewritten(npz, parts_of(npz) | {"q.npy": DAMAGED[case]})
    with pytest.raises(FormatError, match=r"a.npz"):
        ap.load_motion(npz)


def test_damaged_compression_is_refused(npz):
    rewritten(npz, parts_of(npz) | {"q.npy": npy(np.random.default_rng(1).normal(size=(40, 1)))}, zipfile.ZIP_DEFLATED)
    data = bytearray(npz.read_bytes())
    with zipfile.ZipFile(npz) as archive:
        at = archive.getinfo("q.npy").header_offset
    data[at + 30 + len("q.npy")] = 0b111  # a last block of the type that does not exist
    npz.write_bytes(data)
    with pytest.raises(FormatError, match=r"a.npz.*invalid block type"):
        ap.load_motion(npz)


# push maps


@pytest.mark.parametrize("content", [b"", b"PK", b"PK\x05\x06", b"hello", npy(np.zeros(3))[:-20], b"\x80\x04."])
def test_what_is_not_a_push_map_is_refused(content, tmp_path):
    (tmp_path / "map.npz").write_bytes(content)
    with pytest.raises(FormatError, match=r"map.npz"):
        PushMap.load(tmp_path / "map.npz")


# projects


@pytest.fixture
def project(tmp_path):
    path = tmp_path / "a.anthropi"
    export(small_motion(), path)
    return path


def test_a_project_of_empty_lists_is_refused_unparsed(project):
    parts = parts_of(project) | {"project.json": b"[" + b"[]," * 2_500_000 + b"[]]"}
    rewritten(project, parts, zipfile.ZIP_DEFLATED)
    assert project.stat().st_size < 100_000
    with pytest.raises(FormatError, match=r"lists and objects.*limit json_containers"):
        load_project(project)


def test_a_project_whose_text_unpacks_far_is_refused_unread(project):
    rewritten(project, parts_of(project) | {"project.json": b" " * (70 << 20)}, zipfile.ZIP_DEFLATED)
    with pytest.raises(FormatError, match="limit project_text_bytes"):
        load_project(project)


DEEP = json.loads("[" * 60 + "]" * 60)
CHANGES = {
    "figures": [5, None, "x", [[]], [{}], {"a": 1}, [None]],
    "motions": [5, None, [5], [{"number": 1e400}], [{"number": "1", "title": 3}], [[]]],
    "profiles": [None, [], {"x": []}, {"1" * 400: []}, {"1": None}],
    "shown": ["x", [], 1e400, DEEP],
    "next": [None, "x", 1e400, []],
    "world": [None, [], {"ground": 3}, DEEP],
    "camera": [None, 3, {"azimuth": 1e400}],
    "forces": [None, 3, [3]],
    "name": [None, 3, []],
}


@pytest.mark.parametrize("key", CHANGES)
def test_a_project_with_wrong_types_is_refused(project, key):
    parts = parts_of(project)
    head = json.loads(parts["project.json"])
    for value in CHANGES[key]:
        rewritten(project, parts | {"project.json": json.dumps(head | {key: value}).encode()})
        with pytest.raises(FormatError, match=r"a.anthropi"):
            load_project(project)
    for row in ("figures", "motions"):
        for name in head[row][0]:
            changed = [{**head[row][0], name: []}]
            rewritten(project, parts | {"project.json": json.dumps(head | {row: changed}).encode()})
            if name not in ("keys",):
                with pytest.raises(FormatError, match=r"a.anthropi"):
                    load_project(project)


@pytest.mark.parametrize("change", [{"rate": 0.0}, {"rate": 1e-320}, {"dt": 0.0}, {"dt": -1.0}])
def test_a_project_whose_steps_cannot_be_counted_is_refused(project, change):
    parts = parts_of(project)
    head = json.loads(parts["project.json"])
    head["world"] |= change
    rewritten(project, parts | {"project.json": json.dumps(head).encode()})
    with pytest.raises(FormatError, match=r"its time step is .* and its frame rate is"):
        load_project(project)


def test_a_project_without_the_numbers_of_its_motion_is_refused(project):
    parts = parts_of(project)
    rewritten(project, {"project.json": parts["project.json"]})
    with pytest.raises(FormatError, match=r"a.anthropi has no 'motion-2.npz'"):
        load_project(project)


# pages


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.html", "a.glb"])
def test_a_page_with_a_wrong_header_is_refused(name, tmp_path):
    path = export(small_motion(), tmp_path / name)
    for text in ("[" * 50_000 + "]" * 50_000, "[]", "3", "{}", '{"arrays": 3, "extras": 3}', "{" + '"a":{' * 9000):
        path.write_bytes(with_header(name, text.encode()))
        with pytest.raises(FormatError, match=name):
            ap.load_motion(path)
    views = [
        {"arrays": [{"name": "q/0", "offset": 2**70, "shape": [1]}], "events": [], "sources": ["x"]},
        {"arrays": [{"name": "q/0", "offset": 0, "shape": [2**40, 2**40]}], "events": [], "sources": ["x"]},
        {"arrays": [{"name": "q/0", "offset": -8, "shape": [-1]}], "events": [], "sources": ["x"]},
        {"arrays": [{"name": [], "offset": 0, "shape": 3}], "events": 3, "sources": {}},
    ]
    for view in views:
        own = {"sources": view["sources"], "events": view["events"]}
        own["views"] = {"q/0": [0, view["arrays"][0]["shape"]]}
        glb = {"extras": {"anthropi": own}, "bufferViews": [{"byteOffset": view["arrays"][0]["offset"]}]}
        text = json.dumps(glb if name.endswith(".glb") else view)
        path.write_bytes(with_header(name, text.encode()))
        with pytest.raises(FormatError, match=name):
            ap.load_motion(path)


def with_header(name: str, text: bytes) -> bytes:
    """A page or .glb file with this JSON and no numbers."""
    import base64

    size = len(text).to_bytes(4, "little")
    if name.endswith(".glb"):
        return b"glTF" + bytes(8) + size + b"JSON" + text + bytes(8)
    return b'<script id="motion">' + base64.b64encode(b"APM1" + size + text) + b"</script>"


# BVH, tables, TOML


STILL = "HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 0\n}}\nMOTION\nFrames: {}\nFrame Time: 0.01\n"


def test_frames_without_numbers_are_bounded(tmp_path):
    path = tmp_path / "a.bvh"
    path.write_text(STILL.format(10_001))
    with pytest.raises(FormatError, match=r"a.bvh, line 8: 10,001 frames.*limit bvh_still_frames is 10,000"):
        ap.load_motion(path)
    path.write_text(STILL.format(50))
    assert len(ap.load_motion(path)) == 50


def test_end_sites_and_words_in_a_line_are_bounded(tmp_path):
    path = tmp_path / "a.bvh"
    path.write_text(STILL.format(1).replace("}", "End Site\n{\nOFFSET 0 0 0\n}\n" * 4001 + "}"))
    with pytest.raises(FormatError, match=r"more than 4000 End Sites.*limit bvh_bones"):
        ap.load_motion(path)
    path.write_text(STILL.format(1).replace("}", "End Site { OFFSET 0 0 0 } " * 15_000 + "}"))
    with pytest.raises(FormatError, match=r"more than 100000 words in a line|End Sites"):
        ap.load_motion(path)


@pytest.mark.parametrize("name", ["a.csv", "a.trc", "a.mot"])
def test_lines_of_tables_are_counted_before_they_are_split(name, tmp_path):
    (tmp_path / name).write_bytes(b"time,pivot\n" + b"0\n" * 4_000_001)
    with pytest.raises(FormatError, match=r"4,000,002 lines.*limit table_rows"):
        ap.load_motion(tmp_path / name, figure=small_motion().figure)


def test_cells_of_tables_are_counted_before_they_are_split(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"," * 6000)
    with pytest.raises(FormatError, match=r"6,001 columns.*limit table_columns"):
        ap.load_motion(tmp_path / "a.csv", figure=small_motion().figure)
    (tmp_path / "a.csv").write_bytes(b"time,pivot\n0,1\n1," + b"," * 6000)
    with pytest.raises(FormatError, match="line 3: the row has 6002 cells"):
        ap.load_motion(tmp_path / "a.csv", figure=small_motion().figure)


def test_deep_keys_of_toml_are_refused_however_they_are_quoted(tmp_path):
    for key in ('"!"', "'!'", '" "', '"\\""', "a", '"a"'):
        text = TOML + ".".join([key] * 40) + " = 1\n"
        with pytest.raises(FormatError, match=r"nested too deeply.*limit toml_depth"):
            formats.read(written(tmp_path, "toml", text))
    text = TOML + 'x = """ [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[ \\""" [ """\n'
    with pytest.raises(FormatError, match="acceleration x: Input should be"):  # brackets in a text are not nested
        formats.read(written(tmp_path, "toml", text))


def test_the_items_of_toml_are_bounded(tmp_path):
    text = "".join(f"k{i}.{'.'.join('a' * 27)} = 1\n" for i in range(10_000))
    with pytest.raises(FormatError, match=r"2[67]\d,\d+ keys and brackets.*limit toml_items"):
        formats.read(written(tmp_path, "toml", TOML + text))


def test_the_parts_of_a_joint_are_bounded(tmp_path):
    joints = "".join(f'<joint name="j{k}"/>' for k in range(500))
    text = f'<mujoco><worldbody><body name="a"><geom size="1"/>{joints}</body></worldbody></mujoco>'
    with pytest.raises(FormatError, match=r"body 'a': 500 joints. The limit joint_parts is 12"):
        formats.read(written(tmp_path, "mjcf", text))
    part = '[[joint.part]]\nname = "p{}"\ntype = "revolute"\naxis = "x"\n'
    more = TOML.replace("[[marker]]", "".join(map(part.format, range(500))) + "[[marker]]", 1)
    with pytest.raises(FormatError, match=r"'ankle': 502 parts. The limit joint_parts is 12"):
        formats.read(written(tmp_path, "toml", more))


def test_the_degrees_of_freedom_of_a_figure_are_bounded(tmp_path):
    with limits.changed(figure_dofs=5), pytest.raises(FormatError, match=r"degrees of freedom. The limit figure_dofs"):
        formats.read(written(tmp_path, "toml", TOML))


def test_loops_of_mjcf_compute_kinematics_once(tmp_path, monkeypatch):
    """A file of 40 kB with 400 loops took minutes."""
    from anthropi.formats.figures.mjcf import reader

    calls, own = [], reader.kinematics
    monkeypatch.setattr(reader, "kinematics", lambda *x: calls.append(1) or own(*x))
    bodies = "".join(f'<body name="b{k}"><joint name="j{k}"/><geom size="1"/></body>' for k in range(9))
    loops = "".join(f'<connect body1="b{k}" anchor="0 0 0"/>' for k in range(9))
    text = f"<mujoco><worldbody>{bodies}</worldbody><equality>{loops}</equality></mujoco>"
    assert len(formats.read(written(tmp_path, "mjcf", text)).figure.loops) == 9 and len(calls) == 1


# long words


LONG = "9" * 20_000 + "x"


@pytest.mark.parametrize("kind", ["urdf", "mjcf"])
def test_a_long_word_that_is_almost_a_number_takes_linear_time_in_xml(kind, tmp_path):
    path = written(tmp_path, kind, (URDF if kind == "urdf" else MJCF).replace('"0.05', f'"{LONG}', 1))
    start = time.process_time()
    with pytest.raises(FormatError, match="not a number"):
        formats.read(path, format=kind)
    assert time.process_time() - start < 2.0  # s; a pattern with quadratic time takes 9 s


@pytest.mark.parametrize("name", ["a.csv", "a.mot", "a.bvh"])
def test_a_long_word_that_is_almost_a_number_takes_linear_time_in_tables(name, tmp_path):
    texts = {
        "a.csv": f"time,pivot\n0,{LONG}\n",
        "a.mot": f"x\nnRows{' ' * 20_000}a b\nendheader\ntime pivot\n0 {LONG}\n",
        "a.bvh": STILL.format(1).replace("0 0 0", f"0 0 {LONG}"),
    }
    (tmp_path / name).write_text(texts[name])
    start = time.process_time()
    with pytest.raises(FormatError, match="99999"):
        ap.load_motion(tmp_path / name, **({} if name == "a.bvh" else {"figure": small_motion().figure}))
    assert time.process_time() - start < 2.0  # s
