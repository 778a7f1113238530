"""Motion of a human from keypoints: positions of joints in space, as pose estimators give them.

Keypoints have no rotations. The attitude of a part follows from the positions: that of the pelvis from the line of the
hips and the trunk, that of the thorax from the line of the shoulders and the trunk, those of limbs from their
directions and the plane of knee or elbow, those of feet from heel and toes. Without toes, feet are level. Works on
plain floats only.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.motion.motion import Motion
from anthropi.motion.retargeting.evidence import lengths_of, unit
from anthropi.motion.retargeting.names import SIDES
from anthropi.motion.retargeting.person import framed
from anthropi.motion.retargeting.retarget import GROUNDS, likely_stature, retargeted
from anthropi.motion.retargeting.skeleton import MAX_FOOT_TILT, Source, standing_tilt, turn
from anthropi.motion.retargeting.standing import axis_of, trunk_of, vertical

__all__ = ["LAYOUTS", "from_keypoints"]

_ARMS_AND_LEGS = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")


def _pairs(left: tuple[int, ...], right: tuple[int, ...], names: tuple[str, ...] = _ARMS_AND_LEGS) -> dict[str, int]:
    return {f"{s}_{name}": k for s, own in (("l", left), ("r", right)) for name, k in zip(names, own, strict=True)}


LAYOUTS: dict[str, tuple[int, dict[str, int]]] = {  # number of keypoints, and the index of each joint
    "mediapipe": (
        33,
        _pairs((11, 13, 15, 23, 25, 27, 29, 31), (12, 14, 16, 24, 26, 28, 30, 32), (*_ARMS_AND_LEGS, "heel", "toe")),
    ),
    "coco": (17, _pairs((5, 7, 9, 11, 13, 15), (6, 8, 10, 12, 14, 16))),
    "h36m": (17, _pairs((11, 12, 13, 4, 5, 6), (14, 15, 16, 1, 2, 3))),
    "body25": (
        25,
        _pairs((5, 6, 7, 12, 13, 14, 21, 19), (2, 3, 4, 9, 10, 11, 24, 22), (*_ARMS_AND_LEGS, "heel", "toe")),
    ),
}
NEEDED = tuple(f"{s}_{name}" for s in SIDES for name in _ARMS_AND_LEGS)
MAX_GAP = 0.5  # [s] longest time for which a keypoint is interpolated


class _Name(NamedTuple):
    name: str


class _Origin(NamedTuple):
    """What `retargeted` needs of a motion."""

    figure: _Name
    time: np.ndarray
    events: tuple[Any, ...] = ()
    metadata: Mapping[str, Any] = {}


def from_keypoints(
    time: Any,
    points: Any,
    layout: str | None = None,
    figure: Figure | None = None,
    *,
    scale: float = 1.0,
    up: str = "auto",
    feet: bool | str = True,
    limits: bool = False,
    ground: str | None = "level",
) -> Motion:
    """Return the motion of a human that follows keypoints.

    Parameters
    ----------
    time : (frames,) [s]. points : (frames, keypoints, 3) in the order of a layout, or {joint: (frames, 3)} of "l_hip",
        "l_knee", "l_ankle", "l_shoulder", "l_elbow", "l_wrist", on request "l_heel" and "l_toe", and those of the
        right side. NaN where a keypoint was not found; up to half a second is interpolated.
    layout : "mediapipe", "coco", "h36m" or "body25", for an array.
    figure : an `ap.human`; by default one with the lengths of the limbs. scale : length of a unit [m].
    up : vertical axis of the points, such as "z" or "-y", or "auto" to find it.
    feet, limits, ground : as in `ap.motion.retarget`.
    """
    time = np.asarray(time, float)
    if ground not in GROUNDS:
        raise InputError(f"ground={ground!r}. Choose from {', '.join(map(repr, GROUNDS))}.")
    if feet not in (True, False, "lock"):
        raise InputError(f"feet={feet!r}. Choose True, False or 'lock'.")
    if not 1e-6 <= float(scale) <= 1e3:
        raise InputError(f"scale={scale!r}. Give the length of a unit in metres.")
    at = {name: float(scale) * _filled(name, time, x) for name, x in _named(points, layout, len(time)).items()}
    sizes = lengths_of(at, "keypoints")
    if figure is None:
        likely_stature(sizes["thigh"] + sizes["shank"])
    words = "given"
    if up == "auto":
        up, words = vertical(at, "keypoints")
    to_z = turn(axis_of(up), np.array([0.0, 0.0, 1.0]))
    at = {name: x @ to_z.T for name, x in at.items()}
    attitude, notes = _attitudes(at), [f"vertical axis: {up} ({words})", "attitudes: from positions"]
    for s in SIDES:
        tilt = standing_tilt(at, attitude, s)
        if abs(tilt) > MAX_FOOT_TILT:
            level = rot.matrix_from_rotation_vector(np.array([0.0, tilt, 0.0]))
            attitude[f"{s}_foot"] = attitude[f"{s}_foot"] @ level
            attitude[f"{s}_toes"] = attitude[f"{s}_toes"] @ level
    hips = 0.5 * float(np.median(np.sqrt(((at["l_hip"] - at["r_hip"]) ** 2).sum(-1))))
    source = Source(attitude, at, sizes, hips, tuple(notes))
    origin: Any = _Origin(_Name("keypoints"), time)
    return retargeted(origin, source, figure, feet=feet, hands=False, limits=limits, ground=ground)


def _named(points: Any, layout: str | None, frames: int) -> dict[str, Any]:
    """Return the keypoints by joint, {joint: (frames, 3)}."""
    if isinstance(points, Mapping):
        missing = [name for name in NEEDED if name not in points]
        if missing:
            raise InputError(f"points lacks {', '.join(missing)}. Needed: {', '.join(NEEDED)}.")
        return {name: points[name] for name in (*NEEDED, *FEET) if name in NEEDED or _seen(points.get(name))}
    if layout not in LAYOUTS:
        raise InputError(f"layout={layout!r}.{did_you_mean(str(layout), list(LAYOUTS))} Choose {', '.join(LAYOUTS)}.")
    count, places = LAYOUTS[layout]
    x = np.asarray(points, float)
    if x.shape != (frames, count, 3):
        raise ShapeError(f"points has shape {x.shape}; the layout '{layout}' needs ({frames}, {count}, 3).")
    return {name: x[:, k] for name, k in places.items() if name in NEEDED or _seen(x[:, k])}


FEET = tuple(f"{s}_{name}" for s in SIDES for name in ("heel", "toe"))  # used if they are found


def _seen(x: Any) -> bool:
    return x is not None and bool(np.isfinite(np.asarray(x, float)).all(-1).any())


def _filled(name: str, time: np.ndarray, x: Any) -> np.ndarray:
    """Return positions (frames, 3) with short gaps interpolated; raise InputError for long ones."""
    x = np.array(x, float)
    if x.shape != (len(time), 3):
        raise ShapeError(f"Keypoint '{name}' has shape {x.shape}; expected ({len(time)}, 3).")
    there = np.flatnonzero(np.isfinite(x).all(-1))
    edges = time[there] if len(there) else np.zeros(0)
    if not len(there) or edges[0] > time[0] + MAX_GAP or edges[-1] < time[-1] - MAX_GAP or (
        np.diff(edges).max(initial=0.0) > MAX_GAP
    ):  # fmt: skip
        raise InputError(f"Keypoint '{name}' is missing for more than {MAX_GAP:g} s. Cut the motion there.")
    return np.stack([np.interp(time, edges, x[there, k]) for k in range(3)], -1)


def _attitudes(at: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the attitudes of the parts of the body, {part: (frames, 3, 3)}."""
    hips, shoulders, _ = trunk_of(at)
    trunk, across = unit(shoulders - hips), unit(at["l_hip"] - at["r_hip"])
    z = unit(trunk - across * (trunk * across).sum(-1, keepdims=True))
    found = {"pelvis": np.stack([np.cross(across, z), across, z], -1)}
    found["thorax"] = framed(trunk, at["l_shoulder"] - at["r_shoulder"])
    for s in SIDES:
        y = found["pelvis"][..., 1]
        found[f"{s}_thigh"] = framed(unit(at[f"{s}_hip"] - at[f"{s}_knee"]), y)
        shank = found[f"{s}_shank"] = framed(unit(at[f"{s}_knee"] - at[f"{s}_ankle"]), y)
        ahead = shank[..., 0] * [1.0, 1.0, 0.0]
        foot = framed(np.broadcast_to([0.0, 0.0, 1.0], ahead.shape), np.cross([0.0, 0.0, 1.0], ahead))  # level
        if f"{s}_toe" in at:
            x = unit(at[f"{s}_toe"] - at.get(f"{s}_heel", at[f"{s}_ankle"]))
            side = unit(y - x * (y * x).sum(-1, keepdims=True))
            foot = np.stack([x, side, np.cross(x, side)], -1)
        found[f"{s}_foot"] = found[f"{s}_toes"] = foot
        y = found["thorax"][..., 1]
        found[f"{s}_upper_arm"] = framed(unit(at[f"{s}_shoulder"] - at[f"{s}_elbow"]), y)
        found[f"{s}_forearm"] = framed(unit(at[f"{s}_elbow"] - at[f"{s}_wrist"]), y)
    return found
