"""Does the pelvis foretell where the next foot comes down? (Wang and Srinivasan 2014; spec/gait.md 2.2.) Floats only.

In the middle of a stance, half way between the other foot's strike and the next, with p and v the pelvis' place and
velocity less the place of the heel that stands, the next heel's place against the same heel is foretold by a plane,

    y_next - y = a + b p_y + c v_y,     x_next - x = a + b p_x + c v_x        (1)

for each side by itself. R² is the share of the variance that (1) explains, of people walking on a belt: sideways above
.8. It takes a walk that is not the same at every step: pushed, or noisy.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.report.spacetime import footprints
from anthropi.gait.report.walk import Walk

__all__ = ["FootPlacement", "foot_placement"]

ENOUGH = 10  # steps of a side
STILL = 1e-5  # [m] of deviation: a walk that repeats itself says nothing


class FootPlacement(NamedTuple):
    """R² {side that steps: share} sideways and forward, slopes b, c of (1) sideways {side: (2,)}, steps in all."""

    sideways: dict[str, float]
    forward: dict[str, float]
    slopes: dict[str, np.ndarray]
    steps: int


def foot_placement(report) -> FootPlacement:
    """(1) of a report (`gait_report`) or of its walk; InputError where steps are too few or all the same."""
    walk: Walk = getattr(report, "walk", report)
    record, prints = walk.record, footprints(walk)
    if record.place is None or not prints:
        raise InputError("Foot placement needs the ways of pelvis and heels; the record lacks them.")
    place = record.place + np.outer(record.belt * record.time, [1.0, 0.0, 0.0])
    speed = np.gradient(place, record.time, axis=0)
    rows: dict[str, list] = {"l": [], "r": []}
    for (side, start, stands), (other, end, lands) in pairwise(prints):
        if side != other:
            t = 0.5 * (start + end)
            p, v = (np.array([np.interp(t, record.time, x[:, k]) for k in range(2)]) for x in (place, speed))
            rows[other].append(np.concatenate([p - stands[:2], v, lands[:2] - stands[:2]]))
    few = [side for side, found in rows.items() if len(found) < ENOUGH]
    if few:
        raise InputError(f"Foot placement needs {ENOUGH} steps of each foot; '{few[0]}' has {len(rows[few[0]])}.")
    ahead, aside, slopes = {}, {}, {}
    for side, found in rows.items():
        x = np.array(found)
        if x[:, 5].std() < STILL:
            raise InputError("All steps are the same: nothing is to be foretold. Push the walker, or give it noise.")
        ahead[side], _ = _fit(x[:, [0, 2]], x[:, 4])
        aside[side], slopes[side] = _fit(x[:, [1, 3]], x[:, 5])
    return FootPlacement(aside, ahead, slopes, sum(len(found) for found in rows.values()))


def _fit(told, wanted) -> tuple[float, np.ndarray]:
    """R² of (1), and its slopes."""
    A = np.concatenate([np.ones((len(told), 1)), told], 1)
    found = np.linalg.lstsq(A, wanted, rcond=None)[0]
    rest = wanted - A @ found
    return float(1.0 - rest @ rest / max(float(((wanted - wanted.mean()) ** 2).sum()), 1e-300)), found[1:]
