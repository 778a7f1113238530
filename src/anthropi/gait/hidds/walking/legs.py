"""Motion of pelvis and legs over the footprints (docs/equations/thesis.md, 9.2 and 9.6). Works on plain floats only.

The coordinates of the middle of the hips, with s the phase of a step since foot strike, are

    x: midway between two footprints at mid double support, a spline between, plus the correction of `hip_path.py` (1)
    y: the correction of `hip_path.py`                                                                           (2)
    z = z₀ - z₁ cos 2π s: the leg is nearly straight at foot strike, and flexed by the stance knee's
        amplitude at mid-step; z₁ (2π / t_step)² is 0.4 g at most                                                (3)

Pelvic rotation and tilt rotate the pelvis about this point. The ankle of a stance leg follows from the pitch of its
foot (`footprints.py`, the foot-and-ankle determinant). The path of the ankle in swing, with s from 0 to 1, is

    A = quintic from foot off to foot strike, with their velocities and accelerations + r (4 s (1 - s))³ up      (4)

The lift r flexes the knee, at 0.4 of swing, by the amplitude of the swing knee, or lifts heel and ball over the ground.
Let a and b be the lengths of thigh and shank, and (x, z) the hip relative to the ankle, in the plane that contains both
and the line of walking. The knee flexion κ and the lean θ of the shank are

    cos κ = (x² + z² - a² - b²) / 2ab,   θ = atan2(x, z) + atan2(a sin κ, b + a cos κ)                           (5)

An ankle rotates its foot about two axes only. Therefore the leg is rotated about the line d from ankle to hip by the
small angle τ that makes its axis y perpendicular to the foot's x,

    tan τ = -y·x / (d × y)·x                                                                                     (6)

The effects of the determinants are these. Rotation and foot lengthen the step of a straight leg. Tilt and stance knee
lower the hips at mid-step. The lateral determinant narrows the walk, which without it is as wide as the hips. Numbers
without a source are our choice, so that the forces are those of a walk.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.gait.hidds.walking.footprints import SIGN, Foot, Prints, smooth
from anthropi.gait.plan.determinants import Determinants, growth
from anthropi.motion.splines import spline

__all__ = ["LegPose", "Legs", "Lower", "turn"]

MIN_STANCE_FLEXION, MIN_SWING_FLEXION = np.radians([14.0, 9.0])  # of a knee; near 0 its speed is unbounded
MAX_HEAVE = 0.4  # largest vertical acceleration of the hips, as a share of gravity
STRIKE_LEAD, OFF_LAG = 0.03, 0.08  # [cycles] by which the foot's pitch leads at strike and lags at foot off
PEAK_FLEXION, CLEARANCE = 0.4, 0.012  # share of swing, [m] of the soles above the ground
MID_SWING = (0.2, 0.8)  # shares of swing between which the clearance holds
DIFFERENCE_STEP = 2.5e-4  # [s], step of one-sided differences at foot off and strike
MAX_LOWERINGS, REACH_TOLERANCE = 6, 1e-4  # iterations that lower the hips until the legs reach the ground, [m]
X, Y, Z = np.eye(3)


def turn(axis: Any, angle: Any) -> np.ndarray:
    """Return rotation matrices (n, 3, 3) about an axis (3,), or axes (n, 3), by angles (n,)."""
    return rot.matrix_from_quaternion(rot.quaternion_from_rotation_vector(np.asarray(angle)[:, None] * axis))


class LegPose(NamedTuple):
    """Motion of one leg at n times.

    thigh, shank, foot : (n, 3, 3), rotations. pitch : (n,) [rad], pitch of the foot. ankle, load : (n, 3) [m],
    positions of the ankle and of the load point. down : (n,), whether the foot is on the ground.
    """

    thigh: np.ndarray
    shank: np.ndarray
    foot: np.ndarray
    pitch: np.ndarray
    ankle: np.ndarray
    load: np.ndarray
    down: np.ndarray


class Lower(NamedTuple):
    """Motion of the lower body at n times.

    hips : (n, 3) [m], position of the middle of the hips. pelvis : (n, 3, 3), its rotation. legs : {side: LegPose}.
    """

    hips: np.ndarray
    pelvis: np.ndarray
    legs: dict[str, LegPose]

    def cut(self, part: slice) -> "Lower":
        """Return the frames of a slice."""
        legs = {side: LegPose(*(x[part] for x in leg)) for side, leg in self.legs.items()}
        return Lower(self.hips[part], self.pelvis[part], legs)


@dataclass(frozen=True)
class Legs:
    """Legs of a figure that walk over given footprints.

    thigh, shank : lengths a and b [m]. half : half the distance of the hips [m]. foot : lengths of the foot.
    prints : footprints. determinants : determinants of gait.
    ahead : mean distance of the hips in front of the middle of the footprints [m]. lowered : (steps,) [m], distance by
    which the hips are lowered so that the legs reach the ground. `settled` computes both.
    """

    thigh: float
    shank: float
    half: float
    foot: Foot
    prints: Prints
    determinants: Determinants
    ahead: float = 0.0
    lowered: Any = 0.0

    def __call__(self, t: np.ndarray, aside: np.ndarray) -> Lower:
        """Compute the motion of the lower body at evenly spaced times t (n,) [s].

        aside : (n, 2) [m], corrections of x and y of the hips.
        """
        h = float(t[1] - t[0])
        more = round(2.0 * max(plan.step for plan in self.prints.plans) / h)
        longer = t[0] + h * np.arange(-more, len(t) + more)  # so that every swing is complete
        return self._whole(longer, np.pad(aside, ((more, more), (0, 0)), "edge")).cut(slice(more, more + len(t)))

    def settled(self, t: np.ndarray, aside: np.ndarray) -> "Legs":
        """Return legs with the hips lowered in each step only as far as the feet need to reach the ground.

        t : (n,) [s], times at which this is checked. aside : (n, 2) [m], corrections of x and y of the hips.
        """
        legs, p = (
            replace(self, ahead=float(aside[:, 0].mean()), lowered=np.zeros(len(self.prints.strikes))),
            self.prints,
        )
        step = p.step_at(t + 0.5 * np.array([plan.step for plan in p.plans])[p.step_at(t)])  # of the next strike
        held = np.unique(step)
        for _ in range(MAX_LOWERINGS):
            lower = legs(t, aside)
            over = np.max([legs._over(lower, side) for side in SIGN], axis=0)
            more = np.array([max(float(over[step == k].max()), 0.0) for k in held])
            if more.max() < REACH_TOLERANCE:
                break
            own = legs.lowered.copy()
            own[held] += more
            own[: held[0]], own[held[-1] + 1 :] = own[held[0]], own[held[-1]]
            legs = replace(legs, lowered=own)
        return legs

    def length(self, knee: Any) -> Any:
        """Return the distance from ankle to hip [m] for a knee flexion [rad]."""
        return np.sqrt(self.thigh**2 + self.shank**2 + 2.0 * self.thigh * self.shank * np.cos(knee))

    def _whole(self, t, aside) -> Lower:
        phase, places, d = self.prints.phase(t), self.prints.places, self.determinants
        pelvis = turn(Z, d.pelvic_rotation_at(phase)) @ turn(X, d.pelvic_tilt_at(phase))
        x = spline(self.prints.middles()[1:], 0.5 * (places[1:] + places[:-1]))
        hips = np.stack([x(t).value + aside[:, 0], aside[:, 1], self._height(t)], -1)  # (1)-(3)
        legs = {side: self._leg(t, hips + SIGN[side] * self.half * pelvis[:, :, 1], side) for side in SIGN}
        return Lower(hips, pelvis, legs)

    # the hips' height -------------------------------------------------------------------------------------------------

    def _height(self, t) -> np.ndarray:
        """Compute the height of the hips (3) at times t (n,) [m]."""
        levels, m = np.array([self._levels(plan) for plan in self.prints.plans]), self.prints.strikes
        levels[:, 0] -= self.lowered
        k = np.clip(np.searchsorted(m, t, "right") - 1, 0, len(m) - 2)
        s = (t - m[k]) / (m[k + 1] - m[k])
        mean, swell = (levels[k] + (levels[k + 1] - levels[k]) * smooth(s)[:, None]).T
        return mean - swell * np.cos(2.0 * np.pi * s)

    def _levels(self, plan) -> tuple[float, float]:
        """Compute z₀ and z₁ of (3) [m] for a steady walk."""
        d, half, ahead = self.determinants, self.half, self.ahead
        strike = self.foot.ankle_at(self._pitch(np.zeros(1), plan))[0]
        apart = 0.5 * (plan.step_length + plan.velocity * plan.double_support) + strike[0] - ahead
        apart = apart + half * np.sin(float(d.pelvic_rotation_at(0.0)))
        ends = strike[1] + np.sqrt(max(self.length(MIN_STANCE_FLEXION) ** 2 - apart**2, 0.0))
        bent = MIN_STANCE_FLEXION + d.stance_knee.kept(d.stance_knee.amplitude * growth("stance_knee", plan))
        middle = self.foot.ankle + np.sqrt(max(self.length(bent) ** 2 - ahead**2, 0.0))
        middle = middle - half * np.sin(float(d.pelvic_tilt_at(0.25)))
        most = MAX_HEAVE * 9.81 * (plan.step / (2.0 * np.pi)) ** 2
        swell = min(0.5 * max(float(middle - ends), 0.0), most)
        return ends + swell, swell

    def _over(self, lower: Lower, side: str) -> np.ndarray:
        """Compute by how much (n,) [m] a hip is higher than its leg reaches with the smallest knee flexion allowed."""
        leg = lower.legs[side]
        x, y, z = (lower.hips + SIGN[side] * self.half * lower.pelvis[:, :, 1] - leg.ankle).T
        most = np.where(leg.down, self.length(MIN_STANCE_FLEXION), self.length(MIN_SWING_FLEXION))
        return z - np.sqrt(np.maximum(most**2 - x * x - y * y, 0.0))

    # feet and legs ----------------------------------------------------------------------------------------------------

    def _foot(self, t, side: str):
        """Compute pitch (n,), ankle position (n, 3) and contact (n,) of a foot; in swing by (4) without the lift."""
        p, k = self.prints, self.prints.last(t, side)
        down, at = p.stance(t, side) <= 1.0 + 1e-9, np.zeros((len(t), 3))
        for n in np.unique(k):
            here, air = (k == n) & down, (k == n) & ~down
            at[here] = self._standing(t[here], n)
            if air.any() and n + 2 < len(p.strikes):
                off, strike = p.offs[n + 1], p.strikes[n + 2]
                before, after = (
                    off - DIFFERENCE_STEP * np.arange(3, -1, -1),
                    strike + DIFFERENCE_STEP * np.arange(3, -1, -1),
                )
                ends = (
                    _ends(self._standing(before, n), DIFFERENCE_STEP),
                    _ends(self._standing(after, n + 2), -DIFFERENCE_STEP),
                )
                at[air] = _quintic((t[air] - off) / (strike - off), strike - off, *ends)  # (4)
        return at[:, 2], np.stack([at[:, 0], np.full(len(t), p.line(side)), at[:, 1]], -1), down

    def _standing(self, t, n: int) -> np.ndarray:
        """Compute x and z of the ankle and the pitch of the foot, (m, 3), at times t (m,) in the stance of strike n."""
        p = self.prints
        pitch = self._pitch((t - p.strikes[n]) / (p.offs[n + 1] - p.strikes[n]), p.plans[n])
        return np.concatenate([self.foot.ankle_at(pitch) + np.array([p.places[n], 0.0]), pitch[:, None]], -1)

    def _pitch(self, part, plan) -> np.ndarray:
        """Compute the pitch of the sole [rad] at a fraction `part` of stance, with the lead and lag at its ends."""
        shift = STRIKE_LEAD - (STRIKE_LEAD + OFF_LAG) * smooth(part)
        return self.determinants.foot_pitch_at(plan.stance_fraction * part + shift, plan)

    def _leg(self, t, hip, side: str) -> LegPose:
        p, k = self.prints, self.prints.last(t, side)
        pitch, ankle, down = self._foot(t, side)
        for n in np.unique(k[~down]):
            here = (k == n) & ~down
            if n + 2 < len(p.strikes):
                s = (t[here] - p.offs[n + 1]) / (p.strikes[n + 2] - p.offs[n + 1])
                ankle[here, 2] += self._lift(s, hip[here], ankle[here], pitch[here], p.plans[n])
        x, y, z = (hip - ankle).T
        slant, z = turn(X, -np.arctan2(y, z)), np.hypot(y, z)
        a, b = self.thigh, self.shank
        knee = np.arccos(np.clip((x * x + z * z - a * a - b * b) / (2.0 * a * b), -1.0, 1.0))  # (5)
        lean = np.arctan2(x, z) + np.arctan2(a * np.sin(knee), b + a * np.cos(knee))
        load = np.stack([p.places[k] + self.foot.load_at(p.stance(t, side)), ankle[:, 1], 0.0 * t], -1)
        foot, along, y = turn(Y, -pitch), hip - ankle, slant[:, :, 1]
        d = along / np.linalg.norm(along, axis=-1, keepdims=True)
        about = np.arctan(-(y * foot[:, :, 0]).sum(-1) / (np.cross(d, y) * foot[:, :, 0]).sum(-1))  # (6)
        slant = turn(d, about) @ slant
        thigh, shank = slant @ turn(Y, lean - knee), slant @ turn(Y, lean)
        return LegPose(thigh, shank, foot, pitch, ankle, load, down)

    def _lift(self, s, hip, ankle, pitch, plan) -> np.ndarray:
        """Compute the lift (m,) [m] of (4) that gives the flexion of the swing knee or the clearance of the foot."""
        own, bump = self.determinants.swing_knee, (4.0 * s * (1.0 - s)) ** 3
        target = self.length(max(own.kept(own.amplitude * growth("swing_knee", plan)), MIN_SWING_FLEXION))
        x, y, z = (np.interp(PEAK_FLEXION, s, row) for row in (hip - ankle).T)
        rise = (z - np.sqrt(max(target**2 - x * x - y * y, 0.01))) / (4.0 * PEAK_FLEXION * (1.0 - PEAK_FLEXION)) ** 3
        lacks = CLEARANCE - (ankle[:, 2] - self.foot.below(pitch))
        middle = (s > MID_SWING[0]) & (s < MID_SWING[1])
        return max(float(rise), float((lacks / np.maximum(bump, 0.01))[middle].max(initial=0.0)), 0.0) * bump


def _ends(row, h: float):
    """Compute the value and the first two derivatives at the last of four rows, h [s] apart."""
    a, b, c, d = row
    return d, (11.0 * d - 18.0 * c + 9.0 * b - 2.0 * a) / (6.0 * h), (2.0 * d - 5.0 * c + 4.0 * b - a) / (h * h)


def _quintic(s, span: float, begin, end) -> np.ndarray:
    """Evaluate a quintic polynomial at s (n,) from 0 to 1.

    span : its duration [s]. begin, end : value and first two derivatives at its ends.
    """
    s = s[:, None]
    (p0, v0, a0), (p1, v1, a1) = begin, end
    v0, a0, v1, a1 = v0 * span, a0 * span**2, v1 * span, a1 * span**2
    d, e, f = p1 - p0 - v0 - 0.5 * a0, v1 - v0 - a0, a1 - a0
    c3, c4, c5 = 10.0 * d - 4.0 * e + 0.5 * f, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + 0.5 * f
    return p0 + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))))
