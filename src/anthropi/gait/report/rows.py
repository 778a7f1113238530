"""What does a line of the report say?

A row is a quantity of a walk, by leg or of the whole body, beside what real adults score and the limit that
spec/gait.md 2.4 sets, if it sets one.
"""

from dataclasses import dataclass, field
from math import isfinite
from typing import NamedTuple

__all__ = ["MARKS", "Criterion", "Row"]

MARKS = "Adults: [V] read in a primary source, [C] computed from reference data, [M] from memory."


class Criterion(NamedTuple):
    """What to hold a quantity against.

    adults : what real adults score, in words, with the mark of its source. low, high : limits, None where there is
    none. gated : False where the limits are told but decide nothing.
    """

    adults: str = ""
    low: float | None = None
    high: float | None = None
    digits: int = 2
    gated: bool = True

    def shown(self, x: float) -> str:
        """A number in as many digits; a small one that they would hide, as it is."""
        return f"{x:g}" if 0.0 < abs(x) < 0.5 * 10.0**-self.digits else f"{x:.{self.digits}f}"

    @property
    def limits(self) -> str:
        """The limits in words."""
        low, high = (None if x is None else self.shown(x) for x in (self.low, self.high))
        if low is not None and high is not None:
            return f"{low} to {high}"
        return f"≥ {low}" if low is not None else f"≤ {high}" if high is not None else ""


@dataclass(frozen=True)
class Row:
    """One line.

    group, name, unit : what it is. values : {"l": …, "r": …}, or {"": …} of the body; empty if not measured.
    why : what has to be recorded to measure it.
    """

    group: str
    name: str
    unit: str
    values: dict[str, float]
    criterion: Criterion = field(default_factory=Criterion)
    why: str = ""

    @property
    def measured(self) -> bool:
        """Whether there is a number for it."""
        return bool(self.values) and all(isfinite(x) for x in self.values.values())

    @property
    def verdict(self) -> str:
        """pass, fail, reported only, or not measured and why."""
        if not self.measured:
            return f"not measured: {(self.why if not self.values else '') or 'no finite number'}"
        c = self.criterion
        if not c.gated or (c.low is None and c.high is None):
            return "reported only"
        low = -float("inf") if c.low is None else c.low
        high = float("inf") if c.high is None else c.high
        return "pass" if all(low <= x <= high for x in self.values.values()) else "fail"

    def words(self) -> tuple[str, ...]:
        """Group, name, unit, left, right or both, adults, limits, verdict."""
        digits = self.criterion.digits
        shown = {side: f"{x:.{digits}f}" for side, x in self.values.items()} if self.measured else {}
        left, right = (shown[""], "") if "" in shown else (shown.get("l", "–"), shown.get("r", "–"))
        return self.group, self.name, self.unit, left, right, self.criterion.adults, self.criterion.limits, self.verdict

    def to_dict(self) -> dict:
        """The row as plain data."""
        c = self.criterion
        values = dict(self.values) if self.measured else {}
        return {"group": self.group, "name": self.name, "unit": self.unit, "values": values, "adults": c.adults,
                "low": c.low, "high": c.high, "gated": c.gated, "verdict": self.verdict}  # fmt: skip
