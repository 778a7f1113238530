"""Ground forces of a motion without force plates: the total from the motion, divided between the feet.

The total follows exactly from Newton's and Euler's laws. With the momentum p and the angular momentum h about the
world's origin, and gravity g acting at the centre of mass c,

    F = p' - m g,     M = h' - c × m g                                             (1)

A foot stands where one of its points is low and slow, until its foremost point is farthest behind the root (J. A. Zeni
and others, 2008, Gait & Posture 27:710). With one foot on the ground, (F, M) act on it. With two feet, the
trailing foot is assumed to be unloaded smoothly, from its force at the strike of the other foot at t₁ to its toe-off at
t₂ (L. Ren, R. K. Jones, D. Howard, 2008, Whole body inverse dynamics over a complete gait cycle based only on measured
kinematics, J Biomech 41:2750). With s = 2 (t - t₁) / (t₂ - t₁),

    f_trailing(t) = f(t₁) exp(-s³)            vertical and to the side                (2)
    f_trailing(t) = f(t₁) (k₁ exp(-(s - 2/3)²) - k₂ s),  k₁ = exp(4/9), k₂ = ½ k₁ exp(-16/9)   along the path      (3)

and the leading foot carries the rest. A foot that stands rolls from heel to toes, from s = 0 to 1. With one foot on the
ground, the centre of pressure is a weighted mean of the rolling point and of the point that balances the moments, which
is noisy; with two, it is the rolling point:

    p = w p_roll + (1 - w) p_balance,   p_roll = heel + (0.15 + 0.7 s) (toes - heel)          (4), (5)

It never leaves the foot by more than a margin. Works on plain floats only.
"""

from dataclasses import dataclass

import numpy as np

from anthropi.entry import centre_of_mass, momentum_rate
from anthropi.errors import InputError
from anthropi.gait.hidds.desired_motion import desired_motion
from anthropi.gait.report.foot_events import by_markers
from anthropi.motion import Motion
from anthropi.motion.ground_forces import ForcePlate, GroundForces
from anthropi.motion.link_poses import link_poses
from anthropi.motion.plate_contacts import foot_links, foot_points_of

__all__ = ["EstimateSettings", "estimate_ground_forces"]

K1 = float(np.exp(4.0 / 9.0))
K2 = float(0.5 * K1 * np.exp(-16.0 / 9.0))
ROLL_START, ROLL_RANGE = 0.15, 0.7  # of (5)
MEASURED = (  # by tests/unit/gait/hidds/test_ground_force_estimate.py on the trials of docs/captured.md
    "on 14 stances of seven people with force plates, errors are: vertical force 10 % of the weight (RMS) and 5 % at "
    "the peak, force along the path 4 % of the weight, centre of pressure 31 mm"
)
NAMES = {"l": "left foot", "r": "right foot"}


@dataclass(frozen=True)
class EstimateSettings:
    """Settings of `estimate_ground_forces`.

    cutoff : [Hz] low-pass filter of the motion. height : [m] above its lowest level up to which a point of a foot is
    low. speed : [m/s] up to which it is slow. release : [s] largest correction of the end of a stance. shortest : [s]
    shorter stances and swings are left out. flight : share of the weight below which no foot stands. margin : [m] by
    which a centre of pressure may lie outside the points of the foot. spacing : [s] frames that are farther apart are
    divided. rolling : w of (4).
    """

    cutoff: float | None = 6.0
    height: float = 0.04
    speed: float = 0.8
    release: float = 0.12
    shortest: float = 0.1
    flight: float = 0.05
    margin: float = 0.02
    spacing: float = 0.004
    rolling: float = 0.8


def total_of(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Return the total ground force (frames, 3) [N] and its moment about the world's origin [N m], by (1)."""
    figure = motion.figure
    rate = np.asarray(momentum_rate(figure, motion.q, motion.u, motion.channels["udot"], about="origin"))
    weight = figure.mass * np.asarray(figure.gravity)
    c = np.asarray(centre_of_mass(figure, motion.q).position)
    return rate[:, 3:] - weight, rate[:, :3] - np.cross(c, weight)


def estimate_ground_forces(
    motion: Motion, feet: dict[str, str] | None = None, settings: EstimateSettings | None = None
) -> GroundForces:
    """Estimate the ground forces of each foot from a motion alone, for recordings without force plates.

    Parameters
    ----------
    motion : one rollout of a figure with the masses of the person; only its configurations are read.
    feet : {"l": link, "r": link}; by default they are found by name.
    settings : an `EstimateSettings`.

    Returns
    -------
    Ground forces with one plate for each foot, for `ap.motion.with_ground_forces`; their notes state the method and the
    errors that were measured on trials with force plates (docs/captured.md).

    Raises
    ------
    InputError : the feet are not known, or no foot stands.
    """
    own = settings or EstimateSettings()
    if not isinstance(motion, Motion) or motion.q.ndim != 2:
        raise InputError("estimate_ground_forces needs a Motion with a single rollout; of a batch, use rollout(0).")
    spacing = float(np.median(np.diff(motion.time)))
    figure, found = motion.figure, desired_motion(motion, spacing / max(1, round(spacing / own.spacing)), own.cutoff)
    links = feet or foot_links(figure)
    if set(links) != {"l", "r"}:
        raise InputError(
            f"The feet of figure '{figure.name}' are not known. Give feet={{'l': link, 'r': link}}. Links: "
            f"{', '.join(link.name for link in figure.links)[:300]}."
        )
    time, (force, moment) = found.time, total_of(found)
    points = foot_points_of(figure, found.q, links)
    ground = _ground_velocity(time, points)
    heading = _heading(found, ground)
    stand = _stances(found, force, points, ground, heading, own)
    floor = min(float(np.percentile(points[side][..., 2], 1.0)) for side in "lr")
    share = _divided(time, force, stand, heading)
    wrench = _moments(force, moment, share, points, stand, floor, own)
    plates = tuple(
        ForcePlate(NAMES[side], time, share[side], wrench[side], centre=(0.0, 0.0, floor), link=links[side])
        for side in "lr"
    )
    both = 100.0 * float(np.mean(stand["l"] & stand["r"]))
    filtered = f", filtered at {own.cutoff:g} Hz" if own.cutoff else ""
    notes = (
        f"ground forces are estimated from the motion{filtered}; both feet stand during {both:.0f} % of the time",
        MEASURED,
    )
    return GroundForces(plates, str(motion.metadata.get("source", figure.name)), notes)


def _stances(found: Motion, force, points, ground, heading, own: EstimateSettings) -> dict[str, np.ndarray]:
    """Return whether each foot stands (frames,)."""
    time, figure = found.time, found.figure
    loaded = force[:, 2] > own.flight * figure.mass * float(np.linalg.norm(figure.gravity))
    root, stand = link_poses(figure, found.q).position[:, 0], {}
    for side, place in points.items():
        on = _standing(time, place - ground * time[:, None, None], loaded, own)
        along = ((place - root[:, None])[..., :2] * heading[:, None]).sum(-1)
        seen = by_markers(time, along.min(1), along.max(1))
        on = _released(time, on, seen.off, own.release)
        stand[side] = _released(-time[::-1], on[::-1], -seen.strike[::-1], own.release, 0.5)[::-1] & loaded
    if not any(on.any() for on in stand.values()):
        raise InputError(
            f"No foot of '{figure.name}' stands: no point of a foot is within {own.height:g} m of its lowest level and "
            f"slower than {own.speed:g} m/s. Give larger limits in EstimateSettings."
        )
    return stand


def _standing(time: np.ndarray, points: np.ndarray, loaded: np.ndarray, own: EstimateSettings) -> np.ndarray:
    """Return whether a foot stands (frames,): one of its points (frames, k, 3) is low and slow."""
    speed = np.linalg.norm(np.gradient(points, time, axis=0), axis=-1)
    level = np.percentile(points[..., 2], 2.0, axis=0)
    on = ((points[..., 2] < level + own.height) & (speed < own.speed)).any(1) & loaded
    for value in (False, True):  # close short gaps, then drop short stances
        edges = np.flatnonzero(np.diff(np.concatenate([[not value], on == value, [not value]]).astype(int)))
        for a, b in zip(edges[::2], edges[1::2], strict=True):
            if a > 0 and b < len(on) and time[b - 1] - time[a] < own.shortest:
                on[a:b] = not value
    return on


def _released(time: np.ndarray, on: np.ndarray, ends: np.ndarray, most: float, share: float = 1.0) -> np.ndarray:
    """Return stances (frames,) whose ends are moved towards the nearest of the times `ends` [s], by a share of the way.

    most : [s] ends that are farther away do not count.
    """
    found = on.copy()
    for k in np.flatnonzero(on[:-1] & ~on[1:]):
        near = ends[np.abs(ends - time[k]) <= most]
        if len(near):
            move = near[np.abs(near - time[k]).argmin()] - time[k]
            end = int(np.searchsorted(time, time[k] + share * move))
            found[k + 1 : end] = True
            found[max(end, 0) : k + 1] = False
    return found


def _ground_velocity(time: np.ndarray, points: dict[str, np.ndarray]) -> np.ndarray:
    """Return the velocity (3,) [m/s] of the ground, which moves on a treadmill: the median of low points of feet."""
    rows = []
    for own in points.values():
        low = own[..., 2] < np.percentile(own[..., 2], 2.0, axis=0) + 0.01
        rows.append(np.gradient(own, time, axis=0)[low])
    found = np.median(np.concatenate(rows), axis=0)
    return np.where(np.linalg.norm(found) > 0.2, found * [1.0, 1.0, 0.0], 0.0)


def _heading(motion: Motion, ground: np.ndarray) -> np.ndarray:
    """Return the horizontal direction (frames, 2) in which the centre of mass travels over the ground."""
    c = np.asarray(centre_of_mass(motion.figure, motion.q).position)[:, :2]
    far = c[-1] - c[0] - ground[:2] * (motion.time[-1] - motion.time[0])
    away = np.linalg.norm(far)
    direction = far / away if away > 0.1 else np.array([1.0, 0.0])
    return np.broadcast_to(direction, c.shape)


def _divided(time, force, stand, heading) -> dict[str, np.ndarray]:
    """Return the force (frames, 3) on each foot, by (2) and (3) where both stand."""
    share = {side: np.where((stand[side] & ~stand[other])[:, None], force, 0.0) for side, other in ("lr", "rl")}
    neither = ~stand["l"] & ~stand["r"]
    for k in np.flatnonzero(neither):  # between stances: to the foot that stands next in time
        ahead = {s: np.abs(time[stand[s]] - time[k]).min(initial=np.inf) for s in "lr"}
        share[min(ahead, key=lambda s: float(ahead[s]))][k] = force[k]
    both = np.concatenate([[False], stand["l"] & stand["r"], [False]])
    edges = np.flatnonzero(np.diff(both.astype(int)))
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        trailing = _trailing(stand, a, b)
        leading = "l" if trailing == "r" else "r"
        start = max(a - 1, 0)
        s = 2.0 * (time[a:b] - time[start]) / max(time[min(b, len(time) - 1)] - time[start], 1e-9)
        along, side = heading[a:b], np.stack([-heading[a:b, 1], heading[a:b, 0]], -1)
        first = force[start]
        smooth = np.exp(-(s**3))
        path = K1 * np.exp(-((s - 2.0 / 3.0) ** 2)) - K2 * s
        own = np.zeros((b - a, 3))
        own[:, 2] = first[2] * smooth  # (2)
        own[:, :2] = ((first[:2] @ side[0]) * smooth)[:, None] * side  # (2)
        own[:, :2] += ((first[:2] @ along[0]) * path)[:, None] * along  # (3)
        own[:, 2] = np.clip(own[:, 2], 0.0, np.maximum(force[a:b, 2], 0.0))
        share[trailing][a:b], share[leading][a:b] = own, force[a:b] - own
    return share


def _trailing(stand: dict[str, np.ndarray], a: int, b: int) -> str:
    """Return the foot that leaves the ground first after the double support from frame a to b."""
    count = len(stand["l"])
    if b < count:
        return "l" if not stand["l"][b] else "r"
    if a > 0:
        return "l" if stand["l"][a - 1] else "r"
    return "l"


def _moments(force, moment, share, points, stand, floor, own) -> dict[str, np.ndarray]:
    """Return the moment (frames, 3) of each foot's force about the world's origin, by (4) and (5).

    With two feet on the ground, the trailing one has the centre of pressure of (5) alone, and the vertical moments are
    divided like the vertical forces.
    """
    expected = {side: _rolling(points[side], stand[side]) for side in "lr"}
    arms = {side: np.cross(np.where(np.isfinite(p), p, 0.0), share[side]) for side, p in expected.items()}
    found = {side: np.zeros_like(moment) for side in "lr"}
    total = np.maximum(share["l"][:, 2] + share["r"][:, 2], 1e-9)
    for side, other in ("lr", "rl"):
        for k in np.flatnonzero((share[side] != 0.0).any(1)):
            f, both = share[side][k], bool((share[other][k] != 0.0).any())
            p = expected[side][k]
            balancing = None if both else _pressure(f, moment[k] - arms[other][k], floor)
            if balancing is not None:
                p = own.rolling * p + (1.0 - own.rolling) * balancing  # (4)
            p = _inside(p[None], points[side][k][None], own.margin)[0]
            p[2] = floor
            arm = np.cross(p, f)
            left = moment[k] - arms[other][k] - arm
            arm[2] += left[2] * (f[2] / total[k] if both else 1.0)
            found[side][k] = arm
    return found


def _rolling(points: np.ndarray, stand: np.ndarray) -> np.ndarray:
    """Return the centre of pressure (frames, 3) of a foot that rolls from heel to toes in each stance (5)."""
    xy = points[..., :2]
    far = np.linalg.norm(xy[:, :, None] - xy[:, None], axis=-1).max(0)
    i, j = np.unravel_index(far.argmax(), far.shape)  # the two points that are farthest apart: rear and front
    rear, front = (i, j) if points[:, i, 2].max() > points[:, j, 2].max() else (j, i)  # the heel rises more
    edges = np.flatnonzero(np.diff(np.concatenate([[False], stand, [False]]).astype(int)))
    share = np.full(len(stand), 0.5)
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        known = a > 0 and b < len(stand)  # a stance whose start and end are seen
        share[a:b] = ROLL_START + ROLL_RANGE * np.linspace(0.0, 1.0, b - a) if known else 0.5
    middle = points.mean(1)
    along = points[:, front] - points[:, rear]
    base = middle + along * ((points[:, rear] - middle) * along).sum(-1, keepdims=True) / (along**2).sum(
        -1, keepdims=True
    )
    return base + share[:, None] * along


def _pressure(force: np.ndarray, moment: np.ndarray, floor: float) -> np.ndarray | None:
    """Return the point (3,) of the floor about which a force has no horizontal moment; None without a force."""
    if force[2] < 20.0:
        return None
    x = (-moment[1] + floor * force[0]) / force[2]
    y = (moment[0] + floor * force[1]) / force[2]
    return np.array([x, y, floor])


def _inside(p: np.ndarray, points: np.ndarray, margin: float) -> np.ndarray:
    """Return points p (n, 3) moved to within `margin` [m] of the box of the foot's points (n, k, 3), seen from above.

    The box is aligned with the longest horizontal distance between two points of the foot.
    """
    found = p.copy()
    for n in range(len(p)):
        xy = points[n, :, :2]
        middle = xy.mean(0)
        _, _, axes = np.linalg.svd(xy - middle)
        local = (xy - middle) @ axes.T
        low, high = local.min(0) - margin, local.max(0) + margin
        found[n, :2] = middle + np.clip((p[n, :2] - middle) @ axes.T, low, high) @ axes
    return found
