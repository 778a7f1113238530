"""Closed-loop walks (body × speed × push) as a study: the same table from one process, two processes, a Dask cluster,
after workers and drivers were killed, and with the vector instructions of an older CPU.

The small version runs in `make test`; `make soak` computes 10,000 walks of 10 s, with 100 kills of workers and 20 of
the driver. `study_soak.py` is also a command.
"""

from dataclasses import replace

import numpy as np
import pytest
from tests.study import study_soak
from tests.study.study_soak import Settings, soak

SMALL = Settings(walks=24, bodies=2, worker_kills=2, driver_kills=1, duration=2.0, at=0.5, batch=4, chunk_seconds=1e-3)


@pytest.mark.slow
def test_walks_are_the_same_in_every_way(tmp_path):
    rows = soak(SMALL, tmp_path, ("one", "two", "dask", "killed"))
    assert all(row.good and row.done == SMALL.walks for row in rows), rows
    assert rows[-1].worker_kills + rows[-1].driver_kills > 0, rows
    table = study_soak.made(SMALL, tmp_path / "one").table()
    assert table["fell"].any() and not table["fell"].all()


@pytest.mark.slow
def test_walks_are_the_same_with_the_vectors_of_an_older_cpu(tmp_path):
    own = replace(SMALL, walks=6, bodies=1)
    rows = soak(own, tmp_path, ("one", "older"))
    assert all(row.good and row.done == own.walks for row in rows), rows


@pytest.mark.soak
def test_ten_thousand_walks_are_the_same_in_every_way(tmp_path):
    own = Settings()
    rows = soak(own, tmp_path)
    assert own.walks == 10_000 and study_soak.good(own, rows), study_soak.report(own, rows)


def test_differing_bits_are_counted():
    x = np.array([1.0, 2.0])
    assert study_soak.differing_bits(x, x.copy()) == 0 and study_soak.differing_bits(x, np.nextafter(x, 9.0)) == 2
    assert study_soak.differing_bits(x, x.astype(np.float32)) == 128
    assert study_soak.differing_bits(np.array([0.0]), np.array([-0.0])) == 1
