"""Parts of native motion files: a window of time, every k-th frame, some channels, as slicing the motion gives."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import FormatError, InputError
from anthropi.formats.motions import native
from anthropi.motion import Motion
from anthropi.motion.motion import Event

FIGURE = ap.sample("double_pendulum")
MEANS = {"interval_means": {"dt": 0.01, "stages": 1, "channels": ["contact", "contact_point", "contact_moment", "tau"]}}


def recording(frames: int = 50, batch: int | None = None) -> Motion:
    rng, lead = np.random.default_rng(5), (frames,) if batch is None else (batch, frames)
    channels = {
        "tau": rng.normal(size=(*lead, FIGURE.nu)), "load": rng.normal(size=lead),
        "contact": rng.normal(size=(*lead, 2, 3)),
        "contact_point": rng.normal(size=(*lead, 2, 3)), "contact_moment": rng.normal(size=(*lead, 2, 3)),
    }  # fmt: skip
    events = tuple(Event(0.01 * k + 0.004, f"e{k}") for k in range(0, frames, 7))
    about = MEANS | {
        "contacts": [{"name": n, "link": FIGURE.links[0].name, "feature": n, "on": "ground"} for n in "ab"]
    }
    q = rng.normal(size=(*lead, FIGURE.nq))
    return Motion(FIGURE, 0.01 * np.arange(frames), q, None, channels, events, about)


def same(one: Motion, other: Motion) -> None:
    assert one.time.tolist() == other.time.tolist() and list(one.channels) == list(other.channels)
    assert np.array_equal(one.q, other.q) and np.array_equal(one.u, other.u) and one.events == other.events
    for name, x in one.channels.items():
        assert np.allclose(x, other.channels[name], rtol=0, atol=1e-12), name  # sums of 50 numbers ~ 1


PARTS = [{"start": 0.1}, {"end": 0.2}, {"start": 0.1, "end": 0.31}, {"every": 3}, {"start": 0.05, "every": 4},
         {"channels": ["tau"]},
         {"start": 0.2, "end": 0.4, "every": 5, "channels": ["load", "contact_point"]}]  # fmt: skip


@pytest.mark.parametrize("ending", [".npz", ".h5"])
@pytest.mark.parametrize("part", PARTS, ids=str)
@pytest.mark.parametrize("batch", [None, 2])
def test_a_part_is_that_of_the_whole_motion(part, ending, batch, tmp_path, monkeypatch):
    monkeypatch.setattr(native, "BLOCK_FRAMES", 8)
    motion, path = recording(batch=batch), tmp_path / f"a{ending}"
    motion.save(path)
    low, high = part.get("start", -1.0), part.get("end", 9.0)
    inside = np.flatnonzero((motion.time >= low) & (motion.time <= high))
    whole = motion[inside[0] : inside[-1] + 1 : part.get("every", 1)]
    kept = part.get("channels", motion.channels)
    whole = whole.changed(channels={name: x for name, x in whole.channels.items() if name in kept})
    same(ap.load_motion(path, **part), whole)


def test_only_the_part_is_read(tmp_path, monkeypatch):
    """Of a recording of 20,000 frames with 60 numbers, 200 frames are read: 1 % of its bytes, not all."""
    h5py = pytest.importorskip("h5py")
    frames = 20_000
    motion = Motion(
        FIGURE, 0.001 * np.arange(frames), np.zeros((frames, FIGURE.nq)), None, {"x": np.zeros((frames, 60))}
    )
    motion.save(tmp_path / "a.h5")
    read = []
    own = h5py.Dataset.__getitem__
    monkeypatch.setattr(
        h5py.Dataset, "__getitem__", lambda s, *a, **k: (read.append(np.size(x := own(s, *a, **k))), x)[1]
    )
    part = ap.load_motion(tmp_path / "a.h5", start=5.0, end=5.1995)
    assert len(part) == 200 and sum(read) < frames + 200 * 70 + 20_000  # the times, the part, and the texts


def test_units_and_provenance_are_stored(tmp_path):
    h5py = pytest.importorskip("h5py")
    motion = recording()
    about = {"source": "trial.c3d", "options": {"up": "z"}, "date": "2026-11-19"}
    motion.save(tmp_path / "a.h5", provenance=about)
    with h5py.File(tmp_path / "a.h5") as file:
        assert file["time"].attrs["unit"] == "s" and file["channel 2"].attrs["unit"] == "N"
    back = ap.load_motion(tmp_path / "a.h5")
    assert back.metadata["provenance"] == about | {"version": f"anthropi {ap.__version__}"}
    back.save(tmp_path / "b.npz")
    assert ap.load_motion(tmp_path / "b.npz").metadata["provenance"] == back.metadata["provenance"]
    motion.save(tmp_path / "c.h5")
    assert (tmp_path / "c.h5").read_bytes() != b"" and "provenance" not in ap.load_motion(tmp_path / "c.h5").metadata


@pytest.mark.parametrize(("part", "words"), [
    ({"every": 0}, "every=0: give a whole number"), ({"every": 1.5}, "every=1.5"), ({"start": "now"}, "start='now'"),
    ({"start": 3.0}, r"a\.h5 has no frame from 3.0 to None s. The motion is from 0 to 0.49 s"),
    ({"channels": ["tua"]}, "no channel 'tua'. Did you mean 'tau'"), ({"stop": 1.0}, "no option 'stop'"),
])  # fmt: skip
def test_impossible_parts_are_refused(part, words, tmp_path):
    recording().save(tmp_path / "a.h5")
    with pytest.raises(InputError, match=words):
        ap.load_motion(tmp_path / "a.h5", **part)


def test_damaged_files_are_refused_in_parts_too(tmp_path):
    h5py = pytest.importorskip("h5py")
    damage = [({"channel 1": np.zeros(3)}, "channel 'load' has shape"), ({"time": np.zeros(50)}, "time has shape"),
              ({"q": np.zeros(4)}, "time has shape"), ({"more": np.zeros(2)}, "Unknown: more")]  # fmt: skip
    for change, words in damage:
        recording().save(tmp_path / "a.h5")
        with h5py.File(tmp_path / "a.h5", "a") as file:
            for name, x in change.items():
                if name in file:
                    del file[name]
                file[name] = x
        with pytest.raises(FormatError, match=words):
            ap.load_motion(tmp_path / "a.h5", start=0.1)
