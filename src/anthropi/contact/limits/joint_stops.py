"""Springs at the limits of single joints (`JointStop`), which figures carry, and sums of soft limits."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from anthropi.algorithms.forces import add_inertia
from anthropi.contact.limits.soft import SoftLimits
from anthropi.contact.limits.springs import Exponential, Linear, Power
from anthropi.figure.figure import Figure
from anthropi.figure.joints import JointStop

__all__ = ["JointStops", "joint_stops", "stop_limits"]

DEFAULT_ZONE = np.pi / 8.0  # [rad or m] of a stop without a zone


def joint_stops(figure: Figure) -> dict[str, JointStop]:
    """Return {joint: its stop} of all joints that move and have a stop."""
    return {joint.name: joint.stop for joint in figure.joints if joint.stop is not None and joint.nu}


def stop_limits(figure: Figure, stops: Mapping[str, JointStop] | None = None, others: SoftLimits | None = None) -> Any:
    """Return the springs at the limits of joints, as limits of a scene; None if there are none.

    Parameters
    ----------
    stops : {joint: its stop}; by default those of the figure.
    others : springs of the joints without a stop; by default these joints have no springs. Joints with a stop must be
        excluded.
    """
    own = joint_stops(figure) if stops is None else stops
    names = [joint.name for joint in figure.joints]
    parts = [_springs(stop, tuple(n for n in names if n != joint)) for joint, stop in own.items()]
    parts = ([] if others is None else [others]) + parts
    return None if not parts else parts[0] if len(parts) == 1 else JointStops(tuple(parts))


def _springs(stop: JointStop, others: tuple[str, ...]) -> SoftLimits:
    """Return the springs at the limits of one joint (docs/equations/thesis.md, 8.7). others : all other joints."""
    spring: Any = Linear(stop.k)
    if stop.type == "power":
        spring = Power(stop.k, 3.0 if stop.n is None else stop.n)
    elif stop.type == "exponential":
        spring = Exponential(stop.k, 5.0 if stop.c is None else stop.c)
    zone = DEFAULT_ZONE if stop.zone is None else stop.zone
    return SoftLimits(spring=spring, zone=zone, zone_share=0.5, gate=stop.gate, by_mass=False, exclude=others)


class JointStops:
    """The sum of several soft limits, with the same interface as one `SoftLimits`."""

    hard = False

    def __init__(self, parts: tuple[SoftLimits, ...]) -> None:
        self.parts = parts

    def memory(self, figure: Figure) -> dict[str, Any]:
        """Return the initial memory of all parts."""
        return {name: x for part in self.parts for name, x in part.memory(figure).items()}

    def rows(self, figure: Figure, q: Any, u: Any, dt: Any = None) -> None:
        """Return None, because springs add no constraint rows."""

    def force(self, figure: Figure, q: Any, u: Any, memory: Any = None, dt: Any = None) -> tuple[Any, ...]:
        """Return the sum of the forces of all parts: (tau (nu,), stiffness, damping, memory)."""
        total, stiffness, damping, left = self.parts[0].force(figure, q, u, memory, dt)
        for part in self.parts[1:]:
            tau, k, c, _ = part.force(figure, q, u, memory, dt)
            total = total + tau
            stiffness = k if stiffness is None else stiffness if k is None else add_inertia(stiffness, k)
            damping = c if damping is None else damping if c is None else add_inertia(damping, c)
        return total, stiffness, damping, left
