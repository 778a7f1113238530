"""Proximal policy optimisation (PPO; Schulman et al., 2017) in plain PyTorch, on environments that give tensors."""

import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import nn


@dataclass(frozen=True)
class Settings:
    """Numbers of the training. Defaults are for the human; learning_rate follows the divergence of the policy."""

    hidden: tuple = (256, 256, 128)
    horizon: int = 24  # control periods between two updates
    epochs: int = 4
    batches: int = 4
    discount: float = 0.99
    smoothing: float = 0.95  # λ of the generalised advantage
    clip: float = 0.2
    entropy: float = 5e-4
    deviation: float = 0.3  # of the actions at the start
    scale: float = 1 / 3  # from the output of the network to the action
    reward: float = 0.05  # factor, so that values are near 1
    divergence: float = 0.01  # wanted in an update; a tenth of it at the end
    learning_rates: tuple = (3e-4, 1e-5, 1e-3)  # first, smallest, largest


class Policy(nn.Module):
    """Mean and deviation of the action, and the value, from observations that it normalises."""

    def __init__(self, inputs, outputs, settings):
        super().__init__()
        sizes = (inputs, *settings.hidden)
        self.mean, self.value = (self._network(sizes, n) for n in (outputs, 1))
        self.mean[-1].weight.data *= 0.01  # small actions at first
        self.log_deviation = nn.Parameter(torch.full((outputs,), float(np.log(settings.deviation))))
        self.scale = settings.scale
        self.register_buffer("centre", torch.zeros(inputs))
        self.register_buffer("variance", torch.ones(inputs))
        self.register_buffer("count", torch.ones(()))

    @staticmethod
    def _network(sizes, outputs):
        layers = [layer for a, b in pairwise(sizes) for layer in (nn.Linear(a, b), nn.ELU())]
        last = nn.Linear(sizes[-1], outputs)
        nn.init.zeros_(last.bias)
        return nn.Sequential(*layers, last)

    @classmethod
    def load(cls, folder, device, settings):
        """Return a saved policy."""
        found = torch.load(folder / "policy.pt", map_location=device)
        policy = cls(len(found["centre"]), len(found["log_deviation"]), settings).to(device)
        policy.load_state_dict(found)
        return policy

    def look(self, seen):
        """Update the mean and the variance of the observations."""
        off, own = seen.mean(0) - self.centre, self.count / (self.count + len(seen))
        self.centre += off * (1 - own)
        self.variance.mul_(own).add_(seen.var(0) * (1 - own) + off**2 * own * (1 - own))
        self.count.add_(len(seen)).clamp_(max=5e6)

    def normalised(self, seen):
        return ((seen - self.centre) / (self.variance + 1e-5).sqrt()).clamp(-8.0, 8.0)

    def action(self, seen):
        """Return the action without noise."""
        return (self.scale * self.mean(self.normalised(seen))).clamp(-1.0, 1.0)

    def save(self, folder):
        """Save all numbers (policy.pt), and what the controller of a simulation needs (policy.npz)."""
        torch.save(self.state_dict(), folder / "policy.pt")
        linear = [layer for layer in self.mean if isinstance(layer, nn.Linear)]
        arrays = {f"weight_{k}": layer.weight for k, layer in enumerate(linear)}
        arrays |= {f"bias_{k}": layer.bias for k, layer in enumerate(linear)}
        arrays |= {"centre": self.centre, "deviation": (self.variance + 1e-5).sqrt()}
        plain = {name: x.detach().cpu().numpy() for name, x in arrays.items()}
        np.savez(folder / "policy.npz", **plain, limit=8.0, scale=self.scale, activation="elu")


def log_likelihood(x, mean, log_deviation):
    return (-0.5 * ((x - mean) / log_deviation.exp()) ** 2 - log_deviation).sum(-1)


def train(env, settings, steps, minutes, folder):
    """Train a policy for a number of environment steps or minutes; write curve.csv, policy.npz and policy.pt."""
    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high")
    s, (rate, lowest, highest) = settings, settings.learning_rates
    env.reset(seed=0)
    begun = time.perf_counter()
    env.step(torch.zeros(env.action_space.shape))  # compiles the kernel of the simulation
    seen = env.reset(seed=0)[0]
    print(f"{env.num_envs} environments on {seen.device}, compiled in {time.perf_counter() - begun:.1f} s")
    policy = Policy(seen.shape[1], env.single_action_space.shape[0], s).to(seen.device)
    optimiser, begun, done_steps = torch.optim.Adam(policy.parameters(), rate), time.perf_counter(), 0
    length, log = torch.zeros(env.num_envs, device=seen.device), Log(Path(folder), env)
    while done_steps < steps and time.perf_counter() - begun < 60 * minutes:
        part_done = max(done_steps / steps, (time.perf_counter() - begun) / 60 / minutes)
        rows, wanted = [], s.divergence * (1 - 0.9 * min(part_done, 1))
        with torch.no_grad():
            for _ in range(s.horizon):
                policy.look(seen)
                x = policy.normalised(seen)
                mean, value = policy.mean(x), policy.value(x)[:, 0]
                drawn = mean + policy.log_deviation.exp() * torch.randn_like(mean)
                seen, reward, fell, late, found = env.step(s.scale * drawn)
                over, length = fell | late, length + 1
                log.add(length, fell, over, reward)
                length = length * ~over
                after = policy.value(policy.normalised(found["final_obs"]))[:, 0]  # of episodes that are cut off
                gain = s.reward * reward + s.discount * after * (late & ~fell)
                rows.append((x, drawn, mean, value, gain, over.float()))
            values = [row[3] for row in rows] + [policy.value(policy.normalised(seen))[:, 0]]
            advantage, found = torch.zeros_like(length), []
            for k in reversed(range(s.horizon)):
                _, _, _, value, gain, over = rows[k]
                error = gain + s.discount * values[k + 1] * (1 - over) - value
                advantage = error + s.discount * s.smoothing * (1 - over) * advantage
                found.append(advantage)
            x, drawn, mean, value = (torch.cat([row[k] for row in rows]) for k in range(4))
            advantage = torch.cat(found[::-1])
            target, before = advantage + value, policy.log_deviation.detach().clone()
            likely = log_likelihood(drawn, mean, before)
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        for _ in range(s.epochs):
            for rows_ in torch.randperm(len(x), device=x.device).chunk(s.batches):
                now, spread = policy.mean(x[rows_]), policy.log_deviation
                ratio = (log_likelihood(drawn[rows_], now, spread) - likely[rows_]).exp()
                good = torch.min(ratio * advantage[rows_], ratio.clamp(1 - s.clip, 1 + s.clip) * advantage[rows_])
                off = policy.value(x[rows_])[:, 0] - target[rows_]
                loss = 0.5 * off.square().mean() - good.mean() - s.entropy * spread.sum()
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(policy.mean.parameters(), 1.0)
                nn.utils.clip_grad_norm_(policy.value.parameters(), 1.0)
                optimiser.step()
            with torch.no_grad():
                square = ((2 * before).exp() + (mean[rows_] - now) ** 2) / (2 * (2 * spread).exp())
                apart = float((spread - before + square - 0.5).sum(-1).mean())
            rate = max(rate / 1.5, lowest) if apart > 2 * wanted else rate
            rate = min(rate * 1.5, highest) if apart < 0.5 * wanted else rate
            for group in optimiser.param_groups:
                group["lr"] = rate
        done_steps += len(x)
        log.write(time.perf_counter() - begun, done_steps, rate, policy)
    log.write(time.perf_counter() - begun, done_steps, rate, policy, last=True)
    return policy


@torch.no_grad()
def tested(env, policy, impulse=0.0, periods=500):
    """Return which environments never fell, and the mean speed [m/s]. With a push [N s] in one of 8 directions."""
    seen, count, episodes = env.reset(seed=1)[0], env.num_envs, env.unwrapped.episodes
    if impulse:
        angle = np.pi / 4 * (np.arange(count) % 8)  # of the force: forward, to the left front, to the left, …
        force = impulse / 0.1 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], -1)
        times = np.stack([2 + np.arange(count) / count, np.full(count, 1e3), np.full(count, 0.1)], -1)
        episodes.simulation.set_parameters({"push_force": force, "push_times": times})
    alive, begun = torch.ones_like(seen[:, 0]) > 0, torch.from_dlpack(episodes.simulation.q)[:, 0].clone()
    for _ in range(periods):
        seen, _, fell, *_ = env.step(policy.action(seen))
        alive &= ~fell
    distance = (torch.from_dlpack(episodes.simulation.q)[:, 0] - begun)[alive].mean()
    return alive.cpu().numpy(), float(distance) / (periods * episodes.period)


class Log:
    """Lines on the screen every few seconds, and the same numbers in curve.csv."""

    columns = ("seconds", "million_steps", "steps_per_second", "episode_seconds", "to_the_end", "reward", "speed",
               "deviation", "learning_rate")  # fmt: skip

    def __init__(self, folder, env, every=5.0):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.episodes, self.every, self.next, self.sums = folder, env.unwrapped.episodes, every, 0.0, 0.0
        (folder / "curve.csv").write_text(",".join(self.columns) + "\n")
        print(" ".join(f"{name:>16}" for name in self.columns), flush=True)

    def add(self, length, fell, over, reward):
        one = (length * over).sum(), over.sum(), (over & ~fell).sum(), reward.mean(), torch.ones_like(reward[0])
        self.sums = self.sums + torch.stack([x.float() for x in one])

    def write(self, seconds, steps, rate, policy, last=False):
        if self.sums[-1] == 0.0 or not (last or seconds >= self.next):
            return
        length, ends, late, reward, count = self.sums.clamp(min=1e-9).tolist()
        speed = float(torch.from_dlpack(self.episodes.simulation.u)[:, 0].mean())
        row = (seconds, steps / 1e6, steps / seconds, length / max(ends, 1) * self.episodes.period, late / max(ends, 1),
               reward / count, speed, float(policy.log_deviation.detach().exp().mean()), rate)  # fmt: skip
        with (self.folder / "curve.csv").open("a") as file:
            file.write(",".join(f"{x:.6g}" for x in row) + "\n")
        print(" ".join(f"{x:>16.4g}" for x in row), flush=True)
        self.next, self.sums = seconds + self.every, 0.0 * self.sums
        policy.save(self.folder)
