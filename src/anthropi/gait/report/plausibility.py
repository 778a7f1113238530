"""Plausibility of a walk: slip, penetration, clearance, residual force and aid (docs/equations/gait.md, 2.4, 8).

Sole points are the markers with "sole" in their names, at the frames of the motion. The ground is the plane
z = `ground`. The `FootEvent`s of the motion separate stances and swings. During the stance of its foot, a sole point is
in contact while it is within `near` of the ground or of the lowest point of the foot.

    slip         longest distance between two positions of a point, along the ground, while it is in contact      (1)
    penetration  depth of the lowest sole point of any frame below the ground, 0 if it is above                    (2)
    clearance    height of the lowest sole point in the middle part of a swing                                     (3)

Rows of the gait report, over all strides:

    residual     largest force [% weight] and moment [% weight × leg] that drives the root                         (4)
    unbalanced   RMS force [% weight] that recorded contact forces leave unexplained, by inverse dynamics          (9)
    slip         (1) with near = 1 mm; without feet, the distance of the stance foot from its footprint            (5)
    penetration  (2) below z = 0                                                                                   (6)
    gap          largest height of the sole's lowest point in single support                                       (7)
    aid          largest external moment of an aid (`gait/walker/external_aid.py`), 0 without an aid               (8)

The functions work on plain floats only and cannot be recorded on a tape.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from anthropi.entry import kinematics
from anthropi.errors import InputError
from anthropi.figure.human.build import sole_markers
from anthropi.gait.report.criteria import FIXED, Row
from anthropi.gait.report.record import Walk
from anthropi.motion import Motion

__all__ = [
    "FootLines",
    "foot_clearance",
    "foot_lines",
    "foot_penetration",
    "foot_slip",
    "plausibility_rows",
    "sole_places",
    "stance_slip",
]


CONTACT_HEIGHT = 1e-3  # [m] within which a sole point is in contact
MID_SWING = 0.7  # middle share of a swing in which clearance is measured
SIDES = ("l", "r")


class FootLines(NamedTuple):
    """Slip, penetration and clearance (1)-(3) of a motion [m]."""

    slip: float
    penetration: float
    clearance: float


def foot_lines(motion: Motion, ground: float = 0.0) -> FootLines:
    """Compute the largest slip, the largest penetration and the smallest clearance of the feet in a motion [m].

    The ground is the plane z = `ground` [m].
    """
    return FootLines(foot_slip(motion, ground), foot_penetration(motion, ground), foot_clearance(motion, ground))


def foot_slip(motion: Motion, ground: float = 0.0, near: float = CONTACT_HEIGHT) -> float:
    """Compute the largest foot slip (1) in all stances of a motion [m]."""
    worst = 0.0
    for foot, frames in _spans(motion, "strike", "off"):
        worst = max(worst, stance_slip(sole_places(motion, foot)[frames], ground, near))
    return worst


def stance_slip(places: np.ndarray, ground: float = 0.0, near: float = CONTACT_HEIGHT) -> float:
    """Compute the slip (1) of one stance [m]. places : (frames, points, 3) [m], the sole points of the foot."""
    height, worst = places[..., 2] - ground, 0.0
    down = height <= np.maximum(near, height.min(1, keepdims=True) + near)
    for k in range(places.shape[1]):
        for spell in _spells(down[:, k]):
            at = places[spell, k, :2]
            worst = max(worst, float(np.sqrt(((at[:, None] - at[None]) ** 2).sum(-1)).max()))
    return worst


def foot_penetration(motion: Motion, ground: float = 0.0) -> float:
    """Compute the largest penetration (2) of the feet into the ground in a motion [m]."""
    return max(0.0, *(float(ground - sole_places(motion, foot)[..., 2].min()) for foot in SIDES))


def foot_clearance(motion: Motion, ground: float = 0.0, middle: float = MID_SWING) -> float:
    """Compute the smallest foot clearance (3) in all complete swings of a motion [m]; negative below the ground."""
    least = []
    for foot, frames in _spans(motion, "off", "strike", whole=True):
        t = motion.time[frames]
        cut = 0.5 * (1.0 - middle) * (t[-1] - t[0])
        inside = (t >= t[0] + cut) & (t <= t[-1] - cut)
        least.append(float(sole_places(motion, foot)[frames][inside, :, 2].min()) - ground)
    if not least:
        raise InputError(
            "Clearance needs a complete swing, from foot off to strike, and this motion has none. Give more steps."
        )
    return min(least)


def sole_places(motion: Motion, foot: str) -> np.ndarray:
    """Return the sole points of a foot (frames, points, 3) [m] in the world."""
    if motion.q.ndim != 2:
        raise InputError(
            f"Feet are measured in a single rollout; this motion has {len(motion.q)}. Use motion.rollout(0)."
        )
    names = [m.name for m in sole_markers(motion.figure) if m.name.startswith(f"{foot}_")]
    if not names:
        raise InputError(
            f"Figure '{motion.figure.name}' has no sole points on foot '{foot}'. Add markers named '{foot}_…sole…'."
        )
    k = kinematics(motion.figure, motion.q)
    return np.stack([k.marker(name) for name in names], axis=1)


def _spans(motion: Motion, start: str, end: str, whole: bool = False):
    """Yield (foot, frames) from each event `start` of a foot to its next event `end`.

    Incomplete spans at both ends of the motion are included unless `whole` is True.
    """
    if not any(hasattr(e, "foot") for e in motion.events):
        raise InputError(
            "This motion has no foot events. Add FootEvents with motion.changed(events=plan.events(steps))."
        )
    for foot in SIDES:
        own = [(e.time, e.what) for e in motion.events if getattr(e, "foot", None) == foot]
        if own and own[0][1] == end and not whole:
            own.insert(0, (motion.time[0], start))
        if own and own[-1][1] == start and not whole:
            own.append((motion.time[-1], end))
        for (a, what), (b, _) in pairwise(own):
            frames = np.flatnonzero((motion.time >= a - 1e-9) & (motion.time <= b + 1e-9))
            if what == start and len(frames) > 1:
                yield foot, frames


def _spells(down) -> list[np.ndarray]:
    """Return the runs of consecutive frames in which a point is in contact."""
    at = np.flatnonzero(down)
    return np.split(at, np.flatnonzero(np.diff(at) > 1) + 1) if len(at) else []


NO_SOLES = "the figure has no sole markers on its feet"


def plausibility_rows(walk: Walk) -> list[Row]:
    """Return the report's rows of plausibility (4)-(8)."""
    record, group = walk.record, "plausibility"
    force, moment, unbalanced = {}, {}, {}
    start, end = walk.span
    kept = (record.time >= start) & (record.time <= end)
    if record.residual is not None:  # (4)
        left = record.residual[kept]
        force = {"": float(100.0 * np.linalg.norm(left[:, :3], axis=-1).max() / walk.weight)}
        moment = {"": float(100.0 * np.linalg.norm(left[:, 3:], axis=-1).max() / (walk.weight * record.leg_length))}
    if record.unbalanced is not None:  # (9)
        unbalanced = {"": float(100.0 * np.sqrt((record.unbalanced[kept, :3] ** 2).sum(-1).mean()) / walk.weight)}
    slip, depth, gap, aid = {}, {}, {}, {}
    if record.aid is not None:  # (8)
        aid = {"": float(np.linalg.norm(record.aid[kept], axis=-1).max(initial=0.0))}
    if record.soles is not None:
        slip = {side: 1e3 * max(_slip(record, side, s) for s in rows) for side, rows in walk.strides.items() if rows}
        gap = {side: 1e3 * max(_gap(record, side, s) for s in rows) for side, rows in walk.strides.items() if rows}
        depth = {side: float(1e3 * max(-record.soles[side][kept][..., 2].min(), 0.0)) for side in record.soles}  # (6)
    elif record.off_print is not None:
        slip = {side: 1e3 * max(_off(record, side, s) for s in rows) for side, rows in walk.strides.items() if rows}
    why = "record tau or residual"
    return [
        Row(group, "residual force / weight", "%", force, FIXED["residual"], why),
        Row(group, "residual moment / (weight × leg)", "%", moment, FIXED["residual"], why),
        Row(group, "unbalanced force / weight, RMS", "%", unbalanced, FIXED["unbalanced"], "record contact and tau"),
        Row(group, "external aid", "N m", aid, FIXED["aid"], "not recorded in the motion; ap.walk records it"),
        Row(group, "slip in stance", "mm", slip, FIXED["slip"], NO_SOLES),
        Row(group, "penetration", "mm", depth, FIXED["penetration"], NO_SOLES),
        Row(group, "gap below the stance foot", "mm", gap, FIXED["gap"], NO_SOLES),
    ]


def _off(record, side: str, stride) -> float:
    """Return the largest distance of a foot from its footprint in one stance [m]."""
    inside = (record.time >= stride.start) & (record.time <= stride.off)
    return float(record.off_print[side][inside].max())


def _gap(record, side: str, stride) -> float:
    """Compute the largest gap (7) between the stance foot and the ground in one stride [m]."""
    first = stride.other_off if stride.other_off < stride.other_strike else stride.start  # a run has no double support
    alone = (record.time >= first) & (record.time <= min(stride.off, stride.other_strike))
    low = record.soles[side][alone][..., 2].min(-1)
    return float(low.max()) if len(low) else 0.0


def _slip(record, side: str, stride) -> float:
    """Compute the slip (5) in one stance [m], relative to the treadmill belt."""
    inside = (record.time >= stride.start) & (record.time <= stride.off)
    soles = record.soles[side][inside] + np.array([1.0, 0.0, 0.0]) * (record.belt * record.time[inside])[:, None, None]
    return stance_slip(soles)
