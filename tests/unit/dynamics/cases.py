"""Random figures as ours and as the thesis' links, with everything both algorithms say of them."""

from functools import cache
from types import SimpleNamespace

import numpy as np
from scipy.spatial.transform import Rotation

from anthropi.algebra.spatial import motion
from anthropi.algorithms.kinematics import kinematics
from oracle.figures import figure, rng_of, state
from unit.dynamics import ours, thesis
from unit.spatial.dense import P

SIMPLE = ("revolute", "prismatic", "helical")  # one degree of freedom each
SERIES = (*SIMPLE, "cylindrical", "planar", "translational", "universal", "euler xyz", "euler zyx", "euler zxz")
SEEDS = range(6)  # 0 and 3 have a free root


def same(got, wanted, tol=1e-11):
    """Equal to tol of the largest entry: ten links, inertias that differ by a factor of a hundred."""
    got, wanted = np.asarray(got, float), np.asarray(wanted, float)
    assert got.shape == wanted.shape, f"{got.shape} is not {wanted.shape}"
    np.testing.assert_allclose(got, wanted, rtol=0.0, atol=tol * max(1.0, np.abs(wanted).max(initial=0.0)))


def differs(got, wanted, by=1e-3):
    """Not equal, by much more than rounding."""
    got, wanted = np.asarray(got, float), np.asarray(wanted, float)
    assert not np.abs(got - wanted).max() <= by * np.abs(wanted).max(), "what is printed is right after all"


def case(seed: int, families=SIMPLE, links=9):
    """A figure with a state, forces, and itself as the thesis' links.

    v_0, f_0 : velocity of and force on a free root, the thesis' way. still : a_0 of a fixed base that gives gravity.
    """
    fig, rng = figure(seed, links, families), rng_of("forces", seed)
    q, u, udot = state(fig, seed)
    tau, f_ext = rng.normal(size=fig.nu), rng.normal(size=(fig.n, 6))
    made = thesis.links_of(fig, q)
    pushed = [np.zeros(6)] * (made.links.n + 1)
    for i, k in enumerate(made.link):
        pushed[k] = P @ f_ext[i]
    case = SimpleNamespace(fig=fig, q=q, u=u, udot=udot, tau=tau, f_ext=f_ext, made=made, pushed=pushed, L=made.links,
                           free=fig.joints[0].kind == "free", k=kinematics(fig, q, u, udot))  # fmt: skip
    case.dq, case.Q, case.ddq = (made.by_link(x) for x in (u, tau, udot))
    case.g = np.concatenate([np.zeros(3), fig.gravity])
    case.base = {"a_0": -case.g}
    if case.free:
        C = Rotation.from_quat(q[3:7], scalar_first=True).as_matrix()
        case.g_0 = np.concatenate([np.zeros(3), C.T @ fig.gravity])
        f_0 = np.concatenate([C.T @ tau[:3], tau[3:6]])
        case.base = {"v_0": thesis.base_velocity(fig, q, u), "f_0": f_0}
    return case


@cache
def solved(seed: int):
    """Direct dynamics both ways. Gravity is added at the base, as in 4.5."""
    c = case(seed)
    c.theirs = thesis.direct(c.L, c.dq, c.Q, c.pushed, **c.base)
    c.udot, c.seen = ours.direct_inside(c.fig, c.q, c.u, c.tau, c.f_ext)
    return c


def whole_udot(c, theirs):
    """u' from the thesis' a_0 (without gravity) and q''."""
    joints = c.made.by_velocity(theirs.ddq)
    if not c.free:
        return joints
    return np.concatenate([thesis.base_udot(c.fig, c.q, c.u, theirs.a[0] + c.g_0), joints])


def in_link(c, angular, linear):
    """World vectors of every link as spatial ones in its own frame."""
    back = np.swapaxes(c.k.rotation, 1, 2)
    return motion((back @ angular[..., None])[..., 0], (back @ linear[..., None])[..., 0])


def velocity(c):
    """Our spatial velocity of every link, in its frame."""
    return in_link(c, c.k.angular_velocity, c.k.velocity)


def acceleration(c, k=None):
    """Our spatial acceleration of every link, in its frame: classical less ω × v (1.10)."""
    k = c.k if k is None else k
    return in_link(c, k.angular_acceleration, k.acceleration - np.cross(k.angular_velocity, k.velocity))


def of_links(c, rows):
    """The thesis' values for our links."""
    return [rows[k] for k in c.made.link]
