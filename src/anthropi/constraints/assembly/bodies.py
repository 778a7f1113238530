"""Coordinates of an assembly: Cartesian for bodies, joint coordinates for the links of a figure. Plain floats only.

`Cartesian`: the state has one row (r, q) for each body, (n, 7), position and unit quaternion. The unknowns d are six
numbers for each body that moves, with lengths relative to the size L:

    r ← r + L d_r,   q ← q ⊗ exp(d_w / 2)                                                             (1)
    velocity of the origin L d_r, angular velocity A d_w, in the world                                (2)

`Relative`: the state is q (nq,) of a figure, the unknowns a velocity d (nu,), with lengths relative to the size L. With
the columns w, l of each degree of freedom at p_j (algorithms/jacobians.py), a link that the joint carries moves with

    velocity of the origin l + w × (p - p_j), angular velocity w, in the world                        (3)
    row = Σ over links of [g, (A s' × g) in the world] · (3): the Cartesian block, pulled back        (4)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.jacobians import columns
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import InputError
from anthropi.figure import Figure
from anthropi.figure.states import finite_numbers

__all__ = ["Body", "Cartesian", "Relative"]


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body of an assembly.

    name : any text except "", which is the world. position : (3,) [m], start. quaternion : (4,) w, x, y, z, start.
    shapes : `figure.Shape`s, for pictures. fixed : whether the body stays at its start.
    """

    name: str
    position: Any = (0.0, 0.0, 0.0)
    quaternion: Any = (1.0, 0.0, 0.0, 0.0)
    shapes: tuple[Any, ...] = ()
    fixed: bool = False

    def __post_init__(self) -> None:
        r, q = np.asarray(self.position, float), np.asarray(self.quaternion, float)
        if not self.name or not isinstance(self.name, str):
            raise InputError(f'A body cannot have the name {self.name!r}. Give it another name; "" is the world.')
        if r.shape != (3,) or q.shape != (4,) or not np.isfinite([*r, *q]).all() or not np.abs(q).max() > 1e-6:
            raise InputError(
                f"Body '{self.name}' starts at position {self.position}, quaternion {self.quaternion}. Give three "
                "finite numbers, and a quaternion w, x, y, z that is not zero."
            )
        object.__setattr__(self, "position", r)
        object.__setattr__(self, "quaternion", q if abs(q @ q - 1.0) < 1e-14 else q / np.sqrt(q @ q))
        object.__setattr__(self, "shapes", tuple(self.shapes))

    @property
    def place(self) -> Transform:
        """Start pose of the body in the world."""
        return Transform(rot.matrix_from_quaternion(self.quaternion), self.position)


class Cartesian:
    """Cartesian coordinates of bodies; those with the numbers `free` move."""

    bodies: Any
    n: Any
    names: Any
    size: Any

    def __init__(self, bodies: Any, size: float, free: Any = None) -> None:
        self.bodies, self.size = tuple(bodies), size
        self.names = tuple(b.name for b in self.bodies)
        movable = [i for i, b in enumerate(self.bodies) if not b.fixed]
        self.free = np.array(movable if free is None else sorted(free), int)
        self.n = 6 * len(self.free)
        self.column = np.full(len(self.bodies), -1)
        self.column[self.free] = np.arange(len(self.free))
        self.units = np.array([size] * 3 + [1.0] * 3)
        self.rotations = np.tile([False] * 3 + [True] * 3, len(self.free))

    @property
    def reach(self) -> float:
        """Largest distance [m] of a body from the world's origin at the start."""
        return float(np.abs([b.position for b in self.bodies]).max(initial=0.0))

    @property
    def alone(self) -> bool:
        """Whether a single body moves."""
        return len(self.free) == 1

    def start(self) -> np.ndarray:
        """Return the initial state of the bodies (n, 7)."""
        return np.array([[*b.position, *b.quaternion] for b in self.bodies]).reshape(-1, 7)

    def state(self, name: str, values: Any) -> np.ndarray:
        """Return a given state (n, 7), its quaternions normalised; raise an error if it is not one."""
        x = finite_numbers(name, values, (len(self.bodies), 7), "position and quaternion of each body")
        length = np.sqrt((x[:, 3:] ** 2).sum(-1, keepdims=True))
        if not (length > 1e-6).all():
            raise InputError(f"{name} has a quaternion that is zero. Give unit quaternions w, x, y, z.")
        x[:, 3:] = np.where(np.abs(length - 1.0) < 1e-14, x[:, 3:], x[:, 3:] / length)
        return x

    def poses(self, x: Any) -> Any:
        """Return the positions r (n, 3) and attitudes A (n, 3, 3) of the bodies."""
        return x[:, :3], rot.matrix_from_quaternion(x[:, 3:])

    def moved(self, x: Any, d: Any) -> np.ndarray:
        """Return the state x after a step d of the unknowns (1)."""
        x, d = x.copy(), d.reshape(-1, 6) * self.units
        x[self.free, :3] += d[:, :3]
        q = rot.quaternion_product(x[self.free, 3:], rot.quaternion_from_rotation_vector(d[:, 3:]))
        x[self.free, 3:] = q / np.sqrt((q * q).sum(-1, keepdims=True))
        return x

    def difference(self, x0: Any, x1: Any) -> np.ndarray:
        """Return the shortest step from one state to another."""
        apart = rot.quaternion_product(x0[self.free, 3:] * np.array([1.0, -1.0, -1.0, -1.0]), x1[self.free, 3:])
        apart = np.where(apart[:, :1] < 0.0, -apart, apart)
        step = np.concatenate(
            [x1[self.free, :3] - x0[self.free, :3], rot.rotation_vector_from_quaternion(apart)], axis=1
        )
        return (step / self.units).ravel()

    def jacobian(self, x: Any, rows: Any, blocks: Any) -> Any:
        """Return the Jacobian (m, n) made of blocks; it is sparse if there are many bodies."""
        keep = self.column[rows.pair_body] >= 0
        row, column, blocks = rows.pair_row[keep], self.column[rows.pair_body[keep]], blocks[keep] * self.units
        if self.n > MAX_DENSE_UNKNOWNS:
            from anthropi.constraints.gauss_newton import sparse_rows

            return sparse_rows(row, column, blocks, (rows.m, self.n))
        J = np.zeros((rows.m, len(self.free), 6))
        J[row, column] = blocks
        return J.reshape(rows.m, self.n)

    def twists(self, x: Any) -> np.ndarray:
        """Return the twist of each body for a unit rate of each unknown, (bodies, 6, n).

        A twist is the velocity of the origin and the angular velocity, in world components (2).
        """
        _, A = self.poses(x)
        T = np.zeros((len(self.bodies), 6, len(self.free), 6))
        for k, i in enumerate(self.free):
            T[i, :3, k, :3] = self.size * np.eye(3)
            T[i, 3:, k, 3:] = A[i]
        return T.reshape(len(self.bodies), 6, self.n)

    def scattered(self, x: Any, rng: np.random.Generator, chosen: Any = None) -> np.ndarray:
        """Return the state with random attitudes of the chosen bodies.

        chosen : indices into `free`; None gives random positions and attitudes to all moving bodies, within about one
        size of the fixed bodies.
        """
        x = x.copy()
        at = self.free if chosen is None else self.free[chosen]
        q = rng.normal(size=(len(at), 4))
        x[at, 3:] = q / np.sqrt((q * q).sum(-1, keepdims=True))
        if chosen is None:
            held = [i for i, b in enumerate(self.bodies) if b.fixed]
            x[at, :3] = x[held or self.free, :3].mean(0) + self.size * rng.normal(size=(len(at), 3))
        return x

    def turned(self, x: Any, turn: Any) -> np.ndarray:
        """Return the state with every moving body rotated in place by a quaternion (4,)."""
        x = x.copy()
        x[self.free, 3:] = rot.quaternion_product(np.broadcast_to(turn, (len(self.free), 4)), x[self.free, 3:])
        return x

    def blame(self, rows: Any, residual: Any) -> np.ndarray:
        """Return the share of each moving body in the residual."""
        column = self.column[rows.pair_body]
        weights = np.abs(residual[rows.pair_row]) * (column >= 0)
        return np.bincount(np.maximum(column, 0), weights=weights, minlength=len(self.free))


MAX_DENSE_UNKNOWNS = 120  # larger matrices are sparse


class Relative:
    """Joint coordinates of a figure's links."""

    carries: Any
    figure: Any
    joint: Any
    n: Any
    names: Any
    size: Any

    alone = False  # a single link cannot be rotated in place: it moves by its joint

    def __init__(self, figure: Figure, q: Any, size: float) -> None:
        self.figure, self.size = figure, size
        self.q = self.state("q", q)
        self.names = tuple(link.name for link in figure.links)
        self.n = figure.nu
        self.free = np.array([i for i, j in enumerate(figure.joints) if j.nu], int)
        self.joint = np.repeat(np.arange(figure.n), [j.nu for j in figure.joints])
        carried = [set(figure.path(i)) for i in range(figure.n)]
        self.carries = np.array([[j in path for j in self.joint] for path in carried]).reshape(figure.n, self.n)
        spins = [np.abs(j.spin(j.neutral(), e)).max() > 0.0 for j in figure.joints for e in np.eye(j.nu)]
        self.rotations = np.array(spins, bool)
        self.units = np.where(self.rotations, 1.0, size)

    @property
    def reach(self) -> float:
        """Largest distance [m] of a link from the world's origin at the start."""
        return float(np.abs(self.poses(self.q)[0]).max(initial=0.0))

    def start(self) -> np.ndarray:
        """Return the initial configuration of the figure (nq,)."""
        return self.q

    def state(self, name: str, values: Any) -> np.ndarray:
        """Return a given configuration (nq,); raise an error if it is not one."""
        return finite_numbers(name, values, (self.figure.nq,), f"q of figure '{self.figure.name}'")

    def poses(self, x: Any) -> Any:
        """Return the positions p (n, 3) and attitudes C (n, 3, 3) of the links."""
        k = kinematics(self.figure, x)
        return k.position, k.rotation

    def moved(self, x: Any, d: Any) -> np.ndarray:
        """Return the configuration x after a step d (nu,) of the unknowns."""
        return self.figure.normalise(self.figure.integrate(x, self.units * d))

    def difference(self, x0: Any, x1: Any) -> np.ndarray:
        """Return the step d (nu,) of the unknowns from one configuration to another."""
        return self.figure.difference(x0, x1) / self.units

    def twists(self, x: Any) -> np.ndarray:
        """Return the twist of each link for a unit rate of each unknown (3), (links, 6, nu)."""
        k = kinematics(self.figure, x)
        found = [columns(self.figure, k, x, j) for j in self.free]
        w = np.concatenate([np.zeros((0, 3)), *(c.w for c in found)])
        l = np.concatenate([np.zeros((0, 3)), *(c.l for c in found)])
        v = l + np.cross(w, k.position[:, None] - k.position[self.joint])
        both = np.concatenate([v, np.broadcast_to(w, v.shape)], axis=-1) * (self.carries * self.units)[..., None]
        return np.swapaxes(both, 1, 2)

    def jacobian(self, x: Any, rows: Any, blocks: Any) -> Any:
        """Return the Jacobian (m, nu) of constraints from their Cartesian blocks (4)."""
        _, A = self.poses(x)
        T = self.twists(x)
        in_body = np.concatenate([T[:, :3], np.swapaxes(A, 1, 2) @ T[:, 3:]], axis=1)
        J = np.zeros((rows.m, self.n))
        np.add.at(J, rows.pair_row, np.einsum("pk,pkn->pn", blocks, in_body[rows.pair_body]))
        return J

    def scattered(self, x: Any, rng: np.random.Generator, chosen: Any = None) -> np.ndarray:
        """Return the state with random coordinates of the chosen joints (indices into `free`; None for all)."""
        fresh, x = self.figure.random(rng), x.copy()
        for j in self.free if chosen is None else self.free[chosen]:
            x[self.figure.q_of[j]] = fresh[self.figure.q_of[j]]
        return x

    def blame(self, rows: Any, residual: Any) -> np.ndarray:
        """Return the share of each joint in the residual."""
        share = np.zeros(self.figure.n)
        for row, link in zip(rows.pair_row, rows.pair_body, strict=True):
            share[list(self.figure.path(link))] += abs(residual[row])
        return share[self.free]
