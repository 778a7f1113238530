"""Where is a body aimed, over time? Postures by key, each reached in a given time, as rows of numbers.

Key k begins at t_k and takes o_k seconds. With the smooth step s(x) = x³ (10 - 15 x + 6 x²), x from 0 to 1:

    s_k = s((t - t_k) / o_k),   s_0 = 1,   s_K = 0                             (1)
    x(t) = Σ (s_k - s_{k+1}) x_k                                               (2)

Every key starts where the one before aims: what overlaps flows. A row x has the coordinates of all joints but the root,
and what is told of the body as a whole: `BODY`. Times, durations and rows are parameters of a kernel; (1), (2) record.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import clip
from anthropi.errors import InputError, did_you_mean

__all__ = ["BODY", "KEYS", "Key", "layout", "posture", "table"]

KEYS = 64  # rows of a table: keys beyond those given stay as the last, so that all pieces share a kernel
NEVER = 1e6  # [s]
BODY = {"pelvis": 3, "weight": 2, "lift": 2, "thrust": 1, "stiff": 1}
"""pelvis : rotation vector [rad] in the heading's frame. weight : [m] ahead of the middle of the feet, and aside, 1
over the left foot and -1 over the right. lift : 1 for a leg, left and right, that is not to stand. thrust : of the
legs, in weights. stiff : factor of the knees' stiffness, less 1."""
PAIRS = ("clavicles", "shoulders", "elbows", "wrists", "hips", "knees", "ankles", "toes")
MIRROR = np.array([-1.0, 1.0, -1.0])  # of a ball's coordinates


class Key(NamedTuple):
    """From time `at` [s] on, over `over` seconds, the body goes to `pose`: {name: numbers}; what is not named stays.

    Names are joints (coordinates [rad], a ball's a rotation vector), pairs of them ("knees", "shoulders": as on the
    left, mirrored on the right), and those of `BODY`.
    """

    at: float
    over: float
    pose: dict[str, Any]


def layout(figure) -> dict[str, slice]:
    """Which numbers of a row are whose."""
    sizes = {joint.name: joint.nu for joint in figure.joints[1:]} | BODY
    ends = np.cumsum(list(sizes.values()))
    return {name: slice(int(end - size), int(end)) for (name, size), end in zip(sizes.items(), ends, strict=True)}


def posture(t, times, over, rows):
    """The row (n,) at time t: (1), (2)."""
    x = [clip((t - begin) / long, 0.0, 1.0) for begin, long in zip(times[1:], over[1:], strict=True)]
    s = [1.0, *(a * a * a * (10.0 + a * (6.0 * a - 15.0)) for a in x), 0.0]
    weights = np.array([a - b for a, b in pairwise(s)])
    return weights @ rows


def table(figure, keys) -> dict[str, np.ndarray]:
    """Keys as parameters: times, over (KEYS,), rows (KEYS, n). Floats only."""
    places, keys = layout(figure), [Key(*key) for key in keys]
    if not 1 <= len(keys) <= KEYS:
        raise InputError(f"A piece has {len(keys)} keys; give from 1 to {KEYS}.")
    if any(b.at < a.at for a, b in pairwise(keys)) or any(not key.over > 0.0 for key in keys):
        raise InputError("Keys come in order of time, and each takes more than 0 s.")
    row, rows = np.zeros(places["stiff"].stop), []
    for key in keys:
        row = row.copy()
        for name, numbers in key.pose.items():
            _put(row, places, name, np.atleast_1d(np.asarray(numbers, float)))
        rows.append(row)
    rest = KEYS - len(keys)
    return {"times": np.array([key.at for key in keys] + [NEVER] * rest),
            "over": np.array([key.over for key in keys] + [1.0] * rest),
            "rows": np.array(rows + [row] * rest)}  # fmt: skip


def _put(row, places, name: str, x) -> None:
    """Numbers of one name into a row."""
    if name in PAIRS:
        one = name[:-1]
        _put(row, places, f"l_{one}", x)
        _put(row, places, f"r_{one}", x * MIRROR if len(x) == 3 else x)
        return
    if name not in places:
        names = (*PAIRS, *places)
        raise InputError(f"No '{name}' to aim.{did_you_mean(name, names)} Choose: {', '.join(names)}.")
    size = places[name].stop - places[name].start
    if x.shape != (size,) or not np.isfinite(x).all():
        raise InputError(f"'{name}' has {x.shape[0] if x.ndim == 1 else x.shape} numbers; it takes {size}, finite.")
    row[places[name]] = x
