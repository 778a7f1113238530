"""The captured skeleton: attitudes of the parts of the body and positions of the joints.

In a rest pose (standing.py) the body is upright, with feet flat on the ground; arms and legs may point anywhere. The
axes of a part are x forward, y left, z up when the part stands, or hangs straight down:

    C(t) = G(t) C_rest,   G(t) = C_link(t) C_link(rest)ᵀ                                                            (1)

For a limb, C_rest is the shortest rotation from "down" to the direction of the limb at rest. The y axis of the pelvis
is that of the line between the hips. Feet that (1) would tilt while they stand are rotated about y until they are flat:
in some files the zero pose has pointed toes. Works on floats only.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.errors import InputError
from anthropi.motion.link_poses import link_poses
from anthropi.motion.motion import Motion
from anthropi.motion.retargeting.evidence import BONES, Evidence, evidence_of, joints_of, length, lengths_of, unit
from anthropi.motion.retargeting.names import NEEDED, ROLES, SIDES, roles
from anthropi.motion.retargeting.standing import (
    SETTINGS,
    axis_of,
    body_frame,
    straightness,
    trunk_of,
    upright_problem,
    vertical,
)
from anthropi.motion.retargeting.topology import left_votes

__all__ = [
    "BONES",
    "NEEDED",
    "ROLES",
    "SIDES",
    "Source",
    "length",
    "roles",
    "source_of",
    "standing_tilt",
    "turn",
    "unit",
]


DOWN = np.array([0.0, 0.0, -1.0])


@dataclass(frozen=True)
class Source:
    """Captured motion of a body.

    Attributes
    ----------
    attitude : {part: (frames, 3, 3)}.
    at : {joint: (frames, 3)} [m], "l_hip", "l_knee", "l_ankle", "l_toe" (if present), "l_shoulder", "l_elbow",
        "l_wrist" and those of the right side.
    lengths : {part: [m]} of the parts in `BONES`, means of both sides.
    hips : half the distance between the hips [m].
    notes : what was found in the data, in sentences; problems begin with "check: ".
    """

    attitude: dict[str, np.ndarray]
    at: dict[str, np.ndarray]
    lengths: dict[str, float]
    hips: float
    notes: tuple[str, ...] = field(default=())

    @property
    def leg(self) -> float:
        """Length of thigh and shank [m]."""
        return self.lengths["thigh"] + self.lengths["shank"]

    def side(self, name: str) -> float:
        """Return the length of a part of one side, such as "l_thigh" [m]: its median over the frames."""
        side, _, part = name.partition("_")
        a, b = (self.at[f"{side}_{joint}"] for joint in BONES[part])
        return float(np.median(np.sqrt(((b - a) ** 2).sum(-1))))


def source_of(motion: Motion, names: Any = None, rest: Any = None, up: Any = None) -> Source:
    """Return the attitudes and joint positions of a motion of any figure with the parts of a body; see `retarget`."""
    seen = evidence_of(motion, names)
    figure, at, link = motion.figure, seen.at, seen.link
    sizes, notes = lengths_of(at, figure.name), []
    words = {role: name for role, name in seen.found.items() if role in ("pelvis", "thorax", "l_thigh", "l_upper_arm")}
    notes.append("parts: " + ", ".join(f"{role} = {name}" for role, name in words.items()))
    to_z, note = _upward(motion, seen, up)
    notes.append(note)
    q, body, note = _rest(motion, seen, rest, to_z)
    notes.append(note)
    _same_sides(seen, figure.name)
    still = link_poses(figure, q[None])
    rests = {name: x[0] @ body for name, x in joints_of(figure, still, link).items()}  # in the axes of the body
    carrier = {role: _carrier(seen, role) for role in ("pelvis", "thorax")}
    turned = {role: seen.moving.rotation[:, i] @ still.rotation[0, i].T for role, i in (link | carrier).items()}  # G
    upright: tuple[str, ...] = ("pelvis", "thorax", "head")
    attitude = {role: turned[role] @ body for role in upright if role in link}  # (1)
    for side in SIDES:
        for role, C in (_legs(rests, side, np.eye(3)) | _arms(rests, side, np.eye(3))).items():
            if role in link:
                attitude[role] = turned[role] @ body @ C  # (1)
    attitude = {role: to_z @ C for role, C in attitude.items()}
    at = {name: x @ to_z.T for name, x in at.items()}
    attitude["pelvis"] = _across(attitude["pelvis"], unit(at["l_hip"] - at["r_hip"]))
    for s in SIDES:
        tilt = standing_tilt(at, attitude, s)
        if abs(tilt) > MAX_FOOT_TILT:
            level = rot.matrix_from_rotation_vector(np.array([0.0, tilt, 0.0]))
            for part in ("foot", "toes"):
                if f"{s}_{part}" in attitude:
                    attitude[f"{s}_{part}"] = attitude[f"{s}_{part}"] @ level
            notes.append(
                f"the {'left' if s == 'l' else 'right'} foot is tilted by {np.rad2deg(tilt):.0f}° while it stands, "
                "relative to the rest pose, and was levelled"
            )
    hips = 0.5 * float(np.median(np.sqrt(((at["l_hip"] - at["r_hip"]) ** 2).sum(-1))))
    if not hips > 1e-6:
        raise InputError(f"The hips of figure '{figure.name}' are at one point. Check which links are the thighs.")
    return Source(attitude, at, sizes, hips, tuple(notes))


def _upward(motion: Motion, seen: Evidence, up: Any) -> tuple[np.ndarray, str]:
    """Return the rotation (3, 3) that takes the vertical of the data to z, and a note."""
    about = motion.metadata.get("bvh")
    about = about if isinstance(about, dict) else {}
    if up is None and about.get("up problem"):
        raise InputError(str(about["up problem"]))
    if up is None:
        return np.eye(3), f"vertical axis: {about.get('up', 'z')} of the file ({about.get('up from', 'as given')})"
    if isinstance(up, str) and up == "auto":
        up, words = vertical(seen.at, motion.figure.name, seen.unmoved)
        return turn(axis_of(up), -DOWN), f"vertical axis: {up} ({words})"
    return turn(axis_of(up), -DOWN), f"vertical axis: {up} (given)"


def _rest(motion: Motion, seen: Evidence, rest: Any, to_z: Any) -> tuple[np.ndarray, np.ndarray, str]:
    """Return the rest pose (nq,), the axes (3, 3) of the body in it, and a note."""
    figure, up = motion.figure, to_z.T @ -DOWN
    if isinstance(rest, (int, float)) and not isinstance(rest, bool):
        if not motion.time[0] <= rest <= motion.time[-1]:
            raise InputError(
                f"rest={rest:g} s is not in the motion, which lasts from {motion.time[0]:g} to {motion.time[-1]:g} s."
            )
        k = int(np.argmin(np.abs(motion.time - rest)))
        return (
            motion.q[k],
            body_frame(_frame(seen.at, k), up, figure.name),
            f"rest pose: at {motion.time[k]:g} s (given)",
        )
    if rest is not None and not isinstance(rest, str):
        q = _upright(figure, rest)
        here = joints_of(figure, link_poses(figure, q[None]), seen.link)
        _, shoulders, ankles = trunk_of(here)
        along = unit((shoulders - ankles)[0])
        return q, body_frame(here, up if along @ up > np.cos(0.25 * np.pi) else None, figure.name), "rest pose: given"
    if rest not in (None, "auto", "zero"):
        raise InputError(f"rest={rest!r}. Choose 'auto', 'zero', a time [s], or a configuration of the skeleton.")
    problem = upright_problem(seen.start)
    if rest == "zero" or not problem:
        body = body_frame(seen.start, None, figure.name)
        words = " (given)" if rest == "zero" else ", in which the body is straight"
        lean = np.rad2deg(np.arccos(np.clip(body[2, 2], -1.0, 1.0)))
        return seen.zero, body, f"rest pose: zero pose{words}" + (f", {lean:.0f}° from upright" if lean > 1.0 else "")
    straight = np.where(seen.unmoved, np.inf, straightness(seen.at))
    _, shoulders, ankles = trunk_of(seen.at)
    straight[unit(shoulders - ankles) @ up < np.cos(SETTINGS.vertical)] = np.inf
    for k in np.argsort(straight, kind="stable")[:20]:
        here = _frame(seen.at, int(k))
        if straight[k] < SETTINGS.straight and not upright_problem(here):
            return (
                motion.q[k],
                body_frame(here, up, figure.name),
                f"rest pose: the frame at {motion.time[k]:g} s, in which the body is straight; the zero pose is not "
                f"upright ({problem})",
            )
    raise InputError(
        f"No upright pose of '{figure.name}' was found: in the zero pose, {problem}, and in no frame does the body "
        "stand straight. Give rest= as the time [s] of a frame in which it stands, or as a configuration; on the "
        "command line --rest 1.5."
    )


def _frame(at: Any, k: int) -> dict[str, np.ndarray]:
    return {name: x[k : k + 1] for name, x in at.items()}


def _same_sides(seen: Evidence, name: str) -> None:
    """Raise InputError if feet and knees show that left and right are exchanged."""
    at, found = seen.at, []
    if {"l_toe", "r_toe"} <= set(at):
        legs = [{"thigh": at[f"{s}_hip"], "foot": at[f"{s}_ankle"], "toes": at[f"{s}_toe"]} for s in SIDES]
        found.append(("the toes point backward", left_votes(legs[0], legs[1], trunk_of(at)[1])))
    across, flexed, forward = unit(at["l_hip"] - at["r_hip"]), 0, 0
    for s in SIDES:
        thigh, shank = unit(at[f"{s}_knee"] - at[f"{s}_hip"]), unit(at[f"{s}_ankle"] - at[f"{s}_knee"])
        sine = (np.cross(thigh, shank) * across).sum(-1)
        flexed += int((np.abs(sine) > BENT_KNEE).sum())
        forward += int((sine > BENT_KNEE).sum())
    found.append(("the knees bend forward", forward / flexed if flexed > 0.02 * len(across) else None))
    votes = [(words, x) for words, x in found if x is not None]
    if votes and all(x < 0.2 for _, x in votes):
        raise InputError(
            f"Left and right of '{name}' are exchanged, or the file is mirrored: {' and '.join(w for w, _ in votes)} "
            "as seen from the hips. Assign the sides with names=, or export the file with right-handed axes."
        )


BENT_KNEE = 0.4  # sine of the flexion from which a knee shows where forward is


def _carrier(seen: Evidence, role: str) -> int:
    """Return the link whose rotation is that of the pelvis or the thorax.

    This is the link of the role if the line of hips or shoulders is fixed in it. Otherwise the rotation may be in the
    links between it and the limbs; if the line is fixed in such a link, that link is returned.
    """
    joint, part = ("hip", "thigh") if role == "pelvis" else ("shoulder", "upper_arm")
    line = unit(seen.at[f"l_{joint}"] - seen.at[f"r_{joint}"])
    if role == "thorax":
        return seen.link[role]  # shoulders move in the thorax
    path = seen.figure.path(seen.link[f"l_{part}"])
    below = [seen.link[role], *path[path.index(seen.link[role]) + 1 : -1]]

    def spread(i: int) -> float:
        own = (seen.moving.rotation[:, i].swapaxes(-1, -2) @ line[..., None])[..., 0]
        return float(np.sqrt(((own - own.mean(0)) ** 2).sum(-1).mean()))

    spreads = [spread(i) for i in below]
    return below[0] if spreads[0] < FIXED_LINE else below[int(np.argmin(spreads))]


FIXED_LINE = 0.05  # [rad] RMS variation of a line that is fixed in a link


def _across(C: Any, y: Any) -> np.ndarray:
    """Return attitudes (frames, 3, 3) with the given y axis, and a z axis as near as possible to that of C."""
    z = C[..., 2] - y * (C[..., 2] * y).sum(-1, keepdims=True)
    z = unit(z)
    return np.where(np.isfinite(z).all(-1)[:, None, None], np.stack([np.cross(y, z), y, z], axis=-1), C)


MAX_FOOT_TILT = np.deg2rad(12.0)  # of a foot that stands: more is an error of the rest pose


def standing_tilt(at: Any, attitude: Any, s: str) -> float:
    """Return the median elevation [rad] of the forward axis of a foot while the foot is low and slow."""
    if f"{s}_toe" not in at:
        return 0.0
    points = np.stack([at[f"{s}_ankle"], at[f"{s}_toe"]])
    low = points[..., 2] - points[..., 2].min(1, keepdims=True)
    leg = float(np.median(np.sqrt(((at[f"{s}_hip"] - at[f"{s}_ankle"]) ** 2).sum(-1))))
    speed = np.sqrt((np.diff(points, axis=1, prepend=points[:, :1]) ** 2).sum(-1)).max(0)
    stands = (low.max(0) < 0.06 * leg) & (speed <= np.median(speed))
    if stands.sum() < 5:
        return 0.0
    x = attitude[f"{s}_foot"][stands, :, 0]
    return float(np.median(np.arcsin(np.clip(x[:, 2], -1.0, 1.0))))


def _upright(figure, rest) -> np.ndarray:
    """Return `rest` as floats; raise InputError if it is not a configuration."""
    try:
        found = np.asarray(rest, float)
    except (TypeError, ValueError, OverflowError):
        found = np.zeros(0)
    if found.shape != (figure.nq,) or not np.isfinite(found).all():
        raise InputError(
            f"rest is not a configuration of figure '{figure.name}': give ({figure.nq},) finite numbers, with "
            "the body upright; or 'auto', 'zero' or a time [s]."
        )
    return found


def _legs(here, side: str, facing) -> dict[str, np.ndarray]:
    """Return the rest attitudes C_rest of a leg. A foot tilts sideways with its shank, and is flat otherwise."""
    hip, knee, ankle = (here[f"{side}_{j}"] for j in ("hip", "knee", "ankle"))
    found = {
        f"{side}_thigh": turn(facing @ DOWN, knee - hip) @ facing,
        f"{side}_shank": turn(facing @ DOWN, ankle - knee) @ facing,
    }
    ahead = (here[f"{side}_toe"] - ankle) * [1.0, 1.0, 0.0] if f"{side}_toe" in here else facing[:, 0]
    ahead = unit(ahead) if length(ahead) > 1e-6 else facing[:, 0]
    up = unit(knee - ankle)
    up = unit(up - ahead * (up @ ahead)) if abs(up @ ahead) < 0.99 else -DOWN
    foot = np.stack([ahead, np.cross(up, ahead), up], axis=1)
    return found | {f"{side}_foot": foot, f"{side}_toes": foot}


def _arms(here, side: str, facing) -> dict[str, np.ndarray]:
    """Return the rest attitudes C_rest of an arm: hanging, thumbs forward, then rotated to the arm's direction."""
    shoulder, elbow, wrist = (here[f"{side}_{j}"] for j in ("shoulder", "elbow", "wrist"))
    tip = here.get(f"{side}_tip", wrist + (wrist - elbow))
    upper = turn(facing @ DOWN, elbow - shoulder) @ facing
    fore = turn(upper @ DOWN, wrist - elbow) @ upper
    return {
        f"{side}_clavicle": facing,
        f"{side}_upper_arm": upper,
        f"{side}_forearm": fore,
        f"{side}_hand": turn(fore @ DOWN, tip - wrist) @ fore,
    }


def turn(a: Any, b: Any) -> np.ndarray:
    """Shortest rotation (3, 3) from the direction of a to that of b; the identity if b has no length."""
    if not length(b) > 1e-9:
        return np.eye(3)
    a, b = unit(a), unit(b)
    v, c = np.cross(a, b), float(a @ b)
    if c < -1.0 + 1e-12:  # opposite directions: rotate about any perpendicular axis
        n = unit(np.cross(a, np.eye(3)[np.argmin(np.abs(a))]))
        return 2.0 * np.outer(n, n) - np.eye(3)
    K = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.eye(3) + K + K @ K / (1.0 + c)
