"""Gravity, external forces, and the springs, dampers and rotors of joints, in the form that the recursions use.

A joint may have its own spring, damper and rotor (armature):

    passive = -k (q ⊟ rest) - d u                                                              (1)
    r = armature + extra                                                                       (2)

r is added to the joint's inertia Sᵀ I S. `extra` comes from springs and dampers that are treated implicitly
(implicit_springs.py) and from joint limits (contact/limits). It is either a diagonal, stored as (nu,), or a symmetric
matrix (nu, nu). Only the diagonal blocks of joints are read from a matrix. The functions at the end of this file take
both forms.
"""

from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algebra.scalar import is_constant_zero
from anthropi.algebra.spatial import motion
from anthropi.algorithms.shapes import Array, ExternalForces
from anthropi.errors import InputError
from anthropi.figure import Figure, Joint

__all__ = [
    "add_inertia",
    "diagonal",
    "external_force",
    "extra_inertia_of",
    "gravity_acceleration",
    "has_armature",
    "has_damper",
    "has_spring",
    "joint_inertia",
    "not_zero",
    "passive_force",
    "require_tree",
    "times",
    "times_columns",
    "without_springs",
]

FOR_LOOPS = {  # algorithm for trees: its counterpart for figures with loops, in ap.loops
    "direct_dynamics": "loop_dynamics",
    "hybrid_dynamics": "loop_hybrid_dynamics",
    "inverse_dynamics": "loop_inverse_dynamics",
}


def require_tree(figure: Figure, algorithm: str) -> None:
    """Raise an error if the figure has loops, which an algorithm for trees would leave open.

    Parameters
    ----------
    algorithm : name of the function the user called, for the message.
    """
    if figure.loops:
        names = ", ".join(loop.name for loop in figure.loops)
        use = f"Use ap.loops.{FOR_LOOPS[algorithm]}, or r" if algorithm in FOR_LOOPS else "R"
        raise InputError(
            f"{algorithm} is for trees, but figure '{figure.name}' has loops ({names}). {use}emove the loops with "
            "figure.changed(loops=()) to treat the figure as a tree."
        )


def without_springs(figure: Figure, **fields: Any) -> Figure:
    """Return a copy of the figure without springs and dampers in its joints, and with the given fields changed."""
    joints = [joint.changed(stiffness=np.zeros(joint.nu), damping=np.zeros(joint.nu)) for joint in figure.joints]
    return figure.changed(joints=joints, checked=False, **fields)


def gravity_acceleration(figure: Figure) -> Array:
    """Return the spatial acceleration [0; -g] (6,) of the world that replaces gravity (Featherstone 2008, 5.3)."""
    return motion(np.zeros(3), -figure.gravity)


def external_force(f_ext: ExternalForces, i: int) -> Array | None:
    """Return the external force (6,) on link i, None if there is none."""
    if f_ext is None:
        return None
    return f_ext.get(i) if isinstance(f_ext, dict) else f_ext[i]


def passive_force(joint: Joint, q: Array, u: Array) -> Array:
    """Return the force (nu,) of a joint's spring and damper (1); the float 0.0 if it has neither.

    q (joint.nq,), u (joint.nu,): the joint's own coordinates and velocities.
    """
    force: Any = 0.0
    if has_spring(joint):
        rest = joint.integrate(joint.neutral(), joint.rest)
        force = force - joint.stiffness * joint.difference(rest, q)
    if has_damper(joint):
        force = force - joint.damping * u
    return force


def not_zero(values: Any) -> bool:
    """Return whether any of these numbers may be nonzero. A recording scalar always may be."""
    return any(not is_constant_zero(x) for x in np.asarray(values, dtype=object).ravel())


def has_armature(joint: Joint) -> bool:
    """Return whether the joint has rotor inertia."""
    return not_zero(joint.armature)


def has_damper(joint: Joint) -> bool:
    """Return whether the joint has a damper."""
    return not_zero(joint.damping)


def has_spring(joint: Joint) -> bool:
    """Return whether the joint has a spring."""
    return not_zero(joint.stiffness)


def joint_inertia(joint: Joint, extra: Array | None = None) -> Array | None:
    """Return r of (2), (nu,) or (nu, nu); None if the joint has neither armature nor extra inertia."""
    if extra is None or not not_zero(extra):
        return joint.armature if has_armature(joint) else None
    if np.ndim(extra) == 2:
        if not not_zero([x for j, row in enumerate(extra) for k, x in enumerate(row) if j != k]):
            extra = np.array([extra[k, k] for k in range(len(extra))])
        elif has_armature(joint):
            return diagonal(joint.armature) + extra
    return joint.armature + extra if has_armature(joint) else extra


def extra_inertia_of(extra: Array | None, of: slice) -> Array | None:
    """Return the part of `extra`, (nu,) or (nu, nu) of a figure, that belongs to one joint's velocities `of`."""
    if extra is None:
        return None
    return extra[of] if np.ndim(extra) == 1 else extra[of, of]


def diagonal(r: Array) -> Array:
    """Return r as a matrix (k, k): r (k,) on its diagonal, or r itself if it is a matrix."""
    if np.ndim(r) == 2:
        return r
    size = range(len(r))
    return np.array([[r[j] if j == k else 0.0 for k in size] for j in size])


def times(r: Array, x: Array) -> Array:
    """Return r x (k,), r either a diagonal (k,) or a matrix (k, k)."""
    return r * x if np.ndim(r) == 1 else matvec(r, x)


def times_columns(A: Array, r: Array) -> Array:
    """Return A r (m, k), r either a diagonal (k,) or a symmetric matrix (k, k)."""
    return A * r if np.ndim(r) == 1 else A @ r


def add_inertia(a: Array, b: Array) -> Array:
    """Return a + b, each either a diagonal (n,) or a matrix (n, n)."""
    return a + b if np.ndim(a) == np.ndim(b) else diagonal(a) + diagonal(b)
