"""Styles of walking as sets of physical numbers, and the styles by name.

In the natural gait, ratios are 1 and angles and lengths are 0. For a number x with the natural value n, and a degree k:

    scaled     n + k (x - n);  ratios  x^k                                                                        (1)
    together   x + y;  ratios  x y                                                                                (2)

"very" increases a style, "a little" decreases it, and two styles add up.

Evidence for the styles (`SOURCES`):
  [1] Sad walkers lower their heads and move less, happy and angry ones more. Elbows are bent in anger and fear.
  [2] Sad and depressed walkers are slower, swing their arms less, bob less, sway more from side to side, and slump.
  [3] Happy walkers are fast, angry ones take long, heavy steps.
  [4] Fit elderly people take shorter steps, push off less and land on a flatter foot.
  [5] Limping walkers spend less time on the painful leg and lean the trunk over it in stance.
The sizes of the numbers were chosen so that a style is visible. "chosen" marks features without a source. All functions
work on plain floats only; they cannot be recorded on a tape.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from anthropi.errors import InputError, did_you_mean

__all__ = [
    "DEGREES",
    "NATURAL",
    "NUMBERS",
    "PACES",
    "SOURCES",
    "STYLES",
    "SYNONYMS",
    "Number",
    "Style",
    "natural_value",
    "style_of",
    "style_words",
]


RATIO, ANGLE, LENGTH = (0.05, 8.0), (-1.2, 1.2), (-0.2, 0.3)  # bounds; [], [rad], [m]


class Number(NamedTuple):
    """A number of a style: unit ("ratio", "rad", "m" or "m/s"), bounds, and the text `acts` on what it changes."""

    unit: str
    bounds: tuple[float, float]
    acts: str


NUMBERS = {
    "speed": Number("ratio", RATIO, "preferred speed, if no speed is given"),
    "drive": Number("m/s", (-0.8, 0.8), "correction of the desired speed, so that the given speed is reached"),
    "cadence": Number("ratio", (0.5, 2.0), "steps per second at the same speed; the step length changes inversely"),
    "width": Number("m", LENGTH, "additional step width"),
    "lean": Number("rad", ANGLE, "forward lean of the trunk"),
    "nod": Number("rad", ANGLE, "forward and downward pitch of the head in the world, independent of the trunk"),
    "sway": Number("rad", ANGLE, "lean of the trunk over the stance foot"),
    "arms": Number("ratio", RATIO, "swing of the arms"),
    "arms_ahead": Number("rad", ANGLE, "upper arms forward"),
    "arms_out": Number("rad", ANGLE, "upper arms away from the body"),
    "elbow": Number("rad", (-1.2, 2.0), "additional flexion of the elbows"),
    "crouch": Number("rad", ANGLE, "additional flexion of the knees over the whole cycle, with hips and ankles"),
    "bounce": Number("rad", ANGLE, "knees yield more when a foot is loaded, ankles push more at push-off"),
    "knee_lift": Number("ratio", RATIO, "flexion of the swing knee"),
    "thigh_lift": Number("rad", ANGLE, "additional lift of the swing thigh"),
    "toes": Number("rad", ANGLE, "toes up in swing and at the strike; down if negative"),
    "push": Number("ratio", RATIO, "push-off of the ankle"),
    "twist": Number("ratio", RATIO, "rotation of pelvis and shoulders against each other"),
    "hips": Number("ratio", RATIO, "sideways tilt of the pelvis (obliquity)"),
    "stiffness": Number("ratio", (0.4, 2.5), "stiffness of hips, knees and ankles"),
    "limp": Number("ratio", (0.4, 2.5), "time on the left foot over time on the right"),
}


def natural_value(name: str) -> float:
    """Value of a number of a style in the natural gait: 1 for ratios, else 0."""
    return 1.0 if NUMBERS[name].unit == "ratio" else 0.0


@dataclass(frozen=True)
class Style:
    """A style of walking, given by the numbers of `NUMBERS`. The texts name and why are ignored by ==."""

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

    def __post_init__(self) -> None:
        for name, own in NUMBERS.items():
            value, (low, high) = getattr(self, name), own.bounds
            if isinstance(value, (bool, str)) or not _finite(value) or not low <= value <= high:
                raise InputError(
                    f"Style '{self.name}' has {name}={value!r} ({own.acts}). Give {low:g} to {high:g} [{own.unit}]."
                )
            object.__setattr__(self, name, round(float(value), 9))  # so that 1.5 × 0.12 equals 0.18

    @classmethod
    def of(cls, numbers: dict[Any, Any], name: str = "own") -> "Style":
        """Make a style from numbers by name. Numbers that are not given have their natural values.

        Raises InputError for an unknown name.
        """
        unknown = [str(n) for n in numbers if n not in NUMBERS and n not in ("name", "why")]
        if unknown:
            hint = did_you_mean(unknown[0], NUMBERS)
            raise InputError(f"A style has no number '{unknown[0]}'.{hint} Choose from: {', '.join(NUMBERS)}.")
        return cls(**({"name": name} | numbers))

    def numbers(self) -> dict[str, float]:
        """Return the numbers that differ from their natural values, by name."""
        own = {name: getattr(self, name) for name in NUMBERS}
        return {name: x for name, x in own.items() if x != natural_value(name)}

    def scaled(self, degree: float, name: str = "") -> "Style":
        """Scale the style by a degree k (eq. 1)."""
        new = {n: x**degree if NUMBERS[n].unit == "ratio" else degree * x for n, x in self.numbers().items()}
        return replace(self, **new, name=name or f"{degree:g} {self.name}")  # type: ignore[arg-type]

    def __add__(self, other: "Style") -> "Style":
        """Combine two styles (eq. 2)."""
        if not isinstance(other, Style):
            return NotImplemented
        new = {}
        for name, own in NUMBERS.items():
            a, b = getattr(self, name), getattr(other, name)
            new[name] = a * b if own.unit == "ratio" else a + b
        names = [s.name for s in (self, other) if s.numbers()]
        return Style(name=" and ".join(names) or "natural", why="", **new)

    def mirrored(self) -> "Style":
        """Mirror the style: a limp moves to the other leg."""
        return replace(self, limp=1.0 / self.limp)


def _finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except (TypeError, OverflowError):
        return False


SOURCES = {
    1: "Roether, Omlor, Christensen, Giese, J. Vision 9(6) (2009) 15",
    2: "Michalak and others, Psychosom. Med. 71 (2009) 580",
    3: "Montepare, Goldstein, Clausen, J. Nonverbal Behav. 11 (1987) 33",
    4: "Winter, Patla, Frank, Walt, Phys. Ther. 70 (1990) 340",
    5: "antalgic gait, as described in textbooks of gait",
}
STYLES = {
    style.name: style
    for style in (
        Style("natural", "Relaxed walking: the walker's parameter set, unchanged."),
        Style("happily", "Larger movements, a quick pace [1][3]; head up and a bouncing step: chosen.",
              speed=1.1, drive=0.08, cadence=1.06, lean=-0.05, nod=-0.1, sway=0.07, arms=2.5, elbow=0.38, bounce=0.1,
              knee_lift=1.15, thigh_lift=0.12, push=1.15, twist=1.6, hips=1.2),
        Style("vigorously", "Long, heavy steps [3], bent elbows as in anger [1]; leaning forward: chosen.",
              speed=1.2, drive=-0.14, cadence=0.92, lean=0.2, arms=2.5, elbow=0.7, push=1.15, twist=1.4),
        Style("tired", "Like sad people: slow, head low, slumped, arms hang, more sway [1][2]; weak knees: chosen.",
              speed=0.75, drive=-0.08, lean=0.18, nod=0.4, sway=0.1, arms=0.3, elbow=-0.12, crouch=0.12, knee_lift=0.9,
              push=0.8, twist=0.75, hips=0.85, stiffness=0.93),
        Style("sneaking", "Chosen: low, bent forward, looking ahead, on the toes, legs lifted, arms ready.",
              speed=0.5, drive=-0.05, cadence=0.92, width=-0.04, lean=0.3, arms=0.45, arms_ahead=0.35, elbow=0.9,
              crouch=0.2, knee_lift=1.15, thigh_lift=0.15, toes=-0.1, twist=0.6),
        Style("marching", "Chosen: upright, thighs high, nearly straight arms that swing far, no twist.",
              speed=1.05, drive=0.1, lean=-0.04, nod=-0.04, arms=2.4, elbow=-0.06, knee_lift=1.1, thigh_lift=0.4,
              twist=0.6, stiffness=1.1),
        Style("limping", "Painful right leg: less time on it, trunk over it [5]; slow, wide, careful arms: chosen.",
              speed=0.7, drive=0.09, width=0.02, lean=0.04, arms=0.6, push=0.9, limp=1.28),
        Style("old", "Shorter steps, weak push-off, flatter foot [4]; stooped, bent, wider: chosen.",
              speed=0.8, drive=-0.35, cadence=1.05, width=0.03, lean=0.22, nod=0.32, arms=0.4, elbow=0.38, crouch=0.15,
              knee_lift=0.88, toes=-0.1, push=0.8, twist=0.7, hips=0.7),
    )
}  # fmt: skip
NATURAL = STYLES["natural"]

SYNONYMS = {
    "naturally": "natural", "normally": "natural", "normal": "natural", "happy": "happily", "cheerfully": "happily",
    "joyfully": "happily", "vigorous": "vigorously", "energetically": "vigorously", "tiredly": "tired",
    "wearily": "tired", "exhausted": "tired", "sneakily": "sneaking", "stealthily": "sneaking", "lame": "limping",
    "elderly": "old", "aged": "old",
}  # fmt: skip

DEGREES = {
    "little": 0.5,
    "bit": 0.5,
    "slightly": 0.5,
    "somewhat": 0.75,
    "rather": 1.25,
    "very": 1.5,
    "extremely": 2.0,
}  # degrees k of (1)
PACES = {"slowly": 0.65, "leisurely": 0.85, "briskly": 1.2, "fast": 1.3, "quickly": 1.3}  # × the preferred speed


def style_words() -> tuple[str, ...]:
    """Return all words that name a style, including synonyms."""
    return (*STYLES, *SYNONYMS)


def style_of(word: str) -> Style:
    """Find a style by its name, with optional degrees before it, such as "very tired" or "a little tired".

    Raises InputError for an unknown word. The message names it and the choices.
    """
    *degrees, last = str(word).lower().split() or [""]
    articles = [k for k, more in enumerate(degrees) if more == "a" and degrees[k + 1 : k + 2] in (["little"], ["bit"])]
    degrees = [more for k, more in enumerate(degrees) if k not in articles]
    found = SYNONYMS.get(last, last)
    if found not in STYLES:
        hint = did_you_mean(last, style_words())
        raise InputError(f"There is no style '{last}'.{hint} Choose one of: {', '.join(STYLES)}.")
    degree = 1.0
    for more in degrees:
        if more not in DEGREES:
            hint = did_you_mean(more, DEGREES)
            raise InputError(f"There is no degree '{more}'.{hint} Choose one of: {', '.join(DEGREES)}.")
        degree *= DEGREES[more]
    own = STYLES[found]
    return own if degree == 1.0 else own.scaled(degree, " ".join((*degrees, found)))
