"""Where are a figure's links, and how do its joints move them? Bodies in relative coordinates. Floats only.

The state is q (nq,), the unknowns a velocity d (nu,). With the columns w, l of each degree of freedom at p_j
(`algorithms/jacobians.py`), a link that the joint carries moves with

    velocity of the origin l + w × (p - p_j), turning velocity w, in the world                        (1)
    row = Σ over links of [g, (A s' × g) in the world] · (1): the Cartesian block, pulled back        (2)
"""

import numpy as np

from anthropi.algorithms.jacobians import columns
from anthropi.algorithms.kinematics import kinematics

__all__ = ["Relative"]


class Relative:
    """Coordinates of a figure's links."""

    alone = False  # a lone link keeps to its joint: there is no turning it where it is

    def __init__(self, figure, q, size: float):
        self.figure, self.q, self.size = figure, np.asarray(q, float), size
        self.names = tuple(link.name for link in figure.links)
        self.n = figure.nu
        self.free = np.array([i for i, j in enumerate(figure.joints) if j.nu], int)
        self.joint = np.repeat(np.arange(figure.n), [j.nu for j in figure.joints])
        carried = [set(figure.path(i)) for i in range(figure.n)]
        self.carries = np.array([[j in path for j in self.joint] for path in carried]).reshape(figure.n, self.n)

    def start(self) -> np.ndarray:
        """Where the figure starts (nq,)."""
        return self.q

    def poses(self, x):
        """p (n, 3) and C (n, 3, 3)."""
        k = kinematics(self.figure, x)
        return k.position, k.rotation

    def moved(self, x, d) -> np.ndarray:
        """The state after a step."""
        return self.figure.normalise(self.figure.integrate(x, d))

    def difference(self, x0, x1) -> np.ndarray:
        """The step from one state to another."""
        return self.figure.difference(x0, x1)

    def twists(self, x) -> np.ndarray:
        """(1): (links, 6, nu), velocity of the origin first."""
        k = kinematics(self.figure, x)
        found = [columns(self.figure, k, x, j) for j in self.free]
        w = np.concatenate([np.zeros((0, 3)), *(c.w for c in found)])
        l = np.concatenate([np.zeros((0, 3)), *(c.l for c in found)])
        v = l + np.cross(w, k.position[:, None] - k.position[self.joint])
        both = np.concatenate([v, np.broadcast_to(w, v.shape)], axis=-1) * self.carries[..., None]
        return np.swapaxes(both, 1, 2)

    def jacobian(self, x, rows, blocks):
        """(2): (m, nu)."""
        _, A = self.poses(x)
        T = self.twists(x)
        in_body = np.concatenate([T[:, :3], np.swapaxes(A, 1, 2) @ T[:, 3:]], axis=1)
        J = np.zeros((rows.m, self.n))
        np.add.at(J, rows.pair_row, np.einsum("pk,pkn->pn", blocks, in_body[rows.pair_body]))
        return J

    def scattered(self, x, rng, chosen=None) -> np.ndarray:
        """The state with chosen joints (numbers among `free`; all) at random."""
        fresh, x = self.figure.random(rng), x.copy()
        for j in self.free if chosen is None else self.free[chosen]:
            x[self.figure.q_of[j]] = fresh[self.figure.q_of[j]]
        return x

    def blame(self, rows, residual) -> np.ndarray:
        """How much of the residual each joint has a part in."""
        share = np.zeros(self.figure.n)
        for row, link in zip(rows.pair_row, rows.pair_body, strict=True):
            share[list(self.figure.path(link))] += abs(residual[row])
        return share[self.free]
