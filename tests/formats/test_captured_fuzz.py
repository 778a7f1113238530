"""Spoiled files of captured motion: a reader gives a motion or an AnthropiError, never anything else."""

import os
import random
import time
import warnings

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import AnthropiError, FormatWarning
from formats.mutations import spoiled
from formats.test_bvh import ODD
from formats.test_tables import ANGLES, FIGURE, TRC

SEEDS = {".bvh": (ODD, {}), ".csv": (ANGLES, {"figure": FIGURE}), ".trc": (TRC, {"figure": FIGURE, "names": {}})}


def survives(folder, ending: str, data: bytes) -> bool:
    """Read a file; what is read can be written, and is read again."""
    path = folder / f"spoiled{ending}"
    path.write_bytes(data)
    options = SEEDS[ending][1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", FormatWarning)  # repairs
        try:
            motion = ap.load_motion(path, **options)
        except AnthropiError as error:
            assert str(error).strip()
            return False
        assert np.isfinite(motion.q).all() and np.isfinite(motion.u).all()
        if ending == ".bvh":
            motion.save(folder / "again.bvh")
            about = motion.metadata["bvh"]
            positions = {b["replaced"] for b in about["bones"] if any(c.endswith("position") for c in b["channels"])}
            if len(positions) < 2:  # one rule for all bones can be told to the reader
                how = "replace" if True in positions else "add"
                again = ap.load_motion(folder / "again.bvh", scale=about["scale"], positions=how)
                assert np.abs(again.channels["bvh"] - motion.channels["bvh"]).max(initial=0.0) < 1e-5 * max(
                    1.0, np.abs(motion.channels["bvh"]).max(initial=0.0)
                )
    return True


@pytest.mark.parametrize("ending", SEEDS)
def test_spoiled_files_are_read_or_refused(ending, tmp_path):
    read = 0
    for seed in range(150):
        rng = random.Random(f"{ending} {seed}")
        read += survives(tmp_path, ending, spoiled(SEEDS[ending][0], rng, rng.randrange(1, 4)))
    assert 0 < read < 150


@pytest.mark.parametrize("ending", SEEDS)
def test_every_cut_is_read_or_refused(ending, tmp_path):
    text = SEEDS[ending][0]
    for end in range(0, len(text), max(1, len(text) // 60)):
        survives(tmp_path, ending, text[:end].encode())


@pytest.mark.soak
@pytest.mark.parametrize("ending", SEEDS)
def test_soak(ending, tmp_path):
    budget = float(os.environ.get("ANTHROPI_SOAK_SECONDS", "600"))
    start, count, read = time.monotonic(), 0, 0
    first = random.SystemRandom().randrange(2**48)
    while time.monotonic() - start < budget:
        name = f"{ending} {first} {count}"  # in the failure's message: the seed of the file that failed
        rng = random.Random(name)
        try:
            read += survives(tmp_path, ending, spoiled(SEEDS[ending][0], rng, rng.choice((1, 1, 2, 3, 8))))
        except BaseException as error:
            error.add_note(f"the file was spoiled with random.Random({name!r})")
            raise
        count += 1
    assert count > 100 and read > 0
