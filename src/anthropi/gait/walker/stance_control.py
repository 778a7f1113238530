"""How do the legs that stand bear the body? Torques of hips and ankles, as far as their feet are loaded.

pelvis    hips give  C τ = -T - C_l τ_l - C_o τ_o,   T = k (R* ⊟ R) - d ω  of the pelvis, with the pulls of the
          lumbar joint and of the other hip: SIMBICON's law (Yin and others 2007). R* leans aside by c·(e_y, e'_y);
          where both feet bear, both hips share it                                                            (1)
twist     about the thigh no more than 2.5 cm times the foot's load, which its friction can bear                (3)
ankles    of one who stands move the centre of pressure by c·(e_x, e'_x), in lengths                          (2)
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import clip, maximum
from anthropi.gait.walker.joint_targets import DAMPING, STIFFNESS
from anthropi.gait.walker.observation import Observation, foot_load

__all__ = ["stance_torques"]

LEANS = 0.3  # [rad] at most (1)
TWIST = 0.025  # [m] (3)
PRESSES = 0.1  # [m] at most (2), of both ankles


def stance_torques(now: Observation, pelvis, target):
    """Joint forces (nu,). pelvis : rotation vector of R*; target (nq,) : where springs pull."""
    figure, p, size, (q, u) = now.figure, now.p, now.size, now.sense[1:3]
    lean = clip(now.moving * (p["sway"] @ np.stack([now.e[1], now.rate[1]])), -LEANS, LEANS)
    wanted = rot.quaternion_from_rotation_vector(pelvis + np.array([lean, 0.0, 0.0]))
    T = size.torque * p["upright"][0] * _apart(now.pelvis, wanted) - size.damping * p["upright"][1] * u[3:6]
    own = {}
    for name, stiff, swings in (("lumbar", STIFFNESS["lumbar"], 1.0), ("l_hip", p["hip"], now.swings["l"]),
                                ("r_hip", p["hip"], now.swings["r"])):  # fmt: skip
        at, dofs = figure.q_of[figure.joint_index(name)], figure.u_of[figure.joint_index(name)]
        damper = DAMPING["lumbar" if name == "lumbar" else "hip"]
        pull = size.torque * stiff * _apart(q[at], target[at]) - size.damping * damper * u[dofs]
        own[name] = rot.matrix_from_quaternion(q[at]), swings * pull
    bears = {side: now.load[side] * (1.0 - now.swings[side]) for side in "lr"}
    both = maximum(bears["l"] + bears["r"], 1.0)
    most, furthest = p["strongest"] * size.torque, PRESSES * now.weight * size.length
    pushes = 0.5 * now.weight * size.length * (p["balance"][1:] @ np.stack([now.e[0], now.rate[0]]))  # (2)
    tau: list = [0.0] * figure.nu
    for side, other in (("l", "r"), ("r", "l")):
        rest = matvec(*own["lumbar"]) + now.moving * matvec(*own[f"{other}_hip"])
        turned = matvec(transpose(own[f"{side}_hip"][0]), -T - rest)  # (1)
        twist = TWIST * size.length * foot_load(figure, now.sense, side)  # (3)
        for k, x, limit in zip(figure.dof_indices(f"{side}_hip"), turned, (most, most, twist), strict=True):
            tau[k] = clip(x * bears[side] / both, -limit, limit)
        tau[figure.dof_indices(f"{side}_ankle")[0]] = -now.clock.stand * clip(pushes, -furthest, furthest)
    return np.array(tau)


def _apart(now, wanted):
    """The rotation vector (3,) from a quaternion to another."""
    return rot.rotation_vector_from_quaternion(rot.quaternion_product(rot.quaternion_conjugate(now), wanted))
