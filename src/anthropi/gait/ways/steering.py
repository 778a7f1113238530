"""How is a walker steered along a path, and where will it be? One law of steering, told and predicted. Floats only.

A walker follows late (`model.py`), so it is steered from where it will be in τ = 0.7 s, p + v τ along χ + 0.25 (ψ - χ).
At the point s of the path nearest to that it is told the path's direction, and back to it where it is aside by e,
turning no faster than it can at its pace, slower in bends and at the end, and never slower than it walks well:

    direction    ψ* = direction of the path at s - atan(e / 0.9 m)                                                 (1)
    heading      ψ += ψ* - ψ within ± turning(v) · Δt, and within ± lead of χ                                      (2)
    speed        v* = plan · (1 - |ψ* - χ| / 90°),   ≤ slowing · (way left) + 0.2 m/s,   ≤ allowed(s),   ≥ slowest   (3)
    allowed(s) = min over s' ≥ s of √(v_b² + 2 brake (s' - s)),   v_b = turn/2 · the radius of the bend at s'       (4)
"""

from typing import NamedTuple

import numpy as np

from anthropi.gait.ways.model import Limits, State, within
from anthropi.gait.ways.path import Path

__all__ = ["Track", "law", "soon", "walked"]

WINDOW = 0.6  # [m] of path over which a bend is measured
SPACING = 0.1  # [m] of a track
TURNED = np.radians(90.0)  # off its way by more a walker turns as narrowly as it can
SOON, HALF = 0.7, 0.25  # τ [s]; share of a turn made meanwhile, on the mean
SLOW = 0.8  # of the slowest walk: one who starts
BACK, CHORD = 0.9, 0.15  # [m] (1); to both sides, over which a direction is taken


class Track(NamedTuple):
    """A path every 0.1 m: points (k, 2), ways (k, 2) of length 1 along it, allowed (k,) (4), and its length [m]."""

    points: np.ndarray
    ways: np.ndarray
    allowed: np.ndarray
    length: float

    @staticmethod
    def of(path: Path, limits: Limits) -> "Track":
        """(4) along a path."""
        s = SPACING * np.arange(2 + int(path.length / SPACING))
        a, b, c = (path.at(s + w * WINDOW) for w in (0.0, 0.5, 1.0))
        one, two = b - a, c - b
        angle = np.abs(np.arctan2(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0], (one * two).sum(-1)))
        through = 0.25 * limits.turn * WINDOW / np.maximum(angle, 1e-3)
        ahead = np.minimum.accumulate((through * through + 2.0 * limits.brake * s)[::-1])[::-1]
        ways = path.at(s + CHORD) - path.at(np.minimum(s, path.length) - CHORD)
        ways = ways / np.maximum(np.hypot(ways[:, 0], ways[:, 1]), 1e-9)[:, None]
        return Track(a, ways, np.sqrt(ahead - 2.0 * limits.brake * s), path.length)


def soon(position, state: State, told, limits: Limits):
    """Where a walker will be (…, 2) in τ."""
    return position + SOON * state._replace(goes=state.goes + HALF * within(told - state.goes)).velocity(limits)


def law(ahead, state: State, told, point, way, left, speed, allowed, limits: Limits, dt: float):
    """(1) … (3): speed and heading to tell; of one walker or of many (k,).

    ahead (…, 2) : `soon`; point, way (…, 2) : of the track, the nearest to it.
    """
    off, most = ahead - point, limits.turning(state.pace) * dt
    aside = way[..., 0] * off[..., 1] - way[..., 1] * off[..., 0]
    wanted = np.arctan2(way[..., 1], way[..., 0]) - np.arctan(aside / BACK)  # (1)
    turned = told + np.clip(within(wanted - told), -most, most)
    told = state.goes + np.clip(within(turned - state.goes), -limits.lead, limits.lead)  # (2)
    away = np.abs(within(wanted - state.goes))
    v = np.minimum(np.minimum(speed * (1.0 - away / TURNED), limits.slowing * left + 0.2), allowed)  # (3)
    turns = (away > TURNED) & (state.pace < SLOW * limits.slowest)  # from standing
    return np.maximum(v, np.where(turns, limits.about, limits.slowest)), told


def walked(tracks, speeds, waits, position, state: State, told, limits: Limits, times):
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
    seen, now, late = [p], State(*(np.full(many, float(x)) for x in state)), np.full(many, np.inf)
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
