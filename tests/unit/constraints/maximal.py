"""A mechanism in maximal coordinates: every body free, every joint a set of rows, one dense system.

Unknowns of a body: angular acceleration α and acceleration a of the centre of mass, in the world.

    m a = m g + f + …,   I α + ω × I ω = moments + …,   rows: second derivatives of what a joint holds   (KKT)

Nothing here comes from the package but the poses and velocities of the links.
"""

import numpy as np


def skew(v):
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


class Maximal:
    """The bodies of a figure at a state; k : kinematics with velocities."""

    def __init__(self, figure, k):
        self.figure, self.k, self.n = figure, k, figure.n
        self.rows, self.sides, self.names = [], [], []
        self.M = np.zeros((6 * self.n, 6 * self.n))
        self.f = np.zeros(6 * self.n)
        self.centre = [k.position[i] + k.rotation[i] @ link.centre for i, link in enumerate(figure.links)]
        for i, link in enumerate(figure.links):
            C, w = k.rotation[i], k.angular_velocity[i]
            tensor = C @ link.tensor @ C.T
            self.M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = tensor
            self.M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = link.mass * np.eye(3)
            self.f[6 * i : 6 * i + 3] = -np.cross(w, tensor @ w)
            self.f[6 * i + 3 : 6 * i + 6] = link.mass * figure.gravity

    def push(self, i, force, at):
        """A force on a body at a place of the world."""
        self.f[6 * i : 6 * i + 3] += np.cross(at - self.centre[i], force)
        self.f[6 * i + 3 : 6 * i + 6] += force

    def _row(self, name, side, *parts):
        """A row: (body, coefficients of α, of a); and what its second derivative is at rest of both."""
        row = np.zeros(6 * self.n)
        for i, alpha, a in parts:
            if i is not None:
                row[6 * i : 6 * i + 3] += alpha
                row[6 * i + 3 : 6 * i + 6] += a
        self.rows.append(row)
        self.sides.append(side)
        self.names.append(name)

    def _point(self, i, x):
        """Velocity of a point of a body now at x, and its acceleration where α = a = 0; the world's rest."""
        if i is None:
            return np.zeros(3), np.zeros(3), np.zeros(3)
        w, r = self.k.angular_velocity[i], x - self.centre[i]
        origin = self.k.velocity[i] + np.cross(w, self.centre[i] - self.k.position[i])
        return origin + np.cross(w, r), np.cross(w, np.cross(w, r)), r

    def meet(self, name, i, j, x):
        """Points of two bodies meet at x."""
        _, ai, ri = self._point(i, x)
        _, aj, rj = self._point(j, x)
        for e in np.eye(3):
            self._row(name, e @ (aj - ai), (j, np.cross(rj, e), e), (i, -np.cross(ri, e), -e))

    def square(self, name, i, u, j, v):
        """Directions u of i and v of j (world) stay square to each other."""
        wi = np.zeros(3) if i is None else self.k.angular_velocity[i]
        wj = np.zeros(3) if j is None else self.k.angular_velocity[j]
        du, dv = np.cross(wi, u), np.cross(wj, v)
        bend = v @ np.cross(wi, du) + u @ np.cross(wj, dv) + 2.0 * du @ dv
        self._row(name, bend, (i, np.cross(u, v), np.zeros(3)), (j, np.cross(v, u), np.zeros(3)))

    def slide(self, name, i, j, axes, x, y):
        """Point y of j stays on the axis z of i through its point x: axes (3, 3) of i in the world."""
        for u in axes.T[:2]:
            w, d = self.k.angular_velocity[i], y - x
            vi, ai, ri = self._point(i, x)
            vj, aj, rj = self._point(j, y)
            du, rate = np.cross(w, u), vj - vi
            bend = d @ np.cross(w, du) + 2.0 * du @ rate + u @ (aj - ai)
            self._row(name, bend, (j, np.cross(rj, u), u), (i, np.cross(u, d) - np.cross(ri, u), -u))

    def solve(self):
        """α and a of every body (n, 6), and the multiplier of every row."""
        J, m = np.array(self.rows), len(self.rows)
        K = np.block([[self.M, -J.T], [J, np.zeros((m, m))]])
        x = np.linalg.solve(K, np.concatenate([self.f, -np.array(self.sides)]))
        return x[: 6 * self.n].reshape(self.n, 6), x[6 * self.n :]
