"""The same kernels on an NVIDIA GPU give the same bits (make gpu)."""

import itertools

import numpy as np
import pytest

import anthropi as ap
from anthropi import linear, rotation, scalar
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.compiler.targets import gpu, ir
from anthropi.compiler.targets.machine import Machine
from kernels.tapes import TAPES, bits, flat, samples, tape

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
def test_splitting_and_spilling_change_no_bit(name, precision, monkeypatch):
    trace = tape(name)
    arrays = samples(name, 100)
    wanted = ap.build(trace, target="replay", precision=precision)(*arrays)
    monkeypatch.setenv("ANTHROPI_CACHE", "off")
    for limit, room, places in ((5, 90, 100), (4000, 3, 100), (4000, 3, 4), (40, 5, 2)):
        monkeypatch.setattr(ir, "MAX_FUNCTION_OPERATIONS", limit)
        monkeypatch.setitem(gpu.REGISTER_BUDGET, precision, room)
        monkeypatch.setattr(Machine, "spill_capacity", places)
        got = ap.build(trace, target="gpu", precision=precision)(*arrays)
        assert bits(got) == bits(wanted), (limit, room, places)


@everywhere
def test_another_order_and_shared_inputs_change_no_bit(name, precision, monkeypatch):
    """As for kernels in which many values wait, and with every input that may be in constant memory there."""
    trace = tape(name)
    arrays = samples(name, 100)
    monkeypatch.setenv("ANTHROPI_CACHE", "off")
    monkeypatch.setattr(gpu, "MANY_WAITING", 0)
    assert bits(ap.build(trace, target="gpu", precision=precision)(*arrays)) == bits(
        ap.build(trace, target="replay", precision=precision)(*arrays)
    )
    alike = [np.broadcast_to(a[:1], a.shape) for a in arrays]
    names = [s.name for s in trace.inputs if s.size]
    for shared in (names[:1], names):
        kernel = ap.build(trace, target="gpu", precision=precision, uniform=shared)
        given = [x if s.name in shared else a for s, x, a in zip(trace.inputs, alike, arrays, strict=True)]
        wanted = ap.build(trace, target="replay", precision=precision)(*given)
        assert bits(kernel(*given)) == bits(wanted), shared


def test_two_batches_share_a_kernel_with_inputs_in_constant_memory():
    kernel = ap.build(ap.record(lambda x, y: x * y, x=np.zeros(3), y=np.zeros(3)), target="gpu", uniform=("y",))
    one, two = kernel.buffers(40), kernel.buffers(70)
    one.write(x=np.ones((40, 3)), y=np.full(3, 2.0))
    two.write(x=np.ones((70, 3)), y=np.full(3, 5.0))
    for call in (kernel.bind(one), kernel.bind(two), kernel.bind(one)):
        call()
    name = kernel.outputs[0].name
    assert (one.read(name) == 2.0).all() and (two.read(name) == 5.0).all()
    assert one.read("y", 0).shape == (40, 3)
    with pytest.raises(ap.AnthropiError, match="'y' was declared the same for all figures"):
        one.write(y=np.arange(120.0).reshape(40, 3))
    with pytest.raises(ap.AnthropiError, match="uniform='z' is no input"):
        ap.build(kernel.tape, uniform=("z",))


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


def states(figure, batch: int):
    """Random states and torques."""
    rng = np.random.default_rng(8)
    return [np.stack([figure.random(rng) for _ in range(batch)]), *rng.normal(size=(2, batch, figure.nu))]


@pytest.mark.parametrize("precision", PRECISIONS)
def test_direct_dynamics_gives_the_same_bits_wherever_a_figure_stands_in_the_batch(precision):
    figure = ap.sample("bench42")
    sizes = {"q": figure.nq, "u": figure.nu, "tau": figure.nu}
    trace = ap.record(lambda **s: direct_dynamics(figure, **s), **{n: np.zeros(k) for n, k in sizes.items()})
    arrays = states(figure, 1000)
    wanted = flat(ap.build(trace, precision=precision, opt=0)(*arrays))[0]
    kernel = ap.build(trace, target="gpu", precision=precision)
    assert kernel._engine.usage()["spilled"] <= 128  # bytes: values are spilled to shared memory instead
    for batch in (1, 2, 31, 32, 33, 100, 1000):
        assert flat(kernel(*(a[:batch] for a in arrays)))[0].tobytes() == wanted[:batch].tobytes(), batch
    order = np.random.default_rng(1).permutation(1000)
    assert flat(kernel(*(a[order] for a in arrays)))[0].tobytes() == wanted[order].tobytes()


def falling(figure, until=None):
    """Semi-implicit steps under torques that are read one row a pass; every second state is kept."""

    def body(state, row):
        q, u, t = state
        u = u + 1e-3 * direct_dynamics(figure, q, u, row)
        return figure.integrate(q, 1e-3 * u), u, t + 1e-3

    def steps(q, u, rows):
        return ap.repeat(body, (q, u, 0.0 * u[0]), len(rows), until=until, rows=rows, every=0 if until else 2)

    return ap.record(steps, q=np.zeros(figure.nq), u=np.zeros(figure.nu), rows=np.zeros((6, figure.nu)))


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("until", (None, lambda state: scalar.less(0.3, state[2] + scalar.absolute(state[1][0]) * 0.1)))
@pytest.mark.parametrize("sample", ("bench42", "human"))
def test_a_rollout_gives_the_same_bits(sample, until, precision):
    """Loops whose bodies are functions of their own, with rows, records, and ends that differ between threads."""
    figure = ap.sample("bench42") if sample == "bench42" else ap.human(detail="simple27")
    trace, (q, u, _) = falling(figure, until), states(figure, 70)
    rows = np.random.default_rng(2).normal(size=(70, 6, figure.nu))
    wanted = ap.build(trace, precision=precision, opt=0)(q, u, rows)
    assert bits(ap.build(trace, target="gpu", precision=precision)(q, u, rows)) == bits(wanted)


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
