"""Assemblies for the tests: every constraint with random features, bodies at random places, mechanisms people know."""

from itertools import pairwise

import numpy as np

from anthropi.constraints import mates
from anthropi.constraints.assembly import Assembly, Body
from anthropi.constraints.assembly.bodies import Cartesian
from anthropi.constraints.assembly.problem import Problem
from anthropi.constraints.assembly.solver import solve_assembly
from anthropi.constraints.mates import Axis, Direction, Frame, Plane, Point, Rod, Sphere


def vector(rng):
    return rng.normal(size=3)


def axis(body, rng):
    return Axis(body, vector(rng), vector(rng))


def frame(body, rng):
    return Frame(body, vector(rng), vector(rng), vector(rng))


def plane(body, rng):
    return Plane(body, vector(rng), vector(rng))


def point(body, rng):
    return Point(body, vector(rng))


def way(body, rng):
    return Direction(body, vector(rng))


CONSTRAINTS = {  # name: (a constraint between bodies "a" and "b", what it removes)
    "coincident": (lambda g: mates.Coincident(point("a", g), point("b", g)), 3),
    "on line": (lambda g: mates.OnLine(point("a", g), axis("b", g)), 2),
    "on plane": (lambda g: mates.OnPlane(point("a", g), plane("b", g)), 1),
    "beside plane": (lambda g: mates.OnPlane(point("a", g), plane("b", g), -0.7), 1),
    "concentric": (lambda g: mates.Concentric(axis("a", g), axis("b", g)), 4),
    "coplanar": (lambda g: mates.Coplanar(plane("a", g), plane("b", g), 0.4, "opposite"), 3),
    "in plane": (lambda g: mates.InPlane(axis("a", g), plane("b", g)), 2),
    "parallel": (lambda g: mates.Parallel(way("a", g), way("b", g)), 2),
    "parallel, same": (lambda g: mates.Parallel(way("a", g), way("b", g), "same"), 2),
    "parallel, opposite": (lambda g: mates.Parallel(way("a", g), way("b", g), "opposite"), 2),
    "perpendicular": (lambda g: mates.Perpendicular(way("a", g), way("b", g)), 1),
    "angle": (lambda g: mates.Angle(way("a", g), way("b", g), 0.6), 1),
    "distance": (lambda g: mates.Distance(point("a", g), point("b", g), 1.3), 1),
    "sphere on plane": (lambda g: mates.Tangent(Sphere("a", vector(g), 0.3), plane("b", g)), 1),
    "sphere on sphere": (lambda g: mates.Tangent(Sphere("a", vector(g), 0.3), Sphere("b", vector(g), 0.5)), 1),
    "sphere in sphere": (lambda g: mates.Tangent(Sphere("a", vector(g), 0.3), Sphere("b", vector(g), 0.5), True), 1),
    "rod on sphere": (lambda g: mates.Tangent(Rod("a", vector(g), vector(g), 0.3), Sphere("b", vector(g), 0.5)), 1),
    "plane on rod": (lambda g: mates.Tangent(plane("a", g), Rod("b", vector(g), vector(g), 0.3)), 2),
    "rod on rod": (lambda g: mates.Tangent(Rod("a", *g.normal(size=(2, 3)), 0.3), Rod("b", *g.normal(size=(2, 3)))), 3),
    "equal orientation": (lambda g: mates.EqualOrientation(frame("a", g), frame("b", g)), 3),
    "fixed": (lambda g: mates.Fixed(frame("a", g), frame("b", g)), 6),
    "ball": (lambda g: mates.Ball(point("a", g), point("b", g)), 3),
    "hinge": (lambda g: mates.Hinge(axis("a", g), axis("b", g)), 5),
    "slider": (lambda g: mates.Slider(frame("a", g), frame("b", g)), 5),
    "cylinder": (lambda g: mates.Cylinder(axis("a", g), axis("b", g)), 4),
    "universal": (lambda g: mates.Universal(axis("a", g), axis("b", g)), 4),
    "constant velocity": (lambda g: mates.ConstantVelocity(frame("a", g), frame("b", g)), 4),
    "planar": (lambda g: mates.Planar(plane("a", g), plane("b", g)), 3),
    "screw": (lambda g: mates.Screw(frame("a", g), frame("b", g), 0.2, 0.1), 5),
}


def gears(rng):
    """A wheel, another, and a rack, all on body "a": hinges, a slider, teeth and rack."""
    one, two = mates.Hinge(frame("a", rng), frame("b", rng)), mates.Hinge(frame("a", rng), frame("c", rng))
    slider = mates.Slider(frame("a", rng), frame("d", rng))
    return [one, two, slider, mates.Gear(one, two, (17, -40), 0.3), mates.Rack(one, slider, 0.25, 0.1)]


def limited_gears(rng):
    """The same with limits of the second wheel and of the rack."""
    parts = gears(rng)
    return [*parts, mates.Limit(parts[1], -3.0, 3.0), mates.Limit(parts[2], upper=2.5, name="rack end")]


def scattered(names, rng, fixed=()):
    """Bodies at random places."""
    return [Body(name, vector(rng), rng.normal(size=4), fixed=name in fixed) for name in names]


def solved_states(constraints, names, rng, count):
    """Random states of free bodies that meet constraints, with the problem they belong to."""
    problem = Problem(Cartesian(scattered(names, rng), 1.0), constraints)
    for _ in range(count):
        start = np.array([[*b.position, *b.quaternion] for b in scattered(names, rng)])
        ended = solve_assembly(problem, start, 1e-12)
        assert ended.solved
        yield problem, ended.x


def rank(J, tolerance=1e-5):
    """Numeric rank of rows brought to unit length; and how far the least independent one is from the others."""
    J = J / np.linalg.norm(J, axis=1, keepdims=True)
    values = np.linalg.svd(J, compute_uv=False)
    return int((values > tolerance).sum())


def four_bar(crank=1.0, coupler=2.0, rocker=2.0, ground=2.5, spread=1):
    """Four hinges with parallel axes in space: 20 equations, of which three repeat the others."""
    rng = np.random.default_rng(spread)
    bodies = [Body("ground", fixed=True), *scattered(("crank", "coupler", "rocker"), rng)]
    hinges = [
        mates.Hinge(Axis("ground"), Axis("crank"), name="A"),
        mates.Hinge(Axis("crank", (crank, 0.0, 0.0)), Axis("coupler"), name="B"),
        mates.Hinge(Axis("coupler", (coupler, 0.0, 0.0)), Axis("rocker", (rocker, 0.0, 0.0)), name="C"),
        mates.Hinge(Axis("ground", (ground, 0.0, 0.0)), Axis("rocker"), name="D"),
    ]
    return Assembly(bodies, hinges, name="four-bar")


def chain(links, rng, kinds=("hinge",)):
    """A chain of bodies with joints of these kinds in turn, far from assembled; its first body is fixed."""
    names = [f"link {i}" for i in range(links + 1)]
    make = {
        "hinge": lambda a, b: mates.Hinge(axis(a, rng), axis(b, rng)),
        "ball": lambda a, b: mates.Ball(point(a, rng), point(b, rng)),
        "slider": lambda a, b: mates.Slider(frame(a, rng), frame(b, rng)),
        "universal": lambda a, b: mates.Universal(axis(a, rng), axis(b, rng)),
    }
    joints = [make[kinds[k % len(kinds)]](a, b) for k, (a, b) in enumerate(pairwise(names))]
    return Assembly(scattered(names, rng, names[:1]), joints, name="chain")


def worst(solved):
    """The largest residual of a solved assembly [m or rad]."""
    return max((value for value, _ in solved.residuals.values()), default=0.0)
