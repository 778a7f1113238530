"""Steering of a walker along a path: a model of how it follows commands, and the law that computes the commands.

A walker with the command (v*, ψ) has a desired speed v̂ and heading φ, and moves at speed v along the course χ:

    v̂' = (v* - v̂) / Δt within -deceleration … acceleration,   v' = (v̂ - v) / speed_lag                         (1)
    φ' = (ψ - φ) / turn_time within ± turn_rate,   χ' = (φ - χ) / course_lag                                      (2)
    command to stop: v* = 0, φ stays; the walker still moves by v² / (2 deceleration) + stopping_time v           (3)
    p' = v (cos χ, sin χ) + start_drift to the left of φ, the latter for start_drift_time after a start           (4)

A walker follows its commands late. The law therefore uses the position that is predicted for τ = 0.7 s ahead,
p + v τ along χ + 0.25 (ψ - χ). At the nearest point s of the path, where the predicted position is off the path by e,
the command is:

    direction    ψ* = direction of the path at s - atan(e / 0.9 m)                                                (5)
    heading      ψ ← ψ + (ψ* - ψ) within ± turning(v) Δt, and within ± max_lead of χ                              (6)
    speed        v* = v_plan (1 - |ψ* - χ| / 90°),   ≤ slowing_rate (remaining length) + 0.2 m/s,   ≤ allowed(s),
                 ≥ min_speed                                                                                      (7)
    allowed(s) = min over s' ≥ s of √(v_c² + 2 curve_deceleration (s' - s)),   v_c = max_turn_rate / 2 × the radius of
                 curvature at s'                                                                                  (8)

The numbers of (1) to (4) were measured on the simulated walker (docs/gait_benchmarks.md). All functions work on plain
floats only; they cannot be recorded on a tape.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.gait.navigation.path import Path

__all__ = [
    "STANDING_SPEED",
    "START_SHARE",
    "TRACK_SPACING",
    "Limits",
    "PlanarState",
    "Track",
    "lookahead",
    "predict",
    "steering_law",
    "wrapped",
]

STANDING_SPEED = 0.1  # [m/s]; a slower walker counts as standing
TRACK_SPACING = 0.1  # [m] between points of a track
CURVATURE_WINDOW = 0.6  # [m], length of path over which curvature is measured
CHORD = 0.15  # [m] to both sides of a point, for the direction of the path there
LOOKAHEAD_TIME, LOOKAHEAD_TURN = 0.7, 0.25  # τ [s]; mean fraction of a turn that is completed in this time
RETURN_LENGTH = 0.9  # [m] (5)
SHARP_TURN = np.radians(90.0)  # for larger errors of the course, the walker turns at the lowest speed (7)
START_SHARE = 0.8  # fraction of min_speed; a slower walker is starting


@dataclass(frozen=True)
class Limits:
    """Commands that a walker can follow, and how it follows them.

    Attributes
    ----------
    max_turn_rate : largest commanded turn rate [rad/s].
    max_lateral_acceleration : largest turn rate times speed [m/s²].
    max_lead : largest angle between the commanded heading and the course [rad].
    min_speed, max_speed : smallest and largest speed of a walk [m/s].
    turning_speed : speed of a turn from standing [m/s].
    slowing_rate : speed divided by the remaining length before the goal [1/s].
    curve_deceleration : deceleration before a curve [m/s²].
    max_speed_change : largest rate of the commanded speed [m/s²].
    goal_tolerance : distance from the goal within which the walker has arrived [m].
    acceleration, deceleration, speed_lag : [m/s²], [m/s²], [s] (eq. 1).
    turn_rate, turn_time, course_lag : [rad/s], [s], [s] (eq. 2).
    stopping_time : [s] (eq. 3).
    start_drift, start_drift_time : drift to the left at a start [m/s], when the weight shifts over the left foot, and
        its duration [s] (eq. 4).
    min_walking_time : time after a start in which a walker cannot stop [s].
    min_standing_time : time after a stop in which a walker cannot start [s].
    """

    max_turn_rate: float = 0.55
    max_lateral_acceleration: float = 0.5
    max_lead: float = np.radians(60.0)
    min_speed: float = 0.7
    max_speed: float = 1.5
    turning_speed: float = 0.3
    slowing_rate: float = 0.6
    curve_deceleration: float = 0.4
    max_speed_change: float = 0.4
    goal_tolerance: float = 0.3
    acceleration: float = 0.7
    deceleration: float = 1.5
    speed_lag: float = 0.6
    turn_rate: float = 0.6
    turn_time: float = 0.25
    course_lag: float = 0.5
    stopping_time: float = 0.5
    start_drift: float = 0.2
    start_drift_time: float = 2.0
    min_walking_time: float = 2.5
    min_standing_time: float = 0.5

    def stopping(self, speed: Any) -> Any:
        """Stopping distance [m] from a speed [m/s] (eq. 3)."""
        return speed * (speed / (2.0 * self.deceleration) + self.stopping_time)

    def turning(self, speed: Any) -> Any:
        """Largest turn rate [rad/s] that may be commanded at a speed [m/s]."""
        return np.minimum(self.max_turn_rate, self.max_lateral_acceleration / np.maximum(speed, 0.1))


class PlanarState(NamedTuple):
    """Motion of one walker, or of many (k,), in the ground plane.

    Attributes
    ----------
    target_speed, speed : v̂ and v [m/s].
    heading, course : φ and χ [rad].
    age : time since the start of the walk [s].
    """

    target_speed: Any = 0.0
    speed: Any = 0.0
    heading: Any = 0.0
    course: Any = 0.0
    age: Any = 0.0

    def after(self, speed: Any, heading: Any, limits: Limits, dt: float) -> "PlanarState":
        """Return the state after dt [s] of a commanded speed [m/s] and heading [rad] (eqs. 1, 2).

        To stop, give speed 0 and heading φ.
        """
        change = np.clip(speed - self.target_speed, -limits.deceleration * dt, limits.acceleration * dt)
        target = self.target_speed + change
        moved = self.speed + min(dt / limits.speed_lag, 1.0) * (target - self.speed)
        rate = min(1.0 / limits.turn_time, 1.0 / dt) * wrapped(heading - self.heading)
        turned = self.heading + dt * np.clip(rate, -limits.turn_rate, limits.turn_rate)
        course = self.course + min(dt / limits.course_lag, 1.0) * wrapped(turned - self.course)
        stands = (np.asarray(speed) <= 0.0) & (moved < STANDING_SPEED)
        return PlanarState(target, moved, turned, course, np.where(stands, 0.0, self.age + dt))

    def velocity(self, limits: Limits) -> np.ndarray:
        """Velocity over the ground (…, 2) [m/s] (eq. 4)."""
        drift = limits.start_drift * ((np.asarray(self.age) > 0.0) & (np.asarray(self.age) < limits.start_drift_time))
        x = self.speed * np.cos(self.course) - drift * np.sin(self.heading)
        return np.stack([x, self.speed * np.sin(self.course) + drift * np.cos(self.heading)], -1)


def wrapped(angle: Any) -> Any:
    """Return the equivalent angle within ± π."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


class Track(NamedTuple):
    """A path sampled every 0.1 m.

    Attributes
    ----------
    points : (k, 2) [m].
    directions : unit vectors (k, 2) along the path.
    allowed : largest speeds (k,) [m/s] (eq. 8).
    length : length of the path [m].
    """

    points: np.ndarray
    directions: np.ndarray
    allowed: np.ndarray
    length: float

    @staticmethod
    def of(path: Path, limits: Limits) -> "Track":
        """Sample a path every 0.1 m, and compute its directions and allowed speeds."""
        s = TRACK_SPACING * np.arange(2 + int(path.length / TRACK_SPACING))
        a, b, c = (path.at(s + w * CURVATURE_WINDOW) for w in (0.0, 0.5, 1.0))
        one, two = b - a, c - b
        angle = np.abs(np.arctan2(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0], (one * two).sum(-1)))
        through = 0.25 * limits.max_turn_rate * CURVATURE_WINDOW / np.maximum(angle, 1e-3)
        brake = 2.0 * limits.curve_deceleration * s
        ahead = np.minimum.accumulate((through * through + brake)[::-1])[::-1]
        along = path.at(s + CHORD) - path.at(np.minimum(s, path.length) - CHORD)
        along = along / np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
        return Track(a, along, np.sqrt(ahead - brake), path.length)


def lookahead(position: Any, state: PlanarState, heading: Any, limits: Limits) -> Any:
    """Predicted position (…, 2) [m] of a walker after the time τ, for a commanded heading [rad]."""
    turned = state.course + LOOKAHEAD_TURN * wrapped(heading - state.course)
    return position + LOOKAHEAD_TIME * state._replace(course=turned).velocity(limits)


def steering_law(
    ahead: Any,
    state: PlanarState,
    heading: Any,
    point: Any,
    direction: Any,
    remaining: Any,
    speed: Any,
    allowed: Any,
    limits: Limits,
    dt: float,
) -> tuple[Any, Any]:
    """Compute the commanded speed and heading, equations (5) to (7), for one walker or for many (k,).

    Parameters
    ----------
    ahead : predicted position (…, 2) [m], the result of `lookahead`.
    state : motion of the walker.
    heading : heading ψ of the previous command [rad].
    point, direction : point and direction (…, 2) of the track nearest to `ahead`.
    remaining : length of the path from there [m].
    speed : speed of the plan [m/s].
    allowed : largest speed at the point [m/s] (eq. 8).
    dt : time between two commands [s].

    Returns
    -------
    Speed [m/s] and heading [rad] to command.
    """
    off, largest = ahead - point, limits.turning(state.speed) * dt
    aside = direction[..., 0] * off[..., 1] - direction[..., 1] * off[..., 0]
    desired = np.arctan2(direction[..., 1], direction[..., 0]) - np.arctan(aside / RETURN_LENGTH)  # (5)
    turned = heading + np.clip(wrapped(desired - heading), -largest, largest)
    heading = state.course + np.clip(wrapped(turned - state.course), -limits.max_lead, limits.max_lead)  # (6)
    away = np.abs(wrapped(desired - state.course))
    v = np.minimum(np.minimum(speed * (1.0 - away / SHARP_TURN), limits.slowing_rate * remaining + 0.2), allowed)  # (7)
    on_the_spot = (away > SHARP_TURN) & (state.speed < START_SHARE * limits.min_speed)
    return np.maximum(v, np.where(on_the_spot, limits.turning_speed, limits.min_speed)), heading


def predict(
    tracks: Sequence[Track],
    speeds: Any,
    waits: Any,
    position: Any,
    state: PlanarState,
    heading: float,
    limits: Limits,
    times: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Predict the positions of a walker along each of k tracks, from one position and state.

    Parameters
    ----------
    speeds, waits : (k,) speed [m/s] on each track, and waiting time [s] before it.
    heading : heading ψ of the previous command [rad].
    times : (n,) [s], evenly spaced from 0.

    Returns
    -------
    Positions (k, n, 2) [m], and the time at which the walker stops at the end of each track (k,) [s]. The time is an
    estimate if it is after the last of `times`.
    """
    many, rows, longest = len(tracks), np.arange(len(tracks)), max(len(t.points) for t in tracks)
    points, directions = (
        np.stack([np.pad(x, ((0, longest - len(x)), (0, 0)), "edge") for x in rows_of])
        for rows_of in ([t.points for t in tracks], [t.directions for t in tracks])
    )
    allowed = np.stack([np.pad(t.allowed, (0, longest - len(t.allowed)), "edge") for t in tracks])
    length, speeds, waits = np.array([t.length for t in tracks]), np.asarray(speeds, float), np.asarray(waits, float)
    p, psi, dt = np.tile(np.asarray(position, float), (many, 1)), np.full(many, heading), float(times[1] - times[0])
    window, at = 2 + int(LOOKAHEAD_TIME * max(state.speed, 0.5) / TRACK_SPACING), np.zeros(many, int)
    positions, now, late = [p], PlanarState(*(np.full(many, float(x)) for x in state)), np.full(many, np.inf)
    for t in times[:-1]:
        ahead = lookahead(p, now, psi, limits)
        near = np.minimum(at[:, None] + np.arange(window), longest - 1)
        off = points[rows[:, None], near] - ahead[:, None]
        at, window = near[rows, (off * off).sum(-1).argmin(-1)], 6  # a walker never goes back along its track
        left = np.maximum(length - TRACK_SPACING * at, 0.0)
        on = points[rows, at], directions[rows, at]
        v, turned = steering_law(ahead, now, psi, *on, left, speeds, allowed[rows, at], limits, dt)
        near_end = left + LOOKAHEAD_TIME * now.speed < limits.stopping(now.speed)
        ends = (t >= waits) & (now.age >= limits.min_walking_time) & near_end
        late = np.where(ends, np.minimum(late, t), late)
        stops = (t < waits) | (late <= t)
        psi = np.where(stops, psi, turned)
        now = now.after(np.where(stops, 0.0, v), np.where(stops, now.heading, psi), limits, dt)
        p = p + dt * now.velocity(limits)
        positions.append(p)
    return np.stack(positions, 1), np.minimum(late, times[-1] + (left + LOOKAHEAD_TIME * now.speed) / speeds)
