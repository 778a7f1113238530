"""The words of scripts, but for styles: verbs, units, counts, sides. Another word for something is an entry here.

Tokens
------
How does text become words? By characters: numbers, words, and signs that stand alone. Floats only.

number  = [+ or -] digits [. digits] [e [+ or -] digits], ASCII digits only
word    = letters, with / or ° inside: m/s
sign    = any other character, alone; spaces, commas and full stops part words
#         begins a remark, to the end of its line; ; parts sentences, as the end of a line does
"""

import math
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple, NoReturn

from anthropi.errors import FormatError, did_you_mean

__all__ = [
    "COUNTS",
    "FILLERS",
    "GOING_ON",
    "LINES",
    "RAMPS",
    "SIDES",
    "SPEEDS",
    "UNITS",
    "VERBS",
    "VERB_MEANS",
    "Token",
    "refuse",
    "sentences",
    "shown",
]


VERBS = {  # word: what it asks for, and in which style
    "stand": ("stand", ""), "stay": ("stand", ""), "wait": ("stand", ""), "pause": ("stand", ""),
    "stop": ("stop", ""), "halt": ("stop", ""), "walk": ("walk", ""), "start": ("walk", ""),
    "march": ("walk", "marching"), "sneak": ("walk", "sneaking"), "limp": ("walk", "limping"),
    "run": ("run", ""), "jog": ("run", ""),
    "jump": ("jump", ""), "hop": ("jump", ""), "turn": ("turn", ""), "face": ("turn", ""), "go": ("go to", ""),
    "goto": ("go to", ""),
}  # fmt: skip
UNITS = {  # word: kind, size in SI
    "s": ("time", 1.0), "sec": ("time", 1.0), "second": ("time", 1.0), "seconds": ("time", 1.0),
    "ms": ("time", 1e-3), "min": ("time", 60.0), "minute": ("time", 60.0), "minutes": ("time", 60.0),
    "m/s": ("speed", 1.0), "km/h": ("speed", 1.0 / 3.6), "kmh": ("speed", 1.0 / 3.6), "mph": ("speed", 0.44704),
    "degrees": ("angle", math.pi / 180.0), "degree": ("angle", math.pi / 180.0), "deg": ("angle", math.pi / 180.0),
    "°": ("angle", math.pi / 180.0), "rad": ("angle", 1.0), "radians": ("angle", 1.0),
    "m": ("length", 1.0), "metres": ("length", 1.0), "meters": ("length", 1.0), "metre": ("length", 1.0),
    "meter": ("length", 1.0), "cm": ("length", 0.01), "steps": ("steps", 1.0), "step": ("steps", 1.0),
}  # fmt: skip
COUNTS = {"one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0, "eight": 8.0,
          "nine": 9.0, "ten": 10.0, "twelve": 12.0, "twenty": 20.0}  # fmt: skip
SIDES = {"left": 1.0, "right": -1.0}
FILLERS = frozenset(("a", "an", "and", "the", "please", "now", "while", "walking"))
RAMPS, SPEEDS = ("in", "over", "within"), ("at", "with")
GOING_ON = {"faster": 1.25, "slower": 0.8}  # of the speed now

VERB_MEANS = {
    "stand": "stands still where it is",
    "stop": "ends walking within two steps, then stands",
    "walk": "walks; goes on as it did where nothing else is told",
    "run": "runs, with a flight phase",
    "jump": "jumps once, in place or forward, lands and stands",
    "turn": "turns its heading while it walks on; from standing it steps on the spot",
    "go to": "walks to a point (x, y) of the world and stands there",
}


LINES, WIDEST = 10_000, 500  # lines of a script, characters of a line
DIGITS = frozenset("0123456789")
PARTING = frozenset(" \t\r\f\v,\u00a0\ufeff")


class Token(NamedTuple):
    """text : the word, in small letters. number : its value, or None. line : from 1. sentence : all of the line."""

    text: str
    number: float | None
    line: int
    sentence: str


def sentences(script: str | Iterable[str], first: int = 1) -> Iterator[tuple[Token, ...]]:
    """Each sentence's tokens, sentences without words left out. script : text, or its lines."""
    if isinstance(script, str):
        if len(script) > LINES * WIDEST:
            raise FormatError(f"A script of {len(script):,} characters: give at most {LINES * WIDEST:,}.")
        script = script.split("\n")
    for i, line in enumerate(islice(script, LINES + 1)):
        if i == LINES:
            raise FormatError(f"Line {LINES + 1}: a script has at most {LINES:,} lines. Part it in two.")
        if len(line) > WIDEST:
            raise FormatError(
                f"Line {first + i} has {len(line):,} characters: give at most {WIDEST}. It begins '{shown(line)}'."
            )
        told: list[Token] = []
        for token in _tokens(line.partition("#")[0], first + i):
            if token.text in (";", "then"):
                if told:
                    yield tuple(told)
                told = []
            else:
                told.append(token)
        if told:
            yield tuple(told)


def shown(text: str, most: int = 60) -> str:
    """Text as an error may show it: short, ASCII but for letters."""
    short = text.strip() if len(text.strip()) <= most else text.strip()[:most] + "…"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in short)


def refuse(token: Token, why: str, choices: Iterable[str] = ()) -> NoReturn:
    """Raise, naming line and word."""
    every = tuple(choices)
    guess = did_you_mean(token.text, every)
    listed = f" Choose from: {', '.join(every)}." if every else ""
    raise FormatError(
        f"Line {token.line}, word '{shown(token.text, 30)}' of '{shown(token.sentence)}': {why}{guess}{listed}"
    )


def _tokens(line: str, number: int) -> Iterator[Token]:
    i, text = 0, line.lower()
    while i < len(text):
        c = text[i]
        if c in PARTING or (c == "." and not _digit(text, i + 1)):
            i += 1
            continue
        end = _number_end(text, i)
        if end > i:
            value = float(text[i:end])
            token = Token(text[i:end], value, number, line)
            if not math.isfinite(value):
                refuse(token, "too large a number.")
            yield token
        else:
            end = i + 1
            while c.isalpha() and end < len(text) and (text[end].isalpha() or text[end] in "/°"):
                end += 1
            yield Token(text[i:end], None, number, line)
        i = end


def _digit(text: str, i: int) -> bool:
    return i < len(text) and text[i] in DIGITS


def _digits(text: str, i: int) -> int:
    while _digit(text, i):
        i += 1
    return i


def _number_end(text: str, start: int) -> int:
    """Where a number that begins here ends; `start` if none does."""
    i = start + (text[start] in "+-")
    whole = _digits(text, i)
    end = _digits(text, whole + 1) if whole < len(text) and text[whole] == "." else whole
    if whole == i and end <= whole + 1:
        return start  # no digit at all
    if end < len(text) and text[end] == "e":
        power = end + 1 + (end + 1 < len(text) and text[end + 1] in "+-")
        if _digit(text, power):
            return _digits(text, power)
    return end
