"""Claim: a `VectorEnv` of 1,024 humans on their feet makes at least 30,000 environment steps per second on two threads.

The environment is anthropi/HumanWalk-v0: 33 degrees of freedom, 16 contact points, control periods of 20 ms with ten
steps of 2 ms, random actions, and restarts of the figures that fall. The rate includes observations, rewards and
restarts. The same with domain randomisation, in float32 and with Cartpole-v0 is printed, and Humanoid-v5 of gymnasium
(MuJoCo, control periods of 15 ms with five steps of 3 ms) as a `SyncVectorEnv` of 16 in the same run.
"""

import sys
import time
import types
from importlib.metadata import version

import gymnasium
import numpy as np
from _machine import machine

import anthropi as ap

CLAIM = 30_000  # environment steps per second
NUM_ENVS, THREADS, ROUNDS, STEPS = 1024, 2, 4, 50


def rate(env, steps: int = STEPS) -> tuple[float, int]:
    """Return the environment steps per second under random actions, the best of some rounds, and the episode ends."""
    rng = np.random.default_rng(0)
    space = env.single_action_space
    actions = rng.uniform(space.low, space.high, (steps, env.num_envs, *space.shape)).astype(np.float32)
    env.reset(seed=0)
    for action in actions:  # until the figures have fallen at different times, and the code is compiled
        env.step(action)
    best, ends = 0.0, 0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            ends += int((terminated | truncated).sum())
        best = max(best, steps * env.num_envs / (time.perf_counter() - start))
    return best, ends


def main() -> int:
    names = ("gymnasium", "mujoco")
    print(f"{machine()}, {', '.join(f'{name} {version(name)}' for name in names)}; {THREADS} threads\n")
    everything = ap.gym.Randomise(masses=0.2, lengths=0.05, friction=(0.4, 1.0), gains=0.2, latency=(0.0, 0.03),
                                  pushes=100.0, slope=0.05)  # fmt: skip
    cases = {
        "HumanWalk-v0": ("HumanWalk-v0", {}),
        "HumanWalk-v0, float32": ("HumanWalk-v0", {"precision": "float32"}),
        "HumanWalk-v0, randomised": ("HumanWalk-v0", {"randomise": everything}),
        "Cartpole-v0": ("Cartpole-v0", {}),
    }
    found = {}
    print(f"{'':28} {'environments':>12} {'steps per second':>17} {'episodes ended':>15} {'operations':>11}")
    for words, (name, options) in cases.items():
        env = gymnasium.make_vec(f"anthropi/{name}", num_envs=NUM_ENVS, threads=THREADS, opt=2, **options)
        found[words], ends = rate(env)
        operations = env.unwrapped.episodes.operations
        print(f"{words:28} {NUM_ENVS:12,} {found[words]:17,.0f} {ends:15,} {operations:11,}")
    sys.modules.setdefault("imageio", types.ModuleType("imageio"))  # gymnasium needs it for pictures only
    peer = gymnasium.make_vec("Humanoid-v5", num_envs=16, vectorization_mode="sync")
    theirs, ends = rate(peer, 20)
    print(f"{'Humanoid-v5 of gymnasium':28} {16:12,} {theirs:17,.0f} {ends:15,}")
    print(f"\nratio to Humanoid-v5: {found['HumanWalk-v0'] / theirs:.0f}")
    if found["HumanWalk-v0"] < CLAIM:
        print(f"{found['HumanWalk-v0']:,.0f} steps per second, claimed {CLAIM:,}")
        return 1
    print("the claim holds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
