"""A figure: a tree of links and joints, with markers, loops and gravity. It is immutable and has no state.

Joint i connects link i to its parent, link `parent[i]` (-1 is the world); parents come before children. The joint of
the root connects the figure to the world; it may be of any kind, for example free or weld.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.coupling import Coupling, places_of
from anthropi.figure.dynamics_tree import TreeNode, dynamics_tree
from anthropi.figure.editing.methods import Edits
from anthropi.figure.joints import Joint
from anthropi.figure.joints.base import float_array
from anthropi.figure.numbers import Slot, content, slots, with_numbers
from anthropi.figure.parts import Direction, Link, Loop, Marker
from anthropi.figure.states import (
    checked,
    common_batch,
    joint_rows,
    real_array,
    refuse_whole_turns,
    unit_quaternions,
)
from anthropi.figure.validation import validate

__all__ = ["GRAVITY", "Figure"]

GRAVITY = (0.0, 0.0, -9.81)  # [m/s²]


@dataclass(frozen=True, eq=False)
class Figure(Edits):
    """An articulated figure: a human, a robot, a mechanism.

    Attributes
    ----------
    name : name of the figure.
    links, joints : joint i connects link i to its parent.
    parent : number of each link's parent, parent[i] < i; -1 for the root.
    markers : points (`Marker`) and directions (`Direction`) on links.
    loops : closures of kinematic loops (`Loop`), then couplings of coordinates (`Coupling`).
    gravity : (3,) [m/s²] in the world.
    checked : whether the figure is validated. A figure with recording scalars is not.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    parent: tuple[int, ...]
    markers: tuple[Marker | Direction, ...] = ()
    loops: tuple[Loop | Coupling, ...] = ()
    gravity: Any = field(default_factory=lambda: np.array(GRAVITY))
    checked: bool = True

    def __post_init__(self) -> None:
        for name in ("links", "joints", "parent", "markers", "loops"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "loops", tuple(sorted(self.loops, key=lambda x: isinstance(x, Coupling))))
        object.__setattr__(self, "gravity", float_array(self.gravity))
        if self.checked:
            validate(self)

    def __repr__(self) -> str:
        return f"Figure('{self.name}': {len(self.links)} links, nq = {self.nq}, nu = {self.nu})"

    # sizes and names

    @property
    def n(self) -> int:
        """Number of links."""
        return len(self.links)

    @cached_property
    def nq(self) -> int:
        """Number of coordinates q."""
        return sum(j.nq for j in self.joints)

    @cached_property
    def nu(self) -> int:
        """Number of velocities u (degrees of freedom)."""
        return sum(j.nu for j in self.joints)

    @cached_property
    def q_of(self) -> tuple[slice, ...]:
        """For each joint, the slice of q with its coordinates."""
        return _slices([j.nq for j in self.joints])

    @cached_property
    def u_of(self) -> tuple[slice, ...]:
        """For each joint, the slice of u with its velocities."""
        return _slices([j.nu for j in self.joints])

    @cached_property
    def dofs(self) -> tuple[str, ...]:
        """Names of the degrees of freedom, in the order of u."""
        return tuple(d for j in self.joints for d in j.dofs)

    @cached_property
    def coordinate_places(self) -> dict[str, tuple[int, int]]:
        """{dof: its indices in q and u} of the degrees of freedom whose velocities are rates of coordinates."""
        return places_of(self)

    def link_index(self, name: str) -> int:
        """Return the number of the link with this name."""
        return _find(name, [x.name for x in self.links], "link", self.name)

    def joint_index(self, name: str) -> int:
        """Return the number of the joint with this name."""
        return _find(name, [x.name for x in self.joints], "joint", self.name)

    def marker(self, name: str) -> Marker | Direction:
        """Return a marker by name."""
        return self.markers[_find(name, [m.name for m in self.markers], "marker", self.name)]

    def dof_indices(self, names: str | Iterable[str]) -> tuple[int, ...]:
        """Return the indices in u of degrees of freedom or whole joints, by name ("l_hip.x", "l_hip", "root")."""
        found: list[int] = []
        for name in [names] if isinstance(names, str) else names:
            if name in self.dofs:
                found.append(self.dofs.index(name))
            elif name in (j.name for j in self.joints):
                at = self.u_of[self.joint_index(name)]
                found += range(at.start, at.stop)
            elif sum(dof.endswith(f".{name}") for dof in self.dofs) == 1:  # the suffix alone, if it is unique
                found += [k for k, dof in enumerate(self.dofs) if dof.endswith(f".{name}")]
            else:
                choices = list(dict.fromkeys([*(j.name for j in self.joints), *self.dofs]))
                raise InputError(
                    f"No joint or degree of freedom '{name}' in figure '{self.name}'.{did_you_mean(name, choices)} "
                    f"It has: {', '.join(choices)}."
                )
        return tuple(found)

    # the tree

    def outward(self) -> Iterable[tuple[int, int, Joint]]:
        """Return (i, parent, joint) of every link, from the root outwards."""
        return zip(range(self.n), self.parent, self.joints, strict=True)

    def inward(self) -> Iterator[tuple[int, int, Joint]]:
        """Return (i, parent, joint) of every link, from the leaves inwards."""
        return reversed(list(self.outward()))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of the children of each link."""
        found: list[list[int]] = [[] for _ in range(self.n)]
        for j, parent in enumerate(self.parent):
            if parent >= 0:
                found[parent].append(j)
        return tuple(map(tuple, found))

    def path(self, i: int) -> tuple[int, ...]:
        """Return the numbers of the links from the root to link i."""
        found: list[int] = []
        while i >= 0:
            found.append(i)
            i = self.parent[i]
        return tuple(found[::-1])

    def connectivity(self) -> np.ndarray:
        """Return the boolean matrix (joints, links) of the links that each joint connects.

        Source: docs/equations/thesis.md (8.3).
        """
        table = np.zeros((self.n, self.n), bool)
        for i, p, _ in self.outward():
            table[i, i] = True
            if p >= 0:
                table[i, p] = True
        return table

    # configurations

    def _each(self, method: str, q: Any, other: Any, names: tuple[str, str], by: str = "u") -> Any:
        """Call a method of every joint with its slices of two arrays, for one state or a batch (…, nq)."""
        size, places = (self.nu, self.u_of) if by == "u" else (self.nq, self.q_of)
        q, other = real_array(q, names[0]), real_array(other, names[1])
        q, other = checked(q, self.nq, names[0], self.name), checked(other, size, names[1], self.name)
        if method != "difference":  # which does not depend on the length of quaternions
            unit_quaternions(self, q)

        calls = zip(self.joints, self.q_of, places, strict=True)
        if q.ndim == other.ndim == 1:
            return _joined([getattr(joint, method)(q[at], other[of]) for joint, at, of in calls])
        lead = common_batch(q, other)
        q, other = np.broadcast_to(q, (*lead, self.nq)), np.broadcast_to(other, (*lead, size))
        found = [joint_rows(joint, method, q[..., at], other[..., of]) for joint, at, of in calls]
        return np.concatenate(found, axis=-1)

    def neutral(self) -> np.ndarray:
        """Return the neutral configuration (nq,): all joints at zero, quaternions without rotation."""
        return _joined([j.neutral() for j in self.joints])

    def random(self, rng: Any) -> np.ndarray:
        """Return a random configuration (nq,) within the limits. rng : a NumPy generator, or a seed."""
        rng = np.random.default_rng(rng)
        return _joined([j.random(rng) for j in self.joints])

    @cached_property
    def quaternions(self) -> tuple[tuple[str, slice], ...]:
        """(joint name, slice of q) of every quaternion."""
        return tuple(
            (joint.name, slice(at.start + own.start, at.start + own.stop))
            for joint, at in zip(self.joints, self.q_of, strict=True)
            for own in joint.quaternions
        )

    @cached_property
    def quaternion_places(self) -> tuple[tuple[str, ...], np.ndarray]:
        """Joint names of all k quaternions, and their indices in q as one array (k, 4)."""
        names = tuple(name for name, _ in self.quaternions)
        return names, np.array([range(at.start, at.stop) for _, at in self.quaternions], int).reshape(-1, 4)

    def normalise(self, q: Any) -> np.ndarray:
        """Return q (…, nq) with its quaternions scaled to unit length; a zero quaternion becomes (1, 0, 0, 0).

        Works on plain floats only; cannot be recorded on a tape.
        """
        q = np.array(checked(q, self.nq, "q", self.name), float)
        for _, at in self.quaternions:
            length = (q[..., at] ** 2).sum(-1, keepdims=True) ** 0.5
            none = length == 0.0
            q[..., at] = (q[..., at] + none * np.array([1.0, 0.0, 0.0, 0.0])) / (length + none)
        return q

    def rate(self, q: Any, u: Any) -> Any:
        """Return the coordinate rates q' = F(q) u (nq,); q (nq,), u (nu,), or with a batch axis.

        Raises a `SingularError` where the rotation vector of an exponential joint is a whole turn.
        """
        refuse_whole_turns("figure.rate", self, checked(q, self.nq, "q", self.name))
        return self._each("rate", q, u, ("q", "u"))

    def velocity(self, q: Any, qdot: Any) -> Any:
        """Return the velocities u = F⁺(q) q' (nu,); q, qdot (nq,), or with a batch axis."""
        return self._each("velocity", q, qdot, ("q", "qdot"), by="q")

    def integrate(self, q: Any, v: Any) -> Any:
        """Return q ⊞ v (nq,): q after unit time at the constant velocity v (nu,); also with a batch axis."""
        return self._each("integrate", q, v, ("q", "v"))

    def lift(self, theta: Any, u: Any) -> Any:
        """Return the rate θ' (nu,) for which integrate(q0, θ) moves with the velocity u (nu,)."""
        return _joined([j.lift(theta[at], u[at]) for j, at in zip(self.joints, self.u_of, strict=True)])

    def difference(self, q0: Any, q1: Any) -> Any:
        """Return the difference of two configurations: v (nu,) with integrate(q0, v) = q1; also with a batch axis."""
        return self._each("difference", q0, q1, ("q0", "q1"), by="q")

    @cached_property
    def limits(self) -> np.ndarray:
        """(2, nu) [rad or m]: lower and upper limit of every degree of freedom, ±inf where there is none."""
        return np.stack([_joined([j.lower for j in self.joints]), _joined([j.upper for j in self.joints])])

    def pose(self, i: int, q: Any) -> Transform:
        """Return X_parent,i, the pose of link i in the frame of its parent, at q (nq,)."""
        return self.joints[i].placement @ self.joints[i].transform(q[self.q_of[i]])

    @cached_property
    def dynamics_tree(self) -> tuple[TreeNode, ...]:
        """Nodes of the tree that the dynamics algorithms process; composite joints part by part (dynamics_tree.py)."""
        return dynamics_tree(self)

    def draw(self, q: Any = None, **options: Any) -> Any:
        """Draw the figure in configuration q; see `anthropi.pictures.draw` (extra `plots`)."""
        from anthropi.upward import draw

        return draw(self, q, **options)

    # numbers

    @cached_property
    def mass(self) -> float:
        """Total mass [kg]."""
        return sum(link.mass for link in self.links)

    @cached_property
    def key(self) -> str:
        """Hash of the figure's content, the same on every machine."""
        return hashlib.sha256(content(self).encode()).hexdigest()

    def slots(self) -> tuple[Slot, ...]:
        """List the named numbers of the figure: links in order, then joints in order, then gravity.

        Returns
        -------
        `Slot` records (name, shape, unit, description). `with_numbers` replaces their values; `ap.compile(…,
        parameters=names)` makes them an input of a kernel, in the order of the names.

        Examples
        --------
        >>> ap.sample("pendulum").slots()[0]
        Slot(name='rod.mass', shape=(1,), unit='kg', description='mass of the link')
        """
        return slots(self)

    def with_numbers(self, slots: Iterable[str], values: Any) -> "Figure":
        """Return the figure with new numbers in named slots.

        Parameters
        ----------
        slots : names from `figure.slots()` ("l_thigh.mass"), with ".0", ".1" … for one entry.
        values : one for each entry, in order. Recording scalars make them inputs of the tape; the figure is then not
            validated.
        """
        return with_numbers(self, slots, values)

    def changed(self, **fields: Any) -> "Figure":
        """Return a copy with the given fields replaced."""
        return replace(self, **fields)


def _slices(sizes: Sequence[int]) -> tuple[slice, ...]:
    ends = np.cumsum([0, *sizes]).tolist()
    return tuple(slice(a, b) for a, b in pairwise(ends))


def _joined(parts: Sequence[Any]) -> Any:
    return np.concatenate(parts) if parts else np.zeros(0)


def _find(name: str, names: list[str], what: str, figure: str) -> int:
    if not isinstance(name, str) or name not in names:
        name = str(name)
        listed = ", ".join(names) if names else "none"
        raise InputError(
            f"No {what} '{name}' in figure '{figure}'.{did_you_mean(name, names)} {what.capitalize()}s: {listed}."
        )
    return names.index(name)
