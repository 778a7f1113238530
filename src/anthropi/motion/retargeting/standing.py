"""The upright pose and the vertical axis of a captured skeleton, found from its geometry and its motion.

The zero pose of a file may be an upright body, a T pose that lies down, or no pose of a body at all. With the
directions t from the hips to the shoulders, l from each hip to its ankle, and the flexion κ of the knees, the measure

    b = max(∠(-t, l_left), ∠(-t, l_right), κ_left, κ_right)                                                         (1)

is small where the body is straight, whatever the axes are. The zero pose is the rest pose if b is below
`Settings.straight` and the lines of hips and shoulders are at right angles to t; otherwise the straightest frame of the
motion is.

The vertical of the world is the coordinate axis nearest to the direction from the ankles to the shoulders in most
frames in which the body is straight, or nearest to t in most of all frames if it never is. If both disagree, neither
is used: the person who has the data decides.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.errors import InputError

__all__ = [
    "AXES",
    "Settings",
    "axis_name",
    "axis_of",
    "body_frame",
    "facing",
    "straightness",
    "trunk_of",
    "upright_problem",
    "vertical",
]

AXES = {f"{sign}{name}": s * np.eye(3)[k] for k, name in enumerate("xyz") for sign, s in (("", 1.0), ("-", -1.0))}


@dataclass(frozen=True)
class Settings:
    """Limits of the evidence for a rest pose and for the vertical axis.

    straight : (1) below which a body is straight [rad]; a walking person is at double support.
    square : deviation of the lines of hips and shoulders from right angles to the trunk, and from each other [rad].
    snap : angle to a coordinate axis within which a direction is taken to be this axis [rad].
    vertical : angle between the vertical axis and the directions from which it is found [rad].
    share : share of frames that must agree about the vertical axis.
    few : share of frames that must be straight to decide alone.
    """

    straight: float = np.deg2rad(35.0)
    square: float = np.deg2rad(25.0)
    snap: float = np.deg2rad(20.0)
    vertical: float = np.deg2rad(40.0)
    share: float = 0.6
    few: float = 0.02


SETTINGS = Settings()


def trunk_of(at: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the middles of hips, shoulders and ankles, (frames, 3) each."""
    hips, shoulders, ankles = (0.5 * (at[f"l_{j}"] + at[f"r_{j}"]) for j in ("hip", "shoulder", "ankle"))
    return hips, shoulders, ankles


def straightness(at: Any) -> np.ndarray:
    """Return the deviation (frames,) from a straight body (1) [rad]. at : {joint: (frames, 3)}."""
    hips, shoulders, _ = trunk_of(at)
    found = []
    for s in ("l", "r"):
        hip, knee, ankle = (at[f"{s}_{j}"] for j in ("hip", "knee", "ankle"))
        found += [_angle(hips - shoulders, ankle - hip), _angle(knee - hip, ankle - knee)]
    return np.max(found, axis=0)


def upright_problem(at: Any) -> str:
    """Return why a pose is not an upright body, or "" if it is. at : {joint: (1, 3)}."""
    hips, shoulders, _ = trunk_of(at)
    up, across, wide = shoulders - hips, at["l_hip"] - at["r_hip"], at["l_shoulder"] - at["r_shoulder"]
    straight = float(straightness(at)[0])
    if not straight < SETTINGS.straight:
        return f"trunk, thighs and shanks differ by {np.rad2deg(straight):.0f}° from a straight body"
    for name, line in (("hips", across), ("shoulders", wide)):
        off = abs(float(_angle(up, line)[0]) - 0.5 * np.pi)
        if not off < SETTINGS.square:
            return f"the line of the {name} is {90 - np.rad2deg(off):.0f}° from the direction of the trunk"
    turned = float(_angle(across, wide)[0])
    if not turned < SETTINGS.square:
        return f"hips and shoulders are turned against each other by {np.rad2deg(turned):.0f}°"
    return ""


def body_frame(at: Any, up: Any, name: str) -> np.ndarray:
    """Return the axes (3, 3) of an upright body in columns: forward, left, up. at : {joint: (1, 3)}.

    up : (3,) its upward direction; None for the direction from the ankles to the shoulders, or the coordinate axis
    near it.
    """
    if up is None:
        _, shoulders, ankles = trunk_of(at)
        up = (shoulders - ankles)[0]
        up = up / np.sqrt(up @ up)
        axis = AXES[axis_name(up)]
        up = axis if up @ axis > np.cos(SETTINGS.snap) else up
    across = (at["l_hip"] - at["r_hip"])[0]
    across = across - up * (up @ across)
    size = np.sqrt(across @ across)
    if not size > 1e-9:
        raise InputError(
            f"The hips of figure '{name}' lie on one vertical line at rest. Give an upright configuration as rest=."
        )
    across = across / size
    return np.stack([np.cross(across, up), across, up], axis=1)


def vertical(at: Any, name: str, zero: Any = None) -> tuple[str, str]:
    """Return the name of the vertical axis, such as "-y", and the evidence in words.

    at : {joint: (frames, 3)}. zero : (frames,) whether a frame is the zero pose of the file, which says nothing.

    Raises
    ------
    InputError : the evidence is missing or contradicts itself.
    """
    hips, shoulders, ankles = trunk_of(at)
    used = np.ones(len(hips), bool) if zero is None or np.all(zero) else ~np.asarray(zero)
    straight = used & (straightness(at) < SETTINGS.straight)
    found = {}
    for what, frames, vector in (
        ("ankles to shoulders while the body is straight", straight, shoulders - ankles),
        ("hips to shoulders", used, shoulders - hips),
    ):
        if frames.any():
            vector = vector[frames] / np.maximum(_size(vector[frames]), 1e-12)[:, None]
            named = [axis_name(x) for x in vector]
            best = max(set(named), key=named.count)
            share, middle = (
                named.count(best) / len(named),
                float(np.median(np.arccos(np.clip(vector @ AXES[best], -1, 1)))),
            )
            found[what] = best, share, middle, frames.mean()
    sure = {w: x for w, x in found.items() if x[1] >= SETTINGS.share and x[2] < SETTINGS.vertical}
    words = "; ".join(
        f"{w}: {x[0]} in {100 * x[1]:.0f} % of {100 * x[3]:.0f} % of the frames, {np.rad2deg(x[2]):.0f}° apart"
        for w, x in found.items()
    )
    axes = {x[0] for w, x in sure.items()}
    if len(axes) > 1:
        axes = {x[0] for w, x in sure.items() if x[3] >= 0.5} if _lies(sure) else axes
    if len(axes) != 1:
        why = "contradicts itself" if axes else "is missing"
        raise InputError(
            f"The evidence for the vertical axis of '{name}' {why} ({words}). Give it: up='y' or up='z', on the "
            "command line --up y."
        )
    return axes.pop(), words


def facing(start: Any, at: Any, up: Any) -> tuple[str, str]:
    """Return the name of the axis that a body faces, and the evidence in words.

    start : {joint: (1, 3)} in the zero pose. at : {joint: (frames, 3)}. up : (3,) the vertical.
    """
    from_zero = not upright_problem(start)
    if from_zero:
        _, shoulders, ankles = trunk_of(start)
        vector = (shoulders - ankles)[0]
        from_zero = bool(vector @ up > np.cos(SETTINGS.vertical) * np.sqrt(vector @ vector))
    used = start if from_zero else at
    across = used["l_hip"] - used["r_hip"]
    vectors = np.cross(across / np.maximum(_size(across), 1e-12)[:, None], up)
    level = {name: axis for name, axis in AXES.items() if abs(axis @ up) < 0.5}
    best = max(level, key=lambda name: float(level[name] @ vectors.mean(0)))
    return best, f"the body faces it {'in the zero pose' if from_zero else 'in most frames'}"


def _lies(sure: Any) -> bool:
    """Return whether the frames in which the body is straight are too few to decide against all others."""
    return any(x[3] < SETTINGS.few for x in sure.values())


def axis_of(word: Any) -> np.ndarray:
    """Return the direction (3,) of an axis named x, y, z, -x, -y or -z; raise InputError for other words."""
    name = str(word).lower().removeprefix("+")
    if name not in AXES:
        raise InputError(f"up={word!r}. Choose x, y, z, -x, -y or -z.")
    return AXES[name]


def axis_name(vector: Any) -> str:
    """Return the name of the coordinate axis nearest to a direction (3,)."""
    return max(AXES, key=lambda name: float(AXES[name] @ vector))


def _angle(a: Any, b: Any) -> np.ndarray:
    return np.arctan2(_size(np.cross(a, b)), (a * b).sum(-1))


def _size(x: Any) -> np.ndarray:
    return np.sqrt((np.asarray(x) ** 2).sum(-1))
