"""The same kernels on an NVIDIA GPU give the same bits (make gpu)."""

import itertools

import numpy as np
import pytest

import anthropi as ap
from anthropi.compile.targets import ir
from kernels.tapes import TAPES, bits, samples, tape

pytestmark = pytest.mark.gpu
PRECISIONS = ("float64", "float32")
everywhere = pytest.mark.parametrize(("name", "precision"), list(itertools.product(TAPES, PRECISIONS)))


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ANTHROPI_CACHE", str(tmp_path))


@everywhere
def test_gpu_gives_the_bits_of_the_cpu(name, precision):
    trace = tape(name)
    arrays = samples(name, 1000)
    wanted = ap.build(trace, precision=precision)(*arrays)
    assert bits(ap.build(trace, target="gpu", precision=precision)(*arrays)) == bits(wanted)


@everywhere
def test_cutting_changes_no_bit(name, precision, monkeypatch):
    trace = tape(name)
    arrays = samples(name, 100)
    wanted = ap.build(trace, target="replay", precision=precision)(*arrays)
    monkeypatch.setattr(ir, "LIMIT", 5)
    monkeypatch.setenv("ANTHROPI_CACHE", "off")
    assert bits(ap.build(trace, target="gpu", precision=precision)(*arrays)) == bits(wanted)


def test_memory_stays_on_the_device_between_launches():
    kernel = ap.build(ap.record(lambda x: 2.0 * x, x=np.zeros(3)), target="gpu")
    buffers = kernel.buffers(5)
    launch = kernel.bind(buffers)
    for factor in (1.0, 3.0):
        buffers.write(x=factor * np.arange(15.0).reshape(5, 3))
        launch()
        assert np.array_equal(buffers.read("result"), 2.0 * factor * np.arange(15.0).reshape(5, 3))


def test_linked_code_is_cached_by_device(monkeypatch):
    trace = tape("arithmetic")
    first = ap.build(trace, target="gpu")

    def no_link(self, text):
        raise AssertionError("linked again")

    monkeypatch.setattr(type(first._engine._gpu), "link", no_link)
    arrays = samples("arithmetic", 10)
    assert bits(ap.build(trace, target="gpu")(*arrays)) == bits(first(*arrays))
