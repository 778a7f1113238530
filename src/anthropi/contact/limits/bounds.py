"""Distances of joints from their limits, and what all kinds of limits share.

A scalar coordinate x with limits α ≤ x ≤ β has one end, the nearer of the two. With x' = N u (N = 1 where coordinates
add, G_b(x) for rotations, whose coordinates are rotation vectors),

    gap = min(x - α, β - x),   row = ± N_k,   gap' = row·u                                              (1)

Reach cones and swing and twist bound the rotation R(q) in place of the scalar limits of their joint; with ω = S_ω u,

    row = S_ωᵀ n                                                                                        (2)

Violations, projection and the split of joint forces are

    past = max(0, -gap),   J v = past removes it to first order                                         (3)
    q ⊞ Σ nᵀ p,   p ≥ 0 the least with gap + n·Σ nᵀ p ≥ 0, once per pass                                (4)
    τ_muscles = τ - τ_limits                                                                            (5)

One pass of (4) is exact for cones, and quadratic for other bounds; scalar coordinates are clipped.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import Array, absolute, less, less_equal, maximum, minimum, records, where
from anthropi.contact.model import Rows
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure

__all__ = [
    "Bounds",
    "End",
    "Limits",
    "Split",
    "check",
    "distal_mass",
    "end_names",
    "ends",
    "inverse_rates",
    "split_forces",
    "whole_row",
]


ROTATING = "ball, exponential, euler, or a composite of turns"


class End(NamedTuple):
    """One limit of a joint: of a scalar coordinate, the nearer of its two.

    Attributes
    ----------
    name : "l_knee", "l_shoulder.swing".
    joint : number of the joint.
    gap : [rad or m] distance from the limit, negative past it.
    row : (joint.nu,) with gap' = row·u.
    only : position of the single entry ±1 of the row; None if the row has more entries.
    room : [rad or m] the range, which the zones of two limits share; constant.
    """

    name: str
    joint: int
    gap: Any
    row: Any
    only: int | None
    room: float


def ends(figure: Any, joints: Any, q: Array, exclude: tuple[str, ...] = (), ahead: Array = None) -> list[End]:
    """Limits of all joints of a figure at q (nq,).

    Parameters
    ----------
    joints : {joint name: `ReachCone` or `SwingTwist`} in place of scalar limits.
    exclude : names of joints without limits.
    ahead : (nu,) displacement h u. Gaps, and the rows of (2), are then those at q ⊞ h u, to first order for coordinates
        of rotations.
    """
    found: list[End] = []
    for i, joint in enumerate(figure.joints):
        if joint.name in exclude:
            continue
        at, on = q[figure.q_of[i]], None if ahead is None else ahead[figure.u_of[i]]
        if joint.name in joints:
            found += _turned(i, joint, joints[joint.name], at if on is None else joint.integrate(at, on))
        else:
            found += _scalar(i, joint, at, on)
    return found


def end_names(figure: Figure, joints: Any) -> tuple[str, ...]:
    """Names of all limits, in the order of `ends`."""
    return tuple(end.name for end in ends(figure, joints, figure.neutral()))


def whole_row(figure: Figure, end: End) -> np.ndarray:
    """Row of a limit over all velocities (nu,); structural zeros are 0.0."""
    of = figure.u_of[end.joint]
    return np.concatenate([np.zeros(of.start), end.row, np.zeros(figure.nu - of.stop)])


def distal_mass(figure: Figure, i: int) -> Any:
    """Mass [kg] of all links beyond joint i."""
    mass = [link.mass for link in figure.links]
    for k in range(figure.n - 1, i, -1):
        mass[figure.parent[k]] = mass[figure.parent[k]] + mass[k]
    return mass[i]


def check(figure: Figure, joints: Any) -> None:
    """Raise InputError for limits of unknown joints, or of joints that cannot have them."""
    names = [joint.name for joint in figure.joints]
    for name, shape in joints.items():
        if name not in names:
            raise InputError(
                f"Limits name a joint '{name}', which figure '{figure.name}' has not."
                f"{did_you_mean(str(name), names)} Joints: {', '.join(names)}."
            )
        if not hasattr(shape, "sides"):
            raise InputError(f"The limit of joint '{name}' is {shape!r}; give a ReachCone or a SwingTwist.")
        joint = _core(figure.joints[names.index(name)])
        turning = [n for n, own in zip(names, figure.joints, strict=True) if _turns(_core(own))]
        if not _turns(joint):
            raise InputError(
                f"Joint '{name}' is {joint.kind}; cones, swing and twist bound joints that rotate about a "
                f"point: {ROTATING}. Of figure '{figure.name}' these are: "
                f"{', '.join(turning) or 'none'}."
            )


def _scalar(i: int, joint, at, ahead) -> list[End]:
    """Limits of scalar coordinates (1)."""
    if not any(_finite(x) for x in (*joint.lower, *joint.upper)):
        return []
    x, N = joint.coordinates(at), inverse_rates(joint, at)
    if ahead is not None:
        x = x + np.array([_moved(N, k, ahead) for k in range(joint.nu)])
    found = []
    for k, (low, high) in enumerate(zip(joint.lower, joint.upper, strict=True)):
        if not (_finite(low) or _finite(high)):
            continue
        if _finite(low) and _finite(high):
            sign = where(less(x[k] + x[k], low + high), 1.0, -1.0)
            gap = minimum(x[k] - low, high - x[k])
        else:
            sign, gap = (1.0, x[k] - low) if _finite(low) else (-1.0, high - x[k])
        row, only = _signed(N, k, sign, joint.nu)
        room = math.inf if records(low, high) else float(high - low)
        found.append(End(joint.dofs[k], i, gap, row, only, room))
    return found


def _moved(N, k: int, ahead):
    """N_k ahead: the change of coordinate k."""
    if N is None or N[k] is None:
        return ahead[k]
    start, row = N[k]
    return row @ ahead[start : start + len(row)]


def _signed(N, k: int, sign, nu: int):
    """Row k of N times a sign, and the position of its entry where it has a single one."""
    if N is not None and N[k] is not None:
        start, row = N[k]
        whole = [0.0] * start + [sign * x for x in row] + [0.0] * (nu - start - len(row))
        return np.array(whole), None
    return np.array([sign if j == k else 0.0 for j in range(nu)]), k


def inverse_rates(joint: Any, at: Array) -> list[Any] | None:
    """Rows N_k of x_k' = N_k u as (start, entries) for each coordinate; None where x_k' = u_k, or None for all."""
    joint = _core(joint)
    if joint.plain:
        return None
    if joint.kind == "composite":
        found, at_q, at_u = [], 0, 0
        for part in joint.parts:
            own = inverse_rates(part, at[at_q : at_q + part.nq]) or [None] * part.nu
            found += [None if row is None else (row[0] + at_u, row[1]) for row in own]
            at_q, at_u = at_q + part.nq, at_u + part.nu
        return found
    first = joint.nu - 3  # three rotations of a ball joint, or the last three coordinates of a free joint
    G = rot.G_b(joint.coordinates(at)[first:])
    return [None] * first + [(first, G[k]) for k in range(3)]


def _turned(i: int, joint, shape, at) -> list[End]:
    """Limits of the rotation of a joint (2)."""
    core = _core(joint)
    R, free = core.transform(at).rotation, core.axes == (0, 1, 2)
    S = None if free else core.subspace(at)[:3]
    return [
        End(
            f"{joint.name}.{side.name}",
            i,
            side.gap,
            side.row if free else matvec(transpose(S), side.row),
            None,
            side.room,
        )
        for side in shape.sides(R)
    ]


def _core(joint):
    """The joint itself, for a reversed joint."""
    return joint.joint if joint.kind == "backward" else joint


def _finite(x) -> bool:
    """Whether a number is a limit; recorded scalars are."""
    return records(x) or math.isfinite(x)


def _turns(joint) -> bool:
    """Whether a joint only rotates, about more than one axis."""
    if joint.kind == "composite":
        return joint.nu > 1 and not any(joint.lengths) and all(p.nu == 0 or not any(p.lengths) for p in joint.parts)
    return joint.kind in ("ball", "exponential", "euler")


PASSES = 3  # of (4)
MIN_SQUARE = 1e-12  # of a row, so that divisions stay finite


class Limits(Protocol):
    """Interface of joint limits.

    hard : whether they are rows of the impulsive solve, or forces before it.
    """

    hard: bool

    def memory(self, figure: Figure) -> dict[Any, Any]:
        """Memory at the start, kept from step to step; raises InputError for limits that do not fit the figure."""

    def force(self, figure: Figure, q: Array, u: Array, memory: dict[Any, Any], dt: Array) -> tuple[Any, ...]:
        """Force tau (nu,), its stiffness and damping, and memory.

        Stiffness and damping are (nu,), or (nu, nu) with a block per joint; None where dt is None.
        """

    def rows(self, figure: Figure, q: Array, u: Array, dt: Array) -> Rows | None:
        """Unilateral rows about q ⊞ dt u; None without limits."""

    def project(self, figure: Figure, q: Array) -> Any:
        """Configuration (nq,) within all limits; called after a step if the limits are hard."""


class Bounds:
    """Common part of all limits.

    joints : {joint: `ReachCone` or `SwingTwist`}; all other joints are bounded by their coordinates.
    exclude : joints without limits.
    """

    joints: Mapping[Any, Any]
    exclude: tuple[str, ...]

    def memory(self, figure: Figure) -> dict[Any, Any]:
        """Memory at the start, {}; raises InputError for limits that do not fit the figure."""
        check(figure, self.joints)
        for name in self.exclude:
            figure.joint_index(name)
        return {}

    def ends(self, figure: Figure, q: Array, ahead: Array = None) -> list[End]:
        """Limits of all joints at q (nq,), or at q ⊞ ahead."""
        return ends(figure, self.joints, q, self.exclude, ahead)

    def violations(self, figure: Figure, q: Array) -> tuple[np.ndarray, np.ndarray]:
        """Violations (m,) [rad or m] and their rows J (m, nu) of (3), 0 where a limit is respected."""
        found = self.ends(figure, q)
        past = np.array([maximum(0.0, -end.gap) for end in found])
        on = [where(less(end.gap, 0.0), 1.0, 0.0) for end in found]
        rows = [on_ * whole_row(figure, end) for on_, end in zip(on, found, strict=True)]
        return past, np.stack(rows) if rows else np.zeros((0, figure.nu))

    def rotation_bounds(self, figure: Figure, q: Array) -> tuple[np.ndarray, np.ndarray]:
        """Gaps (m,) and rows (m, nu) of the joints in `joints`: inequalities gap + row·v ≥ 0 for a solver."""
        found = [end for end in self.ends(figure, q) if figure.joints[end.joint].name in self.joints]
        rows = [whole_row(figure, end) for end in found]
        return np.array([end.gap for end in found]), np.stack(rows) if rows else np.zeros((0, figure.nu))

    def project(self, figure: Figure, q: Array, passes: int = PASSES) -> np.ndarray:
        """Nearest configuration (nq,) within all limits, joint by joint (4)."""
        return self._placed(figure, q, lambda joint, at: self._inside(joint, at, passes))

    def within(self, figure: Figure, q: Array, passes: int = PASSES) -> np.ndarray:
        """Configuration (nq,) with the joints in `joints` within their limits (4)."""
        return self._placed(
            figure, q, lambda joint, at: self._back(joint, at, passes) if joint.name in self.joints else at
        )

    def _placed(self, figure, q, place):
        joints = zip(figure.joints, figure.q_of, strict=True)
        return np.concatenate([q[at] if joint.name in self.exclude else place(joint, q[at]) for joint, at in joints])

    def _inside(self, joint, at, passes: int):
        """Coordinates of one joint within its limits."""
        if joint.name in self.joints:
            return self._back(joint, at, passes)
        if not any(-np.inf < a or b < np.inf for a, b in zip(joint.lower, joint.upper, strict=True)):
            return at
        x = joint.coordinates(at)
        inside = minimum(maximum(x, joint.lower), joint.upper)
        if joint.plain:
            return inside
        past = less(0.0, absolute(x - inside).sum())
        return np.array([where(past, b, a) for a, b in zip(at, joint.from_coordinates(inside), strict=True)])

    def _back(self, joint, at, passes: int):
        """Projection (4) of one joint."""
        for _ in range(passes):
            found = ends(_Alone(joint), self.joints, at)
            at = joint.integrate(at, sum(end.row * p for end, p in zip(found, _multipliers(found), strict=True)))
        return at


class Split(NamedTuple):
    """Joint forces of a motion in two parts (nu,): by muscles (or actuators), and by joint limits."""

    muscles: Any
    limits: Any


def split_forces(figure: Figure, limits: Any, q: Array, u: Array, tau: Array) -> Split:
    """Split joint forces tau (nu,) of inverse dynamics into those of muscles and those of soft limits (5)."""
    own = limits.force(figure, q, u)[0]
    return Split(tau - own, own)


def _multipliers(found) -> list[Any]:
    """p of (4) for one limit, or for two."""
    size = [maximum((end.row * end.row).sum(), MIN_SQUARE) for end in found]
    need = [-end.gap for end in found]
    alone = [maximum(0.0, x / s) for x, s in zip(need, size, strict=True)]
    if len(found) == 1:
        return alone
    across = (found[0].row * found[1].row).sum()
    det = maximum(size[0] * size[1] - across * across, MIN_SQUARE)
    one, other = need[0] * size[1] - need[1] * across, need[1] * size[0] - need[0] * across
    only = less(0.0, need[0]) & less_equal(other, 0.0), less(0.0, need[1]) & less_equal(one, 0.0)
    single = only[0] | only[1] | (less_equal(need[0], 0.0) & less_equal(need[1], 0.0))
    return [
        where(single, where(mask, x, 0.0), maximum(0.0, y / det))
        for mask, x, y in zip(only, alone, (one, other), strict=True)
    ]


class _Alone:
    """One joint as a figure of its own, with the attributes that `ends` reads."""

    def __init__(self, joint) -> None:
        self.joints, self.q_of = (joint,), (slice(0, joint.nq),)
