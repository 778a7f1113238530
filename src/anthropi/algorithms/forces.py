"""What acts on a figure besides its joint forces: gravity, external forces, joint springs and dampers."""

import numpy as np

from anthropi.algebra.scalar import nothing
from anthropi.algebra.spatial import motion
from anthropi.errors import SizeError

__all__ = [
    "bare", "has_armature", "has_damper", "has_spring", "lifted", "no_loops", "not_zero", "outer", "passive", "steady",
]  # fmt: skip

WITH_LOOPS = {  # an algorithm for trees: the one for figures with loops
    "direct_dynamics": "loop_dynamics",
    "hybrid_dynamics": "loop_hybrid_dynamics",
    "inverse_dynamics": "loop_inverse_dynamics",
}


def bare(figure, **fields):
    """The figure without springs and dampers in its joints, and with these fields changed."""
    joints = [joint.changed(stiffness=np.zeros(joint.nu), damping=np.zeros(joint.nu)) for joint in figure.joints]
    return figure.changed(joints=joints, checked=False, **fields)


def lifted(figure):
    """The spatial acceleration (6,) a world without gravity must have for the same effect: [0; -g] (thesis 4.5)."""
    return motion(np.zeros(3), -figure.gravity)


def steady(figure, u):
    """u with the linear velocities of free roots set to 0: steady motion of a whole tree changes no force (Galileo)."""
    parts = [np.zeros(0)]
    for i, parent, joint in figure.outward():
        own = u[figure.u_of[i]]
        parts.append(np.concatenate([np.zeros(3), own[3:]]) if parent < 0 and joint.kind == "free" else own)
    return np.concatenate(parts)


def outer(f_ext, i: int):
    """The external force (6,) on link i, or None: f_ext is (links, 6), {link number: (6,)}, or None."""
    if f_ext is None:
        return None
    return f_ext.get(i) if isinstance(f_ext, dict) else f_ext[i]


def passive(joint, q, u):
    """Force (nu,) of a joint's own spring and damper: -k (q ⊟ rest) - d u; 0.0 where it has neither."""
    force = 0.0
    if has_spring(joint):
        rest = joint.integrate(joint.neutral(), joint.rest)
        force = force - joint.stiffness * joint.difference(rest, q)
    if has_damper(joint):
        force = force - joint.damping * u
    return force


def not_zero(values) -> bool:
    """Whether any of the figure's numbers is not known to be zero."""
    return any(not nothing(x) for x in np.asarray(values, dtype=object).ravel())


def has_armature(joint) -> bool:
    """Whether the joint has rotor inertia."""
    return not_zero(joint.armature)


def has_damper(joint) -> bool:
    """Whether the joint has a damper."""
    return not_zero(joint.damping)


def has_spring(joint) -> bool:
    """Whether the joint has a spring."""
    return not_zero(joint.stiffness)


def no_loops(figure, algorithm: str) -> None:
    """Refuse a figure with loops: an algorithm for trees would leave its closures open without a word."""
    if figure.loops:
        names = ", ".join(loop.name for loop in figure.loops)
        use = f"Take ap.{WITH_LOOPS[algorithm]}, or t" if algorithm in WITH_LOOPS else "T"
        raise SizeError(f"{algorithm} is for trees, and figure '{figure.name}' has loops ({names}). {use}ake them off "
                        "with figure.changed(loops=()) to treat it as a tree.")  # fmt: skip
