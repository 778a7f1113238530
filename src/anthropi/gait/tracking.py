"""Tracking of a captured motion in simulation: joint targets are found by sampling, so that the figure does not fall.

A captured motion q̃(t) does not obey the laws of physics exactly: its root moves without a force, and its feet slide or
lose contact with the ground. Here the figure is simulated with ground contact. A spring and a damper pull each joint
towards its target, and no force acts on the root:

    target(t) = q̃(t) ⊞ ((kd / kp) ũ(t) + o(t))                                  (1)

The first term compensates the dampers, whose force is proportional to the joint velocity. In each window of time, the
offsets o(t) change linearly to a sampled value (L. Liu and others, 2010, Sampling-based contact-rich motion control,
ACM Transactions on Graphics 29(4)):

    o = ρ o_parent + σ_i ξ_i,   ξ normally distributed                           (2)

All samples are simulated to the end of the window in one batch, and their states at this time are compared with the
captured motion:

    c = Σ_i s_i (w_pose θ_i² + w_rate θ̇_i²) + w_turn |φ|² + w_turn_rate |φ̇|² + w_height z² + w_place |x|² + w_speed |ẋ|²
        + Σ_feet (w_balance |ξ - p - (ξ̃ - p̃)|² + w_foot z_p²) + w_offset |o|²     (3)
    ξ = c_xy + ċ_xy √(h / g)                                                     (4)

θ are the differences of the joint angles. φ is the difference of the orientation of the root, and (x, z) that of its
position. p are the positions of the feet, and (4) is the capture point. The best samples are the parents of the next
window. They are a fixed share of all samples, so a state that is close to the motion but leads to a fall can be
discarded in a later window. At the end, the targets of the best sample are read back to the start. They are simulated
once more, with the same bits, and recorded.

Works on plain floats only.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from anthropi.contact.geometry.contacts import contact_records, ground_record
from anthropi.contact.limits.soft import SoftLimits
from anthropi.contact.scene import Scene
from anthropi.entry import centre_of_mass, kinematics
from anthropi.errors import InputError, PhysicsWarning, StepError
from anthropi.figure import Figure
from anthropi.gait.falls import FallDetector, with_fall
from anthropi.gait.hidds.desired_motion import desired_motion
from anthropi.gait.physics import with_physics
from anthropi.gait.walker.parameters import size_of
from anthropi.motion import Motion
from anthropi.motion.state import State
from anthropi.simulation.controllers import Follow
from anthropi.simulation.motion_frames import step_means
from anthropi.simulation.simulation import Simulation

__all__ = ["TrackingSettings", "track"]

STIFFNESS = {  # [N m/rad] of joints of a person of 75 kg and 1.75 m, by the end of their names
    "lumbar": 600.0, "thoracic": 400.0, "neck": 100.0, "head": 50.0, "clavicle": 150.0, "shoulder": 150.0,
    "elbow": 80.0, "wrist": 20.0, "hip": 400.0, "knee": 400.0, "ankle": 400.0, "toe": 100.0,
}  # fmt: skip
SPREAD = {"hip": 1.0, "knee": 1.0, "ankle": 1.0, "lumbar": 0.7}  # σ of sampled joints in (2), relative to `spread`
FEET = ("l_foot", "r_foot")
LOST_HEIGHT = 0.7  # share of the height of the captured root, below which an attempt is given up


@dataclass(frozen=True)
class TrackingSettings:
    """Settings of `track`.

    Attributes
    ----------
    samples : number of rollouts that are simulated in parallel.
    window : [s] length of the windows, at whose ends samples are compared. period : [s] time from one target to the
        next. dt : [s] step.
    frame : [s] largest time between frames of the recorded motion; dt for exact replays.
    kept : share of the samples that are parents of the next window. persistence : ρ of (2).
    spread : [rad] σ of (2) for hips, knees and ankles.
    stiffness : {end of a joint's name, such as "hip": kp [N m/rad]}, replacing values of `STIFFNESS`, which are for a
        person of 75 kg and 1.75 m and grow with mass and stature. The largest moment of a joint is `strength` [rad]
        times kp. damping : [s] kd / kp.
    cutoff : [Hz] cut-off frequency of the low-pass filter of the captured motion; None for no filter.
    attempts : largest number of searches. After a fall, the search is repeated with twice as many samples. seed : seed
        of the random numbers.
    pose, rate, turn, turn_rate, height, place, speed, balance, foot, offset : weights of (3), in SI units.
    """

    samples: int = 1024
    window: float = 0.08
    period: float = 0.02
    dt: float = 1e-3
    frame: float = 4e-3
    kept: float = 0.4
    persistence: float = 0.6
    spread: float = 0.15
    stiffness: dict[str, float] = field(default_factory=dict)
    strength: float = 3.0
    damping: float = 0.1
    cutoff: float | None = 6.0
    attempts: int = 3
    seed: int = 0
    pose: float = 5.0
    rate: float = 0.02
    turn: float = 10.0
    turn_rate: float = 0.5
    height: float = 30.0
    place: float = 20.0
    speed: float = 0.5
    balance: float = 30.0
    foot: float = 30.0
    offset: float = 0.2

    def __post_init__(self) -> None:
        for name, least in (("samples", 2), ("attempts", 1), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, (int, np.integer)) or value < least:
                raise InputError(
                    f"{name}={value!r} of TrackingSettings is not valid. Give an integer of at least {least}."
                )
        for name in ("window", "period", "dt", "frame", "kept", "spread", "strength", "damping"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0.0):
                raise InputError(f"{name}={value!r} of TrackingSettings is not valid. Give a positive number.")
        for longer, shorter in (("window", "period"), ("period", "dt")):
            ratio = getattr(self, longer) / getattr(self, shorter)
            if ratio < 0.5 or abs(ratio - round(ratio)) > 1e-6 * ratio:
                values = f"{longer}={getattr(self, longer)!r} s", f"{shorter}={getattr(self, shorter)!r} s"
                raise InputError(f"{values[0]} of TrackingSettings is not a multiple of {values[1]}.")
        if self.kept > 1.0:
            raise InputError(f"kept={self.kept!r} of TrackingSettings is not valid. Give a share of at most 1.")


def track(
    motion: Motion,
    scene: Scene | None = None,
    settings: TrackingSettings | None = None,
    *,
    strict: bool = False,
    progress: Callable[[float, float], None] | None = None,
) -> Motion:
    """Simulate a captured motion in contact with the ground, by joint forces alone.

    Parameters
    ----------
    motion : motion of an `ap.human`, for example from `ap.motion.retarget`.
    scene : scene of that figure; by default flat ground that the whole body can touch, and limits of joints.
    settings : a `TrackingSettings`.
    strict : whether a motion that falls in every attempt is an error; otherwise it is a `PhysicsWarning`.
    progress : function (time of the motion that is done, its duration) [s].

    Returns
    -------
    A simulated motion, with the contact forces and joint forces that acted, and the channel "target" (frames, nq) of
    (1). Its metadata "tracking" contain the RMS and the largest differences from the captured motion, filtered: of
    joints [rad], of the orientation [rad] and of the place [m] of the root, and the share of the motion that was
    followed. fell, fall_time and fall_cause are as in `ap.walk`.
    """
    own = settings or TrackingSettings()
    figure, scene = _figure_of(motion, scene)
    if motion.time[-1] - motion.time[0] < 2.0 * own.period:
        raise InputError(
            f"The motion lasts {motion.time[-1] - motion.time[0]:.3g} s, less than two periods of {own.period:g} s. "
            "Give a longer motion, or a shorter `period` in TrackingSettings."
        )
    captured = desired_motion(motion, own.period, own.cutoff)
    guide = _Guide(figure, captured, own)
    path, reached, used = np.zeros((0, figure.nu)), 0, own
    for attempt in range(own.attempts):
        used = replace(own, samples=own.samples * 2**attempt, seed=own.seed + attempt)
        offsets, end = _search(scene, guide, used, progress)
        if end > reached:
            path, reached = offsets, end
        if end == guide.windows:
            break
    recorded = _recorded(scene, guide, path, own)
    fall = FallDetector(scene).first(recorded.time, recorded.q)
    about = {"differences": _differences(guide, recorded), "share": reached / guide.windows, "samples": used.samples,
             "attempts": attempt + 1}  # fmt: skip
    recorded = with_fall(recorded.changed(metadata=recorded.metadata | {"tracking": about}), fall)
    if fall is not None or reached < guide.windows:
        when = recorded.time[-1] if fall is None else fall.time
        message = (
            f"The simulated figure leaves the captured motion, or falls, at {when:.2f} s of {captured.time[-1]:.2f} s, "
            f"in each of {own.attempts} attempts. Look for feet that slide or hover there, or give more `samples`."
        )
        if strict:
            raise StepError(message, motion=recorded)
        warnings.warn(message, PhysicsWarning, stacklevel=2)
    return with_physics(recorded, "tracking")


def _figure_of(motion: Any, scene: Any) -> tuple[Figure, Scene]:
    """Return figure and scene, and raise InputError if they cannot be tracked."""
    if not isinstance(motion, Motion):
        raise InputError(f"track got {motion!r}, not a motion. Give a motion, such as ap.motion.retarget(captured).")
    if motion.q.ndim != 2:
        raise InputError(f"track takes one rollout; this motion has {len(motion.q)}. Use motion.rollout(0).")
    figure = motion.figure
    names = {link.name for link in figure.links}
    if figure.joints[0].kind != "free" or not set(FEET) <= names:
        raise InputError(
            f"track needs a figure with a free root and the links {' and '.join(FEET)}; '{figure.name}' is not such a "
            "figure. Transfer the motion to a human first: ap.motion.retarget(motion)."
        )
    scene = Scene(figure, features="body", limits=SoftLimits()) if scene is None else scene
    if scene.figure is not figure and scene.figure.key != figure.key:
        raise InputError("The scene has another figure than the motion. Give Scene(motion.figure, …).")
    return scene.figure, scene


class _Guide:
    """The captured motion at the times of the targets, with the quantities that (1) to (4) need."""

    def __init__(self, figure: Figure, captured: Motion, settings: TrackingSettings) -> None:
        self.figure, self.q, self.u, self.time = figure, captured.q, captured.u, captured.time
        self.per = round(settings.window / settings.period)  # targets in a window
        self.windows = -(-(len(self.q) - 1) // self.per)
        scale = float(size_of(figure).torque)
        table = STIFFNESS | settings.stiffness
        self.kp, self.spread = np.zeros(figure.nu), np.zeros(figure.nu)
        for joint, at in zip(figure.joints[1:], figure.u_of[1:], strict=True):
            end = joint.name.split("_")[-1]
            if joint.nu and end not in table:
                raise InputError(
                    f"No stiffness is known for joint '{joint.name}'. Give stiffness={{'{end}': …}} [N m/rad] in "
                    "TrackingSettings."
                )
            self.kp[at] = scale * table.get(end, 0.0)
            self.spread[at] = settings.spread * SPREAD.get(end, 0.0)
        self.share = np.minimum(1.0, self.kp / (scale * table["hip"]))  # s_i of (3)
        self.sampled = np.flatnonzero(self.spread)
        self.lead = settings.damping * self.u  # (1)
        self.lead[:, :6] = 0.0
        gravity = float(np.linalg.norm(figure.gravity))
        mass = centre_of_mass(figure, self.q, self.u)
        self.reach = float(np.sqrt(max(np.median(mass.position[:, 2]), 0.1) / gravity))  # √(h / g) of (4)
        self.capture_point = self._capture_point(mass)
        k = kinematics(figure, self.q)
        self.feet = [np.asarray(k.link(name).position) for name in FEET]

    def _capture_point(self, mass: Any) -> np.ndarray:
        """Return (4), (…, 2) [m]."""
        return np.asarray(mass.position)[..., :2] + self.reach * np.asarray(mass.velocity)[..., :2]

    def target(self, k: int, offsets: np.ndarray) -> np.ndarray:
        """Return (1) at target k for offsets (…, nu)."""
        v = self.lead[k] + offsets
        return self.figure.integrate(np.broadcast_to(self.q[k], (*v.shape[:-1], self.figure.nq)), v)

    def costs(self, k: int, sim: Simulation, offsets: np.ndarray, weight: TrackingSettings) -> np.ndarray:
        """Return (3) of all samples at target k; infinite for samples that diverged."""
        lost = np.asarray(sim.diverged)
        if lost.any():
            sim.replace_lost()
        q, u = np.array(sim.q), np.array(sim.u)
        q[lost], u[lost] = self.q[k], self.u[k]
        d, du = self.figure.difference(np.broadcast_to(self.q[k], q.shape), q), u - self.u[k]
        joints, rates = (self.share[6:] * x[:, 6:] ** 2 for x in (d, du))
        cost = weight.pose * joints.sum(1) + weight.rate * rates.sum(1)
        cost += weight.turn * (d[:, 3:6] ** 2).sum(1) + weight.turn_rate * (du[:, 3:6] ** 2).sum(1)
        cost += weight.height * d[:, 2] ** 2 + weight.place * (d[:, :2] ** 2).sum(1)
        cost += weight.speed * (du[:, :3] ** 2).sum(1) + weight.offset * (offsets**2).sum(1)
        point, seen = self._capture_point(centre_of_mass(self.figure, q, u)), sim.kinematics
        for name, foot in zip(FEET, self.feet, strict=True):
            p = np.asarray(seen.link(name).position)
            off = point - p[:, :2] - (self.capture_point[k] - foot[k, :2])
            cost += weight.balance * (off**2).sum(1) + weight.foot * (p[:, 2] - foot[k, 2]) ** 2
        return np.where(lost | ~np.isfinite(cost), np.inf, cost)


def _simulation(scene: Scene, guide: _Guide, settings: TrackingSettings, batch: int, **options: Any) -> Simulation:
    """Return a simulation at the start of the captured motion, whose command is the target."""
    law = Follow(guide.figure, guide.kp, settings.damping * guide.kp, limit=settings.strength * guide.kp)
    sim = Simulation(scene, law, settings.dt, batch=batch, **options)
    sim.reset(guide.q[0], guide.u[0])
    return sim


def _search(scene: Scene, guide: _Guide, settings: TrackingSettings, progress: Any) -> tuple[np.ndarray, int]:
    """Return the offsets (windows, nu) of the best path, and the number of windows it reaches."""
    n, rng = settings.samples, np.random.default_rng(settings.seed)
    sim, steps = _simulation(scene, guide, settings, n), round(settings.period / settings.dt)
    offsets = np.zeros((n, guide.figure.nu))
    tried, parents, best = list[np.ndarray](), list[np.ndarray](), 0
    parent = np.zeros(n, int)
    for window in range(guide.windows):
        if window:
            sim.state = _rows(sim.state, parent)
        start = offsets[parent]
        offsets = settings.persistence * start
        draws = rng.normal(size=(n, len(guide.sampled))) * guide.spread[guide.sampled]
        draws[0] = 0.0
        offsets[:, guide.sampled] += draws  # (2)
        first, last = window * guide.per, min((window + 1) * guide.per, len(guide.q) - 1)
        for k in range(first + 1, last + 1):
            share = (k - first) / (last - first)
            sim.step(steps, command=guide.target(k, start + share * (offsets - start)))
        cost = guide.costs(last, sim, offsets, settings)
        order = np.argsort(cost, kind="stable")
        low = np.asarray(sim.q)[order[0], 2] < LOST_HEIGHT * guide.q[last, 2]
        if low or not np.isfinite(cost[order[0]]):
            break
        tried.append(offsets)
        parents.append(parent)
        best = int(order[0])
        kept = order[: max(2, round(settings.kept * np.isfinite(cost).sum()))]
        parent = kept[np.arange(n) % len(kept)]
        if progress is not None:
            progress(float(guide.time[last] - guide.time[0]), float(guide.time[-1] - guide.time[0]))
    path, at = np.zeros((len(tried), guide.figure.nu)), best
    for window in range(len(tried) - 1, -1, -1):
        path[window], at = tried[window][at], int(parents[window][at])
    return path, len(tried)


def _rows(state: State, rows: np.ndarray) -> State:
    """Return the state of a batch whose rollouts are copies of the given ones."""

    def chosen(x: Any) -> Any:
        return {name: chosen(part) for name, part in x.items()} if isinstance(x, dict) else np.asarray(x)[rows]

    clock = {name: chosen(x) if np.ndim(x) else x for name, x in (state.clock or {}).items()}
    return state._replace(q=chosen(state.q), u=chosen(state.u), memory=chosen(state.memory or {}), clock=clock)


def _recorded(scene: Scene, guide: _Guide, path: np.ndarray, settings: TrackingSettings) -> Motion:
    """Simulate the targets of a path once more and return the motion."""
    sim, steps = _simulation(scene, guide, settings, 1, record=("tau",)), round(settings.period / settings.dt)
    every = next(n for n in range(max(1, round(settings.frame / settings.dt)), 0, -1) if steps % n == 0)
    frames, targets, start = list[dict[Any, np.ndarray]](), list[np.ndarray](), np.zeros(guide.figure.nu)
    for window, offsets in enumerate(path):
        first, last = window * guide.per, min((window + 1) * guide.per, len(guide.q) - 1)
        for k in range(first + 1, last + 1):
            targets.append(guide.target(k, start + (k - first) / (last - first) * (offsets - start)))
            frames.append(sim.record(steps // every, every, command=targets[-1]))
        start = offsets
    found = {name: np.concatenate([part[name] for part in frames]) for name in frames[0]}
    time, q, u = (found.pop(name) for name in ("time", "q", "u"))
    about = {"contacts": [record._asdict() for record in contact_records(scene)]} | ground_record(scene)
    about["interval_means"] = step_means(settings.dt, sim.problem.method).metadata()
    return Motion(
        guide.figure,
        guide.time[0] + time,
        q,
        u,
        found | {"target": np.repeat(targets, steps // every, axis=0)},
        (),
        about,
    )


def _differences(guide: _Guide, recorded: Motion) -> dict[str, list[float]]:
    """Return RMS and largest differences from the captured motion: of joints, orientation [rad] and place [m]."""
    at = (
        np.round((recorded.time[:, None] - guide.time) / (guide.time[1] - guide.time[0]), 6) == 0.0
    )  # (frames, targets)
    rows, columns = np.nonzero(at)
    d = guide.figure.difference(guide.q[columns], recorded.q[rows])
    parts = {
        "joints": d[:, 6:],
        "orientation": np.linalg.norm(d[:, 3:6], axis=1),
        "place": np.linalg.norm(d[:, :3], axis=1),
    }
    return {name: [float(np.sqrt((x**2).mean())), float(np.abs(x).max())] for name, x in parts.items()}
