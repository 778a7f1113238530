"""Each assembly constraint and joint removes exactly what it says, wherever it holds; threads and teeth."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.constraints import mates
from anthropi.constraints.mates import Axis, Direction, Frame, Plane, Point, Rod, Sphere
from anthropi.constraints.primitives import primitives_of
from anthropi.errors import InputError
from unit.constraints.assemblies import CONSTRAINTS, gears, rank, solved_states


@pytest.mark.slow
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_removes_exactly_what_it_says_at_100_states(name):
    make, removes = CONSTRAINTS[name]
    for seed in range(4):  # other features
        rng = np.random.default_rng(seed)
        c = make(rng)
        assert c.removes == removes == len(c.primitives())
        for problem, x in solved_states([c], "ab", rng, 25):  # other states
            _, J = problem(x)
            assert rank(J[: problem.m]) == removes


@pytest.mark.slow
def test_gears_and_racks_remove_one_each_at_100_states():
    for seed in range(4):
        rng = np.random.default_rng(seed)
        constraints = gears(rng)
        assert [c.removes for c in constraints] == [5, 5, 5, 1, 1]
        for problem, x in solved_states(constraints, "abcd", rng, 25):
            _, J = problem(x)
            assert rank(J[: problem.m]) == 17 and rank(J[15:16]) == rank(J[16:17]) == 1


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_guides_are_zero_where_the_meant_solution_is(name):
    rng = np.random.default_rng(5)
    c = CONSTRAINTS[name][0](rng)
    for problem, x in solved_states([c], "ab", rng, 3):
        assert np.abs(problem.residual(x)).max() < 1e-11
        assert len(problem.rows.primitives) == c.removes + len(getattr(c, "guides", tuple)())


def test_senses():
    rng = np.random.default_rng(6)
    for sense, sign in (("same", 1.0), ("opposite", -1.0)):
        c = mates.Parallel(Direction("a", (0, 0, 2)), Direction("b", (0, 3, 0)), sense)
        for problem, x in solved_states([c], "ab", rng, 10):
            _, A = problem.coordinates.poses(x)
            assert A[0, :, 2] @ A[1, :, 1] == pytest.approx(sign, abs=1e-9)
    with pytest.raises(InputError, match=r"sense 'sam'\. Choose one of same, opposite, either"):
        mates.Parallel(Direction("a", (0, 0, 1)), Direction("b", (0, 0, 1)), "sam")


# threads, teeth, lines: derivatives from the tape, which knows nothing of ours


def primitives():
    rng = np.random.default_rng(7)
    one, _, slider, gear, rack = gears(rng)
    screw = mates.Screw(one.a, one.b, 0.2)
    touching = mates.Tangent(Sphere("a", (0.1, 0.2, 0.3), 0.2), Rod("b", (1, 0, 0), (0, 1, 2), 0.4))
    return {"screw": screw.primitives()[-1], "rack": rack.primitives()[0], "gear": gear.primitives()[0],
            "line distance": touching.primitives()[0], "slide": slider.primitives()[-1]}  # fmt: skip


@pytest.mark.parametrize("name", primitives())
def test_gradient_and_bend_are_the_derivatives_of_the_value(name):
    p, rng = primitives()[name], np.random.default_rng(8)
    n = len(p.features())
    tape = ap.record(lambda x: np.asarray(p.value(x.reshape(n, 3))), x=np.zeros(3 * n))
    for _ in range(5):
        x, d = rng.normal(size=(n, 3)), rng.normal(size=(n, 3))
        value, slope = ap.build(tape.jvp("x"), target="replay")(x.ravel(), d.ravel())
        along = lambda e, x=x, d=d: sum((g * r).sum() for g, r in zip(p.gradient(x + e * d), d, strict=True))  # noqa: E731
        assert float(value) == pytest.approx(float(p.value(x)), abs=1e-13)
        assert along(0.0) == pytest.approx(float(slope), rel=1e-12, abs=1e-12)
        h = 1e-5  # central differences of the exact slope: h² and 1e-16/h
        assert p.curvature(x, d) == pytest.approx((along(h) - along(-h)) / (2 * h), rel=1e-7, abs=1e-7)


def test_a_thread_is_the_same_after_a_turn():
    screw = mates.Screw(Frame("a"), Frame("b"), pitch=0.01)
    thread = screw.primitives()[-1]
    x, y, z = np.eye(3)
    for turns in (-3, 0, 2):
        for theta in (-2.0, 0.4, 3.0):
            u = np.array([np.cos(theta), np.sin(theta), 0.0])
            place = 0.01 * (theta + 2 * np.pi * turns)
            assert thread.value((x, y, u, z, 0 * z, place * z)) == pytest.approx(0.0, abs=1e-15)
            assert thread.value((x, y, u, z, 0 * z, (place + 0.02) * z)) == pytest.approx(0.02, abs=1e-15)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: mates.Tangent(Plane("a"), Plane("b")), "between Plane and Plane. Possible pairs: Sphere and Plane"),
        (lambda: mates.Tangent(Sphere("a"), Plane("b"), inside=True), "a plane has no inside"),
        (lambda: mates.Gear(mates.Ball(Point("a"), Point("b")), mates.Hinge(Axis("a"), Axis("b")), (1, 2)), "hinges"),
        (lambda: mates.Gear(*[mates.Hinge(Axis("a"), Axis("b"))] * 2, (1.5, 2)), "whole numbers"),
        (lambda: mates.Rack(*[mates.Hinge(Axis("a"), Axis("b"))] * 2, 0.1), "then a slider"),
        (lambda: mates.Fixed(Frame("a", x=(0, 0, 2)), Frame("b")).primitives(), "lies along its z axis"),
        (lambda: mates.Hinge(Axis("a", along=(0, 0, 0)), Axis("b")).primitives(), "not all zero"),
    ],
)  # fmt: skip
def test_refuses(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_every_set_is_made_of_primitives():
    rng = np.random.default_rng(9)
    for make, removes in CONSTRAINTS.values():
        assert len(primitives_of(make(rng))) == removes
