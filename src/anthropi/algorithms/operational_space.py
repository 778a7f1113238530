"""Operational-space inertia: accelerations of links under forces on links, without a mass matrix.

The joints that `direct_dynamics` eliminates in its inward pass can be reused for any further force on links. With the
transmission P = 1 - S D⁻¹ Uᵀ of a joint and its mobility Y = S D⁻¹ Sᵀ:

    inward   f_λ = f_λ + X Pᵀ f_i                                                              (1)
    outward  a_i = P X⁻¹ a_λ + Y f_i                                                           (2)

The inverse operational-space inertia Ω_ij (6, 6), the acceleration of link i under unit forces on link j, is found
outward from the root, where Ω = Y:

    Ω_ii = P X⁻¹ Ω_λλ X⁻ᵀ Pᵀ + Y                                                               (3)
    Ω_ij = Φ_i Ω_cc Φ_jᵀ,   Φ the product of P X⁻¹ from c, the last link that carries both     (4)

With the linear part first, Ω transforms between frames like an inertia. For a joint along unit columns P has zeros,
which are never computed: a ball joint transmits only the three accelerations of its point.

Source: K. Kreutz-Delgado, A. Jain, G. Rodriguez, "Recursive formulation of operational space control", International
Journal of Robotics Research 11 (1992) 320-328.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import full, transpose, upper, upper_product
from anthropi.algebra.spatial import ArticulatedInertia, Transform
from anthropi.algorithms.direct_dynamics import ArticulatedBodies, articulated_bodies
from anthropi.algorithms.shapes import Array, ExternalForces, LinkInertias
from anthropi.figure import Figure

__all__ = ["OperationalSpace", "operational_space"]


def operational_space(
    figure: Figure,
    q: Array,
    u: Array,
    tau: Array,
    f_ext: ExternalForces = None,
    extra: Array | None = None,
    added: LinkInertias = None,
) -> "OperationalSpace":
    """Compute the articulated bodies of a figure at one state; arguments as in `direct_dynamics`."""
    return OperationalSpace(figure, articulated_bodies(figure, q, u, tau, f_ext, extra, added))


class OperationalSpace(NamedTuple):
    """Articulated bodies of a figure at one state."""

    figure: Figure
    bodies: ArticulatedBodies

    def accelerations(self) -> Array:
        """Return udot (nu,) under the given forces, as `direct_dynamics` does."""
        return self._outward([joint.accelerate for joint in self.bodies.joints], self.bodies.a_world)

    def acceleration_change(self, forces: dict[int, Array]) -> Array:
        """Return the change of u' (nu,) due to additional forces {link number: (6,), link frame} (1), (2)."""
        tree, (X, joints, _) = self.figure.dynamics_tree, self.bodies
        f: list[Any] = [np.zeros(6)] * len(tree)
        for link, force in forces.items():
            i = self._node(link)
            f[i] = f[i] + tree[i].force(force)
        accelerate: list[Any] = [None] * len(tree)
        for i in reversed(range(len(tree))):
            passed, accelerate[i] = joints[i].respond(f[i])
            if tree[i].parent >= 0:
                f[tree[i].parent] = f[tree[i].parent] + X[i].act_force(passed)  # (1)
        return self._outward(accelerate, np.zeros(6))

    def inverse_inertias(self, links: list[int]) -> list[list[Array]]:
        """Return Ω (6, 6) for each pair of links, in link frames, as rows of the lower triangle (3), (4)."""
        own: dict[int, Any] = {}
        paths = [self._path(self._node(link)) for link in links]
        for path in paths:
            for i in path:
                if i not in own:
                    own[i] = self._own(i, own)
        table: list[list[Any]] = []
        for n, link in enumerate(links):
            row = []
            for m in range(n):
                common = [i for i in paths[n] if i in paths[m]]
                if not common:
                    row.append(np.zeros((6, 6)))
                    continue
                to_n, to_m = (path[len(common) :] for path in (paths[n], paths[m]))
                there = self._carried(to_m, own[common[-1]])  # Φ_j Ω_cc
                row.append(self._in_links(link, links[m], self._carried(to_n, transpose(there))))  # (4)
            table.append([*row, self._in_links(link, link, own[paths[n][-1]])])
        return table

    def _outward(self, accelerate: list[Any], a_world: Array) -> Array:
        """Return u' (nu,) by the outward pass (2), given for each node a function a' → (u', a)."""
        a: list[Any] = []
        udot: list[Any] = []
        for i, node in enumerate(self.figure.dynamics_tree):
            udot_i, a_i = accelerate[i](self.bodies.X[i].undo_motion(a_world if node.parent < 0 else a[node.parent]))
            udot.append(udot_i)
            a.append(a_i)
        return np.concatenate(udot)

    def _own(self, i: int, known: dict[int, Any]) -> Array:
        """Return Ω_ii of node i from the Ω of its parent (3)."""
        parent, joint = self.figure.dynamics_tree[i].parent, self.bodies.joints[i]
        if parent < 0:
            return joint.mobility()
        there = _seen_from_child(self.bodies.X[i], known[parent])
        P = np.stack([joint.respond(np.zeros(6))[1](e)[1] for e in np.eye(6)], axis=-1)
        return full(upper_product(P @ there, P)) + joint.mobility()

    def _carried(self, path: list[int], columns: Array) -> Array:
        """Return the product of Φ along a path of nodes with a matrix (6, 6) (4)."""
        for i in path:
            accelerate = self.bodies.joints[i].respond(np.zeros(6))[1]
            X = self.bodies.X[i]
            columns = np.stack([accelerate(X.undo_motion(columns[:, k]))[1] for k in range(6)], axis=-1)
        return columns

    def _node(self, link: int) -> int:
        """Return the node that carries a link."""
        return next(i for i, node in enumerate(self.figure.dynamics_tree) if node.link == link)

    def _path(self, i: int) -> list[int]:
        """Return the nodes from the root to node i."""
        path: list[int] = []
        while i >= 0:
            path.append(i)
            i = self.figure.dynamics_tree[i].parent
        return path[::-1]

    def _in_links(self, link: int, other: int, omega: Array) -> Array:
        """Convert Ω (6, 6) from the axes of two nodes to those of their links."""
        left, right = (self.figure.dynamics_tree[self._node(x)].axes for x in (link, other))
        if left is None and right is None:
            return omega
        blocks = [[omega[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] for j in range(2)] for i in range(2)]
        L, R = (np.eye(3) if x is None else x for x in (left, right))
        return np.block([[L @ block @ transpose(R) for block in row] for row in blocks])


def _seen_from_child(X: Any, omega: Array) -> Array:
    """Return X⁻¹ Ω X⁻ᵀ: the parent's Ω (6, 6) in the child's frame."""
    X = X if isinstance(X, Transform) else X.whole
    swapped = ArticulatedInertia(upper(omega[3:, 3:]), omega[3:, :3], upper(omega[:3, :3]))
    there = X.undo_inertia(swapped)
    top = np.concatenate([full(there.M), transpose(there.H)], axis=1)
    return np.concatenate([top, np.concatenate([there.H, full(there.A)], axis=1)], axis=0)
