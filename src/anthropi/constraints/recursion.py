"""Jacobians of body origins and vectors by the recursion of Liu, Song and Yong (2013), equation by equation.

The numbers are those of docs/equations/constraints.md, section 3. A path leads over bodies 0 (the world) → … → i-1 → i.
A joint is at s_{i-1,i} on body i-1 and at s_{i,i-1} on body i; C_{i-1,i}, C_{i,i-1} map components in its frames to
those of the two bodies; A″, d″ are its rotation and translation:

    r_i = r_{i-1} + s_{i-1,i} + d_{i-1,i} - s_{i,i-1}                                                 (9a)
    A_i = A_{i-1} C_{i-1,i} A″ C_{i,i-1}ᵀ                                                             (9b)
    d = A_{i-1} C_{i-1,i} d″,   s_{i-1,i} = A_{i-1} s'_{i-1,i},   s_{i,i-1} = A_i s'_{i,i-1}          (10a-c)
    dr_i = J_i^r dq,   dv_i = J_i^v dq                                                                (11)
    J_{i-1,i}(u) dq = d(A″) u,   D_{i-1,i} dq = d(d″)                                                 (Definition 2)
    J_i(u) = J_{i-1}(C_{i-1,i} A″ C_{i,i-1}ᵀ u) + [0 … A_{i-1} C_{i-1,i} J_{i-1,i}(C_{i,i-1}ᵀ u) … 0]  (13)
    J_i^v = J_i(v_i')                                                                                 (14), (15)
    J_i^r = J_{i-1}^r + J_{i-1}(s'_{i-1,i}) + J_{i-1}(C_{i-1,i} d″) + [0 … A_{i-1} C_{i-1,i} D … 0] - J_i(s'_{i,i-1})
                                                                                                      (16)
    f_q = Σ f_r J^r + Σ f_v J(v'),   J_x = J^r + J(s') for a point x = r + A s'                       (17), (20)

The columns belong to the coordinates q, as in the source (a ball joint has four: J_{i-1,i}(u) = K(u, p), (12)), or to
the velocities u, as everywhere else in this package. All joints are supported: derivatives with respect to coordinates
are computed from the recorded transform of the joint, those with respect to velocities from its spin and slide. This
file is for reference and tests; relative.py is faster.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.spatial import identity
from anthropi.constraints.driven import placed_at
from anthropi.constraints.primitives import Point, primitives_of
from anthropi.errors import InputError
from anthropi.figure import Figure
from anthropi.tape import push, record

__all__ = ["Connection", "J", "J_r", "connection", "joint_D", "joint_J", "joint_columns", "path", "poses", "rows"]

COLUMNS = ("coordinates", "velocities")


class Connection(NamedTuple):
    """A joint between bodies i-1 and i at its coordinates, with its frames on both bodies.

    at : its columns among the n columns of the Jacobian.
    """

    pose: Any  # A″, d″
    turns: Any  # derivatives of A″ for each column of the joint (own, 3, 3)
    slides: Any  # derivatives of d″ (own, 3)
    C: Any  # C_{i-1,i} (3, 3)
    s: Any  # s'_{i-1,i} (3,) [m]
    C_back: Any  # C_{i,i-1} (3, 3)
    s_back: Any  # s'_{i,i-1} (3,) [m]
    at: slice
    n: int


def connection(joint: Any, q: Any, frame: Any, back: Any, at: slice, n: int, by: str = "coordinates") -> Connection:
    """Return the connection that a joint makes at its coordinates q.

    frame, back : `Transform`s of the joint's frames on the inner and the outer body. at, n : see `Connection`.
    by : whether the columns belong to "coordinates" (nq) or "velocities" (nu).
    """
    turns, slides = joint_columns(joint, q, by)
    return Connection(
        joint.transform(q), turns, slides, frame.rotation, frame.origin, back.rotation, back.origin, at, n
    )


def path(figure: Figure, q: Any, link: str, by: str = "coordinates") -> list[Connection]:
    """Return the connections from the world to a link."""
    if by not in COLUMNS:
        raise InputError(f"by='{by}' is unknown. Choose one of {', '.join(COLUMNS)}.")
    found = []
    for i in figure.path(figure.link_index(link)) if link else ():
        joint = figure.joints[i]
        at, n = (figure.q_of[i], figure.nq) if by == "coordinates" else (figure.u_of[i], figure.nu)
        found.append(connection(joint, q[figure.q_of[i]], joint.placement, identity(), at, n, by))
    return found


def joint_columns(joint: Any, q: Any, by: str = "coordinates") -> Any:
    """Return the derivatives of a joint's rotation A″ (n, 3, 3) and translation d″ (n, 3) (Definition 2).

    by : derivatives with respect to the joint's "coordinates" or "velocities".
    """
    if by == "velocities":
        units, A = np.eye(joint.nu), joint.transform(q).rotation
        turns = [np.stack([matvec(A, np.cross(joint.spin(q, e), u)) for u in np.eye(3)], axis=1) for e in units]
        return turns, [joint.slide(q, e) for e in units]
    if not joint.nq:
        return [], []
    _, slopes = push(_tape(joint), list(q), [tuple(line) for line in np.eye(joint.nq)])
    table = np.array(slopes)  # (9 + 3, nq)
    return list(np.moveaxis(table[:9].reshape(3, 3, -1), 2, 0)), list(table[9:].T)


@functools.lru_cache(maxsize=10_000)
def _tape(joint: Any) -> Any:
    """Record the rotation A″ and the translation d″ of a joint as functions of its coordinates."""

    def pose(q: Any) -> Any:
        X = joint.transform(q)
        return np.asarray(X.rotation), np.asarray(X.origin)

    return record(pose, q=np.zeros(joint.nq))


def joint_J(c: Connection, u: Any) -> Any:
    """Return J_{i-1,i}(u) (3, own columns), the derivative of A″ u of one joint (Definition 2)."""
    return _columns([matvec(A, u) for A in c.turns])


def joint_D(c: Connection) -> Any:
    """Return D_{i-1,i} (3, own columns), the derivative of d″ of one joint (Definition 2)."""
    return _columns(c.slides)


def poses(chain: Any) -> Any:
    """Return the attitudes A_i and origins r_i of all bodies along a path, the world first (9), (10)."""
    A, r = [np.eye(3)], [np.zeros(3)]
    for c in chain:
        A.append(A[-1] @ c.C @ c.pose.rotation @ transpose(c.C_back))  # (9b)
        d = matvec(A[-2] @ c.C, c.pose.origin)  # (10a)
        r.append(r[-1] + matvec(A[-2], c.s) + d - matvec(A[-1], c.s_back))  # (9a), (10b), (10c)
    return A, r


def J(chain: Any, u: Any) -> Any:
    """Return J_i(u) (3, n), the Jacobian of a vector u fixed in the last body of a path (13)."""
    if not chain:
        raise InputError("The path is empty, and the world has no Jacobian. Give a path with at least one joint.")
    *before, c = chain
    inner = matvec(transpose(c.C_back), u)
    own = poses(before)[0][-1] @ c.C @ joint_J(c, inner)
    carried = matvec(c.C, matvec(c.pose.rotation, inner))
    return _wide(own, c) + (J(before, carried) if before else 0.0)


def J_r(chain: Any) -> Any:
    """Return J_i^r (3, n), the Jacobian of the origin of the last body of a path (16)."""
    *before, c = chain
    total = _wide(poses(before)[0][-1] @ c.C @ joint_D(c), c) - J(chain, c.s_back)
    if before:
        slid = matvec(c.C, c.pose.origin)
        total = total + J_r(before) + J(before, c.s) + J(before, slid)
    return total


def rows(figure: Figure, q: Any, constraints: Any, t: Any | None = None, by: str = "coordinates") -> Any:
    """Return the residuals Φ (m,) of constraints and their Jacobian (m, nq), or (m, nu) for velocities (17), (20)."""
    residual, lines = [], []
    every = primitives_of(constraints)
    chains = {f.body: path(figure, q, f.body, by) for c in every for f in c.features()}
    n = figure.nq if by == "coordinates" else figure.nu
    for c in every:
        x, slopes = zip(*[_vector(chains[f.body], n, f, t) for f in c.features()], strict=True)
        residual.append(c.value(x, t))
        lines.append(sum(matvec(transpose(dx), g) for g, dx in zip(c.gradient(x), slopes, strict=True)))  # (17)
    return np.stack(residual), np.stack(lines)


def _vector(chain: Any, n: int, feature: Any, t: Any) -> Any:
    """Return a feature's world vector (3,) and its Jacobian (3, n)."""
    s, _, _ = placed_at(feature, t)
    if not chain:
        return s, np.zeros((3, n))
    A, r = poses(chain)
    v, slope = matvec(A[-1], s), J(chain, s)  # (14), (15)
    return (r[-1] + v, J_r(chain) + slope) if isinstance(feature, Point) else (v, slope)


def _columns(vectors: Any) -> Any:
    return np.stack(vectors, axis=1) if vectors else np.zeros((3, 0))


def _wide(own: Any, c: Connection) -> Any:
    """Return the columns of one joint, extended by zeros to all n columns: [0 … own … 0]."""
    return np.concatenate([np.zeros((3, c.at.start)), own, np.zeros((3, c.n - c.at.stop))], axis=1)
