"""Measured numbers with limits and verdicts, and tables of them. Works on plain floats only."""

from math import isfinite
from typing import NamedTuple

__all__ = ["Line", "markdown", "text"]

HEADS = ("what", "measured", "limit", "")


class Line(NamedTuple):
    """A measured number.

    what : name. value : NaN if it could not be measured; this fails if there is a limit. low, high : limits, or
    None; a line without limits is only reported. note : further information.
    """

    what: str
    value: float
    unit: str = ""
    low: float | None = None
    high: float | None = None
    digits: int = 2
    note: str = ""

    @property
    def reported(self) -> bool:
        """Return whether the line has no limit."""
        return self.low is None and self.high is None

    @property
    def holds(self) -> bool:
        """Return whether the value is within its limits."""
        if self.reported:
            return True
        above = self.low is None or self.value >= self.low
        return isfinite(self.value) and above and (self.high is None or self.value <= self.high)

    @property
    def verdict(self) -> str:
        """Return the verdict: pass, FAIL, or empty."""
        return "" if self.reported else "pass" if self.holds else "FAIL"

    def words(self) -> tuple[str, ...]:
        """Return name, value, limits and verdict as text."""
        n, unit = self.digits, f" {self.unit}" if self.unit else ""
        measured = f"{self.value:.{n}f}{unit}" if isfinite(self.value) else "not measured"
        low, high = (None if x is None else f"{x:.{n}f}" for x in (self.low, self.high))
        limit = f"{low} to {high}" if low and high else f"≥ {low}" if low else f"≤ {high}" if high else ""
        return self.what, measured + (f" ({self.note})" if self.note else ""), limit, self.verdict


def text(title: str, lines) -> str:
    """Return a table for a terminal."""
    rows = [HEADS, *(line.words() for line in lines)]
    wide = [max(len(row[k]) for row in rows) for k in range(len(HEADS))]
    shown = ["  ".join(word.ljust(n) for word, n in zip(row, wide, strict=True)).rstrip() for row in rows]
    return "\n".join([f"{title}: {count(lines)}", *shown])


def markdown(title: str, lines) -> str:
    """Return a table in Markdown."""
    rows = [HEADS, ("---",) * len(HEADS), *(line.words() for line in lines)]
    return "\n".join([f"### {title}", "", *("| " + " | ".join(row) + " |" for row in rows), ""])


def count(lines) -> str:
    """Return how many lines hold, as text."""
    limited = [line for line in lines if not line.reported]
    return f"{sum(line.holds for line in limited)} of {len(limited)} hold"
