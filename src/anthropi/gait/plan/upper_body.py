"""Posture of trunk, head and arms that follows the legs (docs/equations/thesis.md, 9.3, principle 3, and 9.8).

    shoulder_R = a₀ + k_a hip_L,  shoulder_L = a₀ + k_a hip_R    flexions; the right arm swings with the left leg   (1)
    elbow      = e₀ + k_e max(0, shoulder)                       rounded over 0.1 rad, so that it is C^∞            (2)
    shoulders  turned by -k_t ψ about the vertical, tilted by (1 - upright) θ, with a forward lean                  (3)
    head       not turned; it faces the direction of walking                                                        (4)

ψ and θ are the rotation and tilt of the pelvis in the world (`determinant_forces.pelvis_angles`). (3) and (4) prescribe
rotations C in the world. The joints of the spine, or of neck and head, share the rotation r = log(C_belowᵀ C) from the
link below them. All shares are rotations about the same axis, so they compose exactly to r. The offset a₀ is our
choice: arms swing further back than forward.
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import transpose
from anthropi.algebra.scalar import sqrt
from anthropi.errors import InputError
from anthropi.figure.figure import Figure
from anthropi.gait.plan.determinant_forces import pelvis_angles, pelvis_link

__all__ = ["UpperBody", "upper_body", "upper_body_joints"]

ELBOW_ROUNDING = 0.1  # [rad], rounding of (2)
SPINE = {"lumbar": 0.3, "thoracic": 0.7, "girdle": 1.0}  # shares of (3); the lumbar spine turns least
NECK = {"neck": 0.5, "head": 0.5}  # shares of (4)
SHOULDER_LINKS = ("thorax", "shoulder_bar", "torso")  # links that may carry the shoulders


@dataclass(frozen=True)
class UpperBody:
    """Settings of the posture of the upper body in walking. Angles are in rad.

    arm, arm_offset : gain k_a and offset a₀ of the arm swing (1). elbow, elbow_gain : offset e₀ and gain k_e of the
    elbow (2). abduction : angle of the upper arms to the side. counter : counter-rotation k_t of the shoulders (3).
    upright : share of the pelvic tilt that the spine compensates. lean : forward lean of the trunk.
    """

    arm: float = 0.8
    arm_offset: float = -0.2
    elbow: float = 0.25
    elbow_gain: float = 0.7
    abduction: float = 0.08
    counter: float = 1.0
    upright: float = 1.0
    lean: float = 0.03

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not np.isfinite(value):
                raise InputError(f"UpperBody got {f.name}={value!r}. Give a finite number.")


def upper_body(figure: Figure, q: Any, style: UpperBody | None = None, heading: Any = 0.0) -> Any:
    """Return q (nq,) with trunk, head and arms set to follow the pelvis and the hips. Other joints do not change.

    A pure function, which can be recorded on a tape. heading : direction of walking, an angle about z [rad].
    """
    own = upper_body_joints(figure, q, style, heading)
    return np.concatenate([own.get(j.name, q[at]) for j, at in zip(figure.joints, figure.q_of, strict=True)])


def upper_body_joints(figure: Figure, q: Any, style: UpperBody | None = None, heading: Any = 0.0) -> dict[str, Any]:
    """Return {joint: its coordinates} of trunk, head and arms (1)-(4), for a human figure with its root below them."""
    style = UpperBody() if style is None else style
    found = _spine(figure, q, style, heading)
    for side, opposite in (("l", "r"), ("r", "l")):
        found |= _arm(figure, q, side, opposite, style)
    return found


def _arm(figure, q, side: str, opposite: str, style: UpperBody) -> dict[str, Any]:
    """Compute the joint coordinates of an arm (1), (2)."""
    joints = {joint.name: i for i, joint in enumerate(figure.joints)}
    if f"{opposite}_hip" not in joints or f"{side}_shoulder" not in joints:
        raise InputError(
            f"Figure '{figure.name}' has no joint '{opposite}_hip' or '{side}_shoulder'. The posture of the upper body "
            f"needs a human figure. Joints: {', '.join(joints)}."
        )
    i, e = joints[f"{opposite}_hip"], joints.get(f"{side}_elbow")
    hip = -figure.joints[i].coordinates(q[figure.q_of[i]])[1]
    swing = style.arm_offset + style.arm * hip  # (1)
    flexion = style.elbow + style.elbow_gain * 0.5 * (
        swing + sqrt(swing * swing + ELBOW_ROUNDING * ELBOW_ROUNDING)
    )  # (2)
    out = style.abduction if side == "l" else -style.abduction
    shoulder = figure.joints[joints[f"{side}_shoulder"]]
    found = {shoulder.name: shoulder.from_coordinates(np.array([out, -swing, 0.0]))}
    if e is not None:
        elbow, at = figure.joints[e], q[figure.q_of[e]]
        x = [0.0, -flexion, 0.0] if elbow.nu == 3 else [flexion, *elbow.coordinates(at)[1:]]
        found[elbow.name] = elbow.from_coordinates(np.array(x))
    return found


def _spine(figure, q, style: UpperBody, heading) -> dict[str, Any]:
    """Compute the joint coordinates of spine, neck and head (3), (4)."""
    turn, tilt = pelvis_angles(_rotation(figure, q, pelvis_link(figure)), heading=heading)[0]
    links = [link.name for link in figure.links]
    found_links = [name for name in SHOULDER_LINKS if name in links]
    if not found_links:
        raise InputError(
            f"Figure '{figure.name}' has no link {' or '.join(map(repr, SHOULDER_LINKS))} that carries the shoulders. "
            f"The posture of the upper body needs a human figure. Links: {', '.join(links)}."
        )
    carrier = links.index(found_links[0])
    trunk = rot.elementary("z", heading - style.counter * turn)
    trunk = trunk @ rot.elementary("x", (1.0 - style.upright) * tilt) @ rot.elementary("y", style.lean)
    found = _share(figure, q, carrier, SPINE, trunk)
    if "head" in links and links.index("head") != carrier:
        found |= _share(figure, q, links.index("head"), NECK, rot.elementary("z", heading), trunk if found else None)
    return found


def _share(figure, q, link: int, shares, rotation, below=None) -> dict[str, Any]:
    """Compute the joint coordinates that bring a link to a rotation in the world.

    shares : {joint: share of the rotation}. below : rotation of the link from which these joints start.
    """
    joints = [i for i in figure.path(link) if figure.joints[i].name in shares]
    if len(joints) < sum(joint.name in shares for joint in figure.joints):
        raise InputError(
            f"The root of figure '{figure.name}' is '{figure.links[0].name}', above its spine. The posture of the "
            "upper body is computed from the legs upwards. Use a figure with its root at or below the pelvis."
        )
    if not joints:
        return {}
    below = _rotation(figure, q, figure.parent[joints[0]]) if below is None else below
    r = rot.rotation_vector_from_matrix(transpose(below) @ rotation)
    total = sum(shares[figure.joints[i].name] for i in joints)
    return {
        figure.joints[i].name: figure.joints[i].from_coordinates(shares[figure.joints[i].name] / total * r)
        for i in joints
    }


def _rotation(figure, q, link: int):
    """Compute the rotation matrix C of a link in the world."""
    C = None
    for i in figure.path(link):
        own = figure.joints[i].placement.rotation @ figure.joints[i].transform(q[figure.q_of[i]]).rotation
        C = own if C is None else C @ own
    return C
