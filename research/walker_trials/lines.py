"""A number, its limits, and whether it keeps them; tables of such lines for people. Floats only."""

from math import isfinite
from typing import NamedTuple

__all__ = ["Line", "markdown", "text"]

HEADS = ("what", "measured", "wanted", "")


class Line(NamedTuple):
    """what : in words. value : NaN where it could not be measured, which fails where there is a limit.

    low, high : limits, None where there is none; a line without any is told only. note : what else is known.
    """

    what: str
    value: float
    unit: str = ""
    low: float | None = None
    high: float | None = None
    digits: int = 2
    note: str = ""

    @property
    def told(self) -> bool:
        """Whether it is told only."""
        return self.low is None and self.high is None

    @property
    def holds(self) -> bool:
        """Whether it keeps its limits."""
        if self.told:
            return True
        above = self.low is None or self.value >= self.low
        return isfinite(self.value) and above and (self.high is None or self.value <= self.high)

    @property
    def verdict(self) -> str:
        """pass, FAIL, or nothing."""
        return "" if self.told else "pass" if self.holds else "FAIL"

    def words(self) -> tuple[str, ...]:
        """What, measured, wanted, verdict."""
        n, unit = self.digits, f" {self.unit}" if self.unit else ""
        measured = f"{self.value:.{n}f}{unit}" if isfinite(self.value) else "not measured"
        low, high = (None if x is None else f"{x:.{n}f}" for x in (self.low, self.high))
        wanted = f"{low} to {high}" if low and high else f"≥ {low}" if low else f"≤ {high}" if high else ""
        return self.what, measured + (f" ({self.note})" if self.note else ""), wanted, self.verdict


def text(title: str, lines) -> str:
    """A table for a terminal."""
    rows = [HEADS, *(line.words() for line in lines)]
    wide = [max(len(row[k]) for row in rows) for k in range(len(HEADS))]
    shown = ["  ".join(word.ljust(n) for word, n in zip(row, wide, strict=True)).rstrip() for row in rows]
    return "\n".join([f"{title}: {count(lines)}", *shown])


def markdown(title: str, lines) -> str:
    """The same for a page."""
    rows = [HEADS, ("---",) * len(HEADS), *(line.words() for line in lines)]
    return "\n".join([f"### {title}", "", *("| " + " | ".join(row) + " |" for row in rows), ""])


def count(lines) -> str:
    """How many hold."""
    asked = [line for line in lines if not line.told]
    return f"{sum(line.holds for line in asked)} of {len(asked)} hold"
