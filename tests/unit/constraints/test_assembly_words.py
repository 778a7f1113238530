"""What assemblies say: which motion remains, what is refused, and why."""

import numpy as np
import pytest

from anthropi.constraints import mates
from anthropi.constraints.assembly import Assembly, Body
from anthropi.constraints.mates import Direction, Frame, Plane, Point
from anthropi.errors import InputError
from unit.constraints.assemblies import CONSTRAINTS, four_bar, scattered

X = np.eye(3)[0]


WORDS = {
    "ball": "turns about any axis through",
    "hinge": "turns about the axis of 'hinge'",
    "slider": "slides along",
    "cylinder": "turns about and slides along the axis of 'cylinder'",
    "universal": "turns about two axes",
    "planar": "slides in a plane and turns about its normal",
    "screw": "screws along the axis of 'screw', 200 mm/rad",
    "parallel": "slides anywhere",
    "on line": "and slides along",
    "on plane": "slides in the plane perpendicular to",
    "equal orientation": "slides anywhere",
}


@pytest.mark.parametrize("name", WORDS)
def test_says_which_motion_remains(name):
    rng = np.random.default_rng(17)
    c = CONSTRAINTS[name][0](rng)
    solved = Assembly([Body("a", fixed=True), *scattered("b", rng)], [c]).solve()
    words = solved.explain()
    assert WORDS[name] in words and words.endswith("relative to a.") and f"{6 - c.removes} degree" in words


def test_says_what_moves_together():
    words = four_bar().solve().explain()
    together = "crank, coupler and rocker move together with 1 degree of freedom: crank turns about the axis of 'A', "
    assert f"{together}relative to ground;" in words
    alone = Assembly([Body("a")]).solve().explain()
    assert alone == "6 degrees of freedom left.\na moves freely, relative to the world."
    bolt = Assembly([Body("a")], [mates.Fixed(Frame("a"), Frame("", X), name="bolt")]).solve()
    assert bolt.explain() == "Nothing can move." and repr(bolt) == "Solved('assembly': 0 degrees of freedom left)"
    np.testing.assert_allclose(bolt.places["a"].origin, X, atol=1e-12)


@pytest.mark.parametrize(
    ("bodies", "constraints", "words"),
    [
        ([Body("a"), Body("a")], [], "called 'a'"),
        ([Body("a")], [mates.Ball(Point("a"), Point("lid"))], "the body 'lid', which does not exist"),
        ([Body("a")], [mates.Distance(Point("a"), Point(""), 0.0)], "Give a positive distance"),
        ([Body("a")], [mates.Angle(Direction("a", X), Direction("", X), 0.0)], "use Parallel"),
        ([Body("a")], [mates.Ball(Point("a", (0, 0, np.nan)), Point(""))], "three finite numbers"),
        ([Body("a")], [mates.Screw(Frame("a"), Frame(""), 0.0)], "not zero"),
        ([Body("a")], ["hinge"], "is not a constraint"),
    ],
)  # fmt: skip
def test_refuses(bodies, constraints, words):
    with pytest.raises(InputError, match=words):
        Assembly(bodies, constraints)


def test_bodies_refuse():
    for given in ({"position": (0, 0)}, {"quaternion": (0, 0, 0, 0)}, {"position": (0, 0, np.inf)}):
        with pytest.raises(InputError, match="Body 'a' starts at"):
            Body("a", **given)
    with pytest.raises(InputError, match="Give it another name"):
        Body("")
    with pytest.raises(InputError, match=r"Unknown method 'newtn'\. Did you mean 'newton'"):
        four_bar().solve(method="newtn")


def test_names_that_come_twice_are_numbered():
    assembly = Assembly([Body("a")], [mates.OnPlane(Point("a"), Plane("", along)) for along in np.eye(3)])
    assert [c.name for c in assembly.constraints] == ["onplane", "onplane 2", "onplane 3"]
