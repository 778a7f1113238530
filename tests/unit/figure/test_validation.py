"""A figure that cannot be is refused; every message names the culprit and the next step."""

import dataclasses

import numpy as np
import pytest

from anthropi import joints, spatial
from anthropi.errors import AnthropiError, InputError, SingularError
from anthropi.figure import Direction, Figure, Link, Loop, Marker, Shape, figure_from_parts
from anthropi.figure.joints import Reversed

BOX = spatial.box((0.1, 0.2, 0.3), mass=2.0, centre=(0.0, 0.0, -0.1))
SKEWED = spatial.Transform(np.diag([1.0, 1.0, 2.0]), np.zeros(3))
LEFT_HANDED = spatial.Transform(np.diag([1.0, 1.0, -1.0]), np.zeros(3))
NOWHERE = spatial.Transform(np.eye(3), np.array([0.0, np.nan, 0.0]))
HERE = spatial.identity()


def arm(joint=None, link=None, **fields):
    """A base and an arm; the arm's joint or link, or the figure's fields, replaced."""
    links = [Link.of("base", BOX), link or Link.of("arm", BOX)]
    pair = [joints.Free(name="root"), joint or joints.Revolute(name="elbow")]
    return Figure(**{"name": "test", "links": links, "joints": pair, "parent": (-1, 0), **fields})


def body(**fields):
    return dataclasses.replace(Link.of("arm", BOX), **fields)


def elbow(**fields):
    return joints.Revolute(name="elbow", **fields)


CASES = {  # what is wrong: (how to make it, what the message must say, in order)
    "no links": (lambda: Figure("test", (), (), ()), r"Figure 'test' has no links\. Give it at least one"),
    "a joint short": (lambda: arm(joints=[joints.Free(name="root")]), r"1 joints and 2 parents\. Give each link"),
    "two roots": (lambda: arm(parent=(-1, -1)), r"'test' has 2 roots \(base, arm\).*Connect the others to it"),
    "no root": (lambda: arm(parent=(1, 0)), r"has 0 roots \(\)\. It needs one"),
    "child first": (
        lambda: arm(parent=(-1, 1)),
        r"Link 'arm'.*before its parent.*ring\. List parents first.*figure_from_parts",
    ),
    "ring": (
        lambda: figure_from_parts("test", [("", joints.Free(name="r"), body(name="a")), ("c", elbow(), body(name="b")),
                                  ("b", joints.Ball(name="k"), body(name="c"))]),
        r"in a ring: b, c\. A figure must be a tree; close the ring with a loop",
    ),
    "unknown parent": (
        lambda: figure_from_parts("test", [("", joints.Free(name="r"), body(name="base")), ("bass", elbow(), body())]),
        r"The parent of link 'arm' of figure 'test' is 'bass', which is not a link\. "
        r"Did you mean 'base'\? Links: base, arm",
    ),
    "link twice, assembled": (
        lambda: figure_from_parts("test", [("", joints.Free(name="r"), body()), ("arm", elbow(), body())]),
        r"Two links of figure 'test' are called 'arm'\. Give each its own",
    ),
    "link twice": (lambda: arm(link=body(name="base")), r"Two links of figure 'test' are called 'base'\. Give each"),
    "joint twice": (lambda: arm(elbow().changed(name="root")), r"Two joints of figure 'test' are called 'root'"),
    "no name": (lambda: arm(joints.Ball()), r"A joint of figure 'test' has no name\. Give every joint a name"),
    "name is no word": (lambda: arm(link=body(name=3)), r"A link of figure 'test' has no name"),
    "half of a character": (
        lambda: arm(link=body(name="arm \ud83d")),
        r"The link 'arm \\ud83d' of figure 'test'.*lone surrogate.*Give whole characters",
    ),
    "half of a character in the figure's name": (
        lambda: arm().changed(name="\ud83d"),
        r"The figure '\\ud83d'.*lone surrogate",
    ),
    "dof twice": (
        lambda: arm(joints.Composite(name="root", parts=(joints.Prismatic(name="px"),)).changed(name="x"),
                    joints=[joints.Translational(name="a"), joints.Revolute(name="a.x")]),
        r"Two degrees of freedom of figure 'test' are called 'a\.x'.*other names",
    ),
    "marker twice": (
        lambda: arm(markers=[Marker("m", "arm", np.zeros(3)), Direction("m", "arm", np.eye(3)[0])]),
        r"Two markers of figure 'test' are called 'm'",
    ),
    "loop twice": (lambda: arm(loops=[Loop("l", "weld", "arm", HERE, "", HERE)] * 2), r"Two loops.*called 'l'"),
    "marker in the air": (
        lambda: arm(markers=[Marker("m", "amr", np.zeros(3))]),
        r"Marker 'm' of figure 'test' is attached to 'amr', which is not a link\. Did you mean 'arm'\? Links: base",
    ),
    "loop in the air": (lambda: arm(loops=[Loop("l", "weld", "", HERE, "bas", HERE)]), r"Loop 'l'.*'bas'.*'base'\?"),
    "loop nowhere": (lambda: arm(loops=[Loop("l", "weld", "", HERE, "arm", NOWHERE)]), r"Loop 'l'.*not finite.*Give"),
    "marker at NaN": (
        lambda: arm(markers=[Marker("m", "arm", (0.0, np.nan, 0.0))]), r"Marker 'm'.*nan.*three finite numbers"
    ),
    "marker in the plane": (lambda: arm(markers=[Marker("m", "arm", (0.0, 1.0))]), r"Marker 'm'.*give three"),
    "long direction": (
        lambda: arm(markers=[Direction("d", "arm", (0.0, 1.0, 1.0))]), r"'d'.*length 1\.41421; give a unit vector"
    ),
    "direction NaN": (lambda: arm(markers=[Direction("d", "arm", (0.0, np.nan, 1.0))]), r"'d'.*three finite numbers"),
    "skewed placement": (lambda: arm(elbow(placement=SKEWED)), r"Joint 'elbow'.*not a rotation.*Give an orthonormal"),
    "left-handed placement": (lambda: arm(elbow(placement=LEFT_HANDED)), r"'elbow'.*not a rotation.*right-handed"),
    "placement NaN": (lambda: arm(elbow(placement=NOWHERE)), r"Joint 'elbow'.*not finite.*Give a Transform"),
    "placement of a part": (
        lambda: arm(joints.Composite(name="elbow", parts=(elbow(), elbow(placement=NOWHERE).changed(name="wrist")))),
        r"Part 'wrist' of joint 'elbow' of figure 'test'.*not finite",
    ),
    "inside a locked joint": (
        lambda: arm(joints.Locked(name="elbow", joint=elbow(lower=2.0, upper=1.0), at=np.zeros(1))),
        r"Joint 'elbow'.*limits \[2\.0\] to \[1\.0\]",
    ),
    "locked at NaN": (
        lambda: arm(joints.Locked(name="elbow", joint=elbow(), at=np.array([np.nan]))), r"'elbow'.*at \[nan\].*finite"
    ),
    "inside a backward joint": (
        lambda: arm(Reversed(name="elbow", joint=joints.Ball(), damping=-1.0)), r"'elbow'.*damping.*none negative"
    ),
    "pitch NaN": (lambda: arm(joints.Helical(name="elbow", pitch=np.nan)), r"'elbow'.*pitch nan; give finite"),
    "negative stiffness": (lambda: arm(elbow(stiffness=-1.0)), r"'elbow'.*stiffness \[-1\.0\].*none negative"),
    "damping NaN": (lambda: arm(elbow(damping=np.nan)), r"Joint 'elbow'.*damping \[nan\]; give finite"),
    "endless armature": (lambda: arm(elbow(armature=np.inf)), r"'elbow'.*armature \[inf\]; give finite"),
    "rest NaN": (lambda: arm(elbow(rest=np.nan)), r"'elbow'.*rest \[nan\]; give finite numbers\."),
    "limits reversed": (
        lambda: arm(elbow(lower=1.0, upper=-1.0)),
        r"Joint 'elbow'.*limits \[1\.0\] to \[-1\.0\].*not above the upper",
    ),
    "limit NaN": (lambda: arm(elbow(lower=np.nan)), r"Joint 'elbow'.*limits \[nan\] to \[inf\].*inf for no limit"),
    "limit beyond all": (lambda: arm(elbow(lower=np.inf)), r"Joint 'elbow'.*limits \[inf\] to \[inf\]"),
    "limits too many": (lambda: elbow(lower=(1.0, 2.0)), r"Joint 'elbow' has lower of shape \(2,\).*each of its 1"),
    "gravity NaN": (lambda: arm(gravity=(0.0, np.nan, 0.0)), r"'test' has gravity \[0\.0, nan, 0\.0\]; give three"),
    "gravity a number": (lambda: arm(gravity=-9.81), r"'test' has gravity -9\.81; give three finite numbers"),
    "negative mass": (lambda: arm(link=body(mass=-1.0)), r"mass of link 'arm' of figure 'test' is -1\.0 kg.*marker"),
    "mass NaN": (lambda: arm(link=body(mass=np.nan)), r"mass of link 'arm'.*not finite: nan\. Give finite"),
    "tensor without mass": (lambda: arm(link=body(mass=0.0)), r"mass of link 'arm'.*0\.0 kg, not positive"),
    "triangle": (
        lambda: arm(link=body(tensor=np.diag([1.0, 1.0, 3.0]))),
        r"tensor of link 'arm'.*triangle inequality.*Check the units",
    ),
    "tensor not symmetric": (
        lambda: arm(link=body(tensor=np.eye(3) + np.eye(3, k=1))), r"tensor of link 'arm'.*not symmetric"
    ),
    "tensor negative": (lambda: arm(link=body(tensor=-np.eye(3))), r"tensor of link 'arm'.*not positive definite"),
    "tensor NaN": (lambda: arm(link=body(tensor=np.full((3, 3), np.nan))), r"tensor of link 'arm'.*not finite"),
    "centre NaN": (lambda: arm(link=body(centre=(0, 0, np.inf))), r"centre of link 'arm'.*not finite"),
    "centre NaN without mass": (
        lambda: arm(link=Link("arm", centre=np.full(3, np.nan))), r"centre of link 'arm'.*three finite numbers"
    ),
    "shape nowhere": (
        lambda: arm(link=body(shapes=(Shape("box", (1.0, 1.0, 1.0), NOWHERE),))), r"A box on link 'arm'.*not finite"
    ),
    "shape endless": (
        lambda: arm(link=body(shapes=(Shape("sphere", (np.inf,)),))), r"A sphere on link 'arm'.*size \(inf,\)"
    ),
    "massless leaf": (
        lambda: arm(link=Link("arm")),
        r"nothing with mass moves with elbow\. Give mass to a link beyond the joint.*armature to the joint, or lock",
    ),
    "axis zero": (lambda: elbow(axis=(0.0, 0.0, 0.0)), r"Joint 'elbow' has axis \[0\.0, 0\.0, 0\.0\]\. Give three"),
    "axis NaN": (lambda: elbow(axis=(0.0, np.nan, 1.0)), r"Joint 'elbow' has axis.*three finite numbers, not all zero"),
    "axis in the plane": (lambda: elbow(axis=(1.0, 0.0)), r"Joint 'elbow' has axis \[1\.0, 0\.0\]\. Give three"),
    "axis w": (
        lambda: elbow(axis="w"),
        r"Joint 'elbow' has axis 'w'\. Choose x, y, z, -x, -y, -z or give three numbers",
    ),
    "Euler order": (lambda: joints.Euler(name="hip", order="xxz"), r"Joint 'hip'.*'xxz'.*Orders: xyz, yzx"),
    "Euler order 3": (lambda: joints.Euler(name="hip", order=3), r"Joint 'hip' has Euler order '3'.*Orders: xyz"),
    "nothing in a composite": (
        lambda: joints.Composite(name="hip", parts=()),
        r"'hip'.*parts named \[\]. Give at least",
    ),
    "parts of one name": (
        lambda: joints.Composite(name="hip", parts=(elbow(), elbow())),
        r"'hip'.*\['elbow', 'elbow'\].*each with its own name",
    ),
    "part without name": (lambda: joints.Composite(name="hip", parts=(joints.Ball(),)), r"'hip'.*\[''\].*its own"),
    "part is no joint": (
        lambda: joints.Composite(name="hip", parts=("x",)),
        r"'hip' has a part that is not a joint: 'x'",
    ),
    "universal, skew": (
        lambda: joints.universal("wrist", "x", (1.0, 1.0, 0.0)),
        r"axes of universal joint 'wrist' are not perpendicular\. Use a composite",
    ),
    "no such link": (
        lambda: arm().link_index("am"),
        r"No link 'am' in figure 'test'\. Did you mean 'arm'\? Links: base",
    ),
    "no such joint": (
        lambda: arm().joint_index("elbw"),
        r"No joint 'elbw'.*Did you mean 'elbow'\? Joints: root, elbow",
    ),
    "no such marker": (lambda: arm().marker("m"), r"No marker 'm' in figure 'test'\. Markers: none"),
    "no such dof": (
        lambda: arm().dof_indices(["root.p"]),
        r"degree of freedom 'root\.p'.*Did you mean 'root\.p[xyz]'\? It has: root, elbow, root\.px",
    ),
    "no such number": (
        lambda: arm().with_numbers(["arm.mas"], [1.0]),
        r"No number 'arm\.mas'\. Did you mean 'arm\.mass'\? 'arm' has: arm\.mass \(1,\), arm\.centre \(3,\), "
        r"arm\.tensor \(6,\)",
    ),
    "no such entry": (lambda: arm().with_numbers(["arm.centre.3"], [1.0]), r"No number 'arm\.centre\.3'.*\.0, \.1"),
    "numbers too few": (lambda: arm().with_numbers(["arm.tensor"], [1.0]), r"got 1 values; slot 'arm\.tensor' needs"),
    "numbers too many": (
        lambda: arm().with_numbers(["arm.mass"], [1, 2]),
        r"got 2 values for 1 numbers in slots arm\.mass",
    ),
    "numbers checked": (lambda: arm().with_numbers(["arm.mass"], [-1.0]), r"mass of link 'arm'.*-1\.0 kg"),
}  # fmt: skip


@pytest.mark.parametrize("case", list(CASES))
def test_refused_by_name_with_the_next_step(case):
    make, message = CASES[case]
    kind = SingularError if "nothing with mass" in message else InputError
    with pytest.raises(kind, match=rf"(?s){message}") as caught:
        make()
    assert isinstance(caught.value, AnthropiError) and len(str(caught.value)) < 700


@pytest.mark.parametrize("count", [1, 40])
def test_what_can_be_is_accepted(count):
    """Massless links between joints (thesis 4.1), welded tools without mass, armature where nothing else moves."""
    at = spatial.Transform(np.eye(3), np.array([0.0, 0.0, -0.2]))
    parts = [("", joints.Weld(name="base"), Link("ground"))]
    for k in range(count):
        names = [f"{k}{a}" for a in "xyz"]
        parents = ["ground" if k == 0 else f"{k - 1}z", *names[:2]]
        for name, parent, axis in zip(names, parents, "xyz", strict=True):
            place = at if axis == "x" else spatial.identity()
            link = Link.of(name, BOX) if axis == "z" else Link(name)
            parts.append((parent, joints.Revolute(name=f"joint {name}", axis=axis, placement=place), link))
    parts.append((f"{count - 1}z", joints.Weld(name="tool joint"), Link("tool")))
    parts.append(("ground", joints.Revolute(name="rotor joint", armature=0.1), Link("rotor")))
    assert figure_from_parts("chain", parts).nu == 3 * count + 1
