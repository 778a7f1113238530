"""How does a figure answer to forces on its links, once its articulated bodies are known?

What `direct_dynamics` finds on the way in, the factors of every joint, serves any further force on links:

    inward   f_λ += X Pᵀ f_i                                                   (1)  what a joint passes on
    outward  a_i = P X⁻¹ a_λ + Y f_i                                           (2)  P : carried, Y = S D⁻¹ Sᵀ

The answer of link i to a force on link j, Ω_ij (6, 6), comes outward from the root, where Ω = Y, without a mass matrix
(Rodriguez, Jain and Kreutz-Delgado's operational-space recursion):

    Ω_ii = P X⁻¹ Ω_λλ X⁻ᵀ Pᵀ + Y                                              (3)
    Ω_ij = Φ_i Ω_cc Φ_jᵀ,   Φ the product of P X⁻¹ from c, the last link that carries both       (4)

With linear before angular an answer changes frames as an inertia does. P of a joint along unit columns has zeros, which
the tape leaves out: of a ball only the three accelerations of its point go on.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import full, transpose, upper, upper_product
from anthropi.algebra.spatial import ArticulatedInertia, Transform
from anthropi.algorithms.added import with_added
from anthropi.algorithms.effort import efforts
from anthropi.algorithms.forces import lifted, no_loops, passive
from anthropi.algorithms.joint_solve import joint_solve, of_joint
from anthropi.algorithms.passes import inward, outward

__all__ = ["Response", "articulated"]


class Response(NamedTuple):
    """Poses and factors of all pieces of a figure (figure/pieces.py); world (6,): acceleration below the root."""

    figure: Any
    X: list
    solves: list
    world: Any

    def accelerations(self):
        """udot (nu,) under the forces that were given."""
        return np.concatenate(outward(self.figure, self.X, [solve.finish for solve in self.solves], self.world)[0])

    def change(self, forces: dict[int, Any]):
        """u' (nu,) of forces {link: (6,), link frame} alone, nothing else acting (1), (2)."""
        pieces = self.figure.pieces
        f: list = [np.zeros(6)] * len(pieces)
        for link, force in forces.items():
            i = self._piece(link)
            f[i] = f[i] + pieces[i].force(force)
        finishes: list = [None] * len(pieces)
        for i in reversed(range(len(pieces))):
            passed, finishes[i] = self.solves[i].answer(f[i])
            if pieces[i].parent >= 0:
                f[pieces[i].parent] = f[pieces[i].parent] + self.X[i].act_force(passed)  # (1)
        return np.concatenate(outward(self.figure, self.X, finishes, np.zeros(6))[0])

    def answers(self, links) -> list[list]:
        """Ω (6, 6) of each of these links (rows) to forces on each (columns up to it), in link frames (3), (4)."""
        own: dict[int, Any] = {}
        paths = [self._path(self._piece(link)) for link in links]
        for path in paths:
            for i in path:
                if i not in own:
                    own[i] = self._own(i, own)
        table: list[list] = []
        for n, link in enumerate(links):
            row = []
            for m in range(n):
                common = [i for i in paths[n] if i in paths[m]]
                ways = [path[len(common) :] for path in (paths[n], paths[m])]
                if not common:
                    row.append(np.zeros((6, 6)))
                    continue
                half = self._carried(ways[1], own[common[-1]])  # Φ_j Ω_cc
                row.append(self._turned(link, links[m], self._carried(ways[0], transpose(half))))  # (4)
            table.append([*row, self._turned(link, link, own[paths[n][-1]])])
        return table

    def _own(self, i: int, known):
        """(3)"""
        parent, solve = self.figure.pieces[i].parent, self.solves[i]
        if parent < 0:
            return solve.yields()
        before = _seen(self.X[i], known[parent])
        P = np.stack([solve.answer(np.zeros(6))[1](e)[1] for e in np.eye(6)], axis=-1)
        return full(upper_product(P @ before, P)) + solve.yields()

    def _carried(self, way, columns):
        """Φ on the columns of a matrix (6, 6)."""
        for i in way:
            finish = self.solves[i].answer(np.zeros(6))[1]
            columns = np.stack([finish(self.X[i].undo_motion(columns[:, k]))[1] for k in range(6)], axis=-1)
        return columns

    def _piece(self, link: int) -> int:
        return next(i for i, piece in enumerate(self.figure.pieces) if piece.link == link)

    def _path(self, i: int) -> list[int]:
        way: list[int] = []
        while i >= 0:
            way.append(i)
            i = self.figure.pieces[i].parent
        return way[::-1]

    def _turned(self, link: int, other: int, omega):
        """An answer in the pieces' axes, in the links'."""
        left, right = (self.figure.pieces[self._piece(x)].axes for x in (link, other))
        if left is None and right is None:
            return omega
        blocks = [[omega[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] for j in range(2)] for i in range(2)]
        L, R = (np.eye(3) if x is None else x for x in (left, right))
        return np.block([[L @ block @ transpose(R) for block in row] for row in blocks])


def _seen(X, omega):
    """X⁻¹ Ω X⁻ᵀ: an answer (6, 6) of the parent at the child's frame."""
    X = X if isinstance(X, Transform) else X.whole
    swapped = ArticulatedInertia(upper(omega[3:, 3:]), omega[3:, :3], upper(omega[:3, :3]))
    there = X.undo_inertia(swapped)
    top = np.concatenate([full(there.M), transpose(there.H)], axis=1)
    return np.concatenate([top, np.concatenate([there.H, full(there.A)], axis=1)], axis=0)


def articulated(figure, q, u, tau, f_ext=None, extra=None, added=None, name="direct_dynamics") -> Response:
    """The inward half of `direct_dynamics`, which see for the arguments."""
    no_loops(figure, name)
    falls = figure.joints[0].kind == "free"
    X, p = efforts(figure, q, u, np.zeros(figure.nu), f_ext, np.zeros(3) if falls else -figure.gravity)
    world = lifted(figure) if falls else np.zeros(6)
    I, p = with_added(figure, q, X, p, added, world)

    def solve(_, piece, I, p):
        joint, at, of = piece.joint, q[piece.q], piece.u
        drive = tau[of] + passive(joint, at, u[of]) if joint.nu else tau[of]
        return joint_solve(joint, at, I, p, drive, of_joint(extra, of))

    return Response(figure, X, inward(figure, X, I, p, solve), world)
