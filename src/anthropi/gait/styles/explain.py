"""Explanations of words: the numbers that a style, a verb, a degree or a whole script sets, as text."""

import math
from collections.abc import Iterable
from typing import Any

from anthropi.gait.styles.defaults import ACCELERATION, DURATIONS, PREFERRED, TAKES, TURN_RATE
from anthropi.gait.styles.plan import SPEED_RANGES, Order, Plan
from anthropi.gait.styles.script import plan
from anthropi.gait.styles.style import (
    DEGREES,
    NATURAL,
    NUMBERS,
    PACES,
    SOURCES,
    STYLES,
    SYNONYMS,
    Style,
    natural_value,
    style_of,
)
from anthropi.gait.styles.tokens import GOING_ON, UNITS, VERB_MEANS, VERBS

__all__ = ["explain"]

ALL = ("", "words", "all", "help")


def explain(script: Any) -> str:
    """Explain, as text, the numbers that words set.

    script : a style ("very tired"), a verb or another word, a script or a `Plan`; "words" lists the vocabulary.
    """
    if isinstance(script, Style):
        return _style(script)
    if isinstance(script, str):
        words = script.lower().split()
        if " ".join(words) in ALL:
            return _all()
        if words[-1] in (*STYLES, *SYNONYMS) and all(w in DEGREES for w in words[:-1]):
            return _style(style_of(" ".join(words)))
        found = _word(words[0]) if len(words) == 1 else "\n".join(_verb("go to") if words == ["go", "to"] else [])
        if found:
            return found
    own = script if isinstance(script, Plan) else plan([script] if isinstance(script, Order) else script)
    styles = {o.style.name: o.style for o in own if o.style != NATURAL}
    return "\n\n".join([own.table(), *(_style(s) for s in styles.values())])


def _style(style: Style) -> str:
    """Explain the numbers of a style."""
    own = style.numbers()
    lines = [f"{style.name}: {style.why or 'style given by numbers.'}"]
    lines += [f"  {n:<12}{x:>7.3g} {_unit(n):<6}{_beside(n):<14}{NUMBERS[n].acts}" for n, x in own.items()]
    lines += [] if own else ["  all numbers are those of the walker's parameter set"]
    lines += [f"  [{i}] {source}" for i, source in SOURCES.items() if f"[{i}]" in style.why]
    return "\n".join(lines)


def _unit(name: str) -> str:
    """Unit of one number of a style, as text."""
    return "×" if NUMBERS[name].unit == "ratio" else NUMBERS[name].unit


def _beside(name: str) -> str:
    """Natural value of one number of a style, as text."""
    return f"(natural {natural_value(name):g})"


def _word(word: str) -> str:
    """Explain a verb, a degree, a pace or a unit. Returns an empty text for other words."""
    if word in VERBS:
        verb, style = VERBS[word]
        lines = _verb(verb)
        return "\n".join([*lines, _style(STYLES[style])] if style else lines)
    if word in DEGREES:
        k = DEGREES[word]
        return f"{word}: {k:g} × the difference from natural; ratios to the power {k:g}. {word} tired: {_sample(k)}"
    if word in PACES:
        return f"{word}: {PACES[word]:g} × the preferred speed; walking {PACES[word] * PREFERRED['walk']:.3g} m/s"
    if word in GOING_ON:
        return f"{word}: {GOING_ON[word]:g} × the current speed"
    if word in UNITS:
        kind, size = UNITS[word]
        return f"{word}: a unit of {kind}, {size:.6g} in SI units"
    return ""


def _sample(k: float) -> str:
    """Effect of a degree k on one number, as an example text."""
    return f"nod {STYLES['tired'].nod:g} becomes {k * STYLES['tired'].nod:.3g} rad"


def _verb(verb: str) -> list[str]:
    """Explain a verb: gait, speed, duration and what it accepts."""
    same = [word for word, (own, style) in VERBS.items() if own == verb and not style and word not in (verb, "go")]
    lines = [f"{verb}: {VERB_MEANS[verb]}"]
    if same:
        lines.append(f"  {'also':<12}{', '.join(same)}")
    gait = "stand" if verb == "stop" else "walk" if verb == "turn" else verb
    low, high = SPEED_RANGES[gait]
    lines.append(f"  {'gait':<12}{gait if verb != 'turn' else 'as before'}")
    usual = f", {PREFERRED[verb]:g} if none is given" if verb in PREFERRED else ""
    lines.append(f"  {'speed':<12}{low:g} to {high:g} m/s{usual}" if high else f"  {'speed':<12}0 m/s")
    if verb == "turn":
        rate = math.degrees(TURN_RATE)
        lines.append(
            f"  {'heading':<12}by the angle, 90 degrees if none is given, {rate:g} degrees/s if no time is given"
        )
    if verb in DURATIONS:
        lines.append(f"  {'duration':<12}{DURATIONS[verb]:g} s if none is given")
    if verb in ("walk", "run"):
        lines.append(f"  {'over':<12}speed changes by {ACCELERATION:g} m/s² if no time is given")
    accepted = ", ".join(n.replace("_", " ") for n in TAKES[verb] if n != "heading")
    lines.append(f"  {'accepts':<12}style, time, {accepted}")
    return lines


def _all() -> str:
    """List the whole vocabulary, as text."""
    parts = ("at speed", "to speed", "to (x, y)", "for time", "in time", "left", "right", "around", "forward")
    rows: dict[str, Iterable[str]] = {
        "verbs": VERBS,
        "styles": STYLES,
        "also": SYNONYMS,
        "degrees": DEGREES,
        "paces": (*PACES, *GOING_ON),
        "parts": parts,
        "units": UNITS,
    }
    return "\n".join(f"{name:<9}{', '.join(words)}" for name, words in rows.items())
