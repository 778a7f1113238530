"""What is an assembly made of? Names, sizes, the parts that do not touch each other; what is refused. Floats only."""

import dataclasses

import numpy as np

from anthropi.constraints.assembled.coupling import LineDistance, Thread
from anthropi.constraints.features import Point
from anthropi.constraints.primitives import Angle, Distance
from anthropi.errors import InputError

__all__ = ["bodies_of", "checked", "components", "listed", "size_of"]


def checked(constraints) -> tuple:
    """Constraints with a name each, numbered where a name comes twice; refuses those that fix nothing."""
    found: list = []
    taken: set[str] = set()
    for c in constraints:
        if not hasattr(c, "primitives"):
            raise InputError(f"{c!r} is no constraint. Give things of anthropi.constraints.assembled, or primitives.")
        name, k = c.name, 1
        while name in taken:
            k += 1
            name = f"{c.name} {k}"
        taken.add(name)
        c = c if name == c.name else dataclasses.replace(c, name=name)
        for p in c.primitives():
            _refuse(p, name)
        found.append(c)
    return tuple(found)


def _refuse(primitive, name: str) -> None:
    """Say what is wrong with an equation that has no slope where it holds, or no finite numbers."""
    p = getattr(primitive, "primitive", primitive)  # of a driven one
    if isinstance(p, Angle) and not np.sin(p.angle) > 1e-6:
        raise InputError(f"'{name}' asks for an angle of {float(p.angle):g} rad. Give one between 0 and π, or make the "
                         "directions parallel.")  # fmt: skip
    if isinstance(p, (Distance, LineDistance)) and p is primitive and not 0.0 < p.distance < np.inf:
        raise InputError(f"'{name}' asks for a distance of {float(p.distance):g} m. Give a positive one; at none, "
                         "make the points coincident, or put the point on the line.")  # fmt: skip
    if isinstance(p, Thread) and not 0.0 < abs(p.pitch) < np.inf:
        raise InputError(f"'{name}' has a pitch or radius of {float(p.pitch):g} m. Give one that is not zero.")
    for f in primitive.features():
        given = f.at if isinstance(f, Point) else f.along
        if callable(given) or hasattr(given, "at"):
            continue
        numbers = np.asarray(given, float)
        if numbers.shape != (3,) or not np.isfinite(numbers).all():
            raise InputError(
                f"'{name}' has a feature at {given} on '{f.body or 'the world'}'. Give three finite numbers."
            )


def bodies_of(constraint) -> list[str]:
    """The bodies a constraint is about, without the world."""
    return list(dict.fromkeys(f.body for p in constraint.primitives() for f in p.features() if f.body))


def size_of(constraints) -> float:
    """L: the mean distance of the features from their bodies' origins, and of bodies from each other [m]."""
    lengths = [
        np.sqrt(np.sum(np.square(f.at)))
        for c in constraints
        for p in c.primitives()
        for f in p.features()
        if isinstance(f, Point) and f.body and not callable(f.at) and not hasattr(f.at, "at")
    ]
    lengths += [p.distance for c in constraints for p in c.primitives() if isinstance(p, (Distance, LineDistance))]
    lengths = [float(x) for x in lengths if np.isfinite(x) and x > 0.0]
    return float(np.mean(lengths)) if lengths else 1.0


def components(movable: list[int], names, constraints) -> list[tuple[list[int], list[int]]]:
    """Bodies that constraints tie together, by number, with their constraints; those of bodies that rest come first."""
    parent = {i: i for i in movable}

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    number = {name: i for i, name in enumerate(names)}
    about = [[number[b] for b in bodies_of(c) if number.get(b) in parent] for c in constraints]
    for several in about:
        for i in several[1:]:
            parent[root(i)] = root(several[0])
    still = [k for k, several in enumerate(about) if not several]
    found: list[tuple[list[int], list[int]]] = [([], still)] if still else []
    for r in dict.fromkeys(root(i) for i in movable):
        members = [i for i in movable if root(i) == r]
        found.append((members, [k for k, several in enumerate(about) if several and root(several[0]) == r]))
    return found


def listed(names) -> str:
    """'a', 'b' and 'c'"""
    words = [f"'{n}'" for n in names]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
