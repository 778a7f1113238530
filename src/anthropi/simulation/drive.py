"""Drives: forces, springs and prescribed accelerations on a figure, and the acceleration they produce.

The joint forces of springs and dampers towards a target are

    τ = kp (target ⊟ q) - kd u                                                 (1)

They are explicit, or implicit over a step (`over`), which is stable for any stiffness
(`algorithms/implicit_springs.py`). For a figure with loops, `constraints/loops` computes the acceleration. Other forces
in tau may have a stiffness (minus their derivative with respect to q) and a damping (minus that with respect to u).
Over a step h they are then evaluated at its end, to first order:

    τ - h stiffness u - (h² stiffness + h damping) u'                          (2)
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.forces import add_inertia, times
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.implicit_springs import implicit_drive, pull_towards
from anthropi.constraints.loops.dynamics import accelerate
from anthropi.errors import InputError, ShapeError

__all__ = ["Drive", "acceleration", "applied_force", "by_link", "checked", "inputs", "sized", "total_force"]


BLOCKS = ("stiffness", "damping")  # fields that may have the shape (nu, nu)


class Drive(NamedTuple):
    """Forces, springs and prescribed accelerations on a figure. A field is None if it is not used.

    Attributes
    ----------
    tau : (nu,) joint forces [N m or N].
    f_ext : (links, 6) external forces in link frames, moment about the origin first.
    target, kp, kd : (nq,), (nu,), (nu,) springs towards a configuration, and dampers, added to those of the figure.
    udot : (nu,) accelerations of prescribed degrees of freedom; the other entries are ignored.
    limit : (nu,) largest force of springs and dampers towards the target; at this limit they are not implicit.
    stiffness, damping : (nu,), or (nu, nu) with a block per joint; minus the derivatives of tau with respect to q and
        u, for implicit steps.
    added : {link number: ArticulatedInertia} derivatives of f_ext, for implicit steps (algorithms/recursions.py (5)).
    course : (3, numbers) value, rate and acceleration of driven loops; None if loops keep their own values.
    """

    tau: Any = None
    f_ext: Any = None
    target: Any = None
    kp: Any = None
    kd: Any = None
    udot: Any = None
    course: Any = None
    limit: Any = None
    stiffness: Any = None
    damping: Any = None
    added: Any = None


def checked(figure: Any, drive: Drive, prescribed: Any = ()) -> Drive:
    """Convert the fields of a drive to arrays and link names to numbers; raise an error for a wrong field."""
    nu = (figure.nu,)
    if drive.kp is not None and drive.target is None:
        raise InputError("The drive has kp, but no target. Give target (nq,).")
    if prescribed and drive.udot is None:
        raise InputError(f"The drive has no udot, but {', '.join(prescribed)} is prescribed. Give udot (nu,).")
    per_dof = {name: _everywhere(getattr(drive, name), nu) for name in ("kp", "kd", "limit", "stiffness", "damping")}
    return drive._replace(tau=sized("forces", drive.tau, nu), f_ext=_on_links(figure, drive.f_ext),
                          target=sized("target", drive.target, (figure.nq,)), udot=sized("udot", drive.udot, nu),
                          **{name: sized(name, given, nu * (2 if name in BLOCKS and np.ndim(given) == 2 else 1))
                             for name, given in per_dof.items()})  # fmt: skip


def _everywhere(value, shape):
    """Expand a single number to all dofs; return arrays unchanged."""
    return np.full(shape, value) if value is not None and np.ndim(value) == 0 else value


def sized(name: str, value: Any, shape: Any) -> Any:
    """Return the value as an array; raise ShapeError if its shape is different. None is returned unchanged."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.shape != shape:
        raise ShapeError(f"'{name}' has shape {array.shape}. It must have shape {shape}.")
    return array


def _on_links(figure, f_ext):
    """Convert external forces {link name: (6,)} to {link number: (6,)}; return an array (links, 6) unchanged."""
    if not isinstance(f_ext, dict):
        return sized("f_ext", f_ext, (figure.n, 6))
    found = {}
    for link, force in f_ext.items():
        number = figure.link_index(link) if isinstance(link, str) else link
        if number not in range(figure.n):
            raise InputError(f"f_ext has link {link!r}. Give a link name, or a number from 0 to {figure.n - 1}.")
        found[number] = sized("f_ext", force, (6,))
    return found


def by_link(f_ext: Any) -> dict[Any, Any]:
    """Return external forces as {link number: (6,)}."""
    return f_ext if isinstance(f_ext, dict) else dict(enumerate([] if f_ext is None else f_ext))


def total_force(figure: Any, drive: Drive, q: Any, u: Any) -> Any:
    """Compute the joint forces (nu,) of a drive, including its springs and dampers towards a target."""
    pull, _ = pull_towards(figure, q, u, 0.0, drive.target, drive.kp, drive.kd, drive.limit)
    return pull if drive.tau is None else drive.tau + pull


def applied_force(figure: Any, drive: Drive, q: Any, u: Any, udot: Any, over: Any = None) -> Any:
    """Compute the joint forces (nu,) that act over a step: tau, springs and dampers (1), and implicit parts (2).

    over : [s] the time step, in which u changes by over · udot; None for the forces at this instant.
    """
    h = 0.0 if over is None else over
    force, more = pull_towards(figure, q, u, h, drive.target, drive.kp, drive.kd, drive.limit)
    force = force if drive.tau is None else force + drive.tau
    if over is not None and drive.stiffness is not None:
        force, more = force - h * times(drive.stiffness, u), add_inertia(more, h * h * drive.stiffness)  # (2)
    if over is not None and drive.damping is not None:
        more = add_inertia(more, h * drive.damping)
    return force - times(more, udot)


def acceleration(figure: Any, drive: Drive, q: Any, u: Any, prescribed: Any = (), over: Any = None) -> Any:
    """Compute the acceleration (nu,) of a figure under a drive.

    over : [s] the time step for implicit springs and dampers; None for explicit ones.
    """
    tau, extra, added = inputs(figure, drive, q, u, over)
    if figure.loops:
        return accelerate(figure, q, u, tau, drive.f_ext, extra, drive.course, drive.udot, prescribed, added)[0]
    if prescribed:
        return hybrid_dynamics(figure, q, u, tau, drive.udot, drive.f_ext, extra, added, prescribed=prescribed)[0]
    return direct_dynamics(figure, q, u, tau, drive.f_ext, extra, added)


def inputs(figure: Any, drive: Drive, q: Any, u: Any, over: Any = None) -> Any:
    """Return the arguments (tau, extra, added) of direct dynamics for a drive; `over` as in `acceleration`."""
    if over is None:
        return total_force(figure, drive, q, u), None, None
    tau = np.zeros(figure.nu) if drive.tau is None else drive.tau
    tau, extra = implicit_drive(figure, q, u, tau, over, drive.target, drive.kp, drive.kd, drive.limit)
    if drive.stiffness is not None:
        tau, extra = tau - over * times(drive.stiffness, u), add_inertia(extra, over * over * drive.stiffness)  # (2)
    return tau, extra if drive.damping is None else add_inertia(extra, over * drive.damping), drive.added
