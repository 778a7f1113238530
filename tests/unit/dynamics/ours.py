"""What our recursion holds inside, link by link: the arguments and results of `eliminate_joint`, seen while it runs."""

import inspect
from contextlib import contextmanager
from types import SimpleNamespace
from unittest import mock

import numpy as np

from anthropi.algebra.spatial import motion
from anthropi.algorithms import direct_dynamics as direct
from anthropi.algorithms import hybrid_dynamics as hybrid
from anthropi.algorithms import recursions
from anthropi.algorithms.kinematics import kinematics
from unit.spatial.dense import P


class Seen:
    """One eliminated joint: I, p, tau as given; I_passed, p_passed inward; udot, a once the parent's is known.

    Forces and inertias are in the thesis' order. To the recursion it looks like the eliminated joint itself.
    """

    def __init__(self, joint, I, p, tau):
        self.joint, self.inertia, self.force = joint, joint.inertia, joint.force
        self.I, self.p, self.tau = P @ I.matrix(), P @ p, tau
        self.I_passed, self.p_passed = P @ joint.inertia.matrix(), P @ joint.force

    def accelerate(self, *given):
        self.udot, self.a = self.joint.accelerate(*given)
        return self.udot, self.a

    def told(self, axes, b, before):
        """The same in the thesis' terms.

        Ours takes each link in axes of its own and counts accelerations from b, those of no u' but the prescribed
        (docs/equations/dynamics.md). So p = p_ours - I b, a = a_ours + b, c = b - X⁻¹ b_λ, and of what is passed inward
        p = p_ours - I_passed X⁻¹ b_λ.
        """
        C = np.kron(np.eye(2), np.eye(3) if axes is None else axes)
        self.I, self.I_passed = C @ self.I @ C.T, C @ self.I_passed @ C.T
        self.p, self.p_passed = C @ self.p - self.I @ b, C @ self.p_passed - self.I_passed @ before
        self.a, self.c = C @ self.a + b, b - before


def direct_inside(figure, q, u, tau, f_ext=None):
    """udot (nu,) by our direct dynamics, and what it saw at every link."""
    with _watched(direct) as seen:
        udot = direct.direct_dynamics(figure, q, u, tau, f_ext)
    return udot, _told(figure, q, u, np.zeros(figure.nu), seen)


def hybrid_inside(figure, q, u, tau, udot, f_ext=None, prescribed=()):
    """(udot, tau) by our hybrid dynamics, and what it saw at every link."""
    with _watched(hybrid) as seen:
        rates, forces = hybrid.hybrid_dynamics(figure, q, u, tau, udot, f_ext, prescribed=prescribed)
    given = np.zeros(figure.nu)
    for k in figure.dof_indices(prescribed):
        given[k] = udot[k]
    return SimpleNamespace(udot=rates, tau=forces), _told(figure, q, u, given, seen)


@contextmanager
def _watched(algorithm):
    """Record the arguments and results of every elimination of a joint, in their order: inward."""
    signature, seen = inspect.signature(recursions.eliminate_joint), []

    def call(*args, **named):
        given = signature.bind(*args, **named).arguments
        seen.append(Seen(recursions.eliminate_joint(*args, **named), *(given[name] for name in ("I", "p", "tau"))))
        return seen[-1]

    with mock.patch.object(algorithm, "eliminate_joint", call):
        yield seen


def _told(figure, q, u, udot, seen):
    """What was seen, outward and in the thesis' terms."""
    k, free = kinematics(figure, q, u, udot), figure.joints[0].kind == "free"
    up = np.zeros(3) if free else -figure.gravity  # -g at a world that holds the figure
    linear = k.acceleration + up - np.cross(k.angular_velocity, k.velocity)
    back = np.swapaxes(k.rotation, 1, 2)
    b = motion((back @ k.angular_acceleration[..., None])[..., 0], (back @ linear[..., None])[..., 0])
    for i, (s, node) in enumerate(zip(seen[::-1], figure.dynamics_tree, strict=True)):
        above = motion(np.zeros(3), up) if figure.parent[i] < 0 else b[figure.parent[i]]
        s.told(node.axes, b[i], figure.pose(i, q).undo_motion(above))
    return seen[::-1]
