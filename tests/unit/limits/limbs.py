"""What the tests of limits share: single limbs of a human, and their kernels."""

import numpy as np

import anthropi as ap
from anthropi.algebra.scalar import minimum
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.contact.limits import implicit_limits, limited_step
from anthropi.tape import repeat

__all__ = ["gaps", "limb", "runs"]


def limb(name: str, figure=None):
    """The human, stiff but for one joint, its pelvis held: one ball or hinge that carries a limb."""
    figure = ap.human() if figure is None else figure
    return figure.lock([joint.name for joint in figure.joints if joint.name != name]).merge_fixed()


def gaps(figure, limits, q):
    return np.array([end.gap for end in limits.ends(figure, q)])


def runs(figure, limits, h: float, steps: int, opt=2):
    """A kernel of q, u, tau, held (nu,), inertia that holds joints: the state after, and the least gap of each end."""
    nu, count = figure.nu, len(limits.ends(figure, figure.neutral()))

    def step(q, u, tau, held):
        if limits.hard:
            return limited_step(figure, limits, q, u, tau, h)[:2]
        tau, extra, _ = implicit_limits(figure, limits, q, u, tau, h)
        extra = np.diag(extra) if extra.ndim == 1 else extra
        extra = np.array([[x + held[j] if j == k else x for k, x in enumerate(row)] for j, row in enumerate(extra)])
        u = u + h * direct_dynamics(figure, q, u, tau, extra=extra)
        return figure.integrate(q, h * u), u

    def run(q, u, tau, held):
        def body(state):
            q, u, least = state
            q, u = step(q, u, tau, held)
            return q, u, minimum(least, gaps(figure, limits, q))

        return repeat(body, (q, u, np.full(count, 9.0)), steps)

    none = np.zeros(nu)
    return ap.build(ap.record(run, q=figure.neutral(), u=none, tau=none, held=none), opt=opt)
