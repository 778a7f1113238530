"""Distances of joints from their limits, and functions common to all kinds of limits.

A scalar coordinate x with limits α ≤ x ≤ β has one end, the nearer limit. With x' = N u, where N = 1 for plain
coordinates and N = G_b(x) for rotations with rotation vectors as coordinates,

    gap = min(x - α, β - x),   row = ± N_k,   gap' = row·u                                              (1)

Reach cones and limits of swing and twist bound the rotation R(q) and replace the scalar limits of the joint. With
ω = S_ω u,

    row = S_ωᵀ n                                                                                        (2)

Violations, projection and the split of joint forces are

    past = max(0, -gap),   J v = past removes it to first order                                         (3)
    q ⊞ Σ nᵀ p,   p ≥ 0 the least with gap + n·Σ nᵀ p ≥ 0, once per pass                                (4)
    τ_muscles = τ - τ_limits                                                                            (5)

One pass of (4) is exact for cones, and leaves a quadratic error for other bounds. Scalar coordinates are clipped.
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


ROTATING = "ball, exponential, euler, or a composite of rotations"


class End(NamedTuple):
    """One limit of a joint. A scalar coordinate has one `End`, for the nearer of its two limits.

    Attributes
    ----------
    name : name of the limit, for example "l_knee" or "l_shoulder.swing".
    joint : number of the joint.
    gap : [rad or m] distance from the limit, negative past the limit.
    row : (joint.nu,) with gap' = row·u.
    only : position of the single entry ±1 of the row; None if the row has more entries.
    room : [rad or m] range between the two limits, a constant.
    """

    name: str
    joint: int
    gap: Any
    row: Any
    only: int | None
    room: float


def ends(figure: Any, joints: Any, q: Array, exclude: tuple[str, ...] = (), ahead: Array = None) -> list[End]:
    """Compute the limits of all joints of a figure at q (nq,).

    Parameters
    ----------
    joints : {joint name: `ReachCone` or `SwingTwist`}, which replace the scalar limits of these joints.
    exclude : names of joints without limits.
    ahead : (nu,) displacement h u. If given, the gaps and the rows of cones, swing and twist are those at q ⊞ h u; the
        gaps of rotation coordinates are accurate to first order.
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
    """Return the names of all limits of a figure, in the order of `ends`."""
    return tuple(end.name for end in ends(figure, joints, figure.neutral()))


def whole_row(figure: Figure, end: End) -> np.ndarray:
    """Extend the row of a limit to all velocities (nu,) of the figure, with zeros for other joints."""
    of = figure.u_of[end.joint]
    return np.concatenate([np.zeros(of.start), end.row, np.zeros(figure.nu - of.stop)])


def distal_mass(figure: Figure, i: int) -> Any:
    """Compute the mass [kg] of all links outboard of joint i."""
    mass = [link.mass for link in figure.links]
    for k in range(figure.n - 1, i, -1):
        mass[figure.parent[k]] = mass[figure.parent[k]] + mass[k]
    return mass[i]


def check(figure: Figure, joints: Any) -> None:
    """Raise InputError if a reach cone or swing-twist limit names an unknown or unsuitable joint."""
    names = [joint.name for joint in figure.joints]
    for name, shape in joints.items():
        if name not in names:
            raise InputError(
                f"The limits name joint '{name}', but figure '{figure.name}' has no such joint."
                f"{did_you_mean(str(name), names)} Joints: {', '.join(names)}."
            )
        if not hasattr(shape, "sides"):
            raise InputError(f"The limit of joint '{name}' is {shape!r}. Give a ReachCone or a SwingTwist.")
        joint = _core(figure.joints[names.index(name)])
        turning = [n for n, own in zip(names, figure.joints, strict=True) if _turns(_core(own))]
        if not _turns(joint):
            raise InputError(
                f"Joint '{name}' is of kind {joint.kind}. Reach cones and swing-twist limits apply only to joints "
                f"that rotate about a point: {ROTATING}. Figure '{figure.name}' has these joints of that kind: "
                f"{', '.join(turning) or 'none'}."
            )


def _scalar(i: int, joint, at, ahead) -> list[End]:
    """Compute the limits of the scalar coordinates of a joint, by equation (1)."""
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
    """Compute the change of coordinate k for a displacement `ahead` of the joint."""
    if N is None or N[k] is None:
        return ahead[k]
    start, row = N[k]
    return row @ ahead[start : start + len(row)]


def _signed(N, k: int, sign, nu: int):
    """Return row k of N times a sign, and the position of its only entry; None if there are more entries."""
    if N is not None and N[k] is not None:
        start, row = N[k]
        whole = [0.0] * start + [sign * x for x in row] + [0.0] * (nu - start - len(row))
        return np.array(whole), None
    return np.array([sign if j == k else 0.0 for j in range(nu)]), k


def inverse_rates(joint: Any, at: Array) -> list[Any] | None:
    """Compute the rows N_k of x_k' = N_k u for the coordinates x of a joint.

    Returns (start, entries) for each coordinate, or None for a coordinate with x_k' = u_k; a single None if x' = u.
    """
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
    """Compute the limits of the rotation of a joint, by equation (2). shape : its `ReachCone` or `SwingTwist`."""
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
    """Return the original joint of a reversed joint; any other joint unchanged."""
    return joint.joint if joint.kind == "backward" else joint


def _finite(x) -> bool:
    """Whether a number is a finite limit. Recorded scalars are always treated as finite."""
    return records(x) or math.isfinite(x)


def _turns(joint) -> bool:
    """Whether a joint only rotates, about more than one axis."""
    if joint.kind == "composite":
        return joint.nu > 1 and not any(joint.lengths) and all(p.nu == 0 or not any(p.lengths) for p in joint.parts)
    return joint.kind in ("ball", "exponential", "euler")


PASSES = 3  # number of passes of (4)
MIN_SQUARE = 1e-12  # smallest square of a row, so that divisions stay finite


class Limits(Protocol):
    """Interface of joint limits.

    hard : True if the limits are constraints in the computation of impulses, False if they are forces.
    """

    hard: bool

    def memory(self, figure: Figure) -> dict[Any, Any]:
        """Return the memory at the start of a simulation; raise InputError if the limits do not fit the figure."""

    def force(self, figure: Figure, q: Array, u: Array, memory: dict[Any, Any], dt: Array) -> tuple[Any, ...]:
        """Compute the joint forces tau (nu,) of the limits, their stiffness and damping, and the new memory.

        Stiffness and damping are (nu,), or (nu, nu) with a block per joint; None if dt is None.
        """

    def rows(self, figure: Figure, q: Array, u: Array, dt: Array) -> Rows | None:
        """Compute the limits as unilateral rows, linearised at q ⊞ dt u; None without limits."""

    def project(self, figure: Figure, q: Array) -> Any:
        """Return a configuration (nq,) within all limits; called after a step if the limits are hard."""


class Bounds:
    """Base class of joint limits.

    joints : {joint: `ReachCone` or `SwingTwist`}; all other joints have the limits of their coordinates.
    exclude : names of joints without limits.
    """

    joints: Mapping[Any, Any]
    exclude: tuple[str, ...]

    def memory(self, figure: Figure) -> dict[Any, Any]:
        """Return an empty memory; raise InputError if the limits do not fit the figure."""
        check(figure, self.joints)
        for name in self.exclude:
            figure.joint_index(name)
        return {}

    def ends(self, figure: Figure, q: Array, ahead: Array = None) -> list[End]:
        """Compute the limits of all joints at q (nq,), or at q ⊞ ahead; see the function `ends`."""
        return ends(figure, self.joints, q, self.exclude, ahead)

    def violations(self, figure: Figure, q: Array) -> tuple[np.ndarray, np.ndarray]:
        """Compute the violation of each limit, (m,) [rad or m], and its Jacobian (m, nu); both 0 within the limit."""
        found = self.ends(figure, q)
        past = np.array([maximum(0.0, -end.gap) for end in found])
        on = [where(less(end.gap, 0.0), 1.0, 0.0) for end in found]
        rows = [on_ * whole_row(figure, end) for on_, end in zip(on, found, strict=True)]
        return past, np.stack(rows) if rows else np.zeros((0, figure.nu))

    def rotation_bounds(self, figure: Figure, q: Array) -> tuple[np.ndarray, np.ndarray]:
        """Compute the limits of the joints in `joints` as inequalities gap + row·v ≥ 0 for a solver.

        Returns the gaps (m,) and the rows (m, nu).
        """
        found = [end for end in self.ends(figure, q) if figure.joints[end.joint].name in self.joints]
        rows = [whole_row(figure, end) for end in found]
        return np.array([end.gap for end in found]), np.stack(rows) if rows else np.zeros((0, figure.nu))

    def project(self, figure: Figure, q: Array, passes: int = PASSES) -> np.ndarray:
        """Compute the nearest configuration (nq,) within all limits, for each joint separately."""
        return self._placed(figure, q, lambda joint, at: self._inside(joint, at, passes))

    def within(self, figure: Figure, q: Array, passes: int = PASSES) -> np.ndarray:
        """Compute a configuration (nq,) with the joints in `joints` within their limits; other joints keep theirs."""
        return self._placed(
            figure, q, lambda joint, at: self._back(joint, at, passes) if joint.name in self.joints else at
        )

    def _placed(self, figure, q, place):
        """Apply `place` to the coordinates of each joint that has limits."""
        joints = zip(figure.joints, figure.q_of, strict=True)
        return np.concatenate([q[at] if joint.name in self.exclude else place(joint, q[at]) for joint, at in joints])

    def _inside(self, joint, at, passes: int):
        """Move the coordinates `at` of one joint into its limits."""
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
        """Project the coordinates `at` of one joint into its cone, swing or twist limits, by equation (4)."""
        for _ in range(passes):
            found = ends(_Alone(joint), self.joints, at)
            at = joint.integrate(at, sum(end.row * p for end, p in zip(found, _multipliers(found), strict=True)))
        return at


class Split(NamedTuple):
    """Joint forces (nu,) in two parts: those of muscles or actuators, and those of joint limits."""

    muscles: Any
    limits: Any


def split_forces(figure: Figure, limits: Any, q: Array, u: Array, tau: Array) -> Split:
    """Split joint forces tau (nu,) of inverse dynamics into those of muscles and those of soft limits."""
    own = limits.force(figure, q, u)[0]
    return Split(tau - own, own)


def _multipliers(found) -> list[Any]:
    """Compute the multipliers p of equation (4) for one or two limits of a joint."""
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
    """A single joint with the attributes of a figure that `ends` uses."""

    def __init__(self, joint) -> None:
        self.joints, self.q_of = (joint,), (slice(0, joint.nq),)
