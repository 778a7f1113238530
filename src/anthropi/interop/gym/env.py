"""Gymnasium environments of one simulation, and of a batch of simulations."""

from typing import Any

import numpy as np

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError as missing:
    from anthropi.errors import MissingExtra

    raise MissingExtra("gymnasium", "gymnasium", "ap.gym") from missing

from anthropi.errors import InputError, ShapeError
from anthropi.interop.gym.episodes import Episodes
from anthropi.interop.gym.recording import Camera, Recording
from anthropi.simulation.device_kernel import on_host

__all__ = ["Env", "VectorEnv"]

RENDER_MODES = ("rgb_array",)


def _spaces(episodes: Episodes) -> tuple[Any, Any]:
    """Return the observation space and the action space of one environment."""
    bound = episodes.bound
    seen = gymnasium.spaces.Box(-bound, bound, (int(episodes.observations),), np.float32)
    return seen, gymnasium.spaces.Box(-1.0, 1.0, (episodes.actions,), np.float32)


def _render_mode(mode: str | None) -> str | None:
    if mode is not None and mode not in RENDER_MODES:
        raise InputError(f"render_mode={mode!r} is not valid. Choose from: {', '.join(RENDER_MODES)}, or None.")
    return mode


def _key(generator: np.random.Generator) -> int:
    return int(generator.integers(0, 2**63))


class Env(gymnasium.Env[np.ndarray, np.ndarray]):
    """Gymnasium environment of a simulation.

    Parameters
    ----------
    simulation : `ap.Simulation` with an action law (`ap.gym.Targets`, `ap.gym.Forces`) as controller, and batch 1.
    observe, reward, done : pure functions (figure, view) → (n,) array, number, mask; done None means never. They are
        recorded on a tape, so they use `ap.scalar`. `view` is an `ap.gym.View`.
    start : pure function (figure, random) → `ap.gym.Start`; None starts at the neutral pose.
    actions, substeps : number of actions, and steps of a control period; by default those of the action law.
    randomise : `ap.gym.Randomise`, or None.
    max_episode_steps : control periods after which an episode is truncated; None for no limit.
    bound : largest absolute value in an observation; larger ones are clipped.
    render_mode : "rgb_array" for pictures of the figure, or None. camera : its `ap.gym.Camera`.

    The states of the present episode are kept: `motion()` returns them, and `render_page(path)` writes a page.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES)}  # noqa: RUF012 - the type that gymnasium declares

    def __init__(
        self, simulation: Any, observe: Any, reward: Any, done: Any = None, *, start: Any = None,
        actions: int | None = None, substeps: int | None = None, randomise: Any = None,
        max_episode_steps: int | None = None, bound: float = 100.0, render_mode: str | None = None,
        camera: Camera | None = None,
    ) -> None:  # fmt: skip
        if getattr(simulation, "batch", 1) != 1:
            raise InputError(f"Env needs a simulation with batch=1, not {simulation.batch}. Use ap.gym.VectorEnv.")
        self.episodes = Episodes(simulation, observe, reward, done, start=start, actions=actions, substeps=substeps,
                                 randomise=randomise, bound=bound)  # fmt: skip
        self.observation_space, self.action_space = _spaces(self.episodes)
        self.max_episode_steps, self.render_mode = max_episode_steps, _render_mode(render_mode)
        self.camera = Camera() if camera is None else camera
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": round(1.0 / self.episodes.period)}
        self._recording = Recording(self.episodes, 0)
        self._seeded = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Start a new episode; return the observation and an empty dictionary.

        seed : seed of all random numbers from now on. With None, the random numbers of the present seed continue.
        """
        super().reset(seed=seed)
        every = np.ones(1, bool)
        if seed is not None or not self._seeded:
            self.episodes.seed(np.array([_key(self.np_random)], np.uint64), every)
            self._seeded = True
        self.episodes.restart(every)
        self._recording.begin()
        return self.episodes.look()[0][0], {}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Make one control period; return observation, reward, terminated, truncated and an empty dictionary."""
        if not self._seeded:
            raise InputError("This environment has no episode yet. Call reset first.")
        lost = bool(self.episodes.advance(action)[0])
        seen, reward, over = self.episodes.look()
        if lost:
            seen, reward, over = np.nan_to_num(seen, posinf=0.0, neginf=0.0), np.zeros(1), np.ones(1, bool)
        else:
            self._recording.add()
        last = self.max_episode_steps is not None and self.episodes.steps[0] >= self.max_episode_steps
        return seen[0], float(reward[0]), bool(over[0]), bool(last), {}

    def render(self) -> Any:
        """Return a picture (height, width, 3) of the figure, in integers from 0 to 255; None without a render mode."""
        if self.render_mode is None:
            return None
        return self.camera.picture(self.episodes.motion_figure(0), self.episodes.simulation.q)

    def policy(self, file: Any) -> Any:
        """Return a policy that was saved after training (.npz) as a controller, an `ap.controllers.Policy`."""
        return self.episodes.policy(file)

    def motion(self) -> Any:
        """Return the present episode as an `ap.Motion`, one frame for each control period."""
        return self._recording.motion()

    def render_page(self, path: Any, **options: Any) -> Any:
        """Write the present episode as an interactive page (.html); options as in `Motion.export`."""
        return self.motion().export(path, **options)


class VectorEnv(gymnasium.vector.VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Gymnasium vector environment: all environments are the rollouts of one batched simulation.

    Parameters
    ----------
    simulation : `ap.Simulation` with `batch` environments, on any target.
    autoreset_mode : "next_step", "same_step" or "disabled", or a `gymnasium.vector.AutoresetMode`.
    arrays : "numpy", or "torch": then `step` and `reset` take and return tensors on the device of the simulation, the
        CPU or the GPU, without copies through the host. With "same_step", infos["final_obs"] then contains the last
        observations of all environments.

    Other parameters are as in `Env`. Environment i with seed s has bit for bit the episodes of an `Env` with seed
    s + i, whatever the others do.
    """

    def __init__(
        self, simulation: Any, observe: Any, reward: Any, done: Any = None, *, start: Any = None,
        actions: int | None = None, substeps: int | None = None, randomise: Any = None,
        max_episode_steps: int | None = None, bound: float = 100.0, autoreset_mode: Any = "next_step",
        render_mode: str | None = None, camera: Camera | None = None, arrays: str = "numpy",
    ) -> None:  # fmt: skip
        kind: Any = Episodes
        if arrays == "torch":
            from anthropi.interop.gym.tensors import TensorEpisodes as kind  # noqa: N813
        elif arrays != "numpy":
            raise InputError(f'arrays={arrays!r} is not valid. Choose from: "numpy", "torch".')
        self.arrays = arrays
        self.episodes = kind(simulation, observe, reward, done, start=start, actions=actions, substeps=substeps,
                             randomise=randomise, bound=bound)  # fmt: skip
        self.num_envs = self.episodes.batch
        self.single_observation_space, self.single_action_space = _spaces(self.episodes)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.max_episode_steps, self.render_mode = max_episode_steps, _render_mode(render_mode)
        self.camera = Camera() if camera is None else camera
        modes = {mode.name.lower(): mode for mode in AutoresetMode}
        if autoreset_mode not in modes and not isinstance(autoreset_mode, AutoresetMode):
            raise InputError(f"autoreset_mode={autoreset_mode!r} is not valid. Choose from: {', '.join(modes)}.")
        self.autoreset_mode: Any = modes.get(autoreset_mode, autoreset_mode)
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": round(1.0 / self.episodes.period),
                         "autoreset_mode": self.autoreset_mode}  # fmt: skip
        self._over: Any = np.zeros(self.num_envs, bool)
        self._seeded = False

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Start new episodes; return the observations (num_envs, n) and an empty dictionary.

        seed : one number s for the seeds s, s + 1, …; or a seed or None for each environment. With None, the random
        numbers of the present seeds continue. options : {"reset_mask": (num_envs,)} restarts only some environments.
        """
        every = np.ones(self.num_envs, bool)
        mask = every if not options or "reset_mask" not in options else np.asarray(on_host(options["reset_mask"]), bool)
        if mask.shape != (self.num_envs,):
            raise ShapeError(f"reset_mask has shape {mask.shape}. Give ({self.num_envs},), one entry per environment.")
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
        self._seed(seed, mask)
        self.episodes.restart(mask)
        self._over = self.episodes.kept(self._over, mask)
        return self.episodes.look()[0], {}

    def _seed(self, seed: Any, mask: np.ndarray) -> None:
        """Set the keys of the random numbers of all environments, if they get seeds or have none yet."""
        if not self._seeded:
            keys = self.np_random.integers(0, 2**63, self.num_envs).astype(np.uint64)
            self.episodes.seed(keys, np.ones(self.num_envs, bool))
            self._seeded = True
        if seed is None:
            return
        seeds = [int(seed) + i for i in range(self.num_envs)] if isinstance(seed, (int, np.integer)) else list(seed)
        if len(seeds) != self.num_envs:
            raise ShapeError(f"There are {len(seeds)} seeds for {self.num_envs} environments.")
        given = np.array([s is not None for s in seeds]) & mask
        own = [_key(gymnasium.utils.seeding.np_random(s)[0]) if on else 0 for s, on in zip(seeds, given, strict=True)]
        self.episodes.seed(np.array(own, np.uint64), given)

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Make one control period; return observations, rewards, terminations, truncations and infos.

        In the mode "same_step", infos has "final_obs" of the environments that ended, and the mask "_final_obs".
        """
        if not self._seeded:
            raise InputError("These environments have no episodes yet. Call reset first.")
        if self.arrays == "torch":
            return self._step_tensors(actions)
        lost = self.episodes.advance(actions)
        fresh = self._over if self.autoreset_mode == AutoresetMode.NEXT_STEP else np.zeros(self.num_envs, bool)
        self.episodes.restart(fresh)
        seen, rewards, over = self.episodes.look()
        lost = lost & ~fresh
        if lost.any():
            seen[lost] = np.nan_to_num(seen[lost], posinf=0.0, neginf=0.0)
            rewards[lost], over[lost] = 0.0, True
        if fresh.any():
            rewards[fresh], over[fresh] = 0.0, False
        last = np.zeros(self.num_envs, bool)
        if self.max_episode_steps is not None:
            last = self.episodes.steps >= self.max_episode_steps
        self._over, infos = over | last, dict[str, Any]()
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._over.any():
            infos = self._restarted(seen)
        return seen, rewards, over, last, infos

    def _step_tensors(self, actions: Any) -> Any:
        """Make one control period on tensors, without decisions on the host."""
        from torch import logical_or, nan_to_num, where, zeros_like

        lost, mode = self.episodes.advance(actions), self.autoreset_mode
        if mode == AutoresetMode.NEXT_STEP:
            self.episodes.restart(self._over)
            lost = lost & ~self._over
        seen, rewards, over = self.episodes.look()
        seen = where(lost[:, None], nan_to_num(seen, posinf=0.0, neginf=0.0), seen)
        rewards, over = where(lost, 0.0, rewards), over | lost
        if mode == AutoresetMode.NEXT_STEP:
            rewards, over = where(self._over, 0.0, rewards), over & ~self._over
        last = zeros_like(over)
        if self.max_episode_steps is not None:
            last = self.episodes.steps >= self.max_episode_steps
        self._over, infos = logical_or(over, last), dict[str, Any]()
        if mode == AutoresetMode.SAME_STEP:
            infos = {"final_obs": seen, "_final_obs": self._over}
            seen = where(self._over[:, None], self.episodes.restart(self._over), seen)
        return seen, rewards, over, last, infos

    def _restarted(self, seen: np.ndarray) -> dict[str, Any]:
        """Restart the environments that ended, replace their observations, and return their last ones as infos."""
        rows = np.flatnonzero(self._over)
        final = np.full(self.num_envs, None, object)
        final[rows] = list(seen[rows])
        infos: dict[str, Any] = {"final_obs": final, "_final_obs": self._over.copy()}
        infos |= {"final_info": {}, "_final_info": self._over.copy()}
        self.episodes.restart(self._over)
        seen[rows] = self.episodes.look(rows)[0]
        return infos

    def render(self) -> Any:
        """Return a picture (height, width, 3) of each environment; None without a render mode."""
        if self.render_mode is None:
            return None
        q = np.reshape(self.episodes.simulation.q, (self.num_envs, -1))
        return tuple(self.camera.picture(self.episodes.motion_figure(i), q[i]) for i in range(self.num_envs))

    def policy(self, file: Any) -> Any:
        """Return a policy that was saved after training (.npz) as a controller, an `ap.controllers.Policy`."""
        return self.episodes.policy(file)
