"""Adapter for Stable-Baselines3: a `VectorEnv` as its `VecEnv`."""

from typing import Any

import numpy as np

from anthropi.errors import InputError
from anthropi.interop.gym.env import VectorEnv

__all__ = ["sb3"]


def sb3(environments: VectorEnv) -> Any:
    """Return vector environments as a `VecEnv` of Stable-Baselines3.

    environments : `VectorEnv` with autoreset_mode="same_step", as Stable-Baselines3 expects. Returns and lengths of
    episodes are in the infos, so no `VecMonitor` is needed.
    """
    try:
        from stable_baselines3.common.vec_env import VecEnv
    except ImportError as missing:
        words = "ap.gym.sb3 needs 'stable-baselines3'. Install it with: pip install stable-baselines3"
        raise InputError(words) from missing
    env: Any = environments.unwrapped
    if not isinstance(env, VectorEnv):
        raise InputError(f"sb3 needs an ap.gym.VectorEnv, and got {type(env).__name__}.")
    if env.autoreset_mode.name != "SAME_STEP":
        raise InputError('Stable-Baselines3 restarts environments in the same step. Use autoreset_mode="same_step".')

    class Adapter(VecEnv):
        """The vector environments in the interface of Stable-Baselines3."""

        def __init__(self) -> None:
            super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)
            self._first_seed: int | None = None
            self._actions: Any = None
            self._returns = np.zeros(env.num_envs)
            self._lengths = np.zeros(env.num_envs, int)

        def seed(self, seed: int | None = None) -> Any:
            self._first_seed = seed
            return [None if seed is None else seed + i for i in range(self.num_envs)]

        def reset(self) -> np.ndarray:
            seen, _ = env.reset(seed=self._first_seed)
            self._first_seed = None
            self._returns[:], self._lengths[:] = 0.0, 0
            return seen

        def step_async(self, actions: np.ndarray) -> None:
            self._actions = actions

        def step_wait(self) -> Any:
            seen, rewards, terminated, truncated, found = env.step(self._actions)
            over = terminated | truncated
            self._returns += rewards
            self._lengths += 1
            infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
            for i in np.flatnonzero(over):
                infos[i] = {"terminal_observation": found["final_obs"][i],
                            "TimeLimit.truncated": bool(truncated[i] and not terminated[i]),
                            "episode": {"r": float(self._returns[i]), "l": int(self._lengths[i])}}  # fmt: skip
            self._returns[over], self._lengths[over] = 0.0, 0
            return seen, rewards.astype(np.float32), over, infos

        def close(self) -> None:
            env.close()

        def get_images(self) -> Any:
            return list(env.render() or [])

        def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
            return [getattr(env, attr_name)] * len(list(self._get_indices(indices)))

        def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
            setattr(env, attr_name, value)

        def env_method(self, method_name: str, *args: Any, indices: Any = None, **options: Any) -> list[Any]:
            return [getattr(env, method_name)(*args, **options)] * len(list(self._get_indices(indices)))

        def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
            return [False] * len(list(self._get_indices(indices)))

    return Adapter()
