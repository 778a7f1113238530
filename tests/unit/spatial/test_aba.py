"""The articulated-body algorithm of the 42-degree-of-freedom figure, in operations of `anthropi.spatial`."""

import numpy as np

from anthropi.algebra import spatial as sp
from unit.spatial.bench42 import BODIES, FIGURE, GRAVITY, NQ, NU, PARENT, aba, dofs, poses
from unit.spatial.helpers import normal, run, same, taped


def state(seed):
    q = normal(seed, NQ)
    quaternions = q[3:].reshape(-1, 4)
    quaternions /= np.sqrt((quaternions**2).sum(-1, keepdims=True))
    return q, normal(seed + 1, NU), 10.0 * normal(seed + 2, NU)


def reference(q, u, tau):
    """The same from dense 6×6 matrices: M u' = tau - h with M = Σ Jᵀ I J, by np.linalg."""
    X, n = poses(q), len(FIGURE)
    J, v, bias = [], [], []  # Jacobian, velocity, acceleration at u' = 0, all in link coordinates
    up = sp.motion(np.zeros(3), -X[0].rotation.T @ GRAVITY)  # gravity as an acceleration of the base
    M, h = np.zeros((NU, NU)), np.zeros(NU)
    for i in range(n):
        S = np.zeros((6, NU))
        if i == 0:
            S[3:, 0:3] = S[:3, 3:6] = np.eye(3)
            J.append(S)
            bias.append(up)
        else:
            S[:3, dofs(i)] = np.eye(3)
            to = np.linalg.inv(X[i].matrix())
            J.append(to @ J[PARENT[i]] + S)
            bias.append(to @ bias[PARENT[i]])
        v.append(J[i] @ u)
        if i:
            bias[i] = bias[i] + sp.cross_motion_matrix(v[i]) @ (S @ u)
        I = BODIES[i].matrix()
        M += J[i].T @ I @ J[i]
        h += J[i].T @ (I @ bias[i] + sp.cross_force_matrix(v[i]) @ I @ v[i])
    return np.linalg.solve(M, tau - h)


def test_42_degrees_of_freedom_cost_no_more_than_the_spike():
    assert taped(aba, *state(0)).operations <= 4753  # the figure of the design; 4318 when last looked at


def test_42_degrees_of_freedom_equal_the_dense_reference():
    tape = taped(aba, *state(0))
    for seed in range(3):
        q, u, tau = state(10 * seed)
        expected = reference(q, u, tau)
        scale = 1e-10  # relative to the largest: 13 links in a chain of 5, mass matrix condition ~1e4
        same(aba(q, u, tau), expected, scale)
        same(run(tape, q, u, tau), expected, scale)


def test_a_kernel_takes_a_batch_of_figures():
    states = [state(10 * seed) for seed in range(5)]
    together = run(taped(aba, *states[0]), *(np.stack(part) for part in zip(*states, strict=True)))
    for got, one in zip(together, states, strict=True):
        same(got, reference(*one), 1e-10)
