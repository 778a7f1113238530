"""Constraints and assemblies refuse what they cannot mean, when it is given, with errors that name the choices."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.constraints import mates, newton, relative
from anthropi.constraints.assembly import Assembly, Body
from anthropi.constraints.mates import Axis, Direction, Frame, Plane, Point
from anthropi.constraints.primitives import Angle, Distance, Dot1, Dot2
from anthropi.errors import AssemblyError, InputError, ShapeError

X, Y, Z = np.eye(3)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: mates.Hinge(Point("a"), Point("b")), r"'hinge' has a = Point.*no plane or axis. Give one of Axis"),
        (lambda: mates.Hinge(Axis("a"), Direction("b", Z)), r"'hinge' has b = Direction"),
        (lambda: mates.Ball(Point("a"), Direction("b", Z)), r"'ball' has b = Direction.*no point"),
        (lambda: mates.Parallel(Point("a"), Direction("b", Z)), r"'parallel' has a = Point.*no direction"),
        (lambda: mates.Fixed(Axis("a"), Frame("b")), r"'fixed' has a = Axis.*no frame. Give one of Frame"),
        (lambda: mates.Coplanar(Plane("a"), Point("b")), r"'coplanar' has b = Point"),
        (lambda: mates.OnLine(Point("a"), Point("b")), r"'online' has b = Point"),
        (lambda: mates.Cylinder(Point("a"), Axis("b")), r"'cylinder' has a = Point"),
        (lambda: mates.Slider("a", Frame("b")), r"'slider' has a = 'a'"),
        (lambda: Distance(Direction("a", X), Point("b"), 1.0), r"'distance' refers to Direction.*a point is needed"),
        (lambda: Dot1(Point("a"), Direction("b", X)), r"'dot-1' refers to Point.*where a direction is needed"),
        (lambda: Dot2(Direction("a", X), Direction("a", X), Point("b")), r"'dot-2' refers to Direction.*point"),
        (lambda: mates.Angle(Direction("a", X), Direction("b", X), 90), r"angle of 90 rad. Give radians from 0 to π"),
        (lambda: Angle(Axis("a"), Direction("b", X), 0.5), r"'angle' refers to Axis"),
        (lambda: Angle(Direction("a", X), Direction("b", X), np.nan), r"angle of nan rad"),
    ],
)  # fmt: skip
def test_a_wrong_feature_is_refused_when_it_is_given(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_rows_of_a_figure_check_the_configuration():
    figure, held = ap.sample("chain", links=3), Dot1(Direction("link_0", X), Direction("", X))
    cases = [
        ([0.0, 0.0], ShapeError, r"q has shape \(2,\); wanted \(3,\) for figure 'chain'"),
        (np.zeros((4, 3)), ShapeError, r"q has shape \(4, 3\); wanted \(3,\).*For a batch"),
        ([0.0, np.nan, 0.0], InputError, "q is not finite"),
        (["a", "b", "c"], InputError, "give 3 numbers"),
    ]
    for q, kind, words in cases:
        with pytest.raises(kind, match=words):
            relative.rows(figure, q, held)
    with pytest.raises(ShapeError, match=r"u has shape \(1,\); wanted \(3,\)"):
        relative.equations(figure, np.zeros(3), [1.0], held)
    assert relative.rows(figure, [0, 0, 0], held)[1].shape == (1, 3)


def two(*constraints, **options):
    return Assembly([Body("a", fixed=True), Body("b", (0.1, 0.2, 0.3))], constraints, **options)


def test_a_start_and_a_goal_are_checked():
    asked = two(mates.Ball(Point("a", X), Point("b", Y)))
    cases = [
        ([1, 2, 3], ShapeError, r"start: got the shape \(3,\); give numbers of shape \(2, 7\), position and quater"),
        (np.full((2, 7), np.nan), InputError, "start: a number is not finite"),
        (np.zeros((2, 7)), InputError, "start has a quaternion that is zero"),
        ("here", InputError, "give numbers of shape"),
    ]
    for start, kind, words in cases:
        with pytest.raises(kind, match=words):
            asked.solve(start=start)
    with pytest.raises(ShapeError, match="goal: got the shape"):
        asked.solve().closest([1.0, 2.0])
    figure = ap.sample("four_bar")
    with pytest.raises(ShapeError, match=r"q: got the shape \(2,\); give .* \(3,\), q of figure 'four_bar'"):
        Assembly(figure, q=[0.0, 0.0])
    for tolerance in (0.0, -1.0, np.nan, "small", True):
        with pytest.raises(InputError, match=r"tolerance is .*; give a number above 0"):
            asked.solve(tolerance=tolerance)
    with pytest.raises(InputError, match=r"restarts is -1; give a whole number"):
        asked.solve(restarts=-1)


def test_newton_keeps_to_the_tolerance():
    """It was ignored: always 1e-10."""
    asked = two(mates.Distance(Point("a"), Point("b"), 1.0))
    rough, fine = (asked.solve(method="newton", tolerance=t) for t in (1e-2, 1e-14))
    assert rough.evaluations < fine.evaluations
    assert rough.residuals["distance"][0] > 1e-8 > 1e-13 > fine.residuals["distance"][0]
    with pytest.raises(AssemblyError, match=r"did not converge.*with a tolerance of 1e-40"):
        two(mates.Distance(Point("a"), Point("b", X), 1.3)).solve(method="newton", tolerance=1e-40)


def test_converged_is_a_bool():
    rows = [Dot1(Direction("", X), Direction("body", Y)), Dot1(Direction("", Y), Direction("body", Z)),
            Dot1(Direction("", Z), Direction("body", X))]  # fmt: skip
    q0 = np.array([0.9, 0.1, 0.2, 0.3])
    for solve in (newton.newton, newton.robust):
        assert isinstance(solve(rows, q0).converged, bool)
    kernel = newton.kernel(rows, opt=0)
    assert kernel(q0).converged is True and kernel(np.stack([q0, q0])).converged.dtype == bool
