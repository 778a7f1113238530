"""Derivatives of tapes against mpmath, operation by operation and through loops."""

import mpmath
import numpy as np
import pytest

import anthropi as ap
from anthropi import scalar as s
from anthropi.errors import InputError, ShapeError, TraceError
from anthropi.tape import derivative_rule, inline
from kernels.tapes import TAPES, tape

OPERATIONS = {
    "add": (lambda x, y: x + y, lambda x, y: x + y),
    "sub": (lambda x, y: x - y, lambda x, y: x - y),
    "mul": (lambda x, y: x * y, lambda x, y: x * y),
    "div": (lambda x, y: x / y, lambda x, y: x / y),
    "neg": (lambda x, y: -(x * y), lambda x, y: -(x * y)),
    "fma": (lambda x, y: s.fma(x, y, x), lambda x, y: x * y + x),
    "sqrt": (lambda x, y: s.sqrt(x * x + y), lambda x, y: mpmath.sqrt(x * x + y)),
    "abs": (lambda x, y: s.absolute(-x * y), lambda x, y: abs(-x * y)),
    "min": (lambda x, y: s.minimum(x * x, y), lambda x, y: min(x * x, y)),
    "max": (lambda x, y: s.maximum(x * x, y), lambda x, y: max(x * x, y)),
    "floor": (lambda x, y: s.floor(10 * x) * y, lambda x, y: mpmath.floor(10 * x) * y),
    "round": (lambda x, y: s.nearest(10 * x) * y, lambda x, y: mpmath.nint(10 * x) * y),
    "select": (lambda x, y: s.where(s.less(x, y), x * y, y), lambda x, y: x * y if x < y else y),
    "sin": (lambda x, y: s.sin(x * y), lambda x, y: mpmath.sin(x * y)),
    "cos": (lambda x, y: s.cos(x * y), lambda x, y: mpmath.cos(x * y)),
    "tan": (lambda x, y: s.tan(x * y), lambda x, y: mpmath.tan(x * y)),
    "asin": (lambda x, y: s.asin(x * y / 4), lambda x, y: mpmath.asin(x * y / 4)),
    "acos": (lambda x, y: s.acos(x * y / 4), lambda x, y: mpmath.acos(x * y / 4)),
    "atan2": (lambda x, y: s.atan2(x, y), mpmath.atan2),
    "exp": (lambda x, y: s.exp(x * y), lambda x, y: mpmath.exp(x * y)),
    "log": (lambda x, y: s.log(x * x + y), lambda x, y: mpmath.log(x * x + y)),
    "hypot": (lambda x, y: s.hypot(x, y), lambda x, y: mpmath.sqrt(x * x + y * y)),
    "power": (lambda x, y: x**3 / y**2, lambda x, y: x**3 / y**2),
    "gather": (
        lambda x, y: s.gather(np.stack([x, y, x * y]), 1.0 + 2 * x),
        lambda x, y: (x, y, x * y)[min(2, max(0, int(mpmath.floor(1 + 2 * x))))],
    ),
    "loop": (
        lambda x, y: ap.repeat(lambda c: s.sin(c) + 0.3 * y, x, 7),
        lambda x, y: _iterate(lambda c: mpmath.sin(c) + mpmath.mpf(0.3) * y, x, 7),
    ),
}  # fmt: skip
POINTS = ((0.37, 0.81), (-0.62, 1.3), (1.21, 0.45))


def _iterate(function, c, times):
    for _ in range(times):
        c = function(c)
    return c


def slopes(function, point):
    """Both partial derivatives, by mpmath at 40 digits."""
    with mpmath.workdps(40):
        return [float(mpmath.diff(function, tuple(map(mpmath.mpf, point)), order)) for order in ((1, 0), (0, 1))]


@pytest.mark.parametrize("name", OPERATIONS)
def test_jvp_and_vjp_agree_with_mpmath(name):
    ours, exact = OPERATIONS[name]
    trace = ap.record(ours, x=np.zeros(()), y=np.zeros(()))
    forward, backward = ap.build(trace.jvp()), ap.build(trace.vjp())
    for point in POINTS:
        wanted = slopes(exact, point)
        got = [forward(*point, *seed)[1] for seed in ((1.0, 0.0), (0.0, 1.0))]
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)
        gradient = backward(*point, 1.0)[1]
        np.testing.assert_allclose([gradient["x"], gradient["y"]], wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", sorted(set(TAPES) - {"stopping_loop"}))
def test_forward_and_reverse_agree_through_every_kind_of_loop(name):
    """Σ w·(J d) = (Jᵀ w)·d for random d, w: the two sweeps are independent code."""
    trace = tape(name)
    rng = np.random.default_rng(3)
    values = list(rng.uniform(0.2, 0.9, sum(x.size for x in trace.inputs)))
    d, w = list(rng.normal(size=len(values))), list(rng.normal(size=len(trace.result)))
    n = len(trace.result)
    along = np.array(inline(trace.jvp(), values + d)[n:], float)
    gradient = np.array(inline(trace.vjp(), values + w)[n:], float)
    np.testing.assert_allclose(np.dot(w, along), np.dot(gradient, d), rtol=1e-12, atol=1e-12)


def test_forward_sweep_through_a_loop_that_stops():
    """Newton's √y: the derivative of the converged root is 1 / (2 √y)."""

    def root(y):
        return ap.repeat(
            lambda r: 0.5 * (r + y / r), 1.0 + 0.0 * y, 60, until=lambda r: s.less(abs(r * r - y), 1e-15 * y)
        )

    forward = ap.build(ap.record(root, y=np.zeros(())).jvp())
    y = np.linspace(0.1, 30.0, 50)
    value, slope = forward(y, np.ones(50))
    np.testing.assert_allclose(value, np.sqrt(y), rtol=1e-14)
    np.testing.assert_allclose(slope, 0.5 / np.sqrt(y), rtol=1e-7)  # the last pass sees a root good to √1e-15


def test_reverse_sweep_refuses_a_loop_that_stops():
    with pytest.raises(TraceError, match="fixed number of passes"):
        tape("stopping_loop").vjp()


def test_several_directions_at_once_share_the_values():
    trace = ap.record(lambda x: s.exp(x) * s.sin(x @ x), x=np.zeros(3))
    many = trace.jvp(seeds={"x": np.eye(3)})
    assert many.operations < 3 * trace.jvp().operations - trace.operations
    x = np.array([0.3, -0.2, 0.9])
    _, columns = ap.build(many)(x)
    for k, seed in enumerate(np.eye(3)):
        np.testing.assert_allclose(columns[k], ap.build(trace.jvp())(x, seed)[1], rtol=1e-14)


def test_second_derivatives():
    trace = ap.record(lambda x: s.sin(x) * s.exp(x), x=np.zeros(()))
    second = ap.build(trace.jvp().jvp("x"))
    (_, _), (_, slope2) = second(0.7, 1.0, 1.0)
    np.testing.assert_allclose(slope2, 2 * np.cos(0.7) * np.exp(0.7), rtol=1e-14)


def test_zero_tangents_stay_off_the_loop():
    """Only the half of the carry that moves carries a tangent."""

    def function(x, y):
        return ap.repeat(lambda c: (c[0] * 0.5 + y, s.sin(c[1])), (x, y), 9)

    trace = ap.record(function, x=np.zeros(()), y=np.zeros(()))
    assert trace.jvp("x").operations == trace.operations + 1


def test_a_rule_replaces_the_chain_rule():
    used = []

    @derivative_rule(
        push=lambda inputs, output, tangents: used.append("push") or output * tangents[0],
        pull=lambda inputs, output, cotangent: used.append("pull") or (output * cotangent,),
    )
    def exponential(x):
        total = 1.0
        for k in range(20, 0, -1):
            total = 1.0 + x * total / k
        return total

    trace = ap.record(lambda x: 2.0 * exponential(3.0 * x), x=np.zeros(()))
    assert trace.jvp().operations == trace.operations + 3
    assert trace.vjp().operations == trace.operations + 3
    for sweep in (trace.jvp(), trace.vjp()):
        result = ap.build(sweep)(0.2, 1.0)
        slope = result[1]["x"] if isinstance(result[1], dict) else result[1]
        np.testing.assert_allclose(slope, 6.0 * np.exp(0.6), rtol=1e-14)
    assert {"push", "pull"} <= set(used)


def test_names_are_checked():
    trace = ap.record(lambda pose, speed: pose * speed, pose=np.zeros(2), speed=np.zeros(2))
    with pytest.raises(InputError, match=r"No input 'pos' on this tape\. Did you mean 'pose'"):
        trace.jvp("pos")
    with pytest.raises(InputError, match="No output 'x'"):
        trace.vjp(of="x")
    with pytest.raises(InputError, match="seeds"):
        trace.jvp("pose", seeds={"speed": np.eye(2)})
    with pytest.raises(ShapeError, match=r"seeds for 'pose' have shape \(2, 3\)"):
        trace.jvp("pose", seeds={"pose": np.zeros((2, 3))})


@pytest.mark.slow
def test_the_reverse_sweep_reads_a_long_loop_where_it_recorded():
    """The kept states stay in memory: the number of nodes the backward loop holds does not grow with the passes."""

    def function(x):
        return ap.repeat(lambda c: (s.sin(c[0]) + 0.1 * c[1], 0.9 * c[1] * c[0]), (x, 1.0 + x), 500)[0]

    trace = ap.record(function, x=np.zeros(()))
    backward = trace.vjp()
    loops = [d for o, d in zip(backward.op, backward.data, strict=True) if o == "repeat"]
    assert [loop.held for loop in loops] == [0, 1]
    slope = ap.build(trace.jvp())(0.4, 1.0)[1]
    for target in ("cpu", "replay"):
        assert ap.build(backward, target=target)(0.4, 1.0)[1]["x"] == pytest.approx(slope, rel=1e-12)
    again = ap.build(backward.jvp("x"))  # and forward over reverse
    step = 1e-5
    bent = (ap.build(trace.jvp())(0.4 + step, 1.0)[1] - ap.build(trace.jvp())(0.4 - step, 1.0)[1]) / (2 * step)
    assert again(0.4, 1.0, 1.0)[1][1]["x"] == pytest.approx(bent, rel=1e-6, abs=1e-9)


def short_stop(x, y):
    """At most 8 passes; the third one reaches the end for the values of the tests."""
    return ap.repeat(lambda c: (c[0] * y + s.sin(c[0]), c[1] + 1.0), (x, 0.0), 8, until=lambda c: s.less(2.5, c[1]))[0]


def test_reverse_sweep_through_a_short_loop_that_stops():
    """Passes after the stop change neither the value nor the gradient."""
    trace = ap.record(short_stop, x=np.zeros(()), y=np.zeros(()))
    fixed = ap.record(lambda x, y: ap.repeat(lambda c: c * y + s.sin(c), x, 3), x=np.zeros(()), y=np.zeros(()))
    value, gradient = ap.build(trace.vjp())(0.7, 0.9, 1.0)
    same, wanted = ap.build(fixed.vjp())(0.7, 0.9, 1.0)
    assert value == same
    np.testing.assert_allclose([gradient["x"], gradient["y"]], [wanted["x"], wanted["y"]], rtol=1e-15)


@derivative_rule(push=lambda x, y, d: 2.0 * (x[0] * d[0]).sum(), pull=lambda x, y, c: (2.0 * c * x[0],))
def squared_length(x):
    return x @ x


def test_a_rule_in_a_loop_reads_a_value_from_outside():
    """y @ y of an outer y is computed outside; the rule of the whole vector must still see y itself."""

    def function(x, y):
        return ap.repeat(lambda c: s.sin(squared_length(np.array([c, y, c]))) + 0.5 * c * y, x, 2)

    trace = ap.record(function, x=np.zeros(()), y=np.zeros(()))
    plain = ap.build(trace, target="replay")
    at, step = np.array([0.4, 0.8]), 1e-6
    wanted = [(plain(*(at + step * e)) - plain(*(at - step * e))) / (2.0 * step) for e in np.eye(2)]
    _, gradient = ap.build(trace.vjp(), target="replay")(*at, 1.0)
    np.testing.assert_allclose([gradient["x"], gradient["y"]], wanted, rtol=1e-8)  # differences of 1e-6
    for k, seed in enumerate(np.eye(2)):
        np.testing.assert_allclose(ap.build(trace.jvp(), target="replay")(*at, *seed)[1], wanted[k], rtol=1e-8)
