"""Verification of a motion: check the laws that tie its quantities to each other (docs/trust.md).

A law compares an error (frames, items) with a tolerance, which follows from the time between frames, the time step and
the method. The row of a law contains the error with the largest ratio to its tolerance, with its frame and its item.
A law that needs a quantity which the motion does not contain is "not measured", with the reason. The laws of forces are
in `force_laws.py`. Works on plain floats only; cannot be recorded on a tape.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.entry import kinetic_energy, potential_energy
from anthropi.entry.loops import loop_errors
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.states import angular_starts
from anthropi.motion.contacts import interval_means, mean_states
from anthropi.motion.motion import Motion
from anthropi.simulation import force_laws
from anthropi.simulation.verification_case import Case, Law, NotMeasured, Worst, worst

__all__ = ["LAWS", "Verification", "VerificationRow", "verify"]

UNIT_LENGTH = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-5}  # rounding of some 1,000 normalisations
STEP_ROUNDING = 1e-6  # [time steps] rounding of start + count · dt, of times that files store as decimals
OPEN_LOOP = 1e-5  # [m, rad] projections stop at 1e-9; interpolated frames of a file may be open by more
SOFT_LIMIT = 0.1  # [rad, m] penetration of soft limits, which are springs; heavy links reach 0.07 rad in a run
WAVE = 0.05  # share of the figure's largest speed by which a speed may deviate between two frames, after an impact;
# of 1 rad/s or 1 m/s for a figure at rest, whose contacts shake
EXACT_WAVE = 1e-3  # the same for its own largest speed, if every time step is a frame
PUSHED_OUT = 5e-5  # [m, rad] impulsive contacts and hard limits move q in a step by a part of the penetration, not by u
IMPACT = 5.0  # changes of speed larger than the median by this factor are impacts
MEAN_SPEED = 0.02  # share of the displacements; first-order methods reach 0.005 with frames of 10 steps
ENERGY = 1e-6  # share of the largest energy; both are computed from the same state
AUDIT = 0.05  # share of the exchanged work; error of a first-order method with time steps of 1 ms
WORK = 1e-6  # share of the largest power or work; rounding of files
FALL_DELAY = 0.1  # [s] between the fall in the metadata and in the frames


class VerificationRow(NamedTuple):
    """Result of one law.

    law : name. what : the compared quantity. measured, tolerance : numbers in `unit`; None if the law was not measured.
    holds : True, False, or None if the law was not measured. frame, time : frame and time [s] of the worst error; None
    if it concerns the whole motion. culprit : item with the worst error: a degree of freedom, contact, loop or event.
    reason : why the law was not measured.
    """

    law: str
    what: str
    measured: float | None = None
    tolerance: float | None = None
    unit: str = ""
    holds: bool | None = None
    frame: int | None = None
    time: float | None = None
    culprit: str = ""
    reason: str = ""

    @property
    def result(self) -> str:
        """Return "holds", "fails" or "not measured"."""
        return "not measured" if self.holds is None else "holds" if self.holds else "fails"

    def cells(self) -> tuple[str, ...]:
        """Return the texts of a line of the table: law, result, measured, tolerance, unit, and place or reason."""
        if self.holds is None:
            return self.law, self.result, "", "", "", self.reason
        at = "" if self.time is None else f"frame {self.frame}, {self.time:.3f} s"
        where = ": ".join(x for x in (at, self.culprit) if x)
        return self.law, self.result, f"{self.measured:.3g}", f"{self.tolerance:.3g}", self.unit, where


@dataclass(frozen=True)
class Verification:
    """Result of `Motion.verify`. rows : one row per law. title : describes the motion."""

    rows: tuple[VerificationRow, ...]
    title: str = ""

    @property
    def holds(self) -> bool:
        """Whether no law fails. Laws that were not measured do not fail."""
        return all(row.holds is not False for row in self.rows)

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the laws that fail."""
        return tuple(row.law for row in self.rows if row.holds is False)

    def row(self, law: str) -> VerificationRow:
        """Return the row of a law by its name."""
        for row in self.rows:
            if row.law == law:
                return row
        names = [row.law for row in self.rows]
        raise InputError(f"There is no law '{law}'.{did_you_mean(law, names)} Laws: {', '.join(names)}.")

    def to_dict(self) -> dict[str, Any]:
        """Return the rows as dictionaries, for JSON."""
        return {"holds": self.holds, "laws": [row._asdict() | {"result": row.result} for row in self.rows]}

    def __str__(self) -> str:
        head = ("law", "result", "measured", "tolerance", "unit", "where")
        cells = [head, *(row.cells() for row in self.rows)]
        wide = [max(len(line[k]) for line in cells) for k in range(len(head))]
        lines = ["  ".join(x.ljust(n) for x, n in zip(line, wide, strict=True)).rstrip() for line in cells]
        return "\n".join([self.title, *lines] if self.title else lines)


def verify(motion: Motion, scene: Any = None, f_ext: Any = None) -> Verification:
    """Check the laws that tie the quantities of a motion to each other.

    Parameters
    ----------
    motion : any motion. In a batch, every rollout is checked, and the worst row of each law is returned.
    scene : the scene of the motion, for ground that is not a horizontal plane. By default the ground and the friction
        that are recorded in the metadata.
    f_ext : external forces that acted and are not recorded: (links, 6), (frames, links, 6) or {link: (6,) or
        (frames, 6)}, in link frames, moment [N m] before force [N]; means from each frame to the next.

    Returns
    -------
    A `Verification` with one row for each law of `LAWS`.
    """
    title = f"{motion!r}"
    if motion.q.ndim == 3:
        found = [verify(motion.rollout(k), scene, f_ext).rows for k in range(len(motion.q))]
        rows = [_worst_rollout([each[k] for each in found]) for k in range(len(LAWS))]
        return Verification(tuple(rows), title)
    case = Case(_finite_part(motion), scene, f_ext)
    return Verification(tuple(_row(law, case) for law in LAWS), title)


def _finite_part(motion: Motion) -> Motion:
    """Return the frames before an event `Lost`, after which all numbers are NaN."""
    ends = [event.time for event in motion.events if type(event).__name__ == "Lost"]
    kept = int(np.searchsorted(motion.time, min(ends), "right")) if ends else len(motion)
    return motion if kept == len(motion) or kept < 1 else motion[:kept]


def _row(law: Law, case: Case) -> VerificationRow:
    """Measure one law."""
    try:
        if law.name != "finite" and not case.finite:
            raise NotMeasured("numbers are not finite")
        found = law.measure(case)
    except NotMeasured as why:
        return VerificationRow(law.name, law.what, unit=law.unit, reason=str(why))
    time = None if found.frame is None else float(case.motion.time[found.frame])
    holds = bool(found.error <= found.tolerance)
    return VerificationRow(
        law.name, law.what, found.error, found.tolerance, law.unit, holds, found.frame, time, found.culprit
    )


def _worst_rollout(rows: list[VerificationRow]) -> VerificationRow:
    """Return the row of a law with the largest ratio of error to tolerance, with the rollout in `culprit`."""

    def ratio(k: int) -> float:
        row = rows[k]
        if row.measured is None or row.tolerance is None:
            return -1.0
        return float("inf") if not np.isfinite(row.measured) else row.measured / max(row.tolerance, 1e-300)

    k = max(range(len(rows)), key=ratio)
    culprit = ", ".join(x for x in (f"rollout {k}", rows[k].culprit) if x)
    return rows[k] if rows[k].holds is None else rows[k]._replace(culprit=culprit)


# laws of time, coordinates and metadata


def _finite(case: Case) -> Worst:
    m = case.motion
    arrays = {"q": m.q, "u": m.u} | {n: x for n, x in m.channels.items() if x.shape[0] == len(m)}
    counts = {n: (~np.isfinite(x)).reshape(len(m), -1).sum(1) for n, x in arrays.items()}
    name = max(counts, key=lambda n: counts[n].sum())
    return Worst(float(counts[name].sum()), 0.0, int(np.argmax(counts[name])), name)


def _time(case: Case) -> Worst:
    m, means, clock = case.motion, interval_means(case.motion), case.motion.metadata.get("clock") or {}
    dt = clock.get("dt") or (means.dt if means else None)
    if dt is None or len(m) < 2:
        raise NotMeasured("the motion does not contain its time step")
    if m.metadata.get("resampled"):
        raise NotMeasured("the motion was resampled at times between the steps")
    counts = (m.time - m.time[0]) / dt
    error = np.abs(counts - np.round(counts))[:, None]
    # counts · ε: rounding of the times
    return worst(error, STEP_ROUNDING + 4.0 * np.finfo(float).eps * np.abs(counts[:, None]), ["time"])


def _quaternions(case: Case) -> Worst:
    m, found, names = case.motion, [], []
    for joint, at in zip(m.figure.joints, m.figure.q_of, strict=True):
        if joint.kind in ("ball", "free"):
            found.append(np.abs(np.linalg.norm(m.q[:, at][:, -4:], axis=-1) - 1.0))
            names.append(joint.name)
    if not found:
        raise NotMeasured("the figure has no quaternions")
    return worst(np.stack(found, 1), UNIT_LENGTH.get(m.q.dtype, 1e-5), names)


def _displacements(case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Displacements q_{k+1} ⊟ q_k, their values h (u_k + u_{k+1}) / 2 by the velocities, and h |u_{k+1} - u_k|."""
    m = case.motion
    if len(m) < 2:
        raise NotMeasured("the motion has one frame")
    if not case.has_unit_quaternions:
        raise NotMeasured("quaternions have other lengths than 1")
    h, moved = np.diff(m.time)[:, None], m.figure.difference(m.q[:-1], m.q[1:])
    after = np.array(m.u[1:], float)
    for k in angular_starts(m.figure):  # angular velocity after a turn, as rate of the rotation vector
        part = slice(k, k + 3)
        after[:, part] = np.einsum("nij,nj->ni", rot.G_b(moved[:, part]), after[:, part])
    return moved, 0.5 * h * (m.u[:-1] + after), h * np.abs(after - m.u[:-1])


def _velocity(case: Case) -> Worst:
    moved, by_speed, change = _displacements(case)
    h, speed = np.diff(case.motion.time)[:, None], np.abs(case.motion.u).max(0)
    pushed_out = case.motion.metadata.get("contacts") or case.motion.metadata.get("hard_limits")
    if case.every_step:  # ∫u is the rectangle of one of the ends: half of h |Δu| from their mean
        tolerance = 0.5 * change + EXACT_WAVE * h * speed + (PUSHED_OUT if pushed_out else 0.0)
        if case.motion.figure.loops:  # a step along the tangent opens a loop by half of its square; closing it moves q
            tolerance = tolerance + 0.5 * (h * case.turning) ** 2
    else:  # an impact between two frames changes u there and back by as much as in the neighbouring intervals
        near = np.pad(change, ((1, 1), (0, 0)), mode="reflect" if len(change) > 1 else "edge")
        tolerance = near[:-2] + near[1:-1] + near[2:] + WAVE * h * max(1.0, speed.max(initial=0.0))
    return worst(np.abs(moved - by_speed), tolerance + 1e-9, case.motion.figure.dofs)


def _mean_velocity(case: Case) -> Worst:
    moved, by_speed, change = _displacements(case)
    if case.motion.figure.nu == 0:
        raise NotMeasured("the figure has no degree of freedom")
    size = float((by_speed**2).sum())
    if not size > 0.0:
        raise NotMeasured("the figure does not move")
    means, h = interval_means(case.motion), float(np.median(np.diff(case.motion.time)))
    part = 1.0 if means is None or means.dt is None else min(means.dt / h, 1.0)
    # a first-order method moves with the speed of one end of a step: half of the change of a step; if an impact makes
    # the whole change in one step, half of the change of the interval
    share = np.where(change > IMPACT * np.median(change, axis=0), 1.0, part)
    bias = 0.5 * float((share * np.abs(by_speed) * change).sum()) / size
    return Worst(abs(float((moved * by_speed).sum()) / size - 1.0), MEAN_SPEED + bias, None, "all degrees of freedom")


def _limits(case: Case) -> Worst:
    m = case.motion
    lower, upper = m.figure.limits
    if not np.isfinite(m.figure.limits).any():
        raise NotMeasured("the figure has no limits")
    over = np.full((len(m), m.figure.nu), -np.inf)
    away = m.figure.difference(np.broadcast_to(m.figure.neutral(), m.q.shape), m.q)
    for joint, of, at in zip(m.figure.joints, m.figure.u_of, m.figure.q_of, strict=True):
        if not np.isfinite([lower[of], upper[of]]).any():
            continue
        if joint.nq == joint.nu:
            x = m.q[:, at]
        elif joint.kind == "ball":
            x = away[:, of]
        else:
            x = np.array([joint.coordinates(q) for q in m.q[:, at]])
        over[:, of] = np.maximum(lower[of] - x, x - upper[of])
    found = worst(np.maximum(over, 0.0), SOFT_LIMIT, m.figure.dofs)
    if m.metadata.get("hidds", {}).get("mode") == "open loop":
        raise NotMeasured(f"no limits act in an open-loop replay; excess {found.error:.3g} at {found.culprit}")
    return found


def _loops(case: Case) -> Worst:
    m = case.motion
    if not m.figure.loops:
        raise NotMeasured("the figure has no loops")
    found = {name: np.abs(np.asarray(x)).reshape(len(m), -1).max(1) for name, x in loop_errors(m.figure, m.q).items()}
    driven = m.metadata.get("driven_loops", ())
    kept = {name: x for name, x in found.items() if name not in driven}
    if not kept:
        raise NotMeasured("the functions that drive the loops are not recorded")
    return worst(np.stack(list(kept.values()), 1), OPEN_LOOP, list(kept))


def _energy(case: Case) -> Worst:
    m = case.motion
    if "energy" not in m.channels:
        raise NotMeasured("the channel 'energy' was not recorded")
    own = np.stack([np.asarray(kinetic_energy(m.figure, m.q, m.u)), np.asarray(potential_energy(m.figure, m.q))], -1)
    size = np.abs(own).max() + 1e-9
    return worst(np.abs(m.channels["energy"] - own) / size, ENERGY, ["kinetic energy", "potential energy"])


def _work(case: Case) -> Worst:
    m, given = case.motion, case.motion.channels
    if "power" in given and "tau" in given and given["power"].shape == given["tau"].shape:
        return _power(m)
    if "work" in given and "energy" in given and given["work"].shape[-1] == 4:
        energy, work = given["energy"].sum(-1), given["work"]
        left = np.abs(energy - energy[0] - work.sum(-1))[:, None]
        exchanged = np.abs(np.diff(work, axis=0)).sum() + np.abs(np.diff(given["energy"], axis=0)).sum()
        return worst(left / (exchanged + 1e-9), AUDIT, ["energy - work"])
    raise NotMeasured("neither 'power' with 'tau' nor 'work' with 'energy' was recorded")


def _power(m: Motion) -> Worst:
    """Compare the channel power with tau · u, and work with the integral of power."""
    means, given = interval_means(m), m.channels
    over = means is not None and "power" in means.channels
    u = mean_states(m).u if over else m.u
    rows = slice(0, len(u))
    size = np.abs(given["power"]).max() + 1e-9
    found = [worst(np.abs(given["power"][rows] - given["tau"][rows] * u) / size, WORK, m.figure.dofs)]
    if "work" in given and given["work"].shape == given["power"].shape:
        h, power = np.diff(m.time)[:, None], given["power"]
        steps = power[:-1] * h if over else 0.5 * (power[1:] + power[:-1]) * h
        error = np.abs(np.diff(given["work"], axis=0) - steps) / (np.abs(given["work"]).max() + 1e-9)
        found.append(worst(error, WORK, m.figure.dofs))
    return max(found, key=lambda x: x.error)


def _events(case: Case) -> Worst:
    m = case.motion
    events = [e for e in m.events if hasattr(e, "time")]
    if not events:
        raise NotMeasured("the motion has no events")
    times = np.array([e.time for e in events], float)
    late = np.maximum(m.time[0] - times, times - m.time[-1])
    back = np.append(0.0, np.maximum(times[:-1] - times[1:], 0.0))
    error = np.maximum(np.maximum(late, back), _repeated(events, times))
    # an event may lie between the last frame and the next one, which was not recorded
    tolerance = float(np.diff(m.time).max()) if len(m) > 1 else 0.0
    k = int(np.argmax(error))
    frame = int(np.clip(np.searchsorted(m.time, times[k]), 0, len(m) - 1))
    return Worst(float(error[k]), tolerance + 1e-9, frame, str(getattr(events[k], "what", type(events[k]).__name__)))


def _repeated(events: Iterable[Any], times: np.ndarray) -> np.ndarray:
    """Time since the last event of the same foot [s] where a strike follows a strike or a toe-off a toe-off, else 0."""
    last: dict[str, tuple[str, float]] = {}
    found = np.zeros(len(times))
    for k, event in enumerate(events):
        if hasattr(event, "foot"):
            what, when = last.get(event.foot, ("", 0.0))
            found[k] = times[k] - when if what == event.what else 0.0
            last[event.foot] = event.what, times[k]
    return found


def _fall(case: Case) -> Worst:
    m = case.motion
    if "fell" not in m.metadata:
        raise NotMeasured("the metadata do not say whether the figure fell")
    fall = case.fall
    said = bool(m.metadata["fell"])
    if said != (fall is not None):
        when = m.time[-1] if fall is None else fall.time
        words = "recorded, but not found in the frames" if fall is None else f"not recorded: {fall.cause}"
        return Worst(float("inf"), FALL_DELAY, int(np.searchsorted(m.time, when)), words)
    if fall is None:
        return Worst(0.0, FALL_DELAY, None, "")
    recorded = m.metadata.get("fall_time")
    delay = 0.0 if recorded is None else abs(float(recorded) - fall.time)
    return Worst(delay, FALL_DELAY, int(np.searchsorted(m.time, fall.time)), fall.cause)


LAWS: tuple[Law, ...] = (
    Law("finite", "numbers that are not finite", "numbers", _finite),
    Law("time", "times are whole numbers of time steps", "steps", _time),
    Law("quaternions", "length of quaternions is 1", "", _quaternions),
    Law("velocity", "change of q is the integral of u, from frame to frame", "rad, m", _velocity),
    Law("mean velocity", "change of q is the integral of u, over all frames", "share", _mean_velocity),
    *force_laws.LAWS,
    Law("loops", "loops are closed", "m, rad", _loops),
    Law("limits", "coordinates are within the limits of the figure", "rad, m", _limits),
    Law("energy", "recorded energy is that of the state", "share", _energy),
    Law("work", "power is tau · u, work its integral, and work explains the energy", "share", _work),
    Law("events", "events are in order and within the motion", "s", _events),
    Law("fall", "a fall is recorded where it happens", "s", _fall),
)
"""All laws, in the order of the rows; docs/trust.md explains them."""
