"""Walking like people: a human figure that walks with the reference gait of its size, and recovers from pushes.

Joint targets are the reference pose plus the action. With the phase p of the reference, the deviation e of the joints
from it, the velocity (v_x, v_y) and height z of the root, the cosine c of its inclination, the cosine h of its heading,
and the actions a and a' of this control period and the one before:

    q_ref(t) = rest ⊞ Σ_k A_k cos 2πkp + B_k sin 2πkp,   p = t / T                                (1)
    r = 1.2 exp(-|e|²) + exp(-6 (v_x - v)²) + 0.5 exp(-20 (z - z_ref)²) + 0.3 c + 0.2 h
        - 0.2 v_y² - 0.3 |y| - 0.036 |a - a'|² - 0.009 |a|²,   and -2 if it falls                 (2)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.scalar import absolute, clip, cos, exp, floor, less, minimum, sin, where
from anthropi.contact.scene import Scene
from anthropi.figure.figure import Figure
from anthropi.figure.human.build import human as human_figure
from anthropi.figure.human.build import standing
from anthropi.gait.reference.reference_gait import reference_gait
from anthropi.interop.gym.laws import Targets
from anthropi.interop.gym.recording import Camera
from anthropi.interop.gym.tasks.legged import LOCKED, gain_of
from anthropi.interop.gym.view import RATE_SCALE, Start, on_ground, upright

__all__ = ["GaitTask", "Reference", "human_gait", "reference_of"]

HARMONICS = 8
MIN_COEFFICIENT = 2e-4  # [rad, m] coefficients below are left out
SCALE = 0.75  # [rad] change of a joint target for an action of 1
FRAMES = 128  # of the reference in a cycle


@dataclass(frozen=True)
class Reference:
    """A periodic motion by (1): rest (nq,), cycle T [s], and the coefficients of poses and velocities.

    poses, rates : (1 + 2 HARMONICS, nu), the mean first, then cosine and sine of each harmonic. The pose has the root
    at x = 0.
    """

    rest: Any
    cycle: float
    poses: Any
    rates: Any

    def phase(self, t: Any) -> Any:
        """Return the phase at time t, from 0 to 2π."""
        turns = t / self.cycle
        return 2.0 * np.pi * (turns - floor(turns))

    def pose(self, figure: Any, t: Any) -> Any:
        """Return q_ref (nq,) at time t [s]."""
        return figure.integrate(self.rest, self._sum(self.poses, t))

    def velocity(self, t: Any) -> Any:
        """Return the velocity u (nu,) of the reference at time t [s]."""
        return self._sum(self.rates, t)

    def _sum(self, coefficients: Any, t: Any) -> Any:
        p = self.phase(t)
        first = c, s = cos(p), sin(p)
        basis: list[Any] = [1.0]
        for _ in range(HARMONICS):
            basis += [c, s]
            c, s = c * first[0] - s * first[1], s * first[0] + c * first[1]
        rows = ([(x, b) for x, b in zip(row, basis, strict=True) if x != 0.0] for row in np.transpose(coefficients))
        return np.array([sum(x * b for x, b in row) for row in rows])


def reference_of(figure: Figure, whole: Figure, speed: float) -> Reference:
    """Return the reference gait of a human figure for a figure with some of its joints fixed.

    figure : the one that moves. whole : the same person with all joints. speed : [m/s].
    """
    motion = reference_gait(whole, speed=speed, steps=2)
    cycle, rest = float(motion.time[-1]), standing(figure)
    places = {j.name: (a, b) for j, a, b in zip(whole.joints, whole.q_of, whole.u_of, strict=True)}
    at_q = np.concatenate([np.r_[places[j.name][0]] for j in figure.joints if j.nu])
    at_u = np.concatenate([np.r_[places[j.name][1]] for j in figure.joints if j.nu])
    time = cycle * np.arange(FRAMES) / FRAMES
    poses, rates = [], []
    for t in time:
        k = min(int(t / cycle * (len(motion.time) - 1)), len(motion.time) - 2)
        part = (t - motion.time[k]) / (motion.time[k + 1] - motion.time[k])
        low, high = motion.q[k][at_q], motion.q[k + 1][at_q]
        q = figure.integrate(low, part * figure.difference(low, high))
        v = figure.difference(rest, np.concatenate([[rest[0]], q[1:]]))
        poses.append(v)
        rates.append((1.0 - part) * motion.u[k][at_u] + part * motion.u[k + 1][at_u])
    return Reference(
        rest, cycle, _harmonics(np.array(poses), MIN_COEFFICIENT), _harmonics(np.array(rates), MIN_COEFFICIENT / cycle)
    )


def _harmonics(values: np.ndarray, least: float) -> np.ndarray:
    """Return the coefficients (1 + 2 HARMONICS, n) of periodic functions from their values (FRAMES, n)."""
    found = np.fft.rfft(values, axis=0)[: HARMONICS + 1] * 2.0 / len(values)
    both = np.stack([found.real, -found.imag], 1).reshape(-1, values.shape[1])
    whole = np.concatenate([0.5 * both[:1], both[2:]])
    return np.where(np.abs(whole) > least, whole, 0.0)


@dataclass(frozen=True)
class GaitTask:
    """Observation, reward, end and start of walking like a reference.

    features : contact features of the scene. speed : v [m/s] along x. lowest : [m] height of the root below which an
    episode ends. steepest : cosine of the inclination below which it ends. shake : [rad/s, m/s] largest deviation of
    velocities from the reference at the start.
    """

    reference: Reference
    features: Any
    speed: float
    lowest: float
    steepest: float = 0.6
    shake: float = 0.1

    def observe(self, figure: Any, view: Any) -> Any:
        """Return the observation (n,).

        It contains height and lateral position of the root [m] (2), the x and z axes of the root (3 + 3), the joint
        angles relative to standing [rad] (nu - 6), velocities of the root [m/s, rad/s] (6) and a tenth of those of the
        joints (nu - 6), the force on each link with contact points in body weights (3 each), the action, and cosine and
        sine of the phase and of twice the phase (4).
        """
        k, p, gravity = view.kinematics, self.reference.phase(view.t), np.asarray(figure.gravity)
        weight = figure.mass * 9.81 if gravity.dtype == object else figure.mass * float(np.linalg.norm(gravity))
        links = sorted({a for a, _ in view.contacts.links if a >= 0})
        loads = [clip(view.contacts.on(i) / weight, -3.0, 3.0) for i in links]
        angles = figure.difference(self.reference.rest, view.q)[6:]
        rates = clip(RATE_SCALE * view.u[6:], -3.0, 3.0)
        clock = np.array([cos(p), sin(p), cos(2.0 * p), sin(2.0 * p)])
        parts = [view.q[2:3], clip(view.q[1:2], -1.0, 1.0), k.rotation[0][:, 0], k.rotation[0][:, 2], angles,
                 view.u[:6], rates, *loads, view.action, clock]  # fmt: skip
        return np.concatenate(parts)

    def reward(self, figure: Any, view: Any) -> Any:
        """Return the reward (2)."""
        reference = self.reference.pose(figure, view.t)
        off, change = figure.difference(reference, view.q)[6:], view.action - view.previous
        v, height = view.u[0] - self.speed, view.q[2] - reference[2]
        good = 1.2 * exp(-(off * off).sum()) + exp(-6.0 * v * v) + 0.5 * exp(-20.0 * height * height)
        good = good + 0.3 * upright(figure, view) + 0.2 * view.kinematics.rotation[0][0, 0]
        aside = 0.2 * minimum(view.u[1] * view.u[1], 4.0) + 0.3 * minimum(absolute(view.q[1]), 1.0)
        effort = 0.036 * (change * change).sum() + 0.009 * (view.action * view.action).sum()
        return where(self.done(figure, view), -2.0, clip(good - aside - effort, -3.0, 4.0))

    def done(self, figure: Any, view: Any) -> Any:
        """Whether the figure has fallen."""
        return less(view.q[2], self.lowest) | less(upright(figure, view), self.steepest)

    def start(self, figure: Any, random: Any) -> Start:
        """Start on the reference at a random phase, with the lowest feature on the ground."""
        t = random.uniform(0.0, self.reference.cycle)
        q = on_ground(figure, self.reference.pose(figure, t), self.features)
        u = self.reference.velocity(t) + random.uniform(-self.shake, self.shake, figure.nu)
        return Start(q, u, t=t)


@dataclass(frozen=True)
class _Pose:
    """The reference pose as the pose of action 0 of `Targets`."""

    reference: Reference

    def __call__(self, figure: Any, t: Any) -> Any:
        return self.reference.pose(figure, t)


def human_gait(speed: float = 1.3, figure: Figure | None = None, **options: Any) -> dict[str, Any]:
    """Return the parts of the task HumanGait.

    speed : [m/s] along x. figure : a human figure of the detail "standard"; by default 1.75 m, 75 kg. Its neck, upper
    trunk, clavicles and wrists are fixed.
    """
    whole = human_figure() if figure is None else figure
    person: Any = whole.lock(LOCKED)
    scene = Scene(person, features="feet")
    reference = reference_of(person, whole, speed)
    kp = np.concatenate([np.full(j.nu, gain_of(j.name)) for j in person.joints[1:] if j.nu])
    law = Targets(person, _Pose(reference), kp, 0.1 * kp, scale=SCALE, substeps=10, **({"pushed": "pelvis"} | options))
    task = GaitTask(reference, scene.features, speed, 0.7 * float(reference.rest[2]))
    return {"scene": scene, "law": law, "dt": 2e-3, "observe": task.observe, "reward": task.reward,
            "done": task.done, "start": task.start, "camera": Camera()}  # fmt: skip
