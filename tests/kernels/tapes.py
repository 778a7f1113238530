"""Functions that together use every operation and every kind of loop, for all kernel tests."""

import numpy as np

import anthropi as ap
from anthropi import scalar as s
from anthropi.tape.record import flatten


def arithmetic(x, y):
    return x + y, x - y, x * y, x / (1.5 + y * y), -x, s.sqrt(x * x), s.absolute(y), (x @ y) * x, x**3


def choices(x, y):
    both = s.less(x, y) & s.greater(y, 0.0)
    neither = ~s.less(x, y) & s.less(y, 0.5)
    return (
        s.where(both | s.less_equal(x, -1.0), x, y), s.sign(x), s.minimum(x, y), s.maximum(x, 0.25),
        s.clip(y, -0.5, 0.5), s.where(neither, 1.0, 0.0), s.where(~s.equal(s.floor(x), s.nearest(x)), 1.0, 0.0),
        s.floor(y), s.nearest(y), s.hypot(x, y),
    )  # fmt: skip


def elementary(x, y):
    return (
        s.sin(x), s.cos(3.0 * x), s.tan(y), s.asin(s.clip(x, -1.0, 1.0)), s.acos(s.clip(y, -1.0, 1.0)), s.atan2(x, y),
        s.exp(x), s.log(y * y + 1e-3), s.polynomial(x, [0.5, -1.0, 0.25]),
    )  # fmt: skip


def memory(x, y):
    table = np.linspace(-1.0, 1.0, 9) ** 3
    traced = np.stack([x[0], y[1], x[0] * y[0], 7.0])
    return s.gather(table, 4.0 + 3.0 * x), s.gather(traced, 2.0 * y), s.gather(table, 1e9 * x)


def chance(x, y):
    key = s.floor(1000.0 * x)
    return s.uniform(key, 3.0), s.uniform(7.0, key), s.uniform(key, s.floor(1e6 * y))


def fixed_loop(x, y):
    def body(c):
        return {"a": 0.5 * (c["a"] + x / (1.0 + c["b"] ** 2)), "b": s.sin(c["b"]) + 0.1 * c["a"]}

    return ap.repeat(body, {"a": x, "b": y}, 12)


def stopping_loop(x, y):
    def close(r):
        near = s.less(s.absolute(r * r - y * y), 1e-12 + 1e-15 * y * y)
        return near[0] & near[1] & near[2]

    root = ap.repeat(lambda r: 0.5 * (r + y * y / r), np.ones(3), 60, until=close)
    halving = ap.repeat(
        lambda c: (c[0] * 0.5, c[1] + 1.0), (50.0 * x[0] * x[0], 0.0), 30, until=lambda c: c[0] < 1.0, every=5
    )
    return root, halving


def rare_loop(x, y):
    """A long loop that some lanes never enter: it is called, not inlined, and skipped if no lane enters it."""

    def body(c):
        z, left = c
        for k in range(10):
            z = 0.9 * z + 0.1 * s.sin(z + 0.01 * k)
        return z, left - 0.4

    return ap.repeat(body, (x, y[0]), 3, until=lambda c: s.less(c[1], 0.0))


def long_carry(x, y):
    """A long loop with many values in its carry, which are copied by loops: unused, used twice, recorded, results."""

    def body(c):
        wide, left = c
        for k in range(6):
            wide = 0.5 * wide + (0.1 + 0.01 * k) * wide[::-1] + x[0]
        return wide, left - y[0] * y[0]

    first = np.concatenate([x, np.full(40, 0.5), np.linspace(-1.0, 1.0, 40) * y[1], y])
    (wide, _), (seen, _) = ap.repeat(body, (first, 1.0), 4, until=lambda c: s.less(c[1], 0.2), every=2)
    return wide[:70], wide[5:80] * wide[:75], seen


def rows_loop(x, y):
    table = np.arange(12.0).reshape(6, 2) / 7.0
    lines = np.stack([np.stack([x[k % 3] * k, y[k % 2]]) for k in range(6)])

    def body(c, row):
        fixed, made = row
        return c * 0.9 + fixed[0] - made[1] * fixed[1] + made[0]

    last, seen = ap.repeat(body, x, 6, rows=(table, lines), every=2)
    return last, seen, seen[1], seen[::-1], seen[0] * 2.0


def input_rows(x, rows):
    return ap.repeat(lambda c, row: (c[0] + 0.1 * c[1], s.sin(c[0]) * row + c[1]), (x[0], x[1]), 8, rows=rows, every=1)


def nested_loops(x, y):
    def inner(c):
        return c * 0.7 + s.cos(x) * 0.1

    def outer(c):
        return ap.repeat(inner, c + y, 4)

    return ap.repeat(outer, x, 3)


def dead_and_constant(x, y):
    unused = s.exp(x)
    return 3.0, x[1], np.array([1.0, -0.0]), unused[0] * 0.0


PAIR = {"x": np.zeros(3), "y": np.zeros(3)}


def side_by_side(x, y):
    """Loops whose passes do not depend on each other: fewer than lanes, as many, more; recorded in rows and columns."""
    results = []
    for passes in (2, 3, 8, 11):
        rows = np.stack([x * (k + 1.0) + y / (k + 2.0) for k in range(passes)])

        def body(_, row):
            a = row * y + x[0] * row[1]
            return np.stack([*a, a[0] * a[1] - row[2], 0.5, x[2], s.where(s.less(a[0], y[0]), a[2], row[0])])

        last, records = ap.repeat(body, np.zeros(7), passes, rows=rows, every=1)
        results += [records, records.T, last]
    return tuple(results)


TAPES = {
    f.__name__: (f, PAIR)
    for f in (
        arithmetic,
        choices,
        elementary,
        memory,
        chance,
        fixed_loop,
        stopping_loop,
        rare_loop,
        long_carry,
        rows_loop,
        nested_loops,
        side_by_side,
        dead_and_constant,
    )
} | {"input_rows": (input_rows, {"x": np.zeros(2), "rows": np.zeros(8)})}


def tape(name):
    """The tape of an entry."""
    function, inputs = TAPES[name]
    return ap.record(function, **inputs)


def samples(name, batch, seed=0):
    """Inputs for an entry, with zeros, ones and large numbers among them."""
    rng = np.random.default_rng(seed)
    _, inputs = TAPES[name]
    arrays = [
        rng.normal(size=(batch, *a.shape)) * rng.choice([1.0, 1.0, 0.01, 5.0], size=(batch, 1)) for a in inputs.values()
    ]
    for a in arrays:
        a[: min(batch, 3)] = np.array([0.0, 1.0, -1.0])[: min(batch, 3), None]
    return arrays


def flat(value):
    """The arrays of a nested result."""
    return [np.asarray(a) for a in flatten(value)[0]]


def bits(value) -> bytes:
    """The bits of a nested result; every NaN counts as the same."""
    return b"".join(np.where(np.isnan(a), np.nan, a).astype(a.dtype).tobytes() for a in flat(value))
