"""Read the tables of OpenSim (.sto, .mot).

A file has a header up to the line `endheader`, then the column names, then one line of numbers for each row. The first
column is the time. The header may contain:

    a name or any other text
    nRows=211, nColumns=24        or  datarows 211, datacolumns 24
    inDegrees=yes or inDegrees=no or  the sentence "Angles are in degrees."

OpenSim's axes are x forward, y up, z right; `Table.vector` converts three columns to x forward, y left, z up. The sizes
in the header must agree with the table. A number that is not finite raises an error that names its line.
"""

import os
import re
from array import array
from collections import Counter
from dataclasses import dataclass
from itertools import islice, takewhile
from math import isfinite, nan
from pathlib import Path

import numpy as np

from anthropi.errors import FormatError, did_you_mean
from anthropi.formats import limits
from anthropi.formats.motions.tables.scan import lines_of, read_text

__all__ = ["Table", "read"]

MAX_HEADER_LINES = 1000
MAX_NAME = 200  # characters of a column name
SIZES = {"nrows": "rows", "datarows": "rows", "ncolumns": "columns", "datacolumns": "columns"}
HEADER_ENTRY = re.compile(r"(\w+)(?:\s*=\s*|\s+)(\S+)")


@dataclass(frozen=True, eq=False)
class Table:
    """An OpenSim table.

    name : file name. columns : column names without time. time : (rows,) [s]. values : (rows, columns).
    in_degrees : whether angles are in degrees; None if the file does not say.
    """

    name: str
    columns: tuple[str, ...]
    time: np.ndarray
    values: np.ndarray
    in_degrees: bool | None = None

    def __getitem__(self, column: str) -> np.ndarray:
        """Return a column (rows,) with the numbers of the file."""
        if column not in self.columns:
            few = ", ".join(self.columns[:12]) + (", …" if len(self.columns) > 12 else "")
            hint = did_you_mean(column, self.columns)
            raise FormatError(f"{self.name} has no column '{column}'.{hint} Columns: {few}.")
        return self.values[:, self.columns.index(column)]

    def angle(self, column: str) -> np.ndarray:
        """Return a column of angles (rows,), converted to radians."""
        if self.in_degrees is None:
            raise FormatError(
                f"{self.name} does not say whether its angles are in degrees. Add the line inDegrees=yes or "
                "inDegrees=no to its header."
            )
        return np.deg2rad(self[column]) if self.in_degrees else self[column]

    def vector(self, start: str) -> np.ndarray:
        """Return the columns named `start` + x, y, z as vectors (rows, 3), with axes x forward, y left, z up."""
        x, y, z = (self[start + axis] for axis in "xyz")
        return np.stack([x, -z, y], -1)


def read(path: str | os.PathLike[str]) -> Table:
    """Read the table in a .sto or .mot file of OpenSim."""
    file = Path(path).name
    numbered = lines_of(read_text(path))
    header = [line for _, line in takewhile(lambda x: x[1].strip() != "endheader", islice(numbered, MAX_HEADER_LINES))]
    if len(header) == MAX_HEADER_LINES or (end := next(numbered, None)) is None:
        raise FormatError(
            f"{file}: none of its first {MAX_HEADER_LINES} lines is 'endheader', or nothing follows it. Give a .sto or "
            ".mot file."
        )
    sizes, in_degrees = _header(file, header)
    names = _names(file, end[1], end[0])
    _agrees(file, "columns", sizes, len(names), end[0])
    found, last = _rows(file, numbered, names)
    _agrees(file, "rows", sizes, len(found), last)
    late = np.flatnonzero(np.diff(found[:, 0]) <= 0.0)
    if late.size:
        raise FormatError(f"{file}: time does not increase at row {late[0] + 2}, {found[late[0] + 1, 0]:g} s.")
    return Table(file, names[1:], found[:, 0], found[:, 1:], in_degrees)


def _header(file: str, lines) -> tuple[dict[str, int], bool | None]:
    """Read the header: {"rows": n, "columns": m} if given, and whether angles are in degrees (None if not given)."""
    sizes: dict[str, int] = {}
    in_degrees = None
    for number, line in enumerate(lines, 1):
        said = HEADER_ENTRY.fullmatch(line.strip())
        word, value = said.groups() if said else ("", "")
        key = word.lower()
        if key in SIZES:
            if not value.isdecimal() or len(value) > 9:
                raise FormatError(f"{file}, line {number}: {word} is '{value}', not a count.")
            if sizes.setdefault(SIZES[key], int(value)) != int(value):
                raise FormatError(
                    f"{file}, line {number}: {word} is {value}, but a line before it gives {sizes[SIZES[key]]}."
                )
        elif key == "indegrees":
            if value not in ("yes", "no"):
                raise FormatError(f"{file}, line {number}: inDegrees is '{value}'. It must be yes or no.")
            in_degrees = value == "yes"
        elif line.strip().lower().startswith("angles are in "):
            unit = line.strip().lower().removeprefix("angles are in ").rstrip(".")
            if unit not in ("degrees", "radians"):
                raise FormatError(f"{file}, line {number}: angles are in '{unit}'. Use degrees or radians.")
            in_degrees = unit == "degrees"
    return sizes, in_degrees


def _names(file: str, line: str, number: int) -> tuple[str, ...]:
    most = limits.current().table_columns
    names = tuple(line.split(None, most + 1))
    if len(names) < 2 or names[0] != "time":
        raise FormatError(
            f"{file}, line {number}: {len(names)} columns, the first '{''.join(names[:1])[:40]}'. The first column "
            "must be 'time', and at least one must follow it."
        )
    if len(names) > most:
        raise limits.exceeded(f"{file}, line {number}", "table_columns", f"more than {most} columns")
    long = next((name for name in names if len(name) > MAX_NAME), None)
    if long is not None:
        raise FormatError(f"{file}, line {number}: '{long[:40]}…' is longer than {MAX_NAME} characters.")
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise FormatError(f"{file}, line {number}: two columns are called '{twice}'.")
    return names


def _rows(file: str, numbered, names) -> tuple[np.ndarray, int]:
    """Parse the rows of numbers (rows, columns). Return them and the number of the last line."""
    values, most, number = array("d"), limits.current(), 0
    for number, line in numbered:
        if not line or line.isspace():
            continue
        values.extend(_row(file, line, number, names))
        if len(values) > most.numbers:
            raise limits.exceeded(file, "numbers", f"more than {most.numbers:,} numbers")
    if not values:
        raise FormatError(f"{file} has no rows of numbers. It is cut off.")
    limits.check(file, "table_rows", len(values) // len(names), "rows")
    return np.array(values).reshape(-1, len(names)), number


def _row(file: str, line: str, number: int, names) -> list[float]:
    words = line.split(None, len(names))
    if len(words) != len(names):
        more = "more than " if len(words) > len(names) else ""
        raise FormatError(f"{file}, line {number}: {more}{len(words) - bool(more)} numbers for {len(names)} columns.")
    found = []
    for word, name in zip(words, names, strict=True):
        value = _value(word)
        if not isfinite(value):
            raise FormatError(
                f"{file}, line {number}: column '{name}' contains '{word[:40]}', which is not a finite number."
            )
        found.append(value)
    return found


def _value(word: str) -> float:
    """Return the value of a word, NaN if it is not a number."""
    try:
        return float(word) if "_" not in word else nan
    except ValueError:
        return nan


def _agrees(file: str, what: str, sizes: dict[str, int], found: int, number: int) -> None:
    if sizes.get(what, found) != found:
        raise FormatError(f"{file}, line {number}: the table has {found} {what}, but its header gives {sizes[what]}.")
