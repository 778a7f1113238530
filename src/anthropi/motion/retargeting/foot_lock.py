"""Foot lock: feet of a human that stay in place on the ground while they stand, with small changes of the legs.

A foot stands while its heel or its ball is low and slow. In each stance, the foot has one place and one heading: the
medians of those that its contact points give. Its inclination θ is kept. It rolls over the heel edge while θ > 0 (toes
up), over a line between the ball and the toe joint while θ < 0 (heel up), and over the toe joint itself when the ball
has left the ground:

    p_ankle = anchor + C(heading) (s_pivot,flat - C(θ) s_pivot)                                                    (1)

with s the pivots in the foot. Between stances, the change of position and attitude is interpolated over the swing. The
pelvis is displaced by the least δ for which the distances r of hips and ankles, and so the knees, stay as they were,

    |hip + δ - ankle| = r   of both legs                                                                           (2)

smoothed over time; what remains is removed from the goals of feet in swing. Works on plain floats only.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.motion.link_poses import link_poses
from anthropi.motion.retargeting.names import SIDES
from anthropi.motion.retargeting.person import Person, size

__all__ = ["LockSettings", "locked", "pelvis_shift", "stances", "with_free_swings"]


@dataclass(frozen=True)
class LockSettings:
    """Settings of the foot lock.

    slow : speed of a sole point in contact [m/s]. low : height above its usual lowest position [m].
    gap, short : gaps of a stance that are closed, and stances that are ignored [s].
    smooth : standard deviation of the filter of δ [s]. damping : of the solution of (2), where the legs are parallel.
    ramp : time after and before a stance over which a foot in swing becomes free to keep its knee as it was [s].
    pivot : height of the line above the sole about which a foot with raised heel rolls [m]; between the sole and the
        axis of the toe joint, so that neither the ball nor the toes slide by more than 5 mm.
    raised : inclination beyond which it rolls over the toe joint [rad]; the ball is then a millimetre above the ground.
    """

    slow: float = 0.5
    low: float = 0.045
    gap: float = 0.06
    short: float = 0.1
    pivot: float = 0.0112
    raised: float = np.deg2rad(24.5)
    smooth: float = 0.02
    damping: float = 0.02
    ramp: float = 0.1


SETTINGS = LockSettings()


def stances(time: Any, heel: Any, ball: Any, settings: LockSettings = SETTINGS) -> list[slice]:
    """Return the frames of each stance of a foot. heel, ball : (frames, 3) [m], points of its sole."""
    on = np.zeros(len(time), bool)
    for x in (heel, ball):
        speed = size(np.gradient(x, time, axis=0)) if len(time) > 1 else np.zeros(len(time))
        floor = float(np.quantile(x[:, 2], 0.1))
        on |= (speed < settings.slow) & (x[:, 2] < floor + settings.low)
    for value, least in ((False, settings.gap), (True, settings.short)):
        edges = [0, *(np.flatnonzero(np.diff(on.astype(int))) + 1).tolist(), len(on)]
        for a, b in pairwise(edges):
            inside = a > 0 and b < len(on)
            if on[a] == value and inside and time[b - 1] - time[a] < least:
                on[a:b] = not value
    edges = [0, *(np.flatnonzero(np.diff(on.astype(int))) + 1).tolist(), len(on)]
    return [slice(a, b) for a, b in pairwise(edges) if on[a]]


def locked(
    person: Person, q: Any, time: Any, wanted: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the goals of the ankles and the attitudes with feet that stand still on the ground, and the stances.

    q : (frames, nq) with the lowest sole near z = 0. wanted : attitudes of the parts, of which those of feet and toes
    are replaced. Returns {side: (frames, 3)} [m], {part: (frames, 3, 3)} and {side: [slice]}.
    """
    k, figure = link_poses(person.figure, q), person.figure
    goals, found, spells = {}, dict(wanted), {}
    for s in SIDES:
        i = figure.link_index(f"{s}_foot")
        points = np.array([p for link, p in person.soles if link == i])
        heel_s, ball_s = (np.array([x, 0.0, points[:, 2].min()]) for x in (points[:, 0].min(), points[:, 0].max()))
        C, p = k.rotation[:, i], k.position[:, i]
        spells[s] = stances(time, k.point(i, heel_s), k.point(i, ball_s))
        pivot_s = ball_s + SETTINGS.pivot * np.eye(3)[2]
        toe = next((j.placement.origin for j in figure.joints if j.name == f"{s}_toe"), pivot_s)
        toe_s = np.array([pivot_s[0], 0.0, float(np.asarray(toe)[2])])
        theta = np.arcsin(np.clip(C[:, 2, 0], -1.0, 1.0))
        level, moved = np.zeros((len(q), 3)), np.zeros((len(q), 3))
        known = np.zeros(len(q), bool)
        for spell in spells[s]:
            place, turn = _rolled(C[spell], p[spell], theta[spell], heel_s, pivot_s, toe_s)
            moved[spell] = place - p[spell]
            level[spell] = rot.rotation_vector_from_matrix(turn @ C[spell].swapaxes(-1, -2))
            known[spell] = True
        moved, level = (_across_swings(x, known) for x in (moved, level))
        goals[s] = p + moved
        attitude = rot.matrix_from_rotation_vector(level) @ C
        found[f"{s}_foot"] = attitude
        if f"{s}_toes" in wanted:
            found[f"{s}_toes"] = _flat_toes(
                attitude, rot.matrix_from_rotation_vector(level) @ wanted[f"{s}_toes"], known
            )
    return goals, found, spells


def pelvis_shift(at: Any, goals: Any, time: Any, settings: LockSettings = SETTINGS) -> np.ndarray:
    """Return the displacement δ (frames, 3) [m] of the pelvis of (2). at : joints before. goals : of the ankles."""
    delta = np.zeros_like(goals["l"])
    for _ in range(12):
        rows, gaps = [], []
        for s in SIDES:
            r = at[f"{s}_hip"] + delta - goals[s]
            rows.append(r / size(r)[:, None])
            gaps.append(size(r) - size(at[f"{s}_hip"] - at[f"{s}_ankle"]))
        J, e = np.stack(rows, 1), np.stack(gaps, 1)
        N = J @ J.swapaxes(-1, -2) + settings.damping * np.eye(2)
        delta = delta - (J.swapaxes(-1, -2) @ np.linalg.solve(N, e[..., None]))[..., 0]
    return _smoothed(time, delta, settings.smooth)


def with_free_swings(at: Any, goals: Any, shift: Any, spells: Any, time: Any) -> dict[str, np.ndarray]:
    """Return the goals of the ankles with those in swing moved so that the knees keep their angles.

    at : joints before. shift : (frames, 3) displacement of the pelvis. spells : {side: [slice]}, the stances.
    """
    found = {}
    for s in SIDES:
        r = goals[s] - at[f"{s}_hip"] - shift
        more = size(at[f"{s}_hip"] - at[f"{s}_ankle"]) - size(r)
        stands = np.zeros(len(time), bool)
        for spell in spells[s]:
            stands[spell] = True
        edges = time[stands]
        away = np.abs(time[:, None] - edges[None]).min(1) if len(edges) else np.full(len(time), np.inf)
        u = np.clip(away / SETTINGS.ramp, 0.0, 1.0)
        found[s] = goals[s] + (u * u * (3.0 - 2.0 * u) * more / size(r))[:, None] * r
    return found


def _smoothed(time: Any, x: Any, width: float) -> np.ndarray:
    """Return x (frames, n) filtered with a Gaussian of a width [s]; the ends are repeated."""
    if len(x) < 3:
        return x
    step = float(time[-1] - time[0]) / (len(time) - 1)
    half = min(int(np.ceil(3.0 * width / step)), len(x) - 1)
    w = np.exp(-0.5 * (np.arange(-half, half + 1) * step / width) ** 2)
    padded = np.concatenate([np.repeat(x[:1], half, 0), x, np.repeat(x[-1:], half, 0)])
    return np.stack([np.convolve(column, w / w.sum(), "valid") for column in padded.T], -1)


def _rolled(C, p, theta, heel_s, pivot_s, toe_s) -> tuple[np.ndarray, np.ndarray]:
    """Return positions (frames, 3) and attitudes (frames, 3, 3) of a foot that rolls at one place (1)."""
    heading = np.arctan2(*np.median(C[:, :2, 0] / size(C[:, :2, 0])[:, None], axis=0)[::-1])
    Z = rot.elementary("z", np.array(heading))
    raised = theta > 0.0
    pivot = np.where(raised[:, None], heel_s, pivot_s)
    flat = np.where(raised[:, None], heel_s, pivot_s) * [1.0, 1.0, 0.0] @ Z.T  # of the pivot from the anchor
    seen = p + (C @ pivot[..., None])[..., 0]
    anchor = np.median((seen - flat)[:, :2], axis=0)
    tilt = rot.elementary("y", -theta)
    turn = Z @ tilt
    height = pivot[:, 2] - heel_s[2]  # of the pivot above the ground
    place = np.concatenate([np.broadcast_to(anchor, (len(p), 2)), np.zeros((len(p), 1))], axis=1)
    place = place + flat + height[:, None] * [0.0, 0.0, 1.0]
    found = place - (turn @ pivot[..., None])[..., 0]
    lifted = Z @ rot.elementary("y", np.array(SETTINGS.raised))
    toe = place + lifted @ (toe_s - pivot_s)  # where the toe joint is when the ball leaves the ground
    high = theta < -SETTINGS.raised
    return np.where(high[:, None], toe - turn @ toe_s, found), turn


def _across_swings(x: Any, known: Any) -> np.ndarray:
    """Return x (frames, n) with unknown frames interpolated smoothly between the known ones."""
    if not known.any():
        return np.zeros_like(x)
    there, found = np.flatnonzero(known), np.array(x)
    found[: there[0]], found[there[-1] + 1 :] = x[there[0]], x[there[-1]]
    for a, b in pairwise(there):
        if b > a + 1:
            u = (np.arange(a + 1, b) - a) / (b - a)
            u = (u * u * (3.0 - 2.0 * u))[:, None]
            found[a + 1 : b] = (1.0 - u) * x[a] + u * x[b]
    return found


def _flat_toes(foot: Any, toes: Any, known: Any) -> np.ndarray:
    """Return the attitudes of toes that are flat in stance while the heel is raised, and follow the foot otherwise."""
    x = foot[..., 0] * [1.0, 1.0, 0.0]
    x = x / size(x)[:, None]
    flat = np.stack([x, np.cross([0.0, 0.0, 1.0], x), np.broadcast_to([0.0, 0.0, 1.0], x.shape)], -1)
    raised = foot[:, 2, 0] > 0.0  # toes up: the toes are in line with the foot
    return np.where(known[:, None, None], np.where(raised[:, None, None], foot, flat), toes)
