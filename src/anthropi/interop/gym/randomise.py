"""Domain randomisation: numbers of figure, ground and action law that are drawn at each restart.

A random number is a function of the seed of its environment, the number of the episode and an index, by the finaliser
of SplitMix64 (Steele, Lea and Flood, 2014), so it does not depend on other environments of a batch.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra.scalar import cos, sin
from anthropi.errors import InputError
from anthropi.figure.numbers import numbers

__all__ = ["Randomise", "mixed", "uniform_numbers"]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def mixed(x: Any) -> np.ndarray:
    """Return hashes of unsigned 64-bit integers, by the finaliser of SplitMix64."""
    z = np.asarray(x, np.uint64)
    with np.errstate(over="ignore"):
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def uniform_numbers(keys: np.ndarray, count: int) -> np.ndarray:
    """Return uniform random numbers in [0, 1), (k, count), for keys (k,) of unsigned 64-bit integers."""
    with np.errstate(over="ignore"):
        each = keys[:, None] + GOLDEN * np.arange(1, count + 1, dtype=np.uint64)
    return (mixed(each) >> np.uint64(11)).astype(float) * 2.0**-53


@dataclass(frozen=True)
class Randomise:
    """Ranges of numbers that are drawn for each episode.

    Attributes
    ----------
    masses : largest relative change of the mass of each link, independent of the others; inertia tensors follow.
    lengths : largest relative change of the size of the body: origins of joints and centres of mass, one factor for
        all. Contact features and shapes keep their size.
    friction : (low, high) coefficient of friction.
    gains : largest relative change of kp and kd, one factor each.
    latency : (low, high) [s] delay of the action.
    pushes : [N] largest force of the pushes. Each episode has one horizontal force, in a random direction.
    push_every, push_lasting : [s] time from one push to the next, and duration of each.
    slope : [rad] largest inclination of the ground, in a random direction. The world axes are those of the ground, and
        gravity is inclined.
    slots : {slot of the simulation: (low, high)} for any other number.
    """

    masses: float = 0.0
    lengths: float = 0.0
    friction: tuple[float, float] | None = None
    gains: float = 0.0
    latency: tuple[float, float] | None = None
    pushes: float = 0.0
    push_every: float = 2.0
    push_lasting: float = 0.1
    slope: float = 0.0
    slots: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("masses", "lengths", "gains"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise InputError(f"{name}={getattr(self, name)!r} is not valid. Give a relative change, 0 to below 1.")
        for name in ("pushes", "slope"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"{name}={getattr(self, name)!r} is not valid. Give a finite number, 0 or more.")
        for name in ("friction", "latency"):
            given = getattr(self, name)
            if given is not None and not (len(given) == 2 and 0.0 <= given[0] <= given[1] < np.inf):
                raise InputError(f"{name}={given!r} is not valid. Give (low, high), 0 or more.")

    def slots_of(self, figure: Any) -> tuple[str, ...]:
        """Return the slots that the simulation of a figure needs: `Simulation(…, slots=randomise.slots_of(figure))`."""
        links, joints = [x.name for x in figure.links], [x.name for x in figure.joints]
        found: list[str] = []
        if self.masses:
            found += [f"{name}.mass" for name in links]
        if self.masses or self.lengths:
            found += [f"{name}.tensor" for name in links]
        if self.lengths:
            found += [f"{name}.centre" for name in links] + [f"{name}.origin" for name in joints]
        found += ["friction"] if self.friction is not None else []
        found += ["gravity"] if self.slope else []
        return tuple(dict.fromkeys([*found, *self.slots]))

    def check(self, simulation: Any) -> None:
        """Raise InputError if a simulation has not the parameters that are drawn."""
        law = simulation.problem.controller
        missing = [name for name in self.slots_of(simulation.figure) if name not in simulation.slot_sizes]
        if missing:
            raise InputError(
                f"The simulation has no slot '{missing[0]}', which Randomise changes. Use "
                "Simulation(…, slots=randomise.slots_of(figure))."
            )
        needs = {"gains": ("kp", "kd"), "latency": ("latency",), "pushes": ("push_force", "push_times")}
        hints = {"gains": "Targets", "latency": "max_latency=", "pushes": "pushed="}
        for name, own in needs.items():
            if getattr(self, name) and not all(x in getattr(law, "parameters", {}) for x in own):
                raise InputError(f"Randomise changes {name}, but the action law has no {own[0]}. Use {hints[name]}.")
        if self.latency is not None and self.latency[1] > law.max_latency * law.substeps * simulation.dt + 1e-9:
            longest = law.max_latency * law.substeps * simulation.dt
            raise InputError(f"latency {self.latency} [s] is longer than max_latency of the action law, {longest:g} s.")

    def draws(self, simulation: Any) -> int:
        """Return how many random numbers an episode needs."""
        return simulation.figure.n + 16 + sum(simulation.slot_sizes[name] for name in self.slots)

    def draw(self, simulation: Any, keys: np.ndarray) -> dict[str, np.ndarray]:
        """Return {name: (k, …)} of all parameters that are drawn, for keys (k,) of unsigned 64-bit integers."""
        return self.drawn(simulation, uniform_numbers(keys, self.draws(simulation)))

    def drawn(self, simulation: Any, random: Any) -> dict[str, Any]:
        """Return {name: (…)} of all parameters for uniform random numbers (…, draws); can be recorded on a tape."""
        figure, law = simulation.figure, simulation.problem.controller
        nominal = numbers(figure)
        links, joints = [x.name for x in figure.links], [x.name for x in figure.joints]
        sizes = simulation.slot_sizes
        at = len(links)  # positions do not depend on what is drawn
        each = 1.0 + self.masses * (2.0 * random[..., : len(links)] - 1.0)

        def take(size: int = 1) -> Any:
            nonlocal at
            at += size
            return random[..., at - size : at]

        found: dict[str, Any] = {}
        size = 1.0 + self.lengths * (2.0 * take() - 1.0)
        for k, name in enumerate(links):
            heavier = each[..., k : k + 1]
            if self.masses:
                found[f"{name}.mass"] = nominal[f"{name}.mass"] * heavier
            if self.masses or self.lengths:
                found[f"{name}.tensor"] = nominal[f"{name}.tensor"] * (heavier * size * size)
            if self.lengths:
                found[f"{name}.centre"] = nominal[f"{name}.centre"] * size
        if self.lengths:
            found |= {f"{name}.origin": nominal[f"{name}.origin"] * size for name in joints}
        rub, stiffer, damper, late, push, heading, tilt, side = (take() for _ in range(8))
        if self.friction is not None:
            found["friction"] = _between(self.friction, rub)
        if self.gains:
            found["kp"] = law.parameters["kp"] * (1.0 + self.gains * (2.0 * stiffer - 1.0))
            found["kd"] = law.parameters["kd"] * (1.0 + self.gains * (2.0 * damper - 1.0))
        if self.latency is not None:
            found["latency"] = _between(self.latency, late)[..., 0] / (law.substeps * simulation.dt)
        if self.pushes:
            a, zero = 2.0 * np.pi * heading, np.zeros(np.shape(heading))
            found["push_force"] = self.pushes * push * np.concatenate([cos(a), sin(a), zero], -1)
            times = np.array([0.0, self.push_every, self.push_lasting])
            found["push_times"] = times + take() * np.array([self.push_every, 0.0, 0.0])
        else:
            take()
        if self.slope:
            a, b = self.slope * tilt, 2.0 * np.pi * side
            down = np.concatenate([sin(a) * cos(b), sin(a) * sin(b), -cos(a)], -1)
            found["gravity"] = np.linalg.norm(np.asarray(figure.gravity, float)) * down
        for name, given in self.slots.items():
            found[name] = _between(given, take(sizes[name]))
        return found


def _between(ends: Any, random: Any) -> Any:
    low, high = (np.asarray(end, float) for end in ends)
    return low + (high - low) * random
