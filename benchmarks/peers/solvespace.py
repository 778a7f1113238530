"""The systems of Table 2 in SolveSpace, through py-slvs: the peer of the attitude solver. Floats only.

A point or direction of the body is a fixed one behind a transformation with the four unknowns q; a normal of the same
four adds p · p = 1. dot-1 is "perpendicular", angle "angle", distance "distance of points", dot-2 "projected distance"
0 along a line. SolveSpace fares better when directions rest and points move, so a system whose directions are on the
body is given to it the other way round: the world turns, by the conjugate.
"""

import math

import numpy as np

from anthropi.constraints.primitives import Angle, Distance, Dot1, Dot2
from anthropi.errors import InputError, MissingExtra

__all__ = ["CODES", "solve", "version"]

CODES = {0: "ok", 1: "inconsistent", 2: "did not converge", 3: "too many unknowns", 5: "redundant, satisfied"}
CONJUGATE = np.array([1.0, -1.0, -1.0, -1.0])


def version() -> str:
    """Which py-slvs is installed; an error with the extra's name if none is."""
    from importlib import metadata

    try:
        return metadata.version("py-slvs")
    except metadata.PackageNotFoundError:
        raise MissingExtra("py-slvs", "dev", "Comparing with SolveSpace") from None


def solve(constraints, q0) -> tuple[int, np.ndarray]:
    """SolveSpace's code, and its q (4,), from a unit q0 (4,)."""
    version()
    from py_slvs import slvs

    turned = any(isinstance(c, Dot2) and c.v.body for c in constraints)
    start = q0 * CONJUGATE if turned else q0
    made = _Sketch(slvs.System(), start, turned)
    for c in constraints:
        made.add(c)
    code = made.system.solve(group=2)
    q = np.array([made.system.getParam(h).val for h in made.q])
    return code, q * CONJUGATE if turned else q


class _Sketch:
    """A system being built: what is fixed in group 1, what is sought in group 2."""

    def __init__(self, system, q0, turned: bool):
        self.system, self.turned = system, turned
        self.zero = system.addParamV(0.0, 1)
        self.q = [system.addParamV(float(x), 2) for x in q0]
        system.addNormal3d(*self.q, group=2)

    def moves(self, body: str) -> bool:
        return bool(body) != self.turned

    def point(self, body: str, at):
        fixed = self.system.addPoint3dV(*(float(x) for x in at), group=1)
        if not self.moves(body):
            return fixed
        return self.system.addTransform(fixed, self.zero, self.zero, self.zero, *self.q, group=2)

    def line(self, direction):
        ends = self.point(direction.body, (0.0, 0.0, 0.0)), self.point(direction.body, direction.along)
        return self.system.addLineSegment(*ends, group=2 if self.moves(direction.body) else 1)

    def add(self, c) -> None:
        if isinstance(c, Angle):
            self.system.addAngle(math.degrees(c.angle), False, self.line(c.u), self.line(c.v), group=2)
        elif isinstance(c, Dot1):
            self.system.addPerpendicular(self.line(c.u), self.line(c.v), group=2)
        elif isinstance(c, Distance):
            ends = self.point(*c.start), self.point(*c.end)
            self.system.addPointsDistance(float(c.distance), *ends, group=2)
        elif isinstance(c, Dot2):
            ends = self.point(*c.start), self.point(*c.end)
            self.system.addPointsProjectDistance(0.0, *ends, self.line(c.v), group=2)
        else:
            raise InputError(f"SolveSpace has no '{c.name}' here. Give dot-1, dot-2, angle or distance.")
