"""A human figure scaled to a person in a standing trial, and its motion in other trials.

1. Joint centres of the standing person: hips by regression from the pelvis (clinical.py (2)); knees and ankles between
   the medial and the lateral marker, or half the joint width inward of the lateral one; shoulders below the acromion.
2. Each segment of the human is scaled by its own factor, the ratio of the distances of its joint centres.
3. The scaled figure takes the pose in which its landmarks are nearest to those of the person. There, the place of every
   marker on its link is measured: technical markers need no model of where they should be.
4. In a trial, all frames are solved by one kernel (`constraints/fit_to_markers.py`). The root starts from the rigid fit
   of the pelvis markers, the joints from the standing pose.

Works on plain floats only, except for the kernel.
"""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.constraints.fit_to_markers import fit_to_markers, marker_kernel
from anthropi.errors import InputError, ShapeError, ValidityWarning
from anthropi.figure.figure import Figure
from anthropi.figure.human.build import human
from anthropi.motion.link_poses import link_poses
from anthropi.motion.marker_sets.clinical import ANKLE_WIDTH, BETA, KNEE_WIDTH, THETA
from anthropi.motion.marker_sets.sets import LANDMARKS, assigned
from anthropi.motion.motion import Motion

__all__ = ["Subject", "subject_from_static"]

SIDES = (("l", 1.0), ("r", -1.0))
SHOULDER_DEPTH = 0.038  # of the trunk, from the acromion marker down to the centre: 17 mm in an adult
LIKELY_STATURE = (0.6, 2.5)  # [m], beyond which the unit of the markers is wrong


@dataclass(frozen=True, eq=False)
class Subject:
    """A figure scaled to a person, with the places of the markers on its links.

    figure : the figure. places : {marker: (link, point (3,))} [m]. roles : {marker: landmark or link}. q : (nq,)
    standing pose. lengths : {segment: [m]} measured. residual : {marker: [m]} variation in the standing trial, RMS.
    """

    figure: Figure
    places: dict[str, tuple[str, np.ndarray]]
    roles: dict[str, str]
    q: np.ndarray
    lengths: dict[str, float]
    residual: dict[str, float]

    def follow(self, time: Any, markers: Mapping[str, Any], weights: Mapping[str, float] | None = None) -> Motion:
        """Return the motion of the figure whose markers are nearest to measured positions, by weighted least squares.

        Parameters
        ----------
        time : (frames,) [s]. markers : {name: (frames, 3)} [m], NaN where a marker was not seen; markers that the
            standing trial does not have are ignored. weights : {name: weight}, 1 by default.

        Returns
        -------
        A motion with the channel "marker_error" (frames, markers) [m]; metadata["markers"] has the names, and the RMS
        and largest error of each marker.
        """
        time = np.asarray(time, float)
        names = [name for name in self.places if name in markers]
        given = dict(weights or {})
        for name in given:
            if name not in names:
                raise InputError(f"weights has '{name}', which is not a used marker. Used: {', '.join(names)}.")
        seen = _stacked(markers, names, len(time))
        there = np.isfinite(seen).all(-1)
        pelvis = [n for n, name in enumerate(names) if self.places[name][0] == "pelvis"]
        few = np.flatnonzero((there.sum(1) < MIN_MARKERS) | (there[:, pelvis].sum(1) < 3))
        if len(few):
            raise InputError(
                f"At t = {time[few[0]]:g} s only {int(there[few[0]].sum())} markers are seen, "
                f"{int(there[few[0]][pelvis].sum())} of them on the pelvis, which needs 3. Cut the motion there, or "
                "fill the gap."
            )
        points = tuple((self.figure.link_index(self.places[n][0]), tuple(self.places[n][1])) for n in names)
        weight = there * np.array([float(given.get(name, 1.0)) for name in names])
        goals = np.where(there[..., None], seen, 0.0)
        start = self._start(points, pelvis, goals, there)
        run = marker_kernel(self.figure, points)
        q, error, passes = run(start, goals.reshape(len(time), -1), weight, start)
        far = _misplaced(error, weight)
        if far.any() and not _pelvis_lost(far, pelvis):
            weight = np.where(far, 0.0, weight)
            q, error, passes = run(start, goals.reshape(len(time), -1), weight, start)
        left_out = [name for name, out in zip(names, far, strict=True) if out]
        if left_out:
            warnings.warn(
                f"The markers {', '.join(left_out)} are left out: they are not where they were in the standing trial. "
                "Check whether labels are exchanged.",
                ValidityWarning,
                stacklevel=2,
            )
        q, error = self._again(run, goals, weight, start, q, error)
        for _, at in self.figure.quaternions:
            same = (q[1:, at] * q[:-1, at]).sum(-1)
            q[1:, at] *= np.cumprod(np.where(same < 0.0, -1.0, 1.0))[:, None]
        rms = _rms(error, weight)
        error = np.where(weight > 0.0, error, np.nan)
        about = {
            "names": names,
            "rms": dict(zip(names, map(float, rms), strict=True)),
            "largest error": dict(zip(names, map(float, np.nanmax(error, axis=0, initial=0.0)), strict=True)),
            "scale": 1.0,
            "left out": left_out,
            "passes": float(np.mean(passes)),
        }
        return Motion(self.figure, time, q, None, {"marker_error": error}, (), {"markers": about})

    def _start(self, points, pelvis, goals, there) -> np.ndarray:
        """Return the standing pose (frames, nq) with the root moved to the rigid fit of the pelvis markers."""
        own = np.array([points[n][1] for n in pelvis])
        w = there[:, pelvis].astype(float)[..., None]
        x = goals[:, pelvis]
        m, c = (w * own).sum(1) / w.sum(1), (w * x).sum(1) / w.sum(1)
        M = np.swapaxes(w * (x - c[:, None]), -1, -2) @ (own - m[:, None])
        U, _, V = np.linalg.svd(M)
        U[..., 2] *= np.sign(np.linalg.det(U @ V))[:, None]
        C = U @ V
        q = np.tile(self.q, (len(x), 1))
        at = self.figure.q_of[0]
        place = np.asarray(self.figure.joints[0].placement.rotation, float)
        q[:, at.start + 3 : at.stop] = rot.quaternion_from_matrix(place.T @ C)
        origin = np.asarray(self.figure.joints[0].placement.origin, float)
        q[:, at.start : at.start + 3] = (c - (C @ m[..., None])[..., 0] - origin) @ place
        return q

    def _again(self, run, goals, weight, start, q, error) -> tuple[np.ndarray, np.ndarray]:
        """Solve frames with a much larger error than the others once more, from the pose of the best frame nearby."""
        mean = np.sqrt((weight * error**2).sum(1) / weight.sum(1))
        bad = np.flatnonzero(mean > 2.0 * np.median(mean) + 0.005)
        if len(bad) and len(bad) < len(q):
            good = np.setdiff1d(np.arange(len(q)), bad)
            near = good[np.argmin(np.abs(good[None] - bad[:, None]), axis=1)]
            again, found, _ = run(q[near], goals[bad].reshape(len(bad), -1), weight[bad], start[bad])
            better = np.sqrt((weight[bad] * found**2).sum(1) / weight[bad].sum(1)) < mean[bad]
            q, error = np.array(q), np.array(error)
            q[bad[better]], error[bad[better]] = again[better], found[better]
        return np.array(q), np.array(error)


MIN_MARKERS = 6  # in each frame
MISPLACED = 0.04, 4.0  # RMS error [m], and relative to the median of the markers, above which a marker is left out


def _misplaced(error: Any, weight: Any) -> np.ndarray:
    """Return for each marker whether it moves on its link far more than the others do."""
    rms = _rms(error, weight)
    return rms > max(MISPLACED[0], MISPLACED[1] * float(np.median(rms)))


def _rms(error: Any, weight: Any) -> np.ndarray:
    """Return the RMS error (markers,) over the frames in which a marker is used; 0 if there is none."""
    count = np.maximum((weight > 0.0).sum(0), 1)
    return np.sqrt((np.where(weight > 0.0, error, 0.0) ** 2).sum(0) / count)


def _pelvis_lost(far: Any, pelvis: list[int]) -> bool:
    """Return whether too few markers of the pelvis would remain."""
    return len(pelvis) - int(far[pelvis].sum()) < 3


def subject_from_static(
    markers: Mapping[str, Any],
    marker_set: str = "auto",
    own: Mapping[str, str] | None = None,
    *,
    mass: float | None = None,
    sex: str = "m",
    detail: str = "standard",
    marker_diameter: float = 0.014,
) -> Subject:
    """Scale a human to a person who stands still, and measure where the markers are on its links.

    Parameters
    ----------
    markers : {name: (frames, 3)} [m] of the standing trial, z up.
    marker_set : name of a marker set (`SETS`), or "auto". own : {marker: landmark or link} of other markers.
    mass : of the person [kg]; by default that of a person of this stature with a body mass index of 22.
    sex, detail : as in `ap.human`. marker_diameter : of the markers [m].
    """
    roles = assigned(markers, marker_set, own)
    frames = len(np.asarray(next(iter(markers.values()))))
    seen = _stacked(markers, list(roles), frames)
    with np.errstate(invalid="ignore"):
        alive = np.isfinite(seen).all(-1).any(0)
    roles = {name: role for k, (name, role) in enumerate(roles.items()) if alive[k]}
    seen = seen[:, alive]
    middle = np.nanmedian(seen, axis=0)
    spread = np.sqrt(np.nanmean(((seen - middle) ** 2).sum(-1), axis=0))
    at = {role: x for role, x in zip(roles.values(), middle, strict=True) if _landmark(role)}
    centres = _centres(at, 0.5 * marker_diameter)
    figure, lengths = _scaled(centres, at, mass, sex, detail)
    q = _standing(figure, centres, at)
    k = link_poses(figure, q[None])
    places = {}
    for (name, role), x in zip(roles.items(), middle, strict=True):
        link = _link(role)
        i = figure.link_index(link)
        places[name] = link, k.rotation[0, i].T @ (x - k.position[0, i])
    return Subject(figure, places, roles, q, lengths, dict(zip(roles, map(float, spread), strict=True)))


def _landmark(role: str) -> bool:
    return role in LANDMARKS or f"l{role[1:]}" in LANDMARKS


def _link(role: str) -> str:
    """Return the link of a landmark, or the link itself."""
    if role in LANDMARKS:
        return LANDMARKS[role]
    left = LANDMARKS.get(f"l{role[1:]}") if role.startswith("r_") else None
    return role if left is None else f"r{left[1:]}" if left.startswith("l_") else left


def _stacked(markers: Mapping[str, Any], names: list[str], frames: int) -> np.ndarray:
    """Return positions (frames, markers, 3) with NaN where any coordinate is missing."""
    found = []
    for name in names:
        x = np.asarray(markers[name], float)
        if x.shape != (frames, 3):
            raise ShapeError(f"Marker '{name}' has shape {x.shape}; expected ({frames}, 3).")
        found.append(np.where(np.isfinite(x).all(-1, keepdims=True), x, np.nan))
    return np.stack(found, axis=1)


def _centres(at: Mapping[str, np.ndarray], radius: float) -> dict[str, np.ndarray]:
    """Return the joint centres {name: (3,)} of the standing person and the axes of the pelvis as "pelvis" (3, 3)."""
    sacrum = at["sacrum"] if "sacrum" in at else 0.5 * (at["l_psis"] + at["r_psis"])
    origin = 0.5 * (at["l_asis"] + at["r_asis"])
    y = _unit(at["l_asis"] - at["r_asis"])
    x = origin - sacrum
    x = _unit(x - y * (x @ y))
    pelvis = np.stack([x, y, np.cross(x, y)], -1)
    found = {"pelvis": pelvis}
    half = 0.5 * _size(at["l_asis"] - at["r_asis"])
    for s, sign in SIDES:
        low = at.get(f"{s}_ankle_medial", at[f"{s}_ankle_lateral"])
        leg = _size(at[f"{s}_asis"] - at[f"{s}_knee_lateral"]) + _size(at[f"{s}_knee_lateral"] - low)
        c, d = 0.115 * leg - 0.0153, 0.1288 * leg - 0.04856 + radius
        hip = (
            c * np.cos(THETA) * np.sin(BETA) - d * np.cos(BETA),
            sign * (half - c * np.sin(THETA)),
            -c * np.cos(THETA) * np.cos(BETA) - d * np.sin(BETA),
        )  # clinical.py (2)
        found[f"{s}_hip"] = origin + pelvis @ np.array(hip)
        for joint, width in (("knee", KNEE_WIDTH * leg), ("ankle", ANKLE_WIDTH * leg)):
            lateral, medial = at[f"{s}_{joint}_lateral"], at.get(f"{s}_{joint}_medial")
            inward = -sign * y if medial is None else _unit(medial - lateral)
            w = 0.5 * width + radius if medial is None else 0.5 * _size(medial - lateral)
            found[f"{s}_{joint}"] = lateral + w * inward
            found[f"{s}_{joint}_outward"] = -inward
        if f"{s}_elbow_lateral" in at:
            medial = at.get(f"{s}_elbow_medial")
            e = at[f"{s}_elbow_lateral"]
            found[f"{s}_elbow"] = e if medial is None else 0.5 * (e + medial)
            wrist = [at[n] for n in (f"{s}_wrist_radial", f"{s}_wrist_ulnar") if n in at]
            if wrist:
                found[f"{s}_wrist"] = np.mean(wrist, axis=0)
    if {"l_shoulder", "r_shoulder"} <= set(at):
        hips = 0.5 * (found["l_hip"] + found["r_hip"])
        trunk = 0.5 * (at["l_shoulder"] + at["r_shoulder"]) - hips
        for s, _ in SIDES:
            found[f"{s}_shoulder"] = at[f"{s}_shoulder"] - _unit(trunk) * (radius + SHOULDER_DEPTH * _size(trunk))
    return found


SEGMENTS = (("thigh", "hip", "knee"), ("shank", "knee", "ankle"), ("upper_arm", "shoulder", "elbow"),
            ("forearm", "elbow", "wrist"))  # fmt: skip


def _scaled(centres, at, mass, sex: str, detail: str) -> tuple[Figure, dict[str, float]]:
    """Return the human with the segments of the person, and the lengths [m]."""
    lengths = {
        f"{s}_{part}": _size(centres[f"{s}_{a}"] - centres[f"{s}_{b}"])
        for s, _ in SIDES
        for part, a, b in SEGMENTS
        if {f"{s}_{a}", f"{s}_{b}"} <= set(centres)
    }
    leg = 0.5 * sum(lengths[f"{s}_{part}"] for s, _ in SIDES for part in ("thigh", "shank"))
    stature = leg / 0.485
    if not LIKELY_STATURE[0] < stature < LIKELY_STATURE[1]:
        raise InputError(
            f"The legs are {leg:.3g} m long, as of a person of {stature:.3g} m. Give the markers in metres, or check "
            "which markers are on hips, knees and ankles."
        )
    usual = human(stature, 22.0 * stature**2 if mass is None else mass, sex, detail)
    own = {m.name: m for m in usual.markers if hasattr(m, "point")}
    k = link_poses(usual, usual.neutral()[None])

    def where(name: str) -> np.ndarray:
        return k.point(usual.link_index(own[name].link), own[name].point)[0]

    by = {"pelvis": _size(centres["l_hip"] - centres["r_hip"]) / _size(where("l_hip_centre") - where("r_hip_centre"))}
    for s, _ in SIDES:
        for part, a, b in SEGMENTS:
            if f"{s}_{part}" in lengths:
                by[f"{s}_{part}"] = lengths[f"{s}_{part}"] / _size(where(f"{s}_{a}_centre") - where(f"{s}_{b}_centre"))
        foot = _size(at[f"{s}_heel"] - at[f"{s}_forefoot"])
        toe = k.position[0, usual.link_index(f"{s}_toes")] if f"{s}_toes" in by or _has(usual, f"{s}_toes") else None
        if toe is not None:
            by[f"{s}_foot"] = by[f"{s}_toes"] = foot / _size(where(f"{s}_heel") - toe)
            lengths[f"{s}_foot"] = foot
    if "l_shoulder" in centres:
        trunk = _size(_mid(centres, "shoulder") - _mid(centres, "hip"))
        usual_trunk = _size(
            0.5
            * (where("l_shoulder_centre") + where("r_shoulder_centre") - where("l_hip_centre") - where("r_hip_centre"))
        )
        for link in ("abdomen", "thorax", "neck", "head"):
            if _has(usual, link):
                by[link] = trunk / usual_trunk
        wide = _size(centres["l_shoulder"] - centres["r_shoulder"])
        for s, _ in SIDES:
            if _has(usual, f"{s}_clavicle"):
                by[f"{s}_clavicle"] = wide / _size(where("l_shoulder_centre") - where("r_shoulder_centre"))
        lengths |= {"trunk": trunk, "shoulders": wide}
    lengths["hips"] = _size(centres["l_hip"] - centres["r_hip"])
    by = {link: x for link, x in by.items() if _has(usual, link)}
    strange = next((link for link, x in by.items() if not 0.4 < x < 2.5), None)
    if strange is not None:
        raise InputError(
            f"The {strange} would be {by[strange]:.2f} times as large as usual for legs of this length. Check the "
            "markers of its joints."
        )
    return usual.scale(by, mass=usual.mass), lengths


def _standing(figure: Figure, centres, at) -> np.ndarray:
    """Return the pose (nq,) in which landmarks of the figure are nearest to those of the person."""
    own = {m.name: m for m in figure.markers if hasattr(m, "point")}
    points, goals, weights = [], [], []

    def add(link: str, point: Any, goal: Any, weight: float = 1.0) -> None:
        points.append((figure.link_index(link), tuple(float(x) for x in point)))
        goals.append(goal)
        weights.append(weight)

    for s, sign in SIDES:
        for joint in ("hip", "knee", "ankle", "shoulder", "elbow", "wrist"):
            name = f"{s}_{joint}"
            if name in centres:
                add(own[f"{name}_centre"].link, own[f"{name}_centre"].point, centres[name])
        for joint, link in (("knee", f"{s}_shank"), ("ankle", f"{s}_foot")):
            if _has(figure, link):  # the axes of knee and ankle
                add(
                    link,
                    sign * 0.1 * np.eye(3)[1],
                    centres[f"{s}_{joint}"] + 0.1 * centres[f"{s}_{joint}_outward"],
                    0.3,
                )
        if _has(figure, f"{s}_toes"):
            toe = figure.joints[figure.link_index(f"{s}_toes")].placement.origin
            ankle = centres[f"{s}_ankle"]
            ahead = (at[f"{s}_forefoot"] - at[f"{s}_heel"]) * [1.0, 1.0, 0.0]
            flat = np.hypot(toe[0], toe[1]) * _unit(ahead) + ankle + [0.0, 0.0, float(toe[2])]
            add(f"{s}_foot", toe, flat)  # a flat foot
            add(f"{s}_toes", 0.05 * np.eye(3)[0], flat + 0.05 * _unit(ahead))
    hips, pelvis = 0.5 * (centres["l_hip"] + centres["r_hip"]), centres["pelvis"]
    add("pelvis", 0.5 * (own["l_hip_centre"].point + own["r_hip_centre"].point) if own["l_hip_centre"].link == "pelvis"
        else np.zeros(3), hips, 0.0)  # fmt: skip
    front = 0.5 * (own["l_asis"].point + own["r_asis"].point) - 0.5 * (own["l_psis"].point + own["r_psis"].point)
    add("pelvis", 0.1 * _unit(front), hips + 0.1 * pelvis[:, 0])  # the inclination of the pelvis
    start = np.array(figure.neutral(), float)
    root = figure.q_of[0]
    level = _unit(pelvis[:, 0] * [1.0, 1.0, 0.0])
    C = np.stack([level, np.cross([0.0, 0.0, 1.0], level), [0.0, 0.0, 1.0]], -1)
    start[root.start : root.start + 3] = hips
    start[root.start + 3 : root.stop] = rot.quaternion_from_matrix(C)
    fit = fit_to_markers(figure, tuple(points), start, np.concatenate(goals), np.array(weights), start)
    return np.asarray(fit.q, float)


def _has(figure: Figure, link: str) -> bool:
    return any(x.name == link for x in figure.links)


def _mid(centres, joint: str) -> np.ndarray:
    return 0.5 * (centres[f"l_{joint}"] + centres[f"r_{joint}"])


def _unit(x: Any) -> np.ndarray:
    return x / np.sqrt((x * x).sum())


def _size(x: Any) -> float:
    return float(np.sqrt(np.sum(np.square(x))))
