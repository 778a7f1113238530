"""Velocities and forces in exponential coordinates (rotation vectors) of ball joints.

Ball joints have u = ω in the child frame and τ the moment dual to it. In exponential coordinates r, C = exp [r]:

    ω = J_b(r) r',   r' = G_b(r) ω                                                             (1)
    τ_r = J_bᵀ τ,    τ = G_bᵀ τ_r,   τ_r · r' = τ · ω                                          (2)
    ω' = J_b r'' + J_b' r'                                                                     (3)
    r⁺ = η r,  and r⁺', τ_r⁺, where ‖r‖ > π    another chart of the same rotation              (4)

These hold for every ball in the figure: quaternion and exponential joints, the rotation of a free joint, and balls
inside composites. All other entries are unchanged. The r of an exponential joint is its q; the r of a quaternion is its
logarithm, ‖r‖ ≤ π. At ‖r‖ = 2π there is no inverse, so change the chart at π. J_b, G_b and η are in `algebra.rotation`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.equations_of_motion import VelocityChange
from anthropi.algorithms.shapes import Array, algorithm
from anthropi.figure import Figure

__all__ = [
    "exponential_change",
    "exponential_forces",
    "exponential_rates",
    "forces_from_exponential",
    "nearest_chart",
    "velocities_from_exponential",
]


@algorithm(q="nq", u="nu")
def exponential_rates(figure: Figure, q: Array, u: Array) -> Array:
    """Compute the rates of exponential coordinates from velocities (1).

    q (nq,), u (nu,) → (nu,): r' [rad/s] for each ball, u elsewhere.
    """
    return _each(figure, q, u, lambda r, w: matvec(rot.G_b(r), w))


@algorithm(q="nq", rates="nu")
def velocities_from_exponential(figure: Figure, q: Array, rates: Array) -> Array:
    """Compute velocities from the rates of exponential coordinates (1).

    q (nq,), rates (nu,): r' for each ball, u elsewhere → u (nu,).
    """
    return _each(figure, q, rates, lambda r, rdot: matvec(rot.J_b(r), rdot))


@algorithm(q="nq", tau="nu")
def exponential_forces(figure: Figure, q: Array, tau: Array) -> Array:
    """Compute the forces dual to exponential coordinates from joint forces (2).

    q (nq,), tau (nu,) → (nu,) [N m or N]: τ_r for each ball, τ elsewhere.
    """
    return _each(figure, q, tau, lambda r, moment: matvec(transpose(rot.J_b(r)), moment))


@algorithm(q="nq", forces="nu")
def forces_from_exponential(figure: Figure, q: Array, forces: Array) -> Array:
    """Compute joint forces from forces dual to exponential coordinates (2).

    q (nq,), forces (nu,): τ_r for each ball, τ elsewhere → τ (nu,) [N m or N], dual to u.
    """
    return _each(figure, q, forces, lambda r, moment: matvec(transpose(rot.G_b(r)), moment))


@algorithm(q="nq", rates="nu", forces="nu")
def nearest_chart(figure: Figure, q: Array, rates: Array, forces: Array) -> tuple[Array, Array, Array]:
    """Return q (nq,), rates and forces (nu,) in the charts with ‖r‖ ≤ π: the same pose, motion and power (4).

    Only exponential joints have another chart.
    """
    there: dict[int, Any] = {}
    moving: dict[int, Any] = {}
    pushing: dict[int, Any] = {}
    for at, of, r in _balls(figure, q):
        if at is not None:
            there[at.start], moving[of.start] = rot.change_chart(r, rates[of])
            pushing[of.start] = rot.change_chart_torque(r, forces[of])
    return _replaced(q, there), _replaced(rates, moving), _replaced(forces, pushing)


@algorithm(q="nq", u="nu")
def exponential_change(figure: Figure, q: Array, u: Array) -> VelocityChange:
    """Compute the change of velocities u = B r', B = diag(1, J_b(r), 1), with its drift and inverse (1), (3).

    q (nq,), u (nu,).
    """
    blocks: dict[int, Any] = {}
    inverses: dict[int, Any] = {}
    drift: dict[int, Any] = {}
    for _, of, r in _balls(figure, q):
        back = rot.G_b(r)
        blocks[of.start], inverses[of.start] = rot.J_b(r), back
        drift[of.start] = rot.J_b_dot_rdot(r, matvec(back, u[of]))
    return VelocityChange(
        _blocks(figure.nu, blocks), _replaced(np.zeros(figure.nu), drift), _blocks(figure.nu, inverses)
    )


def _balls(figure: Figure, q: Array) -> Iterator[tuple[slice | None, slice, Array]]:
    """Yield for every ball its place in q (None if q is not a rotation vector), its place in u, and r (3,)."""
    for joint, at, of in zip(figure.joints, figure.q_of, figure.u_of, strict=True):
        yield from _inside(joint, q, at.start, of.start)


def _inside(joint: Any, q: Array, at: int, of: int) -> Iterator[tuple[slice | None, slice, Array]]:
    """Yield the balls of one joint, whose coordinates start at `at` in q and velocities at `of` in u."""
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


def _each(figure: Figure, q: Array, vector: Array, change: Callable[[Array, Array], Array]) -> Array:
    """Return a vector (nu,) in which the entries of every ball are replaced by change(r, entries)."""
    return _replaced(vector, {of.start: change(r, vector[of]) for _, of, r in _balls(figure, q)})


def _replaced(vector: Array, triples: Mapping[int, Array]) -> Array:
    """Return a copy of a vector in which three entries from each start on are replaced, given {start: (3,)}."""
    rows: list[Any] = []
    at = 0
    for start in sorted(triples):
        rows += [vector[at:start], triples[start]]
        at = start + 3
    return np.concatenate([*rows, vector[at:]])


def _blocks(n: int, blocks: Mapping[int, Array]) -> Array:
    """Return the unit matrix (n, n) with 3×3 blocks on its diagonal, given {start: block}."""
    rows = list(np.eye(n))
    for start, block in blocks.items():
        none = np.zeros((3, n - start - 3))
        rows[start : start + 3] = list(np.concatenate([np.zeros((3, start)), block, none], axis=1))
    return np.stack(rows)
