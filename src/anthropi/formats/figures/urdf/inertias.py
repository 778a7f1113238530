"""Inertias of URDF files that no rigid body can have: merge them where that is exact, else take the nearest one.

A tensor I about the centre of mass belongs to a body if and only if its principal moments λ are in the cone

    λ_i ≤ λ_j + λ_k      ⇔      λ = A s,  s ≥ 0,  A = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]                (1)

where s are the principal second moments ∫ x² dm. The dynamics of a figure depend only on the sum of the inertias of
links that are welded to each other. Where such a sum is in the cone, it is moved to the first of these links, and the
motion is exactly that of the file. Where it is not, the nearest tensor in the Frobenius norm is taken: it has the same
principal axes, and the moments A s with the least |A s - λ|. Links that are welded to the world do not move, so that
their tensors have no effect.

A link with a tensor and without a mass gets the mass `MASS_OF_TENSOR` · trace, of which no result depends to 1e-12. A
joint that moves no mass gets the armature `IDLE_ARMATURE`, because otherwise forces would not determine its motion.
"""

from typing import NamedTuple

import numpy as np

from anthropi.algebra.spatial import RigidInertia, identity, rigid_sum
from anthropi.algebra.spatial.rigid import check
from anthropi.errors import FormatError, InputError
from anthropi.figure import Figure, Joint, Link
from anthropi.figure.validation import idle_joints
from anthropi.formats.figures.common import Notes

__all__ = ["Body", "nearest_moments", "physical", "with_armature"]

A = np.ones((3, 3)) - np.eye(3)  # (1)
MIN_MOMENT = 1e-13  # least principal moment relative to the trace, so that a rod has some thickness
MIN_RADIUS_SQUARED = 1e-14  # [m²] least principal moment relative to the mass, so that a point mass has some size
MASS_OF_TENSOR = 1e-15  # [kg/(kg m²)] relative to the trace
IDLE_ARMATURE = 1e-6  # [kg m² or kg] rotor inertia of a joint that moves no mass: that of a small gear
MAX_NUMBER = 1e100  # of a tensor or centre that is repaired, so that sums do not overflow
SMALL_CHANGE = 1e-9  # relative change of a tensor that is noted, but not a warning


class Body(NamedTuple):
    """The inertia of a link as in the file: mass [kg], centre (3,) [m] and tensor (3, 3) about it, in link axes."""

    mass: float
    centre: np.ndarray
    tensor: np.ndarray


NOTHING = Body(0.0, np.zeros(3), np.zeros((3, 3)))


def nearest_moments(moments: np.ndarray) -> np.ndarray:
    """Return the point of the cone (1) that is nearest to three principal moments."""
    best = np.zeros(3)
    for kept in ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]):  # each face of the cone: the others of s are 0
        columns = A[:, kept]
        s = np.linalg.lstsq(columns, moments, rcond=None)[0]
        point = columns @ s
        if (s >= 0.0).all() and np.linalg.norm(point - moments) < np.linalg.norm(best - moments):
            best = point
    return best


def physical(
    links: list[Link],
    bodies: dict[str, Body],
    joints: dict[str, Joint],
    parent: dict[str, str],
    notes: Notes,
    file: str,
) -> dict[str, Body]:
    """Return inertias that rigid bodies can have, {link: inertia}, and note each change.

    links : the links, parents first. bodies : {link: its inertia as in the file}. joints, parent : the
    joint and the parent of each link, "" for the world.
    """
    groups: dict[str, list[str]] = {}
    head, place = {}, {}
    for link in links:
        above, joint = parent[link.name], joints[link.name]
        if joint.nu or not above:
            head[link.name], place[link.name] = link.name, identity()
        else:
            head[link.name] = head[above]
            place[link.name] = place[above] @ joint.placement @ joint.transform(np.zeros(0))
        groups.setdefault(head[link.name], []).append(link.name)
    given, bodies = bodies, dict(bodies)
    for first, names in groups.items():
        wrong = [name for name in names if not _is_physical(bodies[name])]
        if not wrong:
            continue
        for name in names:
            _refuse_extreme(bodies[name], f"{file}: the inertia of link '{name}'")
        if not joints[first].nu:
            for name in wrong:
                fault = "a tensor that no body has" if bodies[name].mass else "a tensor without mass"
                notes.add(f"{file}: link '{name}'", f"{fault}; {STILL}", matters=False, changed=True)
                bodies[name] = _repaired(bodies[name])
            continue
        whole = _sum([bodies[n] for n in names], [place[n] for n in names])
        _refuse_extreme(whole, f"{file}: the sum of the inertias of the links welded to '{first}'")
        if _is_physical(whole):
            words = f"a tensor that no body has; the sum with the links welded to it is exact and is given to '{first}'"
            for name in wrong:
                notes.add(f"{file}: link '{name}'", words, matters=False, changed=True)
        else:
            whole = _noted(whole, f"{file}: link '{wrong[0]}'", notes)
        bodies |= dict.fromkeys(names, NOTHING) | {first: whole}
    return bodies if any(bodies[name] is not given[name] for name in given) else given


STILL = "it has no effect, because the link is welded to the world"


def _refuse_extreme(body: Body, what: str) -> None:
    """Raise `FormatError` if numbers are so large or a mass is so small that they cannot be computed with."""
    size = np.abs(np.concatenate([[body.mass], body.centre, body.tensor.ravel()])).max()
    if not size < MAX_NUMBER or 0.0 < body.mass < 1.0 / MAX_NUMBER:
        raise FormatError(f"{what} has numbers that are too large or too small. Give kilograms and metres.")


def _is_physical(body: Body) -> bool:
    """Whether a rigid body can have this inertia; no mass and no tensor is a massless link."""
    if body.mass == 0.0 and not body.tensor.any():
        return True
    try:
        check(body.mass, body.centre, body.tensor, "link")
    except InputError:
        return False
    return True


def _sum(bodies: list[Body], places: list) -> Body:
    """Return the inertia of several bodies held together, in the frame in which their places are given."""
    moved = [X.act_inertia(RigidInertia(*b)) for b, X in zip(bodies, places, strict=True) if b.mass or b.tensor.any()]
    if not any(m.mass for m in moved):
        return Body(0.0, np.zeros(3), np.sum([m.tensor for m in moved], axis=0))
    if len(moved) == 1:
        return Body(moved[0].mass, moved[0].centre, moved[0].tensor)
    whole = rigid_sum(moved)
    return Body(whole.mass, whole.centre, whole.tensor)


def _repaired(body: Body) -> Body:
    """Return the nearest inertia that a rigid body can have."""
    moments, axes = np.linalg.eigh(0.5 * (body.tensor + body.tensor.T))
    moments = nearest_moments(moments)
    mass = body.mass or MASS_OF_TENSOR * moments.sum()
    moments = np.maximum(moments, max(MIN_MOMENT * moments.sum(), MIN_RADIUS_SQUARED * mass))
    return Body(mass, body.centre, (axes * moments) @ axes.T)


def _noted(body: Body, where: str, notes: Notes) -> Body:
    """Return the nearest physical inertia, and note the change."""
    found = _repaired(body)
    before, after = (np.linalg.eigvalsh(0.5 * (x + x.T)) for x in (body.tensor, found.tensor))
    if not body.mass:
        notes.add(where, f"a tensor without mass; the mass is set to {found.mass:.2g} kg", changed=True)
    change = float(np.linalg.norm(after - before))
    if change > max(SMALL_CHANGE * float(np.linalg.norm(after)), 10.0 * MIN_RADIUS_SQUARED * body.mass):
        words = f"principal moments {_list(before)} kg m², which no body has; the nearest are {_list(after)}"
        notes.add(where, f"{words}, a change of {change:.3g} kg m²", changed=True)
    elif body.mass:
        words = "a rod or point mass without thickness; it is read with a negligible thickness"
        notes.add(where, words, matters=False, changed=True)
    return found


def _list(values: np.ndarray) -> str:
    return ", ".join(f"{x:.4g}" for x in values)


def with_armature(figure: Figure, notes: Notes, file: str) -> tuple[Joint, ...]:
    """Return the joints of a figure, with armature for those that move no mass, and note them.

    figure : with `checked=False`.
    """
    joints = list(figure.joints)
    for i in idle_joints(figure):
        joints[i] = joints[i].changed(armature=np.maximum(joints[i].armature, IDLE_ARMATURE))
        words = f"it moves no mass; an armature of {IDLE_ARMATURE:g} kg m² or kg is added to determine its motion"
        notes.add(f"{file}: joint '{joints[i].name}'", words, changed=True)
    return tuple(joints)
