"""Velocities and accelerations of frames, on the manifold: through them, or near them (thesis 10.1).

Around frame k the way is q_k ⊞ θ(t), with a polynomial θ = c₀ + c₁ t + c₂ t² + …

    through the frames    θ(t_j) = q_j ⊟ q_k, five frames, degree 4            (1)
    near them             the least Σ w_j |θ(t_j) - q_j ⊟ q_k|², w_j = exp(-½ (t_j - t_k)² / σ²),
                          of degree 3 for c₀ and c₁, 4 for c₂                  (2)

    q = q_k ⊞ c₀,   u = J(c₀) c₁,   u' = 2 J(c₀) c₂ + J'(c₀, c₁) c₁             (3)  J = 1 where (1) holds: c₀ = 0

(2) is a low-pass filter without delay: of a wave of w [rad/s], q, u and u' alike, passes (1 + x) exp(-x), x = ½ (σ w)²;
that is half the power at the cutoff when σ = 0.2337 / cutoff [Hz] (4). Before the first frame and after the last it
sees the motion turned about them, 2 θ_end - θ_j (5), so that noise is not blown up there.
Floats only.

Wanted
------
What is wanted: a motion with its velocities and accelerations, at even times (thesis 10.1).

Accelerations are those the motion knows: of keyframes exactly, else its channel "udot". Where there are none, they come
from differentiation on the manifold (`desired_motion.py`), of velocities that are known, else twice of positions.
Floats only.

Arm
---
The stored motion that HIDDS is measured on: the six joints of `floating_arm6` for 2 s, as Fourier series.

Each joint is x = m + c cos(w t) + s sin(w t), 0.39 to 0.53 rad to each side, with a period of 1.5 to 1.8 s. It is a
definition, not a file, so that positions, velocities and accelerations are exact at any time. The root is left where
the neutral state of the figure has it: nothing holds it, and HIDDS says how it moves (thesis 9.13).
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.compiler import kernel_for
from anthropi.compiler.cache import digest
from anthropi.errors import InputError
from anthropi.figure.samples import sample
from anthropi.figure.states import angular_starts
from anthropi.motion import Fourier, Keyframes, Motion
from anthropi.tape import record

__all__ = ["COURSES", "arm_motion", "differentiated", "filtered", "rates", "wanted_motion"]


HALF_POWER = 0.2337  # (4)
AROUND = 5  # frames of (1)
REACH = 5.0  # how many σ the weights of (2) reach
NEAR = 0.2  # of the usual step: frames nearer than that are one


def differentiated(motion: Motion) -> Motion:
    """The motion with u and the channel "udot" that its frames tell (1)."""
    c, apart = np.zeros((3, len(motion), motion.figure.nu)), _differences(motion.figure)
    for k, (at, fit) in enumerate(_windows(motion.time)):
        c[:, k] = fit @ apart(motion.q[k], motion.q[at])
    return motion.changed(u=c[1], channels=motion.channels | {"udot": 2.0 * c[2]})  # (3)


def rates(time, values) -> np.ndarray:
    """Rates (frames, n) of values (frames, n) that add, as velocities do: (1) on them."""
    return np.array([fit[1] @ values[at] for at, fit in _windows(time)])


def filtered(motion: Motion, cutoff: float) -> Motion:
    """The motion after a low-pass filter (2), cutoff [Hz]: q, u and the channel "udot"."""
    if not isinstance(cutoff, (int, float, np.number)) or not 0.0 < cutoff < np.inf:
        raise InputError(f"cutoff={cutoff!r}: give Hz, more than 0, or None.")
    _enough(motion.time)
    figure, time, sigma = motion.figure, motion.time, HALF_POWER / cutoff  # (4)
    every, apart = np.arange(len(time)), _differences(figure)
    times = np.concatenate([time, 2.0 * time[0] - time[1:], 2.0 * time[-1] - time[:-1]])
    frames = np.concatenate([every, every[1:], every[:-1]])
    ends = np.repeat([-1, 0, len(time) - 1], [len(time), len(time) - 1, len(time) - 1])  # turned about which, if any
    c = np.zeros((3, len(time), figure.nu))
    for k, t in enumerate(time):
        at = np.flatnonzero(np.abs(times - t) <= REACH * sigma)
        if len(at) < AROUND:
            raise InputError(
                f"cutoff={cutoff:g} Hz sees no more than {len(at)} frames at {t:g} s. Take a lower one, at "
                f"most {1.0 / np.diff(time).max():.3g} Hz, or None."
            )
        theta = apart(motion.q[k], motion.q[frames[at]])
        turned = ends[at] >= 0
        if turned.any():
            theta[turned] = 2.0 * apart(motion.q[k], motion.q[ends[at[turned]]]) - theta[turned]  # (5)
        weights = np.exp(-0.5 * ((times[at] - t) / sigma) ** 2)
        c[:2, k] = _fit(times[at] - t, weights, 3)[:2] @ theta  # (2)
        c[2, k] = _fit(times[at] - t, weights, 4)[2] @ theta
    u, udot = c[1].copy(), 2.0 * c[2]
    for k in angular_starts(figure):
        part = slice(k, k + 3)
        r, v, J = c[0][:, part], c[1][:, part], rot.J_b(c[0][:, part])
        u[:, part], udot[:, part] = matvec(J, v), matvec(J, udot[:, part]) + rot.J_b_dot_rdot(r, v)  # (3)
    return motion.changed(q=figure.integrate(motion.q, c[0]), u=u, channels=motion.channels | {"udot": udot})


def _differences(figure):
    """q1 ⊟ q0 of a whole window at once: the kernel of `figure.difference`."""

    def tape():
        none = np.zeros(figure.nq)
        return record(lambda q0, q1: figure.difference(q0, q1), q0=none, q1=none)

    return kernel_for(digest("difference", figure.key), tape, opt=0)


def _enough(time) -> None:
    if len(time) < 3:
        raise InputError(f"A motion of {len(time)} frames tells no acceleration. Give 3 at least, or a channel 'udot'.")


def _windows(time):
    """For every frame which frames are looked at, and the rows of `_fit` (1).

    Of frames just beside each other, as a cut leaves them, only one counts: their difference tells nothing.
    """
    _enough(time)
    close, kept = NEAR * np.median(np.diff(time)), [0]
    for k in range(1, len(time)):
        if time[k] - time[kept[-1]] >= close:
            kept.append(k)
    spaced = np.isin(np.arange(len(time)), kept)
    for k, t in enumerate(time):
        seen = np.flatnonzero((spaced & (np.abs(time - t) >= close)) | (time == t))
        first = int(np.searchsorted(seen, k)) - AROUND // 2
        first = min(max(0, first), max(0, len(seen) - AROUND))
        at = seen[first : first + AROUND]
        yield at, _fit(time[at] - t, np.ones(len(at)), len(at) - 1)


def _fit(t, weights, degree: int) -> np.ndarray:
    """Rows (3, n) that give c₀, c₁, c₂ of the polynomial that fits n values at t."""
    scale = np.abs(t).max()
    powers = np.vander(t / scale, min(degree, len(t) - 1) + 1, increasing=True)
    root = np.sqrt(weights)[:, None]
    rows = np.linalg.pinv(root * powers) * root.T
    return rows[:3] / scale ** np.arange(3.0)[:, None]


RATE = 120.0  # [1/s] of keyframes, if nothing else is said


def wanted_motion(motion, dt: float | None = None, cutoff: float | None = None) -> Motion:
    """The motion every dt [s], with the channel "udot"; its own frames if dt is None.

    motion : `Motion` of one rollout, or `Keyframes`. cutoff : [Hz] of a low-pass filter, for captured motion.
    """
    if isinstance(motion, Keyframes):
        times = _even(motion.times[0], motion.times[-1], 1.0 / RATE if dt is None else dt)
        found = motion.motion(times)
        return found if cutoff is None else filtered(found, cutoff)
    if not isinstance(motion, Motion):
        raise InputError(f"Give a Motion, or Keyframes; got {type(motion).__name__}.")
    if motion.q.ndim != 2:
        raise InputError(f"This motion has {motion.q.shape[0]} rollouts. Take one: motion.rollout(0).")
    if cutoff is not None:
        motion = filtered(motion, cutoff)
    elif motion.udot is None:
        made = motion.figure.nu and np.array_equal(Motion(motion.figure, motion.time, motion.q).u, motion.u)
        motion = differentiated(motion) if made else _with_rates(motion)
    if dt is None:
        return motion
    times = _even(motion.time[0], motion.time[-1], dt)
    same = len(times) == len(motion) and np.allclose(times, motion.time, rtol=0.0, atol=1e-9 * dt)
    return motion if same else motion.resample(times)


def _with_rates(motion: Motion) -> Motion:
    """The motion with "udot" from its velocities."""
    return motion.changed(channels=motion.channels | {"udot": rates(motion.time, motion.u)})


def _even(first: float, last: float, dt: float) -> np.ndarray:
    """Times from the first on, dt [s] apart, as many as there are until the last."""
    if not isinstance(dt, (int, float, np.number)) or not 0.0 < dt < np.inf:
        raise InputError(f"dt={dt!r}: give seconds, more than 0.")
    steps = int(np.floor((last - first) / dt + 1e-6))
    if steps < 1:
        raise InputError(f"The motion lasts {last - first:g} s, less than one increment of {dt:g} s.")
    return np.minimum(first + dt * np.arange(steps + 1.0), last)


COURSES = {  # joint: period [s], mean m, cosine c, sine s [rad]
    "shoulder_yaw": (1.5, 1.0, -0.41, -0.19),
    "shoulder_pitch": (1.7, 0.6, 0.31, 0.24),
    "elbow": (1.8, 0.5, -0.43, 0.30),
    "wrist_roll": (1.5, 0.9, -0.38, 0.14),
    "wrist_pitch": (1.7, 0.1, 0.27, 0.36),
    "flange": (1.7, -0.1, 0.41, 0.11),
}


def arm_motion(duration: float = 2.0, rate: float = 120.0) -> Motion:
    """The arm's motion, `rate` frames a second, with exact u and channel "udot"."""
    figure = sample("floating_arm6")
    time = np.arange(round(duration * rate) + 1) / rate
    q, u = np.tile(figure.neutral(), (len(time), 1)), np.zeros((len(time), figure.nu))
    udot = np.zeros_like(u)
    for name, (period, mean, cosine, sine) in COURSES.items():
        i = figure.joint_index(name)
        course = Fourier(period, mean, (cosine,), (sine,))(time)
        q[:, figure.q_of[i].start], u[:, figure.u_of[i].start], udot[:, figure.u_of[i].start] = course
    return Motion(figure, time, q, u, {"udot": udot}, metadata={"made": "arm_motion"})
