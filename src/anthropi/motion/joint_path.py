"""Smooth paths of joints through configurations at given times, for every kind of joint.

After key k the path is q_k ⊞ θ(t - t_k), with a cubic θ. If velocities add, θ is the cubic spline of the coordinates.
For rotations it is the spline of `rotation_splines.key_velocities`, with two derivatives (or `squad`, with one), and

    u = J_b(θ) θ',   u' = J_b(θ) θ'' + J_b'(θ, θ') θ'                                                                (1)

Before the first key and after the last key a path continues with the velocity at that key.
"""

from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.algebra.scalar import records
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.states import angular_starts, finite_numbers, joint_rows
from anthropi.motion.rotation_splines import corners, key_velocities, middle_velocities, squad
from anthropi.motion.splines import cubics, key_slopes, known_ends
from anthropi.motion.time_functions import checked_times, pick, piece_at, wrapped

__all__ = ["ROTATIONS", "JointPath", "JointState"]

ROTATIONS = ("log", "squad")
SAME_CONFIGURATION = 1e-9  # [rad, m] largest difference of equal configurations


class JointState(NamedTuple):
    """State of a joint or a figure at a time: q (nq,), u (nu,), u' (nu,)."""

    q: Any
    u: Any
    udot: Any


class JointPath:
    """Path of a joint through keys: t → `JointState`. Can be recorded on a tape.

    Attributes
    ----------
    joint : the joint.
    times : (K,) [s].
    q : (K, nq) keys, with quaternions of continuous sign.
    u : (K, nu) velocities at the keys.
    """

    ends: Any
    joint: Any
    period: Any
    places: Any
    q: Any
    times: Any
    u: Any

    def __init__(
        self, joint: Any, times: Any, q: Any, ends: str = "natural", slopes: Any = None, rotations: str = "log"
    ) -> None:
        """Find the path through keys q (K, nq) at times (K,) [s].

        ends : "natural" (no acceleration at the ends), "clamped" (to slopes (2, nu), at rest if None) or "periodic".
        rotations : interpolation of rotations, "log" (two derivatives) or "squad" (one).
        """
        what = f"Keys of joint '{joint.name}'"
        known_ends(ends)
        if rotations not in ROTATIONS:
            raise InputError(
                f"rotations={rotations!r}.{did_you_mean(str(rotations), ROTATIONS)} Choose from {', '.join(ROTATIONS)}."
            )
        self.joint, self.ends, self.rotations = joint, ends, rotations
        self.times = checked_times(times, what, 2 if ends == "periodic" else 1)
        alone: Any = SimpleNamespace(joints=(joint,), u_of=(slice(0, joint.nu),))  # as a figure of one joint
        self.places = angular_starts(alone)
        self.q = self._one_side(finite_numbers(what, q, (len(self.times), joint.nq)))
        slopes = finite_numbers(what, np.zeros((2, joint.nu)) if slopes is None else slopes, (2, joint.nu))
        xi = np.array([joint.difference(a, b) for a, b in zip(self.q[:-1], self.q[1:], strict=True)])
        xi = xi.reshape(len(self.times) - 1, joint.nu)
        self.period = self.times[-1] - self.times[0] if ends == "periodic" else None
        if (
            self.period is not None
            and np.abs(joint.difference(self.q[0], self.q[-1])).max(initial=0.0) > SAME_CONFIGURATION
        ):
            raise InputError(
                f"{what}: a periodic path must end as it begins, but the last key differs from the first. Make them "
                "equal, or use ends='natural'."
            )
        self.u = self._velocities(xi, slopes)
        self._tables(xi)

    def _one_side(self, q) -> np.ndarray:
        """Return the keys with the signs of quaternions chosen so that they change continuously."""
        q = q.copy()
        for at in self.joint.quaternions:
            for k in range(1, len(q)):
                if q[k, at] @ q[k - 1, at] < 0.0:
                    q[k, at] = -q[k, at]
        q.setflags(write=False)
        return q

    def _velocities(self, xi, slopes) -> np.ndarray:
        times, ends = self.times, self.ends
        if len(times) == 1:
            return slopes[:1] if ends == "clamped" else np.zeros((1, self.joint.nu))
        reached = np.concatenate([np.zeros((1, self.joint.nu)), np.cumsum(xi, axis=0)])
        u = key_slopes(times, reached, "natural" if ends == "periodic" else ends, slopes)
        if ends == "periodic":
            plain = [k for k in range(self.joint.nu) if not any(k in range(p, p + 3) for p in self.places)]
            u[:, plain] = key_slopes(times, reached[:, plain], ends)
        for at in self.places:
            part = slice(at, at + 3)
            if self.rotations == "squad":
                u[:, part] = middle_velocities(times, xi[:, part], ends, slopes[:, part])
                continue
            found, left = key_velocities(times, xi[:, part], u[:, part], ends, slopes[:, part])
            if not left <= 1e-10 * (1.0 + np.abs(xi[:, part]).max() / np.diff(times).min() ** 2):
                far = int(np.argmax(np.linalg.norm(xi[:, part], axis=-1)))
                raise InputError(
                    f"Keys of joint '{self.joint.name}': no path with two derivatives was found. The largest rotation "
                    f"is from {times[far]:g} to {times[far + 1]:g} s. Add a key between, or use rotations='squad'."
                )
            u[:, part] = found
        return u

    def _tables(self, xi) -> None:
        """Tabulate the coefficients of every piece."""
        arriving = self.u[1:].copy()
        for at in self.places:
            part = slice(at, at + 3)
            arriving[:, part] = matvec(rot.G_b(xi[:, part]), self.u[1:, part])
        zeros = np.zeros(self.u.shape)
        self._theta = cubics(self.times, zeros, self.u, xi, arriving)[:, 1:]
        self._base = np.concatenate([self.q[:1], self.q])
        self._start = np.concatenate([self.times[:1], self.times])
        self._corners = []
        if self.rotations == "squad":
            h = np.concatenate([[1.0], np.diff(self.times), [1.0]])
            for at in self.places:
                turn, w = xi[:, at : at + 3], self.u[:, at : at + 3]
                alpha, eta = corners(turn, w, np.diff(self.times)[:, None])
                none = np.zeros((1, 3))
                around = (np.concatenate([w[:1], x, w[-1:]]) for x in (turn, eta))
                self._corners.append((h, np.concatenate([none, alpha, none]), *around))

    def __call__(self, t: Any) -> JointState:
        """Return the state of the joint at t [s]: a number, a recording scalar, or (n,) floats."""
        joint = self.joint
        t = t if self.period is None else wrapped(t, self.times[0], self.times[-1])
        k = piece_at(self.times, t)
        tau, many = t - pick(self._start, k), not records(t) and np.ndim(t) == 1
        tau = tau[:, None] if many else tau
        a, b, c = np.moveaxis(pick(self._theta, k), -2, 0)
        theta = tau * (a + tau * (b + tau * c))
        u = a + tau * (2.0 * b + 3.0 * tau * c)
        udot = 2.0 * b + 6.0 * tau * c
        for n, at in enumerate(self.places):
            part = slice(at, at + 3)
            if self.rotations == "squad":
                h, alpha, turn, eta = (pick(x, k) for x in self._corners[n])
                h = h[:, None] if many else h
                found = squad(turn, alpha, eta, tau / h, h)
            else:
                r, v, w = theta[..., part], u[..., part], udot[..., part]
                J = rot.J_b(r)
                found = r, matvec(J, v), matvec(J, w) + rot.J_b_dot_rdot(r, v)  # (1)
            theta, u, udot = (_with(x, at, y) for x, y in zip((theta, u, udot), found, strict=True))
        base = pick(self._base, k)
        q = base + theta if joint.plain else joint_rows(joint, "integrate", base, theta)
        return JointState(q, u, udot)


def _with(x, at: int, part):
    """Return x with three entries replaced, starting at index `at`."""
    return np.concatenate([x[..., :at], part, x[..., at + 3 :]], -1)
