"""Stance control of a walker: hip and ankle torques of the loaded legs, for an upright pelvis and balance.

    pelvis    the hip torque τ of a loaded leg satisfies  C τ = -T - C_l τ_l - C_o τ_o  with the desired torque
              T = k (R* ⊟ R) - d ω  on the pelvis and the torques of the lumbar joint (l) and of the other hip (o).
              R* leans sideways by c·(e_y, e'_y). When both feet are loaded, both hips share the torque           (1)
    twist     the torque about the thigh is at most 2.5 cm times the load of the foot, so that friction can bear
              it                                                                                                  (2)
    ankles    the ankles of a standing walker move the centre of pressure by c·(e_x, e'_x)                        (3)

Source of (1): K. Yin, K. Loken, M. van de Panne, "SIMBICON: simple biped locomotion control", ACM Transactions on
Graphics 26 (2007). All functions can be recorded on a tape. The constants are fields of `settings.StanceSettings`.
"""

from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import clip, maximum
from anthropi.gait.walker.observation import Observation, foot_load

__all__ = ["stance_torques"]


def stance_torques(obs: Observation, pelvis: Any, target: Any) -> np.ndarray:
    """Compute the joint torques of the stance legs.

    Parameters
    ----------
    pelvis : rotation vector (3,) of the desired pelvis R* relative to the heading, without its sideways lean.
    target : (nq,) targets of the joint springs (`joint_targets.spring_targets`).

    Returns
    -------
    (nu,) [N m], zero except for hips and ankles.
    """
    figure, p, size, own = obs.figure, obs.p, obs.size, obs.settings.stance
    lean = clip(obs.moving * (p["sway"] @ np.stack([obs.e[1], obs.rate[1]])), -own.max_lean, own.max_lean)
    desired = rot.quaternion_from_rotation_vector(pelvis + np.array([lean, 0.0, 0.0]))
    omega = obs.sense.u[3:6]
    T = size.torque * p["upright"][0] * _difference(obs.pelvis, desired) - size.damping * p["upright"][1] * omega
    springs = _springs(obs, target)
    loaded = {side: obs.load[side] * (1.0 - obs.swings[side]) for side in "lr"}
    both = maximum(loaded["l"] + loaded["r"], 1.0)
    strongest, furthest = p["strongest"] * size.torque, own.max_pressure_shift * obs.weight * size.length
    pressure = 0.5 * obs.weight * size.length * (p["balance"][1:] @ np.stack([obs.e[0], obs.rate[0]]))  # (3)
    tau: list[Any] = [0.0] * figure.nu
    for side, other in (("l", "r"), ("r", "l")):
        rest = matvec(*springs["lumbar"]) + obs.moving * matvec(*springs[f"{other}_hip"])
        hip = matvec(transpose(springs[f"{side}_hip"][0]), -T - rest)  # (1)
        twist = own.twist_arm * size.length * foot_load(figure, obs.sense, side)  # (2)
        bounds = (strongest, strongest, twist)
        for k, x, bound in zip(figure.dof_indices(f"{side}_hip"), hip, bounds, strict=True):
            tau[k] = clip(x * loaded[side] / both, -bound, bound)
        tau[figure.dof_indices(f"{side}_ankle")[0]] = -obs.clock.stand * clip(pressure, -furthest, furthest)
    return np.array(tau)


def _springs(obs: Observation, target: Any) -> dict[str, tuple[Any, Any]]:
    """Rotation (3, 3) and spring torque (3,) [N m] of the lumbar joint and of both hips, in the child frame (eq. 1)."""
    figure, size, q, u, own = obs.figure, obs.size, obs.sense.q, obs.sense.u, obs.settings.joints
    found = {}
    for name, kind, stiffness, share in (
        ("lumbar", "lumbar", own.stiffness["lumbar"], 1.0),
        ("l_hip", "hip", obs.p["hip"], obs.swings["l"]),
        ("r_hip", "hip", obs.p["hip"], obs.swings["r"]),
    ):
        at, dofs = figure.q_of[figure.joint_index(name)], figure.u_of[figure.joint_index(name)]
        torque = size.torque * stiffness * _difference(q[at], target[at]) - size.damping * own.damping[kind] * u[dofs]
        found[name] = rot.matrix_from_quaternion(q[at]), share * torque
    return found


def _difference(start: Any, end: Any) -> Any:
    """Rotation vector (3,) from one quaternion to another, in the frame of the first."""
    return rot.rotation_vector_from_quaternion(rot.quaternion_product(rot.quaternion_conjugate(start), end))
