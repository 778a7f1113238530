"""How does a person of any stature do what a captured skeleton did?

1. Every part of the person takes the attitude of the skeleton's, as its joints allow (`source`, `limbs`).
2. The middle of the hips goes where the skeleton's goes, κ times as far, κ the ratio of leg lengths.                (1)
3. Feet go where the skeleton's go, and onto the ground (`feet`).

Directions of thighs, shanks, upper arms and forearms are then the skeleton's, but for what the feet ask. Floats only.
"""

import numpy as np

from anthropi.errors import InputError
from anthropi.figure.figure import Figure
from anthropi.motion.motion import Motion
from anthropi.motion.placing import placed
from anthropi.motion.retargeting.feet import ankles, levelled, lifted, moved, on_feet, toes_level, with_hands
from anthropi.motion.retargeting.limbs import attitudes, posed, size
from anthropi.motion.retargeting.names import SIDES
from anthropi.motion.retargeting.person import person_like, person_of
from anthropi.motion.retargeting.source import BONES, source_of, unit

__all__ = ["retarget"]

GROUNDS = ("level", "lowest", None)


def retarget(motion: Motion, figure: Figure | None = None, *, names=None, rest=None, feet: bool = True,
             hands: bool = False, limits: bool = False, ground: str | None = "level") -> Motion:  # fmt: skip
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
    q = moved(figure, q, scale * _middle(source.at) - _middle(person.at(placed(figure, q))))  # (1)
    goals = ankles(person, source, wanted["pelvis"], scale)
    q = on_feet(person, q, goals, wanted, limits) if feet else q
    if hands:
        wrists = {s: scale * source.at[f"{s}_wrist"] for s in SIDES}
        q = with_hands(person, q, wrists, wanted, limits)
    lift = np.zeros(3) if ground is None else lifted(person, q)
    q = _without_jumps(figure, moved(figure, q, lift))
    at = person.at(placed(figure, q))
    missed = np.stack([size(at[f"{s}_ankle"] - goals[s] - lift) for s in SIDES], axis=-1)
    about = {"from": motion.figure.name, "scale": scale, "slope": slope, "feet": feet, "hands": hands, "limits": limits,
             "ground": ground, "directions": [f"{s}_{part}" for s in SIDES for part in BONES]}  # fmt: skip
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
