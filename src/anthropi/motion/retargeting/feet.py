"""Where do feet and hands go? To the skeleton's places, and feet onto the ground. Floats only.

Ankles go where the skeleton's go, κ times as far, and as much wider as the hips are wider. What they lack is first
given to the pelvis, each foot counting by how near the ground it is,

    shift = Σ w e / Σ w,   w = exp(-height / 0.03 m)                                                                (1)

so that a leg that stands keeps its directions; then each leg bends. With a, b the lengths of thigh and shank and r the
way from hip to ankle, in the plane of the knee (and likewise for an arm, if hands are to be where the skeleton's were),

    cos(angle of thigh and r) = (a² + r² - b²) / (2 a r)                                                            (2)

Toes that lie on the ground do not point into it: what their direction has of "down" is taken away by w of (1), with the
height of the toes' joint.

Floors of laboratories seem to rise by a degree along the way: the slope of the plane under the lowest feet is taken out
of what the skeleton did, where the way is long enough.                                                             (3)
"""

from dataclasses import replace

import numpy as np

from anthropi.motion.placing import placed
from anthropi.motion.retargeting.limbs import framed, posed, size
from anthropi.motion.retargeting.names import SIDES
from anthropi.motion.retargeting.person import Person
from anthropi.motion.retargeting.source import Source, unit

__all__ = ["ankles", "levelled", "lifted", "moved", "on_feet", "toes_level", "with_hands"]

NEAR_GROUND = 0.03  # [m]: how high over its lowest place a foot still bears
FAR_ENOUGH, STEEPEST = 1.0, 0.05  # [m] of way, and rise over run, for a floor to be made level
ABOVE = 0.2  # weight of points above the floor's plane; 1 below


def moved(figure, q, by) -> np.ndarray:
    """q with the root moved by (frames, 3) or (3,) [m]."""
    q = np.array(q)
    q[:, figure.q_of[0].start : figure.q_of[0].start + 3] += by
    return q


def ankles(person: Person, source: Source, pelvis, scale: float) -> dict[str, np.ndarray]:
    """Where the ankles shall be, {side: (frames, 3)}. pelvis : its attitudes."""
    left = unit(pelvis[..., 1] * [1.0, 1.0, 0.0])
    wider = (person.hips - scale * source.hips) * np.where(np.isfinite(left), left, 0.0)
    return {s: scale * source.at[f"{s}_ankle"] + sign * wider for s, sign in (("l", 1.0), ("r", -1.0))}


def toes_level(wanted, source: Source, scale: float) -> dict[str, np.ndarray]:
    """The attitudes with toes on the ground where the skeleton's would point into it."""
    found = dict(wanted)
    for s in SIDES:
        if f"{s}_toe" not in source.at:
            continue
        height = scale * source.at[f"{s}_toe"][:, 2]
        x, y = wanted[f"{s}_toes"][..., 0], wanted[f"{s}_toes"][..., 1]
        w = np.exp(-(height - height.min()) / NEAR_GROUND)[:, None]
        x = x - w * np.minimum(x, 0.0) * [0.0, 0.0, 1.0]
        C = framed(unit(np.where(size(x)[:, None] > 1e-9, x, wanted[f"{s}_toes"][..., 0])), y)  # its z lies along x
        found[f"{s}_toes"] = np.stack([C[..., 2], C[..., 1], -C[..., 0]], axis=-1)
    return found


def on_feet(person: Person, q, goals, wanted, limits: bool) -> np.ndarray:
    """q with the ankles at their goals, (1) and (2); feet keep their attitudes."""
    figure = person.figure
    at = person.at(placed(figure, q))
    lack = {s: goals[s] - at[f"{s}_ankle"] for s in SIDES}
    w = {s: np.exp(-(goals[s][:, 2:] - goals[s][:, 2].min()) / NEAR_GROUND) + 1e-6 for s in SIDES}
    shift = (w["l"] * lack["l"] + w["r"] * lack["r"]) / (w["l"] + w["r"])  # (1)
    q, bent, links = moved(figure, q, shift), dict(wanted), set()
    for s in SIDES:
        hip, knee, ankle = (at[f"{s}_{j}"] + shift for j in ("hip", "knee", "ankle"))
        y = wanted[f"{s}_thigh"][..., 1]
        thigh, shank, y = _two_bones(goals[s] - hip, size(knee - hip)[:, None], size(ankle - knee)[:, None], y)
        bent[f"{s}_thigh"], bent[f"{s}_shank"] = framed(-thigh, y), framed(-shank, y)
        bent[f"{s}_leg"] = framed(-unit(goals[s] - hip), y)
        links |= {f"{s}_{part}" for part in ("thigh", "shank", "foot", "toes", "leg")}
    return posed(figure, bent, limits, q, links)


def with_hands(person: Person, q, goals, wanted, limits: bool) -> np.ndarray:
    """q with the wrists at their goals, as far as arms reach (2)."""
    at, bent, links = person.at(placed(person.figure, q)), dict(wanted), set()
    for s in SIDES:
        shoulder, elbow, wrist = (at[f"{s}_{j}"] for j in ("shoulder", "elbow", "wrist"))
        y, a, b = wanted[f"{s}_upper_arm"][..., 1], size(elbow - shoulder)[:, None], size(wrist - elbow)[:, None]
        upper, fore, y = _two_bones(goals[s] - shoulder, a, b, -y)  # elbows bend the other way
        bent[f"{s}_upper_arm"] = framed(-upper, -y)
        bent[f"{s}_forearm"] = framed(-fore, wanted[f"{s}_forearm"][..., 1])
        bent[f"{s}_arm"] = framed(-unit(goals[s] - shoulder), -y)
        links |= {f"{s}_{part}" for part in ("upper_arm", "forearm", "hand", "arm")}
    return posed(person.figure, bent, limits, q, links)


def _two_bones(way, a, b, y) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Directions of bones of lengths a and b that reach along `way` (frames, 3), and of the hinge between, near y."""
    reach = size(way)[:, None]
    along = way / np.maximum(reach, 1e-9)
    reach = np.clip(reach, np.abs(a - b) + 1e-6, a + b)
    hinge = framed(-along, y)[..., 1]
    forward = np.cross(along, hinge)  # where the knee goes
    cosine = np.clip((a * a + reach * reach - b * b) / (2.0 * a * reach), -1.0, 1.0)  # (2)
    first = cosine * along + np.sqrt(1.0 - cosine * cosine) * forward
    return first, unit(reach * along - a * first), hinge


def levelled(source: Source) -> tuple[Source, float]:
    """The source on a level floor, and the slope that was taken out: (3)."""
    feet = np.stack(
        [source.at[name] for s in SIDES for name in (f"{s}_ankle", f"{s}_toe") if name in source.at], axis=1
    )
    feet[..., 2] -= feet[..., 2].min(0)  # each from its own lowest place
    lowest = feet[..., 2].min(1)
    place = 0.5 * (source.at["l_hip"] + source.at["r_hip"])[:, :2]
    ways = np.linalg.svd(place - place.mean(0), full_matrices=False)[2]
    along = (place - place.mean(0)) @ ways.T
    along = along[:, np.ptp(along, axis=0) > FAR_ENOUGH]
    if not along.shape[1]:
        return source, 0.0
    slopes = _under(along, lowest)
    slope = float(size(slopes))
    if slope > STEEPEST:
        return source, 0.0
    floor = (along @ slopes)[:, None] * np.array([0.0, 0.0, 1.0])
    return replace(source, at={name: x - floor for name, x in source.at.items()}), slope


def _under(along, z) -> np.ndarray:
    """Slopes of the plane under most of the points: least squares in which points below count for more."""
    A, w = np.concatenate([np.ones((len(z), 1)), along], axis=1), np.ones(len(z))
    plane = np.zeros(A.shape[1])
    for _ in range(50):
        plane = np.linalg.lstsq(A * w[:, None], z * w, rcond=None)[0]
        w = np.where(z < A @ plane, 1.0, ABOVE)
    return plane[1:]


def lifted(person: Person, q) -> np.ndarray:
    """How far all frames are to be lifted (3,) for the lowest sole to be at z = 0."""
    k = placed(person.figure, q)
    return np.array([0.0, 0.0, -min(k.point(i, s)[:, 2].min() for i, s in person.soles)])
