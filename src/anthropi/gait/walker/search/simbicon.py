"""Does a search find a walk from numbers that fall? It begins with the published gains of SIMBICON. Floats only.

Yin, Loken, van de Panne, SIMBICON (2007); gains of the authors' controller bipV2/fWalk (`GAINS`):

    published                                  here                                                   kept
    root 3000/300 [N m/rad, N m s/rad]         upright                                                both
    hip and knee 300/30, ankle 75/10           hip, knee, ankle                                       springs; dampers
                                               are the law's: 35, 20, 10
    swing hip: c_d, c_v 0.3/0.3, 0.55/0.3      forward, sideways, nothing that grows over the step    both
    stance ankle: c_d, c_v 0.2/0.2             yield                                                  both
    a step is 0.7 s, ends at foot down         step, ends at foot down                                both
    springs of back, head, arms, toes          the law's                                              no
    target angles over a step                  curves of the reference gait at 1.3 m/s                no

A published target is b(s) + c_d d + c_v v, of the distance d and velocity v of the body over the foot that stands. The
reference's curve is what such a target is on the gait itself, so                                             (1)

    b(s) + c_d d + c_v v = x(s) + c_d (d - d*(s)) + c_v (v - v*(s)),    x = b + c_d d* + c_v v*               (2)

and feedback acts on errors. All that SIMBICON has not (hurry, softness at a strike, push-off …) begins at 0, and the
leg that trails is let go at once. The cost is time not upright first, then pace, course, likeness, effort:

    10 (T - upright) + Σ w sums                                                                               (3)
"""

import time
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import SimulationError
from anthropi.gait.walker.search.evolve import HIGH, LOW, Found, Space, evolve, space, walked
from anthropi.gait.walker.search.initial_parameters import beginning
from anthropi.gait.walker.search.scenarios import Straight

__all__ = ["GAINS", "MOST", "OPTIONS", "Proof", "Stood", "Walk", "first_walk", "price", "proven", "published", "stood",
           "wide"]  # fmt: skip

GAINS: dict = {
    "upright": [3000.0, 300.0], "hip": 300.0, "knee": 300.0, "ankle": 75.0, "step": 0.7, "yield": [0.2, 0.2],
    "forward": [0.3, 0.3, 0.0, 0.0], "sideways": [0.55, 0.3, 0.0, 0.0], "soft": [0.0, 0.0], "release": 0.02,
}  # fmt: skip
SEARCHED = ("step", "forward", "sideways", "upright", "hip", "knee", "ankle", "reach", "spread", "tilt", "lean", "bend",
            "point", "push", "yield", "roll", "release")  # fmt: skip
SEARCHED_HARMONICS = 2  # harmonics of curves that are searched
FURTHER = {"step": 3.0, "upright": 3.0, "ankle": 2.0, "knee": 2.0}  # times as far as `space.SPREAD` says
LOWEST, HIGHEST = LOW | {"ankle": 30.0}, HIGH | {"upright": [4000.0, 400.0], "step": 0.8}
LOST = 10.0  # (3), a second
COSTS = {"angles": 2.0, "pace": 5.0, "across": 5.0, "turn": 5.0, "effort": 3e-6, "hard": 1.0}
MOST, AGAIN = 20_000, 4_000  # walks in all, of one attempt
WALKS, PROOFS = 4, 100  # walks of a proof, proofs at most
SPEED, PIECES, LONG = 1.3, 16, 120  # [m/s]; pieces of 0.5 s of a walk that is searched, of one that proves
PACE = 1.1  # [m/s] at least, of a walk that proves
OPTIONS: dict[str, Any] = {"population": 24, "sigma": 1.0, "strength": 0.02}  # of `evolve`


class Stood(NamedTuple):
    """A vector's walks: seconds upright (R,), mean speed [m/s] (R,), steps (R,)."""

    upright: np.ndarray
    speed: np.ndarray
    steps: np.ndarray


class Proof(NamedTuple):
    """Whether it counts, and its walks."""

    holds: bool
    stood: Stood


class Walk(NamedTuple):
    """begun : walks of the published numbers. proof : of those found. rollouts : all walks, proofs too."""

    begun: Stood
    proof: Proof
    rollouts: int
    found: Found


def published(figure) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """(parameters of a `Walker` with the published gains, the reference), {name: (3, …)} each."""
    p, reference = beginning(figure)
    for name, x in GAINS.items():
        row = np.asarray(x, float)
        p[name] = np.stack([row, 0.0 * row, 0.0 * row])
    return p, reference


def wide(begin: dict) -> Space:
    """The numbers that are searched, further than from a walk that goes."""
    own = (
        e
        for e in space(begin).entries
        if e.name in SEARCHED or (e.name[:5] == "side." and e.at[-1] <= 2 * SEARCHED_HARMONICS)
    )
    entries = tuple(e._replace(spread=e.spread * FURTHER.get(e.name, 1.0)) for e in own)
    return Space(entries, begin, LOWEST, HIGHEST)


def price(sums: dict, duration: float) -> np.ndarray:
    """(3): (n,) of sums (n, R)."""
    total = LOST * (duration - sums["upright"]) + sum(w * sums[name] for name, w in COSTS.items())  # (3)
    return np.where(np.isfinite(total), total, 1e3).mean(-1)


def stood(trials, x, start, pieces: int = LONG, walks: int = WALKS, seed: int = 0) -> Stood:
    """Walks of a vector: the first from the gait, the others from velocities scattered by 1 cm/s; none is pushed."""
    case = Straight(start, SPEED, walks=walks, pieces=pieces, often=0.0)(np.random.default_rng(seed), 0.02)
    sums = {name: rows[0] for name, rows in walked(trials, np.asarray(x, float)[None], case).items()}
    return Stood(sums["upright"], sums["travel"] / np.maximum(sums["upright"], 1e-3), sums["steps"])


def proven(trials, x, start, pieces: int = LONG) -> Proof:
    """A walk that does not fall: four of 60 s upright to their end, at 1.1 m/s or more."""
    found, duration = stood(trials, x, start, pieces), pieces * trials.piece * trials.dt
    up = (found.upright > duration - 2.5 * trials.dt).all()
    return Proof(bool(up and (found.speed > PACE).all() and np.isfinite(found.speed).all()), found)


def first_walk(trials, start, *, seed: int = 1, rollouts: int = MOST, seconds: float = np.inf, tell=None,
               **options) -> Walk:  # fmt: skip
    """Search from the published numbers until a walk is proven, or rollouts or seconds are used up.

    trials : of `wide`, on `published`. A search that has not got there after `AGAIN` walks begins again, drawn anew.
    Walks are counted where they begin; SimulationError if they were more than allowed.
    """
    counted, began, zeros = Counted(trials), time.perf_counter(), np.zeros(len(trials.space.entries))
    history: list[dict[str, Any]] = []
    begun = stood(counted, zeros, start)
    proof, tries, found = Proof(False, begun), 0, Found(zeros, 0, [])

    def enough(record, mean) -> bool:
        nonlocal proof, tries
        if record["up"] > 0.99 and record["sums"]["v_x"] > PACE and tries < PROOFS:  # cheap, true before a proof can be
            proof, tries = proven(counted, mean, start), tries + 1
        return proof.holds

    def heard(record, mean) -> None:
        more = {"generation": len(history), "rollouts": counted.walks, "seconds": time.perf_counter() - began}
        history.append(record | more)
        if tell is not None:
            tell(history[-1], mean)

    while not proof.holds:
        left = rollouts - counted.walks - WALKS * (PROOFS - tries)
        spent = counted.walks, time.perf_counter() - began
        found = evolve(counted, Straight(start, SPEED, walks=1, pieces=PIECES), zeros, seed=seed + len(history),
                       price=price, rollouts=min(AGAIN, left), seconds=seconds - spent[1], enough=enough, tell=heard,
                       **(OPTIONS | options))  # fmt: skip
        if counted.walks == spent[0]:  # nothing is left
            break
    if counted.walks > rollouts:
        raise SimulationError(f"{counted.walks} walks were begun, {rollouts} allowed: a defect of the search.")
    return Walk(begun, proof, counted.walks, found._replace(rollouts=counted.walks, history=history))


class Counted:
    """Trials that count walks as they begin."""

    def __init__(self, trials):
        self.trials, self.walks = trials, 0

    def __getattr__(self, name: str):
        return getattr(self.trials, name)

    def start(self, batch: int, q, u, **memory):
        """As of the trials."""
        self.walks += batch
        return self.trials.start(batch, q, u, **memory)
