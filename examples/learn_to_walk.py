"""Learning: a cart-pole, a hopper and a human learn by PPO, in plain PyTorch, on one batch of simulations.

`python learn_to_walk.py cartpole` or `hopper` takes less than a minute on two CPU cores, `human --device cuda` four
minutes on a data-centre GPU: a human of random masses and lengths walks on ground of random friction and is pushed.
`--evaluate` loads the policy and tests it: without noise, and the human with a push of 30 N s in each of 8 directions.
"""

import argparse
from pathlib import Path

import gymnasium
from _learning import Policy, Settings, tested, train

import anthropi as ap

BODIES = {"masses": 0.2, "lengths": 0.05, "friction": (0.5, 1.0)}
PUSHES = {"pushes": 400.0, "push_every": 3.0}  # up to 40 N s
SMALL = Settings((64, 64), 32, deviation=1.0, scale=0.5, reward=0.1, learning_rates=(1e-3, 1e-5, 3e-3))
TASKS = {  # environment, number of environments, settings, environment steps, randomisation of bodies, pushes
    "cartpole": ("Cartpole-v0", 256, SMALL, 400_000, {}, {}),
    "hopper": ("Hopper-v0", 1024, SMALL, 4_000_000, {}, {}),
    "human": ("HumanGait-v0", 8192, Settings(), 10**10, BODIES, PUSHES),
}


def made(task, device, count=None, pushed=False, mode="same_step"):
    """Return the environments of a task, on tensors."""
    name, many, _, _, bodies, pushes = TASKS[task]
    changes = ap.gym.Randomise(**bodies, **(pushes if pushed else {}))
    target = "gpu" if device == "cuda" else "cpu"
    return gymnasium.make_vec(f"anthropi/{name}", num_envs=count or many, randomise=changes, autoreset_mode=mode,
                              arrays="torch", target=target, precision="float32")  # fmt: skip


def check(task, device, policy, count=1024):
    """Test a policy for 10 s without noise, and a human with pushes."""
    alive, speed = tested(made(task, device, count, mode="disabled"), policy)
    print(f"{alive.mean():.1%} of {count} did not fall in 10 s, mean speed {speed:.2f} m/s")
    assert alive.mean() > 0.9, "nine of ten do not fall"
    if task == "human":
        alive, _ = tested(made(task, device, count, mode="disabled"), policy, 30.0)
        each = ", ".join(f"{45 * k}° {alive[k::8].mean():.1%}" for k in range(8))
        print(f"{alive.mean():.1%} of {count} survived a push of 30 N s; by its direction: {each}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", nargs="?", default="cartpole", choices=TASKS)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--minutes", type=float, default=4.0, help="longest time of training")
    parser.add_argument("--envs", type=int, help="number of environments")
    parser.add_argument("--evaluate", type=int, metavar="N", help="only test the saved policy, in N environments")
    given = parser.parse_args()
    folder, (_, _, settings, steps, _, _) = Path("out/learning") / given.task, TASKS[given.task]
    if given.evaluate:
        policy = Policy.load(folder, given.device, settings)
    else:
        policy = train(made(given.task, given.device, given.envs, True), settings, steps, given.minutes, folder)
    check(given.task, given.device, policy, given.evaluate or 1024)
