"""Is a walk what it seems: does a hidden hand hold it, do its feet slide or sink? (spec/gait.md 2.4, 8.) Floats only.

residual = largest force [% weight] and moment [% weight × leg] on the root that nothing exerts              (1)
slip = longest distance along the ground between two places of a point of the sole while it is down: in
       its foot's stance, within 1 mm of the ground or of the lowest point (as in `gait/feet.py`);
           of a figure without feet, how far the foot that stands is from its print, where that was recorded     (2)
penetration = greatest depth of a point of the sole below z = 0, over all strides                            (3)
gap = greatest height of the sole's lowest point while the foot is the only one down                         (4)
aid = greatest external moment of an animator's aid (`gait/walking/aid.py`), over all strides; 0: none       (5)
"""

import numpy as np

from anthropi.gait.feet import stance_slip
from anthropi.gait.report.criteria import FIXED
from anthropi.gait.report.rows import Row
from anthropi.gait.report.walk import Walk

__all__ = ["honesty_rows"]

NO_SOLES = "the figure has no feet with markers of their soles"


def honesty_rows(walk: Walk) -> list[Row]:
    """Residual, slip and penetration."""
    record, group = walk.record, "honesty"
    force, moment = {}, {}
    start, end = walk.span
    kept = (record.time >= start) & (record.time <= end)
    if record.residual is not None:  # (1)
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
    """(2) in one stance [m]; what a belt does is taken off."""
    inside = (record.time >= stride.start) & (record.time <= stride.off)
    soles = record.soles[side][inside] + np.array([1.0, 0.0, 0.0]) * (record.belt * record.time[inside])[:, None, None]
    return stance_slip(soles)
