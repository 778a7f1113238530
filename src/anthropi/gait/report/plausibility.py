"""Do the feet of a motion stand where they are, on the ground, and clear it in swing? Floats only.

The points are the markers with "sole" in their names, at the frames of the motion; the ground is z = `ground`. Stances
and swings are between the motion's `FootEvent`s. A sole point is down while, in its foot's stance, it is within `near`
of the ground or of the foot's lowest point.

    slip         the longest distance between two places of a point, along the ground, while it is down            (1)
    penetration  how far the lowest sole point of any frame is below the ground, 0 if it is not                    (2)
    clearance    the lowest sole point in the middle part of a swing, above the ground                             (3)

Honesty
-------
Is a walk what it seems: does a hidden hand hold it, do its feet slide or sink? (spec/gait.md 2.4, 8.) Floats only.

residual = largest force [% weight] and moment [% weight × leg] on the root that nothing exerts              (4)
slip = longest distance along the ground between two places of a point of the sole while it is down: in
       its foot's stance, within 1 mm of the ground or of the lowest point (as in `gait/report/plausibility.py`);
           of a figure without feet, how far the foot that stands is from its print, where that was recorded     (5)
penetration = greatest depth of a point of the sole below z = 0, over all strides                            (3)
gap = greatest height of the sole's lowest point while the foot is the only one down                         (4)
aid = greatest external moment of an animator's aid (`gait/walker/external_aid.py`), over all strides; 0: none       (5)
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


NEAR = 1e-3  # [m]
MIDDLE = 0.7  # of a swing
SIDES = ("l", "r")


class FootLines(NamedTuple):
    """(1)-(3) of a motion [m]."""

    slip: float
    penetration: float
    clearance: float


def foot_lines(motion: Motion, ground: float = 0.0) -> FootLines:
    """Slip, penetration and clearance of a motion [m]."""
    return FootLines(foot_slip(motion, ground), foot_penetration(motion, ground), foot_clearance(motion, ground))


def foot_slip(motion: Motion, ground: float = 0.0, near: float = NEAR) -> float:
    """(1) the largest of all stances [m]."""
    worst = 0.0
    for foot, frames in _spans(motion, "strike", "off"):
        worst = max(worst, stance_slip(sole_places(motion, foot)[frames], ground, near))
    return worst


def stance_slip(places, ground: float = 0.0, near: float = NEAR) -> float:
    """(1) of one stance: places (frames, points, 3) of a foot's sole [m]."""
    height, worst = places[..., 2] - ground, 0.0
    down = height <= np.maximum(near, height.min(1, keepdims=True) + near)
    for k in range(places.shape[1]):
        for spell in _spells(down[:, k]):
            at = places[spell, k, :2]
            worst = max(worst, float(np.sqrt(((at[:, None] - at[None]) ** 2).sum(-1)).max()))
    return worst


def foot_penetration(motion: Motion, ground: float = 0.0) -> float:
    """(2) the deepest of all frames [m]."""
    return max(0.0, *(float(ground - sole_places(motion, foot)[..., 2].min()) for foot in SIDES))


def foot_clearance(motion: Motion, ground: float = 0.0, middle: float = MIDDLE) -> float:
    """(3) the least of all whole swings [m]; below 0 the foot is in the ground."""
    least = []
    for foot, frames in _spans(motion, "off", "strike", whole=True):
        t = motion.time[frames]
        cut = 0.5 * (1.0 - middle) * (t[-1] - t[0])
        inside = (t >= t[0] + cut) & (t <= t[-1] - cut)
        least.append(float(sole_places(motion, foot)[frames][inside, :, 2].min()) - ground)
    if not least:
        raise InputError(
            "This motion has no whole swing, from foot off to strike: its clearance is unknown. Give more steps."
        )
    return min(least)


def sole_places(motion: Motion, foot: str) -> np.ndarray:
    """The sole points of a foot (frames, points, 3) [m] in the world."""
    if motion.q.ndim != 2:
        raise InputError(
            f"Feet are looked at one rollout at a time; this motion has {len(motion.q)}. Take motion.rollout(0)."
        )
    names = [m.name for m in sole_markers(motion.figure) if m.name.startswith(f"{foot}_")]
    if not names:
        raise InputError(
            f"Figure '{motion.figure.name}' has no sole points of foot '{foot}': markers named '{foot}_…sole…'."
        )
    k = kinematics(motion.figure, motion.q)
    return np.stack([k.marker(name) for name in names], axis=1)


def _spans(motion: Motion, start: str, end: str, whole: bool = False):
    """(foot, frames) from each event `start` of a foot to its next `end`; cut by the motion's ends unless `whole`."""
    if not any(hasattr(e, "foot") for e in motion.events):
        raise InputError(
            "This motion has no foot events. Give it FootEvents: motion.changed(events=plan.events(steps))."
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
    """Runs of frames in which a point is down."""
    at = np.flatnonzero(down)
    return np.split(at, np.flatnonzero(np.diff(at) > 1) + 1) if len(at) else []


NO_SOLES = "the figure has no feet with markers of their soles"


def plausibility_rows(walk: Walk) -> list[Row]:
    """Residual, slip and penetration."""
    record, group = walk.record, "honesty"
    force, moment = {}, {}
    start, end = walk.span
    kept = (record.time >= start) & (record.time <= end)
    if record.residual is not None:  # (4)
        left = record.residual[kept]
        force = {"": float(100.0 * np.linalg.norm(left[:, :3], axis=-1).max() / walk.weight)}
        moment = {"": float(100.0 * np.linalg.norm(left[:, 3:], axis=-1).max() / (walk.weight * record.leg_length))}
    slip, depth, gap, aid = {}, {}, {}, {}
    if record.aid is not None:  # (5)
        aid = {"": float(np.linalg.norm(record.aid[kept], axis=-1).max(initial=0.0))}
    if record.soles is not None:
        slip = {side: 1e3 * max(_slip(record, side, s) for s in rows) for side, rows in walk.strides.items() if rows}
        gap = {side: 1e3 * max(_gap(record, side, s) for s in rows) for side, rows in walk.strides.items() if rows}
        depth = {side: float(1e3 * max(-record.soles[side][kept][..., 2].min(), 0.0)) for side in record.soles}  # (3)
    elif record.off_print is not None:
        slip = {side: 1e3 * max(_off(record, side, s) for s in rows) for side, rows in walk.strides.items() if rows}
    why = "record tau or residual"
    return [
        Row(group, "residual force / weight", "%", force, FIXED["residual"], why),
        Row(group, "residual moment / (weight × leg)", "%", moment, FIXED["residual"], why),
        Row(group, "external aid", "N m", aid, FIXED["aid"], "the motion does not say; ap.walk's do"),
        Row(group, "slip in stance", "mm", slip, FIXED["slip"], NO_SOLES),
        Row(group, "penetration", "mm", depth, FIXED["penetration"], NO_SOLES),
        Row(group, "gap below the stance foot", "mm", gap, FIXED["gap"], NO_SOLES),
    ]


def _off(record, side: str, stride) -> float:
    """How far a foot is from its print in one stance [m]."""
    inside = (record.time >= stride.start) & (record.time <= stride.off)
    return float(record.off_print[side][inside].max())


def _gap(record, side: str, stride) -> float:
    """(4) in one stride [m]."""
    first = stride.other_off if stride.other_off < stride.other_strike else stride.start  # a run has no double support
    alone = (record.time >= first) & (record.time <= min(stride.off, stride.other_strike))
    low = record.soles[side][alone][..., 2].min(-1)
    return float(low.max()) if len(low) else 0.0


def _slip(record, side: str, stride) -> float:
    """(5) in one stance [m]; what a belt does is taken off."""
    inside = (record.time >= stride.start) & (record.time <= stride.off)
    soles = record.soles[side][inside] + np.array([1.0, 0.0, 0.0]) * (record.belt * record.time[inside])[:, None, None]
    return stance_slip(soles)
