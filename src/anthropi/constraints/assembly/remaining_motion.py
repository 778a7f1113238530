"""Remaining motions of an assembly: relative motions of bodies, described in words. Plain floats only.

P = 1 - Qᵀ Q projects onto the motions that the constraints allow (analysis.py). With the twists T_b = [v/L; ω] of body
b at a point p, for each unknown:

    groups          bodies b, c move together if T_b P T_cᵀ is not zero; its rank over all: their freedom     (1)
    relative        T = T_b - T_a,  M = T P Tᵀ (6, 6):  freedom = rank M, with the twists R = range M         (2)
    translations    the part of R without ω: rank M less rank of the ω-part                                   (3)
    a rotation      direction ω, pitch ω·v/ω·ω, axis through p + ω × v/ω·ω                                    (4)
    about a point   one c with v = -ω × (c - p) for all of R                                                  (5)
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.constraints.primitives import Point

__all__ = ["Group", "RemainingMotion", "remaining_motions"]

RELATIVE_TOLERANCE = 1e-5  # for directions, and for lengths relative to the size of the assembly


class RemainingMotion(NamedTuple):
    """Remaining motion of a body relative to another body, `against`.

    freedom : number of degrees of freedom. words : description of the motion.
    """

    body: str
    against: str
    freedom: int
    words: str

    def __str__(self) -> str:
        return f"{self.body} {self.words}, relative to {self.against or 'the world'}"


class Group(NamedTuple):
    """Bodies that move together: their total degrees of freedom, and their motions relative to neighbours."""

    bodies: tuple[str, ...]
    freedom: int
    motions: tuple[RemainingMotion, ...]

    def __str__(self) -> str:
        if len(self.motions) == 1:
            return f"{self.motions[0]}."
        degrees = "degree" if self.freedom == 1 else "degrees"
        each = "; ".join(str(m) for m in self.motions)
        return f"{_listed(self.bodies)} move together with {self.freedom} {degrees} of freedom: {each}."


def remaining_motions(coordinates: Any, x: Any, basis: Any, constraints: Any) -> tuple[Group, ...]:
    """Return the remaining motions at a solution x. basis : Q, orthonormal rows of the constraints (rank, n)."""
    scene = _Scene(coordinates, x, basis)
    pairs = _pairs(coordinates.names, constraints, scene.moving)
    found = []
    for members, freedom in scene.groups():
        names = [coordinates.names[i] for i in members]
        motions = [scene.relative(pair, several) for pair, several in pairs.items() if pair[0] in names]
        found.append(Group(tuple(names), freedom, tuple(m for m in motions if m.freedom)))
    return tuple(found)


class _Scene:
    """Poses of the bodies at a solution, and the motions that the constraints allow."""

    def __init__(self, coordinates: Any, x: Any, basis: Any) -> None:
        self.names, self.size = coordinates.names, coordinates.size
        self.number = {name: i for i, name in enumerate(self.names)}
        self.r, self.A = coordinates.poses(x)
        T = coordinates.twists(x)
        T[:, :3] /= self.size
        flat = T.reshape(-1, T.shape[-1])
        shadow = flat @ basis.T
        self.both = (flat @ flat.T - shadow @ shadow.T).reshape(len(self.names), 6, len(self.names), 6)
        self.free = coordinates.n - len(basis)
        self.moving = [
            name
            for i, name in enumerate(self.names)
            if self.free and np.abs(self.both[i, :, i]).max() > RELATIVE_TOLERANCE**2
        ]

    def groups(self) -> Iterator[Any]:
        """Yield body numbers and degrees of freedom of each group of bodies that move together (1)."""
        tied = np.abs(self.both).max(axis=(1, 3)) > 1e-8
        left = [self.number[name] for name in self.moving]
        while left:
            members, edge = [], [left[0]]
            while edge:
                i = edge.pop()
                members.append(i)
                left.remove(i)
                edge += [j for j in left if tied[i, j] and j not in edge]
            members.sort()
            yield members, self._freedom(members)

    def _freedom(self, members: Any) -> int:
        if len(members) == len(self.moving):
            return self.free
        block = self.both[np.ix_(members, range(6), members, range(6))].reshape(6 * len(members), -1)
        return int((np.linalg.eigvalsh(block) > 1e-8).sum())

    def relative(self, pair: Any, constraints: Any) -> RemainingMotion:
        """Return the motion of one body relative to another (2)-(5)."""
        body, other = pair
        p = self._where(body, other, constraints)
        ends = [self.number[name] for name in pair if name]
        S = np.concatenate([sign * self._shift(i, p) for sign, i in zip((1.0, -1.0), ends, strict=False)], axis=1)
        M = S @ self.both[np.ix_(ends, range(6), ends, range(6))].reshape(S.shape[1], -1) @ S.T  # (2)
        values, vectors = np.linalg.eigh(M)
        R = vectors[:, values > 1e-10]
        return RemainingMotion(body, other, R.shape[1], self._words(R, p, constraints) if R.shape[1] else "is fixed")

    def _shift(self, i: int, p: Any) -> np.ndarray:
        """Return the matrix (6, 6) that maps the twist of body i at its origin to its twist at a world point p."""
        S, (x, y, z) = np.eye(6), (p - self.r[i]) / self.size
        S[:3, 3:] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]  # v + ω × (p - r)
        return S

    def _where(self, body: str, other: str, constraints: Any) -> Any:
        """Return a point (world) of the first constraint between two bodies; without one, the origin of the body."""
        for c in constraints:
            for primitive in c.primitives():
                for f in primitive.features():
                    if isinstance(f, Point) and f.body in (body, other) and not callable(f.at) and f.body:
                        i = self.number[f.body]
                        return self.r[i] + matvec(self.A[i], np.asarray(f.at, float))
        return self.r[self.number[body]]

    def _words(self, R: Any, p: Any, constraints: Any) -> str:
        """Describe the motions spanned by the twists R (6, k) at point p in words."""
        v, w = self.size * R[:3], R[3:]
        directions, strengths, mixes = np.linalg.svd(w)
        turns = int((strengths > RELATIVE_TOLERANCE).sum())
        slides = R.shape[1] - turns  # (3)
        along = np.linalg.svd(v @ mixes[turns:].T)[0][:, :slides]
        if turns == 0:
            return f"slides {_span_words(along)}"
        if turns == 3 and slides == 3:
            return "moves freely"
        if turns == 1:
            spin, shift = (w @ mixes[0]), (v @ mixes[0])
            return self._axial(spin, shift - along @ (along.T @ shift), along, p, constraints)
        centre = self._centre(w, v, along, p)
        two_axes = f"two axes perpendicular to {_vector(directions[:, 2])}"
        words = "turns about " + ("any axis" if turns == 3 else two_axes)
        words += " through " + ("a moving point" if centre is None else _vector(centre, exact=True))
        return words + (f" and slides {_span_words(along)}" if slides else "")

    def _axial(self, spin: Any, shift: Any, along: Any, p: Any, constraints: Any) -> str:
        """Describe one rotation, with its pitch and possible translations, in words (4)."""
        square = spin @ spin
        pitch = spin @ shift / square
        axis, point = spin / np.sqrt(square), p + np.cross(spin, shift) / square
        name = self._named(axis, point, along, constraints)
        where = name or f"the axis through {_vector(point, exact=True)} along {_vector(axis)}"
        beside = np.abs(along.T @ axis)
        if along.shape[1] == 0:
            if abs(pitch) > RELATIVE_TOLERANCE * self.size:
                return f"screws along {where}, {1e3 * pitch:.4g} mm/rad"
            return f"turns about {where}"
        if along.shape[1] == 1 and beside[0] > 1.0 - RELATIVE_TOLERANCE:
            return f"turns about and slides along {where}"
        if along.shape[1] == 2 and beside.max() < RELATIVE_TOLERANCE:
            return f"slides in a plane and turns about its normal {_vector(axis)}"
        return f"turns about {_vector(axis)} and slides {_span_words(along)}"

    def _centre(self, w: Any, v: Any, along: Any, p: Any) -> Any:
        """Return the common centre of all rotations (5), or None if there is none."""
        rows, sides = [], []
        aside = np.eye(3) - along @ along.T
        for k in range(w.shape[1]):
            x, y, z = w[:, k]
            rows.append(aside @ np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]))
            sides.append(-aside @ v[:, k])
        M, s = np.concatenate(rows), np.concatenate(sides)
        c = np.linalg.lstsq(M, s, rcond=1e-9)[0]
        return p + c if np.abs(M @ c - s).max() < RELATIVE_TOLERANCE * self.size else None

    def _named(self, axis: Any, point: Any, along: Any, constraints: Any) -> str | None:
        """Return the phrase "the axis of 'name'" for the constraint with this axis, or None if there is none."""
        for c in constraints:
            a: Any = getattr(c, "a", None)
            direction = getattr(a, "along", None)
            if direction is None or getattr(a, "body", None) not in self.number or not hasattr(a, "at"):
                continue
            i = self.number[a.body]
            z = matvec(self.A[i], np.asarray(direction, float))
            z, at = z / np.sqrt(z @ z), self.r[i] + matvec(self.A[i], np.asarray(a.at, float))
            away = np.cross(point - at, axis)
            if (
                np.abs(np.cross(z, axis)).max() < RELATIVE_TOLERANCE
                and np.abs(away).max() < RELATIVE_TOLERANCE * self.size
            ):
                return f"the axis of '{c.name}'"
        return None


def _pairs(names: Any, constraints: Any, moving: Any) -> dict[tuple[str, str], list[Any]]:
    """Return {(body, other body): constraints between them}; a body without constraints is paired with the world."""
    pairs: dict[tuple[str, str], list[Any]] = {}
    for c in constraints:
        bodies = list(dict.fromkeys(f.body for p in c.primitives() for f in p.features() if f.body))
        if not c.primitives():  # a limit
            continue
        bodies = bodies if len(bodies) > 1 else [*bodies, ""]
        if len(bodies) != 2:
            continue
        first, second = sorted(bodies, key=lambda b: (b not in moving, -names.index(b) if b else 0))
        pairs.setdefault((first, second), []).append(c)
    for name in moving:
        if not any(name in pair for pair in pairs):
            pairs[name, ""] = []
    return pairs


def _span_words(along: Any) -> str:
    """Describe in words the translations spanned by one to three directions (3, k)."""
    if along.shape[1] == 3:
        return "anywhere"
    if along.shape[1] == 2:
        return f"in the plane perpendicular to {_vector(np.cross(*along.T))}"
    return f"along {_vector(along[:, 0])}"


def _vector(v: Any, exact: bool = False) -> str:
    """Return a vector (3,) as text; unless `exact`, it is a direction: unit length, largest component positive."""
    v = np.asarray(v, float)
    if not exact:
        v = v / np.sqrt(v @ v)
        v = v * np.sign(v[np.argmax(np.abs(v) > 0.9 * np.abs(v).max())])
    v = np.where(np.abs(v) < 5e-7 * max(1.0, np.abs(v).max()), 0.0, v)
    return "(" + ", ".join(f"{x:.4g}" for x in v) + ")"


def _listed(names: Any) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
