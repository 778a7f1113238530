"""Every public function of `rotation`: batches, recording, and derivatives at 0, π and 2π."""

import math

import mpmath as mp
import numpy as np
import pytest

import anthropi.algebra.rotation as R  # noqa: N812
from anthropi.compiler import build
from anthropi.tape import inline, pull, push, record
from anthropi.tape.functions import FUNCTIONS
from anthropi.tape.record import flatten
from unit.rotation.catalog import CATALOG, inputs_of

PI = math.pi
MID = (0.4, 1.7, 2.9, 3.6, 5.2)
SEAMS = {
    "0": (0.0, 1e-320, 1e-160, 1e-12), "pi": (PI,), "2pi": (2 * PI,),
    "": (1e-8, 1e-3, PI - 1e-9, PI + 1e-9, 2 * PI - 1e-3),
}  # fmt: skip

EXACT = dict(
    FUNCTIONS, div=lambda x, y: x / y, sqrt=mp.sqrt, sin=mp.sin, cos=mp.cos, atan2=mp.atan2, abs=abs, min=min, max=max,
    floor=mp.floor, round=mp.nint, fma=lambda x, y, z: x * y + z,
)  # fmt: skip


def angles_for(entry):
    return [*MID, *(t for name, seam in SEAMS.items() if name not in entry.away for t in seam)]


def flat(value):
    """All numbers of a nested result."""
    return np.concatenate([np.ravel(np.asarray(a, dtype=float)) for a in flatten(value)[0]])


def tape_of(entry, sample):
    names = [f"x{k}" for k in range(len(sample))]
    arrays = [np.asarray(x) for x in sample]
    return record(lambda **x: entry.function(*x.values()), **dict(zip(names, arrays, strict=True)))


def test_every_public_function_is_in_the_catalogue():
    named = {name.partition(",")[0] for name in CATALOG}
    assert not set(R.__all__) - named - {"EULER_ORDERS", "euler_order"}


@pytest.mark.parametrize("name", CATALOG)
def test_batch_single_and_kernel_agree(name):
    entry = CATALOG[name]
    batch = inputs_of(entry, (*MID, 0.9))
    singles = [entry.function(*(x[k] for x in batch)) for k in range(6)]
    two_axes = entry.function(*(x.reshape(2, 3, *x.shape[1:]) for x in batch))
    compiled = build(tape_of(entry, [x[0] for x in batch]))(*batch)
    arrays = [flatten(value)[0] for value in (two_axes, compiled)]
    for j, array in enumerate(flatten(singles[0])[0]):
        want = np.array([np.asarray(flatten(s)[0][j], dtype=float) for s in singles])
        # kernels fuse, so the last digits differ; up to 20 operations on numbers up to 10
        np.testing.assert_allclose(arrays[0][j].reshape(want.shape), want, rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(arrays[1][j].reshape(want.shape), want, rtol=2e-12, atol=2e-13)
        assert array.dtype == float


@pytest.mark.parametrize("name", CATALOG)
def test_derivatives_at_the_seams(name):
    """The forward sweep against differences of the same tape in 60 digits, the reverse against the forward; both also
    through kernels."""
    entry = CATALOG[name]
    angles = angles_for(entry)
    batch, rng = inputs_of(entry, angles, seed=3), np.random.default_rng(4)
    tape = tape_of(entry, [x[0] for x in batch])
    directions = [rng.uniform(-1.0, 1.0, x.shape) for x in batch]
    weights = [rng.uniform(-1.0, 1.0, (len(angles), *slot.shape)) for slot in tape.outputs]
    _, compiled = build(tape.jvp(), opt=0)(*batch, *directions)
    _, gradients = build(tape.vjp(), opt=0)(*batch, *weights)
    compiled, gradients = flatten(compiled)[0], list(gradients.values())
    for k, angle in enumerate(angles):
        where = f"{name} at {angle}"
        values, direction, weight = _flat_at(batch, k), _flat_at(directions, k), _flat_at(weights, k)
        slopes = np.array([float(s[0]) for s in push(tape, list(values), [(d,) for d in direction])[1]])
        gradient = np.array(pull(tape, list(values), list(weight))[1], dtype=float)
        assert np.all(np.isfinite(slopes)) and np.all(np.isfinite(gradient)), where
        scale = 1.0 + np.abs(weight) @ np.abs(slopes) + np.abs(gradient) @ np.abs(direction)
        assert abs(weight @ slopes - gradient @ direction) <= 1e-13 * scale, f"{where}: the sweeps differ"
        if (
            name.endswith("square") and angle < 1e-9
        ):  # guarded there: the tape is flat, its rule is not (test_coefficients)
            continue
        want = _differences(tape, values, direction)
        # guards below θ = 1e-10 and truncated series change derivatives of the tape itself by at most 1e-11
        assert np.max(np.abs(slopes - want)) <= 1e-10 * (1.0 + np.max(np.abs(want))), where
        for plain, kernel in ((slopes, _flat_at(compiled, k)), (gradient, _flat_at(gradients, k))):
            off = np.max(np.abs(plain - kernel)) / (1.0 + np.max(np.abs(plain)))
            assert off <= 1e-11, f"{where}: the kernel differs"  # 2π - 1e-3 and θ = 1e-8 cost up to four digits


def _flat_at(arrays, k):
    """All numbers of sample k."""
    return np.concatenate([np.ravel(a[k]) for a in arrays])


def _differences(tape, values, direction):
    with mp.workdps(60):
        h = mp.mpf(10) ** -25
        ends = [inline(tape, [mp.mpf(x) + s * h * mp.mpf(d) for x, d in zip(values, direction, strict=True)], EXACT)
                for s in (1, -1)]  # fmt: skip
        return np.array([float((mp.mpf(a) - mp.mpf(b)) / (2 * h)) for a, b in zip(*ends, strict=True)])


@pytest.mark.parametrize(
    "name", ["G_b", "G_s", "delta", "zeta", "d_zeta", "rotation_vector_rate_from_angular_velocity"]
)
def test_infinite_at_a_whole_turn_but_never_nan(name):
    entry = CATALOG[name]
    batch = inputs_of(entry, (2 * PI,))
    tape = tape_of(entry, [x[0] for x in batch])
    values = [float(x) for b in batch for x in np.ravel(b[0])]
    value, slopes = push(tape, values, [(1.0,)] * len(values))
    assert np.all(np.isfinite(flat(value))) and np.all(np.isfinite([float(s[0]) for s in slopes]))
    assert np.max(np.abs(flat(value))) > 1e12
