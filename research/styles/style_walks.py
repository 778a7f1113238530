"""Many styles at once: walks of one body, each in a style of its own and jostled in its own way, as one batch.

    F(t) = m g Σ_k a_k sin 2π f_k t + b_k cos 2π f_k t,   at the pelvis, horizontally                           (1)

with four frequencies f and a, b (2, 4) drawn by a seed, so that F is `JOSTLE` of the weight (root of the mean square);
the start is off the gait by `SCATTER`. Styles and forces are parameters: a kernel for each body serves all of them.
"""

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import cos, sin
from anthropi.gait.falls import WALKING, upright
from anthropi.gait.reference.norms import GRAVITY
from anthropi.gait.styles.styled_walker import styled
from anthropi.gait.walker.command import rows_at
from anthropi.gait.walker.parameters import load_walker
from anthropi.gait.walker.walker import Walker, sole_scene, walker_at_start
from anthropi.motion import Motion
from anthropi.simulation.drive import Drive, checked
from anthropi.simulation.forces import combined
from anthropi.simulation.simulate import simulate

__all__ = ["Jostled", "fell_at", "style_walks"]

WAVES = (0.31, 0.57, 0.83, 1.21)  # (1) [Hz]
JOSTLE, SCATTER = 0.015, 0.05  # of the weight; [m/s]


class Jostled:
    """A walker that is jostled (1). Parameters: its own, and "jostle" (2, 2, 4), in weights: a, b along x and y."""

    prescribed: tuple[str, ...] = ()

    def __init__(self, walker: Walker):
        self.walker = walker
        self.parameters = dict(walker.parameters) | {"jostle": np.zeros((2, 2, len(WAVES)))}
        self.memory = walker.memory

    def __call__(self, figure, sense, memory, parameters):
        """The walker's drive and (1)."""
        own = dict(parameters)
        a, b = own.pop("jostle")
        drive, after = self.walker(figure, sense, memory, own)
        angle = [2.0 * np.pi * f * sense.t for f in WAVES]
        force = a @ np.stack([sin(x) for x in angle]) + b @ np.stack([cos(x) for x in angle])
        f = figure.mass * GRAVITY * np.concatenate([force, np.zeros(1)])
        push = np.concatenate([np.zeros(3), matvec(transpose(sense.kinematics.rotation[0]), f)])
        return combined(checked(figure, drive, ()), Drive(f_ext={0: push})), after


def style_walks(figure, styles, seeds=(None,), duration: float = 30.0, speed=1.3, walker="natural",
                every: int = 10) -> Motion:  # fmt: skip
    """Walks (styles × seeds, in this order) of a figure at a speed [m/s], or one for each style; frames every 10 ms.

    A seed of None is not jostled.
    """
    file, styles = load_walker(walker), tuple(styles)
    own, q, u = walker_at_start(figure, file)
    rows = [(s, seed) for s in styles for seed in seeds]
    made = {id(s): styled(file.parameters, s) for s in styles}
    jostles, offs = zip(*(_drawn(seed, k // len(seeds)) for k, (_, seed) in enumerate(rows)), strict=True)
    numbers = {name: np.stack([made[id(s)][name] for s, _ in rows]) for name in file.parameters}
    told = rows_at(np.repeat(np.broadcast_to(speed, len(styles)), len(seeds)))
    u = np.tile(u, (len(rows), 1))
    u[:, :2] += np.array(offs)
    return simulate(
        sole_scene(figure), np.tile(q, (len(rows), 1)), u, Jostled(own),
        command=told, duration=duration, every=every, strict=False,
        parameters=numbers | {"jostle": np.stack(jostles)}, opt=2,
    )  # fmt: skip


def fell_at(motion: Motion) -> np.ndarray:
    """When each rollout fell [s] (…,); inf where it did not."""
    height = motion.q[..., 2]
    down = ~upright(height, height[..., :1], WALKING)
    return np.where(down.any(-1), motion.time[np.argmax(down, -1)], np.inf)


def _drawn(seed: int | None, style: int):
    """Coefficients (2, 2, 4) of (1) and the start's change of velocity (2,) [m/s]."""
    if seed is None:
        return np.zeros((2, 2, len(WAVES))), np.zeros(2)
    rng = np.random.default_rng([seed, style])
    x = rng.standard_normal((2, 2, len(WAVES)))
    return JOSTLE * x / np.sqrt(0.5 * (x * x).sum()), SCATTER * rng.standard_normal(2)
