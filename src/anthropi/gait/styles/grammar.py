"""Grammar of a sentence. Each word has one meaning, independent of its position.

    sentence  = [verb] part …                     without a verb the current gait continues
    verb      = stand | walk | run | jump | stop | turn | go, or a synonym
    part      = at speed | to speed | to angle | to (x, y) | for time | in time | quantity | side | style | pace
    quantity  = number unit                       time, speed, angle, length or steps, according to its unit
    style     = [degree …] word [on the side leg]

A number without a unit is in m/s after "at", in s after "for" and "in", and in degrees in a turn. All functions work on
plain floats only; they cannot be recorded on a tape.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from anthropi.errors import InputError
from anthropi.gait.styles.style import DEGREES, NATURAL, PACES, STYLES, Style, style_of, style_words
from anthropi.gait.styles.tokens import COUNTS, FILLERS, GOING_ON, RAMPS, SIDES, SPEEDS, UNITS, VERBS, Token, refuse

__all__ = ["Request", "sentence"]


@dataclass(frozen=True)
class Request:
    """Content of one sentence or dict, in SI units. Fields that are not given are None.

    Attributes
    ----------
    verb : a verb of `VERBS`.
    style : style of the gait.
    goal : point (x, y) to walk to [m].
    speed : [m/s].
    pace : factor of the preferred speed.
    more : factor of the current speed.
    turn : angle to the left [rad].
    face : direction in the world [rad], reached by the shorter turn.
    heading : heading in the world [rad], not wrapped.
    over, over_steps : duration of a change [s], or its number of steps.
    duration, length, steps : duration [s], distance [m] or number of steps.
    forward : whether a jump goes forward.
    time : start time [s], given only by a dict.
    where : source of the request, for messages.
    """

    verb: str | None = None
    speed: float | None = None
    pace: float | None = None
    more: float | None = None
    turn: float | None = None
    face: float | None = None
    heading: float | None = None
    style: Style | None = None
    goal: tuple[float, float] | None = None
    duration: float | None = None
    over: float | None = None
    length: float | None = None
    steps: float | None = None
    over_steps: float | None = None
    forward: bool = False
    time: float | None = None
    where: Any = field(default=None, compare=False)


def sentence(tokens: tuple[Token, ...]) -> Request:
    """Read one sentence, given as tokens, and return its request."""
    return _Sentence(tokens).read()


class _Sentence:
    """Reader of the tokens of a sentence, from left to right. `found` contains the fields of the request."""

    def __init__(self, tokens: tuple[Token, ...]):
        self.tokens, self.i = tokens, 0
        self.found: dict[str, Any] = {"where": tokens[0]}
        self.angle: float | None = None
        self.side: float | None = None

    def read(self) -> Request:
        """Read all tokens and return the request."""
        self._skip()
        if not self._more():
            refuse(self.tokens[0], "a sentence needs a verb, a style or a quantity.", VERBS)
        verb = self.tokens[self.i]
        if verb.text in VERBS:
            self.i += 1
            self.found["where"] = verb
            self.found["verb"], style = VERBS[verb.text]
            if style:
                self.found["style"] = STYLES[style]
        while self._skip():
            self._part(verb)
        return self._turned(verb)

    # Position in the sentence

    def _more(self) -> bool:
        """Return whether tokens are left."""
        return self.i < len(self.tokens)

    def _skip(self) -> bool:
        """Skip filler words, and return whether tokens are left."""
        while self._more() and self.tokens[self.i].text in FILLERS:
            self.i += 1
        return self._more()

    def _take(self, after: Token, wanted: str) -> Token:
        """Return the next token.

        Raises FormatError if there is none. The message says what should follow.
        """
        if not self._more():
            refuse(after, f"the sentence ends; {wanted} should follow.")
        self.i += 1
        return self.tokens[self.i - 1]

    def _set(self, token: Token, name: str, value: Any) -> None:
        """Set a field of the request, which must not have been set before."""
        if self.found.get(name) is not None:
            refuse(token, f"the sentence gives its {name.replace('_', ' ')} twice. Give it once.")
        self.found[name] = value

    # Parts of the sentence

    def _part(self, verb: Token) -> None:
        """Read one part of the sentence."""
        token = self._take(verb, "")
        text = token.text
        if text in SPEEDS:
            self._quantity(token, ("speed",))
        elif text == "for":
            self._quantity(token, ("time", "steps", "length"))
        elif text in RAMPS:
            self._quantity(token, ("time", "steps"), ramp=True)
        elif text == "to":
            self._towards(token)
        elif token.number is not None or text in COUNTS:
            self.i -= 1
            self._quantity(token, ("time", "speed", "angle", "length", "steps"))
        elif text in SIDES:
            self._to_side(token, SIDES[text])
        elif text == "around":
            self._to_side(token, 1.0)
            self.angle = math.pi if self.angle is None else self.angle
        elif text in ("forward", "ahead"):
            self.found["forward"] = True
        elif text in PACES:
            self._set(token, "pace", PACES[text])
        elif text in GOING_ON:
            self._set(token, "more", GOING_ON[text])
        elif text in DEGREES or text in style_words():
            self._style(token)
        elif text == "(":
            self._point(token)
        else:
            self._unknown(token)

    def _unknown(self, token: Token) -> NoReturn:
        """Raise FormatError for a word that cannot begin a part."""
        if token.text in VERBS:
            refuse(token, "this is a second verb. Begin another line, or separate sentences by ; or 'then'.")
        if token.text in UNITS:
            refuse(token, "this unit has no number before it.")
        words = (
            *VERBS,
            *STYLES,
            *DEGREES,
            *PACES,
            *GOING_ON,
            *SIDES,
            *SPEEDS,
            "for",
            *RAMPS,
            "to",
            "forward",
            "around",
        )
        refuse(token, "this word is not known.", words)

    def _number(self, after: Token) -> float:
        """Read a number, or a word for a number such as "two"."""
        token = self._take(after, "a number")
        if token.number is None and token.text not in COUNTS:
            refuse(token, f"a number should follow '{after.text}'.")
        return COUNTS[token.text] if token.number is None else token.number

    def _quantity(self, token: Token, kinds: tuple[str, ...], ramp: bool = False) -> None:
        """Read a number and its unit, which must be of one of the given kinds. Without a unit, use the first kind."""
        at, value = self.i, self._number(token)
        quantity = self.tokens[at]
        unit = self.tokens[self.i] if self._more() else None
        if unit is not None and unit.text in UNITS:
            self.i += 1
            kind, size = UNITS[unit.text]
            if kind not in kinds:
                choices = [name for name, (own, _) in UNITS.items() if own in kinds]
                refuse(unit, f"'{token.text}' needs a unit of {' or '.join(kinds)} here, not of {kind}.", choices)
            value *= size
        elif len(kinds) == 5:
            if self.found.get("verb") != "turn":
                known = unit is None or unit.text in (*FILLERS, *SPEEDS, *RAMPS, "for", "to", *SIDES, *style_words())
                culprit = quantity if known else unit
                refuse(culprit, "a unit should follow the number.", UNITS)  # type: ignore[arg-type]
            kind, value = "angle", math.radians(value)
        else:
            kind = kinds[0]
        self._keep(quantity, kind, value, ramp)

    def _keep(self, token: Token, kind: str, value: float, ramp: bool) -> None:
        """Store a quantity in the field of its kind."""
        if value < 0.0 or (value == 0.0 and kind != "speed" and kind != "angle"):
            least = "0 or more" if kind in ("speed", "angle") else "more than 0"
            hint = " Say 'left' or 'right' for the direction." if kind == "angle" else ""
            refuse(token, f"{kind} must be {least}.{hint}")
        if kind == "angle":
            if self.angle is not None:
                refuse(token, "the sentence gives its angle twice. Give it once.")
            self.angle = value
            return
        ramped = {"time": "over", "steps": "over_steps"}
        plain = {"time": "duration", "speed": "speed", "length": "length", "steps": "steps"}
        self._set(token, (ramped if ramp else plain)[kind], value)

    def _towards(self, token: Token) -> None:
        """Read "to speed", "to angle", "to (x, y)" or "to the left"."""
        self._skip()
        following = self._take(token, "a speed, an angle or a point (x, y)")
        if following.text in SIDES:
            self._to_side(following, SIDES[following.text])
        elif following.text == "(":
            self._point(following)
        elif self.found.get("verb") == "turn":
            value = self._number_here(following)
            unit = self.tokens[self.i] if self._more() else None
            size = math.pi / 180.0
            if unit is not None and unit.text in UNITS:
                self.i += 1
                kind, size = UNITS[unit.text]
                if kind != "angle":
                    refuse(
                        unit, f"'turn to' needs an angle, not {kind}.", [n for n, u in UNITS.items() if u[0] == "angle"]
                    )
            self._set(following, "face", value * size)
        else:
            self.i -= 1
            self._quantity(token, ("speed",))

    def _number_here(self, token: Token) -> float:
        """Read a number whose token has already been taken."""
        self.i -= 1
        return self._number(token)

    def _point(self, token: Token) -> None:
        """Read the rest of a point (x, y), after the opening parenthesis."""
        x, y = self._number(token), self._number(token)
        closing = self._take(token, "')'")
        if closing.text != ")":
            refuse(closing, "')' should close the point: (10, 2).")
        self._set(token, "goal", (x, y))

    def _to_side(self, token: Token, side: float) -> None:
        """Set the side of a turn, which must not have been set before."""
        if self.side is not None:
            refuse(token, "the sentence gives its side twice. Give it once.")
        self.side = side

    def _style(self, token: Token) -> None:
        """Read a style or a pace, after words of degree such as "very"."""
        words = [token.text]
        while words[-1] in DEGREES:
            words.append(self._take(token, "a style").text)
        last = self.tokens[self.i - 1]
        if last.text in PACES and "pace" not in self.found:
            degree = math.prod(DEGREES[w] for w in words[:-1])
            self._set(last, "pace", PACES[last.text] ** degree)
            return
        if last.text not in style_words():
            refuse(last, "this style is not known.", (*STYLES, *PACES))
        own = self._made(last, lambda: style_of(" ".join(words)))
        if self._more() and self.tokens[self.i].text == "on":
            own = self._on_side(own)
        before = self.found.get("style")
        self.found["style"] = own if before is None or before == NATURAL else self._made(last, lambda: before + own)

    def _made(self, token: Token, make: Callable[[], Style]) -> Style:
        """Make a style.

        Raises FormatError if its numbers are out of range.
        """
        try:
            return make()
        except InputError as error:
            refuse(token, f"the degree is too large. {error}")

    def _on_side(self, own: Style) -> Style:
        """Read "on the left leg" after a style with a limp."""
        on = self._take(self.tokens[self.i], "")
        self._skip()
        side = self._take(on, "left or right")
        if side.text not in SIDES:
            refuse(side, "a side should follow.", SIDES)
        if self._more() and self.tokens[self.i].text in ("leg", "foot", "side"):
            self.i += 1
        if own.limp == 1.0:
            refuse(side, f"'{own.name}' is the same on both sides.")
        left = own.limp < 1.0  # less time on the left foot means that the left leg is painful
        name = f"{own.name} on the {side.text}"
        return replace(own if left == (side.text == "left") else own.mirrored(), name=name)

    def _turned(self, verb: Token) -> Request:
        """Combine angle and side into one turn, and make the request."""
        found = self.found
        if found.get("verb") == "turn" and found.get("face") is None:
            if self.angle is not None and self.side is None:
                refuse(verb, "the side of the turn is missing.", SIDES)
            if self.side is None:
                refuse(
                    verb, "the direction is missing. Say 'turn left', 'turn right 90 degrees' or 'turn to 90 degrees'."
                )
            self.angle = math.pi / 2.0 if self.angle is None else self.angle
        if self.angle is not None or self.side is not None:
            if self.angle is None or self.side is None or found.get("face") is not None:
                refuse(verb, "a turn needs an angle and a side: 'left 30 degrees'.")
            found["turn"] = self.angle * self.side
        return Request(**found)
