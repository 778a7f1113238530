"""Comparison of a retargeted person with the captured body, on the whole body.

Directions are those of limbs, of the trunk (from the middle of the hips to the middle of the shoulders), and of the
lines of hips and shoulders, from positions of joints alone: the attitudes with which the person was posed are not used.
So an error in the rest pose, the names or the axes shows. Works on plain floats only.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.motion.link_poses import link_poses
from anthropi.motion.retargeting.evidence import BONES, unit
from anthropi.motion.retargeting.names import SIDES
from anthropi.motion.retargeting.standing import straightness, trunk_of

__all__ = ["PARTS", "Thresholds", "direction_errors", "problems"]

LIMBS = tuple(f"{s}_{part}" for s in SIDES for part in BONES)
PARTS = (*LIMBS, "trunk", "pelvis", "shoulders")
NAMES = {"l": "left", "r": "right"}


@dataclass(frozen=True)
class Thresholds:
    """Values above which a difference is reported.

    limbs, trunk, pelvis, shoulders : RMS of the directions [rad]; the clavicles of a person move less than those of
        many skeletons. lean : median angle of the trunk and the vertical, while the legs are straight [rad].
    sole : median tilt of a foot that stands [rad]. hover : median height of the lowest sole [m].
    proportion : relative difference of the lengths of a limb, with the legs of equal length.
    asymmetry : relative difference of the left and the right limb of the skeleton.
    stature : range of plausible statures [m].
    """

    limbs: float = np.deg2rad(5.0)
    trunk: float = np.deg2rad(5.0)
    pelvis: float = np.deg2rad(5.0)
    shoulders: float = np.deg2rad(15.0)
    lean: float = np.deg2rad(35.0)
    sole: float = np.deg2rad(12.0)
    hover: float = 0.06
    proportion: float = 0.25
    asymmetry: float = 0.08
    stature: tuple[float, float] = (0.9, 2.3)


def directions(at: Any) -> np.ndarray:
    """Return the directions (frames, 11, 3) of `PARTS`. at : {joint: (frames, 3)}."""
    hips, shoulders, _ = trunk_of(at)
    vectors = [at[f"{s}_{b}"] - at[f"{s}_{a}"] for s in SIDES for a, b in BONES.values()]
    vectors += [shoulders - hips, at["l_hip"] - at["r_hip"], at["l_shoulder"] - at["r_shoulder"]]
    return unit(np.stack(vectors, axis=1))


def direction_errors(ours: Any, theirs: Any) -> np.ndarray:
    """Return the angles (frames, 11) [rad] between the directions of `PARTS` in two bodies."""
    one, other = directions(ours), directions(theirs)
    return np.arctan2(np.sqrt((np.cross(one, other) ** 2).sum(-1)), (one * other).sum(-1))


def problems(
    person: Any, source: Any, q: Any, errors: Any, given: bool, ground: str | None, limits: Thresholds = Thresholds()
) -> list[str]:
    """Return sentences about parts of the body that are not as captured; each names the part and the size.

    person, source : the human and the captured body. q : (frames, nq). errors : of `direction_errors`. given : whether
    the human was given, so that its proportions may differ. ground : option of `retarget`.
    """
    found, rms = [], np.sqrt(np.mean(np.square(errors), axis=0))
    for k, part in enumerate(PARTS):
        most = getattr(limits, part if part in ("trunk", "pelvis", "shoulders") else "limbs")
        if not rms[k] < most:
            found.append(
                f"{_words(part)}: {_degrees(rms[k])} RMS from the captured direction "
                f"(largest {_degrees(errors[:, k].max())})"
            )
    hips, shoulders, _ = trunk_of(source.at)
    straight = straightness(source.at) < np.deg2rad(35.0)
    if straight.any():
        lean = float(np.median(np.arccos(np.clip(unit(shoulders - hips)[straight, 2], -1.0, 1.0))))
        if lean > limits.lean:
            found.append(
                f"trunk: leans by {_degrees(lean)} from the vertical while the body is straight. If the person does "
                "not lie down, give the vertical axis: up= or --up"
            )
    poses = link_poses(person.figure, q)
    heights = np.stack([poses.point(i, s)[:, 2] for i, s in person.soles], axis=-1)
    low = heights.min(-1)
    if ground is not None and np.median(low) > limits.hover:
        found.append(f"soles: the lowest is {1e3 * np.median(low):.0f} mm above the ground in half of the frames")
    for s in SIDES:
        tilt = _sole_tilt(person, poses, s)
        if tilt is not None and abs(tilt) > limits.sole:
            found.append(f"{NAMES[s]} sole: tilted by {_degrees(tilt)} while it stands")
    for part, (a, b) in BONES.items():
        name = part.replace("_", " ")
        sides = [
            float(np.median(np.sqrt(((source.at[f"{s}_{b}"] - source.at[f"{s}_{a}"]) ** 2).sum(-1)))) for s in SIDES
        ]
        if abs(sides[0] - sides[1]) > limits.asymmetry * max(sides):
            found.append(
                f"{name}s: {1e3 * sides[0]:.0f} mm (left) and {1e3 * sides[1]:.0f} mm (right) long in the skeleton"
            )
        ratio = (person.lengths[part] / person.leg) / (source.lengths[part] / source.leg)
        if given and not abs(ratio - 1.0) < limits.proportion:
            found.append(f"{name}s: {ratio:.2f} times as long as in the skeleton, relative to the legs")
    return found


def _sole_tilt(person: Any, k: Any, s: str) -> float | None:
    """Return the median elevation [rad] of the line from heel to ball of a foot while its sole is low; None if rare."""
    own = [(i, p) for i, p in person.soles if person.figure.links[i].name == f"{s}_foot"]
    if len(own) < 2:
        return None
    own.sort(key=lambda place: place[1][0])
    heel, ball = k.point(*own[0]), k.point(*own[-1])
    lowest = np.minimum(heel[:, 2], ball[:, 2])
    speed = np.sqrt((np.diff(ball, axis=0, prepend=ball[:1]) ** 2).sum(-1))
    stands = (lowest < lowest.min() + 0.03) & (speed <= np.median(speed))
    if stands.sum() < 5:
        return None
    return float(np.median(np.arcsin(np.clip(unit(ball - heel)[stands, 2], -1.0, 1.0))))


def _words(part: str) -> str:
    side, _, rest = part.partition("_")
    return f"{NAMES[side]} {rest.replace('_', ' ')}" if rest else part


def _degrees(angle: float) -> str:
    return f"{np.rad2deg(angle):.1f}°"
