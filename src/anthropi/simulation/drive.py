"""What drives a figure at an instant, and which acceleration follows.

Springs and dampers towards a target pull with

    τ = kp (target ⊟ q) - kd u                                                 (1)

explicitly, or at the end of a step (`over`), where they may be as stiff as they like (`algorithms/implicit.py`). A
figure with loops moves by `constraints/loops`.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.implicit import implicit_drive
from anthropi.constraints.loops.dynamics import accelerate
from anthropi.errors import SizeError

__all__ = ["Drive", "acceleration", "total_force"]


class Drive(NamedTuple):
    """What drives a figure. None where there is nothing.

    tau (nu,): joint forces [N m or N]. f_ext (links, 6): external forces in link frames, moment about the origin first.
    target (nq,), kp, kd (nu,): springs towards a configuration and dampers, beside the figure's own.
    udot (nu,): accelerations of prescribed degrees of freedom; the other entries are not read.
    course (3, numbers): value, rate and acceleration of the loops' numbers; where None, they rest as the loops say.
    """

    tau: Any = None
    f_ext: Any = None
    target: Any = None
    kp: Any = None
    kd: Any = None
    udot: Any = None
    course: Any = None


def total_force(figure, drive: Drive, q, u):
    """tau with the springs and dampers of (1) in it (nu,)."""
    tau = np.zeros(figure.nu) if drive.tau is None else drive.tau
    if drive.kp is not None:
        if drive.target is None:
            raise SizeError("A drive with kp pulls towards a target (nq,); give one.")
        tau = tau + drive.kp * figure.difference(q, drive.target)
    return tau if drive.kd is None else tau - drive.kd * u


def acceleration(figure, drive: Drive, q, u, prescribed=(), over=None):
    """udot (nu,) under a drive. over : [s] the step over which all springs and dampers act implicitly; None: now."""
    extra = None
    if over is None:
        tau = total_force(figure, drive, q, u)
    else:
        given = np.zeros(figure.nu) if drive.tau is None else drive.tau
        tau, extra = implicit_drive(figure, q, u, given, over, drive.target, drive.kp, drive.kd)
    if figure.loops:
        return accelerate(figure, q, u, tau, drive.f_ext, extra, drive.course, drive.udot, prescribed)[0]
    if prescribed:
        return hybrid_dynamics(figure, q, u, tau, drive.udot, drive.f_ext, extra, prescribed=prescribed)[0]
    return direct_dynamics(figure, q, u, tau, drive.f_ext, extra)
