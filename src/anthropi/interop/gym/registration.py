"""The registered environments, for `gymnasium.make` and `gymnasium.make_vec`."""

from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium

from anthropi.errors import InputError, did_you_mean
from anthropi.interop.gym.env import Env, VectorEnv
from anthropi.interop.gym.randomise import Randomise
from anthropi.interop.gym.tasks.cartpole import cartpole
from anthropi.interop.gym.tasks.gait import human_gait
from anthropi.interop.gym.tasks.hopper import hopper
from anthropi.interop.gym.tasks.legged import human, roach
from anthropi.interop.gym.tasks.reach import reach
from anthropi.simulation.simulation import Simulation

__all__ = ["ENVIRONMENTS", "make", "make_vector", "register"]

NAMESPACE = "anthropi"


class Entry(NamedTuple):
    """A registered environment: the function of its task, the options of this function, and the length of episodes."""

    task: Callable[..., dict[str, Any]]
    options: dict[str, Any]
    max_episode_steps: int
    randomise: Randomise | None = None


ENVIRONMENTS: dict[str, Entry] = {
    "HumanStand-v0": Entry(human, {"speed": 0.0}, 500, Randomise(pushes=150.0)),
    "HumanWalk-v0": Entry(human, {"speed": 1.25}, 1000),
    "HumanRun-v0": Entry(human, {"speed": 3.0}, 1000),
    "HumanGait-v0": Entry(human_gait, {"speed": 1.3}, 500),
    "Hopper-v0": Entry(hopper, {"speed": 1.0}, 500),
    "Reach-v0": Entry(reach, {}, 150),
    "Roach-v0": Entry(roach, {"speed": 0.3}, 1000),
    "Cartpole-v0": Entry(cartpole, {}, 500),
}


def make(name: str, render_mode: str | None = None, **options: Any) -> Env:
    """Return a registered environment, for `gymnasium.make`; options as in `make_vector`."""
    return Env(*_parts(name, 1, options), render_mode=render_mode, **options)


def make_vector(name: str, num_envs: int = 1, **options: Any) -> VectorEnv:
    """Return a registered environment as a batch, for `gymnasium.make_vec`.

    options : precision, target, threads and opt of the simulation; randomise (`Randomise`, or None for none);
    max_latency [control periods] of the action law; options of the task, such as speed [m/s]; and those of `VectorEnv`,
    such as autoreset_mode.
    """
    return VectorEnv(*_parts(name, num_envs, options), **options)


_SIMULATION = ("precision", "target", "threads", "opt")
_LAW = ("latency", "max_latency", "pushed")


def _parts(name: str, batch: int, options: dict[str, Any]) -> tuple[Any, ...]:
    """Return simulation, observe, reward and done; remove used options, and add those of the task."""
    if name not in ENVIRONMENTS:
        known = ", ".join(ENVIRONMENTS)
        raise InputError(f"No environment '{name}'.{did_you_mean(name, ENVIRONMENTS)} Environments: {known}.")
    entry = ENVIRONMENTS[name]
    randomise = options.pop("randomise", entry.randomise)
    own = entry.options | {key: options.pop(key) for key in list(options) if key in (*_LAW, *entry.options, "figure")}
    if randomise is not None and randomise.latency is not None and "max_latency" not in own:
        own["max_latency"] = _MAX_PERIODS
    task = entry.task(**own)
    slots = () if randomise is None else randomise.slots_of(task["scene"].figure)
    simulation = Simulation(task["scene"], task["law"], dt=task["dt"], batch=batch, slots=slots,
                            **{key: options.pop(key) for key in _SIMULATION if key in options})  # fmt: skip
    options["randomise"] = randomise
    for key in ("start", "camera"):
        options.setdefault(key, task[key])
    return simulation, task["observe"], task["reward"], task.get("done")


_MAX_PERIODS = 3.0  # control periods of latency for which the memory of the action law has room


def register() -> None:
    """Register all environments with gymnasium, as anthropi/HumanWalk-v0 and so on; importing `ap.gym` does it too."""
    for name, entry in ENVIRONMENTS.items():
        if f"{NAMESPACE}/{name}" not in gymnasium.registry:
            gymnasium.register(
                f"{NAMESPACE}/{name}",
                entry_point=f"{__name__}:make",
                vector_entry_point=f"{__name__}:make_vector",
                max_episode_steps=entry.max_episode_steps,
                kwargs={"name": name},
            )
