"""Refinement of force profiles, so that direct dynamics alone makes a desired motion (docs/equations/thesis.md, 11.3).

`Profile` is edited by hand and run again. `refine` does it automatically: run, compare, and correct by inverse dynamics
of the error,

    e = q* ⊟ q,   ė = u* - u,   p = kd ė + kp e                                (1)
    Δτ = inverse(q, u, u'* + r + p) - τ⁰                                       (2)  change that the state reached needs
    Σ |Δτ|² ≤ bound² Σ |τ⁰|², over all increments: the change is cut at that bound                   (3)
    τ = τ⁰ + Δτ                                                                (4)  held over the increment
    r ← r + g F p                                                              (5)  feedback becomes part of the plan

with τ⁰ the first profile. A run that has drifted away gives no information, so the comparison is made inside the run,
at each increment. As forces are held, the forces applied (4) are a profile of their own, and direct dynamics of it
alone, without any feedback, is that same run to the last bit. (5) is iterative learning control: the feedback of the
best run so far is applied before the error in the next. F, a quarter of each neighbour and half of itself, keeps the
fastest changes out, and where a run is worse than the best, the gain g, 1 at first, halves. Iterations end when the
error is accepted. It is compared with the first run's, but at most with the error of a figure at rest, q = q*(0)
(6): otherwise every run would be accepted after a first one that diverged.

An edit by hand acts between two times, with a smooth edge of `over` seconds inside each end:

    w(t) = s² (3 - 2 s),   s = (t - start) / over, (end - t) / over, cut to 0 … 1    (7)
    scaled    τ (1 + w (factor - 1))                                           (8)
    shifted   τ + w offset                                                     (9)
    through   τ + d(t), d the spline through value - τ at the given times and 0 at start and end    (10)

Plain floats only, cannot be recorded.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError, StepError
from anthropi.figure import Figure
from anthropi.gait.hidds.sequence import DEFAULT_KP, Names, Sequence, hidds
from anthropi.motion import Keyframes, Motion, spline

__all__ = ["Iteration", "Profile", "Refinement", "change", "refine"]


BOUND_MARGIN = 1.0 - 1e-9  # factor of the bound (3), so that rounding stays inside


class Iteration(NamedTuple):
    """One run: RMS of e over joints and time [rad or m], and RMS of τ - τ⁰ as a share of τ⁰'s."""

    error: float
    change: float


@dataclass(frozen=True, eq=False)
class Refinement:
    """The result of a refinement.

    motion : the run accepted, else the best, with channels as `hidds` gives. tau : its profile (frames, nu), to be
    replayed by `hidds(motion, "open loop", tau=tau)` or `simulate`. first : the run of the first profile.
    history : the first run and every iteration; kept : which of them `motion` is. accepted : whether the criterion was
    met. still : the error of a figure at rest (6).
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
        """Ratio of the first profile's error, or that of a figure at rest (6), to the error of the run kept."""
        first = min(self.history[0].error, self.still)
        return first / max(self.error, np.finfo(float).tiny)

    @property
    def change(self) -> float:
        """RMS difference of the profile kept from the first, as a share of it."""
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
    """Find a force profile near the first one with which direct dynamics alone follows a motion.

    Parameters
    ----------
    motion : the desired motion. tau : (frames, nu) the first profile; by default that of the open loop, by inverse
        dynamics of the motion.
    iterations : runs at most.
    accept : the error to stop at, as a share of the first run's (6); or a function of the run (a `Motion` with channel
        "error") that returns whether it is accepted.
    bound : RMS change of the profile at most, as a share of the first one (3).
    kp, kd : [1/s²], [1/s] gains of (1). progress : function (iterations done, in all).
    options : as of `hidds`: driven, frozen, root, dt, f_ext, cutoff, method, substeps, opt.
    """
    _check(iterations, accept, bound)
    made = Sequence(motion, **options)
    kp, kd = made.gains(kp, kd)
    given = made.planned() if tau is None else made.profile(tau)
    profile = np.where(made.forced, given, 0.0)
    if not profile.any():
        raise InputError(
            "No degree of freedom has a force to refine: all are driven, frozen or free, or their forces are 0. Give "
            "tau, or leave some joints out of driven and frozen."
        )
    first = _run(made, lambda k, q, u: profile[k])
    history, best, kept = [Iteration(_measure(made, first), 0.0)], first, 0
    still = _still(made)
    done = _accepted(accept, first, history, still)
    applied, learned, feedback, gain = profile, np.zeros(profile.shape), np.zeros(profile.shape), 1.0
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
    return Refinement(best, applied, first, tuple(history), kept, bool(done), still)


def _measure(made: Sequence, run: Motion) -> float:
    """Compute the RMS error over time and the degrees of freedom driven by force; inf if the run broke off."""
    error = run.channels["error"][:, made.forced]
    return float(np.sqrt(np.mean(error**2))) if len(run) == len(made.desired) else np.inf


def _still(made: Sequence) -> float:
    """Compute the error of a figure that keeps its first configuration (6)."""
    q = made.desired.q
    error = made.figure.difference(np.broadcast_to(q[0], q.shape), q)[:, made.forced]
    return float(np.sqrt(np.mean(error**2)))


def change(first: np.ndarray, other: np.ndarray) -> float:
    """Compute the RMS difference of two profiles (frames, nu) over the increments, as a share of the first."""
    size = np.linalg.norm(first[:-1])
    return float(np.linalg.norm(other[:-1] - first[:-1]) / size) if size else np.inf


def _corrected(made: Sequence, profile, learned, bound, kp, kd) -> tuple[Motion, np.ndarray, np.ndarray]:
    """Run under (4); return the motion, p of every increment, and the profile applied."""
    left = [BOUND_MARGIN * bound**2 * np.sum(profile[:-1] ** 2)]
    applied, feedback = profile.copy(), np.zeros(profile.shape)

    def command(k, q, u):
        feedback[k] = made.feedback(k, q, u, kp, kd)  # (1)
        more = np.where(made.forced, made.forces(k, q, u, learned[k] + feedback[k]) - profile[k], 0.0)  # (2)
        with np.errstate(over="ignore", invalid="ignore"):
            spent = more @ more
        if k == len(profile) - 1 or not np.isfinite(spent):  # after the last increment nothing is applied
            return profile[k]
        if spent > left[0]:
            more, spent = more * np.sqrt(left[0] / spent), left[0]  # (3)
        left[0] -= spent
        applied[k] = profile[k] + more  # (4)
        return applied[k]

    return _run(made, command), feedback, applied


def _smoothed(rows) -> np.ndarray:
    """Apply F of (5): average rows (frames, nu) with their neighbours; the first and the last are kept."""
    return np.concatenate([rows[:1], 0.25 * rows[:-2] + 0.5 * rows[1:-1] + 0.25 * rows[2:], rows[-1:]])


def _run(made: Sequence, command) -> Motion:
    """Return the motion under a command; the part until it broke off, if it did."""
    try:
        return made.run(command, about={"mode": "refined"})
    except StepError as error:
        return error.motion


def _accepted(accept, run: Motion, history, still: float) -> bool:
    if callable(accept):
        return bool(accept(run))
    return len(history) > 1 and history[-1].error <= accept * min(history[0].error, still)  # (6)


def _check(iterations, accept, bound) -> None:
    if not isinstance(iterations, (int, np.integer)) or iterations < 1:
        raise InputError(f"iterations={iterations!r}: give a whole number, at least 1.")
    for name, value in (("accept", accept), ("bound", bound)):
        if not callable(value) and not (isinstance(value, (int, float, np.number)) and 0.0 <= value < np.inf):
            raise InputError(f"{name}={value!r}: give a share of the first, 0 or more.")


@dataclass(frozen=True, eq=False)
class Profile:
    """A profile of joint forces over time.

    time : (frames,) [s]. tau : (frames, nu) [N m or N], each row held until the next frame.
    """

    figure: Figure
    time: np.ndarray
    tau: np.ndarray

    def __post_init__(self) -> None:
        time, tau = np.array(self.time, float), np.array(self.tau, float)
        if tau.shape != (len(time), self.figure.nu) or not np.isfinite(tau).all():
            raise InputError(f"tau has shape {tau.shape}; wanted finite {(len(time), self.figure.nu)}.")
        for name, x in (("time", time), ("tau", tau)):
            x.setflags(write=False)
            object.__setattr__(self, name, x)

    @classmethod
    def of(cls, motion: Motion | Keyframes, **options: Any) -> "Profile":
        """Return the forces of a motion's channel "tau", or those of its open loop (options as of `hidds`)."""
        if isinstance(motion, Motion) and motion.tau is not None and motion.q.ndim == 2:
            return cls(motion.figure, motion.time, motion.tau)
        made = Sequence(motion, **options)
        return cls(made.figure, made.desired.time, np.where(made.forced, made.planned(), 0.0))

    # edits, each returns a new profile

    def scaled(
        self, names: Names, factor: float, start: float | None = None, end: float | None = None, over: float = 0.05
    ) -> "Profile":
        """Return a profile with the forces of some joints or degrees of freedom scaled, from start to end [s] (8)."""
        return self._with(names, self.tau * (1.0 + self._window(start, end, over) * (_number("factor", factor) - 1.0)))

    def shifted(
        self, names: Names, offset: float, start: float | None = None, end: float | None = None, over: float = 0.05
    ) -> "Profile":
        """Return a profile with some forces shifted by an offset [N m or N], from start to end [s] (9)."""
        return self._with(names, self.tau + self._window(start, end, over) * _number("offset", offset))

    def through(
        self, name: str, points: dict[float, float], start: float | None = None, end: float | None = None
    ) -> "Profile":
        """Return a profile with one force through {time [s]: value}, changed smoothly from start to end (10)."""
        places = self.figure.dof_indices([name])
        if len(places) != 1 or not points:
            raise InputError(
                f"through('{name}', …) takes one degree of freedom and at least one point. '{name}' has {len(places)}."
            )
        first, last = self._span(start, end)
        own = self.tau[:, places[0]]
        apart = {t: _number("value", x) - np.interp(t, self.time, own) for t, x in sorted(points.items())}
        if not first <= min(apart) <= max(apart) <= last:
            raise InputError(f"Points from {min(apart):g} to {max(apart):g} s lie outside {first:g} to {last:g} s.")
        keys = {first: 0.0, last: 0.0} | apart
        times = sorted(keys)
        more = spline(times, [keys[t] for t in times], "clamped")(self.time).value
        inside = (first <= self.time) & (self.time <= last)
        return self._with(name, self.tau + np.where(inside, more, 0.0)[:, None])

    def apart(self, other: "Profile") -> float:
        """Compute the RMS difference of another profile from this one, as a share of this one."""
        return change(self.tau, other.tau)

    def run(self, motion: Motion | Keyframes, **options: Any) -> Motion:
        """Run direct dynamics of the profile from the first frame of a motion; options as of `hidds`."""
        return hidds(motion, "open loop", tau=self.tau, **options)

    def _with(self, names, tau) -> "Profile":
        mine = np.isin(np.arange(self.figure.nu), self.figure.dof_indices(names))
        return replace(self, tau=np.where(mine, tau, self.tau))

    def _span(self, start, end) -> tuple[float, float]:
        first = self.time[0] if start is None else _number("start", start)
        last = self.time[-1] if end is None else _number("end", end)
        if not first < last:
            raise InputError(f"An edit from {first:g} to {last:g} s: give a start before the end.")
        return first, last

    def _window(self, start, end, over) -> np.ndarray:
        """Compute w (frames, 1) of (7); an end that is None has no edge."""
        first, last = self._span(start, end)
        edge = max(min(_number("over", over), 0.5 * (last - first)), 1e-12)
        rise = np.ones(len(self.time)) if start is None else np.clip((self.time - first) / edge, 0.0, 1.0)
        fall = np.ones(len(self.time)) if end is None else np.clip((last - self.time) / edge, 0.0, 1.0)
        s = np.minimum(rise, fall)
        return (s * s * (3.0 - 2.0 * s))[:, None]


def _number(name: str, value) -> float:
    if not isinstance(value, (int, float, np.number)) or not np.isfinite(value):
        raise InputError(f"{name}={value!r}: give a number.")
    return float(value)
