"""Limits of joints and constant-velocity joints in assemblies."""

import numpy as np
import pytest

from anthropi.algebra import rotation as rot
from anthropi.constraints import driven, mates
from anthropi.constraints.assembly import Assembly, Body
from anthropi.constraints.mates import Axis, Direction, Frame, Point
from anthropi.errors import AssemblyError, InputError
from unit.constraints.assemblies import scattered, worst

X, Y, Z = np.eye(3)


def angle_of(solved, body="b"):
    R = solved.places[body].rotation
    return np.arctan2(R[1, 0], R[0, 0])


@pytest.mark.parametrize(("lower", "upper"), [(0.3, 0.8), (-0.2, 0.1), (2.5, 4.0), (-7.0, -6.0), (1.0, 1.0)])
def test_a_hinge_stays_within_its_limits(lower, upper):
    hinge = mates.Hinge(Frame("a"), Frame("b"))
    for seed in range(12):
        bodies = [Body("a", fixed=True), *scattered("b", np.random.default_rng(seed))]
        solved = Assembly(bodies, [hinge, mates.Limit(hinge, lower, upper)]).solve()
        beyond = abs((angle_of(solved) - 0.5 * (lower + upper) + np.pi) % (2.0 * np.pi) - np.pi) - 0.5 * (upper - lower)
        assert beyond < 1e-11 and worst(solved) < 1e-11 and solved.freedom == 1 and solved.adds["limit"] == 0


def test_a_slider_stays_within_its_limits():
    slider = mates.Slider(Frame("a"), Frame("b"))
    for limits, place in (((-0.2, 0.3), 0.3), ((None, 0.1), 0.1), ((0.9, None), 0.9)):
        ends = {key: value for key, value in zip(("lower", "upper"), limits, strict=True) if value is not None}
        start = [Body("a", fixed=True), Body("b", (0.1, 0.2, 0.8))]
        solved = Assembly(start, [slider, mates.Limit(slider, **ends)]).solve()
        assert solved.places["b"].origin[2] == pytest.approx(place, abs=1e-11)
    held = Assembly(
        [Body("a", fixed=True), Body("b", (0.1, 0.2, 0.05))], [slider, mates.Limit(slider, -0.2, 0.3)]
    ).solve()
    assert held.places["b"].origin[2] == pytest.approx(0.05, abs=0.02)  # not at a bound
    assert "limit" in held.residuals and not held.redundant


def test_dragging_stops_at_a_limit():
    hinge = mates.Hinge(Frame("a"), Frame("b"))
    solved = Assembly([Body("a", fixed=True), Body("b")], [hinge, mates.Limit(hinge, -0.5, 0.5)]).solve()
    dragged = solved.drag("b", quaternion=rot.quaternion_from_rotation_vector(np.array([0.0, 0.0, 1.2])))
    assert 0.4 < angle_of(dragged) < 0.5 + 1e-9


def test_a_limit_that_cannot_be_met_is_named():
    hinge = mates.Hinge(Frame("a"), Frame("b"))
    turn = driven.driven_turn(Direction("b", X), Direction("a", X), Direction("a", Y), 2.0, "motor")
    with pytest.raises(AssemblyError, match="No solution of 'assembly' was found") as caught:
        Assembly([Body("a", fixed=True), Body("b")], [hinge, turn, mates.Limit(hinge, 0.0, 1.0)]).solve(restarts=4)
    assert set(caught.value.conflicting) == {"motor", "limit"}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: mates.Limit(mates.Ball(Point("a"), Point("b")), 0.0, 1.0), "Give a Hinge, Slider, Cylinder or Screw"),
        (lambda: mates.Limit(mates.Hinge(Axis("a"), Axis("b")), 0.0), "less than a turn"),
        (lambda: mates.Limit(mates.Hinge(Axis("a"), Axis("b")), 1.0, 0.0), "less than a turn"),
        (lambda: mates.Limit(mates.Slider(Frame("a"), Frame("b")), 1.0, 0.0), "from 1 to 0. Give a lower and a higher"),
        (lambda: mates.Limit(mates.Cylinder(Axis("a"), Axis("b")), 0.0, 1.0), "Choose rotation or translation"),
        (lambda: mates.Limit(mates.Hinge(Axis("a"), Axis("b")), 0, 1, "translation"), "Choose rotation"),
        (lambda: mates.Limit(mates.Slider(Frame("a"), Frame("b")), np.nan, 1.0), "Give a lower and a higher number"),
    ],
)  # fmt: skip
def test_limits_that_mean_nothing_are_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_a_constant_velocity_joint_passes_the_rotation_on():
    """Two shafts at an angle of 0.7 rad: the second turns as far as the first, which a universal joint does not do."""
    bend = rot.matrix_from_rotation_vector(np.array([0.7, 0.0, 0.0]))
    one, two = mates.Hinge(Frame("base"), Frame("in")), mates.Hinge(Frame("base", (0, 0, 0), bend @ Z, X), Frame("out"))
    joint = mates.ConstantVelocity(Frame("in"), Frame("out"), name="joint")
    for theta in (0.0, 0.4, 1.5, 2.9, -2.0):
        turn = driven.driven_turn(Direction("in", X), Direction("base", X), Direction("base", Y), theta)
        bodies = [Body("base", fixed=True), *scattered(("in", "out"), np.random.default_rng(3))]
        solved = Assembly(bodies, [one, two, turn, joint]).solve()
        R = bend.T @ solved.places["out"].rotation
        assert np.arctan2(R[1, 0], R[0, 0]) == pytest.approx(theta, abs=1e-9)
    assert solved.adds["joint"] == 1  # the points coincide already; the twist is new


def test_a_constant_velocity_joint_never_ends_half_a_turn_off():
    joint = mates.ConstantVelocity(Frame("a"), Frame("b"))
    for seed in range(20):
        solved = Assembly([Body("a", fixed=True), *scattered("b", np.random.default_rng(seed))], [joint]).solve()
        r = rot.rotation_vector_from_matrix(solved.places["b"].rotation)
        assert solved.freedom == 2 and abs(r[2]) < 1e-9  # a rotation about an axis perpendicular to the shaft
