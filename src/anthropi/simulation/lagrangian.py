"""How does the Lagrangian L = ½ uᵀ M(q) u - V(q) change with u and with q? One pass out, one pass in.

With v_i the velocity of link i, w_i the part of it that its parent gives, and f_i the momentum of all that hangs on it,

    v_i = w_i + S u,   w_i = X⁻¹ v_λ                                           (1)
    f_i = I_i v_i + Σ X f_j,   F_i = f_ext - I_i a_i + Σ X F_j,  a = -gravity  (2)
    ∂L/∂u = Sᵀ f_i + armature u                                                (3)
    ∂L/∂q = Sᵀ (F_i - w_i ×* f_i) + (∂S/∂q u)ᵀ f_i + springs and dampers       (4)

since a small motion S ζ of the joint changes v_i by w_i × S ζ, and S itself where it depends on q. ∂L/∂q is along the
columns of F(q), as u is; it holds all forces but those of inertia, also those that have no potential.
"""

import functools

import numpy as np

from anthropi.algebra.spatial import cross_force
from anthropi.algorithms.forces import external_force, gravity_acceleration, has_armature, passive_force, require_tree
from anthropi.tape import pull, record

__all__ = ["slopes"]


def slopes(figure, q, u, f_ext=None):
    """∂L/∂u = M u and ∂L/∂q, both (nu,): the momenta, and the forces that do not come from inertia."""
    require_tree(figure, "the variational method")
    X: list = []
    given: list = []
    own: list = []
    f: list = []
    F: list = []
    a: list = []
    for i, parent, joint in figure.outward():
        X.append(figure.pose(i, q))
        at, of = q[figure.q_of[i]], figure.u_of[i]
        given.append(np.zeros(6) if parent < 0 else X[i].undo_motion(given[parent] + own[parent]))
        own.append(joint.subspace(at) @ u[of] if joint.nu else np.zeros(6))  # (1)
        a.append(X[i].undo_motion(gravity_acceleration(figure) if parent < 0 else a[parent]))
        body, push = figure.links[i].inertia, external_force(f_ext, i)
        f.append(body.act(given[i] + own[i]))
        F.append(-body.act(a[i]) if push is None else push - body.act(a[i]))
    momenta: list = [np.zeros(0)] * figure.n
    forces: list = [np.zeros(0)] * figure.n
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
    """(∂S/∂q u)ᵀ f (nu,): the gradient of f · S(q) u along the columns of F(q)."""
    _, gradient = pull(_work(joint), [*q, *u, *f], [1.0])
    g = np.array(gradient[: joint.nq])
    return np.array([g @ joint.rate(q, e) for e in np.eye(joint.nu)])


@functools.lru_cache(maxsize=4096)
def _work(joint):
    """f · S(q) u of a joint, recorded."""
    return record(lambda q, u, f: f @ (joint.subspace(q) @ u),
                  q=np.zeros(joint.nq), u=np.zeros(joint.nu), f=np.zeros(6))  # fmt: skip
