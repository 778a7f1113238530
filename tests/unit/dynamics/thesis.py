"""The thesis' algorithms, letter by letter, for tests: link coordinates, 6×6 matrices, motion [ω; v₀], force [f; τ₀].

Each joint has one degree of freedom. Numbers are the thesis'; the right forms of its errata are the defaults, and the
printed ones can be asked for (`mu`, `v_0`, `to`, `divisor`, `articulated`).

Link 0 is the base: a free body (its a_0 found, 6.9) or one whose a_0 is given (0 for a fixed base).
"""

from types import SimpleNamespace as Results
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from oracle.figures import all_steps
from unit.spatial.dense import column_s, cross_hat, inertia_hat, matrix_s, x_to

NONE = np.zeros(6)


class Links(NamedTuple):
    """λ_i; X_i = _iX_λ; s_i in link i; I_i. Entry 0 is the base, which has no λ, X, s of its own."""

    lam: list[int]
    X: list[Any]
    s: list[Any]
    I: list[Any]

    @property
    def n(self) -> int:
        return len(self.lam) - 1

    def mu(self, i: int) -> list[int]:
        """μ_i: the successors of link i (6.2.2)."""
        return [j for j in range(1, len(self.lam)) if self.lam[j] == i]


def times(hX, I):
    """_iX_j I _jX_i for hX = _jX_i: a transform's inverse is its spatial transpose (4.6)."""
    return matrix_s(hX) @ I @ hX


def velocities(L: Links, dq, v_0):
    """Outward: (6.1), (6.2), (6.3)."""
    v, pv, c = [v_0], [cross_hat(v_0) @ L.I[0] @ v_0], [NONE]
    for i in range(1, L.n + 1):
        v.append(L.X[i] @ v[L.lam[i]] + L.s[i] * dq[i])  # (6.1)
        pv.append(cross_hat(v[i]) @ L.I[i] @ v[i])  # (6.2)
        c.append(cross_hat(v[i]) @ L.s[i] * dq[i])  # (6.3)
    return v, pv, c


def direct(L: Links, dq, Q, f_ext=None, v_0=NONE, f_0=NONE, a_0=None, mu=None, to=0, divisor="IA") -> Results:
    """(6.1)-(6.11) with (7.4). dq, Q are numbered by link, entry 0 unused; f_ext likewise, or None.

    a_0 : the base's acceleration where it is known; else (6.9) finds it.
    mu, to, divisor : what the thesis prints: other successors, inward only to link 1, s^S I s in place of s^S I^A s.
    """
    mu = L.mu if mu is None else mu
    f_ext = [NONE] * (L.n + 1) if f_ext is None else f_ext
    v, pv, c = velocities(L, dq, v_0)
    IA, p, h, d, u = ([None] * (L.n + 1) for _ in range(5))
    for i in range(L.n, to - 1, -1):
        IA[i] = L.I[i] + sum(times(L.X[j], IA[j] - np.outer(h[j], column_s(h[j])) / d[j]) for j in mu(i))  # (6.7)
        p[i] = (
            pv[i] - f_ext[i] + sum(matrix_s(L.X[j]) @ (p[j] + IA[j] @ c[j] + h[j] * u[j] / d[j]) for j in mu(i))
        )  # (6.8), (7.4)
        if i:
            h[i] = IA[i] @ L.s[i]  # (6.4)
            d[i] = column_s(L.s[i]) @ (h[i] if divisor == "IA" else L.I[i] @ L.s[i])  # (6.5)
            u[i] = Q[i] - column_s(h[i]) @ c[i] - column_s(L.s[i]) @ p[i]  # (6.6)
    if to:
        IA[0], p[0] = L.I[0], pv[0] - f_ext[0]
    a = [np.linalg.solve(IA[0], f_0 - p[0]) if a_0 is None else a_0]  # (6.9)
    ddq = [0.0]
    for i in range(1, L.n + 1):
        ddq.append((u[i] - column_s(h[i]) @ L.X[i] @ a[L.lam[i]]) / d[i])  # (6.10)
        a.append(L.X[i] @ a[L.lam[i]] + c[i] + L.s[i] * ddq[i])  # (6.11)
    return Results(v=v, pv=pv, c=c, IA=IA, p=p, h=h, d=d, u=u, a=a, ddq=np.array(ddq))


def inverse(L: Links, dq, ddq, f_ext=None, v_0=NONE, f_0=NONE, a_0=None, articulated=False) -> Results:
    """(9.9)-(9.14). `articulated` takes (6.7) for I^C, as the thesis' words have it (E14)."""
    f_ext = [NONE] * (L.n + 1) if f_ext is None else f_ext
    v, pv, c = velocities(L, dq, v_0)
    IC, p = [None] * (L.n + 1), [None] * (L.n + 1)
    for i in range(L.n, -1, -1):
        IC[i] = L.I[i] + sum(times(L.X[j], _felt(L, j, IC[j]) if articulated else IC[j]) for j in L.mu(i))  # (9.9)
        p[i] = (
            pv[i] - f_ext[i] + sum(matrix_s(L.X[j]) @ (p[j] + IC[j] @ (c[j] + L.s[j] * ddq[j])) for j in L.mu(i))
        )  # (9.10), (9.11)
    a = [np.linalg.solve(IC[0], f_0 - p[0]) if a_0 is None else a_0]  # (9.13)
    Q = [0.0]
    for i in range(1, L.n + 1):
        a.append(L.X[i] @ a[L.lam[i]] + cross_hat(v[i]) @ L.s[i] * dq[i] + L.s[i] * ddq[i])  # (9.12)
        Q.append(column_s(L.s[i]) @ (IC[i] @ a[i] + p[i]))  # (9.14)
    return Results(v=v, pv=pv, c=c, IC=IC, p=p, a=a, Q=np.array(Q))


def _felt(L: Links, j: int, I):
    """I - h h^S / d (6.7)."""
    h = I @ L.s[j]
    return I - np.outer(h, column_s(h)) / (column_s(L.s[j]) @ h)


def hybrid(L: Links, dq, Q, ddq, given, f_ext=None, v_0=NONE, f_0=NONE, a_0=None) -> Results:
    """11.1, 11.2: joints in `given` have their q'' and pass back (9.9), (9.11); the others pass back (6.7), (6.8)."""
    f_ext = [NONE] * (L.n + 1) if f_ext is None else f_ext
    _, pv, c = velocities(L, dq, v_0)
    I, p, h, d, u = ([None] * (L.n + 1) for _ in range(5))
    for i in range(L.n, -1, -1):
        I[i], p[i] = L.I[i], pv[i] - f_ext[i]
        for j in L.mu(i):
            if j in given:
                I[i] = I[i] + times(L.X[j], I[j])  # (9.9)
                p[i] = p[i] + matrix_s(L.X[j]) @ (p[j] + I[j] @ (c[j] + L.s[j] * ddq[j]))  # (9.11)
            else:
                I[i] = I[i] + times(L.X[j], I[j] - np.outer(h[j], column_s(h[j])) / d[j])  # (6.7)
                p[i] = p[i] + matrix_s(L.X[j]) @ (p[j] + I[j] @ c[j] + h[j] * u[j] / d[j])  # (6.8)
        if i and i not in given:
            h[i] = I[i] @ L.s[i]
            d[i] = column_s(L.s[i]) @ h[i]
            u[i] = Q[i] - column_s(h[i]) @ c[i] - column_s(L.s[i]) @ p[i]
    a = [np.linalg.solve(I[0], f_0 - p[0]) if a_0 is None else a_0]
    found, force = [0.0], [0.0]
    for i in range(1, L.n + 1):
        before = L.X[i] @ a[L.lam[i]]
        found.append(ddq[i] if i in given else (u[i] - column_s(h[i]) @ before) / d[i])  # (6.10)
        a.append(before + c[i] + L.s[i] * found[i])
        force.append(column_s(L.s[i]) @ (I[i] @ a[i] + p[i]) if i in given else Q[i])  # (9.14)
    return Results(a=a, ddq=np.array(found), Q=np.array(force), I=I, p=p)


def absolute(L: Links, dq, Q, a_0=NONE) -> Results:
    """(5.14)-(5.23): one chain on a fixed base, everything in the base's coordinates, so that no X is left."""
    assert L.lam == [None, *range(L.n)], "one chain"
    X = [np.eye(6)]  # _iX_0
    for i in range(1, L.n + 1):
        X.append(L.X[i] @ X[i - 1])
    s = [None, *(matrix_s(X[i]) @ L.s[i] for i in range(1, L.n + 1))]
    body = [None, *(times(X[i], L.I[i]) for i in range(1, L.n + 1))]
    v, pv, c = [NONE], [NONE], [NONE]
    for i in range(1, L.n + 1):
        v.append(v[i - 1] + s[i] * dq[i])  # (5.14)
        pv.append(cross_hat(v[i]) @ body[i] @ v[i])  # (5.15)
        c.append(cross_hat(v[i]) @ s[i] * dq[i])  # (5.16)
    IA, p, h, d, u = ([None] * (L.n + 1) for _ in range(5))
    for i in range(L.n, 0, -1):
        IA[i], p[i] = body[i], pv[i]
        if i < L.n:
            j = i + 1
            IA[i] = IA[i] + IA[j] - np.outer(h[j], column_s(h[j])) / d[j]  # (5.20)
            p[i] = p[i] + p[j] + IA[j] @ c[j] + h[j] * u[j] / d[j]  # (5.21)
        h[i] = IA[i] @ s[i]  # (5.17)
        d[i] = column_s(s[i]) @ h[i]  # (5.18)
        u[i] = Q[i] - column_s(h[i]) @ c[i] - column_s(s[i]) @ p[i]  # (5.19)
    a, ddq = [a_0], [0.0]
    for i in range(1, L.n + 1):
        ddq.append((u[i] - column_s(h[i]) @ a[i - 1]) / d[i])  # (5.22)
        a.append(a[i - 1] + c[i] + s[i] * ddq[i])  # (5.23)
    return Results(X=X, v=v, pv=pv, c=c, IA=IA, p=p, h=h, d=d, u=u, a=a, ddq=np.array(ddq))


# a figure as the thesis' links


class Made(NamedTuple):
    """Links, and where a figure's links and velocities are among them: `link[i]`, `joint[k]` of u_k."""

    links: Links
    link: list[int]
    joint: list[int]

    def by_link(self, values) -> np.ndarray:
        """Numbers (nu,) in the order of u as the thesis numbers joints, entry 0 unused; a base's six left out."""
        out = np.zeros(self.links.n + 1)
        out[self.joint] = np.asarray(values)[-len(self.joint) :] if self.joint else []
        return out

    def by_velocity(self, values) -> np.ndarray:
        """And back."""
        return np.asarray(values)[self.joint]


def links_of(figure, q, split=None) -> Made:
    """A figure whose joints are hinges, slides and screws in series, its root possibly free, at q (6.2.1).

    split : the shares of a joint's body that its links get, from the last backwards; all on the last by default.
    """
    free = figure.joints[0].kind == "free"
    lam, X, s, I = [None], [None], [None], [np.zeros((6, 6))]
    at, joint = {-1: 0}, {}
    for i, own in all_steps(figure, q):
        link, before = figure.links[i], at[figure.parent[i]]
        body = inertia_hat(float(link.mass), np.asarray(link.centre), np.asarray(link.tensor))
        if i == 0 and free:
            at[0], I[0] = 0, body
            continue
        shares = [1.0] if split is None else split[: len(own)]
        for k, step in enumerate(own):
            C, r, axis = _moved(step)
            lam.append(before)
            X.append(x_to(C.T, r))  # E = (placement rotation · joint rotation)ᵀ, r in the parent (3.2)
            s.append(axis)
            left = len(own) - 1 - k
            I.append(body * shares[left] if left < len(shares) else np.zeros((6, 6)))
            before = len(lam) - 1
            joint[int(np.flatnonzero(step.B[0])[0])] = before
        at[i] = before
    return Made(Links(lam, X, s, I), [at[i] for i in range(figure.n)], [joint[k] for k in sorted(joint)])


def _moved(step):
    """C, r of the child in the parent after a hinge, slide or screw, and its axis s (App. 5B)."""
    a, q = np.asarray(step.axis, float), float(step.q[0])
    turns = step.kind != "slide"
    slide = {"hinge": 0.0, "slide": 1.0, "screw": step.pitch}[step.kind]
    C = step.place.rotation @ (Rotation.from_rotvec(a * q).as_matrix() if turns else np.eye(3))
    r = step.place.origin + step.place.rotation @ a * (slide * q)
    return C, r, np.concatenate([a if turns else np.zeros(3), slide * a])


def base_velocity(figure, q, u):
    """v_0 = [ω; Rᵀ v] of a free root."""
    C = Rotation.from_quat(q[3:7], scalar_first=True).as_matrix()
    return np.concatenate([u[3:6], C.T @ u[:3]])


def base_udot(figure, q, u, a_0):
    """u' of a free root from its spatial acceleration in its own coordinates: ω', and v' = R (a_lin + ω × Rᵀ v)."""
    C = Rotation.from_quat(q[3:7], scalar_first=True).as_matrix()
    return np.concatenate([C @ (a_0[3:] + np.cross(u[3:6], C.T @ u[:3])), a_0[:3]])


def weight(figure, q, made: Made, rotations):
    """f^ext_i = I_i [0; R_iᵀ g] of every link (7.2.4)."""
    out = [NONE] * (made.links.n + 1)
    for i, k in enumerate(made.link):
        out[k] = made.links.I[k] @ np.concatenate([np.zeros(3), rotations[i].T @ figure.gravity])
    return out
