"""A figure: a tree of links with a joint each, markers, loops and gravity. Frozen data; state lives elsewhere.

Link i hangs on link `parent[i]` (-1: the world) by joint i; parents come before children. The root's joint says how the
figure stands in the world: free, welded, or anything else.
"""

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.dynamics_tree import TreeNode, dynamics_tree
from anthropi.figure.editing.methods import Edits
from anthropi.figure.joints import Joint
from anthropi.figure.joints.base import float_array
from anthropi.figure.parts import Direction, Link, Loop, Marker
from anthropi.figure.states import checked, row_by_row
from anthropi.figure.validation import validate

__all__ = ["Figure", "figure_from_parts"]

GRAVITY = (0.0, 0.0, -9.81)  # [m/s²]


@dataclass(frozen=True, eq=False)
class Figure(Edits):
    """An articulated figure.

    Attributes
    ----------
    name : what it is called. links, joints : link i hangs by joint i. parent : parent[i] < i, -1 for the root.
    markers : points (`Marker`) and directions (`Direction`) on links. loops : closures (`Loop`).
    gravity : (3,) [m/s²] in the world.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    parent: tuple[int, ...]
    markers: tuple[Marker | Direction, ...] = ()
    loops: tuple[Loop, ...] = ()
    gravity: Any = field(default_factory=lambda: np.array(GRAVITY))
    checked: bool = True  # a figure whose numbers are being traced is not checked

    def __post_init__(self):
        for name in ("links", "joints", "parent", "markers", "loops"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "gravity", float_array(self.gravity))
        if self.checked:
            validate(self)

    def __repr__(self):
        return f"Figure('{self.name}': {len(self.links)} links, nq = {self.nq}, nu = {self.nu})"

    # sizes and names

    @property
    def n(self) -> int:
        """How many links."""
        return len(self.links)

    @cached_property
    def nq(self) -> int:
        """How many coordinates."""
        return sum(j.nq for j in self.joints)

    @cached_property
    def nu(self) -> int:
        """How many velocities: degrees of freedom."""
        return sum(j.nu for j in self.joints)

    @cached_property
    def q_of(self) -> tuple[slice, ...]:
        """Where joint i's coordinates lie in q."""
        return _slices([j.nq for j in self.joints])

    @cached_property
    def u_of(self) -> tuple[slice, ...]:
        """Where joint i's velocities lie in u."""
        return _slices([j.nu for j in self.joints])

    @cached_property
    def dofs(self) -> tuple[str, ...]:
        """Name of every degree of freedom, in the order of u."""
        return tuple(d for j in self.joints for d in j.dofs)

    def link_index(self, name: str) -> int:
        """Number of a link."""
        return _find(name, [x.name for x in self.links], "link", self.name)

    def joint_index(self, name: str) -> int:
        """Number of a joint."""
        return _find(name, [x.name for x in self.joints], "joint", self.name)

    def marker(self, name: str) -> Marker | Direction:
        """A marker."""
        return self.markers[_find(name, [m.name for m in self.markers], "marker", self.name)]

    def dof_indices(self, names) -> tuple[int, ...]:
        """Places in u of degrees of freedom or whole joints, by name ("l_hip.x", "l_hip", "root")."""
        found: list[int] = []
        for name in [names] if isinstance(names, str) else names:
            if name in self.dofs:
                found.append(self.dofs.index(name))
            elif name in (j.name for j in self.joints):
                at = self.u_of[self.joint_index(name)]
                found += range(at.start, at.stop)
            elif sum(dof.endswith(f".{name}") for dof in self.dofs) == 1:  # a part's name alone, where it is clear
                found += [k for k, dof in enumerate(self.dofs) if dof.endswith(f".{name}")]
            else:
                choices = list(dict.fromkeys([*(j.name for j in self.joints), *self.dofs]))
                raise InputError(f"No joint or degree of freedom '{name}' in figure '{self.name}'."
                                 f"{did_you_mean(name, choices)} It has: {', '.join(choices)}.")  # fmt: skip
        return tuple(found)

    # the tree

    def outward(self):
        """(i, parent, joint) from the root outwards."""
        return zip(range(self.n), self.parent, self.joints, strict=True)

    def inward(self):
        """(i, parent, joint) from the leaves inwards."""
        return reversed(list(self.outward()))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """μ: the links that hang on each link."""
        found: list[list[int]] = [[] for _ in range(self.n)]
        for j, parent in enumerate(self.parent):
            if parent >= 0:
                found[parent].append(j)
        return tuple(map(tuple, found))

    def path(self, i: int) -> tuple[int, ...]:
        """The links from the root to link i."""
        way: list[int] = []
        while i >= 0:
            way.append(i)
            i = self.parent[i]
        return tuple(way[::-1])

    def connectivity(self) -> np.ndarray:
        """Joints × links table (thesis 8.3): which links each joint connects."""
        table = np.zeros((self.n, self.n), bool)
        for i, p, _ in self.outward():
            table[i, i] = True
            if p >= 0:
                table[i, p] = True
        return table

    # configurations

    def _each(self, method: str, q, other, names, by: str = "u"):
        """A method of every joint on its part of two arrays, for one state or a batch."""
        size, places = (self.nu, self.u_of) if by == "u" else (self.nq, self.q_of)
        q, other = checked(q, self.nq, names[0], self.name), checked(other, size, names[1], self.name)

        def one(a, b):
            calls = zip(self.joints, self.q_of, places, strict=True)
            return _joined([getattr(joint, method)(a[at], b[of]) for joint, at, of in calls])

        return row_by_row(one, q, other, self.nq if method in ("rate", "integrate") else self.nu)

    def neutral(self) -> np.ndarray:
        """The configuration at rest (nq,)."""
        return _joined([j.neutral() for j in self.joints])

    def random(self, rng) -> np.ndarray:
        """A random configuration within the limits (nq,). rng : a NumPy generator, or a seed."""
        rng = np.random.default_rng(rng)
        return _joined([j.random(rng) for j in self.joints])

    @cached_property
    def quaternions(self) -> tuple[tuple[str, slice], ...]:
        """Where quaternions lie in q: (joint name, slice)."""
        return tuple(
            (joint.name, slice(at.start + own.start, at.start + own.stop))
            for joint, at in zip(self.joints, self.q_of, strict=True)
            for own in joint.quaternions
        )

    @cached_property
    def quaternion_places(self) -> tuple[tuple[str, ...], np.ndarray]:
        """The same as names and one array (k, 4) of places, to look at all at once."""
        names = tuple(name for name, _ in self.quaternions)
        return names, np.array([range(at.start, at.stop) for _, at in self.quaternions], int).reshape(-1, 4)

    def normalise(self, q) -> np.ndarray:
        """q (…, nq) with every quaternion of length 1; one of length 0 becomes no turn. Numbers only."""
        q = np.array(checked(q, self.nq, "q", self.name), float)
        for _, at in self.quaternions:
            length = (q[..., at] ** 2).sum(-1, keepdims=True) ** 0.5
            none = length == 0.0
            q[..., at] = (q[..., at] + none * np.array([1.0, 0.0, 0.0, 0.0])) / (length + none)
        return q

    def rate(self, q, u):
        """q' = F(q) u (nq,)."""
        return self._each("rate", q, u, ("q", "u"))

    def velocity(self, q, qdot):
        """u = F⁺(q) q' (nu,)."""
        return self._each("velocity", q, qdot, ("q", "qdot"), by="q")

    def integrate(self, q, v):
        """q ⊞ v: where q is after unit time at the constant velocity v (nq,)."""
        return self._each("integrate", q, v, ("q", "v"))

    def lift(self, theta, u):
        """θ' (nu,) for which integrate(q0, θ) moves with the velocity u."""
        return _joined([j.lift(theta[at], u[at]) for j, at in zip(self.joints, self.u_of, strict=True)])

    def difference(self, q0, q1):
        """v (nu,) with integrate(q0, v) = q1."""
        return self._each("difference", q0, q1, ("q0", "q1"), by="q")

    @cached_property
    def limits(self) -> np.ndarray:
        """(2, nu): lower and upper limit of every degree of freedom, ±inf where there is none."""
        return np.stack([_joined([j.lower for j in self.joints]), _joined([j.upper for j in self.joints])])

    def pose(self, i: int, q) -> Transform:
        """X_parent,i: pose of link i in its parent's frame."""
        return self.joints[i].placement @ self.joints[i].transform(q[self.q_of[i]])

    @cached_property
    def pieces(self) -> tuple[TreeNode, ...]:
        """The figure as the dynamics take it: composites part by part."""
        return dynamics_tree(self)

    def draw(self, q=None, **options):
        """A picture of the figure in configuration q: `anthropi.pictures.draw` (extra `plots`)."""
        from anthropi.upward import draw

        return draw(self, q, **options)

    # numbers

    @cached_property
    def mass(self) -> float:
        """Total mass [kg]."""
        return sum(link.mass for link in self.links)

    @cached_property
    def key(self) -> str:
        """Digest of the content, the same on every machine."""
        from anthropi.figure.numbers import content

        return hashlib.sha256(content(self).encode()).hexdigest()

    def with_numbers(self, slots, values) -> "Figure":
        """The figure with other numbers in named slots ("l_thigh.mass"); they may be recording scalars."""
        from anthropi.figure.numbers import with_numbers

        return with_numbers(self, slots, values)

    def changed(self, **fields) -> "Figure":
        """A copy with other fields."""
        return replace(self, **fields)


def figure_from_parts(name: str, parts, markers=(), loops=(), gravity=GRAVITY) -> Figure:
    """A figure from (parent name, joint, link) triples in any order; the root's parent is "" or None."""
    parts = [_triple(name, entry) for entry in parts]
    by_name: dict[str, tuple] = {}
    for entry in parts:
        if entry[2].name in by_name:
            raise InputError(f"Two links of figure '{name}' are called '{entry[2].name}'. Give each its own name.")
        by_name[entry[2].name] = entry
    below: dict[str, list[int]] = {}
    for k, (above, _, _) in enumerate(parts):
        below.setdefault(above or "", []).append(k)
    order: list[tuple] = []
    generation = below.get("", [])
    while generation:
        order += [parts[k] for k in generation]
        generation = sorted(j for k in generation for j in below.get(parts[k][2].name, ()))
    if len(order) < len(parts):
        placed = {e[2].name for e in order}
        _refuse_rest(name, [e for e in parts if e[2].name not in placed], by_name)
    number = {e[2].name: i for i, e in enumerate(order)}
    parent = [number[e[0]] if e[0] else -1 for e in order]
    return Figure(name, tuple(e[2] for e in order), tuple(e[1] for e in order), tuple(parent), tuple(markers),
                  tuple(loops), np.asarray(gravity))  # fmt: skip


def _triple(figure: str, entry) -> tuple:
    """(parent name, joint, link), or an error that says what was given."""
    kinds = [type(x).__name__ for x in entry] if isinstance(entry, (tuple, list)) else type(entry).__name__
    if not isinstance(entry, (tuple, list)) or len(entry) != 3:
        raise InputError(f"Figure '{figure}' is assembled from triples (parent name, joint, link); got {kinds}.")
    parent, joint, link = entry
    if not (parent is None or isinstance(parent, str)) or not isinstance(joint, Joint) or not isinstance(link, Link):
        raise InputError(f"Figure '{figure}' is assembled from triples (parent name, joint, link); got {kinds}. "
                         "A link from an inertia is Link.of(name, inertia).")  # fmt: skip
    return parent, joint, link


def _refuse_rest(name: str, waiting, by_name) -> None:
    """Say why the remaining links cannot be placed: an unknown parent, or a ring."""
    for parent, _, link in waiting:
        if parent not in by_name:
            raise InputError(f"Link '{link.name}' of figure '{name}' hangs on '{parent}', which is no link."
                             f"{did_you_mean(parent, by_name)} Links: {', '.join(by_name)}.")  # fmt: skip
    ring = ", ".join(e[2].name for e in waiting)
    raise InputError(f"Links of figure '{name}' hang on each other in a ring: {ring}. A figure is a tree; close a ring "
                     "with a loop instead.")  # fmt: skip


def _slices(sizes) -> tuple[slice, ...]:
    ends = np.cumsum([0, *sizes]).tolist()
    return tuple(slice(a, b) for a, b in pairwise(ends))


def _joined(parts):
    return np.concatenate(parts) if parts else np.zeros(0)


def _find(name: str, names: list[str], what: str, figure: str) -> int:
    if not isinstance(name, str) or name not in names:
        name = str(name)
        listed = ", ".join(names) if names else "none"
        raise InputError(
            f"No {what} '{name}' in figure '{figure}'.{did_you_mean(name, names)} {what.capitalize()}s: {listed}."
        )
    return names.index(name)
