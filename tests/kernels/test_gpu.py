"""The same kernels on an NVIDIA GPU give the same bits (make gpu)."""

import itertools

import numpy as np
import pytest

import anthropi as ap
from anthropi import linear, rotation, scalar
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


ALGEBRA = {
    "exp": (lambda r: rotation.matrix_from_rotation_vector(r), {"r": (3,)}),
    "log": (lambda r: rotation.rotation_vector_from_matrix(rotation.matrix_from_rotation_vector(r)), {"r": (3,)}),
    "coefficients": (lambda r: [f(r) for f in (rotation.J_b, rotation.G_b)], {"r": (3,)}),
    "zyx": (lambda a: rotation.euler_from_matrix(rotation.matrix_from_euler(a, "zyx"), "zyx"), {"a": (3,)}),
    "product": (rotation.quaternion_product, {"q": (4,), "p": (4,)}),
    "solve": (
        lambda A, b: linear.solve_symmetric(A @ A.T + 6.0 * np.eye(6), b),
        {"A": (6, 6), "b": (6,)},
    ),
    "mean": (lambda q: rotation.mean(q / scalar.sqrt((q * q).sum(-1, keepdims=True))), {"q": (5, 4)}),
}


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("name", ALGEBRA)
def test_the_algebra_gives_the_same_bits(name, precision):
    function, shapes = ALGEBRA[name]
    rng = np.random.default_rng(5)
    arrays = [rng.normal(size=(500, *shape)) for shape in shapes.values()]
    arrays[0][:3] *= np.array([0.0, 1e-9, 1e-160]).reshape(3, *[1] * (arrays[0].ndim - 1))
    trace = ap.record(function, **{n: np.zeros(shape) for n, shape in shapes.items()})
    for tape_ in (trace, trace.jvp()):
        given = arrays if tape_ is trace else [*arrays, *arrays]
        wanted = ap.build(tape_, precision=precision, opt=0)(*given)
        assert bits(ap.build(tape_, target="gpu", precision=precision)(*given)) == bits(wanted)


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
