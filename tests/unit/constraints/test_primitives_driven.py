"""Constraints that follow the clock: first and second time derivatives, in Cartesian and relative coordinates."""

import math

import numpy as np
import pytest

from anthropi.algebra.scalar import cos, exp, sin
from anthropi.compiler import build
from anthropi.constraints import cartesian, relative
from anthropi.constraints.driven import Course, Driven, Nail, course, driven_angle, driven_distance, driven_turn
from anthropi.constraints.primitives import Direction, Distance, Dot1, Dot2, Normalisation, Point, primitives_of
from anthropi.errors import InputError
from anthropi.figure import Exponential, Link, Revolute, figure_from_parts
from anthropi.tape import record
from oracle.extended import difference
from unit.constraints.chains import figure_with

TIGHT = 1e-12  # the issue's
WHEN = 0.37
X, Y, Z = np.eye(3)


def angle(t):
    return 0.8 + 0.3 * sin(2.0 * t)


def length(t):
    return 1.2 + 0.1 * t * t


def path(t):
    return np.array([cos(t), sin(3.0 * t), 0.2 * t])


def hand(t):
    return np.array([cos(4.0 * t), sin(4.0 * t), 0.0])


def given(a: str, b: str) -> dict:
    """Everything that moves, between two bodies."""
    v = (0.3, -0.4, 0.5)
    return {
        "nail": Nail(Point(a, v), (0.1, 0.2, 0.3)),
        "path": Nail(Point(a, v), path),
        "angle": driven_angle(Direction(a, (1.0, 2.0, 0.0)), Direction(b, (0.0, 1.0, 1.0)), angle),
        "distance": driven_distance(Point(a, v), Point(b, (1.0, 0.0, 0.2)), length),
        "turn": driven_turn(Direction(a, X), Direction(b, Y), Direction(b, Z), angle),
        "dot-1": Driven(Dot1(Direction(a, v), Direction(b, Z)), lambda t: exp(0.0 - t)),
        "coordinate": Driven(Dot2(Direction("", Z), Point("", X), Point(a, v)), lambda t: t * t * t),
        "a hand of a clock": Dot2(Direction(b, hand), Point(a, v), Point(b, path), 0.1),
        "moving points": Distance(Point(a, path), Point(b, hand), 0.4),
        "twice": Driven(Dot1(Direction(a, hand), Direction(b, Z)), Course(lambda t: (t * t, 2.0 * t, 2.0))),
    }


def close(a, b, tolerance=TIGHT):
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("kind", given("", ""))
def test_rates_of_a_figure(kind):
    rng = np.random.default_rng(3)
    figure = figure_with(Exponential(name="joint"), rng)
    asked = given("c", "d")[kind]
    q, u = figure.random(rng), rng.normal(size=figure.nu)
    found = relative.equations(figure, q, u, asked, WHEN)

    def motion(q, t):
        phi = relative.equations(figure, q, u, asked, t)
        return phi.residual, phi.jacobian @ u + phi.drift

    tape = record(motion, q=np.zeros(figure.nq), t=np.zeros(()))
    m = len(primitives_of(asked))
    slope = difference(tape, [*q, WHEN], [*figure.rate(q, u), 1.0])  # the velocities stay as they are
    close(found.jacobian @ u + found.drift, slope[:m])
    close(found.bias, slope[m:])


@pytest.mark.parametrize("form", ["euler", "manifold"])
@pytest.mark.parametrize("kind", given("", ""))
def test_rates_of_bodies(kind, form):
    rng = np.random.default_rng(4)
    q, rates = rng.normal(size=14), rng.normal(size=14 if form == "euler" else 12)
    for at in (3, 10):
        q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
    asked = given("a", "b")[kind]
    found = cartesian.equations(("a", "b"), q, rates, asked, WHEN, form)

    def motion(q, t):
        phi = cartesian.equations(("a", "b"), q, rates, asked, t, form)
        return phi.residual, phi.jacobian @ rates + phi.drift

    tape = record(motion, q=np.zeros(14), t=np.zeros(()))
    m = len(primitives_of(asked))
    slope = difference(tape, [*q, WHEN], [*_qdot(q, rates), 1.0])
    close(found.jacobian @ rates + found.drift, slope[:m])
    close(found.bias, slope[m:])


def _qdot(q, rates):
    """q' of two bodies from q' itself, or from (r', w): p' = ½ Gᵀ w."""
    if len(rates) == 14:
        return rates
    parts = [
        (rates[a : a + 3], 0.5 * cartesian.G(q[b + 3 : b + 7]).T @ rates[a + 3 : a + 6]) for a, b in ((0, 0), (6, 7))
    ]
    return np.concatenate([x for pair in parts for x in pair])


def test_a_driven_turn_holds_a_crank_all_the_way_round():
    """θ - α: zero only at θ = α, slope 1, wherever α is; the driven angle's slope vanishes at 0 and π."""
    crank = figure_from_parts("crank", [("", Revolute(name="pin", axis="z"), Link("crank", 1.0, tensor=np.eye(3)))])
    turn = driven_turn(Direction("crank", X), Direction("", X), Direction("", Y), lambda t: 2.0 * t)
    for t in np.linspace(0.0, 2 * math.pi, 13):
        residual, J = relative.rows(crank, np.array([2.0 * t]), turn, t)
        close(residual, 0.0), close(J, 1.0)
        close(relative.equations(crank, np.array([2.0 * t]), np.array([2.0]), turn, t).drift, -2.0)
        residual, _ = relative.rows(crank, np.array([2.0 * t + 0.1]), turn, t)
        close(residual, 0.1)
        residual, _ = relative.rows(crank, np.array([2.0 * t + 3.0]), turn, t)
        close(residual, 3.0)  # sin(θ - α) was 0.14 here, and 0 half a turn off
        close(relative.rows(crank, np.array([2.0 * t + 0.1]), turn.sine(), t)[0], math.sin(0.1))
    plain = driven_angle(Direction("crank", X), Direction("", X), lambda t: 2.0 * t)
    close(relative.rows(crank, np.array([math.pi]), plain, math.pi / 2)[1], 0.0)


def test_a_course_is_a_number_a_function_or_a_function_with_derivatives():
    close(course(lambda t: sin(2.0 * t), WHEN), (math.sin(2 * WHEN), 2 * math.cos(2 * WHEN), -4 * math.sin(2 * WHEN)))
    value, first, second = course(path, WHEN)
    close(value, [math.cos(WHEN), math.sin(3 * WHEN), 0.2 * WHEN])
    close(first, [-math.sin(WHEN), 3 * math.cos(3 * WHEN), 0.2])
    close(second, [-math.cos(WHEN), -9 * math.sin(3 * WHEN), 0.0])
    assert course(1.5, WHEN) == (1.5, 0.0, 0.0)
    assert course(Course(lambda t: (t, 7.0, 8.0)), WHEN) == (WHEN, 7.0, 8.0)
    assert course(lambda t: 2.5, WHEN) == (2.5, 0.0, 0.0)


def test_the_kernel_takes_the_time_as_an_input():
    rng = np.random.default_rng(6)
    figure = figure_with(Exponential(name="joint"), rng)
    asked = list(given("c", "d").values())
    q, u = figure.random(rng), rng.normal(size=figure.nu)
    arrays = {"q": q, "u": u, "t": np.zeros(())}
    kernel = build(record(lambda q, u, t: relative.equations(figure, q, u, asked, t), **arrays), "replay")
    for a, b in zip(kernel(q, u, WHEN), relative.equations(figure, q, u, asked, WHEN), strict=True):
        close(a, b)


def test_what_is_driven_needs_the_time():
    figure = figure_with(Exponential(name="joint"), np.random.default_rng(0))
    q = figure.neutral()
    refusals = {
        "distance": "Constraint 'driven distance' depends on time. Give the time",
        "path": "on 'the world' moves with time. Give the time",
        "turn": "Constraint 'driven turn' depends on time. Give the time",
    }
    for kind, words in refusals.items():
        with pytest.raises(InputError, match=words):
            relative.rows(figure, q, given("c", "d")[kind])
    with pytest.raises(InputError, match="v1 is on 'a' and v2 is on 'b'"):
        driven_turn(Direction("c", X), Direction("a", X), Direction("b", Y), angle)
    with pytest.raises(InputError, match=r"not perpendicular: their dot product is 0\.6"):
        driven_turn(Direction("c", X), Direction("a", X), Direction("a", (0.6, 0.8, 0.0)), angle)
    assert (
        Nail(Point("a"), X).removes == 3
        and Normalisation("a").removes == 0
        and Distance(Point("a"), Point("b"), 1).removes == 1
    )
