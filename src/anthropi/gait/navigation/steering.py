"""How does a walker follow what it is told? What the walker in physics does, measured, in a few lines. Floats only.

Told a speed v* and a heading ψ, a walker aims at v̂ and φ, and goes at v along χ:

    v̂' = v* - v̂ at once, within - slower … faster,   v' = (v̂ - v) / late                                          (1)
    φ' = (ψ - φ) / eases within ± turns,              χ' = (φ - χ) / bends                                          (2)
    told to stop: v* = 0, φ stays; on the way it still goes v² / (2 slower) + halts · v                             (3)
    p' = v (cos χ, sin χ) + aside · left of φ, the latter for `shifts` [s] after a start: weight over the left foot  (4)

Steering
--------
How is a walker steered along a path, and where will it be? One law of steering, told and predicted. Floats only.

A walker follows late (`steering.py`), so it is steered from where it will be in τ = 0.7 s, p + v τ along χ + 0.25 (ψ -
χ). At the point s of the path nearest to that it is told the path's direction, and back to it where it is aside by e,
turning no faster than it can at its pace, slower in bends and at the end, and never slower than it walks well:

    direction    ψ* = direction of the path at s - atan(e / 0.9 m)                                                 (5)
    heading      ψ += ψ* - ψ within ± turning(v) · Δt, and within ± lead of χ                                      (6)
    speed        v* = plan · (1 - |ψ* - χ| / 90°),   ≤ slowing · (way left) + 0.2 m/s,   ≤ allowed(s),   ≥ slowest   (7)
    allowed(s) = min over s' ≥ s of √(v_b² + 2 brake (s' - s)),   v_b = turn/2 · the radius of the bend at s'       (8)
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.gait.navigation.path import Path

__all__ = ["STILL", "Limits", "PlanarState", "Track", "law", "soon", "walked", "within"]


STILL = 0.1  # [m/s] and less is standing


@dataclass(frozen=True)
class Limits:
    """What a walker follows without stumbling, and how late; measured of the walker in physics (docs/gait_benchmarks.md).

    turn [rad/s], and sideways [m/s²], turn · speed : the most it is told; lead [rad] of what is told before the way it
    goes; slowest and fastest [m/s] of a walk; about [m/s] while it turns round; slowing [1/s], speed per way left;
    brake [m/s²] before a bend, gently [m/s²] : the most that a
    told speed changes; close [m] enough to the goal; faster, slower [m/s²], late [s] (1); turns [rad/s], eases,
    bends [s] (2); halts [s] (3); aside [m/s], shifts [s] (4); starts [s] after being told to go, a walker cannot stop;
    settles [s] after it has come to stand, it cannot go.
    """

    turn: float = 0.55
    sideways: float = 0.5
    lead: float = np.radians(60.0)
    slowest: float = 0.7
    fastest: float = 1.5
    about: float = 0.3
    slowing: float = 0.6
    brake: float = 0.4
    gently: float = 0.4
    close: float = 0.3
    faster: float = 0.7
    slower: float = 1.5
    late: float = 0.6
    turns: float = 0.6
    eases: float = 0.25
    bends: float = 0.5
    halts: float = 0.5
    aside: float = 0.2
    shifts: float = 2.0
    starts: float = 2.5
    settles: float = 0.5

    def stopping(self, pace):
        """(3) [m]"""
        return pace * (pace / (2.0 * self.slower) + self.halts)

    def turning(self, pace):
        """The fastest turn [rad/s] that is told at a pace [m/s]."""
        return np.minimum(self.turn, self.sideways / np.maximum(pace, 0.1))


class PlanarState(NamedTuple):
    """How a walker goes, or many (k,): aim v̂, pace v [m/s], half φ, goes χ [rad], age [s] since it started."""

    aim: Any = 0.0
    pace: Any = 0.0
    half: Any = 0.0
    goes: Any = 0.0
    age: Any = 0.0

    def after(self, speed, heading, limits: Limits, dt: float) -> "PlanarState":
        """(1), (2) after dt [s] of being told; who stops is told speed 0 and heading φ."""
        aim = self.aim + np.clip(speed - self.aim, -limits.slower * dt, limits.faster * dt)
        pace = self.pace + min(dt / limits.late, 1.0) * (aim - self.pace)
        turn = np.clip(min(1.0 / limits.eases, 1.0 / dt) * within(heading - self.half), -limits.turns, limits.turns)
        half = self.half + dt * turn
        goes = self.goes + min(dt / limits.bends, 1.0) * within(half - self.goes)
        stands = (np.asarray(speed) <= 0.0) & (pace < STILL)
        return PlanarState(aim, pace, half, goes, np.where(stands, 0.0, self.age + dt))

    def velocity(self, limits: Limits) -> np.ndarray:
        """(4): (…, 2) [m/s]"""
        starts = limits.aside * ((np.asarray(self.age) > 0.0) & (np.asarray(self.age) < limits.shifts))
        x = self.pace * np.cos(self.goes) - starts * np.sin(self.half)
        return np.stack([x, self.pace * np.sin(self.goes) + starts * np.cos(self.half)], -1)


def within(angle):
    """An angle within ± π."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


WINDOW = 0.6  # [m] of path over which a bend is measured
SPACING = 0.1  # [m] of a track
TURNED = np.radians(90.0)  # off its way by more a walker turns as narrowly as it can
SOON, HALF = 0.7, 0.25  # τ [s]; share of a turn made meanwhile, on the mean
SLOW = 0.8  # of the slowest walk: one who starts
BACK, CHORD = 0.9, 0.15  # [m] (5); to both sides, over which a direction is taken


class Track(NamedTuple):
    """A path every 0.1 m: points (k, 2), ways (k, 2) of length 1 along it, allowed (k,) (8), and its length [m]."""

    points: np.ndarray
    ways: np.ndarray
    allowed: np.ndarray
    length: float

    @staticmethod
    def of(path: Path, limits: Limits) -> "Track":
        """(8) along a path."""
        s = SPACING * np.arange(2 + int(path.length / SPACING))
        a, b, c = (path.at(s + w * WINDOW) for w in (0.0, 0.5, 1.0))
        one, two = b - a, c - b
        angle = np.abs(np.arctan2(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0], (one * two).sum(-1)))
        through = 0.25 * limits.turn * WINDOW / np.maximum(angle, 1e-3)
        ahead = np.minimum.accumulate((through * through + 2.0 * limits.brake * s)[::-1])[::-1]
        ways = path.at(s + CHORD) - path.at(np.minimum(s, path.length) - CHORD)
        ways = ways / np.maximum(np.hypot(ways[:, 0], ways[:, 1]), 1e-9)[:, None]
        return Track(a, ways, np.sqrt(ahead - 2.0 * limits.brake * s), path.length)


def soon(position, state: PlanarState, told, limits: Limits):
    """Where a walker will be (…, 2) in τ."""
    return position + SOON * state._replace(goes=state.goes + HALF * within(told - state.goes)).velocity(limits)


def law(ahead, state: PlanarState, told, point, way, left, speed, allowed, limits: Limits, dt: float):
    """(5) … (7): speed and heading to tell; of one walker or of many (k,).

    ahead (…, 2) : `soon`; point, way (…, 2) : of the track, the nearest to it.
    """
    off, most = ahead - point, limits.turning(state.pace) * dt
    aside = way[..., 0] * off[..., 1] - way[..., 1] * off[..., 0]
    wanted = np.arctan2(way[..., 1], way[..., 0]) - np.arctan(aside / BACK)  # (5)
    turned = told + np.clip(within(wanted - told), -most, most)
    told = state.goes + np.clip(within(turned - state.goes), -limits.lead, limits.lead)  # (6)
    away = np.abs(within(wanted - state.goes))
    v = np.minimum(np.minimum(speed * (1.0 - away / TURNED), limits.slowing * left + 0.2), allowed)  # (7)
    turns = (away > TURNED) & (state.pace < SLOW * limits.slowest)  # from standing
    return np.maximum(v, np.where(turns, limits.about, limits.slowest)), told


def walked(tracks, speeds, waits, position, state: PlanarState, told, limits: Limits, times):
    """Where walkers are that follow k tracks from one position and state, each at its speed (k,) after a wait (k,) [s].

    told : ψ [rad]. Places (k, len(times), 2), and when each stops at the end of its track (k,) [s]; after the last
    time, a guess.
    """
    many, rows, longest = len(tracks), np.arange(len(tracks)), max(len(t.points) for t in tracks)
    points, ways = (
        np.stack([np.pad(x, ((0, longest - len(x)), (0, 0)), "edge") for x in rows_of])
        for rows_of in ([t.points for t in tracks], [t.ways for t in tracks])
    )
    allowed = np.stack([np.pad(t.allowed, (0, longest - len(t.allowed)), "edge") for t in tracks])
    length, speeds, waits = np.array([t.length for t in tracks]), np.asarray(speeds, float), np.asarray(waits, float)
    p, told, dt = np.tile(np.asarray(position, float), (many, 1)), np.full(many, told), float(times[1] - times[0])
    window, at = 2 + int(SOON * max(state.pace, 0.5) / SPACING), np.zeros(many, int)
    seen, now, late = [p], PlanarState(*(np.full(many, float(x)) for x in state)), np.full(many, np.inf)
    for t in times[:-1]:
        ahead = soon(p, now, told, limits)
        near = np.minimum(at[:, None] + np.arange(window), longest - 1)
        off = points[rows[:, None], near] - ahead[:, None]
        at, window = near[rows, (off * off).sum(-1).argmin(-1)], 6  # it never goes back
        left = np.maximum(length - SPACING * at, 0.0)
        on = points[rows, at], ways[rows, at]
        wanted, turned = law(ahead, now, told, *on, left, speeds, allowed[rows, at], limits, dt)
        ends = (t >= waits) & (now.age >= limits.starts) & (left + SOON * now.pace < limits.stopping(now.pace))
        late = np.where(ends, np.minimum(late, t), late)
        stops = (t < waits) | (late <= t)  # who stops at the end does so
        told = np.where(stops, told, turned)
        now = now.after(np.where(stops, 0.0, wanted), np.where(stops, now.half, told), limits, dt)
        p = p + dt * now.velocity(limits)
        seen.append(p)
    return np.stack(seen, 1), np.minimum(late, times[-1] + (left + SOON * now.pace) / speeds)
