"""The equations of an assembly; all primitives of one kind are evaluated together. Plain floats only.

Bodies have positions r (n, 3) and attitudes A (n, 3, 3). Each primitive of a kind is one lane: a feature is one array
(3, lanes), which `value` and `gradient` of the primitive treat as a single vector.

    x = A s' + r or A v'                              a point, a direction                            (1)
    g = ∂Φ/∂x                                         by the primitive                                (2)
    block of a row for a body: [g or 0, s' × Aᵀ g]    (r, w), w a rotation in the body's frame        (3)

A row is scaled so that Φ is a length relative to the size L of the assembly, or a sine: by 1/L for a dot-2 or a
distance, 1/(largest number of teeth) for teeth. The residual of a distance d is Φ = d² - d₀² divided by 2 d₀; it is
continued linearly beyond 2 d₀, so that it grows in proportion to the distance:

    r = Φ / (2 d₀) if d ≤ 2 d₀,   else 2 d - 5/2 d₀                                                   (4)

The rows of the constraints' primitives come first, then those of their guides (mates/mates.py).
"""

import dataclasses
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from anthropi.constraints.driven import DrivenTurn, course, placed_at
from anthropi.constraints.mates.couplings import LineDistance, Teeth, Thread
from anthropi.constraints.mates.limits import SlideRange, TurnRange
from anthropi.constraints.primitives import Angle, Distance, Dot1, Dot2, Point, guides_of
from anthropi.errors import InputError, did_you_mean

__all__ = ["Problem", "Rows", "unit_of"]


NUMBERS: dict[type[Any], tuple[str, ...]] = {  # fields that may differ between lanes
    Dot1: ("equals",),
    Dot2: ("equals",),
    Angle: ("angle",),
    Distance: ("distance",),
    LineDistance: ("distance",),
    Thread: ("pitch", "equals"),
    Teeth: ("n1", "n2", "equals"),
}


class Lanes(np.ndarray):
    """One vector for each of many constraints: (3, lanes). Its sum is over the three components."""

    def sum(self, *_: Any, **__: Any) -> Any:
        """Return the sum over the three components (lanes,)."""
        return np.add.reduce(np.asarray(self), axis=0)


class _Slot(NamedTuple):
    """The k-th feature of a group's primitives: body numbers (lanes,), -1 for the world, and vectors (3, lanes)."""

    body: np.ndarray
    local: np.ndarray
    is_point: bool


class _Group(NamedTuple):
    """Primitives of one kind: their row numbers, one primitive that contains the numbers of all, and their features."""

    rows: np.ndarray
    primitive: Any
    slots: tuple[_Slot, ...]


class Rows:
    """The equations of primitives between bodies.

    bodies : names. primitives : m primitives. size : L of (4) [m]. t : time [s], for primitives that depend on it.
    """

    bodies: Any
    groups: Any
    m: Any
    n: Any
    number: Any
    primitives: Any
    t: Any

    def __init__(self, bodies: Any, primitives: Any, size: float = 1.0, t: Any | None = None) -> None:
        self.bodies, self.primitives, self.t = tuple(bodies), tuple(primitives), t
        self.number = {name: i for i, name in enumerate(self.bodies)} | {"": -1}
        self.m, self.n = len(self.primitives), len(self.bodies)
        kinds: dict[Any, list[int]] = {}
        for k, primitive in enumerate(self.primitives):
            kinds.setdefault(_kind(primitive, k), []).append(k)
        self.groups = [self._group(rows) for rows in kinds.values()]
        self.scale = np.array([_scale(p, size) for p in self.primitives])
        place = [(g.rows, s.body) for g in self.groups for s in g.slots]
        at = np.concatenate([r * self.n + b for r, b in place]) if place else np.zeros(0, int)
        moved = np.concatenate([b >= 0 for _, b in place]) if place else np.zeros(0, bool)
        self.moved = np.flatnonzero(moved)
        self.pairs, self.sums = np.unique(at[moved], return_inverse=True)  # (row, body), row by row
        self.pair_row, self.pair_body = np.divmod(self.pairs, max(self.n, 1))

    def evaluate(self, r: Any, A: Any) -> Any:
        """Return Φ (m,) and the blocks (pairs, 6) of its Jacobian, both scaled, in the order of `pairs` (1)-(4)."""
        places = np.concatenate([r, np.zeros((1, 3))])
        turns = np.concatenate([A, np.eye(3)[None]])  # the last, -1, is the world
        value = np.empty(self.m)
        blocks = []
        for rows, primitive, slots in self.groups:
            x, C = [], []
            for body, local, is_point in slots:
                turn = turns[body]
                v = np.einsum("lij,jl->il", turn, local)  # (1)
                x.append((v + places[body].T if is_point else v).view(Lanes))
                C.append(turn)
            if type(primitive) not in NUMBERS:  # a single primitive, which may not treat lanes as one vector
                x = [np.asarray(v)[:, 0] for v in x]
            found, more = _linear(primitive, primitive.value(x, self.t), self.t)
            value[rows] = found
            for (_, local, is_point), turn, g in zip(slots, C, primitive.gradient(x), strict=True):  # (2)
                g = np.asarray(g, float).reshape(3, -1) * (more * self.scale[rows])
                back = np.einsum("lij,il->jl", turn, g)
                blocks.append(np.concatenate([g if is_point else 0.0 * g, np.cross(local, back, axis=0)]))  # (3)
        every = np.concatenate(blocks, axis=1)[:, self.moved] if blocks else np.zeros((6, 0))
        J = [np.bincount(self.sums, weights=part, minlength=len(self.pairs)) for part in every]
        return value * self.scale, np.stack(J, axis=1)

    def raw(self, r: Any, A: Any) -> np.ndarray:
        """Return Φ (m,) as the primitives define it, without (4)."""
        places = np.concatenate([r, np.zeros((1, 3))])
        turns = np.concatenate([A, np.eye(3)[None]])
        value = np.empty(self.m)
        for rows, primitive, slots in self.groups:
            x = []
            for body, local, is_point in slots:
                v = np.einsum("lij,jl->il", turns[body], local)
                x.append((v + places[body].T if is_point else v).view(Lanes))
            if type(primitive) not in NUMBERS:
                x = [np.asarray(v)[:, 0] for v in x]
            value[rows] = primitive.value(x, self.t)
        return value

    def dense(self, blocks: Any) -> np.ndarray:
        """Return the dense Jacobian (m, 6 n) made of blocks."""
        J = np.zeros((self.m, self.n, 6))
        J[self.pair_row, self.pair_body] = blocks
        return J.reshape(self.m, 6 * self.n)

    def _group(self, rows: list[int]) -> _Group:
        """Return the group of the primitives of one kind with these row numbers."""
        several = [self.primitives[k] for k in rows]
        first, numbers = several[0], {}
        if len(several) > 1:
            for name in NUMBERS[type(first)]:
                numbers[name] = np.array([getattr(p, name) for p in several], float)
            first = dataclasses.replace(first, **numbers)
        slots = []
        for same in zip(*(p.features() for p in several), strict=True):
            body = np.array([self._body(f) for f in same])
            local = np.stack([np.asarray(placed_at(f, self.t)[0], float) for f in same], axis=1)
            slots.append(_Slot(body, local, isinstance(same[0], Point)))
        return _Group(np.array(rows), first, tuple(slots))

    def _body(self, feature: Any) -> int:
        if feature.body not in self.number:
            raise InputError(
                f"No body '{feature.body}'.{did_you_mean(feature.body, self.bodies)} "
                f'Bodies: {", ".join(self.bodies)}; "" is the world.'
            )
        return self.number[feature.body]


def _linear(primitive: Any, value: Any, t: Any) -> tuple[Any, Any]:
    """Return the residual of a primitive, and the factor by which its gradients are multiplied.

    For distances they follow from (4). For other primitives they are the value itself and 1.
    """
    inner = getattr(primitive, "primitive", primitive)  # the primitive inside a driven one
    if not isinstance(inner, (Distance, LineDistance)):
        return value, 1.0
    square = inner.distance * inner.distance
    if inner is not primitive:
        square = square + course(primitive.function, t)[0]
    wanted = np.maximum(np.sqrt(square), 1e-300)
    now = np.sqrt(np.maximum(value + square, 0.0))
    far = now > 2.0 * wanted
    residual = np.where(far, 2.0 * now - 2.5 * wanted, 0.5 * value / wanted)
    return residual, np.where(far, 1.0 / np.maximum(now, 1e-300), 0.5 / wanted)


def unit_of(primitive: Any) -> str:
    """Return the unit of a residual: "m" (after multiplication by the size of the assembly) or "rad"."""
    inner = getattr(primitive, "primitive", primitive)  # the primitive inside a driven one
    return "m" if isinstance(inner, (Dot2, Distance, LineDistance, SlideRange, Thread)) else "rad"


def _kind(primitive: Any, k: int) -> Any:
    """Return a key that is equal for primitives that can be evaluated together, and unique (k) for others."""
    if type(primitive) not in NUMBERS:
        return k
    return type(primitive)


def _scale(primitive: Any, size: float) -> float:
    """Return the scale factor of a primitive's row (4)."""
    inner = getattr(primitive, "primitive", primitive)
    if isinstance(inner, DrivenTurn):
        return 1.0
    lengths = [
        np.sqrt(np.sum(np.square(f.along)))
        for f in inner.features()
        if hasattr(f, "along") and not callable(f.along) and not hasattr(f.along, "at")
    ]
    vectors = float(np.prod(lengths)) if lengths else 1.0
    if isinstance(inner, (Distance, LineDistance, SlideRange, Thread)):
        return 1.0 / size
    if isinstance(inner, Teeth):
        return 1.0 / max(abs(inner.n1), abs(inner.n2))
    return 1.0 / (vectors * size) if isinstance(inner, Dot2) else 1.0 / vectors


class Problem:
    """Residual and Jacobian of constraints as functions of coordinates (`Cartesian` or `Relative`).

    guided : whether to include the rows of guides.
    """

    constraints: Any
    coordinates: Any
    evaluations: Any
    m: Any
    rows: Any
    t: Any

    def __init__(self, coordinates: Any, constraints: Any, t: Any | None = None, guided: bool = True) -> None:
        self.coordinates, self.constraints, self.t = coordinates, tuple(constraints), t
        own = [c.primitives() for c in self.constraints]
        more = [guides_of(c) if guided else () for c in self.constraints]
        self.rows = Rows(coordinates.names, [p for part in (*own, *more) for p in part], coordinates.size, t)
        self.m = sum(map(len, own))  # without guides
        numbers = range(len(self.constraints))
        self.owner = np.array([k for part in (own, more) for k in numbers for _ in part[k]], int)
        limits = np.array([isinstance(p, (SlideRange, TurnRange)) for p in self.rows.primitives], bool)
        self.loose = (np.arange(self.rows.m) >= self.m) & ~limits  # limits must be met as exactly as equations
        self.evaluations = 0
        far = max(coordinates.reach, _reach(self.rows.primitives, t))
        self.rounding = ROUNDING * far / coordinates.size  # of residuals that are lengths

    @property
    def n(self) -> int:
        """Number of unknowns."""
        return self.coordinates.n

    def __call__(self, x: Any) -> Any:
        """Return residual (rows,) and Jacobian (rows, n), dense or sparse."""
        self.evaluations += 1
        value, blocks = self.rows.evaluate(*self.coordinates.poses(x))
        return value, self.coordinates.jacobian(x, self.rows, blocks)

    def residual(self, x: Any) -> np.ndarray:
        """Return the residual (rows,) without the Jacobian."""
        self.evaluations += 1
        return self.rows.evaluate(*self.coordinates.poses(x))[0]

    def equations(self, x: Any) -> np.ndarray:
        """Return the values (rows,) of all primitives and guides as they are defined, without scaling."""
        return self.rows.raw(*self.coordinates.poses(x))

    def holds(self, r: Any, tolerance: float) -> bool:
        """Return whether a residual is that of the intended solution: primitives zero, and guides near zero."""
        allowed = np.where(self.loose, GUIDE_TOLERANCE, max(tolerance, self.rounding))
        return bool((np.abs(r) <= allowed).all())

    def missed(self, r: Any) -> np.ndarray:
        """Return the largest residual of each constraint, guides included."""
        found = np.zeros(len(self.constraints))
        np.maximum.at(found, self.owner, np.abs(r))
        return found

    def blame(self, r: Any) -> np.ndarray:
        """Return the share of each body (or joint) in a residual."""
        return self.coordinates.blame(self.rows, r)

    @cached_property
    def smooth(self) -> "Problem | None":
        """The problem without threads and teeth; None if it has no threads or teeth, or nothing else."""
        return self._some([not isinstance(p, (Teeth, Thread)) for p in self.rows.primitives])

    @cached_property
    def turning(self) -> "Problem | None":
        """The problem of the constraints on attitudes alone; None if these are all of its constraints, or none."""
        return self._some(
            [
                not any(isinstance(f, Point) for f in p.features()) and not isinstance(p, Teeth)
                for p in self.rows.primitives
            ]
        )

    def _some(self, kept: Any) -> "Problem | None":
        return _Some(self, np.array(kept)) if any(kept) and not all(kept) else None

    def some(self, rows: Any) -> "Problem":
        """Return the problem that consists of the rows with these numbers."""
        kept = np.zeros(len(self.rows.primitives), bool)
        kept[list(rows)] = True
        return _Some(self, kept)


class _Some(Problem):
    """A problem that consists of some rows of another problem."""

    smooth = turning = None

    def __init__(self, whole: Problem, kept: Any) -> None:
        self.whole, self.coordinates, self.constraints, self.kept = whole, whole.coordinates, whole.constraints, kept
        self.m, self.owner, self.rounding = int(kept[: whole.m].sum()), whole.owner[kept], whole.rounding
        self.loose = whole.loose[kept]

    def __call__(self, x: Any) -> Any:
        r, J = self.whole(x)
        return r[self.kept], J[self.kept]

    def residual(self, x: Any) -> Any:
        return self.whole.residual(x)[self.kept]

    def blame(self, r: Any) -> Any:
        every = np.zeros(len(self.kept))
        every[self.kept] = r
        return self.whole.blame(every)


def _reach(primitives: Any, t: Any) -> float:
    """Return the largest coordinate of a point of the world [m]."""
    points = [f for p in primitives for f in p.features() if isinstance(f, Point) and not f.body]
    return max((float(np.abs(np.asarray(placed_at(f, t)[0], float)).max()) for f in points), default=0.0)


ROUNDING = 64.0 * float(np.finfo(float).eps)  # rounding error of a residual, relative to the coordinates
GUIDE_TOLERANCE = 1e-4  # largest residual of a guide at the intended solution; at others it is 1 or 2
