"""Hard joint limits: unilateral constraints that are solved together with contact impulses.

    gap(q ⊞ h u⁺) ≥ 0 to first order about q ⊞ h v:   gap* + h row*·(u⁺ - v) ≥ 0                       (1)
    as a row of the solve:   row*·u⁺ ≥ -gap / h,   gap = gap* - h row*·v                               (2)

v is the velocity after the step without limits, or the current velocity. Without a time step h, (1) is linearised at q.
A curved boundary leaves the error ½ κ (h (u⁺ - v))². `project` removes it: it displaces joints without changing
velocities.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra.scalar import Array, records
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.contact.impulsive import Impulsive
from anthropi.contact.limits.bounds import Bounds, check, whole_row
from anthropi.contact.material import plain
from anthropi.contact.model import Rows
from anthropi.contact.vectors import products
from anthropi.errors import InputError
from anthropi.figure.figure import Figure

__all__ = ["HardLimits", "limited_step"]


@dataclass(frozen=True, eq=False)
class HardLimits(Bounds):
    """Hard joint limits, enforced by impulses.

    Attributes
    ----------
    joints : {joint: `ReachCone` or `SwingTwist`}, which replace the scalar limits of these joints.
    restitution : ratio of the joint speed after reaching a limit to the speed before, from 0 to 1.
    exclude : names of joints without limits.
    """

    joints: Mapping[Any, Any] = field(default_factory=dict)
    restitution: Any = 0.0
    exclude: tuple[str, ...] = ()
    hard: ClassVar[bool] = True

    def __post_init__(self) -> None:
        e = plain(self.restitution)
        object.__setattr__(self, "restitution", e)
        if not records(e) and not (isinstance(e, (int, float)) and 0.0 <= e <= 1.0):
            raise InputError(f"HardLimits has restitution={self.restitution!r}. Give a number from 0 to 1.")

    def force(
        self, figure: Figure, q: Array, u: Array, memory: dict[Any, Any] | None = None, dt: Array = None
    ) -> tuple[Any, Any, Any, dict[Any, Any]]:
        """Return zero forces: hard limits act by impulses."""
        return np.zeros(figure.nu), None, None, memory or {}

    def rows(self, figure: Figure, q: Array, u: Array = None, dt: Array = None) -> Rows | None:
        """Compute the limits as unilateral rows, one per limit; None for a figure without limits.

        u : (nu,) velocity v of equation (1). dt : [s] the time step; None to linearise at q.
        """
        check(figure, self.joints)
        found = self.ends(figure, q, None if dt is None else dt * u)
        if not found:
            return None
        none = np.zeros(len(found))
        J, gap = np.stack([whole_row(figure, end) for end in found]), np.array([end.gap for end in found])
        gap = gap if dt is None else gap - dt * np.array(products(J, u))
        return Rows(J, gap, none, none + self.restitution, (True,) * len(found))

    def data(self) -> tuple[Any, ...]:
        """Return the settings as plain numbers and strings, for comparison and hashing."""
        joints = tuple((name, shape.data()) for name, shape in self.joints.items())
        return ("hard", joints, self.restitution, self.exclude)


def limited_step(
    figure: Figure, limits: Any, q: Array, u: Array, tau: Array, dt: Array, f_ext: Any = None
) -> tuple[Any, Any, Any]:
    """Do one first-order step dt [s] with hard limits and without contact.

    Returns q⁺ (nq,), u⁺ (nu,) and the impulses of the limits (rows,).
    """
    u_free = u + dt * direct_dynamics(figure, q, u, tau, f_ext)
    rows = limits.rows(figure, q, u_free, dt)
    if rows is None:
        return figure.integrate(q, dt * u_free), u_free, np.zeros(0)
    tree = factor_mass_matrix(figure, mass_matrix(figure, q))
    after = Impulsive().impulse(None, [], None, tree, u, u_free, {}, dt, rows, q)
    return limits.project(figure, figure.integrate(q, dt * after.u)), after.u, after.more
