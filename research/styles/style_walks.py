"""Simulation of walks in many styles, each disturbed at random, as a study.

    F(t) = m g Σ_k a_k sin 2π f_k t + b_k cos 2π f_k t,   at the pelvis, horizontally                           (1)

with four frequencies f, and a and b (2, 4) drawn by a seed, so that the RMS of F is `DISTURBANCE` of the weight. The
start differs from the gait by `START_SPREAD`. Styles and forces are parameters, so one kernel per body serves all of
them.
"""

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import cos, sin
from anthropi.figure.human.build import human
from anthropi.gait.falls import fall_time
from anthropi.gait.reference.norms import GRAVITY
from anthropi.gait.styles import STYLES
from anthropi.gait.styles.classification import MEASURES, measures
from anthropi.gait.styles.styled_walker import styled
from anthropi.gait.walker.command import rows_at
from anthropi.gait.walker.parameters import load_walker
from anthropi.gait.walker.walker import Walker, sole_scene, walker_at_start
from anthropi.motion import Motion
from anthropi.simulation.drive import Drive, checked
from anthropi.simulation.forces import combined
from anthropi.simulation.simulate import simulate

__all__ = ["UNDISTURBED", "Disturbed", "fell_at", "style_trial", "style_walks"]

FREQUENCIES = (0.31, 0.57, 0.83, 1.21)  # [Hz] of (1)
UNDISTURBED = -1  # the seed of a walk without a disturbance
DISTURBANCE, START_SPREAD = 0.015, 0.05  # share of the weight; [m/s]


class Disturbed:
    """A walker with a disturbance (1).

    Parameters: those of the walker, and "disturbance" (2, 2, 4) in body weights: a, b along x and y.
    """

    prescribed: tuple[str, ...] = ()

    def __init__(self, walker: Walker):
        self.walker = walker
        self.parameters = dict(walker.parameters) | {"disturbance": np.zeros((2, 2, len(FREQUENCIES)))}
        self.memory = walker.memory

    def __call__(self, figure, sense, memory, parameters):
        """Return the walker's drive with the force (1) added, and its memory."""
        own = dict(parameters)
        a, b = own.pop("disturbance")
        drive, after = self.walker(figure, sense, memory, own)
        angle = [2.0 * np.pi * f * sense.t for f in FREQUENCIES]
        force = a @ np.stack([sin(x) for x in angle]) + b @ np.stack([cos(x) for x in angle])
        f = figure.mass * GRAVITY * np.concatenate([force, np.zeros(1)])
        push = np.concatenate([np.zeros(3), matvec(transpose(sense.kinematics.rotation[0]), f)])
        return combined(checked(figure, drive, ()), Drive(f_ext={0: push})), after


def style_trial(height, mass, sex, style, seed, duration, speed, settled) -> dict[str, np.ndarray]:
    """Simulate walks and measure them. The function of a study with `batch`; walks of one body are one simulation.

    Parameters
    ----------
    height, mass, sex : (n,) of the body [m], [kg], "m" or "f".
    style, seed : (n,) name of the style; seed of the disturbance, or `UNDISTURBED`.
    duration, speed, settled : [s] of a walk; its speed [m/s]; start of the measurement [s].

    Returns
    -------
    {name: (n, …)}: "fell" [s], inf without a fall; "measures" (n, measures), the means over all strides; "strides",
    their number; "speed" [m/s]. Walks that fell have the measures NaN and no strides.
    """
    count = len(style)
    found = {
        "fell": np.full(count, np.inf),
        "measures": np.full((count, len(MEASURES)), np.nan),
        "strides": np.zeros(count, int),
        "speed": np.full(count, np.nan),
    }
    bodies = list(zip(height.tolist(), mass.tolist(), sex.tolist(), strict=True))
    for body in dict.fromkeys(bodies):
        own = [k for k, other in enumerate(bodies) if other == body]
        motion = style_walks(human(*body), style[own].tolist(), seed[own].tolist(), duration, speed)
        found["fell"][own] = fell_at(motion)
        for i, k in enumerate(own):
            if np.isinf(found["fell"][k]):
                one = measures(motion.rollout(i), settled)
                found["measures"][k], found["strides"][k], found["speed"][k] = one.mean, len(one.values), one.speed
    return found


def style_walks(figure, styles, seeds, duration: float = 30.0, speed: float = 1.3, walker="natural",
                every: int = 10) -> Motion:  # fmt: skip
    """Simulate walks of a figure at one speed [m/s]. styles, seeds : names of `STYLES`, and seeds, one for each walk.

    every : steps of 1 ms between frames.
    """
    file = load_walker(walker)
    own, q, u = walker_at_start(figure, file)
    made = {name: styled(file.parameters, STYLES[name]) for name in set(styles)}
    draws = [_drawn(seed, tuple(STYLES).index(name)) for name, seed in zip(styles, seeds, strict=True)]
    disturbances, offs = zip(*draws, strict=True)
    numbers = {name: np.stack([made[style][name] for style in styles]) for name in file.parameters}
    u = np.tile(u, (len(styles), 1))
    u[:, :2] += np.array(offs)
    return simulate(
        sole_scene(figure), np.tile(q, (len(styles), 1)), u, Disturbed(own),
        command=rows_at(np.full(len(styles), speed)), duration=duration, every=every, strict=False,
        parameters=numbers | {"disturbance": np.stack(disturbances)}, opt=2,
    )  # fmt: skip


def fell_at(motion: Motion) -> np.ndarray:
    """Return the time [s] at which each rollout fell (…,); inf without a fall."""
    fell = fall_time(motion)
    return np.where(np.isnan(fell), np.inf, fell)


def _drawn(seed: int, style: int):
    """Draw coefficients (2, 2, 4) of (1) and the change of the initial velocity (2,) [m/s]."""
    if seed == UNDISTURBED:
        return np.zeros((2, 2, len(FREQUENCIES))), np.zeros(2)
    rng = np.random.default_rng([seed, style])
    x = rng.standard_normal((2, 2, len(FREQUENCIES)))
    return DISTURBANCE * x / np.sqrt(0.5 * (x * x).sum()), START_SPREAD * rng.standard_normal(2)
