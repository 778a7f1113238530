"""Joint limits that do not give: unilateral rows for the impulsive solve.

    gap(q ⊞ h u⁺) ≥ 0 to first order about q ⊞ h v:   gap* + h row*·(u⁺ - v) ≥ 0                       (1)
    as a row of the solve:   row*·u⁺ ≥ -gap / h,   gap = gap* - h row*·v                               (2)

v is the velocity the step would have without limits, or the present one; without a step h, (1) is about q. What a
curved boundary still bends away, ½ κ (h (u⁺ - v))², `project` takes back: it moves one joint by that little, and no
velocity.

Limited
-------
One step with hard limits, where nothing else touches: their rows by the solver of contacts (`contact/impulsive`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.contact.impulsive import Impulsive
from anthropi.contact.limits.bounds import Bounds, check, whole_row
from anthropi.contact.material import plain
from anthropi.contact.model import Rows
from anthropi.errors import InputError

__all__ = ["HardLimits", "along", "limited_step"]


@dataclass(frozen=True, eq=False)
class HardLimits(Bounds):
    """Limits as unilateral rows.

    joints : {joint: `ReachCone` or `SwingTwist`} in place of the scalar limits of these joints.
    restitution : what part of its speed a joint keeps, in [0, 1]. but : joints without limits.
    """

    joints: Mapping = field(default_factory=dict)
    restitution: Any = 0.0
    but: tuple[str, ...] = ()
    hard: ClassVar[bool] = True

    def __post_init__(self):
        e = plain(self.restitution)
        object.__setattr__(self, "restitution", e)
        if not records(e) and not (isinstance(e, (int, float)) and 0.0 <= e <= 1.0):
            raise InputError(f"HardLimits has restitution={self.restitution!r}; give a number from 0 to 1.")

    def force(self, figure, q, u, memory=None, dt=None):
        """No force before the dynamics."""
        return np.zeros(figure.nu), None, None, memory or {}

    def rows(self, figure, q, u=None, dt=None) -> Rows | None:
        """(2), one row an end; None for a figure without limits. u : v of (1). dt : [s] the step, None: about q."""
        check(figure, self.joints)
        found = self.ends(figure, q, None if dt is None else dt * u)
        if not found:
            return None
        none = np.zeros(len(found))
        J, gap = np.stack([whole_row(figure, end) for end in found]), np.array([end.gap for end in found])
        gap = gap if dt is None else gap - dt * along(J, u)
        return Rows(J, gap, none, none + self.restitution, (True,) * len(found))

    def data(self) -> tuple:
        """What it is, as plain numbers and words."""
        joints = tuple((name, shape.data()) for name, shape in self.joints.items())
        return ("hard", joints, self.restitution, self.but)


def along(J, u):
    """J u (m,), without products by zero."""
    nothing = [[isinstance(x, float) and x == 0.0 for x in row] for row in J]
    return np.array(
        [
            sum((x * v for x, v, none in zip(row, u, nones, strict=True) if not none), 0.0)
            for row, nones in zip(J, nothing, strict=True)
        ]
    )


def limited_step(figure, limits, q, u, tau, dt, f_ext=None):
    """One step of first order with hard limits and nothing else: q⁺ (nq,), u⁺ (nu,), impulses (rows,)."""
    u_free = u + dt * direct_dynamics(figure, q, u, tau, f_ext)
    rows = limits.rows(figure, q, u_free, dt)
    if rows is None:
        return figure.integrate(q, dt * u_free), u_free, np.zeros(0)
    tree = factor_mass_matrix(figure, mass_matrix(figure, q))
    blow = Impulsive().impulse(None, [], None, tree, u, u_free, {}, dt, rows, q)
    return limits.project(figure, figure.integrate(q, dt * blow.u)), blow.u, blow.more
