"""How does a script become a plan? Words, dicts and orders become wishes first; the same wishes give the same plan.

`grammar.py` reads sentences, `filling.py` fills in what a wish leaves open. Floats only.
"""

import math
from collections.abc import Iterable
from dataclasses import fields
from itertools import islice
from pathlib import Path

from anthropi.errors import AnthropiError, FileError, FormatError, did_you_mean
from anthropi.gait.words.filling import Now, filled
from anthropi.gait.words.grammar import Wish, sentence
from anthropi.gait.words.orders import GAITS, Order, Plan
from anthropi.gait.words.style import Style
from anthropi.gait.words.styles import style_of
from anthropi.gait.words.tokens import LINES, Token, refuse, sentences, shown

__all__ = ["plan", "read_script"]

LARGEST = 1 << 20  # bytes of a file
KEYS = (*(f.name for f in fields(Order)), "turn")


def plan(script, start: Now | None = None) -> Plan:
    """A plan of a script: text, or a list of lines, dicts of `Order`'s fields (and "turn" [rad]) and orders, mixed.

    start : how a figure moves already, if it does: Now(gait="walk", speed=1.2, told=True, heading=0.5).
    """
    wishes = list(_wishes(script))
    if wishes and wishes[0].time:
        wishes.insert(0, Wish(verb="stand", where=wishes[0].where))
    now, made = start or Now(), []
    for i, wish in enumerate(wishes):
        later = wishes[i + 1].time if i + 1 < len(wishes) else None
        try:
            now, orders = filled(now, wish, later)
        except AnthropiError as error:
            _refuse(wish, str(error))
        made += orders
    if not made:
        raise FormatError("The script has no sentence. Begin with: stand 2 s.")
    return Plan(made)


def read_script(path) -> Plan:
    """The plan of a text file (.txt), a sentence a line; # begins a remark."""
    file = Path(path)
    if file.suffix.lower() != ".txt":
        raise FileError(f"{file}: a script is a text file whose name ends in .txt.")
    try:
        if not file.is_file():
            raise FileError(f"No file {file}. Give a text file, a sentence a line.")
        if file.stat().st_size > LARGEST:
            raise FormatError(f"{file} has {file.stat().st_size:,} bytes: a script has at most {LARGEST:,}.")
        return plan(file.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FormatError(f"{file} is no UTF-8 text: byte {error.start}.") from None
    except OSError as error:
        raise FileError(f"{file} cannot be read: {error.strerror}.") from None
    except FormatError as error:
        raise error if str(file) in str(error) else FormatError(f"{file}: {error}") from None


# wishes


def _wishes(script) -> Iterable[Wish]:
    if isinstance(script, (str, dict, Order)):
        script = [script]
    if not isinstance(script, Iterable):
        raise FormatError(f"A script of {type(script).__name__}. Give text, or a list of lines, dicts and orders.")
    for i, item in enumerate(islice(script, LINES + 1)):
        if i == LINES:
            raise FormatError(f"Line {LINES + 1}: a script has at most {LINES:,} lines. Part it in two.")
        if isinstance(item, str):
            yield from (sentence(tokens) for tokens in sentences(item, i + 1))
        elif isinstance(item, Order):
            told = {f.name: getattr(item, f.name) for f in fields(Order)}
            yield Wish(verb=told.pop("gait"), where=f"Line {i + 1}, {shown(repr(item))}", **told)
        elif isinstance(item, dict):
            yield _wish_of(item, f"Line {i + 1}, {shown(repr(item))}")
        else:
            raise FormatError(f"Line {i + 1} is {shown(repr(item))}. Give text, a dict or an Order.")


def _wish_of(item: dict, where: str) -> Wish:
    told = dict(item)
    unknown = [str(name) for name in told if name not in KEYS]
    if unknown:
        guess = did_you_mean(unknown[0], KEYS)
        raise FormatError(f"{where}: an order has no '{shown(unknown[0], 30)}'.{guess} It has: {', '.join(KEYS)}.")
    for name in ("time", "speed", "heading", "turn", "duration", "over"):
        x = told.get(name)
        if x is not None and (isinstance(x, (bool, str, bytes)) or not _finite(x)):
            raise FormatError(f"{where}: '{name}' is {shown(repr(x), 30)}; give a finite number.")
    verb, style = told.pop("gait", None), told.pop("style", None)
    if verb is not None and verb not in (*GAITS, "stop"):
        raise FormatError(
            f"{where}: no gait {verb!r}.{did_you_mean(str(verb), GAITS)} Gaits: {', '.join(GAITS)}, stop."
        )
    try:
        own = Style.of(style) if isinstance(style, dict) else style_of(style) if isinstance(style, str) else style
    except AnthropiError as error:
        raise FormatError(f"{where}: {error}") from None
    if own is not None and not isinstance(own, Style):
        raise FormatError(f"{where}: 'style' is {shown(repr(own), 30)}; give a word, a dict of numbers or a Style.")
    return Wish(verb=verb, style=own, where=where, **told)


def _finite(x) -> bool:
    try:
        return math.isfinite(x)
    except (TypeError, OverflowError):
        return False


def _refuse(wish: Wish, why: str):
    if isinstance(wish.where, Token):
        refuse(wish.where, why)
    raise FormatError(f"{wish.where}: {why}")
