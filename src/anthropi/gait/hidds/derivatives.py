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
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.compile import kernel_for
from anthropi.compile.cache import digest
from anthropi.errors import InputError
from anthropi.figure.turns import turns
from anthropi.motion import Motion
from anthropi.tape import record

__all__ = ["differentiated", "filtered", "rates"]

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
    for k in turns(figure):
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
