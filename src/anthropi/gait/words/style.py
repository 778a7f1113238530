"""In which numbers is a style of walking told? A small record of middle-level parameters, in physical words.

Ratios are 1 and angles and lengths 0 in the natural gait. With x a number, n its natural value, k a degree:

    scaled     n + k (x - n);  ratios  x^k                                     (1)
    together   x + y;  ratios  x y                                             (2)

so "very" makes more of it, "a little" less, and two styles add up. Floats only.
"""

import math
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from anthropi.errors import InputError, did_you_mean

__all__ = ["NUMBERS", "Number", "Style", "natural_value"]

RATIO, ANGLE, LENGTH = (0.05, 8.0), (-1.2, 1.2), (-0.2, 0.3)


class Number(NamedTuple):
    """unit : "ratio", "rad", "m" or "m/s". bounds : least and most. acts : what it changes, in words."""

    unit: str
    bounds: tuple[float, float]
    acts: str


NUMBERS = {
    "speed": Number("ratio", RATIO, "preferred speed, where nobody tells one"),
    "drive": Number("m/s", (-0.8, 0.8), "more speed aimed at, so that the one told is got"),
    "cadence": Number("ratio", (0.5, 2.0), "steps a second at the same speed; their length the other way"),
    "width": Number("m", LENGTH, "steps wider"),
    "lean": Number("rad", ANGLE, "trunk forward"),
    "nod": Number("rad", ANGLE, "head forward and down in the world, whatever the trunk does"),
    "sway": Number("rad", ANGLE, "trunk over the foot that stands"),
    "arms": Number("ratio", RATIO, "swing of the arms"),
    "arms_ahead": Number("rad", ANGLE, "upper arms forward"),
    "arms_out": Number("rad", ANGLE, "upper arms away from the body"),
    "elbow": Number("rad", (-1.2, 2.0), "elbows bent more"),
    "crouch": Number("rad", ANGLE, "knees bent more all the time, hips and ankles with them"),
    "bounce": Number("rad", ANGLE, "knees yield more when a foot is loaded, ankles push more when it leaves"),
    "knee_lift": Number("ratio", RATIO, "bending of the knee that swings"),
    "thigh_lift": Number("rad", ANGLE, "thigh that swings raised"),
    "toes": Number("rad", ANGLE, "toes up in swing and at the strike; below 0 down"),
    "push": Number("ratio", RATIO, "push of the ankle before a foot leaves"),
    "twist": Number("ratio", RATIO, "turn of pelvis and shoulders, one against the other"),
    "hips": Number("ratio", RATIO, "rise and fall of the pelvis' sides"),
    "stiffness": Number("ratio", (0.4, 2.5), "springs of hips, knees and ankles"),
    "limp": Number("ratio", (0.4, 2.5), "time on the left foot over time on the right"),
}


def natural_value(name: str) -> float:
    """What a number is in the natural gait: ratios 1, the rest 0."""
    return 1.0 if NUMBERS[name].unit == "ratio" else 0.0


@dataclass(frozen=True)
class Style:
    """How somebody walks, beside `natural`: the numbers of `NUMBERS`. name, why : in words; they do not count in ==."""

    name: str = field(default="natural", compare=False)
    why: str = field(default="", compare=False, repr=False)
    speed: float = 1.0
    drive: float = 0.0
    cadence: float = 1.0
    width: float = 0.0
    lean: float = 0.0
    nod: float = 0.0
    sway: float = 0.0
    arms: float = 1.0
    arms_ahead: float = 0.0
    arms_out: float = 0.0
    elbow: float = 0.0
    crouch: float = 0.0
    bounce: float = 0.0
    knee_lift: float = 1.0
    thigh_lift: float = 0.0
    toes: float = 0.0
    push: float = 1.0
    twist: float = 1.0
    hips: float = 1.0
    stiffness: float = 1.0
    limp: float = 1.0

    def __post_init__(self):
        for name, own in NUMBERS.items():
            value, (low, high) = getattr(self, name), own.bounds
            if isinstance(value, (bool, str)) or not _finite(value) or not low <= value <= high:
                raise InputError(
                    f"Style '{self.name}' has {name}={value!r}; give {low:g} to {high:g} [{own.unit}]: {own.acts}."
                )
            object.__setattr__(self, name, round(float(value), 9))  # 1.5 × 0.12 is 0.18

    @classmethod
    def of(cls, numbers: dict, name: str = "own") -> "Style":
        """A style of some numbers by their names, the rest natural."""
        unknown = [str(n) for n in numbers if n not in NUMBERS and n not in ("name", "why")]
        if unknown:
            raise InputError(f"A style has no number '{unknown[0]}'.{did_you_mean(unknown[0], NUMBERS)} It has: "
                             f"{', '.join(NUMBERS)}.")  # fmt: skip
        return cls(**({"name": name} | numbers))

    def numbers(self) -> dict[str, float]:
        """Those that are not natural."""
        own = {name: getattr(self, name) for name in NUMBERS}
        return {name: x for name, x in own.items() if x != natural_value(name)}

    def scaled(self, degree: float, name: str = "") -> "Style":
        """More or less of it (1)."""
        new = {n: x**degree if NUMBERS[n].unit == "ratio" else degree * x for n, x in self.numbers().items()}
        return replace(self, **new, name=name or f"{degree:g} {self.name}")  # type: ignore[arg-type]

    def __add__(self, other: "Style") -> "Style":
        """Both at once (2)."""
        if not isinstance(other, Style):
            return NotImplemented
        new = {}
        for name, own in NUMBERS.items():
            a, b = getattr(self, name), getattr(other, name)
            new[name] = a * b if own.unit == "ratio" else a + b
        told = [s.name for s in (self, other) if s.numbers()]
        return Style(name=" and ".join(told) or "natural", why="", **new)

    def mirrored(self) -> "Style":
        """The same on the other side: a limp goes over to the other leg."""
        return replace(self, limp=1.0 / self.limp)


def _finite(value) -> bool:
    try:
        return math.isfinite(value)
    except (TypeError, OverflowError):
        return False
