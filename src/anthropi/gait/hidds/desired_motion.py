"""Desired motion: positions, velocities and accelerations of a motion at evenly spaced times.

If the motion contains accelerations, these are used: exact ones for keyframes, otherwise the channel "udot". If not,
they are computed by differentiation on the manifold, from the velocities if these are known, otherwise from the
positions. Around frame k the configuration is q_k ⊞ θ(t), with a polynomial θ = c₀ + c₁ t + c₂ t² + …
(docs/equations/thesis.md, 10.1):

    interpolation    θ(t_j) = q_j ⊟ q_k, five frames, degree 4                 (1)
    smoothing        minimum of Σ w_j |θ(t_j) - q_j ⊟ q_k|², w_j = exp(-½ (t_j - t_k)² / σ²),
                     of degree 3 for c₀ and c₁, 4 for c₂                       (2)

    q = q_k ⊞ c₀,   u = J(c₀) c₁,   u' = 2 J(c₀) c₂ + J'(c₀, c₁) c₁             (3)  J = 1 with (1), where c₀ = 0

(2) is a low-pass filter without delay. For a wave of angular frequency w [rad/s], the gain of q, u and u' is
(1 + x) exp(-x), with x = ½ (σ w)². The power is halved at the cut-off frequency if σ = 0.2337 / cutoff [Hz] (4). Before
the first frame and after the last, the motion is continued by point reflection about the end, 2 θ_end - θ_j (5), which
keeps the noise there small.

`arm_motion` is the sample motion with which HIDDS is tested. The functions work on plain floats only.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.compiler import kernel_for
from anthropi.compiler.cache import digest
from anthropi.errors import InputError
from anthropi.figure import Figure
from anthropi.figure.samples import sample
from anthropi.figure.states import angular_starts
from anthropi.motion import Fourier, Keyframes, Motion
from anthropi.motion.contacts import has_every_step, interval_means
from anthropi.tape import record

__all__ = [
    "COURSES",
    "arm_motion",
    "at_even_times",
    "desired_motion",
    "differentiated",
    "filtered",
    "rates",
    "smoothed",
    "with_mean_accelerations",
]


HALF_POWER = 0.2337  # σ times the cut-off frequency (4)
WINDOW = 5  # number of frames of (1)
WINDOW_SIGMAS = 5.0  # half width of the window of (2), in σ
MIN_SPACING = 0.2  # share of the median time step; frames closer than this count as one
KEYFRAME_RATE = 120.0  # [frames/s] for keyframes if dt is not given


def desired_motion(motion: Motion | Keyframes, dt: float | None = None, cutoff: float | None = None) -> Motion:
    """Return a motion at evenly spaced times, with velocities and accelerations (channel "udot").

    Parameters
    ----------
    motion : a `Motion` with a single rollout, or `Keyframes`.
    dt : time between frames [s]. None keeps the frames of a motion, and uses 120 frames per second for keyframes.
    cutoff : cut-off frequency [Hz] of a low-pass filter for captured motion.
    """
    if isinstance(motion, Keyframes):
        times = _even_times(motion.times[0], motion.times[-1], 1.0 / KEYFRAME_RATE if dt is None else dt)
        found = motion.motion(times)
        return found if cutoff is None else filtered(found, cutoff)
    if not isinstance(motion, Motion):
        raise InputError(f"Give a Motion or Keyframes; got {type(motion).__name__}.")
    if motion.q.ndim != 2:
        raise InputError(f"This motion has {motion.q.shape[0]} rollouts. Select one with motion.rollout(0).")
    if cutoff is not None:
        motion = filtered(motion, cutoff)
    elif motion.udot is None or _has_mean_accelerations(motion):
        derived = motion.figure.nu and np.array_equal(Motion(motion.figure, motion.time, motion.q).u, motion.u)
        motion = differentiated(motion) if derived else _with_accelerations(motion)
    return at_even_times(motion, dt)


def _has_mean_accelerations(motion: Motion) -> bool:
    """Return whether the channel "udot" holds means over several steps instead of accelerations at the frames."""
    means = interval_means(motion)
    return means is not None and "udot" in means.channels and not has_every_step(motion)


def with_mean_accelerations(motion: Motion, dt: float | None = None) -> Motion:
    """Return a motion with the channel "udot" of (u_{k+1} - u_k) / (t_{k+1} - t_k), at times dt [s] apart if given.

    The last row repeats the one before, because no interval follows the last frame.
    """
    motion = at_even_times(motion.changed(channels={n: x for n, x in motion.channels.items() if n != "udot"}), dt)
    change = np.diff(motion.u, axis=0) / np.diff(motion.time)[:, None]
    return motion.changed(channels=motion.channels | {"udot": np.concatenate([change, change[-1:]])})


def at_even_times(motion: Motion, dt: float | None = None) -> Motion:
    """Resample a motion at times dt [s] apart. If dt is None or the time between its frames, it is returned
    unchanged."""
    if dt is None:
        return motion
    times = _even_times(motion.time[0], motion.time[-1], dt)
    same = len(times) == len(motion) and np.allclose(times, motion.time, rtol=0.0, atol=1e-9 * dt)
    return motion if same else motion.resample(times)


def differentiated(motion: Motion) -> Motion:
    """Return the motion with velocities u and the channel "udot", from polynomials through its frames (1)."""
    c, difference = np.zeros((3, len(motion), motion.figure.nu)), _differences(motion.figure)
    for k, (at, fit) in enumerate(_windows(motion.time)):
        c[:, k] = fit @ difference(motion.q[k], motion.q[at])
    return motion.changed(u=c[1], channels=motion.channels | {"udot": 2.0 * c[2]})  # (3)


def rates(time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Differentiate values (frames, n) of a vector space, such as velocities, with respect to time (1)."""
    return np.array([fit[1] @ values[at] for at, fit in _windows(time)])


def filtered(motion: Motion, cutoff: float) -> Motion:
    """Return the motion after a low-pass filter (2), with q, u and the channel "udot".

    cutoff : cut-off frequency [Hz], at which the power is halved.
    """
    figure = motion.figure
    difference, c = _differences(figure), np.zeros((3, len(motion), figure.nu))
    for k, window in enumerate(_smoothing_windows(motion.time, cutoff)):
        theta = window.values(partial(_from_frame, difference, motion.q, k))
        c[:2, k] = window.fit(3)[:2] @ theta  # (2)
        c[2, k] = window.fit(4)[2] @ theta
    u, udot = c[1].copy(), 2.0 * c[2]
    for k in angular_starts(figure):
        part = slice(k, k + 3)
        r, v, J = c[0][:, part], c[1][:, part], rot.J_b(c[0][:, part])
        u[:, part], udot[:, part] = matvec(J, v), matvec(J, udot[:, part]) + rot.J_b_dot_rdot(r, v)  # (3)
    return motion.changed(q=figure.integrate(motion.q, c[0]), u=u, channels=motion.channels | {"udot": udot})


def _from_frame(difference: Callable[..., Any], q: np.ndarray, k: int, frames: np.ndarray) -> np.ndarray:
    """Return the difference of the configurations of some frames from that of frame k, q_j ⊟ q_k."""
    return difference(q[k], q[frames])


def smoothed(time: np.ndarray, values: np.ndarray, cutoff: float) -> np.ndarray:
    """Apply the low-pass filter (2) to values (frames, …) of a vector space, such as forces. cutoff : [Hz]."""
    rows = values.reshape(len(time), -1)
    found = [w.fit(3)[0] @ w.values(lambda frames: rows[frames]) for w in _smoothing_windows(time, cutoff)]
    return np.array(found).reshape(values.shape)


class _SmoothingWindow(NamedTuple):
    """Window of the filter (2) around a time, including frames of the continuation (5).

    t : (n,) [s], times relative to the middle. weights : (n,). frames : (n,), index of each frame. ends : (n,), index
    of the end frame about which it is reflected, or -1.
    """

    t: np.ndarray
    weights: np.ndarray
    frames: np.ndarray
    ends: np.ndarray

    def values(self, of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Return the values (n, …) in the window. of : function that maps frames (m,) to values (m, …)."""
        found = np.array(of(self.frames))
        reflected = self.ends >= 0
        if reflected.any():
            found[reflected] = 2.0 * of(self.ends[reflected]) - found[reflected]  # (5)
        return found

    def fit(self, degree: int) -> np.ndarray:
        """Return the rows (3, n) of `_fit` for the frames and weights of this window."""
        return _fit(self.t, self.weights, degree)


def _smoothing_windows(time: np.ndarray, cutoff: float) -> Iterator[_SmoothingWindow]:
    """Yield the window of the filter (2) for every frame."""
    if not isinstance(cutoff, (int, float, np.number)) or not 0.0 < cutoff < np.inf:
        raise InputError(f"cutoff={cutoff!r}: give a frequency above 0 [Hz], or None.")
    _check_frames(time)
    sigma, every = HALF_POWER / cutoff, np.arange(len(time))  # (4)
    times = np.concatenate([time, 2.0 * time[0] - time[1:], 2.0 * time[-1] - time[:-1]])
    frames = np.concatenate([every, every[1:], every[:-1]])
    ends = np.repeat([-1, 0, len(time) - 1], [len(time), len(time) - 1, len(time) - 1])
    for t in time:
        at = np.flatnonzero(np.abs(times - t) <= WINDOW_SIGMAS * sigma)
        if len(at) < WINDOW:
            raise InputError(
                f"cutoff={cutoff:g} Hz is too high: its window has only {len(at)} frames at {t:g} s. Use at most "
                f"{1.0 / np.diff(time).max():.3g} Hz, or None."
            )
        weights = np.exp(-0.5 * ((times[at] - t) / sigma) ** 2)
        yield _SmoothingWindow(times[at] - t, weights, frames[at], ends[at])


def _differences(figure: Figure) -> Callable[..., np.ndarray]:
    """Return a kernel of `figure.difference` that computes a whole window in one call."""

    def tape():
        none = np.zeros(figure.nq)
        return record(lambda q0, q1: figure.difference(q0, q1), q0=none, q1=none)

    return kernel_for(digest("difference", figure.key), tape, opt=0)


def _check_frames(time: np.ndarray) -> None:
    if len(time) < 3:
        raise InputError(
            f"Accelerations cannot be computed from {len(time)} frames. Give at least 3 frames, or a channel 'udot'."
        )


def _windows(time: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the frames in the window of each frame, and the rows of `_fit` (1).

    Cutting a motion can leave frames at nearly the same time. Only one of them is used, because their difference is
    mostly rounding error.
    """
    _check_frames(time)
    close, kept = MIN_SPACING * np.median(np.diff(time)), [0]
    for k in range(1, len(time)):
        if time[k] - time[kept[-1]] >= close:
            kept.append(k)
    spaced = np.isin(np.arange(len(time)), kept)
    for k, t in enumerate(time):
        usable = np.flatnonzero((spaced & (np.abs(time - t) >= close)) | (time == t))
        first = int(np.searchsorted(usable, k)) - WINDOW // 2
        first = min(max(0, first), max(0, len(usable) - WINDOW))
        at = usable[first : first + WINDOW]
        yield at, _fit(time[at] - t, np.ones(len(at)), len(at) - 1)


def _fit(t: np.ndarray, weights: np.ndarray, degree: int) -> np.ndarray:
    """Return the matrix (3, n) that maps n values at times t to c₀, c₁, c₂ of the fitted polynomial."""
    scale = np.abs(t).max()
    powers = np.vander(t / scale, min(degree, len(t) - 1) + 1, increasing=True)
    root = np.sqrt(weights)[:, None]
    rows = np.linalg.pinv(root * powers) * root.T
    return rows[:3] / scale ** np.arange(3.0)[:, None]


def _with_accelerations(motion: Motion) -> Motion:
    """Return the motion with the channel "udot", computed from its velocities."""
    return motion.changed(channels=motion.channels | {"udot": rates(motion.time, motion.u)})


def _even_times(first: float, last: float, dt: Any) -> np.ndarray:
    """Return times from `first` up to at most `last`, dt [s] apart."""
    if not isinstance(dt, (int, float, np.number)) or not 0.0 < dt < np.inf:
        raise InputError(f"dt={dt!r}: give a number of seconds above 0.")
    steps = int(np.floor((last - first) / dt + 1e-6))
    if steps < 1:
        raise InputError(f"The motion lasts {last - first:g} s, less than one increment of {dt:g} s. Use a shorter dt.")
    return np.minimum(first + dt * np.arange(steps + 1.0), last)


COURSES = {  # sample motion; joint: period [s], mean m, cosine c, sine s [rad]
    "shoulder_yaw": (1.5, 1.0, -0.41, -0.19),
    "shoulder_pitch": (1.7, 0.6, 0.31, 0.24),
    "elbow": (1.8, 0.5, -0.43, 0.30),
    "wrist_roll": (1.5, 0.9, -0.38, 0.14),
    "wrist_pitch": (1.7, 0.1, 0.27, 0.36),
    "flange": (1.7, -0.1, 0.41, 0.11),
}


def arm_motion(duration: float = 2.0, rate: float = 120.0) -> Motion:
    """Return the sample motion of `floating_arm6`, with exact u and channel "udot".

    Each joint moves by m + c cos(w t) + s sin(w t), with an amplitude of 0.39 to 0.53 rad and a period of 1.5 to 1.8 s.
    The root keeps its neutral pose. It is free, and HIDDS computes its motion (docs/equations/thesis.md (9.13)).

    duration : [s]. rate : frames per second.
    """
    figure = sample("floating_arm6")
    time = np.arange(round(duration * rate) + 1) / rate
    q, u = np.tile(figure.neutral(), (len(time), 1)), np.zeros((len(time), figure.nu))
    udot = np.zeros_like(u)
    for name, (period, mean, cosine, sine) in COURSES.items():
        i = figure.joint_index(name)
        course = Fourier(period, mean, (cosine,), (sine,))(time)
        q[:, figure.q_of[i].start], u[:, figure.u_of[i].start], udot[:, figure.u_of[i].start] = course
    return Motion(figure, time, q, u, {"udot": udot}, metadata={"made": "arm_motion"})
