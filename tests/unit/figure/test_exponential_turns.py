"""A joint in exponential coordinates turns as far as it likes: the chart changes by itself, and nothing is lost.

Ten full turns about an axis that changes all the time, in 4000 steps, beside the same joint in quaternions.
"""

import numpy as np
import pytest

import anthropi as ap
from anthropi import rotation
from anthropi.algebra.spatial import box
from anthropi.figure import Ball, Exponential, Free, Link, figure_from_parts

TURNS, STEPS = 10, 4000
TOLERANCE = 1e-12  # [rad] 4000 steps of a few roundings each


def axes(kind):
    """A unit vector for every step (STEPS, 3)."""
    t = np.linspace(0.0, 1.0, STEPS)
    if kind == "fixed":
        way = np.broadcast_to([1.0, -2.0, 0.5], (STEPS, 3))
    elif kind == "slowly changing":
        way = np.stack([np.cos(7.0 * t), np.sin(5.0 * t), 0.5 + t], axis=1)
    else:  # a new axis every full turn
        way = np.random.default_rng(2).normal(size=(TURNS, 3)).repeat(STEPS // TURNS, axis=0)
    return way / np.linalg.norm(way, axis=1, keepdims=True)


KINDS = pytest.mark.parametrize("kind", ["fixed", "slowly changing", "a new one every turn"])


def apart(r, q):
    """Angle [rad] between a rotation vector and a quaternion."""
    return np.linalg.norm(rotation.box_minus(rotation.quaternion_from_rotation_vector(r), q))


@pytest.mark.slow
@KINDS
def test_ten_turns(kind):
    exponential, ball = Exponential(name="e"), Ball(name="b")
    moves = axes(kind) * (2.0 * np.pi * TURNS / STEPS)
    r, q, changes, longest, worst = np.zeros(3), ball.neutral(), 0, 0.0, 0.0
    for v in moves:
        before = r
        r, q = exponential.integrate(r, v), ball.integrate(q, v)
        changes += r @ before < 0.0 and np.linalg.norm(before) > 3.0
        longest, worst = max(longest, np.linalg.norm(r)), max(worst, apart(r, q))
    assert worst < TOLERANCE
    assert longest <= np.pi * (1.0 + 1e-15)  # where G_b is well conditioned: it is singular at 2π
    assert changes >= TURNS - 2, "every turn passes half a turn, where the chart changes"
    if kind == "fixed":
        np.testing.assert_allclose(r, 0.0, atol=TOLERANCE)  # ten whole turns


@KINDS
def test_ten_turns_in_one_kernel(kind):
    exponential, ball = Exponential(name="e"), Ball(name="b")

    def turn(moves):
        def step(state, v):
            r, q = state
            return exponential.integrate(r, v), ball.integrate(q, v)

        return ap.repeat(step, (np.zeros(3), ball.neutral()), STEPS, rows=moves, every=100)

    kernel = ap.build(ap.record(turn, moves=np.zeros((STEPS, 3))))
    (r, q), (rs, qs) = kernel(axes(kind) * (2.0 * np.pi * TURNS / STEPS))
    assert apart(r, q) < TOLERANCE
    assert max(apart(a, b) for a, b in zip(rs, qs, strict=True)) < TOLERANCE
    assert np.linalg.norm(rs, axis=1).max() <= np.pi * (1.0 + 1e-15)


@pytest.mark.slow
def test_rates_and_poses_agree_all_the_way():
    """A figure whose arm hangs by either joint is in the same place with the same velocity, through every chart."""
    figures = []
    for joint in (Exponential(name="arm"), Ball(name="arm")):
        parts = [("", Free(name="root"), Link.of("body", box((0.3, 0.3, 0.3), mass=2.0))),
                 ("body", joint, Link.of("arm", box((0.1, 0.1, 0.5), mass=1.0, centre=(0.0, 0.0, -0.2))))]  # fmt: skip
        figures.append(figure_from_parts("pair", parts))
    moves, u = axes("slowly changing") * (2.0 * np.pi * TURNS / STEPS), np.zeros(9)
    states = [f.neutral() for f in figures]
    for k, v in enumerate(moves):
        u[6:] = v
        states = [f.integrate(q, u) for f, q in zip(figures, states, strict=True)]
        if k % 97:
            continue
        a, b = (ap.kinematics(f, q, u) for f, q in zip(figures, states, strict=True))
        np.testing.assert_allclose(a.rotation, b.rotation, atol=TOLERANCE)
        np.testing.assert_allclose(a.angular_velocity, b.angular_velocity, atol=TOLERANCE)
        arm = figures[0].joints[1]
        r, w = states[0][7:], v
        np.testing.assert_allclose(arm.velocity(r, arm.rate(r, w)), w, rtol=1e-12, atol=1e-15)
