"""How does a walker follow a path, and where will it be? One law of steering, told and predicted. Floats only.

A walker follows late: told a heading ψ and a speed, it goes along χ at v,

    v' = (v* - v) / T_v,   φ' = (ψ - φ) / T_φ,   χ' = (φ - χ) / T_χ                                                 (1)

so it is steered from where it will be in τ = 0.5 s, p + v τ along χ + 0.3 (ψ - χ). From there it is told the direction
of a place a little ahead on the path (pure pursuit), turning no faster than people do, slower in bends and at the end:

    look ahead   L = v · 0.4 s within 0.3 … 0.6 m,   ψ* = direction of path(s + L)                                  (2)
    heading      ψ += ψ* - ψ within ± turn · Δt, and within ± lead of χ                                            (3)
    speed        v* = plan · (1 - |ψ* - χ| / 60°),   ≤ slowing · (way left) + 0.2 m/s,   ≤ allowed(s)               (4)
    allowed(s) = min over s' ≥ s of √(v_b² + 2 brake (s' - s)),   v_b = turn/2 · the radius of the bend at s'       (5)
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from anthropi.gait.ways.path import Path

__all__ = ["Limits", "Track", "law", "soon", "walked", "within"]

WINDOW = 0.6  # [m] of path over which a bend is measured
SPACING = 0.1  # [m] of a track
TURNED = np.radians(60.0)  # off its way by more a walker turns as narrowly as it can
SOON, HALF = 0.5, 0.3  # τ [s]; share of a turn made meanwhile, on the mean


@dataclass(frozen=True)
class Limits:
    """What a walking person follows; the lags are those of the walker in physics.

    turn [rad/s]; lead [rad] of the heading told before the way it goes; slowest and fastest [m/s] of a walk;
    about [m/s] while it turns round; slowing [1/s], speed per way left; brake [m/s²] before a bend; stopping [s] of
    walking on after being told to stop; close [m] enough to the goal; lags [s] (1): T_v, T_φ, T_χ.
    """

    turn: float = np.radians(60.0)
    lead: float = np.radians(60.0)
    slowest: float = 0.5
    fastest: float = 1.6
    about: float = 0.2
    slowing: float = 0.6
    brake: float = 0.4
    stopping: float = 0.6
    close: float = 0.3
    lags: tuple[float, float, float] = (1.2, 0.5, 0.5)


class Track(NamedTuple):
    """A path every 0.1 m: points (k, 2), allowed (k,) (5), and its length [m]."""

    points: np.ndarray
    allowed: np.ndarray
    length: float

    @staticmethod
    def of(path: Path, limits: Limits) -> "Track":
        """(5) along a path."""
        s = SPACING * np.arange(2 + int(path.length / SPACING))
        a, b, c = (path.at(s + w * WINDOW) for w in (0.0, 0.5, 1.0))
        one, two = b - a, c - b
        angle = np.abs(np.arctan2(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0], (one * two).sum(-1)))
        through = 0.25 * limits.turn * WINDOW / np.maximum(angle, 1e-3)
        ahead = np.minimum.accumulate((through * through + 2.0 * limits.brake * s)[::-1])[::-1]
        return Track(a, np.sqrt(ahead - 2.0 * limits.brake * s), path.length)


def soon(position, course, told, pace):
    """Where a walker will be (…, 2) in τ."""
    to = course + HALF * within(told - course)
    return position + SOON * np.asarray(pace)[..., None] * np.stack([np.cos(to), np.sin(to)], -1)


def law(ahead, course, told, target, left, speed, allowed, limits: Limits, dt: float):
    """(3), (4): speed and heading to tell; of one walker or of many (k,). ahead (…, 2) : `soon`, target (…, 2) (2)."""
    to = target - ahead
    wanted = np.arctan2(to[..., 1], to[..., 0])  # (2)
    turn = np.clip(within(wanted - told), -limits.turn * dt, limits.turn * dt)
    told = course + np.clip(within(told + turn - course), -limits.lead, limits.lead)  # (3)
    off = np.abs(within(wanted - course))
    v = np.minimum(np.minimum(speed * (1.0 - off / TURNED), limits.slowing * left + 0.2), allowed)  # (4)
    return np.maximum(v, np.where(off > TURNED, limits.about, limits.slowest)), told


def far_ahead(pace):
    """(2): L [m]."""
    return np.clip(0.4 * pace, 0.3, 0.6)


def walked(tracks, speeds, waits, position, velocity, course, told, limits: Limits, times):
    """(1): where walkers are that follow k tracks from one position, each at its speed (k,) after a wait (k,) [s].

    course : (φ, χ) now, told : ψ. Places (k, len(times), 2), and the way that each has left (k,).
    """
    many, rows, longest = len(tracks), np.arange(len(tracks)), max(len(t.points) for t in tracks)
    points = np.stack([np.pad(t.points, ((0, longest - len(t.points)), (0, 0)), "edge") for t in tracks])
    allowed = np.stack([np.pad(t.allowed, (0, longest - len(t.allowed)), "edge") for t in tracks])
    length, speeds, waits = np.array([t.length for t in tracks]), np.asarray(speeds, float), np.asarray(waits, float)
    p, v, told = np.tile(np.asarray(position, float), (many, 1)), np.full(many, velocity), np.full(many, told)
    (half, goes), at, dt = (np.full(many, x) for x in course), np.zeros(many, int), float(times[1] - times[0])
    seen, window = [p], 2 + int(SOON * max(velocity, 0.5) / SPACING)
    for t in times[:-1]:
        ahead = soon(p, goes, told, v)
        near = np.minimum(at[:, None] + np.arange(window), longest - 1)
        off = points[rows[:, None], near] - ahead[:, None]
        at, window = near[rows, (off * off).sum(-1).argmin(-1)], 6  # it never goes back
        left = np.maximum(length - SPACING * at, 0.0)
        target = points[rows, np.minimum(at + np.rint(far_ahead(v) / SPACING).astype(int), longest - 1)]
        wanted, turned = law(ahead, goes, told, target, left, speeds, allowed[rows, at], limits, dt)
        stops = (t < waits) | (left + SOON * v < limits.stopping * v)
        told = np.where(stops, told, turned)
        v = v + dt * np.where(stops, -v / limits.stopping, (wanted - v) / limits.lags[0])  # (1)
        half = half + min(dt / limits.lags[1], 1.0) * within(told - half)
        goes = goes + min(dt / limits.lags[2], 1.0) * within(half - goes)
        p = p + dt * v[:, None] * np.stack([np.cos(goes), np.sin(goes)], -1)
        seen.append(p)
    return np.stack(seen, 1), left + SOON * v


def within(angle):
    """An angle within ± π."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi
