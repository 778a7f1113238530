"""Motions in files: bit for bit, whole or not at all, and a named complaint about all else."""

import errno
import io
import json
import os
import sys
import zipfile
from dataclasses import replace

import h5py
import numpy as np
import pytest

import anthropi as ap
from anthropi.figure import Shape
from anthropi.formats import load_motion
from anthropi.motion import Event, Motion
from anthropi.simulation.motion_frames import Lost

FIGURE = ap.human(detail="simple27")


class Strange(tuple):
    """A named tuple that is not registered."""

    _fields = ("time", "colour")

    def _asdict(self):
        return {"time": self[0], "colour": self[1]}


def motion_of(batch=(), dtype=float, frames=4):
    """A motion with all there is, and numbers that are hard to write."""
    rng = np.random.default_rng(0)
    q = FIGURE.integrate(np.tile(FIGURE.neutral(), (*batch, frames, 1)), rng.normal(size=(*batch, frames, FIGURE.nu)))
    u = rng.normal(size=(*batch, frames, FIGURE.nu))
    u.flat[:5] = -0.0, 5e-324, 1e30, np.inf, np.nan
    channels = {"tau": u.astype(dtype), "a/b c.d": rng.normal(size=(*batch, frames, 2, 3)).astype(np.float32),
                "": np.zeros((*batch, frames))}  # fmt: skip
    events = (Lost(0.1, 3), Event(0.2, "release", 0, {"at": (1.5, "x"), "tuple": np.arange(3.0)}), {"free": [None, 2]})
    about = {"made": "here, with ü", "numbers": [1, 0.1 + 0.2, -0.0], "nested": {"event": {"a": ()}}}
    time = np.cumsum(rng.uniform(0.1, 0.2, frames))
    return Motion(FIGURE, time, q.astype(dtype), u.astype(dtype), channels, events, about)


def same(a: Motion, b: Motion) -> None:
    """All of it, bit for bit."""
    assert a.figure.key == b.figure.key and list(a.channels) == list(b.channels)
    for x, y in ((a.time, b.time), (a.q, b.q), (a.u, b.u), *((a.channels[n], b.channels[n]) for n in a.channels)):
        assert x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()
    assert repr(a.metadata) == repr(b.metadata) and repr(a.events) == repr(b.events)
    assert [type(e) for e in a.events] == [type(e) for e in b.events]


@pytest.mark.parametrize("ending", [".npz", ".h5", ".HDF5"])
@pytest.mark.parametrize(("batch", "dtype"), [((), float), ((), np.float32), ((3,), float)])
def test_a_motion_comes_back_bit_for_bit(tmp_path, ending, batch, dtype):
    motion, path = motion_of(batch, dtype), tmp_path / f"a motion{ending}"
    motion.save(path)
    same(motion, Motion.load(path))
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("dtype", [float, np.float32])
def test_frames_come_back_bit_for_bit(tmp_path, dtype):
    motion, folder = motion_of(dtype=dtype), tmp_path / "frames"
    motion.save_frames(folder)
    names = ["figure.toml", *(f"frame_{k:06d}.json" for k in range(4)), "motion.json"]
    assert sorted(p.name for p in folder.iterdir()) == names
    same(motion, load_motion(folder))
    joint = FIGURE.joints[5].name
    assert json.loads((folder / names[3]).read_text())["q"][joint] == motion.q[2, FIGURE.q_of[5]].tolist()
    motion[:2].save_frames(folder)  # fewer: the folder is replaced as a whole
    assert len(load_motion(folder)) == 2 and [p.name for p in tmp_path.iterdir()] == ["frames"]


def test_an_event_of_an_unknown_kind_is_kept(tmp_path):
    motion = motion_of().changed(events=(Strange((0.25, "red")),))
    motion.save(tmp_path / "a.npz")
    assert Motion.load(tmp_path / "a.npz").events == (Event(0.25, "Strange", 0, {"time": 0.25, "colour": "red"}),)


def test_a_simulation_goes_on_from_a_file_with_the_same_bits(tmp_path):
    figure = ap.sample("chain", links=3, joint="ball")
    start = figure.random(2)
    whole = ap.simulate(figure, start, steps=200, every=50, opt=0)
    ap.simulate(figure, start, steps=100, every=50, opt=0).save(tmp_path / "half.npz")
    half = Motion.load(tmp_path / "half.npz")
    rest = ap.simulate(half.figure, half.q[-1], half.u[-1], steps=100, every=50, opt=0)
    np.testing.assert_array_equal(rest.q[1:], whole.q[3:])
    np.testing.assert_array_equal(rest.u[1:], whole.u[3:])


# a failure leaves what was there


def limit_file_size(size: int):
    """Let the system refuse to write files beyond this size, as it does on a full disk."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", ["a.npz", "a.h5", "frames"])
def test_a_full_disk_is_named_and_leaves_the_old_file_whole(posix, tmp_path, name):
    """The system itself refuses to write past 2 kB."""
    old, new, path = motion_of(frames=3), motion_of(frames=40), tmp_path / name
    save = (lambda m: m.save_frames(path)) if name == "frames" else (lambda m: m.save(path))
    save(old)
    undo = limit_file_size(2000)
    try:
        with pytest.raises(ap.AnthropiError, match=rf"{name} cannot be written: .*The old file is unchanged"):
            save(new)
    finally:
        undo()
    same(old, Motion.load(path))
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_no_space_and_no_permission(tmp_path, monkeypatch):
    motion, path = motion_of(), tmp_path / "a.npz"

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ap.AnthropiError, match=r"a.npz cannot be written: .*No space left.*No file was written"):
        motion.save(path)
    monkeypatch.undo()
    assert not list(tmp_path.iterdir())
    for bad in (tmp_path / "nowhere" / "a.npz", "a\0.npz"):
        with pytest.raises(ap.AnthropiError, match="cannot be written"):
            motion.save(bad)


def test_an_interruption_leaves_the_old_file_and_passes_on(tmp_path, monkeypatch):
    old, path = motion_of(frames=2), tmp_path / "a.npz"
    old.save(path)

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        motion_of().save(path)
    monkeypatch.undo()
    same(old, Motion.load(path))
    assert [p.name for p in tmp_path.iterdir()] == ["a.npz"]


def test_without_h5py_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    for use in (lambda: motion_of().save(tmp_path / "a.h5"), lambda: Motion.load(_touched(tmp_path / "b.h5"))):
        with pytest.raises(ap.AnthropiError, match=r"anthropi\[formats\]"):
            use()
    motion_of().save(tmp_path / "a.npz")


def _touched(path):
    path.write_bytes(b"x")
    return path


# what is wrong is named


def entries(path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def npy(array, allow_pickle=False) -> bytes:
    kept = io.BytesIO()
    np.save(kept, array, allow_pickle=allow_pickle)
    return kept.getvalue()


def huge() -> bytes:
    """An array that claims to be large."""
    kept = io.BytesIO()
    np.lib.format.write_array_header_1_0(kept, {"descr": "<f8", "fortran_order": False, "shape": (1 << 40,)})
    return kept.getvalue()


def changed_head(files, **fields) -> bytes:
    head = json.loads(np.load(io.BytesIO(files["head.npy"])).tobytes().decode())
    return npy(np.frombuffer(json.dumps(head | fields).encode(), np.uint8))


WRONG = {
    "no head": (lambda f: f.pop("head.npy"), "has no head"),
    "no figure": (lambda f: f.pop("figure.npy"), "has no figure"),
    "no q": (lambda f: f.pop("q.npy"), "Missing: q"),
    "more": (lambda f: f.update({"more.npy": f["q.npy"]}), "Unknown: more"),
    "pickle": (lambda f: f.update({"q.npy": npy(np.array([{}], object), True)}), "'q' has dtype object"),
    "huge": (lambda f: f.update({"q.npy": huge()}), "'q' has shape"),
    "cut short": (lambda f: f.update({"q.npy": f["q.npy"][:-8]}), "'q' has shape|'q' does not have the"),
    "whole numbers": (lambda f: f.update({"u.npy": npy(np.zeros((4, 27), int))}), "'u' has dtype int64"),
    "other shape": (lambda f: f.update({"q.npy": npy(np.zeros((4, 3)))}), r"q has shape \(4, 3\)"),
    "time falls": (lambda f: f.update({"time.npy": npy(np.array([0.0, 2.0, 1.0, 3.0]))}), "in increasing order"),
    "head no text": (lambda f: f.update({"head.npy": npy(np.full(9, 255, np.uint8))}), "head is not text"),
    "head no json": (lambda f: f.update({"head.npy": npy(np.frombuffer(b"{[", np.uint8))}), "head is damaged"),
    "other format": (lambda f: f.update({"head.npy": changed_head(f, format="motion 9")}), "its format is 'motion 9'"),
    "no channels": (lambda f: f.update({"head.npy": changed_head(f, channels="tau")}), "does not contain valid lists"),
    "bad figure": (lambda f: f.update({"figure.npy": npy(np.frombuffer(b"name = 3", np.uint8))}), "its figure"),
    "no npy": (lambda f: f.update({"q.npy": b"hello"}), "not a complete .npz file"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_in_a_file_is_named(tmp_path, what):
    path = tmp_path / "a.npz"
    motion_of().save(path)
    files = entries(path)
    change, message = WRONG[what]
    change(files)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    with pytest.raises(ap.AnthropiError, match=message) as error:
        Motion.load(path)
    assert "a.npz" in str(error.value)


@pytest.mark.parametrize("ending", [".npz", ".h5"])
def test_half_a_file_and_no_file(tmp_path, ending):
    path = tmp_path / f"a{ending}"
    motion_of().save(path)
    data = path.read_bytes()
    for part in (b"", data[: len(data) // 2], b"\x00" * 100, data[:-100] + b"x" * 100 if ending == ".npz" else b"HDF"):
        path.write_bytes(part)
        with pytest.raises(ap.AnthropiError, match=f"a{ending}"):
            Motion.load(path)
    with pytest.raises(ap.AnthropiError, match="No file"):
        Motion.load(tmp_path / f"b{ending}")
    with pytest.raises(ap.AnthropiError, match=r"Extensions: .npz, .h5"):
        Motion.load(tmp_path / "a.txt")


def test_an_h5_file_may_not_point_elsewhere(tmp_path):
    motion_of().save(tmp_path / "a.h5")
    other = tmp_path / "b.h5"
    motion_of().save(other)
    with h5py.File(tmp_path / "a.h5", "a") as file:
        del file["q"]
        file["q"] = h5py.ExternalLink(str(other), "/q")
    with pytest.raises(ap.AnthropiError, match="'q' is a link"):
        Motion.load(tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5", "a") as file:
        del file["q"]
        file.create_dataset("q", shape=(1 << 20, 1 << 10), dtype="f8")  # claims 8 GiB, holds nothing
    with pytest.raises(ap.AnthropiError, match="'q' has shape"):
        Motion.load(tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5", "a") as file:
        del file["q"]
        file.create_group("q")
    with pytest.raises(ap.AnthropiError, match="'q' is not an array stored in this file"):
        Motion.load(tmp_path / "a.h5")


def test_folders_that_are_no_frames_are_left_alone(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")
    with pytest.raises(ap.AnthropiError, match="is not a folder of frames"):
        motion_of().save_frames(folder)
    assert (folder / "thesis.txt").read_text() == "years of work"
    with pytest.raises(ap.AnthropiError, match="a folder of frames stores one rollout"):
        motion_of((2,)).save_frames(tmp_path / "many")
    good = tmp_path / "good"
    motion_of().save_frames(good)
    for name, text, message in (
        ("frame_000001.json", "{}", "frame_000001.json is damaged"),
        ("frame_000001.json", '{"t": 0, "q": {"root": [1]}, "u": {}}', "'root' has 1 numbers"),
        ("motion.json", "[]", "has an unknown format"),
        ("figure.toml", "x", "figure.toml"),
    ):
        kept = (good / name).read_text()
        (good / name).write_text(text)
        with pytest.raises(ap.AnthropiError, match=message):
            load_motion(good)
        (good / name).write_text(kept)
    (good / "frame_000003.json").unlink()
    with pytest.raises(ap.AnthropiError, match=r"frame_000003.json"):
        load_motion(good)


def test_what_a_file_cannot_hold_is_named(tmp_path):
    for fields, message in (({"metadata": {"f": lambda: 1}}, "type function"), ({"metadata": {3: 1}}, "strings"),
                            ({"events": (object(),)}, "type object")):  # fmt: skip
        with pytest.raises(ap.AnthropiError, match=message):
            motion_of().changed(**fields).save(tmp_path / "a.npz")
    ring: dict = {}
    ring["ring"] = ring
    with pytest.raises(ap.AnthropiError, match="contains itself"):
        motion_of().changed(metadata=ring).save(tmp_path / "a.npz")


def test_a_figure_with_meshes_travels_too(tmp_path):
    figure = ap.sample("pendulum")
    mesh = Shape("mesh", (1.0, 1.0, 1.0), name="arm", file="arm.stl")
    figure = figure.changed(links=[replace(figure.links[0], shapes=(mesh,))])
    Motion(figure, [0.0], [[0.1]]).save(tmp_path / "a.npz")
    assert Motion.load(tmp_path / "a.npz").figure.key == figure.key
