"""Problems of one kind, ready for their kernel: checked arrays, first starts, and new ones where those did not do.

Floats only.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.errors import InputError, ShapeError
from anthropi.figure.states import unit_quaternions

__all__ = ["Problems", "gather", "goals_of", "weights_of"]

AXES = {"q0": 1, "goals": 1, "weights": 1, "tolerance": 0, "posture": 1, "pull": 1}  # of one problem


@dataclass(frozen=True, eq=False)
class Problems:
    """A kernel and its arrays, each for one problem or (batch, …) for many."""

    figure: Any
    targets: tuple
    run: Any
    arrays: dict[str, np.ndarray]
    tolerance: float
    batch: int | None
    threads: int | None = None

    def solve(self, restarts: int, seed: int):
        """q, error of each target, passes; from the start given, then from random ones where that did not do."""
        q, error, passes = self.run(**self.arrays, threads=self.threads)
        if not restarts or not (np.max(error) > self.tolerance):
            return q, error, passes
        found = [np.array(x if self.batch is not None else x[None]) for x in (q, error, passes)]
        given = {n: np.broadcast_to(a, (len(found[0]), *a.shape[a.ndim - AXES[n] :])) for n, a in self.arrays.items()}
        rng = np.random.default_rng(seed)
        for _ in range(restarts):
            missed = np.flatnonzero((~self.reached(found[1])).any(-1))
            if not len(missed):
                break
            some = {n: a[missed] for n, a in given.items()}
            some["q0"] = np.stack([self.figure.random(rng) for _ in missed])
            _keep_better(found, missed, self.run(**some, threads=self.threads), some["weights"])
        return tuple(found if self.batch is not None else (x[0] for x in found))

    def reached(self, error):
        """Which targets are met, or do not count."""
        return (error <= self.tolerance) | (self.arrays["weights"] == 0.0)

    def alone(self, problem: int, q, restarts: int = 4):
        """The error (targets,) of each target of one problem when it is the only one, from q and a few more starts."""
        one = {name: a[problem] if a.ndim > AXES[name] else a for name, a in self.arrays.items()}
        always = np.array([float(t.always) * np.mean(t.weight) for t in self.targets])
        one |= {"weights": np.maximum(np.eye(len(self.targets)), always), "q0": q}
        return np.diag(replace(self, arrays=one, batch=len(self.targets)).solve(restarts, seed=0)[1])


def _keep_better(found, where, again, weights) -> None:
    """Put what came out better in the place of what was found."""
    q, error, passes = again
    cost, before = (weights * error) ** 2, (weights * found[1][where]) ** 2
    better = cost.sum(-1) < before.sum(-1)
    found[0][where[better]], found[1][where[better]] = q[better], error[better]
    found[2][where] += passes


def gather(figure, targets, posture, q0, tolerance) -> tuple[dict[str, np.ndarray], int | None]:
    """All inputs of the kernel, and for how many problems they are (None: one)."""
    start = np.asarray(q0, float)
    if start.shape[-1:] != (figure.nq,) or start.ndim > 2 or not np.isfinite(start).all():
        raise InputError(f"q0 has shape {start.shape}; give finite numbers ({figure.nq},) or (batch, {figure.nq}).")
    unit_quaternions(figure, start)
    if np.ndim(tolerance) or not 0.0 < tolerance < np.inf:
        raise InputError(f"tolerance is {tolerance}; give how near is near enough, above 0 [m, rad].")
    arrays = {"q0": start, "goals": goals_of(targets), "weights": weights_of(targets), "tolerance": np.array(tolerance)}
    if posture is not None:
        wanted = np.asarray(posture.q, float)
        if wanted.shape[-1:] != (figure.nq,) or not np.isfinite(wanted).all():
            raise InputError(f"The posture has shape {wanted.shape}; give finite numbers ({figure.nq},) or (batch, …).")
        unit_quaternions(figure, wanted)
        arrays |= {"posture": np.asarray(posture.q, float), "pull": _pull(figure, posture)}
    sizes = {name: len(a) for name, a in arrays.items() if a.ndim > AXES[name]}
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{name} for {n}" for name, n in sizes.items())
        raise ShapeError(f"These are for different numbers of problems: {listed}. Give all for the same, or for one.")
    return arrays, next(iter(sizes.values()), None)


def goals_of(targets) -> np.ndarray:
    """All goals side by side, (n,) or (batch, n)."""
    goals = [t.goal() for t in targets]
    sizes = {len(g) for g in goals if g.ndim == 2}
    if len(sizes) > 1:
        raise ShapeError(f"The goals of {', '.join(t.label() for t in targets)} are for {sorted(sizes)} problems each; "
                         "give all for the same number, or for one.")  # fmt: skip
    if sizes:
        goals = [np.broadcast_to(g, (*sizes, g.shape[-1])) for g in goals]
    together = np.concatenate(goals, axis=-1)
    if not np.isfinite(together).all():
        odd = next(t for t, g in zip(targets, goals, strict=True) if not np.isfinite(g).all())
        raise InputError(f"The goal of the {odd.label()} is not finite: {odd.at}.")
    return together


def weights_of(targets) -> np.ndarray:
    """(targets,), or (batch, targets) if any target has a weight for each problem."""
    weights = [t.weight for t in targets]
    alike = all(isinstance(w, float) for w in weights)
    together = np.array(weights) if alike else np.stack(np.broadcast_arrays(*weights), axis=-1).astype(float)
    if together.ndim > 2 or not ((together >= 0.0) & (together < np.inf)).all():
        listed = ", ".join(f"{t.label()} {t.weight}" for t in targets)
        raise InputError(f"Weights are {listed}; give finite numbers, none negative, one or one for each problem.")
    return together


def _pull(figure, posture) -> np.ndarray:
    pull = np.asarray(posture.weight, float)
    if pull.shape not in ((), (figure.nu,)) or not ((pull >= 0.0) & (pull <= 1.0)).all():
        raise InputError(
            f"The weight of a posture is {posture.weight}; give one number from 0 to 1, or ({figure.nu},)."
        )
    return np.broadcast_to(pull, (figure.nu,))
