"""When in a leg's cycle is its knee flexed, its heel up? Key instants of stance and swing, with their values.

With the stance fraction s of the plan, phases of the leg's own cycle (foot strike 0, foot off s):

    knee   extended 0, flexed 0.23 s, extended 0.65 s, flexed s, most flexed s + 0.28 (1 - s), extended 1           (1)
    foot   on the heel 0, flat 0.12 s to 0.5 s, on the forefoot s, level s + 0.6 (1 - s), toes up 1                 (2)

At s = 0.62 these are 14, 40, 62, 73 % and 7, 31, 62, 85 % of the cycle: where textbooks' curves of free walking have
them, to about 2 % (ours, read from no table). At foot off the knee is on its way to swing: 0.6 of the swing's flexion,
or the stance's own where that is off. Strike and foot off belong to both determinants: there both their limits hold,
the stance's where they exclude each other. Growth with λ = (step length / stature) / 0.4:

    stance knee λ,  swing knee 0.6 + 0.4 λ,  foot 0.5 + 0.5 λ,  lateral λ^-1.5                                      (3)

Determinants
------------
What makes walking walking? The six determinants of gait, as curves over a cycle (thesis 9.6, Saunders and others).

    pelvic rotation  about the vertical, ±4°: the side of the foot that strikes is forward, 0 at mid-step        (4)
    pelvic tilt      ±5°: down on the swing side at mid-step, 0 at foot strikes                                  (5)
    stance knee      extended - flexed - extended - flexed, about 15°, with the step length                      (6)
    foot and ankle   on the heel, flat, on the forefoot with the heel rising, back in swing                      (7)
    swing knee       about 60°, with the step length; extended again when the foot strikes                       (8)
    lateral          G over the foot that stands, left and right once a cycle                                    (9)

Key values are amplitude × growth(λ), λ = (step length / stature) / 0.4 (1 at 100 steps/min), kept within the
determinant's limits; between keys `cycle_curves.py`, whose forms never leave the range of their keys. So limits hold
always, and a limit that acts flattens nothing: the curve stays C².

Saunders, Inman and Eberhart, J. Bone Joint Surg. 35-A (1953) 543, as the thesis tells them. Sizes it leaves open are
ours: 15°, 60°, the heel's 20° and 60° are textbook figures of free walking; the lateral amplitude and its fall with
λ^1.5 give the 7.0 and 3.9 cm from side to side at 0.7 and 1.6 m/s that we remember of Orendurff and others, J. Rehabil.
Res. Dev. 41 (2004) 829 (not checked). A determinant that is off does nothing: the leg of a compass.
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


FREE = 0.4  # step length over stature at λ = 1
GROWTH = {  # (3)
    "stance_knee": lambda x: x,
    "swing_knee": lambda x: 0.6 + 0.4 * x,
    "foot_ankle": lambda x: 0.5 + 0.5 * x,
    "lateral": lambda x: x**-1.5,
}
KNEE = (0.23, 0.65, 0.28)  # (1)
FOOT = (0.12, 0.5, 0.6)  # (2)
LEAVING = 0.6  # of the swing's flexion, at foot off
HEEL = 1.0 / 3.0  # of the heel's rise: how steep the foot strikes
APART = 0.02  # [cycles] between keys, at least


def growth(name: str, plan) -> float:
    """(3): what a plan makes of an amplitude."""
    return GROWTH[name](plan.step_length / plan.height / FREE)


def knee_keys(stance, swing, plan):
    """(1): phases and flexions [rad] of a leg's knee. stance, swing : determinants."""
    s = plan.stance_fraction
    first, again, most = KNEE[0] * s, KNEE[1] * s, s + KNEE[2] * (1.0 - s)
    early, extended = _moved([0.0, first, again, s], stance.timing), _extended(stance, swing)
    late = _moved([s, most, 1.0], swing.timing)
    peak = stance.kept(stance.amplitude * growth("stance_knee", plan))
    top = swing.kept(swing.amplitude * growth("swing_knee", plan))
    lifted = _of_both(max(peak, LEAVING * top), stance, swing) if stance.on else extended
    flexed, struck = peak if stance.on else extended, _of_both(0.0, stance, swing)
    return (0.0, *early, s, *late), (struck, flexed, extended, lifted, top if swing.on else extended)


def foot_keys(foot, plan):
    """(2): phases and pitches [rad] of a foot."""
    s, size = plan.stance_fraction, foot.amplitude * growth("foot_ankle", plan)
    flat, rise = _moved([0.0, FOOT[0] * s, FOOT[1] * s, s], foot.timing)
    strike, off, level = foot.kept(HEEL * size), foot.kept(-size), foot.kept(0.0)
    return (0.0, flat, rise, s, s + FOOT[2] * (1.0 - s)), (strike, level, level, off, level)


def _of_both(value: float, stance, swing) -> float:
    """A value where stance and swing meet, within the limits of those that are on."""
    value = swing.kept(value) if swing.on else value
    return stance.kept(value) if stance.on else value


def _extended(stance, swing) -> float:
    """How straight a knee gets: 0, or as far as limits allow."""
    return stance.kept(0.0) if stance.on else swing.kept(0.0)


def _moved(phases, by: float) -> list[float]:
    """The inner ones of some phases, later by `by`, between the outer ones."""
    first, *inner, last = phases
    least, most = first + APART - inner[0], last - APART - inner[-1]
    return [x + min(max(by, least), most) for x in inner]


LATEST = 0.25  # [cycles] a determinant comes earlier or later by


@dataclass(frozen=True)
class Determinant:
    """One determinant. amplitude, lower, upper : [rad; lateral m]. timing : [cycles] later. on : the switch."""

    amplitude: float
    lower: float
    upper: float
    timing: float = 0.0
    on: bool = True

    def __post_init__(self):
        for name in ("amplitude", "lower", "upper", "timing"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not math.isfinite(value):
                raise InputError(f"A determinant got {name}={value!r}; give a finite number.")
            object.__setattr__(self, name, float(value))
        if not isinstance(self.on, (bool, np.bool_)):
            raise InputError(f"A determinant got on={self.on!r}; give True or False.")
        object.__setattr__(self, "on", bool(self.on))
        if self.amplitude < 0.0:
            raise InputError(
                f"A determinant got amplitude={self.amplitude:g}; give 0 or more. on=False switches it off."
            )
        if self.lower > self.upper:
            raise InputError(f"A determinant got lower={self.lower:g} above upper={self.upper:g}. Exchange them.")
        if abs(self.timing) > LATEST:
            raise InputError(f"A determinant got timing={self.timing:g}; give cycles, within ±{LATEST:g}.")

    def kept(self, value: float) -> float:
        """A value within the limits, 0 if it is off."""
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
    """The six determinants of gait, each a `Determinant`. form : of the curves, "smooth" (C²), "linear", "cosine".

    Curves are functions of the phase [cycles], a left foot strike at 0; they take numbers, arrays and recorded scalars.
    """

    pelvic_rotation: Determinant = DEFAULTS["pelvic_rotation"]
    pelvic_tilt: Determinant = DEFAULTS["pelvic_tilt"]
    stance_knee: Determinant = DEFAULTS["stance_knee"]
    foot_ankle: Determinant = DEFAULTS["foot_ankle"]
    swing_knee: Determinant = DEFAULTS["swing_knee"]
    lateral: Determinant = DEFAULTS["lateral"]
    form: str = "smooth"

    def __post_init__(self):
        if self.form not in FORMS:
            raise InputError(f"Determinants got form={self.form!r}.{did_you_mean(str(self.form), FORMS)} Forms: "
                             f"{', '.join(FORMS)}.")  # fmt: skip
        for name in DETERMINANTS:
            if not isinstance(getattr(self, name), Determinant):
                raise InputError(f"Determinants got {name}={getattr(self, name)!r}; give a Determinant, or take "
                                 f"Determinants().changed({name}={{'amplitude': …}}).")  # fmt: skip

    def changed(self, **wanted) -> "Determinants":
        """With other numbers: changed(pelvic_tilt={"amplitude": 0.1, "upper": 0.1}, form="cosine")."""
        form = wanted.pop("form", self.form)
        new: dict[str, Any] = {}
        for name, numbers in wanted.items():
            own = self[name]
            if not isinstance(numbers, dict):
                raise InputError(f"changed({name}={numbers!r}): give {{'amplitude': …}}; a determinant has "
                                 f"{', '.join(vars(own))}.")  # fmt: skip
            odd = [x for x in numbers if x not in vars(own)]
            if odd:
                raise InputError(f"A determinant has no '{odd[0]}'.{did_you_mean(str(odd[0]), vars(own))} It has: "
                                 f"{', '.join(vars(own))}.")  # fmt: skip
            new[name] = replace(own, **numbers)
        return replace(self, form=form, **new)

    def without(self, *names: str) -> "Determinants":
        """With some switched off."""
        off: dict[str, Any] = {name: replace(self[name], on=False) for name in names}
        return replace(self, **off)

    def only(self, *names: str) -> "Determinants":
        """With all others switched off; only() is the gait of a pair of compasses."""
        kept: dict[str, Any] = {name: self[name] for name in names}
        return replace(self.without(*DETERMINANTS), **kept)

    def __getitem__(self, name: str) -> Determinant:
        if name not in DETERMINANTS:
            raise InputError(f"No determinant '{name}'.{did_you_mean(str(name), DETERMINANTS)} Determinants: "
                             f"{', '.join(DETERMINANTS)}.")  # fmt: skip
        return getattr(self, name)

    def scale(self, name: str) -> float:
        """The amplitude over the default one; 0 if it is off."""
        own = self[name]
        return own.amplitude / DEFAULTS[name].amplitude if own.on else 0.0

    def table(self) -> str:
        """What is set, in degrees and centimetres, as text."""
        return determinants_table(self)

    # curves ----------------------------------------------------------------------------------------------------------

    def pelvic_rotation_at(self, phase):
        """(4): the pelvis' turn about z (up) [rad]; below 0 the left side is forward."""
        own = self.pelvic_rotation
        low, high = own.kept(-own.amplitude), own.kept(own.amplitude)
        return cycle_curve((0.0, 0.5), (low, high), self.form)(phase - own.timing)

    def pelvic_tilt_at(self, phase):
        """(5): the pelvis' turn about x (forward) [rad]; above 0 the left side is up."""
        own = self.pelvic_tilt
        low, high = own.kept(-own.amplitude), own.kept(own.amplitude)
        return cycle_curve((0.25, 0.75), (high, low), self.form)(phase - own.timing)

    def knee_at(self, phase, plan, side: str = "l"):
        """(6), (8): flexion of a side's knee [rad] over its whole cycle."""
        return cycle_curve(*knee_keys(self.stance_knee, self.swing_knee, plan), self.form)(_own(phase, side))

    def foot_pitch_at(self, phase, plan, side: str = "l"):
        """(7): how far a side's sole is from level [rad]; above 0 the toes are up, on the heel."""
        return cycle_curve(*foot_keys(self.foot_ankle, plan), self.form)(_own(phase, side))

    def lateral_at(self, phase, plan):
        """(9): where G is in y (left) [m], from the line between the feet."""
        own = self.lateral
        size = own.amplitude * growth("lateral", plan)
        return cycle_curve((0.25, 0.75), (own.kept(size), own.kept(-size)), self.form)(phase - own.timing)


def _own(phase, side: str):
    """The phase of a side's own cycle, its foot strike at 0."""
    return phase if checked_side(side) == "l" else phase - 0.5
