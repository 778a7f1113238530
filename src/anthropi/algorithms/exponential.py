"""What are velocities and forces in exponential coordinates?

Ball joints have u = ω in the child frame and τ the moment dual to it. In exponential coordinates r, C = exp [r]:

    ω = J_b(r) r',   r' = G_b(r) ω                                             (1)  rotations K.6, K.15
    τ_r = J_bᵀ τ,    τ = G_bᵀ τ_r,   <τ_r, r'> = <τ, ω>                        (2)  rotations K.71-73
    ω' = J_b r'' + J_b' r'                                                     (3)  rotations K.40
    chart  r⁺ = η r,  r⁺' and τ_r⁺, where ‖r‖ > π                              (4)  rotations K.66-70, K.76-78

for every ball in the figure: quaternion and exponential joints, the turn of a free one, and those inside composites.
All other entries stay. An exponential joint's r is its q; of a quaternion it is the logarithm, ‖r‖ ≤ π. At 2π there is
no inverse: change the chart at π.
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.shapes import algorithm
from anthropi.algorithms.velocity_change import VelocityChange

__all__ = [
    "exponential_change", "exponential_forces", "exponential_rates", "forces_from_exponential", "nearest_chart",
    "velocities_from_exponential",
]  # fmt: skip


@algorithm(q="nq", u="nu")
def exponential_rates(figure, q, u):
    """How fast do the exponential coordinates change? (nu,): r' for each ball, u elsewhere (1)."""
    return _each(figure, q, u, lambda r, w: matvec(rot.G_b(r), w))


@algorithm(q="nq", rates="nu")
def velocities_from_exponential(figure, q, rates):
    """Which u has the figure when its exponential coordinates change at these rates? (nu,) (1)"""
    return _each(figure, q, rates, lambda r, rdot: matvec(rot.J_b(r), rdot))


@algorithm(q="nq", tau="nu")
def exponential_forces(figure, q, tau):
    """Which forces, dual to the exponential coordinates, are these joint forces? (nu,) (2)"""
    return _each(figure, q, tau, lambda r, moment: matvec(transpose(rot.J_b(r)), moment))


@algorithm(q="nq", forces="nu")
def forces_from_exponential(figure, q, forces):
    """Which joint forces τ, dual to u, are these forces dual to the exponential coordinates? (nu,) (2)"""
    return _each(figure, q, forces, lambda r, moment: matvec(transpose(rot.G_b(r)), moment))


@algorithm(q="nq", rates="nu", forces="nu")
def nearest_chart(figure, q, rates, forces):
    """What are q, rates and forces in the charts with ‖r‖ ≤ π? The same pose, motion and power (4).

    q (nq,), rates and forces (nu,) → the same three. Only exponential joints have another chart.
    """
    there, moving, pushing = {}, {}, {}
    for at, of, r in _balls(figure, q):
        if at is not None:
            there[at.start], moving[of.start] = rot.change_chart(r, rates[of])
            pushing[of.start] = rot.change_chart_torque(r, forces[of])
    return _replaced(q, there), _replaced(rates, moving), _replaced(forces, pushing)


@algorithm(q="nq", u="nu")
def exponential_change(figure, q, u) -> VelocityChange:
    """How do u and the rates of exponential coordinates belong together? u = B r', B = diag(1, J_b(r), 1) (1), (3)"""
    blocks, inverses, drift = {}, {}, {}
    for _, of, r in _balls(figure, q):
        back = rot.G_b(r)
        blocks[of.start], inverses[of.start] = rot.J_b(r), back
        drift[of.start] = rot.J_b_dot_rdot(r, matvec(back, u[of]))
    return VelocityChange(
        _blocks(figure.nu, blocks), _replaced(np.zeros(figure.nu), drift), _blocks(figure.nu, inverses)
    )


def _balls(figure, q):
    """(its place in q or None where q is no rotation vector, its place in u, r) of every ball."""
    for joint, at, of in zip(figure.joints, figure.q_of, figure.u_of, strict=True):
        yield from _inside(joint, q, at.start, of.start)


def _inside(joint, q, at: int, of: int):
    """The balls of one joint, whose coordinates start at `at` in q and velocities at `of` in u."""
    if joint.kind == "exponential":
        yield slice(at, at + 3), slice(of, of + 3), q[at : at + 3]
    elif joint.kind in ("ball", "free"):
        before = 3 if joint.kind == "free" else 0
        r = rot.rotation_vector_from_quaternion(q[at + before : at + before + 4])
        yield None, slice(of + before, of + before + 3), r
    elif joint.kind == "composite":
        for part in joint.parts:
            yield from _inside(part, q, at, of)
            at, of = at + part.nq, of + part.nu
    elif joint.kind == "backward":
        yield from _inside(joint.joint, q, at, of)


def _each(figure, q, vector, change):
    """A vector (nu,) with change(r, its entries) for every ball."""
    return _replaced(vector, {of.start: change(r, vector[of]) for _, of, r in _balls(figure, q)})


def _replaced(vector, triples):
    """A vector with other triples at some places {start: (3,)}."""
    rows, at = [], 0
    for start in sorted(triples):
        rows += [vector[at:start], triples[start]]
        at = start + 3
    return np.concatenate([*rows, vector[at:]])


def _blocks(n: int, blocks):
    """The unit matrix (n, n) with 3×3 blocks at some places on its diagonal."""
    rows = list(np.eye(n))
    for start, block in blocks.items():
        none = np.zeros((3, n - start - 3))
        rows[start : start + 3] = list(np.concatenate([np.zeros((3, start)), block, none], axis=1))
    return np.stack(rows)
