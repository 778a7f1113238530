"""Laws of planned motions: smooth through any keys, the same seen from elsewhere, in the mirror and after a file."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anthropi as ap
from anthropi import rotation as rot
from anthropi.figure import Ball
from anthropi.motion import Expression, JointPath, Keyframes, Motion, blend, ramp, spline
from unit.figure.families import random_figure

SEEDS = st.integers(0, 10_000)
HUMAN = ap.human(detail="simple36")


@pytest.mark.slow
@settings(max_examples=15)
@given(seed=SEEDS, ends=st.sampled_from(["natural", "clamped"]), count=st.integers(2, 6))
def test_keys_of_any_figure_are_passed_with_two_derivatives(seed, ends, count):
    figure, q, _ = random_figure(seed, count=5, loops=False)
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.1, 1.0, count))
    poses = [figure.random(rng) for _ in times]
    keys = Keyframes(figure, dict(zip(times.tolist(), poses, strict=True)), q, ends=ends)
    for t, pose in zip(times, poses, strict=True):
        assert np.abs(figure.difference(keys(t).q, pose)).max(initial=0.0) < 1e-11
    for t in times[1:-1]:
        before, after = keys(np.nextafter(t, 0.0)), keys(t)
        size = 1.0 + np.abs(after.udot).max(initial=0.0) / 100.0  # ten keys a second: 1e3 rad/s² and more
        assert np.abs(before.udot - after.udot).max(initial=0.0) <= 1e-9 * size


@pytest.mark.slow
@settings(max_examples=20)
@given(seed=SEEDS, rotations=st.sampled_from(["log", "squad"]))
def test_a_way_is_the_same_in_a_turned_parent(seed, rotations):
    """C → R C: what the child feels does not change."""
    rng, ball = np.random.default_rng(seed), Ball(name="b")
    times, q = np.cumsum(rng.uniform(0.2, 1.0, 5)), np.array([ball.random(rng) for _ in range(5)])
    turn = ball.random(rng)
    here, there = (
        JointPath(ball, times, x, rotations=rotations) for x in (q, rot.quaternion_product(np.tile(turn, (5, 1)), q))
    )
    for t in rng.uniform(times[0], times[-1], 4):
        np.testing.assert_allclose(there(t).u, here(t).u, atol=1e-9)
        np.testing.assert_allclose(there(t).udot, here(t).udot, atol=1e-7)
        assert np.abs(ball.difference(rot.quaternion_product(turn, here(t).q), there(t).q)).max() < 1e-11


@pytest.mark.slow
@settings(max_examples=8)
@given(seed=SEEDS)
def test_blending_and_mirroring_may_change_places(seed):
    rng = np.random.default_rng(seed)
    time = np.cumsum(rng.uniform(0.1, 0.3, 4))
    base = np.tile(ap.standing(HUMAN), (4, 1))
    a, b = (Motion(HUMAN, time, HUMAN.integrate(base, 0.4 * rng.normal(size=(4, HUMAN.nu))),
                   rng.normal(size=(4, HUMAN.nu))) for _ in "ab")  # fmt: skip
    weight = ramp(time[0] - 0.1, time[-1] + 0.1)
    one, other = blend(a, b, weight).mirror(), blend(a.mirror(), b.mirror(), weight)
    assert one.figure is other.figure is HUMAN
    assert np.abs(HUMAN.difference(one.q, other.q)).max() < 1e-12
    np.testing.assert_allclose(one.u, other.u, atol=1e-11)


@settings(max_examples=15)
@given(seed=SEEDS, single=st.booleans(), frames=st.integers(1, 4))
def test_any_motion_comes_back_from_a_file(tmp_path_factory, seed, single, frames):
    figure, _, _ = random_figure(seed, count=4, loops=False)
    rng = np.random.default_rng(seed)
    kind = np.float32 if single else float
    u = (rng.normal(size=(frames, figure.nu)) * 10.0 ** rng.integers(-300 if not single else -30, 30)).astype(kind)
    q = np.array([figure.random(rng) for _ in range(frames)]).astype(kind).reshape(frames, figure.nq)
    motion = Motion(figure, np.cumsum(rng.uniform(0.1, 1.0, frames)), q, u, {"x": u})
    folder = tmp_path_factory.mktemp("motions")
    motion.save(folder / "a.npz")
    motion.save_frames(folder / "a")
    for path in (folder / "a.npz", folder / "a"):
        again = Motion.load(path)
        assert again.figure.key == figure.key and again.q.dtype == kind
        for x, y in ((again.time, motion.time), (again.q, q), (again.u, u), (again.channels["x"], u)):
            assert x.tobytes() == y.tobytes()


NUMBERS = st.integers(1, 9).map(str)
TREES = st.recursive(
    st.just("t") | NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda x: f"({x[0]} {x[1]} {x[2]})"),
        st.tuples(st.sampled_from(["sin", "cos"]), inner).map(lambda x: f"{x[0]}({x[1]})"),
        inner.map(lambda x: f"exp(-({x})**2)"),
        inner.map(lambda x: f"sqrt(1 + ({x})**2)"),
        st.tuples(inner, inner).map(lambda x: f"({x[0]}) / (2 + ({x[1]})**2)"),
    ),
    max_leaves=6,
)


@settings(max_examples=60)
@given(text=TREES, t=st.floats(0.1, 1.5))
def test_expressions_are_what_python_says_and_slopes_what_differences_say(text, t):
    names = {n: getattr(math, n) for n in ("sin", "cos", "exp", "sqrt")}
    value = eval(text, {"__builtins__": {}}, names | {"t": t})
    f, h = Expression(text), 1e-4
    assert math.isclose(f(t).value, value, rel_tol=1e-12, abs_tol=1e-12)
    x = [f(t + k * h) for k in (-2, -1, 1, 2)]
    for found, row in ((f(t).rate, [c.value for c in x]), (f(t).acceleration, [c.rate for c in x])):
        by_hand = (row[0] - 8.0 * row[1] + 8.0 * row[2] - row[3]) / (12.0 * h)
        wild = abs(row[0] - 4.0 * row[1] + 4.0 * row[2] - row[3]) / h  # where it bends too fast for differences
        assert abs(found - by_hand) <= 1e-6 * (1.0 + abs(found) + max(map(abs, row))) + 1e-3 * wild


@settings(max_examples=20)
@given(seed=SEEDS, ends=st.sampled_from(["natural", "clamped"]))
def test_integrating_what_was_differentiated_gives_it_back(seed, ends):
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.1, 1.0, 6))
    curve = spline(times, rng.normal(size=6), ends)
    first = curve.derivative()
    back = first.derivative().integral(first(times[2]).value, times[2]).integral(curve(times[2]).value, times[2])
    t = rng.uniform(times[0] - 0.5, times[-1] + 0.5, 20)
    np.testing.assert_allclose(back(t).value, curve(t).value, atol=1e-9)  # slopes up to 1e2, cubes of 1/h up to 1e3
