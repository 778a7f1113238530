"""Figures and paths with a joint of every family in the middle, and derivatives of them in extended precision."""

import numpy as np

from anthropi.constraints.primitives import Angle, Direction, Distance, Dot1, Dot2, Point
from anthropi.constraints.recursion import Connection, connection, poses
from anthropi.figure import Ball, Figure, Link, Revolute, figure_from_parts
from anthropi.tape import record
from oracle.extended import difference
from unit.figure.families import place


def figure_with(joint, rng) -> Figure:
    """A tree: ball, then the joint, then a hinge; and a hinge beside it."""
    body = lambda name: Link(name, 1.0, tensor=np.eye(3))  # noqa: E731
    return figure_from_parts("chain", [
        ("", Ball(name="base", placement=place(rng)), body("a")),
        ("a", joint.changed(name="joint", placement=place(rng)), body("b")),
        ("b", Revolute(name="end", axis=(1.0, 2.0, 3.0), placement=place(rng)), body("c")),
        ("a", Revolute(name="side", axis=(1.0, -2.0, 3.0), placement=place(rng)), body("d")),
    ])  # fmt: skip


def primitives(rng) -> dict:
    """Every kind, between branches, along a branch and to the world, by name."""
    v = lambda: rng.normal(size=3)  # noqa: E731
    return {
        "dot-1": Dot1(Direction("c", v()), Direction("d", v()), 0.2),
        "angle": Angle(Direction("c", v()), Direction("", v()), 0.7),
        "dot-2": Dot2(Direction("c", v()), Point("c", v()), Point("d", v())),
        "dot-2, v on j": Dot2(Direction("d", v()), Point("c", v()), Point("d", v())),
        "dot-2, v on a third": Dot2(Direction("b", v()), Point("c", v()), Point("", v()), 0.4),
        "coordinate": Dot2(Direction("", (0.0, 0.0, 1.0)), Point("", v()), Point("c", v())),
        "dist": Distance(Point("c", v()), Point("d", v()), 1.3),
        "dist along": Distance(Point("a", v()), Point("c", v()), 0.5),
    }


class Path:
    """A path of three joints, each with frames of its own on both bodies (a figure has the joint's on the child)."""

    def __init__(self, joint, rng):
        self.joints = [Ball(name="first"), joint, Revolute(name="last", axis=(0.0, 0.6, 0.8))]
        self.frames = [(place(rng), place(rng)) for _ in self.joints]
        self.q = np.concatenate([j.random(rng) for j in self.joints])
        self.cuts = np.cumsum([0, *(j.nq for j in self.joints)])
        self.places = np.cumsum([0, *(j.nu for j in self.joints)])

    def connections(self, q, by="coordinates") -> list[Connection]:
        """The path at these coordinates."""
        ends = self.cuts if by == "coordinates" else self.places
        return [
            connection(
                j, q[self.cuts[k] : self.cuts[k + 1]], *self.frames[k], slice(ends[k], ends[k + 1]), ends[-1], by
            )
            for k, j in enumerate(self.joints)
        ]

    def poses(self, q):
        """Attitude and origin of the last body."""
        chain = []
        for j, a, b, (here, back) in zip(self.joints, self.cuts, self.cuts[1:], self.frames, strict=False):
            frames = here.rotation, here.origin, back.rotation, back.origin
            chain.append(Connection(j.transform(q[a:b]), (), (), *frames, slice(0, 0), 0))
        A, r = poses(chain)
        return A[-1], r[-1]

    def rates(self, q) -> np.ndarray:
        """F (nq, nu): q' = F u."""
        units = np.eye(self.places[-1])
        return np.stack([
            np.concatenate([j.rate(q[a:b], e[c:d]) for j, a, b, c, d in zip(
                self.joints, self.cuts, self.cuts[1:], self.places, self.places[1:], strict=False)])
            for e in units
        ], axis=1)  # fmt: skip


def slopes(function, q, directions) -> np.ndarray:
    """How a function of q changes along directions (k, nq), flat, one column a direction; in 50 digits."""
    tape = record(function, q=np.zeros(len(q)))
    return np.stack([difference(tape, q, d) for d in directions], axis=1)
