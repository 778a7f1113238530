"""Spoiled files: a reader gives a figure or an AnthropiError, never anything else, and never takes long.

`make soak` searches each reader for ANTHROPI_SOAK_SECONDS (600); `make test` looks at a few hundred.
"""

import os
import random
import time
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anthropi import formats
from anthropi.errors import AnthropiError
from formats.mutations import ENDING, SEEDS, spoiled, written
from formats.urdf_features import REAL


def survives(folder, kind: str, data: bytes) -> bool:
    """Read a file; if that gives a figure, it can be written in every format or is refused, and is itself again."""
    path = written(folder, kind, data)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            found = formats.read(path, format=kind)
        except AnthropiError as error:
            assert str(error).strip()
            return False
        finally:
            assert time.process_time() - start < 1.0, "reading took too long"  # s
        for other in SEEDS:
            try:
                formats.write(found.figure, folder / f"out{ENDING[other]}", found.state, format=other)
            except AnthropiError:
                continue
            again = formats.read(folder / f"out{ENDING[other]}", format=other)  # what we write we can read
            if other == "toml":
                assert again.figure.key == found.figure.key
                assert all(np.array_equal(a, b) for a, b in zip(again.state, found.state, strict=True))
    return True


@pytest.mark.parametrize("kind", SEEDS)
def test_the_seeds_themselves_are_read(kind, tmp_path):
    assert survives(tmp_path, kind, SEEDS[kind].encode())


@pytest.mark.slow
@pytest.mark.parametrize("kind", SEEDS)
def test_spoiled_files_are_read_or_refused(kind, tmp_path):
    for seed in range(300):
        rng = random.Random(f"{kind} {seed}")
        survives(tmp_path, kind, spoiled(SEEDS[kind], rng, rng.randrange(1, 5)))


@pytest.mark.slow
def test_spoiled_files_of_real_robots_are_read_or_refused(tmp_path):
    for seed in range(150):
        rng = random.Random(f"real {seed}")
        survives(tmp_path, "urdf", spoiled(REAL, rng, rng.randrange(1, 5)))


@pytest.mark.parametrize("kind", SEEDS)
def test_any_bytes_are_refused(kind, tmp_path_factory):
    folder = tmp_path_factory.mktemp(kind)

    @given(st.binary(max_size=200))
    def check(data):
        assert not survives(folder, kind, data)

    check()


@pytest.mark.parametrize("kind", SEEDS)
def test_any_cut_and_any_splice_is_read_or_refused(kind, tmp_path_factory):
    folder, text = tmp_path_factory.mktemp(kind), SEEDS[kind]
    place = st.integers(0, len(text))

    @given(
        place, place, st.one_of(st.text(max_size=12), st.sampled_from(["nan", "1e999", "<a>", "[", '"', "=", "&#0;"]))
    )
    def check(a, b, middle):
        data = text[: min(a, b)] + middle + text[max(a, b) :]
        survives(folder, kind, data.encode("utf-8", errors="surrogatepass"))

    check()


@pytest.mark.soak
@pytest.mark.parametrize("kind", SEEDS)
def test_soak(kind, tmp_path):
    budget = float(os.environ.get("ANTHROPI_SOAK_SECONDS", "600"))
    start, count, read = time.monotonic(), 0, 0
    first = random.SystemRandom().randrange(2**48)
    while time.monotonic() - start < budget:
        name = f"{kind} {first} {count}"  # in the failure's message: the seed of the file that failed
        rng = random.Random(name)
        text = REAL if kind == "urdf" and count % 2 else SEEDS[kind]
        data = spoiled(text, rng, rng.choice((1, 1, 1, 2, 3, 8)))
        try:
            read += survives(tmp_path, kind, data)
        except BaseException as error:
            error.add_note(f"the file was spoiled with random.Random({name!r})")
            raise
        count += 1
    print(f"{kind}: {count} files, {read} of them still figures")
    assert count > 100 and read > 0
