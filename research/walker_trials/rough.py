"""Does a walker with eyes cross ground of random tiles, high and low? Floats only.

Walks begin side by side on level ground, each on its own strip of the tiles, and end when they have crossed them. The
same strips without eyes are told beside.
"""

import numpy as np
from research.walker_trials.lines import Line
from research.walker_trials.subject import subject
from research.walker_trials.walks import fell_at, walk

from anthropi.gait.walker.foot_placement import Sight
from anthropi.gait.walker.search.grounds import stepping_terrain

__all__ = ["crossed", "rough"]

LENGTH, AMPLITUDE, STRIP = 10.0, 0.08, 1.0  # [m] of the tiles; of their heights; between two walks
BEFORE, SPREAD = 1.9, 0.3  # [m] that walks begin before them, and how much farther the last
SPEED, TIME = 1.2, 14.0  # [m/s], [s]
SEEDS, MOST = (5, 7, 11, 21), 90.0  # of terrains; [%] that cross


def rough(walker="rough", seeds=SEEDS, walks: int = 16, speed: float = SPEED, opt=2) -> list[Line]:
    """A line for every terrain, and one for all: the share of walks that cross."""
    found, name = [], f"±{100.0 * AMPLITUDE:g} cm tiles"
    for seed in seeds:
        sees, blind = (crossed(walker, seed, walks, speed, eyes=eyes, opt=opt) for eyes in (True, False))
        found.append(Line(f"{name}, seed {seed}: cross {LENGTH:g} m", 100.0 * sees.mean(), "%", None, None, 0,
                          f"{int(sees.sum())} of {walks}; {int(blind.sum())} without eyes"))  # fmt: skip
    return [*found, Line(f"{name}, all: cross {LENGTH:g} m", float(np.mean([x.value for x in found])), "%", MOST)]


def crossed(walker, seed: int, walks: int = 16, speed: float = SPEED, *, amplitude: float = AMPLITUDE,
            eyes: bool = True, opt=2) -> np.ndarray:  # fmt: skip
    """Which walks (walks,) get to the end of the tiles on their feet."""
    field = stepping_terrain(seed, length=LENGTH, amplitude=amplitude, width=STRIP * (walks + 2))
    who = subject(walker=walker, sight=Sight(field) if eyes else None, ground=field)
    k = np.arange(walks)
    places = np.stack([-BEFORE - SPREAD * k / max(walks - 1, 1), STRIP * (k - 0.5 * (walks - 1))], axis=1)
    motion = walk(who, np.full(walks, speed), TIME, places=places, record=(), frame=0.02, opt=opt)
    fell = fell_at(motion, lambda x, y: field.height(x, y)[0])
    when = np.where(np.isfinite(fell), fell, motion.time[-1])
    return np.array([np.interp(t, motion.time, x) > LENGTH for t, x in zip(when, motion.q[..., 0], strict=True)])
