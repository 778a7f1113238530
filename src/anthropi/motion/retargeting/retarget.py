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

Retarget
--------
How does a person of any stature do what a captured skeleton did?

1. Every part of the person takes the attitude of the skeleton's, as its joints allow (`source`, `limbs`).
2. The middle of the hips goes where the skeleton's goes, κ times as far, κ the ratio of leg lengths.                (1)
3. Feet go where the skeleton's go, and onto the ground (`feet`).

Directions of thighs, shanks, upper arms and forearms are then the skeleton's, but for what the feet ask. Floats only.
"""

from dataclasses import replace

import numpy as np

from anthropi.errors import InputError
from anthropi.figure.figure import Figure
from anthropi.motion.link_poses import link_poses
from anthropi.motion.motion import Motion
from anthropi.motion.retargeting.person import Person, attitudes, framed, person_like, person_of, posed, size
from anthropi.motion.retargeting.skeleton import BONES, SIDES, Source, source_of, unit

__all__ = ["ankles", "levelled", "lifted", "moved", "on_feet", "retarget", "toes_level", "with_hands"]


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
    at = person.at(link_poses(figure, q))
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
    at, bent, links = person.at(link_poses(person.figure, q)), dict(wanted), set()
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
    k = link_poses(person.figure, q)
    return np.array([0.0, 0.0, -min(k.point(i, s)[:, 2].min() for i, s in person.soles)])


GROUNDS = ("level", "lowest", None)


def retarget(
    motion: Motion,
    figure: Figure | None = None,
    *,
    names=None,
    rest=None,
    feet: bool = True,
    hands: bool = False,
    limits: bool = False,
    ground: str | None = "level",
) -> Motion:
    """How does a person do what another figure did?

    Parameters
    ----------
    motion : of a skeleton, as a BVH file gives it, or of any figure with a body's parts.
    figure : an `ap.human`, of any detail; by default one with the skeleton's legs and arms.
    names : {part: link of the skeleton} where names do not tell (`anthropi.motion.retargeting.ROLES`).
    rest : (nq,) of the skeleton, where it stands upright with feet flat; its neutral configuration by default.
    feet : whether feet go where the skeleton's do; without, directions are nearer and feet slide a little.
    hands : whether wrists go where the skeleton's do, times the ratio of legs, as far as arms reach.
    limits : whether to keep to the joints' limits; feet are then where these let them.
    ground : "level": make a floor that rises level, then bring the lowest sole to z = 0; "lowest": the latter alone;
        None: neither.

    Returns
    -------
    A motion with the channels "direction_error" (frames, 8) [rad], of thigh, shank, upper arm and forearm, left and
    then right, and "ankle_error" (frames, 2) [m]; what was done is in metadata["retarget"].
    """
    if not isinstance(motion, Motion):
        raise InputError(f'retarget got {motion!r}, no motion. Give ap.load_motion("walk.bvh").')
    if motion.q.ndim != 2:
        raise InputError(f"retarget takes one rollout; this motion has {len(motion.q)}. Take motion.rollout(0).")
    if ground not in GROUNDS:
        raise InputError(f"ground={ground!r}. Choose from {', '.join(map(repr, GROUNDS))}.")
    source, slope = source_of(motion, names, rest), 0.0
    if ground == "level":
        source, slope = levelled(source)
    person = person_like(source) if figure is None else person_of(figure)
    figure, scale = person.figure, person.leg / source.leg
    wanted = toes_level(attitudes(source), source, scale)
    q = posed(figure, wanted, limits)
    q = moved(figure, q, scale * _middle(source.at) - _middle(person.at(link_poses(figure, q))))  # (1)
    goals = ankles(person, source, wanted["pelvis"], scale)
    q = on_feet(person, q, goals, wanted, limits) if feet else q
    if hands:
        wrists = {s: scale * source.at[f"{s}_wrist"] for s in SIDES}
        q = with_hands(person, q, wrists, wanted, limits)
    lift = np.zeros(3) if ground is None else lifted(person, q)
    q = _without_jumps(figure, moved(figure, q, lift))
    at = person.at(link_poses(figure, q))
    missed = np.stack([size(at[f"{s}_ankle"] - goals[s] - lift) for s in SIDES], axis=-1)
    about = {
        "from": motion.figure.name,
        "scale": scale,
        "slope": slope,
        "feet": feet,
        "hands": hands,
        "limits": limits,
        "ground": ground,
        "directions": [f"{s}_{part}" for s in SIDES for part in BONES],
    }
    kept = {name: x for name, x in motion.metadata.items() if name == "source"}
    channels = {"direction_error": _apart(at, source.at), "ankle_error": missed}
    return Motion(figure, motion.time, q, None, channels, motion.events, kept | {"retarget": about})


def _middle(at) -> np.ndarray:
    """Of the hips."""
    return 0.5 * (at["l_hip"] + at["r_hip"])


def _apart(ours, theirs) -> np.ndarray:
    """Angles (frames, 8) between the directions of limbs."""
    found = []
    for s in SIDES:
        for a, b in BONES.values():
            one, other = (unit(at[f"{s}_{b}"] - at[f"{s}_{a}"]) for at in (ours, theirs))
            found.append(np.arctan2(size(np.cross(one, other)), (one * other).sum(-1)))
    return np.stack(found, axis=-1)


def _without_jumps(figure, q) -> np.ndarray:
    """The same attitudes, each quaternion on the side of the one before."""
    for _, at in figure.quaternions:
        same = (q[1:, at] * q[:-1, at]).sum(-1)
        q[1:, at] *= np.cumprod(np.where(same < 0.0, -1.0, 1.0))[:, None]
    return q
