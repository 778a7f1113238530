"""Validation of a figure: one root, parents first, unique names, finite numbers, physical bodies, moving mass.

Works on plain floats only: a figure with recording scalars is not validated.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from anthropi.algebra.spatial import RigidInertia
from anthropi.errors import InputError, SingularError, did_you_mean, half_character
from anthropi.figure.coupling import Coupling
from anthropi.figure.parts import LOOPS

if TYPE_CHECKING:
    from anthropi.figure.figure import Figure


__all__ = ["idle_joints", "validate"]

_IDENTITY = np.eye(3)
MIN_PIVOT = 1e-10  # relative to the diagonal of M; a joint with a smaller one moves no mass
MIN_MOVED = 1e-13  # [m²] inertia that a joint moves, relative to the mass of the figure, for `idle_joints`
_ROTATION_ERROR = 1e-6 + 1e-5 * np.eye(3)  # bounds of |C Cᵀ - 1|, for matrices that were written with six digits


def validate(figure: "Figure") -> None:
    """Raise an error if a figure is not valid; the message names the culprit and the next step."""
    _tree(figure)
    _names(figure)
    _numbers(figure)
    _bodies(figure)
    for marker in figure.markers:
        _on_a_link(figure, "Marker", marker.name, marker.link)
        _mark(figure, marker)
    for loop in figure.loops:
        if isinstance(loop, Coupling):
            loop.check(figure)
            continue
        for end, at in ((loop.link_a, loop.at_a), (loop.link_b, loop.at_b)):
            if end:
                _on_a_link(figure, "Loop", loop.name, end)
            _pose(f"Loop '{loop.name}' of figure '{figure.name}'", at)
        _loop(f"Loop '{loop.name}' of figure '{figure.name}'", loop)
    _moving_mass(figure)


def _tree(figure: "Figure") -> None:
    n = len(figure.links)
    if n == 0:
        raise InputError(f"Figure '{figure.name}' has no links. Give it at least one.")
    if not len(figure.joints) == len(figure.parent) == n:
        raise InputError(
            f"Figure '{figure.name}' has {n} links, {len(figure.joints)} joints and {len(figure.parent)} "
            "parents. Give each link one joint and one parent."
        )
    roots = [figure.links[i].name for i in range(n) if figure.parent[i] < 0]
    if len(roots) != 1 or figure.parent[0] >= 0:
        raise InputError(
            f"Figure '{figure.name}' has {len(roots)} roots ({', '.join(roots)}). It needs one root, the first link. "
            "Connect the others to it, or weld all of them to a common base link."
        )
    for i, p in enumerate(figure.parent):
        if p >= i:
            raise InputError(
                f"Link '{figure.links[i].name}' of figure '{figure.name}' comes before its parent, or the "
                "links form a ring. List parents first, or build with ap.figure_from_parts."
            )


def _names(figure: "Figure") -> None:
    if isinstance(figure.name, str):
        _text(f"The figure {figure.name!a}", figure.name)
    for what, parts in (
        ("link", figure.links),
        ("joint", figure.joints),
        ("marker", figure.markers),
        ("loop", figure.loops),
    ):
        seen: set[str] = set()
        for part in parts:
            if not part.name or not isinstance(part.name, str):
                raise InputError(f"A {what} of figure '{figure.name}' has no name. Give every {what} a name.")
            _text(f"The {what} {part.name!a} of figure '{figure.name}'", part.name)
            if part.name in seen:
                raise InputError(
                    f"Two {what}s of figure '{figure.name}' are called '{part.name}'. Give each its own name."
                )
            seen.add(part.name)
    known: set[str] = set()
    for dof in figure.dofs:
        if dof in known:
            raise InputError(
                f"Two degrees of freedom of figure '{figure.name}' are called '{dof}'. Give the joints other names."
            )
        _text(f"The degree of freedom {dof!a} of figure '{figure.name}'", dof)
        known.add(dof)


def _text(owner: str, name: str) -> None:
    """Refuse a name that cannot be written to any file, because it contains half of a character."""
    if half := half_character(name):
        raise InputError(f"{owner} has a name with {half}")


def _numbers(figure: "Figure") -> None:
    """Check that every number is finite (limits may be infinite) and every placement has a rotation matrix."""
    for joint in figure.joints:
        _joint(f"Joint '{joint.name}' of figure '{figure.name}'", joint)
    if figure.gravity.shape != (3,) or not np.isfinite(np.asarray(figure.gravity, float)).all():
        raise InputError(
            f"Figure '{figure.name}' has gravity {figure.gravity.tolist()}; give three finite numbers [m/s²]."
        )


def _joint(owner: str, joint: Any) -> None:
    """Check a joint, and the joints that it contains."""
    _pose(owner, joint.placement)
    for name in ("stiffness", "rest", "damping", "armature"):
        values = np.asarray(getattr(joint, name), float)
        if not np.isfinite(values).all() or (name != "rest" and (values < 0.0).any()):
            wanted = "finite numbers" if name == "rest" else "finite numbers, none negative"
            raise InputError(f"{owner} has {name} {values.tolist()}; give {wanted}.")
    lower, upper = np.asarray(joint.lower, float), np.asarray(joint.upper, float)
    if not ((lower <= upper) & (lower < np.inf) & (upper > -np.inf)).all():
        raise InputError(
            f"{owner} has limits {lower.tolist()} to {upper.tolist()}; give lower limits that are not above the "
            "upper ones, or -inf and inf for no limit."
        )
    for name in ("pitch", "at"):
        if hasattr(joint, name) and not np.isfinite(np.asarray(getattr(joint, name), float)).all():
            raise InputError(f"{owner} has {name} {getattr(joint, name)}; give finite numbers.")
    for part in getattr(joint, "parts", ()):
        _joint(f"Part '{part.name}' of {owner[0].lower()}{owner[1:]}", part)
    if getattr(joint, "joint", None) is not None:
        _joint(owner, joint.joint)


def _pose(owner: str, pose: Any) -> None:
    """Check a pose: a rotation and a finite origin."""
    C, p = np.asarray(pose.rotation, float), np.asarray(pose.origin, float)
    if C.shape != (3, 3) or p.shape != (3,) or not (np.isfinite(C).all() and np.isfinite(p).all()):
        raise InputError(
            f"{owner} has a placement that is not finite or not (3, 3) and (3,). Give a Transform of a "
            "rotation matrix and an origin [m]."
        )
    if not (np.abs(C @ C.T - _IDENTITY) <= _ROTATION_ERROR).all() or np.linalg.det(C) < 0.0:
        raise InputError(
            f"{owner} is placed by a matrix that is not a rotation: {C.tolist()}. Give an orthonormal, "
            "right-handed matrix; the functions of anthropi.rotation return such matrices."
        )


def _bodies(figure: "Figure") -> None:
    """Check the inertias and the shapes of all links."""
    heavy = [link for link in figure.links if link.mass != 0.0 or np.any(link.tensor != 0.0)]
    try:
        _inertias(heavy).validate()
    except ValueError:  # one is not valid, or they have different shapes
        for link in heavy:
            link.inertia.validate(f"link '{link.name}' of figure '{figure.name}'")
    for link in figure.links:
        _body(figure, link)


def _inertias(links: Any) -> RigidInertia:
    """Return the inertias of n links in arrays (n,), (n, 3) and (n, 3, 3)."""
    return RigidInertia(*(np.array([getattr(x, name) for x in links], float) for name in ("mass", "centre", "tensor")))


def _body(figure: "Figure", link: Any) -> None:
    """Check the centre and the shapes of a link."""
    owner = f"link '{link.name}' of figure '{figure.name}'"
    if np.shape(link.centre) != (3,) or not np.isfinite(np.asarray(link.centre, float)).all():
        raise InputError(f"The centre of {owner} is {np.asarray(link.centre).tolist()}; give three finite numbers [m].")
    for shape in link.shapes:
        _pose(f"A {shape.kind} on {owner}", shape.placement)
        if not np.isfinite(np.asarray(shape.size, float)).all():
            raise InputError(f"A {shape.kind} on {owner} has size {shape.size}; give finite numbers [m].")


def _mark(figure: "Figure", marker: Any) -> None:
    """Check a marker: a finite point or a unit vector."""
    owner = f"Marker '{marker.name}' of figure '{figure.name}'"
    values = np.asarray(marker.direction if hasattr(marker, "direction") else marker.point, float)
    if values.shape != (3,) or not np.isfinite(values).all():
        raise InputError(f"{owner} has the value {values.tolist()}; give three finite numbers.")
    if hasattr(marker, "direction") and not abs(np.linalg.norm(values) - 1.0) < 1e-9:
        raise InputError(f"{owner} is a direction of length {np.linalg.norm(values):.6g}; give a unit vector.")


def _loop(owner: str, loop: Any) -> None:
    """Check the kind and the numbers of a loop."""
    if loop.kind not in LOOPS:
        raise InputError(
            f"{owner} is of kind '{loop.kind}'.{did_you_mean(str(loop.kind), LOOPS)} Kinds: {', '.join(LOOPS)}."
        )
    wanted, value = LOOPS[loop.kind].numbers, loop.value
    if len(value) != wanted or not np.isfinite(np.asarray(value, float)).all():
        raise InputError(
            f"{owner} is of kind '{loop.kind}' and has value {list(value)}; give {wanted or 'no'} finite "
            f"number{'s' * (wanted != 1)}."
        )
    if loop.kind == "distance" and not value[0] > 0.0:
        raise InputError(f"{owner} has a distance of {value[0]:g} m. Give a distance above 0, or use the kind 'point'.")
    if (loop.kind == "held") != bool(loop.held):
        raise InputError(
            f"{owner} is of kind '{loop.kind}' and has {len(loop.held)} constraints in `held`. Only the kind 'held' "
            "has such constraints, and it needs at least one."
        )


def _on_a_link(figure: "Figure", what: str, name: str, link: str) -> None:
    names = [x.name for x in figure.links]
    if link not in names:
        raise InputError(
            f"{what} '{name}' of figure '{figure.name}' is attached to '{link}', which is not a link."
            f"{did_you_mean(link, names)} Links: {', '.join(names)}."
        )


def _moving_mass(figure: "Figure") -> None:
    """Check that every degree of freedom moves mass: the mass matrix is positive definite except at singularities."""
    if figure.nu == 0:
        return
    for seed in range(4):  # one random configuration may be singular by chance, but not four
        q = figure.random(np.random.default_rng(seed))
        least = _least_pivot(figure, q)
        if not np.isfinite(least):
            raise InputError(
                f"The masses and lengths of figure '{figure.name}' are so large that its mass matrix is "
                "not finite. Give kilograms and metres."
            )
        if least >= MIN_PIVOT:
            return
    M = _mass_matrix(figure, q)
    scale = np.sqrt(np.maximum(np.diag(M), 1e-300))
    relative = M / np.outer(scale, scale)
    vector = np.linalg.eigh(relative)[1][:, 0] if np.isfinite(relative).all() else 1.0 / scale
    idle = [figure.dofs[k] for k in np.argsort(-np.abs(vector))[:3] if abs(vector[k]) > 0.1]
    names = ", ".join(idle)
    raise SingularError(
        f"In figure '{figure.name}' nothing with mass moves with {names}. Give mass to a link beyond the joint, give "
        "armature to the joint, or lock it. A massless link must be followed by a link with mass."
    )


def idle_joints(figure: "Figure") -> list[int]:
    """Return the numbers of joints that move no mass in any of four random configurations."""
    found = [_idle_at(figure, figure.random(np.random.default_rng(seed))) for seed in range(4)]
    return sorted(set.intersection(*found))


def _idle_at(figure: "Figure", q: Any) -> set[int]:
    idle: set[int] = set()
    _least_pivot(figure, q, idle)
    return idle


def _least_pivot(figure: "Figure", q: Any, idle: set[int] | None = None) -> float:
    """Return the smallest pivot Sᵀ Iᴬ S of the elimination from the leaves inwards, relative to the diagonal of M.

    It is above 0 if the mass matrix M is positive definite. The cost grows with the number of links, and that of M with
    its cube. The search stops at the first pivot that is zero, unless `idle` is given, to which the numbers of joints
    with such pivots are added.
    """
    heavy = [i for i, link in enumerate(figure.links) if link.mass]
    moved = [np.zeros((6, 6)) for _ in figure.links]  # Iᴬ
    for i, body in zip(heavy, _inertias([figure.links[i] for i in heavy]).matrix() if heavy else (), strict=True):
        moved[i] = body
    carried, least = list(moved), np.inf  # the composite bodies: M's diagonal is Sᵀ I S
    for i, parent, joint in figure.inward():
        if joint.nu:
            S, rotor = joint.subspace(q[figure.q_of[i]]), np.diag(np.asarray(joint.armature, float))
            U = moved[i] @ S
            D, whole = S.T @ U + rotor, np.diag(S.T @ carried[i] @ S + rotor)
            if not (np.isfinite(whole).all() and np.isfinite(D).all()):
                return np.inf
            scale = np.sqrt(np.maximum(whole, 1e-300))
            pivot = np.linalg.eigvalsh(D / np.outer(scale, scale))[0]
            if idle is not None and (pivot < MIN_PIVOT or whole.min() < MIN_MOVED * figure.mass):
                idle.add(i)
            elif pivot < MIN_PIVOT:
                return pivot
            else:
                least = min(least, pivot)
                left = moved[i] - U @ np.linalg.solve(D, U.T)
                moved[i] = 0.5 * (left + left.T)  # asymmetric rounding errors would double from joint to joint
        if parent >= 0:
            X = figure.pose(i, q).force_matrix()
            moved[parent] = moved[parent] + X @ moved[i] @ X.T
            carried[parent] = carried[parent] + X @ carried[i] @ X.T
    return least


def _mass_matrix(figure: "Figure", q: Any) -> np.ndarray:
    """Return the mass matrix Σ Jᵀ I J (nu, nu), with J in link frames, plus armature."""
    J: list[np.ndarray] = []
    M = np.diag(np.concatenate([np.asarray(j.armature, float) for j in figure.joints]))
    for i, p, joint in figure.outward():
        own = np.zeros((6, figure.nu))
        if joint.nu:
            own[:, figure.u_of[i]] = joint.subspace(q[figure.q_of[i]])
        if p >= 0:
            own += figure.pose(i, q).undo_motion(J[p].T).T  # all columns at once
        J.append(own)
        if figure.links[i].mass:
            M = M + own.T @ figure.links[i].inertia.matrix() @ own
    return M
