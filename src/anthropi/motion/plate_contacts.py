"""Ground forces of force plates as contacts of a motion: which foot stands on which plate, and the channels.

In each interval in which a plate is loaded, its centre of pressure belongs to the foot that is nearer. The distance is
that to the nearest line between two points of the foot, in three dimensions, so that a foot that swings over the plate
is farther away. If a second foot is nearer in a part of the samples, both feet stand on the plate; its force cannot be
divided, and it is left out with a note.

The forces become the channels of contacts (`motion/contacts.py`), means from each frame to the next:

    "contact" f,   "contact_point" p,   "contact_moment" T = m - p × f                                             (1)

with the wrench (f, m) of the plate about the world's origin, so that nothing of a wrench is lost. Works on plain floats
only.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from anthropi.contact.geometry.contacts import ContactRecord
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.figure.parts import Marker
from anthropi.motion.contacts import IntervalMeans
from anthropi.motion.ground_forces import ForcePlate, GroundForces
from anthropi.motion.link_poses import link_poses
from anthropi.motion.motion import Motion

__all__ = ["Stance", "assigned", "foot_links", "foot_points_of", "stances", "with_ground_forces"]

MAX_DISTANCE = 0.25  # [m] from the centre of pressure to the nearer foot, above which no foot stands on the plate
MIN_SHARE = 0.9  # share of the samples in which the same foot must be nearer
MIN_PEAK, MAX_PEAK = 0.5, 8.0  # largest force of a plate / weight: standing on both feet, and landing from a jump
FOOT_WORDS = ("foot", "calcn", "toe", "ankle")  # in the names of links of feet
SIDE_ENDS = {"l": ("l_", "left"), "r": ("r_", "right")}


class Stance(NamedTuple):
    """A load of a plate. plate : its name. start, end : [s]. foot : the foot on it, or "" if it is not known.

    distance : [m] median distance of the centre of pressure from the foot. words : why the foot is not known.
    """

    plate: str
    start: float
    end: float
    foot: str
    distance: float
    words: str = ""


def stances(forces: GroundForces, time: np.ndarray, feet: Mapping[str, np.ndarray]) -> tuple[Stance, ...]:
    """Return the loads of all plates with the feet that stand on them.

    Parameters
    ----------
    forces : the plates. time : (frames,) [s]. feet : {foot: (frames, k, 3)} [m], points of each foot; NaN if not seen.
    """
    found = []
    for plate in forces.plates:
        point = plate.point
        for start, end in plate.intervals():
            rows = (plate.time >= max(start, time[0])) & (plate.time <= min(end, time[-1])) & plate.loaded
            if rows.any() and feet:
                found.append(_stance(plate, start, end, plate.time[rows], point[rows], time, feet))
    return tuple(sorted(found, key=lambda stance: (stance.start, stance.plate)))


def _stance(plate, start, end, times, point, time, feet) -> Stance:
    """Return the stance of one load: the foot that is nearer in nearly all samples."""
    names = list(feet)
    distance = np.stack([_distance(point, _at(times, time, feet[name])) for name in names])
    distance = np.where(np.isfinite(distance), distance, np.inf)
    nearer = distance.argmin(0)
    share = np.bincount(nearer, minlength=len(names)) / len(times)
    best = int(share.argmax())
    far = float(np.median(distance[best]))
    if not far <= MAX_DISTANCE:
        return Stance(plate.name, start, end, "", far, "no foot is near its centre of pressure")
    if share[best] < MIN_SHARE:
        return Stance(plate.name, start, end, "", far, "both feet stand on it; its force cannot be divided")
    return Stance(plate.name, start, end, names[best], far)


def _at(times: np.ndarray, time: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return points (frames, k, 3) at other times; NaN where they were not seen."""
    k = np.clip(np.searchsorted(time, times, "right") - 1, 0, max(len(time) - 2, 0))
    after = np.minimum(k + 1, len(time) - 1)
    h = np.where(after > k, time[after] - time[k], 1.0)
    s = np.clip((times - time[k]) / h, 0.0, 1.0)[:, None, None]
    return (1.0 - s) * points[k] + s * points[after]


def _distance(point: np.ndarray, feet: np.ndarray) -> np.ndarray:
    """Return the distances (n,) of points (n, 3) from the nearest line between two of the points (n, k, 3)."""
    count = feet.shape[1]
    found = np.linalg.norm(feet - point[:, None], axis=-1)
    best = np.where(np.isfinite(found), found, np.inf).min(1)
    for i in range(count):
        for j in range(i):
            a, ab = feet[:, i], feet[:, j] - feet[:, i]
            size = np.maximum((ab * ab).sum(-1), 1e-12)
            s = np.clip(((point - a) * ab).sum(-1) / size, 0.0, 1.0)
            own = np.linalg.norm(a + s[:, None] * ab - point, axis=-1)
            best = np.minimum(best, np.where(np.isfinite(own), own, np.inf))
    return best


def foot_links(figure: Figure) -> dict[str, str]:
    """Return the links of the feet, {"l", "r": link}, by markers of ankles, else by names of links."""
    marks = {m.name: m for m in figure.markers if isinstance(m, Marker)}
    found = {s: marks[f"{s}_ankle_centre"].link for s in SIDE_ENDS if f"{s}_ankle_centre" in marks}
    for link in figure.links:
        for side, starts in SIDE_ENDS.items():
            name = link.name.lower()
            if (name.startswith(starts) or name.endswith(f"_{side}")) and any(w in name for w in FOOT_WORDS[:2]):
                found.setdefault(side, link.name)
    return found


def foot_points_of(figure: Figure, q: np.ndarray, feet: Mapping[str, str]) -> dict[str, np.ndarray]:
    """Return points (frames, k, 3) [m] of each foot: its sole markers and those of links beyond it, or its origin."""
    poses, found = link_poses(figure, q), {}
    for side, name in feet.items():
        i = figure.link_index(name)
        own = {i} | {k for k in range(figure.n) if i in figure.path(k)}
        marks = [m for m in figure.markers if isinstance(m, Marker) and figure.link_index(m.link) in own]
        soles = [m for m in marks if "sole" in m.name] or marks
        points = [poses.point(figure.link_index(m.link), m.point) for m in soles]
        found[side] = np.stack(points or [poses.position[:, k] for k in sorted(own)], 1)
    return found


def assigned(
    motion: Motion, forces: GroundForces, feet: Any = None, known: Iterable[Stance] = ()
) -> tuple[tuple[Stance, ...], dict[str, str], dict[str, str]]:
    """Return the stances of a motion on the plates, the links {foot: link}, and those of known plates {plate: link}.

    feet : {"l": link, "r": link}, links of the feet; or {plate: link} for plates whose foot is known. By default the
        feet of the figure are found, and each load belongs to the nearer one.
    known : loads whose foot ("l" or "r") is known from markers.
    """
    figure = motion.figure
    links, by_plate = _feet(figure, forces, feet)
    by_marker = {(s.plate, s.start): s for s in known if s.foot in links}
    free = GroundForces(tuple(plate for plate in forces.plates if plate.name not in by_plate))
    found = [
        by_marker.get((stance.plate, stance.start), stance)
        for stance in stances(free, motion.time, foot_points_of(figure, motion.q, links))
    ]
    for name, link in by_plate.items():
        points = foot_points_of(figure, motion.q, {link: link})
        own = stances(GroundForces((forces[name],)), motion.time, points)
        found += [stance._replace(foot=link, words="") for stance in own]
    order = tuple(sorted(found, key=lambda stance: (stance.start, stance.plate)))
    return order, links | {link: link for link in by_plate.values()}, by_plate


def _feet(figure: Figure, forces: GroundForces, feet: Any) -> tuple[dict[str, str], dict[str, str]]:
    """Return the links of the feet by side, and the links that are given for plates."""
    if not isinstance(feet, (Mapping, type(None))):
        raise InputError(f"feet={feet!r}: give {{'l': link, 'r': link}}, or {{plate: link}}.")
    given, names = dict(feet or {}), [plate.name for plate in forces.plates]
    for key, link in given.items():
        if key not in ("l", "r", *names):
            raise InputError(f"feet has '{key}'.{did_you_mean(str(key), names)} Keys: l, r, {', '.join(names)}.")
        figure.link_index(link)  # raises InputError for an unknown link
    sides = {key: link for key, link in given.items() if key in ("l", "r")}
    by_plate = {key: link for key, link in given.items() if key in names}
    links = sides or foot_links(figure)
    own = {link.name for link in figure.links}
    for plate in forces.plates:
        if plate.link and plate.name not in by_plate:
            side = next((s for s in "lr" if plate.link.endswith(f"_{s}") or plate.link.startswith(f"{s}_")), "")
            link = plate.link if plate.link in own else links.get(side, "")
            if link:
                by_plate[plate.name] = link
    if not links and set(by_plate) != set(names):
        raise InputError(
            f"Figure '{figure.name}' has no link that is recognised as a foot. Give feet={{'l': link, 'r': link}}. "
            f"Links: {', '.join(link.name for link in figure.links)[:300]}."
        )
    return links, by_plate


def with_ground_forces(motion: Motion, forces: GroundForces, feet: Any = None, known: Iterable[Stance] = ()) -> Motion:
    """Add measured ground forces to a motion, as contacts between feet and the ground.

    Parameters
    ----------
    motion : one rollout, in the axes of the plates. forces : the plates, with times on the clock of the motion.
    feet : {"l": link, "r": link} or {plate: link}; by default each load belongs to the nearer foot.
    known : loads whose foot ("l" or "r") is known from markers, from `Capture.stances`.

    Returns
    -------
    The motion with the channels "contact", "contact_point" and "contact_moment" (1), which `ap.inverse_motion`, the
    gait report and `motion.verify` read. metadata["ground_forces"] has the stances and notes.
    """
    if motion.q.ndim != 2:
        raise InputError(f"with_ground_forces takes one rollout; this motion has {len(motion.q)}. Use rollout(0).")
    if not forces.plates:
        raise InputError(f"{forces.source or 'forces'}: there are no force plates.")
    low, high = (f(np.array([p.time[k] for p in forces.plates])) for f, k in ((np.min, 0), (np.max, -1)))
    if high <= motion.time[0] or low >= motion.time[-1]:
        raise InputError(
            f"The forces of {forces.source or 'the plates'} are from {low:g} to {high:g} s, the motion from "
            f"{motion.time[0]:g} to {motion.time[-1]:g} s. Shift the motion with motion.shift."
        )
    found, links, fixed = assigned(motion, forces, feet, known)
    pairs = list(dict.fromkeys((stance.plate, stance.foot) for stance in found if stance.foot))
    records, rows = [], []
    for name, foot in pairs:
        plate = forces[name]
        during = [_widened(plate, s.start, s.end) for s in found if (s.plate, s.foot) == (name, foot)]
        whole = foot == fixed.get(name)  # small forces count, too; those of an empty plate are noise
        records.append(ContactRecord(f"{links[foot]} on {name}", links[foot], name, "ground"))
        rows.append(_rows(plate.means(motion.time, None if whole else during)))
    channels = {k: x for k, x in motion.channels.items() if k not in ("contact", "contact_point", "contact_moment")}
    for k, name in enumerate(("contact", "contact_point", "contact_moment")):
        own = [row[k] for row in rows]
        channels[name] = np.stack(own, 1) if own else np.zeros((len(motion), 0, 3))
    notes = [f"{s.plate}, {s.start:.2f} to {s.end:.2f} s: {s.words}" for s in found if not s.foot]
    if low > motion.time[0] or high < motion.time[-1]:
        notes.append(f"no forces were measured outside {low:g} to {high:g} s; they count as 0 there")
    notes += _implausible(motion.figure, forces)
    about = {
        "contacts": [record._asdict() for record in records],
        "interval_means": IntervalMeans(None, 2, ("contact", "contact_point", "contact_moment")).metadata(),
        "ground": {"height": float(np.mean([np.mean(p.centre[..., 2]) for p in forces.plates])), "friction": None},
        "ground_forces": {
            "source": forces.source,
            "stances": [s._asdict() | {"foot": links.get(s.foot, "")} for s in found],
            "notes": [*forces.notes, *notes],
        },
    }
    return motion.changed(channels=channels, metadata=motion.metadata | about)


def _implausible(figure: Figure, forces: GroundForces) -> list[str]:
    """Return a note if the largest force of the plates cannot be that on a person with the mass of the figure."""
    weight = figure.mass * float(np.linalg.norm(figure.gravity))
    most = max(float(np.nan_to_num(plate.load).max(initial=0.0)) for plate in forces.plates)
    if not weight > 0.0 or MIN_PEAK * weight <= most <= MAX_PEAK * weight:
        return []
    return [
        f"the largest force, {most:.0f} N, is {most / weight:.2g} of the weight of '{figure.name}', "
        f"{figure.mass:.3g} kg; check the mass and the units"
    ]


def _widened(plate: ForcePlate, start: float, end: float) -> tuple[float, float]:
    """Widen a load to the neighbouring samples that still push, below the threshold, so that no impulse is lost."""
    load = plate.load
    a, b = np.searchsorted(plate.time, start), np.searchsorted(plate.time, end)
    while a > 0 and 0.0 < load[a - 1] < load[a]:
        a -= 1
    while b < len(load) - 1 and 0.0 < load[b + 1] < load[b]:
        b += 1
    return float(plate.time[a]), float(plate.time[b])


def _rows(plate: ForcePlate) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return forces, points and moments (frames, 3) of a plate (1); points are held where there is no force."""
    point, rows = plate.point, np.arange(len(plate))
    seen = np.flatnonzero(np.isfinite(point).all(-1))
    if len(seen):
        after = np.clip(np.searchsorted(seen, rows), 0, len(seen) - 1)
        before = np.maximum(after - 1, 0)
        point = point[seen[np.where(rows - seen[before] < seen[after] - rows, before, after)]]
    else:
        point = np.broadcast_to(plate.centre, plate.force.shape)
    return plate.force, point, plate.moment - np.cross(point, plate.force)
