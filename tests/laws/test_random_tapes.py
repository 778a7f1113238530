"""Random programs: whatever a function does, its kernel gives the bits of replay, and its two sweeps agree."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import anthropi as ap
from anthropi import scalar as s
from anthropi.compiler.targets import ir
from anthropi.tape import inline

SAFE = {  # bounded or gently growing, so that values stay finite through any composition
    "add": lambda a, b, c: a + b,
    "sub": lambda a, b, c: a - b,
    "mul": lambda a, b, c: s.clip(a, -3.0, 3.0) * s.clip(b, -3.0, 3.0),
    "div": lambda a, b, c: a / (1.0 + b * b),
    "fma": lambda a, b, c: s.fma(s.clip(a, -2.0, 2.0), s.clip(b, -2.0, 2.0), c),
    "neg": lambda a, b, c: -a,
    "sqrt": lambda a, b, c: s.sqrt(1.0 + a * a),
    "sin": lambda a, b, c: s.sin(a),
    "cos": lambda a, b, c: s.cos(a),
    "atan2": lambda a, b, c: s.atan2(a, 1.0 + b * b),
    "exp": lambda a, b, c: s.exp(s.clip(a, -3.0, 3.0)),
    "log": lambda a, b, c: s.log(1.0 + a * a),
    "acos": lambda a, b, c: s.acos(s.clip(a, -0.9, 0.9)),
    "min": lambda a, b, c: s.minimum(a, b),
    "where": lambda a, b, c: s.where(s.less(a, b) | s.less(c, 0.0), a, c),
    "floor": lambda a, b, c: s.floor(a) * 0.5 + b,
    "gather": lambda a, b, c: s.gather(np.stack([a, b, c, 0.5 * a]), 2.0 * c),
    "loop": lambda a, b, c: ap.repeat(lambda x: 0.5 * s.sin(x) + 0.25 * b, a, 5),
    "rows": lambda a, b, c: ap.repeat(lambda x, r: 0.5 * x + r * c, a, 3, rows=np.stack([a, b, c])),
    "records": lambda a, b, c: ap.repeat(lambda x: 0.5 * x + b, a, 4, every=2)[1][1],
}
steps = st.tuples(st.sampled_from(sorted(SAFE)), st.integers(0, 99), st.integers(0, 99), st.integers(0, 99))
programs = st.lists(steps, min_size=1, max_size=30)


def function(program):
    """A function of three numbers that does these steps on its earlier values and returns the last four."""

    def run(x):
        values = [x[0], x[1], x[2], 0.75]
        for name, i, j, k in program:
            n = len(values)
            values.append(SAFE[name](values[i % n], values[j % n], values[k % n]))
        return np.stack(values[-4:])

    return run


@given(programs, st.sampled_from(["float64", "float32"]), st.sampled_from([3, 4000]), st.integers(0, 1000))
def test_kernels_give_the_bits_of_replay(program, precision, limit, seed):
    tape = ap.record(function(program), x=np.zeros(3))
    x = np.random.default_rng(seed).normal(size=(11, 3)) * 2.0
    wanted = ap.build(tape, target="replay", precision=precision)(x)
    before = ir.MAX_FUNCTION_OPERATIONS
    try:
        ir.MAX_FUNCTION_OPERATIONS = limit  # cut into functions of a few operations, or not at all
        with np.errstate(all="ignore"):
            got = _uncached(tape, precision)(x)
    finally:
        ir.MAX_FUNCTION_OPERATIONS = before
    now = ap.build(tape, precision=precision, opt="now")
    for found in (got, np.stack([now(row) for row in x])):
        same = (np.where(np.isnan(values), np.nan, values).tobytes() for values in (found, wanted))
        assert len(set(same)) == 1


def _uncached(tape, precision):
    """A kernel that knows nothing of earlier cuts."""
    import os
    from unittest import mock

    kernel = None
    with mock.patch.dict(os.environ, {"ANTHROPI_CACHE": "off"}):
        kernel = ap.build(tape, precision=precision, opt=0)
        kernel._engine.code(kernel.lanes)
    return kernel


@given(programs, st.integers(0, 1000))
def test_plain_function_and_tape_agree(program, seed):
    run = function(program)
    tape = ap.record(run, x=np.zeros(3))
    x = np.random.default_rng(seed).normal(size=3)
    np.testing.assert_allclose(np.array(inline(tape, list(x)), float), run(x).astype(float), rtol=1e-9, atol=1e-9)


@given(programs, st.integers(0, 1000))
def test_forward_and_reverse_sweeps_agree(program, seed):
    tape = ap.record(function(program), x=np.zeros(3))
    rng = np.random.default_rng(seed)
    x, d, w = rng.normal(size=3), rng.normal(size=3), rng.normal(size=4)
    along = np.array(inline(tape.jvp(), [*x, *d])[4:], float)
    gradient = np.array(inline(tape.vjp(), [*x, *w])[4:], float)
    scale = 1.0 + np.abs(w * along).sum() + np.abs(gradient * d).sum()
    assert abs(w @ along - gradient @ d) <= 1e-9 * scale  # 30 steps, each growing errors at most a few times
