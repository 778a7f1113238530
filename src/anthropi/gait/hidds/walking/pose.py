"""Configuration of a human figure with given hips, pelvis and legs, and its rates (docs/equations/thesis.md, 9.8).

The rotations C of these links in the world are known: hip bar or pelvis, thighs and shanks from `legs.py`, and feet
from their pitch. If the trunk is the root, it is upright, and the link above the pelvis has half of the pelvis'
rotation. The rotation of a joint is

    C_parentᵀ C                                                                (1)

A ball joint takes all of it, a knee or a toe its component about y, and an ankle those about y, then x. `upper_body`
moves trunk, arms and head. The root is placed so that the middle of the hips is at its given position. The rates come
from seven states, h apart, by differences in the chart at the middle one, exact to h⁶:

    ξ_k = q_k ⊟ q_0,  u = Σ b_k ξ_k / h,  u' = Σ c_k ξ_k / h²                  (2)  d log = I and its slope is 0 at 0
"""

from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import transpose
from anthropi.algebra.scalar import atan2, sqrt
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.compiler import kernel_for
from anthropi.compiler.cache import digest
from anthropi.errors import InputError
from anthropi.figure.figure import Figure
from anthropi.figure.human.build import ankle_markers
from anthropi.figure.joints import Ball, Free
from anthropi.gait.hidds.walking.footprints import Foot
from anthropi.gait.plan.determinant_forces import pelvis_link
from anthropi.gait.plan.upper_body import upper_body
from anthropi.tape import record

__all__ = ["LEGS", "MARGIN", "Anatomy", "check_legs", "pose", "rates", "rates_of", "toes_up"]

MARGIN = 3  # frames on each side that (2) needs
FIRST_DIFFERENCE = {1: 0.75, 2: -0.15, 3: 1.0 / 60.0}  # b_k = -b_-k
SECOND_DIFFERENCE = {1: 1.5, 2: -0.15, 3: 1.0 / 90.0}  # c_k = c_-k
TURNED = ("pelvis", "l_thigh", "l_shank", "l_foot", "r_thigh", "r_shank", "r_foot")  # links with given rotations
BARS = ("hip_bar", "l_hip_bar", "r_hip_bar")  # links that rotate with the pelvis
UPRIGHT = ("torso", "abdomen")
LEGS = ("root", "waist", "pelvic", "hip", "knee", "ankle")  # joints of both sides that the legs' plan needs
TOE_ROUNDING = 0.05  # [rad], rounding of `toes_up`
PAD = 0.3  # height of the toe joint divided by that of the ankle, as in figure/human/
MARKS = ("hip_centre", "knee_centre", "ankle_centre", "heel", "sole_ball_in")


class Anatomy:
    """Lengths [m] and links of a human figure with knees, as needed for walking. frozen : joints that do not move."""

    figure: Any
    foot: Any
    frozen: Any
    half: Any
    shank: Any
    thigh: Any

    def __init__(self, figure: Figure, frozen: tuple[str, ...] = ()) -> None:
        check_legs(figure)
        self.figure, self.frozen = figure, frozen
        for name in frozen:
            base = figure.dofs[figure.dof_indices(name)[0]].split(".")[0]
            if base.removeprefix("l_").removeprefix("r_") in LEGS:
                raise InputError(
                    f"'{name}' cannot be frozen, because the legs need it. Freeze joints of arms, trunk, neck or toes."
                )
        at = {name: _at(figure, f"l_{name}") for name in MARKS}
        self.half = 0.5 * float(at["hip_centre"][1] - _at(figure, "r_hip_centre")[1])
        self.thigh = float(at["hip_centre"][2] - at["knee_centre"][2])
        self.shank = float(at["knee_centre"][2] - at["ankle_centre"][2])
        heel, ball = (float(abs(at[n][0] - at["ankle_centre"][0])) for n in ("heel", "sole_ball_in"))
        ankle = float(at["ankle_centre"][2] - at["heel"][2])
        self.foot = Foot(heel, ball, ankle, PAD * ankle)

    @cached_property
    def feet(self) -> dict[str, str]:
        """Name of the link that contains the ankle and foot of each side."""
        return {side: mark.link for side, mark in zip("lr", ankle_markers(self.figure), strict=True)}

    def pose(self, lower: Any) -> np.ndarray:
        """Return the configurations q (n, nq) for the motion of a lower body (`legs.Lower`)."""
        turns = [lower.pelvis]
        for side in "lr":
            leg = lower.legs[side]
            turns += [leg.thigh, leg.shank, leg.foot]
        return np.asarray(_pose_kernel(self.figure, self.frozen)(lower.hips, np.stack(turns, 1)))


def check_legs(figure: Figure) -> None:
    """Raise InputError if a figure lacks the markers, links or joints that HIDDS needs to make it walk.

    The message names everything that is missing.
    """
    marks, links = {m.name for m in figure.markers}, {link.name for link in figure.links}
    joints, lacks = {j.name for j in figure.joints}, []
    for what, names, known in (
        ("markers", [f"{side}_{name}" for side in "lr" for name in MARKS], marks),
        ("links", [f"{side}_{name}" for side in "lr" for name in ("thigh", "shank")], links),
        ("joints", [f"{side}_{name}" for side in "lr" for name in ("hip", "knee", "shoulder")], joints),
    ):
        missing = [name for name in names if name not in known]
        lacks += [f"the {what} {', '.join(missing)}"] if missing else []
    for link, joint in zip(figure.links[1:], figure.joints[1:], strict=True):
        if link.name in (*TURNED, "l_toes", "r_toes") and not _follows_rotation(joint):
            state = f"{joint.kind} with {joint.nu} degrees of freedom"
            lacks.append(f"a joint '{joint.name}' that can turn link '{link.name}' (it is {state})")
    if not isinstance(figure.joints[0], Free):
        lacks.append("a free root")
    if lacks:
        raise InputError(
            f"HIDDS cannot make figure '{figure.name}' walk: it lacks {'; '.join(lacks)}. Add what is missing, with "
            "these names, unlock locked joints (figure.unlock()), or use ap.human(detail='thesis42'), 'thesis51', "
            "'standard' or 'full'."
        )


def _follows_rotation(joint: Any) -> bool:
    """Return whether `_coordinates` can compute the coordinates of a joint: a ball, a hinge, or two hinges."""
    hinges = [part for part in getattr(joint, "parts", ()) if part.kind == "revolute"]
    free = joint.name.endswith("_hip") or joint.kind == "ball"
    return joint.kind == "ball" if free else joint.kind == "revolute" or (joint.nu == 2 and len(hinges) == 2)


def pose(figure: Figure, hips: Any, turns: Any, frozen: tuple[str, ...] = ()) -> Any:
    """Compute the configuration q (nq,) from the middle of the hips and the rotations of seven links.

    hips : (3,) [m]. turns : (7, 3, 3), rotations of the links `TURNED` in the world. Can be recorded on a tape.
    """
    given = dict(zip(TURNED, turns, strict=True))
    names = [link.name for link in figure.links]
    given |= dict.fromkeys(BARS, given["pelvis"]) | dict.fromkeys(UPRIGHT if names[0] in UPRIGHT else (), np.eye(3))
    if names[pelvis_link(figure)] != "pelvis":
        given["pelvis"] = rot.matrix_from_rotation_vector(0.5 * rot.rotation_vector_from_matrix(given["pelvis"]))
    given |= {f"{side}_toes": np.eye(3) for side in "lr"}
    parts: list[Any] = []
    world: list[Any] = []
    for i, joint in enumerate(figure.joints):
        above = figure.parent[i]
        C = given.get(names[i], world[above] if above >= 0 else np.eye(3))
        world.append(C)
        own = C if above < 0 else transpose(world[above]) @ C  # (1)
        if above < 0:
            parts.append(np.concatenate([np.zeros(3), rot.quaternion_from_matrix(own)]))
        else:
            parts.append(joint.neutral() if names[i] not in given else _coordinates(joint, own))
    q = _frozen(figure, upper_body(figure, np.concatenate(parts)), frozen)
    k = kinematics(figure, q)
    middle = 0.5 * sum(point_position(k, figure.link_index(f"{side}_thigh"), np.zeros(3)) for side in "lr")
    return np.concatenate([q[:3] + hips - middle, q[3:]])


def _coordinates(joint, C):
    """Return the coordinates of a joint with rotation matrix C; a joint with fewer axes gets the angles about them."""
    if isinstance(joint, Ball):
        return joint.from_coordinates(rot.rotation_vector_from_matrix(C))
    about_y = atan2(-C[2][0], C[0][0])
    if joint.nu == 1:
        angle = about_y * float(joint.axis[1])
        return joint.from_coordinates(np.array([toes_up(angle) if joint.name.endswith("_toe") else angle]))
    about_x = atan2(-C[1][2], C[1][1])
    first, second = joint.parts
    return joint.from_coordinates(np.array([about_y * float(first.axis[1]), about_x * float(second.axis[0])]))


def toes_up(x: Any) -> Any:
    """Return a smooth minimum of x [rad] and 0, because toes extend but do not flex. Can be recorded on a tape."""
    return 0.5 * (x - sqrt(x * x + TOE_ROUNDING * TOE_ROUNDING))


def _frozen(figure, q, names):
    """Return q with the named joints or degrees of freedom set to their neutral values."""
    held = set(figure.dof_indices(names)) if names else set()
    parts = []
    for joint, at, dofs in zip(figure.joints, figure.q_of, figure.u_of, strict=True):
        own = [k - dofs.start for k in range(dofs.start, dofs.stop) if k in held]
        x = q[at] if not own else joint.neutral()
        if own and len(own) < joint.nu:
            turned = joint.coordinates(q[at])
            x = joint.from_coordinates(np.array([0.0 if k in own else turned[k] for k in range(joint.nu)]))
        parts.append(x)
    return np.concatenate(parts)


@lru_cache(maxsize=8)
def _pose_kernel(figure, frozen):
    def tape():
        return record(
            lambda hips, turns: pose(figure, hips, turns, frozen),
            hips=np.zeros(3),
            turns=np.tile(np.eye(3), (len(TURNED), 1, 1)),
        )

    return kernel_for(digest("walk pose", figure.key, repr(frozen)), tape, opt="tiers")


def rates(figure: Figure, q: Any, h: Any) -> tuple[Any, Any]:
    """Compute u and u' (nu,) at the middle of seven configurations q (7, nq), h [s] apart (2).

    Can be recorded on a tape.
    """
    xi = {k: figure.difference(q[MARGIN], q[MARGIN + k]) for k in range(-MARGIN, MARGIN + 1) if k}
    u = sum(b * (xi[k] - xi[-k]) for k, b in FIRST_DIFFERENCE.items()) / h
    return u, sum(c * (xi[k] + xi[-k]) for k, c in SECOND_DIFFERENCE.items()) / (h * h)


@lru_cache(maxsize=16)
def _rates_kernel(figure):
    def tape():
        seven = np.tile(figure.neutral(), (2 * MARGIN + 1, 1))
        return record(lambda q, h: rates(figure, q, h), q=seven, h=np.ones(()))

    return kernel_for(digest("walk rates", figure.key), tape, opt="tiers")


def rates_of(figure: Figure, q: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
    """Compute u and u' (n - 6, nu) of configurations q (n, nq), h [s] apart, without the first and last three."""
    rows = np.lib.stride_tricks.sliding_window_view(q, 2 * MARGIN + 1, axis=0)
    return _rates_kernel(figure)(np.ascontiguousarray(np.swapaxes(rows, 1, 2)), np.full(len(rows), h))


def _at(figure, marker: str) -> np.ndarray:
    """Return the position of a marker in the neutral pose (3,) [m]."""
    m = next(m for m in figure.markers if m.name == marker)
    return point_position(kinematics(figure, figure.neutral()), figure.link_index(m.link), m.point)
