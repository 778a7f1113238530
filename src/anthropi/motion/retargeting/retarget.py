"""Retargeting of a captured motion to a human figure of any stature. Works on plain floats only.

1. Every part of the human takes the attitude of that part of the skeleton, as far as its joints allow (`person.py`).
2. The midpoint of the hips follows that of the skeleton, scaled by κ, the ratio of leg lengths.
3. The feet follow those of the skeleton and are put on the ground. On request, the hands follow too.
4. The trunk is rotated above the pelvis so that the shoulders are in the captured direction from the hips: spines of
   skeletons and of people differ.

The directions of thighs, shanks, upper arms and forearms are then those of the skeleton, except for the correction of
the feet.

The targets of the ankles are the ankles of the skeleton, scaled by κ and moved apart by the difference of hip widths.
If the legs of the skeleton differ in length, each has its own factor for the height of the hip above the ankle.
The pelvis is first shifted by the mean of their errors e, each foot weighted by its height above the ground,

    shift = Σ w e / Σ w,   w = exp(-height / 0.03 m)                                                                (1)

so that a standing leg keeps its directions; then each leg is flexed. With a, b the lengths of thigh and shank and r the
vector from hip to ankle, in the plane of the knee (and likewise for an arm),

    cos(angle of thigh and r) = (a² + r² - b²) / (2 a r)                                                            (2)

Toes on the ground must not point into it: the downward part of their direction is removed with the weight w of (1) at
the height of the toe joint. In recordings, the floor often seems to rise by about a degree along the path. If the path
is long enough, the slope of the plane under the lowest feet is removed from the captured motion (3).
"""

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.errors import InputError, ValidityWarning
from anthropi.figure.figure import Figure
from anthropi.motion.link_poses import link_poses
from anthropi.motion.motion import Motion
from anthropi.motion.retargeting.evidence import LEG_FRACTION
from anthropi.motion.retargeting.foot_lock import locked, pelvis_shift, with_free_swings
from anthropi.motion.retargeting.person import Person, attitudes, framed, person_like, person_of, posed, size
from anthropi.motion.retargeting.quality import PARTS, direction_errors, problems
from anthropi.motion.retargeting.skeleton import BONES, SIDES, Source, source_of, unit

__all__ = [
    "GROUNDS",
    "ankles",
    "levelled",
    "lifted",
    "moved",
    "on_feet",
    "retarget",
    "retargeted",
    "toes_level",
    "with_hands",
]


NEAR_GROUND = 0.03  # [m] height above its lowest position at which the weight of a foot is 1/e
MIN_TRAVEL, MAX_FLOOR_SLOPE = 1.0, 0.05  # [m] of path, and rise over run, for which a floor is levelled
ABOVE_FLOOR_WEIGHT = 0.2  # weight of points above the floor's plane; 1 below


def moved(figure: Figure, q: Any, by: Any) -> np.ndarray:
    """Return q (frames, nq) with the root displaced by (frames, 3) or (3,) [m]."""
    q = np.array(q)
    q[:, figure.q_of[0].start : figure.q_of[0].start + 3] += by
    return q


def ankles(person: Person, source: Source, pelvis: Any, scale: float) -> dict[str, np.ndarray]:
    """Target positions of the ankles, {side: (frames, 3)} [m]. pelvis : its attitudes. scale : κ."""
    found = {}
    for s, sign in (("l", 1.0), ("r", -1.0)):
        wider = sign * (person.hips - scale * source.hips) * pelvis[..., 1]
        hip, own = source.at[f"{s}_hip"], person.legs[s] / (source.side(f"{s}_thigh") + source.side(f"{s}_shank"))
        below = (source.at[f"{s}_ankle"] - hip) * [0.0, 0.0, 1.0]
        found[s] = scale * source.at[f"{s}_ankle"] + wider + (own - scale) * below
    return found


def toes_level(wanted: Any, source: Source, scale: float) -> dict[str, np.ndarray]:
    """Return the attitudes with toes that do not point into the ground. scale : ratio κ of leg lengths."""
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


def on_feet(person: Person, q: Any, goals: Any, wanted: Any, limits: bool, shift: Any = None) -> np.ndarray:
    """Return q with the ankles at their target positions, by (1) and (2); the feet keep their attitudes.

    shift : (frames, 3) [m], displacement of the pelvis, by default (1).
    """
    figure = person.figure
    at = person.at(link_poses(figure, q))
    if shift is None:
        errors = {s: goals[s] - at[f"{s}_ankle"] for s in SIDES}
        w = {s: np.exp(-(goals[s][:, 2:] - goals[s][:, 2].min()) / NEAR_GROUND) + 1e-6 for s in SIDES}
        shift = (w["l"] * errors["l"] + w["r"] * errors["r"]) / (w["l"] + w["r"])  # (1)
    q, bent, links = moved(figure, q, shift), dict(wanted), set()
    for s in SIDES:
        hip, knee, ankle = (at[f"{s}_{j}"] + shift for j in ("hip", "knee", "ankle"))
        y = wanted[f"{s}_thigh"][..., 1]
        thigh, shank, y = _two_bones(goals[s] - hip, size(knee - hip)[:, None], size(ankle - knee)[:, None], y)
        bent[f"{s}_thigh"], bent[f"{s}_shank"] = framed(-thigh, y), framed(-shank, y)
        bent[f"{s}_leg"] = framed(-unit(goals[s] - hip), y)
        links |= {f"{s}_{part}" for part in ("thigh", "shank", "foot", "toes", "leg")}
    return posed(figure, bent, limits, q, links)


def with_hands(person: Person, q: Any, goals: Any, wanted: Any, limits: bool) -> np.ndarray:
    """Return q with the wrists at their target positions, as far as the arms reach (2)."""
    at, bent, links = person.at(link_poses(person.figure, q)), dict(wanted), set()
    for s in SIDES:
        shoulder, elbow, wrist = (at[f"{s}_{j}"] for j in ("shoulder", "elbow", "wrist"))
        y, a, b = wanted[f"{s}_upper_arm"][..., 1], size(elbow - shoulder)[:, None], size(wrist - elbow)[:, None]
        upper, fore, y = _two_bones(goals[s] - shoulder, a, b, -y)  # elbows flex in the opposite direction
        bent[f"{s}_upper_arm"] = framed(-upper, -y)
        bent[f"{s}_forearm"] = framed(-fore, wanted[f"{s}_forearm"][..., 1])
        bent[f"{s}_arm"] = framed(-unit(goals[s] - shoulder), -y)
        links |= {f"{s}_{part}" for part in ("upper_arm", "forearm", "hand", "arm")}
    return posed(person.figure, bent, limits, q, links)


def with_locked_feet(person: Person, q: Any, time: Any, wanted: Any, limits: bool) -> tuple[np.ndarray, Any]:
    """Return q with feet that stay in place while they stand, and the stances {side: [slice]}; see foot_lock.py."""
    goals, attitude, spells = locked(person, q, time, wanted)
    at = person.at(link_poses(person.figure, q))
    shift = pelvis_shift(at, goals, time)
    goals = with_free_swings(at, goals, shift, spells, time)
    hips = {s: x + shift for s, x in at.items() if s.endswith("_hip")}
    for _ in range(HEADING_STEPS):  # ankles do not turn feet sideways: the whole leg turns about its length
        found = on_feet(person, q, goals, attitude, limits, shift)
        k = link_poses(person.figure, found)
        for s in SIDES:
            along = unit(goals[s] - hips[f"{s}_hip"])
            own = k.rotation[:, person.figure.link_index(f"{s}_foot"), :, 0]
            have, want = (x - along * (x * along).sum(-1, keepdims=True) for x in (own, attitude[f"{s}_foot"][..., 0]))
            angle = np.arctan2((np.cross(have, want) * along).sum(-1), (have * want).sum(-1))
            turn = rot.matrix_from_rotation_vector(np.clip(angle, -MAX_LEG_TURN, MAX_LEG_TURN)[:, None] * along)
            attitude[f"{s}_thigh"] = turn @ attitude[f"{s}_thigh"]
    return on_feet(person, q, goals, attitude, limits, shift), spells


HEADING_STEPS = 6
MAX_LEG_TURN = np.deg2rad(15.0)  # in one step


def _ankles_of(person: Person, q: Any) -> dict[str, np.ndarray]:
    at = person.at(link_poses(person.figure, q))
    return {s: at[f"{s}_ankle"] for s in SIDES}


def _lock_data(person: Person, before: Any, after: Any, spells: Any) -> dict[str, float]:
    """Return the change of the knees by the foot lock, RMS and largest [rad], and the number of stances."""
    one, other = (_knees(person, q) for q in (before, after))
    return {
        "knee change": float(np.sqrt(np.mean((one - other) ** 2))),
        "largest knee change": float(np.abs(one - other).max()),
        "stances": sum(map(len, spells.values())),
    }


def _knees(person: Person, q: Any) -> np.ndarray:
    """Return the flexion (frames, 2) of the knees [rad], from the positions of the joints."""
    at = person.at(link_poses(person.figure, q))
    thigh, shank = (
        np.stack([unit(at[f"{s}_{b}"] - at[f"{s}_{a}"]) for s in SIDES], 1)
        for a, b in (("hip", "knee"), ("knee", "ankle"))
    )
    return np.arctan2(size(np.cross(thigh, shank)), (thigh * shank).sum(-1))


def _two_bones(reach_vector, a, b, y) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Directions of two bones of lengths a and b that span `reach_vector` (frames, 3), and of their hinge, near y."""
    reach = size(reach_vector)[:, None]
    along = reach_vector / np.maximum(reach, 1e-9)
    reach = np.clip(reach, np.abs(a - b) + 1e-6, a + b)
    hinge = framed(-along, y)[..., 1]
    forward = np.cross(along, hinge)  # direction in which the knee bends
    cosine = np.clip((a * a + reach * reach - b * b) / (2.0 * a * reach), -1.0, 1.0)  # (2)
    first = cosine * along + np.sqrt(1.0 - cosine * cosine) * forward
    return first, unit(reach * along - a * first), hinge


def levelled(source: Source) -> tuple[Source, float]:
    """Return the captured motion on a level floor, and the slope that was removed (3)."""
    feet = np.stack(
        [source.at[name] for s in SIDES for name in (f"{s}_ankle", f"{s}_toe") if name in source.at], axis=1
    )
    feet[..., 2] -= feet[..., 2].min(0)  # each from its own lowest position
    lowest = feet[..., 2].min(1)
    place = 0.5 * (source.at["l_hip"] + source.at["r_hip"])[:, :2]
    directions = np.linalg.svd(place - place.mean(0), full_matrices=False)[2]
    along = (place - place.mean(0)) @ directions.T
    along = along[:, np.ptp(along, axis=0) > MIN_TRAVEL]
    if not along.shape[1]:
        return source, 0.0
    slopes = _floor_slopes(along, lowest)
    slope = float(size(slopes))
    if slope > MAX_FLOOR_SLOPE:
        return source, 0.0
    floor = (along @ slopes)[:, None] * np.array([0.0, 0.0, 1.0])
    return replace(source, at={name: x - floor for name, x in source.at.items()}), slope


def _floor_slopes(along, z) -> np.ndarray:
    """Slopes of the plane under most of the points, by least squares with a larger weight below the plane."""
    A, w = np.concatenate([np.ones((len(z), 1)), along], axis=1), np.ones(len(z))
    plane = np.zeros(A.shape[1])
    for _ in range(50):
        plane = np.linalg.lstsq(A * w[:, None], z * w, rcond=None)[0]
        w = np.where(z < A @ plane, 1.0, ABOVE_FLOOR_WEIGHT)
    return plane[1:]


def lifted(person: Person, q: Any) -> np.ndarray:
    """Displacement (3,) [m] that brings the lowest sole of all frames to z = 0."""
    k = link_poses(person.figure, q)
    return np.array([0.0, 0.0, -min(k.point(i, s)[:, 2].min() for i, s in person.soles)])


GROUNDS = ("level", "lowest", None)


def retarget(
    motion: Motion,
    figure: Figure | None = None,
    *,
    names: Any = None,
    rest: Any = None,
    up: Any = None,
    feet: bool | str = True,
    hands: bool = False,
    limits: bool = False,
    ground: str | None = "level",
) -> Motion:
    """Retarget a captured motion to a human figure.

    Parameters
    ----------
    motion : motion of a skeleton, for example from a BVH file, or of any figure with the parts of a body.
    figure : an `ap.human` of any detail; by default one with the leg and arm lengths of the skeleton.
    names : {part: link of the skeleton} where names are not recognised (`anthropi.motion.retargeting.ROLES`).
    rest : pose of the skeleton in which it stands upright with feet flat: the time of a frame [s], a configuration
        (nq,), or "zero" for the zero pose. By default ("auto"), the zero pose if the body is straight in it, and
        otherwise the straightest frame.
    up : axis of the motion that points up, such as "z" or "-y"; "auto" finds it. By default, that of the reader.
    feet : whether the feet follow those of the skeleton. If not, limb directions are closer, but feet slide a little.
        "lock" also keeps feet that stand at one place on the ground (foot_lock.py).
    hands : whether the wrists follow those of the skeleton, scaled by the leg lengths, as far as the arms reach.
    limits : whether to respect joint limits; the feet are then as close as these allow.
    ground : "level" to level a rising floor and bring the lowest sole to z = 0; "lowest" for the latter alone; None for
        neither.

    Returns
    -------
    A motion with the channels "direction_error" (frames, 8) [rad], of thigh, shank, upper arm and forearm, left and
    then right, "trunk_error" (frames, 3) [rad], of trunk, hips and shoulders, and "ankle_error" (frames, 2) [m];
    metadata["retarget"] records the options, the scale, RMS errors of the parts, notes on what was found in the data,
    and warnings.

    Raises
    ------
    InputError : a part of the body is not found, the figure is not a human, or an option is unknown.
    """
    if not isinstance(motion, Motion):
        raise InputError(f'retarget got {motion!r}, not a motion. Give a motion, such as ap.load_motion("walk.bvh").')
    if motion.q.ndim != 2:
        raise InputError(f"retarget takes one rollout; this motion has {len(motion.q)}. Use motion.rollout(0).")
    if ground not in GROUNDS:
        raise InputError(f"ground={ground!r}. Choose from {', '.join(map(repr, GROUNDS))}.")
    if feet not in (True, False, "lock"):
        raise InputError(f"feet={feet!r}. Choose True, False or 'lock'.")
    source = source_of(motion, names, rest, up)
    if figure is None:
        likely_stature(source.leg)
    return retargeted(motion, source, figure, feet=feet, hands=hands, limits=limits, ground=ground)


STATURES = 0.8, 2.4  # [m] of people whose size is taken from the data


def likely_stature(leg: float) -> None:
    """Raise InputError if no person has legs of this length [m]."""
    stature = leg / LEG_FRACTION
    if not STATURES[0] < stature < STATURES[1]:
        raise InputError(
            f"The legs are {leg:.3g} m long, as of a person of {stature:.3g} m. Give scale= [m] when you load the "
            "file, or figure= as the person; on the command line --scale, or --onto 1.75."
        )


def retargeted(
    motion: Any,
    source: Source,
    figure: Figure | None,
    *,
    feet: bool | str,
    hands: bool,
    limits: bool,
    ground: str | None,
) -> Motion:
    """Return the motion of a human that follows a captured body; the options are those of `retarget`.

    motion : gives name, times, events and metadata.
    """
    slope, given = 0.0, figure is not None
    if ground == "level":
        source, slope = levelled(source)
    person = person_like(source) if figure is None else person_of(figure)
    figure, scale = person.figure, person.leg / source.leg
    wanted = toes_level(attitudes(source), source, scale)
    q = trunk_aligned(person, posed(figure, wanted, limits), wanted, source, limits)
    q = moved(figure, q, scale * _middle(source.at) - _middle(person.at(link_poses(figure, q))))
    goals = ankles(person, source, wanted["pelvis"], scale)
    q = on_feet(person, q, goals, wanted, limits) if feet else q
    if hands:
        wrists = {s: scale * source.at[f"{s}_wrist"] for s in SIDES}
        q = with_hands(person, q, wrists, wanted, limits)
    lift = np.zeros(3) if ground is None else lifted(person, q)
    q = moved(figure, q, lift)
    if feet == "lock":
        before = q
        q, spells = with_locked_feet(person, q, motion.time, wanted, limits)
        goals = {s: x - lift for s, x in _ankles_of(person, q).items()}
    q = _without_jumps(figure, q)
    at = person.at(link_poses(figure, q))
    missed = np.stack([size(at[f"{s}_ankle"] - goals[s] - lift) for s in SIDES], axis=-1)
    errors = direction_errors(at, source.at)
    found = problems(person, source, q, errors, given, ground)
    about = {
        "from": motion.figure.name,
        "scale": scale,
        "slope": slope,
        "feet": feet,
        "hands": hands,
        "limits": limits,
        "ground": ground,
        "directions": [f"{s}_{part}" for s in SIDES for part in BONES],
        "parts": dict(zip(PARTS, np.sqrt(np.mean(errors**2, axis=0)).tolist(), strict=True)),
        "notes": list(source.notes),
        "warnings": found,
    }
    if feet == "lock":
        about["lock"] = _lock_data(person, before, q, spells)
    for words in found:
        warnings.warn(f"retargeting of '{motion.figure.name}': {words}", ValidityWarning, stacklevel=3)
    kept = {name: x for name, x in motion.metadata.items() if name == "source"}
    limbs = len(about["directions"])
    channels = {"direction_error": errors[:, :limbs], "trunk_error": errors[:, limbs:], "ankle_error": missed}
    return Motion(figure, motion.time, q, None, channels, motion.events, kept | {"retarget": about})


MAX_TRUNK_STEPS = 8  # of the iteration in `trunk_aligned`
TRUNK_TOLERANCE = np.deg2rad(0.2)  # angle to the target at which it ends
TRUNK = ("abdomen", "thorax", "l_clavicle", "r_clavicle")


def trunk_aligned(person: Person, q: Any, wanted: dict[str, Any], source: Source, limits: bool) -> np.ndarray:
    """Return q with the shoulders in the captured direction from the hips, turned as captured.

    Pelvis, head and limbs keep their attitudes.

    wanted : attitudes, of which those of the trunk are replaced.
    """
    goal = _trunk_frames(source.at)
    for _ in range(MAX_TRUNK_STEPS):
        turn = goal @ _trunk_frames(person.at(link_poses(person.figure, q))).swapaxes(-1, -2)
        if not size(rot.rotation_vector_from_matrix(turn)).max(initial=0.0) > TRUNK_TOLERANCE:
            break
        wanted |= {part: turn @ wanted[part] for part in TRUNK}
        q = posed(person.figure, wanted, limits, q)
    return q


def _trunk_frames(at: Any) -> np.ndarray:
    """Return axes (frames, 3, 3) with z from the hips to the shoulders and y towards the left shoulder."""
    return framed(unit(_middle(at, "shoulder") - _middle(at)), at["l_shoulder"] - at["r_shoulder"])


def _middle(at, joint: str = "hip") -> np.ndarray:
    """Midpoint of the left and the right joint."""
    return 0.5 * (at[f"l_{joint}"] + at[f"r_{joint}"])


def _without_jumps(figure, q) -> np.ndarray:
    """Return q with the signs of quaternions chosen so that they change continuously."""
    for _, at in figure.quaternions:
        same = (q[1:, at] * q[:-1, at]).sum(-1)
        q[1:, at] *= np.cumprod(np.where(same < 0.0, -1.0, 1.0))[:, None]
    return q
