"""Desired motion: positions, velocities and accelerations of a motion at even times. Plain floats only.

Accelerations are those of the motion where it has them: exact for keyframes, else its channel "udot". Otherwise they
come from differentiation on the manifold, of the velocities where those are known, else of the positions. Around frame
k the configuration is q_k ⊞ θ(t), with a polynomial θ = c₀ + c₁ t + c₂ t² + … (docs/equations/thesis.md, 10.1):

    interpolation    θ(t_j) = q_j ⊟ q_k, five frames, degree 4                 (1)
    smoothing        the least Σ w_j |θ(t_j) - q_j ⊟ q_k|², w_j = exp(-½ (t_j - t_k)² / σ²),
                     of degree 3 for c₀ and c₁, 4 for c₂                       (2)

    q = q_k ⊞ c₀,   u = J(c₀) c₁,   u' = 2 J(c₀) c₂ + J'(c₀, c₁) c₁             (3)  J = 1 with (1), where c₀ = 0

(2) is a low-pass filter without delay: of a wave of w [rad/s], q, u and u' alike, it passes the share
(1 + x) exp(-x), x = ½ (σ w)²; half the power at the cutoff, if σ = 0.2337 / cutoff [Hz] (4). Before the first frame and
after the last, the motion is continued by point reflection about the end, 2 θ_end - θ_j (5), which keeps the noise
there small.

`arm_motion` is the sample motion on which HIDDS is measured.
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
from anthropi.tape import record

__all__ = ["COURSES", "arm_motion", "desired_motion", "differentiated", "filtered", "rates", "smoothed"]


HALF_POWER = 0.2337  # σ times the cutoff (4)
WINDOW = 5  # frames of (1)
WINDOW_SIGMAS = 5.0  # half width of the window of (2), in σ
MIN_SPACING = 0.2  # of the median step: frames closer than that count once
KEYFRAME_RATE = 120.0  # [1/s] frames of keyframes, if no dt is given


def desired_motion(motion: Motion | Keyframes, dt: float | None = None, cutoff: float | None = None) -> Motion:
    """Return a motion at even times, with velocities and the channel "udot".

    Parameters
    ----------
    motion : `Motion` of one rollout, or `Keyframes`.
    dt : [s] between frames; None keeps the frames of a motion, and gives keyframes 120 a second.
    cutoff : [Hz] of a low-pass filter, for captured motion.
    """
    if isinstance(motion, Keyframes):
        times = _even_times(motion.times[0], motion.times[-1], 1.0 / KEYFRAME_RATE if dt is None else dt)
        found = motion.motion(times)
        return found if cutoff is None else filtered(found, cutoff)
    if not isinstance(motion, Motion):
        raise InputError(f"Give a Motion, or Keyframes; got {type(motion).__name__}.")
    if motion.q.ndim != 2:
        raise InputError(f"This motion has {motion.q.shape[0]} rollouts. Take one: motion.rollout(0).")
    if cutoff is not None:
        motion = filtered(motion, cutoff)
    elif motion.udot is None:
        derived = motion.figure.nu and np.array_equal(Motion(motion.figure, motion.time, motion.q).u, motion.u)
        motion = differentiated(motion) if derived else _with_accelerations(motion)
    if dt is None:
        return motion
    times = _even_times(motion.time[0], motion.time[-1], dt)
    same = len(times) == len(motion) and np.allclose(times, motion.time, rtol=0.0, atol=1e-9 * dt)
    return motion if same else motion.resample(times)


def differentiated(motion: Motion) -> Motion:
    """Return the motion with u and the channel "udot" of polynomials through its frames (1)."""
    c, difference = np.zeros((3, len(motion), motion.figure.nu)), _differences(motion.figure)
    for k, (at, fit) in enumerate(_windows(motion.time)):
        c[:, k] = fit @ difference(motion.q[k], motion.q[at])
    return motion.changed(u=c[1], channels=motion.channels | {"udot": 2.0 * c[2]})  # (3)


def rates(time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Differentiate values (frames, n) of a vector space, as velocities are, by (1)."""
    return np.array([fit[1] @ values[at] for at, fit in _windows(time)])


def filtered(motion: Motion, cutoff: float) -> Motion:
    """Return the motion after a low-pass filter (2): q, u and the channel "udot". cutoff : [Hz] at half the power."""
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
    """Return q of some frames ⊟ q of frame k."""
    return difference(q[k], q[frames])


def smoothed(time: np.ndarray, values: np.ndarray, cutoff: float) -> np.ndarray:
    """Return values (frames, …) of a vector space, as forces are, after the same low-pass filter (2)."""
    rows = values.reshape(len(time), -1)
    found = [w.fit(3)[0] @ w.values(lambda frames: rows[frames]) for w in _smoothing_windows(time, cutoff)]
    return np.array(found).reshape(values.shape)


class _SmoothingWindow(NamedTuple):
    """Frames in the window of (2) around a time, those of the continuation (5) included.

    t : (n,) [s] from the middle. weights : (n,). frames : (n,) which frame each is. ends : (n,) about which frame it is
    reflected, -1 for none.
    """

    t: np.ndarray
    weights: np.ndarray
    frames: np.ndarray
    ends: np.ndarray

    def values(self, of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Return (n, …) values; of : function of frames (m,) → values (m, …)."""
        found = np.array(of(self.frames))
        reflected = self.ends >= 0
        if reflected.any():
            found[reflected] = 2.0 * of(self.ends[reflected]) - found[reflected]  # (5)
        return found

    def fit(self, degree: int) -> np.ndarray:
        """Return the rows of `_fit`."""
        return _fit(self.t, self.weights, degree)


def _smoothing_windows(time: np.ndarray, cutoff: float) -> Iterator[_SmoothingWindow]:
    """Yield the window of (2) of every frame."""
    if not isinstance(cutoff, (int, float, np.number)) or not 0.0 < cutoff < np.inf:
        raise InputError(f"cutoff={cutoff!r}: give Hz, more than 0, or None.")
    _check_frames(time)
    sigma, every = HALF_POWER / cutoff, np.arange(len(time))  # (4)
    times = np.concatenate([time, 2.0 * time[0] - time[1:], 2.0 * time[-1] - time[:-1]])
    frames = np.concatenate([every, every[1:], every[:-1]])
    ends = np.repeat([-1, 0, len(time) - 1], [len(time), len(time) - 1, len(time) - 1])
    for t in time:
        at = np.flatnonzero(np.abs(times - t) <= WINDOW_SIGMAS * sigma)
        if len(at) < WINDOW:
            raise InputError(
                f"cutoff={cutoff:g} Hz sees no more than {len(at)} frames at {t:g} s. Take a lower one, at "
                f"most {1.0 / np.diff(time).max():.3g} Hz, or None."
            )
        weights = np.exp(-0.5 * ((times[at] - t) / sigma) ** 2)
        yield _SmoothingWindow(times[at] - t, weights, frames[at], ends[at])


def _differences(figure: Figure) -> Callable[..., np.ndarray]:
    """Return the kernel of `figure.difference`, for a whole window at once."""

    def tape():
        none = np.zeros(figure.nq)
        return record(lambda q0, q1: figure.difference(q0, q1), q0=none, q1=none)

    return kernel_for(digest("difference", figure.key), tape, opt=0)


def _check_frames(time: np.ndarray) -> None:
    if len(time) < 3:
        raise InputError(
            f"A motion of {len(time)} frames has no acceleration. Give 3 frames at least, or a channel 'udot'."
        )


def _windows(time: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield for every frame the frames of its window, and the rows of `_fit` (1).

    Of frames that nearly coincide, as a cut leaves them, one counts: their difference is mostly rounding.
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
    """Return rows (3, n) that give c₀, c₁, c₂ of the polynomial fitted to n values at t."""
    scale = np.abs(t).max()
    powers = np.vander(t / scale, min(degree, len(t) - 1) + 1, increasing=True)
    root = np.sqrt(weights)[:, None]
    rows = np.linalg.pinv(root * powers) * root.T
    return rows[:3] / scale ** np.arange(3.0)[:, None]


def _with_accelerations(motion: Motion) -> Motion:
    """Return the motion with "udot" from its velocities."""
    return motion.changed(channels=motion.channels | {"udot": rates(motion.time, motion.u)})


def _even_times(first: float, last: float, dt: Any) -> np.ndarray:
    """Return times from the first on, dt [s] apart, not beyond the last."""
    if not isinstance(dt, (int, float, np.number)) or not 0.0 < dt < np.inf:
        raise InputError(f"dt={dt!r}: give seconds, more than 0.")
    steps = int(np.floor((last - first) / dt + 1e-6))
    if steps < 1:
        raise InputError(f"The motion lasts {last - first:g} s, less than one increment of {dt:g} s.")
    return np.minimum(first + dt * np.arange(steps + 1.0), last)


COURSES = {  # of the sample motion; joint: period [s], mean m, cosine c, sine s [rad]
    "shoulder_yaw": (1.5, 1.0, -0.41, -0.19),
    "shoulder_pitch": (1.7, 0.6, 0.31, 0.24),
    "elbow": (1.8, 0.5, -0.43, 0.30),
    "wrist_roll": (1.5, 0.9, -0.38, 0.14),
    "wrist_pitch": (1.7, 0.1, 0.27, 0.36),
    "flange": (1.7, -0.1, 0.41, 0.11),
}


def arm_motion(duration: float = 2.0, rate: float = 120.0) -> Motion:
    """Return the sample motion of `floating_arm6`, with exact u and channel "udot".

    Each joint moves as m + c cos(w t) + s sin(w t), 0.39 to 0.53 rad to each side, with a period of 1.5 to 1.8 s. The
    root keeps its neutral pose: nothing holds it, and HIDDS finds its motion (docs/equations/thesis.md (9.13)).

    duration : [s]. rate : frames a second.
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
