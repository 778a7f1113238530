"""What acts on the random figures: rotors, springs and dampers in their joints, forces on their links.

`case(seed)` is a figure of 2 to 60 links with all of that, and a state. The forces of springs and dampers are written
here a second time, by SciPy, so that peers which know neither can be compared.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.figure import Figure
from oracle.figures import FAMILIES, Rotation, family, figure, rng_of, state

SEEDS = range(500)
BLOCK = 50  # seeds to a test
LEAST = 0.05  # the smallest singular value of S for which a joint needs no rotor: below, M is singular or nearly so


class Case(NamedTuple):
    """A figure, its state, and the external forces (links, 6) on it."""

    fig: Figure
    q: np.ndarray
    u: np.ndarray
    udot: np.ndarray
    f_ext: np.ndarray


def case(seed: int, links: int | None = None, families=FAMILIES, in_turn=False, even=False) -> Case:
    """Figure, state and forces of a seed; every other figure has rotors, springs and dampers.

    even : the same about all axes of a turn, so that springs have a potential and rotors no gyroscopic moment.
    """
    rng = rng_of("loads", seed)
    fig = figure(seed, links or int(2 + 59 * rng.uniform() ** 4), families, in_turn)  # most small, one in ten above 40
    q, u, udot = state(fig, seed)
    joints = []
    for j, at in zip(fig.joints, fig.q_of, strict=True):
        fields = acting(j, rng, even) if seed % 2 == 0 else {}
        if needs_rotor(j, q[at]):
            fields["armature"] = spread(j, rng, even)
        joints.append(j.changed(**fields))
    pushed = rng.uniform(size=(fig.n, 1)) < [[0.5]] * (fig.n - 1) + [[1.0]]  # half of the links, and the last
    f_ext = 5.0 * pushed * rng.normal(size=(fig.n, 6))
    return Case(fig.changed(joints=joints), q, u, udot, f_ext)


@cache
def moving(seed: int):
    """A case and the joint forces (nu,) that inverse dynamics finds for it; computed once."""
    c = case(seed)
    return c, inverse_dynamics(c.fig, c.q, c.u, c.udot, c.f_ext)


def acting(j, rng, even: bool) -> dict:
    """A rotor, a spring, a damper, each in half of the joints."""
    fields = {n: spread(j, rng, even) for n in ("armature", "stiffness", "damping") if rng.uniform() < 0.5}
    return fields | ({"rest": rng.uniform(-0.5, 0.5, j.nu)} if "stiffness" in fields else {})


def spread(j, rng, even: bool) -> np.ndarray:
    """Numbers between 0.1 and 1, one for each degree of freedom; where `even`, one for each turn of three axes."""
    values = rng.uniform(0.1, 1.0, j.nu)
    for at in turns(j) if even else ():
        values[at] = values[at.start]
    return values


def turns(j) -> list[slice]:
    """Where velocities are angular velocities, not rates of coordinates."""
    if j.kind == "composite":
        found, start = [], 0
        for part in j.parts:
            found += [slice(start + s.start, start + s.stop) for s in turns(part)]
            start += part.nu
        return found
    return {"ball": [slice(0, 3)], "exponential": [slice(0, 3)], "free": [slice(3, 6)]}.get(j.kind, [])


def needs_rotor(j, q) -> bool:
    """Whether the frames inside a joint, which have no mass, could move without the link."""
    return j.kind == "composite" and (j.nu > 6 or np.linalg.svd(j.subspace(q))[1].min(initial=1.0) < LEAST)


def own_force(j, q, u):
    """Force (nu,) of the joint's spring and damper."""
    return -j.stiffness * away(j, q, np.array(j.rest)) - j.damping * u  # a copy: SciPy wants to be able to write


def away(j, q, rest):
    """q ⊟ rest (nu,): how far the joint is from where its spring is slack."""
    if j.kind == "ball":
        return (Rotation.from_rotvec(rest).inv() * Rotation.from_quat(q, scalar_first=True)).as_rotvec()
    if j.kind == "exponential":
        return (Rotation.from_rotvec(rest).inv() * Rotation.from_rotvec(q)).as_rotvec()
    if j.kind == "free":
        turn = Rotation.from_rotvec(rest[3:]).inv() * Rotation.from_quat(q[3:], scalar_first=True)
        return np.concatenate([q[:3] - rest[:3], turn.as_rotvec()])
    if j.kind == "composite":
        found, at_q, at_u = [], 0, 0
        for part in j.parts:
            found.append(away(part, q[at_q : at_q + part.nq], rest[at_u : at_u + part.nu]))
            at_q, at_u = at_q + part.nq, at_u + part.nu
        return np.concatenate(found)
    return q - rest


def own_forces(fig: Figure, q, u):
    """Forces (nu,) of all springs and dampers."""
    return np.concatenate([own_force(j, q[a], u[b]) for j, a, b in zip(fig.joints, fig.q_of, fig.u_of, strict=True)])


def rotors(fig: Figure):
    """Rotor inertias (nu,)."""
    return np.concatenate([j.armature for j in fig.joints])


def apart(fig: Figure, ours, theirs) -> tuple[float, str]:
    """How far apart two sets of joint forces (nu,) are, and at which joint most.

    Each joint by itself: relative to its largest force, or to a thousandth of the figure's largest where it has none.
    """
    assert ours.shape == theirs.shape == (fig.nu,) and ours.dtype == float
    least, found = np.max(np.abs(theirs), initial=0.0) / 1000.0, [(0.0, "no joint")]
    for j, of in zip(fig.joints, fig.u_of, strict=True):
        if j.nu:
            off = np.max(np.abs(ours[of] - theirs[of])) / max(np.max(np.abs(theirs[of])), least)
            found.append((np.inf if np.isnan(off) else float(off), f"joint {j.name}, {family(j)}"))
    return max(found)


def owner(fig: Figure, k) -> str:
    """Name and family of degree of freedom k, for messages."""
    return next((f"{fig.dofs[k]}, {family(j)}" for j, of in zip(fig.joints, fig.u_of, strict=True)
                 if of.start <= k < of.stop), "nothing that moves")  # fmt: skip
