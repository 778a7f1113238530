"""Grammar of a sentence; each word has one meaning, independent of its position.

sentence  = [verb] part …                     without a verb the gait goes on
verb      = stand | walk | run | jump | stop | turn | go, or another word for one
part      = at speed | to speed | to angle | to (x, y) | for time | in time | quantity | side | style | pace
quantity  = number unit                       of time, speed, angle, length or steps: its unit says which
style     = [degree …] word [on the side leg]

A number without a unit is in m/s after "at", s after "for" and "in", degrees in a turn. Plain floats only.
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
    """Request of one sentence or dict; None where it says nothing. SI units.

    Attributes
    ----------
    verb : a verb of `VERBS`. style : of the gait. goal : (x, y) [m].
    speed : [m/s]. pace : factor of the preferred speed. more : factor of the current speed.
    turn : angle to the left [rad]. face : direction in the world, by the shorter turn [rad]. heading : [rad], not
        wrapped.
    over, over_steps : time of a change [s], or its number of steps.
    duration, length, steps : duration [s], or by a distance [m] or a number of steps.
    forward : whether a jump goes forward. time : start [s], of a dict.
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
    """Read the request of one sentence."""
    return _Sentence(tokens).read()


class _Sentence:
    """Reader of tokens from left to right; `found` holds the fields of the request."""

    def __init__(self, tokens: tuple[Token, ...]):
        self.tokens, self.i = tokens, 0
        self.found: dict[str, Any] = {"where": tokens[0]}
        self.angle: float | None = None
        self.side: float | None = None

    def read(self) -> Request:
        """Read all tokens."""
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

    # position

    def _more(self) -> bool:
        """Return whether tokens are left."""
        return self.i < len(self.tokens)

    def _skip(self) -> bool:
        """Skip filler words, and return whether tokens are left."""
        while self._more() and self.tokens[self.i].text in FILLERS:
            self.i += 1
        return self._more()

    def _take(self, after: Token, wanted: str) -> Token:
        """Take the next token; FormatError says what should follow."""
        if not self._more():
            refuse(after, f"the sentence ends; {wanted} should follow.")
        self.i += 1
        return self.tokens[self.i - 1]

    def _set(self, token: Token, name: str, value: Any) -> None:
        """Set a field of the request once."""
        if self.found.get(name) is not None:
            refuse(token, f"the sentence gives its {name.replace('_', ' ')} twice. Give it once.")
        self.found[name] = value

    # parts

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
        """Refuse a word that begins no part."""
        if token.text in VERBS:
            refuse(token, "a second verb. Begin another line, or separate sentences by ; or 'then'.")
        if token.text in UNITS:
            refuse(token, "a unit without a number before it.")
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
        refuse(token, "no such word.", words)

    def _number(self, after: Token) -> float:
        """Read a number or a count."""
        token = self._take(after, "a number")
        if token.number is None and token.text not in COUNTS:
            refuse(token, f"a number should follow '{after.text}'.")
        return COUNTS[token.text] if token.number is None else token.number

    def _quantity(self, token: Token, kinds: tuple[str, ...], ramp: bool = False) -> None:
        """Read a number and its unit, of one of some kinds; of the first kind if it has no unit."""
        at, value = self.i, self._number(token)
        quantity = self.tokens[at]
        unit = self.tokens[self.i] if self._more() else None
        if unit is not None and unit.text in UNITS:
            self.i += 1
            kind, size = UNITS[unit.text]
            if kind not in kinds:
                choices = [name for name, (own, _) in UNITS.items() if own in kinds]
                refuse(unit, f"'{token.text}' wants {' or '.join(kinds)} here, not {kind}.", choices)
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
        """Keep a quantity of a kind in its field."""
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
                        unit, f"'turn to' wants an angle, not {kind}.", [n for n, u in UNITS.items() if u[0] == "angle"]
                    )
            self._set(following, "face", value * size)
        else:
            self.i -= 1
            self._quantity(token, ("speed",))

    def _number_here(self, token: Token) -> float:
        """Read a number whose token has been taken."""
        self.i -= 1
        return self._number(token)

    def _point(self, token: Token) -> None:
        """Read the rest of a point (x, y)."""
        x, y = self._number(token), self._number(token)
        closing = self._take(token, "')'")
        if closing.text != ")":
            refuse(closing, "')' should close the point: (10, 2).")
        self._set(token, "goal", (x, y))

    def _to_side(self, token: Token, side: float) -> None:
        """Set the side of a turn once."""
        if self.side is not None:
            refuse(token, "the sentence gives its side twice. Give it once.")
        self.side = side

    def _style(self, token: Token) -> None:
        """Read a style or a pace with its degrees."""
        words = [token.text]
        while words[-1] in DEGREES:
            words.append(self._take(token, "a style").text)
        last = self.tokens[self.i - 1]
        if last.text in PACES and "pace" not in self.found:
            degree = math.prod(DEGREES[w] for w in words[:-1])
            self._set(last, "pace", PACES[last.text] ** degree)
            return
        if last.text not in style_words():
            refuse(last, "no such style.", (*STYLES, *PACES))
        own = self._made(last, lambda: style_of(" ".join(words)))
        if self._more() and self.tokens[self.i].text == "on":
            own = self._on_side(own)
        before = self.found.get("style")
        self.found["style"] = own if before is None or before == NATURAL else self._made(last, lambda: before + own)

    def _made(self, token: Token, make: Callable[[], Style]) -> Style:
        """Make a style; FormatError if its numbers are out of range."""
        try:
            return make()
        except InputError as error:
            refuse(token, f"too much of it. {error}")

    def _on_side(self, own: Style) -> Style:
        """Read "on the left leg" after a style that limps."""
        on = self._take(self.tokens[self.i], "")
        self._skip()
        side = self._take(on, "left or right")
        if side.text not in SIDES:
            refuse(side, "which side?", SIDES)
        if self._more() and self.tokens[self.i].text in ("leg", "foot", "side"):
            self.i += 1
        if own.limp == 1.0:
            refuse(side, f"'{own.name}' is the same on both sides.")
        left = own.limp < 1.0  # less time on the left foot: the left leg hurts
        name = f"{own.name} on the {side.text}"
        return replace(own if left == (side.text == "left") else own.mirrored(), name=name)

    def _turned(self, verb: Token) -> Request:
        """Combine angle and side into one turn, and make the request."""
        found = self.found
        if found.get("verb") == "turn" and found.get("face") is None:
            if self.angle is not None and self.side is None:
                refuse(verb, "left or right?", SIDES)
            if self.side is None:
                refuse(verb, "turn where? Say 'turn left', 'turn right 180 degrees' or 'turn to 90 degrees'.")
            self.angle = math.pi / 2.0 if self.angle is None else self.angle
        if self.angle is not None or self.side is not None:
            if self.angle is None or self.side is None or found.get("face") is not None:
                refuse(verb, "a turn needs an angle and a side: 'left 30 degrees'.")
            found["turn"] = self.angle * self.side
        return Request(**found)
