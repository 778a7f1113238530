"""Ordinary calls: every memory order, precision and batch gives the bits of plain arrays; `out`; several threads."""

import itertools
import pickle
import sys
import threading

import numpy as np
import pytest

import anthropi as ap
from anthropi.compiler.targets import direct
from anthropi.errors import AnthropiError, InputError, TraceError
from kernels.tapes import TAPES, bits, flat, samples, tape

PRECISIONS = ("float64", "float32")
TYPES = {"float64": np.float64, "float32": np.float32}
ORDERS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "every second row": lambda a: np.repeat(a, 2, axis=0)[::2],
    "every second row of Fortran": lambda a: np.asfortranarray(np.repeat(a, 2, axis=0))[::2],
    "reversed rows": lambda a: np.ascontiguousarray(a[::-1])[::-1],
    "reversed numbers": lambda a: a[:, ::-1].copy()[:, ::-1] if a.ndim > 1 else a,
    "part of a wide array": lambda a: np.repeat(a, 3, axis=-1).reshape(*a.shape, 3)[..., 1],
    "read-only": lambda a: [b := a.copy(), b.setflags(write=False)][0],
    "not aligned": lambda a: np.frombuffer(b"\0" + a.tobytes(), a.dtype, offset=1).reshape(a.shape),
    "other bytes": lambda a: a.astype(a.dtype.newbyteorder()),
    "unpickled": lambda a: pickle.loads(pickle.dumps(a)),
    "lists": lambda a: a.tolist() if a.size else a,
}


@pytest.mark.parametrize(("name", "precision"), list(itertools.product(TAPES, PRECISIONS)))
def test_every_memory_order_and_batch_gives_the_bits_of_plain_arrays(name, precision):
    """Threads are given for the wanted results, which therefore come from the ordinary path."""
    kernel = ap.build(tape(name), precision=precision, opt=0)
    whole = [a.astype(TYPES[precision]) for a in samples(name, 277)]  # more than the rows gathered together
    for batch in (0, 1, 2, 8, 17, 277):
        arrays = [a[:batch] for a in whole]
        wanted = kernel(*arrays, threads=1)
        for order, change in ORDERS.items():
            assert bits(kernel(*map(change, arrays))) == bits(wanted), (batch, order)
        mixed = [
            change(a) for change, a in zip(itertools.cycle([ORDERS["Fortran"], ORDERS["C"]]), arrays, strict=False)
        ]
        assert bits(kernel(*mixed)) == bits(wanted), batch
    for one in (0, 5):  # one figure, and one row beside a batch
        wanted = kernel(*(a[one : one + 1] for a in whole), threads=1)
        assert bits(kernel(*(a[one] for a in whole))) == bits([x[0] for x in flat(wanted)])
        assert bits(kernel(whole[0][one], *(np.asfortranarray(a[one : one + 1]) for a in whole[1:]))) == bits(wanted)
    many = np.broadcast_to(whole[0][3], whole[0].shape)
    assert bits(kernel(many, *whole[1:])) == bits(kernel(whole[0][3], *whole[1:], threads=1))


def matrices(m, v):
    """Inputs with two and three axes."""
    return m[0] @ v, m.sum(0) + v[:, None], v @ v


@pytest.fixture(scope="module")
def kernel():
    return ap.build(ap.record(matrices, m=np.zeros((2, 3, 3)), v=np.zeros(3)), opt=0)


@pytest.mark.parametrize("target", ["cpu", "replay"])
@pytest.mark.parametrize("batch", [1, 3, 300])
def test_inputs_with_several_axes_are_read_in_any_order(batch, target):
    kernel = ap.build(ap.record(matrices, m=np.zeros((2, 3, 3)), v=np.zeros(3)), target=target, opt=0)
    rng = np.random.default_rng(batch)
    m, v = rng.normal(size=(batch, 2, 3, 3)), rng.normal(size=(batch, 3))
    wanted = bits(kernel(m, v, threads=1))
    for axes in itertools.permutations(range(4)):
        other = np.ascontiguousarray(m.transpose(axes)).transpose(np.argsort(axes))
        assert bits(kernel(other, np.asfortranarray(v))) == wanted, axes
        assert bits(kernel(other[0], v[0])) == bits([x[0] for x in flat(kernel(m, v))]), axes


def test_the_interpreter_reads_arrays_in_any_order():
    kernel = ap.build(tape("arithmetic"), opt="now")
    x, y = samples("arithmetic", 5)
    for one in range(5):
        assert bits(kernel(np.asfortranarray(x)[one], y[one][::-1].copy()[::-1])) == bits(kernel(x[one], y[one]))
    assert kernel._engine.code(1).loaded is None  # nothing was compiled


def test_calls_with_little_work_are_direct(kernel):
    """Compiled code takes plain arrays; it leaves to Python what it does not know, and large batches."""
    m, v = np.ones((2, 3, 3)), np.ones(3)
    kernel(m, v)
    kernel(m[None].repeat(3, 0), v)
    assert kernel.direct((m, v)) is not None
    assert kernel.direct((m[None].repeat(3, 0), v))[0].shape == (3, 3)
    assert kernel.direct((m, v[None].repeat(3, 0)))[0].shape == (3, 3)
    for arrays in (
        (m, [1.0, 1.0, 1.0]), (m, v.astype(np.float32)), (m, v.astype(object)), (m, v[:2]), (m[0], v), (m,),
        (m, v, v), (m, np.ones(6)[::2]), (m, None), (m, v.view(np.recarray)), (m, v.astype(">f8")),
        (m, np.float64(1.0)),
        (m[None].repeat(2, 0), v[None].repeat(3, 0)), (m[None][:0], v), (m[None, None], v), ("m", v), (),
        (np.ones((10**5, 2, 3, 3)), v), (m, v, np.zeros(3)), (m, v, np.zeros(3), np.zeros((3, 3)), np.zeros(1)),
    ):  # fmt: skip
        assert kernel.direct(arrays) is None


def test_without_direct_calls_the_bits_are_the_same(monkeypatch):
    trace, arrays = tape("elementary"), samples("elementary", 9)
    wanted = bits(ap.build(trace, opt=0)(*arrays))
    monkeypatch.setattr(direct, "_fields_are_known", lambda: False)
    kernel = ap.build(trace, opt=0)
    assert bits(kernel(*arrays)) == bits(kernel(*arrays)) == wanted
    assert kernel._engine.direct is None


def test_references_are_counted(kernel):
    """Neither arguments nor results are kept or lost, whether a call is direct or not."""
    alone = ap.build(ap.record(lambda x: x + 1.0, x=np.zeros(3)), opt=0)
    m, v, x = np.ones((2, 3, 3)), np.ones(3), np.ones(3)
    out, filled = kernel(m, v), np.zeros(3)
    watched = (m, v, x, filled, *out[:2])
    out = (*out[:2], np.zeros(()))
    before = [sys.getrefcount(w) for w in watched]
    for _ in range(50):
        result = kernel(m, v)
        assert sys.getrefcount(result) == 2
        assert [sys.getrefcount(r) for r in result] == [3, 3, 3]
        found = alone(x)
        assert sys.getrefcount(found) == 2
        many = alone(np.ones((4, 3)))
        assert sys.getrefcount(many) == 2
        assert kernel(m, v, out=out) is out
        assert alone(x, out=filled) is filled
        alone.direct((3.5,))
    assert [sys.getrefcount(w) for w in watched] == before


def test_direct_calls_have_the_messages_of_ordinary_ones(kernel):
    m, v = np.ones((2, 3, 3)), np.ones(3)
    for arrays in ((m, v[:2]), (m[0], v), (m,), (m, v, v), (m, None), ("m", v), (m[None][[0, 0]], v[None][[0, 0, 0]])):
        said = []
        for options in ({}, {"threads": 1}):
            with pytest.raises(AnthropiError) as caught:
                kernel(*arrays, **options)
            said.append(str(caught.value))
        assert said[0] == said[1]


def test_results_are_new_and_single_numbers_are_numbers(kernel):
    m, v = np.ones((2, 3, 3)), np.ones(3)
    first = kernel(m, v)
    second = kernel(2.0 * m, v)
    assert (first[0] == 3.0).all()
    assert not any(np.may_share_memory(a, b) for a, b in itertools.product(first[:2], second[:2]))
    assert isinstance(first[2], float)
    assert first[0].flags.writeable


@pytest.mark.parametrize("batch", [None, 1, 5, 400])
@pytest.mark.parametrize("order", ["C", "F"])
def test_out_is_filled_and_returned(kernel, batch, order):
    rng = np.random.default_rng(0)
    lead = () if batch is None else (batch,)
    m, v = rng.normal(size=(*lead, 2, 3, 3)), rng.normal(size=(*lead, 3))
    wanted = kernel(m, v)
    out = tuple(np.full((*lead, *s.shape), np.nan, order=order) for s in kernel.outputs)
    for _ in range(2):
        assert kernel(m, v, out=out) is out
        assert bits(out) == bits(wanted)
    moved = m.copy()
    assert bits(kernel(moved, v, out=(wanted[0], moved[..., 0, :, :], np.zeros(lead)))[0]) == bits(out[0])  # overlaps
    assert bits(moved[..., 0, :, :]) == bits(out[1])


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (np.zeros(3), ("structure of the result", "0 (3,)", "got ndarray")),
        ((np.zeros(3), np.zeros((3, 3))), ("structure of the result", "got tuple")),
        ((np.zeros(3), np.zeros((3, 3)), 0.0), ("out '2' is float", "array of float64 of shape ()")),
        ((np.zeros(3, np.float32), np.zeros((3, 3)), np.zeros(())), ("out '0' is an array of float32", "of float64")),
        ((np.zeros(4), np.zeros((3, 3)), np.zeros(())), ("out '0' has shape (4,)", "shape (3,)")),
        ((np.zeros((1, 3)), np.zeros((1, 3, 3)), np.zeros(1)), ("out '0' has shape (1, 3)", "shape (3,)")),
        ((np.broadcast_to(0.0, 3), np.zeros((3, 3)), np.zeros(())), ("out '0' is read-only",)),
    ],
)
def test_a_wrong_out_is_explained(kernel, out, words):
    with pytest.raises(InputError) as caught:
        kernel(np.ones((2, 3, 3)), np.ones(3), out=out)
    for word in words:
        assert word in str(caught.value)


def test_no_input_is_called_like_an_option():
    for name in ("out", "threads"):
        with pytest.raises(TraceError, match=f"cannot be called '{name}'"):
            ap.record(lambda **given: tuple(given.values()), **{name: np.zeros(2)})


def test_float32_stays_float32():
    kernel = ap.build(tape("arithmetic"), precision="float32", opt=0)
    x, y = (a.astype(np.float32) for a in samples("arithmetic", 4))
    for arrays in ((x, y), (x[0], y[0]), (np.asfortranarray(x), y)):
        assert all(a.dtype == np.float32 for a in flat(kernel(*arrays)))
    assert kernel.direct((x, y)) is not None
    assert kernel.direct((x.astype(float), y)) is None


def test_many_threads_call_one_kernel():
    """Each thread has its own numbers; all calls of all threads give those of one thread."""
    kernel = ap.build(tape("elementary"), opt=0)
    arrays = samples("elementary", 40)
    wanted = [bits(kernel(*(a[k] for a in arrays))) for k in range(40)]
    whole, wrong = bits(kernel(*arrays)), []

    def work(first):
        for k in range(300):
            row = (first + k) % 40
            if bits(kernel(*(a[row] for a in arrays))) != wanted[row] or (
                k % 10 == 0 and bits(kernel(*arrays)) != whole
            ):
                wrong.append(row)

    threads = [threading.Thread(target=work, args=(7 * k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
