"""The 42-degree-of-freedom figure of all operation counts: 13 boxes, a free root and 12 ball joints; and its ABA.

The articulated-body algorithm of the thesis (6.1–6.11), for a free root and ball joints, in operations of
`anthropi.spatial`. State: q = (position, quaternion x y z w of the root; a quaternion a joint), u = (v, ω of the root
in its own frame; ω of each joint in the child's frame), tau likewise.
"""

import numpy as np

from anthropi.algebra import spatial as sp
from anthropi.algebra.linear import inverse_symmetric, matvec, transpose

FIGURE = [  # name, parent, place in the parent, mass, box, height of the centre of mass
    ("pelvis", -1, (0.0, 0.0, 1.0), 11.0, (0.2, 0.3, 0.15), 0.0),
    ("torso", 0, (0.0, 0.0, 0.1), 30.0, (0.2, 0.35, 0.5), 0.25),
    ("head", 1, (0.0, 0.0, 0.55), 5.0, (0.18, 0.15, 0.25), 0.1),
    ("l_upper_arm", 1, (0.0, 0.2, 0.45), 2.0, (0.08, 0.08, 0.3), -0.15),
    ("l_forearm", 3, (0.0, 0.0, -0.3), 1.5, (0.07, 0.07, 0.28), -0.14),
    ("r_upper_arm", 1, (0.0, -0.2, 0.45), 2.0, (0.08, 0.08, 0.3), -0.15),
    ("r_forearm", 5, (0.0, 0.0, -0.3), 1.5, (0.07, 0.07, 0.28), -0.14),
    ("l_thigh", 0, (0.0, 0.1, -0.05), 8.0, (0.15, 0.15, 0.42), -0.21),
    ("l_shank", 7, (0.0, 0.0, -0.42), 4.0, (0.1, 0.1, 0.42), -0.21),
    ("l_foot", 8, (0.0, 0.0, -0.42), 1.2, (0.25, 0.1, 0.07), -0.035),
    ("r_thigh", 0, (0.0, -0.1, -0.05), 8.0, (0.15, 0.15, 0.42), -0.21),
    ("r_shank", 10, (0.0, 0.0, -0.42), 4.0, (0.1, 0.1, 0.42), -0.21),
    ("r_foot", 11, (0.0, 0.0, -0.42), 1.2, (0.25, 0.1, 0.07), -0.035),
]
PARENT = [parent for _, parent, *_ in FIGURE]
PLACE = [np.array(place) for _, _, place, *_ in FIGURE]
BODIES = [sp.box(size, mass=mass, centre=(0.0, 0.0, z)) for _, _, _, mass, size, z in FIGURE]
NQ, NU = 7 + 4 * 12, 6 + 3 * 12
GRAVITY = np.array([0.0, 0.0, -9.81])
BALL = (0, 1, 2)


def rotation(q):
    """C of a unit quaternion x y z w, child components to parent components."""
    x, y, z, w = q
    return np.array([
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ])  # fmt: skip


def poses(q):
    """The pose of every link seen from its parent."""
    root = sp.Transform(rotation(q[3:7]), q[:3])
    return [root, *(sp.Transform(rotation(q[3 + 4 * i : 7 + 4 * i]), PLACE[i]) for i in range(1, len(FIGURE)))]


def dofs(i):
    """Where the ball joint of link i is in u."""
    return slice(3 + 3 * i, 6 + 3 * i)


def aba(q, u, tau):
    """The accelerations of u."""
    X, n, still = poses(q), len(FIGURE), np.zeros(3)
    v, c, I, p = [None] * n, [None] * n, [None] * n, [None] * n
    for i in range(n):  # outward: how each link moves
        if i == 0:
            v[0] = sp.motion(u[3:6], u[0:3])
        else:
            joint = sp.motion(u[dofs(i)], still)
            v[i] = X[i].undo_motion(v[PARENT[i]]) + joint  # (6.1)
            c[i] = sp.cross_motion(v[i], joint)  # (6.3)
        I[i], p[i] = BODIES[i].articulated(), BODIES[i].bias_force(v[i])  # (6.2)
    left, D, K = [None] * n, [None] * n, [None] * n
    for i in reversed(range(1, n)):  # inward: what each joint must move
        D[i] = inverse_symmetric(I[i].block(BALL))
        K[i] = I[i].gain(BALL, D[i])
        left[i] = tau[dofs(i)] - p[i][:3]  # (6.6)
        Ia = I[i].eliminate(BALL, D[i])  # (6.7)
        pa = sp.merge(BALL, tau[dofs(i)], (p[i] + Ia.act(c[i]))[3:] + matvec(K[i], left[i]))  # (6.8)
        I[PARENT[i]] = I[PARENT[i]] + X[i].act_inertia(Ia)
        p[PARENT[i]] = p[PARENT[i]] + X[i].act_force(pa)
    a = [I[0].solve(sp.force(tau[3:6], tau[0:3]) - p[0])]  # (6.9)
    free = a[0][3:] + transpose(X[0].rotation) @ GRAVITY
    result = [free, a[0][:3]]
    for i in range(1, n):  # outward: how each link accelerates
        given = X[i].undo_motion(a[PARENT[i]]) + c[i]
        on = matvec(D[i], left[i]) - matvec(transpose(K[i]), given[3:])  # (6.10), (6.11) on the joint's axes
        result.append(on - given[:3])
        a.append(sp.merge(BALL, on, given[3:]))
    return np.concatenate(result)
