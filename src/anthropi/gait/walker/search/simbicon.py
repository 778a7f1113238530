"""Search for a walk that starts from the published gains of SIMBICON, with which the figure falls.

K. Yin, K. Loken, M. van de Panne, "SIMBICON: simple biped locomotion control", ACM Transactions on Graphics 26 (2007);
gains of the authors' controller bipV2/fWalk (`GAINS`):

    published                                  used in this search                                    published values
    root 3000/300 [N m/rad, N m s/rad]         upright                                                used
    hip and knee 300/30, ankle 75/10           hip, knee, ankle; dampers of the walker: 35, 20, 10    springs only
    swing hip: c_d, c_v 0.3/0.3, 0.55/0.3      forward, sideways, constant over the step              used
    stance ankle: c_d, c_v 0.2/0.2             yield                                                  used
    a step is 0.7 s, ends at foot strike       step, ends at foot strike                              used
    springs of back, head, arms, toes          those of the walker                                    not used
    target angles over a step                  curves of the reference gait at 1.3 m/s                not used

A published target is b(s) + c_d d + c_v v, with the distance d and velocity v of the body relative to the stance foot.
The curve x(s) of the reference gait is the value of such a target when the body moves exactly as in that gait, so

    b(s) + c_d d + c_v v = x(s) + c_d (d - d*(s)) + c_v (v - v*(s)),    x = b + c_d d* + c_v v*                   (1)

and feedback acts on errors. Parameters that SIMBICON does not have (hurry, softness at a strike, push-off …) begin at
0, and the trailing leg is released immediately. The cost counts mainly the time after a fall, then the errors of speed,
course and angles, and the effort:

    10 (T - upright) + Σ w sums                                                                                   (2)

All functions work on plain floats only; they cannot be recorded on a tape.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import Interrupted, SimulationError
from anthropi.figure.figure import Figure
from anthropi.gait.walker.search.evolve import LOWER, UPPER, Found, Space, evolve, space, walked
from anthropi.gait.walker.search.initial_parameters import beginning
from anthropi.gait.walker.search.scenarios import Straight

__all__ = [
    "GAINS",
    "MAX_ROLLOUTS",
    "OPTIONS",
    "Counted",
    "Proof",
    "Stood",
    "Walk",
    "first_walk",
    "price",
    "proven",
    "published",
    "stood",
    "wide",
]

GAINS: dict[Any, Any] = {
    "upright": [3000.0, 300.0], "hip": 300.0, "knee": 300.0, "ankle": 75.0, "step": 0.7, "yield": [0.2, 0.2],
    "forward": [0.3, 0.3, 0.0, 0.0], "sideways": [0.55, 0.3, 0.0, 0.0], "soft": [0.0, 0.0], "release": 0.02,
}  # fmt: skip
SEARCHED = (
    "step",
    "forward",
    "sideways",
    "upright",
    "hip",
    "knee",
    "ankle",
    "reach",
    "spread",
    "tilt",
    "lean",
    "bend",
    "point",
    "push",
    "yield",
    "roll",
    "release",
)
SEARCHED_HARMONICS = 2  # number of searched harmonics of the joint curves
SPREAD_FACTORS = {"step": 3.0, "upright": 3.0, "ankle": 2.0, "knee": 2.0}  # factors of `evolve.SPREAD`
WIDE_LOWER, WIDE_UPPER = LOWER | {"ankle": 30.0}, UPPER | {"upright": [4000.0, 400.0], "step": 0.8}
FALL_COST = 10.0  # per second after a fall (2)
COSTS = {"angles": 2.0, "pace": 5.0, "across": 5.0, "turn": 5.0, "effort": 3e-6, "hard": 1.0}
MAX_ROLLOUTS, RESTART_ROLLOUTS = 20_000, 4_000  # largest number of walks in total and in one attempt
PROOF_WALKS, MAX_PROOFS = 4, 100  # walks of a proof; largest number of proofs
SPEED, SEARCH_INTERVALS, PROOF_INTERVALS = 1.3, 16, 120  # [m/s]; intervals of 0.5 s in a searched walk and in a proof
MIN_PROOF_SPEED = 1.1  # [m/s]
OPTIONS: dict[str, Any] = {"population": 24, "sigma": 1.0, "strength": 0.02}  # options of `evolve`


class Stood(NamedTuple):
    """Walks with one vector of parameters: time upright (R,) [s], mean speed (R,) [m/s] and number of steps (R,)."""

    upright: np.ndarray
    speed: np.ndarray
    steps: np.ndarray


class Proof(NamedTuple):
    """Whether a proof succeeded, and its walks."""

    holds: bool
    stood: Stood


class Walk(NamedTuple):
    """Result of `first_walk`.

    Contains the walks with the published gains, the proof of the gains found, the number of walks including those of
    proofs, and the search.
    """

    begun: Stood
    proof: Proof
    rollouts: int
    found: Found


def published(figure: Figure) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return the parameters of a `Walker` with the published gains, and the reference gait of the score.

    Both are {name: array (3, …)}; the three rows are the coefficients of the dependence on speed.
    """
    p, reference = beginning(figure)
    for name, x in GAINS.items():
        row = np.asarray(x, float)
        p[name] = np.stack([row, 0.0 * row, 0.0 * row])
    return p, reference


def wide(begin: dict[Any, Any]) -> Space:
    """Make the space of searched numbers. It is wider than for a parameter set that already walks."""
    own = (
        e
        for e in space(begin).entries
        if e.name in SEARCHED or (e.name[:5] == "side." and e.at[-1] <= 2 * SEARCHED_HARMONICS)
    )
    entries = tuple(e._replace(spread=e.spread * SPREAD_FACTORS.get(e.name, 1.0)) for e in own)
    return Space(entries, begin, WIDE_LOWER, WIDE_UPPER)


def price(sums: dict[Any, Any], duration: float) -> np.ndarray:
    """Costs of n candidates (n,) from the sums of their walks (n, R) (eq. 2)."""
    total = FALL_COST * (duration - sums["upright"]) + sum(w * sums[name] for name, w in COSTS.items())  # (2)
    return np.where(np.isfinite(total), total, 1e3).mean(-1)


def stood(
    trials: Any, x: Any, start: Any, intervals: int = PROOF_INTERVALS, walks: int = PROOF_WALKS, seed: int = 0
) -> Stood:
    """Run walks with one vector of parameters, without pushes.

    The first walk starts within the gait, the others with velocities scattered by 1 cm/s.
    """
    case = Straight(start, SPEED, walks=walks, intervals=intervals, often=0.0)(np.random.default_rng(seed), 0.02)
    sums = {name: rows[0] for name, rows in walked(trials, np.asarray(x, float)[None], case).items()}
    return Stood(sums["upright"], sums["travel"] / np.maximum(sums["upright"], 1e-3), sums["steps"])


def proven(trials: Any, x: Any, start: Any, intervals: int = PROOF_INTERVALS) -> Proof:
    """Prove a walk: four walks of 60 s must stay upright to their end, at 1.1 m/s or more."""
    found, duration = stood(trials, x, start, intervals), intervals * trials.interval * trials.dt
    up = (found.upright > duration - 2.5 * trials.dt).all()
    return Proof(bool(up and (found.speed > MIN_PROOF_SPEED).all() and np.isfinite(found.speed).all()), found)


def first_walk(
    trials: Any,
    start: Any,
    *,
    seed: int = 1,
    rollouts: int = MAX_ROLLOUTS,
    seconds: float = np.inf,
    progress: Callable[[dict[Any, Any], np.ndarray], Any] | None = None,
    folder: str | Path | None = None,
    **options: Any,
) -> Walk:
    """Search from the published gains until a walk is proven, or the given rollouts or seconds are used up.

    An attempt that has not succeeded after `RESTART_ROLLOUTS` walks is started again with another seed.

    Parameters
    ----------
    trials : walks of a controller with the gains of `published` in the space of `wide`.
    start : q, u at the start of the walks.
    progress : function (record, mean) called after each generation.
    folder : keeps the walks, in one folder for each attempt.
    options : options of `evolve`.

    Raises
    ------
    SimulationError : more walks were started than allowed, which is a defect of the search.
    Interrupted : Ctrl-C after the first generation; its field `result` is the `Walk` until then.
    """
    counted, began, zeros = Counted(trials), time.perf_counter(), np.zeros(len(trials.space.entries))
    history: list[dict[str, Any]] = []
    begun = stood(counted, zeros, start)
    proof, tries, found = Proof(False, begun), 0, Found(zeros, 0, [])

    def enough(record: dict[Any, Any], mean: np.ndarray) -> bool:
        nonlocal proof, tries
        if (
            record["up"] > 0.99 and record["sums"]["v_x"] > MIN_PROOF_SPEED and tries < MAX_PROOFS
        ):  # a necessary condition for a proof that is cheap to check
            proof, tries = proven(counted, mean, start), tries + 1
        return proof.holds

    def record_progress(record: dict[Any, Any], mean: np.ndarray) -> None:
        more = {"generation": len(history), "rollouts": counted.walks, "seconds": time.perf_counter() - began}
        history.append(record | more)
        if progress is not None:
            progress(history[-1], mean)

    try:
        while not proof.holds:
            left = rollouts - counted.walks - PROOF_WALKS * (MAX_PROOFS - tries)
            spent = counted.walks, time.perf_counter() - began
            found = evolve(
                counted,
                Straight(start, SPEED, walks=1, intervals=SEARCH_INTERVALS),
                zeros,
                seed=seed + len(history),
                price=price,
                rollouts=min(RESTART_ROLLOUTS, left),
                seconds=seconds - spent[1],
                enough=enough,
                progress=record_progress,
                folder=None if folder is None else Path(folder) / f"from_{len(history)}",
                **(OPTIONS | options),
            )
            if counted.walks == spent[0]:  # no walk was started, so the limits are used up
                break
    except KeyboardInterrupt as stop:
        if not history:
            raise
        found = getattr(stop, "result", None) or found
        walk = Walk(begun, proof, counted.walks, found._replace(rollouts=counted.walks, history=history))
        raise Interrupted(
            f"The search was stopped after {len(history)} generations. The result so far is in the field 'result' of "
            "this exception.",
            result=walk,
        ) from None
    if counted.walks > rollouts:
        raise SimulationError(
            f"The search started {counted.walks} walks, but only {rollouts} were allowed. Please report this defect."
        )
    return Walk(begun, proof, counted.walks, found._replace(rollouts=counted.walks, history=history))


class Counted:
    """Trials that count the walks they start."""

    trials: Any
    walks: Any

    def __init__(self, trials: Any) -> None:
        self.trials, self.walks = trials, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.trials, name)

    def start(self, batch: int, q: Any, u: Any, **memory: Any) -> Any:
        """Start walks like `Trials.start`, and count them."""
        self.walks += batch
        return self.trials.start(batch, q, u, **memory)
