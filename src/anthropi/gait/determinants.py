"""What makes walking walking? The six determinants of gait, as curves over a cycle (thesis 9.6, Saunders and others).

    pelvic rotation  about the vertical, ±4°: the side of the foot that strikes is forward, 0 at mid-step        (1)
    pelvic tilt      ±5°: down on the swing side at mid-step, 0 at foot strikes                                  (2)
    stance knee      extended - flexed - extended - flexed, about 15°, with the step length                      (3)
    foot and ankle   on the heel, flat, on the forefoot with the heel rising, back in swing                      (4)
    swing knee       about 60°, with the step length; extended again when the foot strikes                       (5)
    lateral          G over the foot that stands, left and right once a cycle                                    (6)

Key values are amplitude × growth(λ), λ = (step length / stature) / 0.4 (1 at 100 steps/min), kept within the
determinant's limits; between keys `curves.py`, whose forms never leave the range of their keys. So limits hold always,
and a limit that acts flattens nothing: the curve stays C².

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
from anthropi.gait.curves import FORMS, cycle_curve
from anthropi.gait.determinant_keys import foot_keys, growth, knee_keys
from anthropi.gait.phases import checked_side
from anthropi.gait.plan_table import determinants_table

__all__ = ["DETERMINANTS", "Determinant", "Determinants"]

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
        """(1): the pelvis' turn about z (up) [rad]; below 0 the left side is forward."""
        own = self.pelvic_rotation
        low, high = own.kept(-own.amplitude), own.kept(own.amplitude)
        return cycle_curve((0.0, 0.5), (low, high), self.form)(phase - own.timing)

    def pelvic_tilt_at(self, phase):
        """(2): the pelvis' turn about x (forward) [rad]; above 0 the left side is up."""
        own = self.pelvic_tilt
        low, high = own.kept(-own.amplitude), own.kept(own.amplitude)
        return cycle_curve((0.25, 0.75), (high, low), self.form)(phase - own.timing)

    def knee_at(self, phase, plan, side: str = "l"):
        """(3), (5): flexion of a side's knee [rad] over its whole cycle."""
        return cycle_curve(*knee_keys(self.stance_knee, self.swing_knee, plan), self.form)(_own(phase, side))

    def foot_pitch_at(self, phase, plan, side: str = "l"):
        """(4): how far a side's sole is from level [rad]; above 0 the toes are up, on the heel."""
        return cycle_curve(*foot_keys(self.foot_ankle, plan), self.form)(_own(phase, side))

    def lateral_at(self, phase, plan):
        """(6): where G is in y (left) [m], from the line between the feet."""
        own = self.lateral
        size = own.amplitude * growth("lateral", plan)
        return cycle_curve((0.25, 0.75), (own.kept(size), own.kept(-size)), self.form)(phase - own.timing)


def _own(phase, side: str):
    """The phase of a side's own cycle, its foot strike at 0."""
    return phase if checked_side(side) == "l" else phase - 0.5
