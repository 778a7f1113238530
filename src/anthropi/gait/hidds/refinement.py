"""Refinement of force profiles, so that direct dynamics alone makes a desired motion (docs/equations/thesis.md, 11.3).

A user can edit a `Profile` and run it again. `refine` does this automatically: it runs the profile, compares the result
with the desired motion, and corrects the profile by inverse dynamics of the error. With τ⁰ the first profile:

    e = q* ⊟ q,   ė = u* - u,   p = kd ė + kp e                                (1)
    Δτ = inverse(q, u, u'* + r + p) - τ⁰                                       (2)  change required at the current state
    Σ |Δτ|² ≤ bound² Σ |τ⁰|², over all increments; a larger change is scaled to that bound           (3)
    τ = τ⁰ + Δτ                                                                (4)  constant over the increment
    r ← r + g F p                                                              (5)  feedback becomes part of the plan

A run that has drifted away gives no information, so the comparison is made at each increment of the run. Forces are
constant over an increment, so the applied forces (4) are a profile. Direct dynamics of this profile, without feedback,
gives a bit for bit identical run. (5) is iterative learning control: the feedback of the best run so far is applied in
the next run before the error occurs. The filter F (half of each row and a quarter of each neighbour) removes the
fastest changes. If a run is worse than the best, the gain g, which is 1 at first, is halved. Iterations end when the
error is accepted. It is compared with the error of the first run, but at most with the error of a figure that does not
move, q = q*(0) (6). Otherwise every run would be accepted if the first one diverged.

An edit acts between two times, with a smooth transition of `over` seconds inside each end:

    w(t) = s² (3 - 2 s),   s = (t - start) / over, (end - t) / over, cut to 0 … 1    (7)
    scaled    τ (1 + w (factor - 1))                                           (8)
    shifted   τ + w offset                                                     (9)
    through   τ + d(t), d the spline through value - τ at the given times and 0 at start and end    (10)

The functions work on plain floats only and cannot be recorded on a tape.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError, Interrupted, StepError
from anthropi.figure import Figure
from anthropi.gait.hidds.sequence import DEFAULT_KP, Names, Sequence, hidds
from anthropi.motion import Keyframes, Motion, spline

__all__ = ["Iteration", "Profile", "Refinement", "change", "refine"]


BOUND_MARGIN = 1.0 - 1e-9  # factor of the bound (3), as a margin for rounding


class Iteration(NamedTuple):
    """Result of one run: RMS error e over joints and time [rad or m], and RMS of τ - τ⁰ divided by the RMS of τ⁰."""

    error: float
    change: float


@dataclass(frozen=True, eq=False)
class Refinement:
    """Result of a refinement.

    motion : the accepted run, or else the best one, with the channels of `hidds`.
    tau : (frames, nu), its profile, which `hidds(motion, "open loop", tau=tau)` or `simulate` can replay.
    first : the run of the first profile.
    history : the first run and every iteration. kept : index of `motion` among them.
    accepted : whether the error criterion was met; False for a figure that falls because no force supports it.
    still : error of a figure that does not move (6).
    """

    motion: Motion
    tau: np.ndarray
    first: Motion
    history: tuple[Iteration, ...]
    kept: int
    accepted: bool
    still: float

    @property
    def error(self) -> float:
        """RMS error [rad or m] of the run that was kept."""
        return self.history[self.kept].error

    @property
    def gain(self) -> float:
        """Error of the first run, or of a figure that does not move (6), divided by the error of the kept run."""
        first = min(self.history[0].error, self.still)
        return first / max(self.error, np.finfo(float).tiny)

    @property
    def change(self) -> float:
        """RMS difference between the kept and the first profile, as a share of the first."""
        return self.history[self.kept].change

    @property
    def iterations(self) -> int:
        """Number of runs after the first."""
        return len(self.history) - 1


def refine(
    motion: Motion | Keyframes,
    tau: Any = None,
    *,
    iterations: int = 15,
    accept: float | Callable[..., Any] = 0.1,
    bound: float = 0.2,
    kp: Any = DEFAULT_KP,
    kd: Any = None,
    progress: Callable[[int, int], Any] | None = None,
    **options: Any,
) -> Refinement:
    """Find a force profile, near a first one, with which direct dynamics alone follows a motion.

    Parameters
    ----------
    motion : the desired motion.
    tau : (frames, nu), the first profile; by default from inverse dynamics of the motion.
    iterations : largest number of runs.
    accept : error at which the iterations stop, as a share of the error of the first run (6). Or a function of the run
        (a `Motion` with channel "error") that returns whether it is accepted.
    bound : largest RMS change of the profile, as a share of the first profile (3).
    kp, kd : gains of (1) [1/s²], [1/s].
    progress : function that is called with the iterations done and the total number.
    options : options of `hidds`: driven, frozen, root, dt, f_ext, cutoff, method, substeps, opt.

    Raises
    ------
    Interrupted : Ctrl-C after the first run; its field `result` is the `Refinement` until then.
    """
    _check(iterations, accept, bound)
    made = Sequence(motion, **options)
    kp, kd = made.gains(kp, kd)
    given = made.planned() if tau is None else made.profile(tau)
    profile = np.where(made.forced, given, 0.0)
    if not profile.any():
        raise InputError(
            "There is no force to refine: all degrees of freedom are driven, frozen or free, or their forces are 0. "
            "Give tau, or leave some joints out of driven and frozen."
        )
    first = _run(made, lambda k, q, u: profile[k], "open loop")
    history, best, kept = [Iteration(_measure(made, first), 0.0)], first, 0
    still = _still(made)
    done = _accepted(accept, first, history, still)
    applied, learned, feedback, gain = profile, np.zeros(profile.shape), np.zeros(profile.shape), 1.0
    try:
        for k in range(iterations):
            if done:
                break
            trial = learned + gain * _smoothed(feedback)  # (5)
            run, fed, other = _corrected(made, profile, trial, bound, kp, kd)
            history.append(Iteration(_measure(made, run), change(profile, other)))
            done = _accepted(accept, run, history, still)
            if done or history[-1].error < history[kept].error:
                best, applied, learned, feedback, kept = run, other, trial, fed, k + 1
            else:
                gain *= 0.5
            if progress is not None:
                progress(k + 1, iterations)
    except KeyboardInterrupt:
        so_far = Refinement(best, applied, first, tuple(history), kept, False, still)
        raise Interrupted(
            f"The refinement was stopped after {so_far.iterations} iterations. The result so far is in the field "
            "'result' of this exception.",
            best,
            so_far,
        ) from None
    judged = bool(done) and (callable(accept) or not made.unsupported)  # a fall that follows a fall is not accepted
    return Refinement(best, applied, first, tuple(history), kept, judged, still)


def _measure(made: Sequence, run: Motion) -> float:
    """Compute the RMS error over time and the degrees of freedom driven by force; inf if the run ended early."""
    error = run.channels["error"][:, made.forced]
    return float(np.sqrt(np.mean(error**2))) if len(run) == len(made.desired) else np.inf


def _still(made: Sequence) -> float:
    """Compute the RMS error of a figure that stays in its first configuration (6)."""
    q = made.desired.q
    error = made.figure.difference(np.broadcast_to(q[0], q.shape), q)[:, made.forced]
    return float(np.sqrt(np.mean(error**2)))


def change(first: np.ndarray, other: np.ndarray) -> float:
    """Compute the RMS difference of two force profiles (frames, nu), as a share of the first."""
    size = np.linalg.norm(first[:-1])
    return float(np.linalg.norm(other[:-1] - first[:-1]) / size) if size else np.inf


def _corrected(made: Sequence, profile, learned, bound, kp, kd) -> tuple[Motion, np.ndarray, np.ndarray]:
    """Run with the corrected forces (4); return the motion, the feedback p of every increment, and the profile."""
    left = [BOUND_MARGIN * bound**2 * np.sum(profile[:-1] ** 2)]
    applied, feedback = profile.copy(), np.zeros(profile.shape)

    def command(k, q, u):
        feedback[k] = made.feedback(k, q, u, kp, kd)  # (1)
        more = np.where(made.forced, made.forces(k, q, u, learned[k] + feedback[k]) - profile[k], 0.0)  # (2)
        with np.errstate(over="ignore", invalid="ignore"):
            spent = more @ more
        if k == len(profile) - 1 or not np.isfinite(spent):  # no force is applied after the last increment
            return profile[k]
        if spent > left[0]:
            more, spent = more * np.sqrt(left[0] / spent), left[0]  # (3)
        left[0] -= spent
        applied[k] = profile[k] + more  # (4)
        return applied[k]

    return _run(made, command, "refined"), feedback, applied


def _smoothed(rows) -> np.ndarray:
    """Average rows (frames, nu) with their neighbours, by the filter F of (5); the first and the last do not change."""
    return np.concatenate([rows[:1], 0.25 * rows[:-2] + 0.5 * rows[1:-1] + 0.25 * rows[2:], rows[-1:]])


def _run(made: Sequence, command, mode: str) -> Motion:
    """Return the motion under a command, up to its divergence if it diverges. mode : for metadata["hidds"]."""
    try:
        return made.run(command, about={"mode": mode})
    except StepError as error:
        return error.motion


def _accepted(accept, run: Motion, history, still: float) -> bool:
    if callable(accept):
        return bool(accept(run))
    return len(history) > 1 and history[-1].error <= accept * min(history[0].error, still)  # (6)


def _check(iterations, accept, bound) -> None:
    if not isinstance(iterations, (int, np.integer)) or iterations < 1:
        raise InputError(f"iterations={iterations!r}: give a whole number of at least 1.")
    for name, value in (("accept", accept), ("bound", bound)):
        if not callable(value) and not (isinstance(value, (int, float, np.number)) and 0.0 <= value < np.inf):
            raise InputError(f"{name}={value!r}: give a share of at least 0, relative to the first run.")


@dataclass(frozen=True, eq=False)
class Profile:
    """A profile of joint forces over time.

    time : (frames,) [s]. tau : (frames, nu) [N m or N]; each row is constant until the next frame.
    """

    figure: Figure
    time: np.ndarray
    tau: np.ndarray

    def __post_init__(self) -> None:
        time, tau = np.array(self.time, float), np.array(self.tau, float)
        if tau.shape != (len(time), self.figure.nu) or not np.isfinite(tau).all():
            raise InputError(f"tau has shape {tau.shape}. Give finite numbers of shape {(len(time), self.figure.nu)}.")
        for name, x in (("time", time), ("tau", tau)):
            x.setflags(write=False)
            object.__setattr__(self, name, x)

    @classmethod
    def of(cls, motion: Motion | Keyframes, **options: Any) -> "Profile":
        """Return the forces in the channel "tau" of a motion, or else its forces by inverse dynamics.

        The options are those of `hidds`.
        """
        if isinstance(motion, Motion) and motion.tau is not None and motion.q.ndim == 2:
            return cls(motion.figure, motion.time, motion.tau)
        made = Sequence(motion, **options)
        return cls(made.figure, made.desired.time, np.where(made.forced, made.planned(), 0.0))

    # edits, each returns a new profile

    def scaled(
        self, names: Names, factor: float, start: float | None = None, end: float | None = None, over: float = 0.05
    ) -> "Profile":
        """Return a profile with the forces of some joints or degrees of freedom scaled from start to end [s] (8).

        over : duration of the smooth transition at each end [s].
        """
        return self._with(names, self.tau * (1.0 + self._window(start, end, over) * (_number("factor", factor) - 1.0)))

    def shifted(
        self, names: Names, offset: float, start: float | None = None, end: float | None = None, over: float = 0.05
    ) -> "Profile":
        """Return a profile with an offset [N m or N] added to some forces from start to end [s] (9).

        over : duration of the smooth transition at each end [s].
        """
        return self._with(names, self.tau + self._window(start, end, over) * _number("offset", offset))

    def through(
        self, name: str, points: dict[float, float], start: float | None = None, end: float | None = None
    ) -> "Profile":
        """Return a profile in which one force passes through points, with a smooth change from start to end [s] (10).

        name : a degree of freedom. points : {time [s]: force}.
        """
        places = self.figure.dof_indices([name])
        if len(places) != 1 or not points:
            raise InputError(
                f"through('{name}', …) needs a name with one degree of freedom and at least one point. '{name}' has "
                f"{len(places)} degrees of freedom."
            )
        first, last = self._span(start, end)
        own = self.tau[:, places[0]]
        apart = {t: _number("value", x) - np.interp(t, self.time, own) for t, x in sorted(points.items())}
        if not first <= min(apart) <= max(apart) <= last:
            raise InputError(
                f"Points from {min(apart):g} to {max(apart):g} s are not inside {first:g} to {last:g} s. Move the "
                "points, or change start and end."
            )
        keys = {first: 0.0, last: 0.0} | apart
        times = sorted(keys)
        more = spline(times, [keys[t] for t in times], "clamped")(self.time).value
        inside = (first <= self.time) & (self.time <= last)
        return self._with(name, self.tau + np.where(inside, more, 0.0)[:, None])

    def apart(self, other: "Profile") -> float:
        """Compute the RMS difference between another profile and this one, divided by the RMS of this one."""
        return change(self.tau, other.tau)

    def run(self, motion: Motion | Keyframes, **options: Any) -> Motion:
        """Run direct dynamics of the profile from the first frame of a motion. The options are those of `hidds`."""
        return hidds(motion, "open loop", tau=self.tau, **options)

    def _with(self, names, tau) -> "Profile":
        mine = np.isin(np.arange(self.figure.nu), self.figure.dof_indices(names))
        return replace(self, tau=np.where(mine, tau, self.tau))

    def _span(self, start, end) -> tuple[float, float]:
        first = self.time[0] if start is None else _number("start", start)
        last = self.time[-1] if end is None else _number("end", end)
        if not first < last:
            raise InputError(f"An edit cannot go from {first:g} to {last:g} s. Give a start before the end.")
        return first, last

    def _window(self, start, end, over) -> np.ndarray:
        """Compute the weight w (frames, 1) of (7). A start or end of None has no transition."""
        first, last = self._span(start, end)
        edge = max(min(_number("over", over), 0.5 * (last - first)), 1e-12)
        rise = np.ones(len(self.time)) if start is None else np.clip((self.time - first) / edge, 0.0, 1.0)
        fall = np.ones(len(self.time)) if end is None else np.clip((last - self.time) / edge, 0.0, 1.0)
        s = np.minimum(rise, fall)
        return (s * s * (3.0 - 2.0 * s))[:, None]


def _number(name: str, value) -> float:
    if not isinstance(value, (int, float, np.number)) or not np.isfinite(value):
        raise InputError(f"{name}={value!r}: give a finite number.")
    return float(value)
