"""Random figures with every joint there is, and the same figures in Pinocchio and MuJoCo.

A seed says everything: `figure(seed)` is the same on every machine. Each joint becomes a row of *steps* the peers know,
hinge, slide, ball, free or screw, each with its coordinate and the rows B of its velocity in ours: u_peer = B u,
u_peer' = B u' + B' u, J = J_peer B, J' = J_peer' B + J_peer B'. Attitudes go through SciPy, not through our algebra.
"""

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from anthropi.algebra.spatial import Transform
from anthropi.figure import (
    JOINTS,
    Ball,
    Composite,
    Cylindrical,
    Euler,
    Exponential,
    Figure,
    Free,
    Helical,
    Link,
    Locked,
    Planar,
    Prismatic,
    Revolute,
    Translational,
    Weld,
    universal,
)

ORDERS = ("xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz")
OTHERS = ("euler", "composite", "custom")  # in other words, or unknown to the peers
FAMILIES = (*(k for k in JOINTS if k not in OTHERS), *(f"euler {o}" for o in ORDERS), "universal", "composite")


def rng_of(*words) -> np.random.Generator:
    """A generator for these words, the same on every machine."""
    return np.random.default_rng(zlib.crc32(" ".join(map(str, words)).encode()))


def figure(seed: int, links: int | None = None, families=FAMILIES, in_turn=False, checked=False) -> Figure:
    """A random tree of 2 to 60 links; every third has a floating base. Masses are real bodies.

    families : which joints there are, at random or, past the root, `in_turn`.
    """
    rng = rng_of("figure", seed)
    n = links or int(rng.integers(2, 61))
    joints: list = [Free(name="j0") if seed % 3 == 0 else joint("j0", rng, families)]
    parent = [-1]
    for i in range(1, n):
        parent.append(i - 1 if rng.uniform() < 0.6 else int(rng.integers(0, i)))
        joints.append(joint(f"j{i}", rng, (families[(i - 1) % len(families)],) if in_turn else families))
    bodies = [body(f"l{i}", rng) for i in range(n)]
    return Figure(f"random {seed}", bodies, joints, parent, gravity=rng.normal(size=3), checked=checked)


def state(fig: Figure, seed: int):
    """q, u, u' of a figure."""
    rng = rng_of("state", seed)
    return fig.random(rng), rng.normal(size=fig.nu), rng.normal(size=fig.nu)


def family(j) -> str:
    """What a joint counts as."""
    if j.kind == "euler":
        return f"euler {j.order}"
    hooke = j.kind == "composite" and [p.name for p in j.parts] == ["1", "2"]
    return "universal" if hooke else j.kind


def body(name: str, rng) -> Link:
    """Eight points of mass: a body that can exist."""
    points, masses = rng.uniform(-0.2, 0.2, (8, 3)), rng.uniform(0.05, 0.5, 8)
    centre = masses @ points / masses.sum()
    d = points - centre
    tensor = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, d, strict=True))
    return Link(name, masses.sum(), centre, tensor)


def place(rng) -> Transform:
    """Anywhere near, turned any way, or not turned at all."""
    turn = Rotation.from_quat(rng.normal(size=4)).as_matrix() if rng.uniform() < 0.7 else np.eye(3)
    return Transform(turn, rng.uniform(-0.3, 0.3, 3))


def axis(rng):
    """Any axis, or one of the six simple ones."""
    return rng.normal(size=3) if rng.uniform() < 0.6 else ("x", "y", "z", "-x", "-y", "-z")[rng.integers(6)]


def joint(name: str, rng, families=FAMILIES):
    """A joint of a random family at a random place."""
    kind = families[rng.integers(len(families))]
    at = dict(name=name, placement=place(rng))
    if kind.startswith("euler"):
        return Euler(order=kind[-3:], **at)
    if kind == "universal":
        first, second = Rotation.from_quat(rng.normal(size=4)).as_matrix()[:2]
        return universal(name, first, second, placement=at["placement"])
    if kind == "composite":
        simple = [f for f in FAMILIES if f not in ("composite", "locked")]
        parts = tuple(joint(f"p{k}", rng, simple) for k in range(rng.integers(2, 4)))
        return Composite(parts=parts, **at)
    if kind == "locked":
        inner = joint(name, rng, [f for f in FAMILIES if f not in ("locked", "weld")])
        return Locked(name=name, placement=inner.placement, joint=inner, at=inner.random(rng))
    if kind in ("revolute", "prismatic", "cylindrical"):
        return {"revolute": Revolute, "prismatic": Prismatic, "cylindrical": Cylindrical}[kind](axis=axis(rng), **at)
    if kind == "helical":
        return Helical(axis=axis(rng), pitch=rng.uniform(-0.2, 0.2), **at)
    plain = {"weld": Weld, "planar": Planar, "translational": Translational, "ball": Ball, "exponential": Exponential,
             "free": Free}  # fmt: skip
    return plain[kind](**at)


# steps that peers know


@dataclass
class Step:
    """One joint of a peer: placed in the one before, with its coordinate, and its velocity's rows in ours."""

    place: Transform
    kind: str  # hinge, slide, screw: q (1,); ball: w x y z; free: p, w x y z
    axis: Any = None
    pitch: float = 0.0
    q: Any = None
    B: Any = None  # (nu of the step, nu of the joint)


UNITS = np.eye(3)
HERE = Transform(np.eye(3), np.zeros(3))


def steps(j, q) -> list[Step]:
    """A joint as a row of steps; the first carries the joint's own placement."""
    rows, found = np.eye(j.nu), []

    def add(kind, coordinate, B, axis=None, pitch=0.0):
        found.append(Step(HERE, kind, axis, pitch, np.atleast_1d(coordinate), B))

    if j.kind in ("revolute", "prismatic", "helical"):
        names = {"revolute": "hinge", "prismatic": "slide", "helical": "screw"}
        add(names[j.kind], q, rows, j.axis, getattr(j, "pitch", 0.0))
    elif j.kind == "cylindrical":
        add("slide", q[0], rows[:1], j.axis)
        add("hinge", q[1], rows[1:], j.axis)
    elif j.kind in ("planar", "translational"):
        for k in range(2 if j.kind == "planar" else 3):
            add("slide", q[k], rows[k : k + 1], UNITS[k])
        if j.kind == "planar":
            add("hinge", q[2], rows[2:], UNITS[2])
    elif j.kind == "ball":
        add("ball", q, rows)
    elif j.kind == "exponential":
        add("ball", Rotation.from_rotvec(q).as_quat(scalar_first=True), rows)
    elif j.kind == "euler":
        for k, letter in enumerate(j.order):
            add("hinge", q[k], rows[k : k + 1], UNITS["xyz".index(letter)])
    elif j.kind == "free":
        add("free", q, rows)
    elif j.kind == "composite":
        at_q = at_u = 0
        for part in j.parts:
            for step in steps(part, q[at_q : at_q + part.nq]):
                step.B = step.B @ rows[at_u : at_u + part.nu]
                found.append(step)
            at_q, at_u = at_q + part.nq, at_u + part.nu
    elif j.kind == "locked":
        found = steps(j.joint.changed(placement=HERE), np.asarray(j.at))
        for step in found:
            step.B = np.zeros((len(step.B), 0))
    else:
        assert j.kind == "weld", j.kind
    if not found:
        found = [Step(HERE, "none", B=np.zeros((0, j.nu)))]
    found[0].place = j.placement @ found[0].place
    return found


def all_steps(fig: Figure, q):
    """(link, its steps with B in all of u) outward."""
    for i, _, j in fig.outward():
        own = steps(j, q[fig.q_of[i]])
        everything = np.eye(fig.nu)[fig.u_of[i]]
        for step in own:
            step.B = step.B @ everything
        yield i, own
