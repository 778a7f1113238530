"""Gait angles of a figure as a gait laboratory reports them, and the configuration with given angles.

Signs are those of Schwartz, Rozumalski and Trost (J. Biomech. 41 (2008) 1639). For one side, these are positive:
anterior tilt, that side up, that side forward, flexion, adduction, internal rotation, dorsiflexion, toes turned in. Let
s = 1 for the left side and -1 for the right, with x forward, y left and z up. Rotations are intrinsic:

    pelvis to world   R_z(-s rotation) R_x(s obliquity) R_y(tilt)                     order of Baker 2001         (1)
    thigh to pelvis   R_y(-flexion) R_x(-s adduction) R_z(-s rotation)                                            (2)
    shank to thigh    R_y(flexion) …,   foot to shank   R_y(-dorsiflexion) R_x(-s inversion)                      (3)
    foot progression  -s × the direction of the line from heel to toe tip on the ground                           (4)
    trunk to world    as (1), for the link that carries the sternum                                               (5)

The axes of the pelvis come from its markers. The y axis points from the right to the left anterior spine. The x axis
points from the middle of the posterior spines to the middle of the anterior spines, made orthogonal to y. So the pelvis
of an upright figure is tilted as its markers are, with the same angle of hip flexion. Directions are relative to
`heading`, the direction of walking [rad about z, from x]. The functions work on plain floats only.
"""

import math
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import transpose
from anthropi.entry import kinematics
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.figure.joints import Ball, Composite, Free, Revolute
from anthropi.figure.parts import Marker

__all__ = ["GAIT_ANGLES", "SIDES", "gait_angles", "has_feet", "leg_length", "pelvis_axes", "posture"]

SIDES = {"l": 1.0, "r": -1.0}
PELVIS = ("pelvis_tilt", "pelvis_obliquity", "pelvis_rotation")
TRUNK = ("trunk_tilt", "trunk_obliquity", "trunk_rotation")
LEG = ("hip_flexion", "hip_adduction", "hip_rotation", "knee_flexion", "ankle_dorsiflexion")
EXTRA = ("ankle_inversion", "toe_flexion")  # in addition to the angles of a laboratory, if the figure has these joints
SPINES = ("l_asis", "r_asis", "l_psis", "r_psis")
GAIT_ANGLES = (*PELVIS, *LEG, "foot_progression", *TRUNK)


def gait_angles(figure: Figure, q: Any, side: str = "l", heading: float = 0.0) -> dict[str, np.ndarray]:
    """Compute the gait angles of one side.

    Parameters
    ----------
    figure : a human figure.
    q : (nq,) or (frames, nq).
    side : "l" or "r".
    heading : direction of walking [rad about z, from x].

    Returns
    -------
    {name: () or (frames,)} [rad] in the order of `GAIT_ANGLES`, followed by "ankle_inversion" and "toe_flexion". Angles
    without a joint in the figure are left out.
    """
    s, links = _sign(side), {link.name for link in figure.links}
    lead = np.shape(q)[:-1]
    k = kinematics(figure, np.atleast_2d(np.asarray(q, float)))
    about = rot.elementary("z", -heading)
    pelvis = about @ k.rotation[:, _hips(figure, side)] @ pelvis_axes(figure)
    thigh, shank = (k.link(f"{side}_{name}").rotation for name in ("thigh", "shank"))
    found = dict(zip(PELVIS, _of_world(pelvis, s), strict=True))  # (1)
    turns = rot.euler_from_matrix(transpose(pelvis) @ about @ thigh, "yxz")  # (2)
    found |= dict(zip(LEG[:3], (-turns[:, 0], -s * turns[:, 1], -s * turns[:, 2]), strict=True))
    found["knee_flexion"] = rot.euler_from_matrix(transpose(thigh) @ shank, "yxz")[:, 0]  # (3)
    if f"{side}_foot" in links:
        turns = rot.euler_from_matrix(transpose(shank) @ k.link(f"{side}_foot").rotation, "yxz")  # (3)
        found["ankle_dorsiflexion"] = -turns[:, 0]
    line = (k.marker(f"{side}_toe_tip") - k.marker(f"{side}_heel")) @ about.T
    found["foot_progression"] = -s * np.arctan2(line[:, 1], line[:, 0])  # (4)
    trunk = k.link(figure.marker("sternum").link).rotation
    found |= dict(zip(TRUNK, _of_world(about @ trunk, s), strict=True))  # (5)
    if f"{side}_foot" in links:
        found["ankle_inversion"] = -s * turns[:, 1]
    if f"{side}_toes" in links:
        toes = transpose(k.link(f"{side}_foot").rotation) @ k.link(f"{side}_toes").rotation
        found["toe_flexion"] = rot.euler_from_matrix(toes, "yxz")[:, 0]
    return {name: value.reshape(lead) for name, value in found.items()}


def posture(figure: Figure, angles: dict[str, Any], q: Any = None, position: Any = None) -> np.ndarray:
    """Compute the configuration with given gait angles.

    Parameters
    ----------
    angles : {name: () or (frames,)} [rad]. Angles of pelvis and trunk have their plain names and the sign of the left
        side. Joint angles have the side in front: "l_hip_flexion", "r_knee_flexion", "l_ankle_inversion",
        "l_toe_flexion". A joint without any given angle keeps its coordinates in q. If some angles of a joint are
        given, its other angles are 0. The joints of the spine share the rotation between pelvis and trunk evenly.
    q : (nq,) or (frames, nq), coordinates of all other joints; neutral by default.
    position : (3,) or (frames, 3) [m], origin of the pelvis, midway between the hip centres; that of q by default.

    Returns
    -------
    q (nq,) or (frames, nq). `gait_angles` of this configuration returns the given angles.
    """
    if not isinstance(figure.joints[0], Free) or _hips(figure) != 0:
        raise InputError(
            f"posture needs a figure with the pelvis as its free root; the root of figure '{figure.name}' is "
            f'\'{figure.links[0].name}\'. Use ap.human(detail="standard") or "full".'
        )
    angles = {name: np.asarray(value, float) for name, value in angles.items()}
    _known(angles)
    base = figure.neutral() if q is None else np.asarray(q, float)
    place = base[..., :3] if position is None else np.asarray(position, float)
    lead = np.broadcast_shapes(base.shape[:-1], place.shape[:-1], *(a.shape for a in angles.values()))
    out = np.broadcast_to(base, (*lead, figure.nq)).copy()
    out[..., figure.q_of[0].start : figure.q_of[0].start + 3] = place

    def turned(names, order, signs):
        parts = [np.broadcast_to(sign * angles.get(n, 0.0), lead) for n, sign in zip(names, signs, strict=True)]
        return rot.matrix_from_euler(np.stack(parts, axis=-1), order)

    def given(names) -> bool:
        return any(n in angles for n in names)

    def put(joint: str, C):
        out[..., figure.q_of[figure.joint_index(joint)]] = rot.quaternion_from_matrix(C)

    axes, root = pelvis_axes(figure), figure.q_of[0].start + 3
    if given(PELVIS):
        C = turned(PELVIS[::-1], "zxy", (-1.0, 1.0, 1.0))  # (1)
        out[..., root : root + 4] = rot.quaternion_from_matrix(C @ axes.T)
    pelvis = rot.matrix_from_quaternion(out[..., root : root + 4])
    if given(TRUNK):
        trunk = transpose(pelvis) @ turned(TRUNK[::-1], "zxy", (-1.0, 1.0, 1.0))  # (5)
        spine = _spine(figure)
        part = rot.matrix_from_rotation_vector(rot.rotation_vector_from_matrix(trunk) / len(spine))
        for joint in spine:
            put(joint, part)
    for side, s in SIDES.items():
        hip, ankle = [f"{side}_{n}" for n in LEG[:3]], [f"{side}_{n}" for n in (LEG[4], EXTRA[0])]
        if given(hip):
            put(f"{side}_hip", axes @ turned(hip, "yxz", (-1.0, -s, -s)))  # (2)
        for joint, names in (
            (f"{side}_knee", [f"{side}_{LEG[3]}"]),
            (f"{side}_ankle", ankle),
            (f"{side}_toe", [f"{side}_{EXTRA[1]}"]),
        ):
            if given(names):
                values = [np.broadcast_to(angles.get(n, 0.0), lead) for n in names]
                out[..., figure.q_of[_joint(figure, joint, len(names))]] = np.stack(values, axis=-1)  # (3)
    return out


def pelvis_axes(figure: Figure) -> np.ndarray:
    """Return the laboratory axes of the pelvis, as columns (3, 3) in the frame of its link."""
    p = {m.name: np.asarray(m.point) for m in figure.markers if isinstance(m, Marker)}
    lost = [name for name in SPINES if name not in p]
    if lost:
        raise InputError(
            f"Figure '{figure.name}' has no marker '{lost[0]}'. Gait angles need the markers of the iliac spines of "
            "the pelvis. Use ap.human()."
        )
    y = p["l_asis"] - p["r_asis"]
    y = y / math.sqrt(y @ y)
    x = 0.5 * (p["l_asis"] + p["r_asis"] - p["l_psis"] - p["r_psis"])
    x = x - y * (x @ y)
    x = x / math.sqrt(x @ x)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def leg_length(figure: Figure) -> float:
    """Measure the leg length l [m] of the upright figure, from hip centre to sole, for use in v / √(g l)."""
    k = kinematics(figure, figure.neutral())
    return float(k.marker("l_hip_centre")[2] - k.marker("l_heel")[2])


def has_feet(figure: Figure) -> bool:
    """Return whether the figure has a pelvis as its free root, and legs with feet and toes."""
    links = {link.name for link in figure.links}
    required = {f"{side}_{name}" for side in SIDES for name in ("thigh", "shank", "foot", "toes")}
    return required <= links and isinstance(figure.joints[0], Free) and _hips(figure) == 0


def _of_world(C, s: float):
    """Compute tilt, obliquity and rotation (1) [rad] from a rotation matrix C to the world. s : 1 left, -1 right."""
    turns = rot.euler_from_matrix(C, "zxy")
    return turns[:, 2], s * turns[:, 1], -s * turns[:, 0]


def _hips(figure: Figure, side: str = "l") -> int:
    """Return the index of the parent link of a thigh."""
    names = [link.name for link in figure.links]
    if "l_thigh" not in names or "r_thigh" not in names:
        raise InputError(
            f"Gait angles need the links l_thigh and r_thigh, which figure '{figure.name}' does not have. Use ap.human "
            'with detail="standard", "full", "thesis42" or "thesis51".'
        )
    return figure.parent[names.index(f"{side}_thigh")]


def _spine(figure: Figure) -> list[str]:
    """Return the names of the ball joints between the pelvis and the link that carries the sternum."""
    path = figure.path(figure.link_index(figure.marker("sternum").link))
    joints = [figure.joints[i] for i in path if i != 0]
    if not joints or not all(isinstance(joint, Ball) for joint in joints):
        raise InputError(f"The trunk of figure '{figure.name}' is not connected to its pelvis by ball joints.")
    return [joint.name for joint in joints]


def _joint(figure: Figure, name: str, size: int) -> int:
    i = figure.joint_index(name)
    if not isinstance(figure.joints[i], (Revolute, Composite)) or figure.joints[i].nq != size:
        raise InputError(
            f"Joint '{name}' of figure '{figure.name}' has kind '{figure.joints[i].kind}'. posture needs the joints of "
            'ap.human(detail="standard") or "full".'
        )
    return i


def _known(angles) -> None:
    names = [*PELVIS, *TRUNK, *(f"{side}_{n}" for side in SIDES for n in (*LEG, *EXTRA))]
    for name in angles:
        if name not in names:
            raise InputError(
                f"posture got an unknown angle '{name}'.{did_you_mean(name, names)} Choose from: {', '.join(names)}."
            )


def _sign(side: str) -> float:
    if side not in SIDES:
        raise InputError(f'side={side!r}: give "l" or "r".')
    return SIDES[side]
