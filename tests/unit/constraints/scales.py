"""Random assemblies that are solvable by construction, of any size, with bodies scattered over any distance."""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform
from anthropi.constraints import mates
from anthropi.constraints.assembly import Assembly, Body
from anthropi.constraints.mates import Axis, Direction, Frame, Plane, Point

DECADES = (-3.0, 3.0)  # powers of ten of size and distance [m]
KINDS = ("ball", "hinge", "slider", "cylinder", "universal", "planar", "fixed", "distance", "angle", "on plane",
         "on line", "parallel", "perpendicular")  # fmt: skip


def random_rotation(rng):
    q = rng.normal(size=4)
    return rot.matrix_from_quaternion(q / np.linalg.norm(q))


def about(axis, angle):
    return rot.matrix_from_rotation_vector(angle * np.asarray(axis, float))


def joint(kind, a, b, place_a, place_b, size, rng):
    """A constraint of this kind between two bodies that holds at their places."""
    F = Transform(random_rotation(rng), place_a.origin + size * rng.normal(size=3))  # frame of side a, in the world
    slide, turn = size * rng.normal(), rng.uniform(-np.pi, np.pi)
    z, x = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
    moved = {
        "ball": (random_rotation(rng), 0.0), "hinge": (about(z, turn), 0.0), "slider": (np.eye(3), slide),
        "cylinder": (about(z, turn), slide), "universal": (about(z, turn) @ about(x, np.pi / 2), 0.0),
        "planar": (about(z, turn), 0.0), "fixed": (np.eye(3), 0.0), "on line": (random_rotation(rng), slide),
    }.get(kind, (random_rotation(rng), slide))  # fmt: skip
    G = F @ Transform(moved[0], np.array([0.0, 0.0, moved[1]]))
    if kind in ("planar", "on plane"):
        G = F @ Transform(moved[0], np.array([*(size * rng.normal(size=2)), 0.0]))
    one, two = place_a.inverse() @ F, place_b.inverse() @ G
    p, q, u, v = one.origin, two.origin, one.rotation[:, 2], two.rotation[:, 2]
    if kind == "universal":
        return mates.Universal(Axis(a, p, u), Axis(b, q, v))
    if kind == "distance":
        return mates.Distance(Point(a, p), Point(b, q), float(np.linalg.norm(F.origin - G.origin)) or size)
    if kind == "angle":
        return mates.Angle(Direction(a, u), Direction(b, v), float(np.arccos(F.rotation[:, 2] @ G.rotation[:, 2])))
    if kind == "perpendicular":
        across = np.cross(F.rotation[:, 2], rng.normal(size=3))
        return mates.Perpendicular(Direction(a, u), Direction(b, place_b.rotation.T @ across))
    if kind == "parallel":
        return mates.Parallel(Direction(a, u), Direction(b, place_b.rotation.T @ F.rotation[:, 2]), "same")
    frames = Frame(a, p, u, one.rotation[:, 0]), Frame(b, q, v, two.rotation[:, 0])
    axes = Axis(a, p, u), Axis(b, q, v)
    return {
        "ball": lambda: mates.Ball(Point(a, p), Point(b, q)),
        "hinge": lambda: mates.Hinge(*axes),
        "slider": lambda: mates.Slider(*frames),
        "cylinder": lambda: mates.Cylinder(*axes),
        "planar": lambda: mates.Planar(Plane(a, p, u), Plane(b, q, v)),
        "fixed": lambda: mates.Fixed(*frames),
        "on plane": lambda: mates.OnPlane(Point(b, q), Plane(a, p, u)),
        "on line": lambda: mates.OnLine(Point(b, q), axes[0]),
    }[kind]()


def assembly(seed, closed):
    """An assembly of 2 to 8 bodies, a tree of joints, or a tree and one to three joints that close loops.

    The first body is fixed where it belongs; the others start anywhere within the distance.
    """
    rng = np.random.default_rng([seed, closed])
    size, distance = 10.0 ** rng.uniform(*DECADES, size=2)
    bodies = int(rng.integers(2, 6 if closed else 9))
    places = [Transform(random_rotation(rng), size * rng.normal(size=3)) for _ in range(bodies)]
    pairs = [(int(rng.integers(i)), i) for i in range(1, bodies)]
    if closed:
        pairs += [tuple(rng.choice(bodies, 2, replace=False)) for _ in range(int(rng.integers(1, 4)))]
    held = [joint(KINDS[rng.integers(len(KINDS))], f"b{i}", f"b{j}", places[i], places[j], size, rng) for i, j in pairs]
    first = Body("b0", places[0].origin, rot.quaternion_from_matrix(places[0].rotation), fixed=True)
    start = [Body(f"b{i}", distance * rng.normal(size=3), rng.normal(size=4)) for i in range(1, bodies)]
    return Assembly([first, *start], held), size, distance
