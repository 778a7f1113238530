"""Variational midpoint rule on the manifold, with the derivatives of the Lagrangian L = ½ uᵀ M(q) u - V(q).

With the velocity v_i of link i, the part w_i of it that comes from its parent, and the momentum f_i of link i and all
links outboard of it,

    v_i = w_i + S u,   w_i = X⁻¹ v_λ                                           (1)
    f_i = I_i v_i + Σ X f_j,   F_i = f_ext - I_i a_i + Σ X F_j,  a = -gravity  (2)
    ∂L/∂u = Sᵀ f_i + armature u                                                (3)
    ∂L/∂q = Sᵀ (F_i - w_i ×* f_i) + (∂S/∂q u)ᵀ f_i + springs and dampers       (4)

since a small motion S ζ of the joint changes v_i by w_i × S ζ, and changes S itself if S depends on q. ∂L/∂q is along
the columns of F(q), like u. It contains all forces except those of inertia, also forces without a potential.

The action of a step of length h from q0 to q1 = q0 ⊞ h v is evaluated at its middle, m = q0 ⊞ h v/2, with the constant
velocity v: h L(m, v). Its derivatives with respect to q0 and q1 are the momenta at both ends (Marsden and West, Acta
Numerica 10 (2001) 357; on groups: Bou-Rabee and Marsden, Found. Comput. Math. 9 (2009) 197). With p = ∂L/∂u and
w = ∂L/∂q + τ at (m, v), the matrix G of `lift`, and t = tan(φ/4) e for a rotation h v = φ e:

    p0 = G(h v) p - ½ h (w + t × w)                                            (5)
    p1 = G(-h v) p + ½ h (w - t × w)                                           (6)

The term t × w appears for rotational dofs only. ½ (1 ± t ×) is the derivative of the middle with respect to each end,
so forces enter by their work on the motion of the middle (d'Alembert). The derivative of this map is symplectic.
Momenta of symmetries are conserved to rounding error, and the energy oscillates about its value without drift. (5) is
solved for v by

    f = (M(q0) + r)⁻¹ e,   e = p0 - (5),   v⁺ = v + f - γ (Δv + Δf),   γ = Δf·e / Δf·Δe       (7)

with r from springs and dampers over half a step (implicit_springs.py), and Δ the change since the previous pass. This
is Newton's method with the inertia in place of the derivative. Each pass reduces the error by a factor of order h |u|.
A secant term accelerates convergence (Anderson 1965).
"""

import functools
from typing import Any

import numpy as np

from anthropi.algebra.rotation import quaternion_from_rotation_vector
from anthropi.algebra.scalar import absolute, less, less_equal, where
from anthropi.algebra.spatial import cross_force
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.forces import (
    external_force,
    gravity_acceleration,
    has_armature,
    passive_force,
    require_tree,
    without_springs,
)
from anthropi.algorithms.implicit_springs import implicit_drive
from anthropi.figure.states import angular_starts
from anthropi.tape import pull, record, repeat

__all__ = ["slopes", "variational_midpoint"]


def slopes(figure: Any, q: Any, u: Any, f_ext: Any = None) -> Any:
    """Compute the derivatives ∂L/∂u = M u and ∂L/∂q of the Lagrangian, both (nu,).

    They are the momenta, and the forces that do not come from inertia.
    """
    require_tree(figure, "the variational method")
    X: list[Any] = []
    given: list[Any] = []
    own: list[Any] = []
    f: list[Any] = []
    F: list[Any] = []
    a: list[Any] = []
    for i, parent, joint in figure.outward():
        X.append(figure.pose(i, q))
        at, of = q[figure.q_of[i]], figure.u_of[i]
        given.append(np.zeros(6) if parent < 0 else X[i].undo_motion(given[parent] + own[parent]))
        own.append(joint.subspace(at) @ u[of] if joint.nu else np.zeros(6))  # (1)
        a.append(X[i].undo_motion(gravity_acceleration(figure) if parent < 0 else a[parent]))
        body, push = figure.links[i].inertia, external_force(f_ext, i)
        f.append(body.act(given[i] + own[i]))
        F.append(-body.act(a[i]) if push is None else push - body.act(a[i]))
    momenta: list[Any] = [np.zeros(0)] * figure.n
    forces: list[Any] = [np.zeros(0)] * figure.n
    for i, parent, joint in figure.inward():
        at, of = q[figure.q_of[i]], figure.u_of[i]
        if joint.nu:
            S = joint.subspace(at)
            momenta[i] = S.T @ f[i] + (joint.armature * u[of] if has_armature(joint) else 0.0)  # (3)
            forces[i] = S.T @ (F[i] - cross_force(given[i], f[i])) + passive_force(joint, at, u[of])  # (4)
            if joint.axes is None:
                forces[i] = forces[i] + _turned(joint, at, u[of], f[i])
        if parent >= 0:
            f[parent] = f[parent] + X[i].act_force(f[i])  # (2)
            F[parent] = F[parent] + X[i].act_force(F[i])
    return np.concatenate(momenta), np.concatenate(forces)


def _turned(joint, q, u, f):
    """Compute (∂S/∂q u)ᵀ f (nu,): the gradient of f · S(q) u along the columns of F(q)."""
    _, gradient = pull(_work(joint), [*q, *u, *f], [1.0])
    g = np.array(gradient[: joint.nq])
    return np.array([g @ joint.rate(q, e) for e in np.eye(joint.nu)])


@functools.lru_cache(maxsize=4096)
def _work(joint):
    """Record f · S(q) u of a joint on a tape."""
    return record(lambda q, u, f: f @ (joint.subspace(q) @ u),
                  q=np.zeros(joint.nq), u=np.zeros(joint.nu), f=np.zeros(6))  # fmt: skip


DONE = 1e-28  # energy of a correction relative to that of the motion at convergence (rounding of float64)
FAILED = 1e-8  # a larger relative energy is not accepted as a solution, also in float32
MIN_SPEED = 1e-8  # [m/s] smallest speed for this comparison, since a figure at rest has no energy
MAX_STALLS = 4.0  # passes without improvement after which the solution is accurate to rounding, in any precision


def variational_midpoint(
    figure: Any, forces: Any, t: Any, q: Any, u: Any, h: Any, gains: Any = (None, None), passes: int = 50
) -> Any:
    """Make one step of h [s] by the variational midpoint rule, equations (5) and (6). Returns (q⁺, u⁺).

    u⁺ is NaN if (5) is not solved after `passes` iterations.

    forces : function (t, q, u) → (tau, f_ext). gains : (kp, kd) of springs and dampers in tau, for faster convergence.
    """
    plain, start = without_springs(figure, gravity=np.zeros(3)), angular_starts(figure)
    none = np.zeros(figure.nu)
    p0, _ = slopes(plain, q, u)
    _, extra = implicit_drive(figure, q, none, none, 0.5 * h, None, *gains)

    def ends(v):
        """Compute the momenta (5) and (6) at both ends of the step, and twice the kinetic energy."""
        m = figure.integrate(q, 0.5 * h * v)
        tau, f_ext = forces(t + 0.5 * h, m, v)
        p, w = slopes(figure, m, v, f_ext)
        w = 0.5 * h * (w + tau)
        aside = _across(start, 0.5 * h * v, w)
        return figure.lift(h * v, p) - (w + aside), figure.lift(-h * v, p) + (w - aside), (p * v).sum()

    def closer(state):
        v, last, before, stalls, _ = state
        here, _, energy = ends(v)
        e = p0 - here
        f = direct_dynamics(plain, q, none, e, extra=extra)
        left = absolute((f * e).sum())
        dv, df, de = v - last[0], f - last[1], e - last[2]
        across = (df * de).sum()
        secant = less(0.0, across)  # not on the first pass
        gamma = where(secant, (df * e).sum() / where(secant, across, 1.0), 0.0)
        stalls = where(less_equal(left, DONE * energy), MAX_STALLS, stalls + where(less(left, before), 0.0, 1.0))
        failed = less(FAILED * energy + MIN_SPEED * MIN_SPEED * figure.mass, left)
        return v + f - gamma * (dv + df), (v, f, e), left, stalls, where(failed, 1.0, 0.0)  # (7)

    zero = np.array(0.0)
    first = (u, (u, none, none), np.array(1e300), zero, np.array(1.0))
    v, _, _, _, failed = repeat(closer, first, passes, until=lambda state: less_equal(MAX_STALLS, state[3]))
    _, p1, _ = ends(v)
    there = figure.integrate(q, h * v)
    u1 = direct_dynamics(plain, there, none, p1)
    return there, u1 + where(less(0.5, failed), np.nan, 0.0)


def _across(start, half, w):
    """Compute t × w for rotational dofs, 0 elsewhere; half = h v / 2 has the quaternion (cos φ/4, sin φ/4 e)."""
    parts, at = [], 0
    for k in start:
        turn = quaternion_from_rotation_vector(half[k : k + 3])
        parts += [np.zeros(k - at), np.cross(turn[1:] / turn[0], w[k : k + 3])]
        at = k + 3
    return np.concatenate([*parts, np.zeros(len(w) - at)])
