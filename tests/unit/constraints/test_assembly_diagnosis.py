"""Redundant and contradictory systems are diagnosed by name: constructed cases, from starts at random."""

import numpy as np
import pytest

from anthropi.constraints import mates
from anthropi.constraints.assembly import Assembly, Body
from anthropi.constraints.mates import Axis, Direction, Frame, Plane, Point, Rod, Sphere
from anthropi.errors import AssemblyError
from unit.constraints.assemblies import four_bar, scattered

O, X, Y, Z = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def on(base, *constraints, more=("a", "b", "c"), seed=0):
    """Constraints between a fixed body "base" and bodies somewhere."""
    rng = np.random.default_rng(seed)
    used = {f.body for c in constraints for p in c.primitives() for f in p.features()}
    return Assembly([Body(base, fixed=True), *scattered([n for n in more if n in used], rng)], constraints)


def hinge(name, a, p, b, q, along=Z):
    return mates.Hinge(Axis(a, p, along), Axis(b, q, along), name=name)


def distance(name, a, p, b, q, d):
    return mates.Distance(Point(a, p), Point(b, q), d, name=name)


def parallel(name, a, u, b, v, sense="either"):
    return mates.Parallel(Direction(a, u), Direction(b, v), sense, name=name)


def square(name, a, u, b, v):
    return mates.Perpendicular(Direction(a, u), Direction(b, v), name=name)


REDUNDANT = {  # name: (assembly, {constraint: equations it repeats}, constraints it repeats, freedom left)
    "the same twice": (
        lambda: on("base", *(mates.Coincident(Point("base", X), Point("a", Y), name=n) for n in ("one", "two"))),
        {"two": 3}, {"one"}, 3),
    "a door on two hinges": (
        lambda: on("base", hinge("low", "base", O, "a", O), hinge("high", "base", Z, "a", Z)),
        {"high": 5}, {"low"}, 1),
    "a four-bar in space": (four_bar, {"D": 3}, {"A", "B", "C"}, 1),
    "a distance within a body that is fixed": (
        lambda: on("base", mates.Fixed(Frame("base", X), Frame("a"), name="bolt"),
                   distance("gauge", "base", O, "a", Y, 2**0.5)),
        {"gauge": 1}, {"bolt"}, 0),
    "three pairs of parallel planes": (
        lambda: on("base", mates.Coplanar(Plane("base"), Plane("a"), name="ab"),
                   mates.Coplanar(Plane("a"), Plane("b"), name="bc"),
                   mates.Coplanar(Plane("base"), Plane("b"), name="ac")),
        {"ac": 3}, {"ab", "bc"}, 6),
    "a ball in a hinge": (
        lambda: on("base", hinge("hinge", "base", O, "a", O),
                   mates.Ball(Point("base", Z), Point("a", Z), name="ball")),
        {"ball": 3}, {"hinge"}, 1),
    "a slider that also points": (
        lambda: on("base", mates.Slider(Frame("base"), Frame("a"), name="slider"),
                   parallel("level", "base", X, "a", X)),
        {"level": 2}, {"slider"}, 1),
    "three right angles": (
        lambda: on("base", parallel("z", "base", Z, "a", Z), parallel("x", "base", X, "a", X),
                   square("xy", "base", X, "a", Y)),
        {"x": 1, "xy": 1}, {"z", "x"}, 3),
    "a wheel too many": (
        lambda: _gear_train(), {"C": 1}, {"A", "B"}, 1),
    "a cylinder in a tube and on two planes": (
        lambda: on("base", mates.Concentric(Axis("base"), Axis("a"), name="tube"),
                   mates.InPlane(Axis("a"), Plane("base", O, X), name="wall"),
                   mates.OnPlane(Point("a"), Plane("base"), name="floor")),
        {"wall": 2}, {"tube"}, 1),
}  # fmt: skip


def _gear_train():
    """Two wheels and an idler between them: the third mesh follows from the other two."""
    hinges = [hinge(f"h{k}", "base", (k, 0, 0), body, O) for k, body in enumerate("abc")]
    a, b, c = hinges
    return on("base", *hinges, mates.Gear(a, b, (10, -20), name="A"), mates.Gear(b, c, (20, -40), name="B"),
              mates.Gear(a, c, (10, -40), name="C"))  # fmt: skip


CONFLICTS = {  # name: (assembly, the constraints that cannot hold together)
    "two lengths of one rod": (
        lambda: on("base", distance("short", "base", X, "a", Y, 1.0), distance("long", "base", X, "a", Y, 1.1)),
        {"short", "long"}),
    "a triangle that does not close": (
        lambda: on("base", distance("ab", "base", O, "a", O, 1.0), distance("bc", "a", O, "b", O, 1.0),
                   distance("ac", "base", O, "b", O, 3.0), square("level", "base", Z, "a", X)),
        {"ab", "bc", "ac"}),
    "hinges of a door that do not match": (
        lambda: on("base", hinge("low", "base", O, "a", O), hinge("high", "base", Z, "a", (0, 0, 1.2)),
                   parallel("level", "base", Z, "b", Z)),
        {"low", "high"}),
    "parallel and square": (
        lambda: on("base", parallel("along", "base", X, "a", Y), square("across", "base", X, "a", Y)),
        {"along", "across"}),
    "two angles": (
        lambda: on("base", mates.Angle(Direction("base", X), Direction("a", X), 0.5, name="half"),
                   mates.Angle(Direction("base", X), Direction("a", X), 0.6, name="more"),
                   mates.Coincident(Point("base"), Point("a"), name="place")),
        {"half", "more"}),
    "bolted in two places": (
        lambda: on("base", mates.Fixed(Frame("base"), Frame("a"), name="here"),
                   mates.Fixed(Frame("base", X), Frame("a"), name="there")),
        {"here", "there"}),
    "a four-bar whose rods are too short": (lambda: four_bar(1.0, 0.2, 0.3, 2.5), {"A", "B", "C", "D"}),
    "on a plane and above it": (
        lambda: on("base", mates.Coplanar(Plane("base"), Plane("a"), name="on"),
                   mates.OnPlane(Point("a"), Plane("base"), 1.0, name="above"), square("level", "base", X, "b", X)),
        {"on", "above"}),
    "the same way and against it": (
        lambda: on("base", parallel("with", "base", X, "a", X, "same"),
                   parallel("against", "base", X, "a", X, "opposite")),
        {"with", "against"}),
    "a ball too large for its tube": (
        lambda: on("base", mates.Tangent(Sphere("a", radius=0.5), Rod("base", radius=0.4), inside=True, name="touch"),
                   mates.OnLine(Point("a"), Axis("base"), name="middle")),
        {"touch", "middle"}),
    "a screw that may slide but not turn": (
        lambda: on("base", mates.Screw(Frame("base"), Frame("a"), 0.05, name="screw"),
                   mates.Slider(Frame("base"), Frame("a"), name="slider"),
                   mates.OnPlane(Point("a"), Plane("base"), 0.1, name="stop")),
        {"screw", "slider", "stop"}),
    "three sides of a corner": (
        lambda: on("base", square("x", "base", X, "a", X), square("y", "base", Y, "a", X),
                   square("z", "base", Z, "a", X), parallel("level", "base", X, "b", X)),
        {"x", "y", "z"}),
}  # fmt: skip


@pytest.mark.parametrize("name", REDUNDANT)
def test_redundant(name):
    make, repeats, others, freedom = REDUNDANT[name]
    solved = make().solve()
    assert {r.name: r.repeats for r in solved.redundant} == repeats
    assert {n for r in solved.redundant for n in r.others} - set(repeats) <= others
    assert any(r.others for r in solved.redundant) and solved.freedom == freedom and solved.singular == 0
    for r in solved.redundant:
        assert str(r) in solved.explain()


@pytest.mark.parametrize("name", CONFLICTS)
def test_conflicting(name):
    make, wanted = CONFLICTS[name]
    with pytest.raises(AssemblyError) as caught:
        make().solve(restarts=30)
    assert set(caught.value.conflicting) == wanted
    assert all(f"'{n}'" in str(caught.value) for n in wanted) and "No solution of" in str(caught.value)
    proven = name != "a screw that may slide but not turn"  # its angle is not a polynomial of the positions
    assert bool(caught.value.proof) == proven and ("cannot hold" in str(caught.value)) == proven
    assert proven or "no proof that there is none" in str(caught.value)


def test_a_smallest_set_has_a_solution_when_any_of_it_is_left_out():
    for make, wanted in CONFLICTS.values():
        assembly = make()
        for name in wanted:
            rest = [c for c in assembly.constraints if c.name != name]
            Assembly(assembly.bodies, rest).solve()


def test_twenty_cases():
    assert len(REDUNDANT) + len(CONFLICTS) >= 20


def test_a_singular_position_is_no_redundancy():
    flat = four_bar(1.0, 1.0, 1.0, 3.0).solve()  # stretched out: it cannot move, but for an instant
    assert flat.singular == 1 and flat.freedom == 2 and "exist only here" in flat.explain()
    assert {r.name: r.repeats for r in flat.redundant} == {"D": 3}
    rod = on(
        "base",
        distance("one", "base", O, "a", O, 1.0),
        distance("two", "base", (2, 0, 0), "a", O, 1.0),
    )
    touching = rod.solve()  # spheres that touch: both are needed, though their gradients are one
    assert touching.singular == 1 and not touching.redundant


def test_constraints_between_bodies_that_rest():
    bodies = [Body("base", fixed=True), Body("wall", X, fixed=True), Body("a")]
    held = [distance("good", "base", O, "wall", O, 1.0)]
    solved = Assembly(bodies, held).solve()
    assert solved.freedom == 6 and [r.name for r in solved.redundant] == ["good"]
    with pytest.raises(AssemblyError, match="'bad' cannot hold") as caught:
        Assembly(bodies, [*held, distance("bad", "base", O, "wall", O, 2.0)]).solve()
    assert caught.value.conflicting == ("bad",)
