"""Damaged files of every registered reader, and of the readers beside the registry: only errors of AnthroPI come out.

Changes are made to the text or bytes of a file, and inside its parts: a zip archive is packed again and a page encoded
again, so that the change reaches the reader behind the checksum. `make test` reads a few hundred files, `make soak`
thousands.
"""

import base64
import copy
import io
import json
import random
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import anthropi as ap
from anthropi import formats
from anthropi.errors import AnthropiError, FormatWarning
from anthropi.figure import Figure, Link, Revolute
from anthropi.formats import scripts
from anthropi.formats.figures import assembly
from anthropi.formats.motions.c3d.writer import encoded
from anthropi.formats.pages.meshes import read_mesh
from anthropi.formats.registry import FORMATS
from anthropi.gait.report.push_map import PushMap
from anthropi.gait.walker.parameters import load_walker
from anthropi.motion import Motion
from anthropi.motion.motion import Event
from anthropi.studio.project.file import load_project
from formats.mutations import MJCF, OSIM, TOML, URDF, spoiled
from formats.test_assembly_toml import ENGINE
from formats.test_bvh import ODD
from formats.test_script_toml import WHOLE
from formats.test_tables import ANGLES, FIGURE, TRC
from formats.urdf_features import REAL

HOSTILE = (
    b"\x00",
    b"\xff",
    b"nan",
    b"1e999",
    b"-1",
    b"9" * 400,
    b"[" * 300,
    b"{}",
    b"null",
    b'"',
    b"PK\x05\x06",
    b"\n",
)
FOREIGN = (None, True, -1, 0, 1.5, 1e308, 10**30, 2**63, "", "x", "nan", [], {}, [[]], [1, "a"], {"a": None})


class Case(NamedTuple):
    """A valid file and its reader.

    name : of the file. data : its bytes. read : function (path) that reads it. spoil : function (data, generator) that
    returns a damaged file.
    """

    name: str
    data: bytes
    read: Callable[[Path], Any]
    spoil: Callable[[bytes, random.Random], bytes]


def small_motion() -> Motion:
    rod = Link("rod", 1.0, [0.0, 0.0, -0.5], np.diag([0.09, 0.09, 0.01]))
    figure = Figure("pendulum", [rod], [Revolute(name="pivot", axis="y")], [-1])
    about = {"a": [1, 2.5, None], "b": {"tuple": (1, 2)}, "c": np.arange(3)}
    return Motion(
        figure, np.arange(4) / 10.0, np.zeros((4, 1)), None, {"tau": np.ones((4, 1))}, (Event(0.1, "x"),), about
    )


def pushes() -> PushMap:
    cells = (2, 2, 3)
    tried = np.broadcast_to([1.0, 2.0, 3.0], cells)
    stance = {"l": (0.0, 0.6), "r": (0.5, 0.1)}
    arrays = (np.array([0.0, 3.1]), np.array([0.0, 0.5]), np.arange(1.0, 4.0), tried, tried < 2.5, tried)
    return PushMap(*arrays, 75.0, 0.1, 1.1, 1.3, 1.0, stance)


# damage


def spoiled_bytes(data: bytes, rng: random.Random) -> bytes:
    """Bytes after some random changes: other bits, cuts, copies and hostile words."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(out) + 1)
        end = min(len(out), at + rng.randrange(1, 40))
        kind = rng.randrange(6)
        if kind == 0 and at < len(out):
            out[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del out[at:end]
        elif kind == 2:
            out[at:at] = out[rng.randrange(len(out) + 1) :][: rng.randrange(1, 40)]
        elif kind == 3:
            out[at:at] = rng.choice(HOSTILE)
        elif kind == 4:
            out[at:end] = rng.randbytes(end - at)
        else:
            del out[at:]
    return bytes(out)


def spoiled_text(data: bytes, rng: random.Random) -> bytes:
    return spoiled(data.decode(), rng, rng.randrange(1, 4))


def spoiled_json(text: bytes, rng: random.Random) -> bytes:
    """JSON in which values have other types, or keys are lost; sometimes damaged text."""
    if rng.random() < 0.3:
        return spoiled(text.decode(), rng, 1)
    whole = json.loads(text)
    for _ in range(rng.randrange(1, 4)):
        place = whole
        while isinstance(place, (dict, list)) and place:
            key = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
            if not isinstance(place[key], (dict, list)) or not place[key] or rng.random() < 0.25:
                if rng.random() < 0.2:
                    del place[key]
                else:
                    place[key] = copy.deepcopy(rng.choice(FOREIGN))
                break
            place = place[key]
    return json.dumps(whole).encode()


def spoiled_npy(data: bytes, rng: random.Random) -> bytes:
    """An array whose header or numbers are damaged; if it is a JSON text, its values too."""
    if rng.random() < 0.5 and data[128:129] == b"{":
        box = io.BytesIO()
        np.save(box, np.frombuffer(spoiled_json(data[128:], rng), np.uint8))
        return box.getvalue()
    return spoiled_bytes(data[:128], rng) + data[128:] if rng.random() < 0.5 else spoiled_bytes(data, rng)


def spoiled_zip(data: bytes, rng: random.Random) -> bytes:
    """A zip archive with a damaged part, or damaged itself."""
    if rng.random() < 0.3:
        return spoiled_bytes(data, rng)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(list(parts))
    deeper = {".npy": spoiled_npy, ".json": spoiled_json, ".npz": spoiled_zip}
    parts[name] = deeper.get(Path(name).suffix, spoiled_bytes)(parts[name], rng)
    if rng.random() < 0.1:
        parts[rng.choice(("a", "../a", "motion-9.npz", "q.npy"))] = parts.pop(name)
    box = io.BytesIO()
    method = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    with zipfile.ZipFile(box, "w", method if rng.random() < 0.3 else zipfile.ZIP_STORED) as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    packed = box.getvalue()
    return spoiled_bytes(packed, rng) if rng.random() < 0.3 else packed


def spoiled_c3d(data: bytes, rng: random.Random) -> bytes:
    """A C3D file that is damaged in its header and parameters, or anywhere."""
    return spoiled_bytes(data[:2560], rng) + data[2560:] if rng.random() < 0.7 else spoiled_bytes(data, rng)


MOTION = b'id="motion">'


def spoiled_page(data: bytes, rng: random.Random) -> bytes:
    """A page whose motion buffer is damaged, or damaged itself."""
    start = data.index(MOTION) + len(MOTION)
    end = data.index(b"<", start)
    if rng.random() < 0.1:
        return spoiled_bytes(data[start - 20 : end + 20], rng)
    buffer = zlib.decompress(base64.b64decode(data[start:end]))
    size = int.from_bytes(buffer[4:8], "little")
    if rng.random() < 0.5:
        text = spoiled_json(buffer[8 : 8 + size], rng)
        buffer = buffer[:4] + len(text).to_bytes(4, "little") + text + buffer[8 + size :]
    else:
        buffer = spoiled_bytes(buffer, rng)
    kind = rng.random()
    if kind < 0.6:  # pages are compressed; older ones are not
        buffer = zlib.compress(buffer) if kind < 0.4 else spoiled_bytes(zlib.compress(buffer), rng)
    return MOTION + base64.b64encode(buffer) + b"</script>"


def spoiled_glb(data: bytes, rng: random.Random) -> bytes:
    """A .glb file whose JSON part is damaged, or damaged itself."""
    if rng.random() < 0.4:
        return spoiled_bytes(data, rng)
    size = int.from_bytes(data[12:16], "little")
    text = spoiled_json(data[20 : 20 + size], rng)
    return data[:12] + len(text).to_bytes(4, "little") + data[16:20] + text + data[20 + size :]


def spoiled_folder(data: bytes, rng: random.Random) -> bytes:
    """A zip of a folder in which one file is damaged."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(list(parts))
    parts[name] = spoiled_json(parts[name], rng) if name.endswith(".json") else spoiled_bytes(parts[name], rng)
    return packed_folder(parts)


def packed_folder(parts: dict[str, bytes]) -> bytes:
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return box.getvalue()


def read_folder(path: Path) -> Motion:
    folder = path.with_suffix("")
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    return ap.load_motion(folder)


# valid files


STL = "solid a\n" + "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n" * 2
MSH = struct.pack("<4i12f6i", 4, 0, 0, 2, *(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), *(0, 1, 2, 0, 2, 3))
PARTS = """<mujoco><compiler fusestatic="true"/><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"
  face="0 2 1 0 1 3 0 3 2 1 2 3" refpos="0.1 0 0" refquat="1 1 0 0" scale="0.5 1 2" inertia="exact"/></asset>
<worldbody><body name="a"><freejoint/><geom type="mesh" mesh="m"/>
  <body><geom type="box" mesh="m" fitscale="0.9"/></body>
  <replicate count="3" offset="0 1 0" euler="0 0 20" sep="-"><body name="b"><joint springdamper="0.1 1"/>
    <geom size="0.1 0.2" type="capsule" shellinertia="true"/></body></replicate>
  <body name="c" pos="0 0 1"><joint/><geom size="0.1"/></body><attach body="c" prefix="d"/></body></worldbody>
<equality><connect body1="b" body2="a" anchor="0 0 0"/></equality></mujoco>"""
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1/1 2/2 3/3 4/4\n"


GRF = "grf\nnRows=3\nnColumns=10\nendheader\ntime\t" + "\t".join(
    f"ground_{word}{axis}" for word in ("force_v", "force_p", "torque_") for axis in "xyz"
) + "\n" + "".join(f"{0.1 * k:.1f}\t1\t700\t2\t0.1\t0\t0.2\t0\t3\t0\n" for k in range(3))  # fmt: skip
LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects><ExternalForce name="right">
<applied_to_body>calcn_r</applied_to_body><force_identifier>ground_force_v</force_identifier>
<point_identifier>ground_force_p</point_identifier><torque_identifier>ground_torque_</torque_identifier>
</ExternalForce></objects><datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>
"""
C3D = encoded(
    {
        "POINT": {"LABELS": ["LASI", "LTOE"], "UNITS": ["mm"]},
        "ANALOG": {"LABELS": list("abcdef"), "UNITS": ["N"] * 3 + ["Nmm"] * 3, "SCALE": np.ones(6)},
        "FORCE_PLATFORM": {
            "USED": np.array([1]), "TYPE": np.array([2]), "CHANNEL": np.arange(1, 7).reshape(6, 1),
            "CORNERS": np.array([[400.0, 0, 0, 400], [600, 600, 0, 0], [0, 0, 0, 0]]).reshape(3, 4, 1),
            "ORIGIN": np.array([[0.0], [0.0], [-40.0]]),
        },
        "EVENT": {"CONTEXTS": ["Left"], "LABELS": ["Foot Strike"], "TIMES": np.array([[0.0], [0.1]])},
    },
    np.array([[[0.0, 1.0, 900.0], [2.0, 3.0, 40.0]]] * 4), None, np.full((8, 6), 100.0), samples=2,
)  # fmt: skip


def read_loads(path: Path) -> Any:
    (path.parent / "grf.mot").write_text(GRF)
    return formats.load_forces(path)


@pytest.fixture(scope="module")
def cases(tmp_path_factory) -> dict[str, Case]:
    """Return a case for every reader: those of the registry by their names there, and others."""
    folder, motion = tmp_path_factory.mktemp("valid"), small_motion()

    def made(name: str) -> bytes:
        motion.export(folder / name)
        return (folder / name).read_bytes()

    motion.save_frames(folder / "frames")
    pushes().save(folder / "map.npz")
    frames = packed_folder({path.name: path.read_bytes() for path in (folder / "frames").iterdir()})
    table = {"figure": FIGURE}
    shipped = Path(ap.__file__).parent / "gait" / "walker" / "sets" / "natural.toml"
    return {
        "toml": Case("a.toml", TOML.encode(), lambda p: formats.read(p, format="toml"), spoiled_text),
        "urdf": Case("a.urdf", URDF.encode(), lambda p: formats.read(p, format="urdf"), spoiled_text),
        "urdf of real robots": Case("a.urdf", REAL.encode(), lambda p: formats.read(p, root="free"), spoiled_text),
        "mjcf": Case("a.xml", MJCF.encode(), lambda p: formats.read(p, format="mjcf"), spoiled_text),
        "osim": Case("a.osim", OSIM.encode(), lambda p: formats.read(p, format="osim"), spoiled_text),
        "html": Case("a.html", made("a.html"), ap.load_motion, spoiled_page),
        "glb": Case("a.glb", made("a.glb"), ap.load_motion, spoiled_glb),
        "bvh": Case("a.bvh", ODD.encode(), ap.load_motion, spoiled_text),
        "csv": Case("a.csv", ANGLES.encode(), lambda p: ap.load_motion(p, **table), spoiled_text),
        "c3d": Case("a.c3d", C3D, ap.load, spoiled_c3d),
        "trc": Case("a.trc", TRC.encode(), lambda p: ap.load_motion(p, names={}, **table), spoiled_text),
        "mot": Case("a.mot", made("a.mot"), lambda p: ap.load_motion(p, figure=motion.figure), spoiled_text),
        "npz": Case("a.npz", made("a.npz"), ap.load_motion, spoiled_zip),
        "h5": Case("a.h5", made("a.h5"), ap.load_motion, spoiled_bytes),
        "frames": Case("a.zip", frames, read_folder, spoiled_folder),
        "script": Case("a.toml", WHOLE.encode(), scripts.read, spoiled_text),
        "assembly": Case("a.toml", ENGINE.encode(), assembly.read, spoiled_text),
        "anthropi": Case("a.anthropi", made("a.anthropi"), load_project, spoiled_zip),
        "part of h5": Case("a.h5", made("a.h5"), lambda p: ap.load_motion(p, start=0.05, every=2), spoiled_bytes),
        "markers": Case("a.trc", TRC.encode(), ap.load, spoiled_text),
        "ground forces": Case("a.mot", GRF.encode(), formats.load_forces, spoiled_text),
        "external loads": Case("a.xml", LOADS.encode(), read_loads, spoiled_text),
        "push map": Case("map.npz", (folder / "map.npz").read_bytes(), PushMap.load, spoiled_zip),
        "mjcf parts": Case("a.xml", PARTS.encode(), formats.read, spoiled_text),
        "msh": Case("a.msh", MSH, read_mesh, spoiled_bytes),
        "stl": Case("a.stl", STL.encode(), read_mesh, spoiled_text),
        "obj": Case("a.obj", OBJ.encode(), read_mesh, spoiled_text),
        "walker set": Case("a.toml", shipped.read_bytes(), lambda p: load_walker(str(p)), spoiled_text),
    }


OTHERS = ["part of h5", "markers", "ground forces", "external loads", "push map", "stl", "obj", "msh", "mjcf parts",
          "walker set", "urdf of real robots"]  # fmt: skip
READERS = [f.name for f in FORMATS if f.read] + OTHERS


def survives(case: Case, data: bytes, folder: Path) -> bool:
    """Read a file: it is read, or refused by an error of AnthroPI with a message."""
    path = folder / case.name
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", FormatWarning)
        try:
            case.read(path)
        except AnthropiError as error:
            assert str(error).strip()
            return False
    return True


@pytest.mark.parametrize("name", READERS)
def test_the_valid_file_is_read(name, cases, tmp_path):
    assert survives(cases[name], cases[name].data, tmp_path)


def search(case: Case, name: str, folder: Path, seeds: range) -> int:
    """Read damaged files and return how many could still be read."""
    read = 0
    for seed in seeds:
        rng = random.Random(f"{name} {seed}")
        data = case.spoil(case.data, rng)
        try:
            read += survives(case, data, folder)
        except BaseException as error:
            error.add_note(f"the file was damaged with random.Random({f'{name} {seed}'!r})")
            raise
    return read


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_damaged_files_are_read_or_refused(name, cases, tmp_path):
    assert search(cases[name], name, tmp_path, range(40)) < 40


@pytest.mark.soak
@pytest.mark.parametrize("name", READERS)
def test_many_damaged_files_are_read_or_refused(name, cases, tmp_path):
    assert search(cases[name], name, tmp_path, range(1000, 5000)) < 4000
