"""Trials of a walker with sight on random tiles. Works on plain floats only.

Walks begin side by side on level ground, each on its own strip of the tiles, and end when they have crossed them. The
same strips without sight are reported for comparison.
"""

import numpy as np
from research.walker_trials.lines import Line
from research.walker_trials.subject import subject
from research.walker_trials.walks import fell_at, walk

from anthropi import study
from anthropi.gait.walker.foot_placement import Sight
from anthropi.gait.walker.search.grounds import stepping_terrain

__all__ = ["crossed", "rough"]

LENGTH, AMPLITUDE, STRIP = 10.0, 0.08, 1.0  # [m] length of the tiles; their amplitude; distance between two walks
BEFORE, SPREAD = 1.9, 0.3  # [m] from the start to the tiles, and its spread over the walks
SPEED, TIME = 1.2, 14.0  # [m/s], [s]
SEEDS, REQUIRED_SHARE = (5, 7, 11, 21), 90.0  # seeds of terrains; [%] of walks that must cross


def rough(walker="rough", seeds=SEEDS, walks: int = 16, speed: float = SPEED, executor=None, opt=2) -> list[Line]:
    """Return the share of walks that cross the tiles, per terrain and over all. executor : as in `study.Study.run`."""
    own = {"walker": walker, "walks": walks, "speed": speed, "opt": opt}
    table = study.Study(crossed, study.grid(seed=seeds, eyes=[True, False]), constants=own).run(executor).require_done()
    found, name = [], f"±{100.0 * AMPLITUDE:g} cm tiles"
    for seed, (sees, blind) in zip(seeds, table["value"].reshape(len(seeds), 2, walks), strict=True):
        found.append(Line(f"{name}, seed {seed}: cross {LENGTH:g} m", 100.0 * sees.mean(), "%", None, None, 0,
                          f"{int(sees.sum())} of {walks}; {int(blind.sum())} without sight"))  # fmt: skip
    return [
        *found,
        Line(f"{name}, all: cross {LENGTH:g} m", float(np.mean([x.value for x in found])), "%", REQUIRED_SHARE),
    ]


def crossed(walker, seed: int, walks: int = 16, speed: float = SPEED, *, amplitude: float = AMPLITUDE,
            eyes: bool = True, opt=2) -> np.ndarray:  # fmt: skip
    """Return which walks (walks,) cross the tiles without a fall. The function of a study."""
    field = stepping_terrain(seed, length=LENGTH, amplitude=amplitude, width=STRIP * (walks + 2))
    who = subject(walker=walker, sight=Sight(field) if eyes else None, ground=field)
    k = np.arange(walks)
    places = np.stack([-BEFORE - SPREAD * k / max(walks - 1, 1), STRIP * (k - 0.5 * (walks - 1))], axis=1)
    motion = walk(who, np.full(walks, speed), TIME, places=places, record=(), frame=0.02, opt=opt)
    fell = fell_at(motion, who.scene)
    when = np.where(np.isfinite(fell), fell, motion.time[-1])
    return np.array([np.interp(t, motion.time, x) > LENGTH for t, x in zip(when, motion.q[..., 0], strict=True)])
