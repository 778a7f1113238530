"""Tokens of scripts: the vocabulary apart from styles (verbs, units, counts, sides), and the splitting of text.

    number  = [+ or -] digits [. digits] [e [+ or -] digits], ASCII digits only
    word    = letters, with / or ° inside: m/s
    sign    = any other character, alone; spaces, commas and full stops separate words
    #         begins a comment, which ends with the line; ";", "then" and the end of a line separate sentences

Synonyms are entries of the tables in this module. All functions work on plain floats only; they cannot be recorded on a
tape.
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
    "MAX_LINES",
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


VERBS = {  # word: verb, style
    "stand": ("stand", ""), "stay": ("stand", ""), "wait": ("stand", ""), "pause": ("stand", ""),
    "stop": ("stop", ""), "halt": ("stop", ""), "walk": ("walk", ""), "start": ("walk", ""),
    "march": ("walk", "marching"), "sneak": ("walk", "sneaking"), "limp": ("walk", "limping"),
    "run": ("run", ""), "jog": ("run", ""),
    "jump": ("jump", ""), "hop": ("jump", ""), "turn": ("turn", ""), "face": ("turn", ""), "go": ("go to", ""),
    "goto": ("go to", ""),
}  # fmt: skip
UNITS = {  # word: kind of quantity, size in SI
    "s": ("time", 1.0), "sec": ("time", 1.0), "second": ("time", 1.0), "seconds": ("time", 1.0),
    "ms": ("time", 1e-3), "min": ("time", 60.0), "minute": ("time", 60.0), "minutes": ("time", 60.0),
    "m/s": ("speed", 1.0), "km/h": ("speed", 1.0 / 3.6), "kmh": ("speed", 1.0 / 3.6), "mph": ("speed", 0.44704),
    "degrees": ("angle", math.pi / 180.0), "degree": ("angle", math.pi / 180.0), "deg": ("angle", math.pi / 180.0),
    "°": ("angle", math.pi / 180.0), "rad": ("angle", 1.0), "radians": ("angle", 1.0),
    "m": ("length", 1.0), "metres": ("length", 1.0), "meters": ("length", 1.0), "metre": ("length", 1.0),
    "meter": ("length", 1.0), "cm": ("length", 0.01), "steps": ("steps", 1.0), "step": ("steps", 1.0),
}  # fmt: skip
COUNTS = {
    "one": 1.0,
    "two": 2.0,
    "three": 3.0,
    "four": 4.0,
    "five": 5.0,
    "six": 6.0,
    "seven": 7.0,
    "eight": 8.0,
    "nine": 9.0,
    "ten": 10.0,
    "twelve": 12.0,
    "twenty": 20.0,
}
SIDES = {"left": 1.0, "right": -1.0}
FILLERS = frozenset(("a", "an", "and", "the", "please", "now", "while", "walking"))
RAMPS, SPEEDS = ("in", "over", "within"), ("at", "with")
GOING_ON = {"faster": 1.25, "slower": 0.8}  # factors of the current speed

VERB_MEANS = {
    "stand": "stands still",
    "stop": "stops walking within two steps, then stands",
    "walk": "walks; what is not given stays as before",
    "run": "runs, with a flight phase",
    "jump": "jumps once, in place or forward, lands and stands",
    "turn": "changes its heading while walking; from standing it steps in place",
    "go to": "walks to a point (x, y) in the world and stands there",
}


MAX_LINES, MAX_LINE_LENGTH = 10_000, 500  # lines of a script, characters of a line
DIGITS = frozenset("0123456789")
SEPARATORS = frozenset(" \t\r\f\v,\u00a0\ufeff")


class Token(NamedTuple):
    """A word of a script: its text in lower case, its value if it is a number, its line number, and the whole line."""

    text: str
    number: float | None
    line: int
    sentence: str


def sentences(script: str | Iterable[str], first: int = 1) -> Iterator[tuple[Token, ...]]:
    """Yield the tokens of each sentence that is not empty.

    Parameters
    ----------
    script : text, or its lines.
    first : number of the first line, for messages.
    """
    if isinstance(script, str):
        if len(script) > MAX_LINES * MAX_LINE_LENGTH:
            most = MAX_LINES * MAX_LINE_LENGTH
            raise FormatError(f"The script has {len(script):,} characters. Give at most {most:,}.")
        script = script.split("\n")
    for i, line in enumerate(islice(script, MAX_LINES + 1)):
        if i == MAX_LINES:
            raise FormatError(f"Line {MAX_LINES + 1}: a script has at most {MAX_LINES:,} lines. Split it in two.")
        if len(line) > MAX_LINE_LENGTH:
            raise FormatError(
                f"Line {first + i} has {len(line):,} characters. Give at most {MAX_LINE_LENGTH}. "
                f"It begins '{shown(line)}'."
            )
        found: list[Token] = []
        for token in _tokens(line.partition("#")[0], first + i):
            if token.text in (";", "then"):
                if found:
                    yield tuple(found)
                found = []
            else:
                found.append(token)
        if found:
            yield tuple(found)


def shown(text: str, most: int = 60) -> str:
    """Prepare text for a message: at most `most` characters, without unprintable ones."""
    short = text.strip() if len(text.strip()) <= most else text.strip()[:most] + "…"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in short)


def refuse(token: Token, why: str, choices: Iterable[str] = ()) -> NoReturn:
    """Raise FormatError with the line, the word, the reason and the choices."""
    every = tuple(choices)
    guess = did_you_mean(token.text, every)
    listed = f" Choose from: {', '.join(every)}." if every else ""
    raise FormatError(
        f"Line {token.line}, word '{shown(token.text, 30)}' of '{shown(token.sentence)}': {why}{guess}{listed}"
    )


def _tokens(line: str, number: int) -> Iterator[Token]:
    """Yield the tokens of a line."""
    i, text = 0, line.lower()
    while i < len(text):
        c = text[i]
        if c in SEPARATORS or (c == "." and not _digit(text, i + 1)):
            i += 1
            continue
        end = _number_end(text, i)
        if end > i:
            value = float(text[i:end])
            token = Token(text[i:end], value, number, line)
            if not math.isfinite(value):
                refuse(token, "this number is too large.")
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
    """Index at which a number that begins at `start` ends. Returns `start` if no number begins there."""
    i = start + (text[start] in "+-")
    whole = _digits(text, i)
    end = _digits(text, whole + 1) if whole < len(text) and text[whole] == "." else whole
    if whole == i and end <= whole + 1:
        return start  # no digit
    if end < len(text) and text[end] == "e":
        power = end + 1 + (end + 1 < len(text) and text[end + 1] in "+-")
        if _digit(text, power):
            return _digits(text, power)
    return end
