"""Lowering: remaining operations, fusion, loops, determinism."""

import pickle

import numpy as np
import pytest

from anthropi.compiler.lower import LOWERED, lower
from anthropi.compiler.targets.replay import replay
from anthropi.errors import BuildError
from anthropi.tape import functions as f
from anthropi.tape import inline, record, repeat

ONE = np.zeros(())


def ops(tape):
    """The operations of a tape and of its loops, in order, without constants and inputs."""
    out = []
    for op, data in zip(tape.op, tape.data, strict=True):
        out += ["repeat", *ops(data.body)] if op == "repeat" else [op]
    return [op for op in out if op not in ("const", "input", "mask_input", "item")]


def lines(function, **inputs):
    """The lowered listing without its head."""
    return lower(record(function, **inputs)).listing().splitlines()[1:]


def three(function):
    return lines(function, a=ONE, b=ONE, c=ONE)


def test_transcendental_nodes_are_gone():
    tape = record(lambda x: [f.FUNCTIONS[n](*([x, 2.0][: 1 + (n == "atan2")])) for n in LOWERED], x=ONE)
    for precision in ("float64", "float32"):
        lowered = lower(tape, precision)
        assert not set(lowered.op) & set(LOWERED)
        assert (lowered.inputs, lowered.outputs, lowered.structure) == (tape.inputs, tape.outputs, tape.structure)


def test_an_unknown_precision_names_the_choices():
    with pytest.raises(BuildError, match=r"'float46'\. Did you mean 'float64'\? Choose one of float64, float32"):
        lower(record(lambda x: x, x=ONE), "float46")


def test_a_product_goes_into_the_sum():
    assert three(lambda a, b, c: a * b + c) == ["%3 = fma a b c", "result = %3"]
    assert three(lambda a, b, c: a * b - c) == ["%3 = neg c", "%4 = fma a b %3", "result = %4"]
    assert three(lambda a, b, c: c - a * b) == ["%3 = neg a", "%4 = fma %3 b c", "result = %4"]


def test_signs_go_to_constants():
    assert lines(lambda a, c: c - 3.0 * a, a=ONE, c=ONE)[0].endswith("= fma -3.0 a c")
    assert lines(lambda a, b: a * b - 3.0, a=ONE, b=ONE)[0].endswith("= fma a b -3.0")


def test_a_product_read_twice_stays():
    assert ops(lower(record(lambda a, b, c: [a * b + c, a * b - c], a=ONE, b=ONE, c=ONE))) == ["mul", "add", "sub"]
    assert ops(lower(record(lambda a, b, c: [a * b + c, a * b], a=ONE, b=ONE, c=ONE))) == ["mul", "add"]
    assert ops(lower(record(lambda a, b: a * b + a * b, a=ONE, b=ONE))) == ["mul", "add"]


def test_of_two_products_the_first_is_fused():
    assert three(lambda a, b, c: a * b + b * c) == ["%3 = mul b c", "%4 = fma a b %3", "result = %4"]
    assert three(lambda a, b, c: a * b - b * c) == ["%3 = mul b c", "%4 = neg %3", "%5 = fma a b %4", "result = %5"]

    def later_first(a, b, c):
        first, second = a * b, b * c
        return second - first

    assert three(later_first) == ["%3 = mul b c", "%4 = neg a", "%5 = fma %4 b %3", "result = %5"]


def test_a_chain_of_products_is_a_chain_of_fmas():
    tape = lower(record(lambda x, y: x @ y, x=np.zeros(5), y=np.zeros(5)))
    assert dict(tape.counts()) == {"mul": 1, "fma": 4}


def test_without_fma_products_and_sums_stay_apart():
    def listing(function):
        return lower(record(function, a=ONE, b=ONE, c=ONE), fused=False).listing().splitlines()[1:]

    assert listing(lambda a, b, c: a * b + c) == ["%3 = mul a b", "%4 = add c %3", "result = %4"]
    assert listing(lambda a, b, c: f.fma(a, b, c)) == ["%3 = mul a b", "%4 = add c %3", "result = %4"]
    assert listing(lambda a, b, c: f.fma(-a, b, c)) == ["%3 = mul a b", "%4 = sub c %3", "result = %4"]
    assert listing(lambda a, b, c: f.fma(a, b, -c)) == ["%3 = mul a b", "%4 = sub %3 c", "result = %4"]


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_without_fma_no_fma_is_left(precision):
    tape = record(lambda x: [f.FUNCTIONS[n](*([x, 2.0][: 1 + (n == "atan2")])) for n in LOWERED], x=ONE)
    loop = record(spiral, x=np.zeros(3))
    for trace in (tape, loop):
        assert "fma" in ops(lower(trace, precision))
        assert "fma" not in ops(lower(trace, precision, fused=False))


def test_sin_and_cos_share_the_reduction():
    one = lower(record(lambda x: f.sin(x), x=ONE)).operations
    assert lower(record(lambda x: (f.sin(x), f.cos(x)), x=ONE)).operations == one + 2


def test_constants_fold():
    tape = record(lambda x: x * f.exp(1.0) + f.atan2(1.0, 2.0), x=ONE)
    assert ops(lower(tape)) == ["fma"]


def spiral(x, steps=5, until=None, **options):
    def body(state, *row):
        angle, size = state
        angle = f.add(f.mul(angle, 0.9), f.mul(f.sin(size), x[2]))
        return angle, f.add(size, f.mul(f.exp(f.neg(angle)), row[0] if row else 0.1))

    return repeat(body, (x[0], x[1]), steps, until=until, **options)


def test_bodies_are_lowered_and_fused():
    tape = lower(record(spiral, x=np.zeros(3)))
    body = next(d.body for o, d in zip(tape.op, tape.data, strict=True) if o == "repeat")
    assert not set(body.op) & set(LOWERED)
    # 0.9 angle is recorded before sin(size) x[2], so it is the one that is fused
    assert body.op.count("fma") > 20 and body.depth == 1


def test_what_a_pass_does_not_change_is_lowered_outside():
    tape = lower(record(lambda x: repeat(lambda y: y * f.cos(x), x, 3), x=ONE))
    assert ops(tape)[-2:] == ["repeat", "mul"]


SAMPLES = {
    "loop": lambda x: spiral(x),
    "loop that ends": lambda x: spiral(x, 40, until=lambda s: f.less(1.0, s[1])),
    "loop with records": lambda x: spiral(x, 6, every=2),
    "loop with a table": lambda x: spiral(x, 4, rows=np.array([0.1, 0.2, 0.3, 0.4])),
    "loop over inputs": lambda x: spiral(x, 3, rows=x),
    "loop over nodes": lambda x: spiral(x, 3, rows=np.array([x[0] + 1.0, x[1] * x[2], f.sin(x[0])])),
    "loop that ends, over inputs": lambda x: spiral(x, 3, until=lambda s: f.less(1.0, s[1]), rows=x, every=1),
    "loop in a loop": lambda x: repeat(lambda y: spiral(np.array([y, x[1], x[2]]), 3)[0] + x[0], x[2], 4),
    "gather": lambda x: f.gather([x[0], x[1] * x[2], 3.0], x[2] * 5) + f.gather([1.0, 2.0, 4.0], x[0] * 2),
    "chance": lambda x: f.uniform(3.0, f.floor(x[0] * 10)) + f.uniform(f.floor(x[1] * 10), 1.0),
    "choices": lambda x: f.select(
        f.less(x[0], x[1]) | ~f.less_equal(x[2], 0.5), f.minimum(x[0], x[2]), f.absolute(x[1])
    ),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_lowered_means_the_same(name):
    tape = record(SAMPLES[name], x=np.zeros(3))
    x = np.random.default_rng(1).uniform(-0.5, 1.5, (3, 40))
    wanted = np.array([inline(tape, [float(v) for v in lane]) for lane in x.T]).T
    # float64: a loop of 40 passes, each a few ulp; float32: the same in its own ulp
    np.testing.assert_allclose(replay(lower(tape), x), wanted, rtol=1e-13, atol=1e-14)
    single = x.astype(np.float32)
    got = replay(lower(tape, "float32"), single, "float32")
    if name != "chance":  # other bits there, by definition
        wanted = np.array([inline(tape, [float(v) for v in lane]) for lane in single.T]).T
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_tape_gives_the_same_lowered_tape(name):
    tape = record(SAMPLES[name], x=np.zeros(3))
    assert lower(tape).key == lower(pickle.loads(pickle.dumps(tape))).key
