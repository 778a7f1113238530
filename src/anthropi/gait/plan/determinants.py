"""The six determinants of gait as curves over a cycle (docs/equations/thesis.md, 9.6; Saunders and others).

    pelvic rotation  about the vertical, ±4°; the side of the foot that strikes is forward, 0 at mid-step        (1)
    pelvic tilt      ±5°; down on the swing side at mid-step, 0 at foot strikes                                  (2)
    stance knee      extended - flexed - extended - flexed, about 15°, grows with the step length                (3)
    foot and ankle   on the heel, flat, on the forefoot with the heel rising, back in swing                      (4)
    swing knee       about 60°, grows with the step length; extended again when the foot strikes                 (5)
    lateral          centre of mass over the stance foot, left and right once in a cycle                         (6)

Key values are amplitude × growth(λ), with λ = (step length / stature) / 0.4 (1 at 100 steps/min). They are clipped to
the limits of the determinant. The curves between keys (`cycle_curves.py`) never leave the range of the keys, so the
limits always hold, and the curves stay C² even if a limit is active. A determinant that is off contributes nothing.
With all determinants off, the legs move like a pair of compasses. The keys are at these instants, with the stance
fraction s of the plan and phases of the leg's own cycle (foot strike 0, foot off s):

    knee   extended 0, flexed 0.23 s, extended 0.65 s, flexed s, most flexed s + 0.28 (1 - s), extended 1        (7)
    foot   on the heel 0, flat 0.12 s to 0.5 s, on the forefoot s, level s + 0.6 (1 - s), toes up 1              (8)
    growth: stance knee λ,  swing knee 0.6 + 0.4 λ,  foot 0.5 + 0.5 λ,  lateral λ^-1.5                           (9)

At s = 0.62 these are 14, 40, 62, 73 % and 7, 31, 62, 85 % of the cycle. They agree with textbook curves of free walking
to about 2 % of the cycle (our reading). At foot off, the knee flexion is 0.6 times the flexion in swing. If the swing
knee is off, it is the flexion in stance. Strike and foot off belong to both stance and swing, so the limits of both
hold there. If they contradict each other, the limits of stance hold.

Source: Saunders, Inman and Eberhart, J. Bone Joint Surg. 35-A (1953) 543, as summarised in the thesis. Amplitudes that
are not given there are our choice. The values 15°, 60°, and 20° and 60° for the heel are textbook values of free
walking. The lateral amplitude and its decrease with λ^1.5 give 7.0 and 3.9 cm from side to side at 0.7 and 1.6 m/s,
after Orendurff and others, J. Rehabil. Res. Dev. 41 (2004) 829 (not checked).
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.errors import InputError, did_you_mean
from anthropi.gait.plan.cycle_curves import FORMS, cycle_curve
from anthropi.gait.plan.phases import checked_side
from anthropi.gait.plan.tables import determinants_table

__all__ = ["DETERMINANTS", "GROWTH", "Determinant", "Determinants", "foot_keys", "growth", "knee_keys"]


REFERENCE_STEP = 0.4  # step length over stature at λ = 1
GROWTH: dict[Any, Any] = {  # (9)
    "stance_knee": lambda x: x,
    "swing_knee": lambda x: 0.6 + 0.4 * x,
    "foot_ankle": lambda x: 0.5 + 0.5 * x,
    "lateral": lambda x: x**-1.5,
}
KNEE = (0.23, 0.65, 0.28)  # (7)
FOOT = (0.12, 0.5, 0.6)  # (8)
FOOT_OFF_FLEXION = 0.6  # knee flexion at foot off, as a share of that in swing
STRIKE_PITCH = 1.0 / 3.0  # pitch of the foot at foot strike, as a share of that of the heel rise
MIN_KEY_DISTANCE = 0.02  # [cycles] between keys


def growth(name: str, plan: Any) -> float:
    """Return the factor (9) by which a gait plan scales the amplitude of a determinant."""
    return GROWTH[name](plan.step_length / plan.height / REFERENCE_STEP)


def knee_keys(stance: "Determinant", swing: "Determinant", plan: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the keys of knee flexion (7): phases [cycles] and angles [rad].

    stance, swing : the determinants of the knee in stance and in swing.
    """
    s = plan.stance_fraction
    first, again, most = KNEE[0] * s, KNEE[1] * s, s + KNEE[2] * (1.0 - s)
    early, extended = _moved([0.0, first, again, s], stance.timing), _extended(stance, swing)
    late = _moved([s, most, 1.0], swing.timing)
    peak = stance.kept(stance.amplitude * growth("stance_knee", plan))
    top = swing.kept(swing.amplitude * growth("swing_knee", plan))
    lifted = _of_both(max(peak, FOOT_OFF_FLEXION * top), stance, swing) if stance.on else extended
    flexed, struck = peak if stance.on else extended, _of_both(0.0, stance, swing)
    return (0.0, *early, s, *late), (struck, flexed, extended, lifted, top if swing.on else extended)


def foot_keys(foot: "Determinant", plan: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the keys of the foot's pitch (8): phases [cycles] and angles [rad]."""
    s, size = plan.stance_fraction, foot.amplitude * growth("foot_ankle", plan)
    flat, rise = _moved([0.0, FOOT[0] * s, FOOT[1] * s, s], foot.timing)
    strike, off, level = foot.kept(STRIKE_PITCH * size), foot.kept(-size), foot.kept(0.0)
    return (0.0, flat, rise, s, s + FOOT[2] * (1.0 - s)), (strike, level, level, off, level)


def _of_both(value: float, stance, swing) -> float:
    """Clip a value at the border of stance and swing to the limits of both determinants, if they are on."""
    value = swing.kept(value) if swing.on else value
    return stance.kept(value) if stance.on else value


def _extended(stance, swing) -> float:
    """Return the flexion of an extended knee [rad]: 0, or the nearest value within the limits."""
    return stance.kept(0.0) if stance.on else swing.kept(0.0)


def _moved(phases, by: float) -> list[float]:
    """Shift all phases except the first and the last by `by`, and keep the shifted ones between the first and the
    last."""
    first, *inner, last = phases
    least, most = first + MIN_KEY_DISTANCE - inner[0], last - MIN_KEY_DISTANCE - inner[-1]
    return [x + min(max(by, least), most) for x in inner]


MAX_TIMING = 0.25  # [cycles], largest shift of a determinant, earlier or later


@dataclass(frozen=True)
class Determinant:
    """One determinant of gait.

    amplitude, lower, upper : amplitude and limits [rad; for the lateral determinant m]. timing : delay [cycles].
    on : whether the determinant is used.
    """

    amplitude: float
    lower: float
    upper: float
    timing: float = 0.0
    on: bool = True

    def __post_init__(self) -> None:
        for name in ("amplitude", "lower", "upper", "timing"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not math.isfinite(value):
                raise InputError(f"A determinant got {name}={value!r}. Give a finite number.")
            object.__setattr__(self, name, float(value))
        if not isinstance(self.on, (bool, np.bool_)):
            raise InputError(f"A determinant got on={self.on!r}. Give True or False.")
        object.__setattr__(self, "on", bool(self.on))
        if self.amplitude < 0.0:
            raise InputError(
                f"A determinant got amplitude={self.amplitude:g}. Give 0 or more. Use on=False to switch it off."
            )
        if self.lower > self.upper:
            raise InputError(f"A determinant got lower={self.lower:g} above upper={self.upper:g}. Swap them.")
        if abs(self.timing) > MAX_TIMING:
            raise InputError(f"A determinant got timing={self.timing:g}. Give cycles within ±{MAX_TIMING:g}.")

    def kept(self, value: float) -> float:
        """Return a value clipped to the limits; 0 if the determinant is off."""
        return min(max(value, self.lower), self.upper) if self.on else 0.0


def _degrees(amplitude: float, lower: float, upper: float) -> Determinant:
    return Determinant(math.radians(amplitude), math.radians(lower), math.radians(upper))


DEFAULTS = {
    "pelvic_rotation": _degrees(4.0, -4.0, 4.0),
    "pelvic_tilt": _degrees(5.0, -5.0, 5.0),
    "stance_knee": _degrees(15.0, 0.0, 45.0),
    "foot_ankle": _degrees(60.0, -75.0, 30.0),
    "swing_knee": _degrees(60.0, 0.0, 75.0),
    "lateral": Determinant(0.024, -0.05, 0.05),
}
DETERMINANTS = tuple(DEFAULTS)


@dataclass(frozen=True)
class Determinants:
    """The six determinants of gait, each a `Determinant`. form : interpolation, "smooth" (C²), "linear" or "cosine".

    Curves are functions of the phase [cycles], with a left foot strike at 0. The phase may be a number, an array or a
    recorded scalar.
    """

    pelvic_rotation: Determinant = DEFAULTS["pelvic_rotation"]
    pelvic_tilt: Determinant = DEFAULTS["pelvic_tilt"]
    stance_knee: Determinant = DEFAULTS["stance_knee"]
    foot_ankle: Determinant = DEFAULTS["foot_ankle"]
    swing_knee: Determinant = DEFAULTS["swing_knee"]
    lateral: Determinant = DEFAULTS["lateral"]
    form: str = "smooth"

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise InputError(
                f"Determinants got an unknown form={self.form!r}.{did_you_mean(str(self.form), FORMS)} "
                f"Choose one of: {', '.join(FORMS)}."
            )
        for name in DETERMINANTS:
            if not isinstance(getattr(self, name), Determinant):
                raise InputError(
                    f"Determinants got {name}={getattr(self, name)!r}. Give a Determinant, or use "
                    f"Determinants().changed({name}={{'amplitude': …}})."
                )

    def changed(self, **numbers: Any) -> "Determinants":
        """Return a copy with some numbers changed.

        Example: changed(pelvic_tilt={"amplitude": 0.1, "upper": 0.1}, form="cosine").
        """
        form = numbers.pop("form", self.form)
        new: dict[str, Any] = {}
        for name, fields in numbers.items():
            own = self[name]
            if not isinstance(fields, dict):
                raise InputError(
                    f"changed({name}={fields!r}): give a dictionary such as {{'amplitude': …}} with any of: "
                    f"{', '.join(vars(own))}."
                )
            odd = [x for x in fields if x not in vars(own)]
            if odd:
                raise InputError(
                    f"A determinant has no parameter '{odd[0]}'.{did_you_mean(str(odd[0]), vars(own))} Choose from: "
                    f"{', '.join(vars(own))}."
                )
            new[name] = replace(own, **fields)
        return replace(self, form=form, **new)

    def without(self, *names: str) -> "Determinants":
        """Return a copy with the named determinants off."""
        off: dict[str, Any] = {name: replace(self[name], on=False) for name in names}
        return replace(self, **off)

    def only(self, *names: str) -> "Determinants":
        """Return a copy with all determinants off except the named ones. only() gives a compass gait."""
        kept: dict[str, Any] = {name: self[name] for name in names}
        return replace(self.without(*DETERMINANTS), **kept)

    def __getitem__(self, name: str) -> Determinant:
        if name not in DETERMINANTS:
            raise InputError(
                f"There is no determinant '{name}'.{did_you_mean(str(name), DETERMINANTS)} Choose one of: "
                f"{', '.join(DETERMINANTS)}."
            )
        return getattr(self, name)

    def scale(self, name: str) -> float:
        """Return the amplitude of a determinant divided by its default; 0 if it is off."""
        own = self[name]
        return own.amplitude / DEFAULTS[name].amplitude if own.on else 0.0

    def table(self) -> str:
        """Return all numbers as a text table, in degrees and centimetres."""
        return determinants_table(self)

    # curves ----------------------------------------------------------------------------------------------------------

    def pelvic_rotation_at(self, phase: Any) -> Any:
        """Return the rotation of the pelvis about z (up) [rad] (1); negative if the left side is forward."""
        own = self.pelvic_rotation
        low, high = own.kept(-own.amplitude), own.kept(own.amplitude)
        return cycle_curve((0.0, 0.5), (low, high), self.form)(phase - own.timing)

    def pelvic_tilt_at(self, phase: Any) -> Any:
        """Return the tilt of the pelvis about x (forward) [rad] (2); positive if the left side is up."""
        own = self.pelvic_tilt
        low, high = own.kept(-own.amplitude), own.kept(own.amplitude)
        return cycle_curve((0.25, 0.75), (high, low), self.form)(phase - own.timing)

    def knee_at(self, phase: Any, plan: Any, side: str = "l") -> Any:
        """Return the flexion [rad] of the knee of a side (3), (5)."""
        return cycle_curve(*knee_keys(self.stance_knee, self.swing_knee, plan), self.form)(_own(phase, side))

    def foot_pitch_at(self, phase: Any, plan: Any, side: str = "l") -> Any:
        """Return the pitch [rad] of the sole of a side (4); positive if the toes are up."""
        return cycle_curve(*foot_keys(self.foot_ankle, plan), self.form)(_own(phase, side))

    def lateral_at(self, phase: Any, plan: Any) -> Any:
        """Return the lateral displacement y (left) [m] of the centre of mass from the line between the feet (6)."""
        own = self.lateral
        size = own.amplitude * growth("lateral", plan)
        return cycle_curve((0.25, 0.75), (own.kept(size), own.kept(-size)), self.form)(phase - own.timing)


def _own(phase, side: str):
    """Convert the phase of the left leg's cycle to that of a side, with its own foot strike at 0."""
    return phase if checked_side(side) == "l" else phase - 0.5
