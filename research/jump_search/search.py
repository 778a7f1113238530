"""Search for jumps in place or forward by CMA-ES, as a study. Run it with `python -m research.jump_search.search jump`.

A jump has a crouch, a thrust, a flight with legs prepared, a landing on compliant knees, and standing. The legs thrust
by the force they transmit (`gait/walker/performer/balance.py` (6)), in balance. A thrust ends at a given time, and the
flight follows. `NUMBERS` lists the numbers that a search may change.

A candidate jumps from five starts: at rest and pushed a little forward and back on soft ground, pushed on hard ground.
The cost is the mean of the mean and the worst of the starts' costs:

    10 (required rise - rise)⁺ + 10 (0.3 s - flight)⁺ + 8 |ahead - forward| + 20 × share of time fallen
    + 5 × missing height at the end + 0.5 speed at the end + 0.15 Σ τ² / 1000 + (largest τ - 250 N m)⁺ / 300
    + (largest contact force - 3 weights)⁺ / 10, on soft ground                                                  (1)

A fall is that of `anthropi/gait/falls.py`.

Works on plain floats only.
"""

import sys
from dataclasses import replace

import numpy as np

from anthropi import study
from anthropi.contact import Compliant
from anthropi.contact.scene import Scene
from anthropi.figure.human.build import human
from anthropi.gait.falls import FallDetector
from anthropi.gait.walker.performer.measures import jumped
from anthropi.gait.walker.performer.perform import GROUND_DEPTH, ROUTINES, Routine, save_routine, start_of
from anthropi.gait.walker.performer.performer import Key, Performer, table
from anthropi.simulation.simulate import simulate

__all__ = ["NUMBERS", "STAND", "cost", "jump_keys", "jump_trial", "refine_jump"]


STAND = {"knees": 0.2, "shoulders": (0.1, 0.0, 0.0), "elbows": (0.3, 0.0)}
NUMBERS = {  # name: (first guess, scale)
    "crouch": (1.7, 0.2),  # [rad] flexion of the knees
    "bow": (0.4, 0.15),  # [rad] forward lean of the pelvis
    "back": (0.0, 0.02),  # [m] load ahead of the feet in the crouch
    "thrust": (1.0, 0.3),  # [body weights]
    "push": (0.3, 0.05),  # [s] duration of the thrust
    "throw": (0.0, 0.05),  # [m] load ahead of the feet at the end of the thrust
    "rise": (0.1, 0.1),  # [rad] forward lean of the pelvis at the end of the thrust
    "early": (0.7, 0.2),  # share of the thrust in which the pelvis reaches this lean
    "point": (0.4, 0.2),  # [rad] plantarflexion of the ankles when leaving the ground
    "thigh": (0.25, 0.1),  # [rad] flexion of the thighs before landing
    "ready": (0.5, 0.15),  # [rad] flexion of the knees before landing
    "toes": (0.15, 0.15),  # [rad] plantarflexion of the ankles before landing
    "yield": (0.9, 0.2),  # [rad] flexion of the knees after landing
    "soft": (-0.3, 0.2),  # change of the knees' stiffness after landing
    "catch": (0.0, 0.02),  # [m] load ahead of the feet after landing
    "meet": (0.1, 0.1),  # [rad] forward lean of the pelvis after landing
    "air": (2.0, 1.0),  # [rad/m] gain of the thighs in flight towards the capture point: `performer.py` (5)
    "late": (0.0, 0.05),  # [s] delay until the knees yield after the flight
}
START, FADE, FLIGHT = 0.5, 0.06, 0.5  # [s] before the crouch, fading of the thrust, flight with margin


def jump_keys(x: dict, hold: float = 0.7) -> list[Key]:
    """Return the keys of a jump with these `NUMBERS`. hold : [s] duration of the crouch."""
    go = START + hold
    off = go + x["push"]
    down = off + FLIGHT + x["late"]
    return [
        Key(0.0, 1.0, STAND),
        Key(START, hold, {"knees": x["crouch"], "pelvis": (0.0, x["bow"], 0.0), "weight": (x["back"], 0.0),
                          "shoulders": (0.15, 0.9, 0.0), "lumbar": (0.0, 0.2, 0.0)}),
        Key(go, 0.06, {"thrust": x["thrust"], "stiff": -0.9}),
        Key(go, x["early"] * x["push"], {"pelvis": (0.0, x["rise"], 0.0), "weight": (x["throw"], 0.0),
                                         "lumbar": (0.0, 0.0, 0.0)}),
        Key(go + 0.02, x["push"], {"knees": 0.1, "shoulders": (0.2, -1.9, 0.0)}),
        Key(off, FADE, {"thrust": -0.5, "stiff": 0.0, "ankles": (-x["point"], 0.0)}),
        Key(off + 0.15, 0.25, {"knees": x["ready"], "hips": (0.0, -x["thigh"], 0.0), "ankles": (-x["toes"], 0.0),
                               "shoulders": (0.4, -1.0, 0.0), "stiff": x["soft"], "thrust": 0.0,
                               "weight": (x["catch"], 0.0)}),
        Key(down, 0.25, {"knees": x["yield"], "pelvis": (0.0, x["meet"], 0.0), "shoulders": (0.3, -0.5, 0.0)}),
        Key(down + 0.6, 0.9, STAND | {"pelvis": (0.0, 0.0, 0.0), "weight": (0.0, 0.0), "stiff": 0.0,
                                      "ankles": (0.0, 0.0), "hips": (0.0, 0.0, 0.0)}),
    ]  # fmt: skip


START_VELOCITIES = (0.0, 0.05, -0.05)  # [m/s]
DURATION, EVERY = 4.0, 20  # [s] of a rollout; steps between frames
REQUIRED_RISE = 0.28  # [m]
RANGE, SIGMA = 5.0, 0.5  # largest change of a number, and initial standard deviation, in scales of `NUMBERS`
LEAST = {"push": 0.05, "early": 0.1}  # numbers that must be positive
BATCH = 12  # candidates of one call, with five rollouts each


def refine_jump(
    figure, forward: float = 0.0, first: dict | None = None, *, generations: int = 60, population: int = 24,
    seed: int = 1, executor=None, folder=None, progress=None,
) -> tuple[dict[str, float], float]:  # fmt: skip
    """Search for the numbers of a jump `forward` [m]; return them and their cost.

    first : initial numbers. executor, folder, progress : as in `study.Study`.
    """
    middle = {name: x for name, (x, _) in NUMBERS.items()} | (first or {})
    bounds = {
        name: (max(middle[name] - RANGE * scale, LEAST.get(name, -np.inf)), middle[name] + RANGE * scale)
        for name, (_, scale) in NUMBERS.items()
    }
    options = {"generations": generations, "population": population, "seed": seed}
    search = study.CmaEs(bounds, minimise="cost", start=middle, sigma=SIGMA / (2.0 * RANGE), **options)
    own = {"figure": figure, "forward": forward}
    study.Study(jump_trial, search, folder, batch=BATCH, constants=own).run(executor, progress=progress)
    assert search.best is not None
    last = study.table([search.best.values, search.means[0]])
    pushed = study.Study(jump_trial, last, batch=BATCH, constants=own | {"hard": 2.0})  # rejects lucky candidates
    again = pushed.run(executor, progress=None).require_done()["cost"]
    k = int(again.argmin())
    return {name: float(x[k]) for name, x in last.columns.items()}, float(again[k])


def jump_trial(figure, forward: float, hard: float = 1.0, **numbers) -> dict[str, np.ndarray]:
    """Compute the cost (1) of jumps with `NUMBERS` (n,). The function of a study. hard : factor of the pushes."""
    scenes = [Scene(figure, features="feet", contact=Compliant(depth=GROUND_DEPTH)), Scene(figure, features="feet")]
    return {"cost": cost(figure, scenes, np.stack([numbers[name] for name in NUMBERS], axis=1), forward, hard)}


def cost(figure, scenes, rows, forward: float, hard: float = 1.0) -> np.ndarray:
    """Compute the cost (1) of rows (n, numbers): (n,). hard : factor of the initial velocities."""
    every = [dict(zip(NUMBERS, row, strict=True)) for row in rows]
    tables = [table(figure, jump_keys(x)) for x in every]
    parameters = {name: np.stack([t[name] for t in tables]) for name in tables[0]}
    parameters["air"] = np.array([[x["air"]] * 2 for x in every])
    performer = Performer(figure, jump_keys(every[0]))
    q = start_of(figure, jump_keys(every[0]))
    prices = []
    for scene, pushes in zip(scenes, (START_VELOCITIES, START_VELOCITIES[1:]), strict=True):
        u = np.zeros((len(rows) * len(pushes), figure.nu))
        u[:, 0] = hard * np.repeat(pushes, len(rows))
        motion = simulate(
            scene,
            np.tile(q, (len(u), 1)),
            u,
            forces=performer,
            duration=DURATION,
            every=EVERY,
            strict=False,
            parameters={name: np.concatenate([x] * len(pushes)) for name, x in parameters.items()},
            record=("contact", "tau"),
        )
        prices.append(_prices(motion, forward, soft=len(pushes) > 2).reshape(len(pushes), -1))
    price = np.concatenate(prices)
    return 0.5 * (price.mean(0) + price.max(0))


def _prices(motion, forward, soft):
    """Compute the cost (1) of each rollout."""
    lost = ~np.isfinite(motion.q).all((1, 2))
    gone = lost[:, None, None]
    q, u = np.where(gone, motion.q[:, :1], motion.q), np.where(gone, 10.0, motion.u)
    motion = replace(motion, q=q, u=u)
    result, tau = jumped(motion), np.nan_to_num(motion.channels["tau"])
    fallen = FallDetector(motion.figure, upright=motion.q[0, 0]).fallen(motion.q)
    height, start = motion.q[:, :, 2], motion.q[:, 0, 2]
    price = 10.0 * np.maximum(REQUIRED_RISE - result.rise, 0.0) + 10.0 * np.maximum(0.3 - result.flight, 0.0)
    price += 8.0 * np.minimum(np.abs(result.ahead - forward), 1.0) + 20.0 * fallen.mean(1)
    price += 5.0 * np.clip(start - 0.02 - height[:, -1], 0.0, 1.0)
    price += 0.5 * np.minimum(np.abs(motion.u[:, -1]).max(-1), 5.0) + 0.15 * np.minimum(
        (tau**2).mean((1, 2)) / 1e3, 10.0
    )
    price += np.clip(np.abs(tau).max((1, 2)) - 250.0, 0.0, 1500.0) / 300.0
    price += np.clip(np.nan_to_num(result.hardest) - 3.0, 0.0, 10.0) / 10.0 if soft else 0.0
    return price + 50.0 * lost


def main(which: str, generations: int = 60) -> None:
    """Search for "jump" or "leap" and write its file."""
    forward = {"jump": 0.0, "leap": 0.4}[which]
    numbers, price = refine_jump(human(1.75, 75), forward, generations=generations, progress="text")
    words = (f"CMA-ES over {len(NUMBERS)} numbers (search.py, {generations} generations of 24 candidates, 5 rollouts "
             f"of 4 s each), ap.human(1.75, 75), cost {price:.3f}. Numbers: "
             + ", ".join(f"{name} {x:.4g}" for name, x in numbers.items()) + ".")  # fmt: skip
    piece = Routine(tuple(jump_keys(numbers)), 7.0, {"air": [numbers["air"]] * 2}, words)
    save_routine(ROUTINES / f"{which}.toml", piece)


if __name__ == "__main__":
    main(sys.argv[1], int((sys.argv[2:] or ["60"])[0]))
