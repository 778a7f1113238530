"""What our recursion holds inside, link by link: the arguments and results of `joint_solve`, seen while it runs."""

import inspect
from types import SimpleNamespace
from unittest import mock

import numpy as np

from anthropi.algorithms import direct_dynamics as direct
from anthropi.algorithms import hybrid_dynamics as hybrid
from anthropi.algorithms import joint_solve as solves
from unit.spatial.dense import P


class Seen:
    """One joint's solve: I, p, c, tau as given; I_passed, p_passed inward; udot, a once the parent moves.

    Forces and inertias are in the thesis' order. To the recursion it looks like the solve itself.
    """

    def __init__(self, solve, I, p, c, tau):
        self.solve, self.inertia, self.force = solve, solve.inertia, solve.force
        self.I, self.p, self.c, self.tau = P @ I.matrix(), P @ p, np.asarray(c, float), tau
        self.I_passed, self.p_passed = P @ solve.inertia.matrix(), P @ solve.force

    def finish(self, *given):
        self.udot, self.a = self.solve.finish(*given)
        return self.udot, self.a


def direct_inside(figure, q, u, tau, f_ext=None):
    """udot (nu,) by our direct dynamics, and what it saw at every link."""
    seen: list[Seen] = []
    with mock.patch.object(direct, "joint_solve", _watched(solves.joint_solve, seen)):
        udot = direct.direct_dynamics(figure, q, u, tau, f_ext)
    return udot, seen[::-1]  # it goes inward


def hybrid_inside(figure, q, u, tau, udot, f_ext=None, prescribed=()):
    """(udot, tau) by our hybrid dynamics, and what it saw at every link."""
    seen: list[Seen] = []
    with mock.patch.object(hybrid, "joint_solve", _watched(solves.joint_solve, seen)):
        rates, forces = hybrid.hybrid_dynamics(figure, q, u, tau, udot, f_ext, prescribed=prescribed)
    return SimpleNamespace(udot=rates, tau=forces), seen[::-1]


def _watched(solve, seen):
    signature = inspect.signature(solve)

    def call(*args, **named):
        given = signature.bind(*args, **named).arguments
        seen.append(Seen(solve(*args, **named), *(given[name] for name in ("I", "p", "c", "tau"))))
        return seen[-1]

    return call
