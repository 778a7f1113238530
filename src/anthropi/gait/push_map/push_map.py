"""How hard can a walker be pushed, in every direction and at every phase of its stride? (spec/gait.md 2.4, 7.)

All directions × phases × impulses run at once. Then, round by round, every cell is pushed once more, between the
largest impulse that it survives with all smaller ones, lo, and the smallest that it does not, hi:

    next = (lo + hi) / 2,   or 1.5 lo where it has survived all                          (1)

A cell's largest impulse is lo. Floats only.
"""

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.push_map.result import PushMap, brackets
from anthropi.gait.push_map.trials import Trials

__all__ = ["push_map"]

IMPULSES = (20.0, 30.0, 40.0, 50.0)  # [N s]
MORE = 1.5  # (1)


def push_map(scene, controller, start, *, directions: int = 8, phases: int = 8, impulses=IMPULSES, rounds: int = 3,
             over: float = 0.1, settle: float = 5.0, after: float = 5.0, link: str = "pelvis", command=None,
             parameters=None, dt: float = 1e-3, seed: int = 0, progress=None, **build) -> PushMap:  # fmt: skip
    """The largest impulses that a walk survives.

    Parameters
    ----------
    scene, controller : what walks. start : (q, u) on the gait, or a Motion to go on from, memory included.
    directions, phases : how many, evenly; direction 0 is forward, then to the left; phase 0 the left foot's strike.
    impulses : [N s] that every cell is pushed with. rounds : of bisection after them.
    over [s] : how long a push lasts. settle [s] : how long it walks before. after [s] : how long it must not fall.
    link : what is pushed. command, parameters, seed, dt, **build : as in `simulate`.
    progress : function (rollouts done, rollouts in all).
    """
    wanted = np.unique(np.asarray(impulses, float))
    if wanted.ndim != 1 or not len(wanted) or not np.isfinite(wanted).all() or wanted[0] <= 0.0:
        raise InputError(f"impulses={impulses!r}: give finite numbers of N s above 0.")
    for name, x, least in (("directions", directions, 1), ("phases", phases, 1), ("rounds", rounds, 0)):
        if not isinstance(x, (int, np.integer)) or x < least:
            raise InputError(f"{name}={x!r}: give a whole number, at least {least}.")
    for name, span in (("over", over), ("settle", settle), ("after", after), ("dt", dt)):
        if not (isinstance(span, (int, float)) and np.isfinite(span) and span > 0.0):
            raise InputError(f"{name}={span!r}: give seconds above 0.")
    angles, cycles = 2.0 * np.pi * np.arange(directions) / directions, np.arange(phases) / phases
    cells, total = directions * phases, 1 + directions * phases * (len(wanted) + rounds)
    run = {"command": command, "parameters": parameters, "seed": seed} | build
    over = max(1, round(over / dt)) * dt
    trials = Trials.of(scene, controller, start, link, settle, over, after, dt, _told(progress, 0, total), **run)

    def pushed(strength, done):
        """strength : (directions, phases, n): whether each is survived, and recovery steps."""
        shape = strength.shape
        a, p = np.broadcast_to(angles[:, None, None], shape), np.broadcast_to(cycles[None, :, None], shape)
        tell = None if progress is None else lambda more: progress(done + more, total)
        found = trials.survive(a.ravel(), p.ravel(), strength.ravel(), tell)
        return tuple(x.reshape(shape) for x in found)

    tried = np.broadcast_to(wanted, (directions, phases, len(wanted)))
    up, steps = pushed(tried, 1)
    for k in range(rounds):
        low, high = brackets(tried, up)
        more = np.where(np.isfinite(high), 0.5 * (low + np.where(np.isfinite(high), high, 0.0)), MORE * low)[..., None]
        one = pushed(more, 1 + cells * (len(wanted) + k))
        tried, up, steps = (np.concatenate(pair, -1) for pair in zip((tried, up, steps), (more, *one), strict=True))
    return PushMap(angles, cycles, wanted, tried, up, steps, float(trials.scene.figure.mass), trials.over,
                   trials.stride, trials.speed, trials.height, trials.stance)  # fmt: skip


def _told(progress, done: int, total: int):
    return None if progress is None else lambda steps, whole: progress(done + steps / whole, total)
