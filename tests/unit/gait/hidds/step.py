"""A walking step for tests: the standard human from one foot strike to the next, rooted at the stance foot."""

from functools import cache

import anthropi as ap

SECONDS = 0.6  # 100 steps a minute


def pose(s: float, lift: float) -> dict[str, float]:
    """s from -1 (foot strike ahead) to 1 (foot strike of the other): the stance leg turns over its foot, flat on the
    ground, the other swings past, bent; arms swing against legs."""
    return {
        "l_hip.y": 0.28 * s,
        "l_ankle.dorsiflexion": 0.28 * s,
        "r_hip.y": -0.3 * s - 0.3 * lift,
        "r_knee": 0.05 + 0.9 * lift,
        "l_shoulder.y": -0.2 * s,
        "r_shoulder.y": 0.2 * s,
    }


@cache
def step_motion(detail: str = "standard") -> ap.Motion:
    """73 frames of the re-rooted figure; u and u' are left to differentiation."""
    figure = ap.human(1.75, 75.0, detail=detail)
    keys = {SECONDS * k / 3: pose(s, lift) for k, (s, lift) in enumerate(((-1, 0), (-0.35, 1), (0.35, 0.6), (1, 0)))}
    free = ap.Keyframes(figure, keys, base=ap.standing(figure)).motion(rate=120.0)
    rooted, q, _ = figure.reroot("l_foot", free.q, free.u)
    return ap.Motion(rooted, free.time, q)
